//! One character from its first frame to its last.

use crate::body::BodyVolume;
use crate::clearance::{PlacedBody, SelfClearance, of_world};
use crate::contact::{FootCase, FootCheck};
use crate::goal::{self, BodyPlace};
use crate::moving::{IntervalCursor, Recent};
use crate::naturalness::{MotionKind, NaturalMotion};
use crate::near::NearWorld;
use crate::tally::Tally;
use crate::world::{Moment, World};
use crate::{CheckSettings, DemandedSpot, PartDemand, ViolationKind};
use andante_skeleton::{Skeleton, Transform, rotation};
use andante_take::{RigidTrack, Track};
use glam::{Quat, Vec2};

/// Height of the person that lengths in the settings are for, and of its hips, in metres.
const PERSON: [f32; 2] = [1.75, 0.93];

/// What is known of one character so far.
pub(crate) struct TrackCheck {
    pub tally: Tally,
    pub volume: BodyVolume,
    /// The capsules of the frames of the last part, for others; none while forces move it or it is nowhere.
    pub placed: Vec<Option<PlacedBody>>,
    pub frames: usize,
    /// What is asked of it; none if nobody asked.
    part: Option<PartDemand>,
    recent: Recent,
    feet: Vec<FootCheck>,
    own: Option<SelfClearance>,
    natural: Option<NaturalMotion>,
    physical: IntervalCursor,
    /// When forces moved it last, and when a foot was down last.
    forced: f32,
    down: f32,
    /// How far beyond their limits joints were when forces let go of it, in degrees.
    handed: Vec<f32>,
    /// Where the hips are in the last frame, and whether forces move it then.
    end: Option<(Transform, Moment, bool)>,
    near: NearWorld,
    /// Rotation of the hips at rest, and their height above the soles of who has two legs.
    hips_rest: (Quat, f32),
    /// How many times as tall as a person it is.
    pub scale: f32,
}

impl TrackCheck {
    /// From the first part of a track.
    pub fn new(track: &Track, part: Option<PartDemand>, fps: f32) -> Self {
        let character = &track.character;
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let volume = BodyVolume::new(character, track.mesh.as_deref());
        let rest = skeleton.rest_models();
        let soles = rig.feet.iter().flat_map(|foot| [foot.heel, foot.ball, foot.tip]);
        let lowest = soles.map(|sole| sole.position(&rest).y).fold(f32::INFINITY, f32::min);
        let hips = rest[rig.hips];
        let stands = hips.translation.y - lowest;
        // Captured skeletons often end below the crown of the head, and never above the hips.
        let is_biped = rig.feet.len() == 2 && stands > 0.0;
        let scale = if is_biped { stands / PERSON[1] } else { volume.height / PERSON[0] };
        let mut tally = Tally::new(&track.name);
        if let Some(part) = &part {
            cast(track, part, volume.height, &mut tally);
        }
        Self {
            tally,
            placed: Vec::new(),
            frames: 0,
            part,
            recent: Recent::new(fps),
            feet: vec![FootCheck::default(); rig.feet.len()],
            own: None,
            natural: NaturalMotion::new(character, scale),
            near: NearWorld::default(),
            physical: IntervalCursor::default(),
            forced: f32::NEG_INFINITY,
            handed: Vec::new(),
            down: 0.0,
            end: None,
            hips_rest: (hips.rotation, if is_biped { stands } else { f32::INFINITY }),
            scale,
            volume,
        }
    }

    /// Places that this part of a track goes over, for ground to be made there.
    pub fn places(track: &Track) -> impl Iterator<Item = Vec2> {
        // A body does not leave its tile in a few frames.
        let frames = track.clip.frames().step_by(8).chain(track.clip.frames().last());
        frames.map(|pose| Vec2::new(pose[0].translation.x, pose[0].translation.z))
    }

    /// The next frames of the track, the first of which is the given one of the take.
    pub fn part(&mut self, track: &Track, from: usize, world: &World, settings: &CheckSettings) {
        self.placed.clear();
        // More of the ground is made than when it was looked for last.
        self.near.forget();
        let fps = track.clip.fps();
        for (index, pose) in track.clip.frames().enumerate() {
            let moment = Moment { frame: from + index, time: (from + index) as f32 / fps };
            self.recent.push(&track.character.skeleton, pose);
            let placed = self.frame(track, moment, world, settings, fps);
            self.placed.push(placed);
            self.frames += 1;
        }
    }

    fn frame(
        &mut self,
        track: &Track,
        moment: Moment,
        world: &World,
        settings: &CheckSettings,
        fps: f32,
    ) -> Option<PlacedBody> {
        let (character, time) = (&track.character, moment.time);
        let by_forces = self.physical.contains(&track.physical, time);
        if by_forces {
            self.forced = time;
            self.handed.clear();
        }
        if !self.is_finite(&character.skeleton, time) {
            self.recent.clear();
            return None;
        }
        self.continuity(&character.skeleton, moment, by_forces, settings, fps);
        let models = &self.recent.ago(0)?.models;
        let placed = PlacedBody::new(&self.volume, models);
        let near = self.near.at(world, &placed, moment);
        of_world((&self.volume, &placed), near, by_forces, settings, self.scale, &mut self.tally);
        let hips = models[character.rig.hips];
        if moment.frame == 0
            && let Some(spot) = self.part.as_ref().and_then(|part| part.start.as_ref())
        {
            let body = BodyPlace::new(hips, self.hips_rest.0, world, moment);
            goal::start(&body, spot, world, settings, &mut self.tally);
        }
        self.end = Some((hips, moment, by_forces));
        self.stand(track, moment, world, settings, !by_forces);
        if by_forces {
            self.feet.iter_mut().for_each(FootCheck::lift);
            return None;
        }
        if self.own.is_none() {
            let rest = PlacedBody::new(&self.volume, &character.skeleton.rest_models());
            self.own = Some(SelfClearance::new(&self.volume, &rest, &placed));
        }
        if let Some(own) = &mut self.own {
            let limit = settings.self_depth_m * self.scale;
            own.frame((&self.volume, &placed), time, limit, &mut self.tally);
        }
        self.naturally(&character.skeleton, time, settings);
        Some(placed)
    }

    /// Feet on the ground, and hips above them.
    fn stand(
        &mut self,
        track: &Track,
        moment: Moment,
        world: &World,
        settings: &CheckSettings,
        is_judged: bool,
    ) {
        let Some(frame) = self.recent.ago(0) else { return };
        let rig = &track.character.rig;
        let feet = rig.feet.iter().zip(&track.contacts.feet).zip(&mut self.feet);
        for ((foot, contacts), check) in feet {
            let case = FootCase { foot, contacts, world, settings, scale: self.scale };
            check.frame(&case, &frame.models, moment, is_judged, &mut self.tally);
        }
        let time = moment.time;
        let is_down = self.feet.iter().any(|foot| foot.is_down);
        if is_down || !is_judged || track.contacts.feet.is_empty() {
            self.down = time;
        }
        let flight = time - self.down;
        self.tally.note(ViolationKind::InNothing, time, flight, settings.flight_s, String::new);
        let bears = self.feet.iter().filter(|foot| foot.is_borne).filter_map(|foot| foot.hold);
        let lowest = bears.map(|hold| hold.height).fold(f32::INFINITY, f32::min);
        if is_judged && lowest.is_finite() && self.hips_rest.1.is_finite() {
            let share =
                (frame.models[rig.hips].translation.y - lowest) / self.hips_rest.1.max(1e-3);
            let [low, high] = settings.hips_height;
            let limit = if share < 1.0 { 1.0 - low } else { high - 1.0 };
            let off = (share - 1.0).abs();
            self.tally.note(ViolationKind::HipsHeight, time, off, limit, || {
                format!("{share:.2} of their height at rest")
            });
        }
        let Some(natural) = &mut self.natural else { return };
        let now = &settings.natural;
        if flight > 0.0
            || natural.speed(&self.recent).is_some_and(|speed| speed > now.run_mps * self.scale)
        {
            natural.saw(MotionKind::Run, time);
        }
        if flight > now.jump_s {
            natural.saw(MotionKind::Jump, time);
        }
        let holds = || self.feet.iter().filter_map(|foot| foot.hold);
        if holds().any(|hold| hold.slope_deg > now.slope_deg) {
            natural.saw(MotionKind::Slope, time);
        }
        let low = holds().map(|hold| hold.height).fold(f32::INFINITY, f32::min);
        if holds().any(|hold| hold.height - low > now.step_m * self.scale) {
            natural.saw(MotionKind::Steps, time);
        }
    }

    fn naturally(&mut self, skeleton: &Skeleton, time: f32, settings: &CheckSettings) {
        let Some(frame) = self.recent.ago(0) else { return };
        let changes_over = time - self.forced <= settings.change_over_s;
        for (index, (joint, local)) in skeleton.joints().iter().zip(&frame.locals).enumerate() {
            let is_ankle = self.natural.as_ref().is_some_and(|natural| natural.is_ankle(index));
            let held = joint.limit.clamp(joint.rest.rotation, local.rotation);
            let beyond = if held == local.rotation {
                0.0
            } else {
                rotation::angle_between(held, local.rotation).to_degrees()
            };
            // What forces have left of it must not become more.
            if changes_over && self.handed.len() == index {
                self.handed.push(beyond);
            }
            let left = self.handed.get(index).filter(|_| changes_over);
            let limit = settings.joint_limit_deg.max(left.map_or(0.0, |left| left + 0.1));
            if !is_ankle {
                let kind = ViolationKind::JointLimit;
                self.tally.note(kind, time, beyond, limit, || joint.name.clone());
            }
        }
        let Some(natural) = &mut self.natural else { return };
        if !changes_over {
            let name = |joint: usize| skeleton.joint(joint).name.clone();
            natural.frame(&mut self.recent, time, &settings.natural, name, &mut self.tally);
        }
    }

    fn is_finite(&mut self, skeleton: &Skeleton, time: f32) -> bool {
        let Some(frame) = self.recent.ago(0) else { return false };
        // Farther away than this no distance means anything.
        let is_lost = |joint: usize| {
            let at = frame.models[joint].translation;
            !at.is_finite() || at.abs().max_element() > 1e7
        };
        let Some(lost) = (0..skeleton.len()).find(|&joint| is_lost(joint)) else { return true };
        let name = || skeleton.joint(lost).name.clone();
        self.tally.note(ViolationKind::NotFinite, time, f32::NAN, 0.0, name);
        false
    }

    /// How far joints go in a frame.
    fn continuity(
        &mut self,
        skeleton: &Skeleton,
        moment: Moment,
        by_forces: bool,
        settings: &CheckSettings,
        fps: f32,
    ) {
        let (Some(now), Some(before)) = (self.recent.ago(0), self.recent.ago(1)) else { return };
        let limit = settings.joint_speed_mps * self.scale * if by_forces { 2.0 } else { 1.0 };
        for joint in 0..skeleton.len() {
            let [at, was] = [now, before].map(|frame| frame.models[joint].translation);
            let name = || skeleton.joint(joint).name.clone();
            self.tally.note(
                ViolationKind::JointJump,
                moment.time,
                at.distance(was) * fps,
                limit,
                name,
            );
        }
    }

    /// Judges what waited for the end. The goal is the one that was asked for; otherwise the one the take says.
    pub fn finish(
        &mut self,
        track: &Track,
        world: &World,
        things: &[RigidTrack],
        settings: &CheckSettings,
    ) {
        let name = |joint: usize| track.character.skeleton.joint(joint).name.clone();
        if let Some(natural) = &mut self.natural {
            natural.judge(f32::INFINITY, &settings.natural, name, &mut self.tally);
        }
        let Some((hips, moment, by_forces)) = self.end else { return };
        let body = BodyPlace::new(hips, self.hips_rest.0, world, moment);
        let said = track.goal.map(|goal| {
            let spot = DemandedSpot {
                place: goal.place.position,
                height: goal.height,
                heading: Some(goal.place.heading),
            };
            (spot, goal.height)
        });
        let thing = track.rides.and_then(|thing| things.get(thing));
        let carried = |spot: DemandedSpot| goal::carried(spot, thing, moment.frame);
        let spot = match &self.part {
            Some(part) => {
                part.goal.map(carried).map(|spot| (spot, goal::level(&spot, world, moment)))
            }
            None => said.map(|(spot, storey)| (carried(spot), storey)),
        };
        if let Some((spot, storey)) = spot {
            goal::end(&body, (&spot, storey), moment, by_forces, settings, &mut self.tally);
        }
    }
}

/// Notes whether it is who was asked for.
fn cast(track: &Track, part: &PartDemand, height: f32, tally: &mut Tally) {
    if let Some(name) = part.name.as_ref().filter(|name| **name != track.name) {
        tally.note(ViolationKind::Cast, 0.0, 1.0, 0.0, || format!("instead of {name}"));
    }
    if let Some(asked) = part.height {
        let off = (height - asked).abs() / asked;
        tally.note(ViolationKind::Cast, 0.0, off, 0.06, || format!("{height:.2} m tall"));
    }
    if part.physical && track.physical.is_empty() {
        tally.note(ViolationKind::Cast, 0.0, 1.0, 0.0, || "no forces move it".into());
    }
}
