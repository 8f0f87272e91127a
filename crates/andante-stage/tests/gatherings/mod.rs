//! People who all go somewhere at once, and what became of them.
#![allow(dead_code, clippy::unwrap_used)]

use andante_stage::{EventKind, FPS, Scene, Stage, read_scene};
use glam::{Vec2, vec2};
use std::fmt::Write;

/// Numbers from a seed, the same everywhere.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Somewhere in a rectangle, no closer to others than this.
    fn free(&mut self, [low, high]: [Vec2; 2], taken: &mut Vec<Vec2>, apart: f32) -> Vec2 {
        loop {
            let at = vec2(self.between(low.x, high.x), self.between(low.y, high.y));
            if taken.iter().all(|other| other.distance(at) > apart) {
                taken.push(at);
                return at;
            }
        }
    }
}

/// People on level ground: where each begins, where it faces and where it wants to.
pub struct Gathering {
    pub name: String,
    pub scene: Scene,
    pub ways: Vec<[Vec2; 2]>,
    /// Seconds for which nobody can go on because others pass a door before them.
    pub queue: f32,
}

impl Gathering {
    fn new(name: String, half: Vec2, walls: &str, ways: Vec<([Vec2; 2], f32)>) -> Self {
        let Vec2 { x, y } = half;
        let mut text = format!(
            "version = 1\nname = \"{name}\"\n[[platform]]\noutline = [[-{x}, -{y}], [{x}, -{y}], [{x}, {y}], [-{x}, {y}]]\n{walls}"
        );
        for (who, ([start, goal], degrees)) in ways.iter().enumerate() {
            writeln!(
                text,
                "[[character]]\nname = \"{who}\"\nstart = {{ at = [{}, {}], heading = {degrees} }}\n\
                 goal = {{ at = [{}, {}] }}\nrun = false",
                start.x, start.y, goal.x, goal.y
            )
            .unwrap();
        }
        let ways = ways.into_iter().map(|(way, _)| way).collect();
        Self { name, scene: read_scene(&text).unwrap(), ways, queue: 0.0 }
    }

    /// Anywhere on a square of 30 m, facing anywhere, to anywhere that is at least 10 m away.
    pub fn square(people: usize, seed: u64) -> Self {
        let mut random = Random(seed.wrapping_add(77));
        let within = [Vec2::splat(-14.0), Vec2::splat(14.0)];
        let [mut starts, mut goals] = [Vec::new(), Vec::new()];
        let ways = (0..people).map(|_| {
            let start = random.free(within, &mut starts, 0.9);
            let goal = loop {
                let goal = random.free(within, &mut goals, 0.9);
                if goal.distance(start) >= 10.0 {
                    break goal;
                }
                goals.pop();
            };
            ([start, goal], random.between(-180.0, 180.0))
        });
        let ways = ways.collect();
        Self::new(format!("{people} on a square"), Vec2::splat(16.0), "", ways)
    }

    /// Two streams that cross at a right angle, each 6 m wide.
    pub fn streams(people: usize, seed: u64) -> Self {
        let mut random = Random(seed.wrapping_add(78));
        let far = 5.0 + people as f32 / 6.0;
        let [from, to] = [[vec2(-3.0, -far), vec2(3.0, -5.0)], [vec2(-3.0, 5.0), vec2(3.0, far)]];
        let mut taken: [Vec<Vec2>; 4] = Default::default();
        let ways = (0..people).map(|who| {
            let across = who % 2;
            let [start, goal] =
                [0, 1].map(|end| random.free([from, to][end], &mut taken[2 * end + across], 0.9));
            match across {
                0 => ([start, goal], 0.0),
                _ => ([start, goal].map(|at| vec2(at.y, at.x)), 90.0),
            }
        });
        let ways = ways.collect();
        Self::new(format!("{people} in two streams that cross"), Vec2::splat(far + 2.0), "", ways)
    }

    /// From anywhere around to places in a row, as close as people stand who talk: 0.84 m from each other.
    pub fn row(people: usize, seed: u64) -> Self {
        let mut random = Random(seed.wrapping_add(80));
        let mut starts = Vec::new();
        let ways = (0..people).map(|who| {
            let start = loop {
                let at = random.free([Vec2::splat(-9.0), Vec2::splat(9.0)], &mut starts, 0.9);
                if at.y.abs() > 3.0 {
                    break at;
                }
                starts.pop();
            };
            let goal = 0.84 * vec2(who as f32 - 0.5 * (people as f32 - 1.0), 0.0);
            ([start, goal], random.between(-180.0, 180.0))
        });
        let ways = ways.collect();
        Self::new(format!("{people} to a row"), Vec2::splat(11.0), "", ways)
    }

    /// On a circle, each to the place opposite.
    pub fn circle(people: usize, radius: f32) -> Self {
        let ways = (0..people).map(|who| {
            let angle = who as f32 * std::f32::consts::TAU / people as f32;
            let start = radius * vec2(angle.sin(), angle.cos());
            ([start, -start], angle.to_degrees() - 180.0)
        });
        let ways = ways.collect();
        Self::new(format!("{people} on a circle"), Vec2::splat(radius + 3.0), "", ways)
    }

    /// Two rooms, a door of 1.2 m between them, and people who change rooms.
    pub fn door(people: usize, seed: u64) -> Self {
        let mut random = Random(seed.wrapping_add(79));
        let mut taken: [Vec<Vec2>; 2] = Default::default();
        let ways = (0..people).map(|who| {
            let side = if who % 2 == 0 { 1.0 } else { -1.0 };
            let ends = [0, 1].map(|end| {
                let low = vec2(-6.0, if (end == 0) == (side > 0.0) { 3.2 } else { -9.2 });
                random.free([low, low + vec2(12.0, 6.0)], &mut taken[end], 1.1)
            });
            (ends, if side > 0.0 { 180.0 } else { 0.0 })
        });
        let ways = ways.collect();
        let walls = "[[obstacle]]\nname = \"left\"\nat = [3.8, 0, 0]\nbox = [6.4, 2.5, 0.2]\n\
             [[obstacle]]\nname = \"right\"\nat = [-3.8, 0, 0]\nbox = [6.4, 2.5, 0.2]\n";
        let name = format!("{people} through a door both ways");
        // One after the other at a walk, a little more than a metre apart.
        let queue = people as f32;
        Self { queue, ..Self::new(name, vec2(7.0, 10.0), walls, ways) }
    }

    /// Lets them go for so many times what they would need alone.
    pub fn play(&self, seed: u64, times: f32) -> Outcome {
        let mut stage = Stage::new(&self.scene, seed).unwrap();
        let alone: Vec<f32> =
            self.ways.iter().map(|[from, to]| from.distance(*to) / WALK + self.queue).collect();
        let longest = times * alone.iter().copied().fold(0.0, f32::max);
        let mut arrived: Vec<Option<f32>> = vec![None; alone.len()];
        let mut outcome = Outcome::default();
        let mut turned = vec![0.0f32; alone.len()];
        let mut before: Vec<_> = stage.actors().iter().map(|actor| actor.disc().place).collect();
        let mut waits = std::collections::BTreeMap::new();
        while !stage.is_over() && (stage.time() as f32) < longest {
            stage.step(1.0 / FPS);
            for event in stage.events() {
                match (&event.kind, event.track) {
                    (EventKind::Arrived, Some(who)) => arrived[who] = Some(event.time),
                    (EventKind::Failed(_), _) => outcome.failed += 1,
                    (EventKind::Waits(why), _) => *waits.entry(why.clone()).or_insert(0) += 1,
                    _ => {}
                }
            }
            for (who, actor) in stage.actors().iter().enumerate() {
                let now = actor.disc().place;
                outcome.metres += now.position.distance(before[who].position);
                let turn = now.heading - before[who].heading;
                let turn = (turn + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU)
                    - std::f32::consts::PI;
                outcome.turned += turn.abs();
                // Half a turn to one side and back to the other is no way to walk.
                if turn * turned[who] < 0.0 {
                    outcome.swings += usize::from(turned[who].abs() > 0.5);
                    turned[who] = 0.0;
                }
                turned[who] += turn;
                before[who] = now;
            }
            outcome.deepest = outcome.deepest.max(deepest(&stage));
        }
        for (arrived, alone) in arrived.iter().zip(&alone) {
            outcome.ratios.push(arrived.map_or(f32::INFINITY, |seconds| seconds / alone));
        }
        outcome.ratios.sort_by(f32::total_cmp);
        outcome.waits = waits.into_iter().collect();
        outcome
    }
}

/// The usual walk, in m/s.
pub const WALK: f32 = 1.3;

/// What became of people who went somewhere.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many times longer than alone each took, from the least; infinite for those who never came.
    pub ratios: Vec<f32>,
    pub failed: usize,
    /// How deep discs have been in each other, in metres.
    pub deepest: f32,
    /// What all went, and turned by, in metres and radians.
    pub metres: f32,
    pub turned: f32,
    /// How often somebody turned by more than half a radian and then back.
    pub swings: usize,
    /// Why and how often somebody said that it waits.
    pub waits: Vec<(String, usize)>,
}

impl Outcome {
    /// The share of those who took no more than so many times what they need alone.
    pub fn within(&self, times: f32) -> f32 {
        let came = self.ratios.iter().filter(|ratio| **ratio <= times).count();
        came as f32 / self.ratios.len().max(1) as f32
    }

    pub fn turns_per_metre(&self) -> f32 {
        self.turned / self.metres.max(1e-6)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(
            out,
            "{:3.0} % within 1.5, {:3.0} % within 2, {:3.0} % within 4 times, median {:.2}, failed {}, deep {:.3} m, {:.2} rad/m, {:.3} swings/m, {:?}",
            100.0 * self.within(1.5),
            100.0 * self.within(2.0),
            100.0 * self.within(4.0),
            self.ratios[self.ratios.len() / 2],
            self.failed,
            self.deepest,
            self.turns_per_metre(),
            self.swings as f32 / self.metres.max(1e-6),
            self.waits,
        )
    }
}

/// How deep the two discs are in each other that are deepest.
fn deepest(stage: &Stage) -> f32 {
    let mut discs: Vec<(Vec2, f32)> =
        stage.actors().iter().map(|own| (own.disc().place.position, own.radius())).collect();
    discs.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
    let mut deepest = 0.0f32;
    for (index, (at, radius)) in discs.iter().enumerate() {
        let near = discs[index + 1..].iter().take_while(|(other, _)| other.x - at.x < 2.0);
        for (other, wide) in near {
            deepest = deepest.max(radius + wide - at.distance(*other));
        }
    }
    deepest
}
