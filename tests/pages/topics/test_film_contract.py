"""The contract of every film and every card of every stage, so that the player, the page and lessons can use them."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from threading import Thread

import altair as alt
import numpy as np
import pytest
from jsonschema import Draft7Validator, ValidationError, validators

from lessons.catalogue import topic_info
from lessons.topics import STAGES
from pages.contract.charts import TOLD
from pages.contract.film import Film
from pages.drawing.once import as_line, from_line
from pages.drawing.reads import reads
from tests.pages.legends import unlike
from tests.pages.marks import too_many
from tests.pages.player.films import fetched
from tests.pages.server.asking import ask
from tests.pages.topics.every_film import SEED, SETTINGS, UNTIL, film_of, opened, stages
from tests.pages.visits import app, cards_on, follow

pytestmark = pytest.mark.usefixtures("little")
PLAYERS_OWN = {
    "frame",
    "told",
    "lit",
    "larger",
    "running",
    "scrolled",
    "ink",
    "soft",
    "paper",
    "accent",
}  # parameters that it sets
every = pytest.mark.parametrize(
    ("stage", "changes"), [(stage, row) for stage, rows in SETTINGS.items() for row in rows], ids=str
)


@cache
def films_of(stage: str) -> list[Film]:
    """Return the films of a stage, of which no frame need be there."""
    return [opened(stage, row) for row in SETTINGS[stage]]


def cards_of(stage: str, changes: Mapping, t: int) -> dict[str, str]:
    """Return the inspector's views, as a plain thread makes them."""
    settings, found, made_by = STAGES[stage](**changes), {}, stages()[stage]()
    views = [*settings.views]

    def make() -> None:
        for view in views:
            found[view] = made_by.written(settings, SEED, view, t)

    thread = Thread(target=make)
    thread.start()
    thread.join()
    assert list(found) == views, "it went through"
    return found


def test_every_stage_has_its_rows():
    assert SETTINGS.keys() == stages().keys() == STAGES.keys()
    for stage, rows in SETTINGS.items():
        assert len({STAGES[stage](**row).model_dump_json() for row in rows}) == len(rows)


def all_that_stays_can_be_sent(film):
    last = min(UNTIL, film.total)
    for told in (film.described(), film.still(last) if film.still else {}):
        json.dumps(told, allow_nan=False)  # raises else


def every_chart_has_a_name_of_its_own(film):
    names = [chart.name for chart in film.charts]
    assert len(set(names)) == len(names)
    assert all(chart.title and chart.alt for chart in film.charts)


def charts_know_the_parameters_and_rest_on_declared_sets(film):
    for name, fields in (film.still(0) if film.still else {}).items():
        assert fields.keys() <= film.data[name].keys()
    for chart in film.charts:
        assert {*chart.hand.split()} <= film.params.keys()
        assert not PLAYERS_OWN & {*film.params, *chart.params}
        assert chart.params.keys() <= {param["name"] for param in chart.spec.get("params", ())}, chart.title


@pytest.mark.parametrize("stage", SETTINGS)
def test_another_seed_has_the_same_charts_so_that_nobody_builds_them_again(stage):
    one, other = (opened(stage, SETTINGS[stage][0], seed) for seed in (SEED, SEED + 1))
    assert one.key != other.key or stage == "laplace_line", "there is no chance in it"
    assert [chart.as_dict() for chart in one.charts] == [chart.as_dict() for chart in other.charts]


def specs_are_vega_lite(film):
    for chart in film.charts:
        assert_vega_lite(json.dumps(chart.spec, sort_keys=True))


@cache
def broken(reference: str, piece: str) -> list[ValidationError]:
    """Return the errors of a piece against a part of the schema, once: charts share most of their pieces."""
    return list(Draft7Validator.VALIDATORS["$ref"](SCHEMA, reference, json.loads(piece), {}))


def by_reference(_: Draft7Validator, reference: str, piece: object, schema: Mapping) -> Iterator[ValidationError]:
    for error in broken(reference, json.dumps(piece, sort_keys=True)):
        yield ValidationError.create_from(error)  # each is told its place


SCHEMA = validators.extend(Draft7Validator, {"$ref": by_reference})(alt.load_schema())


@cache
def assert_vega_lite(spec: str) -> None:
    SCHEMA.validate(json.loads(spec))


def specs_are_the_same_from_another_process(film):
    for chart in film.charts:
        again = from_line(as_line(chart.spec))
        assert json.dumps(again) == json.dumps(chart.spec)
        assert again.reads == chart.spec.reads == reads(chart.spec)


def test_a_spec_that_is_no_vega_lite_is_found():
    chart, *_ = opened("coin", {}).charts
    assert_vega_lite(json.dumps(chart.spec))
    with pytest.raises(ValidationError, match="brush"):
        assert_vega_lite(json.dumps(chart.spec | {"padding": "brush"}))


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
        head, columns = fetched(film, at, ahead=0)
        assert head["count"] > at
        assert all(len(values) == head["count"] for values in columns.values())


def a_frame_has_few_marks(film):
    assert not too_many(film, min(UNTIL, film.total))


@every
def test_a_film_keeps_the_contract(stage, changes):
    film = film_of(stage, changes)
    for kept in (
        all_that_stays_can_be_sent,
        every_chart_has_a_name_of_its_own,
        charts_know_the_parameters_and_rest_on_declared_sets,
        specs_are_vega_lite,
        specs_are_the_same_from_another_process,
        slices_of_frames_are_the_frames,
        a_message_can_be_packed_and_read,
        a_frame_has_few_marks,
    ):
        kept(film)
    settings = STAGES[stage].model_validate(changes)
    if settings.opened is None and not settings.many and "spent" not in film.label:
        # a step that says how far to play uses the counter's word
        assert settings.counted_as in film.label


def computed(spec) -> Iterator[tuple[str, str]]:
    """Yield every field that a spec computes, with its expression."""
    if isinstance(spec, dict):
        if "calculate" in spec:
            yield spec["as"], spec["calculate"]
        spec = list(spec.values())
    for part in spec if isinstance(spec, list) else []:
        yield from computed(part)


@pytest.mark.parametrize("stage", SETTINGS)
def test_no_field_is_computed_from_itself(stage):
    """Vega writes into the row: drawn again in another frame or window, it would go on from the last result."""
    for chart in (chart for film in films_of(stage) for chart in film.charts):
        for field, expression in computed(chart.spec):
            assert not re.search(rf"datum\.{field}\b", expression), (chart.name, field)


@pytest.mark.parametrize("stage", SETTINGS)
def test_a_legend_looks_as_what_is_drawn(stage):
    """In colour, as a line, a dot or a block, and in its dashes."""
    for chart in (chart for film in films_of(stage) for chart in film.charts):
        assert not unlike(chart), chart.name


def tips(spec) -> Iterator[str]:
    """Yield the fields that the pointer is told."""
    if isinstance(spec, dict):
        found = spec.get("tooltip", ())
        yield from (one["field"] for one in (found if isinstance(found, list) else [found]) if "field" in one)
        spec = list(spec.values())
    for part in spec if isinstance(spec, list) else []:
        yield from tips(part)


@pytest.mark.parametrize("stage", SETTINGS)
def test_the_pointer_is_not_told_what_a_question_withholds(stage):
    """A field that a chart draws only once it is `told` stands in no tooltip, which a screen reader has as well."""
    for chart in (chart for film in films_of(stage) for chart in film.charts):
        withheld = {
            name
            for _, expression in computed(chart.spec)
            for part in re.findall(r"\btold \?([^:]*):", expression)
            for name in re.findall(r"datum\.(\w+)", part)
        }
        assert not withheld & {*tips(chart.spec)}, chart.name


@pytest.mark.parametrize("stage", SETTINGS)
def test_a_legend_names_nothing_that_a_question_withholds(stage):
    """A key that the legend of one mode withholds is withheld in the others, or has a condition of its own there."""
    keys = {(chart.name, key[1], key[2:]) for film in films_of(stage) for chart in film.charts for key in chart.legend}
    assert not {(chart, text) for chart, text, when in keys if when == (TOLD,) and (chart, text, ()) in keys}


@pytest.mark.parametrize("stage", SETTINGS)
def test_what_a_step_may_be_about_is_a_view(stage):
    assert set(stages()[stage].about) <= set(STAGES[stage].views)


@pytest.mark.parametrize("stage", SETTINGS)
def test_the_charts_of_all_films_are_those_that_lessons_may_hide(stage):
    assert {chart.name for film in films_of(stage) for chart in film.charts} == set(STAGES[stage].charts)


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
    assert marks_of(films_of(stage)) == marks
    cards = [html for row in SETTINGS[stage] for html in cards_of(stage, row, 1).values()]
    pointed = {re.sub(r"-\d+$", "-N", mark) for mark in re.findall(r'data-mark="([^"]*)"', "".join(cards))}
    assert pointed <= marks
    assert bool(pointed) == bool(marks)


@pytest.mark.parametrize("stage", SETTINGS)
def test_films_with_the_same_key_are_the_same_and_others_have_another(stage):
    keys = [film.key for film in films_of(stage)]
    assert keys == [opened(stage, row).key for row in SETTINGS[stage]]
    assert len(set(keys)) == len(keys)
    assert (opened(stage, SETTINGS[stage][0], SEED + 1).key not in keys) == STAGES[stage].seeded


# ---- cards -----------------------------------------------------------------------------------------------------------

ON_A_PHONE = 520  # pixels of a drawing of a card, in which letters of 12 of them have 8 on a phone
DRAWING = re.compile(r'<svg (?!class="fan")[^>]*viewBox="\S+ \S+ ([\d.]+) [^>]*>(?=(?:(?!</svg>).)*<text)', re.DOTALL)


def too_wide(html: str) -> list[str]:
    """Return the widths of drawings whose letters could not be read on a phone; a fan's grow with its words."""
    return [wide for wide in DRAWING.findall(html) if float(wide) > ON_A_PHONE]


@every
def test_cards_depend_on_their_arguments_alone(stage, changes):
    last = min(UNTIL, film_of(stage, changes).total)
    before = cards_of(stage, changes, last)
    first = cards_of(stage, changes, 0)
    assert cards_of(stage, changes, last) == before
    assert all(html.startswith("<") for html in [*before.values(), *first.values()])
    assert not [(view, wide) for view, html in before.items() if (wide := too_wide(html))]


SHORT = {  # where a run takes less time
    "crp_mixture": {"data": "three_points", "points": 3},
    "jumps": {"second": "none"},
    "gibbs_blobs": {"data": "two_humps", "points": 3},
    "ibp_features": SETTINGS["ibp_features"][2],
    "marginalise": {"words": 2},
    "gibbs_topics": {"data": "tiny", "topics": 2},
}


@pytest.mark.parametrize("stage", SETTINGS)
def test_a_run_has_cards_to_its_end(stage):
    changes = SHORT.get(stage, SETTINGS[stage][0])
    assert all(html.startswith("<") for html in cards_of(stage, changes, STAGES[stage](**changes).iterations).values())


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
