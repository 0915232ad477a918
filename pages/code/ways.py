"""The kinds of steps that there are, and where the beats of each are in its code.

A new sampler by the recipe needs nothing here: its loop is `samplers.recipe.updates`.
"""

from __future__ import annotations

from pages.code.watch import Way, names
from samplers.conjugate.coin import IndependentDraws, Tosses
from samplers.crp.forwards import Forwards
from samplers.generative.classifier import GenerativeModel
from samplers.generative.story import Story
from samplers.gradient.hmc import HMC, HamiltonianSampler, leapfrog
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.gradient.nuts import NUTS
from samplers.recipe import updates
from samplers.regression.laplace import laplace_approximation
from samplers.regression.metropolis import RandomWalkMetropolis
from samplers.regression.optimise import Optimiser

GIBBS = Way((updates,), names("sites forget", "score", "uniform pick draw", "remember"))

TOSS = Way((Tosses.step,), names("state", "", "uniform heads", "return"))
DRAW = Way((IndependentDraws.step,), names("", "uniform", "return", ""))
METROPOLIS = Way(
    (RandomWalkMetropolis.step,),
    names("state", "position", "uniform log_density probability accepted", "return"),
    frozenset({"log_density"}),
)

FORWARDS = Way((Forwards.step,), names("seats uniform table", "dish len", "served point"))
STORY = Way((Story.step,), names("uniform label", "return", ""))

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
DENSITY = Way(
    (NaiveBayesMarginal.log_density_and_gradient, NaiveBayesMarginal._terms),
    names("sum_out", "log_jacobian", "priors", "terms"),
    frozenset({"_checked", "_simplexes"}),
)


def learning(model: GenerativeModel) -> Way:
    """Return the way in which a model, or a wrong rule of it, learns from labelled examples."""
    beats = names("", "counts", "weights", "families given_labels")
    return Way(
        (type(model)._posterior,), beats, frozenset({"_by_class", "_scatters", "_each", "_with", "to_the_power"})
    )
