"""A topic's page as a script, visited by links: what its tests share."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from lessons.reader import Lesson, Step
from tests.pages.test_app import head
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


def assert_step_opens(visited: AppTest, lesson: Lesson, step: Step) -> None:
    """Go to a step, read it, see that its controls and locks are there, and answer it."""
    test = follow(visited, lesson=lesson.id, step=step.id)
    assert not test.warning
    text = [markdown.value for markdown in test.markdown]
    assert f"## {step.title}" in text
    assert step.body in text
    own, message = lesson.settings_for(step), head(test)
    assert message["total"] == own.iterations
    assert (message["lock"], message["hide"]) == (list(step.lock), list(step.hide))
    shown = {element.label for kind in (test.slider, test.number_input, test.selectbox) for element in kind}
    titles = {name: field.title for name, field in type(own).model_fields.items()} | {"seed": "Seed"}
    expected = {titles[name] for name in lesson.show_for(step) if name == "seed" or own.matters(name)}
    assert shown - {"Lesson", "Point", "Message"} == expected
    if step.choices:
        right = next(number for number, choice in enumerate(step.choices) if choice.correct)
        test.radio[0].set_value(right).run()
        test.button(key="check").click().run()
        assert not test.exception
        assert step.choices[right].reason in [box.value for box in test.success]
        assert (head(test)["lock"], head(test)["hide"]) == ([], [])


def drawn_by(monkeypatch: pytest.MonkeyPatch, module: Any) -> SimpleNamespace:
    """Catch what a module draws with Streamlit: its HTML in order, and its charts by their keys."""
    drawn = SimpleNamespace(html=[], charts={})
    monkeypatch.setattr(module.st, "html", drawn.html.append)
    monkeypatch.setattr(module.st, "vega_lite_chart", lambda spec, key, width: drawn.charts.update({key: spec}))
    return drawn
