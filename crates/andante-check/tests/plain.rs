//! Nothing is said against motions that are as they should be.
#![allow(clippy::unwrap_used)]

mod made;

use andante_check::{Demand, DemandedSpot, PartDemand, Severity};
use andante_take::TakeFile;
use glam::Vec2;
use made::{Dice, block, floor, gait, turned, verdict};

#[test]
fn built_in_motions_on_level_ground_raise_no_alarm() {
    let straight =
        ["walk-slow", "walk", "walk-brisk", "walk-backward", "crouch-walk", "jog", "run"];
    let single =
        ["stand", "idle-stretch", "start", "stop", "turn-left-90", "jump-long", "jump-standing"];
    let all = straight.map(|name| (name, 4)).into_iter().chain(single.map(|name| (name, 1)));
    for (name, cycles) in all {
        let found = verdict(&gait(name, cycles), None);
        assert!(found.is_ok(), "{name}: {:#?}", found.violations);
        assert!(found.frames > 50);
    }
}

#[test]
fn walks_beside_docks_through_wide_doors_and_under_storeys_raise_no_alarm() {
    let mut dice = Dice(7);
    for _ in 0..12 {
        let mut take = gait("walk", 3);
        let beside = dice.between(0.5, 1.5);
        take.head.ground = vec![
            floor("ground", [-5.0, -5.0], [beside, 20.0], 0.0),
            floor("dock", [beside, -5.0], [6.0, 20.0], dice.between(0.4, 1.4)),
            floor("storey", [-5.0, -5.0], [5.0, 20.0], dice.between(2.3, 3.2)),
        ];
        let half = 0.5 * dice.between(0.95, 1.4);
        let z = dice.between(0.5, 2.0);
        for side in [-1.0, 1.0] {
            take.head.obstacles.push(block("jamb", [0.4, 2.1, 0.2], [side * (half + 0.2), 0.0, z]));
        }
        let found = verdict(&take, None);
        assert!(found.is_ok(), "{:#?}", found.violations);
    }
}

/// People climb narrow treads with their heels over the edge.
#[test]
fn heels_may_reach_over_an_edge_and_heels_in_the_air_may_not() {
    // Standing, soles half a centimetre past their middle on the edge of a ledge.
    let mut take = gait("stand", 1);
    let rig = &take.tracks[0].character.rig;
    let models = take.tracks[0].character.skeleton.rest_models();
    let [heel, ball] = [rig.feet[0].heel, rig.feet[0].ball].map(|point| point.position(&models).z);
    let edge = heel + 0.6 * (ball - heel);
    take.head.ground = vec![
        floor("ledge", [-5.0, edge], [5.0, 5.0], 0.0),
        floor("below", [-5.0, -5.0], [5.0, edge], -0.2),
    ];
    assert!(verdict(&take, None).is_ok(), "{:#?}", verdict(&take, None));
    take.head.ground[0].platform.height = -0.1;
    assert!(!verdict(&take, None).is_ok());
}

/// Whoever leaves a tread does so over its edge: the ball is on it, and the toes bend down beyond.
#[test]
fn toes_may_bend_over_an_edge_below_a_ball_that_lies_on_it() {
    let mut take = gait("stand", 1);
    let track = &mut take.tracks[0];
    let (skeleton, feet) = (&track.character.skeleton, &track.character.rig.feet);
    let toes: Vec<usize> = feet.iter().map(|foot| foot.tip.joint).collect();
    let bent = glam::Quat::from_rotation_x(0.12);
    let poses: Vec<_> = (track.clip.frames())
        .flat_map(|pose| {
            let mut pose = pose.to_vec();
            toes.iter().for_each(|&toe| pose[toe].rotation *= bent);
            pose
        })
        .collect();
    track.clip = andante_skeleton::Clip::new("bent", skeleton, track.clip.fps(), poses).unwrap();
    let models = track.clip.frame(0);
    let mut placed = vec![andante_skeleton::Transform::IDENTITY; skeleton.len()];
    skeleton.local_to_model(models, &mut placed);
    let ball = feet[0].ball.position(&placed);
    assert!(feet[0].tip.position(&placed).y < ball.y - 0.006);
    for foot in &mut track.contacts.feet {
        foot.heel.clear();
    }
    let strip = |height: f32| {
        vec![
            floor("tread", [-5.0, ball.z - 0.03], [5.0, ball.z + 0.01], height),
            floor("below", [-5.0, -5.0], [5.0, 5.0], -0.3),
        ]
    };
    take.head.ground = strip(ball.y);
    assert!(verdict(&take, None).is_ok(), "{:#?}", verdict(&take, None));
    take.head.ground = strip(ball.y - 0.1);
    assert!(!verdict(&take, None).is_ok());
}

#[test]
fn a_take_in_a_file_is_judged_as_the_one_in_memory() {
    let mut take = gait("walk", 3);
    take.head.obstacles.push(block("log", [2.0, 0.3, 0.3], [0.0, 0.0, 1.5]));
    let file = TakeFile::from_bytes(take.to_bytes().unwrap()).unwrap();
    let settings = Default::default();
    let again = andante_check::check(&file, None, &settings).unwrap();
    assert_eq!(again, verdict(&take, None));
    assert!(!again.is_ok());
}

#[test]
fn whoever_ends_where_it_was_sent_has_reached_its_goal_whichever_way_it_goes() {
    for heading in [0.0f32, 1.0, -2.5] {
        let take = turned(gait("walk", 2), heading);
        let last = take.tracks[0].clip.frames().last().unwrap()[0].translation;
        let demand = Demand {
            ground: take.head.ground.clone(),
            obstacles: Vec::new(),
            parts: vec![PartDemand {
                start: Some(DemandedSpot { place: Vec2::ZERO, height: None, heading: None }),
                goal: Some(DemandedSpot {
                    place: Vec2::new(last.x, last.z),
                    height: None,
                    heading: None,
                }),
                ..PartDemand::default()
            }],
            ..Demand::default()
        };
        let found = verdict(&take, Some(&demand));
        let wrong: Vec<_> =
            found.violations.iter().filter(|v| v.severity() == Severity::Wrong).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
