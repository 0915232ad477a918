"""A lesson to begin with: one step of three kinds, on any topic, which the checker accepts as it is."""

from __future__ import annotations

import re
from pathlib import Path

from lessons.reader.patch import written
from lessons.stages import STAGES
from lessons.stages.settings import StageSettings

STAGE = "crp_seating"  # where none is named

_TEMPLATE = """\
---
schema: 1
id: {id}                       # stays for ever: links and progress use it
title: "{title}"
stage: {stage}
track: my lessons
minutes: 10
objectives: [say what one step does, predict the next one]
summary: [The first line of what you have seen., The second line., The third line.]
stage_settings: {{}}             # what the topic is set to; lessons/reader/STAGES.md lists all settings
seed: 1
show: [{control}]
---
## Before you press Step {{#predict}}
Write here what there is to see, and what there is to predict.

- [x] This happens
  > Why this is right.
- [ ] That happens
  > Why this is wrong, and what whoever thinks so has overlooked.

```step
kind: predict
at: 0
then: {{advance: 1}}
```
::: hint
Write here what helps without giving the answer.
:::
::: instructor
Write here what to ask, and how long it takes.
:::

## Watch {{#watch}}
Write here what to look at while it runs.

```step
kind: run
until: 10
```

## Try it {{#try}}
Write here what there is to try.

- [ ] You have come to {unit} 12. {{#twelve}}
  > Write here what that shows.

```step
kind: sandbox
goals:
  twelve: {{at: 12}}
```
"""


def lesson_from(name: str, stage: str = STAGE) -> str:
    """Return the text of a lesson to begin with.

    Parameters
    ----------
    name : str
        The file's name without its ending; the lesson's id and title come from it.
    stage : str, optional
        The topic that it plays on.

    Raises
    ------
    ValueError
        If the name has no letter and no digit.
    """
    words = re.findall(r"[a-z0-9]+", name.lower())
    if not words:
        raise ValueError(f"a lesson's name has small letters and digits, such as week-3, and not '{name[:40]}'")
    settings = STAGES[stage]
    return _TEMPLATE.format(
        id="-".join(words),
        title=" ".join(words).capitalize(),
        stage=stage,
        control=settings.controls[0],
        unit=settings.unit.removesuffix("s"),
    )


_MOMENT = """\
---
schema: 1
id: my-lesson                  # stays for ever: links and progress use it
title: "My lesson"
stage: {stage}
track: my lessons
minutes: 5
objectives: [say here what a learner can do afterwards]
summary: [The first line of what you have seen., The second line., The third line.]
---
## What to look at {{#look}}
Write here what there is to see.
{goal}
```step
kind: {kind}
{settings}seed: {seed}
at: {t}
open: {view}
{task}
```
"""
_BACK = """
- [ ] Go back to the start {#start}
  > Write here what is seen there.
"""
AHEAD = 10  # iterations that a step runs on


def lesson_of(settings: StageSettings, seed: int, t: int, view: str) -> str:
    """Return the text of a lesson with one step, which opens at a moment of a topic.

    Parameters
    ----------
    settings : StageSettings
        Those of the moment; what has its default is left out.
    seed, t : int
        The chain's seed, and the iteration.
    view : str
        The inspector's view that is open.

    Raises
    ------
    ValueError
        If the moment shows a learner's own data, which a lesson cannot hold.
    """
    values = settings.model_dump(exclude_defaults=True)
    if values.get("own"):
        raise ValueError("A lesson cannot hold data of your own: put the file beside it, and have learners upload it.")
    lines = "".join(f"  {name}: {written(value)}\n" for name, value in values.items() if value is not None)
    stage = next(name for name, known in STAGES.items() if known is type(settings))
    until = min(t + AHEAD, settings.iterations)
    kind, goal, task = ("run", "", f"until: {until}") if until > t else ("explain", _BACK, "goals: {start: {at: 0}}")
    lines = f"settings:\n{lines}" if lines else ""
    return _MOMENT.format(
        stage=stage, goal=goal, kind=kind, settings=lines, seed=seed, t=t, view=written(view), task=task
    )


def write_lesson(path: Path, stage: str = STAGE) -> None:
    """Write a lesson to begin with.

    Parameters
    ----------
    path : pathlib.Path
        The file, which is not there yet.
    stage : str, optional
        The topic that it plays on.

    Raises
    ------
    ValueError
        If the file's name is none for a lesson.
    OSError
        If the file is there, or cannot be written.
    """
    text = lesson_from(path.stem, stage)
    with path.open("x", encoding="utf-8") as file:
        file.write(text)
