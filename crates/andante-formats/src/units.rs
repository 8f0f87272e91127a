//! Metres from unlabelled numbers.

/// Units that motion files come in: name and metres per unit. The CMU database in its BVH form uses
/// 1/0.45 inch.
const UNITS: [(&str, f32); 5] = [
    ("metres", 1.0),
    ("CMU units (1/0.45 inch)", 0.0254 / 0.45),
    ("inches", 0.0254),
    ("centimetres", 0.01),
    ("millimetres", 0.001),
];

/// The unit that makes a skeleton of this size (its largest extent in the rest pose, in the file's
/// unit) closest to a height in metres, as a person's, as name and metres per unit.
///
/// A skeleton without extent is taken to be in metres.
pub fn guess(extent: f32, height: f32) -> (&'static str, f32) {
    if !(extent.is_finite() && extent > 0.0) {
        return UNITS[0];
    }
    let misfit = |scale: f32| libm::logf(extent * scale / height).abs();
    let mut best = UNITS[0];
    for unit in UNITS {
        if misfit(unit.1) < misfit(best.1) {
            best = unit;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_recognised_in_every_unit() {
        for height in [1.5, 1.75, 2.0] {
            for (name, scale) in UNITS {
                assert_eq!(guess(height / scale, 1.7).0, name, "{height} m in {name}");
            }
        }
    }

    #[test]
    fn a_skeleton_without_extent_is_in_metres() {
        for extent in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(guess(extent, 1.7).1, 1.0);
        }
    }
}
