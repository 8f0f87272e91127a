//! Giving way to a light touch while motion leads on.
//!
//! Forces can take over who stands, and who walks or runs straight ahead on level ground. Whoever turns, climbs, sets off or
//! arrives is not handed over for a touch that its next step would make up for: hips give way as the mass they carry, above
//! feet that step where they are led, and trunk and arms turn as the inertia that was struck. Each is a critically damped
//! spring, so that all of it dies away. No footstep changes, and nothing of it is a torque: takes say so by an event.

use crate::ComplianceSettings;
use andante_body::Physique;
use andante_dynamics::{Kinematics, Vec3 as Vector};
use andante_play::posture::{KeptAnkles, turn_joint};
use andante_play::repertoire::Repertoire;
use andante_skeleton::{Character, Transform, rotation};
use glam::Vec3;

/// What a touch has to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchedMass {
    /// All of it, kg.
    mass: f32,
    /// How fast it falls over as a pendulum, 1/s.
    rate: f32,
    /// All but the legs about the hips, kg·m².
    trunk: f32,
    /// Each arm about its shoulder, kg·m².
    arms: [f32; 2],
}

impl TouchedMass {
    /// Of a body whose links are joints of a character.
    pub fn new(physique: &Physique, joints: &[usize], character: &Character) -> Self {
        let model = &*physique.model;
        let mut kin = Kinematics::new(model);
        kin.set_positions(model, model.rest());
        // About any axis across: how a link is turned in its swing is not known beforehand.
        let about = |link: usize, pivot: Vector<f64>| {
            let own = &model.links()[link];
            let to = kin.point(model, link, own.centre) - pivot;
            let spin = (own.inertia.xx + own.inertia.yy + own.inertia.zz) / 3.0;
            (spin + own.mass * to.dot(to)) as f32
        };
        let hips = kin.position(model, physique.torso);
        let links = |counts: &dyn Fn(usize) -> bool| {
            let own = (0..model.links().len()).filter(|&link| counts(joints[link]));
            own.collect::<Vec<_>>()
        };
        let leg = |joint: usize| character.rig.feet.iter().any(|foot| foot.leg.contains(&joint));
        let trunk = links(&|joint| !leg(joint)).into_iter().map(|link| about(link, hips)).sum();
        let mut arms = [f32::INFINITY; 2];
        for (inertia, arm) in arms.iter_mut().zip(&character.rig.arms) {
            let own = links(&|joint| arm.chain.contains(&joint));
            if let Some(&shoulder) = own.first() {
                let pivot = kin.position(model, shoulder);
                *inertia = own.into_iter().map(|link| about(link, pivot)).sum();
            }
        }
        let rate = (physique.physics.gravity_strength() / physique.height).sqrt() as f32;
        Self { mass: physique.mass as f32, rate, trunk, arms }
    }

    /// kg.
    pub fn mass(&self) -> f32 {
        self.mass
    }
}

/// A touch: where it lands, which joint carries that, and what it does, N·s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub joint: usize,
    pub point: Vec3,
    pub impulse: Vec3,
    pub seconds: f32,
}

/// What swings back: how far it is from where it belongs, and how fast that changes.
#[derive(Clone, Copy, Debug, Default)]
struct Sway {
    at: Vec3,
    rate: Vec3,
}

/// The accelerations of a touch that still lasts.
#[derive(Clone, Copy, Debug)]
struct Lasting {
    left: f32,
    /// Hips, trunk and both arms.
    pushes: [Vec3; PARTS],
}

const PARTS: usize = 4;

/// How somebody gives way.
#[derive(Clone, Debug)]
pub(crate) struct Compliance {
    own: TouchedMass,
    lasting: Vec<Lasting>,
    /// Metres of the hips, radians of the trunk and of both arms.
    sways: [Sway; PARTS],
}

impl Compliance {
    pub fn new(own: TouchedMass) -> Self {
        Self { own, lasting: Vec::new(), sways: [Sway::default(); PARTS] }
    }

    /// The offset of the capture point with one more touch of an impulse, in metres: what a next step had to make up for
    /// (Pratt et al. 2006).
    pub fn capture(&self, impulse: Vec3) -> f32 {
        let coming: Vec3 = self.lasting.iter().map(|own| own.left * own.pushes[0]).sum();
        let rate = self.sways[0].rate + coming + impulse / self.own.mass;
        (self.sways[0].at + rate / self.own.rate).length()
    }

    /// Takes up a touch of a body whose joints are in the world.
    pub fn touch(&mut self, character: &Character, models: &[Transform], touch: &Touch) {
        let rig = &character.rig;
        let force = touch.impulse / touch.seconds.max(1e-3);
        let about = |pivot: usize| (touch.point - models[pivot].translation).cross(force);
        let leg = rig
            .feet
            .iter()
            .any(|foot| character.skeleton.subtree(foot.hip()).contains(&touch.joint));
        let mut pushes = [Vec3::ZERO; PARTS];
        // What leads up and down goes into the ground.
        pushes[0] = force.with_y(0.0) / self.own.mass;
        if !leg {
            pushes[1] = about(rig.hips) / self.own.trunk;
        }
        for (index, arm) in rig.arms.iter().take(2).enumerate() {
            if character.skeleton.subtree(arm.chain[0]).contains(&touch.joint) {
                pushes[2 + index] = about(arm.chain[0]) / self.own.arms[index];
            }
        }
        self.lasting.push(Lasting { left: touch.seconds.max(1e-3), pushes });
    }

    /// Lets time pass; whether anything is left of it.
    pub fn advance(&mut self, settings: &ComplianceSettings, dt: f32) -> bool {
        let halves = [settings.hips, settings.trunk, settings.arms, settings.arms];
        let mut left = dt;
        while left > 0.0 {
            // Until the next touch is over.
            let piece = self.lasting.iter().fold(left, |piece, own| piece.min(own.left));
            for (part, (sway, half)) in self.sways.iter_mut().zip(halves).enumerate() {
                let push = self.lasting.iter().map(|own| own.pushes[part]).sum();
                let next =
                    andante_play::spring::damped_under(push, sway.at, sway.rate, half, piece);
                (sway.at, sway.rate) = next;
            }
            self.lasting.iter_mut().for_each(|own| own.left -= piece);
            self.lasting.retain(|own| own.left > 1e-6);
            left -= piece;
        }
        self.is_swaying()
    }

    /// True if anything is left of it.
    pub fn is_swaying(&self) -> bool {
        let ends = |sway: &Sway| sway.at.length() < 1e-4 && sway.rate.length() < 1e-3;
        !(self.lasting.is_empty() && self.sways.iter().all(ends))
    }

    /// Lets a pose that is placed in the world give way; `models` follow. Feet stay where they are.
    pub fn apply(
        &self,
        settings: &ComplianceSettings,
        repertoire: &Repertoire,
        pose: &mut [Transform],
        models: &mut [Transform],
    ) {
        let character = repertoire.character();
        let Character { skeleton, rig, .. } = character;
        let ankles = KeptAnkles::of(character, models);
        let mut shift = |by: Vec3, models: &mut [Transform]| {
            pose[0].translation += by;
            models.iter_mut().for_each(|model| model.translation += by);
        };
        shift(self.sways[0].at.clamp_length_max(settings.farthest), models);
        shift(-ankles.sinks(character, models, settings.stretch) * Vec3::Y, models);
        let turn = |part: usize| self.sways[part].at.clamp_length_max(settings.farthest_turn);
        let share = turn(1) / rig.spine.len().max(1) as f32;
        for &joint in &rig.spine {
            turn_joint(skeleton, joint, rotation::exp(share), pose, models);
        }
        for (index, arm) in rig.arms.iter().take(2).enumerate() {
            turn_joint(skeleton, arm.chain[0], rotation::exp(turn(2 + index)), pose, models);
        }
        ankles.keep(repertoire, pose, models);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physical::PhysicalBody;
    use andante_skeleton::{Pose, humanoid};
    use std::sync::Arc;

    fn touched(seconds: f32, frames: &[f32]) -> (Repertoire, Compliance) {
        let human = humanoid();
        let flesh = PhysicalBody::new(&human, Arc::default()).unwrap();
        let mut own = Compliance::new(flesh.touched);
        let models = human.skeleton.rest_models();
        let chest = models[*human.rig.spine.last().unwrap()].translation;
        let (joint, impulse) = (human.rig.spine[0], Vec3::X * 15.0);
        own.touch(&human, &models, &Touch { joint, point: chest, impulse, seconds });
        for dt in frames {
            own.advance(&ComplianceSettings::default(), *dt);
        }
        (andante_motion::repertoire::built_in(&human).unwrap(), own)
    }

    #[test]
    fn giving_way_is_the_same_at_any_frame_time_and_dies_away() {
        let (_, slow) = touched(0.1, &[0.25]);
        let (_, quick) = touched(0.1, &[0.001; 250]);
        for (a, b) in slow.sways.iter().zip(&quick.sways) {
            assert!(a.at.distance(b.at) < 1e-4 && a.rate.distance(b.rate) < 1e-3, "{a:?} {b:?}");
        }
        assert!((0.005..0.04).contains(&slow.sways[0].at.x), "{:?}", slow.sways[0]);
        assert!(slow.sways[1].at.z < -0.01, "the trunk leans to +x: {:?}", slow.sways[1]);
        let (_, mut later) = touched(0.1, &[0.1; 60]);
        assert!(!later.advance(&ComplianceSettings::default(), 0.01));
    }

    /// All that an impulse does to a free mass is its momentum: with springs as soft as may be, hips go at J / m.
    #[test]
    fn hips_take_the_whole_impulse() {
        let human = humanoid();
        let flesh = PhysicalBody::new(&human, Arc::default()).unwrap();
        let mut own = Compliance::new(flesh.touched);
        let models = human.skeleton.rest_models();
        let (joint, point) = (human.rig.hips, models[human.rig.hips].translation);
        let impulse = Vec3::new(3.0, 0.0, -4.0);
        own.touch(&human, &models, &Touch { joint, point, impulse, seconds: 0.05 });
        let soft = ComplianceSettings { hips: 10.0, ..ComplianceSettings::default() };
        own.advance(&soft, 0.05);
        let wanted = impulse / flesh.physique.mass as f32;
        assert!(own.sways[0].rate.distance(wanted) < 0.03 * wanted.length());
    }

    #[test]
    fn feet_stay_and_no_bone_changes_its_length() {
        let (repertoire, own) = touched(0.05, &[0.2]);
        let human = repertoire.character();
        let mut pose = Pose::rest(&human.skeleton);
        let mut models = human.skeleton.rest_models();
        let before = models.clone();
        own.apply(&ComplianceSettings::default(), &repertoire, &mut pose, &mut models);
        assert!(
            models[human.rig.hips].translation.x > before[human.rig.hips].translation.x + 0.005
        );
        for foot in &human.rig.feet {
            for joint in human.skeleton.subtree(foot.ankle()) {
                let way = models[joint].translation.distance(before[joint].translation);
                assert!(way < 1e-3, "{way}");
            }
        }
        let mut again = models.clone();
        human.skeleton.local_to_model(&pose, &mut again);
        for (a, b) in models.iter().zip(&again) {
            assert!(a.translation.distance(b.translation) < 1e-4);
        }
    }
}
