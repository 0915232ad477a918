"""The base class of every stage's settings, and how settings are read from a URL; see `lessons.topics`."""

import re
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict
from pydantic.fields import FieldInfo

from lessons.catalogue import ORDER
from lessons.own.store import MADE, found
from lessons.own.taking import FileTaking
from lessons.settings.calls import Origins
from lessons.settings.law import Law
from lessons.settings.passing import Passing
from lessons.settings.words import StageWords, words_of
from samplers import Chain
from samplers.recipe import Kernel

SEED_LOW, SEED_HIGH = 0, 2**32 - 1
OWN = "own"  # the value of the field `data` for data that the field `own` names
ONE = "one"  # the value of the field `runs` without a wall
IS_OWN = "is a learner's own data"
WALL = ("wall", "heap")  # the charts of a wall
SHOWN_CHARACTERS = 40  # the longest quote of an outside value in a note

DIGEST = r"^([0-9a-f]{32})?$"  # of data of a learner or a lesson; "" for none

_WHOLE_NUMBER = re.compile(r"([+-]?)0*([0-9]+)")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


T = TypeVar("T")


class StageSettings(BaseModel):
    """Settings of one stage.

    Its fields are declared by `lessons.settings.fields.quantity` and `lessons.settings.fields.choice`. Their words, and
    those of ``views``, ``measured`` (the outcomes that `measure` returns, in order) and ``folds``, are in the topic's
    file: see `lessons.settings.words`.

    Attributes
    ----------
    unit : str
        The word for iterations, in the plural.
    lawful : tuple of str
        The outcomes whose exact distribution is known, at least for some settings; see `law`.
    same : tuple of str
        The outcomes that are the same in all runs.
    charts : tuple of str
        The names of the stage's charts.
    marks : tuple of str
        The names of marks that charts have and lessons can point at; in ``table-N``, N is any number.
    picks : mapping of str to tuple of str
        The charts whose marks a question can ask for, each with the fields of the marks' data that identify them.
    seeded : bool
        Whether a run has any randomness.
    wall : int
        The number of runs on a wall, if there is one: those of a block of as many seeds.
    needs : mapping of str to callable
        The controls that have an effect only under a condition on the other settings, with that condition.
    takes : FileTaking or None
        How data of one's own are read, if ``own`` is an option of the field ``data``; the field ``own`` names them.
    controls : tuple of str
        The fields with a control on the page, and ``seed`` if the stage is seeded; set from the fields' flags.
    dials : tuple of str
        The controls beside the charts; set from the fields' flags.
    looks : tuple of str
        The fields that change the view and never the run; set from the fields' flags.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    views: ClassVar[Mapping[str, str]]
    unit: ClassVar[str]
    measured: ClassVar[Mapping[str, str]]
    lawful: ClassVar[tuple[str, ...]] = ()
    same: ClassVar[tuple[str, ...]] = ()
    charts: ClassVar[tuple[str, ...]]
    folds: ClassVar[Mapping[str, Sequence[str]]]
    marks: ClassVar[tuple[str, ...]] = ()
    picks: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    seeded: ClassVar[bool] = True
    wall: ClassVar[int] = 100
    needs: ClassVar[Mapping[str, Callable[[Any], bool]]] = {}
    takes: ClassVar[FileTaking | None] = None
    controls: ClassVar[tuple[str, ...]]
    dials: ClassVar[tuple[str, ...]]
    looks: ClassVar[tuple[str, ...]]

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Find controls, dials and looks from the flags of the fields; the class of a topic gets its words."""
        flags = {name: flags_of(field) for name, field in cls.model_fields.items()}
        shown = tuple(name for name, flag in flags.items() if flag.get("control", True))
        cls.controls = (*shown, "seed") if cls.seeded else shown
        cls.dials = tuple(name for name, flag in flags.items() if flag.get("dial"))
        cls.looks = tuple(name for name, flag in flags.items() if flag.get("look"))
        if "runs" in flags and not set(WALL) <= set(cls.charts):
            cls.charts = (*cls.charts, *WALL)
        if (stage := cls.__module__.rpartition(".")[2]) in ORDER:
            cls._take(words_of(stage, cls.model_fields))

    @classmethod
    def _take(cls, words: StageWords) -> None:
        cls.views, cls.measured, cls.folds = words.views, words.measured, words.folds
        for name, field in cls.model_fields.items():
            said = words.settings[name]
            field.title, field.description = said.title, said.why
            field.json_schema_extra = {**flags_of(field), "words": dict(said.words)}

    @classmethod
    def outcomes(cls) -> dict[str, str]:
        """Return the outcomes in which runs can differ, with their meanings; those with a known law come first."""
        names = dict.fromkeys((*cls.lawful, *cls.measured))
        return {name: cls.measured[name] for name in names if name not in cls.same}

    def as_run(self) -> Self:
        """Return the settings with defaults for all fields that change only the view: equal settings for equal runs."""
        return self.model_copy(update={name: type(self).model_fields[name].default for name in self.looks})

    @property
    @abstractmethod
    def iterations(self) -> int:
        """The number of iterations of a run."""

    @property
    def counted_as(self) -> str:
        """The word for one iteration with these settings; by default `unit` in the singular."""
        return self.unit.removesuffix("es" if self.unit.endswith("sses") else "s")

    @property
    def opened(self) -> int | None:
        """The step that is opened in a close-up; None while the whole run is shown."""
        return None

    @property
    def passing(self) -> Passing | None:
        """The target that a class can pass from hand to hand; None if there is none."""
        return None

    @property
    def mode(self) -> str:
        """The mode in which the topic is shown, if its stage is a table of modes; "" otherwise."""
        return ""

    @property
    def ruled(self) -> tuple[str, ...]:
        """The ids of the judge's problems whose rules can move the chain; see `lessons.settings.written`."""
        return ()

    @property
    def moves_by(self) -> str:
        """The rule that a learner wrote, by which the chain moves; "" if it moves by the right one."""
        return ""

    @property
    def many(self) -> str:
        """The outcome that a wall of many runs compares; "" without a wall."""
        runs: str = getattr(self, "runs", ONE)
        return runs if runs != ONE and self.matters("runs") else ""

    @classmethod
    def first_on_wall(cls, seed: int) -> int:
        """Return the first seed of the wall that includes this seed."""
        return min(seed - seed % cls.wall, SEED_HIGH + 1 - cls.wall)

    def origins(self) -> Origins:
        """Return the calls that make the sampler's arguments; none if all of them are numbers."""
        return {}

    @property
    def mine(self) -> bool:
        """Whether the data are a learner's own, or a lesson's."""
        return self.takes is not None and getattr(self, "data", None) == OWN

    @property
    def own_data(self) -> Any:
        """The data that these settings name, if they are somebody's own; None if they are gone."""
        assert self.takes is not None
        digest: str = getattr(self, "own", "")
        return found(digest, self.takes.kind) if digest else self.takes.none

    @property
    def unknown(self) -> bool:
        """Whether the data are somebody's own and it is not known whose: they may be as many as there can be."""
        return self.mine and (not getattr(self, "own", "") or self.own_data is None)

    def its_own(self) -> Any:
        """Return the data of somebody's own.

        Raises
        ------
        ValueError
            If they are gone, or were never there.
        """
        data = self.own_data
        if data is None:
            raise ValueError("it needs data from a file, and there are none")
        return data

    def made_of_own(self, make: Callable[[Any], T], *names: str) -> T:
        """Return a thing made of somebody's own data, once for all whose data and settings of these names agree.

        See `its_own` for what this raises.
        """
        data = self.its_own()
        key = f"{type(self).__name__} {getattr(self, 'own', '')} {self.model_dump_json(include={*names})}"
        made: T = MADE.shared(key, lambda: make(data))
        return made

    def lacking(self) -> str:
        """Return why a run is not possible on the data that are there, in sentences with a remedy; "" if it is."""
        return ""

    @abstractmethod
    def sampler(self) -> Kernel[Any, Any]:
        """Build the sampler that these settings describe."""

    @abstractmethod
    def measure(self, chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Return the outcomes of a run at iteration t, by name, for lessons."""

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the exact distribution of an outcome after t iterations, over all seeds; None if it is not known."""
        return None

    def matters(self, name: str) -> bool:
        """Return whether a control has an effect, given the other settings."""
        need = self.needs.get(name)
        return need is None or need(self)

    def acting(self, name: str) -> Any:
        """Return the value of a setting, or its default while its control has no effect and is not there."""
        return getattr(self, name) if self.matters(name) else type(self).model_fields[name].default

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the next (1) or the previous (-1) chapter of a run; None if there is none."""
        return None


Settings = TypeVar("Settings", bound=StageSettings)


def read_text(
    model: type[Settings], values: Mapping[str, str], base: Settings | None = None
) -> tuple[Settings, list[str]]:
    """Read settings from the text of a URL; the result is always valid.

    Parameters
    ----------
    model : type of StageSettings
        The stage's settings.
    values : mapping of str to str
        Text by name. Unknown names are ignored.
    base : StageSettings, optional
        The settings for missing or unusable values; the model's defaults if left out.

    Returns
    -------
    settings : StageSettings
        An unusable value keeps the base's value, and one out of range becomes the nearest limit.
    notes : list of str
        A sentence for each value that was changed. It quotes the value: show it as plain text.
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
        The name of the number, for the note.
    text : str
        The text in the URL.
    low, high : int
        The limits; a number outside becomes the nearest limit.
    default : int
        The value if the text is not a whole number.

    Returns
    -------
    value : int
        The number, within the limits if the default is.
    note : str or None
        A sentence if the number was changed.
    """
    match = _WHOLE_NUMBER.fullmatch(text.strip())
    if not match:
        return default, f"{name} was {shortened(repr(text))}, which is not a whole number; it is {default}."
    value = int(match[1] + match[2][:30])  # 30 digits exceed every limit; Python does not convert thousands
    return _clamped(name, text, value, low, high)


def shortened(text: str) -> str:
    """Shorten text from outside to fit into a sentence."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def limits(field: FieldInfo) -> tuple[Any, Any]:
    """Return the lowest and the highest value of a number's field, None without a limit."""
    low = next((rule.ge for rule in field.metadata if hasattr(rule, "ge")), None)
    high = next((rule.le for rule in field.metadata if hasattr(rule, "le")), None)
    return low, high


def is_own(field: FieldInfo, value: Any) -> bool:
    """Return whether a field's value stands for a learner's own data."""
    return value == OWN and OWN in get_args(field.annotation)


def flags_of(field: FieldInfo) -> dict[str, Any]:
    """Return a field's flags, the step of a number, and the words of options; see `lessons.settings.fields.choice`.

    With the flag ``lesson=False``, lessons cannot set the field. ``called`` describes a valid text.
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
