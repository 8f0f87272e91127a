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

/// One contact: three rows, along the normal and the two tangents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<R: Real> {
    pub found: Found<R>,
    /// In the world.
    pub point: Vec3<R>,
    pub link: usize,
    pub other: Option<usize>,
    tangents: [Vec3<R>; 2],
    /// First entry of `Y`, and of the other link's.
    start: usize,
    other_start: usize,
    end: usize,
    /// Velocity along normal and tangents without impulses.
    free: Vec3<R>,
    /// Speed along the normal to have at least.
    target: R,
    /// Own response: the symmetric block `Y Y^T`, only what is used of it.
    n1: R,
    n2: R,
    inverse_normal: R,
    /// Inverse of the tangential block, and of the larger of its eigenvalues.
    i11: R,
    i12: R,
    i22: R,
    inverse_slip: R,
    friction: R,
    /// Impulse along normal and tangents.
    impulse: Vec3<R>,
}

impl<R: Real> Row<R> {
    /// The impulse in world axes.
    pub fn world_impulse(&self) -> Vec3<R> {
        self.found.normal * self.impulse.x
            + self.tangents[0] * self.impulse.y
            + self.tangents[1] * self.impulse.z
    }
}

/// The contacts of a step and the impulses they were solved with.
#[derive(Clone, Debug)]
pub(crate) struct Contacts<R: Real> {
    pub rows: Vec<Row<R>>,
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
            rows: Vec::with_capacity(points.slots.len()),
            y,
            w: vec![R::zero(); model.freedoms()],
            dense: vec![Vec3::zero(); model.freedoms()],
            chains,
            memory: vec![Vec3::zero(); points.slots.len()],
        }
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
        self.rows.clear();
        self.y.clear();
        self.w.fill(R::zero());
        for found in &points.found {
            self.add(model, kin, aba, points, found, options);
        }
        let sweeps = self.sweep(options);
        self.memory.fill(Vec3::zero());
        for row in &self.rows {
            self.memory[row.found.slot] = row.world_impulse();
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
            found: *found,
            point: kin.reference[model.nodes[slot.link].tree] + found.place,
            link: slot.link,
            other: slot.other,
            tangents: [t1, t2],
            start,
            other_start,
            end,
            free,
            target: R::select(
                found.active,
                target(found, slot.restitution, options),
                R::splat(-1e30),
            ),
            n1,
            n2,
            inverse_normal: one / nn,
            i11: d22 * inverse,
            i12: -(t12 * inverse),
            i22: d11 * inverse,
            inverse_slip: one / largest,
            friction: R::splat(slot.friction),
            impulse,
        };
        self.push_impulse(&row, impulse);
        self.rows.push(row);
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

    #[inline(always)]
    fn push_impulse(&mut self, row: &Row<R>, p: Vec3<R>) {
        for (&k, y) in self.chains[row.link].iter().zip(&self.y[row.start..row.other_start]) {
            self.w[k as usize] += y.dot(p);
        }
        if let Some(other) = row.other {
            for (&k, y) in self.chains[other].iter().zip(&self.y[row.other_start..row.end]) {
                self.w[k as usize] += y.dot(p);
            }
        }
    }

    #[inline(always)]
    fn velocity(&self, row: &Row<R>) -> Vec3<R> {
        let mut u = row.free;
        for (&k, y) in self.chains[row.link].iter().zip(&self.y[row.start..row.other_start]) {
            u += *y * self.w[k as usize];
        }
        if let Some(other) = row.other {
            for (&k, y) in self.chains[other].iter().zip(&self.y[row.other_start..row.end]) {
                u += *y * self.w[k as usize];
            }
        }
        u
    }

    /// Sweeps over the contacts until no lane changes a velocity by more than the tolerance.
    fn sweep(&mut self, options: &SolverOptions) -> usize {
        let tolerance = R::splat(options.tolerance);
        let mut running = R::mask_all(true);
        for sweep in 0..options.sweeps {
            let mut moved = R::zero();
            for i in 0..self.rows.len() {
                let row = self.rows[i];
                let u = self.velocity(&row);
                let zero = R::zero();
                // Normal: no pulling.
                let normal = (row.impulse.x - (u.x - row.target) * row.inverse_normal).max(zero);
                let dn = normal - row.impulse.x;
                // Tangents, after what the normal impulse did to them: stick if the cone allows, else slip.
                let (u1, u2) = (u.y + row.n1 * dn, u.z + row.n2 * dn);
                let stick1 = row.impulse.y - (row.i11 * u1 + row.i12 * u2);
                let stick2 = row.impulse.z - (row.i12 * u1 + row.i22 * u2);
                let slip1 = row.impulse.y - u1 * row.inverse_slip;
                let slip2 = row.impulse.z - u2 * row.inverse_slip;
                let cone = row.friction * normal;
                let cone2 = cone * cone;
                let sticks = R::lt(stick1 * stick1 + stick2 * stick2, cone2);
                let size = (slip1 * slip1 + slip2 * slip2).max(R::splat(1e-300)).sqrt();
                let scale = (cone / size).min(R::one());
                let p1 = R::select(sticks, stick1, slip1 * scale);
                let p2 = R::select(sticks, stick2, slip2 * scale);
                let change = vec3(dn, p1 - row.impulse.y, p2 - row.impulse.z);
                let change = Vec3::select(running, change, Vec3::zero());
                self.rows[i].impulse = row.impulse + change;
                self.push_impulse(&row, change);
                // As changes of velocity, a little generously for the tangents.
                let speed = change.x.abs() * (R::one() / row.inverse_normal)
                    + (change.y.abs() + change.z.abs()) * (R::one() / row.inverse_slip);
                moved = moved.max(speed);
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
