//! A character that plays clips over the ground.

use crate::feet::foothold::Sensor;
use crate::feet::{RolledFoot, shank_foot_angle};
use crate::ground::body::{self, BodyCarrier};
use crate::ground::clip::GroundClip;
use crate::ground::curve::smooth;
use crate::ground::input::TIMES;
use crate::ground::layer::{Layer, LayerContext};
use crate::ground::plan::{FootStage, PlacedPrint};
use crate::ground::times::{PhaseClock, TimedPart};
use crate::ground::trace::{GroundQuery, Trace};
use crate::{
    FeetSettings, FootReport, FootStatus, GroundReport, GroundingError, GroundingOptions, Input,
    StageTimes, Start, SupportKind,
};
use andante_skeleton::{Pose, Transform, Wrap, rotation};
use andante_world::Ground;
use glam::Vec3;
use std::sync::Arc;
use std::time::Duration;

/// A clip that is being left.
#[derive(Clone, Debug)]
struct Fade {
    layer: Layer,
    elapsed: f32,
    duration: f32,
    /// Seconds each foot takes.
    feet: Vec<f32>,
}

impl Fade {
    fn of(mut layer: Layer, duration: f32, foot_fade: f32) -> Self {
        let feet = layer.plans.iter().map(|plan| match (&plan.next, plan.stage) {
            (Some(next), FootStage::Swing | FootStage::Committed) => {
                (next.print.landing - layer.time).max(foot_fade)
            }
            _ => foot_fade.min(duration.max(0.05)),
        });
        let feet = feet.collect();
        layer.close();
        Self { layer, elapsed: 0.0, duration, feet }
    }

    /// Lets time pass: the old clip goes on, but makes no further steps. True if the fade is over.
    fn pass(&mut self, dt: f32, clip_dt: f32, ctx: &mut LayerContext, feet: &FeetSettings) -> bool {
        self.elapsed += dt;
        ctx.time = self.layer.time + clip_dt;
        self.layer.reach.pass(dt, feet);
        self.layer.advance(self.layer.time + clip_dt, ctx);
        self.elapsed >= self.feet.iter().copied().fold(self.duration, f32::max)
    }
}

/// The time of the clip after `clip_dt` seconds for somebody who comes to a stop at `barrier`, within about
/// `slow` seconds.
fn stopping(time: f32, clip_dt: f32, barrier: f32, slow: f32) -> f32 {
    let left = (barrier - time).max(0.0);
    let free = (left - slow).max(0.0).min(clip_dt);
    let rest = (clip_dt - free).max(0.0);
    let after = (left - free) * libm::expf(-rest / slow);
    barrier - after
}

/// A character that plays clips over the ground: the state of one, nothing of which is shared.
///
/// [`Grounding::step`] allocates nothing.
#[derive(Clone, Debug)]
pub struct Grounding {
    options: GroundingOptions,
    start: Start,
    clip: Arc<GroundClip>,
    /// None before the first step, which sees the ground for the first time.
    layer: Option<Layer>,
    fade: Option<Fade>,
    /// Asked for while another fade was on.
    waiting: Option<(Arc<GroundClip>, f32, f32)>,
    /// Heading that was asked for, in total.
    turned: f32,
    /// Speed of time: below 1 while stopping and setting off.
    pace: f32,
    since_look: f32,
    leg_weight: f32,
    /// Seconds of the last step, and how far the body is below what was foreseen.
    passed: f32,
    deeper: f32,
    models: Pose,
    other: Pose,
    other_models: Pose,
    feet: Vec<FootReport>,
    probes: Trace<GroundQuery>,
    ankles: Vec<Trace<Vec3>>,
    hips: Trace<Vec3>,
    report: GroundReport,
    clock: PhaseClock,
}

impl Grounding {
    /// A character that will play a clip. The ground is first seen in the first step.
    ///
    /// ```
    /// # use andante_play::{Grounding, GroundingOptions, Start};
    /// # use std::sync::Arc;
    /// # let human = Arc::new(andante_skeleton::humanoid());
    /// # let clip = Arc::new(andante_motion::synth::clip(&human, "walk")?.ground_clip(&human)?);
    /// let start = Start { time: 1e30, ..Start::default() };
    /// let refused = Grounding::new(clip, start, GroundingOptions::default()).unwrap_err();
    /// assert!(refused.to_string().starts_with("time is 1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        clip: Arc<GroundClip>,
        start: Start,
        options: GroundingOptions,
    ) -> Result<Self, GroundingError> {
        start.check()?;
        let skeleton = &clip.character().skeleton;
        let rest = Pose::rest(skeleton);
        let count = clip.feet.len();
        Ok(Self {
            options,
            start,
            layer: None,
            fade: None,
            waiting: None,
            turned: 0.0,
            pace: 1.0,
            since_look: 0.0,
            leg_weight: if options.solve_legs { 1.0 } else { 0.0 },
            passed: 0.0,
            deeper: 0.0,
            models: rest.clone(),
            other: rest.clone(),
            other_models: rest,
            feet: vec![FootReport::default(); count],
            probes: Trace::new(options.traces),
            ankles: (0..count).map(|_| Trace::new(options.traces)).collect(),
            hips: Trace::new(options.traces),
            report: GroundReport::default(),
            clock: PhaseClock::default(),
            clip,
        })
    }

    /// How clips are adapted.
    pub fn options(&self) -> &GroundingOptions {
        &self.options
    }

    /// Changes how clips are adapted, from the next step on. The length of traces stays.
    pub fn set_options(&mut self, options: GroundingOptions) {
        self.options = GroundingOptions { traces: self.options.traces, ..options };
    }

    /// Measures the time that each part of the work takes with a clock, such as one that reads the time since the
    /// program began; `None` measures nothing.
    pub fn set_clock(&mut self, clock: Option<fn() -> Duration>) {
        self.clock.read = clock;
    }

    /// Forgets everything and begins again elsewhere.
    pub fn restart(&mut self, clip: Arc<GroundClip>, start: Start) -> Result<(), GroundingError> {
        start.check()?;
        self.check_own(&clip)?;
        (self.layer, self.fade, self.waiting) = (None, None, None);
        (self.turned, self.pace, self.since_look) = (0.0, 1.0, 0.0);
        self.probes.clear();
        self.hips.clear();
        self.ankles.iter_mut().for_each(Trace::clear);
        self.report = GroundReport::default();
        (self.clip, self.start) = (clip, start);
        Ok(())
    }

    /// Refuses clips of other characters.
    fn check_own(&self, clip: &GroundClip) -> Result<(), GroundingError> {
        let own = clip.character().skeleton.len() == self.models.len()
            && clip.feet.len() == self.feet.len();
        own.then_some(()).ok_or_else(|| GroundingError::Character(clip.clip().name().into()))
    }

    /// Fades to another clip of the same character, from a time of it on. Feet that are on the ground stay
    /// where they are until the new clip lifts them. A clip that is asked for during a fade comes after it.
    pub fn play(
        &mut self,
        clip: Arc<GroundClip>,
        time: f32,
        seconds: f32,
    ) -> Result<(), GroundingError> {
        GroundingError::unless_within("time", time, TIMES, "s")?;
        GroundingError::unless_within("seconds", seconds, 0.0..=1e3, "s")?;
        self.check_own(&clip)?;
        self.waiting = Some((clip, time, seconds.max(1e-3)));
        Ok(())
    }

    /// The clip that is played, or faded to.
    pub fn clip(&self) -> &Arc<GroundClip> {
        &self.clip
    }

    /// Whether a fade is on.
    pub fn fading(&self) -> bool {
        self.fade.is_some() || self.waiting.is_some()
    }

    /// Every foot after the last step.
    pub fn feet(&self) -> &[FootReport] {
        &self.feet
    }

    /// The last step's report.
    pub fn report(&self) -> &GroundReport {
        &self.report
    }

    /// Time spent on each part of the work since the character was made, if it is measured.
    pub fn times(&self) -> &StageTimes {
        &self.clock.times
    }

    /// The latest questions to the ground, for drawing.
    pub fn probes(&self) -> &Trace<GroundQuery> {
        &self.probes
    }

    /// Where an ankle has been, for drawing.
    pub fn ankle_path(&self, foot: usize) -> Option<&Trace<Vec3>> {
        self.ankles.get(foot)
    }

    /// Where the hips have been, for drawing.
    pub fn hip_path(&self) -> &Trace<Vec3> {
        &self.hips
    }

    /// Where an ankle belongs at times from now on, each so many seconds of the clip after the one before:
    /// what is planned, for drawing. Returns how many are known.
    pub fn planned_ankles(&self, foot: usize, spacing: f32, places: &mut [Vec3]) -> usize {
        let Some(layer) = self.layer.as_ref().filter(|layer| foot < layer.plans.len()) else {
            return 0;
        };
        let clip = &layer.clip;
        for (index, place) in places.iter_mut().enumerate() {
            let time = layer.time + spacing * index as f32;
            let sample = clip.sample(foot, time);
            match layer.plans[foot].target(clip, time, &sample.ankle) {
                Some(placed) => *place = placed.ankle.translation,
                None => return index,
            }
        }
        places.len()
    }

    /// Lets `dt` seconds pass and writes the pose then; joint 0 is placed in the world.
    ///
    /// The first step puts the character on the ground and then passes the time. Times that are not finite
    /// or negative count as none. Steps may be as long as they like up to [`GroundPace::longest_step`](crate::GroundPace): nothing is missed.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton.
    pub fn step(
        &mut self,
        dt: f32,
        input: &Input,
        ground: &dyn Ground,
        pose: &mut [Transform],
    ) -> GroundReport {
        let dt = if dt.is_finite() {
            dt.clamp(0.0, self.options.pace.longest_step.max(0.0))
        } else {
            0.0
        };
        let rate = if input.rate.is_finite() { input.rate.clamp(0.0, 10.0) } else { 0.0 };
        let turn_rate = if input.turn_rate.is_finite() { input.turn_rate } else { 0.0 };
        let input = Input { rate, turn_rate, ..*input };
        let fading = self.fade.as_mut().map(|fade| &mut fade.layer);
        for layer in self.layer.iter_mut().chain(fading) {
            layer.carry(input.supports);
        }
        self.clock.times.steps += u64::from(self.clock.read.is_some());
        let first = self.layer.is_none();
        let mut planned = first && self.pass(0.0, &input, ground);
        let parts = (dt / self.options.pace.longest_part.max(1e-3)).ceil().max(1.0);
        for _ in 0..parts as usize {
            planned |= self.pass(dt / parts, &input, ground);
        }
        // The first pose is as low as it has to be.
        self.passed = if first { f32::INFINITY } else { dt };
        self.write(pose);
        self.report.planned = planned;
        self.report
    }

    fn pass(&mut self, dt: f32, input: &Input, ground: &dyn Ground) -> bool {
        let options = self.options;
        self.turned += input.turn_rate * dt;
        let tempo = match &self.layer {
            Some(layer) if options.slow_steps => {
                let soon = options.pace.slow_ahead;
                let middle = 0.5 * dt * input.rate * layer.tempo(layer.time, soon);
                layer.tempo(layer.time + middle, soon)
            }
            _ => 1.0,
        };
        let clip_dt = dt * input.rate * self.pace * tempo;
        let mut ctx = LayerContext {
            sensor: Sensor {
                ground,
                probes: &mut self.probes,
                range: options.highest_step * self.clip.unit,
                feet: &options.feet,
            },
            turned: self.turned,
            time: 0.0,
            turn_rate: if input.rate > 1e-3 { input.turn_rate / (input.rate * tempo) } else { 0.0 },
            rate: input.rate,
            validate: options.validate_steps,
            correct_swings: options.correct_swings,
            scale_stride: options.scale_stride,
            stride: &options.stride,
            footholds: input.footholds,
            planned: false,
            clock: &mut self.clock,
        };
        let mut layer = match self.layer.take() {
            Some(layer) => layer,
            None => {
                let Start { place, height, time } = self.start;
                ctx.time = time;
                Layer::start(&self.clip, time, place, height, &mut ctx)
            }
        };
        if self.fade.is_none()
            && let Some((clip, time, duration)) = self.waiting.take()
        {
            ctx.time = time;
            let new = Layer::take_over(&clip, time, &layer, &mut ctx);
            self.fade = Some(Fade::of(layer, duration, options.pace.foot_fade));
            self.clip = clip;
            layer = new;
        }

        // Coming to a stop where a foot would have to leave for nowhere.
        let mut to = layer.time + clip_dt;
        if let Some(barrier) = layer.barrier() {
            let slow = options.pace.stopping * input.rate.max(0.1);
            to = stopping(layer.time, clip_dt, barrier, slow);
            if dt > 0.0 && clip_dt > 0.0 {
                self.pace = (self.pace * (to - layer.time) / clip_dt).clamp(0.0, 1.0).max(1e-3);
            }
            self.since_look += dt;
            if self.since_look >= options.pace.looking {
                self.since_look = 0.0;
                ctx.time = layer.time;
                for foot in 0..layer.plans.len() {
                    if layer.plans[foot].blocked {
                        layer.plan_next(foot, &mut ctx);
                    }
                }
            }
        } else {
            self.pace = (self.pace + dt / options.pace.setting_off).min(1.0);
            self.since_look = 0.0;
        }
        let to = to.max(layer.time);
        ctx.time = to;
        layer.reach.pass(dt, &options.feet);
        layer.advance(to, &mut ctx);
        if let Some(fade) = &mut self.fade
            && fade.pass(dt, dt * input.rate, &mut ctx, &options.feet)
        {
            self.fade = None;
        }
        let planned = ctx.planned;
        let towards = if options.solve_legs { 1.0 } else { -1.0 };
        self.leg_weight = (self.leg_weight + towards * dt / options.pace.let_go).clamp(0.0, 1.0);
        self.layer = Some(layer);
        planned
    }

    /// The pose at the present moment.
    fn write(&mut self, pose: &mut [Transform]) {
        let Some(layer) = self.layer.take() else { return };
        let begun = self.clock.now();
        let clip = &*layer.clip;
        let skeleton = &clip.character().skeleton;
        let rig = &clip.character().rig;
        let body =
            pose_of(&layer, self.options.feet.long_body, pose, &mut self.models, &mut self.feet);
        let lowered = layer.reach.lowered(layer.time);
        pose[0] = body.map(clip, lowered) * pose[0];
        let (heading, lean) = self.mix_in(&body, pose);
        skeleton.local_to_model(pose, &mut self.models);
        if self.options.lean && lean.abs() > 1e-6 {
            body::lean(skeleton, &rig.spine, heading, lean, pose, &self.models);
            skeleton.local_to_model(pose, &mut self.models);
        }
        self.clock.done(TimedPart::Pose, begun);

        let begun = self.clock.now();
        let deeper = self.come_down(&layer, lowered);
        if deeper > 0.0 {
            pose[0].translation.y -= deeper;
            for model in self.models.iter_mut() {
                model.translation.y -= deeper;
            }
        }
        let residual = self.put_feet(clip, pose);
        self.clock.done(TimedPart::Legs, begun);
        self.hips.push(self.models[rig.hips].translation);
        let stopped = layer.barrier().is_some() && self.pace < 0.5;
        self.report = GroundReport {
            motion: match (stopped, clip.idle()) {
                (true, _) => SupportKind::Stopped,
                (_, true) => SupportKind::Standing,
                _ => SupportKind::Moving,
            },
            time: layer.time,
            place: body.place,
            height: body.height,
            grade: body.grade,
            lowered: lowered + deeper,
            residual,
            planned: false,
        };
        self.layer = Some(layer);
    }

    /// Mixes in the clip that is being left; returns the heading of the body and its lean.
    fn mix_in(&mut self, body: &BodyCarrier, pose: &mut [Transform]) -> (f32, f32) {
        let pace = &self.options.pace;
        let (heading, lean) = (body.place.heading, body.lean(pace));
        let Some(fade) = &self.fade else { return (heading, lean) };
        let old = &fade.layer;
        // The reports of the feet are those of the new clip; the old one's are mixed in.
        let weight = smooth(fade.elapsed / fade.duration);
        let long = self.options.feet.long_body;
        let other = pose_of_other(old, long, &mut self.other, &mut self.other_models);
        let down = old.reach.lowered(old.time);
        self.other[0] = other.map(&old.clip, down) * self.other[0];
        for (to, from) in pose.iter_mut().zip(self.other.iter()) {
            to.translation = from.translation.lerp(to.translation, weight);
            to.rotation = rotation::nlerp(from.rotation, to.rotation, weight);
        }
        for (foot, report) in self.feet.iter_mut().enumerate() {
            let share = smooth(fade.elapsed / fade.feet[foot]);
            let Some((placed, down)) = old_target(old, foot, &self.other_models) else {
                continue;
            };
            let target = placed.ankle;
            report.toes = placed.toes.lerp(report.toes, share);
            report.target = Transform::new(
                rotation::nlerp(target.rotation, report.target.rotation, share),
                target.translation.lerp(report.target.translation, share),
            );
            if share < 1.0 {
                report.down = std::array::from_fn(|part| report.down[part] && down[part]);
            }
        }
        let turn = rotation::wrap_angle(heading - other.place.heading);
        let upright = other.lean(pace);
        (other.place.heading + turn * weight, upright + (lean - upright) * weight)
    }

    /// How much farther a body comes down than was foreseen, so that its legs reach.
    fn come_down(&mut self, layer: &Layer, lowered: f32) -> f32 {
        let (clip, set) = (&*layer.clip, &self.options.feet);
        let weight = smooth(self.leg_weight);
        let mut deeper = 0.0f32;
        let feet = clip.character().rig.feet.iter().zip(&clip.legs).zip(&layer.plans);
        for (report, ((foot, leg), plan)) in self.feet.iter_mut().zip(feet) {
            let since = layer.time - plan.lift_off();
            let lands_in = report.lands_in.unwrap_or(0.0);
            let aloft = smooth(since / set.aloft) * smooth(lands_in / set.aloft);
            let ankle = self.models[foot.ankle()];
            if weight < 1.0 {
                report.target = Transform::new(
                    rotation::nlerp(ankle.rotation, report.target.rotation, weight),
                    ankle.translation.lerp(report.target.translation, weight),
                );
                report.toes *= weight;
            }
            let reach = report.source_extension.max(set.longest_reach);
            let longest = leg.length * reach * (1.0 + 1e-5);
            let place = report.target.translation;
            let slack = (set.slack_down + (set.slack_aloft - set.slack_down) * aloft) * clip.unit;
            deeper = deeper.max(leg.lowering(place, &self.models, foot.ankle(), longest) - slack);
        }
        // What was not foreseen. It is a continuous function of what is asked of the legs, but feet that stay
        // while a runner is faded out ask for too much too quickly: they are let go.
        let left = (set.lowest_body * clip.unit - lowered).max(0.0);
        let change = set.quickest_drop * (clip.unit / 0.85).sqrt() * self.passed;
        self.deeper =
            deeper.clamp(0.0, left).clamp(self.deeper - change, self.deeper + change).max(0.0);
        self.deeper
    }

    /// Bends legs so that feet are where they belong; returns the largest miss.
    fn put_feet(&mut self, clip: &GroundClip, pose: &mut [Transform]) -> f32 {
        let mut residual = 0.0f32;
        for (index, foot) in clip.character().rig.feet.iter().enumerate() {
            let own = self.ankle_angle(clip, index);
            let (report, leg) = (&mut self.feet[index], &clip.legs[index]);
            let ankle = self.models[foot.ankle()];
            let moved = ankle.translation.distance(report.target.translation);
            let turned = rotation::angle_between(ankle.rotation, report.target.rotation);
            report.extension = report.source_extension;
            if moved > 2e-6 * clip.unit || turned > 2e-6 {
                let most = report.source_extension.clamp(self.options.feet.longest_reach, 1.0);
                let (miss, extension) =
                    leg.solve(&report.target, foot.ankle(), most, pose, &mut self.models);
                report.extension = extension;
                residual = residual.max(miss);
                if miss > 0.02 * clip.unit {
                    report.status = FootStatus::OutOfReach;
                } else if let Some(own) = own {
                    self.roll(clip, index, own, most, pose);
                }
            }
            let report = &mut self.feet[index];
            report.ankle = self.models[foot.ankle()];
            if let Some(toes) = clip.feet[index].toes.filter(|_| report.toes != Vec3::ZERO) {
                let above = report.ankle.rotation;
                let turn = rotation::exp(above.conjugate() * report.toes);
                pose[toes].rotation = (turn * pose[toes].rotation).normalize();
            }
            self.ankles[index].push(report.ankle.translation);
        }
        residual
    }
}

impl Grounding {
    /// The angle between shank and foot; none for legs without an ankle that bends or without toes, and for those who
    /// go on more than two.
    fn ankle_angle(&self, clip: &GroundClip, foot: usize) -> Option<f32> {
        if clip.feet.len() > 2 {
            return None;
        }
        let [_, knee, ankle] = clip.legs[foot].joints;
        let toes = clip.feet[foot].toes.filter(|_| clip.legs[foot].ends_at_ankle())?;
        let place = |joint: usize| self.models[joint].translation;
        let toe = self.models[ankle]
            .transform_point(clip.character().skeleton.joint(toes).rest.translation);
        Some(shank_foot_angle(place(knee), place(ankle), toe))
    }

    /// Lets a heel rise whose ankle would be bent too far, by a leg that has been put where it belongs. `own` is how
    /// far the clip bends it.
    fn roll(
        &mut self,
        clip: &GroundClip,
        index: usize,
        own: f32,
        most: f32,
        pose: &mut [Transform],
    ) {
        let foot = &clip.character().rig.feet[index];
        let (Some(bent), Some(toes)) = (self.ankle_angle(clip, index), clip.feet[index].toes)
        else {
            return;
        };
        let wanted = self.options.feet.ankle_bent(bent, own - 1e-3);
        let FootReport { target, print, next, down, .. } = self.feet[index];
        let print = if down == [false; 2] { next.or(print) } else { print };
        let up = print.map_or(Vec3::Y, |print| print.tilt * Vec3::Y);
        let toe = clip.character().skeleton.joint(toes).rest.translation;
        let (mut by, mut angle) = (0.0, bent);
        // A heel that rises bends the knee, and with it the ankle a little.
        for _ in 0..3 {
            if wanted - angle < 1e-3 {
                break;
            }
            by += wanted - angle;
            let rolled = RolledFoot::new(&target, toe, up, by);
            clip.legs[index].solve(&rolled.ankle, foot.ankle(), most, pose, &mut self.models);
            angle = self.ankle_angle(clip, index).unwrap_or(wanted);
        }
        if by > 0.0 {
            let rolled = RolledFoot::new(&target, toe, up, by);
            let report = &mut self.feet[index];
            report.toes -= rolled.turned;
            report.target = rolled.ankle;
            let heel = foot.heel.position(&self.models);
            let risen = by * target.transform_point(toe).distance(heel);
            report.down[0] &= risen < self.options.feet.down;
        }
    }
}

/// Samples the clip of a layer, says where its feet belong, and where its body is.
fn pose_of(
    layer: &Layer,
    long: f32,
    pose: &mut [Transform],
    models: &mut [Transform],
    feet: &mut [FootReport],
) -> BodyCarrier {
    let clip = &*layer.clip;
    clip.clip().sample(layer.time, Wrap::Clamp, pose);
    clip.character().skeleton.local_to_model(pose, models);
    for (index, (report, foot)) in feet.iter_mut().zip(&clip.character().rig.feet).enumerate() {
        let plan = &layer.plans[index];
        let leg = &clip.legs[index];
        let ankle = models[foot.ankle()];
        let placed = plan.target(clip, layer.time, &ankle);
        let [hip, _, end] = leg.joints;
        let length = models[hip].translation.distance(models[end].translation);
        let next = plan.next.as_ref().map(|next| next.at(layer.time));
        *report = FootReport {
            status: match (&plan.here, &plan.next, plan.stage) {
                _ if plan.blocked => FootStatus::Blocked,
                (_, Some(next), FootStage::Swing | FootStage::Committed) => next.print.status,
                (Some(here), ..) => here.status,
                _ => FootStatus::Firm,
            },
            down: clip.down(index, layer.time),
            print: plan.here.map(|here| here.at),
            next,
            lands_in: plan.next.as_ref().map(|next| next.print.landing - layer.time),
            target: placed.map_or(ankle, |placed| placed.ankle),
            ankle,
            toes: placed.map_or(Vec3::ZERO, |placed| placed.toes),
            extension: 0.0,
            source_extension: length / leg.length,
        };
    }
    BodyCarrier::new(clip, &layer.plans, layer.time, long)
}

fn pose_of_other(
    layer: &Layer,
    long: f32,
    pose: &mut [Transform],
    models: &mut [Transform],
) -> BodyCarrier {
    layer.clip.clip().sample(layer.time, Wrap::Clamp, pose);
    layer.clip.character().skeleton.local_to_model(pose, models);
    BodyCarrier::new(&layer.clip, &layer.plans, layer.time, long)
}

/// Where a foot of the clip that is being left belongs. One that is on the ground stays as it was when the
/// clip would have lifted it.
fn old_target(
    layer: &Layer,
    foot: usize,
    models: &[Transform],
) -> Option<(PlacedPrint, [bool; 2])> {
    let clip = &*layer.clip;
    let plan = &layer.plans[foot];
    let time = if plan.held { layer.time.min(plan.lift_off()) } else { layer.time };
    let ankle = if time < layer.time {
        clip.sample(foot, time).ankle
    } else {
        models[clip.character().rig.feet[foot].ankle()]
    };
    let placed = plan.target(clip, time, &ankle)?;
    Some((placed, clip.down(foot, time)))
}
