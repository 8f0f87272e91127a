//! `andante run`.

use super::plan::{exit, json_of, picture, planned, scene, summary};
use crate::args::RunArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::Report;
use andante_formats::gltf::{StaticMesh, WriteOptions};
use andante_formats::{Asset, write_atomically, write_file};
use andante_stage::{Scene, SceneGround};
use andante_world::{Footprint, Obstacle, TriangleMesh};
use glam::{Vec2, Vec3};
use std::path::PathBuf;

/// Size of the triangles of ground that is written, in metres.
const CELL: f32 = 0.15;

pub fn run(args: &RunArgs, _: &Context) -> Result<Report, Failure> {
    let scene = scene(&args.scene)?;
    let planned = planned(&scene)?;
    let directory = args.output.clone().unwrap_or_else(|| PathBuf::from("out").join(&scene.name));
    std::fs::create_dir_all(&directory).map_err(|error| Failure::write(&directory, &error))?;
    let mut text = summary(&scene, &planned);
    let mut written = Vec::new();
    let several = scene.characters.len() > 1;
    for (part, planned) in scene.characters.iter().zip(&planned) {
        let Ok(plan) = &planned.plan else { continue };
        let stem = if several {
            format!("take-{}", part.name.replace(|c: char| !c.is_alphanumeric(), "-"))
        } else {
            "take".into()
        };
        let asset = Asset::new(
            planned.character.skeleton.clone(),
            vec![plan.performance.clip.clone().renamed(&part.name)],
        );
        let options = WriteOptions { extra: world(&scene)?, ..WriteOptions::default() };
        for extension in ["glb", "bvh"] {
            written.extend(write_file(
                &directory.join(format!("{stem}.{extension}")),
                &asset,
                &options,
            )?);
        }
    }
    let json = json_of(&scene, &planned);
    for (name, content) in
        [("plan.svg", picture(&scene, &planned)), ("metrics.json", format!("{json:#}\n"))]
    {
        let path = directory.join(name);
        write_atomically(&path, content.as_bytes())
            .map_err(|error| Failure::write(&path, &error))?;
        written.push(path);
    }
    for path in &written {
        text.push_str(&format!("written to {}\n", path.display()));
    }
    Ok(Report { text, json, exit: exit(&planned) })
}

/// The ground and what stands on it.
fn world(scene: &Scene) -> Result<Vec<StaticMesh>, Failure> {
    let ground = SceneGround::new(scene)
        .mesh(CELL)
        .map_err(|error| Failure::new(format!("{}: {error}", scene.name)))?;
    let mut meshes = vec![ground.to_static("ground", [0.35, 0.42, 0.3, 1.0])];
    meshes.extend(
        scene
            .obstacles
            .iter()
            .map(|obstacle| prism(obstacle).to_static(&obstacle.name, [0.5, 0.47, 0.42, 1.0])),
    );
    Ok(meshes)
}

/// An obstacle as triangles.
fn prism(obstacle: &Obstacle) -> TriangleMesh {
    const ROUND: usize = 24;
    let corners: Vec<Vec2> = match obstacle.footprint() {
        Footprint::Outline(corners) => corners,
        Footprint::Disc { at, radius } => (0..ROUND)
            .map(|turn| {
                at + radius * Vec2::from_angle(turn as f32 * std::f32::consts::TAU / ROUND as f32)
            })
            .collect(),
    };
    let mut mesh = TriangleMesh::default();
    let at = |place: Vec2, height: f32| Vec3::new(place.x, height, place.y);
    let (bottom, top) = (obstacle.bottom(), obstacle.top());
    let count = corners.len();
    mesh.positions.extend(corners.iter().flat_map(|&corner| [at(corner, bottom), at(corner, top)]));
    let index = |corner: usize, upper: u32| 2 * (corner % count) as u32 + upper;
    for corner in 0..count {
        // Counter-clockwise from outside: corners run from x to z, which is clockwise seen from above.
        mesh.triangles.push([index(corner, 0), index(corner, 1), index(corner + 1, 1)]);
        mesh.triangles.push([index(corner, 0), index(corner + 1, 1), index(corner + 1, 0)]);
        if corner > 0 && corner + 1 < count {
            mesh.triangles.push([index(0, 1), index(corner + 1, 1), index(corner, 1)]);
            mesh.triangles.push([index(0, 0), index(corner, 0), index(corner + 1, 0)]);
        }
    }
    mesh
}
