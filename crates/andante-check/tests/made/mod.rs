//! Takes that are made to be right, or wrong in one way, in worlds from a seed.
#![allow(dead_code)]

use andante_check::{CheckSettings, Demand, Verdict, ViolationKind, check};
use andante_motion::synth;
use andante_play::{Contacts, Interval};
use andante_skeleton::{Clip, Transform, humanoid};
use andante_take::Take;
use andante_world::{GroundPatch, Obstacle, ObstacleShape, Platform};
use glam::{Quat, Vec2, Vec3};

/// A number generator that is the same everywhere.
pub struct Dice(pub u64);

impl Dice {
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 40) as f32 / (1u64 << 24) as f32)
    }
}

/// So many cycles of a built-in gait along +Z, on level ground at height 0.
pub fn gait(name: &str, cycles: usize) -> Take {
    let human = humanoid();
    let made = synth::clip(&human, name).unwrap();
    let (clip, joints) = (&made.clip, human.skeleton.len());
    let frames: Vec<&[Transform]> = clip.frames().collect();
    let (first, last) = (frames[0], frames[frames.len() - 1]);
    let (way, period) = (last[0].translation - first[0].translation, clip.duration());
    let mut transforms: Vec<Transform> = Vec::new();
    let mut contacts = Contacts { feet: vec![Default::default(); human.rig.feet.len()] };
    for cycle in 0..cycles {
        let kept = if cycle + 1 == cycles { frames.len() } else { frames.len() - 1 };
        for pose in &frames[..kept] {
            transforms.extend_from_slice(pose);
            let root = transforms.len() - joints;
            transforms[root].translation += way * cycle as f32;
        }
        let later = |interval: &Interval| {
            Interval::new(
                interval.start + cycle as f32 * period,
                interval.end + cycle as f32 * period,
            )
        };
        for (all, one) in contacts.feet.iter_mut().zip(&made.contacts.feet) {
            all.heel.extend(one.heel.iter().map(later));
            all.toe.extend(one.toe.iter().map(later));
        }
    }
    let clip = Clip::new(name, &human.skeleton, clip.fps(), transforms).unwrap();
    let mut take = Take::of_clip(&human, &clip, contacts, None);
    take.head.ground = vec![floor("ground", [-20.0, -20.0], [20.0, 60.0], 0.0)];
    take
}

/// A level rectangle.
pub fn floor(name: &str, low: [f32; 2], high: [f32; 2], height: f32) -> GroundPatch {
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]]].map(Vec2::from).to_vec();
    GroundPatch { platform: Platform::level(name, corners, height), terrain: None }
}

pub fn block(name: &str, size: [f32; 3], at: [f32; 3]) -> Obstacle {
    let shape = ObstacleShape::Box(Vec3::from(size));
    Obstacle { name: name.into(), shape, at: Vec3::from(at), heading: 0.0 }
}

/// The take with its poses changed, frame by frame.
pub fn posed(mut take: Take, mut change: impl FnMut(f32, &mut [Transform])) -> Take {
    let track = &mut take.tracks[0];
    let (joints, fps) = (track.character.skeleton.len(), track.clip.fps());
    let mut transforms = track.clip.transforms().to_vec();
    for (frame, pose) in transforms.chunks_exact_mut(joints).enumerate() {
        change(frame as f32 / fps, pose);
    }
    track.clip = Clip::new(track.clip.name(), &track.character.skeleton, fps, transforms).unwrap();
    take
}

/// The take with everybody moved by a time-dependent way.
pub fn moved(take: Take, by: impl Fn(f32) -> Vec3) -> Take {
    posed(take, |time, pose| pose[0].translation += by(time))
}

/// The take turned about the origin.
pub fn turned(take: Take, heading: f32) -> Take {
    let turn = Transform::new(Quat::from_rotation_y(heading), Vec3::ZERO);
    posed(take, |_, pose| pose[0] = turn * pose[0])
}

pub fn verdict(take: &Take, demand: Option<&Demand>) -> Verdict {
    check(take, demand, &CheckSettings::default()).unwrap()
}

/// The kinds of what is wrong with a take.
pub fn kinds(take: &Take) -> Vec<ViolationKind> {
    verdict(take, None).violations.iter().map(|violation| violation.kind).collect()
}
