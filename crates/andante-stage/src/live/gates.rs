//! Narrow passages, which people pass in one direction at a time.
//!
//! Where two bodies do not fit beside each other, avoiding each other cannot help. There those who come from one side
//! pass one after the other while those from the other side wait at a distance, and then the others do.

use super::disc::left_of;
use super::way::Way;
use andante_plan::route::Walls;
use glam::Vec2;

/// Room to the side beyond which a passage is not narrow, in metres.
const LOOK: f32 = 1.6;

/// Room that two need beside their bodies to pass each other, in metres.
const EXTRA: f32 = 0.35;

/// Distance between the places of a way where its width is measured, in metres.
const SPACING: f32 = 0.2;

/// The passage is asked for so far before it, in metres.
const ASK: f32 = 4.0;

/// Those who wait leave this much room before it, in metres.
const ROOM: f32 = 1.6;

/// Behind the passage one is out of it, in metres.
const OUT: f32 = 0.6;

/// Passages closer than this are one, in metres.
const SAME: f32 = 0.9;

/// So many pass in a row while others wait.
const IN_A_ROW: usize = 5;

/// Where somebody's way is narrow, as metres along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Narrow {
    pub gate: usize,
    pub from: f32,
    pub to: f32,
    /// Whether it is passed along the gate's own direction.
    pub along: bool,
}

/// A narrow passage.
#[derive(Clone, Debug)]
struct Gate {
    ends: [Vec2; 2],
    /// Who is in it or may go in, and which way.
    inside: Vec<(usize, bool)>,
    /// Who waits, which way, first come first.
    waiting: Vec<(usize, bool)>,
    /// How many have gone in the same way in a row.
    row: usize,
    /// The way the last one went.
    last: bool,
}

/// All narrow passages of a stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gates {
    gates: Vec<Gate>,
}

/// What somebody who comes to a passage is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Passage {
    /// There is none near.
    Free,
    /// Go on.
    Go,
    /// Go back: somebody comes through.
    Back,
    /// Wait where you are: whoever comes out needs the room before the door.
    Wait,
}

impl Gates {
    pub fn clear(&mut self) {
        self.gates.clear();
    }

    /// The narrow stretches of a way, for a body of this radius.
    pub fn along(&mut self, way: &Way, walls: &Walls, radius: f32) -> Vec<Narrow> {
        let mut found = Vec::new();
        let mut begun: Option<f32> = None;
        let steps = (way.length() / SPACING).ceil() as usize;
        for step in 0..=steps + 1 {
            let at = step as f32 * SPACING;
            let narrow = step <= steps && is_narrow(way, at, walls, radius);
            match (narrow, begun) {
                (true, None) => begun = Some(at),
                (false, Some(from)) => {
                    begun = None;
                    found.push(self.narrow(way, from, at - SPACING));
                }
                _ => {}
            }
        }
        found
    }

    fn narrow(&mut self, way: &Way, from: f32, to: f32) -> Narrow {
        let ends = [way.place(from), way.place(to)];
        let middle = ends[0].midpoint(ends[1]);
        let same = |gate: &Gate| {
            let [a, b] = gate.ends;
            let near = |place: Vec2| {
                let part = (place - a).dot(b - a) / (b - a).length_squared().max(1e-6);
                a.lerp(b, part.clamp(0.0, 1.0)).distance(place) < SAME
            };
            near(middle) || (near(ends[0]) && near(ends[1])) || {
                let own = a.midpoint(b);
                let part = (own - ends[0]).dot(ends[1] - ends[0])
                    / (ends[1] - ends[0]).length_squared().max(1e-6);
                ends[0].lerp(ends[1], part.clamp(0.0, 1.0)).distance(own) < SAME
            }
        };
        let direction = way.direction(0.5 * (from + to));
        let gate = self.gates.iter().position(same).unwrap_or_else(|| {
            // A passage that is passed at one point still has a direction.
            let half = 0.1 * direction;
            let ends = [ends[0] - half, ends[1] + half];
            self.gates.push(Gate { ends, inside: vec![], waiting: vec![], row: 0, last: true });
            self.gates.len() - 1
        });
        let [a, b] = self.gates[gate].ends;
        Narrow { gate, from, to, along: direction.dot(b - a) >= 0.0 }
    }

    /// Takes somebody out of every passage.
    pub fn forget(&mut self, who: usize) {
        for gate in &mut self.gates {
            gate.inside.retain(|(inside, _)| *inside != who);
            gate.waiting.retain(|(waiting, _)| *waiting != who);
        }
    }

    /// Asks to pass the next passage of a way.
    pub fn pass(&mut self, who: usize, way: &Way, passages: &[Narrow], radius: f32) -> Passage {
        let at = way.at();
        // What lies behind is left.
        for narrow in passages.iter().filter(|narrow| at > narrow.to + OUT + radius) {
            self.gates[narrow.gate].leave(who);
        }
        let Some(narrow) = passages.iter().find(|narrow| at <= narrow.to + OUT + radius) else {
            return Passage::Free;
        };
        if at < narrow.from - ASK - radius {
            return Passage::Free;
        }
        let gate = &mut self.gates[narrow.gate];
        if gate.enter(who, narrow.along) {
            gate.admit(who, narrow.along);
            return Passage::Go;
        }
        // Those who stand in the way of whoever comes out have to go back.
        if at > narrow.from - ROOM { Passage::Back } else { Passage::Wait }
    }
}

impl Gate {
    fn leave(&mut self, who: usize) {
        self.inside.retain(|(inside, _)| *inside != who);
    }

    /// Whether somebody may go in now; otherwise they wait.
    fn enter(&mut self, who: usize, along: bool) -> bool {
        if self.inside.contains(&(who, along)) {
            return true;
        }
        if !self.waiting.iter().any(|(waiting, _)| *waiting == who) {
            self.waiting.push((who, along));
        }
        let others_wait = self.waiting.iter().any(|(_, other)| *other != along);
        match self.inside.first() {
            Some(&(_, way)) => way == along && (self.row < IN_A_ROW || !others_wait),
            // After a row it is the others' turn; otherwise whoever came first decides.
            None if others_wait && self.row >= IN_A_ROW => along != self.last,
            None => self.waiting.first().is_some_and(|(_, first)| *first == along),
        }
    }

    fn admit(&mut self, who: usize, along: bool) {
        self.waiting.retain(|(waiting, _)| *waiting != who);
        if self.inside.contains(&(who, along)) {
            return;
        }
        self.inside.push((who, along));
        self.row = if self.last == along { self.row + 1 } else { 1 };
        self.last = along;
    }
}

fn is_narrow(way: &Way, at: f32, walls: &Walls, radius: f32) -> bool {
    let place = way.place(at.min(way.length()));
    let side = left_of(way.direction(at.min(way.length()))) * LOOK;
    if side == Vec2::ZERO {
        return false;
    }
    let room = |to: Vec2| LOOK * walls.free_fraction(place, place + to);
    let (left, right) = (room(side), room(-side));
    left < LOOK && right < LOOK && left + right < 2.0 * radius + EXTRA
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_plan::route::Floor;
    use glam::vec2;

    /// Two rooms with a door of 1.2 m between them at z = 0.
    fn rooms() -> Walls {
        let slab = |x: [f32; 2], z: [f32; 2]| {
            vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])]
        };
        let blocked = [slab([-6.0, -0.6], [-0.1, 0.1]), slab([0.6, 6.0], [-0.1, 0.1])];
        Floor::new(&[slab([-6.0, 6.0], [-6.0, 6.0])], &blocked, &[]).unwrap().walls(0.3)
    }

    #[test]
    fn a_door_is_one_passage_from_both_sides_and_from_anywhere() {
        let (walls, mut gates) = (rooms(), Gates::default());
        let there = Way::new(&[vec2(-1.0, -5.0), vec2(0.0, -0.5), vec2(0.0, 0.5), vec2(3.0, 5.0)]);
        let back = Way::new(&[vec2(4.0, 5.0), vec2(0.1, 0.4), vec2(0.1, -0.4), vec2(0.0, -5.0)]);
        let (a, b) = (gates.along(&there, &walls, 0.3), gates.along(&back, &walls, 0.3));
        assert_eq!((a.len(), b.len()), (1, 1));
        assert_eq!(a[0].gate, b[0].gate);
        assert_ne!(a[0].along, b[0].along);
        let beside = Way::new(&[vec2(-5.0, -3.0), vec2(5.0, -3.0)]);
        assert!(gates.along(&beside, &walls, 0.3).is_empty());
    }

    #[test]
    fn those_from_the_other_side_wait_and_then_have_their_turn() {
        let (walls, mut gates) = (rooms(), Gates::default());
        let mut there = Way::new(&[vec2(0.0, -5.9), vec2(0.0, 5.0)]);
        let mut back = Way::new(&[vec2(0.0, 5.0), vec2(0.0, -5.0)]);
        let narrow = [gates.along(&there, &walls, 0.3), gates.along(&back, &walls, 0.3)];
        assert_eq!(gates.pass(0, &there, &narrow[0], 0.3), Passage::Free);
        there.follow(vec2(0.0, -3.2));
        there.follow(vec2(0.0, -1.8));
        back.follow(vec2(0.0, 3.2));
        back.follow(vec2(0.0, 1.8));
        assert_eq!(gates.pass(0, &there, &narrow[0], 0.3), Passage::Go);
        assert_eq!(gates.pass(1, &back, &narrow[1], 0.3), Passage::Wait);
        for z in [-0.5, 1.0, 2.5] {
            there.follow(vec2(0.0, z));
        }
        assert_eq!(gates.pass(0, &there, &narrow[0], 0.3), Passage::Free);
        assert_eq!(gates.pass(1, &back, &narrow[1], 0.3), Passage::Go);
    }

    #[test]
    fn nobody_waits_for_ever_while_others_keep_coming() {
        let (walls, mut gates) = (rooms(), Gates::default());
        let way = |from: f32| Way::new(&[vec2(0.0, from), vec2(0.0, -from)]);
        let narrow = [gates.along(&way(-2.0), &walls, 0.3), gates.along(&way(2.0), &walls, 0.3)];
        let asks = |gates: &mut Gates, who: usize, from: f32, side: usize| {
            gates.pass(who, &way(from), &narrow[side], 0.3)
        };
        assert_eq!(asks(&mut gates, 0, -2.0, 0), Passage::Go);
        assert!(asks(&mut gates, 99, 2.0, 1) == Passage::Wait);
        let passed = (1..20).filter(|&who| asks(&mut gates, who, -2.0, 0) == Passage::Go).count();
        assert!(passed < 6, "{passed}");
        (0..20).for_each(|who| gates.gates[narrow[0][0].gate].leave(who));
        assert_eq!(asks(&mut gates, 99, 2.0, 1), Passage::Go);
    }
}
