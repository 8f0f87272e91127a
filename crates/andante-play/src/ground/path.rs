//! The way a body goes, without the sway of its steps.

use andante_skeleton::{Planar, Skeleton, Transform, rotation};
use glam::Vec2;

/// The travel of a clip frame by frame, smoothed over a stride.
#[derive(Clone, Debug)]
pub(crate) struct CarriedPath {
    frames: Vec<Planar>,
    /// What leads from one round to the next, on the left of everything in the clip; none for a clip that
    /// does not repeat.
    pub round: Option<Planar>,
    /// The same in space.
    pub carry: Transform,
}

impl CarriedPath {
    /// From the placement of every joint per frame; `window` is the number of frames of a stride.
    pub fn new(
        skeleton: &Skeleton,
        hips: usize,
        models: &[Vec<Transform>],
        cyclic: bool,
        window: usize,
    ) -> Self {
        let rest = skeleton.rest_models()[hips].rotation;
        let mut raw: Vec<Planar> = Vec::with_capacity(models.len());
        for frame in models {
            let hips = frame[hips];
            let turned = Transform::new(hips.rotation * rest.conjugate(), hips.translation);
            let mut placed = Planar::from_transform(&turned);
            if let Some(before) = raw.last() {
                placed.heading =
                    before.heading + rotation::wrap_angle(placed.heading - before.heading);
            }
            raw.push(placed);
        }
        let last = raw.len() - 1;
        let round = (cyclic && last > 0).then(|| raw[last].then(&raw[0].inverse()));
        let at = |index: isize| match &round {
            Some(round) => {
                let period = last as isize;
                let within = raw[index.rem_euclid(period) as usize];
                match index.div_euclid(period) {
                    0 => within,
                    1.. => round.then(&within),
                    _ => round.inverse().then(&within),
                }
            }
            None => raw[index as usize],
        };
        let smooth = |frame: usize| {
            let mut radius = (window / 2).min(last);
            if round.is_none() {
                radius = radius.min(frame).min(last - frame);
            }
            let (mut position, mut heading, mut total) = (Vec2::ZERO, 0.0f32, 0.0f32);
            for offset in -(radius as isize)..=radius as isize {
                // The two ends of a whole stride are the same moment.
                let weight = if offset.unsigned_abs() == radius && radius > 0 { 0.5 } else { 1.0 };
                let near = at(frame as isize + offset);
                position += near.position * weight;
                heading += near.heading * weight;
                total += weight;
            }
            Planar::new(position / total, heading / total)
        };
        let carry = round.map_or(Transform::IDENTITY, |round| round.to_transform());
        Self { frames: (0..raw.len()).map(smooth).collect(), round, carry }
    }

    /// The placement at a time within the clip, given in frames.
    pub fn at(&self, frame: f32) -> Planar {
        let last = self.frames.len() - 1;
        let at = frame.max(0.0).min(last as f32);
        let index = (at as usize).min(last);
        self.frames[index].lerp(&self.frames[(index + 1).min(last)], at - index as f32)
    }
}
