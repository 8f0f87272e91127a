//! Performances of the built-in repertoire on flat ground.
#![allow(clippy::expect_used)]

mod stage;

use andante_motion::synth;
use andante_plan::steps::{
    Jump, StepError, StepGround, StepJourney, StepLeg, StepOptions, StepPlanner,
};
use andante_play::measure::measure_level;
use andante_skeleton::{Planar, humanoid, rotation};
use andante_world::HeightFunction;
use glam::{Quat, Vec2, Vec3, vec2};
use proptest::prelude::*;
use stage::*;
use std::f32::consts::FRAC_PI_4;
use std::sync::Arc;

#[test]
fn every_route_ends_exactly_at_its_goal_and_no_foot_slides() {
    for (name, journey) in routes() {
        let (performance, metrics) = perform(&journey).expect(name);
        assert!(metrics.goal_error_m < 1e-3, "{name}: {metrics:?}");
        assert!(metrics.goal_heading_error_deg < 0.5, "{name}: {metrics:?}");
        let feet = &metrics.motion;
        assert!(feet.foot_slide_mm_mean < 0.2, "{name}: {feet:?}");
        assert!(feet.foot_slide_mm_max < 2.0, "{name}: {feet:?}");
        assert!(feet.penetration_mm_max < 2.0, "{name}: {feet:?}");
        assert!(feet.sole_gap_mm_mean.abs() < 0.5, "{name}: {feet:?}");
        assert!(feet.foot_rotation_deg_max < 15.0, "{name}: {feet:?}");
        assert!(feet.knee_extension_max < 1.0, "{name}: {feet:?}");
        // A full stop, on both feet.
        let frames: Vec<_> = performance.clip.frames().collect();
        let last = frames.len() - 1;
        assert!(frames[last][0].translation.distance(frames[last - 5][0].translation) < 1e-4);
        for foot in &performance.contacts.feet {
            assert!(foot.heel_down(performance.seconds()) && foot.toe_down(performance.seconds()));
        }
    }
}

#[test]
fn clips_that_are_played_by_name_alone_change_nothing_of_a_walk() {
    let human = humanoid();
    let all = andante_motion::repertoire::built_in(&human).expect("built in");
    let some = andante_motion::repertoire::gaits_and_jumps(&human).expect("built in");
    assert!(some.clips().len() < all.clips().len());
    for clip in some.clips() {
        assert_eq!(all.find(clip.name()), Some(clip));
    }
    let few = StepPlanner::new(Arc::new(some)).expect("gaits");
    for (name, journey) in routes() {
        let (one, _) = perform(&journey).expect(name);
        let ground = HeightFunction::new(|_| 0.0);
        let other = few.perform(&journey, &StepGround::open(&ground), &StepOptions::default());
        assert_eq!(one.clip, other.expect(name).clip, "{name}");
    }
}

#[test]
fn no_body_is_jerked_more_than_twice_as_hard_as_the_clips_do() {
    let human = humanoid();
    let own = |name: &str| {
        let clip = synth::clip(&human, name).expect("built in").clip;
        {
            let feet = vec![andante_play::FootContacts::default(); 2];
            let contacts = andante_play::Contacts { feet };
            measure_level(&human.skeleton, &human.rig, &clip, &contacts, 0.0).root_accel_max
        }
    };
    let (walk, jump) = (own("walk"), own("jump-short").max(own("jump-long")));
    for (name, journey) in routes() {
        let (performance, metrics) = perform(&journey).expect(name);
        let own = if name.starts_with("jump") { jump } else { walk };
        let most = metrics.motion.root_accel_max;
        assert!(most < 2.0 * own, "{name}: {most} m/s², clips {own} m/s²");
        assert!(metrics.root_accel_ratio <= 2.0, "{name}: {metrics:?}");
        // What a performance says about its clips is what the clips say themselves.
        let told = performance.clips_root_accel_max;
        assert!(told < 1.15 * own.max(jump), "{name}: {told} m/s², clips {own} m/s²");
    }
}

#[test]
fn feet_do_not_cross_and_steps_are_no_shuffles() {
    for (name, journey) in routes().into_iter().take(7) {
        let (performance, _) = perform(&journey).expect(name);
        let prints = &performance.footprints;
        for pair in prints.windows(2) {
            if pair[0].foot == pair[1].foot {
                // Only out of standing, and to go somewhere.
                assert!(pair[0].take_off - pair[0].landing > 0.2, "{name}: a shuffle");
                let turn = rotation::wrap_angle(pair[1].heading - pair[0].heading).abs();
                let way = pair[1].position.distance(pair[0].position);
                assert!(way + 0.2 * turn > 0.1, "{name}: a step to nowhere");
                continue;
            }
            // The right foot is right of the left one.
            let heading =
                pair[0].heading + 0.5 * rotation::wrap_angle(pair[1].heading - pair[0].heading);
            let left = Quat::from_rotation_y(heading) * Vec3::X;
            let sides = (pair[1].position - pair[0].position).dot(left);
            let apart = if pair[1].foot == 0 { sides } else { -sides };
            assert!(apart > 0.0, "{name}: {apart} m at {} s", pair[1].landing);
        }
        for print in prints {
            let contact = print.take_off - print.landing;
            assert!(contact > 0.12, "{name}: {contact} s at {} s", print.landing);
        }
    }
}

#[test]
fn strides_follow_the_speed() {
    let way = vec![StepLeg::Walk(vec![Vec2::ZERO, vec2(0.0, 20.0)])];
    let journey = to(at(0.0, 20.0, 0.0), way);
    let mut before = 0.0;
    for pace in [0.7, 1.0, 1.4, 1.8, 3.2] {
        let options = StepOptions { pace: Some(pace), ..StepOptions::default() };
        let (performance, metrics) = perform_with(&journey, &options).expect("a way");
        assert!(metrics.goal_error_m < 1e-3 && metrics.motion.foot_slide_mm_max < 2.0);
        let middle = performance.footprints.len() / 2;
        let steps = &performance.footprints[middle - 2..middle + 2];
        let stride = steps[3].position.distance(steps[1].position);
        assert!(stride > before + 0.05, "{stride} m at {pace} m/s, {before} m before");
        let speed = stride / (steps[3].landing - steps[1].landing);
        assert!((speed - pace).abs() < 0.08 * pace, "{speed} at {pace} m/s");
        before = stride;
        let running = performance.running[performance.running.len() / 2];
        assert_eq!(running > 0.5, pace > 2.0);
    }
}

#[test]
fn gaps_within_reach_are_crossed_with_a_margin_and_wider_ones_refused() {
    let options = StepOptions::default();
    let widest = planner().widest_gap(&options).expect("jumps");
    assert!(widest > 1.5, "{widest} m");
    for part in [0.2, 0.5, 0.8, 0.9, 0.97, 0.999] {
        let gap = part * widest;
        let (performance, metrics) = perform(&over_gap(gap)).expect("within reach");
        assert!(metrics.goal_error_m < 1e-3, "{gap} m: {metrics:?}");
        assert!(metrics.motion.foot_slide_mm_max < 2.0, "{gap} m: {metrics:?}");
        for print in &performance.footprints {
            for point in [print.heel, print.tip] {
                let on_ground = point.z < 6.0 - 0.04 || point.z > 6.0 + gap + 0.04;
                assert!(on_ground, "{gap} m: a foot at {point}");
            }
        }
    }
    let refused = perform(&over_gap(1.01 * widest)).map(|_| ());
    assert!(matches!(refused, Err(StepError::GapTooWide { .. })), "{refused:?}");
    let mut unknown = over_gap(1.0);
    if let StepLeg::Jump(jump) = &mut unknown.legs[1] {
        jump.clip = Some("moonwalk".into());
    }
    let refused = perform(&unknown).map(|_| ());
    assert_eq!(refused, Err(StepError::NoSuchJump("moonwalk".into())));
}

#[test]
fn a_jump_without_room_to_run_up_is_refused() {
    let (near, far) = (vec2(0.0, 0.8), vec2(0.0, 2.3));
    let legs = vec![
        StepLeg::Walk(vec![Vec2::ZERO, near]),
        StepLeg::Jump(Jump { from: near, to: far, clip: None }),
        StepLeg::Walk(vec![far, vec2(0.0, 8.0)]),
    ];
    let refused = perform(&to(at(0.0, 8.0, 0.0), legs)).map(|_| ());
    assert!(matches!(refused, Err(StepError::NoRunUp { .. })), "{refused:?}");
}

#[test]
fn a_hairpin_right_after_a_jump_is_refused() {
    let (near, far) = (vec2(0.0, 5.0), vec2(0.0, 6.2));
    let legs = vec![
        StepLeg::Walk(vec![Vec2::ZERO, near]),
        StepLeg::Jump(Jump { from: near, to: far, clip: None }),
        StepLeg::Walk(vec![far, vec2(0.0, 8.2), vec2(0.5, 6.6)]),
    ];
    let refused = perform(&to(at(0.5, 6.6, 3.0), legs)).map(|_| ());
    assert!(matches!(refused, Err(StepError::TooSharp { .. })), "{refused:?}");
}

#[test]
fn odd_journeys_end_where_they_should_without_a_nan() {
    let somewhere = at(1.0, -2.0, 0.7);
    let mut cases: Vec<(String, StepJourney)> = vec![
        ("stay".into(), StepJourney { start: somewhere, goal: somewhere, legs: vec![] }),
        ("empty leg".into(), to(at(0.0, 3.0, 0.0), vec![StepLeg::Walk(vec![])])),
        ("one point".into(), to(at(0.0, 3.0, 0.0), vec![StepLeg::Walk(vec![vec2(0.0, 1.0)])])),
        ("same points".into(), to(at(0.0, 3.0, 0.0), vec![StepLeg::Walk(vec![Vec2::ZERO; 9])])),
        (
            "back and forth".into(),
            to(
                at(0.0, 3.0, 0.0),
                vec![StepLeg::Walk(vec![Vec2::ZERO, vec2(0.0, 5.0), vec2(0.0, 3.0)])],
            ),
        ),
        ("far heading".into(), to(at(0.0, 3.0, 100.0), vec![])),
    ];
    for distance in [0.001, 0.01, 0.05, 0.3, 0.6, 0.89, 0.91, 1.2, 2.0] {
        for direction in 0..8 {
            let place = distance * Vec2::from_angle(direction as f32 * FRAC_PI_4);
            for heading in [0.0, 1.0, -2.0, 3.1] {
                let name = format!("{distance} m towards {direction}, facing {heading}");
                cases.push((name, to(Planar::new(place, heading), vec![])));
            }
        }
    }
    for (name, journey) in cases {
        let (performance, metrics) = perform(&journey).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(metrics.goal_error_m < 1e-3, "{name}: {metrics:?}");
        assert!(metrics.goal_heading_error_deg < 0.5, "{name}: {metrics:?}");
        assert!(metrics.motion.foot_slide_mm_max < 3.0, "{name}: {metrics:?}");
        assert!(metrics.motion.penetration_mm_max < 3.0, "{name}: {metrics:?}");
        assert!(metrics.motion.root_accel_max < 15.0, "{name}: {metrics:?}");
        let all = performance.clip.transforms();
        assert!(all.iter().all(|t| t.is_finite()), "{name}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let nan = f32::NAN;
    for journey in [
        StepJourney { start: at(nan, 0.0, 0.0), goal: Planar::IDENTITY, legs: vec![] },
        to(at(0.0, f32::INFINITY, 0.0), vec![]),
        to(at(0.0, 1.0, nan), vec![]),
        to(at(0.0, 1.0, 0.0), vec![StepLeg::Walk(vec![vec2(0.0, nan)])]),
        to(
            at(0.0, 1.0, 0.0),
            vec![StepLeg::Jump(Jump { from: Vec2::NAN, to: Vec2::ZERO, clip: None })],
        ),
    ] {
        let refused = perform(&journey).map(|_| ());
        assert!(matches!(refused, Err(StepError::NonFinite(_))), "{refused:?}");
    }
    let far = perform(&to(at(0.0, 1e5, 0.0), vec![])).map(|_| ());
    assert!(matches!(far, Err(StepError::TooLong(_))), "{far:?}");
}

#[test]
fn a_goal_behind_is_turned_to_before_it_is_walked_to() {
    let (performance, _) = perform(&to(at(0.0, -4.0, 3.1), vec![])).expect("a way");
    let gone = |frame: usize| performance.body[frame].position.length();
    let off = (0..performance.body.len()).find(|&k| gone(k) > 0.4).expect("it walks");
    let facing = rotation::wrap_angle(performance.body[off].heading).abs();
    assert!(facing > 2.7, "faces {facing} when it sets off");
}

#[test]
fn a_problem_that_is_moved_as_a_whole_has_the_same_solution_moved() {
    for (name, journey) in routes() {
        let by = at(3.0, -2.0, 0.6);
        let moved = |place: Vec2| by.then(&Planar::new(place, 0.0)).position;
        let leg = |leg: &StepLeg| match leg {
            StepLeg::Walk(places) => StepLeg::Walk(places.iter().map(|p| moved(*p)).collect()),
            StepLeg::Jump(jump) => StepLeg::Jump(Jump {
                from: moved(jump.from),
                to: moved(jump.to),
                clip: jump.clip.clone(),
            }),
        };
        let elsewhere = StepJourney {
            start: by.then(&journey.start),
            goal: by.then(&journey.goal),
            legs: journey.legs.iter().map(leg).collect(),
        };
        let (here, _) = perform(&journey).expect(name);
        let (there, _) = perform(&elsewhere).expect(name);
        assert_eq!(here.clip.frame_count(), there.clip.frame_count(), "{name}");
        assert_eq!(here.footprints.len(), there.footprints.len(), "{name}");
        let frame = by.to_transform();
        for (a, b) in here.clip.frames().zip(there.clip.frames()) {
            let expected = frame * a[0];
            let apart = expected.translation.distance(b[0].translation);
            assert!(apart < 4e-3, "{name}: {apart} m");
            assert!(rotation::angle_between(expected.rotation, b[0].rotation) < 0.01, "{name}");
        }
    }
}

#[test]
fn footprints_stay_on_walkable_ground_and_the_body_follows_them() {
    // A plank that bends: narrower than a stance is wide.
    let half = 0.14;
    let middle = |z: f32| 0.25 * (0.5 * z).sin();
    let floor = HeightFunction::new(|_| 0.0);
    let walkable = |place: Vec2| {
        let centre = middle(place.y);
        vec2(place.x.clamp(centre - half, centre + half), place.y)
    };
    let world = StepGround { ground: &floor, walkable: &walkable, overhead: &[], level: None };
    let way: Vec<Vec2> = (0..=80).map(|k| k as f32 * 0.1).map(|z| vec2(middle(z), z)).collect();
    let goal = Planar::new(way[80], 0.0);
    let journey = to(goal, vec![StepLeg::Walk(way)]);
    let performance =
        planner().perform(&journey, &world, &StepOptions::default()).expect("a plank");
    for print in &performance.footprints[2..performance.footprints.len() - 2] {
        for point in [print.heel, print.position, print.tip] {
            let off = vec2(point.x, point.z).distance(walkable(vec2(point.x, point.z)));
            assert!(off < 2e-3, "{off} m off at {point}");
        }
    }
    let metrics = performance.metrics(&humanoid(), (&goal, None), &world);
    assert!(metrics.goal_error_m < 1e-3 && metrics.motion.foot_slide_mm_max < 2.0, "{metrics:?}");
    assert!(metrics.motion.root_accel_max < 12.0, "{metrics:?}");
}

#[test]
fn feet_stand_on_hills_slopes_and_stairs() {
    type Height = fn(Vec2) -> f32;
    let grounds: [(&str, Height); 6] = [
        ("slope", |p| 0.15 * p.y),
        ("across", |p| 0.15 * p.x),
        ("hills", |p| 0.2 * (0.9 * p.x).sin() + 0.2 * (0.8 * p.y).sin()),
        ("wide stairs", |p| 0.12 * (p.y / 0.6).floor().clamp(0.0, 8.0)),
        ("stairs up", |p| 0.17 * ((p.y - 1.0) / 0.29).floor().clamp(0.0, 9.0)),
        ("stairs down", |p| -0.17 * ((p.y - 1.0) / 0.29).floor().clamp(0.0, 9.0)),
    ];
    for (name, height) in grounds {
        let ground = HeightFunction::new(height);
        let world = StepGround::open(&ground);
        let journey = to(at(0.5, 7.0, 0.2), vec![]);
        let performance = planner().perform(&journey, &world, &StepOptions::default()).expect(name);
        let metrics = performance.metrics(&humanoid(), (&journey.goal, None), &world);
        assert!(metrics.goal_error_m < 1e-3, "{name}: {metrics:?}");
        assert!(metrics.motion.foot_slide_mm_mean < 1.0, "{name}: {metrics:?}");
        assert!(metrics.motion.foot_slide_mm_max < 5.0, "{name}: {metrics:?}");
        assert!(metrics.motion.root_accel_max < 12.0, "{name}: {metrics:?}");
        assert!(metrics.motion.sole_gap_mm_mean.abs() < 1.0, "{name}: {metrics:?}");
        assert!(metrics.motion.penetration_mm_max <= 3.0, "{name}: {metrics:?}");
        assert!(metrics.root_accel_ratio <= 2.0, "{name}: {metrics:?}");
        // Every sole lies on one tread.
        for print in performance.footprints.iter().filter(|_| name.contains("stairs")) {
            let levels = [print.heel, print.ball, print.tip].map(|p| height(vec2(p.x, p.z)));
            assert!(levels.iter().all(|y| (y - levels[0]).abs() < 1e-5), "{name}: {print:?}");
        }
    }
}

#[test]
fn the_same_journey_is_performed_the_same_bit_for_bit() {
    let (first, _) = perform(&jumps()).expect("two jumps");
    let (again, _) = perform(&jumps()).expect("two jumps");
    assert_eq!(first.footprints, again.footprints);
    let (first, again) = (hash(first.clip.transforms()), hash(again.clip.transforms()));
    assert_eq!(first, again);
    assert_eq!(first, 0x2794_6bcf_f25c_e9c2, "the motion is {first:#018x}");
}

fn place() -> impl Strategy<Value = Vec2> {
    (-6.0f32..6.0, -6.0f32..6.0).prop_map(|(x, z)| vec2(x, z))
}

fn leg() -> impl Strategy<Value = StepLeg> {
    let walk = prop::collection::vec(place(), 0..6).prop_map(StepLeg::Walk);
    let jump = (place(), 0.0f32..2.2, 0.0f32..6.3).prop_map(|(from, gap, angle)| {
        StepLeg::Jump(Jump { from, to: from + gap * Vec2::from_angle(angle), clip: None })
    });
    prop_oneof![4 => walk, 1 => jump]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
    /// However a route zigzags, and wherever its jumps lie: either it is refused or performed.
    #[test]
    fn any_journey_is_refused_or_ends_at_its_goal_without_sliding(
        legs in prop::collection::vec(leg(), 0..4), goal in place(), heading in -4.0f32..4.0, turn in -4.0f32..4.0,
    ) {
        let start = at(0.0, 0.0, turn);
        let journey = StepJourney { start, goal: Planar::new(goal, heading), legs };
        if let Ok((performance, metrics)) = perform(&journey) {
            prop_assert!(performance.clip.transforms().iter().all(|t| t.is_finite()));
            prop_assert!(metrics.goal_error_m < 2e-3, "{metrics:?}");
            prop_assert!(metrics.goal_heading_error_deg < 0.5, "{metrics:?}");
            prop_assert!(metrics.motion.foot_slide_mm_mean < 1.0, "{metrics:?}");
            prop_assert!(metrics.motion.foot_slide_mm_max < 10.0, "{metrics:?}");
        }
    }
}

#[test]
fn odd_options_are_refused_or_survived() {
    let journey = over_gap(1.2);
    for odd in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e9] {
        for which in 0..6 {
            let mut options = StepOptions::default();
            match which {
                0 => options.pace = Some(odd),
                1 => options.acceleration = odd,
                2 => options.braking = odd,
                3 => options.lateral = odd,
                4 => options.fade = odd,
                _ => options.margin = odd,
            }
            if let Ok((performance, _)) = perform_with(&journey, &options) {
                assert!(performance.clip.transforms().iter().all(|t| t.is_finite()));
            }
        }
    }
}
