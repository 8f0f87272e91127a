"""What the tests share: the small motion files of the project, and quaternions that owe nothing to the library."""

from __future__ import annotations

import os
import pathlib
import shutil

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
MOTIONS = ["four_legs.glb", "leap.amc", "run_centimetres.bvh", "turn_z_up.bvh", "walk_metres.bvh", "walker.glb"]


@pytest.fixture(scope="session")
def data() -> pathlib.Path:
    """The folder of motion files."""
    return ROOT / "data"


@pytest.fixture(scope="session")
def program() -> str:
    """The program `andante`, for comparison: $ANDANTE, or where cargo or the path has it."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    places = [os.environ.get("ANDANTE"), *(str(target / kind / "andante") for kind in ("debug", "release")), shutil.which("andante")]
    for place in places:
        if place and os.access(place, os.X_OK):
            return place
    if "CI" in os.environ:
        pytest.fail("the program `andante` is not built")
    pytest.skip("not run: the program `andante` is not built")


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of quaternions x y z w."""
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        axis=-1,
    )


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors turned by quaternions, through rotation matrices."""
    x, y, z, w = np.moveaxis(q, -1, 0)
    matrix = np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], -1),
            np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], -1),
            np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], -1),
        ],
        -2,
    )
    return np.einsum("...ij,...j->...i", matrix, v)


def forward_kinematics(parents: np.ndarray, rotations: np.ndarray, translations: np.ndarray) -> np.ndarray:
    """Places of joints in the world, in double precision."""
    rotations, translations = rotations.astype(float), translations.astype(float)
    world_q, world_p = np.empty_like(rotations), np.empty_like(translations)
    for joint, parent in enumerate(parents):
        if parent < 0:
            world_q[:, joint], world_p[:, joint] = rotations[:, joint], translations[:, joint]
        else:
            world_q[:, joint] = multiply(world_q[:, parent], rotations[:, joint])
            world_p[:, joint] = world_p[:, parent] + rotate(world_q[:, parent], translations[:, joint])
    return world_p
