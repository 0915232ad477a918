"""Review: five kinds of learners walk through forty lessons, and their logs are held to the rule.

The rule is written here once more, from the log of what happened and not from what the browser keeps.
"""

from types import SimpleNamespace

import pytest

from lessons.review import (
    AGO,
    BEFORE,
    DAY,
    DAYS,
    DEAL,
    IDEA,
    KNOW,
    MISS,
    SURE,
    TRIES,
    Returning,
    before,
    calibration,
    cards,
    deal,
    finished,
    next_due,
    reviewed,
    seconds,
    slug,
    wilson,
)
from tests.lessons.learners import course, kinds, walk

LESSONS = course()
WALKED = {kind: walk(learner, LESSONS) for kind, learner in kinds().items()}
REVIEWING = [kind for kind in WALKED if kind != "clicks through"]
NOON, DAY_BEFORE = "2026-10-13T12:00:00Z", "2026-10-12T12:00:00Z"
NOW = seconds(NOON)
A, B = Returning("alpha", "one", "a"), Returning("beta", "two", "b")
LATER = Returning("alpha", "two", "c")


def kept(*names, at=DAY_BEFORE):
    """The memory of a browser after answers at a moment."""
    return dict.fromkeys(names, ("x",)) | {TRIES + name: ("1", at, at, "x") for name in names}


# ---- five learners ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", REVIEWING)
def test_a_box_follows_from_what_was_answered(kind):
    """A right answer moves an idea on if it was due, a wrong one back; so the log alone says the box of each event."""
    boxes, last = {}, {}
    for event in WALKED[kind].log:
        idea = event.card.ask.idea
        assert event.box == boxes.get(idea)
        due = idea not in boxes or event.now >= last[idea] + DAYS[boxes[idea]] * DAY
        on = min(boxes.get(idea, 0) + due, len(DAYS) - 1)
        boxes[idea], last[idea] = (on if event.right else 0), event.now


@pytest.mark.parametrize("kind", REVIEWING)
def test_nothing_comes_back_in_review_before_its_day(kind):
    last = {}
    for event in WALKED[kind].log:
        idea = event.card.ask.idea
        if event.why == "review" and idea in last:
            assert event.now - last[idea] >= DAYS[event.box] * DAY
        last[idea] = event.now


@pytest.mark.parametrize("kind", REVIEWING)
def test_a_review_has_what_is_due_those_missed_with_confidence_first_then_the_most_overdue(kind):
    for now, dealt, met in WALKED[kind].deals:
        due = [card for card in met if card.due <= now]
        assert len(dealt) == min(DEAL, len(due))
        order = [(not card.missed, card.due) for card in dealt]
        assert order == sorted(order)
        left = [card for card in due if card not in dealt]
        assert all((not card.missed, card.due) >= order[-1] for card in left)
        assert len({card.ask.idea for card in dealt}) == len(dealt)


@pytest.mark.parametrize("kind", REVIEWING)
def test_only_answered_questions_come_back_and_an_idea_takes_turns(kind):
    asked = {}
    for event in WALKED[kind].log:
        asked.setdefault(event.card.ask.idea, []).append(event.card.ask.name)
    assert all(name in WALKED[kind].kept for names in asked.values() for name in names)
    assert max(len({*names}) for names in asked.values()) > 2


def test_who_is_always_right_meets_an_idea_after_1_3_7_and_16_days():
    gaps = {}
    for event in WALKED["always right"].log:
        gaps.setdefault(event.card.ask.idea, []).append(event.box or 0)
    assert max(map(max, gaps.values())) == 3
    assert all(boxes == sorted(boxes) for boxes in gaps.values())


def test_who_forgets_after_two_days_stays_in_the_first_two_boxes():
    assert {event.box or 0 for event in WALKED["forgets after two days"].log} == {0, 1}


def test_an_over_confident_learner_meets_the_confident_misses_first():
    learner = WALKED["over-confident"]
    missed = [card.missed for _, dealt, _ in learner.deals for card in dealt]
    assert 0 < sum(missed) < len(missed)
    for event in learner.log:
        if event.card.missed:
            assert not event.box, "until the learner is right about it"
    assert not any(card.missed for kind in REVIEWING[:3] for _, dealt, _ in WALKED[kind].deals for card in dealt)


def test_who_never_reviews_is_asked_nothing_and_five_wait():
    learner = WALKED["clicks through"]
    assert learner.log == []
    asked = [Returning(slug(step.idea), one.id, step.id) for one in LESSONS for step in one.steps if step.returns]
    assert len(deal(asked, learner.kept, NOW + 100 * DAY)) == DEAL


@pytest.mark.parametrize("kind", REVIEWING)
def test_nearly_each_lesson_with_an_ancestor_begins_with_an_older_question(kind):
    asked = [event for event in WALKED[kind].log if event.why == "before"]
    assert len(asked) >= 36
    for event in asked:
        assert event.now - seconds(WALKED[kind].kept[TRIES + event.card.ask.name][2]) >= DAY


# ---- the rule by hand ------------------------------------------------------------------------------------------------


def test_an_idea_is_due_a_day_after_its_first_answer_and_then_by_its_box():
    known = kept(A.name)
    assert [card.due for card in cards([A, B], known)] == [NOW]
    assert deal([A, B], known, NOW - 1) == []
    assert [card.ask for card in deal([A, B], known, NOW)] == [A]
    for box, days in enumerate(DAYS):
        known[IDEA + "alpha"] = (str(box), NOON, A.name)
        assert next_due([A, B], known) == NOW + days * DAY
    assert next_due([A, B], {}) is None


def test_an_answer_without_a_moment_is_long_ago():
    assert [card.ask for card in deal([A], {A.name: ("x",)}, NOW)] == [A]


def test_an_idea_asks_another_of_its_answered_questions_in_turn():
    known = kept(A.name, LATER.name)
    for ask in (A, LATER, A):
        [card] = cards([A, LATER], known)
        assert card.ask == ask
        known[IDEA + "alpha"] = reviewed(ask, known, NOW, right=True)


@pytest.mark.parametrize("record", [("x", NOON, A.name), ("9", NOON, A.name), ("1",), ("1", "soon", "gone")])
def test_a_record_that_makes_no_sense_does_no_harm(record):
    [card] = cards([A], {**kept(A.name), IDEA + "alpha": record})
    assert card.ask == A
    reviewed(A, {IDEA + "alpha": record}, NOW, right=True)


def test_a_confident_miss_asks_its_own_question_first_until_it_is_right():
    known = kept(A.name, LATER.name, B.name) | {SURE + LATER.name: (KNOW, MISS)}
    assert [(card.ask, card.missed) for card in deal([B, A, LATER], known, NOW)] == [(LATER, True), (B, False)]
    known[IDEA + "alpha"] = reviewed(LATER, known, NOW, right=True)
    assert [card.missed for card in cards([A, LATER], known)] == [False]


def test_a_right_answer_before_its_day_leaves_the_box():
    known = {IDEA + "alpha": ("1", NOON, A.name)}
    assert reviewed(A, known, NOW + DAY, right=True)[0] == "1"
    assert reviewed(A, known, NOW + 3 * DAY, right=True)[0] == "2"
    assert reviewed(A, known, NOW + DAY, right=False)[0] == "0"


NAMES = {"one": [A.name], "two": [B.name], "three": ["three/c"], "four": ["four/d"], "five": ["five/e"]}


def test_before_a_lesson_a_question_of_a_lesson_that_was_finished_a_day_ago():
    known = kept(A.name)
    assert before([A, B], NAMES, known, "two", NOW) == A
    assert before([A, B], NAMES, known, "two", NOW - 1) is None, "a second earlier it is not yet a day"
    assert before([A, B], NAMES, known, "one", NOW) is None, "the first lesson has no ancestor"
    assert before([A, B], NAMES, {**known, BEFORE + "two": ("skipped",)}, "two", NOW) is None
    assert before([A, B], NAMES, {**known, B.name: ("x",)}, "two", NOW) is None, "the lesson has been begun"
    assert before([A, B], NAMES, known, "other", NOW) is None, "the course does not have it"


def test_before_a_lesson_a_question_from_three_lessons_ago_on_the_same_day():
    hours = [f"2026-10-13T{hour:02}:00:00Z" for hour in range(8, 12)]
    known = {}
    for (lesson, [name]), at in zip(list(NAMES.items())[: AGO + 1], hours, strict=True):
        assert before([A, B], NAMES, known, lesson, NOW) is None
        known |= kept(name, at=at)
    assert before([A, B], NAMES, known, "five", NOW) == A
    assert finished(NAMES, known) == {name: seconds(at) for name, at in zip(NAMES, hours, strict=False)}


def test_an_idea_that_came_back_today_does_not_come_before_a_lesson():
    known = kept(A.name, B.name) | {IDEA + "alpha": ("1", NOON, A.name)}
    assert before([A, B], NAMES, known, "three", NOW) == B


def test_the_name_of_an_idea_is_one_that_can_be_kept():
    assert slug("Newton's method") == "newton-s-method"
    assert slug("split–merge") == "split-merge"
    assert len(slug("فكرة")) == 16


# ---- how sure --------------------------------------------------------------------------------------------------------


def test_a_calibration_counts_first_answers_by_level_with_wilsons_interval():
    known = {f"{SURE}one/{n}": (KNOW, "right" if n < 9 else MISS) for n in range(12)} | {
        SURE + "one/x": ("guess", MISS)
    }
    known |= {SURE + "odd/x": ("sure", "right"), SURE + "odd/y": (KNOW,), "one/1": ("x",)}
    rows = calibration(known)
    assert [row[:3] for row in rows] == [("guess", 0, 1), (KNOW, 9, 12)]
    assert [round(end, 3) for end in wilson(9, 12)] == [0.468, 0.911]  # Newcombe (1998), by his formula
    assert rows[0].low == 0.0
    assert 0.79 < rows[0].high < 0.8


@pytest.mark.parametrize("kind", REVIEWING)
def test_the_over_confident_learner_is_shown_as_such(kind):
    rows = {row.level: row for row in calibration(WALKED[kind].kept)}
    if kind == "over-confident":
        assert rows[KNOW].high < 0.7
    elif kind == "always right":
        assert rows["think"].right == rows["think"].many
        assert rows["think"].high == pytest.approx(1)
    else:
        assert rows == {}


# ---- a course whose lessons have one idea each -----------------------------------------------------------------------

PLAIN = [
    SimpleNamespace(id=f"lesson-{n}", steps=[SimpleNamespace(id="q", idea=f"idea {n}", returns=True, choices=("x",))])
    for n in range(40)
]
COMES = {  # back in review, before a lesson, right; days on which the first idea is back; deals on days 5, 10, 20, 40
    "always right": (108, 36, 144, [1, 3, 6, 13, 30], (1, 3, 4, 2)),
    "always A": (176, 36, 66, [1, 3, 4, 7, 9, 11, 14, 19, 26, 33], (3, 5, 5, 5)),
    "forgets after two days": (169, 36, 37, [1, 3, 6, 7, 11, 13, 16, 21, 29, 37], (1, 3, 5, 5)),
    "over-confident": (170, 36, 112, [1, 3, 6, 14, 16, 20, 30], (1, 4, 5, 5)),
    "clicks through": (0, 0, 0, [], (0, 0, 0, 0)),
}


@pytest.mark.parametrize("kind", COMES)
def test_what_comes_back_in_forty_lessons_and_when(kind):
    """Days count from 0; an idea also comes back before a lesson, which moves it on only if it is due."""
    learner = walk(kinds()[kind], PLAIN)
    days = [
        round((event.now - learner.log[0].now) / DAY) + 1 for event in learner.log if event.card.ask.idea == "idea-0"
    ]
    back = [event.why for event in learner.log]
    sizes = [len(dealt) for _, dealt, _ in learner.deals] or [0] * 40
    deals = tuple(sizes[day - 1] for day in (5, 10, 20, 40))
    found = back.count("review"), back.count("before"), sum(event.right for event in learner.log)
    assert (*found, days, deals) == COMES[kind]
