//! From a file's lengths and axes to metres with Y up.

use crate::{ReadError, ReadOptions, UnitSource, Units, UpAxis, units};
use glam::{DVec3, Quat, Vec3};

/// How the numbers of one file become ours.
///
/// A file whose Z axis points up is described anew in axes that are turned, rather than turned
/// itself: offsets and the axes of all rotations change alike. The rest pose then needs no rotation,
/// and since the turn only swaps axes, nothing is rounded.
#[derive(Clone, Copy)]
pub(crate) struct Convention {
    /// Metres per unit of the file.
    pub scale: f64,
    pub up: UpAxis,
}

impl Convention {
    #[inline]
    pub fn position(&self, file: DVec3) -> Vec3 {
        self.direction(file * self.scale).as_vec3()
    }

    /// A direction of the file in our axes; unlike a position it has no length to convert.
    #[inline]
    pub fn direction(&self, file: DVec3) -> DVec3 {
        match self.up {
            UpAxis::Y => file,
            UpAxis::Z => DVec3::new(file.x, file.z, -file.y),
        }
    }

    #[inline]
    pub fn rotation(&self, file: Quat) -> Quat {
        match self.up {
            UpAxis::Y => file,
            UpAxis::Z => Quat::from_xyzw(file.x, file.z, -file.y, file.w),
        }
    }
}

/// The scale that the user gave.
pub(crate) fn given_units(options: &ReadOptions) -> Result<Option<Units>, ReadError> {
    match options.scale {
        None => Ok(None),
        Some(scale) if scale.is_finite() && scale > 0.0 => {
            Ok(Some(Units { scale, source: UnitSource::Given }))
        }
        Some(scale) => Err(ReadError::file(format!(
            "a scale of {scale} metres per unit was asked for; it must be a positive number"
        ))),
    }
}

/// The scale that makes a skeleton of this extent, in the file's unit, about as tall as a person.
pub(crate) fn guessed_units(extent: f64, options: &ReadOptions) -> Units {
    let (unit, scale) = units::guess(extent as f32, options.guesses.height);
    Units { scale, source: UnitSource::Guessed(unit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_up_files_are_turned_by_a_quarter_about_x() {
        let z_up = Convention { scale: 0.01, up: UpAxis::Z };
        let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let point = DVec3::new(100.0, 200.0, 300.0);
        assert!(z_up.position(point).abs_diff_eq(turn * Vec3::new(1.0, 2.0, 3.0), 1e-6));
        let rotation = Quat::from_scaled_axis(Vec3::new(0.3, -0.7, 1.1));
        let expected = turn * rotation * turn.conjugate();
        assert!(z_up.rotation(rotation).abs_diff_eq(expected, 1e-6));
    }
}
