"""Walls that other processes make: the same outcomes, and the server alone where there are none."""

import json
import sys

import numpy as np
import pytest

from lessons.settings.measuring import Measuring
from lessons.settings.settings import StageSettings
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.drawing.wall import Grid
from pages.lesson.lessons import library
from pages.player import shelf
from pages.player.crew import WORKERS, Crew, Job, usual_size
from pages.player.kept import RUNS
from pages.player.worker import answer
from pages.scenes import wall
from pages.scenes.wall import measured
from samplers.recipe import drained

CHAINS = STAGES["crp_mixture"](runs="tables", data="seven_points")
SOON = 5.0  # seconds: a wait that is long for a test, and is never reached


def job_of(settings: StageSettings = CHAINS, topic: str = "crp_mixture", seeds: int = 4, last: int = 3) -> Job:
    return Job(topic, settings, np.arange(seeds), last)


def by(crew: Crew, job: Job) -> np.ndarray:
    """Let only a crew make a job."""
    made = []
    job.then(made.append)
    crew.help(job)
    with crew._changed:
        while not job.whole and not job.alone:
            crew._changed.wait(0.01)
    return job.values


def alone(job: Job) -> np.ndarray:
    return np.array([drained(Measuring(job.settings).run(seed, job.last)) for seed in job.seeds]).T


@pytest.fixture
def crew():
    made = Crew(1)
    yield made
    made.stop()
    assert not made._threads


def walls_of_lessons() -> dict[str, tuple[str, StageSettings]]:
    """Every wall of every lesson, by where it is opened."""
    found = {}
    for lesson in library().lessons:
        for step in lesson.steps:
            settings = lesson.settings_for(step)
            if settings.many and not settings.mine:
                found[f"{lesson.id} {step.id}"] = lesson.stage, settings
    return found


def test_every_wall_of_every_lesson_is_the_same_from_another_process(crew):
    walls = walls_of_lessons()
    assert len({topic for topic, _ in walls.values()}) > 8
    for where, (topic, settings) in walls.items():
        job = job_of(settings, topic, seeds=2, last=2)
        assert np.array_equal(by(crew, job), alone(job_of(settings, topic, 2, 2)), equal_nan=True), where


def test_a_process_answers_in_numbers_that_are_exactly_those_of_the_chain():
    job = job_of()
    said = answer(json.dumps({**job.request, "seed": 3}))
    assert np.frombuffer(said).tolist() == alone(job)[:, 3].tolist()


def test_the_server_makes_columns_until_a_process_does():
    job = job_of()
    assert [job.take(), job.take(), job.waits] == [0, 1, False]
    assert job.take(helping=True) == 3
    assert job.take() is None
    assert job.waits
    for column in (0, 1, 3):
        job.put(column, np.arange(4.0))
    assert (job.share, job.whole) == (0.75, False)
    job.give_back(2)  # it is taken by no crew any more
    assert job.alone
    assert job.take() == 2


@pytest.mark.parametrize("command", [(sys.executable, "-c", "pass"), ("no-such-program",)])
def test_where_no_process_starts_the_server_makes_all(command):
    crew, job = Crew(2, command), job_of()
    crew.help(job)
    with crew._changed:
        crew._changed.wait_for(lambda: not crew._threads, SOON)
    assert crew.size == 0
    crew.help(job)
    made = drained(wall.together(job)).values
    assert np.array_equal(made, alone(job_of()))


def test_a_process_that_fails_leaves_its_wall_to_the_server(crew):
    unknown = job_of(topic="no_topic")
    by(crew, unknown)
    assert unknown.alone
    crew.help(unknown)
    assert np.array_equal(drained(wall.together(unknown)).values, alone(job_of()))
    job = job_of()
    assert np.array_equal(by(crew, job), alone(job)), "another process makes the next wall"


def test_who_waits_comes_before_what_is_made_ahead_and_who_has_gone_does_not_come():
    now = [0.0]
    crew = Crew(1, clock=lambda: now[0])
    crew._threads = 1  # no process starts: the test asks for what it would get
    ahead, first, second = job_of(), job_of(), job_of()
    crew.prepare(ahead)
    crew.help(first)
    crew.help(second)
    turns = [crew._next() for _ in range(4)]
    assert [job for job, _ in filter(None, turns)] == [first, second, first, second]
    now[0] += 60.0
    assert (crew._next() or (None,))[0] is ahead
    crew.help(second)
    assert (crew._next() or (None,))[0] is second


def test_data_of_somebodys_own_stay_in_the_server():
    assert job_of(STAGES["crp_mixture"](runs="tables", data="own", own="0" * 32)).alone


def test_a_wall_of_a_crew_is_the_wall_of_the_server(crew, monkeypatch):
    monkeypatch.setattr(wall, "CREW", crew)
    film, shares = None, []
    while film is None:
        try:
            film = stage_of("crp_mixture").film(CHAINS, 1_000)
        except NotYet as wait:
            shares.append(wait.share)
            with crew._changed:
                crew._changed.wait(0.01)
    assert shares == sorted(shares)
    seeds = np.arange(1_000, 1_100)
    made = drained(measured(CHAINS, seeds, film.total, Grid.of(100))).values
    assert np.array_equal(film.frames(0, film.total + 1)["runs", "value"], made.astype(np.float32), equal_nan=True)


# ---- kept between starts ---------------------------------------------------------------------------------------------


def test_what_lessons_open_is_kept_for_the_next_start_and_nothing_else_is(tmp_path, monkeypatch):
    monkeypatch.setattr(shelf, "FOLDER", tmp_path / "walls")
    (tmp_path / "walls/an-older-build").mkdir(parents=True)
    stage, settings = stage_of("crp_mixture"), CHAINS
    stage.film(settings, 2_000)
    assert not list(tmp_path.rglob("*.npy"))
    stage.prepare(settings, 2_000)
    film = stage.film(settings, 2_000)
    (kept,) = tmp_path.rglob("*.npy")
    assert not (tmp_path / "walls/an-older-build").exists()
    monkeypatch.setattr(Measuring, "run", lambda *_: pytest.fail("it was made again"))
    RUNS._drop(f"wall crp_mixture {settings.model_dump_json()} 2000")
    again = stage.film(settings, 2_000)
    assert again.data is not film.data
    assert np.array_equal(*(each.frames(0, each.total + 1)["runs", "value"] for each in (film, again)), equal_nan=True)
    kept.write_bytes(b"half a fi")
    assert shelf.found(f"wall crp_mixture {settings.model_dump_json()} 2000", (film.total + 1, 100)) is None


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path, monkeypatch):
    (tmp_path / "a-file").touch()
    monkeypatch.setattr(shelf, "FOLDER", tmp_path / "a-file")
    shelf.keep("key", np.zeros((2, 2)))
    assert shelf.found("key", (2, 2)) is None


@pytest.mark.parametrize(("said", "size"), [("0", 0), ("3", 3)])
def test_the_environment_says_how_many_processes_there_are(said, size, monkeypatch):
    monkeypatch.setenv(WORKERS, said)
    assert usual_size() == size
