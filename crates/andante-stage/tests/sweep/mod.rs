//! Ways between random places of a scene, against the shortest there are.
#![allow(dead_code)]

use super::oracle::Oracle;
use andante_plan::route::{NavAgent, Network, RouteLeg, RouteOptions};
use andante_stage::Scene;
use glam::Vec2;
use std::time::Instant;

/// Numbers from a seed, the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.next();
        random
    }

    /// From 0 to 1.
    pub fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }

    pub fn place(&mut self, low: Vec2, high: Vec2) -> Vec2 {
        low + (high - low) * Vec2::new(self.next(), self.next())
    }
}

/// What became of one start and goal that the oracle has a way for, or that the planner has one for.
pub struct Try {
    pub start: Vec2,
    pub goal: Vec2,
    pub optimum: Option<f64>,
    pub found: Option<f32>,
    pub millis: f64,
}

impl Try {
    pub fn ratio(&self) -> Option<f64> {
        Some(f64::from(self.found?) / self.optimum?)
    }
}

/// One start and goal for each seed, both free.
pub fn sweep(name: &str, seeds: u64) -> Vec<Try> {
    let scene = Scene::built_in(name).unwrap();
    let walker = NavAgent::person(1.75);
    let network = Network::new(&scene.ground, &scene.obstacles, &walker).unwrap();
    let oracle = Oracle::new(&scene, &walker);
    let walls = network.places().walls(0);
    let (low, high) = walls.bounds();
    let one = |seed: u64| {
        let mut random = Random::new(seed);
        let mut free = || loop {
            let place = random.place(low, high);
            if walls.is_free(place) {
                return place;
            }
        };
        // Nearer than a step the way there is a question of footsteps.
        let (start, goal) = loop {
            let (start, goal) = (free(), free());
            if start.distance(goal) > 0.5 {
                break (start, goal);
            }
        };
        let began = Instant::now();
        let found = network.find(start, goal, &RouteOptions::default());
        let millis = began.elapsed().as_secs_f64() * 1e3;
        if let Ok(journey) = &found {
            for leg in &journey.legs {
                let RouteLeg::Walk(places) = leg else { panic!("{name} is flat") };
                let ends = [places[0], places[places.len() - 1]];
                assert_eq!(ends, [start, goal]);
                for pair in places.windows(2) {
                    assert!(walls.edge_is_free(pair[0], pair[1]), "{name} {seed}: {pair:?}");
                }
            }
        }
        let found = found.ok().map(|journey| journey.length);
        Try { start, goal, optimum: oracle.shortest(start, goal), found, millis }
    };
    (0..seeds).map(one).collect()
}
