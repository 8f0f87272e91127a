//! The words of operations, taken apart. What is wrong is said with the word that is wrong.

use crate::failure::Failure;
use andante_motion::edit::{EditWindow, TimePair};
use andante_play::Interval;
use andante_skeleton::Skeleton;
use glam::Vec3;
use std::ops::RangeInclusive;

/// An operation as it was written: `name` or `name=value`.
#[derive(Clone, Copy)]
pub struct OperationWord<'a> {
    pub text: &'a str,
    pub name: &'a str,
    value: Option<&'a str>,
}

impl<'a> OperationWord<'a> {
    pub fn new(text: &'a str) -> Self {
        let (name, value) =
            text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        Self { text, name, value }
    }

    pub fn has_value(&self) -> bool {
        self.value.is_some()
    }

    /// The value, of which it is said what it should be where there is none.
    pub fn needed(&self, what: &str) -> Result<&'a str, Failure> {
        let name = self.name;
        self.value.ok_or_else(|| Failure::new(format!("{name} needs a value: {name}={what}")))
    }

    pub fn number(&self, what: &str) -> Result<f32, Failure> {
        parse_number(self.name, self.needed(what)?)
    }

    /// Degrees.
    pub fn angle(&self, what: &str) -> Result<f32, Failure> {
        let angle = self.number(what)?;
        self.check_angles(&[angle])?;
        Ok(angle)
    }

    /// Refuses degrees of more than a hundred rounds.
    pub fn check_angles(&self, angles: &[f32]) -> Result<(), Failure> {
        let beyond = angles.iter().find(|angle| !ANGLES.contains(angle));
        beyond.map_or(Ok(()), |angle| {
            let most = ANGLES.end();
            Err(Failure::new(format!("{}: an angle of {angle}° is more than {most}°", self.text)))
        })
    }

    pub fn point(&self, what: &str) -> Result<Vec3, Failure> {
        parse_point(self.name, self.needed(what)?)
    }

    pub fn range(&self) -> Result<Interval, Failure> {
        let (from, to) = self.needed("FROM:TO")?.split_once(':').ok_or_else(|| {
            Failure::new(format!("{}: a range is FROM:TO, in seconds", self.text))
        })?;
        Ok(Interval::new(parse_number(self.name, from)?, parse_number(self.name, to)?))
    }

    /// A file and perhaps a number. A drive letter or a directory may hold a colon: the last one separates the number.
    pub fn file_and_number(&self, what: &str) -> Result<(String, Option<f32>), Failure> {
        Ok(with_number(self.needed(what)?))
    }

    /// Pairs of times: FROM:TO,FROM:TO.
    pub fn pairs(&self) -> Result<Vec<TimePair>, Failure> {
        let pair = |text: &str| {
            let (from, to) = text.split_once(':').ok_or_else(|| {
                Failure::new(format!("{}: `{text}` is no pair of times FROM:TO", self.name))
            })?;
            Ok(TimePair { from: parse_number(self.name, from)?, to: parse_number(self.name, to)? })
        };
        self.needed("FROM:TO,FROM:TO")?.split(',').map(pair).collect()
    }

    /// A joint, when, and what follows: JOINT@TIME:… or JOINT@FROM-TO:…
    pub fn joint_at(&self, what: &str) -> Result<JointAt<'a>, Failure> {
        let shape = || Failure::new(format!("{}: give it as {what}", self.name));
        // Joint names may hold an `@` or a colon themselves: the last `@` parts them.
        let (joint, rest) = self.needed(what)?.rsplit_once('@').ok_or_else(shape)?;
        let mut parts = rest.split(':');
        let when = parts.next().unwrap_or_default();
        // A minus at the beginning belongs to the number.
        let held = match when.get(1..).and_then(|rest| rest.find('-')).map(|at| at + 1) {
            // As in 1e-3.
            Some(at) if !when[..at].ends_with(['e', 'E']) => Interval::new(
                parse_number(self.name, &when[..at])?,
                parse_number(self.name, &when[at + 1..])?,
            ),
            _ => {
                let time = parse_number(self.name, when)?;
                Interval::new(time, time)
            }
        };
        if joint.is_empty() {
            return Err(shape());
        }
        Ok(JointAt { joint: joint.into(), held, rest: parts.collect() })
    }
}

/// A joint, when something is done to it, and what follows.
pub struct JointAt<'a> {
    pub joint: String,
    pub held: Interval,
    pub rest: Vec<&'a str>,
}

impl JointAt<'_> {
    /// The window of an edit, from the fade that is the last of what follows, if there is one.
    pub fn window(&self, name: &str, fade: Option<&&str>) -> Result<EditWindow, Failure> {
        let usual = 0.3;
        let fade = fade.map_or(Ok(usual), |text| parse_fade(name, text))?;
        Ok(EditWindow { held: self.held, fade })
    }
}

/// Angles in degrees: of more than a hundred rounds single precision keeps too little.
const ANGLES: RangeInclusive<f32> = -36_000.0..=36_000.0;

/// Seconds of a fade.
pub fn parse_fade(name: &str, text: &str) -> Result<f32, Failure> {
    let fade = parse_number(name, text)?;
    match (0.0..=60.0).contains(&fade) {
        true => Ok(fade),
        false => {
            Err(Failure::new(format!("{name}: a fade lasts from 0 to 60 seconds, not {text}")))
        }
    }
}

/// A text and the number that it ends with after a colon, if there is one.
pub fn with_number(value: &str) -> (String, Option<f32>) {
    let split =
        value.rsplit_once(':').and_then(|(file, number)| Some((file, number.parse::<f32>().ok()?)));
    split.map_or((value.to_string(), None), |(file, number)| (file.to_string(), Some(number)))
}

pub fn find_joint(skeleton: &Skeleton, name: &str) -> Result<usize, Failure> {
    skeleton.find(name).ok_or_else(|| {
        Failure::new(format!("there is no joint `{name}`"))
            .hint("`andante inspect --joints` lists them")
    })
}

pub fn parse_point(name: &str, text: &str) -> Result<Vec3, Failure> {
    let numbers = text.split(',').map(|number| parse_number(name, number));
    let numbers: Vec<f32> = numbers.collect::<Result<_, _>>()?;
    match numbers.as_slice() {
        &[x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err(Failure::new(format!("{name}: `{text}` is not three numbers X,Y,Z"))),
    }
}

pub fn parse_number(name: &str, text: &str) -> Result<f32, Failure> {
    let number: Option<f32> = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| Failure::new(format!("{name}: `{text}` is not a number")))
}
