"""The ticks of axes in a column's own units, and what is shared by charts."""

import re

import pytest
import vl_convert
from altair.utils import schemapi

from lessons.data.columns import Column
from pages.drawing.charts import if_, ticks, trace
from pages.drawing.lazy import load_altair


@pytest.mark.parametrize(
    ("column", "domain", "labels"),
    [
        (Column("height", 170, 10), (-2.2, 2.1), ["150", "160", "170", "180", "190"]),
        (Column("share", 0.05, 0.02), (-2, 2), ["0.02", "0.04", "0.06", "0.08"]),
        (Column("below 0", -3, 2), (-1, 1), ["-5", "-4", "-3", "-2", "-1"]),
        (Column("income", 30_000, 8_000), (-1, 1), ["25,000", "30,000", "35,000"]),
        (Column("year", 2000, 4), (-1, 1), ["1996", "1998", "2000", "2002", "2004"]),
        (Column("stars", 2e11, 1e11), (-1, 1), ["1.0e+11", "1.5e+11", "2.0e+11", "2.5e+11", "3.0e+11"]),
        (Column("atoms", 2e-300, 1e-300), (-1.1, 1.1), ["1.0e-300", "1.5e-300", "2.0e-300", "2.5e-300", "3.0e-300"]),
    ],
    ids=lambda value: value.name if isinstance(value, Column) else "",
)
def test_ticks_stand_at_round_numbers_of_the_column(column, domain, labels):
    found = ticks(column, domain)
    shift, scale, form = re.fullmatch(r"format\((\S+) \+ (\S+) \* datum.value, '(.*)'\)", found["labelExpr"]).groups()
    told = [format(float(shift) + float(scale) * value, form) for value in found["values"]]
    assert told == labels
    assert found["values"] == pytest.approx([(float(t.replace(",", "")) - column.shift) / column.scale for t in told])
    assert all(domain[0] - 1e-9 <= value <= domain[1] + 1e-9 for value in found["values"])


def test_a_column_as_it_is_has_the_ticks_of_any_axis():
    assert ticks(Column("x"), (0, 1), 6) == {"tickCount": 6}


def test_altair_does_not_check_each_value_by_itself(monkeypatch):
    load_altair()
    made = if_("datum.x", "white", "black")
    monkeypatch.setattr(schemapi, "DEBUG_MODE", True)
    with pytest.raises(schemapi.SchemaValidationError):  # or `disable_debug_mode` can go
        if_("datum.x", "white", "black")
    assert made.value == "black"


@pytest.mark.parametrize("second", [False, True])
def test_the_axis_of_a_count_grows_with_what_is_above_it(second):
    spec = dict(trace("tables", None, "sweeps", second, grows=True))
    spec["params"] = [
        param | {"value": {"frame": 2, "tables_span": [0, 8]}.get(param["name"], param["value"])}
        for param in spec["params"]
    ]
    past = [{"t": t, "tables": tables, "tables_b": 3} for t, tables in enumerate([1, 40, 3])]
    svg = vl_convert.vegalite_to_svg(spec | {"datasets": {"past": past}})
    assert {">30<", ">40<"} & {*re.findall(r">\d+<", svg)}


@pytest.mark.parametrize(
    ("starts", "said"), [((60, 3), ["↑ 60"]), ((3, -1234), ["↓ -1,234"]), ((60, 70), ["↑ 60", "↑ 70"]), ((3, 4), [])]
)
def test_a_start_beyond_the_axis_has_an_arrow_and_its_number(starts, said):
    spec = dict(trace("tables", None, "sweeps", True))
    past = [dict(zip(("tables", "tables_b"), starts, strict=True), t=0), {"tables": 30, "tables_b": 2, "t": 1}]
    values = {"frame": 1, "tables_span": [0, 20]}
    spec["params"] = [param | {"value": values.get(param["name"], param["value"])} for param in spec["params"]]
    svg = vl_convert.vegalite_to_svg(spec | {"datasets": {"past": past}})
    assert sorted(re.findall(r">([↑↓][^<]*)<", svg.replace("−", "-"))) == said
