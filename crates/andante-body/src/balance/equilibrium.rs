//! How much of a body's mass is over its feet.

use crate::Body;
use andante_dynamics::{Kinematics, Simulation, Vec3, vec3};
use glam::DVec3;

use crate::body_sense::BodySense;
use crate::physique::Physique;
use crate::support_polygon::{Point, SupportPolygon};

/// A link as a segment with mass, and what it last contributed.
#[derive(Clone, Debug)]
struct EquilibriumPart {
    link: usize,
    ends: [Vec3<f64>; 2],
    mass: f64,
    seen: [Point; 2],
    inside: f64,
    outside: [f64; 4],
}

/// The equilibrium factor: 1 when all mass is over the support polygon or balanced by mass on the opposite side, 0 when
/// none is.
///
/// Every link is a segment from its joint to its far end, with its mass spread along it. What projects outside the polygon
/// falls into one of four quarters by its direction from the polygon's middle, and opposite quarters hold each other. The
/// quarters are front, left, back and right, so that left holds right as front holds back.
///
/// Links whose ends have moved less than a threshold keep what they contributed as long as the polygon stays.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    parts: Vec<EquilibriumPart>,
    polygon: SupportPolygon,
    heading: f64,
    threshold: f64,
    updated: usize,
}

impl Equilibrium {
    /// Segments of a body. Ends that move less than `threshold` metres are not looked at again.
    pub fn new(body: &Body, physique: &Physique, threshold: f64) -> Self {
        let parents: Vec<Option<usize>> = body.parents().collect();
        let parts = body.segments().iter().enumerate().map(|(link, segment)| {
            // To the middle of the children's joints, or through the centre of mass.
            let children: Vec<DVec3> = (0..parents.len())
                .filter(|&child| parents[child] == Some(link))
                .map(|child| body.segments()[child].anchor)
                .collect();
            let far = if children.is_empty() {
                segment.mass.center * 2.0
            } else {
                children.iter().sum::<DVec3>() / children.len() as f64
            };
            // The segment keeps the link's own centre of mass.
            let near = segment.mass.center * 2.0 - far;
            EquilibriumPart {
                link,
                ends: [near, far].map(|p| vec3(p.x, p.y, p.z)),
                mass: segment.mass.mass,
                seen: [[f64::NAN; 2]; 2],
                inside: 0.0,
                outside: [0.0; 4],
            }
        });
        let parts: Vec<EquilibriumPart> = parts.take(physique.model.links().len()).collect();
        Equilibrium {
            parts,
            polygon: SupportPolygon::default(),
            heading: f64::NAN,
            threshold,
            updated: 0,
        }
    }

    /// Segments looked at again in the last call.
    pub fn updated(&self) -> usize {
        self.updated
    }

    /// The factor of a body as it is in a simulation, over what carries it there.
    pub fn feel(
        &mut self,
        physique: &Physique,
        simulation: &Simulation<f64>,
        senses: &BodySense,
    ) -> f64 {
        let kin = simulation.kinematics();
        let z = kin.rotation(physique.torso).z;
        self.factor(physique, kin, &senses.support, libm::atan2(z.x, z.z))
    }

    /// The factor for a body over a polygon, facing a heading. Below about a half balance is lost.
    pub fn factor(
        &mut self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        support: &SupportPolygon,
        heading: f64,
    ) -> f64 {
        let same = self.heading == heading && self.polygon.corners() == support.corners();
        if !same {
            self.polygon.clone_from(support);
            self.heading = heading;
        }
        let middle = support.centroid();
        self.updated = 0;
        let (mut held, mut outside, mut total) = (0.0, [0.0; 4], 0.0);
        for part in &mut self.parts {
            let ends = part.ends.map(|end| {
                let p = kin.point(&physique.model, part.link, end);
                [p.x, p.z]
            });
            let moved = (0..2).any(|k| {
                let way = libm::hypot(ends[k][0] - part.seen[k][0], ends[k][1] - part.seen[k][1]);
                // Not a number the first time.
                way.is_nan() || way > self.threshold
            });
            if moved || !same {
                part.look(ends, support, middle, heading);
                self.updated += 1;
            }
            held += part.inside;
            total += part.mass;
            for (sum, own) in outside.iter_mut().zip(part.outside) {
                *sum += own;
            }
        }
        let [front, left, back, right] = outside;
        held += 2.0 * front.min(back) + 2.0 * left.min(right);
        if total > 0.0 { (held / total).clamp(0.0, 1.0) } else { 0.0 }
    }
}

impl EquilibriumPart {
    fn look(&mut self, ends: [Point; 2], support: &SupportPolygon, middle: Point, heading: f64) {
        self.seen = ends;
        self.outside = [0.0; 4];
        let (enter, leave) = support.clip(ends[0], ends[1]).unwrap_or((1.0, 1.0));
        self.inside = self.mass * (leave - enter);
        for (from, to) in [(0.0, enter), (leave, 1.0)] {
            let s = 0.5 * (from + to);
            let at = [0, 1].map(|k| ends[0][k] + (ends[1][k] - ends[0][k]) * s - middle[k]);
            let turn = libm::atan2(at[0], at[1]) - heading;
            let quarter = (turn / std::f64::consts::FRAC_PI_2).round().rem_euclid(4.0) as usize % 4;
            self.outside[quarter] += self.mass * (to - from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_dynamics::{JointState, PhysicsSettings, Quat};

    fn human() -> (Body, Physique) {
        let body = crate::creature("humanoid").unwrap();
        let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default()).unwrap();
        (body, physique)
    }

    fn placed(physique: &Physique, change: impl Fn(&mut JointState<f64>)) -> Kinematics<f64> {
        let mut state = JointState::rest(&physique.model);
        change(&mut state);
        let mut kin = Kinematics::new(&physique.model);
        kin.set_positions(&physique.model, &state.q);
        kin
    }

    fn feet(physique: &Physique, kin: &Kinematics<f64>) -> SupportPolygon {
        let corner = |sole: &crate::SoleBox, p: Vec3<f64>| {
            let p = kin.point(&physique.model, sole.link, p);
            [p.x, p.z]
        };
        let points: Vec<Point> =
            physique.soles.iter().flat_map(|sole| sole.corners.map(|p| corner(sole, p))).collect();
        SupportPolygon::hull(&points)
    }

    #[test]
    fn who_stands_is_in_equilibrium_and_who_leans_is_not() {
        let (body, physique) = human();
        let upright = placed(&physique, |_| {});
        let support = feet(&physique, &upright);
        let mut equilibrium = Equilibrium::new(&body, &physique, 1e-4);
        let stands = equilibrium.factor(&physique, &upright, &support, 0.0);
        assert!(stands > 0.8, "{stands}");
        let mut last = stands;
        for degrees in [20.0f64, 40.0, 80.0] {
            let leaning = placed(&physique, |state| {
                let turn = Quat::from_axis_angle(vec3(1.0, 0.0, 0.0), degrees.to_radians());
                turn.write(&mut state.q[3..7]);
                // About the ankles.
                let place = turn.matrix() * vec3(state.q[0], state.q[1], state.q[2]);
                state.q[..3].copy_from_slice(&place.to_array());
            });
            let factor = equilibrium.factor(&physique, &leaning, &support, 0.0);
            assert!(factor <= last, "{degrees}: {factor} after {last}");
            last = factor;
        }
        assert!(last < 0.5, "{last}");
    }

    #[test]
    fn arms_to_both_sides_hold_each_other_and_to_one_side_do_not() {
        let (body, physique) = human();
        let spread = |left: f64, right: f64| {
            placed(&physique, |state| {
                for (name, turn) in [("left upper arm", left), ("right upper arm", right)] {
                    let at = physique.model.coordinate_range(physique.model.find(name).unwrap());
                    Quat::from_axis_angle(vec3(0.0, 0.0, 1.0), turn).write(&mut state.q[at]);
                }
            })
        };
        let mut equilibrium = Equilibrium::new(&body, &physique, 0.0);
        let both = spread(1.4, -1.4);
        let one = spread(1.4, 1.4);
        let support = feet(&physique, &both);
        let [both, one] = [both, one].map(|kin| equilibrium.factor(&physique, &kin, &support, 0.0));
        assert!(both > one, "{both} {one}");
    }

    #[test]
    fn what_does_not_move_is_not_looked_at_again() {
        let (body, physique) = human();
        let kin = placed(&physique, |_| {});
        let support = feet(&physique, &kin);
        let mut equilibrium = Equilibrium::new(&body, &physique, 1e-3);
        let first = equilibrium.factor(&physique, &kin, &support, 0.0);
        assert_eq!(equilibrium.updated(), 11);
        assert_eq!(equilibrium.factor(&physique, &kin, &support, 0.0), first);
        assert_eq!(equilibrium.updated(), 0);
        let moved = placed(&physique, |state| {
            let link = physique.model.find("left forearm").unwrap();
            let at = physique.model.coordinate_range(link);
            Quat::from_axis_angle(vec3(1.0, 0.0, 0.0), -1.5).write(&mut state.q[at]);
        });
        equilibrium.factor(&physique, &moved, &support, 0.0);
        assert_eq!(equilibrium.updated(), 1);
    }

    #[test]
    fn without_ground_nothing_is_held() {
        let (body, physique) = human();
        let kin = placed(&physique, |_| {});
        let mut equilibrium = Equilibrium::new(&body, &physique, 1e-3);
        let factor = equilibrium.factor(&physique, &kin, &SupportPolygon::default(), 0.0);
        assert!((0.0..=1.0).contains(&factor) && factor.is_finite());
    }
}
