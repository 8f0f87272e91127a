//! A cycle on its own: closed, in place, at equidistant phases, with the arc it travels.

use super::stride::{ClipStride, placement};
use andante_play::repertoire::{PHASES, PhaseMap, Twist};
use andante_skeleton::{Character, Clip, ClipError, CompactClip, Planar, Transform, rotation};
use glam::Vec3;

/// A cycle in place and its travel per round.
pub(super) struct Baked {
    pub clip: CompactClip,
    pub round: Twist,
}

/// How a cycle travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CycleTravel {
    /// Nowhere: what drift there is does not count.
    Nowhere,
    /// Along an arc.
    Steady,
}

/// Makes clips in place out of strides.
pub(super) struct Baker<'a> {
    pub character: &'a Character,
    pub name: &'a str,
    pub stride: &'a ClipStride<'a>,
    /// Height of the ground in the source; it becomes 0.
    pub ground: f32,
    /// A gait this close to straight ahead or back, in radians, goes exactly there.
    pub straight: f32,
}

impl Baker<'_> {
    /// Cuts a stride out at equidistant phases (mocap-tool appendix B.1). The travel becomes the arc
    /// that leads from its start to its end; sway, surge and swivel about the arc stay in the pose.
    /// What does not match between start and end is spread over the cycle.
    pub fn cycle(
        &self,
        map: &PhaseMap,
        samples: usize,
        going: CycleTravel,
    ) -> Result<Baked, ClipError> {
        let joints = self.character.skeleton.len();
        let (round, frames, mut poses) = self.travelled(joints, map, samples, going);
        self.put_in_place(&mut poses, &frames);
        close(&mut poses, joints);
        let clip = Clip::new(self.name, &self.character.skeleton, samples as f32, poses)?;
        Ok(Baked { clip: CompactClip::new(&clip), round })
    }

    /// The travel of such a cycle per round.
    pub fn round(&self, map: &PhaseMap, samples: usize, going: CycleTravel) -> Twist {
        // Joints come after their parents.
        self.travelled(self.character.rig.hips + 1, map, samples, going).0
    }

    /// The travel per round, where the course is at each sample, and the poses, which are not in place yet; the first
    /// joints of them, which are the hips and all that they hang on or more.
    fn travelled(
        &self,
        joints: usize,
        map: &PhaseMap,
        samples: usize,
        going: CycleTravel,
    ) -> (Twist, Vec<Planar>, Vec<Transform>) {
        let phase = |sample: usize| sample as f32 / samples as f32;
        let mut poses = vec![Transform::IDENTITY; (samples + 1) * joints];
        for (sample, pose) in poses.chunks_exact_mut(joints).enumerate() {
            let time = self.stride.range.start + map.seconds(phase(sample));
            self.stride.sample_first(joints, time, pose);
        }
        let places = self.places(joints, &poses);
        let parts: Vec<f32> = (0..=samples).map(|k| map.seconds(phase(k)) / map.period()).collect();
        let (round, frames) = arc(&places, &parts, going, self.straight);
        (round, frames, poses)
    }

    /// A clip that is played once, in place, and its placements frame by frame.
    pub fn once(&self, clip: &Clip) -> Result<(CompactClip, Vec<Planar>), ClipError> {
        let mut poses = clip.transforms().to_vec();
        let places = self.places(self.character.skeleton.len(), &poses);
        self.put_in_place(&mut poses, &places);
        let travel = places.iter().map(|place| places[0].to(place)).collect();
        let rate = (clip.frame_count() - 1).max(1) as f32;
        let in_place = Clip::new(self.name, &self.character.skeleton, rate, poses)?;
        Ok((CompactClip::new(&in_place), travel))
    }

    /// Where the hips are, with headings that go on beyond half a turn.
    fn places(&self, joints: usize, poses: &[Transform]) -> Vec<Planar> {
        let Character { skeleton, rig, .. } = self.character;
        let mut places: Vec<Planar> = Vec::with_capacity(poses.len() / joints);
        for pose in poses.chunks_exact(joints) {
            let mut place = placement(skeleton, rig, pose);
            if let Some(before) = places.last() {
                let turn = rotation::wrap_angle(place.heading - before.heading);
                place.heading = before.heading + turn;
            }
            places.push(place);
        }
        places
    }

    fn put_in_place(&self, poses: &mut [Transform], frames: &[Planar]) {
        let joints = self.character.skeleton.len();
        for (pose, frame) in poses.chunks_exact_mut(joints).zip(frames) {
            pose[0] = frame.to_transform().inverse() * pose[0];
            pose[0].translation.y -= self.ground;
        }
    }
}

/// The arc a body travels along, and its placement at each sample: the mean course, along which the
/// hips have no offset on average.
fn arc(
    places: &[Planar],
    parts: &[f32],
    going: CycleTravel,
    straight: f32,
) -> (Twist, Vec<Planar>) {
    let (first, last) = (places[0], places[places.len() - 1]);
    let total = match going {
        CycleTravel::Nowhere => Planar::IDENTITY,
        CycleTravel::Steady => first.to(&last),
    };
    let round = Twist::to(&total);
    let base = |part: f32| first.then(&round.after(part));
    let mut mean = Planar::IDENTITY;
    let count = (places.len() - 1).max(1);
    for (place, &part) in places.iter().zip(parts).take(count) {
        let offset = base(part).to(place);
        mean.position += offset.position / count as f32;
        mean.heading += offset.heading / count as f32;
    }
    // The same arc for somebody who stands elsewhere beside it.
    let seen_from = |offset: &Planar| Twist::to(&offset.inverse().then(&total).then(offset));
    let v = seen_from(&mean).velocity;
    let aside = libm::atan2f(v.x, v.y.abs());
    if v.length() > 1e-3 && aside.abs() < straight {
        mean.heading += if v.y > 0.0 { aside } else { -aside };
    }
    let frames = parts.iter().map(|&part| base(part).then(&mean)).collect();
    (seen_from(&mean), frames)
}

/// Spreads the difference between the last and the first pose over all of them.
fn close(poses: &mut [Transform], joints: usize) {
    let last = poses.len() / joints - 1;
    for joint in 0..joints {
        let (start, end) = (poses[joint], poses[last * joints + joint]);
        let gap = start.translation - end.translation;
        let turn = rotation::log(start.rotation * end.rotation.conjugate());
        if gap == Vec3::ZERO && turn == Vec3::ZERO {
            continue;
        }
        for (sample, pose) in poses.chunks_exact_mut(joints).enumerate() {
            let share = sample as f32 / last as f32 - 0.5;
            pose[joint].translation += gap * share;
            pose[joint].rotation = rotation::exp(turn * share) * pose[joint].rotation;
        }
        poses[last * joints + joint] = poses[joint];
    }
}

/// Samples for a motion without steps, which need not be as dense.
pub(super) fn slow_samples(seconds: f32) -> usize {
    ((seconds * 30.0).round() as usize).clamp(1, 4 * PHASES)
}
