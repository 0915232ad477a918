"""A topic's page as a script, visited by links: what its tests share."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_inspector import words


def follow(test: AppTest, **values: object) -> AppTest:
    """Follow a link to the topic in a session that is there already."""
    test.query_params.clear()
    test.query_params.update({name: str(value) for name, value in values.items()})
    test.run()
    assert not test.exception, values
    return test


def inspector(test: AppTest) -> str:
    """Return what the inspector and all else of HTML says."""
    return words(" ".join(element.proto.body for element in test.get("html") if "<style" not in element.proto.body))


def drawn_by(monkeypatch: pytest.MonkeyPatch, module: Any) -> SimpleNamespace:
    """Catch what a module draws with Streamlit: its HTML in order, and its charts by their keys."""
    drawn = SimpleNamespace(html=[], charts={})
    monkeypatch.setattr(module.st, "html", drawn.html.append)
    monkeypatch.setattr(module.st, "vega_lite_chart", lambda spec, key, width: drawn.charts.update({key: spec}))
    return drawn
