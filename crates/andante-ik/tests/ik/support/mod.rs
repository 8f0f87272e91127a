//! Skeletons, poses and solvers that several tests share.

pub mod random;
pub mod walk;

use andante_ik::{
    Ccd, CcdOptions, ChainDescent, ChainDescentOptions, Fabrik, FabrikOptions, Freedom, Jacobian,
    JacobianOptions, Solver, TwoBoneSolver,
};
use andante_skeleton::{
    BodyPoint, Character, Joint, JointLimit, Pose, Skeleton, Transform, rotation,
};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use glam::{Quat, Vec3};
use random::Random;

/// A direction, none more likely than another.
pub fn direction(random: &mut Random) -> Vec3 {
    loop {
        let v = Vec3::from([(); 3].map(|()| random.between(-1.0, 1.0)));
        if (0.01..1.0).contains(&v.length_squared()) {
            return v.normalize();
        }
    }
}

pub fn point(joint: usize) -> BodyPoint {
    BodyPoint { joint, offset: Vec3::ZERO }
}

/// The iterative solvers for the same effectors, by name.
pub fn iterative(
    skeleton: &Skeleton,
    root: usize,
    effectors: &[BodyPoint],
    limits: bool,
) -> Vec<(&'static str, Box<dyn Solver>)> {
    let ccd = CcdOptions { limits, ..Default::default() };
    let fabrik = FabrikOptions { limits, ..Default::default() };
    let jacobian = JacobianOptions { limits, ..Default::default() };
    vec![
        ("CCD", Box::new(Ccd::new(skeleton, root, effectors, ccd).unwrap())),
        ("FABRIK", Box::new(Fabrik::new(skeleton, root, effectors, fabrik).unwrap())),
        ("Jacobian", Box::new(Jacobian::new(skeleton, root, effectors, jacobian).unwrap())),
    ]
}

/// All solvers for the left leg (0) or the right one of a humanoid.
pub fn leg_solvers(
    human: &Character,
    side: usize,
    limits: bool,
) -> Vec<(&'static str, Box<dyn Solver>)> {
    let leg = &human.rig.feet[side].leg;
    let limb = TwoBone::new(&human.skeleton, [leg[0], leg[1], leg[2]], Vec3::X).unwrap();
    let mut solvers = iterative(&human.skeleton, leg[0], &[point(leg[2])], limits);
    let options = ChainDescentOptions { limits, freedom: Freedom::Joint, ..Default::default() };
    let descent = ChainDescent::new(&human.skeleton, leg[0], &[point(leg[2])], options).unwrap();
    solvers.push(("descent", Box::new(descent)));
    solvers.push(("two bones", Box::new(TwoBoneSolver::new(limb, TwoBoneOptions::default()))));
    solvers
}

/// Both legs slightly bent, arms hanging: a pose as clips have it.
pub fn standing(human: &Character) -> (Pose, Vec<Transform>) {
    let mut pose = Pose::rest(&human.skeleton);
    for foot in &human.rig.feet {
        for (joint, angle) in foot.leg.iter().zip([-0.3, 0.5, -0.2]) {
            pose[*joint].rotation = Quat::from_rotation_x(angle);
        }
    }
    for (arm, sign) in human.rig.arms.iter().zip([1.0, -1.0]) {
        pose[arm.chain[0]].rotation = Quat::from_rotation_z(-1.2 * sign);
        pose[arm.chain[1]].rotation = Quat::from_rotation_y(-0.4 * sign);
    }
    let mut models = pose.to_vec();
    human.skeleton.local_to_model(&pose, &mut models);
    (pose, models)
}

/// A body with legs of `bones` bones all around it; the last joint of each leg is its foot.
pub fn creature(legs: usize, bones: usize) -> (Skeleton, Vec<Vec<usize>>) {
    let mut joints = vec![Joint::new("body", None, Vec3::Y)];
    let mut chains = Vec::new();
    for leg in 0..legs {
        let side = Quat::from_rotation_y(leg as f32 / legs as f32 * std::f32::consts::TAU);
        let mut chain = Vec::new();
        for bone in 0..=bones {
            let parent = if bone == 0 { 0 } else { joints.len() - 1 };
            let offset = match bone {
                0 => side * Vec3::new(0.0, 0.0, 0.3),
                1 => side * Vec3::new(0.0, 0.1, 0.3),
                _ => side * Vec3::new(0.0, -1.0 / (bones - 1) as f32, 0.1),
            };
            let mut joint = Joint::new(format!("leg {leg} joint {bone}"), Some(parent), offset);
            if bone > 0 && bone < bones {
                joint.limit = JointLimit::Hinge { axis: side * Vec3::X, range: [-1.5, 1.5] };
            }
            chain.push(joints.len());
            joints.push(joint);
        }
        chains.push(chain);
    }
    (Skeleton::new(joints).unwrap(), chains)
}

/// Whether models are what the locals make them, for some joints.
pub fn consistent(
    skeleton: &Skeleton,
    joints: &[usize],
    locals: &[Transform],
    models: &[Transform],
) -> bool {
    let mut again = models.to_vec();
    skeleton.local_to_model(locals, &mut again);
    joints.iter().all(|&joint| {
        again[joint].translation.abs_diff_eq(models[joint].translation, 2e-5)
            && rotation::angle_between(again[joint].rotation, models[joint].rotation) < 1e-4
            && locals[joint].rotation.is_normalized()
    })
}
