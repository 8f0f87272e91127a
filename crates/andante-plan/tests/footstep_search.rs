//! Footsteps over stones, searched: each on a stone, within reach, and no dearer than is said.
#![allow(clippy::unwrap_used)]

use andante_plan::steps::{
    FootstepSearch, FootstepSearchSettings, FoundFootprints, StepGround, StepPlanner,
};
use andante_play::FeetSettings;
use andante_skeleton::{Hit, Planar, humanoid};
use andante_world::Ground;
use glam::{Vec2, Vec3, vec2};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::sync::Arc;

/// Two banks, and round stones between them.
struct Stream {
    banks: [f32; 2],
    stones: Vec<(Vec3, f32)>,
}

impl Stream {
    /// So many stones, each within a distance of the one before it.
    fn new(seed: u64, count: usize, apart: [f32; 2]) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut between = |low: f32, high: f32| low + (high - low) * random.random::<f32>();
        let mut stones = Vec::new();
        let mut at = Vec3::new(0.0, 0.0, -0.15);
        for _ in 0..count {
            let way = Vec2::from_angle(between(-0.35, 0.35)) * between(apart[0], apart[1]);
            at = Vec3::new(at.x + way.y, between(-0.06, 0.06), at.z + way.x);
            stones.push((at, between(0.2, 0.3)));
        }
        Self { banks: [0.0, at.z + apart[0] - 0.15], stones }
    }

    fn height(&self, at: Vec2) -> Option<f32> {
        if at.y <= self.banks[0] || at.y >= self.banks[1] {
            return Some(0.0);
        }
        let on = |(middle, radius): &&(Vec3, f32)| at.distance(vec2(middle.x, middle.z)) <= *radius;
        self.stones.iter().find(on).map(|(middle, _)| middle.y)
    }
}

impl Ground for Stream {
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
        let height = self.height(vec2(from.x, from.z))?;
        let hit = Hit { point: from.with_y(height), normal: Vec3::Y };
        (height <= from.y && from.y - height <= depth).then_some(hit)
    }
}

fn planner() -> StepPlanner {
    let repertoire = andante_motion::repertoire::built_in(&humanoid()).unwrap();
    StepPlanner::new(Arc::new(repertoire)).unwrap()
}

fn found(
    planner: &StepPlanner,
    stream: &Stream,
    shunned: &[Vec3],
    settings: FootstepSearchSettings,
) -> Option<FoundFootprints> {
    let (feet, goal) = (FeetSettings::default(), stream.banks[1] + 0.6);
    let search = FootstepSearch {
        planner,
        world: StepGround::open(stream),
        feet: &feet,
        has_room: &|_| true,
        shunned,
        settings,
    };
    let ends = [Planar::new(vec2(0.2, -0.6), 0.0), Planar::new(vec2(-0.2, goal), 0.3)];
    search.find(ends, [0.0; 2])
}

#[test]
fn every_foot_is_put_on_a_stone_within_reach_of_the_other() {
    let planner = planner();
    let mut across = 0;
    for seed in 0..8 {
        let stream = Stream::new(seed, 4, [0.45, 0.72]);
        let Some(found) = found(&planner, &stream, &[], FootstepSearchSettings::default()) else {
            continue;
        };
        across += 1;
        for pair in found.prints.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|print| print.place.position);
            assert!(pair[0].foot != pair[1].foot, "{seed}: {:?}", found.prints);
            // Legs of 0.9 m and hips 0.2 m wide.
            assert!(a.distance(b) < 1.15, "{seed}: {a} {b}");
            let turn = (pair[1].place.heading - pair[0].place.heading).abs();
            assert!(turn < 1.2, "{seed}: {turn}");
        }
        for print in &found.prints {
            let (sin, cos) = print.place.heading.sin_cos();
            let ahead = vec2(sin, cos);
            let borne =
                [-0.06, 0.0, 0.06].map(|by| stream.height(print.place.position + by * ahead));
            assert!(borne.iter().all(Option::is_some), "{seed}: {print:?}");
        }
        let [first, last] = [&found.prints[..2], &found.prints[found.prints.len() - 2..]];
        let middle = |pair: &[andante_plan::steps::PlacedFootprints]| {
            pair[0].place.position.midpoint(pair[1].place.position)
        };
        assert!(middle(first).distance(vec2(0.2, -0.6)) < 0.1, "{seed}");
        assert!(middle(last).distance(vec2(-0.2, stream.banks[1] + 0.6)) < 0.1, "{seed}");
    }
    assert!(across >= 7, "{across} of 8");
}

#[test]
fn greed_costs_no_more_than_is_said_and_what_is_shunned_is_not_stepped_on() {
    let planner = planner();
    for seed in 20..22 {
        let stream = Stream::new(seed, 2, [0.45, 0.65]);
        let with = |greed: f32| {
            let patience = 100.0;
            let expansions = 100_000;
            let usual = FootstepSearchSettings::default();
            let settings =
                FootstepSearchSettings { greed, less_greed: 10.0, patience, expansions, ..usual };
            found(&planner, &stream, &[], settings).unwrap()
        };
        let (best, greedy) = (with(1.0), with(3.0));
        assert_eq!(best.bound, 1.0);
        // The second search of the greedy one is not greedy.
        assert!((greedy.cost - best.cost).abs() < 1e-3, "{seed}: {} {}", greedy.cost, best.cost);
        let usual = FootstepSearchSettings::default();
        let first = found(&planner, &stream, &[], usual).unwrap();
        assert!(first.cost <= first.bound * best.cost + 1e-3, "{seed}: {first:?}");
        // A footprint in the middle is taken away: another is found, or none.
        let blamed = first.prints[first.prints.len() / 2].place.position;
        let blamed = Vec3::new(blamed.x, stream.height(blamed).unwrap(), blamed.y);
        if let Some(other) = found(&planner, &stream, &[blamed], usual) {
            let nearest = |nearest: f32, print: &andante_plan::steps::PlacedFootprints| {
                nearest.min(print.place.position.distance(vec2(blamed.x, blamed.z)))
            };
            assert!(other.prints.iter().fold(f32::MAX, nearest) > 0.05, "{seed}");
        }
    }
}

#[test]
fn no_footsteps_lead_over_what_is_too_wide() {
    let planner = planner();
    let stream = Stream { banks: [0.0, 1.4], stones: Vec::new() };
    let soon = FootstepSearchSettings { expansions: 600, ..FootstepSearchSettings::default() };
    assert_eq!(found(&planner, &stream, &[], soon), None);
    let near = Stream { banks: [0.0, 0.4], stones: Vec::new() };
    assert!(found(&planner, &near, &[], FootstepSearchSettings::default()).is_some());
}
