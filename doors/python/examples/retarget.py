# %% [markdown]
# # A motion on another body
# A run in centimetres, put on a character of another file and on a child of 1.2 m, feet planted.

# %%
import pathlib

import andante
import numpy as np

run = andante.read("../../../data/run_centimetres.bvh").clip
walker = andante.read("../../../data/walker.glb")
made = run.retarget(walker)
print(made, "scale", round(made.report["scale"], 3))
print("joints that nothing moves:", made.report["resting"])
print("feet slide on average:", round(made.report["metrics"]["foot_slide_mm_mean"], 2), "mm")

# %% [markdown]
# Rotations, translations and transforms are views of the clip's memory; positions are computed. The skin of the file goes along
# into what is written.

# %%
positions = made.positions()
head = positions[:, made.skeleton.find("Head")]
print("the head goes up and down by", round(float(np.ptp(head[:, 1])), 3), "m")
out = pathlib.Path("out")
out.mkdir(exist_ok=True)
print(made.write(out / "run.glb"))

# %%
child = andante.synth.clip("stand", height=1.2)
small = run.retarget(child)
ratio = np.ptp(small.translations[:, 0, 2]) / np.ptp(run.translations[:, 0, 2])
print(f"the child gets {ratio:.2f} times as far")
