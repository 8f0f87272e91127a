//! `andante run`, and what `andante demo` is.

use super::clips::metrics_json;
use super::plan::scene;
use crate::args::RunArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport};
use andante_draw::{take_report, take_sheet};
use andante_formats::write_all_atomically;
use andante_stage::{Clock, PlayOptions, Scene, Take, TrackMetrics, play_timed};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

pub fn run(args: &RunArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let scene = scene(&args.scene)?;
    let directory = args.output.clone().unwrap_or_else(|| PathBuf::from("out").join(&scene.name));
    perform(&scene, &directory, context)
}

/// Plays a scene and writes everything about it, all files or none.
pub fn perform(
    scene: &Scene,
    directory: &Path,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    let progress = context.progress(5, "playing");
    let mut stages = Stages::default();
    let take = played(scene, context, &mut stages)?;
    progress.inc(1);

    progress.set_message("measuring");
    let began = Instant::now();
    let metrics = take.metrics();
    stages.add("measuring", began);
    progress.inc(1);

    progress.set_message("exporting");
    let began = Instant::now();
    let mut files = exports(&take)?;
    stages.add("export", began);
    progress.inc(1);

    progress.set_message("drawing");
    let began = Instant::now();
    files.push(("plan.svg".into(), take_sheet(&take).to_svg().into_bytes()));
    let report = take_report(&take, &stages.milliseconds);
    files.insert(0, ("report.html".into(), report.into_bytes()));
    stages.add("report", began);
    progress.inc(1);

    progress.set_message("writing");
    let json = json_of(&take, &metrics, &stages);
    let mut detailed = json.clone();
    detailed["events"] = events(&take);
    files.push(("metrics.json".into(), format!("{detailed:#}\n").into_bytes()));
    let exit = u8::from(metrics.iter().any(|metrics| !metrics.reached));
    if context.stopped() {
        progress.finish_and_clear();
        return Ok(CommandReport { text: "stopped; nothing was written\n".into(), json, exit: 1 });
    }
    std::fs::create_dir_all(directory).map_err(|error| Failure::write(directory, &error))?;
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| directory.join(name)).collect();
    let whole: Vec<(&Path, &[u8])> =
        paths.iter().zip(&files).map(|(path, (_, bytes))| (&**path, &**bytes)).collect();
    write_all_atomically(&whole).map_err(|error| Failure::write(directory, &error))?;
    progress.finish_and_clear();

    let mut text = summary(&take, &metrics);
    for path in &paths {
        text.push_str(&format!("  {}\n", path.display()));
    }
    text.push_str(&format!("Open {BOLD}{}{BOLD:#} in a browser.\n", paths[0].display()));
    Ok(CommandReport { text, json, exit })
}

/// The take of a scene, played on the stage.
fn played(scene: &Scene, context: &CliContext, stages: &mut Stages) -> Result<Take, Failure> {
    let began = Instant::now();
    let options = PlayOptions { clock: Clock::new(seconds), ..PlayOptions::default() };
    let (take, timings) = play_timed(scene, context.seed, &options, |_| !context.stopped())
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

/// A take of a scene, for commands that show it.
pub fn take_of(scene: &Scene, context: &CliContext) -> Result<Take, Failure> {
    played(scene, context, &mut Stages::default())
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

/// The files other programs read.
fn exports(take: &Take) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let fail =
        |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", take.scene.name));
    let mut files = vec![
        ("take.take".to_owned(), take.to_bytes().map_err(|error| fail(&error))?),
        ("take.glb".to_owned(), take.to_glb().map_err(|error| fail(&error))?),
    ];
    for track in 0..take.tracks.len() {
        let name = match take.tracks.len() {
            1 => "take.bvh".to_owned(),
            _ => format!("take-{}.bvh", take.file_name(track)),
        };
        files.extend(take.to_bvh(track).map(|text| (name, text.into_bytes())));
    }
    files.push(("curves.csv".into(), take.to_csv().into_bytes()));
    Ok(files)
}

/// The first character at the top, and everybody in a list.
fn json_of(take: &Take, metrics: &[TrackMetrics], stages: &Stages) -> Value {
    let track = |(index, m): (usize, &TrackMetrics)| {
        let track = &take.tracks[index];
        json!({
            "name": track.name, "reached": m.reached, "goal_error_m": m.goal_error_m,
            "goal_heading_error_deg": m.goal_heading_error_deg, "frames": track.clip.frame_count(),
            "seconds": track.clip.duration(), "footsteps": track.footprints.len(),
            "footsteps_off_the_ground": m.footprints_off, "way_m": m.way_m,
            "collisions": { "frames": m.collision_frames, "depth_mm_max": m.collision_mm_max },
            "metrics": metrics_json(&m.feet, &m.body),
        })
    };
    let tracks: Vec<Value> = metrics.iter().enumerate().map(track).collect();
    let mut json = tracks.first().cloned().unwrap_or_else(|| json!({}));
    json["scene"] = json!(take.scene.name);
    json["seed"] = json!(take.seed);
    json["reached"] = json!(metrics.iter().all(|metrics| metrics.reached));
    json["frames"] = json!(take.frames());
    json["seconds"] = json!(take.seconds());
    let timings: Map<String, Value> =
        stages.milliseconds.iter().map(|(stage, ms)| (stage.clone(), json!(ms))).collect();
    json["timings_ms"] = timings.into();
    json["characters"] = json!(tracks);
    json
}

fn events(take: &Take) -> Value {
    let event = |event: &andante_stage::Event| {
        json!({
            "time": event.time, "character": event.track.map(|track| &take.tracks[track].name),
            "kind": event.word(), "words": event.describe(take),
        })
    };
    take.events.iter().map(event).collect()
}

fn summary(take: &Take, metrics: &[TrackMetrics]) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}: {}\n", take.scene.name, take.scene.about);
    for (track, m) in take.tracks.iter().zip(metrics) {
        let steps = track.footprints.len();
        let (way, seconds) = (m.way_m, track.clip.duration());
        text.push_str(&format!(
            "  {}: {way:.1} m in {seconds:.1} s, {steps} footsteps\n",
            track.name
        ));
        if let (Some(missed), Some(turned)) = (m.goal_error_m, m.goal_heading_error_deg) {
            text.push_str(&format!(
                "    the goal is missed by {:.2} mm and {turned:.2}°; feet slide {:.2} mm on average, {:.2} at most\n",
                1e3 * missed,
                m.feet.foot_slide_mm_mean,
                m.feet.foot_slide_mm_max,
            ));
        }
    }
    for event in &take.events {
        if let (andante_stage::EventKind::Failed(_), Some(track)) = (&event.kind, event.track) {
            let who = &take.tracks[track].name;
            text.push_str(&format!("  {who} {}\n", event.describe(take)));
        }
    }
    text
}
