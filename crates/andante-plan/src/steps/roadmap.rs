//! Footprints found in a roadmap, as the source has it (footstep-planning 3.1).
//!
//! Places for the right foot all over the ground, an edge where a clip leads from one to another, and
//! A* over them. It needs many places and knows nothing of speed; routes do without. [`FootprintMethod::Roadmap`](super::FootprintMethod) chooses it.

use super::placed_footprints::PlacedFootprints;
use super::planner::StepPlanner;
use super::smoothing::smooth_round;
use super::{StepError, StepGround};
use andante_play::repertoire::ClipClass;
use andante_skeleton::{Planar, rotation};
use glam::{IVec2, Vec2};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::f32::consts::PI;

andante_skeleton::settings! {
    /// Options of a roadmap.
    pub struct RoadmapOptions: Copy {
        /// Places for the right foot.
        places: usize = 4000;
        /// How far, in metres, a place may be from where a clip leads.
        tolerance: f32 = 0.3, 0.1..=0.4;
        /// The same for its heading, in radians.
        turn_tolerance: f32 = 0.45, 0.2..=0.6;
        /// Metres that a radian of bending a clip is worth. At 0 strides are bent rather than made longer.
        turn_cost: f32 = 0.7, 0.0..=2.0;
        /// How far around a journey places are scattered, in metres.
        around: f32 = 2.0, 1.0..=5.0;
        /// Which places.
        seed: u64 = 1;
    }
}

/// A clip's stride, as the right foot sees it.
#[derive(Clone, Copy, Debug)]
struct RoadmapStride {
    /// Where the left foot comes down in between.
    left: Planar,
    /// Where the right foot comes down again.
    right: Planar,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    stride: u32,
    cost: f32,
}

/// Places for the right foot and the strides between them.
#[derive(Clone, Debug)]
pub struct Roadmap {
    places: Vec<Planar>,
    edges: Vec<Vec<Edge>>,
    strides: Vec<RoadmapStride>,
    cells: HashMap<IVec2, Vec<u32>>,
    options: RoadmapOptions,
}

/// Side of the cells in which places are looked up, in metres.
const CELL: f32 = 0.5;

impl Roadmap {
    /// Scatters places over a box and joins them by the walks of a repertoire.
    pub fn new(
        planner: &StepPlanner,
        world: &StepGround,
        bounds: [Vec2; 2],
        options: &RoadmapOptions,
    ) -> Result<Self, StepError> {
        if !(bounds[0].is_finite() && bounds[1].is_finite()) {
            return Err(StepError::NonFinite("the ground"));
        }
        let strides = strides(planner);
        if strides.is_empty() {
            return Err(StepError::NoGait);
        }
        let mut random = Pcg64Mcg::seed_from_u64(options.seed);
        let size = bounds[1] - bounds[0];
        let mut map = Self {
            places: Vec::new(),
            edges: Vec::new(),
            strides,
            cells: HashMap::new(),
            options: *options,
        };
        for _ in 0..options.places {
            let at: [f32; 3] = [random.random(), random.random(), random.random()];
            let place = bounds[0] + size * Vec2::new(at[0], at[1]);
            let place = (world.walkable)(place);
            map.add(Planar::new(place, (2.0 * at[2] - 1.0) * PI));
        }
        for from in 0..map.places.len() {
            map.edges[from] = map.edges_from(&map.places[from]);
        }
        Ok(map)
    }

    /// Places and edges.
    pub fn size(&self) -> (usize, usize) {
        (self.places.len(), self.edges.iter().map(Vec::len).sum())
    }

    fn add(&mut self, place: Planar) {
        let cell = (place.position / CELL).floor().as_ivec2();
        self.cells.entry(cell).or_default().push(self.places.len() as u32);
        self.places.push(place);
        self.edges.push(Vec::new());
    }

    fn edges_from(&self, from: &Planar) -> Vec<Edge> {
        let RoadmapOptions { tolerance, turn_tolerance, turn_cost, .. } = self.options;
        let mut best: HashMap<u32, Edge> = HashMap::new();
        for (index, stride) in self.strides.iter().enumerate() {
            let led = from.then(&stride.right);
            let low = ((led.position - tolerance) / CELL).floor().as_ivec2();
            let high = ((led.position + tolerance) / CELL).floor().as_ivec2();
            for (x, y) in (low.x..=high.x).flat_map(|x| (low.y..=high.y).map(move |y| (x, y))) {
                for &to in self.cells.get(&IVec2::new(x, y)).into_iter().flatten() {
                    let place = &self.places[to as usize];
                    let apart = place.position.distance(led.position);
                    let turn = rotation::wrap_angle(place.heading - led.heading).abs();
                    if apart > tolerance || turn > turn_tolerance {
                        continue;
                    }
                    let way = stride.right.position.length();
                    let cost = way + apart + turn_cost * turn;
                    let edge = Edge { to, stride: index as u32, cost };
                    let known = best.entry(to).or_insert(edge);
                    if cost < known.cost {
                        *known = edge;
                    }
                }
            }
        }
        let mut edges: Vec<Edge> = best.into_values().collect();
        edges.sort_by_key(|edge| edge.to);
        edges
    }

    /// Footprints from standing to standing, smoothed so many rounds, for
    /// [`StepPlanner::perform_footprints`]; `None` if no clips lead from one to the other. Start and
    /// goal are where the hips are.
    pub fn find(
        &self,
        planner: &StepPlanner,
        world: &StepGround,
        [start, goal]: [Planar; 2],
        rounds: usize,
    ) -> Option<Vec<PlacedFootprints>> {
        let stance = &planner.vocabulary().rest.stance;
        let mut map = self.clone();
        let (first, last) = (map.places.len() as u32, map.places.len() as u32 + 1);
        map.add(start.then(&stance[1]));
        map.add(goal.then(&stance[1]));
        // Only the places around it can lead to the goal.
        for from in 0..map.places.len() {
            if map.places[from].position.distance(goal.position) < 2.5 || from as u32 == first {
                map.edges[from] = map.edges_from(&map.places[from]);
            }
        }
        let way = map.search(first, last)?;
        let mut rights: Vec<Planar> = vec![map.places[first as usize]];
        rights.extend(way.iter().map(|edge| map.places[edge.to as usize]));
        for _ in 0..rounds {
            rights = smooth_round(&rights);
            let inner = rights.len() - 1;
            for print in &mut rights[1..inner] {
                print.position = (world.walkable)(print.position);
            }
        }
        let mut prints = vec![PlacedFootprints { foot: 0, place: start.then(&stance[0]) }];
        prints.push(PlacedFootprints { foot: 1, place: rights[0] });
        // Somebody who stands begins with the left foot, whose stride leads to the right one's next.
        for (k, edge) in way.iter().enumerate() {
            let (from, to) = (&rights[k], &rights[k + 1]);
            let stride = &map.strides[edge.stride as usize];
            // As the clip has it, seen half from where it begins and half from where it ends.
            let (a, b) = (from.then(&stride.left), to.then(&stride.right.to(&stride.left)));
            let turn = rotation::wrap_angle(b.heading - a.heading);
            let position = (world.walkable)(a.position.lerp(b.position, 0.5));
            let left = Planar::new(position, a.heading + 0.5 * turn);
            prints.push(PlacedFootprints { foot: 0, place: left });
            prints.push(PlacedFootprints { foot: 1, place: *to });
        }
        prints.push(PlacedFootprints { foot: 0, place: goal.then(&stance[0]) });
        Some(prints)
    }

    /// A* with the straight distance as the least that is left.
    fn search(&self, start: u32, goal: u32) -> Option<Vec<Edge>> {
        let left = |place: u32| {
            let [a, b] = [place, goal].map(|k| self.places[k as usize].position);
            a.distance(b)
        };
        let key = |cost: f32| cost.to_bits();
        let mut costs: HashMap<u32, f32> = HashMap::from([(start, 0.0)]);
        let mut came: HashMap<u32, (u32, Edge)> = HashMap::new();
        let mut open = BinaryHeap::from([Reverse((key(left(start)), start))]);
        while let Some(Reverse((estimate, place))) = open.pop() {
            if place == goal {
                let mut way = Vec::new();
                let mut at = goal;
                while let Some((from, edge)) = came.get(&at) {
                    way.push(*edge);
                    at = *from;
                }
                way.reverse();
                return Some(way);
            }
            let cost = costs[&place];
            if estimate > key(cost + left(place) + 1e-4) {
                continue;
            }
            for edge in &self.edges[place as usize] {
                let next = cost + edge.cost;
                if costs.get(&edge.to).is_none_or(|known| next < *known) {
                    costs.insert(edge.to, next);
                    came.insert(edge.to, (place, *edge));
                    open.push(Reverse((key(next + left(edge.to)), edge.to)));
                }
            }
        }
        None
    }
}

/// The strides of all walks, and of a half step.
fn strides(planner: &StepPlanner) -> Vec<RoadmapStride> {
    let vocabulary = planner.vocabulary();
    let clips = vocabulary.repertoire.clips();
    let walks = clips.iter().filter(|clip| clip.class() == ClipClass::Walk);
    let stance = &vocabulary.rest.stance;
    let mut strides: Vec<RoadmapStride> = walks
        .map(|clip| {
            let round = clip.twist();
            let above = |part: f32, foot: usize| round.after(part).then(&stance[foot]);
            let seen = |place: Planar| stance[1].to(&place);
            RoadmapStride { left: seen(above(0.5, 0)), right: seen(above(1.0, 1)) }
        })
        .collect();
    // Shorter ones, to come out at the goal.
    let half: Vec<RoadmapStride> = strides
        .iter()
        .map(|stride| {
            let half = |place: &Planar| Planar::new(0.5 * place.position, 0.5 * place.heading);
            let aside = stance[1].to(&stance[0]).position;
            let left = half(&Planar::new(stride.left.position - aside, stride.left.heading));
            let left = Planar::new(left.position + aside, left.heading);
            RoadmapStride { left, right: half(&stride.right) }
        })
        .collect();
    strides.extend(half);
    strides
}
