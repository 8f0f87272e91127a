//! Going somewhere with one gait that leaves the ground, on legs of any number and kind.
//!
//! What a foot on the ground does is left as the gait has it: strides become longer and shorter by mixing the gait with
//! standing, and everything else, turns and the last centimetres to the goal, happens while no foot is down. So nothing
//! slides and no leg has to reach for a footprint that it was not made for.

use super::flight::{AerialFlight, AerialRecording};
use super::score::FPS;
use super::{
    AerialSettings, PlannedMotion, StepError, StepGround, StepJourney, StepLeg, StepOptions,
};
use andante_play::blend_space::{FootMode, GaitPlayer, PlayerOptions};
use andante_play::repertoire::{ClipClass, Repertoire, RepertoireClip};
use andante_skeleton::{Planar, Polyline, rotation};
use glam::Vec2;
use std::sync::Arc;

/// Performs journeys with a gait that leaves the ground.
///
/// For creatures whose legs cannot be led from footprint to footprint one by one: kangaroos, dogs, whatever hops, trots
/// or gallops. It needs a clip of the gait and one of standing, and goes as fast as the gait does.
#[derive(Clone, Debug)]
pub struct AerialPlanner {
    repertoire: Arc<Repertoire>,
    gait: usize,
    stand: usize,
    settings: AerialSettings,
}

impl AerialPlanner {
    /// Prepares a repertoire.
    pub fn new(repertoire: Arc<Repertoire>) -> Result<Self, StepError> {
        Self::with_settings(repertoire, AerialSettings::default())
    }

    /// Prepares a repertoire with other settings.
    pub fn with_settings(
        repertoire: Arc<Repertoire>,
        settings: AerialSettings,
    ) -> Result<Self, StepError> {
        let clips = repertoire.clips();
        let goes = |clip: &RepertoireClip| {
            matches!(clip.class(), ClipClass::Walk | ClipClass::Run) && clip.velocity().y > 0.2
        };
        let gait = (0..clips.len())
            .filter(|&clip| goes(&clips[clip]))
            .min_by(|&a, &b| clips[a].curvature().abs().total_cmp(&clips[b].curvature().abs()))
            .ok_or(StepError::NoGait)?;
        let stand = clips.iter().position(|clip| clip.class() == ClipClass::Stand);
        let flies = longest_flight(&clips[gait]) * FPS > settings.shortest as f32;
        match stand.filter(|_| flies) {
            Some(stand) => Ok(Self { repertoire, gait, stand, settings }),
            None => Err(StepError::Legs(repertoire.character().name.clone())),
        }
    }

    /// The repertoire that is performed.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.repertoire
    }

    fn speed(&self) -> f32 {
        self.repertoire.clips()[self.gait].speed()
    }

    fn stride(&self) -> f32 {
        self.repertoire.clips()[self.gait].twist().velocity.length()
    }

    /// Performs a journey from rest to rest.
    pub fn perform(
        &self,
        journey: &StepJourney,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        let way = Polyline::new(&places(journey)?);
        let mut going = LedGait::new(self, journey.start, options)?;
        // A goal near by needs no way, and none that ends as it begins.
        let far = way.length() > self.settings.off_way.max(0.5 * self.stride());
        if far {
            let ahead =
                Planar::new(journey.start.position, way.heading(0.0, self.settings.tangent));
            if going.missing(&ahead).0.abs() > self.settings.spot_bend {
                going.turn_to(&ahead)?;
            }
            going.follow(&way)?;
        }
        let (turn, way) = going.missing(&journey.goal);
        let there = turn.abs() < self.settings.near_turn && way.length() < self.settings.near;
        let near = turn.abs() < self.settings.off_turn
            && way.length() < self.settings.off_way
            && going.recording.has_flights();
        if !(there || near) {
            going.turn_to(&journey.goal)?;
        }
        // Uphill strides are shorter than on a plane, so that it is aimed anew until little is missing.
        let (goal, mut aim) = (journey.goal, journey.goal);
        let mut best: Option<(f32, PlannedMotion)> = None;
        for _ in 0..self.settings.rounds {
            going.recording.end_at(&aim, self.settings.last);
            let made = going.recording.performance(&self.repertoire, self.gait, world, options)?;
            let last = made.body.last().copied().unwrap_or(goal);
            let missing = goal.position - last.position;
            let turn = rotation::wrap_angle(goal.heading - last.heading);
            if best.as_ref().is_none_or(|(least, _)| missing.length() < *least) {
                best = Some((missing.length(), made));
            }
            if missing.length() < self.settings.near && turn.abs() < self.settings.near_turn {
                break;
            }
            aim = Planar::new(aim.position + self.settings.gain * missing, aim.heading + turn);
        }
        match best {
            Some((missing, made)) if missing < self.settings.near => Ok(made),
            Some((_, made)) => going.recording.led_to(&goal, made, self.settings.last, world),
            None => Err(StepError::NoGait),
        }
    }
}

/// Seconds of a cycle, without a break, in which no foot is down.
fn longest_flight(clip: &RepertoireClip) -> f32 {
    const STEPS: usize = 256;
    let (mut longest, mut since) = (0, 0);
    // Twice round: a flight may go on beyond the end of the cycle.
    for step in 0..2 * STEPS {
        let phase = (step % STEPS) as f32 / STEPS as f32;
        let flies = clip.feet().iter().all(|foot| foot.down(phase) == [false; 2]);
        since = if flies { since + 1 } else { 0 };
        longest = since.max(longest);
    }
    clip.period() * longest.min(STEPS) as f32 / STEPS as f32
}

/// All places of a way on foot.
fn places(journey: &StepJourney) -> Result<Vec<Vec2>, StepError> {
    let mut places = vec![journey.start.position];
    for leg in &journey.legs {
        match leg {
            StepLeg::Walk(more) => places.extend(more),
            StepLeg::Jump(jump) => {
                return Err(StepError::NoSuchJump(jump.clip.clone().unwrap_or_default()));
            }
        }
    }
    places.push(journey.goal.position);
    let headings = [journey.start.heading, journey.goal.heading];
    if !places.iter().all(|place| place.is_finite()) || !headings.iter().all(|h| h.is_finite()) {
        return Err(StepError::NonFinite("a place or heading of the journey"));
    }
    Ok(places)
}

/// A gait that is being led.
struct LedGait<'a> {
    planner: &'a AerialPlanner,
    player: GaitPlayer,
    weights: Vec<f32>,
    /// The share of the gait in what is played.
    share: f32,
    on_the_spot: bool,
    recording: AerialRecording,
}

/// What a flight is to change.
struct Change {
    turn: f32,
    shift: Vec2,
}

impl<'a> LedGait<'a> {
    fn new(
        planner: &'a AerialPlanner,
        start: Planar,
        options: &StepOptions,
    ) -> Result<Self, StepError> {
        let options = PlayerOptions { feet: FootMode::BodyAndLegs, ..options.player };
        let repertoire = &planner.repertoire;
        let mut player =
            GaitPlayer::new(Arc::clone(repertoire), options).map_err(|_| StepError::NoGait)?;
        let mut weights = vec![0.0; repertoire.clips().len()];
        weights[planner.stand] = 1.0;
        player.advance_mix(0.0, &weights);
        let recording = AerialRecording::new(repertoire, &player, start, planner.settings);
        Ok(Self { planner, player, weights, share: 0.0, on_the_spot: false, recording })
    }

    /// Plays until the next landing, with the share of the gait led towards one; none if it has come to a stand before.
    fn bound(
        &mut self,
        mut wanted: impl FnMut(&Self) -> f32,
    ) -> Result<Option<AerialFlight>, StepError> {
        let AerialSettings { ramp, longest, floating, .. } = self.planner.settings;
        let most = 1.0 / (ramp * FPS);
        let mut since = None;
        loop {
            let change = (wanted(self) - self.share).clamp(-most, most);
            self.share = (self.share + change).clamp(0.0, 1.0);
            self.weights[self.planner.gait] = self.share;
            self.weights[self.planner.stand] = 1.0 - self.share;
            let floats = self.on_the_spot && self.recording.flies(self.recording.len() - 1);
            let pace = if floats { floating } else { 1.0 };
            self.player.advance_mix(pace / FPS, &self.weights);
            self.recording.add(&self.player, self.share);
            let now = self.recording.len() - 1;
            if now as f32 > longest * FPS {
                return Err(StepError::NeverThere(longest));
            }
            match (self.recording.flies(now), since) {
                (true, None) => since = Some(now),
                (false, Some(from)) => {
                    match AerialFlight::new(from, now, self.planner.settings.shortest) {
                        Some(flight) => return Ok(Some(flight)),
                        None => since = None,
                    }
                }
                (false, None) if self.share == 0.0 => return Ok(None),
                _ => {}
            }
        }
    }

    /// Comes to a stand and stays for a moment.
    fn stand(&mut self) -> Result<(), StepError> {
        while let Some(flight) = self.bound(|_| 0.0)? {
            self.recording.push(flight);
        }
        for _ in 0..(self.planner.settings.stand * FPS) as usize {
            self.bound(|_| 0.0)?;
        }
        Ok(())
    }

    /// Changes what comes after a flight.
    fn fly(&mut self, mut flight: AerialFlight, change: &Change) {
        let AerialSettings { most_turn, most_shift, .. } = self.planner.settings;
        flight.turn = change.turn.clamp(-most_turn, most_turn);
        // On the spot it takes back what the gait goes ahead.
        let ahead = if self.on_the_spot { self.share * self.planner.stride() } else { 0.0 };
        flight.shift = change.shift.clamp_length_max(most_shift + ahead);
        self.recording.push(flight);
    }

    /// How far it goes on if it begins to stop now.
    fn braking(&self) -> f32 {
        0.5 * self.planner.settings.ramp * self.share * self.share * self.planner.speed()
    }

    /// By how much it has to turn, and how far it is away.
    fn missing(&self, goal: &Planar) -> (f32, Vec2) {
        let now = self.recording.hips(self.recording.len() - 1);
        (rotation::wrap_angle(goal.heading - now.heading), goal.position - now.position)
    }

    /// Turns on the spot, or shuffles nearer, until it stands about so.
    fn turn_to(&mut self, goal: &Planar) -> Result<(), StepError> {
        let AerialSettings { least, most_turn, off_way, .. } = self.planner.settings;
        self.on_the_spot = true;
        loop {
            let Some(flight) = self.bound(|_| least)? else { continue };
            let (turn, shift) = self.missing(goal);
            self.fly(flight, &Change { turn, shift });
            if turn.abs() <= most_turn && shift.length() <= off_way {
                self.stand()?;
                self.on_the_spot = false;
                return Ok(());
            }
        }
    }

    /// Goes along a way and stops at its end.
    fn follow(&mut self, way: &Polyline) -> Result<(), StepError> {
        let (stride, mut at) = (self.planner.stride(), 0.0);
        let AerialSettings { look, tangent, least, slow_bend, .. } = self.planner.settings;
        let (mut pace, mut stops) = (1.0, false);
        loop {
            let left = |going: &Self| {
                let now = going.recording.hips(going.recording.len() - 1).position;
                (way.end() - now).dot(way.direction(way.length(), tangent))
            };
            // Within the last bend its direction does not say how far it is yet.
            let ends = way.length() - at < 2.0 * stride;
            let landed = self.bound(|going| {
                stops |= ends && left(going) <= going.braking();
                if stops { 0.0 } else { pace }
            })?;
            let Some(flight) = landed else {
                return self.stand();
            };
            let now = self.recording.hips(self.recording.len() - 1);
            at = way.closest(at..at + 2.0 * stride, now.position);
            let look = look * stride * self.share.max(least);
            let aim = way.place(at + look) - now.position;
            let turn = if stops || aim.length() < 0.3 * stride {
                rotation::wrap_angle(way.heading(way.length(), tangent) - now.heading)
            } else {
                rotation::wrap_angle(libm::atan2f(aim.x, aim.y) - now.heading)
            };
            let ahead = way.heading(at + look + self.braking(), tangent);
            let bend = rotation::wrap_angle(ahead - now.heading).abs().max(turn.abs());
            pace = if bend > slow_bend { least.max(0.5) } else { 1.0 };
            self.fly(flight, &Change { turn, shift: Vec2::ZERO });
        }
    }
}
