//! `andante merge`: the lines of all shares as one file, and what is missing.

use super::super::select;
use super::item::BatchItem;
use super::results::{ItemOutcome, complaints, read_all};
use super::{folder_of, inputs, jobs};
use crate::args::MergeArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport, paths_json, table, write, written};
use serde_json::{Value, json};
use std::collections::HashMap;

/// How many items of a job came to what end.
#[derive(Default)]
struct JobTally {
    done: usize,
    failed: usize,
    died: usize,
    missing: usize,
    stale: usize,
    seconds: f64,
}

pub fn run(args: &MergeArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let items = jobs::read(&args.jobs, context)?;
    let folder = folder_of(&args.jobs, args.output.as_deref());
    let mut known = read_all(&folder)?;
    let made = |item: &&BatchItem| !args.trust && known.contains_key(&item.key);
    let made: Vec<&BatchItem> = items.iter().filter(made).collect();
    let prints = inputs::fingerprints(&made, context)?;
    let prints: HashMap<&str, String> =
        made.iter().map(|item| item.key.as_str()).zip(prints).collect();
    let mut tallies: Vec<(String, JobTally)> = Vec::new();
    let mut lines = Vec::new();
    let mut merged = Vec::new();
    let mut lost = 0;
    for item in &items {
        if tallies.last().is_none_or(|(job, _)| *job != item.job) {
            tallies.push((item.job.clone(), JobTally::default()));
        }
        let Some((_, tally)) = tallies.last_mut() else { continue };
        let Some(outcome) = known.remove(&item.key) else {
            tally.missing += 1;
            continue;
        };
        if prints.get(item.key.as_str()).is_some_and(|print| *print != outcome.inputs) {
            tally.stale += 1;
            continue;
        }
        lost += usize::from(outcome.exit == Some(0) && item.has_lost(&folder, &outcome.made));
        tally.seconds += outcome.cost["seconds"].as_f64().unwrap_or(0.0);
        match outcome.exit {
            Some(0) => tally.done += 1,
            Some(_) => tally.failed += 1,
            None => tally.died += 1,
        }
        // The same bytes whoever did it.
        let outcome =
            ItemOutcome { item: item.place + 1, made: Vec::new(), cost: Value::Null, ..outcome };
        serde_json::to_writer(&mut lines, &outcome)
            .map_err(|error| Failure::new(error.to_string()).of_work())?;
        lines.push(b'\n');
        merged.push(outcome);
    }
    let mut files = vec![folder.join("results.jsonl")];
    write(&files[0], &lines)?;
    if let Some(path) = &args.csv {
        select::refuse_to_overwrite(path, &[&args.jobs, &files[0]])?;
        write(path, csv(&merged).as_bytes())?;
        files.push(path.clone());
    }
    let told: Vec<String> = merged.iter().filter_map(ItemOutcome::complaint).collect();
    let mut report = report(&tallies, &files, known.len(), &told);
    report.json["files_elsewhere"] = lost.into();
    if lost > 0 {
        let said = "are done, and what they wrote is not here, or not whole: `andante batch --resume` makes it again";
        report.text.push_str(&format!("  {lost} items {said}\n"));
    }
    Ok(report)
}

fn report(
    tallies: &[(String, JobTally)],
    files: &[std::path::PathBuf],
    strange: usize,
    told: &[String],
) -> CommandReport {
    let sum = |pick: fn(&JobTally) -> usize| tallies.iter().map(|(_, tally)| pick(tally)).sum();
    let (done, failed, died): (usize, usize, usize) =
        (sum(|t| t.done), sum(|t| t.failed), sum(|t| t.died));
    let (missing, stale): (usize, usize) = (sum(|t| t.missing), sum(|t| t.stale));
    let heading = ["job", "done", "failed", "died", "missing", "stale", "core s"].map(String::from);
    let mut rows = vec![heading.to_vec()];
    rows.extend(tallies.iter().map(|(job, t)| {
        let counts = [t.done, t.failed, t.died, t.missing, t.stale].map(|count| count.to_string());
        let seconds = format!("{:.1}", t.seconds);
        std::iter::once(job.clone()).chain(counts).chain([seconds]).collect()
    }));
    let total = done + failed + died + missing + stale;
    let mut text = format!("{BOLD}{done} of {total} items{BOLD:#} are done\n");
    text.push_str(&table(&rows, &[1, 2, 3, 4, 5, 6]));
    text.push_str(&complaints(told));
    if missing + stale + died > 0 {
        text.push_str("  missing, died, or made from files that have changed: `andante batch --resume` does them\n");
    }
    if strange > 0 {
        text.push_str(&format!("  {strange} results are of no item of this list\n"));
    }
    text.push_str(&written(files));
    let jobs: Vec<Value> = tallies
        .iter()
        .map(|(job, t)| {
            json!({
                "job": job, "done": t.done, "failed": t.failed, "died": t.died, "missing": t.missing,
                "stale": t.stale, "core_hours": t.seconds / 3600.0,
            })
        })
        .collect();
    let json = json!({
        "items": total, "done": done, "failed": failed, "died": died, "missing": missing,
        "stale": stale, "of_no_item": strange, "complaints": told, "jobs": jobs, "files": paths_json(files),
    });
    CommandReport { text, json, exit: u8::from(done < total) }
}

/// A row for each item: what filled its gaps, how it ended, and every number, word and truth of its result and its metrics.
fn csv(outcomes: &[ItemOutcome]) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut rows: Vec<HashMap<String, String>> = Vec::new();
    for outcome in outcomes {
        let mut row = HashMap::new();
        let mut add = |prefix: &str, value: &Value| {
            for (name, value) in value.as_object().into_iter().flatten() {
                let text = match value {
                    Value::String(text) => text.clone(),
                    Value::Number(_) | Value::Bool(_) => value.to_string(),
                    _ => continue,
                };
                let name = format!("{prefix}{name}");
                if !names.contains(&name) {
                    names.push(name.clone());
                }
                row.insert(name, text);
            }
        };
        add("each.", &outcome.values);
        add("", &outcome.result);
        add("metrics.", &outcome.result["metrics"]);
        rows.push(row);
    }
    let mut text = String::from("item,job,exit");
    names.iter().for_each(|name| text.push_str(&format!(",{}", quoted(name))));
    text.push('\n');
    for (outcome, row) in outcomes.iter().zip(&rows) {
        let exit = outcome.exit.map_or("died".into(), |exit| exit.to_string());
        text.push_str(&format!("{},{},{exit}", outcome.item, quoted(&outcome.job)));
        for name in &names {
            text.push_str(&format!(
                ",{}",
                row.get(name).map_or(String::new(), |cell| quoted(cell))
            ));
        }
        text.push('\n');
    }
    text
}

fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}
