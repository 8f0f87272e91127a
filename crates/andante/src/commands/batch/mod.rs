//! `andante batch`: many items, each a process of its own, on one machine or a share of them on each of many.

mod inputs;
mod item;
mod jobs;
mod made;
pub mod merge;
mod results;
mod worker;

use self::item::BatchItem;
use self::results::{ItemOutcome, ShardFile, complaints};
use crate::args::{BatchArgs, Shard};
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport, FAINT};
use rayon::prelude::*;
use serde_json::json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn run(args: &BatchArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let items = jobs::read(&args.jobs, context)?;
    let total = items.len();
    BatchItem::check_apart(&items)?;
    let own: Vec<BatchItem> = items.into_iter().filter(|item| args.shard.has(item.place)).collect();
    own.iter().try_for_each(BatchItem::check)?;
    if args.list {
        return Ok(listed(&own));
    }
    let folder = folder_of(&args.jobs, args.output.as_deref());
    let mut file = ShardFile::open(&folder, args.shard)?;
    if !args.resume && !file.is_empty() {
        let path = file.path();
        return Err(Failure::of_file(path, "holds results already")
            .hint("go on with --resume, or write to another folder"));
    }
    let known = results::read_all(&folder)?;
    let prints = inputs::fingerprints(&own.iter().collect::<Vec<_>>(), context)?;
    let printed: Vec<(&BatchItem, &str)> =
        own.iter().zip(prints.iter().map(String::as_str)).collect();
    let (kept, to_do): (Vec<_>, Vec<_>) = printed
        .into_par_iter()
        .partition(|(item, print)| is_done(&known, (item, print), args.again, &folder));
    let kept = kept.iter().filter_map(|(item, _)| known.get(&item.key));
    let before: Vec<Option<String>> = kept.map(ItemOutcome::complaint).collect();
    let skipped = [before.iter().flatten().count(), before.len()];
    file.begin()?;
    let tally =
        Tally { told: Mutex::new(before.into_iter().flatten().collect()), ..Tally::default() };
    let broken = do_all(&to_do, args, &folder, &Mutex::new(file), &tally, context);
    if let Some(failure) = broken {
        return Err(failure);
    }
    Ok(tally.report(args.shard, &folder, (own.len(), total), (skipped, to_do.len())))
}

/// Whether an item needs no more work.
fn is_done(
    known: &HashMap<String, ItemOutcome>,
    (item, print): (&BatchItem, &str),
    again: bool,
    folder: &Path,
) -> bool {
    known.get(&item.key).is_some_and(|outcome| {
        let kept = if again { outcome.exit == Some(0) } else { outcome.exit.is_some() };
        kept && outcome.inputs == print
            && !(outcome.exit == Some(0) && item.has_lost(folder, &outcome.made))
    })
}

/// The folder of a batch.
pub fn folder_of(jobs: &Path, output: Option<&Path>) -> PathBuf {
    let usual = || PathBuf::from("out").join(jobs.file_stem().unwrap_or_default());
    output.map_or_else(usual, Path::to_path_buf)
}

/// Works on all items; what stops it, if anything does.
fn do_all(
    items: &[(&BatchItem, &str)],
    args: &BatchArgs,
    folder: &Path,
    file: &Mutex<ShardFile>,
    tally: &Tally,
    context: &CliContext,
) -> Option<Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let wanted = if args.processes == 0 { cores } else { usize::from(args.processes) };
    let processes = wanted.min(items.len()).max(1);
    let threads = (cores / processes).max(1);
    let progress = context.progress(items.len() as u64, "items");
    let next = AtomicUsize::new(0);
    let broken = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..processes {
            scope.spawn(|| {
                while let Some((item, print)) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if context.stopped() || broken.lock().is_ok_and(|broken| broken.is_some()) {
                        break;
                    }
                    let done = worker::work(item, print, folder, threads, context);
                    let kept = done.and_then(|outcome| match outcome {
                        Some(outcome) => {
                            tally.count(&outcome);
                            file.lock().map_or(Ok(()), |mut file| file.add(&outcome))
                        }
                        None => Ok(()),
                    });
                    if let (Err(failure), Ok(mut broken)) = (kept, broken.lock()) {
                        broken.get_or_insert(failure);
                    }
                    progress.inc(1);
                }
            });
        }
    });
    progress.finish_and_clear();
    broken.into_inner().ok().flatten()
}

/// How many items came to what end.
#[derive(Default)]
struct Tally {
    done: AtomicUsize,
    failed: AtomicUsize,
    died: AtomicUsize,
    /// What is to be said of those that came to nothing.
    told: Mutex<Vec<String>>,
}

impl Tally {
    fn count(&self, outcome: &ItemOutcome) {
        if let (Some(complaint), Ok(mut told)) = (outcome.complaint(), self.told.lock()) {
            told.push(complaint);
        }
        let counter = match outcome.exit {
            Some(0) => &self.done,
            Some(_) => &self.failed,
            None => &self.died,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// What is told at the end; `own` of all items were in the share, `to_do` were to do, and so many were left out that had
    /// failed before, of so many.
    fn report(
        &self,
        shard: Shard,
        folder: &Path,
        (own, total): (usize, usize),
        ([failed_before, skipped], to_do): ([usize; 2], usize),
    ) -> CommandReport {
        let read = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        let (done, failed, died) = (read(&self.done), read(&self.failed), read(&self.died));
        let left = to_do - done - failed - died;
        let mut text = format!(
            "{BOLD}{own} of {total} items{BOLD:#} in share {}/{}: {done} done, {failed} failed",
            shard.share, shard.of
        );
        for (count, what) in [
            (died, "died"),
            (skipped - failed_before, "were done before"),
            (failed_before, "failed before: --again tries them again"),
            (left, "left: go on with --resume"),
        ] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        let mut told = self.told.lock().map(|told| told.clone()).unwrap_or_default();
        told.sort();
        text.push('\n');
        text.push_str(&complaints(&told));
        let path = ShardFile::path_in(folder, shard);
        text.push_str(&format!("{FAINT}written to {}{FAINT:#}\n", path.display()));
        let json = json!({
            "items": own, "of": total, "done": done, "failed": failed, "died": died,
            "skipped": skipped, "failed_before": failed_before, "left": left, "complaints": told, "file": path.display().to_string(),
        });
        CommandReport { text, json, exit: u8::from(failed + failed_before + died + left > 0) }
    }
}

fn listed(items: &[BatchItem]) -> CommandReport {
    let line = |item: &BatchItem| format!("{}  andante {}\n", item.key, item.words.join(" "));
    let json = items.iter().map(|item| {
        json!({ "item": item.place + 1, "job": item.job, "key": item.key, "values": item.values_json(), "words": item.words })
    });
    CommandReport::done(items.iter().map(line).collect(), json.collect())
}
