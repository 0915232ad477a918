"""The list of rules with the verdicts that are due."""

from pathlib import Path
from typing import NamedTuple

import yaml


class Case(NamedTuple):
    problem: str
    kind: str
    texts: tuple[str, ...]
    named: str | None


def cases() -> list[Case]:
    listed = yaml.safe_load(Path(__file__).with_name("rules.yaml").read_text(encoding="utf-8"))
    found = []
    for problem, kinds in listed.items():
        for kind, rules in kinds.items():
            for rule in rules:
                texts, named = rule if kind == "known" else (rule, None)
                found.append(Case(problem, kind, tuple(texts), named))
    return found


CASES = cases()
