//! What a swing was shaped for, and whether that still holds.

use crate::Footprint;
use crate::feet::foothold::Sensor;
use andante_skeleton::Transform;
use glam::Vec2;

/// Places between two prints at which the ground is remembered.
const PLACES: usize = 24;

/// Two prints and the ground between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shaped {
    prints: [Footprint; 2],
    /// Heights along the straight way, from the first print up; none where swings are not corrected.
    between: Option<[f32; PLACES]>,
}

impl Shaped {
    /// For a swing that heeds nothing but its ends.
    pub fn for_ends(prints: [Footprint; 2]) -> Self {
        Self { prints, between: None }
    }

    /// For a swing over the ground as it is now.
    pub fn for_ground(prints: [Footprint; 2], sensor: &mut Sensor) -> Self {
        Self { prints, between: Some(heights(&prints, sensor)) }
    }

    /// True if it is for these prints.
    pub fn is_for(&self, prints: [Footprint; 2]) -> bool {
        self.prints == prints
    }

    /// True if the second print is as high above the first as it was, or nearly.
    pub fn is_near(&self, prints: [Footprint; 2], slack: f32) -> bool {
        let rise = |[from, to]: [Footprint; 2]| to.position.y - from.position.y;
        (rise(prints) - rise(self.prints)).abs() <= slack
    }

    /// True if a swing from print to print over the ground as it is now would be shaped alike. Things may have come
    /// between them since.
    pub fn holds(&self, prints: [Footprint; 2], unit: f32, sensor: &mut Sensor) -> bool {
        let slack = sensor.feet.swing.unchanged * unit;
        let unchanged = |before: &[f32; PLACES]| {
            let now = heights(&prints, sensor);
            before.iter().zip(now).all(|(a, b)| *a == b || (a - b).abs() <= slack)
        };
        self.is_for(prints) && self.between.as_ref().is_none_or(unchanged)
    }

    /// Both prints have been carried along, and with them what is between.
    pub fn carried(self, motion: &Transform) -> Self {
        Self { prints: self.prints.map(|print| print.carried(motion)), ..self }
    }
}

fn heights([from, to]: &[Footprint; 2], sensor: &mut Sensor) -> [f32; PLACES] {
    let expected = 0.5 * (from.position.y + to.position.y);
    std::array::from_fn(|index| {
        let part = (index as f32 + 0.5) / PLACES as f32;
        let place = from.position.lerp(to.position, part);
        let height = sensor.height(Vec2::new(place.x, place.z), expected);
        height.map_or(f32::NEG_INFINITY, |height| height - from.position.y)
    })
}
