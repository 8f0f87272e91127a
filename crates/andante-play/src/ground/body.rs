//! The body above its feet.

use crate::ground::clip::{GroundClip, lifted};
use crate::ground::input::GroundPace;
use crate::ground::plan::FootPlan;
use andante_skeleton::{Planar, Skeleton, Transform};
use glam::{Quat, Vec2, Vec3};

/// Where a body goes by the prints of its feet: their mean, each weighted by how far the body has come from
/// one print of a foot to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyCarrier {
    pub place: Planar,
    /// Height of the ground it goes by.
    pub height: f32,
    /// Rise per metre ahead.
    pub grade: f32,
    /// For bodies with feet far apart: rise per metre of the ground under them, across and along.
    pub slopes: Vec2,
    /// Where the body is in the clip.
    source: Planar,
}

impl BodyCarrier {
    /// The body at a time; feet farther apart than `long` let it lean with the ground.
    pub fn new(clip: &GroundClip, plans: &[FootPlan], time: f32, long: f32) -> Self {
        let source = clip.placement(time);
        let (mut position, mut heading, mut height, mut grade) = (Vec2::ZERO, 0.0, 0.0, 0.0);
        let (mut count, mut moments, mut spread) = (0.0f32, Vec2::ZERO, Vec2::ZERO);
        for (plan, track) in plans.iter().zip(&clip.feet) {
            let Some(footing) = plan.footing(time) else { continue };
            let (place, turned, level, rise) = footing.carry(&source);
            position += place;
            heading += turned;
            height += level;
            grade += rise;
            let arm = track.home - clip.centre;
            moments += arm * level;
            spread += arm * arm;
            count += 1.0;
        }
        let count = count.max(1.0);
        let long = (long * clip.unit).powi(2) * count;
        let slope = |moment: f32, spread: f32| if spread > long { moment / spread } else { 0.0 };
        Self {
            place: Planar::new(position / count, heading / count),
            height: height / count,
            grade: grade / count,
            slopes: Vec2::new(slope(moments.x, spread.x), slope(moments.y, spread.y)),
            source,
        }
    }

    /// The map from the clip to the world for everything but the feet.
    pub fn map(&self, clip: &GroundClip, lowered: f32) -> Transform {
        let heading = self.place.heading - self.source.heading;
        let turn = if heading == 0.0 { Quat::IDENTITY } else { Quat::from_rotation_y(heading) };
        let source = Vec3::new(self.source.position.x, clip.height, self.source.position.y);
        let place = Vec3::new(self.place.position.x, self.height - lowered, self.place.position.y);
        let upright = Transform::new(turn, place - turn * source);
        if self.slopes == Vec2::ZERO {
            return upright;
        }
        let centre = lifted(&self.place, clip.centre);
        let pivot = Vec3::new(centre.x, place.y + clip.hip_height, centre.y);
        leaning(self.place.heading, self.slopes, pivot) * upright
    }

    /// The forward lean of the trunk.
    pub fn lean(&self, pace: &GroundPace) -> f32 {
        if self.slopes != Vec2::ZERO {
            return 0.0;
        }
        let share = if self.grade < 0.0 { pace.lean_down } else { pace.lean_up };
        share * libm::atanf(self.grade)
    }
}

/// What leans a body that faces a heading with ground that rises by so much per metre across and along, about a point.
pub(crate) fn leaning(heading: f32, slopes: Vec2, pivot: Vec3) -> Transform {
    let facing = Quat::from_rotation_y(heading);
    let tilt = Quat::from_rotation_x(-libm::atanf(slopes.y))
        * Quat::from_rotation_z(libm::atanf(slopes.x));
    let tilt = facing * tilt * facing.conjugate();
    Transform::new(tilt, pivot - tilt * pivot)
}

/// Leans a trunk forward by bending its spine; `models` are those of the pose before and are not updated.
pub(crate) fn lean(
    skeleton: &Skeleton,
    spine: &[usize],
    heading: f32,
    angle: f32,
    locals: &mut [Transform],
    models: &[Transform],
) {
    if spine.is_empty() || angle == 0.0 {
        return;
    }
    let across = Quat::from_rotation_y(heading) * Vec3::X;
    let turn = Quat::from_axis_angle(across, angle / spine.len() as f32);
    for &joint in spine {
        let Some(parent) = skeleton.parent(joint) else { continue };
        // All turns are about one axis, so that those below do not change what this one is in its frame.
        let above = models[parent].rotation;
        locals[joint].rotation =
            (above.conjugate() * turn * above * locals[joint].rotation).normalize();
    }
}
