//! A biped whose frequencies were computed independently, to the digits they are printed with.
#![allow(clippy::unwrap_used)]

mod common;

use andante_gait::{Modes, ModesMethod, PinnedPoint};
use common::reference_biped;
use glam::DVec3;

const AIR: [f64; 10] = [0.89, 0.96, 1.88, 2.02, 2.16, 2.39, 2.46, 2.54, 4.88, 5.10];
const GROUND: [f64; 10] = [0.51, 0.55, 0.96, 1.64, 1.95, 2.16, 2.26, 2.42, 2.54, 3.11];

fn printed(modes: &Modes) -> Vec<String> {
    modes.modes.iter().take(10).map(|mode| format!("{:.2}", mode.hz())).collect()
}

#[test]
fn frequencies_of_the_reference_biped_are_those_printed() {
    let body = reference_biped();
    let pose = &body.poses()[0];
    let toe = PinnedPoint::toe(&body.feet()[1]);
    for route in [ModesMethod::Constraints, ModesMethod::Reduced] {
        let air = Modes::find_by(route, &body, pose, &[]).unwrap();
        let ground = Modes::find_by(route, &body, pose, &[toe]).unwrap();
        assert_eq!((air.rigid, air.modes.len()), (6, 30));
        assert_eq!((ground.rigid, ground.modes.len()), (3, 30));
        assert_eq!(printed(&air), AIR.map(|hz| format!("{hz:.2}")), "{route:?}");
        assert_eq!(printed(&ground), GROUND.map(|hz| format!("{hz:.2}")), "{route:?}");
    }
}

#[test]
fn the_pinned_toe_is_on_the_right_foot_at_its_tip() {
    let body = reference_biped();
    let toe = PinnedPoint::toe(&body.feet()[1]);
    let placed = body.place(body.segments()[0].anchor, &body.poses()[0].rotations);
    let at = placed[toe.segment].transform_point(toe.point);
    assert!(at.abs_diff_eq(DVec3::new(-0.1, 0.01, 0.21), 1e-12), "{at}");
}
