"""The lines of code that an error has changed, wherever these are at work."""

from pages.code.mistakes import Mistakes, of_class, of_function
from pages.topics.logistic.film import LogisticScene
from samplers.regression.laplace import laplace_approximation
from samplers.regression.predictives import PREDICTIVES
from samplers.regression.wrong import WRONG_LAPLACES, WRONG_PREDICTIVES


def mistakes(scene: LogisticScene) -> Mistakes:
    """Return the lines that the error has changed: of the model, of Laplace's Normal or of a predictive."""
    rule = scene.settings.mistake
    if rule in WRONG_PREDICTIVES:
        wrong = WRONG_PREDICTIVES[rule]
        return of_function(wrong.predict, PREDICTIVES[wrong.replaces])
    if rule in WRONG_LAPLACES:
        return of_function(WRONG_LAPLACES[rule], laplace_approximation)
    return of_class(scene.fit.model)
