"""log_sum_exp of a document's γ: with its largest term taken out, and what happens without that."""

import numpy as np

from pages.drawing.cards import badge, quiet
from pages.drawing.numbers import bracketed, cut, enough_digits, fixed, nearly_sure, significant, small, subtracted
from pages.scenes.leapfrog_cards import even
from pages.topics.marginalise.scene import MarginaliseScene
from samplers.gradient.naive_bayes_marginal import LogSumExp, naive_log_sum_exp

MOST_TERMS = 4  # words that are written out


def panel(scene: MarginaliseScene, iteration: int) -> str:
    """Return the stable way in three beats, and the naive way beside it."""
    position = scene.run.positions[iteration].astype(float)
    terms, gamma = scene.gamma(position)
    sums = LogSumExp(gamma)
    names = [badge(str(label + 1), label) for label in range(len(gamma))]
    largest = fixed(float(sums.largest))
    rows = "".join(f"<p>{name} {_terms(scene, terms[:, k], gamma[k])}</p>" for k, name in enumerate(names))
    shifted = "".join(
        f"<p>{name} exp({fixed(value)} − {bracketed(largest)}) = <b>{small(part)}</b></p>"
        for name, value, part in zip(names, gamma, sums.shifted, strict=True)
    )
    shares = (small(share) if share < 0.001 else nearly_sure(share) for share in sums.softmax.tolist())
    back = " ".join(f"{name} {share}" for name, share in zip(names, shares, strict=True))
    lines = even(
        ("γ and its largest", f"{rows}<p>max γ = <b>{largest}</b></p>"),
        ("Shift, then exponentiate", shifted + quiet("The largest is always 1.")),
        (
            "Sum, log, back",
            f"<p>{largest} + log {float(sums.shifted.sum()):.3f} = <b>{fixed(float(sums.values))}</b></p>"
            f"<p>Pr[z = k]: {back}</p>",
        ),
        ("Without the shift", _naive(gamma)),
    )
    return f'{quiet(scene.heading)}<div class="sums">{lines}</div>'


def _terms(scene: MarginaliseScene, terms: np.ndarray, gamma: float) -> str:
    times = scene.times
    first, *others = terms.tolist()
    if times > 1:
        return _repeated(times, first, -sum(others), gamma)
    if len(others) <= MOST_TERMS:
        return subtracted(first, *map(abs, others), mark="b")
    words = " ".join(f"− {abs(value):.2f}" for value in others[:MOST_TERMS])
    return f"{fixed(first)} {words} − … = <b>{fixed(gamma)}</b>"


def _repeated(times: int, weight: float, once: float, gamma: float) -> str:
    """Return the γ of a message that is written several times over, with the digits in which a reader finds it."""
    told = fixed(gamma)
    digits = enough_digits(lambda n: cut(weight, n) - times * cut(once, n), sum(map(str.isdigit, told)))
    return f"{significant(weight, digits)} − {times} · {significant(once, digits)} = <b>{told}</b>"


def _naive(gamma: np.ndarray) -> str:
    exps = " + ".join(small(float(np.exp(value))) for value in gamma)
    naive = float(naive_log_sum_exp(gamma))
    verdict = (
        f"= <b>{fixed(naive)}</b></p><p class='quiet'>The same, as long as exp γ is above 0."
        if np.isfinite(naive)
        else "= log 0 = <b class='lost'>−∞</b></p><p class='quiet'>The density is gone, and its gradient is 0 / 0."
    )
    return f"<p>log({exps})</p><p>{verdict}</p>"
