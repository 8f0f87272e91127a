//! Candidates simulated side by side, and what is wrong with each.

use crate::BodyState;
use crate::problem::candidate::{Candidate, StepPlan};
use crate::problem::candidate_trial::{CandidateTrial, Leads, PARTS, effort_and_slowness};
use crate::problem::gait_problem::GaitProblem;
use crate::problem::landing_schedule::LandingSchedule;
use crate::problem::penalty::{Penalty, above, below, beyond};
use crate::sketch::gait_sketch::TouchingFeet;
use andante_dynamics::{JointState, Real, Simulation, Vec3, vec3};
use glam::{DQuat, DVec3};

/// Penalties that add up over time are those of half-millisecond steps, as published.
const PUBLISHED_STEP: f64 = 0.0005;

/// Joint speed that may not be exceeded, rad/s.
pub(crate) const JOINT_SPEED: f64 = 20.0;
/// Mean of the sum of squared torques that may not be exceeded, (N·m)².
const EFFORT: f64 = 500_000.0;
/// Mean velocity sideways and upwards, m/s.
const DRIFT: f64 = 0.25;
/// Height at which a toe counts as down, m.
const DOWN: f64 = 0.001;
/// How fast a foot that is to be down may slide, in parts of the least mean speed, where all feet can touch the ground.
const SLIP: f64 = 0.25;
/// The height at which a foot is as little down as one that slides at 1 m/s, m.
const SLIDING: f64 = 0.005;
/// The part of its time on the ground in which a foot that has just landed may slide as it likes.
const LANDING: f64 = 0.05;
/// How far the support toe is to rise at push-off, m.
const LIFT: f64 = 0.02;
/// How much more than that is aimed at.
const LIFT_MARGIN: f64 = 0.001;
/// Rising toes count as pushing off while the centre of mass is this much faster, m/s.
const LIFT_SPEED: f64 = -0.1;
/// How deep a swing foot may be below the ground, m: nothing stops it there.
const SUNK: f64 = -0.01;
/// The part of a swing, in its middle, in which feet that could touch the ground have to be clear of it.
const MID_SWING: std::ops::Range<f64> = 0.3..0.7;
/// The part of a flight, in its middle, in which no foot that could touch the ground does.
const MID_FLIGHT: std::ops::Range<f64> = 0.25..0.75;

/// What has been seen of one lane so far.
#[derive(Clone, Debug, Default)]
struct LaneWatch {
    soft: [Penalty; 10],
    /// Squares of leads.
    leads: Leads,
    velocity: DVec3,
    effort: f64,
    work: f64,
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

impl GaitProblem {
    /// Simulates up to as many candidates as there are lanes, in lockstep. What becomes of one does not depend on the
    /// others. Also gives where each ends.
    pub(crate) fn roll_out<R: Real>(
        &self,
        simulation: &mut Simulation<R>,
        candidates: &[Candidate],
    ) -> Vec<(CandidateTrial, Option<BodyState>)> {
        let count = candidates.len().min(R::LANES);
        let candidates = &candidates[..count];
        let mut watches = vec![LaneWatch::default(); count];
        let mut state = JointState::<R>::rest(simulation.model());
        for lane in 0..R::LANES {
            let candidate = &candidates[lane.min(count - 1)];
            let one = candidate.start.to_simulation(simulation.model(), &self.body, &self.pose);
            state.set_lane(lane, &one);
        }
        if simulation.set_state(&state).is_err() {
            let none = |_| (CandidateTrial::exploded(self.tolerances_of_lap()), None);
            return candidates.iter().map(none).collect();
        }
        simulation.controls_mut().torque_mut().fill(R::zero());
        let mut seen = self.look(simulation);
        for (lane, watch) in watches.iter_mut().enumerate() {
            watch.toes = seen.toes.iter().map(|toe| toe.y.lane(lane)).collect();
            watch.lifted = vec![0.0; self.feet.len()];
            watch.wasted = vec![0.0; self.feet.len()];
            let all = self.sketch.touch == TouchingFeet::All;
            watch.schedule = all.then(|| self.schedule(&candidates[lane]));
        }
        let h = self.options.step;
        let counts: Vec<usize> = candidates.iter().map(|candidate| self.count(candidate)).collect();
        for step in 0..counts.iter().copied().max().unwrap_or(0) {
            for (lane, candidate) in candidates.iter().enumerate() {
                self.drive(simulation, lane, candidate, step);
                if step + 1 == counts[lane] {
                    watches[lane].before = Some(self.state(simulation, lane));
                }
            }
            simulation.step();
            seen = self.look(simulation);
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
                    end.lead(&before, &self.state(simulation, lane), part);
                    watch.end = Some(end);
                }
            }
        }
        let judged = watches.into_iter().zip(candidates);
        judged.map(|(watch, candidate)| self.judge(watch, candidate)).collect()
    }

    /// Steps of the simulation of a candidate, the last one perhaps used in part.
    pub(crate) fn count(&self, candidate: &Candidate) -> usize {
        (candidate.length() / self.options.step - 1e-6).ceil().max(1.0) as usize
    }

    fn state<R: Real>(&self, simulation: &Simulation<R>, lane: usize) -> BodyState {
        let state = simulation.state().lane(lane);
        BodyState::from_simulation(simulation.model(), &self.body, &self.pose, &state)
    }

    /// Whether a foot may touch the ground in a step: those that are to land, or all of them.
    pub(crate) fn touches(&self, plan: &StepPlan, foot: usize) -> bool {
        let all = self.sketch.touch == TouchingFeet::All && !self.feet[foot].disregarded;
        plan.feet.contains(&foot) || all
    }

    /// Torques and contacts of one lane, where they change.
    pub(crate) fn drive<R: Real>(
        &self,
        simulation: &mut Simulation<R>,
        lane: usize,
        candidate: &Candidate,
        step: usize,
    ) {
        let h = self.options.step;
        let time = step as f64 * h;
        let (index, ..) = candidate.at(time);
        if (step == 0 || candidate.at(time - h).0 != index)
            && let Some(plan) = candidate.steps.get(index)
        {
            for (foot, setup) in self.feet.iter().enumerate() {
                let on = self.touches(plan, foot);
                for &shape in &setup.shapes {
                    simulation.set_collision(shape, lane, on);
                }
            }
        }
        let before = candidate.shares(time - h, h);
        let same = candidate.shares(time, h).zip(before).all(|(now, then)| now.mean == then.mean);
        if same && step > 0 {
            return;
        }
        let torques = &mut simulation.controls_mut().torque_mut()[6..];
        for torque in torques.iter_mut() {
            torque.set_lane(lane, 0.0);
        }
        for share in candidate.acting(time, h) {
            for (torque, wanted) in torques.iter_mut().zip(&share.phase.torques) {
                torque.set_lane(lane, torque.lane(lane) + share.mean * wanted);
            }
        }
    }

    fn look<R: Real>(&self, simulation: &Simulation<R>) -> LaneReadings<R> {
        let (kinematics, model) = (simulation.kinematics(), simulation.model());
        let mass = R::splat(1.0 / model.mass());
        let point = |segment: usize, local: DVec3| {
            kinematics.point(model, segment, Vec3::splat(vec3(local.x, local.y, local.z)))
        };
        let torso = self.body.torso();
        let toes: Vec<Vec3<R>> =
            self.feet.iter().map(|foot| point(foot.segment, foot.toe)).collect();
        LaneReadings {
            velocity: simulation.momentum(0).0 * mass,
            height: simulation.centre_of_mass(0).y,
            torso: point(torso, self.body.segments()[torso].mass.center).y,
            toe_velocities: self
                .feet
                .iter()
                .zip(&toes)
                .map(|(foot, toe)| kinematics.velocity_at(model, foot.segment, *toe))
                .collect(),
            heels: self.feet.iter().map(|foot| point(foot.segment, foot.heel).y).collect(),
            legs: self
                .feet
                .iter()
                .zip(&toes)
                .map(|(foot, toe)| (kinematics.position(model, foot.hip) - *toe).length())
                .collect(),
            toes,
        }
    }

    fn watch<R: Real>(
        &self,
        watch: &mut LaneWatch,
        simulation: &Simulation<R>,
        seen: &LaneReadings<R>,
        lane: usize,
        candidate: &Candidate,
        step: usize,
    ) {
        let h = self.options.step;
        let scale = h / PUBLISHED_STEP;
        let time = (step as f64 + 0.5) * h;
        let (index, down, elapsed) = candidate.at(time);
        let plan = &candidate.steps[index];
        // Since the feet are to be down; negative before.
        let since = if down { elapsed } else { elapsed - plan.air.length };
        // Along the way, which may turn.
        let mut velocity = DVec3::from(seen.velocity.lane(lane).to_array());
        if self.sketch.turn != 0.0 {
            velocity = DQuat::from_rotation_y(-self.sketch.turn * time) * velocity;
        }
        watch.velocity += velocity;
        for share in candidate.acting(step as f64 * h, h) {
            let torques = &share.phase.torques;
            watch.effort +=
                share.square * torques.iter().map(|torque| torque * torque).sum::<f64>();
            let rates = &simulation.state().v[6..];
            let power = torques.iter().zip(rates).map(|(t, rate)| t * rate.lane(lane));
            watch.work += share.mean * power.map(|power| power.max(0.0)).sum::<f64>() * h;
        }
        let part = PARTS * step / self.count(candidate);
        let (soft, leads) = (&mut watch.soft, &mut watch.leads);
        let mut note = |constraint: usize, penalty: Penalty| {
            let penalty = penalty * scale;
            soft[constraint] += penalty;
            leads.add(constraint, part, penalty.strict);
        };
        note(0, below(velocity.z, self.sketch.slowest, 0.05));
        for rate in &simulation.state().v[6..] {
            note(2, beyond(rate.lane(lane), JOINT_SPEED, 1.0));
        }
        note(5, below(seen.torso.lane(lane) - seen.height.lane(lane), 0.0, 0.01));
        if step == 0 || candidate.at(time - h).0 != index {
            watch.sunk = false;
        }
        // How much of this step of the simulation lies between two times since when something began.
        let within = |since: f64, until: f64| {
            ((until - since + 0.5 * h).min(since + 0.5 * h) / h).clamp(0.0, 1.0)
        };
        for (foot, setup) in self.feet.iter().enumerate() {
            let (toe, heel) = (seen.toes[foot].y.lane(lane), seen.heels[foot].lane(lane));
            if let Some(schedule) = &watch.schedule {
                if setup.disregarded {
                    continue;
                }
                note(9, below(toe.min(heel), SUNK, 0.005));
                if let Some(leg) = schedule.leg(foot, time, h) {
                    let penalty = above(toe, DOWN, 0.0002);
                    if (0.0..=leg.stance).contains(&leg.since) {
                        note(6, Penalty { strict: 0.0, ..penalty });
                    }
                    let lead = Penalty { steps: 0.0, slope: 0.0, ..penalty };
                    note(6, lead * within(leg.since, leg.stance));
                    // Who drags a foot along the ground does not stand on it.
                    let velocity = seen.toe_velocities[foot];
                    let slip = f64::hypot(velocity.x.lane(lane), velocity.z.lane(lane));
                    let [slip, most] = [slip, SLIP * self.sketch.speed].map(|v| SLIDING * v);
                    let penalty = above(slip, most, 0.1 * most);
                    if (LANDING * leg.stance..=leg.stance).contains(&leg.since) {
                        note(6, Penalty { strict: 0.0, ..penalty });
                    }
                    let lead = Penalty { steps: 0.0, slope: 0.0, ..penalty };
                    let landing = LANDING * leg.stance;
                    note(6, lead * within(leg.since - landing, leg.stance - landing));
                    if MID_SWING.contains(&leg.swing()) {
                        note(9, below(toe.min(heel), self.sketch.clearance, 0.002));
                    }
                }
                let flying = self.sketch.aerial
                    && !down
                    && MID_FLIGHT.contains(&(elapsed / plan.air.length));
                if flying {
                    note(7, below(toe.min(heel), DOWN, 0.002));
                }
                continue;
            }
            if plan.feet.contains(&foot) {
                // Steps count or do not, but lead by the part of them in which the foot has to be down: what is aimed at
                // changes smoothly with the times of phases.
                let penalty = above(toe, DOWN, 0.0002);
                let least = (0.5 * plan.ground.pulse).max(self.sketch.stance * plan.length());
                if down && elapsed <= least {
                    note(6, Penalty { strict: 0.0, ..penalty });
                }
                let lead = Penalty { steps: 0.0, slope: 0.0, ..penalty };
                note(6, lead * within(since, least));
                let before = watch.toes[foot];
                if watch.sunk && velocity.y > 0.0 && toe > before {
                    let haste = seen.toe_velocities[foot].y.lane(lane) + LIFT_SPEED - velocity.y;
                    if haste < 0.0 && heel > toe {
                        watch.lifted[foot] += toe - before;
                    } else if toe < 2.0 * LIFT {
                        let droop = (toe - heel) / LIFT;
                        let share = (haste / 0.2).max(droop).clamp(0.05, 1.0);
                        watch.wasted[foot] += share * (toe - before);
                    }
                }
                if toe.min(heel) < DOWN && self.feet.len() == 2 {
                    let other = 1 - foot;
                    let (own, others) = (seen.legs[foot].lane(lane), seen.legs[other].lane(lane));
                    if !self.feet[other].disregarded {
                        note(8, below(own - others, 0.0, 0.005));
                    }
                }
            } else if !setup.disregarded {
                note(9, below(toe.min(heel), SUNK, 0.005));
            }
            watch.toes[foot] = toe;
        }
        watch.sunk |= velocity.y < 0.0;
        // The step of the feet is over: they must have pushed off.
        if candidate.at(time + h).0 != index || step + 1 == self.count(candidate) {
            for &foot in &plan.feet {
                if self.sketch.aerial && self.sketch.touch == TouchingFeet::Step {
                    let toe = seen.toes[foot].y.lane(lane);
                    // Travel that counts does not by itself show the way there: the toe has to be up, the heel above
                    // it, and no travel wasted.
                    let leads = [
                        LIFT + LIFT_MARGIN - toe,
                        0.5 * LIFT - (seen.heels[foot].lane(lane) - toe),
                        watch.wasted[foot],
                    ];
                    let penalty = below(watch.lifted[foot], LIFT, LIFT_MARGIN);
                    watch.soft[7] += penalty;
                    let first = (leads.len() + 1) * (index * self.feet.len() + foot);
                    watch.leads.add(7, first, penalty.strict);
                    for (part, lead) in leads.iter().enumerate() {
                        watch.leads.add(7, first + 1 + part, lead.max(0.0).powi(2));
                    }
                }
                watch.lifted[foot] = 0.0;
                watch.wasted[foot] = 0.0;
            }
        }
    }

    fn judge(
        &self,
        watch: LaneWatch,
        candidate: &Candidate,
    ) -> (CandidateTrial, Option<BodyState>) {
        let Some(end) = watch.end.filter(|_| !watch.exploded) else {
            return (CandidateTrial::exploded(self.tolerances_of_lap()), None);
        };
        let steps = self.count(candidate) as f64;
        let velocity = watch.velocity / steps;
        let effort = watch.effort / steps;
        let (mut soft, mut leads) = (watch.soft, watch.leads);
        let mean = [
            below(velocity.z, self.sketch.speed, 0.01 * self.sketch.speed)
                + above(velocity.z, self.sketch.fastest, 0.01 * self.sketch.speed),
            beyond(velocity.y, DRIFT, 0.02),
            beyond(velocity.x, DRIFT, 0.02),
        ];
        let strain = [above(effort / (EFFORT * self.strength), 1.0, 0.02)];
        let dominance = self.dominance(candidate);
        for (constraint, parts) in [(1, &mean[..]), (3, &strain[..]), (4, &dominance[..])] {
            for (part, penalty) in parts.iter().enumerate() {
                soft[constraint] += *penalty;
                leads.add(constraint, part, penalty.strict);
            }
        }
        let leads = leads.finish(self.parts());
        let trial = CandidateTrial {
            objective: effort_and_slowness(effort, velocity.z),
            soft: soft.map(|penalty| penalty.steps + penalty.slope),
            leads,
            residuals: {
                let goal = candidate.goal.as_ref().unwrap_or(&candidate.start);
                self.residuals(goal, &end, candidate.length())
            },
            velocity: velocity.to_array(),
            effort,
            work: watch.work,
            exploded: false,
        };
        (trial, Some(end))
    }
}
