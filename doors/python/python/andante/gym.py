"""Physical bodies as environments of Gymnasium's vector API; needs gymnasium (pip install andante[gym])."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError("andante.gym needs gymnasium: pip install andante[gym]") from error

from ._andante import Batch, Body, Error, Terrain

__all__ = ["BodyVectorEnv"]


class BodyVectorEnv(VectorEnv):
    """Many bodies of one kind, each alone in its world, driven by torques, in lanes and threads without the GIL.

    Action: one number per actuated joint axis, -1 to 1, in parts of its torque limit (action_names; torque_limits in N·m).

    Observation, as in MuJoCo's locomotion environments: qpos without the two horizontal coordinates of the root, then qvel
    (observation_names). Here Y is up: x and z are left out. The root has its height, its quaternion x y z w, angular velocity (rad/s)
    and linear velocity (m/s) in world axes; joints have an angle in radians or a quaternion, and angular velocities.

    Reward: forward_weight * velocity along +Z (m/s) + healthy_reward - ctrl_weight * sum of squared actions; its parts are in the
    infos as reward_forward, reward_survive and reward_ctrl, with z_position and z_velocity.

    An episode is terminated when the root leaves healthy_height, or when the body goes so fast that it cannot be simulated
    (info "quarantined"), and truncated after max_episode_steps.

    Autoreset: NEXT_STEP unless told otherwise: the step after an episode has ended ignores its action, resets, and has a reward
    of 0. SAME_STEP resets at once, with final_obs and final_info in the infos. DISABLED leaves it to reset(options={"reset_mask": …}).

    Seeds: body i is drawn from seed + i, as in Gymnasium's own vector environments, so that its episodes depend neither on how many
    others there are nor on threads.

    body: a Body or what makes one: "humanoid", "dog", an MJCF or URDF file, …; its root is free in space, also where the file holds
    it to a plane, a rail or the ground. num_envs: how many. frame_skip: steps of the
    simulation per step of the environment. step: seconds of one of them. healthy_height: least and greatest height of the root in
    metres; half to one and a half times its height at rest if not given. reset_noise_scale: uniform noise of positions and velocities
    at the start. threads: as many as there are cores if not given. friction, terrain, pose: see Simulation.
    """

    def __init__(
        self,
        body: Body | str | os.PathLike[str] = "humanoid",
        num_envs: int = 1,
        *,
        frame_skip: int = 5,
        step: float = 0.002,
        max_episode_steps: int | None = 1000,
        forward_weight: float = 1.25,
        ctrl_weight: float = 0.1,
        healthy_reward: float = 5.0,
        healthy_height: tuple[float, float] | None = None,
        terminate_when_unhealthy: bool = True,
        reset_noise_scale: float = 0.01,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        friction: float = 0.8,
        terrain: Terrain | str | None = None,
        pose: str | None = None,
    ) -> None:
        if frame_skip < 1:
            raise Error(f"frame_skip is {frame_skip}; it is 1 or more")
        if max_episode_steps is not None and max_episode_steps < 1:
            raise Error(f"max_episode_steps is {max_episode_steps}; it is 1 or more, or None")
        if not 0.0 <= reset_noise_scale <= 1.0:
            raise Error(f"reset_noise_scale is {reset_noise_scale}; it is 0 to 1")
        self.batch = Batch(body, num_envs, step=step, pose=pose, friction=friction, terrain=terrain, threads=threads)
        self.num_envs = num_envs
        self.frame_skip = frame_skip
        self.dt = step * frame_skip
        self.max_episode_steps = max_episode_steps
        self.weights = (forward_weight, healthy_reward, ctrl_weight)
        self.terminate_when_unhealthy = terminate_when_unhealthy
        self.reset_noise_scale = reset_noise_scale
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": [], "render_fps": round(1.0 / self.dt)}
        self.render_mode = None
        height = float(self.batch.rest[1])
        self.healthy_height = healthy_height or (0.5 * height, 1.5 * height)

        names = self.batch.qpos_names
        # Without x and z of the root, the first link.
        self._kept = np.array([i for i in range(len(names)) if i not in (0, 2)])
        self.observation_names = [f"qpos:{names[i]}" for i in self._kept]
        self.observation_names += [f"qvel:{name}" for name in self.batch.qvel_names]
        self.action_names = self.batch.actuator_names
        self.torque_limits = self.batch.torque_limits
        count = len(self.observation_names)
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (count,), np.float64)
        self.single_action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(self.action_names),), np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

        self._freedoms = len(self.batch.qvel_names)
        self._generators: list[np.random.Generator] | None = None
        self._steps = np.zeros(num_envs, dtype=np.int64)
        self._ended = np.zeros(num_envs, dtype=bool)
        self._closed = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins new episodes: of all, or of those that options["reset_mask"], an array of bool, says."""
        self._alive()
        self._seed(seed)
        mask = np.ones(self.num_envs, dtype=bool)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"], dtype=bool)
            if mask.shape != (self.num_envs,):
                raise Error(f"reset_mask has the shape {list(mask.shape)}; it is ({self.num_envs} environments)")
        self._begin(np.flatnonzero(mask))
        return self._observe(), {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Lets everybody act for dt seconds."""
        self._alive()
        if self._generators is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        actions = np.asarray(actions, dtype=np.float64)
        again = np.flatnonzero(self._ended)
        if len(again):
            if self.autoreset_mode is AutoresetMode.DISABLED:
                raise Error(f"the episodes of {again.tolist()} have ended: reset them with reset_mask")
            actions = actions.copy()
            actions[again] = 0.0
        before = self.batch.qpos[:, 2]
        self.batch.step(actions, steps=self.frame_skip)
        if len(again):
            # Those who begin anew did not take part in this step.
            self._begin(again)
        qpos = self.batch.qpos
        self._steps += 1
        self._steps[again] = 0
        quarantined = self.batch.quarantined
        low, high = self.healthy_height
        height = qpos[:, 1]
        healthy = (height >= low) & (height <= high) & ~quarantined
        terminated = quarantined | (~healthy & self.terminate_when_unhealthy)
        truncated = np.zeros(self.num_envs, dtype=bool)
        if self.max_episode_steps is not None:
            truncated = self._steps >= self.max_episode_steps

        forward_weight, healthy_reward, ctrl_weight = self.weights
        velocity = (qpos[:, 2] - before) / self.dt
        forward = forward_weight * velocity
        survive = healthy_reward * healthy
        ctrl = -ctrl_weight * np.square(np.clip(actions, -1.0, 1.0)).sum(axis=1)
        reward = forward + survive + ctrl
        for values in (reward, forward, survive, ctrl, velocity):
            values[again] = 0.0
        terminated[again] = False
        truncated[again] = False
        ended = terminated | truncated
        infos: dict[str, Any] = {
            "reward_forward": forward,
            "reward_survive": survive,
            "reward_ctrl": ctrl,
            "z_position": qpos[:, 2].copy(),
            "z_velocity": velocity,
            "quarantined": quarantined,
        }
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            infos = self._same_step(infos, ended)
        else:
            self._ended = ended
        return self._observe(), reward, terminated, truncated, infos

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the memory of the simulation."""
        self._closed = True
        self.batch = None  # type: ignore[assignment]

    def _alive(self) -> None:
        if self._closed:
            raise Error("this environment is closed")

    def _seed(self, seed: int | list[int | None] | None) -> None:
        if isinstance(seed, (int, np.integer)):
            seeds: list[int | None] = [int(seed) + i for i in range(self.num_envs)]
        elif seed is not None:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise Error(f"{len(seeds)} seeds for {self.num_envs} environments")
        elif self._generators is None:
            seeds = [None] * self.num_envs
        else:
            return
        none: list[np.random.Generator | None] = [None] * self.num_envs
        old = self._generators or none
        self._generators = [
            np.random.default_rng(new) if new is not None or was is None else was for new, was in zip(seeds, old)
        ]

    def _begin(self, which: np.ndarray) -> None:
        """New episodes of some."""
        assert self._generators is not None
        scale = self.reset_noise_scale
        noise = np.empty((len(which), 2, self._freedoms))
        for row, index in enumerate(which):
            noise[row] = self._generators[index].uniform(-scale, scale, (2, self._freedoms))
        self.batch.reset([int(index) for index in which], noise[:, 0], noise[:, 1])
        self._steps[which] = 0
        self._ended[which] = False

    def _observe(self) -> np.ndarray:
        return np.concatenate([self.batch.qpos[:, self._kept], self.batch.qvel], axis=1)

    def _same_step(self, infos: dict[str, Any], ended: np.ndarray) -> dict[str, Any]:
        """Begins new episodes at once, and tells how the old ones ended."""
        last = self._observe()
        which = np.flatnonzero(ended)
        final_obs = np.full(self.num_envs, None, dtype=object)
        for index in which:
            final_obs[index] = last[index]
        final_info: dict[str, Any] = {}
        for name, values in infos.items():
            final_info[name] = values.copy()
            final_info[f"_{name}"] = ended.copy()
        self._begin(which)
        return {**infos, "final_obs": final_obs, "_final_obs": ended.copy(), "final_info": final_info, "_final_info": ended.copy()}


# gymnasium.make_vec("andante/Body-v0", num_envs=64, body="dog"), once this module has been imported.
gymnasium.register("andante/Body-v0", vector_entry_point="andante.gym:BodyVectorEnv")
