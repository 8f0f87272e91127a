//! Smooth motion to high order, for reference runs.

use andante_dynamics::{Aba, Force, JointState, Kinematics, Model, Vec3};

/// The state `h` seconds later of a model without springs and contacts under these torques: midpoint steps, whole and
/// halved, extrapolated (Richardson).
pub fn smooth_step(
    model: &Model,
    state: &JointState<f64>,
    tau: &[f64],
    gravity: Vec3<f64>,
    h: f64,
) -> JointState<f64> {
    let step = |from: &JointState<f64>, h: f64| midpoint(model, from, tau, gravity, h);
    let (coarse, mut fine) = (step(state, h), step(&step(state, 0.5 * h), 0.5 * h));
    let extrapolate = |fine: &mut [f64], coarse: &[f64]| {
        fine.iter_mut().zip(coarse).for_each(|(fine, coarse)| *fine += (*fine - coarse) / 3.0);
    };
    extrapolate(&mut fine.q, &coarse.q);
    extrapolate(&mut fine.v, &coarse.v);
    fine
}

fn midpoint(
    model: &Model,
    from: &JointState<f64>,
    tau: &[f64],
    gravity: Vec3<f64>,
    h: f64,
) -> JointState<f64> {
    let moved = |rates: &JointState<f64>, h: f64| {
        let mut to = JointState { q: from.q.clone(), v: rates.v.clone() };
        to.advance(model, h);
        let a = accelerations(model, rates, tau, gravity);
        to.v = from.v.iter().zip(a).map(|(v, a)| v + h * a).collect();
        to
    };
    moved(&moved(from, 0.5 * h), h)
}

fn accelerations(
    model: &Model,
    state: &JointState<f64>,
    tau: &[f64],
    gravity: Vec3<f64>,
) -> Vec<f64> {
    let mut kin = Kinematics::new(model);
    kin.set_positions(model, &state.q);
    kin.set_velocities(model, &state.v);
    let (zero, none) = (vec![0.0; model.freedoms()], vec![Force::zero(); model.links().len()]);
    let mut a = zero.clone();
    Aba::new(model).solve(model, &kin, gravity, tau, &zero, &none, &mut a);
    a
}
