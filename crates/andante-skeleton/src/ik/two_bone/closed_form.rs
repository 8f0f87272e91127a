//! The solution: flexion of the middle joint, direction of the limb, swivel about it.
//!
//! All of it happens in the model's frame, where positions are known already, and without trigonometry:
//! angles are used as their cosine and sine, and halved by [`half`]. Numbers that meet vectors are kept in each of
//! four lanes.

use super::lanes::{
    cross, dot, lanes, larger, length_squared, over, product, smaller, sqrt, turned, twist, under,
};
use super::{Bones, TwoBone, TwoBoneOptions, TwoBoneReport};
use crate::Transform;
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
        // Looked at once: every bounds check takes time.
        let (locals, models) = (&mut locals[..=end], &mut models[..=end]);
        let limb = LimbBefore::of(models, self.joints, self.axis);
        let offsets = [locals[middle].translation, locals[end].translation];
        let stretched;
        let bones = if self.bones.are(offsets) {
            &self.bones
        } else {
            stretched = Bones::of(self.axis.truncate(), offsets);
            &stretched
        };
        let length = bones.length;
        let to_target = lanes(position) - limb.hip;
        let wanted_squared = dot(to_target, to_target);
        let wanted = sqrt(wanted_squared);
        if !(wanted.x.is_finite() && rotation.is_none_or(Quat::is_finite)) {
            let extension = (limb.thigh + limb.shank).length() / length;
            return TwoBoneReport { reached: false, residual: f32::INFINITY, extension };
        }
        let flexion =
            Flexion::of(&limb, bones, SoftReach::of(wanted, wanted_squared, bones, options));
        let Flexion { distance, half_cos, half_sin, .. } = flexion;
        let bend_squared = half_cos * half_cos + half_sin * half_sin;
        // The way of the end joint from its rotation before to the wanted one, less the bend.
        let change = rotation.map_or(Vec4::ZERO, |rotation| {
            let change = over(rotation, models[end].rotation);
            let bent = product(change, Quat::from_vec4(limb.axis));
            Vec4::from(change) * half_cos - Vec4::from(bent) * half_sin
        });
        let LimbAim { pointing, pointing_length, direction, residual } =
            LimbAim::of(&limb, bones, &flexion, to_target, wanted);
        let arcs = Arcs::between(pointing, pointing_length, direction, change);

        // Where both lead the root, while the swivel between them is being found.
        let old_root = models[root].rotation;
        let [swing_root, swung_root] =
            [arcs.swing, arcs.swung].map(|q| product(Quat::from_vec4(q), old_root));
        let root_weight = options.root_weight * bend_squared * (arcs.real * arcs.real);
        let pole = pole.map(|pole| (lanes(pole), bend_squared));
        let (difference, twice) = arcs.preference(root_weight, pole, &limb, direction);
        // The rotations before are not quite of unit length either, and are made to be.
        let old_local = locals[middle].rotation;
        let weight = arcs.squared * length_squared(old_root);
        let (new_root, squared) = if rotation.is_some() || pole.is_some() {
            let (cos, sin, squared) = eigenvector(difference, twice, weight);
            let both = Vec4::from(swing_root) * cos + Vec4::from(swung_root) * sin;
            (Quat::from_vec4(both), squared)
        } else {
            (swing_root, weight)
        };
        let bend_scale = sqrt(bend_squared * length_squared(old_local)).recip();
        let bend = Vec4::from(old_local);
        let bend = (bend * half_cos + self.times_axis * bend * half_sin) * bend_scale;
        locals[middle].rotation = Quat::from_vec4(bend);
        self.turn(new_root, squared, rotation, limb.hip, locals, models);
        // Bend and swing have put the end there.
        models[end].translation = (limb.hip + direction * distance).xyz();
        let extension = distance.x / length;
        TwoBoneReport { reached: residual <= 1e-4 * length, residual, extension }
    }

    /// Turns the three joints, once the middle one is bent, by a rotation of the root whose squared length is given.
    #[inline(always)]
    fn turn(
        &self,
        new_root: Quat,
        squared: Vec4,
        rotation: Option<Quat>,
        hip: Vec4,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) {
        let [root, middle, end] = self.joints;
        // Rotations are scaled last of all, lest everything wait for a root and a division.
        let scale_squared = squared.recip();
        let scale = sqrt(scale_squared);
        let scaled = |q: Quat| Quat::from_vec4(Vec4::from(q) * scale);
        let new_middle = product(new_root, locals[middle].rotation);
        let local_root = match self.parent {
            Some(parent) => under(models[parent].rotation, new_root),
            None => new_root,
        };
        // Part by part: a transform that is put together first is a detour through memory.
        locals[root].rotation = scaled(local_root);
        models[root].rotation = scaled(new_root);
        models[middle].rotation = scaled(new_middle);
        let bone = lanes(locals[middle].translation);
        models[middle].translation = (hip + bone + twist(new_root, bone) * scale_squared).xyz();
        models[end].rotation = match rotation {
            Some(rotation) => {
                locals[end].rotation = scaled(under(new_middle, rotation));
                rotation
            }
            None => scaled(product(new_middle, locals[end].rotation)),
        };
    }
}

/// The limb as it was, in the model's frame.
struct LimbBefore {
    /// The axis of flexion.
    axis: Vec4,
    hip: Vec4,
    thigh: Vec4,
    shank: Vec4,
    /// How much of the thigh is along the axis.
    thigh_along: Vec4,
    /// The cross product of axis and thigh.
    thigh_turned: Vec4,
}

impl LimbBefore {
    #[inline(always)]
    fn of(models: &[Transform], [root, middle, end]: [usize; 3], axis: Vec4) -> Self {
        // The axis of flexion first: everything waits for it.
        let axis = turned(models[middle].rotation, axis);
        let (hip, knee) = (lanes(models[root].translation), lanes(models[middle].translation));
        let (thigh, shank) = (knee - hip, lanes(models[end].translation) - knee);
        let (thigh_along, thigh_turned) = (dot(thigh, axis), cross(axis, thigh));
        Self { axis, hip, thigh, shank, thigh_along, thigh_turned }
    }
}

/// Knee: flexed about its axis until the end is as far away as the target. What of thigh and shank is
/// across the axis has a dot product and, along it, a cross product, cosine and sine of the flexion times the
/// lengths of both. The first is known from the distance. Of the two signs of the second, plus is on the flexed
/// side of the straight limb, whatever the pose before was.
struct Flexion {
    dot: Vec4,
    sine: Vec4,
    /// The squared length of the thigh across the axis.
    thigh_across: Vec4,
    /// How far the end is from the root.
    distance: Vec4,
    /// A vector in the direction of half the angle from the flexion before.
    half_cos: Vec4,
    half_sin: Vec4,
}

impl Flexion {
    #[inline(always)]
    fn of(limb: &LimbBefore, bones: &Bones, reach: SoftReach) -> Self {
        let thigh_along = limb.thigh_along;
        let constant = thigh_along * bones.lower_along;
        let thigh_across =
            (bones.upper_squared - thigh_along * thigh_along).max(Vec4::splat(1e-12));
        let sides_squared = thigh_across * bones.lower_across;
        let wanted_dot = 0.5 * (reach.squared - bones.both_squared) - constant;
        let dot_squared = wanted_dot * wanted_dot;
        let (new_dot, sine, distance) = if dot_squared.x <= sides_squared.x {
            (wanted_dot, sqrt(sides_squared - dot_squared), reach.distance)
        } else {
            // An axis that is not square to the bones does not let them line up.
            let dot = sqrt(sides_squared).copysign(wanted_dot);
            let squared = bones.both_squared + 2.0 * (dot + constant);
            (dot, Vec4::ZERO, sqrt(squared.max(Vec4::ZERO)))
        };
        let scale = sides_squared.recip();
        let old_cos = (dot(limb.thigh, limb.shank) - constant) * scale;
        let old_sin = dot(limb.shank, limb.thigh_turned) * scale;
        let (half_cos, half_sin) =
            half(old_cos * new_dot + old_sin * sine, old_cos * sine - old_sin * new_dot);
        Self { dot: new_dot, sine, thigh_across, distance, half_cos, half_sin }
    }
}

/// Hip: where the flexed limb points, and where it is to point. A target within a thousandth of the limb's
/// length of its root has no direction worth following: the limb's own blends in.
struct LimbAim {
    pointing: Vec4,
    pointing_length: Vec4,
    direction: Vec4,
    /// How far the end stays away from the target.
    residual: f32,
}

impl LimbAim {
    #[inline(always)]
    fn of(
        limb: &LimbBefore,
        bones: &Bones,
        flexion: &Flexion,
        to_target: Vec4,
        wanted: Vec4,
    ) -> Self {
        let LimbBefore { axis, thigh, .. } = *limb;
        let Flexion { distance, .. } = *flexion;
        let nearest = 1e-3 * bones.length;
        let scale = flexion.thigh_across.recip();
        let shank_in_line =
            axis * bones.lower_along + (thigh - axis * limb.thigh_along) * (flexion.dot * scale);
        let pointing = thigh + shank_in_line + limb.thigh_turned * (flexion.sine * scale);
        if wanted.x >= nearest {
            let residual = (wanted.x - distance.x).abs();
            let direction = to_target / wanted;
            Self { pointing, pointing_length: distance, direction, residual }
        } else {
            let own = pointing.try_normalize().unwrap_or(thigh / sqrt(bones.upper_squared));
            let direction = (to_target + own * (nearest - wanted.x)).normalize_or(own);
            let residual = (to_target - direction * distance).length();
            Self { pointing: own, pointing_length: Vec4::ONE, direction, residual }
        }
    }
}

/// How strongly a pole across the limb holds the swivel, against 1 for the pose before. The influence
/// falls with the square of the sine of the pole's angle to the limb.
const POLE_STRENGTH: f32 = 1e4;

/// Weight of a pole, and cosine and sine of half the swivel that leads the bone `thigh` to its side.
fn pole_swivel(pole: Vec4, direction: Vec4, thigh: Vec4) -> (Vec4, Vec4, Vec4) {
    let across = |v: Vec4| v - direction * v.dot(direction);
    let (side, knee) = (across(pole), across(thigh));
    let scale = (side.length_squared() * knee.length_squared()).sqrt();
    if !(scale.is_finite() && scale > 1e-12) {
        return (Vec4::ZERO, Vec4::ONE, Vec4::ZERO);
    }
    let (cos, sin) = half(dot(knee, side) / scale, dot(direction, cross(knee, side)) / scale);
    let size = sqrt(cos * cos + sin * sin);
    let weight = POLE_STRENGTH * side.length_squared() / pole.length_squared();
    (Vec4::splat(weight), cos / size, sin / size)
}

/// A vector in the direction of half an angle, of which cosine and sine are given; of length √2 to 2.
#[inline(always)]
fn half(cos: Vec4, sin: Vec4) -> (Vec4, Vec4) {
    // (1 + cos, sin) and (|sin|, ±(1 − cos)) both point half-way; the longer one is exact.
    if cos.x >= 0.0 { (1.0 + cos, sin) } else { (sin.abs(), (1.0 - cos).copysign(sin)) }
}

/// A vector along the (c, s) with the largest `c²·xx + s²·yy + 2·c·s·xy`, given `difference = xx − yy` and
/// `product = 2·xy`: half-way to (difference, product). Without a preference, along (1, 0). Also its
/// squared length times `weight`, which is of the size of the numbers.
#[inline(always)]
fn eigenvector(difference: Vec4, product: Vec4, weight: Vec4) -> (Vec4, Vec4, Vec4) {
    let size = sqrt(difference * difference + product * product);
    if size.x <= 1e-12 * weight.x {
        return (Vec4::ONE, Vec4::ZERO, weight);
    }
    let larger = size + difference.abs();
    let squared = (2.0 * weight * size) * larger;
    if difference.x >= 0.0 {
        (larger, product, squared)
    } else {
        (product.abs(), larger.copysign(product), squared)
    }
}

/// The distance the limb is given for a wanted one: unchanged up to the softening point, then
/// approaching the largest extension without reaching it, with continuous slope.
struct SoftReach {
    distance: Vec4,
    squared: Vec4,
}

impl SoftReach {
    #[inline(always)]
    fn of(wanted: Vec4, squared: Vec4, bones: &Bones, options: &TwoBoneOptions) -> Self {
        let longest = bones.length * options.max_extension;
        let knee_point = smaller(bones.length * options.soften_at, longest);
        if wanted.x <= knee_point && wanted.x >= bones.shortest {
            // What follows need not wait for roots.
            return Self { distance: wanted, squared };
        }
        let wanted = wanted.x;
        let room = longest - knee_point;
        let beyond = larger(wanted - knee_point, 0.0);
        let lag = room * beyond / larger(room + beyond, f32::MIN_POSITIVE);
        let distance = Vec4::splat(larger(smaller(wanted, knee_point) + lag, bones.shortest));
        Self { distance, squared: distance * distance }
    }
}

/// One and the cosine between directions that are nearly opposite, below which their cross product is rounded too
/// coarsely.
pub(super) const NEARLY_OPPOSITE: f32 = 0.1;

/// The rotations from one direction to another are the combinations of two quaternions, square to each other
/// and of one length.
struct Arcs {
    /// The shortest rotation.
    swing: Vec4,
    /// The half turn about the line half-way, which has no real part.
    swung: Vec4,
    /// The real part of the shortest rotation.
    real: Vec4,
    /// The squared length of either.
    squared: Vec4,
    /// How much of another quaternion is along `swing`, times the length of both.
    cos: Vec4,
    /// The same for `swung`.
    sin: Vec4,
}

impl Arcs {
    /// From the direction of `from`, of length `length`, to the unit vector `to`, compared with `other`.
    #[inline(always)]
    fn between(from: Vec4, length: Vec4, to: Vec4, other: Vec4) -> Self {
        let (across, swung) = (cross(from, to), from + to * length);
        let real = length + dot(from, to);
        if real.x > NEARLY_OPPOSITE * length.x {
            let swing = across.with_w(real.x);
            // Rather than with `swing`, which takes longer to be known.
            let cos = dot(other, across) + other.wwww() * real;
            let squared = dot(across, across) + real * real;
            Self { swing, swung, real, squared, cos, sin: dot(other, swung) }
        } else {
            Self::between_opposites(from, length, to, other)
        }
    }

    /// Swivel: cos·swing + sin·swung leads the root to a rotation that points at the target, and leaves
    /// the end joint to make up the rest of the way to its own. Both are compared with what they were;
    /// each comparison is linear in (cos, sin), so their weighted squares are largest along an eigenvector,
    /// of which this returns `difference` and `product`. The root's has no sine. Neither bend nor swing nor
    /// swivel is of unit length here: one division at the end makes up for all. A pole comes with the squared
    /// length of the bend.
    #[inline(always)]
    fn preference(
        &self,
        root_weight: Vec4,
        pole: Option<(Vec4, Vec4)>,
        limb: &LimbBefore,
        direction: Vec4,
    ) -> (Vec4, Vec4) {
        let (cos, sin) = (self.cos, self.sin);
        let mut difference = root_weight - sin * sin + cos * cos;
        let mut twice = 2.0 * (cos * sin);
        if let Some((pole, bend_squared)) = pole {
            let shortest = Quat::from_vec4(self.swing).normalize();
            let (weight, cos, sin) =
                pole_swivel(pole - limb.hip, direction, turned(shortest, limb.thigh));
            let weight = weight * bend_squared * self.squared;
            difference += weight * (cos * cos - sin * sin);
            twice += 2.0 * weight * cos * sin;
        }
        (difference, twice)
    }

    /// The same where both directions are nearly opposite. For any quaternion x, x − to·x·from leads one to the
    /// other; it is far from zero for an x across.
    #[cold]
    fn between_opposites(from: Vec4, length: Vec4, to: Vec4, other: Vec4) -> Self {
        let from = (from / length).normalize_or(-to);
        let x = lanes(to.xyz().any_orthonormal_vector());
        let [from, to_, across] = [from, to, x].map(Quat::from_vec4);
        let first = x - Vec4::from(to_ * across * from);
        let second = Vec4::from(to_ * Quat::from_vec4(first));
        // Turned within their plane until one has no real part.
        let real = glam::Vec2::new(first.w, second.w).normalize_or(glam::Vec2::X);
        let (swing, swung) = (first * real.x + second * real.y, second * real.x - first * real.y);
        let (cos, sin) = (dot(other, swing), dot(other, swung));
        Self { swing, swung, real: swing.wwww(), squared: dot(swing, swing), cos, sin }
    }
}
