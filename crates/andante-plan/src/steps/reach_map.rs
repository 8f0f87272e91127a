//! How far it is to a goal over ground with holes, roughly: what a search for footsteps is led by.

use andante_world::Ground;
use glam::{IVec2, Vec2, Vec3};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Cells with ground, and how far each is from a goal if no step is longer than some length. Heights do not count.
pub(super) struct ReachMap {
    cell: f32,
    ways: HashMap<IVec2, f32>,
}

impl ReachMap {
    /// The cells between two corners from which the goal can be reached.
    pub fn new(ground: &dyn Ground, goal: Vec2, corners: [Vec2; 2], cell: f32, reach: f32) -> Self {
        let [low, high] = corners.map(|corner| (corner / cell).round().as_ivec2());
        let is_ground = |at: IVec2| {
            let place = at.as_vec2() * cell;
            ground.height_below(Vec3::new(place.x, 1e4, place.y), f32::INFINITY).is_some()
        };
        let near = (reach / cell) as i32;
        let goal = (goal / cell).round().as_ivec2();
        let mut found: HashMap<IVec2, Option<f32>> = HashMap::from([(goal, Some(0.0))]);
        let mut ways: HashMap<IVec2, f32> = HashMap::new();
        let mut open = BinaryHeap::from([Reverse((0u32, goal.x, goal.y))]);
        while let Some(Reverse((way, x, y))) = open.pop() {
            let (at, way) = (IVec2::new(x, y), f32::from_bits(way));
            if ways.contains_key(&at) {
                continue;
            }
            ways.insert(at, way);
            for (dx, dy) in (-near..=near).flat_map(|dx| (-near..=near).map(move |dy| (dx, dy))) {
                let (by, to) = (IVec2::new(dx, dy), at + IVec2::new(dx, dy));
                let far = cell * by.as_vec2().length();
                if far > reach || to.cmplt(low).any() || to.cmpgt(high).any() {
                    continue;
                }
                let known =
                    found.entry(to).or_insert_with(|| is_ground(to).then_some(f32::INFINITY));
                if let Some(known) = known.as_mut().filter(|known| way + far < **known) {
                    *known = way + far;
                    open.push(Reverse(((way + far).to_bits(), to.x, to.y)));
                }
            }
        }
        Self { cell, ways }
    }

    /// The way from a place to the goal, no longer than it is; none if no steps lead there.
    pub fn way(&self, place: Vec2) -> Option<f32> {
        let middle = (place / self.cell).round().as_ivec2();
        let around = (-1..=1).flat_map(|x| (-1..=1).map(move |y| middle + IVec2::new(x, y)));
        let nearest = around.filter_map(|at| self.ways.get(&at).copied()).reduce(f32::min)?;
        // Hops between the middles of cells are a little longer than the way.
        Some((0.9 * nearest - 2.0 * self.cell).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::Hit;
    use glam::vec2;

    /// Two banks and a plank between them, far to the side.
    struct Plank;

    impl Ground for Plank {
        fn probe(&self, from: Vec3, depth: f32) -> Option<Hit> {
            let bears = !(0.0..3.0).contains(&from.z) || (4.0..4.3).contains(&from.x);
            (bears && from.y >= 0.0 && from.y <= depth)
                .then(|| Hit { point: from.with_y(0.0), normal: Vec3::Y })
        }
    }

    #[test]
    fn ways_lead_over_the_plank_and_nowhere_else() {
        let corners = [vec2(-6.0, -6.0), vec2(6.0, 9.0)];
        let map = ReachMap::new(&Plank, vec2(0.0, 4.0), corners, 0.15, 1.0);
        let straight = 5.0;
        let way = map.way(vec2(0.0, -1.0)).unwrap_or_default();
        let round = vec2(4.0, 1.0).length() + 3.0 + vec2(4.0, 1.0).length();
        assert!(way > 1.3 * straight && way <= round, "{way} {round}");
        assert_eq!(map.way(vec2(0.0, 1.5)), None);
        let shut =
            ReachMap::new(&Plank, vec2(0.0, 4.0), [vec2(-6.0, -6.0), vec2(3.0, 9.0)], 0.15, 1.0);
        assert_eq!(shut.way(vec2(0.0, -1.0)), None);
    }
}
