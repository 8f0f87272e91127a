//! Any gait in range can be had; anything else is refused.

use andante_motion::synth::{self, GaitMode, GaitRequest, SynthError};
use andante_play::measure::measure_level;
use andante_skeleton::{humanoid, humanoid_of_height};
use proptest::prelude::*;

fn gait() -> impl Strategy<Value = GaitRequest> {
    let walk =
        (0.3f32..2.3, -1.0f32..1.0, 0.0f32..1.0).prop_map(|(speed, turn, crouch)| GaitRequest {
            turn_rate: turn * (2.9 / speed).min(1.2),
            crouch,
            mode: GaitMode::Walk,
            ..GaitRequest::ahead(speed)
        });
    let run = (1.9f32..6.8, -1.0f32..1.0).prop_map(|(speed, turn)| GaitRequest {
        turn_rate: turn * (2.9 / speed).min(1.4),
        mode: GaitMode::Run,
        ..GaitRequest::ahead(speed)
    });
    let aside = (-1.2f32..1.2, 0.3f32..0.9, any::<bool>()).prop_map(|(speed, lateral, left)| {
        let lateral = if left { lateral } else { -lateral };
        GaitRequest { lateral, ..GaitRequest::ahead(speed) }
    });
    prop_oneof![walk, run, aside]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_gait_slides_sinks_or_snaps(gait in gait(), height in 0.9f32..2.3) {
        let character = humanoid_of_height(height);
        let scale = (height / 1.75).sqrt();
        let gait = GaitRequest {
            speed: gait.speed * scale,
            lateral: gait.lateral * scale,
            turn_rate: gait.turn_rate / scale,
            ..gait
        };
        let made = synth::locomotion(&character, &gait).unwrap();
        let metrics =
            measure_level(&character.skeleton, &character.rig, &made.clip, &made.contacts, 0.0);
        let size = height / 1.75;
        prop_assert!(metrics.foot_slide_mm_mean < 0.4 * size, "{metrics:?}");
        prop_assert!(metrics.foot_slide_mm_max < 2.0 * size, "{metrics:?}");
        prop_assert!(metrics.penetration_mm_max < 1.0 * size, "{metrics:?}");
        prop_assert!(metrics.knee_extension_max < 0.9992, "{metrics:?}");
        prop_assert!(metrics.foot_rotation_deg_max < 25.0 / scale, "{metrics:?}");
        prop_assert!(made.clip.frame_count() < 400);
    }
}

#[test]
fn what_is_no_gait_is_refused() {
    let human = humanoid();
    let refused = |gait: GaitRequest| {
        matches!(synth::locomotion(&human, &gait), Err(SynthError::Range { .. }))
    };
    assert!(refused(GaitRequest::ahead(0.0)));
    assert!(refused(GaitRequest::ahead(f32::NAN)));
    assert!(refused(GaitRequest::ahead(f32::INFINITY)));
    assert!(refused(GaitRequest::ahead(9.0)));
    assert!(refused(GaitRequest::ahead(-3.0)));
    assert!(refused(GaitRequest { mode: GaitMode::Walk, ..GaitRequest::ahead(3.0) }));
    assert!(refused(GaitRequest { mode: GaitMode::Run, ..GaitRequest::ahead(1.0) }));
    assert!(refused(GaitRequest { lateral: f32::NAN, ..GaitRequest::ahead(1.0) }));
    assert!(refused(GaitRequest { lateral: 0.5, ..GaitRequest::ahead(4.0) }));
    assert!(refused(GaitRequest { turn_rate: 5.0, ..GaitRequest::ahead(1.0) }));
    assert!(refused(GaitRequest { turn_rate: 1.4, ..GaitRequest::ahead(6.0) }));
    assert!(refused(GaitRequest { crouch: -0.1, ..GaitRequest::ahead(1.0) }));
    assert!(refused(GaitRequest { arm_swing: f32::NAN, ..GaitRequest::ahead(1.0) }));
    assert_eq!(synth::clip(&human, "moonwalk"), Err(SynthError::Name("moonwalk".into())));
}

#[test]
fn characters_without_two_legs_are_refused() {
    let mut snake = humanoid();
    snake.rig.feet.clear();
    assert!(matches!(synth::repertoire(&snake), Err(SynthError::Character { .. })));
    let mut pirate = humanoid();
    pirate.rig.feet[1].leg.pop();
    assert!(matches!(synth::clip(&pirate, "walk"), Err(SynthError::Character { .. })));
}

#[test]
fn characters_without_arms_or_head_walk_all_the_same() {
    let mut human = humanoid();
    human.rig.arms.clear();
    human.rig.head = None;
    human.rig.spine.clear();
    assert!(synth::repertoire(&human).is_ok());
}

/// FNV-1a over the bits of every number of a walk: the same input gives the same bits.
#[test]
fn the_walk_is_the_same_to_the_last_bit() {
    let walk = synth::clip(&humanoid(), "walk").unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for transform in walk.clip.transforms() {
        let numbers =
            transform.rotation.to_array().into_iter().chain(transform.translation.to_array());
        for byte in numbers.flat_map(|number| number.to_bits().to_le_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    assert_eq!(synth::clip(&humanoid(), "walk").unwrap(), walk);
    assert_eq!(format!("{hash:016x}"), "56573b5c0045d558");
}
