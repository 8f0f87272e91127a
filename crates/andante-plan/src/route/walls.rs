//! Where a disc fits between walls, exactly.

use super::links::nearest;
use super::wall_index::WallIndex;
use super::{Clearance, WalkableFloor};
use glam::Vec2;
use std::f32::consts::TAU;
use std::ops::Range;

/// How often a place is pushed away from what it is too near to.
const PUSHES: usize = 12;

/// Pushed this much farther than it must be, in metres.
const PUSH: f32 = 1e-4;

/// Places around a wedged one: rings of this width in metres, how many, and how many places on each.
const RING: f32 = 0.05;
const RINGS: usize = 60;
const AROUND: usize = 32;

/// Rims and obstacles a disc must keep clear of.
///
/// Free are the places on the ground that are far enough from every rim, side and post.
///
/// ```
/// use andante_plan::route::WalkableFloor;
/// use glam::vec2;
///
/// let room = vec![vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 4.0), vec2(0.0, 4.0)];
/// let walls = WalkableFloor::new(&[room], &[], &[(vec2(2.0, 2.0), 0.3)])?.walls(0.5);
/// assert!(walls.is_free(vec2(1.0, 1.0)));
/// assert!(!walls.is_free(vec2(0.2, 1.0)), "too close to the wall");
/// assert!(!walls.edge_is_free(vec2(1.0, 1.0), vec2(3.0, 3.0)), "the post is in the way");
/// # Ok::<(), andante_plan::route::FloorError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Walls {
    clearance: Clearance,
    /// Rims of the ground, so many of them, then sides of obstacles up to a number, and then those of what is shut by
    /// the ground itself.
    sides: Vec<WallSide>,
    rims: usize,
    obstacles: usize,
    posts: Vec<(Vec2, f32)>,
    low: Vec2,
    high: Vec2,
    /// What is near a place, where there are many.
    index: Option<WallIndex>,
}

/// One side of an outline and how far to keep from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WallSide {
    pub ends: [Vec2; 2],
    pub reach: f32,
}

impl WallSide {
    /// Whether it is farther than a distance from a box, as its own box tells.
    #[inline]
    fn is_clear_of(&self, [low, high]: [Vec2; 2], distance: f32) -> bool {
        let [a, b] = self.ends;
        a.min(b).cmpgt(high + distance).any() || a.max(b).cmplt(low - distance).any()
    }
}

impl Walls {
    pub(super) fn new(clearance: Clearance, floor: &WalkableFloor) -> Self {
        let around = |outline: Vec<Vec2>, reach: f32| {
            let ends = |index: usize| [outline[index], outline[(index + 1) % outline.len()]];
            (0..outline.len())
                .map(|index| WallSide { ends: ends(index), reach })
                .collect::<Vec<_>>()
        };
        let mut sides: Vec<WallSide> =
            floor.rims().flat_map(|rim| around(rim, clearance.rim)).collect();
        let rims = sides.len();
        sides.extend(floor.obstacles().flat_map(|outline| around(outline, clearance.radius)));
        let obstacles = sides.len();
        sides.extend(floor.shut_outlines().flat_map(|outline| around(outline, 0.0)));
        let corners = || floor.rims().flatten();
        let posts = floor.posts().iter().map(|&(at, own)| (at, own + clearance.radius));
        let posts: Vec<(Vec2, f32)> = posts.collect();
        let low = corners().reduce(Vec2::min).unwrap_or_default();
        let high = corners().reduce(Vec2::max).unwrap_or_default();
        let index = WallIndex::new(&sides, &posts, low, high);
        Self { clearance, posts, low, high, index, sides, rims, obstacles }
    }

    /// The clearance that the character keeps from things.
    pub fn clearance(&self) -> Clearance {
        self.clearance
    }

    /// The corners of the smallest box around all walls.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        (self.low, self.high)
    }

    /// True if the disc fits here.
    pub fn is_free(&self, place: Vec2) -> bool {
        let is_clear = |side: &WallSide| {
            side.is_clear_of([place; 2], side.reach)
                || nearest(place, side.ends).distance_squared(place) >= side.reach * side.reach
        };
        let is_beside =
            |&(post, reach): &(Vec2, f32)| post.distance_squared(place) >= reach * reach;
        let fits = match &self.index {
            Some(index) => {
                let (sides, posts) = index.at(place);
                posts.iter().all(|&post| is_beside(&self.posts[post as usize]))
                    && sides.iter().all(|&side| is_clear(&self.sides[side as usize]))
            }
            None => self.posts.iter().all(is_beside) && self.sides.iter().all(is_clear),
        };
        place.is_finite()
            && fits
            && self.is_inside(0..self.rims, place)
            && !self.is_inside(self.rims..self.obstacles, place)
            && !self.is_inside(self.obstacles..self.sides.len(), place)
    }

    /// True if there is ground at a place, room or not.
    pub fn is_ground(&self, place: Vec2) -> bool {
        self.is_inside(0..self.rims, place)
    }

    /// Whether the disc is as near to where the ground ends as it may be, or by less than `more` farther.
    pub(super) fn is_at_rim(&self, place: Vec2, more: f32) -> bool {
        let is_near = |side: &WallSide| {
            !side.is_clear_of([place; 2], side.reach + more)
                && nearest(place, side.ends).distance(place) < side.reach + more
        };
        match &self.index {
            Some(index) => {
                let sides = index.around(place, more).0.into_iter().map(|side| side as usize);
                let mut rims = sides.filter(|side| *side < self.rims);
                rims.any(|side| is_near(&self.sides[side]))
            }
            None => self.sides[..self.rims].iter().any(is_near),
        }
    }

    /// True if the disc may go straight from a free place to another place.
    pub fn edge_is_free(&self, from: Vec2, to: Vec2) -> bool {
        self.free_fraction(from, to) >= 1.0
    }

    /// The fraction of the straight way from a free place that the disc can go, 0 to 1.
    pub fn free_fraction(&self, from: Vec2, to: Vec2) -> f32 {
        self.free_of(from, to, 0..self.sides.len())
    }

    /// The part of the way before posts and some sides.
    fn free_of(&self, from: Vec2, to: Vec2, of: Range<usize>) -> f32 {
        let around = [from.min(to), from.max(to)];
        let before =
            |side: &WallSide| {
                if side.is_clear_of(around, side.reach) {
                    return 1.0;
                }
                let WallSide { ends: [a, b], reach } = *side;
                until_circle(from, to, a, reach)
                    .min(until_circle(from, to, b, reach))
                    .min(until_flank(from, to, [a, b], reach))
            };
        let mut free = 1.0f32;
        let Some(index) = &self.index else {
            free = self.sides[of].iter().map(before).fold(free, f32::min);
            let posts = self.posts.iter();
            return posts
                .map(|&(at, reach)| until_circle(from, to, at, reach))
                .fold(free, f32::min);
        };
        index.along(from, to, |sides, posts| {
            for &side in sides.iter().filter(|side| of.contains(&(**side as usize))) {
                free = free.min(before(&self.sides[side as usize]));
            }
            for &post in posts {
                let (at, reach) = self.posts[post as usize];
                free = free.min(until_circle(from, to, at, reach));
            }
        });
        free
    }

    /// What can touch the disc on its way from a place to another within a distance.
    pub(super) fn near(&self, place: Vec2, within: f32) -> Self {
        let is_side_near = |(_, side): &(usize, &WallSide)| {
            !side.is_clear_of([place; 2], side.reach + within)
                && nearest(place, side.ends).distance_squared(place) < (side.reach + within).powi(2)
        };
        let is_post_near =
            |(at, reach): &&(Vec2, f32)| at.distance_squared(place) < (reach + within).powi(2);
        let near = self.numbers_around(place, within);
        let (mut sides, mut rims, mut obstacles) = (Vec::new(), 0, 0);
        for (number, side) in self.sides_of(&near).filter(is_side_near) {
            sides.push(*side);
            rims += usize::from(number < self.rims);
            obstacles += usize::from(number < self.obstacles);
        }
        let posts = self.posts_of(&near).filter(is_post_near).copied().collect();
        let Self { clearance, low, high, .. } = *self;
        Self { clearance, sides, rims, obstacles, posts, low, high, index: None }
    }

    /// Numbers of the sides and posts that are within a distance of touching the disc, and of some more, where they are known.
    fn numbers_around(&self, place: Vec2, within: f32) -> Option<(Vec<u32>, Vec<u32>)> {
        self.index.as_ref().map(|index| index.around(place, within))
    }

    /// The sides of some numbers, or all, each with its number.
    fn sides_of<'a>(
        &'a self,
        numbers: &'a Option<(Vec<u32>, Vec<u32>)>,
    ) -> impl Iterator<Item = (usize, &'a WallSide)> {
        let known = numbers.as_ref().map(|(sides, _)| sides.iter().map(|&side| side as usize));
        let known = known.into_iter().flatten().map(|side| (side, &self.sides[side]));
        let all = numbers.is_none().then(|| self.sides.iter().enumerate());
        known.chain(all.into_iter().flatten())
    }

    /// The posts of some numbers, or all.
    fn posts_of<'a>(
        &'a self,
        numbers: &'a Option<(Vec<u32>, Vec<u32>)>,
    ) -> impl Iterator<Item = &'a (Vec2, f32)> {
        let known = numbers.as_ref().map(|(_, posts)| posts.iter().map(|&post| post as usize));
        let known = known.into_iter().flatten().map(|post| &self.posts[post]);
        let all = numbers.is_none().then_some(&self.posts);
        known.chain(all.into_iter().flatten())
    }

    /// The nearest place of every side and post that the disc has less than `room` to, and how far its middle keeps from
    /// that place.
    pub fn around(&self, place: Vec2, room: f32) -> impl Iterator<Item = (Vec2, f32)> {
        let sides = self.sides.iter().map(move |side| (nearest(place, side.ends), side.reach));
        let is_near =
            move |(at, reach): &(Vec2, f32)| at.distance_squared(place) < (reach + room).powi(2);
        sides.chain(self.posts.iter().copied()).filter(is_near)
    }

    /// Away from obstacles that are nearer than they must be by less than `room`: from the nearest, and from the nearest on
    /// another side.
    pub(super) fn push(&self, place: Vec2, room: f32) -> Vec2 {
        let stands = self.rims..self.obstacles;
        let is_near = |side: &&WallSide| !side.is_clear_of([place; 2], side.reach + room);
        let beside = |side: &WallSide| (nearest(place, side.ends), side.reach);
        match self.numbers_around(place, room) {
            Some((sides, posts)) => {
                let numbers = sides.iter().map(|&side| side as usize);
                let sides = numbers.filter(|side| stands.contains(side));
                let sides = sides.map(|side| &self.sides[side]).filter(is_near).map(beside);
                let posts = posts.iter().map(|&post| self.posts[post as usize]);
                push_off(place, room, sides.chain(posts))
            }
            None => {
                let sides = self.sides[stands.clone()].iter().filter(is_near).map(beside);
                push_off(place, room, sides.chain(self.posts.iter().copied()))
            }
        }
    }

    /// The nearest free place, or close to it: what is too near to something is pushed away from it, again and
    /// again. `None` if there is no room within a few metres.
    pub fn nearest_free(&self, place: Vec2) -> Option<Vec2> {
        let mut place = place;
        for _ in 0..PUSHES {
            if self.is_free(place) {
                return Some(place);
            }
            let is_obstacle = |index: usize| index >= self.rims;
            let side =
                self.sides.iter().enumerate().map(|(index, side)| {
                    (nearest(place, side.ends), side.reach, is_obstacle(index))
                });
            let side = side
                .min_by(|a, b| (a.0.distance(place) - a.1).total_cmp(&(b.0.distance(place) - b.1)));
            let on_ground = self.is_inside(0..self.rims, place);
            let inside = self.is_inside(self.rims..self.obstacles, place)
                || self.is_inside(self.obstacles..self.sides.len(), place);
            let post = self.posts.iter().find(|(at, reach)| at.distance(place) < *reach);
            place = match (post, side) {
                (Some(&(at, reach)), _) => at + (place - at).normalize_or(Vec2::X) * (reach + PUSH),
                (None, Some((at, reach, is_obstacle))) => {
                    // Off the ground and inside obstacles the way out leads through the side.
                    let wrong = if is_obstacle { inside } else { !on_ground };
                    let away = (place - at).normalize_or(Vec2::X) * if wrong { -1.0 } else { 1.0 };
                    at + away * (reach + PUSH)
                }
                (None, None) => return None,
            };
        }
        // Wedged between things: the nearest of places all around.
        (1..=RINGS).find_map(|ring| {
            let around = (0..AROUND).map(|turn| TAU * turn as f32 / AROUND as f32);
            let mut places = around.map(|turn| place + RING * ring as f32 * Vec2::from_angle(turn));
            places.find(|&place| self.is_free(place))
        })
    }

    /// True if an obstacle is in the straight way between two places, wherever the ground is.
    pub fn is_obstructed(&self, from: Vec2, to: Vec2) -> bool {
        let stands = self.rims..self.obstacles;
        self.free_of(from, to, stands.clone()) < 1.0 || self.is_inside(stands, from)
    }

    /// Whether a place is inside an odd number of the outlines that some sides make.
    fn is_inside(&self, sides: Range<usize>, place: Vec2) -> bool {
        let is_crossed = |side: &WallSide| {
            let [a, b] = side.ends;
            (a.y > place.y) != (b.y > place.y)
                && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y)
        };
        let crossed = match &self.index {
            Some(index) => {
                let own = index.crossing(place).iter().map(|&side| side as usize);
                own.filter(|side| sides.contains(side) && is_crossed(&self.sides[*side])).count()
            }
            None => self.sides[sides].iter().filter(|side| is_crossed(side)).count(),
        };
        crossed % 2 == 1
    }
}

/// Away from the nearest of some places, each with the distance that is kept from it, and from the nearest on another side.
fn push_off(place: Vec2, room: f32, near: impl Iterator<Item = (Vec2, f32)> + Clone) -> Vec2 {
    let pushes = near.filter_map(|(at, reach)| {
        let missing = reach + room - at.distance(place);
        (missing > 0.0).then(|| missing * (place - at).normalize_or_zero())
    });
    let mut found = [Vec2::ZERO; 2];
    for push in pushes.clone() {
        if push.length_squared() > found[0].length_squared() {
            found[0] = push;
        }
    }
    if found[0] == Vec2::ZERO {
        return Vec2::ZERO;
    }
    for push in pushes {
        if push.dot(found[0]) < 0.5 * push.length() * found[0].length()
            && push.length_squared() > found[1].length_squared()
        {
            found[1] = push;
        }
    }
    found[0] + found[1]
}

/// The part of the way before it enters a circle; a way that starts on the rim may leave.
fn until_circle(from: Vec2, to: Vec2, centre: Vec2, radius: f32) -> f32 {
    let way = to - from;
    let out = from - centre;
    let (a, b, c) = (way.length_squared(), way.dot(out), out.length_squared() - radius * radius);
    let root = b * b - a * c;
    if b >= 0.0 || root <= 0.0 {
        return 1.0;
    }
    // The smaller root, in the form that does not cancel when the circle is nearly touched.
    (c / (-b + root.sqrt())).clamp(0.0, 1.0)
}

/// The part of the way before it comes within `radius` of the line of a side, beside the side.
fn until_flank(from: Vec2, to: Vec2, [a, b]: [Vec2; 2], radius: f32) -> f32 {
    let along = b - a;
    let length = along.length();
    if length <= 0.0 {
        return 1.0;
    }
    let normal = along.perp() / length;
    let (start, end) = ((from - a).dot(normal), (to - a).dot(normal));
    // Towards the line, from whichever side the way starts on.
    let (start, end) = if start >= 0.0 { (start, end) } else { (-start, -end) };
    if end >= radius || end >= start {
        return 1.0;
    }
    let part = ((start - radius) / (start - end)).max(0.0);
    let beside = (from.lerp(to, part) - a).dot(along) / length;
    if (0.0..=length).contains(&beside) { part } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec2;
    use proptest::prelude::*;

    fn square(side: f32) -> Vec<Vec2> {
        vec![vec2(0.0, 0.0), vec2(side, 0.0), vec2(side, side), vec2(0.0, side)]
    }

    fn place() -> impl Strategy<Value = Vec2> {
        (-1.0f32..11.0, -1.0f32..11.0).prop_map(|(x, y)| vec2(x, y))
    }

    #[test]
    fn a_hole_in_the_ground_is_not_free() {
        let hole = vec![vec2(4.0, 4.0), vec2(6.0, 4.0), vec2(6.0, 6.0), vec2(4.0, 6.0)];
        let walls = WalkableFloor::new(&[square(10.0)], &[hole], &[]).unwrap().walls(0.5);
        assert!(!walls.is_free(vec2(5.0, 5.0)));
        assert!(!walls.is_free(vec2(3.6, 5.0)));
        assert!(walls.is_free(vec2(3.4, 5.0)));
        assert!(!walls.is_free(vec2(-5.0, 5.0)), "off the ground");
        assert!(!walls.edge_is_free(vec2(1.0, 5.0), vec2(9.0, 5.0)));
        assert!(walls.edge_is_free(vec2(1.0, 1.0), vec2(9.0, 1.0)));
    }

    proptest! {
        #[test]
        fn a_place_that_is_not_free_is_moved_to_one_that_is(place in place(), post in place()) {
            let hole = vec![vec2(4.0, 4.0), vec2(6.0, 4.0), vec2(6.0, 6.0), vec2(4.0, 6.0)];
            let walls = WalkableFloor::new(&[square(10.0)], &[hole], &[(post, 0.3)]).unwrap().walls(0.3);
            let moved = walls.nearest_free(place).unwrap();
            prop_assert!(walls.is_free(moved));
            prop_assert!(!walls.is_free(place) || moved == place);
            prop_assert!(moved.distance(place) < 3.0, "{place} to {moved}");
        }

        /// The oracle walks along the way in small steps and asks at each whether the disc fits.
        #[test]
        fn the_free_part_of_a_way_is_what_small_steps_find(
            from in place(), to in place(), corners in prop::collection::vec(place(), 3..6), post in place(),
        ) {
            let walls = WalkableFloor::new(&[square(10.0)], &[corners], &[(post, 0.5)]).unwrap().walls(0.4);
            prop_assume!(walls.is_free(from));
            let free = walls.free_fraction(from, to);
            let steps = 2000;
            let first = (0..=steps).map(|step| step as f32 / steps as f32)
                .find(|&part| !walls.is_free(from.lerp(to, part)))
                .unwrap_or(1.0);
            // A way may graze a wall between two of the oracle's steps: never later, hardly earlier.
            let way = from.distance(to);
            prop_assert!(free <= first + 2e-3, "{free} {first}");
            if free < first - 2e-3 {
                let touched = from.lerp(to, free);
                let clear = (0..64).map(|turn| touched + 2e-2 * Vec2::from_angle(turn as f32 * 0.1))
                    .any(|near| !walls.is_free(near));
                prop_assert!(clear, "stopped at {free} of {way} m in the open");
            }
        }
    }
}
