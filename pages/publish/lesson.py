"""A lesson as data: its text as HTML, its questions with all that is said to an answer, its goals, its stage."""

import math
from collections.abc import Sequence
from typing import Any

from lessons.catalogue import topic_info
from lessons.check.runs import untried
from lessons.course.library import Library
from lessons.course.work import version
from lessons.format.glossary import marked, without
from lessons.format.goals import Goal
from lessons.format.guesses import Span
from lessons.format.language import direction
from lessons.format.lesson import Lesson, Step
from lessons.format.offered import offered
from lessons.format.printed import inline
from lessons.format.questions.answers import Choice
from lessons.settings.settings import StageSettings
from pages.contract.stage import Stage, stage_of
from pages.contract.waiting import NotYet
from pages.form.value import MORE, asking, how_far, html_of, locked, ours, right_answer
from pages.judge.museum import exhibition
from pages.judge.packing import packed
from pages.lesson.handed_in import set_to
from pages.publish.crawl import Write, crawl, pack_json
from pages.publish.messages import (
    Answer,
    Control,
    Filed,
    Published,
    Question,
    Reasoned,
    Scene,
    Target,
    Told,
)
from pages.publish.scenes import Needed, Stagehand, in_words
from samplers import Chain
from samplers.judge.bank import PROBLEMS

ENOUGH = 1_200_000  # bytes of a lesson; runs that no step needs are left out beyond that


def missing_in(settings: StageSettings) -> str:
    """Return the sentence that tells learners of a published course what needs the app."""
    data = ", and data of your own," if settings.takes else ""
    return f"Other settings{data} need the app, which computes new runs."


class Writer:
    """Writes the lessons of a course as data; links can lead to those whose ids are `shown`."""

    def __init__(self, library: Library, shown: frozenset[str]) -> None:
        self.library, self.shown = library, shown

    def published(self, lesson: Lesson, write: Write) -> Published:
        """Return a lesson, with the files of its runs written."""
        stage = stage_of(lesson.stage)
        hand = Stagehand(lesson, stage)
        terms = without(self.library.terms_of(lesson.path, lesson.language), lesson.everyday)
        bodies = marked(tuple(step.body for step in lesson.pages), terms)
        steps = [self.step(lesson, step, body, hand) for step, body in zip(lesson.pages, bodies, strict=True)]
        ends = {step["id"]: step for step in steps}
        for step in lesson.steps:  # now that all steps have said how far they need each run
            ends[step.id]["goals"] = [self._goal(lesson, goal, hand, ends[step.id]) for goal in step.goals]
        films = _films(stage, hand, write)
        for told in steps:
            if told["question"] and (rule := told["question"]["rule"]):
                problem = PROBLEMS[rule["problem"]["id"]]
                rule["file"], rule["museum"] = pack_json(packed(problem), write), pack_json(exhibition(problem), write)
        for step, told in zip(lesson.pages, steps, strict=True):
            runs = [run for run in told["runs"] if run["message"]["source"] in films]
            told["runs"] = runs if len(runs) > 1 else []
            told["controls"] = _controls(lesson.settings_for(step), told["runs"])
            for scene in (told["asked"], told["answered"], told["then"], *told["runs"]):
                if scene:
                    message = scene["message"]
                    message["total"] = min(message["total"], hand.runs[message["source"]].last)
        return {
            "id": lesson.id,
            "title": inline(lesson.title),
            "language": lesson.language,
            "dir": direction(lesson.language),
            "summary": [inline(line) for line in lesson.summary],
            "read_on": [inline(entry) for entry in topic_info(lesson.stage).read_on],
            "steps": steps,
            "films": films,
            "about": [*stage.about],
        }

    def step(self, lesson: Lesson, step: Step, body: str, hand: Stagehand) -> Told:
        """Return a step, but for its goals: where they are reached shows once all steps are known."""
        settings, asks = lesson.settings_for(step), bool(step.choices)
        controls = any(name == "seed" or settings.matters(name) for name in lesson.show_for(step))
        runs = _runs(lesson, step, hand)
        return {
            "id": step.id,
            "title": inline(step.title),
            "html": self.html(lesson, body),
            "hints": [self.html(lesson, hint) for hint in step.hints],
            "at": step.at,
            "until": step.until,
            "unit": settings.counted_as,
            "asked": hand.opened(step),
            "answered": hand.answered(step) if asks else None,
            "then": hand.then(step) if asks else None,
            "advance": step.then.advance,
            "runs": runs,
            "controls": [],
            "question": self.question(lesson, step) if asks else None,
            "sure": asks and lesson.asks_sure(step),
            "goals": [],
            "set": ", ".join([*set_to(settings), f"seed {lesson.seed_for(step)}"]),
            "missing": missing_in(settings) if controls or untried(lesson, step) else "",
            "version": version(step),
        }

    def html(self, lesson: Lesson, text: str) -> str:
        """Return a lesson's Markdown as HTML, with links to the lessons of the course."""
        return html_of(lesson, text, lambda name: f"#lesson={name}" if name in self.shown else None)

    def question(self, lesson: Lesson, step: Step) -> Question:
        """Return a step's question with all that is said to its answers."""
        ask, form, answers = step.ask, step.form, step.answers
        exact, off = (ours(lesson, words) for words in ask.comparison(step.choices))
        listed = step.choices if form.lists or form.problem else ()
        return {
            **asking(lesson, step),
            "answers": [self._answer(lesson, step, choice) for choice in listed],
            "lines": [self._line(lesson, found, choice) for found, choice in answers.lines],
            "exact": exact,
            "off": off,
            "partly": ours(lesson, MORE) if ask.several else "",
            "guessed": ask.guessed,
            "once": step.once,
            "right": answers.right_keys,
            "words": inline(answers.in_words(answers.right_keys)),
            "shown": right_answer(step, lambda text: self.html(lesson, text)),
            "locked": locked(step),
            "again": form.again,
        }

    def _answer(self, lesson: Lesson, step: Step, choice: Choice) -> Answer:
        far = ours(lesson, how_far(step, (choice.key,)))
        return {
            "key": choice.key,
            "words": inline(step.answers.in_words((choice.key,))),
            "right": choice.correct,
            "said": far + self.html(lesson, choice.reason),
        }

    def _line(self, lesson: Lesson, found: Span, choice: Choice) -> Reasoned:
        return {
            "low": _finite(found.low),
            "high": _finite(found.high),
            "right": choice.correct,
            "reason": self.html(lesson, choice.reason),
        }

    def _goal(self, lesson: Lesson, goal: Goal, hand: Stagehand, step: Told) -> Target:
        sources = {scene["message"]["source"] for scene in (step["asked"], *step["runs"])}
        return {
            "id": goal.id,
            "html": inline(goal.text),
            "reason": self.html(lesson, goal.reason) if goal.reason else "",
            "seeds": goal.keys.seeds,
            "open": goal.keys.open or "",
            "reached": {source: _reached(goal, hand.runs[source]) for source in sources},
        }


def _films(stage: Stage[Any], hand: Stagehand, write: Write) -> dict[str, Filed]:
    """Write the runs of a lesson: all that its steps need, and the others until there is enough."""
    size, films = 0, {}

    def counted(name: str, text: str) -> None:
        nonlocal size
        size += len(text)
        write(name, text)

    for source in sorted(hand.runs, key=hand.spare.__contains__):
        if source not in hand.spare or size < ENOUGH:
            films[source] = crawl(stage, hand.runs[source], counted)
    return films


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _runs(lesson: Lesson, step: Step, hand: Stagehand) -> list[Scene]:
    """Return the runs that a step without a question offers: its own, those that lead to its goals, and others."""
    if step.choices:
        return []
    settings, seed = lesson.settings_for(step), lesson.seed_for(step)
    changes: list[tuple[dict[str, Any], bool]] = [({}, False)]
    for goal in step.goals:
        there, _, first = goal.way(settings, step.at or 0, seed)
        changed = {name: value for name, value in there.model_dump().items() if value != getattr(settings, name)}
        for number in range(goal.keys.seeds):
            changes.append((changed | ({"seed": first + number} if first + number != seed else {}), False))
    others = offered(step.publish, settings, seed, lesson.show_for(step))
    changes += [(change, step.publish is None) for change in others]
    runs, seen = [], []
    for change, spare in changes:
        if change in seen:
            continue
        seen.append(change)
        there = settings.model_copy(update={name: value for name, value in change.items() if name != "seed"})
        if hand.stage.missing(there):  # a learner brings the data, which needs the app
            continue
        try:
            scene = hand.opened(step, spare=spare, **change)
        except NotYet:  # too long to wait for, in the app as well
            continue
        runs.append(scene | {"values": in_words(there, change.get("seed", seed))})
    return runs if len(runs) > 1 else []


def _controls(settings: StageSettings, runs: Sequence[Scene]) -> list[Control]:
    """Return the controls of which the runs have more than one value, in the order of the app's."""
    found: list[Control] = []
    for name in (*type(settings).model_fields, "seed"):
        values = [*dict.fromkeys(run["values"][name] for run in runs)]
        if len(values) > 1:
            title = "Seed" if name == "seed" else str(type(settings).model_fields[name].title)
            found.append({"name": name, "title": title, "values": values})
    for run in runs:
        run["values"] = {control["name"]: run["values"][control["name"]] for control in found}
    return found


def _reached(goal: Goal, run: Needed) -> list[int]:
    """Return the iterations of a run at which all conditions of a goal hold, but for the view that it needs."""
    settings, opened = run.settings, goal.keys.open or ""
    measured = goal.keys.reach and settings.opened is None and not settings.unknown
    chain = Chain(settings.sampler(), run.seed) if measured else None
    found = []
    for t in range(run.last + 1):
        if goal.is_near(settings, t, opened):
            outcomes = settings.measure(chain, t) if chain else {}
            if goal.is_reached_by(outcomes):
                found.append(t)
    return found
