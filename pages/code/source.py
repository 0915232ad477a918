"""A function's own source, read from its module: lines without docstring and comments, and what each statement does."""

import ast
import inspect
import io
import keyword
import textwrap
import tokenize
from collections.abc import Iterator
from functools import cached_property, lru_cache
from html import escape
from types import CodeType
from typing import NamedTuple

RETURNS = "return"  # what a statement that returns is said to name


class Statement(NamedTuple):
    """A statement of a function, or its first lines: the arguments are what these bind."""

    lines: range  # its own, from 0; of a loop or a condition, those before its body
    within: tuple[int, ...]  # numbers of the statements around it, the outermost first
    changes: tuple[str, ...]  # expressions of which it changes the value
    names: frozenset[str]  # what it binds, changes or calls; `RETURNS` if it returns


class Source:
    """The source of one function.

    Attributes
    ----------
    title : str
        Its name, with that of its class.
    first : int
        The line of its module on which it begins.
    lines : list of str
        As they are in the module, less the indentation that all have.
    """

    def __init__(self, code: CodeType) -> None:
        lines, self.first = inspect.getsourcelines(code)
        self.title = code.co_qualname
        self._text = textwrap.dedent("".join(lines))
        self.lines = self._text.splitlines()

    @cached_property
    def _tree(self) -> ast.FunctionDef:
        tree = ast.parse(self._text).body[0]
        assert isinstance(tree, ast.FunctionDef)
        return tree

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of its arguments, without that of the object."""
        names = (argument.arg for argument in self._tree.args.args)
        return tuple(name for name in names if name not in ("self", "cls"))

    @cached_property
    def statements(self) -> list[Statement]:
        """The function's first lines and its statements, in order; a docstring is one if there is nothing else."""
        tree = self._tree
        body = tree.body[1:] if ast.get_docstring(tree) and len(tree.body) > 1 else tree.body
        head = Statement(range(tree.body[0].lineno - 1), (), self.arguments, frozenset(self.arguments))
        found = [head]
        for node in body:
            found += _statements(node, (), len(found))
        return found

    @cached_property
    def html(self) -> list[str]:
        """Each line as HTML, without its indentation and without comments; keywords in bold."""
        pieces: list[list[str]] = [[] for _ in self.lines]
        ends = [len(line) - len(line.lstrip()) for line in self.lines]
        for kind, text, (row, start), (last, end), _ in tokenize.generate_tokens(io.StringIO(self._text).readline):
            if kind in (tokenize.COMMENT, tokenize.INDENT) or not text.strip() or row != last:
                continue
            pieces[row - 1] += [" " * (start - ends[row - 1]), _colored(kind, text)]
            ends[row - 1] = end
        return ["".join(parts) or escape(line.strip()) for parts, line in zip(pieces, self.lines, strict=True)]

    def indent(self, line: int) -> int:
        """Return by how many characters a line is indented."""
        return len(self.lines[line]) - len(self.lines[line].lstrip())


@lru_cache(maxsize=256)
def source_of(code: CodeType) -> Source:
    """Return the source of a function, read once."""
    return Source(code)


def _statements(node: ast.stmt, within: tuple[int, ...], number: int) -> Iterator[Statement]:
    """Yield a statement and those in it, of which the first has this number."""
    bodies = [body for name in ("body", "orelse", "finalbody") if (body := getattr(node, name, None))]
    own: list[ast.AST] = (
        [node] if not bodies else [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.stmt)]
    )
    end = bodies[0][0].lineno - 1 if bodies else node.end_lineno
    assert end is not None
    changes = tuple(place for found in _changed(node) if (place := ast.unparse(found)) != "_")
    yield Statement(range(node.lineno - 1, end), within, changes, frozenset(_names(own, node)) | {*changes})
    within, number = (*within, number), number + 1
    for inner in (inner for body in bodies for inner in body):
        for statement in _statements(inner, within, number):
            yield statement
            number += 1


def _changed(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the places whose value a statement changes: what it assigns to, and what it calls a method of."""
    match node:
        case ast.Assign(targets=places):
            for place in places:
                yield from place.elts if isinstance(place, ast.Tuple) else [place]
        case ast.AugAssign(target=place) | ast.AnnAssign(target=place):
            yield place
        case ast.For(target=place):
            yield from place.elts if isinstance(place, ast.Tuple) else [place]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as place))):
            yield place


def _names(own: list[ast.AST], node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Return):
        yield RETURNS
    for part in own:
        for inner in ast.walk(part):
            if isinstance(inner, ast.Call):
                called = inner.func
                yield called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _colored(kind: int, text: str) -> str:
    if kind == tokenize.NAME and keyword.iskeyword(text):
        return f"<b>{text}</b>"
    if text == "->":
        return "<span>-&gt;</span>"  # in one piece
    return f"<i>{escape(text)}</i>" if kind == tokenize.STRING else escape(text)
