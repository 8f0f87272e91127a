//! Compares the solvers on the same leg and the same targets: error, iterations, time, change of pose.
//!
//! ```text
//! cargo run --release -p andante-ik --example compare_solvers
//! ```
#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

use andante_ik::{
    Ccd, CcdOptions, ChainDescent, ChainDescentOptions, Fabrik, FabrikOptions, Freedom, IkTarget,
    Jacobian, JacobianOptions, Solver, TwoBoneSolver,
};
use andante_motion::synth;
use andante_skeleton::{BodyPoint, Pose, Transform, Wrap, humanoid, rotation};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use glam::Vec3;
use std::time::Instant;

const FRAMES: usize = 300;
const REPEATS: usize = 30;

fn main() {
    let human = humanoid();
    let skeleton = &human.skeleton;
    let leg = &human.rig.feet[0].leg;
    let foot = [BodyPoint { joint: leg[2], offset: Vec3::ZERO }];
    let limb = TwoBone::new(skeleton, [leg[0], leg[1], leg[2]], Vec3::X).expect("a leg");
    let descent = |options: ChainDescentOptions| {
        ChainDescent::new(skeleton, leg[0], &foot, options).expect("a leg")
    };
    let joint = ChainDescentOptions { freedom: Freedom::Joint, limits: true, ..Default::default() };
    let free = FabrikOptions { limits: false, ..Default::default() };
    let solvers: Vec<(&str, Box<dyn Solver>)> = vec![
        ("two bones", Box::new(TwoBoneSolver::new(limb, TwoBoneOptions::default()))),
        ("CCD", Box::new(Ccd::new(skeleton, leg[0], &foot, CcdOptions::default()).expect("a leg"))),
        ("FABRIK, no limits", Box::new(Fabrik::new(skeleton, leg[0], &foot, free).expect("a leg"))),
        (
            "FABRIK",
            Box::new(
                Fabrik::new(skeleton, leg[0], &foot, FabrikOptions::default()).expect("a leg"),
            ),
        ),
        (
            "damped Jacobian",
            Box::new(
                Jacobian::new(skeleton, leg[0], &foot, JacobianOptions::default()).expect("a leg"),
            ),
        ),
        ("descent, frame axes", Box::new(descent(ChainDescentOptions::default()))),
        ("descent, joint axes", Box::new(descent(joint))),
    ];

    // A walk whose ankle follows ground that rises and falls by up to 15 cm.
    let walk = synth::clip(&human, "walk").expect("a built-in clip").clip;
    let mut source = Pose::rest(skeleton);
    let frames: Vec<(Pose, Vec<Transform>, IkTarget)> = (0..FRAMES)
        .map(|frame| {
            let time = frame as f32 / 30.0;
            walk.sample(time, Wrap::Loop, &mut source);
            let mut models = source.to_vec();
            skeleton.local_to_model(&source, &mut models);
            let rise = 0.075 - 0.075 * (1.3 * time).cos() + 0.02 * (3.1 * time).sin();
            let aside = 0.03 * (0.7 * time).sin();
            let place = models[leg[2]].translation + Vec3::new(aside, rise, 0.0);
            (source.clone(), models, IkTarget::position(place))
        })
        .collect();

    println!("{FRAMES} key frames of a walk, left leg, ankle up to 17 cm off its course");
    println!(
        "{:<20} {:>9} {:>9} {:>10} {:>8} {:>12} {:>12} {:>7}",
        "", "mean mm", "worst mm", "iterations", "µs", "change mrad", "jerk mrad", "strain"
    );
    for (name, mut solver) in solvers {
        let mut worst = 0.0f32;
        let (mut sum, mut iterations, mut change, mut jerk, mut strain) =
            (0.0, 0, 0.0, 0.0, 0.0f32);
        let mut solved: Vec<Pose> = Vec::new();
        for (pose, models, target) in &frames {
            let (mut pose, mut models) = (pose.clone(), models.clone());
            let source = pose.clone();
            let report = solver.solve(&[*target], &mut pose, &mut models);
            worst = worst.max(report.residual);
            sum += report.residual;
            iterations += report.iterations;
            for &joint in leg {
                change += rotation::angle_between(source[joint].rotation, pose[joint].rotation);
                let known = skeleton.joint(joint);
                strain = strain.max(known.limit.strain(known.rest.rotation, pose[joint].rotation));
            }
            solved.push(pose);
        }
        // Second difference of the rotations from frame to frame.
        for three in solved.windows(3) {
            for &joint in leg {
                let step = |a: &Pose, b: &Pose| {
                    rotation::log(a[joint].rotation.conjugate() * b[joint].rotation)
                };
                jerk += (step(&three[1], &three[2]) - step(&three[0], &three[1])).length();
            }
        }
        // The best of several runs: what the solver costs, not what the machine does beside it.
        let mut best = f64::INFINITY;
        let (mut pose, mut models) = (frames[0].0.clone(), frames[0].1.clone());
        for _ in 0..REPEATS {
            let mut spent = 0.0;
            for (source, source_models, target) in &frames {
                pose.copy_from_slice(source);
                models.copy_from_slice(source_models);
                let start = Instant::now();
                std::hint::black_box(solver.solve(&[*target], &mut pose, &mut models));
                spent += start.elapsed().as_secs_f64();
            }
            best = best.min(spent);
        }
        let count = FRAMES as f32;
        println!(
            "{name:<20} {:9.3} {:9.3} {:10.1} {:8.2} {:12.1} {:12.1} {:7.2}",
            1e3 * sum / count,
            1e3 * worst,
            iterations as f32 / count,
            1e6 * best / f64::from(count),
            1e3 * change / count,
            1e3 * jerk / count,
            strain
        );
    }
}
