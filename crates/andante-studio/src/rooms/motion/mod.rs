//! Clips: played, measured, edited, mixed.

mod casting;
mod contacts;
mod desk;
mod mixer;
mod panels;
mod posture;
mod repairs;
mod retargeting;

pub use casting::skin_in;
pub use desk::{ClipDesk, ClipShelf, REST};
pub use repairs::OddMoment;
pub use retargeting::RetargetDesk;

use crate::action::StudioAction;
use crate::bench::Workbench;
use crate::job::{JobState, SideJob};
use crate::look::{ACCENT, BAD, DYES, LEFT, RIGHT};
use crate::motion_plan::{MotionEdit, MotionPlan, terrain_of};
use crate::view::{Orbit, SolidMesh, ViewMesh, ViewPicture, Viewport3, floor};
use andante_motion::analysis::MotionClass;
use andante_skeleton::{Side, Transform};
use andante_stage::SceneGround;
use eframe::egui;
use glam::{Vec3, vec3};
use mixer::GaitMixer;
use std::path::PathBuf;
use std::sync::Arc;

/// The graph of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointGraph {
    /// Metres above zero.
    Height,
    /// Degrees from rest.
    Angle,
    /// Metres a second.
    Speed,
}

/// The tab of an edit: what is done to a clip, part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MotionTab {
    /// Times, sides, terrain.
    #[default]
    Edits,
    /// Joints.
    Posture,
    /// Other bodies.
    Bodies,
    /// Files and the stage.
    Files,
    /// Gaits that are mixed.
    Gaits,
}

impl MotionTab {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Edits, Self::Posture, Self::Bodies, Self::Files, Self::Gaits];

    /// The purpose of the tab.
    pub fn about(self) -> &'static str {
        match self {
            Self::Edits => "Trim, cut, copy, mirror, loop, and terrain",
            Self::Posture => "Joints by sliders and handles, keys, layers, a clip from postures",
            Self::Bodies => "The motion on another body, and what joints are",
            Self::Files => "Write the motion",
            Self::Gaits => "Gaits mixed to any speed and turn",
        }
    }

    /// The name on the tab.
    pub fn name(self) -> &'static str {
        match self {
            Self::Edits => "Edits",
            Self::Posture => "Posture",
            Self::Bodies => "Bodies",
            Self::Files => "Files",
            Self::Gaits => "Gaits",
        }
    }
}

/// Clips that are being read.
type ShelfJob = SideJob<Result<ClipShelf, String>>;

/// The room of clips.
pub struct MotionRoom {
    shelf: Option<ClipShelf>,
    loading: Option<(Option<PathBuf>, ShelfJob)>,
    /// Whoever looks what kind of motion each clip is.
    looking: Option<SideJob<Vec<Option<MotionClass>>>>,
    desk: Option<ClipDesk>,
    /// What is wrong, if anything is.
    pub error: Option<String>,
    tried: Option<(MotionPlan, bool)>,
    /// A file that could not be read.
    missing: Option<PathBuf>,
    /// Seconds into the clip.
    pub time: f32,
    /// Whether time passes.
    pub playing: bool,
    /// The joint that is looked at.
    pub joint: usize,
    graph: JointGraph,
    /// From where it is seen.
    pub camera: Orbit,
    floor: SolidMesh,
    /// Terrain, and the edits it is for.
    terrain: Option<(Vec<MotionEdit>, SolidMesh)>,
    /// What the list of clips is asked for.
    filter: String,
    /// The kind of motion that the list is asked for.
    class: Option<MotionClass>,
    /// What is to be cut, in seconds.
    range: [f32; 2],
    /// What is done to it now.
    pub tab: MotionTab,
    /// Whether a joint is turned only around this moment.
    pub keyed: bool,
    /// Whether feet stay where they are when a handle is dragged.
    pub pinned: bool,
    /// When postures were taken, in seconds.
    taken: Vec<f32>,
    apart: f32,
    odd: Option<Vec<OddMoment>>,
    /// The motion on another body, or why it cannot be.
    retargeted: Option<Result<RetargetDesk, (MotionPlan, String)>>,
    retargeting: Option<retargeting::Retargeting>,
    target_file: String,
    /// The role whose joint is to be clicked.
    role: Option<String>,
    casting: casting::MotionCasting,
    mixer: GaitMixer,
    /// Whether gaits are mixed instead of a clip played.
    pub mixes: bool,
    clock: f32,
}

impl Default for MotionRoom {
    fn default() -> Self {
        Self {
            shelf: None,
            loading: None,
            looking: None,
            desk: None,
            error: None,
            tried: None,
            missing: None,
            time: 0.0,
            playing: true,
            joint: 0,
            graph: JointGraph::Height,
            camera: Orbit {
                target: vec3(0.0, 0.9, 0.0),
                yaw: 0.9,
                pitch: 0.2,
                distance: 4.6,
                follows: true,
            },
            floor: floor(20),
            terrain: None,
            filter: String::new(),
            class: None,
            range: [0.0, 1.0],
            tab: MotionTab::default(),
            keyed: false,
            pinned: true,
            taken: Vec::new(),
            apart: 0.5,
            odd: None,
            retargeted: None,
            retargeting: None,
            target_file: String::new(),
            role: None,
            casting: casting::MotionCasting::default(),
            mixer: GaitMixer::default(),
            mixes: false,
            clock: 0.0,
        }
    }
}

impl MotionRoom {
    /// The clip that is worked on.
    pub fn desk(&self) -> Option<&ClipDesk> {
        self.desk.as_ref()
    }

    /// The shelf from which clips are taken.
    pub fn shelf(&self) -> Option<&ClipShelf> {
        self.shelf.as_ref()
    }

    /// The mixer of gaits.
    pub fn mixer(&self) -> &GaitMixer {
        &self.mixer
    }

    /// Does something.
    pub fn act(&mut self, action: StudioAction) {
        match action {
            StudioAction::Step(by) => {
                let (frame, rate, last) = self.desk.as_ref().map_or((0, 30.0, 0.0), |desk| {
                    (desk.frame(self.time), desk.clip.fps(), desk.clip.duration())
                });
                self.playing = false;
                self.time = ((frame as f32 + by as f32) / rate).clamp(0.0, last);
            }
            StudioAction::ToStart => self.time = 0.0,
            _ => self.camera.act(action, &mut self.playing, 4.6),
        }
    }

    /// Everything moves from its beginning.
    pub fn begin_anew(&mut self) {
        (self.time, self.clock) = (0.0, 0.0);
    }

    fn follow_project(&mut self, context: &egui::Context, bench: &mut Workbench) {
        let file = bench.project.motion.file.clone();
        let here = self.shelf.as_ref().is_some_and(|shelf| shelf.file == file);
        let coming = self.loading.as_ref().is_some_and(|(own, _)| *own == file);
        if self.missing.is_some() && self.missing != file {
            (self.missing, self.error) = (None, None);
        }
        if !here && !coming && (file.is_none() || self.missing != file) {
            let (path, home) = (file.clone(), bench.home.clone());
            let mut make = ClipShelf::making();
            let job = bench.jobs.start(context, "reading motions", move |_| match &path {
                None => make().map(Ok),
                Some(path) => Some(ClipShelf::read(path, &home)),
            });
            self.loading = Some((file.clone(), job));
        }
        if let Some((_, job)) = &mut self.loading {
            match job.poll() {
                JobState::Running => {}
                JobState::Stopped => self.loading = None,
                JobState::Done(done) => {
                    self.loading = None;
                    match done {
                        Ok(shelf) => {
                            // Clips are there at once, and what they are is said when it is known.
                            let look = shelf.kinds();
                            let about = "looking at motions";
                            self.looking = Some(bench.jobs.start(context, about, look));
                            self.joint = shelf.rig.as_ref().map_or(0, |rig| rig.hips);
                            (self.shelf, self.class) = (Some(shelf), None);
                            self.tried = None;
                        }
                        // What was done to it is kept until it is there again.
                        Err(error) => {
                            self.missing = file.clone();
                            self.error = Some(error);
                        }
                    }
                }
            }
        }
        if let Some(job) = &mut self.looking {
            match job.poll() {
                JobState::Running => {}
                JobState::Stopped => self.looking = None,
                JobState::Done(classes) => {
                    self.looking = None;
                    if let Some(shelf) = &mut self.shelf {
                        shelf.classes = classes;
                    }
                }
            }
        }
        let Some(shelf) = &self.shelf else { return };
        let tried = Some((bench.project.motion.clone(), here));
        if tried != self.tried && shelf.file == bench.project.motion.file {
            match ClipDesk::new(shelf, &bench.project.motion) {
                Ok(desk) => {
                    let same =
                        self.desk.as_ref().is_some_and(|old| old.plan.clip == desk.plan.clip);
                    if !same {
                        self.range = [0.0, desk.clip.duration()];
                    }
                    self.time = self.time.min(desk.clip.duration());
                    (self.desk, self.odd) = (Some(desk), None);
                    self.error = None;
                }
                Err(error) => self.error = Some(error),
            }
            self.tried = tried;
        }
    }

    /// Shows the room.
    pub fn show(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) {
        let context = ui.ctx().clone();
        self.follow_project(&context, bench);
        self.clock += bench.seconds;
        if self.playing {
            context.request_repaint();
            let length = self.desk.as_ref().map_or(0.0, |desk| desk.clip.duration());
            self.time += bench.seconds;
            if self.time > length {
                self.time = if length > 0.0 { self.time % length } else { 0.0 };
            }
            if self.mixes {
                self.mixer.advance(bench.seconds, bench.project.motion.mix);
            }
        }
        panels::left(self, ui, bench);
        panels::right(self, ui, bench);
        retargeting::follow(self, &context, bench);
        casting::follow(self, bench);
        panels::timeline(self, ui, bench);
        if let Some(error) = &self.error {
            let error = error.clone();
            egui::Panel::top("motion error").show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    ui.colored_label(BAD, error);
                    let again = |ui: &mut egui::Ui| {
                        ui.button("Try again").on_hover_text("Read the file again").clicked()
                    };
                    if self.missing.is_some() && again(ui) {
                        self.missing = None;
                    }
                });
            });
        }
        egui::CentralPanel::no_frame().show(ui, |ui| self.view(ui, bench));
    }

    /// The motion on another body.
    pub fn retargeted(&self) -> Option<&RetargetDesk> {
        self.retargeted.as_ref()?.as_ref().ok()
    }

    /// The odd moments of the clip, once somebody has looked.
    pub fn odd(&self) -> &[OddMoment] {
        self.odd.as_deref().unwrap_or_default()
    }

    fn view(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) {
        let mut picture = ViewPicture::default();
        let mut middle = vec3(0.0, 0.9, 0.0);
        match (&self.shelf, &self.desk) {
            (_, _) if self.mixes => middle = self.mixer.draw(&mut picture).unwrap_or(middle),
            (Some(shelf), Some(desk)) => {
                let frame = desk.frame(self.time);
                let models = &desk.models[frame];
                if models.len() == shelf.skeleton.len() {
                    picture.bodies.add(&shelf.skin, models, DYES[0]);
                    let hips = shelf.rig.as_ref().map_or(0, |rig| rig.hips);
                    middle = models[hips].translation;
                    let at = models[self.joint.min(models.len() - 1)].translation;
                    picture.moving.add_ball(at, 0.035, ACCENT);
                    self.contacts(desk, frame, &mut picture.marks);
                }
                if let Some(Ok(other)) = &self.retargeted {
                    // Beside it, as seen from here.
                    let aside = 1.1 * self.camera.right();
                    let mut models = other.models[frame.min(other.models.len() - 1)].clone();
                    let own = models[0].translation.with_y(0.0) - middle.with_y(0.0);
                    models.iter_mut().for_each(|joint| joint.translation += aside - own);
                    picture.bodies.add(&other.skin, &models, DYES[1]);
                }
            }
            _ => {}
        }
        if self.camera.follows {
            self.camera.target = middle.with_y(0.5 * middle.y + 0.45);
        }
        let answer = Viewport3::new("Motion view", &mut self.camera).show(ui);
        picture.camera = self.camera;
        picture.ground = vec![self.ground()];
        picture.paint(ui, answer.rect);
        posture::handles(self, ui, bench, answer.rect);
        retargeting::joints(self, ui, &mut bench.project.motion, answer.rect);
    }

    /// The floor, or the terrain that the motion was put on.
    fn ground(&mut self) -> SolidMesh {
        let edits = self.desk.as_ref().map(|desk| desk.plan.edits.clone()).unwrap_or_default();
        let Some(terrain) = terrain_of(&edits).filter(|_| !self.mixes) else {
            return Arc::clone(&self.floor);
        };
        if let Some((own, mesh)) = &self.terrain
            && *own == edits
        {
            return Arc::clone(mesh);
        }
        let places =
            self.desk.iter().flat_map(|desk| &desk.models).map(|models| models[0].translation);
        let bounds = places.fold([Vec3::ZERO; 2], |[low, high], at| [low.min(at), high.max(at)]);
        let patch = andante_take::ground_around(bounds, 0.0, Some(&terrain));
        let triangles = SceneGround::new(&[patch]).mesh(0.2).unwrap_or_default();
        let mut mesh = ViewMesh::default();
        mesh.add_mesh(&triangles, &Transform::IDENTITY, egui::Color32::from_rgb(0xb4, 0xab, 0x94));
        let mesh = Arc::new(mesh);
        self.terrain = Some((edits, Arc::clone(&mesh)));
        mesh
    }

    /// Discs under feet that are down.
    fn contacts(&self, desk: &ClipDesk, frame: usize, mesh: &mut ViewMesh) {
        let (Some(contacts), Some(rig)) = (&desk.contacts, &desk.rig) else { return };
        for (foot, spans) in rig.feet.iter().zip(&contacts.feet) {
            let color = if foot.side == Side::Right { RIGHT } else { LEFT };
            for (point, spans) in [(foot.heel, &spans.heel), (foot.ball, &spans.toe)] {
                let now = desk.clip.frame_time(frame);
                if spans.iter().any(|span| (span.start..=span.end).contains(&now)) {
                    let at = point.position(&desk.models[frame]);
                    mesh.add_disc(at + 0.012 * Vec3::Y, Vec3::Y, 0.05, color);
                }
            }
        }
    }
}
