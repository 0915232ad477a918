"""A lesson of moments that were met while playing: a step for each, with a question to fill in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from lessons.course.library import Library
from lessons.format.patch import written
from lessons.linked import silent
from lessons.own.store import held
from lessons.settings.settings import OWN, SEED_HIGH, SEED_LOW, StageSettings, read_int, read_text
from lessons.topics import STAGES

AHEAD = 10  # iterations that an answer moves on, where no later moment of the same run follows
MINUTES = 3  # that a step takes, about

_FRONT = """\
---
schema: 1
id: my-lesson                  # stays for ever: links and progress use it
title: "My lesson"
stage: {stage}
track: my lessons
minutes: {minutes}
objectives: [say here what a learner can do afterwards]
summary: [The first line of what you have seen., The second line., The third line.]
{settings}seed: {seed}
---
"""
_STEP = """\
## {title} {{#moment-{number}}}
Write here what there is to see, and what there is to predict.

- [x] This happens
  > Why this is right.
- [ ] That happens
  > Why this is wrong, and what learners overlook who choose it.

```step
kind: {kind}
{settings}{seed}at: {t}
open: {view}
{then}```
"""


@dataclass(frozen=True)
class Seen:
    """A moment: what ran, with which seed, at which iteration, the view that was open, and the learner's note."""

    settings: StageSettings
    seed: int
    t: int
    view: str
    note: str = ""

    @property
    def values(self) -> dict[str, Any]:
        """The settings that are not at their defaults."""
        found = self.settings.model_dump(exclude_defaults=True)
        return {name: value for name, value in found.items() if value is not None}


def seen_of(topic: str, link: str, note: str = "") -> Seen:
    """Return the moment to which a topic's link leads; what is nonsense in it is at its default."""
    known, values = STAGES[topic], dict(parse_qsl(link))
    meant = silent(topic).settings
    settings, _ = read_text(known, {name: values[name] for name in known.model_fields if name in values}, meant)
    seed, _ = read_int("seed", values.get("seed", ""), SEED_LOW, SEED_HIGH, SEED_LOW)
    t, _ = read_int("t", values.get("t", ""), 0, settings.iterations, 0)
    view = values.get("view", "")
    return Seen(settings, seed, t, view if view in known.views else next(iter(known.views)), note)


def whole(link: str, library: Library) -> str:
    """Return a topic's link with the digest of the data that its lesson has now; links leave it out."""
    values = dict(parse_qsl(link))
    lesson = library.lesson(values.get("lesson", ""))
    if lesson is None or lesson.held is None or values.get("data") != OWN or "own" in values:
        return link
    return urlencode(values | {"own": lesson.held.digest})


def lesson_of(moments: Sequence[Seen]) -> str:
    """Return the text of a lesson with a step for each moment, which opens there and asks before it goes on.

    Parameters
    ----------
    moments : sequence of Seen
        Of one topic, one at least, in the order of the steps. What all have in common goes into the front matter.

    Raises
    ------
    ValueError
        If a moment shows data that are no lesson's, or moments show those of several files.
    """
    first = moments[0]
    digests = {moment.values["own"] for moment in moments if moment.values.get("own")}
    files = [lent.keys for digest in digests if (lent := held(digest))]
    if len(files) < len(digests):
        raise ValueError(
            "These data are your own. A lesson names a file beside it: write data: its-name.csv in its front matter, "
            "open it, and go on from there."
        )
    if len(files) > 1:
        raise ValueError("A lesson has one file of data, and these moments show several: keep those of one.")
    shared = {
        name: value for name, value in first.values.items() if all((name, value) in m.values.items() for m in moments)
    }
    front = _FRONT.format(
        stage=next(name for name, known in STAGES.items() if known is type(first.settings)),
        minutes=max(5, MINUTES * len(moments)),
        settings="".join(f"data: {written(keys)}\n" for keys in files) + _block("stage_settings", shared),
        seed=first.seed,
    )
    return front + "\n".join(_steps(moments, shared, first.seed))


def _steps(moments: Sequence[Seen], shared: Mapping[str, Any], seed: int) -> Iterator[str]:
    for number, moment in enumerate(moments, 1):
        after = next((other for other in moments[number : number + 1] if _goes_on(moment, other)), None)
        until = after.t if after else min(moment.t + AHEAD, moment.settings.iterations)
        own = {name: value for name, value in moment.values.items() if name not in shared}
        yield _STEP.format(
            title=_title(moment.note) or f"Moment {number}",
            number=number,
            kind="predict" if until > moment.t else "quiz",
            settings=_block("settings", own),
            seed="" if moment.seed == seed else f"seed: {moment.seed}\n",
            t=moment.t,
            view=written(moment.view),
            then=f"then: {{advance: {until - moment.t}}}\n" if until > moment.t else "",
        )


def _goes_on(one: Seen, other: Seen) -> bool:
    """Return whether a moment comes later in the run of another."""
    return (one.settings, one.seed) == (other.settings, other.seed) and one.t < other.t


def _block(key: str, values: Mapping[str, Any]) -> str:
    values = {name: value for name, value in values.items() if name != "own"}
    return "".join([f"{key}:\n", *(f"  {name}: {written(value)}\n" for name, value in values.items())]) * bool(values)


def _title(note: str) -> str:
    """Return a note as a title: in one line, without what Markdown would read."""
    return " ".join("".join(letter for letter in note if letter not in "#{}[]<>$*_`\\|!~^=").split())[:80]
