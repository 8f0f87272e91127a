//! Takes of what is planned.

use crate::live::goal_of;
use crate::{CharacterSpec, FPS, PartPlan, Scene, SceneGround};
use andante_body::creature_skin;
use andante_skeleton::{Character, Clip, ClipError, Planar, Pose};
use andante_take::{Event, EventKind, RigidTrack, ScalarCurve, Take, TakeHead, Track};
use std::sync::Arc;

/// A take in which everybody does what was planned; who has no plan stands at the start, and an event says why.
pub fn take_of_plans(
    scene: &Scene,
    seed: u64,
    plans: Vec<(Character, Result<PartPlan, String>)>,
) -> Result<Take, ClipError> {
    let mut take = Take {
        head: scene.take_head(seed),
        tracks: Vec::new(),
        things: Vec::new(),
        events: Vec::new(),
    };
    for (index, (part, (character, plan))) in scene.characters.iter().zip(plans).enumerate() {
        let event = |time: f32, kind: EventKind| Event { time, track: Some(index), kind };
        let place = part.goal.place;
        let words = format!("go to {:.1}, {:.1}", place.x, place.y);
        take.events.push(event(0.0, EventKind::Began(words.clone())));
        let plan = match plan {
            Ok(plan) => {
                let end = plan.performance.seconds();
                take.events.push(event(end, EventKind::Arrived));
                take.events.push(event(end, EventKind::Done(words)));
                Some(plan)
            }
            Err(reason) => {
                take.events.push(event(0.0, EventKind::Failed(format!("{words}: {reason}"))));
                None
            }
        };
        take.tracks.push(track(scene, part, character, plan)?);
    }
    take.events.sort_by(|a, b| a.time.total_cmp(&b.time));
    for platform in &scene.moving {
        let frames = take.tracks.iter().map(|track| track.clip.frame_count()).max().unwrap_or(0);
        let places = (0..frames).map(|frame| platform.at(frame as f32 / FPS)).collect();
        take.things.push(RigidTrack { places, ..platform.thing() });
    }
    Ok(take)
}

/// Somebody who does what was planned, or stands in the rest pose.
fn track(
    scene: &Scene,
    part: &CharacterSpec,
    character: Character,
    plan: Option<PartPlan>,
) -> Result<Track, ClipError> {
    let ground = SceneGround::new(&scene.ground);
    let start = Planar::new(part.start.place, part.start.heading.unwrap_or(0.0));
    let aim = match &plan {
        Some(plan) => plan.goal,
        None => Planar::new(part.goal.place, part.goal.heading.unwrap_or(start.heading)),
    };
    let mut track = Track {
        name: part.name.clone(),
        mesh: creature_skin(&character).map(Arc::new),
        rides: scene.rides(part),
        clip: {
            let mut pose = Pose::rest(&character.skeleton);
            let mut placed = start.to_transform();
            placed.translation.y = ground.height_at(part.start.place).unwrap_or(0.0);
            pose[0] = placed * pose[0];
            Clip::new(&part.name, &character.skeleton, FPS, pose.to_vec())?
        },
        contacts: andante_play::Contacts {
            feet: vec![Default::default(); character.rig.feet.len()],
        },
        footprints: Vec::new(),
        body: vec![start],
        curves: Vec::new(),
        vectors: Vec::new(),
        torques: Vec::new(),
        physical: Vec::new(),
        goal: Some(goal_of(scene, part, aim)),
        character,
    };
    let mut curves = [vec![0.0], vec![0.0], vec![0.0]];
    if let Some(PartPlan { performance, .. }) = plan {
        track.clip = performance.clip.renamed(&part.name);
        track.contacts = performance.contacts;
        track.footprints = performance.footprints;
        track.body = performance.body;
        curves = [performance.speed, performance.curvature, performance.running];
    }
    let named = [("speed", "m/s"), ("curvature", "1/m"), ("running", "")].into_iter().zip(curves);
    track.curves =
        named.map(|((name, unit), values)| ScalarCurve::new(name, unit, values)).collect();
    Ok(track)
}

impl Scene {
    /// What of the scene is the same in every frame of a take.
    pub(crate) fn take_head(&self, seed: u64) -> TakeHead {
        TakeHead {
            name: self.name.clone(),
            about: self.about.clone(),
            seed,
            fps: FPS,
            ground: self.ground.clone(),
            obstacles: self.obstacles.clone(),
        }
    }
}
