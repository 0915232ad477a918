"""Routes beside the scripts, for everything that moves: each answer depends on its address alone.

An address has the build, a topic, the kind of answer, and the settings and the seed of a link::

    /play/BUILD/draws/frames?seed=7&from=0&to=20

Its answer never changes, so browsers and proxies may keep it. While an answer is being computed, the status is 202 with
the progress, and the browser asks again.
"""

import gzip
import json
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute

from lessons.kept import Cache
from lessons.settings.settings import SEED_HIGH, SEED_LOW, StageSettings, read_int, read_text
from lessons.topics import STAGES
from pages.classroom.hands import forms
from pages.classroom.routes import room_routes
from pages.contract.stage import Stage, stage_of
from pages.contract.waiting import NotYet
from pages.download.draws import Nothing
from pages.download.taking import taken
from pages.embed.host import asked, staged
from pages.embed.page import style
from pages.embed.routes import stage_routes
from pages.http.clients import address_of, ours, refusal
from pages.http.errors import BadAddressError
from pages.http.lanes import BusyError, lane
from pages.http.packing import encoding_for, packed
from pages.http.paths import news_path, pass_path, play_path
from pages.judge.routes import problem_of, table, verdict
from pages.lesson import gate
from pages.player.modules import BUILD, all_modules, text_of
from pages.player.turns import TURNS, one_slice, session, time_slice
from pages.server.news import News
from samplers.judge.problem import Problem
from samplers.judge.rule import RuleError

FOR_EVER = "public, max-age=31536000, immutable"
AGAIN = 100  # milliseconds until the browser asks again for an unfinished answer
MOST_FRAMES = 600  # per answer
MOST_CARDS = 20  # per answer
KEPT = Cache(12_000_000)  # answers, as bytes: those of a class at one lesson take a fifth of it
AROUND = 700  # bytes that a kept answer takes besides its address and its content
NEVER = {"cache-control": "no-store"}
QUICKLY = 1  # the level of compression; higher ones gain little
LONGEST = 2_000  # the most characters of an address
LONGEST_RULE = 8_000  # of one with a rule, whose signs are encoded


@dataclass(frozen=True)
class Reply:
    """A computed answer."""

    body: bytes  # the content, compressed in its last step
    kind: str  # the media type
    whole: bool = True  # whether the answer is complete; if not, the browser asks for the rest, and no cache keeps it


@dataclass(frozen=True)
class Unfinished:
    """An answer that is still being computed: its progress, and whether the rest would take too long to wait for."""

    said: str
    endless: bool


# ---- what is asked for -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A parsed address: the stage, settings and seed of a topic, and further values."""

    stage: Stage[Any]
    settings: StageSettings
    seed: int
    more: Mapping[str, str]

    def number(self, name: str, low: int, high: int) -> int:
        """Return a number from the address, or raise `BadAddressError`."""
        number, note = read_int(name, self.more.get(name, ""), low, high, low)
        if note:
            raise BadAddressError(note)
        return number


def read(topic: str, values: Mapping[str, str], *more: str) -> Asked:
    """Return an address of a topic, parsed: `values` has the settings and seed of a link, and what `more` names.

    Raises
    ------
    BadAddressError
        If the app's own pages would not send a name or a value.
    """
    if topic not in STAGES:
        raise BadAddressError("There is no topic of that name.")
    settings, seed = _settings(topic, tuple((name, values[name]) for name in values if name not in more))
    stage = stage_of(topic)
    missing = stage.missing(settings)
    if missing:
        raise BadAddressError(missing)
    return Asked(stage, settings, seed, {name: values[name] for name in values if name in more})


@lru_cache(512)
def _settings(topic: str, values: tuple[tuple[str, str], ...]) -> tuple[StageSettings, int]:
    """Return settings and seed, cached because all addresses of a film share them."""
    known, given = STAGES[topic], dict(values)
    seed, note = read_int("seed", given.pop("seed", ""), SEED_LOW, SEED_HIGH, SEED_LOW)
    for name in given:
        if name not in known.model_fields:
            raise BadAddressError(f"“{name[:40]}” means nothing here.")
    settings, notes = read_text(known, given, known())
    for said in (*notes, note):
        if said:
            raise BadAddressError(said)
    return settings, seed


async def _loaded(topic: str) -> None:
    """Load a topic's code in a thread, if it has not been loaded yet."""
    if topic in STAGES and f"pages.topics.{topic}" not in sys.modules:
        await anyio.to_thread.run_sync(stage_of, topic)


# ---- what is answered ------------------------------------------------------------------------------------------------


def film(asked: Asked) -> Reply:
    """Return the parts of a film that stay the same while it plays."""
    return Reply(as_json(asked.stage.film(asked.settings, asked.seed).described()), "application/json")


def frames(asked: Asked) -> Reply:
    """Return frames from `from` to before `to`, or as many of them as a slice of computing makes."""
    found = asked.stage.film(asked.settings, asked.seed)
    start = asked.number("from", 0, found.total)
    stop = min(asked.number("to", start + 1, start + MOST_FRAMES), found.total + 1)
    made = found.made(stop - 1)
    if made < start:
        found.reach(start)
        made = max(start, found.made(stop - 1))  # as many as exist by now
    return Reply(found.packed(start, made + 1), "application/octet-stream", made + 1 == stop)


def still(asked: Asked) -> Reply:
    """Return the data that charts draw only at rest, at iteration `t`."""
    found = asked.stage.film(asked.settings, asked.seed)
    t = asked.number("t", 0, found.total)
    if found.still is None:
        raise BadAddressError("Nothing more is drawn at rest here.")
    found.reach(t)
    return Reply(as_json(found.still(t)), "application/json")


def cards(asked: Asked) -> Reply:
    """Return a view's cards from iteration `from` to before `to`, in steps of `every`, as far as a slice allows."""
    found = asked.stage.film(asked.settings, asked.seed)
    view = asked.more.get("view", "")
    if view not in asked.settings.views:
        raise BadAddressError("There is no view of that name.")
    start, every = asked.number("from", 0, found.total), asked.number("every", 1, found.total + 1)
    stop = min(asked.number("to", start + 1, start + every * MOST_CARDS), found.total + 1)
    made: list[str] = []
    wanted = range(start, stop, every)
    for t in wanted:
        try:
            found.reach(t)
            made.append(asked.stage.written(asked.settings, asked.seed, view, t))
        except NotYet:
            if not made:
                raise
            break
    return Reply(as_json({"cards": made}), "application/json", len(made) == len(wanted))


def take(asked: Asked) -> Reply:
    """Return a download for iteration `t`."""
    found = asked.stage.film(asked.settings, asked.seed)
    t = asked.number("t", 0, found.total)
    found.reach(t)
    try:
        return Reply(*taken(asked.stage, asked.settings, asked.seed, t, asked.more))
    except Nothing as reason:
        raise BadAddressError(str(reason)) from None


def as_json(found: object) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(found, separators=(",", ":"), allow_nan=False).encode()


# ---- routes ----------------------------------------------------------------------------------------------------------


Work = Callable[[], Reply | Unfinished]


def _route(name: str, answer: Callable[[Asked], Reply], *more: str) -> Route:
    async def work(request: Request) -> Work:
        topic = request.path_params["topic"]
        await _loaded(topic)
        asked = read(topic, dict(request.query_params), *more)
        return partial(_compute, partial(answer, asked), _who(request))

    return Route(f"/{{topic}}/{name}", _responding(name, work, LONGEST))


def _judge_route(name: str, answer: Callable[[Problem, Sequence[str]], Any], *more: str) -> Route:
    async def work(request: Request) -> Work:
        problem = problem_of(request.path_params["problem"])
        asked = request.query_params.getlist(more[0]) if {*request.query_params} <= {*more} else []
        return partial(_compute, partial(_judged, answer, problem, asked), _who(request))

    return Route(f"/judge/{{problem}}/{name}", _responding(name, work, LONGEST_RULE))


def _judged(answer: Callable[[Problem, Sequence[str]], Any], problem: Problem, asked: Sequence[str]) -> Reply:
    """Answer about a problem of the judge; the time counts as that of the page that asks."""
    if session() and not TURNS.granted(session()):
        raise NotYet("Waiting for a turn", 0.0, lambda: None, 0)
    with time_slice():
        return Reply(as_json(answer(problem, asked)), "application/json")


def _responding(
    name: str, work: Callable[[Request], Awaitable[Work]], longest: int
) -> Callable[[Request], Awaitable[Response]]:
    """Return the function that answers requests: from the kept answers, or by work in its lane."""

    async def respond(request: Request) -> Response:
        if _has(request, name):
            return Response(None, 304, _kept(name))
        address = f"{request.path_params.get('topic') or request.path_params['problem']}/{name}?{request.url.query}"
        found: Reply | Unfinished | None = KEPT.get(address, Reply)
        if found is None:
            try:
                if len(address) > longest:
                    raise BadAddressError("This address is longer than any that the app uses.")
                compute = await work(request)  # equal requests meanwhile share the result
                found = await lane(name).do(address, compute, address_of(request.scope), _page(request))
                if isinstance(found, Reply) and found.whole and KEPT.get(address, Reply) is not found:
                    KEPT.keep(address, found, len(found.body) + len(address) + AROUND)
            except (BadAddressError, RuleError) as error:
                return PlainTextResponse(str(error), 400, NEVER)
            except BusyError as busy:
                return refusal(503, busy.seconds)
        if isinstance(found, Unfinished):
            return _wait(found, _who(request))
        return _sent(found.body, found.kind, _kept(name) if found.whole else NEVER, request)

    return respond


def _compute(answer: Callable[[], Reply], who: str) -> Reply | Unfinished:
    """Compute an answer for one slice.

    `NotYet` is caught here, because a future with an exception forms a cycle with its traceback. The cycle would hold
    the run in memory until the next full garbage collection, and these are rare.
    """
    try:
        with one_slice(who):
            found = answer()
    except NotYet as wait:
        return Unfinished(str(wait), wait.endless)
    return replace(found, body=gzip.compress(found.body, QUICKLY, mtime=0))


def _who(request: Request) -> str:
    """Return the name of the page that asks, or else its address."""
    return _page(request) or address_of(request.scope) or "nobody"


def _page(request: Request) -> str:
    """Return the name that the page sends, or "" if no page has that name, since anyone can make one up."""
    said = request.headers.get("x-session", "")
    return said if TURNS.knows(said) else ""


def _wait(wait: Unfinished, who: str) -> Response:
    if wait.endless:
        return PlainTextResponse(f"{wait.said}. The rest would take too long to wait for.", 422, NEVER)
    pause = AGAIN + round(1e3 * TURNS.pause(who))
    return JSONResponse({"said": wait.said, "pause": pause}, 202, NEVER)


def _sent(zipped: bytes, kind: str, headers: Mapping[str, str], request: Request) -> Response:
    """Return a compressed answer, as it is if the client takes that."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(zipped), media_type=kind, headers=headers)
    return Response(zipped, media_type=kind, headers={**headers, "content-encoding": "gzip"})


def _kept(name: str) -> dict[str, str]:
    return {"cache-control": FOR_EVER, "etag": _tag(name), "vary": "accept-encoding"}


def _tag(name: str) -> str:
    return f'W/"{BUILD}-{name}"'  # weak: the same for the compressed answer and the other


def _has(request: Request, name: str) -> bool:
    """Return whether a browser or a proxy has this answer and only asks whether it is still valid: it always is."""
    return _tag(name) in request.headers.get("if-none-match", "")


def _code(name: str, text: Callable[[], str], kind: str = "text/javascript") -> Route:
    @lru_cache
    def made(encoding: str) -> bytes:
        return packed(text().encode(), encoding)

    async def respond(request: Request) -> Response:
        if _has(request, name):
            return Response(None, 304, _kept(name))
        encoding = encoding_for(request.headers.get("accept-encoding", ""))
        headers = _kept(name) | ({"content-encoding": encoding} if encoding else {})
        return Response(made(encoding), media_type=kind, headers=headers)

    return Route(f"/{name}", respond)


async def _stage(request: Request) -> Work:
    """Return the work that finds what a bare stage shows, for an address and an event in it; no cache keeps that."""
    topic, values = request.path_params["topic"], dict(request.query_params)
    await _loaded(topic)
    event = values.pop("event", "")
    ask = await anyio.to_thread.run_sync(asked, topic, values)
    return partial(_compute, lambda: Reply(as_json(staged(ask, event)), "application/json", whole=False), _who(request))


async def _studio_pass(request: Request) -> Response:
    """Set the studio's pass as a cookie that no script can read, or delete it."""
    shown = request.headers.get("authorization", "").removeprefix("Bearer ") if request.method == "POST" else ""
    if not ours(request) or (request.method == "POST" and not gate.is_valid(shown)):
        return PlainTextResponse("This is not a pass.", 403, NEVER)
    secure = "; Secure" * (request.url.scheme == "https")
    return Response(None, 204, NEVER | {"set-cookie": gate.cookie(shown) + secure})


def routes() -> list[BaseRoute]:
    """Return the app's own routes, below the same base path as Streamlit's."""
    code = [_code(name, partial(text_of, name)) for name in all_modules()]
    own = [  # what is asked for most often comes first
        _route("cards", cards, "view", "from", "to", "every"),
        _route("frames", frames, "from", "to"),
        _route("still", still, "t"),
        _route("film", film),
        Mount("/js", routes=code),
        Mount("/js{again:int}", routes=code),  # for another try, after a module failed to load
        _code("room.json", forms, "application/json"),
        _judge_route("table", table, "points"),
        _judge_route("verdict", verdict, "line"),
        Route("/{topic}/stage", _responding("stage", _stage, LONGEST)),
        _code(style()[1], lambda: style()[0], "text/css"),
        _route("take", take, "t", "as", "view", "chart", "theme", "quiet"),
    ]
    return [
        Mount(f"{play_path()}/{BUILD}", routes=own),
        WebSocketRoute(news_path(), News().listen),
        *stage_routes(),
        Route(pass_path(), _studio_pass, methods=["POST", "DELETE"]),
        *room_routes(),
    ]
