"""Read a short piece of YAML into plain values, and remember the place of each of them.

YAML is held to what a lesson needs: mappings, lists, text, numbers, true and false. Whatever it would silently turn
into something else (``no``, ``010``, ``1e3``, a date) is a problem that says what to write instead.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import yaml

from lessons.format.invisible import UNSEEN, name_of
from lessons.format.problems import Position, Report

Location = tuple[str | int, ...]

DEEPEST = 8  # levels of brackets; a lesson needs three
LONGEST = 20_000  # characters of one piece: enough for any lesson, and read in well under a second
LONGEST_NUMBER = 30

_OPENING = (
    yaml.BlockMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.FlowSequenceStartToken,
)
_CLOSING = (yaml.BlockEndToken, yaml.FlowMappingEndToken, yaml.FlowSequenceEndToken)
_FORBIDDEN: dict[type, str] = {
    yaml.AnchorToken: "anchors (&name) are not allowed here; write the value out",
    yaml.AliasToken: "aliases (*name) are not allowed here; write the value out, or put text in quotes",
    yaml.TagToken: "tags (!name) are not allowed here; put text in quotes",
    yaml.DirectiveToken: "directives (%NAME) are not allowed here",
    yaml.DocumentStartToken: "--- is not allowed here",
    yaml.DocumentEndToken: "... is not allowed here",
}
_QUICK = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # where PyYAML was built with libyaml, as its wheels are
_FLOW = ("while parsing a flow sequence", "while parsing a flow mapping")  # as PyYAML says
_TAB = "this is a tab; write spaces instead"
_INDENTED = "this line does not begin below the keys above it; indent it as they are"
_SAID = {  # by a part of what PyYAML says
    "<block end>, but found '<scalar>'": "this follows text in quotes; put all of it in quotes",
    "<block end>, but found '?'": _INDENTED,
    "<block end>, but found '-'": _INDENTED,
    "<block end>, but found '<block": _INDENTED,
    "<block end>": "this does not belong here; if it is text, put the whole text in quotes",
    "could not find expected ':'": "a line has a key, a colon and a value, key: value; a text of several lines is in "
    "quotes",
    "sequence entries are not allowed here": "a list begins on a line of its own: - first",
}
_UNSEEN_IN_KEY = re.compile(
    rf"(?m)^(?P<head>[^\"'#:\[\]{{}}\n]*?:?)(?P<sign>{UNSEEN.pattern})(?=[^\"'#:\n]*:(?:\s|$)|(?<=:.))"
)
_DECIMAL_COMMA = re.compile(r"(?<![\d.])([+-]?\d+),(\d+)\Z")
_WHOLE_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)")
_LEADING_ZERO = re.compile(r"([+-]?)0+([0-9]+)")
_DECIMAL_NUMBER = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_EXPONENT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]{1,3}")


class Values:
    r"""The values of one piece of YAML and their places.

    Parameters
    ----------
    text : str
        The YAML, with ``\n`` as the only line break.
    first_line : int
        The line of the file on which it begins.
    report : callable
        Takes the place and the message of each problem.

    Attributes
    ----------
    data : dict of str to object
        Values that had a problem are left out.
    broken : list of tuple
        Locations of the values that were left out: (key or index, ...).
    opening : tuple of int
        The place of the line above the YAML, which opens it; of a whole file, its first line.
    plain : dict of tuple to (str, str)
        The texts without quotes by their locations, each with what follows it on its line.
    readable : bool
        False if the text is not YAML, or not a mapping; `data` is empty then.
    """

    def __init__(self, text: str, first_line: int, report: Report) -> None:
        self.data: dict[str, Any] = {}
        self.broken: list[Location] = []
        self.plain: dict[Location, tuple[str, str]] = {}
        self.readable = False
        self._keys: dict[Location, Position] = {}
        self._values: dict[Location, Position] = {}
        self._first_line = first_line
        self._reported = False
        self._tell = report
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.opening = (max(1, first_line - 1), 1)
        node = self._compose()
        if isinstance(node, yaml.MappingNode):
            self.data = self._mapping(node, ())
            self.readable = True
        elif node is not None:
            self._report(self._place(node.start_mark.index), "this should be lines of the form key: value")
        elif not self._reported:
            self._report(self.opening, "there is nothing in here; write lines of the form key: value")

    def place(self, location: Location) -> Position:
        """Return the place of a value, or of the nearest thing around it that is there."""
        while location and location not in self._values:
            location = location[:-1]
        return self._values.get(location, self.opening)

    def key_place(self, location: Location) -> Position:
        """Return the place of the key of a value."""
        return self._keys.get(location) or self.place(location)

    def places(self) -> dict[Location, Position]:
        """Return the place of each value's key, or of the value of a list."""
        return {**self._values, **self._keys}

    def _report(self, place: Position, message: str) -> None:
        self._reported = True
        self._tell(place, message)

    def _place(self, index: int) -> Position:
        line = bisect_right(self._starts, index) - 1
        return self._first_line + line, index - self._starts[line] + 1

    def _compose(self) -> yaml.Node | None:
        if (many := len(self._text)) > LONGEST:
            self._report(self.opening, f"this holds {many:,} characters of YAML; at most {LONGEST:,} are read")
            return None
        tab = re.search(r"^ *\t", self._text, re.MULTILINE)
        if tab and self._text[tab.end() :].split("\n", 1)[0].strip():
            self._report(self._place(tab.end() - 1), _TAB)
            return None
        if unseen := _UNSEEN_IN_KEY.search(self._text):
            self._report(self._place(unseen.end("head")), _invisible(unseen["sign"]))
            return None
        try:
            return self._read(yaml.SafeLoader if "\t" in self._text else _QUICK)
        except (yaml.YAMLError, UnicodeEncodeError):  # said in the words and with the places of the slow one
            pass
        try:
            return self._read(yaml.SafeLoader)
        except yaml.reader.ReaderError as error:
            self._report(self._place(error.position), f"the character {chr(error.character)!a} is not allowed here")
        except yaml.MarkedYAMLError as error:
            self._report_syntax(error)
        return None

    def _read(self, loader: Any) -> yaml.Node | None:
        """Build the nodes, unless there is what is YAML and not allowed."""
        forbidden = list(self._forbidden(loader))
        for index, message in forbidden:
            self._report(self._place(index), message)
        return None if forbidden else yaml.compose(self._text, Loader=loader)

    def _forbidden(self, loader: Any) -> Iterator[tuple[int, str]]:
        depth = 0
        for token in yaml.scan(self._text, Loader=loader):
            depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
            if message := _FORBIDDEN.get(type(token)):
                yield token.start_mark.index, message
            if depth > DEEPEST:
                yield token.start_mark.index, "this is nested too deeply"
                return

    def _report_syntax(self, error: yaml.MarkedYAMLError) -> None:
        problem, mark = error.problem or "", error.problem_mark or error.context_mark
        if ("end of stream" in problem or "could not find" in problem) and error.context_mark:
            mark = error.context_mark  # where the quote or the line was opened says more than where it ends
        index = mark.index if mark else 0
        if (quote := self._open_quote(index)) is not None:
            index, message = quote, "this quote is not closed on its line"
        elif error.context in _FLOW and error.context_mark:
            index = error.context_mark.index
            message = f"this {self._text[index]} is not closed, or a comma is missing after it"
        elif "'\\t'" in problem:
            message = _TAB
        elif problem == "mapping values are not allowed here" and self._is_key_alone(index):
            message = _INDENTED
        elif problem == "mapping values are not allowed here":
            message = "a second ':' is not allowed here; put text that holds a colon in quotes"
        elif "unexpected end of stream" in problem:
            message = "this quote is never closed"
        else:
            said = next((words for part, words in _SAID.items() if part in problem), None)
            message = said or f"YAML cannot read this ({problem}); if it is text, put it in quotes"
        self._report(self._place(index), message)

    def _is_key_alone(self, colon: int) -> bool:
        """Return whether a colon is the first of an indented line, and so that of its key."""
        before = self._text[self._text.rfind("\n", 0, colon) + 1 : colon]
        return before[:1] == " " and ":" not in before

    def _open_quote(self, end: int) -> int | None:
        """Return the last quote of the first line, up to an index, that has an odd number of them."""
        for start, line in zip(self._starts, self._text.split("\n"), strict=True):
            if start <= end and line.count('"') % 2:
                return start + line.rindex('"')
        return None

    def _mapping(self, node: yaml.MappingNode, location: Location) -> dict[str, Any]:
        self._values[location] = self._place(node.start_mark.index)
        result: dict[str, Any] = {}
        for key, value in node.value:
            place = self._place(key.start_mark.index)
            if not isinstance(key, yaml.ScalarNode):
                self._report(place, "a key should be one word")
                continue
            inner = (*location, key.value)
            if inner in self._keys:
                self._report(place, f"the key '{key.value}' is here twice; the first is on line {self._keys[inner][0]}")
                continue
            self._keys[inner] = place
            if unseen := UNSEEN.search(key.value):
                self._report((place[0], place[1] + unseen.start()), _invisible(unseen[0]))
                self.broken.append(inner)
                continue
            try:
                result[key.value] = self._value(value, inner)
            except _UnusableError as error:
                empty = isinstance(value, yaml.ScalarNode) and not value.value
                comma = _DECIMAL_COMMA.search(self._text[: key.end_mark.index]) if empty else None
                message = f"write {comma[1]}.{comma[2]}, with a point" if comma and node.flow_style else str(error)
                self._report(place if empty else self._values[inner], message)
                self.broken.append(inner)
        return result

    def _list(self, node: yaml.SequenceNode, location: Location) -> list[Any]:
        result: list[Any] = []
        for value in node.value:
            inner = (*location, len(result))
            try:
                result.append(self._value(value, inner))
            except _UnusableError as error:
                self._report(self._values[inner], str(error))
                self.broken.append(inner)
        return result

    def _value(self, node: yaml.Node, location: Location) -> Any:
        self._values[location] = self._place(node.start_mark.index)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, location)
        if isinstance(node, yaml.SequenceNode):
            return self._list(node, location)
        assert isinstance(node, yaml.ScalarNode)
        if node.style:  # in quotes, or a block of text: it is what it says
            return node.value
        value = _plain(node.value, node.tag.rpartition(":")[2])
        if isinstance(value, str):
            self.plain[location] = value, self._text[node.end_mark.index :].partition("\n")[0]
        return value


def _invisible(sign: str) -> str:
    return f"there is an invisible sign here ({name_of(sign)}); delete it"


class _UnusableError(Exception):
    """A value that YAML would take for something else than was meant."""


def _plain(text: str, kind: str) -> Any:
    """Return the value of text without quotes, for which YAML has chosen a kind."""
    if len(text) > LONGEST_NUMBER and kind in ("int", "float"):
        raise _UnusableError("this number is too long")
    if zero := _LEADING_ZERO.fullmatch(text):
        number = zero[1] + zero[2]
        raise _UnusableError(
            f'numbers do not begin with 0 (YAML may read {text} in base 8); write {number}, or "{text}" '
            "in quotes for text"
        )
    if kind == "null":
        raise _UnusableError("there is no value here; give one, or delete the line")
    if kind == "bool":
        return _boolean(text)
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    if kind == "float" and _DECIMAL_NUMBER.fullmatch(text):
        return float(text)
    if kind == "str" and _EXPONENT.fullmatch(text):
        raise _UnusableError(f'YAML reads {text} as text; write {_written_out(text)}, or "{text}" in quotes for text')
    if kind in ("int", "float"):
        raise _UnusableError(f'YAML reads {text} as a number; write it with digits, or "{text}" in quotes for text')
    if kind == "timestamp":
        raise _UnusableError(f'YAML reads {text} as a date; write "{text}" in quotes')
    return text


def _boolean(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        meant = "true" if text.lower() in ("yes", "on", "y") else "false"
        raise _UnusableError(f'YAML reads {text} as {meant}; write {meant}, or "{text}" in quotes for text')
    return text.lower() == "true"


def _written_out(text: str) -> str:
    number = Decimal(text)
    return f"{number.normalize():f}" if abs(number.adjusted()) < LONGEST_NUMBER else "it with digits"
