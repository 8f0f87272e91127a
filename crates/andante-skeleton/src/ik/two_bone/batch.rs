//! Many limbs, four at a time.

use super::closed_form::NEARLY_OPPOSITE;
use super::wide_math::{Four, Quats, Vectors, each};
use super::{TwoBone, TwoBoneOptions, TwoBoneReport};
use crate::Transform;
use glam::{Quat, Vec3, Vec4};

/// One limb of a batch: see [`TwoBone::solve`].
#[derive(Debug)]
pub struct TwoBoneTask<'a> {
    /// The limb.
    pub limb: &'a TwoBone,
    /// Where its end is to be, in the model's frame.
    pub target: Transform,
    /// The pose to stay close to; receives the result.
    pub locals: &'a mut [Transform],
    /// The same pose in the model's frame.
    pub models: &'a mut [Transform],
    /// Receives what was achieved.
    pub report: TwoBoneReport,
}

impl TwoBone {
    /// Solves many limbs, of one character or of a crowd, in two thirds of the time that
    /// [`TwoBone::solve`] takes for each.
    ///
    /// The poses are those of [`TwoBone::solve`] up to rounding, and do not depend on what else is in
    /// the batch.
    ///
    /// # Panics
    /// If a slice is shorter than its limb's skeleton.
    pub fn solve_many(tasks: &mut [TwoBoneTask<'_>], options: &TwoBoneOptions) {
        for four in tasks.chunks_mut(4) {
            solve_four(four, options);
        }
    }
}

/// Up to four limbs; lanes without one of their own repeat the last.
fn solve_four(tasks: &mut [TwoBoneTask<'_>], options: &TwoBoneOptions) {
    let Some(last) = tasks.len().checked_sub(1) else { return };
    let (ordinary, solution) = {
        let sources = each([0, 1, 2, 3], |lane: usize| BatchSource::of(&tasks[lane.min(last)]));
        BatchSolution::of(sources, options)
    };
    let solved = solution.each();
    if let ([a, b, c, d], 0b1111) = (&mut *tasks, ordinary) {
        // One after the other, not in a loop: what a loop picks from has to be in memory.
        solved[0].write(a);
        solved[1].write(b);
        solved[2].write(c);
        solved[3].write(d);
        return;
    }
    for (lane, (task, solved)) in tasks.iter_mut().zip(&solved).enumerate() {
        if ordinary & (1 << lane) == 0 {
            // Dead centres and targets at the limb's root are rare, and a matter of many cases.
            task.report = task.limb.solve(&task.target, options, task.locals, task.models);
        } else {
            solved.write(task);
        }
    }
}

/// A solved limb: rotations of root and middle joint, those of all three relative to their parents, and places.
#[derive(Clone, Copy)]
struct Solved {
    root: Quat,
    middle: Quat,
    locals: [Quat; 3],
    knee: Vec3,
    ankle: Vec3,
    length: f32,
    residual: f32,
    extension: f32,
}

impl Solved {
    #[inline(always)]
    fn write(&self, task: &mut TwoBoneTask<'_>) {
        let [a, b, c] = task.limb.joints;
        let [root, middle, end] = self.locals;
        let locals = &mut *task.locals;
        locals[a].rotation = root;
        locals[b].rotation = middle;
        locals[c].rotation = end;
        let models = &mut *task.models;
        models[a].rotation = self.root;
        models[b].rotation = self.middle;
        models[b].translation = self.knee;
        models[c].rotation = task.target.rotation;
        models[c].translation = self.ankle;
        let &Self { length, residual, extension, .. } = self;
        task.report = TwoBoneReport { reached: residual <= 1e-4 * length, residual, extension };
    }
}

/// What is read of a limb. All of it is looked up first: a bounds check in the middle of the work keeps its parts from
/// being done at the same time.
#[derive(Clone, Copy)]
struct BatchSource<'a> {
    root: &'a Transform,
    middle: &'a Transform,
    end: &'a Transform,
    /// The middle joint relative to the root.
    local: &'a Transform,
    parent: &'a Quat,
    axis: &'a Vec4,
    target: &'a Transform,
}

impl<'a> BatchSource<'a> {
    #[inline(always)]
    fn of(task: &'a TwoBoneTask<'_>) -> Self {
        let [root, middle, end] = task.limb.joints;
        let models = &*task.models;
        Self {
            root: &models[root],
            middle: &models[middle],
            end: &models[end],
            local: &task.locals[middle],
            parent: task.limb.parent.map_or(&Quat::IDENTITY, |parent| &models[parent].rotation),
            axis: &task.limb.axis,
            target: &task.target,
        }
    }
}

/// Four solved limbs.
struct BatchSolution {
    root: Quats,
    middle: Quats,
    local_root: Quats,
    local_middle: Quats,
    local_end: Quats,
    knee: Vectors,
    ankle: Vectors,
    length: Four,
    residual: Four,
    extension: Four,
}

impl BatchSolution {
    #[inline(always)]
    fn each(self) -> [Solved; 4] {
        let (root, middle) = (self.root.scatter(), self.middle.scatter());
        let (local_root, local_middle) = (self.local_root.scatter(), self.local_middle.scatter());
        let (local_end, knee) = (self.local_end.scatter(), self.knee.scatter());
        let (ankle, length) = (self.ankle.scatter(), self.length.to_array());
        let (residual, extension) = (self.residual.to_array(), self.extension.to_array());
        each([0, 1, 2, 3], |lane: usize| Solved {
            root: root[lane],
            middle: middle[lane],
            locals: [local_root[lane], local_middle[lane], local_end[lane]],
            knee: knee[lane],
            ankle: ankle[lane],
            length: length[lane],
            residual: residual[lane],
            extension: extension[lane],
        })
    }

    /// The steps of [`TwoBone::solve`], and which lanes they are enough for. What is read is read where it is needed,
    /// lest it be kept in memory until then.
    #[inline(always)]
    fn of(sources: [BatchSource<'_>; 4], options: &TwoBoneOptions) -> (u32, Self) {
        let zero = Four::ZERO;
        let places = |of: [&Transform; 4]| Vectors::gather(each(of, |place| place.translation));
        let turns = |of: [&Transform; 4]| Quats::gather(each(of, |place| place.rotation));
        let (hip, knee) = (places(each(sources, |s| s.root)), places(each(sources, |s| s.middle)));
        let (thigh, shank) = (knee - hip, places(each(sources, |s| s.end)) - knee);
        let to_target = places(each(sources, |s| s.target)) - hip;
        let wanted = to_target.dot(to_target).sqrt();
        let (upper_squared, lower_squared) = (thigh.dot(thigh), shank.dot(shank));
        let (upper, lower) = (upper_squared.sqrt(), lower_squared.sqrt());
        let length = upper + lower;
        let softened = soften(wanted, length, (upper - lower).abs(), options);

        // Knee.
        let axis = Vectors::gather(each(sources, |s| s.axis.truncate()));
        let u = turns(each(sources, |s| s.middle)).turned(axis);
        let shank_turned = u.cross(shank);
        let shank_along = shank.dot(u);
        let constant = thigh.dot(u) * shank_along;
        let (cos_part, sin_part) = (thigh.dot(shank) - constant, thigh.dot(shank_turned));
        let reach_squared = cos_part * cos_part + sin_part * sin_part;
        let squares = softened * softened - (upper_squared + lower_squared);
        let dot = squares * Four::splat(0.5) - constant;
        let bends = (dot * dot).simd_le(reach_squared) & reach_squared.simd_gt(zero);
        let sine = (reach_squared - dot * dot).fast_max(zero).sqrt();
        let scale = Four::ONE / reach_squared;
        let cos_bend = (cos_part * dot - sin_part * sine) * scale;
        let sin_bend = (sin_part * dot + cos_part * sine) * scale;
        let (half_cos, half_sin, longer) = halved_of(Four::ONE, cos_bend, sin_bend);
        let bend_squared = longer + longer;

        // Hip.
        let along = u * shank_along;
        let pointing = thigh + along + (shank - along) * cos_bend + shank_turned * sin_bend;
        let direction = to_target * (Four::ONE / wanted);
        let real = softened + pointing.dot(direction);
        let swing = Quats { v: pointing.cross(direction), w: real };
        let swung = pointing + direction * softened;

        // Swivel.
        let rotation = turns(each(sources, |s| s.target));
        let change = rotation.over(turns(each(sources, |s| s.end)));
        let change = change * half_cos - change.times(u) * half_sin;
        let (cos, sin) = (change.dot(swing), change.v.dot(swung));
        let xx = real * real * bend_squared * Four::splat(options.root_weight) + cos * cos;
        let (difference, product) = (xx - sin * sin, (cos + cos) * sin);
        let size = (difference * difference + product * product).sqrt();
        let old_root = turns(each(sources, |s| s.root));
        let weight = swing.dot(swing) * old_root.dot(old_root);
        let (cos, sin, longer) = halved_of(size, difference, product);
        let scale = Four::ONE / ((size + size) * longer * weight).sqrt();
        let (cos, sin) = (cos * scale, sin * scale);
        let root = Quats { v: swing.v * cos + swung * sin, w: real * cos } * old_root;
        let ordinary = bends
            & wanted.simd_ge(length * Four::splat(1e-3))
            & real.simd_gt(softened * Four::splat(NEARLY_OPPOSITE))
            // Neither is true of a target that is not finite.
            & size.simd_gt(weight * Four::splat(1e-12))
            & size.simd_lt(Four::splat(LARGEST));

        let old_local = turns(each(sources, |s| s.local));
        let scale = Four::ONE / (bend_squared * old_local.dot(old_local)).sqrt();
        let bent = old_local * (half_cos * scale) + old_local.times(axis) * (half_sin * scale);
        let middle = root * bent;
        let parent = Quats::gather(each(sources, |s| *s.parent));
        let solution = Self {
            root,
            middle,
            local_root: parent.under(root),
            local_middle: bent,
            local_end: middle.under(rotation),
            knee: hip + root.turned(places(each(sources, |s| s.local))),
            // Bend and swing have put it there.
            ankle: hip + direction * softened,
            length,
            residual: (wanted - softened).abs(),
            extension: softened / length,
        };
        (ordinary.to_bitmask(), solution)
    }
}

/// A size that no sum of squares of finite rotations has.
const LARGEST: f32 = 1e30;

/// Vectors in the direction of half the angles of which cosines and sines are given, times `size`, and `size` more
/// than the size of the cosines.
#[inline(always)]
fn halved_of(size: Four, cos: Four, sin: Four) -> (Four, Four, Four) {
    let longer = size + cos.abs();
    let ahead = cos.simd_ge(Four::ZERO);
    let signed = longer | (sin & Four::splat(-0.0));
    (ahead.select(longer, sin.abs()), ahead.select(sin, signed), longer)
}

/// Four times what one limb is given for a wanted distance.
#[inline(always)]
fn soften(wanted: Four, length: Four, shortest: Four, options: &TwoBoneOptions) -> Four {
    let longest = length * Four::splat(options.max_extension);
    let knee_point = (length * Four::splat(options.soften_at)).fast_min(longest);
    let room = longest - knee_point;
    let beyond = (wanted - knee_point).fast_max(Four::ZERO);
    let lag = room * beyond / (room + beyond).fast_max(Four::splat(f32::MIN_POSITIVE));
    (wanted.fast_min(knee_point) + lag).fast_max(shortest)
}
