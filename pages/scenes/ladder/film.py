"""Parts that films of a ladder share: rungs, the walkers' paths, and a step that is opened swap by swap."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from lessons.settings.fields import OF_A_SWAP
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns, Data
from pages.contract.film import Film
from pages.drawing.numbers import rounded
from pages.scenes import acceptance
from pages.scenes.ladder import charts
from pages.scenes.ladder.charts import LETTERS, TERMS, WALKERS
from pages.scenes.ladder.run import SWEPT, LadderRun, OpenedLadder
from samplers.tempering import COLDER, HOTTER

PAIR, RATIO, DICE = range(2, 5)  # among the stages of a step; before them, all levels make theirs
TITLE = "The ladder"
CAPTION = f"· walker {{walker:{'|'.join(LETTERS)}}} is at level 1"


class Words(NamedTuple):
    """A topic's words for a ladder: ``Words("sweep", 2000, "a Gibbs sweep", "Sweep", table_of_sweep, "log joint")``.

    They are what a step is called, how many there are, what a level does in one, the title and the body of the card on
    that, and the height that a swap compares.
    """

    unit: str
    last: int
    own: str
    title: str
    made: Callable[[OpenedLadder], str]
    height: str

    @property
    def stages(self) -> str:
        """The words for what frames of an opened step show, by number."""
        return f"start|each level makes {self.own}|a pair of levels|the ratio|the dart"


def stage_of_frame(t: int) -> int:
    """Return the stage of frame t of an opened step, as a number of `Words.stages`."""
    return t if t <= SWEPT else PAIR + (t - SWEPT - 1) % OF_A_SWAP


def rung_sets(exponents: Sequence[float]) -> Data:
    """Return the data sets of rungs and of the swap between two of them."""
    return {
        "rungs": {"rung": list(range(1, len(exponents) + 1)), "beta": rounded(np.array(exponents), 3)},
        "swap": {"low": FLOAT32, "decided": UINT8},
    }


# ---- step by step ----------------------------------------------------------------------------------------------------


def paths_chart(levels: int, unit: str) -> Chart:
    """Return the chart of the walkers' paths."""
    return Chart(
        "walkers",
        "Walkers",
        "· level 1 is the cold one",
        f"At which level each walker has been in the last {unit}s; paths cross where two have swapped.",
        charts.walkers(levels, unit),
        [(f"{WALKERS[walker]} solid", LETTERS[walker]) for walker in range(levels)],
    )


def path_sets(levels: int) -> Data:
    """Return the columns of the walkers' paths, and of the walker at the cold level."""
    return {"past": {f"level{walker}": FLOAT32 for walker in range(levels)}, "say": {"walker": UINT8}}


def path_columns(run: LadderRun, start: int, stop: int) -> Columns:
    """Return the same for frames of a run, in which no swap is opened."""
    level_of = run.walkers["level"][start:stop]
    paths = {("past", f"level{walker}"): level_of[:, walker] for walker in range(level_of.shape[1])}
    undecided = {("swap", "low"): np.nan, ("swap", "decided"): 0}
    return {**paths, **undecided, ("say", "walker"): level_of.argmin(axis=1)}


# ---- one step, opened ------------------------------------------------------------------------------------------------


def swap_film(key: str, opened: OpenedLadder, words: Words, pictures: list[Chart], sets: Data, own: Columns) -> Film:
    """Return the film of an opened step, frame by frame, with the topic's pictures, data sets and columns."""
    if opened.film is None:
        logs = [value for swap in opened.step.swaps for value in (*swap.terms.values(), swap.log_ratio)]
        params = acceptance.params_of(logs)
        caption = f"· {{stage:{words.stages}}}"
        more: Data = {
            **acceptance.sets(TERMS),
            "say": dict.fromkeys(("stage", "verdict", "walker"), UINT8),
        }
        opened.film = Film(
            key=f"{key} swaps {opened.number}",
            charts=[*pictures, *acceptance.charts(TERMS, "two factors of a swap's", "swap", params, caption)],
            data=sets | more,
            columns=own | _swap_columns(opened),
            total=opened.total,
            label=f"{words.unit} {opened.number} · {{stage:{words.stages}}}",
            strides=(("Beat", 1), ("Swap", OF_A_SWAP)),
            before=opened.number > 1,
            after=opened.number < words.last,
            params=params,
        )
    return opened.film


def _swap_columns(opened: OpenedLadder) -> Columns:
    frames = opened.total + 1
    stages = np.array([stage_of_frame(t) for t in range(frames)])
    ratio, dice = np.full((frames, len(TERMS)), np.nan), np.full((frames, 2), np.nan)
    low, decided = np.full(frames, np.nan), np.zeros(frames, int)
    for t in range(frames):
        if (swap := opened.swap(t)) is None:
            continue
        low[t] = swap.level
        if stages[t] >= RATIO:
            ratio[t] = swap.terms[COLDER], swap.terms[HOTTER], swap.log_ratio
            dice[t, 0] = swap.probability
        if stages[t] == DICE:
            dice[t, 1], decided[t] = swap.uniform, 1 if swap.accepted else 2
    return {
        ("swap", "low"): low,
        ("swap", "decided"): decided,
        ("ratio", "value"): ratio,
        ("dice", "p"): dice[:, 0],
        ("dice", "at"): dice[:, 1],
        ("say", "stage"): stages,
        ("say", "verdict"): decided,
        ("say", "walker"): [opened.at(t).walkers[0] for t in range(frames)],
    }
