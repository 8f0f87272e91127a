//! Reading sketches.

use crate::Basis;
use crate::sketch::gait_sketch::{GaitSketch, PhaseSketch, PulseShape, StepSketch, TouchingFeet};
use andante_formats::gate::{path_in, read_text};
use andante_formats::{ReadError, ReadLimits};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// No body has as many modes.
const MAX_MODE: i64 = 10_000;

/// What is wrong, and the bytes it is about.
type Problem = (Range<usize>, String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SketchTable {
    version: Spanned<i64>,
    name: String,
    #[serde(default)]
    about: String,
    character: String,
    pose: Option<String>,
    #[serde(default)]
    disregard: Vec<String>,
    #[serde(default)]
    mirror: bool,
    period: f64,
    #[serde(default)]
    basis: Basis,
    #[serde(default = "default_speed")]
    speed: f64,
    fastest: Option<f64>,
    #[serde(default = "default_slowest")]
    slowest: f64,
    /// Degrees a second.
    #[serde(default)]
    turn: f64,
    #[serde(default = "yes")]
    aerial: bool,
    #[serde(default)]
    stance: f64,
    touch: Option<TouchingFeet>,
    #[serde(default)]
    duty: f64,
    #[serde(default)]
    clearance: f64,
    #[serde(default)]
    pulses: PulseShape,
    #[serde(default = "one")]
    spread: f64,
    #[serde(default)]
    step: Vec<StepTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepTable {
    feet: Spanned<Vec<String>>,
    #[serde(default)]
    air: PhaseTable,
    #[serde(default)]
    ground: PhaseTable,
    #[serde(default = "half")]
    air_fraction: f64,
    #[serde(default = "tenth")]
    air_pulse: f64,
    #[serde(default = "tenth")]
    ground_pulse: f64,
    part: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct PhaseTable {
    #[serde(default)]
    priority: BTreeMap<Spanned<String>, Spanned<f64>>,
    #[serde(default)]
    allowed: Vec<Spanned<i64>>,
    /// The first so many modes are allowed, unless they have priority or are excluded.
    first: Option<Spanned<i64>>,
    #[serde(default)]
    excluded: Vec<Spanned<i64>>,
}

fn default_speed() -> f64 {
    2.0
}

fn default_slowest() -> f64 {
    0.5
}

fn yes() -> bool {
    true
}

fn one() -> f64 {
    1.0
}

fn half() -> f64 {
    0.5
}

fn tenth() -> f64 {
    0.1
}

/// A sketch from the text of its file. Errors name line and column.
///
/// ```
/// let text = r#"
/// version = 1
/// name = "hop"
/// character = "kangaroo"
/// period = 0.6
/// [[step]]
/// feet = ["foot"]
/// air = { priority = { 1 = 0.3 }, first = 4 }
/// ground = { priority = { 1 = 0.4, 2 = -0.2 }, allowed = [5] }
/// "#;
/// let hop = andante_gait::read_sketch(text)?;
/// assert_eq!(hop.steps[0].air.allowed, [1, 2, 3]);
///
/// let error = andante_gait::read_sketch(&text.replace("2 = -0.2", "0 = 0.2")).unwrap_err();
/// assert!(error.to_string().starts_with("line 9, column 34: there is no mode 0"), "{error}");
/// # Ok::<(), andante_formats::ReadError>(())
/// ```
pub fn read_sketch(text: &str) -> Result<GaitSketch, ReadError> {
    let at = |byte: usize, message: String| ReadError::at(text.as_bytes(), byte, message);
    let file: SketchTable = parse(text)?;
    let version = *file.version.get_ref();
    if version != 1 {
        let message = format!("version {version} is not known; this program reads version 1");
        return Err(at(file.version.span().start, message));
    }
    sketch(file).map_err(|(span, message)| at(span.start, message))
}

/// What a TOML text says; errors are placed in it.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ReadError> {
    toml::from_str(text).map_err(|error| match error.span() {
        Some(span) => ReadError::at(text.as_bytes(), span.start, error.message()),
        None => ReadError::file(error.message()),
    })
}

/// A sketch from a file. Errors name file, line and column; a character file is looked for where the sketch is, and may be
/// outside that folder where the limits allow it.
pub fn read_sketch_file(path: &Path, limits: &ReadLimits) -> Result<GaitSketch, ReadError> {
    let text = read_text(path, limits)?;
    let mut sketch = read_sketch(&text).map_err(|error| error.in_file(path))?;
    sketch.character =
        character_next_to(path, &sketch.character, limits).map_err(|error| error.in_file(path))?;
    Ok(sketch)
}

/// The character that a file names: one that is built in, or a file where that one is.
pub(crate) fn character_next_to(
    path: &Path,
    character: &str,
    limits: &ReadLimits,
) -> Result<String, ReadError> {
    if !character.ends_with(".toml") {
        return Ok(character.into());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    Ok(path_in(folder, character, limits)?.display().to_string())
}

fn sketch(file: SketchTable) -> Result<GaitSketch, Problem> {
    if file.step.is_empty() {
        let message = "there is no [[step]]: at least one foot has to land";
        return Err((file.version.span(), message.into()));
    }
    let steps = file.step.into_iter().map(step).collect::<Result<Vec<_>, _>>()?;
    if steps.iter().all(|step| step.air.is_empty() && step.ground.is_empty()) {
        let message = "every mode of every phase is excluded: nothing drives the body";
        return Err((file.version.span(), message.into()));
    }
    Ok(GaitSketch {
        name: file.name,
        about: file.about,
        character: file.character,
        pose: file.pose,
        disregarded: file.disregard,
        mirrored: file.mirror,
        steps,
        period: file.period,
        basis: file.basis,
        speed: file.speed,
        fastest: file.fastest.unwrap_or(f64::INFINITY),
        slowest: file.slowest,
        turn: file.turn.to_radians(),
        aerial: file.aerial,
        stance: file.stance,
        // Who walks has feet down together.
        touch: file.touch.unwrap_or(if file.aerial {
            TouchingFeet::Step
        } else {
            TouchingFeet::All
        }),
        duty: file.duty,
        clearance: file.clearance,
        pulses: file.pulses,
        spread: file.spread,
    })
}

fn step(step: StepTable) -> Result<StepSketch, Problem> {
    if step.feet.get_ref().is_empty() {
        return Err((step.feet.span(), "a step needs at least one foot".into()));
    }
    Ok(StepSketch {
        feet: step.feet.into_inner(),
        air: phase(step.air)?,
        ground: phase(step.ground)?,
        air_fraction: step.air_fraction,
        air_pulse: step.air_pulse,
        ground_pulse: step.ground_pulse,
        part: step.part,
    })
}

/// Modes are counted from 1 in files, as in palettes.
fn number(value: i64, span: Range<usize>) -> Result<usize, Problem> {
    match usize::try_from(value) {
        Ok(mode) if (1..=MAX_MODE).contains(&value) => Ok(mode - 1),
        _ => Err((span, format!("there is no mode {value}; the first is 1"))),
    }
}

fn phase(phase: PhaseTable) -> Result<PhaseSketch, Problem> {
    let mut sketched = PhaseSketch::default();
    for (key, amplitude) in phase.priority {
        let span = key.span();
        let value = key
            .get_ref()
            .parse::<i64>()
            .map_err(|_| (span.clone(), format!("`{}` is no number of a mode", key.get_ref())))?;
        let mode = number(value, span.clone())?;
        let size = amplitude.get_ref().abs();
        if !(size > 0.0 && size <= 1.0) {
            let message = format!(
                "the amplitude of mode {value} is {}; it must be from -1 to 1, and not 0",
                amplitude.get_ref()
            );
            return Err((amplitude.span(), message));
        }
        sketched.priority.push((mode, *amplitude.get_ref()));
    }
    sketched.priority.sort_by_key(|(mode, _)| *mode);
    let has_priority = |mode: usize| sketched.priority.iter().any(|(other, _)| *other == mode);
    let mut excluded = Vec::new();
    for mode in &phase.excluded {
        let index = number(*mode.get_ref(), mode.span())?;
        if has_priority(index) {
            let message = format!("mode {} is excluded and has priority", mode.get_ref());
            return Err((mode.span(), message));
        }
        excluded.push(index);
    }
    for mode in &phase.allowed {
        let index = number(*mode.get_ref(), mode.span())?;
        if excluded.contains(&index) {
            let message = format!("mode {} is excluded and allowed", mode.get_ref());
            return Err((mode.span(), message));
        }
        if !has_priority(index) && !sketched.allowed.contains(&index) {
            sketched.allowed.push(index);
        }
    }
    if let Some(first) = phase.first {
        let last = number(*first.get_ref(), first.span())?;
        for mode in 0..=last {
            let known = has_priority(mode) || sketched.allowed.contains(&mode);
            if !known && !excluded.contains(&mode) {
                sketched.allowed.push(mode);
            }
        }
    }
    sketched.allowed.sort_unstable();
    Ok(sketched)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = r#"
version = 1
name = "run"
character = "humanoid"
mirror = true
period = 0.7
[[step]]
feet = ["left foot"]
air = { priority = { 2 = 0.4, 12 = 0.3, 9 = -0.3 }, allowed = [3, 2] }
ground = { priority = { 3 = 0.4 }, first = 5, excluded = [4] }
"#;

    #[test]
    fn modes_are_counted_from_one_and_classes_do_not_overlap() {
        let sketch = read_sketch(RUN).unwrap();
        let step = &sketch.steps[0];
        assert_eq!(step.air.priority, [(1, 0.4), (8, -0.3), (11, 0.3)]);
        assert_eq!(step.air.allowed, [2]);
        assert_eq!(step.ground.allowed, [0, 1, 4]);
        assert!(sketch.mirrored && sketch.aerial && sketch.speed == 2.0);
    }

    #[test]
    fn who_walks_has_all_feet_on_the_ground_and_turns_are_in_degrees() {
        let walk = RUN.replace("mirror = true", "aerial = false\nturn = 90\npulses = \"smooth\"");
        let walk = read_sketch(&walk).unwrap();
        assert_eq!((walk.touch, walk.pulses), (TouchingFeet::All, PulseShape::Smooth));
        assert!((walk.turn - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
        let run = read_sketch(RUN).unwrap();
        assert_eq!(
            (run.touch, run.pulses, run.turn),
            (TouchingFeet::Step, PulseShape::Rectangular, 0.0)
        );
        assert!(run.fastest.is_infinite() && run.steps[0].part.is_none());
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        for (from, to, line, message) in [
            ("3 = 0.4 }", "3 = 1.4 }", 10, "the amplitude of mode 3 is 1.4"),
            ("3 = 0.4 }", "3 = 0.0 }", 10, "the amplitude of mode 3 is 0"),
            ("3 = 0.4 }", "x = 0.4 }", 10, "`x` is no number of a mode"),
            ("[3, 2]", "[-3]", 9, "there is no mode -3"),
            ("excluded = [4]", "excluded = [3]", 10, "mode 3 is excluded and has priority"),
            ("[\"left foot\"]", "[]", 8, "a step needs at least one foot"),
            ("version = 1", "version = 7", 2, "version 7 is not known"),
            ("feet", "foot", 8, "unknown field `foot`"),
            ("[[step]]", "[[steps]]", 7, "unknown field `steps`"),
        ] {
            let error = read_sketch(&RUN.replace(from, to)).unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line},")), "{error}");
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn a_sketch_that_excludes_everything_is_refused() {
        let text: String = RUN.lines().take(8).map(|line| format!("{line}\n")).collect();
        let error = read_sketch(&text).unwrap_err().to_string();
        assert!(error.contains("every mode of every phase is excluded"), "{error}");
    }
}
