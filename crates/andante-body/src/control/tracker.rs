//! Following a motion with joint torques.
//!
//! Every joint is asked for the acceleration of the reference plus a critically damped pull towards it (computed torque).
//! Inverse dynamics says what that takes of the joints and of the root. Nothing holds a root, so the soles that touch the
//! ground push as much of it as friction and their size allow; the rest is missing unless an assistant helps.

use andante_dynamics::{Inverse, Kinematics, Simulation, Vec3, vec3};

use crate::body_sense::BodySense;
use crate::control::contact_forces::{ContactPatch, ForceGoal, distribute};
use crate::control::whole_body::for_each_angle;
use crate::physique::Physique;

/// The reference state of a tracked body: positions, velocities and accelerations, laid out as the model says.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
}

impl Reference {
    /// A pose to be held.
    pub fn pose(q: &[f64], freedoms: usize) -> Self {
        Reference { q: q.to_vec(), v: vec![0.0; freedoms], a: vec![0.0; freedoms] }
    }

    /// The motion between three sets of coordinates `step` seconds apart, at the middle one.
    pub fn between(
        physique: &Physique,
        before: &[f64],
        now: &[f64],
        after: &[f64],
        step: f64,
    ) -> Self {
        let n = physique.model.freedoms();
        let mut reference = Reference::pose(now, n);
        let (mut first, mut second) = (vec![0.0; n], vec![0.0; n]);
        difference(physique, before, now, 1.0 / step, &mut first);
        difference(physique, now, after, 1.0 / step, &mut second);
        for k in 0..n {
            reference.v[k] = 0.5 * (first[k] + second[k]);
            reference.a[k] = (second[k] - first[k]) / step;
        }
        reference
    }
}

/// The velocities that lead from one set of coordinates to another in the time `1 / rate`.
pub fn difference(physique: &Physique, from: &[f64], to: &[f64], rate: f64, v: &mut [f64]) {
    let model = &*physique.model;
    for (link, definition) in model.links().iter().enumerate() {
        let at = model.coordinate_range(link);
        let way = definition.joint.difference(&from[at.clone()], &to[at]);
        for (v, way) in v[model.freedom_range(link)].iter_mut().zip(way) {
            *v = way * rate;
        }
    }
}

/// Mean angle between the joints of two sets of coordinates, rad.
pub fn mean_angle(physique: &Physique, q: &[f64], other: &[f64]) -> f64 {
    let (mut sum, mut count, mut square, mut last) = (0.0, 0.0, 0.0, None);
    let model = &*physique.model;
    let joint =
        |k: usize| (0..model.links().len()).find(|&link| model.freedom_range(link).contains(&k));
    for_each_angle(model, q, other, |k, error| {
        if joint(k) != last {
            sum += f64::sqrt(square);
            (square, last, count) = (0.0, joint(k), count + 1.0);
        }
        square += error * error;
    });
    if count > 0.0 { (sum + f64::sqrt(square)) / count } else { 0.0 }
}

/// The regime of a tracked body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regime {
    /// It follows the reference.
    Follow,
    /// It is far from it and comes back softly.
    Recover,
    /// It has let go.
    Fall,
}

andante_skeleton::settings! {
    /// Gains and limits of motion tracking.
    pub struct TrackOptions: Copy {
        /// Stiffness of every joint's pull towards the reference, 1/s².
        stiffness: f64 = 400.0, 0.0..;
        /// 1 is critical.
        damping_ratio: f64 = 1.0, 0.0..;
        /// Share of what the root misses that an assistant adds.
        assist: f64 = 1.0, 0.0..=1.0;
        /// Distance of the root from the reference at which it stops following and recovers, m.
        recover_at: f64 = 0.25, 0.0..;
        /// Distance at which it gives up, m.
        fall_at: f64 = 1.0, 0.0..;
        /// Share of a joint's torque limit per rad/s of deviation within a step, integrated implicitly.
        damping: f64 = 0.02, 0.0..;
        /// Part of the friction that is relied on: a foot at the edge of its cone slips.
        grip: f64 = 0.9, 0.0..=1.0;
        /// How fast strength comes and goes between regimes, 1/s. Fast: it lets go and grips at once.
        ramp: f64 = 4.0, 0.0..;
    }
}

/// Drives a body along a reference.
#[derive(Clone, Debug)]
pub struct Tracker {
    options: TrackOptions,
    senses: BodySense,
    inverse: Inverse<f64>,
    wanted: Vec<f64>,
    torque: Vec<f64>,
    deviation: Vec<f64>,
    columns: Vec<Vec3<f64>>,
    patches: Vec<ContactPatch>,
    points: Vec<(usize, Vec3<f64>)>,
    forces: Vec<Vec3<f64>>,
    strength: f64,
    regime: Regime,
}

impl Tracker {
    /// A tracker at full strength.
    pub fn new(physique: &Physique, options: TrackOptions) -> Self {
        let n = physique.model.freedoms();
        Tracker {
            options,
            senses: BodySense::default(),
            inverse: Inverse::new(&physique.model),
            wanted: vec![0.0; n],
            torque: vec![0.0; n],
            deviation: vec![0.0; n],
            columns: vec![Vec3::default(); n],
            patches: Vec::with_capacity(8),
            points: Vec::with_capacity(8),
            forces: vec![Vec3::default(); 8],
            strength: 1.0,
            regime: Regime::Follow,
        }
    }

    /// The regime of the body.
    pub fn regime(&self) -> Regime {
        self.regime
    }

    /// Lets go, or takes hold again.
    pub fn set_regime(&mut self, regime: Regime) {
        self.regime = regime;
    }

    /// Force and torque of the assistant in the last step.
    pub fn assistance(&self) -> (Vec3<f64>, Vec3<f64>) {
        let share = self.options.assist * self.strength;
        let t = &self.torque;
        (vec3(t[3], t[4], t[5]) * share, vec3(t[0], t[1], t[2]) * share)
    }

    /// Mean angle between the joints and their references, rad.
    pub fn error(
        &self,
        physique: &Physique,
        simulation: &Simulation<f64>,
        reference: &Reference,
    ) -> f64 {
        mean_angle(physique, &simulation.state().q, &reference.q)
    }

    /// Sets the controls, and the assistant's force, for the next step.
    pub fn drive(
        &mut self,
        physique: &Physique,
        reference: &Reference,
        simulation: &mut Simulation<f64>,
    ) {
        self.senses.feel(physique, simulation);
        let step = simulation.settings().step;
        difference(physique, &simulation.state().q, &reference.q, 1.0, &mut self.deviation);
        self.choose_regime(step);

        let stiffness = self.options.stiffness * self.strength * self.strength;
        let damping = 2.0 * self.options.damping_ratio * stiffness.sqrt();
        for (k, &v) in simulation.state().v.iter().enumerate().take(self.wanted.len()) {
            self.wanted[k] = self.strength * reference.a[k]
                + stiffness * self.deviation[k]
                + damping * (reference.v[k] - v);
        }
        let (model, gravity) = (&*physique.model, simulation.settings().gravity);
        let kin = simulation.kinematics();
        self.inverse.rnea(model, kin, gravity, &self.wanted, &mut self.torque);
        self.lean_on_ground(physique, kin);

        let (force, torque) = self.assistance();
        for (link, definition) in model.links().iter().enumerate() {
            for (axis, k) in model.freedom_range(link).enumerate().take(definition.joint.axes()) {
                let limit = definition.axes[axis].torque_limit;
                let damper = if limit.is_finite() { self.options.damping * limit } else { 1.0 };
                let rate_gain = damper * self.strength.max(0.1);
                let planned = simulation.state().v[k] + step * self.wanted[k];
                let controls = simulation.controls_mut();
                controls.rate_gain_mut()[k] = rate_gain;
                controls.torque_mut()[k] = self.strength * (self.torque[k] + rate_gain * planned);
            }
        }
        let root = model.roots()[0];
        let at = simulation.kinematics().position(model, root);
        simulation.apply_torque(root, torque);
        simulation.apply_force(root, force, at);
    }

    fn choose_regime(&mut self, step: f64) {
        let d = &self.deviation;
        let away = vec3(d[3], d[4], d[5]).length();
        self.regime = match self.regime {
            Regime::Fall => Regime::Fall,
            _ if away > self.options.fall_at => Regime::Fall,
            Regime::Recover if away > 0.5 * self.options.recover_at => Regime::Recover,
            _ if away > self.options.recover_at => Regime::Recover,
            _ => Regime::Follow,
        };
        let goal = match self.regime {
            Regime::Follow => 1.0,
            Regime::Recover => 0.6,
            Regime::Fall => 0.0,
        };
        let most = self.options.ramp * step;
        self.strength += (goal - self.strength).clamp(-most, most);
    }

    /// Takes off the torques what the soles can push.
    fn lean_on_ground(&mut self, physique: &Physique, kin: &Kinematics<f64>) {
        let model = &*physique.model;
        let root = kin.position(model, model.roots()[0]);
        self.patches.clear();
        self.points.clear();
        for (sole, corners) in physique.soles.iter().zip(&self.senses.corners) {
            for corner in corners.iter().filter(|corner| corner.gap < 0.004) {
                self.patches.push(ContactPatch { arm: corner.point - root, normal: corner.normal });
                self.points.push((sole.link, corner.point));
            }
        }
        let wish = ForceGoal {
            moment: vec3(self.torque[0], self.torque[1], self.torque[2]),
            force: vec3(self.torque[3], self.torque[4], self.torque[5]),
            force_weight: 1.0,
            moment_weight: 1.0,
        };
        // The corners that touch change from step to step.
        self.forces.fill(Vec3::default());
        let friction = self.options.grip * physique.friction;
        distribute(&self.patches, friction, &wish, 60, &mut self.forces);
        for ((link, point), force) in self.points.iter().zip(&self.forces) {
            kin.jacobian(model, *link, *point, &mut self.columns, None);
            for (torque, column) in self.torque.iter_mut().zip(&self.columns) {
                *torque -= column.dot(*force);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_dynamics::{ContactTerrain, JointState, PhysicsSettings, Quat};

    fn human() -> Physique {
        let body = crate::creature("humanoid").unwrap();
        Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap()
    }

    /// Knees, hips and shoulders swing; the root goes up and down with the knees' bend.
    fn wave(physique: &Physique, time: f64) -> Vec<f64> {
        let model = &physique.model;
        let mut q = JointState::<f64>::rest(model).q;
        let bend = 0.3 * (1.0 - (std::f64::consts::TAU * time).cos());
        for side in ["left", "right"] {
            for (part, turn) in
                [("thigh", -bend), ("shank", 2.0 * bend), ("foot", -bend), ("upper arm", -bend)]
            {
                let at = model.coordinate_range(model.find(&format!("{side} {part}")).unwrap());
                let by = Quat::exp(vec3(turn, 0.0, 0.0));
                let turned = by * Quat::read(&q[at.clone()]);
                turned.write(&mut q[at]);
            }
        }
        // Feet stay where they are.
        let feet = |q: &[f64]| {
            let mut kin = Kinematics::new(model);
            kin.set_positions(model, q);
            physique.sole_at(&kin, 0)
        };
        let off = feet(&q) - feet(&JointState::<f64>::rest(model).q);
        for axis in 0..3 {
            q[axis] -= off[axis];
        }
        q
    }

    fn follow(step: f64, assist: f64, seconds: f64) -> (f64, Regime) {
        let physique = human();
        let settings = PhysicsSettings { step, ..PhysicsSettings::default() };
        let mut simulation =
            Simulation::<f64>::new(physique.model.clone(), ContactTerrain::level(), settings)
                .unwrap();
        let options = TrackOptions { assist, ..TrackOptions::default() };
        let mut tracker = Tracker::new(&physique, options);
        let (mut sum, mut count) = (0.0, 0.0);
        while simulation.time() < seconds {
            let t = simulation.time();
            let at = |t: f64| wave(&physique, t);
            let reference =
                Reference::between(&physique, &at(t - 1e-3), &at(t), &at(t + 1e-3), 1e-3);
            tracker.drive(&physique, &reference, &mut simulation);
            assert_eq!(simulation.step().quarantined, 0);
            sum += tracker.error(&physique, &simulation, &reference).to_degrees();
            count += 1.0;
        }
        (sum / count, tracker.regime())
    }

    #[test]
    fn squats_are_followed_within_three_degrees_at_any_usual_step() {
        for step in [1.0 / 240.0, 1.0 / 120.0, 0.001] {
            let (error, regime) = follow(step, 1.0, 1.0);
            assert!(error < 3.0, "{step}: {error} degrees");
            assert_eq!(regime, Regime::Follow);
        }
    }

    #[test]
    fn the_soles_carry_a_pose_and_the_assistant_hardly_anything() {
        let physique = human();
        let mut simulation = Simulation::<f64>::new(
            physique.model.clone(),
            ContactTerrain::level(),
            PhysicsSettings::default(),
        )
        .unwrap();
        let mut tracker = Tracker::new(&physique, TrackOptions::default());
        let pose = Reference::pose(physique.model.rest(), physique.model.freedoms());
        while simulation.time() < 1.0 {
            tracker.drive(&physique, &pose, &mut simulation);
            simulation.step();
        }
        let (force, torque) = tracker.assistance();
        assert!(force.length() < 0.05 * 9.80665 * physique.mass, "{force:?}");
        assert!(torque.length() < 10.0, "{torque:?}");
        assert!(tracker.error(&physique, &simulation, &pose) < 0.02);
    }

    #[test]
    fn a_body_that_lets_go_falls() {
        let physique = human();
        let mut simulation = Simulation::<f64>::new(
            physique.model.clone(),
            ContactTerrain::level(),
            PhysicsSettings::default(),
        )
        .unwrap();
        let mut tracker = Tracker::new(&physique, TrackOptions::default());
        let pose = Reference::pose(physique.model.rest(), physique.model.freedoms());
        tracker.set_regime(Regime::Fall);
        while simulation.time() < 2.0 {
            tracker.drive(&physique, &pose, &mut simulation);
            simulation.step();
        }
        assert!(simulation.centre_of_mass(0).y < 0.6);
    }

    #[test]
    fn who_let_go_is_lifted_to_its_feet_by_the_assistant() {
        let physique = human();
        let mut simulation = Simulation::<f64>::new(
            physique.model.clone(),
            ContactTerrain::level(),
            PhysicsSettings::default(),
        )
        .unwrap();
        let options = TrackOptions { fall_at: 2.0, ..TrackOptions::default() };
        let mut tracker = Tracker::new(&physique, options);
        let mut pose = Reference::pose(physique.model.rest(), physique.model.freedoms());
        tracker.set_regime(Regime::Fall);
        while simulation.time() < 3.0 {
            tracker.drive(&physique, &pose, &mut simulation);
            simulation.step();
        }
        assert!(simulation.centre_of_mass(0).y < 0.4);
        // It gets up where its feet are.
        let kin = simulation.kinematics();
        let feet = (physique.sole_at(kin, 0) + physique.sole_at(kin, 1)) * 0.5;
        (pose.q[0], pose.q[2]) = (pose.q[0] + feet.x, pose.q[2] + feet.z);
        tracker.set_regime(Regime::Recover);
        while simulation.time() < 8.0 {
            tracker.drive(&physique, &pose, &mut simulation);
            assert_eq!(simulation.step().quarantined, 0);
        }
        assert_eq!(tracker.regime(), Regime::Follow);
        assert!(simulation.centre_of_mass(0).y > 0.9 * physique.height);
        // Nobody steps here: the feet stay where they came to stand.
        let error = tracker.error(&physique, &simulation, &pose);
        assert!(error < 0.2, "{error}");
    }
}
