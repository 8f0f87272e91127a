"""Takes as recordings of Rerun."""

import andante
import pytest

pytest.importorskip("rerun")


def test_a_take_becomes_a_recording(tmp_path):
    take = andante.Scene("turns").run()
    take.to_rerun(tmp_path / "turns.rrd")
    content = (tmp_path / "turns.rrd").read_bytes()
    assert content[:3] == b"RRF"
    # Every frame of 26 joints, and the lines between them.
    assert len(content) > take.frames * 26 * 3 * 4 / 4
