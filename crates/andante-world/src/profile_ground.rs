//! Ground from heights along a way, measured or recorded.

use crate::FootfallSettings;
use crate::outline::{DrawnOutline, OutlinePath, is_near};
use glam::{Vec2, Vec3};
use thiserror::Error;

/// Ground that is drawn by a line of heights along a way and is the same across it. Before the first and
/// after the last height it goes on level.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileGround {
    way: OutlinePath,
    /// Distance and height, in order of distance.
    knots: Vec<Vec2>,
    /// Rise per metre at each knot of a smooth profile; nothing for straight lines.
    tangents: Vec<f32>,
}

/// An error that keeps heights from making a profile.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ProfileError {
    /// Too few places.
    #[error("a profile needs heights at two places or more, not {0}")]
    TooFew(usize),
    /// A number that is not finite, or absurd.
    #[error("point {0} of the profile is not a finite number within 1 000 km")]
    Number(usize),
    /// Distances must not decrease.
    #[error("distances must grow: point {0} of the profile lies before the one above it")]
    Order(usize),
    /// The points of a recording do not lead anywhere.
    #[error("the footfalls lead nowhere: all of them lie within {0} m")]
    Place(f32),
}

impl ProfileGround {
    /// Straight lines between heights along +Z, each point a distance and a height. Two heights at one distance
    /// are a step.
    pub fn straight(points: &[Vec2]) -> Result<Self, ProfileError> {
        check(points)?;
        if let Some(back) = points.windows(2).position(|pair| pair[1].x < pair[0].x) {
            return Err(ProfileError::Order(back + 1));
        }
        if points.len() < 2 || points[0].x == points[points.len() - 1].x {
            return Err(ProfileError::TooFew(points.len().min(1)));
        }
        Ok(Self { way: OutlinePath::ALONG_Z, knots: points.to_vec(), tangents: Vec::new() })
    }

    /// A smooth curve through heights along +Z that does not swing beyond them: where the heights grow, so does
    /// the curve.
    pub fn smooth(points: &[Vec2]) -> Result<Self, ProfileError> {
        let straight = Self::straight(points)?;
        if let Some(step) = points.windows(2).position(|pair| pair[1].x <= pair[0].x) {
            return Err(ProfileError::Order(step + 1));
        }
        let tangents = monotone_tangents(points);
        Ok(Self { tangents, ..straight })
    }

    /// The ground that somebody walked on, from where heels and toes rested, in order of time.
    ///
    /// The way is the line that fits the points best, in the direction they were walked. Points at the same place
    /// along it, of both feet, are averaged; a smooth curve joins them.
    pub fn from_footfalls(
        points: &[Vec3],
        settings: &FootfallSettings,
    ) -> Result<Self, ProfileError> {
        let same_place = settings.same_place;
        if let Some(wrong) = points.iter().position(|p| !near(p.abs().max_element(), p.is_nan())) {
            return Err(ProfileError::Number(wrong));
        }
        let [first, .., last] = points else { return Err(ProfileError::TooFew(points.len())) };
        let flat = |p: Vec3| Vec2::new(p.x, p.z);
        let middle = points.iter().map(|&p| flat(p)).sum::<Vec2>() / points.len() as f32;
        // The principal axis of the places.
        let (mut xx, mut xz, mut zz) = (0.0f32, 0.0f32, 0.0f32);
        for &point in points {
            let d = flat(point) - middle;
            (xx, xz, zz) = (xx + d.x * d.x, xz + d.x * d.y, zz + d.y * d.y);
        }
        let angle = 0.5 * libm::atan2f(2.0 * xz, xx - zz);
        let axis = Vec2::from_angle(angle);
        let walked = flat(*last) - flat(*first);
        let direction = if axis.dot(walked) < 0.0 { -axis } else { axis };
        let way = OutlinePath { direction, offset: 0.0 };

        let mut places: Vec<Vec2> =
            points.iter().map(|&p| Vec2::new(way.distance(flat(p)), p.y)).collect();
        places.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        let mut knots = Vec::new();
        let mut rest = places.as_slice();
        while let Some(start) = rest.first() {
            let count = rest.iter().take_while(|p| p.x - start.x <= same_place).count();
            let (same, after) = rest.split_at(count);
            knots.push(same.iter().sum::<Vec2>() / count as f32);
            rest = after;
        }
        if knots.len() < 2 {
            return Err(ProfileError::Place(same_place));
        }
        Ok(Self { way, ..Self::smooth(&knots)? })
    }

    /// The direction that distances are along, `(x, z)`.
    pub fn direction(&self) -> Vec2 {
        self.way.direction
    }

    pub(crate) fn from_numbers(
        way: OutlinePath,
        knots: &[Vec2],
        tangents: Vec<f32>,
    ) -> Result<Self, ProfileError> {
        let straight = Self::straight(knots)?;
        if let Some(wrong) = tangents.iter().position(|tangent| !tangent.is_finite()) {
            return Err(ProfileError::Number(wrong));
        }
        if !(tangents.is_empty() || tangents.len() == knots.len()) {
            return Err(ProfileError::TooFew(tangents.len()));
        }
        Ok(Self { way, tangents, ..straight })
    }

    pub(crate) fn numbers(&self) -> (OutlinePath, &[Vec2], &[f32]) {
        (self.way, &self.knots, &self.tangents)
    }

    pub(crate) fn scaled(&self, scale: Vec3) -> Self {
        // Distances along the way are those along the stretched direction, divided by its length.
        let stretched = self.way.direction / Vec2::new(scale.x, scale.z);
        let length = stretched.length();
        Self {
            way: OutlinePath { direction: stretched / length, offset: self.way.offset / length },
            knots: self.knots.iter().map(|knot| *knot * Vec2::new(1.0 / length, scale.y)).collect(),
            tangents: self.tangents.iter().map(|tangent| tangent * scale.y * length).collect(),
        }
    }

    /// The knot at or before a distance, if one follows it.
    fn interval(&self, distance: f32) -> Option<usize> {
        let after = self.knots.partition_point(|knot| knot.x <= distance);
        (1..self.knots.len()).contains(&after).then(|| after - 1)
    }

    /// Height and slope between a knot and the next.
    fn between(&self, knot: usize, distance: f32) -> [f32; 2] {
        let (a, b) = (self.knots[knot], self.knots[knot + 1]);
        let width = b.x - a.x;
        let secant = (b.y - a.y) / width;
        let t = (distance - a.x) / width;
        if self.tangents.is_empty() {
            return [a.y + t * (b.y - a.y), secant];
        }
        // Cubic Hermite curve.
        let (m, n) = (self.tangents[knot], self.tangents[knot + 1]);
        let (p, q) = (3.0 * secant - 2.0 * m - n, m + n - 2.0 * secant);
        let height = a.y + width * t * (m + t * (p + t * q));
        [height, m + t * (2.0 * p + 3.0 * t * q)]
    }
}

/// A maximum may hide what is not a number.
fn near(largest: f32, is_nan: bool) -> bool {
    is_near(largest) && !is_nan
}

fn check(points: &[Vec2]) -> Result<(), ProfileError> {
    match points.iter().position(|p| !near(p.abs().max_element(), p.is_nan())) {
        Some(wrong) => Err(ProfileError::Number(wrong)),
        None => Ok(()),
    }
}

/// Slopes at the knots of a curve that is monotone where they are: weighted harmonic means of the slopes on
/// both sides, 0 at hills and valleys (Fritsch and Butland 1984).
fn monotone_tangents(points: &[Vec2]) -> Vec<f32> {
    let secants: Vec<Vec2> = points
        .windows(2)
        .map(|pair| {
            Vec2::new(pair[1].x - pair[0].x, (pair[1].y - pair[0].y) / (pair[1].x - pair[0].x))
        })
        .collect();
    let inner = secants.windows(2).map(|pair| {
        let (before, after) = (pair[0], pair[1]);
        if before.y * after.y <= 0.0 {
            return 0.0;
        }
        let (w, v) = (2.0 * after.x + before.x, after.x + 2.0 * before.x);
        (w + v) / (w / before.y + v / after.y)
    });
    // Level at both ends, as the ground goes on.
    std::iter::once(0.0).chain(inner).chain(std::iter::once(0.0)).collect()
}

impl DrawnOutline for ProfileGround {
    fn way(&self) -> OutlinePath {
        self.way
    }

    fn height(&self, distance: f32) -> f32 {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        // At a step, and at the ends of the profile, the highest of all heights there.
        let at = self.knots.partition_point(|knot| knot.x < distance);
        let here = self.knots[at..].iter().take_while(|knot| knot.x == distance);
        if let Some(highest) = here.map(|knot| knot.y).reduce(f32::max) {
            return highest;
        }
        match self.interval(distance) {
            Some(knot) => self.between(knot, distance)[0],
            None if distance < first.x => first.y,
            None => last.y,
        }
    }

    fn slope(&self, distance: f32) -> f32 {
        self.interval(distance).map_or(0.0, |knot| self.between(knot, distance)[1])
    }

    fn is_smooth(&self) -> bool {
        !self.tangents.is_empty()
    }

    fn segments(&self, from: f32, to: f32, cell: f32, visit: &mut dyn FnMut(Vec2, Vec2)) {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        if from < first.x {
            visit(Vec2::new(from, first.y), Vec2::new(first.x.min(to), first.y));
        }
        let start = self.knots.partition_point(|knot| knot.x < from).saturating_sub(1);
        for knot in start..self.knots.len() - 1 {
            let (a, b) = (self.knots[knot], self.knots[knot + 1]);
            if a.x > to {
                return;
            }
            if a.x == b.x {
                visit(a, b);
                continue;
            }
            let (low, high) = (a.x.max(from), b.x.min(to));
            if low >= high {
                continue;
            }
            let pieces = if self.is_smooth() { ((high - low) / cell).ceil().max(1.0) } else { 1.0 };
            let point = |piece: f32| {
                let distance =
                    if piece == pieces { high } else { low + (high - low) * piece / pieces };
                // The ends are the knots themselves, so that neighbours meet.
                let height = if distance == a.x {
                    a.y
                } else if distance == b.x {
                    b.y
                } else {
                    self.between(knot, distance)[0]
                };
                Vec2::new(distance, height)
            };
            // Beyond this many pieces a mesh is too fine anyway.
            for piece in 0..(pieces as usize).min(10_000_000) {
                visit(point(piece as f32), point(piece as f32 + 1.0));
            }
        }
        if to > last.x {
            visit(Vec2::new(last.x.max(from), last.y), Vec2::new(to, last.y));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn points(of: &[[f32; 2]]) -> Vec<Vec2> {
        of.iter().map(|&point| Vec2::from(point)).collect()
    }

    #[test]
    fn straight_profiles_have_steps_and_go_on_level() {
        let ground =
            ProfileGround::straight(&points(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [3.0, 1.5]]))
                .unwrap();
        for (distance, height) in [(-9.0, 0.0), (0.5, 0.0), (1.0, 0.5), (2.0, 1.0), (9.0, 1.5)] {
            assert_eq!(ground.height(distance), height, "at {distance}");
        }
        assert_eq!((ground.slope(2.0), ground.slope(5.0)), (0.5, 0.0));
    }

    #[test]
    fn the_ground_under_a_recorded_walk_passes_through_its_footfalls() {
        // Along −X, up and down, two feet.
        let height = |x: f32| 0.2 * (0.8 * x).sin();
        let steps: Vec<Vec3> = (0..20)
            .map(|step| {
                let x = -0.35 * step as f32;
                Vec3::new(x, height(x), if step % 2 == 0 { 0.1 } else { -0.1 })
            })
            .collect();
        let ground = ProfileGround::from_footfalls(&steps, &FootfallSettings::default()).unwrap();
        assert!(ground.direction().distance(Vec2::NEG_X) < 0.01, "{}", ground.direction());
        for step in &steps {
            let distance = ground.way.distance(Vec2::new(step.x, step.z));
            assert!((ground.height(distance) - step.y).abs() < 1e-3);
        }
    }

    #[test]
    fn points_that_are_no_profile_are_refused() {
        let of = |list: &[[f32; 2]]| ProfileGround::smooth(&points(list)).unwrap_err();
        assert_eq!(of(&[]), ProfileError::TooFew(0));
        assert_eq!(of(&[[1.0, 1.0]]), ProfileError::TooFew(1));
        assert_eq!(of(&[[1.0, 1.0], [1.0, 2.0]]), ProfileError::TooFew(1));
        assert_eq!(of(&[[1.0, 1.0], [0.0, 2.0]]), ProfileError::Order(1));
        assert_eq!(of(&[[1.0, 1.0], [2.0, f32::NAN]]), ProfileError::Number(1));
        let walk = |points: &[Vec3]| {
            ProfileGround::from_footfalls(points, &FootfallSettings::default()).unwrap_err()
        };
        assert_eq!(walk(&[Vec3::X]), ProfileError::TooFew(1));
        assert_eq!(walk(&[Vec3::X, Vec3::NAN]), ProfileError::Number(1));
        assert!(matches!(walk(&[Vec3::X; 5]), ProfileError::Place(_)));
    }

    proptest! {
        #[test]
        fn smooth_profiles_stay_between_neighbouring_heights(
            steps in prop::collection::vec((0.05f32..2.0, -2.0f32..2.0), 2..20),
        ) {
            let mut x = 0.0;
            let knots: Vec<Vec2> = steps.iter().map(|&(step, y)| { x += step; Vec2::new(x, y) }).collect();
            let ground = ProfileGround::smooth(&knots).unwrap();
            for pair in knots.windows(2) {
                let (low, high) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
                for part in 0..=20 {
                    let height = ground.height(pair[0].x + (pair[1].x - pair[0].x) * part as f32 / 20.0);
                    prop_assert!(height >= low - 1e-4 && height <= high + 1e-4);
                }
            }
        }
    }
}
