//! The files that an item has made, and whether they are still what they were then.

use super::inputs::digest;
use super::item::BatchItem;
use crate::failure::Failure;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A file that an item has made, as it was when the item was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MadeFile {
    /// Its path: `{out}/NAME` in the folder of the item, otherwise as the command has it.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// A digest of its bytes.
    pub digest: String,
}

impl BatchItem {
    /// The files that it has made, by what its command printed.
    pub fn made(&self, batch: &Path, result: &Value) -> Result<Vec<MadeFile>, Failure> {
        let mut paths = BTreeSet::new();
        if self.has_folder() {
            below(&self.folder(batch), "{out}", &mut paths);
        }
        let outputs = self.outputs();
        let elsewhere: Vec<&String> =
            outputs.iter().filter(|output| !output.contains("{out}")).collect();
        let mut note = |path: &str| {
            // Of a folder that others write into as well those that were told.
            let is_own = elsewhere.iter().any(|output| Path::new(path).starts_with(output));
            if is_own && self.home.join(path).is_file() {
                paths.insert(path.to_owned());
            }
        };
        elsewhere.iter().for_each(|output| note(output));
        texts(result, &mut note);
        let file = |path: String| {
            let (bytes, digest) = digest(&self.place_of(&path, batch))?;
            Ok(MadeFile { path, bytes, digest })
        };
        paths.into_iter().map(file).collect()
    }

    /// True if something of what it has made is not there any more, or not whole.
    pub fn has_lost(&self, batch: &Path, made: &[MadeFile]) -> bool {
        if made.is_empty() && self.has_folder() {
            // Nobody wrote down what it was.
            let files = std::fs::read_dir(self.folder(batch)).map_or(0, Iterator::count);
            return files == 0;
        }
        let is_there = |file: &MadeFile| {
            let path = self.place_of(&file.path, batch);
            path.metadata().is_ok_and(|about| about.is_file() && about.len() == file.bytes)
                && digest(&path).is_ok_and(|(_, digest)| digest == file.digest)
        };
        !made.iter().all(is_there)
    }

    fn place_of(&self, path: &str, batch: &Path) -> PathBuf {
        match Path::new(path).strip_prefix("{out}") {
            Ok(inside) => self.folder(batch).join(inside),
            Err(_) => self.home.join(path),
        }
    }
}

/// Every file below a folder, by its path from there.
fn below(folder: &Path, name: &str, paths: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, own) = (entry.path(), entry.file_name());
        let Some(own) = own.to_str() else { continue };
        let name = format!("{name}/{own}");
        // Links are not followed: one may lead back to where it is.
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            below(&path, &name, paths);
        } else if kind.is_file() || kind.is_symlink() && path.is_file() {
            paths.insert(name);
        }
    }
}

/// Every text of a document.
fn texts(value: &Value, tell: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => tell(text),
        Value::Array(list) => list.iter().for_each(|value| texts(value, tell)),
        Value::Object(map) => map.values().for_each(|value| texts(value, tell)),
        _ => {}
    }
}
