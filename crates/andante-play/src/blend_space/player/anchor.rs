//! Where the body has to be for its feet to stay where they are.

use super::turn::PlanarTurn;
use andante_skeleton::Planar;
use glam::Vec2;

/// A point of a sole that is down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Anchor {
    /// Where the character has it now, as (x, z) in its own frame.
    pub own: Vec2,
    /// Where it is on the ground.
    pub ground: Vec2,
    /// How firmly it is down, in [0, 1].
    pub weight: f32,
}

/// How much the place the clips lead to counts, against 1 for a point that is firmly down: next to
/// nothing, but alone in flight.
const PRIOR: f32 = 1e-3;

/// The same for the heading, in m²: against the squared distances between the points.
const PRIOR_TURN: f32 = 1e-5;

/// The placement that keeps the anchors where they are on the ground, in the sense of weighted least
/// squares. What they leave open, a heading about a single point and everything in flight, is as in
/// `prior`.
///
/// The stable point of footstep-planning 3.3 is the weighted mean of the anchors; it stays exactly,
/// whatever happens to the pose. That source takes the feet's ankles, and a weight that makes the
/// point slowest; here the points are those that touch the ground, weighted by how firmly they do.
pub(super) fn placement(prior: &Planar, anchors: &[Anchor]) -> Planar {
    let total: f32 = anchors.iter().map(|anchor| anchor.weight).sum();
    if total <= 0.0 {
        return *prior;
    }
    let facing = PlanarTurn::by(prior.heading);
    let mut own_mean = Vec2::ZERO;
    let mut ground_mean = Vec2::ZERO;
    for anchor in anchors {
        own_mean += facing.apply(anchor.own) * (anchor.weight / total);
        ground_mean += anchor.ground * (anchor.weight / total);
    }
    let (mut along, mut across) = (PRIOR_TURN, 0.0);
    for anchor in anchors {
        let own = facing.apply(anchor.own) - own_mean;
        let ground = anchor.ground - ground_mean;
        along += anchor.weight * ground.dot(own);
        across += anchor.weight * (ground.x * own.y - ground.y * own.x);
    }
    let turn = if along > 0.0 { libm::atan2f(across, along) } else { 0.0 };
    let heading = prior.heading + turn;
    let facing = PlanarTurn::by(heading);
    let mut position = prior.position * PRIOR;
    for anchor in anchors {
        position += (anchor.ground - facing.apply(anchor.own)) * anchor.weight;
    }
    Planar::new(position / (total + PRIOR), heading)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(position: Vec2) -> Planar {
        Planar::new(position, 0.0)
    }

    fn planar() -> impl Strategy<Value = Planar> {
        (-5.0f32..5.0, -5.0f32..5.0, -6.0f32..6.0)
            .prop_map(|(x, z, heading)| Planar::new(Vec2::new(x, z), heading))
    }

    fn points() -> impl Strategy<Value = Vec<(Vec2, f32)>> {
        let point = (-0.4f32..0.4, -0.4f32..0.4, 0.3f32..1.0);
        proptest::collection::vec(point.prop_map(|(x, z, w)| (Vec2::new(x, z), w)), 2..5)
    }

    proptest! {
        #[test]
        fn a_body_whose_feet_agree_is_found(body in planar(), near in planar(), points in points()) {
            let spread = points.iter().map(|(p, _)| p.distance(points[0].0)).fold(0.0, f32::max);
            prop_assume!(spread > 0.1);
            let anchors: Vec<Anchor> = points
                .iter()
                .map(|&(own, weight)| Anchor { own, ground: body.then(&at(own)).position, weight })
                .collect();
            let prior = body.then(&Planar::new(near.position * 0.01, near.heading * 0.05));
            let found = placement(&prior, &anchors);
            prop_assert!(found.position.distance(body.position) < 2e-3);
            prop_assert!((found.heading - body.heading).abs() < 2e-2);
        }

        #[test]
        fn the_stable_point_stays_whatever_the_feet_do(
            body in planar(), before in points(), after in points(),
        ) {
            let count = before.len().min(after.len());
            let anchors: Vec<Anchor> = (0..count)
                .map(|k| Anchor {
                    own: after[k].0,
                    ground: body.then(&at(before[k].0)).position,
                    weight: before[k].1,
                })
                .collect();
            let found = placement(&body, &anchors);
            let total: f32 = anchors.iter().map(|a| a.weight).sum();
            let stable = |points: &mut dyn Iterator<Item = Vec2>| -> Vec2 {
                points.zip(&anchors).map(|(p, a)| p * (a.weight / total)).sum()
            };
            let was = stable(&mut anchors.iter().map(|a| a.ground));
            let is = stable(&mut anchors.iter().map(|a| found.then(&at(a.own)).position));
            prop_assert!(was.distance(is) < 2e-3 * (1.0 + body.position.distance(found.position)));
        }
    }

    #[test]
    fn about_a_single_point_and_in_flight_the_prior_decides() {
        let prior = Planar::new(Vec2::new(1.0, 2.0), 0.7);
        assert_eq!(placement(&prior, &[]), prior);
        let own = Vec2::new(0.1, -0.3);
        let ground = Vec2::new(1.3, 1.8);
        let found = placement(&prior, &[Anchor { own, ground, weight: 1.0 }]);
        assert!((found.heading - prior.heading).abs() < 1e-6);
        assert!(found.then(&at(own)).position.distance(ground) < 1e-3);
    }
}
