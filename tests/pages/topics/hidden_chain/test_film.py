"""The films of a hidden chain against its sampler."""

import re

import numpy as np
import pytest

from lessons.topics.hidden_chain import HiddenChainSettings
from pages.contract.stage import stage_of
from samplers import Chain
from samplers.hmm.concentrations import CONCENTRATIONS
from samplers.hmm.sticky import BASE

STAGE, SEED = stage_of("hidden_chain"), 7


def test_shares_and_changes_are_those_of_the_chain():
    settings = HiddenChainSettings(data="long", hours=20, parameters="drawn")
    film, chain = STAGE.film(settings, SEED), Chain(settings.sampler(), SEED)
    film.grow(30)
    frames = film.frames(0, 31)
    labels = np.array([chain[t].labels for t in range(31)])
    high, low = (frames["shares", end][30].reshape(20, 3) for end in ("high", "low"))
    assert high - low == pytest.approx(np.array([(labels[1:] == k).mean(axis=0) for k in range(3)]).T, abs=1e-6)
    assert (frames["hours", "label"] == labels).all()
    assert frames["hours", "mean"][30] == pytest.approx(np.array(chain[30].means)[labels[30]])
    assert frames["past", "changes"][30, 0] == settings.measure(chain, 30)["changes"]
    assert frames["moves", "p"][30] == pytest.approx(np.ravel(chain[30].transitions), abs=1e-6)


@pytest.mark.parametrize("method", ["single", "block"])
def test_an_opened_sweep_goes_from_the_state_before_it_to_that_after(method):
    settings = HiddenChainSettings(method=method, step_by="update", sweep=3, parameters="drawn")
    film, chain = STAGE.film(settings, SEED), Chain(settings.sampler(), SEED)
    assert film.total == settings.iterations
    frames = film.frames(0, film.total + 1)
    labels = frames["hours", "label"]
    assert (labels[[0, -1]] == [chain[2].labels, chain[3].labels]).all()
    assert frames["moves", "p"][-1] == pytest.approx(np.ravel(chain[3].transitions), abs=1e-6)
    gone = (labels < 0).sum(axis=1)
    assert gone.max() == (8 if method == "block" else 1)
    for update, t in zip(chain.record(3), range(2, film.total, 4), strict=False):
        shown = frames["weights", "p"][t]
        if isinstance(update.site, int):
            assert shown == pytest.approx(update.conditional.probabilities, abs=1e-6)
            parts = np.array([frames["weights", name][t] for name in ("before", "next", "fit")])
            product = np.nan_to_num(parts, nan=1.0).prod(axis=0)
            assert product / product.sum() == pytest.approx(shown, abs=1e-6)
            densities = frames["weights", "density"][t]
            assert densities / densities.max() == pytest.approx(parts[2], abs=1e-6, nan_ok=True)
    if method == "block":
        sums = frames["shares", "high"] - frames["shares", "low"]
        assert sums[32].reshape(8, 2) == pytest.approx(np.array(chain[3].filtered), abs=1e-6)
        assert np.isnan(sums[16].reshape(8, 2)[4:]).all()


def test_where_the_number_of_states_is_learned_shares_are_those_of_the_chains():
    settings = HiddenChainSettings(number="learned", method="block", compare="other")
    film = STAGE.film(settings, SEED)
    chains = [Chain(settings.sampler_by(method, settings.series()), SEED) for method in ("block", "single")]
    film.grow(30)
    frames = film.frames(0, 31)
    exact = settings.exact()
    for chain, share in zip(chains, ("share", "share_b"), strict=True):
        labels = np.array([chain[t].labels for t in range(1, 31)])
        moved = np.diff(labels, axis=1) != 0
        assert frames["moved", share][30] == pytest.approx(moved.mean(axis=0), abs=1e-6)
        used = [len(set(row)) for row in labels.tolist()]
        assert frames["counts", share][30] == pytest.approx(np.bincount(used, minlength=9)[1:] / 30, abs=1e-6)
        assert settings.measure(chain, 30)["used"] == used[-1]
    assert film.data["moved"]["exact"] == pytest.approx(exact.moved, abs=1e-3)
    assert film.data["counts"]["exact"] == pytest.approx(exact.states[1:], abs=1e-3)
    assert frames["say", "states"][0] == pytest.approx(settings.law("used", 30).mean)


def test_the_state_with_the_highest_mean_is_one_in_use():
    fixed, learned = HiddenChainSettings(), HiddenChainSettings(number="learned")
    assert learned.model.highest(learned, np.array([0, 2, 2]), [0.5, 9.0, -1.0]) == 0
    assert fixed.model.highest(fixed, np.array([0, 0]), [0.5, 9.0]) == 1


def test_cards_of_base_weights_count_the_tables_that_stickiness_did_not_order():
    settings = HiddenChainSettings(number="learned", method="block", step_by="update", sweep=3)
    update = Chain(settings.sampler(), SEED).record(3)[16]
    assert update.site == "base weights"
    cards = STAGE.cards(settings, SEED, "update", 68)
    drawn, first = update.value, int(update.conditional.prior.argmax())
    counted = drawn.tables.sum(axis=0) - drawn.sticky
    counted[first] += 1
    shown = re.findall(r"<td>(\d+)</td><td><b>", cards.split("<h4>")[4])
    assert [int(text) for text in shown] == [*counted[counted > 0], 0]


def test_concentrations_are_redrawn_before_the_base_weights_which_keep_their_tables():
    settings = HiddenChainSettings(number="learned", learning="learned", method="block", step_by="update", sweep=3)
    scene = STAGE.scene(settings, SEED)
    scene.run.reach(3)
    *_, redrawn, base, _, _ = scene.run.close_up(3)
    assert (redrawn.update.site, base.update.site) == (CONCENTRATIONS, BASE)
    assert base.update.value.tables is redrawn.update.value.seated.tables
    assert base.after.seated is None
    frame = 4 * (settings.sites(8) - 3)
    cards = STAGE.cards(settings, SEED, "update", frame)
    for value in (redrawn.after.concentration, redrawn.after.top_concentration, redrawn.after.stickiness):
        assert f"<b>{value:.3g}</b>" in cards
    assert "These tables were drawn with the concentrations" in STAGE.cards(settings, SEED, "update", frame + 4)
    film = STAGE.film(settings.model_copy(update={"step_by": "sweep"}), SEED)
    shown = film.frames(3, 4)
    assert shown["say", "kappa"][0, 0] == pytest.approx(redrawn.after.stickiness)
    assert shown["say", "gamma"][0, 0] == pytest.approx(redrawn.after.top_concentration)


def test_the_prior_spread_of_the_means_is_that_of_the_sampler():
    wide, narrow = (HiddenChainSettings(number="learned", mean_spread=spread) for spread in (2.0, 0.2))
    assert narrow.sampler().spread == 0.2
    assert np.abs(narrow.exact().probabilities - wide.exact().probabilities).sum() > 0.2
