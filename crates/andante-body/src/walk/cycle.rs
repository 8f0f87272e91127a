//! One cycle of a walk or a run, made possible: a motion that the soles can drive.

use andante_dynamics::{
    ContactTerrain, Inverse, JointState, Kinematics, PhysicsSettings, Simulation, Vec3, vec3,
};
use andante_skeleton::{Character, Clip};
use glam::DVec3;

use super::bounce::{Bounce, Pendulum, Swinging};
use super::cast::{WalkError, WalkReference};
use super::cycle_settings::CycleSettings;
use super::spline::Spline;
use crate::control::tracker::Reference;
use crate::physique::Physique;

/// The stance of a foot, as phases of the cycle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// When it strikes, 0 to 1.
    pub strike: f64,
    /// How long it stands after that.
    pub lasts: f64,
}

impl Standing {
    /// Part of the stance that is over at a phase, beyond 1 in swing.
    pub fn progress(&self, phase: f64) -> f64 {
        (phase - self.strike).rem_euclid(1.0) / self.lasts
    }

    /// Part of the swing that is over at a phase; 0 in stance.
    pub fn swung(&self, phase: f64) -> f64 {
        let since = (phase - self.strike).rem_euclid(1.0) - self.lasts;
        (since / (1.0 - self.lasts)).max(0.0)
    }

    /// Phase from now until it strikes next.
    pub fn until_strike(&self, phase: f64) -> f64 {
        1.0 - (phase - self.strike).rem_euclid(1.0)
    }
}

/// The momenta of a walk at one moment, without the place it is at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Momenta {
    /// Centre of mass, its velocity and acceleration.
    pub centre: [Vec3<f64>; 3],
    /// Angular momentum about it and its rate.
    pub spin: [Vec3<f64>; 2],
    /// Where the ground pushes.
    pub pressure: Vec3<f64>,
}

/// A walk that repeats, as coordinates of a body.
#[derive(Clone, Debug)]
pub struct WalkCycle {
    /// Seconds of a cycle.
    pub period: f64,
    /// Metres of a cycle, ahead.
    pub stride: f64,
    /// Left, right.
    pub standing: [Standing; 2],
    /// Rate of the pendulum its centre of mass is, 1/s.
    pub rate: f64,
    /// Where the middles of the soles are when they strike, left and right, in the first cycle.
    pub strikes: [Vec3<f64>; 2],
    /// Where the capture point is then.
    pub captures: [Vec3<f64>; 2],
    /// Whether there are moments at which no foot stands.
    pub flies: bool,
    motion: Spline,
    momenta: Spline,
    pendulum: Spline,
    scratch: [Vec<f64>; 3],
}

/// Harmonics of a cycle in which the body may sway to meet its soles.
const HARMONICS: usize = 6;
/// How often the sway is improved.
const ROUNDS: usize = 6;

impl WalkCycle {
    /// One cycle of a walk or a run along +Z, for a body: the last frame of the clip is the first one again, farther on.
    /// `down` says of a foot (0 is the left one) and a time whether its heel and its toe are down.
    pub fn new(
        physique: &Physique,
        character: &Character,
        clip: &Clip,
        down: &dyn Fn(usize, f32) -> [bool; 2],
        own: &CycleSettings,
    ) -> Result<Self, WalkError> {
        let mut cast = WalkReference::new(physique, character, clip, down, own)?;
        let n = cast.len();
        let model = &*physique.model;
        let mut shifts = vec![DVec3::ZERO; n];
        let standing = [0, 1].map(|foot| Standing {
            strike: cast.feet[foot].strike as f64 / n as f64,
            lasts: cast.feet[foot].stance as f64 / n as f64,
        });
        let wanted: Vec<DVec3> =
            (0..n).map(|frame| pressure_path(&cast, &standing, frame, own)).collect();
        let flies = standing[0].lasts + standing[1].lasts < 1.0;
        let mut rows = Vec::new();
        let mut found = Vec::new();
        let mut pendulum = Pendulum::default();
        let mut rate = 3.2;
        let settings = &physique.physics;
        for round in 0..=ROUNDS {
            let motion;
            (rows, motion) = motion_of(&mut cast, physique, &shifts, flies);
            found = momenta(physique, &motion, n, cast.period, settings)?;
            let height = found.iter().map(|m| m.centre[0].y).sum::<f64>() / n as f64;
            rate = (settings.gravity.length() / height).sqrt();
            if flies {
                let bounce = Bounce {
                    standing,
                    period: cast.period,
                    travel: cast.travel,
                    found: &found,
                    wanted: &wanted,
                    gravity: settings.gravity.length(),
                    flat: own.flat,
                };
                let (possible, swings) = bounce.solve(physique.mass);
                if round < ROUNDS {
                    for (shift, (p, f)) in shifts.iter_mut().zip(possible.iter().zip(&found)) {
                        let by = p.centre[0] - f.centre[0];
                        *shift += DVec3::new(by.x, by.y, by.z);
                    }
                    let size = physique.mass * physique.height * physique.height;
                    cast.turn_trunk(&bounce.lean(&possible, own.trunk.map(|part| part * size)));
                } else {
                    found = possible;
                }
                pendulum = swings;
            } else if round < ROUNDS {
                sway_over_soles(&mut shifts, &wanted, &found, rate * cast.period);
            }
        }
        let motion = spline_of(&cast, physique, &rows);
        let way = cast.travel.to_array();
        let still = [0.0; 3];
        let gain = [way, still, [way[0], 0.0, way[2]]].concat();
        let row = |m: &Momenta| {
            [m.centre[0].to_array(), m.spin[0].to_array(), m.pressure.to_array()].concat()
        };
        let rows: Vec<Vec<f64>> = found.iter().map(row).collect();
        if !flies {
            pendulum = Pendulum::even(rate, cast.period, n);
        }
        let columns = model.coordinates();
        let strikes = [0, 1].map(|foot| sole(physique, &motion, standing[foot].strike, foot));
        let mut cycle = WalkCycle {
            captures: [Vec3::default(); 2],
            period: cast.period,
            stride: cast.travel.z,
            standing,
            rate,
            strikes,
            flies,
            pendulum: pendulum.spline(),
            motion,
            momenta: Spline::through(&rows, gain),
            scratch: [vec![0.0; columns], vec![0.0; columns], vec![0.0; columns]],
        };
        cycle.captures = standing.map(|standing| {
            let [centre, velocity, _] = cycle.momenta(standing.strike, 1.0).centre;
            centre + velocity * cycle.swing(standing.strike).lead
        });
        Ok(cycle)
    }

    /// Room for a reference.
    pub fn reference(&self, physique: &Physique) -> Reference {
        Reference::pose(physique.model.rest(), physique.model.freedoms())
    }

    /// The motion at a phase that goes on at `pace` times the usual one.
    pub fn at(&mut self, physique: &Physique, phase: f64, pace: f64, reference: &mut Reference) {
        let [value, first, second] = &mut self.scratch;
        self.motion.at(phase, value, first, second);
        let rate = pace / self.period;
        rates(physique, [value, first, second], rate, reference);
    }

    /// The pendulum that the centre of mass is at a phase.
    pub fn swing(&self, phase: f64) -> Swinging {
        let (mut a, mut b, mut c) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        self.pendulum.at(phase, &mut a, &mut b, &mut c);
        Swinging { square: a[0].max(0.0), lead: a[1], growth: a[2] }
    }

    /// The momenta at a phase that goes on at `pace` times the usual one.
    pub fn momenta(&self, phase: f64, pace: f64) -> Momenta {
        let (mut a, mut b, mut c) = ([0.0; 9], [0.0; 9], [0.0; 9]);
        self.momenta.at(phase, &mut a, &mut b, &mut c);
        let rate = pace / self.period;
        let three = |x: &[f64], k: usize| vec3(x[k], x[k + 1], x[k + 2]);
        Momenta {
            centre: [three(&a, 0), three(&b, 0) * rate, three(&c, 0) * (rate * rate)],
            spin: [three(&a, 3) * pace, three(&b, 3) * (rate * pace)],
            pressure: three(&a, 6),
        }
    }
}

/// Velocities and accelerations of the model from derivatives of its coordinates.
pub(crate) fn rates(physique: &Physique, of: [&Vec<f64>; 3], rate: f64, reference: &mut Reference) {
    let model = &*physique.model;
    let [value, first, second] = of;
    reference.q.copy_from_slice(value);
    for (link, definition) in model.links().iter().enumerate() {
        let (joint, at) = (definition.joint, model.coordinate_range(link));
        let (q, k) = (&value[at.clone()], model.freedom_range(link));
        let v = joint.rates(q, &first[at.clone()], rate, 1);
        let a = joint.rates(q, &second[at.clone()], rate, 2);
        reference.v[k.clone()].copy_from_slice(&v[..k.len()]);
        reference.a[k.clone()].copy_from_slice(&a[..k.len()]);
        joint.normalize(&mut reference.q[at]);
    }
}

/// Where the middle of a sole is at a phase.
fn sole(physique: &Physique, motion: &Spline, phase: f64, foot: usize) -> Vec3<f64> {
    let columns = physique.model.coordinates();
    let mut value = vec![0.0; columns];
    motion.at(phase, &mut value, &mut vec![0.0; columns], &mut vec![0.0; columns]);
    let mut kin = Kinematics::new(&physique.model);
    kin.set_positions(&physique.model, &value);
    physique.sole_at(&kin, foot)
}

/// Quaternions on one hemisphere from frame to frame.
pub(crate) fn unroll(rows: &mut [Vec<f64>], physique: &Physique) {
    let model = &physique.model;
    for (link, definition) in model.links().iter().enumerate() {
        let Some(first) = definition.joint.quaternion() else { continue };
        let turn = model.coordinate_range(link).start + first;
        for k in 1..rows.len() {
            let (done, rest) = rows.split_at_mut(k);
            let (before, now) = (&done[k - 1][turn..turn + 4], &mut rest[0][turn..turn + 4]);
            let dot: f64 = before.iter().zip(now.iter()).map(|(a, b)| a * b).sum();
            if dot < 0.0 {
                now.iter_mut().for_each(|x| *x = -*x);
            }
        }
    }
}

/// What the motion asks of the ground, frame by frame.
pub(crate) fn momenta(
    physique: &Physique,
    motion: &Spline,
    n: usize,
    period: f64,
    settings: &PhysicsSettings,
) -> Result<Vec<Momenta>, WalkError> {
    let model = &*physique.model;
    let mut simulation =
        Simulation::<f64>::new(physique.model.clone(), ContactTerrain::level(), settings.clone())
            .map_err(|_| WalkError::Body("a model that can be simulated"))?;
    let mut inverse = Inverse::new(model);
    let columns = model.coordinates();
    let mut scratch = [vec![0.0; columns], vec![0.0; columns], vec![0.0; columns]];
    let mut reference = Reference::pose(model.rest(), model.freedoms());
    let mut torque = vec![0.0; model.freedoms()];
    let mut all = Vec::with_capacity(n);
    for frame in 0..n {
        let [a, b, c] = &mut scratch;
        motion.at(frame as f64 / n as f64, a, b, c);
        rates(physique, [a, b, c], 1.0 / period, &mut reference);
        let state = JointState { q: reference.q.clone(), v: reference.v.clone() };
        simulation.set_state(&state).map_err(|_| WalkError::Clip("a pose that is no number"))?;
        let kin = simulation.kinematics();
        inverse.rnea(model, kin, settings.gravity, &reference.a, &mut torque);
        let root = kin.position(model, model.roots()[0]);
        let force = vec3(torque[3], torque[4], torque[5]);
        let moment = vec3(torque[0], torque[1], torque[2]) + root.cross(force);
        let (momentum, spin) = simulation.momentum(0);
        let weight = force.y.max(0.2 * physique.mass * settings.gravity.length());
        all.push(Momenta {
            centre: [
                simulation.centre_of_mass(0),
                momentum * (1.0 / physique.mass),
                force * (1.0 / physique.mass) + settings.gravity,
            ],
            spin: [spin, Vec3::default()],
            pressure: vec3(moment.z / weight, 0.0, -moment.x / weight),
        });
    }
    Ok(all)
}

/// Where the pressure should be in a frame: from heel to toe under the standing foot, and over to the next.
fn pressure_path(
    cast: &WalkReference,
    standing: &[Standing; 2],
    frame: usize,
    own: &CycleSettings,
) -> DVec3 {
    let n = cast.len();
    let phase = frame as f64 / n as f64;
    let flies = standing[0].lasts + standing[1].lasts < 1.0;
    // The foot that struck last leads.
    let since = [0, 1].map(|foot: usize| (phase - standing[foot].strike).rem_euclid(1.0));
    let lead = usize::from(since[1] < since[0]);
    let shoe = cast.shoe();
    let on = |foot: usize, since: f64| {
        let path = &cast.feet[foot];
        // The stance that is under way may have begun in the round before.
        let began = phase - since;
        let rounds = (began - standing[foot].strike).round();
        // From heel to toe while the sole is flat; then the toes alone bear.
        let u = (since * n as f64 / path.heel_off as f64).min(1.0);
        let along = if flies {
            let over = (since * n as f64 - path.heel_off as f64) / path.stance as f64;
            let flat = own.runner_strike + (own.runner_spring - own.runner_strike) * u;
            let part = flat + (own.tip - flat) * (over / own.over + 0.5).clamp(0.0, 1.0);
            part * shoe.toe
        } else {
            0.5 * shoe.heel * (1.0 - u) + own.tip * shoe.toe * u
        };
        let print = path.print.ankle + cast.travel * rounds;
        let ahead = path.print.rotation() * DVec3::Z;
        let place = print + ahead * along;
        DVec3::new(place.x, 0.0, place.z)
    };
    let both = (standing[1 - lead].lasts - since[1 - lead]).max(0.0);
    let shared = standing[1 - lead].lasts - (since[1 - lead] - since[lead]);
    if both <= 0.0 || shared <= 0.0 {
        return on(lead, since[lead]);
    }
    let u = (since[lead] / shared).clamp(0.0, 1.0);
    on(1 - lead, since[1 - lead]).lerp(on(lead, since[lead]), u * u * (3.0 - 2.0 * u))
}

/// The cycle as rows of coordinates and as a spline, hips as low as the legs need them.
fn motion_of(
    cast: &mut WalkReference,
    physique: &Physique,
    shifts: &[DVec3],
    flies: bool,
) -> (Vec<Vec<f64>>, Spline) {
    let model = &*physique.model;
    if flies {
        cast.lower_evenly(shifts);
    } else {
        cast.lower(shifts);
    }
    let frames = 0..cast.len();
    let mut rows: Vec<Vec<f64>> =
        frames.map(|frame| cast.coordinates(model, frame, shifts[frame])).collect();
    unroll(&mut rows, physique);
    let motion = spline_of(cast, physique, &rows);
    (rows, motion)
}

/// A spline through the frames of a cycle that goes on by the way of the cycle.
fn spline_of(cast: &WalkReference, physique: &Physique, rows: &[Vec<f64>]) -> Spline {
    let mut gain = vec![0.0; physique.model.coordinates()];
    gain[..3].copy_from_slice(&cast.travel.to_array());
    Spline::through(rows, gain)
}

/// Shifts the centre of mass so that the pressure comes nearer to where it should be.
fn sway_over_soles(shifts: &mut [DVec3], wanted: &[DVec3], found: &[Momenta], rate: f64) {
    let missing: Vec<[f64; 2]> =
        wanted.iter().zip(found).map(|(w, f)| [w.x - f.pressure.x, w.z - f.pressure.z]).collect();
    for (shift, by) in shifts.iter_mut().zip(sway(&missing, rate)) {
        *shift += DVec3::new(by[0], 0.0, by[1]) * 0.7;
    }
}

/// How the centre of mass must shift so that the pressure moves by this much: an inverted pendulum that repeats.
fn sway(missing: &[[f64; 2]], rate: f64) -> Vec<[f64; 2]> {
    let n = missing.len();
    let turn = std::f64::consts::TAU;
    let mut sway = vec![[0.0; 2]; n];
    for k in 0..=HARMONICS {
        let wave = |frame: usize| libm::sincos(turn * (k * frame % n) as f64 / n as f64);
        let share = if k == 0 { 1.0 } else { 2.0 } / n as f64;
        let stiff = 1.0 + (turn * k as f64 / rate).powi(2);
        for axis in 0..2 {
            let (mut sine, mut cosine) = (0.0, 0.0);
            for (frame, off) in missing.iter().enumerate() {
                let (sin, cos) = wave(frame);
                sine += sin * off[axis] * share / stiff;
                cosine += cos * off[axis] * share / stiff;
            }
            for (frame, by) in sway.iter_mut().enumerate() {
                let (sin, cos) = wave(frame);
                by[axis] += sine * sin + cosine * cos;
            }
        }
    }
    sway
}
