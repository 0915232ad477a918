"""One word: its update in four beats, and one message with its mixture of topics."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, ClassVar

import numpy as np

from pages.drawing.cards import MOST_ROWS, Option, badge, dart, pointing, quiet, score_table, table
from pages.drawing.numbers import counted, probability, significant
from pages.scenes.close_up import SAMPLE, Beat, UpdateCards
from pages.topics.gibbs_topics.run import TopicsScene, one_document, site_named
from samplers.topics.lda import TOPIC_PRIOR, VALUES, WORD_PRIOR, LDAState

WORDS = 12  # of a topic, that a message's table lists
WordBeat = Beat[Any]
Writer = Callable[[TopicsScene, WordBeat, int], Sequence[str]]


def three(weight: float) -> str:
    """Return a weight with three digits."""
    return significant(weight, 3)


def topic_named(k: int) -> str:
    """Return a topic, which points at its list."""
    return pointing(f"topic-{k + 1}", f"topic {badge(str(k + 1), k)}")


def word_named(scene: TopicsScene, site: int) -> str:
    """Return a word, which points at its place."""
    return pointing(f"word-{site + 1}", f"<b>{escape(site_named(scene.texts, site))}</b>")


def _message(scene: TopicsScene, document: int) -> str:
    one = one_document(scene.texts)
    return pointing(f"{one}-{document + 1}", f"{one} {document + 1}")


def _counts(scene: TopicsScene, state: LDAState, site: int, label: int) -> tuple[int, int, int]:
    """Return how many words of the message have a topic, how often the topic has this word, and its words in all."""
    words = scene.run.sampler.words
    return state.by_document[words.document[site]][label], state.by_word[words.word[site]][label], state.totals[label]


class WordCards:
    """The four cards of a word's update."""

    share: ClassVar[str] = "α"  # the prior weight of a topic, as a formula

    def bodies(self, scene: TopicsScene, beat: WordBeat, reached: int) -> tuple[str, ...]:
        """Return the four beats of a word's update as HTML."""
        forgot, scored = self._forget(scene, beat), self._score(scene, beat, drawn=reached >= SAMPLE)
        return forgot, scored, self._sample(scene, beat), self.remember(scene, beat)

    def _forget(self, scene: TopicsScene, beat: WordBeat) -> str:
        site = int(beat.update.site)
        label, document = beat.before.labels[site], scene.run.sampler.words.document[site]
        before, lifted = (_counts(scene, state, site, label) for state in (beat.before, beat.lifted))
        names = (
            f"of {_message(scene, document)}",
            f"this word in {topic_named(label)}",
            f"words of {topic_named(label)}",
        )
        changes = zip(before, lifted, names, strict=True)
        lines = "".join(f"<p>{there} → {left} {name}</p>" for there, left, name in changes)
        gone = "" if lifted[2] else self.gone(beat.before, label)
        return f"<p>{word_named(scene, site)} is taken out of {topic_named(label)}.</p>{lines}{gone}"

    def gone(self, before: Any, label: int) -> str:
        """Return a sentence about a topic that has no word left."""
        return ""

    def options(self, scene: TopicsScene, beat: WordBeat) -> list[Option]:
        """Return the topics that a word may get, in order."""
        below, probabilities = scene.run.sampler.denominators(beat.lifted), beat.update.conditional.probabilities
        each = enumerate(probabilities.tolist())
        return [self.option(scene, beat, k, below[k], p) for k, p in each if self.offered(beat.lifted, k)]

    def offered(self, state: Any, k: int) -> bool:
        """Return whether a word may get a topic."""
        return True

    def weight(self, state: Any, k: int) -> str:
        """Return the prior weight of a topic in a message, as a formula."""
        return f"{state.topic_prior:g}"

    def option(self, scene: TopicsScene, beat: WordBeat, k: int, below: float, probability: float) -> Option:
        """Return a topic as an option, with the terms of its score; `below` is their denominator."""
        state = beat.lifted
        here, same, _ = _counts(scene, state, int(beat.update.site), k)
        terms = f"({here} + {self.weight(state, k)}) · ({same} + {state.word_prior:g}) / {significant(below, 4)}"
        return Option(f"topic {k + 1}", str(k + 1), k, terms, probability, f"topic-{k + 1}")

    def _score(self, scene: TopicsScene, beat: WordBeat, *, drawn: bool) -> str:
        one, value = one_document(scene.texts), int(beat.update.value)
        heading = f"(in this {one} + {self.share}) · (this word + β) / (words of the topic + Vβ)"
        options = sorted(self.options(scene, beat), key=lambda option: option.cluster is None)  # a new one is the last
        places = [option.cluster for option in options]
        return score_table(options, places.index(value if value in places else None) if drawn else -1, heading)

    def _sample(self, scene: TopicsScene, beat: WordBeat) -> str:
        options, uniform = self.options(scene, beat), beat.update.uniform
        assert uniform is not None  # a topic is drawn from its options
        best = sorted(options, key=lambda option: -option.probability)[:MOST_ROWS]
        listed = " ".join(f"{badge(each.badge, each.cluster)}&nbsp;{probability(each.probability)}" for each in best)
        return f"<p>Random number: {uniform:.3f}</p>{dart(options, uniform)}<p>{listed}</p>"

    def remember(self, scene: TopicsScene, beat: WordBeat) -> str:
        """Return the last card: where the word is now."""
        site, label = int(beat.update.site), int(beat.update.value)
        document = scene.run.sampler.words.document[site]
        stays = " again" if label == beat.before.labels[site] else ""
        here, same, total = _counts(scene, beat.after, site, label)
        return (
            f"<p>{word_named(scene, site)} gets {topic_named(label)}{stays}.</p><p>Now {here} of "
            f"{_message(scene, document)}, {same} times this word, {counted(total, 'word')} of the topic.</p>"
        )


def prior(beat: WordBeat, symbol: str, what: str, before: float) -> tuple[str, ...]:
    """Return the beats of a redraw of α, β or γ, in words: its symbol, what scores its values, and its value before."""
    value, probabilities = int(beat.update.value), beat.update.conditional.probabilities
    order = np.argsort(-probabilities, kind="stable")[:MOST_ROWS]
    listed = table((symbol, "probability"), ((f"{VALUES[k]:g}", probability(float(probabilities[k]))) for k in order))
    return (
        f"<p>{symbol} = {before:g} is forgotten.</p>",
        f"<p>Each of {len(VALUES)} values is scored by the {what}.</p>{listed}",
        f"<p>Random number: {beat.update.uniform:.3f}</p>",
        f"<p>{symbol} = <b>{VALUES[value]:g}</b></p>",
    )


def _topic_prior(scene: TopicsScene, beat: WordBeat, reached: int) -> tuple[str, ...]:
    return prior(beat, "α", f"topics of the {one_document(scene.texts)}s", beat.before.topic_prior)


def _word_prior(scene: TopicsScene, beat: WordBeat, reached: int) -> tuple[str, ...]:
    return prior(beat, "β", "words of the topics", beat.before.word_prior)


def _notes(scene: TopicsScene, beat: WordBeat) -> dict[str, str]:
    return {"site": word_named(scene, int(beat.update.site)), "value": topic_named(int(beat.update.value))}


def cards_of(words: WordCards, blocks: Mapping[str | type, Writer]) -> UpdateCards:
    """Return the cards of updates, of those of a word and of further blocks."""
    return UpdateCards(
        start=quiet(
            "This is the start: every word has a random topic. Press <b>Step</b>: one sweep redraws each of them."
        ),
        begin=quiet("The sweep is about to begin. Press <b>Step</b>: the first word is taken out."),
        writers={int: words.bodies, TOPIC_PRIOR: _topic_prior, WORD_PRIOR: _word_prior, **blocks},
        chosen=lambda scene, close_up: scene.site,
        notes=_notes,
        options=words.options,
    )


CARDS = cards_of(WordCards(), {})


def message(scene: TopicsScene, sweep: int) -> str:
    """Return the open message: its words by topic, and the share of each topic that is expected in it."""
    texts, labels = scene.texts, scene.run.labels[sweep]
    document = int(texts.document[scene.site])
    own = np.flatnonzero(texts.document == document)
    size, topics, (weights, together) = len(own), scene.topics, scene.pseudo_counts(sweep)
    shares = scene.run.shares(sweep, np.bincount(labels[own], minlength=topics))
    rows = [
        _line(
            scene,
            k,
            own[labels[own] == k].tolist(),
            f"+ {weights[k]}) / ({size} + {together}) = <b>{shares[k]:.3f}</b>",
        )
        for k in range(topics)
        if topics <= scene.listed_all or (labels[own] == k).any()
    ]
    one = one_document(scene.texts)
    name = pointing(f"{one}-{document + 1}", f"{one.capitalize()} {document + 1}")
    said = f"<p>{name}, {counted(size, 'word')}. The share of a topic is {scene.share}.</p>"
    return said + table(("", "words", "share", ""), rows, "wrapped")


def _line(scene: TopicsScene, k: int, sites: Sequence[int], share: str) -> tuple[str, ...]:
    names = ", ".join(escape(site_named(scene.texts, site)) for site in sites[:WORDS])
    more = f" and {len(sites) - WORDS} more" if len(sites) > WORDS else ""
    return badge(str(k + 1), k), str(len(sites)), f"({len(sites)} {share}", names + more
