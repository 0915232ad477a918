"""The film of a buffet against the chain that it shows."""

import json

import numpy as np
import pytest

from lessons.topics.ibp_buffet import IBPBuffetSettings
from pages.contract.events import Open
from pages.lesson.state import Visit
from pages.topics.ibp_buffet import IBPBuffetStage
from pages.topics.ibp_buffet.line import ENDS
from pages.topics.ibp_buffet.run import BuffetRun
from samplers.buffet.exact import dishes_of_a_customer, dishes_overall, left_ordered, new_dishes_of_a_customer
from samplers.buffet.prior import NEW, TAKES

SETTINGS = {
    "plain": IBPBuffetSettings(),
    "left": IBPBuffetSettings(order="left", concentration=4.0),
    "nobody takes anything": IBPBuffetSettings(customers=1, concentration=0.1),
    "finite": IBPBuffetSettings(model="finite", columns=15, order="left"),
    "too many": IBPBuffetSettings(rule="new dishes for everyone"),
    "counted": IBPBuffetSettings(rule="refused dishes counted"),
    "new ones": IBPBuffetSettings(last="new", model="finite", columns=100, customers=10),
    "new dishes": IBPBuffetSettings(last="new"),
}
RUNS = {name: BuffetRun(settings, seed) for seed, (name, settings) in enumerate(SETTINGS.items(), 1)}
every = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)


@every
def test_bars_and_darts_are_those_of_the_customer_who_chose_and_of_the_one_who_comes(run):
    frames = run.film.frames(0, run.total + 1)
    share = run.sampler.share
    for t in range(1, run.total + 1):
        was, darts = (frames["dishes", name][t].astype(int) for name in ("was", "dart"))
        np.testing.assert_array_equal(frames["dishes", "next"][t - 1], was)
        np.testing.assert_array_equal(frames["dishes", "coming"][t - 1], darts)
        old = [update for update in run.choices(t) if update.site != NEW]
        assert not was[len(old) :].any(), "dishes that are not there yet"
        for update, count, dart in zip(old, was - 1, darts / ENDS, strict=False):
            chance = (count + share) / (t + share)
            assert chance == pytest.approx(update.conditional.probabilities[TAKES])
            assert (update.value == TAKES) == (dart < chance) == bool(run.matrix[t - 1, update.site])


@every
def test_cells_are_what_was_taken_and_stand_in_order(run):
    cells, dishes, customers = (run.film.data[name] for name in ("cells", "dishes", "rows"))
    seen = np.zeros_like(run.matrix)
    for x, y, customer, dish, first in zip(*(cells[n] for n in ("x", "y", "customer", "dish", "first")), strict=True):
        seen[customer - 1, dish - 1] = 1
        assert (x, y) == (dishes["x"][dish - 1], customers["y"][customer - 1])
        assert first == (not run.matrix[: customer - 1, dish - 1].any())
    np.testing.assert_array_equal(seen, run.matrix)
    assert customers["total"] == run.matrix.sum(axis=1).tolist()
    ordered = run.matrix[:, np.argsort(dishes["x"])]
    if run.settings.order == "left":
        form = left_ordered(run.matrix)
        np.testing.assert_array_equal(ordered[:, : form.shape[1]], form)
    else:
        np.testing.assert_array_equal(ordered, run.matrix)


@every
def test_captions_tell_what_the_settings_measure(run):
    frames = run.film.frames(0, run.total + 1)
    setting = run.settings.concentration, run.settings.number_of_columns
    for t in (0, 1, run.total):
        facts = run.settings.measure(run.chain, t)
        for name in ("customers", "dishes", "plate", "new"):
            assert frames["say", name][t, 0] == facts[name]
        assert facts["popular"] == max([0, *run.matrix[:t].sum(axis=0)])
        exact = dishes_overall(t, *setting)
        assert frames["say", "mean"][t, 0] == pytest.approx(np.arange(len(exact)) @ exact, rel=1e-6)
        last = facts["new" if run.settings.last == "new" else "plate"]
        assert (frames["now", "many"][t, 0], frames["now", "plates"][t, 0]) == (facts["dishes"], last)


@every
def test_distributions_over_runs_stand_beside_the_exact_ones_and_wrong_rules_are_seen_in_them(run):
    setting = run.settings.concentration, run.settings.number_of_columns
    apart = {}
    new = run.settings.last == "new"
    last = new_dishes_of_a_customer(run.total, *setting) if new else dishes_of_a_customer(*setting)
    for name, exact in (("many", dishes_overall(run.total, *setting)), ("plates", last)):
        shown = run.film.data[name]
        assert sum(shown["share"]) == pytest.approx(1, abs=1e-3)
        assert sum(shown["exact"]) == pytest.approx(1, abs=4e-3)
        there = [(number, share) for number, share in zip(shown["number"], shown["exact"], strict=True) if share > 0]
        assert [share for _, share in there] == pytest.approx(exact[[number for number, _ in there]], rel=1e-3)
        apart[name] = np.abs(np.subtract(shown["share"], shown["exact"])).sum() / 2
    far = {"new dishes for everyone": {"many": 0.9, "plates": 0.5}, "refused dishes counted": {"plates": 0.5}}
    for name, distance in apart.items():
        least = far.get(run.settings.rule, {}).get(name)
        assert distance < 0.1 if least is None else distance > least, name


def test_a_click_leads_to_a_customer_or_to_the_first_who_took_a_dish():
    for run in (RUNS["plain"], RUNS["finite"]):
        place = Visit("ibp_buffet", run.settings, seed=run.seed, t=5)
        IBPBuffetStage().open(place, Open("customer", 7, 5))
        assert place.t == 7
        for dish in range(run.matrix.shape[1]):
            place.t = 5
            IBPBuffetStage().open(place, Open("dish", dish + 1, 5))
            first = [t for t in range(1, run.total + 1) if run.matrix[t - 1, dish]][:1]
            assert place.t == (first[0] if first else 5), "where nobody takes it, nothing moves"


@every
def test_the_end_of_the_line_says_how_many_new_dishes_are_expected_unless_that_is_the_error(run):
    (line,) = [chart.spec for chart in run.film.charts if chart.name == "line"]
    wrong = run.settings.rule == "new dishes for everyone" or run.settings.model == "finite"
    assert ("Poisson(" in json.dumps(line)) != wrong
