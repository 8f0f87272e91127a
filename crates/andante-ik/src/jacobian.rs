//! Damped least squares on the Jacobian of the effectors.

use crate::ccd::ANGLE;
use crate::linear::{decompose, dot, substitute};
use crate::tree::EffectorTree;
use crate::{ChainError, IkReport, IkTarget, Solver};
use andante_skeleton::{BodyPoint, JointLimit, Skeleton, Transform, rotation};
use glam::{Quat, Vec3};

andante_skeleton::settings! {
    /// Options of a [`Jacobian`].
    pub struct JacobianOptions: Copy {
        /// Most steps.
        max_iterations: usize = 40, 0..=10_000;
        /// Distance that counts as reached, as a fraction of the chain's length.
        tolerance: f32 = 1e-4, 1e-6..=0.1;
        /// Damping, as a multiple of the squared distance still to go (T. Sugihara 2011): it fades on
        /// the way to the target. Large values take small, safe steps; 0 jumps near singular poses.
        damping: f32 = 0.1, 0.0..;
        /// How many metres of distance one radian of orientation counts for, as a fraction of the chain's length.
        rotation_scale: f32 = 0.3, 1e-3..=100.0;
        /// Part of the way back to the source pose that is taken in each step, as far as no target objects. Zero lets
        /// the pose drift.
        similarity: f32 = 0.05, 0.0..=1.0;
        /// Whether the joints' limits are kept.
        limits: bool = true;
    }
}

/// Damped least squares over a chain, or a tree with several effectors.
///
/// Every joint turns about the axes its limit leaves it: three, one or none. Effectors of a
/// higher priority are served first; the others move only in the null space they leave, and are given
/// up, last first, when they stand in the way of those before them. The pose
/// returns to its source in what remains. Joints at a limit lose the direction that leads out of it.
#[derive(Clone, Debug)]
pub struct Jacobian {
    tree: EffectorTree,
    options: JacobianOptions,
    /// Priority of each effector; lower numbers come first.
    priorities: Vec<u8>,
    /// Distinct priorities in order.
    levels: Vec<u8>,
    /// How many of them are still served in this solve.
    served: usize,
    /// Slot and axis of each unknown.
    freedoms: Vec<(usize, Vec3)>,
    /// First unknown of each slot, and one past the last.
    first: Vec<usize>,
    // Work area, allocated once.
    rows: Vec<f32>,
    errors: Vec<f32>,
    system: Vec<f32>,
    share: Vec<f32>,
    gradient: Vec<f32>,
    step: Vec<f32>,
    home: Vec<f32>,
    source: Vec<Quat>,
    saved: Vec<Quat>,
    /// Each level's rows in `rows`, and where its decomposition starts in `system`.
    blocks: Vec<JacobianBlock>,
}

#[derive(Clone, Copy, Debug)]
struct JacobianBlock {
    first_row: usize,
    rows: usize,
    system: usize,
}

impl Jacobian {
    /// For the joints from `root` down to the effectors' joints. All effectors have priority 0.
    pub fn new(
        skeleton: &Skeleton,
        root: usize,
        effectors: &[BodyPoint],
        options: JacobianOptions,
    ) -> Result<Self, ChainError> {
        options.check()?;
        let tree = EffectorTree::new(skeleton, root, effectors, options.limits)?;
        let mut freedoms = Vec::new();
        let mut first = vec![0];
        for (slot, limit) in tree.limits.iter().enumerate() {
            freedoms.extend(limit.axes().iter().map(|&axis| (slot, axis)));
            first.push(freedoms.len());
        }
        let (rows, columns) = (6 * effectors.len(), freedoms.len());
        Ok(Self {
            priorities: vec![0; effectors.len()],
            levels: vec![0],
            served: 1,
            rows: vec![0.0; rows * columns],
            errors: vec![0.0; rows],
            system: vec![0.0; rows * rows],
            share: vec![0.0; rows],
            gradient: vec![0.0; columns],
            step: vec![0.0; columns],
            home: vec![0.0; columns],
            source: vec![Quat::IDENTITY; tree.len()],
            saved: vec![Quat::IDENTITY; tree.len()],
            blocks: Vec::with_capacity(effectors.len()),
            tree,
            options,
            freedoms,
            first,
        })
    }

    /// Gives each effector a priority; lower numbers come first. Effectors beyond the list keep 0.
    pub fn with_priorities(mut self, priorities: &[u8]) -> Self {
        for (own, given) in self.priorities.iter_mut().zip(priorities) {
            *own = *given;
        }
        self.levels = self.priorities.clone();
        self.levels.sort_unstable();
        self.levels.dedup();
        self
    }

    /// Weighted sum of squared errors: what steps must make smaller.
    fn cost(&self, targets: &[IkTarget], scale: f32, models: &[Transform]) -> f32 {
        let error = |(index, target): (usize, &IkTarget)| {
            if !self.serves(index, target) {
                return 0.0;
            }
            // Higher priorities weigh more, so that no step pays for a lower one with them.
            let rank = self.levels.iter().position(|&level| level == self.priorities[index]);
            let rank = 0.01f32.powi(rank.unwrap_or(0) as i32);
            let away = self.tree.point(index, models).distance_squared(target.position);
            let turned = self.turn_error(index, target, models).length_squared();
            rank * target.weight * (away + scale * scale * turned)
        };
        targets.iter().enumerate().map(error).sum()
    }

    /// Whether a target asks for something and its priority is still served.
    fn serves(&self, index: usize, target: &IkTarget) -> bool {
        target.active() && self.priorities[index] <= self.levels[self.served - 1]
    }

    /// Largest distance and angle that are left of the targets still served.
    fn residual(&self, targets: &[IkTarget], models: &[Transform]) -> (f32, f32) {
        let mut worst = (0.0f32, 0.0f32);
        for (index, target) in targets.iter().enumerate() {
            if self.serves(index, target) {
                let away = self.tree.point(index, models).distance(target.position);
                let turned = self.turn_error(index, target, models).length();
                worst = (worst.0.max(away), worst.1.max(turned));
            }
        }
        worst
    }

    fn turn_error(&self, index: usize, target: &IkTarget, models: &[Transform]) -> Vec3 {
        let joint = self.tree.joints[self.tree.effectors[index].slot];
        match target.rotation {
            Some(wanted) => rotation::log(wanted * models[joint].rotation.conjugate()),
            None => Vec3::ZERO,
        }
    }

    /// Fills rows and errors, level by level.
    fn linearise(&mut self, targets: &[IkTarget], scale: f32, models: &[Transform]) {
        let columns = self.freedoms.len();
        self.blocks.clear();
        let (mut row, mut system) = (0, 0);
        for level in 0..self.served {
            let first_row = row;
            for (index, target) in targets.iter().enumerate() {
                if self.priorities[index] != self.levels[level] || !target.active() {
                    continue;
                }
                let point = self.tree.point(index, models);
                let weight = target.weight.sqrt();
                let turned = self.turn_error(index, target, models) * (scale * weight);
                let away = (target.position - point) * weight;
                let count = if target.rotation.is_some() { 6 } else { 3 };
                self.errors[row..row + 3].copy_from_slice(&away.to_array());
                self.errors[row + 3..row + count].copy_from_slice(&turned.to_array()[..count - 3]);
                for (column, &(slot, axis)) in self.freedoms.iter().enumerate() {
                    let joint = &models[self.tree.joints[slot]];
                    let (mut moved, mut turned) = (Vec3::ZERO, Vec3::ZERO);
                    if self.tree.moves(slot, index) {
                        let axis = joint.rotation * axis;
                        moved = axis.cross(point - joint.translation) * weight;
                        turned = axis * (scale * weight);
                    }
                    for k in 0..3 {
                        self.rows[(row + k) * columns + column] = moved[k];
                        if count == 6 {
                            self.rows[(row + 3 + k) * columns + column] = turned[k];
                        }
                    }
                }
                row += count;
            }
            let rows = row - first_row;
            if rows > 0 {
                self.blocks.push(JacobianBlock { first_row, rows, system });
                system += rows * rows;
            }
        }
    }

    /// Takes from each joint at its limit the direction that leads out of it.
    fn hold_limits(&mut self, locals: &[Transform]) {
        let columns = self.freedoms.len();
        let rows = self.blocks.last().map_or(0, |block| block.first_row + block.rows);
        self.gradient.fill(0.0);
        for row in 0..rows {
            let line = &self.rows[row * columns..(row + 1) * columns];
            for (sum, entry) in self.gradient.iter_mut().zip(line) {
                *sum += self.errors[row] * entry;
            }
        }
        for slot in 0..self.tree.len() {
            if matches!(self.tree.limits[slot], JointLimit::Free | JointLimit::Fixed) {
                continue;
            }
            let unknowns = self.first[slot]..self.first[slot + 1];
            let mut pull = Vec3::ZERO;
            for unknown in unknowns.clone() {
                pull += self.freedoms[unknown].1 * self.gradient[unknown];
            }
            let Some(pull) = pull.try_normalize() else { continue };
            const PROBE: f32 = 0.02;
            let local = locals[self.tree.joints[slot]].rotation;
            let (limit, rest) = (&self.tree.limits[slot], self.tree.rest[slot]);
            let held = limit.clamp(rest, local * rotation::exp(pull * PROBE));
            let lost = pull * PROBE - rotation::log(local.conjugate() * held);
            if lost.length() < 0.1 * PROBE {
                continue;
            }
            let lost = lost.normalize();
            for row in 0..rows {
                let line = &mut self.rows[row * columns..(row + 1) * columns];
                let mut along = 0.0;
                for unknown in unknowns.clone() {
                    along += line[unknown] * self.freedoms[unknown].1.dot(lost);
                }
                for unknown in unknowns.clone() {
                    line[unknown] -= along * self.freedoms[unknown].1.dot(lost);
                }
            }
        }
    }

    /// The step for the linearised problem, into `step`.
    fn find_step(&mut self, damping: f32) {
        let columns = self.freedoms.len();
        self.step.fill(0.0);
        for (level, &block) in self.blocks.iter().enumerate() {
            let (done, rest) = self.rows.split_at_mut(block.first_row * columns);
            let own = &mut rest[..block.rows * columns];
            // What the levels before have used up.
            for before in &self.blocks[..level] {
                let theirs = &done[before.first_row * columns..][..before.rows * columns];
                let lower = &self.system[before.system..][..before.rows * before.rows];
                for line in own.chunks_exact_mut(columns) {
                    let share = &mut self.share[..before.rows];
                    for (share, their) in share.iter_mut().zip(theirs.chunks_exact(columns)) {
                        *share = dot(their, line);
                    }
                    substitute(lower, before.rows, share);
                    for (share, their) in share.iter().zip(theirs.chunks_exact(columns)) {
                        for (entry, their) in line.iter_mut().zip(their) {
                            *entry -= share * their;
                        }
                    }
                }
            }
            let size = block.rows;
            let system = &mut self.system[block.system..][..size * size];
            for row in 0..size {
                for column in 0..=row {
                    let a = &own[row * columns..(row + 1) * columns];
                    let b = &own[column * columns..(column + 1) * columns];
                    system[row * size + column] = dot(a, b);
                }
                system[row * size + row] += damping;
            }
            decompose(system, size, 1e-12);
            let share = &mut self.share[..size];
            for (row, share) in share.iter_mut().enumerate() {
                let line = &own[row * columns..(row + 1) * columns];
                *share = self.errors[block.first_row + row] - dot(line, &self.step);
            }
            substitute(system, size, share);
            for (row, share) in share.iter().enumerate() {
                let line = &own[row * columns..(row + 1) * columns];
                for (step, entry) in self.step.iter_mut().zip(line) {
                    *step += share * entry;
                }
            }
        }
    }

    /// Adds the way home that no target objects to.
    fn return_home(&mut self, part: f32, locals: &[Transform]) {
        let columns = self.freedoms.len();
        for (slot, &joint) in self.tree.joints.iter().enumerate() {
            let away = rotation::log(self.source[slot].conjugate() * locals[joint].rotation);
            for unknown in self.first[slot]..self.first[slot + 1] {
                self.home[unknown] = -part * away.dot(self.freedoms[unknown].1);
            }
        }
        for block in &self.blocks {
            let own = &self.rows[block.first_row * columns..][..block.rows * columns];
            let share = &mut self.share[..block.rows];
            for (share, line) in share.iter_mut().zip(own.chunks_exact(columns)) {
                *share = dot(line, &self.home);
            }
            substitute(&self.system[block.system..][..block.rows * block.rows], block.rows, share);
            for (share, line) in share.iter().zip(own.chunks_exact(columns)) {
                for (home, entry) in self.home.iter_mut().zip(line) {
                    *home -= share * entry;
                }
            }
        }
        for (step, home) in self.step.iter_mut().zip(&self.home) {
            *step += home;
        }
    }

    /// Turns the joints by the step, within their limits.
    fn apply(&self, locals: &mut [Transform], models: &mut [Transform]) {
        for (slot, &joint) in self.tree.joints.iter().enumerate() {
            let mut turn = Vec3::ZERO;
            for unknown in self.first[slot]..self.first[slot + 1] {
                turn += self.freedoms[unknown].1 * self.step[unknown];
            }
            let turned = (locals[joint].rotation * rotation::exp(turn)).normalize();
            let (limit, rest) = (&self.tree.limits[slot], self.tree.rest[slot]);
            locals[joint].rotation = limit.clamp(rest, turned);
        }
        self.tree.update(0, locals, models);
    }
}

impl Solver for Jacobian {
    fn solve(
        &mut self,
        targets: &[IkTarget],
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> IkReport {
        if !self.tree.accepts(targets) {
            return IkReport::REFUSED;
        }
        let reach = self.tree.reach(locals).max(1e-6);
        let tolerance = self.options.tolerance * reach;
        let scale = self.options.rotation_scale * reach;
        for (source, &joint) in self.source.iter_mut().zip(&self.tree.joints) {
            *source = locals[joint].rotation;
        }
        self.tree.clamp_all(locals);
        self.tree.update(0, locals, models);
        self.served = self.levels.len();
        let mut iterations = 0;
        let mut nudged = false;
        // Raised when a step makes things worse, lowered when it does not.
        let mut caution = 1.0f32;
        let mut cost = self.cost(targets, scale, models);
        let (mut residual, mut angle) = self.residual(targets, models);
        while (residual > tolerance || angle > ANGLE) && iterations < self.options.max_iterations {
            iterations += 1;
            self.linearise(targets, scale, models);
            self.hold_limits(locals);
            let damping = (self.options.damping * cost + 1e-6 * reach * reach) * caution;
            self.find_step(damping);
            if self.options.similarity > 0.0 {
                // Turns that cost nothing at first cost something at second: they end with the way.
                self.return_home(
                    self.options.similarity * (20.0 * residual / reach).min(1.0),
                    locals,
                );
            }
            for (saved, &joint) in self.saved.iter_mut().zip(&self.tree.joints) {
                *saved = locals[joint].rotation;
            }
            self.apply(locals, models);
            let found = self.cost(targets, scale, models);
            if found < cost {
                let little = cost - found < 1e-5 * cost;
                cost = found;
                caution = (caution * 0.25).max(1e-2);
                (residual, angle) = self.residual(targets, models);
                if !little {
                    continue;
                }
            } else {
                for (saved, &joint) in self.saved.iter().zip(&self.tree.joints) {
                    locals[joint].rotation = *saved;
                }
                self.tree.update(0, locals, models);
                caution *= 8.0;
                if caution < 1e6 {
                    continue;
                }
            }
            // Nothing helps any more. Where priorities stand in each other's way, the last one goes.
            if self.served > 1 {
                self.served -= 1;
                cost = self.cost(targets, scale, models);
                (residual, angle) = self.residual(targets, models);
                caution = 1.0;
                continue;
            }
            if nudged || !self.tree.unstick(targets, tolerance, locals, models) {
                break;
            }
            cost = self.cost(targets, scale, models);
            (residual, angle) = self.residual(targets, models);
            caution = 1.0;
            nudged = true;
        }
        let (residual, angle) = self.tree.residual(targets, models);
        IkReport { reached: residual <= tolerance && angle <= ANGLE, residual, iterations }
    }

    fn joints(&self) -> &[usize] {
        &self.tree.joints
    }
}
