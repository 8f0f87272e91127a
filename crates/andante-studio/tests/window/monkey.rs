//! Somebody who clicks, drags and types whatever comes to hand. `andante-studio --monkey SEED --seconds 600 --fresh` plays longer.

use andante_studio::{StudioMonkey, StudioRoom, StudioStart};

fn play(seed: u64, room: StudioRoom, deeds: usize) {
    super::elsewhere();
    let start = StudioStart { room: Some(room), ..StudioStart::default() };
    assert_eq!(StudioMonkey::new(seed, start).play(deeds), Ok(()), "seed {seed}");
}

#[test]
fn a_monkey_breaks_nothing_on_the_stage() {
    for seed in 1..4 {
        play(seed, StudioRoom::Stage, 60);
    }
}

#[test]
fn a_monkey_breaks_nothing_among_the_creatures() {
    play(5, StudioRoom::Creature, 40);
}

#[test]
fn a_monkey_breaks_nothing_among_clips_and_forces() {
    play(6, StudioRoom::Motion, 60);
    play(7, StudioRoom::Physics, 60);
}
