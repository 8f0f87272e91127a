//! What a gait will do with its feet if it goes on as it does.

use super::GaitPlayer;
use super::mix::Mix;
use crate::feet::sole::FootSample;
use crate::repertoire::PHASES;
use andante_skeleton::Transform;
use glam::Vec3;

/// The next step of a foot, in phases from now on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StepAhead {
    /// When it leaves the ground; 0 if it is in the air.
    pub leaves: f32,
    /// When it lands.
    pub lands: f32,
    /// When it leaves again.
    pub leaves_again: f32,
}

impl GaitPlayer {
    fn ahead(&self, phases: f32) -> Mix<'_> {
        let phase = (self.phase + phases).fract();
        let (clips, voices) = (self.repertoire.clips(), &self.voices);
        Mix { clips, voices, phase, standing: self.standing }
    }

    /// Times that the phase has come round.
    pub(crate) fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The next step of a foot; none of somebody who stands.
    pub(crate) fn step_ahead(&self, foot: usize) -> Option<StepAhead> {
        if self.is_standing() {
            return None;
        }
        let down = |phases: f32| {
            self.ahead(phases).contact(foot, self.lifted, &self.options).down != [false; 2]
        };
        let mut events = [0.0; 3];
        let mut known = usize::from(!down(0.0));
        for look in 1..=2 * PHASES {
            let at = look as f32 / PHASES as f32;
            if down(at) != (known == 1) {
                continue;
            }
            let (mut early, mut late) = ((look - 1) as f32 / PHASES as f32, at);
            for _ in 0..5 {
                let middle = 0.5 * (early + late);
                if down(middle) == (known == 1) { late = middle } else { early = middle }
            }
            events[known] = late;
            known += 1;
            if known == events.len() {
                let [leaves, lands, leaves_again] = events;
                return Some(StepAhead { leaves, lands, leaves_again });
            }
        }
        None
    }

    /// Seconds that some phases take, up to a whole round.
    pub(crate) fn seconds_ahead(&self, phases: f32) -> f32 {
        let resting = self.repertoire.families()[0].resting_period();
        self.ahead(0.0).seconds(phases, resting) / self.rate.max(0.1)
    }

    /// A foot some phases later, up to a whole round, over a plane of a height in the world. Hips are where they are now above
    /// the way; toes are straight.
    pub(crate) fn foot_ahead(&self, foot: usize, phases: f32, height: f32) -> FootSample {
        let character = self.repertoire.character();
        let (own, skeleton) = (&character.rig.feet[foot], &character.skeleton);
        let mix = self.ahead(phases);
        let sole = mix.sole(foot);
        let [heel_firm, ball_firm] = mix
            .contact(foot, self.lifted, &self.options)
            .firm
            .map(|firm| firm + super::footing::EITHER);
        let ankle = own.ankle();
        let straight = |joint: usize| match own.toes {
            Some(toes) if toes == joint && skeleton.parent(toes) == Some(ankle) => {
                skeleton.joint(toes).rest
            }
            _ => Transform::IDENTITY,
        };
        let [heel, ball, tip] = [own.heel, own.ball, own.tip]
            .map(|point| sole.rotation * straight(point.joint).transform_point(point.offset));
        let share = ball_firm / (heel_firm + ball_firm);
        let place = (sole.heel - heel).lerp(sole.ball - ball, share);
        let toe = own.toes.map_or(ball, |toes| sole.rotation * straight(toes).translation);
        let joint = |at: usize| self.models[at].translation;
        let (hip, end) = match self.repertoire.legs().get(foot) {
            Some(Some(leg)) => (joint(leg.joints()[0]), place),
            _ => (joint(character.rig.hips), place),
        };
        let placement = self.placement.then(&self.ahead(0.0).travel(phases).after(1.0));
        let world = Transform::from_translation(Vec3::Y * height) * placement.to_transform();
        FootSample {
            ankle: Transform::new(sole.rotation, place),
            heel: place + heel,
            ball: place + ball,
            tip: place + tip,
            toe: place + toe,
            hip,
            end,
        }
        .carried(&world)
    }
}
