//! The first half of a file: which joints there are and which numbers move them.

use super::channel::Channel;
use crate::convention::Convention;
use crate::text::{Cursor, LineCounter, UniqueNames, decode, shown};
use crate::{ReadError, Warning};
use andante_skeleton::{Joint, Skeleton};
use glam::DVec3;

/// A joint as it stands in the file.
pub(super) struct FileJoint {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: DVec3,
    pub tip: Option<DVec3>,
}

/// All joints, depth first, and what the columns of a frame mean.
pub(super) struct Hierarchy {
    pub joints: Vec<FileJoint>,
    /// The joint that each column belongs to, and what it does.
    pub channels: Vec<(usize, Channel)>,
}

/// A pair of braces that is open.
struct OpenBlock {
    joint: usize,
    /// The braces of an end site of `joint` rather than of the joint itself.
    end_site: bool,
    has_offset: bool,
    has_channels: bool,
}

/// Reads from `HIERARCHY` to the last closing brace. Open blocks are kept in a list, so that nesting
/// can be as deep as there are joints.
pub(super) fn parse(
    cursor: &mut Cursor,
    warnings: &mut Vec<Warning>,
) -> Result<Hierarchy, ReadError> {
    if !cursor.take("HIERARCHY") {
        let (_, at) = cursor.peek_word();
        return Err(cursor.error(at, "this is not a BVH file: it does not begin with HIERARCHY"));
    }
    if !cursor.take("ROOT") {
        let (_, at) = cursor.peek_word();
        return Err(cursor.error(at, "HIERARCHY must be followed by a ROOT"));
    }
    let mut parser = HierarchyParser {
        cursor: cursor.clone(),
        hierarchy: Hierarchy { joints: Vec::new(), channels: Vec::new() },
        open: Vec::new(),
        names: UniqueNames::default(),
        lines: LineCounter::default(),
        warnings,
    };
    parser.open_joint(None)?;
    while !parser.open.is_empty() {
        parser.step()?;
    }
    *cursor = parser.cursor;
    Ok(parser.hierarchy)
}

struct HierarchyParser<'a, 'w> {
    cursor: Cursor<'a>,
    hierarchy: Hierarchy,
    open: Vec<OpenBlock>,
    names: UniqueNames,
    lines: LineCounter,
    warnings: &'w mut Vec<Warning>,
}

impl HierarchyParser<'_, '_> {
    /// One statement within the innermost open block.
    fn step(&mut self) -> Result<(), ReadError> {
        let (word, at) = self.cursor.word();
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
        let Some(block) = self.open.last() else { return Ok(()) };
        let (joint, end_site) = (block.joint, block.end_site);
        let name = &self.hierarchy.joints[joint].name;
        if is("OFFSET") {
            self.offset(at)
        } else if is("CHANNELS") {
            self.channels(at)
        } else if is("}") {
            self.close(at);
            Ok(())
        } else if is("JOINT") && !end_site {
            self.open_joint(Some(joint))
        } else if is("End") && !end_site {
            self.open_end_site(joint)
        } else if word.is_empty() {
            Err(self
                .cursor
                .error(at, format!("the file ends inside joint `{name}`: `}}` is missing")))
        } else if is("MOTION") {
            Err(self.cursor.error(at, format!("joint `{name}` is not closed: `}}` is missing")))
        } else if is("ROOT") {
            Err(self
                .cursor
                .error(at, format!("ROOT inside joint `{name}`: the root has no parent")))
        } else {
            let place = if end_site { "an end site" } else { "a joint" };
            let allowed =
                if end_site { "OFFSET or }" } else { "OFFSET, CHANNELS, JOINT, End Site or }" };
            let word = shown(word);
            Err(self.cursor.error(at, format!("`{word}` inside {place}: expected {allowed}")))
        }
    }

    fn open_brace(&mut self, joint: usize, end_site: bool) -> Result<(), ReadError> {
        let (word, at) = self.cursor.word();
        if word != b"{" {
            let name = &self.hierarchy.joints[joint].name;
            let kind = if end_site { "end site of joint" } else { "joint" };
            return Err(self.cursor.error(at, format!("expected `{{` to open {kind} `{name}`")));
        }
        self.open.push(OpenBlock { joint, end_site, has_offset: false, has_channels: false });
        Ok(())
    }

    fn open_joint(&mut self, parent: Option<usize>) -> Result<(), ReadError> {
        let at = self.cursor.at;
        let index = self.hierarchy.joints.len();
        if index == Skeleton::MAX_JOINTS {
            let message = format!("more than {index} joints; a skeleton has no more");
            return Err(self.cursor.error(at, message));
        }
        let mut given = decode(self.cursor.name());
        if given.is_empty() {
            given = format!("joint_{index}");
            self.warn(at, format!("a joint has no name; it is called `{given}`"));
        }
        let name = self.names.claim(given.clone());
        if name != given {
            self.warn(at, format!("a second joint is named `{given}`; it is called `{name}`"));
        }
        self.hierarchy.joints.push(FileJoint { name, parent, offset: DVec3::ZERO, tip: None });
        self.open_brace(index, false)
    }

    /// The word after `End` is `Site` by custom; some programs put a name there or after it.
    fn open_end_site(&mut self, joint: usize) -> Result<(), ReadError> {
        self.cursor.name();
        self.open_brace(joint, true)
    }

    fn close(&mut self, at: usize) {
        let Some(block) = self.open.pop() else { return };
        if !block.has_offset {
            let kind = if block.end_site { "an end site of joint" } else { "joint" };
            let name = &self.hierarchy.joints[block.joint].name;
            let message = format!("{kind} `{name}` has no OFFSET; it is put at its parent");
            self.warn(at, message);
        }
    }

    fn offset(&mut self, at: usize) -> Result<(), ReadError> {
        let Some(block) = self.open.last_mut() else { return Ok(()) };
        let joint = &mut self.hierarchy.joints[block.joint];
        if std::mem::replace(&mut block.has_offset, true) {
            let message = format!("a second OFFSET for joint `{}`", joint.name);
            return Err(self.cursor.error(at, message));
        }
        let mut offset = DVec3::ZERO;
        for axis in 0..3 {
            offset[axis] = self.cursor.number().map_err(|(fault, at)| {
                let word = shown(Cursor { at, ..self.cursor }.peek_word().0);
                let message =
                    format!("OFFSET of joint `{}`: `{word}` {}", joint.name, fault.as_str());
                self.cursor.error(at, message)
            })?;
        }
        if !block.end_site {
            joint.offset = offset;
        } else if joint.tip.is_none() {
            joint.tip = Some(offset);
        } else {
            let message =
                format!("joint `{}` has several end sites; the first is kept", joint.name);
            self.warn(at, message);
        }
        Ok(())
    }

    fn channels(&mut self, at: usize) -> Result<(), ReadError> {
        let Some(block) = self.open.last_mut() else { return Ok(()) };
        let (joint, end_site) = (block.joint, block.end_site);
        let name = self.hierarchy.joints[joint].name.clone();
        if std::mem::replace(&mut block.has_channels, true) {
            return Err(self.cursor.error(at, format!("a second CHANNELS for joint `{name}`")));
        }
        let (word, count_at) = self.cursor.word();
        let count = std::str::from_utf8(word).ok().and_then(|word| word.parse::<u32>().ok());
        let Some(count) = count else {
            let word = shown(word);
            let message =
                format!("CHANNELS of joint `{name}`: `{word}` is not a number of channels");
            return Err(self.cursor.error(count_at, message));
        };
        let first = self.hierarchy.channels.len();
        let mut unused = end_site && count > 0;
        for index in 0..count {
            let (word, at) = self.cursor.word();
            let Some(mut channel) = Channel::parse(word) else {
                let word = shown(word);
                let message = format!(
                    "channel {} of the {count} of joint `{name}`: `{word}` is not a channel; \
                     expected one such as Xposition or Zrotation",
                    index + 1
                );
                return Err(self.cursor.error(at, message));
            };
            let set = &self.hierarchy.channels[first..];
            if matches!(channel, Channel::Position(_)) && set.contains(&(joint, channel)) {
                let message = format!("joint `{name}` has two channels {}", channel.name());
                return Err(self.cursor.error(at, message));
            }
            unused |= channel == Channel::Unused;
            if end_site {
                channel = Channel::Unused;
            }
            self.hierarchy.channels.push((joint, channel));
        }
        if unused {
            let what = if end_site { "of its end site" } else { "that scale it" };
            self.warn(at, format!("joint `{name}` has channels {what}; they are left unused"));
        }
        Ok(())
    }

    fn warn(&mut self, at: usize, message: String) {
        let line = self.lines.line(self.cursor.text, at);
        self.warnings.push(Warning::at_line(line, message));
    }
}

impl Hierarchy {
    /// The height of the body in the file's unit: the largest side of the box around its rest pose. A rest pose may be
    /// all bones along one axis: a person is at least two thirds of the way from one hand along the bones to the farthest
    /// foot.
    pub fn extent(&self) -> f64 {
        let mut reach = vec![0.0f64; self.joints.len()];
        let mut longest = 0.0f64;
        for (index, joint) in self.joints.iter().enumerate().rev() {
            let tip = joint.tip.map_or(0.0, |tip| tip.length());
            longest = longest.max(reach[index] + tip);
            reach[index] = reach[index].max(tip);
            if let Some(parent) = joint.parent {
                let through = reach[index] + joint.offset.length();
                longest = longest.max(reach[parent] + through);
                reach[parent] = reach[parent].max(through);
            }
        }
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut places = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let parent = joint.parent.map_or(DVec3::ZERO, |parent| places[parent]);
            let place = parent + joint.offset;
            places.push(place);
            for point in std::iter::once(place).chain(joint.tip.map(|tip| place + tip)) {
                low = low.min(point);
                high = high.max(point);
            }
        }
        (high - low).max_element().max(longest * 2.0 / 3.0)
    }

    /// The joints in metres with Y up.
    pub fn skeleton(&self, convention: &Convention) -> Result<Skeleton, ReadError> {
        let joints = self.joints.iter().map(|joint| Joint {
            tip: joint.tip.map(|tip| convention.position(tip)),
            ..Joint::new(joint.name.clone(), joint.parent, convention.position(joint.offset))
        });
        Skeleton::new(joints.collect()).map_err(|error| ReadError::file(error.to_string()))
    }
}
