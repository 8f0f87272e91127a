//! A clip of a human cast on a physical body: its trunk, its legs by where the feet are, its arms by their directions.

use andante_dynamics::{JointState, Model, Quat, Vec3};
use andante_skeleton::{Character, Clip, Transform};
use glam::{DMat3, DQuat, DVec3};

use super::cycle_settings::CycleSettings;
use super::foot_path::{ClipFoot, FootPath, Shoe};
use crate::physique::Physique;

/// An error that keeps a body from walking as a clip does.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WalkError {
    /// The body is not built like a human.
    #[error("to walk, a body needs {0}")]
    Body(&'static str),
    /// The clip is not a walk of two feet that repeats.
    #[error("the clip is no walk: {0}")]
    Clip(&'static str),
    /// No clip could be made.
    #[cfg(feature = "walks")]
    #[error(transparent)]
    Synth(#[from] andante_motion::synth::SynthError),
}

/// The links of a leg or an arm, from the trunk outwards.
#[derive(Clone, Copy, Debug)]
struct LinkChain {
    upper: usize,
    lower: usize,
    /// Lengths of both.
    lengths: [f64; 2],
    /// Where it hangs on the trunk.
    socket: DVec3,
}

/// How the parts of a body correspond to those of a human.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    legs: [LinkChain; 2],
    feet: [usize; 2],
    arms: Vec<(usize, LinkChain)>,
    pub shoe: Shoe,
    root: usize,
}

/// A pose of a human as a body of few segments can take it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CastPose {
    pub trunk: DQuat,
    /// Middle of the hips.
    pub hips: DVec3,
    /// Towards which side of the legs the knees are.
    pub knees: [DVec3; 2],
    /// Ankles, and how the feet are turned.
    pub feet: [(DVec3, DQuat); 2],
    /// Where the arms bend about, and the directions of upper arm and forearm.
    pub arms: [Option<[DVec3; 3]>; 2],
}

fn glam(v: Vec3<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn turn(q: &Quat<f64>) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

impl Build {
    pub fn new(physique: &Physique) -> Result<Self, WalkError> {
        let model = &*physique.model;
        let links = model.links();
        let root = physique.torso;
        if links[root].parent.is_some() {
            return Err(WalkError::Body("a trunk that nothing carries"));
        }
        let mut legs = Vec::new();
        for sole in &physique.soles {
            let lower = links[sole.link].parent.unwrap_or(root);
            let upper = links[lower].parent.unwrap_or(root);
            if upper != sole.hip || links[upper].parent != Some(root) {
                return Err(WalkError::Body("legs of thigh, shank and foot on its trunk"));
            }
            let lengths = [links[lower].origin.length(), links[sole.link].origin.length()];
            legs.push(LinkChain { upper, lower, lengths, socket: glam(links[upper].origin) });
        }
        let [left, right] = [legs[0], legs[1]];
        let mut arms = Vec::new();
        for (upper, link) in links.iter().enumerate() {
            let arm = link.parent == Some(root) && !physique.soles.iter().any(|s| s.hip == upper);
            let lower = links.iter().position(|other| other.parent == Some(upper));
            if let (true, Some(lower)) = (arm, lower) {
                let lengths = [links[lower].origin.length(), 0.0];
                let side = usize::from(link.origin.x < 0.0);
                arms.push((side, LinkChain { upper, lower, lengths, socket: glam(link.origin) }));
            }
        }
        let corners = physique.soles[0].edges();
        let reach =
            |pick: fn(f64, f64) -> f64, first: f64| corners.iter().map(|c| c.z).fold(first, pick);
        let shoe = Shoe {
            heel: reach(f64::min, f64::INFINITY),
            toe: reach(f64::max, f64::NEG_INFINITY),
            below: -corners[0].y,
        };
        if shoe.heel >= 0.0 || shoe.toe <= 0.0 || shoe.below <= 0.0 {
            return Err(WalkError::Body("ankles above its soles"));
        }
        let feet = [physique.soles[0].link, physique.soles[1].link];
        Ok(Build { legs: [left, right], feet, arms, shoe, root })
    }

    /// The hip of a leg in the world.
    pub fn hip(&self, trunk: DQuat, hips: DVec3, leg: usize) -> DVec3 {
        let middle = 0.5 * (self.legs[0].socket + self.legs[1].socket);
        hips + trunk * (self.legs[leg].socket - middle)
    }

    /// Length of a straight leg from hip to ankle.
    pub fn leg(&self, leg: usize) -> f64 {
        self.legs[leg].lengths.iter().sum()
    }

    /// The coordinates of a pose.
    pub fn coordinates(&self, model: &Model, pose: &CastPose) -> Vec<f64> {
        let mut turned: Vec<Option<DQuat>> = vec![None; model.links().len()];
        turned[self.root] = Some(pose.trunk);
        let middle = 0.5 * (self.legs[0].socket + self.legs[1].socket);
        let place = pose.hips - pose.trunk * middle;
        for (side, leg) in self.legs.iter().enumerate() {
            let (ankle, foot) = pose.feet[side];
            let hip = self.hip(pose.trunk, pose.hips, side);
            let [thigh, shank] = bend(hip, ankle, leg.lengths, pose.knees[side], foot);
            turned[leg.upper] = Some(thigh);
            turned[leg.lower] = Some(shank);
            turned[self.feet[side]] = Some(foot);
        }
        for (side, arm) in &self.arms {
            if let Some([across, upper, lower]) = pose.arms[*side] {
                turned[arm.upper] = Some(frame_of(across, upper));
                turned[arm.lower] = Some(frame_of(across, lower));
            }
        }
        let mut q = JointState::<f64>::rest(model).q;
        let at = model.coordinate_range(self.root).start;
        q[at..at + 3].copy_from_slice(&place.to_array());
        write(pose.trunk, &mut q[at + 3..at + 7]);
        for (index, link) in model.links().iter().enumerate() {
            let (Some(parent), Some(own)) = (link.parent, turned[index]) else { continue };
            let Some(above) = turned[parent] else { continue };
            let joint =
                turn(&link.rotation).conjugate() * above.conjugate() * own * turn(&link.inner);
            let range = model.coordinate_range(index);
            if range.len() == 4 {
                write(joint, &mut q[range]);
            } else if range.len() == 1 {
                q[range.start] = 2.0 * libm::atan2(joint.x, joint.w);
            }
        }
        q
    }
}

/// One frame of the clip, as far as the body can follow it.
struct ReferenceFrame {
    trunk: DQuat,
    /// Middle of the hips.
    hips: DVec3,
    knees: [DVec3; 2],
    arms: [Option<[DVec3; 2]>; 2],
}

/// A cycle of a clip on a body.
pub(super) struct WalkReference {
    settings: CycleSettings,
    build: Build,
    frames: Vec<ReferenceFrame>,
    pub feet: [FootPath; 2],
    /// Seconds of the cycle.
    pub period: f64,
    /// Way of the cycle.
    pub travel: DVec3,
    /// How far the hips are lowered, so that the legs reach, frame by frame.
    lowered: Vec<f64>,
}

impl WalkReference {
    pub fn new(
        physique: &Physique,
        character: &Character,
        clip: &Clip,
        down: &dyn Fn(usize, f32) -> [bool; 2],
        settings: &CycleSettings,
    ) -> Result<Self, WalkError> {
        let build = Build::new(physique)?;
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        if rig.feet.len() != 2 || clip.frame_count() <= 8 {
            return Err(WalkError::Clip("it needs two feet and a cycle"));
        }
        let count = clip.frame_count() - 1;
        let chest = rig.spine.get(rig.spine.len() / 2).copied().unwrap_or(rig.hips);
        let at = |models: &[Transform], joint: usize| models[joint].translation.as_dvec3();
        let mut models = skeleton.rest_models();
        let stature = at(&models, rig.feet[0].hip()).y;
        let grown = build.legs[0].lengths.iter().sum::<f64>() + build.shoe.below - stature;
        let mut frames = Vec::with_capacity(count);
        let mut feet = [Vec::with_capacity(count), Vec::with_capacity(count)];
        let mut ends = [DVec3::ZERO; 2];
        for index in 0..=count {
            skeleton.local_to_model(clip.frame(index), &mut models);
            let root = 0.5 * (at(&models, rig.feet[0].hip()) + at(&models, rig.feet[1].hip()));
            if index == 0 || index == count {
                ends[usize::from(index == count)] = root;
            }
            if index == count {
                break;
            }
            let turned = |joint: usize| models[joint].rotation.as_dquat().normalize();
            let time = clip.frame_time(index);
            for (foot, path) in feet.iter_mut().enumerate() {
                let own = &rig.feet[foot];
                let [heel_down, toe_down] = down(foot, time);
                let ahead = turned(own.ankle()) * DVec3::Z;
                path.push(ClipFoot {
                    ankle: at(&models, own.ankle()),
                    pitch: libm::asin(ahead.y.clamp(-1.0, 1.0)),
                    yaw: libm::atan2(ahead.x, ahead.z),
                    heel_down,
                    toe_down,
                });
            }
            let knee = |foot: usize| {
                let leg = &rig.feet[foot].leg;
                let (hip, knee) = (at(&models, leg[0]), at(&models, leg[leg.len() / 2]));
                knee - 0.5 * (hip + at(&models, rig.feet[foot].ankle()))
            };
            let arm = |side: usize| {
                let arm = rig.arms.get(side).filter(|arm| arm.chain.len() >= 3)?;
                let [a, b, c] = [0, 1, 2].map(|k| at(&models, arm.chain[k]));
                Some([(b - a).normalize_or_zero(), (c - b).normalize_or_zero()])
            };
            let trunk = turned(rig.hips).slerp(turned(chest), 0.5);
            frames.push(ReferenceFrame {
                trunk,
                hips: root + DVec3::Y * grown,
                knees: [knee(0), knee(1)],
                arms: [arm(0), arm(1)],
            });
        }
        let travel = ends[1] - ends[0];
        let path = |foot: &[ClipFoot]| {
            FootPath::new(foot, travel, &build.shoe, settings)
                .ok_or(WalkError::Clip("a foot that never stands or never swings"))
        };
        let feet = [path(&feet[0])?, path(&feet[1])?];
        Ok(WalkReference {
            settings: *settings,
            frames,
            feet,
            period: f64::from(clip.duration()),
            travel,
            lowered: vec![0.0; count],
            build,
        })
    }

    /// Frames of the cycle.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Seen from its ankle.
    pub fn shoe(&self) -> &Shoe {
        &self.build.shoe
    }

    /// The hip of a leg in the world.
    fn hip(&self, frame: usize, leg: usize, shift: DVec3) -> DVec3 {
        let own = &self.frames[frame];
        let hips = own.hips - DVec3::Y * self.lowered[frame] + shift;
        self.build.hip(own.trunk, hips, leg)
    }

    /// How much too short a leg is to reach the foot, in height.
    fn missing(&self, frame: usize, leg: usize, shift: DVec3, stretch: f64) -> f64 {
        let hip = self.hip(frame, leg, shift);
        let off = hip - self.feet[leg].poses[frame].ankle;
        let reach = stretch * self.build.legs[leg].lengths.iter().sum::<f64>();
        let across = libm::hypot(off.x, off.z).min(0.99 * reach);
        off.y - (reach * reach - across * across).sqrt()
    }

    /// Turns the trunk by so much more in every frame, rad about the world's axes. Arms keep their directions.
    pub fn turn_trunk(&mut self, by: &[[f64; 3]]) {
        for (frame, by) in self.frames.iter_mut().zip(by) {
            frame.trunk = (DQuat::from_scaled_axis(DVec3::from(*by)) * frame.trunk).normalize();
        }
    }

    /// Sinks by the same everywhere, so that standing legs reach: whoever flies cannot choose when to sink.
    pub fn lower_evenly(&mut self, shifts: &[DVec3]) {
        let n = self.len();
        self.lowered.fill(0.0);
        let mut most = 0.0f64;
        for (leg, foot) in self.feet.iter().enumerate() {
            for k in 0..=foot.stance {
                let frame = (foot.strike + k) % n;
                most = most.max(self.missing(
                    frame,
                    leg,
                    shifts[frame],
                    self.settings.running_stretch,
                ));
            }
        }
        self.lowered.fill(most);
    }

    /// Sinks where legs would be too short, and smoothly so.
    pub fn lower(&mut self, shifts: &[DVec3]) {
        let n = self.len();
        self.lowered.fill(0.0);
        let missing: Vec<f64> = (0..n)
            .map(|frame| {
                let one =
                    |leg: usize| self.missing(frame, leg, shifts[frame], self.settings.stretch);
                one(0).max(one(1)).max(0.0)
            })
            .collect();
        let window = n / 10;
        let around = |values: &[f64], at: usize, sum: fn(f64, f64) -> f64| {
            (0..=2 * window).map(|k| values[(at + n + k - window) % n]).fold(0.0, sum)
        };
        let most: Vec<f64> = (0..n).map(|k| around(&missing, k, f64::max)).collect();
        let part = 1.0 / (2 * window + 1) as f64;
        let once: Vec<f64> = (0..n).map(|k| part * around(&most, k, |a, b| a + b)).collect();
        self.lowered = once;
    }

    /// The coordinates of a frame, with the trunk shifted.
    pub fn coordinates(&self, model: &Model, frame: usize, shift: DVec3) -> Vec<f64> {
        let own = &self.frames[frame];
        let foot = |side: usize| {
            let pose = &self.feet[side].poses[frame];
            (pose.ankle, pose.rotation())
        };
        let arm = |directions: [DVec3; 2]| {
            let [upper, lower] = directions;
            let across = lower.cross(upper).try_normalize().unwrap_or(own.trunk * DVec3::X);
            [across, upper, lower]
        };
        let pose = CastPose {
            trunk: own.trunk,
            hips: own.hips - DVec3::Y * self.lowered[frame] + shift,
            knees: own.knees,
            feet: [foot(0), foot(1)],
            arms: own.arms.map(|directions| directions.map(arm)),
        };
        self.build.coordinates(model, &pose)
    }
}

fn write(q: DQuat, to: &mut [f64]) {
    let q = q.normalize();
    to.copy_from_slice(&[q.x, q.y, q.z, q.w]);
}

/// The rotation of a bone that points along `down` and bends about `across`.
fn frame_of(across: DVec3, down: DVec3) -> DQuat {
    let y = -down;
    let z = across.cross(y).normalize_or(DVec3::Z);
    DQuat::from_mat3(&DMat3::from_cols(y.cross(z), y, z)).normalize()
}

/// A distance that a leg of this length can span: a knee that snaps straight has no bounds on its speed.
fn softly(distance: f64, length: f64) -> f64 {
    let (free, most) = (0.988 * length, 0.997 * length);
    if distance <= free {
        return distance;
    }
    let room = most - free;
    free + room * (1.0 - libm::exp(-(distance - free) / room))
}

/// Rotations of thigh and shank so that the ankle is reached, with the knee towards `pole`.
fn bend(hip: DVec3, ankle: DVec3, lengths: [f64; 2], pole: DVec3, foot: DQuat) -> [DQuat; 2] {
    let [a, b] = lengths;
    let line = ankle - hip;
    let distance = softly(line.length(), a + b).max((a - b).abs() + 1e-6);
    let along = line.try_normalize().unwrap_or(-DVec3::Y);
    let out = pole - along * pole.dot(along);
    let ahead = foot * DVec3::Z;
    let out =
        out.try_normalize().unwrap_or(ahead - along * ahead.dot(along)).normalize_or(DVec3::Z);
    let x = (a * a - b * b + distance * distance) / (2.0 * distance);
    let knee = hip + along * x + out * (a * a - x * x).max(0.0).sqrt();
    let (thigh, shank) = ((knee - hip) / a, (hip + along * distance - knee) / b);
    let across = out.cross(along).normalize_or(DVec3::X);
    [frame_of(across, thigh), frame_of(across, shank)]
}
