"""The mode in which the number of topics is fixed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lessons.data.topic_texts import TopicTexts
from lessons.settings.fields import ON_A_WALL, SWEEPS
from lessons.settings.modes import Mode
from lessons.topics.gibbs_topics.outcomes import measured
from samplers import Chain
from samplers.topics.exact import MOST_LABELLINGS, ExactTopics, exact_lda
from samplers.topics.lda import LDA
from samplers.topics.wrong import WRONG_TOPIC_RULES

if TYPE_CHECKING:
    from lessons.topics.gibbs_topics import GibbsTopicsSettings

UPDATES = 740_000  # of all chains of a wall: about four seconds before the wall appears


class Allocation(Mode["GibbsTopicsSettings"]):
    """Latent Dirichlet allocation.

    Attributes
    ----------
    ruled : tuple of str
        The ids of the judge's problems whose rules can move the chain.
    """

    controls: ClassVar[tuple[str, ...]] = ("topics", "topic_prior", "rule")
    ruled: ClassVar[tuple[str, ...]] = ("lda-word",)

    def blocks(self, settings: "GibbsTopicsSettings") -> int:
        """Return the number of updates in a sweep beside those of the words."""
        return 2 * settings.learns

    def kernel(self, settings: "GibbsTopicsSettings", texts: TopicTexts) -> Any:
        """Build the sampler for these words."""
        rule, words = WRONG_TOPIC_RULES.get(settings.rule, LDA), (texts.documents, len(texts.words))
        topics, priors = settings.topics, (settings.topic_prior, settings.word_prior)
        return settings.by_rule(rule(*words, topics, *priors, learned=settings.learns))

    def exact(self, settings: "GibbsTopicsSettings", texts: TopicTexts) -> ExactTopics | None:
        """Return the posterior of every labelling, or of every partition into topics, where it can be listed."""
        if settings.learns or settings.topics**texts.size > MOST_LABELLINGS:
            return None
        priors = settings.topics, settings.topic_prior, settings.word_prior
        return exact_lda(texts.documents, len(texts.words), *priors)

    def iterations(self, settings: "GibbsTopicsSettings") -> int:
        """Return the sweeps, or beats; a wall has more updates than those of other stages: each takes less time."""
        if settings.opened is not None:
            return 4 * settings.sites(settings.size)
        return min(ON_A_WALL, max(5, UPDATES // (settings.wall * settings.size))) if settings.many else SWEEPS

    def sampler(self, settings: "GibbsTopicsSettings") -> Any:
        return self.kernel(settings, settings.texts())

    def measure(self, settings: "GibbsTopicsSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        return measured(settings.texts(), chain[t].assignments)
