"""Settings, controls and conditions of goals that do nothing are warned of, where they stand; those that do are not."""

from pathlib import Path

import pytest

from lessons.check.files import parse_lesson

TEXT = """---
schema: 1
id: steps
title: Small steps
stage: draws
track: draws
minutes: 5
objectives: [see]
summary: [One., Two., Three.]
stage_settings: {STAGE}
show: [SHOW]
---
## Look {#look}
Some.

```step
kind: run
until: 10
STEP
```

## Free {#free}
- [ ] Thirteen. {#goal}

```step
kind: sandbox
show: []
at: 0
goals:
  goal: {at: 5, settings: {GOAL}}
```
"""
IDLE = "does nothing while method is draws; with method: chain it would"


def warnings(stage="method: draws", show="tosses", step="seed: 3", goal="tosses: 20") -> list[str]:
    text = TEXT.replace("STAGE", stage).replace("SHOW", show).replace("STEP", step).replace("GOAL", goal)
    reading = parse_lesson(text, Path("a.md"))
    assert reading.lesson is not None, reading.problems
    return [str(warning) for warning in reading.warnings]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"stage": "method: draws, scale: 0.2"}, f"a.md:10:33: warning: scale {IDLE}"),
        ({"show": "heads, scale"}, f"a.md:11:15: warning: scale {IDLE}"),
        ({"step": "settings: {tosses: 20, scale: 0.2}"}, f"a.md:19:24: warning: scale {IDLE}"),
        ({"step": "show: [scale, seed]"}, f"a.md:19:8: warning: scale {IDLE}"),
        ({"goal": "tosses: 20, scale: 0.2"}, f"a.md:30:40: warning: scale {IDLE}"),
    ],
    ids=["lesson", "lesson's controls", "step", "step's controls", "goal"],
)
def test_what_does_nothing_is_warned_of_at_its_place(keys, expected):
    assert warnings(**keys) == [expected]


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"stage": "method: chain, scale: 0.2"},
        {"stage": "method: draws, scale: 0.2", "show": "method"},
        {"stage": "method: draws, scale: 0.2", "step": "settings: {method: chain}"},
        {"show": "method, scale"},
    ],
    ids=["plain", "it does", "learners can set what it hangs on", "one step sets it", "both controls are there"],
)
def test_what_does_something_is_not(keys):
    assert warnings(**keys) == []
