//! What can be drawn to see what happens.

use glam::Vec3;

/// A question to the ground and its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundQuery {
    /// From where it looked down.
    pub from: Vec3,
    /// What it met.
    pub hit: Option<Vec3>,
}

/// The latest entries of something, oldest first; bounded.
#[derive(Clone, Debug)]
pub struct Trace<T> {
    entries: Vec<T>,
    /// Where the next entry goes once the trace is full.
    at: usize,
    most: usize,
}

impl<T: Copy> Trace<T> {
    pub(crate) fn new(most: usize) -> Self {
        Self { entries: Vec::with_capacity(most), at: 0, most }
    }

    pub(crate) fn push(&mut self, entry: T) {
        if self.most == 0 {
        } else if self.entries.len() < self.most {
            self.entries.push(entry);
        } else {
            self.entries[self.at] = entry;
            self.at = (self.at + 1) % self.most;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.at = 0;
    }

    /// The entries, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries[self.at..].iter().chain(&self.entries[..self.at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_keeps_the_latest_in_order() {
        let mut trace = Trace::new(3);
        for number in 0..5 {
            trace.push(number);
        }
        assert_eq!(trace.iter().copied().collect::<Vec<_>>(), [2, 3, 4]);
        let mut none = Trace::new(0);
        none.push(1);
        assert_eq!(none.iter().count(), 0);
    }
}
