"""A chart is drawn once, and not at all if another process has noted it; one that differs is drawn."""

import pytest

from pages.drawing import once
from pages.drawing.once import as_line, drawn_once, note, take_up
from pages.drawing.reads import Spec


@pytest.fixture(autouse=True)
def nothing_is_given(monkeypatch):
    monkeypatch.setattr(once, "_given", {})
    monkeypatch.setattr(once, "_noted", None)


def drawing(times: list[tuple]):
    """Return a function that draws a chart, and notes what it drew."""

    @drawn_once
    def chart(of: object, *, wide: bool = False) -> dict:
        times.append((of, wide))
        found = Spec({"of": repr(of), "wide": wide})
        found.reads = frozenset({("rows", "x"), ("past", "t")})
        return found

    return chart


def test_each_chart_is_drawn_once():
    times: list[tuple] = []
    chart = drawing(times)
    assert chart("a") is chart("a")
    assert chart("a", wide=True) is not chart("b")
    assert times == [("a", False), ("a", True), ("b", False)]


def test_what_another_process_noted_is_the_same_and_is_not_drawn():
    noted, here = note(), drawing([])
    first = [here("a"), here((0.1, 2)), here("a\tb\n", wide=True)]
    here("a")
    assert len(noted) == 3, "one that is drawn already is noted as well"
    take_up(f"{key}\t{line}\n" for key, line in noted.items())
    times: list[tuple] = []
    there = drawing(times)
    again = [there("a"), there((0.1, 2)), there("a\tb\n", wide=True)]
    assert times == []
    assert [as_line(spec) for spec in again] == [as_line(spec) for spec in first]
    assert all(one.reads == other.reads for one, other in zip(again, first, strict=True))


@pytest.mark.parametrize(("given", "named"), [(("A",), {}), (((0.1, 2.0),), {}), (("a",), {"wide": True})])
def test_a_chart_that_differs_in_any_argument_is_drawn(given, named):
    noted, here = note(), drawing([])
    here("a")
    here((0.1, 2))
    take_up(f"{key}\t{line}\n" for key, line in noted.items())
    times: list[tuple] = []
    drawing(times)(*given, **named)
    assert times == [(*given, named.get("wide", False))]


def test_a_chart_of_a_card_has_no_fields_that_it_reads():
    assert as_line({"mark": "bar"}) == '[{"mark":"bar"},null]'
    assert type(once.from_line('[{"mark":"bar"},null]')) is dict
