//! A body that is moved by one of three things, and goes over from one to the other at any time.
//!
//! A planned performance steps exactly where it was planned to; a gait that is led by speed and turn rate reacts at
//! once; forces move it when something touches it. What is shown comes out of the splice, whichever of them plays.

mod head_room;
mod likeness;
mod played;

pub(crate) use played::Played;

use super::disc::Disc;
use super::floor::Surroundings;
use super::kind::{ActorKind, hips, hips_place};
use crate::StageError;
use crate::physical::{Compliance, PhysicalCondition, PhysicsEpisode, Touch, TouchedMass};
use andante_plan::steps::PlannedMotion;
use andante_play::blend_space::GaitPlayer;
use andante_play::change_over::{ChangeOver, SpliceSource};
use andante_play::feet::GaitPlane;
use andante_play::posture::{LivePosture, towards};
use andante_play::repertoire::ClipClass;
use andante_skeleton::{Character, Planar, Transform};
use andante_world::Obstacle;
use glam::{Vec2, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// What moves a body, what it does besides, and what is shown.
#[derive(Clone, Debug)]
pub(crate) struct AnimatedBody {
    pub kind: Arc<ActorKind>,
    pub disc: Disc,
    player: GaitPlayer,
    played: Option<Box<Played>>,
    /// Forces, and how it was last said to be.
    episode: Option<(Box<PhysicsEpisode>, Option<PhysicalCondition>)>,
    /// How joints are that forces do not move.
    stand: Vec<Transform>,
    splice: ChangeOver,
    /// How it gives way to what touched it lightly.
    compliance: Option<Box<Compliance>>,
    posture: LivePosture,
    /// What the newer motion would have shown last, if it takes over in this frame.
    before: Option<Vec<Transform>>,
    pose: Vec<Transform>,
    models: Vec<Transform>,
    /// Height of the ground the gait goes on.
    floor: f32,
    /// Where the hips stay while it stands: breathing does not carry it away from where it was sent.
    stays: Option<Planar>,
    /// Whether it stood in the last frame, and from where it set off.
    stood: bool,
    set_off: Planar,
    /// How fast the hips are shown to go, in m/s of its own time.
    pub drift: Vec2,
    /// Share of the time that passes for it: less for those who would run into something.
    pub rate: f32,
    /// Whether it ducks under what hangs low.
    pub ducks: bool,
    /// How it ducks: the share of its bend that is wanted.
    pub bend: f32,
    /// What it looks at.
    pub gaze: Option<Vec3>,
}

impl AnimatedBody {
    pub fn new(
        kind: Arc<ActorKind>,
        start: Planar,
        floor: f32,
        phase: f32,
        world: &Surroundings,
    ) -> Result<Self, StageError> {
        let mut player = GaitPlayer::new(Arc::clone(&kind.repertoire), kind.settings.player)?;
        player.advance(phase, 0.0, 0.0);
        let joints = kind.character().skeleton.len();
        let mut body = Self {
            splice: ChangeOver::new(
                &kind.repertoire,
                kind.settings.change_over,
                kind.settings.feet,
            ),
            disc: Disc { place: start, ..Disc::default() },
            player,
            played: None,
            episode: None,
            stand: Vec::new(),
            compliance: None,
            posture: LivePosture::default(),
            before: None,
            pose: vec![Transform::IDENTITY; joints],
            models: vec![Transform::IDENTITY; joints],
            floor,
            stays: Some(start),
            stood: true,
            set_off: start,
            drift: Vec2::ZERO,
            rate: 1.0,
            ducks: true,
            bend: 0.0,
            gaze: None,
            kind,
        };
        body.place_player(start);
        body.animate(0.0, world, false);
        body.stand = body.pose.clone();
        Ok(body)
    }

    /// The pose with its root in the world.
    pub fn pose(&self) -> &[Transform] {
        &self.pose
    }

    /// Every joint in the world.
    pub fn models(&self) -> &[Transform] {
        &self.models
    }

    pub fn contact(&self, foot: usize) -> [bool; 2] {
        self.splice.contact(foot)
    }

    pub fn played(&self) -> Option<&Played> {
        self.played.as_deref()
    }

    /// Keeps of its performance only what was shown in the last seconds, and what comes.
    pub fn forget_played(&mut self, seconds: f32) {
        if let Some(played) = &mut self.played {
            played.forget(seconds);
        }
    }

    /// The place of the hips as they are shown.
    pub fn hips(&self) -> Planar {
        hips(self.kind.character(), &self.pose)
    }

    /// The place of the hips without their heading.
    pub fn hips_place(&self) -> Vec2 {
        hips_place(self.kind.character(), &self.pose)
    }

    /// Height of the ground it stands on.
    pub fn floor(&self) -> f32 {
        self.floor
    }

    /// True if it stands on all its feet and goes nowhere.
    pub fn is_standing(&self) -> bool {
        if self.episode.is_some() {
            return false;
        }
        let feet = self.kind.character().rig.feet.len();
        match &self.played {
            Some(played) => played.is_over(),
            None => {
                self.disc.speed.abs() < 0.03
                    && (0..feet).all(|foot| self.player.contact(foot) == [true; 2])
            }
        }
    }

    /// True if any part of a foot is shown as down.
    pub fn is_on_ground(&self) -> bool {
        (0..self.kind.character().rig.feet.len()).any(|foot| self.contact(foot).contains(&true))
    }

    /// Share of running, from 0 to 1.
    pub fn running(&self) -> f32 {
        if let Some(played) = &self.played {
            return played.running();
        }
        let clips = self.kind.repertoire.clips().iter().zip(self.player.weights());
        clips.filter(|(clip, _)| clip.class() == ClipClass::Run).map(|(_, weight)| weight).sum()
    }

    /// Curvature of its way in 1/m.
    pub fn curvature(&self) -> f32 {
        match &self.played {
            Some(played) => played.curvature(),
            None if self.disc.speed > 0.2 => {
                (self.disc.turn_rate / self.disc.speed).clamp(-4.0, 4.0)
            }
            None => 0.0,
        }
    }

    /// Goes over to a performance.
    pub fn perform(&mut self, motion: &Arc<PlannedMotion>, obstacles: &[Obstacle]) {
        self.before = Some(motion.clip.frame(0).to_vec());
        let low = self.too_high(motion, obstacles);
        self.stays = None;
        self.played = Some(Box::new(Played::new(motion, low)));
    }

    /// Goes on with a performance that is the same up to now.
    pub fn go_another_way(&mut self, motion: &Arc<PlannedMotion>, obstacles: &[Obstacle]) {
        let low = self.too_high(motion, obstacles);
        if let Some(played) = &mut self.played {
            played.go_another_way(motion, low);
        }
    }

    /// Goes over to the gait, from wherever it is.
    pub fn live(&mut self) {
        let Some(played) = self.played.take() else { return };
        let (body, speed) = (played.body(), played.speed());
        let turn = speed * played.curvature();
        let standing = played.is_over() || (speed < 0.05 && self.is_standing());
        let at = if played.is_over() { body } else { self.hips() };
        self.go_live(standing, at, speed, turn);
    }

    /// Goes over to the gait at a place.
    fn go_live(&mut self, standing: bool, at: Planar, speed: f32, turn: f32) {
        self.player.leave_out(0..0);
        self.stays = standing.then_some(at);
        if standing {
            (self.disc.speed, self.disc.turn_rate) = (0.0, 0.0);
            self.player.join(Planar::IDENTITY, self.player.phase(), 0.0, 0.0);
        } else {
            let turn = turn.clamp(-1.0, 1.0);
            (self.disc.speed, self.disc.turn_rate) = (speed, turn);
            let phase = self.closest_phase(speed.max(0.3), turn);
            self.player.join(Planar::IDENTITY, phase, speed.max(0.3), turn);
        }
        self.place_player(at);
        self.before = Some(self.gait_pose());
        self.disc.place.heading = self.player.placement().heading;
    }

    /// What the gait shows where it is now.
    fn gait_pose(&self) -> Vec<Transform> {
        let mut pose = self.pose.clone();
        self.player.write_pose(&mut pose);
        pose[0].translation.y += self.floor;
        pose
    }

    /// Goes over to ground that is another: feet do not jump with it.
    pub fn feel_ground(&mut self) {
        if self.before.is_none() && self.episode.is_none() {
            let mut before =
                self.played.as_ref().map_or_else(|| self.gait_pose(), |own| own.pose());
            if let Some(stays) = self.stays {
                stay(self.kind.character(), stays, &mut before);
            }
            self.before = Some(before);
        }
    }

    /// Goes over to forces.
    pub fn feel(&mut self, mut episode: PhysicsEpisode) {
        let mut before = self.stand.clone();
        episode.write_pose(self.kind.character(), &self.stand, &mut before);
        self.before = Some(before);
        (self.played, self.stays) = (None, None);
        self.episode = Some((Box::new(episode), Some(PhysicalCondition::Struggling)));
        self.bend = 0.0;
    }

    /// Goes over from forces to the gait.
    pub fn recover(&mut self, walking: bool, world: &Surroundings) {
        let Some((episode, _)) = self.episode.take() else { return };
        let at = self.hips();
        if let Some(floor) =
            world.height(at.position, self.floor + self.kind.settings.behavior.step_up)
        {
            self.floor = floor;
        }
        let speed =
            if walking { episode.velocity().dot(super::disc::ahead(at.heading)) } else { 0.0 };
        self.go_live(!walking, at, speed, 0.0);
    }

    /// Is not moved by forces any more, and stays as it is.
    pub fn leave_forces(&mut self) {
        self.episode = None;
    }

    /// Gives way to a touch while motion leads it on, if its capture point is off by no more than `most` then; whether it
    /// does.
    pub fn give_way(&mut self, own: TouchedMass, touch: &Touch, most: f32) -> bool {
        let mut compliance =
            self.compliance.take().unwrap_or_else(|| Box::new(Compliance::new(own)));
        let light = compliance.capture(touch.impulse) <= most;
        if light {
            compliance.touch(self.kind.character(), &self.models, touch);
        }
        self.compliance = (light || compliance.is_swaying()).then_some(compliance);
        light
    }

    /// True if it still gives way to something.
    pub fn gives_way(&self) -> bool {
        self.compliance.is_some()
    }

    /// True if forces move it.
    pub fn is_physical(&self) -> bool {
        self.episode.is_some()
    }

    /// True if it stands by forces as if nothing had been.
    pub fn is_safe(&self) -> bool {
        self.episode().is_some_and(|episode| episode.condition() == PhysicalCondition::Stands)
    }

    pub fn episode(&self) -> Option<&PhysicsEpisode> {
        self.episode.as_ref().map(|(episode, _)| &**episode)
    }

    pub fn episode_mut(&mut self) -> Option<&mut PhysicsEpisode> {
        self.episode.as_mut().map(|(episode, _)| &mut **episode)
    }

    /// True if the condition is new since this was last asked.
    pub fn becomes(&mut self, condition: PhysicalCondition) -> bool {
        let Some((_, told)) = &mut self.episode else { return false };
        told.replace(condition) != Some(condition)
    }

    /// Its joints in the world as they are shown, without where it looks.
    pub fn shown(&self) -> &[Transform] {
        self.splice.models()
    }

    /// The same a moment ago, and how many seconds.
    pub fn shown_earlier(&self) -> Option<(&[Transform], f32)> {
        self.splice.earlier()
    }

    /// Its chest.
    pub fn chest(&self) -> Vec3 {
        let rig = &self.kind.character().rig;
        let hips = self.models[rig.hips].translation;
        let head = rig.head.map_or(hips + 0.5 * Vec3::Y, |head| self.models[head].translation);
        hips.lerp(head, 0.7)
    }

    /// Stands from now on where its disc is, whatever it did.
    pub fn halt(&mut self) {
        (self.disc.speed, self.disc.turn_rate) = (0.0, 0.0);
        if self.stood {
            return;
        }
        let at = match self.played.take() {
            Some(played) => played.body(),
            None => self.player.placement(),
        };
        self.player.join(at, self.player.phase(), 0.0, 0.0);
        // Whoever has hardly set off stands where they stood: nobody creeps ahead by beginning again and again.
        if self.set_off.position.distance(self.hips().position) < self.kind.settings.behavior.hardly
        {
            self.place_player(self.set_off);
            self.stays = Some(self.set_off);
        }
        self.before = Some(self.gait_pose());
    }

    /// Puts the gait where its hips are at a place.
    fn place_player(&mut self, at: Planar) {
        let own = hips(self.kind.character(), self.player.pose());
        self.player.place(at.then(&own.inverse()));
    }

    /// The displacement of its source of motion in the next frame.
    pub fn would_move(&self, dt: f32) -> Vec2 {
        if self.episode.is_some() {
            return Vec2::ZERO;
        }
        match &self.played {
            Some(played) => played.ahead(dt) - played.body().position,
            None => self.disc.velocity() * dt,
        }
    }

    /// Lets this share of the time pass for it, as it was before or otherwise.
    pub fn pass_at(&mut self, rate: f32, before: f32) {
        // What stays as it is needs not be fetched.
        if rate != before {
            self.rate = rate;
        }
    }

    /// True if anything but standing moves it.
    pub fn is_moved(&self) -> bool {
        self.played.is_some() || (self.disc.speed, self.disc.turn_rate) != (0.0, 0.0)
    }

    /// Makes the next frame.
    pub fn animate(&mut self, passed: f32, world: &Surroundings, sketched: bool) {
        // Whoever changes over, ducks or looks is made whole.
        let plain = self.before.is_none()
            && self.gaze.is_none()
            && self.bend == 0.0
            && self.posture.is_upright();
        let left_out =
            if sketched && plain { self.kind.upper_body.clone() } else { Range::default() };
        self.player.leave_out(left_out.clone());
        // Time passes more slowly for the motion of those who are held back, not for who watches it.
        let dt = self.rate * passed;
        if self.stood {
            self.set_off = self.hips();
        }
        self.stood = !self.is_moved();
        let before = self.hips_place();
        let up = self.kind.settings.behavior.step_up;
        let floor = world.height(self.disc.place.position, self.floor + up);
        if self.episode.is_some() {
            self.suffer(dt, floor);
        } else if self.played.is_some() {
            self.play(dt, floor, &left_out);
        } else {
            self.walk(dt, floor, &left_out);
        }
        self.show(passed, world, left_out);
        self.sway(passed);
        self.bear_itself(passed);
        if dt > 0.0 {
            self.drift = (self.hips_place() - before) / dt;
        }
    }

    /// Lets a performance move it.
    fn play(&mut self, dt: f32, floor: Option<f32>, left_out: &Range<usize>) {
        let Some(played) = &mut self.played else { return };
        let from = played.body().position;
        played.advance(dt, left_out, &mut self.pose);
        self.disc.go_along(from, &played.body(), false, self.kind.settings.steering.sway, dt);
        self.disc.speed = if played.is_over() { 0.0 } else { played.speed() };
        self.disc.turn_rate = self.disc.speed * played.curvature();
        self.floor = floor.unwrap_or(self.floor);
    }

    /// Lets the gait move it.
    fn walk(&mut self, dt: f32, floor: Option<f32>, left_out: &Range<usize>) {
        if (self.disc.speed, self.disc.turn_rate) != (0.0, 0.0)
            && let Some(stays) = self.stays.take()
        {
            self.place_player(stays);
        }
        let from = self.player.placement().position;
        let (own, pace) = (dt * self.splice.tempo(), self.splice.pace());
        self.player.advance(own, pace * self.disc.speed, pace * self.disc.turn_rate);
        for part in [0..left_out.start, left_out.end..self.pose.len()] {
            self.pose[part.clone()].copy_from_slice(&self.player.pose()[part]);
        }
        self.pose[0] = self.player.placement().to_transform() * self.pose[0];
        if let Some(stays) = self.stays {
            stay(self.kind.character(), stays, &mut self.pose);
            self.disc.place = stays;
        } else {
            let sway = self.kind.settings.steering.sway;
            self.disc.go_along(from, &self.player.placement(), true, sway, dt);
        }
        if let Some(floor) = floor {
            let share = 1.0 - libm::expf(-dt / 0.08);
            self.floor += (floor - self.floor) * share;
            if (floor - self.floor).abs() < 1e-4 {
                self.floor = floor;
            }
        }
        self.pose[0].translation.y += self.floor;
    }

    /// Shows what moves it, without a jolt where that has changed.
    fn show(&mut self, dt: f32, world: &Surroundings, left_out: Range<usize>) {
        let kind = &self.kind;
        let (played, player) = (&self.played, &self.player);
        let episode = self.episode.as_ref().map(|(episode, _)| episode);
        let down = |foot: usize| match (episode, played) {
            (Some(episode), _) => episode.down(foot),
            (None, Some(played)) => played.down(foot),
            (None, None) => player.contact(foot),
        };
        // A gait that changes its mix jolts the body; what is planned does not, once it is all that is played.
        let most = match (episode, played) {
            (None, Some(played)) if self.splice.is_fresh() => played.motion().clips_root_accel_max,
            (None, None) => {
                let own = kind.vigour.iter().zip(player.weights());
                own.map(|(own, weight)| own * weight)
                    .sum::<f32>()
                    .max(kind.settings.behavior.least_vigour)
            }
            _ => f32::INFINITY,
        };
        // Whoever falls is kept above the ground by forces alone: what is above a foot that hangs over an edge is not below it.
        let falls = episode.is_some_and(|episode| !episode.is_on_feet());
        let ground = |point: Vec3| {
            let below = point.y + kind.settings.behavior.step_up;
            if falls { None } else { world.height(Vec2::new(point.x, point.z), below) }
        };
        let plane = (played.is_none() && episode.is_none() && !world.is_level())
            .then(|| GaitPlane { height: self.floor, player, ground: &*world.ground });
        let source = SpliceSource { down: &down, ground: &ground, most, plane, dt, left_out };
        if let Some(mut before) = self.before.take() {
            self.splice.switch(&kind.repertoire, &mut before, &mut self.pose, &source);
        }
        self.splice.apply(&kind.repertoire, &mut self.pose, &source);
        self.models.copy_from_slice(self.splice.models());
    }

    /// Gives way to what has touched it.
    fn sway(&mut self, dt: f32) {
        let Some(mut compliance) = self.compliance.take() else { return };
        let settings = &self.kind.settings.compliance;
        if compliance.advance(settings, dt) {
            let repertoire = &self.kind.repertoire;
            compliance.apply(settings, repertoire, &mut self.pose, &mut self.models);
            self.compliance = Some(compliance);
        }
    }

    /// Ducks and looks, as it is to.
    fn bear_itself(&mut self, dt: f32) {
        let (kind, heading) = (&self.kind, self.disc.place.heading);
        let gaze = self
            .gaze
            .zip(kind.character().rig.head)
            .map(|(point, head)| towards(self.models[head].translation, heading, point))
            .filter(|[yaw, _]| yaw.abs() < 2.0);
        self.posture.advance(kind.stoop.settings(), self.bend, gaze, dt);
        if !self.posture.is_upright() {
            let (stoop, repertoire) = (&kind.stoop, &kind.repertoire);
            self.posture.apply(stoop, repertoire, heading, &mut self.pose, &mut self.models);
        }
    }

    /// Lets forces move it.
    fn suffer(&mut self, dt: f32, floor: Option<f32>) {
        let Some((episode, _)) = &mut self.episode else { return };
        episode.advance(dt);
        let character = self.kind.character();
        episode.write_pose(character, &self.stand, &mut self.pose);
        let velocity = episode.velocity();
        self.disc.place = hips(character, &self.pose);
        self.disc.speed = velocity.dot(self.disc.ahead());
        self.disc.turn_rate = 0.0;
        self.floor = floor.unwrap_or(self.floor);
    }
}

/// Puts the hips of a pose where they stay.
fn stay(character: &Character, stays: Planar, pose: &mut [Transform]) {
    let own = hips(character, pose);
    pose[0] = stays.then(&own.inverse()).to_transform() * pose[0];
}
