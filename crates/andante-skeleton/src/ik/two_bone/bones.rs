//! The two bones of a limb, and what follows from them whatever the pose.

use glam::{Vec3, Vec4};

/// Lengths of a limb. Those that meet vectors are in each of four lanes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bones {
    /// Where the middle joint is in the root's frame, and the end joint in the middle's, as [`bits`].
    offsets: [[u64; 2]; 2],
    /// The square of the upper bone's length.
    pub upper_squared: Vec4,
    /// The sum of both squares.
    pub both_squared: Vec4,
    /// How far the lower bone goes along the axis of flexion.
    pub lower_along: Vec4,
    /// The square of how far it goes across.
    pub lower_across: Vec4,
    /// The length of the straight limb.
    pub length: f32,
    /// The distance between the ends of the folded limb.
    pub shortest: f32,
}

impl Bones {
    /// Of a limb that bends about the unit vector `axis`, with middle and end joint at `offsets` from their parents.
    pub fn of(axis: Vec3, offsets: [Vec3; 2]) -> Self {
        let [upper_squared, lower_squared] = offsets.map(Vec3::length_squared);
        let (upper, lower) = (upper_squared.sqrt(), lower_squared.sqrt());
        let along = axis.dot(offsets[1]);
        Self {
            offsets: offsets.map(bits),
            upper_squared: Vec4::splat(upper_squared),
            both_squared: Vec4::splat(upper_squared + lower_squared),
            lower_along: Vec4::splat(along),
            lower_across: Vec4::splat((lower_squared - along * along).max(1e-12)),
            length: upper + lower,
            shortest: (upper - lower).abs(),
        }
    }

    /// True if these are the bones of joints at `offsets` from their parents.
    #[inline(always)]
    pub fn are(&self, offsets: [Vec3; 2]) -> bool {
        let [upper, lower] = [bits(offsets[0]), bits(offsets[1])];
        let differ = |a: [u64; 2], b: [u64; 2]| (a[0] ^ b[0]) | (a[1] ^ b[1]);
        differ(self.offsets[0], upper) | differ(self.offsets[1], lower) == 0
    }
}

/// Three numbers as a word and a half. As an array they would be put together in memory, and whoever compares more of it at
/// once than was written at once has to wait for all that came before.
#[inline(always)]
fn bits(v: Vec3) -> [u64; 2] {
    [u64::from(v.x.to_bits()) | u64::from(v.y.to_bits()) << 32, u64::from(v.z.to_bits())]
}
