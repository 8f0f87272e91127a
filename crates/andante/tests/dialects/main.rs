//! The same walk and the same run as every tool of the trade would write them: retargeted from each, the pose is the same,
//! or a warning says why it is not. Files are written, and results read, by code that shares nothing with what is tested.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod motion;
mod vendors;

use assert_cmd::Command;
use glam::{DQuat, DVec3};
use motion::Motion;
use serde_json::Value;
use std::path::Path;
use vendors::{Dice, VENDORS, a_pose, bones_along, rename};

/// How far a joint may be off on average, in metres.
const LIMIT: f64 = 0.010;

/// A motion in one dialect: what it is called, how it is to be turned back, and its file.
struct Dialect {
    name: String,
    back: DQuat,
    text: String,
}

const ORDERS: [[usize; 3]; 6] = [[2, 0, 1], [1, 0, 2], [0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]];

/// Z up as Blender and Unreal have it: what faced +Z faces −Y.
fn z_up() -> DQuat {
    DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2)
}

fn plain(motion: &Motion) -> Motion {
    let mut plain = motion.clone();
    for name in ["LHipJoint", "RHipJoint"] {
        plain.without(name);
    }
    plain
}

/// Dialects as the tools are known to write them.
fn known(motion: &Motion) -> Vec<Dialect> {
    let mut dialects = Vec::new();
    let mut add = |name: String, motion: &Motion, order: [usize; 3]| {
        dialects.push(Dialect { name, back: DQuat::IDENTITY, text: motion.bvh(order) });
    };
    for (index, vendor) in VENDORS.iter().enumerate() {
        let mut named = plain(motion);
        let rest = match vendor.name {
            "LaFAN" | "Unreal" | "AdvancedSkeleton" => bones_along(&named, DVec3::X),
            "Biped" => bones_along(&named, DVec3::X),
            "Rigify" => bones_along(&named, DVec3::Y),
            "Unity" | "VRM" | "MikuMikuDance" => a_pose(&named, 0.7, 0.1),
            _ => a_pose(&named, 0.0, 0.0),
        };
        named.rested(&rest);
        rename(&mut named, vendor);
        match vendor.name {
            "Unreal" => {
                named.with_root("root", true);
                for (child, twist) in [("lowerarm_l", "upperarm_twist_01_l"), ("calf_r", "thigh_twist_01_r")] {
                    let child = named.find(child).unwrap();
                    named.with_joint_on(child, 0.5, twist, false);
                }
            }
            "Biped" => named.with_root("Bip01_Root", false),
            "Mixamo" | "Rokoko" => named.with_leaves("_End"),
            _ => {}
        }
        if matches!(vendor.name, "Rigify" | "Biped" | "Unreal") {
            named.described(z_up());
        }
        named.scaled([100.0, 1.0, 1000.0, 39.37][index % 4]);
        add(vendor.name.into(), &named, ORDERS[index % 6]);
    }
    for (name, axis) in [("X", DVec3::X), ("Y", DVec3::Y), ("Z", DVec3::Z), ("-X", DVec3::NEG_X)] {
        for names in [true, false] {
            let mut turned = plain(motion);
            turned.rested(&bones_along(&turned, axis));
            if !names {
                nameless(&mut turned);
            }
            add(format!("bones along {name}{}", if names { "" } else { ", nameless" }), &turned, ORDERS[0]);
        }
    }
    let mut bare = plain(motion);
    nameless(&mut bare);
    add("nameless".into(), &bare, ORDERS[1]);
    bare.described(z_up());
    add("nameless, Z up".into(), &bare, ORDERS[2]);
    dialects
}

fn nameless(motion: &mut Motion) {
    for (index, node) in motion.nodes.iter_mut().enumerate() {
        node.name = format!("joint{index}");
    }
}

/// A dialect that nobody has thought of.
fn drawn(motion: &Motion, seed: u64) -> Dialect {
    let mut dice = Dice(seed);
    (0..3).for_each(|_| drop(dice.below(2)));
    let mut made = plain(motion);
    let (rest, turns) = dice.rest(&made);
    let vendor = dice.below(VENDORS.len() + 3);
    made.rested(&turns);
    let mut name = rest;
    match VENDORS.get(vendor) {
        Some(vendor) => {
            rename(&mut made, vendor);
            name += &format!(", {}", vendor.name);
        }
        None => {
            nameless(&mut made);
            name += ", nameless";
        }
    }
    if dice.below(3) == 0 {
        let trunk: Vec<usize> = made.children(0).collect();
        made.with_joint_on(trunk[0], 0.4, "more", true);
        name += ", a joint more";
    }
    if dice.below(3) == 0 {
        made.with_leaves("_end");
        name += ", leaves";
    }
    if dice.below(3) == 0 {
        let follows = dice.below(2) == 0;
        made.with_root("root", follows);
        name += if follows { ", a root that follows" } else { ", a root" };
    }
    let facing = DQuat::from_rotation_y([0.0, 1.0, 2.5, -1.6][dice.below(4)]);
    made.turned(facing);
    if dice.below(3) == 0 {
        made.described(z_up());
        name += ", Z up";
    }
    let (unit, scale) = [("m", 1.0), ("cm", 100.0), ("mm", 1000.0), ("inch", 39.37)][dice.below(4)];
    made.scaled(scale);
    let order = ORDERS[dice.below(6)];
    Dialect { name: format!("{seed}: {name}, {unit}, {order:?}"), back: facing.inverse(), text: made.bvh(order) }
}

/// Retargets a file with the command, and reads what it wrote.
fn retargeted(text: &str, folder: &Path) -> (Option<Motion>, Vec<String>) {
    let (input, output) = (folder.join("in.bvh"), folder.join("out.bvh"));
    std::fs::write(&input, text).unwrap();
    let _ = std::fs::remove_file(&output);
    let arguments = ["retarget", input.to_str().unwrap(), "--to", "humanoid", output.to_str().unwrap(), "--json"];
    let run = Command::cargo_bin("andante").unwrap().args(arguments).output().unwrap();
    let report: Value = serde_json::from_slice(&run.stdout).unwrap();
    let list = report["warnings"].as_array().cloned().unwrap_or_default();
    let mut warnings: Vec<String> = list.iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    if !run.status.success() {
        warnings.push(format!("refused: {}", report["error"]));
    }
    (std::fs::read_to_string(&output).ok().map(|text| Motion::parse(&text)), warnings)
}

/// Mean distance of the joints from where they should be, seen from the hips; and how far the hips stray from their way.
fn difference(found: &Motion, expected: &Motion, back: DQuat) -> (f64, f64) {
    assert_eq!(found.frames.len(), expected.frames.len());
    let (mut pose, mut way, mut count) = (0.0, 0.0, 0.0);
    for (a, b) in found.frames.iter().zip(&expected.frames) {
        for (x, y) in a.iter().zip(b) {
            pose += (back * (x.1 - a[0].1)).distance(y.1 - b[0].1);
            count += 1.0;
        }
        let walked = |motion: &Motion, frame: &[(DQuat, DVec3)]| frame[0].1 - motion.frames[0][0].1;
        way += (back * walked(found, a)).distance(walked(expected, b)) / found.frames.len() as f64;
    }
    (pose / count, way)
}

/// The walk and the run of our own, and captured ones where they are here, about three seconds of each.
fn motions() -> Vec<(&'static str, Motion)> {
    let read = |path: &Path, scale: f64, skip: usize| {
        let mut motion = Motion::parse(&std::fs::read_to_string(path).unwrap());
        motion.scaled(scale);
        motion.frames.drain(..skip);
        motion.frames.truncate((3.0 / motion.frame_time) as usize);
        motion
    };
    let mut found = vec![
        ("walk", read(&andante_testdata::own("walk_metres.bvh"), 1.0, 0)),
        ("run", read(&andante_testdata::own("run_centimetres.bvh"), 0.01, 0)),
    ];
    for (name, path) in [("captured walk", "cmu/16/16_15.bvh"), ("captured jog", "cmu/16/16_35.bvh")] {
        if let Some(path) = andante_testdata::mocap(path) {
            found.push((name, read(&path, 0.056444, 1)));
        }
    }
    found
}

/// What is said of files that are off by more than the limit; what is silent is counted.
fn judge(dialects: impl Fn(&Motion) -> Vec<Dialect>) {
    let folder = tempfile::tempdir().unwrap();
    let (mut silent, mut said, mut count) = (Vec::new(), Vec::new(), 0);
    for (what, motion) in motions() {
        let (reference, warnings) = retargeted(&motion.bvh([2, 1, 0]), folder.path());
        let reference = reference.unwrap_or_else(|| panic!("{what}: {warnings:?}"));
        for dialect in dialects(&motion) {
            count += 1;
            let (result, mut warnings) = retargeted(&dialect.text, folder.path());
            let (pose, way) = match &result {
                Some(result) => difference(result, &reference, dialect.back),
                None => (f64::INFINITY, f64::INFINITY),
            };
            if std::env::var_os("ANDANTE_DIALECTS").is_some() {
                eprintln!("{what:14} {:60} {:6.1} {:6.1} mm {warnings:?}", dialect.name, 1e3 * pose, 1e3 * way);
                let name = format!("{what} {}.bvh", dialect.name).replace(['/', ' ', ',', ':'], "_");
                let _ = std::fs::write(Path::new(&std::env::var_os("ANDANTE_DIALECTS").unwrap()).join(name), &dialect.text);
            }
            warnings.retain(|text| !text.contains("taken for"));
            let line = format!("{what}, {}: {:.1} mm, way {:.1} mm {warnings:?}", dialect.name, 1e3 * pose, 1e3 * way);
            if pose > LIMIT || way > 2.0 * LIMIT {
                if warnings.is_empty() { silent.push(line) } else { said.push(line) }
            }
        }
    }
    assert!(silent.is_empty(), "{} of {count} wrong in silence:\n{}", silent.len(), silent.join("\n"));
    // What a warning excuses is an exception.
    assert!(said.len() * 10 <= count, "{} of {count} with a warning:\n{}", said.len(), said.join("\n"));
}

#[test]
fn what_the_tools_of_the_trade_write_is_retargeted_to_the_same_pose() {
    judge(known);
}

#[test]
fn what_nobody_has_thought_of_is_retargeted_to_the_same_pose_or_said() {
    judge(|motion| (0..30).map(|seed| drawn(motion, seed)).collect());
}
