//! Where a character can be in a world, and how one place leads to another.

use super::facet::{Facet, facets};
use super::floor::Detail;
use super::level_mesh::{SteepPiece, steep_pieces};
use super::sheet::{FloorSheet, SheetSeam, sheets};
use super::{FloorError, NavAgent, Navmesh, NoRoute, WalkableFloor, Walls};
use andante_world::{GroundPatch, Obstacle, ObstacleOutline};
use geo::MultiPolygon;
use glam::Vec2;
use std::sync::Arc;

/// Ground that is this much above a height is at it, in metres.
const TOUCH: f32 = 0.02;

/// Distance between the places of a rim where ground is looked for, in metres.
const SPACING: f32 = 0.4;

/// A world as one character sees it.
///
/// Ground between which steps lead is a level, as far as none of it lies above another part of it; each level has a floor,
/// its obstacles and a mesh. Levels may lie above each other, as a bridge lies above a road, and lead over into each other
/// at seams, as storeys do on a flight of stairs.
#[derive(Clone, Debug)]
pub struct Places {
    ground: Arc<PlacesGround>,
    levels: Vec<WalkableLevel>,
}

/// What does not change with obstacles.
#[derive(Debug)]
struct PlacesGround {
    facets: Vec<Facet>,
    seams: Vec<SheetSeam>,
    steep: Vec<SteepPiece>,
    height: f32,
}

/// Ground that can be walked without a jump, obstacles aside.
#[derive(Clone, Debug)]
pub struct WalkableLevel {
    /// Its patches of ground, as numbers of the world's.
    pub patches: Vec<usize>,
    /// Seen from above, with what borders on it at seams.
    pub floor: WalkableFloor,
    /// The ways on it.
    pub mesh: Navmesh,
    /// Obstacles the character must duck under, as numbers of the world's.
    pub low: Vec<usize>,
    /// Obstacles that are gone round, as numbers of the world's.
    pub blocking: Vec<usize>,
    /// Its facets.
    facets: Arc<[usize]>,
    /// Where it is far enough from rims, whatever stands there.
    open: MultiPolygon<f32>,
}

impl Places {
    /// The room that this ground and these obstacles leave for a character.
    pub fn new(
        ground: &[GroundPatch],
        obstacles: &[Obstacle],
        walker: &NavAgent,
    ) -> Result<Self, FloorError> {
        // Each outline is looked at on its own first, so that an error names the right one.
        super::floor::check(ground.iter().map(|patch| &patch.platform.outline[..]))?;
        let facets = facets(ground, walker);
        let (sheets, seams) = sheets(&facets);
        let steep = steep_pieces(ground, walker);
        let ground = PlacesGround { facets, seams, steep, height: walker.height };
        let levels = sheets.into_iter().map(|sheet| {
            let floor = sheet.floor(&ground.facets, walker)?;
            let base = Base { open: floor.open(walker.clearance), floor, sheet };
            level(&ground, base, obstacles, walker, Detail::Lasting)
        });
        let levels = levels.collect::<Result<_, _>>()?;
        Ok(Self { ground: Arc::new(ground), levels })
    }

    /// The same ground with other obstacles on it, for a character that steps as high and keeps as far from rims.
    pub(super) fn with_obstacles(
        &self,
        obstacles: &[Obstacle],
        walker: &NavAgent,
        detail: Detail,
    ) -> Result<Self, FloorError> {
        let levels = self.levels.iter().map(|before| {
            let sheet = FloorSheet { facets: Arc::clone(&before.facets), collars: Vec::new() };
            let base = Base { floor: before.floor.clone(), open: before.open.clone(), sheet };
            level(&self.ground, base, obstacles, walker, detail)
        });
        let levels = levels.collect::<Result<_, _>>()?;
        Ok(Self { ground: Arc::clone(&self.ground), levels })
    }

    /// The levels.
    pub fn levels(&self) -> &[WalkableLevel] {
        &self.levels
    }

    /// Where levels lead over into each other.
    pub(super) fn seams(&self) -> &[SheetSeam] {
        &self.ground.seams
    }

    /// The level a character stands on at a place: the highest there, or the highest not above `height`.
    pub fn level_at(&self, place: Vec2, height: Option<f32>) -> Option<usize> {
        // Nobody stands where there is no room for the head.
        let stands = |own: f32| {
            let over = |facet: &Facet| {
                let rise = facet.height_at(place) - own;
                rise > TOUCH && rise < self.ground.height
            };
            let mut here = self.ground.facets.iter().filter(|facet| facet.contains(place));
            height.is_none_or(|height| own <= height + TOUCH) && !here.any(over)
        };
        let levels = (0..self.levels.len()).filter_map(|index| {
            Some((self.height(index, place).filter(|own| stands(*own))?, index))
        });
        levels.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, index)| index)
    }

    /// Height of a level's ground.
    pub fn height(&self, level: usize, place: Vec2) -> Option<f32> {
        let here = self.levels[level].facets.iter().map(|&index| &self.ground.facets[index]);
        here.filter(|facet| facet.contains(place))
            .map(|facet| facet.height_at(place))
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
    sheet: FloorSheet,
    floor: WalkableFloor,
    open: MultiPolygon<f32>,
}

fn level(
    PlacesGround { facets, steep, .. }: &PlacesGround,
    Base { sheet, floor, open }: Base,
    obstacles: &[Obstacle],
    walker: &NavAgent,
    detail: Detail,
) -> Result<WalkableLevel, FloorError> {
    let members = sheet.facets;
    let (mut blocked, mut posts) = (Vec::new(), Vec::new());
    let (mut low, mut blocking) = (Vec::new(), Vec::new());
    for (index, obstacle) in obstacles.iter().enumerate() {
        let footprint = obstacle.footprint();
        let Some(ground) = ground_under(facets, &members, &footprint) else { continue };
        let (over, under) = (obstacle.bottom() - ground[1], obstacle.top() - ground[0]);
        // What is ground itself, as low things are that one can stand on, is no obstacle.
        if over >= walker.height || under <= TOUCH {
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
    for piece in steep {
        let footprint = ObstacleOutline::Outline(piece.outline.clone());
        let Some(ground) = ground_under(facets, &members, &footprint) else { continue };
        if piece.bottom - ground[1] < walker.height && piece.top - ground[0] > walker.step {
            blocked.push(piece.outline.clone());
        }
    }
    let floor = floor.with(&blocked, &posts)?;
    let mesh = floor.navmesh_within(walker.clearance, &open, detail);
    let mut patches: Vec<usize> = members.iter().map(|&index| facets[index].patch).collect();
    patches.dedup();
    Ok(WalkableLevel { patches, floor, mesh, low, blocking, facets: members, open })
}

/// Lowest and highest ground below an obstacle, if there is any.
fn ground_under(
    facets: &[Facet],
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
            (middle, along(corners, SPACING).collect())
        }
    };
    // Not on the rim itself: what stands on ground of its own form is on nothing else.
    let places: Vec<Vec2> = rim
        .iter()
        .map(|&place| place.midpoint(middle))
        .chain([middle])
        .chain(rim.iter().map(|place| place.lerp(middle, 0.01)))
        .collect();
    let low = places.iter().copied().fold(Vec2::INFINITY, Vec2::min);
    let high = places.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
    let near = members.iter().map(|&index| &facets[index]);
    let near = near.filter(|facet| facet.low.cmple(high).all() && facet.high.cmpge(low).all());
    let near: Vec<&Facet> = near.collect();
    let heights = places.iter().filter_map(|&place| {
        let here = near.iter().filter(|facet| facet.contains(place));
        here.map(|facet| facet.height_at(place)).reduce(f32::max)
    });
    heights.fold(None, |range, height| match range {
        None => Some([height, height]),
        Some([low, high]) => Some([height.min(low), height.max(high)]),
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
    use andante_world::{ObstacleShape, Platform};
    use glam::{Vec3, vec2};

    fn slab(x: [f32; 2], z: [f32; 2]) -> Vec<Vec2> {
        vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])]
    }

    fn crate_at(at: Vec3, size: Vec3) -> Obstacle {
        Obstacle { name: "crate".into(), shape: ObstacleShape::Box(size), at, heading: 0.0 }
    }

    #[test]
    fn steps_lead_from_platform_to_platform_and_cliffs_do_not() {
        let stairs: Vec<GroundPatch> = (0..5)
            .map(|step| {
                Platform::level(
                    "step",
                    slab([0.0, 2.0], [step as f32, step as f32 + 1.0]),
                    0.17 * step as f32,
                )
                .into()
            })
            .collect();
        let person = NavAgent::person(1.75);
        assert_eq!(Places::new(&stairs, &[], &person).unwrap().levels().len(), 1);
        let cliff = [
            Platform::level("low", slab([0.0, 2.0], [0.0, 2.0]), 0.0),
            Platform::level("high", slab([0.0, 2.0], [2.0, 4.0]), 3.0),
        ]
        .map(GroundPatch::from);
        assert_eq!(Places::new(&cliff, &[], &person).unwrap().levels().len(), 2);
    }

    #[test]
    fn a_bridge_and_the_road_below_it_are_two_levels() {
        let road = Platform::level("road", slab([-10.0, 10.0], [-2.0, 2.0]), 0.0);
        let bridge = Platform::level("bridge", slab([-1.0, 1.0], [-10.0, 10.0]), 4.0);
        let pillar = crate_at(Vec3::new(5.0, 0.0, 0.0), Vec3::new(1.0, 2.0, 6.0));
        let places =
            Places::new(&[road.into(), bridge.into()], &[pillar], &NavAgent::person(1.75)).unwrap();
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
        let ground = [Platform::level("ground", slab([0.0, 4.0], [0.0, 10.0]), 0.0).into()];
        let bar = |height: f32| crate_at(Vec3::new(2.0, height, 5.0), Vec3::new(6.0, 0.1, 0.1));
        let person = NavAgent::person(1.75);
        let try_bar = |height: f32| {
            let places = Places::new(&ground, &[bar(height)], &person).unwrap();
            (places.walk(0, vec2(2.0, 1.0), vec2(2.0, 9.0)).is_ok(), places.levels()[0].low.len())
        };
        assert_eq!(try_bar(1.8), (true, 0));
        assert_eq!(try_bar(1.5), (true, 1));
        assert_eq!(try_bar(1.0), (false, 0));
        assert_eq!(try_bar(0.1), (false, 0), "not walked through");
    }
}
