//! The words of an Acclaim file.

use crate::ReadError;
use crate::text::{Fault, decode, is_space, number, shown};

/// A word and where it is.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub bytes: &'a [u8],
    /// First byte within the text.
    pub at: usize,
    /// Whether nothing but white space stands before it on its line.
    pub first: bool,
}

impl<'a> Word<'a> {
    pub fn is(&self, keyword: &str) -> bool {
        self.bytes.eq_ignore_ascii_case(keyword.as_bytes())
    }

    /// True if a section begins here.
    pub fn is_section(&self) -> bool {
        self.bytes.first() == Some(&b':')
    }

    pub fn text(&self) -> String {
        decode(self.bytes)
    }

    /// For messages.
    pub fn shown(&self) -> String {
        shown(self.bytes)
    }

    pub fn number(&self) -> Result<f64, Fault> {
        match number(self.bytes)? {
            (value, length) if length == self.bytes.len() => Ok(value),
            (_, length) if self.bytes[length] == b'#' => Err(Fault::NotFinite),
            _ => Err(Fault::Malformed),
        }
    }

    /// A bound of a range: a number or `inf`.
    pub fn bound(&self) -> Option<f64> {
        let (sign, rest) = match self.bytes {
            [b'-', rest @ ..] => (-1.0, rest),
            [b'+', rest @ ..] => (1.0, rest),
            rest => (1.0, rest),
        };
        let infinite =
            [&b"inf"[..], b"infinity"].iter().any(|word| rest.eq_ignore_ascii_case(word));
        if infinite { Some(sign * f64::INFINITY) } else { self.number().ok() }
    }
}

/// Walks through the words of a text. Commas and parentheses count as white space, `#` starts a comment.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    pub text: &'a [u8],
    at: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 } }
    }

    /// The next word, or `None` at the end.
    pub fn next(&mut self) -> Option<Word<'a>> {
        let mut first = self.text[..self.at].last().is_none_or(|&byte| byte == b'\n');
        loop {
            match *self.text.get(self.at)? {
                b'\n' => first = true,
                b'#' => {
                    self.skip_line();
                    continue;
                }
                byte if is_gap(byte) => {}
                _ => break,
            }
            self.at += 1;
        }
        // The byte order mark is not part of the first line.
        first |= self.at == 3 && self.text.starts_with(b"\xef\xbb\xbf");
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|&byte| is_gap(byte) || byte == b'#').unwrap_or(rest.len());
        let word = Word { bytes: &rest[..end], at: self.at, first };
        self.at += end;
        Some(word)
    }

    pub fn peek(&self) -> Option<Word<'a>> {
        self.clone().next()
    }

    /// Moves to the end of the line, and gives what was left of it.
    pub fn skip_line(&mut self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Everything up to the next line that begins with a section.
    pub fn text_until_section(&mut self) -> &'a [u8] {
        let start = self.at;
        while self.at < self.text.len() {
            self.skip_line();
            let next = &self.text[self.at..];
            let indent = next.iter().position(|&byte| !is_space(byte)).unwrap_or(next.len());
            if next.get(indent) == Some(&b':') {
                break;
            }
            self.at += indent;
        }
        &self.text[start..self.at]
    }

    /// The end of the text, or the beginning of the next word: the place for a message about what is missing.
    pub fn place(&self) -> usize {
        self.peek().map_or(self.text.len(), |word| word.at)
    }

    pub fn error(&self, at: usize, message: impl Into<String>) -> ReadError {
        ReadError::at(self.text, at, message)
    }
}

fn is_gap(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b',' | b'(' | b')')
}
