//! Prints a hash of what each part of the library makes: the same lines on every machine, whatever its architecture,
//! number of threads or kind of build. `.ci/run` compares them.
//!
//! `cargo run -p andante-testdata --example same_bits`
#![allow(clippy::print_stdout)]

use andante_body::{BalanceOptions, Physique, Push, PushTrial};
use andante_dynamics::{ContactTerrain, PhysicsSettings};
use andante_formats::{Asset, bvh, gltf};
use andante_gait::{GaitProblem, GaitSketch, ProblemOptions, Search, SearchOptions};
use andante_ik::{FullBody, FullBodyOptions, IkTarget, Solver};
use andante_play::archive::fnv1a;
use andante_skeleton::{Transform, humanoid};
use andante_stage::{PlayOptions, Scene, Take, play};
use glam::Vec3;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    show("clips of the built-in repertoire", &repertoire()?);
    show("full-body inverse kinematics", &reach()?);
    show("a push that is recovered from", &push()?);
    show("four steps of a gait search", &search()?);
    for name in ["stairs", "meeting", "pushes"] {
        let take = play(&Scene::built_in(name)?, 1, &PlayOptions::default(), |_| true)?;
        show(&format!("take of the scene {name}"), &take.to_bytes()?);
        show(&format!("the scene {name} as BVH and glTF"), &exported(&take)?);
    }
    Ok(())
}

fn show(what: &str, bytes: &[u8]) {
    println!("{:016x} {:9} bytes  {what}", fnv1a(bytes), bytes.len());
}

fn bits(pose: &[Transform]) -> impl Iterator<Item = u8> {
    let numbers = pose.iter().flat_map(|transform| {
        let [x, y, z, w] = transform.rotation.to_array();
        let [a, b, c] = transform.translation.to_array();
        [x, y, z, w, a, b, c]
    });
    numbers.flat_map(|number| number.to_bits().to_le_bytes())
}

fn repertoire() -> Result<Vec<u8>, Box<dyn Error>> {
    Ok(andante_motion::repertoire::built_in(&humanoid())?.to_bytes())
}

/// Both hands, and where they reach for, on a spiral.
fn reach() -> Result<Vec<u8>, Box<dyn Error>> {
    let human = humanoid();
    let rest = andante_skeleton::Pose::rest(&human.skeleton);
    let rest_models = human.skeleton.rest_models();
    let mut body = FullBody::of_character(&human, FullBodyOptions::default())?;
    let mut bytes = Vec::new();
    for step in 0..40 {
        let turn = step as f32 * 0.4;
        let hand = |side: f32| {
            Vec3::new(0.35 * side, 1.0, 0.4)
                + 0.01 * turn * Vec3::new(turn % 1.0, -turn % 0.7, turn % 1.3)
        };
        let feet = human.rig.feet.iter().map(|foot| rest_models[foot.ankle()].translation);
        let off = IkTarget::position(Vec3::ZERO).weighted(0.0);
        let targets: Vec<IkTarget> =
            feet.chain([hand(1.0), hand(-1.0)]).map(IkTarget::position).chain([off, off]).collect();
        let (mut pose, mut models) = (rest.clone(), rest_models.clone());
        body.solve(&targets, &mut pose, &mut models);
        bytes.extend(bits(&pose));
    }
    Ok(bytes)
}

fn push() -> Result<Vec<u8>, Box<dyn Error>> {
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    let (ground, push) = (ContactTerrain::level(), Push::new(30.0, 0.4));
    let options = BalanceOptions::default();
    let mut trial = PushTrial::new(&physique, ground, options, push, 1.0 / 240.0)?;
    let mut bytes = Vec::new();
    while trial.step(&physique) {
        let state = trial.simulation.state();
        let numbers = state.q.iter().chain(&state.v);
        bytes.extend(numbers.flat_map(|number| number.to_bits().to_le_bytes()));
    }
    Ok(bytes)
}

fn search() -> Result<Vec<u8>, Box<dyn Error>> {
    let sketch = GaitSketch::built_in("basic-run")?;
    let body = andante_body::creature(&sketch.character)?;
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default())?);
    let mut search = Search::new(problem, &SearchOptions::default(), 0)?;
    (0..4).for_each(|_| search.step());
    let best = search.best().ok_or("nothing was tried")?;
    Ok(best.point.iter().flat_map(|number| number.to_bits().to_le_bytes()).collect())
}

fn exported(take: &Take) -> Result<Vec<u8>, Box<dyn Error>> {
    let track = take.tracks.first().ok_or("nobody is there")?;
    let skeleton = &track.character.skeleton;
    let mut bytes =
        bvh::write(skeleton, &track.clip, &bvh::BvhWriteOptions::default()).into_bytes();
    let asset = Asset::new(skeleton.clone(), vec![track.clip.clone()]);
    bytes.extend(gltf::write_glb(&asset, &gltf::GltfWriteOptions::default())?);
    Ok(bytes)
}
