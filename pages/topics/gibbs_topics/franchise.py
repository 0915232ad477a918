"""The hierarchical Dirichlet process: the number of topics is learned."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from lessons.topics.gibbs_topics import counts as counts_of
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.drawing.numbers import rounded
from pages.scenes.points.beats import shares as shares_so_far
from pages.scenes.points.charts import table_counts
from pages.topics.gibbs_topics import charts
from pages.topics.gibbs_topics.allocation import Allocation
from pages.topics.gibbs_topics.charts import MOST_COUNTED, SHOWN
from pages.topics.gibbs_topics.diagram import franchise
from pages.topics.gibbs_topics.run import Scene
from pages.topics.gibbs_topics.truth import Posterior
from samplers.diagnostics.convergence import partition_ids

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
class FranchiseScene(Scene):
    """A chain that learns the number of topics."""

    given = ", given the base weights"
    room = (0.7, 8)
    options = False

    @property
    def kinds(self) -> str:
        return "word|α|β|γ|base weights" if self.settings.learns else "word|base weights"

    @property
    def lists(self) -> str:
        return f"· {{used}} in use, the first {SHOWN} numbers listed"

    def number_charts(self, *, whole: bool) -> list[Chart]:
        stick = Chart(
            "stick",
            "Base weights",
            "· {used} in use; the rest: {rest}",
            "A stick of length 1, broken into the base weights of the topics and a rest.",
            charts.stick(self.topics),
            share=0.4,
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


def _counts(scene: Scene) -> dict[str, Any]:
    """Return the data set of the number of topics, with the exact probabilities where they are known."""
    counts: dict[str, Any] = {"k": list(range(1, MOST_COUNTED + 1)), "share": FLOAT32}
    if scene.exact is not None:
        exact = scene.exact.distribution(counts_of(scene.texts, scene.exact.labellings)["used"])[1:]
        counts["exact"] = rounded(np.pad(exact, (0, MOST_COUNTED - len(exact))), 6)
    return counts


class Franchise(Allocation):
    """The stage of a number of topics that is learned."""

    shows = FranchiseScene
    diagram = franchise
    views: ClassVar = Allocation.views | {"truth": POSTERIOR.beside}
