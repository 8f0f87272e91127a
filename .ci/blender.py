"""Motions to Blender and back: python3 .ci/blender.py ANDANTE FOLDER, with `bpy` to be imported.

Both ways by glTF and by BVH. Where joints are is told by Blender on its side, and on ours by the BVH that `andante convert`
writes, followed joint by joint here; neither shares code with what is tested.
"""

import math
import os
import subprocess
import sys

import bpy
from mathutils import Matrix, Vector

ANDANTE, FOLDER = sys.argv[1:]
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
# Metres. Rotations are kept in single precision, and BVH of Blender in six decimals of a degree.
ALLOWED = 1e-3


def andante(*words):
    subprocess.run([ANDANTE, *words, "--force"], check=True, stdout=subprocess.DEVNULL)


def file(name):
    return os.path.join(FOLDER, name)


class Motion:
    """Joints of a BVH file in metres, Y up, at any time."""

    def __init__(self, path):
        words = iter(open(path).read().split())
        self.names, self.parents, self.offsets, self.channels = [], [], [], []
        stack, current, end = [], None, False
        for word in words:
            if word in ("ROOT", "JOINT"):
                self.names.append(next(words))
                self.parents.append(stack[-1] if stack else None)
                self.channels.append([])
                self.offsets.append(None)
                current, end = len(self.names) - 1, False
            elif word == "End":
                next(words)
                end = True
            elif word == "{":
                stack.append(None if end else current)
            elif word == "}":
                stack.pop()
                end = False
            elif word == "OFFSET":
                offset = Vector([float(next(words)) for _ in range(3)])
                if not end:
                    self.offsets[current] = offset
            elif word == "CHANNELS":
                self.channels[current] = [next(words) for _ in range(int(next(words)))]
            elif word == "MOTION":
                break
        assert next(words) == "Frames:"
        self.count = int(next(words))
        assert (next(words), next(words)) == ("Frame", "Time:")
        self.step = float(next(words))
        # Rates are whole; files round the time of a frame.
        rate = 1 / self.step
        self.step = 1 / round(rate) if abs(rate - round(rate)) < 2e-4 * rate else self.step
        numbers = [float(word) for word in words]
        width = len(numbers) // self.count
        self.frames = [numbers[k * width:(k + 1) * width] for k in range(self.count)]

    def places(self, frame):
        values, models, found = iter(self.frames[frame]), [], {}
        for joint, name in enumerate(self.names):
            place, turn = self.offsets[joint].copy(), Matrix.Identity(4)
            moved = [next(values) for _ in self.channels[joint]]
            for channel, value in zip(self.channels[joint], moved):
                axis = "XYZ".index(channel[0])
                if channel.endswith("position"):
                    place[axis] = value
                else:
                    turn = turn @ Matrix.Rotation(math.radians(value), 4, channel[0])
            model = Matrix.Translation(place) @ turn
            if self.parents[joint] is not None:
                model = models[self.parents[joint]] @ model
            models.append(model)
            found[name] = model.translation.copy()
        return found


def empty():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def armature():
    found = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    assert len(found) == 1, found
    return found[0]


def seen(time):
    """Where Blender has the heads of bones, Y up."""
    scene = bpy.context.scene
    at = time * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(math.floor(at)), subframe=at - math.floor(at))
    rig = armature().evaluated_get(bpy.context.evaluated_depsgraph_get())
    heads = {bone.name: rig.matrix_world @ bone.head for bone in rig.pose.bones}
    return {name: Vector((at.x, at.z, -at.y)) for name, at in heads.items()}


def worst(motion, begin):
    """The farthest that any joint is off in a frame of the motion that falls on a frame of Blender."""
    scene = bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    most, compared, names = 0.0, 0, 0
    for frame in range(motion.count):
        at = frame * motion.step * rate
        if abs(at - round(at)) > 1e-3:
            continue
        ours, theirs = motion.places(frame), seen(frame * motion.step + begin / rate)
        names = len(ours.keys() & theirs.keys())
        assert names == len(motion.names), (sorted(ours), sorted(theirs))
        most = max([most] + [(ours[name] - theirs[name]).length for name in ours])
        compared += 1
    assert compared >= 5 and names >= 10, (compared, names)
    return most, compared


def told(what, motion, begin=0.0):
    most, compared = worst(motion, begin)
    print(f"{what}: {1e3 * most:.3f} mm at most, {compared} frames, {len(motion.names)} joints")
    assert most < ALLOWED, what


def rate(motion):
    bpy.context.scene.render.fps = round(1 / motion.step)
    bpy.context.scene.render.fps_base = 1.0


def both_ways(name):
    source, ours = os.path.join(DATA, name), file("ours.bvh")
    andante("convert", source, ours)
    motion = Motion(ours)

    empty()
    rate(motion)
    andante("convert", source, file("ours.glb"))
    bpy.ops.import_scene.gltf(filepath=file("ours.glb"))
    told(f"{name} to Blender by glTF", motion)

    # And back, as Blender writes it if nothing is chosen.
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 0, motion.count - 1
    bpy.ops.export_scene.gltf(filepath=file("theirs.glb"))
    andante("convert", file("theirs.glb"), file("back.bvh"))
    told(f"{name} from Blender by glTF", Motion(file("back.bvh")))

    bpy.context.view_layer.objects.active = armature()
    bpy.ops.export_anim.bvh(
        filepath=file("theirs.bvh"), frame_start=0, frame_end=motion.count - 1, root_transform_only=False
    )
    andante("convert", file("theirs.bvh"), file("back.bvh"), "--scale", "1")
    told(f"{name} from Blender by BVH", Motion(file("back.bvh")))

    empty()
    rate(motion)
    # Blender counts the frames of BVH from 1 and turns Y up by itself.
    bpy.ops.import_anim.bvh(filepath=ours, use_fps_scale=False, update_scene_fps=True)
    told(f"{name} to Blender by BVH", motion, begin=1.0)


os.makedirs(FOLDER, exist_ok=True)
for name in ("walk_metres.bvh", "run_centimetres.bvh"):
    both_ways(name)
