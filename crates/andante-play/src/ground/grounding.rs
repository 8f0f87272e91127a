//! A character that plays clips over the ground.

mod legs;
mod mixed;
mod posed;

use crate::feet::foothold::Sensor;
use crate::ground::clip::GroundClip;
use crate::ground::fade::{Approach, Fade, Wanted};
use crate::ground::input::TIMES;
use crate::ground::layer::{Layer, LayerContext};
use crate::ground::times::PhaseClock;
use crate::ground::trace::{GroundQuery, Trace};
use crate::{FootReport, GroundReport, GroundingError, GroundingOptions, Input, StageTimes, Start};
use andante_skeleton::{Pose, Transform};
use andante_world::Ground;
use glam::Vec3;
use std::sync::Arc;
use std::time::Duration;

/// The time of the clip after `clip_dt` seconds for somebody who comes to a stop at `barrier`, within about
/// `slow` seconds.
fn stopping(time: f32, clip_dt: f32, barrier: f32, slow: f32) -> f32 {
    let left = (barrier - time).max(0.0);
    let free = (left - slow).max(0.0).min(clip_dt);
    let rest = (clip_dt - free).max(0.0);
    let after = (left - free) * libm::expf(-rest / slow);
    barrier - after
}

/// Does something to the clip that is played, and to the one that is being left.
fn each(layer: &mut Layer, fade: &mut Option<Fade>, mut what: impl FnMut(&mut Layer)) {
    what(layer);
    if let Some(fade) = fade {
        what(&mut fade.layer);
    }
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
    /// Asked for, and not begun yet.
    waiting: Option<Wanted>,
    approach: Option<Approach>,
    /// How fast the clip is played because of a fade, and how fast that changes.
    haste: (f32, f32),
    /// Where the root was shown in the last frame, and how fast it moved.
    shown: Option<(Vec3, Vec3)>,
    /// Heading that was asked for, in total.
    turned: f32,
    /// Speed of time: below 1 while stopping and setting off.
    pace: f32,
    since_look: f32,
    leg_weight: f32,
    /// How fast the last clip was played when it was left.
    left_at: f32,
    /// Seconds of the clip that pass in a second.
    flow: f32,
    /// Seconds of the last step, and how far the body is below what was foreseen.
    passed: f32,
    deeper: f32,
    /// How fast that changes.
    deepening: f32,
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
            approach: None,
            haste: (1.0, 1.0),
            shown: None,
            turned: 0.0,
            pace: 1.0,
            since_look: 0.0,
            leg_weight: if options.solve_legs { 1.0 } else { 0.0 },
            left_at: 1.0,
            flow: 1.0,
            passed: 0.0,
            deeper: 0.0,
            deepening: 0.0,
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

    /// The options by which clips are adapted.
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
        (self.approach, self.haste, self.shown) = (None, (1.0, 1.0), None);
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

    /// Goes over to another clip of the same character, at the next moment that suits both, as fast as bodies do:
    /// whoever has to stop becomes slower first. Feet that are on the ground stay where they are until the new clip lifts
    /// them. A clip that is asked for during a fade comes after it.
    pub fn play(&mut self, clip: Arc<GroundClip>) -> Result<(), GroundingError> {
        self.check_own(&clip)?;
        (self.waiting, self.approach) = (Some((clip, None)), None);
        Ok(())
    }

    /// Goes over to another clip at once, from a time of it on, within some seconds. Times that do not suit what is
    /// played, or few seconds, are a jolt; see [`Grounding::play`].
    pub fn play_from(
        &mut self,
        clip: Arc<GroundClip>,
        time: f32,
        seconds: f32,
    ) -> Result<(), GroundingError> {
        GroundingError::unless_within("time", time, TIMES, "s")?;
        GroundingError::unless_within("seconds", seconds, 0.0..=1e3, "s")?;
        self.check_own(&clip)?;
        let told = Some([time, seconds.max(1e-3)]);
        (self.waiting, self.approach) = (Some((clip, told)), None);
        Ok(())
    }

    /// The clip that is played, or faded to.
    pub fn clip(&self) -> &Arc<GroundClip> {
        &self.clip
    }

    /// True if a fade is on.
    pub fn fading(&self) -> bool {
        self.fade.is_some() || self.waiting.is_some() || self.approach.is_some()
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

    /// The past path of an ankle, for drawing.
    pub fn ankle_path(&self, foot: usize) -> Option<&Trace<Vec3>> {
        self.ankles.get(foot)
    }

    /// The past path of the hips, for drawing.
    pub fn hip_path(&self) -> &Trace<Vec3> {
        &self.hips
    }

    /// The planned positions of an ankle at times from now on, each so many seconds of the clip after the one before, for
    /// drawing. Returns how many are known.
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
        let mut planned = first && self.pass(0.0, &input, ground, None);
        let mut looks = (!first).then_some(dt);
        let parts = (dt / self.options.pace.longest_part.max(1e-3)).ceil().max(1.0);
        for _ in 0..parts as usize {
            planned |= self.pass(dt / parts, &input, ground, looks.take());
        }
        // The first pose is as low as it has to be.
        self.passed = if first { f32::INFINITY } else { dt };
        self.write(pose);
        self.report.planned = planned;
        self.report
    }

    /// Speed of time for steps that take longer than in the clip, over some seconds.
    fn tempo(&self, seconds: f32) -> f32 {
        let Some(layer) = self.layer.as_ref().filter(|_| self.options.slow_steps) else {
            return 1.0;
        };
        let soon = self.options.pace.slow_ahead;
        layer.tempo(layer.time + 0.5 * seconds * layer.tempo(layer.time, soon), soon)
    }

    /// Lets time pass, after a look at what the ground has done in `looks` seconds.
    fn pass(&mut self, dt: f32, input: &Input, ground: &dyn Ground, looks: Option<f32>) -> bool {
        let options = self.options;
        self.turned += input.turn_rate * dt;
        let tempo = self.tempo(dt * input.rate);
        let flow = input.rate * self.pace * tempo;
        let hastened = self.hasten(dt);
        let layer = self.layer.take();
        let over = layer.as_ref().and_then(|layer| self.goes_over(layer, dt, dt * flow * hastened));
        self.flow = flow * self.haste.0;
        let clip_dt = dt * self.flow;
        let mut ctx = LayerContext {
            sensor: Sensor {
                ground,
                probes: &mut self.probes,
                range: options.steps.highest_step * self.clip.unit,
                feet: &options.feet,
            },
            turned: self.turned,
            time: 0.0,
            turn_rate: if input.rate > 1e-3 { input.turn_rate / (input.rate * tempo) } else { 0.0 },
            rate: input.rate,
            validate: options.validate_steps,
            correct_swings: options.correct_swings,
            scale_stride: options.scale_stride,
            stride: &options.steps.stride,
            footholds: input.footholds,
            planned: false,
            clock: &mut self.clock,
        };
        let mut layer = match layer {
            Some(layer) => layer,
            None => {
                let Start { place, height, time } = self.start;
                ctx.time = time;
                Layer::start(&self.clip, time, place, height, &mut ctx)
            }
        };
        if let Some(seconds) = looks {
            each(&mut layer, &mut self.fade, |layer| {
                ctx.time = layer.time;
                layer.watch(seconds, input.supports, &mut ctx);
            });
        }
        if let Some((clip, time, duration, told)) = over {
            ctx.time = time;
            let new = Layer::take_over(&clip, time, &layer, told, &mut ctx);
            self.fade = Some(Fade::of(layer, duration, self.left_at, told, &options.fade));
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
                layer.try_again(&mut ctx);
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
        each(&mut layer, &mut self.fade, |layer| layer.remember(&mut ctx.sensor));
        let planned = ctx.planned;
        let towards = if options.solve_legs { 1.0 } else { -1.0 };
        self.leg_weight = (self.leg_weight + towards * dt / options.pace.let_go).clamp(0.0, 1.0);
        self.layer = Some(layer);
        planned
    }
}
