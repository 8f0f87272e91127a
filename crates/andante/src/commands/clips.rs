//! `andante clips`.

use super::select::{self, Performer};
use crate::args::ClipsArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, draw, table, written};
use andante_draw::motion_sheet;
use andante_formats::{Asset, write_file};
use andante_motion::edit::{self, JoinOptions};
use andante_motion::synth::{self, GaitRequest, SynthClip, SynthError};
use andante_play::measure::{MotionMetrics, measure_level};
use andante_skeleton::{
    Character, Clip, RootMotion, check_setting, humanoid_of_height, told_apart,
};
use andante_take::Take;
use serde_json::{Value, json};

pub fn run(args: &ClipsArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    check_setting("--height", &args.height, 0.3..=3.0)?;
    check_setting("--cycles", &args.cycles, 1..=1000)?;
    // Clap does not ask for --speed where a name excludes it.
    if args.turn.is_some() && args.speed.is_none() {
        return Err(Failure::new("--turn goes with --speed")
            .hint("`walk-left` and `run-left` are built in"));
    }
    let human = humanoid_of_height(args.height);
    let made = match (&args.name, args.speed) {
        (Some(name), _) => synth::clip(&human, name),
        (None, Some(speed)) => synth::locomotion(
            &human,
            &GaitRequest {
                turn_rate: args.turn.unwrap_or(0.0).to_radians(),
                ..GaitRequest::ahead(speed)
            },
        ),
        (None, None) => return list(args, &human, context),
    };
    let made = made.map_err(|error| match error {
        // What is a rate of turn here is degrees on the command line.
        SynthError::Range { what, value, low, high } => {
            let unit =
                |number: f32| if what.contains("turn") { number.to_degrees() } else { number };
            let (value, low, high) = (unit(value), unit(low), unit(high));
            let nearest = if value < low { low } else { high };
            let told = told_apart(value, nearest, 2);
            let [low, high] = [low, high].map(|limit| told_apart(limit, value, 2));
            Failure::new(format!("{what} of {told} is not between {low} and {high}"))
        }
        SynthError::Name(_) => {
            Failure::new(error.to_string()).hint("`andante clips` lists the names")
        }
        _ => Failure::new(error.to_string()),
    })?;
    let performer = select::performed(made, &human, args.character.as_deref(), &context.limits)?;
    context.warn_of("--character", &performer.warnings);
    show(args, &performer)
}

fn list(
    args: &ClipsArgs,
    human: &Character,
    context: &CliContext,
) -> Result<CommandReport, Failure> {
    if args.output.is_some() || args.svg.is_some() {
        return Err(Failure::new("which clip?").hint("give a name or --speed"));
    }
    let progress = context.progress(synth::NAMES.len() as u64, "making");
    let mut rows = Vec::new();
    let mut json = Vec::new();
    for name in synth::NAMES {
        let made = synth::clip(human, name).or_fail()?;
        progress.inc(1);
        let (speed, turn) = pace(human, &made.clip)?;
        rows.push(vec![
            name.to_string(),
            format!("{:.2} s", made.clip.duration()),
            format!("{speed:.2} m/s"),
            format!("{:.0}°/s", turn.to_degrees()),
            if made.cyclic { "cyclic".into() } else { String::new() },
        ]);
        json.push(json!({
            "name": name, "seconds": made.clip.duration(), "frames": made.clip.frame_count(), "fps": made.clip.fps(),
            "speed_mps": speed, "turn_rate_dps": turn.to_degrees(), "cyclic": made.cyclic,
        }));
    }
    progress.finish_and_clear();
    Ok(CommandReport::done(table(&rows, &[1, 2, 3]), json.into()))
}

fn show(args: &ClipsArgs, performer: &Performer) -> Result<CommandReport, Failure> {
    let (human, made) = (&performer.character, &performer.made);
    select::check_picture(args.svg.as_deref())?;
    let skeleton = &human.skeleton;
    let metrics = measure_level(skeleton, &human.rig, &made.clip, &made.contacts, 0.0);
    let (speed, turn) = pace(human, &made.clip)?;
    let clip = repeated(human, made, args.cycles)?;
    let notes = format!(
        "{:.2} s, {speed:.2} m/s, turning {:.0}°/s, feet slide {:.2} mm on average",
        made.clip.duration(),
        turn.to_degrees(),
        metrics.foot_slide_mm_mean,
    );
    let mut text = format!("{BOLD}{}{BOLD:#}: {notes}\n", made.clip.name());
    if let Some(path) = &args.svg {
        let take = Take::of_clip(human, &made.clip, made.contacts.clone(), None);
        let sheet = motion_sheet(made.clip.name(), &[notes], (skeleton, &made.clip), Some(&take));
        text.push_str(&draw(path, &sheet)?);
    }
    if let Some(path) = &args.output {
        let mesh = performer.skin.as_deref().cloned();
        let asset = Asset { mesh, ..Asset::new(skeleton.clone(), vec![clip.clone()]) };
        text.push_str(&written(&write_file(path, &asset, &Default::default())?));
    }
    let json = json!({
        "name": made.clip.name(), "seconds": clip.duration(), "frames": clip.frame_count(), "fps": clip.fps(),
        "speed_mps": speed, "turn_rate_dps": turn.to_degrees(), "cyclic": made.cyclic,
        "metrics": metrics_json(&metrics), "warnings": performer.warnings,
    });
    Ok(CommandReport::done(text, json))
}

/// A cyclic clip several times over; others as they are.
fn repeated(human: &Character, made: &SynthClip, cycles: usize) -> Result<Clip, Failure> {
    let mut clip = made.clip.clone();
    if made.cyclic {
        let options = JoinOptions { align: true, fade: 0.0 };
        for _ in 1..cycles {
            clip = edit::concatenate(&human.skeleton, &clip, &made.clip, &options).or_fail()?;
        }
    }
    Ok(clip)
}

/// Mean speed along the way and turn rate.
fn pace(human: &Character, clip: &Clip) -> Result<(f32, f32), Failure> {
    let (_, travel) = RootMotion::extract(&human.skeleton, clip).or_fail()?;
    let duration = clip.duration().max(1e-6);
    Ok((edit::travel_speed(clip), travel.total().heading / duration))
}

/// Quality under the names that every command uses.
pub fn metrics_json(metrics: &MotionMetrics) -> Value {
    let number = |(name, value): (&str, f32)| (name.to_owned(), json!(value));
    let mut all: serde_json::Map<String, Value> = metrics.named().into_iter().map(number).collect();
    if let Some(change) = metrics.pose_change_deg_mean {
        all.insert("pose_change_deg_mean".into(), json!(change));
    }
    all.into()
}
