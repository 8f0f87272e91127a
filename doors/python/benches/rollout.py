"""Steps per second of one core: 64 humanoids in andante.gym's environment against MuJoCo's own rollout, in the same run.

    pip install andante[gym] mujoco
    python benches/rollout.py [--envs 64] [--seconds 4] [--rounds 3] [--model FILE.xml]

The model is Gymnasium's humanoid.xml (MJCF), read by both. What makes them comparable, and what is still different, is printed. Time
is CPU time of the process on one thread, so that neighbours on the machine do not count; of several rounds in turn the fastest of
each counts. MuJoCo is given its fastest usual settings (Euler or implicitfast, Newton or PGS, whichever is fastest here).
"""

from __future__ import annotations

import argparse
import pathlib
import time

import gymnasium
import mujoco
import mujoco.rollout
import numpy as np

import andante
from andante.gym import BodyVectorEnv

STEP = 0.002
SKIP = 5


def mujoco_model(path: pathlib.Path, integrator: int, solver: int) -> mujoco.MjModel:
    """The model with contacts as Andante has them: everything touches the ground, nothing itself, with sliding friction."""
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep = STEP
    model.opt.integrator = integrator
    model.opt.solver = solver
    ground = model.geom_bodyid == 0
    model.geom_contype[:] = ground
    model.geom_conaffinity[:] = 1
    model.geom_condim[:] = 3
    return model


def time_mujoco(model: mujoco.MjModel, actions: np.ndarray) -> tuple[float, float]:
    """Steps per second, and mean contacts at the end."""
    envs, frames, _ = actions.shape
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, data, state, spec)
    # The same torques for SKIP steps.
    control = np.repeat(actions * model.actuator_ctrlrange[:, 1], SKIP, axis=1)
    began = time.process_time()
    states, _ = mujoco.rollout.rollout(model, [data], np.tile(state, (envs, 1)), control)
    seconds = time.process_time() - began
    contacts = []
    for last in states[:, -1]:
        mujoco.mj_setState(model, data, last, spec)
        mujoco.mj_forward(model, data)
        contacts.append(data.ncon)
    assert np.isfinite(states).all()
    return envs * frames * SKIP / seconds, float(np.mean(contacts))


def time_andante(path: pathlib.Path, actions: np.ndarray) -> tuple[float, float, int]:
    """Steps per second through the environment's step, mean contacts at the end, and bodies that could not be simulated."""
    envs, frames, _ = actions.shape
    env = BodyVectorEnv(path, envs, frame_skip=SKIP, step=STEP, threads=1, reset_noise_scale=0.0,
                        terminate_when_unhealthy=False, max_episode_steps=None, friction=1.0)
    env.reset(seed=1)
    bad = np.zeros(envs, dtype=bool)
    began = time.process_time()
    for frame in range(frames):
        _, _, terminated, _, _ = env.step(actions[:, frame])
        bad |= terminated
    seconds = time.process_time() - began
    return envs * frames * SKIP / seconds, float(env.batch.contact_counts.mean()), int(bad.sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=4.0, help="simulated time of every body")
    parser.add_argument("--rounds", type=int, default=3)
    assets = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    parser.add_argument("--model", type=pathlib.Path, default=assets / "humanoid.xml")
    args = parser.parse_args()

    body = andante.Body(args.model)
    reference = mujoco.MjModel.from_xml_path(str(args.model))
    print(f"model {args.model.name}: {len(body.segments)} segments and {body.mass:.1f} kg here, {reference.nbody - 1} bodies, "
          f"{reference.nv} velocities and {reference.body_mass.sum():.1f} kg there")
    probe = BodyVectorEnv(args.model, 1)
    print(f"here {len(probe.batch.qvel_names)} velocities, {len(probe.action_names)} actuated axes: joints of several hinges are balls")
    print(f"{args.envs} bodies, steps of {1000 * STEP:g} ms, torques anew every {SKIP}, uniform up to 0.4 of the limits, from rest")
    print("contacts of all shapes with level ground, Coulomb friction 1, none of a body with itself")

    frames = round(args.seconds / (STEP * SKIP))
    rng = np.random.default_rng(1)
    here = rng.uniform(-0.4, 0.4, (args.envs, frames, len(probe.action_names)))
    there = rng.uniform(-0.4, 0.4, (args.envs, frames, reference.nu))
    kinds = {
        f"{integrator.name[6:]}, {solver.name[6:]}": mujoco_model(args.model, integrator, solver)
        for integrator in (mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
        for solver in (mujoco.mjtSolver.mjSOL_NEWTON, mujoco.mjtSolver.mjSOL_PGS)
    }
    best: dict[str, tuple[float, float]] = {}
    ours = (0.0, 0.0, 0)
    for _ in range(args.rounds):
        for name, model in kinds.items():
            best[name] = max(best.get(name, (0.0, 0.0)), time_mujoco(model, there))
        ours = max(ours, time_andante(args.model, here))
    for name, (rate, contacts) in best.items():
        print(f"MuJoCo {mujoco.__version__}, {name}: {rate:9.0f} steps/s of one core, {contacts:.1f} contacts at the end")
    rate, contacts, bad = ours
    print(f"Andante, 4 lanes, f64: {rate:9.0f} steps/s of one core, {contacts:.1f} contacts at the end, {bad} bodies not simulated to the end")
    print(f"ratio to the fastest of MuJoCo: {rate / max(rate for rate, _ in best.values()):.2f}")


if __name__ == "__main__":
    main()
