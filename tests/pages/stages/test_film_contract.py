"""The contract of every film and every card of every stage, so that the player, the page and lessons can use them."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Mapping
from functools import cache
from threading import Thread
from types import ModuleType

import altair as alt
import numpy as np
import pytest
from altair.utils.schemapi import validate_jsonschema
from jsonschema import ValidationError

import pages.stages
from lessons.reader import STAGES
from pages.drawing import charts
from pages.player.player import Film
from pages.player.wire import TYPES
from pages.shell.topic import Stage
from pages.topics import topic_info
from tests.pages.player.films import fetched
from tests.pages.server.asking import ask
from tests.pages.visits import app, cards_on, follow

SEED, UNTIL = 5, 12
PLAYERS_OWN = {
    "frame",
    "told",
    "lit",
    "running",
    "scrolled",
    "ink",
    "soft",
    "paper",
    "accent",
}  # parameters that it sets
SETTINGS: dict[str, list[dict]] = {
    "coin": [{}, {"method": "draws"}, {"method": "chain"}],
    "why_sample": [
        {},
        {"points": 4, "arrows": "flows", "start": "apart"},
        {"points": 5, "arrows": "all", "concentration": 0.3},
        {"third": -2.0, "rule": "emptied table offered too", "arrows": "flows"},
        {"shown": "crowd", "rule": "new table too sure"},
    ],
    "crp_seating": [
        {"customers": 40},
        {"customers": 1},
        {"customers": 40, "concentration": 8.0, "shuffle": 3},
        {"customers": 40, "discount": 0.4},
        {"customers": 40, "door": "stick", "concentration": 3.0},
    ],
    "crp_mixture": [
        {"points": 30},
        {"data": "response_times", "points": 25, "learning": "learned", "prediction": "average"},
        {"data": "response_times", "points": 25, "replica": "shown"},
        {"points": 30, "replica": "shown", "prediction": "average"},
        {"data": "seven_points", "family": "known", "second": "start"},
        {"points": 20, "start": "apart", "second": "branch", "branch_at": 10},
        {"data": "seven_points", "family": "known", "step_by": "update", "sweep": 3},
        {"points": 30, "learning": "learned", "step_by": "update", "sweep": 2},
        {"direction": "forwards", "points": 12},
        {"data": "seven_points", "family": "known", "second": "finite", "second_finite": 9},
        {"data": "made", "points": 20, "family": "known", "makers": "shown"},
    ],
    "gibbs_blobs": [
        {"points": 30, "components": "multinomial"},
        {"points": 30, "blocks": "uncollapsed", "family": "known"},
        {"points": 30, "model": "CRP"},
        {"points": 30, "second": "gaussian"},
        {"data": "two_humps", "points": 16, "number": 2, "family": "known"},
        {"points": 30, "step_by": "update", "blocks": "uncollapsed"},
    ],
    "ibp_buffet": [
        {"customers": 14},
        {"customers": 1, "concentration": 0.1},
        {"customers": 14, "concentration": 8.0, "order": "left"},
        {"customers": 14, "rule": "new dishes for everyone"},
        {"customers": 14, "model": "finite", "columns": 30, "order": "left"},
    ],
    "gibbs_text": [
        {"data": "six_messages"},
        {"known_labels": 10, "document": 40, "made": 2},
        {"classes": 4, "word_probs": "collapsed"},
        {"data": "long_messages", "rule": "no logarithms"},
        {"data": "six_messages", "step_by": "update", "sweep": 2},
        {"data": "six_messages", "layout": "statistics", "chains": 3, "burn_in": 4},
        {"layout": "three_times", "test_set": "told"},
    ],
    "generative": [
        {"points": 20},
        {"method": "story", "points": 20},
        {"method": "labels", "points": 20, "grouping": "whole", "against": "labelled"},
        {"data": "three", "points": 20, "rival": "on", "estimate": "MAP"},
        {"data": "mixed", "points": 20, "left_out": 4, "estimate": "MLE"},
        {"data": "words", "points": 20, "method": "labels", "rule": "no pseudo-counts"},
        {"data": "pairs", "points": 20, "method": "story"},
        {"points": 20, "against": "logistic", "rule": "missing as zero"},
    ],
    "ibp_features": [
        {},
        {"data": "scores", "redrawn": "all", "order": "left", "turned": 3},
        {"data": "tiny", "noise": 0.3, "start": "prior"},
        {"rows": 6, "redrawn": "all", "step_by": "update", "sweep": 3},
    ],
    "laplace_line": [
        {},
        {"target": "two modes", "start": 0.45},
        {"target": "heavy tails", "start": 0.62, "method": "gradient", "second": "best"},
        {"target": "skewed, on the log scale", "second": "by hand"},
    ],
    "logistic": [
        {"step_length": 0.6},
        {"data": "few", "prior": "flat"},
        {"method": "gradient", "step_length": 0.05, "bias": "on"},
        {"method": "chain", "data": "few"},
        {"method": "points", "points": 12, "features": "quadratic"},
        {"predictive": "exact", "against": "quadrature"},
        {"data": "three", "points": 30},
        {"data": "three", "points": 12, "method": "points", "features": "quadratic", "predictive": "exact"},
        {"data": "line", "points": 12, "method": "points"},
        {"data": "few", "curve": "sigma"},
        {"data": "few", "curve": "phi", "squeeze": 0.8},
        {"data": "few", "curve": "averages", "predictive": "Monte Carlo"},
        {"data": "few", "curve": "averages", "method": "chain"},
    ],
    "walk_the_hill": [
        {},
        {"method": "NUTS", "target": "ring"},
        {"method": "NUTS", "target": "funnel", "tuning": "warm-up"},
        {"method": "Metropolis", "target": "two hills"},
        {"target": "banana", "step_by": "leapfrog", "iteration": 3},
        {"method": "NUTS", "step_by": "leapfrog", "iteration": 9},
        {"method": "Metropolis", "step_by": "leapfrog", "iteration": 4},
        {"target": "funnel", "step_size": 2.0, "start_y": 0.0},
        {"method": "hand", "target": "two hills", "push_x": 2.0},
        {"layout": "three samplers", "target": "banana", "leapfrog_steps": 5},
        {"layout": "two chains", "target": "a word", "method": "NUTS"},
        {"target": "long", "mass_x": 0.25, "mass_y": 16.0, "step_size": 1.0},
    ],
    "marginalise": [
        {},
        {"variant": "prediction"},
        {"data": "toy_corpus", "document": 200},
        {"words": 2},
        {"words": 3},
        {"model": "two means"},
        {"model": "two means", "means": "ordered", "points": 2},
        {"layout": "beside Gibbs"},
        {"layout": "beside Gibbs", "summary": "larger class", "gibbs": "collapsed", "model": "two means"},
        {"step_by": "term", "iteration": 9, "variant": "full Bayes"},
        {"step_by": "term", "iteration": 0, "words": 2, "variant": "supervised", "known_labels": 1},
        {"step_by": "term", "data": "toy_corpus", "document": 254},
        {"step_by": "leapfrog", "iteration": 7},
        {"classes": 3, "words": 3, "variant": "full Bayes"},
        {"classes": 3, "words": 3, "step_by": "leapfrog", "iteration": 4},
        {"classes": 3, "layout": "beside Gibbs", "data": "toy_corpus", "summary": "larger class"},
        {"classes": 3, "step_by": "term", "iteration": 9, "gamma_scope": "local"},
        {"step_by": "leapfrog", "iteration": 4, "model": "two means", "means": "ordered"},
        {"step_by": "leapfrog", "iteration": 4, "method": "HMC", "step_size": 3.0, "leapfrog_steps": 60},
    ],
}
for _, package, _ in pkgutil.iter_modules(pages.stages.__path__, "pages.stages."):
    importlib.import_module(package)


def stages(of: type = Stage) -> dict[str, type[Stage]]:
    """Return the stages of all topics, by name."""
    kinds = of.__subclasses__()
    return {name: stage for each in kinds for name, stage in stages(each).items()} if kinds else {of.name: of}


every = pytest.mark.parametrize(
    ("stage", "changes"), [(stage, row) for stage, rows in SETTINGS.items() for row in rows], ids=str
)


def opened(stage: str, changes: Mapping, seed: int = SEED) -> Film:
    """Return a film of which no frame need be there."""
    return stages()[stage]().film(STAGES[stage](**changes), seed)


def film_of(stage: str, changes: Mapping, seed: int = SEED) -> Film:
    """Return a film of which the first frames are there."""
    film = opened(stage, changes, seed)
    while film.grow and film.grow(min(UNTIL, film.total)) < min(UNTIL, film.total):
        pass
    return film


def cards_of(stage: str, changes: Mapping, t: int) -> dict[str, str]:
    """Return the inspector's views that are cards alone, as a plain thread makes them."""
    settings, found, made_by = STAGES[stage](**changes), {}, stages()[stage]()
    views = [view for view in settings.views if view not in made_by.drawn]

    def make() -> None:
        for view in views:
            found[view] = made_by.written(settings, SEED, view, t)

    thread = Thread(target=make)
    thread.start()
    thread.join()
    assert list(found) == views, "it went through"
    return found


def named_sets(spec: object) -> set[str]:
    """Return the data sets that a Vega-Lite specification reads by name."""
    if isinstance(spec, list):
        return {name for part in spec for name in named_sets(part)}
    if not isinstance(spec, dict):
        return set()
    data = spec.get("data")
    own = {data["name"]} if isinstance(data, dict) and "name" in data else set()
    return own | {name for part in spec.values() for name in named_sets(part)}


def test_every_stage_has_its_rows():
    assert SETTINGS.keys() == stages().keys() == STAGES.keys()
    for stage, rows in SETTINGS.items():
        assert len({STAGES[stage](**row).model_dump_json() for row in rows}) == len(rows) > 1


def all_that_stays_can_be_sent(film):
    last = min(UNTIL, film.total)
    for told in (film.described(), film.still(last) if film.still else {}):
        json.dumps(told, allow_nan=False)  # raises else


def every_chart_has_a_name_of_its_own(film):
    names = [chart.name for chart in film.charts]
    assert len(set(names)) == len(names)
    assert all(chart.title and chart.alt for chart in film.charts)


def specs_and_captions_read_what_is_sent(film):
    frames = film.frames(0, 1)
    rested = film.still(0) if film.still else {}
    there = {*film.data, *rested, *(name for name, _ in frames)}
    said = {field for name, field in frames if name == "say"} | {"t", "total"}
    for chart in film.charts:
        assert named_sets(chart.spec) <= there, chart.title
        assert set(re.findall(r"\{(\w+)", chart.caption)) <= said, chart.title
        assert {*chart.hand.split()} <= film.params.keys()
        assert not PLAYERS_OWN & {*film.params, *chart.params}
        assert chart.params.keys() <= {param["name"] for param in chart.spec.get("params", ())}, chart.title
    assert set(re.findall(r"\{(\w+)", film.label)) <= said


@pytest.mark.parametrize("stage", SETTINGS)
def test_another_seed_has_the_same_charts_so_that_nobody_builds_them_again(stage):
    one, other = (opened(stage, SETTINGS[stage][0], seed) for seed in (1, 2))
    assert one.key != other.key or stage == "laplace_line", "there is no chance in it"
    assert [chart.as_dict() for chart in one.charts] == [chart.as_dict() for chart in other.charts]


def specs_are_vega_lite(film):
    for chart in film.charts:
        assert_vega_lite(json.dumps(chart.spec, sort_keys=True))


@cache
def assert_vega_lite(spec: str) -> None:
    schema = alt.Chart._schema | {"$ref": "#/definitions/TopLevelSpec"}
    validate_jsonschema(json.loads(spec), schema, rootschema=alt.load_schema())


def test_a_spec_that_is_no_vega_lite_is_found():
    chart, *_ = opened("coin", {}).charts
    assert_vega_lite(json.dumps(chart.spec))
    with pytest.raises(ValidationError, match="brush"):
        assert_vega_lite(json.dumps(chart.spec | {"padding": "brush"}))


def test_pandas_is_loaded_while_no_chart_is_made_and_until_then_nobody_looks_for_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", ModuleType("pandas"))  # as another thread has it that is loading it
    x = alt.X("x:Q", title="x", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(grid=False))
    bars = charts.rows("rows", "x").mark_bar(size=alt.expr("2 * frame")).encode(x, color=alt.value("red"))
    marks = bars.mark_point().encode(x2="y:Q", opacity=alt.condition("datum.x > 0", alt.value(1), alt.value(0)))
    chart = alt.layer(bars, marks).add_params(alt.param(name="ends", value=[0, 1])).properties(height=150)
    with pytest.raises(AttributeError, match="pandas"):
        charts.finish(chart)
    monkeypatch.setattr(charts, "import_module", lambda _: charts._making.locked() or pytest.fail("a chart is made"))
    charts.load_pandas()


def columns_fit_their_data_sets_and_the_player_reads_their_types(film):
    rows = {}
    for name, fields in film.data.items():
        (rows[name],) = {len(values) for values in fields.values()}
    for (name, field), values in film.frames(0, 2).items():
        assert values.shape == (2, 1 if name in ("say", "past") else rows[name]), (name, field)
        assert values.dtype.name in TYPES, (name, field)


def slices_of_frames_are_the_frames(film):
    last = min(UNTIL, film.total)
    whole = film.frames(0, last + 1)
    for start, stop in [(0, 0), (0, 1), (1, last), (last // 2, last), (last, last + 1), (last + 1, last + 1)]:
        part = film.frames(start, stop)
        assert part.keys() == whole.keys()
        for key, values in part.items():
            assert values.dtype == whole[key].dtype
            np.testing.assert_array_equal(values, whole[key][start:stop])


def a_message_can_be_packed_and_read(film):
    for at in (0, min(UNTIL, film.total)):
        head, columns = fetched(film, at)
        assert head["count"] > at
        assert all(len(values) == head["count"] for values in columns.values())


@every
def test_a_film_keeps_the_contract(stage, changes):
    film = film_of(stage, changes)
    for kept in (
        all_that_stays_can_be_sent,
        every_chart_has_a_name_of_its_own,
        specs_and_captions_read_what_is_sent,
        specs_are_vega_lite,
        columns_fit_their_data_sets_and_the_player_reads_their_types,
        slices_of_frames_are_the_frames,
        a_message_can_be_packed_and_read,
    ):
        kept(film)


@pytest.mark.parametrize("stage", SETTINGS)
def test_the_charts_of_all_films_are_those_that_lessons_may_hide(stage):
    assert {chart.name for row in SETTINGS[stage] for chart in opened(stage, row).charts} == set(STAGES[stage].charts)


def marks_of(films: list[Film]) -> set[str]:
    """Return the marks that charts can light: a row's field ``mark`` is an expression with their names in it."""
    specs = json.dumps([chart.spec for film in films for chart in film.charts])
    names = [
        name
        for said in re.findall(r'"calculate": "([^"]*)", "as": "mark"', specs)
        for name in re.findall(r"'([^']*)'", said)
    ]
    return {f"{name}N" if name.endswith("-") else name for name in names}


@pytest.mark.parametrize("stage", SETTINGS)
def test_the_marks_of_all_films_are_those_at_which_lessons_may_point_and_cards_point_at_no_others(stage):
    marks = {*STAGES[stage].marks}
    assert marks_of([opened(stage, row) for row in SETTINGS[stage]]) == marks
    cards = [html for row in SETTINGS[stage] for html in cards_of(stage, row, 1).values()]
    pointed = {re.sub(r"-\d+$", "-N", mark) for mark in re.findall(r'data-mark="([^"]*)"', "".join(cards))}
    assert pointed <= marks
    assert bool(pointed) == bool(marks)


@pytest.mark.parametrize("stage", SETTINGS)
def test_films_with_the_same_key_are_the_same_and_others_have_another(stage):
    films = [opened(stage, row) for row in SETTINGS[stage]]
    keys = [film.key for film in films]
    assert keys == [opened(stage, row).key for row in SETTINGS[stage]]
    assert len(set(keys)) == len(keys)
    assert (opened(stage, SETTINGS[stage][0], SEED + 1).key not in keys) == STAGES[stage].seeded


# ---- cards -----------------------------------------------------------------------------------------------------------


@every
def test_cards_depend_on_their_arguments_alone(stage, changes):
    last = min(UNTIL, film_of(stage, changes).total)
    before = cards_of(stage, changes, last)
    first = cards_of(stage, changes, 0)
    assert cards_of(stage, changes, last) == before
    assert all(html.startswith("<") for html in [*before.values(), *first.values()])


SHORT = {"ibp_features": SETTINGS["ibp_features"][2], "marginalise": {"words": 2}}  # where a run takes less time


@pytest.mark.parametrize("stage", SETTINGS)
def test_a_run_has_cards_to_its_end(stage):
    changes = SHORT.get(stage, SETTINGS[stage][0])
    assert all(html.startswith("<") for html in cards_of(stage, changes, STAGES[stage](**changes).iterations).values())


@pytest.mark.parametrize("stage", SETTINGS)
def test_views_that_a_script_draws_are_views(stage):
    assert set(stages()[stage].drawn) < set(STAGES[stage].views)


@pytest.mark.parametrize("stage", SETTINGS)
def test_the_page_shows_the_cards(stage):
    page, changes = app(topic_info(stage).page), SETTINGS[stage][0]
    cards = cards_of(stage, changes, UNTIL)
    assert cards
    for view, html in cards.items():
        follow(page, **changes, seed=SEED, view=view, t=UNTIL)
        assert html in cards_on(page)


# ---- routes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stage", "changes"), [(stage, row) for stage, rows in SETTINGS.items() for row in (rows[0], rows[-1])], ids=str
)
def test_routes_give_what_the_film_and_its_cards_are(stage, changes):
    """The routes know no topic: two films of each are enough."""
    film = film_of(stage, changes)
    last = min(UNTIL, film.total)
    link = STAGES[stage](**changes).model_dump(exclude_none=True) | {"seed": SEED}
    assert ask(f"{stage}/film", **link).json == json.loads(json.dumps(film.described()))
    assert ask(f"{stage}/frames", **link, **{"from": 0, "to": last + 1}).body == film.packed(0, last + 1)
    if film.still:
        assert ask(f"{stage}/still", **link, t=last).json == json.loads(json.dumps(film.still(last)))
    for view, html in cards_of(stage, changes, last).items():
        wanted = {"view": view, "from": last, "to": last + 1, "every": 1}
        assert ask(f"{stage}/cards", **link, **wanted).json == {"cards": [html]}
