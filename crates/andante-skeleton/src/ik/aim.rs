//! Looking at things.

use super::ChainError;
use super::two_bone::arc;
use crate::{JointLimit, Skeleton, Transform, rotation};
use glam::{Quat, Vec3};

crate::settings! {
    /// How an [`Aim`] is solved.
    pub struct AimOptions: Copy {
        /// How far to turn towards the target: 0 not at all, 1 all the way.
        weight: f32 = 1.0, 0.0..;
        /// Largest angle between where the joint looked before and where it is made to look, in radians. Targets
        /// farther aside are followed up to it.
        max_angle: f32 = 1.6, 0.0..=std::f32::consts::PI;
        /// Targets behind, from this angle on, are given up gradually, and those exactly behind wholly, so
        /// that a target that passes behind the back does not throw the head from side to side. π
        /// never gives up, and jumps.
        give_up_at: f32 = 2.4, 0.0..;
        /// How strongly the roll follows the up vector: 0 keeps the roll of the shortest turn, 1 puts the
        /// joint upright.
        upright: f32 = 0.0;
        /// Whether the joints' limits are kept.
        limits: bool = true;
        /// Most repetitions: each joint that turns moves the eyes, so that the aim has to be taken anew. One joint
        /// without an offset needs one.
        max_iterations: usize = 8, 1..=10;
        /// How close to the eyes targets are looked at, in metres; closer ones as if they were this far in the same
        /// direction. Turning towards what is closer moves the eyes past it.
        closest: f32 = 0.5, 0.2..=1.0;
    }
}

/// What aiming achieved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimReport {
    /// Whether the last joint looks where the options wanted it to, to a milliradian.
    pub reached: bool,
    /// Angle between the line of sight and the target, in radians; infinite if the target was refused.
    pub residual: f32,
    /// Repetitions made.
    pub iterations: usize,
}

/// A chain of joints that together turn the last one towards a target: one joint, or spine, neck and
/// head with a share for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Aim {
    /// Parents first; joints between them that take no part have no share.
    joints: Vec<AimJoint>,
    above: Option<usize>,
    forward: Vec3,
    up: Vec3,
    eye: Vec3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct AimJoint {
    joint: usize,
    /// Part of the turn that is left when it is this joint's turn.
    share: f32,
    limit: JointLimit,
    rest: Quat,
}

/// Angles below which nothing is left to do.
const EXACT: f32 = 1e-3;

impl Aim {
    /// One joint whose `forward`, given in the model's frame at rest, is to point at targets; `up` is what
    /// is above at rest.
    pub fn new(
        skeleton: &Skeleton,
        joint: usize,
        forward: Vec3,
        up: Vec3,
    ) -> Result<Self, ChainError> {
        Self::chain(skeleton, &[(joint, 1.0)], forward, up)
    }

    /// Several joints, each an ancestor of the next, with their shares of the turn; `forward` and `up` are
    /// those of the last one, in the model's frame at rest.
    ///
    /// ```
    /// use andante_skeleton::{Aim, AimOptions, Pose, humanoid};
    /// use glam::Vec3;
    ///
    /// let human = humanoid();
    /// let (chest, neck, head) = (human.rig.spine[2], human.rig.spine[3], human.rig.head.unwrap());
    /// let shares = [(chest, 0.2), (neck, 0.3), (head, 0.5)];
    /// let gaze = Aim::chain(&human.skeleton, &shares, Vec3::Z, Vec3::Y)?;
    /// let mut pose = Pose::rest(&human.skeleton);
    /// let mut models = human.skeleton.rest_models();
    /// let report = gaze.solve(Vec3::new(2.0, 1.0, 2.0), Vec3::Y, &AimOptions::default(), &mut pose, &mut models);
    /// assert!(report.reached);
    /// # Ok::<(), andante_skeleton::ChainError>(())
    /// ```
    pub fn chain(
        skeleton: &Skeleton,
        shares: &[(usize, f32)],
        forward: Vec3,
        up: Vec3,
    ) -> Result<Self, ChainError> {
        let (Some(&(first, _)), Some(&(last, _))) = (shares.first(), shares.last()) else {
            return Err(ChainError::NoEffector);
        };
        for &(joint, share) in shares {
            if joint >= skeleton.len() {
                return Err(ChainError::NoSuchJoint(joint));
            }
            if !(share.is_finite() && share >= 0.0) {
                return Err(ChainError::OutOfRange("a share of an aim"));
            }
        }
        for pair in shares.windows(2) {
            if pair[0].0 == pair[1].0 || !skeleton.subtree(pair[0].0).contains(&pair[1].0) {
                return Err(ChainError::NotBelow { root: pair[0].0, joint: pair[1].0 });
            }
        }
        let frame = skeleton.rest_models()[last].rotation.conjugate();
        let direction =
            |v: Vec3, what| (frame * v).try_normalize().ok_or(ChainError::OutOfRange(what));
        let forward = direction(forward, "the forward axis of an aim")?;
        let up = direction(up, "the up axis of an aim")?;
        let mut left: f32 = shares.iter().map(|&(_, share)| share).sum();
        if left <= 0.0 {
            return Err(ChainError::OutOfRange("the sum of the shares of an aim"));
        }
        let mut path: Vec<usize> =
            skeleton.ancestors(last).take_while(|&joint| joint >= first).collect();
        path.reverse();
        let joints = path
            .into_iter()
            .map(|joint| {
                let share =
                    shares.iter().find(|share| share.0 == joint).map_or(0.0, |share| share.1);
                // Each joint takes its share of what is left, so that the last one takes the rest.
                let part = if share > 0.0 { share / left } else { 0.0 };
                left -= share;
                let Transform { rotation: rest, .. } = skeleton.joint(joint).rest;
                AimJoint { joint, share: part.min(1.0), limit: skeleton.joint(joint).limit, rest }
            })
            .collect();
        Ok(Self { joints, above: skeleton.parent(first), forward, up, eye: Vec3::ZERO })
    }

    /// The same aim with the eyes at a point of the last joint's frame, instead of at its centre.
    pub fn with_eye(self, eye: Vec3) -> Self {
        Self { eye, ..self }
    }

    /// Turns the joints so that the last one looks at `target`, a point of the model's frame.
    ///
    /// `up` is the direction that [`AimOptions::upright`] pulls towards. The pose in `locals` and `models` is the one
    /// to start from; both receive the result, `models` for the joints of the chain alone. A target
    /// that is not finite, or at the eye, leaves the pose as it was.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn solve(
        &self,
        target: Vec3,
        up: Vec3,
        options: &AimOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> AimReport {
        let refused = AimReport { reached: false, residual: f32::INFINITY, iterations: 0 };
        let Some(last) = self.joints.last() else { return refused };
        let head = models[last.joint];
        let sight = head.rotation * self.forward;
        let eye = head.transform_point(self.eye);
        let away = target.distance(eye);
        let Some(line) = (target - eye).try_normalize().filter(|line| line.is_finite()) else {
            return refused;
        };
        let target = if away < options.closest { eye + line * options.closest } else { target };
        // How far to turn is decided once, against the pose before.
        let asked = angle(sight, line);
        let angle_given = given_angle(asked, options);
        let parallax = parallax(asked, options);
        let first = line;
        let mut wanted = line;
        let mut iterations = 0;
        let mut left = f32::INFINITY;
        while iterations < options.max_iterations.max(1) {
            let eye = models[last.joint].transform_point(self.eye);
            let line = (target - eye).try_normalize().unwrap_or(wanted);
            let line = first.lerp(line, parallax).normalize_or(first);
            // Seen from where the eye is now, the line that is `angle_given` from the old sight.
            let full = rotation::log(turn(sight, line, head.rotation * self.up));
            let part = if asked > 1e-6 { (angle_given / asked).min(1.0) } else { 1.0 };
            wanted = rotation::exp(full * part) * sight;
            let now = models[last.joint].rotation * self.forward;
            left = angle(now, wanted);
            if left < EXACT {
                break;
            }
            self.sweep(wanted, options, locals, models);
            iterations += 1;
        }
        if options.upright > 0.0 {
            self.right(up, options, locals, models);
        }
        let now = models[last.joint].rotation * self.forward;
        let eye = models[last.joint].transform_point(self.eye);
        left = left.min(angle(now, wanted));
        let residual = (target - eye).try_normalize().map_or(0.0, |line| angle(now, line));
        AimReport { reached: left < 2.0 * EXACT, residual, iterations }
    }

    /// Every joint turns by its share of what is left.
    fn sweep(
        &self,
        wanted: Vec3,
        options: &AimOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) {
        let Some(last) = self.joints.last() else { return };
        for part in &self.joints {
            if part.share > 0.0 {
                let sight = models[last.joint].rotation * self.forward;
                let full =
                    rotation::log(turn(sight, wanted, models[last.joint].rotation * self.up));
                self.turn(part, rotation::exp(full * part.share), options, locals, models);
            }
            self.refresh(locals, models);
        }
    }

    /// Rolls the last joint about its line of sight until it is upright.
    fn right(
        &self,
        up: Vec3,
        options: &AimOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) {
        let Some(last) = self.joints.last() else { return };
        let sight = models[last.joint].rotation * self.forward;
        let across = |v: Vec3| v - sight * v.dot(sight);
        let (own, wanted) = (across(models[last.joint].rotation * self.up), across(up));
        // Looking straight up or down there is no upright: the influence fades on the way there.
        let strength = (wanted.length() / up.length().max(1e-6)).min(1.0);
        if !(own.length() > 1e-4 && strength > 1e-4) {
            return;
        }
        let roll = libm::atan2f(sight.dot(own.cross(wanted)), own.dot(wanted));
        let fade = strength * strength * (3.0 - 2.0 * strength);
        let turn = Quat::from_axis_angle(sight, roll * fade * options.upright.clamp(0.0, 1.0));
        self.turn(last, turn, options, locals, models);
        self.refresh(locals, models);
    }

    fn turn(
        &self,
        part: &AimJoint,
        turn: Quat,
        options: &AimOptions,
        locals: &mut [Transform],
        models: &[Transform],
    ) {
        let own = models[part.joint].rotation;
        // The parent's rotation, from the pose as it is.
        let parent = own * locals[part.joint].rotation.conjugate();
        let turned = (parent.conjugate() * (turn * own)).normalize();
        locals[part.joint].rotation = match options.limits {
            true => part.limit.clamp(part.rest, turned),
            false => turned,
        };
    }

    fn refresh(&self, locals: &[Transform], models: &mut [Transform]) {
        let mut above = self.above.map_or(Transform::IDENTITY, |joint| models[joint]);
        for part in &self.joints {
            above = above * locals[part.joint];
            models[part.joint] = above;
        }
    }
}

/// How far to turn towards a target that is `asked` aside.
fn given_angle(asked: f32, options: &AimOptions) -> f32 {
    use std::f32::consts::PI;
    let followed = asked.min(options.max_angle.max(0.0));
    let from = options.give_up_at.clamp(0.0, PI);
    let kept =
        if asked <= from { 1.0 } else { ((PI - asked) / (PI - from).max(1e-6)).clamp(0.0, 1.0) };
    followed * kept * options.weight.clamp(0.0, 1.0)
}

/// How much of the eyes' own way counts: all of it for what is looked at, none for what is given up. Eyes that turn away
/// from what is behind them would otherwise see it pass from one side to the other.
fn parallax(asked: f32, options: &AimOptions) -> f32 {
    let (most, from) = (options.max_angle, options.give_up_at);
    if asked <= most { 1.0 } else { ((from - asked) / (from - most).max(1e-6)).clamp(0.0, 1.0) }
}

/// The shortest turn, about `up` if the directions are opposite.
fn turn(from: Vec3, to: Vec3, up: Vec3) -> Quat {
    if from.dot(to) < -0.99999 {
        return Quat::from_axis_angle(up.normalize_or(Vec3::Y), std::f32::consts::PI);
    }
    arc(from, to)
}

fn angle(a: Vec3, b: Vec3) -> f32 {
    libm::atan2f(a.cross(b).length(), a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Character, Pose, humanoid};
    use proptest::prelude::*;

    fn gaze(human: &Character) -> Aim {
        let spine = &human.rig.spine;
        let shares =
            [(spine[1], 0.2), (spine[2], 0.2), (spine[3], 0.25), (human.rig.head.unwrap(), 0.35)];
        Aim::chain(&human.skeleton, &shares, Vec3::Z, Vec3::Y)
            .unwrap()
            .with_eye(Vec3::new(0.0, 0.1, 0.08))
    }

    fn solve(
        human: &Character,
        aim: &Aim,
        target: Vec3,
        options: &AimOptions,
    ) -> (AimReport, Pose, Vec<Transform>) {
        let mut pose = Pose::rest(&human.skeleton);
        let mut models = human.skeleton.rest_models();
        let report = aim.solve(target, Vec3::Y, options, &mut pose, &mut models);
        (report, pose, models)
    }

    proptest! {
        #[test]
        fn a_chain_looks_at_targets_before_it_within_its_limits(x in -2.0f32..2.0, y in 0.3f32..2.5, z in 1.0f32..3.0) {
            let human = humanoid();
            let (report, pose, models) = solve(&human, &gaze(&human), Vec3::new(x, y, z), &AimOptions::default());
            prop_assert!(report.reached && report.residual < 3e-3, "{report:?}");
            let mut again = models.clone();
            human.skeleton.local_to_model(&pose, &mut again);
            for joint in gaze(&human).joints {
                prop_assert!(again[joint.joint].translation.abs_diff_eq(models[joint.joint].translation, 1e-5));
                prop_assert!(joint.limit.strain(joint.rest, pose[joint.joint].rotation) < 1.001);
            }
        }

        #[test]
        fn mirrored_targets_give_mirrored_poses(x in 0.05f32..2.0, y in 0.3f32..2.5, z in -2.0f32..3.0, near in 0.1f32..1.0) {
            let human = humanoid();
            let aim = gaze(&human);
            let head = human.skeleton.rest_models()[human.rig.head.unwrap()].translation;
            let target = head + (Vec3::new(x, y, z) - head) * near;
            let (_, left, _) = solve(&human, &aim, target, &AimOptions::default());
            let (_, right, _) = solve(&human, &aim, target * Vec3::new(-1.0, 1.0, 1.0), &AimOptions::default());
            for (a, b) in left.iter().zip(right.iter()) {
                let seen = Quat::from_xyzw(b.rotation.x, -b.rotation.y, -b.rotation.z, b.rotation.w);
                prop_assert!(rotation::angle_between(a.rotation, seen) < 1e-3);
            }
        }
    }

    #[test]
    fn a_target_that_circles_the_body_never_makes_the_head_jump() {
        let human = humanoid();
        let aim = gaze(&human);
        let mut last: Option<Pose> = None;
        for step in 0..=720 {
            let angle = (step as f32).to_radians();
            let target = Vec3::new(3.0 * angle.sin(), 1.2, 3.0 * angle.cos());
            let (_, pose, _) =
                solve(&human, &aim, target, &AimOptions { upright: 0.5, ..Default::default() });
            if let Some(last) = &last {
                for (a, b) in last.iter().zip(pose.iter()) {
                    let moved = rotation::angle_between(a.rotation, b.rotation);
                    assert!(moved < 0.08, "{moved} at {step}°");
                }
            }
            last = Some(pose);
        }
    }

    #[test]
    fn the_largest_angle_and_the_weight_hold() {
        let human = humanoid();
        let head = human.rig.head.unwrap();
        let aim = Aim::new(&human.skeleton, head, Vec3::Z, Vec3::Y).unwrap();
        let turned = |options: AimOptions| {
            let target = human.skeleton.rest_models()[head].translation + Vec3::new(5.0, 0.0, 0.0);
            let (report, pose, _) = solve(&human, &aim, target, &options);
            (report, rotation::log(pose[head].rotation).y)
        };
        let free = AimOptions { limits: false, ..Default::default() };
        let quarter = std::f32::consts::FRAC_PI_2;
        assert!((turned(free).1 - quarter).abs() < 1e-3);
        assert!((turned(AimOptions { max_angle: 0.5, ..free }).1 - 0.5).abs() < 2e-3);
        assert!((turned(AimOptions { weight: 0.5, ..free }).1 - 0.5 * quarter).abs() < 2e-3);
        let (report, limited) = turned(AimOptions::default());
        assert!(!report.reached && limited < 0.8 && limited > 0.6, "{limited}");
    }

    #[test]
    fn the_up_vector_rolls_the_head_upright() {
        let human = humanoid();
        let head = human.rig.head.unwrap();
        let aim = Aim::new(&human.skeleton, head, Vec3::Z, Vec3::Y).unwrap();
        let mut pose = Pose::rest(&human.skeleton);
        pose[head].rotation = Quat::from_rotation_z(0.3);
        let mut models = pose.to_vec();
        human.skeleton.local_to_model(&pose, &mut models);
        let target = models[head].translation + Vec3::new(0.4, 0.2, 2.0);
        let options = AimOptions { upright: 1.0, ..Default::default() };
        assert!(aim.solve(target, Vec3::Y, &options, &mut pose, &mut models).reached);
        let side = models[head].rotation * Vec3::X;
        assert!(side.y.abs() < 2e-2, "the line between the ears is level: {side}");
    }

    #[test]
    fn odd_targets_leave_the_pose_alone() {
        let human = humanoid();
        let aim = Aim::new(&human.skeleton, human.rig.head.unwrap(), Vec3::Z, Vec3::Y).unwrap();
        let eye = human.skeleton.rest_models()[human.rig.head.unwrap()].translation;
        for target in [Vec3::NAN, Vec3::INFINITY, eye] {
            let (report, pose, _) = solve(&human, &aim, target, &AimOptions::default());
            assert!(!report.reached && report.residual.is_infinite());
            assert_eq!(pose, Pose::rest(&human.skeleton));
        }
    }

    #[test]
    fn shares_that_make_no_chain_are_refused() {
        let human = humanoid();
        let (neck, head) = (human.rig.spine[3], human.rig.head.unwrap());
        let chain = |shares: &[(usize, f32)]| Aim::chain(&human.skeleton, shares, Vec3::Z, Vec3::Y);
        assert_eq!(chain(&[]), Err(ChainError::NoEffector));
        assert_eq!(
            chain(&[(head, 1.0), (neck, 1.0)]),
            Err(ChainError::NotBelow { root: head, joint: neck })
        );
        assert!(chain(&[(neck, f32::NAN), (head, 1.0)]).is_err());
        assert!(chain(&[(neck, 0.0), (head, 0.0)]).is_err());
        assert!(Aim::new(&human.skeleton, head, Vec3::ZERO, Vec3::Y).is_err());
    }
}
