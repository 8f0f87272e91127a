//! What recordings have that performers did not do.
//!
//! Files are read as they are; these functions find what an editor may want to cut or repair.

use andante_skeleton::{Clip, ClipError, Skeleton, Transform, rotation};
use glam::Vec3;
use std::ops::Range;

andante_skeleton::settings! {
    /// Thresholds of the search for oddities.
    pub struct OdditySettings {
        /// Mean change of the joints' rotations, in radians, that parts an added first frame from the motion (3°…10°):
        /// by default a tenth of the angle between arms that are held out and arms that hang, since most joints change
        /// little.
        first_frame_jump: f32 = 5.0 * std::f32::consts::PI / 180.0, 0.0..;
        /// How many times larger that jump is than the changes after it.
        first_frame_ratio: f32 = 4.0, 2.0..=10.0;
        /// Turn of any joint, in radians, below which a pose that was put in front is still the same: it is copied, and who
        /// stands still moves a little (0.01°…1°).
        first_frame_held: f32 = 0.05 * std::f32::consts::PI / 180.0, 0.0..=0.1;
        /// Most frames that resampling may have left between it and the motion.
        first_frame_smears: usize = 2;
        /// Seconds after it in which single limbs may still be held as it held them, while the rest of the body moves
        /// (0.05…0.3): some files let go of one arm later than of the other.
        first_frame_left: f32 = 0.1, 0.0..=1.0;
        /// How far its end moves in one frame when it is let go, as a part of the height of the body, from which on it was
        /// left behind (0.05…0.3): fingers are not.
        first_frame_let_go: f32 = 0.1, 0.0..;
        /// Changes that are looked at after the first one. Recordings are often noisy at their start, so it is the
        /// middle one of them that counts.
        changes_after: usize = 9;
        /// A pose whose joints are all this close to rest, in radians, is the rest pose. The T-pose in front of the
        /// Carnegie Mellon clips differs by 21° from theirs.
        near_rest: f32 = 35.0 * std::f32::consts::PI / 180.0, 0.0..;
        /// The smallest turn of a dropout in radians (5°…30°).
        dropout_turn: f32 = 10.0 * std::f32::consts::PI / 180.0, 0.0..;
        /// The smallest move of a dropout in metres.
        dropout_move: f32 = 0.05, 0.0..;
        /// The smallest turn of a joint from one frame to the next, in radians, that is a jump (20°…60°).
        jump_turn: f32 = 30.0 * std::f32::consts::PI / 180.0, 0.0..;
        /// The longest dropout in frames.
        longest_dropout: usize = 3;
        /// How many times larger a dropout is than the gap it leaves.
        gap_ratio: f32 = 4.0, 0.0..;
        /// How many times larger than the changes around it.
        around_ratio: f32 = 5.0, 0.0..;
        /// Changes that are looked at on either side.
        around: usize = 4;
        /// Seconds for which nothing moves in a recording that hung.
        frozen: f32 = 0.1, 0.05..=0.5;
    }
}

/// The number of frames at the beginning that were put in front of the motion, as converters do: a pose that is close to the
/// rest pose or holds the arms out level, however long it is held, from which the motion does not continue; and what
/// resampling has put between that and the motion.
///
/// ```
/// use andante_motion::oddities;
/// use andante_skeleton::{Clip, Joint, Skeleton, Transform};
/// use glam::{Quat, Vec3};
///
/// let arm = Skeleton::new(vec![Joint::new("shoulder", None, Vec3::ZERO)])?;
/// let pose = |angle: f32| Transform::from_rotation(Quat::from_rotation_z(angle));
/// let hanging = vec![pose(-1.5), pose(-1.49), pose(-1.48)];
/// let with_rest_poses = [vec![pose(0.0); 4], hanging.clone()].concat();
/// let clip = |frames| Clip::new("wave", &arm, 60.0, frames).unwrap();
/// assert_eq!(oddities::added_frames(&arm, &clip(hanging)), 0);
/// assert_eq!(oddities::added_frames(&arm, &clip(with_rest_poses)), 4);
/// # Ok::<(), andante_skeleton::SkeletonError>(())
/// ```
pub fn added_frames(skeleton: &Skeleton, clip: &Clip) -> usize {
    OdditySettings::default().added_frames(skeleton, clip)
}

/// The clip without the frames that were put in front of it, and without so many first ones at least.
pub fn without_added_frames(
    skeleton: &Skeleton,
    clip: &Clip,
    least: usize,
) -> Result<Clip, ClipError> {
    let left_out = added_frames(skeleton, clip).max(least);
    let rest = clip.frames().skip(left_out).flatten().copied().collect();
    Clip::new(clip.name(), skeleton, clip.fps(), rest)
}

impl OdditySettings {
    /// See [`added_frames`].
    pub fn added_frames(&self, skeleton: &Skeleton, clip: &Clip) -> usize {
        let count = clip.frame_count();
        if clip.joint_count() != skeleton.len() {
            return 0;
        }
        let apart = |a: usize, b: usize| mean_angle(clip.frame(a), clip.frame(b));
        let held = (1..count).take_while(|&frame| self.is_copy(clip, frame)).count();
        // Where it ends, and where the motion begins unless something is between them.
        let (last, next) = (held, held + 1);
        if next + 1 >= count {
            return 0;
        }
        let change = |frame: usize| apart(frame, frame + 1);
        let until = (count - 1).min(next + self.changes_after);
        let mut after: Vec<f32> = (next..until).map(change).collect();
        after.sort_by(f32::total_cmp);
        let least = self.first_frame_ratio * after[after.len() / 2];
        // What resampling has put there lies on the way from the one to the other.
        let smeared = |last: usize| {
            let is_between = |&frame: &usize| {
                let detour = apart(last, frame) + change(frame) - apart(last, frame + 1);
                change(frame) > least && detour < 0.2 * change(frame)
            };
            let smears = last + 1..(count - 1).min(last + 1 + self.first_frame_smears);
            last + 1 + smears.take_while(is_between).count()
        };
        let first = smeared(last);
        let jumps = change(last) > least && apart(last, first) > self.first_frame_jump;
        if !(jumps && self.is_reference_pose(skeleton, clip.frame(0))) {
            return 0;
        }
        let left = self.last_left_behind(skeleton, clip, next);
        left.map_or(first, |left| smeared(left).max(first))
    }

    /// The last frame, from `next` on, in which a limb is still held as the pose in front held it, and is let go after it.
    fn last_left_behind(&self, skeleton: &Skeleton, clip: &Clip, next: usize) -> Option<usize> {
        let is_held = |frame: usize, joint: usize| {
            let (a, b) = (clip.rotation(0, joint), clip.rotation(frame, joint));
            rotation::angle_between(a, b) <= self.first_frame_held
        };
        let mut held: Vec<usize> =
            (1..skeleton.len()).filter(|&joint| is_held(next, joint)).collect();
        let (low, high) = skeleton.rest_bounds();
        let least = self.first_frame_let_go * (high - low).max_element();
        let within = (self.first_frame_left * clip.fps()).round() as usize;
        let (mut before, mut after) = (clip.frame(0).to_vec(), clip.frame(0).to_vec());
        let mut found = None;
        for frame in next..(next + within).min(clip.frame_count() - 1) {
            let (stay, left): (Vec<usize>, Vec<usize>) =
                held.iter().partition(|&&joint| is_held(frame + 1, joint));
            held = stay;
            if left.is_empty() {
                continue;
            }
            // Where their ends are on the body as it is after it, and where they would be if they and what they hang on were
            // still held.
            let mut pose = clip.frame(frame + 1).to_vec();
            skeleton.local_to_model(&pose, &mut after);
            for joint in left.iter().flat_map(|&joint| skeleton.ancestors(joint)) {
                pose[joint] = if joint == 0 { pose[0] } else { clip.frame(frame)[joint] };
            }
            skeleton.local_to_model(&pose, &mut before);
            let moved =
                before.iter().zip(&after).map(|(a, b)| a.translation.distance(b.translation));
            if moved.fold(0.0, f32::max) > least {
                found = Some(frame);
            }
        }
        found
    }

    /// Whether a frame is the first one again, in the same place.
    fn is_copy(&self, clip: &Clip, frame: usize) -> bool {
        let (first, own) = (clip.frame(0), clip.frame(frame));
        let reach = first.iter().map(|joint| joint.translation.length()).fold(0.0, f32::max);
        first.iter().zip(own).all(|(a, b)| {
            rotation::angle_between(a.rotation, b.rotation) <= self.first_frame_held
                && a.translation.distance(b.translation) <= 1e-3 * reach
        })
    }

    /// See [`dropouts`].
    pub fn dropouts(&self, skeleton: &Skeleton, clip: &Clip) -> Vec<Dropout> {
        let mut found = Vec::new();
        if clip.joint_count() != skeleton.len() {
            return found;
        }
        for joint in 0..skeleton.len() {
            let turns = DistanceTrack {
                count: clip.frame_count(),
                distance: |a: usize, b: usize| {
                    rotation::angle_between(clip.rotation(a, joint), clip.rotation(b, joint))
                },
                least: self.dropout_turn,
                settings: self,
            };
            let moves = DistanceTrack {
                count: clip.frame_count(),
                distance: |a: usize, b: usize| {
                    clip.frame(a)[joint].translation.distance(clip.frame(b)[joint].translation)
                },
                least: self.dropout_move,
                settings: self,
            };
            let mut leaps = turns.leaps();
            leaps.extend(moves.leaps());
            leaps.sort_by_key(|frames| (frames.start, frames.end));
            leaps.dedup();
            found.extend(leaps.into_iter().map(|frames| Dropout { joint, frames }));
        }
        found.sort_by_key(|dropout| (dropout.frames.start, dropout.joint));
        found
    }

    /// See [`joint_jumps`].
    pub fn joint_jumps(&self, skeleton: &Skeleton, clip: &Clip) -> Vec<JointJump> {
        let count = clip.frame_count();
        let mut found = Vec::new();
        if clip.joint_count() != skeleton.len() {
            return found;
        }
        for joint in 0..skeleton.len() {
            let turns: Vec<f32> = (1..count)
                .map(|frame| {
                    let (a, b) = (clip.rotation(frame - 1, joint), clip.rotation(frame, joint));
                    rotation::angle_between(a, b)
                })
                .collect();
            for (at, &turn) in turns.iter().enumerate().filter(|(_, turn)| **turn > self.jump_turn)
            {
                let earlier = &turns[at.saturating_sub(self.around)..at];
                let later = &turns[at + 1..(at + 1 + self.around).min(turns.len())];
                let around = earlier.iter().chain(later).copied().fold(0.0, f32::max);
                if turn > self.around_ratio * around && !(earlier.is_empty() && later.is_empty()) {
                    found.push(JointJump { joint, frame: at + 1, turn });
                }
            }
        }
        found.sort_by_key(|jump| (jump.frame, jump.joint));
        found
    }

    /// See [`frozen_stretches`].
    pub fn frozen_stretches(&self, clip: &Clip) -> Vec<Range<usize>> {
        let still = |frame: usize| {
            clip.frame(frame).iter().zip(clip.frame(frame + 1)).all(|(a, b)| {
                a.rotation.abs_diff_eq(b.rotation, 1e-6)
                    && a.translation.abs_diff_eq(b.translation, 1e-6)
            })
        };
        let shortest = ((clip.fps() * self.frozen).ceil() as usize).max(3);
        let mut stretches = Vec::new();
        let mut start = 0;
        for frame in 1..=clip.frame_count() {
            if frame == clip.frame_count() || !still(frame - 1) {
                if frame - start >= shortest && frame - start < clip.frame_count() {
                    stretches.push(start..frame);
                }
                start = frame;
            }
        }
        stretches
    }

    /// Whether a pose is one that nobody performs: close to the rest pose, or with the arms held out level.
    fn is_reference_pose(&self, skeleton: &Skeleton, pose: &[Transform]) -> bool {
        self.is_near_rest(skeleton, pose) || is_t_pose(skeleton, pose)
    }

    /// Whether every joint is close to its rest rotation. The root may face anywhere.
    fn is_near_rest(&self, skeleton: &Skeleton, pose: &[Transform]) -> bool {
        pose.iter().zip(skeleton.joints()).enumerate().all(|(index, (local, joint))| {
            let mut away = local.rotation * joint.rest.rotation.conjugate();
            if index == 0 {
                (away, _) = rotation::swing_twist(away, Vec3::Y);
            }
            rotation::angle_between(away, glam::Quat::IDENTITY) < self.near_rest
        })
    }
}

fn mean_angle(a: &[Transform], b: &[Transform]) -> f32 {
    let sum: f32 =
        a.iter().zip(b).map(|(a, b)| rotation::angle_between(a.rotation, b.rotation)).sum();
    sum / a.len() as f32
}

/// Whether the pose is upright and about as wide as it is tall, with its widest points level and high:
/// arms held out.
fn is_t_pose(skeleton: &Skeleton, pose: &[Transform]) -> bool {
    let mut models = pose.to_vec();
    skeleton.local_to_model(pose, &mut models);
    let places = || models.iter().map(|model| model.translation);
    let low = places().fold(f32::INFINITY, |low, place| low.min(place.y));
    let height = places().fold(f32::NEG_INFINITY, |high, place| high.max(place.y)) - low;
    let level = |place: Vec3| Vec3::new(place.x, 0.0, place.z);
    // The two points that are farthest apart, near enough: the farthest from the root, and from there.
    let farthest = |from: Vec3| {
        let distance = |place: &Vec3| level(*place - from).length();
        places().max_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(from)
    };
    let one = farthest(models[0].translation);
    let other = farthest(one);
    let high = |place: Vec3| place.y - low > 0.6 * height;
    let (rest_low, rest_high) = skeleton.rest_bounds();
    height > 0.7 * (rest_high - rest_low).max_element()
        && level(one - other).length() > 0.75 * height
        && (one.y - other.y).abs() < 0.15 * height
        && high(one)
        && high(other)
}

/// A joint that leaps away and back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropout {
    /// The joint.
    pub joint: usize,
    /// The frames in which it is away; at most three.
    pub frames: Range<usize>,
}

/// A joint that is turned otherwise from one frame to the next, and stays so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointJump {
    /// The joint.
    pub joint: usize,
    /// The first frame after the jump.
    pub frame: usize,
    /// By how much it is turned, in radians.
    pub turn: f32,
}

/// Finds joints that jump: that turn within one frame by more than 30° and by five times as much as in any of the frames around
/// it, as where a limb was lost for a while or markers were mistaken for each other. Those that soon come back are
/// [`dropouts`]. Sorted by frame.
pub fn joint_jumps(skeleton: &Skeleton, clip: &Clip) -> Vec<JointJump> {
    OdditySettings::default().joint_jumps(skeleton, clip)
}

/// Finds joints that leap away for up to three frames and come back: markers that were lost or mistaken
/// for each other. Sorted by frame.
///
/// A leap must be large, by itself (10° or 5 cm) and compared with how the joint moves in the frames
/// around it, so that quick movements are not taken for one.
pub fn dropouts(skeleton: &Skeleton, clip: &Clip) -> Vec<Dropout> {
    OdditySettings::default().dropouts(skeleton, clip)
}

/// One quantity over time, known by the distance between its values in two frames.
struct DistanceTrack<'a, D> {
    count: usize,
    distance: D,
    /// The smallest leap.
    least: f32,
    settings: &'a OdditySettings,
}

impl<D: Fn(usize, usize) -> f32> DistanceTrack<'_, D> {
    fn leaps(&self) -> Vec<Range<usize>> {
        let mut leaps = Vec::new();
        let mut frame = 1;
        while frame + 1 < self.count {
            let ends = (frame + 1..=frame + self.settings.longest_dropout)
                .take_while(|&end| end < self.count);
            let leap = ends.map(|end| frame..end).find(|frames| self.is_leap(frames));
            match leap {
                Some(frames) => {
                    frame = frames.end + 1;
                    leaps.push(frames);
                }
                None => frame += 1,
            }
        }
        leaps
    }

    /// Whether the frames are all far from the ones before and after, which are close to each other.
    fn is_leap(&self, frames: &Range<usize>) -> bool {
        let OdditySettings { gap_ratio, around_ratio, around: reach, .. } = *self.settings;
        let (before, after) = (frames.start - 1, frames.end);
        // The cheap test first: nearly all frames end here.
        if (self.distance)(before, frames.start) < self.least {
            return false;
        }
        let away = |frame: usize| (self.distance)(frame, before).min((self.distance)(frame, after));
        let leap = frames.clone().map(away).fold(f32::INFINITY, f32::min);
        let earlier = before.saturating_sub(reach)..before;
        let later = after..(after + reach).min(self.count - 1);
        let around = earlier.chain(later).map(|at| (self.distance)(at, at + 1)).fold(0.0, f32::max);
        leap > self.least
            && leap > gap_ratio * (self.distance)(before, after)
            && leap > around_ratio * around
    }
}

/// Finds stretches of at least a tenth of a second (and three frames) in which nothing moves at all. A
/// living performer is never that still: these are gaps that were filled, or a recording that hung. A clip
/// that never moves is a pose, and has none.
pub fn frozen_stretches(clip: &Clip) -> Vec<Range<usize>> {
    OdditySettings::default().frozen_stretches(clip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::Joint;
    use glam::Quat;
    use proptest::prelude::*;

    /// Hips with a spine, and two arms held out at rest or hanging.
    fn body(arms: Vec3) -> Skeleton {
        let joint = |name: &str, parent, x, y| Joint::new(name, parent, Vec3::new(x, y, 0.0));
        Skeleton::new(vec![
            joint("hips", None, 0.0, 0.9),
            joint("chest", Some(0), 0.0, 0.5),
            joint("left arm", Some(1), 0.2, 0.0),
            Joint::new("left hand", Some(2), arms),
            joint("right arm", Some(1), -0.2, 0.0),
            Joint::new("right hand", Some(4), arms * Vec3::new(-1.0, 1.0, 1.0)),
            joint("left leg", Some(0), 0.1, 0.0),
            joint("left foot", Some(6), 0.0, -0.9),
        ])
        .unwrap()
    }

    /// A clip at 100 frames per second in which every joint swings.
    fn swinging(skeleton: &Skeleton, frames: usize, amplitude: f32, hz: f32) -> Vec<Transform> {
        let pose = |frame: usize| {
            let joints = skeleton.joints().iter().enumerate();
            joints.map(move |(index, joint)| {
                let angle = amplitude
                    * (std::f32::consts::TAU * hz * frame as f32 / 100.0 + index as f32).sin();
                let turn = Quat::from_rotation_x(angle);
                Transform { rotation: joint.rest.rotation * turn, ..joint.rest }
            })
        };
        (0..frames).flat_map(pose).collect()
    }

    fn clip(skeleton: &Skeleton, transforms: Vec<Transform>) -> Clip {
        Clip::new("clip", skeleton, 100.0, transforms).unwrap()
    }

    #[test]
    fn a_t_pose_is_recognised_by_its_shape_where_the_rest_pose_is_another() {
        let hanging = body(Vec3::new(0.05, -0.6, 0.0));
        let motion = swinging(&hanging, 20, 0.1, 1.0);
        let mut t_pose: Vec<Transform> = hanging.joints().iter().map(|joint| joint.rest).collect();
        t_pose[2].rotation = Quat::from_rotation_z(1.45);
        t_pose[4].rotation = Quat::from_rotation_z(-1.45);
        // Facing anywhere.
        t_pose[0].rotation = Quat::from_rotation_y(2.0);
        let with_t_pose = [t_pose, motion.clone()].concat();
        assert_eq!(added_frames(&hanging, &clip(&hanging, with_t_pose)), 1);
        assert_eq!(added_frames(&hanging, &clip(&hanging, motion)), 0);
    }

    #[test]
    fn however_many_t_poses_there_are_all_are_found_at_any_rate() {
        let hanging = body(Vec3::new(0.05, -0.6, 0.0));
        let motion = swinging(&hanging, 40, 0.1, 1.0);
        let mut t_pose: Vec<Transform> = hanging.joints().iter().map(|joint| joint.rest).collect();
        t_pose[2].rotation = Quat::from_rotation_z(1.45);
        t_pose[4].rotation = Quat::from_rotation_z(-1.45);
        for count in [1, 2, 3, 7, 120] {
            let added = clip(&hanging, [t_pose.repeat(count), motion.clone()].concat());
            assert_eq!(added_frames(&hanging, &added), count);
            let without = without_added_frames(&hanging, &added, 0).unwrap();
            assert_eq!(without.frame_count(), 40);
            let same = |a: &Transform, b: &Transform| {
                a.rotation.dot(b.rotation).abs() > 1.0 - 1e-6 && a.translation == b.translation
            };
            assert!(without.transforms().iter().zip(&motion).all(|(a, b)| same(a, b)));
            let least = without_added_frames(&hanging, &without, 1).unwrap();
            let rest = &motion[hanging.len()..];
            assert_eq!(least.frame_count(), 39);
            assert!(least.transforms().iter().zip(rest).all(|(a, b)| same(a, b)));
            // Twice as often: and what is half way to the motion.
            let finer = added.resampled(200.0).unwrap();
            assert_eq!(added_frames(&hanging, &finer), 2 * count);
            let coarser = added_frames(&hanging, &added.resampled(50.0).unwrap());
            assert_eq!(coarser, count.div_ceil(2));
        }
        let held = clip(&hanging, t_pose.repeat(30));
        assert_eq!(added_frames(&hanging, &held), 0, "there is no motion after it");
    }

    /// One arm hangs already while the other is still held out.
    #[test]
    fn an_arm_that_is_let_go_later_than_the_other_belongs_to_the_added_pose() {
        let hanging = body(Vec3::new(0.05, -0.6, 0.0));
        let joints = hanging.len();
        let motion = swinging(&hanging, 40, 0.1, 1.0);
        let mut t_pose: Vec<Transform> = hanging.joints().iter().map(|joint| joint.rest).collect();
        t_pose[2].rotation = Quat::from_rotation_z(1.45);
        t_pose[4].rotation = Quat::from_rotation_z(-1.45);
        for (count, left) in [(1, 1), (1, 2), (1, 6), (3, 2), (1, 9)] {
            let mut after = motion.clone();
            for pose in after.chunks_exact_mut(joints).take(left) {
                pose[2].rotation = t_pose[2].rotation;
            }
            let added = clip(&hanging, [t_pose.repeat(count), after].concat());
            assert_eq!(added_frames(&hanging, &added), count + left);
            let finer = added_frames(&hanging, &added.resampled(200.0).unwrap());
            assert_eq!(finer, 2 * (count + left));
        }
        // Held for long, it is the performer's, or lost; that it jumps is told.
        let mut after = motion.clone();
        for pose in after.chunks_exact_mut(joints).take(25) {
            pose[2].rotation = t_pose[2].rotation;
        }
        let added = clip(&hanging, [t_pose, after].concat());
        assert_eq!(added_frames(&hanging, &added), 1);
        let jumps = joint_jumps(&hanging, &added);
        assert_eq!(jumps.last().map(|jump| (jump.joint, jump.frame)), Some((2, 26)));
    }

    #[test]
    fn a_motion_that_starts_in_a_t_pose_has_none_put_in_front() {
        let spread = body(Vec3::new(0.6, 0.0, 0.0));
        assert_eq!(added_frames(&spread, &clip(&spread, swinging(&spread, 20, 0.3, 2.0))), 0);
    }

    #[test]
    fn a_jump_from_another_pose_is_not_a_t_pose() {
        let hanging = body(Vec3::new(0.05, -0.6, 0.0));
        let mut transforms = swinging(&hanging, 20, 0.1, 1.0);
        for local in &mut transforms[..hanging.len()] {
            local.rotation *= Quat::from_rotation_x(1.2);
        }
        assert_eq!(added_frames(&hanging, &clip(&hanging, transforms)), 0);
    }

    #[test]
    fn clips_too_short_to_tell_have_no_oddities() {
        let spread = body(Vec3::new(0.6, 0.0, 0.0));
        for frames in [1, 2] {
            let short = clip(&spread, swinging(&spread, frames, 1.0, 20.0));
            assert_eq!(added_frames(&spread, &short), 0);
            assert_eq!(dropouts(&spread, &short), []);
            assert_eq!(joint_jumps(&spread, &short), []);
            assert_eq!(frozen_stretches(&short), []);
        }
    }

    #[test]
    fn quick_movements_are_not_leaps() {
        let spread = body(Vec3::new(0.6, 0.0, 0.0));
        for hz in [1.0, 5.0, 10.0, 20.0] {
            let quick = clip(&spread, swinging(&spread, 300, 0.8, hz));
            assert_eq!(dropouts(&spread, &quick), []);
            assert_eq!(joint_jumps(&spread, &quick), []);
        }
    }

    #[test]
    fn a_jump_that_stays_is_not_a_dropout() {
        let spread = body(Vec3::new(0.6, 0.0, 0.0));
        let mut transforms = swinging(&spread, 60, 0.2, 1.0);
        for frame in transforms.chunks_exact_mut(spread.len()).skip(30) {
            frame[3].rotation *= Quat::from_rotation_z(1.0);
        }
        assert_eq!(dropouts(&spread, &clip(&spread, transforms)), []);
    }

    proptest! {
        #[test]
        fn leaps_are_found_where_they_are(joint in 0usize..8, start in 1usize..50, length in 1usize..=3, turn in 0.5f32..3.0) {
            let spread = body(Vec3::new(0.6, 0.0, 0.0));
            let mut transforms = swinging(&spread, 60, 0.2, 1.0);
            for frame in transforms.chunks_exact_mut(spread.len()).skip(start).take(length) {
                frame[joint].rotation *= Quat::from_rotation_z(turn);
            }
            let expected = Dropout { joint, frames: start..start + length };
            prop_assert_eq!(dropouts(&spread, &clip(&spread, transforms)), [expected]);
        }

        #[test]
        fn jumps_are_found_where_they_are(joint in 0usize..8, at in 1usize..59, turn in 0.7f32..3.0) {
            let spread = body(Vec3::new(0.6, 0.0, 0.0));
            let mut transforms = swinging(&spread, 60, 0.2, 1.0);
            for frame in transforms.chunks_exact_mut(spread.len()).skip(at) {
                frame[joint].rotation *= Quat::from_rotation_z(turn);
            }
            let found = joint_jumps(&spread, &clip(&spread, transforms));
            let places: Vec<_> = found.iter().map(|jump| (jump.joint, jump.frame)).collect();
            prop_assert_eq!(places, [(joint, at)]);
            prop_assert!((found[0].turn - turn).abs() < 0.05);
        }

        #[test]
        fn the_root_is_found_where_it_leaps(start in 1usize..50, length in 1usize..=3, x in 0.2f32..5.0) {
            let spread = body(Vec3::new(0.6, 0.0, 0.0));
            let mut transforms = swinging(&spread, 60, 0.2, 1.0);
            for frame in transforms.chunks_exact_mut(spread.len()).skip(start).take(length) {
                frame[0].translation.x += x;
            }
            let expected = Dropout { joint: 0, frames: start..start + length };
            prop_assert_eq!(dropouts(&spread, &clip(&spread, transforms)), [expected]);
        }

        #[test]
        fn frozen_stretches_are_found_where_they_are(start in 0usize..40, length in 10usize..40) {
            let spread = body(Vec3::new(0.6, 0.0, 0.0));
            let joints = spread.len();
            let mut transforms = swinging(&spread, 80, 0.2, 1.0);
            for at in (start + 1) * joints..(start + length) * joints {
                transforms[at] = transforms[at - joints];
            }
            let expected = start..start + length;
            let found = frozen_stretches(&clip(&spread, transforms));
            prop_assert_eq!(found.as_slice(), std::slice::from_ref(&expected));
        }
    }

    #[test]
    fn a_clip_that_never_moves_is_a_pose() {
        let spread = body(Vec3::new(0.6, 0.0, 0.0));
        assert_eq!(frozen_stretches(&clip(&spread, swinging(&spread, 50, 0.0, 1.0))), []);
    }
}
