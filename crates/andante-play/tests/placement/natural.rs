//! What people see between contacts, beside what [`andante_play::Grounding`] makes of the same clip, which it knows ahead.

use crate::common::{Terrain, built_in, hills, slope, stairs};
use andante_motion::adapt::{Extent, TakeOptions, adapt_clip_timed};
use std::fmt::Write;
use std::time::Instant;

/// Knee in °/s, fall and rise of the ankle in m/s, and pop in degrees at most.
type Most = [f32; 4];

fn compare(grounds: Vec<(Terrain, f32, Most)>) {
    let clip = built_in("walk");
    let (mut table, mut wrong) = (String::new(), 0);
    for (ground, rate, most) in grounds {
        for live in [false, true] {
            let extent = Extent::Distance(8.0);
            let options =
                TakeOptions { extent, fps: Some(60.0), live, rate, ..TakeOptions::default() };
            let begun = Instant::now();
            let take = adapt_clip_timed(&clip, &*ground.ground, &options, &mut || begun.elapsed())
                .unwrap();
            let m = &take.metrics;
            let found = [
                m.knee_speed_dps_max,
                m.ankle_fall_mps_max,
                m.ankle_rise_mps_max,
                m.joint_pop_deg_max,
            ];
            let holds = !live || found.iter().zip(most).all(|(found, most)| *found <= most);
            wrong += usize::from(!holds);
            writeln!(
                table,
                "{:18} x{rate} {}: knee {:4.0} °/s, ankle {:.1} / {:.1} m/s, shank–foot {:3.0}°, pop {:4.1}°, legs {:3.0} mm, slide {:.2} / {:.1}, deep {:.1}, gap {:.1} mm, hips {:.0} m/s², {:.1} µs {}",
                ground.name,
                if live { "live " } else { "known" },
                found[0], found[1], found[2],
                m.shank_foot_deg_min,
                found[3],
                m.legs_apart_mm_min,
                m.foot_slide_mm_mean,
                m.foot_slide_mm_max,
                m.penetration_mm_max,
                m.sole_gap_mm_mean,
                m.hips_accel_max,
                take.us_per_frame_mean(),
                if holds { "" } else { "<<" },
            )
            .unwrap();
        }
    }
    println!("{table}");
    assert!(wrong == 0, "{wrong} outside\n{table}");
}

#[test]
fn hills_and_slopes_are_walked_nearly_as_by_who_knows_them() {
    compare(vec![
        (slope(0.0, 0.0), 1.0, [520.0, 2.4, 2.7, 10.0]),
        (slope(10.0, 0.0), 1.0, [520.0, 2.4, 2.7, 10.0]),
        (slope(-10.0, 0.0), 1.0, [520.0, 2.4, 2.7, 10.0]),
        (slope(12.0, 90.0), 1.0, [520.0, 2.4, 2.7, 10.0]),
        (hills(0.25, 4.0), 1.0, [900.0, 3.6, 2.7, 12.0]),
        (hills(0.25, 2.0), 0.8, [1250.0, 4.2, 6.0, 25.0]),
    ]);
}

#[test]
fn stairs_are_walked_within_bounds() {
    compare(vec![
        (stairs(0.17, 0.29), 0.6, [1250.0, 2.4, 4.0, 27.0]),
        (stairs(-0.17, 0.29), 0.6, [950.0, 4.5, 2.4, 17.0]),
        (stairs(0.17, 0.29), 1.0, [1250.0, 2.2, 4.6, 23.0]),
        (stairs(-0.17, 0.29), 1.0, [1500.0, 6.6, 2.4, 23.0]),
    ]);
}
