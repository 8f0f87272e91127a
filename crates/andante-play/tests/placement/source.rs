//! Sources: clips played and mixed by hand, and the layer over them.

use crate::common::{self, Case};
use andante_play::{FootPlacement, GroundClip, PlacementReport, PlacementSettings, SourceFrame};
use andante_skeleton::{Character, Planar, Pose, Transform, Wrap, rotation};
use andante_world::Ground;
use glam::Vec2;
use std::sync::Arc;

/// Numbers that are the same in every run.
pub struct Seeded(u64);

impl Seeded {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * ((self.0 >> 40) as f32 / (1u64 << 24) as f32)
    }

    /// Seconds of a frame: from 240 to 15 a second.
    pub fn frame(&mut self) -> f32 {
        self.between(15f32.ln(), 240f32.ln()).exp().recip()
    }
}

/// A clip that plays at a rate, round by round.
#[derive(Clone)]
pub struct Playing {
    pub clip: Arc<GroundClip>,
    pub rate: f32,
    time: f32,
    placed: Planar,
}

impl Playing {
    pub fn new(clip: &Arc<GroundClip>, rate: f32) -> Self {
        Self { clip: Arc::clone(clip), rate, time: 0.0, placed: Planar::IDENTITY }
    }

    pub fn pass(&mut self, dt: f32, pose: &mut [Transform]) {
        let length = self.clip.clip().duration();
        self.time += self.rate * dt;
        while self.clip.cyclic() && self.time >= length {
            self.time -= length;
            if let Some(round) = self.clip.round() {
                self.placed = self.placed.then(&round);
            }
        }
        self.clip.clip().sample(self.time, Wrap::Clamp, pose);
        pose[0] = self.placed.to_transform() * pose[0];
    }
}

/// Length of the legs of a character, over that of a human's.
fn size(character: &Character) -> f32 {
    let foot = &character.rig.feet[0];
    let bones = foot.leg[1..]
        .iter()
        .map(|&joint| character.skeleton.joint(joint).rest.translation.length());
    bones.sum::<f32>() / 0.85
}

/// Anything that makes poses over a plane.
pub struct Source {
    pub name: String,
    pub character: Arc<Character>,
    pub floor: f32,
    /// Length of its legs, in those of a human.
    pub size: f32,
    /// Two clips and how much the second counts, by time; one without the other.
    clips: Vec<Playing>,
    weight: fn(f32) -> f32,
    time: f32,
    root: Option<[Planar; 2]>,
    place: Vec2,
}

impl Source {
    pub fn of(case: &Case, rate: f32) -> Self {
        Self {
            name: format!("{} x{rate}", case.name),
            character: Arc::clone(case.clip.character()),
            floor: case.clip.height(),
            size: size(case.clip.character()),
            clips: vec![Playing::new(&case.clip, rate)],
            weight: |_| 0.0,
            time: 0.0,
            root: None,
            place: Vec2::ZERO,
        }
    }

    pub fn built_in(name: &str, rate: f32) -> Self {
        Self::of(&common::built_in_case(name), rate)
    }

    /// Two clips mixed with weights that come and go, as a game does that knows no better.
    pub fn mixed(a: &str, b: &str) -> Self {
        let mut source = Self::built_in(a, 1.0);
        source.name = format!("{a} and {b}");
        source.clips.push(Playing::new(&common::built_in(b), 1.1));
        source.weight = |time| 0.5 - 0.5 * (0.7 * time).cos();
        source
    }

    pub fn pass(&mut self, dt: f32, pose: &mut [Transform]) {
        self.time += dt;
        self.clips[0].pass(dt, pose);
        let Some(second) = self.clips.get_mut(1) else { return };
        let mut other = pose.to_vec();
        second.pass(dt, &mut other);
        let weight = (self.weight)(self.time);
        // The way of either is mixed, too.
        let ways = [&pose[0], &other[0]].map(Planar::from_transform);
        let before = self.root.unwrap_or(ways);
        let steps = [0, 1].map(|clip| ways[clip].position - before[clip].position);
        let place = self.place + steps[0].lerp(steps[1], weight);
        self.root = Some(ways);
        for (a, b) in pose.iter_mut().zip(&other) {
            a.translation = a.translation.lerp(b.translation, weight);
            a.rotation = rotation::nlerp(a.rotation, b.rotation, weight);
        }
        (pose[0].translation.x, pose[0].translation.z) = (place.x, place.y);
        self.place = place;
    }
}

/// A source with the layer over it.
pub struct Layered {
    pub source: Source,
    pub layer: FootPlacement,
    /// What came in, and what went out.
    pub before: Pose,
    pub pose: Pose,
}

impl Layered {
    pub fn new(source: Source) -> Self {
        Self::with(source, PlacementSettings::default())
    }

    pub fn with(source: Source, settings: PlacementSettings) -> Self {
        let layer = FootPlacement::new(Arc::clone(&source.character), settings).unwrap();
        let pose = Pose::rest(&source.character.skeleton);
        Self { source, layer, before: pose.clone(), pose }
    }

    pub fn step(&mut self, dt: f32, ground: &dyn Ground) -> PlacementReport {
        self.source.pass(dt, &mut self.before);
        self.pose.copy_from_slice(&self.before);
        let frame = SourceFrame::over(self.source.floor);
        let report = self.layer.step(&mut self.pose, &frame, ground, dt).unwrap();
        assert!(self.pose.iter().all(Transform::is_finite), "{}", self.source.name);
        report
    }
}
