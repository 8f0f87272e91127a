//! Draws stick figures over the profile of the ground, seen from the side, as SVG files.
//!
//! `cargo run --release -p andante-ground --example terrain_filmstrip DIRECTORY [walk|horse|cmu15] [ground]`

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use andante_motion::adapt::{TakeOptions, adapt_clip};
use andante_skeleton::Side;
use common::{Terrain, built_in_case, captured, horse, terrains};
use glam::Vec3;
use std::fmt::Write;

/// Pixels per metre, and seconds between figures.
const SCALE: f32 = 260.0;
const EVERY: f32 = 0.2;

fn main() {
    let mut args = std::env::args().skip(1);
    let directory = args.next().unwrap_or_else(|| ".".into());
    let which = args.next().unwrap_or_else(|| "walk".into());
    let part = args.next().unwrap_or_default();
    let case = match which.as_str() {
        "horse" => horse("Walk"),
        name if name.starts_with("cmu") => captured(&format!("cmu/16/16_{}.bvh", &name[3..])),
        name => Some(built_in_case(name)),
    };
    let case = case.expect("the clip is here");
    for terrain in terrains().iter().filter(|terrain| terrain.name.contains(&part)) {
        let options =
            TakeOptions { extent: case.extent, fps: Some(60.0), ..TakeOptions::default() };
        let take = adapt_clip(&case.clip, &*terrain.ground, &options).unwrap();
        let name = terrain.name.replace([' ', '°', '.'], "_");
        let path = format!("{directory}/{which}-{name}.svg");
        std::fs::write(path, draw(&case.clip, terrain, &take)).unwrap();
    }
}

fn draw(
    clip: &andante_play::GroundClip,
    terrain: &Terrain,
    take: &andante_motion::adapt::Adapted,
) -> String {
    let character = clip.character();
    let frames = andante_skeleton::model_frames(&character.skeleton, &take.clip);
    let hips = character.rig.hips;
    let travel = frames[frames.len() - 1][hips].translation - frames[0][hips].translation;
    let ahead = Vec3::new(travel.x, 0.0, travel.z).normalize_or(Vec3::Z);
    let start = frames[0][hips].translation;
    let along = |point: Vec3| (point - start).dot(ahead);
    let mut shapes = String::new();
    let (mut low, mut high) = (f32::MAX, f32::MIN);
    let mut line = |shapes: &mut String, a: Vec3, b: Vec3, colour: &str, width: f32| {
        low = low.min(a.y).min(b.y);
        high = high.max(a.y).max(b.y);
        writeln!(
            shapes,
            r#"<line x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}" stroke="{colour}" stroke-width="{width}"/>"#,
            SCALE * along(a), -SCALE * a.y, SCALE * along(b), -SCALE * b.y
        )
        .unwrap();
    };
    let end = along(frames[frames.len() - 1][hips].translation);
    let mut last: Option<Vec3> = None;
    for step in -50..((end + 0.8) * 100.0) as i32 {
        let from = start + ahead * (0.01 * step as f32) + Vec3::Y * 10.0;
        let hit = terrain.ground.probe(from, 40.0).map(|hit| hit.point);
        if let (Some(a), Some(b)) = (last, hit) {
            line(&mut shapes, a, b, "#444", 2.0);
        }
        last = hit;
    }
    let every = (EVERY * take.clip.fps()).round().max(1.0) as usize;
    let sides: Vec<&str> = (0..character.skeleton.len())
        .map(|joint| {
            let of = |foot: &andante_skeleton::Foot| {
                character
                    .skeleton
                    .ancestors(joint)
                    .any(|above| above == foot.hip())
                    .then_some(foot.side)
            };
            match character.rig.feet.iter().find_map(of) {
                Some(Side::Left) => "#1f6fd0",
                Some(Side::Right) => "#d0451f",
                _ => "#999",
            }
        })
        .collect();
    for (index, models) in frames.iter().enumerate() {
        if index > 0 {
            for foot in &character.rig.feet {
                let ankle = foot.ankle();
                let (a, b) = (frames[index - 1][ankle].translation, models[ankle].translation);
                line(&mut shapes, a, b, sides[ankle], 0.5);
            }
            line(
                &mut shapes,
                frames[index - 1][hips].translation,
                models[hips].translation,
                "#2a2",
                0.8,
            );
        }
        if index % every != 0 {
            continue;
        }
        for joint in 1..character.skeleton.len() {
            let parent = character.skeleton.parent(joint).unwrap();
            line(
                &mut shapes,
                models[parent].translation,
                models[joint].translation,
                sides[joint],
                2.0,
            );
        }
        for foot in &character.rig.feet {
            let points = [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
            let colour = sides[foot.ankle()];
            line(&mut shapes, points[0], points[1], colour, 2.0);
            line(&mut shapes, points[1], points[2], colour, 2.0);
            line(&mut shapes, models[foot.ankle()].translation, points[0], colour, 1.0);
        }
    }
    let (left, width) = (-0.6 * SCALE, (end + 1.6) * SCALE);
    let (top, height) = (-(high + 0.1) * SCALE, (high - low + 0.2) * SCALE);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"{left:.0} {top:.0} {width:.0} {height:.0}\">\n\
         <rect x=\"{left}\" y=\"{top}\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n{shapes}</svg>\n"
    )
}
