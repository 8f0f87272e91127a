//! Random bumps and dents.

use crate::TerrainError;
use crate::heights::Heights;
use crate::random::HashRandom;
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;
use std::sync::Arc;

andante_skeleton::settings! {
    /// Options of random bumps: usually ground that a human can walk on, bumps and dents of a few decimetres, each a
    /// stride or two wide.
    pub struct BumpOptions: Copy {
        /// How many.
        count: usize = 270, 1..=100_000;
        /// Their tops lie within this many metres of the origin, along x and along z.
        half_extent: f32 = 20.0, 0.1..=1e5;
        /// Least and largest strength in square metres: a bump's height times `σ √(2π)`. Negative ones are dents.
        strength: [f32; 2] = [-0.6, 0.9], -1e4..=1e4;
        /// Least and largest width σ in metres.
        width: [f32; 2] = [0.7, 2.0], 0.05..=1e4;
        /// The same seed gives the same bumps.
        seed: u64 = 1;
    }
}

/// A sum of Gaussian bumps and dents, `s / (σ √(2π)) · exp(−d² / 2σ²)` each, level far away from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Bumps {
    bumps: Arc<[TerrainBump]>,
    scale: Vec3,
    steepest: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct TerrainBump {
    center: Vec2,
    height: f32,
    /// 1 / 2σ².
    sharpness: f32,
    /// Beyond this square of a distance nothing is left of it.
    reach: f32,
}

impl Bumps {
    /// Draws the bumps.
    pub fn new(options: &BumpOptions) -> Result<Self, TerrainError> {
        let BumpOptions { count, half_extent, strength, width, seed } = *options;
        options.check()?;
        let mut random = HashRandom::new(seed);
        let mut steepest = 0.0;
        let bumps = (0..count).map(|_| {
            let strength = random.between(strength);
            let width = random.between(width);
            let x = random.between([-half_extent, half_extent]);
            let z = random.between([-half_extent, half_extent]);
            let height = strength / (width * TAU.sqrt());
            // The steepest place of a bump is σ from its middle.
            steepest += height.abs() / width * libm::expf(-0.5f32);
            // Six widths away a bump is 10⁻⁸ of its height.
            let reach = 36.0 * width * width;
            TerrainBump { center: Vec2::new(x, z), height, sharpness: 0.5 / (width * width), reach }
        });
        let bumps = bumps.collect();
        Ok(Self { bumps, scale: Vec3::ONE, steepest })
    }

    pub(crate) fn from_numbers(scale: Vec3, steepest: f32, bumps: &[[f32; 5]]) -> Self {
        let bump = |&[x, z, height, sharpness, reach]: &[f32; 5]| TerrainBump {
            center: Vec2::new(x, z),
            height,
            sharpness,
            reach,
        };
        Self { bumps: bumps.iter().map(bump).collect(), scale, steepest }
    }

    pub(crate) fn numbers(&self) -> (Vec3, f32, Vec<[f32; 5]>) {
        let numbers = |bump: &TerrainBump| {
            [bump.center.x, bump.center.y, bump.height, bump.sharpness, bump.reach]
        };
        (self.scale, self.steepest, self.bumps.iter().map(numbers).collect())
    }

    pub(crate) fn scaled(&self, scale: Vec3) -> Self {
        let steeper = scale.y / scale.x.min(scale.z);
        let steepest = self.steepest * steeper;
        Self { bumps: self.bumps.clone(), scale: self.scale * scale, steepest }
    }

    /// Height and gradient before scaling.
    fn sum(&self, place: Vec2) -> (f32, Vec2) {
        let place = place / Vec2::new(self.scale.x, self.scale.z);
        let (mut height, mut gradient) = (0.0, Vec2::ZERO);
        for bump in self.bumps.iter() {
            let offset = place - bump.center;
            let squared = offset.length_squared();
            if squared < bump.reach {
                let part = bump.height * libm::expf(-squared * bump.sharpness);
                height += part;
                gradient -= 2.0 * bump.sharpness * part * offset;
            }
        }
        (height, gradient)
    }
}

impl Heights for Bumps {
    fn height(&self, place: Vec2) -> f32 {
        let height = self.sum(place).0 * self.scale.y;
        if place.is_finite() { height } else { f32::NAN }
    }

    fn gradient(&self, place: Vec2) -> Vec2 {
        self.sum(place).1 * self.scale.y / Vec2::new(self.scale.x, self.scale.z)
    }

    fn steepest(&self) -> f32 {
        self.steepest
    }
}
