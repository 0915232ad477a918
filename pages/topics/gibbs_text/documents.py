"""Chains of messages: the run of one, opened update by update, or what the draws of several add up to."""

from collections.abc import Iterable
from typing import ClassVar

from lessons.data.corpora import Corpus
from lessons.topics.gibbs_text import OF_THE_CORPUS, GibbsTextSettings
from pages.contract.events import Open, Touch
from pages.contract.place import Place
from pages.contract.tools import Note, Number, Tool
from pages.scenes.gibbs_stage import GibbsStage
from pages.scenes.shared import key_of, shared
from pages.topics.gibbs_text import counts, inspector, new_message, panels, statistics, surprises
from pages.topics.gibbs_text.diagram import diagram
from pages.topics.gibbs_text.film import close_up_film, sweeps_film
from pages.topics.gibbs_text.own import UPLOAD
from pages.topics.gibbs_text.run import MANY, REFERENCE, TextRun, first_look
from pages.topics.gibbs_text.scene import TextScene
from samplers.mixtures.exact_labellings import MOST_LABELLINGS, ExactLabels, exact_naive_bayes
from samplers.mixtures.wrong import WRONG_LABEL_RULES

OF_ONE = {"update", "text"}  # views of the open message
EXACT_DOCUMENTS = 10
LOOKING = "Making the first sweeps"


@shared
def _run(settings: GibbsTextSettings, seed: int) -> TextRun:
    """Return a chain, which shares the run that sets its axes with others."""
    corpus, reference = settings.corpus(), None
    if corpus.size <= MANY and seed != REFERENCE:
        reference = _run(settings, REFERENCE)
        reference.reach(reference.look, LOOKING)
    return TextRun(settings.sampler_of(corpus), corpus, seed, reference)


@shared
def _truth(settings: GibbsTextSettings) -> ExactLabels | None:
    corpus = settings.corpus()
    classes = settings.classes_of(corpus)
    if corpus.size > EXACT_DOCUMENTS or classes ** len(corpus.hidden) > MOST_LABELLINGS:
        return None
    model = corpus.bag.counts, classes, settings.class_prior, settings.word_prior, corpus.shown
    return exact_naive_bayes(*model, equal_weights=settings.variant["weights"] == "equal")


def scene_of(settings: GibbsTextSettings, seed: int) -> TextScene:
    """Return the chain of these settings, on the messages that they name or on the learner's own."""
    run = _run(settings, seed)
    run.reach(run.look, LOOKING)
    return TextScene(settings, key_of(settings, seed), [run], settings.corpus(), _truth(settings))


def chains_of(settings: GibbsTextSettings, seed: int) -> TextScene:
    """Return several chains, whose seeds follow one another."""
    corpus = settings.corpus()
    runs = [_run(settings, (seed + k) % 2**32) for k in range(settings.chains)]
    for run in runs:
        run.reach(first_look(corpus.size), LOOKING)
    return TextScene(settings, key_of(settings, seed), runs, corpus, _truth(settings))


def described(place: Place[GibbsTextSettings]) -> Iterable[Tool]:
    """Yield a note on what was left out of the messages."""
    settings = place.settings
    controlled = set(OF_THE_CORPUS) & set(place.shown)
    if controlled and place.screen().messages:  # elsewhere they would distract, and tell what a rule is about
        yield Note(" ".join(notes_of(settings, settings.corpus())))


class Documents(GibbsStage[GibbsTextSettings, TextScene]):
    """The stage of one chain."""

    one = "Message"
    update = inspector.CARDS
    diagram = diagram
    makes = scene_of
    sweeps = sweeps_film
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
    opens = ("message",)

    def extra(self, place: Place[GibbsTextSettings]) -> Iterable[Tool]:
        yield from super().extra(place)
        if self.missing(place.settings) is None:
            yield from described(place)

    def actions(self, place: Place[GibbsTextSettings]) -> Iterable[Tool]:
        """Yield the number of the open message beside the inspector's views, or the field for a new one."""
        if place.view == "surprises":
            return
        if place.view == "new":
            yield from new_message.ask(place)
        elif place.view == "counts":
            yield from counts.ask(place.settings, self.scene(place.settings, place.seed))
        elif self.shows_one(place):
            size = self.scene(place.settings, place.seed).corpus.size
            yield Number("document", "Message", size, width=120, icon=":material/mail:")

    def shows_one(self, place: Place[GibbsTextSettings]) -> bool:
        """Return whether the open message is seen anywhere: only then can its number be chosen."""
        return True

    def zoom(self, place: Place[GibbsTextSettings], level: str) -> None:
        """Open the sweep at hand, at the update of the open message."""
        scene = self.scene(place.settings, place.seed)
        place.change(step_by="update", sweep=max(1, min(place.t, scene.run.last)))
        place.move(scene.run.order.frame_of(scene.document, 0))

    def open(self, place: Place[GibbsTextSettings], mark: Open) -> None:
        scene = self.scene(place.settings, place.seed)
        if 1 <= mark.which <= scene.corpus.size:
            place.change(document=mark.which)
            self.go_to(place, scene, mark.which - 1)

    def go_to(self, place: Place[GibbsTextSettings], scene: TextScene, document: int) -> None:
        """Go to the frame of a message that has been opened: the whole run has none."""

    def touched(self, place: Place[GibbsTextSettings], touch: Touch) -> None:
        """Take the burn-in from where its line was left."""
        settings = place.settings
        place.change(burn_in=max(0, min(round(touch.x), type(settings)().iterations)))


class Statistics(Documents):
    """The stage of what the draws of chains add up to."""

    makes = chains_of
    sweeps = statistics.film

    def shows_one(self, place: Place[GibbsTextSettings]) -> bool:
        return place.view in OF_ONE or place.settings.statistic == "open_message"


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
