//! Narrow passages, which people pass in one direction at a time.
//!
//! Where two bodies do not fit beside each other, avoiding each other cannot help. There those who come from one side
//! pass one after the other while those from the other side wait at a distance, and then the others do.

use super::disc::left_of;
use super::sensors::nearest;
use super::way::LiveRoute;
use crate::DoorwaySettings;
use andante_plan::route::Walls;
use glam::Vec2;

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
struct Doorway {
    ends: [Vec2; 2],
    /// Who is in it or may go in.
    inside: Vec<Asker>,
    /// Who waits, first come first.
    waiting: Vec<Asker>,
    /// How many have gone in the same way in a row.
    row: usize,
    /// The way the last one went.
    last: bool,
}

/// Somebody who wants to pass.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asker {
    who: usize,
    /// Which way.
    along: bool,
    /// Metres that are left to the passage.
    left: f32,
    /// Whether others are in its way and it does not get ahead.
    stuck: bool,
}

/// All narrow passages of a stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Doorways {
    gates: Vec<Doorway>,
    settings: DoorwaySettings,
}

/// What somebody who comes to a passage is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DoorwayTurn {
    /// There is none near.
    Free,
    /// Go on.
    Go,
    /// Go back, this way: somebody comes through.
    Back(Vec2),
    /// Wait for your turn; so many metres may be gone until then.
    Wait(f32),
}

impl Doorways {
    pub fn new(settings: DoorwaySettings) -> Self {
        Self { gates: Vec::new(), settings }
    }

    pub fn clear(&mut self) {
        self.gates.clear();
    }

    /// The narrow stretches of a way, for a body of this radius.
    pub fn along(&mut self, way: &LiveRoute, walls: &Walls, radius: f32) -> Vec<Narrow> {
        let settings = self.settings;
        let mut found = Vec::new();
        let mut begun: Option<(f32, [Gap; 2])> = None;
        let steps = (way.length() / settings.spacing).ceil() as usize;
        for step in 0..=steps + 1 {
            let at = step as f32 * settings.spacing;
            let gap =
                (step <= steps).then(|| narrow_at(way, at, walls, radius, &settings)).flatten();
            begun = match (gap, begun) {
                (Some(gap), None) => Some((at, [gap; 2])),
                (Some(gap), Some((from, [first, _]))) => Some((from, [first, gap])),
                (None, Some((from, gaps))) => {
                    found.push(self.narrow(way, from, at - settings.spacing, gaps));
                    None
                }
                (None, None) => None,
            };
        }
        found
    }

    /// A narrow stretch, and the passage it leads through: from one end to the other in its middle.
    fn narrow(&mut self, way: &LiveRoute, from: f32, to: f32, gaps: [Gap; 2]) -> Narrow {
        let settings = self.settings;
        let ends = gaps.map(|gap| gap.middle);
        let middle = ends[0].midpoint(ends[1]);
        let same = |gate: &Doorway| {
            let [a, b] = gate.ends;
            let near = |place: Vec2| gate.distance(place) < settings.same;
            let own = a.midpoint(b);
            near(middle)
                || (near(ends[0]) && near(ends[1]))
                || nearest(own, ends[0], ends[1]).distance(own) < settings.same
        };
        let gate = self.gates.iter().position(same).unwrap_or_else(|| {
            // A passage that is passed at one point still has a direction: across what is between its posts.
            let [first, last] = gaps.map(|gap| 0.1 * gap.along);
            let short = ends[0].distance(ends[1]) < settings.short;
            let ends = if short { [middle; 2] } else { ends };
            let ends = [ends[0] - first, ends[1] + last];
            self.gates.push(Doorway { ends, inside: vec![], waiting: vec![], row: 0, last: true });
            self.gates.len() - 1
        });
        let [a, b] = self.gates[gate].ends;
        // Ways that turn within the passage lead through it all the same.
        let through = way.place((to + settings.same).min(way.length()))
            - way.place((from - settings.same).max(0.0));
        Narrow { gate, from, to, along: through.dot(b - a) >= 0.0 }
    }

    /// True if a place is in a passage or right before it.
    pub fn is_near(&self, place: Vec2) -> bool {
        self.gates.iter().any(|gate| gate.distance(place) < self.settings.mouth)
    }

    /// Takes somebody out of every passage.
    pub fn forget(&mut self, who: usize) {
        self.gates.iter_mut().for_each(|gate| gate.leave(who));
    }

    /// Asks to pass the next passage of a way. Those who are stuck let others go first.
    pub fn pass(
        &mut self,
        who: usize,
        place: Vec2,
        way: &LiveRoute,
        passages: &[Narrow],
        radius: f32,
        stuck: bool,
    ) -> DoorwayTurn {
        let settings = &self.settings;
        let at = way.at();
        let is_ahead = |narrow: &&Narrow| at <= narrow.to + settings.out + radius;
        // What lies behind, or is not on the way any more, is left.
        for (index, gate) in self.gates.iter_mut().enumerate() {
            let is_next = passages.iter().filter(is_ahead).any(|narrow| narrow.gate == index);
            if !is_next && gate.distance(place) > settings.out + radius {
                gate.leave(who);
            }
        }
        let Some(narrow) = passages.iter().find(is_ahead) else { return DoorwayTurn::Free };
        let left = narrow.from - at;
        if left > settings.ask + radius {
            return DoorwayTurn::Free;
        }
        let gate = &mut self.gates[narrow.gate];
        // Near it counts where somebody is, whatever way they have found since.
        let near = gate.distance(place) < settings.room;
        let order = if near { gate.left(place, narrow.along) } else { left };
        let asker = Asker { who, along: narrow.along, left: order, stuck };
        let is_in = gate.distance(place) < settings.inside;
        let enters = gate.enter(asker, is_in, settings);
        // Behind somebody who is stuck in the mouth everybody makes room, the last first: then there is always one who
        // can step aside, and go on or come back.
        if let Some(between) = gate.behind_stuck(&asker, settings) {
            let spot = settings.mouth + settings.queue * between as f32;
            if gate.distance(place) < spot - settings.slack {
                return DoorwayTurn::Back(gate.out(place, narrow.along, settings));
            }
            return DoorwayTurn::Wait(left - spot);
        }
        if enters {
            return match gate.before(&asker) {
                0 => DoorwayTurn::Go,
                before => {
                    DoorwayTurn::Wait(left - settings.mouth - settings.queue * (before - 1) as f32)
                }
            };
        }
        // Those who stand in the way of whoever comes out have to go back.
        let comes_out = gate.inside.iter().any(|other| other.along != asker.along);
        if is_in || comes_out && gate.distance(place) < settings.mouth {
            return DoorwayTurn::Back(gate.out(place, narrow.along, settings));
        }
        DoorwayTurn::Wait(left - gate.queue(&asker, settings))
    }
}

impl Asker {
    /// Whether somebody else is before this one.
    fn is_behind(&self, other: &Self) -> bool {
        other.along == self.along && (other.left, other.who) < (self.left, self.who)
    }
}

impl Doorway {
    /// The place of the passage that is nearest to another.
    fn nearest(&self, place: Vec2) -> Vec2 {
        nearest(place, self.ends[0], self.ends[1])
    }

    /// How far a place is from the passage.
    fn distance(&self, place: Vec2) -> f32 {
        self.nearest(place).distance(place)
    }

    /// Metres that are left to it from a place near it, fewer than none beyond its beginning.
    fn left(&self, place: Vec2, along: bool) -> f32 {
        let [a, b] = self.ends;
        let (from, to) = if along { (a, b) } else { (b, a) };
        let beyond = (place - from).dot((to - from).normalize_or_zero());
        if beyond > 0.0 { -beyond } else { place.distance(from) }
    }

    /// The way back for somebody who wants to go along it or against it: away from its mouth.
    fn out(&self, place: Vec2, along: bool, settings: &DoorwaySettings) -> Vec2 {
        let axis = (self.ends[1] - self.ends[0]).normalize_or(Vec2::Y);
        let back = if along { -axis } else { axis };
        (back + settings.aside * (place - self.nearest(place)).normalize_or_zero())
            .normalize_or(back)
    }

    fn leave(&mut self, who: usize) {
        self.inside.retain(|inside| inside.who != who);
        self.waiting.retain(|waiting| waiting.who != who);
    }

    /// Whether somebody is in or goes in now; otherwise they wait.
    fn enter(&mut self, asker: Asker, is_in: bool, settings: &DoorwaySettings) -> bool {
        let Asker { who, along, left, stuck } = asker;
        if let Some(own) = self.inside.iter_mut().find(|own| own.who == who && own.along == along) {
            *own = asker;
            // Whoever does not get to it gives others the turn.
            if !stuck
                || is_in
                || left < settings.room
                || self.waiting.iter().all(|other| other.stuck)
            {
                return true;
            }
        }
        self.inside.retain(|own| own.who != who);
        match self.waiting.iter_mut().find(|own| own.who == who) {
            Some(own) => *own = asker,
            None => self.waiting.push(asker),
        }
        let others_wait = self.waiting.iter().any(|other| other.along != along && !other.stuck);
        let turn = match self.inside.first() {
            Some(first) => first.along == along && (self.row < settings.in_a_row || !others_wait),
            // After a row it is the others' turn; otherwise whoever came first decides.
            None if others_wait && self.row >= settings.in_a_row => along != self.last,
            None => {
                let mut able = self.waiting.iter().filter(|other| !other.stuck || stuck);
                able.next().is_some_and(|first| first.along == along)
            }
        };
        // Of those who go the same way whoever is nearest goes first, so that nobody has to get past another.
        let mut before = self.waiting.iter().filter(|other| asker.is_behind(other));
        let is_first = before.all(|other| other.stuck) && !(stuck && self.able(along));
        let room = self
            .inside
            .iter()
            .all(|other| other.stuck || (left - other.left).abs() > settings.file);
        // Whoever is in it already goes on.
        let is_in = is_in && self.inside.iter().all(|other| other.along == along);
        let enters = is_in || turn && is_first && room && self.inside.len() < settings.at_once;
        if enters {
            self.waiting.retain(|waiting| waiting.who != who);
            self.inside.push(asker);
            self.row = if self.last == along { self.row + 1 } else { 1 };
            self.last = along;
        }
        enters
    }

    /// Whether anybody who waits to go this way gets ahead.
    fn able(&self, along: bool) -> bool {
        self.waiting.iter().any(|other| other.along == along && !other.stuck)
    }

    /// How many are between somebody and the first before them who is stuck in the mouth, if anybody is.
    fn behind_stuck(&self, asker: &Asker, settings: &DoorwaySettings) -> Option<usize> {
        let is_before = |other: &&Asker| asker.is_behind(other);
        let in_mouth =
            self.inside.iter().filter(|other| other.stuck && other.left < settings.mouth);
        let first = in_mouth.filter(is_before).min_by(|a, b| a.left.total_cmp(&b.left))?;
        let all = self.inside.iter().chain(&self.waiting);
        Some(all.filter(is_before).filter(|other| other.is_behind(first)).count())
    }

    /// How many go in before somebody who is let in, the nearest first: nobody goes in beside another.
    fn before(&self, asker: &Asker) -> usize {
        let first = self.inside.iter().filter(|inside| asker.is_behind(inside));
        first.filter(|inside| inside.left > 0.0 && !inside.stuck).count()
    }

    /// Where somebody waits, in metres before the passage.
    fn queue(&self, asker: &Asker, settings: &DoorwaySettings) -> f32 {
        let before = self.waiting.iter().chain(&self.inside);
        settings.room
            + settings.queue * before.filter(|other| asker.is_behind(other)).count() as f32
    }
}

/// A place between two walls: the middle between them, and the direction in which it is passed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gap {
    middle: Vec2,
    along: Vec2,
}

/// The gap between the walls on both sides of a place of a way, if two cannot pass each other there. However a way
/// leads through a door, at a right angle or not, the nearest walls on both sides are its posts.
fn narrow_at(
    way: &LiveRoute,
    at: f32,
    walls: &Walls,
    radius: f32,
    settings: &DoorwaySettings,
) -> Option<Gap> {
    let at = at.min(way.length());
    let (place, ahead) = (way.place(at), way.direction(at));
    let left = left_of(ahead);
    // Room beside the nearest wall on each side, and where that is.
    let mut sides = [(settings.look, None); 2];
    for (wall, reach) in walls.around(place, settings.look) {
        let to = wall - place;
        let beside = left.dot(to) / to.length().max(1e-6);
        let side = &mut sides[usize::from(beside < 0.0)];
        let room = (to.length() - reach).max(0.0);
        if beside.abs() > settings.beside && room < side.0 {
            *side = (room, Some(wall));
        }
    }
    let [(left_room, left), (right_room, right)] = sides;
    let (left, right) = left.zip(right)?;
    let is_between = (left - place).dot(right - place) < 0.0;
    let across = left_of(left - right).normalize_or(ahead);
    let along = if across.dot(ahead) < 0.0 { -across } else { across };
    let is_narrow = is_between && left_room + right_room < 2.0 * radius + settings.extra;
    is_narrow.then(|| Gap { middle: left.midpoint(right), along })
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_plan::route::WalkableFloor;
    use glam::vec2;

    /// Two rooms with a door of 1.2 m between them at z = 0.
    fn rooms() -> Walls {
        let slab = |x: [f32; 2], z: [f32; 2]| {
            vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])]
        };
        let blocked = [slab([-6.0, -0.6], [-0.1, 0.1]), slab([0.6, 6.0], [-0.1, 0.1])];
        WalkableFloor::new(&[slab([-6.0, 6.0], [-14.0, 14.0])], &blocked, &[]).unwrap().walls(0.3)
    }

    #[test]
    fn a_door_is_one_passage_from_both_sides_and_from_anywhere() {
        let (walls, mut gates) = (rooms(), Doorways::default());
        let there =
            LiveRoute::new(&[vec2(-1.0, -5.0), vec2(0.0, -0.5), vec2(0.0, 0.5), vec2(3.0, 5.0)]);
        let back =
            LiveRoute::new(&[vec2(4.0, 5.0), vec2(0.1, 0.4), vec2(0.1, -0.4), vec2(0.0, -5.0)]);
        let (a, b) = (gates.along(&there, &walls, 0.3), gates.along(&back, &walls, 0.3));
        assert_eq!((a.len(), b.len()), (1, 1));
        assert_eq!(a[0].gate, b[0].gate);
        assert_ne!(a[0].along, b[0].along);
        let beside = LiveRoute::new(&[vec2(-5.0, -3.0), vec2(5.0, -3.0)]);
        assert!(gates.along(&beside, &walls, 0.3).is_empty());
    }

    /// Somebody who came from the side went through a door without being noticed: across their way there was room
    /// enough for two.
    #[test]
    fn a_door_is_a_passage_for_those_who_come_from_the_side() {
        let (walls, mut gates) = (rooms(), Doorways::default());
        for degrees in (-60..=60).step_by(5) {
            for off in [-0.2, 0.0, 0.2] {
                let aside = (degrees as f32).to_radians().tan();
                let way =
                    LiveRoute::new(&[vec2(off - 2.0 * aside, -2.0), vec2(off + 2.0 * aside, 2.0)]);
                let found = gates.along(&way, &walls, 0.3);
                assert_eq!(found.len(), 1, "{degrees}° {off} m");
                assert!(found[0].along == (gates.gates[0].ends[1].y > gates.gates[0].ends[0].y));
            }
        }
        assert_eq!(gates.gates.len(), 1);
    }

    #[test]
    fn nobody_stays_close_behind_one_who_is_stuck_in_the_mouth() {
        let (walls, mut gates) = (rooms(), Doorways::default());
        let mut ways = [0.2, 0.9, 1.6, 2.4].map(|left| {
            let mut way = LiveRoute::new(&[vec2(0.0, -4.0), vec2(0.0, 4.0)]);
            way.follow(vec2(0.0, -2.5));
            way.follow(vec2(0.0, -left));
            way
        });
        let narrow = ways.clone().map(|way| gates.along(&way, &walls, 0.3));
        let mut pass = |who: usize, stuck: bool, way: &LiveRoute| {
            gates.pass(who, way.place(way.at()), way, &narrow[who], 0.3, stuck)
        };
        for (who, way) in ways.iter().enumerate() {
            pass(who, who == 0, way);
        }
        assert_eq!(pass(0, true, &ways[0]), DoorwayTurn::Go);
        assert!(matches!(pass(1, false, &ways[1]), DoorwayTurn::Back(out) if out.y < -0.5));
        assert!(matches!(pass(2, false, &ways[2]), DoorwayTurn::Back(out) if out.y < -0.5));
        // Whoever is through lets them in again.
        ways[0].follow(vec2(0.0, 1.5));
        ways[0].follow(vec2(0.0, 3.0));
        assert_eq!(pass(0, false, &ways[0]), DoorwayTurn::Free);
        assert_eq!(pass(1, false, &ways[1]), DoorwayTurn::Go);
    }

    #[test]
    fn those_from_the_other_side_wait_and_then_have_their_turn() {
        let (walls, mut gates) = (rooms(), Doorways::default());
        let mut there = LiveRoute::new(&[vec2(0.0, -13.0), vec2(0.0, 5.0)]);
        let mut back = LiveRoute::new(&[vec2(0.0, 5.0), vec2(0.0, -5.0)]);
        let narrow = [gates.along(&there, &walls, 0.3), gates.along(&back, &walls, 0.3)];
        let mut pass = |who: usize, way: &LiveRoute| {
            let place = way.place(way.at());
            gates.pass(who, place, way, &narrow[who], 0.3, false)
        };
        assert_eq!(pass(0, &there), DoorwayTurn::Free);
        for step in 0..8 {
            there.follow(vec2(0.0, -12.3 + 1.5 * step as f32));
        }
        back.follow(vec2(0.0, 3.2));
        back.follow(vec2(0.0, 2.0));
        assert_eq!(pass(0, &there), DoorwayTurn::Go);
        assert!(matches!(pass(1, &back), DoorwayTurn::Wait(room) if room < 0.0));
        // In the mouth nobody waits.
        back.follow(vec2(0.0, 1.5));
        assert!(matches!(pass(1, &back), DoorwayTurn::Back(out) if out.y > 0.5));
        for z in [-0.5, 1.0, 2.5] {
            there.follow(vec2(0.0, z));
        }
        assert_eq!(pass(0, &there), DoorwayTurn::Free);
        assert_eq!(pass(1, &back), DoorwayTurn::Go);
    }

    #[test]
    fn nobody_waits_for_ever_while_others_keep_coming() {
        let (walls, mut gates) = (rooms(), Doorways::default());
        let way = |from: f32| LiveRoute::new(&[vec2(0.0, from), vec2(0.0, -from)]);
        let narrow = [gates.along(&way(-2.0), &walls, 0.3), gates.along(&way(2.0), &walls, 0.3)];
        let mut asks = |who: usize, from: f32, at: f32, side: usize| {
            let mut own = way(from);
            (1..5).for_each(|step| own.follow(vec2(0.0, from + (at - from) * 0.25 * step as f32)));
            match gates.pass(who, vec2(0.0, at), &own, &narrow[side], 0.3, false) {
                DoorwayTurn::Go => true,
                DoorwayTurn::Wait(_) | DoorwayTurn::Free => false,
                DoorwayTurn::Back(_) => panic!("nobody is in the way"),
            }
        };
        assert!(asks(0, -2.0, -2.0, 0));
        assert!(!asks(99, 2.0, 2.0, 1));
        // One after the other comes and is in the door when the next one comes.
        let mut passed = 1;
        loop {
            asks(passed - 1, -2.0, 0.0, 0);
            if !asks(passed, -2.0, -2.0, 0) {
                break;
            }
            asks(passed - 1, -2.0, 1.95, 0);
            passed += 1;
        }
        assert_eq!(passed, DoorwaySettings::default().in_a_row);
        asks(passed - 1, -2.0, 1.95, 0);
        assert!(asks(99, 2.0, 2.0, 1));
    }
}
