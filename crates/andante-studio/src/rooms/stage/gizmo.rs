//! Moves, turns and scales whatever has a place in a scene, with the mouse or a finger.

use super::{StageChoice, StageRoom, picking};
use crate::bench::Workbench;
use crate::look::{ACCENT, BAD, GOOD, LEFT};
use crate::project::StudioProject;
use crate::scene_move::{SceneThing, ThingMove};
use crate::view::Orbit;
use eframe::egui::{self, Color32, Pos2, Rect, Sense, vec2};
use glam::Vec3;

/// The hold on a gizmo: what is done to the thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GizmoHold {
    /// It goes where the mouse is on the ground.
    Free,
    /// It goes along a direction.
    Along(Vec3),
    /// It turns as the mouse goes aside.
    Turn,
    /// It turns after the mouse around its middle.
    TurnAround,
    /// It grows as the mouse goes aside.
    Scale,
    /// It grows as the mouse goes away from its middle.
    ScaleAround,
}

/// Something that follows the mouse.
pub struct Gizmo {
    hold: GizmoHold,
    thing: SceneThing,
    middle: Vec3,
    before: StudioProject,
    begun: Option<GizmoRay>,
}

/// The ray of the mouse: in the window, from the eye, and at the ground.
#[derive(Clone, Copy, Debug)]
pub struct GizmoRay {
    /// In the window.
    pub at: Pos2,
    /// From where.
    pub eye: Vec3,
    /// To where.
    pub way: Vec3,
    /// Where it meets the ground.
    pub ground: Option<Vec3>,
}

/// Points of the window for a turn of a radian, and for a size of e times as much.
const POINTS: f32 = 120.0;
/// How large a grip is, in points: fingers are not smaller.
const GRIP: f32 = 20.0;

impl GizmoRay {
    /// Where it meets a level plane.
    fn level(&self, height: f32) -> Option<Vec3> {
        let along = (height - self.eye.y) / self.way.y;
        (along.is_finite() && along > 0.0 && along < 300.0).then(|| self.eye + along * self.way)
    }

    /// How far along a line through a point the nearest place to it is.
    fn along(&self, through: Vec3, axis: Vec3) -> Option<f32> {
        let (from, b) = (through - self.eye, axis.dot(self.way));
        let flat = 1.0 - b * b;
        (flat > 1e-3).then(|| (b * self.way.dot(from) - axis.dot(from)) / flat)
    }
}

/// The middle of something as it is shown.
fn middle_of(room: &mut StageRoom, project: &StudioProject, thing: &SceneThing) -> Option<Vec3> {
    let player = room.player.as_ref()?;
    if let SceneThing::Lamp(index) = thing {
        return project.light.lamps.get(*index).copied().map(Vec3::from);
    }
    let at = room.read.of(&project.scene)?.middle(thing)?;
    match thing {
        SceneThing::Platform(index) => {
            let patch = player.scene().ground.get(*index);
            let height = patch.map(|patch| patch.platform.height_at(glam::vec2(at.x, at.z)));
            Some(at.with_y(height.unwrap_or(at.y)))
        }
        SceneThing::Obstacle(_) | SceneThing::Stairs(_) | SceneThing::Ferry(_) => Some(at),
        _ => Some(picking::ground_below(player.surface(), at.with_y(100.0)).unwrap_or(at)),
    }
}

impl Gizmo {
    /// Takes hold of something.
    pub fn begin(
        room: &mut StageRoom,
        bench: &Workbench,
        thing: &SceneThing,
        hold: GizmoHold,
    ) -> Option<Self> {
        let middle = middle_of(room, bench.project, thing)?;
        let before = bench.project.clone();
        Some(Self { hold, thing: thing.clone(), middle, before, begun: None })
    }

    /// How it is moved when the mouse has gone from one place to another.
    fn how(&self, first: &GizmoRay, now: &GizmoRay) -> Option<ThingMove> {
        let level = |ray: &GizmoRay| ray.level(self.middle.y);
        let aside = (now.at.x - first.at.x) / POINTS;
        let still = ThingMove::default();
        let angle = |at: Vec3| libm::atan2f(at.x - self.middle.x, at.z - self.middle.z);
        Some(match self.hold {
            GizmoHold::Free => {
                // What stands on the ground stays on it.
                let by = match (&self.thing, first.ground, now.ground) {
                    (SceneThing::Obstacle(_), Some(a), Some(b)) => b - a,
                    _ => level(now)? - level(first)?,
                };
                ThingMove { by, ..still }
            }
            GizmoHold::Along(axis) => {
                let far = now.along(self.middle, axis)? - first.along(self.middle, axis)?;
                ThingMove { by: far.clamp(-200.0, 200.0) * axis, ..still }
            }
            GizmoHold::Turn => ThingMove { turn: aside, ..still },
            GizmoHold::TurnAround => {
                ThingMove { turn: angle(level(now)?) - angle(level(first)?), ..still }
            }
            GizmoHold::Scale => ThingMove { scale: libm::expf(aside.clamp(-3.0, 3.0)), ..still },
            GizmoHold::ScaleAround => {
                let [a, b] = [level(first)?, level(now)?].map(|at| at.distance(self.middle));
                ThingMove { scale: (b / a.max(0.05)).clamp(0.05, 20.0), ..still }
            }
        })
    }

    /// Follows the mouse, from where it is first.
    pub fn follow(&mut self, bench: &mut Workbench, ray: GizmoRay) {
        let first = *self.begun.get_or_insert(ray);
        let Some(how) = self.how(&first, &ray).filter(|how| *how != ThingMove::default()) else {
            return;
        };
        if let SceneThing::Lamp(index) = self.thing {
            let before = self.before.light.lamps.get(index).copied();
            if let (Some(before), Some(lamp)) = (before, bench.project.light.lamps.get_mut(index)) {
                *lamp = (Vec3::from(before) + how.by).max(Vec3::new(-1e3, 0.1, -1e3)).to_array();
            }
            return;
        }
        bench.project.scene.clone_from(&self.before.scene);
        StageRoom::edit_scene(bench, |text| text.transform(&self.thing, &how));
    }

    /// Everything is as it was.
    pub fn give_up(self, bench: &mut Workbench) {
        *bench.project = self.before;
    }
}

/// A place in the view that can be held.
struct Grip {
    name: String,
    at: Vec3,
    color: Color32,
    thing: SceneThing,
    hold: GizmoHold,
    about: &'static str,
}

/// Everything that can be held: what is chosen by its handles, and small things by themselves.
fn grips(room: &mut StageRoom, project: &StudioProject) -> Vec<Grip> {
    let mut loose: Vec<(String, SceneThing, Color32, &'static str)> = Vec::new();
    let Some(player) = &room.player else { return Vec::new() };
    let mut free = |name: String, thing: SceneThing, color: Color32, about: &'static str| {
        loose.push((name, thing, color, about));
    };
    if let StageChoice::Character(who) = room.choice
        && let Some(part) = player.scene().characters.get(who)
        && let Some(text) = room.read.of(&project.scene)
    {
        free(format!("Start of {}", part.name), SceneThing::Start(who), LEFT, "Where it begins");
        if text.has_goal(who) {
            free(
                format!("Goal of {}", part.name),
                SceneThing::Goal(who),
                ACCENT,
                "Where it is sent",
            );
        }
        for (number, (index, _)) in text.commands(&part.name).into_iter().enumerate().take(30) {
            let name = format!("Target of command {}", number + 1);
            free(name, SceneThing::Command(index), GOOD, "Where this command leads");
            for print in 0..60 {
                let thing = SceneThing::Print(index, print);
                if text.middle(&thing).is_none() {
                    break;
                }
                free(format!("Footprint {}", print + 1), thing, GOOD, "Drag it elsewhere");
            }
        }
    }
    for lamp in 0..project.light.lamps.len() {
        free(format!("Lamp {}", lamp + 1), SceneThing::Lamp(lamp), Color32::WHITE, "A lamp");
    }
    let mut grips: Vec<Grip> = Vec::new();
    for (name, thing, color, about) in loose {
        if let Some(at) = middle_of(room, project, &thing) {
            grips.push(Grip { name, at, color, thing, hold: GizmoHold::Free, about });
        }
    }
    if let StageChoice::Thing(thing) = room.choice.clone()
        && let Some(middle) = middle_of(room, project, &thing)
    {
        let far = (0.16 * room.camera.distance).clamp(0.3, 6.0);
        let diagonal = std::f32::consts::FRAC_1_SQRT_2 * far;
        let handles = [
            ("Move along x", far * Vec3::X, BAD, GizmoHold::Along(Vec3::X)),
            ("Move along z", far * Vec3::Z, LEFT, GizmoHold::Along(Vec3::Z)),
            ("Lift", far * Vec3::Y, GOOD, GizmoHold::Along(Vec3::Y)),
            ("Turn", Vec3::new(diagonal, 0.0, diagonal), ACCENT, GizmoHold::TurnAround),
            ("Scale", Vec3::new(-diagonal, 0.0, -diagonal), Color32::WHITE, GizmoHold::ScaleAround),
            ("Move", Vec3::ZERO, ACCENT, GizmoHold::Free),
        ];
        let post = matches!(
            thing,
            SceneThing::Start(_)
                | SceneThing::Goal(_)
                | SceneThing::Command(_)
                | SceneThing::Print(..)
        );
        let lamp = matches!(thing, SceneThing::Lamp(_));
        for (name, by, color, hold) in handles {
            let useless = match hold {
                GizmoHold::Along(axis) => post && axis == Vec3::Y,
                GizmoHold::ScaleAround => post || lamp,
                GizmoHold::TurnAround => lamp,
                _ => false,
            };
            if !useless {
                let (name, thing, at) = (name.to_owned(), thing.clone(), middle + by);
                grips.push(Grip { name, at, color, thing, hold, about: "Drag; Escape gives up" });
            }
        }
    }
    grips
}

/// Shows what can be held in a view, and moves it; whether one is held.
pub fn show(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench, rect: Rect) -> bool {
    let camera: Orbit = room.camera;
    let painter = ui.painter_at(rect);
    let mut held = false;
    let chosen = match room.choice.clone() {
        StageChoice::Thing(thing) => middle_of(room, bench.project, &thing),
        _ => None,
    };
    let chosen = chosen.and_then(|at| camera.project(at, rect));
    for grip in grips(room, bench.project) {
        let Some(at) = camera.project(grip.at, rect).filter(|at| rect.contains(*at)) else {
            continue;
        };
        let place = Rect::from_center_size(at, vec2(GRIP, GRIP));
        let id = ui.scope_id().with((&grip.name, format!("{:?}", grip.thing)));
        let response = ui.interact(place, id, Sense::click_and_drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &grip.name));
        let strong = response.hovered() || response.dragged();
        if let (Some(middle), true) = (chosen, grip.hold != GizmoHold::Free) {
            painter.line_segment([middle, at], (2.0, grip.color.gamma_multiply(0.8)));
        }
        painter.circle(
            at,
            if strong { 8.0 } else { 5.5 },
            grip.color,
            (1.5, if strong { Color32::WHITE } else { Color32::from_black_alpha(150) }),
        );
        if response.clicked() && room.choice != StageChoice::Thing(grip.thing.clone()) {
            room.choice = StageChoice::Thing(grip.thing.clone());
        }
        if response.drag_started() {
            room.handle = Gizmo::begin(room, bench, &grip.thing, grip.hold);
        }
        if response.dragged()
            && let Some(now) = response.interact_pointer_pos()
            && let Some(mut gizmo) = room.handle.take()
        {
            held = true;
            if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                gizmo.give_up(bench);
            } else {
                // It is the grip that is held, wherever in it the finger is.
                let origin = ui.input(|input| input.pointer.press_origin()).unwrap_or(now);
                gizmo.follow(bench, room.ray_at(at_first(&gizmo, origin), rect));
                gizmo.follow(bench, room.ray_at(now, rect));
                room.handle = Some(gizmo);
            }
        }
        if response.drag_stopped() {
            room.handle = None;
        }
        response.on_hover_text(format!("{}: {}", grip.name, grip.about));
    }
    held
}

/// Where a drag began, the first time; afterwards where it is does not matter.
fn at_first(gizmo: &Gizmo, origin: Pos2) -> Pos2 {
    gizmo.begun.map_or(origin, |first| first.at)
}
