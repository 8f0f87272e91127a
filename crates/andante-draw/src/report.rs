//! The report of a take.

use crate::{
    BarChart, Filmstrip, LineChart, Page, PageSettings, Panel, PlanView, Sheet, Show, View,
};
use andante_play::Interval;
use andante_play::measure::{CapturedBand, LegCurves, MeasureSettings, MotionCurves};
use andante_skeleton::{Character, Clip, Skeleton};
use andante_take::{Take, TakeFileError, TakeSource, Track, TrackMetrics, foot_heights, presences};
use andante_world::Obstacle;
use glam::Vec2;

/// The report of a take as one HTML file: a player, events, quality, a map and curves. `metrics` are those of every
/// track.
pub fn take_report(
    take: &dyn TakeSource,
    metrics: &[TrackMetrics],
    settings: &PageSettings,
) -> Result<Page, TakeFileError> {
    let mut page = Page::new(&take.head().name);
    let names = take.names();
    page.about(&take.head().about);
    page.player(&Show::of_take(take, settings)?);
    let (rate, fps) = (settings.player_rate(take), take.head().fps);
    if rate < fps.min(settings.player_fps) {
        page.paragraph(&format!(
            "There is much to show: the player has {rate:.1} of {fps:.0} frames a second, charts and ways every {} frames. The take has all of them.",
            chart_step(take.frames(), settings)
        ));
    }
    page.columns(
        |page| {
            page.heading("What happens");
            page.events(take.events().iter().map(|event| {
                let words = event.describe(&names);
                let who = event.track.and_then(|track| names.get(track));
                let words = who.map_or(words.clone(), |name| format!("{name} {words}"));
                (event.time, event.track, words)
            }));
        },
        |page| {
            if !metrics.is_empty() {
                page.heading("How good it is");
                quality(page, &names, metrics);
            }
        },
    );
    page.heading("From above");
    let mut map = Sheet::bare();
    map.add(take_map(take)?.style(settings.map).draw());
    page.figure(&map);
    for (index, name) in names.iter().enumerate() {
        page.heading(&format!("{name}, moment by moment"));
        for chart in track_charts(&*take.track(index)?, take, settings) {
            page.chart(&chart);
        }
    }
    Ok(page)
}

/// The map of a take with everybody's curves below.
pub fn take_sheet(take: &dyn TakeSource, settings: &PageSettings) -> Result<Sheet, TakeFileError> {
    let mut sheet = Sheet::new(&take.head().name);
    sheet.note(&take.head().about);
    sheet.add(take_map(take)?.style(settings.map).draw());
    for index in 0..take.names().len() {
        let charts = track_charts(&*take.track(index)?, take, settings);
        charts.into_iter().for_each(|chart| sheet.add(chart));
    }
    Ok(sheet)
}

/// A motion as filmstrips from the side and from the front; with what its feet do, where they are known and it is
/// a take.
pub fn motion_sheet(
    title: &str,
    notes: &[String],
    (skeleton, clip): (&Skeleton, &Clip),
    take: Option<&Take>,
) -> Sheet {
    let mut sheet = Sheet::new(title);
    notes.iter().for_each(|note| sheet.note(note));
    for view in [View::Side, View::Front] {
        sheet.add(Filmstrip::new(skeleton, clip).view(view).draw());
    }
    if let Some(take) = take {
        let charts = |track| track_charts(track, take, &PageSettings::default());
        take.tracks.iter().flat_map(charts).for_each(|chart| sheet.add(chart));
    }
    sheet
}

/// Points of a way on a map at most: more are not seen.
const MOST_WAY_POINTS: usize = 4_000;

/// Frames from point to point of a chart.
fn chart_step(frames: usize, settings: &PageSettings) -> usize {
    frames.div_ceil(settings.most_chart_points.max(1)).max(2)
}

/// The world from above with everybody's way and footprints.
pub fn take_map(take: &dyn TakeSource) -> Result<PlanView, TakeFileError> {
    // What moves is drawn wherever it stops or stands.
    let stand: Vec<Obstacle> = presences(take).into_iter().map(|there| there.obstacle).collect();
    let mut map = PlanView::of_world(&take.head().ground, &stand);
    for outline in take.things().iter().flat_map(|thing| &thing.outlines) {
        map = map.overhead(outline);
    }
    for index in 0..take.names().len() {
        let track = take.track(index)?;
        let step = track.body.len().div_ceil(MOST_WAY_POINTS).max(1);
        let way: Vec<Vec2> = track.body.iter().step_by(step).map(|place| place.position).collect();
        map = map.way("way of the body", &way);
        map = map.footprints(&track.character.rig, &track.footprints);
        if let Some(start) = track.body.first() {
            map = map.mark(start.position, start.heading, &track.name);
        }
        if let Some(goal) = &track.goal {
            map = map.mark(goal.place.position, goal.place.heading, "goal");
        }
    }
    Ok(map)
}

/// Every curve, contacts, foot heights, forces and torques of one track over the time of the whole take.
fn track_charts(track: &Track, take: &dyn TakeSource, settings: &PageSettings) -> Vec<Panel> {
    let seconds = take.seconds();
    let frames = (seconds * track.clip.fps()).round() as usize + 1;
    let step = chart_step(frames, settings);
    // Whoever has ended stays as they are.
    let curve = |values: &[f32]| -> Vec<f32> {
        let mut shown = 0.0;
        let value = |frame: usize| {
            let value = values.get(frame).or(values.last()).copied().unwrap_or(0.0);
            // Over a gap there is no ground to be above.
            shown = if value.is_finite() { value } else { shown };
            shown
        };
        (0..frames).map(value).step_by(step).collect()
    };
    let titled = |name: &str, unit: &str| match (name, unit) {
        ("curvature", _) => "curvature of the way, 1/m, to the left".to_owned(),
        ("running", _) => "walk 0, run 1".to_owned(),
        (name, "") => name.to_owned(),
        (name, unit) => format!("{name}, {unit}"),
    };
    let mut charts = Vec::new();
    for named in &track.curves {
        let chart =
            LineChart::new(titled(&named.name, &named.unit), seconds).style(settings.charts);
        charts.push(chart.curve(&named.name, curve(&named.values)).draw());
    }
    for arrow in track.vectors.iter().filter(|vector| vector.at.is_some()) {
        let size: Vec<f32> = arrow.values.iter().map(|value| value.length()).collect();
        let size: Vec<f32> =
            size.iter().map(|size| if size.is_finite() { *size } else { 0.0 }).collect();
        let chart =
            LineChart::new(titled(&arrow.name, &arrow.unit), seconds).style(settings.charts);
        charts.push(chart.curve(&arrow.name, curve(&size)).draw());
    }
    if !track.torques.is_empty() {
        let mut chart = LineChart::new("torques at joints, N·m", seconds).style(settings.charts);
        for torque in &track.torques {
            chart = chart.curve(&torque.name, curve(&torque.values));
        }
        charts.push(chart.draw());
    }
    if !track.physical.is_empty() {
        let bars = track.physical.iter().map(|span| [span.start, span.end]).collect();
        charts.push(
            BarChart::new("moved by forces", seconds)
                .style(settings.charts)
                .row("physical", bars)
                .draw(),
        );
    }
    if track.character.rig.feet.is_empty() {
        return charts;
    }
    let mut contacts = BarChart::new("on the ground", seconds).style(settings.charts);
    let mut heights = LineChart::new("height of heels and balls above the ground, cm", seconds)
        .style(settings.charts);
    let feet = track.character.rig.feet.iter().zip(&track.contacts.feet);
    for ((foot, contact), [heel, ball]) in feet.zip(foot_heights(take, track)) {
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
    charts.extend(naturalness_charts(track, seconds, curve, settings));
    charts
}

/// What an animator sees between contacts, with lines at what captured people keep to.
fn naturalness_charts(
    track: &Track,
    seconds: f32,
    curve: impl Fn(&[f32]) -> Vec<f32>,
    settings: &PageSettings,
) -> Vec<Panel> {
    let Character { skeleton, rig, .. } = &track.character;
    let MotionCurves { legs, joint_pop_deg, toe_pop_deg, hips_accel, legs_apart_mm } =
        MotionCurves::new(skeleton, rig, &track.clip, &MeasureSettings::default());
    let runs = track.curve("running").iter().any(|share| *share > 0.5);
    let band = if runs { CapturedBand::running() } else { CapturedBand::default() };
    let who = if runs { "captured runners" } else { "captured walkers" };
    let chart = |title: &str, limits: &[f32]| {
        let words: Vec<String> = limits.iter().map(f32::to_string).collect();
        let title = match words.is_empty() {
            true => title.to_owned(),
            false => format!("{title} ({who}: {})", words.join(", ")),
        };
        let chart = LineChart::new(title, seconds).style(settings.charts);
        limits.iter().fold(chart, |chart, limit| chart.limit(*limit))
    };
    type OfLeg = fn(&LegCurves) -> &[f32];
    let of_legs: [(&str, Vec<f32>, OfLeg); 4] = [
        ("speed of knees, °/s", vec![band.knee_speed_dps], |leg| &leg.knee_speed_dps),
        ("bend of knees, °", vec![band.knee_bend_deg], |leg| &leg.knee_bend_deg),
        ("rise of ankles, m/s", vec![band.ankle_rise_mps, -band.ankle_fall_mps], |leg| {
            &leg.ankle_rise_mps
        }),
        ("shank to foot, °", vec![band.shank_foot_deg], |leg| &leg.shank_foot_deg),
    ];
    let mut charts: Vec<Panel> = Vec::new();
    for (title, limits, values) in of_legs.iter().filter(|_| !legs.is_empty()) {
        let drawn = legs.iter().fold(chart(title, limits), |chart, leg| {
            chart.curve(leg.name.trim_end_matches(" foot"), curve(values(leg)))
        });
        charts.push(drawn.draw());
    }
    for (title, name, limits, values) in [
        ("pop of joints, °", "joints", vec![band.joint_pop_deg], joint_pop_deg),
        ("pop of toes, °", "toes", Vec::new(), toe_pop_deg),
        ("acceleration of the hips, m/s²", "hips", vec![band.hips_accel], hips_accel),
        ("legs apart, mm", "legs", vec![band.legs_apart_mm], legs_apart_mm),
    ] {
        if !values.is_empty() {
            charts.push(chart(title, &limits).curve(name, curve(&values)).draw());
        }
    }
    charts
}

/// A column for each track.
fn quality(page: &mut Page, names: &[&str], metrics: &[TrackMetrics]) {
    let mut header = vec![""];
    header.extend(names);
    type Value = fn(&TrackMetrics) -> String;
    let rows: [(&str, Value); 23] = [
        ("reached its goal", |m| if m.reached { "yes".into() } else { "no".into() }),
        ("goal missed by, mm", |m| {
            m.goal_error_m.map_or("–".into(), |error| format!("{:.1}", 1e3 * error))
        }),
        ("goal missed by, °", |m| {
            m.goal_heading_error_deg.map_or("–".into(), |error| format!("{error:.2}"))
        }),
        ("way, m", |m| format!("{:.1}", m.way_m)),
        ("foot slide, mean, mm", |m| format!("{:.2}", m.motion.foot_slide_mm_mean)),
        ("foot slide, largest, mm", |m| format!("{:.2}", m.motion.foot_slide_mm_max)),
        ("sole below ground, deepest, mm", |m| format!("{:.2}", m.motion.penetration_mm_max)),
        ("sole above ground in stance, mean, mm", |m| format!("{:.2}", m.motion.sole_gap_mm_mean)),
        ("foot rotation in a frame, largest, °", |m| {
            format!("{:.2}", m.motion.foot_rotation_deg_max)
        }),
        ("leg extension, largest, 1 = straight", |m| format!("{:.4}", m.motion.knee_extension_max)),
        ("footprints off the ground", |m| m.footprints_off.to_string()),
        ("inside obstacles, frames", |m| m.collision_frames.to_string()),
        ("jerk of the pelvis, RMS, m/s³", |m| format!("{:.0}", m.motion.pelvis_jerk_rms)),
        ("acceleration of the root, largest, m/s²", |m| format!("{:.1}", m.motion.root_accel_max)),
        ("speed of a knee, largest, °/s", |m| format!("{:.0}", m.motion.knee_speed_dps_max)),
        ("bend of a knee, largest, °", |m| format!("{:.0}", m.motion.knee_bend_deg_max)),
        ("shank to foot, least, °", |m| format!("{:.0}", m.motion.shank_foot_deg_min)),
        ("fall of an ankle, fastest, m/s", |m| format!("{:.2}", m.motion.ankle_fall_mps_max)),
        ("rise of an ankle, fastest, m/s", |m| format!("{:.2}", m.motion.ankle_rise_mps_max)),
        ("pop of a joint, largest, °", |m| format!("{:.1}", m.motion.joint_pop_deg_max)),
        ("pop of toes, largest, °", |m| format!("{:.1}", m.motion.toe_pop_deg_max)),
        ("acceleration of the hips, largest, m/s²", |m| format!("{:.1}", m.motion.hips_accel_max)),
        ("legs apart, least, mm", |m| format!("{:.0}", m.motion.legs_apart_mm_min)),
    ];
    page.table(
        &header,
        rows.iter().map(|(name, value)| {
            std::iter::once(name.to_string()).chain(metrics.iter().map(value)).collect()
        }),
    );
}
