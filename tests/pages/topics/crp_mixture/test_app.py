"""The mixture's page as a script: everything that can be set, links and own data."""

from itertools import cycle, product

import numpy as np
import pytest

from lessons.data.columns import AXES
from lessons.own.points import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.crp_mixture import SWEEPS, CRPMixtureSettings
from pages.contract.following import turn
from pages.topics.crp_mixture import CRPMixtureStage
from pages.topics.crp_mixture.chains import scene_of
from samplers import Chain
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.wrong import WRONG_RULES
from samplers.diagnostics.convergence import error_to_truth, partition_ids
from tests.pages.visits import buttons, cards_on, choose, follow, head, inspector, press, upload, zoom
from tests.pairs import pairs

TOPIC = "crp_mixture.py"
# ---- free play -------------------------------------------------------------------------------------------------------


def test_free_play_has_the_controls_that_matter(page):
    assert not page.exception
    assert not page.warning
    boxes = [box.label for box in page.selectbox][1:]
    assert boxes == [
        *("Data", "Direction", "Spread of a cluster", "Learn α from the data", "Who made the points"),
        *("Start", "Sampler"),
        *("Prediction", "Points from the model", "Compare with"),
    ]
    assert [slider.label for slider in page.slider] == ["Concentration α", "Points"]
    assert head(page)["total"] == SWEEPS
    follow(page, data="seven_points", second="start")
    assert [slider.label for slider in page.slider] == ["Concentration α"]
    assert "Its start" in [box.label for box in page.selectbox]


VIEWS = CRPMixtureSettings.views
DATA = [name for name in CRPMixtureSettings.model_fields["data"].annotation.__args__ if name != "own"]
CHOICES = [
    ("rule", ["right", *WRONG_RULES]),
    ("second", ["none", "seed", "concentration", "start", "branch"]),
    ("learning", ["fixed", "learned"]),
    ("start", ["together", "apart", "prior"]),
]


def test_every_data_set_plays_with_both_families(visited):
    rows = pairs(data=DATA, family=["known", "unknown"], step_by=["sweep", "update"])
    for row, view in zip(rows, cycle(VIEWS), strict=False):
        follow(visited, **row, view=view, points=20, sweep=2, t=9)
        assert not visited.warning
        assert head(visited)["at"] == 9


@pytest.mark.parametrize(("name", "options"), CHOICES, ids=[name for name, _ in CHOICES])
def test_every_choice_plays_in_every_view(visited, name, options):
    views = list(VIEWS) * 3
    for i, option in enumerate(options):
        for step_by in ("sweep", "update"):
            link = {"data": "uneven_points", "step_by": step_by, "sweep": 6, "t": 8, "branch_at": 3}
            follow(visited, **link, **{name: option}, view=views[i + (step_by == "sweep")])
            assert not visited.warning
            assert f"{name}={option.replace(' ', '+')}" in head(visited)["link"]


def test_controls_change_the_film(page):
    chain = head(page)["chain"]
    for label, value in {"Data": "overlapping", "Spread of a cluster": "known", "Sampler": "counts forgotten"}.items():
        choose(page, label, value)
        assert head(page)["chain"] != chain
        chain = head(page)["chain"]


def test_a_sweep_is_opened_closed_and_branched_by_buttons(page):
    follow(page, data="seven_points", t=5)
    assert head(zoom(page, "Beat"))["total"] == 28
    assert "step_by=update&sweep=6" in head(page)["link"], "the next one"
    assert head(page)["at"] == 0
    assert head(zoom(page, "Sweep"))["at"] == 5, "the sweep was not gone through: the same place as before"
    assert "Branch here" not in buttons(page), "there is no room beside an update"
    follow(page, data="seven_points", t=5, view="chains")
    assert len(head(press(page, "Branch here"))["charts"]) == 5
    assert "second=branch" in head(page)["link"]
    assert "branch_at=5" in head(page)["link"]
    assert "Branch here" not in buttons(page), "one branch at a time"
    press(page, "One chain")
    assert "second=none" in head(page)["link"]
    assert "One chain" not in buttons(page)


def test_after_the_last_sweep_its_own_end_is_opened(page):
    follow(page, data="three_points", t=SWEEPS)
    zoom(page, "Beat")
    assert f"step_by=update&sweep={SWEEPS}" in head(page)["link"]
    assert head(page)["at"] == head(page)["total"] == 12


def guessed(page) -> list[str]:
    return [text.value for text in page.markdown if "guessed" in text.value]


def test_a_guess_is_recorded_and_told(page):
    follow(page, data="seven_points", step_by="update", sweep=3, t=1)
    assert "Not yet" in inspector(page)
    beat = scene_of(CRPMixtureSettings(data="seven_points"), 7).runs[0].close_up(3)[0]
    (pills,) = (group for group in page.get("button_group") if group.label.startswith("Where will point"))
    assert len(pills.options) == len(list(beat.lifted.clusters)) + 1
    assert pills.label == "Where will point 1 go?"
    pills.set_value(beat.update.value).run()
    assert not page.exception
    (recorded,) = page.session_state["topic crp_mixture"].guesses.values()
    assert recorded == beat.update.value
    place = page.session_state["topic crp_mixture"]
    place.move(4)
    page.run()
    chance = beat.update.conditional.probabilities[recorded]
    assert f"**As you guessed** ({chance:.2f})" in guessed(page)
    assert "guessed" not in inspector(page), "the cards are the same for everybody"
    assert not [group for group in page.get("button_group") if group.label.startswith("Where will point")]
    place.move(8)
    page.run()
    assert not guessed(page), "this is another point"


# ---- links -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["update", "code"])
def test_the_point_that_is_chosen_is_opened(view):
    settings = CRPMixtureSettings(data="seven_points", point=5)
    assert "oint 5" in CRPMixtureStage().cards(settings, 7, view, 3)


@pytest.mark.parametrize("view", CRPMixtureSettings.views)
def test_every_view_stands_at_the_ends_of_a_sweep_and_of_a_run(visited, view):
    for t in (0, 1, 11, 12):
        follow(visited, data="three_points", step_by="update", sweep=SWEEPS, t=t, view=view)
    for t in (0, 1, SWEEPS):
        follow(visited, data="three_points", t=t, view=view, point=500)


def test_a_link_to_one_update_of_a_late_sweep_has_the_truth_of_all_sweeps_before(page):
    settings = CRPMixtureSettings(data="seven_points", data_seed=9)
    chain = Chain(settings.sampler(), 7)
    exact = exact_posterior(chain.sampler.data, chain.sampler.family, settings.concentration)
    ids = partition_ids([chain[t].labels for t in range(1, 401)])
    follow(page, data="seven_points", data_seed=9, step_by="update", sweep=400, view="truth")
    error = error_to_truth(ids, exact.probabilities, 400)
    assert f"After 400 sweeps the total variation distance over 877 groupings is {error:.3f};" in inspector(page)


def test_a_link_to_a_late_sweep_of_many_points_shows_no_sweep_that_is_not_made(page):
    follow(page, data="three_blobs", points=500, data_seed=9, t=1500, view="chains")
    assert cards_on(page) == [""], "the browser asks for them when they are there"


# ---- data of one's own -----------------------------------------------------------------------------------------------


GOOD = b"height,name,weight\n" + b"\n".join(b"%d,a,%d" % (x, x * x % 7) for x in range(20))


def test_without_a_file_the_page_asks_for_one(page):
    follow(page, data="own")
    assert any("upload it" in box.value for box in page.info)
    assert not [c for c in page.get("bidi_component") if c.proto.component_name == "samplescope_player"]
    assert "Concentration α" in [slider.label for slider in page.slider]


@pytest.mark.parametrize("data", [np.arange(5.0)[:, None] ** 2, np.arange(16.0).reshape(8, 2) ** 1.5])
def test_points_that_are_kept_play(page, data):
    own = keep_own(OwnPoints(data, AXES[: data.shape[1]]))
    for view, step_by in product(VIEWS, ("sweep", "update")):
        follow(page, data="own", own=own, view=view, step_by=step_by, t=7)
        message = head(page)
        assert len(message["data"]["points_a"]["x"]) == len(data)
        assert message["total"] == (SWEEPS if step_by == "sweep" else 4 * len(data))


def test_a_file_plays_and_its_columns_can_be_chosen(page):
    upload(follow(page, data="own"), GOOD)
    points = head(page)["data"]["points_a"]
    assert np.mean(points["x"]) == pytest.approx(0, abs=1e-4)
    choose(page, "height: part", "not used")
    assert not page.exception
    assert max(head(page)["data"]["points_a"]["y"]) < 0, "on a line"
    choose(page, "Standardise", False)
    assert max(head(page)["data"]["points_a"]["x"]) == 4
    assert any("20 points" in caption.value for caption in page.caption)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", "empty"),
        (b"a,b\n1,2\n", "3"),
        (b"name\nx\ny\nz\nx\n", "number"),
        (b"PK\x03\x04" + b"x" * 50, "spreadsheet"),
    ],
    ids=["empty", "one row", "text", "zip"],
)
def test_a_file_that_cannot_be_used_says_why(page, raw, text):
    upload(follow(page, data="own"), raw)
    assert len(page.error) == 1
    assert text in page.error[0].value.replace("\\", "")
    assert any("upload it" in box.value for box in page.info)


def test_a_column_that_never_changes_is_not_used_at_first(page):
    upload(follow(page, data="own"), b"a,b\n1,1\n1,2\n1,3\n1,4\n")
    assert not page.error
    assert max(head(page)["data"]["points_a"]["y"]) < 0, "b is on a line"


def test_a_bad_file_leaves_the_points_of_the_last_one(page):
    upload(follow(page, data="own"), GOOD)
    chain = head(page)["chain"]
    upload(page, b"nothing", "other.csv")
    assert page.error
    assert head(page)["chain"] == chain


def test_names_of_columns_are_text_everywhere(page):
    upload(follow(page, data="own", view="clusters"), b"<script>alert(1)</script>,*b*\n1,2\n3,5\n4,4\n9,1\n")
    html = " ".join(element.proto.body for element in page.get("html"))
    assert "<script" not in html
    assert "mean <script>alert(1)</script>" in inspector(page)


FOUR = OwnPoints(np.arange(4.0)[:, None] ** 2, AXES[:1])


def test_the_ends_of_a_sweep_of_own_points(page):
    follow(page, data="own", own=keep_own(FOUR), step_by="update", sweep=2, t=900)  # beyond its last beat
    follow(page, data="own", step_by="update", sweep=3, t=16)
    assert head(zoom(page, "Sweep"))["at"] == 3, "its end"
    follow(page, data="own", step_by="update", sweep=2, t=0)
    turn(page.session_state["topic crp_mixture"], -1)
    page.run()
    assert not page.exception


def test_fewer_own_points_than_the_iteration_has_beats(page):
    follow(page, data="three_blobs", points=60, step_by="update", t=200)
    page.session_state["topic crp_mixture"].own = keep_own(FOUR)
    choose(page, "Data", "own")
