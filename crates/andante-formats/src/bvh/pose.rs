//! From the values of a frame to the placements of the joints.

use super::channel::Channel;
use super::hierarchy::Hierarchy;
use crate::convention::Convention;
use andante_skeleton::Transform;
use glam::{DVec3, Quat, Vec3};

/// Turns values into transforms. The sines and cosines of a whole frame are computed in one loop
/// without branches, several at a time; what each joint does with them is worked out beforehand.
pub(super) struct PoseBuilder {
    convention: Convention,
    joints: Vec<JointRule>,
    sines: Vec<f32>,
    cosines: Vec<f32>,
}

/// How the columns of a frame move one joint.
struct JointRule {
    offset: DVec3,
    /// The offset as it is if no channel replaces part of it.
    rest: Vec3,
    /// Columns that replace components of the offset.
    position: Option<[Option<usize>; 3]>,
    rotation: Rotation,
}

enum Rotation {
    /// Three different axes, the common case, with the column of each.
    Three { axes: [usize; 3], columns: [usize; 3], parity: f32 },
    /// Any other list of axes and columns.
    Any(Vec<(usize, usize)>),
}

impl PoseBuilder {
    pub fn new(hierarchy: &Hierarchy, convention: Convention) -> Self {
        let rule = |offset| JointRule {
            offset,
            rest: convention.position(offset),
            position: None,
            rotation: Rotation::Any(Vec::new()),
        };
        let mut joints: Vec<_> = hierarchy.joints.iter().map(|joint| rule(joint.offset)).collect();
        for (column, &(joint, channel)) in hierarchy.channels.iter().enumerate() {
            match channel {
                Channel::Position(axis) => {
                    joints[joint].position.get_or_insert_default()[axis] = Some(column);
                }
                Channel::Rotation(axis) => {
                    if let Rotation::Any(list) = &mut joints[joint].rotation {
                        list.push((axis, column));
                    }
                }
                Channel::Unused => {}
            }
        }
        for joint in &mut joints {
            joint.rotation.specialise();
        }
        let columns = hierarchy.channels.len();
        Self { convention, joints, sines: vec![0.0; columns], cosines: vec![0.0; columns] }
    }

    /// Appends the placement of every joint.
    pub fn build(&mut self, values: &[f64], transforms: &mut Vec<Transform>) {
        half_angles(values, &mut self.sines, &mut self.cosines);
        let (sines, cosines, convention) = (&self.sines, &self.cosines, self.convention);
        transforms.extend(self.joints.iter().map(|joint| {
            let translation = match &joint.position {
                None => joint.rest,
                Some(columns) => {
                    let mut place = joint.offset;
                    for (axis, column) in columns.iter().enumerate() {
                        if let Some(column) = *column {
                            place[axis] = values[column];
                        }
                    }
                    convention.position(place)
                }
            };
            let rotation = joint.rotation.quaternion(sines, cosines);
            Transform { rotation: convention.rotation(rotation), translation }
        }));
    }
}

impl Rotation {
    fn specialise(&mut self) {
        let Self::Any(list) = self else { return };
        if let &[(i, a), (j, b), (k, c)] = list.as_slice()
            && i != j
            && j != k
            && k != i
        {
            let parity = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
            *self = Self::Three { axes: [i, j, k], columns: [a, b, c], parity };
        }
    }

    /// The product of the rotations in the order of their columns.
    #[inline]
    fn quaternion(&self, sines: &[f32], cosines: &[f32]) -> Quat {
        match self {
            Self::Three { axes: [i, j, k], columns: [a, b, c], parity } => {
                let (si, sj, sk) = (sines[*a], sines[*b], sines[*c]);
                let (ci, cj, ck) = (cosines[*a], cosines[*b], cosines[*c]);
                // (ci + si·i)(cj + sj·j)(ck + sk·k) multiplied out, with ij = parity·k.
                let mut v = [0.0; 3];
                v[*i] = si * cj * ck + parity * (ci * sj * sk);
                v[*j] = ci * sj * ck - parity * (si * cj * sk);
                v[*k] = ci * cj * sk + parity * (si * sj * ck);
                Quat::from_xyzw(v[0], v[1], v[2], ci * cj * ck - parity * (si * sj * sk))
            }
            Self::Any(list) => {
                let mut product = Quat::IDENTITY;
                for &(axis, column) in list {
                    let mut v = [0.0; 3];
                    v[axis] = sines[column];
                    product =
                        (product * Quat::from_xyzw(v[0], v[1], v[2], cosines[column])).normalize();
                }
                product
            }
        }
    }
}

/// Sine and cosine of half of each angle, which is given in degrees. Values that are not angles are
/// computed too: that is cheaper than leaving them out.
fn half_angles(degrees: &[f64], sines: &mut [f32], cosines: &mut [f32]) {
    for ((&degrees, sine), cosine) in degrees.iter().zip(&mut *sines).zip(&mut *cosines) {
        (*sine, *cosine) = half_angle(degrees);
    }
    // Beyond this there are no digits left to tell a part of a turn, in the file or here.
    if degrees.iter().any(|degrees| degrees.abs() > LARGEST_ANGLE) {
        for ((&degrees, sine), cosine) in degrees.iter().zip(sines).zip(cosines) {
            (*sine, *cosine) = half_angle(degrees % 360.0);
        }
    }
}

/// Degrees that [`half_angle`] takes.
const LARGEST_ANGLE: f64 = 1e12;

/// Sine and cosine of half an angle.
#[inline(always)]
fn half_angle(degrees: f64) -> (f32, f32) {
    /// Adding and taking away this number, 1.5·2^52, rounds a double of less than 2^51 to a whole number.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    // Whole turns are taken away in double precision: the half angle is then within ±π/2. The sign of
    // the quaternion, which a whole turn changes, means nothing.
    let turns = degrees * (1.0 / 360.0);
    let turns = turns - ((turns + ROUND) - ROUND);
    let x = (turns * std::f64::consts::PI) as f32;
    let y = x * x;
    // Taylor series; what is left out is less than 1e-9 and 7e-9 at ±π/2.
    let sine = -1.0 / 39_916_800.0 + y * (1.0 / 6_227_020_800.0);
    let sine = 1.0 / 120.0 + y * (-1.0 / 5_040.0 + y * (1.0 / 362_880.0 + y * sine));
    let sine = x * (1.0 + y * (-1.0 / 6.0 + y * sine));
    let cosine = -1.0 / 3_628_800.0 + y * (1.0 / 479_001_600.0);
    let cosine = 1.0 / 24.0 + y * (-1.0 / 720.0 + y * (1.0 / 40_320.0 + y * cosine));
    let cosine = 1.0 + y * (-0.5 + y * cosine);
    (sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn half_angles_are_those_of_double_precision(degrees in prop_oneof![-180.0f64..180.0, -1e6f64..1e6, -1e30f64..1e30]) {
            let (mut sine, mut cosine) = ([0.0], [0.0]);
            half_angles(&[degrees], &mut sine, &mut cosine);
            let turns = degrees % 360.0 / 360.0;
            let (expected_sine, expected_cosine) = ((turns - turns.round()) * std::f64::consts::PI).sin_cos();
            // At half a turn either sign is right.
            let error = |sign: f64| {
                (f64::from(sine[0]) - sign * expected_sine).abs().max((f64::from(cosine[0]) - sign * expected_cosine).abs())
            };
            prop_assert!(error(1.0).min(error(-1.0)) < 2e-7, "{} {}", sine[0], cosine[0]);
        }
    }
}
