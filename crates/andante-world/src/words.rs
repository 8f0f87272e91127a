//! Terrains from a command line.

use crate::terrain_error::TerrainError;
use crate::{EndlessStairs, Hills, Slope, Terrain};
use std::str::FromStr;

/// How a kind of terrain is written.
struct TerrainForm {
    name: &'static str,
    form: &'static str,
    example: &'static str,
    /// Names of the numbers, those that must be there first.
    numbers: &'static [&'static str],
    required: usize,
    make: fn(&[f64]) -> Result<Terrain, TerrainError>,
}

const FORMS: [TerrainForm; 5] = [
    TerrainForm {
        name: "flat",
        form: "flat",
        example: "flat",
        numbers: &[],
        required: 0,
        make: |_| Ok(Terrain::FLAT),
    },
    TerrainForm {
        name: "slope",
        form: "slope:DEG[:HEADING_DEG]",
        example: "slope:8",
        numbers: &["DEG", "HEADING_DEG"],
        required: 1,
        make: |n| {
            let heading = n.get(1).copied().unwrap_or(0.0);
            Slope::new(n[0] as f32, heading as f32).map(Terrain::Slope)
        },
    },
    TerrainForm {
        name: "stairs",
        form: "stairs:RISE:RUN",
        example: "stairs:0.17:0.28",
        numbers: &["RISE", "RUN"],
        required: 2,
        make: |n| {
            EndlessStairs::new(n[0] as f32, n[1] as f32, EndlessStairs::START).map(Terrain::Stairs)
        },
    },
    TerrainForm {
        name: "hills",
        form: "hills:AMPLITUDE:WAVELENGTH",
        example: "hills:0.15:4",
        numbers: &["AMPLITUDE", "WAVELENGTH"],
        required: 2,
        make: |n| Hills::new(n[0] as f32, n[1] as f32).map(Terrain::Hills),
    },
    TerrainForm {
        name: "random",
        form: "random:SEED",
        example: "random:7",
        numbers: &["SEED"],
        required: 1,
        make: |n| Terrain::random(n[0] as u64),
    },
];

impl FromStr for Terrain {
    type Err = TerrainError;

    /// A ready terrain by name: `flat`, `slope:DEG[:HEADING_DEG]`, `stairs:RISE:RUN`,
    /// `hills:AMPLITUDE:WAVELENGTH` or `random:SEED`.
    fn from_str(word: &str) -> Result<Self, TerrainError> {
        let mut parts = word.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(known) = FORMS.iter().find(|known| known.name == name) else {
            return Err(TerrainError::Unknown { word: word.into() });
        };
        let TerrainForm { form, example, numbers, .. } = *known;
        let mut values = Vec::new();
        for (index, part) in parts.enumerate() {
            let Some(&name) = numbers.get(index) else {
                return Err(TerrainError::Form { word: word.into(), form, example });
            };
            match part.trim().parse::<f64>() {
                Ok(value) => values.push(value),
                Err(_) => {
                    let (word, part) = (word.into(), part.into());
                    return Err(TerrainError::Number { word, name, part, form, example });
                }
            }
        }
        if values.len() < known.required {
            return Err(TerrainError::Form { word: word.into(), form, example });
        }
        (known.make)(&values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ground;
    use glam::{Vec2, Vec3};
    use proptest::prelude::*;

    fn height(word: &str, x: f32, z: f32) -> f32 {
        let terrain: Terrain = word.parse().unwrap();
        terrain.height_at(Vec2::new(x, z)).unwrap()
    }

    #[test]
    fn words_mean_what_the_manual_says() {
        assert_eq!(height("flat", 3.0, -7.0), 0.0);
        assert!((height("slope:45", 5.0, 2.0) - 2.0).abs() < 1e-5);
        assert!((height("slope:-45", 5.0, 2.0) + 2.0).abs() < 1e-5);
        assert!((height("slope:45:90", 5.0, 2.0) - 5.0).abs() < 1e-5);
        assert_eq!(height("stairs:0.17:0.28", 0.0, 1.9), 0.0);
        assert_eq!(height("stairs:0.17:0.28", 0.0, 2.1), 0.17);
        assert_eq!(height("stairs:-0.17:0.28", 0.0, 2.3), -0.34);
        assert!((height("hills:0.2:4", 0.0, 2.0) - 0.4).abs() < 1e-6);
        assert_eq!(height("hills:0.2:4", 0.0, 0.0), 0.0);
        assert_eq!(height("random:7", 1.0, 2.0), height("random:7", 1.0, 2.0));
        assert_ne!(height("random:7", 1.0, 2.0), height("random:8", 1.0, 2.0));
    }

    #[test]
    fn errors_say_what_was_expected_and_what_is_wrong() {
        let error = |word: &str| word.parse::<Terrain>().unwrap_err().to_string();
        assert_eq!(error("slope"), "`slope`: expected slope:DEG[:HEADING_DEG], as in `slope:8`");
        assert_eq!(
            error("stairs:a:0.3"),
            "`stairs:a:0.3`: RISE is not a number: `a`; expected stairs:RISE:RUN, as in `stairs:0.17:0.28`"
        );
        assert_eq!(error("stairs:0.1:0"), "RUN (metres) is 0; it is 0.05 to 10.0");
        assert_eq!(error("slope:90"), "DEG is 90; it is -80.0 to 80.0");
        assert!(error("flat:1").contains("expected flat"));
        assert!(error("hills:0.1:-4").starts_with("WAVELENGTH (metres) is -4"));
        assert!(error("hills:9:1").starts_with("AMPLITUDE (metres, for this wavelength) is 9"));
        assert!(error("mountain:3").contains("hills:AMPLITUDE:WAVELENGTH"));
        for word in ["slope:nan", "slope:inf", "stairs:1e40:0.3", "hills:nan:1", "hills:0.1:inf"] {
            assert!(error(word).contains("; it is "), "{word}");
        }
    }

    proptest! {
        #[test]
        fn no_word_causes_a_panic(word in ".{0,40}") {
            let _ = word.parse::<Terrain>();
        }

        #[test]
        fn what_looks_like_a_terrain_is_one_or_is_refused(
            name in "flat|slope|stairs|hills|random",
            numbers in prop::collection::vec(
                prop_oneof!["-?[0-9]{1,3}(\\.[0-9]{1,3})?", "-?1e[0-9]{1,2}", "nan|inf|-inf|", ".{0,3}"], 0..4),
            from in prop::array::uniform3(prop_oneof![-50.0f32..50.0, any::<f32>()]),
        ) {
            let word = [&[name], numbers.as_slice()].concat().join(":");
            if let Ok(terrain) = word.parse::<Terrain>()
                && let Some(hit) = terrain.probe(Vec3::from(from), f32::INFINITY)
            {
                prop_assert!(hit.point.is_finite() && hit.normal.is_normalized() && hit.normal.y > 0.0);
            }
        }
    }
}
