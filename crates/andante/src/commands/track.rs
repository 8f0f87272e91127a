//! `andante track`.

use super::clips::metrics_json;
use super::select::{self, Performer};
use super::track_take::TrackTake;
use crate::args::TrackArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, draw, written};
use crate::take_output::{TakeOutput, motion_metrics};
use andante_body::{
    ClipControlOptions, ClipPlan, ClipPlanSettings, HumanFit, Physique, TrackEnd, TrackOutcome,
    TrackTrial, fit_human,
};
use andante_dynamics::PhysicsSettings;
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::{GroundLevel, PlantOptions};
use andante_motion::retarget::{RetargetOptions, RetargetRig, retarget};
use andante_motion::{planted_ground_clip, rig, synth};
use andante_play::{Contacts, GroundClip};
use andante_skeleton::{Character, Clip, Transform, check_setting, humanoid};
use andante_stage::CharacterFile;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A clip that is to be followed.
pub(super) struct ClipSubject {
    pub character: Character,
    pub clip: Clip,
    /// Of one round.
    contacts: Contacts,
    /// Seconds of one round.
    round: f32,
    ground: f32,
    rounds: usize,
    read: Vec<PathBuf>,
    warnings: Vec<String>,
}

pub fn run(args: &TrackArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    check_setting("--assist", &args.assist, 0.0..=1.0)?;
    select::check_picture(args.svg.as_deref())?;
    let subject = subject(args, context)?;
    if let Some(path) = &args.output {
        select::refuse_to_overwrite(path, &subject.read)?;
    }
    let fit = fit_human(&subject.character, &Default::default()).or_fail_of(&args.input)?;
    let physics = args.physics.applied(PhysicsSettings::default())?;
    let physique =
        Physique::new(&fit.body, &fit.body.poses()[0], &physics).or_fail_of(&args.input)?;
    let plan = planned(&subject, &physique, &fit).or_fail_of(&args.input)?;
    let (seconds, changed) = (plan.seconds(), plan.change(&physique).to_degrees());
    let options = ClipControlOptions { assist: args.assist, ..ClipControlOptions::default() };
    let mut trial =
        TrackTrial::new(&physique, plan, options, super::push::STEP).or_fail_of(&args.input)?;
    let output = TakeOutput::new(args.output.as_deref(), "track")?;
    let take = TrackTake::record(&output, (&fit.body, &physique), &mut trial, args, context)?;
    let done = trial.outcome();
    let stopped = context.stopped() && done.end == TrackEnd::Open;
    let mut text = summary(args, &done, seconds, changed);
    if stopped {
        text.push_str("stopped before its end\n");
    }
    let mut json = as_json(&done);
    json["clip"] = json!(args.input);
    json["seconds"] = json!(seconds);
    json["rounds"] = json!(subject.rounds);
    json["assist"] = json!(args.assist);
    json["plan_change_deg_mean"] = json!(changed);
    json["mass_kg"] = json!(physique.mass);
    json["weight_n"] = json!(physique.mass * physics.gravity_strength());
    json["gravity_mps2"] = json!(physics.gravity_strength());
    json["friction"] = json!(physics.friction);
    json["stopped"] = json!(stopped);
    json["warnings"] = json!(subject.warnings);
    let metrics = motion_metrics(&take.take)?;
    json["metrics"] = metrics.map_or(Value::Null, |metrics| metrics_json(&metrics));
    if let Some(path) = &args.svg {
        text.push_str(&draw(path, &take.sheet(args, &fit.body)?)?);
    }
    if args.output.is_some() {
        let mut output = output;
        let sheet = take.sheet(args, &fit.body)?;
        output.add_text("track.json", &format!("{json:#}"))?;
        let files = output.publish(&take.take, |page| {
            page.heading("Filmstrip");
            page.figure(&sheet);
        })?;
        text.push_str(&written(&files));
    }
    Ok(CommandReport { text, json, exit: u8::from(done.end != TrackEnd::Followed) })
}

fn planned(
    subject: &ClipSubject,
    physique: &Physique,
    fit: &HumanFit,
) -> Result<ClipPlan, andante_body::WalkError> {
    let feet = &subject.contacts.feet;
    let down = |foot: usize, time: f32| {
        let time = if subject.rounds > 1 { time.rem_euclid(subject.round) } else { time };
        [feet[foot].heel_down(time), feet[foot].toe_down(time)]
    };
    let clip = (&subject.character, &subject.clip);
    let ground = f64::from(subject.ground);
    ClipPlan::new(physique, fit, clip, ground, &down, &ClipPlanSettings::default())
}

fn summary(args: &TrackArgs, done: &TrackOutcome, seconds: f64, changed: f64) -> String {
    let how = match done.end {
        TrackEnd::Followed => format!("followed to its end, {seconds:.2} s"),
        TrackEnd::Fell => format!("fell after {:.2} of {seconds:.2} s", done.seconds_upright),
        TrackEnd::Stuck => {
            format!("came no further than {:.2} of {seconds:.2} s", done.seconds_upright)
        }
        TrackEnd::Exploded => {
            format!("the simulation was stopped after {:.2} s", done.seconds_upright)
        }
        TrackEnd::Open => format!("{:.2} of {seconds:.2} s", done.seconds_upright),
    };
    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {how}, with {} steps\njoints are {:.1}° from the clip's on average; {changed:.1}° of changes made it possible\n",
        args.input,
        done.steps,
        done.error.to_degrees(),
    );
    text.push_str(&format!(
        "muscles drove with {:.0} J and braked with {:.0} J; the ground took {:.0} J\n",
        done.energy.driven, -done.energy.braked, -done.energy.ground,
    ));
    if args.assist > 0.0 {
        text.push_str(&format!(
            "the invisible hand held it with {:.0} N on average and {:.0} N at most\n",
            done.assist, done.assist_peak
        ));
    }
    text
}

fn as_json(done: &TrackOutcome) -> Value {
    let end = match done.end {
        TrackEnd::Followed => "followed",
        TrackEnd::Fell => "fell",
        TrackEnd::Stuck => "stuck",
        TrackEnd::Exploded => "exploded",
        TrackEnd::Open => "stopped",
    };
    let energy = done.energy;
    json!({
        "followed": done.end == TrackEnd::Followed, "end": end,
        "seconds_upright": done.seconds_upright, "error_deg_mean": done.error.to_degrees(),
        "plan_error_deg_mean": done.plan_error.to_degrees(), "assist_n_mean": done.assist,
        "assist_n_max": done.assist_peak, "energy_j": energy.driven, "steps": done.steps,
        "drift_m": done.drift,
        "work_j": {
            "driven": energy.driven, "braked": energy.braked, "assistant": energy.assistant,
            "ground": energy.ground, "gained": energy.gained, "unaccounted": energy.unaccounted(),
        },
    })
}

/// A built-in clip by name, or the motion of a file; with another character, on that.
fn subject(args: &TrackArgs, context: &CliContext) -> Result<ClipSubject, Failure> {
    let path = Path::new(&args.input);
    if synth::NAMES.contains(&args.input.as_str()) && !path.is_file() {
        let made = synth::clip(&humanoid(), &args.input).or_fail_of(&args.input)?;
        let Performer { character, made, warnings, .. } =
            select::performed(made, &humanoid(), args.character.as_deref(), &context.limits)?;
        context.warn_of(&args.input, &warnings);
        let ground = made.ground_clip(&Arc::new(character)).or_fail_of(&args.input)?;
        let read = args.character.iter().cloned().collect();
        return repeated(&ground, made.contacts, args.rounds.unwrap_or(5), read, warnings);
    }
    if !path.exists() {
        return Err(Failure::new(format!("{}: neither a built-in clip nor a file", args.input))
            .hint("`andante clips` lists the built-in ones"));
    }
    let mut asset = select::read_motion(path, &args.motion, &context.limits)?;
    let mut warnings = select::remarks(&asset);
    if warnings.len() > asset.warnings.len() {
        warnings.push("it is left out".into());
    }
    select::drop_t_poses(&mut asset)?;
    let rig = rig::detect(&asset.skeleton, &asset.clips).or_fail_of(&args.input)?;
    let Some(motion) = asset.clips.first() else {
        return Err(Failure::new(format!("{}: there is no animation", args.input)));
    };
    if asset.clips.len() > 1 {
        warnings.push(format!(
            "`{}` is the first of {} animations; --clip takes another: {}",
            motion.name(),
            asset.clips.len(),
            select::clip_names(&asset.clips[1..])
        ));
    }
    let analysis = analyse(&asset.skeleton, &rig, motion, &AnalysisOptions::default())
        .or_fail_of(&args.input)?;
    if GroundLevel::found(&analysis.ground, &PlantOptions::default()) == GroundLevel::Captured {
        warnings
            .push("it was captured on ground that is not level, and is put on the level".into());
    }
    context.warn_of(&args.input, &warnings);
    let mut read = select::files_read(path, &args.motion.reading);
    let character = Arc::new(Character::new("character", asset.skeleton.clone(), rig));
    let mut clip = planted_ground_clip(&character, motion, &analysis).or_fail_of(&args.input)?;
    if let Some(other) = &args.character {
        clip = on_another(&clip, &analysis.contacts, other, context)?;
        read.push(other.clone());
    }
    repeated(&clip, analysis.contacts, args.rounds.unwrap_or(1), read, warnings)
}

/// The clip on the character of a file.
fn on_another(
    clip: &GroundClip,
    contacts: &Contacts,
    path: &Path,
    context: &CliContext,
) -> Result<GroundClip, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::of_file(path, error);
    let CharacterFile { character, warnings, .. } =
        CharacterFile::read(path, None, &context.limits).map_err(|error| fail(&error))?;
    context.warn_of(path.display(), &warnings);
    let (source_ground, cyclic) = (Some(clip.height()), clip.cyclic());
    let options = RetargetOptions { source_ground, cyclic, ..RetargetOptions::default() };
    let (from, to) = (RetargetRig::from(&**clip.character()), RetargetRig::from(&character));
    let made = retarget(from, clip.clip(), contacts, to, &options).map_err(|error| fail(&error))?;
    let character = Arc::new(character);
    GroundClip::new(&character, made.clip, contacts, cyclic, 0.0).map_err(|error| fail(&error))
}

/// The rounds of a clip that repeats, one after the other.
fn repeated(
    ground: &GroundClip,
    contacts: Contacts,
    rounds: usize,
    read: Vec<PathBuf>,
    warnings: Vec<String>,
) -> Result<ClipSubject, Failure> {
    let character = Character::clone(ground.character());
    let own = ground.clip();
    let round = own.duration();
    let rounds = if ground.cyclic() { rounds } else { 1 };
    let clip = if rounds > 1 {
        let (first, end) = (ground.placement(0.0), ground.placement(round));
        let way = end.then(&first.inverse()).to_transform();
        let mut carried = Transform::IDENTITY;
        let mut all = Vec::with_capacity(own.transforms().len() * rounds);
        for index in 0..rounds {
            let last = usize::from(index + 1 == rounds);
            for pose in own.frames().take(own.frame_count() - 1 + last) {
                let start = all.len();
                all.extend_from_slice(pose);
                all[start] = carried * all[start];
            }
            carried = way * carried;
        }
        Clip::new(own.name(), &character.skeleton, own.fps(), all).or_fail()?
    } else {
        own.clone()
    };
    let ground = ground.height();
    Ok(ClipSubject { character, clip, contacts, round, ground, rounds, read, warnings })
}
