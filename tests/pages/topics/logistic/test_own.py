"""Points of a learner's own: from a file, or made with the pointer."""

import numpy as np
import pytest

from lessons.data.columns import REACH, Column
from lessons.data.csv_text import OwnDataError
from lessons.data.sheet import read_sheet
from lessons.own.labelled import OwnPoints, labelled
from lessons.own.store import keep_own
from lessons.topics.logistic import MOST_POINTS, LogisticSettings
from pages.contract.events import Touch
from pages.topics.logistic import LogisticStage
from pages.topics.logistic.inspector import probe
from pages.topics.logistic.own import edited
from tests.pages.html import words
from tests.pages.visits import app, choose, follow, head, press, upload
from tests.work import calls

scene_of = LogisticStage().scene

TOPIC = "logistic.py"
THREE = OwnPoints(np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]), np.array([0, 1, 1]))
RNG = np.random.default_rng(3)


def table(raw: str):
    return read_sheet(raw.encode(), "own.csv")


def csv(*columns: np.ndarray, names: str = "height,weight,sick") -> str:
    return "\n".join([names, *(",".join(map(str, row)) for row in zip(*columns, strict=True))])


# ---- files -----------------------------------------------------------------------------------------------------------


def test_two_features_and_a_label_become_points():
    x, y, label = RNG.normal(5, 2, 40), RNG.normal(-1, 9, 40), np.arange(40) % 2
    found = labelled(table(csv(x, y, label)), "height", "weight", "sick").data
    np.testing.assert_allclose(found.points, np.column_stack([(v - v.mean()) / v.std() for v in (x, y)]))
    assert found.labels.tolist() == label.tolist()
    for column, name, values in zip(found.columns, ("height", "weight"), (x, y), strict=True):
        assert (column.name, column.shift, column.scale) == pytest.approx((name, values.mean(), values.std()))


def test_a_file_keeps_its_own_units_and_the_fit_its_weights():
    points, labels = RNG.normal(size=(20, 2)), np.arange(20) % 2
    file = OwnPoints(points, labels, (Column("height", 170, 10), Column("weight", 7e4, 1e4)))
    changed = edited(file, "relabel", touch(row=0))
    assert changed.columns == file.columns
    scenes = [
        scene_of(LogisticSettings(data="own", own=keep_own(each)), 3) for each in (OwnPoints(points, labels), file)
    ]
    plain, own = (made.fit for made in scenes)
    assert own.laplace.mode.tolist() == plain.laplace.mode.tolist()
    axes = [scenes[1].film.charts[0].spec["layer"][-1]["encoding"][side] for side in "xy"]
    assert [axis["title"] for axis in axes] == ["height", "weight"]
    assert [axis["axis"]["labelExpr"].split(" * ")[0] for axis in axes] == [
        "format(170 + 10",
        "format(70000.0 + 10000.0",
    ]
    assert "(185.0, 60000)" in words(probe(own, (1.5, -1.0)))
    assert "standard deviations" not in words(probe(plain, (1.5, -1.0)))


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0, 1, [0, 1, 1]), (1, 2, [0, 1, 1]), (-1, 1, [0, 1, 1]), (0, 0, [0] * 3)]
)
def test_the_larger_value_of_the_label_is_class_1(low, high, expected):
    found = labelled(table(f"a,b,c\n1,2,{low}\n2,5,{high}\n4,4,{high}\n"), "a", "b", "c").data
    assert found.labels.tolist() == expected


def test_a_label_of_ones_alone_is_class_1():
    assert labelled(table("a,b,c\n1,2,1\n2,5,1\n4,4,1\n"), "a", "b", "c").data.labels.tolist() == [1, 1, 1]


def test_what_lies_far_out_is_brought_to_the_rim():
    x = np.r_[np.linspace(0, 1, 99), 1e6]
    found = labelled(table(csv(x, np.arange(100), np.arange(100) % 2)), "height", "weight", "sick").data
    assert found.points.max() == REACH[0]
    assert np.isfinite(found.points).all()


@pytest.mark.parametrize(
    ("raw", "columns", "words"),
    [
        ("a,b,c\n1,2,0\n2,5,1\n4,4,2\n", "abc", ["“c”", "3 values", "0 and 1"]),
        ("a,b,c\n0.1,2,0\n0.1,5,1\n0.1,4,1\n", "abc", ["“a”", "never changes"]),
        ("a,b,c\n1,7,0\n2,7,1\n3,7,1\n", "abc", ["“b”", "never changes"]),
        ("a,b,c\n1,9,0\n2,,1\n3,,0\n4,,1\n,5,0\n,6,1\n,7,1\n", "abc", ["“a”", "rows without gaps: 1"]),
        ("a,b,c\n1,2,0\n2,5,1\n4,4,1\n", "aba", ["three different columns"]),
    ],
    ids=["three classes", "constant in spite of rounding", "constant", "gaps", "twice the same"],
)
def test_columns_that_cannot_be_used_are_named(raw, columns, words):
    with pytest.raises(OwnDataError) as refused:
        labelled(table(raw), *columns)
    assert all(word in str(refused.value) for word in words), str(refused.value)


def test_a_third_class_in_one_of_many_rows_is_seen():
    label = np.arange(5_000) % 2
    label[4_321] = 2
    with pytest.raises(OwnDataError, match="3 values"):
        labelled(table(csv(np.arange(5_000), np.arange(5_000) ** 2, label)), "height", "weight", "sick")


def test_of_a_hundred_thousand_rows_500_are_kept():
    rows = RNG.normal(size=(100_000, 2)).round(3)
    raw = csv(*rows.T, (rows.sum(axis=1) > 0).astype(int))
    found = labelled(table(raw), "height", "weight", "sick").data
    assert len(found.points) == MOST_POINTS
    again = labelled(table(raw), "height", "weight", "sick").data
    np.testing.assert_array_equal(found.points, again.points)
    assert abs(found.labels.mean() - 0.5) < 0.12, "five standard errors"


def test_to_choose_three_columns_is_no_work_of_its_own():
    """All rows are looked at once, by the reader; how that grows is tested there."""
    rows = RNG.normal(size=(10_000, 2)).round(3)
    read = table(csv(*rows.T, (rows.sum(axis=1) > 0).astype(int)))
    assert calls(lambda: labelled(read, "height", "weight", "sick")) < 500


# ---- the pointer -----------------------------------------------------------------------------------------------------


def touch(row: int | None = None, x: float = 1.234, y: float = -5.678) -> Touch:
    return Touch("probe", x, y, False, row)


@pytest.mark.parametrize("label", [0, 1])
def test_a_click_adds_a_point_of_the_class(label):
    new = edited(THREE, f"add class {label}", touch(row=1))
    np.testing.assert_array_equal(new.points, [*THREE.points, [1.23, -5.68]])
    assert new.labels.tolist() == [0, 1, 1, label]
    assert edited(OwnPoints(np.empty((0, 2)), np.empty(0, int)), f"add class {label}", touch()).labels.tolist() == [
        label
    ]


def test_a_drag_moves_the_point_that_was_pressed():
    new = edited(THREE, "move", touch(row=1))
    assert new.points.tolist() == [[0, 1], [1.23, -5.68], [4, 5]]
    assert new.labels.tolist() == [0, 1, 1]


def test_a_click_gives_a_point_the_other_label_and_back():
    new = edited(THREE, "relabel", touch(row=1))
    assert new.labels.tolist() == [0, 0, 1]
    assert edited(new, "relabel", touch(row=1)).labels.tolist() == THREE.labels.tolist()
    assert new.points.tolist() == THREE.points.tolist()


def test_a_click_removes_a_point():
    new = edited(THREE, "remove", touch(row=0))
    assert (new.points.tolist(), new.labels.tolist()) == ([[2, 3], [4, 5]], [1, 1])
    for _ in range(2):
        new = edited(new, "remove", touch(row=0))
    assert new.points.shape == (0, 2)


@pytest.mark.parametrize("pointer", ["move", "relabel", "remove"])
@pytest.mark.parametrize("row", [None, -1, 3, 10**9])
def test_a_click_on_nothing_changes_nothing(pointer, row):
    assert edited(THREE, pointer, touch(row)) is THREE


def test_what_was_there_before_is_not_changed():
    before = THREE.points.copy(), THREE.labels.copy()
    for pointer in ("move", "relabel", "remove", "add class 1"):
        edited(THREE, pointer, touch(row=1))
    np.testing.assert_array_equal(THREE.points, before[0])
    np.testing.assert_array_equal(THREE.labels, before[1])


def test_there_is_an_end_to_adding():
    full = OwnPoints(np.zeros((MOST_POINTS, 2)), np.zeros(MOST_POINTS, int))
    assert edited(full, "add class 1", touch()) is full


# ---- on the page -----------------------------------------------------------------------------------------------------


@pytest.fixture
def page():
    return app(TOPIC, data="own")


def points_shown(page) -> list[list]:
    points = head(page)["data"]["points"]
    return [points["x"], points["y"], points["label"]]


def own(page) -> OwnPoints:
    return page.session_state["topic logistic"].settings.its_own()


def part(page, column: str) -> str:
    return next(box.value for box in page.selectbox if box.label == f"{column}: part")


def kept(page) -> int:
    return len(own(page).points)


def test_a_link_to_points_of_ones_own_begins_without_any(page):
    assert not page.exception
    assert points_shown(page) == [[], [], []]
    assert any("press on the plane" in caption.value for caption in page.caption)
    assert "Remove all points" not in [button.label for button in page.button]
    for method in ("gradient", "chain", "points"):
        follow(page, data="own", method=method, view="probe")
    follow(page, data="own", prior="flat", view="evidence")
    assert any("No mode was found" in box.value for box in page.info)


def test_a_file_plays_and_its_columns_can_be_chosen(page):
    x = RNG.normal(size=30)
    upload(page, csv(x, x**2, np.arange(30) % 2, np.arange(30) % 3 // 2, names="a,b,good,bad").encode())
    assert len(points_shown(page)[0]) == 30
    assert points_shown(page)[2] == [int(n % 3 == 2) for n in range(30)], "the last column, to begin with"
    choose(page, "good: part", "label")
    assert points_shown(page)[2] == [n % 2 for n in range(30)]
    assert part(page, "bad") == "not used", "one column is the label"
    choose(page, "good: part", "x")
    assert "No column is the label" in page.error[0].value
    assert kept(page) == 30, "the last that could be used"


def test_what_was_changed_by_hand_outlives_a_rerun_but_not_another_choice(page):
    upload(page, csv(np.arange(6), np.arange(6) ** 2, np.arange(6) % 2).encode())
    place = page.session_state["topic logistic"]
    place.change(own=keep_own(edited(own(page), "add class 1", touch())))
    page.run()
    assert len(points_shown(page)[0]) == 7
    choose(page, "Features", "quadratic")
    assert len(points_shown(page)[0]) == 7
    choose(page, "weight: part", "x")
    assert part(page, "height") == "y", "they change places"
    assert len(points_shown(page)[0]) == 6
    press(page, "Remove all points")
    assert points_shown(page) == [[], [], []]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a,b\n1,2\n3,4\n5,7\n", "Columns of numbers: 2"),
        ("a,b,kind\n1,2,cat\n3,4,dog\n5,7,bird\n", "“kind” has text"),
        ("a,b,c\n1,2,0\n3,4,1\n5,7,2\n", "3 values"),
        ("a,b,c\n1,2,0\n1,4,1\n1,7,1\n", "Columns of numbers: 2; three are needed"),
        ("", "empty"),
    ],
    ids=["two columns", "words", "three classes", "constant", "empty"],
)
def test_a_file_that_cannot_be_used_says_why(page, raw, text):
    upload(page, raw.encode())
    assert text in page.error[0].value.replace("\\", "")
    assert kept(page) == 0
