"""Hands on: each learner runs the sampler with a seed or a setting of her own, and all see the outcomes."""

import asyncio
import json
import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

import anyio
from pydantic import BaseModel, ConfigDict

from lessons.failing import place_of
from lessons.format.guesses import written
from lessons.own.store import held
from lessons.settings.settings import SEED_HIGH, SEED_LOW, StageSettings, flags_of, read_int, read_text
from lessons.topics import STAGES
from pages.classroom.messages import HandsOn, NotSaidError, Shown
from pages.classroom.store import MOST_MEMBERS
from pages.lesson.lessons import library
from pages.player.turns import TURNS, SlicedWork, one_slice, time_slice
from samplers import Chain

MOST_RUNS = 20  # of a learner's in a round
KEPT = 40  # states of a run, from which others are replayed
NOTHING = "none"  # what is kept where a run has no such outcome
LOG = logging.getLogger("samplescope")
PAUSE = 0.02  # seconds between two slices of computing


class HandsRound(BaseModel):
    """A round of runs.

    Attributes
    ----------
    id : int
        Its number, among those of questions.
    page : str
        The topic.
    settings : dict of str to str
        As in a link, where they differ from the topic's defaults.
    seed : int
        Of the instructor's run.
    vary : str
        ``seed``, or the setting that differs between learners.
    values : tuple of str
        The values of that setting.
    outcome, label : str
        What each run reports: its name, and its label on the screen.
    t : int
        After how many iterations.
    exact : dict, optional
        Its exact distribution; see `lessons.settings.law`.
    folded : bool
        Whether projectors leave the runs out, so that the stage has the whole screen.
    """

    model_config = ConfigDict(frozen=True)

    id: int = 0
    page: str
    settings: dict[str, str]
    seed: int
    vary: str
    values: tuple[str, ...] = ()
    outcome: str
    label: str
    t: int
    open: bool = True
    exact: dict[str, Any] | None = None
    folded: bool = False

    @property
    def unit(self) -> str:
        """The word for iterations, in the plural."""
        return STAGES[self.page].unit

    def own(self, index: int, run: int = 0) -> dict[str, str]:
        """Return the settings of a learner's `run`-th run, as in a link: no two runs of a class are the same."""
        seed = self.seed + run * MOST_MEMBERS
        if self.vary == "seed":
            return {"seed": str((seed + 1 + index) % (SEED_HIGH + 1))}
        again, which = divmod(index, len(self.values))
        return {self.vary: self.values[which], "seed": str((seed + again) % (SEED_HIGH + 1))}

    def own_values(self, index: int, run: int = 0) -> dict[str, Any]:
        """Return the settings of a learner's run, with numbers as numbers."""
        return {
            name: int(text) if name == "seed" else _read(self.page, name, text)
            for name, text in self.own(index, run).items()
        }

    def run(self, index: int, run: int = 0) -> tuple[StageSettings, int]:
        """Return settings and seed of a learner's run."""
        own = self.own(index, run)
        return read_text(STAGES[self.page], {**self.settings, **own})[0], int(own["seed"])


def hands_round(shown: Shown | None, said: HandsOn) -> HandsRound:
    """Return a round of runs of what the instructor shows; it may take a while.

    Raises
    ------
    NotSaidError
        If learners cannot run it; the message says why.
    """
    if shown is None or shown.page not in STAGES:
        raise NotSaidError("Open a topic first: learners then run its sampler.")
    settings, seed = settings_shown(shown)
    model = type(settings)
    if settings.opened is not None:
        raise NotSaidError("This page shows one step in close-up: go back to whole steps first.")
    if settings.mine and not held(settings.model_dump()["own"]):
        raise NotSaidError("These data are your own, so learners cannot run them: choose other data.")
    if said.outcome not in model.measured:
        raise NotSaidError(f"This topic measures no such outcome: it has {', '.join(model.measured)}.")
    values = _values(settings, said)
    plain = {name: str(value) for name, value in settings.model_dump(exclude_defaults=True).items()}
    made = HandsRound(
        page=shown.page,
        settings=plain,
        seed=seed,
        vary=said.vary,
        values=values,
        outcome=said.outcome,
        label=model.measured[said.outcome],
        t=said.t,
    )
    least = min(made.run(index)[0].iterations for index in range(max(1, len(values))))
    if said.t > least:
        raise NotSaidError(f"Some of these runs are shorter: choose at most {least} {model.unit}.")
    exact = settings.law(said.outcome, said.t) if said.vary in ("seed", "start") else None
    return made.model_copy(update={"exact": exact.as_message() if exact else None})


def settings_shown(shown: Shown) -> tuple[StageSettings, int]:
    """Return the settings of a link, on top of those of the lesson's step that it names."""
    values = dict(parse_qsl(shown.query))
    lesson, settings, seed = library().lesson(values.get("lesson", "")), STAGES[shown.page](), SEED_LOW
    if lesson and lesson.stage == shown.page:
        step = next((one for one in lesson.pages if one.id == values.get("step")), lesson.steps[0])
        settings, seed = lesson.settings_for(step), lesson.seed_for(step)
    return (
        read_text(type(settings), values, settings)[0],
        read_int("seed", values.get("seed", ""), SEED_LOW, SEED_HIGH, seed)[0],
    )


def _values(settings: StageSettings, said: HandsOn) -> tuple[str, ...]:
    """Return the values of the setting that differs between runs, each of them valid."""
    model = type(settings)
    if said.vary == "seed":
        if not model.seeded:
            raise NotSaidError("These runs use no random numbers: vary a setting instead.")
        return ()
    field = model.model_fields.get(said.vary)
    if field is None or said.vary in model.looks or not flags_of(field).get("lesson", True):
        raise NotSaidError("Learners' runs cannot vary a setting of that name.")
    values = tuple(str(value) for value in said.values)
    if not values:
        raise NotSaidError("Type the values of this setting, with blanks between them.")
    for value in values:
        note = next(iter(read_text(model, {said.vary: value}, settings)[1]), "")
        if note:
            raise NotSaidError(note)
    return values


@lru_cache(4_096)
def _read(page: str, name: str, text: str) -> Any:
    """Return the value of a setting; a class uses few of them."""
    return getattr(read_text(STAGES[page], {name: text})[0], name)


def number_of(text: str) -> float | None:
    """Return the outcome of a run, from its stored text; None if the run has none."""
    return None if text == NOTHING else float(text)


def forms() -> str:
    """Return as JSON, for each topic, the settings that runs can vary and the outcomes they can report, with labels."""
    return json.dumps(
        {
            name: {
                "seeded": model.seeded,
                "settings": {
                    field: info.title or field
                    for field, info in model.model_fields.items()
                    if field not in model.looks and flags_of(info).get("lesson", True)
                },
                "outcomes": model.outcomes(),
            }
            for name, model in STAGES.items()
        }
    )


class Finding:
    """The computing of the outcome of a learner's run in a round, in slices, on the processor's share of `who`."""

    def __init__(self, hands: HandsRound, index: int, who: str, run: int = 0) -> None:
        self.hands, self.index, self.who, self.run = hands, index, who, run
        self._work: SlicedWork[Any] | None = None

    def found(self) -> str | None:
        """Compute one slice; return the outcome as text, or None if there is more to compute."""
        with one_slice(self.who), time_slice() as over:
            if self._work is None:
                self._settings, seed = self.hands.run(self.index, self.run)
                self._chain = Chain(self._settings.sampler(), seed, keep=KEPT)
                self._work = SlicedWork(self._chain.towards(self.hands.t))
            if not self._work.until(over):
                return None
            value = float(self._settings.measure(self._chain, self.hands.t)[self.hands.outcome])
        return written(value) if math.isfinite(value) else NOTHING


class Finder:
    """Computes the outcomes of learners' runs, one after the other in each room, so that nothing else waits for them.

    Parameters
    ----------
    keep : callable
        Takes a room, a round, a member, the number of her run, and its outcome.
    """

    def __init__(self, keep: Callable[[Any, HandsRound, str, int, str], Awaitable[None]]) -> None:
        self._keep = keep
        self._waiting: dict[str, deque[tuple[HandsRound, str, int, int]]] = {}
        self._thread = anyio.CapacityLimiter(1)
        self._tasks: set[asyncio.Task[None]] = set()

    def seek(self, live: Any, hands: HandsRound, member: str, index: int, run: int) -> None:
        """Have a learner's outcome computed soon; two requests for the same run compute it once."""
        waiting = self._waiting.setdefault(live.code, deque())
        if any((one.id, who, nth) == (hands.id, member, run) for one, who, _, nth in waiting):
            return
        waiting.append((hands, member, index, run))
        if len(waiting) == 1:
            task = asyncio.create_task(self._work(live, waiting))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _found(self, finding: Finding, who: str) -> str:
        try:
            while (value := await anyio.to_thread.run_sync(finding.found, limiter=self._thread)) is None:
                await asyncio.sleep(PAUSE + TURNS.pause(who))
        except Exception as error:  # of one run: those of the others go on
            LOG.error("a run of a class could not be computed: %s at %s", type(error).__name__, place_of(error))
            return NOTHING
        return value

    async def _work(self, live: Any, waiting: deque[tuple[HandsRound, str, int, int]]) -> None:
        who = f"room {live.code}"
        try:
            while waiting:
                hands, member, index, run = waiting[0]
                if live.core.is_open(hands.id):
                    finding = Finding(hands, index, who, run)
                    await self._keep(live, hands, member, run, await self._found(finding, who))
                waiting.popleft()
        finally:
            self._waiting.pop(live.code, None)
