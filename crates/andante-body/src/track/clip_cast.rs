//! The frames of any clip as poses of a body: its trunk, its hips, its feet, the sides its knees and elbows are on.

use andante_skeleton::{Character, Clip, Transform, Wrap};
use glam::{DQuat, DVec3};

use super::banded::smoothed;
use super::clip_plan::ClipPlanSettings;
use crate::fit::HumanFit;
use crate::walk::foot_path::ClipFoot;

/// A frame of the clip, as far as a body of few segments can follow it.
#[derive(Clone, Debug)]
pub(super) struct ClipFrame {
    pub trunk: DQuat,
    /// Middle of the hips.
    pub hips: DVec3,
    /// Towards which side of the legs the knees are.
    pub knees: [DVec3; 2],
    /// About what the arms bend, and the directions of upper arm and forearm.
    pub arms: [[DVec3; 3]; 2],
    pub feet: [ClipFoot; 2],
}

/// The frames of a clip, evenly `step` seconds apart from its beginning, its ground at height zero.
pub(super) fn frames(
    fit: &HumanFit,
    character: &Character,
    clip: &Clip,
    ground: f64,
    down: &dyn Fn(usize, f32) -> [bool; 2],
    step: f64,
) -> Vec<ClipFrame> {
    let skeleton = &character.skeleton;
    let rest = skeleton.rest_models();
    let count = (f64::from(clip.duration()) / step + 1e-6).floor() as usize + 1;
    let mut pose = vec![Transform::IDENTITY; skeleton.len()];
    let mut models = pose.clone();
    let frame = |k: usize| {
        let time = (k as f64 * step) as f32;
        clip.sample(time, Wrap::Clamp, &mut pose);
        skeleton.local_to_model(&pose, &mut models);
        one(fit, character, [&rest, &models], ground, |foot| down(foot, time))
    };
    (0..count).map(frame).collect()
}

fn one(
    fit: &HumanFit,
    character: &Character,
    [rest, models]: [&[Transform]; 2],
    ground: f64,
    down: impl Fn(usize) -> [bool; 2],
) -> ClipFrame {
    let rig = &character.rig;
    let at = |joint: usize| models[joint].translation.as_dvec3() - DVec3::Y * ground;
    let turned = |joint: usize| {
        let rest = rest[joint].rotation.as_dquat().normalize();
        (models[joint].rotation.as_dquat().normalize() * rest.conjugate()).normalize()
    };
    let chest = rig.spine.get(rig.spine.len() / 2).copied().unwrap_or(rig.hips);
    let trunk = turned(rig.hips).slerp(turned(chest), 0.5);
    let foot = |side: usize| {
        let own = &rig.feet[side];
        let turn = turned(own.ankle());
        // Toes may point straight down, the foot's axis across hardly ever.
        let (across, ahead) = (turn * DVec3::X, turn * DVec3::Z);
        let yaw = libm::atan2(-across.z, across.x);
        let (sin, cos) = libm::sincos(yaw);
        let [heel_down, toe_down] = down(side);
        ClipFoot {
            ankle: at(own.ankle()),
            pitch: libm::atan2(ahead.y, ahead.x * sin + ahead.z * cos),
            yaw,
            heel_down,
            toe_down,
        }
    };
    let feet = [foot(0), foot(1)];
    let knee = |side: usize| {
        let leg = &rig.feet[side].leg;
        let [hip, knee, ankle] = [leg[0], leg[1], leg[2]].map(at);
        let (sin, cos) = libm::sincos(feet[side].yaw);
        // Where a leg is straight its toes say where the knee is.
        knee - 0.5 * (hip + ankle) + DVec3::new(sin, 0.0, cos) * (0.03 * (hip - ankle).length())
    };
    let arm = |side: usize| {
        let segment = |name: &str| fit.body.segments().iter().position(|own| own.name == name);
        let side_name = ["left", "right"][side];
        let chain = &rig.arms[side].chain;
        let [a, b, c] = [0, 1, 2].map(|k| at(chain[k]));
        let (upper, lower) = ((b - a).normalize_or_zero(), (c - b).normalize_or_zero());
        // Where an arm is straight the turn of its upper half says how it would bend.
        let own = segment(&format!("{side_name} upper arm"));
        let hinge = own.map_or(trunk * DVec3::X, |own| {
            models[fit.joints[own]].rotation.as_dquat() * fit.turns[own] * DVec3::X
        });
        [lower.cross(upper) + 0.15 * hinge, upper, lower]
    };
    ClipFrame {
        trunk,
        hips: 0.5 * (at(rig.feet[0].hip()) + at(rig.feet[1].hip())),
        knees: [knee(0), knee(1)],
        arms: [arm(0), arm(1)],
        feet,
    }
}

/// Takes the shaking of a capture out of everything but the feet.
pub(super) fn calm(frames: &mut [ClipFrame], settings: &ClipPlanSettings) {
    let width = settings.calm / settings.frame;
    let mut before = DQuat::IDENTITY;
    for frame in frames.iter_mut() {
        if before.dot(frame.trunk) < 0.0 {
            frame.trunk = -frame.trunk;
        }
        before = frame.trunk;
    }
    each_curve(frames, 4, width, |f, k, v| {
        let mut q = f.trunk.to_array();
        q[k] = v.unwrap_or(q[k]);
        f.trunk = DQuat::from_array(q);
        q[k]
    });
    each_curve(frames, 3, width, |f, k, v| component(&mut f.hips, k, v));
    for side in 0..2 {
        each_curve(frames, 3, width, |f, k, v| component(&mut f.knees[side], k, v));
        each_curve(frames, 3, width, |f, k, v| component(&mut f.feet[side].ankle, k, v));
        each_curve(frames, 1, width, |f, _, v| set(&mut f.feet[side].pitch, v));
        for part in 0..3 {
            each_curve(frames, 3, width, |f, k, v| component(&mut f.arms[side][part], k, v));
        }
        unwind(frames, side);
        each_curve(frames, 1, width, |f, _, v| set(&mut f.feet[side].yaw, v));
    }
    for side in 0..2 {
        slow_arm(frames, side, settings);
    }
    for frame in frames {
        frame.trunk = frame.trunk.normalize();
        for arm in &mut frame.arms {
            *arm = arm.map(|v| v.normalize_or(DVec3::X));
        }
    }
}

/// Turns the plane of each leg towards where its toes point: an ankle twists little.
pub(super) fn align_knees(frames: &mut [ClipFrame], share: f64) {
    for frame in frames {
        for side in 0..2 {
            let foot = &frame.feet[side];
            let along = (frame.hips - foot.ankle).normalize_or(DVec3::Y);
            let (sin, cos) = libm::sincos(foot.yaw);
            let across = |v: DVec3| v - along * v.dot(along);
            let own = across(frame.knees[side]).normalize_or_zero();
            let toes = across(DVec3::new(sin, 0.0, cos));
            frame.knees[side] = own * (1.0 - share) + toes * share;
        }
    }
}

/// Takes leaps out of an arm that no shoulder can make: markers that were lost and found.
fn slow_arm(frames: &mut [ClipFrame], side: usize, settings: &ClipPlanSettings) {
    let dt = settings.frame;
    let speed = |k: usize| {
        let (a, b) = (&frames[k].arms[side], &frames[(k + 1).min(frames.len() - 1)].arms[side]);
        let fast = |part: usize| {
            let (a, b) = (a[part].normalize_or_zero(), b[part].normalize_or_zero());
            a.distance(b) / dt
        };
        // How an arm is turned about itself is known less well.
        fast(1).max(fast(2)).max(0.5 * fast(0))
    };
    let most = settings.arm_speed;
    let leaps: Vec<bool> = (0..frames.len()).map(|k| speed(k) > most).collect();
    let reach = (2.0 * settings.arm_calm / dt) as usize;
    let near = |k: usize| k.saturating_sub(reach)..(k + reach + 1).min(leaps.len());
    let weights: Vec<f64> = (0..leaps.len())
        .map(|k| f64::from(u8::from(leaps[near(k)].iter().any(|leap| *leap))))
        .collect();
    if !leaps.iter().any(|leap| *leap) {
        return;
    }
    let weights = smoothed(&weights, 0.5 * reach as f64);
    let before: Vec<[DVec3; 3]> = frames.iter().map(|frame| frame.arms[side]).collect();
    let width = settings.arm_calm / dt;
    for part in 0..3 {
        each_curve(frames, 3, width, |f, k, v| component(&mut f.arms[side][part], k, v));
    }
    for ((frame, own), weight) in frames.iter_mut().zip(before).zip(weights) {
        for (slow, own) in frame.arms[side].iter_mut().zip(own) {
            *slow = own.lerp(*slow, weight.clamp(0.0, 1.0));
        }
    }
}

/// Headings of a foot without leaps from one turn to the next.
fn unwind(frames: &mut [ClipFrame], side: usize) {
    let turn = std::f64::consts::TAU;
    for k in 1..frames.len() {
        let before = frames[k - 1].feet[side].yaw;
        let yaw = &mut frames[k].feet[side].yaw;
        *yaw -= ((*yaw - before) / turn).round() * turn;
    }
}

fn component(v: &mut DVec3, k: usize, value: Option<f64>) -> f64 {
    set(&mut v[k], value)
}

fn set(own: &mut f64, value: Option<f64>) -> f64 {
    *own = value.unwrap_or(*own);
    *own
}

/// Smooths some numbers of every frame: `access` reads one, and writes it if it is given a value.
fn each_curve(
    frames: &mut [ClipFrame],
    count: usize,
    width: f64,
    access: impl Fn(&mut ClipFrame, usize, Option<f64>) -> f64,
) {
    for k in 0..count {
        let values: Vec<f64> = frames.iter_mut().map(|frame| access(frame, k, None)).collect();
        for (frame, value) in frames.iter_mut().zip(smoothed(&values, width)) {
            access(frame, k, Some(value));
        }
    }
}
