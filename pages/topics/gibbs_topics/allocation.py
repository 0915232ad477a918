"""Latent Dirichlet allocation: a fixed number of topics."""

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from lessons.own.messages import TEXTS
from lessons.topics.gibbs_topics import DATA, GibbsTopicsSettings
from pages.contract.events import Open
from pages.contract.place import Place
from pages.contract.tools import Note, Number, Tool
from pages.scenes.gibbs_stage import GibbsStage
from pages.scenes.shared import key_of, shared
from pages.topics.gibbs_text.own import of_messages
from pages.topics.gibbs_topics import inspector
from pages.topics.gibbs_topics.diagram import allocation
from pages.topics.gibbs_topics.film import FIRST_LOOK, close_up_film, sweeps_film
from pages.topics.gibbs_topics.franchise_run import RUNS
from pages.topics.gibbs_topics.held_out import held_out
from pages.topics.gibbs_topics.run import TopicsRun, TopicsScene, one_document
from pages.topics.gibbs_topics.truth import Posterior
from samplers.topics.exact import ExactTopics

EARLY = 8  # sweeps of many words that set the axis
MANY = 4_000
POSTERIOR = Posterior(
    "largest",
    "Words of the largest topic",
    "words",
    "labellings",
    lambda scene, labels: labels @ scene.topics ** np.arange(scene.texts.size)[::-1],
    lambda scene: f" and {scene.topics} topics",
    "<b>Twelve words</b> and 2 topics, with α and β fixed",
)


@shared
def _run(settings: GibbsTopicsSettings, seed: int) -> TopicsRun:
    texts = settings.texts()
    return RUNS[settings.number](settings.now.kernel(settings, texts), texts, seed)


@shared
def _truth(settings: GibbsTopicsSettings) -> ExactTopics | None:
    return settings.now.exact(settings, settings.texts())


class Allocation(GibbsStage[GibbsTopicsSettings, TopicsScene]):
    """The stage of a fixed number of topics."""

    one = "Word"
    update = inspector.CARDS
    diagram = allocation
    shows: ClassVar[type[TopicsScene]] = TopicsScene
    sweeps = sweeps_film
    beats = close_up_film
    own = of_messages(
        "own topics file",
        "One message per line; or a table with a column of texts. Labels are not used.",
        TEXTS,
    )
    views: ClassVar = {
        "message": inspector.message,
        "held_out": lambda scene, _: held_out(scene),
        "truth": POSTERIOR.beside,
    }
    opens = ("message", "image", "word")

    def scene(self, settings: GibbsTopicsSettings, seed: int) -> TopicsScene:
        """Return the chain of these settings, on the messages that they name or the learner's own."""
        texts, run = settings.texts(), _run(settings, seed)
        run.reach(min(run.last, FIRST_LOOK if texts.size <= MANY else EARLY), "Making the first sweeps")
        return self.shows(settings, key_of(settings, seed), (run,), texts, _truth(settings))

    def extra(self, place: Place[GibbsTopicsSettings]) -> Iterable[Tool]:
        """Yield the upload, and a note on what was left out of the messages."""
        yield from super().extra(place)
        settings = place.settings  # with what was uploaded just now
        if {"data", *DATA} & {*place.shown} and self.missing(settings) is None:
            texts = settings.texts()
            said = f"{texts.size:,} words, {len(texts.words):,} of them different."
            yield Note(" ".join((*texts.notes, said)))

    def actions(self, place: Place[GibbsTopicsSettings]) -> Iterable[Tool]:
        """Yield the number of the open message."""
        if place.view not in ("held_out", "truth"):
            texts = place.settings.texts()
            icon = ":material/image:" if texts.side else ":material/mail:"
            one = one_document(texts).capitalize()
            yield Number("message", one, len(texts.documents), width=120, icon=icon)

    def open(self, place: Place[GibbsTopicsSettings], mark: Open) -> None:
        """Open the message or the word that was pressed."""
        texts = place.settings.texts()
        if mark.what in ("message", "image"):
            place.change(message=mark.which, word=1)
            return
        site = min(mark.which, texts.size) - 1
        message = int(texts.document[site])
        place.change(message=message + 1, word=site - int(np.searchsorted(texts.document, message)) + 1)
        if place.settings.step_by == "update":
            place.move(4 * site + 1)
