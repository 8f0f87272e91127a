//! Walks and runs look like those that were measured.

use crate::{angles, largest, made, smallest, travel};
use andante_formats::{ReadOptions, bvh};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::synth::{self, GaitRequest, SynthClip};
use andante_skeleton::model_frames;
use andante_skeleton::{Character, Transform, humanoid, rotation};
use glam::{Quat, Vec3};

/// Ranges after Winter (1991) and Perry and Burnfield (2010).
#[test]
fn the_joints_of_a_normal_walk_move_as_in_the_textbooks() {
    let human = humanoid();
    let walk = made(&human, "walk");
    let curve = angles(&human, &walk, 0);
    let frames = curve.len() - 1;
    let between = |from: f32, to: f32| {
        let index = move |phase: f32| (phase * frames as f32).round() as usize;
        &curve[index(from)..=index(to)]
    };
    let all = between(0.0, 1.0);
    let swing_knee = largest(between(0.6, 1.0).iter().map(|a| a.knee));
    assert!((55.0..65.0).contains(&swing_knee), "{swing_knee}");
    let loading_knee = largest(between(0.0, 0.3).iter().map(|a| a.knee));
    assert!((16.0..19.0).contains(&loading_knee), "{loading_knee}");
    assert!(curve[0].knee < 13.0, "the knee is almost straight at strike: {}", curve[0].knee);
    assert!(largest(between(0.3, 0.5).iter().map(|a| a.knee)) < loading_knee);
    let hip = (largest(all.iter().map(|a| a.hip)), smallest(all.iter().map(|a| a.hip)));
    assert!((28.0..34.0).contains(&hip.0) && (-15.0..-9.0).contains(&hip.1), "{hip:?}");
    let ankle = (largest(all.iter().map(|a| a.ankle)), smallest(all.iter().map(|a| a.ankle)));
    assert!((9.0..14.0).contains(&ankle.0) && (-23.0..-16.0).contains(&ankle.1), "{ankle:?}");
    assert!((12.0..25.0).contains(&curve[0].foot), "toes up at strike: {}", curve[0].foot);
    // The heel is up before the other foot strikes.
    assert!(between(0.48, 0.5).iter().all(|a| a.foot < -10.0));
    // The knee bends at once when the toes leave and is straight again in time for the strike.
    let peak = (0..=frames).max_by(|&a, &b| curve[a].knee.total_cmp(&curve[b].knee)).unwrap();
    let peak = peak as f32 / frames as f32;
    assert!((0.68..0.80).contains(&peak), "{peak}");
}

#[test]
fn a_runner_lifts_the_heel_and_bends_the_knee_on_landing() {
    let human = humanoid();
    let run = made(&human, "run");
    let curve = angles(&human, &run, 0);
    let frames = curve.len() - 1;
    let swing = largest(curve[frames * 4 / 10..].iter().map(|a| a.knee));
    assert!((80.0..125.0).contains(&swing), "{swing}");
    let stance = largest(curve[..frames * 3 / 10].iter().map(|a| a.knee));
    assert!((38.0..65.0).contains(&stance), "{stance}");
    assert!(curve[0].knee < 30.0, "{}", curve[0].knee);
}

/// Men of 1.75 m, free and fast: M. P. Murray and others, "Walking patterns of normal men" (1964)
/// and "Comparison of free and fast speed walking patterns of normal men" (1966).
#[test]
fn strides_are_as_long_as_those_measured() {
    let human = humanoid();
    for (speed, stride) in [(1.51, 1.56), (2.18, 1.86)] {
        let gait = GaitRequest { mode: synth::GaitMode::Walk, ..GaitRequest::ahead(speed) };
        let clip = synth::locomotion(&human, &gait).unwrap();
        let found = travel(&human, &clip).position.length();
        assert!((found / stride - 1.0).abs() < 0.07, "{found} m at {speed} m/s, not {stride}");
    }
}

/// Walking: stride length grows as speed to the power 0.42 (Grieve and Gear 1966). Running: nearly in
/// proportion to it up to 5 m/s, frequency little (Cavanagh and Kram 1989).
#[test]
fn strides_grow_with_speed() {
    let human = humanoid();
    let stride = |speed: f32| {
        travel(&human, &synth::locomotion(&human, &GaitRequest::ahead(speed)).unwrap())
            .position
            .length()
    };
    let exponent = |slow: f32, fast: f32| (stride(fast) / stride(slow)).ln() / (fast / slow).ln();
    let walking = exponent(0.8, 1.8);
    assert!((0.36..0.48).contains(&walking), "{walking}");
    let running = exponent(2.5, 5.0);
    assert!((0.75..1.0).contains(&running), "{running}");
}

#[test]
fn feet_are_down_for_a_smaller_part_of_the_cycle_at_higher_speed() {
    let human = humanoid();
    let duty = |speed: f32| {
        let clip = synth::locomotion(&human, &GaitRequest::ahead(speed)).unwrap();
        clip.contacts.feet[0].toe[0].end / clip.clip.duration()
    };
    let duties: Vec<f32> = [0.6, 1.3, 2.0, 2.5, 3.5, 6.0].map(duty).to_vec();
    assert!(duties.is_sorted_by(|a, b| a > b), "{duties:?}");
    assert!((0.53..0.65).contains(&duties[1]), "{duties:?}");
    assert!((0.18..0.35).contains(&duties[5]), "{duties:?}");
}

/// How far a point of the body is ahead of the pelvis.
fn ahead(models: &[Transform], joint: usize) -> f32 {
    let heading = Quat::from_rotation_y(-rotation::heading(models[0].rotation));
    (heading * (models[joint].translation - models[0].translation)).z
}

fn correlation(a: &[f32], b: &[f32]) -> f32 {
    let mean = |v: &[f32]| v.iter().sum::<f32>() / v.len() as f32;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(usize) -> f32| (0..a.len()).map(f).sum::<f32>();
    sum(&|i| (a[i] - ma) * (b[i] - mb))
        / (sum(&|i| (a[i] - ma).powi(2)) * sum(&|i| (b[i] - mb).powi(2))).sqrt()
}

fn course(human: &Character, clip: &SynthClip, joint: usize) -> Vec<f32> {
    model_frames(&human.skeleton, &clip.clip).iter().map(|models| ahead(models, joint)).collect()
}

#[test]
fn arms_swing_against_the_legs() {
    let human = humanoid();
    for name in ["walk", "walk-brisk", "jog", "run", "crouch-walk"] {
        let clip = made(&human, name);
        for side in 0..2 {
            let hand = course(&human, &clip, human.rig.arms[side].chain[2]);
            let ankle = course(&human, &clip, human.rig.feet[side].ankle());
            let r = correlation(&hand, &ankle);
            assert!(r < -0.6, "{name}: {r}");
        }
    }
}

#[test]
fn the_pelvis_lists_and_turns_and_the_head_stays_level() {
    let human = humanoid();
    let walk = made(&human, "walk");
    let frames = model_frames(&human.skeleton, &walk.clip);
    let swept = |value: &dyn Fn(&[Transform]) -> f32| {
        let values = || frames.iter().map(|models| value(models).to_degrees());
        largest(values()) - smallest(values())
    };
    let side = |models: &[Transform], joint: usize| models[joint].rotation * Vec3::X;
    let list = swept(&|models| side(models, 0).y.asin());
    let turn = swept(&|models| rotation::heading(models[0].rotation));
    assert!((6.0..12.0).contains(&list), "{list}");
    assert!((6.0..14.0).contains(&turn), "{turn}");
    let chest = human.rig.spine[2];
    let counter = correlation(
        &frames.iter().map(|m| rotation::heading(m[0].rotation)).collect::<Vec<_>>(),
        &frames.iter().map(|m| rotation::heading(m[chest].rotation)).collect::<Vec<_>>(),
    );
    assert!(counter < -0.8, "the chest turns against the pelvis: {counter}");
    let head = human.rig.head.unwrap();
    for sweep in [
        swept(&|models| side(models, head).y.asin()),
        swept(&|models| (models[head].rotation * Vec3::Z).y.asin()),
        swept(&|models| rotation::heading(models[head].rotation)),
    ] {
        assert!(sweep < 2.0, "{sweep}");
    }
    // Two rises a cycle, of three to four and a half centimetres.
    let height = swept(&|models| models[0].translation.y.to_radians());
    assert!((0.03..0.045).contains(&height), "{height}");
}

/// Samples of a cycle.
const SAMPLES: usize = 60;

/// The left knee over a cycle of a captured walk, from strike to strike.
fn captured_knee(path: &str) -> Option<Vec<f32>> {
    let bytes = std::fs::read(andante_testdata::mocap(path)?).ok()?;
    let asset = bvh::read(&bytes, "walk", &ReadOptions::default()).ok()?;
    let find = |name: &str| asset.skeleton.find(name);
    let [hips, hip, knee, ankle] =
        [find("Hips")?, find("LeftUpLeg")?, find("LeftLeg")?, find("LeftFoot")?];
    let mut frames = model_frames(&asset.skeleton, &asset.clips[0]);
    frames.remove(0); // the T-pose that was added
    let at = |frame: usize, joint: usize| frames[frame][joint].translation;
    let way = (at(frames.len() - 1, hips) - at(0, hips)).normalize();
    // A heel strikes when the foot is farthest ahead of the hips.
    let lead: Vec<f32> =
        (0..frames.len()).map(|frame| (at(frame, ankle) - at(frame, hips)).dot(way)).collect();
    let strikes: Vec<usize> = (40..frames.len() - 40)
        .filter(|&frame| lead[frame - 40..frame + 40].iter().all(|&l| l <= lead[frame]))
        .collect();
    let (from, to) = (strikes[0], strikes[1]);
    let flexion = |sample: usize| {
        let frame = from + (to - from) * sample / SAMPLES;
        (at(frame, knee) - at(frame, hip)).angle_between(at(frame, ankle) - at(frame, knee))
    };
    Some((0..SAMPLES).map(flexion).collect())
}

#[test]
fn the_knee_moves_like_that_of_captured_walkers() {
    let human = humanoid();
    let curve = angles(&human, &made(&human, "walk"), 0);
    let synthesised: Vec<f32> =
        (0..SAMPLES).map(|sample| curve[(curve.len() - 1) * sample / SAMPLES].knee).collect();
    for path in ["cmu/16/16_15.bvh", "cmu/16/16_16.bvh", "cmu/16/16_31.bvh"] {
        if andante_testdata::mocap(path).is_none() {
            return;
        }
        let captured = captured_knee(path).expect("a walk with the joints of the database");
        // A foot is farthest ahead before it strikes, by up to a tenth of the cycle.
        let best = (0..=SAMPLES / 10).map(|shift| {
            let mut shifted = captured.clone();
            shifted.rotate_left(shift);
            correlation(&synthesised, &shifted)
        });
        let best = largest(best);
        assert!(best > 0.95, "{path}: {best}");
    }
}

/// Both knees of a captured walker over all strides, from strike to strike as the analysis finds
/// them, on average: nothing is shifted to fit.
fn mean_knee(path: &std::path::Path) -> Vec<f32> {
    let asset = andante_formats::read_file(path, &ReadOptions::default(), None).unwrap();
    let rig = andante_motion::rig::detect(&asset.skeleton, &asset.clips).unwrap();
    let clip = &asset.clips[0];
    let found = analyse(&asset.skeleton, &rig, clip, &AnalysisOptions::default()).unwrap();
    let frames = model_frames(&asset.skeleton, clip);
    let mut sum = vec![0.0; SAMPLES];
    for (foot, contacts) in rig.feet.iter().zip(&found.contacts.feet) {
        let [hip, knee, ankle] = *foot.leg.last_chunk().unwrap();
        for stances in contacts.stance().windows(2) {
            let (from, to) = (stances[0].start, stances[1].start);
            // The first stance began before the recording.
            if from * clip.fps() < 3.0 {
                continue;
            }
            for (sample, sum) in sum.iter_mut().enumerate() {
                let time = from + (to - from) * sample as f32 / SAMPLES as f32;
                let models = &frames[(time * clip.fps()).round() as usize];
                let at = |joint: usize| models[joint].translation;
                *sum += (at(knee) - at(hip)).angle_between(at(ankle) - at(knee));
            }
        }
    }
    sum
}

/// This walker's knees are never straighter than 13°, so their course is like ours but not the same.
#[test]
fn the_knee_bends_when_those_of_a_captured_walker_do() {
    let human = humanoid();
    let curve = angles(&human, &made(&human, "walk"), 0);
    let synthesised: Vec<f32> =
        (0..SAMPLES).map(|sample| curve[(curve.len() - 1) * sample / SAMPLES].knee).collect();
    let mut alike = Vec::new();
    for number in [15, 16, 21, 22, 31, 32, 47, 58] {
        let Some(path) = andante_testdata::mocap(&format!("cmu/16/16_{number}.bvh")) else {
            return;
        };
        alike.push(correlation(&synthesised, &mean_knee(&path)));
    }
    assert!(alike.iter().all(|&alike| alike > 0.92), "{alike:?}");
    assert!(alike.iter().sum::<f32>() / alike.len() as f32 > 0.935, "{alike:?}");
}

/// The flexion that J. Perry and J. M. Burnfield, "Gait Analysis" (2010), give for the knee at the
/// events of a cycle: 5° at the strike, 20° in loading, 5° in terminal stance, 40° at toe off, 60° in
/// initial swing, 5° at the end.
#[test]
fn the_knee_passes_the_landmarks_of_the_textbook() {
    let human = humanoid();
    let curve = angles(&human, &made(&human, "walk"), 0);
    let frames = curve.len() - 1;
    let knee = |from: f32, to: f32| {
        let index = |phase: f32| (phase * frames as f32).round() as usize;
        curve[index(from)..=index(to)].iter().map(|angles| angles.knee).collect::<Vec<_>>()
    };
    let landmarks = [
        ("strike", knee(0.0, 0.0)[0], 5.0, 7.0),
        ("loading", largest(knee(0.08, 0.2)), 20.0, 3.0),
        ("terminal stance", smallest(knee(0.3, 0.45)), 5.0, 4.0),
        ("toe off", knee(0.62, 0.62)[0], 40.0, 8.0),
        ("initial swing", largest(knee(0.68, 0.78)), 60.0, 3.0),
        ("terminal swing", smallest(knee(0.92, 1.0)), 5.0, 7.0),
    ];
    for (event, found, published, tolerance) in landmarks {
        assert!((found - published).abs() < tolerance, "{event}: {found}, not {published}");
    }
}
