"""The runs that a step of a published course offers, where no server makes others: the author's, or a few near it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import AfterValidator, ValidationError, WithJsonSchema
from pydantic_core import PydanticCustomError

from lessons.format.problems import Report
from lessons.format.values import Location, Values
from lessons.settings.settings import IS_OWN, OWN, SEED_HIGH, StageSettings, flags_of, is_own, limits

SEED = "seed"
MOST = 100  # runs of a step
SEEDS, CONTROLS = 2, 3  # further seeds, and controls of which other values are offered, if the author names none
_SPAN = re.compile(r"(\d+)\.\.(\d+)")
_SCHEMA = {"type": "object", "additionalProperties": {"type": ["array", "string", "number"]}}


def _listed(given: Any) -> tuple[Any, ...]:
    """Return values as a list, or as whole numbers from one to another: ``1..20``."""
    if isinstance(given, str) and (span := _SPAN.fullmatch(given)):
        first, last = map(int, span.groups())
        if 0 <= last - first < MOST:
            return tuple(range(first, last + 1))
    elif isinstance(given, list) and given and not any(isinstance(one, list | dict) for one in given):
        return tuple(given)
    elif isinstance(given, int | float) and not isinstance(given, bool):
        return (given,)
    raise PydanticCustomError("offered", f"this should be a list of values, or at most {MOST} numbers such as 1..20")


def _read(given: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    found = {name: _listed(values) for name, values in given.items()}
    if (many := prod(map(len, found.values()))) > MOST:
        raise PydanticCustomError("offered", f"these values make {many} runs; at most {MOST} are published")
    return found


Offer = Annotated[dict[str, Any], AfterValidator(_read), WithJsonSchema(_SCHEMA)]


def check_offer(offer: Mapping[str, Sequence[Any]], values: Values, model: type[StageSettings], report: Report) -> None:
    """Report settings that the stage does not have, or that have no control, and values that they cannot have."""
    for name, wanted in offer.items():
        at: Location = ("publish", name)
        if name not in model.controls:
            report(values.key_place(at), f"'{name[:40]}' is not a control of this topic: {', '.join(model.controls)}")
            continue
        for value in wanted:
            if name in model.model_fields and is_own(model.model_fields[name], value):
                report(values.place(at), f"{OWN} {IS_OWN}, which no published course has; leave it out")
                continue
            if name == SEED:
                fine = isinstance(value, int) and 0 <= value <= SEED_HIGH
            else:
                fine = _valid(model, {name: value}) is not None
            if not fine:
                report(values.place(at), f"{name} cannot be {str(value)[:40]}")


def offered(
    publish: Mapping[str, Sequence[Any]] | None, settings: StageSettings, seed: int, shown: Sequence[str]
) -> list[dict[str, Any]]:
    """Return changes of a step's settings and seed, each of a run that is published beside the step's own.

    All combinations of the values that the author names in `publish` are published; if that is None, a few of our own:
    each control that is `shown` is changed alone.
    """
    changes: Iterator[dict[str, Any]]
    if publish is not None:
        changes = (dict(zip(publish, values, strict=True)) for values in product(*publish.values()))
    else:
        changes = _nearby(settings, seed, shown)
    found = []
    for change in changes:
        there = _valid(type(settings), {**settings.model_dump(), **{n: v for n, v in change.items() if n != SEED}})
        if there is None:  # these values do not go together
            continue
        named = [name for name in change if name != SEED and getattr(there, name) != getattr(settings, name)]
        new = {name: getattr(there, name) for name in named}
        new |= {SEED: change[SEED]} if change.get(SEED, seed) != seed else {}
        if new and new not in found:
            found.append(new)
    return found


def _nearby(settings: StageSettings, seed: int, shown: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield a few changes of one control each: the next seeds, other options, half a number and twice it."""
    if SEED in shown and settings.matters(SEED):
        yield from ({SEED: seed + by} for by in range(1, SEEDS + 1) if seed + by <= SEED_HIGH)
    fields = type(settings).model_fields  # a wall of many runs costs as much as many
    names = [name for name in shown if name in fields and name != "runs" and settings.matters(name)]
    names.sort(key=lambda name: name not in settings.dials)
    for name in names[:CONTROLS]:
        yield from ({name: value} for value in _others(settings, name))


def _others(settings: StageSettings, name: str) -> list[Any]:
    field, now = type(settings).model_fields[name], getattr(settings, name)
    if get_origin(field.annotation) is Literal:
        return [option for option in get_args(field.annotation) if option not in (now, OWN)][:2]
    low, high = limits(field)
    if low is None or high is None:
        return []
    step = flags_of(field)["step"]
    near = (now / 2, now * 2) if now > 0 and low >= 0 else (now - (high - low) / 4, now + (high - low) / 4)
    on_grid = [low + round((min(max(value, low), high) - low) / step) * step for value in near]
    return [type(now)(round(value, 10)) for value in on_grid if value != now]


def _valid(model: type[StageSettings], values: dict[str, Any]) -> Any:
    try:
        return model.model_validate(values)
    except ValidationError:
        return None
