"""What every stage's settings share, and how they are read from a URL; see `lessons.reader.stages` for each stage's."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from samplers.recipe import GibbsSampler, Stepper

SEED_LOW, SEED_HIGH = 0, 2**32 - 1
SHOWN_CHARACTERS = 40  # of a value that came from outside, in a note about it

_WHOLE_NUMBER = re.compile(r"([+-]?)0*([0-9]+)")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class StageSettings(BaseModel):
    """What one stage can be set to.

    A field is an int or a float with limits (``ge``, ``le``) and a ``step`` (and ``typed``, if a box suits it better
    than a slider), or a `Literal` of words. Each has a default, a title and a description.

    Attributes
    ----------
    views : tuple of str
        The inspector's views that a lesson may open; the first is the default.
    unit : str
        What one iteration adds, in the plural.
    measured : tuple of str
        The names of the facts that `measure` gives.
    charts : tuple of str
        The names of the stage's charts.
    controls : tuple of str
        The fields that have a control on the page, and ``seed`` where there is any chance; the other fields are set by
        what a learner does on the stage.
    dials : tuple of str
        Those of the controls that repaint the charts while they are dragged: numbers, of which a change costs little.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    views: ClassVar[tuple[str, ...]]
    unit: ClassVar[str]
    measured: ClassVar[tuple[str, ...]]
    charts: ClassVar[tuple[str, ...]]
    controls: ClassVar[tuple[str, ...]]
    dials: ClassVar[tuple[str, ...]] = ()

    @property
    def iterations(self) -> int:
        """How many steps there are."""
        raise NotImplementedError

    def sampler(self) -> GibbsSampler[Any] | Stepper[Any]:
        """Build the sampler that these settings describe."""
        raise NotImplementedError

    def measure(self, state: Any) -> dict[str, int]:
        """Return the named facts about a state that a ``run`` step may expect."""
        raise NotImplementedError

    def matters(self, name: str) -> bool:
        """Return whether a control does anything as the other settings are."""
        return True

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the next (1) or the last (-1) chapter of a run; None if it is not cut in chapters."""
        return None


Settings = TypeVar("Settings", bound=StageSettings)


def read_text(
    model: type[Settings], values: Mapping[str, str], base: Settings | None = None
) -> tuple[Settings, list[str]]:
    """Read settings from the text of a URL; whatever it holds, the settings that come out are valid.

    Parameters
    ----------
    model : type of StageSettings
        The stage's settings.
    values : mapping of str to str
        Text by name. Names that the model does not have are left alone.
    base : StageSettings, optional
        What holds where nothing usable is given; the model's defaults if left out.

    Returns
    -------
    settings : StageSettings
        Nonsense is left at the base's value, and what is out of range is moved to the nearest limit.
    notes : list of str
        One sentence for each value that was not taken as it came. They quote it: show them as plain text.
    """
    settings = base if base is not None else model()
    changes: dict[str, Any] = {}
    notes = []
    for name, field in model.model_fields.items():
        if name not in values:
            continue
        changes[name], note = _read_field(name, values[name], field, getattr(settings, name))
        if note:
            notes.append(note)
    return model.model_validate({**settings.model_dump(), **changes}), notes


def read_int(name: str, text: str, low: int, high: int, default: int) -> tuple[int, str | None]:
    """Read a whole number from the text of a URL.

    Parameters
    ----------
    name : str
        What the number is called, for the note.
    text : str
        What the URL holds.
    low, high : int
        Its limits; a number outside is moved to the nearest.
    default : int
        The value if the text is not a whole number.

    Returns
    -------
    value : int
        Always within the limits, if the default is.
    note : str or None
        One sentence if the text was not taken as it came.
    """
    match = _WHOLE_NUMBER.fullmatch(text.strip())
    if not match:
        return default, f"{name} was {shortened(repr(text))}, which is not a whole number; it is {default}."
    value = int(match[1] + match[2][:30])  # 30 digits are beyond every limit, and thousands of them would not convert
    return _clamped(name, text, value, low, high)


def shortened(text: str) -> str:
    """Cut text from outside to a length that fits in a sentence."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def limits(field: FieldInfo) -> tuple[Any, Any]:
    """Return the least and the most that a number's field allows, None where there is no limit."""
    low = next((rule.ge for rule in field.metadata if hasattr(rule, "ge")), None)
    high = next((rule.le for rule in field.metadata if hasattr(rule, "le")), None)
    return low, high


def _read_field(name: str, text: str, field: FieldInfo, default: Any) -> tuple[Any, str | None]:
    if get_origin(field.annotation) is Literal:
        return _read_choice(name, text, get_args(field.annotation), default)
    low, high = limits(field)
    if field.annotation is int:
        return read_int(name, text, low, high, default)
    return _read_float(name, text, low, high, default)


def _read_choice(name: str, text: str, options: tuple[str, ...], default: str) -> tuple[str, str | None]:
    if text in options:
        return text, None
    return default, f"{name} was {shortened(repr(text))}, which is not one of {', '.join(options)}; it is {default}."


def _read_float(name: str, text: str, low: float, high: float, default: float) -> tuple[float, str | None]:
    number = text.strip()
    if not _NUMBER.fullmatch(number):
        return default, f"{name} was {shortened(repr(text))}, which is not a number; it is {default:g}."
    value, note = _clamped(name, text, float(number), low, high)
    return float(value), note


Number = TypeVar("Number", int, float)


def _clamped(name: str, text: str, value: Number, low: Number, high: Number) -> tuple[Number, str | None]:
    if value < low:
        return low, f"{name} was {shortened(text.strip())}; the least is {low}, so it is {low}."
    if value > high:
        return high, f"{name} was {shortened(text.strip())}; the most is {high}, so it is {high}."
    return value, None
