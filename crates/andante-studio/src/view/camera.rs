//! A camera that circles around a point.

use crate::action::StudioAction;
use eframe::egui::{Pos2, Rect, pos2};
use glam::{Vec2, Vec3, vec3};
use std::f32::consts::{FRAC_PI_2, PI};

/// A camera that looks at a point from around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What it looks at.
    pub target: Vec3,
    /// From where, seen from above: 0 is from +Z, which is the front of a character at rest.
    pub yaw: f32,
    /// How far above the horizon, in radians.
    pub pitch: f32,
    /// Metres from the target.
    pub distance: f32,
    /// Whether the target stays with what is chosen.
    pub follows: bool,
}

/// From where the keys 1, 3 and 7 look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewSide {
    /// From +Z.
    Front,
    /// From +X.
    Side,
    /// From above.
    Top,
}

/// Vertical opening, in radians.
pub const FIELD: f32 = 0.72;

impl Default for Orbit {
    fn default() -> Self {
        Self { target: vec3(0.0, 0.9, 0.0), yaw: 0.6, pitch: 0.35, distance: 6.0, follows: false }
    }
}

impl Orbit {
    /// From the target towards the eye.
    fn back(&self) -> Vec3 {
        let ((sin, cos), (up, flat)) = (libm::sincosf(self.yaw), libm::sincosf(self.pitch));
        vec3(flat * sin, up, flat * cos)
    }

    /// The place of the camera.
    pub fn eye(&self) -> Vec3 {
        self.target + self.distance * self.back()
    }

    /// To the right in the picture.
    pub fn right(&self) -> Vec3 {
        let (sin, cos) = libm::sincosf(self.yaw);
        vec3(cos, 0.0, -sin)
    }

    /// To the right and up in the picture.
    fn axes(&self) -> [Vec3; 2] {
        let right = self.right();
        [right, self.back().cross(right)]
    }

    /// Up in the picture.
    pub fn up(&self) -> Vec3 {
        self.axes()[1]
    }

    /// Circles, by angles.
    pub fn turn(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(2.0 * PI);
        self.pitch = (self.pitch + pitch).clamp(-0.2, FRAC_PI_2 - 1e-3);
    }

    /// Shifts what it looks at, by parts of the height of the picture, and no longer follows.
    pub fn shift(&mut self, by: Vec2) {
        let [right, up] = self.axes();
        let size = 2.0 * libm::tanf(0.5 * FIELD) * self.distance;
        self.target += size * (up * by.y - right * by.x);
        self.target = self.target.clamp(Vec3::splat(-1e4), Vec3::splat(1e4));
        self.follows = false;
    }

    /// Goes nearer (below 1) or farther off.
    pub fn approach(&mut self, factor: f32) {
        self.distance = (self.distance * factor).clamp(0.4, 400.0);
    }

    /// Looks from a side.
    pub fn look_from(&mut self, side: ViewSide) {
        (self.yaw, self.pitch) = match side {
            ViewSide::Front => (0.0, 0.05),
            ViewSide::Side => (FRAC_PI_2, 0.05),
            ViewSide::Top => (0.0, FRAC_PI_2 - 1e-3),
        };
    }

    /// Does what is the same wherever one thing is looked at, from so far off: plays, looks from a side, frames.
    pub fn act(&mut self, action: StudioAction, playing: &mut bool, distance: f32) {
        match action {
            StudioAction::PlayOrPause => *playing ^= true,
            StudioAction::LookFrom(side) => self.look_from(side),
            StudioAction::FrameView => (self.follows, self.distance) = (true, distance),
            _ => {}
        }
    }

    /// Shows all of a box.
    pub fn frame(&mut self, [low, high]: [Vec3; 2]) {
        self.target = 0.5 * (low + high);
        let radius = (0.5 * (high - low).length()).max(0.5);
        self.distance = (radius / libm::sinf(0.5 * FIELD)).clamp(1.0, 400.0);
    }

    /// The projection of a point into a picture; none behind the camera.
    pub fn project(&self, point: Vec3, rect: Rect) -> Option<Pos2> {
        let from_eye = point - self.eye();
        let depth = -from_eye.dot(self.back());
        if depth < 0.05 {
            return None;
        }
        let [right, up] = self.axes();
        let scale = 0.5 * rect.height() / libm::tanf(0.5 * FIELD) / depth;
        let center = rect.center();
        Some(pos2(center.x + scale * from_eye.dot(right), center.y - scale * from_eye.dot(up)))
    }

    /// The direction of the ray from the eye through a place of a picture.
    pub fn ray(&self, at: Pos2, rect: Rect) -> Vec3 {
        let scale = libm::tanf(0.5 * FIELD) / (0.5 * rect.height().max(1.0));
        let by = at - rect.center();
        let [right, up] = self.axes();
        (right * (by.x * scale) - up * (by.y * scale) - self.back()).normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::vec2;

    #[test]
    fn the_ray_through_where_a_point_is_shown_leads_to_that_point() {
        let rect = Rect::from_min_size(pos2(30.0, 10.0), vec2(640.0, 400.0));
        let mut camera = Orbit::default();
        for step in 0..40 {
            camera.turn(0.7, if step % 2 == 0 { 0.3 } else { -0.25 });
            camera.shift(glam::vec2(0.01, -0.02));
            let point = vec3(0.4, 1.1, -0.3);
            let at = camera.project(point, rect).unwrap();
            let (eye, ray) = (camera.eye(), camera.ray(at, rect));
            let off = (point - eye) - ray * (point - eye).dot(ray);
            assert!(off.length() < 1e-3, "{off}");
        }
    }

    #[test]
    fn what_is_framed_is_in_the_picture() {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(640.0, 400.0));
        let bounds = [vec3(-3.0, 0.0, 2.0), vec3(9.0, 2.0, 12.0)];
        for side in [ViewSide::Front, ViewSide::Side, ViewSide::Top] {
            let mut camera = Orbit::default();
            camera.look_from(side);
            camera.frame(bounds);
            for corner in 0..8 {
                let pick = |axis: usize| bounds[corner >> axis & 1][axis];
                let at = camera.project(vec3(pick(0), pick(1), pick(2)), rect).unwrap();
                assert!(rect.contains(at), "{side:?}: {at}");
            }
        }
    }
}
