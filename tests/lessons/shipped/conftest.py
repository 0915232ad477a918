"""Short runs for the tests of all lessons, each made once for a lesson."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
    ours = [place for place, item in enumerate(items) if Path(__file__).parent in item.path.parents]
    grouped = sorted((items[place] for place in ours), key=_lesson)
    for place, item in zip(ours, grouped, strict=True):
        items[place] = item


def _lesson(item: pytest.Item) -> str:
    lesson = getattr(item, "callspec", None) and item.callspec.params.get("lesson")  # type: ignore[attr-defined]
    return lesson.path.stem if lesson else ""
