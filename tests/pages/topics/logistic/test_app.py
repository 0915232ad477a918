"""The page of logistic regression as a script: lessons, everything that can be set, links, and touches."""

import numpy as np
import pytest

from lessons.own.labelled import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.logistic import LogisticSettings
from pages.contract.events import Touch
from pages.lesson.state import Visit
from pages.topics.logistic import LogisticStage
from tests.pages.visits import check, choose, dials, follow, form, head, inspector
from tests.pairs import pairs

TOPIC = "logistic.py"
VIEWS = LogisticSettings.views


def options(name: str) -> tuple[str, ...]:
    found: tuple[str, ...] = LogisticSettings.model_fields[name].annotation.__args__
    return found


def steps(method: str, points: int = 0) -> int:
    return LogisticSettings.modes[method].steps(points)


# ---- free play -------------------------------------------------------------------------------------------------------


def test_free_play_has_the_controls_that_matter(page):
    assert not page.exception
    assert not page.warning
    assert head(page)["total"] == steps("newton")
    labels = [slider.label for slider in page.slider]
    assert labels == ["Monte Carlo draws", "Points"]
    assert [box.label for box in page.text_input] == ["Seed", "Data seed", "Probe x₁", "Probe x₂"]
    assert dials(page) == {"Press or drag to": 0, "Step length η": 1.0, "Prior precision: log₁₀ λ": 0.0}
    follow(page, data="few", method="chain", prior="flat", bias="on")
    assert dials(page) == {"Press or drag to": 0}
    assert [slider.label for slider in page.slider] == ["Monte Carlo draws"]
    assert any("No mode was found" in box.value for box in page.info)


CHOICES = {name: options(name) for name in ("method", "features", "prior", "bias")}


@pytest.mark.parametrize("method", options("method"))
def test_every_method_plays_with_all_features_and_priors_in_every_view(visited, method):
    for row in pairs(**CHOICES, view=list(VIEWS)):
        if row["method"] == method:
            follow(visited, data="outlier", points=12, t=3, **row)
            message = head(visited)
            assert message["at"] == 3
            assert message["total"] == steps(method, 12)
            assert len(inspector(visited)) > 20


@pytest.mark.parametrize("name", ["data", "predictive", "against", "rule", "pointer"])
def test_every_choice_plays(visited, name):
    for view, option in zip(list(VIEWS) * 2, options(name), strict=False):
        follow(visited, points=9, view=view, **{name: option})
        assert not visited.warning
        assert head(visited)["total"] == steps("newton")


def test_controls_change_the_film_or_only_what_is_looked_at(page):
    chain = head(page)["chain"]
    for label, value in {"Data": "few", "Each step is": "gradient", "Prior": "flat", "Features": "rbf"}.items():
        choose(page, label, value)
        assert head(page)["chain"] != chain
        chain = head(page)["chain"]
    for label, value in {"Probe x₁": -2.5, "Probe x₂": 0.0}.items():
        choose(page, label, value)
    assert head(page)["chain"] == chain
    assert head(page)["params"]["probe"] == [-2.5, 0.0]


def test_a_missing_mode_is_said_unless_a_question_is_about_it(page):
    follow(page, lesson="logistic-one-line", step="runaway")
    assert not any("No mode was found" in box.value for box in page.info)
    check(page, form(page)["question"]["options"][1]["key"])
    assert any("No mode was found" in box.value for box in page.info)
    follow(page, lesson="logistic-one-line", step="run")
    assert any("No mode was found" in box.value for box in page.info)


# ---- links -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", options("method"))
def test_every_view_stands_at_both_ends_of_a_run(visited, method):
    last = steps(method, 8)
    for view in VIEWS:
        follow(visited, data="outlier", points=8, method=method, step_length=2.5, view=view, t=last)
        assert head(visited)["at"] == last
    follow(visited, data="own", method="points", t=500, view="step")
    assert head(visited)["at"] == 0, "there are no points"


# ---- touches ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def place() -> Visit:
    return Visit("logistic", LogisticSettings())


def test_the_probe_goes_where_it_was_released(place):
    for x, y, expected in [(1.26, -3.349, (1.3, -3.3)), (6.0, -6.0, (6.0, -6.0)), (-0.04, 0.04, (0.0, 0.0))]:
        LogisticStage().touched(place, Touch("probe", x, y, True, None))
        assert (place.settings.probe_x, place.settings.probe_y) == expected
        assert "=-0.0&" not in place.link()
    assert place.settings.data == "overlapping"
    assert not place.own


@pytest.mark.parametrize("pointer", ["add class 1", "move", "relabel", "remove"])
def test_points_that_are_changed_are_ones_own_from_then_on(place, pointer):
    points, labels = place.settings.dataset()
    place.change(pointer=pointer)
    LogisticStage().touched(place, Touch("probe", 1.0, 1.0, False, 2))
    assert place.settings.data == "own"
    mine = place.settings.its_own()
    assert len(mine.points) == len(points) + {"add class 1": 1, "remove": -1}.get(pointer, 0)
    np.testing.assert_array_equal(mine.points[:2], points[:2])
    assert mine.labels[:2].tolist() == labels[:2].tolist()


@pytest.mark.parametrize("pointer", ["move", "relabel", "remove"])
def test_a_click_beside_the_points_leaves_the_data_as_they_are(place, pointer):
    place.change(pointer=pointer)
    LogisticStage().touched(place, Touch("probe", 1.0, 1.0, False, None))
    assert place.settings.data == "overlapping"
    assert not place.own


def test_removing_points_moves_the_run_back_to_where_there_are_some(page):
    own = keep_own(OwnPoints(np.arange(8.0).reshape(4, 2), np.arange(4) % 2))
    follow(page, data="own", own=own, method="points", t=4)
    assert (head(page)["total"], head(page)["at"]) == (4, 4)
    own = keep_own(OwnPoints(np.arange(4.0).reshape(2, 2), np.arange(2)))
    page.session_state["topic logistic"].change(own=own)
    page.run()
    assert not page.exception
    assert (head(page)["total"], head(page)["at"]) == (2, 2)
