//! The two prints of a swing, and the foot of the clip between them.

use crate::Footprint;
use crate::ground::clip::{GroundClip, flat};
use crate::ground::curve::smooth;
use crate::ground::plan::{PlacedPrint, StancePrint, yaw};
use andante_skeleton::{Planar, Transform, rotation};
use glam::{Quat, Vec2, Vec3};

/// The two prints of a swing. What every moment of it shares is found once.
pub(crate) struct SwingEnds<'a> {
    pub from: &'a StancePrint,
    pub to: &'a StancePrint,
    /// Where the second one is at the moment.
    pub at: &'a Footprint,
    pub clip: &'a GroundClip,
    pub foot: usize,
    /// Number of the stance it comes from.
    pub number: i32,
    bridge: PrintBridge,
}

/// From one print of a motion and the one on the ground it is put on to the next: where a foot between them belongs.
pub(crate) struct PrintBridge {
    /// Rise per metre on the way from print to print, as a horizontal vector.
    grade: Vec2,
    sides: [SwingEnd; 2],
    turn: SteadyTurn,
}

/// A print, and what leads to it from the clip.
struct SwingEnd {
    clip: Vec3,
    place: Vec3,
    yaw: Quat,
    tilt: Quat,
    toes: Vec3,
}

impl SwingEnd {
    fn new(clip: &Planar, at: &Footprint, height: f32) -> Self {
        Self {
            clip: Vec3::new(clip.position.x, height, clip.position.y),
            place: at.position,
            yaw: yaw(clip, at),
            tilt: at.tilt,
            toes: at.toe_turn(),
        }
    }

    /// The foot seen from the print. Near it the foot moves in the print's plane; away from it (`away` towards 1),
    /// upright over the line from print to print.
    #[inline]
    fn place(&self, grade: Vec2, away: f32, ankle: Vec3) -> Vec3 {
        let offset = self.yaw * (ankle - self.clip);
        let rise = Vec3::Y * (away * grade.dot(flat(offset)));
        if self.tilt == Quat::IDENTITY {
            return self.place + offset + rise;
        }
        self.place + rotation::nlerp(self.tilt, Quat::IDENTITY, away) * offset + rise
    }
}

/// Turns from one rotation to another at a constant speed, the short way round.
struct SteadyTurn {
    from: Quat,
    to: Quat,
    /// Half the angle of the turn, and one over its sine.
    angle: f32,
    scale: f32,
}

/// Half an angle, in radians, below which an arc is as good as its chord.
const STRAIGHT: f32 = 1e-3;

impl SteadyTurn {
    fn new(from: Quat, to: Quat) -> Self {
        let to = rotation::nearest_sign(to, from);
        // Exact for small angles, unlike an arc cosine.
        let angle = 2.0 * libm::atan2f((to - from).length(), (to + from).length());
        Self { from, to, angle, scale: libm::sinf(angle).recip() }
    }

    #[inline]
    fn at(&self, part: f32) -> Quat {
        if self.angle < STRAIGHT {
            return if self.from == self.to {
                self.from
            } else {
                (self.from * (1.0 - part) + self.to * part).normalize()
            };
        }
        let share = |part: f32| libm::sinf(self.angle * part) * self.scale;
        self.from * share(1.0 - part) + self.to * share(part)
    }
}

impl<'a> SwingEnds<'a> {
    pub fn new(
        [from, to]: [&'a StancePrint; 2],
        at: &'a Footprint,
        clip: &'a GroundClip,
        foot: usize,
        number: i32,
    ) -> Self {
        let bridge =
            PrintBridge::new([(&from.clip, &from.at), (&to.clip, at)], clip.height, clip.unit);
        Self { from, to, at, clip, foot, number, bridge }
    }

    /// The rotations of the clip's foot at either print.
    pub fn turns(&self) -> [Quat; 2] {
        [self.bridge.turn.from, self.bridge.turn.to]
    }

    /// The foot of the clip at a part of the swing, its ends fitted to the prints, with part of the turn made.
    pub fn fitted(&self, u: f32, turned: f32, ankle: &Transform) -> PlacedPrint {
        self.bridge.fitted(u, turned, ankle)
    }
}

impl PrintBridge {
    /// Between two prints, of a motion over a plane of a height, by a leg `unit` long.
    pub fn new(prints: [(&Planar, &Footprint); 2], height: f32, unit: f32) -> Self {
        let sides = prints.map(|(clip, at)| SwingEnd::new(clip, at, height));
        let [turn_from, turn_to] = [&sides[0], &sides[1]].map(|side| side.tilt * side.yaw);
        let turn = SteadyTurn::new(turn_from, turn_to);
        let way = sides[1].place - sides[0].place;
        let length = flat(way).length();
        let grade = if length < 0.05 * unit {
            Vec2::ZERO
        } else {
            flat(way) / length * (way.y / length).clamp(-1.5, 1.5)
        };
        Self { grade, sides, turn }
    }

    /// A foot of the motion at a part of the swing, its ends fitted to the prints, with part of the turn made.
    pub fn fitted(&self, u: f32, turned: f32, ankle: &Transform) -> PlacedPrint {
        let share = smooth(u);
        let [from, to] = &self.sides;
        let a = from.place(self.grade, smooth(2.0 * u), ankle.translation);
        let b = to.place(self.grade, smooth(2.0 - 2.0 * u), ankle.translation);
        let turn = self.turn.at(turned);
        PlacedPrint {
            ankle: Transform::new((turn * ankle.rotation).normalize(), a.lerp(b, share)),
            turn,
            toes: from.toes.lerp(to.toes, share),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_the_shortest_arc_at_a_constant_speed() {
        let from = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-0.2);
        for angle in [0.0, 1e-5, 1e-3, 0.1, 1.0, 3.0] {
            for sign in [1.0, -1.0] {
                let to = rotation::exp(Vec3::new(0.6, 0.0, -0.8) * angle) * from * sign;
                let turn = SteadyTurn::new(from, to);
                for part in [0.0, 0.2, 0.5, 0.9, 1.0] {
                    let made = rotation::angle_between(from, turn.at(part));
                    let left = rotation::angle_between(turn.at(part), to);
                    assert!((made - part * angle).abs() < 1e-5, "{made} of {angle} at {part}");
                    assert!((left - (1.0 - part) * angle).abs() < 1e-5, "{left} of {angle}");
                    assert!((turn.at(part).length() - 1.0).abs() < 1e-6);
                }
            }
        }
    }
}
