//! Crossing from one level to another where they lead over into each other.

use super::{Crossing, JumpLink, LinkSettings, Network, Places, RouteOptions};
use glam::Vec2;

/// Where levels lead over into each other, both ways.
pub(super) fn seams(places: &Places, settings: &LinkSettings) -> Vec<JumpLink> {
    let mut links = Vec::new();
    for seam in places.seams() {
        let [a, b] = seam.ends;
        let count = (a.distance(b) / settings.spacing).ceil().clamp(1.0, 1000.0) as usize;
        for part in 0..count {
            let at = a.lerp(b, (part as f32 + 0.5) / count as f32);
            let home = |level: usize, at: Vec2| {
                let mesh = &places.levels()[level].mesh;
                let island = mesh.island_of(at).filter(|_| mesh.walls().is_free(at));
                island.map(|island| ((level, island), at))
            };
            let (one, two) = (at - seam.over, at + seam.over);
            let (Some(one), Some(two)) = (home(seam.sheets[0], one), home(seam.sheets[1], two))
            else {
                continue;
            };
            for ((start, from), (end, to)) in [(one, two), (two, one)] {
                let crossing = Crossing::Seam(seam.ends);
                let (run_up, run_out, rise) = (from, to, 0.0);
                links.push(JumpLink { crossing, from, to, start, end, rise, run_up, run_out });
            }
        }
    }
    links
}

impl Network {
    /// Moves the places where seams are crossed to where the way is shortest.
    pub(super) fn straighten(
        &self,
        start: Vec2,
        goal: Vec2,
        hops: &mut [JumpLink],
        options: &RouteOptions,
    ) {
        let bends = hops.iter().filter(|hop| matches!(hop.crossing, Crossing::Seam(_))).count();
        for _ in 0..(2 + bends).min(8) * usize::from(bends > 0) {
            let mut moved = 0.0f32;
            for index in 0..hops.len() {
                let Crossing::Seam(portal) = hops[index].crossing else { continue };
                let JumpLink { from, to, start: near, end: far, .. } = hops[index];
                let (here, over) = (from.midpoint(to), 0.5 * (to - from));
                let before = index.checked_sub(1).map_or(start, |before| hops[before].run_out);
                let after = hops.get(index + 1).map_or(goal, |after| after.run_up);
                let way = |from: Vec2, to: Vec2, level: usize| {
                    self.walk(level, from, to, &options.method).map(|(way, _)| way)
                };
                let (Ok(to_here), Ok(from_here)) =
                    (way(before, from, near.0), way(to, after, far.0))
                else {
                    continue;
                };
                let is_other = |place: &&Vec2| place.distance(here) > over.length() + 1e-3;
                let last = to_here.iter().rev().find(is_other).copied().unwrap_or(here);
                let next = from_here.iter().find(is_other).copied().unwrap_or(here);
                let free = |at: Vec2| {
                    [(near, at - over), (far, at + over)].iter().all(|&((level, island), at)| {
                        let mesh = &self.places().levels()[level].mesh;
                        mesh.walls().is_free(at) && mesh.island_of(at) == Some(island)
                    })
                };
                let best = straight_over(portal, last, next);
                let tries = [1.0, 0.75, 0.5, 0.25].map(|part| here.lerp(best, part));
                let length = |at: Vec2| last.distance(at) + at.distance(next);
                let better = |at: &Vec2| length(*at) < length(here) - 1e-4 && free(*at);
                if let Some(at) = tries.into_iter().find(better) {
                    let hop = &mut hops[index];
                    (hop.from, hop.to) = (at - over, at + over);
                    (hop.run_up, hop.run_out) = (hop.from, hop.to);
                    moved = moved.max(at.distance(here));
                }
            }
            if moved < 0.01 {
                break;
            }
        }
    }
}

/// The place of a portal at which a way between two places is shortest.
fn straight_over([a, b]: [Vec2; 2], from: Vec2, to: Vec2) -> Vec2 {
    let along = b - a;
    let side = |place: Vec2| along.perp_dot(place - a).abs();
    // Beyond the portal as if it were on the other side, for ways that turn back.
    let part = side(from) / (side(from) + side(to)).max(1e-6);
    let foot = |place: Vec2| (place - a).dot(along) / along.length_squared().max(1e-12);
    let at = foot(from) + (foot(to) - foot(from)) * part;
    a.lerp(b, at.clamp(0.0, 1.0))
}
