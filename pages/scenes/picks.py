"""Points, messages and iterations that are picked out to be looked at."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pages.contract.place import Place
from pages.lesson.typed import kept, number_field
from pages.player.player import draw_again


def picks(place: Place, name: str) -> Callable[[object], None]:
    """Return a callback that sets the setting of this name and draws again the parts of the page that show it."""

    def pick(value: object) -> None:
        place.change(**{name: value})
        draw_again(["stage", "readout"])  # the stage, because the link names what is picked

    return pick


def pick_number(place: Place, name: str, label: str, most: int, **look: Any) -> None:
    """Ask for the number, from 1, of what is looked at: the setting of this name."""
    now = min(getattr(place.settings, name), most)
    look |= {"label_visibility": "collapsed"}
    number_field(place, f"inspected {name}", label, now, (1, most), kept(picks(place, name)), whole=True, **look)


def next_like(values: np.ndarray, wanted: int, t: int) -> int:
    """Return the next iteration after t with this value, else the first one of all; t if there is none."""
    found = np.flatnonzero(values == wanted)
    later = found[found > t]
    return int(later[0]) if later.size else int(found[0]) if found.size else t
