//! Plays a scene, says how well, and draws it from the side, unrolled along the way, and from above.
//!
//! ```text
//! cargo run --release -p andante-stage --example scene_strip -- SCENE OUT.svg [FROM] [TO] [EVERY] [REPERTOIRE]
//! ```
//!
//! Times are in seconds; `EVERY` is the time between two figures.
#![allow(clippy::print_stdout)]

use andante_plan::steps::{StepOptions, StepPlanner};
use andante_play::repertoire::Repertoire;
use andante_skeleton::model_frames;
use andante_skeleton::{Character, humanoid};
use andante_stage::{CharacterPlan, Scene, SceneGround, plan_character, read_scene_file};
use andante_world::Ground;
use glam::{Vec2, Vec3};
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Pixels per metre.
const SCALE: f32 = 220.0;

/// Left, right.
const COLOURS: [&str; 2] = ["#1f6fd0", "#d0421f"];

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = args.first().ok_or("which scene?")?;
    let scene = match Path::new(name) {
        path if path.exists() => read_scene_file(path)?,
        _ => Scene::built_in(name)?,
    };
    let repertoire = match args.get(5) {
        Some(path) => Repertoire::from_bytes(&std::fs::read(path)?)?,
        None => andante_motion::repertoire::built_in(&humanoid())?,
    };
    let repertoire = Arc::new(repertoire);
    let character = repertoire.character().clone();
    let planner = StepPlanner::new(Arc::clone(&repertoire))?;
    let gap = planner.widest_gap(&StepOptions::default());
    println!("jumps {gap:?} m, ducks to {:.2} m", planner.ducked_height());
    let plan = plan_character(&scene, &scene.characters[0], &character, &repertoire)?;
    println!("{:#?}\n{} prints off", plan.metrics, plan.footprints_off);
    let path: Vec<Vec3> = plan.performance.clip.frames().map(|pose| pose[0].translation).collect();
    let bends = path.windows(3).map(|p| (p[0] - 2.0 * p[1] + p[2]).length());
    let hardest = bends.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    println!("hardest at {:?} s", hardest.map(|(frame, _)| (frame + 1) as f32 / 60.0));
    let ground = SceneGround::new(&scene.ground);
    let mut deepest = (0.0f32, String::new());
    for (frame, models) in
        model_frames(&character.skeleton, &plan.performance.clip).iter().enumerate()
    {
        for (foot, contact) in character.rig.feet.iter().zip(&plan.performance.contacts.feet) {
            let time = plan.performance.clip.frame_time(frame);
            for (name, point) in [("heel", foot.heel), ("ball", foot.ball), ("tip", foot.tip)] {
                let at = point.position(models);
                let floor = ground.height_at(Vec2::new(at.x, at.z)).unwrap_or(f32::NEG_INFINITY);
                if floor - at.y > deepest.0 {
                    let down = [contact.heel_down(time), contact.toe_down(time)];
                    deepest = (
                        floor - at.y,
                        format!("{name} of {} at {time} s, down {down:?}", foot.name),
                    );
                }
            }
        }
    }
    println!("deepest {deepest:?}");
    let number = |index: usize| args.get(index).and_then(|text| text.parse::<f32>().ok());
    let range = [number(2).unwrap_or(0.0), number(3).unwrap_or(plan.performance.seconds())];
    if let Some(path) = args.get(1) {
        let svg = draw(&scene, &character, &plan, range, number(4).unwrap_or(0.25));
        std::fs::write(path, svg)?;
    }
    Ok(())
}

/// Figures where the way has brought them, ground below, ankles and hips as lines.
fn draw(
    scene: &Scene,
    character: &Character,
    plan: &CharacterPlan,
    range: [f32; 2],
    every: f32,
) -> String {
    let clip = &plan.performance.clip;
    let frames = model_frames(&character.skeleton, clip);
    let body = &plan.performance.body;
    let mut ways = vec![0.0f32];
    for pair in body.windows(2) {
        ways.push(ways[ways.len() - 1] + pair[0].position.distance(pair[1].position));
    }
    let frame_at = |time: f32| ((time * clip.fps()) as usize).min(frames.len() - 1);
    let (first, last) = (frame_at(range[0]), frame_at(range[1]));
    let seen = |frame: usize, point: Vec3| {
        let own = body[frame].to_transform().inverse().transform_point(point);
        Vec2::new(ways[frame] + own.z, point.y)
    };
    let mut shapes = String::new();
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    let mut line = |a: Vec2, b: Vec2, colour: &str, width: f32| {
        (low, high) = (low.min(a).min(b), high.max(a).max(b));
        let (a, b) = (SCALE * a, SCALE * b);
        let _ = writeln!(
            shapes,
            "<line x1='{:.1}' y1='{:.1}' x2='{:.1}' y2='{:.1}' stroke='{colour}' stroke-width='{width}' stroke-linecap='round'/>",
            a.x, -a.y, b.x, -b.y
        );
    };
    let ground = SceneGround::new(&scene.ground);
    let below = |frame: usize| {
        let at = frames[frame][character.rig.hips].translation;
        ground.probe(at, 5.0).map(|hit| seen(frame, hit.point))
    };
    for frame in first + 1..=last {
        if let (Some(a), Some(b)) = (below(frame - 1), below(frame)) {
            let corner = Vec2::new(b.x, a.y);
            line(a, corner, "#555", 2.0);
            line(corner, b, "#555", 2.0);
        }
        for (foot, colour) in character.rig.feet.iter().zip(COLOURS) {
            for point in [foot.heel, foot.tip] {
                let at = |frame: usize| seen(frame, point.position(&frames[frame]));
                line(at(frame - 1), at(frame), colour, 0.5);
            }
        }
        let hips = |frame: usize| seen(frame, frames[frame][character.rig.hips].translation);
        line(hips(frame - 1), hips(frame), "#2a2", 1.0);
    }
    let step = (every * clip.fps()).round().max(1.0) as usize;
    for frame in (first..=last).step_by(step) {
        let models = &frames[frame];
        for (index, joint) in character.skeleton.joints().iter().enumerate() {
            let Some(parent) = joint.parent else { continue };
            let side = character.rig.feet.iter().position(|foot| {
                character.skeleton.ancestors(index).any(|above| above == foot.hip())
            });
            let colour = side.map_or("#999", |side| COLOURS[side]);
            let ends = [parent, index].map(|joint| seen(frame, models[joint].translation));
            line(ends[0], ends[1], colour, 2.0);
        }
        for (foot, colour) in character.rig.feet.iter().zip(COLOURS) {
            let sole = [foot.heel, foot.ball, foot.tip].map(|p| seen(frame, p.position(models)));
            line(sole[0], sole[1], colour, 2.0);
            line(sole[1], sole[2], colour, 2.0);
            line(seen(frame, models[foot.ankle()].translation), sole[0], colour, 1.0);
        }
    }
    let (low, size) = (SCALE * (low - 0.1), SCALE * (high - low + 0.2));
    let top = -SCALE * (high.y + 0.1);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{:.0}' height='{:.0}' viewBox='{:.0} {top:.0} {:.0} {:.0}'>\
         <rect x='{:.0}' y='{top:.0}' width='100%' height='100%' fill='#fff'/>\n{shapes}</svg>\n",
        size.x, size.y, low.x, size.x, size.y, low.x
    )
}
