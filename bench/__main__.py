"""Print the table of one group, or of all."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from bench import Row

GROUPS = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def line(row: Row) -> str:
    limit = "" if row.limit is None else f"<= {row.limit * 1e3:g} ms{'' if row.seconds <= row.limit else '  OVER'}"
    return f"{row.what:<62}{row.seconds * 1e3:>10.2f} ms   {limit:<18}{row.compared}".rstrip()


def main(names: list[str]) -> None:
    unknown = sorted(set(names) - set(GROUPS))
    if unknown:
        raise SystemExit(f"no group {', '.join(unknown)}; there are: {', '.join(GROUPS)}")
    for name in names or GROUPS:
        print(f"{name}\n{'what':<62}{'median':>13}   {'limit':<18}compared")
        for row in import_module(f"bench.{name}").rows():
            print(line(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
