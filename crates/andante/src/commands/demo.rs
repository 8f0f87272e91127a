//! `andante demo`.

use super::clips::metrics_json;
use crate::args::DemoArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::motion_sheet::{Known, motion_sheet};
use crate::report::{BOLD, Report};
use andante_draw::Page;
use andante_formats::{Asset, UnitSource, Units, gltf, write_atomically, write_file};
use andante_motion::analysis::{AnalysisOptions, ClipAnalysis, analyse};
use andante_motion::edit::{self, EditError, JoinOptions, PlantOptions};
use andante_motion::metrics::{FootMetrics, foot_metrics};
use andante_motion::{Interval, synth};
use andante_skeleton::{Character, Clip, capsule_body, humanoid};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub fn run(args: &DemoArgs, context: &Context) -> Result<Report, Failure> {
    let mut stages = Stages::default();
    let progress = context.progress(5, "demo");
    let mut stage = |name: &'static str| {
        progress.inc(1);
        progress.set_message(name);
        stages.next(name);
    };
    let human = humanoid();
    stage("synthesis");
    let mut journey = Journey::new(&human);
    let script = script(context.seed);
    journey.play(&script).map_err(|error| Failure::new(error.to_string()))?;
    stage("analysis");
    let understand = |clip: &Clip| {
        analyse(&human.skeleton, &human.rig, clip, &AnalysisOptions::default())
            .map_err(|error| Failure::new(error.to_string()))
    };
    let contacts = understand(&journey.clip)?.contacts;
    stage("planting");
    let (take, _) = edit::plant_feet(
        &human.skeleton,
        &human.rig,
        &journey.clip,
        &contacts,
        &PlantOptions::default(),
    )
    .map_err(|error| Failure::new(error.to_string()))?;
    let metrics = foot_metrics(&human.skeleton, &human.rig, &take, &contacts, |_, _| 0.0);
    let analysis = understand(&take)?;
    stage("writing");
    let directory = &args.output;
    std::fs::create_dir_all(directory).map_err(|error| Failure::write(directory, &error))?;
    let written = write(directory, &human, &take, &analysis, &metrics, &script)?;
    stage("done");
    progress.finish_and_clear();

    let json = json!({
        "frames": take.frame_count(), "seconds": take.duration(), "distance_m": analysis.travel.distance,
        "metrics": metrics_json(&metrics), "timings_ms": stages.milliseconds,
    });
    let path = directory.join("metrics.json");
    write_atomically(&path, format!("{json:#}\n").as_bytes())
        .map_err(|error| Failure::write(&path, &error))?;
    let mut text = format!(
        "{BOLD}A human of 1.75 m{BOLD:#} stands, walks, turns, runs and jumps for {:.1} s over {:.1} m;\n\
         its feet slide {:.2} mm on average while they are down.\n",
        take.duration(),
        analysis.travel.distance,
        metrics.foot_slide_mm_mean,
    );
    for path in written.iter().chain([&path]) {
        text.push_str(&format!("  {}\n", path.display()));
    }
    text.push_str(&format!(
        "Open {BOLD}{}{BOLD:#} in a browser.\n",
        directory.join("report.html").display()
    ));
    Ok(Report::done(text, json))
}

/// What the human does, as names of built-in clips and how often. The seed chooses sides and lengths.
fn script(seed: u64) -> Vec<(String, usize)> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut choose = |count: u64| {
        // SplitMix64 (Steele, Lea and Flood 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % count
    };
    let (side, other) = if choose(2) == 0 { ("left", "right") } else { ("right", "left") };
    let idle = ["idle-look-around", "idle-shift-weight", "idle-stretch"][choose(3) as usize];
    [
        ("start".to_string(), 1),
        ("walk".into(), 1),
        (format!("walk-{side}"), 2 + choose(2) as usize),
        (format!("walk-{other}"), 2 + choose(2) as usize),
        ("walk-brisk".into(), 1),
        ("jog".into(), 2),
        ("run".into(), 2),
        ("jump-long".into(), 1),
        ("run".into(), 2),
        ("jog".into(), 2),
        ("walk".into(), 1),
        ("stop".into(), 1),
        (format!("turn-{other}-90"), 1),
        (idle.into(), 1),
    ]
    .to_vec()
}

/// Built-in clips one after the other.
struct Journey<'a> {
    human: &'a Character,
    clip: Clip,
    /// The cyclic clip that played last: it goes on into a fade.
    last_cycle: Option<Clip>,
}

/// Seconds over which one gait turns into another.
const FADE: f32 = 0.3;

impl<'a> Journey<'a> {
    fn new(human: &'a Character) -> Self {
        // Where every clip from standing begins.
        let rest = Clip::new(
            "demo",
            &human.skeleton,
            60.0,
            andante_skeleton::Pose::rest(&human.skeleton).to_vec(),
        );
        let clip = match rest {
            Ok(clip) => clip,
            Err(error) => unreachable!("the rest pose is finite: {error}"),
        };
        Self { human, clip, last_cycle: None }
    }

    fn play(&mut self, script: &[(String, usize)]) -> Result<(), JourneyError> {
        for (index, (name, count)) in script.iter().enumerate() {
            let next = synth::clip(self.human, name)?;
            for round in 0..*count {
                if index == 0 && round == 0 {
                    self.clip = next.clip.clone().renamed("demo");
                } else {
                    // Clips that are not cyclic begin and end in the poses of those around them.
                    let changes = round == 0
                        && next.cyclic
                        && self.last_cycle.as_ref().is_some_and(|last| last != &next.clip);
                    self.append(&next.clip, if changes { FADE } else { 0.0 })?;
                }
                self.last_cycle = next.cyclic.then(|| next.clip.clone());
            }
        }
        Ok(())
    }

    /// Adds a clip. To fade, the last gait goes on for as long as that takes, so that both are in the
    /// same phase of their strides.
    fn append(&mut self, next: &Clip, fade: f32) -> Result<(), EditError> {
        let skeleton = &self.human.skeleton;
        if let Some(last) = self.last_cycle.as_ref().filter(|_| fade > 0.0) {
            let more = edit::trim(skeleton, last, Interval::new(0.0, fade))?;
            self.clip = edit::concatenate(
                skeleton,
                &self.clip,
                &more,
                &JoinOptions { align: true, fade: 0.0 },
            )?;
        }
        self.clip =
            edit::concatenate(skeleton, &self.clip, next, &JoinOptions { align: true, fade })?;
        Ok(())
    }
}

/// A clip that is not there, or does not fit.
#[derive(Debug)]
enum JourneyError {
    Synth(synth::SynthError),
    Edit(EditError),
}

impl From<synth::SynthError> for JourneyError {
    fn from(error: synth::SynthError) -> Self {
        Self::Synth(error)
    }
}

impl From<EditError> for JourneyError {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

impl std::fmt::Display for JourneyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Synth(error) => error.fmt(f),
            Self::Edit(error) => error.fmt(f),
        }
    }
}

/// Milliseconds per stage.
#[derive(Default)]
struct Stages {
    milliseconds: BTreeMap<&'static str, f64>,
    running: Option<(&'static str, Instant)>,
}

impl Stages {
    fn next(&mut self, name: &'static str) {
        if let Some((last, since)) = self.running.replace((name, Instant::now())) {
            self.milliseconds.insert(last, since.elapsed().as_secs_f64() * 1000.0);
        }
    }
}

fn write(
    directory: &Path,
    human: &Character,
    take: &Clip,
    analysis: &ClipAnalysis,
    metrics: &FootMetrics,
    script: &[(String, usize)],
) -> Result<Vec<PathBuf>, Failure> {
    let asset = Asset {
        skeleton: human.skeleton.clone(),
        clips: vec![take.clone()],
        mesh: None,
        units: Units { scale: 1.0, source: UnitSource::Stated },
        warnings: Vec::new(),
    };
    let mut written = Vec::new();
    for name in ["take.glb", "take.bvh"] {
        let path = directory.join(name);
        let files = write_file(&path, &asset, &gltf::WriteOptions::default())
            .map_err(|error| Failure::new(error.to_string()))?;
        written.extend(files);
    }
    let known =
        Known { rig: &human.rig, contacts: &analysis.contacts, ground: analysis.ground.height };
    let sheet = motion_sheet("What the feet do", &[], &human.skeleton, take, Some(&known));

    let mut page = Page::new("Andante: a human on its way");
    page.paragraph(
        "Nothing here was captured. Every clip was synthesised from published gait data for a human of 1.75 m, joined \
         in phase, analysed like any other motion, and its feet were planted.",
    );
    page.player(&human.skeleton, take, &capsule_body(&human.skeleton));
    page.heading("Contacts, speed and foot heights");
    page.figure(&sheet);
    page.heading("Quality");
    let number = |value: f32| format!("{value:.3}");
    page.table(
        &["metric", "value"],
        [
            vec!["foot slide, mean (mm)".into(), number(metrics.foot_slide_mm_mean)],
            vec!["foot slide, largest (mm)".into(), number(metrics.foot_slide_mm_max)],
            vec!["sole below ground, deepest (mm)".into(), number(metrics.penetration_mm_max)],
            vec!["sole gap, mean (mm)".into(), number(metrics.sole_gap_mm_mean)],
            vec![
                "foot rotation in a frame, largest (°)".into(),
                number(metrics.foot_rotation_deg_max),
            ],
            vec![
                "leg extension, largest (1 = straight)".into(),
                number(metrics.knee_extension_max),
            ],
        ],
    );
    page.heading("The clips in order");
    page.table(
        &["clip", "times"],
        script.iter().map(|(name, count)| vec![name.clone(), count.to_string()]),
    );
    let path = directory.join("report.html");
    write_atomically(&path, page.to_html().as_bytes())
        .map_err(|error| Failure::write(&path, &error))?;
    written.insert(0, path);
    Ok(written)
}
