//! Takes from what is planned or read.

use super::{CharacterTrack, Event, EventKind, Take};
use crate::{CharacterSpec, GroundPatch, PartPlan, Scene, SceneGround};
use andante_plan::steps::PlannedFootprint;
use andante_play::Contacts;
use andante_skeleton::{Character, Clip, ClipError, Planar, Pose, Transform};
use andante_world::Platform;
use glam::{Vec2, Vec3};

/// Room around a motion that is put on ground of its own, in metres.
const ROOM: f32 = 3.0;

impl Take {
    /// A take in which everybody does what was planned; who has no plan stands at the start, and an event says why.
    pub fn from_plans(
        scene: &Scene,
        seed: u64,
        plans: Vec<(Character, Result<PartPlan, String>)>,
    ) -> Result<Self, ClipError> {
        let ground = SceneGround::new(scene);
        let mut take = Self {
            scene: scene.clone(),
            seed,
            tracks: Vec::new(),
            events: Vec::new(),
            props: Vec::new(),
        };
        for (part, (character, plan)) in scene.characters.iter().zip(plans) {
            let track = Some(take.tracks.len());
            let event = |time: f32, kind: EventKind| Event { time, track, kind };
            let words = go_to(part);
            take.events.push(event(0.0, EventKind::Began(words.clone())));
            match plan {
                Ok(plan) => {
                    let end = plan.performance.seconds();
                    take.events.push(event(end, EventKind::Arrived));
                    take.events.push(event(end, EventKind::Done(words)));
                    take.tracks.push(CharacterTrack::planned(part, character, plan));
                }
                Err(reason) => {
                    take.events.push(event(0.0, EventKind::Failed(format!("{words}: {reason}"))));
                    take.tracks.push(CharacterTrack::standing(part, character, &ground)?);
                }
            }
        }
        take.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        Ok(take)
    }

    /// A motion of its own, on level ground below its feet.
    pub fn of_clip(character: &Character, clip: &Clip, contacts: Contacts) -> Self {
        let frames = andante_skeleton::model_frames(&character.skeleton, clip);
        let points = || frames.iter().flatten().map(|model| model.translation);
        let low = points().fold(Vec3::INFINITY, Vec3::min);
        let high = points().fold(Vec3::NEG_INFINITY, Vec3::max);
        let rests = contacts.footfalls(&character.skeleton, &character.rig, clip);
        let heights = rests.iter().map(|point| point.y);
        // Feet rest on it; without any the lowest joint lies on it.
        let height =
            if rests.is_empty() { low.y } else { heights.sum::<f32>() / rests.len() as f32 };
        let (low, high) = (Vec2::new(low.x, low.z) - ROOM, Vec2::new(high.x, high.z) + ROOM);
        let corners = vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        let patch =
            GroundPatch { platform: Platform::level("ground", corners, height), terrain: None };
        let hips = character.rig.hips;
        let rest = character.skeleton.rest_models()[hips].rotation.conjugate();
        let body: Vec<Planar> = frames
            .iter()
            .map(|models| {
                let model = models[hips];
                Planar::from_transform(&Transform::new(model.rotation * rest, model.translation))
            })
            .collect();
        let speed = speeds(&body, clip.fps());
        let footprints = footprints(character, clip, &frames, &contacts);
        let track = CharacterTrack {
            name: character.name.clone(),
            character: character.clone(),
            clip: clip.clone(),
            contacts,
            footprints,
            curvature: vec![0.0; body.len()],
            running: vec![0.0; body.len()],
            speed,
            body,
            goal: None,
        };
        let scene = Scene {
            name: clip.name().to_owned(),
            about: String::new(),
            ground: vec![patch],
            obstacles: Vec::new(),
            moving: Vec::new(),
            characters: Vec::new(),
            orders: Vec::new(),
            settings: Default::default(),
        };
        Self { scene, seed: 0, tracks: vec![track], events: Vec::new(), props: Vec::new() }
    }
}

/// The command that a part without commands stands for.
fn go_to(part: &CharacterSpec) -> String {
    let place = part.goal.place;
    format!("go to {:.1}, {:.1}", place.x, place.y)
}

/// Speed along a way, over a tenth of a second around each frame.
fn speeds(body: &[Planar], fps: f32) -> Vec<f32> {
    let reach = ((0.05 * fps).round() as usize).max(1);
    let speed = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(body.len() - 1));
        let way = body[from].position.distance(body[to].position);
        if to == from { 0.0 } else { way * fps / (to - from) as f32 }
    };
    (0..body.len()).map(speed).collect()
}

/// Where feet rested, from when they did.
fn footprints(
    character: &Character,
    clip: &Clip,
    frames: &[Vec<Transform>],
    contacts: &Contacts,
) -> Vec<PlannedFootprint> {
    let mut found = Vec::new();
    for (index, (foot, down)) in character.rig.feet.iter().zip(&contacts.feet).enumerate() {
        for stance in down.stance() {
            let middle = (0.5 * (stance.start + stance.end) * clip.fps()).round() as usize;
            let models = &frames[middle.min(frames.len() - 1)];
            let [heel, ball, tip] =
                [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
            let ahead = ball - heel;
            found.push(PlannedFootprint {
                foot: index,
                position: 0.5 * (heel + ball),
                heading: ahead.x.atan2(ahead.z),
                normal: Vec3::Y,
                landing: stance.start,
                take_off: stance.end,
                heel,
                ball,
                tip,
            });
        }
    }
    found.sort_by(|a, b| a.take_off.total_cmp(&b.take_off));
    found
}

impl CharacterTrack {
    fn planned(part: &CharacterSpec, character: Character, plan: PartPlan) -> Self {
        let performance = plan.performance;
        Self {
            name: part.name.clone(),
            character,
            clip: performance.clip.renamed(&part.name),
            contacts: performance.contacts,
            footprints: performance.footprints,
            body: performance.body,
            curvature: performance.curvature,
            running: performance.running,
            speed: performance.speed,
            goal: Some(plan.goal),
        }
    }

    /// Somebody who does nothing, in the rest pose.
    fn standing(
        part: &CharacterSpec,
        character: Character,
        ground: &SceneGround,
    ) -> Result<Self, ClipError> {
        let place = part.start.place;
        let start = Planar::new(place, part.start.heading.unwrap_or(0.0));
        let mut pose = Pose::rest(&character.skeleton);
        let mut placed = start.to_transform();
        placed.translation.y = ground.height_at(place).unwrap_or(0.0);
        pose[0] = placed * pose[0];
        let clip = Clip::new(&part.name, &character.skeleton, 60.0, pose.to_vec())?;
        let goal = Planar::new(part.goal.place, part.goal.heading.unwrap_or(start.heading));
        let feet = vec![Default::default(); character.rig.feet.len()];
        Ok(Self {
            name: part.name.clone(),
            character,
            clip,
            contacts: Contacts { feet },
            footprints: Vec::new(),
            body: vec![start],
            curvature: vec![0.0],
            running: vec![0.0],
            speed: vec![0.0],
            goal: Some(goal),
        })
    }
}
