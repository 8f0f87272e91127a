//! `andante run`, and what `andante demo` is.

use super::check::{self, words};
use super::clips::metrics_json;
use super::plan::{cast, scene};
use super::select::refuse_to_overwrite;
use crate::args::RunArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport};
use crate::take_output::{TakeOutput, at_once};
use andante_check::{CheckSettings, Verdict};
use andante_draw::{PageSettings, take_sheet};
use andante_stage::{Clock, PlayOptions, Scene, StageError, play_to_file};
use andante_take::{
    Event, EventKind, Take, TakeFile, TakeFileError, TakeSource, TrackMetrics, measure, slug,
};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

pub fn run(args: &RunArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let scene = cast(scene(&args.scene, &context.limits)?, args.character.as_deref(), context)?;
    let folder = || PathBuf::from("out").join(slug(&scene.name));
    let folder = args.output.clone().unwrap_or_else(folder);
    // Scene, characters and repertoires; what is read later is found out about before anything is written.
    let named = scene.characters.iter().flat_map(|part| {
        [Some(PathBuf::from(&part.character)), part.repertoire.clone()].into_iter().flatten()
    });
    let named: Vec<PathBuf> = named.collect();
    for name in WRITTEN {
        refuse_to_overwrite(&folder.join(name), &named)?;
    }
    perform(&scene, &folder, context)
}

/// Files that every run writes.
const WRITTEN: [&str; 7] =
    ["take.take", "take.glb", "take.bvh", "report.html", "curves.csv", "plan.svg", "metrics.json"];

/// Plays a scene and writes everything about it, all files or none.
pub fn perform(
    scene: &Scene,
    directory: &Path,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let mut output = TakeOutput::of_folder(directory, "take")?.stopped_by(context);
    let progress = context.progress(4, "playing");
    let mut stages = Stages::default();
    let Some(take) = played(scene, &output.take_path(), context, &mut stages)? else {
        progress.finish_and_clear();
        return Ok(CommandReport::stopped());
    };
    progress.inc(1);

    // Files need no verdict, and a verdict no files: both are made at once.
    progress.set_message("measuring and exporting");
    let (judged, exported) =
        at_once(&take, || judged(&take, scene, context), || exported(&take, &mut output, context));
    let (metrics, verdict, times) = judged?;
    stages.milliseconds.extend(times.milliseconds);
    stages.milliseconds.extend(exported?.milliseconds);
    context.go_on()?;
    progress.inc(2);

    progress.set_message("drawing");
    let began = Instant::now();
    output.report(&take, &metrics, |_| {})?;
    stages.add("report", began);

    let mut json = json_of(&take, &metrics, &verdict);
    output.add_text("metrics.json", &format!("{json:#}\n"))?;
    progress.finish_and_clear();
    context.go_on()?;
    let mut text = summary(&take, &metrics);
    text.push_str(&words(&verdict));
    for path in output.commit()? {
        text.push_str(&format!("  {}\n", path.display()));
    }
    let report = directory.join("report.html");
    text.push_str(&format!("Open {BOLD}{}{BOLD:#} in a browser.\n", report.display()));
    json["timings_ms"] = stages.milliseconds.into();
    let exit = u8::from(!is_reached(&metrics, &verdict));
    Ok(CommandReport { text, json, exit })
}

/// The measures of a take and what is to be said against it. Nobody has reached a goal by a way that is not there, as nobody
/// moves, or beside something it was told and has not done.
fn judged(
    take: &TakeFile,
    scene: &Scene,
    context: &CliContext,
) -> Result<(Vec<TrackMetrics>, Verdict, Stages), Failure> {
    let fail = |error: TakeFileError| Failure::export(Path::new("take"), &error.into());
    let mut stages = Stages::default();
    let began = Instant::now();
    let mut metrics = measure(take).map_err(fail)?;
    stages.add("measuring", began);
    context.go_on()?;
    let began = Instant::now();
    let verdict = andante_check::check(take, Some(&scene.demand()), &CheckSettings::default())
        .map_err(fail)?;
    for (metrics, name) in metrics.iter_mut().zip(take.names()) {
        metrics.reached &= verdict.is_ok_of(name);
    }
    stages.add("check", began);
    Ok((metrics, verdict, stages))
}

/// Adds what is made of a take whatever is said of it.
fn exported(
    take: &TakeFile,
    output: &mut TakeOutput,
    context: &CliContext,
) -> Result<Stages, Failure> {
    let mut stages = Stages::default();
    let began = Instant::now();
    output.export(take)?;
    stages.add("export", began);
    context.go_on()?;
    let began = Instant::now();
    let plan = take_sheet(take, &PageSettings::default());
    let plan = plan.map_err(|error| Failure::export(Path::new("take"), &error.into()))?;
    output.add_text("plan.svg", &plan.to_svg())?;
    stages.add("plan", began);
    Ok(stages)
}

/// The take of a scene, played on the stage and recorded to a file; none if somebody had enough.
fn played(
    scene: &Scene,
    path: &Path,
    context: &CliContext,
    stages: &mut Stages,
) -> Result<Option<TakeFile>, Failure> {
    let began = Instant::now();
    let options = PlayOptions { clock: Clock::new(seconds), ..PlayOptions::default() };
    let (take, timings) =
        match play_to_file(scene, context.seed, &options, path, |_| !context.stopped()) {
            Ok(played) => played,
            Err(StageError::Cancelled) => return Ok(None),
            Err(StageError::Take(error)) => return Err(Failure::export(path, &error.into())),
            Err(error) => return Err(Failure::new(error.to_string())),
        };
    stages.add("stage", began);
    for (stage, milliseconds) in timings.rows() {
        stages.milliseconds.insert(stage.to_owned(), json!(milliseconds));
    }
    Ok(Some(take))
}

/// Seconds since this was first asked.
pub fn seconds() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A take of a scene in memory, for commands that show it; none if somebody had enough.
pub fn take_of(scene: &Scene, context: &CliContext) -> Result<Option<Take>, Failure> {
    let output = TakeOutput::new(None, "take")?;
    let path = output.take_path();
    let take = played(scene, &path, context, &mut Stages::default())?;
    let load = |take: TakeFile| take.load().map_err(|error| Failure::export(&path, &error.into()));
    take.map(load).transpose()
}

/// Milliseconds by stage, in order.
#[derive(Default)]
struct Stages {
    milliseconds: Map<String, Value>,
}

impl Stages {
    fn add(&mut self, stage: &str, began: Instant) {
        self.milliseconds.insert(stage.into(), json!(began.elapsed().as_secs_f64() * 1e3));
    }
}

/// Whether everybody is where they were sent and nothing is to be said against it, nor against who is there.
fn is_reached(metrics: &[TrackMetrics], verdict: &Verdict) -> bool {
    metrics.iter().all(|metrics| metrics.reached) && verdict.is_ok()
}

/// The first character at the top, and everybody in a list.
fn json_of(take: &TakeFile, metrics: &[TrackMetrics], verdict: &Verdict) -> Value {
    let names = take.names();
    let track = |(index, m): (usize, &TrackMetrics)| {
        let frames = take.frames_of(index);
        json!({
            "name": names[index], "reached": m.reached, "goal_error_m": m.goal_error_m,
            "goal_heading_error_deg": m.goal_heading_error_deg, "frames": frames,
            "seconds": frames.saturating_sub(1) as f32 / take.head().fps, "footsteps": m.footsteps,
            "footsteps_off_the_ground": m.footprints_off, "way_m": m.way_m,
            "collisions": { "frames": m.collision_frames, "depth_mm_max": m.collision_mm_max },
            "metrics": metrics_json(&m.motion),
        })
    };
    let tracks: Vec<Value> = metrics.iter().enumerate().map(track).collect();
    let mut json = tracks.first().cloned().unwrap_or_else(|| json!({}));
    json["scene"] = json!(take.head().name);
    json["seed"] = json!(take.head().seed);
    json["reached"] = json!(is_reached(metrics, verdict));
    json["frames"] = json!(take.frames());
    json["seconds"] = json!(take.seconds());
    json["characters"] = json!(tracks);
    json["violations"] = check::to_json(verdict);
    json["events"] = events(take);
    json
}

/// The events of a take as JSON, for scripts.
pub fn events(take: &dyn TakeSource) -> Value {
    let names = take.names();
    let event = |event: &Event| {
        json!({
            "time": event.time, "character": event.track.and_then(|track| names.get(track)),
            "kind": event.word(), "words": event.describe(&names),
        })
    };
    take.events().iter().map(event).collect()
}

fn summary(take: &TakeFile, metrics: &[TrackMetrics]) -> String {
    let (head, names) = (take.head(), take.names());
    let mut text = format!("{BOLD}{}{BOLD:#}: {}\n", head.name, head.about);
    for (index, m) in metrics.iter().enumerate() {
        let (way, steps) = (m.way_m, m.footsteps);
        let seconds = take.frames_of(index).saturating_sub(1) as f32 / head.fps;
        let name = names[index];
        text.push_str(&format!("  {name}: {way:.1} m in {seconds:.1} s, {steps} footsteps\n"));
        if let (Some(missed), Some(turned)) = (m.goal_error_m, m.goal_heading_error_deg) {
            text.push_str(&format!(
                "    the goal is missed by {:.2} mm and {turned:.2}°; feet slide {:.2} mm on average, {:.2} at most\n",
                1e3 * missed,
                m.motion.foot_slide_mm_mean,
                m.motion.foot_slide_mm_max,
            ));
        }
    }
    for event in take.events() {
        if let (EventKind::Failed(_), Some(track)) = (&event.kind, event.track) {
            text.push_str(&format!("  {} {}\n", names[track], event.describe(&names)));
        }
    }
    text
}
