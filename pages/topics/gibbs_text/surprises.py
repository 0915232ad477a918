"""A predictive check: the words whose counts lie farthest from those in new messages, drawn from the posterior."""

from html import escape
from typing import NamedTuple

import numpy as np

from pages.drawing.cards import head, quiet
from pages.drawing.numbers import counted
from pages.topics.gibbs_text.new_message import counted_sweeps
from pages.topics.gibbs_text.scene import TextScene
from samplers.mixtures.new_documents import replicate_word_totals

MOST_SETS = 50
LISTED = 8  # words
LEAST_SPREAD = 1.0  # a count that hardly varies surprises nobody by one more


class Surprise(NamedTuple):
    """Counts of a word in the data, and in each set of new messages, shape (sets,)."""

    word: str
    data: int
    sets: np.ndarray

    @property
    def as_far(self) -> int:
        """The number of sets with at least the data's count; if the data have few, with at most that count."""
        many = self.data >= self.sets.mean()
        return int((self.sets >= self.data).sum() if many else (self.sets <= self.data).sum())


def surprises(scene: TextScene, sweep: int) -> list[Surprise]:
    """Return the words whose counts are the most standard deviations away from the mean of the sets."""
    run = scene.run
    data = np.asarray(scene.corpus.bag.counts.sum(axis=0)).ravel().astype(int)
    sets = np.array(
        [
            replicate_word_totals(run.sampler, run.labels[each], np.random.default_rng((run.chain.seed, int(each), 2)))
            for each in counted_sweeps(scene, sweep, MOST_SETS)
        ]
    )
    spread = np.maximum(sets.std(axis=0), LEAST_SPREAD)
    order = np.argsort(-np.abs(data - sets.mean(axis=0)) / spread, kind="stable")[:LISTED]
    return [Surprise(scene.corpus.bag.words[word], int(data[word]), sets[:, word]) for word in order.tolist()]


def check(scene: TextScene, sweep: int) -> str:
    """Return the most surprising words, each as a line with a mark for each set and for the data, as HTML."""
    if not sweep:
        return quiet("Run some sweeps first.")
    found = surprises(scene, sweep)
    sweeps = counted_sweeps(scene, sweep, MOST_SETS)
    which = f"sweep {sweep}" if len(sweeps) == 1 else f"sweeps {sweeps[0]} to {sweeps[-1]}"
    drawn = counted(len(sweeps), "set")
    said = (
        f"{drawn} of {scene.corpus.size:,} new messages, one each from {which}: θ is drawn given the labels, then "
        "every word anew; labels and lengths stay. Each set is a grey line, the data the red one. The list has the "
        "words with the most surprising counts."
    )
    far = sum(one.as_far == 0 for one in found)
    verdict = "" if len(sweeps) < MOST_SETS else f" Outside all sets: <b>{far}</b> of the {len(found)} words listed."
    heads = head(["word", "", "data", "sets", "as far out"])
    return f'<table class="list surprises">{heads}{"".join(map(_row, found))}</table>{quiet(said + verdict)}'


def _row(one: Surprise) -> str:
    top = 1.05 * max(one.data, int(one.sets.max()), 1)
    marks = "".join(f'<i style="left:{100 * count / top:.1f}%"></i>' for count in np.unique(one.sets).tolist())
    marks += f'<b style="left:{100 * one.data / top:.1f}%"></b>'
    return (
        f'<tr><td>{escape(one.word)}</td><td><div class="sets" aria-hidden="true">{marks}</div></td><td>{one.data}</td>'
        f"<td>{one.sets.min()} to {one.sets.max()}</td><td>{one.as_far} of {len(one.sets)}</td></tr>"
    )
