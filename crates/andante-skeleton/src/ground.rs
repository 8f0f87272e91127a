//! The question every foot asks.

use glam::{Vec2, Vec3};

/// The hit of a probe on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The point of the surface.
    pub point: Vec3,
    /// The surface's unit normal there, pointing up.
    pub normal: Vec3,
}

/// A point of a surface and how far it is from where the question was asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The point of the surface.
    pub point: Vec3,
    /// The surface's unit normal there, on the side that the question came from.
    pub normal: Vec3,
    /// Distance in metres: along the ray, or to the nearest point.
    pub distance: f32,
}

impl ClosestPoint {
    /// Of two, the nearer one; the first if they are equally near.
    pub fn nearer(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.distance <= self.distance => other,
            _ => self,
        }
    }
}

/// A ray: a half line of finite length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
    length: f32,
}

impl Ray {
    /// Rays end here: nothing in a world of people is farther away.
    pub const LONGEST: f32 = 10_000.0;

    /// From `origin` towards `direction`, which need not be a unit vector, for `length` metres, at most
    /// [`Self::LONGEST`]. `None` if a number is not finite or the direction has no length.
    pub fn new(origin: Vec3, direction: Vec3, length: f32) -> Option<Self> {
        let direction = direction.try_normalize()?;
        let usable = origin.is_finite() && length >= 0.0;
        usable.then_some(Self { origin, direction, length: length.min(Self::LONGEST) })
    }

    /// The start of the ray.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// The direction of the ray, a unit vector.
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// The length of the ray, in metres.
    pub fn length(&self) -> f32 {
        self.length
    }

    /// The point of the ray after `distance`.
    pub fn at(&self, distance: f32) -> Vec3 {
        self.origin + distance * self.direction
    }
}

/// The ground: anything that can be stood on, as answers to questions.
///
/// [`Ground::probe`] is all that must be answered. The other answers follow from it for still ground that is one
/// sheet of heights; ground with walls, overhangs or several levels gives its own. Implementations never return
/// anything that is not finite: a height that is not a number is a hole.
pub trait Ground: Send + Sync {
    /// The first surface met going straight down from `from`, at most `depth` below it.
    ///
    /// Surfaces above `from` are not seen, so a character under a bridge stands on the road and one on the
    /// bridge stands on the bridge. `None` is a hole.
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit>;

    /// The height of what [`Ground::probe`] meets, which takes less than the whole answer where the ground is
    /// curved.
    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.probe(from, depth).map(|hit| hit.point.y)
    }

    /// The first point that a ray meets, from above or from below.
    ///
    /// Unless the ground knows better, its highest surface is looked at every two centimetres of the ray: what is
    /// thinner may be missed.
    fn ray(&self, ray: &Ray) -> Option<ClosestPoint> {
        sheet_ray(self, ray)
    }

    /// The nearest point of all surfaces, if there is one within a distance.
    ///
    /// Unless the ground knows better, its highest surface is looked at in samples around the point, finer and
    /// finer: on curved ground within a millimetre, unless two places are equally near.
    fn closest(&self, point: Vec3, within: f32) -> Option<ClosestPoint> {
        closest_on_sheet(self, point, within)
    }

    /// Velocity of the ground at a point of it, in m/s. Still ground has none.
    fn velocity(&self, at: Vec3) -> Vec3 {
        let _ = at;
        Vec3::ZERO
    }

    /// Coefficient of friction at a point of the ground; `None` leaves it to what stands there.
    fn friction(&self, at: Vec3) -> Option<f32> {
        let _ = at;
        None
    }
}

/// A normal on the side that a direction comes from.
fn against(normal: Vec3, direction: Vec3) -> Vec3 {
    if normal.dot(direction) > 0.0 { -normal } else { normal }
}

fn highest<G: Ground + ?Sized>(ground: &G, place: Vec2) -> Option<Hit> {
    ground.probe(Vec3::new(place.x, f32::MAX, place.y), f32::INFINITY)
}

fn sheet_height<G: Ground + ?Sized>(ground: &G, place: Vec2) -> f32 {
    let from = Vec3::new(place.x, f32::MAX, place.y);
    ground.height_below(from, f32::INFINITY).unwrap_or(f32::NAN)
}

fn sheet_ray<G: Ground + ?Sized>(ground: &G, ray: &Ray) -> Option<ClosestPoint> {
    const STEP: f32 = 0.02;
    let above = |distance: f32| {
        let point = ray.at(distance);
        point.y - sheet_height(ground, Vec2::new(point.x, point.z))
    };
    let (mut from, mut here) = (0.0, above(0.0));
    while here != 0.0 {
        if from >= ray.length {
            return None;
        }
        let to = (from + STEP).min(ray.length);
        let next = above(to);
        if (here > 0.0) != (next > 0.0) && here.is_finite() && next.is_finite() {
            let mut low = from;
            from = to;
            for _ in 0..40 {
                let middle = 0.5 * (low + from);
                if (above(middle) > 0.0) == (here > 0.0) {
                    low = middle;
                } else {
                    from = middle;
                }
            }
            break;
        }
        (from, here) = (to, next);
    }
    let point = ray.at(from);
    let hit = highest(ground, Vec2::new(point.x, point.z))?;
    Some(ClosestPoint { point, normal: against(hit.normal, ray.direction), distance: from })
}

/// The nearest point of the highest surface of a ground, if there is one within a distance: [`Ground::closest`] for ground
/// that is one sheet of heights.
pub fn closest_on_sheet<G: Ground + ?Sized>(
    ground: &G,
    point: Vec3,
    within: f32,
) -> Option<ClosestPoint> {
    const SIDE: i32 = 12;
    const FINEST: f32 = 1e-4;
    let place = Vec2::new(point.x, point.z);
    // The ground straight below or above is never nearer than the nearest.
    let below = (point.y - sheet_height(ground, place)).abs();
    let mut half = if below.is_finite() { within.min(below) } else { within };
    if !(point.is_finite() && (0.0..=Ray::LONGEST).contains(&half)) {
        return None;
    }
    let squared = |place: Vec2| {
        Vec3::new(place.x, sheet_height(ground, place), place.y).distance_squared(point)
    };
    let mut best = (if below.is_finite() { below * below } else { f32::INFINITY }, place);
    loop {
        let center = best.1;
        for z in -SIDE..=SIDE {
            for x in -SIDE..=SIDE {
                let place = center + half * Vec2::new(x as f32, z as f32) / SIDE as f32;
                let found = squared(place);
                if found < best.0 {
                    best = (found, place);
                }
            }
        }
        if half <= FINEST {
            break;
        }
        half *= 2.0 / SIDE as f32;
    }
    let hit = highest(ground, best.1)?;
    let distance = hit.point.distance(point);
    (distance <= within).then(|| ClosestPoint {
        point: hit.point,
        normal: against(hit.normal, hit.point - point),
        distance,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeightFunction;

    #[test]
    fn a_sheet_of_heights_answers_rays_and_nearest_points() {
        let ramp = HeightFunction::new(|place: Vec2| 0.5 * place.y);
        let up = Vec3::new(0.0, 1.0, -0.5).normalize();
        let down = Ray::new(Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, -1.0, 1.0), 9.0).unwrap();
        let met = ramp.ray(&down).unwrap();
        assert!(met.point.distance(Vec3::new(0.0, 2.0 / 3.0, 4.0 / 3.0)) < 1e-3, "{met:?}");
        assert!(met.normal.distance(up) < 1e-3);
        let below = Ray::new(Vec3::new(0.0, -1.0, 0.0), Vec3::Y, 9.0).unwrap();
        let met = ramp.ray(&below).unwrap();
        assert!((met.distance - 1.0).abs() < 1e-3 && met.normal.distance(-up) < 1e-3);
        let away = Ray::new(Vec3::Y, Vec3::Y, 9.0).unwrap();
        assert_eq!(ramp.ray(&away), None);
        let nearest = ramp.closest(up, 3.0).unwrap();
        assert!(nearest.point.length() < 1e-3 && (nearest.distance - 1.0).abs() < 1e-4);
        assert_eq!(ramp.closest(up, 0.5), None);
        assert_eq!(ramp.closest(Vec3::NAN, 0.5), None);
        assert_eq!((ramp.velocity(up), ramp.friction(up)), (Vec3::ZERO, None));
    }
}
