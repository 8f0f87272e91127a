//! Writing down what happens on a stage.

use super::actor::Actor;
use super::kind::hips;
use super::stage::{Stage, StageError};
use crate::physical::{FeltForces, MassPoints};
use crate::{BodyDrive, CharacterSpec, Command, MovingPlatform, PropForm, Scene, SceneGround};
use andante_body::creature_skin;
use andante_skeleton::Planar;
use andante_take::{
    BodyFrame, RigidTrack, Take, TakeFile, TakeHead, TakeRecorder, TrackGoal, VectorCurve,
    ball_mesh, cube_mesh,
};
use andante_world::Ground;
use glam::Vec3;
use std::path::Path;
use std::sync::Arc;

/// Frames per second of what is recorded.
pub const FPS: f32 = 60.0;

/// Whoever ends as near as this has reached the goal: metres and degrees.
const REACHED: (f32, f32) = (1e-3, 0.5);

/// The same for those who stand there by forces, and sway.
pub(crate) const BY_FORCES: (f32, f32) = (0.1, 10.0);

/// Writes down a stage, frame by frame.
pub struct Recorder {
    recorder: TakeRecorder,
    scene: Scene,
    down: Vec<[bool; 2]>,
    /// Where the mass of each actor is.
    masses: Vec<MassPoints>,
    vectors: Vec<Vec3>,
    /// The torques of a frame, and how many each actor has.
    torques: Vec<f32>,
    jointed: Vec<usize>,
}

impl Recorder {
    /// Begins with how a stage is now, in memory. `scene` and `seed` are those the stage was made with.
    pub fn new(stage: &Stage, scene: &Scene, seed: u64) -> Result<Self, StageError> {
        Self::begin(TakeRecorder::in_memory(take_head(scene, seed)), stage, scene)
    }

    /// The same with frames going to a file as they are made: memory stays flat.
    pub fn to_file(
        stage: &Stage,
        scene: &Scene,
        seed: u64,
        path: &Path,
    ) -> Result<Self, StageError> {
        Self::begin(TakeRecorder::to_file(take_head(scene, seed), path)?, stage, scene)
    }

    fn begin(mut recorder: TakeRecorder, stage: &Stage, scene: &Scene) -> Result<Self, StageError> {
        for platform in &scene.moving {
            recorder.add_thing(platform.thing());
        }
        let (mut jointed, mut masses) = (Vec::new(), Vec::new());
        for (index, actor) in stage.actors().iter().enumerate() {
            let own = actor.body.kind.skin.clone();
            let mesh = own.or_else(|| creature_skin(actor.character()).map(Arc::new));
            let track = recorder.add_track(actor.name(), actor.character(), mesh);
            for (name, unit) in [("speed", "m/s"), ("curvature", "1/m"), ("running", "")] {
                recorder.curve(track, name, unit);
            }
            let part = scene.characters.get(index);
            let nature = part.map_or(BodyDrive::Kinematic, |part| part.nature);
            let flesh = stage.physics.fleshes.get(actor.kind).and_then(Option::as_ref);
            let flesh = flesh.filter(|_| nature != BodyDrive::Kinematic);
            let joints = flesh.into_iter().flat_map(|flesh| flesh.jointed());
            let joints: Vec<usize> = joints.map(|(_, joint)| joint).collect();
            for joint in &joints {
                recorder.torque(track, &actor.character().skeleton.joint(*joint).name);
            }
            jointed.push(joints.len());
            masses.push(MassPoints::new(actor.character(), &scene.settings.physical));
            recorder.vector(track, VectorCurve::point("centre of mass"));
            if flesh.is_some() {
                recorder.vector(track, VectorCurve::point("capture point"));
                recorder.vector(track, VectorCurve::point("pressure"));
                recorder.vector(track, VectorCurve::force("ground force", 2));
            }
            if let Some(part) = part {
                recorder.drive(track, part.nature);
            }
            if let Some(platform) = part.and_then(|part| scene.rides(part)) {
                recorder.ride(track, platform);
            }
        }
        let (scene, down, torques) = (scene.clone(), Vec::new(), Vec::new());
        let vectors = Vec::new();
        let mut recorder = Self { recorder, scene, down, masses, vectors, torques, jointed };
        recorder.frame(stage)?;
        Ok(recorder)
    }

    /// Writes down a frame. Call it after every step of 1/60 s. Everybody and every thing that is recorded has to stay on
    /// the stage, and nobody comes on.
    pub fn frame(&mut self, stage: &Stage) -> Result<(), StageError> {
        let time = self.recorder.time();
        let same =
            |(number, actor): (usize, &Actor)| !actor.is_gone() && actor.id() == number.into();
        let people = stage.actors().len() == self.masses.len();
        let things = self.scene.moving.len() + stage.props().count() >= self.recorder.things();
        if !(people && things && stage.actors().iter().enumerate().all(same)) {
            return Err(StageError::Recorded);
        }
        for (index, actor) in stage.actors().iter().enumerate() {
            self.down.clear();
            let feet = 0..actor.character().rig.feet.len();
            self.down.extend(feet.clone().map(|foot| actor.contact(foot)));
            self.torques.clear();
            let torques = actor.body.episode().into_iter().flat_map(|episode| episode.torques());
            self.torques.extend(torques);
            self.torques.resize(self.jointed[index], 0.0);
            self.vectors.clear();
            self.vectors.push(self.masses[index].centre(actor.models()));
            if self.jointed[index] > 0 {
                let felt = actor.body.episode().map_or(FeltForces::NONE, FeltForces::of);
                self.vectors.extend([felt.capture, felt.pressure, felt.force]);
            }
            let frame = BodyFrame {
                pose: actor.pose(),
                body: hips(actor.character(), actor.pose()),
                curves: &[actor.disc().speed, actor.body.curvature(), actor.body.running()],
                vectors: &self.vectors,
                torques: &self.torques,
                physical: actor.body.is_physical(),
                down: &self.down,
            };
            self.recorder.frame(index, &frame);
            // What moves carries prints away.
            if actor.deck().is_none() {
                feet.for_each(|foot| self.print(stage, (index, actor), foot));
            }
        }
        for (platform, thing) in self.scene.moving.iter().zip(0..) {
            self.recorder.place(thing, platform.at(time));
        }
        let first = self.scene.moving.len();
        for (index, (name, form, place)) in stage.props().enumerate() {
            if first + index == self.recorder.things() {
                self.recorder.add_thing(RigidTrack::new(name, mesh(form)));
            }
            self.recorder.place(first + index, place);
        }
        for event in stage.events() {
            self.recorder.event(event.clone());
        }
        Ok(self.recorder.end_frame()?)
    }

    /// Keeps where a foot stands.
    fn print(&mut self, stage: &Stage, (index, actor): (usize, &Actor), foot: usize) {
        self.recorder.foot(index, foot, self.down[foot], || {
            let (sole, models) = (&actor.character().rig.feet[foot], actor.models());
            let points = [sole.heel, sole.ball, sole.tip].map(|point| point.position(models));
            let ground = |point: Vec3| {
                let from = Vec3::new(point.x, point.y + 0.3, point.z);
                stage.surroundings().ground.probe(from, 1.0)
            };
            let [heel, ball, tip] =
                points.map(|point| ground(point).map_or(point, |hit| hit.point));
            let normal = ground(heel.midpoint(ball)).map_or(Vec3::Y, |hit| hit.normal);
            ([heel, ball, tip], normal)
        });
    }

    /// Notes what is known at the end.
    fn close(mut self, stage: &Stage) -> TakeRecorder {
        for (index, actor) in stage.actors().iter().enumerate() {
            // Who was told to do something else in the end has no place to be at.
            let told = self.scene.orders.iter().any(|order| order.who == index);
            let ends = !told || self.scene.last_goal(index).is_some();
            let goal = actor.goal().filter(|_| ends).zip(self.scene.characters.get(index));
            self.recorder.goal(index, goal.map(|(goal, part)| goal_of(&self.scene, part, goal)));
        }
        self.recorder
    }

    /// The recorded take, in memory.
    pub fn finish(self, stage: &Stage) -> Result<Take, StageError> {
        Ok(self.close(stage).into_take()?)
    }

    /// The recorded take, in a file.
    pub fn finish_file(self, stage: &Stage) -> Result<TakeFile, StageError> {
        Ok(self.close(stage).into_file()?)
    }
}

/// The goal of a character in a take: with the height of the ground it was sent to, and how near it has to come.
fn goal_of(scene: &Scene, part: &CharacterSpec, place: Planar) -> TrackGoal {
    let (within_m, within_deg) =
        if part.nature == BodyDrive::Physical { BY_FORCES } else { REACHED };
    let sent = scene.orders.iter().rev().filter_map(|order| match &order.command {
        Command::WalkTo(post) | Command::RunTo(post) => Some(post),
        Command::Path(posts) => posts.last(),
        _ => None,
    });
    let same = sent.chain([&part.goal]).find(|post| post.place.distance(place.position) < 1e-3);
    let from = same.and_then(|post| post.height).map_or(1e6, |height| height + 0.1);
    let deck = scene.rides(part).and_then(|deck| scene.moving.get(deck));
    let height = match deck {
        Some(deck) => Some(deck.top()),
        None => {
            let from = Vec3::new(place.position.x, from, place.position.y);
            let ground = SceneGround::new(&scene.ground);
            ground.probe(from, f32::INFINITY).map(|hit| hit.point.y)
        }
    };
    TrackGoal { place, height, within_m, within_deg }
}

impl MovingPlatform {
    /// It as a thing of a take.
    pub(crate) fn thing(&self) -> RigidTrack {
        RigidTrack { outlines: self.outlines(), ..RigidTrack::new(&self.name, self.mesh()) }
    }
}

/// The surface of a prop, around its middle.
fn mesh(form: PropForm) -> andante_world::TriangleMesh {
    match form {
        PropForm::Ball { radius } => ball_mesh(radius as f32),
        PropForm::Cube { side } => cube_mesh(0.5 * side as f32),
    }
}

/// The head of a scene's take: what is the same in every frame.
fn take_head(scene: &Scene, seed: u64) -> TakeHead {
    TakeHead {
        name: scene.name.clone(),
        about: scene.about.clone(),
        seed,
        fps: FPS,
        ground: scene.ground.clone(),
        obstacles: scene.obstacles.clone(),
        conditions: scene.settings.physics.conditions(),
    }
}
