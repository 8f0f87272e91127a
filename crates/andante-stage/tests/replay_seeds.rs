//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../fuzz/checks/replay.rs"]
mod replay;
#[path = "../../../fuzz/checks/scene.rs"]
mod scene;
#[path = "../../../fuzz/checks/stage_sequence.rs"]
mod stage_sequence;

#[test]
fn scene_seeds_pass_the_check() {
    replay::replay("scene", scene::check);
}

#[test]
fn sequences_of_anything_keep_bodies_finite_and_unbroken() {
    replay::replay("stage_sequence", stage_sequence::check);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(12))]
    #[test]
    fn whatever_a_game_does_bodies_stay_finite_and_unbroken(
        bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..600),
    ) {
        if let Err(problem) = stage_sequence::play(&bytes, stage_sequence::FRAMES) {
            proptest::prop_assert!(false, "{problem}");
        }
    }
}
