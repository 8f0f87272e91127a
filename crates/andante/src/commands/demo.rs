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
use andante_motion::blend_space::{GaitPlayer, PlayerOptions};
use andante_motion::edit::{self, JoinOptions, PlantOptions};
use andante_motion::metrics::{FootMetrics, foot_metrics};
use andante_motion::repertoire::Repertoire;
use andante_motion::synth;
use andante_skeleton::{Character, Clip, Pose, capsule_body, humanoid};
use serde_json::json;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
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
    let script = script(context.seed);
    let take = journey(&human, &script).map_err(|error| Failure::new(error.to_string()))?;
    stage("analysis");
    let analysis = analyse(&human.skeleton, &human.rig, &take, &AnalysisOptions::default())
        .map_err(|error| Failure::new(error.to_string()))?;
    stage("planting");
    let (take, _) = edit::plant_feet(
        &human.skeleton,
        &human.rig,
        &take,
        &analysis.contacts,
        &PlantOptions::default(),
    )
    .map_err(|error| Failure::new(error.to_string()))?;
    let metrics = foot_metrics(&human.skeleton, &human.rig, &take, &analysis.contacts, |_, _| 0.0);
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

/// A piece of the journey. All of them begin and end standing, so that they join without a jump.
enum Piece {
    /// A built-in clip.
    Clip(String),
    /// A drive: seconds with a speed in m/s and a turn to the left in degrees per second.
    Drive(Vec<(f32, f32, f32)>),
}

impl Piece {
    fn describe(&self) -> [String; 2] {
        match self {
            Self::Clip(name) => ["clip".into(), name.clone()],
            Self::Drive(demands) => {
                let demand = |(seconds, speed, turn): &(f32, f32, f32)| {
                    format!("{seconds} s at {speed} m/s, {turn}°/s")
                };
                ["drive".into(), demands.iter().map(demand).collect::<Vec<_>>().join("; ")]
            }
        }
    }
}

/// What the human does. The seed chooses sides and what it does while it waits.
fn script(seed: u64) -> Vec<Piece> {
    let mut state = seed;
    let mut choose = |count: u64| {
        // SplitMix64 (Steele, Lea and Flood 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % count
    };
    let (side, sign) = if choose(2) == 0 { ("left", 1.0) } else { ("right", -1.0) };
    let idles = ["idle-look-around", "idle-shift-weight", "idle-stretch"];
    let idle = idles[choose(3) as usize];
    vec![
        Piece::Clip(idles[choose(3) as usize].into()),
        Piece::Drive(vec![
            (2.5, 1.3, 0.0),
            (3.5, 1.2, 45.0 * sign),
            (3.5, 1.2, -45.0 * sign),
            (1.5, 1.8, 0.0),
            (2.0, 2.6, 0.0),
            (3.5, 3.5, 20.0 * sign),
            (2.5, 2.4, -20.0 * sign),
            (2.5, 1.3, 0.0),
            (3.0, 0.0, 0.0),
        ]),
        Piece::Clip(format!("turn-{side}-90")),
        Piece::Clip("jump-standing".into()),
        Piece::Clip(idle.into()),
    ]
}

/// Plays the pieces one after the other into one clip.
fn journey(human: &Character, script: &[Piece]) -> Result<Clip, Box<dyn Error>> {
    let mut whole: Option<Clip> = None;
    for piece in script {
        let next = match piece {
            Piece::Clip(name) => synth::clip(human, name)?.clip,
            Piece::Drive(demands) => drive(human, demands)?,
        };
        whole = Some(match whole {
            None => next.renamed("demo"),
            Some(clip) => edit::concatenate(
                &human.skeleton,
                &clip,
                &next,
                &JoinOptions { align: true, fade: 0.2 },
            )?,
        });
    }
    whole.ok_or_else(|| "the script is empty".into())
}

const FPS: f32 = 60.0;
/// How fast speed changes in a drive, in m/s².
const ACCELERATION: f32 = 1.2;
/// How fast turning changes, in degrees per second and second.
const TURN_ACCELERATION: f32 = 90.0;

/// A human who is told how fast to go and where to turn.
fn drive(human: &Character, demands: &[(f32, f32, f32)]) -> Result<Clip, Box<dyn Error>> {
    let repertoire = Arc::new(Repertoire::built_in(human)?);
    let mut player = GaitPlayer::new(repertoire, PlayerOptions::default())?;
    let mut pose = Pose::rest(&human.skeleton);
    let mut transforms = Vec::new();
    let (mut speed, mut turn) = (0.0, 0.0);
    for &(seconds, wanted_speed, wanted_turn) in demands {
        for _ in 0..(seconds * FPS) as usize {
            // Nobody changes speed and direction at once.
            speed += (wanted_speed - speed).clamp(-ACCELERATION / FPS, ACCELERATION / FPS);
            turn += (wanted_turn - turn).clamp(-TURN_ACCELERATION / FPS, TURN_ACCELERATION / FPS);
            player.advance(1.0 / FPS, speed, turn.to_radians());
            player.write_pose(&mut pose);
            transforms.extend_from_slice(&pose);
        }
    }
    Ok(Clip::new("drive", &human.skeleton, FPS, transforms)?)
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
    script: &[Piece],
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
        "Nothing here was captured. Gaits are synthesised from published data for a human of 1.75 m and blended by speed and \
         turn in phase; the result is analysed like any other motion and its feet are planted.",
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
    page.heading("What it was told");
    page.table(&["", "in order"], script.iter().map(|piece| piece.describe().to_vec()));
    let path = directory.join("report.html");
    write_atomically(&path, page.to_html().as_bytes())
        .map_err(|error| Failure::write(&path, &error))?;
    written.insert(0, path);
    Ok(written)
}
