//! Names that are unique.

use std::collections::{HashMap, HashSet};

/// Hands out each name once: the second `arm` becomes `arm_2`.
#[derive(Default)]
pub(super) struct Names {
    used: HashSet<String>,
    /// Where to go on counting for a name, so that thousands of equal names stay cheap.
    next: HashMap<String, usize>,
}

impl Names {
    /// The name, or the nearest free one.
    pub fn unique(&mut self, name: &str) -> String {
        if self.used.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let candidate = format!("{name}_{next}");
            *next += 1;
            if self.used.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_numbered_around_names_that_exist() {
        let mut names = Names::default();
        let given = ["arm", "arm_2", "arm", "arm", "leg"].map(|name| names.unique(name));
        assert_eq!(given, ["arm", "arm_2", "arm_3", "arm_4", "leg"]);
    }
}
