"""The files of a run: what the routes would answer for it, by hundreds of iterations, each under its content's name."""

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable
from typing import Any

from pages.contract.stage import Stage
from pages.contract.waiting import patiently
from pages.publish.messages import Filed
from pages.publish.scenes import SHORT, Needed

HUNDRED = 100  # iterations of a file; packs.js has the same
BESIDE = range(-2, 11)  # iterations around a rest whose cards are made, of the view that is open there
FEW = range(2)  # of all other views
Write = Callable[[str, str], None]


def pack(content: bytes, write: Write) -> str:
    """Write bytes as a script, which pages can load from a disk as well; return the name that their content gives."""
    name = hashlib.sha256(content).hexdigest()[:20]
    text = base64.b64encode(zlib.compress(content, 9)).decode()
    write(f"packs/{name}.js", f'samplescope.take("{name}","{text}");\n')
    return name


def pack_json(found: object, write: Write) -> str:
    """Write a value as JSON."""
    return pack(json.dumps(found, separators=(",", ":"), allow_nan=False).encode(), write)


def crawl(stage: Stage[Any], run: Needed, write: Write) -> Filed:
    """Write all that a lesson shows of a run, and return where it is."""
    film = patiently(lambda: stage.film(run.settings, run.seed))
    while film.made(run.last) < run.last:
        pass
    frames = {
        str(start // HUNDRED): pack(film.packed(start, min(start + HUNDRED, run.last + 1)), write)
        for start in range(0, run.last + 1, HUNDRED)
    }
    rests = {t for _, t in run.rests}
    stills: dict[str, str] = {}
    if (still := film.still) is not None:
        stills = _by_hundreds(_around(rests, run.last, BESIDE), lambda t: patiently(lambda: still(t)), write)
    cards = {}
    for view in () if run.settings.many else run.settings.views:
        opened = {t for name, t in run.rests if name == view}
        wanted = _around(opened, run.last, BESIDE) | _around(rests, run.last, FEW)
        if opened or run.last <= SHORT:
            wanted |= {*range(min(run.last, SHORT) + 1)}

        def card(t: int, view: str = view) -> str:
            return patiently(lambda: stage.written(run.settings, run.seed, view, t))

        cards[view] = _by_hundreds(wanted, card, write)
    return {"film": pack_json(film.described(), write), "frames": frames, "stills": stills, "cards": cards}


def _around(rests: Iterable[int], last: int, beside: range) -> set[int]:
    return {t + by for t in rests for by in beside if 0 <= t + by <= last}


def _by_hundreds(wanted: Iterable[int], make: Callable[[int], object], write: Write) -> dict[str, str]:
    """Write what is made at each iteration, {iteration: it}, in a file for each hundred; return their names."""
    found: dict[int, dict[str, object]] = {}
    for t in sorted(wanted):
        found.setdefault(t // HUNDRED, {})[str(t)] = make(t)
    return {str(hundred): pack_json(some, write) for hundred, some in found.items()}
