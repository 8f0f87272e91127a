//! One clip being played: its feet and their plans.

use crate::feet::foothold::{self, FootholdQuery, Sensor};
use crate::feet::reach::{ReachLook, ReachPlan};
use crate::feet::shaped::Shaped;
use crate::feet::swing::{Shaping, SwingShape};
use crate::ground::body::BodyCarrier;
use crate::ground::clip::{GroundClip, GroundStance, flat};
use crate::ground::curve::smooth;
use crate::ground::fade::{Eased, pivot};
use crate::ground::plan::{ComingPrint, FootPlan, FootStage, StancePrint};
use crate::ground::steps::PlannedPrint;
use crate::ground::times::{PhaseClock, TimedPart};
use crate::ground::watch::{Follower, FootFollower};
use crate::{
    FeetSettings, FootStatus, Footprint, GroundStrideSettings, SuppliedFoothold, SupportMotion,
    SwingSettings,
};
use andante_skeleton::Planar;
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// What planning needs to know besides the clip.
pub(crate) struct LayerContext<'a> {
    pub sensor: Sensor<'a>,
    /// Heading that has been asked for in total, at `time`.
    pub turned: f32,
    pub time: f32,
    /// Further heading per second of the clip.
    pub turn_rate: f32,
    /// Speed at which the clip plays.
    pub rate: f32,
    /// Steps that lead nowhere are not made.
    pub validate: bool,
    pub correct_swings: bool,
    pub scale_stride: bool,
    pub stride: &'a GroundStrideSettings,
    pub footholds: &'a [SuppliedFoothold],
    /// Whether the ground was asked.
    pub planned: bool,
    pub clock: &'a mut PhaseClock,
}

impl LayerContext<'_> {
    pub fn turned_at(&self, time: f32) -> f32 {
        self.turned + self.turn_rate * (time - self.time)
    }
}

/// A clip on the ground.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub clip: Arc<GroundClip>,
    pub time: f32,
    pub plans: Vec<FootPlan>,
    pub reach: ReachPlan,
    /// Being faded out: feet on the ground stay there.
    pub closing: bool,
    /// Plans have changed and what that means for the body has not been looked at.
    pub stale: bool,
    /// How the body follows ground that moves.
    pub sunk: Follower,
    /// Where it is besides, coming from another clip.
    pub eased: Eased,
}

impl Layer {
    /// A clip played from a time on by somebody whose body is at `place`; feet are put down there.
    pub fn start(
        clip: &Arc<GroundClip>,
        time: f32,
        place: Planar,
        height: f32,
        ctx: &mut LayerContext,
    ) -> Self {
        let chain = place.then(&clip.placement(time).inverse());
        let mut layer = Self::blank(clip, time, ctx.sensor.feet);
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
            let print = StancePrint { status, ..print(&stance, at, chain, turned) };
            layer.put(foot, number, print);
        }
        ctx.sensor.range = range;
        layer.plan_all(ctx);
        layer
    }

    /// A clip that takes over from another: feet stay where they are. At a time that was told feet in the air land where they
    /// would have.
    pub fn take_over(
        clip: &Arc<GroundClip>,
        time: f32,
        old: &Layer,
        told: bool,
        ctx: &mut LayerContext,
    ) -> Self {
        let body = BodyCarrier::new(&old.clip, &old.plans, old.time, ctx.sensor.feet.long_body);
        let chain = body.place.then(&clip.placement(time).inverse());
        let mut layer = Self::blank(clip, time, ctx.sensor.feet);
        layer.sunk = old.sunk;
        for (foot, plan) in old.plans.iter().enumerate() {
            let standing = match (plan.stage, &plan.here, &plan.next) {
                (FootStage::Stance, Some(here), _) => Some((here.at, here.status)),
                (_, _, Some(next)) => Some((next.print.at, next.print.status)),
                (_, Some(here), None) => Some((here.at, here.status)),
                (_, None, None) => None,
            };
            layer.plans[foot].follower = plan.follower;
            let Some((at, status)) = standing else { continue };
            let (number, stance) = clip.stance_at(foot, time).unwrap_or_else(|| {
                // In the air from the start: it leaves from where it is.
                let sample = clip.sample(foot, time);
                let under = flat(0.5 * (sample.heel + sample.ball));
                let heading = at.heading - chain.heading;
                let print = Planar::new(under, heading);
                (-1, GroundStance { start: time, end: time, middle: time, print })
            });
            // A foot that the new clip has in the air left a print where the body says; it is led there from
            // where it is while the clips are mixed.
            let at = if time > stance.end + ctx.stride.just_left * (clip.unit / 0.85).sqrt() {
                let Planar { position, heading } = chain.then(&stance.print);
                Footprint::level(Vec3::new(position.x, at.position.y, position.y), heading)
            } else {
                at
            };
            // One in the air comes down where the new clip has it beside those that stand.
            let (at, status) = match plan.stage {
                FootStage::Swing | FootStage::Committed if time <= stance.end && !told => {
                    let chain = layer.stands_by(old, time, &chain);
                    let wish =
                        wish(clip, foot, chain.then(&stance.print), Vec2::ZERO, at.position.y);
                    let fit = foothold::find(&mut ctx.sensor, &wish);
                    fit.map_or((at, status), |fit| (fit.print, fit.status))
                }
                _ => (at, status),
            };
            let turned = ctx.turned_at(time);
            layer.put(foot, number, StancePrint { status, ..print(&stance, at, chain, turned) });
            if !told {
                layer.keep_where_it_stands(foot, old);
            }
        }
        layer.plan_all(ctx);
        layer
    }

    /// Moves the print of a foot that stands in an older clip, too, so that it is where it was shown: clips roll over
    /// their soles each in its own way.
    fn keep_where_it_stands(&mut self, foot: usize, old: &Layer) {
        let (clip, before) = (&*self.clip, &*old.clip);
        let stands = |layer: &Layer| layer.plans[foot].stage == FootStage::Stance;
        if !(stands(self) && stands(old)) {
            return;
        }
        let down = [before.down(foot, old.time), clip.down(foot, self.time)];
        let about = pivot(clip, foot, down);
        let place = |layer: &Layer| {
            let ankle = layer.clip.sample(foot, layer.time).ankle;
            let placed = layer.plans[foot].target(&layer.clip, layer.time, &ankle)?;
            Some(placed.ankle.transform_point(about))
        };
        if let (Some(from), Some(to), Some(here)) = (place(old), place(self), self.plans[foot].here)
        {
            let moved = (from - to).with_y(0.0);
            let here = StancePrint { at: here.at.moved(moved), ..here };
            self.plans[foot].here = Some(here);
        }
    }

    /// What leads from the clip to the world for somebody whose feet stand where they do in an older one; as the body says
    /// if none does.
    fn stands_by(&self, old: &Layer, time: f32, chain: &Planar) -> Planar {
        let (mut place, mut count) = (Vec2::ZERO, 0.0);
        for (foot, plan) in old.plans.iter().enumerate() {
            let here = plan.here.filter(|_| plan.stage == FootStage::Stance);
            let stance = self.clip.stance_at(foot, time);
            let (Some(here), Some((_, stance))) = (here, stance) else { continue };
            let turned = Planar::new(Vec2::ZERO, chain.heading).then(&stance.print);
            place += flat(here.at.position) - turned.position;
            count += 1.0;
        }
        if count > 0.0 { Planar::new(place / count, chain.heading) } else { *chain }
    }

    fn blank(clip: &Arc<GroundClip>, time: f32, feet: &FeetSettings) -> Self {
        let plan = |foot: usize| FootPlan {
            foot,
            number: -1,
            stage: FootStage::Swing,
            before: None,
            here: None,
            next: None,
            swing: SwingShape::default(),
            shaped: None,
            shaping: None,
            slowed: 1.0,
            blocked: false,
            due: false,
            held: false,
            follower: FootFollower::default(),
        };
        let plans = (0..clip.feet.len()).map(plan).collect();
        let (clip, reach) = (Arc::clone(clip), ReachPlan::new(clip, feet));
        Self {
            clip,
            time,
            plans,
            reach,
            closing: false,
            stale: false,
            sunk: Follower::default(),
            eased: Eased::default(),
        }
    }

    fn put(&mut self, foot: usize, number: i32, print: StancePrint) {
        let plan = &mut self.plans[foot];
        plan.number = number;
        plan.stage = if self.time <= print.end { FootStage::Stance } else { FootStage::Committed };
        plan.here = Some(print);
    }

    /// Plans the next landing of every foot, in the order in which they come.
    fn plan_all(&mut self, ctx: &mut LayerContext) {
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
            if self.plans[foot].stage == FootStage::Stance {
                self.settle_leaving(foot, &ctx.sensor.feet.swing);
            } else {
                self.plans[foot].stage = FootStage::Committed;
                self.shape_swing(foot, false, ctx);
            }
        }
    }

    /// Plans where a foot lands next, before it has left the ground.
    pub fn plan_next(&mut self, foot: usize, ctx: &mut LayerContext) {
        let begun = ctx.clock.now();
        let planned = self.plan(foot, ctx);
        ctx.clock.done(TimedPart::Footholds, begun);
        let plan = &mut self.plans[foot];
        plan.blocked = matches!(planned, PlannedPrint::Nowhere);
        plan.next = match planned {
            PlannedPrint::Print(print) => Some(ComingPrint::new(print)),
            _ => None,
        };
    }

    /// Plans the steps again that led nowhere.
    pub fn try_again(&mut self, ctx: &mut LayerContext) {
        for foot in 0..self.plans.len() {
            if self.plans[foot].blocked {
                self.plan_next(foot, ctx);
            }
        }
    }

    /// Settles, while a foot is flat, how far its heel will rise on the way to its next print.
    fn settle_leaving(&mut self, foot: usize, swing: &SwingSettings) {
        let plan = &self.plans[foot];
        let (Some(here), Some(next)) = (&plan.here, &plan.next) else { return };
        let ends = plan.ends(&self.clip, here, &next.print, &next.print.at);
        let [_, leaves] = SwingShape::free(&ends, None, swing).flatter;
        if let Some(here) = &mut self.plans[foot].here {
            here.flatter[1] = leaves;
        }
    }

    /// Looks again at where a foot will land; nothing changes if there is nothing better.
    fn replan(&mut self, foot: usize, time: f32, ctx: &mut LayerContext) -> bool {
        let begun = ctx.clock.now();
        let planned = self.plan(foot, ctx);
        ctx.clock.done(TimedPart::Footholds, begun);
        let PlannedPrint::Print(print) = planned else { return false };
        let unmoved = ctx.stride.unmoved * self.clip.unit;
        let Some(next) = &mut self.plans[foot].next else { return false };
        let moved = next.print.at.position.distance(print.at.position);
        let turned = (next.print.at.heading - print.at.heading).abs();
        if moved <= unmoved && turned <= 0.01 {
            return false;
        }
        next.retarget(print, time);
        true
    }

    /// Shapes the swing of a foot, or, if it has time, does one task of what that takes. Returns whether it is shaped.
    pub fn shape_swing(&mut self, foot: usize, has_time: bool, ctx: &mut LayerContext) -> bool {
        let begun = ctx.clock.now();
        let mut shaping = self.plans[foot].shaping.take();
        let plan = &self.plans[foot];
        let mut made = None;
        if let (Some(here), Some(next)) = (&plan.here, &plan.next) {
            let ends = plan.ends(&self.clip, here, &next.print, &next.print.at);
            let prints = [here.at, next.print.at];
            if ctx.correct_swings {
                ctx.planned = true;
                let (sensor, unit) = (&mut ctx.sensor, self.clip.unit);
                // Prints that have moved meanwhile will go on moving: there would be no end to it.
                let has_time = has_time && shaping.as_ref().is_none_or(|old| old.is_for(prints));
                let goes_on =
                    shaping.as_ref().is_some_and(|old| has_time || old.holds(prints, unit, sensor));
                let making = match &mut shaping {
                    Some(old) if goes_on => {
                        old.go_on(&ends, sensor);
                        old
                    }
                    _ => shaping.insert(Shaping::new(prints, &ends, &self.plans, ctx.rate, sensor)),
                };
                while !has_time && making.done().is_none() {
                    making.go_on(&ends, sensor);
                }
                made = making.done();
            } else {
                let free = SwingShape::free(&ends, Some(here.flatter[1]), &ctx.sensor.feet.swing);
                made = Some((free, Shaped::for_ends(prints)));
            }
        }
        let plan = &mut self.plans[foot];
        plan.shaping = shaping.filter(|_| made.is_none());
        plan.swing = made.map_or_else(SwingShape::default, |(swing, _)| swing);
        plan.shaped = made.map(|(_, shaped)| shaped);
        if let (Some((swing, _)), Some(next)) = (made, &mut plan.next) {
            next.print.flatter[0] = swing.flatter[0];
        }
        ctx.clock.done(TimedPart::Swings, begun);
        made.is_some()
    }

    /// The time at which a foot would have to leave for nowhere.
    pub fn barrier(&self) -> Option<f32> {
        let blocked = self.plans.iter().filter(|plan| plan.blocked && !plan.held);
        blocked.map(FootPlan::lift_off).reduce(f32::min)
    }

    /// Speed of time, at a time, that gives the feet in the air the time they need; it sets in `soon` before they leave and
    /// ends as long after they have landed.
    pub fn tempo(&self, time: f32, soon: f32) -> f32 {
        let soon = (soon * (self.clip.unit / 0.85).sqrt()).max(1e-3);
        let slower = self.plans.iter().map(|plan| {
            let more = plan.swing.path.slower - 1.0;
            match (plan.stage, &plan.here) {
                (FootStage::Stance, Some(here)) => {
                    let leaves =
                        if plan.held { 0.0 } else { smooth(1.0 - (here.end - time) / soon) };
                    let landed = 1.0 - smooth((time - here.landing) / soon);
                    (more * leaves).max((plan.slowed - 1.0) * landed)
                }
                _ => more,
            }
        });
        (1.0 + slower.fold(0.0, f32::max)).recip()
    }

    /// Lets feet leave and land until a time.
    pub fn advance(&mut self, to: f32, ctx: &mut LayerContext) {
        let mut changed = self.plan_due(to, ctx) || self.shape_due(ctx);
        // A foot has three events a stride; this many are more than any frame can hold.
        for _ in 0..64 * self.plans.len() {
            let event = (0..self.plans.len())
                .filter_map(|foot| {
                    self.next_event(foot, ctx.stride.commit).map(|time| (time, foot))
                })
                .filter(|&(time, _)| time <= to)
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((time, foot)) = event else { break };
            changed |= self.happen(foot, time, ctx);
        }
        self.time = to;
        // What changes is taken in a step later, unless more has changed by then: planning and looking ahead are
        // the work of two frames.
        let fresh = self.stale;
        self.stale = changed && !self.stale;
        let begun = ctx.clock.now();
        let look = ReachLook { clip: &self.clip, plans: &self.plans, eased: &self.eased };
        self.reach.look_ahead(&look, to, fresh, ctx.planned, ctx.sensor.feet);
        ctx.clock.done(TimedPart::Reach, begun);
        self.rebase();
    }

    /// Plans the next step of one of the feet that have landed, and of those that leave soon.
    fn plan_due(&mut self, to: f32, ctx: &mut LayerContext) -> bool {
        let mut planned = false;
        for foot in 0..self.plans.len() {
            let plan = &mut self.plans[foot];
            if plan.due && (!planned || plan.lift_off() <= to + ctx.stride.soon) {
                plan.due = false;
                self.plan_next(foot, ctx);
                self.settle_leaving(foot, &ctx.sensor.feet.swing);
                planned = true;
            }
        }
        planned
    }

    /// Shapes the swing of one of the feet that know where they go, long before it leaves: what the legs need for it
    /// is seen in time.
    fn shape_due(&mut self, ctx: &mut LayerContext) -> bool {
        let due = |plan: &FootPlan| {
            let leaves = plan.stage == FootStage::Stance && !plan.held && !plan.due;
            leaves && plan.shaped.is_none() && plan.next.is_some()
        };
        let Some(foot) = self.plans.iter().position(due) else { return false };
        self.shape_swing(foot, true, ctx) && !self.plans[foot].swing.path.is_free()
    }

    fn next_event(&self, foot: usize, commit: f32) -> Option<f32> {
        let plan = &self.plans[foot];
        let next = plan.next.as_ref()?;
        match plan.stage {
            FootStage::Stance if plan.held => None,
            FootStage::Stance => Some(plan.lift_off()),
            FootStage::Swing => {
                let start = plan.lift_off().max(next.print.landing - 2.0 * self.clip.duration());
                Some(start + commit * (next.print.landing - start))
            }
            FootStage::Committed => Some(next.print.landing),
        }
    }

    /// Something happens to a foot; returns whether that changes what was planned.
    fn happen(&mut self, foot: usize, time: f32, ctx: &mut LayerContext) -> bool {
        match self.plans[foot].stage {
            FootStage::Stance => {
                let moved = self.replan(foot, time, ctx);
                let plan = &self.plans[foot];
                let shaped = plan.shaped.zip(plan.prints()).is_some_and(|(shaped, prints)| {
                    shaped.holds(prints, self.clip.unit, &mut ctx.sensor)
                });
                if !shaped {
                    self.shape_swing(foot, false, ctx);
                }
                let plan = &mut self.plans[foot];
                plan.stage = FootStage::Swing;
                moved || !(shaped || plan.swing.path.is_free())
            }
            FootStage::Swing => {
                let turning = self.plans[foot].next.as_ref().is_some_and(|next| {
                    (ctx.turned_at(next.print.landing) - next.print.turned).abs() > 0.02
                });
                self.plans[foot].stage = FootStage::Committed;
                turning && self.replan(foot, time, ctx)
            }
            FootStage::Committed => {
                let plan = &mut self.plans[foot];
                plan.before = plan.here.take();
                plan.here = plan.next.take().map(|step| step.print);
                plan.number += 1;
                plan.stage = FootStage::Stance;
                plan.held = self.closing;
                plan.slowed = plan.swing.path.slower;
                (plan.swing, plan.shaped, plan.shaping) = (SwingShape::default(), None, None);
                // Where it goes from there is the work of another frame.
                plan.due = true;
                false
            }
        }
    }

    /// Carries the feet along with what they stand on, which has moved.
    pub fn carry(&mut self, supports: &[SupportMotion]) {
        for motion in supports {
            if !(motion.stands.is_finite() && motion.lands.is_finite()) {
                continue;
            }
            if let Some(plan) = self.plans.get_mut(motion.foot) {
                plan.carry(&motion.stands, &motion.lands);
            }
        }
        // What carries all feet alike changes nothing between them and the body.
        let alike = supports.len() >= self.plans.len()
            && supports.iter().all(|motion| {
                motion.stands == supports[0].stands && motion.lands == supports[0].stands
            });
        self.stale |= !supports.is_empty() && !alike;
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
            self.eased.begins -= duration;
        }
    }

    /// The height by which the body is lower over its feet than in the clip.
    pub fn lowered(&self) -> f32 {
        self.reach.lowered(self.time) - self.sunk.behind.value.y
    }

    /// Feet that are on the ground stay there from now on.
    pub fn close(&mut self) {
        self.closing = true;
        for plan in &mut self.plans {
            plan.held = plan.stage == FootStage::Stance;
        }
    }
}

pub(crate) fn print(
    stance: &GroundStance,
    at: Footprint,
    chain: Planar,
    turned: f32,
) -> StancePrint {
    StancePrint {
        at,
        clip: stance.print,
        chain,
        landing: stance.start,
        middle: stance.middle,
        end: stance.end,
        turned,
        scale: 1.0,
        grade: 0.0,
        flatter: [0.0; 2],
        status: FootStatus::Firm,
        wished: at.planar(),
        offset: Vec2::ZERO,
        below: None,
    }
}

pub(crate) fn wish(
    clip: &GroundClip,
    foot: usize,
    place: Planar,
    along: Vec2,
    height: f32,
) -> FootholdQuery<'_> {
    let facing = Vec2::new(libm::sinf(place.heading), libm::cosf(place.heading));
    let along = if along.length() > 0.05 * clip.unit { along.normalize() } else { facing };
    FootholdQuery { place, along, height, sole: &clip.feet[foot].sole, unit: clip.unit }
}

/// A print where there is no ground: level, at the height that was expected.
pub(crate) fn held(wish: &FootholdQuery) -> Footprint {
    let Planar { position, heading } = wish.place;
    Footprint::level(Vec3::new(position.x, wish.height, position.y), heading)
}
