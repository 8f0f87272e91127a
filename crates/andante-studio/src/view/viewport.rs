//! A part of the window that shows a world, and takes the mouse.

use super::body::ViewBodies;
use super::camera::Orbit;
use super::gl;
use super::mesh::{SolidMesh, ViewMesh};
use crate::project::StageLight;
use eframe::egui::{self, Color32, PointerButton, Pos2, Rect, Response, Sense, Shape, vec2};
use glam::Vec3;
use std::sync::Arc;

/// The picture of a view.
#[derive(Clone, Debug, Default)]
pub struct ViewPicture {
    /// From where.
    pub camera: Orbit,
    /// Ground, with a line at every metre.
    pub ground: Vec<SolidMesh>,
    /// What stands there and throws shadows.
    pub solids: Vec<SolidMesh>,
    /// What stands too far off for that.
    pub distant: Vec<SolidMesh>,
    /// Bodies in their poses.
    pub bodies: ViewBodies,
    /// What is another in every frame.
    pub moving: ViewMesh,
    /// Marks: no light falls on them.
    pub marks: ViewMesh,
    /// What lights it.
    pub light: StageLight,
}

/// The answer of a view: what was done in it.
pub struct ViewportAnswer {
    /// The view itself.
    pub response: Response,
    /// Where it is in the window.
    pub rect: Rect,
    /// Where the mouse is, with the ray from the eye through it.
    pub pointer: Option<(Pos2, Vec3)>,
}

/// A view into a world.
pub struct Viewport3<'a> {
    camera: &'a mut Orbit,
    name: &'a str,
    /// Whether dragging with the first button turns the camera.
    turns: bool,
}

impl<'a> Viewport3<'a> {
    /// A view with this name for those who cannot see it.
    pub fn new(name: &'a str, camera: &'a mut Orbit) -> Self {
        Self { camera, name, turns: true }
    }

    /// Sets whether dragging with the first button turns the camera, or is for whoever asks the answer.
    pub fn turns(mut self, turns: bool) -> Self {
        self.turns = turns;
        self
    }

    /// Takes all the room that is left, and moves the camera as the mouse and fingers do.
    pub fn show(self, ui: &mut egui::Ui) -> ViewportAnswer {
        let size = ui.available_size().max(vec2(40.0, 40.0));
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let name = self.name;
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, ui.is_enabled(), name));
        let camera = self.camera;
        let by = response.drag_delta() / rect.height();
        let shift = ui.input(|input| input.modifiers.shift);
        let turning = response.dragged_by(PointerButton::Secondary)
            || (self.turns && response.dragged_by(PointerButton::Primary));
        let shifting = response.dragged_by(PointerButton::Middle);
        if shifting || (turning && shift) {
            camera.shift(glam::vec2(by.x, by.y));
        } else if turning {
            camera.turn(-4.0 * by.x, 3.0 * by.y);
        }
        if response.hovered() {
            let (scroll, pinch) =
                ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
            camera.approach(libm::expf(-0.0022 * scroll) / pinch);
            if let Some(touch) = ui.input(|input| input.multi_touch()) {
                let by = touch.translation_delta / rect.height();
                camera.shift(glam::vec2(by.x, by.y));
            }
        }
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        let pointer = pointer.map(|at| (at, camera.ray(at, rect)));
        ViewportAnswer { response, rect, pointer }
    }
}

impl ViewPicture {
    /// Paints it into a part of the window.
    pub fn paint(self, ui: &egui::Ui, rect: Rect) {
        let painter = ui.painter_at(rect);
        sky(&painter, rect, &self.camera, ui.visuals().dark_mode);
        let picture = gl::PreparedPicture::new(self, ui.ctx().clone());
        let draw = move |info: egui::PaintCallbackInfo, painter: &egui_glow::Painter| {
            gl::paint(&picture, &info, painter.gl());
        };
        let callback = Arc::new(egui_glow::CallbackFn::new(draw));
        painter.add(egui::PaintCallback { rect, callback });
    }
}

/// The sky, which is brightest at the horizon.
fn sky(painter: &egui::Painter, rect: Rect, camera: &Orbit, dark: bool) {
    let [top, middle, bottom] = match dark {
        true => [[0x2b, 0x3a, 0x55], [0x5f, 0x70, 0x88], [0x23, 0x26, 0x2c]],
        false => [[0x9c, 0xc0, 0xea], [0xe6, 0xee, 0xf4], [0xb9, 0xb5, 0xac]],
    }
    .map(|[r, g, b]| Color32::from_rgb(r, g, b));
    let horizon = rect.center().y - rect.height() * 1.3 * libm::tanf(camera.pitch).clamp(-4.0, 4.0);
    let line = horizon.clamp(rect.top() - 3.0 * rect.height(), rect.bottom());
    let mut mesh = egui::Mesh::default();
    let heights =
        [line - 1.1 * rect.height(), line, line + 0.35 * rect.height(), rect.bottom() + line.abs()];
    for (height, color) in heights.into_iter().zip([top, middle, bottom, bottom]) {
        mesh.colored_vertex(Pos2::new(rect.left(), height), color);
        mesh.colored_vertex(Pos2::new(rect.right(), height), color);
    }
    painter.rect_filled(rect, 0.0, if line > rect.bottom() { top } else { bottom });
    for row in [0, 2, 4] {
        mesh.add_triangle(row, row + 1, row + 2);
        mesh.add_triangle(row + 1, row + 3, row + 2);
    }
    painter.add(Shape::mesh(mesh));
}
