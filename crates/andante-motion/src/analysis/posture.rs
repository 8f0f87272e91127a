//! How a body of two legs is held: sitting, lying, on all fours, on its hands; and whether it climbs.

use super::MotionClass;
use super::contact::FootRuns;
use super::motion::FootMotion;
use super::touch::TouchPart;
use crate::signal::{median, runs, smooth, tidy};
use andante_skeleton::{Rig, Skeleton, Transform};
use glam::{Vec2, Vec3, Vec3Swizzles};

andante_skeleton::settings! {
    /// Posture limits: what tells sitting, lying, crawling and climbing from standing and walking, in natural units (1 is a leg's
    /// length, and the time and speed of its pendulum). Directions are the height of a unit vector: 1 is up, −1 is down.
    pub struct PostureLimits: Copy {
        /// Who lies has a trunk that is less upright than this.
        lying_trunk: f32 = 0.45, 0.0..=1.0;
        /// And hips below this.
        lying_hips: f32 = 0.35, 0.0..=1.0;
        /// Who sits has a trunk that is more upright than this.
        sitting_trunk: f32 = 0.6, 0.0..=1.0;
        /// And thighs that point up more than this on average; those of who stands are at −1.
        sitting_thighs: f32 = -0.55, -1.0..=0.0;
        /// And each of them more than this.
        sitting_thigh: f32 = -0.8, -1.0..=0.0;
        /// And hips this far behind its feet, which cannot bear it there; who squats has them above.
        sitting_behind: f32 = 0.14, 0.0..=1.0;
        /// Or on the ground, below this.
        sitting_hips: f32 = 0.25, 0.0..=1.0;
        /// And hips slower than this.
        sitting_speed: f32 = 0.17, 0.0..=1.0;
        /// Who goes on all fours has a hand lower than this above its feet.
        hand: f32 = 0.12, 0.0..=0.5;
        /// And a trunk less upright than this.
        crawling_trunk: f32 = 0.7, 0.0..=1.0;
        /// And hips below this.
        crawling_hips: f32 = 0.85, 0.0..=1.0;
        /// Who stands on its hands has feet this far above them.
        on_hands: f32 = 0.3, 0.0..=2.0;
        /// Shortest posture, in natural times.
        shortest: f32 = 2.0, 0.0..=20.0;
        /// Steps whose levels differ by more than this lead up or down.
        step: f32 = 0.08, 0.0..=1.0;
        /// Who climbs gets on by at least this in one direction.
        climb: f32 = 0.145, 0.0..=2.0;
        /// Radians by which soles are tilted more on a ramp, which is walked, than on the level before it.
        ramp: f32 = 0.06, 0.0..=1.0;
        /// Radians by which they are tilted at all on a ramp; soles of captured feet are known to within half of it.
        tilted: f32 = 0.12, 0.0..=1.0;
        /// Rise per metre of the way below which what leads up is no step.
        gentle: f32 = 0.16, 0.0..=1.0;
    }
}

/// The posture of every frame that is none of a walker: `None` where it may be one.
pub(super) fn postures(
    motion: &FootMotion,
    skeleton: &Skeleton,
    rig: &Rig,
    ground: f32,
    limits: &PostureLimits,
) -> Vec<Option<MotionClass>> {
    let mut found = vec![None; motion.frames()];
    let [Some(left), Some(right)] = [rig.feet.first(), rig.feet.get(1)] else { return found };
    if rig.feet.len() != 2 || left.leg.len() < 3 || right.leg.len() < 3 {
        return found;
    }
    let body = HeldBody { motion, skeleton, rig, ground };
    let held: Vec<Held> =
        motion.models.chunks_exact(motion.joints).map(|models| body.held(models)).collect();
    let pace: Vec<f32> =
        motion.path().slope.iter().map(|velocity| velocity.length() / motion.units.speed).collect();
    let hands: Vec<Vec<Vec3>> = body.hands();
    let slow: Vec<Vec<bool>> = hands.iter().map(|track| body.slow(track)).collect();
    let hand = |frame: usize| {
        let still = hands.iter().zip(&slow).filter(|(_, slow)| slow[frame]);
        still.map(|(track, _)| track[frame].y).fold(f32::INFINITY, f32::min)
    };
    let is = |frame: usize| {
        let Held { hips, trunk, thighs, behind, feet } = held[frame];
        let seated = behind > limits.sitting_behind || hips < limits.sitting_hips;
        let bent = 0.5 * (thighs[0] + thighs[1]) > limits.sitting_thighs
            && thighs[0].min(thighs[1]) > limits.sitting_thigh;
        let low_hand = (hand(frame) - feet) / motion.units.length;
        if low_hand < -limits.on_hands {
            Some(MotionClass::Other)
        } else if trunk < limits.lying_trunk && hips < limits.lying_hips {
            Some(MotionClass::Lie)
        } else if hips < limits.sitting_hips && trunk > limits.lying_trunk {
            Some(MotionClass::Sit)
        } else if low_hand < limits.hand
            && trunk < limits.crawling_trunk
            && hips < limits.crawling_hips
        {
            Some(MotionClass::Crawl)
        } else if seated
            && bent
            && trunk > limits.sitting_trunk
            && pace[frame] < limits.sitting_speed
        {
            Some(MotionClass::Sit)
        } else {
            None
        }
    };
    let every: Vec<Option<MotionClass>> = (0..motion.frames()).map(is).collect();
    let shortest = motion.frames_in(limits.shortest).max(2);
    for class in [MotionClass::Sit, MotionClass::Crawl, MotionClass::Lie, MotionClass::Other] {
        // Who stands on its hands does so in the twinkling of an eye.
        let shortest = if class == MotionClass::Other { shortest / 4 } else { shortest };
        let all = runs(motion.frames(), |frame| every[frame] == Some(class));
        for run in tidy(all, shortest.max(2), shortest.max(2)) {
            found[run].fill(Some(class));
        }
    }
    found
}

/// How a body is held in a frame, in natural lengths and directions.
#[derive(Clone, Copy)]
struct Held {
    hips: f32,
    trunk: f32,
    thighs: [f32; 2],
    /// How far the hips are from above the feet.
    behind: f32,
    /// Height of the lower foot, in metres.
    feet: f32,
}

struct HeldBody<'a> {
    motion: &'a FootMotion,
    skeleton: &'a Skeleton,
    rig: &'a Rig,
    ground: f32,
}

impl HeldBody<'_> {
    fn held(&self, models: &[Transform]) -> Held {
        let (rig, length) = (self.rig, self.motion.units.length);
        let at = |joint: usize| models[joint].translation;
        let hips = at(rig.hips);
        let top = rig.head.or(rig.spine.last().copied()).map_or(hips + Vec3::Y, at);
        let upward = |from: Vec3, to: Vec3| (to - from).normalize_or_zero().y;
        let thigh = |foot: usize| {
            let leg = &rig.feet[foot].leg;
            upward(at(leg[leg.len() - 3]), at(leg[leg.len() - 2]))
        };
        let ankles = 0.5 * (at(rig.feet[0].ankle()) + at(rig.feet[1].ankle()));
        let soles = rig.feet.iter().flat_map(|foot| [foot.heel, foot.ball]);
        Held {
            hips: (hips.y - self.ground) / length,
            trunk: upward(hips, top),
            thighs: [thigh(0), thigh(1)],
            behind: (hips - ankles).with_y(0.0).length() / length,
            feet: soles.map(|point| point.position(models).y).fold(f32::INFINITY, f32::min),
        }
    }

    /// The lowest points of hands in every frame.
    fn hands(&self) -> Vec<Vec<Vec3>> {
        let models = || self.motion.models.chunks_exact(self.motion.joints);
        let parts = (0..self.rig.arms.len()).map(TouchPart::Hand);
        parts
            .map(|part| {
                models().map(|models| part.position(self.skeleton, self.rig, models)).collect()
            })
            .collect()
    }

    /// Whether a point rests, frame by frame.
    fn slow(&self, track: &[Vec3]) -> Vec<bool> {
        let most = 2.0 * self.motion.options.touch.speed_kept * self.motion.units.speed;
        let slopes = smooth(track, self.motion.fps, 0.1 * self.motion.units.time).slope;
        slopes.iter().map(|velocity| velocity.length() < most).collect()
    }
}

/// Whether feet climb or descend by steps: on a ramp, where soles are tilted, and on rough ground, where it goes up and down by
/// turns, they walk.
pub(super) fn climbs(motion: &FootMotion, feet: &[FootRuns], limits: &PostureLimits) -> bool {
    if feet.len() != 2 {
        return false;
    }
    let length = motion.units.length;
    // The middle of each stance: when, how high, how the sole is tilted, whose, and where.
    let mut stances: Vec<(usize, f32, f32, usize, Vec2)> = Vec::new();
    for (index, (foot, tracks)) in feet.iter().zip(&motion.feet).enumerate() {
        for (run, level) in foot.stance.iter().zip(&foot.level) {
            let quarter = run.len() / 4;
            let middle = run.start + quarter..(run.end - quarter).max(run.start + quarter + 1);
            let place = tracks.ball[middle.start].xz() / length;
            let tilt = median(middle.map(|frame| {
                let sole = tracks.ball[frame] - tracks.heel[frame];
                libm::asinf((sole.y / sole.length().max(1e-6)).clamp(-1.0, 1.0))
            }));
            stances.push((run.start, *level / length, tilt, index, place));
        }
    }
    stances.sort_by_key(|stance| stance.0);
    // Of each step how far it leads up, and how the sole is tilted that way: more than on the level, and at all.
    let steps: Vec<(f32, [f32; 2])> = stances
        .windows(2)
        .filter_map(|pair| {
            let rise = pair[1].1 - pair[0].1;
            let same = stances.iter().find(|stance| stance.3 == pair[1].3)?;
            let tilts = [pair[1].2 - same.2, pair[1].2].map(|tilt| tilt * rise.signum());
            (rise.abs() > limits.step).then_some((rise, tilts))
        })
        .collect();
    // Stances of a gentle slope are found a little higher or lower by turns; steps are clearly more.
    if !steps.iter().any(|(rise, _)| rise.abs() > 1.6 * limits.step) {
        return false;
    }
    // Steps lead up steeply, whatever is between them.
    let [up, along] = stances
        .windows(2)
        .map(|pair| ((pair[1].1 - pair[0].1).abs(), pair[1].4.distance(pair[0].4)))
        .filter(|(rise, _)| *rise > limits.step)
        .fold([0.0, 0.0], |[up, along], (rise, far)| [up + rise, along + far]);
    if up < limits.gentle * along {
        return false;
    }
    let turns = steps.windows(2).filter(|pair| pair[0].0 * pair[1].0 < 0.0).count();
    let total: f32 = steps.iter().map(|(rise, _)| rise.abs()).sum();
    let tilted = |which: usize| median(steps.iter().map(|(_, tilts)| tilts[which]));
    // A slope that goes on from the first stance to the last has no level stretch, as stairs have before and after them.
    let rises: Vec<f32> = stances.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
    let mean = rises.iter().sum::<f32>() / rises.len() as f32;
    let even = rises.iter().filter(|rise| **rise * mean.signum() > 0.4 * mean.abs()).count();
    let slope = rises.len() > 4 && 10 * even >= 9 * rises.len();
    let ramp = slope || steps.len() > 2 && (tilted(0) > limits.ramp || tilted(1) > limits.tilted);
    !ramp && turns <= 1.max(stances.len() / 6) && total / (turns + 1) as f32 > limits.climb
}
