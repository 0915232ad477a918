"""Everything that can be chosen in a mixture makes a film that can be sent, odd points of one's own as well."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
import pytest

from lessons.data.columns import AXES
from lessons.own.points import OwnPoints
from lessons.own.store import keep_own
from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.contract.film import Film
from pages.scenes.close_up import opened
from pages.scenes.points.film import close_up_film, sweeps_film
from pages.scenes.points.model import SHOWN
from pages.scenes.points.scene import EARLY, MOST_TABLES
from pages.topics.crp_mixture.chains import scene_of
from samplers.crp.wrong import WRONG_RULES
from samplers.data.blobs import DATASETS
from tests.pages.scenes.points.support import sent
from tests.pairs import pairs

SEED = 5
SECOND = ("none", "seed", "concentration", "start", "branch")
OFFERED = [name for name in DATASETS if name in get_args(CRPMixtureSettings.model_fields["data"].annotation)]
SENT = pairs(data=OFFERED, family=["known", "unknown"], second=SECOND, step_by=["sweep", "update"])


def domains(node: object) -> Iterator[object]:
    """Yield all domains of specifications."""
    if isinstance(node, dict):
        yield node.get("domain")
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from domains(part)


def assert_finite_domains(film: Film) -> None:
    listed = [domain for domain in domains([chart.spec for chart in film.charts]) if isinstance(domain, list)]
    numbers = [domain for domain in listed if all(isinstance(end, int | float) for end in domain)]
    numbers += [ends for chart in film.charts for ends in chart.params.values()]
    assert len(numbers) > 4
    for domain in numbers:
        assert np.isfinite(domain).all()
        assert domain[0] < domain[1]


def assert_plays(settings: CRPMixtureSettings, seed: int = SEED) -> None:
    made = scene_of(settings, seed)
    if settings.step_by == "sweep":
        film, t = replace(sweeps_film(made), grow=lambda t: EARLY), EARLY  # more takes time
    else:
        film, t = close_up_film(made, opened(made.key, made.run, settings.sweep)), 9
    head, columns = sent(film, at=t)
    assert_finite_domains(film)
    json.dumps(film.staying, allow_nan=False)
    assert head["count"] > t
    by_sweep, alone = settings.step_by == "sweep", settings.second == "none"
    listed = made.flat and made.exact is None  # points on a line, in a histogram
    assert len(head["charts"]) == 4 + (by_sweep and (listed or not alone))
    assert np.isfinite(columns["say", "log_joint"]).all()
    assert (columns["say", "tables"] >= 0).all()
    assert columns["counts", "share"].max() <= 1


@pytest.mark.parametrize("second", SECOND)
def test_every_second_chain_can_be_sent_with_every_data_set(second):
    for row in SENT:
        if row["second"] == second:
            assert_plays(CRPMixtureSettings(**row, points=12, branch_at=3, sweep=2))


@pytest.mark.parametrize(("data", "step_by"), [("four_blobs", "sweep"), ("response_times", "update")])
def test_more_clusters_than_are_drawn(data, step_by):
    settings = CRPMixtureSettings(data=data, points=500, start="apart", step_by=step_by)
    assert_plays(settings)
    made = scene_of(settings, SEED)
    assert made.runs[0].tables[0] == 500 > SHOWN
    assert made.most_tables == MOST_TABLES


@pytest.mark.parametrize("rule", ["right", *WRONG_RULES])
@pytest.mark.parametrize("data", ["three_points", "uneven_points", "wide_points"])
def test_three_points_by_every_rule(data, rule):
    sure = {"concentration": 0.02, "start": "together"}
    open_minded = {"concentration": 20.0, "start": "apart", "learning": "learned"}
    for step_by, beliefs in product(("sweep", "update"), (sure, open_minded)):
        assert_plays(CRPMixtureSettings(data=data, rule=rule, step_by=step_by, family="known", **beliefs))


OWN = {
    "one column, no spread": np.full((5, 1), 3.0),
    "two columns, no spread": np.full((5, 2), 3.0),
    "a column without spread": np.column_stack([np.arange(6.0), np.full(6, 1.0)]),
    "small beside constant": np.column_stack([1e-4 * np.arange(6.0), np.full(6, 5.0)]),
    "huge": 1e28 * np.arange(8.0).reshape(4, 2) ** 2,
    "tiny": 1e-30 * np.arange(8.0).reshape(4, 2) ** 2,
    "far from 0": 1e6 + np.arange(10.0).reshape(5, 2) ** 2,
    "one far out": np.array([[0.0], [0.1], [0.2], [1e6]]),
    "twins": np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 3.0], [2.0, 3.0]]),
}


ODD = [(name, family) for name in OWN for family in ("known", "unknown")]


@pytest.mark.parametrize(("name", "family"), ODD)
def test_points_of_ones_own_can_be_sent_however_odd(name, family):
    data = OWN[name]
    own = keep_own(OwnPoints(data, AXES[: data.shape[1]]))
    made = scene_of(CRPMixtureSettings(data="own", own=own, family=family), SEED)
    film = sweeps_film(made)
    sent(film, at=20)
    assert_finite_domains(film)
    close = close_up_film(made, made.runs[0].close_up(2))
    sent(close, at=5)
    assert np.isfinite(made.runs[0].log_joint[:20]).all()
