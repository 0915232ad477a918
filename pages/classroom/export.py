"""A class's answers as files: a table for a spreadsheet, a page to read, and JSON to compare with next year's class."""

import datetime
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from lessons.catalogue import topic_info
from lessons.course.spreadsheet import as_csv as as_rows
from lessons.format.language import attributes, english_within
from lessons.format.pictures import with_pictures
from lessons.format.printed import as_html, inline
from pages.classroom import questions
from pages.classroom.codes import in_words
from pages.classroom.gain import Gain, gains
from pages.classroom.hands import HandsRound, number_of
from pages.classroom.news import RelayWatched
from pages.classroom.relay import HALVES, RelayRound
from pages.classroom.reports import relay_for_all, relay_for_instructor
from pages.classroom.room import Core, Round
from pages.classroom.store import Answer, Answers, Member
from pages.drawing.numbers import counted
from pages.drawing.palette import ACCENT, RED
from pages.lesson.handed_in import CSS

COLUMNS = ("round", "lesson", "step", "question", "learner", "name", "answer", "right", "time")
RELAYED = ("title", "names", "exact", "halves", "counts", "steps")  # of a relay, as JSON
WIDEST = 12.0  # em of a bar


@dataclass(frozen=True)
class Said:
    """A room with all its answers: its code, its questions and rounds of runs, who joined, and what they answered."""

    code: str
    core: Core
    members: dict[str, Member]
    answers: Answers

    def of(self, number: int) -> list[tuple[Member, Answer]]:
        """Return the answers to a round, in the order in which learners first joined."""
        given = self.answers.get(number, {}).items()
        pairs = [(self.members[name], answer) for name, answer in given if name in self.members]
        return sorted(pairs, key=lambda pair: pair[0].index)


def as_csv(said: Said) -> str:
    """Return one row for each answer; a name that looks like a formula is marked as text."""
    rows = [row for asked in said.core.rounds for row in _answers(said, asked)]
    rows += [row for hands in said.core.hands for row in _runs(said, hands)]
    rows += [row for relay in said.core.relays for row in _visits(relay)]
    return as_rows([COLUMNS, *rows])


def _answers(said: Said, asked: Round) -> Iterator[tuple[str, ...]]:
    step = asked.found[1] if asked.found else None
    title = asked.made.text if asked.made else step.title if step else ""
    for member, given in said.of(asked.id):
        right = "" if step is None or not step.can_have(given.keys) else "yes" if step.is_right(given.keys) else "no"
        yield _row(asked.id, asked.lesson, asked.step, title, member, asked.in_words(given.keys), right, given.at)


def _runs(said: Said, hands: HandsRound) -> Iterator[tuple[str, ...]]:
    for member, given in said.of(hands.id):
        for run, key in enumerate(given.keys):
            own, what = _in_a_row(hands.own(member.index, run)), f"{hands.label}, t = {hands.t}"
            yield _row(hands.id, hands.page, own, what, member, key, "", given.at)


def _visits(relay: RelayRound) -> Iterator[tuple[str, ...]]:
    """Return a row for each state that a half has visited; nothing is kept of who did which step."""
    for half, counts in zip(HALVES, relay.counts, strict=False):
        where = f"half {half}" if relay.weights else ""
        for name, many in zip(relay.names, counts, strict=True):
            yield str(relay.id), "", where, relay.title, "", "", f"{name}: {counted(many, 'visit')}", "", ""


def _row(
    number: int, where: str, step: str, title: str, member: Member, answer: str, right: str, at: float
) -> tuple[str, ...]:
    when = datetime.datetime.fromtimestamp(at, datetime.UTC).isoformat(timespec="seconds")
    return str(number), where, step, title, str(member.index + 1), member.name, answer, right, when


def as_json(said: Said) -> str:
    """Return how often each answer was given: what another class can be shown, without anybody's name."""
    rounds = [
        {"lesson": one.lesson, "step": one.step, "answers": len(said.of(one.id)), "tally": _tally(said, one)}
        for one in said.core.rounds
        if one.made is None
    ]
    told: dict[str, Any] = {"samplescope": "room", "version": 1, "rounds": rounds}
    if relays := [relay_for_all(one) for one in said.core.relays]:
        told["relays"] = [{name: one[name] for name in RELAYED} for one in relays]  # type: ignore[literal-required]
    if found := gains(said.core.rounds, said.answers):
        told["gains"] = [asdict(one) for one in found]
    return json.dumps(told, indent=1, ensure_ascii=False)


def _tally(said: Said, asked: Round) -> dict[str, int]:
    return questions.tally(given.keys for _, given in said.of(asked.id))


# ---- one page --------------------------------------------------------------------------------------------------------


def as_page(said: Said) -> str:
    """Return one HTML page that needs no other file: questions, how they were answered, and by whom."""
    people = counted(len(said.members), "learner")
    made = datetime.date.today().strftime("%d %B %Y").lstrip("0")
    title = f"Class {in_words(said.code)}"
    body = [f"<h1>{title}</h1><p class=made>{made} · {people}</p>"]
    body += [_gain(one) for one in gains(said.core.rounds, said.answers)]
    body += [_question(said, asked) for asked in said.core.rounds] + [_hands(said, hands) for hands in said.core.hands]
    body += [_relay(relay) for relay in said.core.relays]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{CSS}</style></head><body>{"".join(body)}'
        "</body></html>"
    )


def _gain(found: Gain) -> str:
    """Return how much of what was missing before a topic was there after it."""
    interval = ""
    if found.interval:
        interval = f" (95 % interval {found.interval[0]:.2f} to {found.interval[1]:.2f})".replace("-", "−")
    gain = "there was nothing to gain" if found.gain is None else f"normalised gain {found.gain:.2f}".replace("-", "−")
    few = "" if found.interval or found.gain is None else "; too few learners for an interval"
    people = counted(found.learners, "learner")
    return (
        f"<article><h3>Before and after: {escape(found.topic)}</h3><p>{people} answered both times: "
        f"{found.before:.0%} right before, {found.after:.0%} after; {gain}{interval}{few}.</p></article>"
    )


def _question(said: Said, asked: Round) -> str:
    found, tally = asked.found, _tally(said, asked)
    people = [(member, asked.in_words(given.keys)) for member, given in said.of(asked.id)]
    if asked.made:
        made = [(escape(asked.in_words((key,))), tally[key], None) for key in tally]
        return f"<article><h3>{escape(asked.made.text)}</h3>{_bars(made)}{_people(people)}</article>"
    if found is None:
        head = f"<h3>{escape(asked.lesson)}: {escape(asked.step)}</h3><p>This question is no longer in its lesson.</p>"
        return f"<article>{head}{_bars([(escape(key), count, None) for key, count in tally.items()])}</article>"
    lesson, step = found
    lines: list[tuple[str, int, bool | None]] = [
        (option["html"], tally.get(option["key"], 0), option["key"] in {one.key for one in step.choices if one.correct})
        for option in asked.described["options"]
    ] or [(escape(key), count, step.is_right((key,))) for key, count in tally.items()]
    text = as_html(with_pictures(step.body, lesson.pictures))
    answer = next(choice.text for choice in step.choices if choice.correct)
    right = f"<p>It is <b>{inline(answer)}</b>.</p>" if not step.form.lists else ""
    words, ours = attributes(lesson.language), english_within(lesson.language)
    return (
        f"<article {words}><h3>{inline(step.title)}</h3>{text}<div{ours}>{_bars(lines)}{right}"
        f"{_people(people)}</div></article>"
    )


def _hands(said: Said, hands: HandsRound) -> str:
    given = said.of(hands.id)
    runs = [(member, run, key) for member, answer in given for run, key in enumerate(answer.keys)]
    values = [value for _, _, key in runs if (value := number_of(key)) is not None]
    exact: dict[str, Any] = hands.exact or {}
    shares = dict(zip(exact.get("values", ()), exact.get("shares", ()), strict=True))
    counts = Counter(values)
    lines: list[tuple[str, int, bool | None]] = [(f"{value:g}", counts[value], None) for value in sorted(counts)]
    expected = [len(values) * shares.get(value, 0.0) for value in sorted(counts)] if shares else []
    mean = f"Mean of these runs: {sum(values) / len(values):.4g}. " if values else ""
    truth = f"Exact mean: {exact['mean']:.4g}." if exact else ""
    own = [(member, f"{key} ({_in_a_row(hands.own(member.index, run))})") for member, run, key in runs]
    vary = "another seed" if hands.vary == "seed" else f"another {escape(hands.vary)}"
    head = f"<h3>{escape(topic_info(hands.page).title)}: {escape(hands.label)}</h3>"
    about = f"<p>{counted(len(runs), 'run')}, each with {vary}, after {hands.t} {escape(hands.unit)}</p>"
    return f"<article>{head}{about}{_bars(lines, expected)}<p>{mean}{truth}</p>{_people(own)}</article>"


def _relay(relay: RelayRound) -> str:
    """Return the heap of each half; with a known target, the expected counts, and how far the half is from it."""
    steps = f"{counted(relay.steps, 'step')} of {counted(len(relay.walkers), 'chain')}"
    body = f"<h3>{escape(relay.title)}</h3><p>{steps}</p>"
    seen = relay_for_instructor(relay)
    for number, counts in enumerate(relay.counts):
        lines: list[tuple[str, int, bool | None]] = [
            (escape(name), many, None) for name, many in zip(relay.names, counts, strict=True)
        ]
        body += f"<p>Half {HALVES[number]}</p>" if relay.weights else ""
        body += _bars(lines, [sum(counts) * share for share in relay.weights])
        body += _verdict(seen, number) if seen["limits"] else ""
    return f"<article>{body}</article>"


def _verdict(seen: RelayWatched, number: int) -> str:
    off, limit, slips = seen["distances"][number], seen["limits"][number], seen["slips"][number]
    return (
        f"<p>Distance from the exact distribution: {off:.3f}. The right rule exceeds {limit:.3f} once in a hundred "
        f"times. {counted(slips, 'step')} not by this half’s rule.</p>"
    )


def _in_a_row(values: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())


def _bars(lines: Sequence[tuple[str, int, bool | None]], expected: Sequence[float] = ()) -> str:
    """Return a table of answers, each as HTML with its count, and a mark at the right ones.

    `expected` has the expected count of each answer under the exact distribution.
    """
    if not lines:
        return "<p>No answers.</p>"
    most = max(1.0, *(count for _, count, _ in lines), *expected)
    rows = []
    for place, (words, count, right) in enumerate(lines):
        wide = f"background:{ACCENT};height:0.8em;width:{WIDEST * count / most:.2f}em"
        mark, more = "", ""
        if expected:
            at = WIDEST * expected[place] / most
            mark = f'<div style="border-left:3px solid {RED};height:1.2em;margin:-1em 0 -0.2em {at:.2f}em"></div>'
            more = f"<td>expected {expected[place]:.1f}</td>"
        bar = f'<td style="min-width:{WIDEST}em"><div style="{wide}"></div>{mark}</td>'
        rows.append(f"<tr><td>{'✓' if right else ''}</td><td>{words}</td><td>{count}</td>{bar}{more}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _people(given: list[tuple[Member, str]]) -> str:
    if not given:
        return ""
    named = [(member.name or f"Learner {member.index + 1}", text) for member, text in given]
    rows = [f"<li>{escape(name)}: {escape(text)}</li>" for name, text in named]
    return f"<details><summary>{counted(len(given), 'answer')}</summary><ol>{''.join(rows)}</ol></details>"
