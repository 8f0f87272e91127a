//! Which motion is worked on, and what is done to it.

use andante_motion::edit::{self, CycleOptions, EditError};
use andante_play::Interval;
use andante_skeleton::{Clip, Skeleton};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A motion and its edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionPlan {
    /// The file it comes from; the built-in ones if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// The name of the clip.
    pub clip: String,
    /// What is done to it, one after the other.
    #[serde(default)]
    pub edits: Vec<MotionEdit>,
    /// Speed ahead in m/s and turn to the left in degrees a second, of the gait that is mixed.
    pub mix: [f32; 2],
}

/// Something that is done to a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum MotionEdit {
    /// Only what is between two times, in seconds.
    Trim([f32; 2]),
    /// All but what is between two times, in seconds.
    Cut([f32; 2]),
    /// So many times as fast.
    Speed(f32),
    /// Left is right.
    Mirror,
    /// The end is the beginning.
    Reverse,
    /// It goes round.
    Loop,
    /// A joint is turned all the time, in degrees about its own axes.
    Turn {
        /// Its name.
        joint: String,
        /// A rotation vector.
        degrees: [f32; 3],
    },
}

impl Default for MotionPlan {
    fn default() -> Self {
        Self { file: None, clip: "walk".into(), edits: Vec::new(), mix: [1.3, 0.0] }
    }
}

impl MotionEdit {
    /// What it is called on a command line; none if that cannot do it.
    pub fn word(&self) -> Option<String> {
        Some(match self {
            Self::Trim([from, to]) => format!("trim={from:.2}:{to:.2}"),
            Self::Cut([from, to]) => format!("cut={from:.2}:{to:.2}"),
            Self::Speed(factor) => format!("speed={factor}"),
            Self::Mirror => "mirror".into(),
            Self::Reverse => "reverse".into(),
            Self::Loop => "loop".into(),
            Self::Turn { .. } => return None,
        })
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Self::Turn { joint, degrees: [x, y, z] } => {
                format!("turn {joint} by {x:.0}°, {y:.0}°, {z:.0}°")
            }
            other => other.word().unwrap_or_default(),
        }
    }

    /// Does it.
    pub fn apply(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Clip, EditError> {
        match self {
            Self::Trim([from, to]) => edit::trim(skeleton, clip, Interval::new(*from, *to)),
            Self::Cut([from, to]) => {
                edit::cut(skeleton, clip, Interval::new(*from, *to), &edit::JoinOptions::default())
            }
            Self::Speed(factor) => edit::change_speed(skeleton, clip, *factor),
            Self::Mirror => edit::mirrored(skeleton, clip),
            Self::Reverse => edit::reversed(skeleton, clip),
            Self::Loop => edit::make_cyclic(skeleton, clip, &CycleOptions::default()),
            Self::Turn { joint, degrees } => turned(skeleton, clip, joint, *degrees),
        }
    }
}

/// A clip with a joint turned in every frame, within what the joint can do.
fn turned(
    skeleton: &Skeleton,
    clip: &Clip,
    joint: &str,
    degrees: [f32; 3],
) -> Result<Clip, EditError> {
    let Some(index) = skeleton.find(joint) else { return Ok(clip.clone()) };
    let by = Quat::from_scaled_axis(Vec3::from(degrees.map(f32::to_radians)));
    let own = skeleton.joint(index);
    let mut transforms = clip.transforms().to_vec();
    for frame in transforms.chunks_exact_mut(skeleton.len()) {
        let local = frame[index].rotation * by;
        frame[index].rotation = own.limit.clamp(own.rest.rotation, local).normalize();
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_motion::synth;
    use andante_skeleton::humanoid;

    #[test]
    fn edits_do_what_they_say_and_are_kept_in_a_file() {
        let human = humanoid();
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let skeleton = &human.skeleton;
        let half = MotionEdit::Trim([0.1, 0.5]).apply(skeleton, &walk).unwrap();
        assert!((half.duration() - 0.4).abs() < 0.03);
        let fast = MotionEdit::Speed(2.0).apply(skeleton, &walk).unwrap();
        assert!((fast.duration() - 0.5 * walk.duration()).abs() < 0.03);
        let head = human.rig.head.unwrap();
        let name = skeleton.joint(head).name.clone();
        let turn = MotionEdit::Turn { joint: name, degrees: [10.0, 0.0, 0.0] };
        let nod = turn.apply(skeleton, &walk).unwrap();
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
        let bent = turn.apply(&human.skeleton, &walk).unwrap();
        let own = human.skeleton.joint(knee);
        for frame in bent.frames() {
            assert!(own.limit.strain(own.rest.rotation, frame[knee].rotation) < 1.01);
        }
    }
}
