//! One ground, asked in several ways, gives one answer.

#![allow(clippy::unwrap_used)]

use andante_world::{
    Area, ClosestPoint, Formula, Grid, Ground, Hit, MeshGround, ProfileGround, Ray, Terrain,
    TriangleMesh,
};
use glam::{Affine3A, Vec2, Vec3};
use proptest::prelude::*;

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

/// Any triangles: steep, stacked, lying on each other.
fn soup() -> impl Strategy<Value = TriangleMesh> {
    let triangle = (vector(4.0), vector(2.0), vector(2.0));
    prop::collection::vec(triangle, 1..60).prop_map(|list| {
        let positions: Vec<Vec3> =
            list.into_iter().flat_map(|(a, b, c)| [a, a + b, a + c]).collect();
        let triangles = (0..positions.len() as u32 / 3).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]);
        let triangles = triangles.collect();
        TriangleMesh { positions, normals: Vec::new(), triangles }
    })
}

fn grid() -> impl Strategy<Value = Grid> {
    let height = prop_oneof![9 => -1.0f32..1.0, 1 => Just(f32::NAN)];
    (2usize..9, 2usize..9, prop::array::uniform2(0.2f32..2.0))
        .prop_flat_map(move |(columns, rows, cell)| {
            let heights = prop::collection::vec(height.clone(), columns * rows);
            (Just(columns), Just(rows), Just(Vec2::from(cell)), heights)
        })
        .prop_filter_map("all holes", |(columns, rows, cell, heights)| {
            Grid::new(Vec2::new(-3.0, -2.0), cell, columns, rows, heights).ok()
        })
}

/// Everything there is to stand on.
fn terrain() -> impl Strategy<Value = Terrain> {
    let words = prop::sample::select(vec![
        "flat",
        "slope:20:30",
        "slope:-35",
        "stairs:0.17:0.3",
        "stairs:-0.2:0.4",
        "hills:0.3:4",
        "random:3",
    ]);
    prop_oneof![
        words.prop_map(|word| word.parse().unwrap()),
        grid().prop_map(Terrain::from),
        soup().prop_map(|mesh| MeshGround::new(mesh).unwrap().into()),
        Just(Terrain::Formula(Formula::new(|p| 0.2 * (p.x + 0.5 * p.y).sin(), 0.25))),
        Just({
            let steps = [[-2.0, 0.0], [0.0, 0.5], [0.0, 1.0], [1.5, 0.2]].map(Vec2::from);
            ProfileGround::straight(&steps).unwrap().into()
        }),
        Just({
            let feet = [[0.0, 0.0, 0.0], [1.0, 0.3, 0.8], [2.0, 0.1, 2.1]].map(Vec3::from);
            Terrain::from_footfalls(&feet, &Default::default()).unwrap()
        }),
    ]
}

fn triangles(mesh: &TriangleMesh) -> impl Iterator<Item = [Vec3; 3]> {
    mesh.triangles.iter().map(|corners| corners.map(|vertex| mesh.positions[vertex as usize]))
}

/// Distance along a ray to a triangle, in double precision, by solving for plane and edges; `Err` if it passes
/// so near an edge, or so flat, that rounding may decide.
fn ray_meets(origin: Vec3, direction: Vec3, triangle: [Vec3; 3]) -> Result<Option<f64>, ()> {
    let [a, b, c] = triangle.map(|corner| corner.as_dvec3());
    let (o, d) = (origin.as_dvec3(), direction.as_dvec3().normalize());
    let normal = (b - a).cross(c - a);
    let slant = normal.dot(d) / normal.length();
    if normal.length() < 1e-3 || slant.abs() < 1e-2 {
        return Err(());
    }
    let distance = (a - o).dot(normal) / d.dot(normal);
    let p = o + distance * d;
    let sides = [(a, b), (b, c), (c, a)]
        .map(|(from, to)| (to - from).cross(p - from).dot(normal) / normal.length_squared());
    if sides.iter().any(|side| side.abs() < 1e-3) && sides.iter().all(|side| *side > -1e-3) {
        return Err(());
    }
    Ok((distance >= 0.0 && sides.iter().all(|side| *side >= 0.0)).then_some(distance))
}

/// The first triangle on a ray, found by asking all of them.
fn brute_force(mesh: &TriangleMesh, origin: Vec3, direction: Vec3) -> Result<Option<f64>, ()> {
    let mut best: Option<f64> = None;
    for triangle in triangles(mesh) {
        if let Some(found) = ray_meets(origin, direction, triangle)? {
            best = Some(best.map_or(found, |best| best.min(found)));
        }
    }
    Ok(best)
}

fn agree(a: Option<Hit>, b: Option<Hit>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a.point.distance(b.point) < 2e-3 && a.normal.distance(b.normal) < 2e-2
        }
        (None, None) => true,
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_probe_of_triangles_is_what_asking_each_of_them_gives(mesh in soup(), from in vector(5.0)) {
        let Ok(expected) = brute_force(&mesh, from, Vec3::NEG_Y) else { return Ok(()) };
        let found = MeshGround::new(mesh).unwrap().probe(from, f32::INFINITY);
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let (Some(found), Some(expected)) = (found, expected) {
            prop_assert!((f64::from(from.y - found.point.y) - expected).abs() < 1e-3);
            prop_assert!(found.normal.y > 0.0);
        }
    }

    #[test]
    fn a_ray_among_triangles_is_what_asking_each_of_them_gives(
        mesh in soup(), from in vector(9.0), direction in vector(1.0),
    ) {
        let Some(ray) = Ray::new(from, direction, 1000.0) else { return Ok(()) };
        let Ok(expected) = brute_force(&mesh, from, direction) else { return Ok(()) };
        let found = MeshGround::new(mesh).unwrap().ray(&ray);
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let (Some(found), Some(expected)) = (found, expected) {
            prop_assert!((f64::from(found.distance) - expected).abs() < 1e-2);
            prop_assert!(found.normal.dot(direction) <= 0.0);
        }
    }

    #[test]
    fn nothing_of_a_mesh_is_nearer_than_its_nearest_point(
        mesh in soup(), point in vector(9.0), part in prop::array::uniform2(0.0f32..1.0),
    ) {
        let ground = MeshGround::new(mesh.clone()).unwrap();
        let nearest = ground.closest(point, f32::INFINITY).unwrap();
        for [a, b, c] in triangles(&mesh) {
            let [u, v] = if part[0] + part[1] > 1.0 { part.map(|p| 1.0 - p) } else { part };
            for sample in [a, b, c, a + u * (b - a) + v * (c - a)] {
                prop_assert!(nearest.distance <= sample.distance(point) + 1e-4);
            }
        }
        prop_assert!((nearest.point.distance(point) - nearest.distance).abs() < 1e-4);
        prop_assert_eq!(ground.closest(point, nearest.distance * 0.99), None);
    }

    #[test]
    fn a_grid_is_stood_on_where_it_is_drawn(
        grid in grid(), from in vector(4.0), direction in vector(1.0),
    ) {
        let mesh = grid.mesh();
        let near_edge = brute_force(&mesh, from, Vec3::NEG_Y).is_err();
        let Ok(drawn) = MeshGround::new(mesh.clone()) else { return Ok(()) };
        if !near_edge {
            prop_assert!(agree(grid.probe(from, 9.0), drawn.probe(from, 9.0)));
        }
        if let (Some(ray), Ok(expected)) =
            (Ray::new(from, direction, 100.0), brute_force(&mesh, from, direction))
        {
            let found = grid.ray(&ray).map(|touch| touch.distance);
            prop_assert_eq!(found.is_some(), expected.is_some());
            prop_assert!(found.zip(expected).is_none_or(|(f, e)| (f64::from(f) - e).abs() < 1e-3));
        }
        let nearest = |touch: Option<ClosestPoint>| touch.map(|touch| touch.distance);
        let (a, b) = (grid.closest(from, 3.0), drawn.closest(from, 3.0));
        let same = match (nearest(a), nearest(b)) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-4,
            (a, b) => a == b || a.or(b).is_some_and(|d| (d - 3.0).abs() < 1e-3),
        };
        prop_assert!(same);
    }

    #[test]
    fn a_ray_straight_down_meets_what_a_probe_meets(terrain in terrain(), from in vector(4.0)) {
        let ray = Ray::new(from, Vec3::NEG_Y, 10.0).unwrap();
        let (probe, ray) = (terrain.probe(from, 10.0), terrain.ray(&ray));
        let steady = [Vec3::X, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Z, Vec3::Y, Vec3::NEG_Y]
            .iter()
            .all(|&way| agree(terrain.probe(from + 1e-4 * way, 10.0), probe));
        // From below, a ray down meets nothing that a probe meets, and the other way round.
        let same = match (probe, ray) {
            (Some(probe), Some(ray)) => probe.point.distance(ray.point) < 2e-3,
            (None, None) => true,
            _ => false,
        };
        prop_assert!(same || !steady, "{probe:?} {ray:?}");
    }

    #[test]
    fn stretched_terrain_is_the_question_shrunk(
        terrain in terrain(), from in vector(4.0), scale in prop::array::uniform3(0.5f32..2.0),
    ) {
        let scale = Vec3::from(scale);
        let large = terrain.scaled(scale).unwrap();
        let expected = terrain.probe(from, f32::INFINITY).map(|hit| hit.point.y * scale.y);
        let found = large.probe(from * scale, f32::INFINITY).map(|hit| hit.point.y);
        let steady = [Vec3::X, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Z, Vec3::Y, Vec3::NEG_Y].iter().all(|&way| {
            agree(terrain.probe(from + 1e-4 * way, f32::INFINITY), terrain.probe(from, f32::INFINITY))
        });
        let same = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-3,
            (None, None) => true,
            _ => false,
        };
        prop_assert!(same || !steady, "{found:?} {expected:?}");
    }

    #[test]
    fn the_nearest_point_lies_on_the_ground_and_none_below_is_nearer(
        terrain in terrain(), point in vector(3.0), offset in prop::array::uniform2(-2.0f32..2.0),
    ) {
        let Some(touch) = terrain.closest(point, 5.0) else { return Ok(()) };
        prop_assert!((touch.point.distance(point) - touch.distance).abs() < 1e-4);
        prop_assert!(touch.normal.is_normalized());
        let beside = point + Vec3::new(offset[0], 9.0, offset[1]);
        if let Some(hit) = terrain.probe(beside, 20.0) {
            prop_assert!(touch.distance <= hit.point.distance(point) + 2e-3);
        }
    }

    #[test]
    fn questions_with_any_numbers_are_answered(
        terrain in terrain(),
        numbers in prop::array::uniform7(prop_oneof![4 => -100.0f32..100.0, 1 => any::<f32>()]),
    ) {
        let [a, b, c, d, e, f, g] = numbers;
        let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
        let hit = terrain.probe(from, g);
        prop_assert!(hit.is_none_or(|hit| hit.point.is_finite() && hit.normal.is_normalized()));
        prop_assert!(hit.is_none_or(|hit| hit.point.y <= from.y));
        if let Some(ray) = Ray::new(from, to, g.min(30.0)) {
            prop_assert!(terrain.ray(&ray).is_none_or(|touch| touch.point.is_finite()));
        }
        let touch = terrain.closest(from, g.min(50.0));
        prop_assert!(touch.is_none_or(|touch| touch.point.is_finite()));
    }
}

#[test]
fn the_steps_of_a_mesh_are_vertical_and_the_treads_level() {
    for word in ["stairs:0.17:0.28", "stairs:-0.17:0.28"] {
        let terrain: Terrain = word.parse().unwrap();
        let mesh =
            terrain.mesh(Area::new(Vec2::new(-1.0, -1.0), Vec2::new(1.0, 6.0)), 0.5).unwrap();
        for [a, b, c] in triangles(&mesh) {
            let normal = (b - a).cross(c - a).normalize();
            let riser = if word.contains('-') { Vec3::Z } else { Vec3::NEG_Z };
            assert!(normal == Vec3::Y || normal == riser, "{normal}");
        }
        let drawn = MeshGround::new(mesh).unwrap();
        for step in 0..1000 {
            let from = Vec3::new(0.3, 5.0, -0.9 + 0.0067 * step as f32);
            assert_eq!(
                drawn.probe(from, 9.0).unwrap().point,
                terrain.probe(from, 9.0).unwrap().point
            );
        }
    }
}

#[test]
fn meshes_of_curved_ground_are_within_the_bound_of_their_cells() {
    let terrain: Terrain = "hills:0.3:4".parse().unwrap();
    let cell = 0.1;
    let mesh = terrain.mesh(Area::around(Vec2::ZERO, 3.0), cell).unwrap();
    let drawn = MeshGround::new(mesh).unwrap();
    // A chord of a curve is at most curvature · length² / 8 away from it.
    let wave = std::f32::consts::TAU / 4.0;
    let bound = 2.0 * 0.3 * wave * wave * 2.0 * cell * cell / 8.0;
    for step in 0..2000 {
        let from = Vec3::new(-2.9 + 0.0029 * step as f32, 5.0, (0.37 * step as f32).sin() * 2.9);
        let (a, b) = (drawn.probe(from, 9.0).unwrap(), terrain.probe(from, 9.0).unwrap());
        assert!((a.point.y - b.point.y).abs() <= bound);
    }
    // What is sampled is what is drawn.
    let sampled = terrain.sampled(Area::around(Vec2::ZERO, 3.0), cell).unwrap();
    for step in 0..2000 {
        let from = Vec3::new(-2.9 + 0.0029 * step as f32, 5.0, (0.37 * step as f32).sin() * 2.9);
        let (a, b) = (drawn.probe(from, 9.0).unwrap(), sampled.probe(from, 9.0).unwrap());
        assert!((a.point.y - b.point.y).abs() <= 1e-5);
    }
    assert_eq!(sampled.probe(Vec3::new(3.1, 5.0, 0.0), 9.0), None);
}

#[test]
fn a_foot_falls_through_no_seam() {
    let terrain: Terrain = "random:5".parse().unwrap();
    let mesh = terrain.mesh(Area::around(Vec2::ZERO, 2.0), 0.13).unwrap();
    let turned = Affine3A::from_rotation_y(0.4);
    let drawn = MeshGround::new(mesh.transformed(&turned)).unwrap();
    let mut corners = 0;
    for [a, b, c] in triangles(&drawn.mesh().clone()) {
        for part in 0..=10 {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let place = from.lerp(to, part as f32 / 10.0);
                assert!(drawn.probe(place + Vec3::Y, 3.0).is_some(), "at {place}");
                corners += 1;
            }
        }
    }
    assert!(corners > 10_000);
}
