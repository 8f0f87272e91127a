//! Limbs that go from pose to pose by springs and dampers that muscles play.

use andante_dynamics::{Simulation, Vec3, vec3};
use serde::{Deserialize, Serialize};

use crate::physique::Physique;

/// Joints of a side, from the trunk outwards: hip, knee, ankle, shoulder, elbow.
const JOINTS: usize = 5;
/// Rotation vectors of all limbs, left and right.
type Turns = [[Vec3<f64>; JOINTS]; 2];

/// The error of a body that lacks the limbs to fall and get up like a human.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("to fall and get up, a body needs {0}")]
pub struct LimbsError(&'static str);

/// Angles of the limbs of one side, degrees about the joints' own axes, as those of a left side; a right side's are its
/// mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limbs {
    /// The hip: bent forwards is negative; the second number turns the toes in, the third spreads the leg.
    pub hip: [f64; 3],
    /// The knee: bent is positive.
    pub knee: f64,
    /// The ankle: toes down is positive.
    pub ankle: f64,
    /// The shoulder: an arm raised forwards is negative; the third number raises it sideways.
    pub shoulder: [f64; 3],
    /// The elbow: bent is negative.
    pub elbow: f64,
}

impl Limbs {
    fn turns(&self, outwards: f64) -> [Vec3<f64>; JOINTS] {
        let ball = |[x, y, z]: [f64; 3]| vec3(x, y * outwards, z * outwards);
        let bend = |x: f64| vec3(x, 0.0, 0.0);
        let degrees = [
            ball(self.hip),
            bend(self.knee),
            bend(self.ankle),
            ball(self.shoulder),
            bend(self.elbow),
        ];
        degrees.map(|turn| turn * 1f64.to_radians())
    }

    /// Between this and another.
    pub fn mix(&self, other: &Limbs, part: f64) -> Limbs {
        let one = |a: f64, b: f64| a + (b - a) * part;
        let three = |a: [f64; 3], b: [f64; 3]| [one(a[0], b[0]), one(a[1], b[1]), one(a[2], b[2])];
        Limbs {
            hip: three(self.hip, other.hip),
            knee: one(self.knee, other.knee),
            ankle: one(self.ankle, other.ankle),
            shoulder: three(self.shoulder, other.shoulder),
            elbow: one(self.elbow, other.elbow),
        }
    }
}

/// A pose to go to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// How long the way there takes, s.
    pub seconds: f64,
    /// Share of a joint's strength it uses per radian it is off.
    pub stiffness: f64,
    /// Left, then right.
    pub sides: [Limbs; 2],
}

impl Key {
    /// The same on both sides.
    pub const fn both(seconds: f64, stiffness: f64, side: Limbs) -> Self {
        Key { seconds, stiffness, sides: [side; 2] }
    }

    /// The mirror image.
    pub fn mirrored(self) -> Self {
        let [left, right] = self.sides;
        Key { sides: [right, left], ..self }
    }
}

/// Drives the joints of a human body from pose to pose.
#[derive(Clone, Debug)]
pub struct Muscles {
    damping: MuscleDamping,
    links: [[usize; JOINTS]; 2],
    from: Turns,
    to: Turns,
    began: f64,
    seconds: f64,
    stiffness: f64,
}

andante_skeleton::settings! {
    /// The damping of joints by muscles.
    #[serde(deny_unknown_fields)]
    pub struct MuscleDamping: Copy, Serialize, Deserialize {
        /// Share of a joint's strength that damps it, per rad/s, where it is held with all its strength. Usually 0.05
        /// to 0.5; less swings, more is slow.
        tense: f64 = 0.2, 0.0..;
        /// The same of a body that is relaxed.
        limp: f64 = 0.03, 0.0..;
    }
}

impl Muscles {
    /// Finds the limbs of a body.
    pub fn new(physique: &Physique, damping: MuscleDamping) -> Result<Self, LimbsError> {
        let links = physique.model.links();
        let child = |of: usize| links.iter().position(|link| link.parent == Some(of));
        let mut found = [[0; JOINTS]; 2];
        for (side, sole) in physique.soles.iter().enumerate() {
            let shank =
                links[sole.link].parent.filter(|&shank| links[shank].parent == Some(sole.hip));
            let shank = shank.ok_or(LimbsError("legs of thigh, shank and foot"))?;
            let arm = links.iter().enumerate().find(|(index, link)| {
                link.parent == Some(physique.torso)
                    && physique.soles.iter().all(|sole| sole.hip != *index)
                    && link.origin.x * sole.outwards > 0.0
            });
            let upper = arm.map(|(index, _)| index).ok_or(LimbsError("an arm on each side"))?;
            let fore = child(upper).ok_or(LimbsError("arms that bend"))?;
            found[side] = [sole.hip, shank, sole.link, upper, fore];
        }
        Ok(Muscles {
            damping,
            links: found,
            from: Turns::default(),
            to: Turns::default(),
            began: 0.0,
            seconds: 0.0,
            stiffness: 0.0,
        })
    }

    /// The links of a side: thigh, shank, foot, upper arm, forearm.
    pub fn links(&self, side: usize) -> &[usize; JOINTS] {
        &self.links[side]
    }

    /// Sets out for a pose from the one the body is in.
    pub fn begin(&mut self, physique: &Physique, simulation: &Simulation<f64>, key: &Key) {
        let (model, q) = (&*physique.model, &simulation.state().q);
        for (from, links) in self.from.iter_mut().zip(&self.links) {
            for (turn, &link) in from.iter_mut().zip(links) {
                let at = model.coordinate_range(link);
                *turn = model.links()[link].joint.turn(&q[at]);
            }
        }
        self.aim(simulation.time(), key);
        // Of the two rotation vectors that a turn has, the one from which the way is shorter.
        for (from, to) in self.from.iter_mut().flatten().zip(self.to.iter().flatten()) {
            let angle = from.length();
            if angle > 1e-6 {
                let other = *from * (1.0 - std::f64::consts::TAU / angle);
                if (*to - other).length() < (*to - *from).length() {
                    *from = other;
                }
            }
        }
    }

    /// Sets out for a pose from the one wanted last.
    pub fn go_on(&mut self, time: f64, key: &Key) {
        self.from = self.wanted(time);
        self.aim(time, key);
    }

    fn aim(&mut self, time: f64, key: &Key) {
        self.began = time;
        self.retarget(key);
    }

    /// Changes the pose it is on the way to.
    pub fn retarget(&mut self, key: &Key) {
        self.to = [key.sides[0].turns(1.0), key.sides[1].turns(-1.0)];
        self.seconds = key.seconds;
        self.stiffness = key.stiffness;
    }

    /// Seconds until the pose should be reached; negative afterwards.
    pub fn left(&self, time: f64) -> f64 {
        self.began + self.seconds - time
    }

    fn wanted(&self, time: f64) -> Turns {
        let u = ((time - self.began) / self.seconds.max(1e-9)).clamp(0.0, 1.0);
        let part = u * u * (3.0 - 2.0 * u);
        let mut wanted = self.from;
        for (wanted, to) in wanted.iter_mut().flatten().zip(self.to.iter().flatten()) {
            *wanted += (*to - *wanted) * part;
        }
        wanted
    }

    /// Sets the controls of the next step. Joints that are no limbs are left alone.
    pub fn drive(&self, physique: &Physique, simulation: &mut Simulation<f64>) {
        let (wanted, damping) = (self.wanted(simulation.time()), self.damping);
        let model = &*physique.model;
        let controls = simulation.controls_mut();
        for (wanted, links) in wanted.iter().zip(&self.links) {
            for (turn, &link) in wanted.iter().zip(links) {
                let definition = &model.links()[link];
                let at = model.coordinate_range(link);
                definition.joint.set_turn(*turn, &mut controls.target_mut()[at]);
                for (axis, k) in model.freedom_range(link).enumerate() {
                    let limit = definition.axes[axis].torque_limit;
                    let strength = if limit.is_finite() { limit } else { 100.0 };
                    controls.torque_mut()[k] = 0.0;
                    controls.gain_mut()[k] = self.stiffness * strength;
                    controls.rate_gain_mut()[k] =
                        strength * (damping.tense * self.stiffness.min(1.0)).max(damping.limp);
                }
            }
        }
    }

    /// Lets go of the springs, so that another controller can take over.
    pub fn release(&self, simulation: &mut Simulation<f64>) {
        simulation.controls_mut().gain_mut().fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use andante_dynamics::{ContactTerrain, JointState, PhysicsSettings, Quat};

    use super::*;

    #[test]
    fn an_arm_that_is_nearly_half_turned_sets_out_the_short_way() {
        let body = crate::creature("humanoid").unwrap();
        let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap();
        let mut muscles = Muscles::new(&physique, MuscleDamping::default()).unwrap();
        let model = &*physique.model;
        let mut simulation = Simulation::new(
            physique.model.clone(),
            ContactTerrain::level(),
            PhysicsSettings::default(),
        )
        .unwrap();
        let mut state = JointState::<f64>::rest(model);
        let upper = muscles.links(0)[3];
        let turn = vec3(170f64.to_radians(), 0.0, 0.0);
        Quat::exp(turn).write(&mut state.q[model.coordinate_range(upper)]);
        simulation.set_state(&state).unwrap();
        let limbs = Limbs {
            hip: [0.0; 3],
            knee: 0.0,
            ankle: 0.0,
            shoulder: [-165.0, 0.0, 0.0],
            elbow: 0.0,
        };
        muscles.begin(&physique, &simulation, &Key::both(1.0, 1.0, limbs));
        for k in 0..=10 {
            let wanted = muscles.wanted(f64::from(k) / 10.0)[0][3].x.to_degrees();
            assert!((-190.1..-164.9).contains(&wanted), "{wanted}");
        }
    }
}
