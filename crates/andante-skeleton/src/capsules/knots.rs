//! Joints that are at the same place.

use super::surface::Ball;
use crate::Skeleton;
use glam::Vec3;

/// Joints at the same place, as rigs have them at hips and chest: for the shape of a body they are
/// one.
#[derive(Default)]
pub(super) struct Knot {
    /// The uppermost of the joints.
    pub joint: usize,
    pub place: Vec3,
    pub parent: Option<usize>,
    pub ends: Vec<End>,
    /// Distance along bones to the farthest end.
    pub reach: f32,
    pub radius: f32,
    pub role: Role,
    pub is_head: bool,
    /// From the middle of the trunk to its side, at this knot; zero for limbs.
    pub breadth: Vec3,
    /// Balls beyond bones: a heel, the skull.
    pub extra: Vec<Ball>,
}

/// What a knot is to the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Above the body: its bones are not drawn.
    Locator,
    /// Where limbs come in pairs, or between such places.
    Trunk,
    /// On a limb, but inside the trunk: the end of a collar bone, a hip.
    Root,
    /// A small bone inside the trunk.
    Rib,
    /// Anything else.
    #[default]
    Limb,
}

impl Role {
    /// True if the bone that leads to such a knot is inside the trunk.
    pub fn is_inside(self) -> bool {
        matches!(self, Self::Root | Self::Rib)
    }
}

/// Where a bone of a knot ends.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub place: Vec3,
    /// The joint of the knot that carries the bone.
    pub joint: usize,
    /// The knot there; none for a tip.
    pub knot: Option<usize>,
}

impl Knot {
    fn new(joint: usize, place: Vec3, parent: Option<usize>) -> Self {
        Self { joint, place, parent, ..Self::default() }
    }

    /// Length of the bone to an end.
    pub fn length(&self, end: &End) -> f32 {
        self.place.distance(end.place)
    }

    /// The knots that hang on this one.
    pub fn children(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.ends.iter().filter_map(|end| end.knot)
    }
}

/// Joints with more children than this are not searched for children at the same place.
const MOST_BROTHERS: usize = 64;

/// All knots, parents first, and the knot of each joint. Joints no farther than `same` from the first
/// joint of a knot belong to it.
pub(super) fn tie(skeleton: &Skeleton, same: f32) -> (Vec<Knot>, Vec<usize>) {
    let models = skeleton.rest_models();
    let mut knots: Vec<Knot> = Vec::new();
    let mut knot_of: Vec<usize> = Vec::with_capacity(models.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let place = models[index].translation;
        let above = skeleton.parent(index).map(|parent| (parent, knot_of[parent]));
        // At the place of the parent, or else at that of a brother.
        let known = above.and_then(|(_, above)| {
            let brothers = knots[above].children();
            let mut near = std::iter::once(above).chain(brothers.take(MOST_BROTHERS));
            near.find(|&knot| knots[knot].place.distance(place) <= same)
        });
        let knot = match known {
            Some(knot) => knot,
            None => {
                let knot = knots.len();
                if let Some((joint, above)) = above {
                    knots[above].ends.push(End { place, joint, knot: Some(knot) });
                }
                knots.push(Knot::new(index, place, above.map(|(_, knot)| knot)));
                knot
            }
        };
        knot_of.push(knot);
        let tip = joint.tip.map(|tip| models[index].transform_point(tip));
        if let Some(place) = tip.filter(|&tip| knots[knot].place.distance(tip) > same) {
            knots[knot].ends.push(End { place, joint: index, knot: None });
        }
    }
    (knots, knot_of)
}
