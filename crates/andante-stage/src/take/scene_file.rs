//! The scene of a take in its file.

use super::file::{Read, invalid};
use super::orders_file;
use crate::{BodyDrive, CharacterSpec, GroundPatch, MovingPlatform, Scene, Waypoint};
use andante_play::archive::{ArchiveError, ArchiveReader, ArchiveWriter};
use andante_world::{
    Area, MeshShape, Obstacle, ObstacleShape, Platform, Terrain, TerrainParts, TriangleMesh,
};
use glam::{Vec2, Vec3};
use std::sync::Arc;

pub(super) fn write(writer: &mut ArchiveWriter, scene: &Scene) -> Read<()> {
    let Scene { name, about, ground, obstacles, moving, characters, orders, settings: _ } = scene;
    writer.string(name);
    writer.string(about);
    writer.count(ground.len());
    for patch in ground {
        write_patch(writer, patch)?;
    }
    writer.count(obstacles.len());
    for obstacle in obstacles {
        write_obstacle(writer, obstacle);
    }
    writer.count(moving.len());
    moving.iter().for_each(|platform| write_moving(writer, platform));
    writer.count(characters.len());
    for part in characters {
        write_part(writer, part);
    }
    orders_file::write(writer, orders);
    Ok(())
}

pub(super) fn read(reader: &mut ArchiveReader) -> Read<Scene> {
    let (name, about) = (reader.string()?, reader.string()?);
    let count = reader.count(4 + 4 + 12 + 1)?;
    let ground = (0..count).map(|_| read_patch(reader)).collect::<Read<_>>()?;
    let count = reader.count(4 + 1 + 8 + 16)?;
    let obstacles = (0..count).map(|_| read_obstacle(reader)).collect::<Read<_>>()?;
    let count = reader.count(4 + 12 + 4 + 12 + 1)?;
    let moving = (0..count).map(|_| read_moving(reader)).collect::<Read<_>>()?;
    let characters = reader.list(4 + 4 + 1 + 1 + 20 + 3, read_part)?;
    let orders = orders_file::read(reader)?;
    let settings = Default::default();
    Ok(Scene { name, about, ground, obstacles, moving, characters, orders, settings })
}

fn write_patch(writer: &mut ArchiveWriter, patch: &GroundPatch) -> Read<()> {
    let Platform { name, outline, height, slope } = &patch.platform;
    writer.string(name);
    writer.count(outline.len());
    outline.iter().for_each(|corner| writer.vec2(*corner));
    writer.f32(*height);
    writer.vec2(*slope);
    let Some(terrain) = &patch.terrain else {
        writer.u8(0);
        return Ok(());
    };
    let low = outline.iter().copied().fold(Vec2::INFINITY, Vec2::min);
    let high = outline.iter().copied().fold(Vec2::NEG_INFINITY, Vec2::max);
    write_terrain(writer, &terrain.to_parts(Area::new(low, high))?);
    Ok(())
}

fn read_patch(reader: &mut ArchiveReader) -> Read<GroundPatch> {
    let name = reader.string()?;
    let outline = reader.list(8, ArchiveReader::vec2)?;
    let platform = Platform { name, outline, height: reader.f32()?, slope: reader.vec2()? };
    if platform.outline.len() < 3 {
        return invalid("ground with fewer than three corners");
    }
    Ok(GroundPatch { platform, terrain: read_terrain(reader)? })
}

fn write_terrain(writer: &mut ArchiveWriter, parts: &TerrainParts) {
    match parts {
        TerrainParts::Slope { gradient } => {
            writer.u8(1);
            writer.vec2(*gradient);
        }
        TerrainParts::Stairs { rise_run_start } => {
            writer.u8(2);
            rise_run_start.iter().for_each(|number| writer.f32(*number));
        }
        TerrainParts::Hills { amplitude, wave } => {
            writer.u8(3);
            writer.f32(*amplitude);
            writer.vec2(*wave);
        }
        TerrainParts::Bumps { scale, steepest, bumps } => {
            writer.u8(4);
            writer.vec3(*scale);
            writer.f32(*steepest);
            writer.count(bumps.len());
            bumps.as_flattened().iter().for_each(|number| writer.f32(*number));
        }
        TerrainParts::Profile { direction, offset, knots, tangents } => {
            writer.u8(5);
            writer.vec2(*direction);
            writer.f32(*offset);
            writer.count(knots.len());
            knots.iter().for_each(|knot| writer.vec2(*knot));
            writer.count(tangents.len());
            tangents.iter().for_each(|tangent| writer.f32(*tangent));
        }
        TerrainParts::Grid { origin, cell, columns, heights } => {
            writer.u8(6);
            writer.vec2(*origin);
            writer.vec2(*cell);
            writer.count(*columns);
            writer.count(heights.len());
            // Holes are not numbers.
            heights.iter().for_each(|height| writer.u32(height.to_bits()));
        }
        TerrainParts::Mesh(mesh) => {
            writer.u8(7);
            write_mesh(writer, mesh);
        }
    }
}

fn write_mesh(writer: &mut ArchiveWriter, mesh: &TriangleMesh) {
    for points in [&mesh.positions, &mesh.normals] {
        writer.count(points.len());
        points.iter().for_each(|point| writer.vec3(*point));
    }
    writer.count(mesh.triangles.len());
    mesh.triangles.as_flattened().iter().for_each(|vertex| writer.u32(*vertex));
}

fn read_mesh(reader: &mut ArchiveReader) -> Read<TriangleMesh> {
    let (positions, normals) =
        (reader.list(12, ArchiveReader::vec3)?, reader.list(12, ArchiveReader::vec3)?);
    let triangle = |reader: &mut ArchiveReader| Ok([reader.u32()?, reader.u32()?, reader.u32()?]);
    Ok(TriangleMesh { positions, normals, triangles: reader.list(12, triangle)? })
}

fn read_terrain(reader: &mut ArchiveReader) -> Read<Option<Terrain>> {
    let parts = match reader.u8()? {
        0 => return Ok(None),
        1 => TerrainParts::Slope { gradient: reader.vec2()? },
        2 => TerrainParts::Stairs { rise_run_start: numbers(reader)? },
        3 => TerrainParts::Hills { amplitude: reader.f32()?, wave: reader.vec2()? },
        4 => TerrainParts::Bumps {
            scale: reader.vec3()?,
            steepest: reader.f32()?,
            bumps: reader.list(20, numbers)?,
        },
        5 => TerrainParts::Profile {
            direction: reader.vec2()?,
            offset: reader.f32()?,
            knots: reader.list(8, ArchiveReader::vec2)?,
            tangents: reader.list(4, ArchiveReader::f32)?,
        },
        6 => TerrainParts::Grid {
            origin: reader.vec2()?,
            cell: reader.vec2()?,
            columns: reader.u32()? as usize,
            heights: reader.list(4, |reader| Ok(f32::from_bits(reader.u32()?)))?,
        },
        7 => TerrainParts::Mesh(read_mesh(reader)?),
        _ => return invalid("ground of no known kind"),
    };
    Ok(Some(Terrain::from_parts(parts)?))
}

fn numbers<const N: usize>(reader: &mut ArchiveReader) -> Result<[f32; N], ArchiveError> {
    let mut numbers = [0.0; N];
    for number in &mut numbers {
        *number = reader.f32()?;
    }
    Ok(numbers)
}

pub(super) fn write_obstacle(writer: &mut ArchiveWriter, obstacle: &Obstacle) {
    writer.string(&obstacle.name);
    match &obstacle.shape {
        ObstacleShape::Box(size) => {
            writer.u8(0);
            writer.vec3(*size);
        }
        ObstacleShape::Cylinder { radius, height } => {
            writer.u8(1);
            writer.vec2(Vec2::new(*radius, *height));
        }
        ObstacleShape::Mesh(mesh) => {
            writer.u8(2);
            write_mesh(writer, mesh.triangles());
        }
    }
    writer.vec3(obstacle.at);
    writer.f32(obstacle.heading);
}

pub(super) fn read_obstacle(reader: &mut ArchiveReader) -> Read<Obstacle> {
    let name = reader.string()?;
    let shape = match reader.u8()? {
        0 => ObstacleShape::Box(reader.vec3()?),
        1 => ObstacleShape::Cylinder { radius: reader.f32()?, height: reader.f32()? },
        2 => match MeshShape::new(read_mesh(reader)?) {
            Ok(mesh) => ObstacleShape::Mesh(Arc::new(mesh)),
            Err(_) => return invalid("an obstacle of triangles that are none"),
        },
        _ => return invalid("an obstacle of no known shape"),
    };
    let at: Vec3 = reader.vec3()?;
    Ok(Obstacle { name, shape, at, heading: reader.f32()? })
}

fn write_moving(writer: &mut ArchiveWriter, platform: &MovingPlatform) {
    let MovingPlatform { name, size, stops, speed, acceleration, wait, round } = platform;
    writer.string(name);
    writer.vec3(*size);
    writer.count(stops.len());
    for (at, heading) in stops {
        writer.vec3(*at);
        writer.f32(*heading);
    }
    for number in [speed, acceleration, wait] {
        writer.f32(*number);
    }
    writer.u8(u8::from(*round));
}

fn read_moving(reader: &mut ArchiveReader) -> Read<MovingPlatform> {
    let (name, size) = (reader.string()?, reader.vec3()?);
    let stops = reader.list(16, |reader| Ok((reader.vec3()?, reader.f32()?)))?;
    let [speed, acceleration, wait] = numbers(reader)?;
    let round = reader.u8()? == 1;
    if stops.is_empty() || speed <= 0.0 || acceleration <= 0.0 || wait < 0.0 {
        return invalid("a platform that cannot move");
    }
    Ok(MovingPlatform { name, size, stops, speed, acceleration, wait, round })
}

fn write_part(writer: &mut ArchiveWriter, part: &CharacterSpec) {
    let CharacterSpec { name, character, height, repertoire, start, goal, run, jump, nature } =
        part;
    writer.string(name);
    writer.string(character);
    match repertoire {
        Some(path) => {
            writer.u8(1);
            writer.string(&path.to_string_lossy());
        }
        None => writer.u8(0),
    }
    write_optional(writer, *height);
    for post in [start, goal] {
        write_post(writer, post);
    }
    for may in [run, jump] {
        writer.u8(u8::from(*may));
    }
    let number = BodyDrive::NAMES.iter().position(|(_, own)| own == nature);
    writer.u8(number.unwrap_or(0) as u8);
}

fn read_part(reader: &mut ArchiveReader) -> Result<CharacterSpec, ArchiveError> {
    let (name, character) = (reader.string()?, reader.string()?);
    let repertoire = if reader.u8()? == 1 { Some(reader.string()?.into()) } else { None };
    let height = read_optional(reader)?;
    let (start, goal) = (read_post(reader)?, read_post(reader)?);
    let (run, jump) = (reader.u8()? == 1, reader.u8()? == 1);
    let nature = BodyDrive::NAMES.get(usize::from(reader.u8()?));
    let (_, nature) = *nature.ok_or(ArchiveError::Invalid("a body of no known kind"))?;
    Ok(CharacterSpec { name, character, height, repertoire, start, goal, run, jump, nature })
}

pub(super) fn write_post(writer: &mut ArchiveWriter, post: &Waypoint) {
    writer.vec2(post.place);
    write_optional(writer, post.height);
    write_optional(writer, post.heading);
}

pub(super) fn read_post(reader: &mut ArchiveReader) -> Result<Waypoint, ArchiveError> {
    let place = reader.vec2()?;
    Ok(Waypoint { place, height: read_optional(reader)?, heading: read_optional(reader)? })
}

pub(super) fn write_optional(writer: &mut ArchiveWriter, number: Option<f32>) {
    writer.u8(u8::from(number.is_some()));
    if let Some(number) = number {
        writer.f32(number);
    }
}

pub(super) fn read_optional(reader: &mut ArchiveReader) -> Result<Option<f32>, ArchiveError> {
    Ok(if reader.u8()? == 1 { Some(reader.f32()?) } else { None })
}
