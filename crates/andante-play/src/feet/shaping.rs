//! How a swing is shaped: what is in a foot's way is gone round, and what is left risen above.

use crate::Footprint;
use crate::feet::foothold::Sensor;
use crate::feet::lift::{CHECKS, LiftCurve};
use crate::feet::settings::SwingSettings;
use crate::feet::shaped::Shaped;
use crate::feet::swing::SwingShape;
use crate::ground::clip::flat;
use crate::ground::ends::SwingEnds;
use crate::ground::turns::{Turning, landing, leaving};
use andante_skeleton::rotation;
use glam::Vec3;

/// Moments at which a swing is checked, and those between.
const MOMENTS: usize = 2 * CHECKS - 1;
/// Rounding.
const NOTHING: f32 = 1e-5;
/// A swing in the making: corrections that carry a foot over the ground between its prints with the room it has in the
/// clip. As much as can be done smoothly is done; nothing where nothing is in the way.
///
/// Edges take more work than all else in a frame together. It is known long before the foot leaves, so it is done task by
/// task.
#[derive(Clone, Debug)]
pub(crate) struct Shaping {
    swing: SwingShape,
    shaped: Shaped,
    moments: [ShapingMoment; MOMENTS],
    next: Option<ShapingTask>,
}

/// What is done about edges, in this order.
#[derive(Clone, Copy, Debug)]
enum ShapingTask {
    /// A way round those near the print that is left, and near the one that is landed on.
    Leave,
    Land,
    /// What is still in the way is risen above.
    Rise,
}

/// A sole at a moment of a swing: its points, the room below each that the clip has, and when it is.
#[derive(Clone, Copy, Debug, Default)]
struct ShapingMoment {
    points: [Vec3; 3],
    rooms: [f32; 3],
    u: f32,
}

impl ShapingMoment {
    /// How much higher the sole has to be above ground of these heights; below zero if it is high enough.
    fn lacks(&self, heights: &[f32; 3]) -> f32 {
        let lacks = |point: usize| heights[point] + self.rooms[point] - self.points[point].y;
        (0..3).map(lacks).fold(f32::NEG_INFINITY, f32::max)
    }
}

impl Shaping {
    /// Looks at what is in the way between two prints.
    pub fn new(prints: [Footprint; 2], ends: &SwingEnds, sensor: &mut Sensor) -> Self {
        let detour_part = sensor.feet.swing.detour_part;
        let free = SwingShape::free(ends, Some(ends.from.flatter[1]), &sensor.feet.swing);
        let swing = SwingShape { detour_part, ..free };
        let shaped = Shaped::for_ground(prints, sensor);
        let moments = [ShapingMoment::default(); MOMENTS];
        let mut shaping = Self { swing, shaped, moments, next: None };
        let mut way = SwingSurvey::new(ends, &swing, sensor);
        let mut lacks = [f32::NEG_INFINITY; MOMENTS];
        let mut edges = false;
        let mut before: Option<[f32; 3]> = None;
        let mut rise = [0.0; 3];
        for index in (1..MOMENTS).step_by(2) {
            let moment = way.moment(index);
            let heights = way.heights(&moment, Vec3::ZERO);
            lacks[index] = moment.lacks(&heights);
            if let Some(before) = before {
                // A slope rises on and on, an edge all at once.
                let rises: [f32; 3] = std::array::from_fn(|point| heights[point] - before[point]);
                edges |= (0..3).any(|point| (rises[point] - rise[point]).abs() > way.edge);
                rise = rises;
            }
            before = Some(heights);
            shaping.moments[index] = moment;
        }
        let unit = ends.clip.unit;
        if lacks.iter().any(|&lacks| lacks > NOTHING * unit) {
            if edges {
                shaping.next = Some(ShapingTask::Leave);
            } else {
                let set = &sensor.feet.swing;
                shaping.swing.rise_above(set, unit, &shaping.moments, &lacks);
            }
        }
        shaping
    }

    /// Whether it is for these prints.
    pub fn is_for(&self, prints: [Footprint; 2]) -> bool {
        self.shaped.is_for(prints)
    }

    /// Whether it is, over the ground as it is now.
    pub fn holds(&self, prints: [Footprint; 2], unit: f32, sensor: &mut Sensor) -> bool {
        self.shaped.holds(prints, unit, sensor)
    }

    /// The swing, and what it was shaped for, once there is nothing left to do.
    pub fn done(&self) -> Option<(SwingShape, Shaped)> {
        self.next.is_none().then_some((self.swing, self.shaped))
    }

    /// Does the next task.
    pub fn go_on(&mut self, ends: &SwingEnds, sensor: &mut Sensor) {
        let Self { swing, moments, .. } = self;
        let mut way = SwingSurvey::new(ends, swing, sensor);
        self.next = match self.next {
            Some(ShapingTask::Leave) => {
                // Edges may be passed between two checks: looks there too.
                for index in (0..MOMENTS).step_by(2) {
                    moments[index] = way.moment(index);
                }
                let climbs = ends.at.position.y > ends.from.at.position.y;
                let first = if climbs { -1.0 } else { 1.0 };
                swing.get_round(&mut way, &moments[1..CHECKS], 0, first);
                Some(ShapingTask::Land)
            }
            Some(ShapingTask::Land) => {
                swing.get_round(&mut way, &moments[CHECKS..MOMENTS - 1], 1, 1.0);
                Some(ShapingTask::Rise)
            }
            Some(ShapingTask::Rise) => {
                let lacks = swing.unlifted(&mut way, moments);
                let set = &way.sensor.feet.swing;
                swing.rise_above(set, ends.clip.unit, moments, &lacks);
                None
            }
            None => None,
        };
    }
}

impl SwingShape {
    /// Sends a foot ahead or back in one half of its swing, if that leaves less in its way.
    fn get_round(
        &mut self,
        way: &mut SwingSurvey,
        moments: &[ShapingMoment],
        half: usize,
        first: f32,
    ) {
        let (unit, mut best) = (way.ends.clip.unit, (f32::INFINITY, 0.0));
        let set = &way.sensor.feet.swing;
        let (excused, mut hardest) = (set.excused * unit, 0);
        let back = set.detours.iter().skip(1).map(|detour| -detour);
        for detour in set.detours.into_iter().chain(back) {
            self.aside[half] = first * detour * unit;
            let limit = excused.max(0.8 * best.0);
            match self.unmet(way, moments, limit, &mut hardest) {
                Some(unmet) if unmet <= excused => return,
                Some(unmet) if unmet < 0.8 * best.0 => best = (unmet, self.aside[half]),
                _ => {}
            }
        }
        self.aside[half] = best.1;
    }

    /// The most that a foot at some moments lacks beyond what it can be lifted; none if that is more than `limit`.
    /// `hardest`, the moment that told so the last time, is asked first: it is likely to tell again.
    fn unmet(
        &self,
        way: &mut SwingSurvey,
        moments: &[ShapingMoment],
        limit: f32,
        hardest: &mut usize,
    ) -> Option<f32> {
        let mut heights = [None; MOMENTS];
        let mut unmet = 0.0f32;
        for index in std::iter::once(*hardest).chain(0..moments.len()) {
            let lacks = self.lacks(way, moments, index, &mut heights);
            unmet = unmet.max(lacks - way.most(moments[index].u));
            if unmet > limit {
                *hardest = index;
                return None;
            }
        }
        Some(unmet)
    }

    /// How much higher the sole has to be at some moments, if it is not lifted.
    fn unlifted(
        &self,
        way: &mut SwingSurvey,
        moments: &[ShapingMoment; MOMENTS],
    ) -> [f32; MOMENTS] {
        let mut heights = [None; MOMENTS];
        std::array::from_fn(|index| self.lacks(way, moments, index, &mut heights))
    }

    /// How much higher the sole has to be at one of some moments, if it is not lifted. Where an edge is passed
    /// between two of them it has to be above it at both. What is asked of the ground is kept in `heights`.
    fn lacks(
        &self,
        way: &mut SwingSurvey,
        moments: &[ShapingMoment],
        index: usize,
        heights: &mut [Option<[f32; 3]>; MOMENTS],
    ) -> f32 {
        let mut below = |index: usize| {
            *heights[index].get_or_insert_with(|| {
                let moment = &moments[index];
                way.heights(moment, self.detour(way.ends.direction, moment.u))
            })
        };
        let own = below(index);
        let before = below(index.saturating_sub(1));
        let after = below((index + 1).min(moments.len() - 1));
        let above = std::array::from_fn(|point| {
            let highest = own[point].max(before[point]).max(after[point]);
            if highest - own[point] > way.edge { highest } else { own[point] }
        });
        moments[index].lacks(&above)
    }

    /// Lifts a foot over what is in its way.
    fn rise_above(
        &mut self,
        set: &SwingSettings,
        unit: f32,
        moments: &[ShapingMoment; MOMENTS],
        unlifted: &[f32; MOMENTS],
    ) {
        let mut needs = [0.0f32; CHECKS + 1];
        for round in 0..3 {
            let mut missing = 0.0f32;
            for (index, (moment, unlifted)) in moments.iter().zip(unlifted).enumerate() {
                if *unlifted <= 0.0 {
                    continue;
                }
                let lift = self.lift.at(moment.u);
                let lacks = unlifted - lift;
                if lacks <= NOTHING * unit {
                    continue;
                }
                let spare = set.spare(lacks, moment.u, unit);
                let spare = if round == 0 { spare } else { 1e-3 * unit };
                missing = missing.max(lacks);
                for need in &mut needs[index.div_ceil(2)..=index / 2 + 1] {
                    *need = need.max(lift + lacks + spare);
                }
            }
            if missing <= 0.0 {
                break;
            }
            for (index, need) in needs.iter_mut().enumerate() {
                *need = need.min(set.highest(index as f32 / CHECKS as f32, unit));
            }
            self.lift = LiftCurve::above(&needs);
        }
    }
}

/// What a foot comes by on its way.
struct SwingSurvey<'a, 'b> {
    ends: &'a SwingEnds<'a>,
    turning: Turning,
    flatter: [f32; 2],
    /// About how high the ground is, and a rise of it that is an edge.
    expected: f32,
    edge: f32,
    sensor: &'a mut Sensor<'b>,
}

impl<'a, 'b> SwingSurvey<'a, 'b> {
    fn new(ends: &'a SwingEnds<'a>, swing: &SwingShape, sensor: &'a mut Sensor<'b>) -> Self {
        let expected = 0.5 * (ends.from.at.position.y + ends.at.position.y);
        let &SwingShape { turning, flatter, .. } = swing;
        Self {
            ends,
            turning,
            flatter,
            expected,
            edge: sensor.feet.swing.edge * ends.clip.unit,
            sensor,
        }
    }

    /// The sole at a check, or halfway between two: both are counted from half a check on.
    fn moment(&self, index: usize) -> ShapingMoment {
        let SwingEnds { clip, foot, .. } = *self.ends;
        let unit = clip.unit;
        let u = 0.5 * (index + 1) as f32 / CHECKS as f32;
        let (start, end) = (self.ends.from.end, self.ends.to.landing);
        let sample = clip.sample(foot, start + u * (end - start));
        let placed = self.ends.fitted(u, self.turning.at(u), &sample.ankle);
        let flatter = [self.flatter[0] * landing(u), self.flatter[1] * leaving(u)];
        let placed = placed.rolling(clip, foot, &sample).flattened(flatter, &sample);
        let place = |point: Vec3| {
            placed.ankle.translation + placed.turn * (point - sample.ankle.translation)
        };
        let [heel, mut ball, mut tip] = sample.sole().map(place);
        if placed.toes != Vec3::ZERO {
            let (toe, bend) = (place(sample.toe), rotation::exp(placed.toes));
            (ball, tip) = (toe + bend * (ball - toe), toe + bend * (tip - toe));
        }
        let set = &self.sensor.feet.swing;
        let rooms = sample.sole().map(|point| set.room(point.y - clip.height, u, unit));
        ShapingMoment { points: [heel, ball, tip], rooms, u }
    }

    /// The highest lift at a part of the swing.
    fn most(&self, u: f32) -> f32 {
        self.sensor.feet.swing.highest(u, self.ends.clip.unit)
    }

    /// How high the ground is below the points of a sole that has been moved aside.
    fn heights(&mut self, moment: &ShapingMoment, aside: Vec3) -> [f32; 3] {
        let mut below = |point: Vec3| {
            let height = self.sensor.height(flat(point + aside), self.expected);
            height.unwrap_or(f32::NEG_INFINITY)
        };
        let [heel, ball, tip] = moment.points;
        [below(heel), below(ball), below(tip)]
    }
}
