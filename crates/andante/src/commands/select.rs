//! Options that several commands share, put into effect.

use crate::args::{MotionArgs, OrderArg, ReadingArgs, Unit, Up, WritingArgs};
use crate::failure::{Failure, OrFail};
use andante_formats::bvh::BvhWriteOptions;
use andante_formats::gltf::GltfWriteOptions;
use andante_formats::{
    Asset, Format, ReadLimits, ReadOptions, RotationOrder, UnitSource, UpAxis, files_written,
    is_input, read_file, skeleton_of, write_file_with,
};
use andante_motion::analysis::{AnalysisOptions, ClipAnalysis, analyse};
use andante_motion::repertoire::taught;
use andante_motion::rig::{SideOptions, StandingRest, UprightOptions};
use andante_motion::synth::SynthClip;
use andante_motion::{oddities, rig};
use andante_play::measure::{MotionMetrics, measure_level};
use andante_skeleton::{Character, Clip, Rig, Skeleton, SkinnedMesh, check_setting};
use andante_stage::{CharacterFile, on_its_feet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads a file as the options say, for a rate of frames if one is wanted.
pub fn read(
    path: &Path,
    reading: &ReadingArgs,
    fps: Option<f32>,
    limits: &ReadLimits,
) -> Result<Asset, Failure> {
    check_setting("--scale", &reading.scale, 1e-9..=1e9)?;
    check_setting("--fps", &fps, 1e-3..=1e4)?;
    check_setting("--amc-fps", &reading.amc_fps, 1e-3..=1e4)?;
    let up = match reading.up {
        Up::Y | Up::Auto => UpAxis::Y,
        Up::Z => UpAxis::Z,
    };
    // glTF is sampled at the rate that is wanted; the rate of an .amc file is a fact about it.
    let fps = if Format::of(path) == Some(Format::Acclaim) { reading.amc_fps } else { fps };
    let options = ReadOptions {
        scale: reading.scale,
        up,
        up_is_told: !matches!(reading.up, Up::Auto),
        fps,
        limits: limits.clone(),
        ..Default::default()
    };
    let asset = read_file(path, &options, reading.asf.as_deref())?;
    Ok(if matches!(reading.up, Up::Auto) { on_its_feet(path, asset) } else { asset })
}

/// A character and the generated clip that it performs.
pub struct Performer {
    pub character: Character,
    pub made: SynthClip,
    pub skin: Option<Arc<SkinnedMesh>>,
    pub warnings: Vec<String>,
}

/// A generated clip of the built-in human, or the same on the character of a file.
pub fn performed(
    made: SynthClip,
    human: &Character,
    file: Option<&Path>,
    limits: &ReadLimits,
) -> Result<Performer, Failure> {
    let Some(path) = file else {
        let (character, skin, warnings) = (human.clone(), None, Vec::new());
        return Ok(Performer { character, made, skin, warnings });
    };
    let CharacterFile { character, skin, warnings, .. } =
        CharacterFile::read(path, None, limits).map_err(|error| Failure::of_file(path, error))?;
    let made = taught(&character, &made).map_err(|error| Failure::of_file(path, error))?;
    Ok(Performer { character, made, skin, warnings })
}

/// Writes a file as the options say.
pub fn write_asset(
    path: &Path,
    asset: &Asset,
    options: &GltfWriteOptions,
    writing: &WritingArgs,
) -> Result<Vec<PathBuf>, Failure> {
    let scale = match writing.unit {
        Unit::M => 1.0,
        Unit::Cm => 100.0,
        Unit::Mm => 1000.0,
        Unit::Inch => 1.0 / 0.0254,
    };
    let order = match writing.rotation_order {
        Some(OrderArg::Xyz) => RotationOrder::Xyz,
        Some(OrderArg::Xzy) => RotationOrder::Xzy,
        Some(OrderArg::Yxz) => RotationOrder::Yxz,
        Some(OrderArg::Yzx) => RotationOrder::Yzx,
        Some(OrderArg::Zxy) => RotationOrder::Zxy,
        Some(OrderArg::Zyx) | None => RotationOrder::Zyx,
    };
    asset.clips.iter().try_for_each(|clip| within_reach(&asset.skeleton, clip))?;
    check_setting("--key-error", &writing.key_error, 0.0..=1000.0)?;
    let options = &GltfWriteOptions { key_error: 1e-3 * writing.key_error, ..options.clone() };
    // Whoever asks for no order gets a root whose heading does not wind.
    let root_order = writing.rotation_order.is_none().then_some(RotationOrder::Yxz);
    let bvh = BvhWriteOptions { order, root_order, scale, ..BvhWriteOptions::default() };
    Ok(write_file_with(path, asset, options, &bvh)?)
}

/// Refuses a motion that goes farther than files that are read may go: what is written can be read again.
pub fn within_reach(skeleton: &Skeleton, clip: &Clip) -> Result<(), Failure> {
    let reach = ReadLimits::default().reach;
    for (number, frame) in clip.frames().enumerate() {
        for (joint, local) in skeleton.joints().iter().zip(frame) {
            let far = local.translation.abs().max_element();
            if far > reach {
                let (joint, frame) = (&joint.name, number + 1);
                return Err(Failure::new(format!(
                    "joint `{joint}` would be {far:e} m away in frame {frame}; {reach:e} m is the farthest"
                )));
            }
        }
    }
    Ok(())
}

/// Reads the motion that is asked for.
pub fn read_motion(
    path: &Path,
    motion: &MotionArgs,
    limits: &ReadLimits,
) -> Result<Asset, Failure> {
    let mut asset = read(path, &motion.reading, None, limits)?;
    keep_clip(&mut asset, motion.clip.as_deref())?;
    Ok(asset)
}

/// Reads a file that comes without options.
pub fn read_plainly(path: &Path, limits: &ReadLimits) -> Result<Asset, Failure> {
    let options = ReadOptions { limits: limits.clone(), ..Default::default() };
    Ok(on_its_feet(path, read_file(path, &options, None)?))
}

/// Refuses to write over a file that was read so far, or will be.
pub fn refuse_to_overwrite(output: &Path, inputs: &[impl AsRef<Path>]) -> Result<(), Failure> {
    let same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    for written in files_written(output) {
        if is_input(&written) || inputs.iter().any(|input| same(&written, input.as_ref())) {
            return Err(Failure::overwrites(&written));
        }
    }
    Ok(())
}

/// Everything that is read for a motion file: an .amc file comes with a skeleton.
pub fn files_read(input: &Path, reading: &ReadingArgs) -> Vec<PathBuf> {
    let skeleton = || reading.asf.clone().or_else(|| skeleton_of(input).ok());
    let skeleton = has_extension(input, "amc").then(skeleton).flatten();
    std::iter::once(input.to_path_buf()).chain(skeleton).collect()
}

/// True of a folder, and of a path that is written like one.
pub fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}

/// True if a path ends like this, in capitals or not.
pub fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(wanted))
}

/// A picture goes to an .svg file, not over a motion.
pub fn check_picture(path: Option<&Path>) -> Result<(), Failure> {
    match path.filter(|path| !has_extension(path, "svg")) {
        None => Ok(()),
        Some(path) => Err(Failure::of_file(path, "a picture is an .svg file")),
    }
}

/// The names of all clips, for somebody who has to choose.
pub fn clip_names(clips: &[Clip]) -> String {
    clips.iter().map(Clip::name).collect::<Vec<_>>().join(", ")
}

/// True if two skeletons have the same joints, of about the same lengths.
pub fn same_joints(a: &Skeleton, b: &Skeleton) -> bool {
    a.len() == b.len()
        && a.joints().iter().zip(b.joints()).all(|(a, b)| {
            let (length, other) = (a.rest.translation.length(), b.rest.translation.length());
            a.name == b.name
                && a.parent == b.parent
                && (length - other).abs() <= 0.02 + 0.1 * length
        })
}

/// Remarks on a file: oddities that it reports of itself, and an added T-pose, which ends up in what is written unless it
/// is dropped.
pub fn remarks(asset: &Asset) -> Vec<String> {
    let mut found: Vec<String> = asset.warnings.iter().map(|warning| warning.to_string()).collect();
    for clip in &asset.clips {
        let name = clip.name();
        match oddities::added_frames(&asset.skeleton, clip) {
            0 => {}
            1 => found.push(format!("the first frame of `{name}` is an added T-pose")),
            count => {
                found.push(format!("the first {count} frames of `{name}` are an added T-pose"))
            }
        }
    }
    found
}

/// That a body does not stand at rest, which is worth telling.
pub fn guessed_rest(asset: &Asset, rig: &Rig) -> Option<String> {
    let another = UprightOptions::default().another;
    let options = UprightOptions { believed: another, ..UprightOptions::default() };
    match rig::rest_pose(&asset.skeleton, rig, &asset.clips, &options) {
        StandingRest::Seen(_) => Some(
            "the rest pose does not stand: how the body stands is taken from the motion".into(),
        ),
        _ => None,
    }
}

/// That left and right contradict the shape of the body. Where a file says what its joints are for, its reader has told it.
pub fn doubted_sides(asset: &Asset, rig: &Rig) -> Option<String> {
    let doubt = rig::side_doubt(&asset.skeleton, rig, &asset.clips, &SideOptions::default());
    doubt.filter(|_| !asset.skeleton.has_said_roles()).map(|doubt| doubt.to_string())
}

/// That a unit was guessed which makes nobody's height.
pub fn guessed_unit(asset: &Asset, rig: &Rig) -> Option<String> {
    let bone = |joint: &usize| asset.skeleton.joint(*joint).rest.translation.length();
    let legs = rig.feet.iter().map(|foot| foot.leg[1..].iter().map(bone).sum::<f32>());
    // Legs from hip to ankle are half of a person.
    let tall = 2.0 * legs.fold(0.0, f32::max);
    match asset.units.source {
        UnitSource::Guessed(unit)
            if rig.feet.len() == 2 && tall > 0.0 && !PERSON.contains(&tall) =>
        {
            Some(format!(
                "lengths are taken for {unit}, which makes a person of about {tall:.1} m: give --scale if that is wrong"
            ))
        }
        _ => None,
    }
}

/// That a motion travels faster than any body does.
pub fn too_fast(skeleton: &Skeleton, rig: &Rig, speed: f32) -> Option<String> {
    let bone = |joint: &usize| skeleton.joint(*joint).rest.translation.length();
    let legs = rig.feet.iter().map(|foot| foot.leg[1..].iter().map(bone).sum::<f32>());
    // A cheetah has forty lengths of its leg in a second, a sprinter thirteen.
    let fastest = 50.0 * legs.fold(0.0, f32::max);
    (fastest > 0.0 && speed > fastest).then(|| {
        format!(
            "it travels at {speed:.0} m/s, faster than any body does: its root may be in another unit than its bones, or its frames follow each other too fast"
        )
    })
}

/// Heights of people in metres.
const PERSON: std::ops::Range<f32> = 1.1..2.3;

/// Measures a motion on the level that it was found on: off its treadmill if it is on one, since feet slide with that, and
/// without first frames that have nothing to do with it.
pub fn measured(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    analysis: &ClipAnalysis,
) -> Result<MotionMetrics, String> {
    let walked_off = analysis.belt.map(|belt| belt.walked_off(skeleton, clip)).transpose();
    let walked_off = walked_off.map_err(|error| error.to_string())?;
    let clip = walked_off.as_ref().unwrap_or(clip);
    // The first one of the motion stands in for them, so that times stay what they are.
    let added = analysis.frames.start;
    let without_it = (added > 0).then(|| {
        let frames = std::iter::repeat_n(clip.frame(added), added).chain(clip.frames().skip(added));
        Clip::new(clip.name(), skeleton, clip.fps(), frames.flatten().copied().collect())
    });
    let without_it = without_it.transpose().map_err(|error| error.to_string())?;
    let clip = without_it.as_ref().unwrap_or(clip);
    Ok(measure_level(skeleton, rig, clip, &analysis.contacts, analysis.ground.height))
}

/// The rig of a motion's body, for which all its clips are looked at, and the analysis of the motion.
pub fn understand(
    skeleton: &Skeleton,
    all: &[Clip],
    clip: &Clip,
) -> Result<(Rig, ClipAnalysis), Box<dyn std::error::Error>> {
    let rig = rig::detect(skeleton, all)?;
    let analysis = analyse(skeleton, &rig, clip, &AnalysisOptions::default())?;
    Ok((rig, analysis))
}

/// Leaves out T-poses that were put in front of motions.
pub fn drop_t_poses(asset: &mut Asset) -> Result<(), Failure> {
    let skeleton = &asset.skeleton;
    for clip in &mut asset.clips {
        *clip = oddities::without_added_frames(skeleton, clip, 0).or_fail()?;
    }
    Ok(())
}

/// The clip without its first frame, or without all that were put in front of it.
pub fn without_first_frames(skeleton: &Skeleton, clip: &Clip) -> Result<Clip, Failure> {
    oddities::without_added_frames(skeleton, clip, 1).or_fail()
}

/// Keeps the clip of this name or number alone.
pub fn keep_clip(asset: &mut Asset, wanted: Option<&str>) -> Result<(), Failure> {
    let Some(wanted) = wanted else { return Ok(()) };
    let by_name = asset.clips.iter().position(|clip| clip.name() == wanted);
    let by_number = || wanted.parse::<usize>().ok().filter(|&number| number < asset.clips.len());
    let Some(index) = by_name.or_else(by_number) else {
        let hint = match asset.clips.is_empty() {
            true => "the file has none".into(),
            false => format!("it has {}", clip_names(&asset.clips)),
        };
        return Err(Failure::new(format!("there is no animation `{wanted}`")).hint(hint));
    };
    asset.clips = vec![asset.clips.swap_remove(index)];
    Ok(())
}
