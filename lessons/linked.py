"""Addresses of places: written short, and read as they were meant when they were written.

An address holds only what differs from what it would mean without it: in a lesson, the step as it opens; in free play,
the values of ``linked.yaml``. That table never changes, so a topic can change its defaults, and every link of old still
opens what it opened. Addresses therefore need no version.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import yaml

from lessons.flow import Place
from lessons.settings.settings import SEED_HIGH, SEED_LOW, read_int, read_text
from lessons.topics import STAGES

TABLE = Path(__file__).with_suffix(".yaml")
PLACED = ("seed", "view")  # what the table has besides settings
OWN_KEYS = ("lesson", "step", "seed", "view", "t")  # what an address has besides settings


@cache
def table() -> Mapping[str, Mapping[str, Any]]:
    """Return the values of what an address leaves out: settings, ``seed`` and ``view``, by topic."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(TABLE.read_text("utf-8"))
    return found


def silent(stage: str) -> Place[Any]:
    """Return the place of an address that says nothing: free play at iteration 0."""
    known, meant = STAGES[stage], table().get(stage, {})  # a topic in the making has no links yet
    settings = known(**{name: value for name, value in meant.items() if name not in PLACED})
    view = meant.get("view", "")
    return Place(
        stage,
        settings,
        seed=meant.get("seed", Place.seed),
        view=view if view in settings.views else next(iter(settings.views)),
    )


def read(place: Place[Any], values: Mapping[str, str]) -> tuple[Place[Any], list[str]]:
    """Read an address onto the place that it would mean without its values.

    Parameters
    ----------
    place : Place
        `silent`, or a step of a lesson as it opens.
    values : mapping of str to str
        The address's parameters; those that mean nothing in this topic are ignored.

    Returns
    -------
    place : Place
        A valid one, whatever the address says.
    notes : list of str
        A sentence for each value that could not be used as it was. It quotes the value: show it as plain text.
    """
    settings, notes = read_text(type(place.settings), values, place.settings)
    there, last = place.using(settings), settings.iterations
    seed, of_seed = read_int("seed", values.get("seed", str(there.seed)), SEED_LOW, SEED_HIGH, there.seed)
    t, of_t = read_int("t", values.get("t", str(min(there.t, last))), 0, last, min(there.t, last))
    there = replace(there, seed=seed, t=t)
    notes += [note for note in (of_seed, of_t) if note]
    if "view" not in values:
        return there, notes
    if values["view"] in there.settings.views:
        return replace(there, view=values["view"]), notes
    return there, [*notes, "The inspector has no view of that name."]


def misspelt(stage: str, values: Iterable[str], more: Iterable[str] = ()) -> list[str]:
    """Return a sentence for each name in an address that looks like one of a topic's, or of `more`, but is none.

    All other names belong to others (embed, utm_source …).
    """
    known = (*OWN_KEYS, *STAGES[stage].model_fields, *more)
    close = {name: get_close_matches(name, known, 1, 0.8) for name in values if name not in known}
    said = "The link says {}, which means nothing here. Did you mean {}?"
    return [said.format(name, found[0]) for name, found in close.items() if found]


def address(place: Place[Any]) -> str:
    """Return the query string of a place without the iteration, as short as it can be; `read` leads back there."""
    if place.lesson and place.step and place.step.kind == "end":
        return place.link  # the end shows the run at which the lesson was left
    if place.lesson and place.step:
        named = {"lesson": place.lesson.id, "step": place.step.id}
        meant = _named(silent(place.stage).opened(place.lesson, place.step))
    else:
        named, meant = {}, _named(silent(place.stage))
    changed = {name: value for name, value in _named(place).items() if value != meant[name]}
    return urlencode(named | {name: _text(value) for name, value in changed.items()})


def _text(value: object) -> str:
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _named(place: Place[Any]) -> dict[str, Any]:
    """Return the names and values of a place in an address; a lesson's data have none, as the lesson may get others."""
    named = {**place.settings.model_dump(), "seed": place.seed, "view": place.view}
    if place.lesson and place.lent and named.get("own") == place.lent:
        named["own"] = ""
    return named
