//! What a body feels: where its weight is, where it goes, and what carries it.

use andante_dynamics::{ContactReading, Simulation, Vec3, vec3};

use crate::physique::Physique;
use crate::support_polygon::{Point, SupportPolygon};

/// A corner of a sole over the ground.
#[derive(Clone, Copy, Debug)]
pub struct Corner {
    /// Where it is.
    pub point: Vec3<f64>,
    /// Unit normal of the ground below.
    pub normal: Vec3<f64>,
    /// Distance from the ground, negative inside; infinite where there is none.
    pub gap: f64,
}

/// Closer to the ground than this, a corner of a sole can carry, m.
const TOUCH: f64 = 0.03;

/// More contacts than this, and the support polygon needs more room.
const MOST_CONTACTS: usize = 128;

/// State of the whole body, from its simulation.
#[derive(Clone, Debug)]
pub struct BodySense {
    /// Centre of mass.
    pub centre: Vec3<f64>,
    /// Of the whole, kg.
    pub mass: f64,
    /// Velocity of the centre of mass.
    pub velocity: Vec3<f64>,
    /// Angular momentum about it.
    pub spin: Vec3<f64>,
    /// Height of the centre of mass above the ground under the feet.
    pub height: f64,
    /// Rate at which an inverted pendulum of that height falls, 1/s.
    pub rate: f64,
    /// Corners of the soles, left and right.
    pub corners: [[Corner; 4]; 2],
    /// Weight on each sole, N.
    pub load: [f64; 2],
    /// Forces on anything but the soles, N: what lies or leans.
    pub other_load: f64,
    /// Hull of everything the ground touched in the last step, in three dimensions projected straight down.
    pub support: SupportPolygon,
    /// Where the force of the ground acts; `None` in the air.
    pub pressure: Option<Point>,
}

impl Default for BodySense {
    /// Nothing felt yet.
    fn default() -> Self {
        let corner =
            Corner { point: Vec3::default(), normal: vec3(0.0, 1.0, 0.0), gap: f64::INFINITY };
        BodySense {
            centre: Vec3::default(),
            mass: 1.0,
            velocity: Vec3::default(),
            spin: Vec3::default(),
            height: 1.0,
            rate: 3.0,
            corners: [[corner; 4]; 2],
            load: [0.0; 2],
            other_load: 0.0,
            support: SupportPolygon::with_room(MOST_CONTACTS),
            pressure: None,
        }
    }
}

impl BodySense {
    /// Feels a body in a simulation. Allocates nothing once it has felt as many contacts.
    pub fn feel(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        let kin = simulation.kinematics();
        let (momentum, spin) = simulation.momentum(0);
        self.centre = simulation.centre_of_mass(0);
        self.velocity = momentum * (1.0 / physique.mass);
        self.spin = spin;
        self.mass = physique.mass;

        let mut ground = (0.0, 0.0);
        for (sole, corners) in physique.soles.iter().zip(&mut self.corners) {
            for (local, corner) in sole.corners.iter().zip(corners) {
                let point = kin.point(&physique.model, sole.link, *local);
                let found = simulation.terrain().at(point, 2.0);
                let (gap, normal) = found
                    .map_or((f64::INFINITY, vec3(0.0, 1.0, 0.0)), |at| (at.distance, at.normal));
                *corner = Corner { point, normal, gap };
                // The lower foot says where the ground is.
                if gap.is_finite() {
                    let weight = if gap < TOUCH { 1.0 } else { 1e-3 };
                    let y = point.y - gap / normal.y.max(0.1);
                    ground = (ground.0 + weight * y, ground.1 + weight);
                }
            }
        }
        let level = if ground.1 > 0.0 { ground.0 / ground.1 } else { 0.0 };
        self.height = (self.centre.y - level).max(0.1);
        let gravity = simulation.settings().gravity.length();
        self.rate = (gravity / self.height).sqrt();

        self.load = [0.0; 2];
        self.other_load = 0.0;
        let (mut weight, mut moment) = (0.0, [0.0, 0.0]);
        // What lies about touches the ground too.
        let own = |contact: &ContactReading| contact.link < physique.model.links().len();
        for contact in simulation.contacts(0).filter(own) {
            let up = contact.force.y;
            weight += up;
            moment = [moment[0] + up * contact.point.x, moment[1] + up * contact.point.z];
            match physique.soles.iter().position(|sole| sole.link == contact.link) {
                Some(foot) => self.load[foot] += up,
                None => self.other_load += up,
            }
        }
        self.pressure = (weight > 1.0).then(|| [moment[0] / weight, moment[1] / weight]);
        let touching = simulation.contacts(0).filter(own).filter(|contact| contact.force.y > 0.0);
        self.support.set_hull(touching.map(|contact| [contact.point.x, contact.point.z]));
    }

    /// True if a corner of a sole is close enough to the ground to carry.
    pub fn carries(corner: &Corner) -> bool {
        corner.gap < TOUCH
    }

    /// The capture point: where the centre of mass would come to rest if the pressure were there now.
    pub fn capture_point(&self) -> Point {
        self.desired_pressure(self.rate, 0.0)
    }

    /// The centre of pressure at which linear momentum decays with the rate `linear` and angular momentum with the rate
    /// `angular`, 1/s (Macchietto, Zordan & Shelton 2009, with rates of change of the momenta).
    pub fn desired_pressure(&self, linear: f64, angular: f64) -> Point {
        let (c, v, h) = (self.centre, self.velocity, self.spin);
        // On weight alone: f = m g = m rate² height.
        let lean = linear / (self.rate * self.rate);
        let turn = angular / (self.rate * self.rate * self.height);
        let turn = turn / self.mass;
        [c.x + lean * v.x - turn * h.z, c.z + lean * v.z + turn * h.x]
    }
}
