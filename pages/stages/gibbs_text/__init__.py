"""Spam without labels: Gibbs for the classes of messages, opened up update by update, and what the draws add up to."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import streamlit as st

from lessons.reader.corpora import Corpus
from lessons.reader.messages import Messages
from lessons.reader.stages.gibbs_text import GibbsTextSettings
from pages.parts.page import plain
from pages.parts.player import Film, Touch
from pages.parts.state import Topic
from pages.parts.topic import Stage
from pages.stages.gibbs_text import inspector, own, panels, statistics
from pages.stages.gibbs_text.charts import ROWS
from pages.stages.gibbs_text.film import close_up_film, sweeps_film
from pages.stages.gibbs_text.run import CloseUp, TextRun
from pages.stages.gibbs_text.scene import Scene
from samplers.exact_labels import MOST_LABELLINGS, ExactLabels, exact_naive_bayes

VIEWS = {"update": "This update", "text": "The text", "labels": "Labels", "statistics": "Statistics", "truth": "Truth"}
EXACT_DOCUMENTS = 10
# settings that change what is looked at, not what one chain does
OF_THE_PAGE = {
    "layout",
    "document",
    "statistic",
    "chains",
    "burn_in",
    "thin",
    "naming",
    "step_by",
    "sweep",
}
OF_THE_CORPUS = ("data", "stop_words", "minimum_count", "most_words", "known_labels", "label_seed")


@st.cache_resource(max_entries=8, show_spinner=False)
def _own_corpus(settings: GibbsTextSettings, digest: str, _messages: Messages) -> Corpus:
    return settings.corpus_of(_messages)


@st.cache_resource(max_entries=16, show_spinner="Making the first sweeps …")
def _run(settings: GibbsTextSettings, seed: int, digest: str, _corpus: Corpus) -> TextRun:
    """Make a chain and its first sweeps; sessions with the same settings share it."""
    return TextRun(settings.sampler_of(_corpus), _corpus, seed)


@st.cache_resource(max_entries=8, show_spinner=False)
def _truth(settings: GibbsTextSettings, digest: str, _corpus: Corpus) -> ExactLabels | None:
    classes = settings.classes_of(_corpus)
    if _corpus.size > EXACT_DOCUMENTS or classes ** len(_corpus.hidden) > MOST_LABELLINGS:
        return None
    return exact_naive_bayes(_corpus.bag.counts, classes, settings.class_prior, settings.word_prior, _corpus.shown)


@st.cache_resource(max_entries=16, show_spinner="Replaying the run up to that sweep …")
def _close_up(key: str, sweep: int, _run: TextRun) -> CloseUp:
    _run.grow(sweep, seconds=math.inf)
    return _run.close_up(sweep)


class GibbsTextStage(Stage):
    """The stage of the topic "Spam without labels"."""

    name = "gibbs_text"
    views = VIEWS

    def extra(self, place: Topic) -> None:
        """Draw the upload, and what was left out of the messages."""
        settings: Any = place.settings
        if settings.data == "own":
            own.upload()
        controlled = {"data", *OF_THE_CORPUS} & set(place.shown)
        if controlled and self.missing(place) is None:  # elsewhere they would distract, and tell what a rule is about
            st.caption(" ".join(plain(note) for note in notes_of(settings, corpus_of(settings))))

    def missing(self, place: Topic) -> str | None:
        """Return what must be there before anything can be sampled."""
        settings: Any = place.settings
        if settings.data == "own" and own.own_messages() is None:
            return own.MISSING
        try:
            corpus = corpus_of(settings)
        except ValueError as error:  # the controls have left no word
            return f"**Nothing to sample:** {plain(str(error))}."
        if not settings.sites(len(corpus.hidden)):
            return (
                "**Nothing to sample:** all labels are shown, and all else is integrated out. Show fewer labels, or "
                "keep the word probabilities explicit."
            )
        return None

    def film(self, settings: GibbsTextSettings, seed: int) -> Film:
        """Return what the player shows."""
        scene = scene_of(settings, seed)
        if settings.step_by == "update":
            return close_up_film(scene, self._close_up(scene))
        return statistics.film(scene) if settings.layout == "statistics" else sweeps_film(scene)

    def inspect(self, place: Topic) -> None:
        """Draw the inspector for the iteration at which the player rests."""
        scene = scene_of(place.settings, place.seed)
        sweep = self._sweep(place, scene)
        if place.view == "update":
            self._update(place, scene, sweep)
        elif place.view == "text":
            inspector.text(scene, self._document(place, scene), scene.run.state(sweep))
        elif place.view == "labels":
            panels.labels(scene, sweep)
        elif place.view == "statistics":
            panels.statistics_table(scene, sweep)
        else:
            panels.truth(scene, sweep)

    def actions(self, place: Topic) -> None:
        """Draw the buttons beside the inspector's views."""
        settings: Any = place.settings
        scene = scene_of(settings, place.seed)
        if settings.step_by == "sweep":
            inspector.choose_document(place, scene.corpus.size)
            if st.button("Step by updates", icon=":material/zoom_in:", help="Look at this sweep, one beat at a time"):
                sweep = max(1, min(place.t, scene.run.last))
                close_up = _close_up(scene.key, sweep, scene.run)
                place.change(step_by="update", sweep=sweep)
                place.view = "update"
                visit = int(close_up.visit_of[scene.document])
                place.move(4 * visit + 1 if visit < len(close_up.sites) else 0)
                st.rerun()
        elif st.button("Step by sweeps", icon=":material/zoom_out:", help="Back to the whole run"):
            close_up = self._close_up(scene)
            over = place.t >= 4 * len(close_up.sites)
            place.change(step_by="sweep", document=self._document(place, scene) + 1)
            place.move(close_up.sweep if over else close_up.sweep - 1)
            st.rerun()

    def touched(self, place: Topic, touch: Touch) -> None:
        """Open the message that was clicked, or take the burn-in from where its line was left."""
        settings: Any = place.settings
        scene = scene_of(settings, place.seed)
        if touch.hand == "burn_in":
            place.change(burn_in=max(0, min(round(touch.x), type(settings)().iterations)))
            return
        if touch.row is None:
            return
        if settings.step_by == "sweep":
            document = touch.row if touch.hand == "cell" else scene.page * ROWS + touch.row
        else:
            page = self._document(place, scene) // ROWS
            document = touch.row if touch.hand == "cell" else page * ROWS + touch.row
        if 0 <= document < scene.corpus.size:
            place.change(document=document + 1)
            if settings.step_by == "update":
                close_up = self._close_up(scene)
                visit = int(close_up.visit_of[document])
                place.move(4 * visit + 1 if visit < len(close_up.sites) else place.t)

    @staticmethod
    def _close_up(scene: Scene) -> CloseUp:
        return _close_up(scene.key, min(scene.settings.sweep, scene.run.last), scene.run)

    def _document(self, place: Topic, scene: Scene) -> int:
        """Return the message to speak of, from 0: the open one, or the one whose update is under way."""
        settings: Any = place.settings
        if settings.step_by == "sweep":
            return scene.document
        return self._close_up(scene).document_at(place.t, scene.document)

    @staticmethod
    def _sweep(place: Topic, scene: Scene) -> int:
        """Return the sweep to speak of: the one where the player rests, or the last one that has been made."""
        settings: Any = place.settings
        wanted = place.t if settings.step_by == "sweep" else min(settings.sweep, scene.run.last)
        return min(wanted, scene.made)

    def _update(self, place: Topic, scene: Scene, sweep: int) -> None:
        settings: Any = place.settings
        if settings.step_by == "update":
            inspector.beat_by_beat(place, scene, self._close_up(scene))
        elif not sweep:
            st.html(
                '<p class="quiet">This is the start: labels were drawn blindly. Press <b>Step</b>: one sweep redraws '
                "every hidden label once.</p>"
            )
        else:
            inspector.one_document(scene, _close_up(scene.key, sweep, scene.run))


def notes_of(settings: GibbsTextSettings, corpus: Corpus) -> list[str]:
    """Return what there is to say of the messages: how they were read, what was left out, what is shown."""
    notes = [*corpus.messages.notes, *corpus.bag.dropped]
    shown = corpus.size - len(corpus.hidden)
    notes.append(f"{len(corpus.bag.words):,} words are used. {shown:,} of {corpus.size:,} labels are shown.")
    classes = settings.classes_of(corpus)
    if classes > settings.classes:
        notes.append(f"There are {classes} classes, since the labels that are shown name so many.")
    where = [f"{name.replace('_', ' ')} {value}" for name, value in settings.variant.items()]
    if settings.rule != "right":
        notes.append(f"This rule is at work with {' and '.join(where)}.")
    return notes


def corpus_of(settings: GibbsTextSettings) -> Corpus:
    """Return the messages that the settings name, or the learner's own.

    Raises
    ------
    ValueError
        If no word is left.
    """
    if settings.data != "own":
        return settings.corpus()
    messages = own.own_messages()
    assert messages is not None  # `missing` has said so
    plainer = GibbsTextSettings(**{name: getattr(settings, name) for name in OF_THE_CORPUS})
    return _own_corpus(plainer, digest_of(messages), messages)


def digest_of(messages: Messages) -> str:
    """Return a few characters that stand for messages and their labels."""
    seal = hashlib.sha256("\0".join(messages.texts).encode())
    seal.update(messages.labels.tobytes())
    return seal.hexdigest()[:12]


def scene_of(settings: GibbsTextSettings, seed: int) -> Scene:
    """Return the chains of these settings, on the messages that they name or on the learner's own."""
    corpus = corpus_of(settings)
    digest = digest_of(corpus.messages) if settings.data == "own" else ""
    fields = type(settings).model_fields
    plain_settings = settings.model_copy(update={name: fields[name].default for name in OF_THE_PAGE})
    number = settings.chains if settings.layout == "statistics" else 1
    runs = [_run(plain_settings, (seed + k) % 2**32, digest, corpus) for k in range(number)]
    key = f"gibbs_text {plain_settings.model_dump_json(exclude=OF_THE_PAGE)} {seed} {digest}"
    return Scene(settings, key, corpus, runs, _truth(plain_settings, digest, corpus))
