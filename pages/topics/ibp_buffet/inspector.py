"""The choices of this customer, and the probability of the whole matrix, with the numbers in the formulas."""

from math import exp, factorial, lgamma, log

import numpy as np

from pages.code.listing import listing
from pages.code.mistakes import of_class
from pages.code.watch import GIBBS, watch_updates
from pages.drawing.cards import MOST_ROWS, Option, badge, dart, numbered, pointing, quiet, score_table, table
from pages.drawing.numbers import counted, fixed, of_its_log, probability, significant
from pages.topics.ibp_buffet.run import BuffetRun
from samplers.buffet.exact import harmonic, left_ordered, log_probability_of_class
from samplers.buffet.prior import NEW, TAKES

SHOWN = 4  # old dishes, one by one
LIKELY = 0.995  # what the numbers of new dishes that are listed have together
NOBODY = "No customer is here yet. Press <b>Step</b> (or the right arrow): the first customer passes along the buffet."


def customer(run: BuffetRun, t: int) -> str:
    """Return the beats of the t-th customer's choice as HTML."""
    if t == 0:
        return quiet(NOBODY)
    finite = run.settings.model == "finite"
    last = _untouched(run, t) if finite else _new(run, t)
    beats = numbered(
        ("Arrive", f"<p>{_who(t)} comes in. {_company(run, t)}</p>"),
        ("Columns taken before" if finite else "Old dishes", _old(run, t)),
        ("Untouched columns" if finite else "New dishes", last),
        (
            "Leave",
            f"<p>{_who(t)} leaves with {counted(int(run.plates[t - 1]), 'dish', 'dishes')}. {_popular(run, t)}</p>",
        ),
    )
    return f'<div class="long">{beats}</div>' if finite else f'<div class="buffet long">{beats}</div>'


def _who(t: int) -> str:
    return pointing(f"customer-{t}", f"Customer {t}")


def _dish(dish: int) -> str:
    """Return a dish's number, from 0, in its colour, which lights it."""
    return pointing(f"dish-{dish + 1}", badge(str(dish + 1), dish))


def _company(run: BuffetRun, t: int) -> str:
    if t == 1:
        return "This is the first customer."
    known = counted(int(run.dish_numbers[t - 1]), "dish", "dishes")
    return f"{counted(t - 1, 'customer has', 'customers have')} been here, with {known} taken so far."


def _old(run: BuffetRun, t: int) -> str:
    """Return the dishes taken so far, with count, probability and dart; the most probable of them one by one."""
    counts, share = run.counts(t), run.sampler.share
    made = {update.site: update for update in run.choices(t) if update.site != NEW}
    known = sorted((dish for dish, count in enumerate(counts) if count), key=lambda dish: (-counts[dish], dish))
    if not known:
        return quiet("There are none.")
    rows = []
    for dish in known[:SHOWN]:
        update, count = made[dish], counts[dish] + share
        compared, verdict = ("&lt;", "<b>takes</b>") if update.value == TAKES else ("≥", "passes")
        formula = f"{count:.4g} / {t + share:.4g} = {count / (t + share):.3f}"
        rows.append((_dish(dish), formula, f"{update.uniform:.3f} {compared}", verdict))
    rest = known[SHOWN:]
    taken = sum(made[dish].value == TAKES for dish in rest)
    more = quiet(f"and {counted(len(rest), 'more dish', 'more dishes')}, of which {taken} taken") if rest else ""
    rule = f"p = (m<sub>k</sub> + α/K) / (n + α/K) with α/K = {share:.3g}" if share else "p = m<sub>k</sub> / n"
    return quiet(rule) + table(("dish", "p", "random", ""), rows) + more


def _new(run: BuffetRun, t: int) -> str:
    """Return the number of new dishes, with its Poisson distribution and the dart."""
    update, mean = run.choices(t)[-1], run.sampler.new_mean(t)
    probabilities = update.conditional.probabilities.tolist()
    likely = min(sum(np.cumsum(probabilities) < LIKELY), MOST_ROWS - 1)  # from 0 on, without a gap
    most = max(update.value, likely, 1) + 1
    options = [
        Option(f"{number} new", str(number), None, "", chance, "new")
        for number, chance in enumerate(probabilities[:most])
    ]
    alpha, number = run.settings.concentration, update.value
    rate = f"α / n = {alpha:g} / {t} = {mean:.3g}" if mean == alpha / t else f"α = {mean:.3g}"  # by a wrong rule
    under = f"{factorial(number)}" if number < 8 else f"{number}!"
    chance = (
        f"{mean:.3g}<sup>{number}</sup> e<sup>−{mean:.3g}</sup> / {under} = <b>{probability(probabilities[number])}</b>"
    )
    return (
        f"{score_table(options, number, f'Poisson, mean {rate}')}{dart(options, update.uniform or 0.0, 'new')}"
        f"<p>{pointing('new', f'Random number: {update.uniform:.3f}')}: <b>{number} new</b></p>"
        f"<p>p({number}) = {chance}</p>"
    )


def _untouched(run: BuffetRun, t: int) -> str:
    """Return the expected number of columns taken for the first time, beside the buffet's new dishes."""
    share, alpha = run.sampler.share, run.settings.concentration
    untouched = run.counts(t).count(0)
    each = share / (t + share)
    return (
        f"<p>{counted(untouched, 'column')}, each with (0 + α/K) / (n + α/K) = {share:.3g} / {t + share:.4g} = "
        f"{each:.4f}.</p><p>On average {untouched} · {each:.4f} = <b>{untouched * each:.3f}</b> of them are taken, "
        f"here {run.new[t - 1]}. The buffet: α / n = {alpha / t:.3f}.</p>"
    )


def _popular(run: BuffetRun, t: int) -> str:
    """Return which dish most customers have taken so far."""
    takers = run.matrix[:t].sum(axis=0)
    if not takers.any():
        return "Nothing has been taken."
    best = int(takers.argmax())
    return f"{_dish(best)} is the most popular so far: {takers[best]} of {counted(t, 'customer')}."


def code(run: BuffetRun, t: int) -> str:
    """Return the code of the t-th customer, as it ran: the loop as it ended, and all that it called."""
    mistakes = of_class(run.sampler)
    if not t:
        return listing(GIBBS, mistakes=mistakes)
    choices = run.choices(t)
    last = choices[-1]
    if last.site == NEW:
        site, value = "after all old dishes", counted(last.value, "new dish", "new dishes")
    else:
        site, value = f"column {len(run.places)}", "takes it" if last.value == TAKES else "leaves it"
    calls = watch_updates(run.chain, t, len(choices))
    return listing(GIBBS, calls, mistakes, {"site": site, "value": value})


# ---- the whole matrix ------------------------------------------------------------------------------------------------


def matrix(run: BuffetRun, t: int) -> str:
    """Return the probability of the matrix after t customers, up to the order of its columns, as HTML."""
    if t == 0:
        return quiet(NOBODY)
    seen, alpha = run.matrix[:t], run.settings.concentration
    return _limit(seen, alpha, run.settings.columns) if run.settings.model == "finite" else _factors(seen, alpha)


def _factors(seen: np.ndarray, alpha: float) -> str:
    """Return the factors of the probability of a class, with their numbers, and the same for the customers reversed."""
    form = left_ordered(seen)
    customers, dishes = form.shape
    _, alike = np.unique(form, axis=1, return_counts=True) if dishes else (None, np.array([], int))
    takers = form.sum(axis=0).tolist()
    repeats = [factorial(int(count)) for count in alike if count > 1]
    powers = f"{alpha:g}<sup>{dishes}</sup>"
    under = f" / {' · '.join(f'{int(count)}!' for count in alike if count > 1)}" if repeats else ""
    each = sum(lgamma(customers - m + 1) + lgamma(m) - lgamma(customers + 1) for m in takers)
    rate = alpha * harmonic(customers)
    total = log_probability_of_class(form, alpha)
    reverse = log_probability_of_class(seen[::-1], alpha)
    rows = (
        (
            "α<sup>K</sup> / ∏ K<sub>h</sub>!",
            f"{powers}{under}",
            fixed(dishes * log(alpha) - sum(map(log, repeats)), 3),
        ),
        (
            "exp(−α H<sub>n</sub>)",
            f"exp(−{alpha:g} · {harmonic(customers):.3f}) = {significant(exp(-rate))}",
            fixed(-rate, 3),
        ),
        ("∏ (n − m<sub>k</sub>)! (m<sub>k</sub> − 1)! / n!", _dishes(customers, takers), fixed(each, 3)),
        ("<b>together</b>", f"p = {of_its_log(total)}", f"<b>{fixed(total, 3)}</b>"),
        ("customers in reverse order", f"p = {of_its_log(reverse)}", f"<b>{fixed(reverse, 3)}</b>"),
    )
    return table(("factor", "here", "log"), rows) + quiet(
        "The probability of all matrices with the same left-ordered form. Who came first does not matter: only "
        "how many have taken each dish, and which columns are the same."
    )


def _dishes(customers: int, takers: list[int]) -> str:
    """Return the factors of the dishes with few customers, so that they can be computed by hand."""
    shown = [f"{customers - m}! {m - 1}! / {customers}!" for m in takers[:2]]
    return " · ".join([*shown, *(["…"] if len(takers) > 2 else [])]) or "no dish"


def _limit(seen: np.ndarray, alpha: float, columns: int) -> str:
    """Return the probability of a class under more and more columns, beside the buffet's."""
    numbers = [columns * 10**power for power in range(4)]
    logs = [log_probability_of_class(seen, alpha, number) for number in numbers]
    names = [f"K = {number:,}" for number in numbers]
    limit = log_probability_of_class(seen, alpha)
    rows = [(name, of_its_log(value), fixed(value, 3)) for name, value in zip(names, logs, strict=True)]
    rows.append(("<b>the buffet</b>", of_its_log(limit), f"<b>{fixed(limit, 3)}</b>"))
    times = of_its_log(logs[0] - limit)
    return table(("columns", "p of these rows", "log"), rows) + quiet(
        f"The probability of this matrix up to the order of its columns. With K = {columns:,} it is {times} times the "
        "buffet's, and with more columns the two come closer."
    )
