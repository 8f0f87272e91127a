//! Poses of the SMPL bodies in numpy's `.npz` archives, as AMASS and what estimates poses from films write them; read, not written.
//!
//! An archive has `poses` (frames × 3·joints: axis angles of the joints in the order of SMPL, SMPL-H or SMPL-X, the pelvis first),
//! or `root_orient` and `pose_body`; mostly `trans` (frames × 3, metres) and `mocap_framerate` or `mocap_frame_rate`.
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
//! The axis of the file that the pelvis points up along, seen over all frames, is up; another than Y is told of.

mod archive;
mod array;
mod body;

use crate::budget::Budget;
use crate::convention::given_units;
use crate::magnitude::asset_within;
use crate::{Asset, ReadError, ReadOptions, UnitSource, Units, UpAxis, Warning};
use andante_skeleton::{Clip, Skeleton, Transform};
use archive::Archive;
use array::NumberArray;
use glam::{DQuat, DVec3, Quat, Vec3};

/// Reads an archive of poses as one clip called `name`.
pub fn read(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<Asset, ReadError> {
    let units = given_units(options)?.unwrap_or(Units { scale: 1.0, source: UnitSource::Stated });
    let mut archive = Archive::open(bytes, &options.limits)?;
    let mut warnings = Vec::new();
    let most = Budget::new(bytes.len(), &options.limits).transforms;
    let poses = Poses::read(&mut archive, most, &mut warnings)?;
    let skeleton = body::skeleton(poses.joints)?;
    let fps = rate(&mut archive, options, &mut warnings)?;
    let places = places(&mut archive, poses.frames, units.scale, &mut warnings)?;
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
    let clip = clip(name, &skeleton, fps, &poses, places.as_deref(), turn)?;
    let clips = clip.into_iter().collect();
    asset_within(Asset { units, warnings, ..Asset::new(skeleton, clips) }, options.limits.reach)
}

/// Rotations of the joints that are read, frame by frame.
struct Poses {
    frames: usize,
    joints: usize,
    rotations: Vec<DQuat>,
}

impl Poses {
    /// At most so many rotations.
    fn read(
        archive: &mut Archive,
        most: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ReadError> {
        let tables = tables(archive)?;
        let frames = tables[0].1.rows();
        let mut widths = Vec::new();
        for (name, table) in &tables {
            let width = table.width();
            let is_axis_angles = width > 0 && width.is_multiple_of(3) && table.is_of(3);
            if table.rows() != frames || !is_axis_angles {
                let message = format!(
                    "{} numbers in {} rows are no axis angles of {frames} frames",
                    width,
                    table.rows()
                );
                return Err(ReadError::element(*name, message));
            }
            widths.push(width / 3);
        }
        let all: usize = widths.iter().sum();
        let joints = match all {
            24 => 24,
            // Without hands, with them, and with the face.
            22 | 52 | 55 => 22,
            _ => {
                let message = format!(
                    "{all} joints are not a body: SMPL has 22 or 24, SMPL-H 52 and SMPL-X 55"
                );
                return Err(ReadError::element(tables[0].0, message));
            }
        };
        if all > joints {
            let message = format!("{} joints of fingers and face were left out", all - joints);
            warnings.push(Warning::new(message));
        }
        if frames.saturating_mul(joints) > most {
            let message = format!(
                "{frames} frames of {joints} joints are more than an archive of this size may hold"
            );
            return Err(ReadError::element(tables[0].0, message));
        }
        let mut rotations = Vec::with_capacity(frames * joints);
        for frame in 0..frames {
            let mut left = joints;
            for ((name, table), &own) in tables.iter().zip(&widths) {
                for joint in 0..own.min(left) {
                    let angle = |axis| table.at(frame, 3 * joint + axis);
                    let axis = DVec3::new(angle(0), angle(1), angle(2));
                    // Nobody turns a joint round more than some times; beyond, nothing of the angle is left.
                    if !(axis.is_finite() && axis.length() < 1e6) {
                        let message =
                            format!("no finite angle of joint {joint} in frame {}", frame + 1);
                        return Err(ReadError::element(*name, message));
                    }
                    rotations.push(DQuat::from_scaled_axis(axis).normalize());
                }
                left = left.saturating_sub(own);
            }
        }
        Ok(Self { frames, joints, rotations })
    }

    fn root(&self, frame: usize) -> DQuat {
        self.rotations[frame * self.joints]
    }
}

/// The arrays of angles by their names.
fn tables(archive: &mut Archive) -> Result<Vec<(&'static str, NumberArray)>, ReadError> {
    if let Some(poses) = archive.numbers("poses")? {
        return Ok(vec![("poses", poses)]);
    }
    let both = (archive.numbers("root_orient")?, archive.numbers("pose_body")?);
    let (Some(root), Some(body)) = both else {
        return Err(ReadError::file(format!(
            "has neither `poses` nor `root_orient` and `pose_body`: it is no motion of an SMPL body; it has {}",
            archive.listed()
        )));
    };
    Ok(vec![("root_orient", root), ("pose_body", body)])
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

/// Where the pelvis is in every frame, in the axes of the file.
fn places(
    archive: &mut Archive,
    frames: usize,
    scale: f32,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Vec<DVec3>>, ReadError> {
    for name in ["trans", "transl"] {
        let Some(table) = archive.numbers(name)? else { continue };
        if (table.rows(), table.width()) != (frames, 3) {
            let message =
                format!("{} rows of {} numbers for {frames} frames", table.rows(), table.width());
            return Err(ReadError::element(name, message));
        }
        let place = |frame| DVec3::new(table.at(frame, 0), table.at(frame, 1), table.at(frame, 2));
        return Ok(Some((0..frames).map(|frame| place(frame) * f64::from(scale)).collect()));
    }
    warnings.push(Warning::new("no `trans` in the file: the pelvis stays where it is"));
    Ok(None)
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
