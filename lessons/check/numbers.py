"""Numbers in a lesson's text that its own runs give: ``{tables}``, ``{tables at 30}``, ``{mean at 30:2}``.

They are filled in as a lesson is read, so that pages, hand-outs and questions meet plain text.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from lessons.check.asked import NOT_MEASURED
from lessons.failing import words_of
from lessons.format.data_file import DataFile, given, with_data
from lessons.format.markdown import Outline, Section, outline
from lessons.format.problems import Position, Report
from lessons.format.schema import KINDS, Explain, FrontMatter, Predict, Run, StepKeys, Then
from lessons.format.values import Values
from lessons.format.wording import did_you_mean
from lessons.settings.settings import StageSettings
from lessons.topics import STAGES
from samplers.chain import Chain

DIGITS = 3  # significant ones of a number that is not whole, unless the text gives the digits after the point
FORM = "write {tables}, {tables at 30} or, with two digits after the point, {tables at 30:2}"

_ASKED = re.compile(r"(?P<name>\w+)(?:\s+at\s+(?P<at>\d{1,9}))?\s*(?::\s*(?P<digits>\d))?")
_NEARLY = re.compile(r"\{+\s*(?P<name>\w+)\b(?P<rest>[^{}]*)\}+")
_AT = re.compile(r"(?:\bat\b|[@,(\[])\s*(?:\w+\s*=\s*)?(\d{1,9})")
_DIGITS = re.compile(r"[:%]\s*\.?(\d)")


class Fill(NamedTuple):
    """A number that is filled in: its place in the file, what is written there, and what learners read."""

    place: Position
    raw: str
    shown: str


class _Moment(NamedTuple):
    """The run that a text is about, and the iteration if it is known."""

    settings: StageSettings
    seed: int
    t: int | None


class NotRunError(Exception):
    """A run that cannot be had; the message says why."""


@lru_cache(maxsize=512)
def outcomes(settings: StageSettings, seed: int, t: int) -> Mapping[str, float]:
    """Return the named outcomes of a run at iteration t.

    Raises
    ------
    NotRunError
        If there is no such run: an error of whatever kind is one of this lesson, and of no other.
    """
    try:
        return settings.measure(Chain(settings.sampler(), seed), t)
    except Exception as error:
        raise NotRunError(words_of(error)) from error


@contextmanager
def with_numbers(text: str, data: DataFile, report: Report) -> Iterator[tuple[Outline, Report]]:
    r"""Take a file apart with its numbers filled in.

    Parameters
    ----------
    text : str
        The whole file, with ``\n`` as the only line break.
    data : DataFile
        The file of data that the lesson may name.
    report : Report
        Takes all problems at their places in the file: those of the numbers, and what is reported by the end of the
        context. A line with a number that cannot be had has no other.

    Yields
    ------
    pieces : Outline
        The filled text, taken apart.
    said : Report
        Takes the problems of the filled text.
    """
    pieces = outline(text, report)
    if not (pieces.numbers or pieces.braces):
        yield pieces, report
        return
    said = Report(report.path)
    report.problems.clear()
    report.warnings.clear()
    found = _fills(pieces, data, report)
    wrong = {place[0] for place, _ in pieces.numbers} - {fill.place[0] for fill in found}
    wrong |= {problem.line for problem in report.problems}
    again = outline(_filled(text, found), said)
    for before, section in zip(pieces.sections, again.sections, strict=True):
        within = (raw for (line, _), raw in pieces.numbers if before is _section(pieces, line))
        asked = filter(None, (_ASKED.fullmatch(raw[1:-1].strip()) for raw in within))
        section.measured = tuple(dict.fromkeys(match["name"] for match in asked))
    again.links = [link._replace(place=_before(link.place, found)) for link in again.links]
    yield again, said
    for kept, new in ((report.problems, said.problems), (report.warnings, said.warnings)):
        for one in new:
            line, column = _before((one.line, one.column), found)
            kept += [replace(one, line=line, column=column)] if line not in wrong else []


def _fills(pieces: Outline, data: DataFile, report: Report) -> list[Fill]:
    """Return the numbers that a file asks for, and report those that cannot be had.

    Steps, front matter and data that are not valid are left alone: they are reported elsewhere.
    """
    found = []
    moment = _known_moments(pieces, data)
    for place, raw in pieces.numbers:
        if (run := moment(place[0])) is not None and (shown := _shown(raw, run, place, report)):
            found.append(Fill(place, raw, shown))
    for place, raw in pieces.braces:
        if (run := moment(place[0])) is not None and (meant := _meant(raw, run.settings.measured)):
            report.warn(place, f"learners would read {raw[:40]}; write {meant} for the number (and \\{{ for a brace)")
    return found


def _known_moments(pieces: Outline, data: DataFile) -> Callable[[int], _Moment | None]:
    """Return a function that finds the run and the moment of a line of a file; None if the file is not valid."""
    front = _front(pieces.front)
    held = data.held(front.data, front.stage) if front else None
    if front and front.data and held is None:
        front = None
    known: dict[int, tuple[_Moment, _Moment] | None] = {}

    def moment(line: int) -> _Moment | None:
        section = _section(pieces, line)
        if front is None or section is None:
            return None
        if section.line not in known:
            known[section.line] = _moments(section, front, given(front.stage, held) if front.data else {})
        both = known[section.line]
        return both and both[line in section.after]

    return moment


def _meant(raw: str, measured: Collection[str]) -> str:
    """Return how a number of the run is asked for that braces seem to mean; "" if they mean none."""
    match = _NEARLY.fullmatch(raw)
    if match is None or match["name"] not in measured:
        return ""
    at, digits = _AT.search(match["rest"]), _DIGITS.search(match["rest"])
    return f"{{{match['name']}{f' at {at[1]}' if at else ''}{f':{digits[1]}' if digits else ''}}}"


def _section(pieces: Outline, line: int) -> Section | None:
    """Return the step to which a line belongs."""
    return next((one for one in reversed(pieces.sections) if one.line <= line), None)


def _filled(text: str, found: Sequence[Fill]) -> str:
    """Return a file's text with its numbers."""
    lines = text.split("\n")
    for (line, column), raw, shown in sorted(found, reverse=True):
        text = lines[line - 1]
        lines[line - 1] = text[: column - 1] + shown + text[column - 1 + len(raw) :]
    return "\n".join(lines)


def _before(place: Position, found: Sequence[Fill]) -> Position:
    """Return the place in the file that belongs to a place of the filled text."""
    line, column = place
    for (_, start), raw, shown in sorted(fill for fill in found if fill.place[0] == line):
        if column < start + len(shown):
            return line, min(column, start) if column >= start else column
        column += len(raw) - len(shown)
    return line, column


def _front(text: str | None) -> FrontMatter | None:
    with suppress(ValidationError):
        return FrontMatter.model_validate(Values(text or "", 1, Report(Path())).data)
    return None


def _moments(section: Section, front: FrontMatter, begins: Mapping[str, Any]) -> tuple[_Moment, _Moment] | None:
    """Return the screen as a step opens, and once its question has been answered; None if it is not valid.

    A text of a `run` step is about the end of the run.
    """
    model, data = STAGES[front.stage], {"kind": "explain"}
    if section.block is not None:
        data = Values(section.block, section.block_line, Report(Path())).data
    kind: Any = KINDS.get(str(data.get("kind")), Explain)
    with suppress(ValidationError):
        keys: StepKeys = kind.model_validate(data)
        seed = front.seed if keys.seed is None else keys.seed
        at = keys.until if isinstance(keys, Run) else keys.at
        then = keys.then if isinstance(keys, Predict) else Then()
        first = {**front.stage_settings, **keys.settings}
        before = _Moment(model.model_validate(with_data(begins, first)), seed, at)
        after = model.model_validate(with_data(begins, {**first, **then.settings}))
        if before.settings.unknown or after.unknown:
            return None
        return before, _Moment(after, seed, None if at is None else at + then.advance)
    return None


def _shown(raw: str, moment: _Moment, place: Position, report: Report) -> str:
    """Return a number as learners read it; "" if it cannot be had, which is reported."""
    asked, settings = _ASKED.fullmatch(raw[1:-1].strip()), moment.settings
    if asked is None:
        report(place, f"{raw[:40]} is no number of a run; {FORM} (and \\{{ for a brace)")
        return ""
    name, t = asked["name"], moment.t if asked["at"] is None else int(asked["at"])
    if name not in settings.measured:
        report(place, f"unknown outcome '{name[:40]}' {did_you_mean(name, settings.measured)}")
    elif settings.opened is not None:
        report(place, NOT_MEASURED)
    elif t is None:
        report(place, f"say at which iteration, such as {{{name} at 30}}: this step has no at")
    elif t > settings.iterations:
        report(place, f"{raw[:40]} is at {t}; this step has {settings.iterations} {settings.unit}")
    else:
        try:
            value = outcomes(settings, moment.seed, t)[name]
        except NotRunError as error:
            report(place, f"{raw[:40]} cannot be computed: {error}")
            return ""
        if isfinite(value):
            return _written(value, asked["digits"])
        report(place, f"there is no {name} at {t}: it is {value}")
    return ""


def _written(value: float, digits: str | None = None) -> str:
    """Return a number as a text has it: whole ones whole, others with three significant digits if none are asked.

    From 1,000 on they have a comma; a hyphen becomes a minus sign.
    """
    if digits is not None:
        text = f"{value:,.{digits}f}"
    else:
        whole = float(value).is_integer() or abs(value) >= 10**DIGITS
        text = f"{value:,.0f}" if whole else f"{value:.{DIGITS}g}"
    return text.replace("-", "−")
