//! Going under what hangs low: knees and back bend in time, and straighten when it is passed.

use super::planner::TOGETHER;
use super::play::{highest_around, steady_mean};
use super::vocabulary::{Vocabulary, hips_placement};
use super::{StepError, StepGround};
use andante_play::posture::PostureSettings;
use andante_skeleton::{BodyPoint, Character, Clip, Transform, body_capsules, parallel};
use andante_world::{Obstacle, Solid};
use glam::Vec2;

/// Farther away than this from the hips, in metres, nothing is above the body.
const FAR: f32 = 1.5;

/// Amounts of ducking that are told apart.
const STEPS: u32 = 128;

/// Somebody who can duck.
pub(super) struct Duck<'a> {
    character: &'a Character,
    posture: &'a PostureSettings,
    leg: f32,
    /// The balls of its body that are not part of a leg, with their radii.
    upper: Vec<(BodyPoint, f32)>,
    /// Height it needs.
    needs: f32,
}

impl<'a> Duck<'a> {
    pub fn new(vocabulary: &'a Vocabulary, posture: &'a PostureSettings) -> Self {
        let (character, leg) = (vocabulary.character(), vocabulary.leg);
        let mut duck = Self { character, posture, leg, upper: upper_body(character), needs: 0.0 };
        duck.needs = duck.lowest(&vocabulary.rest.pose) + posture.room + posture.bob;
        duck
    }

    /// Bends a body: 0 is upright, 1 as low as it goes while walking. Legs are left to be put under it.
    /// With `back` it keeps its balance.
    pub fn bend(&self, amount: f32, back: f32, pose: &mut [Transform]) {
        let heading = hips_placement(self.character, pose).heading;
        self.posture.bend(self.character, self.leg, heading, [amount, back], pose);
    }

    /// Height of the top of a body.
    fn top(&self, models: &[Transform]) -> f32 {
        let tops = self.upper.iter().map(|(point, thick)| point.position(models).y + thick);
        tops.fold(f32::NEG_INFINITY, f32::max)
    }

    /// How low a standing body gets.
    fn lowest(&self, standing: &[Transform]) -> f32 {
        let mut pose = standing.to_vec();
        let mut models = standing.to_vec();
        self.bend(1.0, 1.0, &mut pose);
        self.character.skeleton.local_to_model(&pose, &mut models);
        self.top(&models)
    }

    /// The height it needs to get through, in metres.
    pub fn needs(&self) -> f32 {
        self.needs
    }

    /// How much of it is needed to be below a height, in [`STEPS`]; none if all is not enough. It is looked for around
    /// a guess: from frame to frame it hardly changes.
    fn needed(
        &self,
        below: f32,
        own: &[Transform],
        guess: u32,
        scratch: &mut [Vec<Transform>; 2],
    ) -> Option<u32> {
        let [pose, models] = scratch;
        let mut fits = |steps: u32| {
            let amount = steps as f32 / STEPS as f32;
            pose.copy_from_slice(own);
            self.bend(amount, amount, pose);
            self.character.skeleton.local_to_model(pose, models);
            self.top(models) <= below
        };
        if fits(0) {
            return Some(0);
        }
        // The first is too little, the second enough.
        let (mut low, mut high, mut stride) = (0, guess.clamp(1, STEPS), 1);
        if fits(high) {
            while high > stride {
                if !fits(high - stride) {
                    low = high - stride;
                    break;
                }
                (high, stride) = (high - stride, 2 * stride);
            }
        } else {
            loop {
                if high == STEPS {
                    return None;
                }
                (low, high) = (high, (high + stride).min(STEPS));
                if fits(high) {
                    break;
                }
                stride *= 2;
            }
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            *(if fits(middle) { &mut high } else { &mut low }) = middle;
        }
        Some(high)
    }

    /// The amount of ducking, frame by frame; empty if the body is nowhere under anything low.
    pub fn amounts(&self, poses: &[Transform], world: &StepGround) -> Result<Vec<f32>, StepError> {
        let (joints, ease) = (self.character.skeleton.len(), self.posture.duck_frames);
        let bars: Vec<(&Obstacle, Solid)> =
            world.overhead.iter().map(|bar| (bar, bar.solid())).collect();
        let parts = poses.chunks(self.posture.duck_every.max(1) * TOGETHER * joints);
        let parts = parallel::map(parts, |part| self.needs_under(part, &bars, world));
        let needs = parts.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        if needs.iter().all(|needed| *needed == 0.0) {
            return Ok(Vec::new());
        }
        // The most around, then means: never less than needed.
        let widest = highest_around(&needs, ease);
        Ok(steady_mean(&steady_mean(&widest, ease / 2), ease / 2))
    }

    /// How much a body must duck in some of a few frames.
    fn needs_under(
        &self,
        poses: &[Transform],
        bars: &[(&Obstacle, Solid)],
        world: &StepGround,
    ) -> Result<Vec<f32>, StepError> {
        let joints = self.character.skeleton.len();
        let mut scratch = [poses[..joints].to_vec(), poses[..joints].to_vec()];
        let mut needs = vec![0.0f32; poses.len() / joints];
        let mut guess = STEPS / 2;
        for (frame, pose) in
            poses.chunks_exact(joints).enumerate().step_by(self.posture.duck_every.max(1))
        {
            let hips = hips_placement(self.character, pose);
            let ahead = Vec2::new(libm::sinf(hips.heading), libm::cosf(hips.heading));
            let is_above = |(_, bar): &&(&Obstacle, Solid)| {
                self.posture.ahead.iter().any(|way| {
                    bar.distance_beside(hips.position + ahead * *way) < self.posture.under
                })
            };
            for (bar, _) in bars.iter().filter(is_above) {
                let below = bar.bottom() - self.posture.room;
                let needed = self.needed(below, pose, guess, &mut scratch).ok_or_else(|| {
                    let ground = world.ground.probe(pose[0].translation, 10.0);
                    let floor = ground.map_or(0.0, |hit| hit.point.y);
                    let height = bar.bottom() - floor;
                    StepError::TooLow { name: bar.name.clone(), height, needed: self.needs }
                })?;
                needs[frame] = needs[frame].max(needed as f32 / STEPS as f32);
                if needed > 0 {
                    guess = needed;
                }
            }
        }
        Ok(needs)
    }
}

/// The balls of a body that are not part of a leg, with their radii: everything else of it is between them.
fn upper_body(character: &Character) -> Vec<(BodyPoint, f32)> {
    let hips: Vec<usize> = character.rig.feet.iter().map(|foot| foot.hip()).collect();
    let of_leg =
        |joint: usize| character.skeleton.ancestors(joint).any(|above| hips.contains(&above));
    let balls = body_capsules(&character.skeleton).balls.into_iter();
    balls.filter(|(point, _)| !of_leg(point.joint)).collect()
}

/// The least room above a body under anything that hangs low, in metres; none if it is nowhere under it.
pub(super) fn head_room(character: &Character, clip: &Clip, overhead: &[Obstacle]) -> Option<f32> {
    if overhead.is_empty() {
        return None;
    }
    let upper = upper_body(character);
    let mut models = character.skeleton.rest_models();
    let mut least: Option<f32> = None;
    let bars: Vec<(f32, Solid)> = overhead.iter().map(|bar| (bar.bottom(), bar.solid())).collect();
    for pose in clip.frames() {
        let hips = Vec2::new(pose[0].translation.x, pose[0].translation.z);
        let near = || bars.iter().filter(|(_, bar)| bar.distance_beside(hips) < FAR);
        if near().next().is_none() {
            continue;
        }
        character.skeleton.local_to_model(pose, &mut models);
        for (bottom, bar) in near() {
            for (point, thick) in &upper {
                let at = point.position(&models);
                if bar.distance_beside(Vec2::new(at.x, at.z)) <= *thick {
                    let room = bottom - at.y - thick;
                    least = Some(least.map_or(room, |least| least.min(room)));
                }
            }
        }
    }
    least
}

/// Samples of a way that are near something low, within which nobody runs.
pub(super) fn near_low(world: &StepGround, places: &[Vec2]) -> Vec<bool> {
    if world.overhead.is_empty() {
        return Vec::new();
    }
    let bars: Vec<Solid> = world.overhead.iter().map(Obstacle::solid).collect();
    let near = |place: &Vec2| bars.iter().any(|bar| bar.distance_beside(*place) < FAR);
    places.iter().map(near).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::humanoid;
    use std::sync::Arc;

    #[test]
    fn whatever_is_guessed_a_body_ducks_no_more_than_it_must() {
        let repertoire = Arc::new(andante_motion::repertoire::built_in(&humanoid()).unwrap());
        let vocabulary = Vocabulary::new(repertoire, Default::default()).unwrap();
        let posture = PostureSettings::default();
        let duck = Duck::new(&vocabulary, &posture);
        let standing = &vocabulary.rest.pose;
        let mut scratch = [standing.clone(), standing.clone()];
        let mut needed = |below: f32, guess: u32| duck.needed(below, standing, guess, &mut scratch);
        let amounts = [2.5, 1.7, 1.6, 1.4, 0.5].map(|below| {
            let first = needed(below, 0);
            for guess in [1, 2, 17, 64, 127, 128, 900] {
                assert_eq!(needed(below, guess), first, "{below} m from {guess}");
            }
            first
        });
        assert_eq!((amounts[0], amounts[4]), (Some(0), None));
        assert!(amounts[..4].is_sorted() && amounts[1] < amounts[3], "{amounts:?}");
    }
}
