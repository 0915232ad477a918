"""A valid lesson that the tests take apart, and short ways to read one."""

from pathlib import Path
from typing import get_args

from lessons.check.checker import inspect
from lessons.check.files import parse_lesson
from lessons.format.questions.kind import QuestionKind
from lessons.format.schema import Question

PATH = Path("lessons/crp.md")
QUESTION_KINDS = [
    kind
    for key in Question.model_fields.values()
    for kind in get_args(key.annotation)
    if isinstance(kind, type) and issubclass(kind, QuestionKind)
]

SAMPLE = r"""---
schema: 1
id: crp-one
title: One update
stage: crp_seating
track: clusters
minutes: 12
objectives: [say what is forgotten]
stage_settings: {concentration: 1.0}
seed: 7
show: [concentration, seed]
summary: [A point is forgotten, A seat is drawn, It is remembered]
---
## Before {#predict}
Point 2 sits alone: \$3 for $\alpha_1$, `$`.

- [x] It disappears: $K - 1$
  > Right.
- [ ] It stays, as an
  option
  > Then twice.
  >
  > Really.

```step
kind: predict
at: 0
lock: [step, play]
then: {advance: 1, open: evening}
```
::: instructor
Ask for hands.
:::
::: hint
- one
:::

## Run {#run}
Some.

```step
kind: run
until: 30
expect: {customers: 30}
```
::: hint
First.
:::
And more.

::: hint
Second.
:::

## Look {#look}
Only text.

And [a table](#mark:table-1).
"""


def edited(old: str, new: str) -> str:
    """Return the sample with one piece of it replaced."""
    assert SAMPLE.count(old) == 1, f"{old!r} is not unique in the sample"
    return SAMPLE.replace(old, new)


def problems(text: str) -> list[str]:
    """Return the problems of a text as they are printed, without the path that they all begin with."""
    reading = parse_lesson(text, PATH)
    assert (reading.lesson is None) == bool(reading.problems)
    prefix = "lessons/crp.md:"
    assert all(str(problem).startswith(prefix) for problem in reading.problems)
    return [str(problem).removeprefix(prefix) for problem in reading.problems]


def check(*paths):
    """All problems of files and folders."""
    return [problem for reading in inspect(paths) for problem in reading.problems]


LINES = "- [x] 5\n  > Right.\n- [ ] 10 to 20\n  > Many.\n- [ ] else\n  > Or so.\n"


def question(way: str, lines: str = LINES, **keys: str) -> str:
    """Return the sample with one question in place of its first two steps."""
    more = "".join(f"\n{key}: {value}" for key, value in keys.items())
    block = f"```step\nkind: predict\nat: 0\n{way}{more}\nthen: {{advance: 60}}\n```\n"
    return SAMPLE[: SAMPLE.index("- [x] It")] + lines + "\n" + block + SAMPLE[SAMPLE.index("\n## Look") :]
