"""Cards of runs that share their darts: an update as one bar for each clustering, and a draw from the past."""

import numpy as np

from pages.drawing.cards import dart_in, numbered, pointing, quiet, table
from pages.drawing.numbers import counted
from pages.topics.why_sample.inspector import clustering
from pages.topics.why_sample.shared_runs import PastRun, StartsRun

MOST = 8  # rows of a table of clusterings
NOTHING = "Nothing has been drawn yet. Press <b>Step</b> (or the right arrow): "


def update(run: StartsRun, t: int) -> str:
    """Return update t: the dart, and where it sends the runs from each clustering."""
    if not t:
        return quiet(f"{NOTHING}one dart updates point 1 in all runs.")
    point = run.turn(t)
    pairs = list(zip(run.where[t - 1].tolist(), run.where[t].tolist(), strict=True))
    changed = run.two and t == run.settings.changed
    moves = pairs if changed else list(dict.fromkeys(pairs))
    darts = [run.dart(t), run.settings.put] if changed else [run.dart(t)]
    said = " and ".join(f"<b>{dart:.3f}</b>" for dart in darts)
    rows = []
    for number, (start, end) in enumerate(moves[:MOST]):
        bar = run.matrices[point][start][_in_order(run, point, start)].tolist()
        here = dart_in(bar, darts[min(number, len(darts) - 1)])
        many = 1 if changed else pairs.count((start, end))
        rows.append((clustering(run, start), here, clustering(run, end), f"{many}"))
    more = quiet(f"and {counted(len(moves) - MOST, 'more clustering')}") if len(moves) > MOST else ""
    each = "each its own dart" if changed else "one dart for all runs"
    return numbered(
        ("Forget", f"<p>{pointing(f'point-{point + 1}', f'Point {point + 1}')} is lifted out in all runs.</p>"),
        (
            "Sample",
            f"<p>Random number: {said}, {each}.</p>"
            + table(("from", "its bar, and the dart", "to", "runs"), rows)
            + more,
        ),
        ("Remember", f"<p>{_left(run, t)}</p>"),
    )


def _in_order(run: StartsRun, point: int, start: int) -> list[int]:
    """Return the clusterings to which an update can lead, in the order of the bar."""
    maps, found = run.chain.sampler.updates[point].maps, []  # type: ignore[attr-defined]
    for image in maps[:, start].tolist():
        if image not in found:
            found.append(image)
    return found


def _left(run: StartsRun, t: int) -> str:
    now, was = int(run.left[t]), int(run.left[t - 1])
    if run.two:
        if now == 1:
            met = "They have met" if was == 2 else "They are together"
            return f"{met}: from here on, the same darts do the same in both."
        why = "two darts land on one bar" if t == run.settings.changed else "the same dart lands on different bars"
        return f"The two runs are apart: {why}."
    if now == 1:
        return "All runs are one, wherever they began: the start is forgotten."
    return f"The runs were in {counted(was, 'clustering')} and are in {now} now. Runs that have met stay together."


def draw(run: PastRun, t: int) -> str:
    """Return draw t: how far in the past its starts began, and what becomes of them."""
    if not t:
        return quiet(f"{NOTHING}all starts begin in the past, and the one that is left now is a draw.")
    found = run.state(t)
    where = clustering(run, int(run.path[t]))
    if run.mistake:
        began = f"<p>All {len(run.partitions)} starts begin now and go on with the same darts.</p>"
        met = (
            f"<p>After {counted(len(found.darts), 'update')} they have met, at {where}. That is taken as the draw.</p>"
        )
        return numbered(("Begin", began), ("Meet", met), ("Remember", _share(run, t)))
    rows = [(counted(back, "sweep"), f"{_ends(run, found.darts, back)}") for back in _halves(found.sweeps)]
    began = (
        f"<p>All {len(run.partitions)} starts begin some sweeps ago, and do the same darts until now. If more than "
        "one clustering is left, they begin twice as far back; the darts of the sweeps near now stay as they are.</p>"
    )
    return numbered(
        ("Begin in the past", began),
        ("Are they one now?", table(("began", "clusterings left now"), rows)),
        ("Remember", f"<p>One is left, {where}: a draw from the exact posterior.</p>{_share(run, t)}"),
    )


def _halves(sweeps: int) -> list[int]:
    """Return 1, 2, 4, ... up to a number of sweeps."""
    return [2**power for power in range(sweeps.bit_length())]


def _ends(run: PastRun, darts: tuple[float, ...], back: int) -> int:
    """Return how many clusterings are left now, if all starts begin `back` sweeps ago."""
    path: np.ndarray = run.chain.sampler.path(darts[len(darts) - back * run.points :])  # type: ignore[attr-defined]
    return len({*path[-1].tolist()})


def _share(run: PastRun, t: int) -> str:
    visits = int(run.visits[t, run.path[t]])
    return (
        f"<p>{clustering(run, int(run.path[t]))} has come up in {visits} of {counted(t, 'draw')}; its exact posterior "
        f"is {run.exact[run.path[t]]:.3f}.</p>"
    )
