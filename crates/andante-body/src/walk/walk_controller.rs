//! Keeping a walk or a run going.
//!
//! Joints, trunk and feet follow the cycle. The capture point is compared with the cycle's: pressure under the standing
//! foot corrects what it can, and where the other foot lands corrects the rest (Pratt et al. 2006; Englsberger et al. 2015).

mod aim;
mod landing;
mod stride;
pub(crate) mod turning;

use andante_dynamics::{Kinematics, Quat, Simulation, Vec3, vec3};

use self::turning::turned;
use super::course::{Ladder, StepCourse};
use super::cycle::{Momenta, WalkCycle};
use super::options::WalkOptions;
use crate::body_sense::BodySense;
use crate::control::motion_aim::AHEAD;
use crate::control::tracker::Reference;
use crate::control::whole_body::{FootTask, Tasks, WholeBody};
use crate::physique::Physique;
use crate::support_polygon::SupportPolygon;

/// A foot of a walker.
#[derive(Clone, Copy, Debug)]
struct WalkingFoot {
    planted: bool,
    /// How far it was from the cycle's when it left the ground.
    left: Vec3<f64>,
    /// How far from the cycle's it is to land.
    land: Vec3<f64>,
    /// By how much its heading differs from the cycle's.
    yaw: f64,
}

/// A body that walks.
#[derive(Clone, Debug)]
pub struct WalkController {
    options: WalkOptions,
    cycle: WalkCycle,
    senses: BodySense,
    whole: WholeBody,
    tasks: Tasks,
    support: SupportPolygon,
    phase: f64,
    pace: f64,
    lead: usize,
    feet: [WalkingFoot; 2],
    /// The lead foot's place in the cycle and in the world.
    print: [Vec3<f64>; 2],
    heading: f64,
    goal: Vec3<f64>,
    steps: usize,
    now: Reference,
    soon: Reference,
    kin: Kinematics<f64>,
    next: Kinematics<f64>,
    error: [f64; 2],
    course: Option<StepCourse>,
}

impl WalkController {
    /// A walker at a phase of its cycle, at the origin and facing +Z.
    pub fn new(physique: &Physique, cycle: WalkCycle, phase: f64, options: WalkOptions) -> Self {
        let none = Vec3::default();
        let still = FootTask { planted: true, angular: none, at: none, linear: none };
        let reference = cycle.reference(physique);
        let since = [0, 1].map(|f: usize| (phase - cycle.standing[f].strike).rem_euclid(1.0));
        let lead = usize::from(since[1] < since[0]);
        let foot = |f: usize| WalkingFoot {
            planted: cycle.standing[f].swung(phase) <= 0.0,
            left: none,
            land: none,
            yaw: 0.0,
        };
        let began = phase - since[lead] - cycle.standing[lead].strike;
        let print = cycle.strikes[lead] + vec3(0.0, 0.0, cycle.stride * began.round());
        WalkController {
            options,
            senses: BodySense::default(),
            whole: WholeBody::new(physique, options.weights),
            tasks: Tasks {
                force: none,
                moment: none,
                feet: [still; 2],
                torso: none,
                posture: reference.clone(),
            },
            support: SupportPolygon::with_room(8),
            phase,
            pace: 1.0,
            lead,
            feet: [foot(0), foot(1)],
            print: [print; 2],
            heading: 0.0,
            goal: vec3(0.0, 0.0, 1e6),
            steps: 0,
            now: reference.clone(),
            soon: reference,
            kin: Kinematics::new(&physique.model),
            next: Kinematics::new(&physique.model),
            error: [0.0; 2],
            course: None,
            cycle,
        }
    }

    /// A body that stands sets off to a place: slowly at first, and slowly again before it is there.
    pub fn set_off(
        physique: &Physique,
        simulation: &Simulation<f64>,
        ladder: &Ladder,
        heading: f64,
        goal: Vec3<f64>,
        options: WalkOptions,
    ) -> Self {
        let (sin, cos) = libm::sincos(heading);
        // Soles stand below the centre of mass, which is before the trunk's origin.
        let trunk = simulation.kinematics().position(&physique.model, physique.torso);
        let lean = simulation.centre_of_mass(0) - trunk;
        let sole = goal + vec3(sin, 0.0, cos) * (lean.x * sin + lean.z * cos);
        let course = StepCourse::new(ladder, sole, physique.half_width, options);
        let cycle = course.slowest().clone();
        // The right foot has just come down, as it were, and the left one leaves.
        let lead = 1;
        let phase = cycle.standing[lead].strike;
        let mut walker = WalkController::new(physique, cycle, phase, options);
        let kin = simulation.kinematics();
        walker.senses.feel(physique, simulation);
        walker.lead = lead;
        walker.heading = heading;
        walker.goal = goal;
        walker.pace = options.first_pace;
        let at = physique.sole_at(kin, lead);
        let place = walker.cycle.strikes[lead];
        walker.print = [place, vec3(at.x, walker.ground(lead) + place.y, at.z)];
        walker.look(physique);
        for foot in 0..2 {
            walker.feet[foot].planted = true;
            walker.feet[foot].yaw = walker.yaw_off(physique, kin, foot);
        }
        walker.course = Some(course);
        walker
    }

    /// True if it has come to its goal, one foot before the other, and only has to stand.
    pub fn is_there(&self) -> bool {
        self.course.as_ref().is_some_and(StepCourse::is_over)
    }

    /// The foot that struck last: 0 left, 1 right.
    pub fn lead(&self) -> usize {
        self.lead
    }

    /// The heading of the walk.
    pub fn heading(&self) -> f64 {
        self.heading
    }

    /// Sets the goal of the walk.
    pub fn set_goal(&mut self, goal: Vec3<f64>) {
        self.goal = goal;
    }

    /// If it has set off somewhere: comes to a stand before it is there, as soon as it can.
    pub fn stop(&mut self) {
        if let Some(course) = &mut self.course {
            course.stop(self.print[1], self.heading, &self.cycle);
            // It ends where it faces, wherever it was to go.
            let (sin, cos) = libm::sincos(self.heading);
            self.goal = self.print[1] + vec3(sin, 0.0, cos) * 1e3;
        }
    }

    /// The sensed state of the body before the last step.
    pub fn senses(&self) -> &BodySense {
        &self.senses
    }

    /// The reference state that is followed.
    pub fn reference(&mut self, physique: &Physique) -> &Reference {
        self.look(physique);
        &self.now
    }

    /// Its usual speed, m/s.
    pub fn speed(&self) -> f64 {
        self.cycle.stride / self.cycle.period
    }

    /// Steps made so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The offset of the capture point from the walk's, m.
    pub fn error(&self) -> [f64; 2] {
        self.error
    }

    /// Sets the controls of the next step.
    pub fn drive(&mut self, physique: &Physique, simulation: &mut Simulation<f64>) {
        self.senses.feel(physique, simulation);
        let step = simulation.settings().step;
        self.advance(physique, simulation, step);
        self.turn(step);
        self.look(physique);
        self.bear(physique, simulation.kinematics());
        let momenta = self.momenta();
        let excess = self.aim(physique, simulation, &momenta);
        self.place_foot(physique, simulation.kinematics(), excess, step);
        self.whole.drive(physique, &self.senses, &self.tasks, simulation);
    }

    /// A place of the cycle in the world.
    pub(super) fn in_world(&self, place: Vec3<f64>) -> Vec3<f64> {
        self.print[1] + turned(place - self.print[0], self.heading)
    }

    /// The walk now and a moment later.
    pub(super) fn look(&mut self, physique: &Physique) {
        let model = &*physique.model;
        let later = self.phase + self.pace * AHEAD / self.cycle.period;
        self.cycle.at(physique, self.phase, self.pace, &mut self.now);
        self.cycle.at(physique, later, self.pace, &mut self.soon);
        for early in [true, false] {
            let mut reference = std::mem::replace(
                if early { &mut self.now } else { &mut self.soon },
                Reference::pose(&[], 0),
            );
            self.move_root(&mut reference);
            let kin = if early { &mut self.kin } else { &mut self.next };
            kin.set_positions(model, &reference.q);
            kin.set_velocities(model, &reference.v);
            *(if early { &mut self.now } else { &mut self.soon }) = reference;
        }
    }

    pub(super) fn move_root(&self, reference: &mut Reference) {
        let q = &mut reference.q;
        let place = self.in_world(vec3(q[0], q[1], q[2]));
        q[..3].copy_from_slice(&place.to_array());
        let about = Quat::exp(vec3(0.0, self.heading, 0.0));
        (about * Quat::read(&q[3..7])).write(&mut q[3..7]);
        for rates in [&mut reference.v, &mut reference.a] {
            for k in [0, 3] {
                let v = turned(vec3(rates[k], rates[k + 1], rates[k + 2]), self.heading);
                rates[k..k + 3].copy_from_slice(&v.to_array());
            }
        }
    }

    pub(super) fn momenta(&self) -> Momenta {
        // However much in a hurry the feet are: the body moves as the pendulum it is.
        let m = self.cycle.momenta(self.phase, 1.0);
        let turn = |v: Vec3<f64>| turned(v, self.heading);
        Momenta {
            centre: [self.in_world(m.centre[0]), turn(m.centre[1]), turn(m.centre[2])],
            spin: [turn(m.spin[0]), turn(m.spin[1])],
            pressure: self.in_world(m.pressure),
        }
    }
}
