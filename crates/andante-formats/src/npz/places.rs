//! Where the pelvis is, and the unit of that.

use super::archive::Archive;
use crate::{ReadError, UnitSource, Units, Warning};
use andante_skeleton::{Clip, Skeleton};
use glam::{DVec3, Vec3};

/// Names that it has.
const NAMES: [&str; 3] = ["trans", "transl", "smpl_trans"];

/// Units other than metres that people write, by name and metres.
const UNITS: [(&str, f32); 3] = [("centimetres", 0.01), ("millimetres", 0.001), ("inches", 0.0254)];

/// Where the pelvis is in every frame, in the axes and the unit of the file.
pub(super) fn read(
    archive: &mut Archive,
    frames: usize,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Vec<DVec3>>, ReadError> {
    for name in NAMES {
        let Some(table) = archive.numbers(name)? else { continue };
        if (table.rows(), table.width()) != (frames, 3) {
            let message =
                format!("{} rows of {} numbers for {frames} frames", table.rows(), table.width());
            return Err(ReadError::element(name, message));
        }
        let place = |frame| {
            let place = DVec3::new(table.at(frame, 0), table.at(frame, 1), table.at(frame, 2));
            match place.is_finite() {
                true => Ok(place),
                false => {
                    let message = format!("no finite place in frame {}", frame + 1);
                    Err(ReadError::element(name, message))
                }
            }
        };
        return (0..frames).map(place).collect::<Result<_, _>>().map(Some);
    }
    warnings.push(Warning::new("no `trans` in the file: the pelvis stays where it is"));
    Ok(None)
}

/// The unit of the places of a motion that was read as if they were metres: another one if feet that are down would slide
/// faster than anybody does, and stay in that.
pub(super) fn unit(
    skeleton: &Skeleton,
    clip: &Clip,
    warnings: &mut Vec<Warning>,
) -> Result<Units, ReadError> {
    let metres = Units { scale: 1.0, source: UnitSource::Stated };
    // A few frames tell nothing.
    if clip.frame_count() < 10 {
        return Ok(metres);
    }
    let slides = |unit: f32| slide(skeleton, clip, unit);
    let as_metres = slides(1.0);
    let others = UNITS.map(|(name, unit)| (name, unit, slides(unit)));
    let best = others.into_iter().min_by(|a, b| a.2.total_cmp(&b.2));
    let Some((name, scale, left)) = best else { return Ok(metres) };
    let hint = "give --scale (the metres of one of its units)";
    let fits = left < 0.1 * as_metres && left < 1.0;
    // Nobody is as fast, on skates or skis either.
    if as_metres > 15.0 && fits {
        warnings.push(Warning::new(format!(
            "places are taken for {name}: in metres the feet would slide at {as_metres:.1} m/s; {hint} if that is wrong"
        )));
        return Ok(Units { scale, source: UnitSource::Guessed(name) });
    }
    if as_metres > 15.0 {
        return Err(ReadError::file(format!(
            "its feet would slide at {as_metres:.0} m/s if its places are metres, and neither inches nor centimetres nor millimetres fit them better: {hint}"
        )));
    }
    // Nothing tells who skates from who stands.
    if as_metres > 1.0 && fits {
        return Err(ReadError::file(format!(
            "its feet slide at {as_metres:.1} m/s if its places are metres, and stay if they are {name}: give --scale 1 or --scale {scale}"
        )));
    }
    if as_metres > 1.0 {
        warnings.push(Warning::new(format!(
            "the feet slide at {as_metres:.1} m/s: the places may not be those of these poses"
        )));
    } else if as_metres > 0.5 && fits {
        warnings.push(Warning::new(format!(
            "the feet slide at {as_metres:.1} m/s, and would stay if places were {name}: {hint} if they are"
        )));
    }
    Ok(metres)
}

/// How fast the lower one of both feet moves in metres per second, if places are in this unit: in a quarter of the frames more
/// slowly, since who runs is in the air in the others.
fn slide(skeleton: &Skeleton, clip: &Clip, unit: f32) -> f32 {
    let feet = ["left_foot", "right_foot"].map(|name| skeleton.find(name));
    let [Some(left), Some(right)] = feet else { return 0.0 };
    let mut models = skeleton.rest_models();
    let mut before: Option<[Vec3; 2]> = None;
    let mut speeds = Vec::with_capacity(clip.frame_count());
    for frame in clip.frames() {
        skeleton.local_to_model(frame, &mut models);
        let root = frame[0].translation;
        let places = [left, right].map(|foot| models[foot].translation - root + unit * root);
        if let Some(before) = before {
            let lower = usize::from(before[1].y < before[0].y);
            speeds.push(places[lower].distance(before[lower]) * clip.fps());
        }
        before = Some(places);
    }
    speeds.sort_by(f32::total_cmp);
    speeds.get(speeds.len() / 4).copied().unwrap_or(0.0)
}
