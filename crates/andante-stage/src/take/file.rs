//! Takes as files.
//!
//! Everything as it is in memory, in an [`archive`](andante_play::archive); what does not move is kept once. A take that
//! is read is the one that was written, to the bit.

use super::{CharacterTrack, Event, EventKind, PropTrack, Take, scene_file};
use crate::PropForm;
use andante_plan::steps::PlannedFootprint;
use andante_play::archive::{ArchiveError, ArchiveKind, ArchiveReader, ArchiveWriter};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, Transform};
use andante_world::TerrainError;
use glam::{Quat, Vec3};
use std::path::Path;
use thiserror::Error;

const KIND: ArchiveKind = ArchiveKind { name: "take", magic: *b"ANDTAKE\n", version: 3 };

/// Why bytes are not a take.
#[derive(Debug, Error)]
pub enum TakeFileError {
    /// The file is not whole, or not what it should be.
    #[error(transparent)]
    File(#[from] ArchiveError),
    /// The ground is none.
    #[error("the ground of the take makes no sense: {0}")]
    Terrain(#[from] TerrainError),
}

pub(super) type Read<T> = Result<T, TakeFileError>;

/// Something that no take has.
pub(super) fn invalid<T>(what: &'static str) -> Read<T> {
    Err(ArchiveError::Invalid(what).into())
}

impl Take {
    /// Whether bytes begin as a take does.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&KIND.magic)
    }

    /// The take as a file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TakeFileError> {
        let mut writer = ArchiveWriter::default();
        scene_file::write(&mut writer, &self.scene)?;
        writer.u64(self.seed);
        writer.count(self.tracks.len());
        for track in &self.tracks {
            write_track(&mut writer, track);
        }
        writer.count(self.events.len());
        for event in &self.events {
            write_event(&mut writer, event);
        }
        writer.count(self.props.len());
        self.props.iter().for_each(|prop| write_prop(&mut writer, prop));
        Ok(KIND.seal(writer))
    }

    /// The take of a file.
    pub fn from_bytes(bytes: &[u8]) -> Read<Self> {
        let mut reader = KIND.open(bytes)?;
        let reader = &mut reader;
        let scene = scene_file::read(reader)?;
        let seed = reader.u64()?;
        let count = reader.count(64)?;
        let tracks: Vec<CharacterTrack> =
            (0..count).map(|_| read_track(reader)).collect::<Read<_>>()?;
        let count = reader.count(4 + 4 + 1)?;
        let events = (0..count).map(|_| read_event(reader, tracks.len())).collect::<Read<_>>()?;
        let count = reader.count(4 + 9 + 4 + 4)?;
        let props = (0..count).map(|_| read_prop(reader)).collect::<Read<_>>()?;
        if !reader.is_empty() {
            return invalid("something follows the last prop");
        }
        Ok(Self { scene, seed, tracks, events, props })
    }

    /// Writes the take to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        let bytes = self.to_bytes().map_err(std::io::Error::other)?;
        andante_formats::write_atomically(path, &bytes)
    }
}

fn write_track(writer: &mut ArchiveWriter, track: &CharacterTrack) {
    writer.string(&track.name);
    writer.character(&track.character);
    write_clip(writer, &track.clip);
    writer.count(track.contacts.feet.len());
    for foot in &track.contacts.feet {
        for intervals in [&foot.heel, &foot.toe] {
            writer.count(intervals.len());
            for interval in intervals {
                writer.f32(interval.start);
                writer.f32(interval.end);
            }
        }
    }
    writer.count(track.footprints.len());
    for print in &track.footprints {
        writer.u8(print.foot as u8);
        for point in [print.position, print.normal, print.heel, print.ball, print.tip] {
            writer.vec3(point);
        }
        for number in [print.heading, print.landing, print.take_off] {
            writer.f32(number);
        }
    }
    track.body.iter().for_each(|place| writer.planar(place));
    for curve in [&track.curvature, &track.running, &track.speed] {
        curve.iter().for_each(|value| writer.f32(*value));
    }
    writer.u8(u8::from(track.goal.is_some()));
    if let Some(goal) = &track.goal {
        writer.planar(goal);
    }
}

fn read_track(reader: &mut ArchiveReader) -> Read<CharacterTrack> {
    let name = reader.string()?;
    let character = reader.character()?;
    let clip = read_clip(reader, &character)?;
    let interval =
        |reader: &mut ArchiveReader| Ok(Interval { start: reader.f32()?, end: reader.f32()? });
    let feet = reader.list(8, |reader| {
        Ok(FootContacts { heel: reader.list(8, interval)?, toe: reader.list(8, interval)? })
    })?;
    if feet.len() != character.rig.feet.len() {
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
    if footprints.iter().any(|print| print.foot >= feet.len()) {
        return invalid("a print of a foot that nobody has");
    }
    let frames = clip.frame_count();
    if !reader.has(frames, 12 + 3 * 4) {
        return invalid("curves that are shorter than the clip");
    }
    let body = (0..frames).map(|_| reader.planar()).collect::<Result<_, _>>()?;
    let mut curve =
        || -> Result<Vec<f32>, ArchiveError> { (0..frames).map(|_| reader.f32()).collect() };
    let (curvature, running, speed) = (curve()?, curve()?, curve()?);
    let goal = if reader.u8()? == 1 { Some(reader.planar()?) } else { None };
    let contacts = Contacts { feet };
    Ok(CharacterTrack {
        name,
        character,
        clip,
        contacts,
        footprints,
        body,
        curvature,
        running,
        speed,
        goal,
    })
}

/// Whether a joint turns and whether it moves, as bits.
const TURNS: u8 = 1;
const MOVES: u8 = 2;

fn write_clip(writer: &mut ArchiveWriter, clip: &Clip) {
    writer.string(clip.name());
    writer.f32(clip.fps());
    writer.count(clip.frame_count());
    let bits = |rotation: Quat| rotation.to_array().map(f32::to_bits);
    for joint in 0..clip.joint_count() {
        let first = clip.frame(0)[joint];
        let turns = clip.frames().any(|pose| bits(pose[joint].rotation) != bits(first.rotation));
        let place = |v: Vec3| v.to_array().map(f32::to_bits);
        let moves =
            clip.frames().any(|pose| place(pose[joint].translation) != place(first.translation));
        writer.u8(u8::from(turns) * TURNS + u8::from(moves) * MOVES);
        for pose in clip.frames().take(if turns { usize::MAX } else { 1 }) {
            pose[joint].rotation.to_array().into_iter().for_each(|number| writer.f32(number));
        }
        for pose in clip.frames().take(if moves { usize::MAX } else { 1 }) {
            writer.vec3(pose[joint].translation);
        }
    }
}

/// Transforms in memory for each byte of a file.
const MOST_STILL: usize = 16;

fn read_clip(reader: &mut ArchiveReader, character: &Character) -> Read<Clip> {
    let name = reader.string()?;
    let fps = reader.f32()?;
    let frames = reader.count(0)?;
    let joints = character.skeleton.len();
    // Every frame has a place of the body and three curves in the file, and few skeletons are still for long: memory
    // stays in proportion to the file.
    let all = frames.checked_mul(joints).map(|transforms| transforms / MOST_STILL);
    if !(reader.has(frames, 12 + 3 * 4) && all.is_some_and(|bytes| reader.has(bytes, 1))) {
        return invalid("more frames than the file has");
    }
    let mut transforms = vec![Transform::IDENTITY; frames * joints];
    for joint in 0..joints {
        let moving = reader.u8()?;
        let (turns, moves) = (moving & TURNS != 0, moving & MOVES != 0);
        for frame in 0..frames {
            transforms[frame * joints + joint].rotation = match frame > 0 && !turns {
                true => transforms[joint].rotation,
                false => {
                    Quat::from_xyzw(reader.f32()?, reader.f32()?, reader.f32()?, reader.f32()?)
                }
            };
        }
        for frame in 0..frames {
            transforms[frame * joints + joint].translation = match frame > 0 && !moves {
                true => transforms[joint].translation,
                false => reader.vec3()?,
            };
        }
    }
    Ok(Clip::restored(name, &character.skeleton, fps, transforms).map_err(ArchiveError::from)?)
}

/// Stands for "none" where a track is expected.
const NOBODY: u32 = u32::MAX;

fn write_event(writer: &mut ArchiveWriter, event: &Event) {
    writer.f32(event.time);
    writer.u32(event.track.map_or(NOBODY, |track| track as u32));
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
            scene_file::write_obstacle(writer, obstacle);
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
    }
}

fn write_prop(writer: &mut ArchiveWriter, prop: &PropTrack) {
    writer.string(&prop.name);
    write_form(writer, prop.form);
    writer.count(prop.from);
    writer.count(prop.places.len());
    for place in &prop.places {
        place.rotation.to_array().into_iter().for_each(|number| writer.f32(number));
        writer.vec3(place.translation);
    }
}

fn read_prop(reader: &mut ArchiveReader) -> Read<PropTrack> {
    let (name, form) = (reader.string()?, read_form(reader)?);
    let from = reader.u32()? as usize;
    let places = reader.list(7 * 4, |reader| {
        let turn = [reader.f32()?, reader.f32()?, reader.f32()?, reader.f32()?];
        Ok(Transform::new(Quat::from_array(turn), reader.vec3()?))
    })?;
    Ok(PropTrack { name, form, from, places })
}

pub(super) fn write_form(writer: &mut ArchiveWriter, form: PropForm) {
    let (tag, size) = match form {
        PropForm::Ball { radius } => (0, radius),
        PropForm::Cube { side } => (1, side),
    };
    writer.u8(tag);
    writer.u64(size.to_bits());
}

pub(super) fn read_form(reader: &mut ArchiveReader) -> Read<PropForm> {
    let (tag, size) = (reader.u8()?, f64::from_bits(reader.u64()?));
    match tag {
        0 => Ok(PropForm::Ball { radius: size }),
        1 => Ok(PropForm::Cube { side: size }),
        _ => invalid("a prop of no known form"),
    }
}

fn tagged(writer: &mut ArchiveWriter, tag: u8, words: &str) {
    writer.u8(tag);
    writer.string(words);
}

fn read_event(reader: &mut ArchiveReader, tracks: usize) -> Read<Event> {
    let time = reader.f32()?;
    let known = |track: u32| match (track as usize) < tracks {
        true => Ok(track as usize),
        false => invalid("an event of nobody"),
    };
    let track = match reader.u32()? {
        NOBODY => None,
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
        10 => EventKind::Placed(scene_file::read_obstacle(reader)?),
        11 => EventKind::Removed(reader.string()?),
        12 => EventKind::Pushed(reader.f32()?),
        13 => EventKind::Thrown(reader.string()?),
        14 => EventKind::Struck(reader.string()?),
        15 => EventKind::Recovered(reader.u32()? as usize),
        16 => EventKind::Fell,
        17 => EventKind::GotUp,
        18 => EventKind::FellOut,
        _ => return invalid("an event of no known kind"),
    };
    Ok(Event { time, track, kind })
}
