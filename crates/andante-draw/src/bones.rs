//! The bones of a figure on paper.

use crate::svg::{Svg, of_side};
use andante_skeleton::{Side, Skeleton, Transform};
use glam::{Vec2, Vec3};

/// A bone on paper.
pub(crate) struct DrawnBone {
    pub from: Vec2,
    pub to: Vec2,
    pub side: Side,
}

/// The bones of a figure seen from its right, projected; the far side first.
pub(crate) fn bones(
    skeleton: &Skeleton,
    models: &[Transform],
    sides: &[Side],
    project: impl Fn(Vec3) -> Vec2,
) -> Vec<DrawnBone> {
    let mut segments = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let end = project(models[index].translation);
        // The root's bone would lead to the origin.
        if let Some(parent) = joint.parent {
            let from = project(models[parent].translation);
            segments.push(DrawnBone { from, to: end, side: sides[index] });
        }
        if let Some(tip) = joint.tip {
            let to = project(models[index].transform_point(tip));
            segments.push(DrawnBone { from: end, to, side: sides[index] });
        }
    }
    segments.sort_by_key(|segment| match segment.side {
        Side::Left => 0,
        Side::Middle => 1,
        Side::Right => 2,
    });
    segments
}

/// Draws bones as `bone ` or, faintly, as `trace `, each point put where `place` says.
pub(crate) fn draw(svg: &mut Svg, kind: &str, figure: &[DrawnBone], place: impl Fn(Vec2) -> Vec2) {
    for segment in figure {
        svg.line(place(segment.from), place(segment.to), &of_side(kind, segment.side));
    }
}
