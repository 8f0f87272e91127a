//! One clip being played: its feet and their plans.

use crate::body::Body;
use crate::clip::{GroundClip, Stance, flat};
use crate::foothold::{self, Fit, Sensor, Wish};
use crate::plan::{FootPlan, Print, Stage, Step};
use crate::reach::Reach;
use crate::swing::Swing;
use crate::{FootStatus, Footprint, SuppliedFoothold};
use andante_skeleton::Planar;
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// What planning needs to know besides the clip.
pub(crate) struct Context<'a> {
    pub sensor: Sensor<'a>,
    /// Heading that has been asked for in total, at `time`.
    pub turned: f32,
    pub time: f32,
    /// Further heading per second of the clip.
    pub turn_rate: f32,
    /// Steps that lead nowhere are not made.
    pub validate: bool,
    pub correct_swings: bool,
    pub scale_stride: bool,
    pub footholds: &'a [SuppliedFoothold],
    /// Whether the ground was asked.
    pub planned: bool,
}

impl Context<'_> {
    fn turned_at(&self, time: f32) -> f32 {
        self.turned + self.turn_rate * (time - self.time)
    }
}

/// Largest turn in one step, in radians; what is left is for the next one.
const SHARPEST: f32 = 1.0;
/// Part of a swing after which the landing is not changed any more.
const COMMIT: f32 = 0.45;
/// A landing that moved less than this, in leg lengths, has not.
const UNMOVED: f32 = 0.01;
/// Shorter steps that are tried where the usual one leads nowhere.
const SHORTER: [f32; 2] = [0.65, 0.4];
/// How quickly steps get longer again after steep ground.
const SCALE_SHARE: f32 = 0.5;

/// A clip on the ground.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub clip: Arc<GroundClip>,
    pub time: f32,
    pub plans: Vec<FootPlan>,
    pub reach: Reach,
    /// Being faded out: feet on the ground stay there.
    pub closing: bool,
}

impl Layer {
    /// A clip played from a time on by somebody whose body is at `place`; feet are put down there.
    pub fn start(
        clip: &Arc<GroundClip>,
        time: f32,
        place: Planar,
        height: f32,
        ctx: &mut Context,
    ) -> Self {
        let chain = place.then(&clip.placement(time).inverse());
        let mut layer = Self::blank(clip, time);
        // Feet may stand far from the place whose height is known.
        let range = ctx.sensor.range;
        ctx.sensor.range = range.max(1.5 * clip.unit);
        for foot in 0..clip.feet.len() {
            let Some((number, stance)) = clip.stance_at(foot, time) else { continue };
            let wish = wish(clip, foot, chain.then(&stance.print), Vec2::ZERO, height);
            let (at, status) = match foothold::find(&mut ctx.sensor, &wish) {
                Some(fit) => (fit.print, fit.status),
                None => (held(&wish), FootStatus::Unsupported),
            };
            let turned = ctx.turned_at(stance.start.max(time));
            let print = Print { status, ..print(&stance, at, chain, turned) };
            layer.put(foot, number, print);
        }
        ctx.sensor.range = range;
        layer.plan_all(ctx);
        layer
    }

    /// A clip that takes over from another: feet stay where they are.
    pub fn take_over(clip: &Arc<GroundClip>, time: f32, old: &Layer, ctx: &mut Context) -> Self {
        let body = Body::new(&old.clip, &old.plans, old.time);
        let chain = body.place.then(&clip.placement(time).inverse());
        let mut layer = Self::blank(clip, time);
        for (foot, plan) in old.plans.iter().enumerate() {
            let standing = match (plan.stage, &plan.here, &plan.next) {
                (Stage::Stance, Some(here), _) => Some((here.at, here.status)),
                (_, _, Some(next)) => Some((next.print.at, next.print.status)),
                (_, Some(here), None) => Some((here.at, here.status)),
                (_, None, None) => None,
            };
            let Some((at, status)) = standing else { continue };
            let (number, stance) = clip.stance_at(foot, time).unwrap_or_else(|| {
                // In the air from the start: it leaves from where it is.
                let sample = clip.sample(foot, time);
                let under = flat(0.5 * (sample.heel + sample.ball));
                let heading = at.heading - chain.heading;
                let print = Planar::new(under, heading);
                (-1, Stance { start: time, end: time, middle: time, print })
            });
            let turned = ctx.turned_at(time);
            layer.put(foot, number, Print { status, ..print(&stance, at, chain, turned) });
        }
        layer.plan_all(ctx);
        layer
    }

    fn blank(clip: &Arc<GroundClip>, time: f32) -> Self {
        let plan = |foot: usize| FootPlan {
            foot,
            number: -1,
            stage: Stage::Swing,
            before: None,
            here: None,
            next: None,
            swing: Swing::default(),
            blocked: false,
            held: false,
        };
        let plans = (0..clip.feet.len()).map(plan).collect();
        Self { clip: Arc::clone(clip), time, plans, reach: Reach::new(clip), closing: false }
    }

    fn put(&mut self, foot: usize, number: i32, print: Print) {
        let plan = &mut self.plans[foot];
        plan.number = number;
        plan.stage = if self.time <= print.end { Stage::Stance } else { Stage::Committed };
        plan.here = Some(print);
    }

    /// Plans the next landing of every foot, in the order in which they come.
    fn plan_all(&mut self, ctx: &mut Context) {
        for _ in 0..self.plans.len() {
            let unplanned = |plan: &FootPlan| plan.next.is_none() && !plan.blocked;
            let next = (0..self.plans.len())
                .filter(|&foot| unplanned(&self.plans[foot]))
                .filter_map(|foot| {
                    let stance = self.clip.stance(foot, self.plans[foot].number + 1)?;
                    Some((stance.start, foot))
                })
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, foot)) = next else { break };
            self.plan_next(foot, ctx);
            if self.plans[foot].stage != Stage::Stance {
                self.plans[foot].stage = Stage::Committed;
                self.shape_swing(foot, ctx);
            }
        }
    }

    /// Plans where a foot lands next, before it has left the ground.
    pub fn plan_next(&mut self, foot: usize, ctx: &mut Context) {
        let planned = self.plan(foot, ctx);
        let plan = &mut self.plans[foot];
        plan.blocked = matches!(planned, Planned::Nowhere);
        plan.next = match planned {
            Planned::Print(print) => Some(Step::new(print)),
            _ => None,
        };
    }

    /// Looks again at where a foot will land; nothing changes if there is nothing better.
    fn replan(&mut self, foot: usize, time: f32, ctx: &mut Context) -> bool {
        let Planned::Print(print) = self.plan(foot, ctx) else { return false };
        let unmoved = UNMOVED * self.clip.unit;
        let Some(next) = &mut self.plans[foot].next else { return false };
        let moved = next.print.at.position.distance(print.at.position);
        let turned = (next.print.at.heading - print.at.heading).abs();
        if moved <= unmoved && turned <= 0.01 {
            return false;
        }
        next.retarget(print, time);
        true
    }

    fn shape_swing(&mut self, foot: usize, ctx: &mut Context) {
        let plan = &self.plans[foot];
        let swing = match (&plan.here, &plan.next) {
            (Some(here), Some(next)) if ctx.correct_swings => {
                let ends = plan.ends(&self.clip, here, &next.print, &next.print.at);
                Swing::over(&ends, &mut ctx.sensor)
            }
            _ => Swing::default(),
        };
        self.plans[foot].swing = swing;
    }

    /// The print that is landed on last before a time, of any foot.
    fn predecessor(&self, foot: usize, landing: f32) -> Option<Print> {
        let mut latest: Option<Print> = None;
        for (index, plan) in self.plans.iter().enumerate() {
            let next = plan.next.as_ref().filter(|_| index != foot).map(|step| step.print);
            for print in [plan.here, next].into_iter().flatten() {
                let earlier =
                    print.landing < landing - 1e-4 || (index < foot && print.landing <= landing);
                let later = latest.as_ref().is_none_or(|latest| print.landing >= latest.landing);
                if earlier && later {
                    latest = Some(print);
                }
            }
        }
        latest.or(self.plans[foot].here)
    }

    fn plan(&self, foot: usize, ctx: &mut Context) -> Planned {
        let clip = &*self.clip;
        let plan = &self.plans[foot];
        let Some(stance) = clip.stance(foot, plan.number + 1) else { return Planned::Never };
        let first = self.plans.iter().find_map(|plan| plan.here);
        let Some(before) = self.predecessor(foot, stance.start).or(first) else {
            return Planned::Never;
        };
        ctx.planned = true;
        let asked = ctx.turned_at(stance.start) - before.turned;
        let turn = asked.clamp(-SHARPEST, SHARPEST);
        let supplied = ctx.footholds.iter().find(|supplied| supplied.foot == foot);
        if let Some(supplied) = supplied {
            return self.supplied(foot, &stance, &before, turn, supplied, ctx);
        }
        let scale = self.scale(foot, &stance, &before, turn, ctx);
        let mut found = self.step(foot, &stance, &before, turn, scale, ctx);
        for shorter in SHORTER {
            if found.is_none() && ctx.validate {
                found = self.step(foot, &stance, &before, turn, scale * shorter, ctx);
            }
        }
        if found.is_none() && ctx.validate && asked.abs() > 0.05 {
            // No way ahead, but perhaps one to turn on the spot.
            found = self.step(foot, &stance, &before, turn, 0.0, ctx);
        }
        match found {
            Some(print) => Planned::Print(print),
            None if ctx.validate => Planned::Nowhere,
            None => {
                let chain = self.steered(&before, &stance, turn, scale);
                let place = chain.then(&stance.print);
                let expected = plan.here.map_or(before.at.position.y, |here| here.at.position.y);
                let wish = wish(clip, foot, place, Vec2::ZERO, expected);
                let status = FootStatus::Unsupported;
                let turned = before.turned + turn;
                let print = Print { status, scale, ..print(&stance, held(&wish), chain, turned) };
                Planned::Print(print)
            }
        }
    }

    /// What leads from the clip to the world at a landing, for a body that comes from the print before,
    /// turns and makes longer or shorter steps than in the clip.
    fn steered(&self, before: &Print, stance: &Stance, turn: f32, scale: f32) -> Planar {
        if turn == 0.0 && scale == 1.0 {
            return before.chain;
        }
        let at_landing = self.clip.placement(stance.start);
        let from = before.chain.then(&self.clip.placement(before.landing));
        let to = before.chain.then(&at_landing);
        let way = Planar::new(Vec2::ZERO, 0.5 * turn)
            .then(&Planar::new((to.position - from.position) * scale, 0.0));
        Planar::new(from.position + way.position, to.heading + turn).then(&at_landing.inverse())
    }

    /// How long steps are for the slope ahead, as a multiple of the clip's.
    fn scale(
        &self,
        foot: usize,
        stance: &Stance,
        before: &Print,
        turn: f32,
        ctx: &mut Context,
    ) -> f32 {
        if !ctx.scale_stride {
            return 1.0;
        }
        let here = self.plans[foot].here.unwrap_or(*before);
        let biped = self.plans.len() <= 2;
        let mut scale = before.scale;
        // Shorter steps may lie on other ground: looked at twice.
        for _ in 0..2 {
            let chain = self.steered(before, stance, turn, scale);
            let place = chain.then(&stance.print).position;
            let expected = self.expected(foot, before, place, ctx);
            let Some(height) = ctx.sensor.height(place, expected) else { break };
            let grade = |from: &Print| {
                let way = place.distance(flat(from.at.position));
                let rise = height - from.at.position.y;
                if way > 0.3 * self.clip.unit { rise / way } else { 0.0 }
            };
            let stride = stride_scale(grade(&here));
            let wanted = if biped { stride.min(stride_scale(grade(before))) } else { stride };
            let share = if wanted < before.scale { 1.0 } else { SCALE_SHARE };
            scale = before.scale + share * (wanted - before.scale);
        }
        if (scale - 1.0).abs() < 1e-6 { 1.0 } else { scale }
    }

    /// About how high the ground is where a foot lands: as high as under the foot that landed before. With many
    /// feet that one may be far away; then the ground is followed from where this foot stands.
    fn expected(&self, foot: usize, before: &Print, place: Vec2, ctx: &mut Context) -> f32 {
        let Some(here) = self.plans[foot].here.filter(|_| self.plans.len() > 2) else {
            return before.at.position.y;
        };
        let (from, mut height) = (flat(here.at.position), here.at.position.y);
        let parts = (place.distance(from) / (0.35 * self.clip.unit)).ceil().min(16.0);
        for part in 1..parts as i32 {
            let on_the_way = from.lerp(place, part as f32 / parts);
            height = ctx.sensor.height(on_the_way, height).unwrap_or(height);
        }
        height
    }

    /// The foothold at the end of a step, if there is one.
    fn step(
        &self,
        foot: usize,
        stance: &Stance,
        before: &Print,
        turn: f32,
        scale: f32,
        ctx: &mut Context,
    ) -> Option<Print> {
        let chain = self.steered(before, stance, turn, scale);
        let from = before.chain.then(&self.clip.placement(before.landing));
        let to = chain.then(&self.clip.placement(stance.start));
        let along = to.position - from.position;
        let place = chain.then(&stance.print);
        let expected = self.expected(foot, before, place.position, ctx);
        let wish = wish(&self.clip, foot, place, along, expected);
        let fit = foothold::find(&mut ctx.sensor, &wish)?;
        let moved = flat(fit.print.position) - wish.place.position;
        // The body follows feet that step longer or shorter, not those that step aside.
        let share = if self.plans.len() <= 2 { 1.0 } else { 0.5 };
        let follows = wish.along * (share * moved.dot(wish.along));
        let chain = Planar::new(chain.position + follows, chain.heading);
        let scale = if scale > 0.0 { scale } else { before.scale };
        Some(self.landed(foot, stance, before, fit, chain, turn, scale))
    }

    #[allow(clippy::too_many_arguments)]
    fn landed(
        &self,
        foot: usize,
        stance: &Stance,
        before: &Print,
        fit: Fit,
        chain: Planar,
        turn: f32,
        scale: f32,
    ) -> Print {
        let from = self.plans[foot].here.map_or(before.at.position, |here| here.at.position);
        let way = fit.print.position - from;
        let across = flat(way).length();
        let grade = if across > 0.15 * self.clip.unit { way.y / across } else { before.grade };
        let status = fit.status;
        let turned = before.turned + turn;
        Print { status, scale, grade, ..print(stance, fit.print, chain, turned) }
    }

    /// A foothold that the caller wants.
    fn supplied(
        &self,
        foot: usize,
        stance: &Stance,
        before: &Print,
        turn: f32,
        supplied: &SuppliedFoothold,
        ctx: &mut Context,
    ) -> Planned {
        let chain = self.steered(before, stance, turn, before.scale);
        let wished = chain.then(&stance.print);
        let heading = supplied.heading.unwrap_or(wished.heading);
        let place = Planar::new(flat(supplied.position), heading);
        let wish = wish(&self.clip, foot, place, Vec2::ZERO, supplied.position.y);
        let chain = place.then(&stance.print.inverse());
        match foothold::fit(&mut ctx.sensor, &wish, Vec2::ZERO) {
            Some(fit) => {
                Planned::Print(self.landed(foot, stance, before, fit, chain, turn, before.scale))
            }
            None if ctx.validate => Planned::Nowhere,
            None => {
                let status = FootStatus::Unsupported;
                let turned = before.turned + turn;
                Planned::Print(Print { status, ..print(stance, held(&wish), chain, turned) })
            }
        }
    }

    /// The time at which a foot would have to leave for nowhere.
    pub fn barrier(&self) -> Option<f32> {
        let blocked = self.plans.iter().filter(|plan| plan.blocked && !plan.held);
        blocked.map(FootPlan::lift_off).reduce(f32::min)
    }

    /// Lets feet leave and land until a time.
    pub fn advance(&mut self, to: f32, ctx: &mut Context) {
        let mut changed = false;
        // A foot has three events a stride; this many are more than any frame can hold.
        for _ in 0..64 * self.plans.len() {
            let event = (0..self.plans.len())
                .filter_map(|foot| self.next_event(foot).map(|time| (time, foot)))
                .filter(|&(time, _)| time <= to)
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((time, foot)) = event else { break };
            changed |= self.happen(foot, time, ctx);
        }
        self.time = to;
        self.reach.look_ahead(&self.clip, &self.plans, to, changed);
        self.rebase();
    }

    fn next_event(&self, foot: usize) -> Option<f32> {
        let plan = &self.plans[foot];
        let next = plan.next.as_ref()?;
        match plan.stage {
            Stage::Stance if plan.held => None,
            Stage::Stance => Some(plan.lift_off()),
            Stage::Swing => {
                let start = plan.lift_off().max(next.print.landing - 2.0 * self.clip.duration());
                Some(start + COMMIT * (next.print.landing - start))
            }
            Stage::Committed => Some(next.print.landing),
        }
    }

    /// Something happens to a foot; returns whether that changes what was planned.
    fn happen(&mut self, foot: usize, time: f32, ctx: &mut Context) -> bool {
        match self.plans[foot].stage {
            Stage::Stance => {
                let moved = self.replan(foot, time, ctx);
                let shape = self.plans[foot].swing;
                self.shape_swing(foot, ctx);
                self.plans[foot].stage = Stage::Swing;
                moved || self.plans[foot].swing != shape
            }
            Stage::Swing => {
                let turning = self.plans[foot].next.as_ref().is_some_and(|next| {
                    (ctx.turned_at(next.print.landing) - next.print.turned).abs() > 0.02
                });
                self.plans[foot].stage = Stage::Committed;
                turning && self.replan(foot, time, ctx)
            }
            Stage::Committed => {
                let plan = &mut self.plans[foot];
                plan.before = plan.here.take();
                plan.here = plan.next.take().map(|step| step.print);
                plan.number += 1;
                plan.stage = Stage::Stance;
                plan.held = self.closing;
                plan.swing = Swing::default();
                self.plan_next(foot, ctx);
                true
            }
        }
    }

    /// Time stays within the first round of a clip that repeats.
    fn rebase(&mut self) {
        let duration = self.clip.duration();
        let Some(round) = self.clip.path.round else { return };
        while self.time >= duration && duration > 0.0 {
            self.time -= duration;
            for (plan, track) in self.plans.iter_mut().zip(&self.clip.feet) {
                // A foot that never leaves the ground has one stance, of no particular time.
                if !track.always_down {
                    plan.rebase(duration, &round, track.stances.len() as i32);
                }
            }
            self.reach.rebase(duration);
        }
    }

    /// Feet that are on the ground stay there from now on.
    pub fn close(&mut self) {
        self.closing = true;
        for plan in &mut self.plans {
            plan.held = plan.stage == Stage::Stance;
        }
    }
}

/// What came of planning a step.
enum Planned {
    Print(Print),
    /// There is no ground to step on.
    Nowhere,
    /// The clip has no further step.
    Never,
}

fn print(stance: &Stance, at: Footprint, chain: Planar, turned: f32) -> Print {
    Print {
        at,
        clip: stance.print,
        chain,
        landing: stance.start,
        middle: stance.middle,
        end: stance.end,
        turned,
        scale: 1.0,
        grade: 0.0,
        status: FootStatus::Firm,
    }
}

fn wish(clip: &GroundClip, foot: usize, place: Planar, along: Vec2, height: f32) -> Wish<'_> {
    let facing = Vec2::new(place.heading.sin(), place.heading.cos());
    let along = if along.length() > 0.05 * clip.unit { along.normalize() } else { facing };
    Wish { place, along, height, sole: &clip.feet[foot].sole, unit: clip.unit }
}

/// A print where there is no ground: level, at the height that was expected.
fn held(wish: &Wish) -> Footprint {
    let Planar { position, heading } = wish.place;
    Footprint::level(Vec3::new(position.x, wish.height, position.y), heading)
}

/// Steps on a slope, as a multiple of those on the level. The way along the slope stays the same at first;
/// steep ground, up or down, is taken in short steps: half as long on stairs of 30°.
fn stride_scale(grade: f32) -> f32 {
    let slope = grade.abs().atan();
    let steep = (slope / 0.524).min(1.2);
    slope.cos() * (1.0 - 0.5 * steep * steep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_clip_on_the_level_and_short_on_stairs() {
        assert_eq!(stride_scale(0.0), 1.0);
        assert!(stride_scale(0.087) > 0.97);
        let stairs = stride_scale(0.17 / 0.29);
        assert!((0.38..0.5).contains(&stairs), "{stairs}");
        assert_eq!(stride_scale(-0.3), stride_scale(0.3));
    }
}
