//! Rotations of joints by whatever names and in whatever form an archive has them.

use super::archive::Archive;
use super::array::NumberArray;
use crate::{ReadError, Warning};
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// Names of arrays that have all joints.
const WHOLE: [&str; 4] = ["poses", "fullpose", "smpl_poses", "pose"];

/// Names of arrays that have the pelvis alone, and the joints of the body after it: of AMASS, and of SMPL-X and what estimates
/// poses from films.
const PARTS: [[&str; 2]; 2] = [["root_orient", "pose_body"], ["global_orient", "body_pose"]];

/// Rotations of the joints that are read, frame by frame.
pub(super) struct Poses {
    pub frames: usize,
    pub joints: usize,
    pub rotations: Vec<DQuat>,
}

impl Poses {
    /// At most so many rotations.
    pub fn read(
        archive: &mut Archive,
        most: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ReadError> {
        let tables = tables(archive)?;
        let frames = tables[0].table.rows();
        for table in &tables {
            table.check(frames)?;
        }
        let all: usize = tables.iter().map(AngleTable::joints).sum();
        let name = tables[0].name;
        let joints = match all {
            24 => 24,
            // Without hands, with them, and with the face.
            22 | 52 | 55 => 22,
            _ => {
                let message = format!(
                    "{all} joints are not a body: SMPL has 22 or 24, SMPL-H 52 and SMPL-X 55"
                );
                return Err(ReadError::element(name, message));
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
            return Err(ReadError::element(name, message));
        }
        let unit = angle_unit(&tables, frames, joints, warnings)?;
        let mut rotations = Vec::with_capacity(frames * joints);
        for frame in 0..frames {
            for_each(&tables, joints, |table, joint| {
                rotations.push(table.rotation(frame, joint, unit)?);
                Ok(())
            })?;
        }
        Ok(Self { frames, joints, rotations })
    }

    pub fn root(&self, frame: usize) -> DQuat {
        self.rotations[frame * self.joints]
    }
}

/// Calls for each of the first joints, with the table that has it and its number there.
fn for_each(
    tables: &[AngleTable],
    joints: usize,
    mut call: impl FnMut(&AngleTable, usize) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let all = tables.iter().flat_map(|table| (0..table.joints()).map(move |joint| (table, joint)));
    all.take(joints).try_for_each(|(table, joint)| call(table, joint))
}

/// An array of rotations: axis angles, or matrices.
struct AngleTable {
    name: &'static str,
    table: NumberArray,
}

impl AngleTable {
    /// Numbers for each joint.
    fn numbers(&self) -> usize {
        if self.table.is_of_matrices() { 9 } else { 3 }
    }

    fn joints(&self) -> usize {
        self.table.width() / self.numbers()
    }

    fn check(&self, frames: usize) -> Result<(), ReadError> {
        let (table, width) = (&self.table, self.table.width());
        let fits = width > 0 && width.is_multiple_of(self.numbers());
        if table.rows() == frames && fits && (table.is_of(3) || table.is_of_matrices()) {
            return Ok(());
        }
        let message = format!(
            "{width} numbers in {} rows are no axis angles of {frames} frames",
            table.rows()
        );
        Err(ReadError::element(self.name, message))
    }

    /// The axis angle of a joint.
    fn axis(&self, frame: usize, joint: usize) -> Result<DVec3, ReadError> {
        let angle = |axis| self.table.at(frame, 3 * joint + axis);
        let axis = DVec3::new(angle(0), angle(1), angle(2));
        // Nobody turns a joint round more than some times; beyond, nothing of the angle is left.
        if axis.is_finite() && axis.length() < 1e6 {
            return Ok(axis);
        }
        let message = format!("no finite angle of joint {joint} in frame {}", frame + 1);
        Err(ReadError::element(self.name, message))
    }

    /// The rotation of a joint, given how many radians one is of what angles are in.
    fn rotation(&self, frame: usize, joint: usize, unit: f64) -> Result<DQuat, ReadError> {
        if !self.table.is_of_matrices() {
            return Ok(DQuat::from_scaled_axis(self.axis(frame, joint)? * unit).normalize());
        }
        let at = |row: usize, column: usize| self.table.at(frame, 9 * joint + 3 * row + column);
        let column = |column: usize| DVec3::new(at(0, column), at(1, column), at(2, column));
        let matrix = DMat3::from_cols(column(0), column(1), column(2));
        let square = matrix.transpose() * matrix;
        if !(square.abs_diff_eq(DMat3::IDENTITY, 1e-2) && matrix.determinant() > 0.0) {
            let message =
                format!("the matrix of joint {joint} in frame {} is no rotation", frame + 1);
            return Err(ReadError::element(self.name, message));
        }
        Ok(DQuat::from_mat3(&matrix).normalize())
    }
}

/// The arrays of angles.
fn tables(archive: &mut Archive) -> Result<Vec<AngleTable>, ReadError> {
    for name in WHOLE {
        if let Some(table) = archive.numbers(name)? {
            return Ok(vec![AngleTable { name, table }]);
        }
    }
    for names in PARTS {
        if !names.iter().all(|name| archive.has(name)) {
            continue;
        }
        let mut tables = Vec::new();
        for name in names {
            tables.extend(archive.numbers(name)?.map(|table| AngleTable { name, table }));
        }
        return Ok(tables);
    }
    Err(ReadError::file(format!(
        "has neither `poses` nor `root_orient` and `pose_body`, nor `global_orient` and `body_pose`: it is no motion of an SMPL body; it has {}",
        archive.listed()
    )))
}

/// How many radians one is of what the angles are in: the format has radians, and who writes degrees turns joints round several
/// times. The pelvis does not count, which may be wound up.
fn angle_unit(
    tables: &[AngleTable],
    frames: usize,
    joints: usize,
    warnings: &mut Vec<Warning>,
) -> Result<f64, ReadError> {
    if tables.iter().any(|table| table.table.is_of_matrices()) {
        return Ok(1.0);
    }
    let (mut round, mut most, mut number) = (0usize, 0.0f64, 0);
    for frame in 0..frames {
        let mut largest = 0.0f64;
        for_each(tables, joints, |table, joint| {
            let angle = table.axis(frame, joint)?.length();
            if number > 0 {
                largest = largest.max(angle);
            }
            number += 1;
            Ok(())
        })?;
        number = 0;
        most = most.max(largest);
        round += usize::from(largest > TAU);
    }
    if 2 * round <= frames {
        return Ok(1.0);
    }
    let name = tables[tables.len() - 1].name;
    // An axis angle of more than half a turn is another one of less.
    if most > 360.0 {
        let message =
            format!("turns joints by up to {most:.0}: these are neither radians nor degrees");
        return Err(ReadError::element(name, message));
    }
    warnings.push(Warning::new(format!(
        "`{name}` is taken for degrees: in radians joints would be turned round more than once, by up to {most:.0}"
    )));
    Ok(PI / 180.0)
}
