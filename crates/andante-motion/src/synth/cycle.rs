//! Steady gaits: walking and running at any speed along any arc.

use super::body::BodyPosture;
use super::curve::Periodic;
use super::figure::BipedMeasures;
use super::normative::LegCurves;
use super::pace::{FootTiming, run_duty, run_feet, run_period, walk_duty, walk_feet, walk_period};
use super::performance::{Steps, SynthPerformance, Window};
use super::posture::PostureInput;
use super::stance::SynthStance;
use super::swing::{Blend, SwingStyle};
use super::{GaitRequest, SynthClip, SynthError};
use andante_skeleton::Planar;
use glam::Vec2;

/// One gait, worked out for one figure: when and where its feet strike and how its body sways.
pub(super) struct SynthCycle<'a> {
    figure: &'a BipedMeasures<'a>,
    gait: GaitRequest,
    running: bool,
    /// The speed at which an adult moves similarly, in m/s.
    pace: f32,
    /// How much of the motion is forward, against sideways.
    forward: f32,
    /// Frames of a cycle; even, so that both halves can mirror each other.
    pub frames: usize,
    duty: f32,
    /// Half the distance between the tracks of the feet.
    half_width: f32,
    lean: f32,
    feet: FootTiming,
    curves: LegCurves,
    height: RootHeight,
}

/// Height of the root over a step.
#[derive(Clone, Copy, Debug)]
enum RootHeight {
    Walk(Periodic),
    Run { mean: f32 },
}

impl<'a> SynthCycle<'a> {
    /// Speeds must have been checked to be in range and forward, if not sideways.
    pub fn new(figure: &'a BipedMeasures<'a>, gait: &GaitRequest) -> Self {
        let settings = figure.settings;
        let speed = libm::hypotf(gait.speed, gait.lateral);
        let pace = figure.adult_speed(speed).max(0.05);
        let running = gait.runs(figure);
        let forward = if speed > 0.0 { gait.speed / speed } else { 1.0 };
        let period = match running {
            true => run_period(pace),
            false => walk_period(settings.adult_stature, pace),
        };
        let period = figure.seconds(period);
        // Steps to the side are short and quick.
        let aside = figure.seconds(0.85);
        let period = aside + (period * (1.0 - 0.12 * gait.crouch) - aside) * forward * forward;
        // Feet on the outside of a turn have farther to go, so steps are quicker.
        let lean = libm::atanf(gait.speed * gait.turn_rate / settings.gravity);
        let outside = figure.hip_height * libm::sinf(lean).abs() + figure.length(0.05);
        let farther = outside * (gait.turn_rate / gait.speed.max(figure.speed(0.2))).abs();
        let period = period / (1.0 + farther);
        let frames = 2 * (0.5 * period * settings.fps).round().max(8.0) as usize;
        let period = frames as f32 / settings.fps;
        let duty = if running {
            let pace = pace * (1.0 + farther);
            run_duty(settings.longest_contact, pace, period / figure.seconds(1.0))
        } else {
            walk_duty(pace)
        };

        let sideways = (gait.lateral * period).abs();
        let track = figure.length(if running { 0.05 } else { 0.10 });
        // Feet that step aside must not meet when they close.
        let apart = 0.5 * sideways + figure.length(0.02) * (sideways / figure.length(0.1)).min(1.0);
        let half_width = 0.5 * (track + apart);
        let feet = if running { run_feet(pace, duty) } else { walk_feet(pace, duty) };
        let roll = 0.35 + 0.65 * forward;
        let feet = FootTiming {
            strike_pitch: feet.strike_pitch * forward,
            off_pitch: feet.off_pitch * roll,
            toe_roll: feet.toe_roll * roll,
            ..feet
        };
        let curves = if running {
            LegCurves::run(settings, 0.75 + 0.083 * pace, 0.78 + 0.075 * pace)
        } else {
            LegCurves::walk(settings, 0.768 + 0.29 * pace, 0.605 + 0.155 * pace)
        };
        let mut cycle = Self {
            figure,
            gait: *gait,
            running,
            pace,
            forward,
            frames,
            duty,
            half_width,
            lean,
            feet,
            curves,
            height: RootHeight::Run { mean: 0.0 },
        };
        cycle.height = cycle.fit_height();
        // Free fall leaves no room for sinking locally: the whole course is lowered instead.
        for _ in 0..2 {
            if let RootHeight::Run { mean } = cycle.height {
                cycle.height = RootHeight::Run { mean: mean - cycle.overreach() };
            }
        }
        cycle
    }

    /// Seconds from strike to strike of the same foot.
    pub fn period(&self) -> f32 {
        self.frames as f32 / self.figure.settings.fps
    }

    /// True if there is a flight.
    pub fn running(&self) -> bool {
        self.running
    }

    /// Part of the cycle a foot is down.
    pub fn duty(&self) -> f32 {
        self.duty
    }

    /// How far legs may be stretched: steps to the side are quick.
    fn max_extension(&self) -> f32 {
        let striding = if self.running { 0.0 } else { self.forward * self.forward };
        let (least, most) =
            (self.figure.settings.max_extension, self.figure.settings.striding_extension);
        least + (most - least) * striding
    }

    /// The place of the body after a time: the arc of a constant velocity and turn rate.
    pub fn path(&self, t: f32) -> Planar {
        let turned = self.gait.turn_rate * t;
        // sin(ωt)/ω and (1 − cos(ωt))/ω, by their series for small turns.
        let (along, across) = if turned.abs() < 1e-3 {
            (t * (1.0 - turned * turned / 6.0), 0.5 * t * turned)
        } else {
            let rate = self.gait.turn_rate;
            (libm::sinf(turned) / rate, (1.0 - libm::cosf(turned)) / rate)
        };
        let (side, ahead) = (self.gait.lateral, self.gait.speed);
        let position = Vec2::new(side * along + ahead * across, ahead * along - side * across);
        Planar::new(position, turned)
    }

    /// The contact of a foot that strikes a number of periods after the first strike of the left.
    pub fn stance(&self, side: usize, round: i32) -> SynthStance {
        let period = self.period();
        let strike = (round as f32 + 0.5 * side as f32) * period;
        let sign = self.figure.legs[side].sign;
        // The body leans into the turn and carries the hips inwards, so the feet go outside.
        let outside = self.figure.hip_height * libm::sinf(self.lean);
        let aside = Planar::new(
            Vec2::new(sign * self.half_width - outside, 0.0),
            sign * self.figure.settings.toe_out,
        );
        SynthStance {
            print: self.path(strike + self.feet.over * period).then(&aside),
            strike,
            flat: strike + self.feet.flat * period,
            heel_off: strike + self.feet.heel_off * period,
            ball_off: strike + self.feet.ball_off * period,
            toe_off: strike + self.duty * period,
            strike_pitch: self.feet.strike_pitch,
            heel_up: self.feet.heel_up,
            off_pitch: self.feet.off_pitch,
            off_slope: self.feet.off_slope,
            toe_roll: self.feet.toe_roll,
        }
    }

    /// The style of the feet's swings.
    pub fn swing_style(&self) -> SwingStyle {
        SwingStyle {
            curves: self.curves,
            normative: self.forward * (1.0 - 0.5 * self.gait.crouch),
            lift: self.figure.length(0.07),
            clearance: if self.running { f32::NEG_INFINITY } else { self.figure.length(0.016) },
            soft_landing: if self.running { [0.2, 0.3] } else { [1.0, 0.78] },
            blend: if self.running { Blend::SHORT } else { Blend::LONG },
        }
    }

    /// Both feet over the rounds given.
    fn steps(&self, rounds: std::ops::Range<i32>) -> [Steps; 2] {
        let foot = |side: usize| {
            let stances: Vec<SynthStance> =
                rounds.clone().map(|round| self.stance(side, round)).collect();
            Steps { styles: vec![self.swing_style(); stances.len()], stances }
        };
        [foot(0), foot(1)]
    }

    /// How far the body is too high for its legs at the worst moment.
    fn overreach(&self) -> f32 {
        self.performed("", false, |performance, window| {
            performance.overreach(&self.steps(-1..2), window)
        })
    }

    /// The clip of one cycle; backwards, if asked, from the moment the left foot comes down.
    pub fn record(&self, name: &str, reversed: bool) -> Result<SynthClip, SynthError> {
        // All that is down or swings within one cycle; backwards it begins earlier.
        let first = if reversed { -2 } else { -1 };
        self.performed(name, reversed, |performance, window| {
            performance.record(&self.steps(first..2), window)
        })
    }

    fn performed<R>(
        &self,
        name: &str,
        reversed: bool,
        then: impl FnOnce(&SynthPerformance, &Window) -> R,
    ) -> R {
        let path = |t: f32| self.path(t);
        let body = |t: f32| self.body(t / self.period());
        let performance = SynthPerformance {
            figure: self.figure,
            path: &path,
            body: &body,
            clock: &|_, t| t,
            toe_out: self.figure.settings.toe_out,
            max_extension: self.max_extension(),
        };
        let start = if reversed { self.duty * self.period() } else { 0.0 };
        let window = Window { name, start, steps: self.frames, cyclic: true, reversed };
        then(&performance, &window)
    }

    /// The posture at a phase; 0 is the strike of the left foot.
    pub fn body(&self, phase: f32) -> BodyPosture {
        let posture = PostureInput {
            figure: self.figure,
            pace: self.pace,
            forward: self.forward,
            duty: self.duty,
            arm_swing: self.gait.arm_swing,
        };
        let mut body = if self.running { posture.run(phase) } else { posture.walk(phase) };
        body.place.y = self.height_at(phase) * libm::cosf(self.lean);
        let (crouch, forward) = (self.gait.crouch, self.forward);
        body.pelvis.y *= forward;
        body.chest.y *= forward;
        body.chest.x += 0.45 * crouch;
        body.pelvis.x += 0.25 * crouch;
        body.head.x += 0.05 * crouch;
        // Leaning into a turn, looking where it leads.
        body.pelvis.z -= 0.7 * self.lean;
        body.chest.z -= self.lean;
        body.head.z -= 0.4 * self.lean;
        body.head.y += (0.25 * self.gait.turn_rate * self.figure.seconds(1.0)).clamp(-0.4, 0.4);
        body
    }

    fn height_at(&self, phase: f32) -> f32 {
        match &self.height {
            RootHeight::Walk(series) => series.at(2.0 * (phase + self.figure.settings.vault_lead)),
            RootHeight::Run { mean } => mean + self.bounce(phase),
        }
    }

    /// Height of a runner about its value at touch down. Between steps the body falls freely; during
    /// a step the ground pushes with a force that rises and falls as 1 − x⁴ over the contact, x from
    /// −1 to 1, and carries the weight on average: a flatter top than that of a spring (R. McN.
    /// Alexander 1992 takes half a sine wave), because hips move less than the centre of mass.
    fn bounce(&self, phase: f32) -> f32 {
        let gravity = self.figure.settings.gravity;
        let step = 0.5 * self.period();
        let contact = self.duty * self.period();
        let t = (2.0 * phase).rem_euclid(1.0) * step;
        if t >= contact {
            return 0.5 * gravity * (t - contact) * (step - t);
        }
        let push = gravity * step / (0.8 * contact);
        let x2 = (2.0 * t / contact - 1.0).powi(2);
        let fall = |x2: f32| push * (x2 / 2.0 - x2 * x2 * x2 / 30.0) - 0.5 * gravity * x2;
        (0.5 * contact).powi(2) * (fall(x2) - fall(1.0))
    }

    /// The height that lets the knee of the standing leg follow its normative course: walking, the
    /// series with two periods a cycle that is closest to it; running, the mean.
    fn fit_height(&self) -> RootHeight {
        const SAMPLES: usize = 40;
        let straightest = 2.0 * libm::acosf(self.max_extension());
        let wanted = |side: usize, phase: f32| {
            let leg = &self.figure.legs[side];
            let t = (phase + 0.5 * side as f32) * self.period();
            let mut body = self.body(t / self.period());
            body.place.y = 0.0;
            let hip = body.root(&self.path(t)).transform_point(leg.hip);
            let foot = self.stance(side, 0).unhindered_foot(leg, t);
            let knee = self.curves.stance_knee((phase / self.duty).min(1.0));
            let bent = 0.9 * self.gait.crouch + knee * (1.0 - 0.3 * self.gait.crouch);
            let reach = leg.reach(bent.max(straightest));
            let across = Vec2::new(hip.x - foot.ankle.x, hip.z - foot.ankle.z).length_squared();
            foot.ankle.y + (reach * reach - across).max(0.0).sqrt() - hip.y
        };
        // Twice a cycle the legs change roles: what is wanted of either leg in its first half cycle
        // makes the height of a step.
        let wanted = |sample: usize| {
            let phase = 0.5 * sample as f32 / SAMPLES as f32;
            0.5 * (wanted(0, phase) + wanted(1, phase)) / libm::cosf(self.lean)
        };
        if self.running {
            let inside: Vec<f32> = (0..SAMPLES)
                .filter(|&sample| 0.5 * (sample as f32) / (SAMPLES as f32) < self.duty)
                .map(|sample| wanted(sample) - self.bounce(0.5 * sample as f32 / SAMPLES as f32))
                .collect();
            let mean = inside.iter().sum::<f32>() / inside.len().max(1) as f32;
            return RootHeight::Run { mean: mean + self.figure.length(0.02) };
        }
        let samples: Vec<f32> = (0..SAMPLES).map(wanted).collect();
        RootHeight::Walk(Periodic::smooth(&samples, 2).exaggerated(self.figure.settings.vault))
    }
}
