"""Check how a question is asked against its step and its stage."""

from collections.abc import Sequence

from lessons.format.beats import in_a_row, misplaced
from lessons.format.links import not_a_mark
from lessons.format.problems import Report
from lessons.format.questions.kind import QuestionKind
from lessons.format.schema import Predict, Question, Quiz
from lessons.format.values import Values
from lessons.format.wording import did_you_mean
from lessons.settings.settings import StageSettings

NOT_MEASURED = "a run that is opened step by step is not measured; give the number, and a test that recomputes it"
WHY = "a question why has three clauses to tick, one of them right: three choices, and no other way to answer"
NOT_SHOWN = "this step does not show the chart '{}'; name it in charts as well"
CLAUSES = 3
NOT_IN_A_ROW = "yours lists beats that follow each other: forget, score, sample, remember"
NOT_OPENED = "yours leaves beats of an opened update to the learner; settings: {step_by: update} opens one"


def check_ask(
    keys: Question,
    values: Values,
    model: type[StageSettings],
    settings: StageSettings | None,
    shown: Sequence[str],
    report: Report,
) -> None:
    """Report what does not fit in the way in which a question is asked, if it names one.

    `shown` are the charts of the step; all of them, if it names none.
    """
    _check_marks(keys, values, model, settings, report)
    if unfit := _unfit(keys, settings):
        report(values.key_place(("yours",)), unfit)
    if isinstance(keys, Quiz) and keys.why and (keys.ways or keys.multiple):
        report(values.key_place(("why",)), WHY)
    if not keys.ways:
        return
    ask = keys.ways[0]
    if len(keys.ways) > 1:
        way, other = ask.way, keys.ways[1].way
        report(values.key_place((other,)), f"a question asks in one way, and this one has {way} and {other}")
    for key in ("multiple", "order"):
        if key in values.data:
            report(values.key_place((key,)), f"{key} is for choices that are ticked, and this question has {ask.way}")
    if ask.on is not None and (wrong := _chart(ask, model, keys, shown)):
        report(values.place((ask.way, "chart")), wrong)
    else:
        ask.check(values, model, report)
    for name, chart in ask.pictures.items():
        if chart in model.charts and shown and chart not in shown:
            report(values.place((ask.way, "charts", name)), NOT_SHOWN.format(chart))
    if ask.outcome is not None and ask.outcome not in model.measured:
        message = f"unknown outcome '{ask.outcome[:40]}' {did_you_mean(ask.outcome, model.measured)}"
        report(values.place((ask.way, "outcome")), message)
    elif ask.outcome is not None and settings is not None and settings.opened is not None:
        report(values.place((ask.way, "outcome")), NOT_MEASURED)


def _check_marks(
    keys: Question, values: Values, model: type[StageSettings], settings: StageSettings | None, report: Report
) -> None:
    """Report names of marks that the stage does not have, and marks on a wall, whose tiles have none."""
    for index, name in enumerate(keys.asks):
        if wrong := not_a_mark(name, model):
            report(values.place(("asks", index)), wrong)
    if keys.asks and settings and settings.many:
        report(values.key_place(("asks",)), "a wall of runs has no marks; leave asks out")


def _unfit(keys: Question, settings: StageSettings | None) -> str:
    """Return why the learner cannot fill the beats that are left to her; "" if she can."""
    if not keys.yours or settings is None:
        return ""
    if not in_a_row(keys.yours):
        return NOT_IN_A_ROW
    if settings.opened is None:
        return NOT_OPENED
    return misplaced(keys.yours, keys.at, keys.then.advance if isinstance(keys, Predict) else len(keys.yours))


def _chart(ask: QuestionKind, model: type[StageSettings], keys: Question, shown: Sequence[str]) -> str | None:
    """Return why nothing can be asked on its chart, if that is so."""
    chart = ask.on or ""
    if chart not in model.charts:
        return f"unknown chart '{chart[:40]}' {did_you_mean(chart, model.charts)}"
    if shown and chart not in shown:
        return NOT_SHOWN.format(chart)
    if chart in keys.hide and ask.by_hand and not ask.veils:
        return f"the marks of the chart '{chart}' are asked for, and hide names it"
    if chart in keys.hide and ask.veils and "captions" not in keys.hide:
        return f"the chart '{chart}' is hidden but for its axes; its caption would give it away: hide captions as well"
    return None
