"""The normalised gain: how much a class learned, by its answers before and after a topic.

Of each learner counts what she answered both times. The gain is (after − before) / (1 − before), of the shares of right
answers over all learners (Hake 1998, Am. J. Phys. 66); its interval comes from resampling learners.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lessons.catalogue import TOPICS
from lessons.check.again import AFTER, BEFORE, around_id
from pages.classroom.room import Round
from pages.classroom.store import Answers

FEWEST = 5  # learners for an interval
RESAMPLED = 2_000


@dataclass(frozen=True)
class Gain:
    """A topic's gain: how many learners, their shares of right answers before and after, the gain and its interval."""

    topic: str
    learners: int
    before: float
    after: float
    gain: float | None  # none if all was right before
    interval: tuple[float, float] | None  # of 95 %; none for fewer than `FEWEST` learners


def gains(rounds: Sequence[Round], answers: Answers) -> list[Gain]:
    """Return the gain of each topic whose questions a class was asked before and after."""
    found = []
    for topic in TOPICS:
        first, then = (_right(rounds, answers, around_id(when, topic.stage)) for when in (BEFORE, AFTER))
        pairs = [
            (np.mean([first[one][step] for step in both]), np.mean([then[one][step] for step in both]))
            for one in first
            if (both := first[one].keys() & then.get(one, {}).keys())
        ]
        if pairs:
            found.append(_gain(topic.title, np.array(pairs, float)))
    return found


def _right(rounds: Sequence[Round], answers: Answers, lesson: str) -> dict[str, Mapping[str, bool]]:
    """Return whether each learner's last answer to each question of a lesson is right, by learner and step."""
    found: dict[str, dict[str, bool]] = {}
    for asked in rounds:
        if asked.lesson != lesson or asked.found is None:
            continue
        step = asked.found[1]
        for who, given in answers.get(asked.id, {}).items():
            if step.can_have(given.keys):
                found.setdefault(who, {})[asked.step] = step.is_right(given.keys)
    return dict(found)


def _gain(topic: str, pairs: np.ndarray) -> Gain:
    """Return the gain of a topic; `pairs` has a row for each learner, with the shares of right answers."""
    before, after = pairs.mean(axis=0).tolist()
    if before == 1:
        return Gain(topic, len(pairs), before, after, None, None)
    interval = None
    if len(pairs) >= FEWEST:
        drawn = pairs[np.random.default_rng(7).integers(len(pairs), size=(RESAMPLED, len(pairs)))].mean(axis=1)
        some = drawn[drawn[:, 0] < 1]
        low, high = np.percentile((some[:, 1] - some[:, 0]) / (1 - some[:, 0]), (2.5, 97.5)).tolist()
        interval = (low, high)
    return Gain(topic, len(pairs), before, after, (after - before) / (1 - before), interval)
