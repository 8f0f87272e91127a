//! `andante retarget`.

use super::characters::built_in;
use super::clips::metrics_json;
use super::many::{self, FoundFile};
use super::{bone_map, select};
use crate::args::RetargetArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport, FAINT, write, written};
use andante_formats::{Asset, ReadLimits, gltf};
use andante_motion::analysis::{AnalysisOptions, Belt, analyse};
use andante_motion::retarget::{
    RetargetOptions, RetargetReport, RetargetResult, RetargetRig, retarget,
};
use andante_motion::rig::{self, StandingRest, UprightOptions};
use andante_play::measure::{MotionMetrics, measure_level};
use andante_skeleton::{Character, Clip, Rig, Skeleton, SkinnedMesh};
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who the motion is put on.
struct RetargetTarget {
    skeleton: Skeleton,
    /// The same in a rest pose that stands, where its own does not.
    standing: Option<Skeleton>,
    rig: Rig,
    mesh: Option<SkinnedMesh>,
    /// The document it comes from, into which motions are written.
    original: Option<Arc<gltf::GltfDocument>>,
    warnings: Vec<String>,
}

pub fn run(args: &RetargetArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let Some((out, inputs)) = args.paths.split_last().filter(|(_, inputs)| !inputs.is_empty())
    else {
        return Err(Failure::new("where to? give the file to write after the motion: IN OUT"));
    };
    let found = many::find(inputs)?;
    let target = target(&args.to, &context.limits)?;
    if let (true, false, [file]) = (found.single, select::is_folder(out), found.files.as_slice()) {
        return put((&file.path, out), &target, args, context);
    }
    if args.save_map.is_some() && found.files.len() > 1 {
        return Err(Failure::new("--save-map is for one motion").hint("name one file"));
    }
    if !select::is_folder(out) {
        return Err(many::needs_folder(found.files.len(), out));
    }
    let places = many::places(&found.files, out, args.pipe.extension())?;
    let work =
        |index: usize, file: &FoundFile| put((&file.path, &places[index]), &target, args, context);
    Ok(many::all(&found.files, "retargeted", context, line, work))
}

/// One of many files in a line.
fn line(file: &FoundFile, report: &CommandReport) -> String {
    let number = |name: &str| report.json["metrics"][name].as_f64().unwrap_or_default();
    format!(
        "{} {FAINT}feet slide {:.2} mm on average, {} warnings{FAINT:#}\n",
        file.path.display(),
        number("foot_slide_mm_mean"),
        report.json["warnings"].as_array().map_or(0, Vec::len),
    )
}

/// Puts the motions of one file on somebody.
fn put(
    (input, output): (&Path, &Path),
    target: &RetargetTarget,
    args: &RetargetArgs,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let fail =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", input.display()));
    let mut source = select::read_motion(input, &args.motion, &context.limits)?;
    let mut read = select::files_read(input, &args.motion.reading);
    read.push(PathBuf::from(&args.to));
    select::refuse_to_overwrite(output, &read)?;
    let mut warnings = select::remarks(&source);
    if warnings.len() > source.warnings.len() {
        warnings.push("it is left out".into());
    }
    select::drop_t_poses(&mut source)?;
    if source.clips.is_empty() {
        return Err(fail(&"there is no animation to retarget"));
    }
    let joints = source.skeleton.joints().iter();
    let names: Vec<String> = joints.map(|joint| joint.name.clone()).collect();
    if let Some(path) = &args.map {
        let map = bone_map::read(path, (&source.skeleton, &target.skeleton), &context.limits)?;
        source.skeleton =
            bone_map::renamed(&source.skeleton, (&target.skeleton, &target.rig), &map)?;
    }
    let source_rig = rig::detect(&source.skeleton, &source.clips).map_err(|error| fail(&error))?;
    warnings.extend(select::guessed_unit(&source, &source_rig));
    warnings.extend(target.warnings.iter().cloned());
    let mut options = RetargetOptions::default();
    if args.no_planting {
        options.plant = None;
    }

    let (mut clips, mut results) = (Vec::new(), Vec::new());
    let mut text = String::new();
    let progress = context.progress(source.clips.len() as u64, "retargeting");
    let from = RetargetRig { skeleton: &source.skeleton, rig: &source_rig };
    let standing = target.standing.as_ref().unwrap_or(&target.skeleton);
    let to = RetargetRig { skeleton: standing, rig: &target.rig };
    for clip in &source.clips {
        let (mut made, feet) = put_on(clip, from, to, &options).map_err(|error| fail(&error))?;
        name_as_in_the_file(&mut made.report, &from, &names);
        text.push_str(&clip_text(clip.name(), &made.report, &feet));
        // Joints are matched alike in all motions of a file.
        if let (Some(path), true) = (&args.save_map, clips.is_empty()) {
            let map = bone_map::text(&made.report);
            text.push_str(&format!("  {}\n", path.display()));
            write(path, map.as_bytes())?;
        }
        results.push(json!({
            "name": clip.name(), "scale": made.report.scale, "matched": made.report.matched, "resting": made.report.resting,
            "metrics": metrics_json(&feet), "parts": parts_json(&made.report),
        }));
        for doubt in made.report.doubts.iter().map(ToString::to_string) {
            if !warnings.contains(&doubt) {
                warnings.push(doubt);
            }
        }
        clips.push(made.clip);
        progress.inc(1);
        if context.stopped() {
            context.warn("stopped: what was retargeted so far is written");
            break;
        }
    }
    progress.finish_and_clear();
    context.warn_of(input.display(), &warnings);

    let stopped = clips.len() < source.clips.len();
    let RetargetTarget { skeleton, mesh, original, .. } = target;
    let (mesh, original) = (mesh.clone(), original.clone());
    let asset = Asset { mesh, original, ..Asset::new(skeleton.clone(), clips) };
    let options = gltf::GltfWriteOptions::default();
    let files = select::write_asset(output, &asset, &options, &args.writing)?;
    text.push_str(&written(&files));
    let json = json!({ "metrics": results[0]["metrics"], "clips": results, "warnings": warnings });
    Ok(CommandReport { text, json, exit: u8::from(stopped) })
}

/// Gives the joints of a motion the names in a report that they have in its file.
fn name_as_in_the_file(report: &mut RetargetReport, from: &RetargetRig, names: &[String]) {
    for (_, source) in &mut report.matched {
        if let Some(joint) = from.skeleton.find(source) {
            source.clone_from(&names[joint]);
        }
    }
}

/// One motion on the other body, and how its feet do there.
fn put_on(
    clip: &Clip,
    from: RetargetRig,
    to: RetargetRig,
    options: &RetargetOptions,
) -> Result<(RetargetResult, MotionMetrics), Box<dyn Error>> {
    let analysis = analyse(from.skeleton, from.rig, clip, &AnalysisOptions::default())?;
    // A motion in place is made to travel, so that its feet can be planted.
    let walked_off = analysis.belt.map(|belt| belt.walked_off(from.skeleton, clip)).transpose()?;
    let moving = walked_off.as_ref().unwrap_or(clip);
    let source_ground = Some(analysis.ground.height);
    let options = RetargetOptions { source_ground, cyclic: analysis.cyclic, ..*options };
    let mut made = retarget(from, moving, &analysis.contacts, to, &options)?;
    // Graded on what is seen in the result, not on what the planter was told to hold.
    let seen = analyse(to.skeleton, to.rig, &made.clip, &AnalysisOptions::default())?;
    let mut feet = measure_level(to.skeleton, to.rig, &made.clip, &seen.contacts, 0.0);
    feet.pose_change_deg_mean = Some(made.report.pose_change_deg_mean);
    if let Some(belt) = analysis.belt {
        let belt = Belt { velocity: belt.velocity * made.report.scale, ..belt };
        made.clip = belt.walked_on(to.skeleton, &made.clip)?;
    }
    Ok((made, feet))
}

/// How far parts of the body are off the ground where those of the source are on it, in millimetres.
fn parts_json(report: &RetargetReport) -> Value {
    let part = |(name, mean, most): &(String, f32, f32)| {
        (name.clone(), json!({ "off_mm_mean": 1e3 * mean, "off_mm_max": 1e3 * most }))
    };
    Value::Object(report.parts.iter().map(part).collect())
}

/// What came of one motion, in words.
fn clip_text(name: &str, report: &RetargetReport, feet: &MotionMetrics) -> String {
    let mut text = format!(
        "{BOLD}{name}{BOLD:#}: {} joints matched, {} at rest, way × {:.2}\n  feet slide {:.2} mm on average, {:.1} mm at most; \
         soles {:.1} mm off the ground on average\n",
        report.matched.len(),
        report.resting.len(),
        report.scale,
        feet.foot_slide_mm_mean,
        feet.foot_slide_mm_max,
        feet.sole_gap_mm_mean,
    );
    for (name, mean, most) in &report.parts {
        let (mean, most) = (1e3 * mean, 1e3 * most);
        text.push_str(&format!(
            "  {name} {mean:.1} mm off the ground on average, {most:.1} mm at most\n"
        ));
    }
    if !report.resting.is_empty() {
        text.push_str(&format!("  {FAINT}at rest: {}{FAINT:#}\n", report.resting.join(", ")));
    }
    text
}

/// A built-in character by name, or the character of a file.
fn target(name: &str, limits: &ReadLimits) -> Result<RetargetTarget, Failure> {
    if let Some(character) = built_in().into_iter().find(|character| character.name == name) {
        let Character { skeleton, rig, .. } = character;
        let warnings = Vec::new();
        return Ok(RetargetTarget {
            skeleton,
            standing: None,
            rig,
            mesh: None,
            original: None,
            warnings,
        });
    }
    let path = Path::new(name);
    if !path.exists() {
        let names: Vec<_> = built_in().into_iter().map(|character| character.name).collect();
        return Err(Failure::new(format!("{name}: neither a built-in character nor a file"))
            .hint(format!("built in: {}", names.join(", "))));
    }
    let asset = select::read_plainly(path, limits)?;
    let rig = rig::detect(&asset.skeleton, &asset.clips)
        .map_err(|error| Failure::new(format!("{name}: {error}")))?;
    let mut warnings: Vec<String> =
        asset.warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
    warnings.extend(select::doubted_sides(&asset, &rig).map(|doubt| format!("{name}: {doubt}")));
    // Who is to stand on its feet rests as its file says if that stands at all: soles are level there.
    let another = UprightOptions::default().another;
    let options = UprightOptions { believed: another, ..UprightOptions::default() };
    let standing = match rig::rest_pose(&asset.skeleton, &rig, &asset.clips, &options) {
        StandingRest::Seen(standing) => Some(standing),
        StandingRest::Stands => None,
        StandingRest::Unknown => {
            warnings.push(format!("{name}: its rest pose does not stand, and it has no motion that shows it standing; trunk, head and hands may be turned wrongly"));
            None
        }
    };
    let Asset { skeleton, mesh, original, .. } = asset;
    Ok(RetargetTarget { skeleton, standing, rig, mesh, original, warnings })
}
