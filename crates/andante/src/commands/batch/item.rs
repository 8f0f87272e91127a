//! One command of a batch, with its gaps filled.

use crate::args::{Args, CliCommand};
use crate::failure::Failure;
use crate::pipes::{reads_stdin, writes_stdout, written};
use clap::Parser;
use serde_json::{Map, Value};
use siphasher::sip128::{Hasher128, SipHasher13};
use std::collections::HashMap;
use std::hash::Hasher;
use std::path::{Path, PathBuf};

/// A command of a batch.
pub struct BatchItem {
    /// Where it stands in the whole list, from 0.
    pub place: usize,
    /// The name of its job.
    pub job: String,
    /// What fills the gaps.
    pub values: Vec<(String, String)>,
    /// The command; `{out}` still stands for the folder of the item.
    pub words: Vec<String>,
    /// What tells it from any other: made from the words alone.
    pub key: String,
    /// The folder that paths are relative to.
    pub home: PathBuf,
}

impl BatchItem {
    /// True if the command writes into a folder of its own.
    pub fn has_folder(&self) -> bool {
        self.words.iter().any(|word| word.contains("{out}"))
    }

    /// Its own folder in that of the batch.
    pub fn folder(&self, batch: &Path) -> PathBuf {
        batch.join("items").join(&self.key)
    }

    /// The words with a folder in place.
    pub fn words_into(&self, folder: &Path) -> Vec<String> {
        let folder = folder.to_string_lossy();
        self.words.iter().map(|word| word.replace("{out}", &folder)).collect()
    }

    /// The values of the gaps, for scripts.
    pub fn values_json(&self) -> Value {
        let pair = |(name, value): &(String, String)| (name.clone(), Value::from(value.as_str()));
        Value::Object(self.values.iter().map(pair).collect::<Map<_, _>>())
    }

    /// The words that say where it writes.
    pub fn outputs(&self) -> Vec<String> {
        let all = std::iter::once("andante").chain(self.words.iter().map(String::as_str));
        let args = Args::try_parse_from(all);
        args.map(|mut args| written(&mut args.command)).unwrap_or_default()
    }

    /// Refuses items of which one would take the place of another's results.
    pub fn check_apart(items: &[Self]) -> Result<(), Failure> {
        let mut taken: HashMap<String, &Self> = HashMap::new();
        for item in items {
            // Folders may be shared.
            let is_file = |output: &String| {
                !output.contains("{out}") && Path::new(output).extension().is_some()
            };
            for output in item.outputs().into_iter().filter(is_file) {
                if let Some(first) = taken.insert(output.clone(), item) {
                    let [a, b] = [first, item].map(|item| item.words.join(" "));
                    return Err(Failure::new(format!(
                        "job `{}`: `andante {a}` and `andante {b}` both write {output}",
                        item.job
                    ))
                    .hint("{out}/NAME is in a folder of the item's own"));
                }
            }
        }
        Ok(())
    }

    /// Refuses what is no command, before hours of work.
    pub fn check(&self) -> Result<(), Failure> {
        let all = std::iter::once("andante".to_string()).chain(self.words_into(Path::new("out")));
        let blame = |what: String| {
            let words = self.words.join(" ");
            Failure::new(format!("job `{}`: `andante {words}`: {what}", self.job))
        };
        let mut args = Args::try_parse_from(all).map_err(|error| {
            let message = error.render().to_string();
            let message = message.split("\n\n").next().unwrap_or_default();
            blame(message.trim_start_matches("error: ").trim().to_string())
        })?;
        let beside = |word: &str| {
            word.split("{out}").skip(1).any(|rest| !(rest.is_empty() || rest.starts_with('/')))
        };
        if let Some(word) = self.words.iter().find(|word| beside(word)) {
            let hint = "files of an item are in its folder: {out}/NAME";
            return Err(blame(format!("`{word}` is beside that; {hint}")));
        }
        if reads_stdin(&mut args.command) {
            return Err(blame("nothing comes through its stdin".into()));
        }
        if writes_stdout(&mut args.command) {
            return Err(blame("its stdout is for its results".into()));
        }
        match args.command {
            CliCommand::Batch(_)
            | CliCommand::Merge(_)
            | CliCommand::Studio(_)
            | CliCommand::Completions(_)
            | CliCommand::Man(_) => Err(blame("is no work for a batch".into())),
            _ => Ok(()),
        }
    }
}

/// The key of a command: the same words of the same version have the same one.
pub fn key_of(words: &[String]) -> String {
    let mut hasher = SipHasher13::new();
    for word in std::iter::once(env!("CARGO_PKG_VERSION")).chain(words.iter().map(String::as_str)) {
        hasher.write_u64(word.len() as u64);
        hasher.write(word.as_bytes());
    }
    hex(&hasher)
}

/// A digest as text.
pub fn hex(hasher: &SipHasher13) -> String {
    let digest = hasher.finish128();
    format!("{:016x}{:016x}", digest.h1, digest.h2)
}
