//! Feet that stay where they stand.
//!
//! Captured feet slide and float by centimetres, retargeted ones by more. Here the points of a foot
//! that are down are held where they were on average, the leg follows by inverse kinematics, the
//! hips come down where a leg would be too short, and the corrections fade in and out around
//! contact changes. After L. Kovar, J. Schreiner and M. Gleicher, "Footskate Cleanup for Motion
//! Capture Editing" (SCA 2002), with closed-form legs and without stretching bones.

mod anchors;
mod body;
mod clearance;
pub(super) mod signal;
mod target;

pub use body::{PartOptions, PartReport, plant_parts};

use super::error::{EditError, check};
use crate::analysis::ClipGround;
use anchors::PlantedFoot;
use andante_play::feet::{FeetSettings, LegChain};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Clip, Foot, Rig, Skeleton, Transform};
use glam::{Quat, Vec3};
use target::FootTarget;

/// The height of the ground under the feet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroundLevel {
    /// Level, at this height.
    Flat(f32),
    /// Wherever each contact was on average: slides are removed, heights stay. For stairs and hills.
    Captured,
}

impl GroundLevel {
    /// The ground that a recording was made on, as far as feet have touched it: level, or, on ramps, stairs and ledges,
    /// as it was.
    pub fn found(ground: &ClipGround, options: &PlantOptions) -> Self {
        match ground.slope.abs() > options.level_slope || ground.roughness > options.level_roughness
        {
            true => Self::Captured,
            false => Self::Flat(ground.height),
        }
    }
}

andante_skeleton::settings! {
    /// Options of [`plant_feet`].
    pub struct PlantOptions: Copy {
        /// The ground that feet which are down are put on.
        ground: GroundLevel = GroundLevel::Flat(0.0);
        /// Seconds over which corrections fade in and out around contact changes. Short fades jerk, long ones change
        /// the swing of the foot.
        fade: f32 = 0.1, 0.05..=0.2;
        /// Extension, as a fraction of the leg's length, that corrections may stretch a leg to. The hips are lowered
        /// where that does not suffice. Near 1 a straight knee snaps: a millimetre at the ankle is 5° at the knee. Legs
        /// that were straighter before may stay so.
        max_extension: f32 = FeetSettings::default().longest_reach, 0.98..=1.0;
        /// Extension up to which a leg that was straight may be corrected: by default a knee of 6°.
        straightest: f32 = 0.9985, 0.99..=1.0;
        /// Feet whose heel is this close to their ball, in metres, are hooves, paws or tips: one point that stays.
        pointed_below: f32 = 0.01, 0.0..;
        /// Feet that would pass through the ground pass over it instead, this many times higher than they were deep.
        bounce: f32 = 2.0, 1.0..=3.0;
        /// But no higher than this, in lengths of the foot: for a human a centimetre. Toes of walkers clear the ground
        /// by 10 to 20 mm (D. A. Winter, "Foot trajectory in human gait", Physical Therapy 72, 1992).
        clearance: f32 = 0.04, 0.0..;
        /// Way over which they rise and come down, in lengths of the foot. Short ways hop.
        rise: f32 = 0.4, 0.2..=0.8;
        /// How much of the way the ankle is left behind is made up for by rolling over the ball.
        roll: f32 = 0.8, 0.0..=1.0;
        /// Seconds for that to set in after the heel has left the ground.
        roll_seconds: f32 = 0.08, 0.04..=0.15;
        /// Rise per metre from which on a recording was not made on level ground ([`GroundLevel::found`]). 0 takes every
        /// recording as it was captured, much flattens ramps.
        level_slope: f32 = 0.06, 0.0..=1.0;
        /// Metres of the ground that no plane explains from which on it was not level.
        level_roughness: f32 = 0.05, 0.0..=1.0;
    }
}

/// The report of a planting: what was changed.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct PlantReport {
    /// Largest distance an ankle was moved, in metres.
    pub moved_max: f32,
    /// Largest turn of a foot in radians.
    pub turned_max: f32,
    /// How far the hips were lowered at most, in metres.
    pub lowered_max: f32,
    /// Largest distance by which a leg missed its foot, in metres.
    pub missed_max: f32,
}

/// Takes the slide out of feet: while a heel or a ball is down, it stays at one place on the
/// ground.
///
/// Only the hips' height, the legs, the feet and the toes change, and nothing changes where there
/// is nothing to correct. Feet without two bones above them stay as they are.
pub fn plant_feet(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    contacts: &Contacts,
    options: &PlantOptions,
) -> Result<(Clip, PlantReport), EditError> {
    check(skeleton, clip)?;
    check_rig(skeleton, rig)?;
    let (found, expected) = (contacts.feet.len(), rig.feet.len());
    if found != expected {
        return Err(EditError::Feet { found, expected });
    }
    let usable = |value: f32| value.is_finite() && value >= 0.0;
    if !(usable(options.fade) && usable(options.max_extension)) {
        return Err(EditError::NonFinite { what: "an option" });
    }

    let models = andante_skeleton::model_frames(skeleton, clip);
    let legs: Vec<PlantedLeg> = rig
        .feet
        .iter()
        .zip(&contacts.feet)
        .filter_map(|(foot, contacts)| {
            PlantedLeg::new(skeleton, foot, clip, &models, contacts, options)
        })
        .collect();

    let mut report = PlantReport::default();
    let frames = clip.frame_count();
    let lowering: Vec<f32> = (0..frames)
        .map(|frame| {
            let needed = |leg: &PlantedLeg| leg.lowering(&models[frame], frame, options);
            legs.iter().map(needed).fold(0.0, f32::max)
        })
        .collect();
    let window = (options.fade * clip.fps()).round().min(frames as f32) as usize;
    let lowering = signal::smooth_above(&lowering, window);

    let mut transforms = clip.transforms().to_vec();
    let mut placed = vec![Transform::IDENTITY; skeleton.len()];
    for (frame, pose) in transforms.chunks_exact_mut(skeleton.len()).enumerate() {
        let lowered = lowering[frame];
        if lowered > 0.0 {
            let above = skeleton.parent(rig.hips).map(|parent| models[frame][parent]);
            let down =
                above.map_or(Quat::IDENTITY, |above| above.rotation.conjugate()) * Vec3::NEG_Y;
            pose[rig.hips].translation += down * lowered;
            report.lowered_max = report.lowered_max.max(lowered);
        }
        skeleton.local_to_model(pose, &mut placed);
        for leg in &legs {
            leg.place(frame, lowered, pose, &mut placed, &mut report);
        }
    }
    let clip = Clip::new(clip.name(), skeleton, clip.fps(), transforms)?;
    Ok((clip, report))
}

/// Holds feet where they are while a stretch of time lasts, whatever they do there: each foot of the list stays at the middle of
/// the places that it has in the stretch, flat or tilted as it was, and goes its own way again outside, over `fade` seconds; bent toes
/// take twice as long.
///
/// Feet are named by their number in the rig. The height of the ground does not matter.
pub fn lock_feet(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    locks: &[(usize, Interval)],
    fade: f32,
) -> Result<(Clip, PlantReport), EditError> {
    check_rig(skeleton, rig)?;
    let mut contacts = Contacts { feet: vec![FootContacts::default(); rig.feet.len()] };
    for &(foot, held) in locks {
        let held = super::time::checked(clip, held)?;
        let Some(own) = contacts.feet.get_mut(foot) else {
            return Err(EditError::Feet { found: foot + 1, expected: rig.feet.len() });
        };
        own.heel.push(held);
        own.toe.push(held);
    }
    for foot in &mut contacts.feet {
        // Stretches that overlap are one.
        let merged = foot.stance();
        *foot = FootContacts { heel: merged.clone(), toe: merged };
    }
    let options = PlantOptions { ground: GroundLevel::Captured, fade, ..PlantOptions::default() };
    plant_feet(skeleton, rig, clip, &contacts, &options)
}

/// A foot's placement in every frame, and the leg that brings it there.
struct PlantedLeg<'a> {
    foot: &'a Foot,
    leg: LegChain,
    targets: Vec<FootTarget>,
}

/// Corrections below this (metres, radians) are none.
const NOTHING: f32 = 1e-6;

impl<'a> PlantedLeg<'a> {
    fn new(
        skeleton: &Skeleton,
        foot: &'a Foot,
        clip: &'a Clip,
        models: &'a [Vec<Transform>],
        contacts: &FootContacts,
        options: &PlantOptions,
    ) -> Option<Self> {
        let leg = LegChain::new(skeleton, foot, clip)?;
        let track = PlantedFoot { foot, clip, models };
        let targets = target::targets(&track, contacts, options);
        Some(Self { foot, leg, targets })
    }

    /// How far the hips must come down for the leg to reach.
    fn lowering(&self, models: &[Transform], frame: usize, options: &PlantOptions) -> f32 {
        let [hip, _, end] = self.leg.joints;
        let before = models[end].translation.distance(models[hip].translation);
        // A leg that is corrected does not stay quite straight: there the slightest correction turns the
        // knee by degrees.
        let target = &self.targets[frame];
        let corrected = target.moved > NOTHING || target.turned > NOTHING;
        let length = self.leg.length;
        let before = if corrected { before.min(options.straightest * length) } else { before };
        let longest = (length * options.max_extension.min(1.0)).max(before) + NOTHING;
        self.leg.lowering(target.ankle.translation, models, self.foot.ankle(), longest)
    }

    /// Solves the leg in one frame whose hips are in place.
    fn place(
        &self,
        frame: usize,
        lowered: f32,
        pose: &mut [Transform],
        models: &mut [Transform],
        report: &mut PlantReport,
    ) {
        let target = &self.targets[frame];
        let ankle = self.foot.ankle();
        if target.moved > NOTHING || target.turned > NOTHING || lowered > 0.0 {
            // Lowered hips have moved the foot as they move everything. How far a leg may stretch is decided before.
            let (missed, _) = self.leg.solve(&target.ankle, ankle, 1.0, pose, models);
            report.missed_max = report.missed_max.max(missed);
            report.moved_max = report.moved_max.max(target.moved);
            report.turned_max = report.turned_max.max(target.turned);
        }
        if let (Some(toes), Some(turned)) = (self.foot.toes, target.toes)
            && (target.toes_turned > NOTHING || target.turned > NOTHING)
        {
            pose[toes].rotation = (models[ankle].rotation.conjugate() * turned).normalize();
        }
    }
}

/// Checks that every joint the rig names exists and that legs are there.
pub(crate) fn check_rig(skeleton: &Skeleton, rig: &Rig) -> Result<(), EditError> {
    let exists = |joint: usize| joint < skeleton.len();
    let wrong = |what: String| Err(EditError::Rig { what });
    if !exists(rig.hips) {
        return wrong(format!("hips at joint {}", rig.hips));
    }
    for foot in &rig.feet {
        if foot.leg.is_empty() {
            return wrong(format!("{} has no leg", foot.name));
        }
        let points = [foot.heel, foot.ball, foot.tip];
        let joints = foot.leg.iter().copied().chain(foot.toes).chain(points.map(|p| p.joint));
        if let Some(joint) = joints.into_iter().find(|&joint| !exists(joint)) {
            return wrong(format!("{} uses joint {joint}", foot.name));
        }
        if points.iter().any(|point| !point.offset.is_finite()) {
            return wrong(format!("a point of {} is not finite", foot.name));
        }
    }
    let others =
        rig.spine.iter().chain(&rig.head).chain(rig.arms.iter().flat_map(|arm| &arm.chain));
    match others.copied().find(|&joint| !exists(joint)) {
        Some(joint) => wrong(format!("spine, head or an arm uses joint {joint}")),
        None => Ok(()),
    }
}
