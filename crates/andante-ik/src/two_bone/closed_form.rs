//! The solution: flexion of the middle joint, direction of the limb, swivel about it.
//!
//! All of it happens in the model's frame, where positions are known already, and without trigonometry:
//! angles are used as their cosine and sine, and halved by [`half`].

use super::lanes::{cross, lanes, larger, product, roots, smaller, sums, turned, twist};
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
        let lengths = roots(squares);
        let (wanted, upper, lower) = (lengths.x, lengths.y, lengths.z);
        let length = upper + lower;
        if !(wanted.is_finite() && rotation.is_none_or(Quat::is_finite)) {
            let extension = (thigh + shank).length() / length;
            return TwoBoneReport { reached: false, residual: f32::INFINITY, extension };
        }
        let reach = Reach::of(wanted, squares.x, length, (upper - lower).abs(), options);

        // Knee: flexed about the axis u until the end is as far away as the target. What of thigh and shank is
        // across u has a dot product and, along u, a cross product, cosine and sine of the flexion times the lengths
        // of both. The first is known from the distance. Of the two signs of the second, plus is on the flexed side
        // of the straight limb, whatever the pose before was.
        let u = turned(old_middle, self.axis);
        let thigh_turned = cross(u, thigh);
        let along = sums(thigh * u, shank * u, shank * thigh_turned, Vec4::ZERO);
        let constant = along.x * along.y;
        let thigh_across = larger(squares.y - along.x * along.x, 1e-12);
        let shank_across = larger(squares.z - along.y * along.y, 1e-12);
        let sides_squared = thigh_across * shank_across;
        let bones_squared = squares.y + squares.z;
        let wanted_dot = 0.5 * (reach.squared - bones_squared) - constant;
        let (dot, distance) = if wanted_dot * wanted_dot <= sides_squared {
            (wanted_dot, reach.distance)
        } else {
            // An axis that is not square to the bones does not let them line up.
            let dot = sides_squared.sqrt().copysign(wanted_dot);
            (dot, larger(bones_squared + 2.0 * (dot + constant), 0.0).sqrt())
        };
        let sine = larger(sides_squared - dot * dot, 0.0).sqrt();
        let (old_dot, old_sine) = (squares.w - constant, along.z);
        let scale = sides_squared.recip();
        let (half_cos, half_sin) = half(
            (old_dot * dot + old_sine * sine) * scale,
            (old_dot * sine - old_sine * dot) * scale,
        );
        let bend_squared = half_cos * half_cos + half_sin * half_sin;

        // Hip: the rotations that point the limb at its target. A target within a thousandth of the limb's
        // length of its root has no direction worth following: the limb's own blends in.
        let scale = thigh_across.recip();
        let in_line = thigh + u * along.y + (thigh - u * along.x) * (dot * scale);
        let pointing = in_line + thigh_turned * (sine * scale);
        let (pointing, distance_of_pointing, direction, residual) = if wanted >= 1e-3 * length {
            (pointing, distance, to_target * wanted.recip(), (wanted - distance).abs())
        } else {
            let own = pointing.try_normalize().unwrap_or(thigh / upper);
            let direction = (to_target + own * (1e-3 * length - wanted)).normalize_or(own);
            (own, 1.0, direction, (to_target - direction * distance).length())
        };
        // The way of the end joint from its rotation before to the wanted one, less the bend.
        let change = rotation.map_or(Vec4::ZERO, |rotation| {
            let change = product(rotation, models[end].rotation.conjugate());
            let bent = product(change, Quat::from_vec4(u));
            Vec4::from(change) * half_cos - Vec4::from(bent) * half_sin
        });
        let Arcs { swing, swung, squared: swing_squared, cos, sin } =
            Arcs::between(pointing, distance_of_pointing, direction, change);

        // Swivel: cos·swing + sin·swung leads the root to a rotation that points at the target, and leaves
        // the end joint to make up the rest of the way to its own. Both are compared with what they were;
        // each comparison is linear in (cos, sin), so their weighted squares are largest along an eigenvector.
        // The root's has no sine. Neither bend nor swing nor swivel is of unit length here: one division
        // at the end makes up for all.
        let root_weight = options.root_weight * bend_squared * swing.w * swing.w;
        let (mut xx, mut yy, mut xy) = (root_weight + cos * cos, sin * sin, cos * sin);
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
        let old_local = locals[middle].rotation;
        let weight = swing_squared * old_root.length_squared();
        let (cos, sin, squared) = eigenvector(xx - yy, 2.0 * xy, weight);
        let bend_scale = (bend_squared * old_local.length_squared()).sqrt().recip();
        let bend = Vec4::from(old_local);
        let bend =
            bend * (half_cos * bend_scale) + self.times_axis * bend * (half_sin * bend_scale);
        locals[middle].rotation = Quat::from_vec4(bend);

        // Rotations are scaled last of all, lest everything wait for a root and a division.
        let scale_squared = squared.recip();
        let scale = scale_squared.sqrt();
        let scaled = |q: Quat| Quat::from_vec4(Vec4::from(q) * scale);
        let new_root = product(Quat::from_vec4(swing * cos + swung * sin), old_root);
        let new_middle = product(new_root, Quat::from_vec4(bend));
        let local_root = match self.parent {
            Some(parent) => product(models[parent].rotation.conjugate(), new_root),
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
                locals[end].rotation = scaled(product(new_middle.conjugate(), rotation));
                rotation
            }
            None => scaled(product(new_middle, locals[end].rotation)),
        };
        // Bend and swing have put the end there.
        models[end].translation = (hip + direction * distance).xyz();
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
struct Reach {
    distance: f32,
    squared: f32,
}

impl Reach {
    #[inline(always)]
    fn of(wanted: f32, squared: f32, length: f32, shortest: f32, options: &TwoBoneOptions) -> Self {
        let longest = length * options.max_extension;
        let knee_point = smaller(length * options.soften_at, longest);
        if wanted <= knee_point && wanted >= shortest {
            // What follows need not wait for roots.
            return Self { distance: wanted, squared };
        }
        let room = longest - knee_point;
        let beyond = larger(wanted - knee_point, 0.0);
        let lag = room * beyond / larger(room + beyond, f32::MIN_POSITIVE);
        let distance = larger(smaller(wanted, knee_point) + lag, shortest);
        Self { distance, squared: distance * distance }
    }
}

/// The shortest rotation between two unit vectors. [`Quat::from_rotation_arc`] takes vectors less
/// than 0.7 mrad apart for the same, which is half a millimetre at the end of a leg.
pub(crate) fn arc(from: Vec3, to: Vec3) -> Quat {
    Quat::from_vec4(Arcs::between(lanes(from), 1.0, lanes(to), Vec4::ZERO).swing).normalize()
}

/// One and the cosine between directions that are nearly opposite, below which their cross product is rounded too
/// coarsely.
pub(super) const NEARLY_OPPOSITE: f32 = 0.01;

/// The rotations from one direction to another are the combinations of two quaternions, square to each other
/// and of one length.
struct Arcs {
    /// The shortest rotation.
    swing: Vec4,
    /// The half turn about the line half-way, which has no real part.
    swung: Vec4,
    /// The squared length of either.
    squared: f32,
    /// How much of another quaternion is along `swing`, times the length of both.
    cos: f32,
    /// The same for `swung`.
    sin: f32,
}

impl Arcs {
    /// From the direction of `from`, of length `length`, to the unit vector `to`, compared with `other`.
    #[inline(always)]
    fn between(from: Vec4, length: f32, to: Vec4, other: Vec4) -> Self {
        let (across, swung) = (cross(from, to), from + to * length);
        let dots = sums(from * to, other * across, other * swung, across * across);
        let real = length + dots.x;
        if real > NEARLY_OPPOSITE * length {
            let cos = dots.y + other.w * real;
            let (swing, squared) = (across + Vec4::W * real, dots.w + real * real);
            Self { swing, swung, squared, cos, sin: dots.z }
        } else {
            Self::between_opposites(from, length, to, other)
        }
    }

    /// The same where both directions are nearly opposite. For any quaternion x, x − to·x·from leads one to the
    /// other; it is far from zero for an x across.
    #[cold]
    fn between_opposites(from: Vec4, length: f32, to: Vec4, other: Vec4) -> Self {
        let from = (from / length).normalize_or(-to);
        let x = lanes(to.xyz().any_orthonormal_vector());
        let [from, to_, across] = [from, to, x].map(Quat::from_vec4);
        let first = x - Vec4::from(to_ * across * from);
        let second = Vec4::from(to_ * Quat::from_vec4(first));
        // Turned within their plane until one has no real part.
        let real = glam::Vec2::new(first.w, second.w).normalize_or(glam::Vec2::X);
        let (swing, swung) = (first * real.x + second * real.y, second * real.x - first * real.y);
        let (cos, sin) = (other.dot(swing), other.dot(swung));
        Self { swing, swung, squared: swing.length_squared(), cos, sin }
    }
}
