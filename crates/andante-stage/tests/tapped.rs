//! Taps and pushes that everybody lives through: nobody falls at a touch, and everybody arrives.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod taps;

use andante_stage::{EventKind, PlayOptions, Take, play, read_scene};
use taps::{KINDS, TapOutcome, generated, scenes, tap, walks};

/// A touch of half a newton second was enough to fell anybody who ran, walked a curve or was about to arrive.
#[test]
fn a_tap_fells_nobody_and_keeps_nobody_from_arriving() {
    for (name, scene) in scenes() {
        let one = tap(&scene, 5, 12, 0.5);
        assert!(!one.is_bad() && one.taps > 5, "{name}: {one}");
    }
    for kind in KINDS {
        for seed in 500..504 {
            let one = tap(&generated(kind, seed), seed, 5, 0.5);
            assert!(!one.is_bad() && one.taps == 5, "{kind} {seed}: {one}");
        }
    }
}

#[test]
fn a_push_of_15_newton_seconds_on_any_bone_fells_few_and_all_arrive() {
    for kind in KINDS {
        let mut all = TapOutcome::default();
        for seed in 700..710 {
            all.add(&tap(&generated(kind, seed), seed, 1, 15.0));
        }
        assert!(all.falls <= 1 && all.missing + all.endless == 0, "{kind}: {all}");
    }
}

#[test]
fn physical_people_walk_beside_each_other_without_falling() {
    for (people, apart) in [(1, 3.0), (2, 3.0), (4, 2.0)] {
        for seed in 40..44 {
            let [_, falls, missing] = walks(people, apart, seed, false);
            assert_eq!([falls, missing], [0, 0], "{people} people {apart} m apart, seed {seed}");
        }
    }
}

/// Somebody near made a walker stop where it stood while it went on turning to where it had been sent, and it fell over its
/// feet.
#[test]
fn who_is_stopped_by_a_neighbour_while_it_turns_stays_up() {
    let mut text =
        "version = 1\nname = \"two\"\n[[platform]]\noutline = [[-40, -40], [40, -40], [40, 40], [-40, 40]]\n".to_string();
    for (who, (x, way)) in [(0.0, 38.0f32), (3.0, 30.0)].into_iter().enumerate() {
        let (sin, cos) = way.to_radians().sin_cos();
        text += &format!(
            "[[character]]\nname = \"c{who}\"\nbody = \"physical\"\nstart = {{ at = [{x}, 0], heading = 0 }}\n\
             [[command]]\nwho = \"c{who}\"\nwalk_to = [{}, {}]\n",
            x + 10.0 * sin,
            10.0 * cos
        );
    }
    let take = play(&read_scene(&text).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap();
    assert!(index(&take, |kind| *kind == EventKind::Fell).is_none(), "{:?}", take.events);
    assert!(take.metrics().iter().all(|own| own.reached), "{:?}", take.metrics());
}

fn yard(commands: &str) -> Take {
    let text = format!(
        "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-30, -30], [30, -30], [30, 30], [-30, 30]]\n\
         [[character]]\nname = \"ann\"\nbody = \"physical_when_touched\"\nstart = {{ at = [0, -10], heading = 0 }}\n{commands}"
    );
    play(&read_scene(&text).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap()
}

fn index(take: &Take, is: impl Fn(&EventKind) -> bool) -> Option<usize> {
    take.events.iter().position(|event| is(&event.kind))
}

/// Runners fell some frames before the ball was there: who was about to be hit was stopped by forces first.
#[test]
fn a_tennis_ball_fells_no_runner_and_bounces_off_when_it_is_there() {
    for (x, z) in [(4.0, -4.0), (-5.0, -2.0), (2.0, -12.0)] {
        let take = yard(&format!(
            "[[command]]\nwho = \"ann\"\nrun_to = [0, 12]\n[[command]]\nwho = \"ann\"\nat = 1.5\n\
             throw = {{ ball = 0.033, mass = 0.06, from = [{x}, 1.3, {z}], speed = 15 }}\n"
        ));
        let hit = index(&take, |kind| matches!(kind, EventKind::Struck(_)));
        let hit = hit.unwrap_or_else(|| panic!("from {x}, {z}: {:?}", take.events));
        assert_eq!(take.events[hit - 1].kind, EventKind::GaveWay, "{:?}", take.events);
        assert!(index(&take, |kind| *kind == EventKind::Fell).is_none(), "{:?}", take.events);
        assert!(take.metrics()[0].reached);
        // The ball has come from where it was thrown, and flies another way after it.
        let ball = &take.things[0];
        let frame = (take.events[hit].time * 60.0).round() as usize;
        let way = |frame: usize| {
            ball.at(frame + 1).unwrap().translation - ball.at(frame).unwrap().translation
        };
        let (before, after) = (way(frame - 3), way(frame + 2));
        let change = (after - before).length() / before.length();
        assert!(change > 0.3, "from {x}, {z}: {before} {after}");
    }
}

#[test]
fn who_is_hit_hard_at_a_run_is_hit_before_it_falls() {
    let take = yard(
        "[[command]]\nwho = \"ann\"\nrun_to = [0, 12]\n[[command]]\nwho = \"ann\"\nat = 1.5\n\
         throw = { cube = 0.4, mass = 12, from = [0, 1.3, 6], speed = 12 }\n",
    );
    let hit = index(&take, |kind| matches!(kind, EventKind::Struck(_))).unwrap();
    let fell = index(&take, |kind| *kind == EventKind::Fell);
    assert!(fell.is_none_or(|fell| fell > hit), "{:?}", take.events);
}

/// What gives way is seen: a pushed head and hand go where they are pushed, and come back; feet step where they would have.
#[test]
fn who_gives_way_sways_and_steps_where_it_would_have() {
    let run = "[[command]]\nwho = \"ann\"\nrun_to = [0, 12]\n";
    let (free, pushed) = (
        yard(run),
        yard(&format!(
            "{run}[[command]]\nwho = \"ann\"\nat = 2\npush = {{ impulse = 15, direction = 90 }}\n"
        )),
    );
    let (a, b) = (&free.tracks[0], &pushed.tracks[0]);
    let place = |take: &Take, frame: usize, joint: usize| {
        let (track, mut models) = (&take.tracks[0], Vec::new());
        models.resize(track.clip.joint_count(), andante_skeleton::Transform::IDENTITY);
        track.character.skeleton.local_to_model(track.clip.frame(frame), &mut models);
        models[joint].translation
    };
    let rig = &a.character.rig;
    let head = rig.head.unwrap();
    let off =
        |frame: usize, joint: usize| place(&pushed, frame, joint) - place(&free, frame, joint);
    assert!(off(135, head).x > 0.02, "{:?}", off(135, head));
    assert!(off(135, head).length() < 0.25);
    for frame in 120..180 {
        for foot in &rig.feet {
            assert!(
                off(frame, foot.ankle()).length() < 5e-3,
                "{frame}: {:?}",
                off(frame, foot.ankle())
            );
        }
    }
    let last = a.clip.frame_count().min(b.clip.frame_count()) - 1;
    assert!(off(last, head).length() < 2e-3);
    assert!(pushed.events.iter().any(|event| event.kind == EventKind::GaveWay));
}

/// People went through each other while forces moved them, and nobody felt it.
#[test]
fn who_is_pushed_into_somebody_is_felt_and_does_not_go_through() {
    for (apart, impulse) in [(0.6, 90.0), (0.8, 120.0), (1.2, 150.0)] {
        let text = format!(
            "version = 1\nname = \"two\"\n[[platform]]\noutline = [[-30, -30], [30, -30], [30, 30], [-30, 30]]\n\
             [[character]]\nname = \"a\"\nbody = \"physical_when_touched\"\nstart = {{ at = [0, 0], heading = 0 }}\n\
             [[character]]\nname = \"b\"\nbody = \"physical_when_touched\"\nstart = {{ at = [0, {apart}], heading = 90 }}\n\
             [[command]]\nwho = \"a\"\nat = 0.5\npush = {{ impulse = {impulse}, direction = 0 }}\n"
        );
        let take = play(&read_scene(&text).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap();
        for (who, other) in [(0, "b"), (1, "a")] {
            let felt = |event: &andante_stage::Event| {
                event.track == Some(who) && event.kind == EventKind::Struck(other.into())
            };
            assert!(take.events.iter().any(felt), "{apart}: {:?}", take.events);
        }
        let moved = |who: usize| {
            let hips = &take.tracks[who].body;
            hips.iter().map(|at| at.position.distance(hips[0].position)).fold(0.0, f32::max)
        };
        assert!(moved(1) > 0.1, "{apart}: b stays, {}", moved(1));
        // Trunks stay out of each other: from hips to head, none crosses the other's.
        let trunk = |who: usize, frame: usize| {
            let track = &take.tracks[who];
            let mut models = vec![andante_skeleton::Transform::IDENTITY; track.clip.joint_count()];
            track.character.skeleton.local_to_model(track.clip.frame(frame), &mut models);
            let rig = &track.character.rig;
            [rig.hips, rig.head.unwrap()].map(|joint| models[joint].translation)
        };
        let frames = take.tracks[0].clip.frame_count();
        let nearest = (0..frames).map(|frame| {
            let (a, b) = (trunk(0, frame), trunk(1, frame));
            let parts = || (0..=20).map(|part| part as f32 / 20.0);
            let apart = parts().flat_map(|s| {
                parts().map(move |t| a[0].lerp(a[1], s).distance(b[0].lerp(b[1], t)))
            });
            apart.fold(f32::INFINITY, f32::min)
        });
        let nearest = nearest.fold(f32::INFINITY, f32::min);
        assert!(nearest > 0.12, "{apart}: trunks come as near as {nearest} m");
    }
}
