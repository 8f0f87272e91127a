//! A clip while it is made possible, round by round.

use andante_dynamics::{Kinematics, Quat, Vec3, vec3};
use glam::{DQuat, DVec3};

use super::banded::{BandedSquares, smoothed};
use super::clip_cast::ClipFrame;
use super::clip_plan::{BEYOND, ClipPlan, ClipPlanSettings, PlanStance};
use super::foot_way::FootWay;
use super::footing::within;
use crate::physique::Physique;
use crate::support_polygon::SupportPolygon;
use crate::walk::cast::{Build, CastPose, WalkError};
use crate::walk::cycle::{Momenta, momenta, unroll};
use crate::walk::cycle_settings::CycleSettings;
use crate::walk::spline::Spline;

/// What a clip is while it is made possible.
pub(super) struct Making<'a> {
    pub physique: &'a Physique,
    pub build: Build,
    pub frames: Vec<ClipFrame>,
    pub ways: [FootWay; 2],
    pub areas: Vec<Option<SupportPolygon>>,
    pub shifts: Vec<DVec3>,
    pub leans: Vec<DVec3>,
    pub settings: ClipPlanSettings,
    pub cycle: CycleSettings,
    /// The centre of mass as the clip has it.
    pub origin: Vec<DVec3>,
    pub wanted: Vec<[f64; 2]>,
}

impl Making<'_> {
    pub fn finish(&mut self, raw: Vec<Vec<f64>>) -> Result<ClipPlan, WalkError> {
        let n = self.frames.len();
        let columns = self.physique.model.coordinates();
        let mut found = Vec::new();
        let mut motion = Spline::through(&[vec![0.0; columns]], vec![0.0; columns]);
        let mut rows = Vec::new();
        let mut centre = Vec::new();
        self.aim()?;
        for round in 0..=self.settings.rounds {
            (rows, motion) = self.motion();
            found = self.momenta(&motion)?;
            centre = self.possible(&found);
            if round < self.settings.rounds {
                for (shift, (c, f)) in self.shifts.iter_mut().zip(centre.iter().zip(&found)) {
                    *shift += *c - glam(f.centre[0]);
                }
            }
        }
        let gravity = self.physique.physics.gravity.length();
        let dt = self.settings.frame;
        let spins = [0, 1, 2].map(|axis: usize| {
            let own: Vec<f64> = found.iter().map(|m| m.spin[0][axis]).collect();
            smoothed(&own, self.settings.spin / dt)
        });
        let moments: Vec<Vec<f64>> = (0..n)
            .map(|k| {
                let (c, p) = (centre[k], self.wanted[k]);
                vec![c.x, c.y, c.z, spins[0][k], spins[1][k], spins[2][k], p[0], 0.0, p[1]]
            })
            .collect();
        let squares: Vec<f64> = (0..n)
            .map(|k| {
                let up = accelerations(&centre, k, dt).y + gravity;
                if self.areas[k].is_none() { 0.0 } else { (up / centre[k].y.max(0.1)).max(0.0) }
            })
            .collect();
        let swings = pendulum(&smoothed(&squares, 1.5), dt, gravity);
        let knots = n + 2 * BEYOND;
        let mut plan = ClipPlan {
            seconds: (n - 1) as f64 * dt,
            step: dt,
            knots,
            stances: [Vec::new(), Vec::new()],
            motion,
            momenta: endless(&moments),
            pendulum: endless(&swings),
            bouncing: self.bouncing(),
            clip: raw,
            made: rows,
            scratch: [vec![0.0; columns], vec![0.0; columns], vec![0.0; columns]],
        };
        plan.stances = [0, 1].map(|foot: usize| {
            self.ways[foot]
                .stances
                .iter()
                .map(|s| self.stance(&plan, foot, [s.first, s.end]))
                .collect()
        });
        Ok(plan)
    }

    /// Frames shortly before, in and after a flight.
    fn bouncing(&self) -> Vec<bool> {
        let around = (self.settings.spring / self.settings.frame) as usize;
        let n = self.areas.len();
        let near = |k: usize| k.saturating_sub(around)..(k + around + 1).min(n);
        (0..n).map(|k| self.areas[near(k)].iter().any(Option::is_none)).collect()
    }

    fn stance(&self, plan: &ClipPlan, foot: usize, [first, end]: [usize; 2]) -> PlanStance {
        let n = self.frames.len();
        // Who stands at the ends of the clip has stood before, and does after it.
        let from = if first == 0 { -1.0 } else { first as f64 * plan.step };
        let to = if end >= n { plan.seconds + 10.0 } else { end as f64 * plan.step };
        let mut kin = Kinematics::new(&self.physique.model);
        kin.set_positions(&self.physique.model, &plan.made[first]);
        let [centre, velocity, _] = plan.momenta(from.max(0.0)).centre;
        PlanStance {
            from,
            to,
            print: self.physique.sole_at(&kin, foot),
            capture: centre + velocity * plan.swing(from.max(0.0)).lead,
        }
    }

    fn pose(&self, frame: usize) -> CastPose {
        let own = &self.frames[frame];
        let foot = |side: usize| {
            let pose = &self.ways[side].poses[frame];
            (pose.ankle, pose.rotation())
        };
        CastPose {
            trunk: self.trunk(frame),
            hips: own.hips + self.shifts[frame],
            knees: own.knees,
            feet: [foot(0), foot(1)],
            arms: own.arms.map(Some),
        }
    }

    fn trunk(&self, frame: usize) -> DQuat {
        (DQuat::from_scaled_axis(self.leans[frame]) * self.frames[frame].trunk).normalize()
    }

    /// How far the hips must sink in each frame so that standing legs reach.
    fn lowered(&self) -> Vec<f64> {
        let n = self.frames.len();
        let missing: Vec<f64> = (0..n)
            .map(|k| {
                let one = |leg: usize| {
                    let hips = self.frames[k].hips + self.shifts[k].with_y(0.0);
                    let hip = self.build.hip(self.trunk(k), hips, leg);
                    let off = hip - self.ways[leg].poses[k].ankle;
                    let stands = self.ways[leg].stances.iter().any(|s| s.first <= k && k < s.end);
                    let part = if stands { self.settings.stretch } else { 1.03 };
                    let reach = part * self.build.leg(leg);
                    let across = libm::hypot(off.x, off.z).min(0.99 * reach);
                    off.y - (reach * reach - across * across).sqrt()
                };
                one(0).max(one(1)).clamp(0.0, self.settings.lowest)
            })
            .collect();
        let window = (self.settings.sink / self.settings.frame) as usize;
        let most: Vec<f64> = (0..n)
            .map(|k| {
                let around = k.saturating_sub(window)..(k + window + 1).min(n);
                missing[around].iter().copied().fold(0.0, f64::max)
            })
            .collect();
        smoothed(&most, 0.5 * window as f64)
    }

    fn motion(&self) -> (Vec<Vec<f64>>, Spline) {
        let model = &*self.physique.model;
        let frames = 0..self.frames.len();
        let mut rows: Vec<Vec<f64>> =
            frames.map(|k| self.build.coordinates(model, &self.pose(k))).collect();
        for (k, row) in rows.iter_mut().enumerate() {
            let swings =
                |foot: usize| !self.ways[foot].stances.iter().any(|s| s.first <= k && k < s.end);
            within_ranges(self.physique, row, [swings(0), swings(1)], self.settings.room);
        }
        unroll(&mut rows, self.physique);
        let motion = endless(&rows);
        (rows, motion)
    }

    /// What the clip asks for before anything is done to it: its centre of mass, and where the pressure of a pendulum that
    /// goes this way would be, as near as the ground can push.
    fn aim(&mut self) -> Result<(), WalkError> {
        let (_, motion) = self.motion();
        let found = self.momenta(&motion)?;
        let gravity = self.physique.physics.gravity.length();
        let (n, dt) = (found.len(), self.settings.frame);
        self.origin = found.iter().map(|m| glam(m.centre[0])).collect();
        let width = self.settings.look / dt;
        let smooth = [0, 1, 2].map(|axis: usize| {
            smoothed(&self.origin.iter().map(|c| c[axis]).collect::<Vec<f64>>(), width)
        });
        let calm: Vec<DVec3> =
            (0..n).map(|k| DVec3::new(smooth[0][k], smooth[1][k], smooth[2][k])).collect();
        let asked: Vec<Vec3<f64>> = (0..n)
            .map(|k| {
                let p = calm[k] - accelerations(&calm, k, dt) * (calm[k].y / gravity);
                vec3(p.x, 0.0, p.z)
            })
            .collect();
        self.wanted = within(&self.areas, &asked);
        Ok(())
    }

    fn momenta(&self, motion: &Spline) -> Result<Vec<Momenta>, WalkError> {
        let knots = self.frames.len() + 2 * BEYOND;
        let period = knots as f64 * self.settings.frame;
        let all = momenta(self.physique, motion, knots, period, &self.physique.physics)?;
        Ok(all[BEYOND..knots - BEYOND].to_vec())
    }

    /// Where the centre of mass goes that is possible and near the clip's. Turns the trunk in the air.
    fn possible(&mut self, found: &[Momenta]) -> Vec<DVec3> {
        let o = self.settings;
        let n = found.len();
        let dt = o.frame;
        let gravity = self.physique.physics.gravity.length();
        let second = [1.0 / (dt * dt), -2.0 / (dt * dt), 1.0 / (dt * dt)];
        let third = [-1.0, 3.0, -3.0, 1.0].map(|c| c / (dt * dt * dt));
        let flies: Vec<bool> = self.areas.iter().map(Option::is_none).collect();

        let lowered = self.lowered();
        let goals: Vec<DVec3> =
            self.origin.iter().zip(&lowered).map(|(c, l)| *c - DVec3::Y * *l).collect();
        let mut up = BandedSquares::new(n);
        for k in 0..n {
            up.add(k, &[1.0], goals[k].y, o.height);
            up.add(k, &third, 0.0, o.ease);
            if k + 2 < n {
                let own = accelerations(&goals, k + 1, dt).y;
                let least = (o.least_weight - 1.0) * gravity;
                match flies[k + 1] {
                    true => up.add(k, &second, -gravity, 1e4),
                    false => up.add(k, &second, own.clamp(least, 3.0 * gravity), 1.0),
                }
            }
        }
        let heights = up.solve();
        self.turn_in_air(found, &flies);

        let at = |values: &[f64], k: usize| {
            let k = k.clamp(1, n - 2);
            (values[k - 1] - 2.0 * values[k] + values[k + 1]) / (dt * dt)
        };
        let loads: Vec<f64> = (0..n)
            .map(|k| if flies[k] { 0.0 } else { (gravity + at(&heights, k)).max(0.0) })
            .collect();
        let ways = [0, 2].map(|axis: usize| {
            // Beside what the pressure does, the body's own turning pushes.
            let about = if axis == 0 { 2 } else { 0 };
            let sign = if axis == 0 { 1.0 } else { -1.0 };
            let spins: Vec<f64> = found.iter().map(|m| m.spin[0][about]).collect();
            let spins = smoothed(&spins, o.spin / dt);
            let mut way = BandedSquares::new(n);
            for k in 0..n {
                way.add(k, &[1.0], self.origin[k][axis], o.near);
                way.add(k, &third, 0.0, o.even);
                let ahead = self.origin[(k + 1).min(n - 1)][axis] - self.origin[k][axis];
                way.add(k, &[-1.0 / dt, 1.0 / dt], ahead / dt, o.pace);
                if k > 0 && k + 1 < n {
                    let rate = (spins[k + 1] - spins[k - 1]) / (2.0 * dt);
                    let turning = sign * rate / (self.physique.mass * gravity);
                    let (load, high) = (loads[k] / gravity, heights[k] / gravity);
                    let goal = load * self.wanted[k][axis / 2] - turning.clamp(-0.15, 0.15);
                    let bend = high / (dt * dt);
                    way.add(k - 1, &[-bend, load + 2.0 * bend, -bend], goal, 1.0);
                }
            }
            way.solve()
        });
        (0..n).map(|k| DVec3::new(ways[0][k], heights[k], ways[1][k])).collect()
    }

    /// Turns the trunk against what limbs do in the air.
    fn turn_in_air(&mut self, found: &[Momenta], flies: &[bool]) {
        if !flies.iter().any(|flies| *flies) {
            return;
        }
        let (n, dt) = (found.len(), self.settings.frame);
        let size = self.physique.mass * self.physique.height * self.physique.height;
        let third = [-1.0, 3.0, -3.0, 1.0].map(|c| c / (dt * dt * dt));
        let second = [1.0 / (dt * dt), -2.0 / (dt * dt), 1.0 / (dt * dt)];
        for axis in 0..3 {
            let inertia = self.cycle.trunk[axis] * size;
            let spins: Vec<f64> = found.iter().map(|m| m.spin[0][axis]).collect();
            let spins = smoothed(&spins, 1.0);
            let mut lean = BandedSquares::new(n);
            for k in 0..n {
                lean.add(k, &[1.0], 0.0, self.settings.trunk);
                lean.add(k, &third, 0.0, 1e-5);
                if k + 2 < n {
                    // What the motion would do without the turns that it has already.
                    let change = (spins[k + 2] - spins[k]) / (2.0 * dt * inertia)
                        - accelerations(&self.leans, k + 1, dt)[axis];
                    match flies[k + 1] {
                        true => lean.add(k, &second, -change, 1e3),
                        false => lean.add(k, &second, 0.0, 1.0),
                    }
                }
            }
            let most = self.settings.lean;
            for (own, by) in self.leans.iter_mut().zip(lean.solve()) {
                own[axis] += 0.5 * (by.clamp(-most, most) - own[axis]);
            }
        }
    }
}

/// Turns arms, and feet that swing, into the ranges of their joints.
fn within_ranges(physique: &Physique, q: &mut [f64], swings: [bool; 2], room: f64) {
    let model = &*physique.model;
    for (link, own) in model.links().iter().enumerate() {
        let range = model.coordinate_range(link);
        let foot = physique.soles.iter().position(|sole| sole.link == link);
        let leg = model.freedom_range(link).any(|k| physique.legs.contains(&k))
            && !foot.is_some_and(|foot| swings[foot]);
        if own.parent.is_none() || leg || range.len() != 4 {
            continue;
        }
        let angles = own.joint.angles(&q[range.clone()]);
        let mut held = Vec3::default();
        for axis in 0..3 {
            let limits = &own.axes[axis];
            let room = room.min(0.25 * (limits.upper - limits.lower));
            held[axis] = angles[axis].clamp(limits.lower + room, limits.upper - room);
        }
        Quat::exp(held).write(&mut q[range]);
    }
}

fn glam(v: Vec3<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn accelerations(way: &[DVec3], k: usize, dt: f64) -> DVec3 {
    let k = k.clamp(1, way.len() - 2);
    (way[k - 1] - 2.0 * way[k] + way[k + 1]) / (dt * dt)
}

/// A spline through rows that goes on beyond both ends as their mirror image.
fn endless(rows: &[Vec<f64>]) -> Spline {
    let n = rows.len();
    let columns = rows.first().map_or(0, Vec::len);
    let mirrored = |end: usize, k: usize| -> Vec<f64> {
        let other = if end == 0 { k.min(n - 1) } else { (n - 1).saturating_sub(k) };
        (0..columns).map(|c| 2.0 * rows[end][c] - rows[other][c]).collect()
    };
    let mut all = Vec::with_capacity(n + 2 * BEYOND);
    all.extend((1..=BEYOND).rev().map(|k| mirrored(0, k)));
    all.extend_from_slice(rows);
    all.extend((1..=BEYOND).map(|k| mirrored(n - 1, k)));
    Spline::through(&all, vec![0.0; columns])
}

/// Square, lead and growth of the pendulum, frame by frame. The capture point leads the centre of mass by τ with
/// τ' = τ² w − 1, found backwards from the end, where it is that of somebody who stands.
fn pendulum(squares: &[f64], dt: f64, gravity: f64) -> Vec<Vec<f64>> {
    let n = squares.len();
    let usual = squares.iter().sum::<f64>() / n as f64;
    let mut lead = 1.0 / usual.max(0.1 * gravity).sqrt();
    let mut leads = vec![lead; n];
    let fine = 8;
    for k in (0..n - 1).rev() {
        for j in 0..fine {
            let u = (f64::from(j) + 0.5) / f64::from(fine);
            let square = squares[k + 1] + (squares[k] - squares[k + 1]) * u;
            lead += dt / f64::from(fine) * (1.0 - lead * lead * square);
        }
        leads[k] = lead;
    }
    let mut growth = 0.0;
    (0..n)
        .map(|k| {
            let row = vec![squares[k], leads[k], growth];
            let next = (k + 1).min(n - 1);
            growth += 0.5 * dt * (leads[k] * squares[k] + leads[next] * squares[next]);
            row
        })
        .collect()
}
