//! Two clips at once: the one that is played, and the one that is being left.

use super::Grounding;
use crate::ground::body::BodyCarrier;
use crate::ground::curve::smooth;
use crate::ground::fade::{Approach, Easing, pivot};
use crate::ground::layer::Layer;
use crate::ground::plan::PlacedPrint;
use andante_skeleton::{Transform, Wrap, rotation};
use glam::Vec3;
use std::sync::Arc;

impl Grounding {
    /// How fast the clip is played because of a fade.
    pub(super) fn hasten(&mut self, dt: f32) -> f32 {
        let (rate, quickest) = self.haste;
        self.haste.0 = match &self.approach {
            Some(approach) => approach.rate(rate, dt),
            None => rate + (1.0 - rate).clamp(-quickest * dt, quickest * dt),
        };
        self.haste.0
    }

    /// The clip that is gone over to now, from a time of it on, and seconds for the joints.
    pub(super) fn goes_over(
        &mut self,
        layer: &Layer,
        dt: f32,
        clip_dt: f32,
    ) -> Option<(Arc<crate::GroundClip>, f32, f32, bool)> {
        if self.fade.is_some() {
            return None;
        }
        let set = &self.options.fade;
        if let Some((clip, told)) = self.waiting.take() {
            if let Some([time, seconds]) = told {
                (self.left_at, self.haste) = (1.0, (1.0, 1.0));
                return Some((clip, time, seconds, true));
            }
            self.approach = Some(Approach::new(layer, &clip, self.haste.0, set));
        }
        let come = self.approach.as_mut()?.pass(dt, clip_dt);
        let approach = self.approach.take_if(|_| come)?;
        self.left_at = self.haste.0;
        self.haste = approach.sets_off();
        Some((approach.clip, approach.time, set.joints, false))
    }

    /// Remembers where the body is shown, and how fast it moves.
    pub(super) fn show(&mut self, place: Vec3) {
        let speed = match self.shown {
            Some((before, _)) if self.passed > 1e-4 => (place - before) / self.passed,
            Some((_, speed)) => speed,
            None => Vec3::ZERO,
        };
        self.shown = Some((place, speed));
    }

    /// Mixes in the clip that is being left; returns the heading of the body and its lean.
    pub(super) fn mix_in(
        &mut self,
        layer: &Layer,
        body: &BodyCarrier,
        pose: &mut [Transform],
    ) -> (f32, f32) {
        let pace = &self.options.pace;
        let (heading, lean) = (body.place.heading, body.lean(pace));
        let Some(fade) = &mut self.fade else { return (heading, lean) };
        let old = &fade.layer;
        // The reports of the feet are those of the new clip; the old one's are mixed in.
        let weight = smooth(fade.elapsed / fade.duration);
        let long = self.options.feet.long_body;
        let mut moves = Vec3::ZERO;
        if fade.body.is_none() {
            fade.began = fade.elapsed;
            let soon = 1e-2;
            let time = layer.time + soon;
            layer.clip.clip().sample(layer.clip.within(time).0, Wrap::Clamp, &mut self.other);
            let ahead = BodyCarrier::new(&layer.clip, &layer.plans, time, long);
            let mut root = self.other[0];
            if let Some(round) = layer.clip.within(time).1 {
                root = round.to_transform() * root;
            }
            let next = (ahead.map(&layer.clip, layer.lowered()) * root).translation;
            moves = (next - pose[0].translation) * (self.flow / soon);
        }
        let other = pose_of_other(old, long, &mut self.other, &mut self.other_models);
        let down = old.lowered();
        self.other[0] = other.map(&old.clip, down) * self.other[0];
        // The body goes on as it was shown, and comes to where the new clip has it.
        let root = pose[0].translation;
        let eased = *fade.body.get_or_insert_with(|| {
            let (place, speed) = self.shown.unwrap_or((root, Vec3::ZERO));
            let hardest =
                0.75 * self.options.fade.hardest * old.clip.hardest.max(layer.clip.hardest);
            Easing::new(place + speed * self.passed.min(0.1) - root, speed - moves, hardest)
        });
        for (to, from) in pose.iter_mut().zip(self.other.iter()) {
            to.translation = from.translation.lerp(to.translation, weight);
            to.rotation = rotation::nlerp(from.rotation, to.rotation, weight);
        }
        if !fade.told {
            pose[0].translation = root + eased.at(fade.elapsed - fade.began);
        }
        for (foot, report) in self.feet.iter_mut().enumerate() {
            let share = smooth(fade.elapsed / fade.feet[foot]);
            let Some((placed, down)) = old_target(old, foot, &self.other_models) else {
                continue;
            };
            let target = placed.ankle;
            report.toes = placed.toes.lerp(report.toes, share);
            // What both have on the ground stays where it is: the foot turns about that.
            let about = pivot(&layer.clip, foot, [down, report.down]);
            let turn = rotation::nlerp(target.rotation, report.target.rotation, share);
            let [from, to] = [target, report.target].map(|ankle| ankle.transform_point(about));
            report.target = Transform::new(turn, from.lerp(to, share) - turn * about);
            if share < 1.0 {
                // What is on its way from one place to another is not down.
                let stays = from.distance(to) < self.options.feet.down;
                report.down = std::array::from_fn(|part| stays && report.down[part] && down[part]);
            }
        }
        let turn = rotation::wrap_angle(heading - other.place.heading);
        let upright = other.lean(pace);
        (other.place.heading + turn * weight, upright + (lean - upright) * weight)
    }
}

fn pose_of_other(
    layer: &Layer,
    long: f32,
    pose: &mut [Transform],
    models: &mut [Transform],
) -> BodyCarrier {
    layer.clip.clip().sample(layer.time, Wrap::Clamp, pose);
    layer.clip.character().skeleton.local_to_model(pose, models);
    BodyCarrier::new(&layer.clip, &layer.plans, layer.time, long)
}

/// Where a foot of the clip that is being left belongs. One that is on the ground stays as it was when the
/// clip would have lifted it.
fn old_target(
    layer: &Layer,
    foot: usize,
    models: &[Transform],
) -> Option<(PlacedPrint, [bool; 2])> {
    let clip = &*layer.clip;
    let plan = &layer.plans[foot];
    let time = if plan.held { layer.time.min(plan.lift_off()) } else { layer.time };
    let ankle = if time < layer.time {
        clip.sample(foot, time).ankle
    } else {
        models[clip.character().rig.feet[foot].ankle()]
    };
    let placed = plan.target(clip, time, &ankle)?;
    Some((placed, clip.down(foot, time)))
}
