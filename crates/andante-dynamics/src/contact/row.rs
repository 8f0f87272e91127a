//! The law of one contact: no pulling, Coulomb's friction, and the impulse that obeys both.

use super::points::ContactCandidate;
use crate::math::{Vec3, vec3};
use crate::real::Real;
use crate::spatial::{Force, Mobility, MotionVector};

/// One contact as the sweeps see it: three rows, along the normal and the two tangents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<R: Real> {
    /// Where, from the reference of the group.
    place: Vec3<R>,
    /// Normal and tangents, in the world.
    axes: [Vec3<R>; 3],
    /// Change of the group's motion per unit impulse along each.
    response: [MotionVector<R>; 3],
    /// Speed along the normal to have at least.
    target: R,
    /// Own response: the symmetric block, only what is used of it.
    nn: R,
    n1: R,
    n2: R,
    inverse_normal: R,
    /// Inverse of the tangential block, and the larger of its eigenvalues.
    i11: R,
    i12: R,
    i22: R,
    slip: R,
    /// The tangential block.
    t11: R,
    t12: R,
    t22: R,
    friction: R,
    /// What slipping adds to the tangential block: zero while it sticks.
    resistance: R,
    /// Impulse along normal and tangents.
    impulse: Vec3<R>,
}

impl<R: Real> Row<R> {
    /// A contact that starts from the impulse `held`, given in the world, and is to leave with `target` along the normal.
    #[inline(always)]
    pub fn new(
        found: &ContactCandidate<R>,
        mobility: &Mobility<R>,
        friction: f64,
        target: R,
        held: Vec3<R>,
    ) -> Self {
        let (normal, place) = (found.normal, found.place);
        let (t1, t2) = normal.tangents();
        let respond = |axis| mobility.mul(Force::through(axis, place));
        let response = [respond(normal), respond(t1), respond(t2)];
        let moves = [response[0].at(place), response[1].at(place), response[2].at(place)];
        let (nn, n1, n2) = (normal.dot(moves[0]), t1.dot(moves[0]), t2.dot(moves[0]));
        let (t11, t12, t22) = (t1.dot(moves[1]), t2.dot(moves[1]), t2.dot(moves[2]));
        let (one, half, zero) = (R::one(), R::splat(0.5), R::zero());
        // A touch of softness keeps the tangential block from being singular.
        let soft = R::splat(1e-10) * (t11 + t22);
        let (d11, d22) = (t11 + soft, t22 + soft);
        let inverse = one / (d11 * d22 - t12 * t12);
        let apart = (d11 - d22) * half;
        let start = vec3(held.dot(normal).max(zero), held.dot(t1), held.dot(t2));
        Row {
            place,
            axes: [normal, t1, t2],
            response,
            target: R::select(found.active, target, R::splat(-1e30)),
            nn,
            n1,
            n2,
            inverse_normal: one / nn,
            i11: d22 * inverse,
            i12: -(t12 * inverse),
            i22: d11 * inverse,
            slip: (d11 + d22) * half + (apart * apart + t12 * t12).sqrt(),
            t11: d11,
            t12,
            t22: d22,
            friction: R::splat(friction),
            resistance: zero,
            impulse: Vec3::select(found.active, start, Vec3::zero()),
        }
    }

    /// The impulse in world axes.
    #[inline(always)]
    pub fn impulse(&self) -> Vec3<R> {
        self.in_world(self.impulse)
    }

    /// The impulse as a force of the group.
    #[inline(always)]
    pub fn force(&self) -> Force<R> {
        Force::through(self.impulse(), self.place)
    }

    #[inline(always)]
    fn in_world(&self, p: Vec3<R>) -> Vec3<R> {
        self.axes[0] * p.x + self.axes[1] * p.y + self.axes[2] * p.z
    }

    /// Velocity along normal and tangents when the group moves so.
    #[inline(always)]
    fn velocity(&self, motion: MotionVector<R>) -> Vec3<R> {
        let u = motion.at(self.place);
        vec3(self.axes[0].dot(u), self.axes[1].dot(u), self.axes[2].dot(u))
    }

    /// Makes this contact right, where `running`: changes its impulse by `way` of what it takes, the group's motion
    /// accordingly, and adds to `force`. Gives the size of the change as a velocity.
    #[inline(always)]
    pub fn relax(
        &mut self,
        motion: &mut MotionVector<R>,
        force: &mut Force<R>,
        running: R::Mask,
        way: R,
    ) -> R {
        let u = self.velocity(*motion);
        let change = Vec3::select(running, self.correction(u, way), Vec3::zero());
        self.impulse += change;
        *motion +=
            self.response[0] * change.x + self.response[1] * change.y + self.response[2] * change.z;
        *force += Force::through(self.in_world(change), self.place);
        // A little generously for the tangents.
        change.x.abs() * self.nn + (change.y.abs() + change.z.abs()) * self.slip
    }

    /// The change of impulse that goes `way` towards making this contact right, given its velocity.
    #[inline(always)]
    fn correction(&mut self, u: Vec3<R>, way: R) -> Vec3<R> {
        let old = self.impulse;
        // Normal: no pulling.
        let normal = (old.x - (u.x - self.target) * self.inverse_normal * way).max(R::zero());
        let dn = normal - old.x;
        // Tangents, after what the normal impulse did to them: stick if the cone allows, else slip.
        let (u1, u2) = (u.y + self.n1 * dn, u.z + self.n2 * dn);
        let mut d1 = -((self.i11 * u1 + self.i12 * u2) * way);
        let mut d2 = -((self.i12 * u1 + self.i22 * u2) * way);
        let (p1, p2) = (old.y + d1, old.z + d2);
        let cone = self.friction * normal;
        let slips = R::lt(cone * cone, p1 * p1 + p2 * p2);
        if R::any(slips) {
            // Without a normal impulse there is no friction either, and nothing to find out.
            let (mut s1, mut s2) = (R::zero(), R::zero());
            let held = R::and(slips, R::lt(R::zero(), cone));
            if R::any(held) {
                (s1, s2) = self.slipping(u1, u2, cone, held);
                s1 = R::select(held, s1, R::zero());
                s2 = R::select(held, s2, R::zero());
            }
            d1 = R::select(slips, (s1 - old.y) * way, d1);
            d2 = R::select(slips, (s2 - old.z) * way, d2);
        }
        vec3(dn, d1, d2)
    }

    /// The tangential impulse on the rim of the cone that opposes the slip it leaves.
    ///
    /// With `b` the slip without tangential impulse, that is `p = -(T + s)^-1 b` for the `s > 0` at which `|p|` is the
    /// cone's radius: Newton's method on `1/|p|` (More & Sorensen 1983), one step a sweep. Scaling the sticking impulse
    /// to the rim instead, as with an `s` of zero, would oppose another direction than the slip's, and the sweeps could
    /// go round in circles.
    #[inline(always)]
    fn slipping(&mut self, u1: R, u2: R, cone: R, held: R::Mask) -> (R, R) {
        let tiny = R::splat(1e-200);
        let (t12, s) = (self.t12, self.resistance);
        let b1 = u1 - (self.t11 * self.impulse.y + t12 * self.impulse.z);
        let b2 = u2 - (t12 * self.impulse.y + self.t22 * self.impulse.z);
        let (d11, d22) = (self.t11 + s, self.t22 + s);
        let det = d11 * d22 - t12 * t12;
        // The impulse times the determinant: only its direction matters.
        let (q1, q2) = (t12 * b2 - d22 * b1, t12 * b1 - d11 * b2);
        let square = (q1 * q1 + q2 * q2).max(tiny);
        let size = square.sqrt();
        let scale = cone / size;
        let bent = d22 * q1 * q1 - R::splat(2.0) * t12 * q1 * q2 + d11 * q2 * q2;
        // (|p| / cone - 1) |p|^2 / (p . (T + s)^-1 p), with what cancels cancelled.
        let next = s + (size - cone * det) * square / (cone * bent).max(tiny);
        self.resistance = R::select(held, next.max(R::zero()).min(R::splat(1e30)), s);
        (q1 * scale, q2 * scale)
    }

    /// The residual of this contact when the group moves so, as a speed: by how much the impulse changes when the
    /// velocity is taken off it and the rest is put back into the cone.
    pub fn residual(&self, motion: MotionVector<R>) -> R {
        let (u, p) = (self.velocity(motion), self.impulse);
        let normal = (p.x * self.nn).min(u.x - self.target).abs();
        let stiff = R::one() / self.slip;
        let (q1, q2) = (p.y - u.y * stiff, p.z - u.z * stiff);
        let size = (q1 * q1 + q2 * q2).sqrt().max(R::splat(1e-200));
        let scale = (self.friction * p.x / size).min(R::one());
        let (d1, d2) = (p.y - q1 * scale, p.z - q2 * scale);
        normal.max((d1 * d1 + d2 * d2).sqrt() * self.slip)
    }
}
