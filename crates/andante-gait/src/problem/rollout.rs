//! Candidates simulated side by side, and what is wrong with each.

use crate::BodyState;
use crate::problem::candidate_trial::{CandidateTrial, Leads, SoftConstraint, effort_and_slowness};
use crate::problem::cycle_closure::CycleClosure;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::gait_setup::GaitSetup;
use crate::problem::landing_schedule::{LandingSchedule, LegPhase};
use crate::problem::options::GaitLimits;
use crate::problem::penalty::{Penalty, above, below, beyond};
use crate::problem::pulse_controller::{PulseController, StepPlan};
use crate::problem::trunk_swing::TrunkRange;
use crate::sketch::gait_sketch::TouchingFeet;
use andante_dynamics::{Real, Simulation, Vec3, vec3};
use glam::{DQuat, DVec3};

/// What has been seen of one lane so far.
#[derive(Clone, Debug, Default)]
struct LaneWatch {
    soft: [Penalty; 10],
    /// Squares of leads.
    leads: Leads,
    velocity: DVec3,
    effort: f64,
    work: f64,
    trunk: TrunkRange,
    /// Since the flight of this step began: whether the centre of mass has been sinking.
    sunk: bool,
    /// Height of each foot's toe one step before.
    toes: Vec<f64>,
    /// How far each foot's toe has risen in pushing off, and how far in other ways.
    lifted: Vec<f64>,
    wasted: Vec<f64>,
    /// When legs are to be down, where all feet can touch the ground.
    schedule: Option<LandingSchedule>,
    /// Where the last step began.
    before: Option<BodyState>,
    end: Option<BodyState>,
    exploded: bool,
}

impl LaneWatch {
    fn note(&mut self, constraint: SoftConstraint, moment: &RolloutMoment, penalty: Penalty) {
        let penalty = penalty * moment.scale;
        self.soft[constraint as usize] += penalty;
        self.leads.add(constraint, moment.part, penalty.strict);
    }

    /// A limit that holds for a while: steps of the simulation count or do not, but lead by the part of them that is within the
    /// while, so that what is aimed at changes smoothly with the times of phases.
    fn note_while(
        &mut self,
        constraint: SoftConstraint,
        moment: &RolloutMoment,
        penalty: Penalty,
        (counts, part): (bool, f64),
    ) {
        if counts {
            self.note(constraint, moment, Penalty { strict: 0.0, ..penalty });
        }
        let lead = Penalty { steps: 0.0, slope: 0.0, ..penalty };
        self.note(constraint, moment, lead * part);
    }
}

/// Numbers of all lanes after a step.
struct LaneReadings<R> {
    velocity: Vec3<R>,
    height: R,
    torso: R,
    toes: Vec<Vec3<R>>,
    toe_velocities: Vec<Vec3<R>>,
    heels: Vec<R>,
    legs: Vec<R>,
}

/// One foot of one lane after a step.
struct FootReading {
    foot: usize,
    toe: f64,
    heel: f64,
    /// Velocity of the toe.
    velocity: DVec3,
}

/// Where in its steps a candidate is, halfway through a step of the simulation.
struct RolloutMoment<'a> {
    /// Seconds of a step of the simulation.
    h: f64,
    /// Penalties of a step, over those of the step as published.
    scale: f64,
    /// Which part of the evaluated time it is.
    part: usize,
    /// The step of the feet, whether they are to be down, and for how long that has been so.
    plan: &'a StepPlan,
    down: bool,
    elapsed: f64,
    /// Of the centre of mass, along the way, which may turn.
    velocity: DVec3,
}

impl RolloutMoment<'_> {
    /// How much of this step of the simulation lies between two times since when something began.
    fn within(&self, since: f64, until: f64) -> f64 {
        ((until - since + 0.5 * self.h).min(since + 0.5 * self.h) / self.h).clamp(0.0, 1.0)
    }
}

/// A rollout of candidates of one problem.
pub(crate) struct Rollout<'a> {
    setup: &'a GaitSetup,
    closure: &'a CycleClosure,
    limits: &'a GaitLimits,
}

impl<'a> Rollout<'a> {
    pub(crate) fn new(problem: &'a GaitProblem) -> Self {
        let GaitProblem { setup, closure, .. } = problem;
        Self { setup, closure, limits: &setup.options.limits }
    }

    /// Simulates up to as many candidates as there are lanes, in lockstep. What becomes of one does not depend on the
    /// others. Also gives where each ends.
    pub(crate) fn run<R: Real>(
        &self,
        simulation: &mut Simulation<R>,
        candidates: &[PulseController],
    ) -> Vec<(CandidateTrial, Option<BodyState>)> {
        let candidates = &candidates[..candidates.len().min(R::LANES)];
        let simulator = &self.setup.simulator;
        if !simulator.put(simulation, candidates.iter().map(|candidate| &candidate.start)) {
            return candidates.iter().map(|_| (self.exploded(), None)).collect();
        }
        simulation.controls_mut().torque_mut().fill(R::zero());
        let seen = self.look(simulation);
        let begin = |(lane, candidate)| self.begin(&seen, lane, candidate);
        let mut watches: Vec<LaneWatch> = candidates.iter().enumerate().map(begin).collect();
        let h = simulator.step();
        let counts: Vec<usize> =
            candidates.iter().map(|candidate| simulator.count(candidate)).collect();
        for step in 0..counts.iter().copied().max().unwrap_or(0) {
            for (lane, candidate) in candidates.iter().enumerate() {
                simulator.drive(simulation, lane, candidate, step);
                if step + 1 == counts[lane] {
                    watches[lane].before = Some(simulator.state(simulation, lane));
                }
            }
            simulation.step();
            let seen = self.look(simulation);
            for (lane, candidate) in candidates.iter().enumerate() {
                let watch = &mut watches[lane];
                if step >= counts[lane] || watch.exploded {
                    continue;
                }
                if simulation.is_quarantined(lane) {
                    watch.exploded = true;
                    continue;
                }
                self.watch(watch, simulation, &seen, lane, candidate, step);
                if let Some(before) = watch.before.take() {
                    // The end is within this step.
                    let part = candidate.length() / h - step as f64;
                    let mut end = before.clone();
                    end.lead(&before, &simulator.state(simulation, lane), part);
                    watch.end = Some(end);
                }
            }
        }
        let judged = watches.into_iter().zip(candidates);
        judged.map(|(watch, candidate)| self.judge(watch, candidate)).collect()
    }

    fn exploded(&self) -> CandidateTrial {
        CandidateTrial::exploded(self.closure.of_lap(self.setup))
    }

    fn begin<R: Real>(
        &self,
        seen: &LaneReadings<R>,
        lane: usize,
        candidate: &PulseController,
    ) -> LaneWatch {
        let feet = self.setup.simulator.feet.len();
        let all = self.setup.sketch.touch == TouchingFeet::All;
        LaneWatch {
            toes: seen.toes.iter().map(|toe| toe.y.lane(lane)).collect(),
            lifted: vec![0.0; feet],
            wasted: vec![0.0; feet],
            schedule: all.then(|| LandingSchedule::new(self.setup, candidate)),
            ..LaneWatch::default()
        }
    }

    fn look<R: Real>(&self, simulation: &Simulation<R>) -> LaneReadings<R> {
        let (kinematics, model) = (simulation.kinematics(), simulation.model());
        let mass = R::splat(1.0 / model.mass());
        let point = |segment: usize, local: DVec3| {
            kinematics.point(model, segment, Vec3::splat(vec3(local.x, local.y, local.z)))
        };
        let (body, feet) = (&self.setup.simulator.body, &self.setup.simulator.feet);
        let torso = body.torso();
        let toes: Vec<Vec3<R>> = feet.iter().map(|foot| point(foot.segment, foot.toe)).collect();
        let of_toes = || feet.iter().zip(&toes);
        LaneReadings {
            velocity: simulation.momentum(0).0 * mass,
            height: simulation.centre_of_mass(0).y,
            torso: point(torso, body.segments()[torso].mass.center).y,
            toe_velocities: of_toes()
                .map(|(foot, toe)| kinematics.velocity_at(model, foot.segment, *toe))
                .collect(),
            heels: feet.iter().map(|foot| point(foot.segment, foot.heel).y).collect(),
            legs: of_toes()
                .map(|(foot, toe)| (kinematics.position(model, foot.hip) - *toe).length())
                .collect(),
            toes,
        }
    }

    /// Takes in what has become of a lane after a step of the simulation.
    fn watch<R: Real>(
        &self,
        watch: &mut LaneWatch,
        simulation: &Simulation<R>,
        seen: &LaneReadings<R>,
        lane: usize,
        candidate: &PulseController,
        step: usize,
    ) {
        let simulator = &self.setup.simulator;
        let h = simulator.step();
        let time = (step as f64 + 0.5) * h;
        let (index, down, elapsed) = candidate.at(time);
        let mut velocity = DVec3::from(seen.velocity.lane(lane).to_array());
        if self.setup.sketch.turn != 0.0 {
            velocity = DQuat::from_rotation_y(-self.setup.sketch.turn * time) * velocity;
        }
        let count = simulator.count(candidate);
        let moment = RolloutMoment {
            h,
            scale: h / self.limits.penalty_step,
            part: self.setup.options.merit.parts * step / count,
            plan: &candidate.steps[index],
            down,
            elapsed,
            velocity,
        };
        let acting = candidate.acting(step as f64 * h, h);
        for share in acting {
            let torques = &share.phase.torques;
            watch.effort +=
                share.square * torques.iter().map(|torque| torque * torque).sum::<f64>();
            let rates = &simulation.state().v[6..];
            let power = torques.iter().zip(rates).map(|(t, rate)| t * rate.lane(lane));
            watch.work += share.mean * power.map(|power| power.max(0.0)).sum::<f64>() * h;
        }
        self.watch_body(watch, simulation, seen, lane, &moment);
        if step == 0 || candidate.at(time - h).0 != index {
            watch.sunk = false;
        }
        for (foot, setup) in simulator.feet.iter().enumerate() {
            let reading = FootReading {
                foot,
                toe: seen.toes[foot].y.lane(lane),
                heel: seen.heels[foot].lane(lane),
                velocity: DVec3::from(seen.toe_velocities[foot].lane(lane).to_array()),
            };
            if let Some(schedule) = &watch.schedule {
                if !setup.disregarded {
                    let leg = schedule.leg(foot, time, h);
                    self.watch_scheduled(watch, &moment, &reading, leg);
                }
                continue;
            }
            if moment.plan.feet.contains(&foot) {
                let legs = (seen.legs.len() == 2)
                    .then(|| [foot, 1 - foot].map(|leg| seen.legs[leg].lane(lane)));
                self.watch_stepping(watch, &moment, &reading, legs);
            } else if !setup.disregarded {
                let lowest = reading.toe.min(reading.heel);
                let penalty = below(lowest, -self.limits.sunk, 0.005);
                watch.note(SoftConstraint::SwingClear, &moment, penalty);
            }
            watch.toes[foot] = reading.toe;
        }
        watch.sunk |= velocity.y < 0.0;
        // The step of the feet is over: they must have pushed off.
        if candidate.at(time + h).0 != index || step + 1 == count {
            for &foot in &moment.plan.feet {
                let (toe, heel) = (seen.toes[foot].y.lane(lane), seen.heels[foot].lane(lane));
                self.end_step(watch, index, foot, toe, heel);
            }
        }
    }

    /// Speed, joints and posture.
    fn watch_body<R: Real>(
        &self,
        watch: &mut LaneWatch,
        simulation: &Simulation<R>,
        seen: &LaneReadings<R>,
        lane: usize,
        moment: &RolloutMoment,
    ) {
        watch.velocity += moment.velocity;
        let slowest = below(moment.velocity.z, self.setup.sketch.slowest, 0.05);
        watch.note(SoftConstraint::Forwards, moment, slowest);
        for rate in &simulation.state().v[6..] {
            let penalty = beyond(rate.lane(lane), self.limits.joint_speed, 1.0);
            watch.note(SoftConstraint::JointSpeeds, moment, penalty);
        }
        let (model, body) = (simulation.model(), &self.setup.simulator.body);
        let torso = body.torso();
        let middle = body.segments()[torso].mass.center.to_array();
        let [x, y, z] = middle;
        let kinematics = simulation.kinematics();
        let rotation = kinematics.rotation(torso);
        let aside = kinematics.point(model, torso, Vec3::splat(vec3(x, y, z))).x.lane(lane);
        let [left, front] = [rotation.x, rotation.z].map(|axis| axis.lane(lane).to_array());
        watch.trunk.note(aside, left, front);
        let upright = below(seen.torso.lane(lane) - seen.height.lane(lane), 0.0, 0.01);
        watch.note(SoftConstraint::Upright, moment, upright);
    }

    /// A foot that can touch the ground at any time and is to do so when its schedule says so.
    fn watch_scheduled(
        &self,
        watch: &mut LaneWatch,
        moment: &RolloutMoment,
        foot: &FootReading,
        leg: Option<LegPhase>,
    ) {
        let (limits, sketch) = (self.limits, &self.setup.sketch);
        let lowest = foot.toe.min(foot.heel);
        watch.note(SoftConstraint::SwingClear, moment, below(lowest, -limits.sunk, 0.005));
        if let Some(leg) = leg {
            let penalty = above(foot.toe, limits.down, 0.0002);
            let counts = (0.0..=leg.stance).contains(&leg.since);
            let part = moment.within(leg.since, leg.stance);
            watch.note_while(SoftConstraint::SupportDown, moment, penalty, (counts, part));
            // Who drags a foot along the ground does not stand on it.
            let slip = libm::hypot(foot.velocity.x, foot.velocity.z);
            let [slip, most] = [slip, limits.slip * sketch.speed].map(|v| limits.sliding * v);
            let penalty = above(slip, most, 0.1 * most);
            let landing = limits.landing * leg.stance;
            let counts = (landing..=leg.stance).contains(&leg.since);
            let part = moment.within(leg.since - landing, leg.stance - landing);
            watch.note_while(SoftConstraint::SupportDown, moment, penalty, (counts, part));
            let [from, to] = limits.mid_swing;
            if (from..to).contains(&leg.swing()) {
                let penalty = below(lowest, sketch.clearance, 0.002);
                watch.note(SoftConstraint::SwingClear, moment, penalty);
            }
        }
        let [from, to] = limits.mid_flight;
        let flown = moment.elapsed / moment.plan.air.length;
        if sketch.aerial && !moment.down && (from..to).contains(&flown) {
            watch.note(SoftConstraint::PushOff, moment, below(lowest, limits.down, 0.002));
        }
    }

    /// A foot of the step that is being made: it is to stand, to be longer than the other leg of two, and to push off.
    fn watch_stepping(
        &self,
        watch: &mut LaneWatch,
        moment: &RolloutMoment,
        reading: &FootReading,
        legs: Option<[f64; 2]>,
    ) {
        let limits = self.limits;
        let &FootReading { foot, toe, heel, velocity } = reading;
        let plan = moment.plan;
        // Since the feet are to be down; negative before.
        let since = if moment.down { moment.elapsed } else { moment.elapsed - plan.air.length };
        let penalty = above(toe, limits.down, 0.0002);
        let least = (0.5 * plan.ground.pulse).max(self.setup.sketch.stance * plan.length());
        let counts = moment.down && moment.elapsed <= least;
        let part = moment.within(since, least);
        watch.note_while(SoftConstraint::SupportDown, moment, penalty, (counts, part));
        let before = watch.toes[foot];
        if watch.sunk && moment.velocity.y > 0.0 && toe > before {
            let haste = velocity.y - limits.lift_lag - moment.velocity.y;
            if haste < 0.0 && heel > toe {
                watch.lifted[foot] += toe - before;
            } else if toe < 2.0 * limits.lift {
                let droop = (toe - heel) / limits.lift;
                let share = (haste / 0.2).max(droop).clamp(0.05, 1.0);
                watch.wasted[foot] += share * (toe - before);
            }
        }
        if let Some([own, other]) = legs
            && toe.min(heel) < limits.down
            && !self.setup.simulator.feet[1 - foot].disregarded
        {
            watch.note(SoftConstraint::LegLengths, moment, below(own - other, 0.0, 0.005));
        }
    }

    /// At the end of a step its feet must have pushed off.
    fn end_step(&self, watch: &mut LaneWatch, index: usize, foot: usize, toe: f64, heel: f64) {
        let GaitLimits { lift, lift_margin, .. } = *self.limits;
        let sketch = &self.setup.sketch;
        if sketch.aerial && sketch.touch == TouchingFeet::Step {
            // Travel that counts does not by itself show the way there: the toe has to be up, the heel above it, and no travel
            // wasted.
            let leads = [lift + lift_margin - toe, 0.5 * lift - (heel - toe), watch.wasted[foot]];
            let penalty = below(watch.lifted[foot], lift, lift_margin);
            watch.soft[SoftConstraint::PushOff as usize] += penalty;
            let feet = self.setup.simulator.feet.len();
            let first = (leads.len() + 1) * (index * feet + foot);
            watch.leads.add(SoftConstraint::PushOff, first, penalty.strict);
            for (part, lead) in leads.iter().enumerate() {
                let square = lead.max(0.0).powi(2);
                watch.leads.add(SoftConstraint::PushOff, first + 1 + part, square);
            }
        }
        watch.lifted[foot] = 0.0;
        watch.wasted[foot] = 0.0;
    }

    /// How many leads there are for each soft constraint.
    fn parts(&self) -> [usize; 10] {
        let setup = self.setup;
        let parts = setup.options.merit.parts;
        // Of what is evaluated at a time.
        let steps = setup.steps.len() / setup.laps();
        let pushes = match setup.sketch.touch {
            TouchingFeet::Step => 4 * steps * setup.simulator.feet.len(),
            TouchingFeet::All => parts,
        };
        [parts, 3, parts, 1, 2 * steps, parts, parts, pushes, parts, parts]
    }

    fn judge(
        &self,
        watch: LaneWatch,
        candidate: &PulseController,
    ) -> (CandidateTrial, Option<BodyState>) {
        let (setup, sketch) = (self.setup, &self.setup.sketch);
        let Some(end) = watch.end.filter(|_| !watch.exploded) else {
            return (self.exploded(), None);
        };
        let steps = setup.simulator.count(candidate) as f64;
        let velocity = watch.velocity / steps;
        let effort = watch.effort / steps;
        let (mut soft, mut leads) = (watch.soft, watch.leads);
        let mean = [
            below(velocity.z, sketch.speed, 0.01 * sketch.speed)
                + above(velocity.z, sketch.fastest, 0.01 * sketch.speed),
            beyond(velocity.y, self.limits.drift, 0.02),
            beyond(velocity.x, self.limits.drift, 0.02),
        ];
        let strain = [above(effort / (self.limits.effort * setup.strength), 1.0, 0.02)];
        let dominance = CycleClosure::dominance(setup, candidate);
        for (constraint, parts) in [
            (SoftConstraint::MeanVelocity, &mean[..]),
            (SoftConstraint::Effort, &strain[..]),
            (SoftConstraint::Priority, &dominance[..]),
        ] {
            for (part, penalty) in parts.iter().enumerate() {
                soft[constraint as usize] += *penalty;
                leads.add(constraint, part, penalty.strict);
            }
        }
        let goal = candidate.goal.as_ref().unwrap_or(&candidate.start);
        let trial = CandidateTrial {
            objective: effort_and_slowness(effort, velocity.z),
            soft: soft.map(|penalty| penalty.steps + penalty.slope),
            leads: leads.finish(self.parts(), &setup.options.merit.units),
            residuals: CycleClosure::residuals(setup, goal, &end, candidate.length()),
            velocity: velocity.to_array(),
            effort,
            work: watch.work,
            trunk: watch.trunk.swing(setup.mirror.is_some()),
            exploded: false,
        };
        (trial, Some(end))
    }
}
