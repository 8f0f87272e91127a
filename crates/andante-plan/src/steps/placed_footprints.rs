//! Footprints that somebody placed by hand.

use super::footprint::PlanarPrint;
use super::planned_motion::{PlannedMotion, Timings};
use super::planner::{Constraints, StepPlanner};
use super::play::running_mean;
use super::score::{FPS, Timeline, TimelineStep};
use super::trajectory::{Trajectory, TrajectoryPoint};
use super::{StepError, StepGround, StepOptions};
use andante_skeleton::{Planar, rotation};
use glam::{Vec2, Vec3};

/// A footprint to step on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedFootprints {
    /// 0 is the left foot, 1 the right one.
    pub foot: usize,
    /// The middle between heel and ball, and the way it points.
    pub place: Planar,
}

impl StepPlanner {
    /// Steps on footprints exactly, however odd they are: from standing on the first of each foot to
    /// standing on the last. Where a foot is given twice in a row, the other one is set down beside it
    /// in between. Footprints are neither moved nor checked against the walkable ground.
    pub fn perform_footprints(
        &self,
        footprints: &[PlacedFootprints],
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        let began = options.clock.now();
        let finite =
            |p: &PlacedFootprints| p.place.position.is_finite() && p.place.heading.is_finite();
        if !footprints.iter().all(finite) {
            return Err(StepError::NonFinite("a footprint"));
        }
        if footprints.len() < 2 || footprints.iter().any(|print| print.foot > 1) {
            return Err(StepError::TooFewFootprints(footprints.len()));
        }
        let prints = self.alternating(footprints);
        let score = self.score_of(&prints, world, options)?;
        let mut timings = Timings { scoring: options.clock.since(began), ..Timings::default() };
        let constraints = Constraints { footprints: &prints, ..Constraints::default() };
        let performance = self.realise(&score, &constraints, world, &mut timings)?;
        timings.total = options.clock.since(began);
        Ok(PlannedMotion { timings, ..performance })
    }

    /// Left and right in turns.
    fn alternating(&self, footprints: &[PlacedFootprints]) -> Vec<PlanarPrint> {
        let stance = &self.vocabulary().rest.stance;
        let mut prints: Vec<PlanarPrint> = Vec::with_capacity(footprints.len());
        for placed in footprints {
            let print = PlanarPrint { foot: placed.foot, place: placed.place, fixed: true };
            if let Some(last) = prints.last().copied().filter(|last| last.foot == print.foot) {
                let turn = rotation::wrap_angle(print.place.heading - last.place.heading);
                let middle = Planar::new(
                    last.place.position.lerp(print.place.position, 0.5),
                    last.place.heading + 0.5 * turn,
                );
                let body = middle.then(&stance[print.foot].inverse());
                let foot = 1 - print.foot;
                prints.push(PlanarPrint { foot, place: body.then(&stance[foot]), fixed: true });
            }
            prints.push(print);
        }
        prints
    }

    /// The score that comes down on footprints, half a cycle each.
    fn score_of<'a>(
        &'a self,
        prints: &[PlanarPrint],
        world: &StepGround<'a>,
        options: &StepOptions,
    ) -> Result<Timeline<'a>, StepError> {
        let vocabulary = self.vocabulary();
        let settings = vocabulary.settings.timeline;
        let mut score = Timeline::new(vocabulary, world, options);
        let bodies = self.bodies(prints);
        let heights = heights(prints, world, 0.5 * vocabulary.leg);
        let swings = (-vocabulary.toe_off(0)).rem_euclid(1.0);
        score.hold(bodies[0], settings.hold_before)?;
        let steps = prints.len() - 2;
        if steps > 0 {
            let foot = prints[2].foot;
            let from = score.set_off(foot);
            let first = (2.0 * from).floor() * 0.5 + 0.5;
            // When each footprint is met: cycles and seconds.
            let mut cycles = vec![from, first];
            let mut times = vec![0.0];
            for k in 0..steps {
                let (a, b) = (&bodies[k], &bodies[k + 1]);
                let part = if k == 0 { first - from } else { 0.5 };
                let way = a.position.distance(b.position);
                let mut seconds = part / vocabulary.cadence(0.0);
                for _ in 0..4 {
                    seconds = part / vocabulary.cadence(way / seconds);
                }
                // A foot that is carried up or down needs its time.
                let rise = heights[k + 2] - heights[k];
                let climbs = options.feet.swing.seconds(rise, vocabulary.leg) / swings;
                let turns = (b.heading - a.heading).abs() / settings.turn_rate_on_prints;
                times.push(times[k] + seconds.max(part * climbs).max(turns).max(way / 8.0));
                if k > 0 {
                    cycles.push(cycles[k] + 0.5);
                }
            }
            let total = times[steps] + settings.settle_on_prints;
            if total.is_nan() || total > settings.longest {
                return Err(StepError::TooLong(total));
            }
            let beats = walked(&score, &bodies, &times, &cycles, total);
            score.append(beats.into_iter());
        }
        score.hold(bodies[bodies.len() - 1], settings.hold_after)?;
        score.finish();
        Ok(score)
    }

    /// The body above each two footprints, with headings that go on.
    fn bodies(&self, prints: &[PlanarPrint]) -> Vec<Planar> {
        let stance = &self.vocabulary().rest.stance;
        let mut before: Option<f32> = None;
        prints
            .windows(2)
            .map(|pair| {
                let above = [0, 1].map(|k| pair[k].place.then(&stance[pair[k].foot].inverse()));
                let turn = rotation::wrap_angle(above[1].heading - above[0].heading);
                let heading = above[0].heading + 0.5 * turn;
                let heading = before.map_or(heading, |b| b + rotation::wrap_angle(heading - b));
                before = Some(heading);
                Planar::new(above[0].position.lerp(above[1].position, 0.5), heading)
            })
            .collect()
    }
}

/// How high footprints are, each looked for around the one before it.
fn heights(prints: &[PlanarPrint], world: &StepGround, around: f32) -> Vec<f32> {
    let mut level = world.level;
    let height = |print: &PlanarPrint| {
        let place = print.place.position;
        let (from, deep) = level.map_or((1e4, 2e4), |level| (level + around, 2.0 * around));
        let found = world.ground.height_below(Vec3::new(place.x, from, place.y), deep);
        level = found.or(level);
        level.unwrap_or(0.0)
    };
    prints.iter().map(height).collect()
}

/// The frames in which the bodies are met at their times.
fn walked(
    score: &Timeline,
    bodies: &[Planar],
    times: &[f32],
    cycles: &[f32],
    total: f32,
) -> Vec<TimelineStep> {
    let settings = score.vocabulary.settings.timeline;
    let steps = times.len() - 1;
    let waypoint = |time: f32, body: &Planar| TrajectoryPoint {
        time,
        position: Vec3::new(body.position.x, 0.0, body.position.y),
        heading: body.heading,
    };
    let mut points = vec![waypoint(-0.25, &bodies[0]), waypoint(0.0, &bodies[0])];
    points.extend((1..steps).map(|k| waypoint(times[k], &bodies[k])));
    points.push(waypoint(total, &bodies[steps]));
    points.push(waypoint(total + 0.25, &bodies[steps]));
    let Some(path) = Trajectory::new(&points) else { return Vec::new() };
    let count = (total * FPS).ceil() as usize;
    let raw: Vec<f32> = (0..count)
        .map(|frame| {
            let time = frame as f32 / FPS;
            let k = times.partition_point(|t| *t <= time).clamp(1, steps);
            let rate = (cycles[k] - cycles[k - 1]) / (times[k] - times[k - 1]);
            cycles[k - 1] + rate * (time - times[k - 1])
        })
        .collect();
    let gone = running_mean(&raw, 6);
    let end = raw.last().copied().unwrap_or(0.0);
    let mut hint = 1;
    let places: Vec<Planar> = (0..=count)
        .map(|frame| {
            let (position, heading) = path.at(frame as f32 / FPS, &mut hint);
            Planar::new(Vec2::new(position.x, position.z), heading)
        })
        .collect();
    (0..count)
        .map(|frame| {
            let (here, next) = (&places[frame], &places[frame + 1]);
            let speed = FPS * here.position.distance(next.position);
            let rest =
                settings.resting(gone[frame] - cycles[0]).max(settings.settling(end - gone[frame]));
            TimelineStep {
                course: *here,
                cycles: gone[frame],
                speed,
                turn: FPS * (next.heading - here.heading),
                rest,
                stands: false,
                least: 0.6 * score.vocabulary.slowest,
                act: None,
            }
        })
        .collect()
}
