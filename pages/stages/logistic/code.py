"""The code of a step over the weights, with the lines that an error has changed, wherever these are at work."""

from pages.code.listing import listing
from pages.code.mistakes import Mistakes, of_class, of_function
from pages.code.watch import watch
from pages.code.ways import LAPLACE, code_of_step
from pages.stages.logistic.film import Scene
from samplers.regression.laplace import laplace_approximation
from samplers.regression.predictives import PREDICTIVES
from samplers.regression.wrong import WRONG_LAPLACES, WRONG_PREDICTIVES


def step(scene: Scene, t: int) -> str:
    """Return the code of the next step of an optimiser, or of the last one of a chain or of growing data."""
    settings, run, fit = scene.settings, scene.run, scene.fit
    wrong = mistakes(scene)
    if settings.method == "points":
        if t not in run.laplaces:
            return listing(LAPLACE, mistakes=wrong)
        return listing(LAPLACE, watch(LAPLACE, lambda: settings.approximation(fit.at(t).model))[1], wrong)
    return code_of_step(run, t if settings.method == "chain" else t + 1, wrong)


def mistakes(scene: Scene) -> Mistakes:
    """Return the lines that the error has changed: of the model, of Laplace's Normal or of a predictive."""
    rule = scene.settings.mistake
    if rule in WRONG_PREDICTIVES:
        wrong = WRONG_PREDICTIVES[rule]
        return of_function(wrong.predict, PREDICTIVES[wrong.replaces])
    if rule in WRONG_LAPLACES:
        return of_function(WRONG_LAPLACES[rule], laplace_approximation)
    return of_class(scene.fit.model)
