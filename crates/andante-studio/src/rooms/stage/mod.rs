//! The stage: a world, who is in it, and time.

mod commands;
mod deeds;
mod export;
mod frame;
mod gizmo;
mod natural;
mod outlook;
mod overlays;
mod panels;
mod picking;
mod picture;
mod player;
mod pointing;
mod reel;
mod things;

pub use export::ExportWish;
pub use frame::StageFrame;
pub use outlook::{PlannedWay, StageOutlook};
pub use player::{LiveEdit, OwnSkins, StagePlayer, dye};
pub use reel::{ShownTake, TakeReel};

use crate::bench::Workbench;
use crate::home::StudioHome;
use crate::job::{JobState, SideJob};
use crate::look;
use crate::room::StudioRoom;
use crate::scene_move::SceneThing;
use crate::scene_text::ReadScene;
use crate::view::{Orbit, Viewport3};
use andante_stage::{FPS, Perception, Scene};
use eframe::egui::{self, Key};
use export::StageExport;
use gizmo::Gizmo;
use natural::NaturalTrack;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The choice on the stage.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum StageChoice {
    /// Nothing.
    #[default]
    Nothing,
    /// A character, by its number.
    Character(usize),
    /// Something of the scene file that has a place.
    Thing(SceneThing),
}

/// The overlays that are drawn besides the world itself.
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
    /// Where there is room for its middle.
    pub navmesh: bool,
    /// Two trees that look for the way.
    pub trees: bool,
    /// Where ankles were, against where they would be planned.
    pub ankles: bool,
    /// Places that feet are held at or led to.
    pub targets: bool,
    /// How natural the motion is, along the timeline.
    pub bands: bool,
    /// Whether what hides the chosen character is left out.
    pub cut_away: bool,
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
    /// Whether a gamepad led last.
    padded: bool,
    sensed: Option<Perception>,
    drawn: picture::DrawnObstacles,
    /// The scene file, as far as it is shown.
    read: ReadScene,
    /// What lies ahead of the chosen character.
    pub outlook: StageOutlook,
    gizmo: Option<Gizmo>,
    /// What is held by a handle.
    handle: Option<Gizmo>,
    /// A command that is being written, and its number in the file.
    written: Option<(usize, String)>,
    /// How natural the chosen character's motion is.
    natural: NaturalTrack,
    /// Where there is room to walk.
    room_to_walk: overlays::WalkableRoom,
    /// What was played, as files, and what the verifier says about it.
    pub export: StageExport,
    /// Takes beside each other.
    pub reel: TakeReel,
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
                navmesh: false,
                trees: false,
                ankles: false,
                targets: false,
                bands: false,
                cut_away: true,
            },
            steers: false,
            steered: (0.0, 0.0),
            padded: false,
            sensed: None,
            drawn: picture::DrawnObstacles::default(),
            read: ReadScene::default(),
            outlook: StageOutlook::default(),
            gizmo: None,
            handle: None,
            written: None,
            natural: NaturalTrack::default(),
            room_to_walk: overlays::WalkableRoom::default(),
            export: StageExport::default(),
            reel: TakeReel::default(),
            patience: 0.0,
            framed: None,
            carried: false,
            starts: true,
        }
    }
}

impl StageRoom {
    /// The player, once it is there.
    pub fn player(&self) -> Option<&StagePlayer> {
        self.player.as_ref()
    }

    /// The same, to be played on.
    pub fn player_mut(&mut self) -> Option<&mut StagePlayer> {
        self.player.as_mut()
    }

    /// Obstacles that are left out because they hide who is chosen.
    pub fn hidden(&self) -> Vec<String> {
        let player = self.player.as_ref().filter(|_| self.overlays.cut_away);
        let who = self.who();
        player.map(|player| picking::hides(player, self.camera.eye(), who).0).unwrap_or_default()
    }

    /// The numbers of rims of the room to walk, and of branches of the two trees.
    pub fn walkable_lines(&self) -> Option<[usize; 2]> {
        let lines = self.room_to_walk.lines.as_ref()?.as_ref().ok()?;
        Some([lines.rims.len(), lines.branches.len()])
    }

    /// The naturalness of the chosen character's motion, frame by frame, as parts of what captured people do.
    pub fn natural_rows(&self) -> &[[f32; 4]] {
        &self.natural.rows
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

    /// True if a key is used for something else here.
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
        // What was said about another scene is not said about this one.
        self.export.verdict = None;
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
        let (skins, home) = (bench.project.skins.clone(), bench.home.clone());
        let mut scene = Some(scene);
        let mut made: Option<StagePlayer> = None;
        let job = bench.jobs.start(context, "setting the stage", move |pulse| {
            if let Some(scene) = scene.take() {
                let own = own_skins(&scene, &skins, &home);
                match StagePlayer::load(scene, seed, own) {
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

    /// Shows the room.
    pub fn show(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) {
        let context = ui.ctx().clone();
        self.reel.follow(&context, bench, &mut self.camera);
        if self.reel.open {
            self.reel.show(ui, bench, &mut self.camera);
            return;
        }
        self.follow_project(&context, bench);
        self.steer(&context, bench);
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
        let (who, shown) = (self.who(), self.overlays);
        let planned = shown.plan || shown.ankles || shown.targets;
        if let Some(player) = self.player.as_ref() {
            if planned {
                self.outlook.follow(&context, bench, player, who);
            }
            if shown.bands {
                self.natural.follow(player, who);
            }
            if shown.navmesh || shown.trees {
                self.room_to_walk.follow(&context, bench, player, who);
            }
        }
        self.export.follow(&context, bench, self.player.as_ref());
        panels::left(self, ui, bench);
        panels::right(self, ui, bench);
        panels::timeline(self, ui);
        egui::CentralPanel::no_frame().show(ui, |ui| {
            let over_thing = self.gizmo.is_some() || pointing::hovers(self, ui);
            let answer = Viewport3::new("Stage view", &mut self.camera).turns(!over_thing).show(ui);
            self.keep_up();
            if self.player.is_some() {
                let mut picture = picture::of(self);
                picture.light = bench.project.light.clone();
                picture.paint(ui, answer.rect);
                picture::labels(self, ui, answer.rect);
            } else {
                ui.painter_at(answer.rect).rect_filled(
                    answer.rect,
                    0.0,
                    ui.visuals().extreme_bg_color,
                );
            }
            if !gizmo::show(self, ui, bench, answer.rect) {
                pointing::point(self, bench, &answer);
            }
            outlook::grips(self, ui, bench, answer.rect);
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

    /// The chosen character, or the first.
    fn who(&self) -> usize {
        match self.choice {
            StageChoice::Character(who) => who,
            _ => 0,
        }
    }

    /// The camera stays with whom it follows.
    fn keep_up(&mut self) {
        // Who holds a thing wants it to stay where it is seen.
        if !self.camera.follows || !matches!(self.choice, StageChoice::Character(_)) {
            return;
        }
        if let Some([low, high]) = picture::chosen_bounds(self) {
            let middle = 0.5 * (low + high);
            self.camera.target += 0.2 * (middle - self.camera.target);
        }
    }
}

/// Who has a body of its own, in the file that its repertoire was made from.
fn own_skins(scene: &Scene, skins: &BTreeMap<String, PathBuf>, home: &StudioHome) -> OwnSkins {
    let own = |part: &andante_stage::CharacterSpec| {
        let name = part.repertoire.as_ref()?.file_name()?.to_str()?;
        crate::rooms::motion::skin_in(skins.get(name)?, home)
    };
    scene.characters.iter().map(own).collect()
}
