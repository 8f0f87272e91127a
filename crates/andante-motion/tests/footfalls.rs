//! Strikes and lifts of feet against another method, which looks at nothing but how far feet are from
//! the hips.

mod captured;

use captured::Captured;
use glam::Vec3;

/// Frames at which values are the largest within 0.4 s to either side; the ends do not count.
fn peaks(values: &[f32], fps: f32) -> Vec<usize> {
    let reach = (0.4 * fps) as usize;
    let is_peak = |frame: &usize| {
        let around = frame.saturating_sub(reach)..(frame + reach + 1).min(values.len());
        values[around].iter().all(|&other| other <= values[*frame])
    };
    (1..values.len().saturating_sub(1)).filter(is_peak).collect()
}

/// After J. A. Zeni, J. G. Richards and J. S. Higginson, "Two simple methods for determining gait events
/// during treadmill and overground walking using kinematic data", Gait & Posture 27 (2008): the heel
/// strikes when it is farthest in front of the pelvis, and the toes lift off when they are farthest behind
/// it. They report 94 % of events within a sixtieth of a second of force plates. Ankle and toe joints stand
/// in for heel and toe markers, so that what the rig believes about soles does not enter.
#[test]
fn strikes_and_lifts_of_a_casual_walk_are_within_two_frames_of_farthest_reach() {
    let Some(captured) = Captured::mocap("cmu/other/104_02.bvh") else { return };
    let clip = &captured.clips[0];
    let analysis = captured.analyse(clip);
    let frames = andante_skeleton::model_frames(&captured.skeleton, clip);
    let hips = |frame: usize| frames[frame][captured.rig.hips].translation;
    let way = hips(frames.len() - 1) - hips(1);
    let ahead = Vec3::new(way.x, 0.0, way.z).normalize();
    // The first and the last steps are shuffles.
    let steady = 0.6..5.0;
    let mut compared = 0;
    for (foot, contacts) in captured.rig.feet.iter().zip(&analysis.contacts.feet) {
        let reach = |joint: usize, sign: f32| -> Vec<f32> {
            let reach = |models: &Vec<andante_skeleton::Transform>| {
                let from_hips = models[joint].translation - models[captured.rig.hips].translation;
                sign * from_hips.dot(ahead)
            };
            frames.iter().map(reach).collect()
        };
        let strikes = peaks(&reach(foot.ankle(), 1.0), clip.fps());
        let lifts = peaks(&reach(foot.toes.unwrap(), -1.0), clip.fps());
        let stances = contacts.stance();
        let starts: Vec<f32> = stances.iter().map(|stance| stance.start).collect();
        let ends: Vec<f32> = stances.iter().map(|stance| stance.end).collect();
        for (what, events, found) in [("strike", strikes, starts), ("lift", lifts, ends)] {
            let events = events.into_iter().map(|frame| clip.frame_time(frame));
            for event in events.filter(|event| steady.contains(event)) {
                let off = found.iter().map(|time| time - event);
                let off = off.min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap();
                assert!(off.abs() < 2.0 / 60.0, "{} {what} at {event}: {off} s off", foot.name);
                compared += 1;
            }
        }
    }
    assert!(compared >= 12, "{compared} events");
}
