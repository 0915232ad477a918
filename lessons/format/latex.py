"""Check formulas for what KaTeX, which draws them on the page, cannot read; it shows such a formula in red."""

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

COMMANDS = frozenset((Path(__file__).parent / "katex.txt").read_text("utf-8").split())  # all that KaTeX knows
_STARRED = ("align", "alignat", "Bmatrix", "bmatrix", "equation", "gather", "matrix", "pmatrix", "Vmatrix", "vmatrix")
_PLAIN = ("aligned", "alignedat", "array", "cases", "CD", "darray", "dcases", "drcases", "gathered", "rcases")
ENVIRONMENTS = frozenset([*_STARRED, *(f"{name}*" for name in _STARRED), *_PLAIN, "smallmatrix", "split", "subarray"])
NOT_SHOWN = (
    "href",
    "url",
    "includegraphics",
    "htmlClass",
    "htmlId",
    "htmlStyle",
    "htmlData",
)

_PIECE = re.compile(r"\\(?:begin|end)\s*\{(?P<environment>[^{}]*)\}|\\(?P<command>[a-zA-Z]+|.|$)|[{}]", re.DOTALL)
_TWICE = re.compile(r"([\^_])(?:\{[^{}]*\}|\\[a-zA-Z]+|[^\s{}\\^_])\s*\1")
_COMMENT = re.compile(r"(?<!\\)%")
_OWN = re.compile(r"\\(?:newcommand|renewcommand|providecommand|def|gdef|let)\b")


def faults(formula: str) -> Iterator[tuple[int, str]]:
    """Find what cannot be drawn in a formula; each fault with the index of its character."""
    open_braces: list[int] = []
    open_names: list[tuple[int, str]] = []  # of environments, and "left"
    defines = _OWN.search(formula) is not None
    for piece in _PIECE.finditer(formula):
        at, command = piece.start(), piece["command"]
        if piece[0] == "{":
            open_braces.append(at)
        elif piece[0] == "}":
            if not open_braces:
                yield at, "this } closes nothing in its formula"
            else:
                open_braces.pop()
        elif (name := piece["environment"]) is not None:
            if name not in ENVIRONMENTS and not defines:
                yield at, f"the page cannot draw the environment '{name[:40]}'{_near(name, ENVIRONMENTS)}"
            yield from _paired(at, piece[0].startswith(r"\begin"), name, open_names)
        elif command in ("left", "right"):
            yield from _paired(at, command == "left", "left", open_names)
        elif command in NOT_SHOWN:
            yield at, f"\\{command} is not drawn in a formula; write links and pictures in Markdown"
        elif command.isalpha() and command not in COMMANDS and not defines:
            yield at, f"the page cannot draw \\{command[:40]}{_near(command, COMMANDS, before=chr(92))}"
    for at in open_braces:
        yield at, "this { is not closed in its formula"
    for at, name in open_names:
        yield at, r"this \left has no \right" if name == "left" else f"this \\begin{{{name[:40]}}} has no \\end"
    for percent in _COMMENT.finditer(formula):
        yield percent.start(), "a % begins a comment in a formula, which is not shown; write \\%"
    for twice in _TWICE.finditer(formula):
        sign = twice[1]
        yield twice.end() - 1, f"this is a second {sign} in a row; put the first with its base in braces"


def _paired(at: int, opens: bool, name: str, open_names: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Open a pair, or close the one that was opened last."""
    if opens:
        open_names.append((at, name))
    elif open_names and open_names[-1][1] == name:
        open_names.pop()
    else:
        closing = r"this \right has no \left" if name == "left" else f"this \\end{{{name[:40]}}} has no \\begin"
        yield at, f"{closing} before it"


def _near(name: str, options: frozenset[str], before: str = "") -> str:
    near = difflib.get_close_matches(name[:40], options, n=1, cutoff=0.7)
    return f" (did you mean {before}{near[0]}?)" if near else ""
