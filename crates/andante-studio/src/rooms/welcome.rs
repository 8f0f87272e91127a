//! The way in: examples that move when one looks at them, what was done before, and a place to drop a file.

use super::stage::StagePlayer;
use super::stage::dye;
use crate::bench::Workbench;
use crate::home::KeptProject;
use crate::job::{JobBoard, JobPulse, JobState, SideJob};
use crate::look::{ACCENT, BAD};
use crate::project::StudioProject;
use crate::room::StudioRoom;
use crate::view::{FlatFigure, FlatView};
use andante_skeleton::{Skeleton, Transform};
use andante_stage::{BuiltIn, FPS, Scene, SceneGround, built_in_scenes};
use andante_world::TriangleMesh;
use eframe::egui::{self, Align2, Color32, FontId, Rect, RichText, Sense, Shape, vec2};
use glam::{Vec3, vec3};
use std::path::PathBuf;

/// The answer given on the welcome page.
pub enum WelcomeAnswer {
    /// Work on this.
    Begin(Box<StudioProject>, StudioRoom),
    /// Open this.
    Open(PathBuf),
    /// Ask for a file.
    Ask,
}

/// The way in.
#[derive(Default)]
pub struct WelcomeRoom {
    cards: Vec<ExampleCard>,
    /// Seconds that examples have been seen.
    clock: f32,
    recent: Option<Vec<PathBuf>>,
    /// What was kept for a crash, the last one first.
    kept: Option<Vec<KeptProject>>,
}

/// An example with its picture.
struct ExampleCard {
    scene: &'static BuiltIn,
    about: String,
    people: usize,
    /// What is behind comes first.
    faces: Vec<([Vec3; 3], Color32)>,
    bounds: [Vec3; 2],
    /// Where each begins, and is sent.
    posts: Vec<(Vec3, Option<Vec3>)>,
    looked_at: bool,
    waking: Option<SideJob<Option<LivingExample>>>,
    living: Option<LivingExample>,
    /// Whether it cannot be played.
    dead: bool,
}

/// An example that was played beside the window, to be seen again and again.
struct LivingExample {
    skeletons: Vec<Skeleton>,
    /// Every joint of everybody, picture by picture.
    frames: Vec<Vec<Vec<Transform>>>,
    /// Where everybody goes, by the ground.
    ways: Vec<Vec<Vec3>>,
    /// Seconds from one picture to the next.
    pause: f32,
}

impl LivingExample {
    /// What plays an example, a little in each call.
    fn play(name: &'static str) -> impl FnMut(&JobPulse) -> Option<Option<Self>> + Send {
        let mut begun: Option<StagePlayer> = None;
        move |_| {
            let Some(player) = &mut begun else {
                let scene = Scene::built_in(name).ok();
                begun = scene.and_then(|scene| StagePlayer::load(scene, 1, Vec::new()).ok());
                return if begun.is_some() { None } else { Some(None) };
            };
            let last = 24 * FPS as usize;
            player.play_to((player.frames().len() + 20).min(last));
            let over = player.frames().len() > last || player.is_over();
            over.then(|| begun.take().map(|player| Self::of(&player)))
        }
    }

    fn of(player: &StagePlayer) -> Self {
        let actors = player.stage().actors().iter();
        let each = 4;
        let some = player.frames().iter().step_by(each);
        let frames: Vec<Vec<Vec<Transform>>> = some.map(|frame| frame.models.clone()).collect();
        let way = |who: usize| {
            let places = frames.iter().filter_map(|all| all.get(who)?.first());
            places.map(|root| root.translation).collect()
        };
        Self {
            ways: (0..player.stage().actors().len()).map(way).collect(),
            skeletons: actors.map(|actor| actor.character().skeleton.clone()).collect(),
            frames,
            pause: each as f32 / FPS,
        }
    }

    /// Draws a moment of it; after the last one comes the first.
    fn draw(&self, clock: f32, view: &FlatView, painter: &egui::Painter) {
        let number = (clock / self.pause) as usize % self.frames.len().max(1);
        let small = (0.055f32).max(1.1 / view.scale());
        for (who, way) in self.ways.iter().enumerate() {
            // What lies behind is brighter than what lies ahead.
            let line = |part: &[Vec3], strong: f32| {
                let points: Vec<egui::Pos2> = part.iter().map(|at| view.at(*at)).collect();
                painter.line(
                    points,
                    (1.6, dye(who).lerp_to_gamma(ACCENT, 0.6).gamma_multiply(strong)),
                );
            };
            let (behind, ahead) = way.split_at((number + 1).min(way.len()));
            line(ahead, 0.45);
            line(behind, 1.0);
        }
        let all = self.frames.get(number).into_iter().flatten();
        for (who, (models, skeleton)) in all.zip(&self.skeletons).enumerate() {
            FlatFigure::of_models(skeleton, models, small, dye(who)).draw(view, painter);
        }
    }
}

const CARD: egui::Vec2 = vec2(232.0, 172.0);

impl WelcomeRoom {
    /// Shows it; what was asked for.
    pub fn show(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) -> Option<WelcomeAnswer> {
        if self.cards.is_empty() {
            self.cards = built_in_scenes().iter().filter_map(ExampleCard::new).collect();
        }
        self.clock += bench.seconds;
        self.wake(ui.ctx());
        let mut answer = None;
        egui::CentralPanel::default().show(ui, |ui| {
            egui::ScrollArea::vertical().show(ui, |ui| {
                ui.add_space(14.0);
                ui.label(RichText::new("Give any character a way to move").size(26.0).strong());
                ui.label(
                    RichText::new("Choose an example, go on with a project, or drop a file anywhere onto this window.")
                        .weak()
                        .size(14.0),
                );
                ui.add_space(10.0);
                answer = self.before(ui, bench);
                ui.add_space(8.0);
                ui.heading("Examples");
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing = vec2(14.0, 14.0);
                    for card in &mut self.cards {
                        if card.show(ui, self.clock) {
                            let project = bench.project.in_scene(card.scene);
                            answer = Some(WelcomeAnswer::Begin(Box::new(project), StudioRoom::Stage));
                        }
                    }
                });
                ui.add_space(16.0);
                ui.weak("Space plays, F frames, 1 3 7 look from the sides, Ctrl-K lists every command.");
            });
        });
        answer
    }

    /// What was done before.
    fn before(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) -> Option<WelcomeAnswer> {
        let mut answer = None;
        let recent = self.recent.get_or_insert_with(|| bench.home.recent());
        let kept = self.kept.get_or_insert_with(|| different(bench.home.autosaved()));
        for error in kept.iter().filter_map(|kept| kept.as_ref().err()) {
            ui.colored_label(
                BAD,
                format!("What was kept cannot be read, and stays there: {error}"),
            );
        }
        ui.horizontal_wrapped(|ui| {
            for (index, (project, room)) in kept.iter().flatten().take(4).enumerate() {
                let name = match index {
                    0 => RichText::new(format!("Go on with {}", project.name)).strong(),
                    _ => RichText::new(format!("Earlier: {}", project.name)),
                };
                let button = egui::Button::new(name).min_size(vec2(0.0, 30.0));
                if ui.add(button).on_hover_text("What was worked on, as it was left").clicked() {
                    answer = Some(WelcomeAnswer::Begin(Box::new(project.clone()), *room));
                }
            }
            let mut begin = |name: &str, about: &str, what: WelcomeAnswer| {
                let button = egui::Button::new(RichText::new(name).strong());
                if ui.add(button.min_size(vec2(0.0, 30.0))).on_hover_text(about).clicked() {
                    answer = Some(what);
                }
            };
            let fresh = |room: StudioRoom| WelcomeAnswer::Begin(Box::default(), room);
            begin(
                "Bring your own character",
                "A file with a body or a motion (.glb, .bvh, .amc), a scene, or a project",
                WelcomeAnswer::Ask,
            );
            begin("Begin with a motion", "Clips to cut, pose and mix", fresh(StudioRoom::Motion));
            begin(
                "Begin with a creature",
                "A body, its vibrations, and a search for a gait",
                fresh(StudioRoom::Creature),
            );
            begin("Push somebody", "A body that keeps its balance", fresh(StudioRoom::Physics));
        });
        if !recent.is_empty() {
            ui.add_space(6.0);
            ui.heading("Recent projects");
            for path in recent.iter() {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                ui.horizontal(|ui| {
                    let link = ui.link(RichText::new(name).size(14.0));
                    if link.on_hover_text("Go on with this project").clicked() {
                        answer = Some(WelcomeAnswer::Open(path.clone()));
                    }
                    ui.label(RichText::new(path.display().to_string()).weak().small());
                });
            }
        }
        answer
    }

    /// Wakes one example after the other, first who is looked at. On a page, which has one thread, nobody else.
    fn wake(&mut self, context: &egui::Context) {
        for card in &mut self.cards {
            if let Some(job) = &mut card.waking {
                match job.poll() {
                    JobState::Running => {}
                    JobState::Stopped => card.waking = None,
                    JobState::Done(living) => {
                        (card.waking, card.dead) = (None, living.is_none());
                        card.living = living;
                    }
                }
            }
        }
        if self.cards.iter().any(|card| card.waking.is_some()) {
            return;
        }
        let asleep = |card: &&mut ExampleCard| card.living.is_none() && !card.dead;
        let mut sleepers: Vec<&mut ExampleCard> = self.cards.iter_mut().filter(asleep).collect();
        let looked_at = sleepers.iter().position(|card| card.looked_at);
        let next = looked_at.or((!cfg!(target_arch = "wasm32")).then_some(0));
        if let Some(card) = next.and_then(|next| sleepers.get_mut(next)) {
            let name = card.scene.name;
            let play = LivingExample::play(name);
            card.waking = Some(JobBoard::start_quietly(context, format!("waking {name}"), play));
        }
    }

    /// The rest while nobody looks: who is being woken sleeps on.
    pub fn rest(&mut self) {
        for card in &mut self.cards {
            card.waking = None;
        }
    }

    /// The number of pictures of an example that lives.
    pub fn pictures(&self, name: &str) -> Option<usize> {
        let card = self.cards.iter().find(|card| card.scene.name == name)?;
        card.living.as_ref().map(|living| living.frames.len())
    }

    /// Goes to a moment of every example; whether all of them live that can.
    pub fn is_ready_at(&mut self, seconds: f32) -> bool {
        self.clock = seconds;
        !self.cards.is_empty() && self.cards.iter().all(|card| card.living.is_some() || card.dead)
    }

    /// Looks again at the projects that are remembered.
    pub fn refresh(&mut self) {
        (self.recent, self.kept) = (None, None);
    }
}

impl ExampleCard {
    fn new(scene: &'static BuiltIn) -> Option<Self> {
        let read = Scene::built_in(scene.name).ok()?;
        let mut faces = Vec::new();
        let surface = SceneGround::new(&read.ground);
        let ground = surface.mesh(0.8).unwrap_or_default();
        shade(&ground, Color32::from_rgb(0xb9, 0xb1, 0x9c), &mut faces);
        let tops =
            ground.positions.iter().zip(&ground.normals).filter(|(_, normal)| normal.y > 0.3);
        let mut bounds = [Vec3::MAX, Vec3::MIN];
        for (at, _) in tops {
            bounds = [bounds[0].min(*at), bounds[1].max(*at)];
        }
        for thing in &read.obstacles {
            shade(&thing.mesh(), Color32::from_rgb(0x8d, 0x7d, 0x6a), &mut faces);
            bounds[1].y = bounds[1].y.max(thing.top().min(bounds[0].y + 4.0));
        }
        // Walls lead far down from the rims of platforms; of those only the top shows.
        let least = bounds[0].y - 0.5;
        for (corners, _) in &mut faces {
            for corner in corners {
                corner.y = corner.y.max(least);
            }
        }
        bounds[1].y += 0.5;
        let whole = Rect::from_min_size(egui::Pos2::ZERO, CARD);
        let view = seen_from(bounds, whole);
        let depth = |(corners, _): &([Vec3; 3], Color32)| {
            view.depth((corners[0] + corners[1] + corners[2]) / 3.0)
        };
        faces.sort_by(|a, b| depth(b).total_cmp(&depth(a)));
        let post =
            |place: glam::Vec2| vec3(place.x, surface.height_at(place).unwrap_or(0.0), place.y);
        let posts = read.characters.iter().map(|part| {
            let goal = Some(part.goal.place).filter(|goal| *goal != part.start.place);
            (post(part.start.place), goal.map(post))
        });
        let (posts, about) = (posts.collect(), read.about.clone());
        let people = read.characters.len();
        let (looked_at, dead) = (false, false);
        let (waking, living) = (None, None);
        Some(Self { scene, about, people, faces, bounds, posts, looked_at, waking, living, dead })
    }

    /// Shows it; whether it was chosen.
    fn show(&mut self, ui: &mut egui::Ui, clock: f32) -> bool {
        let (rect, response) = ui.allocate_exact_size(CARD, Sense::click());
        let name = self.scene.name;
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Example {name}"))
        });
        if !ui.is_rect_visible(rect) {
            return response.clicked();
        }
        self.looked_at = response.hovered();
        if let Some(living) = &self.living {
            ui.ctx().request_repaint_after_secs(living.pause);
        }
        let painter = ui.painter_at(rect);
        let visuals = ui.visuals();
        painter.rect_filled(rect, 10.0, visuals.faint_bg_color);
        let picture = Rect::from_min_max(rect.min + vec2(8.0, 8.0), rect.max - vec2(8.0, 44.0));
        self.picture(&painter, picture, clock);
        let line = rect.left_bottom() + vec2(12.0, -38.0);
        painter.text(
            line,
            Align2::LEFT_TOP,
            name,
            FontId::proportional(15.0),
            visuals.strong_text_color(),
        );
        let people = if self.people == 1 {
            "one character".into()
        } else {
            format!("{} characters", self.people)
        };
        painter.text(
            line + vec2(0.0, 18.0),
            Align2::LEFT_TOP,
            people,
            FontId::proportional(11.5),
            visuals.weak_text_color(),
        );
        let color =
            if self.looked_at { ACCENT } else { visuals.widgets.noninteractive.bg_stroke.color };
        painter.rect_stroke(rect, 10.0, (1.5, color), egui::StrokeKind::Inside);
        response.on_hover_text(&self.about).clicked()
    }

    fn picture(&self, painter: &egui::Painter, rect: Rect, clock: f32) {
        let view = seen_from(self.bounds, rect);
        let mut mesh = egui::Mesh::default();
        for (corners, color) in &self.faces {
            let base = mesh.vertices.len() as u32;
            for corner in corners {
                mesh.colored_vertex(view.at(*corner), *color);
            }
            mesh.add_triangle(base, base + 1, base + 2);
        }
        painter.add(Shape::mesh(mesh));
        match &self.living {
            Some(living) => living.draw(clock, &view, painter),
            None => {
                for (who, (at, goal)) in self.posts.iter().enumerate() {
                    let figure = FlatFigure {
                        rods: vec![(
                            [*at + 0.1 * Vec3::Y, *at + 1.5 * Vec3::Y],
                            (0.18f32).max(1.5 / view.scale()),
                            dye(who),
                        )],
                    };
                    figure.draw(&view, painter);
                    if let Some(goal) = goal {
                        painter.circle_filled(view.at(*goal), 3.0, ACCENT);
                    }
                }
            }
        }
    }
}

/// The view onto an example: from aside and above.
fn seen_from(bounds: [Vec3; 2], rect: Rect) -> FlatView {
    FlatView::of_box(bounds, 0.7, 0.62, rect)
}

/// What was kept, without what was kept again later.
fn different(kept: Vec<KeptProject>) -> Vec<KeptProject> {
    let mut different: Vec<KeptProject> = Vec::new();
    for one in kept {
        let again = |other: &KeptProject| match (other, &one) {
            (Ok((other, _)), Ok((own, _))) => other == own,
            _ => false,
        };
        if !different.iter().any(again) {
            different.push(one);
        }
    }
    different
}

/// Triangles with the light of a sun on them.
fn shade(mesh: &TriangleMesh, color: Color32, faces: &mut Vec<([Vec3; 3], Color32)>) {
    let sun = vec3(0.45, 1.0, 0.38).normalize();
    for triangle in &mesh.triangles {
        let corners = triangle.map(|corner| mesh.positions[corner as usize]);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Y);
        let light = 0.55 + 0.5 * normal.dot(sun).max(0.0);
        let [r, g, b, _] = color.to_array().map(|part| (f32::from(part) * light).min(255.0) as u8);
        faces.push((corners, Color32::from_rgb(r, g, b)));
    }
}
