//! What character files may say, and what is said about those that are wrong.
#![allow(clippy::unwrap_used)]

use andante_body::{CREATURES, creature, read_body, read_mjcf, write_body};
use andante_formats::ErrorPlace;
use proptest::prelude::*;

const BIPED: &str = r#"version = 1
name = "biped"
torso = "trunk"
symmetry = "mirror"

[[segment]]
name = "trunk"
mass = 10
shapes = [{ box = { center = [0, 1, 0], size = [0.3, 0.5, 0.2] } }]

[[segment]]
name = "left leg"
parent = "trunk"
at = [0.1, 0.75, 0]
stiffness = 50
limits = { lower = [-90, -20, -10], upper = [30, 20, 40] }
mass = 3
shapes = [{ capsule = { from = [0.1, 0.7, 0], to = [0.1, 0.05, 0], radius = 0.05 } }]

[[foot]]
name = "left foot"
segment = "left leg"
hip = "left leg"
toe = [0.1, 0, 0.02]
heel = [0.1, 0, -0.02]
"#;

/// Line, column and message of the error after a change.
fn refused(from: &str, to: &str) -> (usize, usize, String) {
    assert!(BIPED.contains(from), "{from}");
    let error = read_body(&BIPED.replacen(from, to, 1)).unwrap_err();
    match error.place {
        ErrorPlace::Text { line, column, .. } => (line, column, error.message),
        _ => (0, 0, error.message),
    }
}

#[test]
fn the_right_side_is_made_of_the_left() {
    let body = read_body(BIPED).unwrap();
    let (left, right) = (body.find("left leg").unwrap(), body.find("right leg").unwrap());
    assert_eq!(body.partners().unwrap()[left], right);
    let limits = |segment: usize| body.segments()[segment].joint.unwrap().limits.unwrap();
    let degrees = |angles: [f64; 3]| angles.map(|angle| angle.to_degrees().round());
    assert_eq!(degrees(limits(right).lower), [-90.0, -20.0, -40.0]);
    assert_eq!(degrees(limits(right).upper), [30.0, 20.0, 10.0]);
    assert_eq!(body.segments()[right].anchor.x, -body.segments()[left].anchor.x);
    assert_eq!(body.feet().len(), 2);
}

/// The left leg's stiffness and torque limit about its first axis, of a biped whose lengths and mass are so many times as large.
fn fitted(text: &str, lengths: f64, mass: f64) -> (f64, f64) {
    let mut parts = read_body(text).unwrap().parts().clone();
    for segment in &mut parts.segments {
        segment.mass.mass *= mass;
        segment.mass.inertia *= mass * lengths * lengths;
        segment.anchor *= lengths;
        segment.mass.center *= lengths;
    }
    let grown = write_body(&andante_body::Body::new(parts).unwrap());
    let given = |line: &&str| {
        !line.starts_with("stiffness")
            && !line.starts_with("torque")
            && !line.starts_with("damping")
    };
    let bare: Vec<&str> = grown.lines().filter(given).collect();
    let body = read_body(&bare.join("\n")).unwrap();
    let joint = body.segments()[body.find("left leg").unwrap()].joint.unwrap();
    (joint.stiffness[0], joint.torque_limit[0])
}

#[test]
fn springs_and_muscles_that_a_file_leaves_out_grow_with_weight_and_size() {
    let (stiffness, torque) = fitted(BIPED, 1.0, 1.0);
    assert!((5.0..500.0).contains(&stiffness) && torque > stiffness, "{stiffness} {torque}");
    let (larger, stronger) = fitted(BIPED, 2.0, 8.0);
    assert!((larger / stiffness - 16.0).abs() < 1e-6, "{stiffness} {larger}");
    assert!((stronger / torque - 16.0).abs() < 1e-6, "{torque} {stronger}");
    // Who gives springs gets muscles that turn them as far; what is given stays.
    let leg = |text: &str| {
        let body = read_body(text).unwrap();
        body.segments()[body.find("left leg").unwrap()].joint.unwrap()
    };
    let stiff = leg(&BIPED.replace("stiffness = 50", "stiffness = 5000"));
    assert!((stiff.torque_limit[0] - 2.5 * 5000.0).abs() < 1e-9, "{stiff:?}");
    let given = leg(&BIPED.replace("stiffness = 50", "stiffness = 50\ntorque = [7, 8, 9]"));
    assert_eq!(given.torque_limit, [7.0, 8.0, 9.0]);
}

#[test]
fn errors_name_line_and_column_and_what_to_do() {
    let cases = [
        // (what is changed, to what, line, column, part of the message)
        ("version = 1\n", "", 1, 1, "begins with `version = 1`"),
        ("version = 1", "version = 2", 1, 11, "version 2 is not known"),
        ("name = \"biped\"", "title = \"biped\"", 2, 1, "unknown field `title`"),
        ("torso = \"trunk\"", "torso = \"chest\"", 3, 9, "no segment named `chest`"),
        ("mass = 10\n", "", 7, 8, "either `mass` or `density`"),
        ("mass = 10", "mass = 0", 7, 8, "mass is not positive"),
        (
            "mass = 10",
            "mass = 10\ninertia = [1, 1, 3, 0, 0, 0]",
            7,
            8,
            "inertia is that of no solid",
        ),
        (
            "mass = 10",
            "mass = 10\ninertia = [1, -1, 1, 0, 0, 0]",
            7,
            8,
            "inertia is that of no solid",
        ),
        ("size = [0.3", "size = [0.0", 7, 8, "lengths of a shape must be positive"),
        ("size = [0.3, 0.5, 0.2]", "size = [0.3, 0.5]", 9, 48, "length 2"),
        (
            "name = \"left leg\"\nparent = \"trunk\"",
            "name = \"left leg\"\nparent = \"body\"",
            13,
            10,
            "`body` does not exist",
        ),
        (
            "name = \"left leg\"\nparent = \"trunk\"",
            "name = \"left leg\"\nparent = \"left leg\"",
            12,
            8,
            "loop",
        ),
        (
            "name = \"left leg\"\nparent = \"trunk\"\n",
            "name = \"left leg\"\n",
            12,
            8,
            "root is already there",
        ),
        (
            "name = \"trunk\"\nmass",
            "name = \"trunk\"\nparent = \"left leg\"\nat = [0, 1, 0]\nstiffness = 1\nmass",
            7,
            8,
            "one must be the root",
        ),
        ("at = [0.1, 0.75, 0]\n", "", 12, 8, "`at` is missing"),
        ("stiffness = 50", "stiffness = -1", 12, 8, "stiffness must be from 0 to"),
        (
            "stiffness = 50",
            "stiffness = 50\ntorque = 1e300",
            12,
            8,
            "torque limits must be from 0 to",
        ),
        ("stiffness = 50", "stifness = 50", 15, 1, "unknown field `stifness`"),
        ("lower = [-90", "lower = [90", 12, 8, "lower limit is above its upper one"),
        ("segment = \"left leg\"", "segment = \"left toe\"", 22, 11, "no segment named `left toe`"),
        (
            "heel = [0.1, 0, -0.02]",
            "heel = [0.1, 0, -0.02]\nradius = 0",
            20,
            1,
            "radius must be positive",
        ),
        ("symmetry = \"mirror\"", "symmetry = \"check\"", 12, 8, "not mirror images"),
    ];
    for (from, to, line, column, message) in cases {
        let found = refused(from, to);
        assert_eq!((found.0, found.1), (line, column), "{to:?}: {}", found.2);
        assert!(found.2.contains(message), "{to:?}: {}", found.2);
    }
}

#[test]
fn a_pair_that_is_not_alike_is_refused_by_name() {
    let body = creature("humanoid").unwrap();
    let text = write_body(&body);
    // The right shank comes last of the legs' segments that weigh this much.
    let at = text.rfind("mass = 3.0").unwrap();
    let wrong = format!("{}mass = 3.5{}", &text[..at], &text[at + 10..]);
    let error = read_body(&wrong).unwrap_err().to_string();
    assert!(
        error.contains("`left shank` and `right shank` are a pair, but their masses differ"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn no_text_makes_the_reader_panic(text in ".{0,400}") {
        let _ = read_body(&text);
        let _ = read_body(&format!("version = 1\n{text}"));
    }

    /// A line left out, doubled or cut: read, or refused with a reason.
    #[test]
    fn damaged_creatures_are_read_or_refused(which in 0usize..7, line in 0usize..200, how in 0u8..4, at in 0usize..80) {
        let mut lines: Vec<String> = CREATURES[which].1.lines().map(String::from).collect();
        let line = line % lines.len();
        match how {
            0 => { lines.remove(line); }
            1 => { let copy = lines[line].clone(); lines.insert(line, copy); }
            2 => { let cut = lines[line].chars().take(at).collect(); lines[line] = cut; }
            _ => { lines[line] = lines[line].replace(|c: char| c.is_ascii_digit(), "9"); }
        }
        if let Ok(body) = read_body(&lines.join("\n")) {
            prop_assert!(body.total_mass() > 0.0);
            prop_assert!(read_body(&write_body(&body)).is_ok());
        }
    }
}

/// The example of the README shows every key, and is read.
#[test]
fn the_documented_example_is_a_character() {
    let readme = include_str!("../README.md");
    let example = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let body = read_body(example.unwrap()).unwrap();
    assert_eq!((body.name(), body.internal_dof(), body.feet().len()), ("hopper", 3, 1));
}

/// Here every root floats; whoever brought a robot on a rail hears of it.
#[test]
fn a_root_that_is_not_free_in_its_file_is_told_of() {
    let robot = |joints: &str| {
        let text = format!(
            "<mujoco><worldbody><body name=\"cart\">{joints}<geom type=\"box\" size=\"0.2 0.2 0.2\" mass=\"3\"/></body></worldbody></mujoco>"
        );
        read_mjcf(&text).unwrap().remarks().to_vec()
    };
    assert!(robot("<freejoint/>").is_empty());
    assert!(robot("")[0].contains("`cart` is fixed to the world"));
    let slides =
        robot("<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"hinge\" axis=\"0 1 0\"/>");
    assert!(slides[0].contains("1 slides and 1 hinges"), "{slides:?}");
}
