//! Poses of the SMPL bodies in numpy's `.npz` archives, as AMASS and what estimates poses from films write them; read, not written.
//!
//! An archive has `poses` (frames × 3·joints: axis angles of the joints in the order of SMPL, SMPL-H or SMPL-X, the pelvis first),
//! or `root_orient` and `pose_body`, which SMPL-X and what estimates poses call `global_orient` and `body_pose`; mostly `trans` or
//! `transl` (frames × 3) and `mocap_framerate` or `mocap_frame_rate`. Rotations may be matrices as well.
//!
//! # Units
//!
//! Places are metres and angles radians. Places in which the feet would slide faster than anybody does are in the unit in which
//! they stay, and angles that turn most poses round more than once are degrees; both is told.
//!
//! # The body
//!
//! What makes a body of them (its mean, and what `betas` do to it) is not in such a file and not free. The 22 joints of the body,
//! and the hands of SMPL's 24, have their names and their order here and the lengths of the built-in human; fingers, jaw and eyes
//! are left out. A motion is put on the body that it was captured from by `retarget`, as any other is. The pelvis is where `trans`
//! says: the origin of a body of SMPL is some centimetres beside it, always by the same.
//!
//! # Axes
//!
//! The axis of the file that the pelvis points up along, seen over all frames, is up; another than Y is told of, and Y where the
//! pelvis points elsewhere most of the time.

mod archive;
mod array;
mod body;
mod places;
mod poses;

use crate::budget::Budget;
use crate::convention::given_units;
use crate::magnitude::asset_within;
use crate::{Asset, ReadError, ReadOptions, UnitSource, Units, UpAxis, Warning};
use andante_skeleton::{Clip, Skeleton, Transform};
use archive::Archive;
use glam::{DQuat, DVec3, Quat, Vec3};
use poses::Poses;

/// Reads an archive of poses as one clip called `name`.
pub fn read(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<Asset, ReadError> {
    let given = given_units(options)?;
    let mut archive = Archive::open(bytes, &options.limits)?;
    let mut warnings = Vec::new();
    let most = Budget::new(bytes.len(), &options.limits).transforms;
    let poses = Poses::read(&mut archive, most, &mut warnings)?;
    let skeleton = body::skeleton(poses.joints)?;
    let fps = rate(&mut archive, options, &mut warnings)?;
    let mut places = places::read(&mut archive, poses.frames, &mut warnings)?;
    let turn = turn(&poses, options, &mut warnings);
    if archive.has("betas") {
        warnings.push(Warning::new(
            "`betas`, the shape of the body, are not used: lengths are those of the built-in human",
        ));
    } else {
        warnings.push(Warning::new(
            "lengths of bones are not in such a file: they are those of the built-in human",
        ));
    }
    let made = |places: Option<&[DVec3]>| clip(name, &skeleton, fps, &poses, places, turn);
    let metres = Units { scale: 1.0, source: UnitSource::Stated };
    let units = match (given, made(places.as_deref())?, &places) {
        (Some(given), ..) => given,
        (None, Some(clip), Some(_)) => places::unit(&skeleton, &clip, &mut warnings)?,
        _ => metres,
    };
    let scale = f64::from(units.scale);
    places.iter_mut().flatten().for_each(|place| *place *= scale);
    let clip = made(places.as_deref())?;
    let clips = clip.into_iter().collect();
    asset_within(Asset { units, warnings, ..Asset::new(skeleton, clips) }, options.limits.reach)
}

/// Frames per second: what the file says, or what is asked for.
fn rate(
    archive: &mut Archive,
    options: &ReadOptions,
    warnings: &mut Vec<Warning>,
) -> Result<f32, ReadError> {
    for name in ["mocap_framerate", "mocap_frame_rate", "fps"] {
        let Some(rate) = archive.numbers(name)? else { continue };
        let rate = rate.only().map(|rate| rate as f32);
        return match rate.filter(|rate| rate.is_finite() && (1e-3..=1e4).contains(rate)) {
            Some(rate) => Ok(rate),
            None => Err(ReadError::element(name, "is not a rate of frames")),
        };
    }
    if let Some(fps) = options.fps {
        return Ok(fps);
    }
    let fps = options.guesses.fps;
    warnings.push(Warning::new(format!("no rate of frames in the file; {fps} per second assumed")));
    Ok(fps)
}

/// What leads from the axes of the file to ours.
fn turn(poses: &Poses, options: &ReadOptions, warnings: &mut Vec<Warning>) -> DQuat {
    let quarter = std::f64::consts::FRAC_PI_2;
    let z = DQuat::from_rotation_x(-quarter);
    match options.up {
        UpAxis::Z => return z,
        UpAxis::Y if options.up_is_told => return DQuat::IDENTITY,
        UpAxis::Y => {}
    }
    let up: DVec3 = (0..poses.frames).map(|frame| poses.root(frame) * DVec3::Y).sum();
    let ways = [
        ("Y", DVec3::Y, DQuat::IDENTITY),
        ("Z", DVec3::Z, z),
        ("−Y", -DVec3::Y, DQuat::from_rotation_x(2.0 * quarter)),
        ("−Z", -DVec3::Z, DQuat::from_rotation_x(quarter)),
        ("X", DVec3::X, DQuat::from_rotation_z(quarter)),
        ("−X", -DVec3::X, DQuat::from_rotation_z(-quarter)),
    ];
    let mut best = &ways[0];
    for way in &ways {
        if way.1.dot(up) > best.1.dot(up) {
            best = way;
        }
    }
    let leaning = best.1.dot(up) < 0.8 * poses.frames as f64;
    if best.0 == "Y" && !leaning {
        return best.2;
    }
    let says = if best.0 == "Y" { "Y" } else { "another axis than Y" };
    warnings.push(Warning::new(format!(
        "the pelvis points up along {says}: {} is taken for up, which is wrong of who lies or is upside down",
        best.0
    )));
    best.2
}

/// The clip; none without frames.
fn clip(
    name: &str,
    skeleton: &Skeleton,
    fps: f32,
    poses: &Poses,
    places: Option<&[DVec3]>,
    turn: DQuat,
) -> Result<Option<Clip>, ReadError> {
    if poses.frames == 0 {
        return Ok(None);
    }
    let rest: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.rest.translation).collect();
    // Depth first here, as numbered there.
    let order = body::order(poses.joints);
    let mut transforms = Vec::with_capacity(poses.frames * poses.joints);
    for frame in 0..poses.frames {
        for (joint, &number) in order.iter().enumerate() {
            let local = poses.rotations[frame * poses.joints + number];
            let (rotation, translation) = match (joint, places) {
                (0, Some(places)) => (turn * local, (turn * places[frame]).as_vec3()),
                (0, None) => (turn * local, rest[0]),
                _ => (local, rest[joint]),
            };
            let rotation: Quat = rotation.as_quat().normalize();
            transforms.push(Transform::new(rotation, translation));
        }
    }
    let clip = Clip::new(name, skeleton, fps, transforms);
    clip.map(Some).map_err(|error| ReadError::file(error.to_string()))
}
