//! `andante convert`.

use super::many::{self, FoundFile};
use super::select::{self, has_extension};
use crate::args::ReadingArgs;
use crate::args::{BodyChoice, ConvertArgs, PipeFormat};
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{CommandReport, FAINT, paths_json};
use andante_formats::{Asset, Format, ReadLimits, gltf, unwritten};
use andante_skeleton::{Clip, Skeleton};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// One input and where it goes.
struct Job {
    input: PathBuf,
    output: ConvertOutput,
}

/// A file asked for by name, or a place in a directory.
#[derive(Clone)]
enum ConvertOutput {
    File(PathBuf),
    Placed(PathBuf),
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
    let (files, outputs, asf) = jobs(args)?;
    let mut reading = args.motion.reading.clone();
    reading.asf = asf.or(reading.asf);
    let work = |index: usize, file: &FoundFile| {
        let job = Job { input: file.path.clone(), output: outputs[index].clone() };
        let converted = convert(&job, args, &reading, &context.limits)?;
        context.warn_of(converted.input.display(), &converted.warnings);
        Ok(CommandReport::done(converted.to_text(), converted.to_json()))
    };
    Ok(many::all(&files, "converted", context, |_, report| report.text.clone(), work))
}

/// Files with where they go, and the skeleton of .amc files if one was given among them.
type Jobs = (Vec<FoundFile>, Vec<ConvertOutput>, Option<PathBuf>);

/// Pairs inputs with outputs. An .asf beside .amc inputs is their skeleton, not an input of its own.
fn jobs(args: &ConvertArgs) -> Result<Jobs, Failure> {
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
    let files = many::find(&motions)?.files;
    let is_directory = select::is_folder(out);
    if !is_directory && files.len() > 1 {
        return Err(many::needs_folder(files.len(), out));
    }
    if !is_directory && Format::written(out).is_none() {
        return Err(Failure::of_file(out, unwritten(out)));
    }
    let contradicts =
        |format: &PipeFormat| !is_directory && !has_extension(out, format.extension());
    if let Some(format) = args.format.filter(contradicts) {
        let (out, format) = (out.display(), format.extension());
        return Err(Failure::new(format!("{out} is no .{format} file, and --format says so"))
            .hint("its name tells the format: leave the option out"));
    }
    let outputs = match is_directory {
        true => {
            let extension = args.format.unwrap_or(PipeFormat::Glb).extension();
            let places = many::places(&files, out, Some(extension))?;
            places.into_iter().map(ConvertOutput::Placed).collect()
        }
        false => vec![ConvertOutput::File(out.clone())],
    };
    Ok((files, outputs, asf))
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
    // Clips are handed on and not copied: a long recording is there once.
    let clips = std::mem::take(&mut asset.clips);
    let edited = clips.into_iter().map(|clip| edit(&asset.skeleton, clip, args));
    asset.clips = edited.collect::<Result<Vec<Clip>, Failure>>()?;
    let options = gltf::GltfWriteOptions {
        body: match args.body {
            BodyChoice::Auto => gltf::GltfBody::Original,
            BodyChoice::Capsules => gltf::GltfBody::Capsules,
            BodyChoice::None => gltf::GltfBody::None,
        },
        ..gltf::GltfWriteOptions::default()
    };
    let read = select::files_read(&job.input, reading);
    let joints = asset.skeleton.len();
    let told = |clip: &Clip| (clip.name().to_owned(), clip.frame_count(), clip.fps());
    let clips = asset.clips.iter().map(told).collect();
    let mut outputs = Vec::new();
    for (path, part) in split(asset, job)? {
        select::refuse_to_overwrite(&path, &read)?;
        outputs.extend(select::write_asset(&path, &part, &options, &args.writing)?);
    }
    Ok(Converted { input: job.input.clone(), outputs, joints, clips, warnings })
}

fn edit(skeleton: &Skeleton, clip: Clip, args: &ConvertArgs) -> Result<Clip, Failure> {
    let clip = match args.drop_first_frame {
        true => select::without_first_frames(skeleton, &clip)?,
        false => clip,
    };
    match args.fps {
        Some(fps) if fps != clip.fps() => {
            let made = clip.resampled(fps).or_fail()?;
            match made.frame_count() == 1 && clip.frame_count() > 1 {
                true => Err(Failure::new(format!(
                    "--fps {fps}: nothing but its first frame would be left of {:.2} s",
                    clip.duration()
                ))),
                false => Ok(made),
            }
        }
        _ => Ok(clip),
    }
}

/// glTF files hold any number of clips, the others one each.
fn split(mut asset: Asset, job: &Job) -> Result<Vec<(PathBuf, Asset)>, Failure> {
    match &job.output {
        ConvertOutput::File(path) if holds_several(path) || asset.clips.len() < 2 => {
            Ok(vec![(path.clone(), asset)])
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
        ConvertOutput::Placed(whole) => {
            if holds_several(whole) || asset.clips.len() < 2 {
                return Ok(vec![(whole.clone(), asset)]);
            }
            let [stem, extension] = [whole.file_stem(), whole.extension()]
                .map(|part| part.unwrap_or_default().to_string_lossy());
            let mut taken = HashSet::new();
            let clips = std::mem::take(&mut asset.clips);
            let single = |clip: Clip| {
                // Names may hold anything and be alike; files may not.
                let safe =
                    |c: char| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '_' };
                let name: String = clip.name().chars().map(safe).collect();
                let numbered = (2..).map(|number| format!("{name}-{number}"));
                let name = std::iter::once(name.clone())
                    .chain(numbered)
                    .find(|name| taken.insert(name.to_lowercase()));
                let name = name.unwrap_or_default();
                let path = whole.with_file_name(format!("{stem}-{name}.{extension}"));
                (path, Asset { clips: vec![clip], ..asset.clone() })
            };
            Ok(clips.into_iter().map(single).collect())
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
