//! Ground and bodies that turn: feet that stand point where they pointed on what they stand on.

use crate::oracle::soles;
use crate::source::{Layered, Source};
use andante_play::{FootStatus, SourceFrame, SupportMotion};
use andante_skeleton::{Transform, rotation};
use andante_world::HeightFunction;
use glam::{Quat, Vec3};

const DT: f32 = 1.0 / 60.0;

/// Heading of a sole, from its heel to its ball.
fn heading(sole: &[Vec3; 3]) -> f32 {
    let ahead = sole[1] - sole[0];
    ahead.x.atan2(ahead.z)
}

/// What a turn showed: by how much soles that stood turned in a frame at most besides what they stood on, how far they
/// pointed away from where the source has them, and how many frames each was in the air.
#[derive(Default, Debug)]
struct Seen {
    swivelled: f32,
    astray: f32,
    aloft: [usize; 2],
}

/// Turns somebody who stands, and what it stands on, by so many radians a second.
fn turned(body: f32, ground: f32) -> Seen {
    let level = HeightFunction::new(|_| 0.0);
    let mut layered = Layered::new(Source::built_in("stand", 1.0));
    let (mut seen, mut before) = (Seen::default(), None::<Vec<[Vec3; 3]>>);
    let motion = Transform::from_rotation(Quat::from_rotation_y(ground * DT));
    let supports = [0, 1].map(|foot| SupportMotion { foot, stands: motion, lands: motion });
    for frame in 0..360 {
        layered.source.pass(DT, &mut layered.before);
        let yaw = Quat::from_rotation_y(body * DT * frame as f32);
        layered.before[0] = Transform::from_rotation(yaw) * layered.before[0];
        layered.pose.copy_from_slice(&layered.before);
        let source = SourceFrame { floor: Some(0.0), supports: &supports };
        layered.layer.step(&mut layered.pose, &source, &level, DT).unwrap();
        let [own, shown] =
            [&layered.before, &layered.pose].map(|pose| soles(&layered.source.character, pose));
        for foot in 0..2 {
            let off = rotation::wrap_angle(heading(&shown[foot]) - heading(&own[foot]));
            seen.astray = seen.astray.max(off.abs());
            let report = &layered.layer.feet()[foot];
            seen.aloft[foot] += usize::from(report.status == FootStatus::Aloft);
            let Some(before) = before.as_ref().filter(|_| report.down == [true; 2]) else {
                continue;
            };
            let by = rotation::wrap_angle(heading(&shown[foot]) - heading(&before[foot]));
            seen.swivelled = seen.swivelled.max((by - ground * DT).abs());
        }
        before = Some(shown);
    }
    seen
}

/// They were turned once by the ground and once more by who stands on it.
#[test]
fn who_turns_with_a_turntable_keeps_its_feet_below_it() {
    for rate in [0.3, -0.8] {
        let seen = turned(rate, rate);
        assert!(seen.astray < 0.1 && seen.aloft == [0; 2], "{rate}: {seen:?}");
    }
}

/// They spun on the spot with the body, and were said to be firm.
#[test]
fn feet_that_stand_do_not_swivel_below_a_body_that_turns() {
    for rate in [0.4f32, -0.8] {
        let seen = turned(rate, 0.0);
        assert!(seen.swivelled < 0.2 * rate.abs() * DT + 1e-3, "{rate}: {seen:?}");
        assert!(seen.astray < 1.3, "{rate}: {seen:?}");
        assert!(seen.aloft.iter().all(|frames| (15..250).contains(frames)), "{rate}: {seen:?}");
    }
}

/// Feet go with the table, and step back to where the body has them.
#[test]
fn feet_on_a_turntable_go_with_it_and_step_back() {
    for rate in [0.4f32, -0.6] {
        let seen = turned(0.0, rate);
        assert!(seen.swivelled < 0.2 * rate.abs() * DT + 1e-3, "{rate}: {seen:?}");
        assert!(seen.astray < 1.3, "{rate}: {seen:?}");
        assert!(seen.aloft.iter().all(|frames| (15..250).contains(frames)), "{rate}: {seen:?}");
    }
}
