//! The real program, killed while somebody edits.

#![allow(clippy::unwrap_used, missing_docs)]

use andante_studio::StudioHome;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Boxes are put into the scene one after the other, and the program says how many there are. Killed at any moment, all of
/// them are there at the next start but the last one at most.
#[test]
fn a_killed_studio_has_kept_all_edits_but_the_last() {
    for kill in 0..6u32 {
        let folder = tempfile::tempdir().unwrap();
        let mut studio = Command::new(env!("CARGO_BIN_EXE_andante-studio"))
            .args(["--type", "b", "--room", "stage", "--seconds", "600"])
            .env("ANDANTE_STUDIO_HOME", folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(studio.stdout.take().unwrap()).lines();
        let mut told = 0;
        let enough = 3 + 2 * kill as usize;
        while told < enough {
            let line = said.next().unwrap().unwrap();
            told = line.split(' ').next().unwrap().parse().unwrap();
        }
        // Somewhere within the next edit.
        std::thread::sleep(std::time::Duration::from_micros(u64::from(kill * kill) * 700));
        studio.kill().unwrap();
        studio.wait().unwrap();
        let last: Vec<String> = said.map_while(Result::ok).collect();
        if let Some(line) = last.last() {
            told = line.split(' ').next().unwrap().parse().unwrap();
        }
        let kept = StudioHome::at(folder.path()).autosaved();
        let (project, _) = kept[0].as_ref().unwrap();
        let boxes = project.scene.matches("[[obstacle]]").count();
        assert!(boxes + 1 >= told && boxes <= told + 1, "{boxes} boxes of {told}");
        project.read_scene().unwrap();
    }
}
