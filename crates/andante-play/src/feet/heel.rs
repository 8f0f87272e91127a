//! Heels that rise where an ankle bends no farther: the foot rolls onto its ball, as feet do uphill and down stairs.

use super::LegChain;
use super::settings::FeetSettings;
use andante_skeleton::{Foot, Skeleton, Transform};
use glam::{Quat, Vec3};

/// A foot whose heel has risen about the joint of its toes.
#[derive(Clone, Copy, Debug)]
pub struct RolledFoot {
    /// Where the ankle belongs now.
    pub ankle: Transform,
    /// How it was turned, as a rotation vector: its toes stay as they were.
    pub turned: Vec3,
}

impl RolledFoot {
    /// Lets a heel rise by an angle, in radians, on ground whose normal is `up`. The joint of the toes is in the frame of
    /// the ankle.
    pub fn new(ankle: &Transform, toe: Vec3, up: Vec3, by: f32) -> Self {
        let pivot = ankle.transform_point(toe);
        let axis = up.cross(pivot - ankle.translation).normalize_or_zero();
        let turn = Quat::from_axis_angle(axis, by);
        let place = pivot + turn * (ankle.translation - pivot);
        let ankle = Transform::new((turn * ankle.rotation).normalize(), place);
        Self { ankle, turned: axis * by }
    }
}

/// An ankle that bends at the end of a leg, above toes that bend.
pub(crate) struct BendingAnkle<'a> {
    leg: &'a LegChain,
    /// The joint of the toes, in the frame of the ankle.
    pub toe: Vec3,
}

impl<'a> BendingAnkle<'a> {
    /// The ankle of a foot; none of legs that end above it, and of feet without toes.
    pub fn new(skeleton: &Skeleton, foot: &Foot, leg: &'a LegChain) -> Option<Self> {
        let own = |&toes: &usize| skeleton.parent(toes) == Some(foot.ankle());
        let toes = foot.toes.filter(|toes| leg.ends_at_ankle() && own(toes))?;
        Some(Self { leg, toe: skeleton.joint(toes).rest.translation })
    }

    /// The angle between shank and foot.
    pub fn angle(&self, models: &[Transform]) -> f32 {
        let [_, knee, ankle] = self.leg.joints;
        let place = |joint: usize| models[joint].translation;
        shank_foot_angle(place(knee), place(ankle), models[ankle].transform_point(self.toe))
    }

    /// The height to which the heel of a foot that belongs to `target`, on ground whose normal is `up`, has to rise for its ankle to be no
    /// farther from the hip than `reach`: `most` radians at most.
    pub fn reach(
        &self,
        (target, up): (&Transform, Vec3),
        (hip, reach): (Vec3, f32),
        most: f32,
    ) -> f32 {
        let rolled = |by: f32| RolledFoot::new(target, self.toe, up, by).ankle.translation;
        let far = |by: f32| rolled(by).distance(hip);
        let (mut low, mut high) = (0.0, most);
        if far(low) <= reach || far(high) >= far(low) {
            return 0.0;
        }
        for _ in 0..10 {
            let middle = 0.5 * (low + high);
            *(if far(middle) > reach { &mut low } else { &mut high }) = middle;
        }
        high
    }

    /// Lets the heel of a foot that was put to `target`, on ground whose normal is `up`, rise until its ankle is bent by
    /// no more than it may be if the motion itself bends it to `own`. Returns the foot and how far its heel rose, in
    /// radians.
    pub fn rise(
        &self,
        (target, up): (&Transform, Vec3),
        (own, most): (f32, f32),
        set: &FeetSettings,
        pose: &mut [Transform],
        models: &mut [Transform],
    ) -> Option<(RolledFoot, f32)> {
        let ankle = self.leg.joints[2];
        let (mut by, mut angle) = (0.0, self.angle(models));
        let wanted = set.ankle_bent(angle, own - 1e-3);
        // A heel that rises bends the knee, and with it the ankle a little.
        for _ in 0..3 {
            if wanted - angle < 1e-3 {
                break;
            }
            by += wanted - angle;
            let rolled = RolledFoot::new(target, self.toe, up, by);
            self.leg.solve(&rolled.ankle, ankle, most, pose, models);
            angle = self.angle(models);
        }
        (by > 0.0).then(|| (RolledFoot::new(target, self.toe, up, by), by))
    }
}

impl FeetSettings {
    /// The angle between shank and foot that an ankle gets which would be bent to `angle`, in radians, if the motion
    /// itself bends it to `own`: all the more of what it lacks the nearer it is to its limit.
    pub fn ankle_bent(&self, angle: f32, own: f32) -> f32 {
        let least = self.ankle_least.min(own);
        let soft = self.ankle_soft.min(own - least);
        let over = angle - least;
        if over >= soft {
            angle
        } else if over <= -soft {
            least
        } else {
            least + (over + soft).powi(2) / (4.0 * soft)
        }
    }
}

/// The angle between shank and foot.
pub fn shank_foot_angle(knee: Vec3, ankle: Vec3, toe: Vec3) -> f32 {
    let (shank, foot) = ((knee - ankle).normalize_or_zero(), (toe - ankle).normalize_or_zero());
    libm::acosf(shank.dot(foot).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::rotation;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ankles_bend_ever_less_and_never_beyond_their_limit(
            own in 0.6f32..2.0, angles in prop::array::uniform2(0.2f32..2.2),
        ) {
            let set = FeetSettings::default();
            let bent = angles.map(|angle| set.ankle_bent(angle, own));
            for (angle, bent) in angles.into_iter().zip(bent) {
                prop_assert!(bent >= angle - 1e-6 && bent >= set.ankle_least.min(own) - 1e-6);
            }
            prop_assert_eq!(set.ankle_bent(own, own), own, "the motion itself is left alone");
            let [a, b] = angles;
            prop_assert!((bent[0] - bent[1]).abs() <= (a - b).abs() + 1e-6);
        }

        #[test]
        fn a_foot_rolls_onto_its_ball_which_stays_where_it_is(
            by in 0.0f32..0.8, slope in -0.4f32..0.4, yaw in -3.0f32..3.0,
        ) {
            let tilt = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(slope);
            let (toe, heel) = (Vec3::new(0.0, -0.05, 0.12), Vec3::new(0.0, -0.07, -0.06));
            let ankle = Transform::new(tilt, Vec3::new(0.3, 0.2, -0.1));
            let rolled = RolledFoot::new(&ankle, toe, tilt * Vec3::Y, by);
            let moved = |point: Vec3| {
                rolled.ankle.transform_point(point) - ankle.transform_point(point)
            };
            prop_assert!(moved(toe).length() < 1e-5);
            let turned = rotation::angle_between(rolled.ankle.rotation, ankle.rotation);
            prop_assert!((turned - by).abs() < 1e-3);
            prop_assert!((tilt * Vec3::Y).dot(moved(heel)) >= by.min(0.5) * 0.1);
        }
    }
}
