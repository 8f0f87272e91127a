//! Worlds from a seed, with what is known of them by construction.

use crate::sweep::Random;
use andante_stage::{CharacterSpec, Scene, Waypoint};
use andante_world::{
    GroundPatch, MeshGround, Obstacle, ObstacleShape, Platform, Terrain, TriangleMesh,
};
use glam::{Vec2, Vec3, vec2, vec3};
use std::sync::Arc;

/// What is known about a way from the start to the goal of a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// There is one.
    Way,
    /// There is none, for a reason that is told with one of these words.
    NoWay(&'static [&'static str]),
    /// It is a close call.
    Either,
}

/// A world, and everything in it again for a judge.
pub struct World {
    pub kind: &'static str,
    pub scene: Scene,
    pub known: Known,
    /// How tall its person is, in metres.
    pub height: f32,
    /// Ground as flat polygons.
    pub floors: Vec<Vec<Vec3>>,
    /// Boxes: middle, half sizes and heading.
    pub boxes: Vec<(Vec3, Vec3, f32)>,
    pub start: Vec3,
    pub goal: Vec3,
}

/// What a world is put together from before it is turned and moved.
#[derive(Default)]
struct Parts {
    floors: Vec<Vec<Vec3>>,
    boxes: Vec<(Vec3, Vec3)>,
    start: Vec3,
    goal: Vec3,
    as_mesh: bool,
}

impl Parts {
    fn floor(&mut self, x: [f32; 2], z: [f32; 2], height: f32) {
        self.ramp(x, z, [height; 2]);
    }

    /// From one height to another along z.
    fn ramp(&mut self, x: [f32; 2], z: [f32; 2], y: [f32; 2]) {
        self.floors.push(vec![
            vec3(x[0], y[0], z[0]),
            vec3(x[1], y[0], z[0]),
            vec3(x[1], y[1], z[1]),
            vec3(x[0], y[1], z[1]),
        ]);
    }

    /// Steps along z, or against it; where they end, and how high.
    fn flight(&mut self, x: [f32; 2], from: Vec2, steps: usize, rise: f32, run: f32) -> Vec2 {
        let mut at = from;
        for _ in 0..steps {
            at.y += rise;
            self.floor(x, [at.x.min(at.x + run), at.x.max(at.x + run)], at.y);
            at.x += run;
        }
        at
    }

    fn thing(&mut self, low: Vec3, high: Vec3) {
        self.boxes.push((low.midpoint(high), 0.5 * (high - low)));
    }
}

/// The kinds of worlds there are.
pub const KINDS: [&str; 16] = [
    "door",
    "storeys",
    "ramp",
    "turn",
    "stones",
    "beam",
    "log",
    "bar",
    "crack",
    "dock",
    "ledge",
    "bridge",
    "rooms",
    "mesh",
    "far stones",
    "askew",
];

/// The kind of the world of a seed.
pub fn kind_of(seed: u64) -> &'static str {
    KINDS[(seed % KINDS.len() as u64) as usize]
}

/// The world of a seed.
pub fn world(seed: u64) -> World {
    let mut random = Random::new(seed);
    let kind = kind_of(seed);
    let height = [1.75, 1.6, 1.85][(random.next() * 2.999) as usize];
    let size = height / 1.75;
    let mut parts = Parts::default();
    let known = made(kind, &mut parts, &mut random, size);
    placed(kind, parts, known, height, &mut random)
}

fn made(kind: &str, parts: &mut Parts, random: &mut Random, size: f32) -> Known {
    match kind {
        "door" => door(parts, random, size),
        "storeys" => storeys(parts, random),
        "ramp" => ramp(parts, random),
        "turn" => turn(parts, random),
        "stones" => stones(parts, random, size, [0.55, 0.7], 0.05),
        "far stones" => stones(parts, random, size, [0.7, 0.88], 0.15),
        "askew" => askew(parts, random, size),
        "beam" => beam(parts, random, size),
        "log" => log(parts, random, size),
        "bar" => bar(parts, random, size),
        "crack" => crack(parts, random),
        "dock" => dock(parts, random, true, size),
        "ledge" => dock(parts, random, false, size),
        "bridge" => bridge(parts, random),
        "rooms" => rooms(parts, random, size),
        _ => {
            parts.as_mesh = true;
            match (random.next() * 2.999) as usize {
                0 => storeys(parts, random),
                1 => ramp(parts, random),
                _ => dock(parts, random, true, size),
            }
        }
    }
}

/// A yard of two halves, the start in one and the goal in the other.
fn yard(parts: &mut Parts, random: &mut Random, between: f32, rise: f32) {
    parts.floor([0.0, 6.0], [0.0, 5.0], 0.0);
    parts.floor([0.0, 6.0], [5.0 + between, 10.0 + between], rise);
    parts.start = vec3(random.between(0.6, 5.4), 0.0, random.between(0.6, 3.0));
    parts.goal = vec3(random.between(0.6, 5.4), rise, random.between(7.0, 9.4) + between);
}

fn wall_with_door(parts: &mut Parts, z: f32, middle: f32, width: f32, x: [f32; 2]) {
    let [left, right] = [middle - 0.5 * width, middle + 0.5 * width];
    parts.thing(vec3(x[0], 0.0, z - 0.1), vec3(left, 2.3, z + 0.1));
    parts.thing(vec3(right, 0.0, z - 0.1), vec3(x[1], 2.3, z + 0.1));
}

fn door(parts: &mut Parts, random: &mut Random, size: f32) -> Known {
    yard(parts, random, 0.0, 0.0);
    let width = random.between(0.5, 1.2);
    wall_with_door(parts, 5.0, random.between(1.5, 4.5), width, [0.0, 6.0]);
    match width / size {
        wide if wide > 0.8 => Known::Way,
        narrow if narrow < 0.58 => Known::NoWay(&["passage"]),
        _ => Known::Either,
    }
}

fn rooms(parts: &mut Parts, random: &mut Random, size: f32) -> Known {
    parts.floor([0.0, 6.0], [0.0, 12.0], 0.0);
    parts.start = vec3(random.between(0.6, 5.4), 0.0, random.between(0.6, 2.4));
    parts.goal = vec3(random.between(0.6, 5.4), 0.0, random.between(9.6, 11.4));
    for z in [3.0, 6.0, 9.0] {
        let width = size * random.between(0.85, 1.2);
        wall_with_door(parts, z, random.between(1.2, 4.8), width, [0.0, 6.0]);
    }
    for z in [4.5, 7.5] {
        let (x, side) = (random.between(1.0, 5.0), random.between(0.2, 0.5));
        let tall = random.between(0.5, 1.5);
        parts.thing(vec3(x - side, 0.0, z - 0.2), vec3(x + side, tall, z + 0.2));
    }
    Known::Way
}

fn stairs(random: &mut Random) -> (f32, f32) {
    (random.between(0.12, 0.22), random.between(0.22, 0.35))
}

fn storeys(parts: &mut Parts, random: &mut Random) -> Known {
    let (rise, run) = stairs(random);
    let steps = (2.6 / rise).ceil() as usize;
    let width = random.between(0.9, 1.6);
    parts.floor([0.0, 6.0], [0.0, 12.0], 0.0);
    let top = parts.flight([4.0, 4.0 + width], vec2(2.0, 0.0), steps, rise, run);
    // The upper floor leaves the flight open.
    parts.floor([0.0, 4.0], [0.0, 12.0], top.y);
    parts.floor([4.0, 6.0], [top.x, 12.0], top.y);
    let below = vec3(random.between(0.6, 3.0), 0.0, random.between(0.6, 11.0));
    let above = vec3(random.between(0.6, 3.4), top.y, random.between(0.6, 11.0));
    let up = random.next() < 0.5;
    (parts.start, parts.goal) = if up { (below, above) } else { (above, below) };
    Known::Way
}

fn ramp(parts: &mut Parts, random: &mut Random) -> Known {
    let degrees = random.between(0.0, 60.0);
    let length = random.between(1.5, 3.0);
    let rise = length * degrees.to_radians().tan();
    yard(parts, random, length, rise);
    parts.ramp([1.0, 5.0], [5.0, 5.0 + length], [0.0, rise]);
    match degrees {
        flat if flat < 33.0 => Known::Way,
        steep if steep > 36.0 && rise > 0.5 => Known::NoWay(&["rises by", "no way on foot"]),
        _ => Known::Either,
    }
}

/// Up, round a landing and up again above where it came from.
fn turn(parts: &mut Parts, random: &mut Random) -> Known {
    let (rise, run) = (random.between(0.15, 0.19), random.between(0.27, 0.32));
    let steps = 9;
    parts.floor([0.0, 3.2], [-4.0, 0.0], 0.0);
    let half = parts.flight([0.0, 1.4], vec2(0.0, 0.0), steps, rise, run);
    parts.floor([0.0, 3.2], [half.x, half.x + 1.5], half.y);
    let top = parts.flight([1.7, 3.1], half, steps, rise, -run);
    parts.floor([0.0, 3.2], [-4.0, top.x], top.y);
    let below = vec3(random.between(0.5, 2.7), 0.0, random.between(-3.4, -1.0));
    let above = vec3(random.between(0.5, 2.7), top.y, random.between(-3.4, -1.0));
    let up = random.next() < 0.5;
    (parts.start, parts.goal) = if up { (below, above) } else { (above, below) };
    Known::Way
}

fn stones(parts: &mut Parts, random: &mut Random, size: f32, apart: [f32; 2], aside: f32) -> Known {
    let count = 5;
    let step = size * random.between(apart[0], apart[1]);
    let radius = size * random.between(0.24, 0.32);
    yard(parts, random, step * (count as f32 + 1.0) - 0.3, 0.0);
    for stone in 0..count {
        let (x, y) = (3.0 + random.between(-aside, aside), random.between(-0.05, 0.05));
        let z = 5.0 - 0.15 + step * (stone as f32 + 1.0);
        let corner = |turn: usize| {
            let turn = std::f32::consts::TAU * turn as f32 / 12.0;
            vec3(x + radius * turn.cos(), y, z + radius * turn.sin())
        };
        parts.floors.push((0..12).map(corner).collect());
    }
    Known::Way
}

/// A gap that lies across the way at an angle.
fn askew(parts: &mut Parts, random: &mut Random, size: f32) -> Known {
    let turn = random.between(0.35, 1.0) * if random.next() < 0.5 { 1.0 } else { -1.0 };
    let wide = size * random.between(0.15, 0.4);
    let rim = |x: f32| 6.0 + (x - 3.0) * turn.tan();
    let far = |x: f32| rim(x) + wide / turn.cos();
    let at = |x: f32, z: f32| vec3(x, 0.0, z);
    let half = 1.2;
    let [left, right] = [3.0 - half, 3.0 + half];
    parts.floors.push(vec![
        at(left, 0.0),
        at(right, 0.0),
        at(right, rim(right)),
        at(left, rim(left)),
    ]);
    parts.floors.push(vec![
        at(left, far(left)),
        at(right, far(right)),
        at(right, 12.0),
        at(left, 12.0),
    ]);
    parts.start = at(random.between(left + 0.5, right - 0.5), random.between(0.6, 2.5));
    parts.goal = at(random.between(left + 0.5, right - 0.5), random.between(10.0, 11.4));
    Known::Way
}

fn beam(parts: &mut Parts, random: &mut Random, size: f32) -> Known {
    let width = size * random.between(0.06, 0.6);
    yard(parts, random, 3.0, 0.0);
    let middle = random.between(1.5, 4.5);
    parts.floor([middle - 0.5 * width, middle + 0.5 * width], [5.0, 8.0], 0.0);
    match width / size {
        wide if wide > 0.24 => Known::Way,
        // Narrower than a foot.
        narrow if narrow < 0.09 => Known::NoWay(&["ground", "gap"]),
        _ => Known::Either,
    }
}

fn log(parts: &mut Parts, random: &mut Random, size: f32) -> Known {
    yard(parts, random, 0.0, 0.0);
    let high = size * random.between(0.05, 0.6);
    let deep = random.between(0.1, 0.6);
    parts.thing(vec3(-0.5, 0.0, 5.0 - deep), vec3(6.5, high, 5.0));
    match high / size {
        low if low < 0.3 => Known::Way,
        tall if tall > 0.4 => Known::NoWay(&["ledge", "passage", "no way"]),
        _ => Known::Either,
    }
}

fn bar(parts: &mut Parts, random: &mut Random, size: f32) -> Known {
    yard(parts, random, 0.0, 0.0);
    let low = size * random.between(0.6, 2.0);
    parts.thing(vec3(-0.5, low, 4.9), vec3(6.5, low + 0.1, 5.0));
    match low / size {
        high if high > 1.5 => Known::Way,
        low if low < 1.2 => Known::NoWay(&["hangs", "passage", "ledge"]),
        _ => Known::Either,
    }
}

fn crack(parts: &mut Parts, random: &mut Random) -> Known {
    let wide = [0.0, 1e-7, 1e-5, 1e-3, 0.01, 0.03, 0.045][(random.next() * 6.999) as usize];
    let rise = random.between(-0.1, 0.1);
    yard(parts, random, wide, rise);
    Known::Way
}

fn dock(parts: &mut Parts, random: &mut Random, with_stairs: bool, size: f32) -> Known {
    let (rise, run) = stairs(random);
    let steps = 3 + (random.next() * 6.0) as usize;
    let high = if with_stairs { steps as f32 * rise } else { size * random.between(0.2, 1.5) };
    parts.floor([0.0, 8.0], [0.0, 5.0], 0.0);
    parts.floor([0.0, 8.0], [5.0, 8.0], high);
    if with_stairs {
        parts.flight([6.5, 7.8], vec2(5.0 - steps as f32 * run, 0.0), steps, rise, run);
    }
    parts.start = vec3(random.between(0.6, 5.5), 0.0, random.between(0.6, 4.0));
    parts.goal = vec3(random.between(0.6, 7.0), high, random.between(6.0, 7.4));
    if random.next() < 0.5 {
        std::mem::swap(&mut parts.start, &mut parts.goal);
    }
    match high / size {
        _ if with_stairs => Known::Way,
        low if low < 0.33 => Known::Way,
        high if high > 0.37 => Known::NoWay(&["ledge"]),
        _ => Known::Either,
    }
}

fn bridge(parts: &mut Parts, random: &mut Random) -> Known {
    let (rise, run) = (random.between(0.14, 0.19), random.between(0.26, 0.32));
    let steps = (2.4 / rise).ceil() as usize;
    parts.floor([-8.0, 8.0], [-2.0, 2.0], 0.0);
    let ends = 2.0 + steps as f32 * run;
    parts.floor([-2.0, 2.0], [-ends - 4.0, -ends], 0.0);
    parts.floor([-2.0, 2.0], [ends, ends + 4.0], 0.0);
    let top = parts.flight([-0.8, 0.8], vec2(-ends, 0.0), steps, rise, run);
    parts.flight([-0.8, 0.8], vec2(ends, 0.0), steps, rise, -run);
    parts.floor([-0.8, 0.8], [-2.0, 2.0], top.y);
    if random.next() < 0.5 {
        parts.start = vec3(random.between(-7.0, -3.0), 0.0, random.between(-1.2, 1.2));
        parts.goal = vec3(random.between(3.0, 7.0), 0.0, random.between(-1.2, 1.2));
    } else {
        parts.start = vec3(random.between(-1.2, 1.2), 0.0, random.between(-3.4, -1.0) - ends);
        parts.goal = vec3(random.between(-1.2, 1.2), 0.0, random.between(1.0, 3.4) + ends);
    }
    Known::Way
}

/// Turned, moved and written down as a scene.
fn placed(
    kind: &'static str,
    parts: Parts,
    known: Known,
    height: f32,
    random: &mut Random,
) -> World {
    let heading = random.between(-3.0, 3.0);
    let moved =
        vec3(random.between(-20.0, 20.0), random.between(-3.0, 3.0), random.between(-20.0, 20.0));
    let turned = |at: Vec3| {
        let (sin, cos) = heading.sin_cos();
        moved + vec3(at.x * cos + at.z * sin, at.y, at.z * cos - at.x * sin)
    };
    let floors: Vec<Vec<Vec3>> =
        parts.floors.iter().map(|floor| floor.iter().copied().map(turned).collect()).collect();
    let boxes: Vec<(Vec3, Vec3, f32)> =
        parts.boxes.iter().map(|&(middle, half)| (turned(middle), half, heading)).collect();
    let (start, goal) = (turned(parts.start), turned(parts.goal));
    let post =
        |at: Vec3, heading| Waypoint { place: vec2(at.x, at.z), height: Some(at.y), heading };
    let mut part = CharacterSpec::new("walker", post(start, None));
    part.goal = post(goal, (random.next() < 0.5).then(|| random.between(-3.0, 3.0)));
    part.height = Some(height);
    let ground = if parts.as_mesh { level(&floors) } else { platforms(&floors) };
    let obstacle = |(index, &(middle, half, heading)): (usize, &(Vec3, Vec3, f32))| Obstacle {
        name: format!("box {index}"),
        shape: ObstacleShape::Box(2.0 * half),
        at: middle - half.y * Vec3::Y,
        heading,
    };
    let obstacles = boxes.iter().enumerate().map(obstacle).collect();
    let scene =
        Scene { name: kind.into(), ground, obstacles, characters: vec![part], ..Scene::default() };
    World { kind, scene, known, height, floors, boxes, start, goal }
}

fn platforms(floors: &[Vec<Vec3>]) -> Vec<GroundPatch> {
    let platform = |(index, floor): (usize, &Vec<Vec3>)| {
        let outline: Vec<Vec2> = floor.iter().map(|at| vec2(at.x, at.z)).collect();
        let (a, b, c) = (floor[0], floor[1], floor[2]);
        let normal = (b - a).cross(c - a);
        let slope = vec2(-normal.x, -normal.z) / normal.y;
        let height = a.y - slope.dot(outline[0]);
        GroundPatch {
            platform: Platform { name: format!("floor {index}"), outline, height, slope },
            terrain: None,
        }
    };
    floors.iter().enumerate().map(platform).collect()
}

/// The same as triangles, as a level of a game.
fn level(floors: &[Vec<Vec3>]) -> Vec<GroundPatch> {
    let mut mesh = TriangleMesh::default();
    for floor in floors {
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(floor);
        let fan = (2..floor.len() as u32).map(|last| [first, first + last, first + last - 1]);
        mesh.triangles.extend(fan);
    }
    let all = || mesh.positions.iter().map(|at| vec2(at.x, at.z));
    let (low, high) = (all().reduce(Vec2::min).unwrap(), all().reduce(Vec2::max).unwrap());
    let (low, high) = (low - 0.1, high + 0.1);
    let outline = vec![low, vec2(high.x, low.y), high, vec2(low.x, high.y)];
    let terrain = Terrain::Mesh(Arc::new(MeshGround::new(mesh).unwrap()));
    vec![GroundPatch { platform: Platform::level("level", outline, 0.0), terrain: Some(terrain) }]
}
