"""One model three times, side by side: with all, with half and with no labels, tested on messages held apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from lessons.data.held_apart import VARIANTS, Tested, hold_apart
from lessons.settings.fields import SWEEPS
from lessons.topics.gibbs_text import GibbsTextSettings, names_of
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, UINT8, Columns
from pages.contract.film import Film
from pages.contract.place import Place
from pages.contract.tools import Tool
from pages.drawing.cards import badge, quiet, table
from pages.drawing.charts import NOW, PAPER, SOFT, axis, finish, iterations, past
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import color
from pages.drawing.plates import Diagram
from pages.player.run import KEPT, Run
from pages.scenes.close_up import SWEEP_BY_SWEEP
from pages.scenes.scene import RunScene
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of, shared
from pages.topics.gibbs_text import charts
from pages.topics.gibbs_text.diagram import diagram
from pages.topics.gibbs_text.documents import described
from pages.topics.gibbs_text.own import UPLOAD
from pages.topics.gibbs_text.run import MANY, ROOM
from pages.topics.gibbs_text.scene import Overview, by_label, in_blocks, letters_of
from pages.topics.gibbs_text.statistics_charts import LOOKS
from samplers import Chain
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.naive_bayes import DocumentsState, NaiveBayes
from samplers.mixtures.new_documents import log_joints_of_documents

CELLS = 500  # messages that teach of which there is a cell in each picture
WORST = 1.0  # of the axis of the log loss
LEFT = 25  # sweeps, of the 50 of the axis: before them, words of the sweep at hand go to the right
TOSS = float(np.log(2))
TITLES = {"supervised": "All labels shown", "half": "Half the labels shown", "unlabelled": "No label shown"}
MARKS = ("accent", "ink", "dashed")
LISTED = 3  # test messages
TestSet = Literal["apart", "read", "told"]
ELSEWHERE = "Three runs are compared here. For one run set <b>Charts</b> to <i>Documents</i>."


class TestedRun(Run[DocumentsState]):
    """The sweeps of one chain, and what each predicts of the test messages.

    Parameters
    ----------
    sampler : NaiveBayes
        Of the messages that teach.
    tested : Tested
        All messages.
    variant : int
        Which of its corpora.
    seed : int
        Of the chain.

    Attributes
    ----------
    last : int
        The last sweep that can be made.
    labels : numpy.ndarray
        Of the messages that teach after each sweep, by the names of the known classes: uint8, (last + 1, taught).
    log_joint : numpy.ndarray
        Log p(class, words) of each test message by each sweep alone, shape (last + 1, test, K), by those names too.
    """

    __test__ = False  # pytest takes it for a test

    def __init__(self, sampler: NaiveBayes, tested: Tested, variant: int, seed: int) -> None:
        self.sampler, self.tested, self.corpus = sampler, tested, tested.corpora[variant]
        taught, tests, classes = len(tested.taught), len(tested.test), sampler.classes
        self.last = min(SWEEPS, ROOM // (taught + 4 * tests * classes) - 1)
        self.labels = np.zeros((self.last + 1, taught), np.uint8)
        self.log_joint = np.zeros((self.last + 1, tests, classes), np.float32)
        few = 16 if taught > MANY else KEPT
        super().__init__(Chain(sampler, seed, keep=few), few)

    def add(self, t: int, state: DocumentsState) -> None:
        """Keep labels and log joints of sweep t, the classes by the names under which most labels agree."""
        names = tuple(range(self.sampler.classes))
        if not self.corpus.named:
            names = names_of(self.corpus, self.corpus.confusion(np.array(state.labels), self.sampler.classes))
        joints = log_joints_of_documents(self.sampler, state.labels, self.tested.counts)
        self.labels[t] = np.array(names)[state.labels]
        self.log_joint[t] = joints[:, np.argsort(names)]

    def predicted(self, t: int) -> np.ndarray:
        """Return the class probabilities of the test messages, averaged over the last half of t sweeps: (test, K)."""
        some = self.log_joint[t // 2 + (t > 0) : t + 1].astype(float)
        return special.softmax(special.logsumexp(some, axis=0), axis=1)

    def right(self, t: int) -> int:
        """Return how many test messages are predicted right."""
        return int((self.predicted(t).argmax(axis=1) == self.tested.truth).sum())

    def log_loss(self, t: int) -> float:
        """Return the mean of -log p(true class) over the test messages."""
        found = self.predicted(t)
        return float(-np.log(np.maximum(found[np.arange(len(found)), self.tested.truth], 1e-300)).mean())


@dataclass(frozen=True)
class ThreeTimes(RunScene[GibbsTextSettings, TestedRun]):
    """Three runs on the same messages, whose texts it has: with all, with half and with no labels."""

    prefixes: ClassVar = ("", *VARIANTS[1:])
    tested: Tested
    texts: Sequence[str]

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes."""
        return self.runs[0].corpus.messages.classes

    @property
    def last(self) -> int:
        """The last sweep that can be made."""
        return min(run.last for run in self.runs)

    def step(self, t: int) -> int:
        """Return the sweep that frame t shows; there are fewer with many messages."""
        return min(t, self.last)


def film(found: ThreeTimes) -> Film:
    """Return the three runs side by side, a frame a sweep."""
    tested = found.tested
    alone = np.flatnonzero(~np.isin(tested.taught, tested.test))
    teach = alone[np.linspace(0, len(alone) - 1, min(len(alone), CELLS)).round().astype(int)]
    cells = _cells(found, teach)
    x, y = cells.places.T.tolist()
    rows = {"row": cells.documents.tolist(), "x": x, "y": y, **dict.fromkeys(("label", "sure", "lit"), UINT8)}
    return Film(
        key=f"{found.key} three times",
        charts=_charts(found, cells),
        data={
            **{f"cells_{k}": rows for k in range(len(found.runs))},
            "past": {f"loss_{k}": FLOAT32 for k in range(len(found.runs))},
            "say": {f"right_{k}": FLOAT32 for k in range(len(found.runs))},
        },
        columns=lambda start, stop: _frames(found, teach, start, stop),
        total=found.last,
        grow=found.grow,
        **SWEEP_BY_SWEEP,
    )


def _cells(found: ThreeTimes, teach: np.ndarray) -> Overview:
    """Lay out some messages that teach, by their places among all of these, and then the test messages."""
    tested, names = found.tested, found.classes
    training = by_label(found.runs[0].corpus.messages.labels[teach], names)
    testing = by_label(tested.truth, letters_of(names))
    gap = ("", np.arange(0))
    blocks = [*training, gap, *((f"test {letter}", len(teach) + members) for letter, members in testing)]
    documents = np.concatenate([tested.taught[teach], tested.test])
    return in_blocks(documents, blocks, max(3, round((0.2 * len(documents)) ** 0.5)))


def _charts(found: ThreeTimes, cells: Overview) -> list[Chart]:
    tests, names = len(found.tested.test), found.classes
    shared = len(found.tested.taught) > len(found.texts) - tests
    loss = Chart(
        "loss",
        "Log loss on the test messages",
        f"· the lower, the better · dotted: a coin toss{' · the test teaches, too' if shared else ''}",
        "Mean of minus the log probability of the true class over the test messages, for each of the three runs.",
        loss_chart(),
        [(mark, TITLES[name].lower()) for mark, name in zip(MARKS, VARIANTS, strict=True)],
    )
    pictures = [
        Chart(
            name,
            TITLES[name],
            f"· {{right_{k}}} of {tests} test messages right",
            "Messages as cells in the colour of their class, by their true label; test messages that are predicted "
            "wrong have a frame.",
            charts.everyone(cells.width, cells.height, cells.groups, True, f"cells_{k}"),
            [(f"{color(c)} solid", each) for c, each in enumerate(names)],
        )
        for k, name in enumerate(VARIANTS)
    ]
    return [loss, *pictures]


@drawn_once
def loss_chart() -> dict[str, Any]:
    """Draw the log loss of each run along the sweeps, with a line for the toss of a coin."""
    x = iterations("sweeps")
    lines = (
        past().mark_line(clip=True, **LOOKS[k]).encode(x, axis(alt.Y, f"loss_{k}", (0, WORST), clamp=True, tickCount=5))
        for k in range(len(VARIANTS))
    )
    toss = alt.Chart(alt.Data(values=[{"toss": TOSS}])).mark_rule(color=SOFT, strokeDash=[2, 3], strokeWidth=1.5)
    beyond = (layer for k in reversed(range(len(VARIANTS))) for layer in _beyond(k, x))
    return finish(alt.layer(toss.encode(axis(alt.Y, "toss", (0, WORST), tickCount=5)), *lines, *beyond))


def _beyond(k: int, x: alt.X) -> Iterable[alt.Chart]:
    """Draw the arrow and the number of a run whose log loss is above the axis now."""
    above = past().transform_filter(f"datum.t == {NOW} && datum.loss_{k} > {WORST}")
    name = TITLES[VARIANTS[k]].lower()
    for look in ({"color": PAPER, "stroke": PAPER, "strokeWidth": 5}, {"color": LOOKS[k]["color"]}):
        said = above.mark_text(
            align=alt.ExprRef(f"datum.t < {LEFT} ? 'left' : 'right'"),
            baseline="top",
            fontSize=12,
            text=alt.ExprRef(f"'{name} ↑ ' + format(datum.loss_{k}, '.3f')"),
            **look,
        )
        yield said.encode(x, y=alt.value(4 + 15 * (len(VARIANTS) - 1 - k)))


def _frames(found: ThreeTimes, teach: np.ndarray, start: int, stop: int) -> Columns:
    columns: Columns = {}
    truth, sweeps = found.tested.truth, range(start, stop)
    for k, run in enumerate(found.runs):
        each = np.array([run.predicted(t) for t in sweeps]).reshape(len(sweeps), len(truth), len(found.classes))
        drawn, guess = run.labels[start:stop, teach], each.argmax(axis=2)
        sure = np.hstack([np.full(drawn.shape, 100), 100 * each.max(axis=2)])
        columns |= {
            (f"cells_{k}", "label"): np.hstack([drawn, guess]),
            (f"cells_{k}", "sure"): sure.round(),
            (f"cells_{k}", "lit"): np.hstack([np.zeros(drawn.shape), guess != truth]),
            ("past", f"loss_{k}"): [run.log_loss(t) for t in sweeps],
            ("say", f"right_{k}"): (guess == truth).sum(axis=1),
        }
    return columns


# ---- cards -----------------------------------------------------------------------------------------------------------


def results(found: ThreeTimes, sweep: int) -> str:
    """Return how each run does on the test messages, and which of these are predicted wrong most surely, as HTML."""
    tested, rows = found.tested, []
    for name, run in zip(VARIANTS, found.runs, strict=True):
        shown = int((run.corpus.shown != HIDDEN).sum())
        right = run.right(sweep)
        rows.append(
            [
                TITLES[name],
                f"{shown} of {run.corpus.size}",
                f"{right} of {len(tested.test)}",
                f"{100 * right / len(tested.test):.0f} %",
                f"<b>{run.log_loss(sweep):.3f}</b>",
            ]
        )
    heads = ("", "labels shown", "test messages right", "", "log loss")
    said = (
        "From the last half of each run’s sweeps. Without labels, the classes get the names under which most labels "
        "agree."
    )
    return f'<div class="checks"><section>{table(heads, rows)}{quiet(said)}</section>{_worst(found, sweep)}</div>'


def _worst(found: ThreeTimes, sweep: int) -> str:
    """Return the test messages that the run with all labels gets wrong most surely."""
    tested, run = found.tested, found.runs[0]
    shares = run.predicted(sweep)
    guess = shares.argmax(axis=1)
    wrong = np.flatnonzero(guess != tested.truth)
    wrong = wrong[np.argsort(-shares[wrong].max(axis=1), kind="stable")][:LISTED]
    letters = letters_of(found.classes)
    rows = [
        (
            str(tested.test[each] + 1),
            badge(letters[guess[each]], int(guess[each])),
            f"{100 * shares[each].max():.0f} %",
            letters[tested.truth[each]],
            escape(found.texts[tested.test[each]][:60]),
        )
        for each in wrong.tolist()
    ]
    if not rows:
        return f"<section>{quiet('With all labels shown, every test message is right.')}</section>"
    heads = ("", "said", "with", "true", "most confident errors, all labels shown")
    return f"<section>{table(heads, rows, 'messages')}</section>"


# ---- the stage -------------------------------------------------------------------------------------------------------


@shared
def _tested(settings: GibbsTextSettings, seed: int, number: int, asked: TestSet) -> Tested:
    return hold_apart(settings.corpus().messages, number, asked, settings.label_seed, settings.bag_of)


@shared
def _run(settings: GibbsTextSettings, seed: int, number: int, asked: TestSet, variant: int) -> TestedRun:
    tested = _tested(settings, seed, number, asked)
    corpus = tested.corpora[variant]
    start = "shown" if corpus.named else "random"
    known = settings.model_copy(update={"classes": len(settings.corpus().messages.classes), "start": start})
    return TestedRun(known.sampler_of(corpus), tested, variant, seed)


def comparison_of(settings: GibbsTextSettings, seed: int) -> ThreeTimes:
    """Return three runs of these settings, with all, with half and with no labels; sessions share them."""
    plain = settings.model_copy(update={"known_labels": 0, "classes": 2})
    asked = seed, settings.test_messages, settings.test_set
    tested = _tested(plain, *asked)
    runs = [_run(plain, *asked, variant) for variant in range(len(tested.corpora))]
    return ThreeTimes(settings, key_of(plain, *asked), runs, tested, settings.corpus().messages.texts)


class Compared(SceneStage[GibbsTextSettings, ThreeTimes]):
    """The stage of three runs."""

    makes = comparison_of
    own = UPLOAD
    diagram = diagram
    views: ClassVar = dict.fromkeys(GibbsTextSettings.views, lambda *_: quiet(ELSEWHERE)) | {"statistics": results}

    def film(self, settings: GibbsTextSettings, seed: int) -> Film:
        return film(self.scene(settings, seed))

    def model(self, settings: GibbsTextSettings, seed: int, t: int) -> Diagram:
        return diagram(settings, t, None)

    def extra(self, place: Place[GibbsTextSettings]) -> Iterable[Tool]:
        yield from super().extra(place)
        if self.missing(place.settings) is None:
            yield from described(place)
