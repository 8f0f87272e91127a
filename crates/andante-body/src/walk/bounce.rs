//! Runs: where the centre of mass goes between the ground's pushes.
//!
//! In the air it falls freely and no foot can turn the body. While a foot stands, it pushes up in half a sine (as the
//! spring of a leg does, Blickhan 1989) and through the centre of mass from where the pressure is. The one such motion
//! that repeats is the run; what differs from it grows and shrinks as a pendulum whose weight comes and goes.

use andante_dynamics::Vec3;
use glam::DVec3;

use super::cycle::{Momenta, Standing};
use super::spline::Spline;

/// The pendulum that a body is at one moment of its gait.
#[derive(Clone, Copy, Debug)]
pub struct Swinging {
    /// Acceleration of the centre of mass per metre before the pressure, 1/s²: 0 in the air.
    pub square: f64,
    /// How far ahead of the centre of mass the capture point is, s: what a velocity is worth in metres.
    pub lead: f64,
    /// Logarithm of how much an error of the capture point has grown since the first cycle began.
    pub growth: f64,
}

/// The same for every frame of a cycle.
#[derive(Clone, Debug, Default)]
pub(super) struct Pendulum {
    rows: Vec<Vec<f64>>,
    /// By how much growth grows in a cycle.
    gain: f64,
}

impl Pendulum {
    /// One whose weight does not change.
    pub fn even(rate: f64, period: f64, frames: usize) -> Self {
        let gain = rate * period;
        let row = |k: usize| vec![rate * rate, 1.0 / rate, gain * k as f64 / frames as f64];
        Pendulum { rows: (0..frames).map(row).collect(), gain }
    }

    pub fn spline(&self) -> Spline {
        Spline::through(&self.rows, vec![0.0, 0.0, self.gain])
    }
}

/// A run as a clip has it.
pub(super) struct Bounce<'a> {
    pub standing: [Standing; 2],
    pub period: f64,
    pub travel: DVec3,
    /// The momenta of the clip.
    pub found: &'a [Momenta],
    /// Where the pressure should be.
    pub wanted: &'a [DVec3],
    pub gravity: f64,
    /// How much flatter than half a sine a push is: the third harmonic in it.
    pub flat: f64,
}

/// Moments that are looked at in each frame.
const FINE: usize = 16;

impl Bounce<'_> {
    /// Momenta near the clip's that are possible, and the pendulum that they are, both frame by frame.
    pub fn solve(&self, mass: f64) -> (Vec<Momenta>, Pendulum) {
        let n = self.found.len();
        let count = n * FINE;
        let step = self.period / count as f64;
        let phase = |k: usize| k as f64 / count as f64;
        let ups: Vec<f64> = (0..count).map(|k| self.push(phase(k)) - self.gravity).collect();
        let mean = self.found.iter().map(|m| m.centre[0].y).sum::<f64>() / n as f64;
        let rise = periodic_sum(&ups, step);
        let heights: Vec<f64> = periodic_sum(&rise, step).iter().map(|y| y + mean).collect();
        let square = |k: usize| (ups[k % count] + self.gravity) / heights[k % count];
        let (spins, moments) = self.spins(count);
        // Beside what the pressure does, the body's own turning pushes.
        let lever = |k: usize| 1.0 / (mass * heights[k % count]);
        let own = [
            (0..count).map(|k| moments[k].z * lever(k)).collect::<Vec<f64>>(),
            (0..count).map(|k| -moments[k].x * lever(k)).collect(),
        ];
        let pressure = |k: usize| {
            let (frame, part) = (k / FINE, (k % FINE) as f64 / FINE as f64);
            let next = frame + 1;
            let rounds = |frame: usize| self.travel * (frame / n) as f64;
            let at = |frame: usize| self.wanted[frame % n] + rounds(frame);
            at(frame).lerp(at(next), part)
        };
        let pressures: Vec<DVec3> = (0..count).map(pressure).collect();
        let travel = [self.travel.x, self.travel.z];
        let ways = [0, 1].map(|axis| {
            let p: Vec<f64> = pressures.iter().map(|p| if axis == 0 { p.x } else { p.z }).collect();
            let pull = |k: usize, c: f64| {
                let k = k % count;
                square(k) * (c - p[k]) + own[axis][k]
            };
            repeating(count, step, travel[axis], &pull)
        });
        let momenta = (0..n).map(|frame| {
            let k = frame * FINE;
            let three = |x: f64, y: f64, z: f64| Vec3 { x, y, z };
            let [x, z] = [0, 1].map(|axis| ways[axis][k]);
            Momenta {
                centre: [
                    three(x[0], heights[k], z[0]),
                    three(x[1], rise[k], z[1]),
                    three(x[2], ups[k], z[2]),
                ],
                spin: [spins[k], moments[k]],
                pressure: three(pressures[k].x, 0.0, pressures[k].z),
            }
        });
        (momenta.collect(), self.pendulum(count, step, &square))
    }

    /// How the ground pushes up at a phase, per kilogram: as half a sine while a foot stands, and as the weight on average.
    fn push(&self, phase: f64) -> f64 {
        let [a, b] = &self.standing;
        let turn = std::f64::consts::PI;
        let most = 0.5 * turn * self.gravity / (a.lasts + b.lasts) / (1.0 + self.flat / 3.0);
        let one = |standing: &Standing| {
            let u = standing.progress(phase);
            if u < 1.0 { libm::sin(turn * u) + self.flat * libm::sin(3.0 * turn * u) } else { 0.0 }
        };
        most * (one(a) + one(b))
    }

    /// Angular momentum and its rate. In the air it stays, and is what the clip's is on average there. While a foot stands
    /// it goes smoothly as the clip's does, and so that the trunk that makes up for the difference does not turn on average.
    fn spins(&self, count: usize) -> (Vec<Vec3<f64>>, Vec<Vec3<f64>>) {
        let n = self.found.len();
        let air = self.standing.map(|standing| {
            // After this foot has left.
            let mut sum = (Vec3::default(), 0.0);
            let begin = standing.strike + standing.lasts;
            for (frame, m) in self.found.iter().enumerate() {
                let since = (frame as f64 / n as f64 - begin).rem_euclid(1.0);
                if since < 0.5 * (1.0 - self.standing[0].lasts - self.standing[1].lasts) {
                    sum = (sum.0 + m.spin[0], sum.1 + 1.0);
                }
            }
            sum.0 * (1.0 / f64::max(sum.1, 1.0))
        });
        let moment = |frame: usize| {
            let phase = frame as f64 / n as f64;
            let since = self.standing.map(|s| (phase - s.strike).rem_euclid(1.0));
            let lead = usize::from(since[1] < since[0]);
            (lead, self.standing[lead].progress(phase).min(1.0))
        };
        // In each step, how much of a hump and of a wave the clip's has more than the way from one flight to the next.
        let mut shapes = [[Vec3::default(); 2]; 2];
        let mut sizes = [[0.0; 2]; 2];
        for (frame, m) in self.found.iter().enumerate() {
            let (lead, u) = moment(frame);
            let off = m.spin[0] - between(air[1 - lead], air[lead], u);
            let wave = wave(u)[0];
            shapes[lead][0] += off;
            sizes[lead][0] += hump(u)[0];
            shapes[lead][1] += off * wave;
            sizes[lead][1] += wave * wave;
        }
        for (shape, size) in shapes.iter_mut().flatten().zip(sizes.iter().flatten()) {
            *shape = *shape * (1.0 / f64::max(*size, 1e-9));
        }
        let mut spins = vec![Vec3::default(); count];
        let mut rates = vec![Vec3::default(); count];
        for k in 0..count {
            let phase = k as f64 / count as f64;
            let since = self.standing.map(|s| (phase - s.strike).rem_euclid(1.0));
            let lead = usize::from(since[1] < since[0]);
            let u = self.standing[lead].progress(phase).min(1.0);
            let (from, to, [more, odd]) = (air[1 - lead], air[lead], shapes[lead]);
            let pace = 1.0 / (self.standing[lead].lasts * self.period);
            let ([hump, rising], [wave, waving]) = (hump(u), wave(u));
            spins[k] = between(from, to, u) + more * hump + odd * wave;
            rates[k] = ((to - from) * (6.0 * u * (1.0 - u)) + more * rising + odd * waving) * pace;
        }
        (spins, rates)
    }

    /// The additional rotation of the trunk, frame by frame, that gives the reference these momenta: about an axis it
    /// takes as much as its inertia says.
    pub fn lean(&self, possible: &[Momenta], inertia: [f64; 3]) -> Vec<[f64; 3]> {
        let step = self.period / self.found.len() as f64;
        let ways = [0, 1, 2].map(|axis: usize| {
            let missing = |(p, f): (&Momenta, &Momenta)| {
                (p.spin[0] - f.spin[0]).to_array()[axis] / inertia[axis]
            };
            periodic_sum(&possible.iter().zip(self.found).map(missing).collect::<Vec<f64>>(), step)
        });
        (0..self.found.len()).map(|k| [ways[0][k], ways[1][k], ways[2][k]]).collect()
    }

    /// The capture point leads the centre of mass by τ with τ' = τ² w − 1: then its error grows by itself alone, at the
    /// rate τ w. The solution that repeats is found backwards, where it attracts.
    fn pendulum(&self, count: usize, step: f64, square: &dyn Fn(usize) -> f64) -> Pendulum {
        let n = self.found.len();
        let mut lead = 0.3;
        let mut leads = vec![0.0; count];
        for _ in 0..6 {
            for k in (0..count).rev() {
                let middle = 0.5 * (square(k) + square(k + 1));
                let half = lead + 0.5 * step * (1.0 - lead * lead * square(k + 1));
                lead += step * (1.0 - half * half * middle);
                leads[k] = lead;
            }
        }
        let mut growth = 0.0;
        let mut grown = vec![0.0; count];
        for (k, own) in grown.iter_mut().enumerate() {
            *own = growth;
            let rate = |k: usize| leads[k % count] * square(k);
            growth += 0.5 * step * (rate(k) + rate(k + 1));
        }
        let row = |frame: usize| {
            let k = frame * FINE;
            vec![square(k), leads[k], grown[k]]
        };
        Pendulum { rows: (0..n).map(row).collect(), gain: growth }
    }
}

/// From one to the other, level at both ends.
fn between(from: Vec3<f64>, to: Vec3<f64>, u: f64) -> Vec3<f64> {
    from + (to - from) * (u * u * (3.0 - 2.0 * u))
}

/// A hump that is level at both ends of a stance, and its slope.
fn hump(u: f64) -> [f64; 2] {
    let v = u * (1.0 - u);
    [16.0 * v * v, 32.0 * v * (1.0 - 2.0 * u)]
}

/// Up and down in a stance, level at both ends, and its slope.
fn wave(u: f64) -> [f64; 2] {
    let ([hump, rising], odd) = (hump(u), 1.0 - 2.0 * u);
    [hump * odd, rising * odd - 2.0 * hump]
}

/// The integral that repeats and is zero on average, of what is zero on average but for rounding.
fn periodic_sum(values: &[f64], step: f64) -> Vec<f64> {
    let count = values.len();
    let mean = values.iter().sum::<f64>() / count as f64;
    let mut sum = 0.0;
    let sums: Vec<f64> = (0..count)
        .map(|k| {
            let now = sum;
            sum += step * (0.5 * (values[k] + values[(k + 1) % count]) - mean);
            now
        })
        .collect();
    let middle = sums.iter().sum::<f64>() / count as f64;
    sums.into_iter().map(|s| s - middle).collect()
}

/// Place, velocity and acceleration of the motion c'' = pull(c) that is `travel` farther after a cycle.
fn repeating(
    count: usize,
    step: f64,
    travel: f64,
    pull: &dyn Fn(usize, f64) -> f64,
) -> Vec<[f64; 3]> {
    let run = |from: [f64; 2], mut note: Option<&mut Vec<[f64; 3]>>| {
        let [mut c, mut v] = from;
        for k in 0..count {
            let a = pull(k, c);
            if let Some(list) = note.as_deref_mut() {
                list.push([c, v, a]);
            }
            // Velocity Verlet.
            let next = c + step * v + 0.5 * step * step * a;
            // The place at the end is a cycle on, and so is its pressure.
            let last = k + 1 == count;
            let b = if last { pull(0, next - travel) } else { pull(k + 1, next) };
            v += 0.5 * step * (a + b);
            c = next;
        }
        [c, v]
    };
    let base = run([0.0, 0.0], None);
    let unit = [run([1.0, 0.0], None), run([0.0, 1.0], None)];
    let m = [0, 1].map(|row: usize| [0, 1].map(|col: usize| unit[col][row] - base[row]));
    // c(T) = base + M s = s + (travel, 0).
    let (a, b, c, d) = (m[0][0] - 1.0, m[0][1], m[1][0], m[1][1] - 1.0);
    let (r, s) = (travel - base[0], -base[1]);
    let det = a * d - b * c;
    let det = if det.abs() < 1e-12 { 1e-12 } else { det };
    let start = [(r * d - b * s) / det, (a * s - c * r) / det];
    let mut way = Vec::with_capacity(count);
    run(start, Some(&mut way));
    way
}
