//! Soles as they are shown, by matrices of its own.

use andante_skeleton::{Character, Transform};
use andante_world::Ground;
use glam::{Mat4, Vec2, Vec3};

/// Joints in the world.
pub fn forward(character: &Character, pose: &[Transform]) -> Vec<Mat4> {
    let mut placed: Vec<Mat4> = Vec::with_capacity(pose.len());
    for (joint, local) in pose.iter().enumerate() {
        let own = Mat4::from_rotation_translation(local.rotation, local.translation);
        let above = character.skeleton.parent(joint).map(|parent| placed[parent]);
        placed.push(above.map_or(own, |above| above * own));
    }
    placed
}

/// Heel, ball and tip of every foot.
pub fn soles(character: &Character, pose: &[Transform]) -> Vec<[Vec3; 3]> {
    let placed = forward(character, pose);
    let feet = character.rig.feet.iter();
    feet.map(|foot| {
        [foot.heel, foot.ball, foot.tip].map(|at| placed[at.joint].transform_point3(at.offset))
    })
    .collect()
}

/// Height of a point above the ground below it, seen from half a metre above; none over a hole.
fn above(point: Vec3, ground: &dyn Ground) -> Option<f32> {
    let hit = ground.probe(point + Vec3::Y * 0.6, 3.0)?;
    Some(point.y - hit.point.y)
}

/// How high the lowest of heel, ball and tip is above the ground; below it, as far as the shortest way out, which may lead
/// aside.
pub fn lowest(sole: &[Vec3; 3], ground: &dyn Ground) -> Option<f32> {
    let out = |point: &Vec3| {
        let up = above(*point, ground)?;
        let aside = |way: f32| {
            (0..12).any(|direction| {
                let (sin, cos) = (direction as f32 * std::f32::consts::FRAC_PI_6).sin_cos();
                above(*point + way * Vec3::new(sin, 0.0, cos), ground).is_some_and(|up| up >= 0.0)
            })
        };
        let ways = [0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.03];
        let shorter = ways.into_iter().take_while(|way| *way < -up).find(|way| aside(*way));
        Some(shorter.map_or(up, |way| -way))
    };
    sole.iter().filter_map(out).reduce(f32::min)
}

/// The same of all places from heel to tip: soles on edges touch them somewhere between.
pub fn closest(sole: &[Vec3; 3], ground: &dyn Ground) -> Option<f32> {
    let [heel, ball, tip] = *sole;
    let between = (0..=16).map(|part| {
        let t = part as f32 / 8.0;
        if t < 1.0 { heel.lerp(ball, t) } else { ball.lerp(tip, t - 1.0) }
    });
    between.filter_map(|point| above(point, ground)).reduce(f32::min)
}

/// The largest distance of a joint from where it was before.
pub fn moved(character: &Character, before: &[Transform], after: &[Transform]) -> f32 {
    let [a, b] = [before, after].map(|pose| forward(character, pose));
    let apart = a.iter().zip(&b).map(|(a, b)| (a.w_axis - b.w_axis).length());
    apart.fold(0.0, f32::max)
}

/// How far soles slide while a source has them on its floor: the least that any of their points that are low move, frame by
/// frame, summed up over each stance; the sum of all stances.
#[derive(Default)]
pub struct Sliding {
    before: Vec<[Vec3; 3]>,
    gone: Vec<Vec2>,
    pub total: f32,
    pub largest: f32,
}

impl Sliding {
    /// Adds a frame in which feet are down or not.
    pub fn add(&mut self, soles: Vec<[Vec3; 3]>, down: &[[bool; 3]]) {
        self.gone.resize(soles.len(), Vec2::ZERO);
        for (foot, down) in down.iter().enumerate() {
            if *down == [false; 3] || self.before.is_empty() {
                self.total += self.gone[foot].length();
                self.gone[foot] = Vec2::ZERO;
                continue;
            }
            let moves = (0..3).filter(|&point| down[point]).map(|point| {
                let by = soles[foot][point] - self.before[foot][point];
                Vec2::new(by.x, by.z)
            });
            let least = moves.min_by(|a, b| a.length().total_cmp(&b.length()));
            self.gone[foot] += least.unwrap_or_default();
            self.largest = self.largest.max(self.gone[foot].length());
        }
        self.before = soles;
    }
}
