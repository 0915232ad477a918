"""The mode in which a step is an answer: which hidden label is worth asking for, and what its answer brought."""

from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from lessons.topics.generative import GenerativeSettings
from pages.code.ways import code_of_step
from pages.contract.charts import TOLD, Chart
from pages.contract.columns import FLOAT32, UINT8, along
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.place import Place
from pages.drawing.cards import quiet
from pages.drawing.marks import colors_of, in_colors
from pages.drawing.numbers import rounded
from pages.drawing.palette import SOFT
from pages.scenes.run_stage import RunStage
from pages.scenes.wall import Wall
from pages.topics.generative import asking_cards, asking_charts
from pages.topics.generative.asking_charts import ASKED, HIDDEN, KNOWN
from pages.topics.generative.diagram import ASK, diagram
from samplers import Chain
from samplers.mixtures.asking import Asking

NONE = quiet("There is no query while labels are asked for. Under <b>Each step is</b>, choose another kind of step.")


class AskedRun:
    """All answers of one learner.

    Attributes
    ----------
    states : list of samplers.mixtures.asking.Answers
        What has been asked for after each step.
    outlooks : list of samplers.mixtures.asking.Outlook
        What is believed then.
    gains : numpy.ndarray
        What each example's label is worth then, shape (T + 1, N).
    """

    def __init__(self, settings: GenerativeSettings, seed: int) -> None:
        self.settings, self.seed, self.examples = settings, seed, settings.examples()
        self.total = settings.iterations
        sampler: Any = settings.sampler()
        self.asking: Asking = sampler
        self.chain: Chain[Any] = Chain(sampler, seed)
        self.state = self.chain.__getitem__
        self.states = [self.chain[t] for t in range(self.total + 1)]
        self.outlooks = [self.asking.outlook(state.asked) for state in self.states]
        self.gains = np.array([self.asking.gains(outlook) for outlook in self.outlooks])

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes, with its film."""
        return 400_000

    @cached_property
    def ways(self) -> np.ndarray:
        """How each label is known after each step, shape (T + 1, N)."""
        found = np.full(self.gains.shape, KNOWN, np.uint8)
        for t, state in enumerate(self.states):
            found[t, self.asking.hidden] = HIDDEN
            found[t, [*state.asked]] = ASKED
        return found

    @cached_property
    def film(self) -> Film:
        """The film; the same settings and seed make the same one."""
        hidden, hides = self.ways == HIDDEN, len(self.asking.hidden)
        right = np.array([self.asking.right(state.asked) for state in self.states])
        promised = np.array([self.asking.promised(state.asked) for state in self.states])
        bits = np.array([outlook.bits.sum() for outlook in self.outlooks])
        average = np.arange(hides + 1)
        chance = np.array([self.asking.right_at_random(t) @ average for t in range(self.total + 1)])
        numbers = {"right": right, "promised": promised, "bits": bits, "chance": chance}
        gains = np.where(hidden, self.gains, 0.0)
        return Film(
            key=f"generative {self.settings.model_dump_json()} {self.seed}",
            charts=_charts(self),
            data={
                "points": self._points(gains),
                "past": dict.fromkeys(numbers, FLOAT32),
                "say": dict.fromkeys(numbers, FLOAT32) | UINT8.made(left=hidden.sum(axis=1)),
            },
            columns=along(**numbers),
            total=self.total,
            label="answer {t} of {total}",
            params={
                "gain_top": max(1.0, float(gains.max())),
                "gain_low": float(gains.min()),
                "curve_span": (
                    max(0.0, float(np.floor(min(right.min(), promised.min(), chance.min()))) - 1),
                    float(hides),
                ),
            },
        )

    def _points(self, gains: np.ndarray) -> dict[str, Any]:
        chances = np.array([outlook.chances for outlook in self.outlooks])
        size, classes = chances.shape[1:]
        turn = np.zeros(size, int)
        turn[[*self.states[-1].asked]] = np.arange(1, len(self.states[-1].asked) + 1)
        places = self.examples.values[:, :2] if self.examples.in_plane else np.zeros((size, 2))
        return {
            "row": list(range(size)),
            "name": list(range(1, size + 1)),
            "x": rounded(places[:, 0]),
            "y": rounded(places[:, 1]),
            "turn": turn.tolist(),
            **UINT8.made(k=chances.argmax(axis=2), state=self.ways),
            **FLOAT32.made(
                gain=gains,
                own=np.array([outlook.bits for outlook in self.outlooks]),
                sure=(chances.max(axis=2) * classes - 1) / (classes - 1),
            ),
        }


def _charts(run: AskedRun) -> list[Chart]:
    classes, hides = run.examples.classes, len(run.asking.hidden)
    legend = [(f"{color} solid", name) for color, name in zip(colors_of(classes), classes, strict=True)]
    found = [
        Chart(
            "worth",
            "Expected gain of each label",
            "· {bits} bits left in all labels",
            "For each hidden label, a bar: how many bits its answer is expected to bring, its own and those of the "
            "other labels.",
            asking_charts.worth(len(run.examples.labels)),
            [(f"{SOFT} block", "its own bits"), ("block", "about the others")],
        ),
        Chart(
            "curve",
            "Hidden labels right",
            f"· {{right}} of {hides}, expected {{promised}}",
            "How many hidden labels are guessed right after each answer, how many the model expects to be right, and "
            "how many are on average if labels are asked for at random.",
            asking_charts.curve(hides),
            [
                ("accent", "right"),
                ("dashed", "as the model expects"),
                (f"{SOFT} dotted", "asked at random, on average"),
            ],
        ),
    ]
    if not run.examples.in_plane:
        return found
    first, second = run.examples.columns
    plane = Chart(
        "plane",
        "Which label to ask for",
        "· {left} hidden · press one to ask for it",
        "Examples in a plane. Hidden labels are discs with a number: the larger the more their answer is expected to "
        "bring, and the fuller the colour the surer the class.",
        in_colors(asking_charts.plane((first, second)), classes),
        [*legend, (f"{SOFT} dot", "hidden: larger with more gain, fuller if surer", TOLD)],
        aspect="4 / 3",
    )
    return [plane, *found]


class Asks(RunStage[GenerativeSettings, AskedRun]):
    """The stage of labels that are asked for."""

    makes = AskedRun
    wall = Wall("learner", "learners", "answer")
    diagram = partial(diagram, ASK)
    opens = ("point",)
    views: ClassVar = {
        "step": asking_cards.answer,
        "code": code_of_step,
        "known": asking_cards.known,
        **dict.fromkeys(("query", "imputed", "beside"), lambda *_: NONE),
    }

    def open(self, place: Place[GenerativeSettings], mark: Open) -> None:
        """Ask for the label of the example that was pressed, after those that have been asked for so far."""
        run = self.run(place.settings, place.seed)
        t = min(place.t, run.total)
        asked = run.states[t].asked
        which = mark.which - 1
        if which in asked or which not in run.asking.hidden.tolist():
            return
        place.change(by_hand="-".join(str(each + 1) for each in (*asked, which)))
        place.move(t + 1)
