//! Normals from smoothing groups.

use glam::Vec3;

/// Different sets of groups that may meet in a vertex and be smooth together; real ones have a few. Further ones are left
/// flat, so that no file takes longer than its length says.
const MEETING: usize = 64;

/// The normal of every corner of every face: the mean, by area, of the faces at its vertex that have a group in common with its own.
/// A face of no group is flat.
pub(super) fn smoothed(positions: &[Vec3], faces: &[[u32; 3]], groups: &[u32]) -> Vec<[Vec3; 3]> {
    let across: Vec<Vec3> = faces
        .iter()
        .map(|face| {
            let [a, b, c] = face.map(|corner| positions[corner as usize]);
            // Corners far off would overflow; the direction stays the same.
            let size = (b - a).abs().max((c - a).abs()).max_element();
            if size > 0.0 {
                ((b - a) / size).cross((c - a) / size) * (size * size)
            } else {
                Vec3::ZERO
            }
        })
        .collect();
    // For every vertex the sums of faces with the same groups.
    let mut sums: Vec<Vec<(u32, Vec3)>> = vec![Vec::new(); positions.len()];
    for ((face, &groups), &across) in faces.iter().zip(groups).zip(&across) {
        for &corner in face.iter().filter(|_| groups != 0) {
            let own = &mut sums[corner as usize];
            match own.iter().position(|(other, _)| *other == groups) {
                Some(known) => own[known].1 += across,
                None if own.len() < MEETING => own.push((groups, across)),
                None => {}
            }
        }
    }
    let faces = faces.iter().zip(groups).zip(&across);
    faces
        .map(|((face, &groups), &across)| {
            let flat = across.normalize_or(Vec3::Y);
            face.map(|corner| {
                let meeting = sums[corner as usize].iter().filter(|(other, _)| other & groups != 0);
                let sum: Vec3 = meeting.map(|(_, sum)| *sum).sum();
                sum.normalize_or(flat)
            })
        })
        .collect()
}
