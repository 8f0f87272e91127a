//! Ground on which not every place is as good for a foot as the next.

use super::StepGround;
use super::course::SampledCourse;
use super::footprint::PlanarPrint;
use super::play::highest_around;
use super::vocabulary::{FootShape, Vocabulary};
use andante_play::feet::{FeetSettings, FootholdSettings};
use andante_skeleton::Planar;
use glam::{Vec2, Vec3};

/// The ground along a way, with its edges and slopes.
pub(super) struct Rough<'a> {
    course: &'a SampledCourse,
    world: &'a StepGround<'a>,
    vocabulary: &'a Vocabulary,
    settings: &'a FeetSettings,
    /// Height of the ground below each sample of the way; where there is none, that before it.
    heights: Vec<f32>,
    /// Slope of the ground across each sample, as a tangent.
    slants: Vec<f32>,
    /// Whether feet have to be put with care, sample by sample; nothing if that is nowhere so.
    near_edge: Vec<bool>,
}

/// A place for a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RoughPlace {
    pub height: f32,
    pub cost: f32,
}

impl<'a> Rough<'a> {
    /// The ground along a way that begins at a level and ends at another.
    pub fn along(
        course: &'a SampledCourse,
        world: &'a StepGround<'a>,
        vocabulary: &'a Vocabulary,
        settings: &'a FeetSettings,
        level: &mut Option<f32>,
    ) -> Self {
        let FootholdSettings { beside, look, broken, care, .. } = settings.foothold;
        let [beside, look, edge, near] =
            [beside, look, broken, care].map(|part| part * vocabulary.leg);
        let count = course.places.len();
        let [mut heights, mut slants] = [0, 1].map(|_| Vec::with_capacity(count));
        let (mut edges, mut has_steps) = (Vec::with_capacity(count), false);
        let mut before: [Option<f32>; 3] = [None; 3];
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
            let own = here[0].or(*level).unwrap_or(0.0);
            (*level, before) = (Some(own), here);
            heights.push(own);
            let slant =
                |[_, left, right]: [Option<f32>; 3]| Some((left? - right?).abs() / (2.0 * beside));
            slants.push(slant(here).filter(|_| !is_step).unwrap_or(0.0));
        }
        // Beside a way without steps there may be nothing: feet are kept off rims anyway.
        if !has_steps {
            let near_edge = Vec::new();
            return Self { course, world, vocabulary, settings, heights, slants, near_edge };
        }
        let reach = (near / course.spacing.max(1e-3)).ceil() as usize;
        let near =
            |k: usize| edges[k.saturating_sub(reach)..(k + reach + 1).min(count)].contains(&true);
        let near_edge = (0..count).map(near).collect();
        Self { course, world, vocabulary, settings, heights, slants, near_edge }
    }

    /// True if there are steps on the way.
    pub fn has_steps(&self) -> bool {
        !self.near_edge.is_empty()
    }

    /// The steepest slope of the ground within a length of each sample, as a tangent. Steps are no slopes.
    pub fn slopes(&self, near: [f32; 2]) -> [Vec<f32>; 2] {
        let (count, spacing) = (self.heights.len(), self.course.spacing.max(1e-3));
        let samples = |length: f32| (length / spacing).ceil().max(1.0) as usize;
        let foot = samples(0.15 * self.vocabulary.leg);
        let slope = |k: usize| {
            let (a, b) = (k.saturating_sub(foot), (k + foot).min(count - 1));
            let broken = self.has_steps() && self.near_edge[a..=b].contains(&true);
            let rise = self.heights[b] - self.heights[a];
            let along = rise / ((b - a).max(1) as f32 * spacing);
            if broken { 0.0 } else { (along * along + self.slants[k] * self.slants[k]).sqrt() }
        };
        let own: Vec<f32> = (0..count).map(slope).collect();
        near.map(|length| highest_around(&own, samples(length)))
    }

    fn sample(&self, way: f32) -> usize {
        let at = (way / self.course.spacing.max(1e-6)).round().max(0.0);
        (at as usize).min(self.heights.len() - 1)
    }

    /// True if feet have to be put with care there.
    pub fn is_near_edge(&self, way: f32) -> bool {
        self.has_steps() && self.near_edge[self.sample(way)]
    }

    /// Seconds that a foot needs which is carried from one place of the way to another: more where it has to be led round
    /// the other one besides.
    pub fn seconds(&self, from: f32, to: f32) -> f32 {
        let turn = (self.course.at(to).heading - self.course.at(from).heading).abs();
        let [from, to] = [from, to].map(|way| self.heights[self.sample(way)]);
        let seconds = self.settings.swing.seconds(to - from, self.vocabulary.leg);
        seconds * (1.0 + self.vocabulary.settings.strides.turning * turn)
    }

    /// The samples of the way at which feet have to be put with care.
    pub fn near_edges(&self) -> &[bool] {
        &self.near_edge
    }

    /// The footprint of somebody who walks the way.
    pub fn print(&self, foot: usize, way: f32) -> PlanarPrint {
        let place = self.course.at(way).then(&self.vocabulary.stepping[foot]);
        PlanarPrint { foot, place, fixed: true }
    }

    /// The worth of a place for a foot; none if it cannot stand there at all.
    pub fn place(&self, foot: usize, way: f32) -> Option<RoughPlace> {
        let expected = self.heights[self.sample(way)];
        if !self.is_near_edge(way) {
            return Some(RoughPlace { height: expected, cost: 0.0 });
        }
        let (set, leg) = (&self.settings.foothold, self.vocabulary.leg);
        let place = self.print(foot, way).place;
        let FootShape { heel, ball, tip, .. } = self.vocabulary.rest.shapes[foot];
        let (ground, sole) = (self.world.ground, [heel, ball, tip]);
        let (height, lies) = self.settings.lying(ground, place, expected, sole, leg)?;
        let is_off = |ahead: &&f32| {
            let at = place.then(&Planar::new(Vec2::new(0.0, **ahead), 0.0)).position;
            (self.world.walkable)(at).distance(at) > 0.5 * set.near * leg
        };
        let off = [heel, 0.0, tip].iter().filter(is_off).count();
        let cost = (0.5 * lies).min(25.0 * set.hanging) + set.hanging * off as f32;
        Some(RoughPlace { height, cost })
    }
}
