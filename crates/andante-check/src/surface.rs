//! The triangles one stands on, made from the numbers of a scene.

use andante_world::{Area, GroundPatch, Terrain, TriangleMesh};
use glam::{Vec2, Vec3};

/// A part of a patch that is made at once: all of it, or of curved ground a tile.
pub(crate) fn triangles(patch: &GroundPatch, area: Area, cell_m: f32) -> Vec<[Vec3; 3]> {
    let ears = ears(&patch.platform.outline);
    let lifted = |at: Vec3| at + Vec3::Y * patch.platform.height_at(Vec2::new(at.x, at.z));
    let Some(terrain) = &patch.terrain else {
        let at = |place: Vec2| lifted(Vec3::new(place.x, 0.0, place.y));
        return ears.into_iter().map(|ear| ear.map(at)).collect();
    };
    // An area that cannot be covered has no ground, and whoever stands there stands in the air.
    let Ok(mesh) = terrain.mesh(area, cell_m) else { return Vec::new() };
    let mut found = Vec::with_capacity(mesh.triangles.len());
    for corners in &mesh.triangles {
        let corners = corners.map(|corner| mesh.positions[corner as usize]);
        let within = |ear: &[Vec2; 3]| corners.iter().all(|&at| covers(ear, flat(at)));
        // Most lie wholly over one ear.
        if ears.iter().any(within) {
            found.push(corners.map(lifted));
            continue;
        }
        for ear in &ears {
            let kept = clipped(&corners, ear);
            let fan = (2..kept.len()).map(|last| [kept[0], kept[last - 1], kept[last]]);
            found.extend(fan.map(|corners| corners.map(lifted)));
        }
    }
    found
}

/// The same triangles as a mesh, cell by cell and row by row with two in each, of curved ground that is everywhere in an
/// area so many cells wide and deep; none if it is not, or not plainly so.
pub(crate) fn whole(patch: &GroundPatch, area: Area, cells: usize) -> Option<TriangleMesh> {
    let cell_m = area.size().x / cells as f32;
    // Rounding stays on the safe side.
    let wider = Area::new(area.low - cell_m, area.high + cell_m);
    if !is_curved(patch) || !lies_within(&wider, &patch.platform.outline) {
        return None;
    }
    let mut mesh = patch.terrain.as_ref()?.mesh(area, cell_m).ok()?;
    for at in &mut mesh.positions {
        *at += Vec3::Y * patch.platform.height_at(flat(*at));
    }
    let has_all = mesh.triangles.len() == 2 * cells * cells
        && mesh.positions.len() == (cells + 1) * (cells + 1);
    (has_all && mesh.positions.iter().all(|at| at.is_finite())).then_some(mesh)
}

/// Whether ground is curved everywhere, so that it is made tile by tile.
pub(crate) fn is_curved(patch: &GroundPatch) -> bool {
    matches!(
        patch.terrain,
        Some(Terrain::Hills(_) | Terrain::Bumps(_) | Terrain::Formula(_) | Terrain::Own(_))
    )
}

/// The rectangle around a patch.
pub(crate) fn area(patch: &GroundPatch) -> Area {
    let corners = || patch.platform.outline.iter().copied();
    Area::new(
        corners().fold(Vec2::INFINITY, Vec2::min),
        corners().fold(Vec2::NEG_INFINITY, Vec2::max),
    )
}

/// An outline as triangles, ear by ear. Of one that crosses itself what is left is a fan.
fn ears(outline: &[Vec2]) -> Vec<[Vec2; 3]> {
    let mut rest: Vec<Vec2> = outline.to_vec();
    let turn = |a: Vec2, b: Vec2, c: Vec2| (b - a).perp_dot(c - a);
    let nexts = outline.iter().skip(1).chain(outline.first());
    let side = outline.iter().zip(nexts).map(|(a, b)| a.perp_dot(*b)).sum::<f32>().signum();
    let mut found = Vec::with_capacity(outline.len());
    while rest.len() > 3 {
        let count = rest.len();
        let is_ear = |&tip: &usize| {
            let [a, b, c] = [count - 1, 0, 1].map(|step| rest[(tip + step) % count]);
            let covers = |p: &Vec2| {
                *p != a
                    && *p != b
                    && *p != c
                    && [[a, b], [b, c], [c, a]]
                        .iter()
                        .all(|[from, to]| side * turn(*from, *to, *p) >= 0.0)
            };
            side * turn(a, b, c) > 0.0 && !rest.iter().any(covers)
        };
        let tip = (0..count).find(is_ear).unwrap_or(0);
        found.push([count - 1, 0, 1].map(|step| rest[(tip + step) % count]));
        rest.remove(tip);
    }
    if let [a, b, c] = rest[..] {
        found.push([a, b, c]);
    }
    found
}

/// Whether all of an area is within an outline: no side of that comes near, and one corner is inside.
fn lies_within(area: &Area, outline: &[Vec2]) -> bool {
    let Area { low, high } = *area;
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    let nexts = outline.iter().skip(1).chain(outline.first());
    let mut is_inside = false;
    for (&a, &b) in outline.iter().zip(nexts) {
        let is_beside = a.max(b).cmplt(low).any() || a.min(b).cmpgt(high).any();
        let sides = corners.map(|corner| (b - a).perp_dot(corner - a));
        let is_on_one_side =
            sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0);
        if !is_beside && !is_on_one_side {
            return false;
        }
        // Sides of the outline that are crossed on the way to the right.
        is_inside ^= (a.y > low.y) != (b.y > low.y)
            && low.x < a.x + (b.x - a.x) * (low.y - a.y) / (b.y - a.y);
    }
    is_inside
}

fn flat(at: Vec3) -> Vec2 {
    Vec2::new(at.x, at.z)
}

fn covers(ear: &[Vec2; 3], place: Vec2) -> bool {
    let turn = |from: Vec2, to: Vec2, at: Vec2| (to - from).perp_dot(at - from);
    let side = turn(ear[0], ear[1], ear[2]).signum();
    [[0, 1], [1, 2], [2, 0]].iter().all(|&[a, b]| side * turn(ear[a], ear[b], place) >= 0.0)
}

/// The part of a triangle that lies over an ear (Sutherland and Hodgman 1974).
fn clipped(corners: &[Vec3; 3], ear: &[Vec2; 3]) -> Vec<Vec3> {
    let side = (ear[1] - ear[0]).perp_dot(ear[2] - ear[0]).signum();
    let mut kept = corners.to_vec();
    for index in 0..3 {
        let (from, to) = (ear[index], ear[(index + 1) % 3]);
        let inside = |at: Vec3| side * (to - from).perp_dot(flat(at) - from);
        let before = std::mem::take(&mut kept);
        for here in 0..before.len() {
            let (a, b) = (before[here], before[(here + 1) % before.len()]);
            let (p, q) = (inside(a), inside(b));
            if p >= 0.0 {
                kept.push(a);
            }
            if p * q < 0.0 {
                kept.push(a.lerp(b, p / (p - q)));
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::Platform;

    fn flat_area(triangles: &[[Vec3; 3]]) -> f32 {
        let area = |[a, b, c]: &[Vec3; 3]| 0.5 * (b - a).cross(c - a).y.abs();
        triangles.iter().map(area).sum()
    }

    #[test]
    fn outlines_with_corners_inwards_are_covered_once_either_way_round() {
        let shape = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let mut outline: Vec<Vec2> = shape.into_iter().map(Vec2::from).collect();
        for _ in 0..2 {
            let patch = GroundPatch {
                platform: Platform::level("ground", outline.clone(), 0.5),
                terrain: None,
            };
            let found = triangles(&patch, area(&patch), 0.1);
            assert!((flat_area(&found) - 6.0).abs() < 1e-4);
            outline.reverse();
        }
    }

    #[test]
    fn an_area_is_within_an_outline_if_all_of_it_is() {
        let shape = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]];
        let outline = shape.map(Vec2::from);
        let within = |x: f32, z: f32, size: f32| {
            let low = Vec2::new(x, z);
            lies_within(&Area::new(low, low + size), &outline)
        };
        assert!(within(0.1, 0.1, 0.8) && within(3.0, 0.2, 0.7) && within(0.2, 2.0, 0.6));
        assert!(!within(0.5, 0.5, 1.0) && !within(2.0, 1.5, 0.5) && !within(-1.0, -1.0, 6.0));
        assert!(!within(3.8, 0.2, 0.7) && !within(5.0, 0.2, 0.1));
    }

    #[test]
    fn terrain_ends_at_the_rim_of_its_platform() {
        let outline = vec![Vec2::ZERO, Vec2::new(3.0, 0.0), Vec2::new(0.0, 3.0)];
        let terrain: Terrain = "hills:0.2:2".parse().unwrap();
        let patch =
            GroundPatch { platform: Platform::level("hill", outline, 0.0), terrain: Some(terrain) };
        let found = triangles(&patch, area(&patch), 0.1);
        assert!((flat_area(&found) - 4.5).abs() < 1e-3, "{}", flat_area(&found));
    }
}
