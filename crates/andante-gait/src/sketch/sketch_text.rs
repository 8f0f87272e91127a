//! Writing sketches.

use crate::sketch::gait_sketch::{GaitSketch, PhaseSketch, StepSketch};
use serde::Serialize;

impl GaitSketch {
    /// The sketch as the text of its file, which [`read_sketch`](crate::read_sketch) reads to the same sketch: modes are counted
    /// from 1, and all that may be left out is said, so that it can be changed.
    ///
    /// ```
    /// use andante_gait::{GaitSketch, read_sketch};
    /// let hop = GaitSketch::built_in("kangaroo-hop")?;
    /// let text = hop.to_toml();
    /// assert!(text.contains("air = { priority = { 1 = 0.2 }, allowed = [3, 7, 10] }"), "{text}");
    /// assert_eq!(read_sketch(&text)?, hop);
    /// # Ok::<(), andante_formats::ReadError>(())
    /// ```
    pub fn to_toml(&self) -> String {
        let mut lines = vec![
            "version = 1".into(),
            format!("name = {}", text(&self.name)),
            format!("about = {}", text(&self.about)),
            format!("character = {}", text(&self.character)),
        ];
        lines.extend(self.pose.iter().map(|pose| format!("pose = {}", text(pose))));
        if self.fastest.is_finite() {
            lines.push(format!("fastest = {:?}", self.fastest));
        }
        lines.extend([
            format!("disregard = {}", text(&self.disregarded)),
            format!("mirror = {}", self.mirrored),
            format!("period = {:?}", self.period),
            format!("speed = {:?}", self.speed),
            format!("slowest = {:?}", self.slowest),
            format!("turn = {:?}", self.turn.to_degrees()),
            format!("aerial = {}", self.aerial),
            format!("stance = {:?}", self.stance),
            format!("touch = {}", text(self.touch)),
            format!("duty = {:?}", self.duty),
            format!("clearance = {:?}", self.clearance),
            format!("pulses = {}", text(self.pulses)),
            format!("spread = {:?}", self.spread),
            format!("basis = {}", text(self.basis)),
        ]);
        for step in &self.steps {
            lines.extend(["".into(), "[[step]]".into()]);
            lines.extend(step_lines(step));
        }
        lines.iter().fold(String::new(), |text, line| text + line + "\n")
    }
}

fn step_lines(step: &StepSketch) -> Vec<String> {
    let part = step.part.iter().map(|part| format!("part = {part:?}"));
    let lines = [
        format!("feet = {}", text(&step.feet)),
        format!("air_fraction = {:?}", step.air_fraction),
        format!("air_pulse = {:?}", step.air_pulse),
        format!("ground_pulse = {:?}", step.ground_pulse),
        format!("air = {}", phase(&step.air)),
        format!("ground = {}", phase(&step.ground)),
    ];
    part.chain(lines).collect()
}

fn phase(phase: &PhaseSketch) -> String {
    let priority =
        phase.priority.iter().map(|(mode, amplitude)| format!("{} = {amplitude:?}", mode + 1));
    let priority: Vec<String> = priority.collect();
    let allowed: Vec<String> = phase.allowed.iter().map(|mode| (mode + 1).to_string()).collect();
    format!("{{ priority = {{ {} }}, allowed = [{}] }}", priority.join(", "), allowed.join(", "))
}

/// A value as a file has it.
fn text(value: impl Serialize) -> String {
    toml::Value::try_from(value).map_or(String::new(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Basis, PulseShape, TouchingFeet};
    use crate::{SKETCHES, read_sketch};
    use proptest::collection::{btree_map, btree_set, vec};
    use proptest::prelude::*;

    #[test]
    fn every_built_in_sketch_is_written_and_read_again() {
        for (name, _) in SKETCHES {
            let sketch = GaitSketch::built_in(name).unwrap();
            assert_eq!(read_sketch(&sketch.to_toml()).unwrap(), sketch, "{name}");
        }
    }

    fn a_phase() -> impl Strategy<Value = PhaseSketch> {
        let amplitude = prop_oneof![1e-6..=1.0, -1.0..=-1e-6];
        let modes = (btree_map(0usize..40, amplitude, 1..6), btree_set(0usize..40, 0..8));
        modes.prop_map(|(priority, allowed)| PhaseSketch {
            allowed: allowed.into_iter().filter(|mode| !priority.contains_key(mode)).collect(),
            priority: priority.into_iter().collect(),
        })
    }

    fn a_step() -> impl Strategy<Value = StepSketch> {
        let times = (0.0..=1.0, 0.0..2.0, 0.0..2.0);
        let part = proptest::option::of(0.1..10.0);
        (vec(".{1,12}", 1..4), a_phase(), a_phase(), times, part).prop_map(
            |(feet, air, ground, (air_fraction, air_pulse, ground_pulse), part)| StepSketch {
                feet,
                air,
                ground,
                air_fraction,
                air_pulse,
                ground_pulse,
                part,
            },
        )
    }

    prop_compose! {
        fn a_sketch()(
            words in [".*", ".*", ".*"],
            pose in proptest::option::of(".*"),
            disregarded in vec(".*", 0..3),
            (mirrored, aerial, shape, smooth, all) in any::<(bool, bool, bool, bool, bool)>(),
            numbers in [0.05..10.0, 0.01..20.0, -20.0..20.0, 0.0..1.0, 0.01..5.0, -90.0..90.0, 0.0..0.9, 0.0..0.1],
            fastest in proptest::option::of(20.0..30.0),
            steps in vec(a_step(), 1..4),
        ) -> GaitSketch {
            let [name, about, character] = words;
            let [period, speed, slowest, stance, spread, degrees, duty, clearance] = numbers;
            let basis = if shape { Basis::Shape } else { Basis::Static };
            GaitSketch {
                name, about, character, pose, disregarded, mirrored, steps, period, basis, speed, slowest, aerial, stance,
                spread, duty, clearance,
                fastest: fastest.unwrap_or(f64::INFINITY),
                turn: f64::to_radians(degrees),
                touch: if all { TouchingFeet::All } else { TouchingFeet::Step },
                pulses: if smooth { PulseShape::Smooth } else { PulseShape::Rectangular },
            }
        }
    }

    proptest! {
        #[test]
        fn any_sketch_is_written_and_read_again(sketch in a_sketch()) {
            let text = sketch.to_toml();
            let mut again = read_sketch(&text);
            if let Ok(again) = &mut again {
                // Files have degrees.
                prop_assert!((again.turn - sketch.turn).abs() < 1e-12);
                again.turn = sketch.turn;
            }
            prop_assert_eq!(again.map_err(|error| format!("{error}\n{text}")), Ok(sketch));
        }
    }
}
