"""Batches on a Ray cluster; needs ray (pip install andante[ray]) and the program `andante` on every machine."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

__all__ = ["run_batch"]


def _command(program: str, *words: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run([program, *words, "--json", "--quiet"], capture_output=True, text=True)
    # 0 all done, 1 some of it failed: both tell what became of each.
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{program} {' '.join(words)}: {done.stderr.strip() or done.returncode}")
    return done.returncode, json.loads(done.stdout)


def run_batch(
    jobs: str | os.PathLike[str],
    folder: str | os.PathLike[str],
    *,
    shards: int,
    processes: int = 1,
    program: str = "andante",
    retries: int = 3,
) -> dict[str, Any]:
    """Does the jobs of a list (see `andante batch --help`) as tasks of a Ray cluster, and returns what `andante merge` tells.

    The list is done in `shards` shares, each a task that reserves `processes` cores. A task whose worker dies is started again up to
    `retries` times on whichever machine is there and goes on where it was: what was done is in `folder`, which all machines share.
    """
    try:
        import ray
    except ImportError as error:
        raise ImportError("run_batch needs ray: pip install andante[ray]") from error
    if shards < 1 or processes < 1:
        raise ValueError("shards and processes are at least 1")
    jobs, folder = os.path.abspath(os.fspath(jobs)), os.path.abspath(os.fspath(folder))

    @ray.remote(num_cpus=processes, max_retries=retries)
    def share(number: int) -> int:
        shard = f"{number}/{shards}"
        words = ("batch", jobs, "-o", folder, "--shard", shard, "--resume", "--processes", str(processes))
        return _command(program, *words)[0]

    ray.get([share.remote(number + 1) for number in range(shards)])
    return _command(program, "merge", jobs, "-o", folder)[1]
