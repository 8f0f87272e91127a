# %% [markdown]
# # Which foot is down?
# A motion file, read and understood, and a chart of its contacts: five lines.

# %%
import andante
import matplotlib.pyplot as plt

contacts = andante.read("../../../data/walk_metres.bvh").clip.contacts()
plt.imshow(contacts.down, aspect="auto", cmap="Greys", interpolation="nearest")
plt.yticks(range(len(contacts.feet)), contacts.feet), plt.xlabel("frame")

# %% [markdown]
# The same as intervals in seconds, and what else there is to know about the motion, by the names of `andante inspect --json`:

# %%
clip = andante.read("../../../data/walk_metres.bvh").clip
about = clip.inspect()
print(contacts.stance["left foot"])
print(f"{about['gait']}, {about['speed_mps']:.2f} m/s, {about['cadence_spm']:.0f} steps a minute, "
      f"feet slide {about['foot_slide_mm_mean']:.3f} mm on average")
plt.show()
