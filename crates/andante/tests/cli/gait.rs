//! Gaits that are searched for: `gait` and `sketches`.

use crate::{andante, json, text};
use andante_gait::{FoundGait, GaitProblem, GaitSketch, ProblemOptions, Search, SearchOptions};
use serde_json::Value;
use std::sync::Arc;

/// A sketch moves before any search, and what it pushes is told.
#[test]
fn a_sketch_is_previewed_without_a_search() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hop.glb");
    let preview = andante()
        .args(["sketches", "kangaroo-hop", "--json", "--preview"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(preview.status.success(), "{}", String::from_utf8_lossy(&preview.stderr));
    let told: serde_json::Value = serde_json::from_slice(&preview.stdout).unwrap();
    assert_eq!(told["modes"].as_array().unwrap().len(), 4);
    assert!(told["modes"][0]["hz"].as_f64().unwrap() > 0.0);
    let asset = andante_formats::read_file(&file, &Default::default(), None).unwrap();
    let names: Vec<_> = asset.clips.iter().map(andante_skeleton::Clip::name).collect();
    assert_eq!(names, ["kangaroo-hop without gravity", "kangaroo-hop with gravity"]);
    for clip in &asset.clips {
        assert!(f64::from(clip.duration()) > 0.9 * told["seconds"].as_f64().unwrap());
    }
    // What has weight comes down, and stays on the ground.
    let lowest = |clip: &andante_skeleton::Clip| {
        let height = |frame: usize| clip.frame(frame)[0].translation.y;
        (0..clip.frame_count()).map(height).fold(f32::INFINITY, f32::min)
    };
    assert!(lowest(&asset.clips[1]) < lowest(&asset.clips[0]) - 0.01);
    assert!(lowest(&asset.clips[1]) > -0.2);
    // The same numbers without a file, and nothing is written.
    let numbers = json(&["sketches", "kangaroo-hop", "--preview"], 0);
    assert_eq!((&numbers["modes"], &numbers["style"]), (&told["modes"], &told["style"]));
    assert!(numbers["style"]["sway_m"].is_number() && numbers["written"].is_null());
    andante().args(["sketches", "--preview"]).assert().code(2);
}

#[test]
fn sketches_are_listed_and_printed() {
    let text = String::from_utf8(andante().arg("sketches").output().unwrap().stdout).unwrap();
    assert!(text.contains("basic-run") && text.contains("kangaroo-hop"), "{text}");
    let file = andante().args(["sketches", "basic-run"]).output().unwrap();
    assert!(String::from_utf8(file.stdout).unwrap().starts_with("version = 1"));
    andante().args(["sketches", "moonwalk"]).assert().code(2);
}

/// Whatever is drawn is a sketch file, the same for the same seed.
#[test]
fn sketches_are_drawn_at_random() {
    let drawn = |args: &[&str]| {
        let output = andante().args(["sketches", "--random"]).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let human = drawn(&["7"]);
    assert_eq!(human, drawn(&["7"]));
    assert_ne!(human, drawn(&["8"]));
    let sketch = andante_gait::read_sketch(&human).unwrap();
    assert_eq!((sketch.character.as_str(), sketch.mirrored), ("humanoid", true));
    assert_eq!(sketch.steps[0].ground.priority.len(), 4);
    let kangaroo = andante_gait::read_sketch(&drawn(&["7", "--character", "kangaroo"])).unwrap();
    assert_eq!(kangaroo.steps[0].feet, ["foot"]);
    andante().args(["sketches", "--random", "7", "--character", "unicorn"]).assert().code(2);
    andante().args(["sketches", "--random", "7", "basic-run"]).assert().code(2);
    andante().args(["sketches", "--character", "dog"]).assert().code(2);
}

/// Whoever has four legs is sketched a walk that can be searched for; whoever has two is told why not.
#[test]
fn walks_are_sketched_for_a_build() {
    let sketched = |character: &[&str]| {
        let output = andante().args(["sketches", "--walk"]).args(character).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{character:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let dog = sketched(&["--character", "dog"]);
    let sketch = andante_gait::read_sketch(&dog).unwrap();
    assert_eq!((sketch.name.as_str(), sketch.steps.len()), ("dog-plain-walk", 2));
    assert_eq!(andante_gait::read_sketch(&sketched(&[])).unwrap().character, "horse");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dog-walk.toml");
    std::fs::write(&file, dog).unwrap();
    let mut search = andante();
    search.arg("gait").arg(&file).args(["--minutes", "0.0001", "--json", "-o"]).arg(folder.path());
    let output = search.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["evaluations"].as_u64().unwrap() > 0, "{report}");
    let refused =
        andante().args(["sketches", "--walk", "--character", "ostrich"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(words.contains("a walk takes four or more"), "{words}");
    // A body of one's own, and a sketch that is kept in another place.
    let body = folder.path().join("own.toml");
    let text = andante_body::CREATURES.iter().find(|(name, _)| *name == "dog").unwrap().1;
    std::fs::write(&body, text).unwrap();
    let mut own = andante();
    own.current_dir(folder.path()).args(["sketches", "--walk", "--character", "own.toml"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("walk.toml");
    std::fs::write(&file, own.output().unwrap().stdout).unwrap();
    let error = andante_gait::read_sketch_file(&file, &Default::default()).unwrap_err();
    assert!(error.message.contains("the folder"));
    let limits = andante_formats::ReadLimits { outside: true, ..Default::default() };
    let sketch = andante_gait::read_sketch_file(&file, &limits).unwrap();
    assert!(andante_body::read_body_file(std::path::Path::new(&sketch.character)).is_ok());
    andante().args(["sketches", "--walk", "--random", "7"]).assert().code(2);
    andante().args(["sketches", "--walk", "dog-trot"]).assert().code(2);
}

/// A search that is given next to no time keeps its best, says what is wrong with it, and can be gone on with.
#[test]
fn a_search_cut_short_keeps_its_best_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let gait = |more: &[&str]| {
        let mut command = andante();
        command.args(["gait", "kangaroo-hop", "--json", "--minutes", "0.0001", "--threads", "1"]);
        command.args(["--search", "--step", "5", "-o"]).arg(folder.path()).args(more);
        command.output().unwrap()
    };
    andante().args(["gait", "moonwalk"]).assert().code(2);
    assert_eq!(gait(&["--resume"]).status.code(), Some(2), "there is nothing to resume yet");
    let first = gait(&[]);
    assert_eq!(first.status.code(), Some(1));
    let first: Value = serde_json::from_slice(&first.stdout).unwrap();
    for field in [
        "converged",
        "speed_mps",
        "energy",
        "cost_of_transport",
        "residual_max",
        "evaluations",
        "seconds",
        "cycles_survived",
    ] {
        assert!(!first[field].is_null(), "{field}");
    }
    assert_eq!(first["converged"], false);
    assert!(!first["violated"].as_array().unwrap().is_empty());
    for name in ["gait.toml", "gait.glb", "gait.bvh", "gait.svg", "search.bin"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let second: Value = serde_json::from_slice(&gait(&["--resume"]).stdout).unwrap();
    assert!(second["evaluations"].as_u64() > first["evaluations"].as_u64());
    std::fs::write(folder.path().join("search.bin"), "ANDGAIT\n").unwrap();
    let broken = gait(&["--resume"]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(String::from_utf8(broken.stderr).unwrap().contains("copied incompletely"));
}

/// A gait that was found before is played at once, and goes on for a hundred cycles held by feedback.
#[test]
fn a_gait_found_before_plays_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        andante().args(["gait", "basic-run", "--json", "-o"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let gait: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(gait["converged"], true);
    assert!(
        gait["speed_mps"].as_f64().unwrap() >= 2.0 && gait["residual_max"].as_f64().unwrap() < 1.0
    );
    assert!(gait["aerial_fraction"].as_f64().unwrap() > 0.0);
    assert_eq!(gait["cycles_with_feedback"], 100.0);
    assert!(gait["made_by"].as_str().unwrap().contains("--seed"));
    for name in ["gait.toml", "gait.glb", "gait.bvh", "gait.svg", "gait.repertoire"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    for words in ["cost of transport", "Energy and power", "Feet on the ground", "with priority"] {
        assert!(page.contains(words), "{words}");
    }
}

/// A gait that was found before is led round a curve in seconds.
#[test]
fn a_gait_is_led_round_a_curve() {
    let folder = tempfile::tempdir().unwrap();
    let output = andante()
        .args(["gait", "kangaroo-hop", "--turn", "3", "--json", "-o"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let gait: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(gait["converged"], true);
    assert!((gait["turn_dps"].as_f64().unwrap() - 3.0).abs() < 1e-9);
    assert_eq!(gait["cycles_with_feedback"], 100.0);
    assert!(gait["made_by"].as_str().unwrap().ends_with("--turn 3"));
    let file = std::fs::read_to_string(folder.path().join("gait.toml")).unwrap();
    assert!((FoundGait::from_toml(&file).unwrap().turn - 3.0).abs() < 1e-9);
    andante().args(["gait", "kangaroo-hop", "--turn", "400"]).assert().code(2);
}

/// Every number that was measured of a gait, as told.
fn told(output: &std::process::Output) -> Value {
    let told = serde_json::from_slice(&output.stdout);
    assert!(told.is_ok(), "{}", String::from_utf8_lossy(&output.stderr));
    told.unwrap()
}

/// A result of one's own plays again from its folder alone: sketch and body are in it. What it says of itself is not believed.
#[test]
fn a_result_of_ones_own_plays_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let play = |from: &str, to: &str| {
        let mut command = andante();
        command.args(["gait", "--json", "--alone", "3", "--held", "20"]);
        command.arg(path(from)).arg("-o").arg(path(to)).output().unwrap()
    };
    let led = andante()
        .args(["gait", "kangaroo-hop", "--turn", "3", "--json", "-o"])
        .arg(path("led"))
        .output()
        .unwrap();
    let again = play("led/gait.toml", "again");
    let (led, told_again) = (told(&led), told(&again));
    assert_eq!(again.status.code(), Some(0), "{told_again}");
    for field in ["speed_mps", "turn_dps", "cost_of_transport", "residual_max"] {
        // Angles are degrees in files.
        let [led, again] = [&led, &told_again].map(|told| told[field].as_f64().unwrap());
        assert!((led - again).abs() < 1e-9 * led.abs(), "{field}: {led}, {again}");
    }
    assert_eq!(led["sketch"], told_again["sketch"]);
    // Of a sketch and a body of one's own, before it is any good.
    let body = andante_body::creature("kangaroo").unwrap();
    std::fs::write(path("hopper.toml"), andante_body::write_body(&body)).unwrap();
    let mut sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
    (sketch.name, sketch.character) = ("mine".into(), "hopper.toml".into());
    std::fs::write(path("mine.toml"), sketch.to_toml()).unwrap();
    let search = andante()
        .args(["gait", "--json", "--minutes", "0.0001", "--threads", "1", "-o"])
        .arg(path("own"))
        .arg(path("mine.toml"))
        .output()
        .unwrap();
    assert_eq!(search.status.code(), Some(1));
    std::fs::remove_file(path("hopper.toml")).unwrap();
    let file = std::fs::read_to_string(path("own/gait.toml")).unwrap();
    assert!(file.contains("valid = false"));
    std::fs::write(path("own/gait.toml"), file.replace("valid = false", "valid = true")).unwrap();
    let again = play("own/gait.toml", "own-again");
    assert_eq!(again.status.code(), Some(1), "it is as bad as it was");
    let (own, again) = (told(&search), told(&again));
    for field in ["speed_mps", "cost_of_transport", "residual_max"] {
        let [own, again] = [&own, &again].map(|told| told[field].as_f64().unwrap());
        assert!((own - again).abs() < 1e-3 * own.abs(), "{field}: {own}, {again}");
    }
    assert_eq!(
        own["violated"].as_array().unwrap().len(),
        again["violated"].as_array().unwrap().len()
    );
}

/// A character file without springs and torques is searched for as long as it says, and nothing explodes.
#[test]
fn a_body_without_torques_is_searched_for_as_long_as_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (index, bare) in [&["torque"][..], &["torque", "stiffness", "damping"]].iter().enumerate() {
        let body = andante_body::write_body(&andante_body::creature("kangaroo").unwrap());
        let given = |line: &&str| !bare.iter().any(|key| line.starts_with(key));
        let body: Vec<&str> = body.lines().filter(given).collect();
        std::fs::write(path("bare.toml"), body.join("\n")).unwrap();
        let mut sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
        sketch.character = "bare.toml".into();
        std::fs::write(path("hop.toml"), sketch.to_toml()).unwrap();
        let search = andante()
            .args(["gait", "--json", "--minutes", "0.01", "--threads", "1", "--search", "-o"])
            .arg(path(&format!("out{index}")))
            .arg(path("hop.toml"))
            .output()
            .unwrap();
        let told = told(&search);
        assert_eq!(search.status.code(), Some(1), "{told}");
        assert!(told["evaluations"].as_u64().unwrap() > 0, "{told}");
        let speed = told["speed_mps"].as_f64().unwrap();
        assert!(speed.abs() < 20.0 && speed != 0.0, "{told}");
        assert!(!told["violated"].to_string().contains("explodes"), "{told}");
    }
}

/// What feedback holds is filmed, with the forces of the ground: over whole cycles they carry the weight.
#[test]
fn a_held_gait_is_filmed_with_the_forces_of_the_ground() {
    let folder = tempfile::tempdir().unwrap();
    let output = andante()
        .args(["gait", "hexapod-tripod", "--json", "--film", "6", "--held", "6", "-o"])
        .arg(folder.path())
        .output()
        .unwrap();
    let told = told(&output);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert_eq!(told["held"], true, "{told}");
    let take = andante_take::TakeFile::open(&folder.path().join("held/held.take"))
        .unwrap()
        .load()
        .unwrap();
    let track = &take.tracks[0];
    let body = andante_body::creature("insect").unwrap();
    let seconds = 6.0 * told["period_s"].as_f64().unwrap();
    let forces = track.vectors.iter().filter(|vector| vector.name.starts_with("ground force of"));
    let frames = track.vectors[0].values.len() as f64;
    assert!((frames / 60.0 - seconds).abs() < 0.05, "{frames} frames, {seconds} s");
    let carried: f64 = forces.flat_map(|force| &force.values).map(|force| f64::from(force.y)).sum();
    let weight = 9.80665 * body.total_mass();
    assert!((carried / frames / weight - 1.0).abs() < 0.1, "{} of {weight}", carried / frames);
    assert!(folder.path().join("held/held.glb").exists());
}

/// An older film goes with the gait it was of; what somebody else has put beside it stays, and so does a folder that is
/// called like it and holds no film.
#[test]
fn a_film_that_goes_takes_nothing_of_anybody_else_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let held = folder.path().join("held");
    let gait = |more: &[&str]| {
        let mut command = andante();
        command.args(["gait", "hexapod-tripod", "--quiet", "--held", "2"]).args(more).arg("-o");
        command.arg(folder.path()).assert().success();
    };
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&held)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    std::fs::create_dir_all(held.join("deep")).unwrap();
    std::fs::write(held.join("deep/notes.txt"), "mine").unwrap();
    std::fs::write(held.join("held.take"), "a take is what I call this").unwrap();
    gait(&[]);
    assert_eq!(names(), ["deep", "held.take"]);
    std::fs::remove_file(held.join("held.take")).unwrap();
    gait(&["--film", "2"]);
    std::fs::write(held.join("mine.bvh"), "mine").unwrap();
    assert_eq!(
        names(),
        ["curves.csv", "deep", "held.bvh", "held.glb", "held.take", "mine.bvh", "report.html"]
    );
    gait(&[]);
    assert_eq!(names(), ["deep", "mine.bvh"]);
    assert_eq!(std::fs::read_to_string(held.join("deep/notes.txt")).unwrap(), "mine");
    std::fs::remove_dir_all(&held).unwrap();
    gait(&["--film", "2"]);
    assert!(held.join("held.take").exists());
    gait(&[]);
    assert!(!held.exists());
}

/// Several sketches are worked on one after the other; a name that is not known is told before the first.
#[test]
fn gaits_queue() {
    let folder = tempfile::tempdir().unwrap();
    let gaits = |names: &[&str]| {
        let mut command = andante();
        command.arg("gait").args(names).args(["--json", "-o"]).arg(folder.path());
        command.output().unwrap()
    };
    let misspelt = gaits(&["yaw-run", "moonwalk"]);
    assert_eq!(misspelt.status.code(), Some(2));
    assert!(!folder.path().join("yaw-run").exists());
    let output = gaits(&["yaw-run", "kangaroo-hop"]);
    assert_eq!(output.status.code(), Some(0));
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (index, name) in ["yaw-run", "kangaroo-hop"].iter().enumerate() {
        assert_eq!(list[index]["sketch"], *name);
        assert!(folder.path().join(name).join("report.html").exists());
    }
    andante().args(["gait", "yaw-run", "--speed", "0"]).assert().code(2);
}

/// A search that is killed goes on from its last checkpoint as if nothing had happened.
#[test]
fn a_search_killed_goes_on_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let search = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_andante"));
        command.args(["gait", "one-foot-hop", "--search", "--step", "10", "--seed", "3", "--json"]);
        command.arg("-o").arg(folder.path()).args(more);
        command.stdout(std::process::Stdio::piped());
        command
    };
    let mut child = search(&["--threads", "1"]).spawn().unwrap();
    // As soon as there is something to go on from.
    while !folder.path().join("search.bin").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // One more step, on two threads this time.
    let output =
        search(&["--resume", "--minutes", "0.0000001", "--threads", "2"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = std::fs::read_to_string(folder.path().join("gait.toml")).unwrap();
    let resumed = FoundGait { made_by: String::new(), ..FoundGait::from_toml(&text).unwrap() };

    let sketch = GaitSketch::built_in("one-foot-hop").unwrap();
    let body = andante_body::creature(&sketch.character).unwrap();
    let options = ProblemOptions::default().with_step(1e-3 * 10.0);
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &options).unwrap());
    let options = SearchOptions { seed: 3, ..SearchOptions::default() };
    let mut whole = Search::new(Arc::clone(&problem), &options, 1).unwrap();
    while whole.evaluations() < report["evaluations"].as_u64().unwrap() {
        whole.step();
    }
    assert_eq!(Some(whole.evaluations()), report["evaluations"].as_u64());
    assert_eq!(resumed, FoundGait::new(&problem, whole.best().unwrap()));
}

/// Ctrl-C ends a search and keeps its best.
#[cfg(unix)]
#[test]
fn a_search_interrupted_keeps_its_best() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_andante"))
        .args([
            "gait",
            "one-foot-hop",
            "--search",
            "--step",
            "10",
            "--threads",
            "1",
            "--quiet",
            "-o",
        ])
        .arg(folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path().join("search.bin").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1), "no valid gait yet");
    for name in ["gait.toml", "gait.glb", "search.bin"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
}

/// A folder with the files of a gait that was found before, and a scene in which its creature is sent somewhere.
fn creature_in_a_scene(gait: &str, ground: &str, goal: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    andante().args(["gait", gait, "--quiet", "-o"]).arg(folder.path()).assert().success();
    let scene = format!(
        "version = 1\nname = \"outing\"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 15], [-9, 15]]\n{ground}\n\
         [[character]]\nname = \"creature\"\nrepertoire = \"gait.repertoire\"\nstart = {{ at = [0, 0], heading = 0 }}\n\
         goal = {goal}\n"
    );
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    folder
}

/// Plays the scene; what is measured of it.
fn run(folder: &tempfile::TempDir) -> Value {
    let mut command = andante();
    command.arg("run").arg(folder.path().join("scene.toml")).args(["--json", "-o"]);
    let output = command.arg(folder.path().join("out")).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    // A gait that was found may be unlike that of people; it is told then, and not called reached.
    let violations = report["violations"].as_array().unwrap();
    assert!(violations.iter().all(|found| found["severity"] == "unnatural"), "{report}");
    assert!(report["goal_error_m"].as_f64().unwrap() < 0.01, "{report}");
    assert_eq!(report["reached"] == true, violations.is_empty(), "{report}");
    assert_eq!(output.status.code(), Some(i32::from(!violations.is_empty())), "{report}");
    report
}

/// Goals that are not straight ahead, on one foot, four paws and two legs.
#[test]
fn creatures_go_where_they_are_sent_with_the_gaits_that_were_found() {
    for (gait, goal) in [
        ("kangaroo-hop", "{ at = [5, 8], heading = 90 }"),
        ("kangaroo-hop", "{ at = [-1, -6] }"),
        ("dog-trot", "{ at = [5, 8], heading = 90 }"),
        ("basic-run", "{ at = [5, 8], heading = 90 }"),
    ] {
        let folder = creature_in_a_scene(gait, "", goal);
        let report = run(&folder);
        let number = |name: &str| report["metrics"][name].as_f64().unwrap();
        assert!(report["reached"] == true || gait == "basic-run", "{gait}: {report}");
        assert!(number("foot_slide_mm_mean") < 1.0, "{gait}: {report}");
        assert!(number("penetration_mm_max") < 10.0, "{gait}: {report}");
    }
}

/// Nobody knows how to hold a creature up by forces; it is said and not passed over.
#[test]
fn a_creature_that_is_to_be_physical_is_refused_with_the_reason() {
    for gait in ["kangaroo-hop", "dog-trot", "basic-run"] {
        let folder = creature_in_a_scene(gait, "", "{ at = [0, 3] }");
        let scene = folder.path().join("scene.toml");
        let plain = std::fs::read_to_string(&scene).unwrap();
        for body in ["physical", "physical_when_touched"] {
            let name = "name = \"creature\"\n";
            assert!(plain.contains(name), "{plain}");
            let text = plain.replace(name, &format!("{name}body = \"{body}\"\n"));
            std::fs::write(&scene, text).unwrap();
            let output = andante().arg("run").arg(&scene).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{gait}: {said}");
            assert!(said.contains("a physical character needs two"), "{gait}: {said}");
        }
    }
}

#[test]
fn a_kangaroo_hops_over_hills_to_its_goal() {
    let folder =
        creature_in_a_scene("kangaroo-hop", "terrain = \"hills:0.2:3\"", "{ at = [3, 9] }");
    let report = run(&folder);
    let number = |name: &str| report["metrics"][name].as_f64().unwrap();
    assert_eq!(report["reached"], true, "{report}");
    assert!(number("foot_slide_mm_mean") < 1.0, "{report}");
    assert!(number("penetration_mm_max") < 10.0, "{report}");
}

/// The motion of a hop over some ground in a scene with these settings.
fn hopped(folder: &tempfile::TempDir, settings: &str) -> Vec<u8> {
    let scene = folder.path().join("scene.toml");
    let plain = std::fs::read_to_string(&scene).unwrap();
    std::fs::write(&scene, format!("{plain}{settings}")).unwrap();
    run(folder);
    std::fs::write(&scene, plain).unwrap();
    std::fs::read(folder.path().join("out/take.bvh")).unwrap()
}

#[test]
fn the_settings_of_a_scene_reach_the_flights_of_its_creatures() {
    let grounding = "[settings.grounding.stride]\nlooked_at = 1.4\n";
    let goal = "{ at = [3, 9] }";
    let hills = creature_in_a_scene("kangaroo-hop", "terrain = \"hills:0.2:3\"", goal);
    let usual = hopped(&hills, "");
    assert!(hopped(&hills, "") == usual, "it is the same each time");
    for settings in [
        "[settings.player]\nrelease = 0.2\n",
        "[settings.feet.swing]\nclearance = 0.0\nturn_speed = 3.5\n",
        grounding,
    ] {
        assert!(hopped(&hills, settings) != usual, "{settings}");
    }
    let level = creature_in_a_scene("kangaroo-hop", "", goal);
    assert!(hopped(&level, grounding) == hopped(&level, ""), "nothing is put on level ground");
}

/// From motion alone where contacts are plain to see, and from the repertoire, which knows them.
#[test]
fn found_gaits_are_put_on_hills() {
    for (gait, file) in [
        ("kangaroo-hop", "gait.bvh"),
        ("kangaroo-hop", "gait.repertoire"),
        ("dog-trot", "gait.repertoire"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        andante().args(["gait", gait, "--quiet", "-o"]).arg(folder.path()).assert().success();
        let file = folder.path().join(file);
        let mut command = andante();
        command.arg("ground").arg(&file).args(["--terrain", "hills:0.2:3", "--json", "-o"]);
        let output = command.arg(folder.path().join("hills.glb")).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{gait}: {words}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let number = |name: &str| report["metrics"][name].as_f64().unwrap();
        assert!(number("foot_slide_mm_mean") < 1.0, "{gait}: {report}");
    }
}

/// After a second there is a picture of the best so far, and a page that keeps up with it.
#[test]
fn a_search_can_be_watched() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = andante();
    command.args(["gait", "kangaroo-hop", "--search", "--json", "--minutes", "0.05"]);
    command.args(["--threads", "1", "--step", "5", "-o"]).arg(folder.path());
    let report: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let picture = folder.path().join("search.svg");
    let files = report["files"].as_array().unwrap();
    assert!(files.iter().any(|file| *file == picture.display().to_string()), "{files:?}");
    let text = std::fs::read_to_string(picture).unwrap();
    assert!(text.contains("kangaroo-hop: the best of ") && text.contains("one cycle"));
    let page = std::fs::read_to_string(folder.path().join("search.html")).unwrap();
    assert!(page.contains("refresh") && page.contains("search.svg"));
}

/// `plan` knew nothing of how a creature bends, and refused bars that `run` went under.
#[test]
fn a_creature_under_a_bar_is_planned_as_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    andante().args(["gait", "kangaroo-hop", "-o", text(folder.path())]).assert().code(0);
    for (height, is_passed) in [(1.1, false), (1.21, true), (1.31, true), (1.45, true)] {
        let scene = format!(
            "version = 1\nname = \"bar\"\n[[platform]]\noutline = [[-6, -4], [6, -4], [6, 16], [-6, 16]]\n\
             [[obstacle]]\nname = \"bar\"\nat = [0, {height}, 4]\nbox = [12, 0.2, 0.2]\n\
             [[character]]\nname = \"skip\"\nrepertoire = \"gait.repertoire\"\nstart = {{ at = [0, 0], heading = 0 }}\ngoal = {{ at = [0, 12] }}\n"
        );
        let file = folder.path().join("bar.toml");
        std::fs::write(&file, scene).unwrap();
        let out = folder.path().join("out");
        for arguments in [&["plan", text(&file)][..], &["run", text(&file), "-o", text(&out)]] {
            let report = json(arguments, i32::from(!is_passed));
            assert_eq!(report["reached"], is_passed, "{height} m: {arguments:?}");
        }
    }
}
