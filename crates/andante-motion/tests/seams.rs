//! What repeats leads from its end to its beginning, on other bodies as well; and what does not is not called cyclic.

#![allow(clippy::unwrap_used)]

use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::seam_deg;
use andante_motion::repertoire::taught;
use andante_motion::retarget::{RetargetOptions, RetargetRig, retarget};
use andante_motion::synth;
use andante_skeleton::{Character, Clip, Joint, Skeleton, humanoid, rotation};
use glam::Vec3;

struct Random(u32);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * (self.0 >> 8) as f32 / (1u32 << 24) as f32
    }
}

/// The built-in human with thighs, shanks and feet of other lengths, on its soles.
fn odd_body(random: &mut Random) -> Character {
    let mut body = humanoid();
    let mut joints: Vec<Joint> = body.skeleton.joints().to_vec();
    let parts = [random.between(0.6, 1.3), random.between(0.6, 1.3), random.between(0.5, 1.2)];
    for foot in &body.rig.feet {
        for (&joint, part) in foot.leg[1..].iter().zip(parts) {
            joints[joint].rest.translation *= part;
        }
    }
    body.skeleton = Skeleton::new(joints.clone()).unwrap();
    let models = body.skeleton.rest_models();
    let soles = body.rig.feet.iter().flat_map(|foot| [foot.heel, foot.ball, foot.tip]);
    let lowest = soles.map(|point| point.position(&models).y).fold(f32::INFINITY, f32::min);
    joints[0].rest.translation -= Vec3::Y * lowest;
    body.skeleton = Skeleton::new(joints).unwrap();
    body
}

#[test]
fn a_cycle_is_one_on_other_bodies_too() {
    let mut random = Random(7);
    let teacher = humanoid();
    let (mut worst, mut without) = (0.0f32, 0.0f32);
    for _ in 0..6 {
        let body = odd_body(&mut random);
        for name in ["walk", "jog", "run"] {
            let made = synth::clip(&teacher, name).unwrap();
            let learnt = taught(&body, &made).unwrap();
            assert!(learnt.cyclic);
            worst = worst.max(seam_deg(&learnt.clip));
            let (from, to) = (RetargetRig::from(&teacher), RetargetRig::from(&body));
            let options = RetargetOptions::default();
            let once = retarget(from, &made.clip, &made.contacts, to, &options).unwrap();
            without = without.max(seam_deg(&once.clip));
            // And it is seen to be one.
            let usual = AnalysisOptions::default();
            let seen = analyse(&body.skeleton, &body.rig, &learnt.clip, &usual).unwrap();
            assert!(seen.cyclic, "{name}");
        }
    }
    assert!(worst < 1.0, "{worst}°");
    assert!(without > 3.0, "{without}°: these bodies tell nothing");
}

/// On average over all joints it was little.
#[test]
fn a_clip_that_leaps_in_one_joint_where_it_ends_is_no_cycle() {
    let human = humanoid();
    let walk = synth::clip(&human, "walk").unwrap().clip;
    let (skeleton, rig) = (&human.skeleton, &human.rig);
    let is_cyclic =
        |clip: &Clip| analyse(skeleton, rig, clip, &AnalysisOptions::default()).unwrap().cyclic;
    assert!(is_cyclic(&walk));
    let count = walk.frame_count();
    for (joint, degrees) in [(rig.arms[0].chain[1], 25.0f32), (rig.feet[1].leg[2], 41.0)] {
        // It turns away more and more.
        let mut transforms = walk.transforms().to_vec();
        for (frame, pose) in transforms.chunks_exact_mut(skeleton.len()).enumerate() {
            let turn = degrees.to_radians() * frame as f32 / (count - 1) as f32;
            pose[joint].rotation *= rotation::exp(Vec3::X * turn);
        }
        let bent = Clip::new("bent", skeleton, walk.fps(), transforms).unwrap();
        assert!((seam_deg(&bent) - degrees).abs() < 0.5);
        assert!(!is_cyclic(&bent), "{degrees}°");
    }
}
