//! The shortest way, over a mesh of the places where the character fits.

use super::{NoRoute, Walls};
use geo::orient::{Direction, Orient};
use geo::{Closest, ClosestPoint, Contains, Distance, Euclidean, LineString, MultiPolygon, Point};
use glam::Vec2;
use polyanya::{Coords, Mesh, Triangulation};
use std::sync::OnceLock;

/// Farther than this from the mesh a free place is not looked for on it, in metres.
const SNAP: f32 = 0.1;

/// Islands of a floor, each with a mesh of its own.
///
/// Ways are shortest on the mesh, whose rounded corners are chains of chords: at most half a per cent longer than the
/// shortest way of the disc itself.
#[derive(Clone, Debug)]
pub struct Navmesh {
    walls: Walls,
    islands: Vec<Island>,
}

#[derive(Clone, Debug)]
struct Island {
    outline: geo::Polygon<f32>,
    /// Made when a way is looked for that is not straight.
    mesh: OnceLock<Mesh>,
}

impl Island {
    fn mesh(&self) -> &Mesh {
        self.mesh.get_or_init(|| triangulated(&self.outline, false))
    }

    /// The place itself, or the nearest of the mesh: between the exact distance to a wall and the mesh's chords there is
    /// a sliver.
    fn anchor(&self, place: Vec2) -> Vec2 {
        let at = Point::new(place.x, place.y);
        match self.outline.closest_point(&at) {
            Closest::SinglePoint(near) => Vec2::new(near.x(), near.y()),
            Closest::Intersection(_) | Closest::Indeterminate => place,
        }
    }
}

/// Triangles that are merged and sorted are searched faster, but that takes as long as many searches.
fn triangulated(outline: &geo::Polygon<f32>, merges: bool) -> Mesh {
    let mut mesh = Triangulation::from_geo_polygon(outline.clone()).as_navmesh();
    while merges && mesh.merge_polygons() {}
    mesh.set_search_delta(0.5 * SNAP);
    if merges {
        mesh.bake();
    }
    mesh
}

impl Navmesh {
    /// For many ways, or for a few: then the triangles are made when one is looked for.
    pub(super) fn new(walls: Walls, free: &MultiPolygon<f32>, lasts: bool) -> Self {
        let island = |outline: &geo::Polygon<f32>| {
            let mesh = if lasts { triangulated(outline, true).into() } else { OnceLock::new() };
            Island { outline: outline.clone(), mesh }
        };
        Self { walls, islands: free.iter().map(island).collect() }
    }

    /// The exact walls between which the disc fits.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// Parts of the floor between which there is no way on foot.
    pub fn islands(&self) -> usize {
        self.islands.len()
    }

    /// The rims of an island, holes among them; the island lies to the left of each side, with x to the right and z up.
    pub fn rims(&self, island: usize) -> impl Iterator<Item = Vec<Vec2>> {
        let outline = self.islands[island].outline.orient(Direction::Default);
        let (exterior, interiors) = outline.into_inner();
        let corners = |ring: LineString<f32>| {
            ring.0.iter().skip(1).map(|corner| Vec2::new(corner.x, corner.y)).collect()
        };
        std::iter::once(exterior).chain(interiors).map(corners)
    }

    /// The island a place is on or next to.
    pub fn island_of(&self, place: Vec2) -> Option<usize> {
        let at = Point::new(place.x, place.y);
        let distance = |island: &Island| Euclidean.distance(&at, &island.outline);
        let on = self.islands.iter().position(|island| island.outline.contains(&at));
        on.or_else(|| {
            let near = (0..self.islands.len()).map(|index| (distance(&self.islands[index]), index));
            near.filter(|&(distance, _)| distance < SNAP)
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, index)| index)
        })
    }

    /// The shortest way of the disc between two places.
    pub fn find(&self, start: Vec2, goal: Vec2) -> Result<Vec<Vec2>, NoRoute> {
        if !self.walls.is_free(start) {
            return Err(NoRoute::StartBlocked(start));
        }
        if !self.walls.is_free(goal) {
            return Err(NoRoute::GoalBlocked(goal));
        }
        if self.walls.edge_is_free(start, goal) {
            return Ok(vec![start, goal]);
        }
        let from = self.island_of(start).ok_or(NoRoute::StartBlocked(start))?;
        let to = self.island_of(goal).ok_or(NoRoute::GoalBlocked(goal))?;
        if from != to {
            return Err(NoRoute::Apart { start, goal });
        }
        let island = &self.islands[from];
        let (first, last) = (island.anchor(start), island.anchor(goal));
        let path = island.mesh().path(Coords::on_mesh(first), Coords::on_mesh(last));
        let path = path.ok_or(NoRoute::Apart { start, goal })?.path;
        // The mesh moves places at its very edge; where one comes from and goes to does not change.
        let inner = path.len().saturating_sub(1);
        let mut way = vec![start, first];
        way.extend(&path[..inner]);
        way.extend([last, goal]);
        way.dedup();
        Ok(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Shortening, TwoTrees, WalkableFloor, shorten};
    use andante_skeleton::Polyline;
    use glam::vec2;
    use proptest::prelude::*;

    fn slab(x: [f32; 2], z: [f32; 2]) -> Vec<Vec2> {
        vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])]
    }

    #[test]
    fn an_enclosed_goal_is_refused_at_once() {
        let ring = [
            slab([4.0, 10.0], [4.0, 4.5]),
            slab([4.0, 10.0], [9.5, 10.0]),
            slab([4.0, 4.5], [4.0, 10.0]),
            slab([9.5, 10.0], [4.0, 10.0]),
        ];
        let floor = WalkableFloor::new(&[slab([0.0, 20.0], [0.0, 20.0])], &ring, &[]).unwrap();
        let mesh = floor.navmesh(0.4);
        let (start, goal) = (vec2(1.0, 1.0), vec2(7.0, 7.0));
        assert_eq!(mesh.islands(), 2);
        assert_eq!(mesh.find(start, goal), Err(NoRoute::Apart { start, goal }));
    }

    #[test]
    fn around_a_post_the_way_is_taut() {
        let floor =
            WalkableFloor::new(&[slab([0.0, 20.0], [0.0, 20.0])], &[], &[(vec2(10.0, 10.0), 4.0)])
                .unwrap();
        let way = floor.navmesh(0.4).find(vec2(1.0, 10.0), vec2(19.0, 10.0)).unwrap();
        let (reach, centre) = (4.4f32, 9.0f32);
        let taut = 2.0 * (centre * centre - reach * reach).sqrt()
            + reach * (std::f32::consts::PI - 2.0 * (reach / centre).acos());
        assert!(
            (0.999..1.01).contains(&(Polyline::length_of(&way) / taut)),
            "{} against {taut}",
            Polyline::length_of(&way)
        );
    }

    /// Between the circle around the post and the chords of the mesh there is a sliver: a way from there used to cut
    /// through the circle.
    #[test]
    fn a_way_from_right_beside_a_post_leads_away_from_it_first() {
        let posts = [(vec2(15.173592, 1.6584717), 1.2154164)];
        let floor = WalkableFloor::new(&[slab([0.0, 20.0], [0.0, 20.0])], &[], &posts).unwrap();
        let mesh = floor.navmesh(0.4);
        let way = mesh.find(vec2(16.49739, 2.5899277), vec2(0.5, 0.5)).unwrap();
        for pair in way.windows(2) {
            assert!(mesh.walls().edge_is_free(pair[0], pair[1]), "{pair:?} of {way:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        /// Random trees are the oracle: where they find a way the mesh finds one, and theirs is not shorter.
        #[test]
        fn the_mesh_finds_what_random_trees_find_and_never_a_longer_way(
            posts in prop::collection::vec(((1.0f32..19.0, 1.0f32..19.0), 0.2f32..1.5), 0..15),
            boxes in prop::collection::vec(((1.0f32..17.0, 1.0f32..17.0), (0.5f32..4.0, 0.2f32..2.0)), 0..8),
            start in (0.5f32..19.5, 0.5f32..19.5), goal in (0.5f32..19.5, 0.5f32..19.5),
        ) {
            let posts: Vec<_> = posts.into_iter().map(|((x, y), radius)| (vec2(x, y), radius)).collect();
            let blocked: Vec<_> = boxes.into_iter().map(|((x, y), (w, d))| slab([x, x + w], [y, y + d])).collect();
            let floor = WalkableFloor::new(&[slab([0.0, 20.0], [0.0, 20.0])], &blocked, &posts).unwrap();
            let (start, goal) = (Vec2::from(start), Vec2::from(goal));
            let mesh = floor.navmesh(0.4);
            let way = mesh.find(start, goal);
            if let Ok(way) = &way {
                for pair in way.windows(2) {
                    prop_assert!(mesh.walls().edge_is_free(pair[0], pair[1]), "{:?} of {:?}", pair, way);
                }
            }
            if let Ok(found) = (TwoTrees { attempts: 2000, seed: 1, ..Default::default() }).find(mesh.walls(), start, goal) {
                let other = shorten(mesh.walls(), &found.way, &Shortening::default());
                match way {
                    Ok(way) => prop_assert!(Polyline::length_of(&way) <= 1.01 * Polyline::length_of(&other) + 0.02, "{:?} {:?}", way, other),
                    Err(none) => prop_assert!(false, "{none}, but the trees found {other:?}"),
                }
            }
        }
    }
}
