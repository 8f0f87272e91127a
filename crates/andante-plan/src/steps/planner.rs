//! The stages, one after the other.

use super::duck::Duck;
use super::feet::{Feet, FootFrame, flatness};
use super::footprint::{PlanarPrint, StanceFrames};
use super::planned_motion::{PlannedMotion, Timings};
use super::play::{Mixes, running_mean};
use super::plot::{Plot, waypoints};
use super::score::{FPS, PlacedAction, Timeline, TimelineStep};
use super::trajectory::Carrier;
use super::vocabulary::{Vocabulary, hips_placement};
use super::welcome::{ReplacedEnd, ReplacedStart};
use super::{
    PlannedFootprint, StepError, StepGround, StepJourney, StepOptions, StepSettings, itinerary,
};
use crate::Clock;
use andante_play::posture::PostureSettings;
use andante_play::repertoire::Repertoire;
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Clip, Planar, Polyline, Transform, ease, parallel, rotation};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Makes performances of one repertoire.
///
/// ```
/// use andante_plan::steps::{StepGround, StepJourney, StepLeg, StepOptions, StepPlanner};
/// use andante_skeleton::{Planar, humanoid};
/// use andante_world::HeightFunction;
/// use glam::vec2;
/// use std::sync::Arc;
///
/// let planner = StepPlanner::new(Arc::new(andante_motion::repertoire::built_in(&humanoid())?))?;
/// let floor = HeightFunction::new(|_| 0.0);
/// let journey = StepJourney {
///     start: Planar::IDENTITY,
///     goal: Planar::new(vec2(2.0, 4.0), 1.0),
///     legs: vec![StepLeg::Walk(vec![vec2(0.0, 0.0), vec2(0.0, 2.0), vec2(2.0, 4.0)])],
/// };
/// let world = StepGround::open(&floor);
/// let performance = planner.perform(&journey, &world, &StepOptions::default())?;
/// let arrived = performance.body[performance.body.len() - 1];
/// assert!(arrived.position.distance(journey.goal.position) < 1e-3);
/// assert!(performance.footprints.len() > 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StepPlanner {
    vocabulary: Vocabulary,
    posture: PostureSettings,
}

/// What a performance was made from, for whoever changes it.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub beats: Vec<TimelineStep>,
    pub jumps: Vec<PlacedAction>,
    pub plot: Plot,
}

/// What a performance has to agree with.
#[derive(Clone, Copy, Default)]
pub(super) struct Constraints<'a> {
    /// Footprints to step on, in order for each foot; the clips make the rest.
    pub footprints: &'a [PlanarPrint],
    /// Footprints that are known already, each with a frame of its contact.
    pub pins: &'a [(usize, PlanarPrint)],
    /// The pose it begins with, and the one before that.
    pub continued: Option<[&'a [Transform]; 2]>,
    /// What it leads over into.
    pub ahead: Option<Ahead<'a>>,
}

/// A frame at which everything is known already.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'a> {
    pub frame: usize,
    /// The pose of that frame.
    pub pose: &'a [Transform],
}

/// Where feet come down, and what clips are mixed for it.
struct Footsteps {
    mixes: Mixes,
    plot: Plot,
    curvature: Vec<f32>,
    footprints: Vec<PlannedFootprint>,
}

/// What takes how long.
struct LapTimer {
    clock: Clock,
    began: f64,
}

impl LapTimer {
    fn new(clock: Clock) -> Self {
        Self { clock, began: clock.now() }
    }

    /// Adds the time since the last row.
    fn add_to(&mut self, row: &mut f64) {
        *row += self.clock.since(self.began);
        self.began = self.clock.now();
    }
}

/// Frames that are made one after the other by one core.
pub(super) const TOGETHER: usize = 64;

impl StepPlanner {
    /// Prepares a repertoire.
    pub fn new(repertoire: Arc<Repertoire>) -> Result<Self, StepError> {
        Self::with_settings(repertoire, StepSettings::default())
    }

    /// Prepares a repertoire to be performed with other settings.
    pub fn with_settings(
        repertoire: Arc<Repertoire>,
        settings: StepSettings,
    ) -> Result<Self, StepError> {
        Ok(Self {
            vocabulary: Vocabulary::new(repertoire, settings)?,
            posture: PostureSettings::default(),
        })
    }

    /// The step settings of the character.
    pub fn settings(&self) -> &StepSettings {
        &self.vocabulary.settings
    }

    /// The repertoire that is performed.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        &self.vocabulary.repertoire
    }

    /// The same, ducking another way.
    pub fn with_posture(self, posture: PostureSettings) -> Self {
        Self { posture, ..self }
    }

    /// The posture settings: how it ducks.
    pub fn posture(&self) -> &PostureSettings {
        &self.posture
    }

    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The widest gap that can be jumped, in metres; none if there is no clip to jump with.
    pub fn widest_gap(&self, options: &StepOptions) -> Option<f32> {
        let longest = self.vocabulary.actions.last()?;
        Some(self.settings().timeline.stretch * longest.reach() - 2.0 * options.margin)
    }

    /// The height it needs to get through under something, in metres: it ducks.
    pub fn ducked_height(&self) -> f32 {
        Duck::new(&self.vocabulary, &self.posture).needs()
    }

    /// Performs a journey from rest to rest.
    pub fn perform(
        &self,
        journey: &StepJourney,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        let began = options.clock.now();
        let score = itinerary::compose(&self.vocabulary, journey, world, options)?;
        let mut timings = Timings { scoring: options.clock.since(began), ..Timings::default() };
        let free = Constraints::default();
        let performance = parallel::together(|| self.realise(&score, &free, world, &mut timings))?;
        timings.total = options.clock.since(began);
        Ok(PlannedMotion { timings, ..performance })
    }

    /// Everything after the score.
    pub(super) fn realise(
        &self,
        score: &Timeline,
        constraints: &Constraints,
        world: &StepGround,
        timings: &mut Timings,
    ) -> Result<PlannedMotion, StepError> {
        let mut lap = LapTimer::new(score.options.clock);
        let Footsteps { mixes, mut plot, curvature, footprints } =
            self.footsteps(score, constraints, world, timings, &mut lap);
        let (mut transforms, frames) = self.poses(score, &mixes, &plot, &footprints);
        lap.add_to(&mut timings.body_trajectory);

        let skeleton = &self.vocabulary.character().skeleton;
        let joints = skeleton.len();
        let rests: Vec<f32> = mixes.frames.iter().map(|mixed| mixed.rest).collect();
        let running: Vec<f32> = mixes.frames.iter().map(|mixed| mixed.run).collect();
        let feet = Feet {
            settings: &score.options.feet,
            vocabulary: &self.vocabulary,
            stances: &plot.stances,
            footprints: &footprints,
            frames,
            rests: &rests,
            runs: &running,
        };
        let (offsets, mut targets) = feet.solve(world);
        for (pose, offset) in transforms.chunks_exact_mut(joints).zip(&offsets) {
            pose[0].translation += *offset;
        }
        self.duck(&mut transforms, world)?;
        self.lead_over(constraints, &plot, &mut transforms, &mut targets);
        let normals = normals(&plot.stances, &footprints, targets.len());
        let (changed, risen) = self.reach(&feet, world, &mut transforms, (&targets, &normals));
        feet.ease_toes(world, &mut transforms);
        let down = score.options.feet.down;
        for stance in &mut plot.stances {
            let foot = stance.foot;
            stance.lift_heel(|frame| risen[frame][foot] > down);
        }
        lap.add_to(&mut timings.inverse_kinematics);

        let body: Vec<Planar> = transforms
            .chunks_exact(joints)
            .map(|pose| hips_placement(self.vocabulary.character(), pose))
            .collect();
        let clip = Clip::new("performance", skeleton, FPS, transforms)
            .map_err(|_| StepError::NonFinite("a pose"))?;
        let turned = (score.beats.len() * (joints - 1).max(1)) as f64;
        Ok(PlannedMotion {
            contacts: contacts(&plot),
            footprints,
            body,
            curvature,
            running,
            speed: score.beats.iter().map(|beat| beat.speed).collect(),
            pose_change_deg_mean: (changed / turned).to_degrees() as f32,
            clips_root_accel_max: mixes.root_acceleration(score),
            timings: *timings,
            record: Record { beats: score.beats.clone(), jumps: score.jumps.clone(), plot },
            clip,
        })
    }

    /// What clips are mixed, and where feet come down for it: twice, since the way the body goes above its footprints
    /// decides how it turns.
    fn footsteps(
        &self,
        score: &Timeline,
        constraints: &Constraints,
        world: &StepGround,
        timings: &mut Timings,
        lap: &mut LapTimer,
    ) -> Footsteps {
        let shapes = &self.vocabulary.rest.shapes;
        let options = &score.options;
        let bind = |plot: &mut Plot| {
            plot.force(constraints.footprints);
            plot.stand_on(&score.footholds);
            plot.pin(constraints.pins);
        };
        let refine = |plot: &mut Plot| {
            plot.refine(options.refinement.min(100), shapes, world);
            plot.uncross(shapes, world);
        };
        let turns: Vec<f32> = score.beats.iter().map(|beat| beat.turn).collect();
        let mixes = Mixes::new(score, &turns);
        lap.add_to(&mut timings.blend_groups);
        let mut plot = Plot::new(mixes.stances(score), shapes, world, &self.settings().footprints);
        bind(&mut plot);
        plot.smooth(options.smoothing.min(100), shapes, world);
        lap.add_to(&mut timings.smoothing);
        refine(&mut plot);
        lap.add_to(&mut timings.refinement);

        let path = body_path(score, &plot);
        lap.add_to(&mut timings.body_trajectory);
        let curvature = curvatures(&path, self.settings().mix.look);
        let bends = |(beat, (turn, bend)): (&TimelineStep, (&f32, &f32))| {
            if beat.speed > 0.1 { bend * beat.speed } else { *turn }
        };
        let turns: Vec<f32> =
            score.beats.iter().zip(turns.iter().zip(&curvature)).map(bends).collect();
        let mixes = Mixes::new(score, &turns);
        lap.add_to(&mut timings.blend_groups);
        let mut plot = plot.replayed(mixes.stances(score), shapes, world);
        bind(&mut plot);
        refine(&mut plot);
        let footprints = plot.footprints(shapes, world);
        lap.add_to(&mut timings.refinement);
        Footsteps { mixes, plot, curvature, footprints }
    }

    /// Poses along the body's trajectory, frame by frame, and where their feet are.
    fn poses(
        &self,
        score: &Timeline,
        mixes: &Mixes,
        plot: &Plot,
        footprints: &[PlannedFootprint],
    ) -> (Vec<Transform>, Vec<[FootFrame; 2]>) {
        let skeleton = &self.vocabulary.character().skeleton;
        let (joints, count) = (skeleton.len(), score.beats.len());
        let times = plot.times();
        let played = waypoints(
            &times,
            |k| lifted(plot.played[k].place.position, 0.0),
            |k| plot.played[k].place.heading,
        );
        let desired = waypoints(&times, |k| footprints[k].position, |k| footprints[k].heading);
        let carrier = Carrier::new(&played, &desired, self.settings().footprints.ending);
        let mut transforms = vec![Transform::IDENTITY; count * joints];
        let rest = vec![Transform::IDENTITY; joints];
        let flats = flatness(&plot.stances, count, score.options.feet.flatten_frames);
        // Frames do not depend on each other: a few at a time, wherever there is a core for them.
        let posed = |(part, poses): (usize, &mut [Transform])| {
            let (mut carrier, mut models) = (carrier.clone(), rest.clone());
            let mut scratch = [rest.clone(), rest.clone()];
            let poses = poses.chunks_exact_mut(joints).enumerate();
            let frame = |(index, pose): (usize, &mut [Transform])| {
                let frame = part * TOGETHER + index;
                mixes.pose(score, frame, &mut scratch, pose);
                self.flatten_toes(&flats[frame], pose);
                let mut floor = 0.0;
                if let Some(carrier) = &mut carrier {
                    let carried = carrier.at(frame as f32 / FPS);
                    pose[0] = carried * pose[0];
                    floor = carried.translation.y;
                }
                skeleton.local_to_model_but(&self.vocabulary.upper_body, pose, &mut models);
                self.foot_frames(&models, floor)
            };
            poses.map(frame).collect::<Vec<_>>()
        };
        let parts = transforms.chunks_mut(TOGETHER * joints).enumerate();
        let frames = parallel::map(parts, posed).concat();
        (transforms, frames)
    }

    /// Goes over from what was before, and into what comes after.
    fn lead_over(
        &self,
        constraints: &Constraints,
        plot: &Plot,
        transforms: &mut [Transform],
        targets: &mut [[Transform; 2]],
    ) {
        let skeleton = &self.vocabulary.character().skeleton;
        let joints = skeleton.len();
        let mut welcome = constraints.continued.map(|before| {
            let own = [&transforms[..joints], transforms.get(joints..2 * joints).unwrap_or(&[])];
            ReplacedStart::new(skeleton, before, own, &self.vocabulary)
        });
        let farewell = constraints.ahead.map(|ahead| {
            let first = ahead.frame * joints;
            let own = &transforms[first..first + joints];
            let targets = &targets[ahead.frame];
            ReplacedEnd::new(skeleton, &ahead, own, targets, &plot.stances, &self.vocabulary)
        });
        for (frame, pose) in transforms.chunks_exact_mut(joints).enumerate() {
            if let Some(welcome) = &mut welcome {
                welcome.apply(frame, &plot.stances, pose, &mut targets[frame]);
            }
            if let Some(farewell) = &farewell {
                farewell.apply(frame, pose, &mut targets[frame]);
            }
        }
    }

    /// Leads legs to where feet have to be, on ground with these normals. Says by how much joints were turned in all, in
    /// radians, and how far heels rose off the ground in each frame.
    fn reach(
        &self,
        feet: &Feet,
        world: &StepGround,
        transforms: &mut [Transform],
        (targets, normals): (&[[Transform; 2]], &[[Option<Vec3>; 2]]),
    ) -> (f64, Vec<[f32; 2]>) {
        let joints = self.vocabulary.character().skeleton.len();
        let rest = vec![Transform::IDENTITY; joints];
        type Part<'a> = (&'a mut [Transform], (&'a [[Transform; 2]], &'a [[Option<Vec3>; 2]]));
        let reached = |(poses, (targets, normals)): Part| {
            let mut models = rest.clone();
            let (mut changed, mut risen) = (0.0f64, Vec::with_capacity(targets.len()));
            let places = targets.iter().zip(normals);
            for (pose, (targets, normals)) in poses.chunks_exact_mut(joints).zip(places) {
                let before = self.leg_rotations(pose);
                risen.push(feet.reach(targets, normals, world, pose, &mut models));
                let after = self.leg_rotations(pose);
                for (a, b) in before.iter().zip(&after) {
                    changed += f64::from(rotation::angle_between(*a, *b));
                }
            }
            (changed, risen)
        };
        let places = targets.chunks(TOGETHER).zip(normals.chunks(TOGETHER));
        let parts = transforms.chunks_mut(TOGETHER * joints).zip(places);
        let (changed, risen): (Vec<f64>, Vec<_>) =
            parallel::map(parts, reached).into_iter().unzip();
        (changed.iter().sum(), risen.concat())
    }

    /// Bends bodies under what hangs low.
    fn duck(&self, poses: &mut [Transform], world: &StepGround) -> Result<(), StepError> {
        if world.overhead.is_empty() {
            return Ok(());
        }
        let joints = self.vocabulary.character().skeleton.len();
        let duck = Duck::new(&self.vocabulary, &self.posture);
        let amounts = duck.amounts(poses, world)?;
        let last = amounts.len().saturating_sub(1);
        for (frame, (pose, &amount)) in poses.chunks_exact_mut(joints).zip(&amounts).enumerate() {
            if amount > 0.0 {
                // At either end the hips are where they are meant to be.
                let free = ease(frame.min(last - frame) as f32 / FPS);
                duck.bend(amount, free * amount, pose);
            }
        }
        Ok(())
    }

    fn foot_frames(&self, models: &[Transform], floor: f32) -> [FootFrame; 2] {
        [0, 1].map(|index| {
            let foot = &self.vocabulary.character().rig.feet[index];
            let ball = foot.ball.position(models);
            FootFrame {
                ankle: models[foot.ankle()],
                hip: models[self.vocabulary.legs[index].joints()[0]].translation,
                heel: foot.heel.position(models),
                ball,
                tip: foot.tip.position(models),
                toe: foot.toes.map_or(ball, |toes| models[toes].translation),
                floor,
            }
        })
    }

    /// Toes of flat feet are straight, so that heel and ball are as far apart as in the footprint.
    fn flatten_toes(&self, flats: &[f32; 2], pose: &mut [Transform]) {
        for (foot, &flat) in self.vocabulary.character().rig.feet.iter().zip(flats) {
            if let Some(toes) = foot.toes.filter(|_| flat > 0.0) {
                let straight = self.vocabulary.rest.pose[toes].rotation;
                pose[toes].rotation = rotation::nlerp(pose[toes].rotation, straight, flat);
            }
        }
    }

    fn leg_rotations(&self, pose: &[Transform]) -> [glam::Quat; 6] {
        let [a, b] = [0, 1].map(|leg| self.vocabulary.legs[leg].joints());
        [a[0], a[1], a[2], b[0], b[1], b[2]].map(|joint| pose[joint].rotation)
    }
}

fn lifted(place: Vec2, height: f32) -> Vec3 {
    Vec3::new(place.x, height, place.y)
}

/// The normal of the ground a foot is on, frame by frame; none in the air.
fn normals(
    stances: &[StanceFrames],
    footprints: &[PlannedFootprint],
    count: usize,
) -> Vec<[Option<Vec3>; 2]> {
    let mut normals = vec![[None; 2]; count];
    for (stance, print) in stances.iter().zip(footprints) {
        for normals in &mut normals[stance.frames[0]..=stance.frames[1]] {
            normals[stance.foot] = Some(print.normal);
        }
    }
    normals
}

/// Where the course is carried by the desired footprints.
fn body_path(score: &Timeline, plot: &Plot) -> Vec<Vec2> {
    let times = plot.times();
    let through = |prints: &[PlanarPrint]| {
        waypoints(&times, |k| lifted(prints[k].place.position, 0.0), |k| prints[k].place.heading)
    };
    let ending = score.vocabulary.settings.footprints.ending;
    let mut carrier = Carrier::new(&through(&plot.played), &through(&plot.desired), ending);
    score
        .beats
        .iter()
        .enumerate()
        .map(|(frame, beat)| {
            let own = lifted(beat.course.position, 0.0);
            let placed = match &mut carrier {
                Some(carrier) => carrier.at(frame as f32 / FPS).transform_point(own),
                None => own,
            };
            Vec2::new(placed.x, placed.z)
        })
        .collect()
}

/// The curvature of a path by the circle through three of its points, low-passed.
fn curvatures(path: &[Vec2], look: usize) -> Vec<f32> {
    let last = path.len() - 1;
    let raw: Vec<f32> = (0..=last)
        .map(|k| {
            let (a, b) = (k.saturating_sub(look), (k + look).min(last));
            // Hardly any way says nothing about a turn.
            if path[a].distance(path[b]) < 0.1 {
                return 0.0;
            }
            Polyline::curvature_through(path[a], path[k], path[b]).clamp(-4.0, 4.0)
        })
        .collect();
    running_mean(&running_mean(&raw, look), look)
}

/// Contacts by time. They reach a little beyond their frames, so that rounding loses none.
pub(super) fn contacts(plot: &Plot) -> Contacts {
    let mut feet = vec![FootContacts::default(); 2];
    let mut stances = plot.stances.clone();
    stances.sort_by_key(|stance| stance.frames[0]);
    for stance in &stances {
        let interval = |[first, last]: [usize; 2]| {
            Interval::new((first as f32 - 0.1).max(0.0) / FPS, (last as f32 + 0.1) / FPS)
        };
        feet[stance.foot].heel.extend(stance.heel.map(interval));
        feet[stance.foot].toe.extend(stance.ball.map(interval));
    }
    Contacts { feet }
}
