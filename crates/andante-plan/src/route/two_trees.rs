//! A way found by two random trees, one grown from the start and one from the goal.
//!
//! After J. Kuffner and S. LaValle, "RRT-Connect" (2000): a tree grows towards a random place until it is blocked,
//! the other grows towards what was gained, and the smaller tree goes first next time.

use super::{Shortening, Walls};
use andante_skeleton::told_apart;
use glam::{Vec2, vec2};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Shortest growth worth a branch, in metres.
const LEAST_GROWTH: f32 = 1e-3;

andante_skeleton::settings! {
    /// The search by two random trees.
    pub struct TwoTrees: Copy, Eq {
        /// Random places tried before giving up. A room takes tens, a maze thousands.
        attempts: usize = 20_000;
        /// The same seed gives the same way.
        seed: u64 = 1;
        /// How a way that is found is shortened when it is to be walked.
        shortening: Shortening = Shortening::default();
    }
}

/// The tree to which a branch belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The tree that grows from the start.
    Start,
    /// The tree that grows from the goal.
    Goal,
}

/// One branch of a tree, for drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeBranch {
    /// Whose branch it is.
    pub tree: Which,
    /// Its end nearer to the root.
    pub from: Vec2,
    /// Its other end.
    pub to: Vec2,
}

/// A way and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct TwoTreesRoute {
    /// From the start to the goal; every segment is free.
    pub way: Vec<Vec2>,
    /// Random places tried.
    pub attempts: usize,
    /// The trees, in the order in which they grew.
    pub branches: Vec<TreeBranch>,
}

/// The reason for which there is no way.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoRoute {
    /// There is no ground where it is to start.
    #[error("the start ({:.2}, {:.2}) is not on the ground", .0.x, .0.y)]
    StartOff(Vec2),
    /// There is no ground at the goal.
    #[error("the goal ({:.2}, {:.2}) is not on the ground", .0.x, .0.y)]
    GoalOff(Vec2),
    /// The character cannot stand where it is to start.
    #[error("the start ({:.2}, {:.2}) is blocked: an obstacle or the end of the ground is too close", .0.x, .0.y)]
    StartBlocked(Vec2),
    /// The character cannot stand at the goal.
    #[error("the goal ({:.2}, {:.2}) is blocked: an obstacle or the end of the ground is too close", .0.x, .0.y)]
    GoalBlocked(Vec2),
    /// The goal is on another island than the start.
    #[error("there is no way on foot from ({:.2}, {:.2}) to ({:.2}, {:.2})", .start.x, .start.y, .goal.x, .goal.y)]
    Apart {
        /// Where the way was to begin.
        start: Vec2,
        /// Where it was to end.
        goal: Vec2,
    },
    /// Obstacles close off the goal or the start.
    #[error(
        "there is no way from ({:.2}, {:.2}) to ({:.2}, {:.2}): obstacles leave no passage {passage:.2} m wide",
        .start.x, .start.y, .goal.x, .goal.y
    )]
    Enclosed {
        /// Where the way was to begin.
        start: Vec2,
        /// Where it was to end.
        goal: Vec2,
        /// How wide the character is, in metres.
        passage: f32,
    },
    /// The ground ends, and what lies between cannot be crossed.
    #[error(
        "there is no way from ({:.2}, {:.2}) to ({:.2}, {:.2}): the narrowest gap is {} m wide, {}",
        .start.x, .start.y, .goal.x, .goal.y, told_apart(*gap, *widest, 2), crossable(*gap, *widest)
    )]
    Gap {
        /// Where the way was to begin.
        start: Vec2,
        /// Where it was to end.
        goal: Vec2,
        /// Ground to ground, in metres.
        gap: f32,
        /// The widest that can be crossed with room to run up and to land.
        widest: f32,
    },
    /// The trees did not meet.
    #[error("no way found in {attempts} attempts; trees of {start} and {goal} places")]
    NotConnected {
        /// Random places tried.
        attempts: usize,
        /// Size of the tree at the start.
        start: usize,
        /// Size of the tree at the goal.
        goal: usize,
    },
}

/// What is wrong with a gap.
fn crossable(gap: f32, widest: f32) -> String {
    if widest <= 0.0 {
        "and no gap can be crossed".into()
    } else if gap > widest {
        format!("the widest that can be crossed is {} m", told_apart(widest, gap, 2))
    } else {
        let widest = told_apart(widest, gap, 2);
        format!(
            "which could be crossed (up to {widest} m) if there were room to run up and to land"
        )
    }
}

struct SearchTree {
    which: Which,
    places: Vec<Vec2>,
    parents: Vec<usize>,
}

impl SearchTree {
    fn new(which: Which, root: Vec2) -> Self {
        Self { which, places: vec![root], parents: vec![0] }
    }

    /// Grows straight towards a place until it is blocked; the new twig, if there is one.
    fn grow(
        &mut self,
        walls: &Walls,
        towards: Vec2,
        branches: &mut Vec<TreeBranch>,
    ) -> Option<usize> {
        let distance = |index: &usize| self.places[*index].distance_squared(towards);
        let nearest = (0..self.places.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let from = self.places[nearest];
        let free = walls.free_fraction(from, towards);
        let way = from.distance(towards);
        // A hair short of what blocks it, so that growth can go on from there.
        let part = if free >= 1.0 { 1.0 } else { free - LEAST_GROWTH / way };
        if part * way < LEAST_GROWTH {
            return None;
        }
        let to = if part >= 1.0 { towards } else { from.lerp(towards, part) };
        self.places.push(to);
        self.parents.push(nearest);
        branches.push(TreeBranch { tree: self.which, from, to });
        Some(self.places.len() - 1)
    }

    /// From a twig down to the root.
    fn to_root(&self, mut twig: usize) -> Vec<Vec2> {
        let mut way = vec![self.places[twig]];
        while twig != 0 {
            twig = self.parents[twig];
            way.push(self.places[twig]);
        }
        way
    }
}

impl TwoTrees {
    /// A free way from `start` to `goal`.
    pub fn find(&self, walls: &Walls, start: Vec2, goal: Vec2) -> Result<TwoTreesRoute, NoRoute> {
        if !walls.is_free(start) {
            return Err(NoRoute::StartBlocked(start));
        }
        if !walls.is_free(goal) {
            return Err(NoRoute::GoalBlocked(goal));
        }
        if walls.edge_is_free(start, goal) {
            return Ok(TwoTreesRoute { way: vec![start, goal], attempts: 0, branches: Vec::new() });
        }
        let mut random = Pcg64Mcg::seed_from_u64(self.seed);
        let (low, high) = walls.bounds();
        let (mut trees, mut branches) = (
            [SearchTree::new(Which::Start, start), SearchTree::new(Which::Goal, goal)],
            Vec::new(),
        );
        for attempt in 1..=self.attempts {
            let place = low + (high - low) * vec2(random.random(), random.random());
            let [first, second] = &mut trees;
            if let Some(twig) = first.grow(walls, place, &mut branches) {
                let met = first.places[twig];
                if let Some(other) = second.grow(walls, met, &mut branches)
                    && second.places[other] == met
                {
                    let (mut way, rest) = (first.to_root(twig), second.to_root(other));
                    way.reverse();
                    way.extend(&rest[1..]);
                    if first.which == Which::Goal {
                        way.reverse();
                    }
                    return Ok(TwoTreesRoute { way, attempts: attempt, branches });
                }
            }
            if trees[0].places.len() > trees[1].places.len() {
                trees.swap(0, 1);
            }
        }
        let size = |which| {
            trees.iter().find(|tree| tree.which == which).map_or(0, |tree| tree.places.len())
        };
        Err(NoRoute::NotConnected {
            attempts: self.attempts,
            start: size(Which::Start),
            goal: size(Which::Goal),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::WalkableFloor;

    fn field() -> Vec<Vec2> {
        vec![vec2(0.0, 0.0), vec2(20.0, 0.0), vec2(20.0, 20.0), vec2(0.0, 20.0)]
    }

    fn slab(x: [f32; 2], z: [f32; 2]) -> Vec<Vec2> {
        vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])]
    }

    /// A wall across the field with a door, in a field without a way around.
    fn door(width: f32) -> Walls {
        let (left, right) = (10.0 - 0.5 * width, 10.0 + 0.5 * width);
        let blocked = [slab([-1.0, left], [9.8, 10.2]), slab([right, 21.0], [9.8, 10.2])];
        WalkableFloor::new(&[field()], &blocked, &[]).unwrap().walls(0.4)
    }

    /// A room around the goal, open on the side away from the start.
    fn room(opening: f32) -> Walls {
        let (left, right) = (10.0 - 0.5 * opening, 10.0 + 0.5 * opening);
        let blocked = [
            slab([6.0, 14.0], [8.0, 8.2]),
            slab([6.0, 6.2], [8.2, 14.0]),
            slab([13.8, 14.0], [8.2, 14.0]),
            slab([6.0, left], [14.0, 14.2]),
            slab([right, 14.0], [14.0, 14.2]),
        ];
        WalkableFloor::new(&[field()], &blocked, &[]).unwrap().walls(0.4)
    }

    #[test]
    fn doors_and_a_room_are_solved_for_every_seed_and_both_trees_grow() {
        for (name, walls, start, goal) in [
            ("wide door", door(3.0), vec2(3.0, 3.0), vec2(3.0, 17.0)),
            ("narrow door", door(1.4), vec2(3.0, 3.0), vec2(3.0, 17.0)),
            ("room", room(1.4), vec2(10.0, 3.0), vec2(10.0, 11.0)),
        ] {
            let mut smaller_tree = 0;
            for seed in 0..60 {
                let found = TwoTrees { seed, ..Default::default() }.find(&walls, start, goal);
                let found = found.unwrap_or_else(|none| panic!("{name}, seed {seed}: {none}"));
                assert_eq!((found.way[0], found.way[found.way.len() - 1]), (start, goal));
                for pair in found.way.windows(2) {
                    assert!(
                        walls.edge_is_free(pair[0], pair[1])
                            || walls.edge_is_free(pair[1], pair[0])
                    );
                }
                let of_start =
                    found.branches.iter().filter(|branch| branch.tree == Which::Start).count();
                smaller_tree = smaller_tree.max(of_start.min(found.branches.len() - of_start));
            }
            assert!(
                smaller_tree > 2,
                "{name}: the smaller tree had {smaller_tree} branches at most"
            );
        }
    }

    #[test]
    fn an_enclosed_goal_fails_and_says_so() {
        let walls = room(0.0);
        let none = TwoTrees { attempts: 500, seed: 1, ..TwoTrees::default() }.find(
            &walls,
            vec2(10.0, 3.0),
            vec2(10.0, 11.0),
        );
        assert!(matches!(none, Err(NoRoute::NotConnected { attempts: 500, .. })), "{none:?}");
    }

    #[test]
    fn a_blocked_start_and_a_blocked_goal_are_told_apart() {
        let walls = door(3.0);
        let (free, blocked) = (vec2(3.0, 3.0), vec2(3.0, 10.0));
        assert_eq!(
            TwoTrees::default().find(&walls, blocked, free),
            Err(NoRoute::StartBlocked(blocked))
        );
        assert_eq!(
            TwoTrees::default().find(&walls, free, blocked),
            Err(NoRoute::GoalBlocked(blocked))
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_way() {
        let (walls, start, goal) = (door(1.4), vec2(3.0, 3.0), vec2(3.0, 17.0));
        let find =
            |seed| TwoTrees { seed, ..Default::default() }.find(&walls, start, goal).unwrap();
        assert_eq!(find(7), find(7));
        assert_ne!(find(7).way, find(8).way);
    }
}
