//! The shortest way through a world, on foot and by jumps.

use super::facet::CRACK;
use super::floor::Detail;
use super::links::{narrowest_gap, nearest};
use super::seam::seams;
use super::{
    Clearance, Crossing, Curve, FloorError, Jump, JumpLink, NavAgent, NoRoute, Places,
    RouteJourney, RouteLeg, RouteMethod, RouteOptions, RouteWalk, TreeBranch, TwoTreesRoute,
    WalkableLevel, Walls, band, links, shorten,
};
use andante_skeleton::Polyline;
use andante_world::{GroundPatch, Obstacle};
use glam::Vec2;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

/// How far from the straight line over a gap one may be, in metres.
const BRIDGE: f32 = 0.01;

/// A world with the jumps one character can make in it.
#[derive(Clone, Debug)]
pub struct Network {
    places: Places,
    /// Found when a way is looked for.
    links: OnceLock<Vec<JumpLink>>,
    walker: NavAgent,
}

/// A place to be, on whatever level is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// As `(x, z)`.
    pub place: Vec2,
    /// The ground is not above this, where levels lie above each other.
    pub height: Option<f32>,
}

impl From<Vec2> for Spot {
    fn from(place: Vec2) -> Self {
        Self { place, height: None }
    }
}

/// A candidate of the search: a place reached, by which jump from which candidate.
#[derive(Clone, Copy)]
struct Reached {
    at: Vec2,
    home: (usize, usize),
    by: Option<(usize, usize)>,
    cost: f32,
}

/// An entry of the queue: a jump or the goal, from a candidate. The length of the walk is only guessed at first.
#[derive(Clone, Copy, PartialEq)]
struct Choice {
    from: usize,
    link: Option<usize>,
    /// Cost on arrival, once the walk is measured.
    cost: Option<f32>,
}

impl Network {
    /// Prepares a world for a character. The jumps are looked for here, once.
    pub fn new(
        ground: &[GroundPatch],
        obstacles: &[Obstacle],
        walker: &NavAgent,
    ) -> Result<Self, FloorError> {
        let network = Self::of(Places::new(ground, obstacles, walker)?, walker);
        network.links();
        Ok(network)
    }

    /// The same world with other obstacles, from which the character keeps its middle this far.
    pub fn with_obstacles(&self, obstacles: &[Obstacle], radius: f32) -> Result<Self, FloorError> {
        self.with(obstacles, radius, Detail::Passing)
    }

    /// The same in half the time, with corners so coarse that passages which are only just wide enough may be missing.
    pub fn roughly_with_obstacles(
        &self,
        obstacles: &[Obstacle],
        radius: f32,
    ) -> Result<Self, FloorError> {
        self.with(obstacles, radius, Detail::Rough)
    }

    fn with(
        &self,
        obstacles: &[Obstacle],
        radius: f32,
        detail: Detail,
    ) -> Result<Self, FloorError> {
        let clearance = Clearance { radius, ..self.walker.clearance };
        let walker = NavAgent { clearance, ..self.walker.clone() };
        Ok(Self::of(self.places.with_obstacles(obstacles, &walker, detail)?, &walker))
    }

    fn of(places: Places, walker: &NavAgent) -> Self {
        Self { places, links: OnceLock::new(), walker: walker.clone() }
    }

    /// The levels and their floors.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Every jump that can be made.
    pub fn links(&self) -> &[JumpLink] {
        self.links.get_or_init(|| {
            let NavAgent { stride, jump, links: settings, .. } = &self.walker;
            let leaps = [(Crossing::Stride, stride), (Crossing::Jump, jump)];
            let found = leaps.iter().filter_map(|(crossing, leap)| {
                Some(links(&self.places, *crossing, leap.as_ref()?, settings))
            });
            found.flatten().chain(seams(&self.places, settings)).collect()
        })
    }

    /// The shortest journey, jumps counted dearer than walking.
    pub fn find(
        &self,
        start: impl Into<Spot>,
        goal: impl Into<Spot>,
        options: &RouteOptions,
    ) -> Result<RouteJourney, NoRoute> {
        let (start, goal) = (start.into(), goal.into());
        let home = self.home(start, NoRoute::StartOff, NoRoute::StartBlocked)?;
        let goal_home = self.home(goal, NoRoute::GoalOff, NoRoute::GoalBlocked)?;
        let apart = || self.why_apart(start.place, home, goal.place, goal_home);
        // Where no jump leads away there is nothing to choose from.
        if home == goal_home && self.links().iter().all(|link| link.start != home) {
            return self.walked(start.place, home, goal.place, &[], options).map_err(|none| {
                // Trees that did not meet prove nothing.
                if matches!(none, NoRoute::NotConnected { .. }) { none } else { apart() }
            });
        }
        let hops =
            self.search(start.place, home, goal.place, goal_home, options).ok_or_else(apart)?;
        let mut hops: Vec<JumpLink> = hops.into_iter().map(|hop| self.links()[hop]).collect();
        self.straighten(start.place, goal.place, &mut hops, options);
        self.walked(start.place, home, goal.place, &hops, options)
    }

    /// The level and the island a spot is on.
    fn home(
        &self,
        Spot { place, height }: Spot,
        off: fn(Vec2) -> NoRoute,
        blocked: fn(Vec2) -> NoRoute,
    ) -> Result<(usize, usize), NoRoute> {
        let level = self.places.level_at(place, height).ok_or(off(place))?;
        let WalkableLevel { mesh, .. } = &self.places.levels()[level];
        let island = mesh.island_of(place).filter(|_| mesh.walls().is_free(place));
        Ok((level, island.ok_or(blocked(place))?))
    }

    /// What lies between two islands without a way between them.
    fn why_apart(
        &self,
        start: Vec2,
        home: (usize, usize),
        goal: Vec2,
        goal_home: (usize, usize),
    ) -> NoRoute {
        let floor = &self.places.levels()[home.0].floor;
        let passage = 2.0 * self.walker.clearance.radius;
        if home.0 == goal_home.0 && floor.piece_of(start) == floor.piece_of(goal) {
            let blocked = !self.places.levels()[home.0].blocking.is_empty();
            return match blocked {
                true => NoRoute::Enclosed { start, goal, passage },
                false => NoRoute::Apart { start, goal },
            };
        }
        // Everything that jumps lead to from the start.
        let mut reached = vec![home];
        let mut next = 0;
        while next < reached.len() {
            for link in self.links() {
                if link.start == reached[next] && !reached.contains(&link.end) {
                    reached.push(link.end);
                }
            }
            next += 1;
        }
        let is_near = |island| reached.contains(&island);
        let gap = narrowest_gap(&self.places, is_near, |island| !is_near(island));
        // What touches is no gap, nor is what is kept from a ledge: there it is too high, too steep or too narrow.
        let Clearance { radius, rim } = self.walker.clearance;
        let least = CRACK + (radius - rim).max(0.0);
        let Some(gap) = gap.filter(|gap| *gap > least) else {
            return NoRoute::Apart { start, goal };
        };
        let leaps = [self.walker.stride, self.walker.jump].into_iter().flatten();
        let reach = leaps.map(|leap| leap.reach[1]).fold(0.0, f32::max);
        NoRoute::Gap { start, goal, gap, widest: reach - 2.0 * self.walker.clearance.rim }
    }

    /// The jumps of the cheapest journey: A* whose walks are measured only when they are about to be taken.
    fn search(
        &self,
        start: Vec2,
        home: (usize, usize),
        goal: Vec2,
        goal_home: (usize, usize),
        route: &RouteOptions,
    ) -> Option<Vec<usize>> {
        let mut reached = vec![Reached { at: start, home, by: None, cost: 0.0 }];
        let mut used = vec![false; self.links().len()];
        let mut queue: BinaryHeap<Reverse<(OrderedCost, usize)>> = BinaryHeap::new();
        let mut options: Vec<Choice> = Vec::new();
        let entry = |link: Option<usize>| link.map_or(goal, |link| self.links()[link].run_up);
        let beyond = |link: Option<usize>| {
            link.map_or(0.0, |link| {
                self.link_cost(link, route) + self.links()[link].run_out.distance(goal)
            })
        };
        let mut newest = 0;
        loop {
            // Everything that can be done from the newest candidate.
            while newest < reached.len() {
                let Reached { at, home, cost, .. } = reached[newest];
                let jumps = (0..self.links().len())
                    .filter(|&link| self.links()[link].start == home && !used[link]);
                for link in jumps.map(Some).chain((home == goal_home).then_some(None)) {
                    options.push(Choice { from: newest, link, cost: None });
                    let guess = cost + at.distance(entry(link)) + beyond(link);
                    queue.push(Reverse((OrderedCost(guess), options.len() - 1)));
                }
                newest += 1;
            }
            let Reverse((_, index)) = queue.pop()?;
            let Choice { from, link, cost } = options[index];
            if link.is_some_and(|link| used[link]) {
                continue;
            }
            let Some(cost) = cost else {
                let Reached { at, home, cost, .. } = reached[from];
                if let Ok((way, _)) = self.walk(home.0, at, entry(link), &route.method) {
                    let cost = cost + Polyline::length_of(&way);
                    options.push(Choice { from, link, cost: Some(cost) });
                    queue.push(Reverse((OrderedCost(cost + beyond(link)), options.len() - 1)));
                }
                continue;
            };
            let Some(link) = link else {
                let mut hops: Vec<usize> =
                    std::iter::successors(reached[from].by, |&(_, before)| reached[before].by)
                        .map(|(link, _)| link)
                        .collect();
                hops.reverse();
                return Some(hops);
            };
            used[link] = true;
            let cost = cost + self.link_cost(link, route);
            reached.push(Reached {
                at: self.links()[link].run_out,
                home: self.links()[link].end,
                by: Some((link, from)),
                cost,
            });
        }
    }

    /// What a crossing costs, in metres.
    fn link_cost(&self, link: usize, options: &RouteOptions) -> f32 {
        let link = &self.links()[link];
        link.length() + if link.crossing == Crossing::Jump { options.jump_cost } else { 0.0 }
    }

    /// A walk on one level, and the trees that found it.
    pub(super) fn walk(
        &self,
        level: usize,
        from: Vec2,
        to: Vec2,
        method: &RouteMethod,
    ) -> Result<(Vec<Vec2>, Vec<TreeBranch>), NoRoute> {
        match method {
            RouteMethod::NavigationMesh => Ok((self.places.walk(level, from, to)?, Vec::new())),
            RouteMethod::TwoTrees(trees) => {
                let walls = self.places.walls(level);
                let TwoTreesRoute { way, branches, .. } = trees.find(walls, from, to)?;
                Ok((shorten(walls, &way, &trees.shortening), branches))
            }
        }
    }

    fn rounded(&self, mut walk: Walk, options: &RouteOptions) -> RouteWalk {
        let rounding = &options.curve;
        // What comes before the last place makes way for it.
        let last = walk.way.pop();
        walk.way.dedup_by(|a, b| a.distance_squared(*b) < 1e-6);
        if let Some(last) = last {
            while walk.way.len() > 1 && walk.way[walk.way.len() - 1].distance_squared(last) < 1e-6 {
                walk.way.pop();
            }
            walk.way.push(last);
        }
        // Over a gap that is crossed in the stride one walks straight.
        let is_bridged = |from: Vec2, to: Vec2| {
            walk.bridges.iter().any(|&bridge| {
                [from, to].iter().all(|&place| place.distance(nearest(place, bridge)) < BRIDGE)
            })
        };
        let fits = |walls: &Walls, from: Vec2, to: Vec2| {
            walls.is_free(from) && walls.edge_is_free(from, to)
        };
        let anywhere = |from, to| {
            let mut levels = std::iter::once(walk.level).chain(walk.levels.iter().copied());
            levels.any(|level| fits(self.places.walls(level), from, to))
        };
        let curve = if walk.bridges.is_empty() && walk.levels.is_empty() {
            let walls = self.places.walls(walk.level);
            // Run-ups and run-outs of jumps stay straight.
            let inner =
                usize::from(walk.after_jump)..walk.way.len() - usize::from(walk.before_jump);
            let with_room = |room: f32| {
                let mut way = walk.way[..inner.start].to_vec();
                way.extend(band::eased(walls, &walk.way[inner.clone()], room, &options.band));
                way.extend(&walk.way[inner.end..]);
                Curve::through(|from, to| walls.edge_is_free(from, to), &way, rounding)
            };
            let most = options.longest_detour * Polyline::length_of(&walk.way);
            let rooms = [1.0, 0.5, 0.25].map(|part| part * rounding.room);
            let mut eased = rooms.into_iter().map(with_room);
            eased
                .find(|curve| Polyline::length_of(&curve.samples) <= most)
                .unwrap_or_else(|| with_room(0.0))
        } else {
            Curve::through(
                |from, to| is_bridged(from, to) || anywhere(from, to),
                &walk.way,
                rounding,
            )
        };
        RouteWalk { level: walk.level, corners: walk.way, curve, branches: walk.branches }
    }

    fn walked(
        &self,
        start: Vec2,
        home: (usize, usize),
        goal: Vec2,
        hops: &[JumpLink],
        options: &RouteOptions,
    ) -> Result<RouteJourney, NoRoute> {
        let (mut walks, mut jumps) = (Vec::new(), Vec::new());
        let mut walk = Walk { way: vec![start], ..Walk::on(home.0) };
        let (mut at, mut level) = (start, home.0);
        for hop in hops.iter().copied().map(Some).chain([None]) {
            let entry = hop.map_or(goal, |link| link.run_up);
            let (way, branches) = self.walk(level, at, entry, &options.method)?;
            walk.way.extend(way);
            walk.branches.extend(branches);
            let Some(link) = hop else { break };
            walk.way.push(link.from);
            match link.crossing {
                Crossing::Stride => {
                    walk.bridges.push([link.from, link.to]);
                    walk.levels.push(link.end.0);
                }
                Crossing::Seam(_) => walk.levels.push(link.end.0),
                Crossing::Jump => {
                    walk.before_jump = true;
                    let next = Walk { after_jump: true, ..Walk::on(link.end.0) };
                    walks.push(self.rounded(std::mem::replace(&mut walk, next), options));
                    jumps.push(link);
                }
            }
            walk.way.push(link.to);
            (at, level) = (link.run_out, link.end.0);
        }
        walks.push(self.rounded(walk, options));
        let lengths = walks.iter().enumerate().map(|(index, walk)| {
            let jump = jumps.get(index).map_or(0.0, |link| link.from.distance(link.to));
            (Polyline::length_of(&walk.curve.samples), jump)
        });
        let length = lengths.flat_map(|(walk, jump)| [walk, jump]).sum();
        Ok(RouteJourney { legs: self.legs(&walks, &jumps), walks, jumps, length })
    }

    /// Walks along their curves; jumps lead from rim to rim.
    fn legs(&self, walks: &[RouteWalk], jumps: &[JumpLink]) -> Vec<RouteLeg> {
        let mut legs = Vec::with_capacity(walks.len() + jumps.len());
        for (index, walk) in walks.iter().enumerate() {
            legs.push(RouteLeg::Walk(walk.curve.samples.clone()));
            if let Some(link) = jumps.get(index) {
                let ahead = self.walker.clearance.rim * link.direction();
                let (from, to) = (link.from + ahead, link.to - ahead);
                legs.push(RouteLeg::Jump(Jump { from, to, clip: None }));
            }
        }
        legs
    }
}

/// A walk being put together, perhaps over several levels.
struct Walk {
    level: usize,
    way: Vec<Vec2>,
    /// Levels after the first.
    levels: Vec<usize>,
    bridges: Vec<[Vec2; 2]>,
    branches: Vec<TreeBranch>,
    after_jump: bool,
    before_jump: bool,
}

impl Walk {
    /// One that begins on a level.
    fn on(level: usize) -> Self {
        let (way, levels, bridges, branches) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { level, way, levels, bridges, branches, after_jump: false, before_jump: false }
    }
}

/// A finite cost, in order.
#[derive(Clone, Copy, PartialEq)]
struct OrderedCost(f32);

impl Eq for OrderedCost {}

impl PartialOrd for OrderedCost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OrderedCost {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{JumpRange, TwoTrees};
    use andante_world::Platform;
    use glam::vec2;

    fn slab(x: [f32; 2], z: [f32; 2]) -> GroundPatch {
        let outline = vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])];
        Platform::level("slab", outline, 0.0).into()
    }

    fn jumper() -> NavAgent {
        let jump = JumpRange { reach: [1.2, 2.6], rise: 0.3, run_up: 2.0, run_out: 1.5 };
        NavAgent { jump: Some(jump), ..NavAgent::person(1.75) }
    }

    fn jumps(journey: &RouteJourney) -> usize {
        journey.jumps.len()
    }

    /// Three islands in a row, and a long way round from the first to the last.
    #[test]
    fn gaps_are_jumped_when_there_is_no_other_way() {
        let islands = [
            slab([0.0, 6.0], [0.0, 6.0]),
            slab([0.0, 6.0], [7.5, 14.0]),
            slab([0.0, 6.0], [15.8, 22.0]),
        ];
        let network = Network::new(&islands, &[], &jumper()).unwrap();
        let (start, goal) = (vec2(1.0, 1.0), vec2(5.0, 21.0));
        let journey = network.find(start, goal, &RouteOptions::default()).unwrap();
        assert_eq!(jumps(&journey), 2);
        // What is jumped begins where the walk before it ends and lands where the next begins.
        for (index, link) in journey.jumps.iter().enumerate() {
            let (before, after) = (&journey.walks[index].curve, &journey.walks[index + 1].curve);
            assert_eq!(before.samples.last(), Some(&link.from));
            assert_eq!(after.samples.first(), Some(&link.to));
            let last =
                before.samples[before.samples.len() - 1] - before.samples[before.samples.len() - 2];
            assert!(
                last.angle_to(link.direction()).abs() < 1e-2,
                "the run-up points along the jump"
            );
            let RouteLeg::Jump(jump) = &journey.legs[2 * index + 1] else { panic!("a jump") };
            assert!(jump.from.distance(jump.to) < link.from.distance(link.to));
        }
        let none = Network::new(&islands, &[], &NavAgent::person(1.75)).unwrap().find(
            start,
            goal,
            &RouteOptions::default(),
        );
        let Err(NoRoute::Gap { gap, widest, .. }) = none else { panic!("{none:?}") };
        assert!((gap - 1.5).abs() < 0.02 && (0.2..0.7).contains(&widest), "{gap} {widest}");
    }

    #[test]
    fn a_short_way_round_is_walked_rather_than_jumped() {
        let ring = [
            slab([0.0, 20.0], [0.0, 6.0]),
            slab([0.0, 20.0], [7.5, 14.0]),
            slab([17.0, 20.0], [5.0, 8.0]),
        ];
        let network = Network::new(&ring, &[], &jumper()).unwrap();
        let near_bridge =
            network.find(vec2(16.0, 3.0), vec2(16.0, 10.0), &RouteOptions::default()).unwrap();
        assert_eq!(jumps(&near_bridge), 0);
        let far = network.find(vec2(2.0, 3.0), vec2(2.0, 10.0), &RouteOptions::default()).unwrap();
        assert_eq!(jumps(&far), 1);
    }

    #[test]
    fn stones_are_crossed_in_the_stride() {
        let stone = |index: usize| {
            let corner = |turn: usize| {
                vec2(3.0, 6.6 + 0.9 * index as f32)
                    + 0.35 * Vec2::from_angle(turn as f32 * std::f32::consts::FRAC_PI_6)
            };
            Platform::level("stone", (0..12).map(corner).collect(), 0.05 * index as f32).into()
        };
        let mut platforms: Vec<GroundPatch> = (0..6).map(stone).collect();
        platforms.extend([slab([0.0, 6.0], [0.0, 6.0]), slab([0.0, 6.0], [11.7, 16.0])]);
        let network = Network::new(&platforms, &[], &NavAgent::person(1.75)).unwrap();
        let journey =
            network.find(vec2(3.0, 1.0), vec2(3.0, 15.0), &RouteOptions::default()).unwrap();
        let [RouteLeg::Walk(places)] = journey.legs.as_slice() else {
            panic!("one walk, {journey:?}")
        };
        assert!(journey.length < 14.2, "{}", journey.length);
        for place in places.iter().filter(|place| (6.3..11.3).contains(&place.y)) {
            assert!((place.x - 3.0).abs() < 0.2, "over the stones, not at {place}");
        }
    }

    #[test]
    fn the_same_question_has_the_same_answer() {
        let islands = [slab([0.0, 6.0], [0.0, 6.0]), slab([0.0, 6.0], [7.5, 14.0])];
        let find = || {
            let network = Network::new(&islands, &[], &jumper()).unwrap();
            network.find(vec2(1.0, 1.0), vec2(5.0, 13.0), &RouteOptions::default()).unwrap()
        };
        assert_eq!(find(), find());
    }

    #[test]
    fn two_trees_find_a_way_that_is_little_longer_and_can_be_drawn() {
        let islands = [slab([0.0, 6.0], [0.0, 6.0]), slab([0.0, 6.0], [7.5, 14.0])];
        let pillar = |x: f32, z: f32| Obstacle {
            name: "pillar".into(),
            shape: andante_world::ObstacleShape::Cylinder { radius: 1.0, height: 2.0 },
            at: glam::vec3(x, 0.0, z),
            heading: 0.0,
        };
        let pillars = [pillar(2.0, 2.5), pillar(3.0, 11.5)];
        let network = Network::new(&islands, &pillars, &jumper()).unwrap();
        let (start, goal) = (vec2(1.0, 1.0), vec2(5.0, 13.0));
        let mesh = network.find(start, goal, &RouteOptions::default()).unwrap();
        let method = RouteMethod::TwoTrees(TwoTrees { seed: 3, ..Default::default() });
        let trees = RouteOptions { method, ..Default::default() };
        let found = network.find(start, goal, &trees).unwrap();
        assert_eq!(found, network.find(start, goal, &trees).unwrap());
        assert_eq!((found.jumps.len(), found.legs.len()), (1, 3));
        assert!(found.length < 1.2 * mesh.length, "{} {}", found.length, mesh.length);
        assert!(found.walks.iter().any(|walk| !walk.branches.is_empty()));
        assert!(mesh.walks.iter().all(|walk| walk.branches.is_empty()));
        let none = RouteMethod::TwoTrees(TwoTrees { attempts: 0, ..Default::default() });
        let none = network.find(start, goal, &RouteOptions { method: none, ..trees });
        assert!(none.is_err(), "{none:?}");
    }

    fn at(x: [f32; 2], z: [f32; 2], height: f32) -> GroundPatch {
        let outline = vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])];
        Platform::level("slab", outline, height).into()
    }

    /// Steps of 0.17 by 0.29 m along z, or against it.
    fn flight(x: [f32; 2], z: f32, run: f32, height: f32, steps: usize) -> Vec<GroundPatch> {
        let step = |step: usize| {
            let from = z + run * step as f32;
            let along = [from.min(from + run), from.max(from + run)];
            at(x, along, height + 0.17 * (step + 1) as f32)
        };
        (0..steps).map(step).collect()
    }

    fn found(
        ground: &[GroundPatch],
        from: (Vec2, f32),
        to: (Vec2, f32),
    ) -> Result<RouteJourney, NoRoute> {
        let network = Network::new(ground, &[], &NavAgent::person(1.75)).unwrap();
        let spot = |(place, height)| Spot { place, height: Some(height) };
        network.find(spot(from), spot(to), &RouteOptions::default())
    }

    fn samples(journey: &RouteJourney) -> impl Iterator<Item = Vec2> {
        journey.walks.iter().flat_map(|walk| walk.curve.samples.iter().copied())
    }

    /// A dock beside the ground, with stairs that stand on the ground or end before it.
    #[test]
    fn a_ledge_is_gone_round_by_the_stairs_that_lead_up() {
        for stands in [true, false] {
            let mut ground = vec![at([0.0, 10.0], [6.0, 10.0], 1.02)];
            if stands {
                ground.push(at([0.0, 10.0], [0.0, 6.0], 0.0));
            } else {
                ground.extend([at([0.0, 8.0], [0.0, 6.0], 0.0), at([8.0, 10.0], [0.0, 4.26], 0.0)]);
            }
            ground.extend(flight([8.4, 9.6], 4.26, 0.29, 0.0, 6));
            let journey = found(&ground, (vec2(2.0, 2.0), 0.0), (vec2(2.0, 8.0), 1.02)).unwrap();
            assert!(journey.length > 14.0, "{}", journey.length);
            for place in samples(&journey).filter(|place| (5.0..6.05).contains(&place.y)) {
                assert!((8.4..9.6).contains(&place.x), "over the ledge at {place}");
            }
            let ledge: Vec<_> = ground.iter().take(if stands { 2 } else { 3 }).cloned().collect();
            let none = found(&ledge, (vec2(2.0, 2.0), 0.0), (vec2(2.0, 8.0), 1.02));
            assert!(matches!(none, Err(NoRoute::Apart { .. })), "{none:?}");
        }
    }

    /// Up, round a landing and up again, to where one is above where one was.
    #[test]
    fn storeys_are_told_apart_by_height_and_reached_by_stairs_that_turn_back() {
        let mut ground = vec![at([0.0, 4.0], [-4.0, 0.0], 0.0), at([0.0, 4.0], [-4.0, 0.0], 3.06)];
        ground.extend(flight([0.1, 1.3], 0.0, 0.29, 0.0, 9));
        ground.push(at([0.0, 4.0], [2.61, 4.5], 1.53));
        ground.extend(flight([2.0, 3.2], 2.61, -0.29, 1.53, 9));
        let (a, b) = (vec2(1.0, -2.0), vec2(2.0, -2.0));
        let up = found(&ground, (a, 0.0), (b, 3.06)).unwrap();
        assert!((8.0..15.0).contains(&up.length), "{}", up.length);
        assert!(samples(&up).any(|place| place.y > 2.7), "round the landing");
        let down = found(&ground, (b, 3.06), (a, 0.0)).unwrap();
        assert!((down.length - up.length).abs() < 0.3, "{} {}", down.length, up.length);
        for height in [0.0, 3.06] {
            let along = found(&ground, (a, height), (b, height)).unwrap();
            assert!((along.length - 1.0).abs() < 1e-3, "{}", along.length);
        }
    }

    #[test]
    fn two_turns_of_a_spiral_lead_from_storey_to_storey() {
        let tread = |step: usize| {
            let corner = |radius: f32, step: usize| {
                radius * Vec2::from_angle((step as f32 - 3.0) * std::f32::consts::FRAC_PI_6)
            };
            let outline = vec![
                corner(0.35, step),
                corner(1.4, step),
                corner(1.4, step + 1),
                corner(0.35, step + 1),
            ];
            Platform::level("tread", outline, 0.17 * (step + 1) as f32).into()
        };
        let mut ground: Vec<GroundPatch> = (0..24).map(tread).collect();
        ground.push(at([-1.4, 0.0], [-6.0, -0.4], 0.0));
        ground.push(at([-4.0, 0.0], [-4.0, -0.3], 4.08));
        let up = found(&ground, (vec2(-0.7, -5.0), 0.0), (vec2(-3.0, -3.0), 4.08)).unwrap();
        assert!((10.0..25.0).contains(&up.length), "{}", up.length);
    }

    #[test]
    fn cracks_are_no_gaps_and_what_is_too_low_to_stand_under_is_no_place() {
        for gap in [0.0, 1e-7, 1e-5, 1e-3, 0.02, 0.049] {
            for rise in [0.0, 0.2] {
                let ground = [slab([0.0, 4.0], [0.0, 5.0]), at([0.0, 4.0], [5.0 + gap, 9.0], rise)];
                let way = found(&ground, (vec2(2.0, 1.0), 0.0), (vec2(2.0, 8.0), rise));
                let way = way.unwrap_or_else(|none| panic!("{gap} {rise}: {none}"));
                assert!((way.length - 7.0).abs() < 0.01 && way.jumps.is_empty(), "{gap} {rise}");
            }
        }
        let low = [slab([0.0, 9.0], [0.0, 9.0]), at([3.0, 6.0], [3.0, 6.0], 1.2)];
        let below = (vec2(4.5, 4.5), 0.5);
        assert!(matches!(found(&low, (vec2(1.0, 1.0), 0.0), below), Err(NoRoute::GoalOff(_))));
        let round = found(&low, (vec2(1.0, 4.5), 0.0), (vec2(8.0, 4.5), 0.0)).unwrap();
        assert!(round.length > 7.5, "{}", round.length);
    }
}
