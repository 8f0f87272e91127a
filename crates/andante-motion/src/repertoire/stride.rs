//! The stretch of a clip that is one cycle of a gait, and the events in it.

use crate::planted::in_rounds;
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Clip, Planar, Rig, Skeleton, Transform, Wrap, rotation};

/// One cycle within a clip, from a strike of the first foot to its next.
pub(super) struct ClipStride<'a> {
    clip: &'a Clip,
    pub contacts: Contacts,
    pub range: Interval,
    /// What one round of a cyclic clip leads to.
    round: Option<Transform>,
}

/// When in a stride, as parts of it, a foot touches and leaves the ground.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct FootEvents {
    /// The first part of the foot comes down.
    pub strike: Option<f32>,
    /// Heel down, ball down, heel up, ball up.
    pub parts: [Option<f32>; 4],
}

impl<'a> ClipStride<'a> {
    /// A whole clip, whatever happens in it.
    pub fn whole(clip: &'a Clip, contacts: &Contacts) -> Self {
        let range = Interval::new(0.0, clip.duration());
        Self { clip, contacts: contacts.clone(), range, round: None }
    }

    /// The cycle of a cyclic clip, beginning with the first strike of the first foot.
    pub fn cyclic(skeleton: &Skeleton, rig: &Rig, clip: &'a Clip, contacts: &Contacts) -> Self {
        let period = clip.duration();
        let [first, last] = [0, clip.frame_count() - 1]
            .map(|frame| placement(skeleton, rig, clip.frame(frame)).to_transform());
        let round = last * first.inverse();
        // A round before and one after too, so that a cycle can be cut out from anywhere.
        let rounds = [-period, 0.0, period].into_iter();
        let contacts = in_rounds(contacts, rounds, |end, start| start <= end + 1e-3);
        let strikes = contacts.feet.first().map(FootContacts::stance).unwrap_or_default();
        let inside = strikes.iter().map(|s| s.start).find(|t| (-1e-3..period - 1e-3).contains(t));
        let start = inside.unwrap_or(0.0).max(0.0);
        Self { clip, contacts, range: Interval::new(start, start + period), round: Some(round) }
    }

    /// The stride of a recorded clip whose ends are most alike, of those that last about as long as
    /// most do.
    pub fn best(clip: &'a Clip, contacts: &Contacts) -> Option<Self> {
        let first = contacts.feet.first()?;
        let strikes: Vec<f32> =
            first.stance().iter().map(|stance| stance.start).filter(|&t| t > 1e-3).collect();
        let mut periods: Vec<f32> = strikes.windows(2).map(|pair| pair[1] - pair[0]).collect();
        periods.sort_by(f32::total_cmp);
        let usual = *periods.get(periods.len() / 2)?;
        let mut poses = [clip.frame(0).to_vec(), clip.frame(0).to_vec()];
        let mut best: Option<(f32, Interval)> = None;
        for pair in strikes.windows(2) {
            let range = Interval::new(pair[0], pair[1]);
            if !(0.2..4.0).contains(&range.length()) {
                continue;
            }
            clip.sample(range.start, Wrap::Clamp, &mut poses[0]);
            clip.sample(range.end, Wrap::Clamp, &mut poses[1]);
            let complete = contacts.feet.iter().all(|foot| events(foot, &range).strike.is_some());
            let cost = unlike(&poses[0], &poses[1])
                + 2.0 * (range.length() / usual - 1.0).abs()
                + if complete { 0.0 } else { 1.0 };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, range));
            }
        }
        let (_, range) = best?;
        Some(Self { clip, contacts: contacts.clone(), range, round: None })
    }

    /// The first joints of the pose at a time, also beyond the end of a cyclic clip.
    pub fn sample_first(&self, joints: usize, time: f32, pose: &mut [Transform]) {
        let duration = self.clip.duration();
        match self.round {
            Some(round) if time >= duration => {
                self.clip.sample_first(joints, time - duration, Wrap::Clamp, pose);
                pose[0] = round * pose[0];
            }
            _ => self.clip.sample_first(joints, time, Wrap::Clamp, pose),
        }
    }

    pub fn events(&self) -> Vec<FootEvents> {
        self.contacts.feet.iter().map(|foot| events(foot, &self.range)).collect()
    }
}

/// What happens to a foot in a stretch of time, as parts of it.
fn events(foot: &FootContacts, range: &Interval) -> FootEvents {
    let first = |times: &mut dyn Iterator<Item = f32>| {
        let part = |time: f32| (time - range.start) / range.length();
        times.map(part).find(|part| (-1e-4..1.0 - 1e-4).contains(part)).map(|part| part.max(0.0))
    };
    FootEvents {
        strike: first(&mut foot.stance().iter().map(|stance| stance.start)),
        parts: [
            first(&mut foot.heel.iter().map(|interval| interval.start)),
            first(&mut foot.toe.iter().map(|interval| interval.start)),
            first(&mut foot.heel.iter().map(|interval| interval.end)),
            first(&mut foot.toe.iter().map(|interval| interval.end)),
        ],
    }
}

/// How unlike two poses are, apart from where they are: mean angle of the joints plus the
/// difference in height.
fn unlike(a: &[Transform], b: &[Transform]) -> f32 {
    let angle = |(a, b): (&Transform, &Transform)| rotation::angle_between(a.rotation, b.rotation);
    let sum: f32 = a.iter().zip(b).skip(1).map(angle).sum();
    sum / (a.len() - 1).max(1) as f32 + (a[0].translation.y - b[0].translation.y).abs()
}

/// Where the hips are and which way they face, relative to how they are at rest.
pub(super) fn placement(skeleton: &Skeleton, rig: &Rig, pose: &[Transform]) -> Planar {
    let (mut model, mut rest) = (Transform::IDENTITY, Transform::IDENTITY);
    for joint in skeleton.ancestors(rig.hips) {
        model = pose[joint] * model;
        rest = skeleton.joint(joint).rest * rest;
    }
    let turned = Transform::new(model.rotation * rest.rotation.conjugate(), model.translation);
    Planar::from_transform(&turned)
}
