//! Takes of single motions.

use crate::{ScalarCurve, Take, TakeHead, Track};
use andante_play::Contacts;
use andante_skeleton::{Character, Clip, Planar, PlannedFootprint, Transform};
use andante_world::{GroundPatch, Platform, Terrain};
use glam::{Vec2, Vec3, Vec3Swizzles};

/// Room around a motion that is put on ground of its own, in metres.
const ROOM: f32 = 3.0;

impl Take {
    /// A motion of its own, on a terrain or on level ground below its feet.
    pub fn of_clip(
        character: &Character,
        clip: &Clip,
        contacts: Contacts,
        terrain: Option<&Terrain>,
    ) -> Self {
        let frames = andante_skeleton::model_frames(&character.skeleton, clip);
        let points = || frames.iter().flatten().map(|model| model.translation);
        let low = points().fold(Vec3::INFINITY, Vec3::min);
        let high = points().fold(Vec3::NEG_INFINITY, Vec3::max);
        let rests = contacts.footfalls(&character.skeleton, &character.rig, clip);
        let heights = rests.iter().map(|point| point.y);
        // Feet rest on it; without any the lowest joint lies on it.
        let height =
            if rests.is_empty() { low.y } else { heights.sum::<f32>() / rests.len() as f32 };
        let patch = ground_around([low, high], height, terrain);
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
        let curves = vec![ScalarCurve::new("speed", "m/s", speed)];
        let track = Track { footprints, curves, body, ..Track::of_clip(character, clip, contacts) };
        let ground = vec![patch];
        let head = TakeHead {
            name: clip.name().to_owned(),
            fps: clip.fps(),
            ground,
            ..TakeHead::default()
        };
        Self { head, tracks: vec![track], things: Vec::new(), events: Vec::new() }
    }
}

impl Track {
    /// A motion of its own and its contacts; nothing is measured, so that there are no curves, footprints and places.
    pub fn of_clip(character: &Character, clip: &Clip, contacts: Contacts) -> Self {
        Self {
            name: character.name.clone(),
            character: character.clone(),
            mesh: None,
            rides: None,
            drive: None,
            clip: clip.clone().renamed(&character.name),
            contacts,
            footprints: Vec::new(),
            body: Vec::new(),
            curves: Vec::new(),
            vectors: Vec::new(),
            torques: Vec::new(),
            physical: Vec::new(),
            goal: None,
        }
    }
}

/// Ground with room around two corners: a terrain, or level at a height.
pub fn ground_around(
    [low, high]: [Vec3; 2],
    height: f32,
    terrain: Option<&Terrain>,
) -> GroundPatch {
    let (low, high) = (low.xz() - ROOM, high.xz() + ROOM);
    let corners = vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    let height = if terrain.is_some() { 0.0 } else { height };
    let platform = Platform::level("ground", corners, height);
    GroundPatch { platform, terrain: terrain.cloned() }
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
            let sole = [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
            let times = [stance.start, stance.end];
            found.push(PlannedFootprint::of_sole(index, sole, Vec3::Y, times));
        }
    }
    found.sort_by(|a, b| a.take_off.total_cmp(&b.take_off));
    found
}
