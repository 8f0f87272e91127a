//! The window: rooms, keys, undo, saving.

use crate::action::{ACTIONS, StudioAction};
use crate::bench::{Notices, Workbench};
use crate::gamepad::Gamepad;
use crate::history::UndoHistory;
use crate::home::StudioHome;
use crate::job::JobBoard;
use crate::look;
use crate::palette::CommandPalette;
use crate::paths::PathPrompt;
use crate::project::StudioProject;
use crate::room::StudioRoom;
use crate::rooms::creature::CreatureRoom;
use crate::rooms::motion::MotionRoom;
use crate::rooms::physics::PhysicsRoom;
use crate::rooms::stage::StageRoom;
use crate::rooms::welcome::{WelcomeAnswer, WelcomeRoom};
use crate::view;
use eframe::egui::{self, RichText, Theme};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The start of the studio: the file and the room to open.
#[derive(Clone, Debug, Default)]
pub struct StudioStart {
    /// What to open: a project, or any file that a room shows.
    pub file: Option<PathBuf>,
    /// Where to begin.
    pub room: Option<StudioRoom>,
    /// What is remembered.
    pub home: StudioHome,
    /// Light or dark, whatever the system says.
    pub theme: Option<Theme>,
}

/// The content of files by name, or why there is none.
pub type DroppedFiles = Arc<Mutex<Vec<(String, Result<Vec<u8>, String>)>>>;

/// The studio.
pub struct StudioApp {
    project: StudioProject,
    /// The project after the last edit that can be undone.
    committed: StudioProject,
    /// What was kept for a crash last.
    kept: StudioProject,
    history: UndoHistory<StudioProject>,
    /// What was saved there.
    saved: Option<StudioProject>,
    room: StudioRoom,
    jobs: JobBoard,
    notices: Notices,
    home: StudioHome,
    palette: CommandPalette,
    prompt: Option<PathPrompt>,
    /// Files that were dropped and read, where that takes its time.
    dropped: DroppedFiles,
    /// The way in.
    pub welcome: WelcomeRoom,
    /// The gamepad, if there is one.
    pub pad: Gamepad,
    /// Seconds that a frame lasts, whatever a clock says.
    pub fixed_step: Option<f32>,
    /// The stage.
    pub stage: StageRoom,
    /// Clips.
    pub motion: MotionRoom,
    /// Bodies and gaits.
    pub creature: CreatureRoom,
    /// Forces.
    pub physics: PhysicsRoom,
}

impl StudioApp {
    /// Begins.
    pub fn new(context: &egui::Context, start: StudioStart) -> Self {
        look::apply(context);
        if let Some(theme) = start.theme {
            context.set_theme(theme);
        }
        let project = StudioProject::default();
        let mut app = Self {
            committed: project.clone(),
            kept: project.clone(),
            project,
            history: UndoHistory::default(),
            saved: None,
            room: StudioRoom::Welcome,
            jobs: JobBoard::default(),
            notices: Notices::default(),
            home: start.home,
            palette: CommandPalette::default(),
            prompt: None,
            dropped: DroppedFiles::default(),
            welcome: WelcomeRoom::default(),
            pad: Gamepad::default(),
            fixed_step: None,
            stage: StageRoom::default(),
            motion: MotionRoom::default(),
            creature: CreatureRoom::default(),
            physics: PhysicsRoom::default(),
        };
        app.pad.find(context);
        if let Some(file) = start.file {
            app.open(&file);
            // It is what one begins with, not an edit.
            (app.committed, app.kept) = (app.project.clone(), app.project.clone());
            app.history = UndoHistory::default();
        }
        if let Some(room) = start.room {
            app.room = room;
        }
        app
    }

    /// The project that is worked on.
    pub fn project(&self) -> &StudioProject {
        &self.project
    }

    /// The open room.
    pub fn room(&self) -> StudioRoom {
        self.room
    }

    /// Edits that can be undone and done again.
    pub fn edits(&self) -> [usize; 2] {
        self.history.lengths()
    }

    /// The latest notices.
    pub fn notices(&self) -> &Notices {
        &self.notices
    }

    /// True if there is nothing going on beside the window.
    pub fn is_calm(&self) -> bool {
        self.jobs.running().is_empty()
    }

    /// True if the open room has everything that belongs in it.
    pub fn is_shown(&self) -> bool {
        match self.room {
            StudioRoom::Welcome => true,
            StudioRoom::Stage => self.stage.player().is_some() || self.stage.error.is_some(),
            StudioRoom::Motion => self.motion.desk().is_some() || self.motion.error.is_some(),
            StudioRoom::Creature => self.creature.desk().is_some() || self.creature.error.is_some(),
            StudioRoom::Physics => self.physics.world().is_some(),
        }
    }

    /// True if what is shown is there, and a stage was played for so many seconds or to its end.
    pub fn is_ready_at(&mut self, seconds: f32) -> bool {
        match self.room {
            StudioRoom::Welcome => self.welcome.is_ready_at(seconds),
            StudioRoom::Stage => self.stage.is_ready_at(seconds),
            _ => true,
        }
    }

    /// Everything that moves by itself begins anew, and what was told is forgotten.
    pub fn begin_anew(&mut self) {
        self.notices = Notices::default();
        self.motion.begin_anew();
        self.creature.begin_anew();
        self.physics = PhysicsRoom::default();
    }

    /// Puts a project in the place of the one that is worked on; what that was can be undone.
    pub(crate) fn replace(&mut self, project: StudioProject, room: StudioRoom) {
        self.commit();
        self.saved = project.folder.is_some().then(|| project.clone());
        self.project = project;
        self.room = room;
    }

    /// Opens a project, or any file that a room shows.
    pub fn open(&mut self, path: &Path) {
        match crate::opening::open(path, &self.project) {
            Ok(opened) => {
                if let Some(folder) = &opened.project.folder
                    && let Err(error) = self.home.remember(folder)
                {
                    self.notices.failed(error);
                }
                self.notices.done(format!("Opened {}", path.display()));
                self.replace(opened.project, opened.room);
            }
            Err(error) => self.notices.failed(error),
        }
    }

    /// Takes over the text of a file that was dropped.
    pub fn open_bytes(&mut self, name: &str, bytes: &[u8]) {
        match crate::opening::open_bytes(name, bytes, &self.project, &self.home) {
            Ok(opened) => {
                self.notices.done(format!("Opened {name}"));
                self.replace(opened.project, opened.room);
            }
            Err(error) => self.notices.failed(error),
        }
    }

    fn save(&mut self, folder: &Path) {
        #[cfg(not(target_arch = "wasm32"))]
        let written = crate::home::save_project(folder, &mut self.project, self.room);
        #[cfg(target_arch = "wasm32")]
        let files = self.project.to_files(self.room).map_err(|error| error.to_string());
        #[cfg(target_arch = "wasm32")]
        let written = files.and_then(|files| crate::page::download(folder, &files));
        match written.and_then(|()| self.home.remember(folder)) {
            Ok(()) => {
                self.notices.done(format!("Saved to {}", folder.display()));
                self.project.folder = Some(folder.to_path_buf());
                self.saved = Some(self.project.clone());
            }
            Err(error) => self.notices.failed(error),
        }
    }

    /// Does something.
    pub fn act(&mut self, context: &egui::Context, action: StudioAction) {
        match action {
            StudioAction::Enter(room) => {
                self.room = room;
                self.welcome.refresh();
            }
            StudioAction::NewProject => {
                self.replace(StudioProject::default(), StudioRoom::Stage);
            }
            #[cfg(not(target_arch = "wasm32"))]
            StudioAction::Open => self.prompt = Some(PathPrompt::open()),
            #[cfg(target_arch = "wasm32")]
            StudioAction::Open => {
                if let Err(error) = crate::page::choose(context, Arc::clone(&self.dropped)) {
                    self.notices.failed(format!("the browser cannot be asked: {error:?}"));
                }
            }
            StudioAction::Save => match self.project.folder.clone() {
                Some(folder) => self.save(&folder),
                None => self.prompt = Some(PathPrompt::save(&self.project.name)),
            },
            StudioAction::SaveAs => self.prompt = Some(PathPrompt::save(&self.project.name)),
            StudioAction::Undo => {
                self.commit();
                if self.history.undo(&mut self.project) {
                    self.committed = self.project.clone();
                }
            }
            StudioAction::Redo => {
                if self.history.redo(&mut self.project) {
                    self.committed = self.project.clone();
                }
            }
            StudioAction::Palette => self.palette.open(),
            StudioAction::SwitchLight => {
                let dark = context.theme() == Theme::Dark;
                context.set_theme(if dark { Theme::Light } else { Theme::Dark });
            }
            _ => {
                let mut next_room = None;
                let mut bench = Workbench {
                    project: &mut self.project,
                    jobs: &mut self.jobs,
                    notices: &mut self.notices,
                    home: &self.home,
                    next_room: &mut next_room,
                    seconds: 0.0,
                    pad: self.pad.sticks(),
                };
                match self.room {
                    StudioRoom::Welcome => {}
                    StudioRoom::Stage => self.stage.act(context, &mut bench, action),
                    StudioRoom::Motion => self.motion.act(action),
                    StudioRoom::Creature => {
                        self.creature.camera.act(action, &mut self.creature.playing, 5.2);
                    }
                    StudioRoom::Physics => {
                        self.physics.camera.act(action, &mut self.physics.playing, 4.0);
                    }
                }
            }
        }
    }

    /// Makes what was changed since an edit that can be undone.
    fn commit(&mut self) {
        if self.project != self.committed {
            let before = std::mem::replace(&mut self.committed, self.project.clone());
            self.history.edited(before);
        }
    }

    /// Keeps what would be lost in a crash.
    fn keep(&mut self) {
        if self.project != self.kept {
            // What the scene names stays where it is.
            let scene_folder = self.project.scene_folder.clone();
            let scene_folder = scene_folder.or_else(|| self.project.folder.clone());
            let kept = StudioProject { scene_folder, ..self.project.clone() };
            let kept = kept.to_files(self.room).map_err(|error| error.to_string());
            if let Err(error) = kept.and_then(|files| self.home.autosave(&files)) {
                self.notices.failed(format!("not kept for a crash: {error}"));
            }
            self.kept = self.project.clone();
        }
    }

    fn keys(&mut self, context: &egui::Context) {
        let typing =
            context.egui_wants_keyboard_input() || self.palette.is_open() || self.prompt.is_some();
        for entry in ACTIONS {
            let Some(shortcut) = entry.shortcut else { continue };
            let plain = shortcut.modifiers.is_none();
            let here = entry.room.is_none_or(|room| room == self.room);
            if !here
                || (plain && typing)
                || (plain && self.stage.takes_key(self.room, shortcut.logical_key))
            {
                continue;
            }
            if context.input_mut(|input| input.consume_shortcut(&shortcut)) {
                self.act(context, entry.action);
            }
        }
    }

    fn top_bar(&mut self, ui: &mut egui::Ui) {
        let mut action = None;
        egui::Panel::top("bar").show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new("Andante").strong().size(17.0).color(look::ACCENT));
                ui.separator();
                for room in StudioRoom::ALL {
                    let tab = ui
                        .selectable_label(self.room == room, RichText::new(room.name()).size(15.0));
                    if tab.on_hover_text(room.about()).clicked() {
                        action = Some(StudioAction::Enter(room));
                    }
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let mut button =
                        |ui: &mut egui::Ui, enabled: bool, name: &str, what: StudioAction| {
                            let entry = ACTIONS.iter().find(|entry| entry.action == what);
                            let keys = entry.and_then(|entry| entry.shortcut);
                            let keys = keys.map(|keys| ui.ctx().format_shortcut(&keys));
                            let about = entry.map_or("", |entry| entry.name);
                            let keys = format!("{about} {}", keys.unwrap_or_default());
                            if ui
                                .add_enabled(enabled, egui::Button::new(name))
                                .on_hover_text(keys)
                                .clicked()
                            {
                                action = Some(what);
                            }
                        };
                    let [past, future] = self.history.lengths();
                    button(ui, true, "Commands", StudioAction::Palette);
                    let other = if ui.visuals().dark_mode { "Light" } else { "Dark" };
                    button(ui, true, other, StudioAction::SwitchLight);
                    button(ui, future > 0, "Redo", StudioAction::Redo);
                    button(
                        ui,
                        past > 0 || self.project != self.committed,
                        "Undo",
                        StudioAction::Undo,
                    );
                    button(ui, true, "Save", StudioAction::Save);
                    button(ui, true, "Open", StudioAction::Open);
                    let unsaved = self.saved.as_ref() != Some(&self.project);
                    let mark = if unsaved { " •" } else { "" };
                    ui.label(RichText::new(format!("{}{mark}", self.project.name)).weak());
                });
            });
        });
        if let Some(action) = action {
            self.act(&ui.ctx().clone(), action);
        }
    }

    /// What goes on and what was told, above the view: whatever comes and goes there moves nothing else.
    fn status(&mut self, context: &egui::Context) {
        let (running, notices) = (self.jobs.running(), self.notices.all().to_vec());
        if running.is_empty() && notices.is_empty() {
            return;
        }
        let area = egui::Area::new(egui::Id::unique("status"))
            .anchor(egui::Align2::RIGHT_TOP, egui::vec2(-300.0, 96.0))
            .order(egui::Order::Foreground);
        area.show(context, |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(420.0);
                for pulse in &running {
                    ui.horizontal(|ui| {
                        let part = pulse.part();
                        match part < 0.0 {
                            true => drop(ui.spinner()),
                            false => drop(ui.add(egui::ProgressBar::new(part).desired_width(90.0))),
                        }
                        ui.label(pulse.title());
                        ui.label(RichText::new(pulse.note()).weak());
                        let cancel = ui.small_button(format!("Cancel {}", pulse.title()));
                        if cancel.on_hover_text("Stops this, and keeps what is there").clicked() {
                            pulse.cancel();
                        }
                    });
                }
                for (index, notice) in notices.iter().enumerate() {
                    ui.horizontal_wrapped(|ui| {
                        let color = if notice.bad { look::BAD } else { look::GOOD };
                        if ui.small_button("Close").on_hover_text("Close this message").clicked() {
                            let last = self.notices.all().len().saturating_sub(1);
                            self.notices.close(index.min(last));
                        }
                        ui.colored_label(color, &notice.text);
                    });
                }
            });
        });
    }

    fn dialogs(&mut self, context: &egui::Context) {
        if let Some(action) = self.palette.show(context, self.room, &self.project) {
            self.act(context, action);
        }
        if let Some(prompt) = &mut self.prompt {
            match prompt.show(context) {
                None => {}
                Some(None) => self.prompt = None,
                Some(Some(path)) => {
                    let saves = prompt.saves();
                    self.prompt = None;
                    if saves { self.save(&path) } else { self.open(&path) }
                }
            }
        }
        let dropped = context.input(|input| input.raw.dropped_files.clone());
        for file in dropped {
            #[cfg(not(target_arch = "wasm32"))]
            self.open(file.path());
            #[cfg(target_arch = "wasm32")]
            crate::page::read_dropped(context, file, Arc::clone(&self.dropped));
        }
        let read: Vec<_> =
            self.dropped.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect();
        for (name, bytes) in read {
            match bytes {
                Ok(bytes) => self.open_bytes(&name, &bytes),
                Err(error) => self.notices.failed(format!("{name}: {error}")),
            }
        }
    }

    /// Shows everything, and does what is asked.
    pub fn show(&mut self, ui: &mut egui::Ui) {
        let context = ui.ctx().clone();
        let seconds = self.fixed_step.unwrap_or(context.input(|input| input.stable_dt)).min(0.25);
        self.notices.pass(seconds);
        if !self.notices.all().is_empty() {
            context.request_repaint_after_secs(0.5);
        }
        self.pad.look();
        self.keys(&context);
        self.top_bar(ui);
        let mut next_room = None;
        let mut bench = Workbench {
            project: &mut self.project,
            jobs: &mut self.jobs,
            notices: &mut self.notices,
            home: &self.home,
            next_room: &mut next_room,
            seconds,
            pad: self.pad.sticks(),
        };
        let mut answer = None;
        let room = self.room;
        // Whatever else is shown above and below, things in a room stay the same for the mouse.
        let place = egui::UiBuilder::new().scope_id(egui::Id::unique(room.name()));
        ui.scope_builder(place, |ui| match room {
            StudioRoom::Welcome => answer = self.welcome.show(ui, &mut bench),
            StudioRoom::Stage => self.stage.show(ui, &mut bench),
            StudioRoom::Motion => self.motion.show(ui, &mut bench),
            StudioRoom::Creature => self.creature.show(ui, &mut bench),
            StudioRoom::Physics => self.physics.show(ui, &mut bench),
        });
        if let Some(room) = next_room {
            self.room = room;
        }
        if self.room != StudioRoom::Welcome {
            self.welcome.rest();
        }
        match answer {
            Some(WelcomeAnswer::Begin(project, room)) => self.replace(*project, room),
            Some(WelcomeAnswer::Open(path)) => self.open(&path),
            Some(WelcomeAnswer::Ask) => self.act(&context, StudioAction::Open),
            None => {}
        }
        self.status(&context);
        self.dialogs(&context);
        #[cfg(target_arch = "wasm32")]
        if self.room != room {
            crate::page::name_room(self.room);
        }
        // What is dragged is one edit, and what is typed is one.
        let busy =
            context.input(|input| input.pointer.any_down()) || context.egui_wants_keyboard_input();
        if !busy {
            self.commit();
        }
        if !context.input(|input| input.pointer.any_down()) {
            self.keep();
        }
    }
}

impl eframe::App for StudioApp {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.show(ui);
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        view::forget_gl();
    }
}
