"""Sessions of a topic's page, for the test files that name theirs TOPIC."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_app import app


@pytest.fixture
def page(request: pytest.FixtureRequest) -> AppTest:
    """Return a new session."""
    return app(request.module.TOPIC)


@pytest.fixture(scope="module")
def visited(request: pytest.FixtureRequest) -> AppTest:
    """Share one session among tests that go elsewhere by a link: a new one takes longer than most of them."""
    return app(request.module.TOPIC)
