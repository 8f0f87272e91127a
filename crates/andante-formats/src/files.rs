//! Files by their extension.

use crate::atomic::write_all_atomically;
use crate::gate::{open_file, read_bytes};
use crate::refused::{refused, unwritten};
use crate::{Asset, ReadError, ReadOptions, acclaim, bvh, gltf, npz, write_atomically};
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The formats there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `.bvh`
    Bvh,
    /// `.asf` with `.amc`
    Acclaim,
    /// `.glb`
    Glb,
    /// `.gltf`
    Gltf,
    /// `.fbx`, read where the feature `fbx` is
    Fbx,
    /// `.npz` of poses, read
    Npz,
    /// `.vrm`, read
    Vrm,
}

impl Format {
    /// The format that a path's extension names.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "bvh" => Some(Self::Bvh),
            "asf" | "amc" => Some(Self::Acclaim),
            "glb" => Some(Self::Glb),
            "gltf" => Some(Self::Gltf),
            "fbx" => Some(Self::Fbx),
            "npz" => Some(Self::Npz),
            "vrm" => Some(Self::Vrm),
            _ => None,
        }
    }

    /// The format that a path's extension names, if files of it can be written.
    pub fn written(path: &Path) -> Option<Self> {
        Self::of(path).filter(|format| !matches!(format, Self::Fbx | Self::Npz | Self::Vrm))
    }
}

/// The error of a file that could not be written.
#[derive(Debug, Error)]
pub enum WriteFileError {
    /// The extension names no format.
    #[error("{path}: {}", unwritten(path))]
    Format {
        /// The file.
        path: PathBuf,
    },
    /// The format holds exactly one clip.
    #[error("{path}: {}", wrong_count(*count))]
    Clips {
        /// The file.
        path: PathBuf,
        /// Clips of the asset.
        count: usize,
    },
    /// The asset does not make a glTF file.
    #[error("{path}: {source}")]
    Gltf {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: gltf::WriteError,
    },
    /// The operating system's error.
    #[error("{path}: cannot be written: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// What is wrong with so many clips where there has to be one.
fn wrong_count(count: usize) -> String {
    match count {
        0 => "holds one clip, and there is no animation to write".into(),
        _ => format!("holds one clip, not {count}"),
    }
}

/// Reads a file of any format. Its clip is called after the file unless the file names it.
///
/// An `.amc` file needs its skeleton: `asf`, or else the `.asf` of the same name, or else the only
/// `.asf` beside it. An `.asf` file alone gives a skeleton without clips.
pub fn read_file(
    path: &Path,
    options: &ReadOptions,
    asf: Option<&Path>,
) -> Result<Asset, ReadError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let Some(format) = Format::of(path) else {
        return Err(unknown(path).in_file(path));
    };
    match format {
        Format::Bvh => bvh::read(&read_bytes(path, &options.limits)?, &name, options),
        Format::Glb | Format::Gltf | Format::Vrm => {
            gltf::read(&read_bytes(path, &options.limits)?, path.parent(), &name, options)
        }
        Format::Fbx => read_fbx(&read_bytes(path, &options.limits)?, path.parent(), &name, options),
        Format::Npz => npz::read(&read_bytes(path, &options.limits)?, &name, options),
        Format::Acclaim => {
            let is_skeleton =
                path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("asf"));
            if is_skeleton {
                skeleton_alone(&read_bytes(path, &options.limits)?, options)
            } else {
                let asf = match asf {
                    Some(asf) => asf.to_path_buf(),
                    None => skeleton_of(path)?,
                };
                let skeleton = read_bytes(&asf, &options.limits)?;
                let skeleton =
                    acclaim::read_asf(&skeleton, options).map_err(|error| error.in_file(&asf))?;
                let motion = io::BufReader::new(open_file(path)?);
                acclaim::read_amc(&skeleton, motion, &name)
            }
        }
    }
    .map_err(|error| error.in_file(path))
}

/// Reads a file that is in memory already: bytes that were fetched, dropped on a page or packed into a game. The extension of
/// `path`, which is not opened, names the format, and so does its stem the clip. Files that need another beside them cannot be
/// read so: motions in `.amc`, and `.gltf` with buffers or images of its own.
pub fn read_memory(path: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Asset, ReadError> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    match Format::of(path) {
        Some(Format::Bvh) => bvh::read(bytes, &name, options),
        Some(Format::Glb | Format::Gltf | Format::Vrm) => gltf::read(bytes, None, &name, options),
        Some(Format::Fbx) => read_fbx(bytes, None, &name, options),
        Some(Format::Npz) => npz::read(bytes, &name, options),
        Some(Format::Acclaim) => {
            Err(ReadError::file("a skeleton and its motions are two files; use .bvh or .glb"))
        }
        None => Err(unknown(path)),
    }
    .map_err(|error| error.in_file(path))
}

fn unknown(path: &Path) -> ReadError {
    ReadError::file(refused(path).unwrap_or(
        "not a format that can be read; use .bvh, .amc with .asf, .glb, .gltf, .vrm, .fbx or .npz",
    ))
}

#[cfg(feature = "fbx")]
use crate::fbx::read as read_fbx;

#[cfg(not(feature = "fbx"))]
fn read_fbx(_: &[u8], _: Option<&Path>, _: &str, _: &ReadOptions) -> Result<Asset, ReadError> {
    Err(ReadError::file("FBX is not read by this build (feature `fbx`); export .glb or .bvh"))
}

/// Writes an asset in the format that the extension names and returns the files written: `.amc`
/// comes with its `.asf`.
pub fn write_file(
    path: &Path,
    asset: &Asset,
    options: &gltf::GltfWriteOptions,
) -> Result<Vec<PathBuf>, WriteFileError> {
    write_file_with(path, asset, options, &bvh::BvhWriteOptions::default())
}

/// The same with BVH in another unit or order of rotations.
pub fn write_file_with(
    path: &Path,
    asset: &Asset,
    options: &gltf::GltfWriteOptions,
    bvh_options: &bvh::BvhWriteOptions,
) -> Result<Vec<PathBuf>, WriteFileError> {
    let format =
        Format::written(path).ok_or_else(|| WriteFileError::Format { path: path.into() })?;
    let put = |path: &Path, bytes: &[u8]| {
        write_atomically(path, bytes)
            .map_err(|source| WriteFileError::Io { path: path.into(), source })
    };
    let gltf_error = |source| WriteFileError::Gltf { path: path.into(), source };
    let only_clip = || match asset.clips.as_slice() {
        [clip] => Ok(clip),
        clips => Err(WriteFileError::Clips { path: path.into(), count: clips.len() }),
    };
    match format {
        Format::Glb => put(path, &gltf::write_glb(asset, options).map_err(gltf_error)?)?,
        Format::Gltf => put(path, &gltf::write_gltf(asset, options).map_err(gltf_error)?)?,
        Format::Bvh => {
            let text = bvh::write(&asset.skeleton, only_clip()?, bvh_options);
            put(path, text.as_bytes())?;
        }
        Format::Acclaim => {
            let pair = acclaim::write(
                &asset.skeleton,
                only_clip()?,
                &acclaim::AcclaimWriteOptions::default(),
            );
            let (asf, amc) = (path.with_extension("asf"), path.with_extension("amc"));
            write_all_atomically(&[(&asf, pair.asf.as_bytes()), (&amc, pair.amc.as_bytes())])
                .map_err(|source| WriteFileError::Io { path: amc.clone(), source })?;
            return Ok(vec![asf, amc]);
        }
        Format::Fbx | Format::Npz | Format::Vrm => {
            return Err(WriteFileError::Format { path: path.into() });
        }
    }
    Ok(vec![path.into()])
}

/// The files that [`write_file`] makes for a path.
pub fn files_written(path: &Path) -> Vec<PathBuf> {
    match Format::of(path) {
        Some(Format::Acclaim) => vec![path.with_extension("asf"), path.with_extension("amc")],
        _ => vec![path.into()],
    }
}

fn skeleton_alone(bytes: &[u8], options: &ReadOptions) -> Result<Asset, ReadError> {
    let (skeleton, units, warnings) = acclaim::read_asf(bytes, options)?.to_skeleton()?;
    Ok(Asset { units, warnings, ..Asset::new(skeleton, Vec::new()) })
}

/// The skeleton file that belongs to an `.amc` file: the `.asf` of the same name, or else the only one
/// beside it.
pub fn skeleton_of(amc: &Path) -> Result<PathBuf, ReadError> {
    let is_asf = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("asf"))
    };
    let directory = match amc.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let entries = std::fs::read_dir(directory).map_err(|error| ReadError::io(directory, error))?;
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_asf).collect();
    found.sort();
    if let Some(same) = found.iter().find(|path| path.file_stem() == amc.file_stem()) {
        return Ok(same.clone());
    }
    let message = match found.as_slice() {
        [only] => return Ok(only.clone()),
        [] => "its skeleton is missing: there is no .asf file beside it",
        _ => "which skeleton? There are several .asf files beside it and none has its name",
    };
    Err(ReadError::file(message).in_file(amc))
}
