//! What a take is made of as numbers, one after the other.

use crate::file::{FrameChunk, Get, invalid};
use crate::frames::{TrackEnd, TrackFrames, TrackStart};
use crate::{Event, EventKind, RigidTrack, ScalarCurve, TakeHead, TrackGoal, VectorCurve};
use andante_play::archive::{ArchiveError, ArchiveReader, ArchiveWriter};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Material, PlannedFootprint, Primitive, SkinnedMesh, Transform, Vertices};
use andante_world::{
    Area, GroundPatch, MeshShape, Obstacle, ObstacleShape, Platform, Terrain, TerrainParts,
    TriangleMesh,
};
use glam::{Mat4, Quat, Vec2, Vec3};
use std::sync::Arc;

type Item<T> = Result<T, ArchiveError>;

/// Everything but the frames.
pub(crate) struct Tail {
    pub head: TakeHead,
    pub starts: Vec<TrackStart>,
    pub ends: Vec<TrackEnd>,
    pub things: Vec<RigidTrack>,
    pub events: Vec<Event>,
    pub index: Vec<Vec<FrameChunk>>,
}

pub(crate) fn write_tail(
    writer: &mut ArchiveWriter,
    head: &TakeHead,
    (starts, ends): (&[&TrackStart], &[&TrackEnd]),
    things: &[RigidTrack],
    events: &[Event],
    index: &[Vec<FrameChunk>],
) -> Get<()> {
    let TakeHead { name, about, seed, fps, ground, obstacles } = head;
    writer.string(name);
    writer.string(about);
    writer.u64(*seed);
    writer.f32(*fps);
    writer.count(ground.len());
    for patch in ground {
        write_patch(writer, patch)?;
    }
    writer.count(obstacles.len());
    obstacles.iter().for_each(|obstacle| write_obstacle(writer, obstacle));
    writer.count(starts.len());
    for ((start, end), chunks) in starts.iter().zip(ends).zip(index) {
        write_start(writer, start);
        write_end(writer, end);
        writer.count(chunks.len());
        for chunk in chunks {
            writer.u64(chunk.offset);
            writer.u32(chunk.bytes);
            writer.u32(chunk.frames);
        }
    }
    writer.count(events.len());
    events.iter().for_each(|event| write_event(writer, event));
    writer.count(things.len());
    things.iter().for_each(|thing| write_thing(writer, thing));
    Ok(())
}

pub(crate) fn read_tail(reader: &mut ArchiveReader) -> Get<Tail> {
    let (name, about, seed, fps) =
        (reader.string()?, reader.string()?, reader.u64()?, reader.f32()?);
    if fps <= 0.0 {
        return invalid("a frame rate that is none");
    }
    let count = reader.count(4 + 4 + 12 + 1)?;
    let ground = (0..count).map(|_| read_patch(reader)).collect::<Get<_>>()?;
    let count = reader.count(4 + 1 + 8 + 16)?;
    let obstacles = (0..count).map(|_| read_obstacle(reader)).collect::<Get<_>>()?;
    let head = TakeHead { name, about, seed, fps, ground, obstacles };
    let count = reader.count(64)?;
    let (mut starts, mut ends, mut index) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let start = read_start(reader)?;
        ends.push(read_end(reader, start.character.rig.feet.len())?);
        starts.push(start);
        index.push(reader.list(8 + 4 + 4, |reader| {
            Ok(FrameChunk { offset: reader.u64()?, bytes: reader.u32()?, frames: reader.u32()? })
        })?);
    }
    let count = reader.count(4 + 4 + 1)?;
    let events = (0..count).map(|_| read_event(reader, starts.len())).collect::<Get<_>>()?;
    let things = reader.list(4 + 12 + 4 + 4 + 4, read_thing)?;
    let rides = |start: &TrackStart| start.rides.is_some_and(|thing| thing >= things.len());
    if starts.iter().any(rides) {
        return invalid("a body on a thing that is not there");
    }
    if !reader.is_empty() {
        return invalid("something follows the last thing");
    }
    Ok(Tail { head, starts, ends, things, events, index })
}

/// Stands for "none" where an index is expected.
const NONE: u32 = u32::MAX;

fn write_index(writer: &mut ArchiveWriter, index: Option<usize>) {
    writer.u32(index.map_or(NONE, |index| index as u32));
}

fn read_index(reader: &mut ArchiveReader) -> Item<Option<usize>> {
    let index = reader.u32()?;
    Ok((index != NONE).then_some(index as usize))
}

fn write_start(writer: &mut ArchiveWriter, start: &TrackStart) {
    let TrackStart { name, character, mesh, rides, curves, vectors, torques } = start;
    writer.string(name);
    writer.character(character);
    writer.u8(u8::from(mesh.is_some()));
    if let Some(mesh) = mesh {
        write_skin(writer, mesh);
    }
    write_index(writer, *rides);
    for curves in [curves, torques] {
        writer.count(curves.len());
        for curve in curves {
            writer.string(&curve.name);
            writer.string(&curve.unit);
        }
    }
    writer.count(vectors.len());
    for vector in vectors {
        writer.string(&vector.name);
        writer.string(&vector.unit);
        write_index(writer, vector.at);
    }
}

fn read_start(reader: &mut ArchiveReader) -> Get<TrackStart> {
    let (name, character) = (reader.string()?, reader.character()?);
    let mesh = match reader.u8()? {
        0 => None,
        _ => {
            let mesh = read_skin(reader)?;
            if mesh.validate(&character.skeleton).is_err() {
                return invalid("a skin that does not fit its skeleton");
            }
            Some(Arc::new(mesh))
        }
    };
    let rides = read_index(reader)?;
    let curve = |reader: &mut ArchiveReader| {
        Ok(ScalarCurve::new(&reader.string()?, &reader.string()?, Vec::new()))
    };
    let (curves, torques) = (reader.list(8, curve)?, reader.list(8, curve)?);
    let vectors = reader.list(12, |reader| {
        let (name, unit) = (reader.string()?, reader.string()?);
        Ok(VectorCurve { name, unit, at: read_index(reader)?, values: Vec::new() })
    })?;
    if vectors.iter().any(|vector| vector.at.is_some_and(|at| at >= vectors.len())) {
        return invalid("an arrow that begins nowhere");
    }
    Ok(TrackStart { name, character, mesh, rides, curves, vectors, torques })
}

fn write_intervals(writer: &mut ArchiveWriter, intervals: &[Interval]) {
    writer.count(intervals.len());
    for interval in intervals {
        writer.f32(interval.start);
        writer.f32(interval.end);
    }
}

fn read_intervals(reader: &mut ArchiveReader) -> Item<Vec<Interval>> {
    reader.list(8, |reader| Ok(Interval { start: reader.f32()?, end: reader.f32()? }))
}

fn write_end(writer: &mut ArchiveWriter, end: &TrackEnd) {
    writer.count(end.contacts.feet.len());
    for foot in &end.contacts.feet {
        write_intervals(writer, &foot.heel);
        write_intervals(writer, &foot.toe);
    }
    writer.count(end.footprints.len());
    for print in &end.footprints {
        writer.u8(print.foot as u8);
        for point in [print.position, print.normal, print.heel, print.ball, print.tip] {
            writer.vec3(point);
        }
        for number in [print.heading, print.landing, print.take_off] {
            writer.f32(number);
        }
    }
    write_intervals(writer, &end.physical);
    writer.u8(u8::from(end.goal.is_some()));
    if let Some(TrackGoal { place, height, within_m, within_deg }) = &end.goal {
        writer.planar(place);
        writer.u8(u8::from(height.is_some()));
        [height.unwrap_or(0.0), *within_m, *within_deg].iter().for_each(|n| writer.f32(*n));
    }
}

fn read_end(reader: &mut ArchiveReader, feet: usize) -> Get<TrackEnd> {
    let contacts = reader.list(8, |reader| {
        Ok(FootContacts { heel: read_intervals(reader)?, toe: read_intervals(reader)? })
    })?;
    if contacts.len() != feet {
        return invalid("contacts of a foot that nobody has");
    }
    let footprints = reader.list(1 + 4 * 18, |reader| {
        Ok(PlannedFootprint {
            foot: usize::from(reader.u8()?),
            position: reader.vec3()?,
            normal: reader.vec3()?,
            heel: reader.vec3()?,
            ball: reader.vec3()?,
            tip: reader.vec3()?,
            heading: reader.f32()?,
            landing: reader.f32()?,
            take_off: reader.f32()?,
        })
    })?;
    if footprints.iter().any(|print| print.foot >= feet) {
        return invalid("a print of a foot that nobody has");
    }
    let physical = read_intervals(reader)?;
    let goal = match reader.u8()? {
        0 => None,
        _ => {
            let (place, on_ground) = (reader.planar()?, reader.u8()? == 1);
            let [height, within_m, within_deg] = numbers(reader)?;
            Some(TrackGoal { place, height: on_ground.then_some(height), within_m, within_deg })
        }
    };
    Ok(TrackEnd { contacts: Contacts { feet: contacts }, footprints, physical, goal })
}

/// Whether a joint turns and whether it moves, as bits.
const TURNS: u8 = 1;
const MOVES: u8 = 2;

/// Joint by joint, what does not move once; then everything else.
pub(crate) fn write_frames(writer: &mut ArchiveWriter, frames: &TrackFrames) {
    let count = frames.len().max(1);
    let joints = frames.transforms.len() / count;
    let turn = |at: &Transform| at.rotation.to_array().map(f32::to_bits);
    let place = |at: &Transform| at.translation.to_array().map(f32::to_bits);
    for joint in 0..joints {
        let column = || frames.transforms.iter().skip(joint).step_by(joints);
        let first = &frames.transforms[joint];
        let turns = column().any(|at| turn(at) != turn(first));
        let moves = column().any(|at| place(at) != place(first));
        writer.u8(u8::from(turns) * TURNS + u8::from(moves) * MOVES);
        for at in column().take(if turns { usize::MAX } else { 1 }) {
            at.rotation.to_array().into_iter().for_each(|number| writer.f32(number));
        }
        for at in column().take(if moves { usize::MAX } else { 1 }) {
            writer.vec3(at.translation);
        }
    }
    frames.body.iter().for_each(|place| writer.planar(place));
    for values in frames.curves.iter().chain(&frames.torques) {
        values.iter().for_each(|value| writer.f32(*value));
    }
    for values in &frames.vectors {
        values.iter().for_each(|value| writer.vec3(*value));
    }
}

pub(crate) fn read_frames(content: &[u8], start: &TrackStart, count: usize) -> Get<TrackFrames> {
    let reader = &mut ArchiveReader::new(content);
    let mut frames = start.frames();
    let joints = start.character.skeleton.len();
    let scalars = start.curves.len() + start.torques.len();
    // Every frame has a place at least: memory stays in proportion to the file.
    if count == 0 || !reader.has(count, 4 * (3 + scalars + 3 * start.vectors.len())) {
        return invalid("more frames than the file has");
    }
    frames.transforms = vec![Transform::IDENTITY; count * joints];
    for joint in 0..joints {
        let moving = reader.u8()?;
        let (turns, moves) = (moving & TURNS != 0, moving & MOVES != 0);
        for frame in 0..count {
            frames.transforms[frame * joints + joint].rotation = match frame > 0 && !turns {
                true => frames.transforms[joint].rotation,
                false => Quat::from_array(numbers(reader)?),
            };
        }
        for frame in 0..count {
            frames.transforms[frame * joints + joint].translation = match frame > 0 && !moves {
                true => frames.transforms[joint].translation,
                false => reader.vec3()?,
            };
        }
    }
    frames.body = (0..count).map(|_| reader.planar()).collect::<Item<_>>()?;
    // Forces may be large, and there are none at times.
    let number = |reader: &mut ArchiveReader| reader.u32().map(f32::from_bits);
    for values in frames.curves.iter_mut().chain(&mut frames.torques) {
        *values = (0..count).map(|_| number(reader)).collect::<Item<_>>()?;
    }
    for values in &mut frames.vectors {
        let vector = |reader: &mut ArchiveReader| {
            Ok(Vec3::new(number(reader)?, number(reader)?, number(reader)?))
        };
        *values = (0..count).map(|_| vector(reader)).collect::<Item<_>>()?;
    }
    if !reader.is_empty() {
        return invalid("more numbers than its frames have");
    }
    Ok(frames)
}

fn write_thing(writer: &mut ArchiveWriter, thing: &RigidTrack) {
    writer.string(&thing.name);
    write_mesh(writer, &thing.mesh);
    writer.count(thing.outlines.len());
    for outline in &thing.outlines {
        writer.count(outline.len());
        outline.iter().for_each(|corner| writer.vec2(*corner));
    }
    writer.count(thing.from);
    writer.count(thing.places.len());
    thing.places.iter().for_each(|place| writer.transform(place));
}

fn read_thing(reader: &mut ArchiveReader) -> Item<RigidTrack> {
    Ok(RigidTrack {
        name: reader.string()?,
        mesh: read_mesh(reader)?,
        outlines: reader.list(4, |reader| reader.list(8, ArchiveReader::vec2))?,
        from: reader.u32()? as usize,
        places: reader.list(7 * 4, ArchiveReader::transform)?,
    })
}

/// A skin without its textures.
fn write_skin(writer: &mut ArchiveWriter, mesh: &SkinnedMesh) {
    writer.count(mesh.primitives.len());
    for Primitive { vertices, indices, material } in &mesh.primitives {
        for points in [&vertices.positions, &vertices.normals] {
            writer.count(points.len());
            points.iter().for_each(|point| writer.vec3(*point));
        }
        for fours in [&vertices.colors, &vertices.weights] {
            writer.count(fours.len());
            fours.as_flattened().iter().for_each(|number| writer.f32(*number));
        }
        writer.count(vertices.joints.len());
        vertices.joints.as_flattened().iter().for_each(|joint| writer.u16(*joint));
        writer.count(indices.len());
        indices.iter().for_each(|index| writer.u32(*index));
        write_index(writer, *material);
    }
    writer.count(mesh.materials.len());
    for material in &mesh.materials {
        writer.string(&material.name);
        material.base_color.iter().for_each(|number| writer.f32(*number));
        writer.f32(material.metallic);
        writer.f32(material.roughness);
        writer.u8(u8::from(material.double_sided));
    }
    writer.count(mesh.inverse_binds.len());
    for bind in &mesh.inverse_binds {
        bind.to_cols_array().iter().for_each(|number| writer.f32(*number));
    }
}

fn read_skin(reader: &mut ArchiveReader) -> Get<SkinnedMesh> {
    let primitives = reader.list(28, |reader| {
        let (positions, normals) =
            (reader.list(12, ArchiveReader::vec3)?, reader.list(12, ArchiveReader::vec3)?);
        let (colors, weights) = (reader.list(16, numbers)?, reader.list(16, numbers)?);
        let joints = reader
            .list(8, |reader| Ok([reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?]))?;
        let indices = reader.list(4, ArchiveReader::u32)?;
        let material = read_index(reader)?;
        let vertices =
            Vertices { positions, normals, colors, joints, weights, ..Vertices::default() };
        Ok(Primitive { vertices, indices, material })
    })?;
    let materials = reader.list(4 + 24 + 1, |reader| {
        Ok(Material {
            name: reader.string()?,
            base_color: numbers(reader)?,
            metallic: reader.f32()?,
            roughness: reader.f32()?,
            double_sided: reader.u8()? == 1,
            ..Material::default()
        })
    })?;
    let inverse_binds = reader.list(64, |reader| Ok(Mat4::from_cols_array(&numbers(reader)?)))?;
    Ok(SkinnedMesh { primitives, materials, inverse_binds })
}

fn write_patch(writer: &mut ArchiveWriter, patch: &GroundPatch) -> Get<()> {
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

fn read_patch(reader: &mut ArchiveReader) -> Get<GroundPatch> {
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

fn read_mesh(reader: &mut ArchiveReader) -> Item<TriangleMesh> {
    let (positions, normals) =
        (reader.list(12, ArchiveReader::vec3)?, reader.list(12, ArchiveReader::vec3)?);
    let triangle = |reader: &mut ArchiveReader| Ok([reader.u32()?, reader.u32()?, reader.u32()?]);
    Ok(TriangleMesh { positions, normals, triangles: reader.list(12, triangle)? })
}

fn read_terrain(reader: &mut ArchiveReader) -> Get<Option<Terrain>> {
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

fn write_obstacle(writer: &mut ArchiveWriter, obstacle: &Obstacle) {
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

fn read_obstacle(reader: &mut ArchiveReader) -> Get<Obstacle> {
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

fn write_event(writer: &mut ArchiveWriter, event: &Event) {
    writer.f32(event.time);
    writer.u32(event.track.map_or(NONE, |track| track as u32));
    match &event.kind {
        EventKind::Began(words) => tagged(writer, 0, words),
        EventKind::Done(words) => tagged(writer, 1, words),
        EventKind::Interrupted(words) => tagged(writer, 2, words),
        EventKind::Failed(words) => tagged(writer, 3, words),
        EventKind::Arrived => writer.u8(4),
        EventKind::Blocked => writer.u8(5),
        EventKind::Near(track) => {
            writer.u8(6);
            writer.u32(*track as u32);
        }
        EventKind::Ducked => writer.u8(7),
        EventKind::Rose => writer.u8(8),
        EventKind::TooLow(missing) => {
            writer.u8(9);
            writer.f32(*missing);
        }
        EventKind::Placed(obstacle) => {
            writer.u8(10);
            write_obstacle(writer, obstacle);
        }
        EventKind::Removed(name) => tagged(writer, 11, name),
        EventKind::Pushed(impulse) => {
            writer.u8(12);
            writer.f32(*impulse);
        }
        EventKind::Thrown(name) => tagged(writer, 13, name),
        EventKind::Struck(name) => tagged(writer, 14, name),
        EventKind::Recovered(steps) => {
            writer.u8(15);
            writer.u32(*steps as u32);
        }
        EventKind::Fell => writer.u8(16),
        EventKind::GotUp => writer.u8(17),
        EventKind::FellOut => writer.u8(18),
        EventKind::Waits(why) => tagged(writer, 19, why),
    }
}

fn tagged(writer: &mut ArchiveWriter, tag: u8, words: &str) {
    writer.u8(tag);
    writer.string(words);
}

fn read_event(reader: &mut ArchiveReader, tracks: usize) -> Get<Event> {
    let time = reader.f32()?;
    let known = |track: u32| match (track as usize) < tracks {
        true => Ok(track as usize),
        false => invalid("an event of nobody"),
    };
    let track = match reader.u32()? {
        NONE => None,
        track => Some(known(track)?),
    };
    let kind = match reader.u8()? {
        0 => EventKind::Began(reader.string()?),
        1 => EventKind::Done(reader.string()?),
        2 => EventKind::Interrupted(reader.string()?),
        3 => EventKind::Failed(reader.string()?),
        4 => EventKind::Arrived,
        5 => EventKind::Blocked,
        6 => EventKind::Near(known(reader.u32()?)?),
        7 => EventKind::Ducked,
        8 => EventKind::Rose,
        9 => EventKind::TooLow(reader.f32()?),
        10 => EventKind::Placed(read_obstacle(reader)?),
        11 => EventKind::Removed(reader.string()?),
        12 => EventKind::Pushed(reader.f32()?),
        13 => EventKind::Thrown(reader.string()?),
        14 => EventKind::Struck(reader.string()?),
        15 => EventKind::Recovered(reader.u32()? as usize),
        16 => EventKind::Fell,
        17 => EventKind::GotUp,
        18 => EventKind::FellOut,
        19 => EventKind::Waits(reader.string()?),
        _ => return invalid("an event of no known kind"),
    };
    Ok(Event { time, track, kind })
}
