//! Where a foot can stand.

use crate::clip::lifted;
use crate::sole::Sole;
use crate::trace::{Probed, Trace};
use crate::{FootStatus, Footprint};
use andante_skeleton::{Planar, rotation};
use andante_world::Ground;
use glam::{Quat, Vec2, Vec3};

/// Asks the ground, and remembers what it asked.
pub(crate) struct Sensor<'a> {
    pub ground: &'a dyn Ground,
    pub probes: &'a mut Trace<Probed>,
    /// How far above and below the height that is expected the ground is looked for.
    pub range: f32,
}

impl Sensor<'_> {
    /// The height of the ground, if it is near the expected one.
    pub fn height(&mut self, place: Vec2, expected: f32) -> Option<f32> {
        let from = Vec3::new(place.x, expected + self.range, place.y);
        let hit = self.ground.probe(from, 2.0 * self.range).map(|hit| hit.point);
        let hit = hit.filter(|point| point.is_finite());
        self.probes.push(Probed { from, hit });
        hit.map(|point| point.y)
    }
}

/// What is looked for.
pub(crate) struct Wish<'a> {
    /// The print the foot would like to have.
    pub place: Planar,
    /// The direction of travel, along which another is looked for first.
    pub along: Vec2,
    /// Height at which ground is expected.
    pub height: f32,
    pub sole: &'a Sole,
    /// Length of the legs.
    pub unit: f32,
}

/// A place for a foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    pub print: Footprint,
    pub status: FootStatus,
    /// How far from its wished place, along and across.
    offset: Vec2,
    /// Largest distance of the ground from the plane of the sole.
    uneven: f32,
    /// Points of the sole without ground.
    missing: u32,
    /// Ends of the sole that are next to an edge.
    tight: u32,
    slope: f32,
}

/// Distances in leg lengths: unevenness that is none, that is a stair, and how far feet go out of their way.
const EVEN: f32 = 0.006;
const BROKEN: f32 = 0.035;
const FARTHEST: f32 = 0.2;
const SPACING: f32 = 0.0125;
const ASIDE: f32 = 0.09;
/// Room around a sole that should be even too.
const MARGIN: f32 = 0.045;
/// Slopes, as tangents: soles do not like to lie on the first and cannot lie on the second.
const STEEP: f32 = 0.5;
const STEEPEST: f32 = 1.0;
/// Points below a sole; those after them are beyond its ends.
const SOLE: usize = 5;
/// Points on a line that is searched.
const LINE: usize = 96;

impl Fit {
    fn cost(&self, unit: f32) -> f32 {
        let square = |value: f32, scale: f32| (value / (scale * unit)).powi(2);
        square(self.offset.x, 0.15)
            + square(self.offset.y, 0.08)
            + square(self.uneven, 0.009)
            + ((self.slope - STEEP).max(0.0) / 0.2).powi(2)
            + 30.0 * self.missing as f32
            + 0.7 * self.tight as f32
    }
}

/// The best place for a foot near the one it would like; none if there is no ground.
pub(crate) fn find(sensor: &mut Sensor, wish: &Wish) -> Option<Fit> {
    let unit = wish.unit;
    let wished = fit(sensor, wish, Vec2::ZERO);
    if let Some(good) = wished
        .filter(|fit| fit.uneven < EVEN * unit && fit.missing + fit.tight == 0 && fit.slope < STEEP)
    {
        return Some(good);
    }
    let mut best = wished;
    let cheaper = |best: &Option<Fit>, fit: &Fit| {
        best.as_ref().is_none_or(|best| fit.cost(unit) < best.cost(unit))
    };
    for aside in [0.0, ASIDE, -ASIDE] {
        let Some(along) = search_line(sensor, wish, aside * unit) else { continue };
        for nudge in [0.0, -0.5 * SPACING, 0.5 * SPACING] {
            let offset = Vec2::new(along + nudge * unit, aside * unit);
            if let Some(found) = fit(sensor, wish, offset)
                && cheaper(&best, &found)
            {
                best = Some(found);
            }
        }
        if best.as_ref().is_some_and(|best| best.cost(unit) < 4.0) {
            break;
        }
    }
    best
}

/// Looks along a line for the offset at which a sole lies best, by the heights on the line alone.
fn search_line(sensor: &mut Sensor, wish: &Wish, aside: f32) -> Option<f32> {
    let unit = wish.unit;
    let spacing = SPACING * unit;
    let sole = wish.sole;
    let (back, front) = extent(sole, unit);
    let room = (FARTHEST + MARGIN) * unit;
    let before = ((room - back) / spacing).ceil() as isize;
    let after = ((room + front) / spacing).ceil() as isize;
    let count = ((before + after + 1) as usize).min(LINE);
    let mut heights = [None; LINE];
    for (index, height) in heights[..count].iter_mut().enumerate() {
        let along = (index as isize - before) as f32 * spacing;
        *height = sensor.height(shifted(wish, Vec2::new(along, aside)), wish.height);
    }
    let at = |along: f32| {
        let index = (along / spacing).round() as isize + before;
        usize::try_from(index).ok().and_then(|index| heights[..count].get(index)).copied().flatten()
    };
    let reach = (FARTHEST * unit / spacing) as isize;
    let mut best: Option<(f32, f32)> = None;
    for step in -reach..=reach {
        let offset = step as f32 * spacing;
        let Some(middle) = at(offset) else { continue };
        let (mut uneven, mut missing, mut tight, mut slope) = (0.0f32, 0, 0, 0.0f32);
        match (at(offset + back), at(offset + front)) {
            (Some(low), Some(high)) => {
                slope = (high - low) / (front - back);
                let line = |z: f32| low + slope * (z - back);
                uneven = (middle - line(0.0)).abs();
                match at(offset + sole.ball.y) {
                    Some(height) => uneven = uneven.max((height - line(sole.ball.y)).abs()),
                    None => missing += 1,
                }
                for z in [back - MARGIN * unit, front + MARGIN * unit] {
                    let off = |height: f32| (height - line(z)).abs() > BROKEN * unit;
                    tight += u32::from(at(offset + z).is_none_or(off));
                }
            }
            (low, high) => missing += 2 + u32::from(low.is_none() && high.is_none()),
        }
        let offset = Vec2::new(offset, aside);
        let slope = slope.abs();
        let print = Footprint::level(Vec3::ZERO, 0.0);
        let status = FootStatus::Firm;
        let cost = Fit { print, status, offset, uneven, missing, tight, slope }.cost(unit);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, offset.x));
        }
    }
    best.map(|(_, offset)| offset)
}

/// Ends of a sole along the way it points; a hoof is given some length, lest it have no slope.
fn extent(sole: &Sole, unit: f32) -> (f32, f32) {
    let least = 0.03 * unit;
    (sole.heel.y.min(-least), sole.tip.y.max(sole.ball.y).max(least))
}

/// The wished place moved along and across the direction of travel.
fn shifted(wish: &Wish, offset: Vec2) -> Vec2 {
    let across = Vec2::new(wish.along.y, -wish.along.x);
    wish.place.position + wish.along * offset.x + across * offset.y
}

/// Lays a sole on the ground.
pub(crate) fn fit(sensor: &mut Sensor, wish: &Wish, offset: Vec2) -> Option<Fit> {
    let (sole, unit) = (wish.sole, wish.unit);
    let place = Planar::new(shifted(wish, offset), wish.place.heading);
    let mut height = |point: Vec2| sensor.height(lifted(&place, point), wish.height);
    let (back, front) = extent(sole, unit);
    let middle = |z: f32| Vec2::new(sole.ball.x * ((z - back) / (front - back)).clamp(0.0, 1.0), z);
    let half = Vec2::new(sole.half_width, 0.0);
    let points = [
        middle(back),
        sole.ball,
        middle(front),
        sole.ball + half,
        sole.ball - half,
        middle(back - MARGIN * unit),
        middle(front + MARGIN * unit),
    ];
    let heights = points.map(&mut height);
    let [heel, ball, tip, left, right, ..] = heights;
    let missing = heights[..SOLE].iter().filter(|height| height.is_none()).count() as u32;
    let highest = [heel, ball, tip].into_iter().flatten().reduce(f32::max)?;
    ball.or(heel.and(tip))?;

    let mut slopes = Vec2::ZERO;
    if let (Some(heel), Some(tip)) = (heel, tip) {
        slopes.y = (tip - heel) / (front - back);
    }
    if let (Some(left), Some(right)) = (left, right) {
        slopes.x = (left - right) / (2.0 * sole.half_width);
    }
    let base = heel.unwrap_or(highest);
    let plane = |slopes: Vec2, point: Vec2| base + slopes.dot(point - points[0]);
    let deviation = |slopes: Vec2, index: usize| {
        heights[index].map_or(0.0, |height| height - plane(slopes, points[index]))
    };
    let uneven =
        |slopes: Vec2| (0..SOLE).map(|index| deviation(slopes, index).abs()).fold(0.0, f32::max);
    // An edge below the side of a foot is no slope.
    if uneven(slopes) > BROKEN * unit && slopes.x != 0.0 {
        slopes.x = 0.0;
    }
    let broken = uneven(slopes) > BROKEN * unit || slopes.length() > STEEPEST;
    let level = if broken { Vec2::ZERO } else { slopes };
    // The sole rests on the highest point below it.
    let rise = (0..3).map(|index| deviation(level, index)).fold(f32::NEG_INFINITY, f32::max);
    let rise = if broken { highest - base } else { rise };
    let off =
        |&index: &usize| heights[index].is_none() || deviation(level, index).abs() > BROKEN * unit;
    let tight = (SOLE..points.len()).filter(off).count() as u32;
    let position = place.position;
    let y = plane(level, Vec2::ZERO) + rise;
    let up = Vec3::new(-level.x, 1.0, -level.y);
    let up = Quat::from_rotation_y(place.heading) * up.normalize();
    let tilt = arc(Vec3::Y, up);
    let hangs = (0..3)
        .any(|index| heights[index].is_none_or(|height| y - height > BROKEN * unit && broken));
    Some(Fit {
        print: Footprint {
            position: Vec3::new(position.x, y, position.y),
            heading: place.heading,
            tilt,
        },
        status: if hangs { FootStatus::Overhang } else { FootStatus::Firm },
        offset,
        uneven: uneven(level),
        missing,
        tight,
        slope: slopes.length(),
    })
    .filter(|fit| fit.print.is_finite())
}

/// The shortest rotation between unit vectors that are not opposite.
fn arc(from: Vec3, to: Vec3) -> Quat {
    let axis = from.cross(to);
    if axis == Vec3::ZERO {
        return Quat::IDENTITY;
    }
    rotation::exp(axis.normalize() * axis.length().atan2(from.dot(to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::HeightFunction;

    fn sole() -> Sole {
        Sole {
            heel: Vec2::new(0.0, -0.09),
            ball: Vec2::new(0.0, 0.09),
            tip: Vec2::new(0.0, 0.17),
            half_width: 0.04,
        }
    }

    fn look(ground: &dyn Ground, z: f32) -> Option<Fit> {
        let mut probes = Trace::new(8);
        let mut sensor = Sensor { ground, probes: &mut probes, range: 0.55 };
        let place = Planar::new(Vec2::new(0.0, z), 0.0);
        let wish = Wish { place, along: Vec2::Y, height: 0.0, sole: &sole(), unit: 0.85 };
        find(&mut sensor, &wish)
    }

    #[test]
    fn a_sole_lies_on_a_slope_with_heel_and_tip() {
        let ramp = HeightFunction::new(|place| 0.3 * place.y - 0.2 * place.x);
        let found = look(&ramp, 0.4).unwrap();
        let frame = found.print.frame();
        for z in [-0.09, 0.09, 0.17] {
            let point = frame.transform_point(Vec3::new(0.0, 0.0, z));
            assert!((point.y - 0.3 * point.z + 0.2 * point.x).abs() < 1e-5);
        }
        assert_eq!(found.status, FootStatus::Firm);
        assert_eq!(found.offset, Vec2::ZERO);
    }

    #[test]
    fn feet_keep_off_the_edges_of_stairs() {
        let stairs = HeightFunction::new(|place| 0.17 * (place.y / 0.29).floor());
        for step in 0..20 {
            let z = 0.015 * step as f32;
            let found = look(&stairs, z).unwrap();
            let heights = [-0.09, 0.09, 0.17]
                .map(|end| (0.17 * ((found.print.position.z + end) / 0.29).floor() * 1e4).round());
            assert_eq!(heights[0], heights[2], "wished {z}: at {}", found.print.position.z);
            assert!(found.print.tilt.is_near_identity());
        }
    }

    #[test]
    fn where_there_is_no_ground_there_is_no_foothold() {
        assert!(look(&HeightFunction::new(|_| f32::NAN), 0.0).is_none());
        assert!(look(&HeightFunction::new(|_| 3.0), 0.0).is_none());
        assert!(look(&HeightFunction::new(|_| -3.0), 0.0).is_none());
    }

    #[test]
    fn feet_step_back_from_a_cliff() {
        let cliff = HeightFunction::new(|place| if place.y > 0.1 { f32::NAN } else { 0.0 });
        let found = look(&cliff, 0.0).unwrap();
        assert!(found.print.position.z + 0.17 < 0.1, "{}", found.print.position.z);
        assert_eq!(found.status, FootStatus::Firm);
    }
}
