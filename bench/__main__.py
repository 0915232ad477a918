"""Print the table of one group, or of all."""

import sys
from importlib import import_module
from pathlib import Path

from bench import Reference, Row, bare_loop

GROUPS = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))
ALONE = ("soak", "attack", "varied", "edge")  # they take minutes, or half an hour: only when they are named


def head(reference: Reference) -> str:
    """Return the head of the table, which says what the rows below it are compared with."""
    now, then = (f"{1e3 * seconds:.2f} ms" for seconds in (reference.seconds, reference.agreed))
    what = f"reference: {now} here, {then} where limits were agreed"
    return f"{what:<62}{'median':>10} {'':<5}{reference.what:>12}   {'limit here':<26}compared"


def line(row: Row, reference: Reference) -> str:
    """Return a row as text: its value and its limit, each also as a multiple of the reference."""
    if row.value is None:
        return f"{row.what:<62}{'not measured':>13}"
    scale, bound = {"ms": 1e3, "share": 100}.get(row.unit, 1), ">=" if row.unit == "/s" else "<="
    unit = "%" if row.unit == "share" else row.unit
    most = limit_here(row, reference)
    limit = "" if most is None else f"{bound} {most * scale:.4g} {unit}{multiple(row, most, reference, ' ({})')}"
    missed = "" if holds(row, reference) else "  MISSED"
    value = f"{row.value * scale:>10.2f} {unit:<5}{multiple(row, row.value, reference, '{}'):>12}"
    return f"{row.what:<62}{value}   {limit + missed:<26}{row.compared}".rstrip()


def multiple(row: Row, value: float, reference: Reference, form: str) -> str:
    """Return how many times the reference a time is, or how many come while it passes; "" for what is no time."""
    times = {"ms": value / reference.seconds, "/s": value * reference.seconds}.get(row.unit)
    return "" if times is None else form.format(f"{times:.4g}")


def limit_here(row: Row, reference: Reference) -> float | None:
    """Return the limit of a row on this machine: those of times and rates go with the reference."""
    slower = reference.seconds / reference.agreed
    return row.limit and row.limit * {"ms": slower, "/s": 1 / slower}.get(row.unit, 1.0)


def holds(row: Row, reference: Reference) -> bool:
    """Return whether a time is at most its limit, or a rate at least."""
    most = limit_here(row, reference)
    if row.value is None or most is None:
        return True
    return row.value >= most if row.unit == "/s" else row.value <= most


def main(names: list[str]) -> None:
    unknown = sorted(set(names) - set(GROUPS))
    if unknown:
        raise SystemExit(f"no group {', '.join(unknown)}; there are: {', '.join(GROUPS)}")
    for name in names or [name for name in GROUPS if name not in ALONE]:
        reference = bare_loop()
        print(f"{name}\n{head(reference)}")
        for row in import_module(f"bench.{name}").rows():
            if isinstance(row, Reference):
                reference = row
            print(head(reference) if row is reference else line(row, reference), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
