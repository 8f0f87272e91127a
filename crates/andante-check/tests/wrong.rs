//! What is wrong on purpose is found, whatever the world's numbers.
#![allow(clippy::unwrap_used, clippy::panic)]

mod made;

use andante_check::{Demand, DemandedSpot, PartDemand, Severity, ViolationKind};
use andante_skeleton::Planar;
use andante_take::TrackGoal;
use andante_world::Platform;
use glam::{Quat, Vec2, Vec3};
use made::{Dice, block, floor, gait, kinds, moved, posed, verdict};

fn has(take: &andante_take::Take, kind: ViolationKind) {
    let found = verdict(take, None);
    let is_it = |violation: &&andante_check::Violation| violation.kind == kind;
    let one = found.violations.iter().find(is_it);
    let one = one.unwrap_or_else(|| panic!("no {kind:?} in {:#?}", found.violations));
    assert_eq!(one.severity(), kind.severity());
    assert!(one.frames > 0 && one.excess() > 1.0 && one.to_string().contains(&one.who));
}

#[test]
fn a_body_in_a_dock_is_found_however_high_the_dock_is() {
    let mut dice = Dice(1);
    for _ in 0..12 {
        let mut take = gait("walk", 3);
        let edge = dice.between(0.5, 1.5);
        take.head.ground = vec![
            floor("ground", [-5.0, -5.0], [5.0, edge], 0.0),
            floor("dock", [-5.0, edge], [5.0, 20.0], dice.between(0.2, 1.5)),
        ];
        let found = kinds(&take);
        // Below the dock there is no ground either.
        let bad =
            [ViolationKind::ThroughWorld, ViolationKind::ContactInAir, ViolationKind::FootInGround];
        assert!(bad.iter().any(|kind| found.contains(kind)), "{found:?}");
        assert!(found.contains(&ViolationKind::ThroughWorld), "{found:?}");
    }
}

#[test]
fn logs_and_narrow_doors_are_not_walked_through() {
    let mut dice = Dice(2);
    for _ in 0..12 {
        let z = dice.between(0.8, 2.0);
        let mut take = gait("walk", 3);
        take.head.obstacles.push(block("log", [6.0, dice.between(0.15, 0.35), 0.3], [0.0, 0.0, z]));
        has(&take, ViolationKind::ThroughWorld);
        let mut take = gait("walk", 3);
        let half = 0.5 * dice.between(0.3, 0.42);
        for side in [-1.0, 1.0] {
            take.head.obstacles.push(block("jamb", [1.0, 2.1, 0.2], [side * (half + 0.5), 0.0, z]));
        }
        has(&take, ViolationKind::ThroughWorld);
    }
}

#[test]
fn a_body_wholly_inside_a_large_obstacle_is_found() {
    let mut take = gait("walk", 2);
    take.head.obstacles.push(block("rock", [30.0, 30.0, 30.0], [0.0, -5.0, 0.0]));
    has(&take, ViolationKind::ThroughWorld);
}

#[test]
fn an_obstacle_that_was_asked_for_counts_though_the_take_does_not_know_it() {
    let take = gait("walk", 3);
    let demand = Demand {
        ground: take.head.ground.clone(),
        obstacles: vec![block("wall", [4.0, 2.0, 0.2], [0.0, 0.0, 1.2])],
        ..Demand::default()
    };
    assert!(verdict(&take, None).is_ok());
    let found = verdict(&take, Some(&demand));
    assert!(found.wrong(None).any(|violation| violation.what.contains("wall")));
}

#[test]
fn floating_and_sinking_are_found() {
    has(&moved(gait("walk", 2), |_| Vec3::Y * 0.05), ViolationKind::ContactInAir);
    has(&moved(gait("walk", 2), |_| Vec3::Y * -0.05), ViolationKind::FootInGround);
    let mut nothing = gait("walk", 2);
    nothing.head.ground = vec![floor("far", [50.0, 50.0], [60.0, 60.0], 0.0)];
    has(&nothing, ViolationKind::ContactInAir);
}

#[test]
fn a_long_way_through_the_air_is_found() {
    let mut take = gait("walk", 4);
    take.tracks[0].contacts.feet.iter_mut().for_each(|foot| {
        foot.heel.retain(|contact| contact.end < 1.0);
        foot.toe.retain(|contact| contact.end < 1.0);
    });
    has(&take, ViolationKind::InNothing);
}

#[test]
fn soles_that_slide_are_found_and_those_that_are_carried_do_not_slide() {
    has(&moved(gait("walk", 3), |time| Vec3::X * 0.2 * time), ViolationKind::Slide);
    has(&moved(gait("walk", 3), |time| Vec3::Z * -0.15 * time), ViolationKind::Slide);
}

#[test]
fn ground_nobody_can_stand_on_is_too_steep() {
    for degrees in [50.0f32, 63.0, 79.0, 84.0] {
        let slope = degrees.to_radians().tan();
        let take = moved(gait("walk", 2), |_| Vec3::ZERO);
        // Climbs by its own forward way: every sole is on the plane.
        let way = |z: f32| slope * z;
        let mut take = posed(take, |_, pose| pose[0].translation.y += way(pose[0].translation.z));
        let mut steep = floor("steep", [-20.0, -20.0], [20.0, 60.0], 0.0);
        steep.platform = Platform { slope: Vec2::new(0.0, slope), ..steep.platform };
        take.head.ground = vec![steep];
        let found = verdict(&take, None);
        assert!(found.wrong(None).count() > 0, "{degrees}");
    }
    // On the very plane: a body that stands and leans with it.
    let mut leaning = gait("walk", 2);
    let turn = Quat::from_rotation_x(-60f32.to_radians());
    leaning = posed(leaning, |_, pose| {
        pose[0].translation = turn * pose[0].translation;
        pose[0].rotation = turn * pose[0].rotation;
    });
    let mut steep = floor("steep", [-20.0, -20.0], [20.0, 60.0], 0.0);
    steep.platform.slope = Vec2::new(0.0, 60f32.to_radians().tan());
    leaning.head.ground = vec![steep];
    has(&leaning, ViolationKind::TooSteep);
}

#[test]
fn the_wrong_storey_is_found_at_both_ends() {
    let mut dice = Dice(3);
    for _ in 0..8 {
        let rise = dice.between(2.4, 3.4);
        let mut take = gait("walk", 2);
        take.head.ground.push(floor("storey", [-20.0, -20.0], [20.0, 60.0], rise));
        let last = take.tracks[0].clip.frames().last().unwrap()[0].translation;
        let spot =
            |place: Vec2, height: Option<f32>| Some(DemandedSpot { place, height, heading: None });
        let end = Vec2::new(last.x, last.z);
        let asked = |start: Option<f32>, goal: Option<f32>| Demand {
            ground: take.head.ground.clone(),
            obstacles: Vec::new(),
            parts: vec![PartDemand {
                start: spot(Vec2::ZERO, start),
                goal: spot(end, goal),
                ..PartDemand::default()
            }],
            ..Demand::default()
        };
        let of = |demand: &Demand| -> Vec<ViolationKind> {
            verdict(&take, Some(demand)).violations.iter().map(|found| found.kind).collect()
        };
        assert_eq!(of(&asked(Some(0.0), Some(0.0))), []);
        assert_eq!(of(&asked(Some(rise), Some(0.0))), [ViolationKind::StartStorey]);
        assert_eq!(of(&asked(Some(0.0), Some(rise))), [ViolationKind::GoalStorey]);
        // The highest counts where no height is asked for.
        assert_eq!(of(&asked(Some(0.0), None)), [ViolationKind::GoalStorey]);
    }
}

#[test]
fn a_goal_that_is_missed_is_found_by_place_and_by_heading() {
    let mut take = gait("walk", 2);
    let last = take.tracks[0].clip.frames().last().unwrap()[0].translation;
    let goal = |x: f32, heading: f32| {
        let place = Planar::new(Vec2::new(last.x + x, last.z), heading);
        Some(TrackGoal { place, height: Some(0.0), within_m: 1.0, within_deg: 90.0 })
    };
    take.tracks[0].goal = goal(0.1, 0.0);
    has(&take, ViolationKind::GoalPlace);
    take.tracks[0].goal = goal(0.0, 0.5);
    has(&take, ViolationKind::GoalHeading);
}

#[test]
fn legs_through_each_other_and_arms_through_the_trunk_are_found() {
    let human = andante_skeleton::humanoid();
    let [left, right] = [0, 1].map(|foot| human.rig.feet[foot].hip());
    let crossed = posed(gait("walk", 2), |time, pose| {
        let inwards = 0.13 * (2.0 * (time - 0.3)).clamp(0.0, 1.0);
        pose[left].rotation = Quat::from_rotation_z(-inwards) * pose[left].rotation;
        pose[right].rotation = Quat::from_rotation_z(inwards) * pose[right].rotation;
    });
    has(&crossed, ViolationKind::LegsApart);
    has(&crossed, ViolationKind::ThroughSelf);
}

#[test]
fn two_bodies_in_one_place_are_found_and_side_by_side_are_not() {
    let mut take = gait("walk", 2);
    let mut other = moved(gait("walk", 2), |_| Vec3::X * 0.25).tracks.remove(0);
    other.name = "other".into();
    take.tracks.push(other);
    has(&take, ViolationKind::ThroughOther);
    let mut apart = gait("walk", 2);
    let mut other = moved(gait("walk", 2), |_| Vec3::X * 1.0).tracks.remove(0);
    other.name = "other".into();
    apart.tracks.push(other);
    assert!(verdict(&apart, None).is_ok());
}

#[test]
fn jumps_of_the_body_and_pops_of_joints_are_found() {
    has(
        &moved(gait("walk", 2), |time| Vec3::Z * if time > 0.8 { 0.6 } else { 0.0 }),
        ViolationKind::JointJump,
    );
    let human = andante_skeleton::humanoid();
    let knee = human.rig.feet[0].leg[1];
    let snapped = posed(gait("walk", 2), |time, pose| {
        if time > 0.8 {
            pose[knee].rotation *= Quat::from_rotation_x(0.9);
        }
    });
    has(&snapped, ViolationKind::BodyPop);
    has(&snapped, ViolationKind::KneeSpeed);
    let broken =
        posed(gait("walk", 2), |_, pose| pose[knee].rotation *= Quat::from_rotation_x(-1.2));
    has(&broken, ViolationKind::JointLimit);
}

#[test]
fn numbers_without_a_place_are_found() {
    let lost =
        moved(gait("walk", 2), |time| if time > 0.5 { Vec3::splat(3e38) } else { Vec3::ZERO });
    has(&lost, ViolationKind::NotFinite);
}

#[test]
fn forces_are_judged_by_the_world_alone() {
    let mut take = moved(gait("walk", 2), |_| Vec3::Y * 0.3);
    assert!(!verdict(&take, None).is_ok());
    take.tracks[0].physical = vec![andante_play::Interval::new(0.0, 100.0)];
    assert!(verdict(&take, None).is_ok(), "{:#?}", verdict(&take, None));
    take.head.obstacles.push(block("wall", [4.0, 3.0, 0.5], [0.0, 0.0, 1.2]));
    has(&take, ViolationKind::ThroughWorld);
}

#[test]
fn every_kind_has_words_of_its_own_and_wrong_ones_come_first() {
    let mut names: Vec<_> = ViolationKind::ALL.iter().map(|kind| kind.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), ViolationKind::ALL.len());
    assert!(ViolationKind::ALL.is_sorted_by_key(|kind| kind.severity() == Severity::Unnatural));
    assert!(ViolationKind::ALL.iter().enumerate().all(|(index, kind)| *kind as usize == index));
}

/// A knee that is twisted by so many degrees, by time.
fn twisted(by: impl Fn(f32) -> f32, forced_until: f32) -> bool {
    let mut take = posed(gait("walk", 3), |time, pose| {
        let human = andante_skeleton::humanoid();
        let knee = human.rig.feet[1].leg[1];
        pose[knee].rotation *= Quat::from_rotation_y(by(time).to_radians());
    });
    take.tracks[0].physical = vec![andante_play::Interval::new(0.0, forced_until)];
    kinds(&take).contains(&ViolationKind::JointLimit)
}

#[test]
fn joints_that_forces_have_bent_too_far_come_back_or_are_found() {
    let let_go = 1.0;
    let back = |time: f32| if time <= let_go { 18.0 } else { 18.0 - 60.0 * (time - let_go) };
    let back = |time: f32| back(time).max(0.0);
    assert!(twisted(back, 0.0) && !twisted(back, let_go));
    let farther =
        |time: f32| if time <= let_go { 18.0 } else { (18.0 + 60.0 * (time - let_go)).min(24.0) };
    assert!(twisted(farther, let_go));
    assert!(twisted(|_| 18.0, let_go), "it stays bent");
}
