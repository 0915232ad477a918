"""Say what Pydantic found wrong in a sentence that tells an instructor what to write."""

import difflib
import re
from collections.abc import Iterable
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from lessons.format.problems import Position, Report
from lessons.format.values import Location, Values
from lessons.settings.settings import shortened

_DECIMAL_COMMA = re.compile(r"([+-]?\d+),(\d+)")
_KINDS = {
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "tuple_type": "a list, such as [first, second]",
    "dict_type": "pairs, such as {key: 1}",
    "model_type": "pairs, such as {key: 1}",
}


def did_you_mean(word: Any, options: Iterable[str]) -> str:
    """Return a hint in brackets: the option that is nearest to a word, or else all of them."""
    options = list(options)
    near = difflib.get_close_matches(str(word)[:100], options, n=1, cutoff=0.7)
    return f"(did you mean '{near[0]}'?)" if near else f"(there is: {', '.join(options) or 'nothing'})"


def key_names(model: type[BaseModel]) -> list[str]:
    """Return the keys of a model as they are written in a file."""
    return [field.alias or name for name, field in model.model_fields.items()]


def report_errors(
    error: ValidationError, values: Values, report: Report, model: type[BaseModel], under: Location = ()
) -> None:
    """Report what Pydantic found in values by a model, each at its place in the file.

    The model begins `under` a location of the values.
    """
    details = error.errors(include_url=False)
    for detail in details:
        location = (*under, *detail["loc"])
        inside = [(*under, *other["loc"]) for other in details if len(other["loc"]) > len(detail["loc"])]
        if any(other[: len(location)] == location for other in [*values.broken, *inside]):
            continue  # it follows from a problem that is reported further inside
        report(_place(detail, values, location), _sentence(detail, location, model))


def _place(detail: ErrorDetails, values: Values, location: Location) -> Position:
    if detail["type"] == "extra_forbidden":
        return values.key_place(location)
    if detail["type"] == "missing" and len(location) == 1:
        return values.opening
    return values.place(location)


def _sentence(detail: ErrorDetails, location: Location, model: type[BaseModel]) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    name, given = _name(location), _given(detail["input"])
    if kind in _KINDS:
        comma = _DECIMAL_COMMA.fullmatch(str(detail["input"])) if kind == "float_type" else None
        remedy = f"; write {comma[1]}.{comma[2]}, with a point" if comma else ""
        return f"{name} should be {_KINDS[kind]}, got {given}{remedy}"
    match kind:
        case "missing":
            return f"the key '{location[-1]}' is missing{_said_of(str(location[-1]), _around(detail, model))}"
        case "extra_forbidden":
            known = key_names(_around(detail, model))
            return f"unknown key '{shortened(str(location[-1]))}' {did_you_mean(location[-1], known)}"
        case "unknown_name" | "literal_error":
            options = context.get("options") or re.findall(r"'([^']*)'", context["expected"])
            if not options:
                return f"{name} should be {context['expected']}, got {given}"
            return f"unknown {name} {given} {did_you_mean(detail['input'], options)}"
        case "string_type" if isinstance(detail["input"], int | float):
            return f"{name} should be text, got {given}; put it in quotes"
        case "string_type":
            return f"{name} should be text, got {given}"
        case "string_pattern_mismatch":
            return f"{name} should be {_called(str(location[-1]), _around(detail, model))}, got {given}"
        case "greater_than_equal":
            return f"{name} is {given}; the least is {context['ge']:g}"
        case "less_than_equal":
            most = context["le"]
            return f"{name} is {given}; the most is {int(most) if most == int(most) else most}"
        case "too_short" | "string_too_short":
            return f"{name} is empty"
        case _:
            return f"{name}: {detail['msg']}"


def _said_of(key: str, model: type[BaseModel]) -> str:
    field = next((field for name, field in model.model_fields.items() if key in (name, field.alias)), None)
    said = (field.description if field else None) or ""
    return f": {said[:1].lower()}{said[1:].rstrip('.')}" if said else ""


def _called(key: str, model: type[BaseModel]) -> str:
    """Return a text with a pattern in words: a setting says them; any other text is a name."""
    field = model.model_fields.get(key)
    extra = field.json_schema_extra if field else None
    called = extra.get("called") if isinstance(extra, dict) else None
    return str(called) if called else "small letters, digits and hyphens, such as crp-one-update"


def _name(location: Location) -> str:
    names = [part for part in location if isinstance(part, str)]
    return shortened(names[-1]) if names else "this"


def _given(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "pairs"
    return shortened(repr(value))


def _around(detail: ErrorDetails, model: type[BaseModel]) -> type[BaseModel]:
    """Return the model of the keys among which a problem is."""
    for part in detail["loc"][:-1]:
        inner = model.model_fields[str(part)].annotation if str(part) in model.model_fields else None
        kinds = [get_args(kind)[0] if get_origin(kind) is Annotated else kind for kind in (inner, *get_args(inner))]
        models = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
        model = models[0] if models else model  # a name that an author gives stands for no model of its own
    return model
