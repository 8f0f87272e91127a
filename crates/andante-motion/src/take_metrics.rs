//! How good a take is on the ground it was made for.

use crate::metrics::{Mean, body_metrics, pose_change_deg_mean};
use andante_play::Contacts;
use andante_skeleton::{Character, Clip, Transform, model_frames, rotation};
use andante_world::{Ground, Hit};
use glam::{Vec2, Vec3};

/// Quality of a take, under the names every command uses.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct TakeMetrics {
    /// Mean horizontal distance of a contact point from where it touched down, in millimetres. The ball hands
    /// over to the tip of the toes when it has risen above it.
    pub foot_slide_mm_mean: f32,
    /// Largest such distance.
    pub foot_slide_mm_max: f32,
    /// Deepest point of a sole in the ground in millimetres, at any time: the shortest way out.
    pub penetration_mm_max: f32,
    /// Mean height of heel and ball above the ground while both are down, in millimetres.
    pub sole_gap_mm_mean: f32,
    /// Largest change of a foot's world rotation from one frame to the next, in degrees.
    pub foot_rotation_deg_max: f32,
    /// Largest extension of a leg: 1 is straight.
    pub knee_extension_max: f32,
    /// Root mean square of the change of the hips' acceleration, in m/s³.
    pub pelvis_jerk_rms: f32,
    /// Mean angle between the joints of the take and those of its source, in degrees.
    pub pose_change_deg_mean: f32,
    /// Largest acceleration of the root, in m/s².
    pub root_accel_max: f32,
}

/// How far around a point the way out of the ground is looked for, in metres.
const WAYS_OUT: [f32; 8] = [0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.04];

/// A ball this much higher above the ground than the tip of the toes does not bear any more, in metres.
const RISEN: f32 = 0.005;

/// Measures a take on the ground it was made for.
pub fn take_metrics(
    character: &Character,
    take: &Clip,
    source: &Clip,
    contacts: &Contacts,
    ground: &dyn Ground,
) -> TakeMetrics {
    let (skeleton, rig) = (&character.skeleton, &character.rig);
    let frames = model_frames(skeleton, take);
    let (mut slide, mut gap) = (Mean::default(), Mean::default());
    let mut metrics = TakeMetrics::default();
    for (foot, contact) in rig.feet.iter().zip(&contacts.feet) {
        for (points, intervals) in
            [([foot.heel; 2], &contact.heel), ([foot.ball, foot.tip], &contact.toe)]
        {
            for interval in intervals {
                let mut landed = [None; 2];
                for (frame, models) in frames.iter().enumerate() {
                    if !interval.contains(take.frame_time(frame)) {
                        continue;
                    }
                    let places = points.map(|point| point.position(models));
                    let bearing = bearing(ground, places);
                    let place = Vec2::new(places[bearing].x, places[bearing].z);
                    let from: &mut Vec2 = landed[bearing].get_or_insert(place);
                    slide.add(place.distance(*from));
                }
            }
        }
        for (frame, models) in frames.iter().enumerate() {
            let points = [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
            for point in points {
                let depth = 1e3 * depth(ground, point);
                metrics.penetration_mm_max = metrics.penetration_mm_max.max(depth);
            }
            let time = take.frame_time(frame);
            if contact.heel_down(time) && contact.toe_down(time) {
                let above = |point: Vec3| height(ground, point).map(|ground| point.y - ground);
                if let (Some(heel), Some(ball)) = (above(points[0]), above(points[1])) {
                    gap.add(0.5 * (heel + ball));
                }
            }
            metrics.knee_extension_max =
                metrics.knee_extension_max.max(extension(models, &foot.leg));
            if frame > 0 {
                let before = frames[frame - 1][foot.ankle()].rotation;
                let turned = rotation::angle_between(before, models[foot.ankle()].rotation);
                metrics.foot_rotation_deg_max =
                    metrics.foot_rotation_deg_max.max(turned.to_degrees());
            }
        }
    }
    let body = body_metrics(skeleton, rig, take);
    TakeMetrics {
        foot_slide_mm_mean: 1e3 * slide.mean(),
        foot_slide_mm_max: 1e3 * slide.max,
        sole_gap_mm_mean: 1e3 * gap.mean(),
        pelvis_jerk_rms: body.pelvis_jerk_rms,
        root_accel_max: body.root_accel_max,
        pose_change_deg_mean: pose_change_deg_mean(take, source),
        ..metrics
    }
}

/// Which of two points of a sole bears: the first, unless it is off the ground by clearly more than the second.
fn bearing(ground: &dyn Ground, points: [Vec3; 2]) -> usize {
    let above = points.map(|point| height(ground, point).map_or(0.0, |ground| point.y - ground));
    usize::from(above[0] > above[1] + RISEN)
}

/// The ground near a point, which may be a little below it.
fn probe(ground: &dyn Ground, point: Vec3) -> Option<Hit> {
    ground.probe(point + Vec3::Y * 0.35, 3.0)
}

fn height(ground: &dyn Ground, point: Vec3) -> Option<f32> {
    probe(ground, point).map(|hit| hit.point.y)
}

/// How deep a point is in the ground: the shortest way out, up or to a side.
fn depth(ground: &dyn Ground, point: Vec3) -> f32 {
    let Some(surface) = probe(ground, point) else { return 0.0 };
    // Out of a slope the shortest way is along its normal.
    let up = (surface.point.y - point.y) * surface.normal.y;
    if up <= WAYS_OUT[0] {
        return up.max(0.0);
    }
    let free = |way: f32| {
        (0..8).any(|direction| {
            let (sin, cos) = (direction as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
            let aside = point + Vec3::new(sin, 0.0, cos) * way;
            height(ground, aside).is_some_and(|surface| surface <= aside.y)
        })
    };
    WAYS_OUT.into_iter().take_while(|&way| way < up).find(|&way| free(way)).unwrap_or(up)
}

fn extension(models: &[Transform], leg: &[usize]) -> f32 {
    let place = |joint: usize| models[joint].translation;
    let straight: f32 = leg.windows(2).map(|bone| place(bone[0]).distance(place(bone[1]))).sum();
    let across = place(leg[0]).distance(place(leg[leg.len() - 1]));
    if straight > 0.0 { across / straight } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::HeightFunction;

    #[test]
    fn the_way_out_of_a_stair_is_the_shorter_one() {
        let stair = HeightFunction::new(|place| if place.y > 0.0 { 0.2 } else { 0.0 });
        assert!((depth(&stair, Vec3::new(0.0, 0.19, 0.5)) - 0.01).abs() < 1e-5);
        let beside = depth(&stair, Vec3::new(0.0, 0.05, 0.0015));
        assert!((0.0015..0.0031).contains(&beside), "{beside}");
        assert_eq!(depth(&stair, Vec3::new(0.0, 0.05, -0.1)), 0.0);
        let slope = HeightFunction::new(|place| place.y);
        let below = depth(&slope, Vec3::new(0.0, -0.002, 0.0));
        assert!((below - 0.002 * std::f32::consts::FRAC_1_SQRT_2).abs() < 2e-5, "{below}");
    }
}
