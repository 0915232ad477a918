"""The page of draws: its film and inspector against SciPy, and the numbers that its lessons state."""

import re

import numpy as np
import pytest
from scipy import stats

from lessons.topics.draws import DrawsSettings
from pages.topics.draws import DrawsStage, summary
from pages.topics.draws.chain import ChainRun
from pages.topics.draws.film import DrawsRun
from samplers.diagnostics.convergence import diagnose
from tests.pages.visits import app

METHODS = ("draws", "chain")
SEED, CHAIN_SEED = 7, 53  # of the lessons


def run(**settings) -> DrawsRun:
    asked = DrawsSettings(**settings)
    made: DrawsRun = DrawsStage().of(asked).makes(asked, SEED)
    return made


def step(t: int, seed: int = SEED, **settings) -> str:
    return DrawsStage().cards(DrawsSettings(**settings), seed, "step", t)


def text(html: str) -> str:
    return re.sub(r"<[^>]+>", " ", html)


def test_a_step_shows_the_two_heights_that_it_compares():
    shown = run(method="chain")
    columns = shown.film.frames(0, 41)
    before, there = (columns["here", name][:, 0] for name in ("before", "there"))
    assert np.isnan([before[0], there[0]]).all()
    for t in range(1, 41):
        assert before[t] == pytest.approx(shown.positions[t - 1])
        assert shown.positions[t] == pytest.approx(there[t] if shown.chain.record(t).accepted else before[t])


def test_the_next_step_can_be_shown_before_it_is_decided():
    last, ahead = (run(method="chain", proposal=which).film for which in ("last", "next"))
    for name in ("before", "there"):
        later, shown = (film.frames(0, 1_001)["here", name][:, 0] for film in (last, ahead))
        assert shown[:-1] == pytest.approx(later[1:])
        assert np.isnan(shown[-1]), "the run is over"
    said = [film.charts[0].legend[3][1] for film in (last, ahead)]
    assert said == [f"heights of the {which} step: here, and there (ring)" for which in ("last", "next")]
    assert len(last.charts[0].legend) > len(ahead.charts[0].legend), "once it is there, others no longer matter"


@pytest.mark.parametrize("method", METHODS)
def test_the_mean_is_that_of_the_draws(method):
    shown = run(method=method)
    columns = shown.film.frames(0, shown.total + 1)
    draws = [float(np.ravel(getattr(shown.chain[t], "position", shown.chain[t]))[0]) for t in range(1, 101)]
    assert columns["past", "mean"][100, 0] == pytest.approx(np.mean(draws), rel=1e-6)
    assert columns["say", "exact"][100, 0] == pytest.approx(shown.settings.posterior.mean, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_the_captions_tell_no_draw_before_the_first(method):
    columns = run(method=method).film.frames(0, 2)
    said = {name: columns["say", name][:, 0].tolist() for name in ("begun", "x", "mean")}
    assert said["begun"] == [0, 1]
    assert all(np.isnan(said[name][0]) and np.isfinite(said[name][1]) for name in ("x", "mean"))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("view", ["step", "summary"])
def test_the_page_shows_every_kind_of_step(method, view):
    for t in ("0", "1", "3", "20"):
        test = app("draws.py", method=method, view=view, t=t)
        assert not test.exception


@pytest.mark.parametrize("t", [1, 2, 17, 23])
def test_independent_draws_are_worth_their_number(t):
    said = text(summary.summary(run(), t))
    assert f"{t} independent {'draws' if t > 1 else 'draw'}" in said
    assert "Effective" not in said


@pytest.mark.parametrize("method", METHODS)
def test_the_mean_is_measured(method):
    shown = run(method=method)
    assert shown.settings.measure(shown.chain, 40)["mean"] == pytest.approx(shown.means[40])
    assert np.isnan(shown.settings.measure(shown.chain, 0)["mean"])
    assert shown.settings.measure(shown.chain, 0)["spread"] == pytest.approx(shown.settings.posterior.deviation)


def test_before_the_first_draw_the_bar_is_there_without_a_dart():
    before, after = (step(t) for t in (0, 1))
    bar = re.compile(r'<div class="line">.*?</div>')
    assert bar.findall(before) == bar.findall(after) != []
    assert ["▼" in cards for cards in (before, after)] == [False, True]
    assert "▼" not in step(0, method="chain")


@pytest.mark.told
def test_draws_as_they_are_told():
    posterior = DrawsSettings().posterior
    assert (posterior.a, posterior.b, round(posterior.mean, 3)) == (14, 8, 0.636)
    assert f"{posterior.deviation / 10:.3f}" == "0.010"
    shown = run()
    assert abs(shown.means[200] - posterior.mean) < 2 * posterior.deviation / 200**0.5
    assert "0.905" in text(summary.summary(shown, 200))  # exact; the draws' share stands below
    assert f"{(shown.positions[1:201] > 0.5).mean():.3f}" in text(summary.summary(shown, 200))


@pytest.mark.told
def test_the_chain_as_it_is_told():
    shown = ChainRun(DrawsSettings(method="chain"), CHAIN_SEED)
    posterior = shown.settings.posterior
    assert f"{shown.positions[4]:.2f}" == "0.43"
    lower = " ".join(text(step(5, CHAIN_SEED, method="chain")).split())
    assert "height there ÷ height here = 0.267" in lower
    assert "Rejected" in lower
    assert f"{shown.means[30]:.2f}" == "0.51"
    assert f"{posterior.deviation / 30**0.5:.3f}" == "0.018"
    assert f"{shown.means[500]:.3f}" == "0.627"
    off = [abs(mean - posterior.mean) for mean in (shown.means[500], shown.positions[31:501].mean(), shown.means[1000])]
    assert off[0] > max(off[1:]), "both without the first steps and later it is nearer"
    assert 6.5 < (posterior.mean - shown.means[30]) / (posterior.deviation / 30**0.5) < 7.5
    size = diagnose(shown.positions[None, 1:]).ess_bulk
    assert size is not None
    assert 110 < size < 190
    accepted = (np.diff(shown.positions) != 0).mean()
    at = np.linspace(0.0005, 0.9995, 1_000)
    density = stats.beta.pdf(at, 14, 8)
    ratios = np.minimum(1, density[None] / density[:, None]) * stats.norm.pdf(
        at[None] - at[:, None], 0, shown.settings.scale
    )
    long_run = (density / 1_000 @ ratios).sum() / 1_000
    assert accepted == pytest.approx(long_run, abs=4 * (0.715 * 0.285 / 1_000) ** 0.5)
    tiny = ChainRun(DrawsSettings(method="chain", scale=0.01), CHAIN_SEED)
    assert (np.diff(tiny.positions) != 0).mean() > 0.9
    assert tiny.positions[:150].max() < posterior.mean - 2 * posterior.deviation
    assert f"{0.7**13 * 0.3**7:.6f}" == "0.000002"


def test_the_best_size_as_it_is_told():
    worth, moved = {}, {}
    for scale in (0.1, 0.25, 0.6):
        runs = [ChainRun(DrawsSettings(method="chain", scale=scale), seed).positions for seed in range(20)]
        worth[scale] = np.median([diagnose(run[None, 1:]).ess_bulk for run in runs])
        moved[scale] = np.mean([(np.diff(run) != 0).mean() for run in runs])
    assert max(worth, key=worth.__getitem__) == 0.25
    assert moved[0.25] < 0.5, "half are rejected, or more"
    assert 0.25 / DrawsSettings(method="chain").posterior.deviation == pytest.approx(2.5, abs=0.01)
