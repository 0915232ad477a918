r"""One rule for prose: a sign of Markdown, LaTeX or another program that is left once the text is parsed.

Learners read such a sign as it is: ``**bold``, ``[x][nope]``, ``x^2^``, ``\textbf{x}``.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from lessons.format.latex import COMMANDS
from lessons.format.problems import Report
from lessons.format.prose import blanked, inline_place
from lessons.format.wording import did_you_mean

_PARSED = "\ufffc"  # stands for what was read: code, links, emphasis, escaped signs
_HUES = ("red", "orange", "yellow", "green", "blue", "violet", "gray", "grey", "rainbow", "primary")
DIRECTIVES = (
    *_HUES,
    *(f"{hue}-{kind}" for hue in _HUES for kind in ("background", "badge")),
    "color",
    "small",
    "shimmer",
)
_INSTEAD = {
    **dict.fromkeys(("textbf", "mathbf", "bf"), "**bold**"),
    **dict.fromkeys(("emph", "textit", "it", "em"), "*emphasis*"),
    **dict.fromkeys(("texttt", "verb"), "`code`"),
    **dict.fromkeys(("begin", "end"), "a large formula between $$ on lines of their own, a list with - and a blank"),
    "item": "- and a blank before each item",
    **dict.fromkeys(("section", "subsection", "chapter"), "## Its title {#its-id}"),
    **dict.fromkeys(("url", "href"), "[words](https://…)"),
    "footnote": "[^1], and on a line of its own [^1]: the note",
    "includegraphics": "![what it shows](its-name.png)",
}
NO_CHOICE = "this looks like a choice; begin it with a hyphen, a blank and its box: - [x] or - [ ]"
_LOOKS_LIKE_A_CHOICE = re.compile(r"\s*(?:[–—−•‣·▪◦●○]\s*|[-*+]\u00a0+|[-*+]|(?=\[[ xX]?\]\s+[^(]))\[[ xX]?\]\s+\S")
_TEX = re.compile(  # code, and a backslash that is escaped, stay as they are
    r"(?P<ticks>`+).*?(?P=ticks)|\\\\|\\\((?P<small>.{1,400}?)\\\)"
    r"|\\\[(?P<large>[^\]]{0,400}?(?:\\[a-zA-Z]|[\^_=+]).{0,400}?)\\\]",
    re.DOTALL,
)
_BARE = re.compile(r"(?<![(\[])https?://[^\s)\]]+")  # the page makes a link of it
_NOTE = re.compile(r" {0,3}\[\^(?P<name>[^\]\s]+)\]:")
_NOTED = re.compile(r"\[\^(?P<name>[^\]\s]+)\](?!:)")
_ANY = re.compile(r"(?m)[*_`~=^|{}\\\[\]:!#&–—•‣▪◦·●○]|^-|^\d+[.)]")  # without one of these there is nothing to find
_ROW = re.compile(r"(?m)^[ \t]*(?:\|(?:[^|\n]*\|){2,}|(?=[|: \t]*-)(?=[: \t-]*\|)[|: \t-]+)[ \t]*$")
_FAR = 2_000  # characters within which a bracket is closed


class _Sign(NamedTuple):
    """A sign that learners would read: how it looks, and what to write instead, by its match or always.

    No message means that this one is as it should be. `lost` says that more than a sign is lost with it, so that it is
    a problem.
    """

    looks: re.Pattern[str]
    instead: str | Callable[[re.Match[str]], str]
    lost: bool = False
    least: int = 1  # how many make it one


def _sign(looks: str, instead: str | Callable[[re.Match[str]], str], *, lost: bool = False, least: int = 1) -> _Sign:
    return _Sign(re.compile(looks, re.MULTILINE), instead, lost, least)


def _address(match: re.Match[str]) -> str:
    what, target = ("picture" if match[0].startswith("!") else "link"), match["target"].strip()
    if " " in target:
        return (
            f"a blank ends an address, and this {what} is not shown; write <{target}> or {target.replace(' ', '%20')}"
        )
    return f"this {what} is not shown; write {'!' * (what == 'picture')}[words](address), with nothing else in it"


def _latex(match: re.Match[str]) -> str:
    name = match["name"]
    if instead := _INSTEAD.get(name):
        return f"this is LaTeX outside of $…$, and learners would read \\{name}; write {instead}"
    if name in COMMANDS or match[0].endswith("{"):
        formula = f"\\{name[:40]}{'{…}' * match[0].endswith('{')}"
        return f"this is LaTeX outside of $…$, and learners would read {formula}; write ${formula}$"
    return ""


def _directive(match: re.Match[str]) -> str:
    name = match["name"]
    if name not in DIRECTIVES:
        near = did_you_mean(name, DIRECTIVES)
        return f"unknown colour '{name[:40]}' {near if near.startswith('(did') else did_you_mean(name, _HUES)}"
    if match["blank"]:
        return f"no blank goes between :{name} and its bracket"
    depth = 0
    for sign in match.string[match.end() - 1 : match.end() + _FAR]:
        depth += (sign == "[") - (sign == "]")
        if depth == 0:
            return ""
    return f"this :{name}[ is not closed in its paragraph; end it with ]"


def _icon(match: re.Match[str]) -> str:
    if not match["end"]:
        return f"an icon ends with a colon: :material/{match['name'] or 'casino'}:"
    return "" if match["name"] in icons() else f"unknown icon '{match['name'][:40]}'{_near_icon(match['name'])}"


@cache
def _near_icon(name: str) -> str:
    hint = did_you_mean(name, sorted(icons()))
    return f" {hint}" if hint.startswith("(did") else "; their names are at fonts.google.com/icons"


@cache
def icons() -> frozenset[str]:
    """Return the names of all icons that the page knows."""
    return frozenset((Path(__file__).parent / "icons.txt").read_text("utf-8").split())


def _alone(sign: str) -> str:
    written = "".join(f"\\{each}" for each in sign)
    return f"this {sign} has no partner, and learners would read it; close it, or write {written} for the sign"


_SIGNS = (
    # what hides more than a sign
    _sign(r"!?\[[^\[\]\n]*\]\((?P<target>[^()\n]*)\)?", _address, lost=True),
    _sign(r"^##[^\s#].*\{#.*", lambda match: f"a blank goes after ##: ## {match[0].lstrip('#')[:40]}", lost=True),
    # links, notes
    _sign(r"\]\s+\((?:https?://|#lesson:|#mark:)\S*", "no blank goes between ] and ( in a link"),
    _sign(r"\)\[(?:https?://|#lesson:|#mark:)\S*", "a link is [words](address): its words come first, in brackets"),
    _sign(r"\[\[[^\[\]\n]+\]\]", "brackets alone make no link; write [words](#lesson:its-id)"),
    _sign(r"\[!\w+\]", "this sign of GitHub's is shown as it is; write **Note.**"),
    _sign(
        r"\]\[(?P<name>[^\[\]\n]*)\]",
        lambda match: f"no line says where [{match['name'][:40]}] leads; write [words](https://…)",
    ),
    # of programs that the page is not
    _sign(r"^!!!.*", "this sign of another program is shown as it is; a hint begins with ::: hint"),
    _sign(r":{3,}", "::: begins or ends a hint or a note on a line of its own, at the left margin"),
    _sign(r"==[^=\s][^=\n]*==", "== marks nothing here; write **bold** or :green-background[…]"),
    _sign(r"(?<!\])\{(?:[.:]\s*\w|[\w-]+=)[^{}\n]*\}", "attributes in braces are shown as they are; leave them out"),
    _sign(r"\{#[\w -]*\}", "an id goes at the end of a step's heading, of a choice or of a goal, and nowhere else"),
    _sign(r"&[a-zA-Z]+\d*;", lambda match: f"there is no sign {match[0][:40]}; type the sign itself"),
    # colours and icons
    _sign(r"(?<!\w):(?P<name>[a-z]+(?:-[a-z]+)*)(?P<blank>)\[", _directive),
    _sign(rf"(?<!\w):(?P<name>{'|'.join(DIRECTIVES)})(?P<blank>[ \t]+)\[", _directive),
    _sign(r":material/(?P<name>\w*)(?P<end>:?)", _icon),
    # LaTeX
    _sign(r"\\(?P<name>begin)\s*\{[\s\S]{0,2000}?\\end\s*\{[^{}]*\}", _latex),
    _sign(r"\\(?P<name>[a-zA-Z]+)\*?\{?", _latex),
    _sign(
        r"\^\w+\^|(?<=\w)\^(?=[\w({+−-])|\b[a-zA-Z]_(?=\d|\{|[a-z]\b)",
        "raised and lowered signs need a formula; write $x^2$ or $x_1$",
    ),
    # Markdown
    _sign(r"~~", _alone("~~")),
    _sign(
        r"(?<![~\w])~(?![~\s])[^~\n]*(?<!\s)~(?!~)|(?<=\w)~\w+~",
        "one ~ on each side strikes the text out, or is shown; write $x_1$ or \\~",
    ),
    _sign(r"`+", lambda match: _alone(match[0][:3])),
    _sign(r"\*\*+", _alone("**")),
    _sign(r"(?<!\w)__(?=[^\W_])|(?<=[^\W_])__(?!\w)", _alone("__")),
    _sign(r"(?<![*\w])\*(?=\w)|(?<=[\w.,!?])\*(?![*\w])", _alone("*")),
    _sign(r"(?<!\w)_(?=[^\W_])|(?<=[^\W_])_(?!\w)", _alone("_")),
    _sign(r"^#{1,6}[^\W\d_].*", "a heading has a blank after its #; for the sign itself write \\#"),
    _sign(r"^[•‣▪◦·●○][ \t].*", "an item of a list begins with - and a blank"),
    _sign(
        r"^(?:[–—][ \t]*|-)[^\W\d_].*|^\d+[.)][^\W\d_].*",
        "an item of a list begins with - or 1. and a blank",
        least=2,
    ),
)
_BROKEN_TABLE = (
    "this is no table for the page; under its first line comes | --- | --- |, with as many cells, and an empty line "
    "before and after the table"
)


def check_leftover(tokens: Sequence[Token], lines: Sequence[str], env: Mapping[str, Any], report: Report) -> None:
    """Report the signs that are left in prose, each at its place.

    Parameters
    ----------
    tokens : sequence of Token
        The parsed file, whose lines are `lines`; `env` has the addresses that it gives names to.
    """
    notes = _Notes(tokens, lines)
    for number, token in enumerate(tokens):
        if token.type != "inline" or token.map is None:
            continue
        named = tokens[number - 1].type == "heading_open" or token.content.startswith("[")
        content = re.sub(r"\s*\{#[^{}]*\}\Z", "", token.content) if named else token.content
        for index, message, lost in _found(content, env, notes.names(token.map[0])):
            (report if lost else report.warn)(inline_place(token, index, lines), message)
    notes.report(report)


def lookalikes(lines: Sequence[str], apart: set[int]) -> Iterator[int]:
    """Yield the lines, from 0, that look like a choice and are none, except those that are no prose."""
    for number, line in enumerate(lines):
        if number not in apart and _LOOKS_LIKE_A_CHOICE.match(line) and not re.match(r"\s*[-*+] ", line):
            yield number


def _found(content: str, env: Mapping[str, Any], notes: frozenset[str]) -> Iterator[tuple[int, str, bool]]:
    """Find what is left in a paragraph; each with its index, what to write, and whether more than a sign is lost."""
    plain, _, formulas, opened = blanked(content)
    if opened is not None:
        return  # where a formula is meant to end is not known, which is reported
    for start, formula in formulas:
        content = _covered(content, start, formula)
    for match in _TEX.finditer(content):
        if inner := (match["small"] or match["large"] or "").strip():
            dollars = "$" if match["small"] else "$$"
            yield match.start(), f"this is no formula for the page; write {dollars}{inner[:40]}{dollars}", False
            content = _covered(content, match.start(), match[0])
    if _ANY.search(content) is None:
        return
    position = 0
    for match, message, lost in sorted(_signs(content, env, notes), key=lambda each: each[0].start()):
        start = max(plain.find(match[0].partition(_PARSED)[0], position), position)
        position = start + len(match[0])
        yield start, message, lost


def _covered(content: str, start: int, part: str) -> str:
    """Return a paragraph with letters in place of one of its parts."""
    return content[:start] + re.sub(r"[^\n]", "x", part) + content[start + len(part) :]


def _signs(content: str, env: Mapping[str, Any], notes: frozenset[str]) -> Iterator[tuple[re.Match[str], str, bool]]:
    """Find the signs in the text that was read as nothing but text; a later kind is none within an earlier one."""
    left = _left(content, env)
    row = _ROW.search(left)
    if row and not any(token.type == "table_open" for token in _tables.parse(content)):
        yield row, _BROKEN_TABLE, False
    spent: set[int] = set()  # the indices that an earlier kind has
    for sign in _SIGNS:
        matches = [match for match in sign.looks.finditer(left) if match.start() not in spent]
        spent.update(*(range(match.start(), match.end()) for match in matches))
        for match in matches if sign.least == 1 else matches[: len(matches) >= sign.least]:
            if message := sign.instead if isinstance(sign.instead, str) else sign.instead(match):
                yield match, message, sign.lost
    for match in _NOTED.finditer(left):
        if (name := match["name"]) not in notes:
            message = f"no note belongs to [^{name[:40]}]; write it in the same step, on a line of its own"
            yield match, f"{message}: [^{name[:40]}]: the note", False


def _left(content: str, env: Mapping[str, Any]) -> str:
    """Return the text of a paragraph that was read as nothing but text."""
    left = []
    (inline,) = _inline.parseInline(content, {**env})
    within = ""  # of an address that stands for itself
    for child in inline.children or []:
        if child.type == "link_open":
            within = child.markup
        raw = child.type == "text" or (child.type == "text_special" and child.content == child.markup)
        if child.type in ("softbreak", "hardbreak"):
            left.append("\n")
        else:
            left.append(_BARE.sub(_PARSED, child.content) if raw and within != "autolink" else _PARSED)
        if child.type == "link_close":
            within = ""
    return "".join(left)


class _Notes:
    """The footnotes of a file: where each is written, and in which step."""

    def __init__(self, tokens: Sequence[Token], lines: Sequence[str]) -> None:
        fenced = {line for token in tokens if token.type == "fence" and token.map for line in range(*token.map)}
        self._lines = lines
        self._steps = [
            token.map[0] for token in tokens if token.type == "heading_open" and token.markup == "##" and token.map
        ]
        self._written: dict[int, dict[str, int]] = {}
        for number, line in enumerate(lines):
            if number not in fenced and (match := _NOTE.match(line)):
                self._written.setdefault(self._step(number), {})[match["name"]] = number

    def names(self, line: int) -> frozenset[str]:
        """Return the names of the notes in the step to which a line belongs."""
        return frozenset(self._written.get(self._step(line), ()))

    def report(self, report: Report) -> None:
        """Warn of the notes to which no text of their step refers: learners never see them."""
        for step, written in self._written.items():
            end = next((start for start in self._steps if start > step), len(self._lines))
            text = "\n".join(self._lines[max(step, 0) : end])
            for name, line in written.items():
                if not re.search(rf"\[\^{re.escape(name)}\](?!:)", text):
                    report.warn((line + 1, 1), f"no text of this step refers to this note; write [^{name[:40]}] there")

    def _step(self, line: int) -> int:
        return max((start for start in self._steps if start <= line), default=-1)


def _made() -> MarkdownIt:
    markdown = MarkdownIt("commonmark").enable("strikethrough").disable("text_join")
    markdown.validateLink = lambda url: True  # type: ignore[method-assign]
    return markdown


_inline = _made()
_tables = MarkdownIt("commonmark").enable("table").disable("inline")
