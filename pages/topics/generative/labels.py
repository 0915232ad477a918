"""Hidden labels: a step is a sweep that redraws each of them, given all others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, ClassVar

import numpy as np

from lessons.topics.generative import GenerativeSettings
from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import GIBBS, watch
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.moment import Code
from pages.drawing.cards import dart, numbered, pointing, quiet, table
from pages.drawing.numbers import counted
from pages.drawing.plane import Sets
from pages.topics.generative import charts
from pages.topics.generative.diagram import REDRAW, diagram
from pages.topics.generative.inspector import class_of, options_of, summed
from pages.topics.generative.learning import LearningScene, Learns
from pages.topics.generative.run import LabelsRun
from pages.topics.generative.scene import GenerativeScene
from samplers import updates
from samplers.mixtures.labels import HIDDEN
from samplers.recipe import Update

# numbers that are not there yet say nothing
CAPTION = "{drawn:· no hidden label is drawn yet|· }{right}{drawn:| of }{hidden}{drawn:| hidden labels right}"


@dataclass(frozen=True)
class LabelsScene(LearningScene):
    """Sweeps over hidden labels."""

    makes = LabelsRun
    label = "sweep {t} of {total}"
    arrives = False

    @property
    def checked(self) -> bool:
        """Whether the story knows the hidden labels."""
        return self.settings.simulated is not None

    def weights_to_come(self) -> tuple[np.ndarray, np.ndarray]:
        shown, counts = super().weights_to_come()
        return np.append(shown, 0.1 * counts.sum()), counts  # room for outcomes to come, of which a class may get few

    def on_plane(self) -> tuple[str, list[tuple[str, str]], str]:
        title, marks, _ = super().on_plane()
        return title, marks, CAPTION * self.checked

    def charts(self) -> list[Chart]:
        words = "Log joint", "· {value}", "The log probability of examples and labels together."
        return [*super().charts(), Chart("trace", *words, charts.trace())]

    def data(self) -> Sets:
        found = super().data()
        said = {"right": FLOAT32, "hidden": FLOAT32, "drawn": UINT8} if self.checked else {}
        return found | {"say": found["say"] | said}

    def columns(self, start: int, stop: int) -> Columns:
        columns = super().columns(start, stop)
        if self.checked:
            hidden = self.fit.known == HIDDEN
            drawn = np.arange(start, stop) > 0
            right = (self.run.labels[start:stop] == self.examples.labels)[:, hidden].sum(axis=1)
            columns["say", "right"] = np.where(drawn, right, np.nan)
            columns["say", "hidden"] = np.where(drawn, hidden.sum(), np.nan)
            columns["say", "drawn"] = drawn
        return columns


def redraw(scene: GenerativeScene, t: int) -> str:
    """Return sweep t opened: the first label that changed."""
    examples, fit = scene.examples, scene.fit
    hidden = int((fit.known == HIDDEN).sum())
    if not hidden:
        return quiet("All labels are known: there is nothing to draw. Take fewer <b>known labels</b>.")
    if not t:
        return quiet(f"{counted(hidden, 'label')} hidden. A <b>step</b> draws each of them anew, given all others.")
    updates: list[Update] = scene.run.record(t)
    old = np.array(scene.run.state(t - 1).labels)
    changed = changed_by(updates, old)
    first = changed[0] if changed else 0
    shown, labels = updates[first], old.copy()
    for update in updates[:first]:
        labels[update.site] = update.value
    site = int(shown.site)
    example, was = pointing(f"point-{site + 1}", f"Example {site + 1}"), class_of(examples, int(old[site]))
    labels[site] = HIDDEN
    terms = fit.posterior(labels).predictive().terms(fit.rows[[site]])[0]
    names = [
        "others there",
        *(" &amp; ".join(escape(examples.features[p].name) for p in group) for group in fit.encoding.groups),
    ]
    heads = ("", *(class_of(examples, label) for label in range(len(examples.classes))))
    said = f"{len(changed)} of {hidden}" if changed else f"none of {hidden}"
    return numbered(
        (
            "Forget",
            f"<p>{example}, {was} so far.</p><p>In this sweep {said} changed.</p>",
        ),
        ("Score", table(heads, summed(names, terms))),
        ("Sample", dart(options_of(examples, shown.conditional.probabilities), float(shown.uniform or 0))),
        ("Remember", f"<p>{class_of(examples, int(shown.value))}: it counts there for the examples after it.</p>"),
    )


def changed_by(updates: Sequence[Update], labels: np.ndarray) -> list[int]:
    """Return which of a sweep's updates gave an example another label than it had."""
    return [number for number, update in enumerate(updates) if labels[update.site] != update.value]


def code(scene: GenerativeScene, t: int) -> str:
    """Return the code of a sweep's first update that changed a label, or of the first."""
    if not t or not (scene.fit.known == HIDDEN).any():
        return listing(GIBBS, mistakes=of_class(scene.fit.model))
    sampler: Any = scene.run.chain.sampler
    state, rng = scene.run.state(t - 1).copy(), scene.run.chain.rng(t)
    changed = changed_by(scene.run.record(t), state.labels)
    made = updates(sampler, state, rng)
    for _ in range(changed[0] if changed else 0):
        next(made)
    update, calls = watch(GIBBS, lambda: next(made))
    number = int(update.site) + 1
    example = pointing(f"point-{number}", f"example {number}")
    notes = {"site": example, "value": escape(scene.examples.classes[update.value])}
    return listing(GIBBS, calls, of_class(scene.fit.model), notes)


class Redraws(Learns):
    """The stage of hidden labels."""

    diagram = partial(diagram, REDRAW)
    shows = LabelsScene
    views: ClassVar = Learns.views | {"step": redraw, "code": code}

    def known(self, settings: GenerativeSettings, labels: np.ndarray, t: int) -> Any:
        return Code("state.assignments", labels) if t else labels
