//! Captured walks on other bodies.

mod support;

use andante_motion::metrics::{FootMetrics, foot_metrics, model_frames};
use andante_motion::retarget::{Actor, RetargetOptions, RetargetResult, retarget};
use andante_skeleton::{Character, Clip, Joint, Skeleton, humanoid, rotation};
use glam::Vec3;
use support::Captured;

const STRAIGHT: [u32; 8] = [15, 16, 21, 22, 31, 32, 47, 58];
const TURNING: [u32; 8] = [11, 12, 13, 14, 17, 18, 19, 20];

/// The built-in human with legs of 80 % of their length.
fn short_legged() -> Character {
    let mut human = humanoid();
    let legs: Vec<usize> = human.rig.feet.iter().flat_map(|foot| foot.leg[1..].to_vec()).collect();
    let mut joints: Vec<Joint> = human.skeleton.joints().to_vec();
    let mut lowered = 0.0;
    for &joint in &legs {
        joints[joint].rest.translation *= 0.8;
        lowered += 0.5 * 0.25 * joints[joint].rest.translation.length();
    }
    joints[0].rest.translation.y -= lowered;
    human.skeleton = Skeleton::new(joints).unwrap();
    human.name = "short-legged".into();
    human
}

fn onto(walk: &Captured, target: &Character) -> RetargetResult {
    let options = RetargetOptions::default();
    retarget(walk.actor(), &walk.clip, &walk.contacts, Actor::from(target), &options).unwrap()
}

fn measured(target: &Character, result: &RetargetResult) -> FootMetrics {
    foot_metrics(&target.skeleton, &target.rig, &result.clip, &result.contacts, |_, _| 0.0)
}

/// Mean angle in degrees between the bones of arms and legs of two motions.
fn bone_difference(a: (Actor, &Clip), b: (Actor, &Clip)) -> f32 {
    let bones = |actor: Actor| {
        let chains = |chain: &[usize]| {
            let end = chain.len();
            [[chain[end - 3], chain[end - 2]], [chain[end - 2], chain[end - 1]]]
        };
        let legs = actor.rig.feet.iter().flat_map(|foot| chains(&foot.leg));
        let arms = actor.rig.arms.iter().flat_map(|arm| chains(&arm.chain));
        legs.chain(arms).collect::<Vec<_>>()
    };
    let frames = [a, b].map(|(actor, clip)| model_frames(actor.skeleton, clip));
    let (ours, theirs) = (bones(a.0), bones(b.0));
    assert_eq!(ours.len(), theirs.len());
    let (mut sum, mut count) = (0.0, 0);
    for (x, y) in frames[0].iter().zip(&frames[1]) {
        for (bone_x, bone_y) in ours.iter().zip(&theirs) {
            let along = |models: &[andante_skeleton::Transform], bone: &[usize; 2]| {
                models[bone[1]].translation - models[bone[0]].translation
            };
            sum += along(x, bone_x).angle_between(along(y, bone_y)).to_degrees();
            count += 1;
        }
    }
    sum / count as f32
}

/// Largest turn of a hip, knee or ankle relative to its parent from one frame to the next, in degrees
/// at 60 frames per second.
fn fastest_leg(actor: Actor, clip: &Clip) -> f32 {
    let joints = actor.rig.feet.iter().flat_map(|foot| &foot.leg);
    let turn = |joint: usize| {
        let step = move |frame| {
            rotation::angle_between(clip.rotation(frame - 1, joint), clip.rotation(frame, joint))
        };
        (1..clip.frame_count()).map(step).fold(0.0, f32::max)
    };
    joints.map(|&joint| turn(joint)).fold(0.0, f32::max).to_degrees() * clip.fps() / 60.0
}

fn walks_keep_their_feet_on_the_ground(numbers: &[u32], target: &Character) {
    for &number in numbers {
        let Some(walk) = support::walk(number) else { return };
        let result = onto(&walk, target);
        let metrics = measured(target, &result);
        let bones = bone_difference(
            (walk.actor(), &walk.clip),
            (Actor::from(target), &result.clip),
        );
        let fast = fastest_leg(Actor::from(target), &result.clip);
        let source_fast = fastest_leg(walk.actor(), &walk.clip);
        println!("16_{number} on {}: {metrics:?} {:?}, bones {bones:.1}, fast {fast:.1} {source_fast:.1}", target.name, result.report.plant);
        let seen = format!("16_{number} on {}: {metrics:?}", target.name);
        assert!(metrics.foot_slide_mm_mean < 0.1 && metrics.foot_slide_mm_max < 2.0, "{seen}");
        assert!(metrics.sole_gap_mm_mean.abs() < 0.5, "{seen}");
        assert!(metrics.penetration_mm_max < 2.0, "{seen}");
        assert!(metrics.foot_rotation_deg_max < 30.0, "{seen}");
        assert!(bones < 7.0, "{seen}: bones differ by {bones} degrees");
        assert!(fast < source_fast + 8.0, "{seen}: {fast} degrees in a frame, {source_fast} before");
    }
}

#[test]
fn straight_walks_keep_their_feet_on_the_ground() {
    walks_keep_their_feet_on_the_ground(&STRAIGHT, &humanoid());
}

#[test]
fn turning_walks_keep_their_feet_on_the_ground() {
    walks_keep_their_feet_on_the_ground(&TURNING, &humanoid());
}

#[test]
fn shorter_legs_walk_shorter_steps_on_the_same_ground() {
    let target = short_legged();
    walks_keep_their_feet_on_the_ground(&STRAIGHT, &target);
    walks_keep_their_feet_on_the_ground(&TURNING, &target);
    let Some(walk) = support::walk(15) else { return };
    let (short, long) = (onto(&walk, &target).report.scale, onto(&walk, &humanoid()).report.scale);
    assert!((short / long - 0.8).abs() < 0.02, "{short} {long}");
}
