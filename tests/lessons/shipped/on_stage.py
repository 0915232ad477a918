"""The stage of a step without a browser: the words and the numbers of its charts, its controls and its cards.

Tests of the player hold that a browser shows them as they are. The numbers along an axis are not here, as only a
browser knows them.
"""

from collections.abc import Collection, Iterator, Mapping
from html import unescape
from typing import Any

import numpy as np

from lessons.format.schema import Lesson, Step
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
    charts, open_views = shown.charts(step), shown.views(step.open, views)
    if step.choices:
        charts = [chart for chart in charts if chart.name not in lesson.charts_hidden(step)]
        open_views = [view for view in open_views if view not in (*lesson.views_hidden(step), "code")]
    return shown.screen(charts, open_views, lesson.show_for(step))


def after(lesson: Lesson, step: Step, t: int, views: Collection[str] = ()) -> claims.Screen:
    """Return the screen of a step at iteration t after its question is answered; arguments as for `before`."""
    shown = _Shown(lesson, lesson.settings_after(step), lesson.seed_for(step), t)
    open_views = shown.views(step.then.open or step.open, views)
    return shown.screen(shown.charts(step), open_views, lesson.show_for(step))


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
        cards = [*self._cards(views)]
        texts = [*map(words, cards), *self._controls(controls)]
        texts += [title for card in cards for chart in charts_of(card) for title in titles(chart["spec"])]
        for chart in charts:
            texts += [chart.title, *(key[1] for key in chart.legend), *titles(chart.spec)]
        read = {name for chart in charts for name, _ in reads(chart.spec)}
        captions = {name for chart in charts for name in chart.said}
        return claims.Screen.read(texts, [*self._numbers(read - {SAY}), *self._said(captions)])

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

    def _said(self, names: Collection[str]) -> Iterator[float]:
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
