"""No test asserts how long something takes: a slow machine, or a busy one, makes no mistake.

What must not take long is held by a count of work (`tests.work`), or measured by a row in `bench`.
"""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
READ = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
CLOCKS = {*READ, *(f"{name}_ns" for name in READ), "now", "utcnow", "timeit", "repeat"}
MODULES = ("time", "timeit", "datetime")
ARITHMETIC = {"abs", "max", "min", "round", "float", "int", "sum", "sorted", "divmod"}
IN_JAVASCRIPT = re.compile(r"\bassert\b[^;]*\b(?:performance|Date)\.now\(", re.S)


class Clocks:
    """The names in a file that stand for what a clock said."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        nodes = list(ast.walk(self.tree))
        imported = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module in MODULES[:2]]
        self.read = {name.asname or name.name for node in imported for name in node.names if name.name in CLOCKS}
        self.names: set[str] = set()
        known = -1
        while known < len(self.read) + len(self.names):
            known = len(self.read) + len(self.names)
            for node in nodes:
                self._learn(node)

    def _learn(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value) if self.hold(value):
                self.names |= {name.id for each in targets for name in ast.walk(each) if isinstance(name, ast.Name)}
            case ast.AugAssign(target=ast.Name(id=name), value=value) if self.hold(value):
                self.names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if self.hold(value):
                self.names.add(name)
            case ast.NamedExpr(target=ast.Name(id=name), value=value) if self.hold(value):
                self.names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                returned = [one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value]
                if any(map(self.hold, returned)):
                    self.read.add(name)

    def hold(self, node: ast.expr) -> bool:
        """Return whether a value is what a clock said, or was computed from it.

        What a function returns does not count, unless it is one that reads a clock: a moment may be given to a store.
        """
        match node:
            case ast.Name(id=name):
                return name in self.names
            case ast.Call(func=ast.Name(id=name), args=args):
                return name in self.read or (name in ARITHMETIC and any(map(self.hold, args)))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if module in MODULES:
                return name in CLOCKS
            case ast.Call(func=ast.Attribute(value=value)):
                return self.hold(value)
            case ast.Lambda() | ast.JoinedStr() | ast.Await() | ast.Yield() | ast.Call():
                return False
        return any(self.hold(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))

    def asserted(self) -> list[int]:
        """Return the lines that assert what depends on a clock."""
        return [node.lineno for node in ast.walk(self.tree) if isinstance(node, ast.Assert) and self.hold(node.test)]


def test_nothing_is_asserted_about_time():
    files = {path: path.read_text("utf-8") for path in TESTS.rglob("*.py")}
    found = {f"{path.relative_to(TESTS)}:{line}" for path, text in files.items() for line in Clocks(text).asserted()}
    scripts = {path: path.read_text("utf-8") for path in TESTS.rglob("*.js")}
    found |= {str(path.relative_to(TESTS)) for path, text in scripts.items() if IN_JAVASCRIPT.search(text)}
    assert not found, "a count of work (tests/work.py) or a row in bench says it on every machine"


@pytest.mark.parametrize(
    "text",
    [
        "start = time.process_time()\nassert time.process_time() - start < 3",
        "start = time.time()\ntook = shown(5) / 1000 - start\nassert took < 10",
        "from time import perf_counter as now\na = now()\nb: float = now() - a\nassert round(b, 1) == 0.0",
        "def took(work):\n    start = time.time()\n    work()\n    return time.time() - start\nassert took(f) < 1",
        "took = [timeit.timeit(one) for one in (f, g)]\nassert took[0] < 2 * took[1]",
        "end = datetime.now()\nassert (datetime.now() - end).total_seconds() < 1",
        "assert (end := time.time()) < 5",
    ],
)
def test_a_clock_in_an_assertion_is_found(text):
    assert Clocks(text).asserted() == [text.count("\n") + 1]


@pytest.mark.parametrize(
    "text",
    [
        "assert store.sweep(time.time() - 60) == 0",
        "end = time.monotonic() + 5\nwhile not done():\n    if time.monotonic() > end:\n        raise TimeoutError",
        "clock = SimpleNamespace(monotonic=lambda: 5.0)\nassert grow(clock) == 3",
        "start = time.time()\nassert f(), f'since {start}'",
    ],
)
def test_a_moment_that_is_only_used_is_not(text):
    assert Clocks(text).asserted() == []
