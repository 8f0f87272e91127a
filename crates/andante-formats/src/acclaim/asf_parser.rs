//! From the text of an `.asf` file to its bones.

use super::asf::{AngleUnit, AsfRoot, AsfSkeleton, AsfUnits, Bone, Dof};
use super::lexer::{Lexer, Word};
use crate::text::{LineCounter, decode, trim};
use crate::{ReadError, ReadOptions, RotationOrder, Warning};
use andante_skeleton::Skeleton;
use glam::DVec3;
use std::collections::HashMap;

pub(super) fn parse(text: &[u8], options: &ReadOptions) -> Result<AsfSkeleton, ReadError> {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        bone_index: HashMap::new(),
        attached: Vec::new(),
        lines: LineCounter::default(),
        warnings: Vec::new(),
    };
    let mut skeleton = AsfSkeleton {
        version: String::new(),
        name: String::new(),
        units: AsfUnits::default(),
        documentation: String::new(),
        root: AsfRoot {
            order: Vec::new(),
            axis_order: RotationOrder::Zyx,
            position: DVec3::ZERO,
            orientation: DVec3::ZERO,
        },
        bones: Vec::new(),
        root_children: Vec::new(),
        warnings: Vec::new(),
        options: options.clone(),
    };
    parser.sections(&mut skeleton)?;
    skeleton.warnings = parser.warnings;
    Ok(skeleton)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    bone_index: HashMap<&'a [u8], usize>,
    /// Per bone, whether the hierarchy has given it a parent.
    attached: Vec<bool>,
    lines: LineCounter,
    warnings: Vec<Warning>,
}

impl<'a> Parser<'a> {
    fn sections(&mut self, skeleton: &mut AsfSkeleton) -> Result<(), ReadError> {
        let (mut root, mut hierarchy) = (false, None);
        let mut started = false;
        while let Some(word) = self.lexer.next() {
            if !word.is_section() {
                let message = if started {
                    format!("`{}`: expected a section such as :bonedata", word.shown())
                } else {
                    "this is not an Acclaim skeleton: it does not begin with a section such as :version"
                        .into()
                };
                return Err(self.lexer.error(word.at, message));
            }
            started = true;
            if word.is(":version") {
                skeleton.version = self.line();
            } else if word.is(":name") {
                skeleton.name = self.line();
            } else if word.is(":units") {
                skeleton.units = self.units()?;
            } else if word.is(":documentation") {
                skeleton.documentation = decode(trim(self.lexer.text_until_section()));
            } else if word.is(":root") {
                root = true;
                skeleton.root = self.root()?;
            } else if word.is(":bonedata") {
                self.bonedata(&mut skeleton.bones)?;
            } else if word.is(":hierarchy") {
                hierarchy = Some(word.at);
                self.hierarchy(skeleton)?;
            } else {
                if !word.is(":skin") {
                    let message =
                        format!("section `{}` is not known; it is left out", word.shown());
                    self.warn(word.at, message);
                }
                self.lexer.text_until_section();
            }
        }
        let end = self.lexer.text.len();
        if !root {
            return Err(self.lexer.error(end, "the file has no :root section"));
        }
        let Some(hierarchy) = hierarchy.or(skeleton.bones.is_empty().then_some(end)) else {
            return Err(self.lexer.error(end, "the file has no :hierarchy section"));
        };
        self.check_tree(skeleton, hierarchy)
    }

    /// Every bone must hang on the root, directly or not. Since no bone has two parents, one that does
    /// not is part of a loop or below one.
    fn check_tree(&self, skeleton: &AsfSkeleton, hierarchy: usize) -> Result<(), ReadError> {
        if let Some(bone) = self.attached.iter().position(|attached| !attached) {
            let name = &skeleton.bones[bone].name;
            let message = format!("bone `{name}` is not in the hierarchy");
            return Err(self.lexer.error(hierarchy, message));
        }
        let mut reached = vec![false; skeleton.bones.len()];
        for bone in skeleton.joint_bones().into_iter().flatten() {
            reached[bone] = true;
        }
        match reached.iter().position(|reached| !reached) {
            None => Ok(()),
            Some(bone) => {
                let name = &skeleton.bones[bone].name;
                let message =
                    format!("the hierarchy runs in a circle: bone `{name}` is its own ancestor");
                Err(self.lexer.error(hierarchy, message))
            }
        }
    }

    /// What follows on the line, without a comment.
    fn line(&mut self) -> String {
        let line = self.lexer.skip_line();
        let end = line.iter().position(|&byte| byte == b'#').unwrap_or(line.len());
        decode(trim(&line[..end]))
    }

    fn units(&mut self) -> Result<AsfUnits, ReadError> {
        let mut units = AsfUnits::default();
        while let Some(key) = self.field() {
            if key.is("mass") {
                units.mass = self.number("mass unit")?;
            } else if key.is("length") {
                let at = self.lexer.place();
                units.length = self.number("length unit")?;
                // Metres per unit must be a number of single precision.
                if !(1e-30..=1e30).contains(&units.length) {
                    return Err(self.lexer.error(at, "the length unit must be a positive number"));
                }
            } else if key.is("angle") {
                units.angle = match self.lexer.next() {
                    Some(word) if word.is("deg") || word.is("degrees") => AngleUnit::Degrees,
                    Some(word) if word.is("rad") || word.is("radians") => AngleUnit::Radians,
                    other => return Err(self.unexpected(other, "deg or rad")),
                };
            } else {
                self.skip_field(key, "the units");
            }
        }
        Ok(units)
    }

    fn root(&mut self) -> Result<AsfRoot, ReadError> {
        let mut root = AsfRoot {
            order: Vec::new(),
            axis_order: RotationOrder::Zyx,
            position: DVec3::ZERO,
            orientation: DVec3::ZERO,
        };
        while let Some(key) = self.field() {
            if key.is("order") {
                root.order = self.dofs("the root")?;
                if root.order.contains(&Dof::Length) {
                    return Err(self.lexer.error(key.at, "the root has no length to change"));
                }
            } else if key.is("axis") {
                root.axis_order = match self.axis_order() {
                    Some(order) => order,
                    None => {
                        let word = self.lexer.next();
                        return Err(self.unexpected(word, "an order of axes such as XYZ"));
                    }
                };
            } else if key.is("position") {
                root.position = self.vector("position of the root")?;
            } else if key.is("orientation") {
                root.orientation = self.vector("orientation of the root")?;
            } else {
                self.skip_field(key, "the root");
            }
        }
        Ok(root)
    }

    fn bonedata(&mut self, bones: &mut Vec<Bone>) -> Result<(), ReadError> {
        while let Some(word) = self.field() {
            if !word.is("begin") {
                return Err(self.unexpected(Some(word), "`begin`, to open a bone,"));
            }
            if bones.len() + 1 == Skeleton::MAX_JOINTS {
                let message = format!("more than {} bones; a skeleton has no more", bones.len());
                return Err(self.lexer.error(word.at, message));
            }
            let (name, bone) = self.bone(word.at)?;
            if name.bytes.eq_ignore_ascii_case(b"root") {
                return Err(self.lexer.error(name.at, "a bone is named `root`, as the root is"));
            }
            if self.bone_index.insert(name.bytes, bones.len()).is_some() {
                let message = format!("a second bone is named `{}`", bone.name);
                return Err(self.lexer.error(name.at, message));
            }
            bones.push(bone);
            self.attached.push(false);
        }
        Ok(())
    }

    /// One bone, up to and including its `end`.
    fn bone(&mut self, begin: usize) -> Result<(Word<'a>, Bone), ReadError> {
        let mut name: Option<Word> = None;
        let (mut direction, mut length, mut axis) = (None, None, None);
        let mut limits = None;
        let mut bone = Bone {
            id: None,
            name: String::new(),
            direction: DVec3::ZERO,
            length: 0.0,
            axis: DVec3::ZERO,
            axis_order: RotationOrder::Zyx,
            dof: Vec::new(),
            limits: Vec::new(),
            bodymass: None,
            cofmass: None,
            parent: None,
            children: Vec::new(),
        };
        loop {
            let Some(key) = self.field() else {
                let message = format!("bone `{}` is not closed: `end` is missing", bone.name);
                return Err(self.lexer.error(begin, message));
            };
            let of = |what: &str| match name {
                Some(name) => format!("{what} of bone `{}`", name.shown()),
                None => format!("{what} of a bone"),
            };
            if key.is("end") {
                break;
            } else if key.is("id") {
                bone.id = Some(self.number(&of("id"))? as i64);
            } else if key.is("name") {
                let word = self.lexer.next().filter(|word| !word.first);
                let Some(word) = word else {
                    return Err(self.lexer.error(key.at, "the name of the bone is missing"));
                };
                bone.name = word.text();
                name = Some(word);
            } else if key.is("direction") {
                direction = Some(self.vector(&of("direction"))?);
            } else if key.is("length") {
                length = Some(self.number(&of("length"))?);
            } else if key.is("axis") {
                axis = Some(self.vector(&of("axis"))?);
                bone.axis_order = self.axis_order().unwrap_or(RotationOrder::Zyx);
            } else if key.is("dof") {
                bone.dof = self.dofs(&of("dof"))?;
            } else if key.is("limits") {
                bone.limits = self.limits(&of("limits"))?;
                limits = Some(key.at);
            } else if key.is("bodymass") {
                bone.bodymass = Some(self.number(&of("bodymass"))?);
            } else if key.is("cofmass") {
                bone.cofmass = Some(self.number(&of("cofmass"))?);
            } else {
                self.skip_field(key, &of("the description"));
            }
        }
        let Some(name) = name else {
            return Err(self.lexer.error(begin, "a bone has no name"));
        };
        let missing = |what: &str| format!("bone `{}` has no {what}", bone.name);
        bone.direction = direction.ok_or_else(|| self.lexer.error(begin, missing("direction")))?;
        bone.length = length.ok_or_else(|| self.lexer.error(begin, missing("length")))?;
        bone.axis = axis.ok_or_else(|| self.lexer.error(begin, missing("axis")))?;
        if let Some(at) = limits
            && bone.limits.len() != bone.dof.len()
        {
            let message = format!(
                "bone `{}` has {} limits for {} degrees of freedom",
                bone.name,
                bone.limits.len(),
                bone.dof.len()
            );
            return Err(self.lexer.error(at, message));
        }
        Ok((name, bone))
    }

    /// `begin`, then lines of a parent and its children, then `end`.
    fn hierarchy(&mut self, skeleton: &mut AsfSkeleton) -> Result<(), ReadError> {
        match self.field() {
            Some(word) if word.is("begin") => {}
            other => return Err(self.unexpected(other, "`begin`, to open the hierarchy,")),
        }
        loop {
            let Some(parent) = self.field() else {
                let at = self.lexer.place();
                return Err(self.lexer.error(at, "the hierarchy is not closed: `end` is missing"));
            };
            if parent.is("end") && self.lexer.peek().is_none_or(|next| next.first) {
                return Ok(());
            }
            let index =
                if parent.is("root") { None } else { Some(self.known_bone(parent, "parent")?) };
            while let Some(child) = self.lexer.peek().filter(|word| !word.first) {
                self.lexer.next();
                let bone = self.known_bone(child, "child")?;
                if std::mem::replace(&mut self.attached[bone], true) {
                    let message = format!("bone `{}` has a parent already", child.shown());
                    return Err(self.lexer.error(child.at, message));
                }
                skeleton.bones[bone].parent = index;
                match index {
                    None => skeleton.root_children.push(bone),
                    Some(parent) => skeleton.bones[parent].children.push(bone),
                }
            }
        }
    }

    fn known_bone(&self, word: Word, role: &str) -> Result<usize, ReadError> {
        self.bone_index.get(word.bytes).copied().ok_or_else(|| {
            let message = format!("{role} `{}` in the hierarchy is not a bone", word.shown());
            self.lexer.error(word.at, message)
        })
    }

    /// The next word, unless a section begins or the file ends.
    fn field(&mut self) -> Option<Word<'a>> {
        self.lexer.peek().filter(|word| !word.is_section())?;
        self.lexer.next()
    }

    fn skip_field(&mut self, key: Word, place: &str) {
        let message = format!("`{}` in {place} is not known; it is left out", key.shown());
        self.warn(key.at, message);
        self.lexer.skip_line();
    }

    fn number(&mut self, what: &str) -> Result<f64, ReadError> {
        let at = self.lexer.place();
        let Some(word) = self.field() else {
            return Err(self.lexer.error(at, format!("{what}: a number is missing")));
        };
        word.number().map_err(|fault| {
            let message = format!("{what}: `{}` {}", word.text(), fault.as_str());
            self.lexer.error(at, message)
        })
    }

    fn vector(&mut self, what: &str) -> Result<DVec3, ReadError> {
        Ok(DVec3::new(self.number(what)?, self.number(what)?, self.number(what)?))
    }

    /// Three letters such as `XYZ`, if they come next: the axes in the order in which they turn.
    fn axis_order(&mut self) -> Option<RotationOrder> {
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

    fn dofs(&mut self, what: &str) -> Result<Vec<Dof>, ReadError> {
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

    fn limits(&mut self, what: &str) -> Result<Vec<[f64; 2]>, ReadError> {
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

    fn unexpected(&self, word: Option<Word>, expected: &str) -> ReadError {
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

    fn warn(&mut self, at: usize, message: String) {
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
