"""The main picture of a moment that a learner kept."""

from __future__ import annotations

from urllib.parse import parse_qsl

from lessons.reader import STAGES, read_int, read_text
from lessons.stages.settings import SEED_HIGH, SEED_LOW
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.download.picture import picture
from pages.player.turns import one_slice

WIDE = 480  # pixels


def figure(topic: str, link: str) -> str:
    """Return the main picture of a topic's moment as SVG; "" if it is gone, or takes longer than a slice of computing.

    Parameters
    ----------
    topic : str
        Its name.
    link : str
        The query string that leads to the moment.
    """
    known, values = STAGES[topic], dict(parse_qsl(link))
    settings, _ = read_text(known, {name: values[name] for name in known.model_fields if name in values}, known())
    stage = stage_of(topic)
    if stage.missing(settings):
        return ""
    seed, _ = read_int("seed", values.get("seed", ""), SEED_LOW, SEED_HIGH, SEED_LOW)
    t, _ = read_int("t", values.get("t", ""), 0, settings.iterations, 0)
    try:
        with one_slice("my work"):
            film = stage.film(settings, seed)
            film.reach(min(t, film.total))
            return picture(film, film.charts[0].name, min(t, film.total), theme="print", wide=WIDE).decode()
    except NotYet:
        return ""
