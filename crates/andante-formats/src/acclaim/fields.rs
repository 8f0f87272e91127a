//! The parts that the sections of an `.asf` file are made of.

use super::asf::Dof;
use super::lexer::{Lexer, Word};
use crate::text::{LineCounter, decode, trim};
use crate::{ReadError, RotationOrder, Warning};
use glam::DVec3;

/// Reads numbers, lists and other values of fields.
pub(super) struct Fields<'a> {
    pub lexer: Lexer<'a>,
    pub warnings: Vec<Warning>,
    lines: LineCounter,
}

impl<'a> Fields<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { lexer: Lexer::new(text), warnings: Vec::new(), lines: LineCounter::default() }
    }

    /// The rest of the line, without a comment.
    pub fn line(&mut self) -> String {
        let line = self.lexer.skip_line();
        let end = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
        decode(trim(&line[..end]))
    }

    /// The next word, unless a section begins or the file ends.
    pub fn field(&mut self) -> Option<Word<'a>> {
        self.lexer.peek().filter(|word| !word.is_section())?;
        self.lexer.next()
    }

    pub fn skip_field(&mut self, key: Word, place: &str) {
        let message = format!("`{}` in {place} is not known; it is left out", key.shown());
        self.warn(key.at, message);
        self.lexer.skip_line();
    }

    pub fn number(&mut self, what: &str) -> Result<f64, ReadError> {
        let at = self.lexer.place();
        let Some(word) = self.field() else {
            return Err(self.lexer.error(at, format!("{what}: a number is missing")));
        };
        word.number().map_err(|fault| {
            let message = format!("{what}: `{}` {}", word.shown(), fault.as_str());
            self.lexer.error(at, message)
        })
    }

    pub fn vector(&mut self, what: &str) -> Result<DVec3, ReadError> {
        Ok(DVec3::new(self.number(what)?, self.number(what)?, self.number(what)?))
    }

    /// Three letters such as `XYZ`, if they come next: the axes in the order in which they turn.
    pub fn axis_order(&mut self) -> Option<RotationOrder> {
        let word = self.lexer.peek()?;
        let letters = <[u8; 3]>::try_from(word.bytes).ok()?;
        let mut axes = [0; 3];
        for (axis, letter) in axes.iter_mut().zip(letters) {
            *axis = usize::from(letter.to_ascii_lowercase().checked_sub(b'x')?);
        }
        // The first one turns first: it is the rightmost factor.
        axes.reverse();
        let order = RotationOrder::ALL.into_iter().find(|order| order.axes() == axes)?;
        self.lexer.next();
        Some(order)
    }

    pub fn dofs(&mut self, what: &str) -> Result<Vec<Dof>, ReadError> {
        let mut dofs = Vec::new();
        while let Some(word) = self.lexer.peek() {
            let Some(dof) = dof(word) else {
                if word.first || word.is_section() || FIELDS.iter().any(|field| word.is(field)) {
                    break;
                }
                return Err(self.unexpected(Some(word), "a degree of freedom such as rx"));
            };
            if dofs.contains(&dof) {
                let message = format!("{what}: `{}` twice", word.shown());
                return Err(self.lexer.error(word.at, message));
            }
            dofs.push(dof);
            self.lexer.next();
        }
        Ok(dofs)
    }

    pub fn limits(&mut self, what: &str) -> Result<Vec<[f64; 2]>, ReadError> {
        let mut bounds = Vec::new();
        while let Some(bound) = self.lexer.peek().and_then(|word| word.bound()) {
            bounds.push(bound);
            self.lexer.next();
        }
        if !bounds.len().is_multiple_of(2) {
            let at = self.lexer.place();
            return Err(self.lexer.error(at, format!("{what}: a limit has no upper bound")));
        }
        Ok(bounds.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
    }

    pub fn unexpected(&self, word: Option<Word>, expected: &str) -> ReadError {
        match word {
            Some(word) => {
                let message = format!("`{}`: expected {expected} here", word.shown());
                self.lexer.error(word.at, message)
            }
            None => {
                let message = format!("expected {expected} here");
                self.lexer.error(self.lexer.place(), message)
            }
        }
    }

    pub fn warn(&mut self, at: usize, message: String) {
        let line = self.lines.line(self.lexer.text, at);
        self.warnings.push(Warning::at_line(line, message));
    }
}

/// What may follow a list of degrees of freedom on its line.
const FIELDS: [&str; 12] = [
    "id",
    "name",
    "direction",
    "length",
    "axis",
    "limits",
    "bodymass",
    "cofmass",
    "end",
    "position",
    "orientation",
    "order",
];

fn dof(word: Word) -> Option<Dof> {
    let axis = |letter: u8| {
        let axis = usize::from(letter.to_ascii_lowercase().checked_sub(b'x')?);
        (axis < 3).then_some(axis)
    };
    match *word.bytes {
        [b'r' | b'R', letter] => axis(letter).map(Dof::Rotation),
        [b't' | b'T', letter] => axis(letter).map(Dof::Translation),
        [b'l' | b'L'] => Some(Dof::Length),
        _ => None,
    }
}
