//! Where the feet go: from played footprints to desired ones.

use super::footprint::{PlanarPrint, PlannedFootprint, StanceFrames};
use super::refinement::refined;
use super::score::FPS;
use super::smoothing::smooth_round;
use super::trajectory::TrajectoryPoint;
use super::vocabulary::FootShape;
use super::{FootprintSettings, StepGround};
use andante_skeleton::{Planar, rotation};
use glam::{Vec2, Vec3};

/// Contacts with the footprints that were played and those that are desired, in the order in which
/// feet leave the ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Plot {
    pub stances: Vec<StanceFrames>,
    pub played: Vec<PlanarPrint>,
    pub desired: Vec<PlanarPrint>,
    pub settings: FootprintSettings,
}

impl Plot {
    /// Desired are the played footprints, where they may be stepped on.
    pub fn new(
        found: Vec<(StanceFrames, PlanarPrint)>,
        shapes: &[FootShape; 2],
        world: &StepGround,
        settings: &FootprintSettings,
    ) -> Self {
        let (stances, played): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let mut plot = Self { stances, desired: played.clone(), played, settings: *settings };
        plot.snap(shapes, world);
        plot
    }

    fn snap(&mut self, shapes: &[FootShape; 2], world: &StepGround) {
        for print in self.desired.iter_mut().filter(|print| !print.fixed) {
            print.snap(&shapes[print.foot], world);
        }
    }

    /// Steps on given footprints: the first contact of a foot on its first, and so on.
    pub fn force(&mut self, given: &[PlanarPrint]) {
        for foot in 0..2 {
            let mut wanted = given.iter().filter(|print| print.foot == foot);
            let mut order: Vec<usize> =
                (0..self.stances.len()).filter(|&k| self.stances[k].foot == foot).collect();
            order.sort_by_key(|&k| self.stances[k].frames[0]);
            for k in order {
                let Some(print) = wanted.next() else { break };
                self.desired[k] = PlanarPrint { fixed: true, ..*print };
            }
        }
    }

    /// Steps on given footprints: each with the contact that is under way at its time.
    pub fn stand_on(&mut self, footholds: &[(f32, PlanarPrint)]) {
        for (time, print) in footholds {
            let frame = (time * FPS).round() as usize;
            let is_under_way = |stance: &StanceFrames| {
                stance.foot == print.foot && stance.frames[0] <= frame && frame <= stance.frames[1]
            };
            if let Some(k) = self.stances.iter().position(is_under_way)
                && !self.desired[k].fixed
            {
                self.desired[k] = *print;
            }
        }
    }

    /// Steps on footprints that are known already, whatever the clips say.
    pub fn pin(&mut self, pins: &[(usize, PlanarPrint)]) {
        for (frame, print) in pins {
            let is_under_way = |stance: &StanceFrames| {
                stance.foot == print.foot && (stance.frames[0]..=stance.frames[1]).contains(frame)
            };
            if let Some(k) = self.stances.iter().position(is_under_way) {
                self.desired[k] = PlanarPrint { fixed: true, ..*print };
            }
        }
    }

    /// Smooths how far desired footprints are from played ones, foot by foot, and keeps them on
    /// walkable ground (footstep-planning 3.2). Footprints of a straight, even walk are their own
    /// mean, and so it is what was changed that is smoothed; smoothing the footprints themselves would
    /// make first steps as long as the rest.
    pub fn smooth(&mut self, rounds: usize, shapes: &[FootShape; 2], world: &StepGround) {
        for _ in 0..rounds {
            for foot in 0..2 {
                let of_foot: Vec<usize> =
                    (0..self.played.len()).filter(|&k| self.played[k].foot == foot).collect();
                let moved: Vec<Planar> = of_foot
                    .iter()
                    .map(|&k| {
                        let (from, to) = (&self.played[k].place, &self.desired[k].place);
                        let turn = rotation::wrap_angle(to.heading - from.heading);
                        Planar::new(to.position - from.position, turn)
                    })
                    .collect();
                if moved.is_empty() || moved.iter().all(|m| *m == Planar::IDENTITY) {
                    continue;
                }
                for (&k, moved) in of_foot.iter().zip(smooth_round(&moved)) {
                    if !self.desired[k].fixed {
                        let from = &self.played[k].place;
                        self.desired[k].place = Planar::new(
                            from.position + moved.position,
                            from.heading + moved.heading,
                        );
                    }
                }
            }
            self.snap(shapes, world);
        }
    }

    /// Makes desired footprints lie to their neighbours as played ones do (footstep-planning 3.4).
    pub fn refine(&mut self, rounds: usize, shapes: &[FootShape; 2], world: &StepGround) {
        if self.desired.iter().zip(&self.played).all(|(d, p)| d.place == p.place) {
            return;
        }
        for _ in 0..rounds {
            for k in 1..self.desired.len().saturating_sub(1) {
                if self.desired[k].fixed {
                    continue;
                }
                let played = [k - 1, k, k + 1].map(|k| &self.played[k].place);
                let around = [&self.desired[k - 1].place, &self.desired[k + 1].place];
                let place = refined(played, around, self.settings.close);
                let print = &mut self.desired[k];
                print.place = place;
                print.snap(&shapes[print.foot], world);
            }
        }
    }

    /// Moves feet that would step across the other one to their own side.
    pub fn uncross(&mut self, shapes: &[FootShape; 2], world: &StepGround) {
        for k in 1..self.desired.len() {
            let (before, after) = self.desired.split_at_mut(k);
            let (a, b) = (&mut before[k - 1], &mut after[0]);
            if a.foot == b.foot {
                continue;
            }
            let turn = rotation::wrap_angle(b.place.heading - a.place.heading);
            let heading = a.place.heading + 0.5 * turn;
            let left = Vec2::new(libm::cosf(heading), -libm::sinf(heading));
            let side = if b.foot == 0 { left } else { -left };
            let step = b.place.position - a.place.position;
            let missing = self.settings.apart - step.dot(side);
            // Feet that stand beside each other, or step aside, may come close.
            if missing <= 0.0 || step.perp_dot(side).abs() < self.settings.striding {
                continue;
            }
            let share = match (a.fixed, b.fixed) {
                (true, true) => continue,
                (true, false) => 1.0,
                (false, true) => 0.0,
                (false, false) => 0.5,
            };
            b.place.position += side * (missing * share);
            a.place.position -= side * (missing * (1.0 - share));
            for print in [a, b] {
                if !print.fixed {
                    print.snap(&shapes[print.foot], world);
                }
            }
        }
    }

    /// Takes the same changes over to footprints that were played anew.
    pub fn replayed(
        &self,
        found: Vec<(StanceFrames, PlanarPrint)>,
        shapes: &[FootShape; 2],
        world: &StepGround,
    ) -> Self {
        let mut next = Self::new(found, shapes, world, &self.settings);
        let alike = next.played.len() == self.played.len()
            && next.played.iter().zip(&self.played).all(|(a, b)| a.foot == b.foot);
        if alike {
            for k in 0..next.desired.len() {
                if !next.desired[k].fixed {
                    next.desired[k].place = self.desired[k].place;
                }
            }
        }
        next
    }

    /// Puts footprints onto the ground.
    pub fn footprints(&self, shapes: &[FootShape; 2], world: &StepGround) -> Vec<PlannedFootprint> {
        let mut height = world.level;
        let mut prints = Vec::with_capacity(self.desired.len());
        for (stance, print) in self.stances.iter().zip(&self.desired) {
            let shape = &shapes[print.foot];
            let footprint = grounded(stance, print, shape, world, height, &self.settings);
            height = Some(footprint.position.y);
            prints.push(footprint);
        }
        prints
    }

    /// The times at which the body is above a footprint: the middle of its contact, where that is not a long one.
    pub fn times(&self) -> Vec<f32> {
        let mut before = f32::NEG_INFINITY;
        self.stances
            .iter()
            .map(|stance| {
                let [first, last] = stance.frames.map(|frame| frame as f32 / FPS);
                let (low, high) = (first.max(last - 0.6), last.min(first + 0.6));
                before = (0.5 * (low + high)).max(before + 0.02);
                before
            })
            .collect()
    }
}

/// The middles of successive footprints.
pub(super) fn waypoints(
    times: &[f32],
    positions: impl Fn(usize) -> Vec3,
    headings: impl Fn(usize) -> f32,
) -> Vec<TrajectoryPoint> {
    let mut before: Option<f32> = None;
    (1..times.len())
        .map(|k| {
            let (a, b) = (headings(k - 1), headings(k));
            let mean = a + 0.5 * rotation::wrap_angle(b - a);
            let heading = before.map_or(mean, |was| was + rotation::wrap_angle(mean - was));
            before = Some(heading);
            TrajectoryPoint {
                time: 0.5 * (times[k - 1] + times[k]),
                position: 0.5 * (positions(k - 1) + positions(k)),
                heading,
            }
        })
        .collect()
}

/// The footprint on the ground below it.
fn grounded(
    stance: &StanceFrames,
    print: &PlanarPrint,
    shape: &FootShape,
    world: &StepGround,
    height: Option<f32>,
    settings: &FootprintSettings,
) -> PlannedFootprint {
    let ahead = Vec2::new(libm::sinf(print.place.heading), libm::cosf(print.place.heading));
    let from = height.map_or(1e4, |height| height + settings.look_up);
    let depth = height.map_or(2e4, |_| settings.look_up + settings.look_down);
    let probe = |offset: f32| {
        let at = print.place.position + ahead * offset;
        world.ground.probe(Vec3::new(at.x, from, at.y), depth)
    };
    let [heel, middle, ball] = [shape.heel, 0.0, shape.ball].map(probe);
    let level = middle.map_or(height.unwrap_or(0.0), |hit| hit.point.y);
    let heights = [heel, ball].map(|hit| hit.map_or(level, |hit| hit.point.y));
    let normal = middle.map_or(Vec3::Y, |hit| hit.normal);
    let forward = Vec3::new(ahead.x, 0.0, ahead.y);
    let left = Vec3::new(ahead.y, 0.0, -ahead.x);
    let apart = heights[1] - heights[0];
    // An edge, and not only a slope.
    let along = -shape.heel / (shape.ball - shape.heel).max(0.01);
    let is_broken = (heights[0] + along * apart - level).abs() > 0.2 * apart.abs();
    let (level, normal) = if apart.abs() > settings.edge && is_broken {
        (heights[0].max(heights[1]), Vec3::Y)
    } else {
        // Along the foot from heel to ball, across it as the ground is.
        let rise = apart / (shape.ball - shape.heel).max(0.01);
        let across = -normal.dot(left) / normal.y.max(0.3);
        let plane = (Vec3::Y - forward * rise - left * across).normalize();
        (0.5 * (heights[0] + heights[1]), plane)
    };
    let position = Vec3::new(print.place.position.x, level, print.place.position.y);
    let slope = -normal.dot(forward) / normal.y;
    let along = (forward + Vec3::Y * slope).normalize();
    let point = |offset: f32| position + along * offset;
    let [landing, take_off] = stance.frames.map(|frame| frame as f32 / FPS);
    PlannedFootprint {
        foot: print.foot,
        position,
        heading: print.place.heading,
        normal,
        landing,
        take_off,
        heel: point(shape.heel),
        ball: point(shape.ball),
        tip: point(shape.tip),
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::HeightFunction;
    use proptest::prelude::*;

    const SHAPES: [FootShape; 2] = [FootShape { heel: -0.1, ball: 0.1, tip: 0.16, below: 0.0 }; 2];

    /// Left and right in turns, the first two and the last two fixed.
    fn walk(count: usize) -> Plot {
        let found = (0..count).map(|k| {
            let (foot, side) = if k % 2 == 0 { (0, 0.1) } else { (1, -0.1) };
            let place = Planar::new(Vec2::new(side, 0.6 * k as f32), 0.0);
            let stance =
                StanceFrames { foot, frames: [30 * k, 30 * k + 40], heel: None, ball: None };
            (stance, PlanarPrint { foot, place, fixed: k < 2 || k + 2 >= count })
        });
        let floor = HeightFunction::new(|_| 0.0);
        Plot::new(
            found.collect(),
            &SHAPES,
            &StepGround::open(&floor),
            &FootprintSettings::default(),
        )
    }

    proptest! {
        #[test]
        fn ends_stay_and_what_is_moved_is_spread(
            count in 7usize..20, x in -0.15f32..0.15, turn in -0.4f32..0.4,
        ) {
            let floor = HeightFunction::new(|_| 0.0);
            let world = StepGround::open(&floor);
            let mut plot = walk(count);
            let as_played = plot.desired.clone();
            plot.smooth(4, &SHAPES, &world);
            plot.refine(10, &SHAPES, &world);
            prop_assert_eq!(&plot.desired, &as_played, "nothing to be done");
            let last = count - 1;
            plot.desired[last].place.position.x += x;
            plot.desired[last].place.heading += turn;
            let wanted = plot.desired[last];
            plot.smooth(4, &SHAPES, &world);
            plot.refine(10, &SHAPES, &world);
            prop_assert_eq!(plot.desired[last], wanted);
            prop_assert_eq!(&plot.desired[..2], &as_played[..2]);
            for (before, after) in as_played.iter().zip(&plot.desired) {
                let moved = before.place.position.distance(after.place.position);
                prop_assert!(moved <= x.abs() + 0.7 * turn.abs() + 1e-4, "{} m", moved);
            }
        }
    }

    #[test]
    fn snapped_feet_are_on_walkable_ground_from_heel_to_tip() {
        let floor = HeightFunction::new(|_| 0.0);
        let walkable = |place: Vec2| place.clamp(Vec2::splat(-1.0), Vec2::splat(1.0));
        let world = StepGround { ground: &floor, walkable: &walkable, overhead: &[], level: None };
        for turn in 0..12 {
            let heading = turn as f32 * 0.52;
            let place = Planar::new(Vec2::new(1.3, 0.95), heading);
            let mut print = PlanarPrint { foot: 0, place, fixed: false };
            print.snap(&SHAPES[0], &world);
            let ahead = Vec2::new(heading.sin(), heading.cos());
            for offset in [-0.1, 0.0, 0.16] {
                let point = print.place.position + ahead * offset;
                assert!(point.distance(walkable(point)) < 1e-5, "{point} at {heading}");
            }
        }
    }
}
