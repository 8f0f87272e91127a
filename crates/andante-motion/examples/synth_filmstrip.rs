//! Draws a synthesised clip as a filmstrip, from the side and from the front, with the angles of
//! its legs.
//!
//! ```text
//! cargo run -p andante-motion --example synth_filmstrip -- walk out.svg [poses] [height]
//! cargo run -p andante-motion --example synth_filmstrip -- speed=1.5,turn=0.4 out.svg
//! ```
#![allow(clippy::print_stdout)]

use andante_motion::synth::{self, GaitMode, GaitRequest, angles::leg_angles};
use andante_play::measure::measure_level;
use andante_skeleton::model_frames;
use andante_skeleton::{Character, Planar, Transform, humanoid_of_height};
use glam::{Vec2, Vec3};
use std::fmt::Write;

const LEFT: &str = "#1f6fd0";
const RIGHT: &str = "#d0421f";
const MIDDLE: &str = "#333";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, out, rest @ ..] = args.as_slice() else {
        return Err(
            "usage: synth_filmstrip CLIP|speed=…,turn=…,side=…,crouch=… OUT.svg [poses] [height]"
                .into(),
        );
    };
    let poses: usize = rest.first().map_or(Ok(10), |poses| poses.parse())?;
    let human = humanoid_of_height(rest.get(1).map_or(Ok(1.75), |height| height.parse())?);
    let before = std::time::Instant::now();
    let made = if what.contains('=') {
        synth::locomotion(&human, &parse_gait(what)?)?
    } else {
        synth::clip(&human, what)?
    };
    println!("{} frames in {:.2?}", made.clip.frame_count(), before.elapsed());
    let frames = model_frames(&human.skeleton, &made.clip);
    std::fs::write(out, draw(&human, &frames, poses))?;

    let metrics = measure_level(&human.skeleton, &human.rig, &made.clip, &made.contacts, 0.0);
    println!("{metrics:#.3?}");
    println!("{} s, contacts {:?}", made.clip.duration(), made.contacts.feet);
    println!(" %   |  hip knee ankle foot | left, then right | pelvis height, toe clearance");
    for sample in 0..=20 {
        let frame = sample * (frames.len() - 1) / 20;
        print!("{:4} |", 5 * sample);
        for foot in &human.rig.feet {
            let angles = leg_angles(&human.rig, foot, &frames[frame]);
            let shown = [angles.hip, angles.knee, angles.ankle, angles.foot];
            print!(
                " {:5.0} {:5.0} {:5.0} {:5.0} |",
                shown[0].to_degrees(),
                shown[1].to_degrees(),
                shown[2].to_degrees(),
                shown[3].to_degrees()
            );
        }
        let clearance = human.rig.feet.iter().map(|foot| {
            [foot.heel, foot.ball, foot.tip]
                .map(|point| (1000.0 * point.position(&frames[frame]).y).round())
        });
        println!(" {:.3} {:?}", frames[frame][0].translation.y, clearance.collect::<Vec<_>>());
    }
    Ok(())
}

fn parse_gait(text: &str) -> Result<GaitRequest, Box<dyn std::error::Error>> {
    let mut gait = GaitRequest::ahead(0.0);
    for part in text.split(',') {
        let (key, value) = part.split_once('=').ok_or("expected key=value")?;
        match key {
            "speed" => gait.speed = value.parse()?,
            "turn" => gait.turn_rate = value.parse()?,
            "side" => gait.lateral = value.parse()?,
            "crouch" => gait.crouch = value.parse()?,
            "mode" => gait.mode = if value == "run" { GaitMode::Run } else { GaitMode::Walk },
            _ => return Err(format!("no parameter `{key}`").into()),
        }
    }
    Ok(gait)
}

/// Three rows: from the side, from the front, and the angles of the left leg.
fn draw(human: &Character, frames: &[Vec<Transform>], poses: usize) -> String {
    let scale = 150.0;
    let spacing = 170.0;
    let width = spacing * poses as f32 + 40.0;
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='1000'><rect width='100%' height='100%' fill='#fff'/>"
    );
    for pose in 0..poses {
        let frame = pose * (frames.len() - 1) / (poses - 1).max(1);
        let models = &frames[frame];
        // Seen from a frame that travels with the root but keeps the direction of the start.
        let root = Planar::from_transform(&models[0]);
        let centre = 20.0 + spacing * (pose as f32 + 0.5);
        for (row, floor) in [(0, 330.0), (1, 680.0)] {
            let project = |point: Vec3| {
                let offset = point - Vec3::new(root.position.x, 0.0, root.position.y);
                // From the left side the character walks to the left; mirrored, to the right.
                let across = if row == 0 { offset.z } else { -offset.x };
                Vec2::new(centre + scale * across, floor - scale * point.y)
            };
            let _ = write!(
                svg,
                "<line x1='{}' x2='{}' y1='{floor}' y2='{floor}' stroke='#bbb'/>",
                centre - spacing / 2.0,
                centre + spacing / 2.0
            );
            draw_figure(&mut svg, human, models, &project);
        }
        let _ = write!(
            svg,
            "<text x='{centre}' y='352' font-size='12' text-anchor='middle'>{frame}</text>"
        );
    }
    draw_angles(&mut svg, human, frames, width);
    svg.push_str("</svg>");
    svg
}

fn draw_figure(
    svg: &mut String,
    human: &Character,
    models: &[Transform],
    project: &dyn Fn(Vec3) -> Vec2,
) {
    let skeleton = &human.skeleton;
    let colour = |name: &str| {
        if name.starts_with("Left") {
            LEFT
        } else if name.starts_with("Right") {
            RIGHT
        } else {
            MIDDLE
        }
    };
    let mut line = |a: Vec3, b: Vec3, stroke: &str, width: f32| {
        let (a, b) = (project(a), project(b));
        let _ = write!(
            svg,
            "<line x1='{:.1}' y1='{:.1}' x2='{:.1}' y2='{:.1}' stroke='{stroke}' stroke-width='{width}' stroke-linecap='round'/>",
            a.x, a.y, b.x, b.y
        );
    };
    for (index, joint) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = joint.parent {
            line(models[parent].translation, models[index].translation, colour(&joint.name), 4.0);
        }
        if let Some(tip) = joint.tip {
            line(
                models[index].translation,
                models[index].transform_point(tip),
                colour(&joint.name),
                3.0,
            );
        }
    }
    for foot in &human.rig.feet {
        let stroke = if foot.name.starts_with("left") { LEFT } else { RIGHT };
        let [heel, ball, tip] =
            [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
        line(models[foot.ankle()].translation, heel, stroke, 3.0);
        line(heel, ball, stroke, 2.0);
        line(ball, tip, stroke, 2.0);
    }
    if let Some(head) = human.rig.head {
        let nose = models[head].transform_point(Vec3::new(0.0, 0.08, 0.11));
        line(models[head].transform_point(Vec3::new(0.0, 0.08, 0.0)), nose, MIDDLE, 3.0);
    }
}

fn draw_angles(svg: &mut String, human: &Character, frames: &[Vec<Transform>], width: f32) {
    let zero = 880.0;
    let _ = write!(svg, "<line x1='0' x2='{width}' y1='{zero}' y2='{zero}' stroke='#bbb'/>");
    for (which, stroke) in [(0, "#2a2"), (1, "#a2a"), (2, "#e90"), (3, "#888")] {
        let mut points = String::new();
        for (frame, models) in frames.iter().enumerate() {
            let a = leg_angles(&human.rig, &human.rig.feet[0], models);
            let angle = [a.hip, a.knee, a.ankle, a.foot][which].to_degrees();
            let x = width * frame as f32 / (frames.len() - 1).max(1) as f32;
            let _ = write!(points, "{x:.1},{:.1} ", zero - 1.5 * angle);
        }
        let _ = write!(
            svg,
            "<polyline points='{points}' fill='none' stroke='{stroke}' stroke-width='2'/>"
        );
    }
}
