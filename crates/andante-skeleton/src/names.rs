//! What the names of joints say: words and sides.

use crate::{Side, Skeleton};

/// The side of every joint: by its name, or its parent's, or else by where it is at rest. A character that
/// faces +Z has its left at +X.
pub fn joint_sides(skeleton: &Skeleton) -> Vec<Side> {
    let (low, high) = skeleton.rest_bounds();
    let size = (high - low).max_element();
    let models = skeleton.rest_models();
    let middle = models[0].translation.x;
    let mut sides: Vec<Side> = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let inherited = skeleton.parent(index).map_or(Side::Middle, |parent| sides[parent]);
        let offset = models[index].translation.x - middle;
        let side = match named_side(&joint.name) {
            Some(side) => side,
            None if inherited != Side::Middle => inherited,
            None if offset > 0.03 * size => Side::Left,
            None if offset < -0.03 * size => Side::Right,
            None => Side::Middle,
        };
        sides.push(side);
    }
    sides
}

fn named_side(name: &str) -> Option<Side> {
    name_words(name).into_iter().find_map(|word| match word.as_str() {
        "left" | "l" => Some(Side::Left),
        "right" | "r" => Some(Side::Right),
        _ => None,
    })
}

/// The words in a name, in lower case: `LHipJoint` is l, hip, joint; `leg_R_01` is leg, r.
pub fn name_words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (index, &letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before]);
        let is_start = letter.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || letters.get(index + 1).is_some_and(|next| next.is_lowercase()));
        if is_start || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphabetic(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_tools_tell_the_side() {
        for (name, side) in [
            ("LeftUpLeg", Some(Side::Left)),
            ("LHipJoint", Some(Side::Left)),
            ("mixamorig:RightHand", Some(Side::Right)),
            ("leg_joint_R_1", Some(Side::Right)),
            ("b_RightLeg01_019", Some(Side::Right)),
            ("ear_leaf_l", Some(Side::Left)),
            ("thigh.L", Some(Side::Left)),
            ("RThumb", Some(Side::Right)),
            ("Spine1", None),
            ("pelvis", None),
            ("lower", None),
        ] {
            assert_eq!(named_side(name), side, "{name}");
        }
    }
}
