//! The ground of scenes, as feet meet it and as it is drawn.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_stage::{Scene, built_in_scenes, read_scene};
use andante_world::{Ground, SceneGround, TriangleMesh};
use glam::{Vec2, Vec3, vec2};

/// Area of a polygon, negative where its corners run from z to x.
fn signed_area(outline: &[Vec2]) -> f32 {
    let side = |index: usize| outline[index].perp_dot(outline[(index + 1) % outline.len()]);
    0.5 * (0..outline.len()).map(side).sum::<f32>()
}

/// What triangles cover seen from above; walls stand upright and cover nothing.
fn covered(mesh: &TriangleMesh) -> f32 {
    let flat = |at: Vec3| vec2(at.x, at.z);
    let corners = mesh.triangles.iter().map(|c| c.map(|c| flat(mesh.positions[c as usize])));
    corners.map(|corners| signed_area(&corners).abs()).sum()
}

#[test]
fn feet_meet_the_highest_patch_and_its_hills() {
    let text = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-2, -3], [2, -3], [2, 9], [-2, 9]]\n\
                [[stairs]]\nat = [0, 1]\nwidth = 2\nsteps = 3\nrise = 0.17\nrun = 0.29\n";
    let ground = SceneGround::new(&read_scene(text).unwrap().ground);
    assert_eq!(ground.height_at(vec2(0.0, 0.0)), Some(0.0));
    assert!((ground.height_at(vec2(0.0, 1.1)).unwrap() - 0.17).abs() < 1e-5);
    let under = ground.probe(Vec3::new(0.0, 0.1, 1.1), 1.0).map(|hit| hit.point.y);
    assert_eq!(under, Some(0.0), "below the step");
    assert_eq!(ground.height_at(vec2(30.0, 0.0)), None);
    let hills = Scene::built_in("hills").unwrap();
    let ground = SceneGround::new(&hills.ground);
    let Some(terrain) = &hills.ground[0].terrain else { panic!("hills have a terrain") };
    for place in [vec2(0.0, 0.0), vec2(1.3, 2.7), vec2(-3.0, 9.1)] {
        assert_eq!(ground.height_at(place), terrain.height_at(place));
    }
}

#[test]
fn the_height_alone_is_that_of_the_whole_answer() {
    for built_in in built_in_scenes() {
        let ground = SceneGround::new(&Scene::built_in(built_in.name).unwrap().ground);
        for step in 0..400 {
            let t = step as f32;
            let from = Vec3::new(9.0 * (0.7 * t).sin(), 2.0 * (1.1 * t).cos(), 0.04 * t - 4.0);
            for depth in [0.0, 0.4, f32::INFINITY] {
                let whole = ground.probe(from, depth).map(|hit| hit.point.y);
                let height = ground.height_below(from, depth);
                assert_eq!(height, whole, "{} from {from}", built_in.name);
            }
        }
    }
}

#[test]
fn every_scene_can_be_drawn_as_triangles_that_cover_it() {
    for built_in in built_in_scenes() {
        let scene = Scene::built_in(built_in.name).unwrap();
        let mesh = SceneGround::new(&scene.ground).mesh(0.25).unwrap();
        mesh.validate().unwrap();
        for patch in scene.ground.iter().filter(|patch| patch.terrain.is_none()) {
            let alone = SceneGround::new(std::slice::from_ref(patch)).mesh(0.25).unwrap();
            let whole = signed_area(&patch.platform.outline).abs();
            let (name, covered) = (&patch.platform.name, covered(&alone));
            assert!((covered / whole - 1.0).abs() < 1e-3, "{}: {name}", built_in.name);
        }
    }
}

#[test]
fn hills_are_cut_along_the_rim_of_their_platform() {
    let text = "version = 1\nname = \"x\"\n[[platform]]\nterrain = \"hills:0.1:3\"\n\
                outline = [[0, 0], [4, 0.5], [5, 3], [2, 2], [-1, 5]]\n";
    let scene = read_scene(text).unwrap();
    let mesh = SceneGround::new(&scene.ground).mesh(0.23).unwrap();
    mesh.validate().unwrap();
    let covered = covered(&mesh);
    let whole = signed_area(&scene.ground[0].platform.outline).abs();
    assert!((covered / whole - 1.0).abs() < 0.01, "{covered} of {whole}");
}
