"""The mode in which a path's length is one more label: drawn by a dart on a bar, beside the bar of the way back."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from lessons.topics.walk_the_hill import WalkTheHillSettings
from lessons.topics.walk_the_hill.walks import ITERATIONS
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns, Data
from pages.contract.film import Film
from pages.scenes.close_up import opened
from pages.scenes.shared import shared
from pages.topics.walk_the_hill import gist_cards, gist_charts
from pages.topics.walk_the_hill.film import WalkScene, path_film, run_film
from pages.topics.walk_the_hill.run import WalkRun
from pages.topics.walk_the_hill.walks import Walks, scene_of
from samplers.gradient.gist import MOST_STEPS, GistPath

NUMBERS = np.arange(1, MOST_STEPS + 1)
FACTS = ("least", "most", "back_least", "back_most", "length", "dart", "ratio")


class GistRun(WalkRun):
    """The iterations of a chain whose path lengths are drawn.

    Attributes
    ----------
    facts : numpy.ndarray
        How each iteration drew its length, records of shape (T + 1,) with the fields `FACTS`; NaN at the start.
    """

    def __init__(self, settings: WalkTheHillSettings, seed: int) -> None:
        self.facts = np.full(ITERATIONS + 1, np.nan, [(name, "f4") for name in FACTS])
        super().__init__(settings, seed)

    def _note(self, t: int, record: GistPath) -> None:
        super()._note(t, record)
        self.facts[t] = (*record.lengths, *record.back, record.length, record.dart, record.ratio)


@shared
def run_of(settings: WalkTheHillSettings, seed: int) -> GistRun:
    """Return the run of these settings, which sessions share."""
    return GistRun(settings, seed)


def lengths(facts: np.ndarray) -> Columns:
    """Return the columns of both bars of lengths, and of the dart, from the facts of iterations."""
    columns: Columns = {}
    low, high, lit = [], [], []
    for side in ("", "back_"):
        least, most = (facts[f"{side}{end}"][:, None] for end in ("least", "most"))
        among, many = (least <= NUMBERS) & (most >= NUMBERS), most - least + 1
        low.append(np.where(among, (NUMBERS - least) / many, np.nan))
        high.append(np.where(among, (NUMBERS - least + 1) / many, np.nan))
        lit.append(facts["length"][:, None] == NUMBERS)
    for name, parts in (("low", low), ("high", high), ("lit", lit)):
        columns["lengths", name] = np.concatenate(parts, axis=1)
    among = (facts["back_least"] <= facts["length"]) & (facts["back_most"] >= facts["length"])
    columns["dart", "x"] = facts["dart"]
    columns["say", "length"] = facts["length"]
    columns["say", "ratio"] = np.where(among, facts["ratio"], np.nan)
    columns["say", "back"] = np.where(np.isnan(facts["length"]), 0, np.where(among, 2, 1))
    return columns


def with_lengths(film: Film, facts: np.ndarray | None, run: GistRun, shown: str = "last") -> Film:
    """Return a film with the chart of both bars: of one iteration, or (None) of the iteration that a frame shows.

    Unless `shown` is ``"last"``, that is the next one, before its length is drawn: the way ``"there"`` alone, or both.
    """
    sets: Data = {
        "lengths": {
            "back": np.repeat([0, 1], MOST_STEPS).tolist(),
            "number": np.tile(NUMBERS, 2).tolist(),
            "low": FLOAT32,
            "high": FLOAT32,
            "lit": UINT8,
        },
        "dart": {"x": FLOAT32},
    }
    say, ahead = {"length": FLOAT32, "ratio": FLOAT32, "back": UINT8}, shown != "last"
    before: Any = film.columns

    def columns(start: int, stop: int) -> Columns:
        own = before(start, stop) if callable(before) else {name: values[start:stop] for name, values in before.items()}
        if ahead:
            return own | lengths(_undrawn(run.facts, start + 1, stop + 1, both=shown == "next"))
        return own | lengths(run.facts[start:stop] if facts is None else np.repeat(facts, stop - start))

    def grow(t: int) -> int:
        """Make one iteration more than the frames show."""
        made = run.grow(min(t + 1, ITERATIONS))
        return made if made == ITERATIONS else made - 1

    said = film.data["say"]
    return replace(
        film,
        key=f"{film.key} {shown}" if ahead else film.key,
        charts=[film.charts[0], _chart(ahead), *film.charts[1:]],
        data={**film.data, **sets, "say": {**said, **say}},
        columns=columns,
        grow=grow if ahead else film.grow,
    )


def _undrawn(facts: np.ndarray, start: int, stop: int, *, both: bool) -> np.ndarray:
    """Return the facts of iterations without what is drawn in them; there is none after the last."""
    found = np.full(stop - start, np.nan, facts.dtype)
    for name in ("least", "most", *(("back_least", "back_most") if both else ())):
        known = facts[name][start:stop]
        found[name][: len(known)] = known
    return found


def _chart(ahead: bool) -> Chart:
    return Chart(
        "lengths",
        "The length as a label",
        "· of the next path"
        if ahead
        else "· {back:no path yet|no way back for length |length }{length}{back:|| · ratio }{ratio}",
        "Two bars of path lengths, each as wide as its probability: of the path there, with the dart, and of the way "
        "back.",
        gist_charts.bars(),
        [("block", "drawn")],
    )


class Gists(Walks):
    """The stage of drawn path lengths."""

    makes = partial(scene_of, run_of=run_of)
    views: ClassVar = Walks.views | {"step": gist_cards.step}

    def of_run(self, scene: WalkScene) -> Film:
        run: Any = scene.run
        return with_lengths(run_film(scene), None, run, scene.settings.bars)

    def of_iteration(self, scene: WalkScene, iteration: int) -> Film:
        run: Any = scene.run
        return with_lengths(path_film(scene, iteration), run.facts[iteration : iteration + 1], run)

    def cards(self, settings: WalkTheHillSettings, seed: int, view: str, t: int) -> str:
        if view == "step" and settings.opened is not None:
            scene = self.scene(settings, seed)
            path = opened(scene.key, scene.run, settings.iteration)
            if t >= path.total:
                return gist_cards.iteration(path, settings.path_rule)
        return super().cards(settings, seed, view, t)
