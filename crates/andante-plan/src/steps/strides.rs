//! Strides that fit the ground: which steps to take along a way with edges, and the walk that makes them.

use super::course::SampledCourse;
use super::footprint::PlanarPrint;
use super::play::running_mean;
use super::rough::Rough;
use super::score::FPS;
use super::vocabulary::{ActionMoment, Vocabulary};

/// What a step costs that is too high: more than any that is not.
const TOO_HIGH: f32 = 1e3;

/// Parts of a cycle in which a walk is worked out.
const PARTS: f32 = 64.0;

/// The ends of a walk: what it comes from, what it goes over into.
pub(super) struct StrideEnds<'a> {
    pub entry: &'a ActionMoment,
    pub exit: &'a ActionMoment,
    /// Cycles at the beginning, and at the end if the walk were as it comes.
    pub cycles: [f32; 2],
}

/// A walk frame by frame, and the footprints that matter.
pub(super) struct Strides {
    /// Way and cycles of each frame; the last one is at the end.
    pub frames: Vec<[f32; 2]>,
    pub seconds: f32,
    /// Cycles at the end.
    pub end: f32,
    /// Where feet have to be put, with the cycles at which the body is above them.
    pub prints: Vec<(f32, PlanarPrint)>,
}

impl Strides {
    /// Steps that fit the ground as well as any. `speed` and `way` tell how the walk would be on even ground, by
    /// way and by cycles. None if there is no ground to step on.
    pub fn new(
        rough: &Rough,
        course: &SampledCourse,
        vocabulary: &Vocabulary,
        ends: &StrideEnds,
        speed: impl Fn(f32) -> f32,
        way: impl Fn(f32) -> f32,
    ) -> Option<Self> {
        let [from, to] = ends.cycles;
        let middle = vocabulary.settings.strides.middle;
        let first = (2.0 * from).floor() * 0.5 + 0.5;
        let last = (2.0 * to).floor() * 0.5;
        let length = course.length();
        let comes = ends.entry.cycles.is_some().then(|| way(first + middle));
        let goes = ends.exit.cycles.is_some().then(|| way(last + middle));
        let start = comes.map_or((1 - foot_of(first), 0.0), |way| (foot_of(first), way));
        let steps = choose(rough, vocabulary, start, goes.unwrap_or(length), speed)?;

        // Cycles of the strikes, and the way above the feet.
        let mut knots = vec![[from, 0.0]];
        let mut prints = Vec::new();
        let mut strike = if comes.is_some() { first } else { first - 0.5 };
        for (index, &(foot, at)) in steps.iter().enumerate() {
            let strikes = index > 0 || comes.is_some();
            if strikes {
                if rough.is_near_edge(at) {
                    prints.push((strike + middle, rough.print(foot, at)));
                }
                knots.push([strike + middle, at]);
            }
            strike += 0.5;
        }
        let end = match ends.exit.cycles {
            None => strike + vocabulary.settings.timeline.rest_after,
            Some(_) => strike - 0.5 + (to - last),
        };
        let near = |knot: &[f32; 2]| knot[0] > from + 0.2 && knot[0] < end - 0.2;
        let inner: Vec<[f32; 2]> = knots[1..].iter().copied().filter(|knot| near(knot)).collect();
        knots.truncate(1);
        for knot in inner {
            if knot[1] > knots[knots.len() - 1][1] + 1e-3 && knot[1] < length - 1e-3 {
                knots.push(knot);
            }
        }
        knots.push([end, length]);
        let slope = |moment: &ActionMoment| moment.speed / vocabulary.cadence(moment.speed);
        let ways = Monotone::new(knots, [slope(ends.entry), slope(ends.exit)]);
        Some(Self::timed(rough, vocabulary, &ways, [from, end], prints))
    }

    /// As fast as the steps are long: the cadence of the clips at that speed, a little slower at edges.
    fn timed(
        rough: &Rough,
        vocabulary: &Vocabulary,
        ways: &Monotone,
        [from, end]: [f32; 2],
        prints: Vec<(f32, PlanarPrint)>,
    ) -> Self {
        let careful = vocabulary.settings.strides.careful;
        let count = ((end - from) * PARTS).ceil().max(2.0) as usize;
        let part = (end - from) / count as f32;
        let at = |index: usize| ways.at(from + part * index as f32);
        let half_cycle = (0.5 / part) as usize;
        let swings = (-vocabulary.toe_off(0)).rem_euclid(1.0);
        let rates: Vec<f32> = (0..count)
            .map(|index| {
                let per_cycle = (at(index + 1) - at(index)) / part;
                let mut rate = vocabulary.cadence(0.0);
                for _ in 0..6 {
                    rate = 0.5 * (rate + vocabulary.cadence(per_cycle * rate));
                }
                if !rough.is_near_edge(at(index)) {
                    return rate;
                }
                // A foot that swings meanwhile is carried a cycle's way.
                let [behind, ahead] = [index.saturating_sub(half_cycle), index + half_cycle];
                let seconds = rough.seconds(at(behind), at(ahead.min(count)));
                (careful * rate).min(swings / seconds.max(1e-3))
            })
            .collect();
        let half = (0.3 * PARTS) as usize;
        let rates = running_mean(&running_mean(&rates, half), half);
        let mut times = vec![0.0f32];
        for rate in &rates {
            times.push(times[times.len() - 1] + part / rate.max(0.05));
        }
        let seconds = times[count];
        let frames = (seconds * FPS).ceil() as usize + 1;
        let mut index = 0;
        let sampled = (0..=frames).map(|frame| {
            let time = (frame as f32 / FPS).min(seconds);
            while index + 1 < count && times[index + 1] < time {
                index += 1;
            }
            let share = (time - times[index]) / (times[index + 1] - times[index]).max(1e-6);
            let cycles = from + part * (index as f32 + share.clamp(0.0, 1.0));
            [ways.at(cycles), cycles]
        });
        Self { frames: sampled.collect(), seconds, end, prints }
    }

    /// Way and cycles after a time.
    pub fn at(&self, time: f32) -> [f32; 2] {
        let at = (time * FPS).clamp(0.0, (self.frames.len() - 1) as f32);
        let index = (at as usize).min(self.frames.len() - 2);
        let (a, b) = (self.frames[index], self.frames[index + 1]);
        let t = at - index as f32;
        [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]
    }

    /// Speed at a time.
    pub fn speed(&self, time: f32) -> f32 {
        let step = 1.0 / FPS;
        let (a, b) = ((time - step).max(0.0), (time + step).min(self.seconds));
        (self.at(b)[0] - self.at(a)[0]) / (b - a).max(1e-6)
    }
}

/// The foot that strikes at so many cycles.
fn foot_of(strike: f32) -> usize {
    ((2.0 * strike).round() as i64).rem_euclid(2) as usize
}

/// The cheapest steps from one place along the way to another, the first included: their lengths like those of a walk
/// on even ground, on good ground, none higher than need be.
fn choose(
    rough: &Rough,
    vocabulary: &Vocabulary,
    (foot, start): (usize, f32),
    goal: f32,
    speed: impl Fn(f32) -> f32,
) -> Option<Vec<(usize, f32)>> {
    let settings = &vocabulary.settings.strides;
    let count = ((goal - start) / settings.spacing).ceil().max(1.0) as usize;
    let spacing = (goal - start) / count as f32;
    if !(spacing.is_finite() && spacing > 0.0) {
        return None;
    }
    let way = |index: usize| start + spacing * index as f32;
    let places: Vec<[_; 2]> =
        (0..=count).map(|index| [0, 1].map(|foot| rough.place(foot, way(index)))).collect();
    let leg = vocabulary.leg;
    let mut best = vec![[(f32::INFINITY, usize::MAX); 2]; count + 1];
    best[0][foot].0 = 0.0;
    for index in 0..count {
        let fast = speed(way(index));
        let natural = (0.5 * fast / vocabulary.cadence(fast)).max(2.0 * settings.shortest);
        let longest = (settings.longest * leg).max(1.2 * natural);
        let steps = (settings.shortest / spacing).ceil() as usize..=(longest / spacing) as usize;
        for foot in 0..2 {
            let (cost, _) = best[index][foot];
            let Some(here) = places[index][foot].filter(|_| cost.is_finite()) else { continue };
            for step in steps.clone() {
                // The end is met however short the step there is.
                let next = index + step;
                if next > count {
                    break;
                }
                let Some(there) = places[next][1 - foot] else { continue };
                let ratio = step as f32 * spacing / natural - 1.0;
                let rise = (there.height - here.height) / leg;
                let too_high = if rise.abs() > settings.highest { TOO_HIGH } else { 0.0 };
                let rise = (rise / settings.high).powi(2);
                let longer = if ratio > 0.0 { 3.0 } else { 1.0 };
                let total = cost + there.cost + longer * ratio * ratio + rise * rise + too_high;
                if total < best[next][1 - foot].0 {
                    best[next][1 - foot] = (total, index);
                }
            }
        }
    }
    let mut foot = usize::from(best[count][1].0 < best[count][0].0);
    if !best[count][foot].0.is_finite() {
        return None;
    }
    let (mut index, mut steps) = (count, Vec::new());
    while index != usize::MAX {
        steps.push((foot, way(index)));
        index = best[index][foot].1;
        foot = 1 - foot;
    }
    steps.reverse();
    Some(steps)
}

/// A curve through points that never falls where they do not: cubics with Fritsch and Butland's slopes.
struct Monotone {
    knots: Vec<[f32; 2]>,
    slopes: Vec<f32>,
}

impl Monotone {
    fn new(knots: Vec<[f32; 2]>, ends: [f32; 2]) -> Self {
        let rise =
            |k: usize| (knots[k + 1][1] - knots[k][1]) / (knots[k + 1][0] - knots[k][0]).max(1e-4);
        let last = knots.len() - 1;
        let slopes = (0..=last)
            .map(|k| {
                if k == 0 {
                    return ends[0].min(3.0 * rise(0));
                }
                if k == last {
                    return ends[1].min(3.0 * rise(last - 1));
                }
                let (a, b) = (rise(k - 1), rise(k));
                if a * b <= 0.0 { 0.0 } else { 2.0 * a * b / (a + b) }
            })
            .collect();
        Self { knots, slopes }
    }

    fn at(&self, x: f32) -> f32 {
        let last = self.knots.len() - 1;
        let k = self.knots.partition_point(|knot| knot[0] <= x).clamp(1, last) - 1;
        let ([from, a], [to, b]) = (self.knots[k], self.knots[k + 1]);
        let width = (to - from).max(1e-4);
        let t = ((x - from) / width).clamp(0.0, 1.0);
        let (tt, ttt) = (t * t, t * t * t);
        a + (b - a) * (3.0 * tt - 2.0 * ttt)
            + width * self.slopes[k] * (ttt - 2.0 * tt + t)
            + width * self.slopes[k + 1] * (ttt - tt)
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::StepGround;
    use andante_skeleton::{Planar, humanoid};
    use andante_world::HeightFunction;
    use glam::{Vec2, vec2};
    use proptest::prelude::*;
    use std::sync::{Arc, OnceLock};

    fn vocabulary() -> &'static Vocabulary {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        VOCABULARY.get_or_init(|| {
            let repertoire = andante_motion::repertoire::built_in(&humanoid()).unwrap();
            Vocabulary::new(Arc::new(repertoire), Default::default()).unwrap()
        })
    }

    /// Treads of 0.29 m between z = 1 and z = 4.
    fn tread(z: f32) -> f32 {
        ((z - 1.0) / 0.29).floor().clamp(-1.0, 10.0)
    }

    #[test]
    fn stairs_are_taken_one_tread_a_step_wherever_they_are_begun() {
        let settings = andante_play::FeetSettings::default();
        for slant in [0.0, 0.5, -0.8] {
            for rise in [0.17, -0.17] {
                for start in [0.0, 0.11, 0.23] {
                    let ground = HeightFunction::new(|place: Vec2| rise * tread(place.y));
                    let world = StepGround::open(&ground);
                    let way = [vec2(0.0, start), vec2(slant, 6.0)];
                    let course = SampledCourse::along(&way).unwrap();
                    let rough = Rough::along(&course, &world, vocabulary(), &settings, &mut None);
                    let steps =
                        choose(&rough, vocabulary(), (0, 0.0), course.length(), |_| 1.2).unwrap();
                    let mut on: Vec<i32> = Vec::new();
                    for &(foot, at) in &steps {
                        let place = rough.place(foot, at).unwrap();
                        assert!(place.cost < HANGS, "{slant} {rise} {start}: {foot} at {at}");
                        on.push(tread(rough.print(foot, at).place.position.y) as i32);
                    }
                    let treads = |pair: &[i32]| (pair[1] - pair[0]).abs();
                    assert!(on.windows(2).all(|pair| treads(pair) <= 1), "{on:?}");
                    assert!((0..10).all(|k| on.contains(&k)), "{slant} {rise} {start}: {on:?}");
                }
            }
        }
    }

    #[test]
    fn on_treads_shorter_than_a_sole_the_ball_stands_and_the_rest_hangs() {
        let settings = andante_play::FeetSettings::default();
        for tread in [0.22f32, 0.235, 0.25] {
            for (rise, start) in [(-0.17f32, 0.0f32), (-0.19, 0.13), (0.17, 0.07), (0.15, 0.2)] {
                let height = move |z: f32| rise * ((z - 1.0) / tread).floor().clamp(-1.0, 10.0);
                let ground = HeightFunction::new(move |place: Vec2| height(place.y));
                let world = StepGround::open(&ground);
                let way = [vec2(0.0, start), vec2(0.0, 6.0)];
                let course = SampledCourse::along(&way).unwrap();
                let rough = Rough::along(&course, &world, vocabulary(), &settings, &mut None);
                let steps =
                    choose(&rough, vocabulary(), (0, 0.0), course.length(), |_| 1.2).unwrap();
                for &(foot, at) in &steps {
                    let print = rough.print(foot, at).place;
                    let ahead = vocabulary().rest.shapes[foot].ball;
                    let ball = print.then(&Planar::new(vec2(0.0, ahead), 0.0)).position;
                    let stands = rough.place(foot, at).unwrap().height;
                    let hangs = stands - height(ball.y);
                    assert!(hangs.abs() < 0.02, "{tread} {rise} {start}: {foot} at {at}: {hangs}");
                }
            }
        }
    }

    /// What a sole that hangs over an edge costs at least.
    const HANGS: f32 = 8.0;

    proptest! {
        #[test]
        fn a_way_by_cycles_meets_its_knots_and_never_goes_back(rises in prop::collection::vec(0.01f32..1.0, 1..12)) {
            let mut knots = vec![[0.0, 0.0]];
            for (k, rise) in rises.iter().enumerate() {
                knots.push([0.5 * (k + 1) as f32, knots[k][1] + rise]);
            }
            let curve = Monotone::new(knots.clone(), [0.0, 0.0]);
            for knot in &knots {
                prop_assert!((curve.at(knot[0]) - knot[1]).abs() < 1e-4);
            }
            let end = 0.5 * rises.len() as f32;
            for k in 0..200 {
                let at = |k: i32| curve.at(end * k as f32 / 200.0);
                prop_assert!(at(k + 1) >= at(k) - 1e-5);
            }
        }
    }
}
