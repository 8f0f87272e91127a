"""Clips as arrays, files, contacts, edits."""

import gc
import json
import subprocess

import andante
import numpy as np
import pytest
from conftest import MOTIONS, forward_kinematics


@pytest.mark.parametrize("name", MOTIONS)
def test_every_file_is_read_and_its_arrays_fit(data, name):
    asset = andante.read(data / name)
    assert len(asset) >= 1 and asset.feet
    for clip in asset.clips:
        joints = len(asset.skeleton)
        assert clip.rotations.shape == (len(clip), joints, 4)
        assert clip.translations.shape == (len(clip), joints, 3)
        assert clip.transforms.shape == (len(clip), joints, 7)
        assert np.allclose(np.linalg.norm(clip.rotations, axis=2), 1.0, atol=1e-5)
        assert clip.duration == pytest.approx((len(clip) - 1) / clip.fps, rel=1e-5)
        assert len(clip.times) == len(clip) and clip.times[-1] == pytest.approx(clip.duration, rel=1e-5)
    assert 0.3 < asset.skeleton.height < 2.2


@pytest.mark.parametrize("name", MOTIONS)
def test_positions_are_those_of_other_forward_kinematics(data, name):
    for clip in andante.read(data / name).clips:
        expected = forward_kinematics(clip.skeleton.parents, clip.rotations, clip.translations)
        assert np.abs(clip.positions() - expected).max() < 2e-5


def test_rotations_and_translations_are_views_of_one_memory():
    clip = andante.synth.clip("walk")
    joints = len(clip.skeleton)
    assert clip.rotations.strides == (joints * 28, 28, 4) == clip.translations.strides
    assert np.shares_memory(clip.rotations, clip.transforms)
    assert np.shares_memory(clip.translations, clip.transforms)
    first, again = clip.transforms, clip.transforms
    assert first.__array_interface__["data"] == again.__array_interface__["data"]
    assert not first.flags.owndata


def test_views_outlive_the_clip():
    view = andante.synth.clip("run").rotations
    kept = view.copy()
    gc.collect()
    rubbish = [np.full(view.size, 7.0, np.float32) for _ in range(50)]
    assert np.array_equal(view, kept) and len(rubbish) == 50


def test_views_cannot_be_written_to():
    clip = andante.synth.clip("walk")
    for view in (clip.rotations, clip.translations, clip.transforms):
        with pytest.raises(ValueError):
            view[0] = 0.0
        with pytest.raises(ValueError):
            view.flags.writeable = True


@pytest.mark.parametrize("name", MOTIONS)
def test_arrays_make_the_same_clip_again(data, name):
    clip = andante.read(data / name).clips[0]
    again = andante.Clip.from_arrays(clip.skeleton, clip.rotations, clip.translations, fps=clip.fps, name="again")
    assert again.name == "again" and again.fps == clip.fps
    assert np.abs(again.transforms - clip.transforms).max() < 1e-6
    # Lists, doubles and other strides are as good.
    lists = clip.with_arrays(clip.rotations.astype(float)[:, ::1].tolist(), np.asfortranarray(clip.translations))
    assert np.abs(lists.transforms - clip.transforms).max() < 1e-6


def test_translations_of_the_root_alone_leave_the_others_at_rest():
    human = andante.Skeleton.humanoid()
    turns = np.zeros((3, len(human), 4))
    turns[..., 3] = 2.0  # of any length
    way = np.array([[0, 1, 0], [0, 1, 1], [0, 1, 2]])
    clip = andante.Clip.from_arrays(human, turns, way, fps=30)
    rest = human.rest_positions() - human.rest_positions()[0]
    assert np.allclose(clip.positions() - way[:, None], rest, atol=1e-5)


def test_a_skeleton_is_made_from_arrays():
    arm = andante.Skeleton(["shoulder", "elbow", "wrist"], [-1, 0, 1], [[0, 1, 0], [0.3, 0, 0], [0.25, 0, 0]])
    assert arm.names == ["shoulder", "elbow", "wrist"] and arm.parents.tolist() == [-1, 0, 1]
    assert arm.find("wrist") == 2 and arm.bones.tolist() == [[0, 1], [1, 2]]
    quarter = [0, 0, np.sin(np.pi / 4), np.cos(np.pi / 4)]
    clip = andante.Clip.from_arrays(arm, [[quarter, [0, 0, 0, 1], [0, 0, 0, 1]]], fps=1)
    assert np.allclose(clip.positions()[0, 2], [0, 1.55, 0], atol=1e-6)
    assert arm == andante.Skeleton(arm.names, [None, 0, 1], arm.offsets)


@pytest.mark.parametrize("extension, tolerance", [("bvh", 1e-3), ("glb", 1e-5), ("gltf", 1e-5), ("amc", 2e-3)])
def test_files_hold_what_was_written(data, tmp_path, extension, tolerance):
    clip = andante.read(data / "walk_metres.bvh").clip
    path = tmp_path / f"walk.{extension}"
    written = clip.write(path)
    assert path in written
    again = andante.read(path, fps=clip.fps).clips[0]
    assert len(again) == len(clip)
    names = again.skeleton.names
    joints = [(clip.skeleton.find(name), names.index(name)) for name in clip.skeleton.names if name in names]
    assert len(joints) > 20
    mine, theirs = zip(*joints)
    assert np.abs(clip.positions()[:, mine] - again.positions()[:, theirs]).max() < tolerance


def test_the_skin_of_a_file_is_kept(data, tmp_path):
    asset = andante.read(data / "walker.glb")
    assert asset.has_mesh and asset["run"].name == "run" and asset[-1].name == asset.clips[-1].name
    asset["run"].mirror().write(tmp_path / "mirrored.glb")
    again = andante.read(tmp_path / "mirrored.glb")
    assert again.has_mesh and len(again) == 1


def test_inspect_is_what_the_program_prints(data, program):
    for name in MOTIONS:
        told = json.loads(subprocess.run([program, "inspect", data / name, "--json"], capture_output=True, check=True).stdout)
        found = andante.read(data / name).clips[0].inspect()
        assert set(found) <= set(told), name
        for key, value in found.items():
            if key == "warnings":
                assert set(value) <= set(told[key])
            else:
                same(told[key], value, f"{name}: {key}")


def same(told, found, where):
    """The same numbers to six digits, and everything else exactly."""
    if isinstance(told, dict):
        assert set(told) == set(found), where
        for key in told:
            same(told[key], found[key], f"{where}.{key}")
    elif isinstance(told, list):
        assert len(told) == len(found), where
        for one, other in zip(told, found):
            same(one, other, where)
    elif isinstance(told, float):
        assert found == pytest.approx(told, rel=1e-5, abs=1e-6), where
    else:
        assert told == found, where


def test_rows_of_contacts_are_their_intervals(data):
    for name in MOTIONS:
        clip = andante.read(data / name).clips[0]
        contacts = clip.contacts()
        assert contacts.down.shape == (len(contacts.feet), len(clip)) and contacts.down.dtype == bool
        for foot, row in zip(contacts.feet, contacts.down):
            expected = np.zeros(len(clip), dtype=bool)
            for start, end in contacts.stance[foot]:
                expected[round(start * clip.fps) : round(end * clip.fps) + 1] = True
            assert np.array_equal(row, expected), (name, foot)
        assert np.array_equal(contacts.down, contacts.heel | contacts.toe)


@pytest.mark.parametrize("speed, turn", [(0.7, 0.0), (1.4, 0.3), (1.4, -0.5), (3.5, 0.2)])
def test_feet_that_are_down_do_not_move(speed, turn):
    clip = andante.synth.locomotion(speed, turn)
    contacts, positions = clip.contacts(), clip.positions()
    assert contacts.down.any(axis=1).all() and not contacts.down.all()
    for foot, joint in zip(contacts.toe, ("LeftToes", "RightToes")):
        toes = positions[:, clip.skeleton.find(joint)]
        fast = np.linalg.norm(np.diff(toes, axis=0), axis=1) * clip.fps
        down = foot[1:] & foot[:-1]
        # The toe joint is a little above the sole, about which the foot rolls.
        assert fast[down].max() < 0.5 and fast[~down].max() > speed


@pytest.mark.parametrize("height", [1.2, 1.75, 2.0])
def test_synthesised_gaits_have_the_speed_that_was_asked_for(height):
    clip = andante.synth.locomotion(1.3, height=height)
    way = clip.translations[-1, 0] - clip.translations[0, 0]
    assert way[2] / clip.duration == pytest.approx(1.3, rel=1e-3) and abs(way[0]) < 1e-4
    assert clip.gait == "walk" and clip.skeleton.height == pytest.approx(0.99 * height, rel=0.05)


def test_all_built_in_clips_are_made():
    assert len(andante.clips()) > 10
    for name in andante.clips():
        assert len(andante.synth.clip(name)) > 1


def test_edits_do_what_they_say(data):
    clip = andante.read(data / "walk_metres.bvh").clip
    twice = clip.mirror().mirror()
    assert np.abs(twice.positions() - clip.positions()).max() < 1e-4
    mirrored = clip.mirror().positions()
    left, right = clip.skeleton.find("LeftFoot"), clip.skeleton.find("RightFoot")
    assert np.abs(mirrored[:, left] * [-1, 1, 1] - clip.positions()[:, right]).max() < 1e-3
    assert np.abs(clip.reverse().positions() - clip.positions()[::-1]).max() < 1e-5
    assert clip.resample(60).fps == 60 and clip.resample(60).duration == pytest.approx(clip.duration, abs=1 / 60)
    assert clip.trim(0.5, 1.5).duration == pytest.approx(1.0, abs=1 / 30)
    assert 0.0 <= clip.duration - 1.0 - clip.cut(0.5, 1.5).duration < 0.3
    assert clip.speed_up(2).duration == pytest.approx(clip.duration / 2, abs=1 / 30)
    stays = clip.in_place().translations[:, 0]
    assert np.ptp(stays[:, [0, 2]], axis=0).max() < 0.15 < np.ptp(clip.translations[:, 0, 2])
    moved = clip.moved([1, 2, 3], turn=np.pi / 2).translations[:, 0]
    x, y, z = clip.translations[:, 0].T
    assert np.allclose(moved, np.stack([z + 1, y + 2, -x + 3], -1), atol=1e-4)
    both = clip.append(clip)
    assert both.duration > 1.9 * clip.duration and both.translations[-1, 0, 2] > 1.9 * clip.translations[-1, 0, 2]
    assert np.allclose(clip.mix(clip.mirror(), 0.0).positions(), clip.positions(), atol=1e-4)
    loop = clip.loop()
    assert np.abs(np.abs((loop.rotations[0] * loop.rotations[-1]).sum(-1)) - 1).max() < 1e-4
    assert clip.renamed("x").name == "x"


def test_planting_removes_slide(data):
    clip = andante.read(data / "walk_metres.bvh").clip
    # The body sways aside under its feet.
    way = clip.translations.copy()
    way[:, 0, 0] += 0.02 * np.sin(2 * np.pi * 0.7 * clip.times)
    sliding = clip.with_arrays(clip.rotations, way)
    assert sliding.metrics()["foot_slide_mm_mean"] > 2.0
    assert sliding.plant().metrics()["foot_slide_mm_mean"] < 0.2


@pytest.mark.parametrize("source", ["run_centimetres.bvh", "leap.amc", "walker.glb"])
def test_motions_are_put_on_other_bodies(data, source):
    clip = andante.read(data / source).clips[-1]
    small = andante.synth.clip("stand", height=1.2)
    made = clip.retarget(small)
    assert made.skeleton == small.skeleton and len(made) in (len(clip), len(clip) - 1)
    assert 0.4 < made.report["scale"] < 0.9
    way = np.ptp(clip.translations[:, 0, 2]) * made.report["scale"]
    assert np.ptp(made.translations[:, 0, 2]) == pytest.approx(way, rel=0.05, abs=0.05)
    assert made.report["metrics"]["foot_slide_mm_mean"] < 5
    for to in ("humanoid", small.skeleton, data / "walker.glb", andante.read(data / "walker.glb")):
        assert len(clip.retarget(to).positions()) == len(made)


@pytest.mark.parametrize("rise, run", [(0.17, 0.29), (0.12, 0.35)])
def test_feet_stand_on_the_treads(rise, run):
    clip = andante.synth.clip("walk").ground(f"stairs:{rise}:{run}", distance=6.0)
    assert not clip.report["stopped"] and clip.report["violations"] == []
    assert clip.report["footholds"]["without_ground"] == 0
    contacts, positions = clip.contacts(), clip.positions()
    stairs = andante.Terrain(f"stairs:{rise}:{run}")
    climbed = stairs.height(*positions[-1, 0, [0, 2]]) - stairs.height(*positions[0, 0, [0, 2]])
    assert climbed > 6 * rise and positions[-1, 0, 1] - positions[0, 0, 1] == pytest.approx(climbed, abs=rise)
    # Toes that are down are within the height of a toe joint above a whole number of rises.
    for row, joint in zip(contacts.toe, ("LeftToes", "RightToes")):
        height = positions[row, clip.skeleton.find(joint), 1]
        above = height - np.floor(height / rise) * rise
        assert above.max() < 0.09


def test_terrain_comes_from_arrays():
    x, z = np.meshgrid(np.arange(-5, 5.01, 0.25), np.arange(-5, 20, 0.25))
    ground = andante.Terrain.grid(0.1 * z, 0.25, [-5, -5])
    assert ground.height(1.0, 2.0) == pytest.approx(0.2, abs=1e-5) and ground.height(9.0, 0.0) is None
    up = andante.synth.clip("walk").ground(ground, distance=5)
    assert up.positions()[-1, 0, 1] - up.positions()[0, 0, 1] == pytest.approx(0.5, abs=0.08)


def test_poses_between_frames_are_sampled():
    clip = andante.synth.clip("walk")
    pose = clip.sample(10 / clip.fps)
    assert pose.shape == (len(clip.skeleton), 7) and np.allclose(pose, clip.transforms[10], atol=1e-5)
    assert np.allclose(clip.sample(99.0), clip.transforms[-1])
    looped = clip.sample(clip.duration + 10 / clip.fps, loop=True)
    assert np.allclose(looped[:, :4], clip.rotations[10], atol=1e-4)
