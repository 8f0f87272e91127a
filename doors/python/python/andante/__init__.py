"""Andante: gives any character a way to move.

Clips of motion (BVH, AMC with ASF, glTF) as numpy arrays, contacts and quality of motions, editing, retargeting, gaits made from
a speed and a turn, feet on uneven ground; scenes and stages on which characters do what they are told; physical bodies, their
natural vibrations and gaits.

Metres, seconds, radians, kilograms; right-handed, Y up, characters face +Z at rest and their left is +X. Heading is the rotation
about +Y from +Z towards +X: positive turns left. Quaternions are x y z w.

>>> import andante
>>> clip = andante.synth.locomotion(1.4)
>>> clip.rotations.shape[1:]
(26, 4)
"""

from __future__ import annotations

from typing import Any

from . import synth
from ._andante import (
    Actor,
    Asset,
    Batch,
    Body,
    Clip,
    Contacts,
    Error,
    Event,
    Footfall,
    Gait,
    Modes,
    Scene,
    Simulation,
    Skeleton,
    Sketch,
    Stage,
    StageSnapshot,
    Take,
    Terrain,
    Track,
    Violation,
    creatures,
    modes,
    read,
    scenes,
    search,
    sketches,
)
from ._version import __version__
from .rerun import to_rerun
from .synth import clips

Take.to_rerun = to_rerun  # type: ignore[method-assign]


def check(take: Take, scene: Scene | None = None) -> list[Violation]:
    """What is wrong with a take, the worst first; see Take.check."""
    return take.check(scene)


def __getattr__(name: str) -> Any:
    """andante.gym is imported when it is asked for: it needs gymnasium."""
    if name == "gym":
        import importlib

        return importlib.import_module(".gym", __name__)
    raise AttributeError(f"module 'andante' has no attribute '{name}'")


__all__ = [
    "Actor",
    "Asset",
    "Batch",
    "Body",
    "Clip",
    "Contacts",
    "Error",
    "Event",
    "Footfall",
    "Gait",
    "Modes",
    "Scene",
    "Simulation",
    "Skeleton",
    "Sketch",
    "Stage",
    "StageSnapshot",
    "Take",
    "Terrain",
    "Track",
    "Violation",
    "__version__",
    "check",
    "clips",
    "creatures",
    "modes",
    "read",
    "scenes",
    "search",
    "sketches",
    "synth",
]
