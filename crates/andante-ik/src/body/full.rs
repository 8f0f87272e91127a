//! Pelvis, spine, limbs and head at once.

use super::limb::SolvedLimb;
use super::masses::Masses;
use super::trunk::SolvedTrunk;
use crate::ccd::ANGLE;
use crate::{ChainError, IkReport, IkTarget, Solver};
use andante_skeleton::TwoBoneOptions;
use andante_skeleton::{Character, Skeleton, Transform, rotation};
use glam::Vec3;

/// The joints of a skeleton that are a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyPlan {
    /// The joint that carries everything and travels.
    pub hips: usize,
    /// Joints above the hips that bend, parents first.
    pub spine: Vec<usize>,
    /// The head, an effector, if there is one.
    pub head: Option<usize>,
    /// Limbs from their first joint to their end, an effector each; any number of them.
    pub limbs: Vec<Vec<usize>>,
}

impl BodyPlan {
    /// Legs in the order of the feet, then arms.
    pub fn of_character(character: &Character) -> Self {
        let rig = &character.rig;
        let legs = rig.feet.iter().map(|foot| foot.leg.clone());
        let arms = rig.arms.iter().map(|arm| arm.chain.clone());
        Self {
            hips: rig.hips,
            spine: rig.spine.clone(),
            head: rig.head,
            limbs: legs.chain(arms).collect(),
        }
    }
}

andante_skeleton::settings! {
    /// Options of a [`FullBody`].
    pub struct FullBodyOptions: Copy {
        /// Most steps of the trunk.
        max_iterations: usize = 12, 0..=10_000;
        /// Distance that counts as reached, as a fraction of the longest limb.
        tolerance: f32 = 2e-3, 1e-6..=0.1;
        /// How strongly the first step holds the trunk in its source pose, per squared radian, against squared metres
        /// of distance. It fades from step to step, so that it decides how targets are reached and not whether.
        stiffness: f32 = 1e-3, 0.0..=1e3;
        /// How much a metre of the hips' travel counts against a radian of the spine, squared.
        travel: f32 = 8.0, 0.0..=1e4;
        /// Weight of balance, against 1 for a target of the first priority.
        balance_weight: f32 = 0.1, 0.0..=10.0;
        /// Whether the joints' limits are kept.
        limits: bool = true;
        /// How limbs are solved.
        limb: TwoBoneOptions = TwoBoneOptions::default() => check;
        /// What is left of the pull towards the source pose from step to step. 1 never reaches far targets.
        fading: f32 = 0.4, 0.0..=1.0;
        /// Resistance to steps, as a part of the stiffness.
        damping: f32 = 0.1, 0.01..=1.0;
        /// Steps at the end that serve the highest ranks alone, if these are not where they should be.
        last_steps: usize = 4;
        /// Largest way an effector is asked to go in one step, in limb lengths. Long ways overshoot.
        most_way: f32 = 0.2, 0.05..=0.5;
        /// Squared metres that a squared radian of orientation counts for.
        turn_weight: f32 = 0.1, 0.01..=1.0;
        /// Largest turn of a joint in one step, in radians.
        most_turn: f32 = 0.5, 0.1..=1.0;
        /// Balance is met to this multiple of the tolerance.
        balance_tolerance: f32 = 3.0, 1.0..=10.0;
    }
}

/// The balance goal: the wanted centre of mass, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// The place; its height is ignored.
    pub place: Vec3,
    /// Distance from it that is good enough, in metres.
    pub radius: f32,
}

/// A body that reaches with hands, feet and head, keeps its joints' limits and its balance.
///
/// Effectors, in the order of the targets: the limbs of the plan, the head if there is one, the hips.
/// A target of weight 0 is off.
///
/// Two phases, repeated: the limbs are solved in closed form from where the trunk has put them; what
/// they could not reach, for want of length or because of a limit, becomes a wish of the trunk, a
/// small least-squares problem together with head, hips and balance. A limb that reaches asks nothing of
/// the trunk, so a pose that reaches its targets stays as it is.
#[derive(Clone, Debug)]
pub struct FullBody {
    skeleton: Skeleton,
    trunk: SolvedTrunk,
    limbs: Vec<SolvedLimb>,
    hips: usize,
    head: Option<usize>,
    options: FullBodyOptions,
    masses: Masses,
    balance: Option<Balance>,
    /// Weight factor of each effector from its priority.
    ranks: Vec<f32>,
    /// Limbs that have asked for help in this solve.
    asking: Vec<bool>,
    /// The rank below which effectors are no longer served in this solve.
    least: f32,
    /// Mass and moment of each joint's subtree.
    subtrees: Vec<(f32, Vec3)>,
    tolerance: f32,
    joints: Vec<usize>,
}

impl FullBody {
    /// A body on `skeleton`; its masses matter for balance alone.
    pub fn new(
        skeleton: &Skeleton,
        plan: &BodyPlan,
        masses: Masses,
        options: FullBodyOptions,
    ) -> Result<Self, ChainError> {
        options.check()?;
        let mut trunk = vec![plan.hips];
        trunk.extend(&plan.spine);
        trunk.extend(plan.head);
        for &joint in trunk.iter().chain(plan.limbs.iter().flatten()) {
            if joint >= skeleton.len() {
                return Err(ChainError::NoSuchJoint(joint));
            }
            if !skeleton.subtree(plan.hips).contains(&joint) {
                return Err(ChainError::NotBelow { root: plan.hips, joint });
            }
        }
        let increasing = trunk.windows(2).all(|pair| pair[0] < pair[1]);
        if !increasing {
            return Err(ChainError::OutOfRange("the order of the joints of a trunk"));
        }
        let limbs = plan
            .limbs
            .iter()
            .map(|joints| SolvedLimb::new(skeleton, joints, options.limits))
            .collect::<Result<Vec<_>, _>>()?;
        let longest = limbs.iter().map(|limb| limb.length).fold(0.0, f32::max);
        let effectors = limbs.len() + usize::from(plan.head.is_some()) + 1;
        let mut joints: Vec<usize> =
            trunk.iter().chain(limbs.iter().flat_map(|limb| &limb.joints)).copied().collect();
        joints.sort_unstable();
        joints.dedup();
        Ok(Self {
            trunk: SolvedTrunk::new(skeleton, trunk, options.limits),
            hips: plan.hips,
            head: plan.head,
            asking: vec![false; limbs.len()],
            least: 0.0,
            ranks: vec![1.0; effectors],
            subtrees: vec![(0.0, Vec3::ZERO); skeleton.len()],
            tolerance: options.tolerance * if longest > 0.0 { longest } else { 1.0 },
            skeleton: skeleton.clone(),
            balance: None,
            limbs,
            options,
            masses,
            joints,
        })
    }

    /// The body of a character, with human masses. Limbs come before the head: feet have priority 0,
    /// hands and head 1, the hips 2.
    pub fn of_character(
        character: &Character,
        options: FullBodyOptions,
    ) -> Result<Self, ChainError> {
        let plan = BodyPlan::of_character(character);
        let (feet, limbs) = (character.rig.feet.len(), plan.limbs.len());
        let masses = Masses::of_character(character);
        let body = Self::new(&character.skeleton, &plan, masses, options)?;
        let priority = |index: usize| match index {
            _ if index < feet => 0,
            _ if index <= limbs && plan.head.is_some() => 1,
            _ if index < limbs => 1,
            _ => 2,
        };
        let priorities: Vec<u8> = (0..body.ranks.len()).map(priority).collect();
        Ok(body.with_priorities(&priorities))
    }

    /// Gives each effector a priority; lower numbers come first. Where targets contradict each other, an
    /// effector gives way to those before it, a thirtieth of their weight for each step.
    pub fn with_priorities(mut self, priorities: &[u8]) -> Self {
        for (rank, priority) in self.ranks.iter_mut().zip(priorities) {
            *rank = 0.03f32.powi(i32::from(*priority));
        }
        self
    }

    /// Asks for balance in the solves to come, or no longer. A place that is not finite is no balance.
    pub fn set_balance(&mut self, balance: Option<Balance>) {
        self.balance = balance.filter(|balance| balance.place.is_finite() && balance.radius >= 0.0);
    }

    /// Number of targets that a solve takes.
    pub fn effector_count(&self) -> usize {
        self.ranks.len()
    }

    /// The masses of the body.
    pub fn masses(&self) -> &Masses {
        &self.masses
    }

    /// Poses limbs and all that hangs on them for the trunk as it is. Returns the largest distance
    /// and angle that are left.
    fn pose_limbs(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> (f32, f32) {
        for limb in &self.limbs {
            limb.restore(locals);
        }
        self.skeleton.local_to_model(locals, models);
        let (mut distance, mut angle) = (0.0f32, 0.0f32);
        for (limb, target) in self.limbs.iter_mut().zip(targets).filter(|(_, t)| t.active()) {
            limb.reach(target, &self.options.limb, locals, models);
            let end = models[limb.end()];
            distance = distance.max(end.translation.distance(target.position));
            if let Some(wanted) = target.rotation {
                angle = angle.max(rotation::angle_between(end.rotation, wanted));
            }
            for joint in limb.below.clone().skip(1) {
                if let (Some(parent), false) =
                    (self.skeleton.parent(joint), limb.joints.contains(&joint))
                {
                    models[joint] = models[parent] * locals[joint];
                }
            }
        }
        (distance, angle)
    }

    /// The targets of head and hips with their joints and ranks.
    fn trunk_targets<'a>(
        &'a self,
        targets: &'a [IkTarget],
    ) -> impl Iterator<Item = (usize, &'a IkTarget, f32)> + 'a {
        let first = self.limbs.len();
        let joints = self.head.into_iter().chain(std::iter::once(self.hips));
        joints
            .zip(&targets[first..])
            .zip(&self.ranks[first..])
            .map(|((joint, target), &rank)| (joint, target, rank))
            .filter(|(_, target, _)| target.active())
    }

    /// What head and hips are from their targets: largest distance and angle.
    fn trunk_residual(&self, targets: &[IkTarget], models: &[Transform]) -> (f32, f32) {
        self.trunk_targets(targets).fold((0.0, 0.0), |(distance, angle), (joint, target, _)| {
            let model = &models[joint];
            let turned = target
                .rotation
                .map_or(0.0, |wanted| rotation::angle_between(model.rotation, wanted));
            (distance.max(model.translation.distance(target.position)), angle.max(turned))
        })
    }

    /// Mass and moment below every joint.
    fn weigh(&mut self, models: &[Transform]) {
        for (joint, model) in models.iter().enumerate().take(self.subtrees.len()) {
            self.subtrees[joint] = (self.masses.mass(joint), self.masses.moment(joint, model));
        }
        for joint in (1..self.subtrees.len()).rev() {
            if let Some(parent) = self.skeleton.parent(joint) {
                let (mass, moment) = self.subtrees[joint];
                self.subtrees[parent].0 += mass;
                self.subtrees[parent].1 += moment;
            }
        }
    }

    /// How far the centre of mass has to move, level, to be in balance.
    fn imbalance(&self) -> Vec3 {
        let Some(balance) = self.balance else { return Vec3::ZERO };
        let (mass, moment) = self.subtrees[0];
        let away = balance.place - moment / mass;
        let level = Vec3::new(away.x, 0.0, away.z);
        let distance = level.length();
        if distance <= balance.radius {
            Vec3::ZERO
        } else {
            level * (1.0 - balance.radius / distance)
        }
    }

    /// The rank from which on effectors are served. Towards the end, those that keep one of a higher
    /// rank from its target are left out.
    fn least_rank(&self, targets: &[IkTarget], iteration: usize, models: &[Transform]) -> f32 {
        if iteration + self.options.last_steps < self.options.max_iterations {
            return 0.0;
        }
        let unreached =
            self.limbs.iter().zip(targets).zip(&self.ranks).filter(|((limb, target), _)| {
                let missing = models[limb.end()].translation.distance(target.position);
                target.active() && missing > self.tolerance
            });
        unreached.map(|(_, &rank)| rank).fold(0.0, f32::max)
    }

    /// One step of the trunk towards what is wanted of it.
    fn move_trunk(
        &mut self,
        targets: &[IkTarget],
        imbalance: Vec3,
        iteration: usize,
        locals: &mut [Transform],
        models: &[Transform],
    ) {
        let mut trunk = std::mem::take(&mut self.trunk);
        let (stiffness, travel) = (self.options.stiffness, self.options.travel);
        let home = stiffness * self.options.fading.powi(iteration as i32);
        trunk.begin(home, self.options.damping * stiffness, travel, locals, models);
        let least = self.least.max(self.least_rank(targets, iteration, models));
        self.least = least;
        for (index, limb) in self.limbs.iter().enumerate() {
            let target = &targets[index];
            if !target.active() || self.ranks[index] < least {
                continue;
            }
            let (root, end) = (models[limb.joints[0]].translation, models[limb.end()].translation);
            let way = target.position - root;
            let missing = target.position - end;
            let stretch = way.length() - 0.995 * self.options.limb.max_extension * limb.length;
            let weight = self.ranks[index] * target.weight;
            let wish = if missing.length() > 0.5 * self.tolerance {
                self.asking[index] = true;
                Some((missing.normalize_or_zero(), missing.length().max(stretch)))
            } else if self.asking[index] {
                // Has asked before: what it was given is not taken away.
                Some((way.normalize_or_zero(), stretch.max(0.0)))
            } else {
                None
            };
            if let Some((direction, error)) = wish {
                let error = error.min(self.options.most_way * limb.length);
                trunk.move_point(limb.joints[0], end, direction, error, weight, models);
            }
        }
        for (joint, target, rank) in self.trunk_targets(targets) {
            if rank < least {
                continue;
            }
            let weight = rank * target.weight;
            let point = models[joint].translation;
            let away = target.position - point;
            for axis in 0..3 {
                let direction = Vec3::AXES[axis];
                trunk.move_point(joint, point, direction, away[axis], weight, models);
            }
            if let Some(wanted) = target.rotation {
                let turn = rotation::log(wanted * models[joint].rotation.conjugate());
                trunk.turn_joint(joint, turn, self.options.turn_weight * weight);
            }
        }
        if self.balance.is_some() && least == 0.0 {
            for axis in [0, 2] {
                let weight = self.options.balance_weight;
                let subtree = |joint: usize| self.subtrees[joint];
                trunk.move_centre(Vec3::AXES[axis], imbalance[axis], weight, subtree, models);
            }
        }
        trunk.step(self.options.most_turn, locals, models);
        self.trunk = trunk;
    }
}

impl Solver for FullBody {
    fn solve(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> IkReport {
        let fits =
            targets.len() == self.effector_count() && targets.iter().all(IkTarget::is_finite);
        if !fits {
            return IkReport::REFUSED;
        }
        self.trunk.remember(locals);
        for limb in &mut self.limbs {
            limb.remember(locals);
        }
        self.asking.fill(false);
        self.least = 0.0;
        self.trunk.clamp(locals);
        let mut iterations = 0;
        let mut last = f32::INFINITY;
        loop {
            let (mut residual, mut angle) = self.pose_limbs(targets, locals, models);
            let (distance, turned) = self.trunk_residual(targets, models);
            (residual, angle) = (residual.max(distance), angle.max(turned));
            let mut imbalance = Vec3::ZERO;
            if self.balance.is_some() {
                self.weigh(models);
                imbalance = self.imbalance();
            }
            let balanced = imbalance.length() <= self.options.balance_tolerance * self.tolerance;
            let near = residual <= self.tolerance && balanced;
            let reached = near && angle <= 10.0 * ANGLE;
            // Orientations that limits forbid are not worth more steps.
            let settled = near && last - angle < 0.1 * angle;
            last = if near { angle } else { f32::INFINITY };
            if reached || settled || iterations >= self.options.max_iterations {
                return IkReport { reached, residual, iterations };
            }
            self.move_trunk(targets, imbalance, iterations, locals, models);
            iterations += 1;
        }
    }

    fn joints(&self) -> &[usize] {
        &self.joints
    }
}
