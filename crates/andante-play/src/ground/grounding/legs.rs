//! Legs that put feet where they belong.

use super::Grounding;
use crate::feet::BendingAnkle;
use crate::ground::clip::GroundClip;
use crate::ground::curve::smooth;
use crate::ground::layer::Layer;
use crate::spring::damped;
use crate::{FootReport, FootStatus};
use andante_skeleton::{Transform, rotation};
use glam::Vec3;

impl Grounding {
    /// How much farther a body comes down than was foreseen, so that its legs reach.
    pub(super) fn come_down(&mut self, layer: &Layer, lowered: f32) -> f32 {
        let (clip, set) = (&*layer.clip, &self.options.feet);
        let weight = smooth(self.leg_weight);
        let mut deeper = 0.0f32;
        let feet = clip.character().rig.feet.iter().zip(&clip.legs).zip(&layer.plans);
        for (report, ((foot, leg), plan)) in self.feet.iter_mut().zip(feet) {
            let since = layer.time - plan.lift_off();
            let lands_in = report.lands_in.unwrap_or(0.0);
            let aloft = smooth(since / set.aloft) * smooth(lands_in / set.aloft);
            let ankle = self.models[foot.ankle()];
            if weight < 1.0 {
                report.target = Transform::new(
                    rotation::nlerp(ankle.rotation, report.target.rotation, weight),
                    ankle.translation.lerp(report.target.translation, weight),
                );
                report.toes *= weight;
            }
            let reach = report.source_extension.max(set.longest_reach);
            let longest = leg.length * reach * (1.0 + 1e-5);
            let place = report.target.translation;
            let slack = (set.slack_down + (set.slack_aloft - set.slack_down) * aloft) * clip.unit;
            deeper = deeper.max(leg.lowering(place, &self.models, foot.ankle(), longest) - slack);
        }
        // What was not foreseen. It is a continuous function of what is asked of the legs, but feet that stay
        // while a runner is faded out ask for too much too quickly: they are let go.
        let left = (set.lowest_body * clip.unit - lowered).max(0.0);
        let change = set.quickest_drop * (clip.unit / 0.85).sqrt() * self.passed;
        let goal = deeper.clamp(0.0, left);
        let before = self.deeper;
        if self.fade.as_ref().is_some_and(|fade| !fade.told) && self.passed.is_finite() {
            // Bodies that change over are not jolted by it.
            let [off, speed] = [before - goal, self.deepening].map(|x| Vec3::Y * x);
            let (off, speed) = damped(off, speed, self.options.fade.drop, self.passed);
            (self.deeper, self.deepening) = ((goal + off.y).clamp(0.0, left), speed.y);
        } else {
            self.deeper = goal.clamp(before - change, before + change).max(0.0);
            let rate = (self.deeper - before) / self.passed.max(1e-3);
            self.deepening = if rate.is_finite() { rate } else { 0.0 };
        }
        self.deeper
    }

    /// Bends legs so that feet are where they belong; returns the largest miss.
    pub(super) fn put_feet(&mut self, clip: &GroundClip, pose: &mut [Transform]) -> f32 {
        let mut residual = 0.0f32;
        for (index, foot) in clip.character().rig.feet.iter().enumerate() {
            let own = Self::bending(clip, index).map(|ankle| ankle.angle(&self.models));
            let (report, leg) = (&mut self.feet[index], &clip.legs[index]);
            let ankle = self.models[foot.ankle()];
            let moved = ankle.translation.distance(report.target.translation);
            let turned = rotation::angle_between(ankle.rotation, report.target.rotation);
            report.extension = report.source_extension;
            if moved > 2e-6 * clip.unit || turned > 2e-6 {
                let most = report.source_extension.clamp(self.options.feet.longest_reach, 1.0);
                let (miss, extension) =
                    leg.solve(&report.target, foot.ankle(), most, pose, &mut self.models);
                report.extension = extension;
                residual = residual.max(miss);
                if miss > 2.0 * self.options.feet.down {
                    report.down = [false; 2];
                }
                let aloft = report.status == FootStatus::Aloft;
                if miss > if aloft { 0.02 } else { 0.005 } * clip.unit {
                    report.status = FootStatus::OutOfReach;
                } else if let Some(own) = own {
                    self.roll(clip, index, own, most, pose);
                }
            }
            let report = &mut self.feet[index];
            report.ankle = self.models[foot.ankle()];
            if let Some(toes) = clip.feet[index].toes.filter(|_| report.toes != Vec3::ZERO) {
                let above = report.ankle.rotation;
                let turn = rotation::exp(above.conjugate() * report.toes);
                pose[toes].rotation = (turn * pose[toes].rotation).normalize();
            }
            self.ankles[index].push(report.ankle.translation);
        }
        residual
    }

    /// A foot that is not where the ground is does not stand.
    pub(super) fn say_what_is_true(&mut self, layer: &Layer) {
        let down = self.options.feet.down;
        for ((report, plan), track) in self.feet.iter_mut().zip(&layer.plans).zip(&layer.clip.feet)
        {
            if plan.follower.off(track.sole.length()) > down {
                report.down = [false; 2];
                if matches!(report.status, FootStatus::Firm | FootStatus::Overhang) {
                    report.status = FootStatus::Settling;
                }
            }
            let stands = matches!(report.status, FootStatus::Firm | FootStatus::Overhang);
            if stands && report.down == [false; 2] {
                report.status = FootStatus::Aloft;
            }
        }
    }

    /// The ankle of a foot; none of legs without an ankle that bends or without toes, and of those who go on more than two.
    fn bending<'a>(clip: &'a GroundClip, foot: usize) -> Option<BendingAnkle<'a>> {
        let character = clip.character();
        let own =
            || BendingAnkle::new(&character.skeleton, &character.rig.feet[foot], &clip.legs[foot]);
        (clip.feet.len() <= 2).then(own)?
    }

    /// Lets a heel rise whose ankle would be bent too far, by a leg that has been put where it belongs. `own` is how
    /// far the clip bends it.
    pub(super) fn roll(
        &mut self,
        clip: &GroundClip,
        index: usize,
        own: f32,
        most: f32,
        pose: &mut [Transform],
    ) {
        let foot = &clip.character().rig.feet[index];
        let Some(ankle) = Self::bending(clip, index) else { return };
        let FootReport { target, print, next, down, .. } = self.feet[index];
        let print = if down == [false; 2] { next.or(print) } else { print };
        let up = print.map_or(Vec3::Y, |print| print.tilt * Vec3::Y);
        let feet = &self.options.feet;
        let risen = ankle.rise((&target, up), (own, most), feet, pose, &mut self.models);
        let Some((rolled, by)) = risen else { return };
        let report = &mut self.feet[index];
        report.toes -= rolled.turned;
        report.target = rolled.ankle;
        let heel = foot.heel.position(&self.models);
        let risen = by * target.transform_point(ankle.toe).distance(heel);
        report.down[0] &= risen < self.options.feet.down;
    }
}
