"""Settings of the stage of labels that are summed out."""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

import numpy as np

from lessons.data.corpora import Corpus
from lessons.settings.fields import choice, quantity
from lessons.settings.modes import ModeSettings
from lessons.settings.program_data import ALL_LABELS, corpus_of
from lessons.topics.marginalise.documents import Documents
from lessons.topics.marginalise.means import TwoMeans
from lessons.topics.marginalise.mixture import ITERATIONS, Mixture
from samplers.gradient.naive_bayes_marginal import MarginalModel, NaiveBayesMarginal, Unlabelled
from samplers.gradient.stan_programs import Line
from samplers.gradient.wrong import WRONG_MARGINALS
from samplers.mixtures.exact_labellings import ExactLabels

PAGE = 8  # documents whose γ is filled in one film
MOST_LISTED = 10  # items whose every labelling is listed


class MarginaliseSettings(ModeSettings):
    """A mixture with its labels summed out, and a sampler that follows the gradient of what is left.

    An iteration is one of the chain; looked at closely, it is a term that the program adds, or a leapfrog step.
    """

    unit = "iterations"
    marks = ("here", "momentum", "chosen", "turn")
    picks: ClassVar = {"classes": ("row", "name"), "points": ("row", "name"), "tokens": ("n", "word")}
    charts = (
        *("trace", "classes", "weights", "word", "plane", "triangle", "means", "points", "sums"),
        *("program", "gamma", "tokens", "energy"),
        *("running", "draws", "names", "names_gibbs"),
    )
    modes: ClassVar[Mapping[str, Mixture]] = {
        **dict.fromkeys(("naive Bayes", "three words"), Documents()),
        "two means": TwoMeans(),
    }
    needs: ClassVar = {
        "known_labels": lambda own: own.variant != "unsupervised",
        "gamma_scope": lambda own: own.variant != "supervised",
        "gibbs": lambda own: own.layout == "beside Gibbs",
        "summary": lambda own: own.layout == "beside Gibbs" and len(own.summaries) > 1,
        **dict.fromkeys(("step_size", "leapfrog_steps"), lambda own: own.method == "HMC"),
    }

    model: Literal["naive Bayes", "two means"] = choice("naive Bayes")
    data: Literal["six_messages", "toy_corpus"] = choice("six_messages")
    variant: Literal["supervised", "unsupervised", "full Bayes", "prediction"] = choice("unsupervised")
    known_labels: int = quantity(4, (0, ALL_LABELS, 1))
    classes: int = quantity(2, (2, 3, 1))
    words: int = quantity(10, (2, 60, 1))
    word_prior: float = quantity(1.0, (0.1, 5, 0.1))
    class_prior: float = quantity(1.0, (0.1, 20, 0.1))
    spacing: float = quantity(3.0, (0, 6, 0.25))
    points: int = quantity(10, (2, 60, 1))
    means: Literal["free", "ordered"] = choice("free")
    rule: Literal["right", "Jacobian forgotten", "sum of logs", "test documents teach"] = choice("right")
    gamma_scope: Literal["saved", "local"] = choice("saved", look=True)
    layout: Literal["walk", "beside Gibbs", "sums"] = choice("walk", look=True)
    gibbs: Literal["explicit", "collapsed"] = choice("explicit", look=True)
    method: Literal["NUTS", "HMC"] = choice("NUTS")
    step_size: float = quantity(0.25, (0.01, 3, 0.01))
    leapfrog_steps: int = quantity(12, (1, 60, 1))
    warmup: int = quantity(300, (0, 1000, 50), control=False)
    summary: Literal["together", "larger class"] = choice("together", look=True)
    document: int = quantity(1, (1, 254, 1), look=True, control=False)
    partner: int = quantity(2, (1, 254, 1), look=True, control=False)
    word: int = quantity(4, (1, 60, 1), look=True, control=False)
    repeat: Literal["1", "10", "100", "1000"] = choice("1", look=True, control=False)
    step_by: Literal["iteration", "term", "leapfrog"] = choice("iteration", look=True, control=False)
    iteration: int = quantity(1, (0, ITERATIONS, 1), look=True, control=False)

    @property
    def mode(self) -> str:
        """The model; of three words, each class is a point in a triangle."""
        return "three words" if self.model == "naive Bayes" and self.words == 3 else self.model

    @property
    def now(self) -> Mixture:
        return self.modes[self.mode]

    @property
    def shown(self) -> str:
        """The part of a run that is shown: Gibbs only beside a sampler of the same posterior."""
        return "walk" if self.layout == "beside Gibbs" and not self.comparable else self.layout

    @property
    def class_count(self) -> int:
        """K: the number of classes, or of components on the line."""
        return self.now.classes(self)

    @property
    def summaries(self) -> tuple[str, ...]:
        """Summaries by which both samplers can be compared: not all where three classes have too many ways to count."""
        every = ("together", "larger class")
        return every if self.class_count == 2 or self.size <= MOST_LISTED else every[:1]

    @property
    def compared_by(self) -> str:
        """The summary by which both samplers are compared."""
        return self.summary if self.summary in self.summaries else self.summaries[0]

    # ---- what there is to step through -------------------------------------------------------------------------------

    @property
    def close_up(self) -> str:
        """The kind of a step: an iteration, or what the mode has of it."""
        return self.step_by if self.step_by in self.now.close_ups else "iteration"

    @property
    def opened(self) -> int | None:
        """The iteration that is looked at closely; None if a step is an iteration."""
        return None if self.close_up == "iteration" else max(self.iteration, int(self.close_up == "leapfrog"))

    def as_gibbs(self) -> Self:
        """Return the settings of Gibbs sampling on the same data: all that it does not know is as it is by default."""
        fields = ("rule", "method", "step_size", "leapfrog_steps", "means")
        defaults = {name: type(self).model_fields[name].default for name in fields}
        return self.as_run().model_copy(update={**defaults, "gibbs": self.gibbs})

    @property
    def page(self) -> np.ndarray:
        """Documents whose γ is filled in one film, with the one that is looked at among them."""
        size = self.corpus().size
        start = max(0, min(self.document, size) - 1) // PAGE * PAGE
        return np.arange(start, min(start + PAGE, size))

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the iteration after or before the one that is looked at closely."""
        iteration = self.iteration + by
        first = 1 if self.close_up == "leapfrog" else 0
        if self.close_up == "iteration" or not first <= iteration <= ITERATIONS:
            return None
        return self.model_copy(update={"iteration": iteration})

    # ---- data --------------------------------------------------------------------------------------------------------

    def corpus(self) -> Corpus:
        """Return the documents that the program is given, words counted, with the labels that it sees."""
        return corpus_of(self.data, self.words, self.variant, self.known_labels)

    @property
    def on_a_line(self) -> np.ndarray:
        """The points of the two means, shape (N,)."""
        noise = np.random.default_rng(1).standard_normal(60)[: self.points]
        return np.where(np.arange(self.points) % 2, 0.5, -0.5) * self.spacing + noise

    @property
    def labels(self) -> np.ndarray:
        """The labels that the program sees, -1 where it does not, shape (M,)."""
        return self.now.labels(self)

    @property
    def size(self) -> int:
        """The number of documents or points."""
        return len(self.labels)

    # ---- densities ---------------------------------------------------------------------------------------------------

    def target(self) -> MarginalModel:
        """Build the density."""
        return self.now.target(self)

    @property
    def density(self) -> type[NaiveBayesMarginal]:
        """The density of documents, by the rule."""
        return WRONG_MARGINALS.get(self.rule, NaiveBayesMarginal)

    @property
    def unlabelled(self) -> Unlabelled:
        """Where the program reads the documents without a label."""
        return "generated quantities" if self.variant == "prediction" else "model"

    def program(self) -> tuple[Line, ...]:
        """Return the Stan program that is run, with the error of the rule in it where that is one of its lines."""
        return self.density.program(self.variant, local=self.local)

    @property
    def local(self) -> bool:
        """Whether the program's γ is local to the block that needs it."""
        return self.gamma_scope == "local"

    @property
    def rule_at_work(self) -> bool:
        """Whether the rule, if it is a wrong one, is not the right one under these settings."""
        wrong = WRONG_MARGINALS.get(self.rule)
        return wrong is None or wrong.where.get("unlabelled", self.unlabelled) == self.unlabelled

    @property
    def comparable(self) -> bool:
        """Whether Gibbs samples the same posterior."""
        return self.now.comparable(self)

    def exact(self) -> ExactLabels | None:
        """List every labelling and its probability; None if there are too many, or if it is not one posterior."""
        return self.now.listed(self) if self.comparable and self.size <= MOST_LISTED else None
