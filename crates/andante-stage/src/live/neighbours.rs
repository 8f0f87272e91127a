//! Who is near whom.

use glam::{IVec2, Vec2};

/// Side of a cell, in metres.
const CELL: f32 = 4.0;

/// Everybody's place, sorted into square cells: what is asked for a place costs as much as there are people around it,
/// however many there are elsewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    places: Vec<Vec2>,
    /// People bucket by bucket of cells, and where each bucket begins.
    sorted: Vec<SortedPlace>,
    begins: Vec<usize>,
    /// Radius of the largest body.
    pub largest: f32,
}

/// Somebody's number and place, and the cell it is in.
#[derive(Clone, Copy, Debug, Default)]
struct SortedPlace {
    number: usize,
    place: Vec2,
    cell: IVec2,
}

impl Neighbours {
    /// Sorts places; nothing is allocated for no more of them than before.
    pub fn sort(&mut self, places: impl Iterator<Item = Vec2>) {
        self.places.clear();
        self.places.extend(places);
        let buckets = self.places.len().next_power_of_two();
        self.begins.clear();
        self.begins.resize(buckets + 1, 0);
        for place in &self.places {
            self.begins[bucket(cell(*place), buckets)] += 1;
        }
        let mut end = 0;
        for begin in &mut self.begins {
            end += *begin;
            *begin = end;
        }
        self.sorted.clear();
        self.sorted.resize(self.places.len(), SortedPlace::default());
        // From the last to the first: in a bucket they stay in order.
        for (number, &place) in self.places.iter().enumerate().rev() {
            let cell = cell(place);
            let begin = &mut self.begins[bucket(cell, buckets)];
            *begin -= 1;
            self.sorted[*begin] = SortedPlace { number, place, cell };
        }
    }

    /// Calls with the number of everybody closer to a place than this, in an order that depends on nothing but their places.
    pub fn each_within(&self, place: Vec2, reach: f32, mut call: impl FnMut(usize)) {
        let buckets = self.begins.len().saturating_sub(1);
        if buckets == 0 {
            return;
        }
        let (low, high) = (cell(place - reach), cell(place + reach));
        let cells = i64::from(high.x - low.x + 1) * i64::from(high.y - low.y + 1);
        if cells > self.places.len() as i64 {
            // More cells than people.
            let near =
                |&number: &usize| self.places[number].distance_squared(place) < reach * reach;
            (0..self.places.len()).filter(near).for_each(call);
            return;
        }
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                let own = IVec2::new(x, y);
                let bucket = bucket(own, buckets);
                for other in &self.sorted[self.begins[bucket]..self.begins[bucket + 1]] {
                    if other.place.distance_squared(place) < reach * reach && other.cell == own {
                        call(other.number);
                    }
                }
            }
        }
    }
}

fn cell(place: Vec2) -> IVec2 {
    // Farther away than any scene reaches, cells are not told apart.
    (place / CELL).floor().clamp(Vec2::splat(-1e6), Vec2::splat(1e6)).as_ivec2()
}

fn bucket(cell: IVec2, buckets: usize) -> usize {
    let hash = (cell.x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (cell.y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    (hash >> 29) as usize & (buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everybody_within_reach_is_found_once_and_nobody_else(
            places in prop::collection::vec((-60f32..60.0, -60f32..60.0), 0..80),
            at in (-70f32..70.0, -70f32..70.0),
            reach in 0f32..30.0,
        ) {
            let places: Vec<Vec2> = places.into_iter().map(Vec2::from).collect();
            let at = Vec2::from(at);
            let mut near = Neighbours::default();
            near.sort(places.iter().copied());
            let mut found = Vec::new();
            near.each_within(at, reach, |number| found.push(number));
            found.sort_unstable();
            let close = |&number: &usize| places[number].distance(at) < reach;
            let expected: Vec<usize> = (0..places.len()).filter(close).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
