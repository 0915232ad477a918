"""A public method is described, or it is one that its base describes; and a description names its thing first."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
Classes = dict[str, list[ast.ClassDef]]


def named(base: ast.expr) -> str:
    """Return the name of a base class, without its module and its parameters."""
    while isinstance(base, ast.Subscript):
        base = base.value
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def bases(kind: ast.ClassDef, classes: Classes) -> list[ast.ClassDef]:
    """Return all classes of the house from which one may inherit, by their names."""
    above = [base for name in map(named, kind.bases) for base in classes.get(name, ()) if base is not kind]
    return above + [other for base in above for other in bases(base, classes)]


def methods(kind: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in kind.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def undescribed(sources: list[str]) -> list[str]:
    classes: Classes = {}
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)
    return [
        f"{kind.name}.{name}"
        for kind in (kind for kinds in classes.values() for kind in kinds if not kind.name.startswith("_"))
        for name, method in methods(kind).items()
        if not name.startswith("_") and not ast.get_docstring(method)
        if not any(name in methods(base) for base in bases(kind, classes))
        if not any(named(mark) == "setter" for mark in method.decorator_list)
    ]


def test_all_methods_that_override_none_are_described():
    paths = [path for package in ("samplers", "lessons", "pages") for path in (ROOT / package).rglob("*.py")]
    assert undescribed([path.read_text(encoding="utf-8") for path in paths]) == []


def begins_with_what(source: str) -> list[str]:
    """Return the docstrings that begin with *What*, in place of the thing that they name."""
    described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    texts = (ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, described))
    return [text.splitlines()[0] for text in texts if re.match(r"((Return|Yield|Give|Tell) w|W)hat\b", text)]


def test_docstrings_begin_with_the_thing_that_they_name():
    paths = [
        path
        for package in ("samplers", "lessons", "pages", "bench", "tests")
        for path in (ROOT / package).rglob("*.py")
    ]
    assert [text for path in paths for text in begins_with_what(path.read_text(encoding="utf-8"))] == []
    assert begins_with_what('def f():\n    """Return what a step does."""') == ["Return what a step does."]


def test_one_without_a_description_is_found():
    above = 'class Above:\n    def known(self):\n        """Known."""'
    below = "class Below(Above):\n    def known(self): ...\n    def new(self): ..."
    assert undescribed([above, below]) == ["Below.new"]
