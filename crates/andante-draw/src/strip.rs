//! A take as a filmstrip.

use crate::{Sheet, SideView, StripSettings};
use andante_skeleton::Clip;
use andante_take::{Take, Track};
use andante_world::{Ground, SceneGround};
use glam::{Vec2, Vec2Swizzles, Vec3};

/// Stick figures from the side, row by row along the way of one track, with fainter ones between them.
pub fn take_strip(
    take: &Take,
    track: Option<usize>,
    [from, to]: [f32; 2],
    settings: &StripSettings,
) -> Sheet {
    let mut sheet = Sheet::new(&take.head.name);
    let Some(track) = take.tracks.get(track.unwrap_or(0)) else { return sheet };
    sheet.note(format!("{}, from {from:.2} s to {to:.2} s", track.name));
    let ground = SceneGround::new(&take.head.ground);
    let frame =
        |time: f32| ((time * track.clip.fps()).round() as usize).min(track.clip.frame_count() - 1);
    for [first, last] in rows(track, frame(from), frame(to), settings) {
        let Some(clip) = part(track, first, last) else { continue };
        let place = |frame: usize| track.body[frame].position;
        let direction = place(last) - place(first);
        let heading = track.body[first].heading;
        let direction =
            if direction.length() > 0.5 { direction } else { Vec2::from_angle(heading).yx() };
        let direction = direction.normalize_or(Vec2::Y);
        let length = (place(last) - place(first)).length();
        let figures = ((length / settings.figure_step.max(1e-3)) as usize).clamp(6, 12);
        let lines =
            outline(track, &ground, [first, last], direction, settings.ground_step.max(1e-3));
        let skeleton = &track.character.skeleton;
        let mut view = SideView::new(skeleton, &clip, place(first), direction)
            .figures(figures)
            .style(settings.side)
            .onion(settings.onion)
            .starting(track.clip.frame_time(first))
            .ground(lines);
        for print in &track.footprints {
            let span = track.clip.frame_time(first)..=track.clip.frame_time(last);
            if let Some(foot) = track.character.rig.feet.get(print.foot)
                && span.contains(&print.landing)
            {
                view = view.footprint(foot.side, print.heel, print.tip);
            }
        }
        sheet.add(view.draw());
    }
    sheet
}

/// First and last frames of rows of about equal way.
fn rows(track: &Track, first: usize, last: usize, settings: &StripSettings) -> Vec<[usize; 2]> {
    let step = |frame: usize| track.body[frame].position.distance(track.body[frame - 1].position);
    let whole: f32 = (first + 1..=last).map(step).sum();
    let row = settings.row.max(1e-3).max(whole / settings.most_rows.max(1.0));
    let count = (whole / row).ceil().max(1.0);
    let mut found = Vec::new();
    let (mut begun, mut gone) = (first, 0.0);
    for frame in first + 1..=last {
        gone += step(frame);
        if gone >= whole / count && found.len() + 1 < count as usize {
            found.push([begun, frame]);
            (begun, gone) = (frame, 0.0);
        }
    }
    found.push([begun, last]);
    found
}

fn part(track: &Track, first: usize, last: usize) -> Option<Clip> {
    let joints = track.clip.joint_count();
    let transforms = track.clip.transforms().get(first * joints..(last + 1) * joints)?;
    let skeleton = &track.character.skeleton;
    Clip::restored(&track.name, skeleton, track.clip.fps(), transforms.to_vec()).ok()
}

/// The ground under the way, a little before and after it, divided by holes.
fn outline(
    track: &Track,
    ground: &SceneGround,
    [first, last]: [usize; 2],
    direction: Vec2,
    spacing: f32,
) -> Vec<Vec<Vec2>> {
    let origin = track.body[first].position;
    let along = |frame: usize| (track.body[frame].position - origin).dot(direction);
    let far = (first..=last).map(along).fold(0.0, f32::max) + 0.8;
    let mut lines = vec![Vec::new()];
    let mut frame = first;
    for step in 0..=((far + 0.8) / spacing) as usize {
        let distance = step as f32 * spacing - 0.8;
        while frame < last && along(frame) < distance {
            frame += 1;
        }
        let beside = track.body[frame].position - origin - along(frame) * direction;
        let place = origin + distance * direction + beside;
        let from = track.clip.frame(frame)[0].translation.y + 0.3;
        match ground.probe(Vec3::new(place.x, from, place.y), 4.0) {
            Some(hit) => {
                if let Some(line) = lines.last_mut() {
                    line.push(Vec2::new(distance, hit.point.y));
                }
            }
            None => lines.push(Vec::new()),
        }
    }
    lines.retain(|line| line.len() > 1);
    lines
}
