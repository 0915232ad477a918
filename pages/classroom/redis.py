"""Rooms on a Redis server, which several processes share; each learns at once what the others change.

Operations that must be atomic are scripts that Redis runs by itself.
"""

import json
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from pages.classroom.store import FORGOTTEN, MOST_MEMBERS, Answer, Answers, Kept, Member, StoreError

PATIENCE = 1.0  # seconds that Redis has to answer
AGAIN = 0.5  # seconds until a lost connection is tried again
NEWS = "samplescope:news"
ROOMS = "samplescope:rooms"  # and when each gave its last sign of life

# Scripts in Lua. KEYS: the room, its places, names and answers, who is here, all rooms. ARGV: the code, this process,
# now, and more. A process that got no reply asks again, and its first request may still be carried out: an older answer
# never replaces a newer one.
_COMMON = """
local function life()
  if redis.call('HGET', KEYS[1], 'ended') ~= '1' then redis.call('ZADD', KEYS[6], ARGV[3], ARGV[1]) end
end
local function tell(what) redis.call('PUBLISH', 'samplescope:news', ARGV[2] .. ' ' .. ARGV[1] .. ' ' .. what) end
local function put(seal, number, open, ended, body)
  redis.call('HSET', KEYS[1], 'seal', seal, 'number', number, 'open', open, 'ended', ended, 'body', body)
  redis.call('ZADD', KEYS[6], ARGV[3], ARGV[1])
end
local function keep(field, said)
  local kept = redis.call('HGET', KEYS[4], field)
  if not kept or cjson.decode(kept)[2] <= cjson.decode(said)[2] then redis.call('HSET', KEYS[4], field, said) end
end
local function forget(word)
  for _, field in ipairs(redis.call('HKEYS', KEYS[4])) do
    if redis.call('HGET', KEYS[3], field:match(' (.*)')) == word then redis.call('HDEL', KEYS[4], field) end
  end
end
"""
_FORGET = """
redis.call('HSET', KEYS[3], ARGV[4], ARGV[5])
forget(ARGV[5])
tell('answers')
return 1
"""
_ADD = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
put(ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8])
return 1
"""
_CHANGE = """
if tonumber(redis.call('HGET', KEYS[1], 'number')) ~= tonumber(ARGV[5]) - 1 then return 0 end
put(ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8])
tell('state')
return 1
"""
_JOIN = """
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
if redis.call('HEXISTS', KEYS[2], ARGV[4]) == 0 then
  local many = redis.call('HLEN', KEYS[2])
  if many >= tonumber(ARGV[5]) then return -1 end
  redis.call('HSET', KEYS[2], ARGV[4], many)
end
if ARGV[6] then redis.call('HSET', KEYS[3], ARGV[4], ARGV[6]) end
life()
tell('people')
return tonumber(redis.call('HGET', KEYS[2], ARGV[4]))
"""
_ANSWER = """
local counts = 0
for _, open in ipairs(cjson.decode(redis.call('HGET', KEYS[1], 'open') or '[]')) do
  if open == tonumber(ARGV[4]) then counts = 1 end
end
if counts == 1 then
  keep(ARGV[4] .. ' ' .. ARGV[5], ARGV[6])
  tell('answers')
end
life()
return counts
"""
_RESTORE = """
if tonumber(redis.call('HGET', KEYS[1], 'number') or '0') < tonumber(ARGV[5]) then
  put(ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8])
end
local taken = {}
for _, place in ipairs(redis.call('HVALS', KEYS[2])) do taken[place] = true end
for member, known in pairs(cjson.decode(ARGV[9])) do
  if redis.call('HEXISTS', KEYS[2], member) == 0 then
    local place = known[1]
    while taken[tostring(place)] do place = place + 1 end -- somebody came by way of another process meanwhile
    taken[tostring(place)] = true
    redis.call('HSET', KEYS[2], member, place)
  end
  redis.call('HSET', KEYS[3], member, known[2])
end
for at = 11, #ARGV, 2 do keep(ARGV[at], ARGV[at + 1]) end
forget(ARGV[10])
tell('state')
return 1
"""
_PRESENT = """
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local now, before = redis.call('TIME')[1], redis.call('HGET', KEYS[5], ARGV[2])
redis.call('HSET', KEYS[5], ARGV[2], now .. ' ' .. ARGV[4])
life()
if not before or before:match(' (.*)') ~= ARGV[4] then tell('people') end
return 1
"""
_ELSEWHERE = """
return {redis.call('TIME')[1], redis.call('HGETALL', KEYS[5])}
"""
_SWEEP = """
if tonumber(redis.call('ZSCORE', KEYS[6], ARGV[1]) or ARGV[3]) >= tonumber(ARGV[3]) then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
redis.call('ZREM', KEYS[6], ARGV[1])
return 1
"""


class RedisStore:
    """Rooms on a Redis server.

    Parameters
    ----------
    url : str
        Where it is: ``redis://host:port/0``.
    patience : float, optional
        Seconds that it has to answer.
    """

    shared = True

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self.trouble = ""
        self.name = uuid.uuid4().hex[:12]
        self._redis: Any = redis.Redis.from_url(
            url,
            decode_responses=True,
            socket_timeout=patience,
            socket_connect_timeout=patience,
            retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),  # one that was cut since it was last used
        )
        scripts = {"add": _ADD, "change": _CHANGE, "join": _JOIN, "answer": _ANSWER, "restore": _RESTORE}
        scripts |= {"forget": _FORGET, "present": _PRESENT, "elsewhere": _ELSEWHERE, "sweep": _SWEEP}
        self._scripts = {name: self._redis.register_script(_COMMON + script) for name, script in scripts.items()}
        self._closed = threading.Event()
        self._ear: threading.Thread | None = None

    def _run(self, name: str, code: str, *more: str | float, now: float | None = None) -> Any:
        """Return the result of a script that Redis runs."""
        with _answers():
            return self._scripts[name](_keys(code), [code, self.name, time.time() if now is None else now, *more])

    # ---- rooms -------------------------------------------------------------------------------------------------------

    def add(self, code: str, room: Kept) -> bool:
        """Store a new room; return whether the code was free."""
        return bool(self._run("add", code, *_fields(room)))

    def find(self, code: str) -> Kept | None:
        """Return a room; None if there is none."""
        with _answers():
            kept = self._redis.hgetall(_keys(code)[0])
        if not kept:
            return None
        return Kept(
            kept["seal"], int(kept["number"]), tuple(json.loads(kept["open"])), kept["ended"] == "1", kept["body"]
        )

    def change(self, code: str, room: Kept) -> bool:
        """Store a room's next state; return whether the stored one has the number before it."""
        return bool(self._run("change", code, *_fields(room)))

    def join(self, code: str, member: str, name: str | None) -> int | None:
        """Add a member, with a name if one is given; return her index, None if there are too many."""
        named = [] if name is None else [name]
        index = int(self._run("join", code, member, MOST_MEMBERS, *named))
        return None if index < 0 else index

    def members(self, code: str) -> dict[str, Member]:
        """Return everyone who ever joined a room."""
        _, places, names, *_ = _keys(code)
        with _answers():
            known, named = self._redis.hgetall(places), self._redis.hgetall(names)
        return {member: Member(int(index), named.get(member, "")) for member, index in known.items()}

    def forget(self, code: str, member: str) -> None:
        """Delete a member's answers and name."""
        self._run("forget", code, member, FORGOTTEN)

    def answer(self, code: str, given: Answer) -> bool:
        """Store an answer in place of the member's last one, if its round is open; return whether it is."""
        return bool(self._run("answer", code, given.round, given.member, _said(given)))

    def answers(self, code: str) -> dict[int, dict[str, Answer]]:
        """Return all answers in a room."""
        with _answers():
            rows = self._redis.hgetall(_keys(code)[3])
        found: dict[int, dict[str, Answer]] = {}
        for field, said in rows.items():
            number, member = field.split(" ")
            keys, at = json.loads(said)
            found.setdefault(int(number), {})[member] = Answer(int(number), member, tuple(keys), at)
        return found

    def restore(self, code: str, room: Kept, members: Mapping[str, Member], answers: Answers) -> None:
        """Store what came while Redis did not answer; a newer answer in Redis stays."""
        known = json.dumps({member: (one.index, one.name) for member, one in members.items()})
        given = [one for by_member in answers.values() for one in by_member.values()]
        pairs = [part for one in given for part in (f"{one.round} {one.member}", _said(one))]
        self._run("restore", code, *_fields(room), known, FORGOTTEN, *pairs)

    def sweep(self, before: float) -> int:
        """Delete all rooms without a sign of life since `before`; return how many there were."""
        with _answers():
            old = self._redis.zrangebyscore(ROOMS, "-inf", f"({before}")
        return sum(int(self._run("sweep", code, now=before)) for code in old)

    # ---- other processes ---------------------------------------------------------------------------------------------

    def present(self, code: str, here: str) -> None:
        """Store who is in a room through this process."""
        self._run("present", code, here)

    def elsewhere(self, code: str, within: float) -> list[str]:
        """Return who is in a room through the other processes, as they reported in the last `within` seconds."""
        now, pairs = self._run("elsewhere", code)
        said = dict(zip(pairs[::2], pairs[1::2], strict=True))
        split = [text.split(" ", 1) for replica, text in said.items() if replica != self.name]
        return [here for at, here in split if float(at) >= float(now) - within]

    def hear(self, heard: Callable[[str, str], None]) -> None:
        """Call `heard`, from a thread, with the code of each room that another process changed, and with what."""
        self._ear = threading.Thread(target=self._hear, args=(heard,), daemon=True)
        self._ear.start()

    def _hear(self, heard: Callable[[str, str], None]) -> None:
        while not self._closed.is_set():
            try:
                with self._redis.pubsub(ignore_subscribe_messages=True) as news:
                    news.subscribe(NEWS)
                    heard("", "")  # for whatever happened before
                    while not self._closed.is_set():
                        message = news.get_message(timeout=AGAIN)
                        if message:
                            replica, code, what = message["data"].split(" ")
                            if replica != self.name:
                                heard(code, what)
            except (redis.RedisError, OSError, ValueError):  # the last two come from a connection that breaks off
                self._closed.wait(AGAIN)

    def close(self) -> None:
        """Close the connections."""
        self._closed.set()
        if self._ear:
            with suppress(redis.RedisError):
                self._redis.publish(NEWS, f"{self.name} - end")  # which wakes it
            self._ear.join(PATIENCE)
        self._redis.close()


@contextmanager
def _answers() -> Iterator[None]:
    """Raise errors of Redis as `StoreError`."""
    try:
        yield
    except redis.RedisError as error:
        raise StoreError(f"Redis: {type(error).__name__}: {error}") from error


def _keys(code: str) -> list[str]:
    room = f"samplescope:room:{code}"
    return [room, *(f"{room}:{part}" for part in ("places", "names", "answers", "here")), ROOMS]


def _fields(room: Kept) -> tuple[str, int, str, int, str]:
    return room.seal, room.number, json.dumps(room.open), int(room.ended), room.body


def _said(given: Answer) -> str:
    return json.dumps([given.keys, given.at])
