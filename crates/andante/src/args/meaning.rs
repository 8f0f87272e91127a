//! What options mean: the same wherever they are, and degrees where angles are meant.

use super::Args;
use clap::{Arg, Command, CommandFactory};
use std::collections::BTreeMap;

/// Options that mean something else in another command, and why.
const OTHER_MEANINGS: [(&str, &str); 3] = [
    ("character", "sketches are made for built-in bodies, which have a name and no file"),
    ("height", "a picture has one in pixels, beside its width; a person in metres"),
    ("to", "a span of time ends there, as it begins at --from; a motion is put on somebody"),
];

/// Parts of names that are those of angles.
const ANGLES: [&str; 9] =
    ["angle", "direction", "heading", "turn", "yaw", "deg", "tilt", "slope", "lean"];

/// Every argument with the command it belongs to.
fn arguments() -> Vec<(String, Arg)> {
    fn gather(command: &Command, all: &mut Vec<(String, Arg)>) {
        let own = command.get_arguments().map(|arg| (command.get_name().to_owned(), arg.clone()));
        all.extend(own);
        command.get_subcommands().for_each(|command| gather(command, all));
    }
    let mut all = Vec::new();
    gather(&Args::command(), &mut all);
    all
}

fn help(arg: &Arg) -> String {
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}

fn value_names(arg: &Arg) -> String {
    arg.get_value_names().unwrap_or_default().join(" ")
}

/// What comes before the first semicolon, colon or full stop.
fn first_sentence(help: &str) -> &str {
    let ends = ["; ", ": ", ". "].iter().filter_map(|end| help.find(end));
    &help[..ends.min().unwrap_or(help.len())]
}

fn says_degrees(text: &str) -> bool {
    text.contains("degrees") || text.contains('°')
}

#[test]
fn angles_are_said_to_be_degrees() {
    let mut found = 0;
    for (command, arg) in arguments() {
        let (id, values) = (arg.get_id().as_str().to_lowercase(), value_names(&arg));
        let is_angle = ANGLES.iter().any(|part| id.contains(part)) || values.contains("DEG");
        // A number of directions is none.
        if is_angle && values != "N" {
            found += 1;
            assert!(says_degrees(&help(&arg)), "{command} {id}: {}", help(&arg));
        }
    }
    assert!(found >= 6, "{found} angles");
    // Words that have angles in them: terrains, operations.
    let mut lines = 0;
    for command in Args::command().get_subcommands() {
        let about = command.get_long_about().map(ToString::to_string).unwrap_or_default();
        for line in about.lines().filter(|line| line.contains("DEG")) {
            lines += 1;
            assert!(says_degrees(line), "{}: {line}", command.get_name());
        }
    }
    assert!(lines >= 2, "{lines} lines");
}

#[test]
fn an_option_means_the_same_in_every_command() {
    let mut seen: BTreeMap<String, (String, String, String)> = BTreeMap::new();
    let mut excused = Vec::new();
    let mut shared = 0;
    for (command, arg) in arguments() {
        let Some(long) = arg.get_long().map(str::to_owned) else { continue };
        let (values, help) = (value_names(&arg), help(&arg));
        let meaning = first_sentence(&help).to_owned();
        assert!(!meaning.is_empty(), "{command} --{long} has no help");
        let Some((other, other_values, other_meaning)) = seen.get(&long) else {
            seen.insert(long, (command, values, meaning));
            continue;
        };
        shared += 1;
        // A directory, a file, or either.
        let same_values = *other_values == values || long == "output";
        if same_values && *other_meaning == meaning {
            continue;
        }
        assert!(
            OTHER_MEANINGS.iter().any(|(name, _)| *name == long),
            "--{long}: {other} says `{other_values}`: {other_meaning}\n{command} says `{values}`: {meaning}"
        );
        excused.push(long);
    }
    assert!(shared > 30, "{shared} options are shared");
    for (name, why) in OTHER_MEANINGS {
        assert!(excused.iter().any(|long| long == name), "--{name} needs no excuse: {why}");
    }
}
