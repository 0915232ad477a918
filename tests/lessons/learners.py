"""Five kinds of learners who walk through lessons by the rule of what comes back; `python -m tests.lessons.learners`.

A day has two lessons. Before them a learner answers what *Review* deals, and the question before each lesson. What the
browser would keep is in `kept`; what happened is in `log`, which the rule does not see.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from lessons.course.plan import Plan
from lessons.course.work import WHEN
from lessons.flow import name_of
from lessons.format.lesson import Lesson
from lessons.review import DAY, IDEA, KNOW, MISS, SURE, TRIES, Card, Returning, before, cards, deal, returning, reviewed
from tests.lessons.app_library import app_library

START = datetime(2026, 10, 12, 8, tzinfo=UTC).timestamp()
LESSONS, A_DAY, AFTER = 40, 2, 20  # lessons, how many a day, and days of review alone after the last


@dataclass(frozen=True)
class Event:
    """A question that came back, as the learner met it."""

    now: float
    why: str  # "review" or "before"
    place: int  # in the deal
    card: Card
    box: int | None  # the idea's box before; None if it had none
    right: bool


@dataclass
class Learner:
    """A learner, by a rule: whether a first answer is right, how sure, and whether a later one is right."""

    first: Callable[[int], bool]  # of the number of the question
    sure: str  # "" if the learner does not say
    later: Callable[[float, int], bool]  # of the days since the idea was asked last, and a number
    reviews: bool = True
    kept: dict[str, tuple[str, ...]] = field(default_factory=dict)
    log: list[Event] = field(default_factory=list)
    deals: list[tuple[float, list[Card], list[Card]]] = field(default_factory=list)  # moment, deal, all ideas met
    asked_at: dict[str, float] = field(default_factory=dict)  # by idea
    number: int = 0

    def answer(self, names: list[str], ideas: dict[str, str], now: float) -> None:
        """Answer all questions of a lesson."""
        for name in names:
            self.number += 1
            right, when = self.first(self.number), f"{datetime.fromtimestamp(now, UTC):{WHEN}}"
            self.kept[name], self.kept[TRIES + name] = ("x",), ("1", when, when, "x")
            if self.sure:
                self.kept[SURE + name] = (self.sure, "right" if right else MISS)
            if name in ideas and IDEA + ideas[name] not in self.kept:
                self.asked_at[ideas[name]] = now

    def meet(self, card: Card, why: str, place: int, now: float) -> None:
        """Answer a question that came back."""
        self.number += 1
        idea = card.ask.idea
        right = self.later((now - self.asked_at[idea]) / DAY, self.number)
        box = int(self.kept[IDEA + idea][0]) if IDEA + idea in self.kept else None
        self.log.append(Event(now, why, place, card, box, right))
        self.kept[IDEA + idea] = reviewed(card.ask, self.kept, now, right=right)
        self.asked_at[idea] = now


def kinds() -> dict[str, Learner]:
    """Return the five kinds of learners."""
    draw = random.Random(7)
    coins = [draw.random() < 0.5 for _ in range(5_000)]
    return {
        "always right": Learner(lambda _: True, "think", lambda *_: True),
        "always A": Learner(lambda n: n % 3 == 0, "", lambda _, n: n % 3 == 0),
        "forgets after two days": Learner(lambda _: True, "", lambda days, _: days <= 2),
        "over-confident": Learner(lambda n: coins[n], KNOW, lambda _, n: coins[n]),
        "clicks through": Learner(lambda n: coins[n], "guess", lambda _, n: coins[n], reviews=False),
    }


def walk(learner: Learner, lessons: list[Lesson]) -> Learner:
    """Have a learner walk through lessons."""
    asked = returning(lessons)
    names = {one.id: [name_of(one, step) for step in one.steps if step.choices] for one in lessons}
    ideas = {one.name: one.idea for one in asked}
    for day in range(LESSONS // A_DAY + AFTER):
        now = START + day * DAY
        if learner.reviews:
            dealt = deal(asked, learner.kept, now)
            learner.deals.append((now, dealt, cards(asked, learner.kept)))
            for place, card in enumerate(dealt):
                learner.meet(card, "review", place, now + 30 * place)
        for number, lesson in enumerate(lessons[day * A_DAY : (day + 1) * A_DAY]):
            at = now + 600 + 1_200 * number
            ask = before(asked, names, learner.kept, lesson.id, at) if learner.reviews else None
            if ask is not None:
                learner.meet(_card(ask, asked, learner), "before", 0, at)
            learner.answer(names[lesson.id], ideas, at + 900)
    return learner


def _card(ask: Returning, asked: tuple[Returning, ...], learner: Learner) -> Card:
    return next(card for card in cards(asked, learner.kept) if card.ask.idea == ask.idea)._replace(ask=ask)


def course() -> list[Lesson]:
    """Return the first forty lessons of the course, as the map has them."""
    return [*Plan(app_library().lessons).lessons[:LESSONS]]


if __name__ == "__main__":
    walked = course()
    days = LESSONS // A_DAY + AFTER
    print(f"| learner | questions back | before lessons | right | by box 0 … 4 | a review has, on days 5, 20, {days} |")
    for kind, one in kinds().items():
        walk(one, walked)
        boxes = Counter(event.box or 0 for event in one.log if event.why == "review")
        sizes = [len(dealt) for _, dealt, _ in one.deals] or [0] * days
        back = [event for event in one.log if event.why == "review"]
        right = sum(event.right for event in one.log)
        shown = ", ".join(str(sizes[day - 1]) for day in (5, 20, days))
        counts = " ".join(str(boxes[box]) for box in range(5))
        print(f"| {kind} | {len(back)} | {len(one.log) - len(back)} | {right} | {counts} | {shown} |")
