//! What the upper body does besides walking: ducking and looking.

use crate::repertoire::Repertoire;
use crate::spring::damped;
use andante_skeleton::TwoBoneOptions;
use andante_skeleton::{Character, Pose, Transform, rotation};
use glam::{Quat, Vec3};

andante_skeleton::settings! {
    /// Settings of ducking and looking.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct PostureSettings: Copy {
        /// Fully ducked: how far the hips go down, in leg lengths. More is a squat that nobody walks in.
        hips_down: f32 = 0.3, 0.0..=0.5;
        /// Fully ducked: how far the hips go back, in leg lengths, so that the body keeps its balance.
        hips_back: f32 = 0.1, 0.0..=0.2;
        /// Fully ducked: how far the hips lean forward, in radians.
        hips_lean: f32 = 0.3, 0.0..=0.6;
        /// Fully ducked: how far the spine bends forward, in radians.
        spine_bend: f32 = 0.85, 0.0..=1.6;
        /// Fully ducked: how far the head looks up again, in radians.
        head_up: f32 = 0.35, 0.0..=0.8;
        /// Air between a body and what it ducks under, in metres.
        room: f32 = 0.03, 0.0..=0.1;
        /// How much higher than standing somebody is at times who walks, in metres.
        bob: f32 = 0.02, 0.0..=0.05;
        /// What is this close to planned hips or to the way ahead of them, in metres, is above the body.
        under: f32 = 0.4, 0.2..=0.8;
        /// How far ahead of planned hips that is looked at, in metres: heads that duck are ahead of hips.
        ahead: [f32; 3] = [0.0, 0.35, 0.7], 0.0..=10.0;
        /// Frames before and after in which a planned body goes down and comes up; fewer is a jerk.
        duck_frames: usize = 30, 5..=60;
        /// Every so many frames the amount of planned ducking is looked for: it is kept for long before and after.
        duck_every: usize = 3, 1..=10;
        /// Seconds in which half of a change of ducking is made.
        half_duck: f32 = 0.14, 0.05..=0.4;
        /// Seconds a duck takes until next to nothing is missing: about seven times `half_duck`.
        duck_seconds: f32 = 1.0, 0.5..=2.0;
        /// Seconds in which half of a turn of the head is made.
        half_gaze: f32 = 0.15, 0.05..=0.4;
        /// How far heads turn to a side, in radians.
        gaze_yaw: f32 = 1.2, 0.0..=1.4;
        /// How far heads tilt, in radians.
        gaze_pitch: f32 = 0.6, 0.0..=0.9;
        /// Part of a turn of the head that the neck takes.
        neck_share: f32 = 0.35, 0.0..=1.0;
    }
}

impl PostureSettings {
    /// Bends a body that faces `heading`, with legs of a length: 0 is upright, 1 as low as it goes while walking. Legs
    /// are left to be put under it. With `back` it keeps its balance.
    pub fn bend(
        &self,
        character: &Character,
        leg: f32,
        heading: f32,
        [amount, back]: [f32; 2],
        pose: &mut [Transform],
    ) {
        let Character { skeleton, rig, .. } = character;
        let turned = Quat::from_rotation_y(heading);
        let way = Vec3::new(0.0, -self.hips_down * amount, -self.hips_back * back);
        pose[0].translation += turned * way * leg;
        let across = turned * Vec3::X;
        let mut lean = |joint: usize, angle: f32| {
            // Only what is between the joint and the root counts.
            let above = skeleton.ancestors(joint).skip(1);
            let above = above.fold(Quat::IDENTITY, |below, joint| pose[joint].rotation * below);
            let turn = Quat::from_axis_angle(across, amount * angle);
            pose[joint].rotation =
                (above.conjugate() * turn * above * pose[joint].rotation).normalize();
        };
        lean(rig.hips, self.hips_lean);
        let share = self.spine_bend / rig.spine.len().max(1) as f32;
        rig.spine.iter().for_each(|&joint| lean(joint, share));
        if let Some(head) = rig.head {
            lean(head, -self.head_up);
        }
    }
}

/// Entries of the table of heights.
const TABLE: usize = 17;

/// The ducking posture of a body, and how low it gets by it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stoop {
    settings: PostureSettings,
    /// Height of the crown for evenly spaced shares of the whole bend.
    crowns: [f32; TABLE],
    /// The crown in the frame of the head.
    crown: Option<(usize, Vec3)>,
    /// Length of the legs.
    leg: f32,
}

impl Stoop {
    /// The ducking of a character that is so tall.
    pub fn new(character: &Character, height: f32, settings: PostureSettings) -> Self {
        let skeleton = &character.skeleton;
        let mut models = skeleton.rest_models();
        let top = models.iter().map(|model| model.translation.y).fold(0.0, f32::max);
        // Bodies are a little taller than their highest joint.
        let tall = top.max(height / 1.06) + 0.01;
        let crown = character.rig.head.map(|head| {
            let at = models[head].translation;
            (head, models[head].inverse().transform_point(Vec3::new(at.x, tall, at.z)))
        });
        let bone = |joint: &usize| skeleton.joint(*joint).rest.translation.length();
        let legs = character.rig.feet.iter().filter_map(|foot| foot.leg.last_chunk::<2>());
        let (sum, count) = legs.fold((0.0, 0), |(sum, count), leg| {
            (sum + leg.iter().map(bone).sum::<f32>(), count + 1)
        });
        let leg = sum / count.max(1) as f32;
        let mut stoop = Self { settings, crowns: [tall; TABLE], crown, leg };
        for share in 0..TABLE {
            let bend = share as f32 / (TABLE - 1) as f32;
            let mut pose = Pose::rest(skeleton);
            settings.bend(character, leg, 0.0, [bend; 2], &mut pose);
            skeleton.local_to_model(&pose, &mut models);
            stoop.crowns[share] = stoop.crown_of(&models).unwrap_or(tall);
        }
        stoop
    }

    /// The posture settings: how it ducks and looks.
    pub fn settings(&self) -> &PostureSettings {
        &self.settings
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
        let wanted = height - self.settings.room - self.settings.bob;
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
}

/// The most feet whose ankles are kept.
const FEET: usize = 8;

/// The ankles of a body, to be kept where they are while its hips move.
#[derive(Clone, Copy, Debug)]
pub struct KeptAnkles([Transform; FEET]);

impl KeptAnkles {
    /// Those of joints in the world.
    pub fn of(character: &Character, models: &[Transform]) -> Self {
        let mut ankles = [Transform::IDENTITY; FEET];
        for (ankle, foot) in ankles.iter_mut().zip(&character.rig.feet) {
            *ankle = models[foot.ankle()];
        }
        Self(ankles)
    }

    /// The distance that hips which were moved have to go down so that no leg is longer than it was, or than `stretch` of
    /// its length; `models` are those with the hips moved.
    pub fn sinks(&self, character: &Character, models: &[Transform], stretch: f32) -> f32 {
        let skeleton = &character.skeleton;
        let mut most = 0.0f32;
        for (ankle, foot) in self.0.iter().zip(&character.rig.feet) {
            let [.., hip, knee, end] = foot.leg[..] else { continue };
            let bone = |joint: usize| skeleton.joint(joint).rest.translation.length();
            let to = ankle.translation - models[hip].translation;
            let own = models[end].translation.distance(models[hip].translation);
            let longest = own.max(stretch * (bone(knee) + bone(end)));
            let flat = to.x * to.x + to.z * to.z;
            most = most.max(-to.y - (longest * longest - flat).max(0.0).sqrt());
        }
        most
    }

    /// Puts legs under hips that were moved, so that ankles are where they were; `models` follow.
    pub fn keep(&self, repertoire: &Repertoire, pose: &mut [Transform], models: &mut [Transform]) {
        let Character { skeleton, rig, .. } = repertoire.character();
        for ((ankle, foot), leg) in self.0.iter().zip(&rig.feet).zip(repertoire.legs()) {
            let Some(leg) = leg else { continue };
            leg.solve(ankle, &TwoBoneOptions::default(), pose, models);
            for joint in skeleton.subtree(foot.ankle()).skip(1) {
                if let Some(parent) = skeleton.parent(joint) {
                    models[joint] = models[parent] * pose[joint];
                }
            }
        }
    }
}

/// Turns a joint in the world, and everything that hangs on it.
pub fn turn_joint(
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

/// The live posture of a character besides its gait: its bend and its gaze.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LivePosture {
    /// Share of the bend, and its rate.
    bend: Vec3,
    bend_rate: Vec3,
    /// Where the head turns to: pitch and yaw.
    gaze: Vec3,
    gaze_rate: Vec3,
}

impl LivePosture {
    /// Goes towards a share of the bend and a point to look at.
    pub fn advance(
        &mut self,
        settings: &PostureSettings,
        bend: f32,
        gaze: Option<[f32; 2]>,
        dt: f32,
    ) {
        let goal = Vec3::X * bend;
        let (left, rate) = damped(self.bend - goal, self.bend_rate, settings.half_duck, dt);
        (self.bend, self.bend_rate) = (goal + left, rate);
        let [yaw, pitch] = gaze.unwrap_or_default();
        let (tilt, turn) = (settings.gaze_pitch, settings.gaze_yaw);
        let goal = Vec3::new(pitch.clamp(-tilt, tilt), yaw.clamp(-turn, turn), 0.0);
        let (left, rate) = damped(self.gaze - goal, self.gaze_rate, settings.half_gaze, dt);
        (self.gaze, self.gaze_rate) = (goal + left, rate);
    }

    /// True if it changes anything.
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
            let ankles = KeptAnkles::of(character, models);
            stoop.settings.bend(character, stoop.leg, heading, [share; 2], pose);
            skeleton.local_to_model(pose, models);
            ankles.keep(repertoire, pose, models);
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
            let taken = stoop.settings.neck_share;
            let neck = neck.map(|neck| (neck, taken));
            for (joint, share) in neck.into_iter().chain([(head, 1.0 - taken)]) {
                let by = part(yaw, share) * part(pitch, share);
                turn_joint(skeleton, joint, by, pose, models);
            }
        }
    }
}

/// Yaw and pitch from a head to a point.
pub fn towards(head: Vec3, heading: f32, point: Vec3) -> [f32; 2] {
    let to = point - head;
    let flat = (to.x * to.x + to.z * to.z).sqrt();
    let yaw = rotation::wrap_angle(libm::atan2f(to.x, to.z) - heading);
    [yaw, -libm::atan2f(to.y, flat)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::humanoid;

    #[test]
    fn a_person_gets_as_low_as_routes_expect() {
        let human = humanoid();
        let stoop = Stoop::new(&human, 1.85, PostureSettings::default());
        let table: Vec<f32> = stoop.crowns.to_vec();
        assert!(table.windows(2).all(|pair| pair[1] < pair[0] + 1e-4), "{table:?}");
        assert!((1.7..1.85).contains(&stoop.tall()), "{}", stoop.tall());
        assert!(stoop.lowest() < 0.7 * 1.855, "{}", stoop.lowest());
        let share = stoop.share(1.5);
        assert!((0.1..0.9).contains(&share), "{share}");
        assert_eq!((stoop.share(3.0), stoop.share(0.5)), (0.0, 1.0));
    }

    #[test]
    fn heads_turn_to_what_they_look_at_and_no_farther_than_necks_let_them() {
        let [yaw, pitch] = towards(Vec3::new(0.0, 1.6, 0.0), 0.0, Vec3::new(2.0, 1.6, 2.0));
        assert!((yaw - std::f32::consts::FRAC_PI_4).abs() < 1e-5 && pitch.abs() < 1e-5);
        let settings = PostureSettings::default();
        let mut posture = LivePosture::default();
        (0..240).for_each(|_| posture.advance(&settings, 0.0, Some([3.0, 0.0]), 1.0 / 60.0));
        assert!((posture.gaze.y - settings.gaze_yaw).abs() < 1e-3);
        assert!(!posture.is_upright());
    }
}
