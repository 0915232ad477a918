"""The parts of a page that an open question withholds, in one object for page, controls and stages."""

from dataclasses import dataclass

from lessons.reader import Lesson, Step
from lessons.stages.settings import StageSettings
from pages.contract.place import Place
from pages.shell.answers import answered, of_a_class
from pages.shell.state import misses

TOLD = 2  # misses, after which the right answer is told


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
    """Return the parts withheld now: none, unless a question is open.

    The code of a wrong rule gives away what is wrong, so it waits for a question about this rule to be settled.
    """
    current = place.current()
    if current is None:
        return Withheld()
    lesson, step = current
    code = () if _found(place, lesson) else ("code",)
    if not step.choices or settled(lesson, step):
        return Withheld(views=code)
    return Withheld(
        lock=step.lock,
        charts=tuple(chart for chart in lesson.charts_hidden(step) if chart != step.ask.on),
        views=(*lesson.views_hidden(step), *code),
        captions="captions" in step.hide,
        messages="messages" in step.hide,
    )


def settled(lesson: Lesson, step: Step) -> bool:
    """Return whether a question has been answered, and cannot be tried again: then nothing hides its answer."""
    given = answered(lesson, step)
    return given is not None and (step.is_right(given) or told(lesson, step))


def told(lesson: Lesson, step: Step) -> bool:
    """Return whether the right answer is shown below a wrong one; a class gets it from its instructor."""
    return step.once or of_a_class() or misses()[lesson.id, step.id] >= TOLD


def _found(place: Place, lesson: Lesson) -> bool:
    """Return whether the current rule is the right one, or a question about it is settled."""
    about = about_rule(place.settings, lesson)
    return not about or any(settled(lesson, step) for step in about)


def about_rule(settings: StageSettings, lesson: Lesson) -> list[Step]:
    """Return a lesson's questions about a wrong rule, any of which uncovers its code; none if the rule is right."""
    wrong = _wrong(settings)
    return [step for step in lesson.steps if step.choices and wrong & _wrong(lesson.settings_for(step))]


def _wrong(settings: StageSettings) -> set[tuple[str, str]]:
    """Return the settings that choose a wrong rule, with their values."""
    rules = ((name, getattr(settings, name)) for name in type(settings).model_fields if name.endswith("rule"))
    return {(name, rule) for name, rule in rules if rule != "right"}
