//! What a frame of a crowd costs, without a window: `cargo bench --bench crowd -- [people] [frames]`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/common/mod.rs"]
mod common;

use bevy::prelude::*;
use bevy_andante::{AndanteSystems, GoTo, Locomotion};
use std::path::Path;
use std::time::{Duration, Instant};

/// When our part of the frame began, and how long each took.
#[derive(Resource)]
struct Watch(Instant, Vec<Duration>);

fn begin(mut watch: ResMut<Watch>) {
    watch.0 = Instant::now();
}

fn end(mut watch: ResMut<Watch>) {
    let took = watch.0.elapsed();
    watch.1.push(took);
}

fn main() {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<usize>().ok());
    let people = numbers.next().unwrap_or(200);
    let frames = numbers.next().unwrap_or(600);
    let mut app = common::world(Path::new("."));
    app.insert_resource(Watch(Instant::now(), Vec::new())).add_systems(
        PostUpdate,
        (
            begin.before(AndanteSystems::World),
            end.after(AndanteSystems::Show).before(bevy::transform::TransformSystems::Propagate),
        ),
    );
    common::ground(&mut app, Plane3d::default().mesh().size(80.0, 80.0).into(), 0.0);
    app.update();
    let side = (people as f32).sqrt().ceil() as usize;
    let at = |who: usize, turn: usize| {
        let other = (who + turn * 37) % (side * side);
        let place = vec2((other % side) as f32, (other / side) as f32) - 0.5 * side as f32;
        1.8 * place
    };
    let all: Vec<Entity> = (0..people)
        .map(|who| {
            let place = at(who, 0);
            let start = Transform::from_xyz(place.x, 0.0, place.y);
            app.world_mut().spawn((Locomotion::default(), start)).id()
        })
        .collect();
    app.update();
    assert_eq!(common::present(&app), people);
    let mut turn = 0;
    let mut whole = Vec::new();
    for frame in 0..frames {
        if frame % 300 == 0 {
            turn += 1;
            for (who, &entity) in all.iter().enumerate() {
                app.world_mut().entity_mut(entity).insert(GoTo::place(at(who, turn)));
            }
        }
        let begun = Instant::now();
        app.update();
        whole.push(begun.elapsed());
    }
    let watched = &app.world().resource::<Watch>().1;
    let mut ours = watched[watched.len() - frames..].to_vec();
    print_times("ours", &mut ours);
    print_times("whole frame", &mut whole);
    println!(
        "{} arrived, {} footfalls",
        common::heard(&app).arrived.len(),
        common::heard(&app).footfalls.len()
    );
}

fn print_times(what: &str, times: &mut [Duration]) {
    times.sort();
    let ms = |time: Duration| 1e3 * time.as_secs_f64();
    let mean = times.iter().map(|&time| ms(time)).sum::<f64>() / times.len() as f64;
    let part = |of: usize| ms(times[(times.len() * of / 100).min(times.len() - 1)]);
    println!(
        "{what}: mean {mean:.2} ms, median {:.2}, 99 of 100 {:.2}, worst {:.2}",
        part(50),
        part(99),
        part(100)
    );
}
