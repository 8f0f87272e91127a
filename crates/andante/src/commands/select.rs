//! Options that several commands share, put into effect.

use crate::args::{ReadingArgs, Up};
use crate::failure::Failure;
use andante_formats::{Asset, Format, ReadOptions, UpAxis, read_file};
use std::path::Path;

/// Reads a file as the options say; `asf` is the skeleton of an .amc file.
pub fn read(
    path: &Path,
    reading: &ReadingArgs,
    asf: Option<&Path>,
    fps: Option<f32>,
) -> Result<Asset, Failure> {
    if let Some(scale) = reading.scale
        && !(scale.is_finite() && scale > 0.0)
    {
        return Err(Failure::new(format!(
            "--scale {scale}: metres per unit must be a positive number"
        )));
    }
    for (option, fps) in [("--fps", fps), ("--amc-fps", reading.amc_fps)] {
        if let Some(fps) = fps
            && !(fps.is_finite() && fps > 0.0 && fps <= 10_000.0)
        {
            return Err(Failure::new(format!("{option} {fps}: must be above 0 and at most 10000")));
        }
    }
    let up = match reading.up {
        Up::Y => UpAxis::Y,
        Up::Z => UpAxis::Z,
    };
    // glTF is sampled at the rate that is wanted; the rate of an .amc file is a fact about it.
    let fps = if Format::of(path) == Some(Format::Acclaim) { reading.amc_fps } else { fps };
    let options = ReadOptions { scale: reading.scale, up, fps };
    Ok(read_file(path, &options, asf)?)
}

/// Keeps the clip of this name or number alone.
pub fn keep_clip(asset: &mut Asset, wanted: Option<&str>) -> Result<(), Failure> {
    let Some(wanted) = wanted else { return Ok(()) };
    let by_name = asset.clips.iter().position(|clip| clip.name() == wanted);
    let by_number = || wanted.parse::<usize>().ok().filter(|&number| number < asset.clips.len());
    let Some(index) = by_name.or_else(by_number) else {
        let names: Vec<_> = asset.clips.iter().map(|clip| clip.name()).collect();
        let hint = if names.is_empty() {
            "the file has none".into()
        } else {
            format!("it has {}", names.join(", "))
        };
        return Err(Failure::new(format!("there is no animation `{wanted}`")).hint(hint));
    };
    asset.clips = vec![asset.clips.swap_remove(index)];
    Ok(())
}
