"""The server's cache of runs and of what belongs to them, which all sessions share."""

import os

from lessons.kept import Cache

MEMORY = "SAMPLESCOPE_MEMORY"  # environment variable: the MB for all runs together

RUNS = Cache(int(os.environ.get(MEMORY, "70")) * 1_000_000, 7_200.0)
