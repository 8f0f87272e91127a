//! Where a character can be in a world, and how one place leads to another.

use super::floor::Detail;
use super::{FloorError, NavAgent, Navmesh, NoRoute, WalkableFloor, Walls};
use andante_world::{Obstacle, ObstacleOutline, Platform};
use geo::MultiPolygon;
use glam::Vec2;

/// Platforms whose rims are this close touch, in metres.
const TOUCH: f32 = 0.02;

/// Distance between the places of a rim where neighbours are looked for, in metres.
const SPACING: f32 = 0.1;

/// A world as one character sees it.
///
/// Platforms that can be stepped between form a level; each level has a floor, its obstacles and a mesh. Levels may
/// lie above each other, as a bridge lies above a road.
#[derive(Clone, Debug)]
pub struct Places {
    platforms: Vec<Platform>,
    levels: Vec<WalkableLevel>,
}

/// Ground that can be walked without a jump, obstacles aside.
#[derive(Clone, Debug)]
pub struct WalkableLevel {
    /// Its platforms, as numbers of the world's.
    pub platforms: Vec<usize>,
    /// Seen from above.
    pub floor: WalkableFloor,
    /// The ways on it.
    pub mesh: Navmesh,
    /// Obstacles the character must duck under, as numbers of the world's.
    pub low: Vec<usize>,
    /// Obstacles that are gone round, as numbers of the world's.
    pub blocking: Vec<usize>,
    /// Where it is far enough from rims, whatever stands there.
    open: MultiPolygon<f32>,
}

impl Places {
    /// What these platforms and obstacles leave for a character.
    pub fn new(
        platforms: &[Platform],
        obstacles: &[Obstacle],
        walker: &NavAgent,
    ) -> Result<Self, FloorError> {
        // Each outline is looked at on its own first, so that an error names the right one.
        let outlines: Vec<Vec<Vec2>> =
            platforms.iter().map(|platform| platform.outline.clone()).collect();
        WalkableFloor::new(&outlines, &[], &[])?;
        let levels = levels_of(platforms, walker.step).into_iter().map(|members| {
            let outlines: Vec<_> =
                members.iter().map(|&index| platforms[index].outline.clone()).collect();
            let ground = WalkableFloor::new(&outlines, &[], &[])?;
            let base = Base { open: ground.open(walker.clearance), ground };
            level(platforms, members, base, obstacles, walker, Detail::Lasting)
        });
        let levels = levels.collect::<Result<_, _>>()?;
        Ok(Self { platforms: platforms.to_vec(), levels })
    }

    /// The same platforms with other obstacles on them, for a character that steps as high and keeps as far from rims.
    pub(super) fn with_obstacles(
        &self,
        obstacles: &[Obstacle],
        walker: &NavAgent,
        detail: Detail,
    ) -> Result<Self, FloorError> {
        let levels = self.levels.iter().map(|before| {
            let base = Base { ground: before.floor.clone(), open: before.open.clone() };
            level(&self.platforms, before.platforms.clone(), base, obstacles, walker, detail)
        });
        let levels = levels.collect::<Result<_, _>>()?;
        Ok(Self { platforms: self.platforms.clone(), levels })
    }

    /// The levels.
    pub fn levels(&self) -> &[WalkableLevel] {
        &self.levels
    }

    /// The level a character stands on at a place: the highest there, or the highest not above `height`.
    pub fn level_at(&self, place: Vec2, height: Option<f32>) -> Option<usize> {
        let surface = |level: &WalkableLevel| {
            let here = level.platforms.iter().map(|&index| &self.platforms[index]);
            here.filter(|platform| platform.contains(place))
                .map(|platform| platform.height_at(place))
                .filter(|own| height.is_none_or(|height| *own <= height + TOUCH))
                .reduce(f32::max)
        };
        let heights =
            (0..self.levels.len()).filter_map(|index| Some((surface(&self.levels[index])?, index)));
        heights.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, index)| index)
    }

    /// Height of a level's ground.
    pub fn height(&self, level: usize, place: Vec2) -> Option<f32> {
        let here = self.levels[level].platforms.iter().map(|&index| &self.platforms[index]);
        here.filter(|platform| platform.contains(place))
            .map(|platform| platform.height_at(place))
            .reduce(f32::max)
    }

    /// The exact test of where the character fits on a level.
    pub fn walls(&self, level: usize) -> &Walls {
        self.levels[level].mesh.walls()
    }

    /// The shortest way on one level.
    pub fn walk(&self, level: usize, start: Vec2, goal: Vec2) -> Result<Vec<Vec2>, NoRoute> {
        self.levels[level].mesh.find(start, goal)
    }
}

/// What does not change with the obstacles on a level.
struct Base {
    ground: WalkableFloor,
    open: MultiPolygon<f32>,
}

fn level(
    platforms: &[Platform],
    members: Vec<usize>,
    Base { ground, open }: Base,
    obstacles: &[Obstacle],
    walker: &NavAgent,
    detail: Detail,
) -> Result<WalkableLevel, FloorError> {
    let (mut blocked, mut posts) = (Vec::new(), Vec::new());
    let (mut low, mut blocking) = (Vec::new(), Vec::new());
    for (index, obstacle) in obstacles.iter().enumerate() {
        let footprint = obstacle.footprint();
        let Some(ground) = ground_under(platforms, &members, &footprint) else { continue };
        let (over, under) = (obstacle.bottom() - ground[1], obstacle.top() - ground[0]);
        if over >= walker.height || under <= walker.step {
            continue;
        }
        if over >= walker.ducked {
            low.push(index);
            continue;
        }
        blocking.push(index);
        match footprint {
            ObstacleOutline::Outline(outline) => blocked.push(outline),
            ObstacleOutline::Disc { at, radius } => posts.push((at, radius)),
        }
    }
    let floor = ground.with(&blocked, &posts)?;
    let mesh = floor.navmesh_within(walker.clearance, &open, detail);
    Ok(WalkableLevel { platforms: members, floor, mesh, low, blocking, open })
}

/// Lowest and highest ground below an obstacle, if there is any.
fn ground_under(
    platforms: &[Platform],
    members: &[usize],
    footprint: &ObstacleOutline,
) -> Option<[f32; 2]> {
    let (middle, rim): (Vec2, Vec<Vec2>) = match footprint {
        ObstacleOutline::Disc { at, radius } => (
            *at,
            (0..16)
                .map(|turn| {
                    at + radius * Vec2::from_angle(turn as f32 * std::f32::consts::TAU / 16.0)
                })
                .collect(),
        ),
        ObstacleOutline::Outline(corners) => {
            let middle = corners.iter().sum::<Vec2>() / corners.len() as f32;
            (middle, along(corners, 4.0 * SPACING).collect())
        }
    };
    let places: Vec<Vec2> = rim
        .iter()
        .map(|&place| place.midpoint(middle))
        .chain([middle])
        .chain(rim.iter().copied())
        .collect();
    let heights = members.iter().map(|&index| &platforms[index]).flat_map(|platform| {
        let on = places.iter().filter(|&&place| platform.contains(place));
        on.map(|&place| platform.height_at(place))
    });
    heights.fold(None, |range, height| match range {
        None => Some([height, height]),
        Some([low, high]) => Some([height.min(low), height.max(high)]),
    })
}

/// Groups of platforms between which a step leads.
fn levels_of(platforms: &[Platform], step: f32) -> Vec<Vec<usize>> {
    let mut level: Vec<usize> = (0..platforms.len()).collect();
    for a in 0..platforms.len() {
        for b in 0..platforms.len() {
            if level[a] != level[b] && leads_to(&platforms[a], &platforms[b], step) {
                let (kept, merged) = (level[a].min(level[b]), level[a].max(level[b]));
                level.iter_mut().filter(|own| **own == merged).for_each(|own| *own = kept);
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for first in 0..platforms.len() {
        let members: Vec<usize> =
            (0..platforms.len()).filter(|&index| level[index] == first).collect();
        if !members.is_empty() {
            groups.push(members);
        }
    }
    groups
}

/// Whether somewhere along the rim of `a` a step leads onto `b`.
fn leads_to(a: &Platform, b: &Platform, step: f32) -> bool {
    along(&a.outline, SPACING).any(|place| {
        let near = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].map(|side| place + TOUCH * side);
        near.iter()
            .any(|&near| b.contains(near) && (b.height_at(near) - a.height_at(place)).abs() <= step)
    })
}

/// Places along an outline.
fn along(outline: &[Vec2], spacing: f32) -> impl Iterator<Item = Vec2> {
    (0..outline.len()).flat_map(move |index| {
        let (from, to) = (outline[index], outline[(index + 1) % outline.len()]);
        let count = (from.distance(to) / spacing).ceil().clamp(1.0, 10_000.0) as usize;
        (0..count).map(move |part| from.lerp(to, (part as f32 + 0.5) / count as f32))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::ObstacleShape;
    use glam::{Vec3, vec2};

    fn slab(x: [f32; 2], z: [f32; 2]) -> Vec<Vec2> {
        vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])]
    }

    fn crate_at(at: Vec3, size: Vec3) -> Obstacle {
        Obstacle { name: "crate".into(), shape: ObstacleShape::Box(size), at, heading: 0.0 }
    }

    #[test]
    fn steps_lead_from_platform_to_platform_and_cliffs_do_not() {
        let stairs: Vec<_> = (0..5)
            .map(|step| {
                Platform::level(
                    "step",
                    slab([0.0, 2.0], [step as f32, step as f32 + 1.0]),
                    0.17 * step as f32,
                )
            })
            .collect();
        let person = NavAgent::person(1.75);
        assert_eq!(Places::new(&stairs, &[], &person).unwrap().levels().len(), 1);
        let cliff = [
            Platform::level("low", slab([0.0, 2.0], [0.0, 2.0]), 0.0),
            Platform::level("high", slab([0.0, 2.0], [2.0, 4.0]), 3.0),
        ];
        assert_eq!(Places::new(&cliff, &[], &person).unwrap().levels().len(), 2);
    }

    #[test]
    fn a_bridge_and_the_road_below_it_are_two_levels() {
        let road = Platform::level("road", slab([-10.0, 10.0], [-2.0, 2.0]), 0.0);
        let bridge = Platform::level("bridge", slab([-1.0, 1.0], [-10.0, 10.0]), 4.0);
        let pillar = crate_at(Vec3::new(5.0, 0.0, 0.0), Vec3::new(1.0, 2.0, 6.0));
        let places = Places::new(&[road, bridge], &[pillar], &NavAgent::person(1.75)).unwrap();
        let (below, above) = (
            places.level_at(Vec2::ZERO, Some(0.5)).unwrap(),
            places.level_at(Vec2::ZERO, None).unwrap(),
        );
        assert_ne!(below, above);
        assert_eq!(
            (places.height(below, Vec2::ZERO), places.height(above, Vec2::ZERO)),
            (Some(0.0), Some(4.0))
        );
        assert!(places.walk(above, vec2(0.0, -9.0), vec2(0.0, 9.0)).is_ok());
        assert!(
            places.walk(below, vec2(-9.0, 0.0), vec2(9.0, 0.0)).is_err(),
            "the pillar spans the road"
        );
    }

    #[test]
    fn what_hangs_high_is_passed_what_hangs_low_is_ducked_and_what_hangs_lower_blocks() {
        let ground = [Platform::level("ground", slab([0.0, 4.0], [0.0, 10.0]), 0.0)];
        let bar = |height: f32| crate_at(Vec3::new(2.0, height, 5.0), Vec3::new(6.0, 0.1, 0.1));
        let person = NavAgent::person(1.75);
        let try_bar = |height: f32| {
            let places = Places::new(&ground, &[bar(height)], &person).unwrap();
            (places.walk(0, vec2(2.0, 1.0), vec2(2.0, 9.0)).is_ok(), places.levels()[0].low.len())
        };
        assert_eq!(try_bar(1.8), (true, 0));
        assert_eq!(try_bar(1.5), (true, 1));
        assert_eq!(try_bar(1.0), (false, 0));
        assert_eq!(try_bar(0.1), (true, 0), "stepped over");
    }
}
