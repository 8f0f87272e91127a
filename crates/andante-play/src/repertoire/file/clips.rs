//! Clips, as they are in memory.

use crate::archive::{ArchiveError, ArchiveReader, ArchiveWriter};
use crate::repertoire::{
    ClipClass, FootSpans, PHASES, PhaseMap, PhaseSpan, RepertoireClip, Travel, Twist,
};
use andante_skeleton::{Character, CompactClip, CompactParts};

type Read<T> = Result<T, ArchiveError>;

/// Fewest bytes of a clip.
pub(super) const LEAST: usize = 4 + 1 + 4 * (PHASES + 1);

pub(super) fn write(writer: &mut ArchiveWriter, clip: &RepertoireClip) {
    let parts = clip.frames().parts();
    writer.string(&parts.name);
    writer.u8(ClipClass::ALL.iter().position(|class| *class == clip.class()).unwrap_or(0) as u8);
    for seconds in clip.map().table() {
        writer.f32(*seconds);
    }
    match clip.travel_data() {
        Travel::Round(twist) => {
            writer.u8(0);
            writer.vec2(twist.velocity);
            writer.f32(twist.turn);
        }
        Travel::Recorded(places) => {
            writer.u8(1);
            writer.count(places.len());
            for place in places {
                writer.planar(place);
            }
        }
    }
    for foot in clip.feet() {
        for spans in [&foot.heel, &foot.ball] {
            writer.count(spans.len());
            for span in spans {
                writer.f32(span.start);
                writer.f32(span.end);
            }
        }
    }
    writer.f32(parts.fps);
    writer.count(parts.frames);
    for transform in &parts.still {
        writer.transform(transform);
    }
    for joints in [&parts.turning, &parts.moving] {
        writer.count(joints.len());
        for joint in joints {
            writer.u16(*joint);
        }
    }
    for rotation in &parts.rotations {
        rotation.iter().for_each(|component| writer.i16(*component));
    }
    for translation in &parts.translations {
        writer.vec3(*translation);
    }
}

pub(super) fn read(reader: &mut ArchiveReader, character: &Character) -> Read<RepertoireClip> {
    let name = reader.string()?;
    let class = ClipClass::ALL.get(usize::from(reader.u8()?));
    let class = *class.ok_or(ArchiveError::Invalid("a clip of no known class"))?;
    let table: Vec<f32> = (0..=PHASES).map(|_| reader.f32()).collect::<Read<_>>()?;
    let map = PhaseMap::from_table(table);
    let map = map
        .filter(|map| map.period() > 1e-2)
        .ok_or(ArchiveError::Invalid("a clip whose time does not go on"))?;
    let travel = match reader.u8()? {
        0 => Travel::Round(Twist { velocity: reader.vec2()?, turn: reader.f32()? }),
        1 => Travel::Recorded(reader.list(12, ArchiveReader::planar)?),
        _ => return Err(ArchiveError::Invalid("a clip that travels in no known way")),
    };
    if matches!(&travel, Travel::Recorded(places) if places.is_empty()) {
        return Err(ArchiveError::Invalid("a clip without placements"));
    }
    let mut feet = Vec::with_capacity(character.rig.feet.len());
    for _ in &character.rig.feet {
        feet.push(FootSpans { heel: read_spans(reader)?, ball: read_spans(reader)? });
    }
    let fps = reader.f32()?;
    let frames = reader.count(0)?;
    if fps != frames.saturating_sub(1).max(1) as f32 {
        return Err(ArchiveError::Invalid("a clip that does not last one phase"));
    }
    let joints = character.skeleton.len();
    let mut still = Vec::with_capacity(joints);
    for _ in 0..joints {
        still.push(reader.transform()?);
    }
    let turning = reader.list(2, ArchiveReader::u16)?;
    let moving = reader.list(2, ArchiveReader::u16)?;
    let rotations = rows(reader, frames, turning.len(), 8, |reader| {
        Ok([reader.i16()?, reader.i16()?, reader.i16()?, reader.i16()?])
    })?;
    let translations = rows(reader, frames, moving.len(), 12, |reader| reader.vec3())?;
    let parts = CompactParts { name, fps, frames, still, turning, moving, rotations, translations };
    let clip = CompactClip::from_parts(parts)?;
    Ok(RepertoireClip::new(character, class, clip, map, travel, feet))
}

/// So many items per frame, which the file must still have.
fn rows<T>(
    reader: &mut ArchiveReader,
    frames: usize,
    per_frame: usize,
    bytes: usize,
    mut item: impl FnMut(&mut ArchiveReader) -> Read<T>,
) -> Read<Vec<T>> {
    let count = frames.checked_mul(per_frame).filter(|&count| reader.has(count, bytes));
    let count = count.ok_or(ArchiveError::Invalid("more frames than the file has"))?;
    (0..count).map(|_| item(reader)).collect()
}

fn read_spans(reader: &mut ArchiveReader) -> Read<Vec<PhaseSpan>> {
    reader.list(8, |reader| {
        let span = PhaseSpan { start: reader.f32()?, end: reader.f32()? };
        let sense = ArchiveError::Invalid("a contact that ends before it begins");
        span.is_valid().then_some(span).ok_or(sense)
    })
}
