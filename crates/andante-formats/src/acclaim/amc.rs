//! Frames of an `.amc` file, one at a time.

use super::asf::{AngleUnit, AsfSkeleton, Dof};
use super::lexer::{Lexer, Word};
use super::lines::Lines;
use crate::text::Fault;
use crate::{ReadError, Warning};
use std::collections::HashMap;
use std::io::BufRead;

/// The values of one frame: lengths in the file's unit, angles in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct AmcFrame {
    number: i64,
    /// Of the root first, then of every bone in the order of the skeleton file.
    values: Vec<f64>,
    /// Where the values of each bone begin, and where the last ones end.
    starts: Vec<usize>,
}

impl AmcFrame {
    /// The frame's number in the file.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// The root's values, in the order of [`AsfRoot::order`](super::AsfRoot::order).
    pub fn root(&self) -> &[f64] {
        &self.values[..self.starts[0]]
    }

    /// A bone's values, in the order of [`AsfBone::dof`](super::AsfBone::dof).
    ///
    /// # Panics
    /// If the skeleton has no such bone.
    pub fn bone(&self, index: usize) -> &[f64] {
        &self.values[self.starts[index]..self.starts[index + 1]]
    }
}

/// Reads a motion frame by frame. Memory does not depend on the length of the file.
///
/// ```
/// use andante_formats::{ReadOptions, acclaim};
///
/// let asf = ":version 1.10
/// :root
///   order TX TY TZ RX RY RZ
///   axis XYZ
///   position 0 0 0
///   orientation 0 0 0
/// :bonedata
/// begin
///   id 1
///   name spine
///   direction 0 1 0
///   length 10
///   axis 0 0 0 XYZ
///   dof rx
/// end
/// :hierarchy
/// begin
///   root spine
/// end";
/// let skeleton = acclaim::read_asf(asf.as_bytes(), &ReadOptions::default())?;
/// let amc = ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 17 0 0 0 0\nspine 90\n";
/// let mut reader = acclaim::AmcReader::new(amc.as_bytes(), &skeleton);
/// while let Some(frame) = reader.next_frame()? {
///     assert_eq!(frame.root()[1], 17.0);
///     assert_eq!(frame.bone(0), [90f64.to_radians()]);
/// }
/// # Ok::<(), andante_formats::ReadError>(())
/// ```
pub struct AmcReader<'a, R> {
    lines: Lines<R>,
    skeleton: &'a AsfSkeleton,
    /// From the names of lines to root (0) and bones (index + 1).
    slots: HashMap<&'a str, usize>,
    angle: AngleUnit,
    fps: Option<f64>,
    frame: AmcFrame,
    /// Per slot, whether the frame has its values.
    filled: Vec<bool>,
    /// The slot of the line read last, and of the last line of the frame before.
    last_slots: [Option<usize>; 2],
    /// The frame that has begun: its number and line.
    open: Option<(i64, usize)>,
    /// Whole frames so far.
    count: usize,
    warnings: Vec<Warning>,
    /// Frame numbers that do not follow the one before.
    jumps: usize,
}

/// Why a line cannot be read.
struct Refusal {
    error: ReadError,
    /// Whether the line would look like this if the file were cut off in it.
    stump: bool,
}

/// What a line brings.
enum AmcLine {
    /// Nothing that ends a frame.
    Within,
    /// The number of a new frame.
    Frame(i64),
}

impl<'a, R: BufRead> AmcReader<'a, R> {
    /// For a motion of this skeleton.
    pub fn new(reader: R, skeleton: &'a AsfSkeleton) -> Self {
        let bones = skeleton.bones();
        let mut slots = HashMap::from([("root", 0)]);
        let mut starts = vec![skeleton.root().order.len()];
        for (index, bone) in bones.iter().enumerate() {
            slots.insert(bone.name.as_str(), index + 1);
            starts.push(starts[index] + bone.dof.len());
        }
        let values = vec![0.0; starts[bones.len()]];
        Self {
            lines: Lines::new(reader, skeleton.options.limits.line),
            skeleton,
            slots,
            angle: skeleton.units().angle,
            fps: None,
            frame: AmcFrame { number: 0, values, starts },
            filled: vec![false; bones.len() + 1],
            last_slots: [None; 2],
            open: None,
            count: 0,
            warnings: Vec::new(),
            jumps: 0,
        }
    }

    /// The next frame, or `None` after the last one. A last frame that is cut off is left out with a
    /// warning.
    pub fn next_frame(&mut self) -> Result<Option<&AmcFrame>, ReadError> {
        let mut stump = false;
        while self.lines.advance()? {
            match self.line() {
                Ok(AmcLine::Within) => {}
                Ok(AmcLine::Frame(number)) => {
                    if let Some((number, line)) = self.open.replace((number, self.lines.number)) {
                        self.close(number, line)?;
                        self.filled.fill(false);
                        return Ok(Some(&self.frame));
                    }
                }
                Err(refusal) if refusal.stump && self.count > 0 && !self.lines.terminated => {
                    stump = true;
                    break;
                }
                Err(refusal) => return Err(refusal.error),
            }
        }
        self.lines.finish();
        let Some((number, line)) = self.open.take() else { return Ok(None) };
        // A frame that ends with the same bone as the one before is not cut off, whatever it lacks.
        if self.count > 0 && (stump || self.last_slots[1].is_some_and(|slot| !self.filled[slot])) {
            let message = format!("the file is cut off in frame {number}; the frame is left out");
            self.warnings.push(Warning::at_line(self.lines.number, message));
            return Ok(None);
        }
        self.close(number, line)?;
        Ok(Some(&self.frame))
    }

    /// Frames per second, if the part of the file that has been read tells.
    pub fn fps(&self) -> Option<f64> {
        self.fps
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> usize {
        self.lines.bytes
    }

    /// The warnings about the part of the file that has been read.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = self.warnings.clone();
        if self.jumps > 1 {
            let message = format!("{} frame numbers do not follow the one before", self.jumps);
            warnings.push(Warning::new(message));
        }
        warnings
    }

    fn line(&mut self) -> Result<AmcLine, Refusal> {
        let text = std::mem::take(&mut self.lines.text);
        let result = self.interpret(&text);
        self.lines.text = text;
        result
    }

    fn interpret(&mut self, text: &[u8]) -> Result<AmcLine, Refusal> {
        let line = self.lines.number;
        let refusal = |at: usize, stump: bool, message: String| Refusal {
            error: ReadError::in_line(line, text, at, message),
            stump,
        };
        let mut words = Lexer::new(text);
        let Some(first) = words.next() else { return Ok(AmcLine::Within) };
        if first.is_section() {
            let result = self.keyword(first, words.next(), line);
            return result.map_err(|message| refusal(first.at, false, message));
        }
        let alone = words.peek().is_none();
        if alone && let Ok(number) = first.text().parse() {
            return Ok(AmcLine::Frame(number));
        }
        let name = first.text();
        let Some(&slot) = self.slots.get(name.as_str()) else {
            let message = format!("`{}` is not a bone of the skeleton", first.shown());
            return Err(refusal(first.at, alone, message));
        };
        let Some((frame, _)) = self.open else {
            let message = format!("values of bone `{name}` before the number of the first frame");
            return Err(refusal(first.at, false, message));
        };
        if std::mem::replace(&mut self.filled[slot], true) {
            let message = format!("frame {frame} has two lines for bone `{name}`");
            return Err(refusal(first.at, false, message));
        }
        self.last_slots[0] = Some(slot);
        let dofs = match slot {
            0 => self.skeleton.root().order.as_slice(),
            _ => self.skeleton.bones()[slot - 1].dof.as_slice(),
        };
        let start = if slot == 0 { 0 } else { self.frame.starts[slot - 1] };
        let of = format_args!("frame {frame}, bone `{name}`");
        for (index, dof) in dofs.iter().enumerate() {
            let Some(word) = words.next() else {
                let message = format!("{of}: {index} values for {} degrees of freedom", dofs.len());
                return Err(refusal(text.len(), true, message));
            };
            let value = word.number().map_err(|fault| {
                let message = format!("{of}: `{}` {}", word.shown(), fault.as_str());
                refusal(word.at, fault == Fault::Malformed && words.peek().is_none(), message)
            })?;
            self.frame.values[start + index] = match dof {
                Dof::Rotation(_) => self.angle.to_radians(value),
                Dof::Translation(_) | Dof::Length => value,
            };
        }
        if let Some(word) = words.next() {
            let message =
                format!("{of}: more than {} values, one per degree of freedom", dofs.len());
            return Err(refusal(word.at, false, message));
        }
        Ok(AmcLine::Within)
    }

    /// A line that says something about the file.
    fn keyword(&mut self, key: Word, value: Option<Word>, line: usize) -> Result<AmcLine, String> {
        let reported = self.skeleton.options.limits.odd_lines;
        if key.is(":DEGREES") {
            self.angle = AngleUnit::Degrees;
        } else if key.is(":RADIANS") {
            self.angle = AngleUnit::Radians;
        } else if key.is(":SAMPLES-PER-SECOND") {
            let rate = value.and_then(|word| word.number().ok()).filter(|&rate| rate > 0.0);
            self.fps = Some(rate.ok_or("the number of samples per second must be positive")?);
        } else if !key.is(":FULLY-SPECIFIED") && self.warnings.len() < reported {
            let message = format!("`{}` is not known; it is left out", key.shown());
            self.warnings.push(Warning::at_line(line, message));
        }
        Ok(AmcLine::Within)
    }

    /// Checks that the frame has everything, and counts it.
    fn close(&mut self, number: i64, line: usize) -> Result<(), ReadError> {
        if let Some(name) = self.missing() {
            let message = format!("frame {number} has no line for bone `{name}`");
            let text = number.to_string();
            return Err(ReadError::in_line(line, text.as_bytes(), 0, message));
        }
        if self.count > 0 && self.frame.number.checked_add(1) != Some(number) {
            self.jumps += 1;
            if self.jumps == 1 {
                let message = format!(
                    "frame {number} follows frame {}; frames are taken as they come",
                    self.frame.number
                );
                self.warnings.push(Warning::at_line(line, message));
            }
        }
        self.frame.number = number;
        self.last_slots[1] = self.last_slots[0];
        self.count += 1;
        Ok(())
    }

    /// The first bone that should have a line in this frame and has none.
    fn missing(&self) -> Option<&str> {
        let bones = self.skeleton.bones();
        let needs = |slot: usize| match slot {
            0 => !self.skeleton.root().order.is_empty(),
            _ => !bones[slot - 1].dof.is_empty(),
        };
        let slot = (0..self.filled.len()).find(|&slot| !self.filled[slot] && needs(slot))?;
        Some(if slot == 0 { "root" } else { &bones[slot - 1].name })
    }
}
