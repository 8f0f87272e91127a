//! A skeleton and a motion together.

use super::amc::AmcReader;
use super::asf::{AsfSkeleton, read_asf};
use super::pose::AcclaimPoseBuilder;
use crate::budget::Budget;
use crate::magnitude::asset_within;
use crate::{Asset, ReadError, ReadOptions, Warning};
use andante_skeleton::Clip;
use std::io::BufRead;

/// Reads a skeleton and a motion into one clip called `name`. A motion without frames gives no clip.
///
/// An error may be about either file; [`read_asf`] and [`read_amc`], one after the other, tell them apart.
pub fn read(
    asf: &[u8],
    amc: impl BufRead,
    name: &str,
    options: &ReadOptions,
) -> Result<Asset, ReadError> {
    read_amc(&read_asf(asf, options)?, amc, name)
}

/// Reads a motion of this skeleton into one clip called `name`, with the options that the skeleton was
/// read with. A motion without frames gives no clip.
pub fn read_amc(file: &AsfSkeleton, amc: impl BufRead, name: &str) -> Result<Asset, ReadError> {
    let (skeleton, units, mut warnings) = file.to_skeleton()?;
    let mut reader = AmcReader::new(amc, file);
    let pose = AcclaimPoseBuilder::new(file);
    let mut transforms = Vec::new();
    while let Some(frame) = reader.next_frame()? {
        pose.build(frame, &mut transforms);
        Budget::new(reader.bytes_read(), &file.options.limits).check(transforms.len())?;
    }
    warnings.extend(reader.warnings());
    let mut clips = Vec::new();
    if transforms.is_empty() {
        warnings.push(Warning::new("the motion has no frames; there is no clip"));
    } else {
        let stated = reader.fps().map(|fps| fps as f32);
        let fps = file.options.fps.or(stated).unwrap_or(file.options.guesses.amc_fps);
        let clip = Clip::new(name, &skeleton, fps, transforms)
            .map_err(|error| ReadError::file(error.to_string()))?;
        clips.push(clip);
    }
    let asset = Asset { units, warnings, ..Asset::new(skeleton, clips) };
    asset_within(asset, file.options.limits.reach)
}
