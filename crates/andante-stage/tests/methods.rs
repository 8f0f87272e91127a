//! Other ways to find ways and footsteps, and settings, as scenes ask for them.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_stage::{PlayOptions, Stage, Take, play, read_scene};

fn yard(keys: &str, told: &str, more: &str) -> String {
    format!(
        "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-6, -6], [6, -6], [6, 6], [-6, 6]]\n\
         [[obstacle]]\nname = \"wall\"\nat = [0, 0, 0]\nbox = [6, 2, 0.3]\n\
         [[character]]\nname = \"ann\"\nstart = {{ at = [0, -3], heading = 0 }}\n{keys}\n\
         [[command]]\nwho = \"ann\"\n{told}\n{more}"
    )
}

fn played(text: &str) -> Take {
    play(&read_scene(text).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap()
}

#[test]
fn two_trees_find_a_way_that_is_walked_exactly_and_shown() {
    let text = yard("route = \"two_trees\"", "walk_to = [0, 3]", "");
    let take = played(&text);
    let metrics = &take.metrics()[0];
    assert!(metrics.reached && metrics.goal_error_m.unwrap() < 1e-3, "{:?}", take.events);
    assert_eq!(metrics.collision_frames, 0);
    assert!(metrics.motion.foot_slide_mm_max < 5.0);
    let scene = read_scene(&text).unwrap();
    let goal = scene.characters[0].goal;
    let plan = |text: &str| {
        let scene = read_scene(text).unwrap();
        Stage::new(&scene, 1).unwrap().plan(0, goal, false).unwrap()
    };
    let (grown, meshed) = (plan(&text), plan(&yard("", "walk_to = [0, 3]", "")));
    let branches = |plan: &andante_stage::CharacterPlan| {
        plan.journey.walks.iter().map(|walk| walk.branches.len()).sum::<usize>()
    };
    assert!(branches(&grown) > 4 && branches(&meshed) == 0);
    assert!(grown.journey.length < 1.3 * meshed.journey.length);
}

#[test]
fn a_roadmap_of_footprints_leads_to_the_goal() {
    let take =
        played(&yard("steps = \"roadmap\"", "walk_to = { at = [1, -1.2], heading = 0 }", ""));
    let metrics = &take.metrics()[0];
    assert!(metrics.reached, "{:?}", take.events);
    assert!(metrics.motion.foot_slide_mm_mean < 1.0, "{:?}", metrics.motion);
}

#[test]
fn footprints_placed_by_hand_are_stepped_on() {
    // The left is at +X of who looks along +Z.
    let prints = [(0.1, -2.5, 0), (-0.15, -2.1, 1), (0.1, -1.6, 0), (-0.1, -1.6, 1)];
    let sides = ["left", "right"];
    let rows: Vec<String> =
        prints.iter().map(|(x, z, foot)| format!("[{x}, {z}, 0, \"{}\"]", sides[*foot])).collect();
    let take = played(&yard("", &format!("footprints = [{}]", rows.join(", ")), ""));
    assert!(take.metrics()[0].reached, "{:?}", take.events);
    for (x, z, foot) in prints {
        let near = |print: &&andante_skeleton::PlannedFootprint| {
            print.foot == foot
                && (print.position.x - x).abs() < 0.02
                && (print.position.z - z).abs() < 0.02
        };
        let made: Vec<_> = take.tracks[0].footprints.iter().map(|print| print.position).collect();
        assert!(take.tracks[0].footprints.iter().any(|print| near(&print)), "{x}, {z}: {made:?}");
    }
    let refused = |told: &str| read_scene(&yard("", told, "")).unwrap_err().to_string();
    assert!(refused("footprints = [[0, 0, 0, \"middle\"]]").contains("no foot is `middle`"));
    let far = played(&yard("", "footprints = [[3, 3, 0, \"left\"], [3.2, 3, 0, \"right\"]]", ""));
    assert!(!far.metrics()[0].reached);
}

#[test]
fn unknown_words_are_refused_with_their_place() {
    for (keys, says) in [
        ("route = \"moles\"", "no route is `moles`"),
        ("steps = \"hops\"", "no way to step is `hops`"),
    ] {
        let error = read_scene(&yard(keys, "wait = 1", "")).unwrap_err().to_string();
        assert!(error.contains(says) && error.contains("12"), "{error}");
    }
}

/// What a check said of a motion is told of nothing else.
#[test]
fn a_verdict_that_is_known_is_of_this_motion_this_body_and_this_world() {
    let scene = read_scene(&yard("", "walk_to = [-4, -3]", "")).unwrap();
    let mut stage = Stage::new(&scene, 1).unwrap();
    let mut plan = stage.plan(0, scene.characters[0].goal, false).unwrap();
    let human = stage.actors()[0].character();
    let (ground, obstacles) = (&scene.ground[..], &scene.obstacles[..]);
    let known = plan.verdict_in(human, ground, obstacles).unwrap();
    assert!(known.is_ok() && known.frames == plan.performance.clip.frame_count(), "{known:?}");
    assert!(plan.verdict_in(human, ground, &[]).is_none());
    assert!(plan.verdict_in(human, &[], obstacles).is_none());
    let mut other = human.clone();
    other.rig.feet.reverse();
    assert!(plan.verdict_in(&other, ground, obstacles).is_none());
    std::sync::Arc::make_mut(&mut plan.performance).contacts.feet.reverse();
    assert!(plan.verdict_in(human, ground, obstacles).is_none());
}
