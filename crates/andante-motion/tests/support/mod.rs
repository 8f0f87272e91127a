//! Captured walks for tests.

use andante_formats::ReadOptions;
use andante_motion::{Contacts, FootContacts, Interval};
use andante_skeleton::{Arm, BodyPoint, Clip, Foot, Rig, Side, Skeleton, Transform};
use glam::Vec3;

/// A captured motion with everything that is known about it.
pub struct Captured {
    pub skeleton: Skeleton,
    pub rig: Rig,
    pub clip: Clip,
    pub contacts: Contacts,
}

/// Reads a motion of the Carnegie Mellon data, without the T-pose in its first frame.
pub fn cmu(path: &str) -> Option<Captured> {
    let file = andante_testdata::mocap(path)?;
    let options = ReadOptions { scale: Some(0.056444), ..ReadOptions::default() };
    let asset = andante_formats::bvh::read(&std::fs::read(file).unwrap(), path, &options).unwrap();
    let skeleton = asset.skeleton;
    let clip = &asset.clips[0];
    let transforms = clip.transforms()[skeleton.len()..].to_vec();
    let clip = Clip::new(path, &skeleton, clip.fps(), transforms).unwrap();
    let rig = rig(&skeleton, &clip);
    let contacts = contacts(&skeleton, &rig, &clip);
    Some(Captured { skeleton, rig, clip, contacts })
}

fn rig(skeleton: &Skeleton, clip: &Clip) -> Rig {
    let find = |name: &str| skeleton.find(name).unwrap();
    let frames = andante_motion::metrics::model_frames(skeleton, clip);
    let sides = [(Side::Left, "Left", "L"), (Side::Right, "Right", "R")];
    let feet = sides.map(|(side, name, letter)| {
        let (ankle, toes) = (find(&format!("{name}Foot")), find(&format!("{name}ToeBase")));
        // The sole is flat when the ankle hardly moves.
        let still = (1..frames.len() - 1)
            .min_by(|&a, &b| {
                let speed = |frame: usize| {
                    [ankle, toes]
                        .map(|joint| {
                            let at = |frame: usize| frames[frame][joint].translation;
                            at(frame + 1).distance(at(frame - 1))
                        })
                        .iter()
                        .sum::<f32>()
                };
                speed(a).total_cmp(&speed(b))
            })
            .unwrap();
        let models = &frames[still];
        let tip = models[toes].transform_point(skeleton.joint(toes).tip.unwrap());
        let along = tip - models[ankle].translation;
        let along = Vec3::new(along.x, 0.0, along.z).normalize();
        let ground = models[toes].translation.y.min(tip.y) - 0.015;
        let at = |joint: usize, point: Vec3| BodyPoint {
            joint,
            offset: models[joint].inverse().transform_point(Vec3::new(point.x, ground, point.z)),
        };
        Foot {
            name: format!("{} foot", name.to_lowercase()),
            side,
            leg: ["HipJoint", "UpLeg", "Leg", "Foot"]
                .iter()
                .map(|part| {
                    find(&format!("{}{part}", if *part == "HipJoint" { letter } else { name }))
                })
                .collect(),
            toes: Some(toes),
            heel: at(ankle, models[ankle].translation - along * 0.06),
            ball: at(toes, models[toes].translation),
            tip: at(toes, tip),
        }
    });
    let arms = sides.map(|(side, name, _)| Arm {
        side,
        chain: ["Arm", "ForeArm", "Hand"].map(|part| find(&format!("{name}{part}"))).to_vec(),
    });
    Rig {
        hips: 0,
        spine: ["LowerBack", "Spine", "Spine1", "Neck", "Neck1"].map(find).to_vec(),
        head: Some(find("Head")),
        feet: feet.to_vec(),
        arms: arms.to_vec(),
    }
}

/// Points are down while they are low and slow.
fn contacts(skeleton: &Skeleton, rig: &Rig, clip: &Clip) -> Contacts {
    let frames = andante_motion::metrics::model_frames(skeleton, clip);
    let down = |point: &BodyPoint| {
        let at: Vec<Vec3> = frames.iter().map(|models| point.position(models)).collect();
        let low = at.iter().map(|p| p.y).fold(f32::INFINITY, f32::min);
        let last = at.len() - 1;
        let is_down: Vec<bool> = (0..at.len())
            .map(|frame| {
                let (a, b) = (frame.saturating_sub(2), (frame + 2).min(last));
                let speed = at[a].distance(at[b]) * clip.fps() / (b - a) as f32;
                speed < 0.5 && at[frame].y < low + 0.05
            })
            .collect();
        let mut intervals: Vec<Interval> = Vec::new();
        for (frame, _) in is_down.iter().enumerate().filter(|(_, down)| **down) {
            let time = clip.frame_time(frame);
            match intervals.last_mut() {
                Some(last) if time - last.end < 0.05 => last.end = time,
                _ => intervals.push(Interval::new(time, time)),
            }
        }
        intervals.retain(|interval| interval.length() > 0.06);
        intervals
    };
    let foot = |foot: &Foot| FootContacts { heel: down(&foot.heel), toe: down(&foot.ball) };
    Contacts { feet: rig.feet.iter().map(foot).collect() }
}

/// Names of the walks of subject 16 that go straight, and of those that turn.
pub const STRAIGHT: [u32; 8] = [15, 16, 21, 22, 31, 32, 47, 58];
pub const TURNING: [u32; 8] = [11, 12, 13, 14, 17, 18, 19, 20];

pub fn walk(number: u32) -> Option<Captured> {
    cmu(&format!("cmu/16/16_{number:02}.bvh"))
}

/// The placement of every joint of a frame in the model.
#[allow(dead_code)]
pub fn models(skeleton: &Skeleton, pose: &[Transform]) -> Vec<Transform> {
    let mut models = pose.to_vec();
    skeleton.local_to_model(pose, &mut models);
    models
}
