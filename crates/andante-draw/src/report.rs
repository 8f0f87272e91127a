//! The report of a take.

use crate::{BarChart, LineChart, Page, Panel, PlanView, Sheet, Show};
use andante_play::Interval;
use andante_stage::{CharacterTrack, Take, TrackMetrics};
use andante_world::ObstacleOutline;
use glam::{Vec2, Vec3};

/// Frames per point of a chart.
const CHART_STEP: usize = 2;

/// What happened in a take as one HTML file: a player, events, quality, costs, a map and curves. `timings` are
/// milliseconds by stage.
pub fn take_report(take: &Take, timings: &[(String, f64)]) -> String {
    let mut page = Page::new(&take.scene.name);
    page.about(&take.scene.about);
    page.player(&Show::of_take(take));
    page.columns(
        |page| {
            page.heading("What happens");
            page.events(take.events.iter().map(|event| {
                let who = event.track.and_then(|track| take.tracks.get(track));
                let words = event.describe(take);
                let words = who.map_or(words.clone(), |track| format!("{} {words}", track.name));
                (event.time, event.track, words)
            }));
            if !timings.is_empty() {
                page.heading("What it cost");
                let row = |(stage, ms): &(String, f64)| {
                    vec![stage.replace('_', " "), format!("{ms:.1} ms")]
                };
                page.table(&["stage", "time"], timings.iter().map(row));
            }
        },
        |page| {
            page.heading("How good it is");
            quality(page, take);
        },
    );
    page.heading("From above");
    let mut map = Sheet::bare();
    map.add(take_map(take).draw());
    page.figure(&map);
    for (index, track) in take.tracks.iter().enumerate() {
        page.heading(&format!("{}, moment by moment", track.name));
        for chart in track_charts(index, track, take) {
            page.chart(&chart);
        }
    }
    page.to_html()
}

/// The map of a take with everybody's curves below.
pub fn take_sheet(take: &Take) -> Sheet {
    let mut sheet = Sheet::new(&take.scene.name);
    sheet.note(&take.scene.about);
    sheet.add(take_map(take).draw());
    for (index, track) in take.tracks.iter().enumerate() {
        track_charts(index, track, take).into_iter().for_each(|chart| sheet.add(chart));
    }
    sheet
}

/// The world from above with everybody's way and footprints.
pub fn take_map(take: &Take) -> PlanView {
    let mut map = PlanView::new();
    for patch in &take.scene.ground {
        map = map.ground(&patch.platform.outline);
    }
    // Platforms that move are drawn at every stop.
    for platform in &take.scene.moving {
        for outline in platform.outlines() {
            map = map.overhead(&outline);
        }
    }
    for presence in take.presences() {
        let obstacle = &presence.obstacle;
        let at = Vec2::new(obstacle.at.x, obstacle.at.z);
        let hangs = take.scene.ground.iter().any(|patch| {
            patch.platform.contains(at) && obstacle.bottom() > patch.platform.height_at(at) + 0.5
        });
        map = match obstacle.footprint() {
            ObstacleOutline::Outline(corners) if hangs => map.overhead(&corners),
            ObstacleOutline::Outline(corners) => map.obstacle(&corners),
            ObstacleOutline::Disc { at, radius } => map.post(at, radius),
        };
    }
    let flat = |point: Vec3| Vec2::new(point.x, point.z);
    for track in &take.tracks {
        map = map.way("way of the body", &track.way());
        for print in &track.footprints {
            let Some(foot) = track.character.rig.feet.get(print.foot) else { continue };
            map = map.footprint(foot.side, flat(print.heel), flat(print.tip));
        }
        if let Some(start) = track.body.first() {
            map = map.mark(start.position, start.heading, &track.name);
        }
        if let Some(goal) = &track.goal {
            map = map.mark(goal.position, goal.heading, "goal");
        }
    }
    map
}

/// Curvature, speed, blend, contacts and foot heights of one track over the time of the whole take.
fn track_charts(index: usize, track: &CharacterTrack, take: &Take) -> Vec<Panel> {
    let seconds = take.seconds();
    let frames = (seconds * track.clip.fps()).round() as usize + 1;
    // Whoever has ended stays as they are.
    let curve = |values: &[f32]| -> Vec<f32> {
        let mut shown = 0.0;
        let value = |frame: usize| {
            let value = values.get(frame).or(values.last()).copied().unwrap_or(0.0);
            // Over a gap there is no ground to be above.
            shown = if value.is_finite() { value } else { shown };
            shown
        };
        (0..frames).map(value).step_by(CHART_STEP).collect()
    };
    let mut charts = Vec::new();
    for (title, name, values) in [
        ("curvature of the way, 1/m, to the left", "curvature", &track.curvature),
        ("speed, m/s", "speed", &track.speed),
        ("walk 0, run 1", "running", &track.running),
    ] {
        charts.push(LineChart::new(title, seconds).curve(name, curve(values)).draw());
    }
    let mut contacts = BarChart::new("on the ground", seconds);
    let mut heights = LineChart::new("height of heels and balls above the ground, cm", seconds);
    let feet = track.character.rig.feet.iter().zip(&track.contacts.feet);
    for ((foot, contact), [heel, ball]) in feet.zip(take.foot_heights(index)) {
        let name = foot.name.trim_end_matches(" foot");
        let bars = |intervals: &[Interval]| {
            intervals.iter().map(|interval| [interval.start, interval.end]).collect()
        };
        contacts = contacts
            .row(format!("{name} heel"), bars(&contact.heel))
            .row(format!("{name} ball"), bars(&contact.toe));
        for (part, values) in [("heel", heel), ("ball", ball)] {
            let values: Vec<f32> = values.iter().map(|height| 100.0 * height).collect();
            heights = heights.curve(format!("{name} {part}"), curve(&values));
        }
    }
    charts.push(contacts.draw());
    charts.push(heights.draw());
    charts
}

/// A column for each track.
fn quality(page: &mut Page, take: &Take) {
    let metrics = take.metrics();
    let mut header = vec![""];
    header.extend(take.tracks.iter().map(|track| track.name.as_str()));
    type Value = fn(&TrackMetrics) -> String;
    let rows: [(&str, Value); 14] = [
        ("reached its goal", |m| if m.reached { "yes".into() } else { "no".into() }),
        ("goal missed by, mm", |m| {
            m.goal_error_m.map_or("–".into(), |error| format!("{:.1}", 1e3 * error))
        }),
        ("goal missed by, °", |m| {
            m.goal_heading_error_deg.map_or("–".into(), |error| format!("{error:.2}"))
        }),
        ("way, m", |m| format!("{:.1}", m.way_m)),
        ("foot slide, mean, mm", |m| format!("{:.2}", m.feet.foot_slide_mm_mean)),
        ("foot slide, largest, mm", |m| format!("{:.2}", m.feet.foot_slide_mm_max)),
        ("sole below ground, deepest, mm", |m| format!("{:.2}", m.feet.penetration_mm_max)),
        ("sole above ground in stance, mean, mm", |m| format!("{:.2}", m.feet.sole_gap_mm_mean)),
        ("foot rotation in a frame, largest, °", |m| {
            format!("{:.2}", m.feet.foot_rotation_deg_max)
        }),
        ("leg extension, largest, 1 = straight", |m| format!("{:.4}", m.feet.knee_extension_max)),
        ("footprints off the ground", |m| m.footprints_off.to_string()),
        ("inside obstacles, frames", |m| m.collision_frames.to_string()),
        ("jerk of the pelvis, RMS, m/s³", |m| format!("{:.0}", m.body.pelvis_jerk_rms)),
        ("acceleration of the root, largest, m/s²", |m| format!("{:.1}", m.body.root_accel_max)),
    ];
    page.table(
        &header,
        rows.iter().map(|(name, value)| {
            std::iter::once(name.to_string()).chain(metrics.iter().map(value)).collect()
        }),
    );
}
