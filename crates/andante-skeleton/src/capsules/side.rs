//! Left and right.

use crate::Skeleton;

/// The side of the body that a joint is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Middle,
    Left,
    Right,
}

impl Side {
    pub const ALL: [Self; 3] = [Self::Middle, Self::Left, Self::Right];

    /// The side of every joint: by its name, or its parent's, or else by where it is. A character
    /// that faces +Z has its left at +X.
    pub fn of_joints(skeleton: &Skeleton, size: f32) -> Vec<Self> {
        let mut sides: Vec<Self> = Vec::with_capacity(skeleton.len());
        let models = skeleton.rest_models();
        let middle = models[0].translation.x;
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let inherited = skeleton.parent(index).map_or(Self::Middle, |parent| sides[parent]);
            let offset = models[index].translation.x - middle;
            let side = match named(&joint.name) {
                Some(side) => side,
                None if inherited != Self::Middle => inherited,
                None if offset > 0.03 * size => Self::Left,
                None if offset < -0.03 * size => Self::Right,
                None => Self::Middle,
            };
            sides.push(side);
        }
        sides
    }
}

fn named(name: &str) -> Option<Side> {
    words(name).into_iter().find_map(|word| match word.as_str() {
        "left" | "l" => Some(Side::Left),
        "right" | "r" => Some(Side::Right),
        _ => None,
    })
}

/// The words in a name, in lower case: `LHipJoint` is l, hip, joint; `leg_R_01` is leg, r.
pub(super) fn words(name: &str) -> Vec<String> {
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
            assert_eq!(named(name), side, "{name}");
        }
    }
}
