//! In-betweening: the motion from one pose or clip to the next, made anew, in which feet that are down stay down or step.

use super::error::{EditError, check};
use super::join::placement;
use super::plant::{check_rig, signal::smooth_above};
use super::spline::{along_arc, hermite, rotation_vector_rate};
use super::time::resampled;
use andante_play::Contacts;
use andante_play::feet::LegChain;
use andante_skeleton::{
    BodyPoint, Clip, Foot, Planar, Rig, Skeleton, Transform, ease, model_frames, rotation,
};
use glam::{Quat, Vec2, Vec3};
use std::f32::consts::PI;

andante_skeleton::settings! {
    /// Options of [`in_between`].
    pub struct BetweenOptions: Copy {
        /// Seconds that are made. Short ones hurry, long ones float.
        seconds: f32 = 0.6, 0.02..=60.0;
        /// Whether the second clip is moved and turned on the ground: a foot that is down in both then stays where it is, and
        /// without one the body goes on at its pace.
        align: bool = true;
        /// Metres by which a foot that is down at both ends may be apart and still stays; any more is a step.
        stays: f32 = 0.002, 0.0..=0.05;
        /// How high a foot is lifted in a step, as a share of the way it makes.
        lift: f32 = 0.25, 0.0..=1.0;
        /// The least and the most that it is lifted, in lengths of the leg.
        lift_least: f32 = 0.02, 0.0..=0.5;
        /// See `lift_least`.
        lift_most: f32 = 0.15, 0.0..=1.0;
        /// Seconds in which the pace that joints have at the ends dies out.
        carry: f32 = 0.3, 0.0..=2.0;
        /// Part of the time before the first and after the last step in which all feet stay.
        settle: f32 = 0.1, 0.0..=0.4;
    }
}

/// The report of an in-betweening: what feet did.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BetweenReport {
    /// The frames that were made: from one to before another.
    pub made: std::ops::Range<usize>,
    /// Feet that stayed where they were, by their number in the rig.
    pub stayed: Vec<usize>,
    /// Feet that made a step, by their number in the rig.
    pub stepped: Vec<usize>,
    /// How far the hips were lowered at most, in metres.
    pub lowered_max: f32,
    /// Largest distance by which a leg missed its foot, in metres.
    pub missed_max: f32,
    /// How far feet glide over the ground while none of them stands, in metres. What lies between two poses that are many
    /// steps apart cannot be made of one step of each foot.
    pub glided: f32,
}

/// The feet that are down at a time: by contacts where they are known, and otherwise those that are not above the lowest one by
/// more than three hundredths of a leg.
pub fn feet_down_at(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    contacts: Option<&Contacts>,
    time: f32,
) -> Vec<bool> {
    if let Some(contacts) = contacts {
        return contacts
            .feet
            .iter()
            .map(|foot| foot.heel_down(time) || foot.toe_down(time))
            .collect();
    }
    let pose = super::time::posture_at(clip, time);
    let mut models = pose.to_vec();
    skeleton.local_to_model(&pose, &mut models);
    let height = |foot: &Foot| {
        [foot.heel, foot.ball]
            .map(|point| point.position(&models).y)
            .into_iter()
            .fold(f32::INFINITY, f32::min)
    };
    let lowest = rig.feet.iter().map(height).fold(f32::INFINITY, f32::min);
    let leg = |foot: &Foot| -> f32 {
        foot.leg[1..].iter().map(|&joint| skeleton.joint(joint).rest.translation.length()).sum()
    };
    rig.feet.iter().map(|foot| height(foot) - lowest <= 0.03 * leg(foot)).collect()
}

/// The first clip, then some seconds that are made, then the second one.
///
/// Joints leave the first clip and meet the second at the pace they have there. `down` says which feet are on the ground at the
/// end of the first and at the beginning of the second clip ([`feet_down_at`]): those that are down in both and at the same place
/// stay, those at another place step, one after the other, and the body is lowered where legs would not reach.
pub fn in_between(
    skeleton: &Skeleton,
    rig: &Rig,
    first: &Clip,
    second: &Clip,
    down: [&[bool]; 2],
    options: &BetweenOptions,
) -> Result<(Clip, BetweenReport), EditError> {
    check(skeleton, first)?;
    check(skeleton, second)?;
    check_rig(skeleton, rig)?;
    options.check()?;
    let feet = rig.feet.len();
    if let Some(other) = down.iter().find(|down| down.len() != feet) {
        return Err(EditError::Feet { found: other.len(), expected: feet });
    }
    let fps = first.fps();
    let second = resampled(skeleton, second, fps)?;
    let count = ((options.seconds * fps).round() as usize).max(1);
    let by = match options.align {
        true => meeting(skeleton, rig, (first, &second), down, options),
        false => Transform::IDENTITY,
    };
    let mut tail = second.transforms().to_vec();
    tail.chunks_exact_mut(skeleton.len()).for_each(|pose| pose[0] = by * pose[0]);
    let second = Clip::new(first.name(), skeleton, fps, tail)?;

    let gap = Gap::new(first, &second, count, options);
    let mut made: Vec<Transform> = (0..=count).flat_map(|frame| gap.pose(frame)).collect();
    let mut report = BetweenReport::default();
    put_feet(skeleton, rig, &mut made, (first, count), down, options, &mut report)?;
    report.glided = glided(skeleton, rig, &made, count);

    let joints = skeleton.len();
    let mut transforms = first.transforms().to_vec();
    report.made = first.frame_count()..first.frame_count() + count - 1;
    transforms.extend_from_slice(&made[joints..count * joints]);
    transforms.extend_from_slice(second.transforms());
    Ok((Clip::new(first.name(), skeleton, fps, transforms)?, report))
}

/// How the second clip is moved so that it goes on where the first one ends.
fn meeting(
    skeleton: &Skeleton,
    rig: &Rig,
    (first, second): (&Clip, &Clip),
    down: [&[bool]; 2],
    options: &BetweenOptions,
) -> Transform {
    let last = first.frame_count() - 1;
    let models = |clip: &Clip, frame: usize| {
        let mut models = clip.frame(frame).to_vec();
        skeleton.local_to_model(clip.frame(frame), &mut models);
        models
    };
    let (before, after) = (models(first, last), models(second, 0));
    // Where a foot stands and points to; of several that stay the one that needs the least turning of the body.
    let print = |foot: &Foot, models: &[Transform]| {
        let [heel, ball] = [foot.heel, foot.ball].map(|point| point.position(models));
        let along = Vec2::new(ball.x - heel.x, ball.z - heel.z);
        let own = models[foot.ankle()].rotation;
        let heading = match along.length() > 1e-3 {
            true => libm::atan2f(along.x, along.y),
            false => rotation::heading(own),
        };
        Planar::new(Vec2::new(ball.x, ball.z), heading)
    };
    let facing = |clip: &Clip, frame: usize| placement(skeleton, clip.frame(frame));
    let (from, to) = (facing(second, 0), facing(first, last));
    let turn_of = |place: &Planar| {
        let faced = rotation::wrap_angle(place.heading + from.heading - to.heading);
        faced.abs()
    };
    let places = rig.feet.iter().enumerate().filter(|(foot, _)| down[0][*foot] && down[1][*foot]);
    let places = places.map(|(_, foot)| print(foot, &before).then(&print(foot, &after).inverse()));
    let pivot = places.min_by(|a, b| turn_of(a).total_cmp(&turn_of(b)));
    let place = pivot.unwrap_or_else(|| {
        let pace = |clip: &Clip, frames: [usize; 2]| {
            let [a, b] = frames.map(|frame| clip.frame(frame)[0].translation);
            Vec2::new(b.x - a.x, b.z - a.z) * clip.fps()
        };
        let aligned = to.then(&from.inverse());
        let leaves = if last > 0 { pace(first, [last - 1, last]) } else { Vec2::ZERO };
        let arrives = if second.frame_count() > 1 { pace(second, [0, 1]) } else { Vec2::ZERO };
        let arrives =
            Planar::new(Vec2::ZERO, aligned.heading).then(&Planar::new(arrives, 0.0)).position;
        Planar::new(aligned.position + 0.5 * (leaves + arrives) * options.seconds, aligned.heading)
    });
    place.to_transform()
}

/// The ends of a gap, and the paces of all joints there.
struct Gap<'a> {
    ends: [&'a [Transform]; 2],
    /// Metres and radians per second, in the frame of the joint.
    rates: [Vec<(Vec3, Vec3)>; 2],
    count: usize,
    seconds: f32,
    carry: f32,
}

impl<'a> Gap<'a> {
    fn new(first: &'a Clip, second: &'a Clip, count: usize, options: &BetweenOptions) -> Self {
        let last = first.frame_count() - 1;
        let rates = |clip: &Clip, frames: Option<[usize; 2]>| -> Vec<(Vec3, Vec3)> {
            let Some([a, b]) = frames else {
                return vec![(Vec3::ZERO, Vec3::ZERO); clip.joint_count()];
            };
            let rate = |(a, b): (&Transform, &Transform)| {
                let turned = rotation::log(a.rotation.conjugate() * b.rotation);
                ((b.translation - a.translation) * clip.fps(), turned * clip.fps())
            };
            clip.frame(a).iter().zip(clip.frame(b)).map(rate).collect()
        };
        let leaves = rates(first, last.checked_sub(1).map(|before| [before, last]));
        let arrives = rates(second, (second.frame_count() > 1).then_some([0, 1]));
        let seconds = count as f32 / first.fps();
        let carry = options.carry.min(seconds);
        let ends = [first.frame(last), second.frame(0)];
        Self { ends, rates: [leaves, arrives], count, seconds, carry }
    }

    /// The pose so many frames after the first clip, before feet are looked at.
    fn pose(&self, frame: usize) -> Vec<Transform> {
        if frame == 0 || frame == self.count {
            return self.ends[usize::from(frame > 0)].to_vec();
        }
        let time = self.seconds * frame as f32 / self.count as f32;
        (0..self.ends[0].len()).map(|joint| self.joint(joint, time)).collect()
    }

    fn joint(&self, joint: usize, time: f32) -> Transform {
        let [a, b] = self.ends.map(|pose| pose[joint]);
        let [(linear_a, angular_a), (linear_b, angular_b)] =
            [&self.rates[0], &self.rates[1]].map(|rates| rates[joint]);
        if joint == 0 {
            // The body goes on at its pace.
            let translation =
                hermite((a.translation, linear_a), (b.translation, linear_b), self.seconds, time);
            let turn = rotation::log(a.rotation.conjugate() * b.rotation);
            let arrival = rotation_vector_rate(turn, angular_b);
            let turned = hermite((Vec3::ZERO, angular_a), (turn, arrival), self.seconds, time);
            return Transform::new((a.rotation * rotation::exp(turned)).normalize(), translation);
        }
        let u = ease(time / self.seconds);
        let left = self.carried(time);
        let ahead = self.carried(self.seconds - time);
        let translation = a.translation.lerp(b.translation, u) + linear_a * left - linear_b * ahead;
        let turned = rotation::exp(angular_a * left) * rotation::exp(angular_b * -ahead);
        Transform::new((along_arc(a.rotation, b.rotation, u) * turned).normalize(), translation)
    }

    /// How far something gets that leaves an end at one metre per second and soon stops and comes back.
    fn carried(&self, time: f32) -> f32 {
        if self.carry <= 0.0 { 0.0 } else { time * (1.0 - time / self.carry).max(0.0).powi(2) }
    }
}

/// The way of a foot through the gap.
enum FootWay {
    /// It stays, rolling about this point of the foot.
    Stays(BodyPoint),
    /// It steps in this part of the time, and its ball is lifted so high.
    Steps {
        part: [f32; 2],
        lift: f32,
        ball: BodyPoint,
    },
    /// It is down at the beginning up to this part of the time, or from it to the end.
    Leaves(f32),
    Arrives(f32),
    Free,
}

/// Puts feet where they belong in the frames of a gap, both ends included, which stay as they are.
fn put_feet(
    skeleton: &Skeleton,
    rig: &Rig,
    made: &mut [Transform],
    (first, count): (&Clip, usize),
    down: [&[bool]; 2],
    options: &BetweenOptions,
    report: &mut BetweenReport,
) -> Result<(), EditError> {
    let joints = skeleton.len();
    let clip = Clip::new("gap", skeleton, first.fps(), made.to_vec())?;
    let models = model_frames(skeleton, &clip);
    let ways = ways(rig, skeleton, [&models[0], &models[count]], down, options, report);
    let legs: Vec<Option<LegChain>> =
        rig.feet.iter().map(|foot| LegChain::new(skeleton, foot, &clip)).collect();
    let targets: Vec<Vec<Transform>> = rig
        .feet
        .iter()
        .zip(&ways)
        .map(|(foot, way)| {
            (0..=count).map(|frame| way.ankle(foot.ankle(), &models, frame)).collect()
        })
        .collect();
    let lowering: Vec<f32> = (0..=count)
        .map(|frame| {
            let needed = |index: usize| {
                let (foot, leg) = (&rig.feet[index], legs[index].as_ref()?);
                let own = models[frame][leg.joints[2]]
                    .translation
                    .distance(models[frame][leg.joints[0]].translation);
                let longest = (0.995 * leg.length).max(own);
                Some(leg.lowering(
                    targets[index][frame].translation,
                    &models[frame],
                    foot.ankle(),
                    longest,
                ))
            };
            (0..legs.len()).filter_map(needed).fold(0.0, f32::max)
        })
        .collect();
    let window = (0.1 * first.fps()).round() as usize;
    let lowering = smooth_above(&lowering, window.min(count));
    let mut placed = vec![Transform::IDENTITY; joints];
    for frame in 1..count {
        let pose = &mut made[frame * joints..][..joints];
        // Poses at both ends stay as they are.
        let near = frame.min(count - frame) as f32 / window.max(1) as f32;
        let lowered = lowering[frame] * ease(near);
        if lowered > 0.0 {
            let above = skeleton.parent(rig.hips).map(|parent| models[frame][parent].rotation);
            pose[rig.hips].translation +=
                above.unwrap_or(Quat::IDENTITY).conjugate() * (Vec3::NEG_Y * lowered);
            report.lowered_max = report.lowered_max.max(lowered);
        }
        skeleton.local_to_model(pose, &mut placed);
        for (index, (foot, leg)) in rig.feet.iter().zip(&legs).enumerate() {
            if let (Some(leg), false) = (leg, matches!(ways[index], FootWay::Free)) {
                let (missed, _) =
                    leg.solve(&targets[index][frame], foot.ankle(), 1.0, pose, &mut placed);
                report.missed_max = report.missed_max.max(missed);
            }
        }
    }
    Ok(())
}

/// How far feet glide in the frames of a gap: in each frame as far as that of the feet that are on the ground, or near it, moves
/// which moves least.
fn glided(skeleton: &Skeleton, rig: &Rig, made: &[Transform], count: usize) -> f32 {
    let mut models = vec![Transform::IDENTITY; skeleton.len()];
    let mut soles = Vec::with_capacity(count + 1);
    for pose in made.chunks_exact(skeleton.len()) {
        skeleton.local_to_model(pose, &mut models);
        let points = |foot: &Foot| [foot.heel, foot.ball].map(|point| point.position(&models));
        soles.push(rig.feet.iter().map(points).collect::<Vec<_>>());
    }
    let lowest = |feet: &[[Vec3; 2]]| {
        feet.iter().flatten().map(|point| point.y).fold(f32::INFINITY, f32::min)
    };
    let ground = [lowest(&soles[0]), lowest(&soles[count])];
    let legs = rig.feet.iter().map(|foot| {
        let bone = |&joint: &usize| skeleton.joint(joint).rest.translation.length();
        foot.leg[1..].iter().map(bone).sum::<f32>()
    });
    let near = 0.05 * legs.fold(0.0, f32::max);
    let step = |frame: usize| {
        let u = frame as f32 / count as f32;
        let level = ground[0] + (ground[1] - ground[0]) * u + near;
        let feet = soles[frame].iter().zip(&soles[frame + 1]);
        let low = feet.filter(|(a, _)| a.iter().any(|point| point.y < level));
        // A foot rolls about the one or the other end.
        let moved = |(a, b): (&[Vec3; 2], &[Vec3; 2])| {
            let [heel, ball] = [0, 1].map(|end| (b[end] - a[end]).with_y(0.0).length());
            heel.min(ball)
        };
        low.map(moved).reduce(f32::min).unwrap_or(0.0)
    };
    (0..count).map(step).sum()
}

/// What each foot does.
fn ways(
    rig: &Rig,
    skeleton: &Skeleton,
    ends: [&Vec<Transform>; 2],
    down: [&[bool]; 2],
    options: &BetweenOptions,
    report: &mut BetweenReport,
) -> Vec<FootWay> {
    let far = |point: BodyPoint| point.position(ends[0]).distance(point.position(ends[1]));
    // A heel may rise over a ball that stays, and the other way round.
    let apart = |foot: &Foot| far(foot.ball).min(far(foot.heel));
    let both = |index: usize| down[0][index] && down[1][index];
    for (index, foot) in rig.feet.iter().enumerate().filter(|(index, _)| both(*index)) {
        match apart(foot) <= options.stays {
            true => report.stayed.push(index),
            false => report.stepped.push(index),
        }
    }
    // One foot after the other.
    let steps = report.stepped.len().max(1) as f32;
    let share = (1.0 - 2.0 * options.settle) / steps;
    let way = |(index, foot): (usize, &Foot)| {
        let leg: f32 = foot.leg[1..]
            .iter()
            .map(|&joint| skeleton.joint(joint).rest.translation.length())
            .sum();
        if let Some(order) = report.stepped.iter().position(|&other| other == index) {
            let from = options.settle + share * order as f32;
            let least = options.lift_least * leg;
            let lift = (options.lift * apart(foot)).min(options.lift_most * leg).max(least);
            return FootWay::Steps { part: [from, from + share], lift, ball: foot.ball };
        }
        match (down[0][index], down[1][index]) {
            (true, true) => {
                let point = if far(foot.ball) <= far(foot.heel) { foot.ball } else { foot.heel };
                FootWay::Stays(point)
            }
            (true, false) => FootWay::Leaves(0.4),
            (false, true) => FootWay::Arrives(0.6),
            (false, false) => FootWay::Free,
        }
    };
    rig.feet.iter().enumerate().map(way).collect()
}

impl FootWay {
    /// Where the ankle belongs in a frame.
    fn ankle(&self, joint: usize, models: &[Vec<Transform>], frame: usize) -> Transform {
        let count = models.len() - 1;
        let (a, b, own) = (models[0][joint], models[count][joint], models[frame][joint]);
        let u = frame as f32 / count as f32;
        let mixed = |from: &Transform, to: &Transform, share: f32| {
            Transform::new(
                along_arc(from.rotation, to.rotation, share),
                from.translation.lerp(to.translation, share),
            )
        };
        match self {
            Self::Stays(point) => about_point(joint, point, models, frame, ease(u)),
            Self::Steps { part: [from, to], lift, ball } => {
                let part = ((u - from) / (to - from)).clamp(0.0, 1.0);
                // Off the ground and onto it without a jolt.
                let up = lift * (0.5 - 0.5 * libm::cosf(2.0 * PI * part));
                let mut placed = about_point(joint, ball, models, frame, ease(part));
                placed.translation.y += up;
                placed
            }
            Self::Leaves(from) => mixed(&a, &own, ease((u - from) / (1.0 - from))),
            Self::Arrives(to) => mixed(&b, &own, ease((to - u) / to)),
            Self::Free => own,
        }
    }
}

/// The ankle of a foot whose point is this share of its way from one end to the other, with toes bent as in the frame.
fn about_point(
    joint: usize,
    point: &BodyPoint,
    models: &[Vec<Transform>],
    frame: usize,
    share: f32,
) -> Transform {
    let (first, last, own) = (&models[0], &models[models.len() - 1], &models[frame]);
    let rotation = along_arc(first[joint].rotation, last[joint].rotation, share);
    let place = point.position(first).lerp(point.position(last), share);
    let in_foot = own[joint].inverse().transform_point(point.position(own));
    Transform::new(rotation, place - rotation * in_foot)
}
