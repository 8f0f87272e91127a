//! Walls sorted into squares, so that only those near a place are looked at.

use super::walls::WallSide;
use glam::Vec2;

/// Fewer walls than this are looked at one by one.
const FEW: usize = 24;

/// Squares along a side, at most.
const MOST: f32 = 400.0;

/// Which sides and posts may touch a disc in each square of the plane, and which sides lead through each row of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WallIndex {
    low: Vec2,
    per_metre: Vec2,
    columns: usize,
    rows: usize,
    sides: Vec<Vec<u32>>,
    posts: Vec<Vec<u32>>,
    crossing: Vec<Vec<u32>>,
}

impl WallIndex {
    pub fn new(sides: &[WallSide], posts: &[(Vec2, f32)], low: Vec2, high: Vec2) -> Option<Self> {
        let count = sides.len() + posts.len();
        let size = (high - low).max(Vec2::splat(0.1));
        if count < FEW || !size.is_finite() {
            return None;
        }
        let side = (size.x * size.y / count as f32).sqrt().max(0.3);
        let cells = (size / side).ceil().clamp(Vec2::ONE, Vec2::splat(MOST));
        let (columns, rows) = (cells.x as usize, cells.y as usize);
        let none = || vec![Vec::new(); columns * rows];
        let crossing = vec![Vec::new(); rows];
        let per_metre = cells / size;
        let mut index =
            Self { low, per_metre, columns, rows, sides: none(), posts: none(), crossing };
        for (number, side) in sides.iter().enumerate() {
            let [a, b] = side.ends;
            let (near, far) = (a.min(b), a.max(b));
            for cell in index.cells(near - side.reach, far + side.reach) {
                index.sides[cell].push(number as u32);
            }
            for row in index.cell(near).1..=index.cell(far).1 {
                index.crossing[row].push(number as u32);
            }
        }
        for (number, &(at, reach)) in posts.iter().enumerate() {
            for cell in index.cells(at - reach, at + reach) {
                index.posts[cell].push(number as u32);
            }
        }
        Some(index)
    }

    /// The square of a place, or the nearest one: column and row.
    fn cell(&self, place: Vec2) -> (usize, usize) {
        let at = (place - self.low) * self.per_metre;
        ((at.x as usize).min(self.columns - 1), (at.y as usize).min(self.rows - 1))
    }

    /// The squares of a box.
    fn cells(&self, low: Vec2, high: Vec2) -> impl Iterator<Item = usize> + use<> {
        let ((left, bottom), (right, top)) = (self.cell(low), self.cell(high));
        let columns = self.columns;
        (bottom..=top).flat_map(move |row| (left..=right).map(move |column| row * columns + column))
    }

    /// Numbers of sides and posts that may touch a disc at a place.
    pub fn at(&self, place: Vec2) -> (&[u32], &[u32]) {
        let (column, row) = self.cell(place);
        let cell = row * self.columns + column;
        (&self.sides[cell], &self.posts[cell])
    }

    /// Numbers of sides that lead through the row of a place.
    pub fn crossing(&self, place: Vec2) -> &[u32] {
        &self.crossing[self.cell(place).1]
    }

    /// Numbers of sides and posts that are within a distance of touching a disc at a place, in order.
    pub fn around(&self, place: Vec2, room: f32) -> (Vec<u32>, Vec<u32>) {
        let (mut sides, mut posts) = (Vec::new(), Vec::new());
        for cell in self.cells(place - room, place + room) {
            sides.extend_from_slice(&self.sides[cell]);
            posts.extend_from_slice(&self.posts[cell]);
        }
        for numbers in [&mut sides, &mut posts] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        (sides, posts)
    }

    /// The squares that a line leads through, and perhaps some beside it.
    pub fn along(&self, from: Vec2, to: Vec2, mut visit: impl FnMut(&[u32], &[u32])) {
        let ((left, bottom), (right, top)) = (self.cell(from.min(to)), self.cell(from.max(to)));
        for row in bottom..=top {
            // The part of the line in this row, and a hair more.
            let edge = |row: usize| self.low.y + row as f32 / self.per_metre.y;
            let hair = 1e-3 / self.per_metre.y;
            let (under, over) = (edge(row) - hair, edge(row + 1) + hair);
            let across = to.y - from.y;
            let (mut first, mut last) = (left, right);
            if across.abs() > 1e-6 {
                let bound = |y: f32| ((y - from.y) / across).clamp(0.0, 1.0);
                // What lies beyond the outermost rows is in them.
                let under = if row == 0 { f32::NEG_INFINITY } else { under };
                let over = if row + 1 == self.rows { f32::INFINITY } else { over };
                let [a, b] = [under, over].map(|y| {
                    let y = y.clamp(from.y.min(to.y), from.y.max(to.y));
                    self.cell(from.lerp(to, bound(y))).0
                });
                (first, last) = (a.min(b).saturating_sub(1).max(left), (a.max(b) + 1).min(right));
            }
            for column in first..=last {
                let cell = row * self.columns + column;
                visit(&self.sides[cell], &self.posts[cell]);
            }
        }
    }
}
