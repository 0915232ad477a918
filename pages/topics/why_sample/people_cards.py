"""Cards of a class that is a chain: what one person of each half got, and what she did."""

from pages.drawing.cards import dart_in, numbered, quiet
from pages.drawing.numbers import counted
from pages.topics.why_sample.inspector import clustering
from pages.topics.why_sample.people_run import HALVES, PeopleRun

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
    ratios = [
        f"here {run.exact[a]:.3f}, there {run.exact[b]:.3f}: ratio <b>{run.ratio(a, b):.3f}</b>" for a, b, _ in ways
    ]
    bars = [_bar(record.chances[first], record.darts[first]) for first in firsts]
    ends = [
        f"{'moves to' if c != a else 'stays at'} {clustering(run, c)}: {run.heaps[t, half, c]:.3f} of this half’s "
        f"visits, and {run.exact[c]:.3f} of the posterior"
        for half, (a, _, c) in enumerate(ways)
    ]
    return numbered(
        ("Propose", _halves(proposed) + quiet("Any other clustering, each as probable.")),
        ("Compare", _halves(ratios) + quiet("The ratio of the posteriors: there over here.")),
        ("Accept or stay", _halves(bars) + quiet("The bar ends at the probability of moving.")),
        ("Pass on", _halves(ends) + quiet(f"After {counted(t, 'round')}.")),
    )


def _halves(said: list[str]) -> str:
    """Return a line for chain 1 of each half."""
    return "".join(f"<p><b>{half}</b> {each}</p>" for half, each in zip(HALVES, said, strict=True))


def _bar(chance: float, dart: float) -> str:
    place = "below" if dart < chance else "not below"
    return f"dart {dart:.3f}, {place} {chance:.3f}{dart_in([chance, 1 - chance], dart)}"
