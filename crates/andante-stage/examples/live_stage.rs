//! A stage in a game loop: read poses, give commands, lead somebody by hand, change the world.
//! `cargo run -p andante-stage --example live_stage`

#![allow(clippy::print_stdout)]

use andante_stage::{Command, EventKind, Stage, Waypoint, read_scene};
use andante_world::{Obstacle, ObstacleShape};
use glam::{Vec3, vec2};

const SCENE: &str = r#"
version = 1
name = "court"
[[platform]]
outline = [[-8, -8], [8, -8], [8, 8], [-8, 8]]
[[character]]
name = "guard"
start = { at = [-5, 0] }
[[character]]
name = "player"
start = { at = [5, -5] }
[[command]]
who = "guard"
patrol = [[-5, 5], [-5, -5]]
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut stage = Stage::new(&read_scene(SCENE)?, 1)?;
    let (guard, player) = (0, 1);
    let corner = Waypoint { place: vec2(5.0, 5.0), height: None, heading: Some(0.0) };
    for frame in 0..60 * 20 {
        // The stick of a gamepad, for the first seconds: speed ahead and turn rate.
        if frame < 300 {
            stage.steer(player, 1.4, 0.4 * (frame as f32 / 60.0).sin())?;
        }
        match frame {
            300 => stage.command(player, Command::RunTo(corner))?,
            // A crate is put in the way: whoever it blocks plans again.
            420 => stage.place_obstacle(Obstacle {
                name: "crate".into(),
                shape: ObstacleShape::Box(Vec3::splat(1.2)),
                at: Vec3::new(-5.0, 0.0, 0.5),
                heading: 0.3,
            })?,
            700 => {
                let whom = player.into();
                stage.command(guard, Command::Follow { whom, distance: 1.5 })?;
            }
            _ => {}
        }
        stage.step(1.0 / 60.0);
        // Draw: nothing is allocated to read a pose.
        let _joints_in_the_world = stage.actors()[player].models();
        let told = stage.events().iter().filter(|event| !matches!(event.kind, EventKind::Near(_)));
        for event in told {
            let who = event.track.map_or("world", |who| stage.actors()[who].name());
            println!("{:6.2} s  {who:7}  {:?}", event.time, event.kind);
        }
    }
    Ok(())
}
