//! What a scene asks for is what its take is held to.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_check::{CheckSettings, Demand, Verdict, Violation, ViolationKind, check};
use andante_stage::{EventKind, PlayOptions, Scene, Take, play, read_scene};

fn yard(character: &str, rest: &str) -> Scene {
    let text = format!(
        "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n\
         [[character]]\nname = \"ann\"\nstart = {{ at = [0, 0] }}\n{character}\n{rest}"
    );
    read_scene(&text).unwrap()
}

fn played(scene: &Scene, longest: f32) -> Take {
    let options = PlayOptions { longest, ..PlayOptions::default() };
    play(scene, 1, &options, |_| true).unwrap()
}

fn verdict(take: &Take, demand: &Demand) -> Verdict {
    check(take, Some(demand), &CheckSettings::default()).unwrap()
}

fn kinds(verdict: &Verdict) -> Vec<ViolationKind> {
    verdict.wrong(None).map(|violation| violation.kind).collect()
}

#[test]
fn a_take_of_somebody_else_is_not_what_was_asked_for() {
    let walk = "goal = { at = [0, 2] }";
    let take = played(&yard(walk, ""), 60.0);
    assert_eq!(kinds(&verdict(&take, &yard(walk, "").demand())), []);
    let other = "[[character]]\nname = \"ben\"\nstart = { at = [4, 4] }";
    let asked = [
        yard(walk, other),
        yard(&format!("height = 1.2\n{walk}"), ""),
        yard(&format!("body = \"physical\"\n{walk}"), ""),
    ];
    for scene in asked {
        assert!(kinds(&verdict(&take, &scene.demand())).contains(&ViolationKind::Cast));
    }
    let mut named = yard(walk, "").demand();
    named.parts[0].name = Some("ben".into());
    assert_eq!(kinds(&verdict(&take, &named)), [ViolationKind::Cast]);
}

#[test]
fn who_does_something_else_in_the_end_has_no_goal_to_miss() {
    let order = |command: &str| format!("[[command]]\nwho = \"ann\"\n{command}\n");
    let orders = order("walk_to = [0, 2]") + &order("patrol = [[2, 0], [2, 3]]");
    let scene = yard("", &orders);
    let take = played(&scene, 60.0);
    assert!(take.tracks[0].goal.is_none());
    assert_eq!(kinds(&verdict(&take, &scene.demand())), []);
}

/// Corners of paths that are nearly a way back wrung hips and legs by up to 70° beyond what joints allow, be they drawn by
/// two sides or by many short ones.
#[test]
fn paths_turn_back_as_people_do_however_sharp_and_however_finely_they_are_drawn() {
    for (seed, fine) in [(1u32, false), (2, false), (3, true), (4, true)] {
        let mut random = seed;
        let mut number = |low: f32, high: f32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            low + (high - low) * (random >> 8) as f32 / (1u32 << 24) as f32
        };
        let (mut heading, mut at) = (0.0f32, [0.0f32, 0.0]);
        let mut places = Vec::new();
        for _ in 0..3 {
            let (far, from) = (number(2.0, 3.5), at);
            at = [at[0] + far * heading.sin(), at[1] + far * heading.cos()];
            let parts = if fine { 30 } else { 1 };
            for part in 1..=parts {
                let share = part as f32 / parts as f32;
                places.push([0, 1].map(|axis| from[axis] + share * (at[axis] - from[axis])));
            }
            heading += number(2.0, 3.1) * if number(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
        }
        let scene = yard("", &format!("[[command]]\nwho = \"ann\"\npath = {places:?}\n"));
        let take = played(&scene, 90.0);
        let found = verdict(&take, &scene.demand()).violations;
        assert!(found.is_empty(), "{places:?}: {found:?}");
        let arrivals = take.events.iter().filter(|event| event.kind == EventKind::Arrived).count();
        assert_eq!(arrivals, 1);
    }
}

/// What is below the hips was taken for what somebody stands on: beside an edge who stood above it, with heels alone on
/// something, had reached a goal below.
#[test]
fn who_stands_above_a_goal_or_a_start_below_an_edge_is_not_there() {
    let ground = |height: f32| {
        format!(
            "version = 1\nname = \"curb\"\n\
             [[platform]]\noutline = [[0, 0], [5, 0], [5, 3], [0, 3]]\nheight = {height}\n\
             [[platform]]\noutline = [[0, 3], [5, 3], [5, 6], [0, 6]]\nheight = 0\n\
             [[character]]\nname = \"ann\"\n"
        )
    };
    for (height, beside, heading) in [
        (0.3, 0.05, 0.0),
        (0.2, 0.03, 0.0),
        (0.17, 0.06, 180.0),
        (0.3, 1.0, 0.0),
        (0.25, 1.4, 90.0),
    ] {
        let z = 3.0 + beside;
        let text = ground(height)
            + &format!(
                "start = {{ at = [2.5, 1], heading = 0 }}\n[[command]]\nwho = \"ann\"\n\
                 walk_to = {{ at = [2.5, 0, {z}], heading = {heading} }}\n"
            );
        let scene = read_scene(&text).unwrap();
        let take = played(&scene, 60.0);
        let track = &take.tracks[0];
        let mut models = track.character.skeleton.rest_models();
        let last = track.clip.frame(track.clip.frame_count() - 1);
        track.character.skeleton.local_to_model(last, &mut models);
        let soles = track.character.rig.feet.iter().map(|foot| foot.ball.position(&models).y);
        let lowest = soles.fold(f32::INFINITY, f32::min);
        let said = kinds(&verdict(&take, &scene.demand()));
        assert_eq!(said.is_empty(), lowest.abs() < 0.1, "{height} {beside}: {lowest}, {said:?}");
    }
    // In between, too.
    let order = |at: &str| format!("[[command]]\nwho = \"ann\"\nwalk_to = {{ at = {at} }}\n");
    let text = ground(0.3) + "start = { at = [2.5, 1], heading = 0 }\n";
    let text = text + &order("[2.5, 0, 3.05]") + &order("[1, 0.3, 1]");
    let scene = read_scene(&text).unwrap();
    let take = played(&scene, 60.0);
    let arrived = take.events.iter().any(|event| event.kind == EventKind::Arrived);
    let said = kinds(&verdict(&take, &scene.demand()));
    assert!(!arrived || !said.is_empty(), "{said:?}");
    let text = ground(0.6) + "start = { at = [2.5, 0, 3.03], heading = 180 }\n";
    let scene = read_scene(&text).unwrap();
    let said = kinds(&verdict(&played(&scene, 2.0), &scene.demand()));
    assert!(said.contains(&ViolationKind::StartStorey), "{said:?}");
}

/// Nobody has asked for a height: feet may stand on the next tread.
#[test]
fn a_goal_on_stairs_is_reached_with_feet_on_the_next_tread() {
    for into in [0.05, 0.2, 0.26] {
        for heading in [0.0, 180.0] {
            let z = 3.0 * 0.29 + into;
            let text = format!(
                "version = 1\nname = \"stairs\"\n\
                 [[platform]]\noutline = [[-2, -3], [2, -3], [2, 0], [-2, 0]]\n\
                 [[stairs]]\nat = [0, 0]\nheading = 0\nwidth = 4\nsteps = 8\nrise = 0.17\nrun = 0.29\n\
                 [[character]]\nname = \"ann\"\nstart = {{ at = [0, -2], heading = 0 }}\n\
                 goal = {{ at = [0, {z}], heading = {heading} }}\n"
            );
            let scene = read_scene(&text).unwrap();
            let said = kinds(&verdict(&played(&scene, 60.0), &scene.demand()));
            assert!(!said.contains(&ViolationKind::GoalStorey), "{into} {heading}: {said:?}");
        }
    }
}

/// Such a path was taken for one that turns back at once.
#[test]
fn a_path_may_begin_where_one_stands() {
    let path = |first: &str| {
        let scene =
            yard("", &format!("[[command]]\nwho = \"ann\"\npath = [{first}[0, 3], [2, 4]]\n"));
        let take = played(&scene, 60.0);
        assert_eq!(verdict(&take, &scene.demand()).violations, [], "{first}");
        take.tracks[0].clip.duration()
    };
    let usual = path("");
    for first in ["[0, 0], ", "[0.0001, -0.0001], ", "[0, -0.02], ", "[0.03, 0.01], [0.01, 0.03], "]
    {
        let seconds = path(first);
        assert!((seconds - usual).abs() < 0.5, "{first}: {seconds} s instead of {usual}");
    }
}

/// They were gone again from their first place, and that was called reached.
#[test]
fn paths_go_on_from_where_they_are_when_something_changes() {
    for (at, change) in
        [(4.0, "speed = 0.9"), (6.5, "speed = 1.6"), (5.5, "push = { impulse = 1 }")]
    {
        let orders = format!(
            "[[command]]\nwho = \"ann\"\npath = [[0, 3], [3, 3], [3, 6]]\n\
             [[command]]\nwho = \"ann\"\nat = {at}\n{change}\n"
        );
        let scene = yard("body = \"physical_when_touched\"", &orders);
        let take = played(&scene, 90.0);
        let track = &take.tracks[0];
        let first = glam::Vec2::new(0.0, 3.0);
        let near: Vec<bool> =
            track.body.iter().map(|body| body.position.distance(first) < 0.8).collect();
        let visits = near.windows(2).filter(|pair| !pair[0] && pair[1]).count();
        assert_eq!(visits, 1, "{change} at {at}");
        let end = track.body.last().unwrap().position;
        assert!(end.distance(glam::Vec2::new(3.0, 6.0)) < 0.1, "{change} at {at}: {end}");
    }
}

#[test]
fn a_goal_on_a_platform_that_moves_goes_with_it() {
    let text = "version = 1\nname = \"ferry\"\n[[platform]]\noutline = [[50, 50], [60, 50], [60, 60], [50, 60]]\n\
        [[moving_platform]]\nname = \"ferry\"\nat = [0, 0, 0]\nbox = [8, 0.25, 8]\nstops = [[0, 0, 12]]\nspeed = 0.6\nwait = 1\n\
        [[character]]\nname = \"ann\"\nstart = { at = [-2, 0.25, -2], heading = 0 }\ngoal = { at = [2, 2], heading = 90 }\n";
    let scene = read_scene(text).unwrap();
    let take = played(&scene, 60.0);
    let moved = take.things[0].at(take.frames() - 1).unwrap().translation.z;
    assert!(moved > 0.5, "{moved}");
    assert_eq!(kinds(&verdict(&take, &scene.demand())), []);
}

#[test]
fn what_is_cut_short_has_failed() {
    let take = played(&yard("goal = { at = [0, 8] }", ""), 2.0);
    let failed = take.events.iter().find_map(|event| match &event.kind {
        EventKind::Failed(why) => Some(why.clone()),
        _ => None,
    });
    assert!(failed.is_some_and(|why| why.contains("not done after 2 s")));
    // Waiting is no delay.
    let wait = "[[command]]\nwho = \"ann\"\nwait = 5\n[[command]]\nwho = \"ann\"\nface = 90\n";
    let take = played(&yard("", wait), 4.0);
    assert!(take.events.iter().all(|event| !matches!(event.kind, EventKind::Failed(_))));
    assert!(take.seconds() > 5.0);
}

#[test]
fn two_characters_of_one_name_are_refused() {
    let twice = "version = 1\nname = \"twins\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n\
        [[character]]\nname = \"ann\"\nstart = { at = [0, 0] }\n[[character]]\nname = \"ann\"\nstart = { at = [4, 0] }\n";
    assert!(read_scene(twice).unwrap_err().to_string().contains("two characters are called `ann`"));
}

/// A post beside the start, nearer and nearer: whoever walks away from it either does nothing wrong, or says that it was too
/// near already, or that it could not.
#[test]
fn a_way_that_the_check_refutes_is_told_of_or_not_gone() {
    let mut told = 0;
    for step in 0..12 {
        let post = format!(
            "[[obstacle]]\nname = \"post\"\nat = [{}, 0, 0]\nradius = 0.1\ntall = 1.6\n",
            0.44 - 0.025 * step as f32
        );
        let scene = yard("goal = { at = [0, 3] }", &post);
        let take = played(&scene, 60.0);
        let has = |test: fn(&EventKind) -> bool| take.events.iter().any(|event| test(&event.kind));
        let near = has(|kind| matches!(kind, EventKind::Doubted(_)));
        let failed = has(|kind| matches!(kind, EventKind::Failed(_)));
        // What is played differs from what was planned by less than a millimetre.
        let verdict = verdict(&take, &scene.demand());
        let beyond = |found: &&Violation| (found.value - found.limit).abs() > 1e-3;
        let found: Vec<_> = verdict.wrong(None).filter(beyond).map(|found| found.kind).collect();
        assert!(near || failed || found.is_empty(), "{post}: {found:?}, {:?}", take.events);
        // The first stands so far off that nobody minds it.
        assert!(step > 0 || !near && !failed, "{post}: {:?}", take.events);
        told += usize::from(near || failed);
    }
    assert!(told > 0);
}

#[test]
fn events_call_people_by_their_names() {
    let orders = "[[character]]\nname = \"ben\"\nstart = { at = [0, 3] }\n\
        [[command]]\nwho = \"ann\"\nface = \"ben\"\n[[command]]\nwho = \"ann\"\nname = \"after him\"\nfollow = \"ben\"\n\
        [[command]]\nwho = \"ben\"\nwalk_to = [3, 3]\n";
    let take = played(&yard("", orders), 60.0);
    let began: Vec<&str> = take
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Began(what) => Some(what.as_str()),
            _ => None,
        })
        .collect();
    for words in ["face ben", "after him: follow ben"] {
        assert!(began.contains(&words), "{began:?}");
    }
}
