//! What a character costs in memory.

#![allow(clippy::unwrap_used)]

use andante_stage::{Stage, read_scene};
use std::fmt::Write;

/// The most that is in use while people patrol a square for some seconds, plans included, in bytes. Each goes so far.
fn peak(people: usize, far: i32, seconds: usize) -> u64 {
    let mut text = String::from(
        "version = 1\nname = \"square\"\n[[platform]]\n\
         outline = [[-40, -40], [40, -40], [40, 90], [-40, 90]]\n",
    );
    for person in 0..people {
        let (x, z) = (4 * (person % 10) as i32 - 18, 3 * (person / 10) as i32 - 14);
        writeln!(
            text,
            "[[character]]\nname = \"{person}\"\nstart = {{ at = [{x}, {z}] }}\n\
             [[command]]\nwho = \"{person}\"\npatrol = [[{x}, {}], [{x}, {z}]]",
            z + far
        )
        .unwrap();
    }
    let scene = read_scene(&text).unwrap();
    // What is counted is what one thread has: clips are made by as many as there are.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let used = alone.install(|| {
        allocation_counter::measure(|| {
            let mut stage = Stage::new(&scene, 1).unwrap();
            for _ in 0..60 * seconds {
                stage.step(1.0 / 60.0);
            }
        })
    });
    used.bytes_max
}

#[test]
fn a_walker_costs_less_than_a_megabyte_beyond_the_clips_it_shares() {
    let (one, all) = (peak(1, 14, 5), peak(100, 14, 5));
    let each = (all - one) / 99;
    assert!(each < 1_000_000, "{each} bytes each");
}

/// A way of 70 m takes a minute, and would take almost three megabytes if all of it were kept.
#[test]
fn a_long_way_costs_no_more_than_a_short_one() {
    let (one, all) = (peak(1, 70, 12), peak(31, 70, 12));
    let each = (all - one) / 30;
    assert!(each < 1_000_000, "{each} bytes each");
}
