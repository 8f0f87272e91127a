//! The shortest way of a disc, exactly: circles around corners and posts, the lines that touch two of them, Dijkstra.
//!
//! Shares nothing with the planner: no mesh, no chords in place of arcs, double precision, and its own distances.
#![allow(dead_code)]

use andante_plan::route::NavAgent;
use andante_stage::Scene;
use andante_world::{Obstacle, ObstacleOutline};
use glam::{DVec2, Vec2};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::TAU;

/// Touching is allowed, to this much in metres.
const TOUCH: f64 = 1e-6;

/// Ways of a disc between the obstacles of a flat scene of one platform.
pub struct Oracle {
    boxes: Vec<Vec<DVec2>>,
    posts: Vec<(DVec2, f64)>,
    ground: Vec<DVec2>,
    radius: f64,
    rim: f64,
    circles: Vec<Circle>,
    /// Lines that touch two circles and nothing else.
    lines: Vec<[Touch; 2]>,
}

struct Circle {
    at: DVec2,
    radius: f64,
    /// Middles of its arcs that are not free.
    blocked: Vec<f64>,
}

/// A point of a circle.
#[derive(Clone, Copy)]
struct Touch {
    circle: usize,
    angle: f64,
}

impl Oracle {
    /// The scene as the walker sees it.
    pub fn new(scene: &Scene, walker: &NavAgent) -> Self {
        let [patch] = &scene.ground[..] else { panic!("one platform") };
        assert_eq!((patch.platform.slope, patch.platform.height), (Vec2::ZERO, 0.0));
        let is_in_the_way = |obstacle: &&Obstacle| {
            obstacle.bottom() < walker.ducked && obstacle.top() > walker.step
        };
        let (mut boxes, mut posts) = (Vec::new(), Vec::new());
        for obstacle in scene.obstacles.iter().filter(is_in_the_way) {
            match obstacle.footprint() {
                ObstacleOutline::Outline(corners) => {
                    boxes.push(corners.iter().map(|corner| corner.as_dvec2()).collect::<Vec<_>>());
                }
                ObstacleOutline::Disc { at, radius } => {
                    posts.push((at.as_dvec2(), f64::from(radius)))
                }
            }
        }
        let mut oracle = Self {
            boxes,
            posts,
            ground: patch.platform.outline.iter().map(|corner| corner.as_dvec2()).collect(),
            radius: f64::from(walker.clearance.radius),
            rim: f64::from(walker.clearance.rim),
            circles: Vec::new(),
            lines: Vec::new(),
        };
        oracle.draw_circles();
        oracle.draw_lines();
        oracle
    }

    /// Whether the disc fits at a place.
    pub fn is_free(&self, place: DVec2) -> bool {
        self.boxes.iter().all(|corners| {
            !contains(corners, place)
                && sides(corners).all(|side| from_side(place, side) >= self.radius - TOUCH)
        }) && self.posts.iter().all(|&(at, own)| at.distance(place) >= own + self.radius - TOUCH)
            && contains(&self.ground, place)
            && sides(&self.ground).all(|side| from_side(place, side) >= self.rim - TOUCH)
    }

    /// Length of the shortest way, if there is one.
    pub fn shortest(&self, start: Vec2, goal: Vec2) -> Option<f64> {
        let (start, goal) = (start.as_dvec2(), goal.as_dvec2());
        if !(self.is_free(start) && self.is_free(goal)) {
            return None;
        }
        if self.is_line_free(start, goal) {
            return Some(start.distance(goal));
        }
        // Nodes: the start, the goal, then every point where a line touches a circle.
        let mut touches: Vec<Touch> = self.lines.iter().flatten().copied().collect();
        let mut edges: Vec<(usize, usize, f64)> = Vec::new();
        for (index, pair) in self.lines.iter().enumerate() {
            let [a, b] = pair.map(|touch| self.point(touch));
            edges.push((2 + 2 * index, 3 + 2 * index, a.distance(b)));
        }
        for (node, place) in [start, goal].into_iter().enumerate() {
            for circle in 0..self.circles.len() {
                let Circle { at, radius, .. } = self.circles[circle];
                for [_, touch] in tangents((place, 0.0), (at, radius)).into_iter().take(2) {
                    let touch = Touch { circle, angle: (touch - at).to_angle() };
                    let point = self.point(touch);
                    if self.is_line_free(place, point) {
                        edges.push((node, 2 + touches.len(), place.distance(point)));
                        touches.push(touch);
                    }
                }
            }
        }
        // Along each circle from point to point.
        let mut order: Vec<usize> = (0..touches.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (touches[a], touches[b]);
            a.circle.cmp(&b.circle).then(a.angle.total_cmp(&b.angle))
        });
        for of_circle in order.chunk_by(|&a, &b| touches[a].circle == touches[b].circle) {
            let circle = &self.circles[touches[of_circle[0]].circle];
            for index in 0..of_circle.len() {
                let (a, b) = (of_circle[index], of_circle[(index + 1) % of_circle.len()]);
                let span = (touches[b].angle - touches[a].angle).rem_euclid(TAU);
                let is_between = |angle: &f64| (angle - touches[a].angle).rem_euclid(TAU) < span;
                if !circle.blocked.iter().any(is_between) {
                    edges.push((2 + a, 2 + b, circle.radius * span));
                }
            }
        }
        dijkstra(2 + touches.len(), &edges)
    }

    fn point(&self, touch: Touch) -> DVec2 {
        let Circle { at, radius, .. } = self.circles[touch.circle];
        at + radius * DVec2::from_angle(touch.angle)
    }

    fn draw_circles(&mut self) {
        let around = |radius: f64| move |&at: &DVec2| Circle { at, radius, blocked: Vec::new() };
        let mut circles: Vec<Circle> =
            self.boxes.iter().flatten().map(around(self.radius)).collect();
        circles.extend(self.ground.iter().map(around(self.rim)));
        let posts = self.posts.iter();
        circles.extend(posts.map(|&(at, own)| around(own + self.radius)(&at)));
        // Where a circle crosses other circles and the lines beside sides, it may become free or blocked.
        let flanks = |outline: &[DVec2], reach: f64| -> Vec<[DVec2; 2]> {
            let pair = |[a, b]: [DVec2; 2]| {
                let out = reach * (b - a).perp().normalize();
                [[a + out, b + out], [a - out, b - out]]
            };
            sides(outline).flat_map(pair).collect()
        };
        let mut lines: Vec<[DVec2; 2]> =
            self.boxes.iter().flat_map(|corners| flanks(corners, self.radius)).collect();
        lines.extend(flanks(&self.ground, self.rim));
        for index in 0..circles.len() {
            let Circle { at, radius, .. } = circles[index];
            let mut angles = vec![0.0];
            for other in &circles {
                let (apart, way) = (other.at - at, other.at.distance(at));
                let cosine = (radius * radius + way * way - other.radius * other.radius)
                    / (2.0 * radius * way);
                if way > 0.0 && cosine.abs() <= 1.0 {
                    let middle = apart.to_angle();
                    angles.extend([middle - cosine.acos(), middle + cosine.acos()]);
                }
            }
            for &[a, b] in &lines {
                let along = (b - a).normalize();
                let foot = a + along * (at - a).dot(along);
                let off = foot.distance(at);
                if off <= radius {
                    let half = (radius * radius - off * off).sqrt();
                    angles.extend(
                        [foot + half * along, foot - half * along].map(|p| (p - at).to_angle()),
                    );
                }
            }
            let mut angles: Vec<f64> =
                angles.into_iter().map(|angle| angle.rem_euclid(TAU)).collect();
            angles.sort_by(f64::total_cmp);
            let first = angles[0];
            angles.push(first + TAU);
            let middles = angles.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
            circles[index].blocked = middles
                .filter(|&angle| !self.is_free(at + radius * DVec2::from_angle(angle)))
                .collect();
        }
        self.circles = circles;
    }

    fn draw_lines(&mut self) {
        let mut lines = Vec::new();
        for a in 0..self.circles.len() {
            for b in 0..a {
                let (one, two) = (&self.circles[a], &self.circles[b]);
                for [from, to] in tangents((one.at, one.radius), (two.at, two.radius)) {
                    if self.is_line_free(from, to) {
                        lines.push([
                            Touch { circle: a, angle: (from - one.at).to_angle() },
                            Touch { circle: b, angle: (to - two.at).to_angle() },
                        ]);
                    }
                }
            }
        }
        self.lines = lines;
    }

    fn is_line_free(&self, from: DVec2, to: DVec2) -> bool {
        let (low, high) = (from.min(to) - self.radius, from.max(to) + self.radius);
        let is_clear = |corners: &[DVec2], reach: f64| {
            sides(corners).all(|[a, b]| {
                a.min(b).cmpgt(high).any()
                    || a.max(b).cmplt(low).any()
                    || between_sides([from, to], [a, b]) >= reach - TOUCH
            })
        };
        self.posts.iter().all(|&(at, own)| from_side(at, [from, to]) >= own + self.radius - TOUCH)
            && self.boxes.iter().all(|corners| is_clear(corners, self.radius))
            && is_clear(&self.ground, self.rim)
            && contains(&self.ground, from)
            && !self.boxes.iter().any(|corners| contains(corners, from))
    }
}

/// The lines that touch two circles, as the points where they do. The first two do not cross between them.
fn tangents((a, one): (DVec2, f64), (b, two): (DVec2, f64)) -> Vec<[DVec2; 2]> {
    let way = a.distance(b);
    let mut found = Vec::new();
    if way < 1e-9 {
        return found;
    }
    let ahead = (b - a) / way;
    for side in [1.0, -1.0] {
        let cosine = (one - side * two) / way;
        if cosine.abs() > 1.0 {
            continue;
        }
        let sine = (1.0 - cosine * cosine).sqrt();
        for turn in [sine, -sine] {
            let normal = cosine * ahead + turn * ahead.perp();
            found.push([a + one * normal, b + side * two * normal]);
        }
    }
    found
}

fn sides(corners: &[DVec2]) -> impl Iterator<Item = [DVec2; 2]> + '_ {
    (0..corners.len()).map(|index| [corners[index], corners[(index + 1) % corners.len()]])
}

fn contains(corners: &[DVec2], place: DVec2) -> bool {
    let crossed = sides(corners).filter(|[a, b]| {
        (a.y > place.y) != (b.y > place.y)
            && place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y)
    });
    crossed.count() % 2 == 1
}

fn from_side(place: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let part = (place - a).dot(b - a) / (b - a).length_squared().max(1e-18);
    place.distance(a.lerp(b, part.clamp(0.0, 1.0)))
}

fn between_sides(one: [DVec2; 2], two: [DVec2; 2]) -> f64 {
    let turn = |[a, b]: [DVec2; 2], c: DVec2| (b - a).perp_dot(c - a);
    if turn(one, two[0]) * turn(one, two[1]) < 0.0 && turn(two, one[0]) * turn(two, one[1]) < 0.0 {
        return 0.0;
    }
    let ends = one.map(|end| from_side(end, two)).into_iter();
    ends.chain(two.map(|end| from_side(end, one))).fold(f64::INFINITY, f64::min)
}

/// Length of the shortest way from node 0 to node 1.
fn dijkstra(nodes: usize, edges: &[(usize, usize, f64)]) -> Option<f64> {
    let mut next: Vec<Vec<(usize, f64)>> = vec![Vec::new(); nodes];
    for &(a, b, length) in edges {
        next[a].push((b, length));
        next[b].push((a, length));
    }
    let mut best = vec![f64::INFINITY; nodes];
    best[0] = 0.0;
    // Lengths are not negative, and so their bits are in order.
    let mut queue = BinaryHeap::from([Reverse((0u64, 0usize))]);
    while let Some(Reverse((bits, node))) = queue.pop() {
        let length = f64::from_bits(bits);
        if node == 1 {
            return Some(length);
        }
        if length > best[node] {
            continue;
        }
        for &(other, step) in &next[node] {
            if length + step < best[other] {
                best[other] = length + step;
                queue.push(Reverse(((length + step).to_bits(), other)));
            }
        }
    }
    None
}
