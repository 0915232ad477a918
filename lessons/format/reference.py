"""The reference of all stages for instructors, made from the same models that check their lessons."""

from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from lessons.settings.settings import OWN, StageSettings, flags_of, limits
from lessons.topics import STAGES

HEAD = """\
# The stages that a lesson can play on

Written by `python -m lessons stages`; [FORMAT.md](FORMAT.md) says how a lesson is made.
"""


def reference() -> str:
    """Return the settings, views, charts and measured facts of each stage, as Markdown."""
    return "\n".join([HEAD, *(_stage(name, settings) for name, settings in STAGES.items())])


def _stage(name: str, settings: type[StageSettings]) -> str:
    lines = [
        f"## `{name}`",
        "",
        " ".join(cleandoc(settings.__doc__ or "").split()),
        "",
        f"Iterations are counted in {settings.unit}. Charts: {_listed(settings.charts)}. "
        f"Marks: {_listed(settings.marks) or 'none'}. "
        f"Can be picked: {_picks(settings.picks) or 'nothing'}. "
        f"Views: {', '.join(f'`{view}` (“{said}”)' for view, said in settings.views.items())}.",
        *(["", f"Data from a file: {_listed(('file', *settings.takes.keys))}."] if settings.takes else []),
        "",
        "| can be expected | |",
        "|---|---|",
        *(f"| `{name}` | {meaning} |" for name, meaning in settings.measured.items()),
        "",
        "| setting | as learners read it | values | |",
        "|---|---|---|---|",
        *(
            f"| `{key}` | {field.title or ''} | {_values(field)} | {field.description} |"
            for key, field in settings.model_fields.items()
            if flags_of(field).get("lesson", True)
        ),
        "",
    ]
    return "\n".join(lines)


def _values(field: FieldInfo) -> str:
    if get_origin(field.annotation) is Literal:
        said = {field.default: " (the default)", OWN: " (data from a file: the lesson's, or in goals a learner's own)"}
        return ", ".join(f"`{word}`{said.get(word, '')}" for word in get_args(field.annotation))
    if field.annotation is str:
        return f"text; “{field.default}” if left out"
    low, high = limits(field)
    return f"{low:g} to {high:g}; {field.default:g} if left out"


def _picks(picks: Mapping[str, tuple[str, ...]]) -> str:
    return "; ".join(f"in `{chart}`, by {_listed(fields)}" for chart, fields in picks.items())


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)
