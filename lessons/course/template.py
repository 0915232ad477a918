"""A lesson to begin with: one step of three kinds, on any topic, which the checker accepts as it is."""

import re
from collections.abc import Sequence
from pathlib import Path

from lessons.topics import STAGES

STAGE = "crp_seating"  # where none is named
LONGEST_NAME = 80  # characters

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
stage_settings: {{}}             # what the topic is set to; lessons/format/STAGES.md lists all settings
seed: 1
show: [{control}]
---
## Before you press Step {{#predict}}
Write here what there is to see, and what there is to predict.

- [x] This happens
  > Why this is right.
- [ ] That happens
  > Why this is wrong, and what learners overlook who choose it.

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
    """Return the text of a lesson to begin with, on a topic; its file's name, without ending, gives its id and title.

    Raises
    ------
    ValueError
        If the name has no letter and no digit, or is too long.
    """
    words = re.findall(r"[a-z0-9]+", name.lower())
    if len(name) > LONGEST_NAME:
        raise ValueError(f"a lesson's name has at most {LONGEST_NAME} characters, and this one has {len(name)}")
    if not words:
        raise ValueError(f"a lesson's name has small letters and digits, such as week-3, and not '{name[:40]}'")
    settings = STAGES[stage]
    return _TEMPLATE.format(
        id="-".join(words),
        title=" ".join(words).capitalize(),
        stage=stage,
        control=settings.controls[0],
        unit=settings().counted_as,
    )


def write_lesson(path: Path, stage: str = STAGE) -> None:
    """Write a lesson to begin with, on a topic, into a file that is not there yet.

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


_COURSE = """\
title: My course
sections:
  - title: The first week
    lessons: [{lessons}]
"""

GLOSSARY = """\
# Glossary

## example, examples

Write here what the term means, in plain text. A heading has the term, then its other forms.
"""


def course_from(lessons: Sequence[str]) -> str:
    """Return the text of a course with one section of lessons, by their ids."""
    return _COURSE.format(lessons=", ".join(lessons))
