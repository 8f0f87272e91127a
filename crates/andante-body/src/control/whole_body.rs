//! From what the body as a whole shall do to the torques of its joints.
//!
//! Two small problems instead of one large one (Macchietto, Zordan & Shelton 2009; Lee & Goswami 2012). First: which
//! forces at the soles come nearest to the wanted rates of momentum. Where the soles cannot hold both, angular momentum
//! gives way, and hips and arms do the rest. Second: which accelerations of the joints make just that of those forces,
//! keep the feet where they are or on their way, and otherwise serve posture. Torques follow by inverse dynamics.

use andante_dynamics::{Inverse, Model, Simulation, Vec3};
use serde::{Deserialize, Serialize};

use crate::balance::balance_controller::BalanceOptions;
use crate::body_sense::BodySense;
use crate::control::contact_forces::{ContactPatch, ForceGoal, distribute};
use crate::control::least_squares::LeastSquares;
use crate::control::poser::for_each_excess;
use crate::control::tracker::Reference;
use crate::physique::Physique;

/// The task of a foot.
#[derive(Clone, Copy, Debug)]
pub struct FootTask {
    /// Whether it may carry weight.
    pub planted: bool,
    /// Wanted angular acceleration.
    pub angular: Vec3<f64>,
    /// The point of the foot that matters, in the world: the sole's middle, or the edge it rolls over.
    pub at: Vec3<f64>,
    /// Wanted acceleration of that point.
    pub linear: Vec3<f64>,
}

/// The task of a hand.
#[derive(Clone, Copy, Debug)]
pub struct HandTask {
    /// 0 left, 1 right.
    pub hand: usize,
    /// Where it is in the world.
    pub at: Vec3<f64>,
    /// Its wanted acceleration.
    pub linear: Vec3<f64>,
}

/// The tasks of the whole body in one step.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// Wanted rate of linear momentum.
    pub force: Vec3<f64>,
    /// Wanted rate of angular momentum about the centre of mass.
    pub moment: Vec3<f64>,
    /// Left and right.
    pub feet: [FootTask; 2],
    /// Wanted angular acceleration of the torso.
    pub torso: Vec3<f64>,
    /// Coordinates the joints should be near, and how they should move and accelerate there.
    pub posture: Reference,
}

/// Weights and stiffnesses of the whole-body tasks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// A newton metre of angular momentum's rate against a newton, in the forces of the soles. Small: the body
    /// turns readily; large: it would rather let its centre of mass go.
    pub moment: f64,
    /// The balance of forces on the whole body.
    pub dynamics: f64,
    /// Accelerations of feet that stand.
    pub feet: f64,
    /// Accelerations of a foot in the air.
    pub swing: f64,
    /// Angular acceleration of the torso.
    pub torso: f64,
    /// Accelerations of the joints of the legs, which the feet mostly decide.
    pub legs: f64,
    /// Accelerations of all other joints.
    pub posture: f64,
    /// Stiffness of the posture, 1/s²; it is critically damped.
    pub posture_stiffness: f64,
    /// Accelerations of joints near the ends of their ranges.
    pub limits: f64,
    /// Share of a joint's torque limit per rad/s it deviates from the plan within a step.
    pub damping: f64,
    /// Sweeps over the corners of the soles. Few also smooth the forces from step to step.
    pub sweeps: usize,
    /// Acceleration of a hand that reaches.
    pub hand: f64,
    /// Part of the friction that is relied on, 0 to 1: a foot at the edge of its cone slips.
    pub grip: f64,
    /// Faster than this a joint is slowed down, rad/s; nothing a human does on its feet is faster.
    pub whirl: f64,
    /// How quickly, 1/s.
    pub whirl_decay: f64,
    /// How far before the end of its range a joint is turned back, rad.
    pub stop_margin: f64,
    /// How it is turned back, 1/s²; critically damped.
    pub stop_stiffness: f64,
}

impl Default for Weights {
    fn default() -> Self {
        BalanceOptions::default().weights
    }
}

/// Working memory of the two problems.
#[derive(Clone, Debug)]
pub struct WholeBody {
    weights: Weights,
    inverse: Inverse<f64>,
    problem: LeastSquares,
    inertia: Vec<f64>,
    bias: Vec<f64>,
    acceleration: Vec<f64>,
    torque: Vec<f64>,
    linear: [Vec<Vec3<f64>>; 2],
    angular: [Vec<Vec3<f64>>; 2],
    torso: [Vec<Vec3<f64>>; 2],
    hands: [Option<HandTask>; 2],
    forces: [Vec3<f64>; 8],
    patches: Vec<ContactPatch>,
    carried: Vec<Vec3<f64>>,
}

impl WholeBody {
    /// Working memory for a body.
    pub fn new(physique: &Physique, weights: Weights) -> Self {
        let n = physique.model.freedoms();
        let columns = || vec![Vec3::default(); n];
        WholeBody {
            weights,
            inverse: Inverse::new(&physique.model),
            problem: LeastSquares::new(n),
            inertia: vec![0.0; n * n],
            bias: vec![0.0; n],
            acceleration: vec![0.0; n],
            torque: vec![0.0; n],
            linear: [columns(), columns()],
            angular: [columns(), columns()],
            torso: [columns(), columns()],
            hands: [None; 2],
            forces: [Vec3::default(); 8],
            patches: Vec::with_capacity(8),
            carried: Vec::with_capacity(8),
        }
    }

    /// Forgets the forces of the last step.
    pub fn forget(&mut self) {
        self.forces = [Vec3::default(); 8];
    }

    /// Sets the tasks of the hands from now on, besides the other tasks.
    pub fn set_hands(&mut self, hands: [Option<HandTask>; 2]) {
        self.hands = hands;
    }

    /// Sets the controls for the next step, so that the tasks are served.
    pub fn drive(
        &mut self,
        physique: &Physique,
        senses: &BodySense,
        tasks: &Tasks,
        simulation: &mut Simulation<f64>,
    ) {
        let (force, moment) = self.press(physique, senses, tasks, simulation);
        self.accelerate(physique, senses, tasks, simulation, force, moment);
        self.apply(physique, senses, tasks, simulation);
    }

    /// The same with an assistant that adds a share of what the soles do not give of the wanted rates of momentum, linear
    /// and about the centre of mass. Gives its force and its torque on the root.
    pub fn drive_assisted(
        &mut self,
        physique: &Physique,
        senses: &BodySense,
        tasks: &Tasks,
        (share, wanted): (f64, [Vec3<f64>; 2]),
        simulation: &mut Simulation<f64>,
    ) -> [Vec3<f64>; 2] {
        let (force, moment) = self.press(physique, senses, tasks, simulation);
        let weight = simulation.settings().gravity * physique.mass;
        let help = [(wanted[0] - weight - force) * share, (wanted[1] - moment) * share];
        self.accelerate(physique, senses, tasks, simulation, force + help[0], moment + help[1]);
        self.apply(physique, senses, tasks, simulation);
        if share > 0.0 {
            let root = physique.model.roots()[0];
            simulation.apply_force(root, help[0], senses.centre);
            simulation.apply_torque(root, help[1]);
        }
        help
    }

    /// The forces at the soles, and what they add up to about the centre of mass.
    fn press(
        &mut self,
        physique: &Physique,
        senses: &BodySense,
        tasks: &Tasks,
        simulation: &Simulation<f64>,
    ) -> (Vec3<f64>, Vec3<f64>) {
        self.patches.clear();
        self.carried.clear();
        let planted = |foot: usize| tasks.feet[foot].planted;
        for (index, force) in self.forces.iter_mut().enumerate() {
            let corner = &senses.corners[index / 4][index % 4];
            if planted(index / 4) && BodySense::carries(corner) {
                self.patches.push(ContactPatch {
                    arm: corner.point - senses.centre,
                    normal: corner.normal,
                });
                self.carried.push(*force);
            } else {
                *force = Vec3::default();
            }
        }
        let weight = simulation.settings().gravity * physique.mass;
        let wish = ForceGoal {
            force: tasks.force - weight,
            moment: tasks.moment,
            force_weight: 1.0,
            moment_weight: self.weights.moment,
        };
        let friction = self.weights.grip * physique.friction;
        let sums =
            distribute(&self.patches, friction, &wish, self.weights.sweeps, &mut self.carried);
        let mut next = self.carried.iter();
        for (index, force) in self.forces.iter_mut().enumerate() {
            let corner = &senses.corners[index / 4][index % 4];
            if planted(index / 4) && BodySense::carries(corner) {
                *force = next.next().copied().unwrap_or_default();
            }
        }
        sums
    }

    /// The accelerations of all joints.
    fn accelerate(
        &mut self,
        physique: &Physique,
        senses: &BodySense,
        tasks: &Tasks,
        simulation: &Simulation<f64>,
        force: Vec3<f64>,
        moment: Vec3<f64>,
    ) {
        let (model, kin) = (&*physique.model, simulation.kinematics());
        let gravity = simulation.settings().gravity;
        let n = model.freedoms();
        self.problem.clear();

        // The whole body's momentum: the root's rows of the equations of motion, which no torque enters.
        self.inverse.crba(model, kin, &mut self.inertia);
        self.acceleration.fill(0.0);
        self.inverse.rnea(model, kin, gravity, &self.acceleration, &mut self.bias);
        let root = kin.position(model, model.roots()[0]);
        let about_root = moment + (senses.centre - root).cross(force);
        for k in 0..3 {
            let (turn, push) = (&self.inertia[k * n..], &self.inertia[(3 + k) * n..]);
            let weight = self.weights.dynamics;
            self.problem.add(|j| turn[j], about_root[k] - self.bias[k], weight);
            self.problem.add(|j| push[j], force[k] - self.bias[3 + k], weight);
        }

        for (foot, task) in tasks.feet.iter().enumerate() {
            let sole = &physique.soles[foot];
            let at = task.at;
            let (linear, angular) = (&mut self.linear[foot], &mut self.angular[foot]);
            kin.jacobian(model, sole.link, at, linear, Some(angular));
            let (drift_angular, drift_linear) = kin.drift_at(model, sole.link, at);
            let (turn, go) = (task.angular - drift_angular, task.linear - drift_linear);
            let weight = if task.planted { self.weights.feet } else { self.weights.swing };
            for k in 0..3 {
                self.problem.add(|j| linear[j][k], go[k], weight);
                self.problem.add(|j| angular[j][k], turn[k], 0.1 * weight);
            }
        }

        let [linear, angular] = &mut self.torso;
        let at = kin.position(model, physique.torso);
        kin.jacobian(model, physique.torso, at, linear, Some(angular));
        let (drift, _) = kin.drift_at(model, physique.torso, at);
        for k in 0..3 {
            self.problem.add(|j| angular[j][k], tasks.torso[k] - drift[k], self.weights.torso);
        }

        let columns = &mut self.torso[0];
        for task in self.hands.iter().flatten() {
            let Some(hand) = physique.hands.get(task.hand).copied().flatten() else { continue };
            kin.jacobian(model, hand.link, task.at, columns, None);
            let (_, drift) = kin.drift_at(model, hand.link, task.at);
            for k in 0..3 {
                self.problem.add(|j| columns[j][k], task.linear[k] - drift[k], self.weights.hand);
            }
        }

        self.prefer_posture(physique, tasks, simulation);
        self.problem.solve(&mut self.acceleration);
    }

    /// The wishes about single joints: posture, the ends of their ranges, and that no limb whirls.
    fn prefer_posture(&mut self, physique: &Physique, tasks: &Tasks, simulation: &Simulation<f64>) {
        let model = &*physique.model;
        let state = simulation.state();
        let stiffness = self.weights.posture_stiffness;
        let damping = 2.0 * stiffness.sqrt();
        let posture = &tasks.posture;
        for_each_angle(model, &state.q, &posture.q, |k, error| {
            let wanted = posture.a[k] + stiffness * error + damping * (posture.v[k] - state.v[k]);
            let legs = physique.legs.contains(&k);
            let weight = if legs { self.weights.legs } else { self.weights.posture };
            self.problem.prefer(k, wanted, weight);
        });
        // The ends of the joints' ranges are softer to meet early.
        for_each_excess(model, &state.q, self.weights.stop_margin, |k, excess| {
            let wanted = -self.weights.stop_stiffness * excess
                - 2.0 * self.weights.stop_stiffness.sqrt() * state.v[k];
            self.problem.prefer(k, wanted, self.weights.limits);
        });
        // No limb whirls.
        for (k, &v) in state.v.iter().enumerate().take(model.freedoms()).skip(6) {
            let over = v.abs() - self.weights.whirl;
            if over > 0.0 {
                self.problem.prefer(
                    k,
                    -v.signum() * over * self.weights.whirl_decay,
                    self.weights.limits,
                );
            }
        }
        for k in 0..6 {
            self.problem.prefer(k, 0.0, 1e-3);
        }
    }

    /// Torques by inverse dynamics, and dampers around the planned velocities.
    fn apply(
        &mut self,
        physique: &Physique,
        senses: &BodySense,
        tasks: &Tasks,
        simulation: &mut Simulation<f64>,
    ) {
        let model = &*physique.model;
        let gravity = simulation.settings().gravity;
        let kin = simulation.kinematics();
        self.inverse.rnea(model, kin, gravity, &self.acceleration, &mut self.torque);
        for (foot, task) in tasks.feet.iter().enumerate() {
            let at = task.at;
            let (mut force, mut moment) = (Vec3::default(), Vec3::default());
            for (corner, f) in senses.corners[foot].iter().zip(&self.forces[4 * foot..]) {
                force += *f;
                moment += (corner.point - at).cross(*f);
            }
            let columns = self.linear[foot].iter().zip(&self.angular[foot]);
            for (torque, (linear, angular)) in self.torque.iter_mut().zip(columns) {
                *torque -= linear.dot(force) + angular.dot(moment);
            }
        }
        let step = simulation.settings().step;
        for (link, definition) in model.links().iter().enumerate() {
            for (axis, k) in model.freedom_range(link).enumerate().take(definition.joint.axes()) {
                let (limit, damper) =
                    (definition.axes[axis].torque_limit, definition.axes[axis].damping);
                let rate_gain = if limit.is_finite() { self.weights.damping * limit } else { 1.0 };
                let planned = simulation.state().v[k] + step * self.acceleration[k];
                let planned = planned.clamp(-2.0 * self.weights.whirl, 2.0 * self.weights.whirl);
                let controls = simulation.controls_mut();
                controls.rate_gain_mut()[k] = rate_gain;
                // Muscles make up for the joint's own damper.
                controls.torque_mut()[k] = self.torque[k] + (rate_gain + damper) * planned;
            }
        }
    }
}

/// Calls with each velocity of a joint and how far its angle is from the wanted one; roots are left out.
pub(crate) fn for_each_angle(
    model: &Model,
    q: &[f64],
    wanted: &[f64],
    mut call: impl FnMut(usize, f64),
) {
    for (link, definition) in model.links().iter().enumerate() {
        let (at, k) = (model.coordinate_range(link), model.freedom_range(link).start);
        let error = definition.joint.difference(&q[at.clone()], &wanted[at]);
        for (axis, error) in error.into_iter().enumerate().take(definition.joint.axes()) {
            call(k + axis, error);
        }
    }
}
