//! Contact impulses: projected Gauss-Seidel at the level of velocities, warm-started.
//!
//! With the rows `Y` of the articulated-body factorisation the velocity of contact `i` after impulses `p` is
//! `u_i + Y_i . w`, `w = sum Y_j^T p_j`. One sweep reads and updates `w` through the few entries on the way from each
//! contact to its root; neither the joint-space inertia nor its inverse is ever formed.

use super::points::{Found, Points};
use crate::aba::Aba;
use crate::kinematics::Kinematics;
use crate::math::{Vec3, vec3};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::Force;

/// Sweeps that change impulses all the way. What has not settled by then is most often going round in circles.
const CALM_SWEEPS: usize = 10;

/// How hard the solver tries. See the simulation's options for the meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolverOptions {
    pub h: f64,
    pub sweeps: usize,
    pub tolerance: f64,
    pub slop: f64,
    pub correction: f64,
    pub push_speed: f64,
    pub bounce_speed: f64,
}

/// One contact, for those who want to know about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<R: Real> {
    pub found: Found<R>,
    /// In the world.
    pub point: Vec3<R>,
    tangents: [Vec3<R>; 2],
}

/// One contact as the sweeps see it: three rows, along the normal and the two tangents.
#[derive(Clone, Copy, Debug)]
struct Row<R: Real> {
    link: usize,
    other: Option<usize>,
    /// First entry of `Y`, and of the other link's.
    start: usize,
    other_start: usize,
    end: usize,
    /// Velocity along normal and tangents without impulses.
    free: Vec3<R>,
    /// Speed along the normal to have at least.
    target: R,
    /// Own response: the symmetric block `Y Y^T`, only what is used of it.
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
    /// Impulse along normal and tangents.
    impulse: Vec3<R>,
}

impl<R: Real> Row<R> {
    /// Velocity along normal and tangents after the impulses in `w`.
    #[inline(always)]
    fn velocity(&self, chains: &[Vec<u32>], y: &[Vec3<R>], w: &[R]) -> Vec3<R> {
        let mut u = self.free;
        for (&k, y) in chains[self.link].iter().zip(&y[self.start..self.other_start]) {
            u += *y * w[k as usize];
        }
        if let Some(other) = self.other {
            for (&k, y) in chains[other].iter().zip(&y[self.other_start..self.end]) {
                u += *y * w[k as usize];
            }
        }
        u
    }

    /// Adds an impulse to `w`.
    #[inline(always)]
    fn push(&self, chains: &[Vec<u32>], y: &[Vec3<R>], w: &mut [R], p: Vec3<R>) {
        for (&k, y) in chains[self.link].iter().zip(&y[self.start..self.other_start]) {
            w[k as usize] += y.dot(p);
        }
        if let Some(other) = self.other {
            for (&k, y) in chains[other].iter().zip(&y[self.other_start..self.end]) {
                w[k as usize] += y.dot(p);
            }
        }
    }

    /// The change of impulse that makes this contact right, given its velocity.
    #[inline(always)]
    fn correction(&self, u: Vec3<R>) -> Vec3<R> {
        // Normal: no pulling.
        let normal = (self.impulse.x - (u.x - self.target) * self.inverse_normal).max(R::zero());
        let dn = normal - self.impulse.x;
        // Tangents, after what the normal impulse did to them: stick if the cone allows, else slip.
        let (u1, u2) = (u.y + self.n1 * dn, u.z + self.n2 * dn);
        let mut p1 = self.impulse.y - (self.i11 * u1 + self.i12 * u2);
        let mut p2 = self.impulse.z - (self.i12 * u1 + self.i22 * u2);
        let cone = self.friction * normal;
        let slips = R::lt(cone * cone, p1 * p1 + p2 * p2);
        if R::any(slips) {
            let (s1, s2) = self.slipping(u1, u2, cone);
            p1 = R::select(slips, s1, p1);
            p2 = R::select(slips, s2, p2);
        }
        vec3(dn, p1 - self.impulse.y, p2 - self.impulse.z)
    }

    /// The tangential impulse on the rim of the cone that opposes the slip it leaves.
    ///
    /// With `b` the slip without tangential impulse, that is `p = -(T + s)^-1 b` for the `s > 0` at which `|p|` is the
    /// cone's radius: Newton's method on `1/|p|` (More & Sorensen 1983), from below. Scaling the sticking impulse to the
    /// rim instead would oppose another direction than the slip's, and the sweeps could go round in circles.
    #[inline(always)]
    fn slipping(&self, u1: R, u2: R, cone: R) -> (R, R) {
        let tiny = R::splat(1e-200);
        let radius = cone.max(tiny);
        let b1 = u1 - (self.t11 * self.impulse.y + self.t12 * self.impulse.z);
        let b2 = u2 - (self.t12 * self.impulse.y + self.t22 * self.impulse.z);
        let mut s = ((b1 * b1 + b2 * b2).sqrt() / radius - self.slip).max(R::zero());
        let (mut p1, mut p2, mut size) = (R::zero(), R::zero(), R::one());
        for step in 0..4 {
            let (d11, d22) = (self.t11 + s, self.t22 + s);
            let inverse = R::one() / (d11 * d22 - self.t12 * self.t12);
            p1 = (self.t12 * b2 - d22 * b1) * inverse;
            p2 = (self.t12 * b1 - d11 * b2) * inverse;
            let square = (p1 * p1 + p2 * p2).max(tiny);
            size = square.sqrt();
            if step < 3 {
                let bent =
                    (d22 * p1 * p1 - R::splat(2.0) * self.t12 * p1 * p2 + d11 * p2 * p2) * inverse;
                s += ((size / radius - R::one()) * square / bent.max(tiny)).max(R::zero());
            }
        }
        let scale = cone / size;
        (p1 * scale, p2 * scale)
    }
}

/// The contacts of a step and the impulses they were solved with.
#[derive(Clone, Debug)]
pub(crate) struct Contacts<R: Real> {
    pub places: Vec<Place<R>>,
    rows: Vec<Row<R>>,
    y: Vec<Vec3<R>>,
    w: Vec<R>,
    dense: Vec<Vec3<R>>,
    /// Velocities on the way from each link to its root, in the order the rows have them.
    chains: Vec<Vec<u32>>,
    /// Impulse of the last step by slot, in world axes: where the next step starts.
    pub memory: Vec<Vec3<R>>,
}

impl<R: Real> Contacts<R> {
    pub fn new(model: &Model, points: &Points<R>) -> Self {
        let chain = |link: usize| {
            let links = &model.chains[link];
            links.iter().flat_map(|&i| model.freedom_range(i).map(|k| k as u32)).collect::<Vec<_>>()
        };
        let chains: Vec<_> = (0..model.nodes.len()).map(chain).collect();
        let entries = points
            .slots
            .iter()
            .map(|s| chains[s.link].len() + s.other.map_or(0, |o| chains[o].len()));
        let y = Vec::with_capacity(entries.sum());
        Contacts {
            places: Vec::with_capacity(points.slots.len()),
            rows: Vec::with_capacity(points.slots.len()),
            y,
            w: vec![R::zero(); model.freedoms()],
            dense: vec![Vec3::zero(); model.freedoms()],
            chains,
            memory: vec![Vec3::zero(); points.slots.len()],
        }
    }

    /// Forgets the contacts of the last step, but not their impulses.
    pub fn clear(&mut self) {
        self.places.clear();
        self.rows.clear();
    }

    /// The impulse of a contact in world axes.
    pub fn impulse(&self, contact: usize) -> Vec3<R> {
        let (place, p) = (&self.places[contact], self.rows[contact].impulse);
        place.found.normal * p.x + place.tangents[0] * p.y + place.tangents[1] * p.z
    }

    /// Adds to `v`, the velocities without contacts, what the contacts change. Gives the number of sweeps.
    ///
    /// `kin` has its velocities set from `v`.
    pub fn solve(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        aba: &mut Aba<R>,
        points: &Points<R>,
        options: &SolverOptions,
        v: &mut [R],
    ) -> usize {
        self.clear();
        self.y.clear();
        self.w.fill(R::zero());
        for found in &points.found {
            self.add(model, kin, aba, points, found, options);
        }
        let sweeps = self.sweep(options);
        self.memory.fill(Vec3::zero());
        for contact in 0..self.places.len() {
            self.memory[self.places[contact].found.slot] = self.impulse(contact);
        }
        if !self.rows.is_empty() {
            aba.apply_response(model, kin, &self.w, v);
        }
        sweeps
    }

    /// Appends the rows of `Y` for unit impulses along three directions, and gives where they start.
    fn respond(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        aba: &Aba<R>,
        link: usize,
        place: Vec3<R>,
        directions: [Vec3<R>; 3],
    ) -> usize {
        let start = self.y.len();
        self.y.resize(start + self.chains[link].len(), Vec3::zero());
        for (k, direction) in directions.into_iter().enumerate() {
            let mut at = start;
            let y = &mut self.y;
            aba.response(model, kin, link, Force::through(direction, place), |_, entries| {
                for &entry in entries {
                    y[at][k] = entry;
                    at += 1;
                }
            });
        }
        start
    }

    fn add(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        aba: &Aba<R>,
        points: &Points<R>,
        found: &Found<R>,
        options: &SolverOptions,
    ) {
        let slot = &points.slots[found.slot];
        let normal = found.normal;
        let (t1, t2) = normal.tangents();
        let start = self.respond(model, kin, aba, slot.link, found.place, [normal, t1, t2]);
        let other_start = match slot.other {
            Some(other) => {
                self.respond(model, kin, aba, other, found.other_place, [-normal, -t1, -t2])
            }
            None => self.y.len(),
        };
        let end = self.y.len();

        let mut velocity = kin.velocity[slot.link].at(found.place);
        if let Some(other) = slot.other {
            velocity -= kin.velocity[other].at(found.other_place);
        }
        let free = vec3(velocity.dot(normal), velocity.dot(t1), velocity.dot(t2));

        let (nn, n1, n2, t11, t12, t22) =
            self.block(slot.link, slot.other, start, other_start, end);
        let (one, half, zero) = (R::one(), R::splat(0.5), R::zero());
        // A touch of softness keeps the tangential block from being singular.
        let soft = R::splat(1e-10) * (t11 + t22);
        let (d11, d22) = (t11 + soft, t22 + soft);
        let inverse = one / (d11 * d22 - t12 * t12);
        let apart = (d11 - d22) * half;
        let largest = (d11 + d22) * half + (apart * apart + t12 * t12).sqrt();

        let held = self.memory[found.slot];
        let start_impulse = vec3(held.dot(normal).max(zero), held.dot(t1), held.dot(t2));
        let impulse = Vec3::select(found.active, start_impulse, Vec3::zero());

        let row = Row {
            link: slot.link,
            other: slot.other,
            start,
            other_start,
            end,
            free,
            target: R::select(
                found.active,
                target(found, slot.restitution, options),
                R::splat(-1e30),
            ),
            nn,
            n1,
            n2,
            inverse_normal: one / nn,
            i11: d22 * inverse,
            i12: -(t12 * inverse),
            i22: d11 * inverse,
            slip: largest,
            t11: d11,
            t12,
            t22: d22,
            friction: R::splat(slot.friction),
            impulse,
        };
        row.push(&self.chains, &self.y, &mut self.w, impulse);
        self.rows.push(row);
        let point = kin.reference[model.nodes[slot.link].tree] + found.place;
        self.places.push(Place { found: *found, point, tangents: [t1, t2] });
    }

    /// `Y Y^T` of one contact: nn, n1, n2, 11, 12, 22.
    fn block(
        &mut self,
        link: usize,
        other: Option<usize>,
        start: usize,
        other_start: usize,
        end: usize,
    ) -> (R, R, R, R, R, R) {
        let zero = R::zero();
        let mut sum = (zero, zero, zero, zero, zero, zero);
        let mut add = |y: Vec3<R>| {
            sum.0 += y.x * y.x;
            sum.1 += y.x * y.y;
            sum.2 += y.x * y.z;
            sum.3 += y.y * y.y;
            sum.4 += y.y * y.z;
            sum.5 += y.z * y.z;
        };
        let Some(other) = other else {
            self.y[start..other_start].iter().for_each(|&y| add(y));
            return sum;
        };
        // Links of one tree share the way to their root: add the two rows before squaring.
        let parts = [(link, start, other_start), (other, other_start, end)];
        for (link, from, to) in parts {
            for (&k, &y) in self.chains[link].iter().zip(&self.y[from..to]) {
                self.dense[k as usize] += y;
            }
        }
        for (link, _, _) in parts {
            for &k in &self.chains[link] {
                add(self.dense[k as usize]);
                self.dense[k as usize] = Vec3::zero();
            }
        }
        sum
    }

    /// Sweeps over the contacts until no lane changes a velocity by more than the tolerance.
    fn sweep(&mut self, options: &SolverOptions) -> usize {
        let tolerance = R::splat(options.tolerance);
        let mut running = R::mask_all(true);
        for sweep in 0..options.sweeps {
            let mut moved = R::zero();
            // Friction and normal impulses of a light foot can chase each other round in circles: go half way then.
            let way = R::splat(if sweep < CALM_SWEEPS { 1.0 } else { 0.5 });
            for row in &mut self.rows {
                let u = row.velocity(&self.chains, &self.y, &self.w);
                let change = Vec3::select(running, row.correction(u) * way, Vec3::zero());
                row.impulse += change;
                row.push(&self.chains, &self.y, &mut self.w, change);
                // As changes of velocity, a little generously for the tangents.
                moved = moved
                    .max(change.x.abs() * row.nn + (change.y.abs() + change.z.abs()) * row.slip);
            }
            running = R::and(running, R::lt(tolerance, moved));
            if !R::any(running) {
                return sweep + 1;
            }
        }
        options.sweeps
    }
}

/// The least speed along the normal after the step.
#[inline(always)]
fn target<R: Real>(found: &Found<R>, restitution: f64, options: &SolverOptions) -> R {
    let (zero, rate) = (R::zero(), R::splat(1.0 / options.h));
    let gap = found.distance;
    // Apart: it may close the gap in this step. Overlapping: part of the overlap is pushed out, not faster than a limit.
    let overlap = (-gap - R::splat(options.slop)).max(zero);
    let push = (overlap * rate * R::splat(options.correction)).min(R::splat(options.push_speed));
    let closing = R::select(R::lt(zero, gap), -(gap * rate), push);
    // An impact within this step bounces now.
    let hits = R::lt(gap + R::splat(options.h) * found.approach, zero);
    let fast = R::lt(found.approach, R::splat(-options.bounce_speed));
    let bounce = R::select(R::and(hits, fast), -(R::splat(restitution) * found.approach), closing);
    if restitution > 0.0 { bounce.max(closing) } else { closing }
}
