//! Many items at once: shares, what was done before, what died, and what is merged.

use crate::{BIPED, andante, json, text};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A folder with three clips and a list of jobs about them.
fn list(clips: usize) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("clips")).unwrap();
    for number in 0..clips {
        let path = directory.path().join(format!("clips/b{number}.bvh"));
        std::fs::write(path, BIPED.replace("0 0.9 0.2", &format!("0 0.9 0.2{number}"))).unwrap();
    }
    let jobs = directory.path().join("jobs.toml");
    let written = r#"
[[job]]
name = "looked at"
command = ["inspect", "{clip}"]
each.clip = { files = "clips/*.bvh" }

[[job]]
name = "mirrored"
command = ["edit", "{clip}", "{out}/{clip.stem}-{speed}.bvh", "mirror", "speed={speed}"]
each.clip = { files = "clips/*.bvh" }
each.speed = [1, 1.5]
"#;
    std::fs::write(&jobs, written).unwrap();
    (directory, jobs)
}

fn merged(jobs: &Path, out: &Path, code: i32) -> (Value, Vec<Value>) {
    let report = json(&["merge", text(jobs), "-o", text(out)], code);
    let lines = std::fs::read_to_string(out.join("results.jsonl")).unwrap();
    (report, lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn three_shares_are_the_same_bytes_as_one() {
    let (directory, jobs) = list(3);
    let one = directory.path().join("one");
    let three = directory.path().join("three");
    let report = json(&["batch", text(&jobs), "-o", text(&one)], 0);
    assert_eq!((&report["items"], &report["done"]), (&9.into(), &9.into()));
    for share in ["2/3", "3/3", "1/3"] {
        let report = json(&["batch", text(&jobs), "-o", text(&three), "--shard", share], 0);
        assert_eq!((&report["items"], &report["of"]), (&3.into(), &9.into()));
    }
    let (report, lines) = merged(&jobs, &one, 0);
    assert_eq!((&report["done"], lines.len()), (&9.into(), 9));
    merged(&jobs, &three, 0);
    let bytes = |folder: &Path| std::fs::read(folder.join("results.jsonl")).unwrap();
    assert!(bytes(&one) == bytes(&three));
    // What items wrote is where the line says.
    let mirrored = lines.iter().find(|line| line["job"] == "mirrored").unwrap();
    let file = mirrored["result"]["outputs"][0].as_str().or(mirrored["result"]["output"].as_str());
    assert!(one.join(file.unwrap()).is_file(), "{mirrored}");
}

#[test]
fn what_is_done_is_not_done_again_unless_its_files_have_changed() {
    let (directory, jobs) = list(2);
    let out = directory.path().join("out");
    json(&["batch", text(&jobs), "-o", text(&out)], 0);
    let refused = json(&["batch", text(&jobs), "-o", text(&out)], 2);
    assert!(refused["error"]["hint"].as_str().unwrap().contains("--resume"));
    let again = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 0);
    assert_eq!((&again["skipped"], &again["done"]), (&6.into(), &0.into()));

    let clip = directory.path().join("clips/b1.bvh");
    std::fs::write(&clip, BIPED.replace("0 0.9 0.2", "0 0.9 0.25")).unwrap();
    let (report, lines) = merged(&jobs, &out, 1);
    assert_eq!((&report["stale"], lines.len()), (&3.into(), 3));
    // Other shares than before are no reason to do anything twice.
    let again = json(&["batch", text(&jobs), "-o", text(&out), "--shard", "1/1", "--resume"], 0);
    assert_eq!((&again["skipped"], &again["done"]), (&3.into(), &3.into()));
    merged(&jobs, &out, 0);
}

/// They were called done.
#[test]
fn items_whose_files_are_gone_are_made_again() {
    let (directory, jobs) = list(1);
    let out = directory.path().join("out");
    json(&["batch", text(&jobs), "-o", text(&out)], 0);
    std::fs::remove_dir_all(out.join("items")).unwrap();
    let (report, _) = merged(&jobs, &out, 0);
    assert_eq!(report["files_elsewhere"], 2);
    let again = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 0);
    assert_eq!((&again["skipped"], &again["done"]), (&1.into(), &2.into()));
    let (report, _) = merged(&jobs, &out, 0);
    assert_eq!(report["files_elsewhere"], 0);
}

/// A file that is there is not yet the file that was made.
#[test]
fn items_whose_files_are_not_whole_are_made_again() {
    let (directory, jobs) = list(1);
    let (out, beside) = (directory.path().join("out"), directory.path().join("named.bvh"));
    let mut more = std::fs::read_to_string(&jobs).unwrap();
    more.push_str("\n[[job]]\nname = \"named\"\ncommand = [\"edit\", \"clips/b0.bvh\", \"named.bvh\", \"mirror\"]\n");
    std::fs::write(&jobs, more).unwrap();
    let done = json(&["batch", text(&jobs), "-o", text(&out)], 0);
    assert_eq!(done["done"], 4);
    let items = std::fs::read_dir(out.join("items")).unwrap().map(|item| item.unwrap().path());
    let made = items.flat_map(|item| std::fs::read_dir(item).unwrap());
    let mut files: Vec<PathBuf> = made.map(|file| file.unwrap().path()).collect();
    files.sort();
    let whole: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    // Cut short, and changed at the same length.
    std::fs::write(&files[0], &whole[0][..whole[0].len() / 2]).unwrap();
    let mut changed = whole[1].clone();
    *changed.last_mut().unwrap() ^= 1;
    std::fs::write(&files[1], changed).unwrap();
    std::fs::remove_file(&beside).unwrap();
    let (report, _) = merged(&jobs, &out, 0);
    assert_eq!(report["files_elsewhere"], 3);
    let again = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 0);
    assert_eq!((&again["skipped"], &again["done"]), (&1.into(), &3.into()));
    assert!(beside.is_file());
    for (file, whole) in files.iter().zip(whole) {
        assert_eq!(std::fs::read(file).unwrap(), whole);
    }
    let last = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 0);
    assert_eq!((&last["skipped"], &last["done"]), (&4.into(), &0.into()));
}

/// And of results of which nothing is left, nothing is merged.
#[test]
fn an_item_that_names_its_output_is_not_stale_because_of_it() {
    let (directory, jobs) = list(1);
    std::fs::write(
        &jobs,
        "[[job]]\nname = \"one\"\ncommand = [\"convert\", \"clips/b0.bvh\", \"made.glb\"]\n",
    )
    .unwrap();
    let out = directory.path().join("out");
    json(&["batch", text(&jobs), "-o", text(&out)], 0);
    let (report, lines) = merged(&jobs, &out, 0);
    assert_eq!((&report["done"], lines.len()), (&1.into(), 1), "{report}");
    let clip = directory.path().join("clips/b0.bvh");
    std::fs::write(&clip, BIPED.replace("0 0.9 0.2", "0 0.9 0.25")).unwrap();
    let (report, lines) = merged(&jobs, &out, 1);
    assert_eq!((&report["stale"], lines.len()), (&1.into(), 0), "{report}");
    // What may be written over may be by items, too.
    std::fs::write(directory.path().join("made.glb"), "Dear Ann").unwrap();
    let again = |more: &[&str], code| {
        json(
            &[&["batch", text(&jobs), "-o", text(&out), "--resume", "--again"], more].concat(),
            code,
        )
    };
    again(&[], 1);
    again(&["--force"], 0);
}

#[test]
fn a_line_cut_in_half_is_done_again_and_costs_nothing_else() {
    let (directory, jobs) = list(2);
    let out = directory.path().join("out");
    json(&["batch", text(&jobs), "-o", text(&out)], 0);
    let file = out.join("shard-1-of-1.jsonl");
    let whole = std::fs::read(&file).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 7]).unwrap();
    let (report, _) = merged(&jobs, &out, 1);
    assert_eq!(report["missing"], 1);
    // But nobody's letter is half a line.
    let letters = directory.path().join("letters");
    std::fs::create_dir(&letters).unwrap();
    std::fs::write(letters.join("shard-1-of-1.jsonl"), "Dear Ann").unwrap();
    json(&["batch", text(&jobs), "-o", text(&letters), "--resume"], 2);
    assert_eq!(std::fs::read(letters.join("shard-1-of-1.jsonl")).unwrap(), b"Dear Ann");
    let again = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 0);
    assert_eq!((&again["skipped"], &again["done"]), (&5.into(), &1.into()));
    merged(&jobs, &out, 0);
}

#[test]
fn failures_are_results_and_stop_nobody_else() {
    let (directory, jobs) = list(2);
    std::fs::write(directory.path().join("clips/a.bvh"), "HIERARCHY\nROOT").unwrap();
    let out = directory.path().join("out");
    let report = json(&["batch", text(&jobs), "-o", text(&out)], 1);
    assert_eq!((&report["done"], &report["failed"]), (&6.into(), &3.into()));
    // Which, and why.
    let told = report["complaints"].as_array().unwrap();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].as_str().unwrap().starts_with("looked at clip = clips/a.bvh: "), "{told:?}");
    let table = directory.path().join("table.csv");
    let (report, lines) = merged(&jobs, &out, 1);
    assert_eq!((&report["failed"], lines.len()), (&3.into(), 9));
    assert!(lines[0]["result"]["error"]["message"].as_str().unwrap().len() > 5, "{}", lines[0]);
    assert_eq!(lines[0]["exit"], 2);
    json(&["merge", text(&jobs), "-o", text(&out), "--csv", text(&table)], 1);
    let table = std::fs::read_to_string(table).unwrap();
    assert_eq!(table.lines().count(), 10);
    assert!(table.lines().next().unwrap().contains("each.clip"), "{table}");
    // Failed ones are kept, and are no success because nothing was left to do.
    let kept = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 1);
    assert_eq!((&kept["skipped"], &kept["failed_before"]), (&9.into(), &3.into()));
    // Unless they are made from something else.
    std::fs::write(directory.path().join("clips/a.bvh"), BIPED).unwrap();
    let again = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 0);
    assert_eq!((&again["skipped"], &again["done"]), (&6.into(), &3.into()));
}

#[test]
fn mistakes_in_a_list_are_told_before_any_work() {
    let directory = tempfile::tempdir().unwrap();
    let jobs = directory.path().join("jobs.toml");
    let cases = [
        (r#"command = ["inspect", "{clip}"]"#, "nothing is said of {clip}"),
        (
            "command = [\"inspect\", \"x.bvh\"]\neach.clip = [1]",
            "no word of the command has the gap {clip}",
        ),
        (
            "command = [\"inspect\", \"{clip}\"]\neach.clip = { files = \"*.bvh\" }",
            "no file is like",
        ),
        (
            "command = [\"inspect\", \"{clip}\"]\neach.clip = { files = \"../*.bvh\" }",
            "leads out of",
        ),
        (
            "command = [\"inspect\", \"{clip}\"]\neach.clip = { from = 3, to = 1 }",
            "no numbers to count",
        ),
        ("command = [\"inspect\", \"{clip}\"]\neach.clip = [\"a\", \"a\"]", "are the same command"),
        (r#"command = ["inspct", "x.bvh"]"#, "unrecognized subcommand"),
        (r#"command = ["studio"]"#, "is no work for a batch"),
        (r#"comand = ["inspect"]"#, "comand"),
        (
            "command = [\"edit\", \"{clip}\", \"same.bvh\", \"plant\"]\neach.clip = [\"a.bvh\", \"b.bvh\"]",
            "both write same.bvh",
        ),
        (
            "command = [\"edit\", \"{clip}\", \"{out}.bvh\", \"plant\"]\neach.clip = [\"a.bvh\", \"b.bvh\"]",
            "is beside that",
        ),
    ];
    for (job, expected) in cases {
        std::fs::write(&jobs, format!("[[job]]\nname = \"j\"\n{job}\n")).unwrap();
        let out = directory.path().join("out");
        let failure = json(&["batch", text(&jobs), "-o", text(&out)], 2);
        let message = failure["error"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{job}: {message}");
        assert!(!out.exists());
    }
}

/// A machine that goes away takes its process along; whatever was done by then stays done.
#[cfg(unix)]
#[test]
fn a_batch_that_is_killed_goes_on_where_it_was() {
    let (directory, jobs) = list(12);
    let out = directory.path().join("out");
    let file = out.join("shard-1-of-1.jsonl");
    let lines = || std::fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("andante"))
        .args(["batch", text(&jobs), "-o", text(&out), "--processes", "1", "--quiet"])
        .spawn()
        .unwrap();
    while lines() < 3 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = lines();
    let again = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 0);
    let skipped = again["skipped"].as_u64().unwrap() as usize;
    assert!((3..=kept).contains(&skipped), "{skipped} of {kept}");
    merged(&jobs, &out, 0);
}

/// Files that are named by files that a command names: what changes there changes the result.
#[test]
fn what_is_made_from_files_that_files_name_is_stale_with_them() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let buffer = |height: f32| {
        let translation = [0.0f32, 0.9, 0.0, 0.0, height, 0.1].map(f32::to_le_bytes).concat();
        [[0.0f32, 0.5].map(f32::to_le_bytes).concat(), translation].concat()
    };
    std::fs::write(at("moves.bin"), buffer(0.9)).unwrap();
    let gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
        "nodes":[{"name":"hips","children":[1]},{"name":"knee","translation":[0,-0.4,0]}],"skins":[{"joints":[0,1]}],
        "buffers":[{"uri":"moves%2ebin","byteLength":32}],
        "bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":24}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[0.5]},
            {"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}],
        "animations":[{"name":"move","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
            "samplers":[{"input":0,"output":1}]}]}"#;
    std::fs::write(at("moves.gltf"), gltf).unwrap();
    let robot = |length: &str| {
        format!(
            "<mujoco><worldbody><body name=\"trunk\" pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\"0.2 0.1 0.1\"/>\
            <body name=\"leg\"><joint type=\"hinge\" axis=\"1 0 0\" stiffness=\"20\"/>\
            <geom type=\"capsule\" size=\"0.05\" fromto=\"0 0 0 0 0 {length}\"/></body></body></worldbody></mujoco>"
        )
    };
    std::fs::write(at("leg.xml"), robot("-0.4")).unwrap();
    let whole = "<mujoco><!-- the robot's own --><include file='leg.xml'/></mujoco>";
    std::fs::write(at("robot.xml"), whole).unwrap();
    let jobs = at("jobs.toml");
    let list = "[[job]]\nname = \"looked at\"\ncommand = [\"inspect\", \"{clip}\"]\neach.clip = { files = \"*.gltf\" }\n\
        [[job]]\nname = \"swung\"\ncommand = [\"modes\", \"{robot}\"]\neach.robot = { files = \"robot.xml\" }\n";
    std::fs::write(&jobs, list).unwrap();
    let out = at("out");
    json(&["batch", text(&jobs), "-o", text(&out)], 0);
    assert_eq!(merged(&jobs, &out, 0).0["done"], 2);
    for (file, content) in [("moves.bin", buffer(0.8)), ("leg.xml", robot("-0.3").into_bytes())] {
        std::fs::write(at(file), content).unwrap();
        assert_eq!(merged(&jobs, &out, 1).0["stale"], 1, "{file}");
        let again = json(&["batch", text(&jobs), "-o", text(&out), "--resume"], 0);
        assert_eq!((&again["skipped"], &again["done"]), (&1.into(), &1.into()), "{file}");
    }
    merged(&jobs, &out, 0);
}

/// Nobody is left who goes on working for a batch that is gone.
#[cfg(target_os = "linux")]
#[test]
fn items_leave_with_a_batch_that_is_killed() {
    let directory = tempfile::tempdir().unwrap();
    let jobs = directory.path().join("jobs.toml");
    let list = "[[job]]\nname = \"long\"\ncommand = [\"gait\", \"basic-run\", \"--search\", \"--minutes\", \"60\", \"-o\", \"{out}\"]\n";
    std::fs::write(&jobs, list).unwrap();
    let out = directory.path().join("out");
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("andante"))
        .args(["batch", text(&jobs), "-o", text(&out), "--quiet"])
        .spawn()
        .unwrap();
    // Processes that work for this batch, by the folder in their words.
    let working = || {
        let folder = text(&out).to_owned();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let words =
            processes.map(|entry| std::fs::read(entry.path().join("cmdline")).unwrap_or_default());
        words
            .filter(|words| {
                let words = String::from_utf8_lossy(words).into_owned();
                words.contains(&folder) && words.contains("--search")
            })
            .count()
    };
    while working() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "the batch has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    while working() > 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // Who had gone on would have written this at its end.
    for item in std::fs::read_dir(out.join("items")).unwrap() {
        assert!(!item.unwrap().path().join("gait.toml").exists());
    }
}

#[test]
fn shells_and_manuals_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = andante().args(["completions", shell]).assert().success().get_output().clone();
        let script = String::from_utf8(script.stdout).unwrap();
        assert!(script.contains("retarget") && script.contains("shard"), "{shell}");
    }
    let directory = tempfile::tempdir().unwrap();
    let written = json(&["man", text(directory.path())], 0);
    assert!(written["files"].as_array().unwrap().len() > 20);
    let page = std::fs::read_to_string(directory.path().join("andante-run.1")).unwrap();
    assert!(page.contains("Play a scene"), "{page}");
    let version = andante().arg("--version").assert().success().get_output().stdout.clone();
    let version = String::from_utf8(version).unwrap();
    assert!(version.starts_with(concat!("andante ", env!("CARGO_PKG_VERSION"))), "{version}");
}
