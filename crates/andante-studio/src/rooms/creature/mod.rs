//! Bodies, their vibrations, and the gaits that can be made of them.

mod desk;
mod hunt;
mod palettes;
mod panels;
mod shaping;
mod sketches;

pub use desk::{CreatureDesk, ModeRole, StepPhaseKind};
pub use hunt::{GaitHunt, HuntNews};

use crate::bench::Workbench;
use crate::look::{ACCENT, BAD, DYES, GOOD, sign};
use crate::room::StudioRoom;
use crate::view::{Orbit, SolidMesh, ViewPicture, Viewport3, floor};
use andante_gait::{GaitCycle, GaitProblem};
use andante_skeleton::Transform;
use eframe::egui::{self, Align2, Color32};
use glam::{Vec3, vec3};
use sketches::LiveSketches;
use std::sync::Arc;

/// The room of creatures.
pub struct CreatureRoom {
    desk: Option<CreatureDesk>,
    /// What is wrong with body or sketch, if anything is.
    pub error: Option<String>,
    /// The texts that were looked at last.
    looked_at: Option<([String; 2], usize)>,
    /// The segment that is chosen.
    pub segment: usize,
    /// The step whose modes are chosen.
    pub step: usize,
    /// From where it is seen.
    pub camera: Orbit,
    sketches: LiveSketches,
    hunt: Option<GaitHunt>,
    time: f64,
    /// Whether things move.
    pub playing: bool,
    floor: SolidMesh,
    /// How often palettes were made anew.
    pub refreshed: usize,
    /// Whether the rest pose is shown, with joints to be clicked and turned in the view.
    pub rest: bool,
}

impl Default for CreatureRoom {
    fn default() -> Self {
        Self {
            desk: None,
            error: None,
            looked_at: None,
            segment: 0,
            step: 0,
            camera: Orbit {
                target: vec3(0.0, 0.8, 0.0),
                yaw: 0.7,
                pitch: 0.16,
                distance: 5.2,
                follows: true,
            },
            sketches: LiveSketches::default(),
            hunt: None,
            time: 0.0,
            playing: true,
            floor: floor(20),
            refreshed: 0,
            rest: false,
        }
    }
}

impl CreatureRoom {
    /// The desk: what follows from the body and the sketch.
    pub fn desk(&self) -> Option<&CreatureDesk> {
        self.desk.as_ref()
    }

    /// The search, if there is one.
    pub fn hunt(&self) -> Option<&GaitHunt> {
        self.hunt.as_ref()
    }

    /// Everything moves from its beginning.
    pub fn begin_anew(&mut self) {
        self.time = 0.0;
        if let Some(desk) = &self.desk {
            self.sketches = LiveSketches::new(desk);
        }
    }

    /// A gait that repeats itself, if there is one.
    pub fn found(&self) -> Option<(&Arc<GaitProblem>, &GaitCycle)> {
        let hunted = self.hunt.as_ref().filter(|hunt| hunt.news().converged);
        let hunted = hunted.and_then(|hunt| Some((hunt.problem(), hunt.cycle()?)));
        let known = || self.desk.as_ref()?.known.as_ref().map(|(problem, cycle)| (problem, cycle));
        hunted.or_else(known)
    }

    /// Puts a creature with the gait that was found into a scene of its own, with a goal.
    fn send_to_stage(&self, bench: &mut Workbench) -> Result<(), String> {
        let Some((problem, cycle)) = self.found() else { return Ok(()) };
        let name = problem.sketch().name.clone();
        let repertoire = cycle.repertoire(problem, &name).map_err(|error| error.to_string())?;
        let folder = bench.project.folder.clone();
        let folder = folder.map_or_else(|| bench.home.found(&name), Ok)?;
        let file = format!("{}.repertoire", andante_take::slug(&name));
        let written = std::fs::create_dir_all(&folder).and_then(|()| {
            andante_formats::write_atomically(&folder.join(&file), &repertoire.to_bytes())
        });
        written.map_err(|error| format!("{}: {error}", folder.join(&file).display()))?;
        bench.project.scene = format!(
            "version = 1\nname = \"{name}\"\nabout = \"A gait that was found, on its way to a goal\"\n\n\
             [[platform]]\noutline = [[-6, -4], [12, -4], [12, 24], [-6, 24]]\n\n\
             [[character]]\nname = \"{}\"\nrepertoire = \"{file}\"\n\
             start = {{ at = [0, 0], heading = 0 }}\ngoal = {{ at = [4, 18] }}\n",
            problem.body().name(),
        );
        bench.project.scene_folder = Some(folder);
        bench.project.name = name;
        *bench.next_room = Some(StudioRoom::Stage);
        Ok(())
    }

    /// Looks again at body and sketch if they have changed.
    fn follow_project(&mut self, bench: &mut Workbench) {
        let texts = [bench.project.body.clone(), bench.project.sketch.clone()];
        let looked_at = Some((texts, self.step));
        if looked_at == self.looked_at {
            return;
        }
        match CreatureDesk::new(&bench.project.body, &bench.project.sketch, self.step) {
            Ok(desk) => {
                self.step = self.step.min(desk.sketch.steps.len().saturating_sub(1));
                self.segment = self.segment.min(desk.body.segments().len() - 1);
                self.sketches = LiveSketches::new(&desk);
                self.refreshed += 1;
                self.desk = Some(desk);
                self.error = None;
                self.hunt = None;
            }
            Err(error) => self.error = Some(error),
        }
        self.looked_at = looked_at;
    }

    /// Shows the room.
    pub fn show(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) {
        self.follow_project(bench);
        if let Some(hunt) = &mut self.hunt
            && let Err(error) = hunt.follow()
        {
            bench.notices.failed(error);
        }
        if self.playing {
            self.time += f64::from(bench.seconds);
            self.sketches.advance(f64::from(bench.seconds));
            ui.ctx().request_repaint();
        }
        panels::left(self, ui, bench);
        panels::right(self, ui, bench);
        if let Some(error) = &self.error {
            egui::Panel::top("creature error").show(ui, |ui| ui.colored_label(BAD, error));
        }
        egui::Panel::bottom("live sketch")
            .default_size(300.0)
            .size_range(160.0..=700.0)
            .resizable(true)
            .frame(egui::Frame::NONE)
            .show(ui, |ui| {
                let rect = self.live_view(ui);
                if let Some(rect) = rect.filter(|_| self.rest) {
                    self.joints(ui, bench, rect);
                }
            });
        egui::CentralPanel::default().show(ui, |ui| self.palettes(ui, bench));
    }

    fn palettes(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) {
        let Some(desk) = &self.desk else { return };
        let mut clicked = None;
        ui.columns(2, |columns| {
            for (ui, phase) in columns.iter_mut().zip(StepPhaseKind::BOTH) {
                ui.strong(match phase {
                    StepPhaseKind::Air => "Vibrations in the air",
                    StepPhaseKind::Ground => "Vibrations with a toe on the ground",
                });
                egui::ScrollArea::vertical().id_salt(phase.name()).show(ui, |ui| {
                    if let Some(mode) = palettes::show(desk, ui, self.step, phase, self.time) {
                        clicked = Some((phase, mode));
                    }
                });
            }
        });
        if let Some((phase, mode)) = clicked {
            let role = match desk.role(self.step, phase, mode) {
                ModeRole::Excluded => ModeRole::Allowed,
                ModeRole::Allowed => ModeRole::Priority(0.2),
                ModeRole::Priority(_) => ModeRole::Excluded,
            };
            if let Some(text) = desk.with_role(self.step, phase, mode, role) {
                bench.project.sketch = text;
            }
        }
    }

    /// The sketch without gravity, with it, and the gait that was found, side by side.
    fn live_view(&mut self, ui: &mut egui::Ui) -> Option<egui::Rect> {
        let desk = self.desk.as_ref()?;
        let bounds = desk.bounds();
        let wide = (bounds[1].x - bounds[0].x).max(0.9) + 0.6;
        if self.camera.follows {
            let size = (bounds[1] - bounds[0]).length().max(1.0);
            self.camera.target = vec3(0.0, 0.5 * (bounds[0].y + bounds[1].y), 0.0);
            self.camera.distance = self.camera.distance.clamp(1.6 * size, 6.0 * size);
        }
        let answer = Viewport3::new("Sketch view", &mut self.camera).show(ui);
        let rest = self.rest;
        let mut picture = ViewPicture { camera: self.camera, ..ViewPicture::default() };
        picture.ground = vec![Arc::clone(&self.floor)];
        let mut labels = Vec::new();
        let aside = self.camera.right();
        let mut add = |place: f32,
                       models: &[Transform],
                       dye: Color32,
                       name: &str,
                       color: Color32| {
            let mut moved = models.to_vec();
            // Everybody stays where it is seen.
            let root = moved[0].translation.with_y(0.0);
            for joint in &mut moved {
                joint.translation += place * aside - root;
            }
            picture.bodies.add(&desk.skin, &moved, dye);
            labels.push((place * aside + (bounds[1].y + 0.15) * Vec3::Y, name.to_owned(), color));
        };
        let [mut air, mut weight] = self.sketches.placed();
        if rest {
            // What is shaped stands still.
            (air, weight) = (None, Some(desk.body.stand(&desk.pose)));
        }
        if let Some(placed) = air {
            add(-wide, &desk.models(&placed), DYES[1], "without gravity", Color32::from_gray(230));
        }
        if let Some(placed) = weight {
            let name = if rest { "at rest" } else { "with gravity" };
            add(0.0, &desk.models(&placed), DYES[0], name, Color32::from_gray(230));
        }
        let hunted = self.hunt.as_ref().and_then(|hunt| {
            let name = if hunt.news().converged { "found" } else { "best so far" };
            hunt.cycle().map(|cycle| (cycle, name))
        });
        if let Some((cycle, name)) =
            hunted.or(desk.known.as_ref().map(|(_, known)| (known, "found")))
        {
            let time = self.time.rem_euclid(cycle.period);
            let placed = cycle.at(time).place(&desk.body, &desk.pose);
            add(
                wide,
                &desk.models(&placed),
                DYES[2],
                name,
                if name == "found" { GOOD } else { ACCENT },
            );
        }
        picture.paint(ui, answer.rect);
        let painter = ui.painter_at(answer.rect);
        for (at, name, color) in labels {
            if let Some(at) = self.camera.project(at, answer.rect) {
                sign(&painter, at, Align2::CENTER_BOTTOM, &name, color);
            }
        }
        Some(answer.rect)
    }

    /// Joints of the rest pose: a click chooses one, dragging it up and down bends it.
    fn joints(&mut self, ui: &mut egui::Ui, bench: &mut Workbench, rect: egui::Rect) {
        let Some(desk) = &self.desk else { return };
        let placed = desk.body.stand(&desk.pose);
        let root = placed[0].translation.as_vec3().with_y(0.0);
        let mut changed = None;
        for (segment, place) in placed.iter().enumerate() {
            let at = place.translation.as_vec3() - root;
            let Some(at) = self.camera.project(at, rect).filter(|at| rect.contains(*at)) else {
                continue;
            };
            let name = format!("Joint of {}", desk.body.segments()[segment].name);
            let own = egui::Rect::from_center_size(at, egui::vec2(14.0, 14.0));
            let response =
                ui.interact(own, ui.scope_id().with(segment), egui::Sense::click_and_drag());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            let color = if self.segment == segment { ACCENT } else { GOOD };
            let size = if response.hovered() || response.dragged() { 7.0 } else { 4.5 };
            ui.painter_at(rect).circle(at, size, color, (1.0, Color32::WHITE));
            if response.clicked() || response.drag_started() {
                self.segment = segment;
            }
            if response.dragged()
                && let Some(mut angles) = desk.rest_angles(segment)
            {
                angles[0] += 0.008 * f64::from(response.drag_delta().y);
                changed = Some(desk.with_rest(segment, angles));
            }
            response.on_hover_text(format!("{name}: drag up and down to bend it at rest"));
        }
        match changed {
            Some(Ok(text)) => bench.project.body = text,
            Some(Err(error)) => bench.notices.failed(error),
            None => {}
        }
    }
}
