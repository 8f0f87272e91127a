//! Repeats the statistics of the gradient descent in terrain-ik 19.1: a minute of walking over hills, at two
//! sizes of the character.
//!
//! ```text
//! cargo run --release -p andante-ik --example descent_statistics
//! ```
#![allow(clippy::print_stdout, clippy::expect_used, missing_docs)]

#[path = "../tests/ik/support/random.rs"]
mod random;
#[path = "../tests/ik/support/walk.rs"]
mod walk;

fn main() {
    for scale in [1.0, 150.0] {
        let found = walk::statistics(scale, 60.0);
        println!("rig height {:.3} m, {} key frames", found.rig_height, found.frames);
        println!("{:<11} {:>9} {:>9} {:>9} {:>9}", "", "mean", "std", "min", "max");
        for (name, row) in &found.rows {
            println!(
                "{name:<11} {:9.4} {:9.4} {:9.4} {:9.4}",
                row.mean, row.deviation, row.least, row.most
            );
        }
        println!("ankles miss their targets by {:.2} % of the rig's height\n", 100.0 * found.miss);
    }
}
