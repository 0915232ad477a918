"""The stage of a step without a browser: the words and the numbers of its charts, its controls and its cards.

Tests of the player hold that a browser shows them as they are. The numbers along an axis are not here, as only a
browser knows them.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from html import unescape
from typing import Any

import numpy as np

from lessons.format.lesson import Lesson, Step
from lessons.settings.settings import StageSettings
from pages.contract.charts import Chart
from pages.contract.columns import SAY
from pages.contract.film import Film
from pages.contract.stage import Stage, stage_of
from pages.drawing.reads import reads
from tests.lessons.shipped import claims
from tests.pages.html import charts as charts_of
from tests.pages.html import words
from tests.pages.waiting import waited

FEW = 40  # rows of a set that can be read one by one


def before(lesson: Lesson, step: Step, t: int, views: Collection[str] = ()) -> claims.Screen:
    """Return the screen of a step at iteration t before its question is answered, with `views` besides the open one."""
    shown = _Shown(lesson, lesson.settings_for(step), lesson.seed_for(step), t)
    return shown.screen(*_open(shown, step, views), lesson.show_for(step))


def stated(lesson: Lesson, step: Step) -> claims.Screen:
    """Return the texts on the screen of an open question: of its charts' numbers those alone that are written."""
    shown = _Shown(lesson, lesson.settings_for(step), lesson.seed_for(step), step.at or 0)
    charts, views = _open(shown, step, ())
    captions = {name for chart in charts for name in chart.said if "captions" not in step.hide}
    numbers = [*shown.lettered(charts), *shown.said(captions)]
    return claims.Screen.read(shown.texts(charts, views, lesson.show_for(step)), numbers)


def captioned(lesson: Lesson, step: Step) -> list[claims.Number]:
    """Return the numbers that the captions of an open question write, but for those that only choose a word."""
    shown = _Shown(lesson, lesson.settings_for(step), lesson.seed_for(step), step.at or 0)
    charts, _ = _open(shown, step, ())
    written = {name for chart in charts for name in re.findall(r"\{(\w+)\}", chart.caption)}
    return [*map(claims.exactly, shown.said(written))]


def _open(shown: "_Shown", step: Step, views: Collection[str]) -> tuple[list[Chart], list[str]]:
    """Return the charts and views that a step shows until it is answered."""
    charts, open_views = shown.charts(step), shown.views(step.open, views)
    if step.choices:
        charts = [chart for chart in charts if chart.name not in shown.lesson.charts_hidden(step)]
        open_views = [view for view in open_views if view not in (*shown.lesson.views_hidden(step), "code")]
    return charts, open_views


def after(lesson: Lesson, step: Step, t: int, views: Collection[str] = ()) -> claims.Screen:
    """Return the screen of a step at iteration t after its question is answered; arguments as for `before`."""
    shown = _Shown(lesson, lesson.settings_after(step), lesson.seed_for(step), t)
    open_views = shown.views(step.then.open or step.open, views)
    return shown.screen(shown.charts(step), open_views, lesson.show_for(step))


def _names(values: Any) -> bool:
    """Return whether values are 0, 1, 2, ... or 1, 2, 3, ..., as the numbers of marks are."""
    found = sorted({value for value in np.ravel(values).tolist() if isinstance(value, int)})
    return len(found) > 2 and found in ([*range(len(found))], [*range(1, len(found) + 1)])


class _Shown:
    def __init__(self, lesson: Lesson, settings: StageSettings, seed: int, t: int) -> None:
        self.lesson, self.settings, self.seed = lesson, settings, seed
        self.stage: Stage[Any] = stage_of(lesson.stage)
        self.film: Film = waited(lambda: self.stage.film(settings, seed))
        self.t = min(t, self.film.total)
        waited(lambda: self.film.reach(self.t))

    def charts(self, step: Step) -> list[Chart]:
        """Return the charts that a step has."""
        named = self.lesson.charts_for(step) if not self.settings.many else ()
        return [chart for chart in self.film.charts if not named or chart.name in named]

    def views(self, opened: str | None, named: Collection[str]) -> list[str]:
        """Return the view that is open, and those whose names for learners are among `named`."""
        known = {} if self.settings.many else self.settings.views
        first = opened or next(iter(known), None)
        return [view for view, name in known.items() if view == first or name in named]

    def screen(self, charts: list[Chart], views: list[str], controls: Collection[str]) -> claims.Screen:
        """Return the words and numbers of these charts, views and controls."""
        read = {name for chart in charts for name, _ in reads(chart.spec)}
        captions = {name for chart in charts for name in chart.said}
        return claims.Screen.read(
            self.texts(charts, views, controls), [*self._numbers(read - {SAY}), *self.said(captions)]
        )

    def texts(self, charts: list[Chart], views: list[str], controls: Collection[str]) -> list[str]:
        """Return the words of these charts, views and controls."""
        cards = [*self._cards(views)]
        texts = [*map(words, cards), *self._controls(controls)]
        texts += [title for card in cards for chart in charts_of(card) for title in titles(chart["spec"])]
        for chart in charts:
            texts += [chart.title, *(key[1] for key in chart.legend), *titles(chart.spec)]
        return texts

    def lettered(self, charts: list[Chart]) -> Iterator[float]:
        """Yield the numbers that are written in charts, but for those that count its marks: they are names."""
        drawn = {} if self.film.still is None else waited(lambda: self.film.still(self.t))  # type: ignore[misc]
        now = self.film.frames(self.t, self.t + 1)
        for name, field in {each for chart in charts for each in reads(written(chart.spec))}:
            values = now[name, field][0] if (name, field) in now else None
            for sets in (self.film.staying, drawn):
                values = sets.get(name, {}).get(field, values) if values is None else values
            if values is not None and np.size(values) <= FEW and not _names(values):
                yield from (value for value in np.ravel(values).tolist() if isinstance(value, int | float))

    def _cards(self, views: list[str]) -> Iterator[str]:
        for view in views:
            yield self.settings.views[view]
            yield waited(lambda view=view: self.stage.written(self.settings, self.seed, view, self.t))

    def _controls(self, names: Collection[str]) -> Iterator[str]:
        for name, field in type(self.settings).model_fields.items():
            if name in names and self.settings.matters(name):
                yield f"{field.title} ; {getattr(self.settings, name)}"
        for heading, folded in self.settings.folds.items():
            if set(folded) & set(names):
                yield heading

    def said(self, names: Collection[str]) -> Iterator[float]:
        """Yield the numbers in captions."""
        for (name, column), values in self.film.frames(self.t, self.t + 1).items():
            if name == SAY and column in names:
                yield from np.ravel(values[0])[np.isfinite(np.ravel(values[0]))].tolist()

    def _numbers(self, names: Collection[str]) -> Iterator[float]:
        still = self.film.still
        drawn = {} if still is None else waited(lambda: still(self.t))
        for sets in (self.film.staying, drawn):
            for name in names & sets.keys():
                for values in sets[name].values():
                    if len(values) <= FEW:
                        yield from (value for value in values if isinstance(value, int | float))
        for (name, _), values in self.film.frames(self.t, self.t + 1).items():
            if name in names and np.size(values[0]) <= FEW:
                yield from np.ravel(values[0])[np.isfinite(np.ravel(values[0]))].tolist()


def written(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a chart without all but its text, of which it keeps the words."""
    if "layer" in spec:
        return {**spec, "layer": [written(layer) for layer in spec["layer"] if "layer" in layer or is_text(layer)]}
    return {**spec, "encoding": {name: part for name, part in spec.get("encoding", {}).items() if name == "text"}}


def is_text(spec: Mapping[str, Any]) -> bool:
    """Return whether a layer is text."""
    mark = spec["mark"]
    return (mark["type"] if isinstance(mark, Mapping) else mark) == "text"


def titles(spec: object) -> Iterator[str]:
    """Yield the titles of axes of a chart."""
    if isinstance(spec, Mapping):
        for name, part in spec.items():
            if name == "title" and isinstance(part, str):
                yield unescape(part)
            else:
                yield from titles(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from titles(part)
