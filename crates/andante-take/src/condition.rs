//! What a take was made under.

use std::fmt;

/// A condition a take was made under: a number of the world that poses do not show at once, such as gravity.
#[derive(Clone, Debug, PartialEq)]
pub struct TakeCondition {
    /// What it is called in scenes, such as `gravity`.
    pub name: String,
    /// Its value, in the unit it has there.
    pub value: f64,
}

impl TakeCondition {
    /// The acceleration downwards of what falls freely, in m/s².
    pub const GRAVITY: &str = "gravity";

    /// A condition of a name.
    pub fn new(name: &str, value: f64) -> Self {
        Self { name: name.into(), value }
    }
}

/// The drive of a character: what moves it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyDrive {
    /// Motion alone. It cannot be pushed.
    #[default]
    Kinematic,
    /// Forces, whenever it has nothing to do: it stands by its own torques. To a goal more or less straight ahead on level
    /// ground it walks by them, too; on other ways it is as one that is physical when touched.
    Physical,
    /// Motion, and forces from when something touches it until it stands or walks safely again.
    WhenTouched,
}

impl BodyDrive {
    /// Its names in scene files.
    pub const NAMES: [(&'static str, BodyDrive); 3] = [
        ("kinematic", BodyDrive::Kinematic),
        ("physical", BodyDrive::Physical),
        ("physical_when_touched", BodyDrive::WhenTouched),
    ];
}

impl fmt::Display for BodyDrive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = Self::NAMES.iter().find(|(_, drive)| drive == self);
        f.write_str(own.map_or("", |(name, _)| name))
    }
}
