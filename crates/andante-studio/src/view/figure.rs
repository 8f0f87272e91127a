//! Bodies as flat drawings: thumbnails and cards, of which there are many at once.

use andante_skeleton::{Skeleton, Transform};
use eframe::egui::{Color32, Painter, Pos2, Rect, Stroke, pos2};
use glam::{Vec3, vec3};

/// A parallel view onto a part of the world, drawn flat.
#[derive(Clone, Copy, Debug)]
pub struct FlatView {
    right: Vec3,
    up: Vec3,
    scale: f32,
    center: Pos2,
    middle: Vec3,
}

impl FlatView {
    /// From a side (`yaw` as that of a camera) and from above by an angle, so that a box fits.
    pub fn of_box([low, high]: [Vec3; 2], yaw: f32, pitch: f32, rect: Rect) -> Self {
        let ((sin, cos), (up, flat)) = (libm::sincosf(yaw), libm::sincosf(pitch));
        let right = vec3(cos, 0.0, -sin);
        let back = vec3(flat * sin, up, flat * cos);
        let up = back.cross(right);
        let corner = |k: usize| {
            let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
            vec3(pick(0), pick(1), pick(2))
        };
        let middle = 0.5 * (low + high);
        let mut half = glam::Vec2::splat(0.05);
        for k in 0..8 {
            let from = corner(k) - middle;
            half = half.max(glam::vec2(from.dot(right).abs(), from.dot(up).abs()));
        }
        let scale = (0.5 * rect.width() / half.x).min(0.5 * rect.height() / half.y);
        Self { right, up, scale, center: rect.center(), middle }
    }

    /// The drawn place of a point.
    pub fn at(&self, point: Vec3) -> Pos2 {
        let from = point - self.middle;
        let by = [from.dot(self.right), from.dot(self.up)];
        pos2(self.center.x + self.scale * by[0], self.center.y - self.scale * by[1])
    }

    /// The depth of a point for who looks, to draw what is behind first.
    pub fn depth(&self, point: Vec3) -> f32 {
        -(point - self.middle).dot(self.right.cross(self.up))
    }

    /// Points of the drawing in a metre.
    pub fn scale(&self) -> f32 {
        self.scale
    }
}

/// A body as rods.
#[derive(Clone, Debug, Default)]
pub struct FlatFigure {
    /// Ends, radius and colour of each.
    pub rods: Vec<([Vec3; 2], f32, Color32)>,
}

impl FlatFigure {
    /// The bones of a skeleton, with rods of a radius.
    pub fn of_models(
        skeleton: &Skeleton,
        models: &[Transform],
        radius: f32,
        color: Color32,
    ) -> Self {
        let bone = |(joint, parent): (usize, usize)| {
            ([models[parent].translation, models[joint].translation], radius, color)
        };
        let pairs = (0..skeleton.len()).filter_map(|joint| Some((joint, skeleton.parent(joint)?)));
        // A root that stays on the ground is no bone.
        let body = pairs.filter(|(_, parent)| skeleton.parent(*parent).is_some());
        Self { rods: body.map(bone).collect() }
    }

    /// Draws it, what is behind first, with a thin dark line around each rod.
    pub fn draw(&self, view: &FlatView, painter: &Painter) {
        let mut order: Vec<usize> = (0..self.rods.len()).collect();
        let depth = |rod: usize| view.depth(0.5 * (self.rods[rod].0[0] + self.rods[rod].0[1]));
        order.sort_by(|a, b| depth(*b).total_cmp(&depth(*a)));
        for pass in 0..2 {
            for rod in &order {
                let (ends, radius, color) = self.rods[*rod];
                let wide = (2.0 * radius * view.scale()).max(1.2);
                let (wide, color) = match pass {
                    0 => (wide + 1.6, Color32::from_black_alpha(110)),
                    _ => (wide, color),
                };
                let [a, b] = ends.map(|end| view.at(end));
                painter.line_segment([a, b], Stroke::new(wide, color));
                for end in [a, b] {
                    painter.circle_filled(end, 0.5 * wide, color);
                }
            }
        }
    }
}
