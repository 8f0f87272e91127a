//! A walk over hills, its legs adapted by gradient descent key frame by key frame: the experiment of
//! terrain-ik 19.1.

use super::random::Random;
use andante_ik::{ChainDescent, ChainDescentOptions, IkTarget, Solver};
use andante_motion::synth;
use andante_skeleton::{BodyPoint, Pose, Skeleton, Wrap, humanoid};
use glam::{Vec2, Vec3};

/// Key frames a second.
const RATE: f32 = 30.0;

/// The height function of the source: a sum of isotropic Gaussians.
pub struct Hills(Vec<(Vec2, f32, f32)>);

impl Hills {
    /// 250 hills and hollows on 200 m × 200 m.
    pub fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let hill = |_| {
            let centre = Vec2::new(random.between(-100.0, 100.0), random.between(-100.0, 100.0));
            (centre, random.between(-15.0, 80.0), random.between(3.0, 15.0))
        };
        Self((0..250).map(hill).collect())
    }

    pub fn height(&self, place: Vec2) -> f32 {
        let bump = |&(centre, size, width): &(Vec2, f32, f32)| {
            let away = (place - centre).length_squared() / (2.0 * width * width);
            size / (width * std::f32::consts::TAU.sqrt()) * (-away).exp()
        };
        self.0.iter().map(bump).sum()
    }
}

/// Mean, standard deviation, smallest and largest of a series.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    pub mean: f64,
    pub deviation: f64,
    pub least: f64,
    pub most: f64,
}

impl Summary {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        Self {
            mean,
            deviation: variance.sqrt(),
            least: values.iter().copied().fold(f64::INFINITY, f64::min),
            most: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// What the descent did on a walk: a·f1, b·f2, c·f3, F and iterations.
pub struct Statistics {
    pub rig_height: f32,
    pub frames: usize,
    pub rows: [(&'static str, Summary); 5],
    /// Mean distance of the ankles from their targets, in parts of the rig's height.
    pub miss: f64,
}

/// The same character, larger.
fn scaled(skeleton: &Skeleton, scale: f32) -> Skeleton {
    let mut joints = skeleton.joints().to_vec();
    for joint in &mut joints {
        joint.rest.translation *= scale;
    }
    Skeleton::new(joints).expect("a tree stays a tree")
}

/// Walks `seconds` over the hills with everything, hills included, multiplied by `scale`.
pub fn statistics(scale: f32, seconds: f32) -> Statistics {
    let human = humanoid();
    let walk = synth::clip(&human, "walk").expect("a built-in clip");
    let cycle = walk.clip.duration();
    let skeleton = scaled(&human.skeleton, scale);
    let hips = human.rig.hips;
    let ankles: Vec<usize> = human.rig.feet.iter().map(|foot| foot.ankle()).collect();
    let leg = &human.rig.feet[0].leg;
    let length: f32 =
        leg[1..].iter().map(|&joint| skeleton.joint(joint).rest.translation.length()).sum();
    let options = ChainDescentOptions {
        rig_height: 2.0 * length,
        turn_root: false,
        ..ChainDescentOptions::default()
    };
    let feet: Vec<BodyPoint> =
        ankles.iter().map(|&joint| BodyPoint { joint, offset: Vec3::ZERO }).collect();
    let mut descent = ChainDescent::new(&skeleton, hips, &feet, options).expect("two legs");

    let hills = Hills::new(130);
    let mut pose = Pose::rest(&skeleton);
    let mut models = pose.to_vec();
    let mut values: [Vec<f64>; 5] = Default::default();
    let mut miss = 0.0;
    let frames = (seconds * RATE) as usize;
    let travel = walk.clip.frame(walk.clip.frame_count() - 1)[0].translation
        - walk.clip.frame(0)[0].translation;
    for frame in 0..frames {
        let time = frame as f32 / RATE;
        walk.clip.sample(time % cycle, Wrap::Clamp, &mut pose);
        pose[0].translation += travel * (time / cycle).floor();
        for local in pose.iter_mut() {
            local.translation *= scale;
        }
        skeleton.local_to_model(&pose, &mut models);
        // Each ankle keeps its height above the ground below it; the hips follow the lower foot.
        let ground = |place: Vec3| hills.height(Vec2::new(place.x, place.z) / scale) * scale;
        let heights: Vec<f32> =
            ankles.iter().map(|&joint| ground(models[joint].translation)).collect();
        let lower = heights.iter().copied().fold(f32::INFINITY, f32::min);
        pose[0].translation.y += lower;
        skeleton.local_to_model(&pose, &mut models);
        let targets: Vec<IkTarget> = ankles
            .iter()
            .zip(&heights)
            .map(|(&joint, height)| {
                IkTarget::position(models[joint].translation + Vec3::Y * (height - lower))
            })
            .collect();
        let report = descent.solve(&targets, &mut pose, &mut models);
        let terms = descent.terms();
        let found = [terms.reach, terms.similarity, terms.continuity, terms.total()];
        for (series, value) in values.iter_mut().zip(found) {
            series.push(f64::from(value));
        }
        values[4].push(report.iterations as f64);
        miss += f64::from(report.residual / options.rig_height) / frames as f64;
    }
    let names = ["a·f1", "b·f2", "c·f3", "F", "iterations"];
    let mut rows = names.map(|name| (name, Summary::of(&[0.0])));
    for (row, series) in rows.iter_mut().zip(&values) {
        row.1 = Summary::of(series);
    }
    Statistics { rig_height: options.rig_height, frames, rows, miss }
}
