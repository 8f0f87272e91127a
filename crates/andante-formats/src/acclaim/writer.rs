//! A skeleton and clips as `.asf` and `.amc` files.

use crate::RotationOrder;
use crate::aligned::{AlignedRest, translating_joints};
use crate::text::{UniqueNames, write_numbers};
use andante_skeleton::{Clip, Skeleton};
use glam::DVec3;
use std::fmt::Write;

andante_skeleton::settings! {
    /// The layout of written Acclaim files. A skeleton file and the motions for it must be written with the same options.
    pub struct AcclaimWriteOptions {
        /// The `length` of the file's `:units`: numbers are inches times this. 0.45, as in the Carnegie
        /// Mellon database, is what most programs expect. Anything that is not a positive number counts as
        /// 0.45.
        length_unit: f64 = 0.45, 0.0..;
        /// Joints, besides the root, that move relative to their parents: their bones get translations. The
        /// movement of others is not written. [`AcclaimWriteOptions::with_translations_of`] fills this in.
        translating: Vec<usize> = Vec::new();
        /// Digits after the point of lengths, angles in degrees and directions: 8 are a hundredth of a micrometre at a
        /// metre's distance.
        digits: usize = 8, 0..=15;
    }
}

impl AcclaimWriteOptions {
    /// Adds the joints that the clip moves relative to their parents.
    ///
    /// # Panics
    /// If the clip has another number of joints than the skeleton.
    pub fn with_translations_of(mut self, skeleton: &Skeleton, clip: &Clip) -> Self {
        let mut moved = translating_joints(skeleton, clip);
        for &joint in self.translating.iter().filter(|&&joint| joint < skeleton.len()) {
            moved[joint] = true;
        }
        self.translating = (1..moved.len()).filter(|&joint| moved[joint]).collect();
        self
    }

    /// Units of the file per metre.
    fn scale(&self) -> f64 {
        self.length_unit() / 0.0254
    }

    fn digits(&self) -> usize {
        self.digits.min(15)
    }

    fn length_unit(&self) -> f64 {
        let unit = self.length_unit;
        if unit.is_finite() && unit > 0.0 { unit } else { Self::default().length_unit }
    }
}

/// The two files of a motion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsfAmc {
    /// The skeleton.
    pub asf: String,
    /// The motion.
    pub amc: String,
}

/// Writes a skeleton and one clip. For several clips of one skeleton see [`write_asf`] and
/// [`write_amc`].
///
/// # Panics
/// If the clip has another number of joints than the skeleton.
pub fn write(skeleton: &Skeleton, clip: &Clip, options: &AcclaimWriteOptions) -> AsfAmc {
    let options = options.clone().with_translations_of(skeleton, clip);
    AsfAmc { asf: write_asf(skeleton, &options), amc: write_amc(skeleton, clip, &options) }
}

/// Writes a skeleton file whose bones start where the joints are.
///
/// A bone ends where its children start. Where the children of a joint start at different places, the
/// joint's own bone has no length, and a bone without degrees of freedom, named after the child with
/// `_offset` added, leads to each child. The root is called `root`, as the format wants it; names lose
/// white space and what else the format gives a meaning to. Rest rotations are expressed as in
/// [`bvh::write`](crate::bvh::write()). The tip of a joint that has children is not written.
pub fn write_asf(skeleton: &Skeleton, options: &AcclaimWriteOptions) -> String {
    let layout = BoneLayout::new(skeleton, options);
    let mut out = String::from(":version 1.10\n:name ANDANTE\n");
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        ":units\n  mass 1.0\n  length {}\n  angle deg\n:documentation\n  Written by Andante.\n",
        options.length_unit()
    );
    out.push_str(":root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position");
    write_numbers(&mut out, (layout.rest.offset(0) * options.scale()).to_array(), options.digits());
    out.push_str("\n  orientation 0 0 0\n:bonedata\n");
    for (index, bone) in layout.bones.iter().enumerate() {
        let length = bone.vector.length();
        let direction = if length > 0.0 { bone.vector / length } else { DVec3::Y };
        let _ = write!(out, "  begin\n    id {}\n    name {}\n    direction", index + 1, bone.name);
        write_numbers(&mut out, direction.to_array(), options.digits());
        out.push_str("\n    length");
        write_numbers(&mut out, [length * options.scale()], options.digits());
        out.push_str("\n    axis 0 0 0 XYZ\n");
        if let Some(joint) = bone.joint {
            let translation = if layout.translates[joint] { " tx ty tz" } else { "" };
            let _ = writeln!(out, "    dof{translation} rx ry rz");
        }
        out.push_str("  end\n");
    }
    out.push_str(":hierarchy\n  begin\n");
    for (parent, children) in layout.children().iter().enumerate() {
        if children.is_empty() {
            continue;
        }
        let name = if parent == 0 { "root" } else { &layout.bones[parent - 1].name };
        let _ = write!(out, "    {name}");
        for &child in children {
            let _ = write!(out, " {}", layout.bones[child].name);
        }
        out.push('\n');
    }
    out.push_str("  end\n");
    out
}

/// Writes a motion for the file that [`write_asf`] makes of the same skeleton with the same options.
/// The frame rate is written where it is not the 120 that readers assume.
///
/// # Panics
/// If the clip has another number of joints than the skeleton.
pub fn write_amc(skeleton: &Skeleton, clip: &Clip, options: &AcclaimWriteOptions) -> String {
    assert_eq!(clip.joint_count(), skeleton.len(), "the clip is one of another skeleton");
    let layout = BoneLayout::new(skeleton, options);
    let mut out = String::with_capacity(clip.transforms().len() * 45);
    if clip.fps() != 120.0 {
        let _ = writeln!(out, ":SAMPLES-PER-SECOND {}", clip.fps());
    }
    out.push_str(":FULLY-SPECIFIED\n:DEGREES\n");
    // The root, and every bone that stands for a joint.
    let bones = layout.bones.iter().filter_map(|bone| Some((bone.name.as_str(), bone.joint?)));
    let lines: Vec<(&str, usize)> = std::iter::once(("root", 0)).chain(bones).collect();
    let mut before = vec![[0.0; 3]; skeleton.len()];
    for (number, frame) in clip.frames().enumerate() {
        let _ = writeln!(out, "{}", number + 1);
        for &(name, joint) in &lines {
            out.push_str(name);
            let local = frame[joint];
            if layout.translates[joint] {
                // The root's translation is its position; a bone's is that from its place at rest.
                let rest = if joint == 0 { DVec3::ZERO } else { layout.rest.offset(joint) };
                let moved = layout.rest.translation(joint, local.translation) - rest;
                write_numbers(&mut out, (moved * options.scale()).to_array(), options.digits());
            }
            // Rz·Ry·Rx, listed from the right.
            let rotation = layout.rest.rotation(joint, local.rotation);
            before[joint] = RotationOrder::Zyx.angles(rotation, before[joint]);
            let angles = before[joint].iter().rev().map(|angle| angle.to_degrees());
            write_numbers(&mut out, angles, options.digits());
            out.push('\n');
        }
    }
    out
}

/// The bones that stand for a skeleton.
struct BoneLayout {
    rest: AlignedRest,
    /// Per joint.
    translates: Vec<bool>,
    /// Parents first.
    bones: Vec<OutBone>,
}

struct OutBone {
    name: String,
    /// From its start to its end, in metres.
    vector: DVec3,
    /// The joint at its start; `None` for a bone that only bridges a gap.
    joint: Option<usize>,
    /// Index of the parent plus 1; 0 for the root.
    parent: usize,
}

impl BoneLayout {
    fn new(skeleton: &Skeleton, options: &AcclaimWriteOptions) -> Self {
        let rest = AlignedRest::new(skeleton);
        let count = skeleton.len();
        let mut translates = vec![false; count];
        translates[0] = true;
        for &joint in options.translating.iter().filter(|&&joint| joint < count) {
            translates[joint] = true;
        }
        let ends = bone_vectors(skeleton, &rest);
        let mut names = UniqueNames::default();
        names.claim("root".into());
        let joint_names: Vec<String> = (0..count)
            .map(|joint| match joint {
                0 => "root".into(),
                _ => names.claim(safe_name(&skeleton.joint(joint).name)),
            })
            .collect();
        let mut bones: Vec<OutBone> = Vec::with_capacity(count);
        // Per joint, its bone's index plus 1.
        let mut bone_of_joint = vec![0; count];
        for joint in 1..count {
            let parent_joint = skeleton.parent(joint).unwrap_or(0);
            let mut parent = bone_of_joint[parent_joint];
            let gap = rest.offset(joint) - ends[parent_joint];
            if gap != DVec3::ZERO {
                let name = names.claim(format!("{}_offset", joint_names[joint]));
                bones.push(OutBone { name, vector: gap, joint: None, parent });
                parent = bones.len();
            }
            let name = joint_names[joint].clone();
            bones.push(OutBone { name, vector: ends[joint], joint: Some(joint), parent });
            bone_of_joint[joint] = bones.len();
        }
        Self { rest, translates, bones }
    }

    /// The bones that hang on the root, then those that hang on each bone.
    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.bones.len() + 1];
        for (index, bone) in self.bones.iter().enumerate() {
            children[bone.parent].push(index);
        }
        children
    }
}

/// Where the bone of each joint ends: at its children if they all start at one place, at the tip if
/// there are none, and otherwise where it starts. The root has no length.
fn bone_vectors(skeleton: &Skeleton, rest: &AlignedRest) -> Vec<DVec3> {
    let mut ends: Vec<Option<DVec3>> = vec![None; skeleton.len()];
    for joint in 1..skeleton.len() {
        let parent = skeleton.parent(joint).unwrap_or(0);
        let offset = rest.offset(joint);
        ends[parent] = match ends[parent] {
            Some(end) if end != offset => Some(DVec3::ZERO),
            _ => Some(offset),
        };
    }
    let tip = |joint: usize| skeleton.joint(joint).tip.map(|tip| rest.tip(joint, tip));
    let end = |(joint, end): (usize, Option<DVec3>)| match joint {
        0 => DVec3::ZERO,
        _ => end.or_else(|| tip(joint)).unwrap_or(DVec3::ZERO),
    };
    ends.into_iter().enumerate().map(end).collect()
}

/// A name that is one word of the format, and not a number or keyword.
fn safe_name(name: &str) -> String {
    let bad = |char: char| char.is_whitespace() || char.is_control() || "(),#:".contains(char);
    let safe: String = name.chars().map(|char| if bad(char) { '_' } else { char }).collect();
    let word = ["root", "begin", "end"].iter().any(|word| safe.eq_ignore_ascii_case(word));
    if safe.is_empty()
        || word
        || safe.starts_with(|char: char| char.is_ascii_digit() || "+-".contains(char))
    {
        return format!("bone_{safe}");
    }
    safe
}
