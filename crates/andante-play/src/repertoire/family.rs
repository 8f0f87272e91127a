//! Gaits that can be mixed at any time.

use super::{ClipClass, RepertoireClip};
use crate::blend_space::{BlendSpace2, BlendSpaceError};
use andante_skeleton::{Skeleton, Transform, rotation};

/// The kind of a family: which gaits are mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyKind {
    /// Standing, walking ahead and back.
    Walk,
    /// Running.
    Run,
}

/// Clips whose feet do the same thing at the same phase, over speed and turn rate. Walking and
/// running have different contacts and are families of their own; between them is a cross-fade.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    kind: FamilyKind,
    members: Vec<usize>,
    space: BlendSpace2,
    /// Seconds that a member without steps adds to the period.
    resting_period: f32,
    start_phase: f32,
    holds: bool,
}

/// Least part of a cycle with no more than one foot down for weights to wait for it.
const MIN_SINGLE: f32 = 0.2;

impl Family {
    pub(super) fn new(
        skeleton: &Skeleton,
        clips: &[RepertoireClip],
        kind: FamilyKind,
    ) -> Result<Option<Self>, BlendSpaceError> {
        let belongs = |class: ClipClass| match kind {
            FamilyKind::Walk => {
                matches!(class, ClipClass::Stand | ClipClass::Walk | ClipClass::Back)
            }
            FamilyKind::Run => class == ClipClass::Run,
        };
        let members: Vec<usize> =
            (0..clips.len()).filter(|&clip| belongs(clips[clip].class())).collect();
        if members.is_empty() {
            return Ok(None);
        }
        let point = |&clip: &usize| match clips[clip].class() {
            ClipClass::Stand => glam::Vec2::ZERO,
            _ => clips[clip].point(),
        };
        let points: Vec<glam::Vec2> = members.iter().map(point).collect();
        let space = BlendSpace2::new(&points)?;
        let gaits =
            || members.iter().map(|&clip| &clips[clip]).filter(|c| c.class() != ClipClass::Stand);
        let slowest = gaits().min_by(|a, b| a.speed().total_cmp(&b.speed()));
        let stand =
            members.iter().map(|&clip| &clips[clip]).find(|c| c.class() == ClipClass::Stand);
        let single = |phase: f32| {
            gaits().all(|clip| {
                clip.feet().iter().filter(|foot| foot.down(phase).contains(&true)).count() <= 1
            })
        };
        let steps = super::PHASES;
        let phases = || (0..steps).map(|step| step as f32 / steps as f32);
        let alone = phases().filter(|&phase| single(phase)).count();
        let holds = alone as f32 > MIN_SINGLE * steps as f32;
        let start_phase = match (slowest, stand) {
            (Some(gait), Some(stand)) => {
                let near = |phase: f32| unlike(skeleton, gait, stand, phase);
                phases()
                    .filter(|&phase| !holds || single(phase))
                    .min_by(|&a, &b| near(a).total_cmp(&near(b)))
                    .unwrap_or(0.0)
            }
            _ => 0.0,
        };
        let resting_period = slowest.map_or(1.0, RepertoireClip::period);
        Ok(Some(Self { kind, members, space, resting_period, start_phase, holds }))
    }

    /// Walking or running.
    pub fn kind(&self) -> FamilyKind {
        self.kind
    }

    /// Its clips, as indices into the repertoire, in the order of [`Family::space`].
    pub fn members(&self) -> &[usize] {
        &self.members
    }

    /// Speed and turn rate of its clips.
    pub fn space(&self) -> &BlendSpace2 {
        &self.space
    }

    /// Smallest and largest speed ahead of its clips.
    pub fn speed_range(&self) -> [f32; 2] {
        let speeds = (0..self.members.len()).map(|clip| self.space.point(clip).x);
        speeds.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)])
    }

    /// Seconds a standing member adds to the period of a mix: that of the slowest gait, so that half
    /// a step is made in the time of a whole one.
    pub fn resting_period(&self) -> f32 {
        self.resting_period
    }

    /// The phase at which somebody who stands sets off: where the slowest gait is most like standing
    /// (mocap-tool 6.2).
    pub fn start_phase(&self) -> f32 {
        self.start_phase
    }

    /// True if its gaits have one foot alone on the ground for long enough that changes of the mix can wait for it.
    pub fn has_single_support(&self) -> bool {
        self.holds
    }
}

fn unlike(skeleton: &Skeleton, gait: &RepertoireClip, stand: &RepertoireClip, phase: f32) -> f32 {
    let mut poses =
        [vec![Transform::IDENTITY; skeleton.len()], vec![Transform::IDENTITY; skeleton.len()]];
    gait.sample(phase, &mut poses[0]);
    stand.sample(0.0, &mut poses[1]);
    let angle = |(a, b): (&Transform, &Transform)| rotation::angle_between(a.rotation, b.rotation);
    poses[0].iter().zip(&poses[1]).map(angle).sum()
}
