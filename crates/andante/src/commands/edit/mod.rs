//! `andante edit`.

mod operation;
mod orders;
mod promise;
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
use promise::{Missed, Promise};
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
    let mut part: Option<ChosenPart> = None;
    let mut given: Vec<(&str, Promise)> = Vec::new();
    for (text, operation) in operations {
        let (edited, promise) = step(&asset.skeleton, &clip, (text, operation), &mut part, files)
            .and_then(|done| {
                if operation.leads_elsewhere() {
                    given.clear();
                }
                still_kept(&given, &asset.skeleton, &done.0).map(|()| done)
            })
            .map_err(|failure| failure.in_operation(text))?;
        clip = edited;
        given.extend(promise.map(|promise| (*text, promise)));
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

/// The part of the body that operations are for, and the word that chose it.
struct ChosenPart {
    text: String,
    mask: BodyMask,
}

/// Refuses what takes back what an operation before it was for.
fn still_kept(given: &[(&str, Promise)], skeleton: &Skeleton, clip: &Clip) -> Result<(), Failure> {
    let broken = |(text, promise): &(&str, Promise)| {
        let missed = promise.missed(skeleton, clip)?;
        Some(format!("{}: it takes back `{text}`", promise.in_words(&missed)))
    };
    match given.iter().find_map(broken) {
        Some(words) => Err(Failure::new(words)
            .hint("operations follow each other from left to right, fades included: what has to hold comes last")
            .of_work()),
        None => Ok(()),
    }
}

/// One operation, kept to the part of the body that was chosen before it, and what it promises.
fn step(
    skeleton: &Skeleton,
    clip: &Clip,
    (text, operation): (&str, &Operation),
    part: &mut Option<ChosenPart>,
    files: OtherFiles,
) -> Result<(Clip, Option<Promise>), Failure> {
    if let Some(mask) = operation.mask(skeleton, clip)? {
        let partial = mask.weights().iter().any(|weight| *weight < 1.0);
        *part = partial.then(|| ChosenPart { text: text.into(), mask });
        return Ok((clip.clone(), None));
    }
    let promise = operation.promise(skeleton, clip)?;
    let whole = operation.apply(skeleton, clip, files)?;
    let edited = match part {
        Some(part) => kept_to(part, skeleton, (clip, &whole))?,
        None => whole.clone(),
    };
    // What was asked for has to be so in what is written, after the mask.
    if let Some(promise) = &promise
        && let Some(missed) = promise.missed(skeleton, &edited)
    {
        let undone = part.as_ref().filter(|_| promise.missed(skeleton, &whole).is_none());
        return Err(not_kept(skeleton, clip, (text, operation), promise, &missed, undone, &whole));
    }
    select::within_reach(skeleton, &edited)?;
    Ok((edited, promise))
}

/// An edit kept to a part of the body, of which something has to be left.
fn kept_to(
    part: &ChosenPart,
    skeleton: &Skeleton,
    (before, edited): (&Clip, &Clip),
) -> Result<Clip, Failure> {
    let kept = masked(skeleton, before, edited, &part.mask).or_fail()?;
    let wanted = part.mask.weights().iter().any(|weight| *weight > 0.0);
    if wanted && !same(edited, before) && same(&kept, before) {
        let text = &part.text;
        return Err(Failure::new(format!("changes nothing of what `{text}` leaves to it"))
            .hint("put mask=all before it, or name a part that it changes")
            .of_work());
    }
    Ok(kept)
}

/// Whether two clips of as many frames are the same, but for rounding.
fn same(a: &Clip, b: &Clip) -> bool {
    a.transforms().iter().zip(b.transforms()).all(|(a, b)| {
        a.rotation.abs_diff_eq(b.rotation, 1e-6) && a.translation.abs_diff_eq(b.translation, 1e-6)
    })
}

/// That an operation does not do what it is for, and a line that would.
fn not_kept(
    skeleton: &Skeleton,
    clip: &Clip,
    (text, operation): (&str, &Operation),
    promise: &Promise,
    missed: &Missed,
    undone: Option<&ChosenPart>,
    made: &Clip,
) -> Failure {
    let words = promise.in_words(missed);
    if let Some(part) = undone {
        return Failure::new(format!("{words}: `{}` takes back what it needs", part.text))
            .hint(format!("without a mask it works: mask=all {text}"))
            .of_work();
    }
    let failure = Failure::new(words).of_work();
    // Only lines that were tried are recommended.
    let works = |line: &String| {
        let tried = Operation::parse(line).and_then(|other| other.tried(skeleton, clip));
        tried.is_ok_and(|works| works)
    };
    match operation.instead(skeleton, clip, made).into_iter().find(works) {
        Some(line) => failure.hint(format!("this works: {line}")),
        None => failure,
    }
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
