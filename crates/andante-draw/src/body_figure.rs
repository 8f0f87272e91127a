//! A physical character on paper.

use crate::{GalleryFigure, View};
use andante_body::{Body, BodySegment, RigidPlacement};
use andante_skeleton::Side;
use glam::Vec2;

/// A body at one posture, over the outlines of others: what it was and what it will be.
///
/// # Panics
/// If there are fewer placements than segments.
pub fn body_figure(
    body: &Body,
    placed: &[RigidPlacement],
    ghosts: &[Vec<RigidPlacement>],
    view: View,
) -> GalleryFigure {
    let mut figure = GalleryFigure::default();
    for ghost in ghosts {
        for (outline, side) in outlines(body, ghost, view) {
            figure.ghost(outline, side);
        }
    }
    for (outline, side) in outlines(body, placed, view) {
        figure.part(outline, side);
    }
    figure
}

/// All shapes, the far ones first.
fn outlines(body: &Body, placed: &[RigidPlacement], view: View) -> Vec<(Vec<Vec2>, Side)> {
    let [right, up, toward] = view.axes().map(|axis| axis.as_dvec3());
    let mut shapes: Vec<(f64, Vec<Vec2>, Side)> = Vec::new();
    for (segment, place) in body.segments().iter().zip(placed) {
        for shape in &segment.shapes {
            let outline = shape.silhouette(place, right, up);
            let depth = place.transform_point(shape.center).dot(toward);
            let points = outline.iter().map(|point| point.as_vec2()).collect();
            shapes.push((depth, points, side(segment)));
        }
    }
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
    shapes.into_iter().map(|(_, points, side)| (points, side)).collect()
}

fn side(segment: &BodySegment) -> Side {
    let word = |side: &str| segment.name.split(' ').any(|word| word == side);
    if word("left") {
        Side::Left
    } else if word("right") {
        Side::Right
    } else {
        Side::Middle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Gallery;

    #[test]
    fn every_shape_is_drawn_once_and_again_for_each_ghost() {
        let body = andante_body::creature("dog").unwrap();
        let placed = body.stand(&body.poses()[0]);
        let shapes: usize = body.segments().iter().map(|segment| segment.shapes.len()).sum();
        for view in [View::Side, View::Front, View::Quarter] {
            let figure = body_figure(&body, &placed, &[placed.clone(), placed.clone()], view);
            let panel = Gallery::new("dog", 1).figure(figure, vec![]).draw();
            assert_eq!(panel.svg.body.matches("\"part").count(), shapes);
            assert_eq!(panel.svg.body.matches("\"ghost").count(), 2 * shapes);
        }
    }
}
