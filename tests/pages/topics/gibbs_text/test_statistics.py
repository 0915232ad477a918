"""Statistics of the draws: series, burn-in, thinning, autocorrelation, several chains, and the exact truth."""

import re

import numpy as np
import pytest

from lessons.topics.gibbs_text import GibbsTextSettings
from pages.topics.gibbs_text import GibbsTextStage, inspector, panels, statistics
from pages.topics.gibbs_text.run import first_look
from pages.topics.gibbs_text.scene import TextScene
from samplers import Chain
from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.wrong import WRONG_LABEL_RULES
from tests.pages.html import words

scene_of = GibbsTextStage().scene

SEED, UNTIL = 5, 60
SIX = {"data": "six_messages", "layout": "statistics"}


def scene(seed: int = SEED, until: int = UNTIL, **values) -> TextScene:
    made = scene_of(GibbsTextSettings(**values), seed)
    for run in made.runs:
        run.grow(until, seconds=60)
    return made


# ---- series ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("statistic", ["share_of_first_class", "open_message", "log_joint"])
def test_series_are_the_chains_of_one_seed_after_the_other(statistic):
    made = scene(**SIX, statistic=statistic, document=4, chains=3)
    found = statistics.series(made, 0, UNTIL + 1)
    assert found.shape == (3, UNTIL + 1)
    for k, row in enumerate(found):
        chain = Chain(made.settings.sampler(), SEED + k)
        for t in (0, 1, UNTIL):
            labels = chain[t].labels
            expected = {
                "share_of_first_class": labels.count(0) / 6,
                "open_message": float(labels[3] == 0),
                "log_joint": np.float32(chain.sampler.log_joint(chain[t])),
            }
            assert row[t] == expected[statistic]
    np.testing.assert_array_equal(found[:, 7:9], statistics.series(made, 7, 9))


@pytest.mark.parametrize(
    ("burn_in", "thin", "first", "size"), [(0, 1, 1, 60), (20, 1, 21, 40), (20, 7, 21, 6), (59, 9, 60, 1)]
)
def test_what_is_kept(burn_in, thin, first, size):
    made = scene(**SIX, burn_in=burn_in, thin=thin)
    kept = statistics.kept_draws(made, UNTIL)
    np.testing.assert_array_equal(kept, statistics.series(made, 0, UNTIL + 1)[:, first::thin])
    assert kept.shape == (1, size)


@pytest.mark.parametrize("burn_in", [60, 61, 2_000])
def test_a_burn_in_beyond_the_run_keeps_nothing(burn_in):
    made = scene(**SIX, burn_in=burn_in, chains=2)
    assert statistics.kept_draws(made, UNTIL).shape == (2, 0)
    still = statistics.film(made).still(UNTIL)
    assert still["lags"]["lag"] == []
    assert still["kept"]["mean"] == [None] * 3
    assert None not in still["kept"]["last"][:2]


def test_a_mirrored_chain_is_matched_and_a_named_one_is_not():
    settings = {"layout": "statistics", "chains": 4, "statistic": "open_message", "document": 4}
    plain, matched = (scene(4, 40, **settings, naming=naming) for naming in ("as_drawn", "matched"))
    drawn, names = (statistics.series(made, 20, 41).mean(axis=1) for made in (plain, matched))
    assert np.ptp(drawn) == 1, "one chain names the classes the other way round"
    assert np.ptp(names) == 0
    firsts = statistics.first_classes(matched)
    assert firsts[0] == 0
    assert sorted(set(firsts)) == [0, 1]
    look = first_look(254)
    for run, first in zip(matched.runs, firsts, strict=True):
        same = np.mean(run.labels[look] == matched.run.labels[look])
        assert first == (0 if same > 0.5 else 1)
    named = scene(4, 40, **settings, naming="matched", known_labels=50)
    assert statistics.first_classes(named) == [0] * 4


# ---- autocorrelation -------------------------------------------------------------------------------------------------


def test_autocorrelation_is_that_of_the_definition():
    draws = np.random.default_rng(0).normal(size=(2, 50)).cumsum(axis=1)
    found = statistics.autocorrelation(draws, 5)
    centred = draws - draws.mean(axis=1, keepdims=True)
    for lag, value in enumerate(found):
        top = sum(np.dot(row[: 50 - lag], row[lag:]) for row in centred)
        assert value == pytest.approx(top / (centred**2).sum())
    assert found[0] == 1


def test_autocorrelation_of_a_known_series():
    rng = np.random.default_rng(1)
    x = np.zeros((4, 20_000))
    for t in range(1, x.shape[1]):
        x[:, t] = 0.8 * x[:, t - 1] + rng.normal(size=4)
    np.testing.assert_allclose(statistics.autocorrelation(x, 6), 0.8 ** np.arange(7), atol=0.02)


def test_autocorrelation_of_few_or_constant_draws():
    assert statistics.autocorrelation(np.ones((2, 9)), 5).tolist() == [0] * 6
    assert len(statistics.autocorrelation(np.arange(6.0).reshape(2, 3), 40)) == 3


# ---- the film at rest ------------------------------------------------------------------------------------------------


def test_what_is_drawn_at_rest():
    made = scene(**SIX, chains=2, burn_in=10, thin=3)
    film = statistics.film(made)
    still = film.still(UNTIL)
    kept = statistics.kept_draws(made, UNTIL)
    assert still["kept"]["chain"] == ["chain 1", "chain 2", "all"]
    assert still["kept"]["mean"][:2] == pytest.approx(kept.mean(axis=1).tolist())
    assert still["kept"]["mean"][2] == pytest.approx(kept.mean())
    assert still["kept"]["last"][:2] == statistics.series(made, UNTIL, UNTIL + 1)[:, 0].tolist()
    assert still["kept"]["last"][2] is None
    for low, mean, high in zip(*(still["kept"][name] for name in ("low", "mean", "high")), strict=True):
        assert low < mean < high
    assert [lag for lag, kept in zip(still["lags"]["lag"], still["lags"]["kept"], strict=True) if kept][:3] == [0, 3, 6]
    assert set(still["lags"]["t"]) == set(still["kept"]["t"]) == {UNTIL}
    assert film.params == {"burn_in": (10.0, 0.0)}


def test_the_burn_in_is_no_part_of_the_film_but_of_what_is_drawn_at_rest():
    films = [statistics.film(scene(**SIX, burn_in=burn_in, thin=thin)) for burn_in, thin in ((5, 1), (9, 1), (9, 2))]
    assert len({film.key for film in films}) == 1
    assert len({film.stilled_by for film in films}) == 3
    other = statistics.film(scene(**SIX, statistic="log_joint"))
    assert other.key != films[0].key


def test_domains_hold_what_they_show():
    for statistic in ("share_of_first_class", "open_message"):
        made = scene(**SIX, statistic=statistic, chains=4)
        low, high = statistics.statistic_of(made).domain(made)
        seen = statistics.series(made, 0, UNTIL + 1)
        assert low <= seen.min()
        assert seen.max() <= high


# ---- truth -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [0, 2, 4])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_exact_posterior_is_that_of_the_model(known, classes):
    made = scene(**SIX, known_labels=known, classes=classes, class_prior=1.5, word_prior=0.4)
    counts = made.corpus.bag.counts
    expected = exact_naive_bayes(counts, classes, 1.5, 0.4, made.corpus.shown)
    np.testing.assert_allclose(made.exact.probabilities, expected.probabilities)
    first = expected.labellings == 0
    assert statistics.exact_mean(made) == pytest.approx(expected.probabilities @ first.mean(axis=1))
    opened = scene(**SIX, known_labels=known, statistic="open_message", document=2)
    one = exact_naive_bayes(counts, 2, 1.0, 1.0, opened.corpus.shown)
    assert statistics.exact_mean(opened) == pytest.approx(one.probabilities @ (one.labellings[:, 1] == 0))


@pytest.mark.parametrize("known", [0, 2])
def test_labellings_are_told_apart(known):
    exact = scene(**SIX, known_labels=known, classes=3).exact
    order = np.random.default_rng(0).permutation(len(exact.labellings))
    drawn = exact.labellings[order].astype(np.uint8)
    np.testing.assert_array_equal(panels.labelling_ids(exact, drawn), order)


@pytest.mark.parametrize("word_probs", ["explicit", "collapsed"])
@pytest.mark.parametrize("weights", ["explicit", "collapsed"])
def test_the_bars_come_near_the_truth_and_those_of_a_wrong_rule_do_not(word_probs, weights):
    def worst(rule: str) -> float:
        made = scene(3, 1_500, **SIX, rule=rule, word_probs=word_probs, weights=weights)
        bars = panels.in_first_class(made.exact, made.run.labels[1:1_501])
        assert sum(bar["exact"] for bar in bars) == pytest.approx(1)
        assert sum(bar["share"] for bar in bars) == pytest.approx(1)
        return max(abs(bar["share"] - bar["exact"]) for bar in bars)

    assert worst("right") < 0.06
    assert worst("weights drawn once") > 0.08


# ---- word by word ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word_probs", ["explicit", "collapsed"])
@pytest.mark.parametrize("rule", ["right", "one too few", "weights drawn once", "repeated words as powers"])
def test_words_add_up_to_the_score_that_is_drawn_from(rule, word_probs):
    made = scene(**SIX, rule=rule, word_probs=word_probs, known_labels=2)
    for beat in made.run.close_up(9):
        if beat.is_block:
            continue
        said = words(inspector._score(made, beat))
        assert "is used" not in said
        total = float(re.search(r"Sum ([+−]\d+\.\d\d)", said)[1].replace("−", "-"))
        log_weights = beat.update.conditional.log_weights
        assert total == pytest.approx(log_weights[0] - log_weights[1], abs=0.006)
        shown = float(re.search(r"= ([0-9.e−]+)\s*$", said.replace("e−", "e-"))[1])
        assert shown == pytest.approx(beat.update.conditional.probabilities[0], rel=0.6, abs=0.0006)


def test_words_that_do_not_add_up_are_told():
    made = scene(**SIX, rule="word probabilities a sweep late", known_labels=2)
    block, *labels = made.run.close_up(9)
    assert block.is_block
    said = [words(inspector._score(made, beat)) for beat in labels]
    assert all("is used" in text for text in said)


def test_a_conditional_that_is_undefined_is_told():
    made = scene(data="long_messages", rule="no logarithms")
    said = words("".join(inspector.bodies(made, made.run.close_up(9)[3])))
    assert "0 / 0" in said
    assert "no bar to hit" in said


def test_every_rule_has_its_limit_where_that_is_soon_worked_out():
    for rule in WRONG_LABEL_RULES:
        made = scene(**SIX, rule=rule, word_probs="collapsed", known_labels=2)
        assert ("In the long run" in panels._own_limit(made, made.exact)) == (not made.run.sampler.blocks)


# ---- what can be seen ------------------------------------------------------------------------------------------------


def test_the_means_have_an_axis_on_which_a_few_units_can_be_seen():
    made = scene(4, 200, known_labels=50, statistic="log_joint", layout="statistics")
    low, high = statistics.statistic_of(made).around(made, 2)
    late = statistics.kept_draws(made, 200)
    assert low < late.mean() < high
    assert 20 < high - low < 120, "five units are some pixels of a hundred"
    low, high = statistics.statistic_of(made).around(made, 3)
    assert low < late[0, -1] < high
    shares = scene(4, 60, known_labels=50, layout="statistics")
    assert statistics.statistic_of(shares).around(shares, 3) == statistics.statistic_of(shares).domain(shares)
