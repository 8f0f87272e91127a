//! Playing gaits allocates nothing.
#![allow(clippy::expect_used)]

use andante_play::blend_space::{FootMode, GaitPlayer, PlayerOptions};
use andante_skeleton::{Planar, Pose, humanoid};
use std::sync::Arc;

#[test]
fn a_frame_allocates_nothing() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).expect("built in"));
    let weights = vec![1.0; repertoire.clips().len()];
    let mut pose = Pose::rest(&human.skeleton);
    for feet in [FootMode::Body, FootMode::BodyAndLegs] {
        let options = PlayerOptions { feet, ..PlayerOptions::default() };
        let mut player = GaitPlayer::new(Arc::clone(&repertoire), options).expect("gaits");
        let counted = allocation_counter::measure(|| {
            // Inside and outside the clips, through both families and back.
            for frame in 0..600 {
                let speed = 6.0 * (frame as f32 * 0.01).sin();
                player.advance(1.0 / 60.0, speed, 2.0 * (frame as f32 * 0.03).cos());
                player.write_pose(&mut pose);
            }
            player.advance_mix(1.0 / 60.0, &weights);
            player.place(Planar::IDENTITY);
            player.set_phase(0.3);
        });
        assert_eq!(counted.count_total, 0);
    }
}
