//! Modal analysis in the coordinates of every segment, with constraints (M1, M2).
//!
//! P. Kry, L. Reveret, F. Faure, M.-P. Cani, "Modal Locomotion: Animating Virtual Characters with Natural Vibrations"
//! (2009). Twists have the angular part first. Each segment's is in a frame at its centre of mass along the
//! segment's axes.

use crate::CoordinateLayout;
use crate::modes::eigen;
use crate::modes::vibration_modes::{EigenSolution, PinnedPoint};
use andante_body::{Body, RigidPlacement};
use glam::{DMat3, DVec3};
use nalgebra::{DMatrix, Matrix3, Matrix6};

/// The matrices of section 2.5.
pub(crate) struct Structure {
    /// Block diagonal: inertia and mass of each segment.
    pub mass: DMatrix<f64>,
    /// From segments' twists to joints' relative twists, six rows each, without the root.
    pub theta: DMatrix<f64>,
    /// Torque per deflection for each row of `theta`.
    pub stiffness: Vec<f64>,
    /// Velocities that must vanish.
    pub constraints: DMatrix<f64>,
}

impl Structure {
    pub fn new(body: &Body, placed: &[RigidPlacement], pins: &[PinnedPoint]) -> Self {
        let segments = body.segments();
        let count = segments.len();
        let mut mass = DMatrix::zeros(6 * count, 6 * count);
        for (index, segment) in segments.iter().enumerate() {
            let at = 6 * index;
            mass.fixed_view_mut::<3, 3>(at, at).copy_from(&matrix(segment.mass.inertia));
            for axis in 3..6 {
                mass[(at + axis, at + axis)] = segment.mass.mass;
            }
        }

        let joints = count - 1;
        let mut theta = DMatrix::zeros(6 * joints, 6 * count);
        let mut stiffness = vec![0.0; 6 * joints];
        let mut fixed_rows = Vec::new();
        for (row, (child, joint)) in body.joints().enumerate() {
            let parent = placed[joint.parent];
            let frame =
                RigidPlacement::new(parent.rotation * joint.frame, placed[child].translation);
            for (segment, sign) in [(joint.parent, -1.0), (child, 1.0)] {
                let center = placed[segment].transform_point(segments[segment].mass.center);
                let own = RigidPlacement::new(placed[segment].rotation, center);
                let block = adjoint(frame.inverse() * own) * sign;
                theta.fixed_view_mut::<6, 6>(6 * row, 6 * segment).copy_from(&block);
            }
            stiffness[6 * row..6 * row + 3].copy_from_slice(&joint.stiffness);
            fixed_rows.extend(6 * row + joint.dof()..6 * row + 6);
        }

        let mut constraints = DMatrix::zeros(fixed_rows.len() + 3 * pins.len(), 6 * count);
        for (row, &from) in fixed_rows.iter().enumerate() {
            constraints.row_mut(row).copy_from(&theta.row(from));
        }
        for (index, pin) in pins.iter().enumerate() {
            // ω × p + v = 0: the rows [−[p] 1].
            let arm = pin.point - segments[pin.segment].mass.center;
            let row = fixed_rows.len() + 3 * index;
            let at = 6 * pin.segment;
            constraints.fixed_view_mut::<3, 3>(row, at).copy_from(&-skew(arm));
            constraints.fixed_view_mut::<3, 3>(row, at + 3).copy_from(&Matrix3::identity());
        }
        Self { mass, theta, stiffness, constraints }
    }
}

pub(crate) fn solve(
    body: &Body,
    placed: &[RigidPlacement],
    pins: &[PinnedPoint],
    layout: &CoordinateLayout,
) -> Option<EigenSolution> {
    let structure = Structure::new(body, placed, pins);
    let basis = eigen::null_space(&structure.constraints);
    let deflections = &structure.theta * &basis;
    let mut torques = deflections.clone();
    for (mut row, stiffness) in torques.row_iter_mut().zip(&structure.stiffness) {
        row *= *stiffness;
    }
    let stiffness = deflections.tr_mul(&torques);
    let mass = basis.tr_mul(&(&structure.mass * &basis));
    let eigen = eigen::solve(stiffness, mass)?;

    let joint_twists = &deflections * &eigen.vectors;
    let mut shapes = DMatrix::zeros(layout.dof(), eigen.values.len());
    for (row, (child, _)) in body.joints().enumerate() {
        let range = layout.range(child);
        shapes
            .rows_mut(range.start, range.len())
            .copy_from(&joint_twists.rows(6 * row, range.len()));
    }
    // The root's twist, at its origin along the axes of the world.
    let root_twists = basis.rows(0, 6) * &eigen.vectors;
    let to_world = RigidPlacement::new(placed[0].rotation, DVec3::ZERO);
    let center = body.segments()[0].mass.center;
    let roots =
        adjoint(to_world * RigidPlacement::new(glam::DQuat::IDENTITY, center)) * root_twists;
    Some(EigenSolution { values: eigen.values, shapes, roots })
}

/// Takes twists of the inner frame to the outer one: [[R, 0], [[t]·R, R]].
fn adjoint(place: RigidPlacement) -> Matrix6<f64> {
    let turn = matrix(DMat3::from_quat(place.rotation));
    let mut out = Matrix6::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn);
    out.fixed_view_mut::<3, 3>(3, 0).copy_from(&(skew(place.translation) * turn));
    out.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
    out
}

fn skew(v: DVec3) -> Matrix3<f64> {
    Matrix3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}

fn matrix(m: DMat3) -> Matrix3<f64> {
    Matrix3::from_column_slice(&m.to_cols_array())
}
