"""The page of one coin: its film and inspector against SciPy, and the numbers that its lesson states."""

import re

import numpy as np
import pytest
from scipy import stats

from lessons.topics.coin import CoinSettings
from pages.topics.coin import inspector
from pages.topics.coin.film import CoinRun
from samplers.conjugate.beta import Beta
from tests.pages.visits import app

SEED = 7  # of the lesson


def run(**settings) -> CoinRun:
    return CoinRun(CoinSettings(**settings), SEED)


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", " ", html)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 8), (14, 8), (30, 1.5)])
def test_the_axis_holds_the_density(a, b):
    assert Beta(a, b).peak == pytest.approx(stats.beta(a, b).pdf(np.linspace(0, 1, 4001)).max(), rel=1e-4)


def test_the_posterior_follows_the_tosses():
    shown = run()
    columns = shown.film.frames(0, shown.total + 1)
    for t in (0, 1, 20):
        counts = shown.chain[t]
        assert (columns["here", "a"][t, 0], columns["here", "b"][t, 0]) == (1 + counts.heads, 1 + counts.tails)
        assert columns["past", "mean"][t, 0] == pytest.approx((1 + counts.heads) / (2 + t))


@pytest.mark.parametrize("view", ["step", "code", "summary"])
def test_the_page_shows_every_view(view):
    for t in ("0", "1", "3", "20"):
        assert not app("coin.py", view=view, t=t).exception


def links(**query: str) -> list[str]:
    return [link.proto.label for link in app("coin.py", **query).get("page_link")]


def test_a_posterior_leads_to_draws_from_it():
    test = app("coin.py", t="12", prior_heads="2.0")
    (link,) = (link.proto for link in test.get("page_link") if link.proto.page == "draws")
    assert link.query_string == f"prior_heads=2.0&prior_tails=1.0&tosses=12&heads={run().chain[12].heads}"


def test_before_the_first_toss_there_is_no_posterior_to_draw_from():
    assert "Draw from this posterior" not in links(t="0")


def test_no_lesson_offers_draws_that_it_does_not_speak_of():
    assert "Draw from this posterior" not in links(lesson="coin-posterior", step="twenty", t="12")


def test_the_posterior_is_measured():
    tossing, known = run(), run().posterior(12)
    found = tossing.settings.measure(tossing.chain, 12)
    assert found == {"heads": 8, "tails": 4, "mean": known.mean, "spread": known.deviation}


@pytest.mark.told
def test_prior_and_tosses_as_they_are_told():
    shown = run()
    assert shown.chain[1].heads == 0
    assert [shown.posterior(t).mean for t in (0, 1)] == pytest.approx([1 / 2, 1 / 3])
    assert shown.chain[20] == (13, 7)
    stubborn = Beta(20, 20).given(13, 7)
    assert (round(stubborn.mean, 2), 13 / 20) == (0.55, 0.65)
    assert Beta(20, 20).mean == 0.5
    assert "(1 + 7) / (1 + 1 + 11) = 0.615" in " ".join(text(inspector.step(shown, 12)).split())
