"""Check the prose of a lesson for Markdown that the page would not show as its author means it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it.token import Token

from lessons.format.latex import faults
from lessons.format.links import Link
from lessons.format.mathml import brings_markup
from lessons.format.problems import Position, Report
from lessons.format.shades import SHADES

# an escaped character, a code span, backticks that open nothing, or dollar signs
_SPANS = re.compile(r"\\.|(?P<ticks>`++)(?s:.*?)(?<!`)(?P=ticks)(?!`)|`++|\$\$?")
_MARKDOWN = re.compile(
    r"\$(?! )[^$]+(?<! )\$(?!\d)|`[^`]+`|\*+[^*]+\*+|\b_[^_]+_\b|!?\[[^\]]*\]\(|</?[a-zA-Z][^>]*>|\\[^\w\s]"
)

MARKUP = "this formula would bring markup into the page; write \\lt for < and \\& for &, outside of \\text{…}"


# what asks for a number of the run: words in braces, and no set such as {1, 2} or id such as {#one}
_NUMBER = re.compile(r"\{\s*[^\W\d][\w \t]*(?::[ \t]*\d*\s*)?\}")
_BRACES = re.compile(r"\{+[^{}\n]*\}+")
_FAR = 80  # characters of a command before its braces
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?(?:\{[^{}]*\}|\[[^\[\]]*\])*\Z")  # of LaTeX, up to the braces that follow


class Blanked(NamedTuple):
    """The content of a paragraph without what is no prose.

    `plain` has blanks for code, formulas and escaped characters, and `written` for code and formulas alone; `formulas`
    are those with their indices, and `opened` is the match of a dollar sign without a partner.
    """

    plain: str
    written: str
    formulas: tuple[tuple[int, str], ...]
    opened: re.Match[str] | None


@lru_cache(maxsize=1_024)
def blanked(content: str) -> Blanked:
    """Return the content of a paragraph apart: what is prose, and what are formulas."""
    plain, written = list(content), list(content)
    formulas = []
    opened: re.Match[str] | None = None
    for span in _SPANS.finditer(content):
        if not span[0].startswith("$"):
            if opened is None:
                plain[span.start() : span.end()] = " " * len(span[0])
                if span["ticks"]:
                    written[span.start() : span.end()] = " " * len(span[0])
        elif opened is None:
            opened = span
        elif opened[0] == span[0]:
            for kept in (plain, written):
                kept[opened.start() : span.end()] = " " * (span.end() - opened.start())
            formulas.append((opened.end(), content[opened.end() : span.start()]))
            opened = None
    return Blanked("".join(plain), "".join(written), tuple(formulas), opened)


def links_within(tokens: Sequence[Token], lines: Sequence[str]) -> list[Link]:
    """Return the links and the pictures, in order; what looks like one in a formula is none."""
    found = []
    for token in tokens:
        position = 0
        for child in token.children or []:
            if child.type not in ("image", "link_open"):
                continue
            picture = child.type == "image"
            target = str(child.attrGet("src" if picture else "href") or "")
            opening = "<" if child.markup == "autolink" else "]("
            at = _find(target, opening, blanked(token.content).written, position)
            if at is None and _find(target, opening, token.content, position) is not None:
                continue  # it is in a formula
            position = position if at is None else at
            place = inline_place(token, position, lines)
            found.append(Link(place, target, picture, child.content, inline=at is not None))
    return found


def braces_within(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[tuple[Position, str, bool]]:
    """Yield the text in braces, each piece with its place and whether it asks for a number of the run.

    Braces in formulas, in code and after a command of LaTeX are left alone, and so are those of a step without an id.
    """
    for number, token in enumerate(tokens):
        if token.type != "inline" or "{" not in token.content:
            continue
        heading = tokens[number - 1] if number else token
        if heading.type == "heading_open" and heading.markup == "##" and "{#" not in token.content:
            continue
        for match in _BRACES.finditer(blanked(token.content).plain):
            if _COMMAND.search(token.content, max(0, match.start() - _FAR), match.start()) is None:
                raw = token.content[match.start() : match.end()]  # with what was blanked, as the backslash of {\mu}
                yield _place_of(raw, match.start(), token, lines), raw, _NUMBER.fullmatch(raw) is not None


def shades_within(tokens: Sequence[Token], lines: Sequence[str]) -> list[tuple[Position, str]]:
    """Return the words for shades, each with its place; those in formulas and code are left alone."""
    return [
        (_place_of(match[0], match.start(), token, lines), match[0])
        for token in tokens
        if token.type == "inline"
        for match in SHADES.finditer(blanked(token.content).plain)
    ]


def _place_of(text: str, start: int, token: Token, lines: Sequence[str]) -> Position:
    line, column = inline_place(token, start, lines)
    return line, lines[line - 1].find(text, column - 1) + 1


def _find(target: str, opening: str, text: str, position: int) -> int | None:
    """Return the place of an address in a text from a position on; None if it is not there."""
    for written in (target, unquote(target)):
        match = re.compile(re.escape(opening) + r"\s*<?(?=" + re.escape(written) + ")").search(text, position)
        if match:
            return match.end()
    return None


def check_prose(tokens: Sequence[Token], lines: Sequence[str], report: Report) -> None:
    """Report unbalanced dollar signs, formulas that cannot be drawn, raw HTML and headings that surprise."""
    for token in tokens:
        if token.type == "heading_open" and token.markup in ("=", "-") and token.map:
            line = token.markup * 3
            meant = "put an empty line between, or begin a step with ##"
            report((token.map[1], 1), f"a line of {line} under text makes the text a heading; {meant}")
        elif token.type == "html_block" and token.map:
            _report_html((token.map[0] + 1, first_column(lines[token.map[0]])), report)
        elif token.type == "inline":
            _check_inline(token, lines, report)


def check_plain(name: str, text: str, place: Position, report: Report) -> None:
    """Report Markdown in plain text, on cards and in lists alike."""
    if found := _MARKDOWN.search(text):
        report(place, f"{name} is plain text, and {found[0]} would be shown as it is; write it without Markdown")


def inline_place(token: Token, index: int, lines: Sequence[str]) -> Position:
    """Return the place in the file of a character of an inline token's content."""
    assert token.map is not None
    line = token.map[0] + token.content.count("\n", 0, index)
    start = token.content.rfind("\n", 0, index) + 1
    indent = lines[line].rfind(token.content[start:].partition("\n")[0])
    return line + 1, max(indent, 0) + index - start + 1


def _check_inline(token: Token, lines: Sequence[str], report: Report) -> None:
    plain, _, formulas, opened = blanked(token.content)
    if opened is not None:
        report(
            inline_place(token, opened.start(), lines),
            f"this {opened[0]} is not closed in its paragraph; write \\$ for a dollar sign",
        )
    for start, formula in formulas:
        _check_formula(token, start, formula, lines, report)
    position = 0
    for child in token.children or []:
        if child.type != "html_inline":
            continue
        found = plain.find(child.content, position)
        if found >= 0:  # else it is in a formula, where < and > are signs
            position = found + len(child.content)
            if not child.content.startswith("</"):
                _report_html(inline_place(token, found, lines), report)


def _check_formula(token: Token, start: int, formula: str, lines: Sequence[str], report: Report) -> None:
    """Warn of a formula that is none, as in "$5 or $6", or that cannot be drawn."""
    content, end = token.content, start + len(formula)
    alone = not content.startswith("$$", start - 2)
    if alone and formula[:1].isdigit() and (formula[-1:].isspace() or content[end + 1 : end + 2].isdigit()):
        place = inline_place(token, start - 1, lines)
        report.warn(place, f"the page sets '{formula[:30]}' as a formula; write \\$ for a dollar sign")
        return
    if brings_markup(formula):
        report(inline_place(token, start, lines), MARKUP)
    for index, fault in faults(formula):
        report.warn(inline_place(token, start + index, lines), fault)


def _report_html(place: Position, report: Report) -> None:
    report(place, "HTML is not shown by the page; write Markdown (and ::: instructor for a comment)")


def first_column(line: str) -> int:
    """Return the column of a line at which its text begins."""
    return len(line) - len(line.lstrip()) + 1
