//! Going under what hangs low: knees and back bend in time, and straighten when it is passed.

use super::vocabulary::Vocabulary;
use super::{StepError, World};
use super::play::running_mean;
use andante_skeleton::{Character, Planar, Transform};
use andante_world::{Obstacle, Shape};
use glam::{Quat, Vec2, Vec3};

/// Air between the body and what it ducks under, in metres.
pub(super) const MARGIN: f32 = 0.03;

/// How much of the body is above its uppermost joints, as a part of the height of the highest joint at rest.
const ABOVE: f32 = 0.065;

/// Within this distance of the hips, in metres, a body is under something: heads are ahead of hips.
const UNDER: f32 = 0.75;

/// Frames before and after in which the body goes down and comes up.
const EASE: usize = 30;

/// Fully ducked: how far the hips go down and back, in leg lengths.
const DOWN: f32 = 0.3;
const BACK: f32 = 0.1;

/// Fully ducked: how far hips and spine lean forward, and how far the head looks up again, in radians.
const HIPS: f32 = 0.3;
const SPINE: f32 = 0.85;
const HEAD: f32 = 0.35;

/// How much higher than standing somebody is at times who walks, in metres.
const BOB: f32 = 0.02;

/// Steps in which the amount of ducking is looked for.
const HALVINGS: usize = 7;

/// Somebody who can duck.
pub(super) struct Duck<'a> {
    character: &'a Character,
    leg: f32,
    /// Joints that are not part of a leg.
    upper: Vec<usize>,
    above: f32,
}

impl<'a> Duck<'a> {
    pub fn new(character: &'a Character, leg: f32) -> Self {
        let skeleton = &character.skeleton;
        let of_leg = |joint: usize| {
            let hips: Vec<usize> = character.rig.feet.iter().map(|foot| foot.hip()).collect();
            skeleton.ancestors(joint).any(|above| hips.contains(&above))
        };
        let upper = (0..skeleton.len()).filter(|&joint| !of_leg(joint)).collect();
        let models = skeleton.rest_models();
        let top = models.iter().map(|model| model.translation.y).fold(0.0, f32::max);
        Self { character, leg, upper, above: ABOVE * top }
    }

    /// Bends a body: 0 is upright, 1 as low as it goes while walking. Legs are left to be put under it.
    pub fn bend(&self, amount: f32, pose: &mut [Transform], models: &mut [Transform]) {
        let Character { skeleton, rig, .. } = self.character;
        let facing = super::vocabulary::hips_placement(self.character, pose).heading;
        let turned = Quat::from_rotation_y(facing);
        pose[0].translation +=
            turned * Vec3::new(0.0, -DOWN, -BACK) * (amount * self.leg);
        let across = turned * Vec3::X;
        let mut lean = |joint: usize, angle: f32| {
            skeleton.local_to_model(pose, models);
            let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |above| models[above].rotation);
            let turn = Quat::from_axis_angle(across, amount * angle);
            pose[joint].rotation =
                (above.conjugate() * turn * above * pose[joint].rotation).normalize();
        };
        lean(rig.hips, HIPS);
        let share = SPINE / rig.spine.len().max(1) as f32;
        rig.spine.iter().for_each(|&joint| lean(joint, share));
        if let Some(head) = rig.head {
            lean(head, -HEAD);
        }
        skeleton.local_to_model(pose, models);
    }

    /// Height of the top of a body.
    fn top(&self, models: &[Transform]) -> f32 {
        let joints = self.upper.iter().map(|&joint| models[joint].translation.y);
        joints.fold(f32::NEG_INFINITY, f32::max) + self.above
    }

    /// How low a standing body gets.
    pub fn lowest(&self, standing: &[Transform]) -> f32 {
        let mut pose = standing.to_vec();
        let mut models = standing.to_vec();
        self.bend(1.0, &mut pose, &mut models);
        self.top(&models)
    }

    /// How much of it is needed to be below a height; none if all is not enough.
    fn needed(&self, below: f32, own: &[Transform], scratch: &mut [Vec<Transform>; 2]) -> Option<f32> {
        let [pose, models] = scratch;
        let mut fits = |amount: f32| {
            pose.copy_from_slice(own);
            self.bend(amount, pose, models);
            self.top(models) <= below
        };
        if fits(0.0) {
            return Some(0.0);
        }
        if !fits(1.0) {
            return None;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            *(if fits(middle) { &mut high } else { &mut low }) = middle;
        }
        Some(high)
    }

    /// How much a body ducks, frame by frame; nothing if it is nowhere under anything low.
    pub fn amounts(
        &self,
        bodies: &[Planar],
        poses: &[Transform],
        world: &World,
    ) -> Result<Vec<f32>, StepError> {
        let joints = self.character.skeleton.len();
        let mut scratch = [poses[..joints].to_vec(), poses[..joints].to_vec()];
        let mut needs = vec![0.0f32; bodies.len()];
        let mut ducks = false;
        for (frame, (body, pose)) in bodies.iter().zip(poses.chunks_exact(joints)).enumerate() {
            for bar in world.overhead.iter().filter(|bar| beside(bar, body.position) < UNDER) {
                let below = bar.bottom() - MARGIN;
                let needed = self.needed(below, pose, &mut scratch).ok_or_else(|| {
                    let ground = world.ground.probe(pose[0].translation, 10.0);
                    let floor = ground.map_or(0.0, |hit| hit.point.y);
                    StepError::TooLow { name: bar.name.clone(), height: bar.bottom() - floor }
                })?;
                needs[frame] = needs[frame].max(needed);
                ducks |= needed > 0.0;
            }
        }
        if !ducks {
            return Ok(Vec::new());
        }
        // The most around, then means: never less than needed.
        let widest: Vec<f32> = (0..needs.len())
            .map(|k| {
                let (a, b) = (k.saturating_sub(EASE), (k + EASE + 1).min(needs.len()));
                needs[a..b].iter().copied().fold(0.0, f32::max)
            })
            .collect();
        Ok(running_mean(&running_mean(&widest, EASE / 2), EASE / 2))
    }
}

/// How far a place is from what is below an obstacle, in metres; 0 under it.
pub(super) fn beside(obstacle: &Obstacle, place: Vec2) -> f32 {
    let from = place - Vec2::new(obstacle.at.x, obstacle.at.z);
    match obstacle.shape {
        Shape::Cylinder { radius, .. } => (from.length() - radius).max(0.0),
        Shape::Box(size) => {
            let (sin, cos) = obstacle.heading.sin_cos();
            let own = Vec2::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y);
            (own.abs() - 0.5 * Vec2::new(size.x, size.z)).max(Vec2::ZERO).length()
        }
    }
}

/// Samples of a way that are near something low, within which nobody runs.
pub(super) fn near_low(world: &World, places: &[Vec2]) -> Vec<bool> {
    let near = |place: &Vec2| world.overhead.iter().any(|bar| beside(bar, *place) < 2.0 * UNDER);
    places.iter().map(near).collect()
}

/// The lowest a vocabulary's character walks under.
pub(super) fn lowest(vocabulary: &Vocabulary) -> f32 {
    Duck::new(vocabulary.character(), vocabulary.leg).lowest(&vocabulary.rest.pose) + MARGIN + BOB
}
