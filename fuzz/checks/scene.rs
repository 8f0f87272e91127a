//! Any bytes as a scene file.

use andante_stage::{SceneGround, read_scene};

/// Reads the bytes; the ground of what can be read is somewhere, and characters stand in finite places.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let scene = match read_scene(text) {
        Ok(scene) => scene,
        Err(error) => {
            let _ = (error.to_string(), error.detail());
            return;
        }
    };
    let ground = SceneGround::new(&scene.ground);
    let corners = scene.ground.iter().flat_map(|patch| &patch.platform.outline);
    let posts = scene.characters.iter().flat_map(|part| [part.start.place, part.goal.place]);
    for place in corners.copied().chain(posts) {
        assert!(place.is_finite());
        assert!(ground.height_at(place).is_none_or(f32::is_finite), "no height at {place}");
    }
}
