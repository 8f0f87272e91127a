"""Modes, sketches, gaits."""

import _thread
import signal
import threading

import andante
import numpy as np
import pytest


@pytest.mark.parametrize("name", andante.creatures())
def test_modes_are_consistent(name):
    modes = andante.modes(name)
    dof = andante.Body(name).dof
    assert modes.rigid == 6 and modes.shapes.shape == (dof, dof) and modes.roots.shape == (dof, 6)
    assert (np.diff(modes.frequencies) >= 0).all() and modes.frequencies[0] > 0.1
    omega = np.sqrt(modes.stiffnesses / modes.masses)
    assert np.allclose(omega / (2 * np.pi), modes.frequencies, rtol=1e-6)
    assert len(modes.descriptions) == len(modes) and all(modes.descriptions)
    foot = andante.Body(name).feet[0]
    assert andante.modes(name, foot=foot).rigid == 3


def test_a_built_in_gait_is_valid_and_becomes_a_clip():
    gait = andante.Gait("kangaroo-hop")
    assert gait.valid and gait.complaints == [] and gait.speed > 1.5
    clip = gait.clip()
    way = clip.translations[-1, 0] - clip.translations[0, 0]
    assert way[2] / clip.duration == pytest.approx(gait.speed, rel=0.03)
    down = clip.contacts().down
    assert down.any() and not down.all()
    # A hop: for some of the time nothing touches the ground.
    assert not down.any(axis=0).all()


def test_gaits_are_written_and_tried_out_again(tmp_path):
    gait = andante.Gait("ostrich-run")
    gait.write(tmp_path / "gait.toml")
    again = andante.Gait(tmp_path / "gait.toml")
    assert again.valid and again.speed == pytest.approx(gait.speed) and again.sketch == gait.sketch
    # What a file says of itself is not believed.
    text = (tmp_path / "gait.toml").read_text()
    spoilt = "\n".join("speed = 99.0" if line.startswith("speed = ") else line for line in text.splitlines())
    assert spoilt != text
    (tmp_path / "spoilt.toml").write_text(spoilt + "\n")
    assert andante.Gait(tmp_path / "spoilt.toml").speed == pytest.approx(gait.speed)


def test_a_search_goes_on_until_the_callback_says_so_and_is_the_same_for_any_threads():
    def run(threads):
        told = []

        def watch(progress):
            told.append(progress)
            return len(told) < 3

        gait = andante.search("basic-run", seed=4, callback=watch, threads=threads)
        return gait, told

    (gait, told), (other, again) = run(1), run(2)
    assert len(told) == 3 and told == again
    assert told[-1]["evaluations"] > told[0]["evaluations"] > 0 and told[-1]["merit"] <= told[0]["merit"]
    assert not gait.valid and gait.complaints and gait.to_toml() == other.to_toml()
    assert andante.search("basic-run", seed=4, evaluations=10).evaluations >= 10


def test_a_search_ends_with_the_error_of_its_callback():
    def watch(_progress):
        raise LookupError("seen enough")

    with pytest.raises(LookupError, match="seen enough"):
        andante.search("basic-run", callback=watch)


@pytest.fixture
def heard():
    """Programs that are started in the background ignore Ctrl-C: here it is heard in any case."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_whatever_takes_long(heard):
    works = (
        lambda: andante.search("monster-run"),
        lambda: [andante.Scene("crowd").run() for _ in range(99)],
        lambda: andante.Simulation("dog").step(steps=2**31),
        lambda: batch.step([[0.0] * len(batch.actuator_names)] * 8, steps=2**31),
    )
    batch = andante.Batch("dog", 8)
    for work in works:
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            work()
        timer.join()


def test_sketches_are_texts():
    for name in andante.sketches():
        sketch = andante.Sketch(name)
        assert sketch.about and andante.Sketch(sketch.to_toml()).name == sketch.name
    assert andante.Sketch.walk("dog").character == "dog"
