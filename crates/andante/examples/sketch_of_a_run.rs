//! The sketch of a run, without gravity and with it, drawn to the .svg file that is named.
//!
//! Legs open and knees bend in the air; on the ground legs open the other way and the whole leg pushes off.

use andante_draw::{Gallery, Sheet, View, body_figure};
use andante_dynamics::{PhysicsSettings, vec3};
use andante_gait::{GaitProblem, GaitSketch, PhaseSketch, ProblemOptions, PulseMotion};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name the .svg file to write")?;
    let mut sketch = GaitSketch::built_in("basic-run")?;
    let body = andante_body::creature(&sketch.character)?;
    // In the palette these are numbers 2, 9 and 12, and 2, 3 and 9: it counts from 1.
    let phase = |priority: &[(usize, f64)]| PhaseSketch {
        priority: priority.to_vec(),
        ..PhaseSketch::default()
    };
    sketch.steps[0].air = phase(&[(1, 0.4), (8, 0.3), (11, 0.3)]);
    sketch.steps[0].ground = phase(&[(1, -0.4), (2, 0.4), (8, 0.3)]);
    let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default())?;
    let run = problem.sketched();
    let mut sheet = Sheet::new("Sketch of a run");
    for (gravity, title) in
        [(false, "without gravity"), (true, "with gravity: nothing balances it yet")]
    {
        let mut physics = PhysicsSettings { step: 0.0005, ..problem.options().physics.clone() };
        if !gravity {
            physics.gravity = vec3(0.0, 0.0, 0.0);
        }
        let mut motion = PulseMotion::new(problem.body(), problem.pose(), &physics)?;
        motion.drive(run.clone())?;
        let mut gallery = Gallery::new(title, 9);
        for frame in 0..=8 {
            let time = run.length() * f64::from(frame) / if gravity { 16.0 } else { 8.0 };
            motion.run_until(time);
            let figure = body_figure(problem.body(), &motion.placed(), &[], View::Quarter);
            gallery = gallery.figure(figure, vec![format!("{time:.2} s")]);
        }
        sheet.add(gallery.draw());
    }
    std::fs::write(file, sheet.to_svg())?;
    Ok(())
}
