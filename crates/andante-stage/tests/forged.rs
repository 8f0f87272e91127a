//! A take is held to everything its scene asks for: whatever is changed about the scene afterwards is found, by its name.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_check::{CheckSettings, Verdict, ViolationKind, check};
use andante_stage::{PlayOptions, Take, play, read_scene};
use std::collections::BTreeSet;

/// Numbers of a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }

    /// To a tenth.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        let tenths = ((high - low) * 10.0) as usize;
        low + self.below(tenths.max(1)) as f32 / 10.0
    }
}

/// A scene file in pieces, so that each can be changed by itself.
#[derive(Clone)]
struct Pieces {
    world: Vec<String>,
    ferry: Option<(f32, f32)>,
    ann: (f32, f32, f32, f32),
    ben: (f32, f32, f32),
    /// What Ann is told, one after the other, and Ben.
    orders: Vec<String>,
    rounds: Vec<[f32; 2]>,
    follow: f32,
    called: f32,
}

impl Pieces {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let mut orders = Vec::new();
        let mut last = usize::MAX;
        while orders.len() < 4 {
            let kind = dice.below(6);
            if kind == last {
                continue;
            }
            last = kind;
            let mut place = || [dice.between(-6.0, 6.0), dice.between(-6.0, -1.0)];
            let (a, b) = (place(), place());
            // Nobody turns sharply on a path.
            let (on, end) = ([a[0] + 1.2, a[1] + 0.4], [a[0] + 2.2, a[1] + 1.4]);
            let turn = 15.0 * (dice.below(20) as f32 - 10.0) + 1.0;
            orders.push(match kind {
                0 => format!("walk_to = {a:?}"),
                1 => format!("walk_to = {{ at = {a:?}, heading = {turn:?} }}"),
                2 => format!("wait = {:?}", dice.between(0.5, 2.5)),
                3 => format!("face = {turn:?}"),
                4 => format!("path = [{a:?}, {on:?}, {end:?}]"),
                _ => format!("run_to = {b:?}"),
            });
        }
        Self {
            world: vec![
                "[[platform]]\nname = \"yard\"\noutline = [[-9, -9], [9, -9], [9, 12], [-9, 12]]\n"
                    .into(),
                "[[obstacle]]\nname = \"post\"\nat = [8.5, 0, 8.5]\nradius = 0.1\ntall = 2\n"
                    .into(),
            ],
            ferry: Some((0.6, 9.0)),
            ann: (dice.between(-3.0, 3.0), dice.between(-8.0, -7.0), 20.0, 1.7),
            ben: (dice.between(-5.0, 5.0), dice.between(3.0, 5.0), 90.0),
            orders,
            rounds: vec![[-4.0, 5.0], [0.0, 8.0], [3.0, 4.0]],
            follow: 2.2,
            called: 2.5,
        }
    }

    fn text(&self) -> String {
        let mut text = String::from("version = 1\nname = \"forged\"\n");
        self.world.iter().for_each(|piece| text.push_str(piece));
        if let Some((speed, stop)) = self.ferry {
            text += &format!(
                "[[moving_platform]]\nname = \"ferry\"\nat = [30, 0, 0]\nbox = [3, 0.3, 3]\nstops = [[30, 0, {stop:?}]]\nspeed = {speed:?}\n"
            );
        }
        let (x, z, heading, height) = self.ann;
        text += &format!(
            "[[character]]\nname = \"ann\"\nheight = {height:?}\nstart = {{ at = [{x:?}, {z:?}], heading = {heading:?} }}\n"
        );
        let (x, z, heading) = self.ben;
        text += &format!(
            "[[character]]\nname = \"ben\"\nstart = {{ at = [{x:?}, {z:?}], heading = {heading:?} }}\n"
        );
        text += "[[character]]\nname = \"cleo\"\nstart = { at = [7, 10], heading = 180 }\n";
        for order in &self.orders {
            text += &format!("[[command]]\nwho = \"ann\"\n{order}\n");
        }
        let (called, rounds, follow) = (self.called, &self.rounds, self.follow);
        text += "[[command]]\nwho = \"ben\"\nwait = 1\n";
        text += &format!("[[command]]\nwho = \"ben\"\nat = {called:?}\npatrol = {rounds:?}\n");
        text + &format!("[[command]]\nwho = \"cleo\"\nfollow = \"ben\"\ndistance = {follow:?}\n")
    }
}

type Mutation = (&'static str, fn(&mut Pieces), &'static [ViolationKind], &'static str);

/// What is changed, what is found then, and what is named.
const MUTATIONS: [Mutation; 19] = {
    use ViolationKind::*;
    [
        ("a command is dropped", |own| drop(own.orders.remove(1)), &[CommandUnasked], "ann"),
        (
            "a command is added",
            |own| own.orders.push("wait = 0.7".into()),
            &[CommandLeftOut],
            "wait 0.7",
        ),
        ("two are swapped", |own| own.orders.swap(1, 2), &[CommandTime], "ann"),
        (
            "the last is another",
            |own| own.orders[3] = "walk_to = [0.25, -3.25]".into(),
            &[CommandLeftOut],
            "walk_to [0.25, -3.25]",
        ),
        ("a start is moved", |own| own.ann.0 += 0.05, &[StartPlace], "ann"),
        ("a start is turned", |own| own.ben.2 += 5.0, &[StartHeading], "ben"),
        ("somebody is taller", |own| own.ann.3 += 0.02, &[Cast], "ann"),
        ("a platform is faster", |own| own.ferry = Some((0.65, 9.0)), &[PlatformPlace], "ferry"),
        (
            "a platform goes elsewhere",
            |own| own.ferry = Some((0.6, 7.0)),
            &[PlatformPlace],
            "ferry",
        ),
        ("a platform is not asked for", |own| own.ferry = None, &[World], "ferry"),
        (
            "a place of a patrol is moved",
            |own| own.rounds[1][0] += 0.5,
            &[CommandPlace],
            "patrol 3 places",
        ),
        (
            "places of a patrol are swapped",
            |own| own.rounds.swap(0, 1),
            &[CommandPlace],
            "patrol 3 places",
        ),
        (
            "a place of a patrol is added",
            |own| own.rounds.push([-2.0, 4.0]),
            &[CommandLeftOut],
            "patrol 4 places",
        ),
        ("a cue is later", |own| own.called += 0.3, &[CommandTime], "patrol 3 places"),
        ("somebody is followed closely", |own| own.follow = 0.05, &[CommandPlace], "follow ben"),
        ("an obstacle is gone", |own| drop(own.world.pop()), &[World], "post"),
        (
            "an obstacle is moved",
            |own| own.world[1] = own.world[1].replace("8.5, 0", "8.2, 0"),
            &[World],
            "post",
        ),
        (
            "the ground is smaller",
            |own| own.world[0] = own.world[0].replace("12", "11"),
            &[World],
            "yard",
        ),
        ("somebody starts elsewhere", |own| own.ben.1 += 0.5, &[StartPlace], "ben"),
    ]
};

fn verdict(take: &Take, pieces: &Pieces) -> Verdict {
    let demand = read_scene(&pieces.text()).unwrap().demand();
    check(take, Some(&demand), &CheckSettings::default()).unwrap()
}

/// What cannot be told by the words of a command: where it leads, how it faces there.
fn unspoken(pieces: &Pieces) -> Vec<(String, Pieces, ViolationKind)> {
    let mut found = Vec::new();
    for (index, order) in pieces.orders.iter().enumerate() {
        let mut other = pieces.clone();
        let kind = if let Some((head, tail)) = order.split_once("heading = ") {
            let turn: f32 = tail.trim_end_matches(" }").parse().unwrap();
            other.orders[index] = format!("{head}heading = {:?} }}", turn + 8.0);
            ViolationKind::CommandHeading
        } else if let Some(rest) = order.strip_prefix("path = [[") {
            // To where she never goes.
            let (first, rest) = rest.split_once(']').unwrap();
            let (x, _) = first.split_once(',').unwrap();
            other.orders[index] = format!("path = [[{x}, 3.5]{rest}");
            ViolationKind::CommandPlace
        } else {
            continue;
        };
        found.push((order.clone(), other, kind));
    }
    found
}

#[test]
fn a_take_is_refuted_by_whatever_is_changed_about_its_scene() {
    let (mut clean, mut seen) = (0, BTreeSet::new());
    for seed in 1..=6 {
        let pieces = Pieces::new(seed);
        let scene = read_scene(&pieces.text()).unwrap();
        let take = play(&scene, seed, &PlayOptions::default(), |_| true).unwrap();
        let own = verdict(&take, &pieces);
        let said: Vec<String> = own.wrong(None).map(|found| found.to_string()).collect();
        assert!(said.is_empty(), "{seed}: {said:#?}\n{}", pieces.text());
        clean += usize::from(own.is_ok());
        for (what, change, kinds, named) in MUTATIONS {
            let mut other = pieces.clone();
            change(&mut other);
            let verdict = verdict(&take, &other);
            let words: Vec<String> = verdict.wrong(None).map(|found| found.to_string()).collect();
            let is_found = verdict
                .wrong(None)
                .any(|found| kinds.contains(&found.kind) && found.to_string().contains(named));
            assert!(is_found, "{seed}, {what}: {words:#?}\n{}", other.text());
        }
        for (order, other, kind) in unspoken(&pieces) {
            let verdict = verdict(&take, &other);
            let kinds: Vec<ViolationKind> = verdict.wrong(None).map(|found| found.kind).collect();
            assert!(kinds.contains(&kind), "{seed}, {order}: {kinds:?}");
            seen.insert(kind);
        }
    }
    // Otherwise nothing was compared.
    assert!(clean >= 2, "{clean} takes are clean");
    assert_eq!(seen.len(), 2, "{seen:?}");
}

fn played(text: &str, patience: f32) -> (Take, Verdict) {
    let scene = read_scene(text).unwrap();
    let options = PlayOptions { patience, ..PlayOptions::default() };
    let take = play(&scene, 1, &options, |_| true).unwrap();
    let verdict = check(&take, Some(&scene.demand()), &CheckSettings::default()).unwrap();
    (take, verdict)
}

/// Who follows somebody on another island stands there for ever, and was called done.
#[test]
fn who_follows_and_cannot_come_up_has_failed_with_the_reason() {
    let text = "version = 1\nname = \"islands\"\n[[platform]]\noutline = [[-3, -3], [3, -3], [3, 3], [-3, 3]]\n\
        [[platform]]\noutline = [[-3, 9], [3, 9], [3, 15], [-3, 15]]\n\
        [[character]]\nname = \"ann\"\nstart = { at = [0, 0] }\n[[character]]\nname = \"ben\"\nstart = { at = [0, 12] }\n\
        [[command]]\nwho = \"ann\"\nfollow = \"ben\"\n[[command]]\nwho = \"ben\"\nwalk_to = [1, 11]\n";
    let (_, verdict) = played(text, 3.0);
    let found: Vec<String> = verdict.wrong(Some("ann")).map(|found| found.to_string()).collect();
    assert!(found.iter().any(|words| words.contains("m from ben")), "{found:?}");
    assert!(verdict.is_ok_of("ben"), "{:?}", verdict.violations);
    // The same take without its last event says nothing of it; the motion does.
    let scene = read_scene(text).unwrap();
    let mut forged =
        play(&scene, 1, &PlayOptions { patience: 3.0, ..PlayOptions::default() }, |_| true)
            .unwrap();
    forged.events.retain(|event| !matches!(event.kind, andante_stage::EventKind::Failed(_)));
    let verdict = check(&forged, Some(&scene.demand()), &CheckSettings::default()).unwrap();
    assert!(verdict.wrong(Some("ann")).any(|found| found.kind == ViolationKind::CommandPlace));
}

#[test]
fn a_patrol_is_played_until_it_has_been_round() {
    let text = "version = 1\nname = \"round\"\n[[platform]]\noutline = [[-12, -12], [12, -12], [12, 12], [-12, 12]]\n\
        [[character]]\nname = \"ann\"\nstart = { at = [0, 0] }\n\
        [[command]]\nwho = \"ann\"\npatrol = [[9, 9], [-9, 9], [-9, -9]]\n";
    let (take, verdict) = played(text, 30.0);
    assert!(verdict.is_ok(), "{:?}", verdict.violations);
    let arrived =
        take.events.iter().filter(|event| event.kind == andante_stage::EventKind::Arrived);
    assert_eq!(arrived.count(), 3);
}

#[test]
fn the_least_speed_of_a_platform_is_allowed() {
    let text = "version = 1\nname = \"slow\"\n[[platform]]\noutline = [[-3, -3], [3, -3], [3, 3], [-3, 3]]\n\
        [[moving_platform]]\nname = \"ferry\"\nat = [9, 0, 0]\nbox = [2, 0.3, 2]\nstops = [[9, 0, 4]]\nspeed = 0.01\nacceleration = 0.01\n\
        [[character]]\nname = \"ann\"\nstart = { at = [0, 0] }\ngoal = { at = [0, 2] }\n";
    let (_, verdict) = played(text, 30.0);
    assert!(verdict.is_ok(), "{:?}", verdict.violations);
}

#[test]
fn a_take_that_was_cut_off_does_not_say_how_long_it_should_be() {
    let (take, _) = played(
        "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-3, -3], [3, -3], [3, 3], [-3, 3]]\n\
         [[character]]\nname = \"ann\"\nstart = { at = [0, 0] }\n",
        30.0,
    );
    let bytes = take.to_bytes().unwrap();
    for kept in [12, 40, bytes.len() / 2, bytes.len() - 1] {
        let said = Take::from_bytes(&bytes[..kept]).unwrap_err().to_string();
        assert!(said.contains(&format!("ends after {kept} bytes")), "{said}");
    }
}
