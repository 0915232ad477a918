"""A learner without a browser: opens a page over the websocket, then steps or plays as player.js and cards.js do."""

import asyncio
import json
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from bench._line import FEW, count_of
from bench._visit import Visit
from lessons.settings.settings import StageSettings
from pages.player.modules import BUILD
from tests.browser.driver import Server

CHUNK, LONG_CHUNK, AHEAD, SMOOTH = 20, 120, 3, 5  # of reckoning.js
CARDS_A_SECOND, LASTING, WALK, PAUSE = 6, 0.15, 0.5, 2.0  # of cards.js and player.js


@dataclass
class Account:
    """The outcome of all that learners asked for.

    Attributes
    ----------
    steps : list of float
        Seconds from each step until its picture and its cards were there.
    frames, late, cards : int
        Frames that were due while learners played, those that were not there in time, and cards that changed.
    waited, errors : int
        Answers that said to ask again, and those that said no.
    """

    steps: list[float] = field(default_factory=list)
    frames: int = 0
    late: int = 0
    cards: int = 0
    waited: int = 0
    errors: int = 0


class Learner:
    """Somebody at the page of a topic.

    Parameters
    ----------
    server : Server
        Of the app.
    topic : str
        Its name.
    settings : StageSettings
        Of the topic.
    seed : int
        Of the run.
    tab : str
        What this one is called.
    at : int
        The iteration at which the page opens.
    """

    def __init__(self, server: Server, topic: str, settings: StageSettings, seed: int, tab: str, at: int) -> None:
        given = {name: value for name, value in settings.model_dump().items() if value is not None} | {"seed": seed}
        self.query = urlencode(given)
        self.path = f"{urlsplit(server.url).path}/play/{BUILD}/{topic}"
        self.view, self.total = next(iter(settings.views)), settings.iterations
        self.frames, self.t = 0, at
        self.account = Account()
        self.page = Visit(server, topic, f"{self.query}&t={at}", tab)
        self.lines = self.page.lines  # for frames, for cards, for what is drawn at rest

    @property
    def bytes(self) -> int:
        """Bytes that have come so far."""
        return sum(line.bytes for line in self.lines)

    async def open(self) -> None:
        """Open the page, with its film, the first frames and what is drawn at rest."""
        await self.page.visit()
        self.frames = self.page.frames

    async def settle_in(self) -> None:
        """Fetch the frames that a learner holds who has stepped for a while.

        An opened page holds FEW frames, and the first steps fetch CHUNK more. In ten seconds of stepping, each step
        would make 2.3 frames instead of one.
        """
        await self.more_frames(aligned(self.t + FEW, CHUNK))

    async def close(self) -> None:
        """Leave."""
        await self.page.leave()

    async def ask(self, line: int, what: str, values: dict[str, object]) -> bytes:
        """Return an answer, asked for until it is there."""
        path = f"{self.path}/{what}?{self.query}" + "".join(f"&{name}={value}" for name, value in values.items())
        while True:
            status, body = await self.lines[line].get(path)
            if status != 202:
                if status != 200:
                    self.account.errors += 1
                    raise RuntimeError(f"{path} was answered by {status}: {body[:200]!r}")
                return body
            self.account.waited += 1
            await asyncio.sleep(json.loads(body)["pause"] / 1e3)

    async def more_frames(self, needed: int, chunk: int = CHUNK) -> None:
        """Fetch frames until there are as many as needed."""
        needed = min(needed, self.total + 1)
        while self.frames < needed:
            stop = max(aligned(self.frames + 1, chunk), aligned(needed, min(chunk, CHUNK)))
            body = await self.ask(0, "frames", {"from": self.frames, "to": min(stop, self.total + 1)})
            self.frames += count_of(body)

    # ---- stepping ------------------------------------------------------------------------------------------------

    async def step(self, first: float, pace: float, until: float) -> None:
        """Step so many times a second, on and on; who waits for a step makes the next one later."""
        due, rest, ahead = first, pace * PAUSE < 1, []
        while due < until and self.t < self.total:
            await asyncio.sleep(due - time.perf_counter())
            due = max(due, time.perf_counter())
            self.t += 1
            ahead = [task for task in ahead if not task.done()]
            if self.frames < self.t + FEW and not ahead:
                ahead.append(asyncio.create_task(self.more_frames(self.t + FEW)))
            await self.ask(1, "cards", {"view": self.view, "from": self.t, "to": self.t + 1, "every": 1})
            while self.frames <= self.t:
                await ahead[-1]
            self.account.steps.append(time.perf_counter() - due)
            if rest and self.page.shown["still"]:
                await asyncio.sleep(max(0.0, due + WALK + LASTING - time.perf_counter()))
                await self.ask(2, "still", {"t": self.t})
            due = max(due + 1 / pace, time.perf_counter())
        await asyncio.gather(*ahead)

    # ---- playing -------------------------------------------------------------------------------------------------

    async def play(self, first: float, speed: int, until: float) -> None:
        """Play at so many iterations a second, with the cards that belong to what is shown."""
        every = max(1, int(speed / CARDS_A_SECOND + 0.5))  # as JavaScript rounds
        second = every * max(1, -(-speed // every))  # of cards, in iterations
        known: set[int] = set()
        shown, began = -1, self.t

        async def more_cards(start: int) -> None:
            body = await self.ask(1, "cards", {"view": self.view, "from": start, "to": start + second, "every": every})
            known.update(start + every * i for i in range(len(json.loads(body)["cards"])))

        tasks: dict[str, asyncio.Task[None]] = {}

        def idle(name: str) -> bool:
            return name not in tasks or tasks[name].done()

        while (now := time.perf_counter()) < until and self.t < self.total:
            due = began + int(max(0.0, now - first) * speed)
            while self.t < due and self.t < self.total:  # what is late is late for each frame that it holds up
                self.t += 1
                self.account.frames += 1
                self.account.late += self.t >= self.frames
            if self.frames < self.t + AHEAD * speed and idle("frames"):
                chunk = LONG_CHUNK if speed > SMOOTH else CHUNK
                wanted = self.t + max(CHUNK, AHEAD * speed)
                tasks["frames"] = asyncio.create_task(self.more_frames(wanted, chunk))
            wanted = self.t - self.t % every
            if wanted in known and wanted != shown:
                shown = wanted
                self.account.cards += 1
            following = int(self.t + second / 2 if wanted in known else self.t)
            following -= following % second
            if (wanted not in known or following not in known) and idle("cards"):
                tasks["cards"] = asyncio.create_task(more_cards(following))
            await asyncio.sleep(1 / speed)
        await asyncio.gather(*tasks.values())


def aligned(number: int, chunk: int) -> int:
    """Return the next multiple of `chunk`, or `number` itself."""
    return -(-number // chunk) * chunk
