//! Going somewhere on four legs or more, foot by foot.
//!
//! The trunk is led along the way as it stands, and legs step in turn, from the back to the front and left against right,
//! each to where it stands below the trunk half way through its next stance. The trunk leans and rises with what its feet
//! stand on. So every foot has a place of its own on hills and on stairs, whether or not anybody has shown it a gait.

mod feet;
mod ride;

use super::score::FPS;
use super::vocabulary::{hips_placement, root_accelerations};
use super::{
    ManyLegSettings, PlannedFootprint, PlannedMotion, StepError, StepGround, StepJourney, StepLeg,
    StepOptions, Timings,
};
use andante_play::feet::LegChain;
use andante_play::repertoire::{ClipClass, Repertoire};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Clip, Planar, Polyline, Transform, rotation};
use feet::{FootWay, LegStand};
use glam::{Quat, Vec2, Vec3};
use ride::BodyRide;
use std::sync::Arc;

/// Performs journeys of whoever has four legs or more that bend.
#[derive(Clone, Debug)]
pub struct ManyLegPlanner {
    repertoire: Arc<Repertoire>,
    /// How it stands, with its hips above the origin.
    pose: Vec<Transform>,
    chains: Vec<LegChain>,
    legs: Vec<LegStand>,
    /// The mean distance from where a leg begins to its ankle.
    size: f32,
    settings: ManyLegSettings,
}

/// What the ground below the feet asks of the trunk: height in its middle, and slopes ahead and to the left.
type BodyLean = [f32; 3];

impl ManyLegPlanner {
    /// Prepares a repertoire, of which it needs one that stands.
    pub fn new(repertoire: Arc<Repertoire>, settings: ManyLegSettings) -> Result<Self, StepError> {
        let character = repertoire.character();
        let refused = || StepError::Legs(character.name.clone());
        let (skeleton, feet) = (&character.skeleton, &character.rig.feet);
        if feet.len() < 4 {
            return Err(refused());
        }
        let chains: Option<Vec<LegChain>> =
            feet.iter().map(|foot| LegChain::at_rest(skeleton, foot)).collect();
        let chains = chains.ok_or_else(refused)?;
        let stands = repertoire.clips().iter().find(|clip| clip.class() == ClipClass::Stand);
        let mut pose = vec![Transform::IDENTITY; skeleton.len()];
        stands.ok_or_else(refused)?.sample(0.0, &mut pose);
        pose[0] = hips_placement(character, &pose).inverse().to_transform() * pose[0];
        let mut models = pose.clone();
        skeleton.local_to_model(&pose, &mut models);
        let rows = feet.len().div_ceil(2);
        let legs: Vec<LegStand> = feet
            .iter()
            .enumerate()
            .map(|(index, foot)| LegStand::new(foot, index, rows, &models))
            .collect();
        let reach = |(chain, foot): (&LegChain, &andante_skeleton::Foot)| {
            let [from, to] = [chain.joints[0], foot.ankle()].map(|joint| models[joint].translation);
            from.distance(to)
        };
        let size = chains.iter().zip(feet).map(reach).sum::<f32>() / feet.len() as f32;
        if !(size > 1e-3 && size.is_finite()) {
            return Err(refused());
        }
        Ok(Self { repertoire, pose, chains, legs, size, settings })
    }

    /// The repertoire whose character it moves.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.repertoire
    }

    /// How fast it walks, in m/s.
    pub fn pace(&self) -> f32 {
        self.settings.pace * (self.settings.gravity * self.size).sqrt()
    }

    /// Performs a journey from rest to rest.
    pub fn perform(
        &self,
        journey: &StepJourney,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        let mut places = vec![journey.start.position];
        for leg in &journey.legs {
            match leg {
                StepLeg::Walk(more) => places.extend(more),
                StepLeg::Jump(jump) => {
                    return Err(StepError::NoSuchJump(jump.clip.clone().unwrap_or_default()));
                }
            }
        }
        places.push(journey.goal.position);
        let headings = [journey.start.heading, journey.goal.heading];
        if !places.iter().all(|place| place.is_finite()) || !headings.iter().all(|h| h.is_finite())
        {
            return Err(StepError::NonFinite("a place or heading of the journey"));
        }
        let usual = self.pace();
        let speed = options.pace.map_or(usual, |pace| pace.clamp(0.2 * usual, usual));
        let stride = self.settings.stride * self.size * (speed / usual).sqrt();
        let way = Polyline::new(&places);
        let ride = BodyRide::along(&way, journey, [speed, stride], &self.settings)?;
        let feet: Vec<FootWay> = self
            .legs
            .iter()
            .map(|leg| FootWay::new(leg, &ride, world, [self.size, stride], &self.settings))
            .collect();
        self.motion(&ride, &feet)
    }

    /// The trunk above its feet, frame by frame, and legs that reach where feet are.
    fn motion(&self, ride: &BodyRide, feet: &[FootWay]) -> Result<PlannedMotion, StepError> {
        let character = self.repertoire.character();
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let count = ride.body.len();
        let around = ride.cycle * self.settings.lean_over;
        let leans: Vec<BodyLean> = (0..count).map(|frame| self.lean(feet, frame)).collect();
        let leans = smoothed(&leans, around);
        let mut models = self.pose.clone();
        let mut low: Vec<BodyLean> = Vec::with_capacity(count);
        let mut transforms: Vec<Transform> = Vec::with_capacity(count * self.pose.len());
        for frame in 0..count {
            let mut pose = self.pose.clone();
            pose[0] = self.body(&ride.body[frame], &leans[frame]) * pose[0];
            skeleton.local_to_model(&pose, &mut models);
            let far = |((chain, way), foot): ((&LegChain, &FootWay), &andante_skeleton::Foot)| {
                let longest = self.settings.stretch * chain.length;
                chain.lowering(way.ankle(frame).translation, &models, foot.ankle(), longest)
            };
            let all = self.chains.iter().zip(feet).zip(&rig.feet).map(far);
            // Legs that lead far aside gain nothing by it.
            let deepest = self.settings.sink * self.size;
            low.push([all.fold(0.0, f32::max).min(deepest), 0.0, 0.0]);
            transforms.extend(pose);
        }
        let low = smoothed(&widest(&low, around), around);
        let joints = skeleton.len();
        for (frame, pose) in transforms.chunks_exact_mut(joints).enumerate() {
            pose[0].translation.y -= low[frame][0];
            skeleton.local_to_model(pose, &mut models);
            for ((chain, way), foot) in self.chains.iter().zip(feet).zip(&rig.feet) {
                chain.solve(&way.ankle(frame), foot.ankle(), 1.0, pose, &mut models);
            }
        }
        let clip = Clip::new("performance", skeleton, FPS, transforms)
            .map_err(|_| StepError::NonFinite("a pose"))?;
        let contacts = Contacts { feet: feet.iter().map(contacts).collect() };
        let angle =
            |(a, b): (&Transform, &Transform)| rotation::angle_between(a.rotation, b.rotation);
        let turned: f32 =
            clip.frames().flat_map(|pose| pose.iter().zip(&self.pose).skip(1)).map(angle).sum();
        let mut footprints: Vec<PlannedFootprint> =
            feet.iter().enumerate().flat_map(|(foot, way)| way.footprints(foot)).collect();
        footprints.sort_by(|a, b| a.take_off.total_cmp(&b.take_off));
        Ok(PlannedMotion {
            contacts,
            footprints,
            body: clip.frames().map(|pose| hips_placement(character, pose)).collect(),
            curvature: ride.curvature.clone(),
            running: vec![0.0; count],
            speed: ride.speed.clone(),
            pose_change_deg_mean: (turned / clip.transforms().len() as f32).to_degrees(),
            clips_root_accel_max: root_accelerations(&self.repertoire)
                .into_iter()
                .fold(0.0, f32::max),
            timings: Timings::default(),
            record: super::planner::Record::default(),
            clip,
        })
    }

    /// The plane through what the feet stand on, or are on their way to.
    fn lean(&self, feet: &[FootWay], frame: usize) -> BodyLean {
        let part = 1.0 / feet.len() as f32;
        let places = || self.legs.iter().map(|leg| leg.neutral.position);
        let middle = places().sum::<Vec2>() * part;
        let heights: Vec<f32> = feet.iter().map(|foot| foot.base(frame)).collect();
        let height = heights.iter().sum::<f32>() * part;
        let slope = |axis: fn(Vec2) -> f32| {
            let (mut over, mut under) = (0.0, 1e-9);
            for (place, y) in places().zip(&heights) {
                let off = axis(place - middle);
                over += off * (y - height);
                under += off * off;
            }
            over / under
        };
        let [ahead, aside] = [slope(|place| place.y), slope(|place| place.x)];
        [height - ahead * middle.y - aside * middle.x, ahead, aside]
    }

    /// From how it stands to where it is and how it leans: about the hips, which stay above where they belong.
    fn body(&self, at: &Planar, lean: &BodyLean) -> Transform {
        let character = self.repertoire.character();
        let above = character.skeleton.ancestors(character.rig.hips);
        let hips = above.fold(Transform::IDENTITY, |model, joint| self.pose[joint] * model);
        let [height, ahead, aside] = *lean;
        let [pitch, roll] = self.settings.lean;
        let turn = Quat::from_rotation_y(at.heading)
            * Quat::from_rotation_x(-libm::atanf(pitch * ahead))
            * Quat::from_rotation_z(libm::atanf(roll * aside));
        let pivot = hips.translation;
        let place = Vec3::new(at.position.x, height, at.position.y) + Vec3::Y * pivot.y;
        Transform::new(turn, place - turn * (Vec3::Y * pivot.y))
    }
}

fn contacts(way: &FootWay) -> FootContacts {
    let spans = way.stances().map(|[from, to]| Interval::new(from as f32 / FPS, to as f32 / FPS));
    let spans: Vec<Interval> = spans.collect();
    FootContacts { heel: spans.clone(), toe: spans }
}

/// Means under a bell around each frame.
fn smoothed(values: &[BodyLean], around: f32) -> Vec<BodyLean> {
    let reach = (3.0 * around).ceil() as usize;
    let bell: Vec<f32> = (0..=2 * reach)
        .map(|k| libm::expf(-0.5 * ((k as f32 - reach as f32) / around.max(0.5)).powi(2)))
        .collect();
    let total: f32 = bell.iter().sum();
    let last = values.len() - 1;
    (0..values.len())
        .map(|frame| {
            let mut mean = [0.0; 3];
            for (k, weight) in bell.iter().enumerate() {
                let at = (frame + k).saturating_sub(reach).min(last);
                mean.iter_mut()
                    .zip(&values[at])
                    .for_each(|(mean, own)| *mean += own * weight / total);
            }
            mean
        })
        .collect()
}

/// The largest within so many frames.
fn widest(values: &[BodyLean], around: f32) -> Vec<BodyLean> {
    let reach = (1.5 * around).ceil() as usize;
    let at = |frame: usize| {
        let to = (frame + reach + 1).min(values.len());
        let largest = values[frame.saturating_sub(reach)..to].iter().map(|value| value[0]);
        [largest.fold(0.0, f32::max), 0.0, 0.0]
    };
    (0..values.len()).map(at).collect()
}
