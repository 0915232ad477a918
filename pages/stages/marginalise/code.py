"""The code of an iteration, of a leapfrog step, or of the density whose terms the program adds up."""

from typing import Any

from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import Way, names, watch
from pages.code.ways import code_of_step
from pages.stages.leapfrogs import LeapfrogPath, code_of_leapfrog
from pages.stages.marginalise.program_trace import ProgramTrace
from pages.stages.marginalise.scene import Scene
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal

DENSITY = Way(
    (NaiveBayesMarginal.log_density_and_gradient, NaiveBayesMarginal._terms),
    names("sum_out", "log_jacobian", "priors", "terms"),
    frozenset({"_checked", "_simplexes"}),
)
BEATS = {  # of the density, by what a line of the program is for
    "gamma prior term": 1,
    "gamma word term": 1,
    "log_sum_exp": 1,
    "parameters": 2,
    "prior": 3,
    "labelled likelihood": 4,
}


def iteration(scene: Scene, t: int) -> str:
    """Return the code of an iteration, as it ran."""
    timed: Any = scene.run.chain.sampler
    return code_of_step(scene.run, t, of_class(scene.run.target), timed.kernel)


def leapfrog_step(scene: Scene, path: LeapfrogPath, t: int) -> str:
    """Return the code of leapfrog step t, as it ran; at the end of the path, that of the iteration."""
    if t >= path.total:
        return iteration(scene, path.iteration)
    return code_of_leapfrog(path, scene.run.target, t, of_class(scene.run.target))


def term(scene: Scene, trace: ProgramTrace, t: int) -> str:
    """Return the code of the density, with the line lit that adds what the program's line at work adds."""
    target, position = scene.run.target, scene.run.state(scene.iteration).position
    _, calls = watch(DENSITY, lambda: target.log_density_and_gradient(position))
    role = trace.lines[trace.acts[t - 1].line].role if t else ""
    return listing(DENSITY, calls, of_class(target), main=BEATS.get(role, 0))
