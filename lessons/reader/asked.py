"""Check how a question asks for a guess, and what it says to which guess."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from lessons.reader.guesses import ELSE, AskDraw, AskNumber, AskPick, Span, span, with_point
from lessons.reader.markdown import Section
from lessons.reader.problems import Report
from lessons.reader.schema import Question
from lessons.reader.values import Values
from lessons.reader.wording import did_you_mean
from lessons.stages.settings import StageSettings

NOT_MEASURED = "a run that is opened step by step is not measured; give the number, and a test that recomputes it"


def check_ask(
    keys: Question,
    values: Values,
    model: type[StageSettings],
    settings: StageSettings | None,
    shown: Sequence[str],
    report: Report,
) -> None:
    """Report what does not fit in the way in which a question asks for a guess, if it does.

    `shown` are the charts of the step; all of them, if it names none.
    """
    ways = [way for way in ("number", "pick", "draw") if getattr(keys, way) is not None]
    if not ways:
        return
    if len(ways) > 1:
        report(values.key_place((ways[1],)), f"a question asks in one way, and this one has {' and '.join(ways)}")
    ask, way = getattr(keys, ways[0]), ways[0]
    for key in ("multiple", "order"):
        if key in values.data:
            report(values.key_place((key,)), f"{key} is for choices that are ticked, and this question has {way}")
    if isinstance(ask, AskNumber) and (ask.chart is None) != (ask.axis is None):
        report(values.place((way,)), "chart and axis belong together: give both, or neither")
    if ask.chart is not None and (wrong := _chart(ask.chart, model, keys, shown, way)):
        report(values.place((way, "chart")), wrong)
    elif isinstance(ask, AskPick):
        _check_pick(ask, values, model, report)
    if ask.outcome is not None and ask.outcome not in model.measured:
        message = f"unknown outcome '{ask.outcome[:40]}' {did_you_mean(ask.outcome, model.measured)}"
        report(values.place((way, "outcome")), message)
    elif ask.outcome is not None and settings is not None and settings.opened is not None:
        report(values.place((way, "outcome")), NOT_MEASURED)


def _check_pick(ask: AskPick, values: Values, model: type[StageSettings], report: Report) -> None:
    """Report a chart without marks to click, and a field that no mark of it has."""
    if ask.chart not in model.picks:
        known = f"these have some: {', '.join(model.picks)}" if model.picks else "no chart of this stage has any"
        report(values.place(("pick", "chart")), f"the chart '{ask.chart}' has no marks to click; {known}")
    elif ask.field not in model.picks[ask.chart]:
        place = values.place(("pick", "field")) if "field" in ask.model_fields_set else values.place(("pick",))
        unknown = f"no mark of the chart '{ask.chart}' has the field '{ask.field[:40]}'"
        report(place, f"{unknown} {did_you_mean(ask.field, model.picks[ask.chart])}")


def _chart(chart: str, model: type[StageSettings], keys: Question, shown: Sequence[str], way: str) -> str | None:
    """Return why nothing can be asked on a chart, if that is so."""
    if chart not in model.charts:
        return f"unknown chart '{chart[:40]}' {did_you_mean(chart, model.charts)}"
    if shown and chart not in shown:
        return f"this step does not show the chart '{chart}'; name it in charts as well"
    if way != "number" and chart in keys.hide:
        return f"the chart '{chart}' is asked on, and hide names it"
    return None


def check_values(section: Section, ask: AskNumber | AskPick, values: Values, report: Report) -> None:
    """Report lines of a question that is answered by a number which stand for no guess, and guesses without a line.

    Report as well a right answer that cannot be given, or that cannot be missed.
    """
    low, high = ask.limits or (-inf, inf)
    for choice in section.choices:
        found, place = span(choice.text), (section.choice_lines[choice.key], 1)
        if found is None:
            pointed = with_point(choice.text)
            remedy = (
                f"{pointed[:40]}, with a point" if pointed else f"a number, 10 to 20, below 10, above 20, or {ELSE}"
            )
            message = f"'{choice.text[:40]}' is no guess; write {remedy}"
            report(place, message)
        elif choice.correct and not found.is_value:
            report(place, "the right answer is one number; within says how far off a guess may be")
        elif found.low > high or found.high < low:
            report(place, f"no learner can guess '{choice.text[:40]}': the limits are {low:g} and {high:g}")
        elif choice.correct and isinstance(ask, AskNumber):
            _check_reach(ask, found, choice.text, values, report)
    if ELSE not in (choice.text for choice in section.choices):
        report((section.choice_line, 1), f"all other guesses have no reason; add a line - [ ] {ELSE} with a reason")


def _check_reach(ask: AskNumber, right: Span, text: str, values: Values, report: Report) -> None:
    """Report a `step` that passes over the right answer, and a `within` that makes every guess right."""
    way = "draw" if isinstance(ask, AskDraw) else "number"
    if ask.step is not None and not right.has(ask.nearest(right), ask.within):
        finer = ask.model_copy(update={"step": None}).grain(right)
        message = f"no guess in steps of {ask.step:g} is within {ask.within:g} of the right one, {text[:40]}"
        report(values.place((way, "step")), f"{message}; leave step out, which makes it {finer:g}")
    if ask.limits and all(right.has(end, ask.within) for end in ask.limits):
        low, high = ask.limits
        message = f"every guess from {low:g} to {high:g} is within {ask.within:g} of {text[:40]}, and so right"
        report(values.place((way, "within")), f"{message}; make within smaller")
    elif way == "number" and ask.limits and right.has(ask.limits[0], ask.within):
        message = f"the slider begins at {ask.limits[0]:g}, which is right; begin lower, or leave limits out"
        report(values.place((way, "limits")), message)
