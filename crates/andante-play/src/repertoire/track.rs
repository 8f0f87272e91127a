//! Where the soles of a clip are, phase by phase.

use super::phase_map::PHASES;
use super::{FootSpans, PhaseSpan, RepertoireClip};
use andante_skeleton::{Character, Pose, Transform};
use glam::{Quat, Vec2, Vec3};

/// A foot at one phase, as the character sees it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SolePhase {
    /// Orientation of the ankle joint.
    pub rotation: Quat,
    /// The lowest point of the heel.
    pub heel: Vec3,
    /// The sole below the toe joint.
    pub ball: Vec3,
}

/// The soles of one foot at equidistant phases.
///
/// While heel or ball is down it is exactly in one place of the ground: what a recorded foot slides is
/// taken out here, once, and let go of over a tenth of a second around the contact (mocap-tool
/// appendix B.5).
#[derive(Clone, Debug, PartialEq)]
pub struct FootTrack {
    soles: Vec<SolePhase>,
}

/// Phases over which a correction dies away before and after a contact: about a tenth of a second.
const RELEASE: f32 = 0.1;

impl FootTrack {
    /// The soles at a phase in [0, 1].
    #[inline]
    pub fn at(&self, phase: f32) -> SolePhase {
        let steps = self.soles.len() - 1;
        let at = phase * steps as f32;
        let index = (at as usize).min(steps - 1);
        let t = at - index as f32;
        let (a, b) = (&self.soles[index], &self.soles[index + 1]);
        SolePhase {
            rotation: (a.rotation * (1.0 - t) + b.rotation * t).normalize(),
            heel: a.heel.lerp(b.heel, t),
            ball: a.ball.lerp(b.ball, t),
        }
    }
}

/// The tracks of all feet of a clip.
pub(super) fn tracks(character: &Character, clip: &RepertoireClip) -> Vec<FootTrack> {
    let steps = PHASES;
    let skeleton = &character.skeleton;
    let mut pose = Pose::rest(skeleton);
    let mut models = pose.clone();
    let upper_body = character.upper_body();
    let mut tracks: Vec<Vec<SolePhase>> =
        vec![Vec::with_capacity(steps + 1); character.rig.feet.len()];
    for step in 0..=steps {
        clip.sample_but(&upper_body, step as f32 / steps as f32, &mut pose);
        skeleton.local_to_model_but(&upper_body, &pose, &mut models);
        for (track, foot) in tracks.iter_mut().zip(&character.rig.feet) {
            let rotation = models[foot.ankle()].rotation;
            let rotation = match track.last() {
                Some(before) => andante_skeleton::rotation::nearest_sign(rotation, before.rotation),
                None => rotation,
            };
            let (heel, ball) = (foot.heel.position(&models), foot.ball.position(&models));
            track.push(SolePhase { rotation, heel, ball });
        }
    }
    if clip.is_cyclic() {
        for (track, spans) in tracks.iter_mut().zip(clip.feet()) {
            plant(clip, spans, track);
        }
    }
    tracks.into_iter().map(|soles| FootTrack { soles }).collect()
}

/// Puts every contact into one place.
fn plant(clip: &RepertoireClip, spans: &FootSpans, soles: &mut [SolePhase]) {
    let steps = soles.len() - 1;
    let moved: Vec<SolePhase> = soles.to_vec();
    for span in &spans.heel {
        plant_span(clip, span, &moved, soles, |sole| &mut sole.heel);
    }
    for span in &spans.ball {
        plant_span(clip, span, &moved, soles, |sole| &mut sole.ball);
    }
    // The foot turns with the line from heel to ball.
    for (sole, moved) in soles.iter_mut().zip(&moved) {
        let along =
            |sole: &SolePhase| Vec2::new(sole.ball.x - sole.heel.x, sole.ball.z - sole.heel.z);
        let (is, was) = (along(sole), along(moved));
        let turn = libm::atan2f(is.x * was.y - is.y * was.x, is.dot(was));
        sole.rotation = Quat::from_rotation_y(turn) * sole.rotation;
    }
    soles[steps] = soles[0];
}

fn plant_span(
    clip: &RepertoireClip,
    span: &PhaseSpan,
    moved: &[SolePhase],
    soles: &mut [SolePhase],
    point: fn(&mut SolePhase) -> &mut Vec3,
) {
    let steps = soles.len() - 1;
    // Steps are counted on beyond the round; the character has travelled on by then.
    let frame = |step: i32| clip.travel(step as f32 / steps as f32).to_transform();
    let index = |step: i32| step.rem_euclid(steps as i32) as usize;
    let ground = |step: i32| {
        let mut sole = moved[index(step)];
        frame(step).transform_point(*point(&mut sole))
    };
    let first = (span.start * steps as f32).ceil() as i32;
    let last = (span.end * steps as f32).floor() as i32;
    let last = last.min(first + steps as i32 - 1);
    if last < first {
        return;
    }
    let count = (last - first + 1) as f32;
    let mean = (first..=last).map(ground).sum::<Vec3>() / count;
    let missing = |step: i32| {
        let missing = mean - ground(step);
        Vec2::new(missing.x, missing.z)
    };
    let reach = (RELEASE * steps as f32) as i32;
    // The correction must be gone by half the way to the same contact of the next round.
    let reach = reach.min((steps as i32 - (last - first + 1)) / 2).max(0);
    for step in first - reach..=last + reach {
        let nearest = step.clamp(first, last);
        let share = 1.0 - (step - nearest).abs() as f32 / (reach + 1) as f32;
        let share = andante_skeleton::ease(share);
        let shift = missing(nearest) * share;
        let shift: Transform = Transform::from_translation(Vec3::new(shift.x, 0.0, shift.y));
        let back = frame(step).rotation.conjugate() * shift.translation;
        *point(&mut soles[index(step)]) += back;
    }
}
