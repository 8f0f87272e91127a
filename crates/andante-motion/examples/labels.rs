//! Prints what the analysis finds in files: `cargo run --release -p andante-motion --example labels --
//! clips/*.bvh`.

use andante_formats::{ReadOptions, read_file};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::rig;
use std::path::Path;
use std::time::Instant;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in std::env::args().skip(1) {
        let asset = read_file(Path::new(&file), &ReadOptions::default(), None)?;
        let rig = match rig::detect(&asset.skeleton, &asset.clips) {
            Ok(rig) => rig,
            Err(error) => {
                println!("{file}: {error}");
                continue;
            }
        };
        for clip in &asset.clips {
            let begun = Instant::now();
            let found = analyse(&asset.skeleton, &rig, clip, &AnalysisOptions::default())?;
            let took = begun.elapsed().as_secs_f32() * 1e3;
            let travel = found.travel;
            let gait = found.footfalls.as_ref().map_or("-", |footfalls| footfalls.gait.name());
            let longest = found.flights.iter().map(|flight| flight.length()).fold(0.0, f32::max);
            println!(
                "{:<12} {:<13} {:<13} {gait:<6} {:?}{} {:5.0}° {:6.2} m/s ({:.2}) duty {:.2} flight {:.2} s{}{} \
                 | {:.1} s in {took:.1} ms{}",
                clip.name(),
                found.locomotion.name(),
                found.class.name(),
                travel.direction,
                if found.jog { ", jog" } else { "" },
                travel.heading_change.to_degrees(),
                travel.speed,
                travel.speed / found.units.speed,
                found.duty_factor,
                longest,
                if found.in_place() { ", in place" } else { "" },
                if found.cyclic { ", cyclic" } else { "" },
                clip.duration(),
                found.oddities.iter().map(|oddity| format!("; {oddity}")).collect::<String>(),
            );
        }
    }
    Ok(())
}
