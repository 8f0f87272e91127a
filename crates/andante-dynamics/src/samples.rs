//! Models to try things on: a chain, a humanoid, and any number of random trees.

use crate::link::ModelLink;
use crate::link_joint::LinkJoint;
use crate::math::{Quat, Sym3, Vec3, vec3};
use crate::model::{Model, ModelError};
use crate::shape::{CollisionForm, CollisionShape};

/// Numbers that look random and depend on the seed alone (SplitMix64, Steele et al. 2014).
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(0x9E37_79B9_7F4A_7C15))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform between two ends.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// One of `n` indices; zero if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.bits() % n as u64) as usize }
    }

    /// Each component uniform between plus and minus `size`.
    pub fn vector(&mut self, size: f64) -> Vec3<f64> {
        vec3(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    /// A unit vector.
    pub fn direction(&mut self) -> Vec3<f64> {
        loop {
            let v = self.vector(1.0);
            if v.length() <= 1.0
                && let Some(unit) = v.normalized()
            {
                return unit;
            }
        }
    }

    /// A rotation of any direction and angle.
    pub fn rotation(&mut self) -> Quat<f64> {
        let axis = self.direction();
        // Not by the platform's sine, whose last bit differs from one to the next.
        Quat::exp(axis * self.between(-3.1, 3.1)).normalized()
    }

    /// Coordinates of a model: any rotations, and floating roots within a metre of the origin.
    pub fn coordinates(&mut self, model: &Model) -> Vec<f64> {
        let mut q = Vec::with_capacity(model.coordinates());
        for link in model.links() {
            if link.joint.floats() {
                q.extend(self.vector(1.0).to_array());
            }
            if link.joint.quaternion().is_some() {
                let r = self.rotation();
                q.extend([r.x, r.y, r.z, r.w]);
            } else {
                q.extend((0..link.joint.coordinates()).map(|_| self.between(-3.0, 3.0)));
            }
        }
        q
    }

    /// A number per velocity of a model.
    pub fn velocities(&mut self, model: &Model, size: f64) -> Vec<f64> {
        (0..model.freedoms()).map(|_| self.between(-size, size)).collect()
    }
}

/// A random tree of `links` links with ball, hinge and a few welded joints.
pub fn random_tree(seed: u64, links: usize, floating: bool) -> Result<Model, ModelError> {
    let mut random = SplitMix::new(seed);
    let mut all = Vec::with_capacity(links);
    for i in 0..links {
        // Mostly long branches: the parent is among the last few.
        let parent = (i > 0).then(|| i - 1 - random.below(i.min(4)));
        let joint = match random.below(20) {
            _ if i == 0 && floating => LinkJoint::Floating,
            0 => LinkJoint::Fixed,
            1..=10 => LinkJoint::Ball,
            _ => LinkJoint::Hinge(random.direction()),
        };
        let mass = random.between(0.5, 5.0);
        let r = random.rotation();
        let (a, b) = (random.between(0.05, 0.3), random.between(0.05, 0.3));
        let size = vec3(a, b, random.between(0.05, 0.3));
        let mut link = ModelLink::solid_box(&format!("link {i}"), parent, joint, mass, size)
            .at(random.vector(0.3))
            .turned(random.rotation())
            .centred(random.vector(0.2));
        link.inertia = Sym3::rotated(&link.inertia, &r.matrix());
        all.push(link);
    }
    Model::new(all, Vec::new())
}

/// `links` equal rods of half a metre hanging one under the other from a fixed point, without friction or collision.
pub fn chain(links: usize, joint: LinkJoint) -> Result<Model, ModelError> {
    let rod = |i: usize| {
        ModelLink::solid_box(
            &format!("rod {i}"),
            i.checked_sub(1),
            joint,
            1.0,
            vec3(0.05, 0.5, 0.05),
        )
        .at(vec3(0.0, if i == 0 { 0.0 } else { -0.5 }, 0.0))
        .centred(vec3(0.0, -0.25, 0.0))
    };
    Model::new((0..links).map(rod).collect(), Vec::new())
}

type SampleLimb = (&'static str, &'static str, Triple, Triple, f64, Triple, f64, f64);
type Triple = (f64, f64, f64);

/// Limbs of a side: name, parent's name, joint and centre of mass in the standing pose, mass, size, stiffness, range.
fn limbs() -> [SampleLimb; 5] {
    [
        ("thigh", "torso", (0.1, 0.95, 0.0), (0.1, 0.73, 0.0), 8.0, (0.12, 0.42, 0.12), 300.0, 1.2),
        ("shank", "thigh", (0.1, 0.51, 0.0), (0.1, 0.30, 0.0), 3.5, (0.10, 0.42, 0.10), 200.0, 1.2),
        (
            "foot",
            "shank",
            (0.1, 0.08, 0.0),
            (0.1, 0.035, 0.08),
            1.0,
            (0.10, 0.07, 0.26),
            100.0,
            0.7,
        ),
        (
            "upper arm",
            "torso",
            (0.2, 1.50, 0.0),
            (0.2, 1.35, 0.0),
            2.5,
            (0.08, 0.30, 0.08),
            60.0,
            2.0,
        ),
        (
            "forearm",
            "upper arm",
            (0.2, 1.20, 0.0),
            (0.2, 1.05, 0.0),
            2.0,
            (0.07, 0.30, 0.07),
            30.0,
            1.5,
        ),
    ]
}

/// An adult of eleven links and ten ball joints, thirty actuated freedoms, standing with its soles at height zero.
///
/// Springs have `K_d = 0.1 K_p`; collision shapes are boxes for torso and feet, capsules for the limbs.
pub fn humanoid() -> Result<Model, ModelError> {
    let mut links = Vec::new();
    let mut shapes = Vec::new();
    let torso =
        ModelLink::solid_box("torso", None, LinkJoint::Floating, 35.0, vec3(0.30, 0.60, 0.20))
            .at(vec3(0.0, 1.25, 0.0));
    links.push(torso);
    shapes.push(CollisionShape::new(0, CollisionForm::Box { half: vec3(0.15, 0.30, 0.10) }));
    let sides = [("left ", 1.0), ("right ", -1.0)];
    for (side, s) in sides {
        for (name, parent, joint, centre, mass, size, stiffness, range) in limbs() {
            let name = format!("{side}{name}");
            let parent_at = links
                .iter()
                .position(|l: &ModelLink| l.name == parent || l.name == format!("{side}{parent}"));
            let joint = vec3(joint.0 * s, joint.1, joint.2);
            let centre = vec3(centre.0 * s, centre.1, centre.2) - joint;
            let size = vec3(size.0, size.1, size.2);
            let link = links.len();
            let origin = joint - parent_at.map_or(joint, |p| place(&links, p));
            links.push(
                ModelLink::solid_box(&name, parent_at, LinkJoint::Ball, mass, size)
                    .at(origin)
                    .centred(centre)
                    .sprung(stiffness, 0.1 * stiffness)
                    .limited(-range, range),
            );
            let form = if name.ends_with("foot") {
                CollisionForm::Box { half: size * 0.5 }
            } else {
                let radius = size.x * 0.5;
                CollisionForm::Capsule { half_length: size.y * 0.5 - radius, radius }
            };
            shapes.push(CollisionShape::new(link, form).at(centre));
        }
    }
    Model::new(links, shapes)
}

/// Where a link's origin is when nothing is turned.
fn place(links: &[ModelLink], link: usize) -> Vec3<f64> {
    let own = links[link].origin;
    links[link].parent.map_or(own, |parent| own + place(links, parent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_humanoid_has_thirty_actuated_freedoms_and_stands_on_the_ground() {
        let model = humanoid().unwrap();
        assert_eq!((model.links().len(), model.freedoms()), (11, 36));
        let foot = model.find("right foot").unwrap();
        let lowest = place(model.links(), foot).y + model.links()[foot].centre.y - 0.035;
        assert!(lowest.abs() < 1e-12);
    }

    #[test]
    fn a_seed_is_a_tree() {
        let (a, b) = (random_tree(3, 20, true).unwrap(), random_tree(3, 20, true).unwrap());
        assert_eq!(a.links(), b.links());
        assert_ne!(a.links(), random_tree(4, 20, true).unwrap().links());
    }
}
