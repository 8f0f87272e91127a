//! Going around others who go around you.
//!
//! Optimal reciprocal collision avoidance after J. van den Berg, S. Guy, M. Lin and D. Manocha (Reciprocal n-body
//! collision avoidance, ISRR 2009): every other body leaves a half-plane of velocities that keep clear of it for a
//! while, if it does its part of the avoiding; of the velocities that keep clear of all the one nearest to what is
//! wanted is taken. Walls leave half-planes of their own, which come first.

use super::actor::VisibleActor;
use super::disc::{ahead, left_of};
use super::half_planes::{HalfPlane, MOST_LINES, nearest};
use crate::AvoidanceSettings;
use andante_plan::route::Walls;
use glam::Vec2;

/// Somebody else, as seen by whoever avoids them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Other {
    pub who: usize,
    pub place: Vec2,
    pub velocity: Vec2,
    pub radius: f32,
    /// How much of the avoiding they do: 0.5 for those who look out too, 0 for those who do not.
    pub share: f32,
}

impl Other {
    /// The neighbour as it is seen.
    pub fn of(who: usize, seen: &VisibleActor) -> Self {
        let share = if seen.looks_out { 0.5 } else { 0.0 };
        Self { who, place: seen.place, velocity: seen.velocity, radius: seen.radius, share }
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

/// The velocity to go at.
pub(crate) fn choose(
    own: &Own,
    others: &[Other],
    walls: Option<&Walls>,
    settings: &AvoidanceSettings,
) -> Vec2 {
    let most = own.wanted.length();
    if most < 1e-3 {
        return Vec2::ZERO;
    }
    let mut planes = Nearest::<MOST_LINES>::default();
    if let Some(walls) = walls {
        for (at, reach) in walls.around(own.place, settings.wall_reach) {
            let away = own.place - at;
            let gap = away.length() - reach;
            // Standing still is never wrong, unless it is too close.
            let least = if gap < settings.wall_close { settings.wall_leave } else { 0.0 };
            let offset = ((settings.wall_room - gap) / settings.wall_horizon).min(least);
            let plane = HalfPlane { normal: away.normalize_or_zero(), offset };
            planes.add(gap, plane, settings.most_walls);
        }
    }
    let hard = planes.count;
    let mut keep = Nearest::<MOST_LINES>::default();
    let velocity = ahead(own.heading) * own.speed;
    let most_others = MOST_LINES.saturating_sub(settings.most_walls);
    for other in others {
        let gap = other.place.distance(own.place) - own.radius - other.radius;
        keep.add(gap, clear_of(own, velocity, other, settings), most_others);
    }
    for index in 0..keep.count {
        planes.add(f32::INFINITY, keep.planes[index], MOST_LINES);
    }
    let planes = &planes.planes[..planes.count];
    // A wall turns somebody aside, but makes nobody slower.
    let aside = nearest(own.wanted, most, &planes[..hard], hard);
    let wish = aside.try_normalize().filter(|_| aside.length() > 0.01).map_or(aside, |d| d * most);
    nearest(wish, most, planes, hard)
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

/// The velocities that keep clear of another, if it does its share.
fn clear_of(own: &Own, velocity: Vec2, other: &Other, settings: &AvoidanceSettings) -> HalfPlane {
    let reach = own.radius + other.radius + other.room(settings);
    let between = other.place - own.place;
    let relative = velocity - other.velocity;
    let apart = between.length();
    // The change of relative velocity that just keeps clear, and the direction away from touching.
    let (change, normal) = if apart <= reach {
        // Within the margin already: closer only slowly, and apart again if they touch.
        let away = -between.normalize_or(Vec2::X);
        let missing = own.radius + other.radius - apart;
        (missing / settings.apart_seconds * away - relative.dot(away) * away, away)
    } else {
        let stands = other.stands(settings);
        let horizon = if stands { settings.standing_horizon } else { settings.horizon };
        let beyond = relative - between / horizon;
        let towards = beyond.dot(between);
        if towards < 0.0 && towards * towards > reach * reach * beyond.length_squared() {
            // The round end of what is forbidden: too slow to touch in time otherwise.
            let away = beyond.normalize_or(-between / apart);
            ((reach / horizon - beyond.length()) * away, away)
        } else {
            // Past it on one side or the other.
            let leg = (apart * apart - reach * reach).sqrt();
            let right = settings.to_the_right * apart * relative.length();
            let side = between.perp_dot(relative) + right;
            let turn = if side > 0.0 { reach } else { -reach };
            let along =
                Vec2::new(between.x * leg - between.y * turn, between.x * turn + between.y * leg)
                    / (apart * apart);
            let normal = if side > 0.0 { along.perp() } else { -along.perp() };
            (relative.dot(along) * along - relative, normal)
        }
    };
    let point = velocity + (1.0 - other.share) * change;
    HalfPlane { normal, offset: normal.dot(point) }
}

/// The fastest it may go ahead without running into anybody, should they stop. `room` is the part of the usual room that
/// is left to them.
pub(crate) fn safe_speed(
    own: &Own,
    others: &[Other],
    walls: Option<&Walls>,
    room: f32,
    settings: &AvoidanceSettings,
) -> f32 {
    let AvoidanceSettings { braking, reaction, .. } = *settings;
    let direction = ahead(own.heading);
    let mut most = f32::INFINITY;
    let stop_within = |gap: f32| {
        // v·t + v²/2a = gap
        let gap = gap.max(0.0);
        braking * ((reaction * reaction + 2.0 * gap / braking).sqrt() - reaction)
    };
    for other in others {
        let between = other.place - own.place;
        let along = between.dot(direction);
        let reach = own.radius + other.radius + room * other.room(settings);
        let across = between.dot(left_of(direction)).abs();
        if along <= 0.0 || across >= reach {
            continue;
        }
        // Those who nearly touch may go on past each other.
        let apart = between.length();
        if apart < reach {
            let gap = (apart - own.radius - other.radius).max(settings.least_gap);
            most = most.min(gap * apart / (settings.closing_seconds * along));
            continue;
        }
        let gap = along - (reach * reach - across * across).sqrt();
        let leaves = other.velocity.dot(direction);
        // Whoever comes closer takes part of the gap.
        let limit = if leaves >= 0.0 {
            stop_within(gap) + settings.following * leaves
        } else {
            stop_within(gap + leaves)
        };
        most = most.min(limit);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StageSettings;
    use crate::live::disc::{Disc, Gains};
    use crate::live::steering::Steering;
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
                    })
                    .collect();
                let lead = steering[index].lead(&own, &others, None, true, 1.0 / 60.0, &settings);
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
        };
        let safe = |z: f32| safe_speed(&own, &[other(z)], None, 0.5, &AvoidanceSettings::default());
        assert!(safe(0.6) < 0.05);
        assert!(safe(0.65) < 0.12);
        assert!(safe(6.0) > 2.0);
        assert_eq!(safe(-1.0), f32::INFINITY);
    }
}
