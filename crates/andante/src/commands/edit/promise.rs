//! What an operation promises of the frames that it holds, and whether the result keeps it.

use andante_skeleton::{BodyPoint, Clip, Skeleton, Transform};
use glam::Vec3;
use std::ops::Range;

/// A promise about the frames in which an operation holds in full.
pub struct Promise {
    /// Who is meant: `LeftHand`, left foot.
    pub who: String,
    /// What the place is called.
    pub what: &'static str,
    pub place: PromisedPlace,
    pub frames: Range<usize>,
    /// Metres by which it may be missed.
    pub near: f32,
}

/// The place where somebody is to be.
pub enum PromisedPlace {
    /// A joint at a point of the world.
    At(usize, Vec3),
    /// Points of the body, each where it is on average: it stays.
    Still(Vec<BodyPoint>),
}

/// A promise that is not kept: how far off somebody is at most, in metres, and when.
#[derive(Clone, Copy)]
pub struct Missed {
    pub by: f32,
    pub time: f32,
}

impl Promise {
    /// Metres by which a joint that is to be somewhere may miss it.
    pub const NEAR: f32 = 5e-3;

    /// The miss of a clip that does not keep it.
    pub fn missed(&self, skeleton: &Skeleton, clip: &Clip) -> Option<Missed> {
        let mut models = vec![Transform::IDENTITY; skeleton.len()];
        let points = match &self.place {
            PromisedPlace::At(joint, _) => vec![BodyPoint { joint: *joint, offset: Vec3::ZERO }],
            PromisedPlace::Still(points) => points.clone(),
        };
        let mut places = Vec::with_capacity(self.frames.len());
        for frame in self.frames.clone() {
            skeleton.local_to_model(clip.frame(frame), &mut models);
            places.push(points.iter().map(|point| point.position(&models)).collect::<Vec<_>>());
        }
        let wanted: Vec<Vec3> = match &self.place {
            PromisedPlace::At(_, point) => vec![*point],
            PromisedPlace::Still(_) => {
                let mean = |point: usize| {
                    let sum: Vec3 = places.iter().map(|places| places[point]).sum();
                    sum / places.len().max(1) as f32
                };
                (0..points.len()).map(mean).collect()
            }
        };
        let mut worst = Missed { by: 0.0, time: 0.0 };
        for (frame, places) in self.frames.clone().zip(&places) {
            for (place, wanted) in places.iter().zip(&wanted) {
                let by = place.distance(*wanted);
                // What is no number is no place either.
                if by > worst.by || by.is_nan() {
                    worst = Missed { by, time: clip.frame_time(frame) };
                }
            }
        }
        (worst.by > self.near || worst.by.is_nan()).then_some(worst)
    }

    /// That it is missed, in words.
    pub fn in_words(&self, missed: &Missed) -> String {
        let Missed { by, time } = missed;
        match self.place {
            PromisedPlace::At(..) => {
                format!("{} stays {by:.3} m short of {} at {time:.2} s", self.who, self.what)
            }
            PromisedPlace::Still(_) => {
                format!("{} is {by:.3} m away from where it is locked at {time:.2} s", self.who)
            }
        }
    }
}
