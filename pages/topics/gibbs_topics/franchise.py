"""The hierarchical Dirichlet process: the number of topics is learned."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from lessons.topics.gibbs_topics.outcomes import counts as counts_of
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.drawing.numbers import rounded
from pages.scenes.close_up import CloseUp
from pages.scenes.points.beats import shares as shares_so_far
from pages.scenes.points.charts import table_counts
from pages.topics.gibbs_topics import charts, franchise_cards
from pages.topics.gibbs_topics.allocation import Allocation
from pages.topics.gibbs_topics.charts import MOST_COUNTED, SHOWN
from pages.topics.gibbs_topics.diagram import franchise
from pages.topics.gibbs_topics.film import close_up_film
from pages.topics.gibbs_topics.frames import WordsReplay
from pages.topics.gibbs_topics.franchise_run import base_of
from pages.topics.gibbs_topics.inspector import three
from pages.topics.gibbs_topics.run import TopicsScene
from pages.topics.gibbs_topics.truth import Posterior
from samplers.diagnostics.convergence import partition_ids
from samplers.recipe import Site
from samplers.topics.hdp import HDPState

POSTERIOR = Posterior(
    "used",
    "Topics",
    "topics",
    "partitions",
    lambda _, labels: partition_ids(labels),
    lambda _: "",
    "<b>Eight words</b>",
)


@dataclass(frozen=True)
class FranchiseScene(TopicsScene):
    """A chain that learns the number of topics."""

    given = ", given the base weights"
    room = (0.7, 8)
    options = False
    listed_all = 0
    share = "(its words + α · its base weight) / (all words + α)"

    @property
    def kinds(self) -> str:
        return "word|α|β|γ|base weights" if self.settings.learns else "word|base weights"

    @property
    def lists(self) -> str:
        return f"· {{used}} in use, the first {SHOWN} numbers listed"

    def pseudo_counts(self, t: int) -> tuple[list[str], str]:
        alpha = f"{self.run.priors[t, 0]:g}"
        return [f"{alpha} · {three(b)}" for b in self.run.base[t].tolist()], alpha

    def number_charts(self, *, whole: bool) -> list[Chart]:
        stick = Chart(
            "stick",
            "Base weights",
            "· {used} in use; the rest: {rest}",
            "A stick of length 1, broken into the base weights of the topics and a rest.",
            charts.stick(self.topics),
            share=0.55,
        )
        return [stick, self._counted()] if whole else [stick]

    def _counted(self) -> Chart:
        exact = [] if self.exact is None else [("ink", "exact posterior")]
        return Chart(
            "number",
            "Number of topics so far",
            "",
            "How often each number of topics has come up so far, beside its exact probability where it is known.",
            table_counts(MOST_COUNTED, bool(exact), False, "topics", True),
            [("block", "this chain"), *exact],
            share=0.7,
        )

    def number_data(self, *, whole: bool) -> Data:
        pieces = {"k": list(range(self.topics + 1)), **dict.fromkeys(("x", "x2"), FLOAT32)}
        counts = {"counts": _counts(self)} if whole else {}
        return {"pieces": pieces, **counts, "say": {"used": FLOAT32, "rest": FLOAT32}}

    def run_columns(self, start: int, stop: int) -> Columns:
        columns = self.sweep_columns(self.run.base[start:stop], self.run.used[start:stop])
        columns["counts", "share"] = shares_so_far(self.run.used, start, stop, MOST_COUNTED)
        return columns

    def sweep_columns(self, base: np.ndarray, used: np.ndarray) -> Columns:
        """Return the pieces of the stick, and the number of topics; the base weights have the rest as a last column."""
        ends = base.cumsum(axis=1)
        return {
            ("pieces", "x"): ends - base,
            ("pieces", "x2"): ends,
            ("say", "used"): used,
            ("say", "rest"): base[:, -1].round(3),
        }

    def listed(self, shares: np.ndarray, probs: np.ndarray, totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return shares and word probabilities without those of free numbers."""
        return np.where(totals == 0, np.nan, shares), probs * (totals > 0)[:, None]


class FranchiseReplay(WordsReplay):
    """The factors of each update of a sweep, and the base weights; new topics may come."""

    def __init__(self, close_up: CloseUp[Any], topics: int) -> None:
        super().__init__(close_up, topics)
        self.shown = 1

    def keep_base(self, stage: int, state: HDPState) -> None:
        self.base[stage] = base_of(state, self.topics)
        self.used[stage] = len(state.used)
        self.shown = min(self.topics, max(self.shown, len(state.base)))

    def keep_lifted(self, stage: int, state: HDPState, site: Site) -> None:
        """Keep the weights without a word: if it is alone in its topic, the rest gets the weight of that."""
        self.base[stage], self.used[stage] = self.base[stage - 1], self.used[stage - 1]
        if isinstance(site, str):
            return
        label = state.labels[site]
        self.fresh[site] = state.next
        if state.totals[label] == 1:
            self.fresh[site] = label
            self.base[stage, min(label, self.topics - 1)] -= state.base[label]
            self.base[stage, self.topics] += state.base[label]
            self.used[stage] -= 1


def _counts(scene: TopicsScene) -> dict[str, Any]:
    """Return the data set of the number of topics, with the exact probabilities where they are known."""
    counts: dict[str, Any] = {"k": list(range(1, MOST_COUNTED + 1)), "share": FLOAT32}
    if scene.exact is not None:
        exact = scene.exact.distribution(counts_of(scene.texts, scene.exact.labellings)["used"])[1:]
        counts["exact"] = rounded(np.pad(exact, (0, MOST_COUNTED - len(exact))), 6)
    return counts


class Franchise(Allocation):
    """The stage of a number of topics that is learned."""

    update = franchise_cards.CARDS
    shows = FranchiseScene
    diagram = franchise
    beats = partial(close_up_film, replays=FranchiseReplay)
    views: ClassVar = Allocation.views | {"truth": POSTERIOR.beside}
