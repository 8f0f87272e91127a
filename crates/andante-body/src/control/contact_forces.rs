//! Which forces at the soles give a wanted push to the whole body.

use andante_dynamics::Vec3;

/// A point that can push: nothing pulls, and friction stays in its cone.
#[derive(Clone, Copy, Debug)]
pub struct ContactPatch {
    /// Where, relative to the point moments are taken about.
    pub arm: Vec3<f64>,
    /// Unit normal of the ground.
    pub normal: Vec3<f64>,
}

/// The wanted sum of contact forces, and the weight of each part of it.
#[derive(Clone, Copy, Debug)]
pub struct ForceGoal {
    /// Sum of the forces.
    pub force: Vec3<f64>,
    /// Sum of their moments.
    pub moment: Vec3<f64>,
    /// Weight of a newton that is missing.
    pub force_weight: f64,
    /// Weight of a newton metre that is missing.
    pub moment_weight: f64,
}

/// Weight of a newton that is applied: decides between ways to do the same.
const EASE: f64 = 1e-4;

/// Improves `forces` towards the wish, one patch after another, each exactly and then put back into its cone.
///
/// Minimises `force_weight |missing force|² + moment_weight |missing moment|² + EASE Σ|f|²`. Started from the last
/// step's forces a few sweeps are enough, and smooth the forces over time. Gives what they add up to.
pub fn distribute(
    patches: &[ContactPatch],
    friction: f64,
    wish: &ForceGoal,
    sweeps: usize,
    forces: &mut [Vec3<f64>],
) -> (Vec3<f64>, Vec3<f64>) {
    let (mut force, mut moment) = (wish.force, wish.moment);
    for (patch, f) in patches.iter().zip(forces.iter()) {
        force -= *f;
        moment -= patch.arm.cross(*f);
    }
    let (wf, wm) = (wish.force_weight, wish.moment_weight);
    for _ in 0..sweeps {
        for (patch, f) in patches.iter().zip(forces.iter_mut()) {
            let r = patch.arm;
            // (a - wm r rᵀ)⁻¹ by Sherman and Morrison.
            let a = wf + EASE + wm * r.length_squared();
            let g = force * wf + moment.cross(r) * wm - *f * EASE;
            let change = (g + r * (wm * r.dot(g) / (wf + EASE))) * (1.0 / a);
            let new = into_cone(*f + change, patch.normal, friction);
            let change = new - *f;
            force -= change;
            moment -= r.cross(change);
            *f = new;
        }
    }
    (wish.force - force, wish.moment - moment)
}

fn into_cone(f: Vec3<f64>, normal: Vec3<f64>, friction: f64) -> Vec3<f64> {
    let along = f.dot(normal);
    if along <= 0.0 {
        return Vec3::default();
    }
    let across = f - normal * along;
    let length = across.length();
    let held = if length > friction * along { friction * along / length } else { 1.0 };
    normal * along + across * held
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_dynamics::vec3;

    fn feet() -> Vec<ContactPatch> {
        let up = vec3(0.0, 1.0, 0.0);
        let mut patches = Vec::new();
        for x in [-0.135, -0.045, 0.045, 0.135] {
            for z in [-0.13, 0.13] {
                patches.push(ContactPatch { arm: vec3(x, -0.95, z), normal: up });
            }
        }
        patches
    }

    fn wish(force: Vec3<f64>, moment: Vec3<f64>) -> ForceGoal {
        ForceGoal { force, moment, force_weight: 1.0, moment_weight: 0.1 }
    }

    #[test]
    fn what_the_feet_can_do_they_do() {
        let patches = feet();
        let mut forces = vec![Vec3::default(); patches.len()];
        let wanted = wish(vec3(40.0, 690.0, -30.0), vec3(5.0, 3.0, -12.0));
        let wanted = ForceGoal { moment_weight: 1.0, ..wanted };
        let (force, moment) = distribute(&patches, 0.8, &wanted, 400, &mut forces);
        assert!((force - wanted.force).length() < 1.0, "{force:?}");
        assert!((moment - wanted.moment).length() < 1.0, "{moment:?}");
        assert!(forces.iter().all(|f| f.y >= 0.0));
    }

    #[test]
    fn beyond_the_edge_of_the_feet_the_body_turns_instead() {
        // A force that would need the pressure 10 cm in front of the toes.
        let patches = feet();
        let mut forces = vec![Vec3::default(); patches.len()];
        let wanted = wish(vec3(0.0, 690.0, -690.0 * 0.23 / 0.95), Vec3::default());
        let (force, moment) = distribute(&patches, 0.8, &wanted, 400, &mut forces);
        assert!(force.z < -690.0 * 0.17 / 0.95, "{force:?}");
        assert!(moment.x.abs() > 30.0, "{moment:?}");
        for f in &forces {
            assert!(f.y >= 0.0 && (f.x * f.x + f.z * f.z).sqrt() <= 0.8 * f.y + 1e-9);
        }
    }
}
