"""Check the prose of a lesson for Markdown that the page would not show as its author means it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it.token import Token

from lessons.reader.values import Place, Report

# an escaped character, a code span, backticks that open nothing, or dollar signs
_SPANS = re.compile(r"\\.|(?P<ticks>`++)(?s:.*?)(?<!`)(?P=ticks)(?!`)|`++|\$\$?")
_MARKDOWN = re.compile(
    r"\$(?! )[^$]+(?<! )\$(?!\d)|`[^`]+`|\*+[^*]+\*+|\b_[^_]+_\b|!?\[[^\]]*\]\(|</?[a-zA-Z][^>]*>|\\[^\w\s]"
)
_NO_ALT = re.compile(r"!\[\s*\](?=[(\[])")
_NO_ADDRESS = re.compile(r"!\[[^\]]*\]\((?!https?://)(?P<target>[^)\s]*)")


class Link(NamedTuple):
    """A link that stays on the page: where it stands, and its address, which begins with #."""

    place: Place
    target: str


def links_within(tokens: Sequence[Token], lines: Sequence[str]) -> list[Link]:
    """Return the links that stay on the page, in order."""
    found = []
    for token in tokens:
        position = 0
        for child in token.children or []:
            target = str(child.attrGet("href") or "") if child.type == "link_open" else ""
            if target.startswith("#"):
                position = max(token.content.find(target, position), 0)
                found.append(Link(inline_place(token, position, lines), target))
    return found


def check_prose(tokens: Sequence[Token], lines: Sequence[str], report: Report) -> None:
    """Report unbalanced dollar signs, pictures without a text or an address, raw HTML and headings that surprise."""
    for token in tokens:
        if token.type == "heading_open":
            _check_heading(token, report)
        elif token.type == "html_block" and token.map:
            _report_html((token.map[0] + 1, first_column(lines[token.map[0]])), report)
        elif token.type == "inline":
            _check_inline(token, lines, report)


def check_plain(name: str, text: str, place: Place, report: Report) -> None:
    """Report Markdown in what is shown as it stands, on cards and in lists alike."""
    if found := _MARKDOWN.search(text):
        report(place, f"{name} is plain text, and {found[0]} would be shown as it stands; write it without Markdown")


def inline_place(token: Token, index: int, lines: Sequence[str]) -> Place:
    """Return where a character of an inline token's content stands in the file."""
    assert token.map is not None
    line = token.map[0] + token.content.count("\n", 0, index)
    start = token.content.rfind("\n", 0, index) + 1
    indent = lines[line].rfind(token.content[start:].partition("\n")[0])
    return line + 1, max(indent, 0) + index - start + 1


def _check_heading(token: Token, report: Report) -> None:
    assert token.map is not None
    if token.markup in ("=", "-"):
        report(
            (token.map[1], 1),
            f"a line of {token.markup * 3} under text makes the text a heading; put an empty line between, "
            "or begin a step with ##",
        )
    elif token.tag == "h1":
        report((token.map[0] + 1, 1), "the title stands in the front matter; a step begins with ##, not #")


def _check_inline(token: Token, lines: Sequence[str], report: Report) -> None:
    plain = _check_dollars(token, lines, report)
    for picture in _NO_ALT.finditer(plain):
        report(
            inline_place(token, picture.start(), lines),
            "this picture has no text for those who cannot see it; say what it shows: ![three tables](…)",
        )
    for picture in _NO_ADDRESS.finditer(plain):
        report(
            inline_place(token, picture.start("target"), lines),
            f"no picture can be shown from {picture['target'] or 'nowhere'}; give its address on the web: https://…",
        )
    position = 0
    for child in token.children or []:
        if child.type != "html_inline":
            continue
        found = plain.find(child.content, position)
        if found >= 0:  # else it stands in a formula, where < and > are signs
            position = found + len(child.content)
            if not child.content.startswith("</"):
                _report_html(inline_place(token, found, lines), report)


def _check_dollars(token: Token, lines: Sequence[str], report: Report) -> str:
    """Report a dollar sign without a partner; return the content with code and formulas blanked."""
    content = token.content
    plain = list(content)
    opened: re.Match[str] | None = None
    for span in _SPANS.finditer(content):
        if not span[0].startswith("$"):
            if opened is None:
                plain[span.start() : span.end()] = " " * len(span[0])
        elif opened is None:
            opened = span
        elif opened[0] == span[0]:
            plain[opened.start() : span.end()] = " " * (span.end() - opened.start())
            opened = None
    if opened is not None:
        report(
            inline_place(token, opened.start(), lines),
            f"this {opened[0]} is not closed in its paragraph; write \\$ for a dollar sign",
        )
    return "".join(plain)


def _report_html(place: Place, report: Report) -> None:
    report(place, "HTML is not shown by the page; write Markdown (and ::: instructor for a comment)")


def first_column(line: str) -> int:
    """Return the column of a line at which its text begins."""
    return len(line) - len(line.lstrip()) + 1
