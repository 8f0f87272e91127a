//! Lets gaits that were found before go on by themselves: alone, held by feedback, and pushed by a tenth of their weight for 0.2 s.
//!
//! `cargo run --release -p andante-search --example hundred_cycles [CYCLES]`

use andante_search::{
    Feedback, FeedbackOptions, GAITS, Gait, GaitProblem, GaitSketch, ProblemOptions, Shove,
};
use glam::DVec3;
use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let cycles: usize = std::env::args().nth(1).map_or(Ok(100), |text| text.parse())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "gait                  alone  held  forwards  backwards   left  right")?;
    for (name, _) in GAITS {
        let gait = Gait::built_in(name)?.ok_or("no such gait")?;
        let sketch = GaitSketch::built_in(name)?;
        let body = andante_body::creature(&sketch.character)?;
        let options = ProblemOptions {
            step: gait.step,
            friction: gait.friction,
            ..ProblemOptions::default()
        };
        let problem = GaitProblem::new(&body, &sketch, &options)?;
        let candidate = gait.candidate(&problem).ok_or("a gait of another body")?;
        let alone = problem.run(&candidate, None, cycles, None).cycles;
        write!(out, "{name:20}  {alone:5.1}")?;
        if let Some(feedback) = Feedback::new(&problem, &candidate, &FeedbackOptions::default()) {
            let held = problem.run(&candidate, Some(&feedback), cycles, None).cycles;
            write!(out, "  {held:4.0}")?;
            let weight = 9.80665 * body.total_mass();
            for (towards, width) in [(DVec3::Z, 8), (-DVec3::Z, 9), (DVec3::X, 5), (-DVec3::X, 5)] {
                let shove = Shove {
                    at: 2.0 * candidate.length(),
                    seconds: 0.2,
                    force: 0.1 * weight * towards,
                };
                let pushed = problem.run(&candidate, Some(&feedback), 25, Some(shove)).cycles;
                write!(out, "  {pushed:width$.1}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
