//! A whole clip over the ground at once.

mod live;

use self::live::LiveClip;
use andante_play::measure::{MeasureSettings, MotionMetrics, measure_motion, pose_change_deg_mean};
use andante_play::{Contacts, FootContacts, Interval};
use andante_play::{
    FootReport, GroundClip, GroundClipError, GroundReport, Grounding, GroundingError,
    GroundingOptions, Input, Start, SupportKind,
};
use andante_skeleton::{Character, Clip, ClipError, Planar, Pose, Transform, Wrap};
use andante_world::{Ground, HeightFunction};
use glam::{Vec2, Vec3};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The extent of a clip that is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// From its start to its end.
    Once,
    /// So many rounds of a clip that repeats.
    Rounds(u32),
    /// Until the body has gone so many metres.
    Distance(f32),
    /// So many seconds.
    Seconds(f32),
}

/// The metres somebody has gone: as far as it is from where it began, or along its way if that winds.
///
/// ```
/// use andante_motion::adapt::GoneDistance;
/// use glam::Vec2;
///
/// for radius in [0.15f32, 0.3, 1.0, 10.0] {
///     let mut gone = GoneDistance::default();
///     (0..=360).for_each(|step| gone.add(radius * Vec2::from_angle((step as f32).to_radians())));
///     assert!((gone.metres() / (std::f32::consts::TAU * radius) - 1.0).abs() < 0.06);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GoneDistance {
    /// The first place, the last one that was counted, and where it is now.
    places: Option<[Vec2; 3]>,
    /// Metres up to the last one that was counted.
    counted: f32,
    /// Whether the way has wound.
    winds: bool,
    /// What is nearer than this to what was counted last is not counted yet: hips that sway do not get ahead by that.
    sway: f32,
}

impl Default for GoneDistance {
    /// Of somebody as large as a human.
    fn default() -> Self {
        Self::of_legs(0.85)
    }
}

impl GoneDistance {
    /// Of somebody with legs of a length.
    pub fn of_legs(length: f32) -> Self {
        Self { places: None, counted: 0.0, winds: false, sway: 0.12 * length }
    }

    /// One more place.
    pub fn add(&mut self, place: Vec2) {
        let [first, counted, _] = self.places.unwrap_or([place; 3]);
        let far = counted.distance(place);
        let is_far = far > self.sway;
        self.counted += if is_far { far } else { 0.0 };
        self.places = Some([first, if is_far { place } else { counted }, place]);
        // A way that is straight is a little longer than it leads, since hips sway along it.
        self.winds |= self.along() > 1.015 * first.distance(place) + self.sway;
    }

    fn along(&self) -> f32 {
        self.places.map_or(0.0, |[_, counted, now]| self.counted + counted.distance(now))
    }

    /// The distance, in metres.
    pub fn metres(&self) -> f32 {
        let away = self.places.map_or(0.0, |[first, _, now]| first.distance(now));
        if self.winds { self.along() } else { away }
    }
}

andante_skeleton::settings! {
    /// Options of [`adapt_clip`].
    pub struct TakeOptions: Copy {
        /// How much is played.
        extent: Extent = Extent::Once;
        /// Frames per second of the take; the clip's own if not given.
        fps: Option<f32> = None;
        /// Where it begins; where the clip does, on the highest ground there, if not given.
        start: Option<Start> = None;
        /// Speed of playing.
        rate: f32 = 1.0, 0.0..;
        /// Turn in radians per second besides the clip's own.
        turn_rate: f32 = 0.0;
        /// Seconds without getting ahead after which a take that has a distance to go gives up.
        patience: f32 = 5.0, 1.0..=60.0;
        /// Metres that count as getting ahead.
        progress: f32 = 0.01, 0.0..=1.0;
        /// Longest take, in seconds: longer extents are refused, and one that has a distance to go ends.
        longest: f32 = 3600.0, 0.0..=86_400.0;
        /// Whether feet are placed frame by frame, as those of a motion that nobody knows ahead; clip and root keep their
        /// pace.
        live: bool = false;
        /// How the clip is adapted.
        grounding: GroundingOptions = GroundingOptions::default() => check;
    }
}

/// An error that keeps a clip from being adapted.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TakeError {
    /// An option is no number, or asks for more than [`TakeOptions::longest`].
    #[error("{0} is out of range")]
    Option(&'static str),
    /// The frames do not make a clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// It cannot begin there.
    #[error(transparent)]
    Start(#[from] GroundingError),
    /// The character cannot be placed frame by frame.
    #[error(transparent)]
    Character(#[from] GroundClipError),
}

/// One frame of a take.
#[derive(Clone, Debug, PartialEq)]
pub struct AdaptedFrame {
    /// What it took to compute, in microseconds; 0 without a clock.
    pub microseconds: f32,
    /// The whole character.
    pub report: GroundReport,
    /// Every foot.
    pub feet: Vec<FootReport>,
}

/// A clip adapted to the ground.
#[derive(Clone, Debug)]
pub struct Adapted {
    /// The take.
    pub clip: Clip,
    /// The clip it came from, frame by frame as it was played.
    pub source: Clip,
    /// When feet are down in the take.
    pub contacts: Contacts,
    /// Quality of the take.
    pub metrics: MotionMetrics,
    /// Quality of the source on its own plane.
    pub source_metrics: MotionMetrics,
    /// What happened frame by frame: targets and real places of ankles, prints, statuses, costs.
    pub frames: Vec<AdaptedFrame>,
    /// Whether the character came to a stop somewhere.
    pub stopped: bool,
}

impl Adapted {
    /// Mean cost of a frame in microseconds.
    pub fn us_per_frame_mean(&self) -> f32 {
        let sum: f32 = self.frames.iter().map(|frame| frame.microseconds).sum();
        sum / self.frames.len().max(1) as f32
    }

    /// Cost that 99 % of the frames stay below, in microseconds.
    pub fn us_per_frame_p99(&self) -> f32 {
        let mut costs: Vec<f32> = self.frames.iter().map(|frame| frame.microseconds).collect();
        costs.sort_by(f32::total_cmp);
        costs.get(costs.len().saturating_sub(1) * 99 / 100).copied().unwrap_or(0.0)
    }
}

/// Most frames of a take.
const MOST_FRAMES: f32 = 500_000.0;
/// From how far above its plane a clip looks for the ground it begins on.
const SKY: f32 = 1000.0;

/// Plays a clip over the ground and measures what came of it.
pub fn adapt_clip(
    clip: &Arc<GroundClip>,
    ground: &dyn Ground,
    options: &TakeOptions,
) -> Result<Adapted, TakeError> {
    adapt_clip_timed(clip, ground, options, &mut || Duration::ZERO)
}

/// The same, with what each frame takes by a clock.
pub fn adapt_clip_timed(
    clip: &Arc<GroundClip>,
    ground: &dyn Ground,
    options: &TakeOptions,
    clock: &mut dyn FnMut() -> Duration,
) -> Result<Adapted, TakeError> {
    let mut recording = GroundRecording::new(clip);
    let fps = play_over(clip, ground, options, clock, |moment| {
        recording.add(moment);
        Ok::<_, TakeError>(())
    })?;
    recording.finish(fps, ground)
}

/// A moment of a clip that is played over the ground.
pub struct AdaptedMoment<'a> {
    /// Seconds since it began.
    pub time: f32,
    /// Frames a second.
    pub fps: f32,
    /// The pose, placed in the world.
    pub pose: &'a [Transform],
    /// The whole character.
    pub report: GroundReport,
    /// Every foot.
    pub feet: &'a [FootReport],
    /// What it took to compute, in microseconds; 0 without a clock.
    pub microseconds: f32,
}

/// Plays a clip over the ground and shows each frame as it is made; nothing is kept. Returns the frames a second.
pub fn play_over<E: From<TakeError>>(
    clip: &Arc<GroundClip>,
    ground: &dyn Ground,
    options: &TakeOptions,
    clock: &mut dyn FnMut() -> Duration,
    mut see: impl FnMut(&AdaptedMoment) -> Result<(), E>,
) -> Result<f32, E> {
    let fps = options.fps.unwrap_or(clip.clip().fps());
    if !(fps.is_finite() && (1.0..=2000.0).contains(&fps)) {
        return Err(TakeError::Option("the frame rate").into());
    }
    if !(options.rate.is_finite() && (0.01..=10.0).contains(&options.rate)) {
        return Err(TakeError::Option("the rate").into());
    }
    let duration = clip.clip().duration();
    let (seconds, distance) = match options.extent {
        Extent::Once => (duration / options.rate, None),
        Extent::Rounds(rounds) => (rounds as f32 * duration / options.rate, None),
        Extent::Distance(distance) => (options.longest, Some(distance)),
        Extent::Seconds(seconds) => (seconds, None),
    };
    let usable = seconds.is_finite() && (0.0..=options.longest).contains(&seconds);
    if !usable || distance.is_some_and(|distance| !distance.is_finite()) {
        return Err(TakeError::Option("the extent").into());
    }
    let place = clip.placement(0.0);
    let above = Vec3::new(place.position.x, clip.height() + SKY, place.position.y);
    let height = ground.probe(above, 2.0 * SKY).map_or(clip.height(), |hit| hit.point.y);
    let start = options.start.unwrap_or(Start { place, height, time: 0.0 });
    let skeleton = &clip.character().skeleton;
    let mut player =
        Grounding::new(Arc::clone(clip), start, options.grounding).map_err(TakeError::from)?;
    let mut live = match options.live {
        true => Some(LiveClip::new(clip, &start, options)?),
        false => None,
    };
    let mut pose = Pose::rest(skeleton);
    let count = (seconds * fps + 0.5).min(MOST_FRAMES) as usize;
    let (mut farthest, mut since) = (0.0f32, 0.0f32);
    let mut way = GoneDistance::of_legs(clip.leg_length());
    way.add(start.place.position);
    let input = Input { rate: options.rate, turn_rate: options.turn_rate, ..Input::default() };
    // Steps that take longer than in the clip make the take longer.
    let (mut last, mut is_over) = (f32::NEG_INFINITY, false);
    let plays_once = options.extent == Extent::Once && options.grounding.slow_steps;
    for frame in 0..=MOST_FRAMES as usize {
        let dt = if frame == 0 { 0.0 } else { 1.0 / fps };
        let begun = clock();
        let report = match &mut live {
            Some(live) => live.step(dt, &input, ground, &mut pose).map_err(TakeError::from)?,
            None => player.step(dt, &input, ground, &mut pose),
        };
        let microseconds = clock().saturating_sub(begun).as_secs_f32() * 1e6;
        let feet = live.as_ref().map_or(player.feet(), LiveClip::feet);
        let time = frame as f32 / fps;
        see(&AdaptedMoment { time, fps, pose: &pose, report, feet, microseconds })?;
        if let Some(distance) = distance {
            way.add(report.place.position);
            let gone = way.metres();
            since += dt;
            if gone > farthest + options.progress {
                (farthest, since) = (gone, 0.0);
            }
            if gone >= distance || since > options.patience {
                break;
            }
        }
        // Where the next round has begun, this one is over.
        is_over |= std::mem::replace(&mut last, report.time) > report.time;
        let goes_on = plays_once
            && !is_over
            && report.motion != SupportKind::Stopped
            && report.time + 0.5 / fps < duration;
        if frame >= count && !(goes_on && frame < 4 * count) {
            break;
        }
    }
    Ok(fps)
}

/// The times at which a clip was played, round by round: what it is without ground.
#[derive(Clone, Debug, Default)]
pub struct PlayedTimes {
    /// Time of the clip, and how many rounds came before.
    times: Vec<(f32, u32)>,
}

impl PlayedTimes {
    /// One more frame.
    pub fn add(&mut self, time: f32) {
        let round = match self.times.last() {
            Some(&(last, round)) if time < last => round + 1,
            Some(&(_, round)) => round,
            None => 0,
        };
        self.times.push((time, round));
    }

    /// The clip, frame by frame as it was played.
    pub fn source(&self, clip: &GroundClip, fps: f32) -> Result<Clip, ClipError> {
        let skeleton = &clip.character().skeleton;
        let mut poses = vec![Transform::IDENTITY; self.times.len() * skeleton.len()];
        let (mut placed, mut rounds) = (Planar::IDENTITY, 0);
        for (&(time, round), pose) in self.times.iter().zip(poses.chunks_exact_mut(skeleton.len()))
        {
            if let Some(way) = clip.round().filter(|_| round > rounds) {
                placed = way.then(&placed);
            }
            rounds = round;
            clip.clip().sample(time, Wrap::Clamp, pose);
            pose[0] = placed.to_transform() * pose[0];
        }
        Clip::new(clip.clip().name(), skeleton, fps, poses)
    }
}

/// The quality of a motion over the ground.
pub fn measure_over(
    character: &Character,
    clip: &Clip,
    contacts: &Contacts,
    ground: &dyn Ground,
) -> MotionMetrics {
    let (skeleton, rig) = (&character.skeleton, &character.rig);
    measure_motion(skeleton, rig, clip, contacts, ground, &MeasureSettings::default())
}

/// Frames as they come.
struct GroundRecording<'a> {
    clip: &'a GroundClip,
    poses: Vec<Transform>,
    times: PlayedTimes,
    contacts: Contacts,
    down: Vec<[bool; 2]>,
    frames: Vec<AdaptedFrame>,
    stopped: bool,
}

impl<'a> GroundRecording<'a> {
    fn new(clip: &'a GroundClip) -> Self {
        let feet = clip.character().rig.feet.len();
        Self {
            clip,
            poses: Vec::new(),
            times: PlayedTimes::default(),
            contacts: Contacts { feet: vec![FootContacts::default(); feet] },
            down: vec![[false; 2]; feet],
            frames: Vec::new(),
            stopped: false,
        }
    }

    fn add(&mut self, moment: &AdaptedMoment) {
        let AdaptedMoment { time, pose, report, feet, microseconds, .. } = *moment;
        self.stopped |= report.motion == SupportKind::Stopped;
        self.poses.extend_from_slice(pose);
        self.times.add(report.time);
        for (foot, report) in feet.iter().enumerate() {
            let contacts = &mut self.contacts.feet[foot];
            let lists = [&mut contacts.heel, &mut contacts.toe];
            for (part, list) in lists.into_iter().enumerate() {
                match list.last_mut() {
                    Some(last) if report.down[part] && self.down[foot][part] => last.end = time,
                    _ if report.down[part] => list.push(Interval::new(time, time)),
                    _ => {}
                }
            }
            self.down[foot] = report.down;
        }
        self.frames.push(AdaptedFrame { microseconds, report, feet: feet.to_vec() });
    }

    fn finish(self, fps: f32, ground: &dyn Ground) -> Result<Adapted, TakeError> {
        let character = self.clip.character();
        let take = Clip::new(self.clip.clip().name(), &character.skeleton, fps, self.poses)?;
        let source = self.times.source(self.clip, fps)?;
        let height = self.clip.height();
        let plane = HeightFunction::new(move |_| height);
        let measured = |clip: &Clip, ground: &dyn Ground| {
            let own = measure_over(character, clip, &self.contacts, ground);
            let change = pose_change_deg_mean(clip, &source);
            MotionMetrics { pose_change_deg_mean: Some(change), ..own }
        };
        let (metrics, source_metrics) = (measured(&take, ground), measured(&source, &plane));
        Ok(Adapted {
            clip: take,
            source,
            contacts: self.contacts,
            metrics,
            source_metrics,
            frames: self.frames,
            stopped: self.stopped,
        })
    }
}
