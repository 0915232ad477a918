import math

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import multivariate_normal

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.scenes.points.stage import points_of
from pages.topics.gibbs_blobs import GibbsBlobsStage
from pages.topics.gibbs_blobs.annealing import went_through
from pages.topics.gibbs_blobs.how_many import answers, best_fits
from samplers import Chain
from samplers.mixtures.annealed import Annealed
from tests.pages.html import words

SEVEN = (-2.1, -1.6, -1.1, 0.2, 1.0, 1.7, 2.2)


def panel(view: str = "evidence", **settings: object) -> str:
    return words(GibbsBlobsStage().cards(GibbsBlobsSettings(**settings), 7, view, 0))


def seven(compute, **settings: object):
    return compute(GibbsBlobsSettings(data="seven_points", **settings), tuple((point,) for point in SEVEN))


def test_of_seven_points_the_penalty_wants_two_and_the_evidence_goes_on_rising():
    assert seven(best_fits, family="known").penalty.argmin() == 1
    found = seven(answers, family="known")
    assert (np.diff(found.evidence) > 0).all()
    assert found.posterior.sum() == pytest.approx(1)
    assert found.tables.sum() <= 1


def test_without_a_known_spread_there_is_no_best_fit():
    assert np.isnan(seven(best_fits, family="unknown").fit).all()
    assert np.isfinite(seven(answers, family="unknown").evidence).all()
    for view in ("fits", "evidence"):
        assert "no best fit" in panel(view, data="seven_points", family="unknown")
        assert "never gets worse" in panel(view, data="seven_points", family="known")


def test_runs_end_at_the_evidence_that_the_table_has():
    settings = GibbsBlobsSettings(data="three_blobs", family="known", points=20, number=2)
    points = tuple(map(tuple, points_of(settings)[0].tolist()))
    found = went_through(settings, points)
    assert found.so_far.shape == (21, 100)
    assert (found.so_far[0] == 0).all()
    assert found.log_evidence == pytest.approx(answers(settings, points).evidence[1])
    shown = panel("runs", **settings.model_dump())
    assert "Each of 100 runs" in shown
    assert "K = 2: the log of the mean of the products is" in shown
    assert "known spread" in panel("runs", data="seven_points", family="unknown")
    assert "Take at most 100 points" in panel("runs", data="three_blobs", family="known", points=101)


def test_the_view_of_the_fits_does_not_show_the_evidence():
    assert "held out" in panel("fits", data="three_points", family="known")
    assert "evidence" not in panel("fits", data="three_points", family="known")


def test_the_answers_stand_in_a_table_or_it_is_said_why_not():
    assert "BIC" in panel(data="three_points", family="known")
    assert "60 points have too many groupings" in panel(data="three_blobs")
    assert "Take at most 100 points" in panel(data="three_blobs", family="known", points=101)


@pytest.mark.parametrize("data", ["three_blobs", "two_directions"])
def test_points_in_a_plane_have_answers_too(data):
    assert "log evidence" in panel(data=data, points=4, family="known")


def test_sixty_points_as_their_lesson_has_them():
    """The lesson's numbers: the fit against scipy's density, K against a chain with a prior on K, and the chains."""
    settings = GibbsBlobsSettings(data="three_blobs", family="known")
    data = settings.dataset().data
    fitted, found = (compute(settings, tuple(map(tuple, data.tolist()))) for compute in (best_fits, answers))
    spread = settings.prior(data, "gaussian").variance
    alone = multivariate_normal(data.mean(axis=0), spread * np.eye(2)).logpdf(data).sum()
    assert fitted.fit[0] == pytest.approx(alone)
    groups = [np.flatnonzero(settings.dataset().labels == blob) for blob in range(3)]
    apart = sum(
        multivariate_normal(data[each].mean(axis=0), spread * np.eye(2)).logpdf(data[each]).sum()
        + len(each) * math.log(len(each) / 60)
        for each in groups
    )
    assert fitted.fit[2] == pytest.approx(apart, abs=0.1)  # the three blobs hardly share a point
    assert [round(value, 2) for value in fitted.fit[[2, 7]].tolist()] == [-161.34, -160.11]
    assert round(float(fitted.fit[2] - fitted.fit[1])) == 244
    assert round(2 * float(fitted.fit[3] - fitted.fit[2]), 2) == 2.45
    assert round(float(fitted.penalty[3] - fitted.penalty[2]), 2) == 9.83
    assert [round(value, 2) for value in fitted.held[[2, 3]].tolist()] == [-166.37, -167.47]
    assert [fitted.penalty.argmin(), fitted.held.argmax(), found.evidence.argmax()] == [2, 2, 2]
    chain = Chain(GibbsBlobsSettings(data="three_blobs", family="known", model="MFM").sampler(), 2)
    second = np.mean([chain.sampler.number_given(len(chain[t].tables)) for t in range(1, 301)], axis=0)
    assert found.posterior[2] == pytest.approx(0.55, abs=0.05)
    assert second[2] == pytest.approx(found.posterior[2], abs=0.12)


@pytest.mark.parametrize(
    ("model", "concentration", "share"), [("CRP", 1.0, 0.47), ("CRP", 2.0, 0.28), ("MFM", 2.0, 0.8)]
)
def test_how_often_chains_have_three_components(model, concentration, share):
    settings = GibbsBlobsSettings(data="three_blobs", family="known", model=model, concentration=concentration)
    chain = Chain(settings.sampler(), 1)
    assert np.mean([len(chain[t].tables) == 3 for t in range(1, 201)]) == pytest.approx(share, abs=0.06)


def test_with_few_points_each_model_has_its_own_truth():
    exact = [
        GibbsBlobsSettings(data="seven_points", family="known", model=model).law("occupied", 10).mean
        for model in ("finite", "CRP", "MFM")
    ]
    assert len(set(exact)) == 3


def test_a_hundred_runs_as_their_lesson_has_them():
    settings = GibbsBlobsSettings(data="two_directions", points=30)
    found = np.array([settings.measure(Chain(settings.sampler(), seed), 20)["largest"] for seed in range(100)])
    assert (found >= 20).sum() == pytest.approx(5, abs=1)
    assert found.mean() == pytest.approx(10.6, abs=0.15)


@pytest.mark.parametrize(("prior", "share"), [(5.0, 0.87), (0.2, 0.11)])
def test_pseudo_counts_as_their_lesson_has_them(prior, share):
    """With many, three components have 87 %; with few, all numbers from 3 on are within a factor of two or so."""
    settings = GibbsBlobsSettings(data="three_blobs", family="known")
    data = settings.dataset().data
    family = settings.prior(data, "gaussian")
    numbers = (3, 4, 5, 6) if prior > 1 else range(3, 9)
    rng = np.random.default_rng(1)
    runs = 800 if prior > 1 else 60
    found = np.array([Annealed(data, family, k, prior).evidence(rng, runs).log_evidence for k in numbers])
    assert softmax(found)[0] == pytest.approx(share, abs=0.015)
    assert prior > 1 or np.ptp(found) < 1


def test_how_the_table_reads():
    said = panel(data="three_blobs", family="known", points=12)
    assert "annealed importance sampling" in said
    assert "±" in said
