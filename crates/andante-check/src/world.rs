//! The world as solids of its own: triangles of the ground, and what stands there when.

use crate::distance::{around, height_over, segment_to_triangle};
use crate::platform::is_platform;
use crate::tile::{CELL, TILE, Tile, across};
use crate::{Demand, DemandedPlatform, DemandedSpot, surface, walls};
use andante_take::{RigidTrack, TakeSource, presences};
use andante_world::{Area, GroundPatch, Obstacle, ObstacleShape};
use glam::{IVec2, Quat, Vec2, Vec3};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::Pose3;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::PointQuery;
use parry3d::shape::{Cuboid, Cylinder, SharedShape, TriMesh, Triangle};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A moment of a take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    pub frame: usize,
    pub time: f32,
}

/// How deep something is in the world, and in what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    pub depth: f32,
    pub of: Solidity,
}

/// What something can be inside of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Solidity {
    Ground,
    Riser,
    Obstacle(usize),
    Platform(usize),
}

/// What bears a sole.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bearing {
    pub distance: f32,
    pub point: Vec3,
    /// Upwards.
    pub normal: Vec3,
    /// The moving platform it is on.
    pub deck: Option<usize>,
}

impl Bearing {
    pub fn slope_deg(&self) -> f32 {
        libm::acosf(self.normal.y.clamp(-1.0, 1.0)).to_degrees()
    }

    /// True if the ground lies over a point and not beside it.
    pub fn is_above(&self, point: Vec3) -> bool {
        let aside = Vec2::new(self.point.x - point.x, self.point.z - point.z).length();
        aside <= self.normal.with_y(0.0).length() * self.distance + 1e-4
    }
}

/// Something that stands there for some time.
struct StandingSolid {
    name: String,
    from: f32,
    until: f32,
    form: StandingForm,
    bounds: Aabb,
}

enum StandingForm {
    Convex(SharedShape, Pose3),
    Triangles(Box<TriMesh>),
}

/// A platform that moves.
struct Deck {
    track: RigidTrack,
    surface: TriMesh,
}

/// Everything that is not a body.
pub(crate) struct World {
    patches: Vec<GroundPatch>,
    /// Ground that is made of few triangles, if there is any.
    flat: Option<TriMesh>,
    /// Tiles of ground that is curved, made when they are first looked at; nowhere else is there any.
    tiles: BTreeMap<(i32, i32), OnceLock<Option<Tile>>>,
    /// Where any ground is curved.
    curved: Option<Area>,
    /// The tiles that were prepared last, from the first to the last.
    prepared: Option<[IVec2; 2]>,
    walls: Option<TriMesh>,
    standing: Vec<StandingSolid>,
    tree: Bvh,
    decks: Vec<Deck>,
}

impl World {
    /// The world that was asked for; otherwise the one the take was made in. Obstacles come and go as the take says.
    pub fn new(take: &dyn TakeSource, demand: Option<&Demand>) -> Self {
        let patches = demand.map_or(&take.head().ground, |demand| &demand.ground).clone();
        let mut corners = Vec::new();
        for patch in patches.iter().filter(|patch| !surface::is_curved(patch)) {
            corners.extend(surface::triangles(patch, surface::area(patch), CELL));
        }
        let flat = mesh(&corners);
        let curved = patches.iter().filter(|patch| surface::is_curved(patch)).map(surface::area);
        let curved = curved.reduce(|a, b| Area::new(a.low.min(b.low), a.high.max(b.high)));
        let standing: Vec<StandingSolid> = presences(take)
            .into_iter()
            .filter_map(|there| StandingSolid::new(&there.obstacle, there.from, there.until))
            .chain(unsaid(take, demand))
            .collect();
        let boxes: Vec<Aabb> = standing.iter().map(|standing| standing.bounds).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
        let asked = demand.and_then(|demand| demand.platforms.as_ref());
        let platforms: Vec<RigidTrack> = match asked {
            Some(asked) => {
                let track = |own: &DemandedPlatform| own.track(take.frames(), take.head().fps);
                asked.iter().map(track).collect()
            }
            None => take.things().iter().filter(|thing| is_platform(thing)).cloned().collect(),
        };
        let deck = |track: RigidTrack| {
            let corners: Vec<[Vec3; 3]> = (track.mesh.triangles.iter())
                .map(|corners| corners.map(|corner| track.mesh.positions[corner as usize]))
                .collect();
            Some(Deck { surface: mesh(&corners)?, track })
        };
        let mut world = Self {
            decks: platforms.into_iter().filter_map(deck).collect(),
            flat,
            tiles: BTreeMap::new(),
            curved,
            prepared: None,
            walls: None,
            patches,
            standing,
            tree,
        };
        let below = |place: Vec2, height: f32| world.highest(place, height, None);
        let risers: Vec<[Vec3; 3]> =
            world.patches.iter().flat_map(|patch| walls::triangles(patch, below)).collect();
        world.walls = mesh(&risers);
        world
    }

    /// Lets there be curved ground around a place, as far as a body reaches from there.
    pub fn prepare(&mut self, place: Vec2, reach: f32) {
        let Some(curved) = self.curved else { return };
        if !place.is_finite() || place.abs().max_element() > 1e6 || !reach.is_finite() {
            return;
        }
        let key = |at: Vec2| (at.clamp(curved.low, curved.high) / TILE).floor().as_ivec2();
        let keys = [key(place - reach), key(place + reach)];
        // Most frames of a body are over the same tiles as the one before.
        if self.prepared.replace(keys) == Some(keys) {
            return;
        }
        for (x, z) in tiles_in(keys) {
            self.tiles.entry((x, z)).or_default();
        }
    }

    /// The curved ground of a tile.
    fn tile(&self, key: (i32, i32)) -> Option<&Tile> {
        let made = || {
            let key = IVec2::from(key);
            let tile = Area::new(key.as_vec2() * TILE, (key.as_vec2() + 1.0) * TILE);
            let is_there = |patch: &&GroundPatch| {
                let whole = surface::area(patch);
                surface::is_curved(patch)
                    && whole.low.cmplt(tile.high).all()
                    && whole.high.cmpgt(tile.low).all()
            };
            let patches: Vec<&GroundPatch> = self.patches.iter().filter(is_there).collect();
            if let [patch] = patches[..]
                && let Some(mesh) = surface::whole(patch, tile, across())
            {
                return Some(Tile::even(tile.low, mesh));
            }
            let triangles = |patch: &GroundPatch| surface::triangles(patch, tile, CELL);
            Tile::new(tile.low, &patches.into_iter().flat_map(triangles).collect::<Vec<_>>())
        };
        self.tiles.get(&key)?.get_or_init(made).as_ref()
    }

    /// Triangles of the ground that may be within a box.
    fn ground_in<'a>(&'a self, within: &Aabb) -> impl Iterator<Item = Triangle> + use<'a> {
        let within = *within;
        // No ground is made any farther away, and none where no ground is curved.
        let far = Vec2::splat(1e6);
        let key = |at: Vec3| rounded_down((Vec2::new(at.x, at.z) / TILE).clamp(-far, far));
        let keys = [key(within.mins), key(within.maxs)];
        let [wide, deep] = (keys[1] - keys[0] + 1).to_array().map(i64::from);
        // Of a box that is wider than everything that was made, only that is looked through.
        let is_narrow = wide * deep <= self.tiles.len() as i64;
        let some = is_narrow.then(|| tiles_in(keys)).into_iter().flatten();
        let [first, last]: [(i32, i32); 2] = keys.map(|key| key.into());
        let range = || self.tiles.range(first..=last.max(first)).map(|(key, _)| *key);
        let all = (!is_narrow).then(range).into_iter().flatten();
        let inside = move |&(_, z): &(i32, i32)| first.1 <= z && z <= last.1;
        let tiles = some.chain(all.filter(inside)).filter_map(|key| self.tile(key));
        let flat = self.flat.iter().flat_map(move |flat| near(flat, &within));
        flat.chain(tiles.flat_map(move |tile| tile.near(&within)))
    }

    /// The highest ground at a place that is not above a height; moving platforms count at a moment.
    pub fn highest(&self, place: Vec2, height: f32, moment: Option<Moment>) -> Option<f32> {
        let line =
            Aabb::new(Vec3::new(place.x, f32::MIN, place.y), Vec3::new(place.x, height, place.y));
        let mut best: Option<f32> = None;
        let mut note = |level: f32| {
            if level <= height && best.is_none_or(|best| level > best) {
                best = Some(level);
            }
        };
        for triangle in self.ground_in(&line) {
            height_over(place, &triangle).into_iter().for_each(&mut note);
        }
        for deck in &self.decks {
            let Some(at) = moment.and_then(|moment| deck.track.at(moment.frame)) else { continue };
            for triangle in deck.surface.triangles() {
                let [a, b, c] =
                    [triangle.a, triangle.b, triangle.c].map(|corner| at.transform_point(corner));
                height_over(place, &Triangle::new(a, b, c)).into_iter().for_each(&mut note);
            }
        }
        best
    }

    /// The ground under a sole at a point, if it is that near.
    pub fn bearing(&self, point: Vec3, within: f32, moment: Moment) -> Option<Bearing> {
        let mut best: Option<Bearing> = None;
        let mut note = |found: Bearing| {
            if found.distance <= within
                && best.as_ref().is_none_or(|best| found.distance < best.distance)
            {
                best = Some(found);
            }
        };
        let reach = around([point; 2], within);
        for triangle in self.ground_in(&reach) {
            on_triangle(point, &triangle, None).into_iter().for_each(&mut note);
        }
        for (index, deck) in self.decks.iter().enumerate() {
            let Some(at) = deck.track.at(moment.frame) else { continue };
            let local = at.inverse().transform_point(point);
            for triangle in near(&deck.surface, &around([local; 2], within)) {
                on_triangle(local, &triangle, Some(index)).into_iter().for_each(|found| {
                    let normal = at.rotation * found.normal;
                    note(Bearing { point: at.transform_point(found.point), normal, ..found });
                });
            }
        }
        for id in self.tree.intersect_aabb(&reach) {
            let standing = &self.standing[id as usize];
            if standing.is_there(moment.time) {
                standing.top_at(point).into_iter().for_each(&mut note);
            }
        }
        best
    }

    /// The platform that carries who begins at a spot.
    pub fn deck_under(&self, spot: &DemandedSpot) -> Option<&RigidTrack> {
        let below = spot.height.map_or(f32::MAX, |height| height + 0.1);
        let ground = self.highest(spot.place, below, None).unwrap_or(f32::NEG_INFINITY);
        let tops = self.decks.iter().filter_map(|deck| {
            let (at, inside) = (deck.track.at(0)?, |triangle: Triangle| {
                let [a, b, c] = [triangle.a, triangle.b, triangle.c];
                height_over(spot.place, &Triangle::new(a, b, c))
            });
            let placed = |triangle: Triangle| {
                let [a, b, c] =
                    [triangle.a, triangle.b, triangle.c].map(|corner| at.transform_point(corner));
                Triangle::new(a, b, c)
            };
            let heights = deck.surface.triangles().map(placed).filter_map(inside);
            let top =
                heights.filter(|height| *height <= below && *height > ground).reduce(f32::max)?;
            Some((top, &deck.track))
        });
        tops.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, track)| track)
    }

    /// True if there are platforms that move.
    pub fn has_decks(&self) -> bool {
        !self.decks.is_empty()
    }

    /// A point as seen from the platform it stands on.
    pub fn drawn_from_deck(&self, deck: usize, point: Vec3, moment: Moment) -> Vec3 {
        let at = self.decks.get(deck).and_then(|deck| deck.track.at(moment.frame));
        at.map_or(point, |at| at.inverse().transform_point(point))
    }

    /// Greatest height of the ground within a box, and of its edges; below everything if there is none.
    pub fn top(&self, within: &Aabb) -> f32 {
        // Wider boxes hold so much ground that looking through it takes longer than it saves.
        if within.extents().with_y(0.0).max_element() > 2.0 * TILE {
            return f32::INFINITY;
        }
        let highest = |triangle: Triangle| triangle.a.y.max(triangle.b.y).max(triangle.c.y);
        let all = self.solid_triangles(within).map(|(triangle, _)| highest(triangle));
        all.fold(f32::NEG_INFINITY, f32::max)
    }

    /// Triangles of the ground and of its edges that may be within a box.
    pub fn solid_triangles<'a>(
        &'a self,
        within: &Aabb,
    ) -> impl Iterator<Item = (Triangle, Solidity)> + 'a {
        let bounds = *within;
        let ground = self.ground_in(within);
        let edges = self.walls.iter().flat_map(move |walls| near(walls, &bounds));
        ground
            .map(|triangle| (triangle, Solidity::Ground))
            .chain(edges.map(|triangle| (triangle, Solidity::Riser)))
    }

    /// Triangles of moving platforms that may be within a distance of a line, with the line as seen from there.
    pub fn deck_triangles(
        &self,
        ends: [Vec3; 2],
        far: f32,
        moment: Moment,
    ) -> impl Iterator<Item = (usize, Triangle, [Vec3; 2])> {
        self.decks.iter().enumerate().flat_map(move |(index, deck)| {
            let back = deck.track.at(moment.frame).map(|at| at.inverse());
            back.into_iter().flat_map(move |back| {
                let local = ends.map(|end| back.transform_point(end));
                let found = near(&deck.surface, &around(local, far));
                found.map(move |triangle| (index, triangle, local))
            })
        })
    }

    /// Obstacles that are within a box at some time.
    pub fn standing_in<'a>(&'a self, within: &'a Aabb) -> impl Iterator<Item = usize> + 'a {
        self.tree.intersect_aabb(within).map(|id| id as usize)
    }

    /// Distance of a line from an obstacle, negative inside what is convex; none if that is not there then or farther away
    /// than is asked for.
    pub fn distance_to_standing(
        &self,
        id: usize,
        ends: [Vec3; 2],
        far: f32,
        time: f32,
    ) -> Option<f32> {
        let standing = &self.standing[id];
        let reach = around(ends, far);
        let is_near = standing.is_there(time) && standing.bounds.intersects(&reach);
        if is_near { standing.distance(ends, far) } else { None }
    }

    /// The name of a solid.
    pub fn name(&self, of: Solidity) -> &str {
        match of {
            Solidity::Ground => "the ground",
            Solidity::Riser => "the edge of the ground",
            Solidity::Obstacle(index) => &self.standing[index].name,
            Solidity::Platform(index) => &self.decks[index].track.name,
        }
    }
}

/// The nearest whole numbers that are not greater.
fn rounded_down(at: Vec2) -> IVec2 {
    let whole = at.as_ivec2();
    whole - IVec2::from(at.cmplt(whole.as_vec2()))
}

/// The keys of tiles from one corner to another.
fn tiles_in([low, high]: [IVec2; 2]) -> impl Iterator<Item = (i32, i32)> {
    (low.x..=high.x).flat_map(move |x| (low.y..=high.y).map(move |z| (x, z)))
}

/// Obstacles that were asked for and that the take does not know.
fn unsaid(take: &dyn TakeSource, demand: Option<&Demand>) -> Vec<StandingSolid> {
    let known = &take.head().obstacles;
    let missing = |obstacle: &&Obstacle| !known.contains(obstacle);
    let all = demand.map_or(&[][..], |demand| &demand.obstacles);
    let standing = |obstacle: &Obstacle| StandingSolid::new(obstacle, 0.0, f32::INFINITY);
    all.iter().filter(missing).filter_map(standing).collect()
}

impl StandingSolid {
    fn new(obstacle: &Obstacle, from: f32, until: f32) -> Option<Self> {
        let turn = Quat::from_rotation_y(obstacle.heading);
        let upright = |height: f32| Pose3::from_parts(obstacle.at + Vec3::Y * (0.5 * height), turn);
        let form = match &obstacle.shape {
            ObstacleShape::Box(size) => {
                let shape = SharedShape::new(Cuboid::new(0.5 * *size));
                StandingForm::Convex(shape, upright(size.y))
            }
            ObstacleShape::Cylinder { radius, height } => {
                let shape = SharedShape::new(Cylinder::new(0.5 * height, *radius));
                StandingForm::Convex(shape, upright(*height))
            }
            ObstacleShape::Mesh(shape) => {
                let triangles = shape.triangles();
                let at = |corner: u32| turn * triangles.positions[corner as usize] + obstacle.at;
                let corners: Vec<[Vec3; 3]> =
                    triangles.triangles.iter().map(|corners| corners.map(at)).collect();
                StandingForm::Triangles(Box::new(mesh(&corners)?))
            }
        };
        let bounds = match &form {
            StandingForm::Convex(shape, pose) => shape.compute_aabb(pose),
            StandingForm::Triangles(mesh) => mesh.local_aabb(),
        };
        Some(Self { name: obstacle.name.clone(), from, until, form, bounds })
    }

    fn is_there(&self, time: f32) -> bool {
        self.from <= time && time < self.until
    }

    /// Distance of a line segment; negative inside what is convex. None if it is farther away than is asked for.
    fn distance(&self, ends: [Vec3; 2], far: f32) -> Option<f32> {
        match &self.form {
            StandingForm::Triangles(mesh) => {
                let reach = around(ends, far);
                let all = near(mesh, &reach).map(|triangle| segment_to_triangle(ends, &triangle));
                all.reduce(f32::min)
            }
            // Along a line the distance from something convex falls and then rises.
            StandingForm::Convex(shape, pose) => {
                let at =
                    |share: f32| shape.distance_to_point(pose, ends[0].lerp(ends[1], share), false);
                if at(0.5) - 0.5 * ends[0].distance(ends[1]) > far {
                    return None;
                }
                let (mut low, mut high) = (0.0f32, 1.0f32);
                for _ in 0..16 {
                    let (third, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                    if at(third) < at(other) { high = other } else { low = third }
                }
                Some(at(0.5 * (low + high)).min(at(0.0)).min(at(1.0)))
            }
        }
    }

    /// Its surface where a sole is.
    fn top_at(&self, point: Vec3) -> Option<Bearing> {
        let (found, is_inside) = match &self.form {
            StandingForm::Convex(shape, pose) => {
                let found = shape.project_point(pose, point, false);
                (found.point, found.is_inside)
            }
            StandingForm::Triangles(mesh) => (mesh.project_local_point(point, true).point, false),
        };
        let out = if is_inside { found - point } else { point - found };
        let normal = if out.length() < 1e-3 { Vec3::Y } else { out.normalize() };
        // A side is leant on, not stood on.
        let distance = found.distance(point);
        (normal.y > 0.5).then_some(Bearing { distance, point: found, normal, deck: None })
    }
}

fn on_triangle(point: Vec3, triangle: &Triangle, deck: Option<usize>) -> Option<Bearing> {
    let found = triangle.project_local_point(point, true).point;
    let normal = (triangle.b - triangle.a).cross(triangle.c - triangle.a).normalize_or_zero();
    let normal = if normal.y < 0.0 { -normal } else { normal };
    // Risers of a terrain bear nobody.
    (normal.y > 1e-3).then_some(Bearing {
        distance: found.distance(point),
        point: found,
        normal,
        deck,
    })
}

/// Triangles that may be within a box.
fn near<'a>(mesh: &'a TriMesh, within: &Aabb) -> impl Iterator<Item = Triangle> + use<'a> {
    let within = *within;
    let found = mesh.bvh().leaves(move |node| {
        node.mins().cmple(within.maxs).all() && node.maxs().cmpge(within.mins).all()
    });
    found.map(|id| mesh.triangle(id))
}

/// Whether three corners are those of a triangle.
pub(crate) fn has_area([a, b, c]: &&[Vec3; 3]) -> bool {
    let is_finite = a.is_finite() && b.is_finite() && c.is_finite();
    is_finite && (*b - *a).cross(*c - *a).length_squared() > 0.0
}

fn mesh(corners: &[[Vec3; 3]]) -> Option<TriMesh> {
    let vertices: Vec<Vec3> = corners.iter().filter(has_area).flatten().copied().collect();
    let count = vertices.len() as u32 / 3;
    let indices = (0..count).map(|triangle| [3 * triangle, 3 * triangle + 1, 3 * triangle + 2]);
    TriMesh::new(vertices, indices.collect()).ok()
}
