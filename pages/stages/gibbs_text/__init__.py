"""Spam without labels: Gibbs for the classes of messages, opened up update by update, and what the draws add up to."""

from collections.abc import Callable
from typing import Any, ClassVar

import streamlit as st

from lessons.data.corpora import Corpus
from lessons.data.held_apart import Tested, hold_apart
from lessons.stages.gibbs_text import OF_THE_CORPUS, GibbsTextSettings
from pages.contract.events import Open, Touch
from pages.contract.film import Film
from pages.contract.place import Place
from pages.drawing.cards import quiet
from pages.player.kept import RUNS
from pages.shell.page import plain
from pages.stages.gibbs_stage import GibbsStage
from pages.stages.gibbs_text import counts, inspector, new_message, panels, statistics, surprises, three_times
from pages.stages.gibbs_text.diagram import diagram
from pages.stages.gibbs_text.film import close_up_film, sweeps_film
from pages.stages.gibbs_text.own import UPLOAD
from pages.stages.gibbs_text.run import MANY, REFERENCE, TextRun, first_look
from pages.stages.gibbs_text.scene import Scene
from pages.stages.gibbs_text.three_times import TestedRun, ThreeTimes
from pages.stages.picks import pick_number
from samplers.mixtures.exact_labellings import MOST_LABELLINGS, ExactLabels, exact_naive_bayes
from samplers.mixtures.wrong import WRONG_LABEL_RULES

FILMS: dict[str, Callable[[Any], Film]] = {  # of whole runs
    "documents": sweeps_film,
    "statistics": statistics.film,
    "three_times": three_times.film,
}
EXACT_DOCUMENTS = 10
LOOKING = "Making the first sweeps"


def _run(settings: GibbsTextSettings, seed: int, corpus: Corpus) -> TextRun:
    """Return a chain; sessions with the same settings share it, and the run that sets their axes."""
    reference = None
    if corpus.size <= MANY and seed != REFERENCE:
        reference = _run(settings, REFERENCE, corpus)
        reference.reach(reference.look, LOOKING)
    key = f"gibbs_text run {settings.model_dump_json()} {seed}"
    return RUNS.shared(key, lambda: TextRun(settings.sampler_of(corpus), corpus, seed, reference))


def _truth(settings: GibbsTextSettings, corpus: Corpus) -> ExactLabels | None:
    classes = settings.classes_of(corpus)
    if corpus.size > EXACT_DOCUMENTS or classes ** len(corpus.hidden) > MOST_LABELLINGS:
        return None
    model = corpus.bag.counts, classes, settings.class_prior, settings.word_prior, corpus.shown
    equal = settings.variant["weights"] == "equal"
    key = f"gibbs_text truth {settings.model_dump_json()}"
    return RUNS.shared(key, lambda: exact_naive_bayes(*model, equal_weights=equal))


def shown(settings: GibbsTextSettings, seed: int) -> Scene | ThreeTimes:
    """Return the chains of these settings, or three runs that are compared."""
    return comparison_of(settings, seed) if compares(settings) else scene_of(settings, seed)


def film_of(scene: Scene | ThreeTimes) -> Film:
    """Return the film of a run, of what its draws add up to, or of three runs."""
    return FILMS[scene.settings.layout](scene)


class GibbsTextStage(GibbsStage[GibbsTextSettings, Scene | ThreeTimes]):
    """The stage of the topic "Spam without labels"."""

    one = "Message"
    update = inspector.CARDS
    diagram = diagram
    makes = shown
    sweeps = film_of
    beats = close_up_film
    own = UPLOAD
    views: ClassVar = {
        "counts": counts.counts,
        "new": new_message.new_message,
        "surprises": surprises.check,
        "text": lambda scene, sweep: inspector.text(scene, scene.document, scene.run.state(sweep)),
        "statistics": panels.statistics_table,
        "labels": panels.labels,
        "truth": panels.truth,
    }
    compared: ClassVar = dict.fromkeys(GibbsTextSettings.views, lambda *_: quiet(three_times.ELSEWHERE)) | {
        "statistics": three_times.results
    }
    about = ("counts", "new", "surprises", "truth")
    opens = ("message",)

    def extra(self, place: Place[GibbsTextSettings]) -> None:
        """Draw the upload, and what was left out of the messages."""
        super().extra(place)
        settings = place.settings  # with what was uploaded just now
        seen = place.screen()
        if not {*OF_THE_CORPUS} & {*place.shown} or not seen.messages:
            return  # they would distract, and tell what a rule is about
        if self.missing(settings) is None:
            st.caption(" ".join(plain(note) for note in notes_of(settings, settings.corpus())))

    def cards(self, settings: GibbsTextSettings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at frame t."""
        if view == "text" and settings.opened is not None:  # of the message whose update is under way
            settings = settings.model_copy(update={"document": document_of(scene_of(settings, seed), t) + 1})
        return super().cards(settings, seed, view, t)

    def actions(self, place: Place[GibbsTextSettings]) -> None:
        """Draw the number of the open message beside the inspector's views, or the field for a new one."""
        settings = place.settings
        if compares(settings) or place.view == "surprises":
            return
        if place.view == "new":
            new_message.ask(place)
        elif place.view == "counts":
            counts.ask(place, scene_of(settings, place.seed))
        elif settings.opened is None:
            size = scene_of(settings, place.seed).corpus.size
            pick_number(place, "document", "Message", size, width=120, icon=":material/mail:")

    def levels(self, settings: GibbsTextSettings) -> tuple[str, ...]:
        """Return sweeps, messages and beats."""
        return () if compares(settings) else super().levels(settings)

    def zoom(self, place: Place[GibbsTextSettings], level: str) -> None:
        """Open the sweep at the message that is open, or go back to the whole run."""
        settings = place.settings
        scene = scene_of(settings, place.seed)
        last, order = scene.run.last, scene.run.order
        if settings.opened is None:
            frame = order.frame_of(scene.document, 0)
            place.change(step_by="update", sweep=max(1, min(place.t, last)))
            place.move(frame)
        elif level == "Sweep":
            sweep = min(settings.sweep, last) - (place.t < 4 * len(order.sites))
            place.change(step_by="sweep", document=document_of(scene, place.t) + 1)
            place.move(sweep)

    def open(self, place: Place[GibbsTextSettings], mark: Open) -> None:
        """Open the message that was clicked."""
        settings = place.settings
        scene = scene_of(settings, place.seed)
        if 1 <= mark.which <= scene.corpus.size:
            place.change(document=mark.which)
            if settings.step_by == "update":
                place.move(scene.run.order.frame_of(mark.which - 1, place.t))

    def touched(self, place: Place[GibbsTextSettings], touch: Touch) -> None:
        """Take the burn-in from where its line was left."""
        settings = place.settings
        place.change(burn_in=max(0, min(round(touch.x), type(settings)().iterations)))


def document_of(scene: Scene, t: int) -> int:
    """Return the message that frame t shows, from 0: the open one, or the one whose update is under way."""
    if scene.settings.opened is None:
        return scene.document
    return scene.run.order.document_at(t, scene.document)


def compares(settings: GibbsTextSettings) -> bool:
    """Return whether three runs are compared, and no run is opened."""
    return settings.layout == "three_times" and settings.opened is None


def comparison_of(settings: GibbsTextSettings, seed: int) -> ThreeTimes:
    """Return three runs of these settings, with all, with half and with no labels; sessions share them."""
    messages = settings.corpus().messages
    plain = settings.as_run().model_copy(update={"known_labels": 0, "classes": 2})
    key = f"gibbs_text {plain.model_dump_json()} {seed} {settings.test_messages} {settings.test_set}"

    def made() -> Tested:
        number, asked = settings.test_messages, settings.test_set
        return hold_apart(messages, number, asked, settings.label_seed, settings.bag_of)

    tested = RUNS.shared(f"{key} tested", made)

    def run(variant: int) -> TestedRun:
        corpus = tested.corpora[variant]
        start = "shown" if corpus.named else "random"
        known = plain.model_copy(update={"classes": len(messages.classes), "start": start})
        return RUNS.shared(f"{key} {variant}", lambda: TestedRun(known.sampler_of(corpus), tested, variant, seed))

    runs = [run(variant) for variant in range(len(tested.corpora))]
    return ThreeTimes(settings, key, runs, tested, messages.texts)


def notes_of(settings: GibbsTextSettings, corpus: Corpus) -> list[str]:
    """Return notes on the messages: how they were read, what was left out, which labels are shown."""
    notes = [*corpus.messages.notes, *corpus.bag.dropped]
    shown = corpus.size - len(corpus.hidden)
    notes.append(f"{len(corpus.bag.words):,} words are used. {shown:,} of {corpus.size:,} labels are shown.")
    classes = settings.classes_of(corpus)
    if classes > settings.classes:
        notes.append(f"There are {classes} classes, because the labels that are shown name that many.")
    where = [f"{name.replace('_', ' ')} {value}" for name, value in settings.variant.items()]
    if settings.rule in WRONG_LABEL_RULES:
        notes.append(f"This rule makes a difference only with {' and '.join(where)}.")
    return notes


def scene_of(settings: GibbsTextSettings, seed: int) -> Scene:
    """Return the chains of these settings, on the messages that they name or on the learner's own."""
    corpus = settings.corpus()
    plain = settings.as_run()
    number = settings.chains if settings.layout == "statistics" else 1
    runs = [_run(plain, (seed + k) % 2**32, corpus) for k in range(number)]
    for run in runs:
        run.reach(first_look(corpus.size) if settings.layout == "statistics" else run.look, LOOKING)
    key = f"gibbs_text {plain.model_dump_json()} {seed}"
    return Scene(settings, key, runs, corpus, _truth(plain, corpus))
