//! Operations on one joint or foot: keys, reaches and locks.

use super::promise::{Promise, PromisedPlace};
use super::words::{OperationWord, find_joint, parse_fade, parse_point};
use crate::failure::{Failure, OrFail};
use andante_formats::ReadLimits;
use andante_ik::{Reach, SolverChoice};
use andante_motion::edit::{self, EditWindow, JointTurn};
use andante_motion::rig;
use andante_play::Interval;
use andante_skeleton::{Character, Clip, Foot, Rig, Side, Skeleton, Transform, check_setting};
use glam::Vec3;
use std::ops::Range;
use std::slice::from_ref;

/// A joint that is turned at a time.
pub struct KeyOrder {
    joint: String,
    turn: JointTurn,
    window: EditWindow,
}

impl KeyOrder {
    pub fn parse(word: &OperationWord, turn: fn(Vec3) -> JointTurn) -> Result<Self, Failure> {
        let shape = "JOINT@TIME:X,Y,Z[:FADE]";
        let at = word.joint_at(shape)?;
        let (angles, fade) = match at.rest.as_slice() {
            [angles] => (angles, None),
            [angles, fade] => (angles, Some(fade)),
            _ => return Err(Failure::new(format!("{}: give it as {shape}", word.name))),
        };
        let angles = parse_point(word.name, angles)
            .map_err(|wrong| wrong.hint(format!("give it as {shape}")))?;
        word.check_angles(&angles.to_array())?;
        let (turn, window) = (turn(angles), at.window(word.name, fade)?);
        Ok(Self { joint: at.joint, turn, window })
    }

    pub fn apply(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Clip, Failure> {
        let joint = find_joint(skeleton, &self.joint)?;
        edit::turn_joint(skeleton, clip, joint, self.turn, &self.window).or_fail()
    }
}

/// A joint that is to be somewhere at a time.
pub struct ReachOrder {
    joint: String,
    window: EditWindow,
    point: Vec3,
    solver: SolverChoice,
}

impl ReachOrder {
    pub fn parse(word: &OperationWord) -> Result<Self, Failure> {
        let shape = "JOINT@TIME:X,Y,Z[:SOLVER][:FADE]";
        let at = word.joint_at(shape)?;
        let wrong = || Failure::new(format!("reach: give it as {shape}"));
        let (point, rest) = at.rest.split_first().ok_or_else(wrong)?;
        let point = parse_point("reach", point)
            .map_err(|wrong| wrong.hint(format!("give it as {shape}")))?;
        let farthest = ReadLimits::default().reach;
        check_setting("reach: a coordinate", &point.to_array(), -farthest..=farthest)?;
        let usual = Reach::default();
        let (mut solver, mut fade) = (usual.solver, usual.fade);
        match rest {
            [] => {}
            [one] => match SolverChoice::named(one) {
                Some(choice) => solver = choice,
                None if one.parse::<f32>().is_ok() => fade = parse_fade("reach", one)?,
                None => return Err(no_solver(one)),
            },
            [name, seconds] => {
                solver = SolverChoice::named(name).ok_or_else(|| no_solver(name))?;
                fade = parse_fade("reach", seconds)?;
            }
            _ => return Err(wrong()),
        }
        let window = EditWindow { held: at.held, fade };
        Ok(Self { joint: at.joint, window, point, solver })
    }

    pub fn apply(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Clip, Failure> {
        let joint = find_joint(skeleton, &self.joint)?;
        reached(skeleton, clip, joint, self.point, &self.window, self.solver)
    }

    pub fn promise(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Promise, Failure> {
        let joint = find_joint(skeleton, &self.joint)?;
        let near = match self.solver {
            // It weighs its target against the motion: it may stay a little short, and the others may not.
            SolverChoice::Descent => {
                let rig = rig::detect(skeleton, from_ref(clip)).or_fail()?;
                0.15 * rig.feet.first().map_or(1.0, |foot| leg_length(skeleton, foot))
            }
            _ => Promise::NEAR,
        };
        Ok(Promise {
            who: format!("`{}`", self.joint),
            what: "it",
            place: PromisedPlace::At(joint, self.point),
            frames: self.window.frames(clip).or_fail()?,
            near,
        })
    }

    /// The same with the whole body, and nearer points: where it got to on average, and back from there to where it was.
    pub fn instead(&self, skeleton: &Skeleton, clip: &Clip, made: &Clip) -> Vec<String> {
        let mut lines = Vec::new();
        if self.solver != SolverChoice::FullBody {
            lines.push(self.line(self.point, SolverChoice::FullBody));
        }
        let (Some(joint), Ok(frames)) = (skeleton.find(&self.joint), self.window.frames(clip))
        else {
            return lines;
        };
        let [own, got] = [clip, made].map(|clip| mean_place(skeleton, clip, joint, &frames));
        if own.is_finite() && got.is_finite() {
            let back = [0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8];
            lines.extend(back.map(|back| self.line(got.lerp(own, back), self.solver)));
        }
        lines
    }

    /// The order in words, for another point.
    fn line(&self, point: Vec3, solver: SolverChoice) -> String {
        let (joint, window) = (&self.joint, &self.window);
        let (x, y, z) = (point.x, point.y, point.z);
        let solver = SolverChoice::ALL.iter().find(|(_, own)| *own == solver);
        let solver = solver.map_or("", |(name, _)| name);
        let (when, fade) = (when(window), window.fade);
        // As it stood where it stays.
        match point == self.point {
            true => format!("reach={joint}@{when}:{x},{y},{z}:{solver}:{fade}"),
            false => format!("reach={joint}@{when}:{x:.3},{y:.3},{z:.3}:{solver}:{fade}"),
        }
    }
}

/// A time or a stretch of time as operations have it.
fn when(window: &EditWindow) -> String {
    let held = window.held;
    match held.length() > 0.0 {
        true => format!("{}-{}", held.start, held.end),
        false => held.start.to_string(),
    }
}

/// Where a joint is on average.
fn mean_place(skeleton: &Skeleton, clip: &Clip, joint: usize, frames: &Range<usize>) -> Vec3 {
    let mut models = vec![Transform::IDENTITY; skeleton.len()];
    let mut place = |frame: usize| {
        skeleton.local_to_model(clip.frame(frame), &mut models);
        models[joint].translation
    };
    let sum: Vec3 = frames.clone().map(&mut place).sum();
    sum / frames.len() as f32
}

fn no_solver(name: &str) -> Failure {
    let names = SolverChoice::ALL.map(|(name, _)| name).join(", ");
    Failure::new(format!("reach: there is no solver `{name}`")).hint(format!("one of {names}"))
}

/// Length of the bones of a leg.
fn leg_length(skeleton: &Skeleton, foot: &Foot) -> f32 {
    let bones = foot.leg[1..].iter().map(|&joint| skeleton.joint(joint).rest.translation.length());
    bones.sum()
}

/// The clip with a joint at a point while a window holds.
fn reached(
    skeleton: &Skeleton,
    clip: &Clip,
    joint: usize,
    point: Vec3,
    window: &EditWindow,
    solver: SolverChoice,
) -> Result<Clip, Failure> {
    // Says what is wrong with the times.
    window.frames(clip).or_fail()?;
    let rig = rig::detect(skeleton, from_ref(clip)).or_fail()?;
    let character = Character::new(clip.name(), skeleton.clone(), rig);
    let (time, hold, fade) = (window.held.start, window.held.length(), window.fade);
    let wish = Reach { joint, point, time, hold, fade, solver };
    andante_ik::reach(&character, clip, &wish).map(|(clip, _)| clip).or_fail()
}

/// A foot by its number in the rig, or a joint.
enum Locked {
    Foot(usize),
    Joint(usize),
}

/// A foot or another joint that stays where it is for a while.
pub struct LockOrder {
    name: String,
    window: EditWindow,
}

impl LockOrder {
    pub fn parse(word: &OperationWord) -> Result<Self, Failure> {
        let shape = "FOOT@FROM-TO[:FADE]";
        let at = word.joint_at(shape)?;
        let fade = match at.rest.as_slice() {
            [] => None,
            [fade] => Some(fade),
            _ => return Err(Failure::new(format!("lock: give it as {shape}"))),
        };
        if at.held.length() <= 0.0 {
            let at = at.held.start;
            return Err(Failure::new(format!("lock: {at} is a moment: give it as {shape}")));
        }
        let window = at.window(word.name, fade)?;
        Ok(Self { name: at.joint, window })
    }

    pub fn apply(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Clip, Failure> {
        let frames = self.window.frames(clip).or_fail()?;
        match self.locked(skeleton, clip)? {
            (rig, Locked::Foot(foot)) => {
                // From frame to frame: a time between two belongs to the nearest.
                let held = [frames.start, frames.end - 1].map(|frame| clip.frame_time(frame));
                let held = Interval::new(held[0], held[1]);
                let fade = self.window.fade;
                let done = edit::lock_feet(skeleton, &rig, clip, &[(foot, held)], fade);
                done.map(|(clip, _)| clip).or_fail()
            }
            // A hand stays at the mean of its places.
            (_, Locked::Joint(joint)) => {
                let point = mean_place(skeleton, clip, joint, &frames);
                reached(skeleton, clip, joint, point, &self.window, SolverChoice::default())
            }
        }
    }

    pub fn promise(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Promise, Failure> {
        let frames = self.window.frames(clip).or_fail()?;
        let (who, place) = match self.locked(skeleton, clip)? {
            (rig, Locked::Foot(foot)) => {
                let foot = &rig.feet[foot];
                (foot.name.clone(), PromisedPlace::Still(vec![foot.heel, foot.ball]))
            }
            (_, Locked::Joint(joint)) => {
                let point = mean_place(skeleton, clip, joint, &frames);
                (format!("`{}`", self.name), PromisedPlace::At(joint, point))
            }
        };
        Ok(Promise { who, what: "where it is locked", place, frames, near: Promise::NEAR })
    }

    /// The same for a hand with the whole body, and for less time.
    pub fn instead(&self, skeleton: &Skeleton, clip: &Clip) -> Vec<String> {
        let (name, window) = (&self.name, &self.window);
        let (EditWindow { held, fade }, Ok(frames)) = (window, window.frames(clip)) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        if let Ok((_, Locked::Joint(joint))) = self.locked(skeleton, clip) {
            let Vec3 { x, y, z } = mean_place(skeleton, clip, joint, &frames);
            let when = when(window);
            lines.push(format!("reach={name}@{when}:{x:.3},{y:.3},{z:.3}:full:{fade}"));
        }
        let least = 2.0 / clip.fps();
        for share in [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1] {
            let lasts = share * held.length();
            if lasts >= least {
                let (from, to) = (held.start, held.start + lasts);
                lines.push(format!("lock={name}@{from}-{to:.3}:{fade}"));
            }
        }
        lines
    }

    /// What is meant: a foot, or else a joint.
    fn locked(&self, skeleton: &Skeleton, clip: &Clip) -> Result<(Rig, Locked), Failure> {
        let rig = rig::detect(skeleton, from_ref(clip)).or_fail()?;
        if let Some(foot) = self.foot(skeleton, &rig) {
            return Ok((rig, Locked::Foot(foot)));
        }
        let joint = skeleton.find(&self.name).ok_or_else(|| {
            let names: Vec<&str> = rig.feet.iter().map(|foot| foot.name.as_str()).collect();
            Failure::new(format!("there is no foot or joint `{}`", self.name)).hint(format!(
                "feet are {}; `andante inspect --joints` lists joints",
                names.join(", ")
            ))
        })?;
        Ok((rig, Locked::Joint(joint)))
    }

    /// The foot that is meant: by its name, with or without the blank, or by a joint of it.
    fn foot(&self, skeleton: &Skeleton, rig: &Rig) -> Option<usize> {
        let plain = |name: &str| name.replace(['-', '_'], " ").to_lowercase();
        let side = |foot: &Foot| match foot.side {
            Side::Left => "left foot",
            Side::Right => "right foot",
            Side::Middle => "foot",
        };
        let joint = skeleton.find(&self.name);
        let has = |foot: &Foot| {
            joint.is_some_and(|joint| skeleton.subtree(foot.ankle()).contains(&joint))
        };
        let named = |foot: &Foot| plain(&foot.name) == plain(&self.name);
        let of_two = |foot: &Foot| rig.feet.len() == 2 && side(foot) == plain(&self.name);
        let found = rig.feet.iter().position(has);
        found.or_else(|| rig.feet.iter().position(|foot| named(foot) || of_two(foot)))
    }
}
