//! A motion as functions of time, and the clip that is sampled from it.

use super::body::{self, BodyPosture};
use super::figure::BipedMeasures;
use super::stance::{SynthFootPose, SynthStance};
use super::swing::{SwingFrame, SwingStyle, SynthSwing};
use super::{SynthClip, SynthError, SynthSettings};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Clip, Planar, Transform};
use glam::Vec3;

/// A body that moves along a path on feet that step from print to print.
pub(super) struct SynthPerformance<'a> {
    pub figure: &'a BipedMeasures<'a>,
    pub path: &'a dyn Fn(f32) -> Planar,
    pub body: &'a dyn Fn(f32) -> BodyPosture,
    /// The time by which the swings of a foot, 0 or 1, progress: the identity, unless they are
    /// drawn out.
    pub clock: &'a dyn Fn(usize, f32) -> f32,
    /// Outward turn of the feet in radians.
    pub toe_out: f32,
    /// How far legs may be stretched.
    pub max_extension: f32,
}

/// The contacts of one foot in order, and the styles of the swings between them.
#[derive(Default)]
pub(super) struct Steps {
    pub stances: Vec<SynthStance>,
    pub styles: Vec<SwingStyle>,
}

impl Steps {
    /// A foot that stands on its first contact.
    pub fn standing(stance: SynthStance) -> Self {
        Self { stances: vec![stance], styles: Vec::new() }
    }

    /// Swings to the next contact.
    pub fn step(mut self, style: SwingStyle, stance: SynthStance) -> Self {
        self.styles.push(style);
        self.stances.push(stance);
        self
    }
}

/// The stretch of a performance that becomes a clip.
pub(super) struct Window<'n> {
    pub name: &'n str,
    pub start: f32,
    /// Frames from the first to the last.
    pub steps: usize,
    pub cyclic: bool,
    /// Whether time runs backwards.
    pub reversed: bool,
}

impl<'n> Window<'n> {
    /// A stretch that is played once, forwards.
    pub fn once(name: &'n str, start: f32, steps: usize) -> Self {
        Self { name, start, steps, cyclic: false, reversed: false }
    }

    fn time(&self, frame: isize, fps: f32) -> f32 {
        let passed = frame as f32 / fps;
        if self.reversed { self.start - passed } else { self.start + passed }
    }
}

impl<'a> SynthPerformance<'a> {
    /// A body on the spot, whose swings take their time as it is.
    pub fn new(
        figure: &'a BipedMeasures<'a>,
        path: &'a dyn Fn(f32) -> Planar,
        body: &'a dyn Fn(f32) -> BodyPosture,
    ) -> Self {
        let SynthSettings { stand_toe_out: toe_out, max_extension, .. } = *figure.settings;
        Self { figure, path, body, clock: &|_, t| t, toe_out, max_extension }
    }

    /// The same body on its way, with feet and legs as in strides.
    pub fn striding(self) -> Self {
        let SynthSettings { toe_out, striding_extension: max_extension, .. } =
            *self.figure.settings;
        Self { toe_out, max_extension, ..self }
    }

    /// Samples the performance. Where a leg cannot reach its foot the body sinks a little.
    pub fn record(&self, feet: &[Steps; 2], window: &Window) -> Result<SynthClip, SynthError> {
        let settings = self.figure.settings;
        let (fps, reach) = (settings.fps, settings.sink_frames);
        let tracks = [0, 1].map(|side| self.track(side, &feet[side]));
        // A motion that goes on before and after the window sinks there too.
        let margin = if window.cyclic { 0 } else { 2 * reach };
        let wider = Window {
            start: window.time(-(margin as isize), fps),
            steps: window.steps + 2 * margin,
            ..*window
        };
        let mut moments = self.moments(&wider);
        let unsunk = self.frames(&tracks, &wider, &moments, &vec![0.0; wider.steps + 1]);
        let drops = self.drops(&unsunk);
        let frames = if margin == 0 && drops.iter().all(|&drop| drop <= 0.0) {
            unsunk
        } else {
            // Once sunk, heels may rise and spare the legs some of it.
            if margin > 0 {
                moments = self.moments(window);
            }
            let drops = envelope(&drops, window.cyclic, reach);
            self.frames(&tracks, window, &moments, &drops[margin..=margin + window.steps])
        };

        let skeleton = &self.figure.character.skeleton;
        let joints = skeleton.len();
        let mut transforms = vec![Transform::IDENTITY; frames.len() * joints];
        let mut models = vec![Transform::IDENTITY; joints];
        for (frame, pose) in frames.iter().zip(transforms.chunks_exact_mut(joints)) {
            body::pose(self.figure, &frame.path, &frame.body, &frame.feet, pose, &mut models);
        }
        if window.cyclic {
            // The same up to rounding; now exactly the same.
            let travel = frames[0].path.to(&frames[window.steps].path).to_transform();
            let last = window.steps * joints;
            transforms.copy_within(..joints, last);
            transforms[last] = travel * transforms[0];
        }
        let clip = Clip::new(window.name, skeleton, fps, transforms)?;
        let feet = [0, 1].map(|side| {
            let mut contacts = tracks[side].contacts(window, fps);
            let leg = &self.figure.legs[side];
            let up = |frame: &PerformanceFrame| {
                frame.feet[side].sole_heights(leg)[0] > settings.foot.heel_up * leg.straight()
            };
            contacts.heel.retain_mut(|interval| trim(interval, &frames, fps, &up));
            contacts
        });
        let contacts = Contacts { feet: feet.into() };
        Ok(SynthClip { clip, contacts, cyclic: window.cyclic })
    }

    /// The height by which the body is too high for its legs at the worst moment.
    pub fn overreach(&self, feet: &[Steps; 2], window: &Window) -> f32 {
        let tracks = [0, 1].map(|side| self.track(side, &feet[side]));
        let moments = self.moments(window);
        let frames = self.frames(&tracks, window, &moments, &vec![0.0; window.steps + 1]);
        self.drops(&frames).into_iter().fold(0.0, f32::max)
    }

    /// What is the same at every frame of a window however far the body sinks.
    fn moments(&self, window: &Window) -> Vec<PerformanceMoment> {
        let moment = |index: usize| {
            let time = window.time(index as isize, self.figure.settings.fps);
            let (path, body) = ((self.path)(time), (self.body)(time));
            let root = body.root(&path);
            let swings = [0, 1].map(|side| self.swing_frame_of(side, time, &path, &root));
            PerformanceMoment { time, path, body, swings }
        };
        (0..=window.steps).map(moment).collect()
    }

    /// Every frame of a window, with the body sunk by so much in each.
    fn frames(
        &self,
        tracks: &[FootContactsTrack; 2],
        window: &Window,
        moments: &[PerformanceMoment],
        drops: &[f32],
    ) -> Vec<PerformanceFrame> {
        let origin = (self.path)(window.start).inverse();
        let placed = origin.to_transform();
        let frame = |(moment, drop): (&PerformanceMoment, &f32)| {
            let mut body = moment.body;
            body.place.y -= drop;
            let foot = |side: usize| {
                let foot = self.foot(&tracks[side], side, moment.time, &moment.swings[side], *drop);
                foot.seen_from(&origin, &placed)
            };
            PerformanceFrame { path: origin.then(&moment.path), body, feet: [0, 1].map(foot) }
        };
        moments.iter().zip(drops).map(frame).collect()
    }

    fn drops(&self, frames: &[PerformanceFrame]) -> Vec<f32> {
        frames.iter().map(|frame| frame.overreach(self.figure, self.max_extension)).collect()
    }

    fn track(&self, side: usize, steps: &Steps) -> FootContactsTrack {
        let (frame, clock) = (|t: f32| self.swing_frame(side, t), |t: f32| (self.clock)(side, t));
        let leg = &self.figure.legs[side];
        let pairs = steps.stances.windows(2).zip(&steps.styles);
        let swings = pairs
            .map(|(pair, style)| {
                SynthSwing::new(leg, *style, [&pair[0], &pair[1]], (&frame, &clock))
            })
            .collect();
        FootContactsTrack { stances: steps.stances.clone(), swings }
    }

    fn swing_frame(&self, side: usize, t: f32) -> SwingFrame {
        let path = (self.path)(t);
        self.swing_frame_of(side, t, &path, &(self.body)(t).root(&path))
    }

    /// The same where path and root are known.
    fn swing_frame_of(&self, side: usize, t: f32, path: &Planar, root: &Transform) -> SwingFrame {
        let leg = &self.figure.legs[side];
        SwingFrame {
            hip: root.transform_point(leg.hip),
            heading: path.heading,
            clock: (self.clock)(side, t),
            toe_out: leg.sign * self.toe_out,
        }
    }

    fn foot(
        &self,
        track: &FootContactsTrack,
        side: usize,
        t: f32,
        frame: &SwingFrame,
        drop: f32,
    ) -> SynthFootPose {
        let leg = &self.figure.legs[side];
        // The last contact that has begun, or the first; then maybe the swing that follows it.
        let begun = track.stances.iter().rposition(|stance| stance.strike <= t).unwrap_or(0);
        let stance = &track.stances[begun];
        let hip = frame.hip - Vec3::Y * drop;
        match track.swings.get(begun) {
            Some(swing) if t > stance.toe_off => swing.foot(leg, frame, hip),
            _ => stance.foot(leg, t, hip),
        }
    }
}

/// One foot's contacts and the swings between them.
struct FootContactsTrack {
    stances: Vec<SynthStance>,
    swings: Vec<SynthSwing>,
}

impl FootContactsTrack {
    fn contacts(&self, window: &Window, fps: f32) -> FootContacts {
        let duration = window.steps as f32 / fps;
        let clipped = |[from, to]: [f32; 2]| {
            let (from, to) = if window.reversed {
                (window.start - to, window.start - from)
            } else {
                (from - window.start, to - window.start)
            };
            let (from, to) = (from.max(0.0), to.min(duration));
            (to - from > 1e-4).then(|| Interval::new(from, to))
        };
        // A foot that comes down on its toes has yet to settle: no contact before it has.
        let toe = |stance: &SynthStance| {
            if window.reversed { stance.ball_contact() } else { stance.toe_contact() }
        };
        let mut heel: Vec<_> =
            self.stances.iter().filter_map(|stance| clipped(stance.heel_contact()?)).collect();
        let mut toe: Vec<_> =
            self.stances.iter().filter_map(|stance| clipped(toe(stance))).collect();
        heel.sort_by(|a, b| a.start.total_cmp(&b.start));
        toe.sort_by(|a, b| a.start.total_cmp(&b.start));
        FootContacts { heel, toe }
    }
}

/// One moment of a performance before the body sinks.
struct PerformanceMoment {
    time: f32,
    path: Planar,
    body: BodyPosture,
    swings: [SwingFrame; 2],
}

/// One moment of a performance.
struct PerformanceFrame {
    path: Planar,
    body: BodyPosture,
    feet: [SynthFootPose; 2],
}

impl PerformanceFrame {
    /// How far the body must sink for both legs to reach their feet.
    fn overreach(&self, figure: &BipedMeasures, max_extension: f32) -> f32 {
        let root = self.body.root(&self.path);
        let mut drop: f32 = 0.0;
        for (leg, foot) in figure.legs.iter().zip(&self.feet) {
            let down = root.transform_point(leg.hip) - foot.ankle;
            let longest = max_extension * leg.straight();
            let across = down.x * down.x + down.z * down.z;
            drop = drop.max(down.y - (longest * longest - across).max(0.0).sqrt());
        }
        drop
    }
}

/// Ends a contact where a heel that gave way leaves the ground early; false if nothing is left.
fn trim(
    interval: &mut Interval,
    frames: &[PerformanceFrame],
    fps: f32,
    up: &dyn Fn(&PerformanceFrame) -> bool,
) -> bool {
    let inside = |index: &usize| interval.contains(*index as f32 / fps);
    let mut down = (0..frames.len()).filter(inside).skip_while(|&index| up(&frames[index]));
    let Some(first) = down.next() else { return false };
    let last = first + down.take_while(|&index| !up(&frames[index])).count();
    if first as f32 / fps - interval.start > 1.0 / fps {
        interval.start = first as f32 / fps;
    }
    if interval.end - last as f32 / fps > 1.0 / fps {
        interval.end = last as f32 / fps;
    }
    interval.length() > 0.0
}

/// A smooth curve that is nowhere below the given one: the maximum over a neighbourhood, averaged
/// over a neighbourhood that is not wider.
fn envelope(drops: &[f32], cyclic: bool, reach: usize) -> Vec<f32> {
    if drops.iter().all(|&drop| drop <= 0.0) {
        return vec![0.0; drops.len()];
    }
    let reach = reach as isize;
    // The last frame of a cycle is its first.
    let period = (drops.len() as isize - 1).max(1);
    let index = |at: isize| {
        if cyclic {
            at.rem_euclid(period) as usize
        } else {
            at.clamp(0, drops.len() as isize - 1) as usize
        }
    };
    let widest: Vec<f32> = (0..drops.len() as isize)
        .map(|at| (at - reach..=at + reach).map(|near| drops[index(near)]).fold(0.0, f32::max))
        .collect();
    (0..drops.len() as isize)
        .map(|at| {
            let mut sum = 0.0;
            let mut total = 0.0;
            for offset in -reach..=reach {
                let x = offset as f32 / (reach + 1) as f32;
                let weight = (1.0 - x * x) * (1.0 - x * x);
                sum += weight * widest[index(at + offset)];
                total += weight;
            }
            sum / total
        })
        .collect()
}
