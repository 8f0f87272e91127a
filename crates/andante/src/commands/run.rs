//! `andante run`, and what `andante demo` is.

use super::check::{self, words};
use super::clips::metrics_json;
use super::plan::scene;
use crate::args::RunArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport};
use crate::take_output::export;
use andante_check::{CheckSettings, Verdict};
use andante_draw::{PageSettings, take_report, take_sheet};
use andante_stage::{Clock, PlayOptions, Scene, play_to_file};
use andante_take::{Event, EventKind, Take, TakeFile, TakeSource, TrackMetrics, measure};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

pub fn run(args: &RunArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let scene = scene(&args.scene, &context.limits)?;
    let directory = args.output.clone().unwrap_or_else(|| PathBuf::from("out").join(&scene.name));
    perform(&scene, &directory, context)
}

/// Plays a scene and writes everything about it, all files or none.
pub fn perform(
    scene: &Scene,
    directory: &Path,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    std::fs::create_dir_all(directory).map_err(|error| Failure::write(directory, &error))?;
    let aside = tempfile::Builder::new().prefix(".andante-").tempdir_in(directory);
    let aside = aside.map_err(|error| Failure::write(directory, &error))?;
    let progress = context.progress(5, "playing");
    let mut stages = Stages::default();
    let take = played(scene, &aside.path().join("take.take"), context, &mut stages)?;
    progress.inc(1);
    let fail = |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", scene.name));

    progress.set_message("measuring");
    let began = Instant::now();
    let mut metrics = measure(&take).map_err(|error| fail(&error))?;
    stages.add("measuring", began);
    let began = Instant::now();
    let verdict = andante_check::check(&take, Some(&scene.demand()), &CheckSettings::default())
        .map_err(|error| fail(&error))?;
    // Nobody has reached a goal by a way that is not there.
    for (metrics, name) in metrics.iter_mut().zip(take.names()) {
        metrics.reached &= verdict.wrong(Some(name)).next().is_none();
    }
    stages.add("check", began);
    progress.inc(1);

    progress.set_message("exporting");
    let began = Instant::now();
    let mut files = vec!["take.take".to_owned()];
    files.extend(export(&take, aside.path(), "take").map_err(|error| fail(&error))?);
    stages.add("export", began);
    progress.inc(1);

    progress.set_message("drawing");
    let began = Instant::now();
    let settings = PageSettings::default();
    let mut write = |name: &str, text: String| {
        files.push(name.into());
        let path = aside.path().join(name);
        std::fs::write(&path, text).map_err(|error| Failure::write(&path, &error))
    };
    let plan = take_sheet(&take, &settings).map_err(|error| fail(&error))?;
    write("plan.svg", plan.to_svg())?;
    drop(plan);
    let page = take_report(&take, &metrics, &stages.milliseconds, &settings);
    write("report.html", page.map_err(|error| fail(&error))?.to_html())?;
    stages.add("report", began);
    progress.inc(1);

    progress.set_message("writing");
    let json = json_of(&take, &metrics, &verdict, &stages);
    write("metrics.json", format!("{json:#}\n"))?;
    let exit = u8::from(metrics.iter().any(|metrics| !metrics.reached));
    progress.finish_and_clear();
    if context.stopped() {
        return Ok(CommandReport { text: "stopped; nothing was written\n".into(), json, exit: 1 });
    }
    // The report is named first.
    files.sort_by_key(|name| name != "report.html");
    let mut text = summary(&take, &metrics);
    text.push_str(&words(&verdict));
    for name in &files {
        let path = directory.join(name);
        std::fs::rename(aside.path().join(name), &path)
            .map_err(|error| Failure::write(&path, &error))?;
        text.push_str(&format!("  {}\n", path.display()));
    }
    let report = directory.join("report.html");
    text.push_str(&format!("Open {BOLD}{}{BOLD:#} in a browser.\n", report.display()));
    Ok(CommandReport { text, json, exit })
}

/// The take of a scene, played on the stage and recorded to a file.
fn played(
    scene: &Scene,
    path: &Path,
    context: &CliContext,
    stages: &mut Stages,
) -> Result<TakeFile, Failure> {
    let began = Instant::now();
    let options = PlayOptions { clock: Clock::new(seconds), ..PlayOptions::default() };
    let (take, timings) = play_to_file(scene, context.seed, &options, path, |_| !context.stopped())
        .map_err(|error| Failure::new(error.to_string()))?;
    stages.add("stage", began);
    let rows = timings.rows().map(|(stage, milliseconds)| (stage.to_owned(), milliseconds));
    stages.milliseconds.extend(rows);
    Ok(take)
}

/// Seconds since this was first asked.
pub fn seconds() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A take of a scene in memory, for commands that show it.
pub fn take_of(scene: &Scene, context: &CliContext) -> Result<Take, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let aside = tempfile::tempdir().map_err(|error| fail(&error))?;
    let path = aside.path().join("take.take");
    let take = played(scene, &path, context, &mut Stages::default())?;
    take.load().map_err(|error| fail(&error))
}

/// Milliseconds by stage, in order.
#[derive(Default)]
struct Stages {
    milliseconds: Vec<(String, f64)>,
}

impl Stages {
    fn add(&mut self, stage: &str, began: Instant) {
        self.milliseconds.push((stage.into(), began.elapsed().as_secs_f64() * 1e3));
    }
}

/// The first character at the top, and everybody in a list.
fn json_of(take: &TakeFile, metrics: &[TrackMetrics], verdict: &Verdict, stages: &Stages) -> Value {
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
    json["reached"] = json!(metrics.iter().all(|metrics| metrics.reached));
    json["frames"] = json!(take.frames());
    json["seconds"] = json!(take.seconds());
    let timings: Map<String, Value> =
        stages.milliseconds.iter().map(|(stage, ms)| (stage.clone(), json!(ms))).collect();
    json["timings_ms"] = timings.into();
    json["characters"] = json!(tracks);
    json["violations"] = check::to_json(verdict);
    json["events"] = events(take);
    json
}

/// What happened, for scripts.
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
