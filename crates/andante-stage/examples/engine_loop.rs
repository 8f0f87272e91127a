//! A stage inside of somebody else's engine, which owns the world, the entities and the clock:
//! `cargo run -p andante-stage --example engine_loop`

#![allow(clippy::print_stdout)]

use andante_skeleton::Transform;
use andante_stage::{ActorId, CharacterSpec, Command, GroundPatch, Scene, Stage, Waypoint};
use andante_world::{Ground, Hit, Platform, Terrain};
use glam::{Vec3, vec2};

/// The engine's own terrain; a real one would ask its colliders.
struct EngineTerrain;

impl Ground for EngineTerrain {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let height = 0.15 * (0.4 * from.x).sin();
        let normal = Vec3::new(-0.06 * (0.4 * from.x).cos(), 1.0, 0.0).normalize();
        let met = height <= from.y && height >= from.y - depth;
        met.then(|| Hit { point: from.with_y(height), normal })
    }
}

/// The engine's own entity.
struct Entity {
    actor: ActorId,
    skeleton: Vec<Transform>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corners = [[-20.0, -20.0], [20.0, -20.0], [20.0, 20.0], [-20.0, 20.0]];
    let platform = Platform::level("terrain", corners.map(Into::into).to_vec(), 0.0);
    let ground = GroundPatch { platform, terrain: Some(Terrain::own(EngineTerrain)) };
    let mut stage = Stage::new(&Scene { ground: vec![ground], ..Scene::default() }, 1)?;
    let mut entities: Vec<Entity> = Vec::new();
    let mut steps = 0;
    for frame in 0..900 {
        // Entities come and go as the game likes.
        if frame % 150 == 0 {
            let place = vec2(frame as f32 / 100.0 - 4.0, -3.0);
            let part = CharacterSpec::new(format!("entity {frame}"), Waypoint::at(place));
            let actor = stage.spawn(&part)?;
            stage.command(actor, Command::WalkTo(Waypoint::at(place + vec2(1.0, 5.0))))?;
            entities.push(Entity { actor, skeleton: Vec::new() });
        }
        if frame == 500 {
            let first = entities.remove(0).actor;
            stage.despawn(first)?;
            println!("{}", stage.actor(first).map_or_else(|no| no.to_string(), |_| "here".into()));
        }
        // The clock is the engine's: 144 fps, now and then a hitch, sometimes hardly any time at all.
        let dt = match frame % 97 {
            0 => 0.25,
            13 => 1e-6,
            _ => 1.0 / 144.0,
        };
        stage.step(dt);
        for entity in &mut entities {
            let joints = stage.actor(entity.actor)?.models();
            entity.skeleton.clear();
            entity.skeleton.extend_from_slice(joints);
        }
        steps += stage.footfalls().len();
        for event in stage.events() {
            let who = event.track.map_or("world", |who| stage.actors()[who].name());
            println!("{:6.2} s  {who:11} {}", event.time, event.describe(&[]));
        }
    }
    println!("{} entities, {steps} footfalls in {:.1} s", entities.len(), stage.time());
    Ok(())
}
