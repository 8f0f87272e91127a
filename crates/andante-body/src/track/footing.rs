//! Where the ground can push at every moment of a clip.

use andante_dynamics::Vec3;
use glam::DVec3;

use super::clip_plan::ClipPlanSettings;
use super::foot_way::FootWay;
use crate::support_polygon::{Point, SupportPolygon};
use crate::walk::foot_path::Shoe;

/// The breadth of both soles.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoleBreadth {
    /// Half of it.
    pub half: f64,
    /// Where the middles are beside the ankles.
    pub middles: [f64; 2],
}

/// The area in which the pressure may be, frame by frame; `None` in the air.
///
/// Weight comes on a foot and goes off it little by little: near the ends of a stance that it shares with the other foot
/// its corners are drawn towards that one.
pub(super) fn areas(
    ways: &[FootWay; 2],
    shoe: &Shoe,
    breadth: &SoleBreadth,
    settings: &ClipPlanSettings,
) -> Vec<Option<SupportPolygon>> {
    let n = ways[0].poses.len();
    (0..n).map(|frame| area(ways, frame, shoe, breadth, settings)).collect()
}

fn area(
    ways: &[FootWay; 2],
    frame: usize,
    shoe: &Shoe,
    breadth: &SoleBreadth,
    settings: &ClipPlanSettings,
) -> Option<SupportPolygon> {
    let shares = [0, 1].map(|foot| share(ways, foot, frame, settings));
    let corners = [0, 1]
        .map(|foot| shares[foot].map(|_| sole_corners(ways, foot, frame, shoe, breadth, settings)));
    let middle = |c: &[DVec3; 4]| (c[0] + c[1] + c[2] + c[3]) * 0.25;
    let mut points: Vec<Point> = Vec::with_capacity(8);
    for foot in 0..2 {
        let (Some(own), Some(share)) = (&corners[foot], shares[foot]) else { continue };
        let towards = corners[1 - foot].as_ref().map(middle);
        for corner in own {
            let at = towards.map_or(*corner, |to| to.lerp(*corner, share));
            points.push([at.x, at.z]);
        }
    }
    (!points.is_empty()).then(|| SupportPolygon::hull(&points))
}

/// How much of a foot counts: 1 in the middle of its stance, 0 as it strikes and leaves; `None` in the air.
fn share(
    ways: &[FootWay; 2],
    foot: usize,
    frame: usize,
    settings: &ClipPlanSettings,
) -> Option<f64> {
    let n = ways[foot].poses.len();
    let stance = ways[foot].stances.iter().find(|s| s.first <= frame && frame < s.end)?;
    let ramp = (settings.shift / settings.frame).max(1.0);
    // Who stands as the clip begins or ends has stood before and does afterwards.
    let since = if stance.first == 0 { ramp } else { (frame - stance.first) as f64 };
    let left = if stance.end >= n { ramp } else { (stance.end - 1 - frame) as f64 };
    // No ramp is longer than both feet are down.
    let shared = |from: usize, step: isize| {
        let mut k = from as isize;
        let other = &ways[1 - foot].stances;
        let both = |k: isize| other.iter().any(|s| (s.first as isize) <= k && k < s.end as isize);
        while (0..n as isize).contains(&k) && both(k) && ((k - from as isize).abs() as f64) < ramp {
            k += step;
        }
        ((k - from as isize).abs() as f64).max(1.0)
    };
    let rising = since / shared(stance.first, 1).min(ramp);
    let falling = left / shared(stance.end.min(n) - 1, -1).min(ramp);
    let u = rising.min(falling).clamp(0.0, 1.0);
    Some(u * u * (3.0 - 2.0 * u))
}

/// The corners of what a sole bears with: only its toes when the heel has risen, only its heel when that strikes.
fn sole_corners(
    ways: &[FootWay; 2],
    foot: usize,
    frame: usize,
    shoe: &Shoe,
    breadth: &SoleBreadth,
    settings: &ClipPlanSettings,
) -> [DVec3; 4] {
    let pose = &ways[foot].poses[frame];
    let risen = (pose.pitch.abs() / settings.rolled).min(1.0);
    let trusted = settings.trusted;
    let (mut heel, mut toe) = (shoe.heel * trusted, shoe.toe * trusted);
    if pose.pitch < 0.0 {
        heel += (0.8 * toe - heel) * risen;
    } else {
        toe += (0.8 * heel - toe) * risen;
    }
    let at = |along: f64, aside: f64| {
        let aside = aside + breadth.middles[foot];
        let place = pose.ankle + pose.rotation() * DVec3::new(aside, -shoe.below, along);
        DVec3::new(place.x, 0.0, place.z)
    };
    let wide = breadth.half * trusted;
    [at(heel, -wide), at(heel, wide), at(toe, wide), at(toe, -wide)]
}

/// The pressures that come nearest to what a motion asks for and stay where the ground can push.
pub(super) fn within(areas: &[Option<SupportPolygon>], asked: &[Vec3<f64>]) -> Vec<Point> {
    let mut last = [0.0; 2];
    let mut found: Vec<Option<Point>> = Vec::with_capacity(asked.len());
    for (area, asked) in areas.iter().zip(asked) {
        found.push(area.as_ref().map(|area| area.clamp([asked.x, asked.z])));
    }
    // In the air it is on its way to the next.
    let first = found.iter().flatten().next().copied().unwrap_or_default();
    let mut before = (0, first);
    let mut out = Vec::with_capacity(found.len());
    for k in 0..found.len() {
        if let Some(own) = found[k] {
            (before, last) = ((k, own), own);
            out.push(own);
            continue;
        }
        let next = found[k..].iter().position(Option::is_some).map(|j| k + j);
        let (Some(next), (from, a)) = (next, before) else {
            out.push(last);
            continue;
        };
        let b = found[next].unwrap_or(last);
        let u = (k - from) as f64 / (next - from).max(1) as f64;
        out.push([a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u]);
    }
    out
}
