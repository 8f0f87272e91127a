//! Where in another motion a body can go on: where that is most like what is shown.

use super::AnimatedBody;
use crate::live::disc::ahead;
use andante_plan::steps::PlannedMotion;
use andante_skeleton::{Planar, Transform, rotation};

/// Phases that are compared when a gait takes over.
const PHASES: usize = 48;

impl AnimatedBody {
    /// Where in its cycle the gait is most like what is shown.
    pub(super) fn closest_phase(&mut self, speed: f32, turn: f32) -> f32 {
        let mut best = (f32::INFINITY, 0.0);
        for step in 0..PHASES {
            let phase = step as f32 / PHASES as f32;
            self.player.join(Planar::IDENTITY, phase, speed, turn);
            let own =
                (0..self.kind.character().rig.feet.len()).map(|foot| self.player.contact(foot));
            let cost = unlike(&self.pose, self.player.pose()) + self.disagreement(own);
            if cost < best.0 {
                best = (cost, phase);
            }
        }
        best.1
    }

    /// How many points of soles are down here and not there.
    fn disagreement(&self, feet: impl Iterator<Item = [bool; 2]>) -> f32 {
        let differ = |(foot, down): (usize, [bool; 2])| {
            let shown = self.contact(foot);
            let any = shown.contains(&true) != down.contains(&true);
            0.4 * f32::from(any) + 0.1 * (0..2).filter(|&k| shown[k] != down[k]).count() as f32
        };
        feet.enumerate().map(differ).sum()
    }

    /// The frame of a performance that is most like what is shown, of those near where the body is; and how far
    /// ahead of it the body is.
    pub fn closest_frame(
        &self,
        performance: &PlannedMotion,
        near: f32,
        pull: f32,
    ) -> Option<(usize, f32)> {
        let at = self.hips();
        let fps = performance.clip.fps();
        let candidates = performance.body.iter().enumerate().filter(|(_, body)| {
            body.position.distance(at.position) < near
                && rotation::wrap_angle(body.heading - at.heading).abs() < 0.8
        });
        let mut best: Option<(f32, usize)> = None;
        for (frame, body) in candidates {
            if performance.speed[frame] < 0.3 * self.disc.speed.abs() {
                continue;
            }
            let time = frame as f32 / fps;
            let feet = performance.contacts.feet.iter();
            let down = feet.map(|foot| [foot.heel_down(time), foot.toe_down(time)]);
            let away = body.position.distance(at.position);
            let cost = unlike(&self.pose, performance.clip.frame(frame))
                + self.disagreement(down)
                + pull * away * away;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, frame));
            }
        }
        let (_, frame) = best?;
        let body = performance.body[frame];
        let ahead = ahead(body.heading);
        Some((frame, (at.position - body.position).dot(ahead)))
    }

    /// Whether what is shown can go over to a frame of a performance: its hips and feet are about there, and from
    /// there on no foot points where legs do not turn.
    pub fn could_take_up(&self, performance: &PlannedMotion, frame: usize) -> bool {
        let settings = &self.kind.settings.planner;
        let character = self.kind.character();
        let mut models = self.models.clone();
        character.skeleton.local_to_model(performance.clip.frame(frame), &mut models);
        let at = self.hips();
        if performance.body[frame].position.distance(at.position) > settings.hips_off {
            return false;
        }
        let near = character.rig.feet.iter().all(|foot| {
            let off = models[foot.ankle()].translation - self.models[foot.ankle()].translation;
            off.length() < settings.feet_off
        });
        let soon = frame + (settings.feet_turned_seconds * performance.clip.fps()) as usize;
        let frames = frame..=soon.min(performance.body.len() - 1);
        near && frames.step_by(6).all(|frame| {
            character.skeleton.local_to_model(performance.clip.frame(frame), &mut models);
            let facing = performance.body[frame].heading;
            character.rig.feet.iter().all(|foot| {
                let along = foot.ball.position(&models) - foot.heel.position(&models);
                rotation::wrap_angle(libm::atan2f(along.x, along.z) - facing).abs()
                    < settings.feet_turned
            })
        })
    }
}

/// How unlike two poses are, wherever they are: the squared sines of half the angles between their joints.
fn unlike(a: &[Transform], b: &[Transform]) -> f32 {
    let differ = |(a, b): (&Transform, &Transform)| 1.0 - a.rotation.dot(b.rotation).powi(2);
    a.iter().zip(b).skip(1).map(differ).sum()
}
