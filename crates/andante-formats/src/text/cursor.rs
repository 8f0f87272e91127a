//! A place in a text, and the words from there on.

use super::number::{Fault, number};
use crate::ReadError;

/// Space, tab, line feed, vertical tab, form feed or carriage return.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}

/// The end of a line, or a part of it; old files have carriage returns alone.
#[inline]
pub(crate) fn is_break(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

/// The same text without white space around it.
pub(crate) fn trim(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_space(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_space(*last)
    {
        text = rest;
    }
    text
}

/// Walks through the words of a text. Braces are words of their own.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    pub text: &'a [u8],
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// The start of a text, after the byte order mark if there is one.
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 } }
    }

    /// The bytes that have not been read yet.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Moves to the next byte that is not white space.
    #[inline]
    pub fn skip_space(&mut self) {
        while self.text.get(self.at).is_some_and(|&byte| is_space(byte)) {
            self.at += 1;
        }
    }

    /// The next word without moving, and where it starts; empty at the end of the text.
    pub fn peek_word(&self) -> (&'a [u8], usize) {
        let mut ahead = self.clone();
        ahead.skip_space();
        let rest = ahead.rest();
        let end = match rest.first() {
            Some(b'{' | b'}') => 1,
            _ => rest
                .iter()
                .position(|&byte| is_space(byte) || byte == b'{' || byte == b'}')
                .unwrap_or(rest.len()),
        };
        (&rest[..end], ahead.at)
    }

    /// The next word, and where it starts; empty at the end of the text.
    pub fn word(&mut self) -> (&'a [u8], usize) {
        let (word, start) = self.peek_word();
        self.at = start + word.len();
        (word, start)
    }

    /// Moves past the next word if it is this one, in capitals or not.
    pub fn take(&mut self, keyword: &str) -> bool {
        let (word, start) = self.peek_word();
        let found = word.eq_ignore_ascii_case(keyword.as_bytes());
        if found {
            self.at = start + word.len();
        }
        found
    }

    /// Moves past this text if it comes next, in capitals or not, whatever follows it.
    pub fn take_prefix(&mut self, prefix: &str) -> bool {
        let mut ahead = self.clone();
        ahead.skip_space();
        let found = ahead
            .rest()
            .get(..prefix.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()));
        if found {
            self.at = ahead.at + prefix.len();
        }
        found
    }

    /// The next number. It may be glued to the sign of the one after it or to a brace.
    pub fn number(&mut self) -> Result<f64, (Fault, usize)> {
        self.skip_space();
        let start = self.at;
        let (value, length) = number(self.rest()).map_err(|fault| (fault, start))?;
        match self.text.get(start + length) {
            None | Some(b'-' | b'+' | b'{' | b'}') => {}
            Some(&byte) if is_space(byte) => {}
            // How some C libraries print what is not finite: `1.#QNAN`.
            Some(b'#') => return Err((Fault::NotFinite, start)),
            Some(_) => return Err((Fault::Malformed, start)),
        }
        self.at = start + length;
        Ok(value)
    }

    /// The rest of the line up to an opening brace, without white space around it.
    pub fn name(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|&b| is_break(b) || b == b'{').unwrap_or(rest.len());
        self.at += end;
        trim(&rest[..end])
    }

    /// An error about what starts at a byte.
    pub fn error(&self, at: usize, message: impl Into<String>) -> ReadError {
        ReadError::at(self.text, at, message)
    }
}

/// Line numbers of places that come in ascending order, without counting from the start each time.
#[derive(Default)]
pub(crate) struct LineCounter {
    at: usize,
    breaks: usize,
}

impl LineCounter {
    /// The line of a byte, from 1.
    pub fn line(&mut self, text: &[u8], byte: usize) -> usize {
        let byte = byte.min(text.len());
        if byte < self.at {
            *self = Self::default();
        }
        self.breaks += text[self.at..byte].iter().filter(|&&b| b == b'\n').count();
        self.at = byte;
        self.breaks + 1
    }
}
