//! Leads a gait that was found before to another speed and turn: prints how it gets on and how well it goes on by itself.
//!
//! `cargo run --release -p andante-gait --example vary [SKETCH [DEGREES_A_SECOND [SPEED]]]`

use andante_gait::{
    Feedback, FeedbackOptions, FoundGait, GaitProblem, GaitSketch, HeldRun, ProblemOptions,
    Variation, VariationGoal, VariationOptions,
};
use std::error::Error;
use std::io::Write;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or("basic-run".into());
    let turn: f64 = args.next().map_or(Ok(20.0), |text| text.parse())?;
    let speed: Option<f64> = args.next().map(|text| text.parse()).transpose()?;
    let gait = FoundGait::built_in(&name)?.ok_or("no such gait")?;
    let sketch = GaitSketch::built_in(&name)?;
    let body = andante_body::creature(&sketch.character)?;
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default())?;
    let candidate = gait.candidate(&problem)?;
    let mut out = std::io::stdout().lock();
    let clock = Instant::now();
    let aim = VariationGoal { speed, turn: turn.to_radians() };
    let mut variation = Variation::new(&problem, &candidate, aim, &VariationOptions::default(), 0)?;
    let mut reached = 0.0;
    while !variation.is_over() {
        variation.step();
        if variation.reached() > reached {
            reached = variation.reached();
            let (problem, found) = variation.best();
            writeln!(
                out,
                "{:5.1} s {:6} simulations: {:3.0} % of the way, {:5.1} degrees a second, {:.2} m/s, effort {:.0}",
                clock.elapsed().as_secs_f64(),
                variation.evaluations(),
                100.0 * reached,
                problem.sketch().turn.to_degrees(),
                found.trial.velocity[2],
                found.trial.effort,
            )?;
        }
    }
    let (problem, found) = variation.best();
    let candidate = problem.decode(&found.point);
    let feedback = Feedback::new(problem, &candidate, &FeedbackOptions::default());
    let alone = HeldRun::new(problem, &candidate, None, 100, None);
    let held =
        feedback.map(|feedback| HeldRun::new(problem, &candidate, Some(&feedback), 100, None));
    writeln!(out, "{:.1} cycles alone, held: {held:.2?}", alone.cycles)?;
    Ok(())
}
