//! A body that walks and runs as it is told.

mod ahead;
mod anchor;
mod follow;
mod footing;
mod mix;
mod turn;

use super::{BoundaryPoint, RATE_RANGE};
use crate::repertoire::{Family, Repertoire};
pub(crate) use ahead::StepAhead;
use anchor::{Anchor, placement};
use andante_skeleton::{CrossFade, Planar, Pose, SettingError, Transform};
use follow::FamilyState;
use footing::PlayerFoot;
use glam::Vec2;
use mix::{Mix, PlayingClip};
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;
use turn::PlacementMatrix;

andante_skeleton::settings! {
    /// Options of a [`GaitPlayer`]: how it follows demands.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct PlayerOptions: Copy {
        /// Seconds in which two thirds of a change of the mix are made, counted while no more than one foot is down. 0
        /// changes at once, which looks hasty; more makes a lazy body.
        response: f32 = 0.1, 0.0..=10.0;
        /// Seconds a cross-fade between walking and running takes: shorter looks abrupt, longer floats.
        fade: f32 = 0.3, 0.0..=10.0;
        /// Whether changes of the mix wait for a moment with no more than one foot down. Two feet
        /// that stand apart cannot both stay while a step becomes longer.
        wait_for_single_support: bool = true;
        /// What keeps feet in their place.
        feet: FootMode = FootMode::BodyAndLegs;
        /// Seconds in which half of a foot's correction is gone after it has left the ground.
        release: f32 = 0.06, 0.0..=1.0;
        /// A correction longer than this, in metres, is none: the foot lets go.
        longest_correction: f32 = 0.25, 0.0..=10.0;
        /// How far beyond the border between walking and running a demand has to be for a change, in m/s.
        hysteresis: f32 = 0.1, 0.0..=10.0;
        /// Part of a round over which a contact becomes firm.
        firming: f32 = 0.04, 0.0..=1.0;
        /// How far a point of a sole is off the ground that is no longer down, against the height of the hips: a
        /// centimetre.
        lifted: f32 = 0.01, 0.0..=1.0;
        /// Share of gaits in the mix below which standing decides what is down.
        stands_below: f32 = 0.05, 0.0..=1.0;
        /// Most of a round that passes in one step.
        most_phases: f32 = 0.5, 0.01..=1.0;
    }
}

/// The mode by which feet are kept in their place while gaits are mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum FootMode {
    /// The body alone: it moves so that the points of the soles that are down stay as well as one
    /// rigid body lets them.
    Body,
    /// The body, and then the legs: soles are mixed in space instead of joint by joint, and a foot
    /// that is down is held exactly where it came down. Legs of fewer than two bones are left as they
    /// are.
    BodyAndLegs,
}

/// An error that leaves nothing to play.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlayerError {
    /// An option is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// No clip stands, walks or runs.
    #[error("the repertoire has no clip that stands, walks or runs")]
    NoGait,
}

/// The report of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct PlayerStep {
    /// Travel over the frame, as seen from where the character was.
    pub moved: Planar,
    /// What became of the demand, once the mix has followed it.
    pub met: BoundaryPoint,
    /// Seconds that passed; less than asked for if that was more than [`GaitPlayer::LONGEST_STEP`].
    pub seconds: f32,
    /// Whether demand or time were not finite; the last valid demand stays in force, and time that
    /// is no number does not pass.
    pub refused: bool,
}

/// Plays the gaits of a repertoire at any speed and turn rate, without its feet sliding.
///
/// Per frame the phase goes on by the cadence of the mix, and the body moves such that the soles
/// which are down stay where they are (footstep-planning 3.3): the printed method moves by the mean
/// of the clips and then takes back what a change of weights did to the point between the feet; here
/// the feet on the ground decide about all of the motion, and the clips about flight. Nothing is
/// allocated after [`GaitPlayer::new`].
///
/// ```
/// use andante_motion::repertoire::built_in;
/// use andante_play::blend_space::{GaitPlayer, PlayerOptions};
/// use andante_skeleton::humanoid;
/// use std::sync::Arc;
///
/// let repertoire = Arc::new(built_in(&humanoid())?);
/// let mut walker = GaitPlayer::new(repertoire, PlayerOptions::default())?;
/// for _ in 0..120 {
///     walker.advance(1.0 / 60.0, 1.3, 0.2);
/// }
/// assert!(walker.placement().position.length() > 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GaitPlayer {
    repertoire: Arc<Repertoire>,
    options: PlayerOptions,
    phase: f32,
    /// Times that the phase has come round, whatever put it where it is.
    rounds: u32,
    standing: f32,
    placement: Planar,
    demand: Vec2,
    families: Vec<FamilyState>,
    /// Index of the family that is played or faded to.
    family: usize,
    fade: CrossFade,
    /// One per clip of the repertoire, with sum 1.
    weights: Vec<f32>,
    rate: f32,
    voices: Vec<PlayingClip>,
    /// A point this much higher than where it is down is not down, in metres.
    lifted: f32,
    feet: Vec<PlayerFoot>,
    anchors: Vec<Anchor>,
    scratch: [Vec<Transform>; 2],
    pose: Pose,
    models: Pose,
    /// Joints that are not made now.
    left_out: Range<usize>,
}

impl GaitPlayer {
    /// The most that passes in one call of [`GaitPlayer::advance`], in seconds.
    pub const LONGEST_STEP: f32 = 1.0;

    /// A character that stands at the origin and faces +Z; without a clip of standing it begins in
    /// its slowest gait.
    pub fn new(repertoire: Arc<Repertoire>, options: PlayerOptions) -> Result<Self, PlayerError> {
        options.check()?;
        let clips = repertoire.clips().len();
        let joints = repertoire.character().skeleton.len();
        let feet = repertoire.character().rig.feet.len();
        let state = |family: &Family| FamilyState::new(family.members().len());
        let families: Vec<FamilyState> = repertoire.families().iter().map(state).collect();
        if families.is_empty() {
            return Err(PlayerError::NoGait);
        }
        let hips = repertoire.character().rig.hips;
        let height = repertoire.character().skeleton.rest_models()[hips].translation.y;
        let lifted = (options.lifted * height.abs()).max(1e-4);
        let rest = vec![Transform::IDENTITY; joints];
        let mut fade = CrossFade::new(options.fade);
        fade.advance(options.fade);
        let mut player = Self {
            phase: repertoire.families()[0].start_phase(),
            repertoire,
            options,
            rounds: 0,
            standing: 0.0,
            placement: Planar::IDENTITY,
            demand: Vec2::ZERO,
            families,
            family: 0,
            fade,
            weights: vec![0.0; clips],
            rate: 1.0,
            voices: Vec::with_capacity(clips),
            lifted,
            feet: vec![PlayerFoot::default(); feet],
            anchors: Vec::with_capacity(2 * feet),
            scratch: [rest.clone(), rest.clone()],
            pose: Pose::from_locals(rest.clone()),
            models: Pose::from_locals(rest),
            left_out: 0..0,
        };
        player.settle();
        Ok(player)
    }

    /// Lets time pass towards a speed ahead (m/s) and a turn rate (rad/s, to the left).
    pub fn advance(&mut self, dt: f32, speed: f32, turn_rate: f32) -> PlayerStep {
        let demand = Vec2::new(speed, turn_rate);
        let refused = !(demand.is_finite() && dt.is_finite() && dt >= 0.0);
        if demand.is_finite() {
            self.demand = demand;
        }
        let before = self.placement;
        let met = self.families[self.family].met;
        if !(dt.is_finite() && dt >= 0.0) {
            return PlayerStep { met, refused, ..PlayerStep::default() };
        }
        let seconds = dt.min(Self::LONGEST_STEP);
        // Long frames are made in pieces, for a foot must not pass its contact unseen.
        let pieces = (seconds * 20.0).ceil().max(1.0);
        for _ in 0..pieces as usize {
            self.follow(seconds / pieces);
            self.step(seconds / pieces);
        }
        let met = self.families[self.family].met;
        PlayerStep { moved: before.to(&self.placement), met, seconds, refused }
    }

    /// Plays given weights, one per clip of the repertoire, instead of following a speed; for plans
    /// that know their mix. Weights are scaled to sum 1. Clips that are played once take no part.
    ///
    /// The next call of [`GaitPlayer::advance`] goes on from its own mix.
    ///
    /// # Panics
    /// If there are fewer weights than clips.
    pub fn advance_mix(&mut self, dt: f32, weights: &[f32]) -> PlayerStep {
        let clips = self.repertoire.clips();
        let usable = |clip: usize| weights[clip].is_finite() && clips[clip].is_cyclic();
        let total: f32 = (0..clips.len()).filter(|&clip| usable(clip)).map(|c| weights[c]).sum();
        let refused = !(dt.is_finite() && dt >= 0.0 && total > 1e-3)
            || weights.iter().any(|weight| !weight.is_finite());
        let before = self.placement;
        let mut seconds = 0.0;
        if !refused {
            seconds = dt.min(Self::LONGEST_STEP);
            for (clip, weight) in self.weights.iter_mut().enumerate() {
                *weight = if usable(clip) { weights[clip] / total } else { 0.0 };
            }
            self.rate = 1.0;
            let pieces = (seconds * 20.0).ceil().max(1.0);
            for _ in 0..pieces as usize {
                self.step(seconds / pieces);
            }
        }
        let moved = before.to(&self.placement);
        PlayerStep {
            moved,
            met: BoundaryPoint { rate: 1.0, ..BoundaryPoint::default() },
            seconds,
            refused,
        }
    }

    /// Puts the character somewhere else, as it is.
    pub fn place(&mut self, placement: Planar) {
        if placement.position.is_finite() && placement.heading.is_finite() {
            self.placement = placement;
            self.feet.iter_mut().for_each(PlayerFoot::release);
            self.step(0.0);
        }
    }

    /// Takes over from another motion: somewhere, at a phase, with the mix of a speed and a turn rate at once.
    /// Numbers that are not finite change nothing.
    pub fn join(&mut self, placement: Planar, phase: f32, speed: f32, turn_rate: f32) {
        let demand = Vec2::new(speed, turn_rate);
        let finite = placement.position.is_finite() && placement.heading.is_finite();
        if !(finite && phase.is_finite() && demand.is_finite()) {
            return;
        }
        (self.placement, self.phase, self.demand) = (placement, phase.rem_euclid(1.0), demand);
        self.family = match self.border() {
            Some(border) if speed > border => 1,
            _ => 0,
        };
        self.fade.advance(self.options.fade);
        self.feet.iter_mut().for_each(PlayerFoot::release);
        self.settle();
    }

    /// The placement of the character.
    pub fn placement(&self) -> Planar {
        self.placement
    }

    /// The phase of the gait, in [0, 1): 0 is the strike of the first foot.
    pub fn phase(&self) -> f32 {
        self.phase
    }

    /// Leaves the joints of a range as they are from now on, for bodies that are hardly seen; an empty range makes them all.
    /// Where it goes and how its feet step is the same, if neither hips nor legs are among them.
    pub fn leave_out(&mut self, joints: Range<usize>) {
        let end = joints.end.min(self.pose.len());
        self.left_out = joints.start.clamp(1, end.max(1))..end.max(1);
    }

    /// Goes to another phase, as it stands: for crowds that must not walk in step.
    pub fn set_phase(&mut self, phase: f32) {
        if phase.is_finite() {
            self.phase = phase.rem_euclid(1.0);
            self.feet.iter_mut().for_each(PlayerFoot::release);
            self.step(0.0);
        }
    }

    /// One weight per clip of the repertoire, with sum 1.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The pose in place; the root is relative to [`GaitPlayer::placement`].
    pub fn pose(&self) -> &[Transform] {
        &self.pose
    }

    /// Every joint in the character's frame.
    pub fn models(&self) -> &[Transform] {
        &self.models
    }

    /// Writes the pose with the root placed in the world: a frame of a clip.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton.
    pub fn write_pose(&self, pose: &mut [Transform]) {
        pose[..self.pose.len()].copy_from_slice(&self.pose);
        pose[0] = self.placement.to_transform() * pose[0];
    }

    /// The contacts of the heel and the ball of a foot: true if down.
    pub fn contact(&self, foot: usize) -> [bool; 2] {
        self.feet[foot].down
    }

    /// The point between the soles that the body moves about, on the ground: the mean of heels and
    /// balls that are down, weighted by how firmly they are (footstep-planning 3.3). None in flight.
    pub fn stable_point(&self) -> Option<Vec2> {
        let frame = PlacementMatrix::new(&self.placement);
        let (mut sum, mut total) = (Vec2::ZERO, 0.0);
        for anchor in self.feet.iter().flat_map(PlayerFoot::anchors) {
            sum += frame.to_world(anchor.own) * anchor.weight;
            total += anchor.weight;
        }
        (total > 0.0).then(|| sum / total)
    }

    /// The repertoire that is played.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.repertoire
    }

    fn step(&mut self, dt: f32) {
        let repertoire = Arc::clone(&self.repertoire);
        let (character, clips) = (repertoire.character(), repertoire.clips());
        let resting = repertoire.families()[0].resting_period();

        // Phase and the travel of the clips.
        self.standing += dt;
        mix::voices(clips, &self.weights, &mut self.voices);
        let mix = Mix { clips, voices: &self.voices, phase: self.phase, standing: self.standing };
        let rate = (self.rate * mix.tempo(resting)).clamp(1.0 - RATE_RANGE, 1.0 + RATE_RANGE);
        let phases = mix.phases(dt * rate, resting, self.options.most_phases);
        let prior = self.placement.then(&mix.travel(phases).after(1.0));
        let phase = self.phase + phases;
        (self.phase, self.rounds) = (phase.fract(), self.rounds.wrapping_add(phase as u32));
        if self.is_standing() {
            self.phase = repertoire.families()[0].start_phase();
        }

        // Pose and soles.
        let mix = Mix { clips, voices: &self.voices, phase: self.phase, standing: self.standing };
        mix.pose(&self.left_out, &mut self.scratch, &mut self.pose);
        for part in [0..self.left_out.start, self.left_out.end..self.pose.len()] {
            character.skeleton.local_to_model_in(part, &self.pose, &mut self.models);
        }
        let by_legs = self.options.feet == FootMode::BodyAndLegs;
        let legs = || repertoire.legs().iter().map(|leg| leg.as_ref().filter(|_| by_legs));
        self.anchors.clear();
        for (index, (foot, leg)) in character.rig.feet.iter().zip(legs()).enumerate() {
            let footing = &mut self.feet[index];
            let contact = mix.contact(index, self.lifted, &self.options);
            (footing.down, footing.firm) = (contact.down, contact.firm);
            footing.lift();
            match leg {
                Some(_) => {
                    let sole = mix.sole(index);
                    let pose = &mut self.pose;
                    footing.aim(&sole, &character.skeleton, foot, pose, &self.models);
                }
                None => {
                    footing.own = [foot.heel, foot.ball].map(|point| point.position(&self.models));
                }
            }
            self.anchors.extend(footing.anchors());
        }

        // The body where the soles want it, then the legs.
        self.placement = placement(&prior, &self.anchors);
        let frame = PlacementMatrix::new(&self.placement);
        for (index, (foot, leg)) in character.rig.feet.iter().zip(legs()).enumerate() {
            let footing = &mut self.feet[index];
            if let Some(leg) = leg {
                footing.correct(&frame, dt, &self.options);
                let (pose, models) = (&mut self.pose, &mut self.models);
                footing.reach(&character.skeleton, foot, leg, &frame, pose, models);
            }
            footing.land(&frame, foot, &self.models);
        }
    }

    /// Whether nothing but standing is heard.
    pub(crate) fn is_standing(&self) -> bool {
        self.voices.iter().all(|voice| voice.stands)
    }
}
