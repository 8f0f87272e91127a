//! What a repertoire has to say about going somewhere.

mod action;
mod effort;
mod mix;
mod rest;

pub(super) use action::{Action, ActionMoment};
pub(super) use effort::root_accelerations;
pub(super) use mix::{MixedClip, hips_placement, lerp_pose, mix_pose, mix_sole};
pub(super) use rest::{FootShape, Rest, flat, print_of};

use super::{StepError, StepSettings};
use andante_play::repertoire::{ClipClass, FamilyKind, PhaseMap, Repertoire};
use andante_skeleton::TwoBone;
use andante_skeleton::{Character, MirrorTable, Planar};
use glam::Vec2;
use mix::Gaits;
use std::ops::Range;
use std::sync::Arc;

/// Speeds at which cadence is tabulated.
const SPEEDS: usize = 96;

/// A repertoire, prepared.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    pub repertoire: Arc<Repertoire>,
    pub settings: StepSettings,
    pub legs: [TwoBone; 2],
    /// Joints that feet do not depend on.
    pub upper_body: Range<usize>,
    pub rest: Rest,
    /// Footprints of the usual walk, seen from the body above them.
    pub stepping: [Planar; 2],
    /// Length of a leg, in metres.
    pub leg: f32,
    pub actions: Vec<Action>,
    pub mirror: MirrorTable,
    /// Between walking and running, in m/s; infinite for somebody who only walks.
    pub border: f32,
    /// The usual walk, as an index of the clips, and its speed.
    pub usual: usize,
    pub pace: f32,
    /// Speed of the slowest gait ahead.
    pub slowest: f32,
    fastest: f32,
    walk: Option<Gaits>,
    run: Option<Gaits>,
    /// Cycles per second at speeds from 0 to `fastest`.
    cadences: Vec<f32>,
    maps: [PhaseMap; 2],
    /// The largest acceleration of the root in each clip, in m/s².
    pub root_accelerations: Vec<f32>,
}

impl Vocabulary {
    pub fn new(repertoire: Arc<Repertoire>, settings: StepSettings) -> Result<Self, StepError> {
        settings.check()?;
        let character = repertoire.character();
        let no_legs = || StepError::Legs(character.name.clone());
        let &[Some(left), Some(right)] = repertoire.legs() else { return Err(no_legs()) };
        let family = |kind| repertoire.families().iter().position(|f| f.kind() == kind);
        let clips = repertoire.clips();
        let straight = |class: ClipClass| {
            let mut of_class: Vec<usize> = (0..clips.len())
                .filter(|&clip| clips[clip].class() == class && clips[clip].velocity().y > 0.2)
                .collect();
            // Those that turn least, then the one of middle speed.
            of_class.sort_by(|&a, &b| {
                clips[a].curvature().abs().total_cmp(&clips[b].curvature().abs())
            });
            let ahead = of_class.iter().filter(|&&clip| clips[clip].curvature().abs() < 0.08);
            of_class.truncate(ahead.count().max(1));
            of_class.sort_by(|&a, &b| clips[a].speed().total_cmp(&clips[b].speed()));
            of_class.get((of_class.len().max(1) - 1) / 2).copied()
        };
        let (walking, running) = (straight(ClipClass::Walk), straight(ClipClass::Run));
        let usual = walking.or(running).ok_or(StepError::NoGait)?;
        let map = |clip: Option<usize>| clips[clip.unwrap_or(usual)].map().clone();
        let (walk, run) = (
            family(FamilyKind::Walk).filter(|_| walking.is_some()),
            family(FamilyKind::Run).filter(|_| running.is_some()),
        );
        let ahead = |class: ClipClass| {
            clips.iter().filter(move |clip| clip.class() == class && clip.velocity().y > 0.2)
        };
        let least = |class| ahead(class).map(|c| c.speed()).fold(f32::INFINITY, f32::min);
        let most = |class| ahead(class).map(|c| c.speed()).fold(0.0, f32::max);
        let border = match (walk, run) {
            (Some(_), Some(_)) => 0.5 * (most(ClipClass::Walk) + least(ClipClass::Run)),
            (None, _) => 0.0,
            _ => f32::INFINITY,
        };
        let rest = Rest::new(&repertoire, usual, &settings)?;
        let bone = |joint: usize| character.skeleton.joint(joint).rest.translation.length();
        let bones = |leg: &TwoBone| {
            let [_, knee, ankle] = leg.joints();
            bone(knee) + bone(ankle)
        };
        let leg = 0.5 * (bones(&left) + bones(&right));
        let stepping = [0, 1].map(|foot| {
            let sole = clips[usual].tracks()[foot]
                .at((0.5 * foot as f32 + settings.strides.middle).fract());
            let print = print_of(flat(sole.heel), flat(sole.ball));
            Planar::new(Vec2::new(print.position.x, 0.0), print.heading)
        });
        let mut vocabulary = Self {
            legs: [left, right],
            upper_body: character.upper_body(),
            stepping,
            leg,
            actions: Vec::new(),
            mirror: MirrorTable::new(&character.skeleton),
            border,
            usual,
            pace: clips[usual].speed(),
            slowest: least(ClipClass::Walk).min(least(ClipClass::Run)),
            fastest: 1.2 * most(ClipClass::Walk).max(most(ClipClass::Run)),
            walk: walk.map(|family| Gaits::new(&repertoire, family)),
            run: run.map(|family| Gaits::new(&repertoire, family)),
            cadences: Vec::new(),
            maps: [map(walking), map(running)],
            root_accelerations: root_accelerations(&repertoire),
            rest,
            repertoire,
            settings,
        };
        vocabulary.cadences = (0..=SPEEDS)
            .map(|k| vocabulary.natural_cadence(vocabulary.fastest * k as f32 / SPEEDS as f32))
            .collect();
        vocabulary.actions = action::actions(&vocabulary);
        Ok(vocabulary)
    }

    pub fn character(&self) -> &Character {
        self.repertoire.character()
    }

    /// Cycles per second at a speed.
    pub fn cadence(&self, speed: f32) -> f32 {
        let at = (speed / self.fastest).clamp(0.0, 1.0) * SPEEDS as f32;
        let index = (at as usize).min(SPEEDS - 1);
        let t = at - index as f32;
        self.cadences[index] + (self.cadences[index + 1] - self.cadences[index]) * t
    }

    /// The phase after some cycles: gaits do not go evenly through their phases.
    pub fn phase(&self, cycles: f32, run: f32) -> f32 {
        let [walk, running] = &self.maps;
        let phase = |map: &PhaseMap| map.phase(cycles.fract() * map.period());
        let walking = if run < 1.0 { phase(walk) } else { 0.0 };
        let running = if run > 0.0 { phase(running) } else { 0.0 };
        // Both are between 0 and 1 and close to each other, but for the end of a round.
        let apart = running - walking;
        let apart = if run > 0.0 && run < 1.0 { apart - apart.round() } else { apart };
        if run >= 1.0 { running } else { (walking + run * apart).rem_euclid(1.0) }
    }

    /// The other way round.
    pub fn cycles(&self, phase: f32, runs: bool) -> f32 {
        let map = &self.maps[usize::from(runs)];
        map.seconds(phase) / map.period()
    }

    /// The phase of the cycle at which a foot leaves the ground in a walk.
    pub fn toe_off(&self, foot: usize) -> f32 {
        let clips = self.repertoire.clips();
        let walk = clips
            .iter()
            .filter(|clip| matches!(clip.class(), ClipClass::Walk | ClipClass::Run))
            .min_by(|a, b| (a.speed() - self.pace).abs().total_cmp(&(b.speed() - self.pace).abs()));
        let ends = walk.and_then(|clip| Some(clip.feet()[foot].stances().first()?.end));
        ends.unwrap_or(0.62 + 0.5 * foot as f32).rem_euclid(1.0)
    }
}
