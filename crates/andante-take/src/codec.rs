//! What a take is made of as numbers, one after the other.

use crate::coded::{Coded, coded, coded_choice, get, put};
use crate::file::{FrameChunk, Get, invalid};
use crate::frames::{TrackEnd, TrackFrames, TrackStart};
use crate::{
    BodyDrive, Event, EventKind, RigidTrack, ScalarCurve, TakeCondition, TakeHead, TrackGoal,
    VectorCurve,
};
use andante_play::archive::{ArchiveError, ArchiveReader, ArchiveWriter};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{
    Material, PlannedFootprint, Primitive, SkinnedMesh, Texture, Transform, Vertices,
};
use andante_world::{
    Area, GroundPatch, Obstacle, ObstacleShape, Platform, Terrain, TerrainParts, TriangleMesh,
};
use glam::{Quat, Vec2, Vec3};

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
    (things, events): (&[RigidTrack], &[Event]),
    index: &[Vec<FrameChunk>],
) -> Get<()> {
    head.write(writer)?;
    writer.count(starts.len());
    for ((start, end), chunks) in starts.iter().zip(ends).zip(index) {
        start.write(writer)?;
        end.write(writer)?;
        chunks.write(writer)?;
    }
    writer.count(events.len());
    events.iter().try_for_each(|event| event.write(writer))?;
    writer.count(things.len());
    things.iter().try_for_each(|thing| thing.write(writer))?;
    starts.iter().try_for_each(|start| SkinImages::of(start).write(writer))?;
    let drives = starts.iter().map(|start| start.drive).collect();
    MadeUnder { conditions: head.conditions.clone(), drives }.write(writer)
}

/// What a take was made under, and what moved each track. Files before version 7 end without.
struct MadeUnder {
    conditions: Vec<TakeCondition>,
    drives: Vec<Option<BodyDrive>>,
}

impl MadeUnder {
    fn put_on(self, head: &mut TakeHead, starts: &mut [TrackStart]) -> Get<()> {
        if self.drives.len() != starts.len() {
            return invalid("drives of other bodies");
        }
        head.conditions = self.conditions;
        for (start, drive) in starts.iter_mut().zip(self.drives) {
            start.drive = drive;
        }
        Ok(())
    }
}

/// What skins are painted with: places of corners on images, part by part, and images, material by material. Files before
/// version 5 end without.
struct SkinImages {
    uvs: Vec<Vec<Vec2>>,
    images: Vec<Option<Texture>>,
}

impl SkinImages {
    fn of(start: &TrackStart) -> Self {
        let skin = || start.mesh.iter();
        let uvs = skin().flat_map(|mesh| &mesh.primitives).map(|part| part.vertices.uvs.clone());
        let image = |material: &Material| material.base_color_texture.clone();
        Self {
            uvs: uvs.collect(),
            images: skin().flat_map(|mesh| &mesh.materials).map(image).collect(),
        }
    }

    fn put_on(self, start: &mut TrackStart) -> Get<()> {
        let Some(mesh) = start.mesh.as_mut().map(std::sync::Arc::make_mut) else { return Ok(()) };
        if self.uvs.len() != mesh.primitives.len() || self.images.len() != mesh.materials.len() {
            return invalid("images for another skin");
        }
        for (part, uvs) in mesh.primitives.iter_mut().zip(self.uvs) {
            part.vertices.uvs = uvs;
        }
        for (material, image) in mesh.materials.iter_mut().zip(self.images) {
            material.base_color_texture = image;
        }
        Ok(())
    }
}

pub(crate) fn read_tail(reader: &mut ArchiveReader) -> Get<Tail> {
    let mut head = TakeHead::read(reader)?;
    if head.fps <= 0.0 {
        return invalid("a frame rate that is none");
    }
    let count = reader.count(64)?;
    let (mut starts, mut ends, mut index) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let start = TrackStart::read(reader)?;
        let end = TrackEnd::read(reader)?;
        check(&start, &end)?;
        starts.push(start);
        ends.push(end);
        index.push(Coded::read(reader)?);
    }
    let (events, things) = (Vec::<Event>::read(reader)?, Vec::<RigidTrack>::read(reader)?);
    let nobody = |event: &Event| {
        let near = if let EventKind::Near(track) = event.kind { Some(track) } else { None };
        [event.track, near].into_iter().flatten().any(|track| track >= starts.len())
    };
    if events.iter().any(nobody) {
        return invalid("an event of nobody");
    }
    if !reader.is_empty() {
        for start in &mut starts {
            SkinImages::read(reader)?.put_on(start)?;
            checked_skin(start)?;
        }
    }
    if !reader.is_empty() {
        MadeUnder::read(reader)?.put_on(&mut head, &mut starts)?;
    }
    let rides = |start: &TrackStart| start.rides.is_some_and(|thing| thing >= things.len());
    if starts.iter().any(rides) {
        return invalid("a body on a thing that is not there");
    }
    if !reader.is_empty() {
        return invalid("something follows the last thing");
    }
    Ok(Tail { head, starts, ends, things, events, index })
}

fn checked_skin(start: &TrackStart) -> Get<()> {
    let skeleton = &start.character.skeleton;
    if start.mesh.as_ref().is_some_and(|mesh| mesh.validate(skeleton).is_err()) {
        return invalid("a skin that does not fit its skeleton");
    }
    Ok(())
}

/// Whether everything a track says fits its body.
fn check(start: &TrackStart, end: &TrackEnd) -> Get<()> {
    let feet = start.character.rig.feet.len();
    checked_skin(start)?;
    let arrows = &start.vectors;
    if arrows.iter().any(|vector| vector.at.is_some_and(|at| at >= arrows.len())) {
        return invalid("an arrow that begins nowhere");
    }
    if end.contacts.feet.len() != feet {
        return invalid("contacts of a foot that nobody has");
    }
    if end.footprints.iter().any(|print| print.foot >= feet) {
        return invalid("a print of a foot that nobody has");
    }
    Ok(())
}

coded! {
    // Conditions and drives come last.
    TakeHead { name, about, seed, fps, ground, obstacles; ..Self::default() }
    TrackStart { name, character, mesh, rides, curves, torques, vectors; drive = None }
    MadeUnder { conditions, drives }
    TakeCondition { name, value via double }
    TrackEnd { contacts, footprints, physical, goal }
    FrameChunk { offset, bytes, frames }
    ScalarCurve { name, unit; ..Self::default() }
    VectorCurve { name, unit, at; ..Self::default() }
    Contacts { feet }
    FootContacts { heel, toe }
    Interval { start, end }
    PlannedFootprint {
        foot via byte, position, normal, heel, ball, tip, heading, landing, take_off
    }
    TrackGoal { place, height, within_m, within_deg }
    RigidTrack { name, mesh, outlines, from, places }
    TriangleMesh { positions, normals, triangles }
    SkinnedMesh { primitives, materials, inverse_binds }
    Primitive { vertices, indices, material }
    SkinImages { uvs, images }
    Texture { mime_type, bytes }
    // Images of skins come last.
    Vertices { positions, normals, colors, weights, joints; ..Self::default() }
    Material { name, base_color, metallic, roughness, double_sided; ..Self::default() }
    Platform { name, outline, height, slope }
    Obstacle { name, shape, at, heading }
    Event { time, track, kind }
}

coded_choice! { TerrainParts, read_terrain, "ground of no known kind":
    1 => Slope { gradient },
    2 => Stairs { rise_run_start },
    3 => Hills { amplitude, wave },
    4 => Bumps { scale, steepest, bumps },
    5 => Profile { direction, offset, knots, tangents },
    // Holes are not numbers.
    6 => Grid { origin, cell, columns, heights via bits },
    7 => Mesh(mesh),
}

coded_choice! { ObstacleShape, read_shape, "an obstacle of no known shape":
    0 => Box(size),
    1 => Cylinder { radius, height },
    2 => Mesh(mesh),
}

impl Coded for BodyDrive {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        writer.u8(match self {
            Self::Kinematic => 0,
            Self::Physical => 1,
            Self::WhenTouched => 2,
        });
        Ok(())
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        match reader.u8()? {
            0 => Ok(Self::Kinematic),
            1 => Ok(Self::Physical),
            2 => Ok(Self::WhenTouched),
            _ => invalid("a drive of no known kind"),
        }
    }
}

coded_choice! { EventKind, read_kind, "an event of no known kind":
    0 => Began(words),
    1 => Done(words),
    2 => Interrupted(words),
    3 => Failed(words),
    4 => Arrived,
    5 => Blocked,
    6 => Near(track),
    7 => Ducked,
    8 => Rose,
    9 => TooLow(missing),
    10 => Placed(obstacle),
    11 => Removed(name),
    12 => Pushed(impulse),
    13 => Thrown(name),
    14 => Struck(name),
    15 => Recovered(steps),
    16 => Fell,
    17 => GotUp,
    18 => FellOut,
    19 => Waits(why),
    20 => GaveWay,
    21 => GaveUp,
    22 => Doubted(why),
}

/// A terrain is written as its parts; none is a kind of its own.
impl Coded for GroundPatch {
    fn write(&self, writer: &mut ArchiveWriter) -> Get<()> {
        self.platform.write(writer)?;
        let Some(terrain) = &self.terrain else {
            writer.u8(0);
            return Ok(());
        };
        let outline = self.platform.outline.iter().copied();
        let low = outline.clone().fold(Vec2::INFINITY, Vec2::min);
        let high = outline.fold(Vec2::NEG_INFINITY, Vec2::max);
        terrain.to_parts(Area::new(low, high))?.write(writer)
    }

    fn read(reader: &mut ArchiveReader) -> Get<Self> {
        let platform = Platform::read(reader)?;
        if platform.outline.len() < 3 {
            return invalid("ground with fewer than three corners");
        }
        let terrain = match reader.u8()? {
            0 => None,
            kind => Some(Terrain::from_parts(read_terrain(kind, reader)?)?),
        };
        Ok(Self { platform, terrain })
    }
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
    for values in &frames.scalars {
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
    let scalars = frames.scalars.len();
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
                false => Quat::from_array(Coded::read(reader)?),
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
    for values in &mut frames.scalars {
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
