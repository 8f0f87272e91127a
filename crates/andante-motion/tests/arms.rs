//! Arms of those who learnt to walk from somebody more slender stay out of their own trunks.

#![allow(clippy::unwrap_used)]

use andante_motion::repertoire::taught;
use andante_motion::retarget::{ArmRoom, ArmRoomSettings, RetargetRig};
use andante_motion::synth;
use andante_skeleton::{
    Character, Clip, Joint, Skeleton, SkinnedMesh, Transform, capsule_body, humanoid, model_frames,
};
use glam::Vec3;

/// The built-in human with shoulders that much narrower, and a skin around trunk and thighs that much wider.
fn stout(narrow: f32, wide: f32) -> (Character, SkinnedMesh) {
    let mut body = humanoid();
    let mut joints: Vec<Joint> = body.skeleton.joints().to_vec();
    for arm in &body.rig.arms {
        for &joint in &arm.chain[..1] {
            joints[joint].rest.translation.x *= narrow;
        }
    }
    body.skeleton = Skeleton::new(joints).unwrap();
    let mut skin = capsule_body(&body.skeleton);
    let trunk = trunk(&body);
    for part in &mut skin.primitives {
        let vertices = &mut part.vertices;
        for (at, joints) in vertices.positions.iter_mut().zip(&vertices.joints) {
            if trunk.contains(&usize::from(joints[0])) {
                at.x *= wide;
            }
        }
    }
    (body, skin)
}

fn trunk(body: &Character) -> Vec<usize> {
    body.rig.spine.iter().copied().chain([body.rig.hips]).collect()
}

/// How many of points along forearms and hands are inside the trunk, by how often its surface goes round them.
fn inside(body: &Character, skin: &SkinnedMesh, clip: &Clip) -> usize {
    let trunk = trunk(body);
    let mut count = 0;
    for models in model_frames(&body.skeleton, clip).iter().step_by(3) {
        for arm in &body.rig.arms {
            let [elbow, hand] = [arm.chain.len() - 2, arm.chain.len() - 1]
                .map(|at| models[arm.chain[at]].translation);
            for step in 0..6 {
                let at = elbow.lerp(hand, step as f32 / 5.0);
                count += usize::from(winding(skin, &trunk, models, at) > 0.5);
            }
        }
    }
    count
}

/// The sum of the solid angles of the triangles that joints carry (Van Oosterom and Strackee, 1983) over 4π.
fn winding(skin: &SkinnedMesh, carried: &[usize], models: &[Transform], at: Vec3) -> f64 {
    let mut sum = 0.0;
    for part in &skin.primitives {
        let on =
            |corner: u32| carried.contains(&usize::from(part.vertices.joints[corner as usize][0]));
        for triangle in
            part.indices.chunks_exact(3).filter(|corners| corners.iter().all(|&c| on(c)))
        {
            let [a, b, c] = [0, 1, 2].map(|corner| {
                let corner = triangle[corner] as usize;
                (skin.skin(&part.vertices, corner, models) - at).as_dvec3()
            });
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            sum += 2.0 * a.dot(b.cross(c)).atan2(below);
        }
    }
    sum / (2.0 * std::f64::consts::TAU)
}

#[test]
fn arms_of_stout_bodies_stay_out_of_the_trunk() {
    let mut before = 0;
    for (narrow, wide) in [(0.9, 1.3), (0.8, 1.6), (0.7, 1.4), (1.0, 1.9), (0.75, 1.9)] {
        let (body, skin) = stout(narrow, wide);
        let settings = ArmRoomSettings::default();
        let room = ArmRoom::new(RetargetRig::from(&body), Some(&skin), settings).unwrap();
        for name in ["walk", "stand", "run"] {
            let made = taught(&body, &synth::clip(&humanoid(), name).unwrap()).unwrap();
            before += inside(&body, &skin, &made.clip);
            let (cleared, angle) = room.cleared(&made.clip).unwrap();
            assert!(angle <= settings.widest, "{angle}");
            assert_eq!(inside(&body, &skin, &cleared), 0, "{name} {narrow} {wide}: {angle}");
        }
    }
    assert!(before > 100, "{before}: these bodies tell nothing");
}

#[test]
fn arms_that_have_room_stay_as_they_are() {
    let (body, skin) = stout(1.0, 1.0);
    let settings = ArmRoomSettings::default();
    let room = ArmRoom::new(RetargetRig::from(&body), Some(&skin), settings).unwrap();
    for name in ["walk", "stand", "run"] {
        let made = taught(&body, &synth::clip(&humanoid(), name).unwrap()).unwrap();
        let (cleared, angle) = room.cleared(&made.clip).unwrap();
        assert!(angle < 0.06, "{name}: {angle}");
        if angle == 0.0 {
            assert_eq!(cleared, made.clip);
        }
    }
}
