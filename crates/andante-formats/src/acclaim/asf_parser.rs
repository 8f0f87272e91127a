//! From the text of an `.asf` file to its bones.

use super::asf::{AngleUnit, AsfBone, AsfRoot, AsfSkeleton, AsfUnits, Dof};
use super::fields::Fields;
use super::lexer::Word;
use crate::text::{decode, trim};
use crate::{ReadError, ReadOptions, RotationOrder};
use andante_skeleton::Skeleton;
use std::collections::HashMap;

pub(super) fn parse(text: &[u8], options: &ReadOptions) -> Result<AsfSkeleton, ReadError> {
    let mut parser =
        AsfParser { fields: Fields::new(text), bone_index: HashMap::new(), attached: Vec::new() };
    let mut skeleton = AsfSkeleton {
        version: String::new(),
        name: String::new(),
        units: AsfUnits::default(),
        documentation: String::new(),
        root: AsfRoot::default(),
        bones: Vec::new(),
        root_children: Vec::new(),
        warnings: Vec::new(),
        options: options.clone(),
    };
    parser.sections(&mut skeleton)?;
    skeleton.warnings = parser.fields.warnings;
    Ok(skeleton)
}

struct AsfParser<'a> {
    fields: Fields<'a>,
    bone_index: HashMap<&'a [u8], usize>,
    /// Per bone, whether the hierarchy has given it a parent.
    attached: Vec<bool>,
}

impl<'a> AsfParser<'a> {
    fn sections(&mut self, skeleton: &mut AsfSkeleton) -> Result<(), ReadError> {
        let (mut root, mut hierarchy) = (false, None);
        let mut started = false;
        while let Some(word) = self.fields.lexer.next() {
            if !word.is_section() {
                let message = if started {
                    format!("`{}`: expected a section such as :bonedata", word.shown())
                } else {
                    "this is not an Acclaim skeleton: it does not begin with a section such as :version"
                        .into()
                };
                return Err(self.fields.lexer.error(word.at, message));
            }
            started = true;
            if word.is(":version") {
                skeleton.version = self.fields.line();
            } else if word.is(":name") {
                skeleton.name = self.fields.line();
            } else if word.is(":units") {
                skeleton.units = self.units()?;
            } else if word.is(":documentation") {
                skeleton.documentation = decode(trim(self.fields.lexer.text_until_section()));
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
                    self.fields.warn(word.at, message);
                }
                self.fields.lexer.text_until_section();
            }
        }
        let end = self.fields.lexer.text.len();
        if !root {
            return Err(self.fields.lexer.error(end, "the file has no :root section"));
        }
        let Some(hierarchy) = hierarchy.or(skeleton.bones.is_empty().then_some(end)) else {
            return Err(self.fields.lexer.error(end, "the file has no :hierarchy section"));
        };
        self.check_tree(skeleton, hierarchy)
    }

    /// Every bone must hang on the root, directly or not. Since no bone has two parents, one that does
    /// not is part of a loop or below one.
    fn check_tree(&self, skeleton: &AsfSkeleton, hierarchy: usize) -> Result<(), ReadError> {
        if let Some(bone) = self.attached.iter().position(|attached| !attached) {
            let name = &skeleton.bones[bone].name;
            let message = format!("bone `{name}` is not in the hierarchy");
            return Err(self.fields.lexer.error(hierarchy, message));
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
                Err(self.fields.lexer.error(hierarchy, message))
            }
        }
    }

    fn units(&mut self) -> Result<AsfUnits, ReadError> {
        let mut units = AsfUnits::default();
        while let Some(key) = self.fields.field() {
            if key.is("mass") {
                units.mass = self.fields.number("mass unit")?;
            } else if key.is("length") {
                let at = self.fields.lexer.place();
                units.length = self.fields.number("length unit")?;
                // Metres per unit must be a number of single precision.
                if !(1e-30..=1e30).contains(&units.length) {
                    return Err(self
                        .fields
                        .lexer
                        .error(at, "the length unit must be a positive number"));
                }
            } else if key.is("angle") {
                units.angle = match self.fields.lexer.next() {
                    Some(word) if word.is("deg") || word.is("degrees") => AngleUnit::Degrees,
                    Some(word) if word.is("rad") || word.is("radians") => AngleUnit::Radians,
                    other => return Err(self.fields.unexpected(other, "deg or rad")),
                };
            } else {
                self.fields.skip_field(key, "the units");
            }
        }
        Ok(units)
    }

    fn root(&mut self) -> Result<AsfRoot, ReadError> {
        let mut root = AsfRoot::default();
        while let Some(key) = self.fields.field() {
            if key.is("order") {
                root.order = self.fields.dofs("the root")?;
                if root.order.contains(&Dof::Length) {
                    return Err(self
                        .fields
                        .lexer
                        .error(key.at, "the root has no length to change"));
                }
            } else if key.is("axis") {
                root.axis_order = match self.fields.axis_order() {
                    Some(order) => order,
                    None => {
                        let word = self.fields.lexer.next();
                        return Err(self.fields.unexpected(word, "an order of axes such as XYZ"));
                    }
                };
            } else if key.is("position") {
                root.position = self.fields.vector("position of the root")?;
            } else if key.is("orientation") {
                root.orientation = self.fields.vector("orientation of the root")?;
            } else {
                self.fields.skip_field(key, "the root");
            }
        }
        Ok(root)
    }

    fn bonedata(&mut self, bones: &mut Vec<AsfBone>) -> Result<(), ReadError> {
        while let Some(word) = self.fields.field() {
            if !word.is("begin") {
                return Err(self.fields.unexpected(Some(word), "`begin`, to open a bone,"));
            }
            if bones.len() + 1 == Skeleton::MAX_JOINTS {
                let message = format!("more than {} bones; a skeleton has no more", bones.len());
                return Err(self.fields.lexer.error(word.at, message));
            }
            let (name, bone) = self.bone(word.at)?;
            if name.bytes.eq_ignore_ascii_case(b"root") {
                return Err(self
                    .fields
                    .lexer
                    .error(name.at, "a bone is named `root`, as the root is"));
            }
            if self.bone_index.insert(name.bytes, bones.len()).is_some() {
                let message = format!("a second bone is named `{}`", bone.name);
                return Err(self.fields.lexer.error(name.at, message));
            }
            bones.push(bone);
            self.attached.push(false);
        }
        Ok(())
    }

    /// One bone, up to and including its `end`.
    fn bone(&mut self, begin: usize) -> Result<(Word<'a>, AsfBone), ReadError> {
        let mut name: Option<Word> = None;
        let (mut direction, mut length, mut axis) = (None, None, None);
        let mut limits = None;
        let mut bone = AsfBone::default();
        loop {
            let Some(key) = self.fields.field() else {
                let message = format!("bone `{}` is not closed: `end` is missing", bone.name);
                return Err(self.fields.lexer.error(begin, message));
            };
            let of = |what: &str| match name {
                Some(name) => format!("{what} of bone `{}`", name.shown()),
                None => format!("{what} of a bone"),
            };
            if key.is("end") {
                break;
            } else if key.is("id") {
                bone.id = Some(self.fields.number(&of("id"))? as i64);
            } else if key.is("name") {
                let word = self.fields.lexer.next().filter(|word| !word.first);
                let Some(word) = word else {
                    return Err(self.fields.lexer.error(key.at, "the name of the bone is missing"));
                };
                bone.name = word.text();
                name = Some(word);
            } else if key.is("direction") {
                direction = Some(self.fields.vector(&of("direction"))?);
            } else if key.is("length") {
                length = Some(self.fields.number(&of("length"))?);
            } else if key.is("axis") {
                axis = Some(self.fields.vector(&of("axis"))?);
                bone.axis_order = self.fields.axis_order().unwrap_or(RotationOrder::Zyx);
            } else if key.is("dof") {
                bone.dof = self.fields.dofs(&of("dof"))?;
            } else if key.is("limits") {
                bone.limits = self.fields.limits(&of("limits"))?;
                limits = Some(key.at);
            } else if key.is("bodymass") {
                bone.bodymass = Some(self.fields.number(&of("bodymass"))?);
            } else if key.is("cofmass") {
                bone.cofmass = Some(self.fields.number(&of("cofmass"))?);
            } else {
                self.fields.skip_field(key, &of("the description"));
            }
        }
        let Some(name) = name else {
            return Err(self.fields.lexer.error(begin, "a bone has no name"));
        };
        let missing = |what: &str| format!("bone `{}` has no {what}", bone.name);
        bone.direction =
            direction.ok_or_else(|| self.fields.lexer.error(begin, missing("direction")))?;
        bone.length = length.ok_or_else(|| self.fields.lexer.error(begin, missing("length")))?;
        bone.axis = axis.ok_or_else(|| self.fields.lexer.error(begin, missing("axis")))?;
        if let Some(at) = limits
            && bone.limits.len() != bone.dof.len()
        {
            let message = format!(
                "bone `{}` has {} limits for {} degrees of freedom",
                bone.name,
                bone.limits.len(),
                bone.dof.len()
            );
            return Err(self.fields.lexer.error(at, message));
        }
        Ok((name, bone))
    }

    /// `begin`, then lines of a parent and its children, then `end`.
    fn hierarchy(&mut self, skeleton: &mut AsfSkeleton) -> Result<(), ReadError> {
        match self.fields.field() {
            Some(word) if word.is("begin") => {}
            other => return Err(self.fields.unexpected(other, "`begin`, to open the hierarchy,")),
        }
        loop {
            let Some(parent) = self.fields.field() else {
                let at = self.fields.lexer.place();
                return Err(self
                    .fields
                    .lexer
                    .error(at, "the hierarchy is not closed: `end` is missing"));
            };
            if parent.is("end") && self.fields.lexer.peek().is_none_or(|next| next.first) {
                return Ok(());
            }
            let index =
                if parent.is("root") { None } else { Some(self.known_bone(parent, "parent")?) };
            while let Some(child) = self.fields.lexer.peek().filter(|word| !word.first) {
                self.fields.lexer.next();
                let bone = self.known_bone(child, "child")?;
                if std::mem::replace(&mut self.attached[bone], true) {
                    let message = format!("bone `{}` has a parent already", child.shown());
                    return Err(self.fields.lexer.error(child.at, message));
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
            self.fields.lexer.error(word.at, message)
        })
    }
}
