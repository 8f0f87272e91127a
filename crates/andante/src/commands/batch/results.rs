//! What became of the items of a batch: lines of JSON, one file for each share.

use super::made::MadeFile;
use crate::args::Shard;
use crate::failure::Failure;
use crate::report::TOLD;
use andante_formats::gate::open_file;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The outcome of one item: a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ItemOutcome {
    /// Its number in the list, from 1.
    pub item: usize,
    /// The name of its job.
    pub job: String,
    /// What tells its command from others.
    pub key: String,
    /// A digest of the files it was made from.
    pub inputs: String,
    /// What filled the gaps.
    pub values: Value,
    /// The command.
    pub words: Vec<String>,
    /// 0 done, 1 the work failed, 2 some input was bad; nothing for a process that was killed.
    pub exit: Option<i32>,
    /// The last words of a process that was killed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub died: Option<String>,
    /// What the command printed.
    pub result: Value,
    /// The files that it made. Only a share knows: nothing that is merged is made again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<MadeFile>,
    /// What it took on the machine that did it: the one part that is not the same elsewhere.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub cost: Value,
}

impl ItemOutcome {
    /// The line that says what it was made with and why it came to nothing; none of one that is done.
    pub fn complaint(&self) -> Option<String> {
        if self.exit == Some(0) {
            return None;
        }
        let word = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let values = self.values.as_object().into_iter().flatten();
        let values: Vec<String> =
            values.map(|(name, value)| format!("{name} = {}", word(value))).collect();
        let violation = |found: &Value| {
            let (kind, at) = (found["kind"].as_str()?.replace('_', " "), found["time_s"].as_f64()?);
            Some(format!("{kind} at {at:.2} s"))
        };
        let wrong = self.result["violations"].get(0).and_then(violation);
        let said = self.result["error"]["message"].as_str().map(str::to_owned);
        let why = self.died.clone().or(said).or(wrong);
        let ended = || self.exit.map_or("it died".into(), |exit| format!("exit code {exit}"));
        let why = why.unwrap_or_else(ended);
        Some(format!("{} {}: {}", self.job, values.join(", "), why.lines().next().unwrap_or("")))
    }
}

/// The complaints of some items, a few of them, as lines.
pub fn complaints(all: &[String]) -> String {
    let mut text: String = all.iter().take(TOLD).map(|one| format!("  {one}\n")).collect();
    if all.len() > TOLD {
        text.push_str(&format!("  and {} more\n", all.len() - TOLD));
    }
    text
}

/// The file of a share, to which nobody else writes.
pub struct ShardFile {
    path: PathBuf,
    file: File,
    /// The bytes of whole lines in it.
    whole: u64,
}

impl ShardFile {
    /// The path of the results of a share.
    pub fn path_in(folder: &Path, shard: Shard) -> PathBuf {
        folder.join(format!("shard-{}-of-{}.jsonl", shard.share, shard.of))
    }

    /// Opens it, or makes it; a share that another process works on is refused.
    pub fn open(folder: &Path, shard: Shard) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
        let path = Self::path_in(folder, shard);
        let fail = |error| Failure::write(&path, &error);
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let file = options.open(&path).map_err(fail)?;
        if file.try_lock().is_err() {
            return Err(Failure::of_file(&path, "another process works on this share").of_work());
        }
        let mut whole = 0;
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).map_err(fail)? > 0 {
            if line.ends_with(b"\n") {
                whole += line.len() as u64;
            } else if !line.starts_with(b"{") {
                // Half a result goes; what was never one stays.
                return Err(Failure::of_file(&path, "holds something else than results"));
            }
            line.clear();
        }
        Ok(Self { path, file, whole })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if no result is in it.
    pub fn is_empty(&self) -> bool {
        self.whole == 0
    }

    /// Drops half a line that somebody left who was killed.
    pub fn begin(&mut self) -> Result<(), Failure> {
        let cut = self.file.set_len(self.whole).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(|_| ()).map_err(|error| Failure::write(&self.path, &error))
    }

    /// Adds a line; once this returns it survives a kill.
    pub fn add(&mut self, outcome: &ItemOutcome) -> Result<(), Failure> {
        let fail = |error: std::io::Error| Failure::write(&self.path, &error);
        let mut line = serde_json::to_vec(outcome).map_err(|error| fail(error.into()))?;
        line.push(b'\n');
        let written = (&self.file).write_all(&line).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Half a line is none; what was there before stays.
            let _ = self.file.set_len(self.whole);
            return Err(fail(error));
        }
        self.whole += line.len() as u64;
        Ok(())
    }
}

/// The outcomes of all shares in a folder by their keys; of an item that was done twice the one that went better, or else the last.
pub fn read_all(folder: &Path) -> Result<HashMap<String, ItemOutcome>, Failure> {
    let mut all: HashMap<String, ItemOutcome> = HashMap::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(all) };
    let is_shard = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("shard-") && name.ends_with(".jsonl")
    };
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_shard).collect();
    files.sort();
    for path in files {
        let fail = |error| Failure::of_file(&path, format!("cannot be read: {error}"));
        let mut lines = BufReader::new(open_file(&path)?);
        let (mut line, mut number) = (Vec::new(), 0);
        while lines.read_until(b'\n', &mut line).map_err(fail)? > 0 {
            number += 1;
            // The last line of a share at work, or of one that was killed.
            if line.ends_with(b"\n") {
                let outcome: ItemOutcome = serde_json::from_slice(&line).map_err(|error| {
                    Failure::of_file(&path, format!("line {number} is no result: {error}"))
                })?;
                let better = all.get(&outcome.key).is_none_or(|old| rank(&outcome) <= rank(old));
                if better {
                    all.insert(outcome.key.clone(), outcome);
                }
            }
            line.clear();
        }
    }
    Ok(all)
}

/// Smaller is better.
fn rank(outcome: &ItemOutcome) -> u8 {
    match outcome.exit {
        Some(0) => 0,
        Some(_) => 1,
        None => 2,
    }
}
