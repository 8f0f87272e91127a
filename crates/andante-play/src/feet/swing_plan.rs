//! How a foot in the air gets over what lies between its prints: where it is led, and how long that takes.

use super::settings::SwingSettings;
use super::swing_curve::SwingCurve;
use crate::ground::curve::smooth;
use crate::ground::turns::leaving;
use glam::{Quat, Vec2, Vec3};

mod passing;

pub use passing::StandingFoot;

/// Rounding, in leg lengths.
const NOTHING: f32 = 1e-5;
/// Places ahead and behind that are tried at each moment, and the one in the middle.
const SHIFTS: usize = 2 * MIDDLE + 1;
const MIDDLE: usize = 9;
/// Points of a sole that are kept out of the ground: heel, ball, the middle of the toes, and tip.
const POINTS: usize = 4;
/// Moments around which the ground is looked at in one go.
const LOOKS: usize = 4;

/// A foot at a moment of its swing, as it is if nothing leads it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SwingMoment {
    /// Where its leg begins.
    pub hip: Vec3,
    /// The ankle.
    pub ankle: Vec3,
    /// The joint of the toes.
    pub toe: Vec3,
    /// Heel, ball and tip.
    pub sole: [Vec3; 3],
    /// How high these are above the ground in the motion.
    pub heights: [f32; 3],
    /// How high the ankle is in the motion.
    pub own_height: f32,
    /// The angle between shank and foot in the motion, in radians.
    pub own_angle: f32,
    /// The foot that stands meanwhile.
    pub beside: Option<StandingFoot>,
}

impl SwingMoment {
    /// Between this moment and another.
    pub fn lerp(&self, next: &Self, t: f32) -> Self {
        let between = |a: f32, b: f32| a + (b - a) * t;
        let three = |point: usize| self.sole[point].lerp(next.sole[point], t);
        Self {
            hip: self.hip.lerp(next.hip, t),
            ankle: self.ankle.lerp(next.ankle, t),
            toe: self.toe.lerp(next.toe, t),
            sole: std::array::from_fn(three),
            heights: std::array::from_fn(|i| between(self.heights[i], next.heights[i])),
            own_height: between(self.own_height, next.own_height),
            own_angle: between(self.own_angle, next.own_angle),
            beside: if t < 0.5 { self.beside } else { next.beside },
        }
    }
}

/// The brief of a swing: what all its moments share.
#[derive(Clone, Copy, Debug)]
pub struct SwingBrief {
    /// From the print that is left to the one that is landed on.
    pub way: Vec3,
    /// The way the foot points, seen from above.
    pub heading: f32,
    /// How long it takes in the motion.
    pub seconds: f32,
    /// Length of the leg.
    pub unit: f32,
    /// Thigh and shank of a leg whose ankle has a range to keep.
    pub bones: Option<[f32; 2]>,
    /// Room that is wanted in the middle of the swing whatever the motion has, in metres.
    pub least: f32,
    /// How deep a tip may be in even ground that the foot leaves, in metres: its toes are bent then.
    pub toes_give: f32,
}

impl SwingBrief {
    /// The angle between shank and foot, in radians.
    pub fn ankle_angle(&self, hip: Vec3, ankle: Vec3, toe: Vec3) -> f32 {
        let Some([thigh, shank]) = self.bones else { return std::f32::consts::PI };
        let (leg, foot) = (hip - ankle, toe - ankle);
        let length = leg.length().clamp((thigh - shank).abs() + 1e-4, thigh + shank);
        let cos = (shank * shank + length * length - thigh * thigh) / (2.0 * shank * length);
        let along = leg.normalize_or(Vec3::Y);
        let ahead = Quat::from_rotation_y(self.heading) * Vec3::Z;
        let knee = (ahead - along * ahead.dot(along)).normalize_or_zero();
        let cos = cos.clamp(-1.0, 1.0);
        let shank = along * cos + knee * (1.0 - cos * cos).sqrt();
        libm::acosf(shank.dot(foot.normalize_or_zero()).clamp(-1.0, 1.0))
    }
}

/// The planned path of one foot through a swing, besides what its motion does, with the time it takes longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingPath {
    lift: SwingCurve,
    ahead: SwingCurve,
    aside: SwingCurve,
    droop: SwingCurve,
    /// The way from print to print, the way past the other foot, and the axis about which toes hang lower.
    direction: Vec2,
    outward: Vec2,
    across: Vec3,
    /// Time that the swing takes, over that of the motion.
    pub slower: f32,
}

impl Default for SwingPath {
    fn default() -> Self {
        let [lift, ahead, aside, droop] = [SwingCurve::default(); 4];
        let (direction, outward) = (Vec2::ZERO, Vec2::ZERO);
        Self { lift, ahead, aside, droop, direction, outward, across: Vec3::X, slower: 1.0 }
    }
}

impl SwingPath {
    /// True if the foot is left alone.
    pub fn is_free(&self) -> bool {
        let Self { lift, ahead, aside, droop, .. } = self;
        [lift, ahead, aside, droop].iter().all(|curve| **curve == SwingCurve::default())
    }

    /// The offset of the foot at a part of the swing, and the rotation about its ankle.
    pub fn at(&self, part: f32) -> (Vec3, Quat) {
        if self.is_free() {
            return (Vec3::ZERO, Quat::IDENTITY);
        }
        (self.shift(part, self.ahead.at(part)), self.turn(part))
    }

    fn shift(&self, part: f32, ahead: f32) -> Vec3 {
        let way = self.direction * ahead + self.outward * self.aside.at(part);
        Vec3::new(way.x, self.lift.at(part), way.y)
    }

    fn turn(&self, part: f32) -> Quat {
        match self.droop.at(part) {
            0.0 => Quat::IDENTITY,
            angle => Quat::from_axis_angle(self.across, angle),
        }
    }
}

/// A swing in the making: path and time that carry a foot over the ground between its prints with the room it has in its
/// motion, without an ankle that moves faster than ankles do. Nothing is done where nothing is in the way.
///
/// Edges take most of the work. It is known long before the foot leaves, so it is done bit by bit.
#[derive(Clone, Debug)]
pub struct SwingPlan {
    brief: SwingBrief,
    moments: [SwingMoment; SwingCurve::KNOTS],
    /// What is lacking at each moment and place; a NaN where that has not been looked at.
    needs: [[f32; SHIFTS]; SwingCurve::KNOTS],
    path: SwingPath,
    /// There are edges between the prints.
    edges: bool,
    /// Edges are looked at between the ball and the tip of toes, too.
    close: bool,
    /// Moments around which the ground has been looked at.
    looked: usize,
    is_done: bool,
}

impl SwingPlan {
    /// Looks at what is in the way.
    pub fn new(
        brief: SwingBrief,
        moments: impl FnMut(usize) -> SwingMoment,
        set: &SwingSettings,
        ground: &mut dyn FnMut(Vec2) -> f32,
    ) -> Self {
        let moments: [SwingMoment; SwingCurve::KNOTS] = {
            let mut moments = moments;
            std::array::from_fn(&mut moments)
        };
        let direction = Vec2::new(brief.way.x, brief.way.z).normalize_or_zero();
        let across = Quat::from_rotation_y(brief.heading) * Vec3::X;
        let path = SwingPath { direction, across, ..SwingPath::default() };
        let needs = [[f32::NAN; SHIFTS]; SwingCurve::KNOTS];
        let mut plan = Self {
            brief,
            moments,
            needs,
            path,
            edges: false,
            close: false,
            looked: 1,
            is_done: true,
        };
        plan.pass_by(set, ground);
        let heights: [[f32; POINTS]; SwingCurve::KNOTS] =
            std::array::from_fn(|index| plan.heights(index, 0.0, ground));
        // A slope rises on and on, an edge all at once.
        let is_edge = |near: &[[f32; POINTS]]| {
            let bend = |point: usize| near[2][point] - 2.0 * near[1][point] + near[0][point];
            (0..POINTS).any(|point| bend(point).abs() > set.edge * brief.unit)
        };
        plan.edges = heights.windows(3).any(is_edge);
        for (index, heights) in heights.iter().enumerate() {
            plan.needs[index][MIDDLE] = plan.lacks(index, heights, set);
        }
        plan.edges &= plan.needs.iter().any(|needs| needs[MIDDLE] > NOTHING * brief.unit);
        if plan.edges {
            let needed = set.seconds(brief.way.y, brief.unit) / brief.seconds.max(0.05);
            plan.path.slower = needed.clamp(1.0, set.slowest);
            plan.is_done = false;
        } else {
            plan.rise_above(set, ground);
        }
        plan
    }

    /// A swing made in one go.
    pub fn path(
        brief: SwingBrief,
        moments: impl FnMut(usize) -> SwingMoment,
        set: &SwingSettings,
        ground: &mut dyn FnMut(Vec2) -> f32,
    ) -> SwingPath {
        let mut plan = Self::new(brief, moments, set, ground);
        while !plan.is_done {
            plan.go_on(set, ground);
        }
        plan.path
    }

    /// The swing, once there is nothing left to do.
    pub fn done(&self) -> Option<SwingPath> {
        self.is_done.then_some(self.path)
    }

    /// Does a bit of the work: looks for a way round edges in the time there is, and for more time if there is none.
    pub fn go_on(&mut self, set: &SwingSettings, ground: &mut dyn FnMut(Vec2) -> f32) {
        if self.is_done {
            return;
        }
        if self.looked < SwingCurve::PARTS {
            let until = (self.looked + LOOKS).min(SwingCurve::PARTS);
            for index in self.looked..until {
                for shift in places(index) {
                    self.need(index, shift, set, ground);
                }
            }
            self.looked = until;
            return;
        }
        let (shifts, unmet) = self.get_round(set, ground);
        let more = self.path.slower * set.slow_step;
        if unmet > set.excused * self.brief.unit && more <= set.slowest {
            self.path.slower = more;
            return;
        }
        self.path.ahead = SwingCurve::near(&shifts);
        // Hooves have no toes.
        self.close = self.brief.bones.is_some();
        self.rise_above(set, ground);
        self.is_done = true;
    }

    /// How much higher than it is an ankle can be at each moment, rising and falling no faster than ankles do.
    fn reachable(&self, set: &SwingSettings) -> [f32; SwingCurve::KNOTS] {
        let SwingBrief { seconds, .. } = self.brief;
        let part = seconds * self.path.slower / SwingCurve::PARTS as f32;
        let [rise, fall] = self.quickest(set);
        let hardest = set.hardest;
        let height = |index: usize| self.moments[index].ankle.y;
        let last = SwingCurve::PARTS;
        let begins = ((height(2) - height(0)) / (2.0 * part)).clamp(0.0, rise);
        let ends = ((height(last - 2) - height(last)) / (2.0 * part)).clamp(0.0, fall);
        let reached = |time: f32, from: f32, top: f32| {
            let speeding = ((top - from) / hardest).clamp(0.0, time);
            from * time + 0.5 * hardest * speeding * (2.0 * time - speeding)
        };
        std::array::from_fn(|index| {
            let up = height(0) + reached(part * index as f32, begins, rise);
            let down = height(last) + reached(part * (last - index) as f32, ends, fall);
            (up.min(down) - height(index)).max(0.0)
        })
    }

    /// How fast the ankle may rise and fall: as in the motion, or as fast as ankles do.
    fn quickest(&self, set: &SwingSettings) -> [f32; 2] {
        let SwingBrief { seconds, unit, .. } = self.brief;
        let own = speeds(&self.moments.map(|moment| moment.own_height), seconds);
        let scale = (unit / 0.85).sqrt();
        std::array::from_fn(|way| (set.quickest[way] * scale).max(own[way]))
    }

    /// Chooses where along its way the foot is at each moment, so that it can be above what is there: held back before it
    /// rises, sent ahead before it falls. Returns what it lacks nevertheless.
    fn get_round(
        &mut self,
        set: &SwingSettings,
        ground: &mut dyn FnMut(Vec2) -> f32,
    ) -> ([f32; SwingCurve::KNOTS], f32) {
        let step = set.shift * self.brief.unit;
        let most = self.reachable(set);
        let last = SwingCurve::PARTS;
        let mut from = [[MIDDLE as u8; SHIFTS]; SwingCurve::KNOTS];
        let mut costs = [f32::INFINITY; SHIFTS];
        costs[MIDDLE] = 0.0;
        for index in 1..last {
            let mut next = [f32::INFINITY; SHIFTS];
            for shift in places(index) {
                let need = self.need(index, shift, set, ground).max(0.0) / step;
                let unmet = (need - most[index] / step).max(0.0);
                let away = shift as f32 - MIDDLE as f32;
                let own = set.lifting * need * need + 40.0 * unmet * unmet + 0.03 * away * away;
                let near = shift.saturating_sub(2)..=(shift + 2).min(SHIFTS - 1);
                for (before, cost) in near.clone().zip(&costs[near]) {
                    let moved = shift as f32 - before as f32;
                    let total = cost + own + moved * moved;
                    if total < next[shift] {
                        next[shift] = total;
                        from[index][shift] = before as u8;
                    }
                }
            }
            costs = next;
        }
        let mut shifts = [0.0; SwingCurve::KNOTS];
        let (mut shift, mut unmet) = (MIDDLE, 0.0f32);
        for index in (1..last).rev() {
            shifts[index] = (shift as f32 - MIDDLE as f32) * step;
            unmet = unmet.max(self.needs[index][shift] - most[index]);
            shift = usize::from(from[index][shift]);
        }
        (shifts, unmet)
    }

    /// What the foot lacks at a moment and one of the places ahead and behind.
    fn need(
        &mut self,
        index: usize,
        shift: usize,
        set: &SwingSettings,
        ground: &mut dyn FnMut(Vec2) -> f32,
    ) -> f32 {
        if self.needs[index][shift].is_nan() {
            let ahead = (shift as f32 - MIDDLE as f32) * set.shift * self.brief.unit;
            let heights = self.heights(index, ahead, ground);
            self.needs[index][shift] = self.lacks(index, &heights, set);
        }
        self.needs[index][shift]
    }

    /// The points of the sole at a moment, with toes that hang lower.
    fn sole(&self, index: usize) -> [Vec3; POINTS] {
        let SwingMoment { ankle, sole, .. } = self.moments[index];
        let turn = self.path.turn(index as f32 / SwingCurve::PARTS as f32);
        let [heel, ball, tip] = sole.map(|point| ankle + turn * (point - ankle));
        [heel, ball, if self.close { ball.midpoint(tip) } else { ball }, tip]
    }

    /// How high the ground is below the points of the sole, so far ahead.
    fn heights(
        &self,
        index: usize,
        ahead: f32,
        ground: &mut dyn FnMut(Vec2) -> f32,
    ) -> [f32; POINTS] {
        self.heights_at(
            index,
            self.path.shift(index as f32 / SwingCurve::PARTS as f32, ahead),
            ground,
        )
    }

    /// How high it is below a sole that is led elsewhere.
    fn heights_at(
        &self,
        index: usize,
        by: Vec3,
        ground: &mut dyn FnMut(Vec2) -> f32,
    ) -> [f32; POINTS] {
        let [heel, ball, middle, tip] = self.sole(index);
        let mut below = |point: Vec3| ground(Vec2::new(point.x + by.x, point.z + by.z));
        let [heel, ball, tip] = [heel, ball, tip].map(&mut below);
        [heel, ball, if self.close { below(middle) } else { ball }, tip]
    }

    /// How much higher the sole has to be above ground of these heights; below zero if it is high enough.
    fn lacks(&self, index: usize, heights: &[f32; POINTS], set: &SwingSettings) -> f32 {
        let part = index as f32 / SwingCurve::PARTS as f32;
        let sole = self.sole(index);
        let bump = (4.0 * part * (1.0 - part)).powi(2);
        let [heel, ball, tip] = self.moments[index].heights;
        let middle = if self.close { 0.5 * (ball + tip) } else { ball };
        let own_heights = [heel, ball, middle, tip];
        let lacks = |point: usize| {
            let own = set.room(own_heights[point], part, self.brief.unit);
            let least = self.brief.least * bump;
            let room = if least > 0.0 { own.max(least) } else { own };
            // Toes that are beyond an edge already have nothing to be bent by.
            let level = (heights[3] - heights[1]).abs() < 0.01 * self.brief.unit;
            let bends = point == 3 && (level || !self.edges);
            let give = if bends { self.brief.toes_give * leaving(part) } else { 0.0 };
            heights[point] + room - give - sole[point].y
        };
        (0..POINTS).map(lacks).fold(-self.brief.unit, f32::max)
    }

    /// How high the ground is below the sole at each moment. Where an edge is passed between two of them, in a foot's
    /// quickest part, the sole has to be above it at both.
    fn all_heights(
        &self,
        set: &SwingSettings,
        ground: &mut dyn FnMut(Vec2) -> f32,
    ) -> [[f32; POINTS]; SwingCurve::KNOTS] {
        let own: [[f32; POINTS]; SwingCurve::KNOTS] = std::array::from_fn(|index| {
            let part = index as f32 / SwingCurve::PARTS as f32;
            self.heights(index, self.path.ahead.at(part), ground)
        });
        if !self.edges {
            return own;
        }
        let quick = if self.brief.bones.is_some() { 0.1 * self.brief.unit } else { 0.0 };
        let edge = set.edge * self.brief.unit;
        let way = |a: usize, b: usize| self.moments[a].ankle.distance(self.moments[b].ankle);
        std::array::from_fn(|index| {
            let near = [index.saturating_sub(1), (index + 1).min(SwingCurve::PARTS)];
            std::array::from_fn(|point| {
                let quickly = near.iter().filter(|&&other| way(index, other) > quick);
                let highest =
                    quickly.map(|&other| own[other][point]).fold(own[index][point], f32::max);
                if highest - own[index][point] > edge { highest } else { own[index][point] }
            })
        })
    }

    /// Lifts the foot over what is in its way, and lets its toes hang where the ankle would bend too far.
    fn rise_above(&mut self, set: &SwingSettings, ground: &mut dyn FnMut(Vec2) -> f32) {
        let SwingBrief { unit, seconds, .. } = self.brief;
        let part = |index: usize| index as f32 / SwingCurve::PARTS as f32;
        let mut needs = [0.0f32; SwingCurve::KNOTS];
        for round in 0..3 {
            self.path.droop = self.droop(set);
            let mut missing = 0.0f32;
            let below = self.all_heights(set, ground);
            // Where it leaves and lands nothing can be done.
            for (index, need) in needs.iter_mut().enumerate().take(SwingCurve::PARTS).skip(1) {
                let unlifted = self.lacks(index, &below[index], set);
                let lacks = unlifted - self.path.lift.at(part(index));
                if unlifted <= 0.0 || lacks <= NOTHING * unit {
                    continue;
                }
                let spare = (0.3 * lacks).min(set.spare * unit);
                let spare = spare * smooth(5.0 * part(index).min(1.0 - part(index)));
                let spare = if round == 0 { spare } else { 1e-3 * unit };
                missing = missing.max(lacks);
                *need = need.max(unlifted) + spare;
            }
            if missing <= 0.0 && (round > 0 || self.path.droop == SwingCurve::default()) {
                break;
            }
            self.path.lift = SwingCurve::over(&self.lifts(&needs, set), &needs);
        }
        let ankle = |index: usize| self.moments[index].ankle.y + self.path.lift.at(part(index));
        let made = speeds(&std::array::from_fn(ankle), seconds * self.path.slower);
        let quickest = self.quickest(set);
        let over = (made[0] / quickest[0]).max(made[1] / quickest[1]);
        if over > 1.02 {
            self.path.slower = (self.path.slower * over).min(set.slowest);
        }
    }

    /// The lift of an ankle that meets the needs no faster than ankles are: before and after each there is less of it. Over
    /// edges it goes the way of a taut string.
    fn lifts(
        &self,
        needs: &[f32; SwingCurve::KNOTS],
        set: &SwingSettings,
    ) -> [f32; SwingCurve::KNOTS] {
        let seconds = self.brief.seconds * self.path.slower / SwingCurve::PARTS as f32;
        let quickest = self.quickest(set).map(|speed| speed * seconds);
        let height = |index: usize| self.moments[index].ankle.y;
        let mut tops: [f32; SwingCurve::KNOTS] = std::array::from_fn(|index| {
            if needs[index] > 0.0 { height(index) + needs[index] } else { f32::NEG_INFINITY }
        });
        for index in 1..SwingCurve::KNOTS {
            tops[index] = tops[index].max(tops[index - 1] - quickest[1]);
        }
        for index in (0..SwingCurve::PARTS).rev() {
            tops[index] = tops[index].max(tops[index + 1] - quickest[0]);
        }
        if self.edges && needs.iter().any(|&need| need > 0.0) {
            (tops[0], tops[SwingCurve::PARTS]) = (height(0), height(SwingCurve::PARTS));
            tops = taut(&tops);
        }
        std::array::from_fn(|index| (tops[index] - height(index)).max(0.0))
    }

    /// How much lower toes have to hang over edges for the ankle to stay within its range. As far as the motion itself bends it, it
    /// may be bent.
    fn droop(&self, set: &SwingSettings) -> SwingCurve {
        if self.brief.bones.is_none() || !self.edges {
            return SwingCurve::default();
        }
        let bent = std::array::from_fn(|index| {
            let part = index as f32 / SwingCurve::PARTS as f32;
            let SwingMoment { hip, ankle, toe, own_angle, .. } = self.moments[index];
            let by = self.path.shift(part, self.path.ahead.at(part));
            let angle = self.brief.ankle_angle(hip, ankle + by, toe + by);
            (set.ankle_least.min(own_angle) - angle).max(0.0)
        });
        let mut curve = SwingCurve::above(&bent);
        // Toes hang no quicker than feet turn, even if the ankle is bent too far then.
        let looks = 4 * SwingCurve::PARTS;
        let hangs = |look: usize| curve.at(look as f32 / looks as f32);
        let quickest =
            (0..looks).map(|look| (hangs(look + 1) - hangs(look)).abs()).fold(0.0, f32::max);
        let allowed = 0.5 * set.turn_speed * self.brief.seconds * self.path.slower / looks as f32;
        if quickest > allowed {
            curve.scale(allowed / quickest);
        }
        curve
    }
}

/// Places that are tried at a moment: near the prints there is no time to be elsewhere.
fn places(index: usize) -> std::ops::RangeInclusive<usize> {
    let widest = index.min(SwingCurve::PARTS - index).min(MIDDLE);
    MIDDLE - widest..=MIDDLE + widest
}

/// A string pulled taut over heights, from the first to the last.
fn taut(heights: &[f32; SwingCurve::KNOTS]) -> [f32; SwingCurve::KNOTS] {
    let mut taut = *heights;
    let mut from = 0;
    while from < SwingCurve::PARTS {
        let slope = |to: usize| (heights[to] - heights[from]) / (to - from) as f32;
        let to = (from + 1..SwingCurve::KNOTS)
            .max_by(|&a, &b| slope(a).total_cmp(&slope(b)))
            .unwrap_or(SwingCurve::PARTS);
        let rise = slope(to);
        for (step, height) in taut[from..=to].iter_mut().enumerate() {
            *height = heights[from] + rise * step as f32;
        }
        from = to;
    }
    taut
}

/// The fastest rise and fall of heights over a swing, each over two of its parts.
fn speeds(heights: &[f32; SwingCurve::KNOTS], seconds: f32) -> [f32; 2] {
    let span = 2.0 * seconds.max(1e-3) / SwingCurve::PARTS as f32;
    heights.windows(3).fold([0.0f32; 2], |[rise, fall], near| {
        let speed = (near[2] - near[0]) / span;
        [rise.max(speed), fall.max(-speed)]
    })
}

impl SwingSettings {
    /// Room that a point of a sole keeps at a part of a swing, given its height in the motion; in metres, of a foot
    /// whose leg is `unit` long. Next to the prints there is hardly any, and what little there is shrinks with slopes.
    fn room(&self, height: f32, part: f32, unit: f32) -> f32 {
        let own = height.min(self.clearance * unit);
        if own > 0.0 { own * smooth(4.0 * part.min(1.0 - part)) } else { own }
    }

    /// The flatness of a landing, from 0 to 1, for a foot that goes a way to a print whose normal is `up`: on stairs
    /// nobody strikes with the heel, and uphill ankles are bent far enough without.
    pub fn lands_flat(&self, way: Vec3, up: Vec3, unit: f32) -> f32 {
        let length = way.with_y(0.0).length();
        if length < 0.05 * unit {
            return 0.0;
        }
        let (grade, slope) = (way.y / length, -up.dot(way.with_y(0.0)) / (length * up.y.max(0.1)));
        smooth(((grade - slope).abs() - 0.05) / 0.2).max(smooth((slope - 0.08) / 0.2))
    }

    /// Seconds that a swing takes which leads up or down by so much, if that is taken at the speed ankles have.
    pub fn seconds(&self, rise: f32, unit: f32) -> f32 {
        let quickest = self.quickest[usize::from(rise < 0.0)] * (unit / 0.85).sqrt();
        self.climb * rise.abs() / quickest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A foot that is carried from one place to another, a little above the line between them.
    fn moment(from: Vec3, to: Vec3, index: usize) -> SwingMoment {
        let part = index as f32 / SwingCurve::PARTS as f32;
        let height = 0.05 * (4.0 * part * (1.0 - part));
        let middle = from.lerp(to, smooth(part)) + Vec3::Y * height;
        let sole = [-0.1, 0.08, 0.15].map(|ahead| middle + Vec3::Z * ahead);
        let ankle = middle + Vec3::new(0.0, 0.08, -0.05);
        let (hip, toe) = (ankle + Vec3::Y * 0.8, sole[1] + Vec3::Y * 0.02);
        let (own_height, own_angle) = (0.08 + height, std::f32::consts::PI);
        SwingMoment {
            hip,
            ankle,
            toe,
            sole,
            heights: [height; 3],
            own_height,
            own_angle,
            beside: None,
        }
    }

    fn brief(way: Vec3) -> SwingBrief {
        SwingBrief {
            way,
            heading: 0.0,
            seconds: 0.4,
            unit: 0.85,
            bones: None,
            least: 0.0,
            toes_give: 0.0,
        }
    }

    #[test]
    fn a_foot_passes_over_every_tread_up_and_down_no_faster_than_ankles_do() {
        let set = SwingSettings::default();
        for rise in [0.17f32, -0.17] {
            let from = Vec3::new(0.0, 0.0, 0.12);
            let to = from + Vec3::new(0.0, 2.0 * rise, 0.58);
            let mut ground = |place: Vec2| rise * (place.y / 0.29).floor();
            let brief = brief(to - from);
            let path = SwingPlan::path(brief, |index| moment(from, to, index), &set, &mut ground);
            let mut before: Option<f32> = None;
            for step in 0..=96 {
                let part = step as f32 / 96.0;
                let index = (part * 24.0) as usize;
                let (a, b) = (moment(from, to, index), moment(from, to, (index + 1).min(24)));
                let share = part * 24.0 - index as f32;
                let (by, _) = path.at(part);
                for (a, b) in a.sole.iter().zip(b.sole) {
                    let at = a.lerp(b, share) + by;
                    let floor = ground(Vec2::new(at.x, at.z));
                    assert!(at.y > floor - 6e-3, "{rise}: {} below at {part}", floor - at.y);
                }
                let height = a.ankle.lerp(b.ankle, share).y + by.y;
                let seconds = 0.4 * path.slower / 96.0;
                let speed = before.map_or(0.0, |before| (height - before) / seconds);
                assert!((-2.2..2.9).contains(&speed), "{rise}: {speed} m/s at {part}");
                before = Some(height);
            }
            assert!(path.slower > 1.0);
        }
    }

    #[test]
    fn a_foot_with_nothing_in_its_way_is_left_alone() {
        let to = Vec3::new(0.0, 0.0, 1.2);
        let set = SwingSettings::default();
        let moments = |index| moment(Vec3::ZERO, to, index);
        let path = SwingPlan::path(brief(to), moments, &set, &mut |_| 0.0);
        assert!(path.is_free() && path.slower == 1.0);
    }

    #[test]
    fn a_foot_passes_the_one_that_stands_on_its_own_side() {
        let to = Vec3::new(0.0, 0.0, 1.0);
        let set = SwingSettings::default();
        // A right foot in the way of a left one, a little to either side of it, or well to its left.
        for (x, led) in [(0.03, true), (-0.03, true), (0.1, true), (-0.3, false)] {
            let other = [Vec3::new(x, 0.0, 0.4), Vec3::new(x, 0.0, 0.6)];
            let beside = Some(StandingFoot::new(other, false));
            let moments = |index| SwingMoment { beside, ..moment(Vec3::ZERO, to, index) };
            let path = SwingPlan::path(brief(to), moments, &set, &mut |_| 0.0);
            let (by, _) = path.at(0.5);
            let wanted = if led { set.apart * 0.85 + x } else { 0.0 };
            assert!(by.x >= 0.95 * wanted && by.x <= 1.5 * wanted, "{x}: {by}");
            assert!(path.at(0.0).0.x.abs() < 1e-3 && path.at(1.0).0.x.abs() < 1e-3);
        }
    }
}
