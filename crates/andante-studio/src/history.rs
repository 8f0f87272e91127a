//! Undo and redo.

/// The history of edits that can be undone and done again.
#[derive(Clone, Debug)]
pub struct UndoHistory<T> {
    past: Vec<T>,
    future: Vec<T>,
}

/// So many edits can be undone.
const LONGEST: usize = 300;

impl<T> Default for UndoHistory<T> {
    fn default() -> Self {
        Self { past: Vec::new(), future: Vec::new() }
    }
}

impl<T> UndoHistory<T> {
    /// Something was edited, and this is what it was before. What was undone is forgotten.
    pub fn edited(&mut self, before: T) {
        self.future.clear();
        self.past.push(before);
        if self.past.len() > LONGEST {
            self.past.remove(0);
        }
    }

    /// Goes back an edit; whether there was one.
    pub fn undo(&mut self, now: &mut T) -> bool {
        let Some(before) = self.past.pop() else { return false };
        self.future.push(std::mem::replace(now, before));
        true
    }

    /// Does again what was undone last; whether there was something.
    pub fn redo(&mut self, now: &mut T) -> bool {
        let Some(after) = self.future.pop() else { return false };
        self.past.push(std::mem::replace(now, after));
        true
    }

    /// The numbers of edits that can be undone and done again.
    pub fn lengths(&self) -> [usize; 2] {
        [self.past.len(), self.future.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_undone_and_done_again_in_order() {
        let (mut history, mut now) = (UndoHistory::default(), 0);
        for next in 1..4 {
            history.edited(now);
            now = next;
        }
        assert!(history.undo(&mut now) && history.undo(&mut now));
        assert_eq!((now, history.lengths()), (1, [1, 2]));
        assert!(history.redo(&mut now));
        assert_eq!(now, 2);
        history.edited(now);
        now = 9;
        assert!(!history.redo(&mut now), "an edit forgets what was undone");
        while history.undo(&mut now) {}
        assert_eq!(now, 0);
    }

    #[test]
    fn the_oldest_edits_are_forgotten_first() {
        let (mut history, mut now) = (UndoHistory::default(), 0);
        for next in 1..=LONGEST + 5 {
            history.edited(now);
            now = next;
        }
        while history.undo(&mut now) {}
        assert_eq!(now, 5);
    }
}
