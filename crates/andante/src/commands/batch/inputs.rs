//! The files that an item is made from.

use super::item::{BatchItem, hex};
use crate::context::CliContext;
use crate::failure::Failure;
use andante_formats::gate::{open_file, read_bytes, read_text};
use andante_formats::gltf::named_files;
use andante_formats::{ReadLimits, skeleton_of};
use rayon::prelude::*;
use siphasher::sip128::SipHasher13;
use std::collections::BTreeSet;
use std::hash::Hasher;
use std::io::Read;
use std::path::{Path, PathBuf};

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

/// A digest of the files that the words name, of those in folders they name, and of those that these files name in turn.
fn fingerprint(item: &BatchItem, limits: &ReadLimits) -> Result<String, Failure> {
    let mut files = BTreeSet::new();
    let outputs = item.outputs();
    for word in item.words.iter().filter(|word| !outputs.contains(word)) {
        // Also what stands behind a sign of equality: `append=run.bvh:0.3`.
        let end = word.rsplit_once('=').map_or(word.as_str(), |(_, end)| end);
        let short = end.split_once(':').map_or(end, |(path, _)| path);
        for name in [word.as_str(), end, short] {
            gather(&item.home.join(name), limits, &mut files, 0);
        }
    }
    let mut hasher = SipHasher13::new();
    for path in &files {
        let name = path.strip_prefix(&item.home).unwrap_or(path).to_string_lossy();
        hasher.write(name.as_bytes());
        add(path, &mut hasher)?;
    }
    Ok(hex(&hasher))
}

/// The length of a file, and a digest of it.
pub fn digest(path: &Path) -> Result<(u64, String), Failure> {
    let mut hasher = SipHasher13::new();
    let bytes = add(path, &mut hasher)?;
    Ok((bytes, hex(&hasher)))
}

/// Adds the length and the bytes of a file to a digest.
fn add(path: &Path, hasher: &mut SipHasher13) -> Result<u64, Failure> {
    let fail = |error| Failure::of_file(path, format!("cannot be read: {error}"));
    let mut file = open_file(path)?;
    let bytes = file.metadata().map_err(fail)?.len();
    hasher.write_u64(bytes);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(fail)? {
            0 => return Ok(bytes),
            count => hasher.write(&buffer[..count]),
        }
    }
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
    for name in names_in(path, limits) {
        gather(&home.join(name), limits, files, depth + 1);
    }
}

/// What a file may name in turn: every text of a TOML document, buffers and images of glTF, what XML includes.
fn names_in(path: &Path, limits: &ReadLimits) -> Vec<String> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let mut names = Vec::new();
    match extension.as_str() {
        "toml" => {
            let table = read_text(path, limits).ok().and_then(|text| text.parse().ok());
            if let Some(table) = table {
                texts(&toml::Value::Table(table), &mut |name| names.push(name.to_owned()));
            }
        }
        "gltf" | "glb" => {
            names.extend(read_bytes(path, limits).ok().iter().flat_map(|bytes| named_files(bytes)));
        }
        "xml" | "urdf" => {
            let text = read_text(path, limits).unwrap_or_default();
            // Whatever stands between quotes: what is no file does no harm.
            names.extend(text.split(['"', '\'']).map(str::to_owned));
        }
        _ => {}
    }
    names
}

/// Every text of a document.
fn texts(value: &toml::Value, tell: &mut impl FnMut(&str)) {
    match value {
        toml::Value::String(text) => tell(text),
        toml::Value::Array(list) => list.iter().for_each(|value| texts(value, tell)),
        toml::Value::Table(table) => table.values().for_each(|value| texts(value, tell)),
        _ => {}
    }
}
