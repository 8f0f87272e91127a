//! Ground on which not every place is as good for a foot as the next.

use super::StepGround;
use super::course::SampledCourse;
use super::footprint::PlanarPrint;
use super::vocabulary::{FootShape, Vocabulary};
use andante_play::feet::{FootholdSettings, half_width};
use andante_skeleton::Planar;
use glam::{Vec2, Vec3};

/// The ground along a way that has edges.
pub(super) struct Rough<'a> {
    course: &'a SampledCourse,
    world: &'a StepGround<'a>,
    vocabulary: &'a Vocabulary,
    settings: &'a FootholdSettings,
    /// Height of the ground below each sample of the way; where there is none, that before it.
    heights: Vec<f32>,
    near_edge: Vec<bool>,
}

/// A place for a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RoughPlace {
    pub height: f32,
    pub cost: f32,
}

impl<'a> Rough<'a> {
    /// The ground along a way; none if all of it is even.
    pub fn along(
        course: &'a SampledCourse,
        world: &'a StepGround<'a>,
        vocabulary: &'a Vocabulary,
        settings: &'a FootholdSettings,
    ) -> Option<Self> {
        let FootholdSettings { beside, look, broken, care, .. } = *settings;
        let [beside, look, edge, near] =
            [beside, look, broken, care].map(|part| part * vocabulary.leg);
        let count = course.places.len();
        let mut heights = Vec::with_capacity(count);
        let (mut edges, mut has_steps) = (Vec::with_capacity(count), false);
        let mut before: [Option<f32>; 3] = [None; 3];
        let mut level: Option<f32> = None;
        for (&place, &heading) in course.places.iter().zip(&course.headings) {
            let left = Vec2::new(libm::cosf(heading), -libm::sinf(heading));
            let here = [0.0, beside, -beside].map(|aside| {
                let at = place + left * aside;
                let (from, depth) = level.map_or((1e4, 2e4), |level| (level + look, 2.0 * look));
                world.ground.probe(Vec3::new(at.x, from, at.y), depth).map(|hit| hit.point.y)
            });
            let steps = |(here, before): (&Option<f32>, &Option<f32>)| match (here, before) {
                (Some(here), Some(before)) => (here - before).abs() > edge,
                _ => false,
            };
            let is_step = here[0].is_none() || here.iter().zip(&before).any(steps);
            has_steps |= is_step;
            edges.push(is_step || here.contains(&None));
            let own = here[0].or(level).unwrap_or(0.0);
            (level, before) = (Some(own), here);
            heights.push(own);
        }
        // Beside a level way there may be nothing: feet are kept off rims anyway.
        if !has_steps {
            return None;
        }
        let reach = (near / course.spacing.max(1e-3)).ceil() as usize;
        let near =
            |k: usize| edges[k.saturating_sub(reach)..(k + reach + 1).min(count)].contains(&true);
        let near_edge = (0..count).map(near).collect();
        Some(Self { course, world, vocabulary, settings, heights, near_edge })
    }

    fn sample(&self, way: f32) -> usize {
        let at = (way / self.course.spacing.max(1e-6)).round().max(0.0);
        (at as usize).min(self.heights.len() - 1)
    }

    /// Whether feet have to be put with care there.
    pub fn is_near_edge(&self, way: f32) -> bool {
        self.near_edge[self.sample(way)]
    }

    /// Whether feet have to be put with care, sample by sample of the way.
    pub fn near_edges(&self) -> &[bool] {
        &self.near_edge
    }

    /// The footprint of somebody who walks the way.
    pub fn print(&self, foot: usize, way: f32) -> PlanarPrint {
        let place = self.course.at(way).then(&self.vocabulary.stepping[foot]);
        PlanarPrint { foot, place, fixed: true }
    }

    /// How good a place for a foot is; none if it cannot stand there at all.
    pub fn place(&self, foot: usize, way: f32) -> Option<RoughPlace> {
        let expected = self.heights[self.sample(way)];
        if !self.is_near_edge(way) {
            return Some(RoughPlace { height: expected, cost: 0.0 });
        }
        let (set, leg) = (self.settings, self.vocabulary.leg);
        let [look, even, margin] = [set.look, set.broken, set.near].map(|part| part * leg);
        let place = self.print(foot, way).place;
        let FootShape { heel, ball, tip, .. } = self.vocabulary.rest.shapes[foot];
        let point = |aside: f32, ahead: f32| {
            place.then(&Planar::new(Vec2::new(aside, ahead), 0.0)).position
        };
        let height = |aside: f32, ahead: f32| {
            let at = point(aside, ahead);
            let from = Vec3::new(at.x, expected + look, at.y);
            self.world.ground.probe(from, 2.0 * look).map(|hit| hit.point.y)
        };
        let [low, middle, high] = [heel, 0.0, ball].map(|ahead| height(0.0, ahead));
        let (middle, high) = (middle?, high?);
        let slope = low.map_or(0.0, |low| (high - low) / (ball - heel).max(0.01));
        let steep = slope.abs() > set.steepest;
        let slope = if steep { 0.0 } else { slope };
        let plane = |ahead: f32| middle + slope * ahead;
        let is_off =
            |found: Option<f32>, ahead: f32| found.is_none_or(|y| (y - plane(ahead)).abs() > even);
        let half_width = half_width(tip - heel, leg);
        let mut hanging = u32::from(steep) + u32::from(is_off(low, heel));
        hanging += u32::from(is_off(Some(high), ball));
        for (aside, ahead) in [(0.0, tip), (half_width, ball), (-half_width, ball)] {
            hanging += u32::from(is_off(height(aside, ahead), ahead));
        }
        for ahead in [heel, 0.0, tip] {
            let at = point(0.0, ahead);
            hanging += u32::from((self.world.walkable)(at).distance(at) > 0.5 * margin);
        }
        let is_tight = |ahead: f32| is_off(height(0.0, ahead), ahead);
        let tight: f32 = [1.0, 0.5]
            .iter()
            .zip(set.tight)
            .map(|(part, cost)| {
                let ends = [heel - part * margin, tip + part * margin].map(is_tight);
                cost * ends.iter().filter(|tight| **tight).count() as f32
            })
            .sum();
        let highest = low.unwrap_or(middle).max(high).max(middle);
        let height = if hanging > 0 { highest } else { middle };
        Some(RoughPlace { height, cost: set.hanging * hanging as f32 + tight })
    }
}
