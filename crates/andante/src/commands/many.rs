//! One command on many files: folders and patterns as words, all cores, progress, a summary, and failures that do not stop the
//! rest.

use super::select;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{CommandReport, ERROR, TOLD};
use andante_formats::Format;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A file that a command was given, by its name or as one of many.
pub struct FoundFile {
    pub path: PathBuf,
    /// Its path below the folder or pattern that it was found by; otherwise its name.
    pub below: PathBuf,
}

/// The files that some words stand for.
pub struct FoundFiles {
    pub files: Vec<FoundFile>,
    /// Whether one file was named and no folder or pattern.
    pub single: bool,
}

/// Finds the files that words stand for: files by their names, all motions of a folder and of those in it, and whatever is like a
/// pattern (`mocap/**/*.bvh`), which works where shells do not expand them, too.
pub fn find(words: &[PathBuf]) -> Result<FoundFiles, Failure> {
    let mut files = Vec::new();
    let mut single = words.len() == 1;
    for word in words {
        if word.is_dir() {
            single = false;
            motions_in(word, word, &mut files)?;
        } else if is_pattern(word) && !word.exists() {
            single = false;
            matching(word, &mut files)?;
        } else {
            let below = word.file_name().map_or_else(|| word.clone(), PathBuf::from);
            files.push(FoundFile { path: word.clone(), below });
        }
    }
    Ok(FoundFiles { files, single })
}

/// True of a word that stands for several files.
pub fn is_pattern(word: &Path) -> bool {
    word.to_string_lossy().contains(['*', '?', '['])
}

/// True of a file that can hold a motion.
fn is_motion(path: &Path) -> bool {
    Format::of(path).is_some() && !select::has_extension(path, "asf")
}

fn motions_in(folder: &Path, home: &Path, files: &mut Vec<FoundFile>) -> Result<(), Failure> {
    let before = files.len();
    let fail = |error: std::io::Error| Failure::of_file(folder, format!("cannot be read: {error}"));
    let entries = std::fs::read_dir(folder).map_err(fail)?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            motions_in(&path, home, files)?;
        } else if is_motion(&path) && path.is_file() {
            let below = path.strip_prefix(home).unwrap_or(&path).to_path_buf();
            files.push(FoundFile { path, below });
        }
    }
    match folder == home && files.len() == before {
        true => Err(Failure::of_file(folder, "there is no motion in it")
            .hint("motions are .bvh, .amc, .glb, .gltf, .vrm, .fbx and .npz files")),
        false => Ok(()),
    }
}

fn matching(pattern: &Path, files: &mut Vec<FoundFile>) -> Result<(), Failure> {
    let text = pattern.to_string_lossy();
    let wrong =
        |error: &dyn std::fmt::Display| Failure::new(format!("`{text}` is no pattern: {error}"));
    let options =
        glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::new() };
    let found = glob::glob_with(&text, options).map_err(|error| wrong(&error))?;
    let mut paths: Vec<PathBuf> = found.flatten().filter(|path| path.is_file()).collect();
    paths.retain(|path| is_motion(path));
    paths.sort();
    if paths.is_empty() {
        return Err(Failure::new(format!("no motion is like `{text}`")));
    }
    // What stands before the first folder that is a pattern is the same for all.
    let home: PathBuf = pattern.iter().take_while(|part| !is_pattern(Path::new(part))).collect();
    files.extend(paths.into_iter().map(|path| {
        let below = path.strip_prefix(&home).unwrap_or(&path).to_path_buf();
        FoundFile { path, below }
    }));
    Ok(())
}

/// The place that each of many files goes to: below a folder, under its own name with this extension, or with its own.
pub fn places(
    files: &[FoundFile],
    folder: &Path,
    extension: Option<&str>,
) -> Result<Vec<PathBuf>, Failure> {
    let mut seen: HashMap<PathBuf, &Path> = HashMap::new();
    let mut all = Vec::new();
    for FoundFile { path, below } in files {
        // What is read and not written becomes glTF.
        let own = match below.extension() {
            Some(_) if Format::of(path).is_some() && Format::written(path).is_none() => {
                "glb".into()
            }
            own => own.unwrap_or_default().to_string_lossy().into_owned(),
        };
        let extension = extension.map_or(own, str::to_owned);
        let place = folder.join(below.with_extension(extension));
        if let Some(other) = seen.insert(place.clone(), path) {
            let (a, b) = (other.display(), path.display());
            return Err(Failure::new(format!("{a} and {b} would become the same file"))
                .hint("write them to different directories"));
        }
        all.push(place);
    }
    for place in &all {
        let folder = place.parent().unwrap_or(folder);
        std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    }
    Ok(all)
}

/// Several files become several files: a folder is needed.
pub fn needs_folder(count: usize, out: &Path) -> Failure {
    Failure::new(format!("{count} inputs cannot become one file")).hint(format!(
        "write to a directory: {}{}",
        out.display(),
        std::path::MAIN_SEPARATOR
    ))
}

/// Does the same to every file, on all cores. What each prints is printed in the order of the files, as `line` has it; failures
/// are told at the end.
pub fn all(
    files: &[FoundFile],
    done: &'static str,
    context: &CliContext,
    line: impl Fn(&FoundFile, &CommandReport) -> String,
    work: impl Fn(usize, &FoundFile) -> Result<CommandReport, Failure> + Sync,
) -> CommandReport {
    let progress = context.progress(files.len() as u64, done);
    let results: Vec<Option<Result<CommandReport, Failure>>> = files
        .par_iter()
        .enumerate()
        .map(|(index, file)| {
            let result = (!context.stopped()).then(|| work(index, file));
            progress.inc(1);
            result
        })
        .collect();
    progress.finish_and_clear();

    let (mut text, mut list) = (String::new(), Vec::new());
    let (mut failed, mut left, mut exit) = (Vec::new(), 0, 0);
    for (file, result) in files.iter().zip(results) {
        let input = file.path.display().to_string();
        match result {
            None => left += 1,
            Some(Ok(report)) => {
                text.push_str(&line(file, &report));
                let mut json = json!({ "input": input });
                if let (Value::Object(into), Value::Object(own)) = (&mut json, report.json) {
                    into.extend(own);
                }
                list.push(json);
                exit = exit.max(report.exit);
                if report.exit > 0 {
                    failed.push(format!("{input}: not as it was asked for"));
                }
            }
            Some(Err(failure)) => {
                exit = exit.max(failure.exit());
                failure.show();
                let why = failure.to_string();
                let named = if why.contains(&input) { why } else { format!("{input}: {why}") };
                failed.push(named);
                list.push(json!({ "input": input, "error": failure.to_json() }));
            }
        }
    }
    if left > 0 {
        context.warn(&format!("stopped: {left} of {} files were not {done}", files.len()));
    }
    let good = files.len() - failed.len() - left;
    if files.len() > 1 {
        text.push_str(&format!("{good} of {} files {done}\n", files.len()));
        for why in failed.iter().take(TOLD) {
            text.push_str(&format!(
                "  {ERROR}failed{ERROR:#} {}\n",
                why.lines().next().unwrap_or("")
            ));
        }
        if failed.len() > TOLD {
            text.push_str(&format!("  and {} more\n", failed.len() - TOLD));
        }
    }
    let json = json!({ "files": list, "done": good, "failed": failed.len(), "left": left });
    CommandReport { text, json, exit: exit.max(u8::from(left > 0)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_patterns_stand_for_their_motions_in_order() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.bvh", "a.BVH", "deep/c.glb", "deep/d.txt", "deep/e.asf", "f.png"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let below = |words: &[PathBuf]| -> Vec<String> {
            let found = find(words).unwrap().files;
            found.iter().map(|file| file.below.to_string_lossy().replace('\\', "/")).collect()
        };
        let home = folder.path().to_path_buf();
        assert_eq!(below(std::slice::from_ref(&home)), ["a.BVH", "b.bvh", "deep/c.glb"]);
        assert_eq!(below(&[home.join("*.bvh")]), ["b.bvh"]);
        assert_eq!(below(&[home.join("**/*.glb")]), ["deep/c.glb"]);
        assert_eq!(below(&[home.join("deep/c.glb")]), ["c.glb"]);
        assert!(find(&[home.join("*.fbxx")]).is_err());
        let twins = [home.join("b.bvh"), home.join("b.bvh")];
        assert!(places(&find(&twins).unwrap().files, &home.join("out"), None).is_err());
    }
}
