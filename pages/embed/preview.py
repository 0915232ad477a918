"""The preview of a link where people share it: its title, a sentence, and the main picture at its moment."""

from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

from lessons.catalogue import topic_info
from lessons.flow import screen
from lessons.topics import STAGES
from pages.embed.host import Asked, asked
from pages.http.errors import BadAddressError
from pages.player.modules import BUILD

__all__ = ["STAGES", "metas"]
LONGEST = 200  # characters of the sentence


def metas(topic: str, values: Mapping[str, str], site: str) -> str:
    """Return OpenGraph's elements for the head of a page; none for an address that is not in order.

    Parameters
    ----------
    topic, values
        Of the address.
    site : str
        The address of the app, to which pictures need a whole one.
    """
    try:
        ask = asked(topic, values)
    except BadAddressError:
        return ""
    info, lesson = topic_info(topic), ask.place.lesson
    title = f"{lesson.title} · {info.title}" if lesson else info.title
    said = "; ".join(lesson.objectives) if lesson else info.line
    told = {
        "og:type": "website",
        "og:site_name": "Samplescope",
        "og:title": title,
        "og:description": said[:LONGEST],
        "og:image": f"{site}{picture(ask)}",
        "og:image:alt": f"{info.title}, at the moment of the link",
    }
    found = "".join(f'<meta property="{name}" content="{escape(text)}">' for name, text in told.items())
    return f'{found}<meta name="twitter:card" content="summary_large_image">'


def picture(ask: Asked) -> str:
    """Return the address of the main picture, below the app's own; without what a question withholds."""
    seen = screen(ask.place, ask.answers)
    more = {"t": ask.place.t, "as": "png", "chart": (ask.charts or seen.charts or tuple(ask.place.settings.charts))[0]}
    more |= {} if seen.captions else {"quiet": "1"}
    topic, _, query = ask.place.source.partition("?")
    return f"/play/{BUILD}/{topic}/take?{query}&{urlencode(more)}"
