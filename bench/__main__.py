"""Print the table of one group, or of all."""

import sys
from importlib import import_module
from pathlib import Path

from bench import Row

GROUPS = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
ALONE = ("soak", "attack", "varied", "edge")  # they take minutes, or half an hour: only when they are named


def line(row: Row) -> str:
    if row.value is None:
        return f"{row.what:<62}{'not measured':>13}"
    scale, bound = {"ms": 1e3, "share": 100}.get(row.unit, 1), ">=" if row.unit == "/s" else "<="
    unit = "%" if row.unit == "share" else row.unit
    limit = "" if row.limit is None else f"{bound} {row.limit * scale:g} {unit}{'' if holds(row) else '  MISSED'}"
    return f"{row.what:<62}{row.value * scale:>10.2f} {unit}   {limit:<20}{row.compared}".rstrip()


def holds(row: Row) -> bool:
    """Return whether a time is at most its limit, or a rate at least."""
    if row.value is None or row.limit is None:
        return True
    return row.value >= row.limit if row.unit == "/s" else row.value <= row.limit


def main(names: list[str]) -> None:
    unknown = sorted(set(names) - set(GROUPS))
    if unknown:
        raise SystemExit(f"no group {', '.join(unknown)}; there are: {', '.join(GROUPS)}")
    for name in names or [name for name in GROUPS if name not in ALONE]:
        print(f"{name}\n{'what':<62}{'median':>13}   {'limit':<20}compared")
        for row in import_module(f"bench.{name}").rows():
            print(line(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
