//! `andante inspect`.

use super::clips::metrics_json;
use super::many::{self, FoundFile};
use super::select;
use crate::args::InspectArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport, FAINT, WARNING, draw, table};
use andante_draw::motion_sheet;
use andante_formats::{Asset, Format, UnitSource};
use andante_motion::analysis::{
    AnalysisOptions, Bearing, ClipAnalysis, Direction, MotionClass, Oddity, analyse,
};
use andante_motion::oddities::{self, JointJump};
use andante_motion::rig::{self, RigError};
use andante_play::Interval;
use andante_play::measure::MotionMetrics;
use andante_skeleton::{Character, Clip, Rig, Skeleton};
use andante_take::Take;
use serde_json::{Map, Value, json};
use std::ops::Range;
use std::path::Path;

/// What there is to know about a motion with feet.
struct MotionSummary {
    rig: Rig,
    analysis: ClipAnalysis,
    metrics: MotionMetrics,
}

pub fn run(args: &InspectArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    select::check_picture(args.svg.as_deref())?;
    let found = many::find(&args.files)?;
    if let (true, [file]) = (found.single, found.files.as_slice()) {
        return inspect(&file.path, args, context);
    }
    if args.svg.is_some() {
        return Err(Failure::new("--svg draws one motion").hint("name one file"));
    }
    let work = |_: usize, file: &FoundFile| inspect(&file.path, args, context);
    Ok(many::all(&found.files, "inspected", context, line, work))
}

/// One of many files in a line.
fn line(file: &FoundFile, report: &CommandReport) -> String {
    let json = &report.json;
    let name = file.path.display();
    let seconds = json["seconds"].as_f64().unwrap_or_default();
    let motion = match (json["class"].as_str(), json["speed_mps"].as_f64()) {
        (Some(class), Some(speed)) => format!("{class}, {speed:.2} m/s"),
        _ => "no motion with feet".into(),
    };
    let odd = match json["warnings"].as_array().map_or(0, Vec::len) {
        0 => String::new(),
        odd => format!(", {WARNING}{odd} odd{WARNING:#}"),
    };
    format!("{name}  {motion} {FAINT}{seconds:.2} s{FAINT:#}{odd}\n")
}

fn inspect(
    path: &Path,
    args: &InspectArgs,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let mut asset = select::read(path, &args.motion.reading, None, &context.limits)?;
    // All clips together tell where the feet are; the one that is asked for may be lying down.
    let rig = rig::detect(&asset.skeleton, &asset.clips);
    select::keep_clip(&mut asset, args.motion.clip.as_deref())?;
    let mut warnings: Vec<String> =
        asset.warnings.iter().map(|warning| warning.to_string()).collect();
    if let Ok(rig) = &rig {
        warnings.extend(select::guessed_rest(&asset, rig));
        warnings.extend(select::guessed_unit(&asset, rig));
        warnings.extend(select::doubted_sides(&asset, rig));
    }
    let motion = match asset.clips.first().map(|clip| understand(&asset, rig, clip)) {
        None => None,
        Some(Ok(motion)) => Some(motion),
        Some(Err(reason)) => {
            warnings.push(reason);
            None
        }
    };
    warnings.extend(motion.as_ref().and_then(|motion| {
        select::too_fast(&asset.skeleton, &motion.rig, motion.analysis.travel.speed)
    }));
    warnings.extend(oddities(&asset, motion.as_ref()));
    let text = describe((path, args), &asset, motion.as_ref(), &warnings);
    let mut report = CommandReport::done(text, details(path, &asset, motion.as_ref(), &warnings));
    if let Some(picture) = &args.svg {
        let Some(clip) = asset.clips.first() else {
            return Err(Failure::new("there is no animation to draw"));
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let take = motion.as_ref().map(|motion| {
            let (skeleton, rig) = (asset.skeleton.clone(), motion.rig.clone());
            let character = Character::new(clip.name(), skeleton, rig);
            Take::of_clip(&character, clip, motion.analysis.contacts.clone(), None)
        });
        let mut notes = vec![timing(clip)];
        notes.extend(motion.as_ref().map(|motion| summary(&motion.analysis)));
        let title = format!("{name}: {}", clip.name());
        let sheet = motion_sheet(&title, &notes, (&asset.skeleton, clip), take.as_ref());
        report.text.push_str(&format!("  {}", draw(picture, &sheet)?));
    }
    Ok(report)
}

/// What is odd about the motion itself.
fn oddities(asset: &Asset, motion: Option<&MotionSummary>) -> Vec<String> {
    let Some(clip) = asset.clips.first() else { return Vec::new() };
    let mut found: Vec<String> = match motion {
        Some(motion) => motion.analysis.oddities.iter().map(|oddity| oddity.to_string()).collect(),
        None => {
            let count = oddities::added_frames(&asset.skeleton, clip);
            let added = (count > 0).then(|| Oddity::AddedFrames { count }.to_string());
            added.into_iter().collect()
        }
    };
    // Frames in which the whole body leaps away are told above; here are single joints.
    let told = |frames: Range<usize>| {
        let overlaps = |oddity: &Oddity| match oddity {
            Oddity::Dropout { frames: bad } => bad.start < frames.end && frames.start < bad.end,
            Oddity::AddedFrames { count } => frames.start < *count,
            Oddity::Jump { frame } => frames.contains(frame),
            Oddity::Frozen { .. } => false,
        };
        motion.is_some_and(|motion| motion.analysis.oddities.iter().any(overlaps))
    };
    for dropout in oddities::dropouts(&asset.skeleton, clip) {
        if !told(dropout.frames.clone()) {
            let joint = &asset.skeleton.joint(dropout.joint).name;
            found.push(format!(
                "joint `{joint}` leaps away and back in frame {}",
                dropout.frames.start + 1
            ));
        }
    }
    let mut jumps = oddities::joint_jumps(&asset.skeleton, clip);
    // A jump is between two frames.
    jumps.retain(|jump| !told(jump.frame - 1..jump.frame + 1));
    found.extend(jumps_in_words(&asset.skeleton, &jumps));
    found
}

/// The jumps of joints, the farthest first, and of each joint the farthest alone.
fn jumps_in_words(skeleton: &Skeleton, jumps: &[JointJump]) -> Vec<String> {
    let mut farthest: Vec<(JointJump, usize)> = Vec::new();
    for jump in jumps {
        match farthest.iter_mut().find(|(other, _)| other.joint == jump.joint) {
            None => farthest.push((*jump, 0)),
            Some((other, more)) => {
                *more += 1;
                if jump.turn > other.turn {
                    *other = *jump;
                }
            }
        }
    }
    farthest.sort_by(|(a, _), (b, _)| b.turn.total_cmp(&a.turn));
    let in_words = |(jump, more): &(JointJump, usize)| {
        let (joint, frame) = (&skeleton.joint(jump.joint).name, jump.frame + 1);
        let more = match more {
            0 => String::new(),
            1 => ", and once more".into(),
            more => format!(", and {more} times more"),
        };
        format!("joint `{joint}` jumps at frame {frame}, by {:.0}°{more}", jump.turn.to_degrees())
    };
    farthest.iter().map(in_words).collect()
}

/// Analyses the clip, or says why that cannot be done.
fn understand(
    asset: &Asset,
    rig: Result<Rig, RigError>,
    clip: &Clip,
) -> Result<MotionSummary, String> {
    let skeleton = &asset.skeleton;
    let rig = rig.map_err(|error| error.to_string())?;
    let analysis = analyse(skeleton, &rig, clip, &AnalysisOptions::default())
        .map_err(|error| error.to_string())?;
    let metrics = select::measured(skeleton, &rig, clip, &analysis)?;
    Ok(MotionSummary { rig, analysis, metrics })
}

/// What a unit is guessed from: bodies of SMPL are always as tall.
fn guessed_from(path: &Path) -> &'static str {
    match Format::of(path) {
        Some(Format::Npz) => "feet",
        _ => "height",
    }
}

fn height(asset: &Asset) -> f32 {
    let (low, high) = asset.skeleton.rest_bounds();
    high.y - low.y
}

fn describe(
    (path, args): (&Path, &InspectArgs),
    asset: &Asset,
    motion: Option<&MotionSummary>,
    warnings: &[String],
) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}\n", path.display());
    let mut line = |label: &str, value: String| text.push_str(&format!("  {label:<10} {value}\n"));
    let tips = asset.skeleton.joints().iter().filter(|joint| joint.tip.is_some()).count();
    line(
        "skeleton",
        format!(
            "{} joints, {tips} tips, {:.2} m tall at rest",
            asset.skeleton.len(),
            height(asset)
        ),
    );
    let scale = asset.units.scale;
    line(
        "units",
        match asset.units.source {
            UnitSource::Given => format!("1 unit = {scale} m, as given"),
            UnitSource::Stated => format!("1 unit = {scale} m, as the file says"),
            UnitSource::Guessed(unit) => {
                format!("{unit}: 1 unit = {scale} m, guessed from the {}", guessed_from(path))
            }
        },
    );
    if let Some(mesh) = &asset.mesh {
        let vertices: usize =
            mesh.primitives.iter().map(|part| part.vertices.positions.len()).sum();
        let triangles: usize = mesh.primitives.iter().map(|part| part.indices.len() / 3).sum();
        line(
            "mesh",
            format!(
                "{vertices} vertices, {triangles} triangles, {} materials",
                mesh.materials.len()
            ),
        );
    }
    match asset.clips.as_slice() {
        [] => line("animation", "none".into()),
        [clip] => line("animation", format!("{}: {}", clip.name(), timing(clip))),
        clips => {
            line(
                "animations",
                format!("{}; choose one with --clip, this is the first", clips.len()),
            );
            let rows: Vec<Vec<String>> =
                clips.iter().map(|clip| vec![format!("  {}", clip.name()), timing(clip)]).collect();
            text.push_str(&table(&rows, &[]));
        }
    }
    if let Some(motion) = motion {
        text.push_str(&motion_text(motion));
    }
    if args.joints {
        let rows: Vec<Vec<String>> = asset
            .skeleton
            .joints()
            .iter()
            .enumerate()
            .map(|(index, joint)| {
                let depth = asset.skeleton.ancestors(index).count() - 1;
                let length = format!("{:.3}", joint.rest.translation.length());
                vec![format!("  {}{}", "  ".repeat(depth), joint.name), length]
            })
            .collect();
        text.push_str(&format!(
            "  {FAINT}joints, with their distance from the parent in metres{FAINT:#}\n"
        ));
        text.push_str(&table(&rows, &[1]));
    }
    for warning in warnings {
        text.push_str(&format!("  {WARNING}odd{WARNING:#}        {warning}\n"));
    }
    text
}

fn motion_text(motion: &MotionSummary) -> String {
    let MotionSummary { rig, analysis, metrics } = motion;
    let mut text = String::new();
    let mut line = |label: &str, value: String| text.push_str(&format!("  {label:<10} {value}\n"));
    line("motion", summary(analysis));
    if !analysis.cycles.is_empty() {
        let best = analysis.loop_point.as_ref().map_or(String::new(), |point| {
            format!("; best loop {:.2}…{:.2} s", point.interval.start, point.interval.end)
        });
        line(
            "strides",
            format!(
                "{}, {:.2} m long, {:.0} steps a minute, duty factor {:.2}{best}",
                analysis.cycles.len(),
                analysis.stride_length,
                60.0 * analysis.cadence,
                analysis.duty_factor,
            ),
        );
    }
    for (foot, contacts) in rig.feet.iter().zip(&analysis.contacts.feet) {
        let stance: Vec<String> = contacts
            .stance()
            .iter()
            .map(|interval| format!("{:.2}…{:.2}", interval.start, interval.end))
            .collect();
        line(
            "",
            format!(
                "{FAINT}{} down{FAINT:#} {}",
                foot.name,
                if stance.is_empty() { "never".into() } else { stance.join(" ") }
            ),
        );
    }
    for touch in &analysis.touching {
        let down: Vec<String> =
            touch.down.iter().map(|span| format!("{:.2}…{:.2}", span.start, span.end)).collect();
        line("", format!("{FAINT}{} down{FAINT:#} {}", touch.name, down.join(" ")));
    }
    if analysis.segments.len() > 1 {
        let pieces: Vec<String> = analysis
            .segments
            .iter()
            .map(|piece| {
                format!(
                    "{} {:.1}…{:.1}",
                    piece.class.name(),
                    piece.interval.start,
                    piece.interval.end
                )
            })
            .collect();
        line("pieces", pieces.join(", "));
    }
    line(
        "feet",
        format!(
            "slide {:.1} mm on average, {:.1} mm at most, in stance",
            metrics.foot_slide_mm_mean, metrics.foot_slide_mm_max
        ),
    );
    text
}

/// One line: what the motion is, how fast and where to.
fn summary(analysis: &ClipAnalysis) -> String {
    let travel = &analysis.travel;
    let mut text = gait_name(analysis).to_string();
    if travel.bearing != Bearing::Ahead && travel.distance > 0.5 {
        text.push_str(&format!(" {}", travel.bearing.name()));
    }
    match travel.direction {
        Direction::Straight => {}
        Direction::Left => text.push_str(" to the left"),
        Direction::Right => text.push_str(" to the right"),
    }
    text.push_str(&format!(
        ", {:.2} m/s, turning {:.0}°/s",
        travel.speed,
        travel.turn_rate.to_degrees()
    ));
    if analysis.in_place() {
        text.push_str(", in place");
    }
    text
}

/// The pattern of footfalls of an animal, and otherwise what kind of motion it is.
fn gait_name(analysis: &ClipAnalysis) -> &'static str {
    match (analysis.locomotion, &analysis.footfalls) {
        (MotionClass::Walk | MotionClass::Run, Some(footfalls))
            if analysis.contacts.feet.len() > 2 =>
        {
            footfalls.gait.name()
        }
        (MotionClass::Run, _) if analysis.jog => "jog",
        (MotionClass::Other, _) => analysis.class.name(),
        (class, _) => class.name(),
    }
}

fn timing(clip: &Clip) -> String {
    format!("{} frames at {} fps, {:.2} s", clip.frame_count(), clip.fps(), clip.duration())
}

fn details(
    path: &Path,
    asset: &Asset,
    motion: Option<&MotionSummary>,
    warnings: &[String],
) -> Value {
    let skeleton = &asset.skeleton;
    let joint = |joint: &andante_skeleton::Joint| {
        json!({
            "name": joint.name,
            "parent": joint.parent.map(|parent| &skeleton.joint(parent).name),
            "offset": joint.rest.translation.to_array(),
        })
    };
    let clip = |clip: &Clip| json!({ "name": clip.name(), "frames": clip.frame_count(), "fps": clip.fps(), "seconds": clip.duration() });
    let first = asset.clips.first();
    let mut json = json!({
        "file": path.display().to_string(),
        "joints": skeleton.joints().iter().map(joint).collect::<Vec<_>>(),
        "height_m": height(asset),
        "metres_per_unit": asset.units.scale,
        "units_guessed": matches!(asset.units.source, UnitSource::Guessed(_)),
        "fps": first.map(Clip::fps),
        "frames": first.map_or(0, Clip::frame_count),
        "seconds": first.map_or(0.0, Clip::duration),
        "clips": asset.clips.iter().map(clip).collect::<Vec<_>>(),
        "mesh": asset.mesh.is_some(),
        "warnings": warnings,
        // Null where no feet were found.
        "speed_mps": null, "turn_rate_dps": null, "gait": null, "direction": null, "contacts": null, "cycles": null,
        "foot_slide_mm_mean": null, "metrics": null,
    });
    if let Some(motion) = motion {
        for (key, value) in motion_json(motion) {
            json[key] = value;
        }
    }
    json
}

fn motion_json(motion: &MotionSummary) -> Map<String, Value> {
    let MotionSummary { rig, analysis, metrics } = motion;
    let pairs = |intervals: &[Interval]| -> Value {
        intervals.iter().map(|interval| json!([interval.start, interval.end])).collect()
    };
    let (mut contacts, mut heels, mut toes) = (Map::new(), Map::new(), Map::new());
    for (foot, contact) in rig.feet.iter().zip(&analysis.contacts.feet) {
        contacts.insert(foot.name.clone(), pairs(&contact.stance()));
        heels.insert(foot.name.clone(), pairs(&contact.heel));
        toes.insert(foot.name.clone(), pairs(&contact.toe));
    }
    let cycle = |cycle: &andante_motion::analysis::Cycle| {
        json!({
            "start": cycle.interval.start, "end": cycle.interval.end, "stride_m": cycle.stride_length,
            "speed_mps": cycle.speed, "duty_factor": cycle.duty_factor,
        })
    };
    let segment = |segment: &andante_motion::analysis::ClipSegment| {
        json!({
            "start": segment.interval.start, "end": segment.interval.end, "class": segment.class.name(),
            "distance_m": segment.distance, "turn_deg": segment.heading_change.to_degrees(),
            "bearing": segment.bearing.name(), "confidence": segment.confidence,
        })
    };
    let mut parts = Map::new();
    for touch in &analysis.touching {
        let seconds: f32 = touch.down.iter().map(Interval::length).sum();
        let part = json!({
            "contacts": pairs(&touch.down), "seconds": seconds,
            "off_mm": 1e3 * touch.gap, "slide_mm_max": 1e3 * touch.slide,
        });
        parts.insert(touch.name.clone(), part);
    }
    let direction = match analysis.travel.direction {
        Direction::Straight => "straight",
        Direction::Left => "left",
        Direction::Right => "right",
    };
    let json = json!({
        "speed_mps": analysis.travel.speed,
        "turn_rate_dps": analysis.travel.turn_rate.to_degrees(),
        "curvature_per_m": analysis.travel.curvature,
        "gait": gait_name(analysis),
        // A walk that begins or ends at rest is a start or a stop.
        "class": analysis.class.name(),
        "confidence": analysis.confidence,
        "bearing": analysis.travel.bearing.name(),
        "segments": analysis.segments.iter().map(segment).collect::<Vec<_>>(),
        "parts": parts,
        "direction": direction,
        "in_place": analysis.in_place(),
        "cyclic": analysis.cyclic,
        "contacts": contacts,
        "heel_contacts": heels,
        "toe_contacts": toes,
        "cycles": analysis.cycles.iter().map(cycle).collect::<Vec<_>>(),
        "loop": analysis.loop_point.as_ref().map(|point| json!([point.interval.start, point.interval.end])),
        "cadence_spm": 60.0 * analysis.cadence,
        "stride_m": analysis.stride_length,
        "duty_factor": analysis.duty_factor,
        "ground_m": analysis.ground.height,
        "foot_slide_mm_mean": metrics.foot_slide_mm_mean,
        "foot_slide_mm_max": metrics.foot_slide_mm_max,
        "metrics": metrics_json(metrics),
    });
    match json {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
