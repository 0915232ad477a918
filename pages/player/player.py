"""The player: charts are described once, frames are sent ahead, and the browser plays them on views that stay alive.

It knows charts and frames, never a topic. What it needs to know is a `Film`; a page mounts it with `play`.
"""

from __future__ import annotations

import hashlib
import json
import struct
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from pages.player.events import Event, Need, heard
from pages.player.layout import without
from pages.player.turns import NotYet
from pages.player.vega import runtime

HERE = Path(__file__).parent
KEY = "player"  # of the component; its reports are read under it
BATCH = 240  # frames in the first message: four seconds at full speed
TYPES = ("uint8", "int16", "uint16", "float32")


@dataclass(frozen=True)
class Chart:
    """One picture of a film.

    Parameters
    ----------
    area : str
        Its name in the film's grid.
    title : str
        A few words.
    caption : str
        One sentence that says what the chart shows now; ``{name}`` is filled from the frames' column ``("say", name)``.
    alt : str
        What the chart shows, for those who cannot see it.
    spec : dict
        Vega-Lite; its data sets are named, its parameter ``frame`` (if any) is the iteration, with a fraction while
        something moves, and its parameters ``ink``, ``soft``, ``paper``, ``accent`` are the theme's colours.
    legend : sequence of (str, str)
        Pairs of a mark (``accent``, ``ink``, ``dashed``, ``dotted``, ``block``, or a colour and a kind of
        line as ``#2E8B57 dashed``, or two as ``#D1495B ramp #3B6FB6`` with the paper between) and its meaning.
    aspect : str, optional
        Width to height, say ``"4 / 3"``, where a circle must stay a circle.
    hand : str, optional
        One of the film's parameters, a place (x, y) that learners move by pressing and dragging on this chart. A mark
        that is pressed may say which it is by the field ``row`` of its data.
    """

    area: str
    title: str
    caption: str
    alt: str
    spec: Mapping[str, Any]
    legend: Sequence[tuple[str, str]] = ()
    aspect: str = ""
    hand: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields that the browser reads."""
        legend = [{"mark": mark, "text": text} for mark, text in self.legend]
        return {**vars(self), "legend": legend}


@dataclass(frozen=True)
class Dial:
    """A number that learners turn beside the charts, which follow while it is dragged.

    Attributes
    ----------
    name : str
        What is reported when it is turned.
    title, help : str
        What learners read, and what they read when they wonder.
    low, high, step, value : float
        Its limits, its steps, and where it stands.
    """

    name: str
    title: str
    help: str
    low: float
    high: float
    step: float
    value: float


@dataclass(frozen=True)
class Film:
    """A run as the player shows it.

    Parameters
    ----------
    key : str
        Which chain this is, for the same key always the same frames: with a new key the browser starts over.
    charts : sequence of Chart
        In reading order.
    areas, columns : str
        The CSS grid (``grid-template-areas`` and ``-columns``) on a wide screen; on a narrow one charts are stacked.
    data : mapping of str to mapping of str to sequence
        Data sets that do not change: {data set: {field: one value a row}}.
    frames : callable
        ``frames(start, stop)`` returns {(data set, field): array of shape (stop - start, rows)}, what changes.
        Two sets are special: ``"say"`` fills captions, and ``"past"`` adds a row a frame, with its ``t``.
    total : int
        The last iteration.
    label : str
        What an iteration is called, with ``{t}``, ``{total}`` and names of ``"say"``: ``"customer {t} of {total}"``.
    strides : sequence of (str, int)
        By how many frames Step can go, with a name each.
    before, after : bool
        Whether the run goes on before the first and after the last frame, in another film: a chapter of its own.
    still : callable, optional
        For what is drawn at rest alone: ``still(t)`` returns data sets like `data` with a field ``t`` in every row; it
        may raise `NotYet`.
    grow : callable, optional
        For frames that take time: ``grow(t)`` makes what is missing up to iteration t, stops after a moment, and
        returns up to where there are frames now. The browser asks again for the rest, and learners can stop it.
    params : mapping of str to float or (float, float), optional
        Parameters of the charts' specs, with their values now: where axes end, or places that learners move.
    stilled_by : str, optional
        What else than the iteration decides what is drawn at rest: when it changes, `still` is asked again.
    """

    key: str
    charts: Sequence[Chart]
    areas: str
    columns: str
    data: Mapping[str, Mapping[str, Sequence[Any]]]
    frames: Callable[[int, int], Mapping[tuple[str, str], np.ndarray]]
    total: int
    label: str
    strides: Sequence[tuple[str, int]] = (("1", 1),)
    before: bool = False
    after: bool = False
    still: Callable[[int], Mapping[str, Mapping[str, Sequence[Any]]]] | None = None
    grow: Callable[[int], int] | None = None
    params: Mapping[str, float | tuple[float, float]] = field(default_factory=dict)
    stilled_by: str = ""

    @property
    def chain(self) -> str:
        """The key in a few characters, which the browser sends back with all that it reports."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:16]


@dataclass
class Reel:
    """The browser's film and frames, and the iteration to which Python last sent it.

    What it holds is what it said or was sent last. A message that got lost is no harm: the browser then asks again. Nor
    is a lost report: the browser tells all of them again until a message says which one was heard last.
    """

    film: str = ""
    held: int = 0
    until: int = 0
    go: dict[str, Any] | None = None
    resting: str = ""  # for which film and iteration it was sent what is drawn at rest alone
    heard: int = 0  # the number of the report that was heard last

    def news(self, reports: Sequence[Mapping[str, Any]], chain: str) -> Iterator[Event]:
        """Yield those of the browser's reports that have not been heard yet and are not of another film."""
        for report in reports:
            if report["number"] > self.heard:
                self.heard = report["number"]
                event = heard(report, chain)
                if event:
                    yield event

    def go_to(self, t: int, *, walk: bool = False) -> None:
        """Send the learner to an iteration, at once or step by step."""
        self.go = {"token": uuid.uuid4().hex, "t": t, "walk": walk}

    def need(self, told: Need) -> None:
        """Take the browser's word for what it holds, and send up to the iteration that it wants."""
        self.held, self.until, self.resting = max(0, told.held), told.want, told.resting


def pack(head: Mapping[str, Any], columns: Mapping[tuple[str, str], np.ndarray]) -> bytes:
    """Return a message: four bytes of length, a JSON header, then each array, padded to four bytes.

    Parameters
    ----------
    head : mapping
        What JSON can hold.
    columns : mapping of (str, str) to array of shape (frames, rows)
        Of a type in `TYPES`.

    Raises
    ------
    ValueError
        If an array is of another type, since the browser could not read it.
    """
    described = []
    for (data_set, name), array in columns.items():
        if array.dtype.name not in TYPES:
            raise ValueError(f"column {data_set}.{name} is {array.dtype.name}; the player reads {', '.join(TYPES)}")
        described.append({"set": data_set, "field": name, "type": array.dtype.name, "width": array.shape[1]})
    blob = json.dumps({**head, "columns": described}, separators=(",", ":"), allow_nan=False).encode()
    blob += b" " * (-len(blob) % 4)
    parts = [struct.pack("<I", len(blob)), blob]
    for array in columns.values():
        raw = np.ascontiguousarray(array).tobytes()
        parts += [raw, b"\0" * (-len(raw) % 4)]
    return b"".join(parts)


def message(
    film: Film,
    reel: Reel,
    *,
    at: int,
    link: str,
    until: int | None = None,
    lock: Sequence[str] = (),
    hide: Sequence[str] = (),
    quiet: bool = False,
    dials: Sequence[Dial] = (),
    pause: float = 0.0,
) -> bytes:
    """Return the browser's next message: all of a new film, else the frames that it does not hold yet.

    Parameters
    ----------
    film : Film
        What to show.
    reel : Reel
        Brought up to date.
    at : int
        The iteration at which a new film opens.
    link : str
        The query string that reproduces this page, without the iteration.
    until : int, optional
        Where Play and Last stop on their way to the end.
    lock : sequence of str
        What the learner can't do yet: ``play``, ``step``, ``back``, ``scrub``; ``controls`` are dials and hands.
    hide : sequence of str
        Areas of the charts that the learner can't see yet; the others have their room.
    quiet : bool
        Whether captions are hidden.
    dials : sequence of Dial
        What the learner can turn.
    pause : float, optional
        How many seconds the browser waits before it asks for more.
    """
    if reel.film != film.key:
        reel.film, reel.held, reel.until = film.key, 0, at + BATCH
    last = min(film.total, reel.until)
    start, stop = reel.held, max(reel.held, (film.grow(last) if film.grow and last >= reel.held else last) + 1)
    head: dict[str, Any] = {
        "chain": film.chain,
        "start": start,
        "count": stop - start,
        "total": film.total,
        "label": film.label,
        "before": film.before,
        "after": film.after,
        "at": at,
        "link": link,
        "until": until,
        "lock": list(lock),
        "hide": list(hide),
        "quiet": quiet,
        "layout": without(film.areas, film.columns, hide),
        "go": reel.go,
        "params": film.params,
        "dials": [asdict(dial) for dial in dials],
        "heard": reel.heard,
        "pause": round(1e3 * pause),
    }
    if start == 0:
        charts = [chart.as_dict() for chart in film.charts]
        head |= {"charts": charts, "data": film.data}
        head["strides"] = film.strides
    if film.still and at < stop:
        head["resting"] = f"{film.chain} {film.stilled_by} {at}"
        if reel.resting != head["resting"]:
            with suppress(NotYet):  # it takes more than a slice: the browser asks again
                head["still"] = film.still(at)
                reel.resting = head["resting"]
    reel.held = stop
    return pack(head, film.frames(start, stop))


BAR = [  # what it does, its name and key, its picture
    ("first", "First (Home)", "M3 2h2v12H3zM14 2v12L6 8z"),
    ("back", "Back (left arrow)", "M12 2v12L3 8z"),
    ("play", "Play (space)", ""),
    ("step", "Step (right arrow)", "M4 2v12l9-6z"),
    ("last", "Last (End)", "M2 2v12l8-6zM11 2h2v12h-2z"),
]


def _button(act: str, name: str, path: str) -> str:
    picture = f'<svg viewBox="0 0 16 16" aria-hidden="true"><path d="{path}"/></svg>'
    if act == "play":
        picture = (
            '<svg class="start" viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2v12l9-6z"/></svg>'
            '<svg class="pause" viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2h4v12H3zM9 2h4v12H9z"/></svg>'
            '<span class="word"></span>'
        )
    return f'<button type="button" data-act="{act}" aria-label="{name}" title="{name}">{picture}</button>'


SPEEDS = "".join(f'<option value="{s}"{" selected" * (s == 2)}>{s:g} / s</option>' for s in (0.5, 1, 2, 5, 15, 60))
HTML = f"""<section class="player" aria-label="Player">
<div class="bar" data-part="bar" role="group" aria-label="Playback">{"".join(_button(*b) for b in BAR)}
<input type="range" data-part="scrub" min="0" max="0" value="0" aria-label="Iteration">
<span data-part="now"></span>
<select data-part="stride" aria-label="How far Step goes" title="How far Step goes" hidden></select>
<select data-part="speed" aria-label="Speed, iterations a second (+ and -)" title="Speed (+ and -)">{SPEEDS}</select>
<button type="button" data-act="link" title="Copy a link to exactly this">Link</button></div>
<div class="dials" data-part="dials"></div>
<div class="charts" data-part="charts"></div>
<p data-part="nothing" hidden>The charts come once you have answered.</p></section>"""

_player = st.components.v2.component(
    "samplescope_player",
    html=HTML,
    css=(HERE / "player.css").read_text(),
    js="\n".join((HERE / f"{name}.js").read_text() for name in ("canvas", "hands", "dials", "painting", "player")),
)


def play(data: bytes, film: Film, reel: Reel, hear: Callable[[Event], Sequence[str]]) -> None:
    """Mount the player with a message.

    Parameters
    ----------
    data : bytes
        See `message`.
    film : Film
        Reports of another one are dropped.
    reel : Reel
        Brought up to date.
    hear : callable
        Takes in what the learner did, and returns the names of the fragments that run again, or ``("app",)``.
    """

    def told() -> None:
        again = {part for event in reel.news(st.session_state[KEY].told, film.chain) for part in hear(event)}
        if again - {"stage"}:  # where the player is: that one runs anyway
            st.rerun("app" if "app" in again else sorted(again))

    _player(key=KEY, data=data, on_told_change=told)
    runtime()
