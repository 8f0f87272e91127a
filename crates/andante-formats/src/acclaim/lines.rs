//! Lines of a stream, without holding more than one.

use crate::{ErrorPlace, ReadError};
use std::io::BufRead;

/// Reads lines of limited length.
pub(super) struct Lines<R> {
    reader: R,
    /// The current line without its line break.
    pub text: Vec<u8>,
    /// Its number, from 1.
    pub number: usize,
    /// Whether a line break ended it.
    pub terminated: bool,
    /// Bytes read so far.
    pub bytes: usize,
    finished: bool,
    /// Bytes of the longest line.
    longest: usize,
}

impl<R: BufRead> Lines<R> {
    /// Lines of so many bytes at most; longer ones are no motion.
    pub fn new(reader: R, longest: usize) -> Self {
        let (text, terminated, finished) = (Vec::new(), true, false);
        Self { reader, text, number: 0, terminated, bytes: 0, finished, longest }
    }

    /// Reads the next line; `false` at the end. Of a comment that is too long, the start is kept.
    pub fn advance(&mut self) -> Result<bool, ReadError> {
        self.text.clear();
        self.terminated = false;
        let mut any = false;
        while !self.finished && !self.terminated {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(io_error(error)),
            };
            self.finished = buffer.is_empty();
            if self.finished {
                break;
            }
            any = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            self.terminated = end.is_some();
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = self.longest.saturating_sub(self.text.len());
            self.text.extend_from_slice(&part[..part.len().min(room)]);
            let (cut, length) = (part.len() > room, part.len() + usize::from(self.terminated));
            self.reader.consume(length);
            self.bytes = self.bytes.saturating_add(length);
            if cut && !self.text.contains(&b'#') {
                let message = format!("a line of more than {} characters", self.longest);
                return Err(ReadError::in_line(self.number + 1, &self.text, self.longest, message));
            }
        }
        self.number += usize::from(any);
        Ok(any)
    }

    /// Leaves the rest unread.
    pub fn finish(&mut self) {
        self.finished = true;
    }
}

fn io_error(source: std::io::Error) -> ReadError {
    ReadError {
        path: None,
        place: ErrorPlace::File,
        message: format!("cannot be read: {source}"),
        source: Some(source),
    }
}
