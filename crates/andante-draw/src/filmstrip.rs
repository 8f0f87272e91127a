//! A motion as a row of stick figures.

use crate::bones::{self, DrawnBone, bones};
use crate::sheet::{MARGIN, Panel, WIDTH};
use crate::svg::Svg;
use andante_skeleton::{Clip, Planar, Side, Skeleton, Transform, Wrap, joint_sides};
use glam::{Vec2, Vec3};

/// The direction from which a filmstrip is seen. Every figure is turned so that it faces the same way, so that a circle
/// is as easy to read as a straight walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum View {
    /// From its right: the figure faces the right edge.
    #[default]
    Side,
    /// The figure faces the reader.
    Front,
    /// Between both, and a little from above.
    Quarter,
}

impl View {
    /// Unit vectors to the right and up on paper, and towards the reader, for a figure that faces +Z.
    pub fn axes(self) -> [Vec3; 3] {
        // Angles of the reader: from straight ahead towards the figure's right, and above it.
        let (turn, rise) = match self {
            View::Side => (-90.0f32, 0.0f32),
            View::Front => (0.0, 0.0),
            View::Quarter => (-60.0, 15.0),
        };
        let (sin, cos) = libm::sincosf(turn.to_radians());
        let (up, level) = libm::sincosf(rise.to_radians());
        let toward = Vec3::new(sin * level, up, cos * level);
        let right = Vec3::new(cos, 0.0, -sin);
        [right, toward.cross(right), toward]
    }
}

/// A row of stick figures at even times; the left limbs blue, the right ones orange.
#[derive(Clone, Debug)]
pub struct Filmstrip<'a> {
    skeleton: &'a Skeleton,
    clip: &'a Clip,
    view: View,
    figures: usize,
    height: f32,
}

impl<'a> Filmstrip<'a> {
    /// Twelve figures seen from the side.
    pub fn new(skeleton: &'a Skeleton, clip: &'a Clip) -> Self {
        Self { skeleton, clip, view: View::Side, figures: 12, height: 210.0 }
    }

    /// Sets the direction of view.
    pub fn view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// Sets the number of figures; clips of fewer frames get one for each.
    pub fn figures(mut self, figures: usize) -> Self {
        self.figures = figures.max(1);
        self
    }

    /// Draws the strip.
    pub fn draw(&self) -> Panel {
        let count = self.figures.min(self.clip.frame_count());
        let times: Vec<f32> = (0..count)
            .map(|index| self.clip.duration() * index as f32 / (count.max(2) - 1) as f32)
            .collect();
        let sides = joint_sides(self.skeleton);
        let figures: Vec<Vec<DrawnBone>> =
            times.iter().map(|&time| self.figure(time, &sides)).collect();
        let points = || figures.iter().flatten().flat_map(|segment| [segment.from, segment.to]);
        let low = points().fold(Vec2::splat(f32::MAX), Vec2::min);
        let high = points().fold(Vec2::splat(f32::MIN), Vec2::max);
        let size = (high - low).max(Vec2::splat(1e-6));
        let pitch = (WIDTH - 2.0 * MARGIN) / count as f32;
        let scale = (self.height / size.y).min(1.25 * pitch / size.x);
        let height = size.y * scale;

        let mut svg = Svg::default();
        svg.line(Vec2::new(MARGIN, height), Vec2::new(WIDTH - MARGIN, height), "axis");
        for (index, (figure, time)) in figures.iter().zip(&times).enumerate() {
            let left = MARGIN + pitch * index as f32;
            let middle = 0.5 * (low.x + high.x);
            let place = |p: Vec2| {
                Vec2::new(
                    left + 0.5 * pitch + (p.x - middle) * scale,
                    height - (p.y - low.y) * scale,
                )
            };
            bones::draw(&mut svg, "bone ", figure, place);
            svg.text(
                Vec2::new(left + 0.5 * pitch, height + 18.0),
                "faint middle",
                &format!("{time:.2} s"),
            );
        }
        Panel { svg, height: height + 24.0 }
    }

    /// The bones at a time, projected; the far side first.
    fn figure(&self, time: f32, sides: &[Side]) -> Vec<DrawnBone> {
        let mut pose = self.clip.frame(0).to_vec();
        self.clip.sample(time, Wrap::Clamp, &mut pose);
        let rest = self.skeleton.joint(0).rest.rotation;
        let facing = Transform::new(pose[0].rotation * rest.conjugate(), pose[0].translation);
        let here = Planar::from_transform(&facing).to_transform().inverse();
        let mut models = pose.clone();
        self.skeleton.local_to_model(&pose, &mut models);
        let [right, up, _] = self.view.axes();
        let project = |p: Vec3| {
            let p = here.transform_point(p);
            Vec2::new(p.dot(right), p.dot(up))
        };
        bones(self.skeleton, &models, sides, project)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Joint, Pose, humanoid};

    #[test]
    fn every_bone_of_every_figure_is_drawn() {
        let human = humanoid();
        let pose = Pose::rest(&human.skeleton);
        let frames = [pose.to_vec(), pose.to_vec(), pose.to_vec()].concat();
        let clip = Clip::new("rest", &human.skeleton, 60.0, frames).unwrap();
        let panel = Filmstrip::new(&human.skeleton, &clip).figures(2).draw();
        let tips = human.skeleton.joints().iter().filter(|joint| joint.tip.is_some()).count();
        let bones = panel.svg.body.matches("\"bone").count();
        assert_eq!(bones, 2 * (human.skeleton.len() - 1 + tips));
    }

    #[test]
    fn a_skeleton_of_one_joint_is_an_empty_picture_without_nan() {
        let skeleton = Skeleton::new(vec![Joint::new("root", None, Vec3::ZERO)]).unwrap();
        let clip = Clip::new("point", &skeleton, 30.0, vec![Transform::IDENTITY]).unwrap();
        let panel = Filmstrip::new(&skeleton, &clip).draw();
        assert!(!panel.svg.body.contains("NaN") && panel.height.is_finite());
    }
}
