"""Bad input is an exception with the words of the library, never an abort."""

import math

import andante
import numpy as np
import pytest

NAN = float("nan")
HUMAN = andante.Skeleton.humanoid()
COUNT = len(HUMAN)


def turns(frames=2):
    array = np.zeros((frames, COUNT, 4))
    array[..., 3] = 1
    return array


def test_missing_files_are_file_not_found(tmp_path):
    for call in (
        lambda: andante.read("no.bvh"),
        lambda: andante.Take.read("no.take"),
        lambda: andante.Scene("no.toml"),
        lambda: andante.Body("no.xml"),
        lambda: andante.Gait("no.toml"),
        lambda: andante.Sketch("no.toml"),
        lambda: andante.synth.clip("walk").retarget("no.glb"),
        lambda: andante.synth.clip("walk").ground("no.obj"),
        lambda: andante.Scene("nosuch"),
        lambda: andante.Body("nosuch"),
        lambda: andante.Sketch("nosuch"),
    ):
        with pytest.raises(FileNotFoundError, match="no"):
            call()
    with pytest.raises(FileNotFoundError, match=r"no\.bvh: cannot be read: No such file"):
        andante.read("no.bvh")
    with pytest.raises(OSError):
        andante.synth.clip("walk").write(tmp_path / "no" / "walk.bvh")
    with pytest.raises(OSError):
        andante.Scene("turns").run().write(tmp_path / "no" / "a.take")


def test_formats_that_are_none_are_told(tmp_path):
    path = tmp_path / "walk.fbx"
    path.write_text("x")
    with pytest.raises(andante.Error, match="not a format that can be read; use .bvh"):
        andante.read(path)
    with pytest.raises(andante.Error, match="not a format that can be written; use .bvh"):
        andante.synth.clip("walk").write(path)
    with pytest.raises(andante.Error, match="a take is written as"):
        andante.Scene("turns").run().write(path)
    with pytest.raises(ValueError, match="is not a regular file"):
        andante.read(_folder(tmp_path))


def _folder(tmp_path):
    folder = tmp_path / "folder.bvh"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", ["walk_metres.bvh", "walker.glb", "leap.amc", "four_legs.glb"])
def test_damaged_files_never_end_python(data, tmp_path, name):
    whole = (data / name).read_bytes()
    if name.endswith(".amc"):
        (tmp_path / "leap.asf").write_bytes((data / "leap.asf").read_bytes())
    rng = np.random.default_rng(len(whole))
    path = tmp_path / name
    refused = 0
    for trial in range(60):
        bytes_ = bytearray(whole)
        if trial % 3 == 0:
            bytes_ = bytes_[: rng.integers(len(bytes_))]
        else:
            for _ in range(rng.integers(1, 30)):
                bytes_[rng.integers(len(bytes_))] = rng.integers(256)
        path.write_bytes(bytes_)
        try:
            for clip in andante.read(path).clips:
                clip.positions()
        except andante.Error as error:
            refused += 1
            assert str(error)
    assert refused > 5


def test_errors_in_text_show_the_line(tmp_path):
    path = tmp_path / "bad.bvh"
    path.write_text("HIERARCHY\nROOT hips\n{\n  OFFSET 0 zero 0\n")
    with pytest.raises(andante.Error, match=r"bad\.bvh:4:") as caught:
        andante.read(path)
    assert any("OFFSET 0 zero 0" in note for note in getattr(caught.value, "__notes__", ["OFFSET 0 zero 0"]))
    with pytest.raises(andante.Error, match="version 9 is not known"):
        andante.Scene('version = 9\nname = "x"\n')
    with pytest.raises(andante.Error, match="line 4, column 1: unknown field `colour`"):
        andante.Scene('version = 1\nname = "x"\n[[platform]]\ncolour = 1\n')


def test_wrong_shapes_are_told():
    with pytest.raises(ValueError, match=r"rotations has the shape \[2, 5, 4\]; it is \(frames, 26 joints, 4\)"):
        andante.Clip.from_arrays(HUMAN, np.zeros((2, 5, 4)), fps=30)
    with pytest.raises(ValueError, match="translations has the shape"):
        andante.Clip.from_arrays(HUMAN, turns(), np.zeros((3, 3)), fps=30)
    with pytest.raises(ValueError, match="offsets has the shape"):
        andante.Skeleton(["a"], [-1], [[0, 0]])
    with pytest.raises(ValueError, match="parents for"):
        andante.Skeleton(["a", "b"], [-1], [[0, 0, 0]] * 2)
    with pytest.raises((ValueError, TypeError)):
        andante.Clip.from_arrays(HUMAN, "rotations", fps=30)
    simulation, batch = andante.Simulation("dog"), andante.Batch("dog", 3)
    for call in (
        lambda: simulation.step([0.0]),
        lambda: batch.step(np.zeros((2, 3))),
        lambda: batch.reset([0], np.zeros((1, 2))),
        lambda: setattr(simulation, "qpos", [1.0, 2.0]),
        lambda: simulation.apply_force("chest", [1.0]) if "chest" in andante.Body("dog").segments else simulation.step([0.0]),
    ):
        with pytest.raises(ValueError, match="has the shape"):
            call()
    with pytest.raises(ValueError, match="there is no body 3"):
        batch.reset([3])


def test_numbers_that_are_none_are_told():
    bad = turns()
    bad[1, 3, 2] = NAN
    with pytest.raises(andante.Error, match=f"clip `clip`, frame 1, joint `{HUMAN.names[3]}`: not a finite number"):
        andante.Clip.from_arrays(HUMAN, bad, fps=30)
    with pytest.raises(andante.Error, match="not a finite number"):
        andante.Clip.from_arrays(HUMAN, np.zeros((1, COUNT, 4)), fps=30)
    with pytest.raises(andante.Error, match="frames per second is not a frame rate"):
        andante.Clip.from_arrays(HUMAN, turns(), fps=0)
    with pytest.raises(andante.Error, match="has no frames"):
        andante.Clip.from_arrays(HUMAN, turns(0), fps=30)
    walk = andante.synth.clip("walk")
    calls = [
        lambda: walk.sample(NAN),
        lambda: walk.trim(NAN, 1),
        lambda: walk.trim(1, 0),
        lambda: walk.cut(-1, NAN),
        lambda: walk.resample(-1),
        lambda: walk.resample(math.inf),
        lambda: walk.speed_up(NAN),
        lambda: walk.speed_up(0),
        lambda: walk.retime(NAN),
        lambda: walk.low_pass(-3),
        lambda: walk.low_pass(1e-9),
        lambda: walk.moved([NAN, 0, 0]),
        lambda: walk.moved(turn=math.inf),
        lambda: walk.mix(walk, NAN),
        lambda: walk.append(walk, fade=9),
        lambda: walk.ground("stairs:0.17:0.29", distance=NAN),
        lambda: walk.ground("stairs:nan:0.29"),
        lambda: walk.ground("stairs"),
        lambda: walk.ground("moon"),
        lambda: walk.ground("level", fps=-1),
        lambda: andante.synth.locomotion(NAN),
        lambda: andante.synth.locomotion(99),
        lambda: andante.synth.locomotion(1, mode="hop"),
        lambda: andante.synth.locomotion(1, height=-1),
        lambda: andante.synth.clip("moonwalk"),
        lambda: andante.Terrain.grid([[1.0]], 1),
        lambda: andante.Terrain.grid(np.full((3, 3), NAN), 1),
        lambda: andante.Terrain.grid(np.zeros((3, 3)), -1),
        lambda: andante.Skeleton(["a", "a"], [-1, 0], [[0, 0, 0]] * 2),
        lambda: andante.Skeleton(["a", "b"], [-1, 5], [[0, 0, 0]] * 2),
        lambda: andante.Skeleton(["a", "b"], [-1, -7], [[0, 0, 0]] * 2),
        lambda: andante.Skeleton(["a"], [-1], [[NAN, 0, 0]]),
        lambda: andante.Skeleton([], [], np.zeros((0, 3))),
        lambda: andante.Simulation("dog", step=0),
        lambda: andante.Simulation("dog", step=NAN),
        lambda: andante.Simulation("dog", friction=-1),
        lambda: andante.Simulation("dog", pose="handstand"),
        lambda: andante.Simulation("dog").step([NAN] * len(andante.Simulation("dog").actuator_names)),
        lambda: setattr(andante.Simulation("dog"), "qpos", andante.Simulation("dog").qpos * NAN),
        lambda: setattr(andante.Simulation("dog"), "qpos", andante.Simulation("dog").qpos * 2),
        lambda: andante.Batch("dog", 0),
        lambda: andante.Batch("dog", 2, threads=0),
        lambda: andante.modes("dog", foot="wing"),
        lambda: andante.search("basic-run", threads=0),
        lambda: andante.Scene("turns").run(longest=NAN),
        lambda: andante.read("x.bvh", up="w"),
        lambda: andante.read("x.bvh", scale=-1),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(andante.Error) as caught:
            call()
        assert str(caught.value), number


def test_bodies_that_make_no_sense_are_told():
    for text in ("<mujoco></mujoco>", "<robot/>", "<mujoco><worldbody><body></mujoco>", 'version = 1\nname = "x"\n'):
        with pytest.raises(andante.Error) as caught:
            andante.Body(text)
        assert str(caught.value)


def test_skeletons_without_feet_are_told():
    arm = andante.Skeleton(["a", "b"], [-1, 0], [[0, 1, 0], [0.3, 0, 0]])
    clip = andante.Clip.from_arrays(arm, [[[0, 0, 0, 1]] * 2] * 5, fps=30)
    for call in (clip.contacts, clip.inspect, clip.plant, lambda: clip.retarget("humanoid"), lambda: clip.ground("level")):
        with pytest.raises(andante.Error):
            call()
    with pytest.raises(andante.Error, match="another skeleton"):
        clip.append(andante.synth.clip("walk"))
    with pytest.raises(KeyError, match="there is no joint `tail`"):
        clip.with_part("tail", clip)


def test_a_stage_refuses_what_makes_no_sense():
    stage = andante.Stage('version = 1\nname = "yard"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n')
    ann = stage.spawn("ann", [0, 0])
    for dt in (-1.0, NAN, math.inf):
        with pytest.raises(andante.Error, match="dt is"):
            stage.step(dt)
    stage.step(0.0)
    calls = [
        lambda: stage.spawn("bob", [NAN, 0]),
        lambda: stage.spawn("bob", [0, 0], body="ghost"),
        lambda: stage.spawn("bob", [1]),
        lambda: stage.spawn("bob", [50, 50]),
        lambda: stage.spawn("bob", [0, 0], height=-1),
        lambda: stage.spawn("bob", [0, 0], character="nosuch.glb"),
        lambda: stage.place_obstacle("box", [0, 0, 0]),
        lambda: stage.place_obstacle("box", [0, 0, 0], box=[1, NAN, 1]),
        lambda: stage.place_obstacle("box", [0, 0, 0], radius=-1, tall=1),
        lambda: stage.remove_obstacle("nosuch"),
        lambda: stage.place_ground("flat", [[0, 0], [1, 1]]),
        lambda: stage.remove_ground("nosuch"),
        lambda: stage.set_viewer([NAN, 0, 0]),
        lambda: ann.walk_to([NAN, 0]),
        lambda: ann.walk_to([0, 1], heading=NAN),
        lambda: ann.follow(ann),
        lambda: ann.patrol([]),
        lambda: ann.patrol([[0, 0], [NAN, 1]]),
        lambda: ann.set_speed(-1),
        lambda: ann.wait(-1),
        lambda: ann.steer(NAN),
        lambda: ann.throw([0, 1, 2], mass=1, speed=1),
        lambda: ann.throw([0, 1, 2], ball=-1, mass=1, speed=1),
        lambda: ann.teleport([90, 90]),
    ]
    for number, call in enumerate(calls):
        with pytest.raises(andante.Error) as caught:
            call()
        assert str(caught.value), number
    with pytest.raises(KeyError, match="nobody called `bob`; there are ann"):
        stage["bob"]
    stage.step(1 / 60)
    assert stage.time == pytest.approx(1 / 60)


def test_there_is_nothing_behind_the_last():
    asset = andante.Scene("turns").run()
    with pytest.raises(IndexError):
        asset[1]
    with pytest.raises(KeyError):
        asset["nobody"]
