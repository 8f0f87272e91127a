//! A whole file.

use super::hierarchy::{self, Hierarchy};
use super::motion::{FrameReader, MotionHeader};
use super::pose::PoseBuilder;
use crate::budget::Budget;
use crate::convention::{Convention, given_units, guessed_units};
use crate::magnitude::asset_within;
use crate::text::{Cursor, LineCounter, shown};
use crate::{Asset, ReadError, ReadOptions, Warning};
use andante_skeleton::{Clip, Transform};

/// Reads a BVH file into a skeleton and one clip called `name`.
///
/// A file without frames gives a skeleton without a clip. What is odd but can be dealt with is listed
/// in [`Asset::warnings`].
///
/// ```
/// use andante_formats::{ReadOptions, bvh};
///
/// let file = "HIERARCHY
/// ROOT Hips
/// {
///   OFFSET 0 0 0
///   CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
///   End Site
///   {
///     OFFSET 0 0.9 0
///   }
/// }
/// MOTION
/// Frames: 2
/// Frame Time: 0.0333333
/// 0 0.9 0 0 0 0
/// 0 0.9 0.1 0 90 0";
/// let asset = bvh::read(file.as_bytes(), "turn", &ReadOptions::default())?;
/// assert_eq!(asset.clips[0].fps(), 30.0);
/// assert_eq!(asset.clips[0].frame(1)[0].translation.z, 0.1);
/// # Ok::<(), andante_formats::ReadError>(())
/// ```
pub fn read(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<Asset, ReadError> {
    let given = given_units(options)?;
    let mut warnings = Vec::new();
    let mut cursor = Cursor::new(bytes);
    let hierarchy = hierarchy::parse(&mut cursor, &mut warnings)?;
    let units = given.unwrap_or_else(|| guessed_units(hierarchy.extent(), options));
    let convention = Convention { scale: f64::from(units.scale), up: options.up };
    let skeleton = hierarchy.skeleton(&convention)?;
    let mut clips = Vec::new();
    if let Some(motion) = read_motion(&mut cursor, &hierarchy, convention, options, &mut warnings)?
    {
        let clip = Clip::new(name, &skeleton, motion.fps, motion.transforms)
            .map_err(|error| ReadError::file(error.to_string()))?;
        clips.push(clip);
    }
    asset_within(Asset { units, warnings, ..Asset::new(skeleton, clips) }, options.limits.reach)
}

struct MotionSection {
    fps: f32,
    transforms: Vec<Transform>,
}

/// Reads from `MOTION` to the end of the file.
fn read_motion(
    cursor: &mut Cursor,
    hierarchy: &Hierarchy,
    convention: Convention,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<Option<MotionSection>, ReadError> {
    let (word, at) = cursor.peek_word();
    if word.is_empty() {
        warnings.push(Warning::new("the file has no MOTION section; there is no clip"));
        return Ok(None);
    }
    if !cursor.take("MOTION") {
        let message = if word.eq_ignore_ascii_case(b"ROOT") {
            "a second ROOT: a file with several characters must be split first".into()
        } else {
            format!("`{}` after the hierarchy: expected MOTION", shown(word))
        };
        return Err(cursor.error(at, message));
    }
    let header = MotionHeader::parse(cursor)?;
    let motion_line = LineCounter::default().line(cursor.text, at);
    let columns = hierarchy.channels.len();
    if columns == 0 {
        let message = "no joint has channels; there is no clip";
        warnings.push(Warning::at_line(motion_line, message));
        return Ok(None);
    }

    let mut frames = FrameReader::new(cursor, hierarchy);
    let mut values = vec![0.0; columns];
    let mut pose = PoseBuilder::new(hierarchy, convention);
    let mut transforms = Vec::new();
    let budget = Budget::new(cursor.text.len(), &options.limits);
    let start = frames.remaining();
    while frames.next(&mut values, warnings)? {
        let joints = hierarchy.joints.len();
        if frames.count == 1 {
            // What is left has about as many bytes per frame as the first one. The declared number
            // is only believed if it is smaller.
            let length = (start - frames.remaining()).max(1);
            let declared = header.frames.unwrap_or(u64::MAX).min(start as u64) as usize;
            let expected = (start / length + 1).min(declared.max(1));
            transforms.reserve_exact(budget.min(expected.saturating_mul(joints)));
        }
        budget.check(transforms.len() + joints)?;
        pose.build(&values, &mut transforms);
    }

    let mut warn = |message: String| warnings.push(Warning::at_line(motion_line, message));
    if frames.count == 0 {
        warn("the file has no frames; there is no clip".into());
        return Ok(None);
    }
    match header.frames {
        None => warn(format!("the number of frames is not declared; {} found", frames.count)),
        Some(declared) if declared != frames.count as u64 => {
            warn(format!("frames: {declared} declared, {} found", frames.count));
        }
        Some(_) => {}
    }
    let fps = header.fps().unwrap_or_else(|| {
        let fps = options.fps.unwrap_or(options.guesses.fps);
        let reason = match header.frame_time {
            None => "the frame time is missing".into(),
            Some(time) => format!("a frame time of {time:?} s makes no sense"),
        };
        warn(format!("{reason}; {fps} frames per second assumed"));
        fps
    });
    if let Some(time) = header.frame_time.filter(|time| *time > 1.0 && frames.count > 1) {
        warn(format!(
            "a frame time of {time} s is long: it may be meant as a rate, or in milliseconds"
        ));
    }
    Ok(Some(MotionSection { fps, transforms }))
}
