//! Prints how good clips are on different grounds.
//!
//! `cargo run --release -p andante-ground --example terrain_table [walk|horse|cmu] [part of a ground's name]`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod common;

use andante_motion::adapt::{TakeOptions, adapt_clip_timed};
use common::{Case, built_in_case, captured, horse, terrains};

fn main() {
    let mut args = std::env::args().skip(1);
    let which = args.next().unwrap_or_else(|| "walk".into());
    let part = args.next().unwrap_or_default();
    let cases: Vec<Case> = match which.as_str() {
        "cmu" => ["15", "16", "21", "22", "31", "32", "47", "58"]
            .iter()
            .filter_map(|take| captured(&format!("cmu/16/16_{take}.bvh")))
            .collect(),
        "horse" => horse("Walk").into_iter().collect(),
        name => vec![built_in_case(name)],
    };
    println!(
        "{:8} {:16} {:>5} {:>5} | {:>5} {:>5} | {:>5} {:>5} | {:>5} {:>5} | {:>5} {:>5} | {:>6} {:>6} | {:>6} {:>6} | {:>5} {:>5} {:>5}",
        "clip",
        "ground",
        "slide",
        "own",
        "max",
        "own",
        "pen",
        "own",
        "gap",
        "own",
        "rot",
        "own",
        "knee",
        "own",
        "jerk",
        "own",
        "pose",
        "us",
        "p99"
    );
    for case in &cases {
        for terrain in terrains() {
            if !terrain.name.contains(&part) {
                continue;
            }
            let options =
                TakeOptions { extent: case.extent, fps: Some(60.0), ..TakeOptions::default() };
            let begun = std::time::Instant::now();
            let mut clock = || begun.elapsed();
            let take =
                adapt_clip_timed(&case.clip, &*terrain.ground, &options, &mut clock).unwrap();
            let (m, own) = (&take.metrics, &take.source_metrics);
            println!(
                "{:8} {:16} {:5.2} {:5.2} | {:5.1} {:5.1} | {:5.1} {:5.1} | {:5.1} {:5.1} | {:5.1} {:5.1} | {:6.4} {:6.4} | {:6.1} {:6.1} | {:5.2} {:5.1} {:5.1} {}",
                case.name,
                terrain.name,
                m.foot_slide_mm_mean,
                own.foot_slide_mm_mean,
                m.foot_slide_mm_max,
                own.foot_slide_mm_max,
                m.penetration_mm_max,
                own.penetration_mm_max,
                m.sole_gap_mm_mean,
                own.sole_gap_mm_mean,
                m.foot_rotation_deg_max,
                own.foot_rotation_deg_max,
                m.knee_extension_max,
                own.knee_extension_max,
                m.pelvis_jerk_rms,
                own.pelvis_jerk_rms,
                m.pose_change_deg_mean.unwrap_or(0.0),
                take.us_per_frame_mean(),
                take.us_per_frame_p99(),
                if take.stopped { "stopped" } else { "" }
            );
        }
    }
}
