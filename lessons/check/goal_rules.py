"""Check the goals of a step: each has a line in its text, and conditions that the stage knows."""

from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from lessons.format.goals import Goal, GoalKeys
from lessons.format.guesses import Span
from lessons.format.markdown import Section
from lessons.format.problems import Report
from lessons.format.schema import WithGoals
from lessons.format.values import Location, Values
from lessons.format.wording import did_you_mean
from lessons.settings.settings import StageSettings, limits

NO_GOALS = (
    "lines with a box are choices in a step of kind predict or quiz, and goals in any other; the step block says when "
    "each goal is reached: goals: {its-id: {…}}"
)


def goals_of(section: Section, keys: WithGoals, values: Values | None, report: Report) -> tuple[Goal, ...]:
    """Return the goals of a step in the order of its lines; report goals without a line, and lines without a goal."""
    if section.choice_line and not keys.goals:
        if not (values and values.data.get("goals")):  # else they could not be read, and that is reported
            report((section.choice_line, 1), NO_GOALS)
        return ()
    goals = []
    for choice in section.choices:
        line = (section.choice_lines[choice.key], 1)
        if choice.correct:
            report(line, "a goal is not ticked beforehand; write - [ ]")
        if choice.id in keys.goals:
            goals.append(Goal(choice.id, choice.text, choice.reason, keys.goals[choice.id]))
        else:
            named = f"unknown goal '{choice.id[:40]}'" if choice.id else "this goal needs an id, such as {#twenty}"
            report(line, f"{named} {did_you_mean(choice.id, keys.goals)}")
    for name in keys.goals:
        if values and name not in (choice.id for choice in section.choices):
            message = f"no line in the text says what the goal '{name[:40]}' is; write - [ ] … {{#{name[:40]}}}"
            report(values.key_place(("goals", name)), message)
    return tuple(goals)


def check_conditions(name: str, goal: GoalKeys, values: Values, model: type[StageSettings], report: Report) -> None:
    """Report conditions of a goal that the stage does not know, or that can never hold."""
    under: Location = ("goals", name)
    for outcome, wanted in goal.reach.items():
        if outcome not in model.measured:
            message = f"unknown outcome '{outcome[:40]}' {did_you_mean(outcome, model.measured)}"
            report(values.key_place((*under, "reach", outcome)), message)
        elif not isinstance(wanted, Span):
            report(values.place((*under, "reach", outcome)), f"{outcome} is a number")
    for setting, wanted in goal.settings.items():
        at: Location = (*under, "settings", setting)
        if setting not in model.model_fields:
            message = f"unknown setting '{setting[:40]}' {did_you_mean(setting, model.model_fields)}"
            report(values.key_place(at), message)
        elif wrong := _never(model.model_fields[setting], wanted):
            report(values.place(at), f"{setting} {wrong}")
    if goal.at is not None and not isinstance(goal.at, Span):
        report(values.place((*under, "at")), "at is a number, or the least and the most, such as [20, 60]")
    elif goal.at is not None and goal.at.high < 0:
        report(values.place((*under, "at")), f"at is {goal.at.high:g}, and runs begin at 0")
    if not (goal.reach or goal.settings or goal.at or goal.open):
        report(values.key_place(under), f"the goal '{name[:40]}' has no condition: reach, settings, at or open")


def _never(field: FieldInfo, wanted: Any) -> str | None:
    """Return why a setting is never as it is wanted; None if it can be."""
    if get_origin(field.annotation) is Literal:
        options = get_args(field.annotation)
        unknown = [str(word) for word in (wanted if isinstance(wanted, tuple) else ["a number"]) if word not in options]
        return f"is never '{unknown[0][:40]}' {did_you_mean(unknown[0], options)}" if unknown else None
    low, high = limits(field)
    if low is None:
        return "cannot be a condition"
    if not isinstance(wanted, Span):
        return "is a number"
    return f"lies between {low:g} and {high:g}" if wanted.low > high or wanted.high < low else None
