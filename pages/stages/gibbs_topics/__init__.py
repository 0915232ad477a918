"""Topics in messages: Gibbs for the topic of every word, opened up update by update."""

from typing import ClassVar

import numpy as np
import streamlit as st

from lessons.own.messages import TEXTS
from lessons.stages.gibbs_topics import DATA, GibbsTopicsSettings
from pages.contract.events import Open
from pages.contract.place import Place
from pages.player.kept import RUNS
from pages.shell.page import plain
from pages.stages.gibbs_stage import GibbsStage
from pages.stages.gibbs_text.own import of_messages
from pages.stages.gibbs_topics import inspector
from pages.stages.gibbs_topics.diagram import diagram
from pages.stages.gibbs_topics.film import FIRST_LOOK, close_up_film, sweeps_film
from pages.stages.gibbs_topics.held_out import held_out
from pages.stages.gibbs_topics.run import Scene, TopicsRun, one_document
from pages.stages.gibbs_topics.truth import truth
from pages.stages.picks import pick_number

EARLY = 8  # sweeps of many words that set the axis
MANY = 4_000


def scene_of(settings: GibbsTopicsSettings, seed: int) -> Scene:
    """Return the chain of these settings, on the messages that they name or the learner's own; sessions share it."""
    texts, run_of = settings.texts(), settings.as_run()
    key = f"gibbs_topics {run_of.model_dump_json()} {seed}"
    run = RUNS.shared(f"{key} run", lambda: TopicsRun(run_of.sampler_of(texts), texts, seed))
    exact = RUNS.shared(f"{key} truth", lambda: run_of.exact(texts))
    run.reach(min(run.last, FIRST_LOOK if texts.size <= MANY else EARLY), "Making the first sweeps")
    return Scene(settings, key, (run,), texts, exact)


class GibbsTopicsStage(GibbsStage[GibbsTopicsSettings, Scene]):
    """The stage of the topic "Topics in messages"."""

    one = "Word"
    update = inspector.CARDS
    diagram = diagram
    makes = scene_of
    sweeps = sweeps_film
    beats = close_up_film
    own = of_messages(
        "own topics file",
        "One message per line; or a table with a column of texts. Labels are not used.",
        TEXTS,
    )
    views: ClassVar = {"message": inspector.message, "held_out": lambda scene, _: held_out(scene), "truth": truth}
    opens = ("message", "image", "word")

    def extra(self, place: Place[GibbsTopicsSettings]) -> None:
        """Draw the upload, and what was left out of the messages."""
        super().extra(place)
        settings = place.settings  # with what was uploaded just now
        if {"data", *DATA} & {*place.shown} and self.missing(settings) is None:
            texts = settings.texts()
            said = f"{texts.size:,} words, {len(texts.words):,} of them different."
            st.caption(" ".join(plain(note) for note in (*texts.notes, said)))

    def actions(self, place: Place[GibbsTopicsSettings]) -> None:
        """Draw the number of the open message."""
        if place.view not in ("held_out", "truth"):
            texts = place.settings.texts()
            icon = ":material/image:" if texts.side else ":material/mail:"
            one = one_document(texts).capitalize()
            pick_number(place, "message", one, len(texts.documents), width=120, icon=icon)

    def open(self, place: Place[GibbsTopicsSettings], mark: Open) -> None:
        """Open the message or the word that was clicked."""
        texts = place.settings.texts()
        if mark.what in ("message", "image"):
            place.change(message=mark.which, word=1)
            return
        site = min(mark.which, texts.size) - 1
        message = int(texts.document[site])
        place.change(message=message + 1, word=site - int(np.searchsorted(texts.document, message)) + 1)
        if place.settings.step_by == "update":
            place.move(4 * site + 1)
