"""The files that are taken away, as the route gives them."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from lessons.check.files import parse_lesson
from lessons.settings.settings import read_text
from lessons.topics import STAGES
from pages.download.taking import KINDS
from pages.player.markup import HTML
from tests.pages.server.asking import ask


def test_the_script_names_the_moment_and_a_short_link():
    reply = ask("draws/take", prior_heads="2.0", seed=5, t=3, **{"as": "py"})
    assert reply.status == 200
    text = reply.body.decode()
    assert text.startswith('"""Samplescope, Draws: after 3 draws of the run with seed 5.\n')
    assert "/draws?prior_heads=2.0&seed=5&t=3\n" in text


def test_the_archive_runs_by_itself(tmp_path):
    reply = ask("gibbs_text/take", data="six_messages", seed=5, t=3, **{"as": "zip"})
    with zipfile.ZipFile(io.BytesIO(reply.body)) as packed:
        names = packed.namelist()
        packed.extractall(tmp_path)
    assert {name.split("/")[1] for name in names} == {"run.py", "samplers", "lessons"}
    ran = subprocess.run([sys.executable, "run.py"], cwd=tmp_path / "samplescope", capture_output=True, text=True)
    assert ran.stderr == ""
    assert "assignments = [" in ran.stdout


def test_a_story_is_counted_in_draws():
    reply = ask("crp_mixture/take", direction="forwards", points=8, seed=5, t=7, **{"as": "py"})
    assert reply.body.decode().split("\n")[0].endswith(": after 7 draws of the run with seed 5.")


@pytest.mark.parametrize("asked", [{"as": "exe", "t": 3}, {"as": "py", "t": 9_999}, {"as": "py", "t": "x"}, {"t": 3}])
def test_what_is_not_there_is_said(asked):
    reply = ask("coin/take", seed=5, **asked)
    assert reply.status == 400
    assert reply.body.decode().endswith(".")


def test_every_kind_has_a_button():
    assert all(f'data-take="{kind}"' in HTML for kind in (*KINDS, "md"))


@pytest.mark.parametrize(
    ("topic", "values", "t"),
    [
        ("draws", {"prior_heads": "2.5"}, 2),
        ("crp_seating", {"customers": "12"}, 12),
        ("crp_mixture", {"data": "three_blobs", "points": "8", "concentration": "0.1"}, 2),
        ("gibbs_text", {"data": "six_messages", "known_labels": "0"}, 2),
        ("laplace_line", {}, 0),
    ],
)
def test_the_lesson_opens_at_the_moment(topic, values, t):
    settings, notes = read_text(STAGES[topic], values, STAGES[topic]())
    view = [*settings.views][-1]
    reply = ask(f"{topic}/take", seed=5, t=t, view=view, **values, **{"as": "md"})
    assert (reply.status, notes) == (200, [])
    reading = parse_lesson(reply.body.decode(), Path("my-lesson.md"))
    assert reading.problems == ()
    (step,) = reading.lesson.steps
    assert reading.lesson.settings_for(step) == settings
    assert (reading.lesson.seed_for(step), step.at, step.open) == (5, t, view)
