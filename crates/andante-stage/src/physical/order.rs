//! What can be done to characters that are physical.

use andante_body::PropForm;
use glam::Vec3;
use std::fmt;

/// A shove.
#[derive(Clone, Debug, PartialEq)]
pub struct PushOrder {
    /// Force times time, N·s.
    pub impulse: f32,
    /// Where it pushes to, as a heading from +Z towards +X, in radians.
    pub direction: f32,
    /// How high above the ground it lands, in metres; at the chest if it is not given.
    pub height: Option<f32>,
    /// How long it lasts, in seconds.
    pub seconds: f32,
    /// The joint whose bone it lands on, in its middle; the trunk if it is not given. With a bone there is no height.
    pub bone: Option<String>,
}

impl PushOrder {
    /// The largest, in N·s: nobody stays on their feet.
    pub const STRONGEST: f32 = 10_000.0;

    /// A shove of a tenth of a second at the chest.
    pub fn new(impulse: f32, direction: f32) -> Self {
        Self { impulse, direction, height: None, seconds: 0.1, bone: None }
    }

    /// The problem of an order, if it has one.
    pub fn problem(&self) -> Option<String> {
        if !(0.0..=Self::STRONGEST).contains(&self.impulse) {
            let most = Self::STRONGEST;
            return Some(format!("impulse is {}; it is 0 to {most} N·s", self.impulse));
        }
        if !(self.direction.is_finite() && self.direction.abs() < 1e4) {
            return Some(format!("direction is {}; it is a heading in degrees", self.direction));
        }
        if let Some(height) = self.height.filter(|height| !(0.0..=3.0).contains(height)) {
            return Some(format!("height is {height}; it is 0 to 3 m above the ground"));
        }
        if let (Some(bone), Some(_)) = (&self.bone, self.height) {
            return Some(format!("a push lands on the bone `{bone}` or at a height, not both"));
        }
        if !(0.005..=2.0).contains(&self.seconds) {
            return Some(format!("seconds is {}; it is 0.005 to 2", self.seconds));
        }
        None
    }
}

/// Something thrown at a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThrowOrder {
    /// What it looks like.
    pub form: PropForm,
    /// kg.
    pub mass: f32,
    /// Where it comes from.
    pub from: Vec3,
    /// How fast it is thrown, in m/s.
    pub speed: f32,
}

impl fmt::Display for PushOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} N·s towards {:.0}°", self.impulse, self.direction.to_degrees())
    }
}

impl fmt::Display for ThrowOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.form {
            PropForm::Ball { .. } => "ball",
            PropForm::Cube { .. } => "cube",
        };
        write!(f, "a {what} of {} kg at {} m/s", self.mass, self.speed)
    }
}
