//! Following a clip.
//!
//! Joints, trunk and feet follow the plan of the clip. The capture point is compared with the plan's: pressure under the
//! feet that stand corrects what it can, and where a foot in the air lands corrects the rest (Pratt et al. 2006; Englsberger
//! et al. 2015). The plan goes on from where a foot came down.

mod follow;
mod tread;

use andante_dynamics::{JointState, Kinematics, Simulation, Vec3};

use super::clip_plan::ClipPlan;
use crate::body_sense::BodySense;
use crate::control::motion_aim::AHEAD;
use crate::control::tracker::Reference;
use crate::control::whole_body::{FootTask, Tasks, Weights, WholeBody};
use crate::physique::Physique;
use crate::support_polygon::SupportPolygon;
use crate::walk::cycle::Momenta;
use crate::walk::options::WalkOptions;

andante_skeleton::settings! {
    /// Settings of following a clip, beside those of walks and runs.
    pub struct ClipControlOptions: Copy {
        /// Share of an assistant, 0 to 1, who adds what the soles do not give.
        assist: f64 = 0.0, 0.0..=1.0;
        /// Part of the capture point's error at the next strike that a foot makes up for. More steps out of every shove, and
        /// of every doubt.
        placement: f64 = 1.0, 0.0..=2.0;
        /// Faster than this a joint is slowed down, rad/s: knees of runners come near.
        whirl: f64 = 20.0, 1.0..;
        /// Corners of the plan's sole this near to its lowest bear, m.
        bears: f64 = 0.015, 0.0..;
        /// This near to the ground a foot that should stand does, m.
        lands: f64 = 0.008, 0.0..;
        /// Part of the weight with which a foot in the last quarter of its swing stands before its time.
        heavy: f64 = 0.3, 0.0..;
    }
}

/// A foot of somebody who follows a clip.
#[derive(Clone, Copy, Debug, Default)]
struct TrackedFoot {
    planted: bool,
    /// Whether it came down before its time.
    early: bool,
    /// How far it was from the plan's when it left the ground.
    left: Vec3<f64>,
    /// How far from the plan's it is to land.
    land: Vec3<f64>,
    /// By how much its heading differs from the plan's.
    yaw: f64,
}

/// A body that follows a clip by the torques of its joints.
#[derive(Clone, Debug)]
pub struct ClipController {
    walk: WalkOptions,
    run: WalkOptions,
    plan: ClipPlan,
    options: ClipControlOptions,
    senses: BodySense,
    whole: [WholeBody; 2],
    tasks: Tasks,
    support: SupportPolygon,
    time: f64,
    pace: f64,
    feet: [TrackedFoot; 2],
    /// From places of the plan to places in the world.
    offset: Vec3<f64>,
    steps: usize,
    now: Reference,
    soon: Reference,
    kin: Kinematics<f64>,
    next: Kinematics<f64>,
    error: [f64; 2],
    help: [Vec3<f64>; 2],
}

impl ClipController {
    /// A controller at the beginning of a clip.
    pub fn new(physique: &Physique, plan: ClipPlan, options: ClipControlOptions) -> Self {
        let whirl = options.whirl;
        let [walk, run] = [WalkOptions::default(), WalkOptions::run()].map(|own| WalkOptions {
            placement: options.placement,
            weights: Weights { whirl, ..own.weights },
            ..own
        });
        let none = Vec3::default();
        let still = FootTask { planted: true, angular: none, at: none, linear: none };
        let reference = plan.reference(physique);
        let foot = |f: usize| TrackedFoot {
            planted: plan.stance(f, 0.0).is_some(),
            ..TrackedFoot::default()
        };
        let mut own = ClipController {
            senses: BodySense::default(),
            whole: [walk, run].map(|options| WholeBody::new(physique, options.weights)),
            tasks: Tasks {
                force: none,
                moment: none,
                feet: [still; 2],
                torso: none,
                posture: reference.clone(),
            },
            support: SupportPolygon::with_room(8),
            time: 0.0,
            pace: 1.0,
            feet: [foot(0), foot(1)],
            offset: none,
            steps: 0,
            now: reference.clone(),
            soon: reference,
            kin: Kinematics::new(&physique.model),
            next: Kinematics::new(&physique.model),
            error: [0.0; 2],
            help: [none; 2],
            options,
            walk,
            run,
            plan,
        };
        own.look(physique);
        own
    }

    /// The state of the body as the clip begins.
    pub fn first(&self) -> JointState<f64> {
        JointState { q: self.now.q.clone(), v: self.now.v.clone() }
    }

    /// The time of the clip that it is at, s. A step that comes early or late moves it.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The plan that is followed.
    pub fn plan(&self) -> &ClipPlan {
        &self.plan
    }

    /// The reference state that is followed now, in the world.
    pub fn reference(&self) -> &Reference {
        &self.now
    }

    /// The sensed state of the body before the last step.
    pub fn senses(&self) -> &BodySense {
        &self.senses
    }

    /// The centre of mass of the plan now, in the world.
    pub fn centre(&self) -> Vec3<f64> {
        self.momenta().centre[0]
    }

    /// The direction of the upper end of the plan's trunk.
    pub fn upwards(&self, physique: &Physique) -> Vec3<f64> {
        self.kin.rotation(physique.torso).y
    }

    /// The offset by which the places of the plan have been moved, m.
    pub fn offset(&self) -> Vec3<f64> {
        self.offset
    }

    /// Steps made so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The offset of the capture point from the plan's, m.
    pub fn error(&self) -> [f64; 2] {
        self.error
    }

    /// Force and torque of the assistant on the root in the last step.
    pub fn assistance(&self) -> [Vec3<f64>; 2] {
        self.help
    }

    /// Sets the controls of the next step, and the assistant's force.
    pub fn drive(&mut self, physique: &Physique, simulation: &mut Simulation<f64>) {
        self.senses.feel(physique, simulation);
        let step = simulation.settings().step;
        self.advance(physique, simulation, step);
        self.look(physique);
        self.bear(physique, simulation.kinematics());
        let momenta = self.momenta();
        let excess = self.aim(physique, simulation, &momenta);
        self.place_feet(physique, simulation.kinematics(), excess, step);
        let wanted = self.wanted(physique, &momenta);
        let whole = &mut self.whole[usize::from(self.plan.bounces(self.time))];
        let (senses, tasks) = (&self.senses, &self.tasks);
        self.help = whole.drive_assisted(
            physique,
            senses,
            tasks,
            (self.options.assist, wanted),
            simulation,
        );
    }

    /// The options that suit this part of the clip.
    fn gait(&self) -> &WalkOptions {
        if self.plan.bounces(self.time) { &self.run } else { &self.walk }
    }

    /// What an assistant would have the momenta do: those of the plan, and back to where it is.
    fn wanted(&self, physique: &Physique, plan: &Momenta) -> [Vec3<f64>; 2] {
        let k = self.gait().trunk_stiffness;
        let off = plan.centre[0] - self.senses.centre;
        let slip = plan.centre[1] - self.senses.velocity;
        let force = (plan.centre[2] + off * k + slip * (2.0 * k.sqrt())) * physique.mass;
        [force, self.tasks.moment]
    }

    /// The plan now and a moment later.
    fn look(&mut self, physique: &Physique) {
        let model = &*physique.model;
        for (ahead, reference, kin) in
            [(0.0, &mut self.now, &mut self.kin), (AHEAD, &mut self.soon, &mut self.next)]
        {
            self.plan.at(physique, self.time + self.pace * ahead, self.pace, reference);
            for (q, by) in reference.q.iter_mut().zip(self.offset.to_array()) {
                *q += by;
            }
            kin.set_positions(model, &reference.q);
            kin.set_velocities(model, &reference.v);
        }
    }

    fn momenta(&self) -> Momenta {
        let m = self.plan.momenta(self.time);
        let [centre, velocity, acceleration] = m.centre;
        Momenta {
            centre: [centre + self.offset, velocity, acceleration],
            pressure: m.pressure + self.offset,
            ..m
        }
    }
}
