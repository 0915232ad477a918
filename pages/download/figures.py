"""The pictures of a lesson's hand-out: of each step the first that shows something, with its legend."""

import base64
import html
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import numpy as np

from lessons.format.language import english_within
from lessons.format.lesson import Lesson, Step
from lessons.settings.settings import StageSettings
from pages.contract.charts import MARKS, TOLD, Chart
from pages.contract.film import Film
from pages.contract.stage import Stage
from pages.contract.waiting import NotYet
from pages.download.picture import picture
from pages.drawing.palette import THEMES

WIDE = 300  # pixels of a picture, on which its type is as large as a footnote
FEW = 20  # characters of all that is drawn
SOON, LITTLE = 20, 1 / 3  # a chart is empty if it has less than this share of the ink that it has SOON iterations later
LINES = {"solid", "dashed", "dotted"}


@dataclass
class RunPlace:
    """The place of a learner in a lesson: its settings, seed and iteration."""

    settings: StageSettings | None = None
    seed: int = 0
    t: int = 0

    def open(self, lesson: Lesson, step: Step) -> None:
        """Go to a step, as the page does."""
        settings, seed = lesson.settings_for(step), lesson.seed_for(step)
        if (settings, seed) != (self.settings, self.seed) or step.at is not None:
            self.t = step.at or 0
        self.settings, self.seed = settings, seed

    def leave(self, lesson: Lesson, step: Step) -> None:
        """Leave a step as it is once all has been done in it."""
        self.settings = lesson.settings_after(step)
        self.t = step.until or self.t + step.then.advance


class Figures:
    """The pictures of a lesson, one step after the other."""

    def __init__(self, lesson: Lesson, stage: Stage[Any]) -> None:
        self._lesson, self._stage = lesson, stage
        self._place = RunPlace()
        self._drawn: set[bytes] = set()

    def of(self, step: Step) -> str:
        """Return the main picture as a step opens; nothing if it is hidden, empty, or has been drawn before."""
        self._place.open(self._lesson, step)
        try:
            return self._patiently(step)
        finally:
            self._place.leave(self._lesson, step)

    def _patiently(self, step: Step) -> str:
        while True:  # what a page waits for in slices
            try:
                return self._figure(step)
            except NotYet as wait:
                if wait.endless:
                    return ""

    def _figure(self, step: Step) -> str:
        settings = self._place.settings
        if settings is None or self._stage.missing(settings):
            return ""
        film = self._stage.film(settings, self._place.seed)
        t = min(self._place.t, film.total)
        film.reach(t)
        told = "captions" not in step.hide
        chart = self._main(step, film)
        if chart is None:
            return ""
        svg = picture(film, chart.name, t, theme="print", told=told, wide=WIDE)
        if chart.name != step.ask.on and (svg in self._drawn or not _shows(film, chart, t, svg)):
            return ""
        self._drawn.add(svg)
        return self._with_words(film, chart, t, svg, settings, told)

    def _main(self, step: Step, film: Film) -> Chart | None:
        """Return the chart that a question asks about, or else the first of the step; None if it hides all."""
        charts = {chart.name: chart for chart in film.charts}
        if step.ask.on in charts:  # what you guess on is what you draw on
            return charts[step.ask.on]
        names = [name for name in self._lesson.charts_for(step) if name in charts] or [*charts]
        hidden = self._lesson.charts_hidden(step)
        return next((charts[name] for name in names if name not in hidden), None)

    def _with_words(self, film: Film, chart: Chart, t: int, svg: bytes, settings: StageSettings, told: bool) -> str:
        address = f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"
        ours, unit = english_within(self._lesson.language), settings.counted_as
        when = f"at {unit} {t}" if settings.opened is None else f"within {unit} {settings.opened}"
        image = f'<img src="{address}" alt="{html.escape(chart.alt)}">'
        caption = f"{html.escape(chart.title)}, {when}"
        return f"<figure{ours}>{image}<figcaption>{caption}{_legend(film, chart, t, told)}</figcaption></figure>"


def _legend(film: Film, chart: Chart, t: int, told: bool) -> str:
    """Return the keys of the marks that are drawn at an iteration; some are withheld with the captions.

    Marks for which there must be room are left out: only a browser knows.
    """
    frame, keys = film.frames(t, t + 1), []
    for mark, text, *when in chart.legend:
        if chart.reckoned.intersection(when):
            continue
        if all(told if name == TOLD else np.any(frame.get(("say", name), [1])[0]) for name in when):
            keys.append(f"<span><i {_sign(mark)}></i>{html.escape(text)}</span>")
    return f"<span class='legend'>{''.join(keys)}</span>" if keys else ""


def _sign(mark: str) -> str:
    """Return the class and style of a key's sign."""
    colors = THEMES["print"]
    first, _, last = mark.partition(" ramp ")
    if last:
        return f"class='ramp' style='background: linear-gradient(90deg, {first}, white, {last})'"
    color, kind = MARKS.get(mark, mark).split()
    color = colors.get(color, color)
    if kind in LINES:
        return f"style='border-top: 0.5mm {kind} {color}'"
    return f"class='{kind}' style='background: {color}'"


def _shows(film: Film, chart: Chart, t: int, svg: bytes) -> bool:
    """Return whether a picture shows something: no axes alone, no frames of runs that are still to come."""
    now = _drawing(svg)
    if now < FEW or t:
        return now >= FEW
    later = min(SOON, film.total)
    film.reach(later)
    return now >= LITTLE * _drawing(picture(film, chart.name, later, theme="print", wide=WIDE))


def _drawing(svg: bytes) -> int:
    """Return how much the marks of a picture draw: the characters of their paths and words."""
    groups = (group for group in ElementTree.fromstring(svg).iter() if " role-mark" in group.get("class", ""))
    return sum(_characters(mark) for group in groups for mark in group)


def _characters(mark: ElementTree.Element) -> int:
    if mark.get("opacity") == "0" or mark.get("fill-opacity") == "0":
        return 0
    if mark.tag.endswith("text"):
        return len("".join(mark.itertext()).strip())
    own = len(mark.get("d", "")) or mark.tag.endswith(("image", "line", "rect"))
    return own + sum(map(_characters, mark))
