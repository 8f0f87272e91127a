//! Cycles close, keep their speed and mirror each other.

use crate::{in_place, largest, made, smallest, travel};
use andante_motion::synth::{self, GaitMode, GaitRequest, NAMES};
use andante_skeleton::model_frames;
use andante_skeleton::{
    MirrorTable, RootMotion, Transform, humanoid, humanoid_of_height, rotation,
};
use glam::Vec3;

#[test]
fn the_last_frame_of_a_cycle_is_the_first_one_farther_on() {
    let human = humanoid();
    for name in NAMES {
        let clip = made(&human, name);
        if !clip.cyclic {
            continue;
        }
        let (first, last) = (clip.clip.frame(0), clip.clip.frame(clip.clip.frame_count() - 1));
        for (a, b) in in_place(first).iter().zip(in_place(last)) {
            assert!(a.translation.abs_diff_eq(b.translation, 1e-5), "{name}");
            assert!(rotation::angle_between(a.rotation, b.rotation) < 1e-5, "{name}");
        }
    }
}

/// Rotation rates of every joint from frame to frame, root included, in rad per frame.
fn rates(frames: &[&[Transform]]) -> Vec<Vec<Vec3>> {
    frames
        .windows(2)
        .map(|pair| {
            let joint = |(a, b): (&Transform, &Transform)| {
                rotation::log(a.rotation.conjugate() * b.rotation)
            };
            pair[0].iter().zip(pair[1]).map(joint).collect()
        })
        .collect()
}

#[test]
fn nothing_jerks_where_a_cycle_begins_again() {
    let human = humanoid();
    let mirror = MirrorTable::new(&human.skeleton);
    for name in NAMES {
        let clip = made(&human, name);
        if !clip.cyclic {
            continue;
        }
        let frames: Vec<&[Transform]> = clip.clip.frames().collect();
        let rates = rates(&frames);
        for joint in 0..human.skeleton.len() {
            let change = |a: &[Vec3], b: &[Vec3]| (a[joint] - b[joint]).length();
            // The other foot strikes in the middle of the cycle.
            let partner = mirror.partner(joint);
            let inside = largest(rates.windows(2).map(|pair| {
                let partners = (pair[0][partner] - pair[1][partner]).length();
                change(&pair[0], &pair[1]).max(partners)
            }));
            let seam = change(&rates[0], &rates[rates.len() - 1]);
            assert!(seam <= 1.05 * inside + 1e-5, "{name}, joint {joint}: {seam} against {inside}");
        }
    }
}

#[test]
fn speed_and_turn_rate_are_those_asked_for() {
    let human = humanoid();
    for (speed, lateral, turn_rate) in [
        (0.4, 0.0, 0.0),
        (1.3, 0.0, 0.0),
        (1.3, 0.0, -0.6),
        (2.0, 0.0, 0.3),
        (3.0, 0.0, 0.4),
        (6.5, 0.0, -0.2),
        (-0.9, 0.0, 0.0),
        (-0.8, 0.0, 0.3),
        (0.0, 0.5, 0.0),
        (0.7, -0.4, 0.2),
    ] {
        let gait = GaitRequest { lateral, turn_rate, ..GaitRequest::ahead(speed) };
        let clip = synth::locomotion(&human, &gait).unwrap();
        let period = clip.clip.duration();
        let turned = travel(&human, &clip).heading;
        assert!((turned - turn_rate * period).abs() < 2e-3 * period, "{gait:?}");
        // The chord of an arc, and the way it points.
        let half = 0.5 * turn_rate * period;
        let chord =
            speed.hypot(lateral) * period * if half == 0.0 { 1.0 } else { half.sin() / half };
        let root = |frame: usize| clip.clip.frame(frame)[0].translation;
        let way = root(clip.clip.frame_count() - 1) - root(0);
        let along = way.x.hypot(way.z);
        assert!((along / chord - 1.0).abs() < 0.005, "{gait:?}: {along} for {chord}");
        let bearing = way.x.atan2(way.z) - half;
        let asked = lateral.atan2(speed);
        assert!(rotation::wrap_angle(bearing - asked).abs() < 0.02, "{gait:?}: {bearing}");
    }
}

#[test]
fn left_and_right_mirror_each_other_half_a_cycle_apart() {
    let human = humanoid();
    let mirror = MirrorTable::new(&human.skeleton);
    let mut pose = vec![Transform::IDENTITY; human.skeleton.len()];
    for (left, right) in [
        ("walk-left", "walk-right"),
        ("walk-left-wide", "walk-right-wide"),
        ("walk", "walk"),
        ("run-left", "run-right"),
        ("sidestep-left", "sidestep-right"),
        ("crouch-walk", "crouch-walk"),
    ] {
        let (left, right) = (made(&human, left), made(&human, right));
        let steps = left.clip.frame_count() - 1;
        assert_eq!(steps, right.clip.frame_count() - 1);
        assert_eq!(steps % 2, 0);
        for frame in 0..=steps {
            mirror.mirror(left.clip.frame(frame), &mut pose);
            let other = right.clip.frame((frame + steps / 2) % steps);
            for (joint, (a, b)) in in_place(&pose).iter().zip(in_place(other)).enumerate() {
                assert!(a.translation.abs_diff_eq(b.translation, 2e-5), "{frame}: {a:?} {b:?}");
                let turned = rotation::angle_between(a.rotation, b.rotation);
                assert!(
                    turned < 5e-4,
                    "{}, frame {frame}, joint {joint}: {turned}",
                    left.clip.name()
                );
            }
        }
    }
}

#[test]
fn turns_to_the_left_and_to_the_right_mirror_each_other() {
    let human = humanoid();
    let mirror = MirrorTable::new(&human.skeleton);
    let mut pose = vec![Transform::IDENTITY; human.skeleton.len()];
    for angle in [45, 90, 180] {
        let left = made(&human, &format!("turn-left-{angle}"));
        let right = made(&human, &format!("turn-right-{angle}"));
        for (a, b) in left.clip.frames().zip(right.clip.frames()) {
            mirror.mirror(a, &mut pose);
            for (a, b) in pose.iter().zip(b) {
                assert!(a.translation.abs_diff_eq(b.translation, 2e-5));
                assert!(rotation::angle_between(a.rotation, b.rotation) < 5e-4);
            }
        }
        let turned = travel(&human, &left).heading.to_degrees();
        assert!((turned - angle as f32).abs() < 0.1, "{turned}");
    }
}

#[test]
fn runners_fly_and_fall_freely_while_they_do() {
    let human = humanoid();
    for speed in [2.2, 3.0, 4.5, 6.5] {
        let clip = synth::locomotion(
            &human,
            &GaitRequest { mode: GaitMode::Run, ..GaitRequest::ahead(speed) },
        );
        let clip = clip.unwrap();
        let height: Vec<f32> = clip.clip.frames().map(|pose| pose[0].translation.y).collect();
        let fps = clip.clip.fps();
        // Toes leave a little after the contacts say so; a frame on either side is left out.
        let flying = |frame: usize| {
            let near = |shift: f32| clip.clip.frame_time(frame) + shift / fps;
            clip.contacts
                .feet
                .iter()
                .all(|foot| (-4..=1).all(|shift| !foot.toe_down(near(shift as f32))))
        };
        let accelerations: Vec<f32> = (1..height.len() - 1)
            .filter(|&frame| flying(frame))
            .map(|frame| (height[frame + 1] + height[frame - 1] - 2.0 * height[frame]) * fps * fps)
            .collect();
        assert!(!accelerations.is_empty() || speed < 2.5, "no flight at {speed} m/s");
        for acceleration in accelerations {
            assert!((acceleration + 9.81).abs() < 0.5, "{acceleration} at {speed} m/s");
        }
    }
}

#[test]
fn walkers_have_a_foot_on_the_ground_at_all_times() {
    let human = humanoid();
    for speed in [0.4, 0.8, 1.3, 1.8, 2.1] {
        let clip = synth::locomotion(&human, &GaitRequest::ahead(speed)).unwrap();
        for frame in 0..clip.clip.frame_count() {
            let time = clip.clip.frame_time(frame);
            let down =
                |foot: &andante_play::FootContacts| foot.heel_down(time) || foot.toe_down(time);
            assert!(clip.contacts.feet.iter().any(down), "{speed} m/s at {time} s");
        }
    }
}

#[test]
fn the_root_is_not_pushed_about() {
    let human = humanoid();
    for name in NAMES {
        let clip = made(&human, name).clip;
        let fps = clip.fps();
        let root: Vec<Vec3> = clip.frames().map(|pose| pose[0].translation).collect();
        let most =
            largest(root.windows(3).map(|at| (at[2] + at[0] - 2.0 * at[1]).length() * fps * fps));
        let allowed = match name {
            _ if name.starts_with("jump") => 60.0,
            _ if name.starts_with("run") || name == "jog" => 30.0,
            _ => 12.0,
        };
        assert!(most < allowed, "{name}: {most} m/s²");
    }
}

#[test]
fn a_child_walks_as_an_adult_does_at_the_same_froude_number() {
    let (adult, child) = (humanoid(), humanoid_of_height(1.0));
    let (a, b) = (made(&adult, "walk"), made(&child, "walk"));
    let ratio = 1.0f32 / 1.75;
    // To the rounding of the period to frames.
    let period = b.clip.duration() / a.clip.duration() / ratio.sqrt();
    assert!((period - 1.0).abs() < 0.03, "{period}");
    let stride =
        travel(&child, &b).position.length() / travel(&adult, &a).position.length() / ratio;
    assert!((stride - 1.0).abs() < 0.03, "{stride}");
}

#[test]
fn every_clip_begins_at_the_origin_and_faces_ahead() {
    let human = humanoid();
    for name in NAMES {
        let clip = made(&human, name);
        assert_eq!(clip.clip.name(), name);
        assert_eq!(clip.clip.fps(), 60.0);
        let start = clip.clip.frame(0)[0];
        assert!(start.translation.x.hypot(start.translation.z) < 0.1, "{name}: {start:?}");
        assert!(rotation::heading(start.rotation).abs() < 0.2, "{name}");
        let cyclic = !["start", "stop", "turn", "jump", "idle"].iter().any(|w| name.starts_with(w));
        assert_eq!(clip.cyclic, cyclic, "{name}");
    }
}

#[test]
fn standing_takes_place() {
    let human = humanoid();
    for name in ["stand", "idle-look-around", "idle-shift-weight", "idle-stretch", "jump-standing"]
    {
        let clip = made(&human, name);
        let (_, motion) = RootMotion::extract(&human.skeleton, &clip.clip).unwrap();
        assert!(motion.total().position.length() < 1e-4, "{name}");
        let frames = model_frames(&human.skeleton, &clip.clip);
        let head = human.rig.head.unwrap();
        let moved = |axis: fn(Vec3) -> f32| {
            let along = || frames.iter().map(|models| axis(models[head].translation));
            largest(along()) - smallest(along())
        };
        // Nobody is frozen, and nobody wanders off.
        assert!(moved(|p| p.x) + moved(|p| p.y) + moved(|p| p.z) > 0.003, "{name}");
        assert!(moved(|p| p.x) < 0.25 && moved(|p| p.z) < 0.45, "{name}");
    }
}

/// A pop shows as a change of rotation rate from one frame to the next. Walkers' joints change theirs
/// by up to 3° a frame, runners' knees and toes by up to 12° where feet strike and leave.
#[test]
fn no_joint_pops() {
    let human = humanoid();
    for name in NAMES {
        let clip = made(&human, name).clip;
        let frames: Vec<&[Transform]> = clip.frames().collect();
        let rates = rates(&frames);
        let quick = ["run", "jog", "jump"].iter().any(|word| name.contains(word));
        let most = if quick { 14.0 } else { 6.0 };
        for joint in 0..human.skeleton.len() {
            let changes = rates.windows(2).map(|pair| (pair[1][joint] - pair[0][joint]).length());
            let change = largest(changes).to_degrees();
            let joint = &human.skeleton.joint(joint).name;
            assert!(change < most, "{name}, {joint}: {change}° a frame");
        }
    }
}
