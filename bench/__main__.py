"""Print the table of one group, or of all."""

import sys
from importlib import import_module
from pathlib import Path

from bench import LOOP, Row, bare_loop

GROUPS = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
ALONE = ("soak", "attack", "varied", "edge")  # they take minutes, or half an hour: only when they are named


def line(row: Row, loop: float) -> str:
    """Return a row as text, on a machine where a bare loop takes `loop` seconds."""
    if row.value is None:
        return f"{row.what:<62}{'not measured':>13}"
    scale, bound = {"ms": 1e3, "share": 100}.get(row.unit, 1), ">=" if row.unit == "/s" else "<="
    unit = "%" if row.unit == "share" else row.unit
    most = limit_here(row, loop)
    limit = "" if most is None else f"{bound} {most * scale:.4g} {unit}{'' if holds(row, loop) else '  MISSED'}"
    loops = f"{row.value / loop:.4g}" if row.unit == "ms" else ""
    return f"{row.what:<62}{row.value * scale:>10.2f} {unit:<5}{loops:>8}   {limit:<20}{row.compared}".rstrip()


def limit_here(row: Row, loop: float) -> float | None:
    """Return the limit of a row where a bare loop takes `loop` seconds: those of times and rates go with it."""
    slower = loop / LOOP
    return row.limit and row.limit * {"ms": slower, "/s": 1 / slower}.get(row.unit, 1.0)


def holds(row: Row, loop: float) -> bool:
    """Return whether a time is at most its limit, or a rate at least."""
    most = limit_here(row, loop)
    if row.value is None or most is None:
        return True
    return row.value >= most if row.unit == "/s" else row.value <= most


def main(names: list[str]) -> None:
    unknown = sorted(set(names) - set(GROUPS))
    if unknown:
        raise SystemExit(f"no group {', '.join(unknown)}; there are: {', '.join(GROUPS)}")
    for name in names or [name for name in GROUPS if name not in ALONE]:
        loop = bare_loop()
        print(f"{name}; a bare loop takes {1e3 * loop:.2f} ms here, and {1e3 * LOOP:.2f} ms where limits were agreed")
        print(f"{'what':<62}{'median':>10} {'':<5}{'loops':>8}   {'limit here':<20}compared")
        for row in import_module(f"bench.{name}").rows():
            print(line(row, loop), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
