"""Labels that are asked for: what is drawn is what was computed, a press asks, and what the lessons tell of it."""

import re

import numpy as np
import pytest

from lessons.topics.generative import GenerativeSettings
from pages.contract.events import Open
from pages.contract.stage import stage_of
from pages.topics.generative.asking import AskedRun
from samplers import Chain

ONE_ANSWER = GenerativeSettings(method="ask", data_seed=10, labelled=2)
MISLED = GenerativeSettings(method="ask", data="correlated", data_seed=12, labelled=2)


class Somewhere:
    """A place that only remembers what it is told."""

    def __init__(self, settings, t):
        self.settings, self.seed, self.t = settings, 7, t

    def change(self, **changes):
        self.settings = self.settings.model_copy(update=changes)

    def move(self, t):
        self.t = t


def test_bars_discs_and_lines_are_those_of_the_chain():
    run = AskedRun(ONE_ANSWER, 7)
    frames = run.film.frames(0, 10)
    for t, state in enumerate(run.states):
        hidden = [item for item in run.asking.hidden.tolist() if item not in state.asked]
        gains = run.asking.gains(run.asking.outlook(state.asked))
        assert frames["points", "gain"][t, hidden] == pytest.approx(gains[hidden], abs=1e-6)
        assert np.flatnonzero(frames["points", "state"][t] == 1).tolist() == hidden
        assert frames["past", "right"][t, 0] == run.asking.right(state.asked)
    assert frames["past", "chance"][1, 0] == pytest.approx(run.asking.right_at_random(1) @ np.arange(10), abs=1e-5)


@pytest.mark.parametrize("rule", ["right", "answers count alike", "most probable answer only"])
def test_sums_on_cards_add_up_as_they_are_printed(rule):
    settings = ONE_ANSWER.model_copy(update={"gain_rule": rule})
    for t in range(1, 9):
        told = stage_of("generative").cards(settings, 7, "step", t)
        rows = re.findall(r"<td>([\d.]+)</td><td>([\d.]+)</td><td>([\d.]+)</td>", told)
        for weight, left, product in rows[-2:]:
            assert float(weight) * float(left) == pytest.approx(float(product), abs=0.0005 + 1e-9)
        found = re.search(r"([\d.]+) − ([\d.]+) = <b>(−?[\d.]+)", told)
        bits, expected, gain = (float(each.replace("−", "-")) for each in found.groups())
        assert sum(float(product) for *_, product in rows[-2:]) == pytest.approx(expected)
        assert bits - expected == pytest.approx(gain, abs=1e-9)


def test_a_press_asks_for_a_label_and_known_ones_stay():
    place = Somewhere(ONE_ANSWER, 0)
    stage = stage_of("generative")
    stage.open(place, Open("point", 4, 0))
    assert (place.settings.by_hand, place.t) == ("4", 1)
    stage.open(place, Open("point", 9, 1))
    assert (place.settings.by_hand, place.t) == ("4-9", 2)
    assert [item + 1 for item in place.settings.sampler().first] == [4, 9]
    stage.open(place, Open("point", 1, 2))
    assert place.t == 2, "its label is known"


@pytest.mark.parametrize("by_hand", ["1-99-4-4", "4"])
def test_a_link_asks_only_for_what_can_be_asked_for(by_hand):
    assert ONE_ANSWER.model_copy(update={"by_hand": by_hand}).sampler().first == (3,)


def test_there_is_nothing_to_ask_for_if_all_labels_are_known():
    assert "Nothing to ask for" in GenerativeSettings(method="ask", points=6, labelled=6).lacking()


# ---- as told ---------------------------------------------------------------------------------------------------------


def rights(settings, answers):
    run = AskedRun(settings, 7)
    return [run.asking.right(run.states[t].asked) for t in range(answers + 1)]


@pytest.mark.told
def test_one_answer_as_told():
    asking = ONE_ANSWER.sampler()
    outlook, gains = asking.outlook(()), asking.gains(asking.outlook(()))
    assert outlook.bits[[2, 6]] == pytest.approx([0.97, 0.97], abs=0.005)
    assert gains[[2, 6]] == pytest.approx([1.23, 2.19], abs=0.005)
    assert [outlook.bits.sum(), *outlook.chances[6], *outlook.after[6]] == pytest.approx(
        [7.68, 0.602, 0.398, 5.77, 5.07], abs=0.005
    )
    assert rights(ONE_ANSWER, 1) == [4, 9]
    assert asking.right_at_random(1)[9] == pytest.approx(4 / 9)


@pytest.mark.told
def test_how_the_gain_misleads_as_told():
    asking = MISLED.sampler()
    full = MISLED.model_copy(update={"grouping": "whole"}).sampler()
    assert rights(MISLED, 1) == [7, 2]
    assert asking.promised((10,)) == pytest.approx(7.2, abs=0.05)
    assert asking.outlook(()).chances[10] == pytest.approx([0.875, 0.125], abs=0.001)
    assert full.outlook(()).chances[10] == pytest.approx([0.492, 0.508], abs=0.001)
    assert rights(MISLED.model_copy(update={"grouping": "whole"}), 3) == [7, 7, 7, 8]
    assert (asking.right_at_random(1)[:3]).sum() == pytest.approx(1 / 9)


@pytest.mark.told
@pytest.mark.parametrize(
    ("data", "told"), [("equal", (7.9, 7.0, 7.2)), ("correlated", (6.2, 6.2, 7.3))], ids=["right", "wrong"]
)
def test_asking_by_gain_pays_where_the_model_is_right(data, told):
    found = []
    for number in range(1, 15):
        asking = GenerativeSettings(method="ask", data=data, data_seed=number, labelled=2).sampler()
        asked = Chain(asking, 0)[1].asked
        found.append((asking.right(asked), asking.right_at_random(1) @ np.arange(10), asking.promised(asked)))
    assert np.mean(found, axis=0) == pytest.approx(told, abs=0.05)
