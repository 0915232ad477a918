"""Short runs for the tests of all lessons, each made once for a lesson."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.grouped import group, of
from tests.pages.conftest import no_components_of_others  # noqa: F401  (sessions are opened here as well)
from tests.pages.topics.few import predict_little, short_walls


@pytest.fixture(scope="package", autouse=True)
def little_is_made() -> Iterator[None]:
    """Have short walls and short chains for held-out words: tests of their own hold what lessons say of both."""
    with pytest.MonkeyPatch.context() as patch:
        predict_little(patch)
        short_walls(patch)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of a lesson one after the other, so that they find its runs."""
    group(items, Path(__file__).parent, _lesson)


def _lesson(item: pytest.Item) -> str:
    lesson: Any = of(item, "lesson")
    return lesson.path.stem if lesson else ""
