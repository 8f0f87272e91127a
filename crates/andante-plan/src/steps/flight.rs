//! What a gait plays straight ahead, and where flights carry it.

use super::planner::Record;
use super::score::FPS;
use super::vocabulary::{hips_placement, root_accelerations};
use super::{
    AerialSettings, PlannedFootprint, PlannedMotion, StepError, StepGround, StepOptions, Timings,
};
use andante_motion::adapt::{TakeOptions, adapt_clip};
use andante_play::blend_space::GaitPlayer;
use andante_play::repertoire::Repertoire;
use andante_play::{Contacts, FootContacts, Interval};
use andante_play::{GroundClip, GroundingOptions};
use andante_skeleton::{Character, Clip, Planar, Transform, ease, rotation};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Ground that differs by less than this is level, in metres.
const LEVEL: f32 = 1e-3;

/// The frames in which no foot is down, and what changes meanwhile beside what the gait does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AerialFlight {
    /// The first frame in the air, and the first on the ground again.
    frames: [usize; 2],
    /// A turn about the hips, in radians.
    pub turn: f32,
    /// A shift in the world, in metres.
    pub shift: Vec2,
}

impl AerialFlight {
    /// Between the first frame in the air and the first on the ground again; none if that is too short to change anything.
    pub fn new(from: usize, landing: usize, shortest: usize) -> Option<Self> {
        let long = landing - from >= shortest;
        long.then_some(Self { frames: [from, landing], turn: 0.0, shift: Vec2::ZERO })
    }
}

/// A gait that goes straight ahead in a world of its own, and the flights that lead it where it has to be.
#[derive(Clone, Debug)]
pub(super) struct AerialRecording {
    character: Character,
    poses: Vec<Transform>,
    /// Where the hips are in its own world.
    own: Vec<Planar>,
    /// Which heels and balls are down: all feet of a frame, frame by frame.
    down: Vec<[bool; 2]>,
    shares: Vec<f32>,
    start: Planar,
    flights: Vec<AerialFlight>,
    settings: AerialSettings,
}

impl AerialRecording {
    /// Begins with what is played, placed so that the hips are at the start.
    pub fn new(
        repertoire: &Repertoire,
        player: &GaitPlayer,
        start: Planar,
        settings: AerialSettings,
    ) -> Self {
        let mut recording = Self {
            character: repertoire.character().clone(),
            poses: Vec::new(),
            own: Vec::new(),
            down: Vec::new(),
            shares: Vec::new(),
            start,
            flights: Vec::new(),
            settings,
        };
        recording.add(player, 0.0);
        recording
    }

    /// Takes a frame.
    pub fn add(&mut self, player: &GaitPlayer, share: f32) {
        let from = self.poses.len();
        self.poses.resize(from + self.character.skeleton.len(), Transform::IDENTITY);
        player.write_pose(&mut self.poses[from..]);
        self.own.push(hips_placement(&self.character, &self.poses[from..]));
        self.down.extend((0..self.character.rig.feet.len()).map(|foot| player.contact(foot)));
        self.shares.push(share);
    }

    /// Frames so far.
    pub fn len(&self) -> usize {
        self.own.len()
    }

    fn down(&self, frame: usize) -> &[[bool; 2]] {
        let feet = self.character.rig.feet.len();
        &self.down[frame * feet..][..feet]
    }

    /// True if no foot is down in a frame.
    pub fn flies(&self, frame: usize) -> bool {
        self.down(frame).iter().all(|foot| *foot == [false; 2])
    }

    /// True if it has left the ground at all.
    pub fn has_flights(&self) -> bool {
        !self.flights.is_empty()
    }

    /// Changes what comes after a flight that is over.
    pub fn push(&mut self, flight: AerialFlight) {
        self.flights.push(flight);
    }

    /// From its own world to the real one, in a frame.
    fn map(&self, frame: usize) -> Planar {
        let mut map = self.start.then(&self.own[0].inverse());
        for flight in &self.flights {
            let [from, landing] = flight.frames;
            if frame < from {
                break;
            }
            let weight = ease((frame + 1 - from) as f32 / (landing + 1 - from) as f32);
            let pivot = Planar::new(self.own[(from + landing) / 2].position, 0.0);
            let turn = Planar::new(Vec2::ZERO, weight * flight.turn);
            map = map.then(&pivot.then(&turn).then(&pivot.inverse()));
            map.position += weight * flight.shift;
        }
        map
    }

    /// The place of the hips in a frame.
    pub fn hips(&self, frame: usize) -> Planar {
        self.map(frame).then(&self.own[frame])
    }

    /// Lets the last flights make up for what is missing at the end.
    pub fn end_at(&mut self, goal: &Planar, flights: usize) {
        let last = self.len() - 1;
        let count = self.flights.len().min(flights);
        let from = self.flights.len() - count;
        let part = 1.0 / count.max(1) as f32;
        let turn = rotation::wrap_angle(goal.heading - self.hips(last).heading);
        self.flights[from..].iter_mut().for_each(|flight| flight.turn += part * turn);
        let shift = goal.position - self.hips(last).position;
        self.flights[from..].iter_mut().for_each(|flight| flight.shift += part * shift);
    }

    /// Everything there is to know about it, on the ground of a world.
    pub fn performance(
        &self,
        repertoire: &Repertoire,
        gait: usize,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        let count = self.len();
        let character = &self.character;
        let joints = character.skeleton.len();
        let mut transforms = self.poses.clone();
        for (frame, pose) in transforms.chunks_exact_mut(joints).enumerate() {
            pose[0] = self.map(frame).to_transform() * pose[0];
        }
        let level = self.contacts();
        let made = |transforms: Vec<Transform>| {
            Clip::new("performance", &character.skeleton, FPS, transforms)
                .map_err(|_| StepError::NonFinite("a pose"))
        };
        let prints =
            footprints(character, &made(transforms.clone())?, &level, world, self.settings.look_up);
        let heights = || prints.iter().flat_map(|print| [print.heel.y, print.tip.y]);
        let (low, high) = heights()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let (clip, contacts, changed) = if high - low > LEVEL {
            grounded(character, made(transforms)?, &level, world, options)?
        } else {
            let height = if low.is_finite() { low } else { 0.0 };
            transforms.chunks_exact_mut(joints).for_each(|pose| pose[0].translation.y += height);
            (made(transforms)?, level, 0.0)
        };
        let body: Vec<Planar> = clip.frames().map(|pose| hips_placement(character, pose)).collect();
        let smooth = self.settings.smooth;
        let step = |frame: usize| {
            let (a, b) =
                (body[frame.saturating_sub(smooth)], body[(frame + smooth).min(count - 1)]);
            let frames = (frame + smooth).min(count - 1) - frame.saturating_sub(smooth);
            (a.position.distance(b.position), b.heading - a.heading, frames.max(1) as f32 / FPS)
        };
        let speed = |frame: usize| step(frame).0 / step(frame).2;
        let curvature = |frame: usize| match step(frame) {
            (way, turn, _) if way > 0.1 => turn / way,
            _ => 0.0,
        };
        Ok(PlannedMotion {
            footprints: footprints(character, &clip, &contacts, world, self.settings.look_up),
            contacts,
            curvature: (0..count).map(curvature).collect(),
            running: self.shares.clone(),
            speed: (0..count).map(speed).collect(),
            pose_change_deg_mean: changed,
            clips_root_accel_max: root_accelerations(repertoire)[gait],
            timings: Timings::default(),
            record: Record::default(),
            body,
            clip,
        })
    }

    /// The share of a change that the last flights have made until a frame, if all make the same.
    fn progress(&self, frame: usize, flights: usize) -> f32 {
        let from = self.flights.len() - self.flights.len().min(flights);
        let last = &self.flights[from..];
        let part = |flight: &AerialFlight| {
            let [from, landing] = flight.frames;
            ease((frame + 1).saturating_sub(from) as f32 / (landing + 1 - from) as f32)
        };
        last.iter().map(part).sum::<f32>() / last.len().max(1) as f32
    }

    /// A performance over uneven ground, moved by the little that is missing at its end, and up or down with what is
    /// below its feet.
    pub fn led_to(
        &self,
        goal: &Planar,
        made: PlannedMotion,
        flights: usize,
        world: &StepGround,
    ) -> Result<PlannedMotion, StepError> {
        let character = &self.character;
        let Some(last) = made.body.last() else { return Ok(made) };
        let missing = goal.position - last.position;
        let AerialSettings { look_up: sky, lifting, .. } = self.settings;
        let middle = |print: &PlannedFootprint| 0.5 * (print.landing + print.take_off) * FPS;
        // How much higher the ground is where each foot comes to stand.
        let lifts: Vec<(f32, f32)> = made
            .footprints
            .iter()
            .map(|print| {
                let frame = middle(print).round() as usize;
                let shift = self.progress(frame, flights) * missing;
                let from = print.position + sky * Vec3::Y;
                let to = from + Vec3::new(shift.x, 0.0, shift.y);
                let [was, is] = [from, to].map(|from| world.ground.height_below(from, 2.0 * sky));
                (middle(print), is.zip(was).map_or(0.0, |(is, was)| is - was))
            })
            .collect();
        let lift = |frame: usize| {
            let weight = |at: f32| libm::expf(-((at - frame as f32) / lifting).powi(2)).max(1e-30);
            let total: f32 = lifts.iter().map(|(at, _)| weight(*at)).sum();
            lifts.iter().map(|(at, lift)| weight(*at) * lift).sum::<f32>() / total.max(1e-30)
        };
        let mut transforms = made.clip.transforms().to_vec();
        let poses = transforms.chunks_exact_mut(character.skeleton.len());
        for (frame, pose) in poses.enumerate() {
            let shift = self.progress(frame, flights) * missing;
            pose[0].translation += Vec3::new(shift.x, lift(frame), shift.y);
        }
        let clip = Clip::new("performance", &character.skeleton, FPS, transforms)
            .map_err(|_| StepError::NonFinite("a pose"))?;
        Ok(PlannedMotion {
            footprints: footprints(character, &clip, &made.contacts, world, sky),
            body: clip.frames().map(|pose| hips_placement(character, pose)).collect(),
            clip,
            ..made
        })
    }

    fn contacts(&self) -> Contacts {
        let of = |foot: usize, point: usize| {
            let mut intervals: Vec<Interval> = Vec::new();
            let mut before = false;
            for frame in 0..self.len() {
                let (time, down) = (frame as f32 / FPS, self.down(frame)[foot][point]);
                match intervals.last_mut() {
                    Some(last) if down && before => last.end = time,
                    _ if down => intervals.push(Interval::new(time, time)),
                    _ => {}
                }
                before = down;
            }
            intervals
        };
        let feet = 0..self.character.rig.feet.len();
        let feet = feet.map(|foot| FootContacts { heel: of(foot, 0), toe: of(foot, 1) });
        Contacts { feet: feet.collect() }
    }
}

/// A motion that was made on a plane, over the ground of a world; and how far joints were turned for it, in degrees.
fn grounded(
    character: &Character,
    clip: Clip,
    contacts: &Contacts,
    world: &StepGround,
    options: &StepOptions,
) -> Result<(Clip, Contacts, f32), StepError> {
    let refused = || StepError::Legs(character.name.clone());
    let made = GroundClip::new(&Arc::new(character.clone()), clip, contacts, false, 0.0)
        .map_err(|_| refused())?;
    // It has as many frames as what it was made of.
    let grounding = GroundingOptions {
        slow_steps: false,
        feet: options.feet,
        steps: options.grounding,
        ..GroundingOptions::default()
    };
    let options = TakeOptions { grounding, ..TakeOptions::default() };
    let adapted = adapt_clip(&Arc::new(made), world.ground, &options).map_err(|_| refused())?;
    let angle = |(a, b): (&Transform, &Transform)| rotation::angle_between(a.rotation, b.rotation);
    let both = adapted.clip.transforms().iter().zip(adapted.source.transforms());
    let mean = both.map(angle).sum::<f32>() / adapted.clip.transforms().len().max(1) as f32;
    Ok((adapted.clip, adapted.contacts, mean.to_degrees()))
}

/// Where feet are down, in the order in which they leave the ground.
fn footprints(
    character: &Character,
    clip: &Clip,
    contacts: &Contacts,
    world: &StepGround,
    sky: f32,
) -> Vec<PlannedFootprint> {
    let mut models = vec![Transform::IDENTITY; character.skeleton.len()];
    let mut prints = Vec::new();
    for (index, (foot, contacts)) in character.rig.feet.iter().zip(&contacts.feet).enumerate() {
        for stance in contacts.stance() {
            let middle = 0.5 * (stance.start + stance.end) * clip.fps();
            let frame = (middle.round() as usize).min(clip.frame_count() - 1);
            character.skeleton.local_to_model(clip.frame(frame), &mut models);
            let hit = |point: Vec3| world.ground.probe(point + sky * Vec3::Y, 2.0 * sky);
            let below = |point: Vec3| hit(point).map_or(point, |hit| hit.point);
            let sole = [foot.heel, foot.ball, foot.tip].map(|point| below(point.position(&models)));
            let times = [stance.start, stance.end];
            let mut print = PlannedFootprint::of_sole(index, sole, Vec3::Y, times);
            print.normal = hit(print.position).map_or(Vec3::Y, |hit| hit.normal);
            prints.push(print);
        }
    }
    prints.sort_by(|a, b| a.take_off.total_cmp(&b.take_off));
    prints
}
