//! Takes as files.
//!
//! ```text
//! magic 8 · version u16 │ frames of a track · checksum │ frames of a track · checksum │ … │ tail │ where the tail is
//! ```
//!
//! Frames come as they are made, some seconds of a track at a time; the tail holds everything else and an index of the
//! frames. A reader needs the tail alone until it is asked for a track. Numbers are little endian and kept to the bit.

use crate::codec;
use crate::frames::{TrackEnd, TrackFrames, TrackStart};
use crate::record::CHUNK;
use crate::{Event, RigidTrack, Take, TakeHead, TakeSource, Track, TrackView};
use andante_formats::AtomicFile;
use andante_formats::gate::open_file;
use andante_play::archive::{ArchiveError, ArchiveReader, ArchiveWriter, fnv1a};
use andante_skeleton::ClipError;
use andante_world::TerrainError;
use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use thiserror::Error;

const MAGIC: [u8; 8] = *b"ANDTAKE\n";
const END: [u8; 8] = *b"TAKEEND\n";
/// The version that is written, and the first that is read.
const VERSION: u16 = 7;
const FIRST_VERSION: u16 = 4;
/// Bytes of magic and version, of a checksum, and of what follows the tail.
const HEADER: usize = 8 + 2;
const CHECKSUM: usize = 8;
const TRAILER: usize = 8 + 8 + CHECKSUM + 8;
/// Tracks of takes whose frames fill no more bytes of memory than this are read once and kept.
const KEPT: u64 = 96 << 20;

/// An error that keeps a take from being written or read.
#[derive(Debug, Error)]
pub enum TakeFileError {
    /// The file is not whole, or not what it should be.
    #[error(transparent)]
    File(#[from] ArchiveError),
    /// Written before takes were streams.
    #[error("take file of version {0}; this program reads versions {FIRST_VERSION} to {VERSION}")]
    Old(u16),
    /// The file system refuses.
    #[error(transparent)]
    Disk(#[from] std::io::Error),
    /// Frames are no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The ground is none.
    #[error("the ground of the take makes no sense: {0}")]
    Terrain(#[from] TerrainError),
    /// There is no such track.
    #[error("there is no track {0} in this take")]
    NoTrack(usize),
    /// It was recorded in memory.
    #[error("this take is not recorded to a file")]
    NoFile,
}

pub(crate) type Get<T> = Result<T, TakeFileError>;

/// Something that no take has.
pub(crate) fn invalid<T>(what: &'static str) -> Get<T> {
    Err(ArchiveError::Invalid(what).into())
}

/// Where some frames of a track are in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FrameChunk {
    pub offset: u64,
    pub bytes: u32,
    pub frames: u32,
}

/// Where bytes go to.
enum Output {
    File(AtomicFile, PathBuf),
    Memory(Vec<u8>),
}

/// A file that is being written.
pub(crate) struct TakeWriter {
    output: Output,
    offset: u64,
    index: Vec<Vec<FrameChunk>>,
}

impl TakeWriter {
    pub fn create(path: &Path) -> Get<Self> {
        Self::begin(Output::File(AtomicFile::new(path)?, path.into()))
    }

    fn begin(output: Output) -> Get<Self> {
        let mut writer = Self { output, offset: 0, index: Vec::new() };
        writer.put(&MAGIC)?;
        writer.put(&VERSION.to_le_bytes())?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> Get<()> {
        self.offset += bytes.len() as u64;
        match &mut self.output {
            Output::File(file, _) => file.write_all(bytes)?,
            Output::Memory(all) => all.extend_from_slice(bytes),
        }
        Ok(())
    }

    /// Writes some frames of a track.
    pub fn frames(&mut self, track: usize, frames: &TrackFrames) -> Get<()> {
        let mut content = ArchiveWriter::default();
        codec::write_frames(&mut content, frames);
        let content = content.into_bytes();
        let (offset, bytes) = (self.offset, content.len() as u32);
        if self.index.len() <= track {
            self.index.resize(track + 1, Vec::new());
        }
        self.index[track].push(FrameChunk { offset, bytes, frames: frames.len() as u32 });
        self.put(&content)?;
        self.put(&fnv1a(&content).to_le_bytes())
    }

    fn all_frames(&mut self, take: &Take) -> Get<()> {
        let longest = take.frames();
        for first in (0..longest).step_by(CHUNK) {
            for (index, track) in take.tracks.iter().enumerate() {
                let last = (first + CHUNK).min(track.clip.frame_count());
                if first < last {
                    self.frames(index, &track.some_frames(first..last))?;
                }
            }
        }
        Ok(())
    }

    fn tail(
        &mut self,
        head: &TakeHead,
        tracks: (&[&TrackStart], &[&TrackEnd]),
        things: &[RigidTrack],
        events: &[Event],
    ) -> Get<()> {
        let mut content = ArchiveWriter::default();
        self.index.resize(tracks.0.len(), Vec::new());
        codec::write_tail(&mut content, head, tracks, (things, events), &self.index)?;
        let (content, offset) = (content.into_bytes(), self.offset);
        self.put(&content)?;
        self.put(&offset.to_le_bytes())?;
        self.put(&(content.len() as u64).to_le_bytes())?;
        self.put(&fnv1a(&content).to_le_bytes())?;
        self.put(&END)
    }

    /// Writes the rest and gives the file its name.
    pub fn finish(
        mut self,
        head: &TakeHead,
        tracks: (&[&TrackStart], &[&TrackEnd]),
        things: &[RigidTrack],
        events: &[Event],
    ) -> Get<TakeFile> {
        self.tail(head, tracks, things, events)?;
        match self.output {
            Output::Memory(bytes) => TakeFile::from_bytes(bytes),
            Output::File(file, path) => {
                file.commit()?;
                TakeFile::open(&path)
            }
        }
    }

    fn write(mut self, take: &Take) -> Get<TakeFile> {
        self.all_frames(take)?;
        let starts: Vec<TrackStart> = take.tracks.iter().map(Track::start).collect();
        let ends: Vec<TrackEnd> = take.tracks.iter().map(Track::end).collect();
        let (starts, ends): (Vec<_>, Vec<_>) = starts.iter().zip(&ends).unzip();
        self.finish(&take.head, (&starts, &ends), &take.things, &take.events)
    }
}

impl Take {
    /// Writes the take to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Get<()> {
        TakeWriter::create(path)?.write(self).map(drop)
    }

    /// The take as the bytes of a file.
    pub fn to_bytes(&self) -> Get<Vec<u8>> {
        match TakeWriter::begin(Output::Memory(Vec::new()))?.write(self)?.bytes {
            Bytes::Memory(bytes) => Ok(bytes),
            Bytes::File(_) => Err(TakeFileError::NoFile),
        }
    }

    /// The take of the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Get<Self> {
        TakeFile::from_bytes(bytes.to_vec())?.load()
    }
}

/// Where bytes come from.
#[derive(Debug)]
enum Bytes {
    File(Mutex<File>),
    Memory(Vec<u8>),
}

impl Bytes {
    fn len(&self) -> Get<u64> {
        match self {
            Self::Memory(bytes) => Ok(bytes.len() as u64),
            Self::File(file) => {
                let file = file.lock().unwrap_or_else(|broken| broken.into_inner());
                Ok(file.metadata()?.len())
            }
        }
    }

    /// So many bytes from somewhere.
    fn at(&self, offset: u64, count: usize) -> Get<Vec<u8>> {
        let end = offset.checked_add(count as u64);
        if end.is_none_or(|end| self.len().map_or(true, |length| end > length)) {
            return invalid("a part of it lies behind its end");
        }
        match self {
            Self::Memory(bytes) => Ok(bytes[offset as usize..offset as usize + count].to_vec()),
            Self::File(file) => {
                let mut file = file.lock().unwrap_or_else(|broken| broken.into_inner());
                let mut bytes = vec![0; count];
                file.seek(SeekFrom::Start(offset))?;
                file.read_exact(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}

/// A take in a file: everything but the frames is in memory, and frames are read when they are asked for.
///
/// ```no_run
/// use andante_take::{TakeFile, TakeSource};
///
/// let take = TakeFile::open("out/demo/take.take".as_ref())?;
/// println!("{} for {:.1} s", take.names().join(", "), take.seconds());
/// let first = take.track(0)?;
/// println!("{} m/s at the end", first.curve("speed").last().unwrap_or(&0.0));
/// # Ok::<(), andante_take::TakeFileError>(())
/// ```
#[derive(Debug)]
pub struct TakeFile {
    bytes: Bytes,
    head: TakeHead,
    starts: Vec<TrackStart>,
    ends: Vec<TrackEnd>,
    things: Vec<RigidTrack>,
    events: Vec<Event>,
    index: Vec<Vec<FrameChunk>>,
    /// Which chunks have been found to be whole: that is looked at once.
    whole: Vec<Vec<AtomicBool>>,
    /// Tracks that have been read; none of a large take.
    kept: Vec<OnceLock<Track>>,
}

impl TakeFile {
    /// Opens a file and reads everything but its frames.
    pub fn open(path: &Path) -> Get<Self> {
        let file = open_file(path).map_err(std::io::Error::from)?;
        Self::read(Bytes::File(Mutex::new(file)), KEPT)
    }

    /// The same for bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Get<Self> {
        Self::read(Bytes::Memory(bytes), KEPT)
    }

    /// Keeps tracks that are read unless all of them would fill more bytes than are told.
    fn read(bytes: Bytes, most: u64) -> Get<Self> {
        let found = bytes.len()?;
        let name = "take";
        let header = bytes.at(0, HEADER.min(found as usize))?;
        let Some(version) = header.strip_prefix(&MAGIC) else {
            return Err(ArchiveError::Foreign(name).into());
        };
        let expected = (HEADER + TRAILER) as u64;
        let short = ArchiveError::Cut { name, found };
        let version = version.first_chunk().map(|bytes| u16::from_le_bytes(*bytes));
        let version = version.ok_or_else(|| short.clone())?;
        if version < FIRST_VERSION {
            return Err(TakeFileError::Old(version));
        }
        if version > VERSION {
            return Err(ArchiveError::Version { name, found: version, known: VERSION }.into());
        }
        if found < expected {
            return Err(short.into());
        }
        let trailer = bytes.at(found - TRAILER as u64, TRAILER)?;
        let Some(trailer) = trailer.strip_suffix(&END) else { return Err(short.into()) };
        let mut trailer = ArchiveReader::new(trailer);
        let (offset, length, checksum) = (trailer.u64()?, trailer.u64()?, trailer.u64()?);
        if offset.checked_add(length) != Some(found - TRAILER as u64) {
            return Err(short.into());
        }
        let tail = bytes.at(offset, length as usize)?;
        if fnv1a(&tail) != checksum {
            return Err(ArchiveError::Damaged(name).into());
        }
        let tail = codec::read_tail(&mut ArchiveReader::new(&tail))?;
        let codec::Tail { head, starts, ends, things, events, index } = tail;
        // In a file, joints that are still take hardly any room; in memory all take the same.
        let filled = starts.iter().zip(&index).map(|(start, chunks)| {
            let frames: u64 = chunks.iter().map(|chunk| u64::from(chunk.frames)).sum();
            frames.saturating_mul(start.frame_bytes() as u64)
        });
        let small = filled.fold(0, u64::saturating_add) <= most;
        let kept = starts.iter().filter(|_| small).map(|_| OnceLock::new()).collect();
        let unknown = |chunks: &Vec<FrameChunk>| chunks.iter().map(|_| false.into()).collect();
        let whole = index.iter().map(unknown).collect();
        Ok(Self { bytes, head, starts, ends, things, events, index, whole, kept })
    }

    fn chunk(
        &self,
        (chunk, whole): (&FrameChunk, &AtomicBool),
        start: &TrackStart,
    ) -> Get<TrackFrames> {
        let bytes = self.bytes.at(chunk.offset, chunk.bytes as usize + CHECKSUM)?;
        let (content, checksum) = bytes.split_at(chunk.bytes as usize);
        if !whole.load(Ordering::Relaxed) {
            if fnv1a(content).to_le_bytes() != *checksum {
                return Err(ArchiveError::Damaged("take").into());
            }
            whole.store(true, Ordering::Relaxed);
        }
        codec::read_frames(content, start, chunk.frames as usize)
    }

    /// Some frames of a track, from the file.
    fn read_part(&self, index: usize, frames: Range<usize>) -> Get<Track> {
        let no_track = TakeFileError::NoTrack(index);
        let (Some(start), Some(chunks), Some(whole)) =
            (self.starts.get(index), self.index.get(index), self.whole.get(index))
        else {
            return Err(no_track);
        };
        let (mut found, mut first) = (start.frames(), 0);
        for (chunk, whole) in chunks.iter().zip(whole) {
            let last = first + chunk.frames as usize;
            let wanted = frames.start.max(first)..frames.end.min(last);
            if !wanted.is_empty() {
                let mut some = self.chunk((chunk, whole), start)?;
                some.keep(wanted.start - first..wanted.end - first);
                found.append(some);
            }
            first = last;
        }
        let end = self.ends.get(index).cloned().unwrap_or_default();
        start.clone().track(found, end, self.head.fps)
    }

    /// Everything, in memory.
    pub fn load(&self) -> Get<Take> {
        let track = |index: usize| self.read_part(index, 0..self.frames_of(index));
        Ok(Take {
            head: self.head.clone(),
            tracks: (0..self.starts.len()).map(track).collect::<Get<_>>()?,
            things: self.things.clone(),
            events: self.events.clone(),
        })
    }
}

impl TakeSource for TakeFile {
    fn head(&self) -> &TakeHead {
        &self.head
    }

    fn names(&self) -> Vec<&str> {
        self.starts.iter().map(|track| track.name.as_str()).collect()
    }

    fn track(&self, index: usize) -> Get<Cow<'_, Track>> {
        let read = || self.read_part(index, 0..self.frames_of(index));
        let Some(kept) = self.kept.get(index) else { return read().map(Cow::Owned) };
        let track = match kept.get() {
            Some(track) => track,
            None => {
                let track = read()?;
                kept.get_or_init(|| track)
            }
        };
        Ok(Cow::Borrowed(track))
    }

    fn part(&self, index: usize, frames: Range<usize>) -> Get<Track> {
        match self.kept.get(index).and_then(OnceLock::get) {
            Some(track) => {
                let last = frames.end.min(track.clip.frame_count());
                let some = track.some_frames(frames.start.min(last)..last);
                track.start().track(some, track.end(), self.head.fps)
            }
            None => self.read_part(index, frames),
        }
    }

    fn view(&self, index: usize, frames: Range<usize>) -> Get<TrackView<'_>> {
        match self.kept.get(index).and_then(OnceLock::get) {
            Some(track) => Ok(TrackView::of(track, frames)),
            None => Ok(TrackView::whole(Cow::Owned(self.read_part(index, frames)?))),
        }
    }

    fn things(&self) -> &[RigidTrack] {
        &self.things
    }

    fn events(&self) -> &[Event] {
        &self.events
    }

    fn frames_of(&self, index: usize) -> usize {
        let chunks = self.index.get(index).map_or(&[][..], Vec::as_slice);
        chunks.iter().map(|chunk| chunk.frames as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_play::{Contacts, FootContacts};
    use andante_skeleton::{Clip, humanoid};

    /// Somebody who stands still fills many times as much of the memory as of a file.
    #[test]
    fn tracks_are_kept_by_what_they_fill_of_the_memory() {
        let human = humanoid();
        let rest: Vec<_> = human.skeleton.joints().iter().map(|joint| joint.rest).collect();
        let (joints, frames) = (rest.len(), 2000);
        let clip = Clip::new("still", &human.skeleton, 30.0, rest.repeat(frames)).unwrap();
        let contacts = Contacts { feet: vec![FootContacts::default(); human.rig.feet.len()] };
        let bytes = Take::of_clip(&human, &clip, contacts, None).to_bytes().unwrap();
        let filled = (frames * joints * size_of::<andante_skeleton::Transform>()) as u64;
        assert!(4 * (bytes.len() as u64) < filled, "{} of {filled}", bytes.len());
        for (most, is_kept) in [(filled / 2, false), (2 * filled, true)] {
            let file = TakeFile::read(Bytes::Memory(bytes.clone()), most).unwrap();
            assert_eq!(file.track(0).unwrap().clip.transforms(), clip.transforms());
            assert_eq!(matches!(file.track(0).unwrap(), Cow::Borrowed(_)), is_kept, "{most}");
        }
    }
}
