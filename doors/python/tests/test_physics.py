"""Bodies under gravity, alone and many at once."""

import threading

import andante
import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from andante.gym import BodyVectorEnv  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

WHEELS = """
version = 1
name = "wheels"
torso = "hub"
[[segment]]
name = "hub"
mass = 2.0
at = [0, 1, 0]
shapes = [{ sphere = { center = [0, 1, 0], radius = 0.3 } }]
[[segment]]
name = "rim"
parent = "hub"
at = [0, 1, 0]
stiffness = [STIFF, STIFF, STIFF]
torque = [10, 10, 10]
mass = 3.0
shapes = [{ sphere = { center = [0, 1, 0], radius = 0.2 } }]
"""
POLE = """
<mujoco><worldbody><body name="pole" pos="0 0 1"><freejoint/>
<geom type="capsule" fromto="0 0 -0.3 0 0 0.3" size="0.05"/>
<body name="arm" pos="0 0 0.3"><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/></body>
</body></worldbody></mujoco>
"""
ROBOT = """
<robot name="sticks"><link name="base"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="leg"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="hip" type="revolute"><parent link="base"/><child link="leg"/><origin xyz="0 0 -0.4"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="30" velocity="10"/></joint></robot>
"""


@pytest.mark.parametrize("name", andante.creatures())
def test_whatever_falls_falls_as_galilei_says(name):
    simulation = andante.Simulation(name, terrain="none")
    start = simulation.centre_of_mass
    simulation.step(steps=200)
    time = simulation.time
    assert time == pytest.approx(0.4)
    # Velocities first: a step more of the way than in continuous time.
    drop = 0.5 * 9.80665 * time * (time + 0.002)
    assert np.allclose(simulation.centre_of_mass - start, [0, -drop, 0], atol=1e-6)


def test_energy_is_kept_without_ground_springs_and_torques():
    simulation = andante.Simulation(WHEELS.replace("STIFF", "0"), terrain="none", step=0.0005)
    simulation.qvel = [0.3, -0.2, 0.1, 0, 0, 0, 1.0, 2.0, -1.0]
    before = sum(simulation.energy)
    simulation.step(steps=400)
    assert sum(simulation.energy) == pytest.approx(before, rel=1e-3)


def test_two_wheels_on_one_axle_swing_as_in_the_textbook():
    stiffness = 40.0
    modes = andante.modes(WHEELS.replace("STIFF", str(stiffness)))
    # Solid spheres about a common centre: ω² = k (1/I₁ + 1/I₂), for each of three axes.
    one, two = 0.4 * 2.0 * 0.3**2, 0.4 * 3.0 * 0.2**2
    expected = np.sqrt(stiffness * (1 / one + 1 / two)) / (2 * np.pi)
    assert modes.rigid == 6 and np.allclose(modes.frequencies, expected, rtol=1e-6)
    assert np.allclose(np.linalg.norm(modes.shapes, axis=1), 1.0)


def test_somebody_stands_on_the_ground_with_its_weight():
    simulation = andante.Simulation("dog")
    # Springs hold it up; what they let sway dies down.
    simulation.step(steps=4000)
    force = sum(np.array(force) for _, _, force in simulation.contacts)
    weight = andante.Body("dog").mass * 9.80665
    assert force[1] == pytest.approx(weight, rel=0.02) and abs(force[0]) < 0.05 * weight


def test_actions_are_torques_in_parts_of_their_limits():
    simulation = andante.Simulation(WHEELS.replace("STIFF", "0"), terrain="none", gravity=0.0)
    assert simulation.actuator_names == ["rim:x", "rim:y", "rim:z"]
    assert simulation.torque_limits.tolist() == [10, 10, 10]
    simulation.step([0.5, 0, 0], steps=1)
    one, two = 0.4 * 2.0 * 0.3**2, 0.4 * 3.0 * 0.2**2
    # 5 N·m against both inertias for 2 ms; the relative velocity is the joint's.
    assert simulation.qvel[6] == pytest.approx(5.0 * 0.002 * (1 / one + 1 / two), rel=1e-6)
    again = andante.Simulation(WHEELS.replace("STIFF", "0"), terrain="none", gravity=0.0)
    again.step([7.0, 0, 0])
    assert again.qvel[6] == pytest.approx(2 * simulation.qvel[6], rel=1e-6)


def test_forces_push():
    simulation = andante.Simulation("humanoid", terrain="none", gravity=0.0)
    mass = andante.Body("humanoid").mass
    for _ in range(100):
        simulation.apply_force("trunk", [0, 0, 70.0])
        simulation.step()
    before = simulation.centre_of_mass
    simulation.step(steps=100)
    speed = (simulation.centre_of_mass - before)[2] / 0.2
    assert speed == pytest.approx(70.0 * 0.2 / mass, rel=1e-3)


def test_bodies_come_from_robots_and_texts(tmp_path, data):
    pole = andante.Body(POLE)
    assert pole.segments == ["pole", "arm"] and pole.parents == [-1, 0]
    (tmp_path / "pole.xml").write_text(POLE)
    assert andante.Body(tmp_path / "pole.xml").mass == pytest.approx(pole.mass)
    robot = andante.Body(ROBOT)
    assert robot.mass == pytest.approx(3.0) and robot.dof == 1
    dog = andante.Body("dog")
    assert andante.Body(dog.to_toml()).mass == pytest.approx(dog.mass) and len(dog.feet) == 4
    fitted = andante.Body(data / "walker.glb")
    assert 40 < fitted.mass < 110 and len(fitted.feet) == 2


def test_lanes_and_threads_hold_the_bits_of_a_single_run():
    rng = np.random.default_rng(1)
    # More steps at once than are made without a look at signals, too.
    count, frames = 6, 40
    single = [andante.Simulation("humanoid") for _ in range(count)]
    actions = rng.uniform(-1, 1, (frames, count, len(single[0].actuator_names)))
    batches = [andante.Batch("humanoid", count, threads=threads) for threads in (1, 2)]
    for action in actions:
        for batch in batches:
            batch.step(action, steps=5)
        for simulation, one in zip(single, action):
            simulation.step(one, steps=5)
    for batch in batches:
        batch.step(actions[0], steps=1003)
    for simulation, one in zip(single, actions[0]):
        simulation.step(one, steps=500)
        simulation.step(one, steps=503)
    for batch in batches:
        assert np.array_equal(batch.qpos, [simulation.qpos for simulation in single])
        assert np.array_equal(batch.qvel, [simulation.qvel for simulation in single])


def roll(env, frames, seed=3):
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(frames):
        action = rng.uniform(-1, 1, (64, *env.single_action_space.shape))[: env.num_envs]
        seen.append(env.step(action))
    return seen


def test_the_environment_keeps_to_gymnasiums_vector_api():
    env = BodyVectorEnv("humanoid", 5)
    assert isinstance(env, gymnasium.vector.VectorEnv) and env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation) and env.single_observation_space.contains(observation[0]) and info == {}
    assert len(env.observation_names) == observation.shape[1] and len(env.action_names) == env.single_action_space.shape[0]
    assert not any(name.endswith(("trunk:x", "trunk:z")) for name in env.observation_names if name.startswith("qpos"))
    env.action_space.seed(1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    assert env.observation_space.contains(observation)
    assert reward.shape == terminated.shape == truncated.shape == (5,) and terminated.dtype == truncated.dtype == bool
    parts = info["reward_forward"] + info["reward_survive"] + info["reward_ctrl"]
    assert np.allclose(reward, parts)
    # What is observed is what is simulated.
    names = env.observation_names
    assert np.array_equal(observation[:, names.index("qpos:trunk:y")], env.batch.qpos[:, 1])
    env.close()
    with pytest.raises(andante.Error, match="closed"):
        env.reset()


def test_the_environment_is_registered():
    env = gymnasium.make_vec("andante/Body-v0", num_envs=3, body="dog", frame_skip=2)
    assert env.unwrapped.batch.body.name == "dog" and env.num_envs == 3
    env.reset(seed=1)
    assert env.step(env.action_space.sample())[0].shape == env.observation_space.shape
    assert andante.gym.BodyVectorEnv is BodyVectorEnv


def test_a_second_thread_is_told_to_wait():
    simulation = andante.Simulation("dog")
    thread = threading.Thread(target=lambda: simulation.step(steps=30000))
    thread.start()
    told = []
    while thread.is_alive():
        try:
            assert simulation.time >= 0.0
        except RuntimeError as error:
            told.append(error)
    thread.join()
    assert told and simulation.time == pytest.approx(60.0)


def test_episodes_depend_on_their_seed_alone():
    few, many = BodyVectorEnv("dog", 3, threads=1), BodyVectorEnv("dog", 9, threads=2)
    a, b = few.reset(seed=7)[0], many.reset(seed=7)[0]
    assert np.array_equal(a, b[:3]) and not np.array_equal(a[0], a[1])
    for one, other in zip(roll(few, 60), roll(many, 60)):
        for mine, theirs in zip(one[:4], other[:4]):
            assert np.array_equal(mine, theirs[:3])
    assert np.array_equal(few.reset(seed=[9, None, 9])[0][0], few.reset(seed=9)[0][0])
    # Without a seed the next episodes are others.
    assert not np.array_equal(few.reset()[0], few.reset()[0])


def test_an_ended_episode_begins_again_in_the_next_step():
    env = BodyVectorEnv("dog", 2, max_episode_steps=3, terminate_when_unhealthy=False)
    first, _ = env.reset(seed=1)
    steps = roll(env, 5)
    assert [step[3].tolist() for step in steps] == [[False] * 2, [False] * 2, [True] * 2, [False] * 2, [False] * 2]
    fresh = steps[3]
    assert fresh[1].tolist() == [0.0, 0.0]
    height = env.observation_names.index("qpos:chest:y") if "qpos:chest:y" in env.observation_names else 0
    assert np.allclose(fresh[0][:, height], first[:, height], atol=0.03)
    assert np.abs(fresh[0] - first).max() < 0.05 < np.abs(steps[2][0] - first).max()


def test_an_ended_episode_begins_again_in_the_same_step_if_asked():
    env = BodyVectorEnv("dog", 2, max_episode_steps=3, terminate_when_unhealthy=False, autoreset_mode=AutoresetMode.SAME_STEP)
    first, _ = env.reset(seed=1)
    plain = BodyVectorEnv("dog", 2, max_episode_steps=3, terminate_when_unhealthy=False)
    plain.reset(seed=1)
    mine, theirs = roll(env, 3)[-1], roll(plain, 3)[-1]
    assert mine[3].all() and np.array_equal(mine[1], theirs[1])
    assert np.array_equal(np.stack(mine[4]["final_obs"]), theirs[0]) and mine[4]["_final_obs"].all()
    assert np.abs(mine[0] - first).max() < 0.05
    assert np.array_equal(mine[4]["final_info"]["z_position"], theirs[4]["z_position"])


def test_without_autoreset_whoever_has_ended_is_reset_by_hand():
    env = BodyVectorEnv("dog", 2, max_episode_steps=2, terminate_when_unhealthy=False, autoreset_mode="Disabled")
    env.reset(seed=1)
    roll(env, 2)
    with pytest.raises(andante.Error, match="have ended"):
        env.step(np.zeros(env.action_space.shape))
    env.reset(options={"reset_mask": np.array([True, True])})
    env.step(np.zeros(env.action_space.shape))


def test_who_falls_is_terminated():
    env = BodyVectorEnv("humanoid", 4, max_episode_steps=None)
    env.reset(seed=1)
    ended = np.zeros(4, dtype=bool)
    for _ in range(400):
        observation, reward, terminated, _, _ = env.step(np.zeros(env.action_space.shape))
        height = observation[:, 0]
        low, high = env.healthy_height
        assert np.array_equal(terminated, (height < low) | (height > high))
        ended |= terminated
    # Nobody stands by doing nothing.
    assert ended.all()


def test_who_goes_too_fast_is_told_and_begins_again():
    env = BodyVectorEnv("humanoid", 2, healthy_height=(-1e9, 1e9))
    env.reset(seed=1)
    moving = np.zeros((1, len(env.batch.qvel_names)))
    moving[0, 0] = 499.0
    env.batch.reset([0], None, moving)
    flying = [env.step(np.zeros(env.action_space.shape)) for _ in range(40)]
    gone = [step[4]["quarantined"][0] for step in flying]
    assert any(gone) and not any(step[4]["quarantined"][1] for step in flying)
    when = gone.index(True)
    assert flying[when][2][0] and not flying[when + 1][4]["quarantined"][0]
    assert all(np.isfinite(step[0]).all() for step in flying)
