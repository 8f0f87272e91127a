//! The list of jobs: a TOML file, and the items it stands for.

use super::item::{BatchItem, key_of};
use crate::context::CliContext;
use crate::failure::Failure;
use andante_formats::gate::{path_in, read_text};
use andante_formats::{ReadError, ReadLimits};
use serde::Deserialize;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The items of one list at most: what is more was hardly meant.
const MOST_ITEMS: usize = 10_000_000;

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JobsFile {
    job: Vec<JobTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JobTable {
    name: Spanned<String>,
    command: Spanned<Vec<String>>,
    #[serde(default)]
    each: toml::map::Map<String, toml::Value>,
}

/// What fills a gap.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Gap {
    List(Vec<Scalar>),
    Range { from: i64, to: i64, step: Option<u32> },
    Files { files: String },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Whole(i64),
    Number(f64),
}

type Problem = (Range<usize>, String);

/// The items of a list, in the order in which they are written: of each job all combinations, gaps by their names and the last one quickest.
pub fn read(path: &Path, context: &CliContext) -> Result<Vec<BatchItem>, Failure> {
    let text = read_text(path, &context.limits)?;
    let at = |(span, message): Problem| {
        ReadError::at(text.as_bytes(), span.start, message).in_file(path)
    };
    let file: JobsFile = toml::from_str(&text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        at((span, error.message().lines().next().unwrap_or_default().to_string()))
    })?;
    let home = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let mut items = Vec::new();
    let mut seen: HashMap<String, (usize, Range<usize>)> = HashMap::new();
    for job in &file.job {
        let values = gaps(job, &home, &context.limits).map_err(at)?;
        expand(job, &values, &home, context.seed, &mut items).map_err(at)?;
        for item in &items[seen.len()..] {
            let span = job.command.span();
            if let Some((other, _)) = seen.insert(item.key.clone(), (item.place, span.clone())) {
                let message =
                    format!("items {} and {} are the same command", other + 1, item.place + 1);
                return Err(at((span, message)).into());
            }
        }
    }
    Ok(items)
}

/// What each gap of a job can be filled with.
fn gaps(
    job: &JobTable,
    home: &Path,
    limits: &ReadLimits,
) -> Result<Vec<(String, Vec<String>)>, Problem> {
    let span = job.name.span();
    let blame = |name: &str, what: String| (span.clone(), format!("`{name}`: {what}"));
    let mut all = Vec::new();
    for (name, value) in &job.each {
        if name == "out" || name.is_empty() || name.contains(['{', '}', '.']) {
            return Err(blame(name, "cannot be the name of a gap".into()));
        }
        let gap = Gap::deserialize(value.clone()).map_err(|_| {
            blame(
                name,
                "is neither a list nor { from = 1, to = 9 } nor { files = \"clips/*.bvh\" }".into(),
            )
        })?;
        let values = match gap {
            Gap::List(list) => list.iter().map(Scalar::text).collect(),
            Gap::Range { from, to, step } => range(from, to, step.unwrap_or(1))
                .ok_or_else(|| blame(name, format!("{from} to {to} are no numbers to count")))?,
            Gap::Files { files } => {
                matching(home, &files, limits).map_err(|what| blame(name, what))?
            }
        };
        if values.is_empty() {
            return Err(blame(name, "there is nothing to fill this gap".into()));
        }
        all.push((name.clone(), values));
    }
    Ok(all)
}

fn range(from: i64, to: i64, step: u32) -> Option<Vec<String>> {
    let count = to.checked_sub(from)?.checked_div(i64::from(step))?;
    let good = from <= to && count < MOST_ITEMS as i64;
    good.then(|| (0..=count).map(|k| (from + k * i64::from(step)).to_string()).collect())
}

/// The files of a pattern, sorted, as paths relative to the folder of the list.
fn matching(home: &Path, pattern: &str, limits: &ReadLimits) -> Result<Vec<String>, String> {
    let inside = path_in(home, pattern, limits).map_err(|error| error.message)?;
    let options = glob::MatchOptions { require_literal_separator: true, ..Default::default() };
    let found = glob::glob_with(&inside.to_string_lossy(), options);
    let found = found.map_err(|error| format!("`{pattern}` is no pattern: {error}"))?;
    let mut files = Vec::new();
    for entry in found {
        let entry = entry.map_err(|error| error.to_string())?;
        if entry.is_file() {
            let name = entry.strip_prefix(home).unwrap_or(&entry);
            let Some(name) = name.to_str() else {
                return Err(format!("{} is no text", entry.display()));
            };
            files.push(name.to_string());
        }
    }
    files.sort();
    match files.is_empty() {
        true => Err(format!("no file is like `{pattern}`")),
        false => Ok(files),
    }
}

/// Adds every combination.
fn expand(
    job: &JobTable,
    values: &[(String, Vec<String>)],
    home: &Path,
    seed: u64,
    items: &mut Vec<BatchItem>,
) -> Result<(), Problem> {
    let span = job.command.span();
    let count = values.iter().try_fold(1usize, |all, (_, one)| all.checked_mul(one.len()));
    let Some(count) = count.filter(|count| count + items.len() <= MOST_ITEMS) else {
        return Err((span, format!("these are more than {MOST_ITEMS} items")));
    };
    let words = job.command.get_ref();
    for (name, _) in values {
        let used = |word: &String| {
            word.contains(&format!("{{{name}}}")) || word.contains(&format!("{{{name}.stem}}"))
        };
        if !words.iter().any(used) {
            return Err((span, format!("no word of the command has the gap {{{name}}}")));
        }
    }
    for number in 0..count {
        let (mut rest, mut chosen) = (number, Vec::new());
        for (name, list) in values.iter().rev() {
            chosen.push((name.clone(), list[rest % list.len()].clone()));
            rest /= list.len();
        }
        chosen.reverse();
        let filled = words.iter().map(|word| fill(word, &chosen));
        let mut filled = filled.collect::<Result<Vec<String>, String>>().map_err(|gap| {
            (span.clone(), format!("nothing is said of {{{gap}}}: add each.{gap}"))
        })?;
        if seed != 1 && !filled.iter().any(|word| word == "--seed") {
            filled.extend(["--seed".into(), seed.to_string()]);
        }
        items.push(BatchItem {
            place: items.len(),
            job: job.name.get_ref().clone(),
            key: key_of(&filled),
            values: chosen,
            words: filled,
            home: home.to_path_buf(),
        });
    }
    Ok(())
}

/// A word with its gaps filled but for `{out}`; the name of a gap that nothing is said of.
fn fill(word: &str, values: &[(String, String)]) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((gap, after)) = after.split_once('}') else { break };
        filled.push_str(before);
        let value = |name: &str| values.iter().find(|(known, _)| known == name).map(|pair| &pair.1);
        match gap.strip_suffix(".stem") {
            _ if gap == "out" => filled.push_str("{out}"),
            Some(name) => {
                let stem = value(name).map(|path| Path::new(path).file_stem().unwrap_or_default());
                filled.push_str(&stem.ok_or_else(|| name.to_string())?.to_string_lossy());
            }
            None => filled.push_str(value(gap).ok_or_else(|| gap.to_string())?),
        }
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

impl Scalar {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_and_unknown_ones_are_named() {
        let values = [("clip".to_string(), "a/b.c.bvh".to_string())];
        let fill = |word| fill(word, &values);
        assert_eq!(fill("x{clip}y{clip.stem}{out}").unwrap(), "xa/b.c.bvhyb.c{out}");
        assert_eq!(fill("{").unwrap(), "{");
        assert_eq!(fill("{seed}").unwrap_err(), "seed");
    }

    #[test]
    fn ranges_count_to_their_end() {
        assert_eq!(range(1, 3, 1).unwrap(), ["1", "2", "3"]);
        assert_eq!(range(0, 10, 4).unwrap(), ["0", "4", "8"]);
        for (from, to, step) in [(3, 1, 1), (1, 3, 0), (i64::MIN, i64::MAX, 1), (0, i64::MAX, 1)] {
            assert!(range(from, to, step).is_none(), "{from} {to} {step}");
        }
    }
}
