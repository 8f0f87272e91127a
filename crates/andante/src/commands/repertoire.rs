//! `andante repertoire`.

use super::select;
use crate::args::RepertoireArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, table, write};
use andante_formats::gate::read_bytes;
use andante_formats::{Asset, Format};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::repertoire::{ClipSource, SessionOptions, cut_session, from_clips};
use andante_motion::rig;
use andante_play::repertoire::{Repertoire, RepertoireClip};
use andante_skeleton::{Character, Clip, Rig, Skeleton, humanoid};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};

pub fn run(args: &RepertoireArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let source = &args.source;
    let mut skipped = Vec::new();
    let repertoire = if source.as_os_str() == "built-in" {
        andante_motion::repertoire::built_in(&humanoid()).or_fail()?
    } else if source.is_dir() {
        from_directory(args, context, &mut skipped)?
    } else if Format::of(source).is_some() {
        from_session(args, context, &mut skipped)?
    } else {
        let bytes = read_bytes(source, &context.limits)?;
        Repertoire::from_bytes(&bytes)
            .map_err(|error| Failure::new(format!("{}: {error}", source.display())))?
    };
    for (file, reason) in &skipped {
        context.warn(&format!("{}: left out: {reason}", file.display()));
    }
    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {} clips\n",
        repertoire.character().name,
        repertoire.clips().len()
    );
    let rows: Vec<Vec<String>> = repertoire
        .clips()
        .iter()
        .map(|clip| {
            vec![
                clip.name().into(),
                clip.class().name().into(),
                format!("{:.2} s", clip.period()),
                format!("{:.2} m/s", clip.speed()),
                format!("{:.0}°/s", clip.turn_rate().to_degrees()),
            ]
        })
        .collect();
    text.push_str(&table(&rows, &[2, 3, 4]));
    for family in repertoire.families() {
        let [slow, fast] = family.speed_range();
        text.push_str(&format!(
            "{} gaits can be blended from {slow:.2} to {fast:.2} m/s\n",
            family.members().len()
        ));
    }
    let mut bytes = None;
    if let Some(path) = &args.output {
        let file = repertoire.to_bytes();
        write(path, &file)?;
        text.push_str(&format!(
            "written to {} ({} kB)\n",
            path.display(),
            file.len().div_ceil(1000)
        ));
        bytes = Some(file.len());
    }
    let reason = |(file, reason): &(PathBuf, String)| json!({ "file": file.display().to_string(), "reason": reason });
    let json = json!({
        "character": repertoire.character().name,
        "clips": repertoire.clips().iter().map(clip_json).collect::<Vec<_>>(),
        "skipped": skipped.iter().map(reason).collect::<Vec<_>>(),
        "bytes": bytes,
    });
    Ok(CommandReport::done(text, json))
}

fn clip_json(clip: &RepertoireClip) -> Value {
    json!({
        "name": clip.name(), "class": clip.class().name(), "cyclic": clip.is_cyclic(), "seconds": clip.period(),
        "speed_mps": clip.speed(), "turn_rate_dps": clip.turn_rate().to_degrees(),
    })
}

/// Reads every motion of a directory. The first file's skeleton is the character; files of other
/// skeletons, and clips that cannot be used, are left out with a reason.
fn from_directory(
    args: &RepertoireArgs,
    context: &CliContext,
    skipped: &mut Vec<(PathBuf, String)>,
) -> Result<Repertoire, Failure> {
    let files = motions(&args.source)?;
    let progress = context.progress(files.len() as u64, "reading");
    let read: Vec<Result<Asset, Failure>> = files
        .par_iter()
        .map(|file| {
            let asset = select::read(file, &args.reading, None, &context.limits);
            progress.inc(1);
            asset
        })
        .collect();
    progress.finish_and_clear();

    let mut skeleton: Option<Skeleton> = None;
    let mut clips: Vec<(PathBuf, Clip)> = Vec::new();
    for (file, asset) in files.iter().zip(read) {
        let asset = asset.map_err(|failure| failure.to_string()).and_then(|asset| {
            let first = skeleton.get_or_insert_with(|| asset.skeleton.clone());
            let other = "has another skeleton; `andante retarget` puts it on this one";
            select::same_joints(first, &asset.skeleton).then_some(asset).ok_or(other.into())
        });
        match asset {
            Ok(asset) => clips.extend(asset.clips.into_iter().map(|clip| (file.clone(), clip))),
            Err(reason) => skipped.push((file.clone(), reason)),
        }
    }
    let Some(skeleton) = skeleton else {
        return Err(Failure::new(format!("{}: there are no motions in it", args.source.display()))
            .hint("it should hold .bvh, .amc with .asf, .glb, .gltf, .vrm, .fbx or .npz files"));
    };
    let all: Vec<Clip> = clips.iter().map(|(_, clip)| clip.clone()).collect();
    let rig = rig::detect(&skeleton, &all).or_fail()?;
    let character = learner(args, skeleton, rig);
    learnt(&character, clips, true, skipped)
}

/// Who learns, called by where it learns from.
fn learner(args: &RepertoireArgs, skeleton: Skeleton, rig: Rig) -> Character {
    let source = &args.source;
    let name = if source.is_dir() { source.file_name() } else { source.file_stem() };
    let name = name.unwrap_or_default().to_string_lossy().into_owned();
    Character { description: format!("learnt from {name}"), name, skeleton, rig }
}

/// Cuts a recording of a whole session into pieces, and learns from those of use.
fn from_session(
    args: &RepertoireArgs,
    context: &CliContext,
    skipped: &mut Vec<(PathBuf, String)>,
) -> Result<Repertoire, Failure> {
    let path = &args.source;
    let mut asset = select::read(path, &args.reading, None, &context.limits)?;
    select::drop_t_poses(&mut asset)?;
    let fail = |error: &dyn std::fmt::Display| Failure::of_file(path, error);
    let rig = rig::detect(&asset.skeleton, &asset.clips).map_err(|error| fail(&error))?;
    let mut clips = Vec::new();
    for clip in &asset.clips {
        let analysis = analyse(&asset.skeleton, &rig, clip, &AnalysisOptions::default())
            .map_err(|error| fail(&error))?;
        let pieces = cut_session(&asset.skeleton, clip, &analysis, &SessionOptions::default())
            .map_err(|error| fail(&error))?;
        for piece in pieces {
            let span = piece.interval;
            let place = format!("{} ({:.2}…{:.2} s)", piece.clip.name(), span.start, span.end);
            clips.push((path.join(place), piece.clip));
        }
    }
    let character = learner(args, asset.skeleton, rig);
    // Many strides are no cycle, though the last one leads on to the first: the best of them is learnt.
    learnt(&character, clips, false, skipped)
}

/// Learns from the clips that are of use; others are left out with a reason.
fn learnt(
    character: &Character,
    clips: Vec<(PathBuf, Clip)>,
    cycles: bool,
    skipped: &mut Vec<(PathBuf, String)>,
) -> Result<Repertoire, Failure> {
    let analysed: Vec<_> = clips
        .par_iter()
        .map(|(_, clip)| {
            analyse(&character.skeleton, &character.rig, clip, &AnalysisOptions::default())
        })
        .collect();
    let mut sources = Vec::new();
    for ((file, clip), analysis) in clips.into_iter().zip(analysed) {
        // One clip at a time, so that one without a usable stride does not spoil the others.
        let usable = || -> Result<ClipSource, Box<dyn Error>> {
            let mut source = ClipSource::analysed(&character.skeleton, &clip, &analysis?)?;
            source.cyclic &= cycles;
            from_clips(character, std::slice::from_ref(&source))?;
            Ok(source)
        };
        match usable() {
            Ok(source) => sources.push(source),
            Err(reason) => skipped.push((file, reason.to_string())),
        }
    }
    from_clips(character, &sources).or_fail()
}

fn motions(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(directory).map_err(|error| {
        Failure::new(format!("{}: cannot be read: {error}", directory.display()))
    })?;
    let is_motion =
        |path: &PathBuf| Format::of(path).is_some() && !select::has_extension(path, "asf");
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(is_motion).collect();
    files.sort();
    Ok(files)
}
