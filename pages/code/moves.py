"""Code lines of the beats of a toss, a draw and a move."""

from pages.code.watch import Way, names
from samplers.conjugate.coin import IndependentDraws, Tosses
from samplers.gradient.hmc import HMC, HamiltonianSampler, leapfrog
from samplers.gradient.nuts import NUTS
from samplers.regression.metropolis import RandomWalkMetropolis

TOSS = Way((Tosses.step,), names("state", "", "uniform heads", "return"))
DRAW = Way((IndependentDraws.step,), names("", "uniform", "return", ""))
METROPOLIS = Way(
    (RandomWalkMetropolis.step,),
    names("state", "position", "uniform log_density probability accepted", "return"),
    frozenset({"log_density"}),
)

HMC_STEP = Way(
    (HamiltonianSampler.step, HMC._trajectory),
    names("draw_start", "append", "probability uniform chosen", "moved"),
    frozenset({"point_at", "diverges", "log_density_and_gradient"}),
)
NUTS_STEP = Way(
    (HamiltonianSampler.step, NUTS._trajectory),
    names("draw_start", "grow", "join", "moved"),
    frozenset({"point_at", "diverges", "leaf", "log_density_and_gradient", "trajectory"}),
)
LEAPFROG = Way(
    (leapfrog,),
    names("half_kicked", "position", "log_density_and_gradient momentum", "return"),
    frozenset({"_checked", "_simplexes", "_read", "point_at"}),
)
