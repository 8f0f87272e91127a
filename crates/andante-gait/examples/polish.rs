//! Makes gaits that were found before cheaper, and writes those that are held by feedback.
//!
//! `cargo run --release -p andante-gait --example polish FOLDER MINUTES [THREADS [GAIT …]]`

mod common;

use andante_gait::{
    Evaluator, Feedback, FeedbackOptions, FoundGait, GAITS, GaitProblem, GaitSketch, HeldRun,
    Polish, PolishOptions, PulseController, TrunkSwing,
};
use common::seconds;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("which folder?")?);
    let minutes: f64 = args.next().ok_or("how many minutes for each?")?.parse()?;
    let threads: usize = args.next().map_or(Ok(1), |text| text.parse())?;
    let only: Vec<String> = args.collect();
    let mut out = std::io::stdout().lock();
    for (name, _) in
        GAITS.iter().filter(|(name, _)| only.is_empty() || only.iter().any(|it| it == name))
    {
        let gait = FoundGait::built_in(name)?.ok_or("no such gait")?;
        let sketch = GaitSketch::built_in(name)?;
        let body = andante_body::creature(&sketch.character)?;
        let problem = GaitProblem::new(&body, &sketch, &gait.options())?;
        let candidate = gait.candidate(&problem)?;
        let began = seconds();
        let swing = |swing: TrunkSwing| {
            let [sway, yaw, roll] = swing.to_array();
            format!("sway {sway:.3} m, yaw {:.1}, roll {:.1}", yaw.to_degrees(), roll.to_degrees())
        };
        let now =
            Evaluator::new(Arc::new(problem.clone()), 1)?.try_out(std::slice::from_ref(&candidate));
        writeln!(
            out,
            "{name}: {}; sketched: {}",
            swing(now[0].trunk),
            swing(TrunkSwing::sketched(&problem)?)
        )?;
        if minutes == 0.0 {
            continue;
        }
        let mut polish = Polish::new(&problem, &candidate, &PolishOptions::default(), threads)?;
        let mut shown = (0, 0);
        while !polish.is_over() && seconds() - began < 60.0 * minutes {
            polish.step();
            let (sweep, round) = polish.progress();
            if (sweep, round) != shown {
                shown = (sweep, round);
                writeln!(
                    out,
                    "  {name} sweep {sweep} round {round}: {} found, cheapest {:.3}, {} simulations, {:.0} s",
                    polish.found().len(),
                    polish.cost(),
                    polish.evaluations(),
                    seconds() - began
                )?;
                out.flush()?;
            }
        }
        // The cheapest that goes on for a hundred cycles at both steps of the simulation.
        let held = polish.found().iter().rev().find(|found| {
            let candidate = problem.decode(&found.point);
            [0.0005, gait.step].iter().all(|step| {
                let options = gait.options().with_step(*step);
                GaitProblem::new(&body, &sketch, &options)
                    .is_ok_and(|problem| is_held(&problem, &candidate))
            })
        });
        let Some(held) = held else {
            writeln!(
                out,
                "{name}: {:.2}, none of {} is held",
                gait.cost_of_transport,
                polish.found().len()
            )?;
            continue;
        };
        let mut better = FoundGait::new(&problem, held);
        better.made_by = format!("{}, then andante gait {name} --polish", gait.made_by);
        std::fs::write(folder.join(format!("{name}.toml")), better.to_toml()?)?;
        writeln!(
            out,
            "{name}: {:.3} -> {:.3} ({:+.0} %), {:.2} -> {:.2} m/s, {}, {} simulations, {:.0} s",
            gait.cost_of_transport,
            better.cost_of_transport,
            100.0 * (better.cost_of_transport / gait.cost_of_transport - 1.0),
            gait.speed,
            better.speed,
            swing(held.trial.trunk),
            polish.evaluations(),
            seconds() - began
        )?;
        out.flush()?;
    }
    Ok(())
}

fn is_held(problem: &GaitProblem, candidate: &PulseController) -> bool {
    Feedback::new(problem, candidate, &FeedbackOptions::default()).is_some_and(|feedback| {
        HeldRun::new(problem, candidate, Some(&feedback), 100, None).cycles >= 100.0
    })
}
