//! Joint names that are readable and unique.

use std::collections::{HashMap, HashSet};

/// The text of a name. Bytes that are not UTF-8 come from older programs and are read as Latin-1, so
/// that different names stay different.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A word of the file as messages show it: on one line, and not too long.
pub(crate) fn shown(word: &[u8]) -> String {
    /// Characters; no word that means something is longer.
    const LONGEST: usize = 40;
    // Four bytes per character are enough.
    let text = decode(&word[..word.len().min(4 * LONGEST)]);
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().count() > LONGEST || word.len() > 4 * LONGEST {
        shown.push('…');
    }
    shown
}

/// Hands out each name once: the second `hand` becomes `hand_2`.
#[derive(Default)]
pub(crate) struct UniqueNames {
    taken: HashSet<String>,
    /// The number last tried for a name, so that a thousand equal names take a thousand steps.
    last: HashMap<String, usize>,
}

impl UniqueNames {
    /// The name itself, or, if it is taken, the name with a number that makes it unique.
    pub fn claim(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let last = self.last.entry(name.clone()).or_insert(1);
        loop {
            *last += 1;
            let candidate = format!("{name}_{last}");
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_names_are_numbered_around_names_that_look_numbered() {
        let mut names = UniqueNames::default();
        let claimed = ["a", "a_2", "a", "a", "b"].map(|name| names.claim(name.into()));
        assert_eq!(claimed, ["a", "a_2", "a_3", "a_4", "b"]);
    }

    #[test]
    fn words_in_messages_are_short_and_printable() {
        assert_eq!(shown(b"a\x00b"), "a\\0b");
        assert_eq!(shown(&[b'x'; 1000]).chars().count(), 41);
    }

    #[test]
    fn names_in_latin_1_are_read() {
        assert_eq!(decode(b"\xc9paule"), "Épaule");
        assert_eq!(decode("Épaule".as_bytes()), "Épaule");
    }
}
