"""Takes as recordings of the Rerun viewer; needs rerun-sdk (pip install andante[rerun])."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._andante import Take

__all__ = ["to_rerun"]

# One colour for each body, in turn.
_COLORS = [(86, 156, 214), (214, 124, 86), (110, 190, 120), (200, 110, 190), (200, 190, 90)]


def _sdk() -> Any:
    try:
        import rerun
    except ImportError as error:
        raise ImportError("to_rerun needs rerun-sdk: pip install andante[rerun]") from error
    return rerun


def to_rerun(self: Take, path: str | os.PathLike[str]) -> None:
    """Writes the take as a Rerun recording (.rrd) to look at with `rerun FILE`.

    Everybody is logged below world/NAME: bones as lines, joints as points, footprints, curves (speed and others) as plots below
    curves/NAME, events as text. The timeline is "time", in seconds.
    """
    rr = _sdk()
    recording = rr.RecordingStream(f"andante: {self.name}")
    recording.save(os.fspath(path))
    recording.log("world", rr.ViewCoordinates.RIGHT_HAND_Y_UP, static=True)
    times = self.times
    for number, track in enumerate(self.tracks):
        color = _COLORS[number % len(_COLORS)]
        entity = rr.new_entity_path(["world", track.name])
        positions = np.asarray(track.positions())
        frames, joints, _ = positions.shape
        bones = track.clip.skeleton.bones
        at = rr.TimeColumn("time", duration=times[:frames])
        recording.send_columns(
            f"{entity}/joints",
            indexes=[at],
            columns=rr.Points3D.columns(positions=positions.reshape(-1, 3)).partition([joints] * frames),
        )
        recording.log(f"{entity}/joints", rr.Points3D.from_fields(colors=[color], radii=[0.015]), static=True)
        # A bone is a line of two points: (frames, bones, 2, 3).
        lines = positions[:, bones]
        for frame in range(frames):
            recording.set_time("time", duration=float(times[frame]))
            recording.log(f"{entity}/bones", rr.LineStrips3D(lines[frame], colors=[color], radii=[0.008]))
        recording.reset_time()
        if len(track.footprints):
            prints = rr.Points3D(track.footprints, colors=[color], radii=[0.03])
            recording.log(f"{entity}/footprints", prints, static=True)
        for name, values in track.curves.items():
            unit = track.units.get(name, "")
            title = f"{name} ({unit})" if unit else name
            curve = rr.new_entity_path(["curves", track.name, name])
            recording.log(curve, rr.SeriesLines(names=title), static=True)
            recording.send_columns(curve, indexes=[at], columns=rr.Scalars.columns(scalars=values))
    for event in self.events:
        recording.set_time("time", duration=event.time)
        recording.log("events", rr.TextLog(f"{event.who or 'the world'} {event.text}"))
    recording.flush()
    recording.disconnect()
