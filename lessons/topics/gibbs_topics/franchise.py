"""The mode in which the number of topics is learned."""

from typing import TYPE_CHECKING, Any

from lessons.data.topic_texts import TopicTexts
from lessons.topics.gibbs_topics.allocation import Allocation
from samplers.partitions import MOST_POINTS
from samplers.topics.exact import ExactTopics, exact_hdp
from samplers.topics.hdp import HDP
from samplers.topics.wrong import WRONG_BASE_RULES

if TYPE_CHECKING:
    from lessons.topics.gibbs_topics import GibbsTopicsSettings


class Franchise(Allocation):
    """The hierarchical Dirichlet process: its sweeps redraw the base weights, and γ as well if α and β are redrawn."""

    controls = ("concentration", "top_concentration", "base_rule")
    ruled = ()

    def blocks(self, settings: "GibbsTopicsSettings") -> int:
        return 1 + 3 * settings.learns

    def kernel(self, settings: "GibbsTopicsSettings", texts: TopicTexts) -> Any:
        rule, words = WRONG_BASE_RULES.get(settings.base_rule, HDP), (texts.documents, len(texts.words))
        return rule(*words, *_priors(settings), learned=settings.learns)

    def exact(self, settings: "GibbsTopicsSettings", texts: TopicTexts) -> ExactTopics | None:
        few = texts.size <= MOST_POINTS and not settings.learns
        return exact_hdp(texts.documents, len(texts.words), *_priors(settings)) if few else None


def _priors(settings: "GibbsTopicsSettings") -> tuple[float, float, float]:
    return settings.concentration, settings.top_concentration, settings.word_prior
