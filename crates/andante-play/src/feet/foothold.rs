//! Where a foot can stand.

use crate::feet::settings::{FeetSettings, FootholdSettings};
use crate::feet::sole::{SoleOutline, half_width};
use crate::ground::clip::{flat, lifted};
use crate::ground::trace::{GroundQuery, Trace};
use crate::{FootStatus, Footprint};
use andante_skeleton::{Planar, rotation};
use andante_world::Ground;
use glam::{Quat, Vec2, Vec3};

/// Asks the ground, and remembers what it asked.
pub(crate) struct Sensor<'a> {
    pub ground: &'a dyn Ground,
    pub probes: &'a mut Trace<GroundQuery>,
    /// How far above and below the height that is expected the ground is looked for.
    pub range: f32,
    pub feet: &'a FeetSettings,
}

impl<'a> Sensor<'a> {
    fn scale(&self, wish: &FootholdQuery) -> FootScale<'a> {
        FootScale { unit: wish.unit, set: &self.feet.foothold }
    }

    /// The height of the ground, if it is near the expected one.
    #[inline]
    pub fn height(&mut self, place: Vec2, expected: f32) -> Option<f32> {
        let from = Vec3::new(place.x, expected + self.range, place.y);
        let height = self.ground.height_below(from, 2.0 * self.range);
        let height = height.filter(|height| height.is_finite());
        let hit = height.map(|height| Vec3::new(place.x, height, place.y));
        self.probes.push(GroundQuery { from, hit });
        height
    }
}

/// What is looked for.
pub(crate) struct FootholdQuery<'a> {
    /// The print the foot would like to have.
    pub place: Planar,
    /// The direction of travel, along which another is looked for first.
    pub along: Vec2,
    /// Height at which ground is expected.
    pub height: f32,
    pub sole: &'a SoleOutline,
    /// Length of the legs.
    pub unit: f32,
}

/// A place for a foot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    pub print: Footprint,
    pub status: FootStatus,
    /// How far from its wished place, along and across.
    pub offset: Vec2,
    lie: Lie,
}

/// How well a sole lies.
#[derive(Clone, Copy, Debug, Default)]
struct Lie {
    /// Largest distance of the ground from the sole.
    uneven: f32,
    /// Points of the sole without ground.
    missing: u32,
    /// What it costs that parts of a level sole have nothing below them.
    hanging: f32,
    /// Ends of the sole that are close to an edge, and those that are next to one that leads up: there is no room to
    /// roll.
    tight: u32,
    touching: u32,
    slope: f32,
}

/// Settings, and the length of legs they are for.
#[derive(Clone, Copy)]
struct FootScale<'a> {
    unit: f32,
    set: &'a FootholdSettings,
}

/// Points below a sole; those after them are beyond its ends.
const SOLE: usize = 5;
/// Points on a line that is searched.
const LINE: usize = 96;

impl Lie {
    /// A level sole on the highest of the heights below its points: how uneven the ground is where it lies, and what
    /// it costs that the rest hangs.
    fn level(heights: &[Option<f32>], of: FootScale) -> (f32, f32) {
        let highest = heights.iter().take(3).flatten().copied().fold(f32::NEG_INFINITY, f32::max);
        let (mut uneven, mut hanging) = (0.0f32, 0.0);
        let FootholdSettings { hanging_heel, hanging_ball, hanging_tip, hanging_side, .. } =
            *of.set;
        let costs = [hanging_heel, hanging_ball, hanging_tip, hanging_side, hanging_side];
        for (height, hangs) in heights.iter().zip(costs) {
            let Some(below) = height.map(|height| highest - height) else { continue };
            if below > of.set.broken * of.unit {
                hanging += hangs;
            } else {
                uneven = uneven.max(below.abs());
            }
        }
        (uneven, hanging)
    }

    fn cost(&self, offset: Vec2, of: FootScale) -> f32 {
        let square = |value: f32, scale: f32| (value / (scale * of.unit)).powi(2);
        square(offset.x, 0.15)
            + square(offset.y, 0.08)
            + square(self.uneven, 0.009)
            + ((self.slope - of.set.steep).max(0.0) / 0.2).powi(2)
            + 30.0 * self.missing as f32
            + self.hanging
            + 0.7 * self.tight as f32
            + 2.5 * self.touching as f32
    }
}

impl Fit {
    fn cost(&self, of: FootScale) -> f32 {
        self.lie.cost(self.offset, of)
    }

    /// There is no need to look for better.
    fn is_good(&self, of: FootScale) -> bool {
        let Lie { uneven, missing, hanging, tight, touching, slope } = self.lie;
        let lies = uneven < of.set.even * of.unit && slope < of.set.steep;
        lies && missing + tight + touching == 0 && hanging == 0.0
    }
}

impl FeetSettings {
    /// The height at which a sole would lie on ground that is expected at a height, and the cost of that: edges, slopes,
    /// little room. None where there is no ground. `sole` is where heel, ball and tip are ahead of the place, `unit` the
    /// length of the legs.
    pub fn lying(
        &self,
        ground: &dyn Ground,
        place: Planar,
        height: f32,
        sole: [f32; 3],
        unit: f32,
    ) -> Option<(f32, f32)> {
        let [heel, ball, tip] = sole.map(|ahead| Vec2::new(0.0, ahead));
        let half_width = half_width(heel.distance(tip), unit);
        let sole = SoleOutline { heel, ball, tip, half_width, ..SoleOutline::default() };
        let (sin, cos) = libm::sincosf(place.heading);
        let along = Vec2::new(sin, cos);
        let wish = FootholdQuery { place, along, height, sole: &sole, unit };
        let mut probes = Trace::new(0);
        let range = self.foothold.look * unit;
        let mut sensor = Sensor { ground, probes: &mut probes, range, feet: self };
        let fit = lay(&mut sensor, &wish, Vec2::ZERO)?;
        Some((fit.print.position.y, fit.cost(sensor.scale(&wish))))
    }
}

/// The best place for a foot near the one it would like; none if there is no ground.
pub(crate) fn find(sensor: &mut Sensor, wish: &FootholdQuery) -> Option<Fit> {
    let of = sensor.scale(wish);
    let mut best = lay(sensor, wish, Vec2::ZERO);
    if let Some(good) = best.filter(|fit| fit.is_good(of)) {
        return Some(settled(sensor, wish, good));
    }
    for aside in [0.0, of.set.aside, -of.set.aside] {
        let Some(along) = search_line(sensor, wish, aside * of.unit) else { continue };
        for nudge in [0.0, -0.5 * of.set.spacing, 0.5 * of.set.spacing] {
            let offset = Vec2::new(along + nudge * of.unit, aside * of.unit);
            let Some(found) = lay(sensor, wish, offset) else { continue };
            if best.as_ref().is_none_or(|best| found.cost(of) < best.cost(of)) {
                best = Some(found);
            }
        }
        if best.as_ref().is_some_and(|best| best.cost(of) < 4.0) {
            break;
        }
    }
    best.map(|best| settled(sensor, wish, best))
}

/// Lays a sole on the ground so far along and across from the wished place.
pub(crate) fn fit(sensor: &mut Sensor, wish: &FootholdQuery, offset: Vec2) -> Option<Fit> {
    lay(sensor, wish, offset).map(|fit| settled(sensor, wish, fit))
}

/// The height of the ground at a place, found by following it from another: what is too high or too low for a step is not
/// seen.
pub(crate) fn follow_ground(ground: &dyn Ground, from: Vec3, to: Vec2, range: f32) -> f32 {
    let looks = (flat(from).distance(to) / (0.5 * range)).ceil().clamp(1.0, 32.0);
    let mut height = from.y;
    for look in 1..=looks as usize {
        let at = flat(from).lerp(to, look as f32 / looks);
        let above = Vec3::new(at.x, height + range, at.y);
        let found = ground.height_below(above, 2.0 * range);
        height = found.filter(|height| height.is_finite()).unwrap_or(height);
    }
    height
}

/// Looks along a line for the offset at which a sole lies best, by the heights on the line alone.
fn search_line(sensor: &mut Sensor, wish: &FootholdQuery, aside: f32) -> Option<f32> {
    let of = sensor.scale(wish);
    let spacing = of.set.spacing * of.unit;
    let sole = wish.sole;
    let (back, front) = extent(sole, of);
    let room = (of.set.farthest + of.set.margin) * of.unit;
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
    let reach = (of.set.farthest * of.unit / spacing) as isize;
    let mut best: Option<(f32, f32)> = None;
    for step in -reach..=reach {
        let offset = step as f32 * spacing;
        let Some(middle) = at(offset) else { continue };
        let mut lie = Lie::default();
        let ball = at(offset + sole.ball.y);
        match (at(offset + back), at(offset + front)) {
            (Some(low), Some(high)) => {
                let along = along_sole(sole, of, low, ball, high);
                let line = |z: f32| low + along.height(z - back);
                lie.slope = along.slope.abs();
                lie.uneven = arched(middle - line(0.0), of).max((high - line(front)).abs());
                match ball {
                    Some(height) => {
                        lie.uneven = lie.uneven.max((height - line(sole.ball.y)).abs());
                    }
                    None => lie.missing += 1,
                }
                if lie.uneven > of.set.broken * of.unit || lie.slope > of.set.steepest {
                    (lie.uneven, lie.hanging) = Lie::level(&[Some(low), ball, Some(high)], of);
                    lie.slope = 0.0;
                }
                let above = |z: f32| at(offset + z).map(|height| height - line(z));
                let [behind, before] = near(sole, of);
                for (far, near) in [
                    (back - of.set.margin * of.unit, back - behind),
                    (front + of.set.margin * of.unit, front + before),
                ] {
                    lie.tight += tight(above(far), of);
                    lie.touching += touching(above(near), of);
                }
            }
            (low, high) => lie.missing += 2 + u32::from(low.is_none() && high.is_none()),
        }
        let cost = lie.cost(Vec2::new(offset, aside), of);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, offset));
        }
    }
    best.map(|(_, offset)| offset)
}

/// Whether ground so far above a sole, or none, leaves too little room next to it.
fn tight(above: Option<f32>, of: FootScale) -> u32 {
    u32::from(above.is_none_or(|above| above.abs() > of.set.broken * of.unit))
}

fn touching(above: Option<f32>, of: FootScale) -> u32 {
    u32::from(above.is_some_and(|above| above > of.set.broken * of.unit))
}

/// Room behind and before a sole that has to be free: some, and what it rolls over.
fn near(sole: &SoleOutline, of: FootScale) -> [f32; 2] {
    sole.rolls.map(|rolls| of.set.near * of.unit + rolls.clamp(0.0, of.set.margin * of.unit))
}

/// Ends of a sole along the way it points; a hoof is given some length, lest it have no slope.
fn extent(sole: &SoleOutline, of: FootScale) -> (f32, f32) {
    let least = 0.03 * of.unit;
    (sole.heel.y.min(-least), sole.tip.y.max(sole.ball.y).max(least))
}

/// What is below an arch is in nobody's way up to its height.
fn arched(deviation: f32, of: FootScale) -> f32 {
    (deviation.abs() - of.set.arch * of.unit).max(0.0)
}

/// A sole along the way it points.
#[derive(Clone, Copy)]
struct Along {
    /// Rise per metre from heel to ball.
    slope: f32,
    /// How far the toes are bent up, and their rise per metre.
    toes: f32,
    toe_slope: f32,
    /// Where they begin, from the heel on.
    bends_at: f32,
}

impl Along {
    /// Height above the heel at a distance from it.
    fn height(&self, distance: f32) -> f32 {
        let beyond = (distance - self.bends_at).max(0.0);
        self.slope * (distance - beyond) + self.toe_slope * beyond
    }
}

/// A sole on heights below its heel, ball and tip. Toes that cannot be bent far enough leave it straight.
fn along_sole(sole: &SoleOutline, of: FootScale, heel: f32, ball: Option<f32>, tip: f32) -> Along {
    let (back, front) = extent(sole, of);
    if let Some(ball) = ball.filter(|_| sole.bends) {
        let slope = (ball - heel) / (sole.ball.y - back);
        let bend = libm::atanf((tip - ball) / (front - sole.ball.y)) - libm::atanf(slope);
        if bend < of.set.toes_up && slope.abs() < of.set.steepest {
            let toes = bend.max(of.set.toes_down);
            let toe_slope = libm::tanf(libm::atanf(slope) + toes);
            return Along { slope, toes, toe_slope, bends_at: sole.ball.y - back };
        }
    }
    let slope = (tip - heel) / (front - back);
    Along { slope, toes: 0.0, toe_slope: slope, bends_at: front - back }
}

/// The wished place moved along and across the direction of travel.
fn shifted(wish: &FootholdQuery, offset: Vec2) -> Vec2 {
    let across = Vec2::new(wish.along.y, -wish.along.x);
    wish.place.position + wish.along * offset.x + across * offset.y
}

/// Lays a sole on the ground near the wished place.
fn lay(sensor: &mut Sensor, wish: &FootholdQuery, offset: Vec2) -> Option<Fit> {
    let (first, slopes) = lay_shortened(sensor, wish, offset, Vec2::ONE)?;
    if slopes.length() < sensor.feet.foothold.shortens {
        return Some(first);
    }
    // Seen from above a sole that is tilted is shorter.
    let cosines = (Vec2::ONE + slopes * slopes).map(|squared| squared.sqrt().recip());
    let again = lay_shortened(sensor, wish, offset, cosines);
    Some(again.map_or(first, |(again, _)| again))
}

/// The points of a sole at which the ground is asked: heel, ball, tip, both sides of the ball, the arch, and in
/// front of and behind the sole, first close to it and then at its margin.
fn probed(sole: &SoleOutline, of: FootScale) -> [Vec2; SOLE + 5] {
    let (back, front) = extent(sole, of);
    let middle = |z: f32| Vec2::new(sole.ball.x * ((z - back) / (front - back)).clamp(0.0, 1.0), z);
    let half = Vec2::new(sole.half_width, 0.0);
    [
        middle(back),
        sole.ball,
        middle(front),
        sole.ball + half,
        sole.ball - half,
        middle(0.5 * (back + sole.ball.y)),
        middle(back - near(sole, of)[0]),
        middle(front + near(sole, of)[1]),
        middle(back - of.set.margin * of.unit),
        middle(front + of.set.margin * of.unit),
    ]
}

/// Lays a sole that reaches only part of its length and width; returns its slopes across and along, too.
fn lay_shortened(
    sensor: &mut Sensor,
    wish: &FootholdQuery,
    offset: Vec2,
    shortened: Vec2,
) -> Option<(Fit, Vec2)> {
    let (sole, of) = (wish.sole.scaled(shortened), sensor.scale(wish));
    let place = Planar::new(shifted(wish, offset), wish.place.heading);
    let mut height = |point: Vec2| sensor.height(lifted(&place, point), wish.height);
    let back = extent(&sole, of).0;
    let points = probed(&sole, of);
    let heights = points.map(&mut height);
    let [heel, ball, tip, left, right, ..] = heights;
    let missing = heights[..SOLE].iter().filter(|height| height.is_none()).count() as u32;
    let highest = [heel, ball, tip].into_iter().flatten().reduce(f32::max)?;
    ball.or(heel.and(tip))?;

    let lying = Along { slope: 0.0, toes: 0.0, toe_slope: 0.0, bends_at: 0.0 };
    let along = match (heel, tip) {
        (Some(heel), Some(tip)) => along_sole(&sole, of, heel, ball, tip),
        _ => lying,
    };
    let mut across = match (left, right) {
        (Some(left), Some(right)) => (left - right) / (2.0 * sole.half_width),
        _ => 0.0,
    };
    let base = heel.unwrap_or(highest);
    let surface = |along: &Along, across: f32, point: Vec2| {
        base + across * (point.x - points[0].x) + along.height(point.y - back)
    };
    let deviation = |along: &Along, across: f32, index: usize| {
        heights[index].map_or(0.0, |height| height - surface(along, across, points[index]))
    };
    let uneven = |along: &Along, across: f32| {
        let largest = (0..SOLE).map(|index| deviation(along, across, index).abs());
        largest.fold(arched(deviation(along, across, SOLE), of), f32::max)
    };
    // An edge below the side of a foot is no slope.
    if uneven(&along, across) > of.set.broken * of.unit && across != 0.0 {
        across = 0.0;
    }
    let slopes = Vec2::new(across, along.slope);
    let broken =
        uneven(&along, across) > of.set.broken * of.unit || slopes.length() > of.set.steepest;
    let (along, level) = if broken { (lying, Vec2::ZERO) } else { (along, slopes) };
    let (uneven, hanging) = match broken {
        true => Lie::level(&heights[..SOLE], of),
        false => (uneven(&along, level.x), 0.0),
    };
    // The sole rests on the highest point below it.
    let rise = (0..3).map(|index| deviation(&along, level.x, index)).fold(0.0, f32::max);
    let rise = rise.max(deviation(&along, level.x, SOLE) - of.set.arch * of.unit);
    let rise = if broken { highest - base } else { rise };
    let above = |index: usize| heights[index].map(|_| deviation(&along, level.x, index));
    let y = surface(&along, level.x, Vec2::ZERO) + rise;
    let up = Vec3::new(-level.x, 1.0, -level.y);
    let up = Quat::from_rotation_y(place.heading) * up.normalize();
    let hangs = (0..3).any(|index| {
        heights[index].is_none_or(|height| y - height > of.set.broken * of.unit && broken)
    });
    let print = Footprint {
        position: Vec3::new(place.position.x, y, place.position.y),
        heading: place.heading,
        tilt: arc(Vec3::Y, up),
        toes: along.toes,
    };
    let fit = Fit {
        print,
        status: if hangs { FootStatus::Overhang } else { FootStatus::Firm },
        offset,
        lie: Lie {
            uneven,
            missing,
            hanging,
            tight: tight(above(SOLE + 3), of) + tight(above(SOLE + 4), of),
            touching: touching(above(SOLE + 1), of) + touching(above(SOLE + 2), of),
            slope: level.length(),
        },
    };
    print.is_finite().then_some((fit, level))
}

/// Lifts a sole that is tilted out of the ground, now that it is known where its points are.
fn settled(sensor: &mut Sensor, wish: &FootholdQuery, mut fit: Fit) -> Fit {
    if fit.print.tilt == Quat::IDENTITY && fit.print.toes == 0.0 {
        return fit;
    }
    let of = sensor.scale(wish);
    let frame = fit.print.frame();
    let SoleOutline { heel, ball, tip, toe, toe_height, .. } = *wish.sole;
    let point = |at: Vec2, height: f32| frame.transform_point(Vec3::new(at.x, height, at.y));
    let toe = point(toe, toe_height);
    let bent = |print: &Footprint, at: Vec2| {
        toe + rotation::exp(print.toe_turn()) * (point(at, 0.0) - toe)
    };
    let mut depth = |point: Vec3| {
        sensor.height(flat(point), wish.height).map_or(0.0, |ground| ground - point.y)
    };
    // Toes turn about a joint above the ball: a little more or less of it puts the tip on the ground.
    if fit.print.toes != 0.0 {
        let length = wish.sole.tip.distance(wish.sole.ball);
        let more = (depth(bent(&fit.print, tip)) / length).clamp(-0.1, 0.1);
        fit.print.toes = (fit.print.toes + more).clamp(of.set.toes_down, of.set.toes_up);
    }
    let points = [point(heel, 0.0), bent(&fit.print, ball), bent(&fit.print, tip)];
    let rise = points.into_iter().map(depth).fold(0.0, f32::max);
    // More than that is an edge that was passed.
    if rise < of.set.broken * of.unit {
        fit.print.position.y += rise;
    }
    fit
}

/// The shortest rotation between of.unit vectors that are not opposite.
fn arc(from: Vec3, to: Vec3) -> Quat {
    let axis = from.cross(to);
    if axis == Vec3::ZERO {
        return Quat::IDENTITY;
    }
    rotation::exp(axis.normalize() * libm::atan2f(axis.length(), from.dot(to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::HeightFunction;

    fn sole() -> SoleOutline {
        SoleOutline {
            heel: Vec2::new(0.0, -0.09),
            ball: Vec2::new(0.0, 0.09),
            tip: Vec2::new(0.0, 0.17),
            half_width: 0.04,
            bends: false,
            rolls: [0.0; 2],
            toe: Vec2::new(0.0, 0.09),
            toe_height: 0.01,
        }
    }

    fn look(ground: &dyn Ground, z: f32) -> Option<Fit> {
        let mut probes = Trace::new(8);
        let feet = FeetSettings::default();
        let mut sensor = Sensor { ground, probes: &mut probes, range: 0.55, feet: &feet };
        let place = Planar::new(Vec2::new(0.0, z), 0.0);
        let wish = FootholdQuery { place, along: Vec2::Y, height: 0.0, sole: &sole(), unit: 0.85 };
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

    #[test]
    fn toes_that_bend_lie_on_ground_that_does() {
        // The bottom of a valley and the top of a hill.
        for sign in [1.0f32, -1.0] {
            let ground = HeightFunction::new(move |place| sign * 1.2 * place.y * place.y);
            let mut probes = Trace::new(8);
            let feet = FeetSettings::default();
            let mut sensor =
                Sensor { ground: &ground, probes: &mut probes, range: 0.55, feet: &feet };
            let place = Planar::new(Vec2::new(0.0, 0.1), 0.0);
            let sole = SoleOutline { bends: true, ..sole() };
            let wish =
                FootholdQuery { place, along: Vec2::Y, height: 0.0, sole: &sole, unit: 0.85 };
            let Footprint { toes, .. } = fit(&mut sensor, &wish, Vec2::ZERO).unwrap().print;
            assert!(toes * sign > 0.1, "{toes}");
            let frame = fit(&mut sensor, &wish, Vec2::ZERO).unwrap().print.frame();
            for z in [-0.09, 0.09] {
                let point = frame.transform_point(Vec3::new(0.0, 0.0, z));
                let above = point.y - sign * 1.2 * point.z * point.z;
                assert!((-1e-5..3e-3).contains(&above), "{sign} {z}: {above}");
            }
        }
    }
}
