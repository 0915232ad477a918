"""A week of a course: when its classes come, and what the browsers of their learners ask for.

Learners come by classes: in a class hour, the number of classes is about Poisson, and so is the number of learners in
each. Every class has three lessons that follow each other in a course. A learner presses Step a few times at each step
of a lesson, plays on, and reads. One learner in five leaves the lesson's seed in the last lesson's free play.
"""

import math
import random
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bench._learner import AHEAD, CARDS_A_SECOND, CHUNK, LONG_CHUNK, SMOOTH, aligned
from bench._line import FEW
from lessons.course.plan import Plan
from lessons.format.lesson import Lesson
from pages.contract.stage import stage_of
from pages.lesson.lessons import library
from pages.publish.scenes import Stagehand

HOURS = 40  # class hours of the week
A_CLASS = 50.0  # learners, on average
LATE = 120.0  # seconds after the hour at which learners come, on average
LESSONS = 3  # of a class
FREE = 0.2  # of learners play on a seed of their own
PRESSES = (0, 4)  # of Step, at each step of a lesson
PRESS, SPEED = 4.0, 5.0  # seconds between them; iterations a second of what plays afterwards, at least
LONGEST, MOST = 3.0, 600  # of reckoning.js: seconds of a run to its end, and frames of an answer
ON = 20  # iterations that play on where the lesson does not say how many


class Scene(NamedTuple):
    """A step of a lesson: the run, where it opens and ends, its view ("" if it has no cards), and its length.

    Attributes
    ----------
    still : bool
        Whether more is drawn at rest.
    free : bool
        Whether learners choose the seed.
    seconds : float
        How long learners take, on average.
    """

    source: str
    total: int
    at: int
    end: int
    view: str
    still: bool
    free: bool
    seconds: float


class Asked(NamedTuple):
    """A request: the second of the week, and its address below that of the build."""

    when: float
    path: str


def scenes(lesson: Lesson) -> list[Scene]:
    """Return the steps of a lesson as the page opens them."""
    stage, found = stage_of(lesson.stage), []
    hand = Stagehand(lesson, stage)
    for step in lesson.steps:
        scene = hand.opened(step)
        message = scene["message"]
        written = bool(scene["views"]) and not hand.runs[message["source"]].settings.many
        found.append(
            Scene(
                message["source"],
                message["total"],
                message["at"],
                min(message["until"] or message["at"] + ON, message["total"]),
                scene["view"] if written else "",
                bool(message["still"]),
                step.kind == "sandbox",
                60 * lesson.minutes / len(lesson.steps),
            )
        )
    return found


def lessons_of_courses() -> list[list[Lesson]]:
    """Return the lessons of each course that comes with the app, in order."""
    known = library()
    return [list(Plan(known.lessons, course).lessons) for course in known.courses.values()]


def arrivals(learners: int, courses: Sequence[int], chance: random.Random) -> Iterator[list[tuple[float, int, int]]]:
    """Yield the learners of each class hour: when each comes, the course, and the first of the class's lessons.

    Parameters
    ----------
    learners : int
        In the week.
    courses : sequence of int
        The number of lessons in each course.
    chance : random.Random
        Decides.
    """
    hours: list[list[tuple[float, int, int]]] = [[] for _ in range(HOURS)]
    left = learners
    while left:
        hour, course = chance.randrange(HOURS), chance.randrange(len(courses))
        first = chance.randrange(max(1, courses[course] - LESSONS + 1))
        size = min(left, max(1, round(chance.gauss(A_CLASS, A_CLASS**0.5))))  # as good as Poisson
        left -= size
        hours[hour] += [(3600.0 * hour + chance.expovariate(1 / LATE), course, first) for _ in range(size)]
    yield from map(sorted, hours)


class Browser:
    """The requests of one browser, which keeps all answers and asks for none of them again."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self.source, self.frames = "", 0

    def step(self, scene: Scene, presses: int, source: str) -> Iterator[tuple[float, str]]:
        """Yield the seconds since a step opened, and what is asked for then, as by fetching.js and cards.js."""
        for when, what, more in self._step(scene, presses, source):
            topic, _, query = source.partition("?")
            path = f"{topic}/{what}?{query}{more}"
            if path not in self.known:
                self.known.add(path)
                yield when, path

    def _step(self, scene: Scene, presses: int, source: str) -> Iterator[tuple[float, str, str]]:
        t, now, last = scene.at, 0.0, scene.total
        if source != self.source:
            self.source, self.frames = source, min(last + 1, MOST, aligned(t + 2, FEW))
            yield now, "film", ""
            yield now, "frames", f"&from=0&to={self.frames}"
            if scene.still:
                yield now, "still", f"&t={t}"
        yield from self._frames(now, t + FEW, last)
        while t < min(scene.at + presses, last):
            t, now = t + 1, now + PRESS
            yield from self._frames(now, t + FEW, last)
            if scene.view:
                yield now, "cards", f"&view={scene.view}&from={t}&to={t + 1}&every=1"
            if scene.still:
                yield now, "still", f"&t={t}"
        if t < scene.end:
            yield from self._played(now, scene, t)

    def _played(self, now: float, scene: Scene, t: int) -> Iterator[tuple[float, str, str]]:
        rate, last = max(SPEED, (scene.end - t) / LONGEST), scene.total
        every = max(1, int(rate / CARDS_A_SECOND + 0.5))  # as JavaScript rounds
        second = every * max(1, math.ceil(rate / every))
        for first in range(t - t % second, scene.end + 1, second):
            yield from self._frames(now, max(first, t) + max(CHUNK, math.ceil(AHEAD * rate)), last, rate)
            if scene.view:
                to = min(first + second, last + 1)
                yield now, "cards", f"&view={scene.view}&from={first}&to={to}&every={every}"
            now += second / rate
        if scene.still:
            yield now, "still", f"&t={scene.end}"

    def _frames(self, now: float, needed: int, last: int, rate: float = 0.0) -> Iterator[tuple[float, str, str]]:
        needed, chunk = min(needed, last + 1), LONG_CHUNK if rate > SMOOTH else CHUNK
        while self.frames < needed:
            stop = max(aligned(self.frames + 1, chunk), aligned(needed, CHUNK))
            stop = min(stop, self.frames + MOST, last + 1)
            yield now, "frames", f"&from={self.frames}&to={stop}"
            self.frames = stop


def visit(lessons: Sequence[Sequence[Scene]], start: float, number: int, chance: random.Random) -> Iterator[Asked]:
    """Yield the requests of one learner's browser, which begins at a second of the week."""
    browser, begun, plays = Browser(), start, chance.random() < FREE
    for index, lesson in enumerate(lessons):
        for scene in lesson:
            source = scene.source
            if plays and scene.free and index == len(lessons) - 1:
                source = re.sub(r"\bseed=\d+$", f"seed={1_000_000 + number}", source)
            for when, path in browser.step(scene, chance.randint(*PRESSES), source):
                yield Asked(begun + when, path)
            begun += scene.seconds * chance.uniform(0.5, 1.5)


class Week:
    """All requests of a week, in their order.

    Parameters
    ----------
    courses : sequence of sequence of sequence of Scene
        Courses, their lessons, and the steps of these.
    learners : int
        In the week.
    first : int
        The number of the first learner, by which free play differs.
    """

    def __init__(self, courses: Sequence[Sequence[Sequence[Scene]]], learners: int, first: int = 0) -> None:
        self.courses, self.learners, self.first = courses, learners, first
        self.seconds = 0.0  # of all learners at work
        self.minutes: dict[int, int] = {}  # requests in each

    def __iter__(self) -> Iterator[str]:
        chance, number = random.Random(self.first), self.first
        waiting: list[Asked] = []
        for hour, coming in enumerate(arrivals(self.learners, [*map(len, self.courses)], chance), 1):
            for start, course, first in coming:
                lessons = self.courses[course][first : first + LESSONS]
                self.seconds += sum(scene.seconds for lesson in lessons for scene in lesson)
                waiting += visit(lessons, start, number, chance)
                number += 1
            waiting.sort()
            due = next((place for place, one in enumerate(waiting) if one.when >= 3600 * hour), len(waiting))
            yield from map(self._counted, waiting[:due])
            del waiting[:due]
        yield from map(self._counted, waiting)

    def _counted(self, asked: Asked) -> str:
        minute = int(asked.when // 60)
        self.minutes[minute] = self.minutes.get(minute, 0) + 1
        return asked.path
