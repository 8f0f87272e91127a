//! A way that gives obstacles more room.

use crate::PlannerSettings;
use andante_plan::steps::{PlannedMotion, StepLeg};
use andante_skeleton::ease;
use andante_take::ObstacleTouches;
use andante_world::{Obstacle, Solid};
use glam::Vec2;

/// Half the width over which the distance from an obstacle is differentiated, in metres.
const STEP: f32 = 1e-3;

/// How far a way has to keep from obstacles that were touched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Room {
    /// Numbers of obstacles, and distances in metres.
    wanted: Vec<(usize, f32)>,
    settings: PlannerSettings,
}

impl Room {
    /// The same distance from all of some obstacles.
    pub fn around(
        blocking: impl Iterator<Item = usize>,
        distance: f32,
        settings: &PlannerSettings,
    ) -> Self {
        let wanted = blocking.map(|index| (index, distance)).collect();
        Self { wanted, settings: *settings }
    }

    /// Gives more room to what a course comes closer to than `least`, in metres; says whether there is anything like that.
    pub fn keep(&mut self, course: &[Vec2], least: f32, obstacles: &[Obstacle]) -> bool {
        let mut is_close = false;
        for (index, wanted) in &mut self.wanted {
            let solid = obstacles[*index].solid();
            let apart = course.iter().map(|place| solid.distance_beside(*place));
            let missing = least - apart.fold(f32::INFINITY, f32::min);
            if missing > 0.0 {
                *wanted += missing;
                is_close = true;
            }
        }
        is_close
    }

    /// Demands more room for what was touched on a way than it had there: `spare` metres, and so many times what was
    /// missing.
    pub fn demand(
        &mut self,
        legs: &[StepLeg],
        performance: &PlannedMotion,
        touches: &ObstacleTouches,
        obstacles: &[Obstacle],
        spare: [f32; 2],
    ) {
        for (index, &(depth, frame)) in touches.worst.iter().enumerate() {
            if depth <= 0.0 {
                continue;
            }
            let body = performance.body[frame].position;
            let Some(place) = nearest(legs, body) else { continue };
            let distance = obstacles[index].distance_beside(place) + spare[1] * depth + spare[0];
            match self.wanted.iter_mut().find(|(own, _)| *own == index) {
                Some((_, wanted)) => *wanted = wanted.max(distance),
                None => self.wanted.push((index, distance)),
            }
        }
    }

    /// The way with its places pushed away from what they are too close to; ends of legs stay.
    pub fn given(&self, legs: &[StepLeg], obstacles: &[Obstacle]) -> Vec<StepLeg> {
        let leg = |leg: &StepLeg| match leg {
            StepLeg::Walk(places) => StepLeg::Walk(self.pushed(places, obstacles)),
            StepLeg::Jump(_) => leg.clone(),
        };
        legs.iter().map(leg).collect()
    }

    /// What can push each place.
    fn near(&self, places: &[Vec2], obstacles: &[Obstacle]) -> Vec<Vec<(Solid, f32)>> {
        let solid = |&(index, wanted): &(usize, f32)| (obstacles[index].solid(), wanted);
        let solids: Vec<(Solid, f32)> = self.wanted.iter().map(solid).collect();
        let is_near = |place: Vec2, (solid, wanted): &(Solid, f32)| {
            solid.distance_beside(place) < wanted + self.settings.farthest_push
        };
        let of = |place: &Vec2| solids.iter().filter(|one| is_near(*place, one)).cloned().collect();
        places.iter().map(of).collect()
    }

    fn pushed(&self, places: &[Vec2], obstacles: &[Obstacle]) -> Vec<Vec2> {
        let ways: Vec<f32> = std::iter::once(0.0)
            .chain(places.windows(2).scan(0.0, |way, pair| {
                *way += pair[0].distance(pair[1]);
                Some(*way)
            }))
            .collect();
        let length = ways.last().copied().unwrap_or(0.0);
        let near: Vec<Vec<(Solid, f32)>> = self.near(places, obstacles);
        let pushes: Vec<Vec2> = places
            .iter()
            .zip(&near)
            .map(|(&place, near)| {
                let mut push = Vec2::ZERO;
                for _ in 0..self.settings.sweeps {
                    for (solid, wanted) in near {
                        push += away(solid, place + push, *wanted);
                    }
                }
                push.clamp_length_max(self.settings.farthest_push)
            })
            .collect();
        if pushes.iter().all(|push| *push == Vec2::ZERO) {
            return places.to_vec();
        }
        (0..places.len())
            .map(|here| {
                // The strongest push near by, and less of it the farther away it is.
                let mut most = Vec2::ZERO;
                let first = ways.partition_point(|way| *way < ways[here] - self.settings.taper);
                for near in first..places.len() {
                    let apart = (ways[near] - ways[here]).abs();
                    if ways[near] > ways[here] + self.settings.taper {
                        break;
                    }
                    let push = pushes[near] * (1.0 - ease(apart / self.settings.taper));
                    if push.length_squared() > most.length_squared() {
                        most = push;
                    }
                }
                places[here]
                    + most * ease(ways[here].min(length - ways[here]) / self.settings.taper)
            })
            .collect()
    }
}

/// What a place lacks to be as far from an obstacle as wanted. Inside it there is no telling which way leads out.
fn away(solid: &Solid, place: Vec2, wanted: f32) -> Vec2 {
    let distance = solid.distance_beside(place);
    if distance >= wanted {
        return Vec2::ZERO;
    }
    let slope =
        |step: Vec2| solid.distance_beside(place + step) - solid.distance_beside(place - step);
    let outwards = Vec2::new(slope(STEP * Vec2::X), slope(STEP * Vec2::Y));
    outwards.normalize_or_zero() * (wanted - distance)
}

/// The place of a way that is nearest to where a body is.
pub(crate) fn nearest(legs: &[StepLeg], body: Vec2) -> Option<Vec2> {
    let apart = |place: &&Vec2| place.distance_squared(body);
    walks(legs).flatten().min_by(|a, b| apart(a).total_cmp(&apart(b))).copied()
}

fn walks(legs: &[StepLeg]) -> impl Iterator<Item = &[Vec2]> {
    legs.iter().filter_map(|leg| match leg {
        StepLeg::Walk(places) => Some(&places[..]),
        StepLeg::Jump(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::ObstacleShape;
    use glam::{Vec3, vec2};

    fn post(x: f32, z: f32) -> Obstacle {
        let shape = ObstacleShape::Cylinder { radius: 0.2, height: 2.0 };
        Obstacle { name: "post".into(), shape, at: Vec3::new(x, 0.0, z), heading: 0.0 }
    }

    #[test]
    fn a_way_is_pushed_off_what_was_touched_and_keeps_its_ends() {
        let places: Vec<Vec2> = (0..=40).map(|k| vec2(0.0, 0.1 * k as f32)).collect();
        let room = Room { wanted: vec![(0, 0.4)], ..Room::default() };
        let pushed = room.pushed(&places, &[post(0.45, 2.0)]);
        assert_eq!((pushed[0], pushed[40]), (places[0], places[40]));
        let nearest = pushed.iter().map(|place| post(0.45, 2.0).distance_beside(*place));
        let nearest = nearest.fold(9.0, f32::min);
        assert!((0.39..0.45).contains(&nearest), "{nearest}");
        assert!(pushed.windows(2).all(|pair| pair[0].distance(pair[1]) < 0.16), "{pushed:?}");
        assert_eq!(pushed[5], places[5], "far away nothing changes");
    }

    #[test]
    fn a_course_that_cuts_a_corner_is_given_more_room_until_it_does_not() {
        let places: Vec<Vec2> = (0..=40).map(|k| vec2(0.0, 0.1 * k as f32)).collect();
        let mut room = Room { wanted: vec![(0, 0.3)], ..Room::default() };
        // A body that stays 0.05 m closer to the post than its way.
        let course = |room: &Room| -> Vec<Vec2> {
            let pushed = room.pushed(&places, &[post(0.45, 2.0)]);
            pushed.iter().map(|place| *place + vec2(0.05, 0.0)).collect()
        };
        let mut rounds = 0;
        while room.keep(&course(&room), 0.3, &[post(0.45, 2.0)]) {
            rounds += 1;
            assert!(rounds < 5, "{room:?}");
        }
        assert!(rounds > 0 && (0.34..0.37).contains(&room.wanted[0].1), "{room:?}");
    }

    #[test]
    fn between_two_things_a_way_is_led_through_the_middle() {
        let places: Vec<Vec2> = (0..=40).map(|k| vec2(0.05, 0.1 * k as f32)).collect();
        let room = Room { wanted: vec![(0, 0.4), (1, 0.4)], ..Room::default() };
        let posts = [post(0.5, 2.0), post(-0.5, 2.0)];
        let pushed = room.pushed(&places, &posts);
        let apart = [0, 1].map(|k| posts[k].distance_beside(pushed[20]));
        assert!((apart[0] - apart[1]).abs() < 0.11, "{apart:?}");
    }
}
