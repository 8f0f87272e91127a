//! Where the weight of a body is.

use crate::ChainError;
use andante_skeleton::{Character, Skeleton, Transform};
use glam::Vec3;

/// The mass that moves with each joint, and where it sits.
#[derive(Clone, Debug, PartialEq)]
pub struct Masses {
    /// Mass of each joint's segment, as a part of the whole.
    mass: Vec<f32>,
    /// Centre of each segment in its joint's frame.
    centre: Vec<Vec3>,
}

/// Parts of the body's mass: D. Winter, "Biomechanics and Motor Control of Human Movement", table 4.1.
mod part {
    pub const LEG: [f32; 3] = [0.1, 0.0465, 0.0145];
    pub const ARM: [f32; 3] = [0.028, 0.016, 0.006];
    pub const HEAD: f32 = 0.081;
    pub const PELVIS: f32 = 0.142;
    pub const ABOVE_PELVIS: f32 = 0.355;
}

impl Masses {
    /// Segments of the given weights, one for each joint, in any unit. A segment's centre is half-way
    /// to the mean of its joint's children.
    pub fn new(skeleton: &Skeleton, weights: &[f32]) -> Result<Self, ChainError> {
        let total: f32 = weights.iter().sum();
        let bad = weights.iter().any(|weight| !(weight.is_finite() && *weight >= 0.0));
        if weights.len() != skeleton.len() || bad || !(total > 0.0 && total.is_finite()) {
            return Err(ChainError::OutOfRange("a list of masses"));
        }
        let centre = |joint: usize| {
            let tip = skeleton.joint(joint).tip;
            let ends = skeleton.children(joint).map(|child| skeleton.joint(child).rest.translation);
            let (sum, count) =
                ends.chain(tip).fold((Vec3::ZERO, 0), |(sum, count), end| (sum + end, count + 1));
            sum * (0.5 / count.max(1) as f32)
        };
        Ok(Self {
            mass: weights.iter().map(|weight| weight / total).collect(),
            centre: (0..skeleton.len()).map(centre).collect(),
        })
    }

    /// Human proportions for any character: legs, arms, head and trunk weigh what a human's do relative
    /// to each other; a limb with more or fewer bones is weighed by their length.
    pub fn of_character(character: &Character) -> Self {
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let mut weights = vec![0.0; skeleton.len()];
        let mut limb = |chain: &[usize], parts: [f32; 3]| {
            let whole: f32 = parts.iter().sum();
            let length = |joint: usize| skeleton.joint(joint).rest.translation.length();
            let total: f32 = chain.iter().skip(1).map(|&joint| length(joint)).sum();
            for (index, &joint) in chain.iter().enumerate() {
                weights[joint] = match chain.get(index + 1) {
                    _ if chain.len() == parts.len() => parts[index],
                    Some(&next) if total > 0.0 => whole * length(next) / total,
                    _ => 0.0,
                };
            }
        };
        for foot in &rig.feet {
            limb(&foot.leg, part::LEG);
        }
        for arm in &rig.arms {
            limb(&arm.chain, part::ARM);
        }
        // The neck belongs to the head.
        let spine = match (rig.head, rig.spine.split_last()) {
            (Some(_), Some((_, below))) => below,
            _ => rig.spine.as_slice(),
        };
        weights[rig.hips] = part::PELVIS;
        for &joint in spine {
            weights[joint] = part::ABOVE_PELVIS / spine.len() as f32;
        }
        if let Some(head) = rig.head {
            weights[head] = part::HEAD;
        }
        match Self::new(skeleton, &weights) {
            Ok(masses) => masses,
            // The pelvis alone weighs something.
            Err(error) => unreachable!("{error}"),
        }
    }

    /// The centre of mass of a pose.
    ///
    /// # Panics
    /// If `models` is shorter than the skeleton.
    pub fn centre_of_mass(&self, models: &[Transform]) -> Vec3 {
        (0..self.mass.len()).map(|joint| self.moment(joint, &models[joint])).sum()
    }

    /// A segment's part of the whole mass.
    pub(super) fn mass(&self, joint: usize) -> f32 {
        self.mass[joint]
    }

    /// A segment's mass times its place.
    #[inline]
    pub(super) fn moment(&self, joint: usize, model: &Transform) -> Vec3 {
        let mass = self.mass[joint];
        if mass == 0.0 { Vec3::ZERO } else { model.transform_point(self.centre[joint]) * mass }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::humanoid;

    #[test]
    fn a_standing_human_has_its_centre_in_the_pelvis() {
        let human = humanoid();
        let masses = Masses::of_character(&human);
        let models = human.skeleton.rest_models();
        let centre = masses.centre_of_mass(&models);
        // About 56 % of the height when the arms hang; a little more in T-pose.
        assert!((0.55..0.60).contains(&(centre.y / 1.75)), "{centre}");
        assert!(centre.x.abs() < 1e-5);
        let sum: f32 = (0..models.len()).map(|joint| masses.mass(joint)).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }

    #[test]
    fn weights_that_are_none_are_refused() {
        let skeleton = humanoid().skeleton;
        let mut weights = vec![1.0; skeleton.len()];
        assert!(Masses::new(&skeleton, &weights).is_ok());
        weights[3] = f32::NAN;
        assert!(Masses::new(&skeleton, &weights).is_err());
        assert!(Masses::new(&skeleton, &[1.0]).is_err());
        assert!(Masses::new(&skeleton, &vec![0.0; skeleton.len()]).is_err());
    }
}
