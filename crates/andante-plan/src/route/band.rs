//! A way that keeps off obstacles where there is room.
//!
//! After S. Quinlan and O. Khatib, "Elastic bands" (1993): the way is pulled straight and pushed off what is near.

use super::Walls;
use glam::Vec2;

andante_skeleton::settings! {
    /// Settings of the elastic band that a walk becomes to keep off obstacles.
    pub struct BandSettings: Copy {
        /// Distance between the places that move, in metres. Fewer follow corners less closely; more take longer.
        spacing: f32 = 0.2, 0.1..=0.5;
        /// How often each place is moved. At 0 the way stays along the walls.
        rounds: usize = 24, 10..=50;
        /// Part of the pull towards a straight line that is followed at a time.
        pull: f32 = 0.3, 0.1..=0.5;
        /// Part of the push off what is near that is followed at a time.
        push: f32 = 0.5, 0.1..=1.0;
        /// The farthest a place moves at a time, in metres.
        step: f32 = 0.05, 0.02..=0.1;
        /// The farthest a place moves in all, in metres.
        farthest: f32 = 0.4, 0.1..=1.0;
        /// Places this far along the way from what is pushed are pulled straight with it, in metres.
        tail: f32 = 1.0, 0.0..=2.0;
    }
}

/// The way with its places `room` farther from obstacles than they must be, where that can be had. Every segment is free
/// if every segment of `way` is; ends stay, and so does everything that is far from obstacles.
pub(super) fn eased(walls: &Walls, way: &[Vec2], room: f32, band: &BandSettings) -> Vec<Vec2> {
    let &BandSettings { spacing, rounds, pull, push, step, farthest, tail } = band;
    if room.is_nan() || room <= 0.0 || way.len() < 2 {
        return way.to_vec();
    }
    let mut places = resampled(way, spacing);
    let last = places.len() - 1;
    let tail = (tail / spacing) as usize;
    let pushed: Vec<bool> =
        places.iter().map(|&place| walls.push(place, room) != Vec2::ZERO).collect();
    let is_moved = |index: usize| {
        let around = index.saturating_sub(tail)..=(index + tail).min(last);
        pushed[around].contains(&true)
    };
    let moved: Vec<usize> = (1..last).filter(|&index| is_moved(index)).collect();
    if moved.is_empty() {
        return way.to_vec();
    }
    let home = places.clone();
    let reach = room + farthest + spacing;
    let near: Vec<Walls> = moved.iter().map(|&index| walls.near(home[index], reach)).collect();
    for _ in 0..rounds {
        for (&index, walls) in moved.iter().zip(&near) {
            let (before, place, after) = (places[index - 1], places[index], places[index + 1]);
            let straight = before.midpoint(after) - place;
            let shift = pull * straight + push * walls.push(place, room);
            let to = place + shift.clamp_length_max(step);
            if to.distance_squared(home[index]) < farthest * farthest
                && walls.edge_is_free(place, to)
                && walls.edge_is_free(to, before)
                && walls.edge_is_free(to, after)
            {
                places[index] = to;
            }
        }
    }
    places
}

/// Its corners, and places between them.
fn resampled(way: &[Vec2], spacing: f32) -> Vec<Vec2> {
    let mut places = Vec::new();
    for pair in way.windows(2) {
        let count = (pair[0].distance(pair[1]) / spacing).ceil().clamp(1.0, 1e5) as usize;
        places.extend((0..count).map(|part| pair[0].lerp(pair[1], part as f32 / count as f32)));
    }
    places.extend(way.last());
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::WalkableFloor;
    use andante_skeleton::Polyline;
    use glam::vec2;
    use proptest::prelude::*;

    fn slab(x: [f32; 2], z: [f32; 2]) -> Vec<Vec2> {
        vec![vec2(x[0], z[0]), vec2(x[1], z[0]), vec2(x[1], z[1]), vec2(x[0], z[1])]
    }

    #[test]
    fn a_corner_is_taken_with_room_and_a_door_in_its_middle() {
        let blocked = [slab([4.0, 6.0], [0.0, 6.0]), slab([4.0, 6.0], [6.9, 12.0])];
        let floor = WalkableFloor::new(&[slab([0.0, 12.0], [0.0, 12.0])], &blocked, &[]).unwrap();
        let mesh = floor.navmesh(0.3);
        let way = mesh.find(vec2(3.0, 1.0), vec2(7.0, 1.0)).unwrap();
        let eased = eased(mesh.walls(), &way, 0.12, &BandSettings::default());
        assert!(
            Polyline::length_of(&eased) < 1.03 * Polyline::length_of(&way),
            "{} {}",
            Polyline::length_of(&eased),
            Polyline::length_of(&way)
        );
        for place in eased.iter().filter(|place| (4.2..5.8).contains(&place.x)) {
            assert!((place.y - 6.45).abs() < 0.05, "{place}");
        }
        let corner = vec2(4.0, 6.0);
        let nearest =
            |way: &[Vec2]| way.iter().map(|place| place.distance(corner)).fold(f32::MAX, f32::min);
        assert!(nearest(&eased) > 0.37 && nearest(&way) < 0.31, "{}", nearest(&eased));
    }

    #[test]
    fn far_from_obstacles_nothing_changes() {
        let floor = WalkableFloor::new(&[slab([0.0, 12.0], [0.0, 12.0])], &[], &[]).unwrap();
        let way = [vec2(0.4, 0.4), vec2(6.0, 0.5), vec2(11.0, 11.0)];
        assert_eq!(eased(&floor.walls(0.3), &way, 0.12, &BandSettings::default()), way);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn whatever_stands_there_the_way_stays_free_and_nearly_as_short(
            posts in prop::collection::vec(((1.0f32..19.0, 1.0f32..19.0), 0.2f32..1.5), 0..15),
            boxes in prop::collection::vec(((1.0f32..17.0, 1.0f32..17.0), (0.5f32..4.0, 0.2f32..2.0)), 0..8),
            start in (0.5f32..19.5, 0.5f32..19.5), goal in (0.5f32..19.5, 0.5f32..19.5),
        ) {
            let posts: Vec<_> = posts.into_iter().map(|((x, y), radius)| (vec2(x, y), radius)).collect();
            let blocked: Vec<_> = boxes.into_iter().map(|((x, y), (w, d))| slab([x, x + w], [y, y + d])).collect();
            let floor = WalkableFloor::new(&[slab([0.0, 20.0], [0.0, 20.0])], &blocked, &posts).unwrap();
            let mesh = floor.navmesh(0.3);
            let way = mesh.find(Vec2::from(start), Vec2::from(goal));
            prop_assume!(way.is_ok());
            let way = way.unwrap();
            let eased = eased(mesh.walls(), &way, 0.12, &BandSettings::default());
            prop_assert_eq!((eased[0], eased[eased.len() - 1]), (way[0], way[way.len() - 1]));
            for pair in eased.windows(2) {
                prop_assert!(mesh.walls().edge_is_free(pair[0], pair[1]), "{:?}", pair);
            }
            prop_assert!(Polyline::length_of(&eased) <= 1.1 * Polyline::length_of(&way) + 0.1, "{} {}", Polyline::length_of(&eased), Polyline::length_of(&way));
        }
    }
}
