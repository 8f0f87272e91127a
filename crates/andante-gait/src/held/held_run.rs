//! A gait that goes on by itself.

use crate::BodyState;
use crate::held::feedback::{Feedback, Landing};
use crate::held::gait_clock::{GaitClock, GaitFlight};
use crate::held::lap_course::PlanarFrame;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::gait_setup::GaitSetup;
use crate::problem::pulse_controller::PulseController;
use crate::problem::pulse_simulator::{FootSetup, PulseSimulator};
use andante_body::RigidPlacement;
use andante_dynamics::{Simulation, Vec3, vec3};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// A push in passing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CyclePush {
    /// When, s.
    pub at: f64,
    /// For how long, s.
    pub seconds: f64,
    /// On the torso, N.
    pub force: DVec3,
}

/// The continuation of a gait by simulation, with or without feedback.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldRun {
    /// Cycles until it fell, or as many as it was to do.
    pub cycles: f64,
    /// How far it came forwards, m; on a way that turns, the sum over its cycles.
    pub distance: f64,
    /// From the direction in which its first cycle led to that of the last, rad; nothing on a straight way.
    pub turned: f64,
    /// How far sideways, m.
    pub sideways: f64,
    /// Mean of the size of corrections while it went, of the largest torques.
    pub correction: f64,
}

impl HeldRun {
    /// Lets a gait go on by itself for some cycles, physically: nothing puts it back on its way but torque. It has fallen when
    /// its centre of mass has lost a third of its height or is above its torso.
    pub fn new(
        problem: &GaitProblem,
        candidate: &PulseController,
        feedback: Option<&Feedback>,
        cycles: usize,
        push: Option<CyclePush>,
    ) -> Self {
        Self::watched(problem, candidate, feedback, cycles, push, &mut |_| true)
    }

    /// The same, seen by somebody after every step of the simulation, who may end it by saying no.
    pub fn watched(
        problem: &GaitProblem,
        candidate: &PulseController,
        feedback: Option<&Feedback>,
        cycles: usize,
        push: Option<CyclePush>,
        watcher: &mut dyn FnMut(&HeldMoment) -> bool,
    ) -> Self {
        let Some(mut gait) = HeldGait::new(&problem.setup, candidate, feedback) else {
            return Self::default();
        };
        let mut way = WayGone::new(gait.simulation.centre_of_mass(0));
        let mut run = Self::default();
        let halves = gait.plans.len();
        let mut steps = 0u32;
        while gait.clock.laps < cycles * halves {
            gait.correct();
            run.correction += gait.size_of_correction();
            if let Some(push) = push {
                gait.push(&push, f64::from(steps) * gait.simulator.step());
            }
            let lapped = gait.step();
            steps += 1;
            let now = gait.simulation.centre_of_mass(0);
            let within = gait.clock.within as f64 / gait.length as f64;
            run.cycles = (gait.clock.laps as f64 + within) / halves as f64;
            (run.distance, run.sideways) = (now.z, now.x);
            if problem.sketch().turn != 0.0 {
                // Halves of a cycle lead to this side and that.
                let over = lapped && gait.clock.laps.is_multiple_of(halves);
                (run.distance, run.sideways) = (way.go_on(now, over), 0.0);
                run.turned = way.turned;
            }
            let time = f64::from(steps) * gait.simulator.step();
            if gait.has_fallen() || !watcher(&HeldMoment { gait: &gait, time }) {
                break;
            }
        }
        run.correction /= f64::from(steps).max(1.0);
        run
    }
}

/// A gait that goes on by itself, after a step of the simulation.
pub struct HeldMoment<'a> {
    gait: &'a HeldGait<'a>,
    /// Seconds since it began.
    pub time: f64,
}

impl HeldMoment<'_> {
    /// The placement of every segment.
    pub fn placed(&self) -> Vec<RigidPlacement> {
        let simulator = self.gait.simulator;
        let state = simulator.state(&self.gait.simulation, 0);
        state.place(&simulator.body, &simulator.pose)
    }

    /// The simulation that moves it.
    pub fn simulation(&self) -> &Simulation<f64> {
        &self.gait.simulation
    }

    /// The force of the ground on each foot of the body, N.
    pub fn ground_forces(&self) -> Vec<DVec3> {
        let mut forces = vec![DVec3::ZERO; self.gait.simulator.feet.len()];
        for contact in self.gait.simulation.contacts(0) {
            let foot = |foot: &FootSetup| foot.shapes.contains(&contact.shape);
            if let Some(foot) = self.gait.simulator.feet.iter().position(foot) {
                forces[foot] += DVec3::from(contact.force.to_array());
            }
        }
        forces
    }
}

/// A way that turns, cycle by cycle.
struct WayGone {
    /// Where this cycle began, and how far the cycles before led, and where to.
    began: Vec3<f64>,
    before: f64,
    direction: Option<f64>,
    turned: f64,
}

impl WayGone {
    fn new(began: Vec3<f64>) -> Self {
        Self { began, before: 0.0, direction: None, turned: 0.0 }
    }

    /// How far it is to here; `over` where a cycle ends.
    fn go_on(&mut self, now: Vec3<f64>, over: bool) -> f64 {
        let (aside, ahead) = (now.x - self.began.x, now.z - self.began.z);
        let gone = self.before + libm::hypot(aside, ahead);
        if over {
            let leads = libm::atan2(aside, ahead);
            let by = self.direction.map_or(0.0, |direction| leads - direction);
            self.turned += (by + PI).rem_euclid(TAU) - PI;
            self.direction = Some(leads);
            (self.began, self.before) = (now, gone);
        }
        gone
    }
}

/// A gait while it goes on.
struct HeldGait<'a> {
    setup: &'a GaitSetup,
    simulator: &'a PulseSimulator,
    feedback: Option<&'a Feedback>,
    simulation: Simulation<f64>,
    /// What is done lap by lap.
    plans: Vec<PulseController>,
    clock: GaitClock,
    /// Steps of the simulation in a lap.
    length: usize,
    correction: Vec<f64>,
    /// Lap and tick of the last look at the body.
    looked: Option<(usize, usize)>,
    /// Where this lap began.
    frame: PlanarFrame,
    /// Of the centre of mass at the beginning.
    height: f64,
    /// The torso and its middle.
    torso: (usize, Vec3<f64>),
}

impl<'a> HeldGait<'a> {
    fn new(
        setup: &'a GaitSetup,
        candidate: &PulseController,
        feedback: Option<&'a Feedback>,
    ) -> Option<Self> {
        let simulator = &setup.simulator;
        let mut start = candidate.start.clone();
        start.position.x -= feedback.map_or(0.0, |feedback| 0.5 * feedback.drift);
        let simulation = simulator.begin(&start)?;
        let height = simulation.centre_of_mass(0).y;
        let body = &simulator.body;
        let middle = body.segments()[body.torso()].mass.center;
        let length = simulator.whole_steps(candidate);
        let laps = candidate.laps();
        let touched = feedback.is_some_and(|feedback| feedback.landing == Landing::Touched);
        let flights =
            |plan: &PulseController| if touched { flights(simulator, plan) } else { Vec::new() };
        let clock = GaitClock::new(length, laps.iter().map(flights).collect());
        let mut plans = laps;
        plans.extend(setup.mirror.as_ref().map(|mirror| {
            let other = candidate.steps.iter().map(|step| step.mirrored(body, mirror));
            PulseController { steps: other.collect(), ..candidate.clone() }
        }));
        Some(Self {
            setup,
            simulator,
            feedback,
            simulation,
            plans,
            clock,
            length,
            correction: vec![0.0; simulator.dof()],
            looked: None,
            frame: PlanarFrame::default(),
            height,
            torso: (body.torso(), vec3(middle.x, middle.y, middle.z)),
        })
    }

    /// Which of the laps of a cycle it is in.
    fn half(&self) -> usize {
        self.clock.laps % self.plans.len()
    }

    fn state(&self) -> BodyState {
        self.frame.local(&self.simulator.state(&self.simulation, 0))
    }

    /// Looks at the body where a tick begins.
    fn correct(&mut self) {
        let Some(feedback) = self.feedback else { return };
        let within = self.clock.within;
        let look = Some((self.clock.laps, (within + self.clock.waited) / feedback.tick));
        if look == self.looked {
            return;
        }
        self.looked = look;
        let (half, state) = (self.half(), self.state());
        self.correction = match self.setup.mirror.as_ref().filter(|_| half == 1) {
            Some(mirror) => mirror.joints(&feedback.correction(0, within, &state.mirrored(mirror))),
            None => feedback.correction(half, within, &state),
        };
    }

    /// Mean over the joints, of the largest torques.
    fn size_of_correction(&self) -> f64 {
        let sizes = self.correction.iter().zip(&self.simulator.torque_limits);
        sizes.map(|(by, limit)| (by / limit).abs().min(1.0)).sum::<f64>()
            / self.correction.len() as f64
    }

    fn push(&mut self, push: &CyclePush, time: f64) {
        if (push.at..push.at + push.seconds).contains(&time) {
            let (torso, middle) = self.torso;
            let point = self.simulation.kinematics().point(self.simulation.model(), torso, middle);
            let force = vec3(push.force.x, push.force.y, push.force.z);
            self.simulation.apply_force(torso, force, point);
        }
    }

    /// One step of the simulation. Whether a lap is over with it.
    fn step(&mut self) -> bool {
        let (half, laps) = (self.half(), self.clock.laps);
        let (simulator, plan) = (self.simulator, &self.plans[half]);
        let time = self.clock.within as f64 * simulator.step();
        simulator.command(&mut self.simulation, 0, plan, time, &self.correction);
        self.simulation.step();
        self.clock.tick(|step| simulator.is_down(&self.simulation, &plan.steps[step]));
        let lapped = self.clock.laps > laps;
        if let Some(feedback) = self.feedback.filter(|_| lapped) {
            self.frame = feedback.next(half, self.frame, &self.state());
        }
        lapped
    }

    fn has_fallen(&self) -> bool {
        let (torso, middle) = self.torso;
        let now = self.simulation.centre_of_mass(0);
        let kinematics = self.simulation.kinematics();
        let above = kinematics.point(self.simulation.model(), torso, middle).y > now.y;
        self.simulation.is_quarantined(0) || now.y < 2.0 / 3.0 * self.height || !above
    }
}

/// Flights of a lap as it was found. Feet that stand from the beginning have none.
fn flights(simulator: &PulseSimulator, lap: &PulseController) -> Vec<GaitFlight> {
    let mut flights: Vec<GaitFlight> = Vec::new();
    let Some(mut simulation) = simulator.begin(&lap.start) else { return flights };
    // Of the feet of this step: since when they are off the ground.
    let (mut now, mut free) = (0, None);
    for step in 0..simulator.whole_steps(lap) {
        let time = step as f64 * simulator.step();
        simulator.command(&mut simulation, 0, lap, time, &[]);
        simulation.step();
        let (index, ..) = lap.at(time);
        if index != now {
            (now, free) = (index, None);
        }
        let down = simulator.is_down(&simulation, &lap.steps[index]);
        let known = flights.last().is_some_and(|flight| flight.step == index);
        match free {
            Some(since) if down && !known => {
                let landing = step + 1;
                let earliest = (since + landing) / 2;
                flights.push(GaitFlight { step: index, earliest, landing });
            }
            None if !down => free = Some(step),
            _ => {}
        }
    }
    flights
}
