//! Contact impulses: projected Gauss-Seidel at the level of velocities, warm-started.
//!
//! All contacts between the same two links (or a link and terrain that moves alike) form a group. Whatever happens at them, the
//! links only move against each other in six ways: a group's contacts are swept over in those six numbers. Groups
//! feel each other through the rows `Y` of the articulated-body factorisation: the motion of group `g` after the
//! impulses `f` of all groups is `u_g + Y_g . w`, `w = sum Y_h^T f_h`, which reads and updates only the entries on the
//! way from the links to their root. Neither the joint-space inertia nor its inverse is ever formed.

use super::points::{ContactCandidate, Points};
use super::row::Row;
use crate::aba::Aba;
use crate::kinematics::Kinematics;
use crate::math::Vec3;
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Force, Mobility, MotionVector};

/// Passes over the contacts of a group in each sweep: what is slow to settle is the sum over a light foot's corners.
const PASSES: usize = 3;
/// Sweeps in which all passes but the last go further than a contact asks for. The last goes just as far: a lone contact
/// is exact after it, no impulse pulls, and friction is within its cone.
const EAGER_SWEEPS: usize = 5;
const EAGER_WAY: f64 = 1.4;
/// What has not settled by then is most often going round in circles, friction and normal impulses of a light foot
/// chasing each other. From then on only part of the way is gone.
const CALM_WAY: f64 = 0.7;

/// How hard the solver tries. See the simulation's options for the meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolverOptions {
    pub h: f64,
    pub sweeps: usize,
    pub tolerance: f64,
    pub contradiction: f64,
    pub slop: f64,
    pub correction: f64,
    pub push_speed: f64,
    pub bounce_speed: f64,
}

/// One contact, for those who want to know about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactPlace<R: Real> {
    pub found: ContactCandidate<R>,
    /// In the world.
    pub point: Vec3<R>,
}

/// The contacts between two links, or of a link with the terrain.
#[derive(Clone, Copy, Debug)]
struct Group<R: Real> {
    /// One past the last of its rows; they follow those of the group before.
    rows: usize,
    /// Its columns of `Y`.
    start: usize,
    end: usize,
    /// Motion of the link, less that of the other, without impulses.
    free: MotionVector<R>,
}

impl<R: Real> Group<R> {
    /// Motion after the impulses in `w`.
    #[inline(always)]
    fn motion(&self, columns: &[Column<R>], w: &[R]) -> MotionVector<R> {
        let mut motion = self.free;
        for column in &columns[self.start..self.end] {
            motion += column.y * w[column.entry];
        }
        motion
    }

    /// Adds an impulse to `w`.
    #[inline(always)]
    fn push(&self, columns: &[Column<R>], w: &mut [R], force: Force<R>) {
        for column in &columns[self.start..self.end] {
            w[column.entry] += column.y.dot(force);
        }
    }
}

/// A column of `Y`, and the entry of `w` it stands for.
#[derive(Clone, Copy, Debug)]
struct Column<R> {
    entry: usize,
    y: MotionVector<R>,
}

/// The contacts of a step and the impulses they were solved with.
#[derive(Clone, Debug)]
pub(crate) struct ContactSet<R: Real> {
    pub places: Vec<ContactPlace<R>>,
    rows: Vec<Row<R>>,
    groups: Vec<Group<R>>,
    columns: Vec<Column<R>>,
    w: Vec<R>,
    dense: Vec<MotionVector<R>>,
    /// Velocities on the way from each link to its root, in the order the rows have them.
    chains: Vec<Vec<usize>>,
    /// Impulse of the last step by slot, in world axes: where the next step starts.
    pub memory: Vec<Vec3<R>>,
}

impl<R: Real> ContactSet<R> {
    pub fn new(model: &Model, points: &Points<R>) -> Self {
        let chain = |link: usize| {
            let links = &model.chains[link];
            links.iter().flat_map(|&i| model.freedom_range(i)).collect::<Vec<_>>()
        };
        let chains: Vec<_> = (0..model.nodes.len()).map(chain).collect();
        let (mut groups, mut entries, mut last) = (0, 0, None);
        for slot in &points.slots {
            if last.replace((slot.link, slot.other)) != Some((slot.link, slot.other)) {
                groups += 1;
                entries += chains[slot.link].len() + slot.other.map_or(0, |o| chains[o].len());
            }
        }
        ContactSet {
            places: Vec::with_capacity(points.slots.len()),
            rows: Vec::with_capacity(points.slots.len()),
            groups: Vec::with_capacity(groups),
            columns: Vec::with_capacity(entries),
            w: vec![R::zero(); model.freedoms()],
            dense: vec![MotionVector::zero(); model.freedoms()],
            chains,
            memory: vec![Vec3::zero(); points.slots.len()],
        }
    }

    /// Forgets the contacts of the last step, but not their impulses.
    pub fn clear(&mut self) {
        self.places.clear();
        self.rows.clear();
        self.groups.clear();
    }

    /// The impulse of a contact in world axes.
    pub fn impulse(&self, contact: usize) -> Vec3<R> {
        self.rows[contact].impulse()
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
        self.columns.clear();
        self.w.fill(R::zero());
        let links = |found: &ContactCandidate<R>| {
            let slot = &points.slots[found.slot];
            (slot.link, slot.other, found.ground)
        };
        for found in points.found.chunk_by(|a, b| links(a) == links(b)) {
            self.add(model, kin, aba, points, found, options);
        }
        let (sweeps, unsettled) = self.sweep(options);
        let mut contradicts = unsettled;
        if R::any(unsettled) {
            contradicts =
                R::and(unsettled, R::lt(R::splat(options.contradiction), self.residual()));
        }
        self.memory.fill(Vec3::zero());
        for (place, row) in self.places.iter().zip(&self.rows) {
            self.memory[place.found.slot] = Vec3::select(contradicts, Vec3::zero(), row.impulse());
        }
        if !self.rows.is_empty() {
            aba.apply_response(model, kin, &self.w, v);
        }
        sweeps
    }

    /// Appends the columns of `Y` of a link. `shift` is where its forces are counted from, seen from its tree's
    /// reference, and `sign` is negative for the link that feels them reversed.
    fn respond(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        aba: &Aba<R>,
        link: usize,
        shift: Vec3<R>,
        sign: f64,
    ) {
        let start = self.columns.len();
        let blank = |&entry: &usize| Column { entry, y: MotionVector::zero() };
        self.columns.extend(self.chains[link].iter().map(blank));
        for k in 0..6 {
            let mut unit = Force::zero();
            if k < 3 {
                unit.n[k] = R::splat(sign);
            } else {
                let mut along = Vec3::zero();
                along[k - 3] = R::splat(sign);
                unit = Force::through(along, shift);
            }
            let columns = &mut self.columns[start..];
            let mut at = 0;
            aba.response(model, kin, link, unit, |_, entries| {
                for &entry in entries {
                    let y = &mut columns[at].y;
                    if k < 3 {
                        y.w[k] = entry
                    } else {
                        y.v[k - 3] = entry
                    }
                    at += 1;
                }
            });
        }
    }

    /// Adds a group: all that was found between two links.
    fn add(
        &mut self,
        model: &Model,
        kin: &Kinematics<R>,
        aba: &Aba<R>,
        points: &Points<R>,
        all: &[ContactCandidate<R>],
        options: &SolverOptions,
    ) {
        let Some(first) = all.first() else { return };
        let slot = &points.slots[first.slot];
        let (link, other) = (slot.link, slot.other);
        let reference = kin.reference[model.nodes[link].tree];
        let start = self.columns.len();
        self.respond(model, kin, aba, link, Vec3::zero(), 1.0);
        let mut free = kin.velocity[link];
        if let Some(ground) = first.ground {
            let motion = points.moving[ground];
            free -= MotionVector { w: motion.w, v: motion.at(reference) };
        }
        if let Some(other) = other {
            let shift = reference - kin.reference[model.nodes[other].tree];
            self.respond(model, kin, aba, other, shift, -1.0);
            let motion = kin.velocity[other];
            free -= MotionVector { w: motion.w, v: motion.at(shift) };
        }
        let mobility = self.mobility(start, other.is_some());
        let mut force = Force::zero();
        for found in all {
            let slot = &points.slots[found.slot];
            let target = target(found, slot.restitution, options);
            let row = Row::new(found, &mobility, slot.friction, target, self.memory[found.slot]);
            force += row.force();
            self.rows.push(row);
            self.places.push(ContactPlace { found: *found, point: reference + found.place });
        }
        let group = Group { rows: self.rows.len(), start, end: self.columns.len(), free };
        group.push(&self.columns, &mut self.w, force);
        self.groups.push(group);
    }

    /// `Y Y^T` of the group whose columns start here and are the last.
    fn mobility(&mut self, start: usize, pair: bool) -> Mobility<R> {
        let (mut mobility, own) = (Mobility::default(), &self.columns[start..]);
        if !pair {
            own.iter().for_each(|column| mobility.add_square(column.y));
            return mobility;
        }
        // Links of one tree share the way to their root: add their columns before squaring.
        for column in own {
            self.dense[column.entry] += column.y;
        }
        for column in own {
            mobility.add_square(std::mem::take(&mut self.dense[column.entry]));
        }
        mobility
    }

    /// The residual of the impulses against the laws of contact, as a speed.
    pub fn residual(&self) -> R {
        let (mut worst, mut first) = (R::zero(), 0);
        for group in &self.groups {
            let motion = group.motion(&self.columns, &self.w);
            for row in &self.rows[first..group.rows] {
                worst = worst.max(row.residual(motion));
            }
            first = group.rows;
        }
        worst
    }

    /// Sweeps over the contacts until no lane changes a velocity by more than the tolerance; how often, and the lanes that
    /// still did in the last one.
    fn sweep(&mut self, options: &SolverOptions) -> (usize, R::Mask) {
        let tolerance = R::splat(options.tolerance);
        let mut running = R::mask_all(true);
        for sweep in 0..options.sweeps {
            let mut moved = R::zero();
            let (eager, last) =
                if sweep < EAGER_SWEEPS { (EAGER_WAY, 1.0) } else { (CALM_WAY, CALM_WAY) };
            let (eager, last) = (R::splat(eager), R::splat(last));
            let mut first = 0;
            for group in &self.groups {
                let mut motion = group.motion(&self.columns, &self.w);
                let mut force = Force::zero();
                let rows = &mut self.rows[first..group.rows];
                for _ in 1..PASSES {
                    for row in &mut *rows {
                        row.relax(&mut motion, &mut force, running, eager);
                    }
                }
                for row in &mut *rows {
                    moved = moved.max(row.relax(&mut motion, &mut force, running, last));
                }
                group.push(&self.columns, &mut self.w, force);
                first = group.rows;
            }
            running = R::and(running, R::lt(tolerance, moved));
            if !R::any(running) {
                return (sweep + 1, running);
            }
        }
        (options.sweeps, running)
    }
}

/// The least speed along the normal after the step.
#[inline(always)]
fn target<R: Real>(found: &ContactCandidate<R>, restitution: f64, options: &SolverOptions) -> R {
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
