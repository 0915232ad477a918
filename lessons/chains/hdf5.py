"""NetCDF of version 4, which is HDF5, read by a process of its own.

The library that reads HDF5 is written in C, and a damaged file may crash it or keep it busy for ever. So a small
process reads the file (`hdf5_process.py`), with limits on time and memory; what happens there is no harm here.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from lessons.chains.source import File, damaged
from lessons.chains.tree import AXES, Asked, Variable

HDF5 = b"\x89HDF\r\n\x1a\n"
PROCESS, ROOT = "lessons.chains.hdf5_process", Path(__file__).parents[2]
PATIENCE = 20.0  # seconds
MOST_TEXT = 4_000_000  # bytes of what the process says of a file


class Hdf5Store:
    """A NetCDF file of version 4.

    See `lessons.chains.tree.Store`.
    """

    form = "NetCDF"

    def __init__(self, file: File) -> None:
        self._content = file.content

    @cached_property
    def groups(self) -> Mapping[str, Mapping[str, Variable]]:
        """The variables of numbers in each group."""
        said: dict[str, dict[str, Any]] = json.loads(self._asked(None)[:MOST_TEXT])
        return {
            group: {
                name: Variable(tuple(one["dims"]), tuple(one["shape"]), tuple(map(tuple, one["labels"])))
                for name, one in variables.items()
            }
            for group, variables in said.items()
        }

    def read(self, asked: Sequence[Asked]) -> list[np.ndarray]:
        """Return elements of variables; see `Store`."""
        whole = np.frombuffer(self._asked([*asked]), "<f8")
        found, start = [], 0
        for group, name, places in asked:
            about = self.groups[group][name]
            chains, draws = (about.shape[about.dims.index(axis)] for axis in AXES)
            stop = start + chains * draws * len(places)
            if stop > whole.size:
                raise damaged("The NetCDF file", f"“{name}” has another size than it says")
            found.append(whole[start:stop].reshape(chains, draws, len(places)))
            start = stop
        return found

    def _asked(self, request: list[Asked] | None) -> bytes:
        """Return the answer of the process: the elements that are asked for, or without a request all variables."""
        line = json.dumps(request).encode() + b"\n"
        env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "HDF5_USE_FILE_LOCKING": "FALSE"}
        try:
            done = subprocess.run(
                [sys.executable, "-m", PROCESS],
                cwd=ROOT,
                input=line + self._content,
                capture_output=True,
                timeout=PATIENCE,
                env=env,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise damaged("The NetCDF file", f"it takes longer than {PATIENCE:.0f} seconds") from None
        except OSError as error:
            raise damaged("The NetCDF file", f"no process can be started: {error.strerror}") from None
        if done.returncode:
            last = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1].partition(": ")[2]
            raise damaged("The NetCDF file", last or "it is damaged")
        return done.stdout
