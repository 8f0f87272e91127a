//! How the bones of a skeleton make up a body, and how thick they are.
//!
//! All lengths in constants are relative to the size of the body.

use super::CapsuleSettings;
use super::knots::{self, End, Knot, Role};
use crate::{Side, Skeleton, joint_sides, name_words};
use glam::Vec3;

/// Joints closer than this are at the same place.
const SAME_PLACE: f32 = 0.004;
/// The knots of a skeleton with their roles and radii, parents first.
pub(super) struct Anatomy {
    pub knots: Vec<Knot>,
    /// Side of each joint.
    pub sides: Vec<Side>,
    /// Largest extent of the rest pose.
    pub size: f32,
    /// Height of the lowest point of the rest pose.
    pub ground: f32,
    pub shape: CapsuleSettings,
}

impl Anatomy {
    pub fn new(skeleton: &Skeleton, shape: &CapsuleSettings) -> Self {
        let (low, high) = skeleton.rest_bounds();
        let extent = (high - low).max_element();
        // A single joint has no size; give it one that can be seen.
        let size = if extent > 1e-6 { extent } else { 0.5 };
        let (knots, knot_of) = knots::tie(skeleton, SAME_PLACE * size);
        let sides = joint_sides(skeleton);
        let mut anatomy = Self { knots, sides, size, ground: low.y, shape: *shape };
        if let Some(head) = find_head(skeleton) {
            anatomy.knots[knot_of[head]].is_head = true;
        }
        anatomy.measure();
        anatomy.find_locators();
        anatomy.find_trunk();
        anatomy.find_inside();
        anatomy.set_radii();
        anatomy.shape_head();
        anatomy.shape_heels();
        anatomy
    }

    fn measure(&mut self) {
        for index in (0..self.knots.len()).rev() {
            let knot = &self.knots[index];
            let far = |end: &End| knot.length(end) + self.reach(end);
            let reach = knot.ends.iter().map(far).fold(0.0, f32::max);
            let least = if knot.is_head { self.shape.head * self.size } else { 0.0 };
            self.knots[index].reach = reach.max(least);
        }
    }

    fn reach(&self, end: &End) -> f32 {
        end.knot.map_or(0.0, |knot| self.knots[knot].reach)
    }

    /// Finds the knots between the root and the body: a root on the ground, below a body that
    /// stands on that ground too, is no bone.
    fn find_locators(&mut self) {
        let near = 0.05 * self.size;
        let mut lowest: Vec<f32> = self.knots.iter().map(|knot| knot.place.y).collect();
        for (index, knot) in self.knots.iter().enumerate().rev() {
            lowest[index] = knot.ends.iter().map(|end| end.place.y).fold(lowest[index], f32::min);
            if let Some(parent) = knot.parent {
                lowest[parent] = lowest[parent].min(lowest[index]);
            }
        }
        let root = self.knots[0].place;
        // Down the tree as long as knots lie about the root. A knot with a standing body above it
        // is a locator, and so is everything between it and the root.
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let place = self.knots[index].place;
            if place.y > self.ground + near || place.distance(root) > near {
                continue;
            }
            let stands = |child: usize| {
                self.knots[child].place.y > place.y + 0.6 * near
                    && lowest[child] <= self.ground + near
            };
            let has_body = self.knots[index].children().any(stands);
            open.extend(self.knots[index].children());
            let mut above = Some(index).filter(|_| has_body);
            while let Some(index) = above {
                self.knots[index].role = Role::Locator;
                above = self.knots[index].parent;
            }
        }
    }

    /// The trunk is where limbs of equal length come in pairs, and what lies between such places.
    fn find_trunk(&mut self) {
        let count = self.knots.len();
        let pairs: Vec<_> = (0..count).map(|index| self.pair(index)).collect();
        let mut below: Vec<usize> = pairs.iter().map(|pair| usize::from(pair.is_some())).collect();
        // The nearest pair at or below each knot, and the way to it.
        let mut under: Vec<_> =
            pairs.iter().map(|pair| pair.map(|breadth| (breadth, 0.0))).collect();
        for index in (1..count).rev() {
            let Some(parent) = self.knots[index].parent else { continue };
            below[parent] += below[index];
            let way = self.knots[index].place.distance(self.knots[parent].place);
            if let Some((breadth, length)) = under[index] {
                let through = length + way;
                if under[parent].is_none_or(|(_, known)| through < known) {
                    under[parent] = Some((breadth, through));
                }
            }
        }
        let total = below[0];
        let Some(top) = (0..count).rev().find(|&index| below[index] == total && total > 0) else {
            return;
        };
        // The nearest pair at or above likewise.
        let mut over: Vec<Option<(Vec3, f32)>> = vec![None; count];
        for index in (top..count).filter(|&index| below[index] > 0) {
            let knot = &self.knots[index];
            let above = knot.parent.and_then(|parent| {
                let way = knot.place.distance(self.knots[parent].place);
                over[parent].map(|(breadth, length)| (breadth, length + way))
            });
            over[index] = pairs[index].map(|breadth| (breadth, 0.0)).or(above);
            let breadth = pairs[index].or_else(|| waist(over[index], under[index]));
            let knot = &mut self.knots[index];
            knot.role = Role::Trunk;
            knot.breadth = breadth.unwrap_or_default() * 0.5;
        }
    }

    /// Half the vector between the roots of a pair of limbs that hang on a knot.
    fn pair(&self, index: usize) -> Option<Vec3> {
        /// More limbs than this on one knot are no pairs.
        const MOST: usize = 32;
        let knot = &self.knots[index];
        if knot.role == Role::Locator {
            return None;
        }
        let is_long =
            |end: &&End| knot.length(end) + self.reach(end) > self.shape.paired * self.size;
        let limbs: Vec<_> = knot.ends.iter().filter(is_long).take(MOST).collect();
        let uneven = |a: f32, b: f32| (a - b).abs() / a.max(b).max(1e-6);
        let mut best: Option<(f32, Vec3)> = None;
        for (number, a) in limbs.iter().enumerate() {
            for b in &limbs[..number] {
                let asymmetry =
                    uneven(knot.length(a), knot.length(b)) + uneven(self.reach(a), self.reach(b));
                let half = (a.place - b.place) * 0.5;
                if asymmetry > 0.25 || half.length() < 0.01 * self.size {
                    continue;
                }
                // About as even is as good; the wider pair counts then.
                let rank = (asymmetry * 30.0).floor();
                let is_better = best.is_none_or(|(known, width)| {
                    rank < known || rank == known && half.length() > width.length()
                });
                if is_better {
                    best = Some((rank, half));
                }
            }
        }
        best.map(|(_, half)| half)
    }

    /// Finds the first bones of limbs and the small bones that are inside the trunk.
    fn find_inside(&mut self) {
        // Length of bones from the trunk to each knot in it.
        let mut paths: Vec<Option<f32>> = vec![None; self.knots.len()];
        for index in 0..self.knots.len() {
            let knot = &self.knots[index];
            if knot.role == Role::Trunk {
                paths[index] = Some(0.0);
            }
            let Some(parent) = knot.parent.filter(|_| knot.role == Role::Limb && !knot.is_head)
            else {
                continue;
            };
            let Some(path) = paths[parent] else { continue };
            let path = path + knot.place.distance(self.knots[parent].place);
            let whole = path + knot.reach;
            let breadth = self.knots[parent].breadth;
            let is_middle = self.sides[knot.joint] == Side::Middle;
            let knot = &mut self.knots[index];
            if whole < self.shape.rib * self.size {
                knot.role = Role::Rib;
                knot.breadth = if is_middle { breadth } else { Vec3::ZERO };
            } else if path < self.shape.inside * self.size && path < self.shape.inside_share * whole
            {
                knot.role = Role::Root;
            } else {
                continue;
            }
            paths[index] = Some(path);
        }
    }

    fn set_radii(&mut self) {
        let room = self.room_at_roots();
        for (index, room) in room.into_iter().enumerate() {
            let knot = &self.knots[index];
            let slender =
                self.shape.limb * libm::powf(knot.reach / self.size, self.shape.slendering);
            let radius = slender.clamp(self.shape.twig, self.shape.limb) * self.size;
            let parent = knot.parent.filter(|&p| self.knots[p].role != Role::Locator);
            let radius = match (knot.role, parent) {
                (Role::Trunk, _) => self.shape.trunk * self.size,
                (Role::Rib, _) => 0.7 * self.shape.trunk * self.size,
                (_, None) => radius,
                (_, Some(parent)) => {
                    let beside =
                        self.room(self.knots[parent].ends.iter().map(|e| e.place), knot.place);
                    radius.min(self.knots[parent].radius).min(beside).min(room)
                }
            };
            self.knots[index].radius = radius;
        }
    }

    /// How thick a limb may be where it leaves the trunk, beside the other limbs there.
    fn room_at_roots(&self) -> Vec<f32> {
        let mut room = vec![f32::INFINITY; self.knots.len()];
        // The knot of the trunk that each limb belongs to.
        let mut owner: Vec<usize> = (0..self.knots.len()).collect();
        let mut roots: Vec<Vec<usize>> = vec![Vec::new(); self.knots.len()];
        for (index, knot) in self.knots.iter().enumerate() {
            if let (Role::Root, Some(parent)) = (knot.role, knot.parent) {
                owner[index] = owner[parent];
                let goes_on = knot.children().any(|child| self.knots[child].role == Role::Root);
                if !goes_on {
                    roots[owner[index]].push(index);
                }
            }
        }
        for roots in roots {
            for &root in &roots {
                let places = roots.iter().map(|&other| self.knots[other].place);
                room[root] = self.room(places, self.knots[root].place);
            }
        }
        room
    }

    /// The radius at which something does not run into its neighbours.
    fn room(&self, neighbours: impl Iterator<Item = Vec3>, place: Vec3) -> f32 {
        /// Beyond this many neighbours it does not matter.
        const MOST: usize = 64;
        let gaps = neighbours.take(MOST).map(|other| other.distance(place));
        let gap = gaps.filter(|&gap| gap > 0.0).fold(f32::INFINITY, f32::min);
        (0.55 * gap).max(self.shape.twig * self.size)
    }
}

/// The breadth between two pairs of limbs: narrower than both.
fn waist(over: Option<(Vec3, f32)>, under: Option<(Vec3, f32)>) -> Option<Vec3> {
    let breadth = match (over, under) {
        (Some((above, up)), Some((below, down))) => {
            let below = if above.dot(below) < 0.0 { -below } else { below };
            above.lerp(below, up / (up + down).max(1e-6))
        }
        (one, other) => one.or(other)?.0,
    };
    Some(breadth * 0.75)
}

/// The joint of the head, by its name; without one, the upper end of the neck.
fn find_head(skeleton: &Skeleton) -> Option<usize> {
    let names: Vec<_> = skeleton.joints().iter().map(|joint| name_words(&joint.name)).collect();
    let has = |word: &str, name: &[String]| name.iter().any(|known| known == word);
    names
        .iter()
        .position(|name| has("head", name))
        .or_else(|| names.iter().rposition(|name| has("neck", name)))
}
