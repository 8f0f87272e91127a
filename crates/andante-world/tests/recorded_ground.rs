//! Ground that somebody recorded by walking on it.

#![allow(clippy::unwrap_used)]

use andante_formats::{ReadOptions, read_file};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::rig::detect;
use andante_world::{Ground, Terrain};
use glam::{Vec3, Vec3Swizzles};

/// Where heels and balls of feet rested, in the middle of each contact, in order of time.
fn footfalls(file: &str) -> Option<Vec<Vec3>> {
    let path = andante_testdata::mocap(file)?;
    let asset = read_file(&path, &ReadOptions::default(), None).unwrap();
    let rig = detect(&asset.skeleton, &asset.clips).unwrap();
    let clip = &asset.clips[0];
    let analysis = analyse(&asset.skeleton, &rig, clip, &AnalysisOptions::default()).unwrap();
    Some(analysis.contacts.footfalls(&asset.skeleton, &rig, clip))
}

/// From the lowest to the highest of the ground where feet were.
fn unevenness(ground: &Terrain, points: &[Vec3]) -> f32 {
    let heights = points.iter().map(|point| ground.height_at(point.xz()).unwrap());
    let (low, high) =
        heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
    high - low
}

#[test]
fn uneven_ground_of_a_recording_is_found_where_the_feet_were() {
    for number in 1..=4 {
        let file = format!("cmu/03/03_0{number}.bvh");
        let Some(points) = footfalls(&file) else { return };
        let ground = Terrain::from_footfalls(&points, &Default::default()).unwrap();
        let mut misses: Vec<f32> = points
            .iter()
            .map(|&point| (ground.probe(point + Vec3::Y, 3.0).unwrap().point.y - point.y).abs())
            .collect();
        misses.sort_by(f32::total_cmp);
        let median = misses[misses.len() / 2];
        let uneven = unevenness(&ground, &points);
        assert!(median < 0.02, "{file}: {median} m from the footfalls");
        assert!(uneven > 0.1, "{file}: {uneven} m");
    }
}

#[test]
fn level_ground_of_a_recording_is_level() {
    let Some(points) = footfalls("cmu/16/16_15.bvh") else { return };
    let ground = Terrain::from_footfalls(&points, &Default::default()).unwrap();
    let uneven = unevenness(&ground, &points);
    assert!(uneven < 0.06, "{uneven} m");
}
