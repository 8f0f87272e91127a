//! Keeping a walk or a run going.
//!
//! Joints, trunk and feet follow the cycle. The capture point is compared with the cycle's: pressure under the standing
//! foot corrects what it can, and where the other foot lands corrects the rest (Pratt et al. 2006; Englsberger et al. 2015).

use andante_dynamics::{Kinematics, Quat, Simulation, Vec3, vec3};

use super::course::{Course, Ladder};
use super::cycle::{Momenta, WalkCycle};
use crate::balance::within;
use crate::physique::Physique;
use crate::polygon::Polygon;
use crate::sense::{Corner, Senses};
use crate::track::Reference;
use crate::whole_body::{FootTask, Tasks, Weights, WholeBody};

/// How a walk is kept up. The defaults suit a human.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkOptions {
    /// How fast the capture point is drawn to where the walk has it, 1/s.
    pub centring: f64,
    /// How fast angular momentum comes to the walk's, 1/s.
    pub spin_decay: f64,
    /// Stiffness of height, 1/s²; critically damped.
    pub height_stiffness: f64,
    /// Stiffness of the trunk's attitude, 1/s²; critically damped.
    pub trunk_stiffness: f64,
    /// Stiffness of a swinging foot's way, 1/s²; critically damped.
    pub swing_stiffness: f64,
    /// Part of the capture point's error at the next strike that the foot makes up for.
    pub placement: f64,
    /// How far a foot may land before or behind where the walk has it, m.
    pub reach: f64,
    /// How far it may land farther out, m.
    pub aside: f64,
    /// Least distance of the feet across the body, m.
    pub apart: f64,
    /// How far beyond the feet hips and arms may bring the effective pressure, m.
    pub hip_reach: f64,
    /// Largest rate of angular momentum that is asked for, N·m.
    pub moment: f64,
    /// What a step that is a tenth quicker than usual is worth, as a foot's way aside, m.
    pub haste: f64,
    /// Quickest pace of a step that is in a hurry, against the usual one.
    pub hurry: f64,
    /// How fast it turns to its goal, rad/s.
    pub turn: f64,
    /// What matters against what.
    pub weights: Weights,
}

impl Default for WalkOptions {
    fn default() -> Self {
        WalkOptions {
            centring: 1.8,
            spin_decay: 7.1,
            height_stiffness: 49.0,
            trunk_stiffness: 180.0,
            swing_stiffness: 650.0,
            placement: 1.27,
            reach: 0.32,
            aside: 0.35,
            apart: 0.044,
            hip_reach: 0.008,
            moment: 100.0,
            haste: 0.029,
            hurry: 1.88,
            turn: 0.2,
            weights: Weights {
                moment: 1.6,
                dynamics: 23.0,
                feet: 5.4e4,
                swing: 1e4,
                torso: 19.0,
                legs: 2.4,
                posture: 9.3,
                posture_stiffness: 210.0,
                limits: 30.0,
                damping: 0.02,
                sweeps: 30,
            },
        }
    }
}

impl WalkOptions {
    /// For a run of a human.
    pub fn run() -> Self {
        let walk = WalkOptions::default();
        WalkOptions {
            centring: 2.2,
            spin_decay: 9.21,
            height_stiffness: 169.0,
            trunk_stiffness: 208.0,
            swing_stiffness: 467.0,
            placement: 1.36,
            reach: 0.494,
            aside: 0.37,
            apart: 0.0093,
            hip_reach: 0.0156,
            moment: 177.0,
            weights: Weights {
                moment: 3.32,
                dynamics: 24.1,
                swing: 12500.0,
                torso: 8.92,
                legs: 4.07,
                posture: 5.73,
                posture_stiffness: 212.0,
                ..walk.weights
            },
            ..walk
        }
    }

    /// The defaults that suit a cycle.
    pub fn of(cycle: &WalkCycle) -> Self {
        if cycle.flies { Self::run() } else { Self::default() }
    }
}

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
pub struct Walker {
    options: WalkOptions,
    cycle: WalkCycle,
    senses: Senses,
    whole: WholeBody,
    tasks: Tasks,
    support: Polygon,
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
    course: Option<Course>,
}

/// Pace at which somebody sets off: weight has to go over first.
const AT_FIRST: f64 = 0.5;
/// Paces that a step is tried with.
const PACES: usize = 6;
/// For how long the motion ahead is looked at to know its accelerations, s.
const AHEAD: f64 = 1e-3;
/// Weight on a foot that counts as a strike, N.
const STRUCK: f64 = 25.0;
/// Corners of the walk's sole this near to its lowest bear, m.
const BEARS: f64 = 0.004;

impl Walker {
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
        Walker {
            options,
            senses: Senses::new(),
            whole: WholeBody::new(physique, options.weights),
            tasks: Tasks {
                force: none,
                moment: none,
                feet: [still; 2],
                torso: none,
                posture: reference.clone(),
            },
            support: Polygon::with_room(8),
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
        let (sin, cos) = heading.sin_cos();
        // Soles stand below the centre of mass, which is before the trunk's origin.
        let trunk = simulation.kinematics().position(&physique.model, physique.torso);
        let lean = simulation.centre_of_mass(0) - trunk;
        let sole = goal + vec3(sin, 0.0, cos) * (lean.x * sin + lean.z * cos);
        let course = Course::new(ladder, sole, physique.half_width);
        let cycle = course.slowest().clone();
        // The right foot has just come down, as it were, and the left one leaves.
        let lead = 1;
        let phase = cycle.standing[lead].strike;
        let mut walker = Walker::new(physique, cycle, phase, options);
        let kin = simulation.kinematics();
        walker.senses.feel(physique, simulation);
        walker.lead = lead;
        walker.heading = heading;
        walker.goal = goal;
        walker.pace = AT_FIRST;
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

    /// Whether it has come to its goal, one foot before the other, and only has to stand.
    pub fn is_there(&self) -> bool {
        self.course.as_ref().is_some_and(Course::is_over)
    }

    /// The foot that struck last: 0 left, 1 right.
    pub fn lead(&self) -> usize {
        self.lead
    }

    /// Where it faces.
    pub fn heading(&self) -> f64 {
        self.heading
    }

    /// Where it walks to.
    pub fn set_goal(&mut self, goal: Vec3<f64>) {
        self.goal = goal;
    }

    /// If it has set off somewhere: comes to a stand before it is there, as soon as it can.
    pub fn stop(&mut self) {
        if let Some(course) = &mut self.course {
            course.stop(self.print[1], self.heading, &self.cycle);
        }
    }

    /// What the body felt before the last step.
    pub fn senses(&self) -> &Senses {
        &self.senses
    }

    /// Where the body should be.
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

    /// Phase of the cycle, growing by one in each.
    pub fn phase(&self) -> f64 {
        self.phase
    }

    /// Whether each foot stands.
    pub fn planted(&self) -> [bool; 2] {
        [self.feet[0].planted, self.feet[1].planted]
    }

    /// How far the capture point is from the walk's, m.
    pub fn error(&self) -> [f64; 2] {
        self.error
    }

    /// Torques planned for the last step, one per velocity of the model.
    pub fn torque(&self) -> &[f64] {
        self.whole.torque()
    }

    /// Sets the controls of the next step.
    pub fn drive(&mut self, physique: &Physique, simulation: &mut Simulation<f64>) {
        self.senses.feel(physique, simulation);
        let step = simulation.options().step;
        self.advance(physique, simulation, step);
        self.turn(step);
        self.look(physique);
        self.bear(physique, simulation.kinematics());
        let momenta = self.momenta();
        let excess = self.aim(physique, simulation, &momenta);
        self.place_foot(physique, simulation.kinematics(), excess, step);
        self.whole.drive(physique, &self.senses, &self.tasks, simulation);
    }

    /// Goes on in the cycle; feet strike and leave the ground.
    fn advance(&mut self, physique: &Physique, simulation: &Simulation<f64>, step: f64) {
        self.phase += self.pace * step / self.cycle.period;
        let kin = simulation.kinematics();
        for foot in 0..2 {
            let standing = self.cycle.standing[foot];
            let own = self.feet[foot];
            if own.planted {
                if standing.swung(self.phase) > 0.0 && (self.cycle.flies || foot != self.lead) {
                    self.look(physique);
                    let off = physique.sole_at(kin, foot) - physique.sole_at(&self.kin, foot);
                    self.feet[foot] = WalkingFoot {
                        planted: false,
                        left: off,
                        land: Vec3::default(),
                        yaw: self.yaw_off(physique, kin, foot),
                    };
                }
                continue;
            }
            let swung = standing.swung(self.phase);
            let late = swung <= 0.0;
            if self.senses.load[foot] > STRUCK && (swung > 0.6 || late) {
                self.strike(physique, kin, foot);
            } else if late {
                // The cycle waits for the foot.
                let over = (self.phase - standing.strike).rem_euclid(1.0);
                self.phase -= (over - 0.02).max(0.0);
            }
        }
    }

    /// A foot has come down: the walk goes on from where it is.
    fn strike(&mut self, physique: &Physique, kin: &Kinematics<f64>, foot: usize) {
        let other = 1 - foot;
        self.look(physique);
        let before = physique.sole_at(&self.kin, other) + self.aside(other);
        let standing = self.cycle.standing[foot];
        let round = (self.phase - standing.strike).round();
        self.phase = standing.strike + round;
        self.pace = 1.0;
        self.steps += 1;
        let at = physique.sole_at(kin, foot);
        if let Some(course) = &mut self.course {
            course.strike(at, foot, self.heading, &mut self.cycle);
            self.phase = self.cycle.standing[foot].strike + round;
        }
        let way = vec3(0.0, 0.0, self.cycle.stride * round);
        let place = self.cycle.strikes[foot] + way;
        let level = self.ground(foot);
        self.print = [place, vec3(at.x, level + place.y, at.z)];
        self.lead = foot;
        self.feet[foot].planted = true;
        self.look(physique);
        self.feet[foot].yaw = self.yaw_off(physique, kin, foot);
        if !self.feet[other].planted {
            // The other foot is in the air already, and stays on its way.
            let jump = before - physique.sole_at(&self.kin, other) - self.aside(other);
            let left = 1.0 - ease(self.cycle.standing[other].swung(self.phase));
            self.feet[other].left += jump * (1.0 / left.max(0.2));
        }
    }

    /// How far beside the cycle's a foot in the air is to be.
    fn aside(&self, foot: usize) -> Vec3<f64> {
        let own = &self.feet[foot];
        let to = ease(self.cycle.standing[foot].swung(self.phase));
        own.left * (1.0 - to) + own.land * to
    }

    /// Height of the ground under a foot.
    fn ground(&self, foot: usize) -> f64 {
        let corners = self.senses.corners[foot].iter().filter(|c| c.gap.is_finite());
        let (sum, count) =
            corners.fold((0.0, 0.0), |(sum, n), c| (sum + c.point.y - c.gap, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// By how much the heading of a foot differs from the walk's.
    fn yaw_off(&self, physique: &Physique, kin: &Kinematics<f64>, foot: usize) -> f64 {
        let link = physique.soles[foot].link;
        let (own, walk) = (kin.rotation(link).z, self.kin.rotation(link).z);
        wrap(own.x.atan2(own.z) - walk.x.atan2(walk.z))
    }

    /// Turns slowly to the goal.
    fn turn(&mut self, step: f64) {
        let way = self.goal - self.senses.centre;
        if way.x.hypot(way.z) > 1.0 {
            let off = wrap(way.x.atan2(way.z) - self.heading);
            let most = self.options.turn * step;
            self.heading += off.clamp(-most, most);
        }
    }

    /// A place of the cycle in the world.
    fn in_world(&self, place: Vec3<f64>) -> Vec3<f64> {
        self.print[1] + turned(place - self.print[0], self.heading)
    }

    /// The walk now and a moment later.
    fn look(&mut self, physique: &Physique) {
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

    fn move_root(&self, reference: &mut Reference) {
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

    fn momenta(&self) -> Momenta {
        // However much in a hurry the feet are: the body moves as the pendulum it is.
        let m = self.cycle.momenta(self.phase, 1.0);
        let turn = |v: Vec3<f64>| turned(v, self.heading);
        Momenta {
            centre: [self.in_world(m.centre[0]), turn(m.centre[1]), turn(m.centre[2])],
            spin: [turn(m.spin[0]), turn(m.spin[1])],
            pressure: self.in_world(m.pressure),
        }
    }

    /// Which corners of the standing feet bear: those the walk rolls over.
    fn bear(&mut self, physique: &Physique, kin: &Kinematics<f64>) {
        for (foot, sole) in physique.soles.iter().enumerate() {
            let edges = sole.edges();
            let heights = edges.map(|edge| self.kin.point(&physique.model, sole.link, edge).y);
            let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
            let flat = heights.iter().all(|y| y - low < BEARS);
            for (k, corner) in self.senses.corners[foot].iter_mut().enumerate() {
                if flat {
                    continue;
                }
                if heights[k] - low < BEARS {
                    let point = kin.point(&physique.model, sole.link, edges[k]);
                    let gap = corner.gap + (point.y - corner.point.y);
                    *corner = Corner { point, gap, ..*corner };
                } else {
                    corner.gap = f64::INFINITY;
                }
            }
        }
        let planted = [self.feet[0].planted, self.feet[1].planted];
        let corners = self.senses.corners.iter().enumerate().filter(|(foot, _)| planted[*foot]);
        let bearing =
            corners.flat_map(|(_, corners)| corners.iter().filter(|c| Senses::carries(c)));
        self.support.set_hull(bearing.map(|corner| [corner.point.x, corner.point.z]));
    }

    /// Turns the walk and what differs from it into tasks. Gives the error of the capture point and what the pressure does
    /// against it.
    fn aim(
        &mut self,
        physique: &Physique,
        simulation: &Simulation<f64>,
        walk: &Momenta,
    ) -> [[f64; 2]; 2] {
        let (options, senses) = (&self.options, &self.senses);
        let swing = self.cycle.swing(self.phase);
        let kin = simulation.kinematics();
        let off = senses.centre - walk.centre[0];
        let slip = senses.velocity - walk.centre[1];
        let error = [off.x + slip.x * swing.lead, off.z + slip.z * swing.lead];
        let gain = 1.0 + options.centring / self.cycle.rate;
        let wanted = [walk.pressure.x + gain * error[0], walk.pressure.z + gain * error[1]];
        let held = self.support.clamp(wanted);
        let moved = [held[0] - walk.pressure.x, held[1] - walk.pressure.z];
        let over = [wanted[0] - held[0], wanted[1] - held[1]];
        let far = over[0].hypot(over[1]).max(1e-9);
        let part = far.min(options.hip_reach) / far;
        let felt = [moved[0] + over[0] * part, moved[1] + over[1] * part];
        let square = swing.square;
        let k = options.height_stiffness;
        let up = walk.centre[2].y - k * off.y - 2.0 * k.sqrt() * slip.y;
        self.tasks.force = vec3(
            walk.centre[2].x + square * (off.x - felt[0]),
            up.max(walk.centre[2].y.min(-7.0)),
            walk.centre[2].z + square * (off.z - felt[1]),
        ) * physique.mass;
        self.error = error;

        let torso = physique.torso;
        let lean = rotation_error(&self.kin, kin, torso);
        let spin = self.kin.velocity(torso).0 - kin.velocity(torso).0;
        let ahead = (self.next.velocity(torso).0 - self.kin.velocity(torso).0) * (1.0 / AHEAD);
        let k = options.trunk_stiffness;
        self.tasks.torso = ahead + lean * k + spin * (2.0 * k.sqrt());
        let inertia = 0.12 * physique.mass * physique.height * physique.height;
        let decay = options.spin_decay;
        let back = (walk.spin[0] - senses.spin) * decay + lean * (inertia * decay * decay * 0.5);
        self.tasks.moment = walk.spin[1] + within(back, options.moment);
        for foot in 0..2 {
            self.tasks.feet[foot] = self.foot_task(physique, kin, foot);
        }
        self.tasks.posture.q.copy_from_slice(&self.now.q);
        self.tasks.posture.v.copy_from_slice(&self.now.v);
        self.tasks.posture.a.copy_from_slice(&self.now.a);
        [error, moved]
    }

    fn foot_task(&self, physique: &Physique, kin: &Kinematics<f64>, foot: usize) -> FootTask {
        let (model, sole, own) = (&*physique.model, &physique.soles[foot], &self.feet[foot]);
        let link = sole.link;
        let standing = self.cycle.standing[foot];
        let faded = if own.planted { 1.0 } else { 1.0 - ease(standing.swung(self.phase)) };
        let turn = rotation_error(&self.kin, kin, link) + vec3(0.0, own.yaw * faded, 0.0);
        let spin = self.kin.velocity(link).0 - kin.velocity(link).0;
        let ahead = (self.next.velocity(link).0 - self.kin.velocity(link).0) * (1.0 / AHEAD);
        let k = self.options.swing_stiffness;
        let angular = ahead + turn * k + spin * (2.0 * k.sqrt());
        if own.planted {
            let bearing = self.senses.corners[foot].iter().filter(|c| c.gap.is_finite());
            let (sum, gap, count) = bearing.fold((Vec3::default(), 0.0, 0.0), |(p, g, n), c| {
                (p + c.point, g + c.gap.clamp(-0.02, 0.05), n + 1.0)
            });
            let share = if count > 0.0 { 1.0 / count } else { 0.0 };
            let at = if count > 0.0 { sum * share } else { kin.point(model, link, sole.centre) };
            let velocity = kin.velocity_at(model, link, at);
            let down = vec3(0.0, 900.0 * gap * share, 0.0);
            return FootTask {
                planted: true,
                angular: within(angular, 400.0),
                at,
                linear: velocity * -60.0 - down,
            };
        }
        let at = physique.sole_at(kin, foot);
        let wish = physique.sole_at(&self.kin, foot);
        let (speed, later) = (
            self.kin.velocity_at(model, link, wish),
            self.next.velocity_at(model, link, physique.sole_at(&self.next, foot)),
        );
        let to = ease(standing.swung(self.phase));
        let late = standing.swung(self.phase) <= 0.0;
        let to = if late { 1.0 } else { to };
        let off = own.left * (1.0 - to) + own.land * to;
        let swing = self.cycle.period * (1.0 - standing.lasts) / self.pace;
        let slope = if late { 0.0 } else { slope(standing.swung(self.phase)) / swing };
        let drift = (own.land - own.left) * slope;
        let seek = if late { vec3(0.0, -0.3, 0.0) } else { Vec3::default() };
        let acceleration = (later - speed) * (1.0 / AHEAD);
        let velocity = kin.velocity_at(model, link, at);
        FootTask {
            planted: false,
            angular: within(angular, 400.0),
            at,
            linear: within(
                acceleration
                    + (wish + off - at) * k
                    + (speed + drift + seek - velocity) * (2.0 * k.sqrt()),
                150.0,
            ),
        }
    }

    /// Where the swinging foot is to land: beside the walk's place by what the capture point will be off.
    fn place_foot(
        &mut self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        [error, moved]: [[f64; 2]; 2],
        step: f64,
    ) {
        let foot = 1 - self.lead;
        let standing = self.cycle.standing[foot];
        if self.feet[foot].planted || standing.swung(self.phase) > 0.9 {
            return;
        }
        let options = &self.options;
        let swing = self.cycle.swing(self.phase);
        let stance = physique.sole_at(kin, self.lead);
        let round = (self.phase + standing.until_strike(self.phase) - standing.strike).round();
        let way = vec3(0.0, 0.0, self.cycle.stride * round);
        let place = turned(self.in_world(self.cycle.strikes[foot] + way) - stance, -self.heading);
        let goal = self.in_world(self.cycle.captures[foot] + way);
        let strike = self.cycle.swing(self.phase + standing.until_strike(self.phase));
        let growth = strike.growth - swing.growth;
        // Where the walk's own capture point is, and the pressure that takes it to the strike's.
        let (centre, velocity) = (self.senses.centre, self.senses.velocity);
        let capture = [centre.x + velocity.x * swing.lead, centre.z + velocity.z * swing.lead];
        let grow = growth.exp();
        let goal = [goal.x, goal.z];
        let flies = self.cycle.flies;
        let pressure = [0, 1].map(|k| {
            let own = (goal[k] - (capture[k] - error[k]) * grow) / (1.0 - grow).min(-1e-6);
            own + moved[k]
        });
        let outwards = physique.soles[foot].outwards;
        let nearest = (options.apart - place.x * outwards).min(0.0);
        let (mut best, mut least) = ((Vec3::default(), 1.0), f64::INFINITY);
        // In the air nothing can be hurried.
        for k in 0..if flies { 1 } else { PACES } {
            let pace = 1.0 + (options.hurry - 1.0) * k as f64 / (PACES - 1) as f64;
            let grow = (growth / pace).exp();
            let end = [0, 1].map(|k| {
                if flies {
                    moved[k] + (error[k] - moved[k]) * grow
                } else {
                    pressure[k] + (capture[k] - pressure[k]) * grow - goal[k]
                }
            });
            // In the body's own axes.
            let own = turned(vec3(end[0], 0.0, end[1]) * options.placement, -self.heading);
            let across = (own.x * outwards).clamp(nearest, options.aside) * outwards;
            let found = vec3(across, 0.0, own.z.clamp(-options.reach, options.reach));
            let haste = options.haste * 10.0 * (pace - 1.0);
            let cost =
                (own - found).length_squared() * 25.0 + found.length_squared() + haste * haste;
            if cost < least {
                (best, least) = ((turned(found, self.heading), pace), cost);
            }
        }
        let [aside, ahead] = self.course.as_ref().map_or([0.0; 2], Course::stretch);
        best.0 += turned(vec3(aside, 0.0, ahead), self.heading);
        let follow = (25.0 * step).min(1.0);
        let land = &mut self.feet[foot].land;
        *land += (best.0 - *land) * follow;
        self.pace += (best.1 - self.pace) * follow;
    }
}

/// From 0 to 1, level at both ends; done a little early.
fn ease(u: f64) -> f64 {
    let u = (u / 0.9).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

fn slope(u: f64) -> f64 {
    let u = (u / 0.9).clamp(0.0, 1.0);
    6.0 * u * (1.0 - u) / 0.9
}

/// A vector turned about y.
fn turned(v: Vec3<f64>, by: f64) -> Vec3<f64> {
    let (sin, cos) = by.sin_cos();
    vec3(v.x * cos + v.z * sin, v.y, v.z * cos - v.x * sin)
}

fn wrap(angle: f64) -> f64 {
    angle - (angle / std::f64::consts::TAU).round() * std::f64::consts::TAU
}

/// The rotation vector that brings a link to where it should be.
fn rotation_error(to: &Kinematics<f64>, from: &Kinematics<f64>, link: usize) -> Vec3<f64> {
    let (to, from) = (to.rotation(link), from.rotation(link));
    // Of the matrix to · fromᵀ: its skew part, with the angle made exact.
    let skew = from.x.cross(to.x) + from.y.cross(to.y) + from.z.cross(to.z);
    let sin = 0.5 * skew.length();
    let cos = 0.5 * (from.x.dot(to.x) + from.y.dot(to.y) + from.z.dot(to.z) - 1.0);
    if sin < 1e-9 { Vec3::default() } else { skew * (0.5 * sin.atan2(cos) / sin) }
}
