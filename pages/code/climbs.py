"""Code lines of the beats of a climb to the mode, of a Laplace approximation, and of half a step of EM."""

from pages.code.watch import Way, names
from samplers.climb.halves import Climb
from samplers.regression.laplace import laplace_approximation
from samplers.regression.optimise import Optimiser

OPTIMISER = Way(
    (Optimiser.step,),
    names("state", "gradient_and_hessian", "_step zeros_like proposed", "after return"),
    frozenset({"_checked", "log_density"}),
)
LAPLACE = Way(
    (laplace_approximation,),
    names("", "newton_mode", "factor root", "log_evidence return"),
    frozenset({"_near_start", "_newton_step", "_backtrack", "log_density", "gradient_and_hessian"}),
)
HALF_STEP = Way(
    (Climb.step,),
    names("taken name", "share", "maximise", "bound rise record return"),
    frozenset({"bound", "terms", "weight_terms", "fit_terms"}),
)
