//! Lets gaits that were found before go on by themselves: alone, held by feedback, and pushed: the part of the weight, for 0.2 s,
//! that each gets over for 25 cycles from the worst side. Flights end by time or by touching the ground.
//!
//! `cargo run --release -p andante-gait --example hundred_cycles [CYCLES [GAIT]]`

use andante_gait::{
    CyclePush, Feedback, FeedbackOptions, FoundGait, GAITS, GaitProblem, GaitSketch, HeldRun,
    Landing, PulseController,
};
use glam::DVec3;
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let cycles: usize = args.next().map_or(Ok(100), |text| text.parse())?;
    let only = args.next();
    let mut out = std::io::stdout().lock();
    writeln!(out, "                             timed          touched")?;
    writeln!(out, "gait                  alone   held  pushed   held  pushed")?;
    for (name, _) in GAITS.iter().filter(|(name, _)| only.as_deref().is_none_or(|it| it == *name)) {
        let gait = FoundGait::built_in(name)?.ok_or("no such gait")?;
        let sketch = GaitSketch::built_in(name)?;
        let body = andante_body::creature(&sketch.character)?;
        let options = gait.options();
        let problem = GaitProblem::new(&body, &sketch, &options)?;
        let candidate = gait.candidate(&problem)?;
        let alone = HeldRun::new(&problem, &candidate, None, cycles, None).cycles;
        write!(out, "{name:20}  {alone:5.1}")?;
        for landing in [Landing::Timed, Landing::Touched] {
            let options = FeedbackOptions { landing, ..FeedbackOptions::default() };
            let Some(feedback) = Feedback::new(&problem, &candidate, &options) else { continue };
            let held = HeldRun::new(&problem, &candidate, Some(&feedback), cycles, None).cycles;
            let pushed = strongest(&problem, &candidate, &feedback);
            write!(out, "  {held:5.1}  {:4.0} %", 100.0 * pushed)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// In steps of five hundredths of the weight.
fn strongest(problem: &GaitProblem, candidate: &PulseController, feedback: &Feedback) -> f64 {
    let weight = 9.80665 * problem.body().total_mass();
    let gets_over = |part: f64| {
        [DVec3::Z, -DVec3::Z, DVec3::X, -DVec3::X].iter().all(|&towards| {
            let force = part * weight * towards;
            let shove = CyclePush { at: 2.0 * candidate.length(), seconds: 0.2, force };
            HeldRun::new(problem, candidate, Some(feedback), 25, Some(shove)).cycles >= 25.0
        })
    };
    (1..20).map(|k| 0.05 * f64::from(k)).take_while(|part| gets_over(*part)).last().unwrap_or(0.0)
}
