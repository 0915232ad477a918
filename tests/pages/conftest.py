"""Sessions of a topic's page, for the test files that name theirs TOPIC, and lessons that a test may edit."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

import pages.lesson.lessons
from lessons.course.library import Library
from pages.lesson.lessons import FOLDER, read_anew
from pages.player import turns
from tests.pages.topics.few import predict_little, show_little
from tests.pages.visits import app

COPIED = ("coin-*.md", "crp-*.md", "mixture-1-*.md", "text-1-*.md", "glossary.md")  # of the app's lessons
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


@pytest.fixture(scope="module")
def little() -> Iterator[None]:
    """Show little of each run: for tests to which it does not matter what the runs come to."""
    with pytest.MonkeyPatch.context() as patch:
        show_little(patch)
        predict_little(patch)
        yield


@pytest.fixture
def page(request: pytest.FixtureRequest) -> AppTest:
    """Return a new session."""
    return app(request.module.TOPIC)


@pytest.fixture(scope="module")
def visited(request: pytest.FixtureRequest) -> AppTest:
    """Share one session among tests that go elsewhere by a link: a new one takes longer than most of them."""
    return app(request.module.TOPIC)


@pytest.fixture(scope="session")
def read_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a copy of lessons, and beside it what a start keeps that has read them."""
    place = tmp_path_factory.mktemp("read_once")
    _copy_lessons(place / "lessons")
    Library([place / "lessons"], place / "kept")
    for source in (place / "kept").glob("*/*.md"):
        source.unlink()  # no test finds a file's last valid version before it has had one
    return place


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_once: Path) -> Iterator[Path]:
    """Let the app read a copy of some lessons that may be broken: what is not changed has been read before."""
    copy = read_once / "lessons"
    shutil.rmtree(copy)
    _copy_lessons(copy)
    shutil.copytree(read_once / "kept", tmp_path / "kept")
    monkeypatch.setattr(pages.lesson.lessons, "FOLDER", copy)
    monkeypatch.setattr(pages.lesson.lessons, "KEPT", tmp_path / "kept")
    monkeypatch.setattr("pages.lesson.page.BEAT", 0.0)  # each run looks at the files
    read_anew()
    yield copy
    read_anew()


def _copy_lessons(copy: Path) -> None:
    """Copy lessons of few topics, whose numbers are soon computed, and all pictures.

    Their times are copied as well: by them a reading knows that it is of this very file.
    """
    copy.mkdir()
    for name in COPIED:
        for path in FOLDER.glob(name):
            shutil.copy2(path, copy)
    shutil.copytree(FOLDER / "pictures", copy / "pictures")
