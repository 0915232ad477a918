"""Code lines of the beats of every kind of step: what each card of it shows of the code."""

from typing import Any

from pages.code.listing import listing
from pages.code.mistakes import Mistakes
from pages.code.watch import Way, names, watch
from samplers.climb.halves import Climb
from samplers.conjugate.coin import IndependentDraws, Tosses
from samplers.crp.perfect import EveryStart, FirstMeeting, PerfectDraws
from samplers.gradient.gist import GIST
from samplers.gradient.hmc import HMC, HamiltonianSampler, leapfrog
from samplers.gradient.nuts import NUTS
from samplers.jumps.split_merge import SplitMerge
from samplers.mixtures.asking import Asking
from samplers.recipe import Kernel
from samplers.regression.laplace import laplace_approximation
from samplers.regression.metropolis import RandomWalkMetropolis
from samplers.regression.optimise import Optimiser
from samplers.relay import Relay, barker, metropolis, upwards
from samplers.tempering import ParallelTempering

LEAPFROG = Way(
    (leapfrog,),
    names("half_kicked", "position", "log_density_and_gradient momentum", "return"),
    frozenset({"_checked", "_simplexes", "_read", "point_at"}),
)


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


TEMPERING = Way(
    (ParallelTempering.step, ParallelTempering.swap),
    names(
        "moved states walkers", "pair exponents here there", "terms", "uniform accepted swap swaps own between return"
    ),
    frozenset({"step", "log_density"}),
)

STEPS: dict[type, Way] = {
    Tosses: Way((Tosses.step,), names("state", "", "uniform heads", "return")),
    IndependentDraws: Way((IndependentDraws.step,), names("", "uniform", "return", "")),
    RandomWalkMetropolis: Way(
        (RandomWalkMetropolis.step,),
        names("state", "position", "uniform log_density probability accepted", "return"),
        frozenset({"log_density"}),
    ),
    HMC: Way(
        (HamiltonianSampler.step, HMC._trajectory),
        names("draw_start", "append", "probability uniform chosen", "moved"),
        frozenset({"point_at", "diverges", "log_density_and_gradient"}),
    ),
    NUTS: Way(
        (HamiltonianSampler.step, NUTS._trajectory),
        names("draw_start", "grow", "join", "moved"),
        frozenset({"point_at", "diverges", "leaf", "log_density_and_gradient", "trajectory"}),
    ),
    GIST: Way(
        (HamiltonianSampler.step, GIST.path),
        names("draw_start", "there lengths length end", "again back", "ratio moved GistPath"),
        frozenset(
            {"point_at", "diverges", "leapfrog", "log_density_and_gradient", "ends", "turns", "follow", "weight"}
        ),
    ),
    SplitMerge: Way(
        (SplitMerge.step,),
        names(
            "pair splits tables points scan launch tossed scans launched",
            "last labels proposed",
            "terms",
            "uniform accepted after swept done return",
        ),
        frozenset({"step", "state", "updates", "towards", "log_joint"}),
    ),
    Optimiser: OPTIMISER,
    EveryStart: Way(
        (EveryStart.step,), names("state update", "", "dart number where elsewhere", "return"), frozenset({"__call__"})
    ),
    PerfectDraws: Way(
        (PerfectDraws.found,), names("darts end", "earlier", "path all", "concatenate return"), frozenset({"path"})
    ),
    FirstMeeting: Way((FirstMeeting.found,), names("where", "any", "append", "return"), frozenset({"__call__"})),
    Relay: Way(
        (Relay.step, metropolis, barker, upwards),
        names("here there", "groups chances minimum divide found greater", "darts after", "record return"),
        frozenset({"other_than"}),
    ),
    Asking: Way(
        (Asking.step, Asking._choice),
        names("outlook uniform", "left", "worth gains argmax", "Answers return"),
        frozenset({"believed", "bits", "_bits", "outlook"}),
    ),
}  # of kernels, and of their subclasses, the wrong rules


def code_of_step(
    run: Any, t: int, mistakes: Mistakes | None = None, inside: Kernel[Any, Any] | None = None, main: int = 0
) -> str:
    """Return the code of step t of a run, which is made again from the state before; at the start, nothing has run.

    Parameters
    ----------
    run : object
        A run with its ``chain``, and ``state(t)``.
    t, mistakes
        The step, and as for `pages.code.listing.listing`.
    inside : Kernel, optional
        The kernel whose step it is, if the chain's own only calls it.
    main : int, optional
        As for `listing`.
    """
    chain, kernel = run.chain, inside or run.chain.sampler
    way = next((way for kind, way in STEPS.items() if isinstance(kernel, kind)), None)
    if way is None:
        raise LookupError(f"STEPS in pages/code/ways.py has no way for {type(kernel).__name__}")
    if not t:
        return listing(way, mistakes=mistakes)
    state = run.state(t - 1)
    return listing(way, watch(way, lambda: kernel.step(state, chain.rng(t)))[1], mistakes, main=main)
