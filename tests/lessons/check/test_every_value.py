"""Each setting with each value that STAGES.md lists, wherever a lesson can write one: said at its place, or it runs."""

from math import isfinite
from pathlib import Path

import pytest

from lessons.check.numbers import outcomes
from lessons.format.patch import written
from lessons.settings.settings import OWN
from lessons.topics import STAGES
from tests.lessons.format.used import used
from tests.lessons.format.values import values_of

FRONT = """---
schema: 1
id: every-value
title: Every value
stage: {stage}
track: fuzz
minutes: 5
objectives: [see]
summary: [One, Two, Three]
stage_settings: {settings}
---
"""
RUN = """## Asked {{#asked}}
The run comes to {braces}.

- [x] {{{outcome} at 1}}
  > So it is.
- [ ] else
  > It is not.

```step
kind: predict
at: 0
number: {{outcome: {outcome}}}
then: {{advance: 1}}
```

## Run {{#run}}
It is {braces}.

```step
kind: run
until: 1
expect: {expect}
```

## Goal {{#goal}}
Do it.

- [ ] Reach it. {{#reach}}

```step
kind: sandbox
at: 0
goals: {{reach: {{reach: {reach}, at: 1}}}}
```
"""
SET = """## Step {{#step}}
Set it.

- [ ] Set it. {{#set}}
- [ ] Go there. {{#way}}

```step
kind: sandbox
settings: {set}
at: 0
publish: {{{name}: [{value}]}}
goals:
  set: {{settings: {set}, reach: {reach}}}
  way: {{reach: {reach}, way: {{settings: {set}, at: 1}}}}
```

## Then {{#then}}
It becomes {{{outcome} at 1}}.

- [x] One
  > So it is.
- [ ] Two
  > It is not.

```step
kind: predict
at: 0
then: {{advance: 1, settings: {set}}}
```
"""


@pytest.mark.parametrize("stage", STAGES)
def test_a_lesson_begins_with_it(stage):
    model = STAGES[stage]
    names = [name for name, value in outcomes(model(), 0, 1).items() if isfinite(value)]
    braces = ", ".join(f"{{{name} at 1}}" for name in names)
    valid = []
    for name, values in values_of(model):
        for value in values:
            run = RUN.format(
                braces=braces,
                outcome=names[0],
                expect=written(dict.fromkeys(names, 0)),
                reach=written({name: [0, 1] for name in names}),
            )
            text = FRONT.format(stage=stage, settings=written({name: value})) + run
            reading = used(text, Path("every-value.md"))
            valid.append(reading.lesson is not None)
            said = {problem.message for problem in reading.problems}
            assert any("is a learner's own data" in one for one in said) == (name == "data" and value == OWN)
    assert sum(valid) > len(valid) / 2, said


@pytest.mark.parametrize("stage", STAGES)
def test_a_step_sets_it(stage):
    model = STAGES[stage]
    first = next(iter(model.measured))
    for name, values in values_of(model):
        for value in values:
            step = SET.format(
                name=name,
                value=written(value),
                set=written({name: value}),
                outcome=first,
                reach=written({first: [0, 1]}),
            )
            reading = used(FRONT.format(stage=stage, settings="{}") + step, Path("every-value.md"))
            own = [problem for problem in reading.problems if "is a learner's own data" in problem.message]
            assert bool(own) == (name == "data" and value == OWN)
