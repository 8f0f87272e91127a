//! A take is held to the world that was asked for: its gravity, what surfaces are like, and what moves each body.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_check::{CheckSettings, Verdict, ViolationKind, check};
use andante_stage::{BodyDrive, PlayOptions, Scene, Take, play, read_scene};

/// Somebody on a dock who is pushed off it, and somebody else at whom a ball is thrown from far away.
fn dock(physics: &str, body: &str) -> Scene {
    let text = format!(
        "version = 1\nname = \"dock\"\n[settings.physics]\n{physics}\n\
         [[platform]]\nname = \"dock\"\noutline = [[-3, -3], [3, -3], [3, 3], [-3, 3]]\nheight = 2.5\n\
         [[platform]]\nname = \"yard\"\noutline = [[-30, -30], [30, -30], [30, 30], [-30, 30]]\n\
         [[character]]\nname = \"ann\"\nbody = \"{body}\"\nstart = {{ at = [0, 2.6], heading = 0, height = 2.5 }}\n\
         [[character]]\nname = \"ben\"\nbody = \"physical_when_touched\"\nstart = {{ at = [-12, 0], heading = 0 }}\n\
         [[command]]\nwho = \"ann\"\nat = 0.5\npush = {{ impulse = 250, direction = 0 }}\n\
         [[command]]\nwho = \"ben\"\nat = 0.5\nthrow = {{ ball = 0.1, mass = 0.5, from = [-12, 1.5, 8], speed = 18 }}\n"
    );
    read_scene(&text).unwrap()
}

fn played(scene: &Scene) -> Take {
    play(scene, 1, &PlayOptions { longest: 5.0, ..PlayOptions::default() }, |_| true).unwrap()
}

fn verdict(take: &Take, scene: &Scene) -> Verdict {
    check(take, Some(&scene.demand()), &CheckSettings::default()).unwrap()
}

/// What is to be said against the world and against who is in it.
fn other(verdict: &Verdict) -> Vec<(ViolationKind, String)> {
    let kinds = [ViolationKind::World, ViolationKind::Cast, ViolationKind::FreeFall];
    let found = verdict.violations.iter().filter(|violation| kinds.contains(&violation.kind));
    found.map(|violation| (violation.kind, violation.who.clone())).collect()
}

/// Of the moon, of Mars, of the earth, and of nowhere.
const GRAVITIES: [f64; 4] = [1.62, 3.7, 9.80665, 25.0];

#[test]
fn a_take_made_under_other_conditions_is_another_world() {
    let usual = dock("gravity = 9.80665", "physical_when_touched");
    let take = played(&usual);
    assert_eq!(other(&verdict(&take, &usual)), []);
    for changed in ["gravity = 9.7", "friction = 0.3", "thing_restitution = 0.9", "sweeps = 31"] {
        let asked = dock(changed, "physical_when_touched");
        let found = verdict(&take, &asked);
        let world = found.violations.iter().filter(|found| found.kind == ViolationKind::World);
        let told: Vec<String> = world.map(ToString::to_string).collect();
        let (name, value) = changed.split_once(" = ").unwrap();
        assert_eq!(told.len(), 1, "{changed}: {told:?}");
        assert!(told[0].contains(name) && told[0].contains(value), "{told:?}");
    }
}

#[test]
fn a_body_is_moved_by_what_was_asked_for() {
    let bodies = ["kinematic", "physical_when_touched", "physical"];
    for made in bodies.into_iter().skip(1) {
        let take = played(&dock("", made));
        for asked in bodies {
            // Nobody pushes who feels nothing; here only what it is counts.
            let scene = dock("", if asked == "kinematic" { made } else { asked });
            let mut demand = scene.demand();
            if asked == "kinematic" {
                demand.parts[0].drive = Some(BodyDrive::Kinematic);
            }
            let found = check(&take, Some(&demand), &CheckSettings::default()).unwrap();
            let cast = other(&found).iter().any(|(kind, _)| *kind == ViolationKind::Cast);
            assert_eq!(cast, made != asked, "{made} instead of {asked}");
            // A take that does not say what moves it is held to what is seen.
            let mut silent = take.clone();
            silent.tracks.iter_mut().for_each(|track| track.drive = None);
            let found = check(&silent, Some(&demand), &CheckSettings::default()).unwrap();
            let cast = other(&found).iter().any(|(kind, _)| *kind == ViolationKind::Cast);
            assert_eq!(cast, asked == "kinematic", "{made} instead of {asked}");
        }
    }
}

/// Whatever a take says it was made under, what falls in it falls with one gravity alone.
#[test]
fn what_falls_falls_with_the_gravity_of_the_scene() {
    for gravity in GRAVITIES {
        let made = played(&dock(&format!("gravity = {gravity}"), "physical_when_touched"));
        for asked in GRAVITIES {
            let scene = dock(&format!("gravity = {asked}"), "physical_when_touched");
            // It says what was asked for, or nothing.
            let mut forged = made.clone();
            forged.head.conditions = scene.demand().conditions;
            let mut silent = made.clone();
            silent.head.conditions.clear();
            for take in [forged, silent] {
                let found = other(&verdict(&take, &scene));
                let expected = match gravity == asked {
                    true => vec![],
                    false => vec![
                        (ViolationKind::FreeFall, "ann".to_owned()),
                        (ViolationKind::FreeFall, "ball 1".to_owned()),
                    ],
                };
                let mut found = found;
                found.sort_by(|a, b| a.1.cmp(&b.1));
                assert_eq!(found, expected, "{gravity} instead of {asked}");
            }
        }
        // Without a scene it is held to what it says itself.
        let mut forged = made.clone();
        forged.head.conditions = dock("gravity = 6.5", "physical").demand().conditions;
        for (take, is_so) in [(&made, true), (&forged, false)] {
            let found = check(take, None, &CheckSettings::default()).unwrap();
            assert_eq!(other(&found).is_empty(), is_so, "{gravity}: {found:#?}");
        }
    }
}

#[test]
fn a_take_keeps_what_it_was_made_under() {
    let scene = dock("gravity = 3.7\nfriction = 0.1", "physical");
    let take = played(&scene);
    let again = Take::from_bytes(&take.to_bytes().unwrap()).unwrap();
    assert_eq!(again.head.conditions, scene.demand().conditions);
    assert_eq!(again.tracks[0].drive, Some(BodyDrive::Physical));
    assert_eq!(again.tracks[1].drive, Some(BodyDrive::WhenTouched));
}

/// Who has fallen out of the world stays where it is from then on, and was said to fall otherwise than gravity has it.
#[test]
fn who_falls_off_everything_falls_as_it_has_to() {
    for gravity in GRAVITIES {
        let text = format!(
            "version = 1\nname = \"raft\"\n[settings.physics]\ngravity = {gravity}\n\
             [[platform]]\nname = \"raft\"\noutline = [[-2, -2], [2, -2], [2, 2], [-2, 2]]\n\
             [[character]]\nname = \"ann\"\nbody = \"physical_when_touched\"\nstart = {{ at = [0, 1.5], heading = 0 }}\n\
             [[command]]\nwho = \"ann\"\nat = 0.5\npush = {{ impulse = 300, direction = 0 }}\n\
             [[command]]\nwho = \"ann\"\nat = 1.0\nthrow = {{ ball = 0.1, mass = 0.5, from = [-1, 1, -6], speed = 8 }}\n"
        );
        let scene = read_scene(&text).unwrap();
        let options = PlayOptions { longest: 8.0, ..PlayOptions::default() };
        let take = play(&scene, 1, &options, |_| true).unwrap();
        let hips = take.tracks[0].character.rig.hips;
        let last = take.tracks[0].clip.frames().last().unwrap();
        assert!(last[0].translation.y < -1.0 || last[hips].translation.y < -1.0, "{gravity}");
        assert_eq!(other(&verdict(&take, &scene)), [], "{gravity}");
    }
}
