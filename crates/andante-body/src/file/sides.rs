//! Left and right in character files.

use super::schema::{self, SegmentTable, ShapeTable};

/// `right thigh` for `left thigh` and the other way round; `None` for what has no side.
pub(super) fn other_side(name: &str) -> Option<String> {
    let swap = |word: &str| match word {
        "left" => Some("right"),
        "right" => Some("left"),
        _ => None,
    };
    let words: Vec<&str> = name.split(' ').collect();
    let at = words.iter().position(|word| swap(word).is_some())?;
    let swapped = words
        .iter()
        .enumerate()
        .map(|(index, word)| if index == at { swap(word).unwrap_or(word) } else { *word });
    Some(swapped.collect::<Vec<_>>().join(" "))
}

/// The name on the other side, at the same place in the file; a name without a side stays.
pub(super) fn renamed(name: &toml::Spanned<String>) -> toml::Spanned<String> {
    let other = other_side(name.get_ref()).unwrap_or_else(|| name.get_ref().clone());
    toml::Spanned::new(name.span(), other)
}

pub(super) fn is_left(name: &str) -> bool {
    name.split(' ').any(|word| word == "left")
}

/// Adds a `right …` for every `left …`.
pub(super) fn add_mirror_images(written: &mut Vec<SegmentTable>) {
    let mut images = written.clone();
    images.retain(|segment| is_left(segment.name.get_ref()));
    for segment in &mut images {
        segment.name = renamed(&segment.name);
        segment.parent = segment.parent.as_ref().map(renamed);
        for place in [&mut segment.at, &mut segment.along, &mut segment.center] {
            *place = place.map(flip);
        }
        segment.frame = segment.frame.map(flip_turn);
        if let Some(limits) = &mut segment.limits {
            let (lower, upper) = (limits.lower.values(), limits.upper.values());
            limits.lower = schema::PerAxis::Each([lower[0], -upper[1], -upper[2]]);
            limits.upper = schema::PerAxis::Each([upper[0], -lower[1], -lower[2]]);
        }
        if let Some([_, _, _, xy, xz, _]) = &mut segment.inertia {
            (*xy, *xz) = (-*xy, -*xz);
        }
        for shape in &mut segment.shapes {
            match shape {
                ShapeTable::Box { center, turn, .. } => {
                    (*center, *turn) = (flip(*center), flip_turn(*turn));
                }
                ShapeTable::Bone { from, to, .. } | ShapeTable::Capsule { from, to, .. } => {
                    (*from, *to) = (flip(*from), flip(*to));
                }
                ShapeTable::Sphere { center, .. } => *center = flip(*center),
            }
        }
    }
    written.append(&mut images);
}

pub(super) fn flip([x, y, z]: [f64; 3]) -> [f64; 3] {
    [-x, y, z]
}

/// A rotation vector in the mirror.
pub(super) fn flip_turn([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x, -y, -z]
}
