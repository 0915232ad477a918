"""Imports go one way: samplers <- lessons <- pages, and within each along a table of folders. There is no circle."""

import ast
from pathlib import Path

import pytest

from pages.notebook.page import HERE
from pages.player.modules import VEGA, all_modules, imports
from pages.publish import bundle

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


def modules(package: str) -> dict[str, set[str]]:
    """Every module of a package, with the modules of the same package that it imports when it is imported."""
    paths = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in (ROOT / package).rglob("*.py")}
    found = {name.removesuffix(".__init__"): path for name, path in paths.items()}
    return {name: imported(path.read_text(encoding="utf-8")) & found.keys() - {name} for name, path in found.items()}


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Return modules that import one another; a package is imported before what lies in it, and is no import of it."""
    left = {name: {other for other in others if not name.startswith(f"{other}.")} for name, others in graph.items()}
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


@pytest.mark.parametrize("package", ["samplers", "lessons", "pages"])
def test_no_modules_import_one_another(package):
    assert circle(modules(package)) == []


ARROWS = {  # the folders that each folder may import from, besides the modules at the top of `samplers` and `lessons`
    "samplers.buffet": "",
    "samplers.conjugate": "",
    "samplers.data": "",
    "samplers.hmm": "crp",
    "samplers.regression": "",
    "samplers.crp": "conjugate data",
    "samplers.jumps": "conjugate crp",
    "samplers.mixtures": "conjugate crp",
    "samplers.diagnostics": "crp mixtures",
    "samplers.generative": "conjugate mixtures",
    "samplers.topics": "crp",
    "samplers.gradient": "conjugate mixtures",
    "samplers.climb": "conjugate mixtures",
    "samplers.judge": "buffet climb conjugate crp diagnostics generative hmm jumps mixtures regression topics",
    "lessons.data": "",
    "lessons.chains": "data",
    "lessons.own": "chains data",
    "lessons.settings": "data own",
    "lessons.topics": "chains data own settings",
    "lessons.format": "data own settings topics",
    "lessons.check": "format own settings topics",
    "lessons.course": "check format own settings topics",
    "pages.drawing": "",
    "pages.http": "",
    "pages.code": "drawing",
    "pages.contract": "drawing",
    "pages.player": "contract drawing",
    "pages.judge": "drawing",
    "pages.form": "contract drawing judge",
    "pages.download": "contract drawing form player",
    "pages.lesson": "contract download drawing form http judge player",
    "pages.scenes": "code contract drawing player",
    "pages.topics": "code contract drawing player scenes",
    "pages.classroom": "drawing form http lesson player",
    "pages.studio": "drawing http lesson",
    "pages.embed": "contract http lesson player",
    "pages.publish": "contract embed form judge lesson player",
    "pages.server": "classroom contract download drawing embed http judge lesson player",
    "pages.notebook": "contract embed http player publish server",
}


def folder(module: str) -> str:
    """Return the folder that a module lies in: ``pages.player`` of ``pages.player.run``."""
    top, *rest = module.split(".")
    return f"{top}.{rest[0]}" if rest and (ROOT / top / rest[0]).is_dir() else top


@pytest.mark.parametrize("package", ["samplers", "lessons", "pages"])
def test_folders_import_along_these_arrows_alone(package):
    found: dict[str, set[str]] = {name: set() for name in ARROWS if name.startswith(f"{package}.")}
    for module, others in modules(package).items():
        if (home := folder(module)) != package:
            found[home] |= {folder(other) for other in others} - {home, package}
    assert found == {name: {f"{package}.{other}" for other in ARROWS[name].split()} for name in found}


@pytest.mark.parametrize("part", ["contract", "drawing", "scenes", "topics"])
def test_a_topic_knows_no_host(part):
    """Views and films are values, and so are tools: a host draws them all."""
    for path in (ROOT / "pages" / part).rglob("*.py"):
        assert "streamlit" not in imported(path.read_text(encoding="utf-8")), path


def test_altair_is_loaded_by_one_module_alone_when_a_chart_must_be_drawn():
    texts = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in (ROOT / "pages").rglob("*.py")}
    quick = "pages/drawing/quick.py"  # which the other one loads
    assert {path for path, text in texts.items() if "altair" in imported(text)} == {"pages/drawing/lazy.py", quick}
    assert [path for path, text in texts.items() if "pages.drawing.quick" in text] == ["pages/drawing/lazy.py"]


def test_the_arrows_form_no_circle():
    graph = {name: {f"{name.split('.')[0]}.{other}" for other in others.split()} for name, others in ARROWS.items()}
    assert circle(graph) == []


def test_no_modules_of_the_browser_import_one_another():
    graph = {name: set(imports(name)) for name in all_modules()}
    assert set().union(*graph.values()) <= graph.keys()
    assert circle(graph) == []


def test_every_file_of_javascript_is_served_or_goes_along_with_a_page():
    found = {str(path.relative_to(ROOT / "pages")) for path in (ROOT / "pages").rglob("*.js")}
    served = set(all_modules()) - {VEGA, "player/made.js", "classroom/made.js"}
    with_pages = {
        "player/loader.js",
        "classroom/door.js",
        "lesson/drop.js",
        "lesson/store.js",
        "lesson/toss.js",
        "studio/editor.js",
        "studio/view.js",
        "embed/element.js",
        "notebook/widget.js",
    }
    made = {"publish/sheet.js", "publish/worker.js"}
    of_pages = {*bundle.modules(), *bundle.modules(bundle.STAGE), *bundle.modules(bundle.STAGE, HERE)}
    published = {name for name in of_pages if name.startswith(("publish/", "notebook/"))} - made
    assert found == served | with_pages | published | {*bundle.modules(bundle.WORKER)}


def test_a_circle_is_seen():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("package", FORBIDDEN)
def test_imports_go_one_way(package):
    for path in (ROOT / package).rglob("*.py"):
        assert not imported(path.read_text(encoding="utf-8")) & FORBIDDEN[package], path


def test_no_test_module_imports_another():
    for path in (ROOT / "tests").rglob("*.py"):
        assert not [name for name in imported(path.read_text(encoding="utf-8")) if ".test_" in name], path


@pytest.mark.parametrize(
    "source", ["import altair as alt", "from pages.parts import player", "def f():\n    from scipy import stats"]
)
def test_a_wrong_import_is_seen(source):
    assert imported(source) & FORBIDDEN["samplers"]
