//! Going around others who go around you.
//!
//! Velocities are tried, as in reciprocal velocity obstacles (J. van den Berg, M. Lin and D. Manocha, Reciprocal velocity
//! obstacles for real-time multi-agent navigation, ICRA 2008): ways to both sides of the wish, at several speeds. Each costs
//! how far it is from what is wanted, and the more the sooner it would end at somebody, if they do their part of the
//! avoiding; the cheapest is taken. There always is one, however dense the crowd: half-planes of velocities that are
//! safe for all leave none in the thick of it, and people stood there for minutes. Walls leave half-planes, which come
//! first.

use super::actor::VisibleActor;
use super::disc::{ahead, left_of};
use super::half_planes::{HalfPlane, MOST_LINES, nearest};
use crate::AvoidanceSettings;
use andante_plan::route::Walls;
use glam::Vec2;
use std::f32::consts::PI;

/// Somebody else, as seen by whoever avoids them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Other {
    pub who: usize,
    pub place: Vec2,
    pub velocity: Vec2,
    pub radius: f32,
    /// How much of the avoiding they do: 0.5 for those who look out too, 0 for those who do not.
    pub share: f32,
    /// Whether they are on their way somewhere, though they may stand.
    pub goes: bool,
}

impl Other {
    /// The neighbour as it is seen.
    pub fn of(who: usize, seen: &VisibleActor) -> Self {
        let share = if seen.looks_out { 0.5 } else { 0.0 };
        let VisibleActor { place, velocity, radius, goes, .. } = *seen;
        Self { who, place, velocity, radius, share, goes }
    }

    /// True if they stand, and will not do any of the avoiding.
    pub fn stands(&self, settings: &AvoidanceSettings) -> bool {
        let still = settings.standing_speed;
        self.share == 0.0 && self.velocity.length_squared() < still * still
    }

    /// Room that is left beside them, in metres: ways around those who stand leave little.
    fn room(&self, settings: &AvoidanceSettings) -> f32 {
        if self.stands(settings) { settings.beside } else { settings.margin }
    }
}

/// Whoever avoids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Own {
    pub place: Vec2,
    pub heading: f32,
    pub speed: f32,
    pub radius: f32,
    /// Where it wants to go, and how fast.
    pub wanted: Vec2,
}

/// What somebody wants, as far as walls let them: the wish led along walls, and the walls.
pub(crate) struct VelocityChoice<'a> {
    own: &'a Own,
    others: &'a [Other],
    settings: &'a AvoidanceSettings,
    walls: Nearest<MOST_LINES>,
    wish: Vec2,
    pace: f32,
}

impl<'a> VelocityChoice<'a> {
    pub fn new(
        own: &'a Own,
        others: &'a [Other],
        walls: Option<&Walls>,
        squeezes: bool,
        settings: &'a AvoidanceSettings,
    ) -> Self {
        // Whoever keeps all the room beside both posts of a door never gets through.
        let room = if squeezes { settings.wall_close } else { settings.wall_room };
        let mut planes = Nearest::<MOST_LINES>::default();
        for (at, reach) in
            walls.iter().flat_map(|walls| walls.around(own.place, settings.wall_reach))
        {
            let away = own.place - at;
            let gap = away.length() - reach;
            // Standing still is never wrong, unless it is too close.
            let least = if gap < settings.wall_close { settings.wall_leave } else { 0.0 };
            let offset = ((room - gap) / settings.wall_horizon).min(least);
            let plane = HalfPlane { normal: away.normalize_or_zero(), offset };
            planes.add(gap, plane, settings.most_walls);
        }
        let pace = own.wanted.length();
        // A wall turns somebody aside, but makes nobody slower.
        let aside = nearest(own.wanted, pace, planes.all());
        let wish =
            aside.try_normalize().filter(|_| aside.length() > 0.01).map_or(aside, |d| d * pace);
        let mut choice = Self { own, others, settings, walls: planes, wish, pace };
        choice.wish = choice.within_walls(wish);
        choice
    }

    fn within_walls(&self, velocity: Vec2) -> Vec2 {
        nearest(velocity, self.pace, self.walls.all())
    }

    /// The wish, if nobody is in its way.
    pub fn unhindered(&self) -> Option<Vec2> {
        let free = self.pace < 1e-3 || self.haste(self.wish, 0.0) <= 0.0;
        free.then_some(self.wish)
    }

    /// The best of all velocities that are tried, by somebody who had made up their mind for another.
    pub fn best(&self, earlier: Vec2) -> Vec2 {
        let Self { settings, pace, .. } = *self;
        let mut best = (f32::INFINITY, Vec2::ZERO);
        let mut look = |velocity: Vec2, extra: f32| {
            let missed = velocity.distance(self.wish)
                + settings.steady * velocity.distance(earlier)
                + settings.brisk * (pace - velocity.length());
            let least = missed / pace + extra;
            if least < best.0 {
                let cost = least + self.haste(velocity, best.0 - least);
                if cost < best.0 {
                    best = (cost, velocity);
                }
            }
        };
        let most = settings.sides as isize;
        for side in -most..=most {
            let (sin, cos) = libm::sincosf(side as f32 * (PI / 12.0));
            let way = Vec2::new(cos, sin).rotate(self.wish);
            let left = if side < 0 { settings.to_the_right } else { 0.0 };
            for part in 1..=3 {
                look(self.within_walls(part as f32 / 3.0 * way), left);
            }
        }
        look(self.within_walls(Vec2::ZERO), settings.standing);
        best.1
    }

    /// What it costs that a velocity leads to somebody: the more the sooner. More than `most` need not be known exactly.
    fn haste(&self, velocity: Vec2, most: f32) -> f32 {
        let Self { own, settings, .. } = self;
        let mut haste = 0.0f32;
        for other in self.others {
            let stands = other.stands(settings);
            let horizon = if stands { settings.standing_horizon } else { settings.horizon };
            let seconds = seconds_until(own, velocity, other, settings);
            if seconds < horizon {
                haste = haste.max(settings.haste * (1.0 / seconds.max(1e-3) - 1.0 / horizon));
                if haste > most {
                    break;
                }
            }
        }
        haste
    }
}

/// Seconds until somebody comes too close to another, if it goes at a velocity from now on and the other does its part.
fn seconds_until(own: &Own, velocity: Vec2, other: &Other, settings: &AvoidanceSettings) -> f32 {
    let between = other.place - own.place;
    let relative = if other.share > 0.0 {
        // Whoever looks out as well changes its way as much.
        let going = ahead(own.heading) * own.speed;
        going + settings.reciprocity * (velocity - going) - other.velocity
    } else {
        velocity - other.velocity
    };
    let towards = relative.dot(between);
    if towards <= 0.0 {
        return f32::INFINITY;
    }
    let apart = between.length();
    let reach = own.radius + other.radius + other.room(settings);
    if apart <= reach {
        // Within the room that is left to others already: what is left of it is used up slowly.
        let gap = (apart - own.radius - other.radius).max(0.0) + settings.least_gap;
        return 0.5 * gap * apart / towards;
    }
    seconds_to_reach(between, relative, reach)
}

/// Seconds until something `between` away is within `reach`; infinite if it never is.
fn seconds_to_reach(between: Vec2, relative: Vec2, reach: f32) -> f32 {
    let towards = relative.dot(between);
    let missing = between.length_squared() - reach * reach;
    let inside = towards * towards - relative.length_squared() * missing;
    if towards <= 0.0 || inside <= 0.0 {
        f32::INFINITY
    } else {
        missing / (towards + inside.sqrt())
    }
}

/// The nearest half-planes, nearest first.
struct Nearest<const N: usize> {
    gaps: [f32; N],
    planes: [HalfPlane; N],
    count: usize,
}

impl<const N: usize> Default for Nearest<N> {
    fn default() -> Self {
        Self { gaps: [0.0; N], planes: [HalfPlane::default(); N], count: 0 }
    }
}

impl<const N: usize> Nearest<N> {
    fn all(&self) -> &[HalfPlane] {
        &self.planes[..self.count]
    }

    fn add(&mut self, gap: f32, plane: HalfPlane, most: usize) {
        let most = most.min(N);
        let mut slot = self.gaps[..self.count].partition_point(|own| *own <= gap);
        if slot >= most {
            return;
        }
        self.count = (self.count + 1).min(most);
        let (mut gap, mut plane) = (gap, plane);
        while slot < self.count {
            std::mem::swap(&mut self.gaps[slot], &mut gap);
            std::mem::swap(&mut self.planes[slot], &mut plane);
            slot += 1;
        }
    }
}

/// The fastest it may go ahead, up to `wanted`, without running into anybody. `room` is the part of the usual room that is left
/// to them.
pub(crate) fn safe_speed(
    own: &Own,
    wanted: f32,
    others: &[Other],
    walls: Option<&Walls>,
    room: f32,
    settings: &AvoidanceSettings,
) -> f32 {
    let direction = ahead(own.heading);
    let stop_within = |gap: f32| stop_within(gap, settings);
    let mut most = wanted;
    for other in others {
        let between = other.place - own.place;
        let along = between.dot(direction);
        let reach = own.radius + other.radius + room * other.room(settings);
        let across = between.dot(left_of(direction)).abs();
        if along <= 0.0 {
            continue;
        }
        let apart = between.length();
        if apart < reach {
            // Those who nearly touch may go on past each other, and after whoever goes away.
            let gap = (apart - own.radius - other.radius).max(settings.least_gap);
            let leaves = (other.velocity.dot(between) / apart).max(0.0);
            most = most.min((gap / settings.closing_seconds + leaves) * apart / along);
        } else if other.stands(settings) {
            if across < reach {
                most = most.min(stop_within(along - (reach * reach - across * across).sqrt()));
            }
        } else {
            most = slower_than(most, |speed| {
                let relative = direction * speed - other.velocity;
                let seconds = seconds_to_reach(between, relative, reach);
                seconds >= settings.reaction + 0.5 * speed / settings.braking
            });
        }
    }
    if let Some(walls) = walls {
        let reach = settings.wall_look + settings.wall_look_seconds * own.speed.abs();
        let free = walls.free_fraction(own.place, own.place + direction * reach);
        if free < 1.0 {
            most = most.min(stop_within(free * reach).max(settings.wall_crawl));
        }
        // Along a wall one may go, but not at it.
        for (at, reach) in walls.around(own.place, reach) {
            let between = at - own.place;
            let towards = direction.dot(between.normalize_or_zero());
            if towards > settings.grazing {
                most = most.min(stop_within(between.length() - reach) / towards);
            }
        }
    }
    most
}

/// The speed from which a body stops within a distance: v·t + v²/2a.
fn stop_within(gap: f32, settings: &AvoidanceSettings) -> f32 {
    let AvoidanceSettings { braking, reaction, .. } = *settings;
    braking * ((reaction * reaction + 2.0 * gap.max(0.0) / braking).sqrt() - reaction)
}

/// The largest of some speeds up to one that will do; none if none does.
fn slower_than(most: f32, will_do: impl Fn(f32) -> bool) -> f32 {
    let mut parts = (1..=12).rev().map(|part| most * part as f32 / 12.0);
    parts.find(|speed| will_do(*speed)).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StageSettings;
    use crate::live::disc::{Disc, Gains};
    use crate::live::steering::{SpotTurn, Steering};
    use glam::vec2;

    fn own(disc: &Disc, goal: Vec2) -> Own {
        let wanted = (goal - disc.place.position).clamp_length_max(1.3);
        Own {
            place: disc.place.position,
            heading: disc.place.heading,
            speed: disc.speed,
            radius: 0.3,
            wanted,
        }
    }

    /// Discs that walk to their goals, each avoiding the others; the least distance between any two.
    fn walked(mut discs: Vec<Disc>, goals: &[Vec2]) -> (f32, f32) {
        let gains = Gains { most_turn: 1.2, most_change: [1.5, 2.0], ..Gains::default() };
        let settings = StageSettings::default();
        let mut steering = vec![Steering::new(&settings.steering); discs.len()];
        let mut least = f32::INFINITY;
        for _ in 0..1800 {
            let seen: Vec<Disc> = discs.clone();
            for (index, disc) in discs.iter_mut().enumerate() {
                let own = own(disc, goals[index]);
                let others: Vec<Other> = (0..seen.len())
                    .filter(|&other| other != index)
                    .map(|other| Other {
                        who: other,
                        place: seen[other].place.position,
                        velocity: seen[other].velocity(),
                        radius: 0.3,
                        share: if steering[other].is_standing(&settings.steering) {
                            0.0
                        } else {
                            0.5
                        },
                        goes: true,
                    })
                    .collect();
                let lead =
                    steering[index].lead(&own, &others, None, SpotTurn::Now, 1.0 / 60.0, &settings);
                if lead.turn {
                    disc.place.heading = lead.heading;
                }
                disc.advance(lead.heading, lead.speed, &gains, 1.0 / 60.0);
            }
            for a in 0..discs.len() {
                for b in 0..a {
                    least = least.min(discs[a].place.position.distance(discs[b].place.position));
                }
            }
        }
        let missed =
            discs.iter().zip(goals).map(|(disc, goal)| disc.place.position.distance(*goal));
        (least, missed.fold(0.0, f32::max))
    }

    fn facing(place: Vec2, heading: f32) -> Disc {
        Disc { place: andante_skeleton::Planar::new(place, heading), ..Disc::default() }
    }

    #[test]
    fn two_who_walk_at_each_other_pass_on_their_right() {
        let pi = std::f32::consts::PI;
        let discs = vec![facing(vec2(0.0, -5.0), 0.0), facing(vec2(0.0, 5.0), pi)];
        let (least, missed) = walked(discs, &[vec2(0.0, 5.0), vec2(0.0, -5.0)]);
        assert!(least > 0.58, "{least}");
        assert!(missed < 0.6, "{missed}");
    }

    #[test]
    fn six_who_cross_a_square_do_not_touch() {
        let around = |turn: usize| {
            let angle = turn as f32 * std::f32::consts::TAU / 6.0;
            (5.0 * ahead(angle), angle)
        };
        let discs = (0..6).map(|turn| facing(-around(turn).0, around(turn).1)).collect();
        let goals: Vec<Vec2> = (0..6).map(|turn| around(turn).0).collect();
        let (least, missed) = walked(discs, &goals);
        assert!(least > 0.58, "{least}");
        assert!(missed < 0.8, "{missed}");
    }

    #[test]
    fn whoever_stands_in_front_is_not_run_into() {
        let own = Own {
            place: Vec2::ZERO,
            heading: 0.0,
            speed: 1.3,
            radius: 0.3,
            wanted: vec2(0.0, 1.3),
        };
        let other = |z: f32| Other {
            who: 1,
            place: vec2(0.0, z),
            velocity: Vec2::ZERO,
            radius: 0.3,
            share: 0.0,
            goes: false,
        };
        let safe =
            |z: f32| safe_speed(&own, 3.0, &[other(z)], None, 0.5, &AvoidanceSettings::default());
        assert!(safe(0.6) < 0.05);
        assert!(safe(0.65) < 0.12);
        assert!(safe(6.0) > 2.0);
        assert_eq!(safe(-1.0), 3.0);
    }
}
