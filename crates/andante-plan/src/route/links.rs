//! Places where a gap can be crossed.

use super::floor::kept;
use super::{JumpRange, LinkSettings, Places};
use glam::Vec2;
use std::collections::HashMap;

/// The mesh keeps no more than this away from rims in addition, in metres.
const BEYOND: f32 = 0.02;

/// The way in which a gap or a seam is crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossing {
    /// In the stride, as from stone to stone.
    Stride,
    /// By a jump, from run to run.
    Jump,
    /// On foot, anywhere between these two places: one level leads over into another.
    Seam([Vec2; 2]),
}

/// One crossing that can be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JumpLink {
    /// How.
    pub crossing: Crossing,
    /// The last footprint before the gap.
    pub from: Vec2,
    /// The first footprint after it.
    pub to: Vec2,
    /// Level and island it starts on.
    pub start: (usize, usize),
    /// Level and island it lands on.
    pub end: (usize, usize),
    /// How much higher it lands.
    pub rise: f32,
    /// Where the straight run before it begins.
    pub run_up: Vec2,
    /// Where the straight run after it ends.
    pub run_out: Vec2,
}

impl JumpLink {
    /// Direction of the crossing.
    pub fn direction(&self) -> Vec2 {
        (self.to - self.from).normalize_or_zero()
    }

    /// From the beginning of the run-up to the end of the run-out.
    pub fn length(&self) -> f32 {
        self.run_up.distance(self.run_out)
    }
}

/// A side of an island, with what is outside it.
struct Rim {
    home: (usize, usize),
    ends: [Vec2; 2],
    out: Vec2,
}

/// Crossings between the rims of a world's islands that are within reach and face each other, with straight ground for the run-up and behind the landing.
pub fn links(
    places: &Places,
    crossing: Crossing,
    leap: &JumpRange,
    settings: &LinkSettings,
) -> Vec<JumpLink> {
    let rims = SortedRims::new(rims(places), leap.reach[1]);
    let mut links = Vec::new();
    for rim in &rims.all {
        let [a, b] = rim.ends;
        let count = (a.distance(b) / settings.spacing).ceil().clamp(1.0, 1000.0) as usize;
        for part in 0..count {
            let from = a.lerp(b, (part as f32 + 0.5) / count as f32);
            let near = rims.near(from);
            links.extend(link(places, crossing, leap, &near, rim, from, settings.square));
        }
    }
    links
}

/// Width of the narrowest gap between two sets of islands, from ground to ground, in metres.
pub(super) fn narrowest_gap(
    places: &Places,
    near: impl Fn((usize, usize)) -> bool,
    far: impl Fn((usize, usize)) -> bool,
) -> Option<f32> {
    let rims = rims(places);
    let rim_of = |rim: &Rim| kept(places.walls(rim.home.0).clearance().rim);
    let from = rims.iter().filter(|rim| near(rim.home));
    let widths = from.flat_map(|a| {
        let others = rims.iter().filter(|rim| far(rim.home));
        others.map(move |b| {
            let ends = a.ends.map(|end| nearest(end, b.ends).distance(end)).into_iter();
            let width = ends.chain(b.ends.map(|end| nearest(end, a.ends).distance(end)));
            width.fold(f32::MAX, f32::min) - rim_of(a) - rim_of(b)
        })
    });
    widths.map(|width| width.max(0.0)).reduce(f32::min)
}

/// Rims by the squares of the plane they are in, which are as large as a leap.
struct SortedRims {
    all: Vec<Rim>,
    side: f32,
    squares: HashMap<[i32; 2], Vec<usize>>,
}

impl SortedRims {
    fn new(all: Vec<Rim>, reach: f32) -> Self {
        let mut own = Self { all, side: reach.max(0.5), squares: HashMap::new() };
        for (number, rim) in own.all.iter().enumerate() {
            let [a, b] = rim.ends;
            let ([left, near], [right, far]) = (own.square(a.min(b)), own.square(a.max(b)));
            for x in left..=right {
                for z in near..=far {
                    own.squares.entry([x, z]).or_default().push(number);
                }
            }
        }
        own
    }

    fn square(&self, place: Vec2) -> [i32; 2] {
        let at = (place / self.side).floor();
        [at.x as i32, at.y as i32]
    }

    /// Rims within a leap of a place, in order.
    fn near(&self, place: Vec2) -> Vec<&Rim> {
        let [x, z] = self.square(place);
        let around = (x - 1..=x + 1).flat_map(|x| (z - 1..=z + 1).map(move |z| [x, z]));
        let mut numbers: Vec<usize> =
            around.filter_map(|square| self.squares.get(&square)).flatten().copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().map(|number| &self.all[number]).collect()
    }
}

/// Sides of islands where the ground ends. Where an obstacle is in the way there is no gap to cross.
fn rims(places: &Places) -> Vec<Rim> {
    let mut rims = Vec::new();
    for (level, of) in places.levels().iter().enumerate() {
        for island in 0..of.mesh.islands() {
            for corners in of.mesh.rims(island) {
                for index in 0..corners.len() {
                    let ends = [corners[index], corners[(index + 1) % corners.len()]];
                    let out = -(ends[1] - ends[0]).perp().normalize_or_zero();
                    // Also where ground goes on that is too narrow to be walked on.
                    if of.mesh.walls().is_at_rim(ends[0].midpoint(ends[1]), BEYOND) {
                        rims.push(Rim { home: (level, island), ends, out });
                    }
                }
            }
        }
    }
    rims
}

/// The shortest crossing from a place of a rim onto another rim that faces it.
fn link(
    places: &Places,
    crossing: Crossing,
    leap: &JumpRange,
    rims: &[&Rim],
    rim: &Rim,
    from: Vec2,
    square: f32,
) -> Option<JumpLink> {
    let [least, most] = leap.reach;
    let faces = |other: &Rim| {
        let way = nearest(from, other.ends) - from;
        let gap = way.length();
        let direction = way / gap.max(1e-6);
        let square_on = direction.dot(rim.out) >= square && -direction.dot(other.out) >= square;
        (gap > 1e-3 && gap <= most && square_on).then_some((gap, direction))
    };
    let facing = rims.iter().filter_map(|&other| Some((faces(other)?, other)));
    let ((gap, direction), other) = facing.min_by(|a, b| a.0.0.total_cmp(&b.0.0))?;
    // Nothing else may come first.
    if rims
        .iter()
        .filter_map(|rim| meet(from, direction, rim.ends))
        .any(|at| at > 1e-3 && at < gap - 1e-3)
    {
        return None;
    }
    // A gap narrower than the shortest jump is jumped from further back, and landed beyond.
    let spare = 0.5 * (least - gap).max(0.0);
    let (start, end) = (from - spare * direction, from + (gap + spare) * direction);
    let (walls, beyond) = (places.walls(rim.home.0), places.walls(other.home.0));
    let inside = 1e-3 * direction;
    let height = places.height(rim.home.0, start - inside)?;
    let rise = places.height(other.home.0, end + inside)? - height;
    let (run_up, run_out) = (start - leap.run_up * direction, end + leap.run_out * direction);
    // Who jumps may come down twice as far; a stride leads down no farther than up.
    let drop = if crossing == Crossing::Jump { 2.0 * leap.rise } else { leap.rise };
    let fits = rise <= leap.rise
        && rise >= -drop
        && walls.is_free(start - inside)
        && beyond.is_free(end + inside)
        && walls.edge_is_free(start - inside, run_up)
        && beyond.edge_is_free(end + inside, run_out)
        && !walls.is_obstructed(start, end)
        && !beyond.is_obstructed(start, end);
    fits.then_some(JumpLink {
        crossing,
        from: start,
        to: end,
        start: rim.home,
        end: other.home,
        rise,
        run_up,
        run_out,
    })
}

/// The place of a side that is nearest.
pub(super) fn nearest(place: Vec2, [a, b]: [Vec2; 2]) -> Vec2 {
    let part = (place - a).dot(b - a) / (b - a).length_squared().max(1e-12);
    a.lerp(b, part.clamp(0.0, 1.0))
}

/// How far along a ray a side is met.
fn meet(from: Vec2, direction: Vec2, [a, b]: [Vec2; 2]) -> Option<f32> {
    let side = b - a;
    let across = direction.perp_dot(side);
    if across.abs() < 1e-9 {
        return None;
    }
    let (distance, part) =
        ((a - from).perp_dot(side) / across, (a - from).perp_dot(direction) / across);
    (distance >= 0.0 && (0.0..=1.0).contains(&part)).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::NavAgent;
    use andante_world::{GroundPatch, Obstacle, ObstacleShape, Platform};
    use glam::{Vec3, vec2};

    const JUMP: JumpRange = JumpRange { reach: [1.2, 2.6], rise: 0.3, run_up: 2.0, run_out: 1.5 };

    fn slab(x: [f32; 2], z: [f32; 2], height: f32) -> GroundPatch {
        let outline = vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])];
        Platform::level("slab", outline, height).into()
    }

    fn links(gap: f32, rise: f32, obstacles: &[Obstacle]) -> Vec<JumpLink> {
        let platforms =
            [slab([0.0, 4.0], [0.0, 6.0], 0.0), slab([0.0, 4.0], [6.0 + gap, 12.0 + gap], rise)];
        let places = Places::new(&platforms, obstacles, &NavAgent::person(1.75)).unwrap();
        super::links(&places, Crossing::Jump, &JUMP, &LinkSettings::default())
    }

    #[test]
    fn a_gap_within_reach_is_jumped_both_ways_and_a_wider_one_is_not() {
        let found = links(1.8, 0.0, &[]);
        assert!(found.iter().any(|link| link.direction().y > 0.99));
        assert!(found.iter().any(|link| link.direction().y < -0.99));
        for link in &found {
            let reach = link.from.distance(link.to);
            assert!((JUMP.reach[0] - 1e-4..=JUMP.reach[1] + 1e-4).contains(&reach), "{reach}");
        }
        assert!(links(2.5, 0.0, &[]).is_empty());
    }

    #[test]
    fn a_narrow_gap_is_jumped_with_the_shortest_jump_from_its_middle() {
        let found = links(0.5, 0.0, &[]);
        let link = found.iter().find(|link| link.direction().y > 0.99).unwrap();
        assert!((link.from.distance(link.to) - JUMP.reach[0]).abs() < 1e-3);
        assert!((link.from.midpoint(link.to).y - 6.25).abs() < 1e-3);
    }

    #[test]
    fn a_stride_leads_down_no_farther_than_up() {
        let person = NavAgent::person(1.75);
        let leap = person.stride.unwrap();
        let beside = |rise: f32| {
            let flights = [slab([0.0, 1.4], [0.0, 3.0], 0.0), slab([1.7, 3.1], [0.0, 3.0], rise)];
            let places = Places::new(&flights, &[], &person).unwrap();
            super::links(&places, Crossing::Stride, &leap, &LinkSettings::default()).len()
        };
        assert!(beside(0.2) > 0 && beside(-0.2) > 0);
        assert_eq!(beside(0.4) + beside(-0.4), 0, "0.4 m are no stride, whichever way");
    }

    #[test]
    fn jumps_onto_a_high_platform_or_through_a_wall_are_not_offered() {
        assert!(links(1.5, 1.0, &[]).iter().all(|link| link.rise < 0.0));
        assert!(links(1.5, 0.25, &[]).iter().any(|link| link.rise > 0.2));
        let wall = Obstacle {
            name: "wall".into(),
            shape: ObstacleShape::Box(Vec3::new(6.0, 3.0, 0.2)),
            at: Vec3::new(2.0, 0.0, 5.95),
            heading: 0.0,
        };
        assert!(links(1.5, 0.0, &[wall]).is_empty());
    }
}
