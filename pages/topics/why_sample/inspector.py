"""One update opened: the options of the point at hand, with the numbers in the formula; and the code that ran."""

from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import GIBBS, watch_updates
from pages.drawing.cards import Option, dart, pointing, quiet, score_table
from pages.drawing.numbers import counted, multiplied
from pages.scenes.close_up import four_beats
from pages.topics.why_sample.run import Clusterings, WhyRun
from samplers import Update
from samplers.crp.one_at_a_time import Turn
from samplers.partitions import named

NOTHING = (
    "Nothing has been drawn yet. Press <b>Step</b> (or the right arrow): point 1 is lifted out and chooses a group."
)


def clustering(run: Clusterings, index: int) -> str:
    """Return a clustering's name, which lights it in the charts."""
    return pointing(f"clustering-{index + 1}", f"<b>{named(run.partitions[index])}</b>")


def update(run: WhyRun, t: int) -> str:
    """Return update t in its four beats."""
    if not t:
        return quiet(NOTHING)
    made: Update = run.chain.record(t)[0]
    before = run.chain[t - 1]
    lifted = before.copy()
    run.sampler.forget(lifted, made.site)
    options = _options(run, lifted, made)
    point = _point(made.site)
    alone = before.mixture.labels.count(before.mixture.labels[made.site]) == 1
    fate = "It was alone, so its group is gone." if alone else "The others of its group stay together."
    uniform = made.uniform or 0.0
    one = quiet("One run of the crowd:") if run.settings.shown == "crowd" else ""
    return one + four_beats(
        (
            f"<p>From {clustering(run, int(run.path[t - 1]))}, {point} is lifted out. {fate}</p>",
            score_table(options, made.value, "points there, or α for a new group · fit = product")
            + quiet("Its share of all products is its probability."),
            f"<p>Random number: {uniform:.3f}. The dart lands there on the bar of probabilities.</p>"
            f"{dart(options, uniform)}",
            f"<p>{_point(made.site, 'Point')} {_joined(run, t, made)}: {clustering(run, int(run.path[t]))}.</p>"
            f"<p>That is visit {run.visits[t, run.path[t]]} to it in {counted(t, 'update')}.</p>",
        )
    )


def _point(site: int, word: str = "point") -> str:
    return pointing(f"point-{site + 1}", f"{word} {site + 1}")


def _options(run: WhyRun, lifted: Turn, made: Update) -> list[Option]:
    """Return the options of the point, each with the clustering to which it leads."""
    sampler = run.sampler
    terms = made.conditional.terms
    weights, fits = terms[sampler.mixture.already_there], terms[sampler.mixture.fit]
    found = []
    for option, chance in enumerate(made.conditional.probabilities.tolist()):
        after = lifted.copy()
        sampler.remember(after, made.site, option)
        index = run.partitions.index(after.partition)
        numbers = multiplied(weights[option], fits[option])
        labels = after.mixture.labels
        group = labels.index(labels[made.site])
        said = named(run.partitions[index])
        found.append(Option(said, said, group, numbers, chance, f"clustering-{index + 1}"))
    return found


def _joined(run: WhyRun, t: int, made: Update) -> str:
    labels = run.chain[t].mixture.labels
    others = [str(i + 1) for i, label in enumerate(labels) if label == labels[made.site] and i != made.site]
    if not others:
        return "is alone now"
    return f"is with {'point' if len(others) == 1 else 'points'} {' and '.join(others)} now"


def code(run: WhyRun, t: int) -> str:
    """Return the code of update t, as it ran."""
    mistakes = of_class(run.sampler.mixture)
    if not t:
        return listing(GIBBS, mistakes=mistakes)
    (update,) = run.chain.record(t)
    where = named(run.partitions[int(run.path[t])])
    notes = {"site": f"point {update.site + 1}", "value": f"to {where}"}
    return listing(GIBBS, watch_updates(run.chain, t), mistakes, notes)
