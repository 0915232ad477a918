"""Code lines of the beats of a split–merge move, and of a sweep of parallel tempering."""

from pages.code.watch import Way, names
from samplers.jumps.split_merge import SplitMerge
from samplers.tempering import ParallelTempering

SPLIT_MERGE = Way(
    (SplitMerge.step,),
    names(
        "pair splits tables points scan launch tossed scans launched",
        "last labels proposed",
        "terms",
        "uniform accepted after swept done return",
    ),
    frozenset({"step", "state", "updates", "towards", "log_joint"}),
)
TEMPERING = Way(
    (ParallelTempering.step, ParallelTempering.swap),
    names(
        "moved states walkers", "pair exponents here there", "terms", "uniform accepted swap swaps own between return"
    ),
    frozenset({"step", "log_density"}),
)
