"""A process that runs chains for walls beside the server: ``python -m pages.player.worker``.

It writes `READY` once it has loaded. A request is a line of JSON with a topic, its settings, a seed and the last
iteration. The answer is the outcome of this run after each iteration, as 64-bit floats. It ends with its input, so it
never outlives the server, or at the first error: then the server computes the run itself, and tells what is wrong.
"""

import json
import os
import sys
from contextlib import suppress
from functools import lru_cache

import numpy as np

from lessons.settings.measuring import Measuring
from lessons.topics import STAGES
from samplers.recipe import drained

READY = b"\n"
MEMORY = 600_000_000  # bytes of data; with all topics loaded it takes 100 million
POLITE = 5  # added to its niceness: the server comes first


def stand_back() -> None:
    """Give way to the server, and take no more than a share of the memory, where the system has such limits."""
    if sys.platform == "win32":  # the server starts it with a low priority
        return
    import resource

    with suppress(OSError, ValueError):
        os.nice(POLITE)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


@lru_cache(maxsize=8)
def measuring(topic: str, settings: str) -> Measuring:
    """Return the measuring of runs with these settings, which are JSON."""
    return Measuring(STAGES[topic].model_validate_json(settings))


def answer(request: str | bytes) -> bytes:
    """Return the answer to a request."""
    asked = json.loads(request)
    values = drained(measuring(asked["topic"], asked["settings"]).run(asked["seed"], asked["last"]))
    return np.asarray(values, np.float64).tobytes()


def main() -> None:
    """Answer requests until there are no more."""
    out, sys.stdout = sys.stdout.buffer, sys.stderr  # whatever else is printed is no answer
    stand_back()
    out.write(READY)
    out.flush()
    for request in sys.stdin.buffer:
        out.write(answer(request))
        out.flush()


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the server has gone
        main()
