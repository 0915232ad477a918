"""Fading: in five topics the learner fills one beat more each time, and what she comes to is what the run comes to."""

import re

import numpy as np
import pytest

from lessons.check.files import parse_lesson
from lessons.format.beats import BEATS, allotted
from lessons.format.questions.answers import Numbers
from pages.contract.stage import stage_of
from pages.download.handout import handout
from pages.form.value import asking
from pages.lesson.lessons import library
from samplers import Chain
from tests.pages.html import words
from tests.pages.topics.every_film import film_of

FADED = [lesson for lesson in library().lessons if any(step.yours for step in lesson.steps)]
BY_NUMBER = [(lesson, step) for lesson in FADED for step in lesson.steps if step.yours and not step.form.problem]
PLANNED = [("remember",), ("sample", "remember"), ("score",), BEATS]
MESSAGE_OF = np.repeat([0, 1, 2], 4)  # of the twelve words
GOALS = (4, 7, 10)


def tables(labels):
    return len(set(labels))


def changes(states):
    return int((np.diff(states) != 0).sum())


COMES_TO = {  # of the labels after the update
    "mixture-write/remember": tables,
    "mixture-write/sample": lambda labels: labels.count(labels[1]),
    "mixture-write/all": tables,
    "blobs-write/remember": lambda labels: labels.count(labels[3]),
    "blobs-write/sample": lambda labels: labels.count(labels[5]),
    "blobs-write/all": lambda labels: labels.count(labels[6]),
    "topics-write/remember": lambda labels: labels[:4].count(1),
    "topics-write/sample": lambda labels: labels[8:].count(0),
    "topics-write/all": lambda labels: [labels[word] for word in GOALS].count(0),
    "text-write-collapsed/remember": lambda labels: labels.count(0),
    "text-write-collapsed/sample": lambda labels: labels.count(0),
    "text-write-collapsed/all": lambda labels: labels.count(0),
    "hidden-write/remember": changes,
    "hidden-write/sample": lambda labels: labels.count(1),
    "hidden-write/all": changes,
}
FITS = {
    "mixture-write/all": ("0.242", "0.00691", "0.168"),
    "blobs-write/all": ("0.144", "0.110"),
    "hidden-write/all": ("0.0224", "0.368"),
}
every = pytest.mark.parametrize(("lesson", "step"), BY_NUMBER, ids=lambda value: value.id)


def test_five_topics_leave_one_beat_more_each_time():
    assert len({lesson.stage for lesson in FADED}) == len(FADED) >= 5
    for lesson in FADED:
        assert [step.yours for step in lesson.steps if step.yours] == PLANNED
    assert {f"{lesson.id}/{step.id}" for lesson, step in BY_NUMBER} == {*COMES_TO}


@every
def test_the_answer_is_what_the_run_comes_to(lesson, step):
    settings = lesson.settings_for(step)
    chain, done = Chain(settings.sampler(), lesson.seed_for(step)), step.at // len(BEATS) + 1
    before, after = ([*map(int, np.ravel(chain[sweep].labels))] for sweep in (settings.sweep - 1, settings.sweep))
    labels = after[:done] + before[done:]
    answers = Numbers(step.choices)
    assert answers.right == COMES_TO[f"{lesson.id}/{step.id}"](labels)


@every
def test_numbers_of_an_update_are_those_of_its_cards(lesson, step):
    """Fits and densities, and the random number: it is told if, and only if, the dart is the learner's to throw."""
    settings, seed = lesson.settings_for(step), lesson.seed_for(step)
    film_of(lesson.stage, settings.model_dump(), seed).reach(step.at + step.then.advance)
    ends = step.at, step.at + len(step.yours)
    before, after = (words(stage_of(lesson.stage).cards(settings, seed, "update", t)) for t in ends)
    body = " ".join(step.body.split())
    dart = re.search(r"random number will be (0\.\d+)", body)
    assert bool(dart) == ("sample" in step.yours)
    if dart:
        assert f"Random number: {dart[1]}" in after
        assert f"Random number: {dart[1]}" not in before
    for number in FITS.get(f"{lesson.id}/{step.id}", ()):
        assert number in body
        assert number.rstrip("0") in after


def test_the_words_of_the_fifth_message_are_as_probable_as_they_are_told():
    settings, seed = next(
        (one.settings_for(step), one.seed_for(step)) for one, step in BY_NUMBER if "gibbs_text" in one.stage
    )
    card = words(stage_of("gibbs_text").cards(settings, seed, "update", 18))
    logs = [float(log.replace("−", "-")) for log in re.findall(r"(?:tonight|home|lunch) \S+ / \S+ (\S+)", card)]
    assert round(float(np.exp(sum(logs))), 2) == 0.65


def test_whose_each_beat_is_is_said_on_every_host():
    """Page, class and published course draw one question; paper prints its own."""
    assert allotted(("sample", "remember")) == "Forget and score are done, sample and remember are yours."
    assert allotted(("score",)) == "Forget is done, score is yours, sample and remember follow."
    assert allotted(BEATS) == "Forget, score, sample and remember are yours."
    for lesson in FADED:
        paper = handout(lesson)
        for step in (step for step in lesson.steps if step.yours):
            assert asking(lesson, step)["hint"].startswith(allotted(step.yours))
            assert allotted(step.yours) in paper


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("at: 7", "at: 6", "at is 3 more than a multiple of 4, and here it is 6"),
        ("at: 0\nhide: [cap", "at: 1\nhide: [cap", "at is a multiple of 4, and here it is 1"),
        ("then: {advance: 2", "then: {advance: 1", "let then advance by 2"),
        ("at: 1\nhide: [m", "at: 0\nhide: [m", "at is 1 more than a multiple of 4, and here it is 0"),
        ("yours: [sample, remember]", "yours: [score, remember]", "beats that follow each other"),
        ("settings: {sweep: 4}", "settings: {step_by: sweep}", "settings: {step_by: update} opens one"),
    ],
)
def test_the_checker_says_where_the_learner_takes_over(old, new, said):
    written = next(lesson for lesson in FADED if lesson.id == "mixture-write").path
    text = written.read_text("utf-8")
    assert text.count(old) == 1
    assert [said in problem.message for problem in parse_lesson(text.replace(old, new), written).problems] == [True]
