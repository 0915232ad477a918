import numpy as np
import pytest

from lessons.stages.gibbs_blobs import GibbsBlobsSettings
from pages.stages.gibbs_blobs import GibbsBlobsStage
from pages.stages.gibbs_blobs.how_many import answers
from tests.pages.html import words

SEVEN = (-2.1, -1.6, -1.1, 0.2, 1.0, 1.7, 2.2)


def panel(**settings: object) -> str:
    return words(GibbsBlobsStage().cards(GibbsBlobsSettings(**settings), 7, "evidence", 0))


def seven(**settings: object):
    return answers(GibbsBlobsSettings(data="seven_points", **settings), tuple((point,) for point in SEVEN))


def test_of_seven_points_the_penalty_wants_two_and_the_evidence_goes_on_rising():
    found = seven(family="known")
    assert found.penalty.argmin() == 1
    assert (np.diff(found.evidence) > 0).all()
    assert found.posterior.sum() == pytest.approx(1)
    assert found.tables.sum() <= 1


def test_without_a_known_spread_there_is_no_best_fit():
    found = seven(family="unknown")
    assert np.isnan(found.fit).all()
    assert np.isfinite(found.evidence).all()
    assert "no best fit" in panel(data="seven_points", family="unknown")
    assert "never gets worse" in panel(data="seven_points", family="known")


def test_the_answers_stand_in_a_table_or_it_is_said_why_not():
    assert "BIC" in panel(data="three_points", family="known")
    assert "60 points have too many" in panel(data="three_blobs")


@pytest.mark.parametrize("data", ["three_blobs", "two_directions"])
def test_points_in_a_plane_have_answers_too(data):
    assert "log evidence" in panel(data=data, points=4, family="known")
