//! Rolling hills.

use crate::TerrainError;
use crate::heights::Heights;
use andante_skeleton::check_setting;
use glam::{Vec2, Vec3};
use std::f32::consts::{SQRT_2, TAU};

/// Even hills and valleys in both directions: `A · (1 − cos kx · cos kz)`.
///
/// The origin is the bottom of a valley at height 0, level, and the hills are `2 A` higher. A negative
/// amplitude starts on top of a hill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hills {
    pub(crate) amplitude: f32,
    /// Radians per metre along x and z.
    pub(crate) wave: Vec2,
}

impl Hills {
    /// Hills of an amplitude and a wavelength in metres. None is steeper than 80°.
    pub fn new(amplitude: f32, wavelength: f32) -> Result<Self, TerrainError> {
        check_setting("WAVELENGTH (metres)", &wavelength, 0.1..=10_000.0)?;
        let steep = libm::tanf(80f32.to_radians()) * wavelength / (TAU * SQRT_2);
        check_setting("AMPLITUDE (metres, for this wavelength)", &amplitude, -steep..=steep)?;
        Ok(Self { amplitude, wave: Vec2::splat(TAU / wavelength) })
    }

    pub(crate) fn scaled(&self, scale: Vec3) -> Self {
        let wave = self.wave / Vec2::new(scale.x, scale.z);
        Self { amplitude: self.amplitude * scale.y, wave }
    }
}

impl Heights for Hills {
    fn height(&self, place: Vec2) -> f32 {
        let angle = self.wave * place;
        self.amplitude * (1.0 - libm::cosf(angle.x) * libm::cosf(angle.y))
    }

    fn gradient(&self, place: Vec2) -> Vec2 {
        let (x, z) = (libm::sincosf(self.wave.x * place.x), libm::sincosf(self.wave.y * place.y));
        self.amplitude * self.wave * Vec2::new(x.0 * z.1, x.1 * z.0)
    }

    fn steepest(&self) -> f32 {
        self.amplitude.abs() * self.wave.length()
    }
}
