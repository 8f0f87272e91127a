//! What a motion becomes for the player in a page.

use andante_skeleton::{Clip, Skeleton, SkinnedMesh};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use glam::Vec3;
use serde_json::{Value, json};

/// Frames per second that a player needs; it interpolates between them.
const PLAYER_FPS: f32 = 60.0;

/// The document that `player.js` reads. Rotations are 16-bit fractions, positions 16-bit multiples of
/// `unit` around the frame's root; arrays are little-endian bytes in base64.
pub(crate) fn player_data(skeleton: &Skeleton, clip: &Clip, mesh: &SkinnedMesh) -> Value {
    let slower = if clip.fps() > PLAYER_FPS { clip.resampled(PLAYER_FPS).ok() } else { None };
    let clip = slower.as_ref().unwrap_or(clip);

    let mut models = clip.frame(0).to_vec();
    let (mut low, mut high) = (Vec3::splat(f32::MAX), Vec3::splat(f32::MIN));
    let mut farthest = 1e-6f32;
    for pose in clip.frames() {
        skeleton.local_to_model(pose, &mut models);
        for (joint, model) in skeleton.joints().iter().zip(&models) {
            let tip = joint.tip.map(|tip| model.transform_point(tip));
            for point in std::iter::once(model.translation).chain(tip) {
                low = low.min(point);
                high = high.max(point);
            }
            let offset = model.translation - models[0].translation;
            farthest = farthest.max(offset.abs().max_element());
        }
    }
    let unit = farthest / 32_767.0;
    let mut origins = Vec::new();
    let (mut positions, mut rotations) = (Vec::new(), Vec::new());
    for pose in clip.frames() {
        skeleton.local_to_model(pose, &mut models);
        let origin = models[0].translation;
        origins.push(origin.to_array());
        for model in &models {
            let offset = (model.translation - origin) / unit;
            positions.extend(offset.to_array().map(|value| value.round() as i16));
            rotations
                .extend(model.rotation.to_array().map(|value| (value * 32_767.0).round() as i16));
        }
    }
    // The lowest point of a body is below its joints: soles are where the mesh ends in the first frame.
    let ground = lowest(skeleton, clip, mesh).unwrap_or(low.y);
    // What the camera has to hold: the height, or the length of an animal.
    let size = (high.y - ground).max(1.2 * farthest).max(0.1);
    let binds: Vec<f32> = mesh
        .inverse_binds
        .iter()
        .flat_map(|bind| [bind.row(0), bind.row(1), bind.row(2)])
        .flat_map(|row| row.to_array())
        .collect();
    json!({
        "fps": clip.fps(),
        "joints": skeleton.len(),
        "unit": unit,
        "size": size,
        "ground": ground,
        // A metre for people, more for what is larger.
        "spacing": 10f32.powf((size / 1.75).log10().round()),
        "origins": origins,
        "positions": encode(positions.iter().flat_map(|value| value.to_le_bytes())),
        "rotations": encode(rotations.iter().flat_map(|value| value.to_le_bytes())),
        "binds": encode(binds.iter().flat_map(|value| value.to_le_bytes())),
        "mesh": mesh_data(mesh),
    })
}

/// All parts as one list of triangles, coloured by their materials.
fn mesh_data(mesh: &SkinnedMesh) -> Value {
    let (mut positions, mut normals, mut colors) = (Vec::new(), Vec::new(), Vec::new());
    let (mut joints, mut weights, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    let mut first = 0u32;
    for part in &mesh.primitives {
        let vertices = &part.vertices;
        let base = part.material.and_then(|index| mesh.materials.get(index)).map_or(
            [0.8; 4],
            |material| {
                // A texture is not shown; its usual tint is not white.
                if material.base_color_texture.is_some() {
                    [0.62, 0.55, 0.46, 1.0]
                } else {
                    material.base_color
                }
            },
        );
        let smooth = if vertices.normals.is_empty() {
            flat_normals(vertices, &part.indices)
        } else {
            vertices.normals.clone()
        };
        for (index, position) in vertices.positions.iter().enumerate() {
            positions.extend(position.to_array().into_iter().flat_map(f32::to_le_bytes));
            let normal = smooth.get(index).copied().unwrap_or(Vec3::Y);
            normals.extend(
                normal.to_array().map(|value| (value.clamp(-1.0, 1.0) * 127.0) as i8 as u8),
            );
            normals.push(0);
            let own = vertices.colors.get(index).copied().unwrap_or([1.0; 4]);
            colors.extend((0..4).map(|k| byte(base[k] * own[k])));
            joints.extend(vertices.joints[index].into_iter().flat_map(u16::to_le_bytes));
            weights.extend(vertices.weights[index].map(byte));
        }
        indices.extend(part.indices.iter().flat_map(|index| (index + first).to_le_bytes()));
        first += vertices.positions.len() as u32;
    }
    json!({
        "positions": encode(positions), "normals": encode(normals), "colors": encode(colors),
        "joints": encode(joints), "weights": encode(weights), "indices": encode(indices),
    })
}

/// Area-weighted normals for meshes that have none.
fn flat_normals(vertices: &andante_skeleton::Vertices, indices: &[u32]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; vertices.positions.len()];
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| vertices.positions[triangle[k] as usize]);
        for &index in triangle {
            normals[index as usize] += (b - a).cross(c - a);
        }
    }
    normals.iter().map(|normal| normal.normalize_or(Vec3::Y)).collect()
}

/// The lowest vertex over a few frames.
fn lowest(skeleton: &Skeleton, clip: &Clip, mesh: &SkinnedMesh) -> Option<f32> {
    let step = (clip.frame_count() / 12).max(1);
    let mut models = clip.frame(0).to_vec();
    let mut heights: Vec<f32> = Vec::new();
    for pose in clip.frames().step_by(step) {
        skeleton.local_to_model(pose, &mut models);
        let height = |vertices: &andante_skeleton::Vertices| {
            (0..vertices.positions.len())
                .map(|vertex| mesh.skin(vertices, vertex, &models).y)
                .fold(f32::MAX, f32::min)
        };
        heights.push(
            mesh.primitives.iter().map(|part| height(&part.vertices)).fold(f32::MAX, f32::min),
        );
    }
    // The median: a foot that dips into the floor once does not lower it.
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 2).copied().filter(|height| *height < f32::MAX)
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn encode(bytes: impl IntoIterator<Item = u8>) -> String {
    STANDARD.encode(bytes.into_iter().collect::<Vec<u8>>())
}
