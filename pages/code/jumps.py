"""Code lines of the beats of a split–merge move."""

from pages.code.watch import Way, names
from samplers.jumps.split_merge import SplitMerge

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
