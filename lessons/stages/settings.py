"""Base of every stage's settings, and how they are read from a URL; see `lessons.stages` for each stage's."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from lessons.stages.calls import Origins
from lessons.stages.law import Law
from samplers import Chain
from samplers.recipe import Kernel

SEED_LOW, SEED_HIGH = 0, 2**32 - 1
ONE = "one"  # what the field `runs` is while no wall is shown
WALL = ("wall", "heap")  # the charts of a wall
SHOWN_CHARACTERS = 40  # of a value that came from outside, in a note about it

DIGEST = r"^([0-9a-f]{32})?$"  # of a learner's own data; there may be none

_WHOLE_NUMBER = re.compile(r"([+-]?)0*([0-9]+)")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


class StageSettings(BaseModel):
    """Settings of one stage.

    Its fields are declared by `lessons.stages.fields.quantity` and `lessons.stages.fields.choice`.

    Attributes
    ----------
    views : mapping of str to str
        The inspector's views: a lesson's name for each, and the learner's; the first is the default.
    unit : str
        What one iteration adds, in the plural.
    measured : mapping of str to str
        The names of the facts that `measure` gives, in its order, each with its meaning.
    lawful : tuple of str
        Those of the facts whose exact distribution is known, at least for some settings; see `law`.
    same : tuple of str
        Those of the facts that are the same in all runs.
    charts : tuple of str
        The names of the stage's charts.
    folds : mapping of str to tuple of str
        Controls that are folded away until they are wanted, under plain headings.
    marks : tuple of str
        The names of what can be pointed at, in the charts and from a lesson; ``table-N`` stands for any number.
    picks : mapping of str to tuple of str
        The charts whose marks a question can ask for, each with the fields of the marks' data that say which one it is.
    seeded : bool
        Whether there is any chance in a run.
    wall : int
        How many runs a wall shows, where there is one: those of a block of as many seeds.
    controls : tuple of str
        The fields that have a control on the page, and ``seed``, if it is seeded; found from the fields' flags.
    dials : tuple of str
        Those of the controls that are shown beside the charts; found from the fields' flags.
    looks : tuple of str
        The fields that change what is looked at, and never what runs; found from the fields' flags.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    views: ClassVar[Mapping[str, str]]
    unit: ClassVar[str]
    measured: ClassVar[Mapping[str, str]]
    lawful: ClassVar[tuple[str, ...]] = ()
    same: ClassVar[tuple[str, ...]] = ()
    charts: ClassVar[tuple[str, ...]]
    folds: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    marks: ClassVar[tuple[str, ...]] = ()
    picks: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    seeded: ClassVar[bool] = True
    wall: ClassVar[int] = 100
    controls: ClassVar[tuple[str, ...]]
    dials: ClassVar[tuple[str, ...]]
    looks: ClassVar[tuple[str, ...]]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Find controls, dials and looks from the flags of the fields."""
        flags = {name: flags_of(field) for name, field in cls.model_fields.items()}
        shown = tuple(name for name, flag in flags.items() if flag.get("control", True))
        cls.controls = (*shown, "seed") if cls.seeded else shown
        cls.dials = tuple(name for name, flag in flags.items() if flag.get("dial"))
        cls.looks = tuple(name for name, flag in flags.items() if flag.get("look"))
        if "runs" in flags and not set(WALL) <= set(cls.charts):
            cls.charts = (*cls.charts, *WALL)

    @classmethod
    def outcomes(cls) -> dict[str, str]:
        """Return the facts in which runs can differ, by name and in words; those with a known distribution first."""
        names = dict.fromkeys((*cls.lawful, *cls.measured))
        return {name: cls.measured[name] for name in names if name not in cls.same}

    def as_run(self) -> Self:
        """Return the settings with all that is only looked at as it is by default: the same for the same run."""
        return self.model_copy(update={name: type(self).model_fields[name].default for name in self.looks})

    @property
    @abstractmethod
    def iterations(self) -> int:
        """How many steps there are."""

    @property
    def counted_in(self) -> str:
        """The unit of an iteration as these settings are, in the plural: the stage's, unless it has two."""
        return self.unit

    @property
    def opened(self) -> int | None:
        """The step of the run that is looked at closely; None while the whole run is shown."""
        return None

    @property
    def many(self) -> str:
        """The outcome over which many runs are compared on a wall; "" while one is shown, or where there is none."""
        runs: str = getattr(self, "runs", ONE)
        return runs if runs != ONE and self.matters("runs") else ""

    @classmethod
    def first_on_wall(cls, seed: int) -> int:
        """Return the seed of the first run on the wall on which the run of this seed is."""
        return min(seed - seed % cls.wall, SEED_HIGH + 1 - cls.wall)

    def origins(self) -> Origins:
        """Return the calls that make what the sampler is built from; none where numbers say all."""
        return {}

    @abstractmethod
    def sampler(self) -> Kernel[Any, Any]:
        """Build the sampler that these settings describe."""

    @abstractmethod
    def measure(self, chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Return the named outcomes of a run at iteration t, which lessons can use."""

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the distribution over all seeds of a fact after t iterations; None if it is not known exactly."""
        return None

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


def flags_of(field: FieldInfo) -> dict[str, Any]:
    """Return the step of a field that is a number, and its flags; see `lessons.stages.fields.choice`.

    The flag ``lesson=False`` says that a lesson can't set it.  ``called`` is what a text has to be.
    """
    extra = field.json_schema_extra
    return extra if isinstance(extra, dict) else {}


def _read_field(name: str, text: str, field: FieldInfo, default: Any) -> tuple[Any, str | None]:
    if get_origin(field.annotation) is Literal:
        return _read_choice(name, text, get_args(field.annotation), default)
    if field.annotation is str:
        return _read_text(name, text, field, default)
    low, high = limits(field)
    if field.annotation is int:
        return read_int(name, text, low, high, default)
    return _read_float(name, text, low, high, default)


def _read_choice(name: str, text: str, options: tuple[str, ...], default: str) -> tuple[str, str | None]:
    if text in options:
        return text, None
    return default, f"{name} was {shortened(repr(text))}, which is not one of {', '.join(options)}; it is {default}."


def _read_text(name: str, text: str, field: FieldInfo, default: str) -> tuple[str, str | None]:
    pattern = next(rule.pattern for rule in field.metadata if hasattr(rule, "pattern"))
    if re.fullmatch(pattern[1:-1], text):
        return text, None
    return default, f"{name} was {shortened(repr(text))}, which is no {flags_of(field)['called']}; it is left out."


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
