//! Keeping balance: ankles, hips and arms at any time, steps when those are not enough.

use andante_dynamics::{Kinematics, Simulation, Vec3, vec3};
use serde::{Deserialize, Serialize};

use crate::balance::foothold::{Situation, StepLimits};
use crate::balance::reaching::{ReachOptions, ReachStance, Reacher, Reaching, ReachingPlan};
use crate::balance::stepper::{StepPhase, Stepper};
use crate::body_sense::{BodySense, Corner};
pub(crate) use crate::control::poser::within;
use crate::control::poser::{between, flat, heading_error, upright};
use crate::control::tracker::Reference;
use crate::control::whole_body::{FootTask, Tasks, Weights, WholeBody};
use crate::physique::Physique;
use crate::support_polygon::{Point, SupportPolygon};
use crate::table::default_table;

/// Thresholds above which a sole counts as lying on uneven ground.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnevenGround {
    /// Ground whose normals differ by more than this under one sole is not flat.
    pub normals: f64,
    /// Nearer to the ground than this, a point of a sole that stands for good lies on it, m.
    pub touching: f64,
    /// The same for a corner of the part of the sole that is relied on, m.
    pub corner: f64,
    /// With a corner this far above the ground, a sole lies on stones rather than on a wave, m.
    pub stones: f64,
}

/// Gains and limits of the balance controller. The defaults suit a human; they are the table `controllers/balance.toml`,
/// which the example `tune_controllers` improves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BalanceOptions {
    /// How fast the capture point is drawn to the middle of the feet, 1/s.
    pub centring: f64,
    /// How fast angular momentum decays, 1/s.
    pub spin_decay: f64,
    /// Largest moment that is asked for to get upright, N·m: that can wait, falling cannot.
    pub moment: f64,
    /// Stiffness of height, 1/s²; critically damped.
    pub height_stiffness: f64,
    /// Fastest the body is let sink to reach farther, m/s². At free fall nothing would press the soles to the ground.
    pub sink: f64,
    /// Stiffness of the torso's uprightness, 1/s²; critically damped.
    pub upright_stiffness: f64,
    /// Stiffness of a swinging foot's way, 1/s²; critically damped.
    pub swing_stiffness: f64,
    /// How much hips and arms do per metre the capture point is outside the feet, m.
    pub hip_gain: f64,
    /// How far beyond the feet hips and arms may bring the effective pressure, m. Zero: ankles alone.
    pub hip_reach: f64,
    /// The same while a foot is in the air, which does the rest.
    pub hip_reach_stepping: f64,
    /// After a step, how far towards the foot that made it the weight is kept: 0 the middle, 1 that foot.
    pub lead: f64,
    /// Whether feet go back side by side once all is calm.
    pub return_feet: bool,
    /// Part of their length that the legs of who stands calmly are stretched to; 1 locks knees. 0 stands in the bend of the rest
    /// pose, from which alone walks set off safely.
    pub straight: f64,
    /// Seconds in which a body that has come to be calm straightens, and in which one that is not goes back into the bend of
    /// its rest pose, from which it steps farther.
    pub straighten: [f64; 2],
    /// Calm is whose capture point is so deep within the feet, m, and who is no faster than this, m/s.
    pub calm: [f64; 2],
    /// Coming up from a crouch, hips go for a place this much higher, m: that limits their speed.
    pub rise: f64,
    /// The same for the torso's turn, rad.
    pub rise_turn: f64,
    /// Share of an invisible hand that holds the torso, 0 to 1. Zero: joint torques alone.
    pub assist: f64,
    /// Limits of steps.
    pub step: StepLimits,
    /// What matters against what.
    pub weights: Weights,
    /// Hands that reach.
    pub reach: ReachOptions,
    /// Standing on uneven ground.
    pub ground: UnevenGround,
}

default_table!(BalanceOptions, "balance.toml");

/// A body that keeps its balance by joint torques alone.
#[derive(Clone, Debug)]
pub struct BalanceController {
    options: BalanceOptions,
    senses: BodySense,
    whole: WholeBody,
    tasks: Tasks,
    support: SupportPolygon,
    areas: [SupportPolygon; 2],
    stepper: Stepper,
    reacher: Reacher,
    /// What the reaching hands ask of the rest of the body.
    plan: Option<ReachingPlan>,
    /// The pose the joints prefer while no hand reaches.
    posture: Vec<f64>,
    /// Where the weight should be.
    goal: Vec3<f64>,
    heading: f64,
    /// How far it has straightened its legs, 0 to 1, and the pose of that.
    straight: f64,
    straight_posture: Vec<f64>,
    /// Whether it comes up from a crouch.
    rising: bool,
    /// Feet that stay as they are.
    rests: [bool; 2],
}

impl BalanceController {
    /// A body that faces +Z.
    pub fn new(physique: &Physique, options: BalanceOptions) -> Self {
        let none = Vec3::default();
        let still = FootTask { planted: true, angular: none, at: none, linear: none };
        BalanceController {
            options,
            senses: BodySense::default(),
            whole: WholeBody::new(physique, options.weights),
            tasks: Tasks {
                force: Vec3::default(),
                moment: Vec3::default(),
                feet: [still; 2],
                torso: Vec3::default(),
                posture: Reference::pose(physique.model.rest(), physique.model.freedoms()),
            },
            support: SupportPolygon::with_room(8),
            areas: [SupportPolygon::with_room(4), SupportPolygon::with_room(4)],
            stepper: Stepper::new(options.step, options.return_feet),
            reacher: Reacher::new(physique, options.reach),
            plan: None,
            posture: physique.model.rest().to_vec(),
            goal: none,
            heading: 0.0,
            straight: 0.0,
            straight_posture: physique.straightened(options.straight),
            rising: false,
            rests: [false; 2],
        }
    }

    /// The sensed state of the body before the last step.
    pub fn senses(&self) -> &BodySense {
        &self.senses
    }

    /// True if it comes up from a crouch.
    pub fn rising(&self) -> bool {
        self.rising
    }

    /// Takes over a body that crouches on its feet, and comes up facing where it faces.
    pub fn restart(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        let z = simulation.kinematics().rotation(physique.torso).z;
        self.heading = libm::atan2(z.x, z.z);
        self.stepper.restart(simulation.time());
        self.whole.forget();
        self.reacher.clear();
        self.rising = true;
    }

    /// Takes over a body that comes to a stand with a foot before the other, which then joins it.
    pub fn halt(&mut self, heading: f64, lead: usize, time: f64) {
        self.heading = heading;
        self.stepper.halt(lead, time);
        self.whole.forget();
    }

    /// The phase of the stepper: standing, or a step under way.
    pub fn phase(&self) -> &StepPhase {
        self.stepper.phase()
    }

    /// Steps made to catch the body.
    pub fn steps(&self) -> usize {
        self.stepper.steps()
    }

    /// Steps made to bring feet home.
    pub fn returns(&self) -> usize {
        self.stepper.returns()
    }

    /// Sends a hand (0 left, 1 right) to a place in the world, and keeps it there. The feet stay where they are; trunk and
    /// legs help as far as balance lets them. Who is pushed and has to step reaches again once it stands. Nothing happens
    /// where there is no hand, or the place is not finite.
    pub fn reach(&mut self, physique: &Physique, hand: usize, target: Vec3<f64>) {
        if physique.hands.get(hand).copied().flatten().is_some() && target.is_finite() {
            self.reacher.reach(hand, target);
        }
    }

    /// Lets a hand go back to where it hangs.
    pub fn release(&mut self, hand: usize) {
        if hand < 2 {
            self.reacher.release(hand);
        }
    }

    /// Lets go of everything that hands reach for, at once.
    pub(crate) fn drop_reach(&mut self) {
        self.reacher.clear();
        self.plan = None;
    }

    /// The progress of a hand that was sent somewhere, at a time of the simulation; `None` for one that was not.
    pub fn reaching(&self, hand: usize, time: f64) -> Option<Reaching> {
        self.reacher.reaching(hand, time)
    }

    /// Where the torso's y axis should be, and the hips above the ground as a part of their height in the rest pose.
    pub(crate) fn intended(&self, physique: &Physique) -> (Vec3<f64>, f64) {
        let ground = self.senses.centre.y - self.senses.height;
        match &self.plan {
            Some(plan) => (plan.torso.y, ((plan.hips - ground) / physique.hips).min(1.0)),
            None => (vec3(0.0, 1.0, 0.0), 1.0),
        }
    }

    /// Sets the controls of the next step.
    pub fn drive(&mut self, physique: &Physique, simulation: &mut Simulation<f64>) {
        self.senses.feel(physique, simulation);
        let time = simulation.time();
        let rate = self.senses.rate;
        let capture = self.senses.desired_pressure(rate, rate);
        let soles = [0, 1].map(|foot| physique.sole_at(simulation.kinematics(), foot));
        for (area, corners) in self.areas.iter_mut().zip(&self.senses.corners) {
            area.set_hull(corners.iter().map(|corner| [corner.point.x, corner.point.z]));
        }
        let situation = Situation {
            areas: &self.areas,
            physique,
            senses: &self.senses,
            soles,
            heading: self.heading,
            capture,
            terrain: simulation.terrain(),
        };
        self.stepper.advance(&situation, time);
        self.rests = [false; 2];
        if self.stepper.settled(time) {
            self.rest_feet(physique, simulation);
        }
        self.straighten(capture, simulation.settings().step);
        let swinging = self.stepper.phase().swinging().map(|(foot, _)| foot);
        let corners = self.senses.corners.iter().enumerate();
        let standing = corners.filter(|(foot, _)| swinging != Some(*foot));
        let carrying =
            standing.flat_map(|(_, corners)| corners.iter().filter(|c| BodySense::carries(c)));
        self.support.set_hull(carrying.map(|corner| [corner.point.x, corner.point.z]));

        let hips = self.hip_height(physique, simulation.kinematics(), &soles);
        self.reach_on(physique, simulation, &soles, hips);
        self.aim(physique, simulation, &soles, capture, hips);
        self.whole.drive(physique, &self.senses, &self.tasks, simulation);
        if self.options.assist > 0.0 {
            self.hold(physique, simulation);
        }
    }

    /// Straightens the legs while all is calm.
    fn straighten(&mut self, capture: Point, step: f64) {
        let options = &self.options;
        let calm = *self.stepper.phase() == StepPhase::Stand
            && self.stepper.lead().is_none()
            && !self.rising
            && self.plan.is_none()
            && self.senses.velocity.length() < options.calm[1]
            // As it was before this step.
            && self.support.depth(capture) > options.calm[0];
        let [up, down] = options.straighten;
        let change = if calm { step / up.max(step) } else { -step / down.max(step) };
        self.straight = (self.straight + change).clamp(0.0, 1.0);
    }

    /// Plans what hands that reach ask of the body.
    fn reach_on(
        &mut self,
        physique: &Physique,
        simulation: &Simulation<f64>,
        soles: &[Vec3<f64>; 2],
        hips: f64,
    ) {
        let home = self.stepper.lead().is_none() || !self.options.return_feet;
        let stance = ReachStance {
            physique,
            simulation,
            support: &self.support,
            soles: *soles,
            heading: self.heading,
            hips: self.senses.centre.y - self.senses.height + hips,
            posture: &self.posture,
            steady: !self.rising && home && self.stepper.settled(simulation.time()),
        };
        let hands = self.reacher.advance(&stance);
        self.whole.set_hands(hands);
        self.plan = self.reacher.plan(physique);
        let posture = self.reacher.posture().unwrap_or(&self.posture);
        self.tasks.posture.q.copy_from_slice(posture);
        if self.straight > 0.0 && self.plan.is_none() {
            physique.mix_legs(&self.straight_posture, self.straight, &mut self.tasks.posture.q);
        }
    }

    /// A foot that lies on three points of uneven ground stays as it lies: nothing else carries, and there is no flatter
    /// way to lie. On stones the points are where it touches, on gentle waves the corners that are near.
    fn rest_feet(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        let ground = self.options.ground;
        for (foot, corners) in self.senses.corners.iter_mut().enumerate() {
            let sum = corners.iter().fold(Vec3::default(), |sum, corner| sum + corner.normal);
            let uneven =
                corners.iter().any(|c| (c.normal * 4.0 - sum).length() > 4.0 * ground.normals);
            let link = physique.soles[foot].link;
            let touching = || {
                let all = simulation.contacts(0);
                all.filter(move |c| {
                    c.link == link && c.other.is_none() && c.distance < ground.touching
                })
            };
            if !uneven || self.senses.load[foot] < 50.0 {
                continue;
            }
            let rough = corners.iter().any(|corner| corner.gap > ground.stones);
            if rough && touching().count() >= 3 {
                self.rests[foot] = true;
                let mut points = touching();
                for corner in corners.iter_mut() {
                    *corner = match points.next() {
                        Some(c) => Corner { point: c.point, normal: c.normal, gap: 0.0 },
                        None => Corner { gap: f64::INFINITY, ..*corner },
                    };
                }
            } else if corners.iter().filter(|corner| corner.gap < ground.corner).count() >= 3 {
                self.rests[foot] = true;
                for corner in corners.iter_mut().filter(|corner| corner.gap >= ground.corner) {
                    corner.gap = f64::INFINITY;
                }
            }
        }
    }

    /// The invisible hand: keeps the centre of mass over the feet and the torso upright, with no more than half the
    /// body's weight.
    fn hold(&self, physique: &Physique, simulation: &mut Simulation<f64>) {
        let (assist, senses) = (self.options.assist, &self.senses);
        let most = 0.5 * physique.mass * senses.rate * senses.rate * senses.height;
        let off = self.goal - senses.centre;
        let wanted = off * 60.0 - senses.velocity * 15.0;
        let force = within(vec3(wanted.x, 0.0, wanted.z) * physique.mass, most) * assist;
        simulation.apply_force(physique.torso, force, senses.centre);
        let torque = within(self.tasks.torso * (0.12 * physique.mass), most) * assist;
        simulation.apply_torque(physique.torso, torque);
    }

    /// Turns phase and senses into tasks.
    fn aim(
        &mut self,
        physique: &Physique,
        simulation: &Simulation<f64>,
        soles: &[Vec3<f64>; 2],
        capture: Point,
        hips: f64,
    ) {
        let kin = simulation.kinematics();
        self.goal = self.weight_goal(soles);
        let pressure = self.wanted_pressure(capture);
        let (low, turn) = self.rise_and_turn(physique, kin, hips);
        let (options, senses) = (&self.options, &self.senses);
        let up = options.height_stiffness * low
            - 2.0 * options.height_stiffness.sqrt() * senses.velocity.y;
        let up = up.max(-options.sink);
        let push = senses.rate * senses.rate;
        self.tasks.force = vec3(
            push * (senses.centre.x - pressure[0]),
            up,
            push * (senses.centre.z - pressure[1]),
        ) * physique.mass;

        // Upright, facing where the feet point.
        let spin = kin.velocity(physique.torso).0;
        let stiffness = options.upright_stiffness;
        self.tasks.torso = turn * stiffness - spin * (2.0 * stiffness.sqrt());
        let inertia = 0.12 * physique.mass * physique.height * physique.height;
        let decay = options.spin_decay;
        self.tasks.moment =
            within(turn * (inertia * decay * decay * 0.5), options.moment) - senses.spin * decay;

        let time = simulation.time();
        let swinging = self.stepper.phase().swinging().map(|(foot, swing)| (foot, swing.at(time)));
        for (foot, &sole) in soles.iter().enumerate() {
            let way = swinging.filter(|(swung, _)| *swung == foot).map(|(_, way)| way);
            self.tasks.feet[foot] = self.foot_task(physique, kin, foot, sole, way);
        }
    }

    /// What hands that reach ask for, while both feet stand.
    fn standing_plan(&self) -> Option<&ReachingPlan> {
        let stands = *self.stepper.phase() == StepPhase::Stand;
        self.plan.as_ref().filter(|_| stands)
    }

    /// Where the weight should be.
    fn weight_goal(&self, soles: &[Vec3<f64>; 2]) -> Vec3<f64> {
        let middle = (soles[0] + soles[1]) * 0.5;
        let goal = match *self.stepper.phase() {
            // A foot that has just caught the body keeps it until the other has joined.
            StepPhase::Stand => self
                .stepper
                .lead()
                .map_or(middle, |lead| middle + (soles[lead] - middle) * self.options.lead),
            StepPhase::Step { foot, .. }
            | StepPhase::Shift { foot, .. }
            | StepPhase::Return { foot, .. } => soles[1 - foot],
        };
        self.standing_plan().map_or(goal, |plan| vec3(plan.centre[0], goal.y, plan.centre[1]))
    }

    /// Where the ground should push. Ankles hold as far as the soles reach; hips and arms add what the capture point is
    /// beyond them.
    fn wanted_pressure(&self, capture: Point) -> Point {
        let (options, goal) = (&self.options, self.goal);
        let rate = self.senses.rate;
        let wanted = [
            capture[0] + options.centring / rate * (capture[0] - goal.x),
            capture[1] + options.centring / rate * (capture[1] - goal.z),
        ];
        let held = self.support.clamp(wanted);
        let inside = self.support.clamp(capture);
        let over = [capture[0] - inside[0], capture[1] - inside[1]];
        let far = libm::hypot(over[0], over[1]).max(1e-9);
        let reach = if self.stepper.phase().swinging().is_some() {
            options.hip_reach_stepping
        } else {
            options.hip_reach
        };
        let part = (options.hip_gain * far).min(reach) / far;
        [held[0] + over[0] * part, held[1] + over[1] * part]
    }

    /// By how much the hips are too low and how the torso has to turn; both within limits while it comes up.
    fn rise_and_turn(
        &mut self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        hips: f64,
    ) -> (f64, Vec3<f64>) {
        let hip = physique.soles.each_ref().map(|sole| kin.position(&physique.model, sole.hip).y);
        let ground = self.senses.centre.y - self.senses.height;
        let high = 0.5 * (hip[0] + hip[1]);
        let torso = kin.rotation(physique.torso);
        let (low, turn) = match self.standing_plan() {
            Some(plan) => (plan.hips - high, between(&torso, &plan.torso)),
            None => (hips - (high - ground), upright(&torso, self.heading)),
        };
        if !self.rising {
            return (low, turn);
        }
        let options = &self.options;
        self.rising = low > options.rise || turn.length() > options.rise_turn;
        (low.min(options.rise), within(turn, options.rise_turn))
    }

    /// What a foot shall do: follow its way through the air, stay as it lies, or lie flat and still.
    fn foot_task(
        &self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        foot: usize,
        sole: Vec3<f64>,
        way: Option<(Vec3<f64>, Vec3<f64>, Vec3<f64>)>,
    ) -> FootTask {
        let link = physique.soles[foot].link;
        let rotation = kin.rotation(link);
        let (spin, _) = kin.velocity(link);
        let velocity = kin.velocity_at(&physique.model, link, sole);
        let corners = &self.senses.corners[foot];
        let normal = corners.iter().fold(Vec3::default(), |n, c| n + c.normal);
        let normal = normal.normalized().unwrap_or(vec3(0.0, 1.0, 0.0));
        let flat = flat(&rotation, normal);
        let gap = 0.25 * corners.iter().map(|c| c.gap.min(0.1)).sum::<f64>();
        let k = self.options.swing_stiffness;
        let damping = 2.0 * k.sqrt();
        match way {
            Some((place, speed, acceleration)) => FootTask {
                planted: false,
                at: sole,
                angular: within(
                    (flat + heading_error(&rotation, self.heading)) * k - spin * damping,
                    300.0,
                ),
                linear: within(
                    acceleration + (speed - velocity) * damping + (place - sole) * k,
                    100.0,
                ),
            },
            None if self.rests[foot] => FootTask {
                planted: true,
                at: sole,
                angular: spin * -40.0,
                linear: velocity * -60.0,
            },
            None => FootTask {
                planted: true,
                at: sole,
                angular: flat * 400.0 - spin * 40.0,
                linear: velocity * -60.0 - normal * (900.0 * gap),
            },
        }
    }

    /// Where the hips should be above the ground.
    fn hip_height(
        &self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        soles: &[Vec3<f64>; 2],
    ) -> f64 {
        let to = [0, 1].map(|foot| match self.stepper.phase().swinging() {
            Some((swung, swing)) if swung == foot => swing.to,
            _ => soles[foot],
        });
        let ground = self.senses.centre.y - self.senses.height;
        let low = physique.hip_height(kin, &to, ground);
        if self.straight == 0.0 {
            return low;
        }
        let high = physique.stretched_height(kin, &to, ground, self.options.straight);
        low + self.straight * (high - low).max(0.0)
    }
}
