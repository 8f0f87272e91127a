//! The way of one foot through a whole clip, for a body whose feet do not bend.

use glam::DVec3;

use super::banded::smoothed;
use super::clip_cast::ClipFrame;
use super::clip_plan::ClipPlanSettings;
use crate::walk::cycle_settings::CycleSettings;
use crate::walk::foot_path::{
    ClipFoot, Shoe, StiffFoot, hermite, land, lifted, roll_off, roll_over_toes,
};

/// A stance of a foot: frames from the one in which it strikes to the first in which it is off.
#[derive(Clone, Copy, Debug)]
pub(super) struct StanceSpan {
    pub first: usize,
    pub end: usize,
    /// Where the foot stands flat.
    pub print: StiffFoot,
}

/// A foot's way.
#[derive(Clone, Debug)]
pub(super) struct FootWay {
    pub poses: Vec<StiffFoot>,
    pub stances: Vec<StanceSpan>,
}

/// The frames in which a foot is down, without stances and swings that are too short to be any.
pub(super) fn spans(down: &[bool], settings: &ClipPlanSettings) -> Vec<[usize; 2]> {
    let least = |seconds: f64| (seconds / settings.frame).round().max(1.0) as usize;
    let mut found: Vec<[usize; 2]> = Vec::new();
    let mut begun = None;
    for (k, &down) in down.iter().chain([&false]).enumerate() {
        match (down, begun) {
            (true, None) => begun = Some(k),
            (false, Some(first)) => {
                match found.last_mut().filter(|last| first - last[1] < least(settings.least_swing))
                {
                    Some(last) => last[1] = k,
                    None => found.push([first, k]),
                }
                begun = None;
            }
            _ => {}
        }
    }
    found.retain(|[first, end]| end - first >= least(settings.least_stance));
    // A detector needs a moment at the ends of a clip to see that a foot is down.
    let (n, near) = (down.len(), least(settings.least_swing));
    for span in &mut found {
        if span[0] < near {
            span[0] = 0;
        }
        if span[1] + near > n {
            span[1] = n;
        }
    }
    found
}

impl FootWay {
    /// The way of a stiff foot that does what the clip's does. `other` says when the other foot is down.
    pub fn new(
        frames: &[ClipFrame],
        side: usize,
        [own, other]: [&[[usize; 2]]; 2],
        shoe: &Shoe,
        (settings, cycle): (&ClipPlanSettings, &CycleSettings),
    ) -> Self {
        let n = frames.len();
        let foot = |k: usize| frames[k.min(n - 1)].feet[side];
        let stances: Vec<StanceSpan> = own
            .iter()
            .map(|&[first, end]| StanceSpan { first, end, print: print(first, end, foot, shoe) })
            .collect();
        let pitches: Vec<Vec<f64>> = stances
            .iter()
            .map(|stance| {
                let springs = stance.end < n
                    && !other.iter().any(|o| o[0] <= stance.end && stance.end < o[1]);
                roll(stance, foot, springs, shoe, (settings, cycle))
            })
            .collect();
        let stand = |index: usize, k: usize| {
            let stance = &stances[index];
            let last = stance.end - stance.first - 1;
            let pitch = pitches[index][(k.max(stance.first) - stance.first).min(last)];
            match pitch > 0.0 {
                true => land(&stance.print, pitch, shoe),
                false => roll_over_toes(&stance.print, -pitch, shoe),
            }
        };
        let as_it_is = |k: usize| {
            let ClipFoot { ankle, pitch, yaw, .. } = foot(k);
            StiffFoot { ankle, pitch, yaw }
        };
        let off = |index: usize, k: usize| {
            let (a, b) = (stand(index, k).values(), as_it_is(k).values());
            [0, 1, 2, 3, 4].map(|i| a[i] - b[i])
        };
        let mut poses = Vec::with_capacity(n);
        for k in 0..n {
            if let Some(stance) = stances.iter().position(|s| s.first <= k && k < s.end) {
                poses.push(stand(stance, k));
                continue;
            }
            let before = stances.iter().rposition(|s| s.end <= k);
            let after = stances.iter().position(|s| s.first > k);
            let from = before.map_or(0, |s| stances[s].end - 1);
            let to = after.map_or(n, |s| stances[s].first);
            let span = (to - from) as f64;
            let u = (k - from) as f64 / span;
            // The ends of the swing lead into the stances before and after it.
            let start = before.map(|s| {
                let last = stances[s].end - 1;
                (off(s, last), off(s, last.saturating_sub(1).max(stances[s].first)))
            });
            let end = after.map(|s| (off(s, stances[s].first), off(s, stances[s].first + 1)));
            let base = as_it_is(k).values();
            let led = lead(base, u, span, start, end);
            let seconds = span * settings.frame;
            let clearance = cycle.clearance * (seconds / 0.35).min(1.0);
            let arch = match (before, after) {
                (Some(_), Some(_)) => u,
                (Some(_), None) => 0.5 * u,
                (None, Some(_)) => 0.5 + 0.5 * u,
                (None, None) => 0.5,
            };
            poses.push(lifted(StiffFoot::of(led), arch, shoe, clearance));
        }
        let mut way = FootWay { poses, stances };
        way.even_out(settings);
        way
    }

    /// Takes what is left of corners out of the swings; stances stay as they are.
    fn even_out(&mut self, settings: &ClipPlanSettings) {
        let n = self.poses.len();
        let width = settings.calm / settings.frame;
        let curves = [0, 1, 2, 3, 4].map(|i: usize| {
            smoothed(&self.poses.iter().map(|pose| pose.values()[i]).collect::<Vec<f64>>(), width)
        });
        for (k, pose) in self.poses.iter_mut().enumerate() {
            if self.stances.iter().any(|s| s.first <= k && k < s.end) {
                continue;
            }
            let since = self.stances.iter().filter(|s| s.end <= k).map(|s| k + 1 - s.end).min();
            let until = self.stances.iter().filter(|s| s.first > k).map(|s| s.first - k).min();
            let away = since.unwrap_or(n).min(until.unwrap_or(n)) as f64;
            let u = (away / (3.0 * width).max(1.0)).min(1.0);
            let share = u * u * (3.0 - 2.0 * u);
            let own = pose.values();
            let mixed = [0, 1, 2, 3, 4].map(|i| own[i] + share * (curves[i][k] - own[i]));
            *pose = StiffFoot::of(mixed);
        }
    }
}

/// A pose of a swing with what leads it out of the stance before and into the one after: how far those are off at their
/// ends, and a frame away from them.
fn lead(
    base: [f64; 5],
    u: f64,
    span: f64,
    start: Option<([f64; 5], [f64; 5])>,
    end: Option<([f64; 5], [f64; 5])>,
) -> [f64; 5] {
    [0, 1, 2, 3, 4].map(|i| {
        let a = start.map_or([0.0; 2], |(at, early)| [at[i], (at[i] - early[i]) * span]);
        let b = end.map_or([0.0; 2], |(at, late)| [at[i], (late[i] - at[i]) * span]);
        base[i] + hermite(u, a[0], a[1], b[0], b[1])
    })
}

/// The pitch of a foot through a stance: toes up as it lands on its heel, heel up as it rolls off.
fn roll(
    stance: &StanceSpan,
    foot: impl Fn(usize) -> ClipFoot,
    springs: bool,
    shoe: &Shoe,
    (settings, cycle): (&ClipPlanSettings, &CycleSettings),
) -> Vec<f64> {
    let length = stance.end - stance.first;
    let low = (stance.first..stance.end).map(|k| foot(k).ankle.y).fold(f64::INFINITY, f64::min);
    let early = (length / 3).min((0.25 / settings.frame) as usize);
    let pitch = |j: usize| {
        let own = foot(stance.first + j);
        if j < early && stance.first > 0 {
            return own.pitch.max(0.0) * (1.0 - j as f64 / early as f64).min(1.0).sqrt();
        }
        if springs {
            // Who leaves the ground rolls over the toes at the end.
            let from = cycle.heel_rise.max(1.0 - 0.2 / (length as f64 * settings.frame));
            let late = (j as f64 / length as f64 - from).max(0.0) / (1.0 - from);
            return -cycle.toe_off * late * late;
        }
        roll_off(&stance.print, own.ankle.y - low, shoe, cycle.soft).pitch
    };
    smoothed(&(0..length).map(pitch).collect::<Vec<f64>>(), settings.calm / settings.frame)
}

/// Where a foot stands: the mean of the frames in which it is flat.
fn print(first: usize, end: usize, foot: impl Fn(usize) -> ClipFoot, shoe: &Shoe) -> StiffFoot {
    let flat: Vec<ClipFoot> =
        (first..end).map(&foot).filter(|f| f.heel_down && f.toe_down).collect();
    let middle = if flat.is_empty() { vec![foot(usize::midpoint(first, end))] } else { flat };
    let mean =
        |of: &dyn Fn(&ClipFoot) -> f64| middle.iter().map(of).sum::<f64>() / middle.len() as f64;
    StiffFoot {
        ankle: DVec3::new(mean(&|f| f.ankle.x), shoe.below, mean(&|f| f.ankle.z)),
        pitch: 0.0,
        yaw: mean(&|f| f.yaw),
    }
}
