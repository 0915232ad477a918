"""The steps of lessons about logistic regression."""

from typing import Any

from lessons.topics.logistic import LogisticSettings
from pages.lesson.lessons import library
from pages.topics.logistic import LogisticStage
from pages.topics.logistic.film import LogisticScene

scene_of = LogisticStage().scene


def settings_of(lesson: str, step: str) -> LogisticSettings:
    found = library().lesson(lesson)
    settings: Any = found.settings_for(next(each for each in found.steps if each.id == step))
    return settings


def scene(lesson: str, step: str, **changes: object) -> LogisticScene:
    """Return the scene of a step, also after a learner's changes, with the whole run."""
    made = scene_of(settings_of(lesson, step).model_copy(update=changes), library().lesson(lesson).seed)
    made.run.grow(made.run.total, seconds=20)
    return made
