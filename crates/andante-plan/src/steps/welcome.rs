//! A motion that takes over from another without a jolt, and one that goes over into another.

use super::footprint::StanceFrames;
use super::planner::Ahead;
use super::score::{FPS, smootherstep};
use super::vocabulary::Vocabulary;
use andante_skeleton::{Skeleton, Transform, rotation};
use glam::Vec3;

/// The difference between a pose and the one it comes after.
pub(super) struct ReplacedStart {
    /// Frames in which the difference dies away.
    frames: f32,
    /// Translation of the root, and how much it changes from frame to frame.
    moved: Vec3,
    moves: Vec3,
    /// Rotations of all joints.
    turned: Vec<Vec3>,
    /// Where the ankles were.
    ankles: [Transform; 2],
    /// Frames until each foot comes down.
    landings: [usize; 2],
    missing: Option<[(Vec3, Vec3); 2]>,
}

impl ReplacedStart {
    /// `before` are the last pose of what was before and the one before that, `own` the first two of what comes.
    pub fn new(
        skeleton: &Skeleton,
        [before, earlier]: [&[Transform]; 2],
        [first, second]: [&[Transform]; 2],
        vocabulary: &Vocabulary,
    ) -> Self {
        let step = |from: &[Transform], to: &[Transform]| match (from, to) {
            ([from, ..], [to, ..]) => to.translation - from.translation,
            _ => Vec3::ZERO,
        };
        let turn =
            |(a, b): (&Transform, &Transform)| rotation::log(a.rotation * b.rotation.conjugate());
        let mut models = before.to_vec();
        skeleton.local_to_model(before, &mut models);
        Self {
            frames: vocabulary.settings.timeline.take_over * FPS,
            moved: before[0].translation - first[0].translation,
            moves: step(earlier, before) - step(first, second),
            turned: before.iter().zip(first).map(turn).collect(),
            ankles: [0, 1].map(|foot| models[vocabulary.legs[foot].joints()[2]]),
            landings: [0; 2],
            missing: None,
        }
    }

    /// Leads from what was before to a frame. Feet that are down are where they have to be; those in
    /// the air are led to where they come down.
    pub fn apply(
        &mut self,
        frame: usize,
        stances: &[StanceFrames],
        pose: &mut [Transform],
        targets: &mut [Transform; 2],
    ) {
        let missing = *self.missing.get_or_insert_with(|| {
            let landing = |foot: usize| {
                let of_foot = stances.iter().filter(|stance| stance.foot == foot);
                of_foot.map(|stance| stance.frames[0]).min().unwrap_or(0)
            };
            self.landings = [landing(0), landing(1)];
            [0, 1].map(|foot| {
                let (was, is) = (&self.ankles[foot], &targets[foot]);
                let turn = rotation::log(was.rotation * is.rotation.conjugate());
                (was.translation - is.translation, turn)
            })
        });
        for foot in 0..2 {
            if frame < self.landings[foot] {
                let left = 1.0 - smootherstep(frame as f32 / self.landings[foot] as f32);
                let (moved, turned) = missing[foot];
                targets[foot].translation += moved * left;
                targets[foot].rotation = rotation::exp(turned * left) * targets[foot].rotation;
            }
        }
        let left = 1.0 - smootherstep(frame as f32 / self.frames);
        if left > 0.0 {
            // It goes on as fast as it was, too.
            pose[0].translation += (self.moved + self.moves * frame as f32) * left;
            for (joint, turned) in pose.iter_mut().zip(&self.turned) {
                joint.rotation = rotation::exp(*turned * left) * joint.rotation;
            }
        }
    }
}

/// The difference between a pose and the one it is to become.
pub(super) struct ReplacedEnd {
    frame: usize,
    /// Frames in which the difference dies away.
    frames: f32,
    /// Translation of the root.
    moved: Vec3,
    /// Rotations of all joints.
    turned: Vec<Vec3>,
    /// What the ankles lack, and the frames from which on they are led there.
    ankles: [(Vec3, Vec3, usize); 2],
}

impl ReplacedEnd {
    /// `own` and `targets` are the pose and the ankles at the frame that is ahead.
    pub fn new(
        skeleton: &Skeleton,
        ahead: &Ahead,
        own: &[Transform],
        targets: &[Transform; 2],
        stances: &[StanceFrames],
        vocabulary: &Vocabulary,
    ) -> Self {
        let turn =
            |to: &Transform, own: &Transform| rotation::log(to.rotation * own.rotation.conjugate());
        let mut models = ahead.pose.to_vec();
        skeleton.local_to_model(ahead.pose, &mut models);
        let ankles = [0, 1].map(|foot| {
            let (to, is) = (&models[vocabulary.legs[foot].joints()[2]], &targets[foot]);
            // In the air since it left the ground, or down since it came down.
            let of_foot = stances.iter().filter(|stance| stance.foot == foot);
            let marks = of_foot.flat_map(|stance| stance.frames).filter(|&f| f < ahead.frame);
            (to.translation - is.translation, turn(to, is), marks.max().unwrap_or(0))
        });
        Self {
            frame: ahead.frame,
            frames: vocabulary.settings.timeline.take_over * FPS,
            moved: ahead.pose[0].translation - own[0].translation,
            turned: ahead.pose.iter().zip(own).map(|(to, own)| turn(to, own)).collect(),
            ankles,
        }
    }

    /// Leads a frame towards what is ahead; from there on everything is as it is there.
    pub fn apply(&self, frame: usize, pose: &mut [Transform], targets: &mut [Transform; 2]) {
        let left = self.frame.saturating_sub(frame) as f32;
        for (target, (moved, turned, from)) in targets.iter_mut().zip(&self.ankles) {
            let share = smootherstep(1.0 - left / (self.frame - from).max(1) as f32);
            target.translation += *moved * share;
            target.rotation = rotation::exp(*turned * share) * target.rotation;
        }
        let share = smootherstep(1.0 - left / self.frames);
        if share > 0.0 {
            pose[0].translation += self.moved * share;
            for (joint, turned) in pose.iter_mut().zip(&self.turned) {
                joint.rotation = rotation::exp(*turned * share) * joint.rotation;
            }
        }
    }
}
