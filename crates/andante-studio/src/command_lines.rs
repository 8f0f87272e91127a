//! The command lines that do the same as the studio.

use crate::motion_plan::MotionEdit;
use crate::project::{StudioProject, body_text, sketch_text};
use crate::room::StudioRoom;
use andante_stage::built_in_scenes;
use std::path::Path;

/// A command of the command line, and where the same is in the studio.
pub struct CommandLine {
    /// Its first word after `andante`.
    pub name: &'static str,
    /// Where the same is done; nowhere if none.
    pub room: Option<StudioRoom>,
    /// What it does.
    pub about: &'static str,
    /// The whole line for what is worked on.
    pub line: fn(&StudioProject) -> String,
}

const fn line(
    name: &'static str,
    room: StudioRoom,
    about: &'static str,
    line: fn(&StudioProject) -> String,
) -> CommandLine {
    CommandLine { name, room: Some(room), about, line }
}

/// A command that the command line alone has.
const fn elsewhere(
    name: &'static str,
    about: &'static str,
    line: fn(&StudioProject) -> String,
) -> CommandLine {
    CommandLine { name, room: None, about, line }
}

/// Every command of the command line.
pub const COMMAND_LINES: &[CommandLine] = &[
    line("demo", StudioRoom::Welcome, "An example, as files", |_| "andante demo".into()),
    line("scenes", StudioRoom::Welcome, "Examples", |_| "andante scenes".into()),
    line("studio", StudioRoom::Welcome, "This window", studio),
    line("run", StudioRoom::Stage, "Play the scene and export it", |project| {
        run(project, "out/studio")
    }),
    line("plan", StudioRoom::Stage, "Show the planned way", |project| {
        format!("andante plan {}{} --svg plan.svg", scene(project), seed(project))
    }),
    line("check", StudioRoom::Stage, "Check what was played", |project| {
        let played = run(project, "out/studio");
        format!("{played}\nandante check out/studio/take.take {}", scene(project))
    }),
    line("render", StudioRoom::Stage, "Export a picture or a film", |project| {
        format!("andante render {}{} -o film.gif", scene(project), seed(project))
    }),
    line("clips", StudioRoom::Motion, "Choose a built-in clip, or mix gaits", |project| {
        format!("andante clips {0} -o {0}.glb", word(&built_in_clip(project)))
    }),
    line("inspect", StudioRoom::Motion, "See what is odd, contacts and graphs", |project| {
        of_motion(project, |file| format!("andante inspect {file}"))
    }),
    line("convert", StudioRoom::Motion, "Write the motion to another format", |project| {
        of_motion(project, |file| format!("andante convert {file} out.glb"))
    }),
    line("edit", StudioRoom::Motion, "Trim, cut, copy, mirror, loop, speed, reach", edit),
    line("ground", StudioRoom::Motion, "Put the clip on terrain", |project| {
        let terrain = project.motion.edits.iter().rev().find_map(|edit| match edit {
            MotionEdit::Ground(terrain) => Some(terrain.as_str()),
            _ => None,
        });
        format!(
            "andante ground {} --terrain {} -o out.glb",
            motion(project),
            word(terrain.unwrap_or("hills:0.2:4"))
        )
    }),
    line("retarget", StudioRoom::Motion, "Put the motion on another body", |project| {
        let target = word(project.motion.target.as_deref().unwrap_or("humanoid"));
        of_motion(project, |file| format!("andante retarget {file} --to {target} out.glb"))
    }),
    line("repertoire", StudioRoom::Motion, "Send this body to the stage", |project| {
        let own = project.motion.file.as_deref().map(path);
        format!("andante repertoire {} -o mine.repertoire", own.unwrap_or("built-in".into()))
    }),
    line("characters", StudioRoom::Creature, "Choose and shape a body", |project| {
        format!("andante characters {}", known_body(project).unwrap_or_default()).trim_end().into()
    }),
    line("modes", StudioRoom::Creature, "See the vibrations of a body", |project| {
        format!("andante modes {} --svg palette.svg", body(project))
    }),
    line("sketches", StudioRoom::Creature, "Choose, draw or edit a sketch", |project| {
        match known_sketch(project) {
            Some(name) => format!("andante sketches {}", word(name)),
            None => format!("andante sketches --random {}", project.seed),
        }
    }),
    line("gait", StudioRoom::Creature, "Search for a gait", gait),
    line("push", StudioRoom::Physics, "Push somebody who keeps the balance", |project| {
        push(project, "--impulse 25 --direction 0")
    }),
    elsewhere(
        "simulate",
        "A body that drops and that nobody drives: only from a command line",
        |project| format!("andante simulate {} -o drop.glb", body(project)),
    ),
    elsewhere("bench", "What things cost on this machine: only from a command line", |_| {
        "andante bench".into()
    }),
    elsewhere("batch", "Many commands at once, on many machines: only from a command line", |_| {
        "andante batch jobs.toml".into()
    }),
    elsewhere(
        "merge",
        "One file of what many machines have done: only from a command line",
        |_| "andante merge jobs.toml --csv all.csv".into(),
    ),
    elsewhere("completions", "Words that a shell completes: only from a command line", |_| {
        "andante completions bash".into()
    }),
    elsewhere("man", "Pages of a manual: only from a command line", |_| "andante man man1".into()),
];

/// A word as a shell takes it.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// A path as one would type it from where one is.
pub fn path(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    word(&path.strip_prefix(&here).unwrap_or(path).display().to_string())
}

/// The file of a project, where it is saved or where it would be.
fn own(project: &StudioProject, name: &str) -> String {
    project.folder.as_ref().map_or_else(|| name.to_owned(), |folder| path(&folder.join(name)))
}

fn scene(project: &StudioProject) -> String {
    let known = built_in_scenes().iter().find(|scene| scene.text == project.scene);
    known.map_or_else(|| own(project, "scene.toml"), |scene| scene.name.to_owned())
}

fn seed(project: &StudioProject) -> String {
    if project.seed == 1 { String::new() } else { format!(" --seed {}", project.seed) }
}

fn studio(project: &StudioProject) -> String {
    let folder = project.folder.as_deref().map(path);
    format!("andante studio {}", folder.unwrap_or_else(|| scene(project))).trim_end().to_owned()
}

/// Plays the scene and writes it to a folder.
pub fn run(project: &StudioProject, folder: &str) -> String {
    format!("andante run {}{} -o {}", scene(project), seed(project), word(folder))
}

fn built_in_clip(project: &StudioProject) -> String {
    if project.motion.file.is_some() { "walk".into() } else { project.motion.clip.clone() }
}

/// The motion, as those commands take it that know the built-in clips by name.
pub fn motion(project: &StudioProject) -> String {
    project.motion.file.as_deref().map_or_else(|| word(&project.motion.clip), path)
}

/// A command that takes files alone: a built-in clip is written first.
fn of_motion(project: &StudioProject, line: impl FnOnce(&str) -> String) -> String {
    match project.motion.file.as_deref() {
        Some(file) => line(&path(file)),
        None => {
            let clip = word(&project.motion.clip);
            format!("andante clips {clip} -o {clip}.bvh && {}", line(&format!("{clip}.bvh")))
        }
    }
}

/// The edits of the motion, as far as the command line knows them.
pub fn edit(project: &StudioProject) -> String {
    let words: Vec<String> = project.motion.edits.iter().filter_map(MotionEdit::word).collect();
    let words = if words.is_empty() { "OPERATION".to_owned() } else { words.join(" ") };
    of_motion(project, |file| format!("andante edit {file} out.bvh {words}"))
}

fn known_body(project: &StudioProject) -> Option<&'static str> {
    let mut known = andante_body::CREATURES.iter().map(|(name, _)| *name);
    known.find(|name| body_text(name).as_ref() == Some(&project.body))
}

fn body(project: &StudioProject) -> String {
    known_body(project).map_or_else(|| own(project, "body.toml"), word)
}

fn known_sketch(project: &StudioProject) -> Option<&'static str> {
    let mut known = andante_gait::SKETCHES.iter().map(|(name, _)| *name);
    known.find(|name| sketch_text(name).as_ref() == Some(&project.sketch))
}

/// The search for a gait.
pub fn gait(project: &StudioProject) -> String {
    let sketch = known_sketch(project).map_or_else(|| own(project, "sketch.toml"), word);
    format!("andante gait {sketch} --search --seed {}", project.seed)
}

/// Pushes against the body, if it is one that keeps its balance.
pub fn push(project: &StudioProject, how: &str) -> String {
    match body(project).as_str() {
        "humanoid" => format!("andante push {how}"),
        own => format!("andante push {own} {how}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands that the program itself has.
    fn commands() -> Vec<String> {
        let text = include_str!("../../andante/src/args.rs");
        let (_, list) = text.split_once("pub enum CliCommand {").unwrap();
        let (list, _) = list.split_once('}').unwrap();
        let names = list.lines().filter_map(|line| line.trim().split_once('('));
        names.map(|(name, _)| name.to_lowercase()).collect()
    }

    #[test]
    fn every_command_of_the_command_line_is_somewhere_in_the_studio() {
        let commands = commands();
        assert!(commands.len() > 15, "{commands:?}");
        let project = StudioProject::default();
        for name in &commands {
            let entry = COMMAND_LINES.iter().find(|entry| entry.name == name);
            let entry = entry.unwrap_or_else(|| panic!("{name} is not told"));
            assert!((entry.line)(&project).contains(&format!("andante {name}")), "{name}");
        }
        assert_eq!(commands.len(), COMMAND_LINES.len());
    }

    #[test]
    fn what_is_edited_is_named_by_its_file_and_odd_names_are_quoted() {
        let mut project = StudioProject::default();
        assert_eq!(gait(&project), "andante gait basic-run --search --seed 1");
        project.sketch.push_str("# mine\n");
        project.folder = Some("/tmp/my walk".into());
        assert_eq!(gait(&project), "andante gait '/tmp/my walk/sketch.toml' --search --seed 1");
        project.motion.file = Some("/tmp/it's.bvh".into());
        project.motion.edits = vec![MotionEdit::Mirror];
        assert_eq!(edit(&project), r"andante edit '/tmp/it'\''s.bvh' out.bvh mirror");
    }
}
