//! The process of one item.

use super::item::{BatchItem, hex};
use super::results::ItemOutcome;
use crate::context::CliContext;
use crate::failure::Failure;
use andante_formats::gate::{open_file, read_text};
use andante_formats::{ReadLimits, skeleton_of};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use siphasher::sip128::SipHasher13;
use std::collections::BTreeSet;
use std::hash::Hasher;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Results that tell of the machine and not of the motion.
const MEASURED: [&str; 4] = ["timings_ms", "us_per_frame_mean", "us_per_frame_p99", "stages_us"];

/// A digest of the files that each item is made from.
pub fn fingerprints(items: &[&BatchItem], context: &CliContext) -> Result<Vec<String>, Failure> {
    let progress = context.progress(items.len() as u64, "reading");
    let all = items.par_iter().map(|item| {
        context.go_on()?;
        progress.inc(1);
        fingerprint(item, &context.limits)
    });
    let all = all.collect();
    progress.finish_and_clear();
    all
}

/// A digest of the files that the words name, of those in folders they name, and of those that these files name where they are TOML.
fn fingerprint(item: &BatchItem, limits: &ReadLimits) -> Result<String, Failure> {
    let mut files = BTreeSet::new();
    for word in &item.words {
        // Also what stands behind a sign of equality: `append=run.bvh:0.3`.
        let end = word.rsplit_once('=').map_or(word.as_str(), |(_, end)| end);
        let short = end.split_once(':').map_or(end, |(path, _)| path);
        for name in [word.as_str(), end, short] {
            gather(&item.home.join(name), limits, &mut files, 0);
        }
    }
    let mut hasher = SipHasher13::new();
    for path in &files {
        let fail = |error| Failure::of_file(path, format!("cannot be read: {error}"));
        let name = path.strip_prefix(&item.home).unwrap_or(path).to_string_lossy();
        hasher.write(name.as_bytes());
        let mut file = open_file(path)?;
        hasher.write_u64(file.metadata().map_err(fail)?.len());
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer).map_err(fail)? {
                0 => break,
                count => hasher.write(&buffer[..count]),
            }
        }
    }
    Ok(hex(&hasher))
}

/// Adds a file and what it names, or the files of a folder.
fn gather(path: &Path, limits: &ReadLimits, files: &mut BTreeSet<PathBuf>, depth: usize) {
    // Scenes name characters, those name repertoires; a folder holds motions.
    if depth > 4 || files.contains(path) {
        return;
    }
    if path.is_dir() && depth == 0 && path.file_name().is_some() {
        let inside = std::fs::read_dir(path).into_iter().flatten().flatten();
        inside.map(|entry| entry.path()).filter(|path| path.is_file()).for_each(|path| {
            files.insert(path);
        });
        return;
    }
    if !path.is_file() {
        return;
    }
    files.insert(path.to_path_buf());
    // The skeleton of an Acclaim motion.
    files.extend(skeleton_of(path).ok().filter(|skeleton| skeleton.is_file()));
    let home = path.parent().unwrap_or(Path::new(""));
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let table = is_toml.then(|| read_text(path, limits).ok()).flatten();
    if let Some(table) = table.and_then(|text| text.parse::<toml::Table>().ok()) {
        named(&toml::Value::Table(table), &mut |name| {
            gather(&home.join(name), limits, files, depth + 1);
        });
    }
}

/// Every text of a document.
fn named(value: &toml::Value, tell: &mut impl FnMut(&str)) {
    match value {
        toml::Value::String(text) => tell(text),
        toml::Value::Array(list) => list.iter().for_each(|value| named(value, tell)),
        toml::Value::Table(table) => table.values().for_each(|value| named(value, tell)),
        _ => {}
    }
}

/// Does one item; nothing if it was stopped in the middle.
pub fn work(
    item: &BatchItem,
    inputs: &str,
    folder: &Path,
    threads: usize,
    context: &CliContext,
) -> Result<Option<ItemOutcome>, Failure> {
    let out = std::path::absolute(folder.join("items").join(&item.key))
        .map_err(|error| Failure::write(folder, &error))?;
    if item.has_folder() {
        std::fs::create_dir_all(&out).map_err(|error| Failure::write(&out, &error))?;
    }
    let mut words = item.words_into(&out);
    if item.words[0] == "gait" && out.join("search.bin").is_file() && !has(&words, "--resume") {
        // A search that was stopped goes on.
        words.push("--resume".into());
    }
    if context.limits.outside && !has(&words, "--allow-outside") {
        words.push("--allow-outside".into());
    }
    let begun = Instant::now();
    let Some(ended) = watch(&words, item, threads, context)? else { return Ok(None) };
    let seconds = begun.elapsed().as_secs_f64();
    let mut result: Value = serde_json::from_slice(&ended.stdout).unwrap_or(Value::Null);
    let mut exit = ended.status.code();
    let mut died = exit.is_none().then(|| last_words(&ended.status, &ended.stderr));
    if exit == Some(101) || (exit.is_some() && result.is_null()) {
        // A panic, or a document that never came: no verdict of the command's own.
        died = Some(last_words(&ended.status, &ended.stderr));
        exit = None;
    }
    let mut cost = Map::from_iter([("seconds".to_string(), json!(seconds))]);
    move_costs(&item.words[0], &mut result, &mut cost);
    relative(&mut result, &out.to_string_lossy(), &format!("items/{}", item.key));
    Ok(Some(ItemOutcome {
        item: item.place + 1,
        job: item.job.clone(),
        key: item.key.clone(),
        inputs: inputs.to_string(),
        values: item.values_json(),
        words: item.words.clone(),
        exit,
        died,
        result,
        cost: Value::Object(cost),
    }))
}

fn has(words: &[String], flag: &str) -> bool {
    words.iter().any(|word| word == flag)
}

struct Ended {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// Runs a process to its end; nothing if it was stopped.
fn watch(
    words: &[String],
    item: &BatchItem,
    threads: usize,
    context: &CliContext,
) -> Result<Option<Ended>, Failure> {
    let fail = |error: std::io::Error| {
        Failure::new(format!("job `{}`: no process can be started: {error}", item.job)).of_work()
    };
    let program = std::env::current_exe().map_err(fail)?;
    let mut command = Command::new(program);
    command.args(words).args(["--json", "--quiet"]).env("RAYON_NUM_THREADS", threads.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if !item.home.as_os_str().is_empty() {
        command.current_dir(&item.home);
    }
    // Ctrl-C reaches this process alone, which then asks its children once.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(fail)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let read = |pipe: Option<Box<dyn Read + Send>>| {
        let mut bytes = Vec::new();
        pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        bytes
    };
    std::thread::scope(|scope| {
        let stdout = scope.spawn(move || read(out.map(|pipe| Box::new(pipe) as _)));
        let stderr = scope.spawn(move || read(err.map(|pipe| Box::new(pipe) as _)));
        let mut asked = false;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(fail)? {
                break status;
            }
            if context.stopped() && !asked {
                asked = true;
                ask_to_stop(&mut child);
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let (stdout, stderr) =
            (stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default());
        Ok((!asked).then_some(Ended { status, stdout, stderr }))
    })
}

/// Asks a process to keep what it has and to end.
fn ask_to_stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(pid) = rustix::process::Pid::from_raw(child.id() as i32) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        return;
    }
    let _ = child.kill();
}

/// How a process ended that said nothing for scripts.
fn last_words(status: &ExitStatus, stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let tail: Vec<&str> =
        text.lines().rev().filter(|line| !line.trim().is_empty()).take(4).collect();
    let tail: Vec<&str> = tail.into_iter().rev().collect();
    format!("{status}: {}", tail.join("\n")).trim_end_matches([':', ' ']).to_string()
}

/// Takes out of a result what differs from machine to machine.
fn move_costs(command: &str, result: &mut Value, cost: &mut Map<String, Value>) {
    let Some(result) = result.as_object_mut() else { return };
    // Of a gait the seconds are those of the search; of a scene they are those of the motion.
    let own = (command == "gait").then_some("seconds").map(|name| (name, "search_seconds"));
    for (name, kept) in MEASURED.map(|name| (name, name)).into_iter().chain(own) {
        if let Some(value) = result.remove(name) {
            cost.insert(kept.to_string(), value);
        }
    }
}

/// Paths below the folder of an item become paths below the folder of the batch, which may move.
fn relative(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) if text.contains(from) => *text = text.replace(from, to),
        Value::Array(list) => list.iter_mut().for_each(|value| relative(value, from, to)),
        Value::Object(map) => map.values_mut().for_each(|value| relative(value, from, to)),
        _ => {}
    }
}
