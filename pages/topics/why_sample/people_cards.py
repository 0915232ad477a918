"""Cards of a class that is a chain: what one person of each half got, and what she did."""

from pages.drawing.cards import dart_in, numbered, quiet
from pages.drawing.numbers import counted
from pages.topics.why_sample.inspector import clustering
from pages.topics.why_sample.people_run import HALVES, PeopleRun

RULES = {
    "right": "moves if the dart is below the ratio",
    "upwards": "moves if the ratio is above 1, wherever the dart is",
    "preference": "moves if the dart is below ratio / (1 + ratio)",
}
NOTHING = "Nothing has been passed on yet. Press <b>Step</b> (or the right arrow): each chain goes to one person."


def passed(run: PeopleRun, t: int) -> str:
    """Return the step of chain 1 of each half in round t, in four beats."""
    if not t:
        return quiet(NOTHING)
    record, firsts = run.passed(t), (0, run.where.shape[2])
    ways = [
        (int(run.where[t - 1, half, 0]), record.proposed[first], int(run.where[t, half, 0]))
        for half, first in enumerate(firsts)
    ]
    proposed = [f"from {clustering(run, a)} to {clustering(run, b)}" for a, b, _ in ways]
    ratios = [f"{run.exact[b]:.3f} / {run.exact[a]:.3f} = <b>{run.ratio(a, b):.3f}</b>" for a, b, _ in ways]
    bars = [
        _bar(RULES[run.rule(half)], record.chances[first], record.darts[first]) for half, first in enumerate(firsts)
    ]
    ends = [
        f"{'moves to' if c != a else 'stays at'} {clustering(run, c)}: {run.heaps[t, half, c]:.3f} of this half’s "
        f"visits, and {run.exact[c]:.3f} of the posterior"
        for half, (a, _, c) in enumerate(ways)
    ]
    return numbered(
        ("Propose", _halves(proposed) + quiet("Any other clustering, each as probable.")),
        ("Compare", _halves(ratios) + quiet("The ratio of the posteriors: there over here.")),
        ("Accept or stay", _halves(bars)),
        ("Pass on", _halves(ends) + quiet(f"After {counted(t, 'round')}.")),
    )


def _halves(said: list[str]) -> str:
    """Return a line for chain 1 of each half."""
    return "".join(f"<p><b>{half}</b> {each}</p>" for half, each in zip(HALVES, said, strict=True))


def _bar(rule: str, chance: float, dart: float) -> str:
    return f"{rule}: {dart:.3f}{dart_in([chance, 1 - chance], dart)}"
