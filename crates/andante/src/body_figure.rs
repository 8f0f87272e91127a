//! A physical character on paper.

use andante_body::{Body, Placement, Segment};
use andante_draw::Figure;
use andante_skeleton::Side;
use glam::{DVec3, Vec2};

/// Where it is seen from.
#[derive(Clone, Copy)]
pub enum View {
    /// From its right: it faces the right edge.
    Side,
    /// It faces the reader.
    Front,
    /// Between both, and a little from above.
    Quarter,
}

impl View {
    /// Unit vectors to the right and up on paper, and towards the reader.
    fn axes(self) -> [DVec3; 3] {
        // Angle of the reader from straight ahead towards the character's right, and above it.
        let (turn, rise): (f64, f64) = match self {
            View::Side => (-90.0, 0.0),
            View::Front => (0.0, 0.0),
            View::Quarter => (-60.0, 15.0),
        };
        let (sin, cos) = turn.to_radians().sin_cos();
        let (up, level) = rise.to_radians().sin_cos();
        let toward = DVec3::new(sin * level, up, cos * level);
        let right = DVec3::new(cos, 0.0, -sin);
        [right, toward.cross(right), toward]
    }
}

/// A body at one posture, over the outlines of others.
pub fn body_figure(
    body: &Body,
    placed: &[Placement],
    ghosts: &[Vec<Placement>],
    view: View,
) -> Figure {
    let mut figure = Figure::default();
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
fn outlines(body: &Body, placed: &[Placement], view: View) -> Vec<(Vec<Vec2>, Side)> {
    let [right, up, toward] = view.axes();
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

fn side(segment: &Segment) -> Side {
    let word = |side: &str| segment.name.split(' ').any(|word| word == side);
    if word("left") {
        Side::Left
    } else if word("right") {
        Side::Right
    } else {
        Side::Middle
    }
}
