//! What a mode does, in words.

use crate::{CoordinateLayout, Mirror, VibrationMode};
use andante_body::Body;

/// The parity of a mode: how it looks in the mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// Both sides do the same.
    Symmetric,
    /// Each side does the opposite of the other: legs open and close like scissors, the trunk turns or leans.
    Antisymmetric,
    /// Neither: one side moves alone, or the body or its support is not symmetric.
    None,
}

/// The description of a mode: which joints move, and how the sides relate.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// How it looks in the mirror.
    pub parity: Parity,
    /// Segments and the axis (0 bends, 1 twists, 2 leans) about which they turn on their parents, with their share
    /// of the elastic energy; the largest first, partners added together and named once.
    pub shares: Vec<(usize, usize, f64)>,
    /// A short line such as `thighs bend 62 %, shanks bend 21 %, opposed`.
    pub text: String,
}

/// Verbs for turns about the x, y and z axes of joint frames.
const VERBS: [&str; 3] = ["bend", "twist", "lean"];

impl VibrationMode {
    /// Describes a mode: which joints move and how the sides relate.
    pub fn describe(&self, body: &Body) -> Description {
        let mirror = Mirror::new(body);
        let parity = mirror.as_ref().map_or(Parity::None, |mirror| self.parity(mirror));
        let layout = CoordinateLayout::new(body);
        let mut shares: Vec<(usize, usize, f64)> = Vec::new();
        for (segment, joint) in body.joints() {
            let partner = mirror.as_ref().map_or(segment, |mirror| mirror.partner(segment));
            for (axis, index) in layout.range(segment).enumerate() {
                let energy = joint.stiffness[axis] * self.shape[index] * self.shape[index];
                let share = energy / self.stiffness;
                let known = shares.iter_mut().find(|(other, turn, _)| {
                    (*other == segment || *other == partner) && *turn == axis
                });
                match known {
                    Some((_, _, sum)) => *sum += share,
                    None => shares.push((segment, axis, share)),
                }
            }
        }
        shares.sort_by(|a, b| b.2.total_cmp(&a.2));
        let mut text = String::new();
        // The largest, however small, and two more that matter.
        let telling = shares.iter().take(3).enumerate();
        for (_, &(segment, axis, share)) in
            telling.filter(|(place, (.., share))| *place == 0 || *share >= 0.1)
        {
            if !text.is_empty() {
                text.push_str(", ");
            }
            let name = plain_name(&body.segments()[segment].name);
            text.push_str(&format!("{name} {} {:.0} %", VERBS[axis], 100.0 * share));
        }
        text.push_str(match parity {
            Parity::Symmetric => ", both sides alike",
            Parity::Antisymmetric => ", sides opposed",
            Parity::None => "",
        });
        Description { parity, shares, text }
    }

    /// The parity of the shape in a body's mirror.
    pub fn parity(&self, mirror: &Mirror) -> Parity {
        let mirrored = mirror.joints(&self.shape);
        let overlap: f64 = mirrored.iter().zip(&self.shape).map(|(a, b)| a * b).sum();
        if overlap > 0.99 {
            Parity::Symmetric
        } else if overlap < -0.99 {
            Parity::Antisymmetric
        } else {
            Parity::None
        }
    }
}

/// Without the side: partners are named together.
fn plain_name(name: &str) -> String {
    let sided = |word: &&str| !matches!(*word, "left" | "right");
    name.split(' ').filter(sided).collect::<Vec<_>>().join(" ")
}
