//! The second half of a file: the frames.

use super::hierarchy::Hierarchy;
use crate::text::{Cursor, Fault, LineCounter, is_break, is_space, number, shown};
use crate::{ReadError, Warning};

/// What stands between `MOTION` and the first frame.
#[derive(Default)]
pub(super) struct MotionHeader {
    /// Number of frames as declared.
    pub frames: Option<u64>,
    /// Seconds per frame as declared.
    pub frame_time: Option<f64>,
}

impl MotionHeader {
    /// Reads `Frames:` and `Frame Time:` in either order, glued to their numbers or not.
    pub fn parse(cursor: &mut Cursor) -> Result<Self, ReadError> {
        let mut header = Self::default();
        loop {
            if cursor.take_prefix("Frames") {
                cursor.take_prefix(":");
                let count = header_number(cursor, "number of frames")?;
                header.frames = (count >= 0.0).then_some(count as u64);
            } else if cursor.take_prefix("Frame") {
                if !cursor.take_prefix("Time") {
                    return Err(cursor.error(cursor.at, "expected `Frames:` or `Frame Time:`"));
                }
                cursor.take_prefix(":");
                header.frame_time = Some(header_number(cursor, "frame time")?);
            } else {
                return Ok(header);
            }
        }
    }

    /// Frames per second, or `None` if the frame time is missing or makes no sense. Files round the
    /// time of a frame, so that 1/0.0083333 is 120.0005: rates within 0.02 % of a whole number are that
    /// number.
    pub fn fps(&self) -> Option<f32> {
        let rate = 1.0 / self.frame_time?;
        let whole = rate.round();
        let rate = if (rate - whole).abs() <= 2e-4 * rate.abs() { whole } else { rate };
        (rate > 1e-3 && rate < 1e6).then_some(rate as f32)
    }
}

fn header_number(cursor: &mut Cursor, what: &str) -> Result<f64, ReadError> {
    cursor.number().map_err(|(fault, at)| {
        let word = shown(Cursor { at, ..*cursor }.peek_word().0);
        cursor.error(at, format!("the {what}: `{word}` {}", fault.as_str()))
    })
}

/// Reads the frames one after the other.
pub(super) struct FrameReader<'a> {
    text: &'a [u8],
    at: usize,
    hierarchy: &'a Hierarchy,
    /// Whole frames read so far.
    pub count: usize,
    lines: LineCounter,
}

impl<'a> FrameReader<'a> {
    pub fn new(cursor: &Cursor<'a>, hierarchy: &'a Hierarchy) -> Self {
        let (text, at) = (cursor.text, cursor.at);
        Self { text, at, hierarchy, count: 0, lines: LineCounter::default() }
    }

    /// Bytes that have not been read yet.
    pub fn remaining(&self) -> usize {
        self.text.len() - self.at
    }

    /// Fills in the values of the next frame. `false` after the last one; a last frame that is cut off
    /// is left out with a warning.
    pub fn next(
        &mut self,
        values: &mut [f64],
        warnings: &mut Vec<Warning>,
    ) -> Result<bool, ReadError> {
        let text = self.text;
        let mut at = self.at;
        let mut start = at;
        for (channel, slot) in values.iter_mut().enumerate() {
            while text.get(at).is_some_and(|&byte| is_space(byte)) {
                at += 1;
            }
            if channel == 0 {
                start = at;
            }
            if at == text.len() {
                if channel > 0 {
                    warnings.push(self.cut_off(start, channel));
                }
                return Ok(false);
            }
            match number(&text[at..]) {
                Ok((value, length)) if ends(text, at + length) => {
                    *slot = value;
                    at += length;
                }
                Ok((_, length)) => {
                    let fault =
                        if text[at + length] == b'#' { Fault::NotFinite } else { Fault::Malformed };
                    return self.refuse(fault, start, at, channel, warnings);
                }
                Err(fault) => return self.refuse(fault, start, at, channel, warnings),
            }
        }
        while text.get(at).is_some_and(|&byte| is_space(byte) && !is_break(byte)) {
            at += 1;
        }
        if text.get(at).is_some_and(|&byte| !is_break(byte)) {
            return Err(self.too_long(start, at));
        }
        self.at = at;
        self.count += 1;
        Ok(true)
    }

    /// What is not a number is an error, unless it is the stump of one where the file is cut off.
    #[cold]
    fn refuse(
        &mut self,
        fault: Fault,
        start: usize,
        at: usize,
        channel: usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<bool, ReadError> {
        let part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
        if fault == Fault::Malformed && self.text[at..].iter().all(part) {
            warnings.push(self.cut_off(start, channel));
            return Ok(false);
        }
        let (joint, kind) = self.hierarchy.channels[channel];
        let name = &self.hierarchy.joints[joint].name;
        let (word, _) = Cursor { text: self.text, at }.peek_word();
        let message = format!(
            "frame {}, {} of joint `{name}`: `{}` {}",
            self.count + 1,
            kind.name(),
            shown(word),
            fault.as_str()
        );
        Err(ReadError::at(self.text, at, message))
    }

    #[cold]
    fn cut_off(&mut self, start: usize, found: usize) -> Warning {
        let line = self.lines.line(self.text, start);
        let message = format!(
            "the file is cut off in frame {}: {found} of {} values; the frame is left out",
            self.count + 1,
            self.hierarchy.channels.len()
        );
        Warning::at_line(line, message)
    }

    #[cold]
    fn too_long(&mut self, start: usize, at: usize) -> ReadError {
        let (frame, count) = (self.count + 1, self.hierarchy.channels.len());
        let message = if self.text[start..at].iter().any(|&byte| is_break(byte)) {
            let line = self.lines.line(self.text, start);
            format!(
                "frame {frame} began on line {line}, and its {count} values end in the middle of \
                 this one: a value is missing before or superfluous here"
            )
        } else {
            format!("frame {frame} has more than the {count} values that its channels need")
        };
        ReadError::at(self.text, at, message)
    }
}

/// Whether a number may end here: at white space, at the end, or glued to the next number's sign.
#[inline]
fn ends(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|&byte| is_space(byte) || byte == b'-' || byte == b'+')
}
