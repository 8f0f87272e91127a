//! The stage: a world, who is in it, and time.

mod export;
mod frame;
mod gizmo;
mod outlook;
mod panels;
mod picking;
mod picture;
mod player;
mod pointing;

pub use frame::StageFrame;
pub use outlook::{PlannedWay, StageOutlook};
pub use player::{LiveEdit, StagePlayer, dye};

use crate::action::StudioAction;
use crate::bench::Workbench;
use crate::job::{JobState, SideJob};
use crate::look;
use crate::project::StudioProject;
use crate::room::StudioRoom;
use crate::scene_text::SceneText;
use crate::view::{Orbit, Viewport3};
use andante_stage::{FPS, Perception};
use eframe::egui::{self, Key};
use export::StageExport;
use gizmo::Gizmo;
use glam::{Vec2, Vec3, vec3};
use std::path::PathBuf;

/// What is chosen on the stage.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum StageChoice {
    /// Nothing.
    #[default]
    Nothing,
    /// A character, by its number.
    Character(usize),
    /// An obstacle, by its name.
    Obstacle(String),
}

/// What is drawn besides the world itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageOverlays {
    /// Where feet came down.
    pub footprints: bool,
    /// Feet that are down.
    pub contacts: bool,
    /// The way that bodies took.
    pub trails: bool,
    /// Where characters are sent.
    pub goals: bool,
    /// What the chosen character notices around it.
    pub sensors: bool,
    /// The way it has ahead, as it would be planned from here.
    pub plan: bool,
}

/// The text and seed that a stage was made from.
type StageSource = (String, Option<PathBuf>, u64);

/// The room of the stage.
pub struct StageRoom {
    player: Option<StagePlayer>,
    loading: Option<(StageSource, SideJob<Result<StagePlayer, String>>)>,
    loaded: Option<StageSource>,
    /// What is wrong with the scene, if anything is.
    pub error: Option<String>,
    /// From where it is seen.
    pub camera: Orbit,
    /// What is chosen.
    pub choice: StageChoice,
    /// What is drawn besides.
    pub overlays: StageOverlays,
    /// Whether the keys W, A, S and D lead the chosen character.
    pub steers: bool,
    steered: (f32, f32),
    sensed: Option<Perception>,
    drawn: picture::DrawnObstacles,
    /// What lies ahead of the chosen character.
    pub outlook: StageOutlook,
    gizmo: Option<Gizmo>,
    export: StageExport,
    /// Seconds until what is dragged is looked at again.
    patience: f32,
    /// Whether the camera has seen this world before.
    framed: Option<String>,
    /// A box that is being dragged from its button into the world.
    carried: bool,
    /// Whether time passes as soon as a scene is there.
    pub starts: bool,
}

impl Default for StageRoom {
    fn default() -> Self {
        Self {
            player: None,
            loading: None,
            loaded: None,
            error: None,
            camera: Orbit::default(),
            choice: StageChoice::Character(0),
            overlays: StageOverlays {
                footprints: true,
                contacts: true,
                trails: false,
                goals: true,
                sensors: false,
                plan: false,
            },
            steers: false,
            steered: (0.0, 0.0),
            sensed: None,
            drawn: picture::DrawnObstacles::default(),
            outlook: StageOutlook::default(),
            gizmo: None,
            export: StageExport::default(),
            patience: 0.0,
            framed: None,
            carried: false,
            starts: true,
        }
    }
}

impl StageRoom {
    /// What is played, once it is there.
    pub fn player(&self) -> Option<&StagePlayer> {
        self.player.as_ref()
    }

    /// The same, to be played on.
    pub fn player_mut(&mut self) -> Option<&mut StagePlayer> {
        self.player.as_mut()
    }

    /// Plays to a moment and stops there; whether it is there.
    pub fn is_ready_at(&mut self, seconds: f32) -> bool {
        let Some(player) = &mut self.player else { return self.error.is_some() };
        let target = (seconds * FPS) as usize;
        player.playing = false;
        player.play_to((player.frames().len() + 30).min(target));
        player.playhead = target.min(player.frames().len() - 1) as f32;
        player.frames().len() > target || player.is_over()
    }

    /// Whether a key is used for something else here.
    pub fn takes_key(&self, room: StudioRoom, key: Key) -> bool {
        room == StudioRoom::Stage && self.steers && matches!(key, Key::W | Key::A | Key::S | Key::D)
    }

    /// Looks whether the scene file is what is played, and whether work is done.
    fn follow_project(&mut self, context: &egui::Context, bench: &mut Workbench) {
        let project = &*bench.project;
        let source = (project.scene.clone(), project.scene_folder.clone(), project.seed);
        let pending = self.loading.as_ref().is_some_and(|(own, _)| *own == source);
        let dragging = context.input(|input| input.pointer.any_down());
        self.patience -= bench.seconds;
        if self.loaded.as_ref() != Some(&source) && !pending && !(dragging && self.patience > 0.0) {
            self.patience = 0.15;
            self.take_over(context, bench, source);
        }
        if let Some((source, job)) = &mut self.loading {
            let source = source.clone();
            match job.poll() {
                JobState::Running => {}
                JobState::Stopped => {
                    self.loading = None;
                    self.loaded = Some(source);
                }
                JobState::Done(done) => {
                    self.loading = None;
                    self.settle(done, source);
                }
            }
        }
    }

    /// Shows a stage that was loaded.
    fn settle(&mut self, done: Result<StagePlayer, String>, source: StageSource) {
        self.loaded = Some(source);
        match done {
            Err(error) => self.error = Some(error),
            Ok(mut player) => {
                let name = player.scene().name.clone();
                if let Some(old) = &self.player {
                    (player.speed, player.looping) = (old.speed, old.looping);
                    player.playing = old.playing;
                    if old.scene().name == name {
                        player.playhead = old.playhead.min((player.frames().len() - 1) as f32);
                    }
                }
                if self.framed.as_ref() != Some(&name) {
                    player.playing = self.starts;
                    self.choice = StageChoice::Character(0);
                    let few = player.stage().actors().len() < 4;
                    (self.camera.yaw, self.camera.pitch) = (0.75, 0.42);
                    self.player = Some(player);
                    self.frame_all();
                    self.camera.distance *= 0.7;
                    self.camera.follows = few;
                    if few && let Some([low, high]) = picture::chosen_bounds(self) {
                        self.camera.target = 0.5 * (low + high);
                        self.camera.distance = self.camera.distance.min(9.0);
                    }
                    self.framed = Some(name);
                } else {
                    self.player = Some(player);
                }
            }
        }
    }

    /// Takes over what the project says now: while it is played if it can be, or else anew.
    fn take_over(&mut self, context: &egui::Context, bench: &mut Workbench, source: StageSource) {
        let scene = match bench.project.read_scene() {
            Ok(scene) => scene,
            Err(error) => {
                self.error = Some(error.to_string());
                self.loaded = Some(source);
                return;
            }
        };
        self.error = None;
        let seed = source.2;
        let same_seed = self.loaded.as_ref().is_some_and(|(_, _, old)| *old == seed);
        if let Some(player) = self.player.as_mut().filter(|_| same_seed && self.loading.is_none())
            && player.sync(&scene)
        {
            self.loaded = Some(source);
            return;
        }
        // What is shown stays at its time.
        let same = self.player.as_ref().filter(|player| player.scene().name == scene.name);
        let until = same.map_or(0, StagePlayer::frame);
        let mut scene = Some(scene);
        let mut made: Option<StagePlayer> = None;
        let job = bench.jobs.start(context, "setting the stage", move |pulse| {
            if let Some(scene) = scene.take() {
                match StagePlayer::load(scene, seed) {
                    Ok(player) => made = Some(player),
                    Err(error) => return Some(Err(error)),
                }
            }
            let player = made.as_mut()?;
            let next = (player.frames().len() + 20).min(until);
            player.play_to(next);
            pulse.set_part(player.frames().len() as f32 / (until + 1) as f32);
            let done = player.frames().len() > until || player.is_over();
            if done { made.take().map(Ok) } else { None }
        });
        self.loading = Some((source, job));
    }

    /// Edits the scene file.
    fn edit_scene(bench: &mut Workbench, edit: impl FnOnce(&mut SceneText) -> Option<()>) -> bool {
        let mut text = match SceneText::new(&bench.project.scene) {
            Ok(text) => text,
            Err(error) => {
                bench.notices.failed(error);
                return false;
            }
        };
        if edit(&mut text).is_none() {
            bench.notices.failed("the scene file says this in a way that cannot be edited here");
            return false;
        }
        let edited = StudioProject { scene: text.finish(), ..bench.project.clone() };
        match edited.read_scene() {
            Ok(_) => {
                bench.project.scene = edited.scene;
                true
            }
            Err(error) => {
                bench.notices.failed(error.message);
                false
            }
        }
    }

    /// Sends the chosen character to a place.
    fn send(&mut self, bench: &mut Workbench, place: Vec2, run: bool) {
        let (Some(player), StageChoice::Character(who)) = (&mut self.player, &self.choice) else {
            return;
        };
        let Some(actor) = player.stage().actors().get(*who) else { return };
        let name = actor.name().to_owned();
        let seconds = player.seconds()[0];
        if Self::edit_scene(bench, |text| text.send(&name, run, place, seconds)) {
            player.playing = true;
        }
    }

    /// Puts a box into the world, on the ground below a point.
    fn add_box(&mut self, bench: &mut Workbench, at: Vec3) {
        let Some(player) = &self.player else { return };
        let taken = |name: &str| player.scene().obstacles.iter().any(|thing| thing.name == name);
        let name = (1..).map(|n| format!("box {n}")).find(|name| !taken(name)).unwrap_or_default();
        if Self::edit_scene(bench, |text| text.add_box(&name, at, vec3(0.8, 0.9, 0.8))) {
            self.choice = StageChoice::Obstacle(name);
        }
    }

    /// Lets somebody come on, ahead of whoever is chosen.
    fn add_character(&mut self, bench: &mut Workbench) {
        let Some(player) = &self.player else { return };
        let parts = &player.scene().characters;
        let taken = |name: &str| parts.iter().any(|part| part.name == name);
        let name =
            (1..).map(|n| format!("walker {n}")).find(|name| !taken(name)).unwrap_or_default();
        let (at, number) = (self.ahead(), parts.len());
        if Self::edit_scene(bench, |text| {
            text.add_character(&name, glam::vec2(at.x, at.z), "physical_when_touched")
        }) {
            self.choice = StageChoice::Character(number);
        }
    }

    /// A place two steps ahead of the chosen character, or in the middle of the view.
    fn ahead(&self) -> Vec3 {
        let Some(player) = &self.player else { return Vec3::ZERO };
        let from = match &self.choice {
            StageChoice::Character(who) => player.stage().actors().get(*who).map(|actor| {
                let models = &player.shown().models[*who];
                let hips = models[actor.character().rig.hips];
                hips.translation + (hips.rotation * (1.8 * Vec3::Z)).with_y(0.0)
            }),
            _ => None,
        };
        let at = from.unwrap_or(self.camera.target);
        picking::ground_below(player.stage(), at).unwrap_or(at)
    }

    /// Shows everything there is.
    fn frame_all(&mut self) {
        let Some(player) = &self.player else { return };
        let boxes = player.ground().iter().filter_map(|mesh| mesh.bounds());
        let all = boxes.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        if let Some([low, high]) = all {
            // Walls of platforms lead far down.
            self.camera.frame([low.with_y(low.y.max(high.y - 3.0)), high]);
        }
    }

    /// Does something.
    pub fn act(&mut self, _: &egui::Context, bench: &mut Workbench, action: StudioAction) {
        match action {
            StudioAction::LookFrom(side) => self.camera.look_from(side),
            StudioAction::FollowView => self.camera.follows ^= true,
            StudioAction::FrameView => match picture::chosen_bounds(self) {
                Some(bounds) => self.camera.frame(bounds),
                None => self.frame_all(),
            },
            StudioAction::AddBox => {
                let at = self.ahead();
                self.add_box(bench, at);
            }
            StudioAction::Grab | StudioAction::Rotate | StudioAction::Scale => {
                self.gizmo = Gizmo::begin(self, action);
            }
            StudioAction::Delete => {
                if let StageChoice::Obstacle(name) = self.choice.clone()
                    && Self::edit_scene(bench, |text| text.remove_obstacle(&name))
                {
                    self.choice = StageChoice::Nothing;
                }
            }
            StudioAction::Steer => self.steers ^= true,
            StudioAction::Export => self.export.open = true,
            _ => self.act_on_time(action),
        }
    }

    fn act_on_time(&mut self, action: StudioAction) {
        let Some(player) = &mut self.player else { return };
        match action {
            StudioAction::PlayOrPause => {
                let ended = player.frame() + 1 == player.frames().len() && player.is_over();
                if !player.playing && ended {
                    player.playhead = 0.0;
                }
                player.playing ^= true;
            }
            StudioAction::Step(by) => {
                player.playing = false;
                let target = (player.frame() as i64 + i64::from(by)).max(0) as usize;
                player.play_to(target);
                player.playhead = target.min(player.frames().len() - 1) as f32;
            }
            StudioAction::ToStart => player.playhead = 0.0,
            StudioAction::Loop => player.looping ^= true,
            _ => {}
        }
    }

    /// Leads the chosen character by the keys.
    fn steer(&mut self, context: &egui::Context) {
        let (Some(player), StageChoice::Character(who)) = (&mut self.player, &self.choice) else {
            return;
        };
        let wanted = context.input(|input| {
            let down = |key: Key| input.key_down(key);
            let fast = if input.modifiers.shift { 3.0 } else { 1.4 };
            let ahead = if down(Key::W) {
                fast
            } else if down(Key::S) {
                -0.6
            } else {
                0.0
            };
            let turn = f32::from(down(Key::A)) - f32::from(down(Key::D));
            (ahead, 1.6 * turn)
        });
        if self.steers && wanted != self.steered && !context.egui_wants_keyboard_input() {
            self.steered = wanted;
            player.edit(LiveEdit::Steer(*who, wanted.0, wanted.1));
            player.playing = true;
        }
    }

    /// Shows the room.
    pub fn show(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) {
        let context = ui.ctx().clone();
        self.follow_project(&context, bench);
        self.steer(&context);
        if let Some(player) = &mut self.player {
            player.advance(bench.seconds);
            if player.playing {
                context.request_repaint();
            }
            self.sensed = match self.choice {
                StageChoice::Character(who) if self.overlays.sensors => player.senses(who),
                _ => None,
            };
            if let Some(refused) = player.refused.take() {
                bench.notices.failed(refused);
            }
        }
        if let Some(player) = self.player.as_ref().filter(|_| self.overlays.plan) {
            let who = match self.choice {
                StageChoice::Character(who) => who,
                _ => 0,
            };
            self.outlook.follow(&context, bench, player, who);
        }
        self.export.follow(&context, bench, self.player.as_ref());
        panels::left(self, ui, bench);
        panels::right(self, ui, bench);
        panels::timeline(self, ui);
        egui::CentralPanel::no_frame().show(ui, |ui| {
            let over_thing = self.gizmo.is_some() || pointing::hovers(self, ui);
            let answer = Viewport3::new("Stage view", &mut self.camera).turns(!over_thing).show(ui);
            self.keep_up();
            pointing::point(self, bench, &answer);
            if self.player.is_some() {
                picture::of(self).paint(ui, answer.rect);
                picture::labels(self, ui, answer.rect);
            } else {
                ui.painter_at(answer.rect).rect_filled(
                    answer.rect,
                    0.0,
                    ui.visuals().extreme_bg_color,
                );
            }
            if let Some(error) = &self.error {
                let place = egui::Rect::from_min_size(
                    answer.rect.min + egui::vec2(16.0, 16.0),
                    egui::vec2((answer.rect.width() - 32.0).min(620.0), 200.0),
                );
                ui.scope_builder(egui::UiBuilder::new().max_rect(place), |ui| {
                    egui::Frame::popup(ui.style()).show(ui, |ui| {
                        ui.colored_label(look::BAD, "This scene cannot be played:");
                        ui.monospace(error);
                    });
                });
            }
        });
    }

    /// The camera stays with whom it follows.
    fn keep_up(&mut self) {
        if !self.camera.follows {
            return;
        }
        if let Some([low, high]) = picture::chosen_bounds(self) {
            let middle = 0.5 * (low + high);
            self.camera.target += 0.2 * (middle - self.camera.target);
        }
    }
}
