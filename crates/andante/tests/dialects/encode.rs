//! The same motion in many dialects.

use crate::motion::Motion;
use crate::vendors::{Dice, VENDORS, a_pose, bones_along, rename, role};
use glam::{DQuat, DVec3};

/// A motion in one dialect: what it is called, how it is to be turned back, and its file.
pub struct Dialect {
    pub name: String,
    pub back: DQuat,
    pub text: String,
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
pub fn known(motion: &Motion) -> Vec<Dialect> {
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
                for (child, twist) in
                    [("lowerarm_l", "upperarm_twist_01_l"), ("calf_r", "thigh_twist_01_r")]
                {
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
            add(
                format!("bones along {name}{}", if names { "" } else { ", nameless" }),
                &turned,
                ORDERS[0],
            );
        }
    }
    let mut bare = plain(motion);
    nameless(&mut bare);
    add("nameless".into(), &bare, ORDERS[1]);
    bare.described(z_up());
    add("nameless, Z up".into(), &bare, ORDERS[2]);
    dialects
}

pub fn nameless(motion: &mut Motion) {
    for (index, node) in motion.nodes.iter_mut().enumerate() {
        node.name = format!("joint{index}");
    }
}

/// A dialect that nobody has thought of.
pub fn drawn(motion: &Motion, seed: u64) -> Dialect {
    let mut dice = Dice(seed);
    for _ in 0..3 {
        dice.below(2);
    }
    let mut made = plain(motion);
    let is_trunk = |child: &usize| role(&made.nodes[*child].name).1.is_empty();
    let first = made.children(0).find(is_trunk).unwrap();
    let trunk = made.children(first).next().unwrap();
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
        made.with_joint_on(trunk, 0.4, "more", true);
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
    Dialect {
        name: format!("{seed}: {name}, {unit}, {order:?}"),
        back: facing.inverse(),
        text: made.bvh(order),
    }
}
