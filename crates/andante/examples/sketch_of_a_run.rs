//! The sketch of a run, without gravity and with it, drawn to the .svg file that is named.
//!
//! Legs open and knees bend in the air; on the ground legs open the other way and the whole leg pushes off.

use andante_draw::{Gallery, Sheet, View, body_figure};
use andante_gait::{Controller, Modes, PerformanceOptions, PinnedPoint, PulseMotion, Sketch};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name the .svg file to write")?;
    let body = andante_body::creature("humanoid")?;
    let pose = &body.poses()[0];
    let air = Modes::find(&body, pose, &[])?;
    let ground = Modes::find(&body, pose, &[PinnedPoint::toe(&body.feet()[0])])?;
    let mut sketch = Sketch { air: vec![0.0; 15], ground: vec![0.0; 15], ..Sketch::default() };
    // In the palette these are numbers 2, 9 and 12, and 2, 3 and 9: it counts from 1.
    (sketch.air[1], sketch.air[8], sketch.air[11]) = (0.4, 0.3, 0.3);
    (sketch.ground[1], sketch.ground[2], sketch.ground[8]) = (-0.4, 0.4, 0.3);
    let run = Controller::from_sketch(&body, pose, &air, &ground, &sketch)?;
    let mut sheet = Sheet::new("Sketch of a run");
    for (gravity, title) in
        [(false, "without gravity"), (true, "with gravity: nothing balances it yet")]
    {
        let options = PerformanceOptions { gravity, ..Default::default() };
        let mut performance = PulseMotion::new(&body, pose, &options)?;
        performance.drive(run.clone())?;
        let mut gallery = Gallery::new(title, 9);
        for frame in 0..=8 {
            let time = run.period() * f64::from(frame) / if gravity { 16.0 } else { 8.0 };
            performance.run_until(time);
            let figure = body_figure(&body, &performance.placed(), &[], View::Quarter);
            gallery = gallery.figure(figure, vec![format!("{time:.2} s")]);
        }
        sheet.add(gallery.draw());
    }
    std::fs::write(file, sheet.to_svg())?;
    Ok(())
}
