//! Things that stand in the way, or hang over it.

use glam::{Vec2, Vec3};

/// A thing one cannot walk through.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// What it is called in a scene.
    pub name: String,
    /// Its form.
    pub shape: Shape,
    /// The middle of its underside.
    pub at: Vec3,
    /// How it is turned about the vertical.
    pub heading: f32,
}

/// The form of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Width along x, height, depth along z.
    Box(Vec3),
    /// An upright cylinder.
    Cylinder {
        /// Radius of its circle.
        radius: f32,
        /// From its underside to its top.
        height: f32,
    },
}

/// An obstacle seen from above, as `(x, z)`.
#[derive(Clone, Debug, PartialEq)]
pub enum Footprint {
    /// Corners in order.
    Outline(Vec<Vec2>),
    /// A circle.
    Disc {
        /// Its middle.
        at: Vec2,
        /// Its radius.
        radius: f32,
    },
}

impl Obstacle {
    /// Height of its top.
    pub fn top(&self) -> f32 {
        self.at.y
            + match self.shape {
                Shape::Box(size) => size.y,
                Shape::Cylinder { height, .. } => height,
            }
    }

    /// Height of its underside.
    pub fn bottom(&self) -> f32 {
        self.at.y
    }

    /// How far a place `(x, z)` is from the ground it covers or hangs over; 0 on it.
    pub fn distance_beside(&self, place: Vec2) -> f32 {
        let from = place - Vec2::new(self.at.x, self.at.z);
        match self.shape {
            Shape::Cylinder { radius, .. } => (from.length() - radius).max(0.0),
            Shape::Box(size) => {
                let (sin, cos) = self.heading.sin_cos();
                let own = Vec2::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y);
                (own.abs() - 0.5 * Vec2::new(size.x, size.z)).max(Vec2::ZERO).length()
            }
        }
    }

    /// The ground it covers or hangs over.
    pub fn footprint(&self) -> Footprint {
        let at = Vec2::new(self.at.x, self.at.z);
        match self.shape {
            Shape::Cylinder { radius, .. } => Footprint::Disc { at, radius },
            Shape::Box(size) => {
                // A heading turns z towards x.
                let (sin, cos) = self.heading.sin_cos();
                let (right, ahead) =
                    (Vec2::new(cos, -sin) * (0.5 * size.x), Vec2::new(sin, cos) * (0.5 * size.z));
                Footprint::Outline(vec![
                    at - right - ahead,
                    at + right - ahead,
                    at + right + ahead,
                    at - right + ahead,
                ])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_box_points_its_depth_along_its_heading() {
        let bar = Obstacle {
            name: "bar".into(),
            shape: Shape::Box(Vec3::new(0.2, 0.1, 4.0)),
            at: Vec3::new(1.0, 1.5, 2.0),
            heading: std::f32::consts::FRAC_PI_2,
        };
        assert!((bar.top() - 1.6).abs() < 1e-6 && bar.bottom() == 1.5);
        let Footprint::Outline(corners) = bar.footprint() else { panic!("a box has corners") };
        let far = corners.iter().map(|corner| corner.x).fold(f32::MIN, f32::max);
        assert!((far - 3.0).abs() < 1e-5, "towards +x, {corners:?}");
        assert_eq!(bar.distance_beside(Vec2::new(2.5, 2.05)), 0.0);
        assert!((bar.distance_beside(Vec2::new(3.3, 2.5)) - 0.5).abs() < 1e-5);
    }
}
