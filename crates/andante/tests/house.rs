//! The rules of the house, read off the manifests and sources of every crate: which room may use which, what the map in
//! ARCHITECTURE.md says about it, and that a public name means one thing.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every crate of the workspace with the crates of ours it depends on, tests and examples aside; with or without those that a
/// feature brings.
fn crates(features: bool) -> BTreeMap<String, BTreeSet<String>> {
    let folders = fs::read_dir(root().join("crates")).unwrap();
    let manifests = folders.map(|entry| entry.unwrap().path().join("Cargo.toml"));
    manifests.filter(|path| path.exists()).map(|path| dependencies(&path, features)).collect()
}

fn dependencies(manifest: &Path, features: bool) -> (String, BTreeSet<String>) {
    let table: toml::Table = fs::read_to_string(manifest).unwrap().parse().unwrap();
    let name = table["package"]["name"].as_str().unwrap().to_owned();
    let ours = |(key, value): &(&String, &toml::Value)| {
        let optional = value.get("optional").and_then(|value| value.as_bool()).unwrap_or(false);
        key.starts_with("andante") && (features || !optional)
    };
    let used = table.get("dependencies").and_then(|value| value.as_table());
    let used = used.into_iter().flatten().filter(ours).map(|(key, _)| key.clone());
    (name, used.collect())
}

/// What a crate depends on, directly or not.
fn below(name: &str, crates: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(next) = open.pop() {
        for used in &crates[&next] {
            if all.insert(used.clone()) {
                open.push(used.clone());
            }
        }
    }
    all
}

#[test]
fn the_run_time_stands_apart_from_the_offline_side() {
    let crates = crates(false);
    let forbidden = [
        ("andante-play", "andante-motion"),
        ("andante-play", "andante-formats"),
        ("andante-dynamics", "andante-formats"),
        ("andante-dynamics", "andante-world"),
        ("andante-draw", "andante-stage"),
        ("andante-check", "andante-motion"),
        ("andante-check", "andante-plan"),
        ("andante-check", "andante-stage"),
        ("andante-skeleton", "andante-ik"),
    ];
    for (room, other) in forbidden {
        assert!(crates.contains_key(room), "there is no {room}");
        let used = below(room, &crates);
        assert!(!used.contains(other), "{room} reaches {other}");
    }
}

#[test]
fn the_map_says_what_each_crate_depends_on() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut told = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `andante")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`').to_owned();
        let words = cells[3].split(',').map(str::trim).filter(|word| *word != "–");
        told.insert(name, words.map(|word| format!("andante-{word}")).collect::<BTreeSet<_>>());
    }
    for (name, used) in crates(true) {
        assert_eq!(told.get(&name), Some(&used), "ARCHITECTURE.md, row `{name}`");
    }
}

/// The public types of a source file, test modules aside.
fn public_types(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let type_of = |line: &str| {
        let rest = line.trim_start().strip_prefix("pub ")?;
        let rest = ["struct ", "enum ", "trait ", "union "]
            .iter()
            .find_map(|key| rest.strip_prefix(key))?;
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        Some(rest[..end.unwrap_or(rest.len())].to_owned())
    };
    code.lines().filter_map(type_of).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_public_name_means_one_thing_in_all_crates() {
    let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in crates(true).keys() {
        for path in sources(&root().join("crates").join(name).join("src")) {
            for public in public_types(&path) {
                owners.entry(public).or_default().insert(name.clone());
            }
        }
    }
    let shared: Vec<_> = owners.iter().filter(|(_, owners)| owners.len() > 1).collect();
    assert!(shared.is_empty(), "{shared:#?}");
}

/// Whether the code of a file depends on which type of joint it has, test modules aside: it asks for it, or makes one of
/// those that characters have.
fn knows_types_of_joints(path: &Path) -> bool {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let asks = |line: &str| {
        let Some(at) = line.find("LinkJoint::") else { return line.contains("JointKind::") };
        let (before, after) = (line[..at].trim_end(), &line[at..]);
        let compared = ["==", "!=", "let"].iter().any(|word| before.ends_with(word));
        compared || line.contains("matches!") || after.contains("=>") || after.contains(" |")
    };
    let comment = |line: &&str| line.trim_start().starts_with("//");
    code.lines().filter(|line| !comment(line)).any(asks)
}

#[test]
fn a_new_type_of_joint_touches_six_files() {
    let all = crates(true);
    let files = all.keys().flat_map(|name| sources(&root().join("crates").join(name).join("src")));
    let tests = |path: &PathBuf| path.file_name().is_some_and(|name| name == "tests.rs");
    let files: Vec<_> = files.filter(|path| !tests(path) && knows_types_of_joints(path)).collect();
    assert!(matches!(files.len(), 1..=6), "{files:#?}");
    let table = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let row = table.lines().find(|line| line.starts_with("| a type of joint |")).unwrap();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(row.contains(&name), "CONTRIBUTING.md does not name {name}");
    }
}

#[test]
fn every_crate_is_documented_by_its_readme() {
    for name in crates(true).keys() {
        let folder = root().join("crates").join(name);
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        let has = |any: &[&str]| any.iter().any(|part| readme.contains(part));
        let example: &[&str] = &["```rust", "\n```\n"];
        assert!(has(example), "{name} has no README with an example");
        assert!(has(&["```text", "!["]), "the README of {name} has neither diagram nor picture");
        assert!(has(&["\n## Conventions\n"]), "the README of {name} tells no conventions");
        assert!(has(&["\n## Limits\n"]), "the README of {name} tells no limits");
        let library = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        assert!(
            library.contains("include_str!(\"../README.md\")"),
            "{name} does not include its README"
        );
    }
}

/// The first sentences of the public items of a file that begin with a question word, test modules aside: line and text.
/// Fields and variants are left out, as they are read below the name of what they belong to.
fn questions(path: &Path) -> Vec<String> {
    const WORDS: &str = "What How Who Whose Whom Whether Where Whoever Whatever Wherever When Whenever Why Which Somebody \
                         Someone Nobody Everybody Anybody";
    const ITEMS: [&str; 9] =
        ["struct", "enum", "union", "trait", "fn", "type", "mod", "const", "static"];
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    let mut first: Option<(usize, &str)> = None;
    for (number, line) in code.lines().map(str::trim).enumerate() {
        if let Some(about) = line.strip_prefix("///") {
            first = first.or(Some((number + 1, about.trim())));
            continue;
        }
        // Attributes stand between an item and what is said about it; some take several lines.
        if line.starts_with('#') || (first.is_some() && line.ends_with(")]")) {
            continue;
        }
        let mut words = line.split_whitespace();
        let public =
            words.next() == Some("pub") && words.next().is_some_and(|w| ITEMS.contains(&w));
        if let Some((number, about)) = first.take().filter(|_| public) {
            let end = about.find(|letter: char| !letter.is_alphabetic()).unwrap_or(about.len());
            if WORDS.split_whitespace().any(|word| word == &about[..end]) {
                found.push(format!("{}:{number}: {about}", path.display()));
            }
        }
    }
    found
}

#[test]
fn the_first_sentence_of_a_public_item_names_the_thing() {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let files = sources(&entry.unwrap().path().join("src"));
        found.extend(files.iter().flat_map(|path| questions(path)));
    }
    assert!(found.is_empty(), "say what each is: {found:#?}");
}

#[test]
fn library_crates_ask_no_clock() {
    for name in crates(true).keys().filter(|name| *name != "andante") {
        // The real window is no part of the page.
        let sources = sources(&root().join("crates").join(name).join("src"));
        for path in sources.iter().filter(|path| !path.ends_with("andante-studio/src/window.rs")) {
            let text = fs::read_to_string(path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let clocks = code
                .filter(|line| line.contains("Instant::now") || line.contains("SystemTime::now"));
            assert_eq!(clocks.count(), 0, "{} does not run in a browser", path.display());
        }
    }
}

/// Lines of the sources of all crates, tests and comments aside, that have one of these words: file, line and text.
fn lines_with(words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for name in crates(true).keys().filter(|name| *name != "andante-testdata") {
        for path in sources(&root().join("crates").join(name).join("src")) {
            let part_of_tests = path
                .components()
                .filter_map(|part| Path::new(&part).file_stem().map(ToOwned::to_owned))
                .any(|stem| stem == "tests" || stem == "reference");
            let text = fs::read_to_string(&path).unwrap();
            // A module of tests is last in its file; one that is elsewhere is only named.
            let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
            for (number, line) in text[..end].lines().enumerate() {
                let code = !part_of_tests && !line.trim_start().starts_with("//");
                if code && words.iter().any(|word| line.contains(word)) {
                    let place = path.strip_prefix(root()).unwrap().display();
                    found.push(format!("{place}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    found
}

#[test]
fn mathematics_comes_from_libm_which_is_the_same_on_every_platform() {
    const METHODS: &str = "sin cos tan asin acos atan atan2 sin_cos exp exp2 ln log2 log10 powf cbrt hypot sinh cosh tanh \
                           exp_m1 ln_1p";
    let methods = METHODS.split_whitespace();
    let words: Vec<String> = methods
        .flat_map(|name| [format!(".{name}("), format!("f32::{name}"), format!("f64::{name}")])
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let found = lines_with(&words);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn files_are_opened_at_the_gate_only() {
    let mut found = lines_with(&[
        "fs::read(",
        "fs::read_to_string(",
        " File::open(",
        "(File::open(",
        ":File::open(",
    ]);
    // Locks of the writer, devices, and what the system says of itself, are no files of users.
    let excused = [
        "andante-formats/src/gate.rs",
        "andante-formats/src/atomic.rs",
        "andante/src/context.rs",
        "andante-studio/src/gamepad.rs",
    ];
    found.retain(|line| !excused.iter().any(|file| line.contains(file)));
    assert!(found.is_empty(), "{found:#?}");
}

/// Gravity and friction are said once, by who makes a world; whoever is handed one does not make another.
#[test]
fn physics_settings_are_made_at_the_boundary_alone() {
    // What is not handed any by its nature: the kernel's own shapes, and the options of a search, which are a boundary.
    let boundary = ["andante-dynamics/src/shape.rs", "andante-gait/src/problem/options.rs"];
    for name in crates(true).keys().filter(|name| *name != "andante") {
        for path in sources(&root().join("crates").join(name).join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            let makes = |line: &str| line.contains("PhysicsSettings::default()");
            let known = boundary.iter().any(|file| path.ends_with(file));
            let own = name == "andante-studio" || path.ends_with("tests.rs");
            // Scenes have a group of their own, whose default is one of the numbers alone.
            let mut lines = code.lines().filter(is_code);
            let made = lines.any(|line| makes(line) && !line.contains("ScenePhysicsSettings"));
            assert!(known || own || !made, "{} makes physics of its own", path.display());
        }
    }
}

/// What `cargo tree` lists below the library.
fn tree(arguments: &[&str]) -> String {
    let told = std::process::Command::new(env!("CARGO"))
        .current_dir(root())
        .args([
            "tree",
            "-p",
            "andante",
            "-e",
            "normal",
            "--locked",
            "--offline",
            "--prefix",
            "none",
        ])
        .args(arguments)
        .output()
        .unwrap();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    String::from_utf8(told.stdout).unwrap()
}

#[test]
fn a_library_without_the_command_line_builds_no_clap_and_no_films() {
    let (whole, library) = (tree(&[]), tree(&["--no-default-features"]));
    let has =
        |tree: &str, name: &str| tree.lines().any(|line| line.split(' ').next() == Some(name));
    for name in ["clap", "indicatif", "gif", "png", "ctrlc", "anstream"] {
        assert!(has(&whole, name), "the program has {name}");
        assert!(!has(&library, name), "a library has no {name}");
    }
    assert!(has(&library, "andante-stage") && has(&library, "andante-gait"));
}
