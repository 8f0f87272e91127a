//! Draws where everybody goes in a scene: `cargo run -p andante --example tracks -- meeting tracks.svg`.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use andante_draw::{PlanView, Sheet};
use andante_stage::{PlayOptions, Scene, play, read_scene_file};
use andante_world::ObstacleOutline;
use glam::Vec2;
use std::path::Path;

fn main() {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "meeting".into());
    let output = words.next().unwrap_or_else(|| "tracks.svg".into());
    let scene = if Path::new(&name).exists() {
        read_scene_file(Path::new(&name)).unwrap()
    } else {
        Scene::built_in(&name).unwrap()
    };
    let options = PlayOptions { longest: 120.0, ..PlayOptions::default() };
    let take = play(&scene, 1, &options, |_| true).unwrap();
    for event in &take.events {
        let who = event.track.map_or("world", |track| take.tracks[track].name.as_str());
        println!("{:7.2}  {who:10} {:?}", event.time, event.kind);
    }
    for (track, metrics) in take.tracks.iter().zip(take.metrics()) {
        println!(
            "{:10} way {:5.1} m, largest acceleration {:5.1} m/s², soles {:5.1} mm deep",
            track.name,
            metrics.way_m,
            metrics.motion.root_accel_max,
            metrics.motion.penetration_mm_max
        );
    }
    let mut map = PlanView::default();
    for patch in &scene.ground {
        map = map.ground(&patch.platform.outline);
    }
    for obstacle in &scene.obstacles {
        map = match obstacle.footprint() {
            ObstacleOutline::Outline(corners) => map.obstacle(&corners),
            ObstacleOutline::Disc { at, radius } => map.post(at, radius),
        };
    }
    for track in &take.tracks {
        let way: Vec<Vec2> = track.body.iter().map(|body| body.position).collect();
        map = map.way(&track.name, &way).mark(way[0], track.body[0].heading, &track.name);
        for print in &track.footprints {
            let flat = |point: glam::Vec3| Vec2::new(point.x, point.z);
            let side = track.character.rig.feet[print.foot].side;
            map = map.footprint(side, flat(print.heel), flat(print.tip));
        }
    }
    let mut sheet = Sheet::new(&scene.name);
    sheet.add(map.draw());
    std::fs::write(&output, sheet.to_svg()).unwrap();
}
