//! Which motion is worked on, and what is done to it.

use andante_ik::{Reach, SolverChoice, reach};
use andante_motion::adapt::{Extent, TakeOptions, adapt_clip};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::{self, CycleOptions, KeyPosture, PlantOptions, Tween};
use andante_motion::planted_ground_clip;
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{BlendLayer, Character, Clip, Pose, Rig, Skeleton, Transform, Wrap, blend};
use andante_world::Terrain;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A motion and its edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionPlan {
    /// The file it comes from; the built-in ones if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The name of the clip.
    pub clip: String,
    /// Whom it is put on: a built-in character, or a file. Nobody else if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Speed ahead in m/s and turn to the left in degrees a second, of the gait that is mixed.
    pub mix: [f32; 2],
    /// Which joint has a role that was taken for another: names of joints by roles such as `left knee`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, String>,
    /// What is done to it, one after the other.
    #[serde(default)]
    pub edits: Vec<MotionEdit>,
    /// When feet are down, if somebody knows better than the analysis.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<ContactSpans>,
}

/// The contacts of a foot's heel and ball, in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactSpans {
    /// The heel.
    pub heel: Vec<[f32; 2]>,
    /// The ball.
    pub ball: Vec<[f32; 2]>,
}

impl ContactSpans {
    /// Of contacts that were found.
    pub fn of(contacts: &Contacts) -> Vec<Self> {
        let spans = |all: &[Interval]| all.iter().map(|span| [span.start, span.end]).collect();
        let foot = |foot: &FootContacts| Self { heel: spans(&foot.heel), ball: spans(&foot.toe) };
        contacts.feet.iter().map(foot).collect()
    }

    /// As the rest of the library has them.
    pub fn contacts(all: &[Self]) -> Contacts {
        let spans = |spans: &[[f32; 2]]| {
            let mut spans: Vec<Interval> =
                spans.iter().map(|[from, to]| Interval::new(*from, *to)).collect();
            spans.sort_by(|a, b| a.start.total_cmp(&b.start));
            spans
        };
        let foot = |own: &Self| FootContacts { heel: spans(&own.heel), toe: spans(&own.ball) };
        Contacts { feet: all.iter().map(foot).collect() }
    }
}

/// Something that is done to a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum MotionEdit {
    /// Only what is between two times, in seconds.
    Trim([f32; 2]),
    /// All but what is between two times, in seconds.
    Cut([f32; 2]),
    /// What is between two times, in seconds, comes once more at the end.
    Copy([f32; 2]),
    /// So many times as fast.
    Speed(f32),
    /// Left is right.
    Mirror,
    /// The end is the beginning.
    Reverse,
    /// It goes round.
    Loop,
    /// Feet that are down stay where they are.
    Plant,
    /// Frames from one to before another are made anew from those beside them.
    Mend([usize; 2]),
    /// A joint is turned all the time, in degrees about its own axes.
    Turn {
        /// Its name.
        joint: String,
        /// A rotation vector.
        degrees: [f32; 3],
    },
    /// Joints are turned so at a moment, and go back to their own way around it.
    Key {
        /// Seconds.
        time: f32,
        /// Seconds to both sides until nothing is left of it.
        fade: f32,
        /// Rotation vectors by the names of joints, in degrees about their own axes.
        joints: BTreeMap<String, [f32; 3]>,
    },
    /// A joint is led to a point at a moment.
    Reach {
        /// Its name.
        joint: String,
        /// Seconds.
        time: f32,
        /// The point, in metres.
        point: [f32; 3],
        /// Whether feet stay where they are.
        pinned: bool,
    },
    /// Another clip is laid over a part of the body.
    Layer {
        /// Its name.
        clip: String,
        /// The joint that the part hangs on.
        part: String,
        /// From 0 to 1.
        weight: f32,
    },
    /// It goes over ground that is not level, for eight metres if it repeats itself.
    Ground(String),
    /// A new clip through postures of this one.
    Postures {
        /// When each is taken, in seconds of this one.
        of: Vec<f32>,
        /// Seconds from one to the next.
        apart: f32,
    },
}

/// The body that an edit works on: joints, roles, clips and contacts.
pub struct MotionBody<'a> {
    /// The joints.
    pub skeleton: &'a Skeleton,
    /// Their roles, if they are known.
    pub rig: Option<&'a Rig>,
    /// Clips that can be laid over.
    pub clips: &'a [Clip],
    /// When feet are down, if that is known.
    pub contacts: Option<&'a Contacts>,
}

impl Default for MotionPlan {
    fn default() -> Self {
        Self {
            file: None,
            clip: "walk".into(),
            target: None,
            mix: [1.3, 0.0],
            roles: BTreeMap::new(),
            edits: Vec::new(),
            contacts: Vec::new(),
        }
    }
}

impl MotionPlan {
    /// Does something more. When feet are down is known for what comes of it, or has to be found again.
    pub fn push(&mut self, edit: MotionEdit) {
        let spans = |feet: &mut [ContactSpans], change: &dyn Fn(&mut Vec<[f32; 2]>)| {
            feet.iter_mut().flat_map(|foot| [&mut foot.heel, &mut foot.ball]).for_each(change);
        };
        match &edit {
            MotionEdit::Trim([from, to]) => spans(&mut self.contacts, &|spans| {
                for span in spans.iter_mut() {
                    *span = span.map(|time| time.clamp(*from, *to) - from);
                }
                spans.retain(|[from, to]| to > from);
            }),
            MotionEdit::Speed(factor) => spans(&mut self.contacts, &|spans| {
                spans.iter_mut().for_each(|span| *span = span.map(|time| time / factor));
            }),
            MotionEdit::Mirror if self.contacts.len() == 2 => self.contacts.swap(0, 1),
            edit if edit.changes_time() => self.contacts.clear(),
            _ => {}
        }
        self.edits.push(edit);
    }
}

impl MotionEdit {
    /// True if the edit changes the moments of a clip or its feet, so that contacts have to be found anew.
    pub fn changes_time(&self) -> bool {
        match self {
            Self::Trim(_) | Self::Cut(_) | Self::Speed(_) | Self::Reverse | Self::Loop => true,
            Self::Mirror | Self::Postures { .. } | Self::Ground(_) | Self::Copy(_) => true,
            Self::Plant | Self::Mend(_) | Self::Turn { .. } | Self::Key { .. } => false,
            Self::Reach { .. } | Self::Layer { .. } => false,
        }
    }

    /// The word of the edit on a command line; none if that cannot do it.
    pub fn word(&self) -> Option<String> {
        Some(match self {
            Self::Trim([from, to]) => format!("trim={from:.2}:{to:.2}"),
            Self::Cut([from, to]) => format!("cut={from:.2}:{to:.2}"),
            Self::Speed(factor) => format!("speed={factor}"),
            Self::Mirror => "mirror".into(),
            Self::Reverse => "reverse".into(),
            Self::Loop => "loop".into(),
            Self::Plant => "plant".into(),
            Self::Reach { joint, time, point: [x, y, z], pinned } => {
                let solver = if *pinned { "full" } else { "jacobian" };
                format!("reach={joint}@{time:.2}:{x:.3},{y:.3},{z:.3}:{solver}")
            }
            Self::Turn { .. } | Self::Key { .. } | Self::Mend(_) | Self::Copy(_) => return None,
            Self::Layer { .. } | Self::Postures { .. } | Self::Ground(_) => return None,
        })
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Turn { joint, degrees: [x, y, z] } => {
                format!("turn {joint} by {x:.0}°, {y:.0}°, {z:.0}°")
            }
            Self::Key { time, joints, .. } => {
                let names: Vec<&str> = joints.keys().map(String::as_str).collect();
                format!("key at {time:.2} s: {}", names.join(", "))
            }
            Self::Mend([from, to]) => format!("mend frames {from} to {}", to - 1),
            Self::Layer { clip, part, weight } => {
                format!("{clip} over {part}, {:.0} %", 100.0 * weight)
            }
            Self::Ground(terrain) => format!("on {terrain}"),
            Self::Copy([from, to]) => format!("copy {from:.2} s to {to:.2} s"),
            Self::Postures { of, .. } => format!("through {} postures", of.len()),
            other => other.word().unwrap_or_default(),
        }
    }

    /// Does it.
    pub fn apply(&self, body: &MotionBody, clip: &Clip) -> Result<Clip, String> {
        let skeleton = body.skeleton;
        let done = match self {
            Self::Trim([from, to]) => edit::trim(skeleton, clip, Interval::new(*from, *to)),
            Self::Cut([from, to]) => {
                edit::cut(skeleton, clip, Interval::new(*from, *to), &edit::JoinOptions::default())
            }
            Self::Copy([from, to]) => edit::trim(skeleton, clip, Interval::new(*from, *to))
                .and_then(|piece| {
                    edit::concatenate(skeleton, clip, &piece, &edit::JoinOptions::default())
                }),
            Self::Speed(factor) => edit::change_speed(skeleton, clip, *factor),
            Self::Mirror => edit::mirrored(skeleton, clip),
            Self::Reverse => edit::reversed(skeleton, clip),
            Self::Loop => edit::make_cyclic(skeleton, clip, &CycleOptions::default()),
            Self::Plant => {
                let rig = body.rig.ok_or("it has no feet that are known")?;
                let contacts = body.contacts.ok_or("nobody knows when its feet are down")?;
                edit::plant_feet(skeleton, rig, clip, contacts, &PlantOptions::default())
                    .map(|(planted, _)| planted)
            }
            Self::Mend([from, to]) => mended(skeleton, clip, *from, *to),
            Self::Turn { joint, degrees } => turned(skeleton, clip, joint, *degrees),
            Self::Key { time, fade, joints } => {
                let pose = posed(skeleton, clip, *time, joints)?;
                edit::put_posture(skeleton, clip, *time, &pose, *fade)
            }
            Self::Reach { joint, time, point, pinned } => {
                return reached(body, clip, joint, *time, *point, *pinned);
            }
            Self::Layer { clip: other, part, weight } => {
                return layered(body, clip, other, part, *weight);
            }
            Self::Ground(terrain) => return grounded(body, clip, terrain),
            Self::Postures { of, apart } => {
                let key = |(index, time): (usize, &f32)| KeyPosture {
                    time: index as f32 * apart,
                    pose: edit::posture_at(clip, *time),
                };
                let keys: Vec<KeyPosture> = of.iter().enumerate().map(key).collect();
                edit::from_postures(skeleton, clip.name(), clip.fps(), &keys, Tween::Smooth)
            }
        };
        done.map_err(|error| error.to_string())
    }
}

/// A rotation by a vector in degrees.
fn rotation([x, y, z]: [f32; 3]) -> Quat {
    Quat::from_scaled_axis(Vec3::new(x.to_radians(), y.to_radians(), z.to_radians()))
}

/// A rotation within what a joint can do.
fn limited(skeleton: &Skeleton, joint: usize, local: Quat) -> Quat {
    let own = skeleton.joint(joint);
    own.limit.clamp(own.rest.rotation, local).normalize()
}

/// A clip with a joint turned in every frame, within what the joint can do.
fn turned(
    skeleton: &Skeleton,
    clip: &Clip,
    joint: &str,
    degrees: [f32; 3],
) -> Result<Clip, edit::EditError> {
    let Some(index) = skeleton.find(joint) else { return Ok(clip.clone()) };
    let by = rotation(degrees);
    let mut transforms = clip.transforms().to_vec();
    for frame in transforms.chunks_exact_mut(skeleton.len()) {
        frame[index].rotation = limited(skeleton, index, frame[index].rotation * by);
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// The posture of a moment with joints turned.
fn posed(
    skeleton: &Skeleton,
    clip: &Clip,
    time: f32,
    joints: &BTreeMap<String, [f32; 3]>,
) -> Result<Pose, String> {
    let mut pose = edit::posture_at(clip, time);
    for (name, degrees) in joints {
        let joint = skeleton.find(name).ok_or(format!("there is no joint `{name}`"))?;
        pose[joint].rotation = limited(skeleton, joint, pose[joint].rotation * rotation(*degrees));
    }
    Ok(pose)
}

/// Frames made anew from the one before and the one after them.
fn mended(
    skeleton: &Skeleton,
    clip: &Clip,
    from: usize,
    to: usize,
) -> Result<Clip, edit::EditError> {
    let last = clip.frame_count() - 1;
    let (before, after) = (from.saturating_sub(1).min(last), to.min(last));
    let joints = skeleton.len();
    let mut transforms = clip.transforms().to_vec();
    for frame in from.min(last)..to.min(last) {
        let part = (frame - before) as f32 / (after - before).max(1) as f32;
        let pose =
            edit::interpolate_postures(skeleton, clip.frame(before), clip.frame(after), part)?;
        transforms[frame * joints..][..joints].copy_from_slice(&pose);
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// A joint led to a point; that it is not reached is told.
fn reached(
    body: &MotionBody,
    clip: &Clip,
    joint: &str,
    time: f32,
    point: [f32; 3],
    pinned: bool,
) -> Result<Clip, String> {
    let rig = body.rig.ok_or("roles of its joints are not known")?;
    let index = body.skeleton.find(joint).ok_or(format!("there is no joint `{joint}`"))?;
    let character = Character::new("body", body.skeleton.clone(), rig.clone());
    let solver = if pinned { SolverChoice::FullBody } else { SolverChoice::Jacobian };
    let wish = Reach { joint: index, point: point.into(), time, solver, ..Reach::default() };
    reach(&character, clip, &wish).map(|(done, _)| done).map_err(|error| error.to_string())
}

/// The terrain that the last of some edits puts a motion on.
pub fn terrain_of(edits: &[MotionEdit]) -> Option<Terrain> {
    edits.iter().rev().find_map(|edit| match edit {
        MotionEdit::Ground(words) => words.parse().ok(),
        _ => None,
    })
}

/// A clip on ground that is not level, as `andante ground` does it.
fn grounded(body: &MotionBody, clip: &Clip, terrain: &str) -> Result<Clip, String> {
    let terrain: Terrain = terrain.parse().map_err(|error| format!("{terrain}: {error}"))?;
    let rig = body.rig.ok_or("it has no feet that are known")?;
    let analysis = analyse(body.skeleton, rig, clip, &AnalysisOptions::default());
    let analysis = analysis.map_err(|error| error.to_string())?;
    let character = Arc::new(Character::new("body", body.skeleton.clone(), rig.clone()));
    let ground = planted_ground_clip(&character, clip, &analysis);
    let ground = Arc::new(ground.map_err(|error| error.to_string())?);
    let extent = if analysis.cyclic { Extent::Distance(8.0) } else { Extent::Once };
    let options = TakeOptions { extent, ..TakeOptions::default() };
    let done = adapt_clip(&ground, &terrain, &options).map_err(|error| error.to_string())?;
    let transforms = done.clip.transforms().to_vec();
    Clip::new(clip.name(), body.skeleton, done.clip.fps(), transforms)
        .map_err(|error| error.to_string())
}

/// A clip with another laid over a part of the body, round and round.
fn layered(
    body: &MotionBody,
    clip: &Clip,
    other: &str,
    part: &str,
    weight: f32,
) -> Result<Clip, String> {
    let skeleton = body.skeleton;
    let over = body.clips.iter().find(|clip| clip.name() == other);
    let over = over.ok_or(format!("there is no clip `{other}`"))?;
    let top = skeleton.find(part).ok_or(format!("there is no joint `{part}`"))?;
    let mask: Vec<f32> = (0..skeleton.len())
        .map(|joint| {
            let mut up = Some(joint);
            while up.is_some_and(|joint| joint != top) {
                up = up.and_then(|joint| skeleton.parent(joint));
            }
            if up.is_some() { 1.0 } else { 0.0 }
        })
        .collect();
    let under: Vec<f32> = mask.iter().map(|own| 1.0 - weight.clamp(0.0, 1.0) * own).collect();
    let rest = Pose::rest(skeleton);
    let joints = skeleton.len();
    let mut transforms = clip.transforms().to_vec();
    let mut sampled = vec![Transform::IDENTITY; joints];
    for (frame, out) in transforms.chunks_exact_mut(joints).enumerate() {
        over.sample(clip.frame_time(frame), Wrap::Loop, &mut sampled);
        let own = clip.frame(frame).to_vec();
        let layers = [
            BlendLayer::masked(&own, 1.0, &under),
            BlendLayer::masked(&sampled, weight.clamp(0.0, 1.0), &mask),
        ];
        blend(&rest, &layers, out);
        // The body goes its own way.
        out[0] = own[0];
    }
    Clip::new(clip.name(), skeleton, clip.fps(), transforms).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_motion::synth;
    use andante_skeleton::humanoid;

    fn body<'a>(human: &'a Character, clips: &'a [Clip]) -> MotionBody<'a> {
        MotionBody { skeleton: &human.skeleton, rig: Some(&human.rig), clips, contacts: None }
    }

    #[test]
    fn a_key_turns_a_joint_at_its_moment_and_nothing_far_from_it() {
        let human = humanoid();
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let head = human.rig.head.unwrap();
        let joints = [(human.skeleton.joint(head).name.clone(), [0.0, 20.0, 0.0])].into();
        let key = MotionEdit::Key { time: 0.5, fade: 0.2, joints };
        let done = key.apply(&body(&human, &[]), &walk).unwrap();
        let off = |time: f32| {
            let frame = (time * walk.fps()).round() as usize;
            let own = walk.frame(frame)[head].rotation;
            own.angle_between(done.frame(frame)[head].rotation).to_degrees()
        };
        assert!((off(0.5) - 20.0).abs() < 1.0 && off(0.1) < 0.1, "{} {}", off(0.5), off(0.1));
        let text = toml::to_string(&MotionPlan { edits: vec![key.clone()], ..Default::default() });
        assert_eq!(toml::from_str::<MotionPlan>(&text.unwrap()).unwrap().edits, [key]);
    }

    #[test]
    fn a_hand_reaches_a_point_and_feet_that_are_pinned_stay() {
        let human = humanoid();
        let stand = Pose::rest(&human.skeleton).repeat(61);
        let stand = Clip::new("stand", &human.skeleton, 60.0, stand).unwrap();
        let hand = *human.rig.arms[0].chain.last().unwrap();
        let joint = human.skeleton.joint(hand).name.clone();
        for pinned in [false, true] {
            let point = [0.35, 1.1, 0.35];
            let wish = MotionEdit::Reach { joint: joint.clone(), time: 0.5, point, pinned };
            let done = wish.apply(&body(&human, &[]), &stand).unwrap();
            let mut models = human.skeleton.rest_models();
            let rest = models.clone();
            human.skeleton.local_to_model(done.frame(30), &mut models);
            assert!(models[hand].translation.distance(point.into()) < 0.02);
            for foot in human.rig.feet.iter().filter(|_| pinned) {
                let ankle = foot.ankle();
                assert!(models[ankle].translation.distance(rest[ankle].translation) < 0.01);
            }
        }
    }

    #[test]
    fn a_layer_moves_its_part_of_the_body_alone() {
        let human = humanoid();
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let run = synth::clip(&human, "run").unwrap().clip;
        let arm = human.rig.arms[0].chain[0];
        let (clips, part) = ([run], human.skeleton.joint(arm).name.clone());
        let layer = MotionEdit::Layer { clip: "run".into(), part, weight: 1.0 };
        let done = layer.apply(&body(&human, &clips), &walk).unwrap();
        let knee = human.rig.feet[0].leg[1];
        let frame = walk.frame_count() / 3;
        let off = |joint: usize| {
            walk.frame(frame)[joint].rotation.angle_between(done.frame(frame)[joint].rotation)
        };
        assert!(off(knee) < 1e-3 && off(arm) > 0.05, "{} {}", off(knee), off(arm));
    }

    #[test]
    fn a_walk_goes_up_a_slope() {
        let human = humanoid();
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let up = MotionEdit::Ground("slope:8".into()).apply(&body(&human, &[]), &walk).unwrap();
        let mut models = human.skeleton.rest_models();
        let mut height = |frame: usize| {
            human.skeleton.local_to_model(up.frame(frame), &mut models);
            models[human.rig.hips].translation
        };
        let (first, last) = (height(0), height(up.frame_count() - 1));
        let far = (last - first).with_y(0.0).length();
        let steep = (last.y - first.y).abs() / far;
        assert!(far > 7.0 && (steep - 8f32.to_radians().tan()).abs() < 0.02, "{far} {steep}");
    }

    #[test]
    fn a_clip_is_made_of_postures_and_broken_frames_are_mended() {
        let human = humanoid();
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let body = body(&human, &[]);
        let made = MotionEdit::Postures { of: vec![0.0, 0.3, 0.6], apart: 0.5 };
        let made = made.apply(&body, &walk).unwrap();
        assert!((made.duration() - 1.0).abs() < 0.03);
        let knee = human.rig.feet[0].leg[1];
        let half = made.frame((0.5 * made.fps()).round() as usize)[knee].rotation;
        let own = edit::posture_at(&walk, 0.3)[knee].rotation;
        assert!(half.angle_between(own) < 0.05);
        let mut broken = walk.transforms().to_vec();
        let joints = human.skeleton.len();
        broken[10 * joints + knee].rotation = Quat::from_rotation_x(2.5);
        let broken = Clip::new("walk", &human.skeleton, walk.fps(), broken).unwrap();
        let mended = MotionEdit::Mend([10, 11]).apply(&body, &broken).unwrap();
        let off = mended.frame(10)[knee].rotation.angle_between(walk.frame(10)[knee].rotation);
        assert!(off < 0.1, "{off}");
    }

    #[test]
    fn edits_do_what_they_say_and_are_kept_in_a_file() {
        let human = humanoid();
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let skeleton = &human.skeleton;
        let body = body(&human, &[]);
        let half = MotionEdit::Trim([0.1, 0.5]).apply(&body, &walk).unwrap();
        assert!((half.duration() - 0.4).abs() < 0.03);
        let fast = MotionEdit::Speed(2.0).apply(&body, &walk).unwrap();
        assert!((fast.duration() - 0.5 * walk.duration()).abs() < 0.03);
        let head = human.rig.head.unwrap();
        let name = skeleton.joint(head).name.clone();
        let turn = MotionEdit::Turn { joint: name, degrees: [10.0, 0.0, 0.0] };
        let nod = turn.apply(&body, &walk).unwrap();
        let angle = walk.frame(5)[head].rotation.angle_between(nod.frame(5)[head].rotation);
        assert!((angle.to_degrees() - 10.0).abs() < 0.5, "{}", angle.to_degrees());
        let plan = MotionPlan { edits: vec![MotionEdit::Mirror, turn], ..MotionPlan::default() };
        let text = toml::to_string(&plan).unwrap();
        assert_eq!(toml::from_str::<MotionPlan>(&text).unwrap(), plan);
    }

    #[test]
    fn a_joint_is_not_turned_beyond_what_it_can() {
        let human = humanoid();
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let knee = human.rig.feet[0].leg[1];
        let joint = human.skeleton.joint(knee).name.clone();
        let turn = MotionEdit::Turn { joint, degrees: [-170.0, 0.0, 0.0] };
        let bent = turn.apply(&body(&human, &[]), &walk).unwrap();
        let own = human.skeleton.joint(knee);
        for frame in bent.frames() {
            assert!(own.limit.strain(own.rest.rotation, frame[knee].rotation) < 1.01);
        }
    }
}
