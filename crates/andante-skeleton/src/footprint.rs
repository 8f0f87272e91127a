//! Where feet stand.

use glam::Vec3;

/// A foot on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedFootprint {
    /// Which foot, as an index into the rig's feet: 0 is left, 1 right.
    pub foot: usize,
    /// The middle between heel and ball, on the ground.
    pub position: Vec3,
    /// The way it points.
    pub heading: f32,
    /// The ground's normal.
    pub normal: Vec3,
    /// When it touches the ground, in seconds.
    pub landing: f32,
    /// When it has left it.
    pub take_off: f32,
    /// Where the heel is.
    pub heel: Vec3,
    /// Where the ball is.
    pub ball: Vec3,
    /// Where the tip of the toes is.
    pub tip: Vec3,
}

impl PlannedFootprint {
    /// The footprint of a sole whose heel, ball and tip are at these places, on ground with this normal, from landing to
    /// take-off.
    pub fn of_sole(
        foot: usize,
        [heel, ball, tip]: [Vec3; 3],
        normal: Vec3,
        [landing, take_off]: [f32; 2],
    ) -> Self {
        let ahead = ball - heel;
        let heading = libm::atan2f(ahead.x, ahead.z);
        Self {
            foot,
            position: heel.midpoint(ball),
            heading,
            normal,
            landing,
            take_off,
            heel,
            ball,
            tip,
        }
    }
}
