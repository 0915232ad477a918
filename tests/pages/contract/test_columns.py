"""A film's columns are what it declares: what reads or makes another one fails when the film is made, by its name."""

import altair as alt
import numpy as np
import pytest

from pages.contract.charts import Chart, Listed, Trail
from pages.contract.columns import FLOAT32, INT16, UINT8, UINT16, UndeclaredError, along
from pages.contract.film import Film
from pages.contract.wire import TYPES
from pages.drawing.charts import finish, past, rows
from pages.drawing.reads import reads

DATA = {"dots": {"x": [1, 2, 3], "height": FLOAT32, "on": UINT8}, "past": {"mean": FLOAT32}, "say": {"mean": FLOAT32}}
COLUMNS = {("dots", "height"): np.arange(4) / 4, ("dots", "on"): np.eye(4, 3)} | along(mean=np.arange(4))


def film(spec=None, caption="", data=DATA, columns=COLUMNS, **more):
    keys = {name: more.pop(name) for name in ("legend", "listed") if name in more}
    spec = spec or finish(rows("dots", "height").mark_point().encode(x="x:Q", y="height:Q", opacity="on:Q"))
    return Film("key", [Chart("dots", "Dots", caption, "Dots.", spec, **keys)], data, 3, "{t}", columns, **more)


def test_columns_are_sent_as_they_are_declared():
    frames = film(columns=COLUMNS | {("say", "mean"): 2}).frames(1, 3)
    assert {name: (column.dtype.name, column.shape) for name, column in frames.items()} == {
        ("dots", "height"): ("float32", (2, 3)),  # one number a frame is that of all rows
        ("dots", "on"): ("uint8", (2, 3)),
        ("past", "mean"): ("float32", (2, 1)),
        ("say", "mean"): ("float32", (2, 1)),
    }
    assert frames["dots", "height"].tolist() == [[0.25] * 3, [0.5] * 3]
    assert frames["dots", "on"].tolist() == [[0, 1, 0], [0, 0, 1]]
    assert frames["say", "mean"].tolist() == [[2], [2]]
    assert film(columns=lambda start, stop: COLUMNS).packed(0, 4) == film().packed(0, 4)
    known = {"dots": {"x": [1, 2, 3]} | FLOAT32.made(height=np.arange(4) / 4) | UINT8.made(on=np.eye(4, 3))}
    known |= {name: FLOAT32.made(mean=np.arange(4)) for name in ("past", "say")}
    assert film(data=known, columns={}).packed(0, 4) == film().packed(0, 4)
    assert {column.type for column in (FLOAT32, INT16, UINT8, UINT16)} == {*TYPES}


def test_the_browser_has_room_for_what_changes():
    assert film().described()["data"] == {"dots": {"x": [1, 2, 3], "height": [None] * 3, "on": [None] * 3}}
    assert film(data=DATA | {"bars": {"h": UINT16.of(2)}}).staying["bars"] == {"h": [None, None]}


def reading(field, name="dots"):
    return {"spec": finish(rows(name).mark_point().encode(x="x:Q", y=field))}


IN_A_CONDITION = alt.condition("datum.on && datum['off']", alt.value(1), alt.value(2))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (reading("heigth:Q"), "the chart dots reads dots.heigth, .* nearest one is dots.height"),
        (reading("height:Q", "dotts"), "reads dotts.*, .* nearest one is dots"),
        ({"spec": finish(past().mark_line().encode(x="t:Q", y="maen:Q"))}, "reads past.maen, .* past.mean"),
        ({"spec": finish(rows("dots").mark_point().encode(size=IN_A_CONDITION))}, "reads dots.off"),
        ({"spec": finish(rows("dots").mark_point().encode(tooltip=["x:Q", "name:N"]))}, "reads dots.name"),
        ({"caption": "{maen}"}, "reads say.maen, .* say.mean"),
        ({"legend": [("ink", "mean", "there")]}, "reads say.there"),
        ({"listed": Listed(3, 1, {"dost": 1})}, "the list dots reads dost.i, .* dots.i"),
        ({"trails": [Trail("dots", "was", ("dots", "on"), 2, 0)]}, "a trail reads dots.was"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_reads_another_column_is_refused_with_the_nearest_name(wrong, said):
    with pytest.raises(UndeclaredError, match=said):
        film(**wrong)


@pytest.mark.parametrize(
    ("columns", "error", "said"),
    [
        (COLUMNS | {("dots", "heigth"): 0}, UndeclaredError, "dots.heigth, .* nearest one is dots.height"),
        ({("dots", "on"): 0}, UndeclaredError, "frames lack dots.height, past.mean, say.mean"),
        (COLUMNS | {("dots", "on"): np.zeros((4, 2))}, ValueError, "broadcast"),
    ],
    ids=["more", "fewer", "narrow"],
)
def test_frames_make_what_is_declared_and_no_more(columns, error, said):
    with pytest.raises(error, match=said):
        film(columns=columns).frames(0, 4)


def test_all_fields_of_a_set_have_the_same_number_of_rows():
    with pytest.raises(ValueError, match=r"dots have different numbers of rows: \[2, 3"):
        _ = film(data=DATA | {"dots": {"x": [1, 2, 3], "height": FLOAT32.of(2), "on": UINT8}}).declared


def test_what_a_specification_makes_itself_it_does_not_read():
    bars = (
        rows("draws")
        .transform_calculate(low="floor(datum.value)")
        .transform_joinaggregate(all="count()", groupby=["kind"])
        .transform_aggregate(many="count()", groupby=["low"])
        .transform_calculate(share="datum.many / 2")
    )
    labels = alt.X("at:Q", axis=alt.Axis(labelExpr="datum.label"))
    fixed = alt.Chart(alt.Data(values=[{"at": 1}])).mark_rule().encode(x=labels)
    spec = finish(alt.layer(bars.mark_bar().encode(x="low:Q", y="share:Q"), fixed))
    assert reads(spec) == spec.reads == {("draws", "value"), ("draws", "kind")}
    with pytest.raises(ValueError, match="reads the field kind, which its transforms of draws do not make"):
        finish(bars.mark_bar().encode(x="kind:N"))
    with pytest.raises(ValueError, match="a transform that is not known: sample"):
        finish(rows("draws").transform_sample(10).mark_point())
