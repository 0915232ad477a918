"""Cards about base weights: a topic that closes or opens, and the redraw at the end of a sweep."""

import numpy as np

from pages.drawing.cards import MOST_ROWS, badge, table
from pages.drawing.numbers import counted, significant
from pages.stages.close_up import Beat
from samplers.topics.hdp import HDPState
from samplers.topics.lda import LDAState


def closed(state: HDPState, topic: int) -> str:
    """Return the sentences about the weight of a topic whose last word leaves, as HTML."""
    weight, rest = state.base[topic], state.base[state.next]
    total = significant(weight + rest, 3)
    return f"The topic has no word left. Its base weight goes to the rest: {_three(weight)} + {_three(rest)} = {total}."


def opened(lifted: HDPState, after: HDPState, site: int) -> str:
    """Return the sentences about the weight of a new topic, as HTML."""
    topic, rest = lifted.next, lifted.base[lifted.next]
    fraction = 1 - lifted.left[site]
    return (
        f"<p>A fraction of the rest is drawn from Beta(1, γ): {fraction:.3f}.</p>"
        f"<p>Base weight {fraction:.3f} · {_three(rest)} = <b>{_three(after.base[topic])}</b>; "
        f"{_three(after.base[after.next])} of the stick is left.</p>"
    )


def base_weights(beat: Beat[LDAState], one: str) -> tuple[str, str, str, str]:
    """Return the beats of the redraw of base weights, as HTML; `one` is the word for a document."""
    before, after = beat.before, beat.after
    assert isinstance(before, HDPState)
    assert isinstance(after, HDPState)
    tables = beat.update.value.tables
    most = sorted(before.used, key=lambda topic: -before.totals[topic])[:MOST_ROWS]
    documents = np.count_nonzero(np.array(before.by_document), axis=0)
    names = {topic: badge(str(topic + 1), topic) for topic in most}
    counts = [(names[k], f"{before.totals[k]:,}", str(documents[k]), _three(before.base[k])) for k in most]
    drawn = [(names[k], f"{before.totals[k]:,}", f"{int(tables[:, k].sum()):,}") for k in most]
    weights = [(names[k], f"<b>{_three(after.base[k])}</b>") for k in most]
    rest = ("rest", f"<b>{_three(after.base[after.next])}</b>")
    return (
        f"<p>The base weights of {counted(len(before.used), 'topic')} are forgotten. All words keep their topics.</p>",
        f"<p>In each {one}, the words of a topic are customers who sit at tables. With i others there, a word "
        "opens a table with probability αb / (αb + i).</p>" + table(("", "words", f"{one}s", "b"), counts),
        f"<p>{int(tables.sum()):,} tables are drawn.</p>" + table(("", "words", "tables"), drawn),
        "<p>The weights are drawn from a Dirichlet distribution. Its parameters are the tables of each topic, and γ "
        "for the rest.</p>" + table(("", "b"), [*weights, rest]),
    )


def _three(weight: float) -> str:
    return significant(weight, 3)
