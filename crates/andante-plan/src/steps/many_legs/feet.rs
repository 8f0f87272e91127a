//! Where a foot stands, and how it gets from one place to the next.

use super::ride::BodyRide;
use crate::steps::score::FPS;
use crate::steps::{ManyLegSettings, PlannedFootprint, StepGround};
use andante_skeleton::{Foot, Planar, Side, Transform, ease, rotation};
use glam::{Quat, Vec2, Vec3};

/// A foot of somebody who stands above the origin.
#[derive(Clone, Debug)]
pub(super) struct LegStand {
    /// Where the middle of its sole is.
    pub neutral: Planar,
    /// When it strikes, as a part of the cycle.
    phase: f32,
    /// The ankle, as the sole's middle sees it.
    ankle: Transform,
    /// Heel, ball and tip, as the sole's middle sees them.
    sole: [Vec3; 3],
}

impl LegStand {
    pub fn new(foot: &Foot, index: usize, rows: usize, models: &[Transform]) -> Self {
        let sole = [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
        let middle = 0.5 * (sole[0] + sole[2]);
        let low = sole.iter().map(|point| point.y).fold(f32::INFINITY, f32::min);
        let origin = middle.with_y(low);
        // From the back to the front, left against right.
        let across = if foot.side == Side::Right { 0.5 } else { 0.0 };
        let phase = 0.25 * (rows - 1 - (index / 2).min(rows - 1)) as f32 + across;
        let seen = Transform::new(Quat::IDENTITY, origin).inverse();
        Self {
            neutral: Planar::new(Vec2::new(origin.x, origin.z), 0.0),
            phase,
            ankle: seen * models[foot.ankle()],
            sole: sole.map(|point| point - origin),
        }
    }
}

/// A place of a foot on the ground.
#[derive(Clone, Copy, Debug)]
struct SoleSpot {
    at: Transform,
    heading: f32,
    normal: Vec3,
}

/// A step: from when to when, to where, and how high it has to be lifted.
#[derive(Clone, Copy, Debug)]
struct LegStep {
    frames: [usize; 2],
    to: SoleSpot,
    top: f32,
}

/// All that a foot does.
#[derive(Clone, Debug)]
pub(super) struct FootWay {
    leg: LegStand,
    first: SoleSpot,
    steps: Vec<LegStep>,
    count: usize,
}

/// The ground as a foot feels for it.
struct FeltGround<'a> {
    world: &'a StepGround<'a>,
    size: f32,
    stride: f32,
    settings: &'a ManyLegSettings,
}

impl FeltGround<'_> {
    /// The height at a place near one that is known.
    fn height(&self, place: Vec2, near: f32) -> Option<f32> {
        let above = self.settings.reach_up * self.size;
        self.world.ground.height_below(Vec3::new(place.x, near + above, place.y), 2.0 * above)
    }

    /// How unfit a place is: how far off what may be stepped on, and how far from straight the ground is along the sole.
    fn unfit(&self, at: Planar, leg: &LegStand, near: f32) -> f32 {
        let ahead = Vec2::new(libm::sinf(at.heading), libm::cosf(at.heading));
        let spare = self.settings.margin * self.size;
        let [from, to] = [leg.sole[0].z - spare, leg.sole[2].z + spare];
        let height =
            |share: f32| self.height(at.position + (from + share * (to - from)) * ahead, near);
        let heights: Option<Vec<f32>> = (0..=4).map(|k| height(0.25 * k as f32)).collect();
        let Some(heights) = heights else { return f32::MAX };
        let line = |k: usize| heights[0] + 0.25 * k as f32 * (heights[4] - heights[0]);
        let bent = (0..5).map(|k| (heights[k] - line(k)).abs()).fold(0.0, f32::max);
        let off = ((self.world.walkable)(at.position) - at.position).length();
        (bent + off) / (self.settings.bent * self.size)
    }

    /// The fittest place near one, straight ahead or behind.
    fn spot(&self, wanted: Planar, leg: &LegStand, near: f32) -> SoleSpot {
        let ahead = Vec2::new(libm::sinf(wanted.heading), libm::cosf(wanted.heading));
        let tries = self.settings.tries as i32;
        let mut best = (f32::INFINITY, wanted);
        for k in -tries..=tries {
            let off = self.settings.off * k as f32 / tries as f32;
            let at = Planar::new(wanted.position + off * self.stride * ahead, wanted.heading);
            let cost = off.abs() + self.unfit(at, leg, near);
            if cost < best.0 {
                best = (cost, at);
            }
        }
        let at = best.1;
        let above = self.settings.reach_up * self.size;
        let from = Vec3::new(at.position.x, near + above, at.position.y);
        let hit = self.world.ground.probe(from, 2.0 * above);
        let (height, normal) = hit.map_or((near, Vec3::Y), |hit| (hit.point.y, hit.normal));
        let turn = rotation::arc(Vec3::Y, normal) * Quat::from_rotation_y(at.heading);
        let place = Vec3::new(at.position.x, height, at.position.y);
        SoleSpot { at: Transform::new(turn, place), heading: at.heading, normal }
    }

    /// The highest ground between two places, with room for the ends of the sole.
    fn top(&self, from: &SoleSpot, to: &SoleSpot, leg: &LegStand) -> f32 {
        let [a, b] = [from, to].map(|spot| spot.at.translation);
        let long = leg.sole[2].z - leg.sole[0].z + self.settings.margin * self.size;
        let way = Vec2::new(b.x - a.x, b.z - a.z);
        let beyond = long * way.normalize_or_zero();
        let start = Vec2::new(a.x, a.z) - beyond;
        let all = (0..=12).filter_map(|k| {
            self.height(start + k as f32 / 12.0 * (way + 2.0 * beyond), a.y.max(b.y))
        });
        all.fold(a.y.max(b.y), f32::max)
    }
}

impl FootWay {
    /// The steps of a foot below a trunk.
    pub fn new(
        leg: &LegStand,
        ride: &BodyRide,
        world: &StepGround,
        [size, stride]: [f32; 2],
        settings: &ManyLegSettings,
    ) -> Self {
        let ground = FeltGround { world, size, stride, settings };
        let count = ride.body.len();
        let start = ride.body[0].then(&leg.neutral);
        let level = world.level.or_else(|| {
            let from = Vec3::new(start.position.x, f32::MAX, start.position.y);
            world.ground.height_below(from, f32::INFINITY)
        });
        let still = ManyLegSettings { off: 0.0, ..*settings };
        let still = FeltGround { settings: &still, ..ground };
        let ground = FeltGround { world, size, stride, settings };
        let first = still.spot(start, leg, level.unwrap_or(0.0));
        let mut steps: Vec<LegStep> = Vec::new();
        let swings = swings(leg.phase, &ride.phase, settings.duty);
        for (index, &[lift, land]) in swings.iter().enumerate() {
            let last = steps.last().map_or(first, |step| step.to);
            let until = swings.get(index + 1).map_or(count - 1, |next| next[0]);
            // The last place is the one below where it comes to rest.
            let is_last = index + 1 == swings.len();
            let middle = if is_last { count - 1 } else { land.midpoint(until) };
            let wanted = ride.body[middle].then(&leg.neutral);
            let rests = ride.body[middle] == ride.body[count - 1];
            let felt = if rests { &still } else { &ground };
            let to = felt.spot(wanted, leg, last.at.translation.y);
            let moved = to.at.translation.distance(last.at.translation) / size;
            let turned = rotation::wrap_angle(to.heading - last.heading).abs();
            // Who stands where it should stays there.
            if moved.max(turned) < settings.same {
                continue;
            }
            let top = ground.top(&last, &to, leg) + settings.lift * size;
            steps.push(LegStep { frames: [lift, land], to, top });
        }
        Self { leg: leg.clone(), first, steps, count }
    }

    /// The step of a frame, or the last before it, where that began, and how far it is.
    fn moment(&self, frame: usize) -> (SoleSpot, Option<(LegStep, f32)>) {
        let begun = self.steps.partition_point(|step| step.frames[0] <= frame);
        let from = match begun.checked_sub(2) {
            Some(before) => self.steps[before].to,
            None => self.first,
        };
        let step = begun.checked_sub(1).map(|index| {
            let step = self.steps[index];
            let [lift, land] = step.frames;
            (step, ((frame - lift) as f32 / (land - lift).max(1) as f32).min(1.0))
        });
        (from, step)
    }

    /// The height of what it stands on or goes to.
    pub fn base(&self, frame: usize) -> f32 {
        let (from, step) = self.moment(frame);
        let from = from.at.translation.y;
        step.map_or(from, |(step, share)| from + ease(share) * (step.to.at.translation.y - from))
    }

    /// Where the ankle belongs.
    pub fn ankle(&self, frame: usize) -> Transform {
        let (from, step) = self.moment(frame);
        let Some((step, share)) = step else { return from.at * self.leg.ankle };
        if share >= 1.0 {
            return step.to.at * self.leg.ankle;
        }
        let (a, b) = (from.at, step.to.at);
        let mut place = a.translation.lerp(b.translation, ease((share - 0.1) / 0.8));
        // Up first, then over, then down.
        place.y = match share < 0.5 {
            true => a.translation.y + ease(share / 0.45) * (step.top - a.translation.y),
            false => b.translation.y + ease((1.0 - share) / 0.45) * (step.top - b.translation.y),
        };
        let turn = a.rotation.slerp(rotation::nearest_sign(b.rotation, a.rotation), ease(share));
        Transform::new(turn.normalize(), place) * self.leg.ankle
    }

    /// From when to when it is down, as frames.
    pub fn stances(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let begins = std::iter::once(0).chain(self.steps.iter().map(|step| step.frames[1]));
        let last = self.count - 1;
        let ends = self.steps.iter().map(|step| step.frames[0]).chain([last]);
        begins.zip(ends).map(|(from, to)| [from, to])
    }

    /// Where it is down.
    pub fn footprints(&self, foot: usize) -> impl Iterator<Item = PlannedFootprint> + '_ {
        let spots = std::iter::once(self.first).chain(self.steps.iter().map(|step| step.to));
        spots.zip(self.stances()).map(move |(spot, frames)| {
            let sole = self.leg.sole.map(|point| spot.at.transform_point(point));
            let times = frames.map(|frame| frame as f32 / FPS);
            PlannedFootprint::of_sole(foot, sole, spot.normal, times)
        })
    }
}

/// Frames in which a foot leaves the ground and comes down again. It stands at first and at last.
fn swings(phase: f32, phases: &[f32], duty: f32) -> Vec<[usize; 2]> {
    let mut found: Vec<[usize; 2]> = Vec::new();
    let mut lifted: Option<usize> = None;
    for frame in 1..phases.len() {
        let [before, now] = [frame - 1, frame].map(|at| phases[at] - phase - duty);
        if before.floor() < now.floor() && lifted.is_none() {
            lifted = Some(frame);
        }
        let [before, now] = [frame - 1, frame].map(|at| phases[at] - phase);
        if before.floor() < now.floor()
            && let Some(lift) = lifted.take()
        {
            found.push([lift, frame]);
        }
    }
    found
}
