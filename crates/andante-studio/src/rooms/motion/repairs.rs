//! What is odd about a motion, each with what mends it.

use super::{ClipShelf, MotionRoom};
use crate::look::ACCENT;
use crate::motion_plan::{MotionEdit, MotionPlan};
use andante_motion::oddities;
use andante_skeleton::Clip;
use eframe::egui::{self, RichText};

/// Something odd, and what would mend it.
#[derive(Clone, Debug, PartialEq)]
pub struct OddMoment {
    /// In words.
    pub text: String,
    /// When, in seconds.
    pub time: f32,
    /// What the repair is called.
    pub repair: &'static str,
    /// The repair.
    pub edit: MotionEdit,
}

/// Everything odd that can be mended in a clip.
pub fn find(shelf: &ClipShelf, clip: &Clip) -> Vec<OddMoment> {
    let mut found = Vec::new();
    let added = oddities::added_frames(&shelf.skeleton, clip);
    if added > 0 {
        let edit = MotionEdit::Trim([clip.frame_time(added), clip.duration()]);
        let text = match added {
            1 => "The first frame is a pose that was put in front of the motion".into(),
            _ => format!("The first {added} frames are a pose that was put in front of the motion"),
        };
        found.push(OddMoment { text, time: 0.0, repair: "Leave it out", edit });
    }
    for gap in oddities::dropouts(&shelf.skeleton, clip) {
        let name = &shelf.skeleton.joint(gap.joint).name;
        let time = clip.frame_time(gap.frames.start);
        let text = format!("{name} leaps away at {time:.2} s for {} frames", gap.frames.len());
        let edit = MotionEdit::Mend([gap.frames.start, gap.frames.end]);
        found.push(OddMoment { text, time, repair: "Bridge it", edit });
    }
    for still in oddities::frozen_stretches(clip) {
        let [from, to] = [still.start, still.end.min(clip.frame_count() - 1)];
        let [from, to] = [from, to].map(|frame| clip.frame_time(frame));
        if to - from < clip.duration() - 0.1 {
            let text = format!("Nothing moves from {from:.2} to {to:.2} s");
            let edit = MotionEdit::Cut([from, to]);
            found.push(OddMoment { text, time: from, repair: "Cut it out", edit });
        }
    }
    found
}

/// The farthest slide of feet while they are down, in metres.
pub fn slide(room: &MotionRoom) -> Option<f32> {
    let desk = room.desk()?;
    let (rig, contacts) = (desk.rig.as_ref()?, desk.contacts.as_ref()?);
    let mut farthest = 0.0f32;
    for (foot, spans) in rig.feet.iter().zip(&contacts.feet) {
        for span in &spans.toe {
            let [from, to] = [desk.frame(span.start), desk.frame(span.end)];
            let first = foot.ball.position(&desk.models[from]);
            for models in &desk.models[from..=to] {
                let at = foot.ball.position(models);
                farthest = farthest.max((at - first).with_y(0.0).length());
            }
        }
    }
    Some(farthest)
}

/// The list, with a button for each repair.
pub fn panel(room: &mut MotionRoom, ui: &mut egui::Ui, plan: &mut MotionPlan) {
    let Some(shelf) = &room.shelf else { return };
    for oddity in &shelf.oddities {
        ui.label(RichText::new(oddity).small().color(ACCENT));
    }
    let Some(desk) = &room.desk else { return };
    let odd = room.odd.get_or_insert_with(|| find(shelf, &desk.clip)).clone();
    let mut go = None;
    for (index, one) in odd.iter().enumerate().take(8) {
        ui.label(RichText::new(&one.text).small().color(ACCENT));
        ui.horizontal(|ui| {
            let mend = ui.small_button(format!("{} {}", one.repair, index + 1));
            if mend.on_hover_text("An edit like any other").clicked() {
                plan.push(one.edit.clone());
            }
            let show = ui.small_button(format!("Show {}", index + 1));
            if show.on_hover_text("Go to this moment").clicked() {
                go = Some(one.time);
            }
        });
    }
    let slide = slide(room);
    let planted = plan.edits.contains(&MotionEdit::Plant);
    if let Some(slide) = slide.filter(|slide| *slide > 0.01 && !planted) {
        let text = format!("Feet slide by up to {:.0} mm while they are down", 1e3 * slide);
        ui.label(RichText::new(text).small().color(ACCENT));
        let plant = ui.small_button("Plant the feet");
        if plant.on_hover_text("Feet that are down stay where they are").clicked() {
            plan.push(MotionEdit::Plant);
        }
    }
    if odd.is_empty() && slide.is_none_or(|slide| slide <= 0.01) {
        ui.label(RichText::new("Nothing odd is found in it.").weak().small());
    }
    if let Some(time) = go {
        (room.time, room.playing) = (time, false);
    }
}
