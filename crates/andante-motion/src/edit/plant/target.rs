//! Where a foot belongs in every frame.

use super::anchors::{Anchors, PlantedFoot};
use super::{GroundLevel, PlantOptions, clearance, signal};
use andante_play::FootContacts;
use andante_skeleton::{Transform, ease, rotation};
use glam::{Quat, Vec3};

/// Where a foot belongs in one frame.
#[derive(Clone, Copy)]
pub(super) struct FootTarget {
    pub ankle: Transform,
    pub toes: Option<Quat>,
    /// How far the ankle is from where it was, and how far foot and toes are turned.
    pub moved: f32,
    pub turned: f32,
    pub toes_turned: f32,
}

/// Decides where a foot belongs in every frame.
pub(super) fn targets(
    track: &PlantedFoot,
    contacts: &FootContacts,
    options: &PlantOptions,
) -> Vec<FootTarget> {
    let fps = track.clip.fps();
    let window = (options.fade * fps).max(1.0);
    let slope_frames = (fps / 60.0).round().max(1.0) as usize;
    let fill = |known: &[Option<Vec3>]| signal::fill(known, window, slope_frames);
    let anchors = track.anchors(contacts, options);

    // Toes are bent by a right angle when they leave the ground and need longer to straighten.
    let slow_fill = |known: &[Option<Vec3>]| signal::fill(known, 2.0 * window, slope_frames);
    let toes = ToeTurns::new(track, &anchors, slow_fill);
    let flat = flat_turns(track, &anchors);
    let rolled = rolled_turns(track, &anchors, &toes, &fill(&flat), options);
    let turns = fill(&rolled);
    let places = TargetPlacing { track, anchors: &anchors, toes: &toes };
    let moves: Vec<Option<Vec3>> = (0..turns.len())
        .map(|frame| {
            let rotation = turned(track, frame, turns[frame]);
            let ankle = places.ankle(frame, rotation)?;
            Some(ankle - track.ankle(frame).translation)
        })
        .collect();
    let down: Vec<bool> = moves.iter().map(Option::is_some).collect();
    let moves = fill(&moves);

    let mut targets: Vec<FootTarget> = (0..turns.len())
        .map(|frame| FootTarget {
            ankle: Transform::new(
                turned(track, frame, turns[frame]),
                track.ankle(frame).translation + moves[frame],
            ),
            toes: toes.world(track, frame),
            moved: moves[frame].length(),
            turned: turns[frame].length(),
            toes_turned: toes.turns[frame].length(),
        })
        .collect();
    if let GroundLevel::Flat(height) = options.ground {
        clearance::lift_swings(track, &anchors, height, options, window, &down, &mut targets);
    }
    targets
}

/// The rotation of the ankle after a turn.
fn turned(track: &PlantedFoot, frame: usize, turn: Vec3) -> Quat {
    (rotation::exp(turn) * track.ankle(frame).rotation).normalize()
}

/// The rotation vector that leads from one rotation to another, in the world.
fn turn(from: Quat, to: Quat) -> Vec3 {
    rotation::log(to * from.conjugate())
}

/// How toes are turned: known while they are down.
struct ToeTurns {
    turns: Vec<Vec3>,
}

impl ToeTurns {
    fn new(
        track: &PlantedFoot,
        anchors: &Anchors,
        fill: impl Fn(&[Option<Vec3>]) -> Vec<Vec3>,
    ) -> Self {
        let mut turns: Vec<Option<Vec3>> = vec![None; track.models.len()];
        if let Some(toes) = track.foot.toes {
            for anchor in &anchors.toes {
                for frame in anchor.ball.frames.clone() {
                    let source = track.models[frame][toes].rotation;
                    turns[frame] = anchor.rotation.map(|fixed| turn(source, fixed));
                }
            }
        }
        Self { turns: fill(&turns) }
    }

    /// World rotation of the toes, if there are any.
    fn world(&self, track: &PlantedFoot, frame: usize) -> Option<Quat> {
        let source = track.models[frame][track.foot.toes?].rotation;
        Some((rotation::exp(self.turns[frame]) * source).normalize())
    }
}

/// The turns of a foot that is flat.
fn flat_turns(track: &PlantedFoot, anchors: &Anchors) -> Vec<Option<Vec3>> {
    let mut turns = vec![None; track.models.len()];
    for flat in &anchors.flats {
        for frame in flat.frames.clone() {
            turns[frame] = Some(turn(track.ankle(frame).rotation, flat.rotation));
        }
    }
    turns
}

/// The turns of a foot that is down, given those it would have if being flat were all that counts.
///
/// A foot on its toes rolls over them to where the ankle was, because holding the ball alone would
/// leave it behind. And one end down, the other one is above it.
fn rolled_turns(
    track: &PlantedFoot,
    anchors: &Anchors,
    toes: &ToeTurns,
    turns: &[Vec3],
    options: &PlantOptions,
) -> Vec<Option<Vec3>> {
    let places = TargetPlacing { track, anchors, toes };
    let mut since_flat = f32::INFINITY;
    let mut rolled = vec![None; turns.len()];
    for (frame, &turn_now) in turns.iter().enumerate() {
        let (heel, ball) = (places.heel(frame), places.pivot(frame));
        since_flat += 1.0 / track.clip.fps();
        let mut rotation = turned(track, frame, turn_now);
        match (heel, ball) {
            (None, None) => {
                since_flat = f32::INFINITY;
                continue;
            }
            (Some(_), Some(_)) => {
                since_flat = 0.0;
                rolled[frame] = Some(turn_now);
                continue;
            }
            (None, Some((pivot, in_foot))) => {
                let from = rotation * -in_foot;
                let to = track.ankle(frame).translation - pivot;
                let roll = options.roll * ease(since_flat / options.roll_seconds);
                rotation = rotation::exp(rotation::log(rotation::arc(from, to)) * roll) * rotation;
            }
            (Some(_), None) => {}
        }
        let sole = places.sole(frame);
        let along = rotation * sole;
        let dips = if heel.is_some() { along.y < 0.0 } else { along.y > 0.0 };
        if dips && matches!(options.ground, GroundLevel::Flat(_)) {
            rotation = rotation::arc(along, Vec3::new(along.x, 0.0, along.z)) * rotation;
        }
        rolled[frame] = Some(turn(track.ankle(frame).rotation, rotation));
    }
    rolled
}

/// What is down in a frame and where.
struct TargetPlacing<'a> {
    track: &'a PlantedFoot<'a>,
    anchors: &'a Anchors,
    toes: &'a ToeTurns,
}

impl TargetPlacing<'_> {
    /// Where the heel stays.
    fn heel(&self, frame: usize) -> Option<Vec3> {
        self.anchors.heel(frame).map(|heel| heel.position)
    }

    /// The point the foot turns about while its toes are down: the toe joint, or else the ball, in the
    /// world and in the frame of the ankle.
    fn pivot(&self, frame: usize) -> Option<(Vec3, Vec3)> {
        let track = self.track;
        let anchor = self.anchors.toe(frame)?;
        let (foot, position) = (track.foot, anchor.ball.position);
        Some(match (foot.toes, self.toes.world(track, frame)) {
            (Some(joint), Some(toes)) if foot.ball.joint == joint => {
                (position - toes * foot.ball.offset, track.toe_joint(joint, frame))
            }
            _ => (position, track.in_foot(&foot.ball, frame)),
        })
    }

    /// Where the ankle belongs if the foot has this rotation. Of heel and ball that are both down
    /// either would tell; the ball is the one that stays down longer.
    fn ankle(&self, frame: usize, rotation: Quat) -> Option<Vec3> {
        match self.pivot(frame) {
            Some((position, in_foot)) => Some(position - rotation * in_foot),
            None => {
                let in_foot = self.track.in_foot(&self.track.foot.heel, frame);
                Some(self.heel(frame)? - rotation * in_foot)
            }
        }
    }

    /// From heel to ball in the frame of the ankle.
    fn sole(&self, frame: usize) -> Vec3 {
        let foot = self.track.foot;
        self.track.in_foot(&foot.ball, frame) - self.track.in_foot(&foot.heel, frame)
    }
}
