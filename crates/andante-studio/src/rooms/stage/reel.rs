//! Takes: what was recorded before, played beside each other.

use super::export::findings;
use super::frame::skin_of;
use super::picture::side_color;
use super::player::{dye, ground_mesh};
use crate::action::StudioAction;
use crate::bench::Workbench;
use crate::home::StudioHome;
use crate::job::{JobState, SideJob};
use crate::look::{ACCENT, BAD, command_line, sign, slider};
use crate::view::{Orbit, SolidMesh, ViewPicture, Viewport3};
use andante_check::{CheckSettings, Verdict, check};
use andante_formats::ReadLimits;
use andante_skeleton::{SkinnedMesh, Transform};
use andante_take::{Take, TrackMetrics, presences};
use eframe::egui::{self, Align2, Color32, RichText, Sense, pos2, vec2};
use glam::{Vec3, vec3};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A take that is shown.
pub struct ShownTake {
    /// Its file.
    pub path: PathBuf,
    /// What happened.
    pub take: Take,
    /// What the verifier says about it.
    pub verdict: Verdict,
    metrics: Vec<TrackMetrics>,
    skins: Vec<Arc<SkinnedMesh>>,
    ground: Vec<SolidMesh>,
    bounds: [Vec3; 2],
    /// How far aside it is shown.
    shift: Vec3,
}

impl ShownTake {
    /// Reads a take, and has it checked.
    fn read(path: &Path, home: &StudioHome) -> Result<Self, String> {
        let limits = ReadLimits::default();
        let bytes = home.content(path, &limits).map_err(|error| error.to_string())?;
        let take = Take::from_bytes(&bytes);
        let take = take.map_err(|error| format!("{}: {error}", path.display()))?;
        let verdict = check(&take, None, &CheckSettings::default());
        let verdict = verdict.map_err(|error| format!("{}: {error}", path.display()))?;
        let skin = |track: &andante_take::Track| match &track.mesh {
            Some(mesh) => Arc::clone(mesh),
            None => Arc::new(skin_of(&track.character, take.tracks.len() > 12)),
        };
        let ground = ground_mesh(&take.head.ground, &Transform::IDENTITY);
        let boxes = ground.iter().filter_map(|mesh| mesh.bounds());
        let mut bounds = boxes.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or_default();
        for place in take.tracks.iter().flat_map(|track| &track.body) {
            let at = vec3(place.position.x, bounds[1].y, place.position.y);
            bounds = [bounds[0].min(at), bounds[1].max(at)];
        }
        Ok(Self {
            path: path.to_path_buf(),
            skins: take.tracks.iter().map(skin).collect(),
            metrics: take.metrics(),
            verdict,
            ground,
            bounds,
            shift: Vec3::ZERO,
            take,
        })
    }

    fn place(&mut self, shift: Vec3) {
        if self.shift != shift {
            self.shift = shift;
            self.ground = ground_mesh(&self.take.head.ground, &Transform::from_translation(shift));
        }
    }

    /// Every joint of a track in the world at a time.
    pub fn models(&self, track: usize, seconds: f32) -> Vec<Transform> {
        let own = &self.take.tracks[track];
        let skeleton = &own.character.skeleton;
        let frame = (seconds * self.take.head.fps).round().max(0.0) as usize;
        let mut models = vec![Transform::IDENTITY; skeleton.len()];
        skeleton.local_to_model(own.clip.frame(frame.min(own.clip.frame_count() - 1)), &mut models);
        for joint in &mut models {
            joint.translation += self.shift;
        }
        models
    }

    fn draw(&self, seconds: f32, tint: usize, picture: &mut ViewPicture) {
        picture.ground.extend(self.ground.iter().cloned());
        let place = Transform::from_translation(self.shift);
        let here = |there: &&andante_take::Presence| (there.from..there.until).contains(&seconds);
        for thing in presences(&self.take).iter().filter(here) {
            let stone = Color32::from_rgb(0x9a, 0x8f, 0x80);
            picture.moving.add_mesh(&thing.obstacle.mesh(), &place, stone);
        }
        let frame = (seconds * self.take.head.fps).round() as usize;
        for thing in &self.take.things {
            if let Some(at) = thing.at(frame) {
                let wood = Color32::from_rgb(0xb5, 0x8a, 0x5a);
                picture.moving.add_mesh(&thing.mesh, &(place * at), wood);
            }
        }
        for (track, skin) in self.skins.iter().enumerate() {
            picture.bodies.add(skin, &self.models(track, seconds), dye(tint + track));
            let prints = &self.take.tracks[track].footprints;
            for print in prints.iter().filter(|print| print.landing <= seconds) {
                let side = self.take.tracks[track].character.rig.feet.get(print.foot);
                let color = side.map_or(ACCENT, |foot| side_color(foot.side)).gamma_multiply(0.5);
                let up = self.shift + 0.006 * print.normal;
                picture.marks.add_ribbon(&[print.heel + up, print.tip + up], 0.085, color);
            }
        }
    }
}

/// Takes that are being read.
type Reading = (PathBuf, SideJob<Result<ShownTake, String>>);

/// Takes beside each other.
pub struct TakeReel {
    shown: Vec<ShownTake>,
    reading: Vec<Reading>,
    failed: Vec<PathBuf>,
    /// Whether takes are seen instead of the stage.
    pub open: bool,
    /// Seconds from the beginning of each.
    pub time: f32,
    /// Whether time passes.
    pub playing: bool,
    speed: f32,
    /// Whether each has a place of its own.
    pub apart: bool,
}

impl Default for TakeReel {
    fn default() -> Self {
        Self {
            shown: Vec::new(),
            reading: Vec::new(),
            failed: Vec::new(),
            open: false,
            time: 0.0,
            playing: true,
            speed: 1.0,
            apart: true,
        }
    }
}

impl TakeReel {
    /// Takes that can be seen.
    pub fn takes(&self) -> &[ShownTake] {
        &self.shown
    }

    /// Seconds of the longest.
    pub fn seconds(&self) -> f32 {
        self.shown.iter().map(|shown| shown.take.seconds()).fold(0.0, f32::max)
    }

    /// Reads what the project names and is not there, forgets what it does not name.
    pub fn follow(&mut self, context: &egui::Context, bench: &mut Workbench, camera: &mut Orbit) {
        let wanted = bench.project.takes.clone();
        let before = self.shown.len();
        self.shown.retain(|shown| wanted.contains(&shown.path));
        self.reading.retain(|(path, _)| wanted.contains(path));
        self.failed.retain(|path| wanted.contains(path));
        for path in wanted {
            let known = self.shown.iter().any(|shown| shown.path == path)
                || self.reading.iter().any(|(own, _)| *own == path)
                || self.failed.contains(&path);
            if !known {
                let (own, home) = (path.clone(), bench.home.clone());
                let job = bench
                    .jobs
                    .start(context, "reading a take", move |_| Some(ShownTake::read(&own, &home)));
                self.reading.push((path, job));
                self.open = true;
            }
        }
        let mut reading = std::mem::take(&mut self.reading);
        reading.retain_mut(|(path, job)| match job.poll() {
            JobState::Running => true,
            JobState::Stopped => {
                self.failed.push(path.clone());
                false
            }
            JobState::Done(done) => {
                match done {
                    Ok(shown) => self.shown.push(shown),
                    Err(error) => {
                        bench.notices.failed(error);
                        self.failed.push(path.clone());
                    }
                }
                false
            }
        });
        self.reading = reading;
        self.open &= !bench.project.takes.is_empty() && self.failed != bench.project.takes;
        self.arrange();
        if self.shown.len() > before
            && let Some(bounds) = self.bounds()
        {
            camera.frame(bounds);
            camera.distance *= 0.7;
        }
    }

    /// Gives each its place.
    fn arrange(&mut self) {
        let mut along = 0.0;
        for shown in &mut self.shown {
            let [low, high] = shown.bounds;
            let shift = if self.apart { (along - low.x) * Vec3::X } else { Vec3::ZERO };
            along += high.x - low.x + 1.5;
            shown.place(shift);
        }
    }

    fn bounds(&self) -> Option<[Vec3; 2]> {
        let boxes = self.shown.iter().map(|shown| shown.bounds.map(|at| at + shown.shift));
        let all = boxes.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        all.map(|[low, high]| [low.with_y(low.y.max(high.y - 3.0)), high])
    }

    /// Does something; whether it could.
    pub fn act(&mut self, action: StudioAction, camera: &mut Orbit) -> bool {
        match action {
            StudioAction::PlayOrPause => self.playing ^= true,
            StudioAction::Step(by) => {
                self.playing = false;
                self.time = (self.time + by as f32 / 60.0).clamp(0.0, self.seconds());
            }
            StudioAction::ToStart => self.time = 0.0,
            StudioAction::LookFrom(side) => camera.look_from(side),
            StudioAction::FrameView => {
                if let Some(bounds) = self.bounds() {
                    camera.frame(bounds);
                }
            }
            _ => return false,
        }
        true
    }

    /// Shows takes instead of the stage.
    pub fn show(&mut self, ui: &mut egui::Ui, bench: &mut Workbench, camera: &mut Orbit) {
        if self.playing {
            ui.ctx().request_repaint();
            self.time += bench.seconds * self.speed;
            if self.time > self.seconds() {
                self.time = 0.0;
            }
        }
        self.list(ui, bench);
        self.timeline(ui);
        egui::CentralPanel::no_frame().show(ui, |ui| {
            let answer = Viewport3::new("Takes view", camera).show(ui);
            let mut picture = ViewPicture { camera: *camera, ..ViewPicture::default() };
            picture.light = bench.project.light.clone();
            for (tint, shown) in self.shown.iter().enumerate() {
                shown.draw(self.time.min(shown.take.seconds()), tint, &mut picture);
            }
            picture.paint(ui, answer.rect);
            let painter = ui.painter_at(answer.rect);
            for shown in self.shown.iter().filter(|shown| !shown.take.tracks.is_empty()) {
                let models = shown.models(0, self.time.min(shown.take.seconds()));
                let top = models.iter().map(|joint| joint.translation);
                let Some(top) = top.max_by(|a, b| a.y.total_cmp(&b.y)) else { continue };
                if let Some(at) = camera.project(top + 0.32 * Vec3::Y, answer.rect) {
                    let color = Color32::from_gray(235);
                    sign(&painter, at, Align2::CENTER_BOTTOM, &name(&shown.path), color);
                }
            }
        });
    }

    /// What there is, how good it is, and what the verifier says.
    fn list(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) {
        egui::Panel::left("takes left").default_size(290.0).show(ui, |ui| {
            egui::ScrollArea::vertical().show(ui, |ui| {
                ui.add_space(4.0);
                let back = ui.button(RichText::new("Back to the stage").strong());
                if back.on_hover_text("Takes stay in the project").clicked() {
                    self.open = false;
                }
                ui.checkbox(&mut self.apart, "Side by side")
                    .on_hover_text("Each has a place of its own; otherwise all are in one");
                let mut gone = None;
                for shown in &self.shown {
                    ui.separator();
                    ui.horizontal_wrapped(|ui| {
                        ui.strong(name(&shown.path));
                        if ui.small_button(format!("Close {}", name(&shown.path))).clicked() {
                            gone = Some(shown.path.clone());
                        }
                    });
                    let head = &shown.take.head;
                    let text =
                        format!("{}, {:.1} s, seed {}", head.name, shown.take.seconds(), head.seed);
                    ui.label(RichText::new(text).weak().small());
                    numbers(ui, shown);
                    if let Some(moment) = findings(ui, &shown.verdict) {
                        (self.time, self.playing) = (moment, false);
                    }
                    command_line(ui, &format!("andante check {}", shown.path.display()));
                }
                if let Some(gone) = gone {
                    bench.project.takes.retain(|path| *path != gone);
                }
                for path in &self.failed {
                    ui.colored_label(BAD, format!("{} cannot be shown", name(path)));
                }
            });
        });
    }

    fn timeline(&mut self, ui: &mut egui::Ui) {
        egui::Panel::bottom("takes time").show(ui, |ui| {
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let name = if self.playing { "Pause" } else { "Play" };
                if ui.button(RichText::new(name).strong()).on_hover_text("Space").clicked() {
                    self.playing ^= true;
                }
                let label = ui.label("Speed");
                ui.add(slider(&mut self.speed, 0.1..=2.0, 2).suffix(" ×")).labelled_by(label.id);
                let text = format!("{:6.2} s of {:.2} s", self.time, self.seconds());
                ui.label(RichText::new(text).monospace());
            });
            let size = vec2(ui.available_width(), 14.0 * self.shown.len().max(1) as f32 + 6.0);
            let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
            response
                .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Timeline"));
            let all = self.seconds().max(0.1);
            if let Some(at) = response.interact_pointer_pos() {
                self.time = ((at.x - rect.left()) / rect.width() * all).clamp(0.0, all);
                self.playing = false;
            }
            let painter = ui.painter_at(rect);
            painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
            let x = |seconds: f32| rect.left() + rect.width() * seconds / all;
            for (row, shown) in self.shown.iter().enumerate() {
                let y = rect.top() + 3.0 + 14.0 * row as f32;
                for track in &shown.take.tracks {
                    let feet = track.character.rig.feet.iter().zip(&track.contacts.feet);
                    for (index, (foot, spans)) in feet.enumerate().take(2) {
                        for span in &spans.heel {
                            let top = y + 6.0 * index as f32;
                            let bar = egui::Rect::from_min_max(
                                pos2(x(span.start), top),
                                pos2(x(span.end), top + 5.0),
                            );
                            painter.rect_filled(bar, 1.0, side_color(foot.side));
                        }
                    }
                }
            }
            let now = x(self.time);
            painter.line_segment([pos2(now, rect.top()), pos2(now, rect.bottom())], (2.0, ACCENT));
            ui.add_space(4.0);
        });
    }
}

/// How good each track is.
fn numbers(ui: &mut egui::Ui, shown: &ShownTake) {
    for (track, metrics) in shown.take.tracks.iter().zip(&shown.metrics).take(6) {
        let reached = if metrics.reached { "arrived" } else { "did not arrive" };
        let text = format!(
            "{}: {reached}, {} steps, slide {:.1} mm, knee {:.0}°/s",
            track.name,
            metrics.footsteps,
            metrics.motion.foot_slide_mm_max,
            metrics.motion.knee_speed_dps_max
        );
        ui.label(RichText::new(text).small());
    }
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
