//! Where a gait can go on: where it is most like what is shown.

use super::AnimatedBody;
use andante_skeleton::{Planar, Transform};

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
            let cost = self.unlike(self.player.pose()) + self.disagreement(own);
            if cost < best.0 {
                best = (cost, phase);
            }
        }
        best.1
    }

    /// How unlike a pose is to what is shown, wherever they are: the squared sines of half the angles between their joints.
    /// Where somebody goes does not depend on how much of the upper body is made.
    fn unlike(&self, pose: &[Transform]) -> f32 {
        let differ = |(a, b): (&Transform, &Transform)| 1.0 - a.rotation.dot(b.rotation).powi(2);
        let pairs = self.pose.iter().zip(pose).enumerate().skip(1);
        let made = pairs.filter(|(joint, _)| !self.kind.upper_body.contains(joint));
        made.map(|(_, pair)| differ(pair)).sum()
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
}
