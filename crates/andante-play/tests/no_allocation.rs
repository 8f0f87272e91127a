//! A step allocates nothing.
#![allow(clippy::expect_used)]

#[path = "../examples/common/mod.rs"]
mod common;

use andante_play::{Grounding, GroundingOptions, Input, Start};
use andante_skeleton::Pose;
use common::{built_in, hills, stairs};
use std::sync::Arc;

#[test]
fn a_step_allocates_nothing() {
    let (walk, stand) = (built_in("walk"), built_in("stand"));
    let mut pose = Pose::rest(&walk.character().skeleton);
    for ground in [hills(0.25, 2.0), stairs(0.17, 0.29)] {
        let options = GroundingOptions { traces: 32, ..GroundingOptions::default() };
        let mut player = Grounding::new(Arc::clone(&walk), Start::default(), options).unwrap();
        let input = Input { turn_rate: 0.2, ..Input::default() };
        player.step(0.0, &input, &*ground.ground, &mut pose);
        let counted = allocation_counter::measure(|| {
            for _ in 0..600 {
                player.step(1.0 / 60.0, &input, &*ground.ground, &mut pose);
            }
        });
        assert_eq!(counted.count_total, 0);
        // While a fade is on, too; beginning one makes a new layer.
        player.play_from(Arc::clone(&stand), 0.0, 0.4).unwrap();
        player.step(1.0 / 60.0, &input, &*ground.ground, &mut pose);
        let counted = allocation_counter::measure(|| {
            for _ in 0..12 {
                player.step(1.0 / 60.0, &input, &*ground.ground, &mut pose);
            }
        });
        assert_eq!(counted.count_total, 0);
    }
}
