"""The chain beside the exact posterior, where the words are few enough to list every labelling."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lessons.topics.gibbs_topics.outcomes import counts
from pages.drawing.cards import quiet
from pages.drawing.truth import beside, error_curve, frequencies, not_listed, verdict
from pages.scenes.shared import shared
from pages.topics.gibbs_topics.run import TopicsScene
from samplers.topics.exact import ExactTopics, long_run
from samplers.topics.wrong import WRONG_TOPIC_RULES


class Posterior(NamedTuple):
    """A quantity that is compared with its exact posterior."""

    outcome: str  # that is counted
    title: str
    unit: str
    every: str  # what is listed
    ids: Callable[[TopicsScene, np.ndarray], np.ndarray]  # which of them each sweep was in, of labels (sweeps, N)
    many: Callable[[TopicsScene], str]  # what there are too many of, beside words
    smaller: str  # what is small enough, as HTML

    def beside(self, scene: TopicsScene, sweep: int) -> str:
        """Return how often each outcome came up beside its probability, and the error to truth."""
        exact, texts, run = scene.exact, scene.texts, scene.run
        if exact is None or not sweep:
            words = f"{texts.size:,} words{self.many(scene)}"
            return not_listed(exact, "give each word a topic", words, self.smaller)
        run.reach(sweep)
        labels = run.labels[1 : sweep + 1]
        posterior = exact.distribution(counts(texts, exact.labellings)[self.outcome])
        sizes = [size for size in range(len(posterior)) if posterior[size] > 0]
        curve = error_curve(self.ids(scene, labels), exact.probabilities)
        bars = frequencies(counts(texts, labels)[self.outcome], sizes, posterior[sizes])
        said = verdict(curve[-1], f"all {len(exact.labellings):,} {self.every}") + _own_limit(scene, exact)
        return beside(self.title, self.unit, bars, curve, exact.probabilities) + quiet(said)


def _own_limit(scene: TopicsScene, exact: ExactTopics) -> str:
    """Return how far a wrong rule stays from the truth."""
    if type(scene.run.sampler) not in WRONG_TOPIC_RULES.values():
        return ""
    distance = np.abs(_long_run(scene) - exact.probabilities).sum() / 2
    return f" In the long run this sampler stays {distance:.3f} from the exact posterior."


@shared
def _long_run(scene: TopicsScene) -> np.ndarray:
    assert scene.exact is not None
    return long_run(scene.run.sampler, scene.exact.labellings)
