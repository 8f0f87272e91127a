//! Pieces of ground as a character of some size sees them: what covers them, what walls them in, where steps lead on.

use super::floor::{capsule, polygon, within};
use super::level_mesh::{clipped, flat_triangle};
use super::links::nearest;
use super::{Clearance, NavAgent};
use andante_world::{GroundPatch, Platform, Terrain};
use geo::{Area, BooleanOps, MultiPolygon, Polygon};
use glam::Vec2;

/// Cracks up to this width are no gaps, in metres.
pub(super) const CRACK: f32 = 0.05;

/// Pieces of an edge that are looked at one by one, in metres.
pub(super) const PIECE: f32 = 0.1;

/// Regions smaller than this are rounding, in square metres.
pub(super) const SPECK: f32 = 1e-5;

/// What is this much shorter is rounding, in metres.
pub(super) const OVERLAP: f32 = 2e-3;

/// A flat piece of ground, or one with terrain on it.
#[derive(Clone, Debug)]
pub(super) struct Facet {
    /// Which patch of the world it belongs to.
    pub patch: usize,
    pub platform: Platform,
    terrain: Option<Terrain>,
    pub low: Vec2,
    pub high: Vec2,
    /// Others whose ground is so far above it that one walks below, or below it.
    pub apart: Vec<usize>,
    /// Where others cover it: nobody stands there. With their numbers.
    pub covered: Vec<(usize, MultiPolygon<f32>)>,
    /// Where those are too high to be stepped on, and whether they are lower than the hips.
    pub walled: Vec<(bool, MultiPolygon<f32>)>,
    /// Whether nothing of it is left.
    pub buried: bool,
    /// Its edge, stretch by stretch.
    pub runs: Vec<EdgeRun>,
}

/// A stretch of the edge of a facet.
#[derive(Clone, Debug)]
pub(super) struct EdgeRun {
    pub ends: [Vec2; 2],
    pub edge: FacetEdge,
}

/// What lies beyond an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FacetEdge {
    /// Nothing.
    Rim,
    /// Ground too far below, or so far above that it is another storey.
    Ledge,
    /// Something too high to be stepped on, and lower than the hips.
    Kerb,
    /// Something higher.
    Wall,
    /// Ground that a step leads to, of that facet.
    Open(usize),
}

impl Facet {
    fn new(patch: usize, platform: Platform, terrain: Option<Terrain>) -> Self {
        let low = platform.outline.iter().copied().fold(Vec2::INFINITY, Vec2::min);
        let high = platform.outline.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
        let (apart, covered) = (Vec::new(), Vec::new());
        let (walled, buried, runs) = (Vec::new(), false, Vec::new());
        Self { patch, platform, terrain, low, high, apart, covered, walled, buried, runs }
    }

    pub fn height_at(&self, place: Vec2) -> f32 {
        let above = self.terrain.as_ref().and_then(|terrain| terrain.height_at(place));
        self.platform.height_at(place) + above.unwrap_or(0.0)
    }

    pub fn shape(&self) -> Polygon<f32> {
        polygon(self.platform.outline.iter().copied())
    }

    /// True if a place is on it; quicker than the outline's own answer where it is not.
    pub fn contains(&self, place: Vec2) -> bool {
        place.cmpge(self.low).all() && place.cmple(self.high).all() && self.platform.contains(place)
    }

    /// The nearest of its places.
    pub fn closest(&self, place: Vec2) -> Vec2 {
        if self.contains(place) {
            return place;
        }
        let sides = sides(&self.platform.outline).map(|side| nearest(place, side));
        let closer =
            |a: &Vec2, b: &Vec2| a.distance_squared(place).total_cmp(&b.distance_squared(place));
        sides.min_by(closer).unwrap_or(place)
    }

    fn is_near(&self, other: &Self, by: f32) -> bool {
        (self.low - by).cmple(other.high).all() && (other.low - by).cmple(self.high).all()
    }

    /// The shut parts of the facet for somebody who stands on it: what is kept away from walls and rims. `more` is kept
    /// in addition.
    pub fn shut(&self, walker: &NavAgent, more: f32) -> Vec<Polygon<f32>> {
        let mut shut: Vec<Polygon<f32>> = Vec::new();
        // Legs pass closer by what is low than the body does by what is not.
        let beside = |low: bool| {
            let Clearance { radius, rim } = walker.clearance;
            if low { rim.max(walker.legs * radius) + more } else { radius + more }
        };
        for (low, region) in &self.walled {
            shut.extend(within(region, beside(*low)));
        }
        for run in &self.runs {
            match run.edge {
                FacetEdge::Kerb => shut.push(capsule(run.ends, beside(true))),
                FacetEdge::Wall => shut.push(capsule(run.ends, beside(false))),
                FacetEdge::Ledge => shut.push(capsule(run.ends, walker.clearance.rim + more)),
                FacetEdge::Rim | FacetEdge::Open(_) => {}
            }
        }
        if shut.is_empty() {
            return shut;
        }
        // Its own ground only, and a hair of what borders on it.
        self.bare(OVERLAP).intersection(&geo::unary_union(&shut)).0
    }

    /// What is not covered of it, and so much more.
    fn bare(&self, more: f32) -> MultiPolygon<f32> {
        let shape = MultiPolygon::from(self.shape());
        let own = if more > 0.0 { within(&shape, more) } else { shape };
        if self.covered.is_empty() {
            return own;
        }
        // What covers it side by side covers it without a slit between.
        let grown = self.covered.iter().flat_map(|(_, region)| within(region, OVERLAP).0);
        let covered = geo::unary_union(&grown.collect::<Vec<_>>());
        own.difference(&within(&covered, -OVERLAP - more))
    }
}

/// The sides of an outline.
pub(super) fn sides(outline: &[Vec2]) -> impl Iterator<Item = [Vec2; 2]> {
    (0..outline.len()).map(|index| [outline[index], outline[(index + 1) % outline.len()]])
}

/// The ground of a world as facets, without what is too steep.
pub(super) fn facets(ground: &[GroundPatch], walker: &NavAgent) -> Vec<Facet> {
    let mut found = Vec::new();
    for (number, patch) in ground.iter().enumerate() {
        match &patch.terrain {
            Some(Terrain::Mesh(mesh)) => {
                let surface = mesh.mesh();
                for triangle in 0..surface.triangles.len() {
                    let corners = surface.corners(triangle);
                    let Some(platform) = flat_triangle(corners, &patch.platform) else { continue };
                    if platform.slope.length() <= walker.slope {
                        let on = clipped(platform, &patch.platform);
                        found.extend(on.map(|platform| Facet::new(number, platform, None)));
                    }
                }
            }
            _ if patch.platform.slope.length() > walker.slope => {}
            terrain => found.push(Facet::new(number, patch.platform.clone(), terrain.clone())),
        }
    }
    relate(&mut found, walker);
    found
}

/// Finds out what lies above what and what borders on what.
fn relate(facets: &mut [Facet], walker: &NavAgent) {
    let pairs = near_pairs(facets);
    for &[a, b] in &pairs {
        for [lower, upper] in [[a, b], [b, a]] {
            cover(facets, lower, upper, walker);
        }
    }
    for facet in facets.iter_mut().filter(|facet| !facet.covered.is_empty()) {
        facet.buried = facet.bare(0.0).unsigned_area() < SPECK;
    }
    let mut near = vec![Vec::new(); facets.len()];
    for [a, b] in pairs {
        if facets[a].buried || facets[b].buried {
            continue;
        }
        near[a].push(b);
        near[b].push(a);
    }
    for (index, near) in near.iter().enumerate() {
        if !near.is_empty() {
            facets[index].runs = edge_runs(facets, index, near, walker);
        }
    }
}

/// Facets that may touch, lower numbers first.
fn near_pairs(facets: &[Facet]) -> Vec<[usize; 2]> {
    let mut order: Vec<usize> = (0..facets.len()).collect();
    order.sort_by(|&a, &b| facets[a].low.x.total_cmp(&facets[b].low.x));
    let mut pairs = Vec::new();
    let mut active: Vec<usize> = Vec::new();
    for &next in &order {
        active.retain(|&other| facets[other].high.x >= facets[next].low.x - CRACK);
        let near = active.iter().filter(|&&other| facets[other].is_near(&facets[next], CRACK));
        pairs.extend(near.map(|&other| [other.min(next), other.max(next)]));
        active.push(next);
    }
    pairs.sort_unstable();
    pairs
}

/// Notes where one facet lies above another.
fn cover(facets: &mut [Facet], lower: usize, upper: usize, walker: &NavAgent) {
    let (below, above) = (&facets[lower], &facets[upper]);
    let overlap = below.high.min(above.high) - below.low.max(above.low);
    if overlap.min_element() < OVERLAP {
        return;
    }
    let shared = below.shape().intersection(&above.shape());
    if shared.unsigned_area() < SPECK {
        return;
    }
    let rise = |place: Vec2| above.height_at(place) - below.height_at(place);
    // Of two in one plane the first is stood on.
    let least = if upper < lower { 0.0 } else { 1e-4 };
    let part = |from: f32, to: f32| between(&shared, below, above, &rise, [from, to]);
    let covered = part(least, walker.height);
    let hips = walker.step.max(walker.hips * walker.height);
    let walled = [(true, part(walker.step, hips)), (false, part(hips, walker.height))];
    let apart = part(walker.height, f32::INFINITY).unsigned_area() >= SPECK;
    if covered.unsigned_area() >= SPECK {
        facets[lower].covered.push((upper, covered));
    }
    let walled = walled.into_iter().filter(|(_, region)| region.unsigned_area() >= SPECK);
    facets[lower].walled.extend(walled);
    if apart {
        facets[lower].apart.push(upper);
        facets[upper].apart.push(lower);
    }
}

/// The part of a region in which one facet is between two distances above another.
fn between(
    region: &MultiPolygon<f32>,
    below: &Facet,
    above: &Facet,
    rise: &impl Fn(Vec2) -> f32,
    [from, to]: [f32; 2],
) -> MultiPolygon<f32> {
    let corners = || region.iter().flat_map(|piece| piece.exterior().0.iter());
    let rises = || corners().map(|corner| rise(Vec2::new(corner.x, corner.y)));
    let (least, most) = rises().fold((f32::MAX, f32::MIN), |(a, b), own| (a.min(own), b.max(own)));
    if most < from || least >= to {
        return MultiPolygon::new(Vec::new());
    }
    if least >= from && most < to || below.terrain.is_some() || above.terrain.is_some() {
        return region.clone();
    }
    // Two planes: the part between is between two lines.
    let slope = above.platform.slope - below.platform.slope;
    let Some(up) = slope.try_normalize() else { return region.clone() };
    let at_origin = above.platform.height - below.platform.height;
    let along = |rise: f32| (rise.clamp(least - 1.0, most + 1.0) - at_origin) / slope.length();
    let reach = corners().map(|corner| libm::hypotf(corner.x, corner.y)).fold(1.0, f32::max) + 10.0;
    let (side, low, high) = (up.perp() * reach, along(from), along(to));
    let strip = [low * up - side, high * up - side, high * up + side, low * up + side];
    region.intersection(&polygon(strip.into_iter()))
}

/// The edge of a facet, stretch by stretch, as its neighbours make it.
fn edge_runs(facets: &[Facet], index: usize, near: &[usize], walker: &NavAgent) -> Vec<EdgeRun> {
    let own = &facets[index];
    let mut runs: Vec<EdgeRun> = Vec::new();
    for side in sides(&own.platform.outline) {
        let [a, b] = side;
        let (low, high) = (a.min(b) - CRACK, a.max(b) + CRACK);
        let near: Vec<usize> = near
            .iter()
            .copied()
            .filter(|&other| {
                facets[other].low.cmple(high).all() && facets[other].high.cmpge(low).all()
            })
            .collect();
        let edge = |part: f32| edge_at(facets, own, a.lerp(b, part), &near, walker);
        let count =
            if near.is_empty() { 1 } else { (a.distance(b) / PIECE).ceil().max(1.0) as usize };
        let middle = |piece: usize| (piece as f32 + 0.5) / count as f32;
        let mut began = (0.0, edge(middle(0)));
        let mut close = |from: f32, to: f32, edge: FacetEdge| {
            runs.push(EdgeRun { ends: [a.lerp(b, from), a.lerp(b, to)], edge });
        };
        for piece in 1..count {
            let here = edge(middle(piece));
            if here == began.1 {
                continue;
            }
            // Where the one ends and the other begins.
            let (mut from, mut to) = (middle(piece - 1), middle(piece));
            for _ in 0..8 {
                let half = 0.5 * (from + to);
                if edge(half) == began.1 { from = half } else { to = half }
            }
            close(began.0, to, began.1);
            began = (to, here);
        }
        close(began.0, 1.0, began.1);
    }
    runs
}

/// What lies beyond a place of an edge.
fn edge_at(
    facets: &[Facet],
    own: &Facet,
    place: Vec2,
    near: &[usize],
    walker: &NavAgent,
) -> FacetEdge {
    let height = own.height_at(place);
    let mut open: Option<(f32, usize)> = None;
    let (mut wall, mut is_ledge) = (0.0f32, false);
    for &other in near {
        let there = facets[other].closest(place);
        let gap = there.distance(place);
        if gap > CRACK {
            continue;
        }
        let rise = facets[other].height_at(there) - height;
        if rise.abs() <= walker.step {
            if open.is_none_or(|(least, _)| gap < least) {
                open = Some((gap, other));
            }
        } else if rise > 0.0 && rise < walker.height {
            wall = wall.max(rise);
        } else {
            is_ledge = true;
        }
    }
    match open {
        _ if wall > walker.hips * walker.height => FacetEdge::Wall,
        _ if wall > 0.0 => FacetEdge::Kerb,
        Some((_, other)) => FacetEdge::Open(other),
        None if is_ledge => FacetEdge::Ledge,
        None => FacetEdge::Rim,
    }
}

/// What fills the crack between a stretch of a facet's edge and the facet beyond it, with a hair of both; none where they
/// touch.
pub(super) fn weld(facets: &[Facet], run: &EdgeRun) -> Option<Vec<Vec2>> {
    let FacetEdge::Open(other) = run.edge else { return None };
    let across = run.ends.map(|end| facets[other].closest(end));
    let gap = run.ends[0].distance(across[0]).max(run.ends[1].distance(across[1]));
    if gap <= 0.0 {
        return None;
    }
    let hair = 0.01 * outward(facets, run)?;
    Some(vec![run.ends[0] - hair, run.ends[1] - hair, across[1] + hair, across[0] + hair])
}

/// The direction from a facet to the one beyond a stretch of its edge.
pub(super) fn outward(facets: &[Facet], run: &EdgeRun) -> Option<Vec2> {
    let FacetEdge::Open(other) = run.edge else { return None };
    let along = (run.ends[1] - run.ends[0]).try_normalize()?;
    let (middle, out) = (run.ends[0].midpoint(run.ends[1]), along.perp());
    let away = |at: Vec2| facets[other].closest(at).distance(at);
    Some(if away(middle + 0.01 * out) <= away(middle - 0.01 * out) { out } else { -out })
}
