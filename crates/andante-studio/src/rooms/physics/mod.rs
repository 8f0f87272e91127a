//! A body that is pushed, pulled and hit, and keeps its balance if it can.

mod envelope;
mod following;
mod panels;
mod world;

pub use envelope::PushEnvelope;
pub use following::{ClipFollowing, ClipToFollow};
pub use world::{BalanceSample, GroundTrouble, PushWorld};

use crate::bench::Workbench;
use crate::job::{JobState, SideJob};
use crate::look::{ACCENT, BAD, DYES, GOOD, LEFT, sign};
use crate::view::{Orbit, SolidMesh, ViewPicture, Viewport3, ViewportAnswer, floor};
use andante_body::PropForm;
use eframe::egui::{self, Align2, Color32, PointerButton};
use glam::{Quat, Vec2, Vec3, vec2, vec3};
use std::sync::Arc;

/// The tool that dragging from the body uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushTool {
    /// An arrow: a shove when it is let go.
    Push,
    /// A spring to the cursor.
    Pull,
}

/// The room of forces.
pub struct PhysicsRoom {
    world: Option<PushWorld>,
    of: Option<String>,
    /// Why nobody stands here, if so.
    pub error: Option<String>,
    /// From where it is seen.
    pub camera: Orbit,
    /// Whether time passes.
    pub playing: bool,
    /// How fast.
    pub speed: f32,
    /// What dragging does.
    pub tool: PushTool,
    /// What is done to the ground, and by an invisible hand.
    pub trouble: GroundTrouble,
    /// An arrow that is being drawn on the ground, from the body.
    arrow: Option<[Vec3; 2]>,
    /// kg of a cube.
    pub mass: f64,
    /// The strongest pushes that are withstood, by direction.
    pub envelope: PushEnvelope,
    /// The segment whose strength is shown.
    pub segment: usize,
    /// A clip that is to be followed, again and again.
    clip: Option<Arc<ClipToFollow>>,
    /// The same while it is being made.
    fitting: Option<SideJob<Result<ClipToFollow, String>>>,
    floor: SolidMesh,
    /// The floor as it leans, and how.
    leaning: Option<(Vec3, SolidMesh)>,
}

impl Default for PhysicsRoom {
    fn default() -> Self {
        Self {
            world: None,
            of: None,
            error: None,
            camera: Orbit {
                target: vec3(0.0, 0.9, 0.0),
                yaw: 0.8,
                pitch: 0.25,
                distance: 4.0,
                follows: true,
            },
            playing: true,
            speed: 1.0,
            tool: PushTool::Push,
            trouble: GroundTrouble::default(),
            arrow: None,
            mass: 4.0,
            envelope: PushEnvelope::default(),
            segment: 0,
            clip: None,
            fitting: None,
            floor: floor(20),
            leaning: None,
        }
    }
}

/// N·s for every metre of an arrow.
const STRENGTH: f32 = 40.0;

impl PhysicsRoom {
    /// The world of the pushed body.
    pub fn world(&self) -> Option<&PushWorld> {
        self.world.as_ref()
    }

    /// Puts somebody down: the creature of the project if it can stand so, or else a human.
    fn put_down(&mut self, bench: &Workbench) {
        let own = andante_body::read_body(&bench.project.body).map_err(|error| error.to_string());
        let made = own.and_then(|body| PushWorld::new(&body));
        self.error = made
            .as_ref()
            .err()
            .map(|error| format!("the creature cannot stand by itself ({error}); a human does"));
        let human =
            || andante_body::creature("humanoid").ok().and_then(|body| PushWorld::new(&body).ok());
        self.world = made.ok().or_else(human);
        let trouble = self.trouble;
        if let Some(world) = &mut self.world {
            world.trouble = trouble;
        }
        self.of = Some(bench.project.body.clone());
        self.envelope.forget();
        (self.arrow, self.clip) = (None, None);
    }

    /// Begins to make a body for the clip that is worked on among the motions.
    fn fit(&mut self, context: &egui::Context, bench: &mut Workbench) {
        let (plan, home) = (bench.project.motion.clone(), bench.home.clone());
        let job = bench.jobs.start(context, "fitting a body to the clip", move |_| {
            Some(ClipToFollow::new(&plan, &home))
        });
        self.fitting = Some(job);
    }

    /// Somebody who follows the clip, from its beginning.
    fn begin_to_follow(&mut self) {
        let Some(clip) = &self.clip else { return };
        match PushWorld::follow(Arc::clone(clip), self.trouble.assist) {
            Ok(world) => (self.world, self.error) = (Some(world), None),
            Err(error) => self.error = Some(error),
        }
        self.arrow = None;
    }

    /// Looks whether there is a clip to follow, and begins it anew at its end.
    fn follow_clip(&mut self) {
        match self.fitting.as_mut().map(SideJob::poll) {
            None | Some(JobState::Running) => {}
            Some(JobState::Stopped) => self.fitting = None,
            Some(JobState::Done(Ok(clip))) => {
                self.fitting = None;
                self.clip = Some(Arc::new(clip));
                // Nobody balances a walk by itself at once: an invisible hand helps until it is told not to.
                self.trouble.assist = 1.0;
                self.begin_to_follow();
            }
            Some(JobState::Done(Err(error))) => {
                self.fitting = None;
                self.error = Some(error);
            }
        }
        let following = self.world.as_ref().and_then(PushWorld::following);
        if following.is_some_and(|following| following.over) {
            self.begin_to_follow();
        }
    }

    /// Shows the room.
    pub fn show(&mut self, ui: &mut egui::Ui, bench: &mut Workbench) {
        if self.of.as_ref() != Some(&bench.project.body) {
            self.put_down(bench);
        }
        if self.playing {
            ui.ctx().request_repaint();
            if let Some(world) = &mut self.world {
                world.trouble = self.trouble;
                world.advance(bench.seconds * self.speed);
            }
        }
        self.envelope.follow();
        self.follow_clip();
        panels::left(self, ui, bench);
        panels::curves(self, ui);
        egui::CentralPanel::no_frame().show(ui, |ui| {
            let busy = self.arrow.is_some() || self.touches(ui);
            if self.camera.follows
                && let Some(world) = &self.world
            {
                let chest = world.chest();
                let wanted = chest.with_y(0.9);
                self.camera.target += 0.1 * (wanted - self.camera.target);
            }
            let answer = Viewport3::new("Physics view", &mut self.camera).turns(!busy).show(ui);
            self.point(&answer);
            self.picture().paint(ui, answer.rect);
            self.labels(ui, answer.rect);
        });
    }

    /// Whether the mouse is on the body, or was when its button was pressed.
    fn touches(&self, ui: &egui::Ui) -> bool {
        let Some(world) = &self.world else { return false };
        let rect = ui.available_rect_before_wrap();
        let at = ui.input(|input| input.pointer.press_origin().or(input.pointer.hover_pos()));
        at.filter(|at| rect.contains(*at)).is_some_and(|at| {
            let (eye, way) = (self.camera.eye(), self.camera.ray(at, rect));
            world.models().iter().any(|joint| {
                let from = joint.translation - eye;
                (from - from.dot(way) * way).length() < 0.2
            })
        })
    }

    /// Arrows and pulls.
    fn point(&mut self, answer: &ViewportAnswer) {
        let response = &answer.response;
        let Some(world) = &mut self.world else { return };
        let Some((_, way)) = answer.pointer else { return };
        let eye = self.camera.eye();
        let chest = world.chest();
        // In the level of the chest, or for a pull in the plane that faces the camera.
        let level = (way.y.abs() > 1e-3).then(|| eye + (chest.y - eye.y) / way.y * way);
        let level = level.filter(|at| (*at - eye).dot(way) > 0.0 && at.distance(chest) < 6.0);
        let origin = response.ctx.input(|input| input.pointer.press_origin());
        let began = response.drag_started_by(PointerButton::Primary)
            && origin.is_some_and(|at| {
                let way = self.camera.ray(at, answer.rect);
                world.models().iter().any(|joint| {
                    let from = joint.translation - eye;
                    (from - from.dot(way) * way).length() < 0.2
                })
            });
        if began {
            self.arrow = Some([chest, chest]);
        }
        let Some(arrow) = &mut self.arrow else { return };
        if let Some(level) = level {
            *arrow = [chest, level];
        }
        let [from, to] = *arrow;
        if self.tool == PushTool::Pull {
            world.pull = Some((to, 400.0));
        }
        if response.drag_stopped() || !response.dragged() && !began {
            if self.tool == PushTool::Push {
                world.push(STRENGTH * vec2(to.x - from.x, to.z - from.z));
            }
            world.pull = None;
            self.arrow = None;
        }
    }

    /// Throws a cube at the chest, or lets it drop on it.
    fn throw(&mut self, drop: bool) -> Result<(), String> {
        let Some(world) = &mut self.world else { return Ok(()) };
        let form = PropForm::Cube { side: 0.3 };
        let chest = world.chest();
        if drop {
            return world.throw(form, self.mass, chest + vec3(0.25, 1.4, 0.1), Vec3::ZERO);
        }
        let way = (chest - self.camera.eye()).with_y(0.0).normalize_or(Vec3::Z);
        let from = chest - 2.5 * way + 0.4 * Vec3::Y;
        world.throw(form, self.mass, from, 7.0 * way + 0.9 * Vec3::Y)
    }

    fn picture(&mut self) -> ViewPicture {
        let mut picture = ViewPicture { camera: self.camera, ..ViewPicture::default() };
        let normal = self.world.as_ref().map_or(Vec3::Y, PushWorld::ground_normal);
        let kept = self.leaning.as_ref().filter(|(own, _)| *own == normal);
        let floor = match kept {
            Some((_, mesh)) => Arc::clone(mesh),
            None if normal == Vec3::Y => Arc::clone(&self.floor),
            None => Arc::new(self.floor.turned(Quat::from_rotation_arc(Vec3::Y, normal))),
        };
        self.leaning = Some((normal, Arc::clone(&floor)));
        picture.ground = vec![floor];
        let Some(world) = &self.world else { return picture };
        self.envelope.draw(world, &mut picture.marks);
        picture.bodies.add(world.skin(), &world.models(), DYES[0]);
        for (form, place) in world.things() {
            let mesh = match form {
                PropForm::Ball { radius } => andante_take::ball_mesh(radius as f32),
                PropForm::Cube { side } => andante_take::cube_mesh(0.5 * side as f32),
            };
            picture.moving.add_mesh(&mesh, &place, Color32::from_rgb(0xb5, 0x8a, 0x5a));
        }
        if let Some(following) = world.following() {
            // What it should do, beside it.
            let mut models = following.of.models(world.time());
            let aside = 1.1 * self.camera.right();
            models.iter_mut().for_each(|joint| joint.translation += aside);
            picture.bodies.add(&following.of.skin, &models, DYES[1]);
        }
        let (centre, capture, support) = world.balance();
        let marks = &mut picture.marks;
        // Marks lie on the ground, however that leans.
        let ground = |at: Vec2, lift: f32| {
            vec3(at.x, lift - (normal.x * at.x + normal.z * at.y) / normal.y, at.y)
        };
        let mut corners: Vec<Vec3> = support.iter().map(|corner| ground(*corner, 0.008)).collect();
        corners.extend(corners.first().copied());
        marks.add_ribbon(&corners, 0.02, GOOD);
        marks.add_disc(ground(vec2(centre.x, centre.z), 0.012), normal, 0.045, ACCENT);
        marks.add_ring(ground(capture, 0.014), [0.05, 0.07], BAD);
        if let Some(pressure) = world.pressure() {
            marks.add_disc(ground(pressure, 0.016), Vec3::Y, 0.028, LEFT);
        }
        picture.moving.add_ball(centre, 0.04, ACCENT);
        if let Some([from, to]) = self.arrow {
            picture.moving.add_arrow(from, to, 0.025, BAD);
        }
        picture
    }

    fn labels(&self, ui: &egui::Ui, rect: egui::Rect) {
        let Some(world) = &self.world else { return };
        let painter = ui.painter_at(rect);
        let say = |at: egui::Pos2, align: Align2, text: &str, color: Color32| {
            sign(&painter, at, align, text, color);
        };
        if let Some([from, to]) = self.arrow
            && let Some(at) = self.camera.project(to, rect)
        {
            let text = match self.tool {
                PushTool::Push => {
                    format!("{:.0} N·s", STRENGTH * vec2(to.x - from.x, to.z - from.z).length())
                }
                PushTool::Pull => format!("{:.0} N", (400.0 * (to - from).length()).min(600.0)),
            };
            say(at + egui::vec2(12.0, 0.0), Align2::LEFT_CENTER, &text, Color32::WHITE);
        }
        let hint =
            "Drag from the body: an arrow pushes when it is let go. Drag elsewhere: look around.";
        say(
            rect.left_bottom() + egui::vec2(14.0, -12.0),
            Align2::LEFT_BOTTOM,
            hint,
            Color32::from_gray(230),
        );
        let doing = match world.following() {
            Some(following) => format!(
                "{:.1} s  follows {}: {:.1}° off, held by {:.0} N",
                world.time(),
                following.of.plan.clip,
                following.off,
                following.held
            ),
            None => format!("{:.1} s  {}", world.time(), panels::condition(world.condition())),
        };
        say(
            rect.left_top() + egui::vec2(14.0, 12.0),
            Align2::LEFT_TOP,
            &doing,
            Color32::from_gray(240),
        );
    }
}
