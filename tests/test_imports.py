"""Imports go one way: samplers <- lessons <- pages."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCREEN = {"streamlit", "altair", "pandas", "matplotlib"}
FORBIDDEN = {
    "samplers": SCREEN | {"lessons", "pages", "scipy.stats"},  # scipy.stats alone costs most of a second
    "lessons": SCREEN | {"pages"},
}


def imported(source: str) -> set[str]:
    """Every module that the source names in an import, with the packages it lies in."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {".".join(name.split(".")[: depth + 1]) for name in names for depth in range(name.count(".") + 1)}


@pytest.mark.parametrize("package", FORBIDDEN)
def test_imports_go_one_way(package):
    for path in (ROOT / package).rglob("*.py"):
        assert not imported(path.read_text(encoding="utf-8")) & FORBIDDEN[package], path


@pytest.mark.parametrize(
    "source", ["import altair as alt", "from pages.parts import player", "def f():\n    from scipy import stats"]
)
def test_a_wrong_import_is_seen(source):
    assert imported(source) & FORBIDDEN["samplers"]
