//! What it costs to ask for the ground, with parry's tree of boxes as the peer for meshes.
//!
//! ```sh
//! cargo bench -p andante-world --bench probe
//! ```

#![allow(missing_docs, clippy::unwrap_used)]

use andante_world::{Area, Ground, HeightFunction, MeshGround, Ray, Terrain, TriangleMesh};
use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Vec2, Vec3};
use parry3d::query::RayCast;
use parry3d::shape::TriMesh;
use std::hint::black_box;

/// Places spread over the ground, none after its neighbour.
fn places() -> Vec<Vec3> {
    let place = |n: usize| {
        let (a, b) = (n as f32 * 0.754_877_7, n as f32 * 0.569_840_3);
        Vec3::new(19.0 * a.fract() - 9.5, 3.0, 19.0 * b.fract() - 9.5)
    };
    (0..1024).map(place).collect()
}

/// 10 082 triangles over 20 × 20 m.
fn hills() -> (Terrain, TriangleMesh) {
    let hills: Terrain = "hills:0.3:4".parse().unwrap();
    let mesh = hills.mesh(area(), 20.0 / 71.0).unwrap();
    (hills, mesh)
}

fn area() -> Area {
    Area::around(Vec2::ZERO, 10.0)
}

fn ask(c: &mut Criterion, name: &str, ground: &impl Ground) {
    let places = places();
    let mut next = 0;
    c.bench_function(&format!("probe/{name}"), |b| {
        b.iter(|| {
            next = (next + 1) % places.len();
            black_box(ground.probe(black_box(places[next]), 10.0))
        });
    });
}

fn probes(c: &mut Criterion) {
    let (hills, mesh) = hills();
    let grid = hills.sampled(area(), 20.0 / 71.0).unwrap();
    let ground = MeshGround::new(mesh.clone()).unwrap();
    ask(c, "height function", &HeightFunction::new(|p: Vec2| 0.3 * (1.0 - p.x.cos() * p.y.cos())));
    for word in ["flat", "slope:8", "stairs:0.17:0.28", "hills:0.3:4", "random:1"] {
        ask(c, word, &word.parse::<Terrain>().unwrap());
    }
    ask(c, "grid of 10k triangles", &grid);
    ask(c, "mesh of 10k triangles", &ground);
}

fn peers(c: &mut Criterion) {
    let (_, mesh) = hills();
    let peer = TriMesh::new(mesh.positions.clone(), mesh.triangles.clone()).unwrap();
    let ground = MeshGround::new(mesh.clone()).unwrap();
    let places = places();
    let mut next = 0;
    c.bench_function("probe/parry TriMesh of 10k triangles", |b| {
        b.iter(|| {
            next = (next + 1) % places.len();
            let ray = parry3d::query::Ray::new(black_box(places[next]), Vec3::NEG_Y);
            black_box(peer.cast_local_ray_and_get_normal(&ray, 10.0, true))
        });
    });
    let slanted = Vec3::new(1.0, -0.3, 0.4).normalize();
    c.bench_function("ray/mesh", |b| {
        b.iter(|| {
            next = (next + 1) % places.len();
            let ray = Ray::new(black_box(places[next]), slanted, 30.0).unwrap();
            black_box(ground.ray(&ray))
        });
    });
    c.bench_function("ray/parry TriMesh", |b| {
        b.iter(|| {
            next = (next + 1) % places.len();
            let ray = parry3d::query::Ray::new(black_box(places[next]), slanted);
            black_box(peer.cast_local_ray_and_get_normal(&ray, 30.0, true))
        });
    });
    c.bench_function("closest/mesh", |b| {
        b.iter(|| {
            next = (next + 1) % places.len();
            black_box(ground.closest(black_box(places[next]) - Vec3::Y * 2.0, 5.0))
        });
    });
    c.bench_function("closest/parry TriMesh", |b| {
        use parry3d::query::PointQuery;
        b.iter(|| {
            next = (next + 1) % places.len();
            let point = black_box(places[next]) - Vec3::Y * 2.0;
            black_box(peer.project_local_point(point, false))
        });
    });
    c.bench_function("build/mesh", |b| b.iter(|| MeshGround::new(mesh.clone()).unwrap()));
    c.bench_function("build/parry TriMesh", |b| {
        b.iter(|| TriMesh::new(mesh.positions.clone(), mesh.triangles.clone()).unwrap());
    });
}

criterion_group!(benches, probes, peers);
criterion_main!(benches);
