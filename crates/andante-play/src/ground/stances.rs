//! When feet are down, over the ends of a clip.

use crate::{FootContacts, Interval};
use andante_skeleton::Clip;

/// Contacts this close to the end of a clip, in frames, touch it.
const TOUCHES: f32 = 1.5;
/// Seconds that a foot in the air at the end of a clip is taken to stand before it, or after.
pub(crate) const BEYOND: f32 = 0.4;

/// When a foot is down, as times that go on past the end of a clip that repeats.
pub(crate) fn stances(contacts: &FootContacts, clip: &Clip, cyclic: bool) -> Vec<Interval> {
    let (duration, near) = (clip.duration(), TOUCHES / clip.fps());
    let usable = |interval: &Interval| interval.start.is_finite() && interval.end.is_finite();
    let mut list: Vec<Interval> = contacts
        .stance()
        .into_iter()
        .filter(usable)
        .map(|stance| Interval::new(stance.start.max(0.0), stance.end.min(duration)))
        .filter(|stance| stance.end > stance.start || duration <= 0.0)
        .collect();
    let Some(last) = list.len().checked_sub(1) else { return list };
    let (begins, ends) = (list[0].start <= near, list[last].end >= duration - near);
    if !cyclic {
        // A foot that is in the air when the clip begins or ends comes from, or goes to, the ground below it, and
        // takes the time of a step for that.
        if ends {
            list[last].end = f32::INFINITY;
        } else {
            let lands = duration.max(list[last].end + BEYOND);
            list.push(Interval::new(lands, f32::INFINITY));
        }
        if !begins {
            let leaves = (list[0].start - BEYOND).min(0.0);
            list.insert(0, Interval::new(leaves - BEYOND, leaves));
        }
    } else if begins && ends {
        if last == 0 {
            list[0] = Interval::new(0.0, f32::INFINITY);
        } else {
            list[last].end = duration + list[0].end;
            list.remove(0);
        }
    }
    list
}

/// Frames of a stride: the middle of the times between landings of the same foot.
pub(crate) fn stride_frames(feet: &[Vec<Interval>], clip: &Clip, cyclic: bool) -> usize {
    let duration = clip.duration();
    let mut gaps: Vec<f32> = Vec::new();
    for stances in feet {
        gaps.extend(stances.windows(2).map(|pair| pair[1].start - pair[0].start));
        if let (true, [first, .., last]) = (cyclic, stances.as_slice()) {
            gaps.push(first.start + duration - last.start);
        } else if let (true, [only]) = (cyclic, stances.as_slice())
            && only.end.is_finite()
        {
            gaps.push(duration);
        }
    }
    gaps.sort_by(f32::total_cmp);
    let stride = gaps.get(gaps.len() / 2).copied().unwrap_or(0.5 * duration);
    (stride * clip.fps()).round().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Pose, humanoid};

    #[test]
    fn a_foot_in_the_air_at_either_end_of_a_clip_has_time_to_land() {
        let human = humanoid();
        let pose = Pose::rest(&human.skeleton);
        let frames: Vec<_> = (0..61).flat_map(|_| pose.to_vec()).collect();
        let clip = Clip::new("still", &human.skeleton, 60.0, frames).unwrap();
        let down = vec![Interval::new(0.05, 0.95)];
        let contacts = FootContacts { heel: down.clone(), toe: down };
        let found = stances(&contacts, &clip, false);
        assert_eq!(found.len(), 3);
        assert!(found[1].start - found[0].end >= BEYOND - 1e-6 && found[0].end <= 0.0);
        assert!(found[2].start - found[1].end >= BEYOND - 1e-6 && found[2].start >= 1.0);
    }
}
