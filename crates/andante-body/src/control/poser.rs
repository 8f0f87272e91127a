//! Poses of the whole body: soles on the ground, weight over them, hands where they should be.
//!
//! All goals are wishes of one least-squares problem in the velocities of the model, solved again and again (Gauss and
//! Newton). Soles and hands matter most, then that the weight stays over the feet, then posture. A goal out of reach is
//! come near to as far as the others let it.

use andante_dynamics::{ContactTerrain, JointState, Kinematics, Mat3, Model, Quat, Vec3, vec3};
use serde::{Deserialize, Serialize};

use crate::balance::balance_controller::BalanceOptions;
use crate::control::least_squares::LeastSquares;
use crate::control::whole_body::for_each_angle;
use crate::physique::Physique;
use crate::support_polygon::{Point, SupportPolygon};

/// The wanted placement of a sole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolePlacement {
    /// Its middle.
    pub at: Vec3<f64>,
    /// Unit normal of the ground.
    pub normal: Vec3<f64>,
    /// Where its toes point: rotation about y.
    pub heading: f64,
}

/// The goals of a pose.
#[derive(Clone, Copy, Debug)]
pub struct PoseGoals<'a> {
    /// Left and right.
    pub feet: [SolePlacement; 2],
    /// Which way the torso faces: rotation about y.
    pub heading: f64,
    /// Height of the hips in the world.
    pub hips: f64,
    /// Where the centre of mass is best, seen from above.
    pub centre: Point,
    /// The area it must not leave.
    pub support: &'a SupportPolygon,
    /// Where the hands shall be, left and right.
    pub hands: [Option<Vec3<f64>>; 2],
}

/// Weights of the pose search, one goal against another. Weights are of square metres and square radians; only their
/// ratios count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoserOptions {
    /// Places of the soles.
    pub sole: f64,
    /// How the soles are turned.
    pub sole_turn: f64,
    /// Places of the hands.
    pub hand: f64,
    /// That the weight does not leave the support.
    pub over_feet: f64,
    /// That it is where it is best.
    pub centre: f64,
    /// Height of the hips.
    pub hips: f64,
    /// The torso.
    pub upright: f64,
    /// Ends of the joints' ranges.
    pub limit: f64,
    /// Every joint's own angle.
    pub posture: f64,
    /// Against steps that are too long for a straight line, rad². Small: quick, and may overshoot.
    pub damping: f64,
    /// How far a joint stays from the ends of its range, rad.
    pub room: f64,
    /// Farthest a hand is asked to go in one improvement, m.
    pub farthest: f64,
    /// Improvements of a pose that is found at once.
    pub improvements: usize,
    /// How far joints turn in each of those, rad.
    pub turn: f64,
}

impl Default for PoserOptions {
    fn default() -> Self {
        BalanceOptions::default().reach.poser
    }
}

/// Finds poses. The last one is where the next begins.
#[derive(Clone, Debug)]
pub struct Poser {
    options: PoserOptions,
    state: JointState<f64>,
    kin: Kinematics<f64>,
    problem: LeastSquares,
    linear: Vec<Vec3<f64>>,
    angular: Vec<Vec3<f64>>,
    centre_columns: Vec<Vec3<f64>>,
    centre: Vec3<f64>,
}

impl Poser {
    /// Begins with the rest pose.
    pub fn new(physique: &Physique) -> Self {
        Self::with_options(physique, PoserOptions::default())
    }

    /// The same, with weights of one's own.
    pub fn with_options(physique: &Physique, options: PoserOptions) -> Self {
        let n = physique.model.freedoms();
        let columns = || vec![Vec3::default(); n];
        let mut poser = Poser {
            options,
            state: JointState::rest(&physique.model),
            kin: Kinematics::new(&physique.model),
            problem: LeastSquares::new(n),
            linear: columns(),
            angular: columns(),
            centre_columns: columns(),
            centre: Vec3::default(),
        };
        poser.refresh(physique);
        poser
    }

    /// Begins anew from coordinates; more than the body has are left alone.
    pub fn set(&mut self, physique: &Physique, q: &[f64]) {
        for (own, q) in self.state.q.iter_mut().zip(q) {
            *own = *q;
        }
        self.state.v.fill(0.0);
        self.refresh(physique);
    }

    /// Coordinates of the pose.
    pub fn coordinates(&self) -> &[f64] {
        &self.state.q
    }

    /// The change made by the last improvement, one number per velocity of the model.
    pub fn change(&self) -> &[f64] {
        &self.state.v
    }

    /// The kinematics of its links.
    pub fn kinematics(&self) -> &Kinematics<f64> {
        &self.kin
    }

    /// Its centre of mass.
    pub fn centre(&self) -> Vec3<f64> {
        self.centre
    }

    fn refresh(&mut self, physique: &Physique) {
        self.kin.set_positions(&physique.model, &self.state.q);
        let sum =
            physique.model.links().iter().enumerate().fold(Vec3::default(), |sum, (k, link)| {
                sum + self.kin.point(&physique.model, k, link.centre) * link.mass
            });
        self.centre = sum * (1.0 / physique.mass);
    }

    /// Goes one step nearer to the goals and to a posture; no joint turns by more than `most`.
    pub fn improve(&mut self, physique: &Physique, goals: &PoseGoals, posture: &[f64], most: f64) {
        let (model, kin, o) = (&*physique.model, &self.kin, self.options);
        self.problem.clear();
        let (linear, angular) = (&mut self.linear, &mut self.angular);
        for (sole, goal) in physique.soles.iter().zip(&goals.feet) {
            let at = kin.point(model, sole.link, sole.centre);
            kin.jacobian(model, sole.link, at, linear, Some(angular));
            let rotation = kin.rotation(sole.link);
            let turn = flat(&rotation, goal.normal) + heading_error(&rotation, goal.heading);
            let way = goal.at - at;
            for k in 0..3 {
                self.problem.add(|j| linear[j][k], way[k], o.sole);
                self.problem.add(|j| angular[j][k], turn[k], o.sole_turn);
            }
        }
        for (hand, goal) in physique.hands.iter().zip(&goals.hands) {
            let (Some(hand), Some(goal)) = (hand, goal) else { continue };
            let at = kin.point(model, hand.link, hand.centre);
            kin.jacobian(model, hand.link, at, linear, None);
            // A straight line leads nowhere where the way turns.
            let way = within(*goal - at, o.farthest);
            for k in 0..3 {
                self.problem.add(|j| linear[j][k], way[k], o.hand);
            }
        }
        self.weigh(physique, goals);
        let (kin, linear, angular) = (&self.kin, &mut self.linear, &mut self.angular);
        let at = kin.position(model, physique.torso);
        kin.jacobian(model, physique.torso, at, linear, Some(angular));
        let turn = upright(&kin.rotation(physique.torso), goals.heading);
        for k in 0..3 {
            self.problem.add(|j| angular[j][k], turn[k], o.upright);
        }
        let (hips, columns) = (&mut self.centre_columns, &mut self.linear);
        hips.fill(Vec3::default());
        let mut high = 0.0;
        for sole in &physique.soles {
            let at = kin.position(model, sole.hip);
            kin.jacobian(model, sole.hip, at, columns, None);
            high += 0.5 * at.y;
            for (hips, column) in hips.iter_mut().zip(columns.iter()) {
                *hips += *column * 0.5;
            }
        }
        self.problem.add(|j| hips[j].y, goals.hips - high, o.hips);
        for_each_angle(model, &self.state.q, posture, |k, error| {
            self.problem.prefer(k, error, o.posture);
        });
        for_each_excess(model, &self.state.q, o.room, |k, excess| {
            self.problem.prefer(k, -excess, o.limit);
        });
        for k in 0..model.freedoms() {
            self.problem.prefer(k, 0.0, o.damping);
        }
        self.problem.solve(&mut self.state.v);
        let largest = self.state.v.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if largest > most {
            for x in &mut self.state.v {
                *x *= most / largest;
            }
        }
        self.state.advance(model, 1.0);
        self.refresh(physique);
    }

    /// The wishes about the centre of mass.
    fn weigh(&mut self, physique: &Physique, goals: &PoseGoals) {
        let (model, kin, o) = (&*physique.model, &self.kin, self.options);
        self.centre_columns.fill(Vec3::default());
        for (index, link) in model.links().iter().enumerate() {
            let at = kin.point(model, index, link.centre);
            kin.jacobian(model, index, at, &mut self.linear, None);
            let share = link.mass / physique.mass;
            for (sum, column) in self.centre_columns.iter_mut().zip(&self.linear) {
                *sum += *column * share;
            }
        }
        let at = [self.centre.x, self.centre.z];
        let inside = goals.support.clamp(at);
        let columns = &self.centre_columns;
        for (k, axis) in [0, 2].into_iter().enumerate() {
            self.problem.add(|j| columns[j][axis], goals.centre[k] - at[k], o.centre);
            if inside[k] != at[k] {
                self.problem.add(|j| columns[j][axis], inside[k] - at[k], o.over_feet);
            }
        }
    }
}

impl Physique {
    /// The pose in which a body stands on some ground, at rest: soles on the ground at a place seen from above, hips as
    /// low as the lower foot needs them, upright, weight over the middle of the feet.
    ///
    /// ```
    /// use andante_body::Physique;
    /// use andante_dynamics::{ContactTerrain, PhysicsSettings, vec3};
    ///
    /// let body = andante_body::creature("humanoid")?;
    /// let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
    /// let slope = ContactTerrain::plane(vec3(0.2, 1.0, 0.1), 0.0)?;
    /// let state = physique.stand_on(&slope, [2.0, 3.0], 0.5);
    /// assert!(state.fits(&physique.model));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stand_on(
        &self,
        terrain: &ContactTerrain,
        place: Point,
        heading: f64,
    ) -> JointState<f64> {
        self.stand_near(terrain, vec3(place[0], 0.0, place[1]), heading)
    }

    /// The same on the ground next to a point: where there is ground above ground, or none within reach of height zero.
    pub fn stand_near(
        &self,
        terrain: &ContactTerrain,
        point: Vec3<f64>,
        heading: f64,
    ) -> JointState<f64> {
        let place = [point.x, point.z];
        let mut poser = Poser::new(self);
        let soles = [0, 1].map(|foot| self.sole_at(&poser.kin, foot));
        let middle = (soles[0] + soles[1]) * 0.5;
        let (sin, cos) = libm::sincos(heading);
        let turned = |v: Vec3<f64>| vec3(cos * v.x + sin * v.z, v.y, cos * v.z - sin * v.x);
        let feet = [0, 1].map(|foot| {
            let off = turned(soles[foot] - middle);
            self.footing(terrain, foot, point + vec3(off.x, 0.0, off.z), heading)
        });
        let centre = [0.5 * (feet[0].at.x + feet[1].at.x), 0.5 * (feet[0].at.z + feet[1].at.z)];
        let support = SupportPolygon::hull(&[centre]);
        let mut q = self.model.rest().to_vec();
        let ground = 0.5 * (feet[0].at.y + feet[1].at.y);
        let root = turned(vec3(q[0], q[1], q[2]) - middle);
        (q[0], q[1], q[2]) = (place[0] + root.x, ground + root.y, place[1] + root.z);
        let turn = Quat::from_axis_angle(vec3(0.0, 1.0, 0.0), heading) * Quat::read(&q[3..7]);
        turn.write(&mut q[3..7]);
        poser.set(self, &q);
        let mut goals =
            PoseGoals { feet, heading, hips: ground, centre, support: &support, hands: [None; 2] };
        for _ in 0..poser.options.improvements {
            goals.hips = ground + self.hip_height(&poser.kin, &feet.map(|foot| foot.at), ground);
            poser.improve(self, &goals, self.model.rest(), poser.options.turn);
        }
        poser.state.v.fill(0.0);
        poser.state
    }

    /// How a sole lies at a place: flat on the ground's mean slope below it, as low as none of its corners is inside.
    fn footing(
        &self,
        terrain: &ContactTerrain,
        foot: usize,
        near: Vec3<f64>,
        heading: f64,
    ) -> SolePlacement {
        let place = [near.x, near.z];
        let sole = &self.soles[foot];
        let (sin, cos) = libm::sincos(heading);
        let corners = sole.edges().map(|corner| {
            let off = corner - sole.centre;
            [place[0] + cos * off.x + sin * off.z, place[1] + cos * off.z - sin * off.x]
        });
        let found = corners.map(|corner| ground_below(terrain, corner, near.y));
        let normal = found.iter().fold(Vec3::default(), |sum, (_, normal)| sum + *normal);
        let normal = normal.normalized().unwrap_or(vec3(0.0, 1.0, 0.0));
        // A plane through the place that every corner is above.
        let rise = |p: Point| {
            -(normal.x * (p[0] - place[0]) + normal.z * (p[1] - place[1])) / normal.y.max(0.1)
        };
        let y = corners.iter().zip(&found).map(|(p, (y, _))| y - rise(*p)).fold(f64::MIN, f64::max);
        SolePlacement { at: vec3(place[0], y, place[1]), normal, heading }
    }
}

/// Height and normal of the ground at a place seen from above, next to a height; level there where there is none.
fn ground_below(terrain: &ContactTerrain, place: Point, height: f64) -> (f64, Vec3<f64>) {
    let mut point = vec3(place[0], height, place[1]);
    let mut normal = vec3(0.0, 1.0, 0.0);
    // Straight down: what is nearest may be aside.
    for _ in 0..20 {
        let Some(found) = terrain.at(point, 1e3) else { return (height, vec3(0.0, 1.0, 0.0)) };
        normal = found.normal;
        let down = found.distance / normal.y.max(0.1);
        point.y -= down;
        if down.abs() < 1e-6 {
            break;
        }
    }
    (point.y, normal)
}

/// The vector, shortened to a length.
pub(crate) fn within(v: Vec3<f64>, longest: f64) -> Vec3<f64> {
    let length = v.length();
    if length > longest { v * (longest / length) } else { v }
}

/// The rotation vector that brings a link's y axis upright and its z axis to a heading.
pub(crate) fn upright(rotation: &Mat3<f64>, heading: f64) -> Vec3<f64> {
    flat(rotation, vec3(0.0, 1.0, 0.0)) + heading_error(rotation, heading)
}

/// The rotation vector that brings a link's y axis to a normal.
pub(crate) fn flat(rotation: &Mat3<f64>, normal: Vec3<f64>) -> Vec3<f64> {
    let y = rotation.y;
    let axis = y.cross(normal);
    let (sin, cos) = (axis.length(), y.dot(normal));
    if sin < 1e-9 { Vec3::default() } else { axis * (libm::atan2(sin, cos) / sin) }
}

/// The rotation vector that brings a rotation to another.
pub(crate) fn between(from: &Mat3<f64>, to: &Mat3<f64>) -> Vec3<f64> {
    let axis = (from.x.cross(to.x) + from.y.cross(to.y) + from.z.cross(to.z)) * 0.5;
    let cos = 0.5 * (from.x.dot(to.x) + from.y.dot(to.y) + from.z.dot(to.z) - 1.0);
    let sin = axis.length();
    if sin < 1e-9 { Vec3::default() } else { axis * (libm::atan2(sin, cos) / sin) }
}

/// The turn about y that brings a link's z axis to a heading.
pub(crate) fn heading_error(rotation: &Mat3<f64>, heading: f64) -> Vec3<f64> {
    let z = rotation.z;
    let off = heading - libm::atan2(z.x, z.z);
    let off = off - (off / std::f64::consts::TAU).round() * std::f64::consts::TAU;
    vec3(0.0, off, 0.0)
}

/// Calls with each velocity of a joint whose angle is nearer to an end of its range than `room`, or past it, and by how
/// much.
pub(crate) fn for_each_excess(
    model: &Model,
    q: &[f64],
    room: f64,
    mut call: impl FnMut(usize, f64),
) {
    for (link, definition) in model.links().iter().enumerate() {
        let (at, k) = (model.coordinate_range(link), model.freedom_range(link).start);
        let angles = definition.joint.angles(&q[at]);
        for (axis, range) in definition.axes.iter().enumerate().take(definition.joint.axes()) {
            let room = room.min(0.25 * (range.upper - range.lower));
            let angle = angles[axis];
            let excess =
                (angle - range.upper + room).max(0.0) + (angle - range.lower - room).min(0.0);
            if excess != 0.0 {
                call(k + axis, excess);
            }
        }
    }
}
