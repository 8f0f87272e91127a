//! `andante edit`.

use super::clips::metrics_json;
use super::select;
use crate::args::{EditArgs, ReadingArgs};
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{CommandReport, FAINT, paths_json};
use andante_formats::{ReadLimits, files_written, gltf};
use andante_ik::{Reach, SolverChoice};
use andante_motion::edit::{self, CycleOptions, EditError, GroundLevel, JoinOptions, PlantOptions};
use andante_motion::rig;
use andante_play::Interval;
use andante_play::measure::pose_change_deg_mean;
use andante_skeleton::{Character, Clip, Planar, Skeleton};
use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use std::path::Path;
use std::slice::from_ref;

pub fn run(args: &EditArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let mut asset = select::read_motion(&args.input, &args.motion, &context.limits)?;
    let [clip] = asset.clips.as_slice() else {
        let (input, count) = (args.input.display(), asset.clips.len());
        return Err(Failure::new(format!("{input} holds {count} animations"))
            .hint(format!("choose one with --clip: {}", select::clip_names(&asset.clips))));
    };
    let read = select::files_read(&args.input, &args.motion.reading);
    select::refuse_to_overwrite(&args.output, &read)?;
    let warnings = select::remarks(&asset);
    context.warn_of(args.input.display(), &warnings);
    let before = clip.clone();
    let mut clip = match args.drop_first_frame {
        true => select::without_first_frame(&asset.skeleton, clip)?,
        false => clip.clone(),
    };
    for text in &args.operations {
        let operation = Operation::parse(text)?;
        clip = operation
            .apply(&asset.skeleton, &clip, &args.motion.reading, &context.limits)
            .map_err(|failure| failure.in_operation(text))?;
    }
    let report = json!({
        "frames": clip.frame_count(), "fps": clip.fps(), "seconds": clip.duration(),
        "frames_before": before.frame_count(), "seconds_before": before.duration(),
        "outputs": paths_json(&files_written(&args.output)),
        "metrics": quality(&asset.skeleton, &clip, &before),
        "warnings": warnings,
    });
    let text = format!(
        "{} {FAINT}{:.2} s, {} frames{FAINT:#} → {} {FAINT}{:.2} s, {} frames{FAINT:#}\n",
        args.input.display(),
        before.duration(),
        before.frame_count(),
        args.output.display(),
        clip.duration(),
        clip.frame_count(),
    );
    asset.clips = vec![clip];
    select::write_asset(&args.output, &asset, &gltf::GltfWriteOptions::default(), &args.writing)?;
    Ok(CommandReport::done(text, report))
}

/// How good the result is, as far as a body with feet can be made out; and how far it is from what it was,
/// where frames still belong together.
fn quality(skeleton: &Skeleton, clip: &Clip, before: &Clip) -> Value {
    let Ok((rig, analysis)) = select::understand(skeleton, from_ref(clip), clip) else {
        return Value::Null;
    };
    let Ok(mut metrics) = select::measured(skeleton, &rig, clip, &analysis) else {
        return Value::Null;
    };
    let same = clip.frame_count() == before.frame_count() && clip.fps() == before.fps();
    metrics.pose_change_deg_mean = same.then(|| pose_change_deg_mean(clip, before));
    metrics_json(&metrics)
}

/// One step of an edit.
enum Operation {
    Trim(Interval),
    Cut(Interval),
    Append { file: String, fade: f32 },
    Resample(f32),
    Speed(f32),
    Retime(f32),
    Mirror,
    Reverse,
    Loop,
    Plant,
    InPlace,
    Origin,
    Turn(f32),
    Move(Vec3),
    Filter(f32),
    Part { joint: String, file: String },
    Posture(f32),
    Mix { file: String, t: f32 },
    Reach(ReachOrder),
}

impl Operation {
    fn parse(text: &str) -> Result<Self, Failure> {
        let (name, value) =
            text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let needed = |what: &str| {
            value.ok_or_else(|| Failure::new(format!("{name} needs a value: {name}={what}")))
        };
        let number = |what: &str| needed(what).and_then(|value| parse_number(name, value));
        let range = || {
            let value = needed("FROM:TO")?;
            let (from, to) = value
                .split_once(':')
                .ok_or_else(|| Failure::new(format!("{text}: a range is FROM:TO, in seconds")))?;
            Ok::<_, Failure>(Interval::new(parse_number(name, from)?, parse_number(name, to)?))
        };
        // A drive letter or a directory may hold a colon: the last one separates the number.
        let file_and_number = |what: &str| {
            let value = needed(what)?;
            let split = value
                .rsplit_once(':')
                .and_then(|(file, number)| Some((file, number.parse::<f32>().ok()?)));
            Ok::<_, Failure>(split.map_or((value.to_string(), None), |(file, number)| {
                (file.to_string(), Some(number))
            }))
        };
        let operation = match name {
            "trim" => Self::Trim(range()?),
            "cut" => Self::Cut(range()?),
            "append" => {
                let (file, fade) = file_and_number("FILE[:FADE]")?;
                if fade.is_some_and(|fade| !(0.0..=2.0).contains(&fade)) {
                    return Err(Failure::new(format!("{text}: a fade lasts from 0 to 2 seconds")));
                }
                Self::Append { file, fade: fade.unwrap_or(JoinOptions::default().fade) }
            }
            "resample" => Self::Resample(number("FPS")?),
            "speed" => Self::Speed(number("FACTOR")?),
            "retime" => Self::Retime(number("M/S")?),
            "mirror" => Self::Mirror,
            "reverse" => Self::Reverse,
            "loop" => Self::Loop,
            "plant" => Self::Plant,
            "in-place" => Self::InPlace,
            "origin" => Self::Origin,
            "turn" => Self::Turn(number("DEG")?),
            "move" => Self::Move(parse_point(name, needed("X,Y,Z")?)?),
            "filter" => Self::Filter(number("HZ")?),
            "part" => match needed("JOINT:FILE")?.split_once(':') {
                Some((joint, file)) => Self::Part { joint: joint.into(), file: file.into() },
                None => return Err(Failure::new(format!("{text}: give it as part=JOINT:FILE"))),
            },
            "posture" => Self::Posture(number("TIME")?),
            "mix" => match file_and_number("FILE:T")? {
                (file, Some(t)) => Self::Mix { file, t },
                _ => {
                    return Err(Failure::new(format!(
                        "{text}: how much of it? mix=FILE:T, with T from 0 to 1"
                    )));
                }
            },
            "reach" => Self::Reach(ReachOrder::parse(needed("JOINT@TIME:X,Y,Z[:SOLVER]")?)?),
            _ => {
                return Err(Failure::new(format!("there is no operation `{name}`"))
                    .hint("`andante edit --help` lists them"));
            }
        };
        use Operation::{InPlace, Loop, Mirror, Origin, Plant, Reverse};
        if value.is_some()
            && matches!(operation, Mirror | Reverse | Loop | Plant | InPlace | Origin)
        {
            return Err(Failure::new(format!("{name} takes no value")));
        }
        Ok(operation)
    }

    fn apply(
        &self,
        skeleton: &Skeleton,
        clip: &Clip,
        reading: &ReadingArgs,
        limits: &ReadLimits,
    ) -> Result<Clip, Failure> {
        let result = match self {
            Self::Trim(range) => edit::trim(skeleton, clip, *range),
            Self::Cut(range) => edit::cut(skeleton, clip, *range, &JoinOptions::default()),
            Self::Append { file, fade } => {
                let other = same_skeleton(file, skeleton, reading, limits)?;
                edit::concatenate(
                    skeleton,
                    clip,
                    &other,
                    &JoinOptions { fade: *fade, ..JoinOptions::default() },
                )
            }
            Self::Resample(fps) => edit::resampled(skeleton, clip, *fps),
            Self::Speed(factor) => edit::change_speed(skeleton, clip, *factor),
            Self::Retime(speed) => edit::retime_to_speed(skeleton, clip, *speed),
            Self::Mirror => edit::mirrored(skeleton, clip),
            Self::Reverse => edit::reversed(skeleton, clip),
            Self::Loop => {
                // The best stride, where there is one; otherwise the whole clip.
                let best = select::understand(skeleton, from_ref(clip), clip)
                    .ok()
                    .and_then(|(_, analysis)| analysis.loop_point);
                match best {
                    Some(point) => edit::trim(skeleton, clip, point.interval).and_then(|stride| {
                        edit::make_cyclic(skeleton, &stride, &CycleOptions::default())
                    }),
                    None => edit::make_cyclic(skeleton, clip, &CycleOptions::default()),
                }
            }
            Self::Plant => planted(skeleton, clip)?,
            Self::InPlace => edit::in_place(skeleton, clip),
            Self::Origin => edit::at_origin(skeleton, clip),
            Self::Turn(degrees) => moved(skeleton, clip, Vec3::ZERO, *degrees),
            Self::Move(by) => moved(skeleton, clip, *by, 0.0),
            Self::Filter(hertz) => edit::low_pass(skeleton, clip, *hertz),
            Self::Part { joint, file } => {
                let other = same_skeleton(file, skeleton, reading, limits)?;
                edit::with_part(skeleton, clip, &other, find_joint(skeleton, joint)?)
            }
            Self::Posture(time) if !(0.0..=clip.duration()).contains(time) => {
                return Err(Failure::new(format!(
                    "the motion lasts from 0 to {:.3} s",
                    clip.duration()
                )));
            }
            Self::Posture(time) => {
                let pose = edit::posture_at(clip, *time);
                return Clip::new(clip.name(), skeleton, clip.fps(), pose.to_vec()).or_fail();
            }
            Self::Mix { file, t } => edit::interpolate_clips(
                skeleton,
                clip,
                &same_skeleton(file, skeleton, reading, limits)?,
                *t,
            ),
            Self::Reach(order) => return order.apply(skeleton, clip),
        };
        result.or_fail()
    }
}

/// The clip turned to its left about the origin by some degrees, then moved.
fn moved(skeleton: &Skeleton, clip: &Clip, by: Vec3, degrees: f32) -> Result<Clip, EditError> {
    let place = Planar::new(Vec2::new(by.x, by.z), degrees.to_radians());
    edit::moved(skeleton, clip, &place, by.y)
}

/// The clip with its feet planted on the height at which they were found.
fn planted(skeleton: &Skeleton, clip: &Clip) -> Result<Result<Clip, EditError>, Failure> {
    let (rig, analysis) = select::understand(skeleton, from_ref(clip), clip).or_fail()?;
    let usual = PlantOptions::default();
    let options = PlantOptions { ground: GroundLevel::found(&analysis.ground, &usual), ..usual };
    let plant = |clip: &Clip| {
        edit::plant_feet(skeleton, &rig, clip, &analysis.contacts, &options).map(|(clip, _)| clip)
    };
    Ok(match analysis.belt {
        None => plant(clip),
        // Planted on ground that stays, and then put back on the treadmill.
        Some(belt) => {
            (|| Ok(belt.walked_on(skeleton, &plant(&belt.walked_off(skeleton, clip)?)?)?))()
        }
    })
}

/// A joint that is to be somewhere at a time.
struct ReachOrder {
    joint: String,
    time: f32,
    point: Vec3,
    solver: SolverChoice,
}

impl ReachOrder {
    fn parse(value: &str) -> Result<Self, Failure> {
        let shape = || Failure::new("reach: give it as JOINT@TIME:X,Y,Z[:SOLVER]".to_string());
        // Joint names may hold an `@` or a colon themselves: the last `@` parts them.
        let (joint, rest) = value.rsplit_once('@').ok_or_else(shape)?;
        let mut parts = rest.split(':');
        let (time, point) = parts.next().zip(parts.next()).ok_or_else(shape)?;
        let point = parse_point("reach", point).map_err(|_| shape())?;
        let solver = match parts.next() {
            None => SolverChoice::default(),
            Some(name) => SolverChoice::named(name).ok_or_else(|| {
                let names = SolverChoice::ALL.map(|(name, _)| name).join(", ");
                Failure::new(format!("reach: there is no solver `{name}`"))
                    .hint(format!("one of {names}"))
            })?,
        };
        let (joint, time) = (joint.to_string(), parse_number("reach", time)?);
        Ok(Self { joint, time, point, solver })
    }

    fn apply(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Clip, Failure> {
        let joint = find_joint(skeleton, &self.joint)?;
        if !(0.0..=clip.duration()).contains(&self.time) {
            let end = clip.duration();
            return Err(Failure::new(format!("the motion lasts from 0 to {end:.3} s")));
        }
        let rig = rig::detect(skeleton, from_ref(clip)).or_fail()?;
        let character = Character::new(clip.name(), skeleton.clone(), rig);
        let (point, time, solver) = (self.point, self.time, self.solver);
        let wish = Reach { joint, point, time, solver, ..Reach::default() };
        let (clip, report) = andante_ik::reach(&character, clip, &wish).or_fail()?;
        if report.reached {
            return Ok(clip);
        }
        // The descent weighs its target against the motion; the others should be there.
        let short = report.residual;
        match self.solver {
            SolverChoice::Descent => Ok(clip),
            _ => Err(Failure::new(format!("`{}` stays {short:.3} m short of it", self.joint))
                .hint("a nearer point, or the whole body: append `:full`")),
        }
    }
}

fn find_joint(skeleton: &Skeleton, name: &str) -> Result<usize, Failure> {
    skeleton.find(name).ok_or_else(|| {
        Failure::new(format!("there is no joint `{name}`"))
            .hint("`andante inspect --joints` lists them")
    })
}

fn parse_point(name: &str, text: &str) -> Result<Vec3, Failure> {
    let numbers = text.split(',').map(|number| parse_number(name, number));
    let numbers: Vec<f32> = numbers.collect::<Result<_, _>>()?;
    match numbers.as_slice() {
        &[x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err(Failure::new(format!("{name}: `{text}` is not a point X,Y,Z"))),
    }
}

fn parse_number(name: &str, text: &str) -> Result<f32, Failure> {
    let number: Option<f32> = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| Failure::new(format!("{name}: `{text}` is not a number")))
}

/// The first clip of another file that has the same joints.
fn same_skeleton(
    file: &str,
    skeleton: &Skeleton,
    reading: &ReadingArgs,
    limits: &ReadLimits,
) -> Result<Clip, Failure> {
    let mut asset = select::read(Path::new(file), reading, None, limits)?;
    if !select::same_joints(&asset.skeleton, skeleton) {
        return Err(Failure::new(format!("{file}: has another skeleton"))
            .hint("put it on this one with `andante retarget` first"));
    }
    select::drop_t_poses(&mut asset)?;
    asset.clips.into_iter().next().ok_or_else(|| Failure::new(format!("{file}: has no animation")))
}
