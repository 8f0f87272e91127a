//! Sets of results: whole or not at all, the same every time, and where they belong.

use crate::{andante, json, text};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// All files of a folder with their content; nothing if there is no folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return BTreeMap::new() };
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    };
    entries.map(file).collect()
}

fn yard(name: &str, goal: &str) -> String {
    format!(
        "version = 1\nname = \"{name}\"\n[[platform]]\noutline = [[0, 0], [8, 0], [8, 8], [0, 8]]\n\
         [[character]]\nname = \"ann\"\nstart = {{ at = [1, 1] }}\n\
         [[command]]\nwho = \"ann\"\nwalk_to = {goal}\n"
    )
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let twice = |arguments: &[&str]| {
        let made = ["first", "second"].map(|name| {
            let folder = directory.path().join(name);
            andante().args(arguments).args(["-o", text(&folder)]).assert().code(0);
            files(&folder)
        });
        assert!(made[0].len() > 4, "{arguments:?}: {:?}", made[0].keys());
        for (name, bytes) in &made[0] {
            assert!(made[1].get(name) == Some(bytes), "{arguments:?}: {name} differs");
        }
        assert_eq!(made[0].len(), made[1].len());
    };
    twice(&["run", "pushes"]);
    twice(&["push", "--impulse", "20", "--trials", "1"]);
    twice(&["simulate", "dog", "--seconds", "1"]);
    twice(&["gait", "kangaroo-hop", "--held", "2"]);
    twice(&["ground", "walk", "--terrain", "hills:0.2:3", "--distance", "3"]);
}

/// A folder was promised and nothing was there, with code 0.
#[test]
fn a_folder_called_as_a_file_is_refused_and_one_that_is_there_is_filled() {
    let directory = tempfile::tempdir().unwrap();
    let scene = directory.path().join("yard.toml");
    std::fs::write(&scene, yard("yard", "[3, 3]")).unwrap();
    for name in ["new.glb", "new.bvh", "new.take", "new.gltf", "new.svg", "new.json"] {
        let folder = directory.path().join(name);
        for command in [vec!["run", text(&scene)], vec!["demo"], vec!["gait", "kangaroo-hop"]] {
            let said = andante().args(&command).args(["-o", text(&folder)]).assert().code(2);
            let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
            assert!(said.contains("into a folder"), "{command:?} {name}: {said}");
            assert!(!folder.exists());
        }
        std::fs::create_dir(&folder).unwrap();
        andante().args(["run", text(&scene), "-o", text(&folder)]).assert().code(0);
        assert!(
            files(&folder).contains_key("take.glb") && files(&folder).contains_key("take.take")
        );
    }
}

/// Something the program makes in `results`, of either of two inputs, and whether its files belong together.
struct KilledWork {
    arguments: [Vec<String>; 2],
    together: bool,
}

/// Kills the program at any moment of its work: what is there is what was there before, or what it makes, and nothing
/// between. `ANDANTE_KILLS=500` tries more often.
#[test]
fn a_killed_program_leaves_the_old_results_or_the_new_ones() {
    let kills = std::env::var("ANDANTE_KILLS").ok().and_then(|kills| kills.parse().ok());
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| text(&directory.path().join(name)).to_owned();
    for (folder, goal, speeds) in
        [("near", "[1, 3]", ["0.9", "1.2"]), ("far", "[3, 2]", ["1.5", "2.9"])]
    {
        std::fs::create_dir(at(folder)).unwrap();
        std::fs::write(at(&format!("{folder}/yard.toml")), yard("yard", goal)).unwrap();
        for (name, speed) in ["one", "two"].iter().zip(speeds) {
            let file = at(&format!("{folder}/{name}.bvh"));
            andante().args(["clips", "--speed", speed, "-o", &file]).assert().code(0);
        }
    }
    let results = at("results");
    let work = |together: bool, words: &dyn Fn(&str) -> Vec<String>| KilledWork {
        arguments: ["near", "far"].map(words),
        together,
    };
    let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let works = [
        work(true, &|folder| own(&["run", &at(&format!("{folder}/yard.toml")), "-o", &results])),
        work(true, &|folder| {
            let cycles = if folder == "near" { "2" } else { "3" };
            own(&["gait", "kangaroo-hop", "--held", cycles, "-o", &results])
        }),
        work(false, &|folder| {
            let [one, two] = ["one", "two"].map(|name| at(&format!("{folder}/{name}.bvh")));
            own(&["convert", &one, &two, &results])
        }),
        work(false, &|folder| {
            let [from, to] = [at(&format!("{folder}/one.bvh")), at("results/step.bvh")];
            own(&["edit", &from, &to, "mirror", "loop"])
        }),
    ];
    for (number, work) in works.iter().enumerate() {
        kill_often(work, Path::new(&results), kills.unwrap_or(20) / works.len(), number as u64);
        let left = std::fs::read_dir(directory.path()).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 3, "{left:?}");
    }
}

/// Does some work again and again, is killed at any moment of it, and looks at what is there.
fn kill_often(work: &KilledWork, target: &Path, kills: usize, seed: u64) {
    let what = &work.arguments[0][0];
    let _ = std::fs::remove_dir_all(target);
    std::fs::create_dir(target).unwrap();
    let mut longest = Duration::ZERO;
    let sets = [0, 1].map(|next| {
        let began = Instant::now();
        andante().args(&work.arguments[next]).assert().code(0);
        longest = longest.max(began.elapsed());
        files(target)
    });
    assert!(sets[0].keys().eq(sets[1].keys()) && sets[0] != sets[1], "{what}: sets look alike");
    let program = assert_cmd::cargo::cargo_bin("andante");
    let (mut random, mut stopped) = (seed + 1, 0);
    for kill in 0..kills {
        if work.together && kill % 3 == 0 {
            let _ = std::fs::remove_dir_all(target);
        }
        let before = files(target);
        let next = kill % 2;
        let mut running = Command::new(&program)
            .arg("-q")
            .args(&work.arguments[next])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(longest.mul_f64((random >> 33) as f64 / f64::from(1u32 << 31)));
        running.kill().unwrap();
        stopped += usize::from(!running.wait().unwrap().success());
        let mut now = files(target);
        if !work.together {
            // Each file is a result of its own; what is begun is not there under a name that anybody asks for.
            now.retain(|name, _| !name.starts_with(".andante-"));
            let whole = |(name, bytes): (&String, &Vec<u8>)| {
                before.get(name) == Some(bytes) || sets[next].get(name) == Some(bytes)
            };
            assert!(now.iter().all(whole) && now.len() == sets[0].len(), "{what}, kill {kill}");
        } else {
            assert!(now == before || now == sets[next], "{what}, kill {kill}: {:?}", now.keys());
        }
    }
    assert!(stopped > 0 || kills < 5, "{what}: nothing was killed");
    // Whoever comes next takes away what was left.
    andante().args(&work.arguments[0]).assert().code(0);
    assert!(files(target) == sets[0], "{what}: {:?}", files(target).keys());
}

#[test]
fn names_in_files_do_not_lead_out_of_the_folder() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let scene = home.join("scene.toml");
    let long = "n".repeat(5000);
    for name in ["../../escaped", "/escaped", "..", &long] {
        let scene_text = yard(name, "[1, 2]").replace("ann", &long);
        std::fs::write(&scene, scene_text).unwrap();
        andante().current_dir(&home).args(["run", "scene.toml"]).assert().code(0);
    }
    let sketch = andante().args(["sketches", "kangaroo-hop"]).assert().code(0);
    let sketch = String::from_utf8(sketch.get_output().stdout.clone()).unwrap();
    let sketch = sketch.replacen("name = \"kangaroo-hop\"", "name = \"../../up\"", 1);
    std::fs::write(home.join("sketch.toml"), sketch).unwrap();
    // It is another sketch by its name, and has to be looked for.
    let search = ["gait", "sketch.toml", "--minutes", "0.005"];
    let _ = andante().current_dir(&home).args(search).assert();
    let names = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(directory.path()), ["home"]);
    assert_eq!(names(&home), ["out", "scene.toml", "sketch.toml"]);
    let made = names(&home.join("out"));
    assert_eq!(made.len(), 5, "{made:?}");
    assert!(made.iter().all(|name| name.len() <= 100), "{made:?}");
}

#[test]
fn what_cannot_be_written_is_work_that_failed() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let below = file.join("out");
    for arguments in [
        &["run", "turns", "-o", text(&below)][..],
        &["gait", "kangaroo-hop", "-o", text(&below)],
        &["clips", "walk", "-o", &format!("{}.bvh", text(&below))],
        &["clips", "walk", "--svg", &format!("{}.svg", text(&below))],
    ] {
        let message = json(arguments, 1)["error"]["message"].to_string();
        assert!(message.contains("file/out"), "{message}");
    }
    assert_eq!(files(directory.path()).len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_a_failure_and_a_reader_that_left_is_none() {
    for arguments in [&["scenes", "house"][..], &["scenes", "--json"], &["--help"], &["inspect"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let program = assert_cmd::cargo::cargo_bin("andante");
        let output = Command::new(&program).args(arguments).stdout(full).output().unwrap();
        let usage = arguments == ["inspect"];
        assert_eq!(output.status.code(), Some(if usage { 2 } else { 1 }), "{arguments:?}");
        let says = String::from_utf8(output.stderr).unwrap();
        assert_eq!(says.contains("stdout cannot be written"), !usage, "{says}");
        let mut left = Command::new(&program)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(left.stdout.take());
        assert_eq!(left.wait().unwrap().code(), Some(if usage { 2 } else { 0 }), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_to_end_keeps_what_was_found() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("gait");
    let mut running = Command::new(assert_cmd::cargo::cargo_bin("andante"))
        .args(["-q", "gait", "dog-trot", "--search", "--minutes", "30", "-o", text(&folder)])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !folder.join("search.bin").exists() {
        assert!(running.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(20));
    }
    ask_to_end(&running);
    assert_eq!(running.wait().unwrap().code(), Some(1));
    for name in ["search.bin", "gait.toml", "gait.take", "report.html"] {
        assert!(folder.join(name).exists(), "{name}");
    }
}

/// True once a program has a handler of its own for the signal that asks it to end.
#[cfg(unix)]
fn hears_signals(running: &std::process::Child) -> bool {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", running.id())) else {
        // Not every system tells.
        std::thread::sleep(Duration::from_secs(1));
        return true;
    };
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & (1 << (15 - 1)) != 0
}

#[cfg(unix)]
fn ask_to_end(running: &std::process::Child) {
    let asked = Command::new("kill").args(["-TERM", &running.id().to_string()]).status().unwrap();
    assert!(asked.success());
}

/// Ten people who stand for that long.
fn waiting(seconds: usize) -> String {
    let mut words = "version = 1\nname = \"wait\"\n[[platform]]\n\
                     outline = [[-2, -2], [30, -2], [30, 2], [-2, 2]]\n"
        .to_owned();
    for index in 0..10 {
        let place = 3 * index;
        words += &format!("[[character]]\nname = \"c{index}\"\nstart = {{ at = [{place}, 0] }}\n");
    }
    words + &format!("[[command]]\nwho = \"everyone\"\nwait = {seconds}\n")
}

#[cfg(unix)]
#[test]
fn a_signal_to_end_ends_measuring_and_exports_before_the_next_file() {
    let directory = tempfile::tempdir().unwrap();
    let scene = directory.path().join("wait.toml");
    std::fs::write(&scene, waiting(60)).unwrap();
    let home = directory.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let mut running = Command::new(assert_cmd::cargo::cargo_bin("andante"))
        .args(["-q", "run", text(&scene), "-o", text(&home.join("out"))])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let aside = |name: &str| {
        let entries = std::fs::read_dir(&home).unwrap().flatten();
        entries.into_iter().any(|entry| entry.path().join(name).exists())
    };
    while !aside("take.take") {
        assert!(running.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(2));
    }
    ask_to_end(&running);
    let mut began_report = false;
    let status = loop {
        began_report |= aside("report.html");
        if let Some(status) = running.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    assert_eq!(status.code(), Some(1));
    assert!(!began_report, "it went on with what nobody wants any more");
    assert_eq!(files(&home).len(), 0);

    let running = Command::new(assert_cmd::cargo::cargo_bin("andante"))
        .args(["-q", "bench"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Before it listens a signal ends it as it ends any program.
    while !hears_signals(&running) {
        std::thread::sleep(Duration::from_millis(5));
    }
    ask_to_end(&running);
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"stopped; nothing was written\n");
}

#[test]
fn results_of_a_scene_never_take_the_place_of_what_it_is_made_from() {
    let directory = tempfile::tempdir().unwrap();
    let (scene, body) = (directory.path().join("scene.toml"), directory.path().join("take.glb"));
    std::fs::write(&scene, yard("yard", "[1, 3]")).unwrap();
    andante().args(["characters", "humanoid", "-o", text(&body)]).assert().code(0);
    let before = std::fs::read(&body).unwrap();
    let here = text(directory.path());
    andante().args(["run", text(&scene), "--character", text(&body), "-o", here]).assert().code(2);
    assert_eq!(std::fs::read(&body).unwrap(), before);
    let odd = directory.path().join("plan.svg");
    std::fs::rename(&scene, &odd).unwrap();
    andante().args(["run", text(&odd), "-o", here]).assert().code(2);
    assert_eq!(std::fs::read_to_string(&odd).unwrap(), yard("yard", "[1, 3]"));
}

#[test]
fn motions_of_those_who_are_not_in_a_scene_any_more_do_not_stay_with_its_results() {
    let directory = tempfile::tempdir().unwrap();
    let (scene, out) = (directory.path().join("scene.toml"), directory.path().join("out"));
    let two = yard("yard", "[1, 3]").replace(
        "[[command]]",
        "[[character]]\nname = \"bob\"\nstart = { at = [5, 5] }\n[[command]]",
    );
    for (words, motions) in [
        (&two, &["take-ann.bvh", "take-bob.bvh"][..]),
        (&yard("yard", "[1, 3]"), &["take.bvh"]),
        (&two.replace("bob", "eve"), &["take-ann.bvh", "take-eve.bvh"]),
    ] {
        std::fs::write(&scene, words).unwrap();
        andante().args(["run", text(&scene), "-o", text(&out)]).assert().code(0);
        std::fs::write(out.join("mine.bvh"), "mine").unwrap();
        let found = files(&out);
        let found: Vec<_> = found.keys().filter(|name| name.ends_with("bvh")).collect();
        assert_eq!(found, [&["mine.bvh"], motions].concat());
    }
}

/// Everybody's frames alone would be 200 MB, and what is made of them several times that.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_length_of_a_scene() {
    let directory = tempfile::tempdir().unwrap();
    let scene = directory.path().join("wait.toml");
    std::fs::write(&scene, waiting(400)).unwrap();
    let mut running = Command::new(assert_cmd::cargo::cargo_bin("andante"))
        .args(["-q", "run", text(&scene), "-o", text(&directory.path().join("out"))])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while running.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", running.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        most = most.max(kilobytes.unwrap_or(0u64));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(running.wait().unwrap().success());
    assert!(most > 0 && most < 180_000, "{most} kB");
}
