//! Facets put together to floors, none of which lies above itself.

use super::facet::{CRACK, EdgeRun, Facet, FacetEdge, OVERLAP, outward, weld};
use super::floor::{MARGIN, ShutRegions, capsule, polygon};
use super::{FloorError, NavAgent, WalkableFloor};
use geo::{BooleanOps, MultiPolygon, Polygon, unary_union};
use glam::Vec2;
use std::sync::Arc;

/// How far a floor goes on beyond a seam, in metres: farther than anybody keeps from a rim.
const COLLAR: f32 = 0.8;

/// How far from a seam somebody is who has crossed it, in metres.
const SEAM: f32 = 0.01;

/// What borders on a sheet within that is no farther above or below, in metres.
const COLLAR_RISE: f32 = 1.0;

/// Facets between which steps lead, none above another with room for a head between.
#[derive(Clone, Debug)]
pub(super) struct FloorSheet {
    pub facets: Arc<[usize]>,
    /// Ground of other sheets that borders on this one.
    pub collars: Vec<Polygon<f32>>,
}

/// A line over which one sheet leads over into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SheetSeam {
    pub sheets: [usize; 2],
    pub ends: [Vec2; 2],
    /// From the middle of the crack between them, if there is one, onto the second.
    pub over: Vec2,
}

/// The sheets of a world and the seams between them.
pub(super) fn sheets(facets: &[Facet]) -> (Vec<FloorSheet>, Vec<SheetSeam>) {
    let (number, count) = numbered(facets);
    let mut members = vec![Vec::new(); count];
    for (index, sheet) in number.iter().enumerate() {
        if let Some(sheet) = sheet {
            members[*sheet].push(index);
        }
    }
    let mut seams = Vec::new();
    let mut collars = vec![Vec::new(); count];
    for (index, facet) in facets.iter().enumerate() {
        for run in &facet.runs {
            let FacetEdge::Open(other) = run.edge else { continue };
            let (Some(own), Some(its)) = (number[index], number[other]) else { continue };
            if own == its {
                continue;
            }
            let Some(out) = outward(facets, run) else { continue };
            let gap = |end: Vec2| facets[other].closest(end).distance(end);
            let wide = gap(run.ends[0].midpoint(run.ends[1]));
            let ends = run.ends.map(|end| end + 0.5 * wide * out);
            let over = (0.5 * wide + SEAM) * out;
            seams.push(SheetSeam { sheets: [own, its], ends, over });
            let level = facet.height_at(run.ends[0].midpoint(run.ends[1]));
            collars[own].extend(collar(facets, &members[its], run.ends, level));
            collars[its].extend(collar(facets, &members[own], run.ends, level));
        }
    }
    let sheet = |(facets, collars): (Vec<usize>, Vec<Polygon<f32>>)| FloorSheet {
        facets: facets.into(),
        collars,
    };
    (members.into_iter().zip(collars).map(sheet).collect(), seams)
}

/// The sheet of every facet that is not buried, and how many there are.
fn numbered(facets: &[Facet]) -> (Vec<Option<usize>>, usize) {
    let mut next = vec![Vec::new(); facets.len()];
    for (index, facet) in facets.iter().enumerate() {
        for run in &facet.runs {
            if let FacetEdge::Open(other) = run.edge
                && run.ends[0].distance(run.ends[1]) > CRACK
            {
                next[index].push(other);
                next[other].push(index);
            }
        }
    }
    let mut number: Vec<Option<usize>> = vec![None; facets.len()];
    let mut count = 0;
    for first in 0..facets.len() {
        if facets[first].buried || number[first].is_some() {
            continue;
        }
        number[first] = Some(count);
        let mut queue = std::collections::VecDeque::from([first]);
        while let Some(index) = queue.pop_front() {
            for &other in &next[index] {
                let is_apart = |above: &usize| number[*above] == Some(count);
                if number[other].is_none() && !facets[other].apart.iter().any(is_apart) {
                    number[other] = Some(count);
                    queue.push_back(other);
                }
            }
        }
        count += 1;
    }
    (number, count)
}

/// The ground of another sheet that borders on a seam.
fn collar(facets: &[Facet], members: &[usize], seam: [Vec2; 2], level: f32) -> Vec<Polygon<f32>> {
    let (low, high) = (seam[0].min(seam[1]) - COLLAR, seam[0].max(seam[1]) + COLLAR);
    let near = members.iter().map(|&index| &facets[index]).filter(|facet| {
        let middle = facet.low.max(low).midpoint(facet.high.min(high));
        facet.low.cmple(high).all()
            && facet.high.cmpge(low).all()
            && (facet.height_at(middle) - level).abs() < COLLAR_RISE
    });
    let around = capsule(seam, COLLAR);
    near.flat_map(|facet| facet.shape().intersection(&around).0).collect()
}

/// A strip over a stretch of an edge that a step leads over, as wide on either side as somebody is from a seam who has crossed it.
fn joint(facets: &[Facet], run: &EdgeRun) -> Option<Polygon<f32>> {
    let hair = SEAM * outward(facets, run)?;
    let [a, b] = run.ends;
    Some(polygon([a - hair, b - hair, b + hair, a + hair].into_iter()))
}

impl FloorSheet {
    /// Its floor, shut where the ground rises and falls.
    pub fn floor(&self, facets: &[Facet], walker: &NavAgent) -> Result<WalkableFloor, FloorError> {
        let own = || self.facets.iter().map(|&index| &facets[index]);
        let own_runs = || own().flat_map(|facet| &facet.runs);
        let is_own = |other: &usize| self.facets.binary_search(other).is_ok();
        let mut outlines: Vec<Vec<Vec2>> =
            own().map(|facet| facet.platform.outline.clone()).collect();
        let welds = own_runs().filter_map(|run| weld(facets, run));
        outlines.extend(welds);
        let floor = WalkableFloor::new(&outlines, &[], &[])?;
        let shut = |more: f32| {
            let regions = own().flat_map(|facet| facet.shut(walker, more));
            let mut regions: Vec<Polygon<f32>> = regions.collect();
            regions.extend(own().flat_map(|facet| self.lost(facets, facet)));
            if regions.is_empty() {
                return MultiPolygon::new(Vec::new());
            }
            // Where a step leads nothing is shut by what lies below it.
            let open =
                own_runs().filter(|run| matches!(&run.edge, FacetEdge::Open(own) if is_own(own)));
            let open: Vec<Polygon<f32>> =
                open.map(|run| capsule(run.ends, 2.0 * OVERLAP)).collect();
            unary_union(&regions).difference(&unary_union(&open))
        };
        let (exact, kept) = (shut(0.0), shut(MARGIN));
        if self.collars.is_empty() {
            return Ok(floor.shut(ShutRegions { exact, kept, own: None }));
        }
        let mut own: Vec<Polygon<f32>> =
            outlines.iter().map(|outline| polygon(outline.iter().copied())).collect();
        // What was cut is rounded: a slit thinner than a hair would be a rim.
        let (inner, seams): (Vec<&EdgeRun>, Vec<&EdgeRun>) = own_runs()
            .partition(|run| matches!(&run.edge, FacetEdge::Open(other) if is_own(other)));
        own.extend(inner.into_iter().filter_map(|run| joint(facets, run)));
        let over: Vec<Polygon<f32>> =
            seams.into_iter().filter_map(|run| joint(facets, run)).collect();
        let whole: Vec<&Polygon<f32>> = own.iter().chain(&self.collars).chain(&over).collect();
        let floor = WalkableFloor::of(unary_union(whole));
        Ok(floor.shut(ShutRegions { exact, kept, own: Some(unary_union(&own)) }))
    }

    /// What is covered of a facet by ground of other sheets, and not by ground of this one.
    fn lost(&self, facets: &[Facet], facet: &Facet) -> Vec<Polygon<f32>> {
        let is_own = |cover: usize| self.facets.binary_search(&cover).is_ok();
        let others = facet.covered.iter().filter(|(cover, _)| !is_own(*cover));
        let others = others.map(|(_, region)| {
            let covers = facet.covered.iter().filter(|(cover, _)| is_own(*cover));
            covers.fold(region.clone(), |left, (cover, _)| left.difference(&facets[*cover].shape()))
        });
        others.flat_map(|region| region.0).collect()
    }
}
