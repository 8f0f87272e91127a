//! Writes the small files of `data/`, which tests read: `cargo run -p andante-testdata --example write_data [DIRECTORY]`.
//!
//! Everything is synthesised: clips of the built-in human in the dialects of several programs, and a four-legged animal
//! whose joints are called otherwise. The same bytes come out each time.
#![allow(clippy::expect_used)]
#![allow(clippy::print_stdout)]

use andante_formats::bvh::BvhWriteOptions;
use andante_formats::gltf::{GltfBody, GltfWriteOptions, write_glb};
use andante_formats::{Asset, RotationOrder, acclaim, bvh};
use andante_motion::edit::{self, JoinOptions};
use andante_motion::synth;
use andante_skeleton::{Character, Clip, Joint, Skeleton, Transform, humanoid, light_capsule_body};
use glam::{Quat, Vec3};
use std::f32::consts::TAU;
use std::path::PathBuf;

fn main() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| beside.to_owned()));
    for (name, bytes) in files() {
        println!("{name}: {} bytes", bytes.len());
        std::fs::write(directory.join(name), bytes).expect("a directory that can be written to");
    }
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let human = humanoid();
    let pair = acclaim::write(
        &human.skeleton,
        &sampled(&human, "jump-long", 1, 120.0),
        &acclaim::AcclaimWriteOptions::default(),
    );
    vec![
        ("walk_metres.bvh", walk_in_metres(&human).into_bytes()),
        ("run_centimetres.bvh", run_in_centimetres(&human).into_bytes()),
        ("turn_z_up.bvh", turn_with_z_up(&human).into_bytes()),
        ("leap.asf", pair.asf.into_bytes()),
        ("leap.amc", pair.amc.into_bytes()),
        ("walker.glb", walker(&human)),
        ("four_legs.glb", four_legs()),
    ]
}

/// A built-in clip, so many times over.
fn sampled(human: &Character, name: &str, rounds: usize, fps: f32) -> Clip {
    let once = synth::clip(human, name).expect("a built-in clip").clip;
    let exact = JoinOptions { align: true, fade: 0.0 };
    let all = (1..rounds).fold(once.clone(), |all, _| {
        edit::concatenate(&human.skeleton, &all, &once, &exact).expect("clips of one skeleton")
    });
    edit::resampled(&human.skeleton, &all, fps).expect("a positive rate")
}

/// The plainest dialect: metres, Y up, one line per frame.
fn walk_in_metres(human: &Character) -> String {
    bvh::write(&human.skeleton, &sampled(human, "walk", 3, 30.0), &BvhWriteOptions::default())
}

/// As capture systems export: centimetres, the T-pose in the first frame, lines that end with CR and LF.
fn run_in_centimetres(human: &Character) -> String {
    let clip = sampled(human, "run", 3, 60.0);
    let rest = human.skeleton.joints().iter().map(|joint| joint.rest);
    let transforms = rest.chain(clip.transforms().iter().copied()).collect();
    let clip = Clip::new("run", &human.skeleton, clip.fps(), transforms).expect("whole frames");
    let order = RotationOrder::ALL.into_iter().find(|order| order.axes() == [2, 0, 1]);
    let options =
        BvhWriteOptions { order: order.expect("Z, X, Y"), scale: 100.0, ..Default::default() };
    bvh::write(&human.skeleton, &clip, &options).replace('\n', "\r\n")
}

/// As Blender exports: Z up, facing −Y, names with the side at their end.
fn turn_with_z_up(human: &Character) -> String {
    let clip = sampled(human, "turn-left-90", 1, 30.0);
    let point = |p: Vec3| Vec3::new(p.x, -p.z, p.y);
    let turned = |t: &Transform| {
        let [x, y, z, w] = t.rotation.to_array();
        Transform::new(Quat::from_xyzw(x, -z, y, w), point(t.translation))
    };
    let renamed = |name: &str| match name {
        "Hips" => "pelvis".to_owned(),
        _ => match (name.strip_prefix("Left"), name.strip_prefix("Right")) {
            (Some(part), _) => format!("{part}.L"),
            (_, Some(part)) => format!("{part}.R"),
            _ => name.to_owned(),
        },
    };
    let joints = human.skeleton.joints().iter().map(|joint| Joint {
        name: renamed(&joint.name),
        rest: turned(&joint.rest),
        tip: joint.tip.map(point),
        ..joint.clone()
    });
    let skeleton = Skeleton::new(joints.collect()).expect("the same tree");
    let frames = clip.transforms().iter().map(turned).collect();
    let clip = Clip::new("turn", &skeleton, clip.fps(), frames).expect("whole frames");
    let order = RotationOrder::ALL.into_iter().find(|order| order.axes() == [0, 1, 2]);
    let options =
        BvhWriteOptions { order: order.expect("X, Y, Z"), scale: 1.0, ..Default::default() };
    bvh::write(&skeleton, &clip, &options)
}

/// A skinned human with several clips.
fn walker(human: &Character) -> Vec<u8> {
    let clips = ["stand", "walk", "run", "turn-right-45"];
    let clips = clips.map(|name| sampled(human, name, 1, 30.0).renamed(name)).into();
    let mut asset = Asset::new(human.skeleton.clone(), clips);
    asset.mesh = Some(light_capsule_body(&human.skeleton));
    write_glb(&asset, &GltfWriteOptions::default()).expect("a mesh that fits")
}

/// An animal that walks in place, with joints whose names say little.
fn four_legs() -> Vec<u8> {
    let at = Vec3::new;
    let mut joints = vec![Joint::new("root", None, at(0.0, 0.6, 0.0))];
    let mut add = |name: String, parent: usize, offset: Vec3| {
        joints.push(Joint::new(name, Some(parent), offset));
        joints.len() - 1
    };
    let mut legs = Vec::new();
    let mut leg =
        |add: &mut dyn FnMut(String, usize, Vec3) -> usize, name: &str, above, hip, phase| {
            let upper = add(format!("{name}_1"), above, hip);
            let lower = add(format!("{name}_2"), upper, at(0.0, -0.27, 0.03));
            let paw = add(format!("{name}_3"), lower, at(0.0, -0.27, -0.03));
            add(format!("{name}_4"), paw, at(0.0, -0.04, 0.08));
            legs.push((upper, phase));
        };
    leg(&mut add, "hind_l", 0, at(0.1, 0.0, 0.0), 0.0);
    leg(&mut add, "hind_r", 0, at(-0.1, 0.0, 0.0), 0.5);
    let trunk = add("trunk".into(), 0, at(0.0, 0.02, 0.35));
    let withers = add("withers".into(), trunk, at(0.0, 0.0, 0.3));
    leg(&mut add, "fore_l", withers, at(0.1, -0.02, 0.0), 0.25);
    leg(&mut add, "fore_r", withers, at(-0.1, -0.02, 0.0), 0.75);
    let neck = add("neck".into(), withers, at(0.0, 0.15, 0.12));
    let head = add("skull".into(), neck, at(0.0, 0.12, 0.1));
    joints[head].tip = Some(at(0.0, -0.02, 0.2));
    let skeleton = Skeleton::new(joints).expect("a tree");
    let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    const FRAMES: usize = 25;
    let mut frames = Vec::new();
    for frame in 0..=FRAMES {
        let start = frames.len();
        frames.extend_from_slice(&rest);
        for &(upper, phase) in &legs {
            let turn = TAU * (frame as f32 / FRAMES as f32 + phase);
            let lift = turn.sin().max(0.0);
            let swing = 0.35 * turn.cos();
            frames[start + upper].rotation = Quat::from_rotation_x(swing - 0.5 * lift);
            frames[start + upper + 1].rotation = Quat::from_rotation_x(1.0 * lift);
            frames[start + upper + 2].rotation = Quat::from_rotation_x(-swing - 0.5 * lift);
        }
    }
    let clip = Clip::new("amble", &skeleton, 25.0, frames).expect("whole frames");
    let joints_alone = GltfWriteOptions { body: GltfBody::None, ..Default::default() };
    write_glb(&Asset::new(skeleton, vec![clip]), &joints_alone).expect("a clip that fits")
}
