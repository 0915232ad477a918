"""The parts of a page that an open question withholds, in one object for page, controls and stages."""

from dataclasses import dataclass

from lessons.reader import Lesson, Step
from lessons.stages.settings import StageSettings
from pages.contract.place import Place
from pages.shell.answers import answered


@dataclass(frozen=True)
class Withheld:
    """Controls, charts, captions and views that are withheld now.

    Attributes
    ----------
    lock : tuple of str
        Locked actions of the player (``play``, ``step``, ``back``, ``scrub``), and ``controls``.
    charts, views : tuple of str
        The hidden charts of the stage and views of the inspector; the chart that the question is about has a veil
        instead.
    captions, messages : bool
        Whether the captions above the charts, and the stage's messages, are hidden.
    """

    lock: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    captions: bool = False
    messages: bool = False

    @property
    def controls(self) -> bool:
        """Whether settings, dials, seed, charts' handles and the buttons beside the inspector are disabled."""
        return "controls" in self.lock


def withheld(place: Place) -> Withheld:
    """Return the parts withheld now: none, unless a question waits for its answer.

    The code of a wrong rule gives away what is wrong, so it waits for an answer to a question about this rule.
    """
    current = place.current()
    if current is None:
        return Withheld()
    lesson, step = current
    code = () if _found(place, lesson) else ("code",)
    if not step.choices or answered(lesson, step) is not None:
        return Withheld(views=code)
    return Withheld(
        lock=step.lock,
        charts=tuple(chart for chart in lesson.charts_hidden(step) if chart != step.ask.on),
        views=(*lesson.views_hidden(step), *code),
        captions="captions" in step.hide,
        messages="messages" in step.hide,
    )


def _found(place: Place, lesson: Lesson) -> bool:
    """Return whether the current rule is the right one, or the learner has answered a question about it."""
    about = about_rule(place.settings, lesson)
    return not about or any(answered(lesson, step) is not None for step in about)


def about_rule(settings: StageSettings, lesson: Lesson) -> list[Step]:
    """Return a lesson's questions about a wrong rule, any of which uncovers its code; none if the rule is right."""
    wrong = _wrong(settings)
    return [step for step in lesson.steps if step.choices and wrong & _wrong(lesson.settings_for(step))]


def _wrong(settings: StageSettings) -> set[tuple[str, str]]:
    """Return the settings that choose a wrong rule, with their values."""
    rules = ((name, getattr(settings, name)) for name in type(settings).model_fields if name.endswith("rule"))
    return {(name, rule) for name, rule in rules if rule != "right"}
