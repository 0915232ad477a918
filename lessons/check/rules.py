"""Check that the pieces of a lesson fit together, and with the stage that it plays on."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from lessons.check.asked import CLAUSES, NOT_MEASURED, WHY, check_ask
from lessons.check.feedback import check_feedback, warn_of_ranges
from lessons.check.goal_rules import check_conditions, goals_of
from lessons.check.idle import warn_of_idle
from lessons.check.slips import warn_of_ends, warn_of_equals
from lessons.check.stage_rules import Stage
from lessons.check.style import warn_of_style
from lessons.check.tells import warn_of_tells
from lessons.format.data_file import KEY, DataFile
from lessons.format.language import is_english
from lessons.format.lesson import Lesson, Step
from lessons.format.links import MARK, check_link, check_picture, lesson_of
from lessons.format.markdown import Outline, Section
from lessons.format.offered import check_offer
from lessons.format.problems import Position, Report
from lessons.format.prose import check_plain
from lessons.format.schema import (
    END,
    KINDS,
    RIGHT,
    WORDS,
    Explain,
    FrontMatter,
    Predict,
    Question,
    Quiz,
    Run,
    StepKeys,
    Then,
    WithGoals,
)
from lessons.format.shades import SHADED, SHADES
from lessons.format.texts import check_texts
from lessons.format.values import Location, Values
from lessons.format.wording import did_you_mean, report_errors
from lessons.settings.settings import WALL, StageSettings

MEANT = "this looks like a step block; begin it with ```step"
NO_REVEAL = (
    "the answer changes nothing on the screen; let then advance, change settings or open another view, or let hide "
    "name a chart"
)
STEP = {field.name for field in fields(Step)}
NO_DEED = (
    "there is nothing to do in this step; give it a goal, - [ ] … {#its-id}, with goals: {its-id: {…}} in the step "
    "block"
)


def build_lesson(
    pieces: Outline, path: Path, folder: Path, data: DataFile, report: Report
) -> tuple[Lesson | None, Position]:
    """Put a lesson together from its pieces, and report everything that does not fit.

    Its pictures and `data` are in a folder, usually its own.

    Returns
    -------
    lesson : Lesson or None
        None if the front matter or a step cannot be used. It holds only if nothing was reported.
    id_place : tuple of int
        Place of the lesson's id.
    """
    values = Values(pieces.front, 2, report) if pieces.front is not None else None
    front = _validated(FrontMatter, values, report) if values and values.readable else None
    if values:
        check_texts(values, report)
    if values and front:
        for name in ("title", "track"):
            check_plain(name, getattr(front, name), values.place((name,)), report)
        for number, line in enumerate(front.summary):
            check_plain("summary", line, values.place(("summary", number)), report)
    held = data.held(front.data, front.stage) if front else None
    if values and front:
        for where, message in data.problems:
            report(values.place(where), message)
        for message in data.notes:
            report.note(values.place((KEY,)), message)
    stage = Stage(values, report, held)
    steps = [_build_step(section, stage, report) for section in pieces.sections]
    pictures: dict[str, str] = {}
    for link in pieces.links:
        if link.picture:
            check_picture(link, folder, pictures, report)
        else:
            check_link(link, stage.model, path, report)
    if values is None or front is None or None in steps:
        return None, (1, 1)
    lesson = Lesson(
        **front.model_dump(by_alias=True, exclude_unset=True),  # its course says what it does not
        path=path,
        steps=tuple(step for step in steps if step),
        links=tuple(link for link in pieces.links if lesson_of(link)),
        pictures=pictures,
        track_place=values.place(("track",)),
        held=held,
    )
    if is_english(lesson.language):
        _check_english(pieces, lesson, values, report)
    if not report.problems:
        _check_runs(lesson, report)
    if not report.problems:
        warn_of_idle(lesson, values, report)
        warn_of_ends(lesson, report)
        warn_of_tells(lesson, pieces.sections, report)
        warn_of_style(lesson, values.place(("minutes",)), report)
    return lesson, values.place(("id",))


def _check_english(pieces: Outline, lesson: Lesson, values: Values, report: Report) -> None:
    """Check what English words say: of answers, and of shades."""
    for step, section in zip(lesson.steps, pieces.sections, strict=True):
        if step.choices and section.choices_complete and len(section.choice_lines) == len(section.choices):
            check_feedback(section, report)
            if not report.problems:
                warn_of_ranges(step, section, report)
    front = [(values.place(("title",)), lesson.title)]
    front += [(values.place(("summary", number)), line) for number, line in enumerate(lesson.summary)]
    for place, word in [*pieces.shades, *((place, word) for place, line in front for word in SHADES.findall(line))]:
        report.warn(place, SHADED.format(" ".join(word.split())))


def _check_runs(lesson: Lesson, report: Report) -> None:
    """Report each step of a lesson whose run is not possible on the lesson's own data."""
    known: dict[StageSettings, str] = {}
    for step in lesson.steps if lesson.data else ():
        for settings in (lesson.settings_for(step), lesson.settings_after(step)):
            if not settings.mine or settings in known:
                continue
            known[settings] = settings.lacking().rstrip(".")
            if not known[settings]:
                try:
                    settings.sampler()
                except ValueError as error:
                    known[settings] = str(error)
            if known[settings]:
                report((step.line, 1), f"this step cannot run on the lesson's data: {known[settings]}")


def _validated(model: type[BaseModel], values: Values, report: Report) -> Any:
    """Report what is wrong with values; return the model of what is left of them, None if that is not enough."""
    try:
        return model.model_validate(values.data)
    except ValidationError as error:
        report_errors(error, values, report, model)
        wrong = {detail["loc"][0] for detail in error.errors()}
    try:
        return model.model_validate({name: value for name, value in values.data.items() if name not in wrong})
    except ValidationError:
        return None


def _build_step(section: Section, stage: Stage, report: Report) -> Step | None:
    if section.id == END:
        report((section.line, 1), f"the id '{END}' is taken by the page behind the last step")
    if not section.block_closed:
        return None
    keys: StepKeys | None = Explain(kind="explain")
    place: Position = (section.choice_line, 1)
    values = None
    if section.block is not None:
        values = Values(section.block, section.block_line, report)
        keys, place = _read_keys(values, report), values.place(("kind",))
        if keys is not None and stage.model is not None:
            _check_keys(keys, values, stage, stage.model, report)
    if keys is None:
        return None
    if section.meant_line and section.block is None:
        line = (section.meant_line, 1)
        if section.choice_line or f"]({MARK}" not in section.body:
            report(line, MEANT)
            return None
        report.warn(line, MEANT)
    given: dict[str, Any] = dict(keys)
    if isinstance(keys, WithGoals):
        given |= {"goals": goals_of(section, keys, values, report)}
        _check_deeds(section, keys, report)
    else:
        _check_choices(section, keys, values, place, report)
        arranged = keys.ask.arranged(section.choices) if isinstance(keys, Question) else section.choices
        given |= {"choices": tuple(arranged)}
    if isinstance(keys, Question):
        given = {key: value for key, value in given.items() if key in STEP} | {"ask": keys.ask}
    return Step(
        id=section.id,
        title=section.title,
        line=section.line,
        body=section.body,
        hints=tuple(section.hints),
        instructor="\n\n".join(section.notes),
        measured=section.measured,
        places={} if values is None else {**values.places(), **_right_line(section)},
        **given,
    )


def _right_line(section: Section) -> dict[Location, Position]:
    """Return the place of the right choice, if there is one."""
    right = next((choice for choice in section.choices if choice.correct), None)
    return {} if right is None else {RIGHT: (section.choice_lines[right.key], 1)}


def _read_keys(values: Values, report: Report) -> StepKeys | None:
    if not values.readable or ("kind",) in values.broken:
        return None
    if "kind" not in values.data:
        report(values.opening, f"the key 'kind' is missing (there is: {', '.join(KINDS)})")
        return None
    kind = values.data["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        report(values.place(("kind",)), f"unknown kind {str(kind)[:40]!r} {did_you_mean(kind, KINDS)}")
        return None
    return _validated(KINDS[kind], values, report)


def _check_keys(keys: StepKeys, values: Values, stage: Stage, model: type[StageSettings], report: Report) -> None:
    settings = stage.settings(keys.settings, values)
    stage.check_names("show", values.data.get("show"), values, list(model.controls))
    stage.check_names("charts", values.data.get("charts"), values, list(model.charts))
    _check_view(keys.open, ("open",), values, model, report)
    if keys.publish:
        check_offer(keys.publish, values, model, report)
    if isinstance(keys, Question):
        hidden = dict.fromkeys((*WORDS, *model.charts, *model.views))  # a chart may have the name of a view
        stage.check_names("hide", values.data.get("hide"), values, list(hidden))
        if keys.open in keys.hide:
            report(values.place(("open",)), f"the view '{keys.open}' opens, and hide names it; it is one or the other")
        shown = stage.charts if keys.charts is None else keys.charts
        shown = WALL if settings and settings.many else shown
        check_ask(keys, values, model, settings, shown, report)
        if keys.again and settings:
            stage.settings({**keys.settings, **keys.again.settings}, values, ("again", "settings"))
    after = settings
    if isinstance(keys, WithGoals):
        for name, goal in keys.goals.items():
            check_conditions(name, goal, values, model, report)
            _check_view(goal.open, ("goals", name, "open"), values, model, report)
            if settings:
                stage.settings({**keys.settings, **goal.way.settings}, values, ("goals", name, "way", "settings"))
    if isinstance(keys, Predict):
        if settings:
            after = stage.settings({**keys.settings, **keys.then.settings}, values, ("then", "settings"))
        _check_view(keys.then.open, ("then", "open"), values, model, report)
        comes = {*keys.hide} & {*model.charts} or keys.then.open not in (None, keys.open)
        unread = bool(values.data.get("then")) and keys.then == Then()  # it is reported as such
        if not (keys.then.advance or comes or after != settings or unread):
            report(values.place(("kind",)), NO_REVEAL)
    if isinstance(keys, Run):
        stage.check_names("expect", values.data.get("expect"), values, list(model.measured))
        if keys.expect and settings is not None and settings.opened is not None:
            report(values.place(("expect",)), NOT_MEASURED)
    if settings is not None:
        _check_iterations(keys, values, settings, after, report)


def _check_view(
    view: str | None, location: Location, values: Values, model: type[StageSettings], report: Report
) -> None:
    if view is not None and view not in model.views:
        report(values.place(location), f"unknown view '{view[:40]}' {did_you_mean(view, model.views)}")


def _check_iterations(
    keys: StepKeys, values: Values, settings: StageSettings, after: StageSettings | None, report: Report
) -> None:
    last, at = settings.iterations, keys.at or 0
    if at > last:
        report(values.place(("at",)), f"at is {at}; this step has {last} {settings.unit}")
    elif isinstance(keys, Run) and keys.until > last:
        report(values.place(("until",)), f"until is {keys.until}; this step has {last} {settings.unit}")
    elif isinstance(keys, Run) and keys.until <= at:
        report(values.place(("until",)), f"until is {keys.until}; it should be more than at, which is {at}")
    elif isinstance(keys, Predict) and after and at + keys.then.advance > after.iterations:
        place = values.place(("then", "advance"))
        report(place, f"advance ends at {at + keys.then.advance}; this step has {after.iterations} {settings.unit}")


def _check_deeds(section: Section, keys: WithGoals, report: Report) -> None:
    """Report a step that is only read: in a sandbox there are goals, and an explanation may also point at marks."""
    points = isinstance(keys, Explain) and f"]({MARK}" in section.body
    if not (keys.goals or section.choice_line or points):
        report((section.line, 1), NO_DEED + " (or let its words point at a mark)" * isinstance(keys, Explain))


def _check_choices(
    section: Section, keys: StepKeys, values: Values | None, kind_place: Position, report: Report
) -> None:
    place = (section.choice_line, 1)
    if not isinstance(keys, Question):
        if section.choice_line:
            report(place, "choices belong in a step of kind predict or quiz")
        return
    for choice in section.choices:
        if "![" in choice.text and "](" in choice.text:
            message = "a picture in a choice would be no higher than its letters; put it above the choices"
            report((section.choice_lines[choice.key], 1), message)
        if not choice.reason:
            message = "this choice has no reason; quote one under it, indented: > Because …"
            report((section.choice_lines[choice.key], 1), message)
    warn_of_choices(section, report)
    warn_of_equals(section, report)
    right = sum(choice.correct for choice in section.choices)
    if not section.choices_complete:
        return
    if values and isinstance(keys, Quiz) and keys.why and len(section.choices) != CLAUSES:
        report(values.key_place(("why",)), WHY)
    if not section.choice_line:
        kind = "predict" if isinstance(keys, Predict) else "quiz"
        report(kind_place, f"a {kind} step needs choices: lines that begin with - [ ] or, if right, - [x]")
    elif right == 0:
        report(place, "no choice is marked as right; write - [x] for one")
    elif right > 1 and not keys.ask.several:
        several = "mark one" if keys.ways else "mark one, or write multiple: true in the step block"
        report(place, f"{right} choices are marked as right; {several}")
    elif values is not None:
        keys.ask.check_reasons(section, values, report)


def warn_of_choices(section: Section, report: Report) -> None:
    """Warn of a choice that has the words of another, and of a right one whose words are in the heading alone."""
    seen: set[str] = set()
    for choice in section.choices:
        words = " ".join(choice.text.split())
        if words in seen:
            message = "another choice of this question has the same words; learners cannot tell them apart"
            report.warn((section.choice_lines[choice.key], 1), message)
        seen.add(words)
    title = f" {_words(section.title)} "
    named = [choice for choice in section.choices if (words := _words(choice.text)) and f" {words} " in title]
    if len(section.choices) > 1 and named and all(choice.correct for choice in named):
        report.warn((section.line, 1), f"the heading has the right answer in it: '{named[0].text[:40]}'")


def _words(text: str) -> str:
    """Return words and numbers alone, in small letters, with a blank between."""
    return " ".join(re.findall(r"[^\W_]+(?:[.,/][^\W_]+)*", text.casefold()))
