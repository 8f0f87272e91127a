//! Where a film is seen from.

use andante_take::{Take, Track};
use glam::{Vec2, Vec3};

/// The camera of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Camera {
    /// From ahead and to the side, moving along.
    #[default]
    Follow,
    /// Going round.
    Orbit,
    /// From above, +Z up.
    Top,
    /// From the side, level.
    Side,
}

/// An eye and what it looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eye {
    pub at: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    /// Away from what is seen.
    pub back: Vec3,
    /// What it looks at.
    pub centre: Vec3,
}

impl Camera {
    /// The eye at a moment, for somebody of a size; an orbit turns by `round` radians a second.
    pub(super) fn eye(self, track: &Track, time: f32, size: f32, round: f32) -> Eye {
        // Averages over time: the camera does not nod with every step.
        let centre = mean(track, time, 0.35).0;
        let heading = mean(track, time, 1.2).1;
        let (turn, rise, distance, fixed) = match self {
            Self::Follow => (heading + 0.85, 0.30, 3.4, None),
            Self::Orbit => (heading_of(track) + 0.8 + round * time, 0.38, 3.6, None),
            Self::Side => (heading - std::f32::consts::FRAC_PI_2, 0.06, 3.4, None),
            Self::Top => (0.0, 1.55, 3.8, Some((Vec3::NEG_X, Vec3::Z))),
        };
        let (sin, cos) = libm::sincosf(turn);
        let (up, level) = libm::sincosf(rise);
        let back = Vec3::new(sin * level, up, cos * level);
        let right = Vec3::Y.cross(back).normalize_or(Vec3::X);
        let (right, above) = fixed.unwrap_or((right, back.cross(right)));
        let back = right.cross(above);
        Eye { at: centre + back * (distance * size), right, up: above, back, centre }
    }
}

/// Where the hips are and where the body faces, averaged over some seconds around a moment.
fn mean(track: &Track, time: f32, around: f32) -> (Vec3, f32) {
    const SAMPLES: i32 = 7;
    let last = track.clip.frame_count() - 1;
    let (mut sum, mut facing) = (Vec3::ZERO, Vec2::ZERO);
    for sample in -SAMPLES..=SAMPLES {
        let moment = time + around * sample as f32 / SAMPLES as f32;
        let frame = ((moment * track.clip.fps()).round().max(0.0) as usize).min(last);
        sum += track.clip.frame(frame)[0].translation;
        let heading = track.body.get(frame).map_or(0.0, |place| place.heading);
        facing += Vec2::from_angle(heading);
    }
    (sum / (2 * SAMPLES + 1) as f32, facing.to_angle())
}

fn heading_of(track: &Track) -> f32 {
    track.body.first().map_or(0.0, |place| place.heading)
}

/// The track that is looked at.
pub(super) fn star(take: &Take, track: Option<usize>) -> Option<&Track> {
    take.tracks.get(track.unwrap_or(0))
}
