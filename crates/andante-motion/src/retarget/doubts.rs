//! Why a result may not look like its source.

use super::RetargetPlacing;
use super::actor::RestMeasures;
use super::joint_map::JointMap;
use crate::rig::body_frame;
use crate::signal::{median, percentile};
use andante_play::feet::LimbJoints;
use andante_skeleton::{Side, Transform, told_apart};
use glam::Vec3;
use std::fmt;

/// A reason to look at a result, or at how joints were understood, before it is used.
#[derive(Clone, Debug, PartialEq)]
pub enum RetargetDoubt {
    /// The rest pose does not stand, and the body is never upright in the motion: nothing tells how its joints are turned when it stands.
    RestPose,
    /// The rest pose is not one of somebody who stands, so that how the body stands is seen in the motion: its trunk is taken to be straight on average.
    SeenRest,
    /// Toes point behind the body, or knees bend forwards: left and right are called the other way round, or the limbs
    /// are not what they were taken for.
    Facing {
        /// What points the wrong way.
        what: &'static str,
    },
    /// Limbs of the target have no counterpart.
    Unmatched {
        /// Arms or legs.
        what: &'static str,
        /// How many the source has, and the target.
        counts: [usize; 2],
    },
    /// The bones of a limb are in another proportion: joints may be taken for others.
    Proportions {
        /// Which limb.
        limb: String,
        /// Upper bone through lower bone, of the source and of the target.
        ratios: [f32; 2],
    },
    /// A limb points elsewhere than the source's.
    Direction {
        /// Which limb.
        limb: String,
        /// By how much, in degrees, in the middle of all frames.
        degrees: f32,
    },
    /// Something else than a foot is in the ground, where the source's is not: hands that are crawled on, knees, a head.
    BelowGround {
        /// The joint.
        joint: String,
        /// How deep it is, in metres.
        depth: f32,
    },
    /// No foot is ever near the ground.
    OffGround {
        /// How far it is above it at least, in metres.
        height: f32,
    },
}

impl fmt::Display for RetargetDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RestPose => f.write_str(
                "the rest pose of the motion's skeleton does not stand, and it never stands in the motion: its trunk, head and hands may be turned wrongly",
            ),
            Self::SeenRest => f.write_str(
                "the rest pose of the motion's skeleton is not one of somebody who stands: its trunk is taken to be straight on average, which may be a few degrees off",
            ),
            Self::Facing { what } => write!(
                f,
                "{what} the wrong way: left and right may be mixed up, or limbs taken for others"
            ),
            Self::Unmatched { what, counts: [from, to] } => write!(
                f,
                "the motion has {from} {what} and the character {to}; {what} that match nothing stay at rest"
            ),
            Self::Proportions { limb, ratios: [from, to] } => write!(
                f,
                "{limb}: its upper bone is {} times as long as its lower one, {} times on the character; joints may be taken for others",
                told_apart(*from, *to, 2),
                told_apart(*to, *from, 2)
            ),
            Self::Direction { limb, degrees } => {
                write!(f, "{limb} points elsewhere than in the motion, by {degrees:.0}°")
            }
            Self::BelowGround { joint, depth } => write!(
                f,
                "`{joint}` is {depth:.2} m in the ground: only feet are put on it"
            ),
            Self::OffGround { height } => {
                write!(f, "the feet never come nearer to the ground than {height:.2} m")
            }
        }
    }
}

andante_skeleton::settings! {
    /// Thresholds of doubt about a retargeted motion. Strict ones doubt motions that look well, loose ones none.
    pub struct DoubtSettings: Copy {
        /// Cosine of the angle between toes and the way ahead below which they point backwards.
        backwards: f32 = -0.3, -1.0..=0.0;
        /// Factor by which the proportions of limbs may differ that are taken for alike.
        proportion: f32 = 2.0, 1.0..=10.0;
        /// Degrees by which limbs may be turned by planting.
        turned: f32 = 15.0, 0.0..=180.0;
        /// Distance of feet and other joints above or below the ground that is nothing, as a part of the leg.
        off_ground: f32 = 0.05, 0.0..=1.0;
    }
}

/// What the frames of the source say about how it was understood.
pub(super) fn of_source(
    from: &RestMeasures,
    frames: &[Vec<Transform>],
    settings: &DoubtSettings,
) -> Vec<RetargetDoubt> {
    let rig = from.actor.rig;
    if rig.feet.len() != 2 {
        return Vec::new();
    }
    let (mut toes, mut knees) = (Vec::new(), Vec::new());
    for models in frames {
        let Some((facing, up)) = body_frame(rig, models) else { continue };
        if up < 0.7 {
            continue;
        }
        let ahead = facing * Vec3::Z;
        let at = |joint: usize| models[joint].translation;
        for (foot, limb) in rig.feet.iter().zip(&from.legs) {
            let (heel, ball) = from.sole(foot, models);
            toes.extend((ball - heel).try_normalize().map(|along| along.dot(ahead)));
            let Some([hip, knee, ankle]) = limb.map(|limb| limb.joints.map(at)) else { continue };
            let out = (knee - hip).reject_from((ankle - hip).normalize_or(Vec3::Y));
            // Only bent knees show which way they bend.
            if out.length() > 0.15 * (ankle - hip).length() {
                knees.extend(out.try_normalize().map(|out| out.dot(ahead)));
            }
        }
    }
    let mut doubts = Vec::new();
    if !toes.is_empty() && median(toes) < settings.backwards {
        doubts.push(RetargetDoubt::Facing { what: "toes point" });
    }
    if knees.len() > frames.len() / 10 && median(knees) < settings.backwards {
        doubts.push(RetargetDoubt::Facing { what: "knees bend" });
    }
    doubts
}

/// What can be told without any motion.
pub(super) fn of_limbs(
    from: &RestMeasures,
    to: &RestMeasures,
    map: &JointMap,
    settings: &DoubtSettings,
) -> Vec<RetargetDoubt> {
    let (source, target) = (from.actor.rig, to.actor.rig);
    let mut doubts = Vec::new();
    for (what, matched, counts) in [
        ("legs", &map.feet, [source.feet.len(), target.feet.len()]),
        ("arms", &map.arms, [source.arms.len(), target.arms.len()]),
    ] {
        if matched.iter().any(Option::is_none) {
            doubts.push(RetargetDoubt::Unmatched { what, counts });
        }
    }
    let bones = |body: &RestMeasures, limb: &LimbJoints| {
        let at = limb.joints.map(|joint| body.rest[joint].translation);
        at[0].distance(at[1]) / at[1].distance(at[2]).max(f32::MIN_POSITIVE)
    };
    for (limb, theirs, ours) in limbs(from, to, map) {
        let ratios = [bones(from, &theirs), bones(to, &ours)];
        let apart = ratios[0] / ratios[1].max(f32::MIN_POSITIVE);
        if !(1.0 / settings.proportion..=settings.proportion).contains(&apart) {
            doubts.push(RetargetDoubt::Proportions { limb, ratios });
        }
    }
    doubts
}

/// What the frames of the result show.
pub(super) fn of_result(
    from: &RestMeasures,
    to: &RestMeasures,
    map: &JointMap,
    (frames, made): (&[Vec<Transform>], &[Vec<Transform>]),
    placing: &RetargetPlacing,
    settings: &DoubtSettings,
) -> Vec<RetargetDoubt> {
    let mut doubts = Vec::new();
    for (limb, theirs, ours) in limbs(from, to, map) {
        let along = |models: &[Transform], limb: &LimbJoints| {
            models[limb.joints[2]].translation - models[limb.joints[0]].translation
        };
        let apart = frames.iter().zip(made).filter_map(|(source, made)| {
            let (a, b) = (along(source, &theirs), along(made, &ours));
            (a.length() > 1e-6 && b.length() > 1e-6).then(|| a.angle_between(b).to_degrees())
        });
        let degrees = median(apart);
        if degrees > settings.turned {
            doubts.push(RetargetDoubt::Direction { limb, degrees });
        }
    }
    let feet = &to.actor.rig.feet;
    let lowest = made.iter().map(|models| {
        let points = feet.iter().flat_map(|foot| [foot.heel, foot.ball, foot.tip]);
        points.map(|point| point.position(models).y).fold(f32::INFINITY, f32::min)
    });
    let height = percentile(lowest, 0.02);
    let leg = to.measured_size().unwrap_or(1.0);
    if height.is_finite() && height > settings.off_ground * leg {
        doubts.push(RetargetDoubt::OffGround { height });
    }
    let theirs = lowest_of_all(from, frames).map_or(0.0, |(_, low)| low - placing.source_ground);
    if let Some((joint, low)) = lowest_of_all(to, made) {
        let depth = placing.ground - low;
        let excused = settings.off_ground * leg;
        if depth > excused && depth + theirs * placing.scale > excused {
            let joint = to.actor.skeleton.joint(joint).name.clone();
            doubts.push(RetargetDoubt::BelowGround { joint, depth });
        }
    }
    doubts
}

/// The joint, feet apart, that gets lowest in a hundredth of all frames, and how low.
fn lowest_of_all(body: &RestMeasures, frames: &[Vec<Transform>]) -> Option<(usize, f32)> {
    let (skeleton, rig) = (body.actor.skeleton, body.actor.rig);
    let foot = |joint: &usize| rig.feet.iter().any(|f| skeleton.subtree(f.ankle()).contains(joint));
    let joints = skeleton.subtree(rig.hips).filter(|joint| !foot(joint));
    let low = |joint: usize| percentile(frames.iter().map(|m| m[joint].translation.y), 0.01);
    joints.map(|joint| (joint, low(joint))).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Limbs of two bones that follow one another: what they are called, the source's and the target's.
fn limbs(
    from: &RestMeasures,
    to: &RestMeasures,
    map: &JointMap,
) -> Vec<(String, LimbJoints, LimbJoints)> {
    let rig = to.actor.rig;
    let feet = map.feet.iter().enumerate().filter_map(|(foot, other)| {
        let name = format!("the leg of the {}", rig.feet[foot].name);
        Some((name, from.legs[(*other)?]?, to.legs[foot]?))
    });
    let arms = map.arms.iter().enumerate().filter_map(|(arm, other)| {
        let side = if rig.arms[arm].side == Side::Left { "left" } else { "right" };
        Some((format!("the {side} arm"), from.arms[(*other)?]?, to.arms[arm]?))
    });
    feet.chain(arms).collect()
}
