//! The built-in repertoire, played.
#![allow(clippy::expect_used)]

mod recording;

use andante_motion::repertoire::ClipSource;
use andante_motion::synth;
use andante_play::blend_space::{FootMode, GaitPlayer, PlayerOptions, PlayerStep};
use andante_play::repertoire::{ClipClass, FamilyKind, Repertoire};
use andante_skeleton::{Planar, humanoid, rotation};
use glam::Vec2;
use recording::{FPS, Recorded, record};
use std::sync::{Arc, OnceLock};

fn built_in() -> Arc<Repertoire> {
    static BUILT_IN: OnceLock<Arc<Repertoire>> = OnceLock::new();
    let build = || Arc::new(andante_motion::repertoire::built_in(&humanoid()).expect("built in"));
    Arc::clone(BUILT_IN.get_or_init(build))
}

fn player(feet: FootMode) -> GaitPlayer {
    let options = PlayerOptions { feet, ..PlayerOptions::default() };
    GaitPlayer::new(built_in(), options).expect("gaits")
}

/// Demands that wander over all speeds and turn rates; each seed another way.
fn sweep(seed: usize, fastest: f32) -> impl Fn(f32) -> Vec2 {
    let s = seed as f32;
    move |t: f32| {
        let speed = 0.5 - 0.5 * (t * (0.55 + 0.06 * s) + 0.9 * s).cos();
        Vec2::new(fastest * speed, 0.9 * (t * (1.3 + 0.17 * s) + s).sin())
    }
}

fn recorded(player: &mut GaitPlayer, seconds: f32, demand: impl Fn(f32) -> Vec2) -> Recorded {
    record(player, seconds, |player, time| {
        let demand = demand(time);
        player.advance(1.0 / FPS, demand.x, demand.y)
    })
}

#[test]
fn sweeping_all_speeds_and_turns_adds_less_than_a_millimetre_of_slide() {
    let own = built_in()
        .clips()
        .iter()
        .filter(|clip| matches!(clip.class(), ClipClass::Walk | ClipClass::Run | ClipClass::Back))
        .map(|clip| {
            let mut player = player(FootMode::BodyAndLegs);
            let point = clip.point();
            recorded(&mut player, 5.0, |_| point).foot_metrics().foot_slide_mm_max
        })
        .fold(0.0, f32::max);
    let mut most: f32 = 0.0;
    // Walks alone, walks and runs, and from full speed back to full speed ahead.
    for seed in 0..8 {
        for (fastest, offset) in [(1.8, 0.0), (4.0, 0.0), (2.0, -0.8)] {
            let mut player = player(FootMode::BodyAndLegs);
            let sweep = sweep(seed, fastest);
            let metrics =
                recorded(&mut player, 10.0, |t| sweep(t) + Vec2::new(offset, 0.0)).foot_metrics();
            let worst = metrics.foot_slide_mm_max;
            most = most.max(worst);
            assert!(worst <= own + 1.0, "seed {seed} to {fastest} m/s: {worst} mm, own {own} mm");
            assert!(metrics.penetration_mm_max < 6.0, "{metrics:?}");
            assert!(metrics.foot_rotation_deg_max < 15.0, "{metrics:?}");
        }
    }
    println!("largest slide per stance: clips {own:.2} mm, sweeps {most:.2} mm");
    assert!(own < 1.0, "clips alone slide {own} mm");
}

#[test]
fn with_time_frozen_a_change_of_the_mix_leaves_the_stable_point_where_it_is() {
    let repertoire = built_in();
    // Clips whose feet touch the ground at the same phases: any mix has the same stable point.
    let names = ["walk", "walk-left-wide", "walk-right-wide", "stand"];
    let clips: Vec<usize> = names
        .iter()
        .map(|name| repertoire.clips().iter().position(|c| c.name() == *name).expect("built in"))
        .collect();
    let mix = |shares: [f32; 4]| {
        let mut weights = vec![0.0; repertoire.clips().len()];
        for (clip, share) in clips.iter().zip(shares) {
            weights[*clip] = share;
        }
        weights
    };
    let mixes = [
        mix([1.0, 0.0, 0.0, 0.0]),
        mix([0.0, 1.0, 0.0, 0.0]),
        mix([0.0, 0.0, 1.0, 0.0]),
        mix([0.6, 0.0, 0.2, 0.2]),
        mix([0.3, 0.4, 0.3, 0.0]),
    ];
    for feet in [FootMode::Body, FootMode::BodyAndLegs] {
        let mut player = player(feet);
        for _ in 0..120 {
            player.advance_mix(1.0 / FPS, &mixes[0]);
        }
        for frame in 0..200 {
            player.advance_mix(1.0 / FPS, &mixes[0]);
            let before = player.stable_point().expect("a walk has a foot down");
            let body = player.placement();
            for weights in mixes.iter().chain([&mixes[0]]) {
                player.advance_mix(0.0, weights);
                let moved = player.stable_point().expect("a foot is down").distance(before);
                assert!(moved < 2e-4, "{feet:?}, frame {frame}: {} mm", 1e3 * moved);
            }
            // And the body is back where it was.
            assert!(player.placement().position.distance(body.position) < 2e-4);
            assert!((player.placement().heading - body.heading).abs() < 1e-3);
        }
    }
}

#[test]
fn the_body_alone_keeps_a_single_foot_in_place_whatever_the_mix_does() {
    let repertoire = built_in();
    let mut player = player(FootMode::Body);
    let mut weights = vec![0.0; repertoire.clips().len()];
    let foot = &humanoid().rig.feet[0];
    let mut stance: Option<Vec2> = None;
    let mut worst: f32 = 0.0;
    for frame in 0..600 {
        let share = 0.5 + 0.5 * (frame as f32 * 0.21).sin();
        for (clip, weight) in repertoire.clips().iter().zip(&mut weights) {
            *weight = match clip.name() {
                "walk-left" => share,
                "walk-right" => 1.0 - share,
                _ => 0.0,
            };
        }
        player.advance_mix(1.0 / FPS, &weights);
        // Between the other foot's lift and its strike.
        if (0.13..0.28).contains(&player.phase()) {
            let placed = player.placement().to_transform();
            let ball = placed.transform_point(foot.ball.position(player.models()));
            let ball = Vec2::new(ball.x, ball.z);
            worst = worst.max(stance.get_or_insert(ball).distance(ball));
        } else {
            stance = None;
        }
    }
    assert!(worst < 1e-3, "{} mm", 1e3 * worst);
}

#[test]
fn demands_within_the_clips_are_met() {
    for (speed, turn_rate) in
        [(1.3, 0.0), (1.0, 0.3), (0.4, 0.0), (1.5, -0.2), (-0.5, 0.0), (3.0, 0.1)]
    {
        let mut player = player(FootMode::BodyAndLegs);
        let mut way = 0.0;
        let mut turned = 0.0;
        for frame in 0..900 {
            let step = player.advance(1.0 / FPS, speed, turn_rate);
            if frame >= 300 {
                way += step.moved.position.y;
                turned += step.moved.heading;
            }
            assert!(step.met.unmet.length() < 1e-3, "{speed} {turn_rate}: {step:?}");
        }
        assert!((way / 10.0 - speed).abs() < 0.03 * speed.abs().max(0.5), "{way} {speed}");
        assert!((turned / 10.0 - turn_rate).abs() < 0.03, "{turned} {turn_rate}");
    }
}

#[test]
fn what_cannot_be_met_is_reported() {
    let mut player = player(FootMode::BodyAndLegs);
    let mut step = PlayerStep::default();
    for _ in 0..120 {
        step = player.advance(1.0 / FPS, 12.0, 0.0);
    }
    assert!(step.met.unmet.x > 6.0 && step.met.rate > 1.19, "{step:?}");
    for _ in 0..120 {
        step = player.advance(1.0 / FPS, 1.0, 9.0);
    }
    assert!(step.met.unmet.y > 7.0, "{step:?}");
}

#[test]
fn feet_strike_in_turn_from_walk_to_run_and_back() {
    let mut player = player(FootMode::BodyAndLegs);
    let mut strikes: Vec<(usize, f32)> = Vec::new();
    let mut down = [true; 2];
    let mut runs = false;
    for frame in 0..1200 {
        let time = frame as f32 / FPS;
        let speed = if (4.0..10.0).contains(&time) { 3.2 } else { 1.3 };
        player.advance(1.0 / FPS, speed, 0.0);
        for (foot, was) in down.iter_mut().enumerate() {
            let now = player.contact(foot).contains(&true);
            if now && !*was {
                strikes.push((foot, time));
            }
            *was = now;
        }
        runs |= down == [false; 2];
    }
    assert!(runs, "both feet leave the ground");
    assert!(strikes.len() > 40);
    for pair in strikes.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "the same foot struck twice: {pair:?}");
        let between = pair[1].1 - pair[0].1;
        assert!((0.25..0.8).contains(&between), "{between} s between strikes");
    }
}

#[test]
fn a_cross_fade_between_families_takes_a_third_of_a_second() {
    let repertoire = built_in();
    let run = repertoire.families().iter().find(|f| f.kind() == FamilyKind::Run).expect("runs");
    let mut player = player(FootMode::BodyAndLegs);
    for _ in 0..180 {
        player.advance(1.0 / FPS, 1.5, 0.0);
    }
    let mut partly = 0;
    for _ in 0..180 {
        player.advance(1.0 / FPS, 3.0, 0.0);
        let share: f32 = run.members().iter().map(|&clip| player.weights()[clip]).sum();
        partly += usize::from(share > 1e-4 && share < 1.0 - 1e-4);
    }
    assert!((16..=19).contains(&partly), "{partly} frames");
}

#[test]
fn somebody_who_stops_stands_still_and_sets_off_again() {
    let mut player = player(FootMode::BodyAndLegs);
    for _ in 0..200 {
        player.advance(1.0 / FPS, 1.4, 0.2);
    }
    for _ in 0..300 {
        player.advance(1.0 / FPS, 0.0, 0.0);
    }
    let stood = player.placement();
    for _ in 0..300 {
        player.advance(1.0 / FPS, 0.0, 0.0);
        assert_eq!([player.contact(0), player.contact(1)], [[true; 2]; 2]);
    }
    let moved = stood.to(&player.placement());
    assert!(moved.position.length() < 1e-3 && moved.heading.abs() < 1e-3, "{moved:?}");
    for _ in 0..120 {
        player.advance(1.0 / FPS, 1.4, 0.0);
    }
    assert!(stood.to(&player.placement()).position.y > 1.8);
}

/// The fastest turn of each joint in degrees per frame.
fn fastest_turns(recorded: &Recorded) -> Vec<f32> {
    let frames: Vec<_> = recorded.clip.frames().collect();
    let mut fastest = vec![0.0f32; recorded.clip.joint_count()];
    for pair in frames.windows(2) {
        for (fastest, (a, b)) in fastest.iter_mut().zip(pair[0].iter().zip(pair[1])) {
            let turned = rotation::angle_between(a.rotation, b.rotation).to_degrees();
            *fastest = fastest.max(turned);
        }
    }
    fastest
}

#[test]
fn joints_turn_hardly_faster_in_a_mix_than_in_the_clips() {
    let mut own = vec![0.0f32; built_in().character().skeleton.len()];
    for clip in built_in().clips().iter().filter(|clip| clip.class() != ClipClass::Action) {
        let mut player = player(FootMode::BodyAndLegs);
        let point = clip.point();
        let turns = fastest_turns(&recorded(&mut player, 5.0, |t| point * t.min(1.0)));
        own.iter_mut().zip(turns).for_each(|(own, turn)| *own = own.max(turn));
    }
    for seed in 0..6 {
        let mut player = player(FootMode::BodyAndLegs);
        let sweep = sweep(seed, 4.0);
        // From standing to a run within a second, not at once.
        let turns = fastest_turns(&recorded(&mut player, 10.0, |t| sweep(t) * t.min(1.0)));
        for (joint, (turn, own)) in turns.iter().zip(&own).enumerate() {
            assert!(*turn < 1.5 * own + 2.0, "seed {seed}, joint {joint}: {turn}° against {own}°");
        }
    }
}

#[test]
fn numbers_that_are_not_finite_change_nothing() {
    let mut player = player(FootMode::BodyAndLegs);
    for _ in 0..100 {
        player.advance(1.0 / FPS, 1.3, 0.1);
    }
    let mut other = player.clone();
    let step = player.advance(1.0 / FPS, f32::NAN, 0.1);
    assert!(step.refused && !other.advance(1.0 / FPS, 1.3, 0.1).refused);
    assert_eq!(player.placement(), other.placement(), "the last demand stays in force");
    let before = (player.placement(), player.phase());
    for dt in [f32::NAN, f32::INFINITY, -1.0] {
        assert!(player.advance(dt, 1.3, 0.1).refused);
    }
    assert_eq!((player.placement(), player.phase()), before);
    assert!(player.advance_mix(0.1, &vec![f32::NAN; built_in().clips().len()]).refused);
    assert!(player.advance_mix(0.1, &vec![0.0; built_in().clips().len()]).refused);
    player.place(Planar::new(Vec2::new(f32::NAN, 0.0), 0.0));
    player.set_phase(f32::INFINITY);
    assert_eq!((player.placement(), player.phase()), before);
    let step = player.advance(1e9, f32::MAX, f32::MIN);
    assert_eq!(step.seconds, GaitPlayer::LONGEST_STEP);
    assert!(player.pose().iter().all(|joint| joint.is_finite()));
    assert!(player.placement().position.is_finite());
}

#[test]
fn a_character_without_feet_or_knees_moves_as_its_clips_do() {
    let whole = humanoid();
    let walk = synth::clip(&whole, "walk").expect("built in");
    let mut ghost = whole.clone();
    ghost.rig.feet.clear();
    let mut stilts = whole;
    for foot in &mut stilts.rig.feet {
        foot.leg = vec![foot.ankle()];
    }
    for character in [ghost, stilts] {
        let mut contacts = walk.contacts.clone();
        contacts.feet.truncate(character.rig.feet.len());
        let source = ClipSource {
            clip: walk.clip.clone(),
            contacts,
            cyclic: true,
            class: Some(ClipClass::Walk),
        };
        let repertoire =
            andante_motion::repertoire::from_clips(&character, &[source]).expect("a walk");
        let options = PlayerOptions::default();
        let mut player = GaitPlayer::new(Arc::new(repertoire), options).expect("a gait");
        for _ in 0..120 {
            player.advance(1.0 / FPS, 1.3, 0.0);
        }
        let way = player.placement().position.y;
        assert!((way - 2.6).abs() < 0.1, "{way} m");
    }
}

#[test]
fn a_repertoire_from_a_file_plays_the_same() {
    let repertoire = built_in();
    let bytes = repertoire.to_bytes();
    let back = Arc::new(Repertoire::from_bytes(&bytes).expect("just written"));
    assert!(bytes.len() < 1_500_000, "{} bytes", bytes.len());
    let options = PlayerOptions::default();
    let mut one = GaitPlayer::new(repertoire, options).expect("gaits");
    let mut two = GaitPlayer::new(back, options).expect("gaits");
    for frame in 0..300 {
        let speed = frame as f32 * 0.012;
        assert_eq!(one.advance(1.0 / FPS, speed, 0.2), two.advance(1.0 / FPS, speed, 0.2));
        assert_eq!(one.pose(), two.pose());
    }
}
