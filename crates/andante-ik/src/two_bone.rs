//! A limb of two bones, solved in closed form.

use andante_skeleton::{Skeleton, Transform};
use glam::{Quat, Vec3};
use thiserror::Error;

/// A limb of two bones and the joint at its end: hip, knee and ankle, or shoulder, elbow and wrist.
///
/// The middle joint bends about one axis and always to the same side, so that a limb cannot flip
/// when it passes through full extension. The remaining freedom, the swivel about the line from the
/// limb's root to its end, is chosen so that root and end joint together stay as close as possible
/// to the pose the limb had before: an eigenvector of a 2×2 matrix, no search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// The three joints, each the parent of the next.
    joints: [usize; 3],
    /// The parent of the first joint, if it has one.
    parent: Option<usize>,
    /// Unit axis of flexion in the middle joint's frame.
    axis: Vec3,
}

/// How a [`TwoBone`] is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneOptions {
    /// Fraction of full extension at which the limb begins to resist (0.9…1). Between it and
    /// full extension the end lags behind its target smoothly; 1 lets the limb snap straight.
    pub soften_at: f32,
    /// Largest extension, as a fraction of the limb's length (0.95…1). Targets farther away are
    /// pointed at. 1 allows a straight limb, where speed of flexion is unbounded.
    pub max_extension: f32,
    /// How much the swivel cares for the root joint's rotation, against 1 for the end joint's.
    pub root_weight: f32,
}

impl Default for TwoBoneOptions {
    fn default() -> Self {
        Self { soften_at: 1.0, max_extension: 0.9995, root_weight: 1.0 }
    }
}

/// What a solve achieved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneReport {
    /// Whether the end is at its target, to a ten-thousandth of the limb's length.
    pub reached: bool,
    /// Distance from the end to its target in metres.
    pub residual: f32,
    /// How far the limb is stretched; 1 is straight.
    pub extension: f32,
}

/// Why three joints are not a limb.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TwoBoneError {
    /// A joint is not the parent of the next.
    #[error("the three joints of a limb must be parent, child and grandchild")]
    NotAChain,
    /// A bone has no length, so that it points nowhere.
    #[error("a bone of the limb has no length")]
    ZeroLength,
    /// The axis is along a bone, or no axis.
    #[error("the axis of flexion must be a direction across the bones")]
    Axis,
}

impl TwoBone {
    /// A limb that bends about `axis`, given in the model's frame at rest; rotating the lower
    /// bone about it by the right hand must flex the limb.
    ///
    /// ```
    /// use andante_ik::{TwoBone, TwoBoneOptions};
    /// use andante_skeleton::{Pose, Transform, humanoid};
    /// use glam::Vec3;
    ///
    /// let human = humanoid();
    /// let leg = &human.rig.feet[0].leg;
    /// // Knees bend backwards: about +X for somebody who faces +Z.
    /// let limb = TwoBone::new(&human.skeleton, [leg[0], leg[1], leg[2]], Vec3::X)?;
    ///
    /// let mut pose = Pose::rest(&human.skeleton);
    /// let mut models = human.skeleton.rest_models();
    /// let mut target = models[leg[2]];
    /// target.translation.y += 0.2;
    /// let report = limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
    /// assert!(report.reached);
    /// assert!(models[leg[2]].translation.abs_diff_eq(target.translation, 1e-4));
    /// # Ok::<(), andante_ik::TwoBoneError>(())
    /// ```
    pub fn new(skeleton: &Skeleton, joints: [usize; 3], axis: Vec3) -> Result<Self, TwoBoneError> {
        let [root, middle, end] = joints;
        let chained = end < skeleton.len()
            && skeleton.parent(end) == Some(middle)
            && skeleton.parent(middle) == Some(root);
        if !chained {
            return Err(TwoBoneError::NotAChain);
        }
        let bones = [middle, end].map(|joint| skeleton.joint(joint).rest.translation);
        if bones.iter().any(|bone| bone.length() < 1e-5) {
            return Err(TwoBoneError::ZeroLength);
        }
        let frame = skeleton.rest_models()[middle].rotation;
        let axis = (frame.conjugate() * axis).try_normalize().ok_or(TwoBoneError::Axis)?;
        if axis.cross(bones[1].normalize()).length() < 0.1 {
            return Err(TwoBoneError::Axis);
        }
        Ok(Self { joints, parent: skeleton.parent(root), axis })
    }

    /// The three joints.
    pub fn joints(&self) -> [usize; 3] {
        self.joints
    }

    /// Places the end joint at `target` (position and rotation in the model's frame).
    ///
    /// `locals` and `models` hold the pose to stay close to and receive the result; `models` is
    /// brought up to date for the three joints of the limb alone. A target that is not finite
    /// leaves the pose as it was. A target at the root joint folds the limb where it points.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn solve(
        &self,
        target: &Transform,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> TwoBoneReport {
        self.place(target.translation, Some(target.rotation), None, options, locals, models)
    }

    /// Like [`TwoBone::solve`], with the middle joint swivelled towards the point `pole`.
    ///
    /// A pole on the line from the root to the target says nothing about the swivel. Close to that
    /// line, within half a degree, its influence fades and the pose before takes over.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn solve_towards(
        &self,
        target: &Transform,
        pole: Vec3,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> TwoBoneReport {
        let rotation = Some(target.rotation);
        self.place(target.translation, rotation, Some(pole), options, locals, models)
    }

    /// Like [`TwoBone::solve`] for a position alone: the end joint keeps its rotation relative to the
    /// middle one, and the swivel is closest for the root joint.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn solve_position(
        &self,
        position: Vec3,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> TwoBoneReport {
        self.place(position, None, None, options, locals, models)
    }

    /// Works in the model's frame, where positions are known already, and without trigonometry: angles
    /// are used as their cosine and sine, and halved by [`half`]. Normalisation is put off to the end,
    /// because the time goes into waiting for square roots.
    #[inline]
    fn place(
        &self,
        position: Vec3,
        rotation: Option<Quat>,
        pole: Option<Vec3>,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> TwoBoneReport {
        let [root, middle, end] = self.joints;
        let (a, b) = (models[root].translation, models[middle].translation);
        let thigh = b - a;
        let shank = models[end].translation - b;
        let (old_root, old_middle) = (models[root].rotation, models[middle].rotation);
        let (upper_squared, lower_squared) = (thigh.length_squared(), shank.length_squared());
        let (upper, lower) = (upper_squared.sqrt(), lower_squared.sqrt());
        let length = upper + lower;
        let to_target = position - a;
        let wanted = to_target.length();
        let finite = wanted.is_finite() && rotation.is_none_or(Quat::is_finite);
        if !finite {
            let extension = (thigh + shank).length() / length;
            return TwoBoneReport { reached: false, residual: f32::INFINITY, extension };
        }
        let softened = soften(wanted, length, (upper - lower).abs(), options);

        // Knee: the flexion δ about the axis u that makes the end as far away as the target. With p
        // leading from the knee to the root and d to the end, p·d(δ) = c + A cos δ + B sin δ, and
        // |p - d(δ)|² is the squared distance. Of the two solutions, δ = atan2(B, A) − acos(cosine)
        // is on the flexed side of the straight limb, whatever the pose before was.
        let u = old_middle * self.axis;
        let (p_along, d_along) = (-thigh.dot(u), shank.dot(u));
        let (p_across, d_across) = (-thigh - u * p_along, shank - u * d_along);
        let d_turned = u.cross(d_across);
        let (cos_part, sin_part) = (p_across.dot(d_across), p_across.dot(d_turned));
        let reach_squared = (cos_part * cos_part + sin_part * sin_part).max(1e-24);
        let sides = upper_squared + lower_squared;
        let wanted_dot = 0.5 * (sides - softened * softened) - p_along * d_along;
        let (dot, distance) = if wanted_dot * wanted_dot <= reach_squared {
            (wanted_dot, softened)
        } else {
            // An axis that is not square to the bones does not let them line up.
            let dot = reach_squared.sqrt().copysign(wanted_dot);
            (dot, (sides - 2.0 * (dot + p_along * d_along)).max(0.0).sqrt())
        };
        let sine = (reach_squared - dot * dot).max(0.0).sqrt();
        let scale = reach_squared.recip();
        let cos_bend = (cos_part * dot + sin_part * sine) * scale;
        let sin_bend = (sin_part * dot - cos_part * sine) * scale;
        let (half_cos, half_sin) = half(cos_bend, sin_bend);
        let bend = u * half_sin;
        let bend = Quat::from_xyzw(bend.x, bend.y, bend.z, half_cos);
        let bend_squared = bend.length_squared();

        // Hip: the shortest rotation that points the limb at its target. A target within a thousandth
        // of the limb's length of its root has no direction worth following: the limb's own
        // blends in.
        let pointing = thigh + u * d_along + d_across * cos_bend + d_turned * sin_bend;
        let (toward, wanted) = if wanted >= 1e-3 * length {
            (to_target, wanted)
        } else {
            let own = pointing.try_normalize().unwrap_or(thigh / upper);
            let toward = to_target + own * (1e-3 * length - wanted);
            let size = toward.length();
            if size > 1e-6 * length { (toward, size) } else { (own, 1.0) }
        };
        let direction = toward / wanted;
        let swing = arc_between(pointing, distance, direction);

        // Swivel: r(φ) = cos(φ/2) + sin(φ/2)·direction leads the root to r·swing·root and leaves the end
        // joint to make up the rest of the way to its target. Both are compared with what they were;
        // each comparison is linear in (cos φ/2, sin φ/2), so their weighted squares are largest along an
        // eigenvector. The swing turns about an axis across the direction, so the root's has no sine.
        // Neither bend nor swing nor swivel is of unit length: one division at the end makes up for all.
        let (axis, w) = (swing.xyz(), swing.w);
        let swing_squared = swing.length_squared();
        let mut xx = options.root_weight * bend_squared * w * w;
        let (mut yy, mut xy) = (0.0, 0.0);
        if let Some(rotation) = rotation {
            let change = rotation * (bend * models[end].rotation).conjugate();
            let vector = change.xyz();
            let end_cos = change.dot(swing);
            let end_sin = w * vector.dot(direction) - direction.dot(vector.cross(axis));
            xx += end_cos * end_cos;
            yy = end_sin * end_sin;
            xy = end_cos * end_sin;
        }
        if let Some(pole) = pole {
            let (weight, cos, sin) = pole_swivel(pole - a, direction, swing.normalize() * thigh);
            let weight = weight * bend_squared * swing_squared;
            xx += weight * cos * cos;
            yy += weight * sin * sin;
            xy += weight * cos * sin;
        }
        let (cos, sin) = eigenvector(xx - yy, 2.0 * xy);
        // The product swivel · swing.
        let turn = axis * cos + direction * (sin * w) + direction.cross(axis) * sin;
        let scale = ((cos * cos + sin * sin) * swing_squared).sqrt().recip();
        let turn = Quat::from_xyzw(turn.x, turn.y, turn.z, cos * w) * scale;
        let bend = bend * bend_squared.sqrt().recip();

        let new_root = turn * old_root;
        let new_middle = turn * bend * old_middle;
        models[root].rotation = new_root;
        locals[root].rotation = unit(match self.parent {
            Some(parent) => models[parent].rotation.conjugate() * new_root,
            None => new_root,
        });
        let knee = a + new_root * locals[middle].translation;
        // Part by part: a transform that is put together first is a detour through memory.
        models[middle].rotation = new_middle;
        models[middle].translation = knee;
        locals[middle].rotation = unit(new_root.conjugate() * new_middle);
        let new_end = match rotation {
            Some(rotation) => {
                locals[end].rotation = unit(new_middle.conjugate() * rotation);
                rotation
            }
            None => new_middle * locals[end].rotation,
        };
        let ankle = knee + new_middle * locals[end].translation;
        models[end].rotation = new_end;
        models[end].translation = ankle;
        let residual = ankle.distance(position);
        TwoBoneReport { reached: residual <= 1e-4 * length, residual, extension: distance / length }
    }
}

/// How strongly a pole across the limb holds the swivel, against 1 for the pose before. The influence
/// falls with the square of the sine of the pole's angle to the limb.
const POLE_STRENGTH: f32 = 1e4;

/// Weight of a pole, and cosine and sine of half the swivel that leads the bone `thigh` to its side.
fn pole_swivel(pole: Vec3, direction: Vec3, thigh: Vec3) -> (f32, f32, f32) {
    let across = |v: Vec3| v - direction * v.dot(direction);
    let (side, knee) = (across(pole), across(thigh));
    let scale = (side.length_squared() * knee.length_squared()).sqrt();
    if !(scale.is_finite() && scale > 1e-12) {
        return (0.0, 1.0, 0.0);
    }
    let (cos, sin) = half(knee.dot(side) / scale, direction.dot(knee.cross(side)) / scale);
    let size = (cos * cos + sin * sin).sqrt();
    let weight = POLE_STRENGTH * side.length_squared() / pole.length_squared();
    (weight, cos / size, sin / size)
}

/// A vector in the direction of half an angle, of which cosine and sine are given; of length √2 to 2.
#[inline]
fn half(cos: f32, sin: f32) -> (f32, f32) {
    // (1 + cos, sin) and (|sin|, ±(1 − cos)) both point half-way; the longer one is exact.
    if cos >= 0.0 { (1.0 + cos, sin) } else { (sin.abs(), (1.0 - cos).copysign(sin)) }
}

/// A vector along the (c, s) with the largest `c²·xx + s²·yy + 2·c·s·xy`, given `difference = xx − yy` and
/// `product = 2·xy`: half-way to (difference, product). Without a preference, along (1, 0).
#[inline]
fn eigenvector(difference: f32, product: f32) -> (f32, f32) {
    let size = (difference * difference + product * product).sqrt();
    if size <= 1e-12 {
        (1.0, 0.0)
    } else if difference >= 0.0 {
        (size + difference, product)
    } else {
        (product.abs(), (size - difference).copysign(product))
    }
}

/// A quaternion that is nearly of unit length, brought closer by a step of Newton's method.
#[inline]
fn unit(q: Quat) -> Quat {
    q * (1.5 - 0.5 * q.length_squared())
}

/// The distance the limb is given for a wanted one: unchanged up to the softening point, then
/// approaching the largest extension without reaching it, with continuous slope.
fn soften(wanted: f32, length: f32, shortest: f32, options: &TwoBoneOptions) -> f32 {
    let longest = length * options.max_extension;
    let knee_point = (length * options.soften_at).min(longest);
    let room = longest - knee_point;
    let softened = if wanted <= knee_point {
        wanted
    } else if room <= 1e-6 * length {
        longest
    } else {
        longest - room * room / (room + (wanted - knee_point))
    };
    softened.max(shortest)
}

/// The shortest rotation between two unit vectors. [`Quat::from_rotation_arc`] takes vectors less
/// than 0.7 mrad apart for the same, which is half a millimetre at the end of a leg.
pub(crate) fn arc(from: Vec3, to: Vec3) -> Quat {
    arc_between(from, 1.0, to).normalize()
}

/// The shortest rotation from the direction of `from`, of length `length`, to the unit vector `to`: a
/// quaternion of any length but zero. None for a vector without length.
#[inline]
fn arc_between(from: Vec3, length: f32, to: Vec3) -> Quat {
    let dot = from.dot(to);
    if dot < -0.99 * length {
        return Quat::from_rotation_arc((from / length).normalize_or(-to), to);
    }
    let axis = from.cross(to);
    let w = length + dot;
    if w > 1e-10 { Quat::from_xyzw(axis.x, axis.y, axis.z, w) } else { Quat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Character, Pose, humanoid, rotation};
    use proptest::prelude::*;

    fn left_leg(human: &Character) -> TwoBone {
        let leg = &human.rig.feet[0].leg;
        TwoBone::new(&human.skeleton, [leg[0], leg[1], leg[2]], Vec3::X).unwrap()
    }

    fn turned() -> impl Strategy<Value = Quat> {
        (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0)
            .prop_map(|(x, y, z)| rotation::exp(Vec3::new(x, y, z)))
    }

    proptest! {
        #[test]
        fn reachable_targets_are_reached_and_bones_keep_their_length(
            hip in turned(), ankle in turned(), flexion in 0.1f32..2.2,
            direction in turned(), distance in 0.2f32..0.85,
        ) {
            let human = humanoid();
            let limb = left_leg(&human);
            let [root, middle, end] = limb.joints();
            let mut pose = Pose::rest(&human.skeleton);
            pose[root].rotation = hip;
            pose[middle].rotation = Quat::from_rotation_x(flexion);
            let mut models = human.skeleton.rest_models();
            human.skeleton.local_to_model(&pose, &mut models);
            let target = Transform::new(ankle, models[root].translation + direction * Vec3::NEG_Y * distance);
            let before = pose.clone();
            let report = limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
            prop_assert!(report.reached, "{report:?}");
            let mut again = models.clone();
            human.skeleton.local_to_model(&pose, &mut again);
            prop_assert!(again[end].translation.abs_diff_eq(target.translation, 1e-4));
            prop_assert!(rotation::angle_between(again[end].rotation, target.rotation) < 1e-3);
            for joint in limb.joints() {
                prop_assert_eq!(pose[joint].translation, before[joint].translation);
            }
            // The knee bends about its axis alone, and never backwards.
            let bend = rotation::log(pose[middle].rotation);
            prop_assert!(bend.x > 0.0 && bend.cross(Vec3::X).length() < 1e-3, "{bend}");
        }

        #[test]
        fn no_other_swivel_is_closer_to_the_source(
            hip in turned(), ankle in turned(), direction in turned(), distance in 0.3f32..0.8, other in -3.0f32..3.0,
        ) {
            let human = humanoid();
            let limb = left_leg(&human);
            let [root, middle, end] = limb.joints();
            let mut pose = Pose::rest(&human.skeleton);
            pose[root].rotation = hip;
            pose[middle].rotation = Quat::from_rotation_x(0.7);
            pose[end].rotation = ankle;
            let mut models = human.skeleton.rest_models();
            human.skeleton.local_to_model(&pose, &mut models);
            let (source_root, source_end) = (models[root].rotation, pose[end].rotation);
            let toward = direction * Vec3::NEG_Y;
            let target = Transform::new(models[end].rotation, models[root].translation + toward * distance);
            limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
            let closeness = |root_rotation: Quat, end_rotation: Quat| {
                root_rotation.dot(source_root).powi(2) + end_rotation.dot(source_end).powi(2)
            };
            let found = closeness(models[root].rotation, pose[end].rotation);
            let swivelled = Quat::from_axis_angle(toward, other) * models[root].rotation;
            let end_rotation = (swivelled * pose[middle].rotation).conjugate() * target.rotation;
            prop_assert!(found + 1e-4 >= closeness(swivelled, end_rotation));
        }
    }

    #[test]
    fn a_pose_that_is_at_its_target_already_stays_as_it_is() {
        let human = humanoid();
        let limb = left_leg(&human);
        let [root, middle, end] = limb.joints();
        let mut pose = Pose::rest(&human.skeleton);
        pose[root].rotation = Quat::from_euler(glam::EulerRot::XYZ, -0.5, 0.2, 0.1);
        pose[middle].rotation = Quat::from_rotation_x(0.8);
        pose[end].rotation = Quat::from_rotation_x(-0.2);
        let mut models = human.skeleton.rest_models();
        human.skeleton.local_to_model(&pose, &mut models);
        let before = pose.clone();
        let target = models[end];
        limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
        for (a, b) in before.iter().zip(pose.iter()) {
            assert!(rotation::angle_between(a.rotation, b.rotation) < 2e-3);
        }
    }

    #[test]
    fn small_target_moves_make_small_joint_moves_through_full_extension() {
        let human = humanoid();
        let limb = left_leg(&human);
        let [root, middle, end] = limb.joints();
        let options = TwoBoneOptions { soften_at: 0.95, ..Default::default() };
        let mut rest = Pose::rest(&human.skeleton);
        rest[middle].rotation = Quat::from_rotation_x(0.3);
        let mut last: Option<Pose> = None;
        for step in 0..400 {
            let mut pose = rest.clone();
            let mut models = human.skeleton.rest_models();
            human.skeleton.local_to_model(&pose, &mut models);
            let down = 0.7 + 0.001 * step as f32;
            let target =
                Transform::new(models[end].rotation, models[root].translation - Vec3::Y * down);
            let report = limb.solve(&target, &options, &mut pose, &mut models);
            assert!(report.extension <= options.max_extension + 1e-5);
            if let Some(last) = &last {
                for joint in limb.joints() {
                    let moved = rotation::angle_between(last[joint].rotation, pose[joint].rotation);
                    assert!(moved < 0.02, "joint {joint} turned {moved} at {down} m");
                }
            }
            last = Some(pose);
        }
    }

    /// A foot that has to move by less than half a millimetre moved by nothing: the rotation between
    /// two directions so close was rounded to none, and feet held by this solver trembled.
    #[test]
    fn a_target_a_tenth_of_a_millimetre_away_is_reached() {
        let human = humanoid();
        let limb = left_leg(&human);
        let [hip, knee, ankle] = limb.joints();
        for step in [1e-4f32, 3e-4, 5e-4] {
            let mut pose = Pose::rest(&human.skeleton);
            pose[hip].rotation = Quat::from_rotation_x(-0.3);
            pose[knee].rotation = Quat::from_rotation_x(0.5);
            let mut models = pose.to_vec();
            human.skeleton.local_to_model(&pose, &mut models);
            let mut target = models[ankle];
            target.translation.z += step;
            let report = limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
            assert!(report.residual < 1e-5, "{} mm", 1e3 * report.residual);
        }
    }

    fn bent(human: &Character, limb: &TwoBone) -> (Pose, Vec<Transform>) {
        let [root, middle, _] = limb.joints();
        let mut pose = Pose::rest(&human.skeleton);
        pose[root].rotation = Quat::from_rotation_x(-0.3);
        pose[middle].rotation = Quat::from_rotation_x(0.5);
        let mut models = pose.to_vec();
        human.skeleton.local_to_model(&pose, &mut models);
        (pose, models)
    }

    proptest! {
        #[test]
        fn the_middle_joint_turns_to_its_pole(x in -1.0f32..1.0, z in -1.0f32..1.0, y in -0.5f32..0.5) {
            prop_assume!(x.hypot(z) > 0.2);
            let human = humanoid();
            let limb = left_leg(&human);
            let [root, middle, end] = limb.joints();
            let (mut pose, mut models) = bent(&human, &limb);
            let hip = models[root].translation;
            let target = Transform::new(models[end].rotation, hip - Vec3::Y * 0.7);
            let pole = hip + Vec3::new(x, y, z);
            let report = limb.solve_towards(&target, pole, &TwoBoneOptions::default(), &mut pose, &mut models);
            prop_assert!(report.reached, "{report:?}");
            let knee = models[middle].translation - hip;
            let (knee, side) = (Vec3::new(knee.x, 0.0, knee.z), Vec3::new(x, 0.0, z));
            prop_assert!(knee.angle_between(side) < 0.02, "{knee} {side}");
        }
    }

    #[test]
    fn a_pole_in_line_with_the_target_leaves_the_swivel_to_the_source() {
        let human = humanoid();
        let limb = left_leg(&human);
        let [root, _, end] = limb.joints();
        let (source, source_models) = bent(&human, &limb);
        let hip = source_models[root].translation;
        let way = Vec3::new(0.1, -0.7, 0.2);
        let target = Transform::new(source_models[end].rotation, hip + way);
        let options = TwoBoneOptions::default();
        let (mut free, mut models) = (source.clone(), source_models.clone());
        limb.solve(&target, &options, &mut free, &mut models);
        for pole in [hip + way * 2.0, hip - way, hip, Vec3::NAN] {
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            assert!(limb.solve_towards(&target, pole, &options, &mut pose, &mut models).reached);
            for (a, b) in free.iter().zip(pose.iter()) {
                assert!(rotation::angle_between(a.rotation, b.rotation) < 2e-3, "{pole}");
            }
        }
    }

    /// Where a limb points when its target is at its own root cannot be told from the target.
    #[test]
    fn a_target_that_passes_the_root_turns_the_limb_gradually() {
        let human = humanoid();
        let limb = left_leg(&human);
        let [root, _, end] = limb.joints();
        let (source, source_models) = bent(&human, &limb);
        let hip = source_models[root].translation;
        let mut last: Option<Pose> = None;
        for step in -200..=200 {
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            let way = Vec3::new(0.0, 2e-4, 1e-5 * step as f32);
            let target = Transform::new(source_models[end].rotation, hip + way);
            limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
            assert!(pose.iter().all(Transform::is_finite));
            if let Some(last) = &last {
                for joint in limb.joints() {
                    let moved = rotation::angle_between(last[joint].rotation, pose[joint].rotation);
                    // A limb folded flat turns with the square root of its target's way, and these
                    // steps are a hundredth of a millimetre; a flip would be a half turn.
                    assert!(moved < 0.4, "joint {joint} turned {moved} in step {step}");
                }
            }
            last = Some(pose);
        }
    }

    #[test]
    fn targets_that_are_not_numbers_leave_the_pose_alone() {
        let human = humanoid();
        let limb = left_leg(&human);
        let mut pose = Pose::rest(&human.skeleton);
        let mut models = human.skeleton.rest_models();
        let before = pose.clone();
        let target = Transform::from_translation(Vec3::new(f32::NAN, 0.0, 0.0));
        assert!(!limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models).reached);
        assert_eq!(pose, before);
    }

    #[test]
    fn joints_that_are_no_limb_are_refused() {
        let human = humanoid();
        let leg = &human.rig.feet[0].leg;
        let new = |joints, axis| TwoBone::new(&human.skeleton, joints, axis);
        assert_eq!(new([leg[0], leg[2], leg[1]], Vec3::X), Err(TwoBoneError::NotAChain));
        assert_eq!(new([leg[0], leg[1], leg[2]], Vec3::ZERO), Err(TwoBoneError::Axis));
        assert_eq!(new([leg[0], leg[1], leg[2]], Vec3::Y), Err(TwoBoneError::Axis));
        assert_eq!(new([0, 1, 9999], Vec3::X), Err(TwoBoneError::NotAChain));
    }
}
