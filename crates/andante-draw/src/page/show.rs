//! What a take becomes for the player in a page.

use super::pack::{bytes, floats, shorts, words};
use crate::paint;
use crate::style::{ChartStyle, MapStyle};
use andante_skeleton::{
    Clip, CompactClip, CompactParts, Planar, Skeleton, SkinnedMesh, Vertices, light_capsule_body,
};
use andante_take::{Presence, RigidTrack, TakeFileError, TakeHead, TakeSource, Track, presences};
use andante_world::{Ground, MeshShape, ObstacleShape, SceneGround, TriangleMesh};
use glam::{Vec2, Vec3};
use serde_json::{Value, json};
use std::sync::Arc;

andante_skeleton::settings! {
    /// Settings of the player page: how much of a take goes into it.
    pub struct PageSettings {
        /// Frames per second of the player, which interpolates between them: 60 shows every step, below 15 feet slide
        /// visibly.
        player_fps: f32 = 60.0, 0.0..;
        /// Poses of joints that the player gets at most, of everybody together: each takes eleven bytes. Beyond it the
        /// frame rate is lowered. Ten million make a page of about 100 MB, which browsers still open.
        most_joint_frames: f32 = 4e6, 0.0..;
        /// Frames between points of a way, from 1 to 30.
        way_step: usize = 4;
        /// Triangles of uneven ground are not smaller than this, in metres.
        ground_cell_m: f32 = 0.15, 0.0..;
        /// And not many more than so many.
        most_ground_cells: f32 = 12_000.0, 0.0..;
        /// Points of a chart's curve at most: more are not seen on a screen.
        most_chart_points: usize = 2_000;
        /// How charts look.
        charts: ChartStyle = ChartStyle::default();
        /// How large the map is.
        map: MapStyle = MapStyle::default();
    }
}

impl PageSettings {
    /// Frames per second at which everybody fits.
    pub(crate) fn player_rate(&self, take: &dyn TakeSource) -> f32 {
        // Few skeletons have more joints than people.
        let all: usize = (0..take.names().len()).map(|track| take.frames_of(track)).sum();
        let joints = 24.0 * all as f32 * self.player_fps / take.head().fps;
        self.player_fps * (self.most_joint_frames / joints.max(1.0)).min(1.0)
    }

    /// How far apart the corners of ground are.
    pub(crate) fn ground_cell(&self, head: &TakeHead) -> f32 {
        let area = |outline: &[Vec2]| {
            let low = outline.iter().copied().fold(Vec2::INFINITY, Vec2::min);
            let high = outline.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
            (high - low).element_product()
        };
        let uneven = head.ground.iter().filter(|patch| patch.terrain.is_some());
        let whole: f32 = uneven.map(|patch| area(&patch.platform.outline)).sum();
        (whole / self.most_ground_cells).sqrt().max(self.ground_cell_m)
    }
}

/// A world and who moves in it, as `player.js` reads it: arrays are little-endian bytes in base64.
#[derive(Clone, Debug)]
pub struct Show {
    pub(super) data: Value,
    pub(super) names: Vec<String>,
}

impl Show {
    /// Everything that happens in a take, track by track. Long takes of many are shown with fewer frames a second, so
    /// that the page stays small enough for a browser.
    pub fn of_take(take: &dyn TakeSource, settings: &PageSettings) -> Result<Self, TakeFileError> {
        let head = take.head();
        let ground = SceneGround::new(&head.ground);
        let (mut known, mut bodies) =
            (Vec::<(Skeleton, Option<Arc<SkinnedMesh>>)>::new(), Vec::new());
        let (mut actors, mut tallest) = (Vec::new(), 0.1f32);
        let count = take.names().len();
        let rate = settings.player_rate(take);
        for index in 0..count {
            let track = take.track(index)?;
            let skeleton = &track.character.skeleton;
            let same = |(own, mesh): &(Skeleton, Option<Arc<SkinnedMesh>>)| {
                own == skeleton && *mesh == track.mesh
            };
            let body = known.iter().position(same).unwrap_or_else(|| {
                known.push((skeleton.clone(), track.mesh.clone()));
                let generated = || light_capsule_body(skeleton);
                bodies.push(mesh(&track.mesh.as_deref().cloned().unwrap_or_else(generated)));
                bodies.len() - 1
            });
            tallest = tallest.max(size(skeleton));
            let mut actor = actor(&track.name, skeleton, &track.clip, body, rate);
            add_feet(&mut actor, &track);
            add_way(&mut actor, &track, &ground, settings);
            actors.push(actor);
        }
        let mut forms: Vec<Arc<MeshShape>> = Vec::new();
        let things: Vec<Value> =
            presences(take).iter().map(|presence| thing(presence, &mut forms)).collect();
        let mut forms: Vec<Value> =
            forms.iter().map(|form| surface_data(&form.surface())).collect();
        let props: Vec<Value> = take
            .things()
            .iter()
            .map(|thing| {
                forms.push(surface_data(&thing.mesh));
                moving_thing(thing, forms.len() - 1, head.fps)
            })
            .collect();
        let events: Vec<Value> = take
            .events()
            .iter()
            .map(|event| json!({ "time": event.time, "track": event.track }))
            .collect();
        let surface = ground.mesh(settings.ground_cell(head)).unwrap_or_default();
        let data = json!({
            "seconds": take.seconds(), "size": tallest,
            "bodies": bodies, "actors": actors, "forms": forms, "things": things, "props": props,
            "events": events, "ground": surface_data(&surface), "floor": null,
        });
        Ok(Self { data, names: take.names().into_iter().map(str::to_owned).collect() })
    }

    /// One motion with a body of its own, on an endless floor.
    pub fn of_clip(skeleton: &Skeleton, clip: &Clip, body: &SkinnedMesh) -> Self {
        let data = json!({
            "seconds": clip.duration(), "size": size(skeleton),
            "bodies": [mesh(body)], "actors": [actor(clip.name(), skeleton, clip, 0, PageSettings::default().player_fps)],
            "forms": [], "things": [], "props": [], "events": [], "ground": null,
            "floor": lowest(skeleton, clip, body),
        });
        Self { data, names: vec![clip.name().to_owned()] }
    }
}

/// Height of somebody: what the camera has to hold.
fn size(skeleton: &Skeleton) -> f32 {
    let (low, high) = skeleton.rest_bounds();
    (high - low).max_element()
}

/// A motion: what does not move once, the rest as 16-bit rotations and single-precision translations.
fn actor(name: &str, skeleton: &Skeleton, clip: &Clip, body: usize, rate: f32) -> Value {
    let slower = if clip.fps() > rate { clip.resampled(rate).ok() } else { None };
    let parts = CompactClip::new(slower.as_ref().unwrap_or(clip)).parts();
    let (moving, translations) = movers(&parts);
    let parents: Vec<i32> =
        skeleton.joints().iter().map(|joint| joint.parent.map_or(-1, |p| p as i32)).collect();
    let still = parts.still.iter().flat_map(|joint| {
        let (rotation, translation) = (joint.rotation.to_array(), joint.translation.to_array());
        rotation.into_iter().chain(translation)
    });
    let tips = skeleton.joints().iter().map(|joint| joint.tip.map(|tip| tip.to_array()));
    json!({
        "name": name, "body": body, "fps": parts.fps, "frames": parts.frames,
        "parents": parents, "still": floats(still), "turning": parts.turning, "moving": moving,
        "tips": tips.collect::<Vec<_>>(),
        "rotations": shorts(parts.rotations.iter().flatten().copied()),
        "translations": floats(translations.iter().flat_map(|place| place.to_array())),
    })
}

/// Joints that move visibly in their parents, and where they are: bones whose lengths differ by rounding stay as they are.
fn movers(parts: &CompactParts) -> (Vec<u16>, Vec<Vec3>) {
    const VISIBLE: f32 = 2e-4;
    let count = parts.moving.len().max(1);
    let moves = |column: &usize| {
        let still = parts.still[usize::from(parts.moving[*column])].translation;
        let mut places = parts.translations.iter().skip(*column).step_by(count);
        places.any(|place| place.distance(still) > VISIBLE)
    };
    let columns: Vec<usize> = (0..parts.moving.len()).filter(moves).collect();
    let rows = parts.translations.chunks_exact(count);
    let places = rows.flat_map(|row| columns.iter().map(|column| row[*column])).collect();
    (columns.iter().map(|column| parts.moving[*column]).collect(), places)
}

/// Footprints, contacts and where soles are.
fn add_feet(actor: &mut Value, track: &Track) {
    let prints = track.footprints.iter().flat_map(|print| {
        let side = track.character.rig.feet.get(print.foot).map(|foot| foot.side as u8);
        let times = [f32::from(side.unwrap_or(2)), print.landing, print.take_off];
        let places = [print.heel, print.tip, print.normal].map(|point| point.to_array());
        times.into_iter().chain(places.into_iter().flatten())
    });
    actor["prints"] = json!(floats(prints));
    let feet = track.character.rig.feet.iter().zip(&track.contacts.feet).map(|(foot, contact)| {
        let spans = |intervals: &[andante_play::Interval]| {
            floats(intervals.iter().flat_map(|interval| [interval.start, interval.end]))
        };
        json!({
            "side": foot.side as u8,
            "points": [
                { "joint": foot.heel.joint, "offset": foot.heel.offset.to_array(), "down": spans(&contact.heel) },
                { "joint": foot.ball.joint, "offset": foot.ball.offset.to_array(), "down": spans(&contact.toe) },
            ],
        })
    });
    actor["feet"] = feet.collect();
}

/// The way of the body on the ground, and where it was to end.
fn add_way(actor: &mut Value, track: &Track, ground: &SceneGround, settings: &PageSettings) {
    let mut height = None;
    let mut on_ground = |place: Vec2, from: f32| {
        let hit = ground.probe(Vec3::new(place.x, from, place.y), 6.0);
        // Over a gap the way stays as high as it was.
        height = hit.map(|hit| hit.point.y).or(height);
        [place.x, height.unwrap_or(0.0), place.y]
    };
    let hips = track.character.rig.hips;
    let last = track.body.len().saturating_sub(1);
    let frames =
        (0..track.body.len()).filter(|frame| frame % settings.way_step == 0 || *frame == last);
    let mut models = track.clip.frame(0).to_vec();
    let points: Vec<f32> = frames
        .flat_map(|frame| {
            track.character.skeleton.local_to_model(track.clip.frame(frame), &mut models);
            on_ground(track.body[frame].position, models[hips].translation.y)
        })
        .collect();
    let end = points.last_chunk::<3>().map_or(0.0, |point| point[1]);
    actor["way"] = json!(floats(points));
    if let Some(goal) = &track.goal {
        let Planar { position, heading } = goal.place;
        actor["goal"] = json!([position.x, goal.height.unwrap_or(end), position.y, heading]);
    }
}

/// An obstacle as a unit box, a unit cylinder or one of the forms, stretched and placed.
fn thing(presence: &Presence, forms: &mut Vec<Arc<MeshShape>>) -> Value {
    let obstacle = &presence.obstacle;
    let (form, size) = match &obstacle.shape {
        ObstacleShape::Box(size) => (json!("box"), *size),
        ObstacleShape::Cylinder { radius, height } => {
            (json!("post"), Vec3::new(2.0 * radius, *height, 2.0 * radius))
        }
        ObstacleShape::Mesh(mesh) => {
            let known = forms.iter().position(|form| form == mesh);
            let form = known.unwrap_or_else(|| {
                forms.push(mesh.clone());
                forms.len() - 1
            });
            (json!(form), Vec3::ONE)
        }
    };
    json!({
        "name": obstacle.name, "form": form, "size": size.to_array(), "at": obstacle.at.to_array(),
        "heading": obstacle.heading, "from": presence.from,
        "until": if presence.until.is_finite() { json!(presence.until) } else { Value::Null },
    })
}

/// A thing that moves by itself: a form, when it comes, and rotation and place in each frame since then.
fn moving_thing(prop: &RigidTrack, form: usize, fps: f32) -> Value {
    let places = prop.places.iter().flat_map(|place| {
        place.rotation.to_array().into_iter().chain(place.translation.to_array())
    });
    json!({
        "name": prop.name, "form": form, "from": prop.from, "fps": fps,
        "places": floats(places),
    })
}

/// Triangles with 16-bit positions within their bounds.
fn surface_data(mesh: &TriangleMesh) -> Value {
    if mesh.triangles.is_empty() {
        return Value::Null;
    }
    let smooth = mesh.smooth_normals();
    let normals = if mesh.normals.is_empty() { &smooth } else { &mesh.normals };
    let mut data = packed(&mesh.positions, normals);
    data["indices"] = json!(words(mesh.triangles.as_flattened(), mesh.positions.len()));
    data["wide"] = json!(mesh.positions.len() > usize::from(u16::MAX));
    data
}

/// Positions as 16-bit fractions of a box, normals as bytes.
fn packed(positions: &[Vec3], normals: &[Vec3]) -> Value {
    let low = positions.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = positions.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    let size = (high - low).max(Vec3::splat(1e-6));
    let place = |position: &Vec3| {
        let part = ((*position - low) / size * 65_535.0).round();
        // Four numbers each: rows are aligned.
        [part.x as u16 as i16, part.y as u16 as i16, part.z as u16 as i16, 0]
    };
    let normal = |normal: &Vec3| {
        let [x, y, z] = normal.to_array().map(|part| (part.clamp(-1.0, 1.0) * 127.0) as i8 as u8);
        [x, y, z, 0]
    };
    json!({
        "low": low.to_array(), "extent": size.to_array(),
        "positions": shorts(positions.iter().flat_map(place)),
        "normals": bytes(normals.iter().flat_map(normal)),
    })
}

/// A body: all parts as one list of triangles, coloured by their materials.
fn mesh(mesh: &SkinnedMesh) -> Value {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let (mut colors, mut joints, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    let mut indices: Vec<u32> = Vec::new();
    for part in &mesh.primitives {
        let vertices = &part.vertices;
        let first = positions.len() as u32;
        positions.extend(&vertices.positions);
        match vertices.normals.is_empty() {
            true => {
                let (positions, triangles) =
                    (vertices.positions.clone(), part.indices.as_chunks().0);
                let surface = TriangleMesh {
                    positions,
                    triangles: triangles.to_vec(),
                    ..TriangleMesh::default()
                };
                normals.extend(surface.smooth_normals());
            }
            false => normals.extend(&vertices.normals),
        }
        for (index, color) in paint::colors(mesh, part).into_iter().enumerate() {
            colors.extend(color.map(byte));
            joints.extend(vertices.joints[index].map(|joint| joint as i16));
            weights.extend(vertices.weights[index].map(byte));
        }
        indices.extend(part.indices.iter().map(|index| index + first));
    }
    let mut data = packed(&positions, &normals);
    data["indices"] = json!(words(&indices, positions.len()));
    data["wide"] = json!(positions.len() > usize::from(u16::MAX));
    data["colors"] = json!(bytes(colors));
    data["joints"] = json!(shorts(joints));
    data["weights"] = json!(bytes(weights));
    let rows = mesh.inverse_binds.iter().flat_map(|bind| [bind.row(0), bind.row(1), bind.row(2)]);
    data["binds"] = json!(floats(rows.flat_map(|row| row.to_array())));
    data
}

/// The floor under a motion: the lowest vertex, the median over a few frames, so that a foot that dips into the floor once
/// does not lower it.
fn lowest(skeleton: &Skeleton, clip: &Clip, mesh: &SkinnedMesh) -> f32 {
    let step = (clip.frame_count() / 12).max(1);
    let mut models = clip.frame(0).to_vec();
    let mut heights: Vec<f32> = Vec::new();
    for pose in clip.frames().step_by(step) {
        skeleton.local_to_model(pose, &mut models);
        let height = |vertices: &Vertices| {
            let heights =
                (0..vertices.positions.len()).map(|vertex| mesh.skin(vertices, vertex, &models).y);
            heights.fold(f32::MAX, f32::min)
        };
        let parts = mesh.primitives.iter().map(|part| height(&part.vertices));
        heights.push(parts.fold(f32::MAX, f32::min));
    }
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 2).copied().filter(|height| *height < f32::MAX).unwrap_or(0.0)
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}
