//! `andante demo`.

use super::clips::metrics_json;
use crate::args::DemoArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::motion_sheet::{Known, motion_sheet};
use crate::report::{BOLD, Report};
use andante_draw::Page;
use andante_formats::{Asset, gltf, write_atomically, write_file};
use andante_motion::blend_space::{GaitPlayer, PlayerOptions};
use andante_motion::edit::{self, EditError, JoinOptions, PlantOptions};
use andante_motion::metrics::{FootMetrics, body_metrics, foot_metrics};
use andante_motion::repertoire::Repertoire;
use andante_motion::synth::{self, SynthClip};
use andante_motion::{Contacts, FootContacts, Interval};
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
    let SynthClip { clip: take, contacts, .. } =
        journey(&human, &script).map_err(|error| Failure::new(error.to_string()))?;
    stage("planting");
    // Feet that swing low in a blend are lifted over the ground.
    let (take, _) =
        edit::plant_feet(&human.skeleton, &human.rig, &take, &contacts, &PlantOptions::default())
            .map_err(|error| Failure::new(error.to_string()))?;
    stage("measuring");
    let metrics = foot_metrics(&human.skeleton, &human.rig, &take, &contacts, |_, _| 0.0);
    let distance = way(&take);
    stage("writing");
    let directory = &args.output;
    std::fs::create_dir_all(directory).map_err(|error| Failure::write(directory, &error))?;
    let written = write(directory, &human, &take, &contacts, &metrics, &script)?;
    stage("done");
    progress.finish_and_clear();

    let json = json!({
        "frames": take.frame_count(), "seconds": take.duration(), "distance_m": distance,
        "metrics": metrics_json(&metrics, &body_metrics(&human.skeleton, &human.rig, &take)), "timings_ms": stages.milliseconds,
    });
    let path = directory.join("metrics.json");
    write_atomically(&path, format!("{json:#}\n").as_bytes())
        .map_err(|error| Failure::write(&path, &error))?;
    let mut text = format!(
        "{BOLD}A human of 1.75 m{BOLD:#} stands, walks, turns, runs and jumps for {:.1} s over {:.1} m;\n\
         its feet slide {:.2} mm on average while they are down.\n",
        take.duration(),
        distance,
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

/// A piece of the journey. They begin and end standing, but for a drive, which ends in the pose of a walk
/// from which a stop goes on.
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
            (0.5, 0.0, 0.0),
            (2.5, 1.3, 0.0),
            (3.5, 1.2, 45.0 * sign),
            (3.5, 1.2, -45.0 * sign),
            (1.5, 1.8, 0.0),
            (2.0, 2.6, 0.0),
            (3.5, 3.5, 20.0 * sign),
            (2.5, 2.4, -20.0 * sign),
            (4.0, 1.3, 0.0),
        ]),
        Piece::Clip("stop".into()),
        Piece::Clip(format!("turn-{side}-90")),
        Piece::Clip("jump-standing".into()),
        Piece::Clip(idle.into()),
    ]
}

/// Plays the pieces one after the other into one clip. Contacts are those that the pieces know of.
fn journey(human: &Character, script: &[Piece]) -> Result<SynthClip, Box<dyn Error>> {
    let mut whole: Option<SynthClip> = None;
    for piece in script {
        let next = match piece {
            Piece::Clip(name) => synth::clip(human, name)?,
            Piece::Drive(demands) => drive(human, demands)?,
        };
        whole = Some(match whole {
            None => SynthClip { clip: next.clip.renamed("demo"), ..next },
            Some(before) => {
                let moving = matches!(piece, Piece::Clip(name) if name == "stop");
                joined(human, before, next, if moving { 0.0 } else { 0.2 })?
            }
        });
    }
    whole.ok_or_else(|| "the script is empty".into())
}

/// Both are in the same pose where they meet, so that all feet that are down stay down.
fn joined(
    human: &Character,
    first: SynthClip,
    second: SynthClip,
    fade: f32,
) -> Result<SynthClip, EditError> {
    let options = JoinOptions { align: true, fade };
    let clip = edit::concatenate(&human.skeleton, &first.clip, &second.clip, &options)?;
    let start = clip.duration() - second.clip.duration();
    let later = |intervals: &[Interval]| -> Vec<Interval> {
        intervals
            .iter()
            .map(|interval| Interval::new(interval.start + start, interval.end + start))
            .collect()
    };
    let merged = |first: &[Interval], second: &[Interval]| {
        // The stance function joins what overlaps, whichever part of the foot it is.
        FootContacts { heel: first.to_vec(), toe: later(second) }.stance()
    };
    let feet =
        first.contacts.feet.iter().zip(&second.contacts.feet).map(|(first, second)| FootContacts {
            heel: merged(&first.heel, &second.heel),
            toe: merged(&first.toe, &second.toe),
        });
    Ok(SynthClip { contacts: Contacts { feet: feet.collect() }, clip, cyclic: false })
}

/// Length of the way of the root over the ground.
fn way(clip: &Clip) -> f32 {
    let place = |frame: usize| clip.frame(frame)[0].translation.with_y(0.0);
    (1..clip.frame_count()).map(|frame| place(frame).distance(place(frame - 1))).sum()
}

const FPS: f32 = 60.0;
/// How fast speed changes in a drive, in m/s².
const ACCELERATION: f32 = 1.2;
/// How fast turning changes, in degrees per second and second.
const TURN_ACCELERATION: f32 = 90.0;

/// A human who is told how fast to go and where to turn. It ends with a strike of the left foot, where
/// other clips go on.
fn drive(human: &Character, demands: &[(f32, f32, f32)]) -> Result<SynthClip, Box<dyn Error>> {
    let repertoire = Arc::new(Repertoire::built_in(human)?);
    let mut player = GaitPlayer::new(repertoire, PlayerOptions::default())?;
    let mut pose = Pose::rest(&human.skeleton);
    let mut transforms = Vec::new();
    let feet = human.rig.feet.len();
    let mut contacts = Contacts { feet: vec![FootContacts::default(); feet] };
    let mut record = |player: &GaitPlayer| {
        let frame = transforms.len() / pose.len();
        player.write_pose(&mut pose);
        transforms.extend_from_slice(&pose);
        for (foot, contact) in contacts.feet.iter_mut().enumerate() {
            let [heel, toe] = player.contact(foot);
            note(&mut contact.heel, heel, frame);
            note(&mut contact.toe, toe, frame);
        }
    };
    record(&player);
    let (mut speed, mut turn) = (0.0, 0.0);
    for &(seconds, wanted_speed, wanted_turn) in demands {
        for _ in 0..(seconds * FPS) as usize {
            // Nobody changes speed and direction at once.
            speed += (wanted_speed - speed).clamp(-ACCELERATION / FPS, ACCELERATION / FPS);
            turn += (wanted_turn - turn).clamp(-TURN_ACCELERATION / FPS, TURN_ACCELERATION / FPS);
            player.advance(1.0 / FPS, speed, turn.to_radians());
            record(&player);
        }
    }
    let mut phase = player.phase();
    player.advance(1.0 / FPS, speed, turn.to_radians());
    let mut step = player.phase() - phase;
    // A stride at the slowest speed takes less than three seconds.
    for _ in 0..(3.0 * FPS) as usize {
        record(&player);
        phase = player.phase();
        if step > 0.0 && phase + step >= 1.0 {
            player.advance((1.0 - phase) / step / FPS, speed, turn.to_radians());
            record(&player);
            break;
        }
        player.advance(1.0 / FPS, speed, turn.to_radians());
        step = player.phase() - phase;
    }
    let clip = Clip::new("drive", &human.skeleton, FPS, transforms)?;
    Ok(SynthClip { clip, contacts, cyclic: false })
}

/// Extends the last contact by a frame, or begins a new one.
fn note(contacts: &mut Vec<Interval>, down: bool, frame: usize) {
    let time = frame as f32 / FPS;
    match contacts.last_mut() {
        _ if !down => {}
        Some(last) if time - last.end < 1.5 / FPS => last.end = time,
        _ => contacts.push(Interval::new(time, time)),
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
    contacts: &Contacts,
    metrics: &FootMetrics,
    script: &[Piece],
) -> Result<Vec<PathBuf>, Failure> {
    let asset = Asset::new(human.skeleton.clone(), vec![take.clone()]);
    let mut written = Vec::new();
    for name in ["take.glb", "take.bvh"] {
        let path = directory.join(name);
        let files = write_file(&path, &asset, &gltf::WriteOptions::default())?;
        written.extend(files);
    }
    let known = Known { rig: &human.rig, contacts, ground: 0.0 };
    let sheet = motion_sheet("What the feet do", &[], &human.skeleton, take, Some(&known));

    let mut page = Page::new("Andante: a human on its way");
    page.paragraph(
        "Nothing here was captured. Gaits are synthesised from published data for a human of 1.75 m and blended by speed and \
         turn in phase, so that feet stay where they stand.",
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
