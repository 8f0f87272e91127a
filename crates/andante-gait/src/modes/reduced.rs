//! Modal analysis in the coordinates that a tree really has: six of the root and the joints' angles.
//!
//! Written without the adjoints and constraints of the other route, so that each checks the other; and
//! faster, because the matrices are half as large.

use crate::CoordinateLayout;
use crate::modes::coordinate_layout::joint_values;
use crate::modes::eigen;
use crate::modes::vibration_modes::{EigenSolution, PinnedPoint};
use andante_body::{Body, Mass, RestPose, RigidPlacement};
use glam::DVec3;
use nalgebra::DMatrix;

/// What a coordinate does to the segments that it moves: they turn about an axis through a point, or,
/// without a point, shift along it.
#[derive(Clone, Copy)]
struct ReducedMotion {
    axis: DVec3,
    point: Option<DVec3>,
    /// The segment from which on it moves everything.
    segment: usize,
}

impl ReducedMotion {
    fn angular(&self) -> DVec3 {
        if self.point.is_some() { self.axis } else { DVec3::ZERO }
    }

    fn velocity(&self, at: DVec3) -> DVec3 {
        self.point.map_or(self.axis, |point| self.axis.cross(at - point))
    }
}

/// Root turns, root shifts, then joint angles in the order of [`CoordinateLayout`].
fn motions(body: &Body, placed: &[RigidPlacement]) -> Vec<ReducedMotion> {
    let root = placed[0].translation;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let turns = axes.map(|axis| ReducedMotion { axis, point: Some(root), segment: 0 });
    let shifts = axes.map(|axis| ReducedMotion { axis, point: None, segment: 0 });
    let mut all: Vec<ReducedMotion> = turns.into_iter().chain(shifts).collect();
    for (child, joint) in body.joints() {
        let turn = placed[joint.parent].rotation;
        let point = Some(placed[child].translation);
        for axis in &joint.axes()[..joint.dof()] {
            all.push(ReducedMotion { axis: turn * *axis, point, segment: child });
        }
    }
    all
}

/// For each segment which coordinates move it.
fn movers(body: &Body, motions: &[ReducedMotion]) -> Vec<Vec<usize>> {
    let mut movers: Vec<Vec<usize>> = Vec::with_capacity(body.segments().len());
    for (segment, parent) in body.parents().enumerate() {
        let mut own = parent.map_or_else(Vec::new, |parent| movers[parent].clone());
        own.extend((0..motions.len()).filter(|&index| motions[index].segment == segment));
        movers.push(own);
    }
    movers
}

/// The mass matrix of a body in a pose: the root's turns and shifts along the axes of the world, then
/// joint angles in the order of [`CoordinateLayout`].
///
/// # Panics
/// If the pose is not one of the body.
pub fn mass_matrix(body: &Body, pose: &RestPose) -> DMatrix<f64> {
    inertia_of(body, &body.place(DVec3::ZERO, &pose.rotations))
}

/// Σ Jᵀ·diag(I, m)·J over all segments.
fn inertia_of(body: &Body, placed: &[RigidPlacement]) -> DMatrix<f64> {
    let motions = motions(body, placed);
    let movers = movers(body, &motions);
    let mut total = DMatrix::zeros(motions.len(), motions.len());
    let mut columns = Vec::with_capacity(motions.len());
    for ((segment, place), movers) in body.segments().iter().zip(placed).zip(&movers) {
        let Mass { mass, center, inertia } = segment.mass.placed(place);
        columns.clear();
        columns.extend(movers.iter().map(|&index| {
            let (w, v) = (motions[index].angular(), motions[index].velocity(center));
            (index, w, v, inertia * w, v * mass)
        }));
        for (place, &(i, w, v, ..)) in columns.iter().enumerate() {
            for &(j, _, _, spin, momentum) in &columns[place..] {
                total[(i, j)] += w.dot(spin) + v.dot(momentum);
            }
        }
    }
    total.fill_lower_triangle_with_upper_triangle();
    total
}

pub(crate) fn solve(
    body: &Body,
    placed: &[RigidPlacement],
    pins: &[PinnedPoint],
    layout: &CoordinateLayout,
) -> Option<EigenSolution> {
    let mass = inertia_of(body, placed);
    // The root has none.
    let mut stiffness = vec![0.0; 6];
    stiffness.extend(joint_values(body, |joint| joint.stiffness));
    let eigen = if pins.is_empty() {
        let diagonal = nalgebra::DVector::from_vec(stiffness);
        eigen::solve(DMatrix::from_diagonal(&diagonal), mass)?
    } else {
        let basis = eigen::null_space(&pin_rows(body, placed, pins));
        let mut torques = basis.clone();
        for (mut row, stiffness) in torques.row_iter_mut().zip(&stiffness) {
            row *= *stiffness;
        }
        let mut eigen = eigen::solve(basis.tr_mul(&torques), basis.tr_mul(&(mass * &basis)))?;
        eigen.vectors = basis * eigen.vectors;
        eigen
    };
    let shapes = eigen.vectors.rows(6, layout.dof()).into_owned();
    let roots = eigen.vectors.fixed_rows::<6>(0).into_owned();
    Some(EigenSolution { values: eigen.values, shapes, roots })
}

/// The velocity of each pinned point for each coordinate.
fn pin_rows(body: &Body, placed: &[RigidPlacement], pins: &[PinnedPoint]) -> DMatrix<f64> {
    let motions = motions(body, placed);
    let movers = movers(body, &motions);
    let mut rows = DMatrix::zeros(3 * pins.len(), motions.len());
    for (index, pin) in pins.iter().enumerate() {
        let at = placed[pin.segment].transform_point(pin.point);
        for &column in &movers[pin.segment] {
            let velocity = motions[column].velocity(at);
            for axis in 0..3 {
                rows[(3 * index + axis, column)] = velocity[axis];
            }
        }
    }
    rows
}
