//! Operations on one joint or foot: keys, reaches and locks.

use super::words::{OperationWord, find_joint, parse_fade, parse_point};
use crate::failure::{Failure, OrFail};
use andante_formats::ReadLimits;
use andante_ik::{Reach, SolverChoice};
use andante_motion::edit::{self, EditWindow, JointTurn};
use andante_motion::rig;
use andante_skeleton::{Character, Clip, Foot, Rig, Side, Skeleton, check_setting, model_frames};
use glam::Vec3;
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
    let (clip, report) = andante_ik::reach(&character, clip, &wish).or_fail()?;
    let (name, short) = (&skeleton.joint(joint).name, report.residual);
    // The descent weighs its target against the motion: it may stay a little short, and the others may not.
    let near = 0.15 * character.rig.feet.first().map_or(1.0, |foot| leg_length(skeleton, foot));
    if report.reached || solver == SolverChoice::Descent && short <= near {
        return Ok(clip);
    }
    Err(Failure::new(format!("`{name}` stays {short:.3} m short of it"))
        .hint("a nearer point, or the whole body: append `:full`"))
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
        let EditWindow { held, fade } = self.window;
        let frames = self.window.frames(clip).or_fail()?;
        let rig = rig::detect(skeleton, from_ref(clip)).or_fail()?;
        if let Some(foot) = self.foot(skeleton, &rig) {
            let done = edit::lock_feet(skeleton, &rig, clip, &[(foot, held)], fade);
            return done.map(|(clip, _)| clip).or_fail();
        }
        let joint = skeleton.find(&self.name).ok_or_else(|| {
            let names: Vec<&str> = rig.feet.iter().map(|foot| foot.name.as_str()).collect();
            Failure::new(format!("there is no foot or joint `{}`", self.name)).hint(format!(
                "feet are {}; `andante inspect --joints` lists joints",
                names.join(", ")
            ))
        })?;
        // A hand stays at the mean of its places.
        let models = model_frames(skeleton, clip);
        let places = models[frames].iter().map(|models| models[joint].translation);
        let count = places.len() as f32;
        let point = places.sum::<Vec3>() / count;
        reached(skeleton, clip, joint, point, &self.window, SolverChoice::default())
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
