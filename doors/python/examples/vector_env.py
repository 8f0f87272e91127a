# %% [markdown]
# # Many bodies at once
# 64 physical humans in Gymnasium's vector API: lanes and threads inside, the GIL released.

# %%
import time

import numpy as np
from andante.gym import BodyVectorEnv

env = BodyVectorEnv("humanoid", num_envs=64)
observation, info = env.reset(seed=1)
print(observation.shape, env.action_space.shape, env.metadata["autoreset_mode"])
print(env.action_names[:3], env.torque_limits[:3], "N·m")

# %%
rng = np.random.default_rng(1)
falls, rewards = 0, []
began = time.perf_counter()
for _ in range(200):
    observation, reward, terminated, truncated, info = env.step(rng.uniform(-0.2, 0.2, env.action_space.shape))
    falls += int(terminated.sum())
    rewards.append(reward.mean())
seconds = time.perf_counter() - began
print(f"{200 * 64 * env.frame_skip / seconds:.0f} steps of physics a second, {falls} falls, reward {np.mean(rewards):.2f}")
env.close()

# %% [markdown]
# A random search for torques that keep it up: not learning, but one can see that it gets better.

# %%
env = BodyVectorEnv("humanoid", num_envs=64, forward_weight=0.0, max_episode_steps=None)
count = env.single_action_space.shape[0]
rng = np.random.default_rng(2)
mean, spread = np.zeros(count), 0.3 * np.ones(count)
for generation in range(5):
    torques = mean + spread * rng.standard_normal((64, count))
    env.reset(seed=generation)
    alive, lasted = np.ones(64, dtype=bool), np.zeros(64)
    for _ in range(150):
        _, _, terminated, _, _ = env.step(np.clip(torques, -1, 1))
        alive &= ~terminated
        lasted += alive * env.dt
    best = np.argsort(-lasted)[:12]
    mean, spread = torques[best].mean(axis=0), torques[best].std(axis=0) + 0.02
    print(f"generation {generation}: the best stands for {lasted.max():.2f} s, on average {lasted.mean():.2f} s")
env.close()
