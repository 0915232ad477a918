"""Naive Bayes: documents whose words are counted; of three words, each class is a point in a triangle."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import ClassVar

import numpy as np

from lessons.topics.marginalise import MarginaliseSettings
from pages.contract.charts import Chart
from pages.contract.columns import Columns, Data
from pages.contract.place import Place
from pages.contract.tools import Note, Pick, Tool
from pages.drawing.cards import badge, quiet
from pages.drawing.charts import Domain
from pages.drawing.numbers import counted
from pages.scenes.close_up import step_shown
from pages.scenes.leapfrogs import LeapfrogPath
from pages.topics.marginalise import inspector, program_film, programs, run_film, triangle
from pages.topics.marginalise.diagram import of_documents
from pages.topics.marginalise.model import CloseUp, Marginalised
from pages.topics.marginalise.program_trace import ProgramTrace, trace_of
from pages.topics.marginalise.run import FIRST_LOOK
from pages.topics.marginalise.scene import MarginaliseScene

TEXT = 30  # characters of a document that name it
TIMES = ("1", "10", "100", "1000")  # that a document can be repeated


@dataclass(frozen=True)
class DocumentsScene(MarginaliseScene):
    """Documents, one of whose words is followed."""

    plane = "two unconstrained numbers"
    sliced = True
    by_class = ("a", "w")

    @property
    def params(self) -> dict[str, float]:
        return {"current": float(self.item)}

    @cached_property
    def names(self) -> tuple[str, ...]:
        return self.settings.corpus().class_names(self.classes)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return self.settings.corpus().bag.words

    @property
    def tokens(self) -> int:
        return int(self.settings.corpus().bag.counts[[self.item]].sum())

    @property
    def times(self) -> int:
        return int(self.settings.repeat)

    def title_of(self, item: int) -> str:
        text = " ".join(self.settings.corpus().messages.texts[item].split())
        return f"{item + 1}  {text if len(text) <= TEXT else text[: TEXT - 1] + '…'}"

    @property
    def heading(self) -> str:
        over = "" if self.times == 1 else f", written {self.times:,} times over"
        text = escape(self.settings.corpus().messages.texts[self.item][:60])
        return f"Document {self.item + 1}: “{text}”{over}, {counted(self.tokens * self.times, 'word')}"

    @property
    def coordinates(self) -> tuple[int, int]:
        free = len(self.words) - 1
        word = self.classes - 1 + min(self.word, free - 1)  # the last word has no number of its own
        return word, word + free

    @property
    def domains(self) -> tuple[Domain, Domain]:
        seen = self.run.positions[3 : FIRST_LOOK + 1, self.coordinates]
        low, high = float(np.floor(seen.min() - 2)), float(np.ceil(seen.max() + 2))
        return (low, high), (low, high)

    @property
    def titles(self) -> tuple[str, str]:
        word = self.words[min(self.word, len(self.words) - 2)]
        return f"“{word}” in {self.names[0]}", f"“{word}” in {self.names[1]}"

    def weights_chart(self) -> Chart:
        """Return the classes' weights along the run."""
        numbers = [f"{{a{k}}}" for k in range(self.classes)]
        told = f"· {', '.join(numbers[:-1])} and {numbers[-1]}"
        words = "Weights θ", told, "The weight of each class along the run, and its running mean."
        legend = run_film.legend(self)
        return run_film.named_chart(self, "weights", words, "a", (0.0, 1.0), self.classes, legend=legend)

    def walk_charts(self) -> list[Chart]:
        words = (
            f"φ of “{self.words[self.word]}”",
            f"· {run_film.THIN_AND_THICK}",
            "The probability of one word in each class along the run, and its running mean.",
        )
        early = self.run.word_probs[: FIRST_LOOK + 1, :, self.word]
        highest = min(1.0, 2 * float(early.max()))
        word = run_film.named_chart(
            self, "word", words, "w", (0.0, highest), self.classes, legend=run_film.legend(self)
        )
        return [run_film.class_chart(self), run_film.log_density_chart(self), self.weights_chart(), word]

    def path_charts(self) -> list[Chart]:
        return [run_film.class_chart(self, path=True)]

    def walk_columns(self, start: int, stop: int) -> Columns:
        return run_film.averaged("w", self.run.word_probs[:stop, :, self.word], start, self.settings.warmup)


@dataclass(frozen=True)
class ThreeWords(DocumentsScene):
    """Documents of three words, whose probabilities fill a triangle."""

    def walk_charts(self) -> list[Chart]:
        shown = triangle.chart(self, run_film.legend(self), path=False)
        return [shown, run_film.class_chart(self), self.weights_chart(), run_film.log_density_chart(self)]

    def path_charts(self) -> list[Chart]:
        return [triangle.chart(self, run_film.legend(self), path=True), *super().path_charts()]

    def walk_data(self) -> Data:
        return triangle.walk_data(self)

    def walk_columns(self, start: int, stop: int) -> Columns:
        return super().walk_columns(start, stop) | triangle.walk_columns(self, start, stop)

    def path_data(self, path: LeapfrogPath) -> Data:
        return triangle.path_data(self, path.iteration, path.trajectory)

    def path_columns(self, path: LeapfrogPath, at: np.ndarray, over: np.ndarray) -> Columns:
        return triangle.path_columns(self, path.trajectory, at, over)

    def beside(self, position: np.ndarray) -> str:
        return quiet(f"All {len(position)} coordinates move at once:") + "".join(
            f"<p>{badge(str(label + 1), label)} φ = {', '.join(f'{value:.2f}' for value in values)}</p>"
            for label, values in enumerate(self.run.target.constrain(position).word_probs)
        )


def trace_at(scene: MarginaliseScene) -> ProgramTrace:
    """Return the program's acts at the parameters of the iteration that is looked at."""
    scene.run.reach(scene.iteration)
    return trace_of(scene.settings, scene.run.target, scene.run.state(scene.iteration).position)


class NaiveBayes(Marginalised):
    """The stage of documents."""

    shows = DocumentsScene
    diagram = of_documents
    views: ClassVar = Marginalised.views | {"program": programs.panel}
    steps = ("Iteration", "Leapfrog", "Term")
    close_ups: ClassVar = Marginalised.close_ups | {
        "term": CloseUp(trace_at, program_film.film, {"step": inspector.act, "code": inspector.code_of_term}, False)
    }

    def extra(self, place: Place[MarginaliseSettings]) -> Iterable[Tool]:
        settings = place.settings
        if self.missing(settings) is not None:
            return
        if place.current() is None and self.follows_word(settings):
            yield _followed_word(place.settings)
        if place.screen().messages:
            yield Note(" ".join(notes_of(settings)))

    def follows_word(self, settings: MarginaliseSettings) -> bool:
        """Return whether a chart follows one word."""
        return True

    def actions(self, place: Place[MarginaliseSettings]) -> Iterable[Tool]:
        if place.view in ("gamma", "gibbs"):
            yield from self.choose_items(place)
            if place.view == "gamma" and place.settings.size:
                times = {many: f"× {int(many):,}" for many in TIMES}
                yield Pick("repeat", "Document, times", times, place.settings.repeat, width=110)
        elif place.view == "program":
            yield from programs.run_in_stan(self.scene(place.settings, place.seed), step_shown(place.settings, place.t))


class OfThreeWords(NaiveBayes):
    """The stage of documents of three words."""

    shows = ThreeWords

    def follows_word(self, settings: MarginaliseSettings) -> bool:
        return settings.close_up != "iteration" or settings.layout != "walk"  # the triangle has all three, all alike


def _followed_word(settings: MarginaliseSettings) -> Pick:
    words = settings.corpus().bag.words
    return Pick("word", "Word that is followed", dict(enumerate(words, 1)), min(settings.word, len(words)))


def notes_of(settings: MarginaliseSettings) -> list[str]:
    """Return notes on the documents: how many words are left, which labels are shown."""
    corpus = settings.corpus()
    shown = corpus.size - len(corpus.hidden)
    empty = int((corpus.bag.counts.sum(axis=1) == 0).sum())
    notes = [f"{corpus.size:,} documents, {len(corpus.bag.words)} words, {shown:,} labels shown."]
    if empty:
        notes.append(f"{empty:,} documents have none of these words.")
    if not settings.rule_at_work:
        notes.append("This rule makes a difference only in the program for prediction.")
    return notes
