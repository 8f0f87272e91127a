//! A skeleton and a motion together.

use super::amc::AmcReader;
use super::asf::read_asf;
use super::pose::PoseBuilder;
use crate::budget::Budget;
use crate::{Asset, ReadError, ReadOptions, Warning};
use andante_skeleton::Clip;
use std::io::BufRead;

/// Frames per second of a motion that does not tell: those of the Carnegie Mellon database.
const DEFAULT_FPS: f32 = 120.0;

/// Reads a skeleton and a motion into one clip called `name`. A motion without frames gives no clip.
///
/// An error may be about either file; [`read_asf`] and [`AmcReader`] tell them apart.
pub fn read(
    asf: &[u8],
    amc: impl BufRead,
    name: &str,
    options: &ReadOptions,
) -> Result<Asset, ReadError> {
    let file = read_asf(asf, options)?;
    let (skeleton, units, mut warnings) = file.to_skeleton()?;
    let mut reader = AmcReader::new(amc, &file);
    let pose = PoseBuilder::new(&file);
    let mut transforms = Vec::new();
    while let Some(frame) = reader.next_frame()? {
        pose.build(frame, &mut transforms);
        Budget::new(reader.bytes_read()).check(transforms.len())?;
    }
    warnings.extend(reader.warnings());
    let mut clips = Vec::new();
    if transforms.is_empty() {
        warnings.push(Warning::new("the motion has no frames; there is no clip"));
    } else {
        let fps = options.fps.or(reader.fps().map(|fps| fps as f32)).unwrap_or(DEFAULT_FPS);
        let clip = Clip::new(name, &skeleton, fps, transforms)
            .map_err(|error| ReadError::file(error.to_string()))?;
        clips.push(clip);
    }
    Ok(Asset { skeleton, clips, mesh: None, units, warnings })
}
