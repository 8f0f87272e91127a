//! Footprints that are given, and performances that are changed on the way.
#![allow(clippy::expect_used)]

mod stage;

use andante_plan::steps::{
    Detour, FootprintMethod, PlacedFootprints, PlannedMotion, Roadmap, RoadmapOptions, StepError,
    StepGround, StepLeg, StepOptions, StepPlanner, StepSettings, TimelineSettings,
};
use andante_skeleton::{Planar, humanoid, rotation};
use andante_world::HeightFunction;
use glam::{Vec2, vec2};
use stage::*;

fn stepped(prints: &[PlacedFootprints]) -> Result<PlannedMotion, StepError> {
    let floor = HeightFunction::new(|_| 0.0);
    planner().perform_footprints(prints, &StepGround::open(&floor), &StepOptions::default())
}

/// Left and right in turns, so far apart and so far to the side.
fn row(count: usize, step: f32, side: f32, toe_out: f32) -> Vec<PlacedFootprints> {
    (0..count)
        .map(|k| {
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            // The first two and the last two stand side by side.
            let along = (k.max(1) - 1).min(count - 3) as f32 * step;
            PlacedFootprints { foot: k % 2, place: at(sign * side, along, sign * toe_out) }
        })
        .collect()
}

fn check(name: &str, prints: &[PlacedFootprints], most: f32) {
    let performance = stepped(prints).expect(name);
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let metrics = performance.metrics(&humanoid(), (&Planar::IDENTITY, None), &world);
    assert!(metrics.motion.foot_slide_mm_max < 4.0, "{name}: {metrics:?}");
    assert!(metrics.motion.root_accel_max < most, "{name}: {metrics:?}");
    assert!(performance.clip.transforms().iter().all(|t| t.is_finite()));
    // Every one is stepped on, exactly.
    for wanted in prints {
        let met = performance.footprints.iter().any(|print| {
            let place = vec2(print.position.x, print.position.z);
            print.foot == wanted.foot && place.distance(wanted.place.position) < 1e-5
        });
        assert!(met, "{name}: {wanted:?} in {:?}", performance.footprints);
    }
}

#[test]
fn footprints_placed_by_hand_are_stepped_on_exactly_even_odd_ones() {
    check("walk", &row(12, 0.6, 0.09, 0.1), 12.0);
    check("short", &row(12, 0.2, 0.1, 0.1), 12.0);
    // At the border to running, whose clips accelerate by twice as much.
    check("long", &row(12, 0.95, 0.1, 0.1), 20.0);
    check("wide", &row(10, 0.5, 0.3, 0.6), 16.0);
    check("crossed", &row(10, 0.5, -0.06, 0.0), 16.0);
    check("on the spot", &row(8, 0.0, 0.1, 0.1), 12.0);
    check("stand", &row(3, 0.0, 0.1, 0.1)[..2], 2.0);
    let mut uneven = row(14, 0.55, 0.1, 0.1);
    for (k, print) in uneven.iter_mut().enumerate().skip(2).take(9) {
        print.place.position += 0.12 * Vec2::from_angle(2.4 * k as f32);
        print.place.heading += 0.4 * (1.7 * k as f32).sin();
    }
    check("uneven", &uneven, 25.0);
    let mut hops = row(10, 0.5, 0.1, 0.1);
    hops[4].foot = 1;
    check("one foot in a row", &hops, 30.0);
}

#[test]
fn too_few_footprints_are_refused() {
    let one = [PlacedFootprints { foot: 0, place: Planar::IDENTITY }];
    assert!(matches!(stepped(&one), Err(StepError::TooFewFootprints(1))));
    assert!(matches!(stepped(&[]), Err(StepError::TooFewFootprints(0))));
    let odd = [PlacedFootprints { foot: 7, place: Planar::IDENTITY }; 3];
    assert!(stepped(&odd).is_err());
    let nan = [PlacedFootprints { foot: 0, place: at(f32::NAN, 0.0, 0.0) }; 3];
    assert!(matches!(stepped(&nan), Err(StepError::NonFinite(_))));
}

/// The most that any joint turns in a frame, which one, and in which frame.
fn fastest(performance: &PlannedMotion) -> (f32, usize, usize) {
    let frames: Vec<_> = performance.clip.frames().collect();
    let mut most = (0.0, 0, 0);
    for (frame, pair) in frames.windows(2).enumerate() {
        for (joint, (a, b)) in pair[0].iter().zip(pair[1]).enumerate() {
            let turn = rotation::angle_between(a.rotation, b.rotation);
            if turn > most.0 {
                most = (turn, joint, frame);
            }
        }
    }
    most
}

/// Whether two performances have the same pose.
fn alike(a: &PlannedMotion, b: &PlannedMotion, frames: [usize; 2]) -> bool {
    a.clip.frame(frames[0]).iter().zip(b.clip.frame(frames[1])).all(|(a, b)| {
        let turn = rotation::angle_between(a.rotation, b.rotation);
        turn < 1e-4 && a.translation == b.translation
    })
}

#[test]
fn a_performance_is_repaired_from_any_moment_without_a_pop() {
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let options = StepOptions::default();
    let old = to(at(0.0, 10.0, 0.0), vec![StepLeg::Walk(vec![Vec2::ZERO, vec2(0.0, 10.0)])]);
    for pace in [None, Some(3.0)] {
        let options = StepOptions { pace, ..options };
        let before = planner().perform(&old, &world, &options).expect("a way");
        let own = before.metrics(&humanoid(), (&old.goal, None), &world);
        for (goal, time) in [
            (at(4.0, 6.0, 1.5), 1.2),
            (at(-3.0, 7.0, -1.0), 1.9),
            (at(0.0, 5.0, 0.0), 1.0),
            (at(0.0, -2.0, 3.1), 2.0),
            (at(2.0, 12.0, 0.0), 0.0),
            (at(2.0, 14.0, 0.0), before.seconds() - 0.01),
        ] {
            let after = planner()
                .repair(&before, time, &[], goal, &world, &options)
                .unwrap_or_else(|e| panic!("{goal:?} at {time}: {e}"));
            let metrics = after.metrics(&humanoid(), (&goal, None), &world);
            let name = format!("{goal:?} at {time} s, {pace:?}");
            assert!(metrics.goal_error_m < 1e-3, "{name}: {metrics:?}");
            assert!(metrics.goal_heading_error_deg < 0.5, "{name}: {metrics:?}");
            assert!(metrics.motion.foot_slide_mm_max < 5.0, "{name}: {metrics:?}");
            assert!(metrics.motion.foot_rotation_deg_max < 20.0, "{name}: {metrics:?}");
            // What was is kept, and nothing jumps.
            for frame in 0..(time * 60.0) as usize {
                assert!(alike(&before, &after, [frame; 2]), "{name}: frame {frame}");
            }
            let most = 2.0 * own.motion.root_accel_max.max(8.0);
            assert!(metrics.motion.root_accel_max < most, "{name}: {metrics:?}");
            let (worst, own) = (fastest(&after), fastest(&before));
            assert!(
                worst.0 < 1.5 * own.0,
                "{name}: a joint turns by {worst:?} a frame, {own:?} before"
            );
        }
        let late = planner().repair(&before, 1e3, &[], old.goal, &world, &options);
        assert!(matches!(late, Err(StepError::NoSuchTime(_))));
    }
}

#[test]
fn a_detour_comes_back_to_its_old_way_without_a_pop_and_the_rest_is_kept() {
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let old = to(at(0.0, 24.0, 0.0), vec![StepLeg::Walk(vec![Vec2::ZERO, vec2(0.0, 24.0)])]);
    for (pace, time) in [(None, 2.0), (None, 4.7), (Some(3.0), 2.2), (Some(3.0), 3.1)] {
        let options = StepOptions { pace, ..StepOptions::default() };
        let before = planner().perform(&old, &world, &options).expect("a way");
        let own = before.metrics(&humanoid(), (&old.goal, None), &world);
        let departure = planner().departures(&before, time, &options).expect("a time")[0];
        let start = departure.at.position;
        let places = vec![start, start + vec2(0.6, 2.5), start + vec2(0.0, 5.0), vec2(0.0, 24.0)];
        let detour = |again: Option<usize>| {
            let legs = [StepLeg::Walk(places.clone())];
            let detour = Detour { departure, legs: &legs, goal: old.goal, again };
            planner().detour(&before, &detour, &world, &options).expect("a detour")
        };
        let name = format!("{pace:?} at {time} s");
        let new = detour(None);
        assert_eq!(new.changed, departure.frame..new.performance.body.len(), "{name}");
        let back = detour(Some(departure.frame + 120));
        let (after, until) = (&back.performance, back.changed.end);
        assert!(back.changed.start == departure.frame && until + 120 < after.body.len(), "{name}");
        // What was and what comes again is kept, and nothing jumps.
        let (ends, was) = (after.body.len(), before.body.len());
        let same = |new: usize, old: usize| alike(after, &before, [new, old]);
        assert!((0..departure.frame).all(|frame| same(frame, frame)), "{name}");
        assert!((until..ends).all(|frame| same(frame, was + frame - ends)), "{name}");
        let aside = after.body.iter().map(|body| body.position.x).fold(0.0, f32::max);
        assert!(aside > 0.35, "{name}: {aside} m aside");
        let metrics = after.metrics(&humanoid(), (&old.goal, None), &world);
        assert!(metrics.goal_error_m < 1e-3, "{name}: {metrics:?}");
        assert!(metrics.motion.foot_slide_mm_max < 5.0, "{name}: {metrics:?}");
        let most = 2.0 * own.motion.root_accel_max.max(8.0);
        assert!(metrics.motion.root_accel_max < most, "{name}: {metrics:?}");
        let (worst, own) = (fastest(after), fastest(&before));
        assert!(
            worst.0 < 1.5 * own.0,
            "{name}: a joint turns by {worst:?} a frame, {own:?} before"
        );
        let prints = &after.footprints;
        assert!(prints.windows(2).all(|pair| pair[0].take_off <= pair[1].take_off), "{name}");
    }
}

#[test]
fn a_jump_under_way_is_finished_before_the_way_changes() {
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let options = StepOptions::default();
    let journey = over_gap(1.5);
    let before = planner().perform(&journey, &world, &options).expect("a jump");
    let over = before.body.iter().position(|body| body.position.y > 6.5).expect("over the gap");
    let goal = at(4.0, 12.0, 1.5);
    let after = planner()
        .repair(&before, over as f32 / 60.0, &[], goal, &world, &options)
        .expect("another way");
    let metrics = after.metrics(&humanoid(), (&goal, None), &world);
    assert!(metrics.goal_error_m < 1e-3 && metrics.motion.foot_slide_mm_max < 3.0, "{metrics:?}");
    let landed = over + 10;
    assert!(alike(&before, &after, [landed; 2]));
}

#[test]
fn a_roadmap_finds_footprints_that_can_be_performed() {
    let floor = HeightFunction::new(|_| 0.0);
    let walkable = |place: Vec2| place.clamp(vec2(-3.0, -1.0), vec2(3.0, 7.0));
    let world = StepGround { ground: &floor, walkable: &walkable, overhead: &[], level: None };
    let options = RoadmapOptions { places: 3000, ..RoadmapOptions::default() };
    let bounds = [vec2(-3.0, -1.0), vec2(3.0, 7.0)];
    let map = Roadmap::new(planner(), &world, bounds, &options).expect("walks");
    let (places, edges) = map.size();
    assert_eq!(places, 3000);
    assert!(edges > 3000, "{edges} edges");
    let goal = at(1.0, 5.0, 0.3);
    let prints = map.find(planner(), &world, [Planar::IDENTITY, goal], 4).expect("a way");
    let performance =
        planner().perform_footprints(&prints, &world, &StepOptions::default()).expect("steps");
    let metrics = performance.metrics(&humanoid(), (&goal, None), &world);
    assert!(metrics.goal_error_m < 2e-3, "{metrics:?}");
    assert!(metrics.motion.foot_slide_mm_max < 5.0, "{metrics:?}");
    assert_eq!(map.find(planner(), &world, [Planar::IDENTITY, at(90.0, 0.0, 0.0)], 4), None);
}

#[test]
fn footprints_come_from_the_clips_the_hand_or_a_roadmap() {
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let options = StepOptions::default();
    let journey = to(at(0.5, 3.0, 0.2), vec![]);
    let by = |method: &FootprintMethod| planner().perform_by(method, &journey, &world, &options);
    let route = by(&FootprintMethod::Route).expect("a way");
    assert!(alike(&route, &planner().perform(&journey, &world, &options).expect("a way"), [30; 2]));
    let map = RoadmapOptions { places: 2500, ..RoadmapOptions::default() };
    let found = by(&FootprintMethod::Roadmap(map)).expect("footprints");
    let metrics = found.metrics(&humanoid(), (&journey.goal, None), &world);
    assert!(metrics.goal_error_m < 2e-3, "{metrics:?}");
    let few = RoadmapOptions { places: 3, ..map };
    assert_eq!(by(&FootprintMethod::Roadmap(few)).err(), Some(StepError::NoFootprints(3)));
    let print = |print: &andante_skeleton::PlannedFootprint| PlacedFootprints {
        foot: print.foot,
        place: Planar::new(vec2(print.position.x, print.position.z), print.heading),
    };
    let prints: Vec<PlacedFootprints> = route.footprints.iter().map(print).collect();
    let placed = by(&FootprintMethod::Placed(prints.clone())).expect("steps");
    // Where a foot comes twice in a row, the other one is set down in between.
    assert!(placed.footprints.len() >= prints.len());
}

#[test]
fn settings_shape_what_is_performed() {
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let journey = to(at(0.0, 4.0, 0.0), vec![]);
    let usual = StepSettings::default();
    let timeline = TimelineSettings { hold_after: 1.5, ..usual.timeline };
    let patient = StepSettings { timeline, ..usual };
    let planner = |settings| {
        StepPlanner::with_settings(planner().repertoire().clone(), settings).expect("gaits")
    };
    let seconds = |settings| {
        let made = planner(settings).perform(&journey, &world, &StepOptions::default());
        made.expect("a way").seconds()
    };
    assert!((seconds(patient) - seconds(usual) - 1.0).abs() < 0.02);
}
