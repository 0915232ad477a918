"""Altair's copies are the same without what it does again and again."""

from collections import Counter

import pytest

from pages.drawing import quick
from pages.drawing.charts import axis, if_, rows, vega_lite
from pages.drawing.lazy import alt, load_altair


def drawn() -> dict:
    """Return a chart of layers in layers, with parameters, strings for channels, and a condition."""
    points = rows("points", "x").mark_point().encode(x="x:Q", y=axis(alt.Y, "y", (0, 1)), color="group:N")
    brush, wide = alt.selection_interval(name="brush"), alt.param("wide", 1)
    named = points.mark_text().encode(text="name:N", opacity=if_("told", 1, 0)).transform_calculate(name="'a'")
    inner = alt.layer(points.add_params(brush), named, data=alt.NamedData("all")).properties(width=100)
    outer = alt.layer(inner.add_params(wide), alt.layer(points, named), rows("more").mark_rule(size=2).encode(x="x:Q"))
    return vega_lite((outer + points).add_params(alt.param("high", 2)).resolve_scale(color="independent"))


@pytest.fixture
def altairs_own(monkeypatch):
    """Have Altair as it is."""
    load_altair()
    for owner, name, first in quick.FIRST:
        monkeypatch.setattr(owner, name, first)


def test_a_chart_is_what_altair_makes_of_it(request):
    found = drawn()
    request.getfixturevalue("altairs_own")
    assert found == drawn()


def test_layers_are_put_together_less_often_and_the_classes_are_listed_once(request, monkeypatch):
    counts = Counter()
    for owner, name in ((alt.LayerChart, "__init__"), (quick.FIRST[-1][0], "hash_schema")):
        monkeypatch.setattr(owner, name, counted(getattr(owner, name), counts, name))

    def count() -> Counter:
        drawn()
        counts.clear()
        drawn()
        return counts.copy()

    ours = count()
    request.getfixturevalue("altairs_own")
    altairs = count()
    assert 3 * ours["__init__"] < 2 * altairs["__init__"]
    assert 100 * ours["hash_schema"] < altairs["hash_schema"]


def counted(call, counts: Counter, name: str):
    """Return a method that counts how often it is called."""

    def found(self, *given, **named):
        counts[name] += 1
        return call(*given) if name == "hash_schema" else call(self, *given, **named)  # that one is a class method

    return found
