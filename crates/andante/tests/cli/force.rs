//! Earlier results are replaced; files of anybody else stay unless it is said that they may go.

use crate::{andante, text};
use std::path::Path;

/// A letter under a name that a command is about to write.
const LETTER: &str = "Dear Ann,\nthe walk on Sunday was lovely.\n";

/// The command, given in a folder with `motion.bvh`, the file it writes, and whether it is short.
const TABLE: [(&str, &str); 17] = [
    ("convert motion.bvh out.glb", "out.glb"),
    ("convert motion.bvh out.gltf", "out.gltf"),
    ("convert motion.bvh out.amc", "out.asf"),
    ("convert motion.bvh out.amc", "out.amc"),
    ("convert motion.bvh made/", "made/motion.glb"),
    ("edit motion.bvh out.bvh mirror", "out.bvh"),
    ("retarget motion.bvh --to humanoid out.bvh --save-map out.map", "out.map"),
    ("ground walk --terrain flat --distance 2 -o out.take", "out.take"),
    ("ground walk --terrain flat --distance 2 -o made", "made/report.html"),
    ("inspect motion.bvh --svg out.svg", "out.svg"),
    ("render motion.bvh -o out.png --width 80 --height 60", "out.png"),
    ("clips walk -o out.bvh", "out.bvh"),
    ("repertoire built-in -o out.repertoire", "out.repertoire"),
    ("run turns -o made", "made/metrics.json"),
    ("run turns -o made", "made/curves.csv"),
    ("gait kangaroo-hop --held 2 -o made", "made/gait.toml"),
    ("man made", "made/andante-run.1"),
];

fn give(folder: &Path, line: &str, more: &[&str]) -> (Option<i32>, String) {
    let output = andante().current_dir(folder).args(line.split(' ')).args(more).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn files_of_others_stay_unless_they_are_given_up() {
    for (line, file) in TABLE {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(andante_testdata::own("walk_metres.bvh"), folder.path().join("motion.bvh"))
            .unwrap();
        std::fs::create_dir(folder.path().join("made")).unwrap();
        let path = folder.path().join(file);
        std::fs::write(&path, LETTER).unwrap();
        let (code, said) = give(folder.path(), line, &[]);
        assert_eq!(code, Some(2), "{line}: {said}");
        assert!(
            said.contains("holds something else") && said.contains("--force"),
            "{line}: {said}"
        );
        assert!(said.contains(file), "{line}: {said}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), LETTER, "{line}");
        // What is there twice is there whole or not at all.
        let left: Vec<_> = std::fs::read_dir(folder.path().join("made")).unwrap().collect();
        assert!(left.len() <= 2 || line.starts_with("man"), "{line}: {left:?}");

        let (code, said) = give(folder.path(), line, &["--force"]);
        assert_eq!(code, Some(0), "{line}: {said}");
        let made = std::fs::read(&path).unwrap();
        assert!(made != LETTER.as_bytes(), "{line}");
        // The same again needs no force, and nothing that is empty does.
        for before in [&made[..], b""] {
            std::fs::write(&path, before).unwrap();
            let (code, said) = give(folder.path(), line, &[]);
            assert_eq!(code, Some(0), "{line}: {said}");
            assert!(std::fs::read(&path).unwrap() != b"", "{line}");
        }
    }
}

#[test]
fn force_gives_up_no_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.bvh");
    std::fs::copy(andante_testdata::own("walk_metres.bvh"), &path).unwrap();
    let before = std::fs::read(&path).unwrap();
    for line in ["convert motion.bvh motion.bvh", "edit motion.bvh motion.bvh mirror"] {
        let (code, said) = give(folder.path(), line, &["--force"]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("is read and would be overwritten"), "{said}");
        assert!(std::fs::read(&path).unwrap() == before);
    }
}

/// What an earlier run made goes with it; what has its name but was put there by somebody stays.
#[test]
fn a_letter_with_the_name_of_an_earlier_result_is_not_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("made");
    andante().args(["run", "crowd", "-o", text(&out)]).output().unwrap();
    let motions: Vec<_> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bvh"))
        .collect();
    assert!(motions.len() > 1, "{motions:?}");
    std::fs::write(&motions[0], LETTER).unwrap();
    andante().args(["run", "turns", "-o", text(&out)]).assert().code(0);
    assert_eq!(std::fs::read_to_string(&motions[0]).unwrap(), LETTER);
    assert!(!motions[1].exists() && out.join("take.bvh").exists());
}

/// Files that results of this kind have at times, and these have not, are no results because of their names.
#[test]
fn letters_called_like_earlier_results_stay() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made");
    std::fs::create_dir(&made).unwrap();
    let letter = made.join("gait.repertoire");
    std::fs::write(&letter, LETTER).unwrap();
    let line = "gait basic-run --search --minutes 0.02 -o made";
    give(folder.path(), line, &[]);
    assert_eq!(std::fs::read_to_string(&letter).unwrap(), LETTER);
}

/// A run that ends in a refusal is a run in vain.
#[test]
fn what_would_be_refused_in_the_end_is_refused_before_any_work() {
    for name in ["take.take", "take.glb", "take.bvh", "report.html"] {
        let folder = tempfile::tempdir().unwrap();
        let made = folder.path().join("made");
        std::fs::create_dir(&made).unwrap();
        std::fs::write(made.join(name), LETTER).unwrap();
        // Its scene would take longer than anybody waits.
        let scene = "version = 1\nname = \"long\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n\
            [[character]]\nname = \"ann\"\nstart = [0, 0]\n[[command]]\nwho = \"ann\"\nwait = 86000\n";
        std::fs::write(folder.path().join("long.toml"), scene).unwrap();
        let (code, said) = give(folder.path(), "run long.toml -o made", &[]);
        assert_eq!(code, Some(2), "{name}: {said}");
        assert!(said.contains("holds something else"), "{name}: {said}");
    }
}
