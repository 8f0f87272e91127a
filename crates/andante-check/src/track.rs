//! One character from its first frame to its last.

use crate::body::BodyVolume;
use crate::clearance::{PlacedBody, SelfClearance, of_world};
use crate::contact::{FootCase, FootCheck};
use crate::free_fall::FreeFrames;
use crate::goal::{self, BodyPlace, HipsAndSoles};
use crate::limit_gate::LimitGate;
use crate::moving::{IntervalCursor, PosedFrame, Recent};
use crate::naturalness::{MotionKind, NaturalMotion};
use crate::near::NearWorld;
use crate::tally::Tally;
use crate::trail::{SoleStand, Trail, TrailPoint};
use crate::world::{Moment, World};
use crate::{CheckSettings, DemandedSpot, PartDemand, ViolationKind};
use andante_skeleton::{Character, Joint, Skeleton, Transform, rotation};
use andante_take::{BodyDrive, RigidTrack, Track, TrackView};
use glam::{Quat, Vec2, Vec3};

/// Height of the person that lengths in the settings are for, and of its hips, in metres.
const PERSON: [f32; 2] = [1.75, 0.93];

/// What is known of one character so far.
pub(crate) struct TrackCheck {
    pub tally: Tally,
    pub volume: BodyVolume,
    /// The capsules of the frames of the last part, for others; none while forces move it or it is nowhere.
    pub placed: Vec<Option<PlacedBody>>,
    /// Bodies of earlier frames, to be placed anew.
    spare: Vec<PlacedBody>,
    pub frames: usize,
    look: Look,
    /// What is asked of it; none if nobody asked.
    part: Option<PartDemand>,
    recent: Recent,
    feet: Vec<FootCheck>,
    own: Option<SelfClearance>,
    /// What is known of the limits of each joint.
    gates: Vec<LimitGate>,
    natural: Option<NaturalMotion>,
    physical: IntervalCursor,
    /// When forces moved it last, and when a foot was down last.
    forced: f32,
    down: f32,
    /// How far beyond their limits joints were when forces let go of it, in degrees.
    handed: Vec<f32>,
    /// Where it is in every frame, if that is asked for.
    pub trail: Option<Trail>,
    /// Where hips and soles are in the last frame, and whether forces move it then.
    end: Option<(HipsAndSoles, Moment, bool)>,
    near: NearWorld,
    pub free: FreeFrames,
    /// Rotation of the hips at rest, and their height above the soles of who has two legs.
    hips_rest: (Quat, f32),
    /// How many times as tall as a person it is.
    pub scale: f32,
    /// How far from its hips it touches anything, in metres.
    pub reach: f32,
}

/// How closely is looked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether there are others who may be met.
    pub among_others: bool,
    /// Whether what cannot be wrong is looked at all the same.
    pub at_all: bool,
    /// Whether it is to be known where it is in every frame.
    pub trails: bool,
    /// Whether it is told what everybody does.
    pub orders: bool,
    /// Whether it is known how things fall there.
    pub falls: bool,
}

impl TrackCheck {
    /// From the first part of a track.
    pub fn new(
        track: &Track,
        part: Option<PartDemand>,
        (fps, look): (f32, Look),
        settings: &CheckSettings,
    ) -> Self {
        let character = &track.character;
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let volume = BodyVolume::new(character, track.mesh.as_deref());
        let rest = skeleton.rest_models();
        let (low, high) = skeleton.rest_bounds();
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
        let gate = |joint: &Joint| match look.at_all {
            true => LimitGate::Shut,
            false => LimitGate::new(joint, settings.joint_limit_deg),
        };
        Self {
            tally,
            placed: Vec::new(),
            spare: Vec::new(),
            frames: 0,
            look,
            part,
            recent: Recent::new(fps),
            feet: vec![FootCheck::default(); rig.feet.len()],
            own: None,
            gates: skeleton.joints().iter().map(gate).collect(),
            natural: NaturalMotion::new(character, scale, look.at_all),
            near: NearWorld::new(look.at_all),
            free: FreeFrames::default(),
            physical: IntervalCursor::default(),
            forced: f32::NEG_INFINITY,
            handed: Vec::new(),
            down: 0.0,
            end: None,
            trail: look.trails.then(|| Trail {
                hips: if is_biped { stands } else { f32::INFINITY },
                ..Trail::default()
            }),
            hips_rest: (hips.rotation, if is_biped { stands } else { f32::INFINITY }),
            scale,
            // A body that stretches is larger than at rest. Nobody fills half a kilometre.
            reach: (1.2 * (high - low).length()).clamp(1.5, 500.0),
            volume,
        }
    }

    /// The places of the hips in each frame of this part of a track, for ground to be made around them.
    pub fn places(view: &TrackView<'_>) -> impl Iterator<Item = Vec2> {
        let Character { skeleton, rig, .. } = &view.track().character;
        view.poses().map(move |pose| {
            let up = skeleton.ancestors(rig.hips).skip(1);
            let hips = pose[rig.hips].translation;
            let at = up.fold(hips, |at, joint| pose[joint].transform_point(at));
            Vec2::new(at.x, at.z)
        })
    }

    /// The next frames of the track, the first of which is the given one of the take.
    pub fn part(
        &mut self,
        view: &TrackView<'_>,
        (from, fps): (usize, f32),
        world: &World,
        settings: &CheckSettings,
    ) {
        let track = view.track();
        self.spare.extend(self.placed.drain(..).flatten());
        // More of the ground is made than when it was looked for last.
        self.near.forget();
        for (index, pose) in view.poses().enumerate() {
            let moment = Moment { frame: from + index, time: (from + index) as f32 / fps };
            self.recent.push(&track.character.skeleton, pose);
            let mut placed = self.spare.pop().unwrap_or_default();
            let is_there = self.frame(track, moment, &mut placed, (world, settings), fps);
            if is_there && self.look.among_others {
                self.placed.push(Some(placed));
            } else {
                self.spare.push(placed);
                self.placed.push(None);
            }
            self.frames += 1;
        }
    }

    /// One frame; false if the body is nowhere or forces move it.
    fn frame(
        &mut self,
        track: &Track,
        moment: Moment,
        placed: &mut PlacedBody,
        (world, settings): (&World, &CheckSettings),
        fps: f32,
    ) -> bool {
        let (character, time) = (&track.character, moment.time);
        let by_forces = self.physical.contains(&track.physical, time);
        if by_forces {
            self.forced = time;
            self.handed.clear();
        }
        if !self.is_finite(&character.skeleton, time) {
            self.recent.clear();
            self.keep(Transform::new(Quat::NAN, Vec3::NAN), None, by_forces);
            return false;
        }
        self.continuity(&character.skeleton, moment, by_forces, settings, fps);
        let Some(PosedFrame { models, .. }) = self.recent.ago(0) else { return false };
        placed.place(&self.volume, models);
        let near = self.near.at(world, placed, moment);
        of_world((&self.volume, placed), near, by_forces, settings, self.scale, &mut self.tally);
        if by_forces && self.look.falls {
            let room = settings.fall_room_m * self.scale;
            let world = (&mut self.near, world);
            self.free.note(&self.volume, placed, world, moment, room);
        }
        let hips = models[character.rig.hips];
        self.stand(track, moment, world, settings, !by_forces);
        let Some(PosedFrame { models, .. }) = self.recent.ago(0) else { return false };
        let down = |foot: usize| self.feet.get(foot).is_some_and(|foot| foot.is_down);
        let soles = goal::soles(&character.rig, models, down).filter(|_| !by_forces);
        self.begin_or_end((hips, soles), moment, by_forces, (world, settings));
        self.keep(hips, soles, by_forces);
        self.keep_stands(track);
        if by_forces {
            self.feet.iter_mut().for_each(FootCheck::lift);
            return false;
        }
        let own = self.own.get_or_insert_with(|| {
            let rest = PlacedBody::new(&self.volume, &character.skeleton.rest_models());
            let limit = settings.self_depth_m * self.scale;
            SelfClearance::new(&self.volume, [&rest, placed], limit, self.look.at_all)
        });
        own.frame((&self.volume, placed), time, &mut self.tally);
        self.naturally(&character.skeleton, time, settings);
        true
    }

    /// Keeps where it is, if that is asked for.
    fn keep(&mut self, hips: Transform, soles: Option<[f32; 2]>, forced: bool) {
        let down = self.feet.iter().any(|foot| foot.is_down);
        let heading = BodyPlace::heading(hips.rotation, self.hips_rest.0);
        if let Some(trail) = &mut self.trail {
            trail.points.push(TrailPoint { at: hips.translation, soles, heading, forced, down });
        }
    }

    /// Keeps where soles have come to stand.
    fn keep_stands(&mut self, track: &Track) {
        let (Some(trail), Some(frame)) = (&mut self.trail, self.recent.ago(0)) else { return };
        let feet = track.character.rig.feet.iter().zip(&mut self.feet).enumerate();
        for (index, (foot, check)) in feet {
            if check.is_flat && !check.was_flat {
                let [heel, ball] =
                    [foot.heel, foot.ball].map(|point| point.position(&frame.models));
                let (middle, along) = (heel.midpoint(ball), ball - heel);
                trail.stands.push(SoleStand {
                    foot: index,
                    frame: trail.points.len().saturating_sub(1),
                    place: Vec2::new(middle.x, middle.z),
                    heading: libm::atan2f(along.x, along.z),
                });
            }
            check.was_flat = check.is_flat;
        }
    }

    /// Where it begins, and where it ends if nothing comes after this.
    fn begin_or_end(
        &mut self,
        body: HipsAndSoles,
        moment: Moment,
        by_forces: bool,
        (world, settings): (&World, &CheckSettings),
    ) {
        if moment.frame == 0
            && let Some(spot) = self.part.as_ref().and_then(|part| part.start.as_ref())
        {
            let place = BodyPlace::new(body, self.hips_rest.0, world, moment);
            goal::start(&place, (spot, by_forces), world, settings, &mut self.tally);
        }
        self.end = Some((body, moment, by_forces));
    }

    /// The first or the last frame, of which nothing is judged but where the body is.
    pub fn end_frame(
        &mut self,
        view: &TrackView<'_>,
        (frame, fps): (usize, f32),
        world: &World,
        settings: &CheckSettings,
    ) {
        let track = view.track();
        let moment = Moment { frame, time: frame as f32 / fps };
        let by_forces = self.physical.contains(&track.physical, moment.time);
        for pose in view.poses() {
            self.recent.push(&track.character.skeleton, pose);
            if self.is_finite(&track.character.skeleton, moment.time)
                && let Some(PosedFrame { models, .. }) = self.recent.ago(0)
            {
                let hips = models[track.character.rig.hips];
                let down = |foot: usize| {
                    let told = track.contacts.feet.get(foot);
                    told.is_some_and(|told| {
                        told.heel_down(moment.time) || told.toe_down(moment.time)
                    })
                };
                let soles = goal::soles(&track.character.rig, models, down);
                let soles = soles.filter(|_| !by_forces);
                self.begin_or_end((hips, soles), moment, by_forces, (world, settings));
            }
        }
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
            // What forces have left of a joint is measured in any case.
            if !changes_over && self.gates[index].passes(local.rotation) {
                continue;
            }
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
        // Whatever its size, it falls as fast as anything.
        let scale = if by_forces { 2.0 * self.scale.max(1.0) } else { self.scale };
        let limit = settings.joint_speed_mps * scale;
        for (joint, (at, was)) in now.models.iter().zip(&before.models).enumerate() {
            let speed = at.translation.distance(was.translation) * fps;
            let name = || skeleton.joint(joint).name.clone();
            self.tally.note(ViolationKind::JointJump, moment.time, speed, limit, name);
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
        let Some((body, moment, by_forces)) = self.end else { return };
        let body = BodyPlace::new(body, self.hips_rest.0, world, moment);
        let said = track.goal.map(|goal| {
            let spot = DemandedSpot {
                place: goal.place.position,
                // Nobody has asked for it.
                height: None,
                heading: Some(goal.place.heading),
            };
            (spot, goal.height)
        });
        let start = self.part.as_ref().and_then(|part| part.start.as_ref());
        let thing = match start.filter(|_| self.look.orders) {
            Some(start) => world.deck_under(start),
            None => track.rides.and_then(|thing| things.get(thing)),
        };
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
    if let Some(asked) = &part.skeleton {
        let off = other_bones(&track.character.skeleton, asked);
        tally.note(ViolationKind::Cast, 0.0, off, 0.003, || {
            "other bones than were asked for".into()
        });
    }
    let Some(asked) = part.drive else { return };
    let mut not_so = |what: String| tally.note(ViolationKind::Cast, 0.0, 1.0, 0.0, || what);
    if let Some(own) = track.drive.filter(|own| *own != asked) {
        not_so(format!("its body is {own}, and {asked} was asked for"));
    }
    match (asked, track.physical.is_empty()) {
        (BodyDrive::Physical, true) => not_so("no forces move it".into()),
        (BodyDrive::Kinematic, false) => not_so("forces move it".into()),
        _ => {}
    }
}

/// How far the bones of two skeletons differ, as a part of their size; endless if they have not the same joints.
fn other_bones(own: &Skeleton, asked: &Skeleton) -> f32 {
    let (low, high) = asked.rest_bounds();
    let size = (high - low).max_element().max(1e-6);
    if own.len() != asked.len() {
        return f32::INFINITY;
    }
    let pairs = own.joints().iter().zip(asked.joints());
    let off =
        pairs.map(|(own, asked)| match own.name == asked.name && own.parent == asked.parent {
            true => own.rest.translation.distance(asked.rest.translation) / size,
            false => f32::INFINITY,
        });
    off.fold(0.0, f32::max)
}
