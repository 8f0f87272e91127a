//! One step of an edit.

use super::super::select;
use super::orders::{KeyOrder, LockOrder, ReachOrder};
use super::promise::Promise;
use super::words::{OperationWord, find_joint, with_number};
use crate::args::ReadingArgs;
use crate::failure::{Failure, OrFail};
use andante_formats::ReadLimits;
use andante_motion::edit::{
    self, BetweenOptions, BodyMask, CycleOptions, EditError, GroundLevel, JoinOptions, JointTurn,
    PlantOptions, TimePair,
};
use andante_motion::rig;
use andante_play::Interval;
use andante_skeleton::{Clip, Planar, Skeleton, check_setting};
use glam::{Vec2, Vec3};
use std::path::Path;
use std::slice::from_ref;

/// One step of an edit.
pub enum Operation {
    Trim(Interval),
    Cut(Interval),
    Append { file: String, fade: f32 },
    Bridge { file: String, seconds: f32 },
    Between(Interval),
    Resample(f32),
    Speed(f32),
    Retime(f32),
    Warp(Vec<TimePair>),
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
    Add { file: String, weight: f32 },
    Mask { words: Vec<String>, weight: f32 },
    Posture(f32),
    Mix { file: String, t: f32 },
    Key(KeyOrder),
    Reach(ReachOrder),
    Lock(LockOrder),
}

/// The options by which operations read other files.
#[derive(Clone, Copy)]
pub struct OtherFiles<'a> {
    pub reading: &'a ReadingArgs,
    pub limits: &'a ReadLimits,
}

impl Operation {
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let word = OperationWord::new(text);
        let plain = match word.name {
            "mirror" => Some(Self::Mirror),
            "reverse" => Some(Self::Reverse),
            "loop" => Some(Self::Loop),
            "plant" => Some(Self::Plant),
            "in-place" => Some(Self::InPlace),
            "origin" => Some(Self::Origin),
            _ => None,
        };
        if let Some(plain) = plain {
            return match word.has_value() {
                true => Err(Failure::new(format!("{} takes no value", word.name))),
                false => Ok(plain),
            };
        }
        Ok(match word.name {
            "trim" => Self::Trim(word.range()?),
            "cut" => Self::Cut(word.range()?),
            "between" => Self::Between(word.range()?),
            "resample" => Self::Resample(word.number("FPS")?),
            "speed" => Self::Speed(word.number("FACTOR")?),
            "retime" => Self::Retime(word.number("M/S")?),
            "warp" => Self::Warp(word.pairs()?),
            "turn" => Self::Turn(word.angle("DEG")?),
            "move" => Self::Move(word.point("X,Y,Z")?),
            "filter" => Self::Filter(word.number("HZ")?),
            "posture" => Self::Posture(word.number("TIME")?),
            "set" => Self::Key(KeyOrder::parse(&word, JointTurn::FromRest)?),
            "bend" => Self::Key(KeyOrder::parse(&word, JointTurn::Further)?),
            "reach" => Self::Reach(ReachOrder::parse(&word)?),
            "lock" => Self::Lock(LockOrder::parse(&word)?),
            _ => return Self::parse_with_file(&word),
        })
    }

    /// Operations with files, and parts of the body.
    fn parse_with_file(word: &OperationWord) -> Result<Self, Failure> {
        let text = word.text;
        Ok(match word.name {
            "append" => {
                let (file, fade) = word.file_and_number("FILE[:FADE]")?;
                if fade.is_some_and(|fade| !(0.0..=2.0).contains(&fade)) {
                    return Err(Failure::new(format!("{text}: a fade lasts from 0 to 2 seconds")));
                }
                Self::Append { file, fade: fade.unwrap_or(JoinOptions::default().fade) }
            }
            "bridge" => {
                let (file, seconds) = word.file_and_number("FILE[:SECONDS]")?;
                Self::Bridge { file, seconds: seconds.unwrap_or(BetweenOptions::default().seconds) }
            }
            "add" => {
                let (file, weight) = word.file_and_number("FILE[:WEIGHT]")?;
                Self::Add { file, weight: weight.unwrap_or(1.0) }
            }
            "mask" => {
                let (parts, weight) = with_number(word.needed("PART[,PART][:WEIGHT]")?);
                let words = parts.split(',').map(str::to_owned).collect();
                Self::Mask { words, weight: weight.unwrap_or(1.0) }
            }
            "part" => match word.needed("JOINT:FILE")?.split_once(':') {
                Some((joint, file)) => Self::Part { joint: joint.into(), file: file.into() },
                None => return Err(Failure::new(format!("{text}: give it as part=JOINT:FILE"))),
            },
            "mix" => match word.file_and_number("FILE:T")? {
                (file, Some(t)) => {
                    check_setting("mix: T", &t, -10.0..=10.0)?;
                    Self::Mix { file, t }
                }
                _ => {
                    return Err(Failure::new(format!(
                        "{text}: how much of it? mix=FILE:T, with T from 0 to 1"
                    )));
                }
            },
            name => {
                return Err(Failure::new(format!("there is no operation `{name}`"))
                    .hint("`andante edit --help` lists them"));
            }
        })
    }

    /// The part of the body that operations after this one are for; nothing if it is another operation.
    pub fn mask(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Option<BodyMask>, Failure> {
        let Self::Mask { words, weight } = self else { return Ok(None) };
        let rig = rig::detect(skeleton, from_ref(clip)).ok();
        let words = words.iter().map(String::as_str);
        let mask = BodyMask::of_words(skeleton, rig.as_ref(), words, *weight);
        if mask.as_ref().is_ok_and(|mask| mask.weights().iter().all(|weight| *weight == 0.0)) {
            return Err(Failure::new("leaves no part of the body to what comes after it"));
        }
        let parts = BodyMask::PARTS.join(", ");
        let hint = format!("parts are {parts}; `andante inspect --joints` lists joints");
        mask.map(Some).map_err(|error| Failure::new(error.to_string()).hint(hint))
    }

    /// The promise about the frames in which it holds.
    pub fn promise(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Option<Promise>, Failure> {
        match self {
            Self::Reach(order) => order.promise(skeleton, clip).map(Some),
            Self::Lock(order) => order.promise(skeleton, clip).map(Some),
            _ => Ok(None),
        }
    }

    /// True if moments or the whole body are elsewhere afterwards, so that nothing is any more where it was promised to be.
    pub fn leads_elsewhere(&self) -> bool {
        match self {
            Self::Trim(_) | Self::Cut(_) | Self::Append { .. } | Self::Bridge { .. } => true,
            Self::Resample(_) | Self::Speed(_) | Self::Retime(_) | Self::Warp(_) => true,
            Self::Mirror | Self::Reverse | Self::Loop | Self::InPlace | Self::Origin => true,
            Self::Turn(_) | Self::Move(_) => true,
            Self::Between(_) | Self::Plant | Self::Filter(_) | Self::Part { .. } => false,
            Self::Add { .. } | Self::Mask { .. } | Self::Posture(_) | Self::Mix { .. } => false,
            Self::Key(_) | Self::Reach(_) | Self::Lock(_) => false,
        }
    }

    /// Other operations of its kind that may be possible where it is not, the nearest to it first, given what it made.
    pub fn instead(&self, skeleton: &Skeleton, clip: &Clip, made: &Clip) -> Vec<String> {
        match self {
            Self::Reach(order) => order.instead(skeleton, clip, made),
            Self::Lock(order) => order.instead(skeleton, clip),
            _ => Vec::new(),
        }
    }

    /// True if its promise would be kept.
    pub fn tried(&self, skeleton: &Skeleton, clip: &Clip) -> Result<bool, Failure> {
        let made = match self {
            Self::Reach(order) => order.apply(skeleton, clip)?,
            Self::Lock(order) => order.apply(skeleton, clip)?,
            _ => return Ok(false),
        };
        let promise = self.promise(skeleton, clip)?;
        Ok(promise.is_some_and(|promise| promise.missed(skeleton, &made).is_none()))
    }

    pub fn apply(
        &self,
        skeleton: &Skeleton,
        clip: &Clip,
        files: OtherFiles,
    ) -> Result<Clip, Failure> {
        let other = |file: &str| same_skeleton(file, skeleton, files);
        let result = match self {
            Self::Trim(range) => edit::trim(skeleton, clip, *range),
            Self::Cut(range) => edit::cut(skeleton, clip, *range, &JoinOptions::default()),
            Self::Append { file, fade } => {
                let options = JoinOptions { fade: *fade, ..JoinOptions::default() };
                edit::concatenate(skeleton, clip, &other(file)?, &options)
            }
            Self::Bridge { file, seconds } => {
                let options = BetweenOptions { seconds: *seconds, ..BetweenOptions::default() };
                return bridged(skeleton, clip, &other(file)?, &options);
            }
            Self::Between(range) => return remade(skeleton, clip, *range),
            Self::Resample(fps) => edit::resampled(skeleton, clip, *fps),
            Self::Speed(factor) => edit::change_speed(skeleton, clip, *factor),
            Self::Retime(speed) => edit::retime_to_speed(skeleton, clip, *speed),
            Self::Warp(pairs) => return warped(skeleton, clip, pairs),
            Self::Mirror => edit::mirrored(skeleton, clip),
            Self::Reverse => edit::reversed(skeleton, clip),
            Self::Loop => looped(skeleton, clip),
            Self::Plant => planted(skeleton, clip)?,
            Self::InPlace => edit::in_place(skeleton, clip),
            Self::Origin => edit::at_origin(skeleton, clip),
            Self::Turn(degrees) => moved(skeleton, clip, Vec3::ZERO, *degrees),
            Self::Move(by) => moved(skeleton, clip, *by, 0.0),
            Self::Filter(hertz) => edit::low_pass(skeleton, clip, *hertz),
            Self::Part { joint, file } => {
                edit::with_part(skeleton, clip, &other(file)?, find_joint(skeleton, joint)?)
            }
            Self::Add { file, weight } => edit::with_layer(skeleton, clip, &other(file)?, *weight),
            Self::Mask { .. } => return Ok(clip.clone()),
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
            Self::Mix { file, t } => edit::interpolate_clips(skeleton, clip, &other(file)?, *t),
            Self::Key(order) => return order.apply(skeleton, clip),
            Self::Reach(order) => return order.apply(skeleton, clip),
            Self::Lock(order) => return order.apply(skeleton, clip),
        };
        result.or_fail()
    }
}

/// The best stride closed into a cycle, where there is one; otherwise the whole clip.
fn looped(skeleton: &Skeleton, clip: &Clip) -> Result<Clip, EditError> {
    let understood = select::understand(skeleton, from_ref(clip), clip).ok();
    let options = CycleOptions::default();
    match understood.and_then(|(_, analysis)| analysis.loop_point) {
        Some(point) => {
            let stride = edit::trim(skeleton, clip, point.interval)?;
            edit::make_cyclic(skeleton, &stride, &options)
        }
        None => edit::make_cyclic(skeleton, clip, &options),
    }
}

/// This clip, some seconds that are made, and another one.
fn bridged(
    skeleton: &Skeleton,
    first: &Clip,
    second: &Clip,
    options: &BetweenOptions,
) -> Result<Clip, Failure> {
    let rig = rig::detect(skeleton, &[first.clone(), second.clone()]).or_fail()?;
    let down = |clip: &Clip, time: f32| {
        let analysis = select::understand(skeleton, from_ref(clip), clip).ok();
        let contacts = analysis.filter(|(own, _)| own.feet.len() == rig.feet.len());
        let contacts = contacts.map(|(_, analysis)| analysis.contacts);
        edit::feet_down_at(skeleton, &rig, clip, contacts.as_ref(), time)
    };
    let (end, beginning) = (down(first, first.duration()), down(second, 0.0));
    let made = edit::in_between(skeleton, &rig, first, second, [&end, &beginning], options);
    let (clip, report) = made.or_fail()?;
    // A leg that does not reach would leave its foot somewhere else than it was said to be.
    if report.missed_max > 0.01 {
        return Err(Failure::new(format!(
            "a leg would stay {:.0} mm short of its foot: the two poses are too far apart",
            1e3 * report.missed_max
        ))
        .of_work());
    }
    if report.glided > 0.1 {
        return Err(Failure::new(format!(
            "feet would glide {:.2} m over the ground: what lies between the two poses is more than one step of each foot",
            report.glided
        ))
        .hint("a shorter stretch, or one more pose in the middle of it")
        .of_work());
    }
    Ok(clip)
}

/// The clip with a stretch of it made anew from what is before and after it.
fn remade(skeleton: &Skeleton, clip: &Clip, range: Interval) -> Result<Clip, Failure> {
    let last = clip.frame_count() - 1;
    let frame = |time: f32| (time * clip.fps()).round().max(0.0) as usize;
    let (from, to) = (frame(range.start), frame(range.end));
    let inside = range.start >= -0.5 / clip.fps();
    if !(inside && from < to && to <= last) {
        return Err(Failure::new(format!(
            "from {} to {} s there is nothing between: the motion lasts from 0 to {:.3} s",
            range.start,
            range.end,
            clip.duration()
        )));
    }
    let joints = skeleton.len();
    let piece = |frames: std::ops::Range<usize>| {
        let transforms = clip.transforms()[frames.start * joints..frames.end * joints].to_vec();
        Clip::new(clip.name(), skeleton, clip.fps(), transforms).or_fail()
    };
    let (first, second) = (piece(0..from + 1)?, piece(to..last + 1)?);
    let seconds = (to - from) as f32 / clip.fps();
    let options = BetweenOptions { seconds, align: false, ..BetweenOptions::default() };
    bridged(skeleton, &first, &second, &options)
}

/// The clip with moments at other times. It begins with its own first frame: the first pair has to leave time as it is there.
fn warped(skeleton: &Skeleton, clip: &Clip, pairs: &[TimePair]) -> Result<Clip, Failure> {
    let made = edit::time_warped(skeleton, clip, pairs).or_fail()?;
    let Some(TimePair { from, to }) = pairs.first() else { return Ok(made) };
    if (to - from).abs() <= 0.5 / clip.fps() {
        return Ok(made);
    }
    let failure = Failure::new(format!(
        "what happens at {from} s would still happen then: before the first pair the motion keeps its pace"
    ));
    if *from <= 0.0 || *to <= 0.0 {
        return Err(failure.hint("the beginning stays at 0 s: give 0:0 as the first pair"));
    }
    let pairs: Vec<String> =
        pairs.iter().map(|pair| format!("{}:{}", pair.from, pair.to)).collect();
    Err(failure.hint(format!("this works: warp=0:0,{}", pairs.join(","))))
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

/// The first clip of another file that has the same joints.
fn same_skeleton(file: &str, skeleton: &Skeleton, files: OtherFiles) -> Result<Clip, Failure> {
    let mut asset = select::read(Path::new(file), files.reading, None, files.limits)?;
    if !select::same_joints(&asset.skeleton, skeleton) {
        return Err(Failure::new(format!("{file}: has another skeleton"))
            .hint("put it on this one with `andante retarget` first"));
    }
    select::drop_t_poses(&mut asset)?;
    asset.clips.into_iter().next().ok_or_else(|| Failure::new(format!("{file}: has no animation")))
}
