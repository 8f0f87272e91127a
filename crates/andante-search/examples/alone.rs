//! Experiment: feedback.
use andante_search::*;
use glam::DVec3;
fn env(name: &str, d: f64) -> f64 { std::env::var(name).ok().and_then(|t| t.parse().ok()).unwrap_or(d) }
fn main() {
    let file = std::env::args().nth(1).unwrap();
    let gait = Gait::from_toml(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let sketch = GaitSketch::built_in(&gait.sketch).unwrap();
    let body = andante_body::creature(&sketch.character).unwrap();
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions { step: gait.step, ..ProblemOptions::default() }).unwrap();
    let candidate = gait.candidate(&problem).unwrap();
    println!("alone {:?}", problem.run(&candidate, None, 20, None));
    let d = FeedbackOptions::default();
    let options = FeedbackOptions { tick: env("TICK", d.tick), torque: env("TORQUE", d.torque), horizon: env("HORIZON", 12.0) as usize,
        deviation: [env("M", d.deviation[0]), env("RAD", d.deviation[1]), env("MPS", d.deviation[2]), env("RATE", d.deviation[3])] };
    let clock = std::time::Instant::now();
    let Some(feedback) = Feedback::new(&problem, &candidate, &options) else { println!("no feedback"); return };
    println!("made in {:.2} s", clock.elapsed().as_secs_f64());
    println!("held {:?}", problem.run(&candidate, Some(&feedback), env("CYCLES", 100.0) as usize, None));
    let force = 0.1 * 9.81 * body.total_mass();
    for (name, to) in [("forwards", DVec3::Z), ("backwards", -DVec3::Z), ("left", DVec3::X), ("right", -DVec3::X)] {
        let shove = Shove { at: env("AT", 2.0) * candidate.length(), seconds: 0.2, force: force * to };
        println!("{name} {:?}", problem.run(&candidate, Some(&feedback), 25, Some(shove)));
    }
}
