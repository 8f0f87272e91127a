//! How good the takes of the built-in scenes are: `cargo run --release -p andante-stage --example takes -- [scene…]`.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use andante_stage::{PlayOptions, Scene, built_in_scenes, collisions, play};

fn main() {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = built_in_scenes().iter().map(|scene| scene.name.into()).collect();
    }
    println!("{:16} {:6}  goal mm     °  slide mm mean    max   deep mm   m/s²", "", "");
    for name in names {
        let take =
            play(&Scene::built_in(&name).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap();
        for (track, own) in take.tracks.iter().zip(take.metrics()) {
            println!(
                "{name:16} {:6} {:8.2} {:5.2}     {:9.2} {:6.2}  {:8.2}  {:5.1} {}",
                track.name,
                1e3 * own.goal_error_m.unwrap_or_default(),
                own.goal_heading_error_deg.unwrap_or_default(),
                own.motion.foot_slide_mm_mean,
                own.motion.foot_slide_mm_max,
                own.motion.penetration_mm_max,
                own.motion.root_accel_max,
                if own.reached { "" } else { "not there" }
            );
            if own.collision_frames > 0 {
                let skeleton = &track.character.skeleton;
                let met = collisions(skeleton, &track.clip, &take.head.obstacles);
                println!("{:24}inside something {} frames, {met:?}", "", own.collision_frames);
            }
        }
    }
}
