//! Where a disc fits between walls, exactly.

use super::Floor;
use glam::Vec2;

/// Walls a disc must keep clear of: the rim of a floor and the posts on it.
///
/// Free are the places on the floor whose distance from every wall is at least the disc's radius.
///
/// ```
/// use andante_plan::route::Floor;
/// use glam::vec2;
///
/// let room = vec![vec2(0.0, 0.0), vec2(4.0, 0.0), vec2(4.0, 4.0), vec2(0.0, 4.0)];
/// let walls = Floor::new(&[room], &[], &[(vec2(2.0, 2.0), 0.3)])?.walls(0.5);
/// assert!(walls.is_free(vec2(1.0, 1.0)));
/// assert!(!walls.is_free(vec2(0.2, 1.0)), "too close to the wall");
/// assert!(!walls.edge_is_free(vec2(1.0, 1.0), vec2(3.0, 3.0)), "the post is in the way");
/// # Ok::<(), andante_plan::route::FloorError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Walls {
    radius: f32,
    sides: Vec<[Vec2; 2]>,
    posts: Vec<(Vec2, f32)>,
    low: Vec2,
    high: Vec2,
}

impl Walls {
    pub(super) fn new(radius: f32, floor: &Floor) -> Self {
        let outlines: Vec<Vec<Vec2>> = floor.outlines().collect();
        let side =
            |outline: &[Vec2], index: usize| [outline[index], outline[(index + 1) % outline.len()]];
        let sides = outlines
            .iter()
            .flat_map(|outline| (0..outline.len()).map(|index| side(outline, index)));
        let corners = || outlines.iter().flatten().copied();
        Self {
            radius,
            sides: sides.collect(),
            posts: floor.posts().iter().map(|&(at, own)| (at, own + radius)).collect(),
            low: corners().reduce(Vec2::min).unwrap_or_default(),
            high: corners().reduce(Vec2::max).unwrap_or_default(),
        }
    }

    /// Radius of the disc.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The corners of the smallest box around all walls.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        (self.low, self.high)
    }

    /// Whether the disc fits here.
    pub fn is_free(&self, place: Vec2) -> bool {
        place.is_finite()
            && self.posts.iter().all(|&(post, reach)| post.distance_squared(place) >= reach * reach)
            && self
                .sides
                .iter()
                .all(|&side| distance_squared(place, side) >= self.radius * self.radius)
            && self.is_on_ground(place)
    }

    /// Whether the disc may go straight from a free place to another place.
    pub fn edge_is_free(&self, from: Vec2, to: Vec2) -> bool {
        self.free_fraction(from, to) >= 1.0
    }

    /// How much of the straight way from a free place the disc can go, 0 to 1.
    pub fn free_fraction(&self, from: Vec2, to: Vec2) -> f32 {
        let (low, high) = (from.min(to) - self.radius, from.max(to) + self.radius);
        let mut free = 1.0f32;
        for &[a, b] in &self.sides {
            // A side whose box is clear of the way's box is clear of the way.
            if a.min(b).cmpgt(high).any() || a.max(b).cmplt(low).any() {
                continue;
            }
            free = free.min(until_circle(from, to, a, self.radius));
            free = free.min(until_circle(from, to, b, self.radius));
            free = free.min(until_flank(from, to, [a, b], self.radius));
        }
        for &(post, reach) in &self.posts {
            free = free.min(until_circle(from, to, post, reach));
        }
        free
    }

    fn is_on_ground(&self, place: Vec2) -> bool {
        let crossed = self.sides.iter().filter(|[a, b]| {
            (a.y > place.y) != (b.y > place.y)
                && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y)
        });
        crossed.count() % 2 == 1
    }
}

fn distance_squared(place: Vec2, [a, b]: [Vec2; 2]) -> f32 {
    let along = b - a;
    let square = along.length_squared();
    let part = if square > 0.0 { ((place - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (a + part * along).distance_squared(place)
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
        let walls = Floor::new(&[square(10.0)], &[hole], &[]).unwrap().walls(0.5);
        assert!(!walls.is_free(vec2(5.0, 5.0)));
        assert!(!walls.is_free(vec2(3.6, 5.0)));
        assert!(walls.is_free(vec2(3.4, 5.0)));
        assert!(!walls.is_free(vec2(-5.0, 5.0)), "off the ground");
        assert!(!walls.edge_is_free(vec2(1.0, 5.0), vec2(9.0, 5.0)));
        assert!(walls.edge_is_free(vec2(1.0, 1.0), vec2(9.0, 1.0)));
    }

    proptest! {
        /// The oracle walks along the way in small steps and asks at each whether the disc fits.
        #[test]
        fn the_free_part_of_a_way_is_what_small_steps_find(
            from in place(), to in place(), corners in prop::collection::vec(place(), 3..6), post in place(),
        ) {
            let walls = Floor::new(&[square(10.0)], &[corners], &[(post, 0.5)]).unwrap().walls(0.4);
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
