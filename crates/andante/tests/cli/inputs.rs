//! No command writes over what it reads, wherever that is named.

use crate::{andante, text};
use std::path::Path;

const YARD: &str =
    "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[0, 0], [8, 0], [8, 8], [0, 8]]\n";
const ANN: &str =
    "[[character]]\nname = \"ann\"\nstart = { at = [1, 1] }\ngoal = { at = [3, 3] }\n";

/// What is done in a folder that has `motion.bvh`, `body.glb`, `built.repertoire`, `box.obj` and `hop.toml`: what is copied to
/// another name first, a scene that is written, the command, and what must not change.
struct Overwriting {
    copies: &'static [[&'static str; 2]],
    scene: Option<(&'static str, String)>,
    arguments: &'static [&'static str],
    kept: &'static str,
}

fn table() -> Vec<Overwriting> {
    let scene = |rest: &str| Some(("scene.toml", format!("{YARD}{rest}")));
    let with = |line: &str| scene(&format!("{ANN}{line}\n"));
    let gate =
        format!("{ANN}[[obstacle]]\nname = \"gate\"\nat = [6, 0, 6]\nmesh = \"take.take\"\n");
    let run: &'static [&'static str] = &["run", "scene.toml", "-o", "."];
    let of = |copies, scene, arguments, kept| Overwriting { copies, scene, arguments, kept };
    vec![
        // Named in a scene: a character, a repertoire, a mesh.
        of(&[["body.glb", "take.glb"]], with("character = \"take.glb\""), run, "take.glb"),
        of(&[["motion.bvh", "take.bvh"]], with("character = \"take.bvh\""), run, "take.bvh"),
        of(
            &[["built.repertoire", "curves.csv"]],
            with("repertoire = \"curves.csv\""),
            run,
            "curves.csv",
        ),
        of(
            &[["box.obj", "take.obj"]],
            Some(("scene.toml", YARD.to_owned() + &gate.replace("take.take", "take.obj"))),
            &["run", "scene.toml", "-o", "take.obj"],
            "take.obj",
        ),
        // The scene itself.
        of(
            &[],
            Some(("metrics.json", format!("{YARD}{ANN}"))),
            &["run", "metrics.json", "-o", "."],
            "metrics.json",
        ),
        of(
            &[],
            Some(("scene.svg", format!("{YARD}{ANN}"))),
            &["plan", "scene.svg", "--svg", "scene.svg"],
            "scene.svg",
        ),
        of(
            &[["body.glb", "body.svg.glb"]],
            Some(("scene.svg", format!("{YARD}{ANN}character = \"body.svg.glb\"\n"))),
            &["plan", "scene.svg", "--svg", "scene.svg"],
            "scene.svg",
        ),
        of(
            &[["body.glb", "take.glb"]],
            None,
            &["run", "turns", "--character", "take.glb", "-o", "."],
            "take.glb",
        ),
        // A sketch.
        of(&[["hop.toml", "gait.toml"]], None, &["gait", "gait.toml", "-o", "."], "gait.toml"),
        // Motions.
        of(&[], None, &["convert", "motion.bvh", "motion.bvh"], "motion.bvh"),
        of(&[], None, &["edit", "motion.bvh", "motion.bvh", "mirror"], "motion.bvh"),
        of(
            &[["motion.bvh", "other.bvh"]],
            None,
            &["edit", "motion.bvh", "other.bvh", "append=other.bvh"],
            "other.bvh",
        ),
        of(&[], None, &["retarget", "motion.bvh", "--to", "body.glb", "body.glb"], "body.glb"),
        of(
            &[],
            None,
            &["ground", "motion.bvh", "--terrain", "flat", "-o", "motion.bvh"],
            "motion.bvh",
        ),
        of(
            &[["motion.bvh", "take.bvh"]],
            None,
            &["ground", "take.bvh", "--terrain", "flat", "-o", "."],
            "take.bvh",
        ),
        of(
            &[],
            None,
            &["repertoire", "built.repertoire", "-o", "built.repertoire"],
            "built.repertoire",
        ),
        // Bodies.
        of(&[], None, &["modes", "dog.toml", "--svg", "dog.toml.svg"], "dog.toml"),
        of(&[["dog.toml", "dog.svg"]], None, &["modes", "dog.svg", "--svg", "dog.svg"], "dog.svg"),
        of(
            &[["dog.toml", "dog.take"]],
            None,
            &["simulate", "dog.take", "--seconds", "0.1", "-o", "dog.take"],
            "dog.take",
        ),
    ]
}

fn files(folder: &Path) {
    let copy = |from: std::path::PathBuf, to: &str| std::fs::copy(from, folder.join(to)).unwrap();
    copy(andante_testdata::own("walk_metres.bvh"), "motion.bvh");
    copy(andante_testdata::own("walker.glb"), "body.glb");
    let cube = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
    std::fs::write(folder.join("box.obj"), cube).unwrap();
    let printed = |arguments: &[&str]| andante().args(arguments).output().unwrap().stdout;
    std::fs::write(folder.join("hop.toml"), printed(&["sketches", "kangaroo-hop"])).unwrap();
    let creatures = concat!(env!("CARGO_MANIFEST_DIR"), "/../andante-body/creatures");
    copy(Path::new(creatures).join("dog.toml"), "dog.toml");
    let built = folder.join("built.repertoire");
    andante().args(["repertoire", "built-in", "-o", text(&built)]).assert().code(0);
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let made = tempfile::tempdir().unwrap();
    files(made.path());
    let mut refused = 0;
    for Overwriting { copies, scene, arguments, kept } in table() {
        let folder = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(made.path()).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
        for [from, to] in copies {
            std::fs::copy(folder.path().join(from), folder.path().join(to)).unwrap();
        }
        if let Some((name, words)) = scene {
            std::fs::write(folder.path().join(name), words).unwrap();
        }
        let before = std::fs::read(folder.path().join(kept)).unwrap();
        let output = andante().current_dir(&folder).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Whatever it did, what was read is as it was.
        let after = std::fs::read(folder.path().join(kept)).unwrap();
        assert!(after == before, "{arguments:?} has changed {kept}: {said}");
        if said.contains("overwritten") {
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
            refused += 1;
        }
    }
    // The others fail for reasons of their own, or write elsewhere.
    assert!(refused >= 15, "{refused} refused");
}

/// Results of an earlier run are no inputs: the same command may be given twice.
#[test]
fn earlier_results_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.toml"), format!("{YARD}{ANN}")).unwrap();
    for _ in 0..2 {
        let run = ["run", "scene.toml", "-o", "out"];
        andante().current_dir(&folder).args(run).assert().code(0);
        let ground = ["ground", "walk", "--terrain", "flat", "--distance", "2", "-o", "ground"];
        andante().current_dir(&folder).args(ground).assert().code(0);
    }
}
