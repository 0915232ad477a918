"""Print all comparisons and write their table into PEERS.md; ``python -m bench.peers words`` prints one module's."""

import datetime
import os
import platform
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from bench.peers import Comparison, Result, measure

HERE = Path(__file__).parent
PAGE = HERE.parent / "PEERS.md"
MODULES = sorted(path.stem for path in HERE.glob("[!_]*.py"))
DRAWS = 10_000  # of a check against exact answers
BEGIN, END = "<!-- written by make peers -->\n", "<!-- end -->\n"
HEAD = ("who", "a unit takes", "time over ours", "effective draws a second", "the same answer")


def duration(seconds: float) -> str:
    """Return seconds in a unit that suits them.

    >>> duration(0.0000123), duration(0.5)
    ('12.3 µs', '500 ms')
    """
    scale, unit = (1e6, "µs") if seconds < 1e-3 else (1e3, "ms")
    return f"{figure(seconds * scale)} {unit}"


def figure(value: float) -> str:
    """Return a number with three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def agreement(result: Result, comparison: Comparison) -> str:
    """Return the worst of the verdicts in words."""
    if not comparison.same_work:
        return "another model: only the time is comparable"
    if not result.verdicts:
        return "the others are held to it"
    worst = max(result.verdicts, key=lambda verdict: verdict.share)
    apart = f"{worst.what}: {worst.apart:.2g} apart, {worst.allowed:.2g} allowed"
    return f"yes ({len(result.verdicts)} checks; {apart})" if result.same else f"NO: {apart}"


def lines(comparison: Comparison, results: list[Result]) -> Iterator[str]:
    """Yield a comparison as Markdown."""
    yield f"### {comparison.name}\n"
    effective = f" Effective draws are of the {comparison.counted}." if comparison.counted else ""
    yield f"{comparison.work} The unit is a {comparison.unit}.{effective}\n"
    yield f"| {' | '.join(HEAD)} |"
    yield "| --- | --: | --: | --: | --- |"
    for place, result in enumerate(results):
        if result.seconds is None:
            yield f"| {result.name} | not measured | | | {result.trouble} |"
            continue
        known = result.same or not comparison.same_work
        ratio = "" if not place or result.ratio is None else figure(result.ratio) if known else "none: other work"
        rate = "" if result.effective is None else figure(result.effective)
        name = f"ours, {result.name}" if not place else result.name
        yield f"| {name} | {duration(result.seconds)} | {ratio} | {rate} | {agreement(result, comparison)} |"
    yield ""


def machine() -> str:
    """Return date, processor and versions."""
    found = [line.split(":")[1].strip() for line in _cpuinfo() if line.startswith("model name")]
    processor = found[0] if found else platform.processor() or platform.machine()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{datetime.date.today()}, {processor}, {os.cpu_count()} cores, {platform.system()}, {python}\n"


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text("utf-8").splitlines() if path.is_file() else []


def main(names: list[str]) -> None:
    unknown = sorted(set(names) - set(MODULES))
    if unknown:
        raise SystemExit(f"no comparison {', '.join(unknown)}; there are: {', '.join(MODULES)}")
    found = [machine()]
    print(found[0], flush=True)
    for name in names or MODULES:
        for comparison in import_module(f"bench.peers.{name}").comparisons(DRAWS):
            text = list(lines(comparison, measure(comparison)))
            print("\n".join(text), flush=True)
            found += text
    if not names:
        before, rest = PAGE.read_text("utf-8").split(BEGIN)
        table = "\n".join(found)
        PAGE.write_text(f"{before}{BEGIN}\n{table}{END}{rest.split(END)[1]}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
