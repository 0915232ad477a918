"""Draws as CSV, and as NetCDF with ArviZ's groups."""

import csv
import io

import h5netcdf
import numpy as np
import pytest

from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.download import draws
from pages.topics.walk_the_hill.walks import run_of
from samplers import Chain
from tests.pages.server.asking import ask

POINTS = {"points": 12, "seed": 5, "t": 9}


def rows_of(topic, *, seed, t, **settings):
    stage, chosen = stage_of(topic), STAGES[topic](**settings)
    for _ in range(1_000):
        try:
            moment = stage.moment(chosen, seed, t)
            made = draws.as_csv(moment, draws.draws_of(moment, f"{draws.MOST} {topic} {chosen} {seed}"))
            return list(csv.DictReader(io.StringIO(made.decode())))
        except NotYet:
            continue
    raise AssertionError("it takes too long")


def test_a_table_has_a_row_a_draw_of_each_chain_to_the_last_bit():
    rows = rows_of("crp_mixture", second="seed", learning="learned", **POINTS)
    assert [(row["chain"], row["draw"]) for row in rows] == [(c, str(t)) for c in "12" for t in range(1, 10)]
    settings = STAGES["crp_mixture"](points=12, second="seed", learning="learned")
    for row in rows:
        state = Chain(settings.sampler(), 4 + int(row["chain"]))[int(row["draw"])]
        assert [int(row[f"assignments.{n}"]) for n in range(1, 13)] == state.labels
        assert float(row["concentration"]) == state.concentration


def test_what_grows_is_filled_up():
    rows = rows_of("ibp_features", rows=6, seed=5, t=9)
    last = max(int(name.split(".")[2]) for name in rows[0] if name.startswith("matrix."))
    assert last > 1
    assert {row["matrix.1.1"] for row in rows} <= {"0", "1"}
    assert [sum(int(row[f"matrix.{n}.{last}"]) for n in range(1, 7)) for row in rows].count(0) > 0
    seated = rows_of("crp_seating", customers=6, seed=5, t=6)
    assert [sum(row[f"assignments.{n}"] != "" for n in range(1, 7)) for row in seated] == [1, 2, 3, 4, 5, 6]


def test_of_too_many_numbers_draws_are_left_out(monkeypatch):
    monkeypatch.setattr(draws, "MOST", 45)
    assert [row["draw"] for row in rows_of("crp_mixture", start="apart", **POINTS)] == ["3", "6", "9"]


@pytest.mark.parametrize("topic", ["coin", "draws", "why_sample", "ibp_buffet", "gibbs_text", "logistic"])
def test_every_topic_has_draws(topic):
    rows = rows_of(topic, seed=5, t=3)
    assert [row["draw"] for row in rows] == ["1", "2", "3"]
    assert len(rows[0]) > 2


@pytest.mark.parametrize("topic", ["laplace_line", "generative", "walk_the_hill", "marginalise", "climb_mixture"])
def test_and_every_other(topic):
    assert len(rows_of(topic, seed=5, t=3)) == 3


def test_the_route_gives_the_table():
    reply = ask("draws/take", seed=5, t=2, **{"as": "csv"})
    assert reply.status == 200
    assert reply.body.decode().startswith("chain,draw,theta\n1,1,0.")


def test_why_there_is_none_is_said():
    none = ask("coin/take", seed=5, t=0, **{"as": "csv"})
    assert (none.status, none.body) == (400, b"There are no draws yet: take a step first.")
    tosses = ask("coin/take", seed=5, t=3, **{"as": "nc"})
    assert tosses.status == 400
    assert b"Take the CSV" in tosses.body


@pytest.mark.parametrize(
    ("topic", "asked", "chains"),
    [
        ("gibbs_text", {"layout": "three_times"}, 1),
        ("crp_mixture", {"second": "concentration", "points": 12}, 1),
        ("crp_mixture", {"second": "start", "points": 12}, 2),
    ],
)
def test_netcdf_has_the_chains_of_one_posterior_alone(topic, asked, chains):
    reply = ask(f"{topic}/take", seed=5, t=3, **asked, **{"as": "nc"})
    assert reply.status == 200, reply.body
    with h5netcdf.File(io.BytesIO(reply.body), "r") as file:
        assert file["posterior"]["assignments"].shape[:2] == (chains, 3)
        assert np.size(file["posterior"].attrs["seeds"]) == chains


def test_netcdf_has_the_groups_of_arviz():
    asked = {"method": "NUTS", "tuning": "warm-up", "layout": "two chains", "seed": 5}
    reply = ask("walk_the_hill/take", t=230, **asked, **{"as": "nc"})
    assert reply.status == 200, reply.body
    run = run_of(STAGES["walk_the_hill"](**{name: asked[name] for name in ("method", "tuning", "layout")}), 5)
    with h5netcdf.File(io.BytesIO(reply.body), "r") as file:
        assert set(file.groups) == {"posterior", "sample_stats", "warmup_posterior", "warmup_sample_stats"}
        assert file["posterior"]["position"].shape == (2, 30, 2)
        assert file["warmup_posterior"]["draw"][:].tolist() == list(range(1, 201))
        assert (file["posterior"]["position"][0, -1] == run.state(230).position).all()
        assert set(file["sample_stats"].variables) >= {"lp", "diverging", "tree_depth", "energy", "step_size"}
        assert np.isfinite(file["sample_stats"]["lp"][:]).all()
