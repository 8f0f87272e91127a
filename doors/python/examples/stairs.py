# %% [markdown]
# # Up the stairs
# First a motion alone, put on endless steps; then a scene in which somebody is sent up a flight, round a landing and down again.

# %%
import andante
import matplotlib.pyplot as plt

climb = andante.synth.clip("walk").ground("stairs:0.17:0.29", distance=6.0)
print(climb.report["footholds"], "violations:", climb.report["violations"])

# %%
scene = andante.Scene("stairs")
take = scene.run()
walker = take[0]
for event in take.events:
    print(f"{event.time:6.2f} s  {event.who} {event.text}")

# %% [markdown]
# Whether it is so is not said by whoever planned it: a checker that shares no code with the planner looks at every frame.

# %%
print("violations:", take.check(scene))
print("reached:", take.metrics()[walker.name]["reached"])
x, y, z = walker.positions()[:, 0].T
fig, (above, below) = plt.subplots(2, sharex=True)
above.plot(take.times, y), above.set_ylabel("hips, m")
below.plot(take.times, walker.curves["speed"]), below.set_ylabel("speed, m/s"), below.set_xlabel("s")
plt.show()

# %% [markdown]
# The same stage step by step, with somebody who is commanded:

# %%
with scene.stage() as stage:
    walker = stage["walker"]
    walker.stop()
    for _ in range(60):
        stage.step(1 / 60)
    walker.walk_to([0.5, 0.5])
    while not walker.is_idle:
        stage.step(1 / 60)
    print(walker, "after", round(stage.time, 1), "s")
