//! A motion for another body.
//!
//! Joints are matched by their roles, and by name where roles do not tell. Each matched bone takes
//! the direction its counterpart has in the world, whatever the two rest poses look like; the path
//! of the hips is scaled by the length of the legs; and the feet are planted at the end, because
//! no copy of angles keeps them on the ground (after M. Gleicher, "Retargetting Motion to New
//! Characters", SIGGRAPH 1998, with a solver per frame instead of one for the whole clip).

mod actor;
mod arm_room;
mod doubts;
mod joint_map;
mod reference;
mod same;
mod trunk;

pub use actor::RetargetRig;
pub use arm_room::{ArmRoom, ArmRoomSettings};
pub use doubts::{DoubtSettings, RetargetDoubt};

use crate::analysis::{TouchContacts, TouchPart, touch_contacts};
use crate::edit::{
    EditError, GroundLevel, PartOptions, PlantOptions, PlantReport, check, check_rig, plant_feet,
    plant_parts, seam_deg,
};
use crate::planted::plant_repeating;
use crate::rig::{self, StandingRest};
use actor::RestMeasures;
use andante_play::measure::pose_change_deg_mean;
use andante_play::{Contacts, FootContacts};
use andante_skeleton::{Clip, ClipError, Planar, Rig, Transform, rotation};
use glam::{Quat, Vec3};
use joint_map::{JointMap, JointSource};
use std::slice::from_ref;
use thiserror::Error;

andante_skeleton::settings! {
    /// Options of [`retarget`].
    pub struct RetargetOptions: Copy {
        /// Metres of the target per metre of the source, for the path of the hips in all directions.
        /// `None`: the ratio of the lengths of their legs, which keeps the stride natural.
        scale: Option<f32> = None;
        /// Height of the ground under the source. `None`: where its feet are when they are down.
        source_ground: Option<f32> = None;
        /// How the feet are planted, and the ground they are put on. `None`: feet stay as they come, over
        /// ground at height 0.
        plant: Option<PlantOptions> = Some(PlantOptions::default());
        /// Whether the clip repeats: feet are planted so that its end leads to its beginning on the target as well, where its last
        /// pose is its first.
        cyclic: bool = false;
        /// How hands, knees and other parts of the body are put on the ground where those of the source are. `None`: they stay as
        /// they come. Only on level ground that feet are planted on.
        parts: Option<PartOptions> = Some(PartOptions::default());
        /// When the rest pose of the source is believed, and which frames tell a better one.
        upright: rig::UprightOptions = rig::UprightOptions::default();
        /// When a result is doubted.
        doubts: DoubtSettings = DoubtSettings::default() => check;
    }
}

/// A motion on another body.
#[derive(Clone, Debug, PartialEq)]
pub struct RetargetResult {
    /// The motion.
    pub clip: Clip,
    /// When the feet of the target are down: as those of the source.
    pub contacts: Contacts,
    /// How it came about.
    pub report: RetargetReport,
}

/// The report of a motion's retargeting.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RetargetReport {
    /// The scale of the path.
    pub scale: f32,
    /// Names of joints of the target and of the source they follow. Joints of the trunk follow two
    /// neighbours; the nearer one is named.
    pub matched: Vec<(String, String)>,
    /// Joints of the target that nothing moves: they keep their rest pose relative to their parents.
    pub resting: Vec<String>,
    /// Why the result may not look like the source.
    pub doubts: Vec<RetargetDoubt>,
    /// What planting the feet changed.
    pub plant: PlantReport,
    /// Other parts of the body that are on the ground: their names, how far they are off it on average while those of the source
    /// are down, and at most, in metres.
    pub parts: Vec<(String, f32, f32)>,
    /// Mean angle by which joints differ from the source's after planting, in degrees: before it, matched
    /// joints turn as their counterparts do.
    pub pose_change_deg_mean: f32,
}

/// An error that keeps a motion from being brought onto another body.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RetargetError {
    /// The clip, the contacts or the rig do not fit the source's skeleton.
    #[error("the source: {0}")]
    Source(EditError),
    /// The rig does not fit the target's skeleton, or its feet cannot be planted.
    #[error("the target: {0}")]
    Target(EditError),
    /// One of the two has no size to compare.
    #[error("{what} is {value}: it must be a positive number")]
    Proportions {
        /// What was measured or given.
        what: &'static str,
        /// Its value.
        value: f32,
    },
}

impl From<ClipError> for RetargetError {
    fn from(error: ClipError) -> Self {
        Self::Target(EditError::Clip(error))
    }
}

/// Brings a clip onto another body.
///
/// Bodies may differ in proportions, in the number of joints and in their rest poses. Joints of the
/// target without a counterpart keep their rest pose. A body that differs from the source in
/// proportions alone gets the very same rotations.
///
/// ```
/// use andante_motion::retarget::{RetargetOptions, RetargetRig, retarget};
/// use andante_play::{Contacts, FootContacts};
/// use andante_skeleton::{Clip, Pose, humanoid, humanoid_of_height};
///
/// let (adult, child) = (humanoid(), humanoid_of_height(1.2));
/// let pose = Pose::rest(&adult.skeleton);
/// let clip = Clip::new("stand", &adult.skeleton, 30.0, pose.repeat(2))?;
/// let contacts = Contacts { feet: vec![FootContacts::default(); 2] };
/// let result =
///     retarget(RetargetRig::from(&adult), &clip, &contacts, RetargetRig::from(&child), &RetargetOptions::default())?;
/// assert!((result.report.scale - 1.2 / 1.75).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn retarget(
    source: RetargetRig,
    clip: &Clip,
    contacts: &Contacts,
    target: RetargetRig,
    options: &RetargetOptions,
) -> Result<RetargetResult, RetargetError> {
    check(source.skeleton, clip).map_err(RetargetError::Source)?;
    check_rig(source.skeleton, source.rig).map_err(RetargetError::Source)?;
    check_rig(target.skeleton, target.rig).map_err(RetargetError::Target)?;
    let (found, expected) = (contacts.feet.len(), source.rig.feet.len());
    if found != expected {
        return Err(RetargetError::Source(EditError::Feet { found, expected }));
    }

    let same = same::same_build(source.skeleton, target.skeleton);
    // The rest pose of a file may be no pose at all; how the body is held is seen in the motion.
    let rest_pose = rig::rest_pose(source.skeleton, source.rig, from_ref(clip), &options.upright);
    let standing = match &rest_pose {
        StandingRest::Seen(standing) if !same => standing,
        _ => source.skeleton,
    };
    let from = RestMeasures::new(RetargetRig { skeleton: standing, ..source }, Some(clip));
    let to = RestMeasures::new(target, None);
    let map = JointMap::new(&from, &to);
    let scale = match options.scale {
        Some(scale) => positive("the scale", scale)?,
        None => to.measured_size()? / from.measured_size()?,
    };
    let ground = match options.plant.map(|plant| plant.ground) {
        Some(GroundLevel::Flat(height)) => height,
        _ => 0.0,
    };
    let frames = from.model_frames(clip);
    let source_ground =
        options.source_ground.unwrap_or_else(|| from.ground(clip, &frames, contacts));
    positive("the height of the source's ground", 1.0 + source_ground.abs())?;

    let placing = RetargetPlacing { scale, source_ground, ground };
    let references = || reference::matched_pose(&from, &to, &map, clip, &frames, contacts);
    let transforms = match same {
        true => same::copied(&from, &to, clip, &frames, &placing),
        false => driven(&from, &to, &map, &frames, &references(), &placing),
    };
    let mut moved = Clip::new(clip.name(), target.skeleton, clip.fps(), transforms)?;

    let contacts = Contacts {
        feet: map
            .feet
            .iter()
            .map(|foot| foot.map_or_else(FootContacts::default, |foot| contacts.feet[foot].clone()))
            .collect(),
    };
    let mut report = RetargetReport { scale, ..map.report(&from, &to) };
    let doubt = match rest_pose {
        StandingRest::Unknown => Some(RetargetDoubt::RestPose),
        StandingRest::Seen(_) => Some(RetargetDoubt::SeenRest),
        StandingRest::Stands => None,
    };
    report.doubts.extend(doubt.filter(|_| !same));
    report.doubts.extend(doubts::of_source(&from, &frames, &options.doubts));
    report.doubts.extend(doubts::of_limbs(&from, &to, &map, &options.doubts));
    if let Some(plant) = &options.plant {
        if let GroundLevel::Flat(height) = plant.ground {
            moved = on_the_ground(&to, &moved, &contacts, height)?;
        }
        let (planted, planting) = planted(target, &moved, &contacts, plant, options.cyclic)?;
        report.pose_change_deg_mean = pose_change_deg_mean(&planted, &moved);
        (moved, report.plant) = (planted, planting);
        if let GroundLevel::Flat(height) = plant.ground {
            let heights = [source_ground, height];
            (moved, report.parts) =
                laid(source, clip, &map, target, (moved, &contacts), heights, options)?;
        }
    }
    let seen = (&frames[..], &to.model_frames(&moved)[..]);
    report.doubts.extend(doubts::of_result(&from, &to, &map, seen, &placing, &options.doubts));
    Ok(RetargetResult { clip: moved, contacts, report })
}

/// A clip whose joints end no farther from where they began than this, in degrees, has its first pose as its last.
const CLOSED_DEG: f32 = 1.0;

/// The motion with its feet planted, round after round where it is one that repeats.
fn planted(
    target: RetargetRig,
    moved: &Clip,
    contacts: &Contacts,
    plant: &PlantOptions,
    cyclic: bool,
) -> Result<(Clip, PlantReport), RetargetError> {
    let planted = match cyclic && seam_deg(moved) < CLOSED_DEG {
        true => plant_repeating(target.skeleton, target.rig, (moved, 1), contacts, plant),
        false => plant_feet(target.skeleton, target.rig, moved, contacts, plant),
    };
    planted.map_err(RetargetError::Target)
}

/// Parts of a body, and how far each is off the ground: on average, and at most.
type PartsOff = Vec<(String, f32, f32)>;

/// The motion with parts of the body on the ground where those of the source are on theirs, and how far they are off it.
fn laid(
    source: RetargetRig,
    clip: &Clip,
    map: &JointMap,
    target: RetargetRig,
    (moved, contacts): (Clip, &Contacts),
    [source_ground, ground]: [f32; 2],
    options: &RetargetOptions,
) -> Result<(Clip, PartsOff), RetargetError> {
    let Some(parts) = options.parts else { return Ok((moved, Vec::new())) };
    let touching = touching(source, clip, source_ground, map, target.rig, &parts);
    let parts = PartOptions { ground, ..parts };
    let laid = plant_parts(target.skeleton, target.rig, &moved, contacts, &touching, &parts);
    let (laid, report) = laid.map_err(RetargetError::Target)?;
    Ok((laid, report.parts))
}

/// The parts of the target that are on the ground: those whose counterparts of the source are.
fn touching(
    source: RetargetRig,
    clip: &Clip,
    ground: f32,
    map: &JointMap,
    target: &Rig,
    options: &PartOptions,
) -> Vec<TouchContacts> {
    let found = touch_contacts(source.skeleton, source.rig, clip, ground, &options.touch);
    let arm = |own: usize| {
        let side = source.rig.arms[own].side;
        target.arms.iter().position(|arm| arm.side == side)
    };
    let part = |part: TouchPart| match part {
        TouchPart::Hand(own) => arm(own).map(TouchPart::Hand),
        TouchPart::Elbow(own) => arm(own).map(TouchPart::Elbow),
        TouchPart::Knee(own) => {
            map.feet.iter().position(|foot| *foot == Some(own)).map(TouchPart::Knee)
        }
        part => Some(part),
    };
    let known = TouchPart::all(target);
    let mapped = found.into_iter().filter_map(|touch| {
        let part = part(touch.part).filter(|part| known.contains(part))?;
        Some(TouchContacts { part, ..touch })
    });
    mapped.collect()
}

/// How positions of the source become positions of the target.
struct RetargetPlacing {
    scale: f32,
    source_ground: f32,
    ground: f32,
}

impl RetargetPlacing {
    /// Scaled about the origin of the ground.
    fn place(&self, position: Vec3) -> Vec3 {
        let above = position - Vec3::Y * self.source_ground;
        above * self.scale + Vec3::Y * self.ground
    }
}

/// The frames of the target: every matched joint turns in the world as its counterpart does.
fn driven(
    from: &RestMeasures,
    to: &RestMeasures,
    map: &JointMap,
    frames: &[Vec<Transform>],
    references: &[Quat],
    placing: &RetargetPlacing,
) -> Vec<Transform> {
    let skeleton = to.actor.skeleton;
    let hips = to.actor.rig.hips;
    let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let source_hips = from.actor.rig.hips;
    let mut transforms = Vec::with_capacity(frames.len() * rest.len());
    for models in frames {
        // How far a joint of the source has turned from its rest pose, in the world.
        let turned = |joint: usize| models[joint].rotation * from.rest[joint].rotation.conjugate();
        let mut world = vec![Quat::IDENTITY; rest.len()];
        let mut pose = rest.clone();
        for joint in 0..rest.len() {
            let above = skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| world[parent]);
            world[joint] = match map.drives[joint] {
                JointSource::Rest => above * rest[joint].rotation,
                JointSource::One(source) => turned(source) * references[joint],
                JointSource::Between(a, b, t) => {
                    rotation::nlerp(turned(a), turned(b), t) * references[joint]
                }
            };
            pose[joint].rotation = (above.conjugate() * world[joint]).normalize();
        }
        // The middle of the hip joints goes where that of the source is; the rest hangs on it.
        let middle = placing.place(from.hip_centre(models));
        let hips_position = middle - world[hips] * to.hip_centre_in_hips();
        if hips == 0 {
            pose[0].translation = hips_position;
        } else {
            // A root on the ground travels below the hips, so that root motion is found in it.
            let heading = rotation::heading(turned(source_hips));
            let under = Planar::new(glam::Vec2::new(hips_position.x, hips_position.z), heading);
            pose[0] = Transform::new(Quat::IDENTITY, Vec3::Y * rest[0].translation.y);
            pose[0] = under.to_transform() * pose[0];
            pose[0].rotation *= rest[0].rotation;
            let mut placed = pose.clone();
            skeleton.local_to_model(&pose, &mut placed);
            if let Some(parent) = skeleton.parent(hips) {
                let above = placed[parent].inverse();
                pose[hips] = above * Transform::new(world[hips], hips_position);
            }
        }
        transforms.extend_from_slice(&pose);
    }
    transforms
}

/// Moves a clip up or down as a whole, so that soles that are down are on the ground on average.
fn on_the_ground(
    body: &RestMeasures,
    clip: &Clip,
    contacts: &Contacts,
    height: f32,
) -> Result<Clip, RetargetError> {
    let frames = body.model_frames(clip);
    let Some(level) = body.level(clip, &frames, contacts) else { return Ok(clip.clone()) };
    let mut transforms = clip.transforms().to_vec();
    let hips = body.actor.rig.hips;
    for (pose, models) in transforms.chunks_exact_mut(clip.joint_count()).zip(&frames) {
        let above = body.actor.skeleton.parent(hips).map(|parent| models[parent].rotation);
        let up = above.map_or(Vec3::Y, |above| above.conjugate() * Vec3::Y);
        pose[hips].translation += up * (height - level);
    }
    Ok(Clip::new(clip.name(), body.actor.skeleton, clip.fps(), transforms)?)
}

fn positive(what: &'static str, value: f32) -> Result<f32, RetargetError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(RetargetError::Proportions { what, value })
    }
}
