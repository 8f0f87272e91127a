//! The pose at a moment.

use super::Grounding;
use crate::ground::body::{self, BodyCarrier};
use crate::ground::fade::{Eased, Fade};
use crate::ground::layer::Layer;
use crate::ground::plan::FootStage;
use crate::ground::times::TimedPart;
use crate::{FootReport, FootStatus, GroundReport, SupportKind};
use andante_skeleton::{Transform, Wrap};
use glam::Vec3;

impl Grounding {
    /// The pose at the present moment.
    pub(super) fn write(&mut self, pose: &mut [Transform]) {
        let Some(mut layer) = self.layer.take() else { return };
        let begun = self.clock.now();
        let clip = &*layer.clip;
        let skeleton = &clip.character().skeleton;
        let rig = &clip.character().rig;
        let body =
            pose_of(&layer, self.options.feet.long_body, pose, &mut self.models, &mut self.feet);
        let lowered = layer.lowered();
        pose[0] = body.map(clip, lowered) * pose[0];
        let (heading, lean) = self.mix_in(&layer, &body, pose);
        if let Some(Fade { body: Some(by), elapsed, began, told: false, .. }) = &self.fade
            && layer.eased.by != *by
        {
            let begins = layer.time - (elapsed - began) * self.flow;
            (layer.eased, layer.stale) = (Eased { by: *by, begins, rate: self.flow }, true);
        }
        self.show(pose[0].translation);
        skeleton.local_to_model(pose, &mut self.models);
        if self.options.lean && lean.abs() > 1e-6 {
            body::lean(skeleton, &rig.spine, heading, lean, pose, &self.models);
            skeleton.local_to_model(pose, &mut self.models);
        }
        self.clock.done(TimedPart::Pose, begun);

        let begun = self.clock.now();
        let deeper = self.come_down(&layer, lowered);
        if deeper > 0.0 {
            pose[0].translation.y -= deeper;
            for model in self.models.iter_mut() {
                model.translation.y -= deeper;
            }
        }
        let residual = self.put_feet(clip, pose);
        self.say_what_is_true(&layer);
        self.clock.done(TimedPart::Legs, begun);
        self.hips.push(self.models[rig.hips].translation);
        let stopped = layer.barrier().is_some() && self.pace < 0.5;
        self.report = GroundReport {
            motion: match (stopped, clip.idle()) {
                (true, _) => SupportKind::Stopped,
                (_, true) => SupportKind::Standing,
                _ => SupportKind::Moving,
            },
            time: layer.time,
            place: body.place,
            height: body.height,
            grade: body.grade,
            lowered: lowered + deeper,
            residual,
            planned: false,
        };
        self.layer = Some(layer);
    }
}

/// Samples the clip of a layer, says where its feet belong, and where its body is.
fn pose_of(
    layer: &Layer,
    long: f32,
    pose: &mut [Transform],
    models: &mut [Transform],
    feet: &mut [FootReport],
) -> BodyCarrier {
    let clip = &*layer.clip;
    clip.clip().sample(layer.time, Wrap::Clamp, pose);
    clip.character().skeleton.local_to_model(pose, models);
    for (index, (report, foot)) in feet.iter_mut().zip(&clip.character().rig.feet).enumerate() {
        let plan = &layer.plans[index];
        let leg = &clip.legs[index];
        let ankle = models[foot.ankle()];
        let placed = plan.target(clip, layer.time, &ankle);
        let [hip, _, end] = leg.joints;
        let length = models[hip].translation.distance(models[end].translation);
        let next = plan.next.as_ref().map(|next| next.at(layer.time));
        *report = FootReport {
            status: match (&plan.here, plan.stage) {
                _ if plan.blocked => FootStatus::Blocked,
                (_, FootStage::Swing | FootStage::Committed) => FootStatus::Aloft,
                (Some(here), _) => here.status,
                _ => FootStatus::Aloft,
            },
            lands: plan.next.as_ref().map(|next| next.print.status),
            down: clip.down(index, layer.time),
            print: plan.here.map(|here| here.at),
            next,
            lands_in: plan.next.as_ref().map(|next| next.print.landing - layer.time),
            target: placed.map_or(ankle, |placed| placed.ankle),
            ankle,
            toes: placed.map_or(Vec3::ZERO, |placed| placed.toes),
            extension: 0.0,
            source_extension: length / leg.length,
        };
    }
    BodyCarrier::new(clip, &layer.plans, layer.time, long)
}
