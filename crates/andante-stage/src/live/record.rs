//! Writing down what happens on a stage.

use super::kind::hips;
use super::stage::{Stage, StageError};
use crate::{CharacterTrack, Event, PropTrack, Scene, Take};
use andante_plan::steps::PlannedFootprint;
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Clip, Planar, Transform};
use andante_world::Ground;
use glam::{Vec2, Vec3};

/// Frames per second of what is recorded.
pub const FPS: f32 = 60.0;

/// Everybody's frames so far.
#[derive(Clone, Debug)]
pub struct Recorder {
    tracks: Vec<Notes>,
    events: Vec<Event>,
    props: Vec<PropTrack>,
    frames: usize,
}

/// One character's.
#[derive(Clone, Debug, Default)]
struct Notes {
    transforms: Vec<Transform>,
    contacts: Vec<FootContacts>,
    prints: Vec<Option<PlannedFootprint>>,
    footprints: Vec<PlannedFootprint>,
    body: Vec<Planar>,
    curvature: Vec<f32>,
    running: Vec<f32>,
    speed: Vec<f32>,
}

impl Recorder {
    /// Begins with how a stage is now.
    pub fn new(stage: &Stage) -> Self {
        let notes = |feet: usize| Notes {
            contacts: vec![FootContacts::default(); feet],
            prints: vec![None; feet],
            ..Notes::default()
        };
        let tracks = stage.actors().iter().map(|actor| notes(actor.character().rig.feet.len()));
        let mut recorder =
            Self { tracks: tracks.collect(), events: Vec::new(), props: Vec::new(), frames: 0 };
        recorder.frame(stage);
        recorder
    }

    /// Writes down a frame. Call it after every step of 1/60 s.
    pub fn frame(&mut self, stage: &Stage) {
        let time = self.frames as f32 / FPS;
        for (actor, notes) in stage.actors().iter().zip(&mut self.tracks) {
            notes.transforms.extend_from_slice(actor.pose());
            notes.body.push(hips(actor.character(), actor.pose()));
            notes.curvature.push(actor.body.curvature());
            notes.running.push(actor.body.running());
            notes.speed.push(actor.disc().speed);
            for (index, foot) in actor.character().rig.feet.iter().enumerate() {
                let down = actor.contact(index);
                let contacts = &mut notes.contacts[index];
                mark(&mut contacts.heel, down[0], time);
                mark(&mut contacts.toe, down[1], time);
                // What moves carries prints away.
                if actor.deck().is_some() {
                    continue;
                }
                let print = &mut notes.prints[index];
                if down == [false; 2] {
                    notes.footprints.extend(print.take());
                    continue;
                }
                let models = actor.models();
                let points = [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
                let was = print.as_ref().map(|print| (print.landing, print.normal));
                // A foot that is flat shows best where it is.
                if was.is_none() || down == [true; 2] {
                    let ground = |point: Vec3| {
                        let from = Vec3::new(point.x, point.y + 0.3, point.z);
                        stage.surroundings().ground.probe(from, 1.0)
                    };
                    let [heel, ball, tip] =
                        points.map(|point| ground(point).map_or(point, |hit| hit.point));
                    let middle = heel.midpoint(ball);
                    let ahead = Vec2::new(ball.x - heel.x, ball.z - heel.z);
                    let landing = was.map_or(time, |(landing, _)| landing);
                    *print = Some(PlannedFootprint {
                        foot: index,
                        position: middle,
                        heading: ahead.x.atan2(ahead.y),
                        normal: ground(middle).map_or(Vec3::Y, |hit| hit.normal),
                        landing,
                        take_off: time,
                        heel,
                        ball,
                        tip,
                    });
                }
                if let Some(print) = print {
                    print.take_off = time + 1.0 / FPS;
                }
            }
        }
        for (index, (name, form, place)) in stage.props().enumerate() {
            if index == self.props.len() {
                let (name, from) = (name.into(), self.frames);
                self.props.push(PropTrack { name, form, from, places: Vec::new() });
            }
            self.props[index].places.push(place);
        }
        self.events.extend_from_slice(stage.events());
        self.frames += 1;
    }

    /// What was recorded. `scene` and `seed` are those the stage was made with.
    pub fn finish(self, stage: &Stage, scene: &Scene, seed: u64) -> Result<Take, StageError> {
        let mut tracks = Vec::with_capacity(self.tracks.len());
        for (actor, mut notes) in stage.actors().iter().zip(self.tracks) {
            let character = actor.character().clone();
            let clip = Clip::new(actor.name(), &character.skeleton, FPS, notes.transforms)?;
            notes.footprints.extend(notes.prints.into_iter().flatten());
            tracks.push(CharacterTrack {
                name: actor.name().into(),
                clip,
                contacts: Contacts { feet: notes.contacts },
                footprints: notes.footprints,
                body: notes.body,
                curvature: notes.curvature,
                running: notes.running,
                speed: notes.speed,
                goal: actor.goal(),
                character,
            });
        }
        Ok(Take { scene: scene.clone(), seed, tracks, events: self.events, props: self.props })
    }
}

/// Makes the last stretch longer, or begins another. They reach a little beyond their frames, so that rounding
/// loses none.
fn mark(intervals: &mut Vec<Interval>, down: bool, time: f32) {
    const EDGE: f32 = 0.1 / FPS;
    if !down {
        return;
    }
    match intervals.last_mut() {
        Some(last) if time - last.end < 1.5 / FPS => last.end = time + EDGE,
        _ => intervals.push(Interval::new((time - EDGE).max(0.0), time + EDGE)),
    }
}
