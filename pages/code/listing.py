"""Code as HTML: the loop, what it calls beside it, the line of the beat that is under way lit, values beside lines."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from types import CodeType

from pages.code.mistakes import Mistakes
from pages.code.source import Source, source_of
from pages.code.watch import WatchedCall, Way, of_a_kind
from pages.drawing.cards import quiet

FOOT = "Read from the program that runs here, less docstrings and comments; … replaces lines that did not run."


def listing(
    way: Way,
    calls: Iterable[WatchedCall] = (),
    mistakes: Mistakes | None = None,
    notes: Mapping[str, str] | None = None,
    main: int = 0,
) -> str:
    """Return the code of one step, as far as it has come.

    Parameters
    ----------
    way : Way
        Of this kind of step.
    calls : iterable of WatchedCall
        What ran; nothing, if no step has been made yet.
    mistakes : mapping, optional
        The lines in which a wrong rule differs from the right one, by function.
    notes : mapping of str to str, optional
        What a value means, as HTML, by the name that it has in the functions that are followed.
    main : int, optional
        The beat that is under way; 0 if the step is shown whole: its beats are then lit in turn.
    """
    wrong, made = mistakes or {}, of_a_kind(calls)
    loop = "".join(
        _followed(way, code, made.get(code), wrong.get(code, frozenset()), notes or {}, main) for code in way.codes
    )
    into = [call for call in made.values() if call.depth and main in (0, call.beat)]
    into.sort(key=lambda call: call.code not in wrong)  # what has been changed comes first
    called = "".join(_called(call.source, call, wrong.get(call.code, frozenset())) for call in into)
    elsewhere = [code for code in wrong if code not in made and code not in way.codes]
    if elsewhere:
        changed = "".join(_called(source_of(code), None, wrong[code]) for code in elsewhere)
        called = f"{quiet('Changed, and at work elsewhere:')}{changed}{called}"
    beside = f"<div>{called}</div>" if called else ""
    return f'<div class="listing{" in-turn" if made and not main else ""}"><div>{loop}</div>{beside}</div>{quiet(FOOT)}'


def _followed(
    way: Way, code: CodeType, call: WatchedCall | None, wrong: frozenset[int], notes: Mapping[str, str], main: int
) -> str:
    """Return a function that is followed: the statements of its beats, with the values of those that have been."""
    source = source_of(code)
    beats = [way.beat_of(statement) for statement in source.statements]
    kept = {number for number, beat in enumerate(beats) if beat and (call is None or number in call.ran)}
    told = next((number for number, beat in enumerate(beats) if main and beat > main), len(beats))
    values = {number: value for number, value in (call.values if call else {}).items() if number < told}
    for number, statement in enumerate(source.statements):
        meant = [notes[name] for name in statement.changes if name in notes]
        if number in values and meant:
            values[number] += f" ({', '.join(meant)})"
    rows = "".join(
        _row(source, number, line, value, _look(beats[number], main, line in wrong))
        for number, line, value in _lines(source, kept, values)
        if number
    )
    return (
        f"<section><h4{_look(beats[0], main)}>{escape(source.title)}{_beside(values.get(0, ''))}</h4>{rows}</section>"
    )


def _called(source: Source, call: WatchedCall | None, wrong: frozenset[int]) -> str:
    """Return a function that is called: what ran of it, or all of it if it has been changed or is at work elsewhere."""
    statements = source.statements
    outer = {number for statement in statements for number in statement.within}
    ran = range(len(statements)) if call is None or wrong else (number for number in call.ran if number not in outer)
    rows = "".join(
        _row(source, number, line, value, _look(0, 0, line in wrong))
        for number, line, value in _lines(source, {*ran}, {**call.values, 0: ""} if call else {})
    )
    owner = source.title.rpartition(".")[0]
    return f'<section aria-label="{escape(source.title)}"><i class="owner">{escape(owner)}</i>{rows}</section>'


def _lines(source: Source, kept: set[int], values: Mapping[int, str]) -> Iterator[tuple[int, int | None, str]]:
    """Yield the lines of statements and of the statements around them, each with its statement and its value.

    Between them, one None stands for all that is left out.
    """
    statements = source.statements
    shown = sorted({0} | kept | {outer for number in kept for outer in statements[number].within})
    before = 0
    for number in shown:
        lines = statements[number].lines
        if number > before + 1:
            yield number, None, ""
        elif number > 1:
            for line in range(statements[before].lines[-1] + 1, lines[0]):
                if source.html[line] == "<b>else</b>:":
                    yield number, line, ""
        before = number
        for line in lines:
            yield number, line, values.get(number, "") if line == lines[-1] else ""


def _row(source: Source, number: int, line: int | None, value: str, look: str) -> str:
    at = source.statements[number].lines[0] if line is None else line
    if line is None:
        return f'<p style="--in: {source.indent(at)}">…</p>'
    return f'<p{look} style="--in: {source.indent(at)}"><code>{source.html[line]}</code>{_beside(value)}</p>'


def _beside(value: str) -> str:
    return f" <span>{value}</span>" if value else ""


def _look(beat: int, main: int, wrong: bool = False) -> str:
    """Return how a line looks: lit if its beat is under way, or in its turn if the step is shown whole; or wrong."""
    if main and beat == main:
        return f' class="lit{" wrong" if wrong else ""}" aria-current="step"'
    looks = [f"turn-{beat}"] if beat and not main else []
    looks += ["wrong"] if wrong else []
    return f' class="{" ".join(looks)}"' if looks else ""
