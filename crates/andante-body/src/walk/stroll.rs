//! Pushing a body that walks and seeing whether it gets to its goal.

use andante_dynamics::{ContactTerrain, JointState, PhysicsSettings, Simulation, Vec3, vec3};

use super::cycle::WalkCycle;
use super::options::WalkOptions;
use super::walk_controller::WalkController;
use crate::balance::push_trial::{Push, PushError};
use crate::control::tracker::mean_angle;
use crate::physique::Physique;
use crate::trial_settings::TrialSettings;

/// The outcome of a walk by torques.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrollOutcome {
    /// How it was pushed.
    pub push: Push,
    /// Whether it came to its goal, upright and walking.
    pub arrived: bool,
    /// Steps it took.
    pub steps: usize,
    /// Seconds it walked.
    pub seconds: f64,
    /// Mean angle between its joints and the walk's before the push, rad.
    pub error: f64,
    /// Farthest a foot slid in one stance before the push, m.
    pub slide: f64,
    /// Whether the simulation had to be stopped.
    pub exploded: bool,
}

/// A body that walks on level ground to a goal and is pushed on the way.
#[derive(Clone, Debug)]
pub struct Stroll {
    /// The body's simulation.
    pub simulation: Simulation<f64>,
    /// What keeps it walking.
    pub walker: WalkController,
    /// When the walk is over.
    pub settings: TrialSettings,
    push: Push,
    goal: Vec3<f64>,
    arrived: bool,
    fallen: bool,
    exploded: bool,
    error: (f64, f64),
    slides: [f64; 2],
    slide: f64,
}

impl Stroll {
    /// A body in the middle of a walk, `goal` metres before its goal.
    pub fn new(
        physique: &Physique,
        cycle: &WalkCycle,
        options: WalkOptions,
        push: Push,
        goal: f64,
        step: f64,
    ) -> Result<Self, PushError> {
        push.check()?;
        if !(0.0..=1e4).contains(&goal) {
            return Err(PushError::Goal(goal));
        }
        let trial = TrialSettings::default();
        let settings = PhysicsSettings { step, ..physique.physics.clone() };
        let mut simulation =
            Simulation::new(physique.model.clone(), ContactTerrain::level(), settings)?;
        let mut cycle = cycle.clone();
        let mut reference = cycle.reference(physique);
        cycle.at(physique, trial.phase, 1.0, &mut reference);
        simulation.set_state(&JointState { q: reference.q, v: reference.v })?;
        let goal = vec3(0.0, 0.0, goal);
        let mut walker = WalkController::new(physique, cycle, trial.phase, options);
        walker.set_goal(goal);
        Ok(Stroll {
            simulation,
            walker,
            settings: trial,
            push,
            goal,
            arrived: false,
            fallen: false,
            exploded: false,
            error: (0.0, 0.0),
            slides: [0.0; 2],
            slide: 0.0,
        })
    }

    /// Pushes of any strength up to `strongest` in any direction at any phase of a cycle; always the same for one seed.
    pub fn random_pushes(cycle: &WalkCycle, count: usize, strongest: f64, seed: u64) -> Vec<Push> {
        let mut pushes = Push::random(count, strongest, seed);
        for push in &mut pushes {
            let [first, last] = Push::TIMES;
            push.at = TrialSettings::default().settled
                + (push.at - first) / (last - first) * cycle.period;
        }
        pushes
    }

    /// One step of simulation and controller. Gives whether the walk is still going on.
    pub fn step(&mut self, physique: &Physique) -> bool {
        self.push.apply(physique, &mut self.simulation);
        self.walker.drive(physique, &mut self.simulation);
        let undisturbed = self.simulation.time() < self.push.at;
        if undisturbed {
            let wanted = &self.walker.reference(physique).q;
            let off = mean_angle(physique, &self.simulation.state().q, wanted);
            self.error = (self.error.0 + off, self.error.1 + 1.0);
        }
        self.exploded = self.simulation.step().quarantined != 0;
        if undisturbed {
            self.watch_slide(physique);
        }
        self.judge(physique);
        let usual = self.goal.z / self.walker.speed();
        let late = self.simulation.time() > self.settings.dawdle * usual + 3.0;
        !(self.arrived || self.fallen || self.exploded || late)
    }

    /// Adds up the way of the points that bear, weighted by what they bear.
    fn watch_slide(&mut self, physique: &Physique) {
        let (kin, step) = (self.simulation.kinematics(), self.simulation.settings().step);
        for (foot, slid) in self.slides.iter_mut().enumerate() {
            let link = physique.soles[foot].link;
            let (mut load, mut way) = (0.0, 0.0);
            for contact in self.simulation.contacts(0).filter(|contact| contact.link == link) {
                let v = kin.velocity_at(&physique.model, link, contact.point);
                load += contact.force.y;
                way += contact.force.y * libm::hypot(v.x, v.z) * step;
            }
            if load > self.settings.light {
                *slid += way / load;
                self.slide = self.slide.max(*slid);
            } else {
                *slid = 0.0;
            }
        }
    }

    fn judge(&mut self, physique: &Physique) {
        let kin = self.simulation.kinematics();
        let up = kin.rotation(physique.torso).y.y;
        let soles = [0, 1].map(|foot| physique.sole_at(kin, foot).y);
        let ground = soles[0].min(soles[1]);
        let head = kin.point(&physique.model, physique.torso, physique.head);
        self.fallen = head.y - ground < 0.55 * physique.top || up < 0.2;
        let way = self.simulation.centre_of_mass(0) - self.goal;
        let (momentum, _) = self.simulation.momentum(0);
        self.arrived = libm::hypot(way.x, way.z) < self.settings.arrival
            && up > 0.9
            && head.y - ground > 0.85 * physique.top
            && momentum.length() / physique.mass < 2.0 * self.walker.speed();
    }

    /// The outcome so far.
    pub fn outcome(&self) -> StrollOutcome {
        StrollOutcome {
            push: self.push,
            arrived: self.arrived && !self.fallen && !self.exploded,
            steps: self.walker.steps(),
            seconds: self.simulation.time(),
            error: self.error.0 / self.error.1.max(1.0),
            slide: self.slide,
            exploded: self.exploded,
        }
    }

    /// Runs to the end.
    pub fn run(mut self, physique: &Physique) -> StrollOutcome {
        while self.step(physique) {}
        self.outcome()
    }
}

/// Lets a body walk once for each push, in parallel; the same pushes always give the same outcomes.
pub fn stroll_pushes(
    physique: &Physique,
    cycle: &WalkCycle,
    options: WalkOptions,
    pushes: &[Push],
    goal: f64,
    step: f64,
) -> Result<Vec<StrollOutcome>, PushError> {
    let one =
        |push: &Push| Ok(Stroll::new(physique, cycle, options, *push, goal, step)?.run(physique));
    andante_skeleton::parallel::map(pushes, one).into_iter().collect()
}
