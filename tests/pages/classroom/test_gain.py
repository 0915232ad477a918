"""Before and after a topic: the class's normalised gain, and the questions that it comes from."""

import json

import numpy as np
import pytest

from lessons.catalogue import TOPICS
from lessons.check.again import AFTER, BEFORE, around_id
from lessons.flow import Answers as Known
from lessons.flow import Place, screen
from pages.classroom.export import Said, as_json, as_page
from pages.classroom.gain import _gain, gains
from pages.classroom.messages import Asked
from pages.classroom.room import Core
from pages.classroom.store import Answer, Member
from pages.lesson.lessons import library
from tests.pages.visits import app

COIN = {when: library().lesson(around_id(when, "coin")) for when in (BEFORE, AFTER)}


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.stage)
def test_each_topic_has_three_questions_that_can_be_asked_before_and_after(topic):
    assert len({*topic.items}) == 3, f"name three under items in lessons/topics/{topic.stage}.yaml"
    for when in (BEFORE, AFTER):
        lesson = library().lesson(around_id(when, topic.stage))
        assert (lesson.stage, len(lesson.steps)) == (topic.stage, 3)
        assert lesson not in library().lessons
        for step in lesson.steps:
            place = Place(lesson.stage, lesson.settings_for(step)).opened(lesson, step)
            known = Known().with_one(lesson, step, step.answers.right_keys)
            assert screen(place.answered(), known).question.right


def said(learners):
    """A class of which each learner has answered some steps of the coin right: before, and after."""
    core, answers = Core(), {}
    for part, (when, lesson) in enumerate(COIN.items()):
        for number, step in enumerate(lesson.steps):
            core = core.asking(Asked(lesson=around_id(when, "coin"), step=step.id))
            right, wrong = step.answers.right_keys, ("0.99",)
            given = {
                who: right if did[number] else wrong
                for who, both in learners.items()
                if (did := both[part]) and did[number] is not None
            }
            asked = core.rounds[-1].id
            answers[asked] = {who: Answer(asked, who, keys, 0.0) for who, keys in given.items()}
    return Said("KX7M2PQ9", core, {who: Member(n, "") for n, who in enumerate(learners)}, answers)


NO, YES = (False,) * 3, (True,) * 3


def test_a_class_s_gain_is_what_was_missing_before_and_is_there_after():
    learners = {f"{n}": (NO, YES if n < 6 else NO) for n in range(8)} | {"late": (None, YES), "gone": (YES, None)}
    [found] = gains(said(learners).core.rounds, said(learners).answers)
    assert (found.topic, found.learners, found.before, found.after, found.gain) == ("One coin", 8, 0.0, 0.75, 0.75)
    low, high = found.interval
    assert 0.3 < low < 0.75 < high <= 1.0


def test_only_questions_that_were_answered_both_times_count():
    half = {"a": ((False, None, False), (True, True, None))}
    [found] = gains(said(half).core.rounds, said(half).answers)
    assert (found.before, found.after, found.gain, found.interval) == (0.0, 1.0, 1.0, None)


def test_nothing_is_claimed_where_all_was_right_before_or_nothing_was_asked():
    learners = {f"{n}": (YES, YES) for n in range(6)}
    [found] = gains(said(learners).core.rounds, said(learners).answers)
    assert found.gain is found.interval is None
    assert "there was nothing to gain" in as_page(said(learners))
    assert gains(Core().rounds, {}) == []


def test_the_page_and_the_file_have_it_without_names():
    learners = {f"{n}": (NO, YES if n < 6 else NO) for n in range(8)}
    page = as_page(said(learners))
    assert "Before and after: One coin" in page
    assert "8 learners answered both times: 0% right before, 75% after; normalised gain 0.75 (95 % interval" in page
    [told] = json.loads(as_json(said(learners)))["gains"]
    assert (told["topic"], told["learners"], told["gain"]) == ("One coin", 8, 0.75)


def test_the_interval_covers_the_true_gain_in_most_simulated_classes():
    """Sixty learners with three questions, 40 % right before and 70 % after: a gain of one half. Of 200 intervals of
    95 %, fewer than 180 would cover it with probability 0.0012.
    """
    draw, covered = np.random.default_rng(3), 0
    for _ in range(200):
        pairs = draw.binomial(3, (0.4, 0.7), size=(60, 2)) / 3
        low, high = _gain("", pairs).interval
        covered += low <= 0.5 <= high
    assert covered >= 180


def test_the_page_how_this_teaches_leads_to_them():
    test = app("teaching.py", t="0")
    assert not test.exception
    links = [(link.proto.page, link.proto.query_string) for link in test.get("page_link")]
    assert ("coin", "lesson=before-coin") in links
    assert ("marginalise", "lesson=after-marginalise") in links
