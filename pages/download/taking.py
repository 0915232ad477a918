"""The files that a learner takes away from a moment, by their kinds."""

import io
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from lessons.catalogue import topic_info
from lessons.course.recorded import Seen, lesson_of
from lessons.settings.settings import StageSettings
from pages.contract.stage import Stage
from pages.download.draws import Nothing, as_csv, as_netcdf, draws_of
from pages.download.picture import picture
from pages.download.script import script
from pages.drawing.numbers import counted
from pages.drawing.palette import THEMES

ROOT = Path(__file__).parents[2]
SAMPLERS = ("samplers", "lessons/data")  # what a script may need beside it
FIRST = (1980, 1, 1, 0, 0, 0)  # the date of what is packed: the same files make the same archive

Made = tuple[bytes, str]  # what is sent, and its media type


def python(stage: Stage[Any], settings: StageSettings, seed: int, t: int) -> Made:
    """Return the script of a moment."""
    info = topic_info(stage.name)
    values = settings.model_dump(exclude_defaults=True)
    link = f"/{info.stage}?{urlencode({**values, 'seed': seed, 't': t})}"
    chance = f" of the run with seed {seed}" if settings.seeded else ""
    unit = settings.counted_as
    where = f"frame {t} of {unit} {settings.opened}" if settings.opened is not None else f"after {counted(t, unit)}"
    text = script(stage.moment(settings, seed, t), f"Samplescope, {info.title}: {where}{chance}.", link)
    return text.encode(), "text/x-python"


def archive(stage: Stage[Any], settings: StageSettings, seed: int, t: int) -> Made:
    """Return the script with all that it needs besides NumPy and SciPy, packed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as into:
        _put(into, "run.py", python(stage, settings, seed, t)[0])
        _put(into, "lessons/__init__.py", b"")
        for folder in SAMPLERS:
            for path in sorted((ROOT / folder).rglob("*")):
                if path.is_file() and path.suffix != ".pyc":
                    _put(into, path.relative_to(ROOT).as_posix(), path.read_bytes())
    return packed.getvalue(), "application/zip"


def _put(into: zipfile.ZipFile, name: str, held: bytes) -> None:
    into.writestr(zipfile.ZipInfo(f"samplescope/{name}", FIRST), held, zipfile.ZIP_DEFLATED)


def draws(write: Callable[..., bytes], kind: str, stage: Stage, settings: StageSettings, seed: int, t: int) -> Made:
    """Return all draws so far, as `as_csv` or `as_netcdf` writes them, with their media type."""
    moment = stage.moment(settings, seed, t)
    return write(moment, draws_of(moment, f"{stage.name} {settings.model_dump_json()} {seed}")), kind


def lesson(settings: StageSettings, seed: int, t: int, view: str) -> Made:
    """Return a lesson that opens at this moment, for an instructor to write on."""
    if view not in settings.views:
        raise Nothing("There is no view of that name.")
    try:
        return lesson_of([Seen(settings, seed, t, view)]).encode(), "text/markdown"
    except ValueError as reason:
        raise Nothing(str(reason)) from None


KINDS: Mapping[str, Callable[[Stage[Any], Any, int, int], Made]] = {
    "py": python,
    "zip": archive,
    "csv": partial(draws, as_csv, "text/csv"),
    "nc": partial(draws, as_netcdf, "application/netcdf"),
}
"""Kinds of files besides pictures, by their endings."""
PICTURES: Mapping[str, str] = {"svg": "image/svg+xml", "pdf": "application/pdf", "png": "image/png"}


def taken(stage: Stage[Any], settings: StageSettings, seed: int, t: int, more: Mapping[str, str]) -> Made:
    """Return a file to take away at iteration t, which is made.

    Parameters
    ----------
    stage, settings, seed, t
        The moment.
    more : mapping
        ``as``: the ending of the file. Of a lesson also ``view``, the one that is open. Of a picture also ``chart``,
        its name; ``theme``, whose colours it has; and ``quiet``, "1" where captions are withheld.

    Raises
    ------
    Nothing
        If there is nothing of this kind.
    """
    kind = more.get("as", "")
    if kind in KINDS:
        return KINDS[kind](stage, settings, seed, t)
    if kind == "md":
        return lesson(settings, seed, t, more.get("view", ""))
    if kind not in PICTURES:
        raise Nothing("There is no file of that kind.")
    theme, film = more.get("theme", "light"), stage.film(settings, seed)
    if theme not in THEMES or more.get("chart", "") not in (chart.name for chart in film.charts):
        raise Nothing("There is no such picture here.")
    return picture(film, more["chart"], t, kind, theme, told=more.get("quiet") != "1"), PICTURES[kind]
