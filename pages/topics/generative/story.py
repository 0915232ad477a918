"""The story forwards: a step draws a label, and then the features of an example from that class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, ClassVar

import numpy as np

from lessons.own.examples import Examples
from lessons.topics.generative import GenerativeSettings
from pages.code.listing import listing
from pages.code.watch import Way, names, watch
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.place import Place
from pages.contract.tools import Press, Tool
from pages.drawing.cards import dart, numbered, pointing, quiet
from pages.drawing.numbers import fixed
from pages.drawing.plane import Sets, grid_places, map_rows
from pages.topics.generative import charts
from pages.topics.generative.base import Generative
from pages.topics.generative.diagram import TELL, diagram
from pages.topics.generative.film import FilmedScene, story_weights
from pages.topics.generative.inspector import answer_of, class_of, options_of, values_of
from pages.topics.generative.run import StoryRun
from pages.topics.generative.scene import GenerativeScene
from samplers.conjugate import Multinomial, Normal, Parameters, Poisson
from samplers.generative.story import Story

STORY = Way((Story.step,), names("uniform label", "return", ""))
KNOWN = quiet(
    "The story knows its own numbers. <b>Learn from these examples</b> to see how much the examples reveal of them."
)
LEARN = quiet("Learn from these examples first.")


@dataclass(frozen=True)
class StoryScene(FilmedScene):
    """Examples that the story draws."""

    makes = StoryRun
    label = "example {t} of {total}"
    tells = True
    compared = False
    tested = False

    def on_plane(self) -> tuple[str, list[tuple[str, str]], str]:
        return "The story’s own numbers", self.legend, ""

    def charts(self) -> list[Chart]:
        return [
            Chart(
                "share",
                "Draw the label",
                "{begun:|· the dart fell at }{dart}",
                "The weights of the classes end to end on a bar from 0 to 1, and the random number that chose.",
                charts.bar(),
                share=0.6,
            )
        ]

    def data(self) -> Sets:
        weights, classes = story_weights(self), self.examples.classes
        ends = np.cumsum([0, *weights])
        shown = map_rows(self.predict("truth", grid_places(), 0), -1) if self.examples.in_plane else None
        return {
            "line": {"x": ends[:-1].tolist(), "x2": ends[1:].tolist(), "k": [*range(len(classes))], "text": [*classes]},
            "dart": {"x": FLOAT32},
            "say": {"dart": FLOAT32, "begun": UINT8},
            **({"map": shown} if shown else {}),
        }

    def columns(self, start: int, stop: int) -> Columns:
        """Return the random number that chose the label of each example; none at the start."""
        now, chain = np.arange(start, stop), self.run.chain
        darts = np.array([chain.record(int(t)) if t else np.nan for t in now])
        return {("dart", "x"): darts, ("say", "dart"): darts, ("say", "begun"): now > 0}

    def coming(self, now: np.ndarray) -> np.ndarray:
        found, inside = super().coming(now), now < len(self.examples.labels)
        found[inside] = self.examples.labels[now[inside]]
        return found


def tell(scene: GenerativeScene, t: int) -> str:
    """Return the draws of example t."""
    simulated, examples = scene.settings.simulated, scene.examples
    assert simulated is not None
    weights = np.exp(simulated.story.truth().log_weights)
    if not t:
        return quiet("Nothing is drawn yet. A <b>step</b> draws a label, and then features from that class.")
    label, uniform = int(examples.labels[t - 1]), scene.run.record(t)
    chosen: Any = simulated.story.conditionals[label]
    drawn = zip(simulated.encoding.groups, chosen.groups, strict=True)
    parts = "".join(f"<p>{_distribution(examples, group, part)}</p>" for group, part in drawn)
    name, bar = class_of(examples, label), dart(options_of(examples, weights), uniform)
    return numbered(
        ("Draw y", f"{bar}<p>Random number {uniform:.3f}: {name}.</p>"),
        ("Draw x given y", f"<p>As {name} has them:</p>{parts}"),
        ("The example", f"<p>{pointing(f'point-{t}', values_of(examples, examples.values[t - 1]))}</p>"),
    )


def _distribution(examples: Examples, group: Sequence[int], part: Parameters) -> str:
    names = " and ".join(escape(examples.features[place].name) for place in group)
    if isinstance(part, Normal):
        spread = " and ".join(f"{value:.2g}" for value in part.deviations)
        means = " and ".join(fixed(value, 1) for value in part.mean)
        across = part.covariance[0, 1] / np.prod(part.deviations[:2]) if len(part.mean) > 1 else 0.0
        tilted = f", correlation {fixed(across, 1)}" if across else ""
        return f"{names} ~ Normal, mean {means}, sd {spread}{tilted}"
    if isinstance(part, Poisson):
        return f"{names} ~ Poisson, mean {fixed(part.rate, 1)}"
    levels = examples.features[group[0]].levels
    assert isinstance(part, Multinomial)
    chances = zip(levels, part.probabilities, strict=True)
    return f"{names} ~ {', '.join(f'{escape(level)} {chance:.2f}' for level, chance in chances)}"


def answer(scene: GenerativeScene, t: int) -> str:
    """Return the answer at the query, by the story's own numbers."""
    values = scene.asked
    told = answer_of(scene.examples, scene.predict("truth", values[None], t)[0])
    return f"<p>{pointing('query', values_of(scene.examples, values))}</p>{told}" + quiet("By the story’s own numbers.")


def code(scene: GenerativeScene, t: int) -> str:
    """Return the code that drew example t, as it ran."""
    run, examples = scene.run, scene.examples
    state = run.state(t - 1) if t else None
    calls = watch(STORY, lambda: run.chain.sampler.step(state, run.chain.rng(t)))[1] if t else ()
    return listing(STORY, calls, notes={"label": escape(examples.classes[int(examples.labels[t - 1])])})


class Tells(Generative):
    """The stage of the story."""

    diagram = partial(diagram, TELL)
    shows = StoryScene
    views: ClassVar = {
        "step": tell,
        "code": code,
        "known": lambda *_: KNOWN,
        "query": answer,
        "imputed": lambda *_: LEARN,
        "beside": lambda *_: LEARN,
    }

    def actions(self, place: Place[GenerativeSettings]) -> Iterable[Tool]:
        def learn() -> None:
            place.change(method="examples", points=place.t, data_seed=place.seed)
            place.move(0)

        if place.t > 1:
            yield Press("Learn from these examples", learn, ":material/school:")
