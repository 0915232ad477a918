"""Sessions of a topic's page, for the test files that name theirs TOPIC, and lessons that a test may edit."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

import pages.shell.lessons
from pages.player import turns
from pages.shell.lessons import FOLDER, read_anew
from tests.pages.visits import app

PIECES = 100_000  # updates in a slice: the same on every machine


@pytest.fixture(scope="session", autouse=True)
def slices_of_so_many_pieces() -> Iterator[None]:
    """Let the time of slices pass by pieces of work, so that no test depends on how fast a machine is."""
    pieces = count()
    clock = SimpleNamespace(monotonic=lambda: next(pieces) * turns.SLICE / PIECES, thread_time=lambda: 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turns, "time", clock)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_components_of_others() -> Iterator[None]:
    """Have no session look through all installed packages for components: it takes longer than a page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("streamlit.components.v2.manifest_scanner.scan_component_manifests", list)
        yield


@pytest.fixture
def page(request: pytest.FixtureRequest) -> AppTest:
    """Return a new session."""
    return app(request.module.TOPIC)


@pytest.fixture(scope="module")
def visited(request: pytest.FixtureRequest) -> AppTest:
    """Share one session among tests that go elsewhere by a link: a new one takes longer than most of them."""
    return app(request.module.TOPIC)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the app read a copy of the lessons that may be broken."""
    copy = tmp_path / "lessons"
    copy.mkdir()
    for path in FOLDER.glob("*.md"):
        (copy / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(pages.shell.lessons, "FOLDER", copy)
    monkeypatch.setattr(pages.shell.lessons, "KEPT", tmp_path / "kept")
    monkeypatch.setattr("pages.shell.page.BEAT", 0.0)  # each run looks at the files
    read_anew()
    yield copy
    read_anew()
