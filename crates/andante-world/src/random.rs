//! Numbers from a seed.

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct HashRandom {
    state: u64,
}

impl HashRandom {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Between two numbers.
    pub fn between(&mut self, [low, high]: [f32; 2]) -> f32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        // The upper 24 bits are as many as an f32 holds.
        low + (high - low) * ((z >> 40) as f32 / (1u64 << 24) as f32)
    }
}
