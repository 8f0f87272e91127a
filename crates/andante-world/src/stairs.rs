//! Flights of stairs.

use crate::TerrainError;
use crate::outline::{DrawnOutline, OutlinePath};
use andante_skeleton::check_setting;
use glam::Vec2;

/// Stairs without end, along +Z, after a level start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndlessStairs {
    pub(crate) rise: f32,
    pub(crate) run: f32,
    pub(crate) start: f32,
}

impl EndlessStairs {
    /// The place of the first step of stairs from a command line: room to get going.
    pub const START: f32 = 2.0;

    /// Steps of `rise` (negative: downwards) and `run` metres, the first at `z = start`.
    pub fn new(rise: f32, run: f32, start: f32) -> Result<Self, TerrainError> {
        check_setting("RISE (metres)", &rise, -1.0..=1.0)?;
        check_setting("RUN (metres)", &run, 0.05..=10.0)?;
        check_setting("START (metres)", &start, -1000.0..=1000.0)?;
        Ok(Self { rise, run, start })
    }

    pub(crate) fn scaled(&self, up: f32, along: f32) -> Self {
        Self { rise: self.rise * up, run: self.run * along, start: self.start * along }
    }

    /// Where step `number` begins; the first is 0.
    fn edge(&self, number: i64) -> f32 {
        self.start + number as f32 * self.run
    }

    /// Steps taken at a distance; at an edge the lower or the upper one.
    fn steps(&self, distance: f32, upper: bool) -> i64 {
        // Far beyond any stairs numbers of steps are no longer whole.
        let guess = ((distance - self.start) / self.run).floor().clamp(-1e15, 1e15) as i64;
        // Division rounds: compare with the very edges that are drawn.
        let passed = |number: i64| {
            let edge = self.edge(number);
            if upper { edge <= distance } else { edge < distance }
        };
        let last = (guess - 1..=guess + 1).rev().find(|&number| passed(number));
        (last.unwrap_or(guess - 2) + 1).max(0)
    }
}

impl DrawnOutline for EndlessStairs {
    fn way(&self) -> OutlinePath {
        OutlinePath::ALONG_Z
    }

    fn height(&self, distance: f32) -> f32 {
        // The highest of both at an edge.
        self.steps(distance, self.rise > 0.0) as f32 * self.rise
    }

    fn slope(&self, _distance: f32) -> f32 {
        0.0
    }

    fn is_smooth(&self) -> bool {
        false
    }

    fn segments(&self, from: f32, to: f32, _cell: f32, visit: &mut dyn FnMut(Vec2, Vec2)) {
        let mut number = self.steps(from, true);
        let mut at = Vec2::new(from, number as f32 * self.rise);
        loop {
            let edge = self.edge(number);
            let end = Vec2::new(edge.min(to), at.y);
            visit(at, end);
            // Not `>=`: a step at the very end belongs to it. Also the way out if rounding stops progress.
            let goes_on = edge <= to && self.edge(number + 1) > edge;
            if !goes_on {
                return;
            }
            number += 1;
            at = Vec2::new(edge, number as f32 * self.rise);
            if self.rise != 0.0 {
                visit(end, at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_is_one_rise_higher_after_the_level_start() {
        let up = EndlessStairs::new(0.17, 0.28, 2.0).unwrap();
        for (z, steps) in [(-5.0, 0.0), (1.99, 0.0), (2.0, 1.0), (2.27, 1.0), (2.29, 2.0)] {
            assert_eq!(up.height(z), steps * 0.17, "at {z}");
        }
        let down = EndlessStairs::new(-0.17, 0.28, 2.0).unwrap();
        for (z, steps) in [(2.0, 0.0), (2.01, 1.0), (2.29, 2.0)] {
            assert_eq!(down.height(z), steps * -0.17, "at {z}");
        }
    }

    #[test]
    fn segments_follow_each_other_without_gaps() {
        for rise in [0.17, -0.17, 0.0] {
            let stairs = EndlessStairs::new(rise, 0.28, 2.0).unwrap();
            let mut line = Vec::new();
            stairs.segments(-1.0, 9.0, 1.0, &mut |a, b| line.push((a, b)));
            assert_eq!(line[0].0, Vec2::new(-1.0, 0.0));
            assert_eq!(line[line.len() - 1].1.x, 9.0);
            assert!(line.windows(2).all(|pair| pair[0].1 == pair[1].0));
            let risers = line.iter().filter(|(a, b)| a.x == b.x && a.y != b.y).count();
            assert_eq!(risers, if rise == 0.0 { 0 } else { 26 });
        }
    }
}
