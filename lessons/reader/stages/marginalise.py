"""What the stage of labels that are summed out can be set to."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal, Self

import numpy as np
from pydantic import Field

from lessons.reader.corpora import Corpus, show_labels
from lessons.reader.messages import six_messages, toy_messages
from lessons.reader.settings import StageSettings
from lessons.reader.words import BagOfWords, bag_of_words
from samplers.exact_labels import ExactLabels, exact_finite_mixture, exact_naive_bayes
from samplers.families import NormalKnownVariance
from samplers.finite_mixture import FiniteMixture
from samplers.gaussian_marginal import GaussianMarginal
from samplers.hmc import HMC
from samplers.labels import HIDDEN
from samplers.marginal import MarginalModel, NaiveBayesMarginal, Unlabelled
from samplers.naive_bayes import NaiveBayes
from samplers.nuts import NUTS
from samplers.recipe import Stepper
from samplers.wrong_marginal import WRONG_MARGINALS

ITERATIONS = 2_000  # of the longest run, warm-up included
MAX_DEPTH = 8  # doublings of an iteration of NUTS
CLASSES = 2
ALL_LABELS = 40  # this many known labels stand for all of them
PAGE = 8  # documents whose γ is filled in one film
MOST_LISTED = 10  # items whose every labelling is listed
PINNED = 1e9  # pseudo-count of each component that holds Gibbs's weights at one half, as they are held here
MEAN_PRIOR, SCALE = (0.0, 3.0), 1.0
DOCUMENTS = {"six_messages": six_messages, "toy_corpus": toy_messages}


class MarginaliseSettings(StageSettings):
    """A mixture with its labels summed out, and a sampler that follows the gradient of what is left.

    An iteration is one of the chain; looked at closely, it is a term that the program adds, or a leapfrog step.
    """

    views = ("step", "gamma", "program", "gibbs", "truth")
    unit = "iterations"
    measured = ("leapfrogs", "depth", "divergent", "first_larger")
    charts = (
        *("trace", "classes", "weights", "word", "plane", "triangle", "means", "points"),
        *("program", "gamma", "tokens", "energy"),
        *("running", "draws", "names", "names_gibbs"),
    )
    controls = (
        "model",
        "data",
        "variant",
        "known_labels",
        "words",
        "word_prior",
        "class_prior",
        "spacing",
        "points",
        "means",
        "rule",
        "layout",
        "gibbs",
        "method",
        "step_size",
        "leapfrog_steps",
        "summary",
        "seed",
    )

    model: Literal["naive Bayes", "two means"] = Field(
        default="naive Bayes",
        title="Model",
        description="Classes of documents, or two Gaussians on a line of which only the means are unknown.",
    )
    data: Literal["six_messages", "toy_corpus"] = Field(
        default="six_messages", title="Documents", description="Six short messages, or the lessons' 254."
    )
    variant: Literal["supervised", "unsupervised", "full Bayes", "prediction"] = Field(
        default="unsupervised",
        title="Program",
        description=(
            "Labelled documents alone; none labelled; labelled and unlabelled together (full Bayes); or prediction "
            "without model updates."
        ),
    )
    known_labels: int = Field(
        default=4,
        ge=0,
        le=ALL_LABELS,
        title="Labels shown",
        description="How many labels the program is told, the classes in turn; at the far right all of them.",
        json_schema_extra={"step": 1},
    )
    words: int = Field(
        default=10,
        ge=2,
        le=60,
        title="Words V",
        description="Size of the vocabulary: the most frequent words that are no stop words. Three fit in a triangle.",
        json_schema_extra={"step": 1},
    )
    word_prior: float = Field(
        default=1.0,
        ge=0.1,
        le=5,
        allow_inf_nan=False,
        title="Word prior β",
        description="Times that each class is taken to have used each word from the start.",
        json_schema_extra={"step": 0.1},
    )
    class_prior: float = Field(
        default=1.0,
        ge=0.1,
        le=20,
        allow_inf_nan=False,
        title="Class prior α",
        description="Documents that each class is taken to have from the start.",
        json_schema_extra={"step": 0.1},
    )
    spacing: float = Field(
        default=3.0,
        ge=0,
        le=6,
        allow_inf_nan=False,
        title="Distance of the means",
        description="How far apart the points' two groups are, in standard deviations.",
        json_schema_extra={"step": 0.25},
    )
    points: int = Field(
        default=10,
        ge=2,
        le=60,
        title="Points",
        description="How many there are, half of them in each group.",
        json_schema_extra={"step": 1},
    )
    means: Literal["free", "ordered"] = Field(
        default="free", title="Means", description="Free, or made to ascend: then only one of the two modes is left."
    )
    rule: Literal["right", "Jacobian forgotten", "sum of logs", "test documents teach"] = Field(
        default="right", title="Rule", description="The right density, or one of the errors that people make with it."
    )
    layout: Literal["walk", "beside Gibbs"] = Field(
        default="walk",
        title="Charts",
        description="The walk of this sampler, or this sampler beside Gibbs with labels.",
    )
    gibbs: Literal["explicit", "collapsed"] = Field(
        default="explicit",
        title="Gibbs draws",
        description="Labels and all parameters, or labels alone with the parameters integrated out.",
    )
    method: Literal["NUTS", "HMC"] = Field(
        default="NUTS",
        title="Sampler",
        description="NUTS, which finds its step size and turns back by itself, or HMC with both given.",
    )
    step_size: float = Field(
        default=0.25,
        ge=0.01,
        le=3,
        allow_inf_nan=False,
        title="Step size ε",
        description="Of a leapfrog step of HMC.",
        json_schema_extra={"step": 0.01},
    )
    leapfrog_steps: int = Field(
        default=12,
        ge=1,
        le=60,
        title="Leapfrog steps L",
        description="How many an iteration of HMC makes.",
        json_schema_extra={"step": 1},
    )
    warmup: int = Field(
        default=300,
        ge=0,
        le=1000,
        title="Warm-up",
        description="Iterations that are left out of averages; NUTS adapts in them.",
        json_schema_extra={"step": 50},
    )
    summary: Literal["together", "larger class"] = Field(
        default="together",
        title="Compared by",
        description="Whether two items are of one class, or how many items the larger class has: both have no names.",
    )
    document: int = Field(
        default=1,
        ge=1,
        le=254,
        title="Item",
        description="The document, or the point, that is looked at.",
        json_schema_extra={"step": 1},
    )
    partner: int = Field(
        default=2,
        ge=1,
        le=254,
        title="And item",
        description="The other one of a pair.",
        json_schema_extra={"step": 1},
    )
    word: int = Field(
        default=4,
        ge=1,
        le=60,
        title="Word",
        description="The word whose probabilities are followed, the most frequent first.",
        json_schema_extra={"step": 1},
    )
    repeat: Literal["1", "10", "100", "1000"] = Field(
        default="1",
        title="Document, times",
        description="The document written so often over, where its log_sum_exp is taken: long documents underflow.",
    )
    step_by: Literal["iteration", "term", "leapfrog"] = Field(
        default="iteration",
        title="Step by",
        description="Iterations, the terms that the program adds, or the leapfrog steps of one iteration.",
    )
    iteration: int = Field(
        default=1,
        ge=0,
        le=ITERATIONS,
        title="Iteration",
        description="The one that is looked at closely.",
        json_schema_extra={"step": 1},
    )

    # ---- what there is to step through -------------------------------------------------------------------------------

    @property
    def close_up(self) -> str:
        """What a step is; the terms are those of naive Bayes alone."""
        return "iteration" if self.step_by == "term" and self.model == "two means" else self.step_by

    @property
    def iterations(self) -> int:
        """Iterations of a run; of a close-up, at most."""
        if self.close_up == "iteration":
            return ITERATIONS
        if self.close_up == "term":
            return self._terms
        return 2**MAX_DEPTH if self.method == "NUTS" else self.leapfrog_steps + 1

    @property
    def _terms(self) -> int:
        """Jacobian and both priors, every word, where γ begins, each sum over labels, and the way back to labels."""
        hidden = int((self.labels[self.page] == HIDDEN).sum())
        words = int(self.corpus().bag.counts[self.page].sum())
        sums = 0 if self.variant == "prediction" and self.rule != "test documents teach" else hidden
        return 3 + words + (hidden < len(self.page)) + 2 * (hidden > 0) + sums

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
        """Return the documents that the program is given, words counted, with the labels that it is told."""
        return _corpus(self.data, self.words, self.variant, self.known_labels)

    @property
    def on_a_line(self) -> np.ndarray:
        """The points of the two means, shape (N,)."""
        noise = np.random.default_rng(1).standard_normal(60)[: self.points]
        points: np.ndarray = np.where(np.arange(self.points) % 2, 0.5, -0.5) * self.spacing + noise
        return points

    @property
    def size(self) -> int:
        """How many documents or points there are."""
        return self.points if self.model == "two means" else self.corpus().size

    @property
    def labels(self) -> np.ndarray:
        """The labels that the program is told, -1 where it is not, shape (M,)."""
        return np.full(self.points, HIDDEN) if self.model == "two means" else self.corpus().shown

    # ---- samplers ----------------------------------------------------------------------------------------------------

    def target(self) -> MarginalModel:
        """Build the density."""
        if self.model == "two means":
            return GaussianMarginal(
                self.on_a_line,
                CLASSES,
                mean_prior=MEAN_PRIOR,
                weights=[0.5, 0.5],
                scale=SCALE,
                ordered=self.means == "ordered",
            )
        corpus = self.corpus()
        rule = NaiveBayesMarginal if self.rule == "right" else WRONG_MARGINALS[self.rule]
        unlabelled: Unlabelled = "generated quantities" if self.variant == "prediction" else "model"
        return rule(corpus.bag.counts, CLASSES, self.class_prior, self.word_prior, corpus.shown, unlabelled=unlabelled)

    def sampler(self) -> Stepper[Any]:
        """Build the sampler that follows the gradient."""
        target: Any = self.target()
        if self.method == "HMC":
            return HMC(target, self.step_size, self.leapfrog_steps)
        return NUTS(target, MAX_DEPTH, warmup=self.warmup)

    def gibbs_sampler(self) -> FiniteMixture | NaiveBayes:
        """Build the Gibbs sampler of the same model, by the right rule, with the labels in plain sight."""
        if self.model == "two means":
            return FiniteMixture(self.on_a_line, self._component, CLASSES, PINNED, collapsed=self.gibbs == "collapsed")
        corpus = self.corpus()
        return NaiveBayes(
            corpus.bag.counts,
            CLASSES,
            self.class_prior,
            self.word_prior,
            corpus.shown,
            word_probs=self.gibbs,
            weights=self.gibbs,
        )

    @property
    def comparable(self) -> bool:
        """Whether Gibbs samples the same posterior: prediction keeps the unlabelled documents out of it."""
        return self.model == "two means" or self.variant in ("unsupervised", "full Bayes")

    def exact(self) -> ExactLabels | None:
        """List every labelling and its probability; None if there are too many, or if it is not one posterior."""
        if self.size > MOST_LISTED or not self.comparable:
            return None
        if self.model == "two means":
            return exact_finite_mixture(self.on_a_line, self._component, CLASSES, PINNED)
        corpus = self.corpus()
        return exact_naive_bayes(corpus.bag.counts, CLASSES, self.class_prior, self.word_prior, corpus.shown)

    @property
    def _component(self) -> NormalKnownVariance:
        centre, spread = MEAN_PRIOR
        return NormalKnownVariance(centre, spread**2, SCALE**2)

    # ---- what a lesson may expect, and which controls there are ------------------------------------------------------

    def measure(self, state: Any) -> dict[str, int]:
        """Return facts of the last iteration, and whether the first class, or mean, is the larger."""
        target: Any = self.target()
        parameters = target.constrain(state.position)
        pair = parameters.means[:, 0] if self.model == "two means" else parameters.weights
        return {
            "leapfrogs": state.leapfrogs,
            "depth": state.depth,
            "divergent": int(state.divergent),
            "first_larger": int(pair[0] > pair[1]),
        }

    def matters(self, name: str) -> bool:
        """Hide what belongs to the other model, layout or sampler."""
        line = self.model == "two means"
        if name in ("spacing", "points", "means"):
            return line
        if name == "known_labels":
            return not line and self.variant != "unsupervised"
        if name in ("data", "variant", "words", "word_prior", "class_prior", "rule"):
            return not line
        if name in ("gibbs", "summary"):
            return self.layout == "beside Gibbs"
        return name not in ("step_size", "leapfrog_steps") or self.method == "HMC"


@lru_cache(maxsize=64)
def _corpus(data: str, words: int, variant: str, known_labels: int) -> Corpus:
    messages = DOCUMENTS[data]()
    number = 0 if variant == "unsupervised" else len(messages.texts) if known_labels == ALL_LABELS else known_labels
    shown = show_labels(messages.labels, number, 0)
    bag = bag_of_words(messages.texts, most_words=words)
    if variant != "supervised":
        return Corpus(messages, bag, shown)
    kept = np.flatnonzero(shown != HIDDEN)  # the supervised program is not given the others
    few = replace(messages, texts=tuple(messages.texts[i] for i in kept), labels=messages.labels[kept])
    return Corpus(few, _some_of(bag, kept), shown[kept])


def _some_of(bag: BagOfWords, kept: np.ndarray) -> BagOfWords:
    """Return the bag of some of the texts, with the vocabulary of all."""
    return replace(
        bag,
        counts=bag.counts[kept],
        spans=tuple(bag.spans[i] for i in kept),
        token_lists=tuple(bag.token_lists[i] for i in kept),
    )
