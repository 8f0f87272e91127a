//! `andante ground`.

use super::check::{to_json, words};
use super::clips::metrics_json;
use super::select::{self, Performer};
use crate::args::GroundArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, draw, table, written};
use crate::take_output::TakeOutput;
use andante_body::creature_skin;
use andante_check::{CheckSettings, check};
use andante_draw::{Sheet, SideView, Stroke};
use andante_formats::ReadLimits;
use andante_formats::gate::read_bytes;
use andante_motion::adapt::{Adapted, Extent, TakeOptions, adapt_clip_timed};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::{GroundLevel, PlantOptions};
use andante_motion::{rig, synth};
use andante_play::measure::pose_change_deg_mean;
use andante_play::repertoire::{Repertoire, RepertoireClip};
use andante_play::{FootStatus, GroundClip, Start};
use andante_skeleton::{
    Character, Clip, Planar, Side, SkinnedMesh, Transform, Wrap, check_setting, humanoid,
};
use andante_take::{Take, VectorCurve};
use andante_world::{Profile, Terrain, TerrainError};
use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How far motions that repeat go unless it is said, in metres.
const DISTANCE: f32 = 10.0;

pub fn run(args: &GroundArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    select::check_picture(args.svg.as_deref())?;
    check_setting("--fps", &args.fps, 1e-3..=1000.0)?;
    check_setting("--distance", &args.distance, 1e-3..=1e4)?;
    check_setting("--turn", &args.turn, -360.0..=360.0)?;
    let subject = subject(args, context)?;
    if let Some(output) = &args.output {
        select::refuse_to_overwrite(output, &subject.read)?;
        select::refuse_to_overwrite(output, &[&args.terrain])?;
    }
    let ground = terrain(&args.terrain, &context.limits)?;
    let clip = &subject.clip;
    let extent = match args.distance {
        Some(distance) => Extent::Distance(distance),
        None if clip.cyclic() && !clip.idle() => Extent::Distance(DISTANCE),
        None => Extent::Once,
    };
    let options = TakeOptions {
        extent,
        fps: Some(args.fps),
        start: Some(start(clip, &ground)),
        turn_rate: args.turn.to_radians(),
        ..TakeOptions::default()
    };
    let begun = std::time::Instant::now();
    let mut take = adapt_clip_timed(clip, &ground, &options, &mut || begun.elapsed())
        .map_err(|error| Failure::new(format!("{}: {error}", args.input)))?;
    if let Some(raw) = &subject.raw {
        take.metrics.pose_change_deg_mean = Some(changed(&take, clip.character(), raw)?);
    }
    let mut whole = taken(args, clip.character(), &take, &ground);
    whole.tracks[0].mesh = subject.mesh.map(Arc::new);
    let verdict = check(&whole, None, &CheckSettings::default())
        .map_err(|error| Failure::new(format!("{}: {error}", args.input)))?;
    let gone = distance(&take);
    let short = matches!(extent, Extent::Distance(asked) if gone < 0.99 * asked);

    let mut text = summary(args, &take);
    if short && !take.stopped {
        text.push_str(&format!("ended after {gone:.1} m, the longest that is played\n"));
    }
    text.push_str(&words(&verdict));
    if let Some(path) = &args.svg {
        text.push_str(&draw(path, &picture(args, clip.character(), &take, &ground))?);
    }
    if let Some(path) = &args.output {
        let output = TakeOutput::new(Some(path), "take")?;
        let whole = output.record(&whole)?;
        text.push_str(&written(&output.publish(&whole, |_| {})?));
    }
    let json = json!({
        "clip": clip.clip().name(), "terrain": args.terrain, "frames": take.clip.frame_count(), "fps": take.clip.fps(),
        "seconds": take.clip.duration(), "distance_m": gone, "stopped": take.stopped || short,
        "footholds": footholds(&take), "metrics": metrics_json(&take.metrics), "source_metrics": metrics_json(&take.source_metrics),
        "us_per_frame_mean": take.us_per_frame_mean(), "us_per_frame_p99": take.us_per_frame_p99(),
        // Legs are solved in closed form.
        "iterations_mean": 1.0, "warnings": subject.warnings, "violations": to_json(&verdict),
    });
    let wrong = verdict.refuting(None).next().is_some();
    Ok(CommandReport { text, json, exit: u8::from(take.stopped || short || wrong) })
}

/// What is adapted.
struct Subject {
    clip: Arc<GroundClip>,
    /// The motion of a file as it is there, whose feet are planted in the clip.
    raw: Option<Clip>,
    mesh: Option<SkinnedMesh>,
    read: Vec<PathBuf>,
    warnings: Vec<String>,
}

/// A built-in clip by name, a motion from a file, or a clip of a repertoire.
fn subject(args: &GroundArgs, context: &CliContext) -> Result<Subject, Failure> {
    let path = Path::new(&args.input);
    if synth::NAMES.contains(&args.input.as_str()) && !path.exists() {
        let made = synth::clip(&humanoid(), &args.input).or_fail_of(&args.input)?;
        let Performer { character, made, skin, warnings } =
            select::performed(made, &humanoid(), args.character.as_deref(), &context.limits)?;
        context.warn_of(&args.input, &warnings);
        let clip = made.ground_clip(&Arc::new(character)).or_fail_of(&args.input)?;
        let mesh = skin.map(Arc::unwrap_or_clone);
        let read = args.character.iter().cloned().collect();
        return Ok(Subject { clip: Arc::new(clip), raw: None, mesh, read, warnings });
    }
    if args.character.is_some() {
        return Err(Failure::new("--character goes with a built-in clip")
            .hint("`andante retarget` puts the motion of a file on another character"));
    }
    if !path.exists() {
        return Err(Failure::new(format!("{}: neither a built-in clip nor a file", args.input))
            .hint("`andante clips` lists the built-in ones"));
    }
    if path.extension().is_some_and(|extension| extension == "repertoire") {
        return learned(path, args.motion.clip.as_deref(), &context.limits);
    }
    let mut asset = select::read_motion(path, &args.motion, &context.limits)?;
    let mut warnings = select::remarks(&asset);
    if warnings.len() > asset.warnings.len() {
        warnings.push("it is left out".into());
    }
    select::drop_t_poses(&mut asset)?;
    let rig = rig::detect(&asset.skeleton, &asset.clips).or_fail_of(&args.input)?;
    let Some(motion) = asset.clips.first() else {
        return Err(Failure::new(format!("{}: {}", args.input, "there is no animation")));
    };
    if asset.clips.len() > 1 {
        warnings.push(format!(
            "`{}` is the first of {} animations; --clip takes another: {}",
            motion.name(),
            asset.clips.len(),
            select::clip_names(&asset.clips[1..])
        ));
    }
    context.warn_of(&args.input, &warnings);
    let analysis = analyse(&asset.skeleton, &rig, motion, &AnalysisOptions::default())
        .or_fail_of(&args.input)?;
    if GroundLevel::found(&analysis.ground, &PlantOptions::default()) == GroundLevel::Captured {
        let uneven = "it was captured on ground that is not level, and is put on the level first";
        context.warn_of(&args.input, &[uneven.into()]);
        warnings.push(uneven.into());
    }
    let character = Arc::new(Character::new("character", asset.skeleton.clone(), rig));
    let clip = andante_motion::planted_ground_clip(&character, motion, &analysis)
        .or_fail_of(&args.input)?;
    let read = select::files_read(path, &args.motion.reading);
    let raw = Some(motion.clone());
    Ok(Subject { clip: Arc::new(clip), raw, mesh: asset.mesh, read, warnings })
}

/// A clip of a repertoire: the one of a name, or the first that goes somewhere.
fn learned(path: &Path, name: Option<&str>, limits: &ReadLimits) -> Result<Subject, Failure> {
    let bytes = read_bytes(path, limits)?;
    let repertoire =
        Repertoire::from_bytes(&bytes).map_err(|error| Failure::of_file(path, error))?;
    let clips = repertoire.clips();
    let wanted = |clip: &&RepertoireClip| match name {
        Some(name) => clip.name() == name,
        None => clip.is_cyclic() && clip.speed() > 0.1,
    };
    let Some(clip) = clips.iter().find(wanted) else {
        let names: Vec<_> = clips.iter().map(RepertoireClip::name).collect();
        let message = format!("there is no such clip; there are {}", names.join(", "));
        return Err(Failure::of_file(path, message));
    };
    let made = GroundClip::from_repertoire(&repertoire, clip)
        .map_err(|error| Failure::of_file(path, error))?;
    Ok(Subject {
        clip: Arc::new(made),
        raw: None,
        mesh: creature_skin(repertoire.character()),
        read: vec![path.into()],
        warnings: Vec::new(),
    })
}

/// A terrain by name or from a file; of a motion, the ground it was on.
fn terrain(word: &str, limits: &ReadLimits) -> Result<Terrain, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::new(format!("--terrain {word}: {error}"));
    match Terrain::named(word, limits) {
        Ok(terrain) => Ok(terrain),
        Err(TerrainError::Motion(path)) => {
            let mut asset = select::read_plainly(&path, limits)?;
            select::drop_t_poses(&mut asset)?;
            let Some(clip) = asset.clips.first() else {
                return Err(fail(&"there is no animation"));
            };
            let (rig, analysis) = select::understand(&asset.skeleton, &asset.clips, clip)
                .map_err(|error| fail(&error))?;
            let points = analysis.contacts.footfalls(&asset.skeleton, &rig, clip);
            Terrain::from_footfalls(&ahead(points), &Default::default())
                .map_err(|error| fail(&error))
        }
        Err(error) => Err(fail(&error)),
    }
}

/// The same footfalls from the origin along +Z.
fn ahead(mut points: Vec<Vec3>) -> Vec<Vec3> {
    let [Some(&first), Some(&last)] = [points.first(), points.last()] else { return points };
    let way = last - first;
    let back = glam::Quat::from_rotation_y(-libm::atan2f(way.x, way.z));
    points.iter_mut().for_each(|point| *point = back * (*point - first));
    points
}

/// At the origin, with the way leading along +Z.
fn start(clip: &GroundClip, ground: &Terrain) -> Start {
    let (first, last) = (clip.placement(0.0), clip.placement(clip.clip().duration()));
    let way = last.position - first.position;
    let towards = if way.length() > 0.1 { libm::atan2f(way.x, way.y) } else { first.heading };
    let height = ground.height_at(Vec2::ZERO).unwrap_or(0.0);
    Start {
        place: Planar { position: Vec2::ZERO, heading: first.heading - towards },
        height,
        time: 0.0,
    }
}

/// How much poses were changed, compared with the file and not with what was planted of it.
fn changed(take: &Adapted, character: &Character, raw: &Clip) -> Result<f32, Failure> {
    let skeleton = &character.skeleton;
    let mut poses = vec![Transform::IDENTITY; take.frames.len() * skeleton.len()];
    for (frame, pose) in take.frames.iter().zip(poses.chunks_exact_mut(skeleton.len())) {
        raw.sample(frame.report.time, Wrap::Clamp, pose);
    }
    let raw = Clip::new(raw.name(), skeleton, take.clip.fps(), poses).or_fail()?;
    Ok(pose_change_deg_mean(&take.clip, &raw))
}

fn distance(take: &Adapted) -> f32 {
    let [Some(first), Some(last)] = [take.frames.first(), take.frames.last()] else { return 0.0 };
    first.report.place.position.distance(last.report.place.position)
}

/// How many footholds there were of each kind.
fn footholds(take: &Adapted) -> Value {
    let (mut firm, mut overhang, mut missing, mut far) = (0, 0, 0, 0);
    let feet = take.frames.first().map_or(0, |frame| frame.feet.len());
    for foot in 0..feet {
        let mut was_down = false;
        for frame in &take.frames {
            let report = &frame.feet[foot];
            let down = report.down[0] || report.down[1];
            if down && !was_down {
                match report.status {
                    FootStatus::Firm => firm += 1,
                    FootStatus::Overhang => overhang += 1,
                    FootStatus::Unsupported | FootStatus::Blocked => missing += 1,
                    FootStatus::OutOfReach => far += 1,
                    FootStatus::Settling | FootStatus::Aloft => {}
                }
            }
            was_down = down;
        }
    }
    json!({ "firm": firm, "overhanging": overhang, "without_ground": missing, "out_of_reach": far })
}

fn summary(args: &GroundArgs, take: &Adapted) -> String {
    let (m, own) = (&take.metrics, &take.source_metrics);
    let mut text = format!(
        "{BOLD}{}{BOLD:#} over {}: {:.1} m in {:.1} s{}\n",
        take.clip.name(),
        args.terrain,
        distance(take),
        take.clip.duration(),
        if take.stopped { ", and stopped: there is no step ahead" } else { "" },
    );
    let row = |name: &str, value: f32, source: f32, unit: &str| {
        vec![format!("  {name}"), format!("{value:.2} {unit}"), format!("{source:.2} on the level")]
    };
    text.push_str(&table(
        &[
            row("feet slide, mean", m.foot_slide_mm_mean, own.foot_slide_mm_mean, "mm"),
            row("feet slide, most", m.foot_slide_mm_max, own.foot_slide_mm_max, "mm"),
            row("soles in the ground, most", m.penetration_mm_max, own.penetration_mm_max, "mm"),
            row("flat soles above it, mean", m.sole_gap_mm_mean, own.sole_gap_mm_mean, "mm"),
            row(
                "feet turn in a frame, most",
                m.foot_rotation_deg_max,
                own.foot_rotation_deg_max,
                "°",
            ),
            row(
                "legs extended, most",
                100.0 * m.knee_extension_max,
                100.0 * own.knee_extension_max,
                "%",
            ),
            row("jerk of the pelvis", m.pelvis_jerk_rms, own.pelvis_jerk_rms, "m/s³"),
            row(
                "pose changed, mean",
                m.pose_change_deg_mean.unwrap_or(0.0),
                own.pose_change_deg_mean.unwrap_or(0.0),
                "°",
            ),
        ],
        &[1, 2],
    ));
    text.push_str(&format!(
        "{:.1} µs a frame, {:.1} at the 99th percentile\n",
        take.us_per_frame_mean(),
        take.us_per_frame_p99()
    ));
    text
}

/// Figures over the ground, with where ankles should have been and where they were.
fn picture(args: &GroundArgs, character: &Character, take: &Adapted, ground: &Terrain) -> Sheet {
    let places: Vec<Vec2> = take.frames.iter().map(|frame| frame.report.place.position).collect();
    let (from, to) =
        (places.first().copied().unwrap_or_default(), places.last().copied().unwrap_or_default());
    let direction = (to - from).normalize_or(Vec2::Y);
    let path = [from - 1.0 * direction, to + 1.0 * direction];
    let figures = ((to - from).length() / 0.35).clamp(6.0, 28.0) as usize;
    let mut view = SideView::new(&character.skeleton, &take.clip, path[0], direction)
        .figures(figures)
        .ground(Profile::sample(ground, &path, 0.01, 1e3).lines());
    for (index, foot) in character.rig.feet.iter().enumerate() {
        let feet = || take.frames.iter().map(move |frame| &frame.feet[index]);
        let real: Vec<Vec3> = feet().map(|foot| foot.ankle.translation).collect();
        let target: Vec<Vec3> = feet().map(|foot| foot.target.translation).collect();
        let side = match foot.side {
            Side::Left => "left",
            Side::Right => "right",
            Side::Middle => "middle",
        };
        view = view.path(format!("{side} ankle, target"), foot.side, Stroke::Dashed, &target);
        view = view.path(format!("{side} ankle"), foot.side, Stroke::Solid, &real);
        let mut last = None;
        for print in feet().filter_map(|foot| foot.print) {
            if last != Some(print.position) {
                let ahead = print.frame().rotation * Vec3::Z;
                let [heel, tip] =
                    sole(character, index).map(|along| print.position + along * ahead);
                view = view.footprint(foot.side, heel, tip);
                last = Some(print.position);
            }
        }
    }
    let mut sheet = Sheet::new(format!("{} over {}", take.clip.name(), args.terrain));
    let m = &take.metrics;
    sheet.note(format!(
        "feet slide {:.2} mm on average, {:.1} at most; {:.1} mm in the ground at most; flat soles {:.1} mm above it on average",
        m.foot_slide_mm_mean, m.foot_slide_mm_max, m.penetration_mm_max, m.sole_gap_mm_mean
    ));
    sheet.add(view.draw());
    sheet
}

/// How far heel and toes are from the middle of a print: half the foot each.
fn sole(character: &Character, foot: usize) -> [f32; 2] {
    let models = character.skeleton.rest_models();
    let foot = &character.rig.feet[foot];
    let half = 0.5 * foot.heel.position(&models).distance(foot.tip.position(&models));
    [-half, half]
}

/// What came of it as a take over the terrain, with where ankles should have been.
fn taken(args: &GroundArgs, character: &Character, take: &Adapted, ground: &Terrain) -> Take {
    let (clip, contacts) = (&take.clip, take.contacts.clone());
    let mut whole = Take::of_clip(character, clip, contacts, Some(ground));
    whole.head.about = format!("{} over {}", clip.name(), args.terrain);
    let target = |(index, foot): (usize, &andante_skeleton::Foot)| VectorCurve {
        values: take.frames.iter().map(|frame| frame.feet[index].target.translation).collect(),
        ..VectorCurve::point(&format!("{} ankle, target", foot.name))
    };
    whole.tracks[0].vectors = character.rig.feet.iter().enumerate().map(target).collect();
    whole
}
