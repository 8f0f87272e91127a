//! Random numbers that depend on a seed and nothing else.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

/// A seed of its own for every generation.
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
    let mut z = seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Normally distributed numbers, by the polar method of Marsaglia and Bray (1964).
#[derive(Default)]
pub(crate) struct Normals {
    spare: Option<f64>,
}

impl Normals {
    pub(crate) fn draw(&mut self, rng: &mut Pcg64Mcg) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (u, v) = (rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0));
            let square: f64 = u * u + v * v;
            if square > 0.0 && square < 1.0 {
                let scale = (-2.0 * libm::log(square) / square).sqrt();
                self.spare = Some(v * scale);
                return u * scale;
            }
        }
    }
}
