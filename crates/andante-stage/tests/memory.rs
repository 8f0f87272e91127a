//! What a character costs in memory.

#![allow(clippy::unwrap_used)]

use andante_stage::{Stage, read_scene};
use std::fmt::Write;

/// The most that is in use while people patrol a square for some seconds, plans included, in bytes.
fn peak(people: usize) -> u64 {
    let mut text = String::from(
        "version = 1\nname = \"square\"\n[[platform]]\n\
         outline = [[-40, -40], [40, -40], [40, 40], [-40, 40]]\n",
    );
    for person in 0..people {
        let (x, z) = (4 * (person % 10) as i32 - 18, 3 * (person / 10) as i32 - 14);
        writeln!(
            text,
            "[[character]]\nname = \"{person}\"\nstart = {{ at = [{x}, {z}] }}\n\
             [[command]]\nwho = \"{person}\"\npatrol = [[{x}, {}], [{x}, {z}]]",
            z + 14
        )
        .unwrap();
    }
    let scene = read_scene(&text).unwrap();
    let used = allocation_counter::measure(|| {
        let mut stage = Stage::new(&scene, 1).unwrap();
        for _ in 0..300 {
            stage.step(1.0 / 60.0);
        }
    });
    used.bytes_max
}

#[test]
fn a_walker_costs_less_than_a_megabyte_beyond_the_clips_it_shares() {
    let (one, all) = (peak(1), peak(100));
    let each = (all - one) / 99;
    assert!(each < 1_000_000, "{each} bytes each");
}
