//! The process of one item.

use super::item::BatchItem;
use super::results::ItemOutcome;
use crate::context::CliContext;
use crate::failure::Failure;
use serde_json::{Map, Value, json};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Results that tell of the machine and not of the motion.
const MEASURED: [&str; 4] = ["timings_ms", "us_per_frame_mean", "us_per_frame_p99", "stages_us"];

/// Does one item; nothing if it was stopped in the middle.
pub fn work(
    item: &BatchItem,
    inputs: &str,
    folder: &Path,
    threads: usize,
    context: &CliContext,
) -> Result<Option<ItemOutcome>, Failure> {
    let out =
        std::path::absolute(item.folder(folder)).map_err(|error| Failure::write(folder, &error))?;
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
    if context.force && !has(&words, "--force") {
        words.push("--force".into());
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
    let made = if exit == Some(0) { item.made(folder, &result)? } else { Vec::new() };
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
        made,
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
    command.args(words).args(["--json", "--quiet", "--while-stdin"]);
    command.env("RAYON_NUM_THREADS", threads.to_string());
    // Nothing is written to its stdin, which ends when this process does, however that is.
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
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
