//! Clips that can be played round and round.

use super::error::{EditError, check};
use super::time::needs;
use andante_skeleton::{Clip, Planar, RootMotion, Skeleton, rotation};
use glam::{Vec2, Vec3};

andante_skeleton::settings! {
    /// Options of making a clip cyclic.
    pub struct CycleOptions: Copy {
        /// Seconds at each end over which the difference in speed is worn off. Short windows change less of the clip
        /// but bend it more sharply; at most half of the clip is used.
        window: f32 = 0.25, 0.0..=1e3;
    }
}

/// Closes a clip with the least change: its last posture becomes its first, and joints pass the
/// seam without a jump in position or speed. What the root travels in a round stays, and its speed
/// at both ends becomes the same.
///
/// The difference in posture is spread over the whole clip as a straight line (mocap-tool
/// appendix B.1), which leaves the difference in speed as it is; that is then worn off near the ends.
pub fn make_cyclic(
    skeleton: &Skeleton,
    clip: &Clip,
    options: &CycleOptions,
) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    needs(clip, 4)?;
    options.check()?;
    let (in_place, travel) = RootMotion::extract(skeleton, clip)?;
    let start = super::join::placement(skeleton, clip.frame(0));
    let (joints, count) = (skeleton.len(), clip.frame_count());
    let bump = SmoothBump::new(count, clip.fps(), options.window);
    let mut transforms = in_place.into_transforms();

    for joint in 0..joints {
        let at = |frame: usize| frame * joints + joint;
        let (first, last) = (transforms[at(0)], transforms[at(count - 1)]);
        let drift = last.translation - first.translation;
        let turn = rotation::log(first.rotation.conjugate() * last.rotation);
        for frame in 0..count {
            // exp(½δ) leads from the first rotation halfway to the last, exp(−½δ) from the last back.
            let half = 0.5 - frame as f32 / (count - 1) as f32;
            let transform = &mut transforms[at(frame)];
            transform.translation += drift * half;
            transform.rotation *= rotation::exp(turn * half);
        }
        transforms[at(count - 1)] = transforms[at(0)];

        let moved = |a: usize, b: usize| {
            let (a, b) = (&transforms[at(a)], &transforms[at(b)]);
            (b.translation - a.translation, rotation::log(a.rotation.conjugate() * b.rotation))
        };
        let difference = |part: fn((Vec3, Vec3)) -> Vec3| {
            let ahead = end_rate(part(moved(0, 1)), part(moved(0, 2)));
            let behind =
                -end_rate(part(moved(count - 1, count - 2)), part(moved(count - 1, count - 3)));
            behind - ahead
        };
        let (speed, spin) = (difference(|m| m.0), difference(|m| m.1));
        for frame in 0..count {
            let weight = bump.at(frame);
            let transform = &mut transforms[at(frame)];
            transform.translation += speed * weight;
            transform.rotation = (transform.rotation * rotation::exp(spin * weight)).normalize();
        }
    }

    let in_place = Clip::new(clip.name(), skeleton, clip.fps(), transforms)?;
    let placed = steady_travel(travel.frames(), &bump);
    let mut transforms = in_place.into_transforms();
    for (pose, placed) in transforms.chunks_exact_mut(joints).zip(&placed) {
        pose[0] = start.then(placed).to_transform() * pose[0];
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// The largest angle of a joint between its first rotation in its parent and its last, in degrees: 0 of a clip that is closed.
/// The root may end facing elsewhere.
pub fn seam_deg(clip: &Clip) -> f32 {
    let (first, last) = (clip.frame(0), clip.frame(clip.frame_count() - 1));
    let turns = first.iter().zip(last).skip(1);
    let turns = turns.map(|(a, b)| rotation::angle_between(a.rotation, b.rotation));
    turns.fold(0.0, f32::max).to_degrees()
}

/// The change per frame at an end, to second order, from the changes over one frame and over two:
/// exact for a motion of constant acceleration.
fn end_rate(one: Vec3, two: Vec3) -> Vec3 {
    one * 2.0 - two * 0.5
}

/// A travel whose speed, as the traveller feels it, is the same at both ends.
fn steady_travel(frames: &[Planar], bump: &SmoothBump) -> Vec<Planar> {
    let count = frames.len();
    let seen = |from: usize, to: usize| {
        let step = frames[from].to(&frames[to]);
        Vec3::new(step.position.x, step.position.y, step.heading)
    };
    let ahead = end_rate(seen(0, 1), seen(0, 2));
    let behind = -end_rate(seen(count - 1, count - 2), seen(count - 1, count - 3));
    let difference = behind - ahead;
    let adjusted = |(frame, placed): (usize, &Planar)| {
        let change = difference * bump.at(frame);
        // The change belongs to the end it is near to and to the direction one faces there.
        let facing = if 2 * frame < count { frames[0].heading } else { frames[count - 1].heading };
        let shift = Planar::new(Vec2::ZERO, facing).then(&Planar::new(change.truncate(), 0.0));
        Planar::new(placed.position + shift.position, placed.heading + change.z)
    };
    frames.iter().enumerate().map(adjusted).collect()
}

/// A correction that is 0 at both ends, leaves the first at half a unit per frame and comes back to
/// the last as fast, and vanishes in between: half of a difference in speed for each end.
struct SmoothBump {
    count: usize,
    /// Frames per window.
    window: f32,
    scale: f32,
}

impl SmoothBump {
    fn new(count: usize, fps: f32, seconds: f32) -> Self {
        let half = 0.5 * (count - 1) as f32;
        let window = (seconds * fps).clamp(1.5f32.min(half), half);
        let mut bump = Self { count, window, scale: 1.0 };
        let rate = end_rate(Vec3::X * bump.at(1), Vec3::X * bump.at(2)).x;
        bump.scale = 0.5 / rate;
        bump
    }

    fn at(&self, frame: usize) -> f32 {
        // t (1 − t/w)² near the first frame, and its mirror image near the last.
        let (head, tail) = (frame as f32, (self.count - 1 - frame) as f32);
        let shape = |t: f32| t * (1.0 - t / self.window).max(0.0).powi(2);
        self.scale * (shape(head) + shape(tail))
    }
}
