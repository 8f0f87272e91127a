//! The solution: flexion of the middle joint, direction of the limb, swivel about it.
//!
//! All of it happens in the model's frame, where positions are known already, and without trigonometry:
//! angles are used as their cosine and sine, and halved by [`half`].

use super::lanes::{cross, lanes, larger, product, smaller, sums, turned};
use super::{TwoBone, TwoBoneOptions, TwoBoneReport};
use andante_skeleton::Transform;
use glam::{Quat, Vec3, Vec4, Vec4Swizzles};

impl TwoBone {
    /// Places the end at `position`, and turned to `rotation` if there is one. Inlined into each of its
    /// callers, for which rotation and pole are there or not.
    #[inline(always)]
    pub(super) fn place(
        &self,
        position: Vec3,
        rotation: Option<Quat>,
        pole: Option<Vec3>,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> TwoBoneReport {
        let [root, middle, end] = self.joints;
        let (hip, knee) = (lanes(models[root].translation), lanes(models[middle].translation));
        let (thigh, shank) = (knee - hip, lanes(models[end].translation) - knee);
        let to_target = lanes(position) - hip;
        let (old_root, old_middle) = (models[root].rotation, models[middle].rotation);
        let squares = sums(to_target * to_target, thigh * thigh, shank * shank, thigh * shank);
        let lengths = squares.sqrt();
        let (wanted, upper, lower) = (lengths.x, lengths.y, lengths.z);
        let length = upper + lower;
        if !(wanted.is_finite() && rotation.is_none_or(Quat::is_finite)) {
            let extension = (thigh + shank).length() / length;
            return TwoBoneReport { reached: false, residual: f32::INFINITY, extension };
        }
        let softened = soften(wanted, length, (upper - lower).abs(), options);

        // Knee: the flexion δ about the axis u that makes the end as far away as the target. With p
        // leading from the knee to the root and d to the end, p·d(δ) = c + A cos δ + B sin δ, and
        // |p - d(δ)|² is the squared distance. Of the two solutions, δ = atan2(B, A) − acos(cosine)
        // is on the flexed side of the straight limb, whatever the pose before was.
        let u = turned(old_middle, self.axis);
        let shank_turned = cross(u, shank);
        let along = sums(thigh * u, shank * u, thigh * shank_turned, Vec4::ZERO);
        let constant = -along.x * along.y;
        let (cos_part, sin_part) = (-squares.w - constant, -along.z);
        let reach_squared = larger(cos_part * cos_part + sin_part * sin_part, 1e-24);
        let sides = squares.y + squares.z;
        let wanted_dot = (0.5 * sides - constant) - 0.5 * softened * softened;
        let scale = reach_squared.recip();
        let (cos_part, sin_part) = (cos_part * scale, sin_part * scale);
        let (dot, distance) = if wanted_dot * wanted_dot <= reach_squared {
            (wanted_dot, softened)
        } else {
            // An axis that is not square to the bones does not let them line up.
            let dot = reach_squared.sqrt().copysign(wanted_dot);
            (dot, larger(sides - 2.0 * (dot + constant), 0.0).sqrt())
        };
        let sine = larger(reach_squared - dot * dot, 0.0).sqrt();
        let cos_bend = cos_part * dot + sin_part * sine;
        let sin_bend = sin_part * dot - cos_part * sine;
        let (half_cos, half_sin) = half(cos_bend, sin_bend);
        let bend_squared = half_cos * half_cos + half_sin * half_sin;

        // Hip: the rotations that point the limb at its target. A target within a thousandth of the limb's
        // length of its root has no direction worth following: the limb's own blends in.
        let shank_along = u * along.y;
        let pointing =
            (thigh + shank_along) + ((shank - shank_along) * cos_bend + shank_turned * sin_bend);
        let (pointing, distance_of_pointing, direction) = if wanted >= 1e-3 * length {
            (pointing, distance, to_target / wanted)
        } else {
            let own = pointing.try_normalize().unwrap_or(thigh / upper);
            (own, 1.0, (to_target + own * (1e-3 * length - wanted)).normalize_or(own))
        };
        let (swing, swung) = arcs(pointing, distance_of_pointing, direction);

        // Swivel: cos·swing + sin·swung leads the root to a rotation that points at the target, and leaves
        // the end joint to make up the rest of the way to its own. Both are compared with what they were;
        // each comparison is linear in (cos, sin), so their weighted squares are largest along an eigenvector.
        // The root's has no sine. Neither bend nor swing nor swivel is of unit length here: one division
        // at the end makes up for all.
        let swing_squared = swing.length_squared();
        let mut xx = options.root_weight * bend_squared * swing.w * swing.w;
        let (mut yy, mut xy) = (0.0, 0.0);
        if let Some(rotation) = rotation {
            let change = product(rotation, models[end].rotation.conjugate());
            let change_bent = product(change, Quat::from_vec4(u));
            let change = Vec4::from(change) * half_cos - Vec4::from(change_bent) * half_sin;
            let (cos, sin) = (change.dot(swing), change.dot(swung));
            xx += cos * cos;
            yy = sin * sin;
            xy = cos * sin;
        }
        if let Some(pole) = pole {
            let shortest = Quat::from_vec4(swing).normalize();
            let (weight, cos, sin) =
                pole_swivel(lanes(pole) - hip, direction, turned(shortest, thigh));
            let weight = weight * bend_squared * swing_squared;
            xx += weight * cos * cos;
            yy += weight * sin * sin;
            xy += weight * cos * sin;
        }
        // The rotations before are not quite of unit length either, and are made to be.
        let root_squared = old_root.length_squared();
        let (cos, sin, squared) = eigenvector(xx - yy, 2.0 * xy, swing_squared * root_squared);
        let scale = squared.sqrt().recip();
        let turn = Quat::from_vec4(swing * (cos * scale) + swung * (sin * scale));
        let old_local = locals[middle].rotation;
        let scale = (bend_squared * old_local.length_squared()).sqrt().recip();
        let (half_cos, half_sin) = (half_cos * scale, half_sin * scale);
        let bent = |q: Quat| {
            let q = Vec4::from(q);
            Quat::from_vec4(q * half_cos + self.times_axis * q * half_sin)
        };

        let new_root = product(turn, old_root);
        let new_middle = product(turn, bent(old_middle));
        models[root].rotation = new_root;
        locals[root].rotation = match self.parent {
            Some(parent) => product(models[parent].rotation.conjugate(), new_root),
            None => new_root,
        };
        let knee = hip + turned(new_root, lanes(locals[middle].translation));
        // Part by part: a transform that is put together first is a detour through memory.
        models[middle].rotation = new_middle;
        models[middle].translation = knee.xyz();
        locals[middle].rotation = bent(old_local);
        let new_end = match rotation {
            Some(rotation) => {
                locals[end].rotation = product(new_middle.conjugate(), rotation);
                rotation
            }
            None => product(new_middle, locals[end].rotation),
        };
        let ankle = knee + turned(new_middle, lanes(locals[end].translation));
        models[end].rotation = new_end;
        models[end].translation = ankle.xyz();
        let residual = (ankle - lanes(position)).length();
        TwoBoneReport { reached: residual <= 1e-4 * length, residual, extension: distance / length }
    }
}

/// How strongly a pole across the limb holds the swivel, against 1 for the pose before. The influence
/// falls with the square of the sine of the pole's angle to the limb.
const POLE_STRENGTH: f32 = 1e4;

/// Weight of a pole, and cosine and sine of half the swivel that leads the bone `thigh` to its side.
fn pole_swivel(pole: Vec4, direction: Vec4, thigh: Vec4) -> (f32, f32, f32) {
    let across = |v: Vec4| v - direction * v.dot(direction);
    let (side, knee) = (across(pole), across(thigh));
    let scale = (side.length_squared() * knee.length_squared()).sqrt();
    if !(scale.is_finite() && scale > 1e-12) {
        return (0.0, 1.0, 0.0);
    }
    let (cos, sin) = half(knee.dot(side) / scale, direction.dot(cross(knee, side)) / scale);
    let size = (cos * cos + sin * sin).sqrt();
    let weight = POLE_STRENGTH * side.length_squared() / pole.length_squared();
    (weight, cos / size, sin / size)
}

/// A vector in the direction of half an angle, of which cosine and sine are given; of length √2 to 2.
#[inline(always)]
fn half(cos: f32, sin: f32) -> (f32, f32) {
    // (1 + cos, sin) and (|sin|, ±(1 − cos)) both point half-way; the longer one is exact.
    if cos >= 0.0 { (1.0 + cos, sin) } else { (sin.abs(), (1.0 - cos).copysign(sin)) }
}

/// A vector along the (c, s) with the largest `c²·xx + s²·yy + 2·c·s·xy`, given `difference = xx − yy` and
/// `product = 2·xy`: half-way to (difference, product). Without a preference, along (1, 0). Also its
/// squared length times `weight`, which is of the size of the numbers.
#[inline(always)]
fn eigenvector(difference: f32, product: f32, weight: f32) -> (f32, f32, f32) {
    let size = (difference * difference + product * product).sqrt();
    if size <= 1e-12 * weight {
        return (1.0, 0.0, weight);
    }
    let larger = size + difference.abs();
    let squared = (2.0 * weight * size) * larger;
    if difference >= 0.0 {
        (larger, product, squared)
    } else {
        (product.abs(), larger.copysign(product), squared)
    }
}

/// The distance the limb is given for a wanted one: unchanged up to the softening point, then
/// approaching the largest extension without reaching it, with continuous slope.
#[inline(always)]
fn soften(wanted: f32, length: f32, shortest: f32, options: &TwoBoneOptions) -> f32 {
    let longest = length * options.max_extension;
    let knee_point = smaller(length * options.soften_at, longest);
    let room = longest - knee_point;
    let beyond = larger(wanted - knee_point, 0.0);
    // No branch: a walking leg is on either side of this point, and never for long.
    let lag = room * beyond / larger(room + beyond, f32::MIN_POSITIVE);
    larger(smaller(wanted, knee_point) + lag, shortest)
}

/// The shortest rotation between two unit vectors. [`Quat::from_rotation_arc`] takes vectors less
/// than 0.7 mrad apart for the same, which is half a millimetre at the end of a leg.
pub(crate) fn arc(from: Vec3, to: Vec3) -> Quat {
    Quat::from_vec4(arcs(lanes(from), 1.0, lanes(to)).0).normalize()
}

/// One and the cosine between directions that are nearly opposite, below which their cross product is rounded too
/// coarsely.
pub(super) const NEARLY_OPPOSITE: f32 = 0.01;

/// The rotations from the direction of `from`, of length `length`, to the unit vector `to` are the
/// combinations of two quaternions, square to each other and of one length: the shortest rotation, and the
/// half turn about the line half-way, which has no real part.
#[inline(always)]
fn arcs(from: Vec4, length: f32, to: Vec4) -> (Vec4, Vec4) {
    let dot = from.dot(to);
    if dot > (NEARLY_OPPOSITE - 1.0) * length {
        (cross(from, to) + Vec4::W * (length + dot), from + to * length)
    } else {
        opposite_arcs(from, length, to)
    }
}

/// The same where both directions are nearly opposite. For any quaternion x, x − to·x·from leads one to the
/// other; it is far from zero for an x across.
#[cold]
fn opposite_arcs(from: Vec4, length: f32, to: Vec4) -> (Vec4, Vec4) {
    let from = (from / length).normalize_or(-to);
    let x = lanes(to.xyz().any_orthonormal_vector());
    let [from, to_, across] = [from, to, x].map(Quat::from_vec4);
    let first = x - Vec4::from(to_ * across * from);
    let second = Vec4::from(to_ * Quat::from_vec4(first));
    // Turned within their plane until one has no real part.
    let real = glam::Vec2::new(first.w, second.w).normalize_or(glam::Vec2::X);
    (first * real.x + second * real.y, second * real.x - first * real.y)
}
