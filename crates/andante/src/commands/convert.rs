//! `andante convert`.

use super::select::{self, has_extension};
use crate::args::ReadingArgs;
use crate::args::{BodyChoice, ConvertArgs, PipeFormat};
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{CommandReport, FAINT, paths_json};
use andante_formats::{Asset, Format, ReadLimits, gltf};
use andante_skeleton::{Clip, Skeleton};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// One input and where it goes.
struct Job {
    input: PathBuf,
    output: ConvertOutput,
}

/// A file asked for by name, or a place in a directory.
enum ConvertOutput {
    File(PathBuf),
    Directory { directory: PathBuf, extension: &'static str },
}

/// What became of one input.
struct Converted {
    input: PathBuf,
    outputs: Vec<PathBuf>,
    joints: usize,
    clips: Vec<(String, usize, f32)>,
    warnings: Vec<String>,
}

pub fn run(args: &ConvertArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let (jobs, asf) = jobs(args)?;
    let mut reading = args.motion.reading.clone();
    reading.asf = asf.or(reading.asf);
    let progress = context.progress(jobs.len() as u64, "converting");
    let results: Vec<Option<Result<Converted, Failure>>> = jobs
        .par_iter()
        .map(|job| {
            let result =
                (!context.stopped()).then(|| convert(job, args, &reading, &context.limits));
            progress.inc(1);
            result
        })
        .collect();
    progress.finish_and_clear();

    let mut files = Vec::new();
    let mut text = String::new();
    let (mut failed, mut left, mut exit) = (0, 0, 0);
    for (job, result) in jobs.iter().zip(&results) {
        match result {
            None => left += 1,
            Some(Ok(converted)) => {
                context.warn_of(converted.input.display(), &converted.warnings);
                text.push_str(&converted.to_text());
                files.push(converted.to_json());
            }
            Some(Err(failure)) => {
                failed += 1;
                exit = failure.exit().max(exit);
                failure.show();
                files.push(
                    json!({ "input": job.input.display().to_string(), "error": failure.to_json() }),
                );
            }
        }
    }
    if left > 0 {
        context.warn(&format!("stopped: {left} of {} files were not converted", jobs.len()));
    }
    if jobs.len() > 1 {
        text.push_str(&format!(
            "{} of {} files converted\n",
            jobs.len() - failed - left,
            jobs.len()
        ));
    }
    let exit = exit.max(u8::from(left > 0));
    Ok(CommandReport { text, json: json!({ "files": files }), exit })
}

/// Pairs inputs with outputs. An .asf beside .amc inputs is their skeleton, not an input of its own.
fn jobs(args: &ConvertArgs) -> Result<(Vec<Job>, Option<PathBuf>), Failure> {
    let Some((out, inputs)) = args.paths.split_last() else {
        return Err(Failure::new("nothing to convert"));
    };
    let mut asf = None;
    let mut motions: Vec<PathBuf> = inputs.to_vec();
    if inputs.iter().any(|path| has_extension(path, "amc")) {
        let skeletons: Vec<_> =
            inputs.iter().filter(|path| has_extension(path, "asf")).cloned().collect();
        match skeletons.as_slice() {
            [] => {}
            [one] => asf = Some(one.clone()),
            _ => {
                return Err(Failure::new("several .asf files: which one is the skeleton?")
                    .hint("give one with --asf"));
            }
        }
        motions.retain(|path| !has_extension(path, "asf"));
    }
    let is_directory = select::is_folder(out);
    if !is_directory && motions.len() > 1 {
        return Err(Failure::new(format!("{} inputs cannot become one file", motions.len())).hint(
            format!("write to a directory: {}{}", out.display(), std::path::MAIN_SEPARATOR),
        ));
    }
    if !is_directory && Format::of(out).is_none() {
        return Err(Failure::new(format!("{}: not a format that can be written", out.display()))
            .hint("use .bvh, .amc, .glb or .gltf"));
    }
    let contradicts =
        |format: &PipeFormat| !is_directory && !has_extension(out, format.extension());
    if let Some(format) = args.format.filter(contradicts) {
        let (out, format) = (out.display(), format.extension());
        return Err(Failure::new(format!("{out} is no .{format} file, and --format says so"))
            .hint("its name tells the format: leave the option out"));
    }
    if is_directory {
        std::fs::create_dir_all(out).map_err(|error| Failure::write(out, &error))?;
        let mut seen: HashMap<_, &PathBuf> = HashMap::new();
        for input in &motions {
            if let Some(other) = seen.insert(input.file_stem(), input) {
                let (a, b) = (other.display(), input.display());
                return Err(Failure::new(format!("{a} and {b} would become the same file"))
                    .hint("convert them to different directories"));
            }
        }
    }
    let extension = args.format.unwrap_or(PipeFormat::Glb).extension();
    let output = || match is_directory {
        true => ConvertOutput::Directory { directory: out.clone(), extension },
        false => ConvertOutput::File(out.clone()),
    };
    Ok((motions.into_iter().map(|input| Job { input, output: output() }).collect(), asf))
}

fn convert(
    job: &Job,
    args: &ConvertArgs,
    reading: &ReadingArgs,
    limits: &ReadLimits,
) -> Result<Converted, Failure> {
    let mut asset = select::read(&job.input, reading, args.fps, limits)?;
    select::keep_clip(&mut asset, args.motion.clip.as_deref())?;
    let mut warnings = select::remarks(&asset);
    if args.drop_first_frame {
        // The T-pose it may tell of is gone.
        warnings.truncate(asset.warnings.len());
    } else if warnings.len() > asset.warnings.len() {
        warnings.push("leave it out with --drop-first-frame".into());
    }
    let edited: Result<Vec<Clip>, Failure> =
        asset.clips.iter().map(|clip| edit(&asset.skeleton, clip, args)).collect();
    asset.clips = edited?;
    let options = gltf::GltfWriteOptions {
        body: match args.body {
            BodyChoice::Auto => gltf::GltfBody::Original,
            BodyChoice::Capsules => gltf::GltfBody::Capsules,
            BodyChoice::None => gltf::GltfBody::None,
        },
        ..gltf::GltfWriteOptions::default()
    };
    let read = select::files_read(&job.input, reading);
    let mut outputs = Vec::new();
    for (path, part) in split(&asset, job)? {
        select::refuse_to_overwrite(&path, &read)?;
        outputs.extend(select::write_asset(&path, &part, &options, &args.writing)?);
    }
    Ok(Converted {
        input: job.input.clone(),
        outputs,
        joints: asset.skeleton.len(),
        clips: asset
            .clips
            .iter()
            .map(|clip| (clip.name().into(), clip.frame_count(), clip.fps()))
            .collect(),
        warnings,
    })
}

fn edit(skeleton: &Skeleton, clip: &Clip, args: &ConvertArgs) -> Result<Clip, Failure> {
    let clip = match args.drop_first_frame {
        true => select::without_first_frame(skeleton, clip)?,
        false => clip.clone(),
    };
    match args.fps {
        Some(fps) if fps != clip.fps() => clip.resampled(fps).or_fail(),
        _ => Ok(clip),
    }
}

/// glTF files hold any number of clips, the others one each.
fn split(asset: &Asset, job: &Job) -> Result<Vec<(PathBuf, Asset)>, Failure> {
    let stem = job.input.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let in_directory = |directory: &Path, name: &str, extension: &str| {
        directory.join(format!("{name}.{extension}"))
    };
    match &job.output {
        ConvertOutput::File(path) if holds_several(path) || asset.clips.len() < 2 => {
            Ok(vec![(path.clone(), asset.clone())])
        }
        ConvertOutput::File(path) => {
            let (input, count) = (job.input.display(), asset.clips.len());
            let message =
                format!("{input} holds {count} animations and {} can hold one", path.display());
            Err(Failure::new(message).hint(format!(
                "choose one with --clip ({}), or write all of them to a directory",
                select::clip_names(&asset.clips)
            )))
        }
        ConvertOutput::Directory { directory, extension } => {
            let whole = in_directory(directory, &stem, extension);
            if holds_several(&whole) || asset.clips.len() < 2 {
                return Ok(vec![(whole, asset.clone())]);
            }
            let mut taken = HashSet::new();
            let single = |clip: &Clip| {
                // Names may hold anything and be alike; files may not.
                let safe =
                    |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' };
                let name: String = clip.name().chars().map(safe).collect();
                let numbered = (2..).map(|number| format!("{name}-{number}"));
                let name = std::iter::once(name.clone())
                    .chain(numbered)
                    .find(|name| taken.insert(name.to_lowercase()));
                let path = in_directory(
                    directory,
                    &format!("{stem}-{}", name.unwrap_or_default()),
                    extension,
                );
                (path, Asset { clips: vec![clip.clone()], ..asset.clone() })
            };
            Ok(asset.clips.iter().map(single).collect())
        }
    }
}

fn holds_several(path: &Path) -> bool {
    matches!(Format::of(path), Some(Format::Glb | Format::Gltf))
}

impl Converted {
    fn to_text(&self) -> String {
        let names: Vec<String> =
            self.outputs.iter().map(|path| path.display().to_string()).collect();
        let what = match self.clips.as_slice() {
            [] => "no animation".into(),
            [(_, frames, fps)] => format!("{frames} frames at {fps} fps"),
            clips => format!("{} animations", clips.len()),
        };
        format!(
            "{} → {}  {FAINT}{} joints, {what}{FAINT:#}\n",
            self.input.display(),
            names.join(", "),
            self.joints
        )
    }

    fn to_json(&self) -> Value {
        let first = self.clips.first();
        let clips: Vec<_> = self
            .clips
            .iter()
            .map(|(name, frames, fps)| json!({ "name": name, "frames": frames, "fps": fps }))
            .collect();
        json!({
            "input": self.input.display().to_string(),
            "outputs": paths_json(&self.outputs),
            "joints": self.joints,
            "frames": first.map_or(0, |clip| clip.1),
            "fps": first.map(|clip| clip.2),
            "clips": clips,
            "warnings": self.warnings,
        })
    }
}
