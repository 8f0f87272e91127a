"""A batch on a local Ray cluster whose workers are killed in the middle: `python ray_worker_killed.py JOBS FOLDER PROGRAM`."""

import os
import signal
import sys
import threading
import time

import ray
from andante.ray import run_batch

jobs, folder, program = sys.argv[1:]
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)


def lines() -> int:
    files = [os.path.join(folder, name) for name in os.listdir(folder)] if os.path.isdir(folder) else []
    return sum(open(path, "rb").read().count(b"\n") for path in files if path.endswith(".jsonl"))


killed: list[int] = []


def kill() -> None:
    """Kills the worker of a share, and the share with it, once something is done and not everything."""
    while not lines():
        time.sleep(0.01)
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            name = open(f"/proc/{pid}/cmdline").read().split("\0")
            parent = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if len(name) > 1 and name[0] == program and name[1] == "batch":
            for victim in (int(parent), int(pid)):
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)
            return


thread = threading.Thread(target=kill)
thread.start()
told = run_batch(jobs, folder, shards=3, program=program)
thread.join()
assert killed, "nobody was killed"
assert told["done"] == told["items"], told
print(f"{told['done']} of {told['items']} items done although {len(killed)} processes were killed")
