//! A physical character on paper.

use crate::{Gallery, GalleryFigure, Panel, View};
use andante_body::{Body, BodySegment, RigidPlacement};
use andante_skeleton::Side;
use andante_take::{TakeFileError, TakeSource, Track};
use glam::{Vec2, Vec3};

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

/// Moments of a take of a physical character, with the points and forces that were recorded.
pub struct BodyStrip<'a> {
    /// Whose shapes are drawn.
    pub body: &'a Body,
    /// Its first track is the body.
    pub take: &'a dyn TakeSource,
    /// Where it is seen from.
    pub view: View,
    /// Figures in a row.
    pub columns: usize,
    /// The moment that times are counted from, in seconds.
    pub since: f32,
    /// Metres of an arrow for each newton.
    pub metres_per_newton: f32,
}

impl<'a> BodyStrip<'a> {
    /// From the side, eight in a row.
    pub fn new(body: &'a Body, take: &'a dyn TakeSource) -> Self {
        let (view, columns) = (View::Side, 8);
        Self { body, take, view, columns, since: 0.0, metres_per_newton: 8e-4 }
    }

    /// Draws the given frames on level ground.
    pub fn draw(
        &self,
        title: &str,
        frames: impl IntoIterator<Item = usize>,
    ) -> Result<Panel, TakeFileError> {
        let mut gallery = Gallery::new(title, self.columns).on_ground();
        for frame in frames {
            let track = self.take.part(0, frame..frame + 1)?;
            let mut figure = body_figure(self.body, &placed(self.body, &track), &[], self.view);
            self.mark(&mut figure, &track);
            let time = frame as f32 / self.take.head().fps - self.since;
            let caption =
                if self.since > 0.0 { format!("{time:+.2} s") } else { format!("{time:.2} s") };
            gallery = gallery.figure(figure, vec![caption]);
        }
        Ok(gallery.draw())
    }

    /// Adds what was recorded with the only frame of a track: points as dots, forces as arrows, lengths as bars.
    fn mark(&self, figure: &mut GalleryFigure, track: &Track) {
        let [right, up, _] = self.view.axes();
        let flat = |point: Vec3| Vec2::new(point.dot(right), point.dot(up));
        let value =
            |index: usize| track.vectors[index].values.first().copied().unwrap_or(Vec3::NAN);
        let is_end = |index: usize| track.vectors.iter().any(|vector| vector.at == Some(index));
        let (mut dots, mut arrows) = (0, 0);
        for (index, vector) in track.vectors.iter().enumerate() {
            let (here, from) = (value(index), vector.at.map(value));
            if !here.is_finite() || from.is_some_and(|from| !from.is_finite()) {
                continue;
            }
            match from {
                Some(from) if vector.unit == "m" => {
                    figure.bar([flat(from), flat(from + here)], Side::Left);
                }
                Some(from) => {
                    let side = if arrows == 0 { Side::Left } else { Side::Right };
                    figure.arrow([flat(from), flat(from + self.metres_per_newton * here)], side);
                    arrows += 1;
                }
                None if is_end(index) => {}
                None => {
                    figure.dot(flat(here), if dots == 0 { Side::Middle } else { Side::Right });
                    dots += 1;
                }
            }
        }
    }
}

/// Where the segments of a body are in the first frame of a track, whose joints have their names.
fn placed(body: &Body, track: &Track) -> Vec<RigidPlacement> {
    let skeleton = &track.character.skeleton;
    let mut models = track.clip.frame(0).to_vec();
    skeleton.local_to_model(track.clip.frame(0), &mut models);
    let place = |segment: &BodySegment| {
        let joint = skeleton.joints().iter().position(|joint| joint.name == segment.name);
        let model = joint.map(|joint| models[joint]).unwrap_or_default();
        RigidPlacement::new(model.rotation.as_dquat().normalize(), model.translation.as_dvec3())
    };
    body.segments().iter().map(place).collect()
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
