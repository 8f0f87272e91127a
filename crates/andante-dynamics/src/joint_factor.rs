//! A joint's part in forward dynamics: its inertia factored, and what goes through it to the parent and back.

use crate::link_joint::LinkJoint;
use crate::math::{Mat3, Sym3, Vec3, vec3};
use crate::real::Real;
use crate::spatial::{Articulated, Force, MotionVector};

/// The inverse of a lower triangular 3x3 Cholesky factor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Factor<R> {
    xx: R,
    yx: R,
    yy: R,
    zx: R,
    zy: R,
    zz: R,
}

impl<R: Real> Factor<R> {
    /// `F` with `F d F^T = 1`.
    #[inline(always)]
    fn of(d: &Sym3<R>) -> Self {
        let one = R::one();
        let xx = one / d.xx.sqrt();
        let l10 = d.xy * xx;
        let l20 = d.xz * xx;
        let yy = one / (d.yy - l10 * l10).sqrt();
        let l21 = (d.yz - l20 * l10) * yy;
        let zz = one / (d.zz - l20 * l20 - l21 * l21).sqrt();
        let yx = -(l10 * xx * yy);
        let zy = -(l21 * yy * zz);
        let zx = -((l20 * xx + l21 * yx) * zz);
        Factor { xx, yx, yy, zx, zy, zz }
    }

    #[inline(always)]
    fn mul(&self, v: Vec3<R>) -> Vec3<R> {
        vec3(
            self.xx * v.x,
            self.yx * v.x + self.yy * v.y,
            self.zx * v.x + self.zy * v.y + self.zz * v.z,
        )
    }

    #[inline(always)]
    fn transpose_mul(&self, v: Vec3<R>) -> Vec3<R> {
        vec3(
            self.xx * v.x + self.yx * v.y + self.zx * v.z,
            self.yy * v.y + self.zy * v.z,
            self.zz * v.z,
        )
    }
}

/// The inverse of a lower triangular 6x6 Cholesky factor, by rows.
pub(crate) type Factor6<R> = [[R; 6]; 6];

/// `F` with `F i F^T = 1` for the inertia of a whole floating tree.
#[allow(clippy::needless_range_loop)] // The indices are the mathematics.
fn factor6<R: Real>(i: &Articulated<R>) -> Factor6<R> {
    let (a, c) = (i.a.full(), i.c.full());
    let zero = R::zero();
    let mut l = [[zero; 6]; 6];
    for r in 0..3 {
        for k in 0..3 {
            l[r][k] = a_at(&a, r, k);
            l[3 + r][3 + k] = a_at(&c, r, k);
            // Force from turning: the transpose of b.
            l[3 + r][k] = a_at(&i.b, k, r);
        }
    }
    // Cholesky in place, with the reciprocal of each pivot on the diagonal.
    for k in 0..6 {
        for j in 0..k {
            let mut sum = l[k][j];
            for m in 0..j {
                sum -= l[k][m] * l[j][m];
            }
            l[k][j] = sum * l[j][j];
        }
        let mut pivot = l[k][k];
        for m in 0..k {
            pivot -= l[k][m] * l[k][m];
        }
        l[k][k] = R::one() / pivot.sqrt();
    }
    // Its inverse, row by row.
    let mut f = [[zero; 6]; 6];
    for k in 0..6 {
        f[k][k] = l[k][k];
        for j in 0..k {
            let mut sum = zero;
            for m in j..k {
                sum += l[k][m] * f[m][j];
            }
            f[k][j] = -(sum * l[k][k]);
        }
    }
    f
}

#[inline(always)]
fn a_at<R: Real>(m: &Mat3<R>, row: usize, column: usize) -> R {
    match column {
        0 => m.x[row],
        1 => m.y[row],
        _ => m.z[row],
    }
}

#[inline(always)]
fn six<R: Real>(f: Force<R>) -> [R; 6] {
    [f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z]
}

#[inline(always)]
fn factor6_mul<R: Real>(f: &Factor6<R>, v: [R; 6]) -> [R; 6] {
    let mut y = [R::zero(); 6];
    for k in 0..6 {
        let mut sum = f[k][0] * v[0];
        for m in 1..=k {
            sum += f[k][m] * v[m];
        }
        y[k] = sum;
    }
    y
}

#[inline(always)]
fn factor6_transpose_mul<R: Real>(f: &Factor6<R>, y: &[R]) -> MotionVector<R> {
    let mut v = [R::zero(); 6];
    for k in 0..6 {
        let mut sum = f[k][k] * y[k];
        for m in k + 1..6 {
            sum += f[m][k] * y[m];
        }
        v[k] = sum;
    }
    MotionVector { w: vec3(v[0], v[1], v[2]), v: vec3(v[3], v[4], v[5]) }
}

/// What the algorithm knows of one link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass<R> {
    factor: Factor<R>,
    /// Columns of `G`.
    g: [Force<R>; 3],
    /// Articulated inertia as the parent feels it.
    pub inertia: Articulated<R>,
    pub bias: Force<R>,
    pub drift: MotionVector<R>,
    pub acceleration: MotionVector<R>,
}

impl<R: Real> Pass<R> {
    pub fn blank() -> Self {
        Pass {
            factor: Factor::default(),
            g: [Force::zero(); 3],
            inertia: Articulated::default(),
            bias: Force::zero(),
            drift: MotionVector::zero(),
            acceleration: MotionVector::zero(),
        }
    }

    /// How a ball turns, in world axes, for its row entries `y` on a base that moves so.
    #[inline(always)]
    fn turned(&self, y: &[R], base: MotionVector<R>) -> Vec3<R> {
        let felt = vec3(base.dot(self.g[0]), base.dot(self.g[1]), base.dot(self.g[2]));
        self.factor.transpose_mul(Vec3::read(y) - felt)
    }
}

/// Where a joint is in the world: its frame and its place.
#[derive(Clone, Copy)]
pub(crate) struct JointPlace<'a, R> {
    pub frame: &'a Mat3<R>,
    pub place: Vec3<R>,
}

/// What acts on a joint: torque per velocity, and what to add to the inertia of each.
#[derive(Clone, Copy)]
pub(crate) struct JointLoad<'a, R> {
    pub torque: &'a [R],
    pub augment: &'a [R],
}

impl LinkJoint {
    /// Factors the joint's inertia and leaves in the pass what the parent feels of the link; `y` gets the joint's row
    /// entries. `whole` is for the tree of a floating link.
    #[inline(always)]
    pub(crate) fn factor<R: Real>(
        &self,
        at: JointPlace<R>,
        load: JointLoad<R>,
        pass: &mut Pass<R>,
        whole: &mut Factor6<R>,
        y: &mut [R],
    ) {
        let r = at.place;
        match self {
            LinkJoint::Ball => {
                // U = I S in world axes: S turns about the three axes through r.
                let turn = pass.inertia.a.full() + pass.inertia.b.mul_cross(r);
                let push = pass.inertia.b.transpose() + pass.inertia.c.full().mul_cross(r);
                // D = S^T U.
                let about = Mat3 {
                    x: turn.x - r.cross(push.x),
                    y: turn.y - r.cross(push.y),
                    z: turn.z - r.cross(push.z),
                };
                let extra = Vec3::read(load.augment);
                let d = Sym3::upper(&about) + Sym3::rotated_diagonal(extra, at.frame);
                let f = Factor::of(&d);
                let column = |a: R, b: R, c: R| Force {
                    n: turn.x * a + turn.y * b + turn.z * c,
                    f: push.x * a + push.y * b + push.z * c,
                };
                let g = [
                    Force { n: turn.x * f.xx, f: push.x * f.xx },
                    Force { n: turn.x * f.yx + turn.y * f.yy, f: push.x * f.yx + push.y * f.yy },
                    column(f.zx, f.zy, f.zz),
                ];
                for column in g {
                    pass.inertia.subtract_square(column);
                }
                let u = *at.frame * Vec3::read(load.torque) - pass.bias.moment_about(r);
                let row = f.mul(u);
                pass.bias +=
                    pass.inertia.mul(pass.drift) + g[0] * row.x + g[1] * row.y + g[2] * row.z;
                pass.factor = f;
                pass.g = g;
                row.write(y);
            }
            LinkJoint::Hinge(_) => {
                let axis = at.frame.x;
                let u = pass.inertia.mul(MotionVector::turning(axis, r));
                let d = axis.dot(u.moment_about(r)) + load.augment[0];
                let f = R::one() / d.sqrt();
                let g = u * f;
                pass.inertia.subtract_square(g);
                let row = f * (load.torque[0] - axis.dot(pass.bias.moment_about(r)));
                pass.bias += pass.inertia.mul(pass.drift) + g * row;
                pass.factor.xx = f;
                pass.g[0] = g;
                y[0] = row;
            }
            LinkJoint::Floating => {
                *whole = factor6(&pass.inertia);
                let drift = pass.inertia.mul(pass.drift);
                let mut u = six(-(pass.bias + drift));
                for (u, torque) in u.iter_mut().zip(load.torque) {
                    *u += *torque;
                }
                y[..6].copy_from_slice(&factor6_mul(whole, u));
            }
            LinkJoint::Fixed => {}
        }
    }

    /// The joint's accelerations for its row entries `y` on a base that accelerates so, and with them the link's. A floating
    /// link has all of its motion from its own entries.
    #[inline(always)]
    pub(crate) fn accelerate<R: Real>(
        &self,
        at: JointPlace<R>,
        pass: &Pass<R>,
        whole: &Factor6<R>,
        y: &[R],
        base: MotionVector<R>,
    ) -> ([R; 6], MotionVector<R>) {
        let mut rates = [R::zero(); 6];
        let motion = match self {
            LinkJoint::Ball => {
                let turn = pass.turned(y, base);
                at.frame.transpose_mul(turn).write(&mut rates);
                base + MotionVector::turning(turn, at.place)
            }
            LinkJoint::Hinge(_) => {
                rates[0] = pass.factor.xx * (y[0] - base.dot(pass.g[0]));
                base + MotionVector::turning(at.frame.x * rates[0], at.place)
            }
            LinkJoint::Floating => {
                let own = factor6_transpose_mul(whole, &y[..6]);
                own.w.write(&mut rates);
                own.v.write(&mut rates[3..]);
                own
            }
            LinkJoint::Fixed => base,
        };
        (rates, motion)
    }

    /// Takes from an impulse on the link what stays in the joint, as entries of the row `Y`, and leaves what the parent gets.
    #[inline(always)]
    pub(crate) fn respond<R: Real>(
        &self,
        at: JointPlace<R>,
        pass: &Pass<R>,
        whole: &Factor6<R>,
        force: &mut Force<R>,
        mut take: impl FnMut(&[R]),
    ) {
        match self {
            LinkJoint::Ball => {
                let y = pass.factor.mul(force.moment_about(at.place));
                take(&[y.x, y.y, y.z]);
                *force = *force - (pass.g[0] * y.x + pass.g[1] * y.y + pass.g[2] * y.z);
            }
            LinkJoint::Hinge(_) => {
                let y = pass.factor.xx * at.frame.x.dot(force.moment_about(at.place));
                take(&[y]);
                *force = *force - pass.g[0] * y;
            }
            LinkJoint::Floating => take(&factor6_mul(whole, six(*force))),
            LinkJoint::Fixed => {}
        }
    }
}
