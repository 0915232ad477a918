"""The cards of updates in which a topic may be new, and of the redraw of base weights."""

from math import log

import numpy as np

from pages.drawing.cards import MOST_ROWS, Option, badge, table
from pages.drawing.numbers import counted, multiplied, significant
from pages.topics.gibbs_topics.inspector import WordBeat, WordCards, cards_of, prior, three, topic_named, word_named
from pages.topics.gibbs_topics.run import TopicsScene, one_document
from samplers.topics.hdp import BASE, TOP, HDPState


class FranchiseCards(WordCards):
    """The four cards of a word's update; a number that is free is no option, but for a new topic's."""

    share = "α · base weight"

    def gone(self, before: HDPState, label: int) -> str:
        weight, rest = before.base[label], before.base[before.next]
        total = f"{three(weight)} + {three(rest)} = {three(weight + rest)}"
        return f"<p>The topic has no word left. Its base weight goes to the rest: {total}.</p>"

    def offered(self, state: HDPState, k: int) -> bool:
        return bool(state.base[k])

    def weight(self, state: HDPState, k: int) -> str:
        return f"{super().weight(state, k)} · {three(state.base[k])}"

    def option(self, scene: TopicsScene, beat: WordBeat, k: int, below: float, probability: float) -> Option:
        state = beat.lifted
        if k != state.next:
            return super().option(scene, beat, k, below, probability)
        terms = f"{self.weight(state, k)} · {state.word_prior:g} / {significant(below, 4)}"
        return Option("a new topic", "+", None, terms, probability)

    def remember(self, scene: TopicsScene, beat: WordBeat) -> str:
        site, label = int(beat.update.site), int(beat.update.value)
        if label != beat.lifted.next:
            return super().remember(scene, beat)
        opened = _opened(beat.lifted, beat.after, site)
        return f"<p>{word_named(scene, site)} opens {topic_named(label)}.</p>{opened}"


def _opened(lifted: HDPState, after: HDPState, site: int) -> str:
    """Return the sentences about the weight of a new topic, as HTML."""
    rest = lifted.base[lifted.next]
    fraction = 1 - lifted.left[site]
    return (
        f"<p>A fraction of the rest is drawn from Beta(1, γ): {fraction:.3f}.</p>"
        f"<p>Base weight {multiplied(log(fraction), log(rest), mark='b')}; "
        f"{three(after.base[after.next])} of the stick is left.</p>"
    )


def _base_weights(scene: TopicsScene, beat: WordBeat, reached: int) -> tuple[str, ...]:
    """Return the beats of the redraw of base weights, as HTML."""
    before, after, one = beat.before, beat.after, one_document(scene.texts)
    tables = beat.update.value.tables
    most = sorted(before.used, key=lambda topic: -before.totals[topic])[:MOST_ROWS]
    documents = np.count_nonzero(np.array(before.by_document), axis=0)
    names = {topic: badge(str(topic + 1), topic) for topic in most}
    counts = [(names[k], f"{before.totals[k]:,}", str(documents[k]), three(before.base[k])) for k in most]
    drawn = [(names[k], f"{before.totals[k]:,}", f"{int(tables[:, k].sum()):,}") for k in most]
    weights = [(names[k], f"<b>{three(after.base[k])}</b>") for k in most]
    rest = ("rest", f"<b>{three(after.base[after.next])}</b>")
    return (
        f"<p>The base weights of {counted(len(before.used), 'topic')} are forgotten. All words keep their topics.</p>",
        f"<p>In each {one}, the words of a topic are customers who sit at tables. With i others there, a word "
        "opens a table with probability αb / (αb + i).</p>" + table(("", "words", f"{one}s", "b"), counts),
        f"<p>{int(tables.sum()):,} tables are drawn.</p>" + table(("", "words", "tables"), drawn),
        "<p>The weights are drawn from a Dirichlet distribution. Its parameters are the tables of each topic, and γ "
        "for the rest.</p>" + table(("", "b"), [*weights, rest]),
    )


def _top(scene: TopicsScene, beat: WordBeat, reached: int) -> tuple[str, ...]:
    return prior(beat, "γ", "base weights", beat.before.top_concentration)


CARDS = cards_of(FranchiseCards(), {BASE: _base_weights, TOP: _top})
