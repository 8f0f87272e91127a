//! `andante edit`.

mod operation;
mod orders;
mod words;

use super::clips::metrics_json;
use super::many::{self, FoundFile};
use super::select;
use crate::args::EditArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{CommandReport, FAINT, paths_json};
use andante_formats::{files_written, gltf};
use andante_motion::edit::{BodyMask, masked};
use andante_play::measure::pose_change_deg_mean;
use andante_skeleton::{Clip, Skeleton};
use operation::{Operation, OtherFiles};
use serde_json::{Value, json};
use std::path::Path;
use std::slice::from_ref;

pub fn run(args: &EditArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let (inputs, out, words) = args.parts()?;
    let parsed = words.iter().map(|word| Ok((word.as_str(), Operation::parse(word)?)));
    let operations: Vec<(&str, Operation)> = parsed.collect::<Result<_, Failure>>()?;
    let found = many::find(&inputs)?;
    if let (true, false, [file]) = (found.single, select::is_folder(&out), found.files.as_slice()) {
        return edit((&file.path, &out), &operations, args, context);
    }
    if !select::is_folder(&out) {
        return Err(many::needs_folder(found.files.len(), &out));
    }
    let places = many::places(&found.files, &out, args.pipe.extension())?;
    let work = |index: usize, file: &FoundFile| {
        edit((&file.path, &places[index]), &operations, args, context)
    };
    Ok(many::all(&found.files, "edited", context, |_, report| report.text.clone(), work))
}

/// Edits the motion of one file.
fn edit(
    (input, output): (&Path, &Path),
    operations: &[(&str, Operation)],
    args: &EditArgs,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let mut asset = select::read_motion(input, &args.motion, &context.limits)?;
    let [clip] = asset.clips.as_slice() else {
        let (input, count) = (input.display(), asset.clips.len());
        return Err(Failure::new(format!("{input} holds {count} animations"))
            .hint(format!("choose one with --clip: {}", select::clip_names(&asset.clips))));
    };
    let read = select::files_read(input, &args.motion.reading);
    select::refuse_to_overwrite(output, &read)?;
    let warnings = select::remarks(&asset);
    context.warn_of(input.display(), &warnings);
    let before = clip.clone();
    let mut clip = match args.drop_first_frame {
        true => select::without_first_frames(&asset.skeleton, clip)?,
        false => clip.clone(),
    };
    let files = OtherFiles { reading: &args.motion.reading, limits: &context.limits };
    let mut mask: Option<BodyMask> = None;
    for (text, operation) in operations {
        clip = step(&asset.skeleton, &clip, operation, &mut mask, files)
            .map_err(|failure| failure.in_operation(text))?;
    }
    let report = json!({
        "frames": clip.frame_count(), "fps": clip.fps(), "seconds": clip.duration(),
        "frames_before": before.frame_count(), "seconds_before": before.duration(),
        "outputs": paths_json(&files_written(output)),
        "metrics": quality(&asset.skeleton, &clip, &before),
        "warnings": warnings,
    });
    let text = format!(
        "{} {FAINT}{:.2} s, {} frames{FAINT:#} → {} {FAINT}{:.2} s, {} frames{FAINT:#}\n",
        input.display(),
        before.duration(),
        before.frame_count(),
        output.display(),
        clip.duration(),
        clip.frame_count(),
    );
    asset.clips = vec![clip];
    select::write_asset(output, &asset, &gltf::GltfWriteOptions::default(), &args.writing)?;
    Ok(CommandReport::done(text, report))
}

/// One operation, kept to the part of the body that was chosen before it.
fn step(
    skeleton: &Skeleton,
    clip: &Clip,
    operation: &Operation,
    mask: &mut Option<BodyMask>,
    files: OtherFiles,
) -> Result<Clip, Failure> {
    if let Some(chosen) = operation.mask(skeleton, clip)? {
        *mask = Some(chosen).filter(|mask| mask.weights().iter().any(|weight| *weight < 1.0));
        return Ok(clip.clone());
    }
    let edited = operation.apply(skeleton, clip, files)?;
    let edited = match mask {
        Some(mask) => masked(skeleton, clip, &edited, mask).or_fail()?,
        None => edited,
    };
    select::within_reach(skeleton, &edited)?;
    Ok(edited)
}

/// How good the result is, as far as a body with feet can be made out; and how far it is from what it was,
/// where frames still belong together.
fn quality(skeleton: &Skeleton, clip: &Clip, before: &Clip) -> Value {
    let Ok((rig, analysis)) = select::understand(skeleton, from_ref(clip), clip) else {
        return Value::Null;
    };
    let Ok(mut metrics) = select::measured(skeleton, &rig, clip, &analysis) else {
        return Value::Null;
    };
    let same = clip.frame_count() == before.frame_count() && clip.fps() == before.fps();
    metrics.pose_change_deg_mean = same.then(|| pose_change_deg_mean(clip, before));
    metrics_json(&metrics)
}
