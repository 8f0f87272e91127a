//! `andante ground`.

use super::check::{to_json, words};
use super::clips::metrics_json;
use super::ground_take::{Ended, GroundNotes, GroundTake};
use super::many::{self, FoundFile};
use super::select::{self, Performer};
use crate::args::GroundArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, FAINT, draw, table, written};
use crate::take_output::TakeOutput;
use andante_body::creature_skin;
use andante_check::{CheckSettings, Verdict, Violation, check};
use andante_draw::{Sheet, SideView, Stroke};
use andante_formats::ReadLimits;
use andante_formats::gate::read_bytes;
use andante_motion::adapt::{
    AdaptedMoment, Extent, GoneDistance, TakeOptions, measure_over, play_over,
};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::{GroundLevel, PlantOptions};
use andante_motion::{rig, synth};
use andante_play::measure::MotionMetrics;
use andante_play::repertoire::{Repertoire, RepertoireClip};
use andante_play::{Contacts, FootStatus, GroundClip, Start};
use andante_skeleton::{
    Character, Clip, Planar, Side, SkinnedMesh, check_setting, humanoid, parallel,
};
use andante_take::{Take, TakeFile, TakeFileError, TakeSource, Track};
use andante_world::{HeightFunction, Profile, Terrain, TerrainError};
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
    let built_in = |path: &PathBuf| path.to_str().is_some_and(|name| synth::NAMES.contains(&name));
    if let [one] = args.inputs.as_slice()
        && built_in(one)
    {
        // Also beside a folder of that name.
        return adapt(one, args.output.as_deref(), args, context);
    }
    let found = many::find(&args.inputs)?;
    if let (true, [file]) = (found.single, found.files.as_slice()) {
        return adapt(&file.path, args.output.as_deref(), args, context);
    }
    if args.svg.is_some() {
        return Err(Failure::new("--svg draws one motion").hint("name one file"));
    }
    let places = match &args.output {
        None => None,
        Some(out) if !select::is_folder(out) => {
            return Err(many::needs_folder(found.files.len(), out));
        }
        // Without a format each gets a folder with all there is.
        Some(out) => {
            Some(many::places(&found.files, out, Some(args.pipe.extension().unwrap_or("")))?)
        }
    };
    let work = |index: usize, file: &FoundFile| {
        let place = places.as_ref().map(|places| places[index].as_path());
        adapt(&file.path, place, args, context)
    };
    Ok(many::all(&found.files, "adapted", context, line, work))
}

/// One of many files in a line.
fn line(file: &FoundFile, report: &CommandReport) -> String {
    let json = &report.json;
    let number = |value: &Value| value.as_f64().unwrap_or_default();
    format!(
        "{} {:.1} m {FAINT}feet slide {:.2} mm on average{}{FAINT:#}\n",
        file.path.display(),
        number(&json["distance_m"]),
        number(&json["metrics"]["foot_slide_mm_mean"]),
        if report.exit > 0 { ", not as it should be" } else { "" },
    )
}

/// Adapts one motion.
fn adapt(
    path: &Path,
    out: Option<&Path>,
    args: &GroundArgs,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let input = path.to_string_lossy();
    let input = input.as_ref();
    let subject = subject(input, args, context)?;
    if let Some(output) = out {
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
        live: args.live,
        ..TakeOptions::default()
    };
    let begun = std::time::Instant::now();
    let output = TakeOutput::new(out, "take")?.stopped_by(context);
    let over = (&ground, args.terrain.as_str());
    let played = (&**clip, subject.raw.as_ref().map(|(raw, _)| raw));
    let mut recorded = GroundTake::new(&output, played, subject.mesh, over, args.fps)?;
    let clock = &mut || begun.elapsed();
    play_over(clip, &ground, &options, clock, |moment| recorded.frame(moment)).map_err(
        |ended| match ended {
            Ended::Play(error) => Failure::new(format!("{input}: {error}")),
            Ended::Write(failure) => failure,
        },
    )?;
    let (file, notes) = recorded.finish()?;
    let settings = CheckSettings::default();
    let fail = |error: TakeFileError| Failure::new(format!("{input}: {error}"));
    let of_clip = || -> Result<(Verdict, Measured), Failure> {
        let own = as_it_is(clip, subject.raw.as_ref(), &file, &notes).map_err(fail)?;
        let own = check(&own, None, &settings.of_raw_clip()).map_err(fail)?;
        Ok((own, Measured::new(clip, &file, &notes, &ground)?))
    };
    let (verdict, of_clip) = parallel::join(|| check(&file, None, &settings), of_clip);
    let (verdict, (own, measured)) = (verdict.map_err(fail)?, of_clip?);
    let gone = notes.counts.gone();
    let short = matches!(extent, Extent::Distance(asked) if gone < 0.99 * asked);

    let mut text = summary(args, &measured, &file, &notes);
    if short && !notes.stopped {
        text.push_str(&format!("ended after {gone:.1} m, the longest that is played\n"));
    }
    text.push_str(&words(&verdict));
    let allowed = |found: &Violation| own.allowed(found, settings.of_clip);
    let counts = |found: &Violation| found.is_beyond(allowed(found));
    let its_own = verdict.violations.iter().filter(|found| !counts(found)).count();
    if its_own > 0 {
        text.push_str(&format!("  {its_own} of these the clip has by itself\n"));
    }
    if let Some(path) = &args.svg {
        let track = file.track(0).map_err(|error| Failure::export(path, &error.into()))?;
        text.push_str(&draw(path, &picture(&file.head().about, &track, &measured, &ground))?);
    }
    let seconds = file.seconds();
    if out.is_some() {
        text.push_str(&written(&output.publish(&file, |_| {})?));
    }
    let violations = violations_json(&verdict, &own, settings.of_clip);
    let wrong = verdict.violations.iter().any(counts);
    let json = json!({
        "clip": clip.clip().name(), "terrain": args.terrain, "frames": notes.frames, "fps": args.fps,
        "seconds": seconds, "distance_m": gone, "stopped": notes.stopped || short,
        "footholds": notes.counts.json(), "metrics": metrics_json(&measured.metrics), "source_metrics": metrics_json(&measured.source),
        "us_per_frame_mean": notes.microseconds[0], "us_per_frame_p99": notes.microseconds[1],
        // Legs are solved in closed form.
        "iterations_mean": 1.0, "warnings": subject.warnings, "violations": violations,
        "natural": !wrong,
    });
    Ok(CommandReport { text, json, exit: u8::from(notes.stopped || short || wrong) })
}

/// What is wrong with a motion over the ground, beside what the clip has by itself.
fn violations_json(verdict: &Verdict, own: &Verdict, of_clip: f32) -> Value {
    let mut violations = to_json(verdict);
    for (found, json) in
        verdict.violations.iter().zip(violations.as_array_mut().into_iter().flatten())
    {
        let allowed = own.allowed(found, of_clip);
        let value = own.violations.iter().find(|own| own.kind == found.kind);
        json["value_of_clip"] = json!(value.map(|own| own.value));
        json["allowed"] = json!(allowed);
        json["counts"] = json!(found.is_beyond(allowed));
    }
    violations
}

/// How good the motion is over the ground, and on the plane it was made for.
struct Measured {
    metrics: MotionMetrics,
    source: MotionMetrics,
}

impl Measured {
    fn new(
        clip: &GroundClip,
        file: &TakeFile,
        notes: &GroundNotes,
        ground: &Terrain,
    ) -> Result<Self, Failure> {
        let character = clip.character();
        let fail = |error: TakeFileError| Failure::export(Path::new("take"), &error.into());
        let (own, contacts) = {
            let track = file.track(0).map_err(fail)?;
            let own = measure_over(character, &track.clip, &track.contacts, ground);
            (own, track.contacts.clone())
        };
        let metrics = MotionMetrics { pose_change_deg_mean: Some(notes.changed), ..own };
        let height = clip.height();
        let plane = HeightFunction::new(move |_| height);
        let played = notes.times.source(clip, file.head().fps).or_fail()?;
        let own = measure_over(character, &played, &contacts, &plane);
        let source = MotionMetrics { pose_change_deg_mean: Some(0.0), ..own };
        Ok(Self { metrics, source })
    }
}

/// What is adapted.
struct Subject {
    clip: Arc<GroundClip>,
    /// The motion of a file as it is there, whose feet are planted in the clip.
    raw: Option<(Clip, Contacts)>,
    mesh: Option<SkinnedMesh>,
    read: Vec<PathBuf>,
    warnings: Vec<String>,
}

/// The motion before anything was done to it, on level ground.
fn as_it_is(
    clip: &GroundClip,
    raw: Option<&(Clip, Contacts)>,
    file: &TakeFile,
    notes: &GroundNotes,
) -> Result<Take, TakeFileError> {
    let character = clip.character();
    if let Some((raw, contacts)) = raw {
        return Ok(Take::of_clip(character, raw, contacts.clone(), None));
    }
    let contacts = file.track(0)?.contacts.clone();
    let played = notes.times.source(clip, file.head().fps);
    let played = played.unwrap_or_else(|_| clip.clip().clone());
    Ok(Take::of_clip(character, &played, contacts, None))
}

/// A built-in clip by name, a motion from a file, or a clip of a repertoire.
fn subject(input: &str, args: &GroundArgs, context: &CliContext) -> Result<Subject, Failure> {
    let path = Path::new(input);
    if synth::NAMES.contains(&input) && !path.is_file() {
        let made = synth::clip(&humanoid(), input).or_fail_of(input)?;
        let Performer { character, made, skin, warnings } =
            select::performed(made, &humanoid(), args.character.as_deref(), &context.limits)?;
        context.warn_of(input, &warnings);
        let clip = made.ground_clip(&Arc::new(character)).or_fail_of(input)?;
        let mesh = skin.map(Arc::unwrap_or_clone);
        let read = args.character.iter().cloned().collect();
        return Ok(Subject { clip: Arc::new(clip), raw: None, mesh, read, warnings });
    }
    if args.character.is_some() {
        return Err(Failure::new("--character goes with a built-in clip")
            .hint("`andante retarget` puts the motion of a file on another character"));
    }
    if !path.exists() {
        return Err(Failure::new(format!("{input}: neither a built-in clip nor a file"))
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
    let rig = rig::detect(&asset.skeleton, &asset.clips).or_fail_of(input)?;
    let Some(motion) = asset.clips.first() else {
        return Err(Failure::new(format!("{input}: there is no animation")));
    };
    if asset.clips.len() > 1 {
        warnings.push(format!(
            "`{}` is the first of {} animations; --clip takes another: {}",
            motion.name(),
            asset.clips.len(),
            select::clip_names(&asset.clips[1..])
        ));
    }
    context.warn_of(input, &warnings);
    let analysis =
        analyse(&asset.skeleton, &rig, motion, &AnalysisOptions::default()).or_fail_of(input)?;
    if GroundLevel::found(&analysis.ground, &PlantOptions::default()) == GroundLevel::Captured {
        let uneven = "it was captured on ground that is not level, and is put on the level first";
        context.warn_of(input, &[uneven.into()]);
        warnings.push(uneven.into());
    }
    let character = Arc::new(Character::new("character", asset.skeleton.clone(), rig));
    let clip =
        andante_motion::planted_ground_clip(&character, motion, &analysis).or_fail_of(input)?;
    let read = select::files_read(path, &args.motion.reading);
    let raw = Some((motion.clone(), analysis.contacts.clone()));
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

/// How far a clip went, and how many footholds there were of each kind.
pub(super) struct GroundCounts {
    way: GoneDistance,
    down: Vec<bool>,
    firm: usize,
    overhang: usize,
    missing: usize,
    far: usize,
}

impl GroundCounts {
    pub fn new(clip: &GroundClip) -> Self {
        let (firm, overhang, missing, far) = (0, 0, 0, 0);
        let (way, down) = (
            GoneDistance::of_legs(clip.leg_length()),
            vec![false; clip.character().rig.feet.len()],
        );
        Self { way, down, firm, overhang, missing, far }
    }

    pub fn add(&mut self, moment: &AdaptedMoment) {
        self.way.add(moment.report.place.position);
        for (report, was_down) in moment.feet.iter().zip(&mut self.down) {
            let down = report.down[0] || report.down[1];
            if down && !*was_down {
                match report.status {
                    FootStatus::Firm => self.firm += 1,
                    FootStatus::Overhang => self.overhang += 1,
                    FootStatus::Unsupported | FootStatus::Blocked => self.missing += 1,
                    FootStatus::OutOfReach => self.far += 1,
                    FootStatus::Settling | FootStatus::Aloft => {}
                }
            }
            *was_down = down;
        }
    }

    /// The metres it has gone.
    fn gone(&self) -> f32 {
        self.way.metres()
    }

    fn json(&self) -> Value {
        json!({ "firm": self.firm, "overhanging": self.overhang, "without_ground": self.missing, "out_of_reach": self.far })
    }
}

fn summary(args: &GroundArgs, measured: &Measured, file: &TakeFile, notes: &GroundNotes) -> String {
    let (m, own) = (&measured.metrics, &measured.source);
    let mut text = format!(
        "{BOLD}{}{BOLD:#} over {}: {:.1} m in {:.1} s{}\n",
        file.head().name,
        args.terrain,
        notes.counts.gone(),
        file.seconds(),
        if notes.stopped { ", and stopped: there is no step ahead" } else { "" },
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
        notes.microseconds[0], notes.microseconds[1]
    ));
    text
}

/// Figures over the ground, with where ankles should have been and where they were.
fn picture(title: &str, track: &Track, measured: &Measured, ground: &Terrain) -> Sheet {
    let character = &track.character;
    let place = |body: Option<&Planar>| body.map(|body| body.position).unwrap_or_default();
    let (from, to) = (place(track.body.first()), place(track.body.last()));
    let direction = (to - from).normalize_or(Vec2::Y);
    let path = [from - 1.0 * direction, to + 1.0 * direction];
    let figures = ((to - from).length() / 0.35).clamp(6.0, 28.0) as usize;
    let mut view = SideView::new(&character.skeleton, &track.clip, path[0], direction)
        .figures(figures)
        .ground(Profile::sample(ground, &path, 0.01, 1e3).lines());
    let frames = andante_skeleton::model_frames(&character.skeleton, &track.clip);
    for (index, foot) in character.rig.feet.iter().enumerate() {
        let real: Vec<Vec3> =
            frames.iter().map(|models| models[foot.ankle()].translation).collect();
        let side = match foot.side {
            Side::Left => "left",
            Side::Right => "right",
            Side::Middle => "middle",
        };
        let target = &track.vectors[index].values;
        view = view.path(format!("{side} ankle, target"), foot.side, Stroke::Dashed, target);
        view = view.path(format!("{side} ankle"), foot.side, Stroke::Solid, &real);
        for print in track.footprints.iter().filter(|print| print.foot == index) {
            view = view.footprint(foot.side, print.heel, print.tip);
        }
    }
    let mut sheet = Sheet::new(title);
    let m = &measured.metrics;
    sheet.note(format!(
        "feet slide {:.2} mm on average, {:.1} at most; {:.1} mm in the ground at most; flat soles {:.1} mm above it on average",
        m.foot_slide_mm_mean, m.foot_slide_mm_max, m.penetration_mm_max, m.sole_gap_mm_mean
    ));
    sheet.add(view.draw());
    sheet
}
