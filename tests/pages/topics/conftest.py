"""The contract of films is held stage by stage."""

from pathlib import Path

import pytest

from tests.grouped import group, of


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of a stage one after the other: all runs together are more than a server keeps."""
    group(items, Path(__file__).with_name("test_film_contract.py"), lambda item: str(of(item, "stage") or ""))
