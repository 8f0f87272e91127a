//! Which joint angle is where.

use andante_body::{Body, BodyJoint};
use std::ops::Range;

/// The order of joint angles in vectors of internal coordinates: segments in the body's order, a ball joint's
/// x, y and z, a hinge's x.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoordinateLayout {
    /// For each segment its angles; empty for the root.
    ranges: Vec<Range<usize>>,
    dof: usize,
}

impl CoordinateLayout {
    /// Of a body.
    pub fn new(body: &Body) -> Self {
        let mut dof = 0;
        let range = |count: usize| {
            dof += count;
            dof - count..dof
        };
        let counts = body.segments().iter().map(|segment| segment.joint.map_or(0, |j| j.dof()));
        let ranges = counts.map(range).collect();
        Self { ranges, dof }
    }

    /// The number of angles.
    pub fn dof(&self) -> usize {
        self.dof
    }

    /// The angles of the joint above a segment.
    pub fn range(&self, segment: usize) -> Range<usize> {
        self.ranges[segment].clone()
    }
}

/// A number of every joint angle, in the order of [`CoordinateLayout`].
pub(crate) fn joint_values(body: &Body, pick: fn(&BodyJoint) -> [f64; 3]) -> Vec<f64> {
    body.joints().flat_map(|(_, joint)| pick(joint).into_iter().take(joint.dof())).collect()
}
