//! The picture of a motion: filmstrips and what its feet do.

use andante_draw::{BarChart, Filmstrip, LineChart, Sheet, View};
use andante_play::{Contacts, Interval};
use andante_skeleton::{Clip, Rig, Skeleton};
use glam::Vec2;

/// What is known of a motion besides its frames.
pub struct Known<'a> {
    pub rig: &'a Rig,
    pub contacts: &'a Contacts,
    /// Height of the ground.
    pub ground: f32,
}

/// Filmstrips from the side and from the front; with feet known also contacts, speed and foot heights.
pub fn motion_sheet(
    title: &str,
    notes: &[String],
    skeleton: &Skeleton,
    clip: &Clip,
    known: Option<&Known>,
) -> Sheet {
    let mut sheet = Sheet::new(title);
    for note in notes {
        sheet.note(note);
    }
    sheet.add(Filmstrip::new(skeleton, clip).draw());
    sheet.add(Filmstrip::new(skeleton, clip).view(View::Front).draw());
    let Some(known) = known else { return sheet };

    let duration = clip.duration();
    let bars = |intervals: &[Interval]| {
        intervals.iter().map(|interval| [interval.start, interval.end]).collect()
    };
    let mut contacts = BarChart::new("on the ground", duration);
    for (foot, contact) in known.rig.feet.iter().zip(&known.contacts.feet) {
        let name = foot.name.trim_end_matches(" foot");
        contacts = contacts
            .row(format!("{name} heel"), bars(&contact.heel))
            .row(format!("{name} toe"), bars(&contact.toe));
    }
    sheet.add(contacts.draw());

    let frames = andante_skeleton::model_frames(skeleton, clip);
    let hips: Vec<Vec2> = frames
        .iter()
        .map(|models| models[known.rig.hips].translation)
        .map(|position| Vec2::new(position.x, position.z))
        .collect();
    sheet.add(
        LineChart::new("speed of the hips (m/s)", duration)
            .curve("speed", speeds(&hips, clip.fps()))
            .draw(),
    );

    let mut heights = LineChart::new("height of heels and toes (cm)", duration);
    for foot in &known.rig.feet {
        let name = foot.name.trim_end_matches(" foot");
        for (part, point) in [("heel", foot.heel), ("toe", foot.ball)] {
            let height =
                frames.iter().map(|models| 100.0 * (point.position(models).y - known.ground));
            heights = heights.curve(format!("{name} {part}"), height.collect());
        }
    }
    sheet.add(heights.draw());
    sheet
}

/// Speed along a path, over a tenth of a second around each frame.
fn speeds(path: &[Vec2], fps: f32) -> Vec<f32> {
    let reach = ((0.05 * fps).round() as usize).max(1);
    (0..path.len())
        .map(|frame| {
            let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(path.len() - 1));
            if to == from { 0.0 } else { path[from].distance(path[to]) * fps / (to - from) as f32 }
        })
        .collect()
}
