//! Hands that go to places while the body keeps its balance.
//!
//! A pose of the whole body is planned for where the hand should be by now: the feet stay, the weight stays over them, and
//! trunk and legs do what the arm alone cannot. Torques then follow the plan, and the hand itself its way.

use andante_dynamics::{Mat3, Simulation, Vec3};
use serde::{Deserialize, Serialize};

use crate::balance::balance_controller::BalanceOptions;
use crate::control::poser::{PoseGoals, Poser, PoserOptions, SolePlacement};
use crate::control::whole_body::HandTask;
use crate::physique::Physique;
use crate::support_polygon::{Point, SupportPolygon};

/// The progress of a reaching hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReachStatus {
    /// On its way, or waiting until the body stands still.
    Going,
    /// There.
    There,
    /// As near as balance and joints let it come.
    OutOfReach,
}

/// A hand that reaches for a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaching {
    /// The place.
    pub target: Vec3<f64>,
    /// How far the hand is from it, m.
    pub distance: f64,
    /// How far it has got.
    pub status: ReachStatus,
}

/// The way of a hand: straight, from rest to rest, with the least jerk (Flash & Hogan 1985).
#[derive(Clone, Copy, Debug)]
struct HandPath {
    from: Vec3<f64>,
    to: Vec3<f64>,
    began: f64,
    seconds: f64,
    /// Whether it has to begin anew from where the hand is.
    stale: bool,
}

impl HandPath {
    fn at(&self, time: f64) -> [Vec3<f64>; 3] {
        let (t, way) = (self.seconds, self.to - self.from);
        let u = ((time - self.began) / t).clamp(0.0, 1.0);
        let part = u * u * u * (10.0 + u * (6.0 * u - 15.0));
        let speed = 30.0 * u * u * (1.0 - u) * (1.0 - u) / t;
        let rate = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (t * t);
        [self.from + way * part, way * speed, way * rate]
    }
}

/// Settings of reaching hands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachOptions {
    /// Shortest time of a way, s.
    pub quickest: f64,
    /// What each metre of way adds to it, s. Usually 0.5 to 2; at zero long ways pull the body over.
    pub slowness: f64,
    /// How long the body may take to follow the end of the way before a place counts as out of reach, s.
    pub patience: f64,
    /// A hand nearer than this is there, m.
    pub there: f64,
    /// The part of the support, about its middle, that weight is moved within: 0 not at all, 1 up to the edge.
    pub safe: f64,
    /// Fastest that joints of the plan turn on the way, rad/s.
    pub fastest: f64,
    /// Fastest that they turn going back, rad/s.
    pub back: f64,
    /// Once a plan that goes back changes less than this, it is back, rad/s.
    pub still: f64,
    /// Stiffness of the hand's way, 1/s²; critically damped.
    pub stiffness: f64,
    /// How poses are found.
    pub poser: PoserOptions,
}

impl Default for ReachOptions {
    fn default() -> Self {
        BalanceOptions::default().reach
    }
}

/// What is planned for a body whose hands reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReachingPlan {
    /// The centre of mass, seen from above.
    pub centre: Point,
    /// Height of the hips in the world.
    pub hips: f64,
    /// How the torso is turned.
    pub torso: Mat3<f64>,
}

/// How the body stands, for a plan.
pub(crate) struct ReachStance<'a> {
    pub physique: &'a Physique,
    pub simulation: &'a Simulation<f64>,
    pub support: &'a SupportPolygon,
    pub soles: [Vec3<f64>; 2],
    pub heading: f64,
    /// Height of the hips in the world if no hand reaches.
    pub hips: f64,
    /// The pose the joints prefer.
    pub posture: &'a [f64],
    /// Whether the feet stand still.
    pub steady: bool,
}

/// Plans poses for hands that reach, and knows how far they have got.
#[derive(Clone, Debug)]
pub(crate) struct Reacher {
    options: ReachOptions,
    poser: Poser,
    safe: SupportPolygon,
    ways: [Option<HandPath>; 2],
    /// Hands on their way back.
    back: [bool; 2],
    distance: [f64; 2],
    active: bool,
}

impl Reacher {
    pub fn new(physique: &Physique, options: ReachOptions) -> Self {
        Reacher {
            options,
            poser: Poser::with_options(physique, options.poser),
            safe: SupportPolygon::with_room(8),
            ways: [None; 2],
            back: [false; 2],
            distance: [f64::INFINITY; 2],
            active: false,
        }
    }

    /// Sends a hand to a place.
    pub fn reach(&mut self, hand: usize, target: Vec3<f64>) {
        let seconds = self.options.quickest;
        let way = HandPath { from: target, to: target, began: 0.0, seconds, stale: true };
        (self.ways[hand], self.back[hand]) = (Some(way), false);
        self.distance[hand] = f64::INFINITY;
    }

    /// Lets a hand go back.
    pub fn release(&mut self, hand: usize) {
        self.back[hand] |= self.ways[hand].take().is_some();
    }

    /// Drops everything at once.
    pub fn clear(&mut self) {
        (self.ways, self.back, self.active) = ([None; 2], [false; 2], false);
    }

    pub fn reaching(&self, hand: usize, time: f64) -> Option<Reaching> {
        let way = self.ways.get(hand).copied().flatten()?;
        let distance = self.distance[hand];
        let status = if way.stale || time < way.began + way.seconds {
            ReachStatus::Going
        } else if distance < self.options.there {
            ReachStatus::There
        } else if time < way.began + way.seconds + self.options.patience {
            ReachStatus::Going
        } else {
            ReachStatus::OutOfReach
        };
        Some(Reaching { target: way.to, distance, status })
    }

    /// The whole-body plan of the reach, unless no hand is away from where it usually is.
    pub fn plan(&self, physique: &Physique) -> Option<ReachingPlan> {
        let kin = self.poser.kinematics();
        let hip = physique.soles.each_ref().map(|sole| kin.position(&physique.model, sole.hip).y);
        let centre = self.poser.centre();
        self.active.then(|| ReachingPlan {
            centre: [centre.x, centre.z],
            hips: 0.5 * (hip[0] + hip[1]),
            torso: kin.rotation(physique.torso),
        })
    }

    /// Coordinates of the planned pose.
    pub fn posture(&self) -> Option<&[f64]> {
        self.active.then(|| self.poser.coordinates())
    }

    /// Plans for the next step. Gives what the hands shall do in it.
    pub fn advance(&mut self, stance: &ReachStance) -> [Option<HandTask>; 2] {
        let (physique, simulation) = (stance.physique, stance.simulation);
        let (time, step) = (simulation.time(), simulation.settings().step);
        let stiffness = self.options.stiffness;
        let kin = simulation.kinematics();
        let wanted = self.ways.iter().any(Option::is_some);
        if wanted && !self.active && stance.steady {
            self.poser.set(physique, &simulation.state().q);
            self.active = true;
        }
        if !self.active {
            return [None; 2];
        }
        let mut tasks = [None; 2];
        let mut goals = [None; 2];
        for hand in 0..2 {
            let Some(at) = physique.hand_at(kin, hand) else { continue };
            let planned = physique.hand_at(self.poser.kinematics(), hand).unwrap_or(at);
            let rest = [planned, Vec3::default(), Vec3::default()];
            let mut wanted = rest;
            if let Some(way) = &mut self.ways[hand] {
                self.distance[hand] = (way.to - at).length();
                way.stale |= !stance.steady;
                if way.stale && stance.steady {
                    let seconds =
                        self.options.quickest + self.options.slowness * self.distance[hand];
                    *way = HandPath { from: at, began: time, seconds, stale: false, ..*way };
                }
                wanted = way.at(time);
                goals[hand] = Some(wanted[0]).filter(|_| stance.steady);
                // What the plan does not reach, the hand is not sent to: that would tear at the body.
                if (planned - wanted[0]).length() > self.options.there {
                    wanted = rest;
                }
            } else if !self.back[hand] {
                continue;
            }
            tasks[hand] =
                stance.steady.then(|| follow(physique, simulation, (hand, at), wanted, stiffness));
        }
        let middle = stance.support.centroid();
        let corners = stance.support.corners().iter();
        let part = self.options.safe;
        self.safe.set_hull(corners.map(|c| [0, 1].map(|k| middle[k] + part * (c[k] - middle[k]))));
        let feet = [0, 1].map(|foot: usize| {
            let rotation = kin.rotation(physique.soles[foot].link);
            let heading = libm::atan2(rotation.z.x, rotation.z.z);
            SolePlacement { at: stance.soles[foot], normal: rotation.y, heading }
        });
        let centre = (stance.soles[0] + stance.soles[1]) * 0.5;
        let goals = PoseGoals {
            feet,
            heading: stance.heading,
            hips: stance.hips,
            centre: [centre.x, centre.z],
            support: &self.safe,
            hands: goals,
        };
        let most = step * if wanted { self.options.fastest } else { self.options.back };
        self.poser.improve(physique, &goals, stance.posture, most);
        let largest = self.poser.change().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        self.active = wanted || largest > self.options.still * step;
        self.back.iter_mut().for_each(|back| *back &= self.active);
        tasks
    }
}

/// The acceleration that brings a hand onto its way: place, velocity and acceleration there.
fn follow(
    physique: &Physique,
    simulation: &Simulation<f64>,
    (hand, at): (usize, Vec3<f64>),
    [place, speed, acceleration]: [Vec3<f64>; 3],
    stiffness: f64,
) -> HandTask {
    let link = physique.hands[hand].map_or(0, |hand| hand.link);
    let velocity = simulation.kinematics().velocity_at(&physique.model, link, at);
    let damping = 2.0 * stiffness.sqrt();
    let linear = acceleration + (speed - velocity) * damping + (place - at) * stiffness;
    HandTask { hand, at, linear }
}
