"""Lessons with data, one for each topic that takes any, and their files."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from lessons.check.files import Reading, read_lesson

TABLE = "Name;Größe;Gewicht\n" + "".join(f"Person {n};{150 + n * n % 37},5;{50 + n * 7 % 41},25\n" for n in range(24))
CLASSES = "Größe,Gewicht,krank\n" + "".join(f"{n * n % 11},{n * 3 % 7},{int(n > 8)}\n" for n in range(17))
MESSAGES = "Art;Nachricht\n" + "".join(
    f"{kind};{text}\n"
    for kind, text in (
        ("Post", "Rufst du mich heute Abend an"),
        ("Werbung", "Gewinne heute einen Preis"),
        ("Post", "Essen wir heute Abend Brot"),
        ("Werbung", "Ein Preis wartet, gewinne ihn"),
        ("Post", "Das Brot ist im Schrank"),
    )
)
DRAWS = "chain,draw,mu,tau,lp__\n" + "".join(
    f"{chain},{draw},{draw * draw % 7 + chain},{(draw * 3 + chain) % 5}.5,-{draw % 4}\n"
    for chain in (1, 2)
    for draw in range(1, 13)
)
POINTS = "{file: größen.csv, columns: [Größe, Gewicht]}"


class Sample(NamedTuple):
    """A lesson's claim about its data, the file, and an outcome of its run."""

    data: str
    name: str
    text: str
    outcome: str
    settings: str = "{}"

    def with_(self, **changes: str) -> "Sample":
        """Return another one."""
        return self._replace(**changes)


SAMPLES = {
    "crp_mixture": Sample(POINTS, "größen.csv", TABLE, "tables"),
    "jumps": Sample(POINTS, "größen.csv", TABLE, "tables"),
    "gibbs_blobs": Sample("{file: größen.csv, columns: [Gewicht]}", "größen.csv", TABLE, "largest"),
    "climb_mixture": Sample("{file: größen.csv, standardise: false}", "größen.csv", TABLE, "bound"),
    "hidden_chain": Sample("{file: größen.csv, columns: [Gewicht]}", "größen.csv", TABLE, "changes"),
    "ibp_features": Sample("größen.csv", "größen.csv", TABLE, "features"),
    "logistic": Sample("{file: kranke.csv, label: krank}", "kranke.csv", CLASSES, "width"),
    "generative": Sample(
        "{file: kranke.csv, columns: [Gewicht, Größe], label: krank}", "kranke.csv", CLASSES, "weight"
    ),
    "gibbs_text": Sample(
        "{file: post.csv, text: Nachricht, label: Art}", "post.csv", MESSAGES, "first_class", "{known_labels: 2}"
    ),
    "walk_the_hill": Sample("{file: draws.csv, columns: [mu, tau]}", "draws.csv", DRAWS, "x"),
    "gibbs_topics": Sample("{file: post.csv, text: Nachricht}", "post.csv", MESSAGES, "largest", "{topics: 2}"),
}
LESSON = """---
schema: 1
id: with-data
title: Own data
stage: {stage}
track: own data
minutes: 5
objectives: [see one's own data]
summary: [One, Two, Three]
data: {sample.data}
stage_settings: {sample.settings}
seed: 7
---
## Before {{#before}}
After four it is {{{sample.outcome} at 4}}.

- [x] {{{sample.outcome}}} {{#it}}
  > Right.
- [ ] else
  > No.

```step
kind: predict
at: 0
number: {{outcome: {sample.outcome}}}
then: {{advance: 4}}
```

## Look {{#look}}
Look.

```step
kind: run
until: 8
```

## Play {{#play}}
Play.

- [ ] Go to the third one. {{#third}}

```step
kind: sandbox
at: 0
goals: {{third: {{at: 3}}}}
```
"""


def write(folder: Path, stage: str, sample: Sample | None = None, edit: Callable[[str], str] = str) -> Path:
    """Write a topic's lesson with data and its file; return the lesson's path."""
    sample = sample or SAMPLES[stage]
    (folder / sample.name).write_bytes(sample.text.encode("cp1252"))
    path = folder / "with-data.md"
    path.write_text(edit(LESSON.format(stage=stage, sample=sample)), "utf-8")
    return path


def read(folder: Path, stage: str, sample: Sample | None = None, edit: Callable[[str], str] = str) -> Reading:
    """Return the reading of a topic's lesson with data."""
    return read_lesson(write(folder, stage, sample, edit))
