//! A motion on another body, beside the one it comes from, with the roles of joints to be corrected by clicking.

use super::MotionRoom;
use super::desk::{ClipDesk, ClipShelf, roles};
use crate::bench::Workbench;
use crate::command_lines;
use crate::home::StudioHome;
use crate::job::{JobState, SideJob};
use crate::look::{ACCENT, BAD, command_line};
use crate::motion_plan::MotionPlan;
use andante_motion::retarget::{RetargetOptions, RetargetRig, retarget};
use andante_motion::rig;
use andante_play::Contacts;
use andante_skeleton::{
    Clip, Rig, Skeleton, SkinnedMesh, Transform, capsule_body, humanoid_of_height, model_frames,
};
use eframe::egui::{self, RichText};
use std::path::Path;
use std::sync::Arc;

/// A motion that was put on another body.
pub struct RetargetDesk {
    /// What it was made from.
    of: (MotionPlan, usize),
    /// The joints of the body.
    pub skeleton: Skeleton,
    /// What it looks like.
    pub skin: Arc<SkinnedMesh>,
    /// The motion.
    pub clip: Clip,
    /// Every joint in the world, frame by frame.
    pub models: Vec<Vec<Transform>>,
    /// Joints of the body, and those they follow.
    pub matched: Vec<(String, String)>,
    /// Joints that nothing moves.
    pub resting: Vec<String>,
    /// Metres of the body for each metre of the source.
    pub scale: f32,
}

/// Built-in bodies of several heights.
const TARGETS: [(&str, f32); 3] = [("humanoid", 1.75), ("child", 1.2), ("giant", 2.3)];

/// Whom a motion can be put on: skeleton, roles and skin.
fn body(name: &str, home: &StudioHome) -> Result<(Skeleton, Rig, Arc<SkinnedMesh>), String> {
    if let Some((_, height)) = TARGETS.iter().find(|(known, _)| *known == name) {
        let human = humanoid_of_height(*height);
        let skin = Arc::new(capsule_body(&human.skeleton));
        return Ok((human.skeleton, human.rig, skin));
    }
    let shelf = ClipShelf::read(Path::new(name), home)?;
    let rig = rig::detect(&shelf.skeleton, &shelf.clips).map_err(|error| error.to_string())?;
    Ok((shelf.skeleton, rig, shelf.skin))
}

/// What is put on another body: a motion, and whose it is.
struct RetargetSource {
    of: (MotionPlan, usize),
    skeleton: Skeleton,
    rig: Option<Rig>,
    contacts: Option<Contacts>,
    clip: Clip,
}

impl RetargetSource {
    fn new(shelf: &ClipShelf, desk: &ClipDesk) -> Self {
        Self {
            of: (desk.plan.clone(), desk.models.len()),
            skeleton: shelf.skeleton.clone(),
            rig: desk.rig.clone(),
            contacts: desk.contacts.clone(),
            clip: desk.clip.clone(),
        }
    }
}

/// A motion that is being put on another body: of what, and who does it.
pub type Retargeting = ((MotionPlan, usize), SideJob<Result<RetargetDesk, String>>);

impl RetargetDesk {
    /// Puts a motion on the body that its plan names.
    fn new(source: RetargetSource, home: &StudioHome) -> Result<Self, String> {
        let name = source.of.0.target.as_deref().unwrap_or_default();
        let (skeleton, rig, skin) = body(name, home)?;
        let own = source.rig.as_ref().ok_or("the roles of its joints are not known")?;
        let contacts = source.contacts.as_ref().ok_or("nobody knows when its feet are down")?;
        let from = RetargetRig { skeleton: &source.skeleton, rig: own };
        let to = RetargetRig { skeleton: &skeleton, rig: &rig };
        let done = retarget(from, &source.clip, contacts, to, &RetargetOptions::default());
        let done = done.map_err(|error| error.to_string())?;
        Ok(Self {
            of: source.of,
            models: model_frames(&skeleton, &done.clip),
            clip: done.clip,
            matched: done.report.matched,
            resting: done.report.resting,
            scale: done.report.scale,
            skeleton,
            skin,
        })
    }

    /// True if it was made of what is on the desk now.
    pub fn is_of(&self, desk: &ClipDesk) -> bool {
        (&self.of.0, self.of.1) == (&desk.plan, desk.models.len())
    }
}

/// Looks whether what is put on another body is what the plan says, and whether that is done.
pub fn follow(room: &mut MotionRoom, context: &egui::Context, bench: &mut Workbench) {
    let (Some(shelf), Some(desk)) = (&room.shelf, &room.desk) else { return };
    if desk.plan.target.is_none() {
        (room.retargeted, room.retargeting) = (None, None);
        return;
    }
    let now = (&desk.plan, desk.models.len());
    let same = match &room.retargeted {
        Some(Ok(made)) => made.is_of(desk),
        Some(Err((plan, _))) => plan == &desk.plan,
        None => false,
    };
    let coming = room.retargeting.as_ref().is_some_and(|(of, _)| (&of.0, of.1) == now);
    if same && !coming {
        // Of what was asked for meanwhile nobody wants to know any more.
        room.retargeting = None;
    }
    if !same && !coming {
        let mut source = Some(RetargetSource::new(shelf, desk));
        let (of, home) = ((desk.plan.clone(), desk.models.len()), bench.home.clone());
        let job = bench.jobs.start(context, "putting it on another body", move |_| {
            source.take().map(|source| RetargetDesk::new(source, &home))
        });
        room.retargeting = Some((of, job));
    }
    let Some((of, job)) = &mut room.retargeting else { return };
    let made = match job.poll() {
        JobState::Running => return,
        JobState::Stopped => Err("this was given up".into()),
        JobState::Done(made) => made,
    };
    room.retargeted = Some(made.map_err(|error| (of.0.clone(), error)));
    room.retargeting = None;
}

/// The panel of retargeting: the body to put it on, who follows whom, and roles to correct.
pub fn panel(room: &mut MotionRoom, ui: &mut egui::Ui, plan: &mut MotionPlan) {
    let name = plan.target.clone().unwrap_or_else(|| "nobody".into());
    let list = egui::ComboBox::from_label("Put it on").selected_text(&name).show_ui(ui, |ui| {
        if ui.selectable_label(plan.target.is_none(), "nobody").clicked() {
            plan.target = None;
        }
        for (known, height) in TARGETS {
            let title = format!("{known}, {height} m");
            if ui.selectable_label(plan.target.as_deref() == Some(known), title).clicked() {
                plan.target = Some(known.to_owned());
            }
        }
    });
    list.response.on_hover_text("The same motion on another body, beside it");
    let label = ui.label(RichText::new("or the character of a file").small());
    let line = ui.text_edit_singleline(&mut room.target_file).labelled_by(label.id);
    let line = line.on_hover_text("The path of a .glb, .bvh or .amc");
    if line.lost_focus() && !room.target_file.trim().is_empty() {
        plan.target = Some(room.target_file.trim().to_owned());
    }
    match &room.retargeted {
        Some(Err((_, error))) => drop(ui.colored_label(BAD, error)),
        Some(Ok(made)) => {
            ui.label(
                RichText::new(format!(
                    "{} joints follow, {} rest, scale {:.2}",
                    made.matched.len(),
                    made.resting.len(),
                    made.scale
                ))
                .small(),
            );
            let height = TARGETS.iter().find(|(known, _)| *known == name);
            let to = if height.is_some() { "humanoid" } else { name.as_str() };
            let line = match &plan.file {
                Some(file) => {
                    let file = command_lines::path(file);
                    format!("andante retarget {file} --to {to} out.glb")
                }
                None => format!(
                    "andante clips {0} -o {0}.bvh && andante retarget {0}.bvh --to {to} out.glb",
                    plan.clip
                ),
            };
            command_line(ui, &line);
        }
        None => {}
    }
    let Some(shelf) = &room.shelf else { return };
    let Some(rig) = room.desk.as_ref().and_then(|desk| desk.rig.as_ref()) else { return };
    ui.collapsing("Roles of joints", |ui| {
        ui.label(RichText::new("Choose a role, and then its joint in the view").weak().small());
        for (role, joint) in roles(rig) {
            let own = &shelf.skeleton.joint(joint).name;
            let corrected = plan.roles.contains_key(&role);
            let text = RichText::new(format!("{role}: {own}")).small();
            let text = if corrected { text.color(ACCENT) } else { text };
            let chosen = room.role.as_deref() == Some(role.as_str());
            let row = ui.selectable_label(chosen, text);
            if row.on_hover_text("Then click the joint that it is").clicked() {
                room.role = if chosen { None } else { Some(role.clone()) };
                room.playing = false;
            }
        }
        let undo = egui::Button::new("As they were found");
        let undo = ui.add_enabled(!plan.roles.is_empty(), undo);
        if undo.on_hover_text("Forget what was corrected").clicked() {
            plan.roles.clear();
        }
    });
}

/// While a role is chosen every joint can be clicked.
pub fn joints(room: &mut MotionRoom, ui: &mut egui::Ui, plan: &mut MotionPlan, rect: egui::Rect) {
    let Some(role) = room.role.clone() else { return };
    let (Some(shelf), Some(desk)) = (&room.shelf, &room.desk) else { return };
    let models = &desk.models[desk.frame(room.time)];
    // Joints may lie close together: the one nearest to the finger is meant.
    let (mut pressed, mut nearest) = (None, (f32::MAX, String::new()));
    let pointer = ui.input(|input| input.pointer.latest_pos());
    for (joint, place) in models.iter().enumerate() {
        let Some(at) = room.camera.project(place.translation, rect).filter(|at| rect.contains(*at))
        else {
            continue;
        };
        let name = &shelf.skeleton.joint(joint).name;
        let own = egui::Rect::from_center_size(at, egui::vec2(12.0, 12.0));
        let id = ui.scope_id().with(("joint", joint));
        let response = ui.interact(own, id, egui::Sense::click());
        let title = format!("Joint {name}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &title));
        let size = if response.hovered() { 6.5 } else { 4.0 };
        ui.painter_at(rect).circle(at, size, ACCENT, (1.0, egui::Color32::WHITE));
        let far = pointer.map_or(f32::MAX, |pointer| pointer.distance(at));
        if far < nearest.0 {
            nearest = (far, name.clone());
        }
        if response.clicked() {
            pressed = Some(());
        }
        response.on_hover_text(format!("{name} is the {role}"));
    }
    let picked = pressed.map(|()| nearest.1);
    if let Some(name) = picked {
        plan.roles.insert(role, name);
        room.role = None;
    }
}
