"""The main picture of a moment that a learner kept."""

from lessons.reader.recorded import seen_of
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
    seen, stage = seen_of(topic, link), stage_of(topic)
    if stage.missing(seen.settings):
        return ""
    try:
        with one_slice("my work"):
            film = stage.film(seen.settings, seen.seed)
            t = min(seen.t, film.total)
            film.reach(t)
            return picture(film, film.charts[0].name, t, theme="print", wide=WIDE).decode()
    except NotYet:
        return ""
