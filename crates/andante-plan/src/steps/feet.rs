//! Feet on their footprints: the body a little, then the legs (footstep-planning 3.7).

use super::StepGround;
use super::bspline::SplineHierarchy;
use super::footprint::{PlannedFootprint, StanceFrames};
use super::play::{highest_around, steady_mean};
use super::score::{FPS, smootherstep};
use super::vocabulary::Vocabulary;
use andante_play::FeetSettings;
use andante_play::feet::{
    RolledFoot, StandingFoot, SwingBrief, SwingCurve, SwingMoment, SwingPlan,
};
use andante_play::feet::{shank_foot_angle, soften};
use andante_skeleton::TwoBoneOptions;
use andante_skeleton::{Character, Transform, ease, rotation};
use glam::{Mat3, Quat, Vec2, Vec3};
use std::f32::consts::PI;

/// A foot of one frame, as the clips have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootFrame {
    pub ankle: Transform,
    pub hip: Vec3,
    pub heel: Vec3,
    pub ball: Vec3,
    pub tip: Vec3,
    /// The joint of the toes; the ball if there is none.
    pub toe: Vec3,
    /// Height of the ground the clips were made for.
    pub floor: f32,
}

/// What is done to a foot: its ankle is moved and turned.
#[derive(Clone, Copy, Debug)]
struct Correction {
    shift: Vec3,
    turn: Vec3,
}

/// A foot that is down: a point of its sole, where that is on the ground, and how the foot is turned.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootPin {
    point: Vec3,
    ground: Vec3,
    turn: Quat,
}

/// Everything that is known about the feet of a performance.
pub(super) struct Feet<'a> {
    pub settings: &'a FeetSettings,
    pub vocabulary: &'a Vocabulary,
    pub stances: &'a [StanceFrames],
    pub footprints: &'a [PlannedFootprint],
    /// Two feet a frame.
    pub frames: Vec<[FootFrame; 2]>,
    /// How much each frame is standing.
    pub rests: &'a [f32],
    /// How much each frame is running.
    pub runs: &'a [f32],
}

impl Feet<'_> {
    /// The offsets of the body, frame by frame, and the placements of the ankles then.
    pub fn solve(&self, world: &StepGround) -> (Vec<Vec3>, Vec<[Transform; 2]>) {
        let count = self.frames.len();
        let mut pins: Vec<[Option<FootPin>; 2]> = vec![[None; 2]; count];
        let mut stood: [Option<Vec3>; 2] = [None; 2];
        for (stance, print) in self.stances.iter().zip(self.footprints) {
            let [first, last] = stance.frames;
            let way = stood[stance.foot].map_or(Vec3::ZERO, |from| print.position - from);
            stood[stance.foot] = Some(print.position);
            let lands = self.settings.swing.lands_flat(way, print.normal, self.vocabulary.leg);
            for (frame, pins) in pins.iter_mut().enumerate().take(last + 1).skip(first) {
                let foot = &self.frames[frame][stance.foot];
                let (share, flat) = roll(stance, frame, self.settings.flatten_frames);
                let lands = lands * (1.0 - smootherstep(share));
                pins[stance.foot] = Some(pin((share, flat.max(lands)), print, foot));
            }
        }
        let mut offsets = self.body_offsets(&pins);
        let correct = |foot: usize| self.corrections(foot, &pins, &offsets, world);
        let corrections: [_; 2] =
            andante_skeleton::parallel::join(|| correct(0), || correct(1)).into();
        let target = |frame: usize, foot: usize, offset: Vec3| {
            let correction = &corrections[foot][frame];
            let ankle = &self.frames[frame][foot].ankle;
            Transform::new(
                rotation::exp(correction.turn) * ankle.rotation,
                ankle.translation + offset + correction.shift,
            )
        };
        let mut targets: Vec<[Transform; 2]> =
            (0..count).map(|k| [0, 1].map(|foot| target(k, foot, offsets[k]))).collect();
        let drops = self.drops(&pins, &offsets, &targets);
        for (offset, drop) in offsets.iter_mut().zip(drops) {
            offset.y -= drop;
        }
        self.hold_back(&pins, &offsets, &mut targets);
        self.ease_knees(&pins, &offsets, &mut targets);
        (offsets, targets)
    }

    /// Keeps feet in the air within reach of legs that are not quite straight: a knee that is pulled straight
    /// by a foot ahead of its body snaps.
    fn hold_back(
        &self,
        pins: &[[Option<FootPin>; 2]],
        offsets: &[Vec3],
        targets: &mut [[Transform; 2]],
    ) {
        let (set, lengths) = (self.settings, self.leg_lengths());
        for (foot, length) in lengths.into_iter().enumerate() {
            let away = frames_away(pins.len(), |frame| pins[frame][foot].is_some());
            for (frame, targets) in targets.iter_mut().enumerate().filter(|(k, _)| away[*k] > 0) {
                let own = &self.frames[frame][foot];
                let clip = own.hip.distance(own.ankle.translation);
                let hip = own.hip + offsets[frame];
                let leg = targets[foot].translation - hip;
                let (soft, most) =
                    ((set.soft_reach * length).max(clip), (set.longest_reach * length).max(clip));
                let far = leg.length();
                if far > soft {
                    let gently = soften(far, soft, most);
                    let share = smootherstep(away[frame] as f32 / self.settings.soft_frames);
                    let reach = far.min(most);
                    targets[foot].translation =
                        hip + leg * ((reach + share * (gently - reach)) / far);
                }
            }
        }
    }

    pub(super) fn leg_lengths(&self) -> [f32; 2] {
        let skeleton = &self.vocabulary.character().skeleton;
        [0, 1].map(|foot| {
            let [_, knee, ankle] = self.vocabulary.legs[foot].joints();
            let bone = |joint: usize| skeleton.joint(joint).rest.translation.length();
            bone(knee) + bone(ankle)
        })
    }

    /// The low frequencies of what is missing go to the body: the mean over the feet that are down,
    /// by hierarchical B-splines.
    fn body_offsets(&self, pins: &[[Option<FootPin>; 2]]) -> Vec<Vec3> {
        let samples: Vec<(usize, Vec3)> = pins
            .iter()
            .enumerate()
            .filter_map(|(frame, pins)| {
                let (mut sum, mut count) = (Vec3::ZERO, 0);
                for pin in pins.iter().flatten() {
                    sum += pin.ground - pin.point;
                    count += 1;
                }
                (count > 0).then(|| (frame, sum / count as f32))
            })
            .collect();
        let fit = SplineHierarchy::fit(&samples, pins.len(), &self.settings.offset_frames);
        let last = pins.len() - 1;
        (0..=last)
            .map(|frame| {
                // At rest at either end the body is where it is meant to be.
                let from = |end: usize| ease((end as f32 - 10.0) / 30.0);
                let free = from(frame) * from(last - frame);
                let offset = fit.at(frame as f32);
                Vec3::new(offset.x * free, offset.y, offset.z * free)
            })
            .collect()
    }

    /// What is done to a foot in every frame: on the ground what its pin says, in the air a quintic
    /// from one to the next that keeps their speeds, and a lift where it would touch the ground.
    fn corrections(
        &self,
        foot: usize,
        pins: &[[Option<FootPin>; 2]],
        offsets: &[Vec3],
        world: &StepGround,
    ) -> Vec<Correction> {
        let count = pins.len();
        let pinned = |frame: usize| -> Option<Correction> {
            let pin = pins[frame][foot]?;
            let ankle = self.frames[frame][foot].ankle.translation;
            let placed = pin.ground + pin.turn * (ankle - pin.point);
            Some(Correction {
                shift: placed - ankle - offsets[frame],
                turn: rotation::log(pin.turn),
            })
        };
        let mut corrections: Vec<Option<Correction>> = (0..count).map(pinned).collect();
        let still = Correction { shift: Vec3::ZERO, turn: Vec3::ZERO };
        let mut frame = 0;
        while frame < count {
            if corrections[frame].is_some() {
                frame += 1;
                continue;
            }
            let first = frame;
            while frame < count && corrections[frame].is_none() {
                frame += 1;
            }
            let before = first.checked_sub(1).and_then(|k| corrections[k]);
            let after = corrections.get(frame).copied().flatten();
            let (a, b) = match (before, after) {
                (Some(a), Some(b)) => (a, b),
                (Some(a), None) => (a, a),
                (None, Some(b)) => (b, b),
                (None, None) => (still, still),
            };
            let speed = |k: Option<usize>, at: Correction, sign: f32| {
                let other = k.and_then(|k| corrections.get(k).copied().flatten());
                match other {
                    Some(other) => [sign * (at.shift - other.shift), sign * (at.turn - other.turn)],
                    None => [Vec3::ZERO; 2],
                }
            };
            let out = if before.is_some() {
                speed(first.checked_sub(2), a, 1.0)
            } else {
                [Vec3::ZERO; 2]
            };
            let into =
                if after.is_some() { speed(Some(frame + 1), b, -1.0) } else { [Vec3::ZERO; 2] };
            let width = (frame - first + 1) as f32;
            for (k, correction) in corrections[first..frame].iter_mut().enumerate() {
                let t = (k + 1) as f32 / width;
                *correction = Some(Correction {
                    shift: quintic(a.shift, out[0] * width, b.shift, into[0] * width, t),
                    turn: quintic(a.turn, out[1] * width, b.turn, into[1] * width, t),
                });
            }
            self.lead(foot, [first, frame], pins, offsets, &mut corrections, world);
        }
        corrections.into_iter().map(|correction| correction.unwrap_or(still)).collect()
    }

    /// Leads a swing over the ground and past the other foot.
    fn lead(
        &self,
        foot: usize,
        [first, end]: [usize; 2],
        pins: &[[Option<FootPin>; 2]],
        offsets: &[Vec3],
        corrections: &mut [Option<Correction>],
        world: &StepGround,
    ) {
        let width = (end - first + 1) as f32;
        let rest = (first..end).map(|k| self.rests[k]).sum::<f32>() / (end - first).max(1) as f32;
        let (set, leg) = (&self.settings.swing, self.vocabulary.leg);
        let wanted = set.least_walking + (set.least_standing - set.least_walking) * rest;
        let feet = &self.vocabulary.character().rig.feet;
        let skeleton = &self.vocabulary.character().skeleton;
        let [_, knee, ankle] = self.vocabulary.legs[foot].joints();
        let bone = |joint: usize| skeleton.joint(joint).rest.translation.length();
        let moment = |k: usize, brief: Option<&SwingBrief>| {
            let frame = &self.frames[k][foot];
            let own = frame.ankle.translation;
            let moved = corrections[k].map_or((Vec3::ZERO, Vec3::ZERO), |c| (c.shift, c.turn));
            let (shift, turn) = (offsets[k] + moved.0, rotation::exp(moved.1));
            let placed = |point: Vec3| own + shift + turn * (point - own);
            let sole = [frame.heel, frame.ball, frame.tip];
            SwingMoment {
                hip: frame.hip + offsets[k],
                ankle: own + shift,
                toe: placed(frame.toe),
                sole: sole.map(placed),
                heights: sole.map(|point| point.y - frame.floor),
                own_height: own.y - frame.floor,
                own_angle: brief.map_or(0.0, |brief| brief.ankle_angle(frame.hip, own, frame.toe)),
                beside: pins[k][1 - foot].map(|pin| {
                    let other = &self.frames[k][1 - foot];
                    let placed = |end: Vec3| pin.ground + pin.turn * (end - pin.point);
                    StandingFoot::new([other.heel, other.tip].map(placed), foot == 1)
                }),
            }
        };
        let last = self.frames.len() - 1;
        let [from, to] = [first.saturating_sub(1), end.min(last)].map(|k| moment(k, None));
        let ahead = to.toe - to.ankle;
        let brief = SwingBrief {
            way: to.sole[1] - from.sole[1],
            heading: libm::atan2f(ahead.x, ahead.z),
            seconds: width / FPS,
            unit: leg,
            bones: feet[foot].toes.map(|_| [bone(knee), bone(ankle)]),
            least: wanted * leg,
            toes_give: feet[foot].toes.map_or(0.0, |_| 0.35 * from.sole[2].distance(from.toe)),
        };
        let moments = |index: usize| {
            let at = first as f32 - 1.0 + width * index as f32 / SwingCurve::PARTS as f32;
            let near = [at.floor(), at.ceil()]
                .map(|k| moment((k.max(0.0) as usize).min(last), Some(&brief)));
            near[0].lerp(&near[1], at - at.floor())
        };
        let mut ground = |place: Vec2| {
            let middle = 0.5 * (from.sole[1].y + to.sole[1].y);
            let above = Vec3::new(place.x, middle + leg, place.y);
            world.ground.height_below(above, 2.5 * leg).unwrap_or(f32::NEG_INFINITY)
        };
        let path = SwingPlan::path(brief, moments, set, &mut ground);
        if path.is_free() {
            return;
        }
        for (k, correction) in corrections[first..end].iter_mut().enumerate() {
            if let Some(correction) = correction {
                let (by, turn) = path.at((k + 1) as f32 / width);
                correction.shift += by;
                correction.turn = rotation::log(turn * rotation::exp(correction.turn));
            }
        }
    }

    /// How much of a bend legs keep, frame by frame: one that lands a step down or leaves for one up is not quite
    /// straight, or its knee snaps.
    fn bends(&self) -> Vec<[f32; 2]> {
        let mut bends = vec![[0.0f32; 2]; self.frames.len()];
        let mut stood: [Option<usize>; 2] = [None; 2];
        let mut order: Vec<usize> = (0..self.stances.len()).collect();
        order.sort_by_key(|&k| self.stances[k].frames[0]);
        for k in order {
            let (stance, print) = (&self.stances[k], &self.footprints[k]);
            let Some(before) = stood[stance.foot].replace(k) else { continue };
            let way = print.position - self.footprints[before].position;
            // What the slope of the ground itself leads up or down is no step.
            let slope = -print.normal.dot(way.with_y(0.0)) / print.normal.y.max(0.1);
            let step = (way.y - slope) / self.vocabulary.leg;
            let share = 0.5 * smootherstep((step.abs() - 0.06) / 0.12);
            let at = if step < 0.0 { stance.frames[0] } else { self.stances[before].frames[1] };
            let ease = self.settings.lower_frames;
            let near = at.saturating_sub(ease)..(at + ease + 1).min(bends.len());
            for (frame, bends) in bends.iter_mut().enumerate().take(near.end).skip(near.start) {
                let away = frame.abs_diff(at) as f32 / (ease + 1) as f32;
                let bend = &mut bends[stance.foot];
                *bend = bend.max(share * (1.0 - smootherstep(away)));
            }
        }
        bends
    }

    /// How far the body goes down so that feet which stand are within reach.
    fn drops(
        &self,
        pins: &[[Option<FootPin>; 2]],
        offsets: &[Vec3],
        targets: &[[Transform; 2]],
    ) -> Vec<f32> {
        let (lengths, bends) = (self.leg_lengths(), self.bends());
        let far = |frame: usize, foot: usize| {
            let hip = self.frames[frame][foot].hip + offsets[frame];
            hip.distance(targets[frame][foot].translation)
        };
        let needed: Vec<f32> = (0..pins.len())
            .map(|frame| {
                let mut most = 0.0f32;
                for foot in 0..2 {
                    if pins[frame][foot].is_none() {
                        continue;
                    }
                    let own = &self.frames[frame][foot];
                    let clip = own.hip.distance(own.ankle.translation);
                    let reach = (self.settings.longest_reach * lengths[foot])
                        .max(clip.min(0.9985 * lengths[foot]))
                        .min(self.landing_reach(frame, foot, lengths[foot], pins, &far));
                    let reach = reach * (1.0 - self.settings.step_down_bend * bends[frame][foot]);
                    let leg = own.hip + offsets[frame] - targets[frame][foot].translation;
                    let across = leg.x * leg.x + leg.z * leg.z;
                    let allowed = (reach * reach - across).max(0.0).sqrt();
                    most = most.max(leg.y - allowed);
                }
                most.min(0.5)
            })
            .collect();
        if needed.iter().all(|drop| *drop <= 0.0) {
            return needed;
        }
        // The highest around, then means: never less than needed.
        let ease = self.settings.lower_frames;
        let widest = highest_around(&needed, ease);
        steady_mean(&steady_mean(&widest, ease / 2), ease / 2)
    }

    /// How far a leg that has just landed is stretched at most, so that its knee gives way no quicker than knees do: the
    /// straighter it is, the quicker it would have to bend for the body to come on.
    fn landing_reach(
        &self,
        frame: usize,
        foot: usize,
        length: f32,
        pins: &[[Option<FootPin>; 2]],
        far: &dyn Fn(usize, usize) -> f32,
    ) -> f32 {
        let stands = |k: usize| pins.get(k).is_some_and(|pins| pins[foot].is_some());
        let before = frame.saturating_sub(self.settings.lower_frames);
        if !stands(frame + 1) || (before..frame).all(stands) {
            return length;
        }
        let [walking, running] = self.settings.knee_gives;
        let quickest = walking + (running - walking) * self.runs[frame];
        // The two bones are about as long: the leg's length is that of both times the cosine of half the bend.
        let closing = far(frame, foot) - far(frame + 1, foot);
        let bent = (2.0 * closing / (quickest * length)).clamp(0.0, 0.6);
        length * (1.0 - bent * bent).sqrt()
    }

    /// Places the legs of a frame; `pose` has its root in place already. Says how far heels had to rise, in metres, for
    /// ankles to stay within their range on ground with these normals; there are none in the air.
    pub fn reach(
        &self,
        targets: &[Transform; 2],
        normals: &[Option<Vec3>; 2],
        world: &StepGround,
        pose: &mut [Transform],
        models: &mut [Transform],
    ) -> [f32; 2] {
        let Character { skeleton, rig, .. } = self.vocabulary.character();
        skeleton.local_to_model_but(&self.vocabulary.upper_body, pose, models);
        let mut risen = [0.0; 2];
        for (index, (foot, target)) in rig.feet.iter().zip(targets).enumerate() {
            let leg = &self.vocabulary.legs[index];
            let own = self.ankle_angle(index, models);
            leg.solve(target, &TwoBoneOptions::default(), pose, models);
            let rolled = self.roll(index, own, target, normals[index], pose, models);
            let target = &rolled.map_or(*target, |rolled| rolled.0);
            risen[index] = rolled.map_or(0.0, |rolled| rolled.1);
            let ankle = models[foot.ankle()];
            if let Some(moved) = self.bend_toes(index, world, pose, &ankle) {
                let again = Transform::new(target.rotation, target.translation - moved);
                leg.solve(&again, &TwoBoneOptions::default(), pose, models);
            }
        }
        risen
    }

    /// The angle between shank and foot; none for a foot without toes.
    fn ankle_angle(&self, index: usize, models: &[Transform]) -> Option<f32> {
        let Character { skeleton, rig, .. } = self.vocabulary.character();
        let [_, knee, ankle] = self.vocabulary.legs[index].joints();
        let toe = skeleton.joint(rig.feet[index].toes?).rest.translation;
        let [knee, place] = [knee, ankle].map(|joint| models[joint].translation);
        Some(shank_foot_angle(knee, place, models[ankle].transform_point(toe)))
    }

    /// Lets a heel rise whose ankle would be bent too far, by a leg that has been put where it belongs; `own` is how far
    /// the clips bend it. Says where the ankle belongs then, and how far the heel is above the ground.
    fn roll(
        &self,
        index: usize,
        own: Option<f32>,
        target: &Transform,
        normal: Option<Vec3>,
        pose: &mut [Transform],
        models: &mut [Transform],
    ) -> Option<(Transform, f32)> {
        let Character { skeleton, rig, .. } = self.vocabulary.character();
        let (foot, leg) = (&rig.feet[index], &self.vocabulary.legs[index]);
        let (own, toes, bent) = (own?, foot.toes?, self.ankle_angle(index, models)?);
        let wanted = self.settings.ankle_bent(bent, own - 1e-3);
        let toe = skeleton.joint(toes).rest.translation;
        let (mut by, mut angle) = (0.0f32, bent);
        let mut rolled = None;
        // What toes are bent by already counts.
        let straight = skeleton.joint(toes).rest.rotation;
        let bent = rotation::angle_between(pose[toes].rotation, straight);
        let most = if normal.is_some() { (self.settings.toes_bent - bent).max(0.0) } else { PI };
        // A heel that rises bends the knee, and with it the ankle a little.
        for _ in 0..3 {
            if wanted - angle < 1e-3 {
                break;
            }
            by = (by + wanted - angle).min(most);
            let raised = RolledFoot::new(target, toe, normal.unwrap_or(Vec3::Y), by);
            leg.solve(&raised.ankle, &TwoBoneOptions::default(), pose, models);
            angle = self.ankle_angle(index, models)?;
            rolled = Some(raised);
        }
        let rolled = rolled?;
        if normal.is_some() {
            // Toes stay on the ground.
            let turn = rotation::exp(rolled.ankle.rotation.conjugate() * -rolled.turned);
            pose[toes].rotation = (turn * pose[toes].rotation).normalize();
        }
        let heel = foot.heel.position(models);
        Some((rolled.ankle, by * target.transform_point(toe).distance(heel)))
    }
}

/// How a foot is pinned: heel first, then ball, and flat in between, as [`roll`] tells.
fn pin((share, flat): (f32, f32), print: &PlannedFootprint, foot: &FootFrame) -> FootPin {
    let along = foot.ball - foot.heel;
    let across = glam::Vec2::new(along.x, along.z).length();
    let heading = libm::atan2f(along.x, along.z);
    let left = Quat::from_rotation_y(heading) * Vec3::X;
    let pitch = libm::atan2f(along.y, across.max(1e-4)).clamp(-1.2, 1.2);
    // Whatever is not pinned must not be in the ground.
    let level = pitch * flat.max(if pitch < 0.0 { 1.0 - share } else { share });
    let level = Quat::from_axis_angle(left, level);
    let yaw = Quat::from_rotation_y(rotation::wrap_angle(print.heading - heading));
    let tilt = slope(print) * Quat::from_rotation_y(-print.heading);
    let point = foot.heel.lerp(foot.ball, share);
    // A foot that rolls over its tip has its ball in the air, and one that rolls quickly from heel to ball is
    // not level on the way.
    let lowest = [foot.heel, foot.ball].map(|end| (level * (end - point)).y);
    let raised = (1.0 - flat) * (point.y - foot.floor).max(0.0).max(-lowest[0]).max(-lowest[1]);
    FootPin {
        point,
        ground: print.heel.lerp(print.ball, share) + Vec3::Y * raised,
        turn: tilt * yaw * level,
    }
}

/// The orientation of a footprint on its slope.
fn slope(print: &PlannedFootprint) -> Quat {
    let ahead = (print.ball - print.heel).normalize_or(Vec3::Z);
    let left = print.normal.cross(ahead).normalize_or(Vec3::X);
    Quat::from_mat3(&Mat3::from_cols(left, ahead.cross(left), ahead))
}

/// How flat feet are made, frame by frame; they become so over `flatten` frames.
pub(super) fn flatness(stances: &[StanceFrames], count: usize, flatten: f32) -> Vec<[f32; 2]> {
    let mut flats = vec![[0.0; 2]; count];
    for stance in stances {
        let [first, last] = stance.frames;
        for (frame, flats) in flats.iter_mut().enumerate().take(last + 1).skip(first) {
            flats[stance.foot] = roll(stance, frame, flatten).1;
        }
    }
    flats
}

/// Where between heel and ball a foot is pinned, and how flat it is made.
fn roll(stance: &StanceFrames, frame: usize, flatten: f32) -> (f32, f32) {
    let (Some(heel), Some(ball)) = (stance.heel, stance.ball) else {
        return (if stance.heel.is_some() { 0.0 } else { 1.0 }, 0.0);
    };
    let (from, to) = (heel[0].max(ball[0]), heel[1].min(ball[1]));
    let first = if heel[0] <= ball[0] { 0.0 } else { 1.0 };
    let last = if ball[1] >= heel[1] { 1.0 } else { 0.0 };
    if from >= to {
        let middle = 0.5 * (from + to) as f32;
        let share = smootherstep(0.5 + (frame as f32 - middle) / 4.0);
        return (first + (last - first) * share, 0.0);
    }
    let part = (frame as f32 - from as f32) / (to - from) as f32;
    let share = first + (last - first) * smootherstep(part);
    // Flat as long as both are down; on the way there and back while one is.
    let outside = from.saturating_sub(frame).max(frame.saturating_sub(to)) as f32;
    (share, smootherstep(1.0 - outside / flatten))
}

/// How far each frame is from the nearest one that is meant; those that are meant are 0 away.
fn frames_away(count: usize, meant: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut away = vec![count; count];
    let mut near = count;
    for (frame, away) in away.iter_mut().enumerate() {
        near = if meant(frame) { 0 } else { (near + 1).min(count) };
        *away = near;
    }
    for (frame, away) in away.iter_mut().enumerate().rev() {
        near = if meant(frame) { 0 } else { (near + 1).min(count) };
        *away = near.min(*away);
    }
    away
}

/// From a value and a speed to a value and a speed, with accelerations that vanish at both ends.
fn quintic(a: Vec3, va: Vec3, b: Vec3, vb: Vec3, t: f32) -> Vec3 {
    let (t3, t4, t5) = (t.powi(3), t.powi(4), t.powi(5));
    let step = 10.0 * t3 - 15.0 * t4 + 6.0 * t5;
    a + (b - a) * step
        + va * (t - 6.0 * t3 + 8.0 * t4 - 3.0 * t5)
        + vb * (-4.0 * t3 + 7.0 * t4 - 3.0 * t5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legs_are_stretched_ever_less_and_never_too_far() {
        let lengths: Vec<f32> =
            (0..60).map(|k| soften(0.9 + 0.003 * k as f32, 0.95, 0.99)).collect();
        assert_eq!(lengths[10], 0.9 + 0.03);
        assert!(lengths.iter().all(|length| *length <= 0.99));
        let steps: Vec<f32> = lengths.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(steps.windows(2).all(|pair| pair[1] < pair[0] + 1e-6 && pair[1] >= 0.0));
        // As straight as the clip has it: nothing is left to soften.
        assert_eq!((soften(0.98, 0.995, 0.995), soften(1.2, 0.995, 0.995)), (0.98, 0.995));
    }

    #[test]
    fn frames_know_how_far_the_nearest_stance_is() {
        let meant = [false, false, true, true, false, false, false, true];
        assert_eq!(frames_away(8, |frame| meant[frame]), [2, 1, 0, 0, 1, 2, 1, 0]);
        assert_eq!(frames_away(3, |_| false), [3; 3]);
        assert!(frames_away(0, |_| true).is_empty());
    }
}
