"""Settings of the stage of generative classification."""

from collections.abc import Generator, Mapping
from math import nan
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from lessons.own.examples import MOST_EXAMPLES, MOST_FEATURES, OF_CLASSES, Examples
from lessons.settings.fields import OwnDigest, choice, one_or_many, quantity
from lessons.settings.lineups import LAST, LineupSettings
from lessons.settings.modes import ModeSettings
from lessons.settings.settings import SEED_HIGH
from lessons.topics.generative.asking import AskedFor
from lessons.topics.generative.labels import HiddenLabels
from lessons.topics.generative.learning import ExampleMode, Learning
from lessons.topics.generative.lineup import ExampleLineup
from lessons.topics.generative.story import Story
from samplers.diagnostics.lineup import TILES
from samplers.generative.classifier import Classifier, ClassPosterior, GenerativeModel
from samplers.generative.corrupted import flipped
from samplers.generative.features import Encoding, Feature, Grouping
from samplers.generative.stories import STORIES, Simulated
from samplers.generative.wrong import WRONG_GENERATIVE_RULES

IN_PLANE = ("equal", "unequal", "correlated", "three")  # stories of two numbers


class GenerativeSettings(ModeSettings, LineupSettings):
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

    modes: ClassVar[Mapping[str, ExampleMode]] = {
        "story": Story(),
        "examples": Learning(),
        "labels": HiddenLabels(),
        "ask": AskedFor(),
        "lineup": ExampleLineup(),
    }
    takes: ClassVar = OF_CLASSES
    needs: ClassVar = {
        "gain_rule": lambda now: now.ask_by == "most gain",
        "runs": lambda now: now.ask_by == "at random",
        "points": lambda now: not now.mine,
        "data_seed": lambda now: not now.mine,
        "grouping": lambda now: now.mine or now.numbers > 1,
        "prior_points": lambda now: now.mine or now.numbers > 0,
        "pseudo_count": lambda now: now.mine or now.numbers < len(now.features),
        "flip": lambda now: now.mine or any(feature.levels for feature in now.features),
        "tested": lambda now: now.in_plane and not now.mine,
        **dict.fromkeys(("against", "rival", "query_1", "query_2"), lambda now: now.in_plane),
        "shown": lambda now: now.replicable,
    }

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
    def mode(self) -> str:
        """The kind of step, or a lineup: the story of somebody's own examples is not known."""
        if self.lined_up:
            return "lineup"
        return "examples" if self.method in ("story", "ask") and self.mine else self.method

    @property
    def now(self) -> ExampleMode:
        return self.modes[self.mode]

    @property
    def size(self) -> int:
        """The number of examples; of own ones that are gone, as many as there may be."""
        if not self.mine:
            return self.points
        return MOST_EXAMPLES if self.unknown else len(self.own_data.labels)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features of the story; none of somebody's own examples."""
        return self.simulated.encoding.features if self.simulated else ()

    @property
    def numbers(self) -> int:
        """The number of features that are numbers."""
        return sum(not feature.bars for feature in self.features)

    @property
    def in_plane(self) -> bool:
        """Whether examples may be points in a plane: two numbers, or somebody's own."""
        return self.mine or self.numbers == len(self.features) == 2

    @property
    def replicable(self) -> bool:
        """Whether the model draws replicates of these examples: two numbers each, all labels known, no mistake."""
        return self.data in IN_PLANE and self.method == "examples" and self.rule == "right"

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
        drawn = told.examples(self.now.drawn(self), self.now.drawn_by(self, seed))
        return Examples(*drawn, told.encoding.features, told.classes)

    def encoding(self, features: tuple[Feature, ...]) -> Encoding:
        """Return how features are written as columns of the model."""
        return Encoding(features, self.grouping)

    def model(self, features: tuple[Feature, ...], classes: int) -> GenerativeModel:
        """Build the model, by the rule."""
        prior = self.encoding(features).prior(self.acting("prior_points"), self.acting("pseudo_count"))
        rule = WRONG_GENERATIVE_RULES.get(self.acting("rule"), GenerativeModel)
        zero, one = self.acting("prior_zero"), self.acting("prior_one")
        return rule(prior, classes, np.array([zero, *[one] * (classes - 1)]))

    def rows(self, examples: Examples, model: GenerativeModel) -> np.ndarray:
        """Return the examples as the model reads them, shape (N, columns)."""
        return model.read(self.encoding(examples.features).rows(examples.values))

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
