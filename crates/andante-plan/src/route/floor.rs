//! What can be walked on, seen from above.

use super::{Navmesh, Walls};
use geo::algorithm::bool_ops::FillRule;
use geo::algorithm::buffer::{Buffer, BufferStyle, LineJoin};
use geo::orient::{Direction, Orient};
use geo::{BooleanOps, Intersects, LineString, MultiPolygon, Polygon, unary_union};
use glam::Vec2;
use std::f32::consts::{PI, TAU};

/// Angle between neighbouring corners of a rounded corner, and of a circle that stands for a post.
const ARC_STEP: f32 = 0.2;

/// The same for a mesh that is made quickly: it keeps a fiftieth more away than it must at most.
const ROUGH_ARC_STEP: f32 = 0.4;

/// Kept free in addition, so that rounding does not touch a wall, in metres.
pub(super) const MARGIN: f32 = 1e-3;

/// What a mesh is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// For many ways: exact, and quickly searched.
    Lasting,
    /// For a few ways: exact.
    Passing,
    /// For a few ways that need not be the narrowest.
    Rough,
}

impl Detail {
    fn arc_step(self) -> f32 {
        if self == Self::Rough { ROUGH_ARC_STEP } else { ARC_STEP }
    }
}

/// Ground that hangs together or not, and what stands on it.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkableFloor {
    ground: MultiPolygon<f32>,
    blocked: MultiPolygon<f32>,
    /// What is blocked again: convex outlines, as most are, and the rest.
    convex: Vec<Vec<Vec2>>,
    other: MultiPolygon<f32>,
    posts: Vec<(Vec2, f32)>,
    shut: ShutRegions,
}

/// Where the middle of a character cannot be because of where ground rises and falls, whatever stands there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShutRegions {
    /// Exactly, and with what a mesh keeps in addition.
    pub exact: MultiPolygon<f32>,
    pub kept: MultiPolygon<f32>,
    /// The ground that a mesh is made of, where the floor is larger.
    pub own: Option<MultiPolygon<f32>>,
}

impl Default for ShutRegions {
    fn default() -> Self {
        let none = || MultiPolygon::new(Vec::new());
        Self { exact: none(), kept: none(), own: None }
    }
}

/// The clearance of a character's middle from things, in metres.
///
/// A shoulder may reach over the rim of a platform, but not into a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// From obstacles: the radius of the body.
    pub radius: f32,
    /// From where the ground ends: enough for both feet.
    pub rim: f32,
}

impl From<f32> for Clearance {
    /// The same distance from everything.
    fn from(radius: f32) -> Self {
        Self { radius, rim: radius }
    }
}

/// An error that keeps a floor from being made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum FloorError {
    /// An outline has fewer corners than a triangle.
    #[error("{what} {index} has {corners} corners; at least 3 are needed")]
    TooFewCorners {
        /// What it outlines.
        what: &'static str,
        /// Which one, from 0.
        index: usize,
        /// How many it has.
        corners: usize,
    },
    /// A number is not finite, or a radius is not positive.
    #[error("{what} {index} has a number that is not finite, or a radius that is not positive")]
    BadNumber {
        /// What it belongs to.
        what: &'static str,
        /// Which one, from 0.
        index: usize,
    },
}

impl WalkableFloor {
    /// The union of the `ground` less the union of what is `blocked` and the round `posts`.
    pub fn new(
        ground: &[Vec<Vec2>],
        blocked: &[Vec<Vec2>],
        posts: &[(Vec2, f32)],
    ) -> Result<Self, FloorError> {
        let ground = unary_union(&polygons("ground", ground)?);
        Self::on(ground, ShutRegions::default(), blocked, posts)
    }

    /// Ground alone.
    pub(super) fn of(ground: MultiPolygon<f32>) -> Self {
        let none = || MultiPolygon::new(Vec::new());
        let (convex, posts, shut) = (Vec::new(), Vec::new(), ShutRegions::default());
        Self { ground, blocked: none(), convex, other: none(), posts, shut }
    }

    /// The same, shut where ground rises and falls.
    pub(super) fn shut(self, shut: ShutRegions) -> Self {
        Self { shut, ..self }
    }

    /// The same ground with other things on it.
    pub(super) fn with(
        &self,
        blocked: &[Vec<Vec2>],
        posts: &[(Vec2, f32)],
    ) -> Result<Self, FloorError> {
        Self::on(self.ground.clone(), self.shut.clone(), blocked, posts)
    }

    fn on(
        ground: MultiPolygon<f32>,
        shut: ShutRegions,
        blocked: &[Vec<Vec2>],
        posts: &[(Vec2, f32)],
    ) -> Result<Self, FloorError> {
        if let Some(index) = posts
            .iter()
            .position(|(at, radius)| !(at.is_finite() && radius.is_finite() && *radius > 0.0))
        {
            return Err(FloorError::BadNumber { what: "post", index });
        }
        let polygons_blocked = polygons("obstacle", blocked)?;
        let (convex, other): (Vec<_>, Vec<_>) = polygons_blocked
            .iter()
            .map(|polygon| (corners_of(polygon.exterior()), polygon))
            .partition(|(corners, _)| is_convex(corners));
        Ok(Self {
            ground,
            convex: convex.into_iter().map(|(corners, _)| corners).collect(),
            other: unary_union(other.into_iter().map(|(_, polygon)| polygon)),
            blocked: united(polygons_blocked),
            posts: posts.to_vec(),
            shut,
        })
    }

    /// Outlines of where nobody can be because ground rises or falls there: inside an odd number of these.
    pub(super) fn shut_outlines(&self) -> impl Iterator<Item = Vec<Vec2>> {
        rings(&self.shut.exact)
    }

    /// The rims of the ground: a place is on it if it is inside an odd number of these outlines.
    pub fn rims(&self) -> impl Iterator<Item = Vec<Vec2>> {
        rings(&self.ground)
    }

    /// The outlines of what is blocked: a place is in it if it is inside an odd number of them.
    pub fn obstacles(&self) -> impl Iterator<Item = Vec<Vec2>> {
        rings(&self.blocked)
    }

    /// The connected piece of ground that a place is on, whatever stands there.
    pub fn piece_of(&self, place: Vec2) -> Option<usize> {
        let at = geo::Point::new(place.x, place.y);
        self.ground.iter().position(|piece| piece.intersects(&at))
    }

    /// Round things that stand on the floor.
    pub fn posts(&self) -> &[(Vec2, f32)] {
        &self.posts
    }

    /// The walls between which a character fits.
    pub fn walls(&self, clearance: impl Into<Clearance>) -> Walls {
        Walls::new(clearance.into(), self)
    }

    /// A mesh to find its ways on.
    pub fn navmesh(&self, clearance: impl Into<Clearance>) -> Navmesh {
        let clearance = clearance.into();
        self.navmesh_within(clearance, &self.open(clearance), Detail::Lasting)
    }

    /// The same if the places that are far enough from rims are known.
    pub(super) fn navmesh_within(
        &self,
        clearance: Clearance,
        open: &MultiPolygon<f32>,
        detail: Detail,
    ) -> Navmesh {
        let free = self.inset(clearance.radius, open, detail);
        Navmesh::new(self.walls(clearance), &free, detail == Detail::Lasting)
    }

    /// The places that are far enough from rims, whatever stands there.
    pub(super) fn open(&self, clearance: Clearance) -> MultiPolygon<f32> {
        let mut open = self.ground.buffer_with_style(style(-clearance.rim));
        if !self.shut.kept.0.is_empty() {
            open = open.difference(&self.shut.kept);
        }
        if let Some(own) = &self.shut.own {
            open = open.intersection(own);
        }
        open
    }

    /// The places where the middle of the character may be. Arcs are chains of chords that keep the distance.
    fn inset(&self, radius: f32, open: &MultiPolygon<f32>, detail: Detail) -> MultiPolygon<f32> {
        let step = detail.arc_step();
        let corners = (TAU / step).ceil() as usize;
        let circle = |&(at, own): &(Vec2, f32)| {
            let reach = (own + radius + MARGIN) / libm::cosf(PI / corners as f32);
            let corner =
                |index: usize| at + reach * Vec2::from_angle(TAU * index as f32 / corners as f32);
            polygon((0..corners).map(corner))
        };
        let reach = (radius + MARGIN) / libm::cosf(0.5 * step);
        let grown = |corners: &Vec<Vec2>| polygon(grown(corners, reach, step).into_iter());
        let mut taken: Vec<Polygon<f32>> = self.posts.iter().map(circle).collect();
        taken.extend(self.convex.iter().map(grown));
        taken.extend(self.other.buffer_with_style(style(radius)));
        // All wind the same way, so that where they overlap they wind more than once.
        open.difference_with_fill_rule(&MultiPolygon::new(taken), FillRule::NonZero)
    }
}

/// The union of polygons. Those that are clear of all others are in it as they are.
fn united(polygons: Vec<Polygon<f32>>) -> MultiPolygon<f32> {
    let boxes: Vec<[Vec2; 2]> = polygons
        .iter()
        .map(|polygon| {
            let corners = corners_of(polygon.exterior());
            let low = corners.iter().copied().fold(Vec2::INFINITY, Vec2::min);
            [low, corners.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max)]
        })
        .collect();
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&a, &b| boxes[a][0].x.total_cmp(&boxes[b][0].x));
    let mut clear = vec![true; polygons.len()];
    let mut active: Vec<usize> = Vec::new();
    for &next in &order {
        let [low, high] = boxes[next];
        active.retain(|&other| boxes[other][1].x >= low.x);
        for &other in &active {
            let [from, to] = boxes[other];
            if from.y <= high.y && to.y >= low.y {
                (clear[next], clear[other]) = (false, false);
            }
        }
        active.push(next);
    }
    let of = |wanted: bool| {
        let kept = polygons.iter().zip(&clear).filter(move |(_, clear)| **clear == wanted);
        kept.map(|(polygon, _)| polygon)
    };
    let mut union = unary_union(of(false));
    union.0.extend(of(true).cloned());
    union
}

/// Everything within a distance of a region; what is left of it without its rim, if that is negative.
pub(super) fn within(region: &MultiPolygon<f32>, distance: f32) -> MultiPolygon<f32> {
    region.buffer_with_style(style(distance))
}

/// Everything within a distance of a line.
pub(super) fn capsule([a, b]: [Vec2; 2], distance: f32) -> Polygon<f32> {
    let half = (PI / ARC_STEP).ceil();
    let reach = distance / libm::cosf(0.5 * PI / half);
    let along = (b - a).normalize_or(Vec2::X);
    let arc = |middle: Vec2, from: f32| {
        (0..=half as usize).map(move |part| {
            let turn = from + PI * part as f32 / half;
            middle + reach * Vec2::from_angle(turn).rotate(along)
        })
    };
    polygon(arc(b, -0.5 * PI).chain(arc(a, 0.5 * PI)))
}

/// Grows or, if negative, shrinks by a distance, with rounded corners.
fn style(distance: f32) -> BufferStyle<f32> {
    let kept = kept(distance.abs()).copysign(distance);
    BufferStyle::new(kept).line_join(LineJoin::Round(ARC_STEP))
}

/// How far a mesh keeps from what the character keeps a distance from.
pub(super) fn kept(distance: f32) -> f32 {
    (distance + MARGIN) / libm::cosf(0.5 * ARC_STEP)
}

/// A convex outline with everything within reach of it, corners of arcs included.
fn grown(corners: &[Vec2], reach: f32, step: f32) -> Vec<Vec2> {
    let count = corners.len();
    let out = |index: usize| -(corners[(index + 1) % count] - corners[index % count]).perp();
    let mut grown = Vec::with_capacity(10 * count);
    for (index, &corner) in corners.iter().enumerate() {
        let (first, last) = (out(index + count - 1), out(index));
        let turn = first.angle_to(last);
        let parts = (turn / step).ceil().max(1.0);
        let start = first.normalize_or_zero() * reach;
        grown.extend(
            (0..=parts as usize)
                .map(|part| corner + Vec2::from_angle(turn * part as f32 / parts).rotate(start)),
        );
    }
    grown
}

/// Whether corners in the usual order turn left at every one, and all the way round once.
fn is_convex(corners: &[Vec2]) -> bool {
    let count = corners.len();
    let side = |index: usize| corners[(index + 1) % count] - corners[index % count];
    let turns = (0..count).map(|index| side(index).angle_to(side(index + 1)));
    let all_left = turns.clone().all(|turn| turn > 1e-4 && turn < 3.0);
    all_left && (turns.sum::<f32>() - TAU).abs() < 1.0
}

/// A ring repeats its first corner.
fn corners_of(ring: &LineString<f32>) -> Vec<Vec2> {
    ring.0.iter().skip(1).map(|corner| Vec2::new(corner.x, corner.y)).collect()
}

fn rings(of: &MultiPolygon<f32>) -> impl Iterator<Item = Vec<Vec2>> {
    let rings = of
        .iter()
        .flat_map(|polygon| std::iter::once(polygon.exterior()).chain(polygon.interiors()));
    rings.map(corners_of)
}

/// Corners in either order, as the union wants them.
pub(super) fn polygon(corners: impl Iterator<Item = Vec2>) -> Polygon<f32> {
    let ring = LineString::from_iter(corners.map(|corner| (corner.x, corner.y)));
    Polygon::new(ring, Vec::new()).orient(Direction::Default)
}

fn polygons(what: &'static str, outlines: &[Vec<Vec2>]) -> Result<Vec<Polygon<f32>>, FloorError> {
    let made = |(index, outline): (usize, &Vec<Vec2>)| {
        checked(what, index, outline).map(|()| polygon(outline.iter().copied()))
    };
    outlines.iter().enumerate().map(made).collect()
}

fn checked(what: &'static str, index: usize, outline: &[Vec2]) -> Result<(), FloorError> {
    if outline.len() < 3 {
        return Err(FloorError::TooFewCorners { what, index, corners: outline.len() });
    }
    if !outline.iter().all(|corner| corner.is_finite()) {
        return Err(FloorError::BadNumber { what, index });
    }
    Ok(())
}

/// Refuses outlines of ground that are none.
pub(super) fn check<'a>(outlines: impl Iterator<Item = &'a [Vec2]>) -> Result<(), FloorError> {
    for (index, outline) in outlines.enumerate() {
        checked("ground", index, outline)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use geo::Area;
    use glam::vec2;

    fn slab(x: [f32; 2], z: [f32; 2]) -> Vec<Vec2> {
        vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])]
    }

    #[test]
    fn neighbouring_slabs_are_one_floor() {
        let floor = WalkableFloor::new(
            &[slab([0.0, 5.0], [0.0, 5.0]), slab([5.0, 9.0], [1.0, 4.0])],
            &[],
            &[],
        )
        .unwrap();
        assert_eq!(floor.rims().count(), 1);
        assert!(floor.walls(0.4).edge_is_free(vec2(1.0, 2.0), vec2(8.0, 3.0)));
    }

    #[test]
    fn the_order_of_corners_does_not_matter() {
        let mut turned = slab([5.0, 9.0], [1.0, 4.0]);
        turned.reverse();
        let floor = WalkableFloor::new(&[slab([0.0, 5.0], [0.0, 5.0]), turned], &[], &[]).unwrap();
        assert!(floor.walls(0.4).edge_is_free(vec2(1.0, 2.0), vec2(8.0, 3.0)));
        assert!(floor.walls(0.4).is_free(vec2(8.0, 3.0)));
    }

    #[test]
    fn overlapping_obstacles_block_where_they_overlap_too() {
        let blocked = [slab([2.0, 6.0], [2.0, 6.0]), slab([4.0, 8.0], [4.0, 8.0])];
        let floor = WalkableFloor::new(&[slab([0.0, 10.0], [0.0, 10.0])], &blocked, &[]).unwrap();
        assert!(!floor.walls(0.1).is_free(vec2(5.0, 5.0)));
    }

    /// A grown turned box, and the same as corners that do not turn left everywhere, which take the general way.
    #[test]
    fn convex_and_other_obstacles_leave_the_same_room() {
        let turned: Vec<Vec2> = slab([4.0, 6.0], [4.0, 5.0])
            .iter()
            .map(|corner| Vec2::from_angle(0.4).rotate(*corner))
            .collect();
        let mut with_middle = turned.clone();
        with_middle.insert(1, turned[0].midpoint(turned[1]));
        let area = |outline: &[Vec2]| {
            let floor =
                WalkableFloor::new(&[slab([-9.0, 20.0], [-9.0, 20.0])], &[outline.to_vec()], &[]);
            let floor = floor.unwrap();
            assert_eq!(floor.convex.len(), usize::from(outline.len() == 4));
            let open = floor.open(Clearance::from(0.3));
            floor.inset(0.3, &open, Detail::Lasting).unsigned_area()
        };
        assert!((area(&turned) - area(&with_middle)).abs() < 2e-2);
        let distance = 0.3;
        for place in grown(&turned, kept(distance), ARC_STEP) {
            let far = (0..4).map(|index| {
                let side = [turned[index], turned[(index + 1) % 4]];
                crate::route::links::nearest(place, side).distance(place)
            });
            let far = far.fold(f32::MAX, f32::min);
            assert!((distance..1.01 * distance).contains(&far), "{far}");
        }
    }

    #[test]
    fn a_rough_mesh_keeps_the_distance_and_hardly_more() {
        let posts = [(vec2(5.0, 5.0), 0.4)];
        let boxes = [slab([10.0, 12.0], [4.0, 5.0]), slab([11.0, 13.0], [4.5, 7.0])];
        let floor = WalkableFloor::new(&[slab([0.0, 20.0], [0.0, 10.0])], &boxes, &posts).unwrap();
        let open = floor.open(Clearance::from(0.3));
        let [fine, rough] =
            [Detail::Passing, Detail::Rough].map(|detail| floor.inset(0.3, &open, detail));
        assert!(rings(&rough).flatten().count() < 2 * rings(&fine).flatten().count() / 3);
        let walls = floor.walls(0.3);
        for corner in rings(&rough).flatten() {
            assert!(walls.is_free(corner), "{corner}");
        }
        // A fiftieth more than 0.3 m from the boxes, and than 0.7 m from the middle of the post.
        let close = floor.walls(Clearance { radius: 0.316, rim: 0.3 });
        let inner =
            |corner: &Vec2| (1.0..19.0).contains(&corner.x) && (1.0..9.0).contains(&corner.y);
        for corner in rings(&rough).flatten().filter(inner) {
            assert!(!close.is_free(corner), "{corner}");
        }
    }

    #[test]
    fn bad_outlines_are_refused_by_name() {
        let line = vec![vec2(0.0, 0.0), vec2(1.0, 0.0)];
        assert_eq!(
            WalkableFloor::new(&[line], &[], &[]),
            Err(FloorError::TooFewCorners { what: "ground", index: 0, corners: 2 })
        );
        let square = slab([0.0, 1.0], [0.0, 1.0]);
        let bad = slab([0.0, f32::NAN], [0.0, 1.0]);
        assert_eq!(
            WalkableFloor::new(std::slice::from_ref(&square), &[bad], &[]),
            Err(FloorError::BadNumber { what: "obstacle", index: 0 })
        );
        let posts = [(vec2(0.0, f32::INFINITY), 1.0)];
        assert_eq!(
            WalkableFloor::new(&[square], &[], &posts),
            Err(FloorError::BadNumber { what: "post", index: 0 })
        );
    }
}
