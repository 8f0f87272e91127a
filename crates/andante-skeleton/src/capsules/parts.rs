//! The solid pieces of a body.

use super::anatomy::Anatomy;
use super::knots::{End, Knot, Role};
use super::surface::Ball;
use crate::Side;

/// One solid piece of a body: the hull of some balls.
pub(super) struct CapsulePart {
    pub balls: Vec<Ball>,
    pub side: Side,
}

/// An end with the knot it belongs to.
type Bone<'a> = (&'a Knot, &'a End);

impl Anatomy {
    /// The parts of the body, parents first.
    pub(super) fn parts(&self) -> Vec<CapsulePart> {
        let knots = 0..self.knots.len();
        let drawn = knots.filter(|&knot| self.knots[knot].role != Role::Locator);
        drawn.flat_map(|knot| self.parts_of(knot)).collect()
    }

    fn parts_of(&self, index: usize) -> Vec<CapsulePart> {
        let knot = &self.knots[index];
        let side = self.sides[knot.joint];
        let (solid, loose) = self.bones(index);
        let mut parts = Vec::new();
        let is_solid = solid.len() >= 2 || !knot.extra.is_empty() || knot.role == Role::Trunk;
        if is_solid {
            let mut balls = balls_at(knot, knot.joint);
            balls.extend(&knot.extra);
            for (knot, end) in &solid {
                // A little smaller than the limb that begins there, whose surface is to be seen.
                let inner = |ball: Ball| Ball { radius: ball.radius * 0.96, ..ball };
                balls.extend(self.balls_of_end(knot, end).into_iter().map(inner));
            }
            parts.push(CapsulePart { balls, side });
        }
        let single = if is_solid { &[][..] } else { &solid };
        for (_, end) in single.iter().chain(&loose) {
            let mut balls = balls_at(knot, end.joint);
            balls.extend(self.balls_of_end(knot, end));
            parts.push(CapsulePart { balls, side: self.sides[end.joint] });
        }
        let is_first = knot.parent.is_none_or(|p| self.knots[p].role == Role::Locator);
        if parts.is_empty() && is_first {
            parts.push(CapsulePart { balls: balls_at(knot, knot.joint), side });
        }
        parts
    }

    /// The bones that one solid piece spans at a knot, and those that are pieces of their own.
    fn bones(&self, index: usize) -> (Vec<Bone<'_>>, Vec<Bone<'_>>) {
        let knot = &self.knots[index];
        let role = |end: &End| end.knot.map(|knot| self.knots[knot].role);
        let is_inside = |end: &End| role(end).is_some_and(Role::is_inside);
        let all = knot.ends.iter().map(|end| (knot, end));
        if knot.role == Role::Trunk {
            let (mut solid, loose): (Vec<Bone>, Vec<Bone>) =
                all.partition(|(_, end)| is_inside(end) || role(end) == Some(Role::Trunk));
            // What is inside the trunk goes on inside it.
            let mut next = 0;
            while let Some(&(_, end)) = solid.get(next) {
                next += 1;
                let Some(knot) = end.knot.map(|knot| &self.knots[knot]) else { continue };
                if knot.role.is_inside() {
                    let is_rib = knot.role == Role::Rib;
                    let ends = knot.ends.iter().filter(|end| is_inside(end) || is_rib);
                    solid.extend(ends.map(|end| (knot, end)));
                }
            }
            return (solid, loose);
        }
        let all = all.filter(|(_, end)| !is_inside(end) && knot.role != Role::Rib);
        if knot.is_head {
            // Ears and horns are not part of the skull, and a skull covers its own tip.
            let all = all.filter(|(_, end)| knot.extra.is_empty() || end.knot.is_some());
            return all.partition(|(_, end)| {
                let joint = end.knot.map_or(end.joint, |knot| self.knots[knot].joint);
                self.sides[joint] == Side::Middle
            });
        }
        all.partition(|(knot, end)| knot.length(end) < self.shape.long_bone * self.size)
    }

    /// The radius of a bone where it ends.
    pub(super) fn end_radius(&self, knot: &Knot, end: &End) -> f32 {
        match end.knot {
            Some(knot) => self.knots[knot].radius,
            None => (0.8 * knot.radius).max(self.shape.twig * self.size),
        }
    }

    fn balls_of_end(&self, knot: &Knot, end: &End) -> Vec<Ball> {
        match end.knot {
            Some(knot) => balls_at(&self.knots[knot], end.joint),
            None => {
                let radius = self.end_radius(knot, end);
                vec![Ball { center: end.place, radius, joint: end.joint }]
            }
        }
    }
}

/// The balls at a knot, carried by a joint.
fn balls_at(knot: &Knot, joint: usize) -> Vec<Ball> {
    let ball = |center| Ball { center, radius: knot.radius, joint };
    if knot.breadth == glam::Vec3::ZERO {
        return vec![ball(knot.place)];
    }
    vec![ball(knot.place + knot.breadth), ball(knot.place - knot.breadth)]
}
