//! The run-time form of a clip: a quarter of the memory, sampled in a straight line.

use crate::clip::FramePosition;
use crate::{Clip, ClipError, Transform, Wrap};
use glam::{Quat, Vec3, Vec4};
use std::ops::Range;

/// Quaternion components are stored as 16-bit fractions of this number.
const ONE: f32 = i16::MAX as f32;

/// A clip as crowds play it. Joints that do not move are stored once; rotations take eight bytes a
/// frame, translations twelve and only where a joint moves. Immutable and shared by any number of
/// characters.
///
/// Rounding a rotation costs at most 6·10⁻⁵ rad: a tenth of a millimetre at the end of a leg.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactClip {
    name: String,
    fps: f32,
    frames: usize,
    /// The pose of everything that does not move.
    still: Vec<Transform>,
    /// Joints whose rotation changes, in order.
    turning: Vec<u16>,
    /// Joints whose translation changes, in order.
    moving: Vec<u16>,
    /// Frame after frame, one entry for each of `turning`.
    rotations: Vec<[i16; 4]>,
    /// Frame after frame, one entry for each of `moving`.
    translations: Vec<Vec3>,
}

/// The parts of a [`CompactClip`], for files that keep it as it is.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CompactParts {
    /// Name of the clip.
    pub name: String,
    /// Frames per second.
    pub fps: f32,
    /// Number of frames.
    pub frames: usize,
    /// The pose of everything that does not move.
    pub still: Vec<Transform>,
    /// Joints whose rotation changes, in order.
    pub turning: Vec<u16>,
    /// Joints whose translation changes, in order.
    pub moving: Vec<u16>,
    /// Frame after frame, one rotation for each of `turning`, as 16-bit fractions.
    pub rotations: Vec<[i16; 4]>,
    /// Frame after frame, one translation for each of `moving`.
    pub translations: Vec<Vec3>,
}

impl CompactClip {
    /// Checks the parts and puts them together: what [`CompactClip::parts`] took apart.
    pub fn from_parts(parts: CompactParts) -> Result<Self, ClipError> {
        let CompactParts {
            name: clip,
            fps,
            frames,
            still,
            turning,
            moving,
            rotations,
            translations,
        } = parts;
        if !(fps.is_finite() && fps > 0.0) {
            return Err(ClipError::Rate { clip, fps });
        }
        if frames == 0 || still.is_empty() {
            return Err(ClipError::Empty { clip });
        }
        let joints = still.len();
        for (list, count) in [(&turning, rotations.len()), (&moving, translations.len())] {
            let inside = list.iter().all(|&joint| usize::from(joint) < joints);
            if !inside || list.len().checked_mul(frames) != Some(count) {
                return Err(ClipError::Shape { clip, count, joints });
            }
        }
        let unit = |q: Quat| q.is_finite() && (q.length_squared() - 1.0).abs() < 1e-2;
        let refused = |joint: usize, frame: usize| {
            let joint = joint.to_string();
            Err(ClipError::NonFinite { clip: clip.clone(), joint, frame })
        };
        let bad_still = |pose: &Transform| !(pose.translation.is_finite() && unit(pose.rotation));
        if let Some(joint) = still.iter().position(bad_still) {
            return refused(joint, 0);
        }
        let bad_turn = |packed: &[i16; 4]| !unit(Quat::from_vec4(unpack(packed) / ONE));
        if let Some(at) = rotations.iter().position(bad_turn) {
            return refused(usize::from(turning[at % turning.len()]), at / turning.len());
        }
        if let Some(at) = translations.iter().position(|moved| !moved.is_finite()) {
            return refused(usize::from(moving[at % moving.len()]), at / moving.len());
        }
        Ok(Self { name: clip, fps, frames, still, turning, moving, rotations, translations })
    }

    /// A copy of everything the clip consists of.
    pub fn parts(&self) -> CompactParts {
        CompactParts {
            name: self.name.clone(),
            fps: self.fps,
            frames: self.frames,
            still: self.still.clone(),
            turning: self.turning.clone(),
            moving: self.moving.clone(),
            rotations: self.rotations.clone(),
            translations: self.translations.clone(),
        }
    }

    /// Packs a clip. Joints that stay within a micrometre and a microradian are taken to be still.
    pub fn new(clip: &Clip) -> Self {
        let still = clip.frame(0).to_vec();
        let joints = 0..clip.joint_count();
        let turns = |&joint: &usize| {
            clip.frames().any(|pose| (pose[joint].rotation - still[joint].rotation).length() > 5e-7)
        };
        let moves = |&joint: &usize| {
            clip.frames()
                .any(|pose| !pose[joint].translation.abs_diff_eq(still[joint].translation, 1e-6))
        };
        let turning: Vec<u16> = joints.clone().filter(turns).map(|joint| joint as u16).collect();
        let moving: Vec<u16> = joints.filter(moves).map(|joint| joint as u16).collect();
        let mut rotations = Vec::with_capacity(turning.len() * clip.frame_count());
        let mut translations = Vec::with_capacity(moving.len() * clip.frame_count());
        for pose in clip.frames() {
            rotations.extend(turning.iter().map(|&joint| pack(pose[usize::from(joint)].rotation)));
            translations.extend(moving.iter().map(|&joint| pose[usize::from(joint)].translation));
        }
        Self {
            name: clip.name().into(),
            fps: clip.fps(),
            frames: clip.frame_count(),
            still,
            turning,
            moving,
            rotations,
            translations,
        }
    }

    /// Name of the clip.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Joints per pose.
    pub fn joint_count(&self) -> usize {
        self.still.len()
    }

    /// Seconds from the first frame to the last.
    pub fn duration(&self) -> f32 {
        (self.frames - 1) as f32 / self.fps
    }

    /// Memory taken by the frames, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.rotations[..])
            + size_of_val(&self.translations[..])
            + size_of_val(&self.still[..])
    }

    /// The pose at any time in seconds, written to `pose`. Allocates nothing.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton.
    #[inline]
    pub fn sample(&self, time: f32, wrap: Wrap, pose: &mut [Transform]) {
        self.sample_but(&(0..0), time, wrap, pose);
    }

    /// The same but for the joints of a range, which stay as they are in `pose`.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton, or the range is longer.
    #[inline]
    pub fn sample_but(
        &self,
        left_out: &Range<usize>,
        time: f32,
        wrap: Wrap,
        pose: &mut [Transform],
    ) {
        let at = FramePosition::new(time, self.fps, self.frames, wrap);
        let pose = &mut pose[..self.still.len()];
        for kept in [0..left_out.start, left_out.end..pose.len()] {
            pose[kept.clone()].copy_from_slice(&self.still[kept]);
        }
        let kept = |joints: &[u16]| {
            let before = |end: usize| joints.partition_point(|&joint| usize::from(joint) < end);
            [0..before(left_out.start), before(left_out.end)..joints.len()]
        };
        let (from, to) = (
            row(&self.rotations, &self.turning, at.frame),
            row(&self.rotations, &self.turning, at.next),
        );
        // Neighbouring frames lie on one hemisphere: `Clip::new` saw to it. Their scale cancels out in
        // the normalisation.
        let (keep, take) = (1.0 - at.fraction, at.fraction);
        for part in kept(&self.turning) {
            let rows = from[part.clone()].iter().zip(&to[part.clone()]);
            for (&joint, (a, b)) in self.turning[part].iter().zip(rows) {
                let mixed = unpack(a) * keep + unpack(b) * take;
                pose[usize::from(joint)].rotation = Quat::from_vec4(mixed * mixed.length_recip());
            }
        }
        let (from, to) = (
            row(&self.translations, &self.moving, at.frame),
            row(&self.translations, &self.moving, at.next),
        );
        for part in kept(&self.moving) {
            let rows = from[part.clone()].iter().zip(&to[part.clone()]);
            for (&joint, (a, b)) in self.moving[part].iter().zip(rows) {
                pose[usize::from(joint)].translation = a.lerp(*b, take);
            }
        }
    }
}

#[inline]
fn row<'a, T>(values: &'a [T], joints: &[u16], frame: usize) -> &'a [T] {
    &values[frame * joints.len()..][..joints.len()]
}

#[inline]
fn pack(q: Quat) -> [i16; 4] {
    q.to_array().map(|component| nearest(component * ONE))
}

/// The nearest whole number, halves away from zero, as `f32::round` has it: that is a call on most machines.
#[inline]
fn nearest(number: f32) -> i16 {
    // The largest number below a half: with it no number below a half reaches one.
    let half = 0.499_999_97_f32;
    (number + half.copysign(number)) as i16
}

#[inline]
fn unpack(packed: &[i16; 4]) -> Vec4 {
    Vec4::from_array(packed.map(f32::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, humanoid, rotation};
    use proptest::prelude::*;

    /// Every joint swings with its own axis and frequency; the root travels.
    fn restless() -> (crate::Skeleton, Clip) {
        let skeleton = humanoid().skeleton;
        let mut transforms = Vec::new();
        for frame in 0..=90 {
            let time = frame as f32 / 30.0;
            for (index, joint) in skeleton.joints().iter().enumerate() {
                let phase = index as f32;
                let axis = Vec3::new(phase.sin(), phase.cos(), (2.0 * phase).sin());
                let swing = rotation::exp(axis * (1.1 * (time * (1.0 + 0.1 * phase)).sin()));
                // Two joints are still.
                let swing = if index % 13 == 5 { Quat::IDENTITY } else { swing };
                let travel = if index == 0 { Vec3::Z * time } else { Vec3::ZERO };
                transforms.push(Transform::new(
                    joint.rest.rotation * swing,
                    joint.rest.translation + travel,
                ));
            }
        }
        let clip = Clip::new("restless", &skeleton, 30.0, transforms).unwrap();
        (skeleton, clip)
    }

    proptest! {
        #[test]
        fn packed_numbers_are_rounded_as_ever(number in -33000.0f32..33000.0, whole in -32768i16..=32767) {
            prop_assert_eq!(nearest(number), number.round() as i16);
            let middle = f32::from(whole) + 0.5;
            for near in [middle, middle.next_up(), middle.next_down(), 0.5f32.next_down(), f32::NAN] {
                prop_assert_eq!(nearest(near), near.round() as i16);
            }
        }

        #[test]
        fn compact_and_raw_clip_agree(time in -1.0f32..8.0, looping in any::<bool>()) {
            let (skeleton, clip) = restless();
            let compact = CompactClip::new(&clip);
            let wrap = if looping { Wrap::Loop } else { Wrap::Clamp };
            let mut raw = Pose::rest(&skeleton);
            let mut packed = Pose::rest(&skeleton);
            clip.sample(time, wrap, &mut raw);
            compact.sample(time, wrap, &mut packed);
            let (mut raw_models, mut packed_models) = (raw.clone(), packed.clone());
            skeleton.local_to_model(&raw, &mut raw_models);
            skeleton.local_to_model(&packed, &mut packed_models);
            for (a, b) in raw_models.iter().zip(packed_models.iter()) {
                prop_assert!(a.translation.abs_diff_eq(b.translation, 2e-4), "{} {}", a.translation, b.translation);
                prop_assert!(b.rotation.is_normalized());
            }
        }
    }

    #[test]
    fn still_joints_cost_nothing_and_the_rest_a_quarter() {
        let (_, clip) = restless();
        let compact = CompactClip::new(&clip);
        assert_eq!(compact.turning.len(), clip.joint_count() - 2);
        assert_eq!(compact.moving, [0]);
        assert!(compact.bytes() * 3 < size_of_val(clip.transforms()));
    }

    #[test]
    fn parts_make_the_same_clip_and_damaged_ones_none() {
        let compact = CompactClip::new(&restless().1);
        assert_eq!(CompactClip::from_parts(compact.parts()), Ok(compact.clone()));
        let damages: [fn(&mut CompactParts); 8] = [
            |parts| parts.fps = f32::NAN,
            |parts| parts.frames = 0,
            |parts| parts.frames += 1,
            |parts| parts.still.clear(),
            |parts| parts.still[2].translation.x = f32::INFINITY,
            |parts| parts.turning[0] = 9999,
            |parts| parts.rotations[5] = [0; 4],
            |parts| parts.translations[7].z = f32::NAN,
        ];
        for damage in damages {
            let mut parts = compact.parts();
            damage(&mut parts);
            assert!(CompactClip::from_parts(parts).is_err());
        }
    }

    #[test]
    fn a_clip_of_one_frame_plays() {
        let skeleton = humanoid().skeleton;
        let clip = Clip::new("still", &skeleton, 30.0, Pose::rest(&skeleton).to_vec()).unwrap();
        let compact = CompactClip::new(&clip);
        let mut pose = Pose::identity(skeleton.len());
        for time in [-1.0, 0.0, 5.0, f32::NAN, f32::INFINITY] {
            compact.sample(time, Wrap::Loop, &mut pose);
            assert_eq!(pose, Pose::rest(&skeleton));
        }
    }
}
