//! What scripts of scenes are read as, and what is refused with its place.

use crate::{Command, Cue, GazeTarget, Occurrence, read_scene};

const SCRIPT: &str = r#"version = 1
name = "yard"
[[platform]]
outline = [[0, 0], [8, 0], [8, 8], [0, 8]]
[[obstacle]]
name = "crate"
at = [4, 0, 4]
box = [1, 2, 1]
[[character]]
name = "ann"
start = { at = [1, 1] }
goal = { at = [7, 7], heading = 90 }
run = false
[[character]]
name = "ben"
start = { at = [7, 1] }
[[command]]
name = "greet"
who = "ben"
when = { near = ["ann", "ben"], within = 3 }
face = "ann"
[[command]]
name = "go"
who = "ben"
after = "greet"
walk_to = [1, 7]
[[command]]
who = "everyone"
at = 20
stop = true
"#;

fn refused(from: &str, to: &str) -> String {
    assert!(SCRIPT.contains(from), "{from}");
    read_scene(&SCRIPT.replace(from, to)).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn commands_are_given_to_whom_they_name_when_they_say() {
    let scene = read_scene(SCRIPT).unwrap();
    let orders = &scene.orders;
    assert_eq!(orders.len(), 5);
    assert!(matches!(orders[0].command, Command::WalkTo(_)) && orders[0].cue == Cue::Next);
    assert_eq!(orders[1].command, Command::Face(GazeTarget::Character(0.into())));
    let near = Occurrence::Near { who: 0, whom: 1, within: 3.0 };
    assert_eq!(orders[1].cue, Cue::When(near));
    assert_eq!(orders[2].cue, Cue::After(vec![1]));
    assert_eq!((orders[3].who, orders[4].who), (0, 1));
    assert_eq!(orders[4].cue, Cue::At(20.0));
    assert_eq!(scene.characters[1].goal.place, glam::vec2(1.0, 7.0));
    assert_eq!(orders[2].label(orders[2].command.to_string()), "go: walk_to [1, 7]");
}

#[test]
fn mistakes_in_commands_are_named_with_line_and_column() {
    for (from, to, line, says) in [
        ("who = \"ben\"\nwhen", "who = \"bob\"\nwhen", "line 19, column 7", "`bob`"),
        ("after = \"greet\"", "after = \"gret\"", "line 25, column 9", "`gret`"),
        ("after = \"greet\"", "after = \"go\"", "line 25, column 9", "circle"),
        ("when = { near = [\"ann\", \"ben\"], within = 3 }", "after = \"go\"", "line 20", "circle"),
        ("walk_to = [1, 7]", "walk_to = [4, 4]", "line 26, column 11", "inside `crate`"),
        ("walk_to = [1, 7]", "walk_to = [1, 9]", "line 26, column 11", "no ground"),
        ("walk_to = [1, 7]", "walk_to = [1, 7]\nstop = true", "line 22", "one of"),
        ("walk_to = [1, 7]", "walk_to = \"there\"", "line 26, column 11", "a place"),
        (
            "walk_to = [1, 7]",
            "walk_to = { at = [1, 7], hading = 1 }",
            "line 26, column 26",
            "field `hading`",
        ),
        ("stop = true", "stop = false", "line 30, column 8", "says nothing"),
        ("at = 20", "at = -1", "line 27", "-1"),
        ("at = 20", "at = 20\nafter = \"go\"", "line 27", "one of them"),
        ("face = \"ann\"", "follow = \"ben\"", "line 17", "themselves"),
        ("face = \"ann\"", "wait = nan", "line 21", "NaN"),
        ("face = \"ann\"", "speed = 0", "line 21", "speed is 0"),
        ("face = \"ann\"", "speed = 0.1", "line 21", "speed is 0.1; it is 0.351 to 20 m/s"),
        ("at = [1, 1]", "at = [40, 1]", "line 11, column 9", "ground"),
        ("face = \"ann\"", "patrol = [[1, 1]]", "line 21", "two places"),
        ("name = \"go\"", "name = \"greet\"", "line 23, column 8", "two commands"),
        ("name = \"ann\"", "name = \"ben\"", "line 14", "two characters"),
        ("goal = { at = [7, 7]", "goal = { at = [4.2, 4]", "line 12, column 8", "inside `crate`"),
        ("within = 3", "within = 0", "line 20", "within"),
        ("face = \"ann\"", "push = { impulse = 9 }", "line 17", "`ben` is kinematic"),
        ("face = \"ann\"", "fall = true", "line 17", "`ben` is kinematic"),
        ("face = \"ann\"", "get_up = false", "line 21, column 10", "says nothing"),
        ("face = \"ann\"", "push = { impulse = 1e9 }", "line 21, column 8", "10000"),
        ("face = \"ann\"", "push = { impulse = nan }", "line 21", "NaN"),
        ("face = \"ann\"", "push = { impulze = 9 }", "line 21, column 10", "`impulze`"),
        ("face = \"ann\"", "push = { impulse = 9, seconds = 0 }", "line 21", "seconds"),
    ] {
        let error = refused(from, to);
        assert!(error.contains(line) && error.contains(says), "{from} -> {to}: {error}");
    }
}

#[test]
fn things_that_nobody_could_throw_are_refused_by_name() {
    let throw = |what: &str| {
        let text = SCRIPT
            .replace("start = { at = [7, 1] }", "start = { at = [7, 1] }\nbody = \"physical\"");
        let text = text.replace("face = \"ann\"", &format!("throw = {{ {what} }}"));
        read_scene(&text).map(|_| ()).map_err(|error| error.to_string())
    };
    let good = "ball = 0.1, mass = 2, from = [3, 1.5, 2], speed = 9";
    assert!(throw(good).is_ok(), "{:?}", throw(good));
    for (from, to, says) in [
        ("mass = 2", "mass = 0", "ball: a mass of 0 kg"),
        ("mass = 2", "mass = inf", "ball: a mass of inf kg"),
        ("ball = 0.1", "cube = 0", "cube: a size of 0 m"),
        ("ball = 0.1", "ball = 0.1, cube = 1", "a `ball`"),
        ("[3, 1.5, 2]", "[4, 1.5, 4]", "ball is inside"),
        ("[3, 1.5, 2]", "[3, -1, 2]", "ball is inside"),
        ("speed = 9", "speed = -1", "speed is -1"),
        ("speed = 9", "sped = 9", "`sped`"),
    ] {
        assert!(good.contains(from));
        let error = throw(&good.replace(from, to)).unwrap_err();
        assert!(error.contains("line 22, column") && error.contains(says), "{to}: {error}");
    }
    let error = read_scene(&SCRIPT.replace("run = false", "run = false\nbody = \"jelly\""));
    let error = error.map(|_| ()).unwrap_err().to_string();
    assert!(
        error.contains("line 14, column 8") && error.contains("physical_when_touched"),
        "{error}"
    );
}

#[test]
fn a_command_to_wait_for_itself_through_the_order_of_the_file_is_a_circle() {
    let text = SCRIPT
        .replace("who = \"everyone\"\nat = 20", "name = \"last\"\nwho = \"ben\"")
        .replace("when = { near = [\"ann\", \"ben\"], within = 3 }", "after = \"last\"");
    let error = read_scene(&text).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("circle"), "{error}");
}
