//! Bodies that need no file.

use crate::{Body, read_body};
use andante_formats::ReadError;

/// Name and character file of every built-in body.
pub const CREATURES: [(&str, &str); 7] = [
    ("humanoid", include_str!("../creatures/humanoid.toml")),
    ("monster", include_str!("../creatures/monster.toml")),
    ("kangaroo", include_str!("../creatures/kangaroo.toml")),
    ("dog", include_str!("../creatures/dog.toml")),
    ("horse", include_str!("../creatures/horse.toml")),
    ("insect", include_str!("../creatures/insect.toml")),
    ("ostrich", include_str!("../creatures/ostrich.toml")),
];

/// A built-in body by its name.
///
/// ```
/// let dog = andante_body::creature("dog")?;
/// assert_eq!(dog.feet().len(), 4);
/// assert!(andante_body::creature("unicorn").is_err());
/// # Ok::<(), andante_formats::ReadError>(())
/// ```
pub fn creature(name: &str) -> Result<Body, ReadError> {
    match CREATURES.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => read_body(text),
        None => {
            let names = CREATURES.map(|(name, _)| name).join(", ");
            Err(ReadError::file(format!("no built-in body is named `{name}`; there are {names}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::write_body;

    #[test]
    fn all_creatures_are_bodies_with_the_freedom_they_promise() {
        for (name, dof, feet) in [
            ("humanoid", 30, 2),
            ("monster", 42, 2),
            ("kangaroo", 36, 1),
            ("dog", 32, 4),
            ("horse", 27, 4),
            ("insect", 30, 6),
            ("ostrich", 23, 2),
        ] {
            let body = creature(name).unwrap();
            assert_eq!((body.name(), body.internal_dof(), body.feet().len()), (name, dof, feet));
            assert!(body.partners().is_some(), "{name} is symmetric");
        }
        assert_eq!(creature("humanoid").unwrap().segments().len(), 11);
    }

    #[test]
    fn all_creatures_stand_on_their_feet_within_their_limits() {
        for (name, _) in CREATURES {
            let body = creature(name).unwrap();
            for pose in body.poses() {
                let placed = body.stand(pose);
                for foot in body.feet().iter().filter(|_| pose.name == "default") {
                    let toe = placed[foot.segment].transform_point(foot.toe);
                    assert!(toe.y.abs() < 0.03, "{name} {}: toe at {}", foot.name, toe.y);
                }
                for (index, joint) in body.joints() {
                    let frame = joint.frame;
                    let turn = frame.conjugate() * pose.rotations[index] * frame;
                    let angles = turn.to_scaled_axis().to_array();
                    let limits = joint.limits.unwrap();
                    for (axis, angle) in angles.iter().enumerate().take(joint.dof()) {
                        let inside = (limits.lower[axis]..limits.upper[axis]).contains(angle);
                        assert!(inside, "{name} {} {axis}", body.segments()[index].name);
                    }
                }
                // What stands still has its centre above its feet.
                let center = body.center_of_mass(&placed);
                let ends = || {
                    let feet = body.feet().iter().filter(|foot| !foot.disregarded);
                    feet.flat_map(|foot| {
                        [foot.toe, foot.heel].map(|p| placed[foot.segment].transform_point(p).z)
                    })
                };
                let (back, front) =
                    (ends().fold(f64::MAX, f64::min), ends().fold(f64::MIN, f64::max));
                assert!(
                    center.z > back && center.z < front,
                    "{name} {}: {back} {} {front}",
                    pose.name,
                    center.z
                );
            }
        }
    }

    #[test]
    fn a_body_written_and_read_again_is_the_same() {
        for (name, _) in CREATURES {
            let body = creature(name).unwrap();
            let again = read_body(&write_body(&body)).unwrap();
            assert_eq!(again.segments().len(), body.segments().len());
            for (a, b) in body.segments().iter().zip(again.segments()) {
                assert_eq!(a.name, b.name);
                assert!(a.anchor.abs_diff_eq(b.anchor, 1e-12));
                assert!(a.mass.center.abs_diff_eq(b.mass.center, 1e-12));
                assert!(a.mass.inertia.abs_diff_eq(b.mass.inertia, 1e-12));
                for (s, t) in a.shapes.iter().zip(&b.shapes) {
                    assert!((s.geometry.volume() - t.geometry.volume()).abs() < 1e-12);
                    assert!(s.center.abs_diff_eq(t.center, 1e-12));
                }
                if let (Some(j), Some(k)) = (a.joint, b.joint) {
                    assert_eq!(
                        (j.parent, j.kind, j.stiffness, j.damping),
                        (k.parent, k.kind, k.stiffness, k.damping)
                    );
                    assert!(j.frame.dot(k.frame).abs() > 1.0 - 1e-12);
                }
            }
            for (a, b) in body.poses().iter().zip(again.poses()) {
                for (p, q) in a.rotations.iter().zip(&b.rotations) {
                    assert!(p.dot(*q).abs() > 1.0 - 1e-12);
                }
            }
            assert_eq!(body.partners(), again.partners());
        }
    }
}
