//! Footsteps searched place by place, where ground is hard: stones, beams, narrow treads, gaps that lie askew.
//!
//! Weighted A* over places for feet (Chestnutt et al. 2005, Hornung et al. 2012): a state is a foot that stands, a successor
//! the other foot put down within what legs reach and turn. It is searched greedily first and then ever less so, as long as
//! there is time: the best that was found is known to cost no more than so many times the least.

use super::StepGround;
use super::placed_footprints::PlacedFootprints;
use super::planner::StepPlanner;
use super::reach_map::ReachMap;
use super::step_limits::{LatticeStep, StepLimits};
use super::vocabulary::FootShape;
use andante_play::FeetSettings;
use andante_skeleton::{Planar, rotation};
use glam::{IVec3, Vec2, Vec3};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::f32::consts::{FRAC_PI_4, TAU};

/// No state.
const NONE: u32 = u32::MAX;

andante_skeleton::settings! {
    /// Settings of a [`FootstepSearch`].
    pub struct FootstepSearchSettings: Copy {
        /// Distance between the places that are tried, in metres. Finer finds narrower ground and takes longer, by its square.
        spacing: f32 = 0.04, 0.02..=0.1;
        /// Headings in a whole turn that are tried.
        headings: usize = 32, 8..=128;
        /// How many times as much as the cheapest the first footsteps may cost. More finds some sooner.
        greed: f32 = 3.0, 1.0..=10.0;
        /// By how much less the next ones may.
        less_greed: f32 = 1.0, 0.1..=10.0;
        /// Longest step, in leg lengths. Steps longer than those of a walk cost more and more.
        longest: f32 = 1.05, 0.7..=1.1;
        /// How many times as many feet as for the first footsteps are put down to find better ones.
        patience: f32 = 3.0, 1.0..=100.0;
        /// Feet that are put down at most, in all of that.
        expansions: usize = 2500, 1..;
        /// Room around the start and the goal in which footsteps are searched, in metres.
        around: f32 = 5.0, 1.0..=50.0;
        /// The cost of a sole that lies badly, beyond which no foot is put there: about one that hangs over an edge.
        worst: f32 = 8.0, 1.0..=50.0;
        /// The part of a sole from its middle to heel and ball that has to lie on the ground.
        borne: f32 = 0.7, 0.0..=1.0;
        /// How far around a footprint that was refuted no other is tried, in leg lengths.
        shunned: f32 = 0.08, 0.0..=0.5;
    }
}

/// The footprints from a start to a goal, and how good they are.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundFootprints {
    /// Footprints for [`StepPlanner::perform_footprints`], from standing to standing.
    pub prints: Vec<PlacedFootprints>,
    /// What they cost: one for each easy step, more for those that are not.
    pub cost: f32,
    /// How many times as much as the cheapest there are on this lattice they cost at most; infinite if time was up before
    /// that was known.
    pub bound: f32,
    /// Feet that were put down to find them.
    pub expanded: usize,
}

/// A search for footsteps in a world.
pub struct FootstepSearch<'a> {
    /// Whose legs and strides they are.
    pub planner: &'a StepPlanner,
    /// The ground.
    pub world: StepGround<'a>,
    /// How feet lie.
    pub feet: &'a FeetSettings,
    /// Whether a body has room that is above a point of the ground.
    pub has_room: &'a dyn Fn(Vec3) -> bool,
    /// Where no foot is put again, since what came of it was refuted.
    pub shunned: &'a [Vec3],
    /// How it is searched.
    pub settings: FootstepSearchSettings,
}

/// A state: a foot that stands.
#[derive(Clone, Copy, Debug)]
struct FootState {
    foot: usize,
    /// The middle of the foot, and where the body above it faces.
    at: Planar,
    height: f32,
    cost: f32,
    before: u32,
}

type CellKey = (usize, IVec3, i32);

impl FootstepSearch<'_> {
    /// The footsteps from standing at a place and height to standing at another; none if there are none, or none that
    /// are found in time. Places are those of the hips. Who faces elsewhere and finds none turns towards the goal first.
    pub fn find(&self, ends: [Planar; 2], levels: [f32; 2]) -> Option<FoundFootprints> {
        self.find_as_it_faces(ends, levels).or_else(|| {
            let [start, goal] = ends;
            let towards = goal.position - start.position;
            let turned = Planar::new(start.position, libm::atan2f(towards.x, towards.y));
            let turn = rotation::wrap_angle(turned.heading - start.heading);
            if turn.abs() < FRAC_PI_4 {
                return None;
            }
            let mut found = self.find_as_it_faces([turned, goal], levels)?;
            let first = self.turn_on_the_spot(&start, turn);
            found.cost += first.len() as f32;
            // Others may turn on the way, and cost less.
            found.bound = f32::INFINITY;
            found.prints.splice(0..0, first);
            Some(found)
        })
    }

    /// The footprints of a turn on the spot, from standing, without those it ends on: the foot that is on the inside goes first.
    fn turn_on_the_spot(&self, start: &Planar, turn: f32) -> Vec<PlacedFootprints> {
        let stance = &self.planner.vocabulary().rest.stance;
        let steps = (turn.abs() / FRAC_PI_4).ceil() as usize;
        let inner = usize::from(turn < 0.0);
        (0..steps)
            .flat_map(|step| {
                let heading = start.heading + turn * step as f32 / steps as f32;
                let body = Planar::new(start.position, heading);
                [inner, 1 - inner]
                    .map(|foot| PlacedFootprints { foot, place: body.then(&stance[foot]) })
            })
            .collect()
    }

    fn find_as_it_faces(&self, ends: [Planar; 2], levels: [f32; 2]) -> Option<FoundFootprints> {
        let mut lattice = Lattice::new(self, ends, levels);
        let (mut weight, mut found): (f32, Option<FoundFootprints>) = (self.settings.greed, None);
        loop {
            let Some((last, cost)) = lattice.search(weight) else { return found };
            let is_proven = lattice.expanded < lattice.budget;
            let best = found.get_or_insert_with(|| FoundFootprints {
                prints: Vec::new(),
                cost: f32::INFINITY,
                bound: f32::INFINITY,
                expanded: 0,
            });
            if cost < best.cost {
                (best.prints, best.cost) = (lattice.prints(last), cost);
            }
            best.expanded = lattice.expanded;
            if is_proven {
                best.bound = best.bound.min(weight);
            }
            if weight <= 1.0 || !is_proven {
                return found;
            }
            if lattice.budget == self.settings.expansions {
                let patient = self.settings.patience * lattice.expanded as f32;
                lattice.budget = lattice.budget.min(patient as usize);
            }
            weight = (weight - self.settings.less_greed).max(1.0);
        }
    }
}

/// What a search has seen.
struct Lattice<'a> {
    own: &'a FootstepSearch<'a>,
    start: Planar,
    level: f32,
    /// Where feet stand at the goal, and how high that is.
    goal: [Planar; 2],
    goal_level: f32,
    /// Where the body faces there.
    facing: f32,
    steps: Vec<LatticeStep>,
    limits: StepLimits,
    map: ReachMap,
    states: Vec<FootState>,
    known: HashMap<CellKey, u32>,
    lying: HashMap<CellKey, Option<[f32; 2]>>,
    expanded: usize,
    /// How far that may go.
    budget: usize,
}

impl<'a> Lattice<'a> {
    fn new(own: &'a FootstepSearch<'a>, [start, goal]: [Planar; 2], levels: [f32; 2]) -> Self {
        let vocabulary = own.planner.vocabulary();
        let limits = StepLimits::new(vocabulary, &own.settings);
        let stance = &vocabulary.rest.stance;
        let around = Vec2::splat(own.settings.around);
        let corners = [
            start.position.min(goal.position) - around,
            start.position.max(goal.position) + around,
        ];
        let cell = 3.0 * own.settings.spacing;
        let reach = limits.longest + 2.0 * cell;
        let map = ReachMap::new(own.world.ground, goal.position, corners, cell, reach);
        let mut lattice = Self {
            map,
            own,
            start,
            level: levels[0],
            goal: [0, 1].map(|foot| goal.then(&stance[foot])),
            goal_level: levels[1],
            facing: goal.heading,
            steps: Vec::new(),
            limits,
            states: Vec::new(),
            known: HashMap::new(),
            lying: HashMap::new(),
            expanded: 0,
            budget: own.settings.expansions,
        };
        lattice.steps = lattice.fan();
        lattice
    }

    /// The steps that are tried from everywhere.
    fn fan(&self) -> Vec<LatticeStep> {
        let set = &self.own.settings;
        let (spacing, [least, usual, most]) = (1.25 * set.spacing, self.limits.aside);
        let asides = [least, 0.5 * (least + usual), usual, 0.5 * (usual + most)];
        let reach = (self.limits.longest / spacing) as i32;
        let turns = (self.limits.turn / self.heading(1)) as i32;
        let mut steps = Vec::new();
        for ahead in (-reach / 3)..=reach {
            for aside in asides {
                for turn in -turns..=turns {
                    let step = LatticeStep {
                        ahead: spacing * ahead as f32,
                        aside,
                        turn: self.heading(turn),
                    };
                    steps.extend(self.limits.cost(step).map(|_| step));
                }
            }
        }
        steps
    }

    fn heading(&self, index: i32) -> f32 {
        TAU * index as f32 / self.own.settings.headings.max(8) as f32
    }

    fn key(&self, foot: usize, at: Planar, height: f32) -> CellKey {
        let set = &self.own.settings;
        let cell = at.position / set.spacing;
        let floor = (height / self.limits.highest).round();
        let turn = rotation::wrap_angle(at.heading - self.start.heading) / self.heading(1);
        let turn = (turn.round() as i32).rem_euclid(set.headings.max(8) as i32);
        (foot, Vec3::new(cell.x.round(), floor, cell.y.round()).as_ivec3(), turn)
    }

    /// A foot put down beside another, at the nearest place of the lattice.
    fn put(&self, from: &FootState, step: LatticeStep) -> Planar {
        let side = if from.foot == 1 { 1.0 } else { -1.0 };
        let turn = side * step.turn;
        let middle = Planar::new(from.at.position, from.at.heading + 0.5 * turn);
        let place = middle.then(&Planar::new(Vec2::new(side * step.aside, step.ahead), 0.0));
        let spacing = self.own.settings.spacing;
        Planar::new((place.position / spacing).round() * spacing, from.at.heading + turn)
    }

    /// The step from a foot to a place of the other one.
    fn step(&self, from: &FootState, to: Planar) -> LatticeStep {
        let side = if from.foot == 1 { 1.0 } else { -1.0 };
        let turn = rotation::wrap_angle(to.heading - from.at.heading);
        let middle = Planar::new(from.at.position, from.at.heading + 0.5 * turn);
        let seen = middle.to(&to).position;
        LatticeStep { ahead: seen.y, aside: side * seen.x, turn: side * turn }
    }

    /// The height of a foot that is put down near a height, and what that costs.
    fn lies(&mut self, foot: usize, at: Planar, near: f32) -> Option<[f32; 2]> {
        let key = self.key(foot, at, near);
        if let Some(known) = self.lying.get(&key) {
            return *known;
        }
        let lies = self.laid(foot, at, near);
        self.lying.insert(key, lies);
        lies
    }

    fn laid(&self, foot: usize, at: Planar, near: f32) -> Option<[f32; 2]> {
        let (own, leg) = (self.own, self.limits.leg);
        let highest = 1.5 * self.limits.highest;
        let above = Vec3::new(at.position.x, near + highest, at.position.y);
        let ground = own.world.ground.height_below(above, 2.0 * highest)?;
        let far = own.settings.shunned * leg;
        let shuns = |place: &Vec3| place.distance(above.with_y(ground)) < far;
        if own.shunned.iter().any(shuns) {
            return None;
        }
        let vocabulary = own.planner.vocabulary();
        let FootShape { heel, ball, tip, .. } = vocabulary.rest.shapes[foot];
        let points = vocabulary.rest.stance[foot].heading;
        let place = Planar::new(at.position, at.heading + points);
        let (height, lies) =
            own.feet.lying(own.world.ground, place, ground, [heel, ball, tip], leg)?;
        let cost = 0.5 * lies;
        // Heel and toes may hang over an edge; what is between has to lie on something.
        let bears = |ahead: f32| {
            let at = place.then(&Planar::new(Vec2::new(0.0, own.settings.borne * ahead), 0.0));
            let above = Vec3::new(at.position.x, height + 0.1 * leg, at.position.y);
            own.world.ground.height_below(above, 0.2 * leg).is_some()
        };
        (cost < own.settings.worst && bears(heel) && bears(ball)).then_some([height, cost])
    }

    /// Steps that are left at least.
    fn left(&self, state: &FootState) -> f32 {
        let straight = self.goal[state.foot].position.distance(state.at.position);
        let Some(way) = self.map.way(state.at.position) else { return f32::INFINITY };
        let turn = rotation::wrap_angle(self.facing - state.at.heading).abs() / self.limits.turn;
        let rise = (self.goal_level - state.height).abs() / self.limits.highest;
        (straight.max(way) / self.limits.longest).max(rise).max(turn)
    }

    /// The state from which the goal is stepped on, and what that costs in all; none if it is not found in time.
    fn search(&mut self, weight: f32) -> Option<(u32, f32)> {
        self.states.clear();
        self.known.clear();
        let stance = &self.own.planner.vocabulary().rest.stance;
        let mut open: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        self.map.way(self.start.position)?;
        for (foot, stands) in stance.iter().enumerate() {
            let place = self.start.then(stands).position;
            let at = Planar::new(place, self.start.heading);
            let first = FootState { foot, at, height: self.level, cost: 0.0, before: NONE };
            open.push(Reverse((0, self.states.len() as u32)));
            self.known.insert(self.key(foot, at, self.level), foot as u32);
            self.states.push(first);
        }
        let mut best: Option<(u32, f32)> = None;
        while let Some(Reverse((estimate, index))) = open.pop() {
            // Whatever is left is no cheaper than its estimate says.
            if best.is_some_and(|(_, cost)| f32::from_bits(estimate) >= cost) {
                break;
            }
            let state = self.states[index as usize];
            let worth = state.cost + weight * self.left(&state);
            if f32::from_bits(estimate) > worth + 1e-4 && state.before != NONE {
                continue;
            }
            if self.expanded >= self.budget {
                break;
            }
            self.expanded += 1;
            if let Some(cost) = self.arrives(&state)
                && best.is_none_or(|(_, known)| cost < known)
            {
                best = Some((index, cost));
            }
            for step in 0..self.steps.len() {
                if let Some(next) = self.next(index, self.steps[step]) {
                    let state = &self.states[next as usize];
                    let worth = state.cost + weight * self.left(state);
                    // From where no steps lead to the goal nothing is searched.
                    if worth.is_finite() {
                        open.push(Reverse((worth.max(0.0).to_bits(), next)));
                    }
                }
            }
        }
        best
    }

    /// The state after a step, if it is a new one or reached more cheaply than before.
    fn next(&mut self, index: u32, step: LatticeStep) -> Option<u32> {
        let from = self.states[index as usize];
        let foot = 1 - from.foot;
        let at = self.put(&from, step);
        let own = self.limits.cost(self.step(&from, at)).or_else(|| self.limits.cost(step))?;
        let [height, lies] = self.lies(foot, at, from.height)?;
        let cost = from.cost + own + lies + self.limits.rise(height - from.height)?;
        let key = self.key(foot, at, height);
        let known = self.known.get(&key).copied();
        if known.is_some_and(|known| self.states[known as usize].cost <= cost + 1e-4) {
            return None;
        }
        if !self.passes(&from, at, height) {
            return None;
        }
        let state = FootState { foot, at, height, cost, before: index };
        let next = known.unwrap_or(self.states.len() as u32);
        match self.states.get_mut(next as usize) {
            Some(known) => *known = state,
            None => self.states.push(state),
        }
        self.known.insert(key, next);
        Some(next)
    }

    /// Whether the body gets there, and the foot over what lies between its prints.
    fn passes(&self, from: &FootState, to: Planar, height: f32) -> bool {
        let body = from.at.position.midpoint(to.position);
        let high = from.height.max(height);
        if !(self.own.has_room)(Vec3::new(body.x, high, body.y)) {
            return false;
        }
        let Some(swings) = self.states.get(from.before as usize) else { return true };
        let far = swings.at.position.distance(to.position);
        if far > 2.0 * self.limits.longest
            || (height - swings.height).abs() > 2.0 * self.limits.highest
        {
            return false;
        }
        let over = swings.height.max(high) + self.limits.highest;
        let looks = 6;
        (1..looks).all(|look| {
            let place = swings.at.position.lerp(to.position, look as f32 / looks as f32);
            let above = Vec3::new(place.x, over + self.limits.leg, place.y);
            self.own.world.ground.height_below(above, self.limits.leg).is_none()
        })
    }

    /// The cost of the whole way if the next step leads to the goal.
    fn arrives(&self, from: &FootState) -> Option<f32> {
        let foot = 1 - from.foot;
        let stance = &self.own.planner.vocabulary().rest.stance;
        let facing = |foot: usize| self.goal[foot].heading - stance[foot].heading;
        let to = Planar::new(self.goal[foot].position, facing(foot));
        let step = self.limits.cost(self.step(from, to))?;
        let rise = self.limits.rise(self.goal_level - from.height)?;
        // The other foot follows to where it stands beside it.
        let beside = FootState { foot, at: to, height: self.goal_level, cost: 0.0, before: NONE };
        let last = Planar::new(self.goal[from.foot].position, facing(from.foot));
        let follows = self.limits.cost(self.step(&beside, last)).unwrap_or(1.0);
        self.passes(from, to, self.goal_level).then_some(from.cost + step + rise + follows)
    }

    /// The footprints up to a state and from there to the goal.
    fn prints(&self, last: u32) -> Vec<PlacedFootprints> {
        let stance = &self.own.planner.vocabulary().rest.stance;
        let mut prints = Vec::new();
        let mut next = last;
        while let Some(state) = self.states.get(next as usize) {
            let place =
                Planar::new(state.at.position, state.at.heading + stance[state.foot].heading);
            prints.push(PlacedFootprints { foot: state.foot, place });
            next = state.before;
        }
        if let Some(first) = prints.last().map(|print| 1 - print.foot) {
            let place = self.start.then(&stance[first]);
            prints.push(PlacedFootprints { foot: first, place });
        }
        prints.reverse();
        let foot = prints.last().map_or(0, |print| 1 - print.foot);
        for foot in [foot, 1 - foot] {
            prints.push(PlacedFootprints { foot, place: self.goal[foot] });
        }
        prints
    }
}
