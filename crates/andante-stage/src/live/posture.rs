//! What the upper body does besides walking: ducking and looking.

use super::spring::damped;
use andante_play::repertoire::Repertoire;
use andante_skeleton::TwoBoneOptions;
use andante_skeleton::{Character, Pose, Transform, rotation};
use glam::{Quat, Vec3};

/// How far the back bends at most, in radians, and how deep the knees let the hips down, as a part of the height.
const BEND: f32 = 1.5;
const SQUAT: f32 = 0.125;

/// How much of the bend the neck takes back, so that one sees where one goes.
const NECK: f32 = 0.45;

/// Room between the crown and what hangs above, in metres.
const ROOM: f32 = 0.04;

/// Seconds in which half of a change of posture is made.
const HALF_DUCK: f32 = 0.14;
const HALF_GAZE: f32 = 0.15;

/// Seconds a duck takes until next to nothing is missing.
pub(crate) const DUCK_SECONDS: f32 = 1.0;

/// How far heads turn and tilt, in radians.
const GAZE: [f32; 2] = [1.2, 0.6];

/// Entries of the table of heights.
const TABLE: usize = 17;

/// How low a body gets by ducking.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stoop {
    /// Height of the crown for evenly spaced shares of the whole bend.
    crowns: [f32; TABLE],
    /// The crown in the frame of the head.
    crown: Option<(usize, Vec3)>,
    squat: f32,
}

impl Stoop {
    pub fn new(character: &Character, height: f32) -> Self {
        let skeleton = &character.skeleton;
        let models = skeleton.rest_models();
        let top = models.iter().map(|model| model.translation.y).fold(0.0, f32::max);
        // Bodies are a little taller than their highest joint.
        let tall = top.max(height / 1.06) + 0.01;
        let crown = character.rig.head.map(|head| {
            let at = models[head].translation;
            (head, models[head].inverse().transform_point(Vec3::new(at.x, tall, at.z)))
        });
        let mut stoop = Self { crowns: [tall; TABLE], crown, squat: SQUAT * tall };
        let mut models = models.clone();
        for share in 0..TABLE {
            let bend = share as f32 / (TABLE - 1) as f32;
            let mut pose = Pose::rest(skeleton);
            stoop.bend(character, &mut pose, &mut models, 0.0, bend);
            skeleton.local_to_model(&pose, &mut models);
            let crown = stoop.crown_of(&models).unwrap_or(tall);
            stoop.crowns[share] = crown - bend * stoop.squat;
        }
        stoop
    }

    /// Height of the crown of somebody upright.
    pub fn tall(&self) -> f32 {
        self.crowns[0]
    }

    /// As low as it gets.
    pub fn lowest(&self) -> f32 {
        self.crowns.iter().copied().fold(f32::INFINITY, f32::min)
    }

    /// Height of the crown in a pose, from the joints in the world.
    pub fn crown_of(&self, models: &[Transform]) -> Option<f32> {
        self.crown.map(|(head, offset)| models[head].transform_point(offset).y)
    }

    /// The share of the whole bend that leaves room below something at this height; more than the whole is none.
    pub fn share(&self, height: f32) -> f32 {
        let wanted = height - ROOM;
        if self.crowns[0] <= wanted {
            return 0.0;
        }
        for index in 1..TABLE {
            let (a, b) = (self.crowns[index - 1], self.crowns[index]);
            if b <= wanted {
                let part = (a - wanted) / (a - b).max(1e-6);
                return (index as f32 - 1.0 + part) / (TABLE - 1) as f32;
            }
        }
        1.0
    }

    /// Bends the back, and the neck back again. `models` are brought up to date along the spine.
    fn bend(
        &self,
        character: &Character,
        pose: &mut [Transform],
        models: &mut [Transform],
        heading: f32,
        share: f32,
    ) {
        let skeleton = &character.skeleton;
        let spine = &character.rig.spine;
        skeleton.local_to_model(pose, models);
        let side = Quat::from_rotation_y(heading) * Vec3::X;
        let each = share * BEND / spine.len().max(1) as f32;
        let head = character.rig.head.map(|head| (head, -NECK * share * BEND));
        for (joint, angle) in spine.iter().map(|&joint| (joint, each)).chain(head) {
            turn(skeleton, joint, Quat::from_axis_angle(side, angle), pose, models);
        }
    }
}

/// Turns a joint in the world, and everything that hangs on it.
fn turn(
    skeleton: &andante_skeleton::Skeleton,
    joint: usize,
    by: Quat,
    pose: &mut [Transform],
    models: &mut [Transform],
) {
    let parent = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| models[parent].rotation);
    pose[joint].rotation = (parent.conjugate() * by * parent * pose[joint].rotation).normalize();
    for joint in skeleton.subtree(joint) {
        if let Some(parent) = skeleton.parent(joint) {
            models[joint] = models[parent] * pose[joint];
        }
    }
}

/// How somebody holds themselves, besides walking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LivePosture {
    /// Share of the bend, and its rate.
    bend: Vec3,
    bend_rate: Vec3,
    /// Where the head turns to: pitch and yaw.
    gaze: Vec3,
    gaze_rate: Vec3,
}

impl LivePosture {
    /// Goes towards a share of the bend and a point to look at.
    pub fn advance(&mut self, bend: f32, gaze: Option<[f32; 2]>, dt: f32) {
        let goal = Vec3::X * bend;
        let (left, rate) = damped(self.bend - goal, self.bend_rate, HALF_DUCK, dt);
        (self.bend, self.bend_rate) = (goal + left, rate);
        let [yaw, pitch] = gaze.unwrap_or_default();
        let goal = Vec3::new(pitch.clamp(-GAZE[1], GAZE[1]), yaw.clamp(-GAZE[0], GAZE[0]), 0.0);
        let (left, rate) = damped(self.gaze - goal, self.gaze_rate, HALF_GAZE, dt);
        (self.gaze, self.gaze_rate) = (goal + left, rate);
    }

    /// Whether it changes anything.
    pub fn is_upright(&self) -> bool {
        self.bend.x.abs() < 1e-4 && self.gaze.length() < 1e-4
    }

    /// Puts it into a pose that is placed in the world; `models` follow.
    pub fn apply(
        &self,
        stoop: &Stoop,
        repertoire: &Repertoire,
        heading: f32,
        pose: &mut [Transform],
        models: &mut [Transform],
    ) {
        let character = repertoire.character();
        let skeleton = &character.skeleton;
        let share = self.bend.x.clamp(0.0, 1.0);
        if share > 1e-4 {
            let mut ankles = [Transform::IDENTITY; 8];
            for (ankle, foot) in ankles.iter_mut().zip(&character.rig.feet) {
                *ankle = models[foot.ankle()];
            }
            pose[0].translation.y -= share * stoop.squat;
            stoop.bend(character, pose, models, heading, share);
            for ((ankle, foot), leg) in
                ankles.iter().zip(&character.rig.feet).zip(repertoire.legs())
            {
                let Some(leg) = leg else { continue };
                leg.solve(ankle, &TwoBoneOptions::default(), pose, models);
                for joint in skeleton.subtree(foot.ankle()).skip(1) {
                    if let Some(parent) = skeleton.parent(joint) {
                        models[joint] = models[parent] * pose[joint];
                    }
                }
            }
        }
        if let Some(head) = character.rig.head
            && self.gaze.length() > 1e-4
        {
            let facing = Quat::from_rotation_y(heading);
            let yaw = Quat::from_rotation_y(self.gaze.y);
            let pitch = Quat::from_axis_angle(facing * Vec3::X, self.gaze.x);
            // The neck takes its part.
            let neck = character.rig.spine.last().copied();
            let part = |q: Quat, share: f32| rotation::exp(rotation::log(q) * share);
            for (joint, share) in neck.map(|neck| (neck, 0.35)).into_iter().chain([(head, 0.65)]) {
                let by = part(yaw, share) * part(pitch, share);
                turn(skeleton, joint, by, pose, models);
            }
        }
    }
}

/// Yaw and pitch from a head to a point.
pub(crate) fn towards(head: Vec3, heading: f32, point: Vec3) -> [f32; 2] {
    let to = point - head;
    let flat = (to.x * to.x + to.z * to.z).sqrt();
    let yaw = rotation::wrap_angle(to.x.atan2(to.z) - heading);
    [yaw, -to.y.atan2(flat)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::humanoid;

    #[test]
    fn a_person_gets_as_low_as_routes_expect() {
        let human = humanoid();
        let stoop = Stoop::new(&human, 1.85);
        let table: Vec<f32> = stoop.crowns.to_vec();
        assert!(table.windows(2).all(|pair| pair[1] < pair[0] + 1e-4), "{table:?}");
        assert!((1.7..1.85).contains(&stoop.tall()), "{}", stoop.tall());
        assert!(stoop.lowest() < 0.7 * 1.855, "{}", stoop.lowest());
        let share = stoop.share(1.5);
        assert!((0.1..0.9).contains(&share), "{share}");
        assert_eq!((stoop.share(3.0), stoop.share(0.5)), (0.0, 1.0));
    }

    #[test]
    fn ducking_lowers_the_crown_and_leaves_the_feet() {
        let human = humanoid();
        let repertoire = andante_motion::repertoire::built_in(&human).unwrap();
        let stoop = Stoop::new(&human, 1.85);
        let mut posture = LivePosture::default();
        (0..240).for_each(|_| posture.advance(stoop.share(1.5), None, 1.0 / 60.0));
        let mut pose = Pose::rest(&human.skeleton).to_vec();
        repertoire.clips()[0].sample(0.0, &mut pose);
        let mut models = pose.clone();
        human.skeleton.local_to_model(&pose, &mut models);
        let ankles: Vec<Vec3> =
            human.rig.feet.iter().map(|foot| models[foot.ankle()].translation).collect();
        posture.apply(&stoop, &repertoire, 0.0, &mut pose, &mut models);
        human.skeleton.local_to_model(&pose.clone(), &mut models);
        let crown = stoop.crown_of(&models).unwrap();
        assert!((1.38..1.5).contains(&crown), "{crown}");
        for (foot, was) in human.rig.feet.iter().zip(&ankles) {
            assert!(models[foot.ankle()].translation.distance(*was) < 1e-3);
        }
    }

    #[test]
    fn heads_turn_to_what_they_look_at_and_no_farther_than_necks_let_them() {
        let [yaw, pitch] = towards(Vec3::new(0.0, 1.6, 0.0), 0.0, Vec3::new(2.0, 1.6, 2.0));
        assert!((yaw - std::f32::consts::FRAC_PI_4).abs() < 1e-5 && pitch.abs() < 1e-5);
        let mut posture = LivePosture::default();
        (0..240).for_each(|_| posture.advance(0.0, Some([3.0, 0.0]), 1.0 / 60.0));
        assert!((posture.gaze.y - GAZE[0]).abs() < 1e-3);
        assert!(!posture.is_upright());
    }
}
