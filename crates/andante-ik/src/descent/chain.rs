//! Chains that reach their targets and stay close to a clip, by gradient descent.

use super::terms::{Continuity, DescentData, ReachTerm, SimilarityTerm, Variables};
use super::{DescentOptions, GradientDescent, Term};
use crate::tree::EffectorTree;
use crate::{ChainError, IkReport, IkTarget, Solver};
use andante_skeleton::{BodyPoint, JointLimit, Skeleton, Transform, rotation};
use glam::{Quat, Vec3};

/// The freedom of a joint: what it may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// The angle alone: the axis is that of the source pose's rotation, frame by frame (terrain-ik 10.2).
    FrameAxis,
    /// What the joint's limit leaves it, whatever the clip does: three axes, or one for a hinge.
    Joint,
}

andante_skeleton::settings! {
    /// Options of a [`ChainDescent`]. The defaults are those of the source (terrain-ik 10.2).
    pub struct ChainDescentOptions: Copy {
        /// Height of the character, the measure of all distances.
        rig_height: f32 = 1.75, 1e-6..=1e6;
        /// Reach: the weight of squared distances is this divided by the squared height. High values are precise and
        /// may look strange.
        reach: f32 = 200.0, 0.0..=1e6;
        /// Similarity to the source pose, per squared radian. High values ignore the targets.
        similarity: f32 = 2.0, 0.0..=1e6;
        /// Closeness to the frame before, per squared radian. High values are smooth and late.
        continuity: f32 = 4.0, 0.0..=1e6;
        /// What joints may change.
        freedom: Freedom = Freedom::FrameAxis;
        /// Whether the root turns too. If not, it is merely what several chains hang on: the hips, for both
        /// legs at once.
        turn_root: bool = true;
        /// Whether the joints' limits are kept.
        limits: bool = false;
        /// Distance that is reported as reached, as a fraction of the height. The descent weighs its targets
        /// against the pose and seldom meets them exactly.
        tolerance: f32 = 0.01, 0.0..;
        /// The engine's options.
        descent: DescentOptions = DescentOptions::default() => check;
    }
}

/// The terms of the objective after a solve, each with its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DescentTerms {
    /// a·f1, the distances from the targets.
    pub reach: f32,
    /// b·f2, the change from the source.
    pub similarity: f32,
    /// c·f3, the change from the frame before.
    pub continuity: f32,
}

impl DescentTerms {
    /// F, their sum.
    pub fn total(&self) -> f32 {
        self.reach + self.similarity + self.continuity
    }
}

/// Inverse kinematics by descent on `F = a·Σ|effector − target|² + b·|θ − ω|² + c·|θ − γ|²`, where θ are the
/// angles of all joints but the effectors', ω those of the source pose and γ those of the frame
/// before. All chains are solved at once; the descent starts at γ.
///
/// Call [`Solver::solve`] once per key frame with the clip's pose; the solver remembers the angles it
/// found. [`ChainDescent::reset`] makes it forget them, for a jump in time.
#[derive(Clone, Debug)]
pub struct ChainDescent {
    tree: EffectorTree,
    options: ChainDescentOptions,
    engine: GradientDescent,
    variables: Vec<Variables>,
    x: Vec<f32>,
    original: Vec<f32>,
    previous: Vec<f32>,
    /// Local rotations found last, by variable joint.
    found: Vec<Quat>,
    started: bool,
    terms: DescentTerms,
}

impl ChainDescent {
    /// For the joints from `root` down to the effectors' joints. An effector's own joint turns only if
    /// the effector is off its centre.
    pub fn new(
        skeleton: &Skeleton,
        root: usize,
        effectors: &[BodyPoint],
        options: ChainDescentOptions,
    ) -> Result<Self, ChainError> {
        options.check()?;
        let tree = EffectorTree::new(skeleton, root, effectors, options.limits)?;
        let mut variables: Vec<Variables> = Vec::new();
        let mut first = 0;
        for (slot, &joint) in tree.joints.iter().enumerate() {
            let moves = |effector: &crate::tree::Effector| {
                (slot..tree.ends[slot]).contains(&effector.slot)
                    && (effector.slot != slot || effector.offset != Vec3::ZERO)
            };
            let limit = skeleton.joint(joint).limit;
            let stays = slot == 0 && !options.turn_root;
            if stays || limit == JointLimit::Fixed || !tree.effectors.iter().any(moves) {
                continue;
            }
            let axis = match (options.freedom, limit) {
                (_, JointLimit::Hinge { axis, .. }) => Some(axis),
                (Freedom::FrameAxis, _) => Some(Vec3::X),
                (Freedom::Joint, _) => None,
            };
            variables.push(Variables { slot, first, axis, base: Quat::IDENTITY });
            first += if axis.is_some() { 1 } else { 3 };
        }
        if variables.is_empty() {
            return Err(ChainError::OutOfRange("the number of joints that can turn"));
        }
        Ok(Self {
            engine: GradientDescent::new(first, options.descent),
            x: vec![0.0; first],
            original: vec![0.0; first],
            previous: vec![0.0; first],
            found: vec![Quat::IDENTITY; variables.len()],
            started: false,
            terms: DescentTerms::default(),
            tree,
            options,
            variables,
        })
    }

    /// Forgets the frame before: the next solve takes the source pose for it.
    pub fn reset(&mut self) {
        self.started = false;
    }

    /// The terms of the objective after the last solve.
    pub fn terms(&self) -> DescentTerms {
        self.terms
    }

    /// Takes axes and angles from the source pose, and the angles before relative to them.
    fn prepare(&mut self, locals: &[Transform]) {
        for (variables, found) in self.variables.iter_mut().zip(&mut self.found) {
            let local = locals[self.tree.joints[variables.slot]].rotation;
            if !self.started {
                *found = local;
            }
            let first = variables.first;
            match (self.options.freedom, &mut variables.axis) {
                (Freedom::FrameAxis, Some(axis)) => {
                    // The same rotation has an axis and an angle, or both negated. The one along the
                    // axis before keeps angles comparable from frame to frame.
                    let vector = rotation::log(local);
                    let own = vector.try_normalize().unwrap_or(*axis);
                    let sign = if own.dot(*axis) < 0.0 { -1.0 } else { 1.0 };
                    *axis = own * sign;
                    self.original[first] = sign * vector.dot(own);
                    self.previous[first] = self.x[first];
                    if !self.started {
                        self.previous[first] = self.original[first];
                    }
                }
                (_, axis) => {
                    variables.base = local;
                    let before = rotation::log(local.conjugate() * *found);
                    match axis {
                        Some(axis) => {
                            self.original[first] = 0.0;
                            self.previous[first] = before.dot(*axis);
                        }
                        None => {
                            self.original[first..first + 3].fill(0.0);
                            self.previous[first..first + 3].copy_from_slice(&before.to_array());
                        }
                    }
                }
            }
        }
        self.x.copy_from_slice(&self.previous);
        self.started = true;
    }
}

impl Solver for ChainDescent {
    fn solve(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> IkReport {
        if !self.tree.accepts(targets) {
            return IkReport::REFUSED;
        }
        self.prepare(locals);
        let height = self.options.rig_height;
        let reach = ReachTerm(self.options.reach / (height * height));
        let similarity = SimilarityTerm(self.options.similarity);
        let continuity = Continuity(self.options.continuity);
        let mut data = DescentData {
            tree: &self.tree,
            variables: &self.variables,
            targets,
            original: &self.original,
            previous: &self.previous,
            locals,
            models,
        };
        data.refresh(&self.x);
        let hook = |x: &mut [f32], data: &mut DescentData, _: &mut [f32]| {
            for variables in data.variables {
                let (limit, rest) =
                    (&data.tree.limits[variables.slot], data.tree.rest[variables.slot]);
                if *limit == JointLimit::Free {
                    continue;
                }
                let wanted = variables.rotation(x);
                let held = limit.clamp(rest, wanted);
                if held != wanted {
                    let vector = rotation::log(variables.base.conjugate() * held);
                    match variables.axis {
                        Some(axis) => x[variables.first] = vector.dot(axis),
                        None => x[variables.first..variables.first + 3]
                            .copy_from_slice(&vector.to_array()),
                    }
                }
            }
            data.refresh(x);
        };
        let report =
            self.engine.minimise(&mut self.x, &mut data, &[&reach, &similarity, &continuity], hook);
        self.terms = DescentTerms {
            reach: reach.0 * reach.value(&self.x, &data),
            similarity: similarity.0 * similarity.value(&self.x, &data),
            continuity: continuity.0 * continuity.value(&self.x, &data),
        };
        if self.options.limits {
            // A fixed axis need not lead along the border of a limit.
            self.tree.clamp_all(data.locals);
            self.tree.update(0, data.locals, data.models);
        }
        for (variables, found) in self.variables.iter().zip(&mut self.found) {
            *found = data.locals[self.tree.joints[variables.slot]].rotation;
        }
        let (residual, _) = self.tree.residual(targets, data.models);
        let reached = residual <= self.options.tolerance * height;
        IkReport { reached, residual, iterations: report.iterations }
    }

    fn joints(&self) -> &[usize] {
        &self.tree.joints
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Character, Pose, humanoid};
    use proptest::prelude::*;

    fn legs(human: &Character, options: ChainDescentOptions) -> ChainDescent {
        let feet: Vec<BodyPoint> = human
            .rig
            .feet
            .iter()
            .map(|foot| BodyPoint { joint: foot.ankle(), offset: Vec3::ZERO })
            .collect();
        let options = ChainDescentOptions { turn_root: false, ..options };
        ChainDescent::new(&human.skeleton, human.rig.hips, &feet, options).unwrap()
    }

    fn stride(human: &Character) -> (Pose, Vec<Transform>) {
        let mut pose = Pose::rest(&human.skeleton);
        for (foot, swing) in human.rig.feet.iter().zip([-0.5, 0.3]) {
            pose[foot.leg[0]].rotation = rotation::exp(Vec3::new(swing, 0.1, 0.05));
            pose[foot.leg[1]].rotation = Quat::from_rotation_x(0.4);
        }
        let mut models = pose.to_vec();
        human.skeleton.local_to_model(&pose, &mut models);
        (pose, models)
    }

    fn targets(human: &Character, models: &[Transform], shifts: [Vec3; 2]) -> [IkTarget; 2] {
        [0, 1].map(|side| {
            IkTarget::position(models[human.rig.feet[side].ankle()].translation + shifts[side])
        })
    }

    #[test]
    fn two_legs_of_three_joints_have_four_angles_or_eight_freedoms() {
        let human = humanoid();
        let count =
            |freedom| legs(&human, ChainDescentOptions { freedom, ..Default::default() }).x.len();
        assert_eq!(count(Freedom::FrameAxis), 4);
        assert_eq!(count(Freedom::Joint), 8);
    }

    proptest! {
        /// The exact gradients of all terms against differences of their values.
        #[test]
        fn gradients_agree_with_differences(
            x in prop::collection::vec(-0.8f32..0.8, 8), shift in (-0.2f32..0.2, -0.2f32..0.2, -0.2f32..0.2),
        ) {
            let human = humanoid();
            for freedom in [Freedom::FrameAxis, Freedom::Joint] {
                let mut descent = legs(&human, ChainDescentOptions { freedom, ..Default::default() });
                let (mut pose, mut models) = stride(&human);
                descent.prepare(&pose);
                let goals = targets(&human, &models, [shift.into(), Vec3::from(shift) * -0.5]);
                let mut data = DescentData {
                    tree: &descent.tree, variables: &descent.variables, targets: &goals,
                    original: &descent.original, previous: &descent.previous, locals: &mut pose, models: &mut models,
                };
                let x = &x[..descent.x.len()];
                data.refresh(x);
                let (reach, similarity, continuity) = (ReachTerm(7.0), SimilarityTerm(2.0), Continuity(4.0));
                let terms: [&dyn Term<DescentData>; 3] = [&reach, &similarity, &continuity];
                for term in terms {
                    let mut gradient = vec![0.0; x.len()];
                    term.add_gradient(x, &data, 1.0, &mut gradient);
                    for k in 0..x.len() {
                        let step = 4e-3;
                        let mut values = [0.0; 2];
                        for (value, sign) in values.iter_mut().zip([1.0, -1.0]) {
                            let mut moved = x.to_vec();
                            moved[k] += sign * step;
                            data.refresh(&moved);
                            *value = term.value(&moved, &data);
                        }
                        let slope = (values[0] - values[1]) / (2.0 * step);
                        prop_assert!((slope - gradient[k]).abs() < 2e-3 + 2e-3 * slope.abs(), "{k}: {slope} {}", gradient[k]);
                        data.refresh(x);
                    }
                }
            }
        }
    }

    #[test]
    fn a_clip_that_meets_its_targets_stays_as_it_is() {
        let human = humanoid();
        let mut descent = legs(&human, ChainDescentOptions::default());
        let (mut pose, mut models) = stride(&human);
        let before = pose.clone();
        let goals = targets(&human, &models, [Vec3::ZERO; 2]);
        let report = descent.solve(&goals, &mut pose, &mut models);
        assert!(report.reached && report.residual < 1e-5, "{report:?}");
        assert!(descent.terms().total() < 1e-6);
        for (a, b) in before.iter().zip(pose.iter()) {
            assert!(rotation::angle_between(a.rotation, b.rotation) < 1e-3);
        }
    }

    /// In the end the change from the frame before is nothing, and what is left of a small shift s is
    /// s − J(JᵀJ + b/a)⁻¹Jᵀs: the bias of terrain-ik 22.
    #[test]
    fn repeated_frames_settle_where_similarity_and_reach_balance() {
        let human = humanoid();
        let exact = DescentOptions { target_delta: 1e-7, ..Default::default() };
        let options = ChainDescentOptions { descent: exact, ..Default::default() };
        let mut descent = legs(&human, options);
        let (source, source_models) = stride(&human);
        let shift = Vec3::new(0.0, 0.002, 0.006);
        let goals = targets(&human, &source_models, [shift, Vec3::ZERO]);
        let mut left = Vec3::ZERO;
        let ankle = human.rig.feet[0].ankle();
        for _ in 0..200 {
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            descent.solve(&goals, &mut pose, &mut models);
            left = goals[0].position - models[ankle].translation;
        }
        let column = |k: usize| {
            let Variables { slot, axis, .. } = descent.variables[k];
            let joint = source_models[descent.tree.joints[slot]];
            let lever = source_models[ankle].translation - joint.translation;
            (joint.rotation * axis.unwrap()).cross(lever)
        };
        let (u, v) = (column(0), column(1));
        let ratio = options.similarity * options.rig_height.powi(2) / options.reach;
        let (uu, uv, vv) = (u.dot(u) + ratio, u.dot(v), v.dot(v) + ratio);
        let (us, vs) = (u.dot(shift), v.dot(shift));
        let det = uu * vv - uv * uv;
        let (x, y) = ((vv * us - uv * vs) / det, (uu * vs - uv * us) / det);
        let expected = shift - u * x - v * y;
        assert!(left.distance(expected) < 0.03 * expected.length(), "{left} {expected}");
    }

    #[test]
    fn the_frame_before_holds_back_until_it_is_forgotten() {
        let human = humanoid();
        let mut descent = legs(&human, ChainDescentOptions::default());
        let (source, source_models) = stride(&human);
        let goals = targets(&human, &source_models, [Vec3::Y * 0.1, Vec3::ZERO]);
        let solve = |descent: &mut ChainDescent| {
            let (mut pose, mut models) = (source.clone(), source_models.clone());
            descent.solve(&goals, &mut pose, &mut models).residual
        };
        let first = solve(&mut descent);
        let second = solve(&mut descent);
        assert!(second < first, "{second} {first}");
        descent.reset();
        assert_eq!(solve(&mut descent), first);
    }
}
