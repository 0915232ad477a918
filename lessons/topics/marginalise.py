"""Settings of the stage of labels that are summed out."""

from typing import Any, ClassVar, Literal, Self

import numpy as np

from lessons.data.corpora import Corpus
from lessons.settings.calls import Origins, call
from lessons.settings.fields import choice, quantity
from lessons.settings.program_data import ALL_LABELS, DOCUMENTS, corpus_of, counted
from lessons.settings.settings import StageSettings
from samplers import Chain
from samplers.conjugate import NormalKnownVariance
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.hmc import HMC, Trajectory
from samplers.gradient.naive_bayes_marginal import LogSumExp, MarginalModel, NaiveBayesMarginal, Unlabelled
from samplers.gradient.nuts import NUTS
from samplers.gradient.stan_programs import Line
from samplers.gradient.wrong import WRONG_MARGINALS
from samplers.mixtures.exact_labellings import ExactLabels, exact_finite_mixture, exact_naive_bayes
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.recipe import Kernel

ITERATIONS = 2_000  # of the longest run, warm-up included
MAX_DEPTH = 8  # doublings of an iteration of NUTS
COMPONENTS = 2  # of the points on a line
PAGE = 8  # documents whose γ is filled in one film
MOST_LISTED = 10  # items whose every labelling is listed
PINNED = 1e9  # pseudo-count of each component that holds Gibbs's weights at one half, as they are held here
MEAN_PRIOR, SCALE = (0.0, 3.0), 1.0


class MarginaliseSettings(StageSettings):
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
    needs: ClassVar = {
        **dict.fromkeys(("spacing", "points", "means"), lambda own: own.model == "two means"),
        **dict.fromkeys(
            ("data", "variant", "classes", "words", "word_prior", "class_prior", "rule"),
            lambda own: own.model == "naive Bayes",
        ),
        "known_labels": lambda own: own.model == "naive Bayes" and own.variant != "unsupervised",
        "gamma_scope": lambda own: own.model == "naive Bayes" and own.variant != "supervised",
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
    def shown(self) -> str:
        """The part of a run that is shown: Gibbs only beside a sampler of the same posterior."""
        return "walk" if self.layout == "beside Gibbs" and not self.comparable else self.layout

    @property
    def class_count(self) -> int:
        """K: the number of classes, or of components on the line."""
        return COMPONENTS if self.model == "two means" else self.classes

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
        """The kind of a step; terms are there for naive Bayes alone."""
        return "iteration" if self.step_by == "term" and self.model == "two means" else self.step_by

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
    def iterations(self) -> int:
        """Iterations of a run; of a close-up, at most."""
        if self.close_up == "iteration":
            return ITERATIONS
        if self.close_up == "term":
            return self._terms
        return 2**MAX_DEPTH if self.method == "NUTS" else self.leapfrog_steps + 1

    @property
    def _terms(self) -> int:
        """Jacobian and priors, every word, where γ begins, each sum over labels, the way back, and each drawn label.

        A γ that is local to the model is made once more for the way back.
        """
        there = self.page[self.labels[self.page] == HIDDEN]
        counts, hidden = self.corpus().bag.counts, len(there)
        summed = any(line.role == "log_sum_exp" for line in self.program())
        again = 1 + int(counts[there].sum()) if summed and self.local and hidden else 0
        words, sums = int(counts[self.page].sum()), hidden if summed else 0
        return 3 + words + (hidden < len(self.page)) + 2 * (hidden > 0) + sums + again + hidden

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

    def origins(self) -> Origins:
        """Return the calls that read the documents, count their words and choose the labels to show."""
        if self.model == "two means":
            return {}
        reading = call(DOCUMENTS[self.data])
        return {"messages": reading, **counted(reading.made(), self.words, self.variant, self.known_labels)}

    @property
    def on_a_line(self) -> np.ndarray:
        """The points of the two means, shape (N,)."""
        noise = np.random.default_rng(1).standard_normal(60)[: self.points]
        return np.where(np.arange(self.points) % 2, 0.5, -0.5) * self.spacing + noise

    @property
    def size(self) -> int:
        """The number of documents or points."""
        return self.points if self.model == "two means" else self.corpus().size

    @property
    def labels(self) -> np.ndarray:
        """The labels that the program sees, -1 where it does not, shape (M,)."""
        return np.full(self.points, HIDDEN) if self.model == "two means" else self.corpus().shown

    # ---- samplers ----------------------------------------------------------------------------------------------------

    def target(self) -> MarginalModel:
        """Build the density."""
        if self.model == "two means":
            ordered = self.means == "ordered"
            return GaussianMarginal(self.on_a_line, COMPONENTS, mean_prior=MEAN_PRIOR, scale=SCALE, ordered=ordered)
        corpus = self.corpus()
        prior = self.class_prior, self.word_prior
        return self._density(corpus.bag.counts, self.classes, *prior, corpus.shown, unlabelled=self._unlabelled)

    def program(self) -> tuple[Line, ...]:
        """Return the Stan program that is run, with the error of the rule in it where that is one of its lines."""
        return self._density.program(self.variant, local=self.local)

    @property
    def local(self) -> bool:
        """Whether the program's γ is local to the block that needs it."""
        return self.gamma_scope == "local"

    @property
    def rule_at_work(self) -> bool:
        """Whether the rule, if it is a wrong one, is not the right one under these settings."""
        wrong = WRONG_MARGINALS.get(self.rule)
        return wrong is None or wrong.where.get("unlabelled", self._unlabelled) == self._unlabelled

    @property
    def _density(self) -> type[NaiveBayesMarginal]:
        return WRONG_MARGINALS.get(self.rule, NaiveBayesMarginal)

    @property
    def _unlabelled(self) -> Unlabelled:
        return "generated quantities" if self.variant == "prediction" else "model"

    def sampler(self) -> Kernel[Any, Any]:
        """Build the sampler that follows the gradient."""
        target: Any = self.target()
        if self.method == "HMC":
            return HMC(target, self.step_size, self.leapfrog_steps)
        return NUTS(target, MAX_DEPTH, warmup=self.warmup)

    def gibbs_sampler(self) -> FiniteMixture | NaiveBayes:
        """Build the Gibbs sampler of the same model, by the right rule, with the labels in plain sight."""
        if self.model == "two means":
            return FiniteMixture(
                self.on_a_line, self._component, COMPONENTS, PINNED, collapsed=self.gibbs == "collapsed"
            )
        corpus = self.corpus()
        return NaiveBayes(
            corpus.bag.counts,
            self.classes,
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
            return exact_finite_mixture(self.on_a_line, self._component, COMPONENTS, PINNED)
        corpus = self.corpus()
        return exact_naive_bayes(corpus.bag.counts, self.classes, self.class_prior, self.word_prior, corpus.shown)

    @property
    def _component(self) -> NormalKnownVariance:
        centre, spread = MEAN_PRIOR
        return NormalKnownVariance(centre, spread**2, SCALE**2)

    # ---- what a lesson may expect, and which controls there are ------------------------------------------------------

    def gamma(self, target: Any, position: np.ndarray, item: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the terms of γ of an item, and their sum with its words as often as the document is repeated.

        Returns
        -------
        terms : numpy.ndarray
            Log weights, and then each word's log probabilities, shape (1 + words, K); of a point, its log density.
        gamma : numpy.ndarray
            Shape (K,).
        """
        if self.model == "two means":
            gamma, weights = target.log_joint_by_class(position)[item], np.log([0.5, 0.5])
            return np.array([weights, gamma - weights]), gamma
        terms = target.log_joint_steps(position, item)
        return terms, terms[0] + int(self.repeat) * terms[1:].sum(axis=0)

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Return facts of the last iteration, whether the first class, or mean, is the largest, and γ's of the item."""
        target: Any = self.target()
        parameters = target.constrain(chain[t].position)
        path: Trajectory | None = chain.record(t) if t else None
        sizes = parameters.means if self.model == "two means" else parameters.weights
        _, gamma = self.gamma(target, chain[t].position, min(self.document, self.size) - 1)
        return {
            "leapfrogs": path.leapfrogs if path else 0,
            "depth": path.depth if path else 0,
            "divergent": int(path is not None and path.divergent is not None),
            "first_larger": int(sizes[0] > sizes[1:].max()),
            "score": float(LogSumExp(gamma).values),
            "lost": int((np.exp(gamma) == 0).sum()),
        }
