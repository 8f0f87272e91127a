//! Left for right, in joint coordinates (K3).

use crate::CoordinateLayout;
use andante_body::{Body, RestPose};
use glam::{DQuat, DVec3};

/// Exchanges the sides of a body: across the plane x = 0, in which it is symmetric.
///
/// Positions and velocities are polar vectors: x changes sign. Turns, angular velocities and torques are axial:
/// y and z do. Joint frames of partners are mirror images, so that the latter holds in them too.
#[derive(Clone, Debug, PartialEq)]
pub struct Mirror {
    partners: Vec<usize>,
    /// For each internal coordinate which one it comes from and with what sign.
    sources: Vec<(usize, f64)>,
}

impl Mirror {
    /// Of a body; `None` if it is not symmetric.
    pub fn new(body: &Body) -> Option<Self> {
        let partners = body.partners()?.to_vec();
        let layout = CoordinateLayout::new(body);
        let mut sources = Vec::with_capacity(layout.dof());
        for &partner in &partners {
            let from = layout.range(partner);
            sources.extend(from.enumerate().map(|(axis, from)| (from, [1.0, -1.0, -1.0][axis])));
        }
        Some(Self { partners, sources })
    }

    /// Joint deflections, their rates or torques, in the order of [`CoordinateLayout`].
    ///
    /// # Panics
    /// If `values` is shorter than the body has joint angles.
    pub fn joints(&self, values: &[f64]) -> Vec<f64> {
        self.sources.iter().map(|&(from, sign)| sign * values[from]).collect()
    }

    /// A position or a velocity.
    pub fn polar(v: DVec3) -> DVec3 {
        DVec3::new(-v.x, v.y, v.z)
    }

    /// An angular velocity, a torque or a rotation vector.
    pub fn axial(v: DVec3) -> DVec3 {
        DVec3::new(v.x, -v.y, -v.z)
    }

    /// An orientation.
    pub fn rotation(q: DQuat) -> DQuat {
        DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
    }

    /// The rotations of a pose: the root's, then every segment's relative to its parent.
    ///
    /// # Panics
    /// If there are fewer rotations than segments.
    pub fn rotations(&self, rotations: &[DQuat]) -> Vec<DQuat> {
        self.partners.iter().map(|&from| Self::rotation(rotations[from])).collect()
    }

    /// True if a pose is its own mirror image.
    pub fn is_symmetric(&self, pose: &RestPose) -> bool {
        let mirrored = self.rotations(&pose.rotations);
        mirrored.iter().zip(&pose.rotations).all(|(a, b)| a.dot(*b).abs() > 1.0 - 1e-9)
    }

    /// The segment on the other side.
    pub fn partner(&self, segment: usize) -> usize {
        self.partners[segment]
    }

    /// The foot on the other side, or the foot itself if there is none.
    pub fn partner_foot(&self, body: &Body, foot: usize) -> usize {
        let partner = self.partner(body.feet()[foot].segment);
        body.feet().iter().position(|other| other.segment == partner).unwrap_or(foot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Modes, Parity, PinnedPoint};
    use andante_body::{CREATURES, creature};

    #[test]
    fn mirroring_twice_changes_nothing() {
        for (name, _) in CREATURES {
            let body = creature(name).unwrap();
            let mirror = Mirror::new(&body).unwrap();
            let values: Vec<f64> = (0..body.internal_dof()).map(|i| (i as f64).sin()).collect();
            assert_eq!(mirror.joints(&mirror.joints(&values)), values, "{name}");
            let turns: Vec<DQuat> = (0..body.segments().len())
                .map(|i| DQuat::from_scaled_axis(DVec3::new(0.1, -0.2, 0.3) * i as f64))
                .collect();
            assert_eq!(mirror.rotations(&mirror.rotations(&turns)), turns, "{name}");
        }
    }

    #[test]
    fn mirrored_rotations_put_segments_where_a_mirror_shows_them() {
        for (name, _) in CREATURES {
            let body = creature(name).unwrap();
            let mirror = Mirror::new(&body).unwrap();
            let turns: Vec<DQuat> = (0..body.segments().len())
                .map(|i| DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.25) * (i as f64).sin()))
                .collect();
            let at = DVec3::new(0.4, 1.0, 0.2);
            let placed = body.place(at, &turns);
            let seen = body.place(Mirror::polar(at), &mirror.rotations(&turns));
            for (segment, place) in placed.iter().enumerate() {
                let center = place.transform_point(body.segments()[segment].mass.center);
                let partner = mirror.partner(segment);
                let other = seen[partner].transform_point(body.segments()[partner].mass.center);
                assert!(Mirror::polar(center).abs_diff_eq(other, 1e-12), "{name} {segment}");
            }
        }
    }

    /// Modes of a symmetric body in the air are one or the other, where frequencies are apart.
    #[test]
    fn air_modes_of_a_symmetric_body_have_a_parity() {
        let body = creature("humanoid").unwrap();
        let pose = &body.poses()[0];
        let mirror = Mirror::new(&body).unwrap();
        assert!(mirror.is_symmetric(pose) && !mirror.is_symmetric(body.pose("one foot").unwrap()));
        let air = Modes::find(&body, pose, &[]).unwrap();
        for mode in &air.modes[..15] {
            assert_ne!(mode.parity(&mirror), Parity::None, "{:.2} Hz", mode.hz());
        }
        assert_eq!(air.modes[1].parity(&mirror), Parity::Antisymmetric, "legs open");
    }

    #[test]
    fn ground_modes_of_the_other_foot_are_mirror_images() {
        let body = creature("humanoid").unwrap();
        let pose = &body.poses()[0];
        let mirror = Mirror::new(&body).unwrap();
        let [left, right] = [0, 1].map(|foot: usize| {
            Modes::find(&body, pose, &[PinnedPoint::toe(&body.feet()[foot])]).unwrap()
        });
        for (a, b) in left.modes.iter().zip(&right.modes) {
            assert!((a.omega / b.omega - 1.0).abs() < 1e-9);
        }
        for (a, b) in left.modes.iter().zip(&right.modes).take(10) {
            let overlap: f64 =
                mirror.joints(&a.shape).iter().zip(&b.shape).map(|(x, y)| x * y).sum();
            assert!(overlap.abs() > 1.0 - 1e-6, "{:.2} Hz: {overlap}", a.hz());
        }
    }
}
