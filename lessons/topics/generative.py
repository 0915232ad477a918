"""Settings of the stage of generative classification."""

from collections.abc import Generator
from functools import lru_cache
from math import nan
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from lessons.own.examples import MOST_EXAMPLES, MOST_FEATURES, OF_CLASSES, Examples
from lessons.settings.calls import Call, Entry, Origins, call
from lessons.settings.fields import OwnDigest, choice, one_or_many, quantity
from lessons.settings.law import NOW, Law, counted
from lessons.settings.lineups import LAST, STEPS, LineupSettings
from lessons.settings.settings import SEED_HIGH
from samplers import Chain
from samplers.data.planes import GrowingData
from samplers.diagnostics.lineup import TILES
from samplers.generative.classifier import Classifier, ClassPosterior, GenerativeModel
from samplers.generative.corrupted import flipped
from samplers.generative.features import Encoding, Feature, Grouping
from samplers.generative.stories import STORIES, Simulated
from samplers.generative.wrong import WRONG_GENERATIVE_RULES
from samplers.log_density import NoMode
from samplers.mixtures.asking import Asking
from samplers.mixtures.exact_labellings import ExactLabels, exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.wrong import WRONG_GAINS
from samplers.recipe import Kernel

SWEEPS = 200
IN_PLANE = ("equal", "unequal", "correlated", "three")  # stories of two numbers
KEPT_LESS = 6  # times, if labels of class 1 are mostly hidden
MOST_ASKED = 9  # hidden labels that are asked for one by one: all their labellings are listed


class GenerativeSettings(LineupSettings):
    """A story of how labels and features come about, run forwards to make examples and backwards to learn from them.

    An iteration is an example that the story draws, one more labelled example that is learned from, a sweep over
    hidden labels, or the answer to one of them, as `method` says. In a lineup, replicates have the data's labels.
    """

    unit = "steps"
    lawful = ("right",)
    charts = (
        *("plane", "features", "rival", "share", "cloud", "scores", "pairs", "tested", "trace", "worth", "curve"),
        "lineup",
    )
    marks = ("point-N", "query", "tile-N")
    picks: ClassVar = dict.fromkeys(("plane", "features", "rival", "worth"), ("row", "name")) | {"lineup": ("number",)}

    takes: ClassVar = OF_CLASSES

    data: Literal["equal", "unequal", "correlated", "three", "pairs", "words", "mixed", "counts", "own"] = choice(
        "equal"
    )
    points: int = quantity(40, (2, MOST_EXAMPLES, 1))
    data_seed: int = quantity(1, (0, SEED_HIGH, 1), typed=True)
    own: OwnDigest = ""
    pointer: Literal["query", "add 0", "add 1", "add 2", "move", "relabel", "hide label", "hide cell", "remove"] = (
        choice("query", look=True, dial=True)
    )
    method: Literal["story", "examples", "labels", "ask"] = choice("examples")
    ask_by: Literal["most gain", "least sure", "at random"] = choice("most gain")
    gain_rule: Literal["right", "answers count alike", "most probable answer only"] = choice("right")
    by_hand: str = Field(
        default="",
        pattern=r"^([0-9]{1,3}(-[0-9]{1,3}){0,19})?$",
        json_schema_extra={"control": False, "called": "numbers of examples, such as 3-7"},
    )
    labelled: int = quantity(6, (0, MOST_EXAMPLES, 1))
    lost: Literal["by chance", "mostly of class 1"] = choice("by chance")
    grouping: Grouping = choice("naive")
    estimate: Literal["posterior", "MAP", "MLE"] = choice("posterior")
    against: Literal["none", "posterior", "MAP", "MLE", "labelled", "logistic", "truth"] = choice("none")
    rival: Literal["off", "on"] = choice("off")
    tested: Literal["off", "errors", "losses"] = choice("off")
    rule: Literal["right", "prior for each datum", "no pseudo-counts", "missing as zero"] = choice("right")
    prior_one: float = quantity(1.0, (1, 50, 0.5), dial=True)
    prior_zero: float = quantity(1.0, (1, 50, 0.5), dial=True)
    prior_points: float = quantity(1.0, (0.1, 20, 0.1), dial=True)
    pseudo_count: float = quantity(1.0, (1, 10, 0.5), dial=True)
    flip: float = quantity(0.0, (0, 0.5, 0.05))
    query_1: float = quantity(1.0, (-8, 8, 0.1), typed=True, look=True)
    query_2: float = quantity(1.0, (-6, 6, 0.1), typed=True, look=True)
    query_3: float = quantity(0.0, (-6, 6, 0.1), look=True, control=False)
    query_4: float = quantity(0.0, (-6, 6, 0.1), look=True, control=False)
    query_5: float = quantity(0.0, (-6, 6, 0.1), look=True, control=False)
    query_6: float = quantity(0.0, (-6, 6, 0.1), look=True, control=False)
    left_out: int = quantity(0, (0, 2**MOST_FEATURES - 1, 1), look=True, control=False)
    runs: Literal["one", "right"] = one_or_many()
    shown: Literal["run", "lineup"] = choice("run", look=True)

    @property
    def iterations(self) -> int:
        """Examples, or sweeps; of own examples that are gone, as many as there may be; or the steps of a lineup."""
        if self.lined_up:
            return STEPS
        if not self.mine:
            return self.steps(self.points)
        return self.steps(MOST_EXAMPLES if self.unknown else len(self.own_data.labels))

    @property
    def counted_as(self) -> str:
        """A sweep, an answer, an example, or a step of a lineup."""
        if self.lined_up:
            return "step"
        return {"labels": "sweep", "ask": "answer"}.get(self.mode, "example")

    def steps(self, examples: int) -> int:
        """Return the number of steps for a number of examples."""
        if self.asks:
            return max(1, min(examples - self.labelled, MOST_ASKED))
        return SWEEPS if self.method == "labels" and examples else examples

    @property
    def mode(self) -> str:
        """The kind of step, or a lineup: the story of somebody's own examples is not known."""
        if self.lined_up:
            return "lineup"
        return "examples" if self.method in ("story", "ask") and self.mine else self.method

    @property
    def asks(self) -> bool:
        """Whether a step asks for a hidden label, whose answer the story knows."""
        return self.method == "ask" and not self.mine

    @property
    def replicable(self) -> bool:
        """Whether the model draws replicates of these examples: two numbers each, all labels known, no mistake."""
        return self.data in IN_PLANE and self.method == "examples" and self.rule == "right"

    @property
    def tells(self) -> bool:
        """Whether a step draws from the story, which is unknown for somebody's own examples."""
        return self.method == "story" and not self.mine

    @property
    def simulated(self) -> Simulated | None:
        """The story that the examples come from; None of somebody's own."""
        return STORIES.get(self.data)

    def examples(self, seed: int | None = None) -> Examples:
        """Return the examples: drawn by the data seed, by the run's seed where a step draws one, or somebody's own.

        See `its_own` for what this raises.
        """
        if (told := self.simulated) is None:
            own: Examples = self.its_own()
            return own
        count = min(self.points, self.labelled + MOST_ASKED) if self.asks else self.points
        drawn = told.examples(count, seed if self.tells and seed is not None else self.data_seed)
        return Examples(*drawn, told.encoding.features, told.classes)

    def origins(self) -> Origins:
        """Return the story's entry, and the call that draws its examples; none for somebody's own."""
        if self.mine:
            return {}
        found: Origins = {"simulated": Entry("samplers.generative.stories", "STORIES", self.data)}
        if not self.tells:
            story = STORIES[self.data]
            encoding = call(Encoding, story.encoding.features, self.grouping)
            found["values, labels"] = call(story.examples, self.points, self.data_seed)
            found["encoding"] = encoding
            found["rows"] = call(encoding.made().rows, self.examples().values)
        if self.asks:
            found["exact"] = self._listed()
        return found

    def known(self, labels: np.ndarray) -> np.ndarray:
        """Return labels as they are known: where a step is a sweep, all but `labelled` of them are hidden.

        The first ones are kept; or of each class the first ones, six times as many of another class as of class 1.
        """
        if self.method != "labels" and not self.asks:
            return labels
        turn = np.arange(len(labels))
        if self.lost == "mostly of class 1":
            of_class = labels[:, None] == labels
            turn = np.tril(of_class).sum(axis=1) * np.where(labels == 1, KEPT_LESS, 1)
        kept = np.isin(np.arange(len(labels)), np.argsort(turn, kind="stable")[: self.labelled])
        return np.where(kept, labels, HIDDEN)

    def encoding(self, features: tuple[Feature, ...]) -> Encoding:
        """Return how features are written as columns of the model."""
        return Encoding(features, self.grouping)

    def model(self, features: tuple[Feature, ...], classes: int) -> GenerativeModel:
        """Build the model, by the rule."""
        prior = self.encoding(features).prior(self.prior_points, self.pseudo_count)
        rule = WRONG_GENERATIVE_RULES.get(self.rule, GenerativeModel)
        return rule(prior, classes, np.array([self.prior_zero, *[self.prior_one] * (classes - 1)]))

    def sampler(self) -> Kernel[Any, Any]:
        """Build what makes the steps."""
        if self.tells:
            return STORIES[self.data].story
        found = self.examples()
        if self.asks:
            return self.asking()
        return self.sampler_of(found.values, found.labels, found.features, len(found.classes))

    def sampler_of(
        self, values: np.ndarray, labels: np.ndarray, features: tuple[Feature, ...], classes: int
    ) -> Kernel[Any, Any]:
        """Build what makes the steps for these examples, other than those of the story."""
        if self.method != "labels" or not len(labels):
            return GrowingData(len(labels))
        model = self.model(features, classes)
        rows = model.read(self.encoding(features).rows(values))
        return FiniteMixture(rows, model.family, classes, model.class_prior, labels=self.known(labels))

    def asking(self) -> Asking:
        """Build what asks for one hidden label after the other: first for those that were pressed, then by the rule."""
        exact, labels = _exact(self.model_copy(update=ONE_POSTERIOR)), self.examples().labels
        rule, hidden = WRONG_GAINS.get(self.gain_rule, Asking), self.known(labels) == HIDDEN
        pressed = dict.fromkeys(int(name) - 1 for name in self.by_hand.split("-") if name)
        return rule(exact, labels, self.ask_by, [at for at in pressed if 0 <= at < len(hidden) and hidden[at]])

    def _listed(self) -> Call:
        """Return the call that lists all labellings with their posterior."""
        found = self.examples()
        model = self.model(found.features, len(found.classes))
        rows = model.read(self.encoding(found.features).rows(found.values))
        known = self.known(found.labels)
        return call(exact_finite_mixture, rows, model.family, model.classes, model.class_prior, labels=known)

    def lacking(self) -> str:
        """Say so if there is no label to ask for."""
        if self.asks and self.labelled >= self.points:
            return "Nothing to ask for: all labels are known. Take fewer known labels, or more examples."
        return super().lacking()

    def law(self, outcome: str, t: int) -> Law | None:
        """Return how many hidden labels are right after t answers that were asked for at random."""
        if outcome != "right" or not self.asks or self.ask_by != "at random" or self.by_hand:
            return None
        return counted(NOW, self.asking().right_at_random(t))

    def asked(self, classifier: Classifier) -> Classifier:
        """Return the classifier of a query whose categories may have been flipped."""
        return flipped(classifier, self.flip)

    def query(self, features: tuple[Feature, ...]) -> np.ndarray:
        """Return the values that are asked about, NaN where one is left out, shape (features,)."""
        values = np.array([getattr(self, f"query_{place + 1}") for place in range(len(features))])
        for place, feature in enumerate(features):
            if feature.bars:
                values[place] = np.clip(np.rint(values[place]), 0, len(feature.bars) - 1)
            if self.left_out >> place & 1:
                values[place] = nan
        return values

    def observed(self) -> np.ndarray:
        """Return examples with their labels, shape (N, 3)."""
        found = self.examples()
        return np.column_stack([found.values, found.labels])

    def replicate(self, sampler: GenerativeModel, state: ClassPosterior, seed: tuple[int, int]) -> np.ndarray:
        """Draw features for the labels from one draw of the parameters; shape (N, 3), with the labels."""
        found = self.examples()
        rows = state.replicate(found.labels, np.random.default_rng((*seed, len(found.labels))))
        return np.column_stack([self.encoding(found.features).values(rows), found.labels])

    def drawn_at(self, number: int) -> int:
        """Return the iteration at which the run has the posterior of all examples: a replicate is of a draw from it."""
        return min(LAST, self.iterations)

    def replicates(self, seed: int) -> Generator[None, None, list[np.ndarray]]:
        """Draw the replicates of a lineup, each from another draw of the parameters."""
        found = self.examples()
        model = self.model(found.features, len(found.classes))
        posterior = model.posterior(self.encoding(found.features).rows(found.values), found.labels)
        yield
        return [self.replicate(model, posterior, (seed, number)) for number in range(TILES - 1)]

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count examples that have been drawn or learned from, hidden labels, and those of them that are right.

        ``weight`` is the expected weight of class 1, and ``answer`` its probability at the query by the estimate, from
        the labels of this iteration; both are NaN while the story draws, and the answer where there is no estimate.
        """
        if self.lined_up:
            own, seed = self.of_round(chain.seed, t)
            return {**own.measure(Chain(own.sampler(), seed), own.iterations), "tile": self.tile(chain.seed, t)}
        if self.tells:
            return {"examples": t, "hidden": 0, "right": 0, "weight": nan, "answer": nan, "tile": 0} | NO_BITS
        if self.asks:
            return self._measure_answers(chain, t)
        examples = self.examples()
        values, labels = examples.values, examples.labels
        known = self.known(labels)
        hidden = known == HIDDEN
        if self.method == "labels":
            known = np.array(chain[t].labels) if t else known
        else:
            known = np.where(np.arange(len(known)) < t, known, HIDDEN)
        features, classes = examples.features, len(examples.classes)
        model, encoding = self.model(features, classes), self.encoding(features)
        rows, query = encoding.rows(values), model.read(encoding.rows(self.query(features)[None]))
        posterior = model.posterior(rows, known)
        try:
            averaged = self.estimate == "posterior"
            by = posterior.predictive() if averaged else model.plug_in(rows, known, self.estimate == "MAP")
            answer = float(self.asked(by).predict(query)[0, 1])
        except NoMode:
            answer = nan
        return {
            "examples": int((known[~hidden] != HIDDEN).sum()),
            "hidden": int(hidden.sum()),
            "right": int((known == labels)[hidden].sum()),
            "weight": float(posterior.weights.typical().mean[1]),
            "answer": answer,
            "tile": 0,
        } | NO_BITS

    def _measure_answers(self, chain: Chain[Any], t: int) -> dict[str, float]:
        asking: Any = chain.sampler
        asked = chain[t].asked
        outlook, hidden = asking.outlook(asked), len(asking.hidden) - len(asked)
        return {
            "examples": len(asking.truth) - hidden,
            "hidden": hidden,
            "right": asking.right(asked),
            "weight": nan,
            "answer": nan,
            "promised": asking.promised(asked),
            "bits": float(outlook.bits.sum()),
            "gain": float(asking.gains(asking.outlook(asked[:-1]))[asked[-1]]) if asked else nan,
            "last": asked[-1] + 1 if asked else 0,
            "tile": 0,
        }

    def matters(self, name: str) -> bool:
        """Hide what the method, the data or the parameters have no use for."""
        features = self.simulated.encoding.features if self.simulated else ()
        numbers = sum(not feature.bars for feature in features)
        mine, learns = self.mine, not self.tells
        plane = (mine or numbers == len(features) == 2) and not self.asks
        return {
            "ask_by": self.asks,
            "gain_rule": self.asks and self.ask_by == "most gain",
            "runs": self.asks and self.ask_by == "at random",
            "pointer": not self.asks,
            "points": not mine,
            "data_seed": not mine and learns,
            "labelled": self.method == "labels" or self.asks,
            "lost": self.method == "labels" or self.asks,
            "grouping": learns and (mine or numbers > 1),
            "estimate": learns and not self.asks,
            "against": learns and plane,
            "rival": learns and plane,
            "tested": learns and plane and not mine,
            "rule": learns and not self.asks,
            "prior_one": learns,
            "prior_zero": learns,
            "prior_points": learns and (mine or numbers > 0),
            "pseudo_count": learns and (mine or numbers < len(features)),
            "flip": learns and not self.asks and (mine or any(feature.levels for feature in features)),
            "query_1": plane,
            "query_2": plane,
            "shown": self.replicable,
        }.get(name, True)


NO_BITS = {"promised": nan, "bits": nan, "gain": nan, "last": 0}
ONE_POSTERIOR = {"ask_by": "most gain", "gain_rule": "right", "by_hand": "", "runs": "one"}  # what changes no posterior


@lru_cache(maxsize=64)
def _exact(settings: GenerativeSettings) -> ExactLabels:
    found: ExactLabels = settings._listed().made()
    return found
