"""Takes as recordings of Rerun."""

import andante
import pytest

pytest.importorskip("rerun")


def test_a_take_becomes_a_recording(tmp_path):
    from rerun.chunk import RrdReader

    take = andante.Scene("turns").run()
    take.to_rerun(tmp_path / "turns.rrd")
    rows: dict[str, int] = {}
    for chunk in RrdReader(tmp_path / "turns.rrd").stream():
        rows[chunk.entity_path] = rows.get(chunk.entity_path, 0) + (0 if chunk.is_static else chunk.num_rows)
        if chunk.entity_path.endswith("bones"):
            strips = chunk.to_record_batch().column("LineStrips3D:strips")
            assert len(strips[0]) == len(take[0].clip.skeleton) - 1
    assert rows["/world/walker/bones"] == rows["/world/walker/joints"] == rows["/curves/walker/speed"] == take.frames
    assert rows["/events"] == len(take.events) and "/world/walker/footprints" in rows
