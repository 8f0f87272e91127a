//! Forward dynamics: the articulated-body algorithm, with the joints' implicit terms inside.
//!
//! Each joint's inertia `D` is kept as the inverse `F` of its Cholesky factor, and `G = U F^T`. The inverse of the
//! joint-space inertia matrix is then `Y^T Y` with rows `Y` that [`Aba::response`] finds in one walk to the root, which
//! is what the contact solver works with: nothing the size of the matrix is ever built.

use crate::kinematics::Kinematics;
use crate::link::LinkJoint;
use crate::math::{Sym3, Vec3, vec3};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Articulated, Force, MotionVector};

/// The inverse of a lower triangular 3x3 Cholesky factor.
#[derive(Clone, Copy, Debug, Default)]
struct Factor<R> {
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
type Factor6<R> = [[R; 6]; 6];

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
fn a_at<R: Real>(m: &crate::math::Mat3<R>, row: usize, column: usize) -> R {
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
struct Pass<R> {
    factor: Factor<R>,
    /// Columns of `G`.
    g: [Force<R>; 3],
    /// Articulated inertia as the parent feels it.
    inertia: Articulated<R>,
    bias: Force<R>,
    drift: MotionVector<R>,
    acceleration: MotionVector<R>,
}

/// The articulated-body algorithm and its working memory.
#[derive(Clone, Debug)]
pub struct Aba<R> {
    passes: Vec<Pass<R>>,
    /// By tree; unused for trees whose root does not float.
    floating: Vec<Factor6<R>>,
    y: Vec<R>,
}

impl<R: Real> Aba<R> {
    /// Working memory for a model.
    pub fn new(model: &Model) -> Self {
        let blank = Pass {
            factor: Factor::default(),
            g: [Force::zero(); 3],
            inertia: Articulated::default(),
            bias: Force::zero(),
            drift: MotionVector::zero(),
            acceleration: MotionVector::zero(),
        };
        Aba {
            passes: vec![blank; model.nodes.len()],
            floating: vec![[[R::zero(); 6]; 6]; model.roots.len()],
            y: vec![R::zero(); model.freedoms()],
        }
    }

    /// Accelerations from torques: `a = (M + diag(augment))^-1 (tau - C v - g + external)`.
    ///
    /// `augment` is added to the inertia of each velocity (zero for plain forward dynamics; what is given for a
    /// floating root is ignored). `external` holds a force per link, with its moment about the tree's reference.
    #[allow(clippy::too_many_arguments)]
    pub fn solve(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        gravity: Vec3<R>,
        tau: &[R],
        augment: &[R],
        external: &[Force<R>],
        a: &mut [R],
    ) {
        for (i, pass) in self.passes.iter_mut().enumerate() {
            let velocity = kin.velocity[i];
            let momentum = kin.inertia[i].mul(velocity);
            pass.inertia = Articulated::rigid(&kin.inertia[i]);
            pass.bias = velocity.cross_force(momentum) - external[i];
            pass.drift = kin.drift(model, i);
        }
        self.towards_root(model, kin, tau, augment);
        self.towards_leaves(model, kin, gravity, a);
    }

    fn towards_root(&mut self, model: &Model, kin: &Kinematics<R>, tau: &[R], augment: &[R]) {
        for (i, node) in model.nodes.iter().enumerate().rev() {
            let (before, after) = self.passes.split_at_mut(i);
            let pass = &mut after[0];
            let r = kin.place[i];
            let v = node.v;
            match node.joint {
                LinkJoint::Ball => {
                    // U = I S in world axes: S turns about the three axes through r.
                    let turn = pass.inertia.a.full() + pass.inertia.b.mul_cross(r);
                    let push = pass.inertia.b.transpose() + pass.inertia.c.full().mul_cross(r);
                    // D = S^T U.
                    let about = crate::math::Mat3 {
                        x: turn.x - r.cross(push.x),
                        y: turn.y - r.cross(push.y),
                        z: turn.z - r.cross(push.z),
                    };
                    let extra = vec3(augment[v], augment[v + 1], augment[v + 2]);
                    let frame = &kin.frame[i];
                    let d = Sym3::upper(&about) + Sym3::rotated_diagonal(extra, frame);
                    let f = Factor::of(&d);
                    let column = |a: R, b: R, c: R| Force {
                        n: turn.x * a + turn.y * b + turn.z * c,
                        f: push.x * a + push.y * b + push.z * c,
                    };
                    let g = [
                        Force { n: turn.x * f.xx, f: push.x * f.xx },
                        Force {
                            n: turn.x * f.yx + turn.y * f.yy,
                            f: push.x * f.yx + push.y * f.yy,
                        },
                        column(f.zx, f.zy, f.zz),
                    ];
                    for column in g {
                        pass.inertia.subtract_square(column);
                    }
                    let u =
                        *frame * vec3(tau[v], tau[v + 1], tau[v + 2]) - pass.bias.moment_about(r);
                    let y = f.mul(u);
                    pass.bias +=
                        pass.inertia.mul(pass.drift) + g[0] * y.x + g[1] * y.y + g[2] * y.z;
                    pass.factor = f;
                    pass.g = g;
                    self.y[v] = y.x;
                    self.y[v + 1] = y.y;
                    self.y[v + 2] = y.z;
                }
                LinkJoint::Hinge(_) => {
                    let axis = kin.frame[i].x;
                    let u = pass.inertia.mul(MotionVector::turning(axis, r));
                    let d = axis.dot(u.moment_about(r)) + augment[v];
                    let f = R::one() / d.sqrt();
                    let g = u * f;
                    pass.inertia.subtract_square(g);
                    let y = f * (tau[v] - axis.dot(pass.bias.moment_about(r)));
                    pass.bias += pass.inertia.mul(pass.drift) + g * y;
                    pass.factor.xx = f;
                    pass.g[0] = g;
                    self.y[v] = y;
                }
                LinkJoint::Floating => {
                    let f = factor6(&pass.inertia);
                    let drift = pass.inertia.mul(pass.drift);
                    let mut u = six(-(pass.bias + drift));
                    for (u, tau) in u.iter_mut().zip(&tau[v..v + 6]) {
                        *u += *tau;
                    }
                    self.y[v..v + 6].copy_from_slice(&factor6_mul(&f, u));
                    self.floating[node.tree] = f;
                }
                LinkJoint::Fixed => {}
            }
            if let Some(parent) = node.parent {
                before[parent].inertia += pass.inertia;
                before[parent].bias += pass.bias;
            }
        }
    }

    fn towards_leaves(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        gravity: Vec3<R>,
        a: &mut [R],
    ) {
        for (i, node) in model.nodes.iter().enumerate() {
            let (before, after) = self.passes.split_at_mut(i);
            let pass = &mut after[0];
            // Gravity is a world that accelerates upwards.
            let base = match node.parent {
                Some(parent) => before[parent].acceleration,
                None => MotionVector { w: Vec3::zero(), v: -gravity },
            } + pass.drift;
            let v = node.v;
            pass.acceleration = match node.joint {
                LinkJoint::Ball => {
                    let y = vec3(self.y[v], self.y[v + 1], self.y[v + 2]);
                    let turn = turned(pass, y, base);
                    let along = kin.frame[i].transpose_mul(turn);
                    a[v] = along.x;
                    a[v + 1] = along.y;
                    a[v + 2] = along.z;
                    base + MotionVector::turning(turn, kin.place[i])
                }
                LinkJoint::Hinge(_) => {
                    a[v] = pass.factor.xx * (self.y[v] - base.dot(pass.g[0]));
                    base + MotionVector::turning(kin.frame[i].x * a[v], kin.place[i])
                }
                LinkJoint::Floating => {
                    // All of the motion in the accelerating world; the drift was part of the load.
                    let own = factor6_transpose_mul(&self.floating[node.tree], &self.y[v..v + 6]);
                    for k in 0..3 {
                        a[v + k] = own.w[k];
                        a[v + 3 + k] = own.v[k] + gravity[k];
                    }
                    own + pass.drift
                }
                LinkJoint::Fixed => base,
            };
        }
    }

    /// Follows an impulse on a link to the root. `take` gets, joint by joint, the first velocity's index and the
    /// entries of the row `Y`; the response of velocities to impulses is `Y^T Y`.
    #[inline(always)]
    pub(crate) fn response(
        &self,
        model: &Model,
        kin: &Kinematics<R>,
        link: usize,
        impulse: Force<R>,
        mut take: impl FnMut(usize, &[R]),
    ) {
        let mut force = impulse;
        for &i in &model.chains[link] {
            let node = &model.nodes[i];
            let pass = &self.passes[i];
            match node.joint {
                LinkJoint::Ball => {
                    let y = pass.factor.mul(force.moment_about(kin.place[i]));
                    take(node.v, &[y.x, y.y, y.z]);
                    force = force - (pass.g[0] * y.x + pass.g[1] * y.y + pass.g[2] * y.z);
                }
                LinkJoint::Hinge(_) => {
                    let y = pass.factor.xx * kin.frame[i].x.dot(force.moment_about(kin.place[i]));
                    take(node.v, &[y]);
                    force = force - pass.g[0] * y;
                }
                LinkJoint::Floating => {
                    take(node.v, &factor6_mul(&self.floating[node.tree], six(force)));
                }
                LinkJoint::Fixed => {}
            }
        }
    }

    /// Adds to `v` the velocities that the sum of rows `w` stands for.
    pub(crate) fn apply_response(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        w: &[R],
        v: &mut [R],
    ) {
        for (i, node) in model.nodes.iter().enumerate() {
            let (before, after) = self.passes.split_at_mut(i);
            let pass = &mut after[0];
            let base = match node.parent {
                Some(parent) => before[parent].acceleration,
                None => MotionVector::zero(),
            };
            let k = node.v;
            pass.acceleration = match node.joint {
                LinkJoint::Ball => {
                    let turn = turned(pass, vec3(w[k], w[k + 1], w[k + 2]), base);
                    let along = kin.frame[i].transpose_mul(turn);
                    v[k] += along.x;
                    v[k + 1] += along.y;
                    v[k + 2] += along.z;
                    base + MotionVector::turning(turn, kin.place[i])
                }
                LinkJoint::Hinge(_) => {
                    let rate = pass.factor.xx * (w[k] - base.dot(pass.g[0]));
                    v[k] += rate;
                    base + MotionVector::turning(kin.frame[i].x * rate, kin.place[i])
                }
                LinkJoint::Floating => {
                    let own = factor6_transpose_mul(&self.floating[node.tree], &w[k..k + 6]);
                    for m in 0..3 {
                        v[k + m] += own.w[m];
                        v[k + 3 + m] += own.v[m];
                    }
                    own
                }
                LinkJoint::Fixed => base,
            };
        }
    }
}

/// How a ball turns, in world axes, for its row entries `y` on a base that moves so.
#[inline(always)]
fn turned<R: Real>(pass: &Pass<R>, y: Vec3<R>, base: MotionVector<R>) -> Vec3<R> {
    let felt = vec3(base.dot(pass.g[0]), base.dot(pass.g[1]), base.dot(pass.g[2]));
    pass.factor.transpose_mul(y - felt)
}
