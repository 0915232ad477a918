"""The mode in which hidden labels are asked for, one after the other."""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.settings.calls import Call, Origins, call
from lessons.settings.law import NOW, Law, counted
from lessons.topics.generative.labels import all_but
from lessons.topics.generative.learning import NO_ANSWER, OF_MODEL, ExampleMode
from samplers import Chain
from samplers.mixtures.asking import Asking
from samplers.mixtures.exact_labellings import ExactLabels, exact_finite_mixture
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.wrong import WRONG_GAINS

if TYPE_CHECKING:
    from lessons.topics.generative import GenerativeSettings

MOST_ASKED = 9  # hidden labels that are asked for one by one: all their labellings are listed
ONE_POSTERIOR = {"ask_by": "most gain", "gain_rule": "right", "by_hand": "", "runs": "one"}  # what changes no posterior


class AskedFor(ExampleMode):
    """A step asks for a hidden label, whose answer the story knows."""

    counted_as = "answer"
    controls = (*OF_MODEL, "data_seed", "labelled", "lost", "ask_by", "gain_rule", "runs")

    def drawn(self, settings: "GenerativeSettings") -> int:
        return min(settings.points, settings.labelled + MOST_ASKED)

    def steps(self, settings: "GenerativeSettings", examples: int) -> int:
        return max(1, min(examples - settings.labelled, MOST_ASKED))

    def known(self, settings: "GenerativeSettings", labels: np.ndarray) -> np.ndarray:
        return all_but(settings, labels)

    def origins(self, settings: "GenerativeSettings") -> Origins:
        return {**super().origins(settings), "exact": _listed(settings)}

    def lacking(self, settings: "GenerativeSettings") -> str:
        """Say so if there is no label to ask for."""
        if settings.labelled >= settings.points:
            return "Nothing to ask for: all labels are known. Take fewer known labels, or more examples."
        return ""

    def sampler(self, settings: "GenerativeSettings") -> Asking:
        """Build what asks: first for the labels that were pressed, then by the rule."""
        exact, labels = _exact(settings.model_copy(update=ONE_POSTERIOR)), settings.examples().labels
        rule, hidden = WRONG_GAINS.get(settings.gain_rule, Asking), self.known(settings, labels) == HIDDEN
        pressed = dict.fromkeys(int(name) - 1 for name in settings.by_hand.split("-") if name)
        return rule(exact, labels, settings.ask_by, [at for at in pressed if 0 <= at < len(hidden) and hidden[at]])

    def law(self, settings: "GenerativeSettings", outcome: str, t: int) -> Law | None:
        """Return how many hidden labels are right after t answers that were asked for at random."""
        if outcome != "right" or settings.ask_by != "at random" or settings.by_hand:
            return None
        return counted(NOW, self.sampler(settings).right_at_random(t))

    def measure(self, settings: "GenerativeSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        asking: Any = chain.sampler
        asked = chain[t].asked
        outlook, hidden = asking.outlook(asked), len(asking.hidden) - len(asked)
        return {
            "examples": len(asking.truth) - hidden,
            "hidden": hidden,
            "right": asking.right(asked),
            **NO_ANSWER,
            "promised": asking.promised(asked),
            "bits": float(outlook.bits.sum()),
            "gain": float(asking.gains(asking.outlook(asked[:-1]))[asked[-1]]) if asked else np.nan,
            "last": asked[-1] + 1 if asked else 0,
        }


def _listed(settings: "GenerativeSettings") -> Call:
    """Return the call that lists all labellings with their posterior."""
    found = settings.examples()
    model = settings.model(found.features, len(found.classes))
    rows, known = settings.rows(found, model), all_but(settings, found.labels)
    return call(exact_finite_mixture, rows, model.family, model.classes, model.class_prior, labels=known)


@lru_cache(maxsize=64)
def _exact(settings: "GenerativeSettings") -> ExactLabels:
    found: ExactLabels = _listed(settings).made()
    return found
