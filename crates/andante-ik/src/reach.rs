//! Clips in which a joint reaches a point, with any of the solvers.

use crate::{
    Ccd, CcdOptions, ChainDescent, ChainDescentOptions, ChainError, Fabrik, FabrikOptions, Freedom,
    FullBody, FullBodyOptions, IkReport, IkTarget, Jacobian, JacobianOptions, Solver,
    TwoBoneSolver,
};
use andante_skeleton::{
    BodyPoint, Character, Clip, ClipError, Skeleton, Transform, TwoBone, TwoBoneError,
    TwoBoneOptions, ease,
};
use glam::Vec3;
use thiserror::Error;

/// A solver by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SolverChoice {
    /// Closed form, for the last two bones above the joint: [`TwoBoneSolver`].
    TwoBone,
    /// Joint after joint: [`Ccd`].
    Ccd,
    /// Points first, then rotations: [`Fabrik`].
    Fabrik,
    /// Damped least squares: [`Jacobian`].
    #[default]
    Jacobian,
    /// Gradient descent that stays close to the clip, and weighs the target against it: [`ChainDescent`].
    Descent,
    /// The whole body, feet held where they are: [`FullBody`].
    FullBody,
}

impl SolverChoice {
    /// All of them with the names that commands and files use.
    pub const ALL: [(&'static str, Self); 6] = [
        ("two-bone", Self::TwoBone),
        ("ccd", Self::Ccd),
        ("fabrik", Self::Fabrik),
        ("jacobian", Self::Jacobian),
        ("descent", Self::Descent),
        ("full", Self::FullBody),
    ];

    /// The choice of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, choice)| *choice)
    }
}

/// The reach of a joint: its target, and the way it gets there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The joint.
    pub joint: usize,
    /// The point in the world, in metres.
    pub point: Vec3,
    /// When it is there, in seconds of the clip.
    pub time: f32,
    /// Seconds that it stays there.
    pub hold: f32,
    /// Seconds in which it leaves its own way before, and comes back to it after (0.1…1). Short fades jerk.
    pub fade: f32,
    /// Who solves it.
    pub solver: SolverChoice,
}

impl Default for Reach {
    fn default() -> Self {
        let solver = SolverChoice::default();
        Self { joint: 0, point: Vec3::ZERO, time: 0.0, hold: 0.0, fade: 0.4, solver }
    }
}

/// An error that keeps a clip from being given a reach.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ReachError {
    /// The solver cannot be made for this joint.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The bones above the joint are no limb.
    #[error(transparent)]
    Limb(#[from] TwoBoneError),
    /// The joint has nothing above it that could turn.
    #[error("joint `{0}` has no chain above it that could reach")]
    NoChain(String),
    /// The joint is none that a whole body reaches with.
    #[error(
        "a whole body reaches with the ends of its limbs, its head or its hips, not with joint `{0}`"
    )]
    NoEffector(String),
    /// A number is not finite, or the fade is negative.
    #[error("a point, time, hold or fade is not a number in range")]
    NonFinite,
    /// The clip belongs to another skeleton, or its frames are broken.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// The clip in which a joint reaches a point at a time and stays there as long as it is asked to, and what was achieved in the worst
/// frame of it.
///
/// The chain begins where the joint's limb does, or at most three joints above it where the rig knows no limb. Frames outside
/// the fades stay as they are, bit for bit.
///
/// ```
/// use andante_ik::{Reach, SolverChoice, reach};
/// use andante_skeleton::{Clip, Pose, humanoid};
/// use glam::Vec3;
///
/// let human = humanoid();
/// let still = Pose::rest(&human.skeleton).repeat(31);
/// let clip = Clip::new("still", &human.skeleton, 30.0, still)?;
/// let hand = human.skeleton.find("LeftHand").unwrap();
/// let wish = Reach { joint: hand, point: Vec3::new(0.4, 1.2, 0.3), time: 0.5, hold: 0.0, fade: 0.3, solver: SolverChoice::Ccd };
/// let (clip, report) = reach(&human, &clip, &wish)?;
/// assert!(report.reached);
/// assert_eq!(clip.frame_count(), 31);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reach(
    character: &Character,
    clip: &Clip,
    wish: &Reach,
) -> Result<(Clip, IkReport), ReachError> {
    let skeleton = &character.skeleton;
    let spans = [wish.fade, wish.hold];
    let usable = wish.point.is_finite() && wish.time.is_finite();
    if !usable || !spans.iter().all(|span| span.is_finite() && *span >= 0.0) {
        return Err(ReachError::NonFinite);
    }
    if wish.joint >= skeleton.len() {
        return Err(ChainError::NoSuchJoint(wish.joint).into());
    }
    // Checks that the clip belongs to the skeleton.
    let mut transforms = Clip::new(clip.name(), skeleton, clip.fps(), clip.transforms().to_vec())?
        .transforms()
        .to_vec();
    let frame_at = |time: f32| {
        (time * clip.fps()).round().clamp(0.0, (clip.frame_count() - 1) as f32) as usize
    };
    let (from, to) = (frame_at(wish.time), frame_at(wish.time + wish.hold));
    let mut effector = Effectors::new(character, clip.frame(from), wish)?;
    let mut models = vec![Transform::IDENTITY; skeleton.len()];
    let mut report: Option<IkReport> = None;
    for (frame, pose) in transforms.chunks_exact_mut(skeleton.len()).enumerate() {
        let away = from.saturating_sub(frame).max(frame.saturating_sub(to));
        let away = away as f32 / clip.fps();
        let weight = if away == 0.0 { 1.0 } else { 1.0 - ease(away / wish.fade.max(1e-6)) };
        if weight <= 0.0 {
            continue;
        }
        skeleton.local_to_model(pose, &mut models);
        let own = models[wish.joint].translation;
        let solved = effector.solve(own.lerp(wish.point, weight), pose, &mut models);
        if away == 0.0 && report.is_none_or(|worst| solved.residual > worst.residual) {
            report = Some(solved);
        }
    }
    let report = report.unwrap_or(IkReport::REFUSED);
    Ok((Clip::new(clip.name(), skeleton, clip.fps(), transforms)?, report))
}

/// A solver with the targets of everything that is not to move.
struct Effectors {
    solver: Box<dyn Solver>,
    targets: Vec<IkTarget>,
    /// The target that reaches.
    reaching: usize,
    /// Joints that stay where they are, by target.
    held: Vec<(usize, usize)>,
}

impl Effectors {
    fn new(character: &Character, pose: &[Transform], wish: &Reach) -> Result<Self, ReachError> {
        let (skeleton, joint) = (&character.skeleton, wish.joint);
        if wish.solver == SolverChoice::FullBody {
            return Self::body(character, joint);
        }
        let root = chain_root(character, joint)?;
        let effectors = [BodyPoint { joint, offset: Vec3::ZERO }];
        let solver: Box<dyn Solver> = match wish.solver {
            SolverChoice::TwoBone => Box::new(two_bones(skeleton, pose, joint)?),
            SolverChoice::Ccd => {
                Box::new(Ccd::new(skeleton, root, &effectors, CcdOptions::default())?)
            }
            SolverChoice::Fabrik => {
                Box::new(Fabrik::new(skeleton, root, &effectors, FabrikOptions::default())?)
            }
            SolverChoice::Jacobian => {
                Box::new(Jacobian::new(skeleton, root, &effectors, JacobianOptions::default())?)
            }
            SolverChoice::Descent | SolverChoice::FullBody => {
                let (low, high) = skeleton.rest_bounds();
                let options = ChainDescentOptions {
                    rig_height: (high.y - low.y).max(1e-3),
                    freedom: Freedom::Joint,
                    ..ChainDescentOptions::default()
                };
                Box::new(ChainDescent::new(skeleton, root, &effectors, options)?)
            }
        };
        let targets = vec![IkTarget::position(Vec3::ZERO)];
        Ok(Self { solver, targets, reaching: 0, held: Vec::new() })
    }

    /// A whole body whose feet stay where they are.
    fn body(character: &Character, joint: usize) -> Result<Self, ReachError> {
        let rig = &character.rig;
        let body = FullBody::of_character(character, FullBodyOptions::default())?;
        let feet = rig.feet.iter().map(|foot| foot.ankle());
        let hands = rig.arms.iter().filter_map(|arm| arm.chain.last().copied());
        let ends: Vec<usize> = feet.chain(hands).chain(rig.head).chain([rig.hips]).collect();
        let name = || character.skeleton.joint(joint).name.clone();
        let reaching = ends
            .iter()
            .position(|&end| end == joint)
            .ok_or_else(|| ReachError::NoEffector(name()))?;
        let off = IkTarget::position(Vec3::ZERO).weighted(0.0);
        let mut targets = vec![off; ends.len()];
        let held = (0..rig.feet.len()).filter(|&foot| foot != reaching);
        let held: Vec<(usize, usize)> = held.map(|foot| (foot, ends[foot])).collect();
        for &index in held.iter().map(|(index, _)| index).chain([&reaching]) {
            targets[index].weight = 1.0;
        }
        Ok(Self { solver: Box::new(body), targets, reaching, held })
    }

    fn solve(&mut self, point: Vec3, pose: &mut [Transform], models: &mut [Transform]) -> IkReport {
        for &(index, joint) in &self.held {
            self.targets[index] = IkTarget::placement(models[joint]);
        }
        self.targets[self.reaching].position = point;
        self.solver.solve(&self.targets, pose, models)
    }
}

/// Where the chain of a joint begins: with its limb, or at most three joints above it, but not with the root.
fn chain_root(character: &Character, joint: usize) -> Result<usize, ReachError> {
    let (skeleton, rig) = (&character.skeleton, &character.rig);
    let legs = rig.feet.iter().map(|foot| &foot.leg);
    let limbs = legs.chain(rig.arms.iter().map(|arm| &arm.chain));
    let first = limbs.filter_map(|limb| limb.first().copied());
    let of_limb =
        first.filter(|&first| first < joint && skeleton.subtree(first).contains(&joint)).max();
    let above = || skeleton.ancestors(joint).skip(1).take(3).filter(|&above| above != 0).last();
    of_limb.or_else(above).ok_or_else(|| ReachError::NoChain(skeleton.joint(joint).name.clone()))
}

/// The two bones above a joint, bending as they do in a pose.
fn two_bones(
    skeleton: &Skeleton,
    pose: &[Transform],
    end: usize,
) -> Result<TwoBoneSolver, ReachError> {
    let parent = |joint: usize| skeleton.parent(joint).ok_or(TwoBoneError::NotAChain);
    let middle = parent(end)?;
    let root = parent(middle)?;
    let mut models = pose.to_vec();
    skeleton.local_to_model(pose, &mut models);
    let [a, b, c] = [root, middle, end].map(|joint| models[joint].translation);
    let bend = (b - a).cross(c - b);
    // In the frame that the model has at rest.
    let at_rest = skeleton.rest_models()[middle].rotation * models[middle].rotation.conjugate();
    let limb = TwoBone::new(skeleton, [root, middle, end], at_rest * bend)?;
    Ok(TwoBoneSolver::new(limb, TwoBoneOptions::default()))
}
