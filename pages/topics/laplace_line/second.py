"""The Normal beside Laplace's, in the film: the learner's own, the best one, or none."""

from math import log, pi

import numpy as np

from lessons.topics.laplace_line import LaplaceLineSettings
from pages.contract.columns import Columns
from pages.topics.laplace_line import charts
from samplers.regression.variational import normal_divergence

CALLED = {"by hand": "your Normal", "best": "the best Normal"}
NUMBERS = ("centre", "spread", "second")  # in captions


class NoSecond:
    """No second Normal."""

    legend: tuple[tuple[str, str], ...] = ()
    caption = ""

    def curves(self, x: np.ndarray) -> dict[str, list]:
        """Return its density and the logarithm of that at the places of the curves; here an empty row."""
        return {"x": [0.0], "log": [None], "p": [None]}

    def numbers(self) -> tuple[float, float, float]:
        """Return its mean, its standard deviation and its divergence."""
        return np.nan, np.nan, np.nan

    def columns(self) -> Columns:
        """Return its numbers for captions, the same at every step."""
        mean, deviation, off = self.numbers()
        never = np.isinf(off)
        told = (shown(mean), deviation, np.nan if never else off, never)
        return {("say", name): np.array(value) for name, value in zip((*NUMBERS, "never"), told, strict=True)}


class Second(NoSecond):
    """A second Normal."""

    def __init__(self, settings: LaplaceLineSettings, mean: float, deviation: float) -> None:
        self.target, self.mean, self.deviation = settings.line_target, mean, deviation
        called = CALLED[settings.second]
        self.legend = ((f"{charts.SECOND} dashed", called),)
        self.caption = f" · {called}: {{centre}}, sd {{spread}}, KL(q‖p) {{second}}{{never:|∞}}"

    def curves(self, x: np.ndarray) -> dict[str, list]:
        logs = -0.5 * ((x - self.mean) / self.deviation) ** 2 - 0.5 * log(2 * pi) - log(self.deviation)
        return {"x": x.tolist(), "log": logs.tolist(), "p": np.exp(logs).tolist()}

    def numbers(self) -> tuple[float, float, float]:
        return self.mean, self.deviation, normal_divergence(self.target, self.mean, self.deviation)


def second_of(settings: LaplaceLineSettings) -> NoSecond:
    """Return the second Normal of these settings."""
    found = settings.second_normal
    return Second(settings, *found) if found else NoSecond()


def shown(x: float) -> float:
    """Return a position for a caption; one nearer to 0 than a millionth is 0."""
    return 0.0 if abs(x) < 1e-6 else x
