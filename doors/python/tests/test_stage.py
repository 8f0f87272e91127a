"""Scenes, stages, takes."""

import math
import threading
import time

import andante
import numpy as np
import pytest

YARD = """
version = 1
name = "yard"
[[platform]]
name = "lawn"
outline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]
"""
ANN = YARD + """
[[character]]
name = "ann"
start = { at = [0, 0], heading = 0 }
goal = { at = [3, 4], heading = 90 }
"""


def play(stage, seconds, dt=1 / 60):
    happened = []
    for _ in range(round(seconds / dt)):
        stage.step(dt)
        happened += stage.events
    return happened


def test_a_scene_is_played_and_stands_up_to_the_check():
    scene = andante.Scene(ANN)
    assert scene.name == "yard" and scene.characters == ["ann"]
    take = scene.run()
    track = take["ann"]
    assert take.names == ["ann"] and take.fps == 60 and len(take) == 1
    assert "arrived" in [event.kind for event in take.events]
    assert take.check() == [] and andante.check(take, scene) == []
    assert take.metrics()["ann"]["reached"] and take.metrics()["ann"]["goal_error_m"] < 0.01
    assert track.positions().shape == (take.frames, len(track.clip.skeleton), 3)
    assert np.allclose(track.body[-1], [3, 4, math.pi / 2], atol=0.02)
    # What the curve says is how fast the body goes.
    speed = np.linalg.norm(np.diff(track.body[:, :2], axis=0), axis=1) * take.fps
    curve = track.curves["speed"]
    assert track.units["speed"] == "m/s" and len(curve) == take.frames
    assert abs(speed.mean() - curve.mean()) < 0.1 and curve.max() > 0.8


def test_a_take_that_is_not_what_was_asked_for_is_told():
    take = andante.Scene(ANN).run()
    elsewhere = andante.Scene(ANN.replace("[3, 4]", "[3, -4]"))
    assert "goal_place" in [found.kind for found in take.check(elsewhere)]
    found = take.check(elsewhere)[0]
    assert found.severity == "wrong" and found.who == "ann" and found.value > found.limit and found.text


def test_takes_are_written_and_read(tmp_path):
    take = andante.Scene("turns").run()
    for name in ("turns.take", "turns.glb", "turns.csv"):
        take.write(tmp_path / name)
    again = andante.Take.read(tmp_path / "turns.take")
    assert np.array_equal(again[0].clip.transforms, take[0].clip.transforms)
    assert [event.text for event in again.events] == [event.text for event in take.events]
    assert np.array_equal(again[0].curves["speed"], take[0].curves["speed"])
    rows = (tmp_path / "turns.csv").read_text().splitlines()
    assert len(rows) == take.frames + 1 and rows[0].startswith("time")
    assert len(andante.read(tmp_path / "turns.glb").clips[0]) == take.frames


def test_scenes_come_from_names_files_and_texts(tmp_path):
    path = tmp_path / "yard.toml"
    path.write_text(ANN)
    assert andante.Scene(path).name == andante.Scene(str(path)).name == andante.Scene(ANN).name
    for name in andante.scenes():
        assert andante.Scene(name).name


def test_the_same_seed_plays_the_same_bits():
    a, b = (andante.Scene("turns").run(seed=5) for _ in range(2))
    assert np.array_equal(a[0].clip.transforms, b[0].clip.transforms)


def test_somebody_is_commanded_step_by_step():
    stage = andante.Stage(ANN)
    ann = stage["ann"]
    ann.stop()
    play(stage, 1.0)
    ann.walk_to([2, 2.5], heading=0.0)
    happened = play(stage, 8.0)
    assert ann.is_idle and np.allclose(ann.place, [2, 2.5], atol=0.02) and abs(ann.heading) < 0.03
    assert "arrived" in [event.kind for event in happened]
    assert {event.who for event in happened} == {"ann"}
    assert ann.pose.shape == (26, 7) and ann.positions().shape == (26, 3)
    assert all(heel and ball for heel, ball in ann.contacts)
    ann.steer(1.0, 0.5)
    before = ann.heading
    play(stage, 2.0)
    assert 0.7 < ann.speed < 1.3 and ann.heading - before > 0.5
    ann.face([2.0, -9.0])
    play(stage, 3.0)
    assert abs(abs(ann.heading) - math.pi) < 0.5
    assert stage.time == pytest.approx(14.0, abs=1e-3)


def test_people_and_things_come_and_go():
    stage = andante.Stage(YARD)
    assert len(stage) == 0 and stage.actors == []
    bob = stage.spawn("bob", [0, -4], 0.0, height=1.6)
    eve = stage.spawn("eve", [4, 0, 4], math.pi)
    assert len(stage) == 2 and "bob" in stage and stage["eve"] == eve and stage.places.shape == (2, 3)
    stage.place_obstacle("box", [0, 0, 0], box=[2, 1, 1])
    stage.place_obstacle("post", [4, 0, 0], radius=0.2, tall=2)
    assert stage.obstacles == ["box", "post"]
    bob.walk_to([0, 4])
    closest = np.inf
    for _ in range(15 * 60):
        stage.step(1 / 60)
        x, z = bob.place
        closest = min(closest, np.hypot(max(abs(x) - 1, 0), max(abs(z) - 0.5, 0)))
    assert np.allclose(bob.place, [0, 4], atol=0.35) and closest > 0.1
    stage.remove_obstacle("box")
    eve.teleport([-3, 3], heading=1.0)
    assert np.allclose(eve.place, [-3, 3], atol=1e-5) and eve.heading == pytest.approx(1.0)
    eve.despawn()
    assert not eve.is_present and len(stage) == 1
    with pytest.raises(andante.Error, match="is not on the stage"):
        eve.walk_to([0, 0])
    stage.place_ground("hill", [[9, -9], [18, -9], [18, 9], [9, 9]], terrain="hills:0.2:3")
    bob.walk_to([12, 0])
    play(stage, 20.0)
    assert np.allclose(bob.place, [12, 0], atol=0.35)


def test_a_character_of_a_file_walks(data):
    stage = andante.Stage(YARD)
    somebody = stage.spawn("somebody", [0, 0], 0.0, character=str(data / "walker.glb"))
    assert somebody.skeleton.names == andante.read(data / "walker.glb").skeleton.names
    somebody.walk_to([1, 3])
    play(stage, 8.0)
    assert np.allclose(somebody.place, [1, 3], atol=0.05)


def test_somebody_is_pushed():
    stage = andante.Stage(YARD)
    ann = stage.spawn("ann", [0, 0], 0.0, body="physical_when_touched")
    play(stage, 0.5)
    ann.push(25.0, math.pi / 2)
    kinds = [event.kind for event in play(stage, 6.0)]
    assert "pushed" in kinds and ("recovered" in kinds or "fell" in kinds)
    still = stage.spawn("eve", [4, 4])
    with pytest.raises(andante.Error):
        still.push(float("nan"), 0.0)


def test_footfalls_alternate():
    stage = andante.Stage(ANN)
    feet = []
    for _ in range(240):
        stage.step(1 / 60)
        feet += [(fall.foot, fall.place) for fall in stage.footfalls]
    names = [foot for foot, _ in feet]
    assert len(names) >= 4 and all(a != b for a, b in zip(names, names[1:]))
    assert all(abs(place[1]) < 0.02 for _, place in feet)


def test_going_back_gives_the_same_bits():
    stage = andante.Stage(ANN)
    play(stage, 1.0)
    snapshot = stage.snapshot()
    play(stage, 1.0)
    first = stage["ann"].pose
    stage.restore(snapshot)
    play(stage, 1.0)
    assert np.array_equal(first, stage["ann"].pose)


def test_other_threads_run_while_a_scene_is_played():
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    andante.Scene("jumps").run()
    done.set()
    thread.join()
    assert counted > 5


def test_a_callback_ends_a_scene_and_its_errors_come_through():
    seen = []
    with pytest.raises(andante.Error, match="cancelled"):
        andante.Scene("turns").run(callback=lambda seconds: seen.append(seconds) or seconds < 1.0)
    assert 1.0 <= seen[-1] < 1.5

    def bad(_seconds):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        andante.Scene("turns").run(callback=bad)


def test_a_closed_stage_answers_with_an_error():
    with andante.Stage(ANN) as stage:
        ann = stage["ann"]
        stage.step(0.1)
    assert stage.closed and "closed" in repr(stage)
    for call in (lambda: stage.step(0.1), lambda: stage.time, lambda: ann.walk_to([1, 1]), lambda: ann.pose, lambda: stage["ann"]):
        with pytest.raises(andante.Error, match="this stage is closed"):
            call()
