//! What an animator sees between contacts: over generated stairs, slopes and hills the built-in walk moves as captured
//! people do.
#![allow(clippy::unwrap_used)]

#[path = "../examples/common/mod.rs"]
mod common;

use andante_motion::adapt::{Extent, TakeOptions, adapt_clip};
use andante_play::measure::MotionMetrics;
use common::{Terrain, built_in, slope, terrain};
use std::fmt::Write;

/// What captured people keep to on a kind of ground.
struct Band {
    knee_dps: f32,
    ankle_fall: f32,
    ankle_rise: f32,
}

const STAIRS: Band = Band { knee_dps: 560.0, ankle_fall: 2.0, ankle_rise: 2.9 };
const SLOPES: Band = Band { knee_dps: 520.0, ankle_fall: 2.4, ankle_rise: 2.7 };

impl Band {
    /// What is outside of it, and what is not as it should be at the contacts.
    fn faults(&self, m: &MotionMetrics) -> Vec<&'static str> {
        let rows = [
            ("knee", m.knee_speed_dps_max <= self.knee_dps),
            ("ankle falls", m.ankle_fall_mps_max <= self.ankle_fall),
            ("ankle rises", m.ankle_rise_mps_max <= self.ankle_rise),
            ("shank and foot", m.shank_foot_deg_min >= 60.0),
            ("pop", m.joint_pop_deg_max <= 10.0),
            ("legs", m.legs_apart_mm_min >= 50.0),
            ("slide", m.foot_slide_mm_mean <= 1.0 && m.foot_slide_mm_max <= 5.0),
            ("penetration", m.penetration_mm_max <= 3.0),
        ];
        rows.into_iter().filter(|(_, holds)| !holds).map(|(name, _)| name).collect()
    }
}

/// Stairs along +Z from a place on; a negative rise leads down.
fn stairs(rise: f32, tread: f32, from: f32) -> Terrain {
    terrain(format!("stairs {rise:.3} x {tread:.3} from {from:.2}"), move |place| {
        rise * (((place.y - from) / tread).floor() + 1.0).max(0.0)
    })
}

/// Walks over every ground, and shows the whole table if one row is outside.
fn walk_over(grounds: impl Iterator<Item = (Terrain, Band)>) {
    let clip = built_in("walk");
    let options =
        TakeOptions { extent: Extent::Distance(8.0), fps: Some(60.0), ..TakeOptions::default() };
    let (mut table, mut wrong) = (String::new(), 0);
    for (terrain, band) in grounds {
        let take = adapt_clip(&clip, &*terrain.ground, &options).unwrap();
        let m = &take.metrics;
        let mut faults = band.faults(m);
        if take.stopped {
            faults.push("stopped");
        }
        writeln!(
            table,
            "{:32} knee {:4.0} °/s, ankle {:.1} / {:.1} m/s, shank–foot {:3.0}°, pop {:4.1}°, legs {:3.0} mm, slide {:.2}, deep {:.2} mm, {:.1} s {}",
            terrain.name,
            m.knee_speed_dps_max,
            m.ankle_fall_mps_max,
            m.ankle_rise_mps_max,
            m.shank_foot_deg_min,
            m.joint_pop_deg_max,
            m.legs_apart_mm_min,
            m.foot_slide_mm_max,
            m.penetration_mm_max,
            take.clip.duration(),
            if faults.is_empty() { String::new() } else { format!("<< {}", faults.join(", ")) },
        )
        .unwrap();
        wrong += usize::from(!faults.is_empty());
    }
    assert!(wrong == 0, "{wrong} outside\n{table}");
}

#[test]
fn stairs_up_and_down_are_walked_as_people_walk_them() {
    let mut cases = Vec::new();
    for rise in [0.15, 0.17, 0.2] {
        for tread in [0.24, 0.28, 0.32] {
            cases.extend([rise, -rise].map(|rise| (stairs(rise, tread, 2.0), STAIRS)));
        }
    }
    walk_over(cases.into_iter());
}

#[test]
fn stairs_of_any_seed_are_walked_as_people_walk_them() {
    let cases = (1..=14).map(|seed| {
        // Evenly spread over all of them.
        let share = |ratio: f32| (seed as f32 * ratio).fract();
        let rise = 0.15 + 0.05 * share(0.8192);
        let (tread, from) = (0.24 + 0.08 * share(0.671), 1.2 + 1.2 * share(0.5498));
        (stairs(if seed % 2 == 0 { rise } else { -rise }, tread, from), STAIRS)
    });
    walk_over(cases);
}

#[test]
fn slopes_are_walked_as_people_walk_them() {
    let degrees = [5.0, 10.0, 15.0, 20.0, 25.0];
    let both = degrees.into_iter().flat_map(|degrees| [(degrees, 0.0), (degrees, 180.0)]);
    walk_over(both.map(|(degrees, towards)| (slope(degrees, towards), SLOPES)));
}

#[test]
fn hills_are_walked_as_people_walk_them() {
    let waves = [(0.1, 2.0), (0.15, 3.0), (0.3, 4.0), (0.3, 5.0), (0.5, 8.0)];
    // The first step is made in a valley.
    let hills = |(height, length): (f32, f32)| {
        let wave = std::f32::consts::TAU / length;
        let name = format!("hills {height} x {length}");
        let ground = terrain(name, move |place| {
            -height * (wave * place.y).cos() * (0.6 * wave * place.x).cos()
        });
        (ground, SLOPES)
    };
    walk_over(waves.into_iter().map(hills));
}
