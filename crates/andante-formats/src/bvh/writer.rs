//! A skeleton and a clip as a BVH file.

use crate::RotationOrder;
use crate::aligned::{AlignedRest, translating_joints};
use crate::text::{UniqueNames, write_numbers};
use andante_skeleton::{Clip, Skeleton, Transform};
use glam::DVec3;
use std::fmt::Write;

andante_skeleton::settings! {
    /// The layout of a written BVH file.
    pub struct BvhWriteOptions {
        /// Order of the rotation channels of every joint. Z, Y, X is the most common one.
        order: RotationOrder = RotationOrder::default();
        /// Order of the root's, if it is another. With Y first the way a character faces is a channel of its own that
        /// neither winds nor jumps, however often it turns round.
        root_order: Option<RotationOrder> = None;
        /// Units of the file per metre: 1 writes metres, 100 centimetres. Anything that is not a positive
        /// number counts as 1.
        scale: f32 = 1.0, 0.0..;
        /// Digits after the point of an angle in degrees: 6 are a hundredth of a micrometre at a metre's distance.
        angle_digits: usize = 6, 0..=15;
    }
}

/// Writes a clip as a BVH file whose joints are where the clip puts them.
///
/// BVH knows no rest rotations: every joint's frame is parallel to the world's at rest. Offsets and
/// rotations are expressed in such frames, so that positions are kept, at rest and in every frame, while
/// rest rotations are not. The root gets position channels, as does every joint that the clip moves
/// relative to its parent.
///
/// Names keep their spaces. Line breaks, braces and white space at either end, which would not be read
/// back, become `_`.
///
/// # Panics
/// If the clip is not one of this skeleton: if it has another number of joints.
pub fn write(skeleton: &Skeleton, clip: &Clip, options: &BvhWriteOptions) -> String {
    let scale = if options.scale.is_finite() && options.scale > 0.0 { options.scale } else { 1.0 };
    let scale = f64::from(scale);
    let writer = Writer {
        skeleton,
        rest: AlignedRest::new(skeleton),
        translates: translating_joints(skeleton, clip),
        order: options.order,
        root_order: options.root_order.unwrap_or(options.order),
        scale,
        angle_digits: options.angle_digits.min(15),
    };
    let mut out = String::with_capacity(clip.transforms().len() * 36 + skeleton.len() * 200);
    writer.hierarchy(&mut out);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "MOTION\nFrames: {}\nFrame Time: {}\n",
        clip.frame_count(),
        1.0 / f64::from(clip.fps())
    );
    writer.frames(clip, &mut out);
    out
}

struct Writer<'a> {
    skeleton: &'a Skeleton,
    rest: AlignedRest,
    translates: Vec<bool>,
    order: RotationOrder,
    root_order: RotationOrder,
    scale: f64,
    angle_digits: usize,
}

impl Writer<'_> {
    fn order(&self, joint: usize) -> RotationOrder {
        if joint == 0 { self.root_order } else { self.order }
    }

    fn hierarchy(&self, out: &mut String) {
        out.push_str("HIERARCHY\n");
        let mut names = UniqueNames::default();
        // Joints that are open, the innermost last: the parents of the joint to come.
        let mut open: Vec<usize> = Vec::new();
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            while let Some(&last) = open.last()
                && joint.parent != Some(last)
            {
                open.pop();
                indent(out, open.len());
                out.push_str("}\n");
            }
            let depth = open.len();
            indent(out, depth);
            out.push_str(if index == 0 { "ROOT " } else { "JOINT " });
            out.push_str(&names.claim(safe_name(&joint.name, index)));
            out.push('\n');
            self.open_block(out, depth, self.rest.offset(index));
            self.channels(out, depth + 1, index);
            if let Some(tip) = joint.tip {
                indent(out, depth + 1);
                out.push_str("End Site\n");
                self.open_block(out, depth + 1, self.rest.tip(index, tip));
                indent(out, depth + 1);
                out.push_str("}\n");
            }
            open.push(index);
        }
        while open.pop().is_some() {
            indent(out, open.len());
            out.push_str("}\n");
        }
    }

    /// The opening brace and the offset.
    fn open_block(&self, out: &mut String, depth: usize, offset: DVec3) {
        indent(out, depth);
        out.push_str("{\n");
        indent(out, depth + 1);
        out.push_str("OFFSET");
        self.position(out, offset);
        out.push('\n');
    }

    fn channels(&self, out: &mut String, depth: usize, joint: usize) {
        indent(out, depth);
        out.push_str(if self.translates[joint] {
            "CHANNELS 6 Xposition Yposition Zposition"
        } else {
            "CHANNELS 3"
        });
        for axis in self.order(joint).axes() {
            out.push_str([" Xrotation", " Yrotation", " Zrotation"][axis]);
        }
        out.push('\n');
    }

    fn position(&self, out: &mut String, position: DVec3) {
        // A micrometre, whatever the unit.
        let digits = (6.0 - libm::log10(self.scale).floor()).clamp(0.0, 15.0) as usize;
        write_numbers(out, (position * self.scale).to_array(), digits);
    }

    fn frames(&self, clip: &Clip, out: &mut String) {
        // The angles of each joint in the frame before, and where they were written.
        let mut before = vec![([0.0; 3], 0..0); self.skeleton.len()];
        let mut turned: Option<&[Transform]> = None;
        let mut same = String::new();
        for frame in clip.frames() {
            let start = out.len();
            for (joint, local) in frame.iter().enumerate() {
                if self.translates[joint] {
                    self.position(out, self.rest.translation(joint, local.translation));
                }
                let (angles, written) = &mut before[joint];
                let from = out.len();
                // What has not turned has the angles that it had; many fingers never turn.
                let is_same = |turned: &[Transform]| turned[joint].rotation == local.rotation;
                if joint > 0 && turned.is_some_and(is_same) {
                    same.clear();
                    same.push_str(&out[written.clone()]);
                    out.push_str(&same);
                } else {
                    let rotation = self.rest.rotation(joint, local.rotation);
                    *angles = self.order(joint).angles(rotation, *angles);
                    write_numbers(out, angles.map(f64::to_degrees), self.angle_digits);
                }
                *written = from..out.len();
            }
            // Every value brought a space with it; the line begins without one.
            out.remove(start);
            for (_, written) in &mut before[1..] {
                *written = written.start - 1..written.end - 1;
            }
            out.push('\n');
            turned = Some(frame);
        }
    }
}

fn indent(out: &mut String, depth: usize) {
    /// Deeper levels are not indented further: a long chain of joints would be all tabs.
    const DEEPEST: usize = 40;
    out.extend(std::iter::repeat_n('\t', depth.min(DEEPEST)));
}

/// A name that is read back as it was written.
fn safe_name(name: &str, index: usize) -> String {
    if name.is_empty() {
        return format!("joint_{index}");
    }
    let last = name.chars().count() - 1;
    let safe = |(at, char): (usize, char)| {
        let edge = at == 0 || at == last;
        let bad = (char.is_control() && char != '\t') || (char.is_whitespace() && edge);
        if bad || char == '{' || char == '}' { '_' } else { char }
    };
    name.chars().enumerate().map(safe).collect()
}
