"""Code lines of the beats of a step of parallel tempering."""

from pages.code.watch import Way, names
from samplers.tempering import ParallelTempering

TEMPERING = Way(
    (ParallelTempering.step, ParallelTempering.swap),
    names(
        "moved states walkers", "pair exponents here there", "terms", "uniform accepted swap swaps own between return"
    ),
    frozenset({"step", "log_density"}),
)
