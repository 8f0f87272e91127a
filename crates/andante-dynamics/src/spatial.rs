//! Spatial vectors: motion and force with the angular part first, and the inertia that maps one to the other.
//!
//! All of a tree's spatial quantities are expressed in world axes at one point, the tree's reference (its root's
//! origin), which is taken as fixed in space for the instant. Nothing is transformed between bodies then: adding
//! along the tree is plain addition, and the six-by-six congruence at each joint of the textbook recursion
//! (Featherstone, *Rigid Body Dynamics Algorithms*, 2008, ch. 7) disappears.

use crate::math::{Mat3, Sym3, Vec3, linear};
use crate::real::Real;

/// Angular velocity, and the velocity of the body's point at the reference. Also accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionVector<R> {
    /// Angular part.
    pub w: Vec3<R>,
    /// Linear part, at the reference.
    pub v: Vec3<R>,
}

/// Moment about the reference, and force. Also momenta and impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Force<R> {
    /// Moment about the reference.
    pub n: Vec3<R>,
    /// Force.
    pub f: Vec3<R>,
}

impl<R: Real> MotionVector<R> {
    /// No motion.
    #[inline(always)]
    pub fn zero() -> Self {
        MotionVector { w: Vec3::zero(), v: Vec3::zero() }
    }

    /// Turning by `w` about an axis through `r`.
    #[inline(always)]
    pub fn turning(w: Vec3<R>, r: Vec3<R>) -> Self {
        MotionVector { w, v: r.cross(w) }
    }

    /// Velocity of the body's point at `r`.
    #[inline(always)]
    pub fn at(self, r: Vec3<R>) -> Vec3<R> {
        self.v + self.w.cross(r)
    }

    /// The spatial cross product of motions: the rate of change of `m` as it moves with this motion.
    #[inline(always)]
    pub fn cross(self, m: MotionVector<R>) -> MotionVector<R> {
        MotionVector { w: self.w.cross(m.w), v: self.w.cross(m.v) + self.v.cross(m.w) }
    }

    /// The spatial cross product with a force: the rate of change of `f` as it moves with this motion.
    #[inline(always)]
    pub fn cross_force(self, f: Force<R>) -> Force<R> {
        Force { n: self.w.cross(f.n) + self.v.cross(f.f), f: self.w.cross(f.f) }
    }

    /// Power of a force.
    #[inline(always)]
    pub fn dot(self, f: Force<R>) -> R {
        self.w.dot(f.n) + self.v.dot(f.f)
    }
}

impl<R: Real> Force<R> {
    /// No force.
    #[inline(always)]
    pub fn zero() -> Self {
        Force { n: Vec3::zero(), f: Vec3::zero() }
    }

    /// Force `f` through the point `r`.
    #[inline(always)]
    pub fn through(f: Vec3<R>, r: Vec3<R>) -> Self {
        Force { n: r.cross(f), f }
    }

    /// The moment about `r`.
    #[inline(always)]
    pub fn moment_about(self, r: Vec3<R>) -> Vec3<R> {
        self.n - r.cross(self.f)
    }
}

linear!(MotionVector { w, v });
linear!(Force { n, f });
linear!(Inertia { mass, moment, about });
linear!(Articulated { a, b, c });

/// The inertia of a rigid body: mass, where it is centred, and its moments about the reference.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inertia<R> {
    /// Mass.
    pub mass: R,
    /// Mass times the centre's place.
    pub moment: Vec3<R>,
    /// Rotational inertia about the reference.
    pub about: Sym3<R>,
}

impl<R: Real> Inertia<R> {
    /// Of a body with this mass, centre and rotational inertia about the centre.
    #[inline(always)]
    pub fn new(mass: R, centre: Vec3<R>, central: Sym3<R>) -> Self {
        Inertia { mass, moment: centre * mass, about: central + Sym3::point_mass(mass, centre) }
    }

    /// Momentum of a body with this inertia moving so.
    #[inline(always)]
    pub fn mul(&self, m: MotionVector<R>) -> Force<R> {
        Force {
            n: self.about * m.w + self.moment.cross(m.v),
            f: m.v * self.mass + m.w.cross(self.moment),
        }
    }
}

/// A symmetric six-by-six inertia, as an articulated body has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Articulated<R> {
    /// Moment from turning.
    pub a: Sym3<R>,
    /// Moment from moving; its transpose is force from turning.
    pub b: Mat3<R>,
    /// Force from moving.
    pub c: Sym3<R>,
}

impl<R: Real> Articulated<R> {
    /// Of a single rigid body.
    #[inline(always)]
    pub fn rigid(i: &Inertia<R>) -> Self {
        let (m, o) = (i.moment, R::zero());
        Articulated {
            a: i.about,
            b: Mat3 {
                x: Vec3::new(o, m.z, -m.y),
                y: Vec3::new(-m.z, o, m.x),
                z: Vec3::new(m.y, -m.x, o),
            },
            c: Sym3::diagonal(Vec3::new(i.mass, i.mass, i.mass)),
        }
    }

    /// The force that this motion (an acceleration) takes.
    #[inline(always)]
    pub fn mul(&self, m: MotionVector<R>) -> Force<R> {
        Force { n: self.a * m.w + self.b * m.v, f: self.b.transpose_mul(m.w) + self.c * m.v }
    }

    /// Takes away `g g^T`.
    #[inline(always)]
    pub fn subtract_square(&mut self, g: Force<R>) {
        let (n, f) = (g.n, g.f);
        self.a -= Sym3::square(n);
        self.b.x -= n * f.x;
        self.b.y -= n * f.y;
        self.b.z -= n * f.z;
        self.c -= Sym3::square(f);
    }
}

/// How a body moves when it is pushed: a symmetric six-by-six matrix, the inverse of an inertia where there is one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mobility<R> {
    /// Turning from moment.
    a: Sym3<R>,
    /// Turning from force; its transpose is moving from moment.
    b: Mat3<R>,
    /// Moving from force.
    c: Sym3<R>,
}

impl<R: Real> Mobility<R> {
    /// Adds `y y^T`.
    #[inline(always)]
    pub fn add_square(&mut self, y: MotionVector<R>) {
        let (w, v) = (y.w, y.v);
        self.a += Sym3::square(w);
        self.b.x += w * v.x;
        self.b.y += w * v.y;
        self.b.z += w * v.z;
        self.c += Sym3::square(v);
    }

    /// The motion that this impulse gives.
    #[inline(always)]
    pub fn mul(&self, f: Force<R>) -> MotionVector<R> {
        MotionVector { w: self.a * f.n + self.b * f.f, v: self.b.transpose_mul(f.n) + self.c * f.f }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec3;

    fn body() -> Inertia<f64> {
        Inertia::new(2.0, vec3(0.3, -0.5, 0.8), Sym3::diagonal(vec3(0.1, 0.2, 0.25)))
    }

    #[test]
    fn a_rigid_body_is_its_own_articulated_body() {
        let m = MotionVector { w: vec3(0.3, 1.0, -2.0), v: vec3(0.5, 0.1, 0.7) };
        let (p, q) = (body().mul(m), Articulated::rigid(&body()).mul(m));
        assert!((p.n - q.n).length() + (p.f - q.f).length() < 1e-14);
        // Linear momentum is mass times the centre's velocity.
        assert!((p.f - m.at(vec3(0.3, -0.5, 0.8)) * 2.0).length() < 1e-14);
    }

    #[test]
    fn the_two_cross_products_are_adjoint() {
        let u = MotionVector { w: vec3(0.3, 1.0, -2.0), v: vec3(0.5, 0.1, 0.7) };
        let m = MotionVector { w: vec3(-0.3, 0.4, 0.2), v: vec3(1.5, -0.1, 0.3) };
        let f = Force { n: vec3(0.9, -0.4, 0.2), f: vec3(0.5, 2.1, -0.3) };
        assert!((u.cross(m).dot(f) + m.dot(u.cross_force(f))).abs() < 1e-14);
    }
}
