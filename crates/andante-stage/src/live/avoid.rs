//! Going around others who go around you.
//!
//! Reciprocal velocity obstacles after J. van den Berg, M. Lin and D. Manocha (ICRA 2008): of the velocities a body
//! can have soon, the one that is closest to what it wants and does not lead into others, each of whom is expected
//! to do half of the avoiding. Velocities are sampled, because a walking body goes where it faces and turns slowly;
//! that also takes walls into account, and standing still is one of the choices.

use super::disc::{ahead, heading_of, left_of};
use andante_plan::route::Walls;
use andante_skeleton::rotation;
use glam::Vec2;

/// Somebody else, as seen by whoever avoids them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Other {
    pub place: Vec2,
    pub velocity: Vec2,
    pub radius: f32,
    /// How much of the avoiding they do: 0.5 for those who look out too, 0 for those who do not.
    pub share: f32,
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
    /// What it chose last.
    pub chosen: Vec2,
    /// What standing still costs it: more, the longer it has not got ahead.
    pub haste: f32,
}

/// Turns that are considered, besides the one that is wanted, in radians.
const TURNS: [f32; 11] = [0.0, 0.2, -0.2, 0.4, -0.4, 0.65, -0.65, 0.95, -0.95, 1.3, -1.3];

/// Parts of the wanted speed that are considered.
const PARTS: [f32; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];

/// Collisions later than this do not matter, in seconds.
const HORIZON: f32 = 3.5;

/// Room that is left between bodies, in metres.
const MARGIN: f32 = 0.15;

/// Bodies brake at this for each other, in m/s², after so many seconds.
const BRAKING: f32 = 1.0;
const REACTION: f32 = 0.5;

/// Weights of what a choice costs.
const TURNING: f32 = 0.6;
const SLOWING: f32 = 1.0;
const CHANGING: f32 = 0.3;
const COLLIDING: f32 = 1.6;
/// Of two that walk at each other both step to their right.
const TO_THE_LEFT: f32 = 0.08;

/// The velocity to go at.
pub(crate) fn choose(own: &Own, others: &[Other], walls: Option<&Walls>) -> Vec2 {
    let most = own.wanted.length();
    if most < 1e-3 {
        return Vec2::ZERO;
    }
    let wanted = heading_of(own.wanted);
    if others.is_empty() {
        return own.wanted;
    }
    let velocity = ahead(own.heading) * own.speed;
    let mut best = (f32::INFINITY, Vec2::ZERO);
    for turn in TURNS {
        let direction = ahead(wanted + turn);
        let reach = most * HORIZON.min(2.0);
        let room = walls.map_or(reach, |walls| {
            walls.free_fraction(own.place, own.place + direction * reach) * reach
        });
        let off = rotation::wrap_angle(wanted + turn - own.heading).abs();
        for part in PARTS {
            let candidate = direction * (most * part);
            let mut cost =
                SLOWING * (1.0 - part) + CHANGING * (candidate - own.chosen).length() / most;
            if part > 0.0 {
                cost += TURNING * turn.abs() + if turn > 0.0 { TO_THE_LEFT } else { 0.0 };
                // What is far from where it faces takes a while to turn to.
                cost += 0.25 * (off - 0.8).max(0.0);
                // The way that is wanted keeps clear of walls; ways around others might not.
                if turn != 0.0 {
                    let wall = room / (most * part);
                    cost += COLLIDING * (1.0 / wall.max(0.05) - 1.0 / 2.0).max(0.0);
                }
            }
            for other in others {
                let shared = if other.share > 0.0 {
                    (candidate - velocity * other.share) / (1.0 - other.share)
                } else {
                    candidate
                };
                let time = time_to(own, other, shared - other.velocity);
                cost += COLLIDING * (1.0 / time.max(0.05) - 1.0 / HORIZON).max(0.0);
                if cost > best.0 {
                    break;
                }
            }
            if cost < best.0 {
                best = (cost, candidate);
            }
        }
    }
    best.1
}

/// Seconds until two discs touch that move towards each other like this.
fn time_to(own: &Own, other: &Other, relative: Vec2) -> f32 {
    let reach = own.radius + other.radius + MARGIN;
    let between = other.place - own.place;
    let closing = between.dot(relative);
    let (gap, speed) = (between.length_squared() - reach * reach, relative.length_squared());
    if closing <= 0.0 {
        return f32::INFINITY;
    }
    if gap <= 0.0 {
        // Inside the margin already: the straighter towards the other, the worse.
        let straight = closing / (between.length() * relative.length()).max(1e-6);
        return if straight > 0.3 { 0.05 / straight } else { HORIZON };
    }
    let root = closing * closing - speed * gap;
    if root <= 0.0 { f32::INFINITY } else { gap / (closing + root.sqrt()) }
}

/// The fastest it may go ahead without running into anybody, should they stop.
pub(crate) fn safe_speed(own: &Own, others: &[Other], walls: Option<&Walls>) -> f32 {
    let direction = ahead(own.heading);
    let mut most = f32::INFINITY;
    let stop_within = |gap: f32| {
        // v·t + v²/2a = gap
        let gap = gap.max(0.0);
        BRAKING * ((REACTION * REACTION + 2.0 * gap / BRAKING).sqrt() - REACTION)
    };
    for other in others {
        let between = other.place - own.place;
        let along = between.dot(direction);
        let reach = own.radius + other.radius + 0.1;
        let across = between.dot(left_of(direction)).abs();
        if along <= 0.0 || across >= reach {
            continue;
        }
        // Those who touch already may go on past each other.
        if between.length() < reach && along < 0.4 * between.length() {
            continue;
        }
        let gap = along - (reach * reach - across * across).sqrt();
        let leaves = other.velocity.dot(direction);
        // Whoever comes closer takes part of the gap.
        let limit =
            if leaves >= 0.0 { stop_within(gap) + 0.8 * leaves } else { stop_within(gap + leaves) };
        most = most.min(limit);
    }
    if let Some(walls) = walls {
        let reach = 0.3 + 1.2 * own.speed.abs();
        let free = walls.free_fraction(own.place, own.place + direction * reach);
        if free < 1.0 {
            most = most.min(stop_within(free * reach).max(0.3));
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::disc::{Disc, Gains};
    use glam::vec2;

    fn own(disc: &Disc, goal: Vec2, chosen: Vec2) -> Own {
        let wanted = (goal - disc.place.position).clamp_length_max(1.3);
        Own {
            place: disc.place.position,
            heading: disc.place.heading,
            speed: disc.speed,
            radius: 0.3,
            wanted,
            chosen,
            haste: 0.4,
        }
    }

    /// Discs that walk to their goals, each avoiding the others; the least distance between any two.
    fn walked(mut discs: Vec<Disc>, goals: &[Vec2]) -> (f32, f32) {
        let gains = Gains { most_turn: 1.2, most_change: [1.5, 2.0], ..Gains::default() };
        let mut chosen = vec![Vec2::ZERO; discs.len()];
        let mut least = f32::INFINITY;
        for _ in 0..1800 {
            let seen: Vec<Disc> = discs.clone();
            for (index, disc) in discs.iter_mut().enumerate() {
                let own = own(disc, goals[index], chosen[index]);
                let others: Vec<Other> = (0..seen.len())
                    .filter(|&other| other != index)
                    .map(|other| Other {
                        place: seen[other].place.position,
                        velocity: seen[other].velocity(),
                        radius: 0.3,
                        share: 0.5,
                    })
                    .collect();
                chosen[index] = choose(&own, &others, None);
                let speed = chosen[index].length().min(safe_speed(&own, &others, None));
                let heading = if chosen[index].length() > 0.05 {
                    heading_of(chosen[index])
                } else {
                    own.heading
                };
                disc.advance(heading, speed, &gains, 1.0 / 60.0);
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
            chosen: Vec2::ZERO,
            haste: 0.4,
        };
        let other =
            |z: f32| Other { place: vec2(0.0, z), velocity: Vec2::ZERO, radius: 0.3, share: 0.0 };
        assert!(safe_speed(&own, &[other(0.65)], None) < 0.01);
        assert!(safe_speed(&own, &[other(6.0)], None) > 2.0);
        assert_eq!(safe_speed(&own, &[other(-1.0)], None), f32::INFINITY);
    }
}
