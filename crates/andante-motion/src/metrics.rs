//! How good a motion is: the numbers every command reports under the same names.

use andante_play::Contacts;
use andante_skeleton::{Clip, Rig, Skeleton, Transform, model_frames, rotation};
use glam::{Vec2, Vec3};

/// Quality of a clip's feet, over the frames in which they are down.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FootMetrics {
    /// Mean horizontal distance of a contact point from where it touched down, in millimetres.
    pub foot_slide_mm_mean: f32,
    /// Largest such distance.
    pub foot_slide_mm_max: f32,
    /// Deepest sole below the ground in millimetres, at any time.
    pub penetration_mm_max: f32,
    /// Mean height of heel and ball above the ground while both are down, in millimetres.
    pub sole_gap_mm_mean: f32,
    /// Largest change of a foot's world rotation from one frame to the next, in degrees.
    pub foot_rotation_deg_max: f32,
    /// Largest extension of a leg, as distance from hip to ankle over the length of its bones: 1 is
    /// straight.
    pub knee_extension_max: f32,
}

/// Measures the feet of a clip over ground whose height at a point is `ground`.
pub fn foot_metrics(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    contacts: &Contacts,
    ground: impl Fn(f32, f32) -> f32,
) -> FootMetrics {
    foot_metrics_over(skeleton, rig, clip, contacts, |point| ground(point.x, point.z))
}

/// Measures the feet of a clip over ground that may have several levels: `ground` is the height of the one below a
/// point. Where there is none it is not finite, and nothing is measured.
pub fn foot_metrics_over(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    contacts: &Contacts,
    ground: impl Fn(Vec3) -> f32,
) -> FootMetrics {
    let frames = model_frames(skeleton, clip);
    let mut slide = Mean::default();
    let mut gap = Mean::default();
    let mut metrics = FootMetrics::default();
    for (foot, contact) in rig.feet.iter().zip(&contacts.feet) {
        for (point, intervals) in [(foot.heel, &contact.heel), (foot.ball, &contact.toe)] {
            for interval in intervals {
                let mut landed: Option<Vec3> = None;
                for (frame, models) in frames.iter().enumerate() {
                    if interval.contains(clip.frame_time(frame)) {
                        let position = point.position(models);
                        let from = *landed.get_or_insert(position);
                        slide.add(flat(position - from).length());
                    }
                }
            }
        }
        for (frame, models) in frames.iter().enumerate() {
            let time = clip.frame_time(frame);
            let height = |position: Vec3| position.y - ground(position);
            let heights =
                [foot.heel, foot.ball, foot.tip].map(|point| height(point.position(models)));
            let sound = heights.iter().filter(|height| height.is_finite());
            let deepest = sound.fold(0.0f32, |deepest, height| deepest.max(-height));
            metrics.penetration_mm_max = metrics.penetration_mm_max.max(1000.0 * deepest);
            if contact.heel_down(time) && contact.toe_down(time) {
                let mean = 0.5 * (heights[0] + heights[1]);
                if mean.is_finite() {
                    gap.add(mean);
                }
            }
            let straight: f32 =
                foot.leg.windows(2).map(|bone| distance(models, bone[0], bone[1])).sum();
            if straight > 0.0 {
                let extension = distance(models, foot.hip(), foot.ankle()) / straight;
                metrics.knee_extension_max = metrics.knee_extension_max.max(extension);
            }
            if frame > 0 {
                let (before, now) = (frames[frame - 1][foot.ankle()], models[foot.ankle()]);
                let turned = rotation::angle_between(before.rotation, now.rotation).to_degrees();
                metrics.foot_rotation_deg_max = metrics.foot_rotation_deg_max.max(turned);
            }
        }
    }
    metrics.foot_slide_mm_mean = 1000.0 * slide.mean();
    metrics.foot_slide_mm_max = 1000.0 * slide.max;
    metrics.sole_gap_mm_mean = 1000.0 * gap.mean();
    metrics
}

/// Smoothness of a clip's body.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BodyMetrics {
    /// Root mean square of the change of the hips' acceleration, in m/s³.
    pub pelvis_jerk_rms: f32,
    /// Largest acceleration of the root, in m/s².
    pub root_accel_max: f32,
}

/// Measures how smoothly a body moves, by differences from frame to frame. Clips of fewer than four
/// frames are as smooth as can be.
pub fn body_metrics(skeleton: &Skeleton, rig: &Rig, clip: &Clip) -> BodyMetrics {
    let frames = model_frames(skeleton, clip);
    let rate = clip.fps();
    let slopes = |values: &[Vec3]| -> Vec<Vec3> {
        values.windows(2).map(|pair| (pair[1] - pair[0]) * rate).collect()
    };
    let path = |joint: usize| -> Vec<Vec3> {
        frames.iter().map(|models| models[joint].translation).collect()
    };
    let jerks = slopes(&slopes(&slopes(&path(rig.hips))));
    let accelerations = slopes(&slopes(&path(0)));
    let squares: f64 = jerks.iter().map(|jerk| f64::from(jerk.length_squared())).sum();
    BodyMetrics {
        pelvis_jerk_rms: (squares / jerks.len().max(1) as f64).sqrt() as f32,
        root_accel_max: accelerations.iter().map(|a| a.length()).fold(0.0, f32::max),
    }
}

/// Mean angle between the joints of two clips of the same skeleton, in degrees, over the frames they
/// share; roots are left out, since moving elsewhere is not another pose.
pub fn pose_change_deg_mean(clip: &Clip, source: &Clip) -> f32 {
    let mut change = Mean::default();
    for (pose, before) in clip.frames().zip(source.frames()) {
        for (a, b) in pose.iter().zip(before).skip(1) {
            change.add(rotation::angle_between(a.rotation, b.rotation).to_degrees());
        }
    }
    change.mean()
}

fn distance(models: &[Transform], a: usize, b: usize) -> f32 {
    models[a].translation.distance(models[b].translation)
}

fn flat(v: Vec3) -> Vec2 {
    Vec2::new(v.x, v.z)
}

/// A running mean and maximum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mean {
    sum: f64,
    count: usize,
    /// The largest value so far.
    pub max: f32,
}

impl Mean {
    /// One value more.
    pub fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
        self.max = self.max.max(value);
    }

    /// The mean so far; 0 of nothing.
    pub fn mean(&self) -> f32 {
        if self.count == 0 { 0.0 } else { (self.sum / self.count as f64) as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_play::{FootContacts, Interval};
    use andante_skeleton::{Pose, humanoid};

    #[test]
    fn smoothness_agrees_with_a_path_whose_derivatives_are_known() {
        // z = t³: acceleration 6t, jerk 6; over one second.
        let human = humanoid();
        let mut transforms = Vec::new();
        for frame in 0..=100 {
            let time = frame as f32 / 100.0;
            let mut pose = Pose::rest(&human.skeleton);
            pose[0].translation.z = time.powi(3);
            transforms.extend_from_slice(&pose);
        }
        let clip = Clip::new("cubic", &human.skeleton, 100.0, transforms).unwrap();
        let metrics = body_metrics(&human.skeleton, &human.rig, &clip);
        assert!((metrics.pelvis_jerk_rms - 6.0).abs() < 0.3, "{metrics:?}");
        assert!((metrics.root_accel_max - 6.0).abs() < 0.2, "{metrics:?}");
    }

    #[test]
    fn a_pose_differs_from_itself_by_nothing_and_from_a_bent_one_by_its_share() {
        let human = humanoid();
        let rest = Pose::rest(&human.skeleton);
        let mut bent = rest.clone();
        bent[5].rotation = glam::Quat::from_rotation_x(0.5);
        let clip = |pose: &Pose| Clip::new("pose", &human.skeleton, 60.0, pose.to_vec()).unwrap();
        assert!(pose_change_deg_mean(&clip(&rest), &clip(&rest)) < 1e-3);
        let expected = 0.5f32.to_degrees() / (human.skeleton.len() - 1) as f32;
        assert!((pose_change_deg_mean(&clip(&bent), &clip(&rest)) - expected).abs() < 1e-3);
    }

    #[test]
    fn a_standing_figure_that_is_dragged_slides_by_as_much() {
        let human = humanoid();
        let mut transforms = Vec::new();
        for frame in 0..=10 {
            let mut pose = Pose::rest(&human.skeleton);
            pose[0].translation += Vec3::new(0.002, -0.0005, 0.0) * frame as f32;
            transforms.extend_from_slice(&pose);
        }
        let clip = Clip::new("dragged", &human.skeleton, 60.0, transforms).unwrap();
        let whole = vec![Interval::new(0.0, 1.0)];
        let foot = FootContacts { heel: whole.clone(), toe: whole };
        let contacts = Contacts { feet: vec![foot.clone(), foot] };
        let metrics = foot_metrics(&human.skeleton, &human.rig, &clip, &contacts, |_, _| 0.0);
        assert!((metrics.foot_slide_mm_max - 20.0).abs() < 1e-2);
        assert!((metrics.foot_slide_mm_mean - 10.0).abs() < 1e-2);
        assert!((metrics.penetration_mm_max - 5.0).abs() < 1e-2);
        assert!((metrics.sole_gap_mm_mean + 2.5).abs() < 1e-2);
        assert!((metrics.knee_extension_max - 1.0).abs() < 1e-5);
        assert!(metrics.foot_rotation_deg_max < 1e-3);
    }
}
