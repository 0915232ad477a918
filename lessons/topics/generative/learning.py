"""The mode in which a step learns from one more labelled example, and what the modes of this topic share."""

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons.own.examples import Examples
from lessons.settings.calls import Entry, Origins, call
from lessons.settings.modes import Mode
from samplers import Chain
from samplers.data.planes import GrowingData
from samplers.generative.features import Encoding
from samplers.generative.stories import STORIES
from samplers.log_density import NoMode
from samplers.mixtures.labels import HIDDEN
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.generative import GenerativeSettings

OF_MODEL = ("grouping", "prior_one", "prior_zero", "prior_points", "pseudo_count")
OF_ANSWERS = ("estimate", "against", "rival", "tested", "rule", "flip", "query_1", "query_2")
NO_ANSWER = {"weight": nan, "answer": nan}
NO_BITS = {"promised": nan, "bits": nan, "gain": nan, "last": 0}


class ExampleMode(Mode["GenerativeSettings"]):
    """A mode of this topic."""

    counted_as = "example"
    controls: ClassVar[tuple[str, ...]] = (*OF_MODEL, *OF_ANSWERS, "pointer", "data_seed")

    def drawn(self, settings: "GenerativeSettings") -> int:
        """Return how many examples the story draws."""
        return settings.points

    def drawn_by(self, settings: "GenerativeSettings", seed: int | None) -> int:
        """Return the seed of the examples, given that of the run."""
        return settings.data_seed

    def steps(self, settings: "GenerativeSettings", examples: int) -> int:
        """Return the number of steps for a number of examples."""
        return examples

    def iterations(self, settings: "GenerativeSettings") -> int:
        return self.steps(settings, settings.size)

    def known(self, settings: "GenerativeSettings", labels: np.ndarray) -> np.ndarray:
        """Return labels as they are known before the first step, `HIDDEN` where they are not."""
        return labels

    def origins(self, settings: "GenerativeSettings") -> Origins:
        if settings.mine:
            return {}
        story = STORIES[settings.data]
        encoding = call(Encoding, story.encoding.features, settings.grouping)
        return {
            "simulated": Entry("samplers.generative.stories", "STORIES", settings.data),
            "values, labels": call(story.examples, settings.points, settings.data_seed),
            "encoding": encoding,
            "rows": call(encoding.made().rows, settings.examples().values),
        }


class Learning(ExampleMode):
    """Examples whose labels are all known are learned from, one by one."""

    def sampler(self, settings: "GenerativeSettings") -> Kernel[Any, Any]:
        return GrowingData(len(settings.examples().labels))

    def labels(self, settings: "GenerativeSettings", chain: Chain[Any], t: int, labels: np.ndarray) -> np.ndarray:
        """Return the labels that count as known at iteration t."""
        return np.where(np.arange(len(labels)) < t, labels, HIDDEN)

    def measure(self, settings: "GenerativeSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        examples = settings.examples()
        hidden = self.known(settings, examples.labels) == HIDDEN
        labels = self.labels(settings, chain, t, examples.labels)
        weight, answer = _answered(settings, examples, labels)
        return {
            "examples": int((labels[~hidden] != HIDDEN).sum()),
            "hidden": int(hidden.sum()),
            "right": int((labels == examples.labels)[hidden].sum()),
            "weight": weight,
            "answer": answer,
            **NO_BITS,
        }


def _answered(settings: "GenerativeSettings", examples: Examples, labels: np.ndarray) -> tuple[float, float]:
    """Return the expected weight of class 1, and its probability at the query; NaN where there is no estimate."""
    features, classes = examples.features, len(examples.classes)
    model, encoding = settings.model(features, classes), settings.encoding(features)
    rows, query = encoding.rows(examples.values), model.read(encoding.rows(settings.query(features)[None]))
    posterior = model.posterior(rows, labels)
    weight = float(posterior.weights.typical().mean[1])
    try:
        averaged = settings.estimate == "posterior"
        by = posterior.predictive() if averaged else model.plug_in(rows, labels, settings.estimate == "MAP")
        return weight, float(settings.asked(by).predict(query)[0, 1])
    except NoMode:
        return weight, nan
