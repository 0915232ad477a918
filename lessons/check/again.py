"""A question that comes back: a lesson of one step, on its own run or on another one, whose right answer the run gives.

A question of words comes back as it was. One with an outcome can come back on another run, which is measured for its
right answer; and one for the wrong line of a rule on other data or another seed, as long as the rule is the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lessons.catalogue import TopicInfo
from lessons.check.numbers import NotRunError, outcomes
from lessons.format.guesses import ELSE, written
from lessons.format.lesson import Lesson, Step
from lessons.format.questions.answers import Choice
from lessons.format.schema import Again
from lessons.format.values import Location
from lessons.settings.settings import StageSettings

OWN_RUN = Again()
BEFORE, AFTER = "before", "after"  # a topic
SUMMARY = ("Three questions.", "They are asked before the topic and after it.", "The class's page has the gain.")
NOTE = "Ask the class, and go on without revealing the answer. The class's page compares before and after."
UNPROVED = (
    "no run can prove the right answer of this question on another run; give it an outcome, or leave again out, and it "
    "comes back as it is"
)
OF_ITS_RUN = "the text of this step has numbers of its own run; give text and reason under again"


def again_id(lesson: str, step: str) -> str:
    """Return the id of the lesson that asks a question again."""
    return f"again-{lesson}-{step}"


def wrong_rules(settings: StageSettings) -> set[tuple[str, str]]:
    """Return the settings that choose a wrong rule, with their values."""
    rules = ((name, getattr(settings, name)) for name in type(settings).model_fields if name.endswith("rule"))
    return {(name, rule) for name, rule in rules if rule != "right"}


def asked_again(lesson: Lesson, step: Step) -> Lesson:
    """Return a lesson that asks one question of another lesson again, and nothing else.

    Raises
    ------
    NotRunError
        If the run that gives its right answer cannot be had.
    """
    again = step.again or OWN_RUN
    one = replace(
        step,
        body=again.text or step.body,
        settings={**step.settings, **again.settings},
        seed=step.seed if again.seed is None else again.seed,
        instructor="",
        publish=None,
    )
    one = replace(one, choices=_choices(lesson, one, again)) if step.again and step.ask.outcome else one
    changes = {"id": again_id(lesson.id, step.id), "steps": (one,), "again_of": lesson.id}
    return lesson.model_copy(update=changes)


def around_id(when: str, stage: str) -> str:
    """Return the id of the lesson that asks a topic's three questions, before or after it."""
    return f"{when}-{stage.replace('_', '-')}"


def asked_around(topic: TopicInfo, when: str, lessons: Sequence[Lesson]) -> Lesson | None:
    """Return the lesson that asks a topic's questions before or after it; None without them, or if one is gone.

    Raises
    ------
    NotRunError
        If the run that gives a right answer cannot be had.
    """
    known = {f"{lesson.id}/{step.id}": (lesson, step) for lesson in lessons for step in lesson.steps if step.choices}
    if not topic.items or any(name not in known for name in topic.items):
        return None
    first = known[topic.items[0]][0]
    steps = tuple(_whole(*known[name]) for name in topic.items)
    title = f"{when.capitalize()}: {topic.title}"
    changes = {"id": around_id(when, topic.stage), "title": title, "summary": SUMMARY, "sure": False, "data": None}
    return first.model_copy(update={**changes, "held": None, "stage_settings": {}, "steps": steps})


def _whole(lesson: Lesson, step: Step) -> Step:
    """Return a question that comes back with all that its lesson says of it, so that another lesson can ask it."""
    again = asked_again(lesson, step)
    [one] = again.steps
    return replace(
        one,
        id=f"{lesson.id}-{step.id}",
        hints=(),
        settings={**lesson.stage_settings, **one.settings},
        seed=again.seed_for(one),
        show=lesson.show_for(step),
        charts=lesson.charts if step.charts is None else step.charts,
        instructor=NOTE,
    )


def _choices(lesson: Lesson, step: Step, again: Again) -> tuple[Choice, ...]:
    """Return the choices of a question with an outcome, of which the run says which is right."""
    end = (step.at or 0) + step.then.advance
    value = outcomes(lesson.settings_after(step), lesson.seed_for(step), end)[step.ask.outcome or ""]
    before = next(choice for choice in step.choices if choice.correct)
    reason = again.reason or before.reason
    others = tuple(choice for choice in step.choices if choice.text == ELSE)
    if others:
        found = step.answers.right_span
        digits = found.digits if found else 0
        return (Choice(f"{value:.{digits}f}".replace("-", "−"), True, reason), *others)
    right = written(value)
    return tuple(replace(choice, correct=choice.id == right, reason=reason) for choice in step.choices)


def unproved(lesson: Lesson, step: Step) -> Iterator[tuple[Location, str]]:
    """Yield why a question cannot come back on the run that its step names: it must have one right answer there."""
    again = step.again
    if again is None:
        return
    here, there = lesson.settings_for(step), _settings(lesson, step, again)
    where: Location = ("again",)
    if not step.idea:
        yield where, "a question comes back with the idea that it asks about; name one under idea"
    if (there, again.seed) in ((here, None), (here, lesson.seed_for(step))):
        yield where, "this is the step's own run; give another seed, or other settings"
    elif step.measured and not (again.text and again.reason):
        yield where, OF_ITS_RUN
    elif step.ask.outcome:
        yield from ((where, wrong) for wrong in _wrong_number(lesson, step))
    elif not (step.ask.of_rule and wrong_rules(here)):
        yield where, UNPROVED
    elif wrong_rules(there) != wrong_rules(here):
        yield where, "there the rule is another one, and so is the wrong line; leave the rule as it is"


def _settings(lesson: Lesson, step: Step, again: Again) -> StageSettings:
    return lesson.settings_for(replace(step, settings={**step.settings, **again.settings}))


def _wrong_number(lesson: Lesson, step: Step) -> Iterator[str]:
    """Yield the faults of the answer that another run gives."""
    try:
        [one] = asked_again(lesson, step).steps
    except NotRunError as error:
        yield f"this run cannot be had: {error}"
        return
    if sum(choice.correct for choice in one.choices) != 1:
        yield "none of the choices is right on this run; take another seed"
        return
    [right] = one.answers.right_keys
    if not one.can_have((right,)):
        yield f"on this run {right} is right, which cannot be answered; take another seed, or wider limits"
    elif (found := one.answers.right_span) and not one.ask.reaches(found):
        yield f"on this run {right} is right, which no step of the field comes near; take another seed"
