"""The museum of errors: each known error of the judge's bank, with its smallest counterexample as a picture."""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import NamedTuple

from samplers.judge.bank import PROBLEMS
from samplers.judge.problem import CASES, Problem
from samplers.judge.table import CASE, State
from samplers.judge.verdict import Counterexample, Verdict, judge, verdict_on

COLORS, LISTED = 10, 6  # as in drawing.js
POST = (
    '<a href="https://suzyahyah.github.io/bayesian%20inference/nlp/2017/12/05/Gibbs-Sampling-on-DMM.html">“Gibbs '
    "Sampling on Dirichlet Multinomial Naive Bayes (Text)”</a>, a post of 2017"
)
TUTORIAL = '<a href="https://doi.org/10.1016/j.jmp.2011.08.004">Gershman &amp; Blei (2012)</a>'
GSDMM = '<a href="https://github.com/rwalk/gsdmm">gsdmm</a>, a program for clustering short texts'
TAUGHT = "Public code that serves as teaching material"
SEEN = {  # where an error stood in public
    (
        "pi-integrated",
        "one too few, or γ left out: an empty class has nothing",
    ): f"{POST}: it takes one off although the document has been forgotten.",
    (
        "pi-integrated",
        "the -1 is divided on its own",
    ): "“Stepping Into the Mixtures With Gibbs Sampling”, a post of the blog Wordsi, in the Scala line "
    "<code>labelCounts + alpha - 1 / (n-1+alpha.sum)</code>.",
    (
        "pi-explicit",
        "the counts in place of the weights: two samplers mixed",
    ): f"{POST}: π is drawn once and kept, though the update integrates it out.",
    (
        "naive-bayes-logs",
        "no logarithms: the product underflows",
    ): f"{GSDMM}, which exponentiates without taking the largest out.",
    (
        "naive-bayes-collapsed",
        "repeated words as powers",
    ): f"{GSDMM}: a word that occurs twice is scored by a square, which is right only where no word repeats.",
    (
        "expected-tables",
        "α log N taken as exact",
    ): f"{TUTORIAL}, section 2.3, which gives α log N for it.",
    (
        "logistic-gradient",
        "the prior without its 1/2",
    ): "Rai (2019), notes on Bayesian logistic regression for the course CS698X: one slide writes the Normal prior "
    "N(0, I/λ) as exp(−λ wᵀw / 2), and a later one as exp(−λ wᵀw).",
    (
        "ibp-bit",
        "own features are dropped",
    ): "The first version of this program: its comparison with the exact posterior failed.",
    ("crp-mixture", "the emptied table is offered too"): "A published library of samplers.",
    ("crp-mixture", "the new table is guessed"): f"{TAUGHT}: a new table's mean is drawn from the prior.",
    ("buffet-line", "new dishes for everyone"): f"{TAUGHT}: each customer draws Poisson(α) new dishes.",
}


class Exhibit(NamedTuple):
    """A known error: its name, a rule that makes it, where there is one, and the verdict on it."""

    name: str
    rule: Sequence[str]
    verdict: Verdict


@lru_cache(64)
def exhibits(problem: str) -> tuple[Exhibit, ...]:
    """Return the known errors of a problem."""
    return tuple(_exhibit(PROBLEMS[problem], name) for name in PROBLEMS[problem].wrong)


def _exhibit(problem: Problem, name: str) -> Exhibit:
    forms = problem.wrong[name]
    rule = next((form for form in forms if not callable(form)), None)
    if rule is not None:
        return Exhibit(name, rule, judge(problem, rule))
    rows = next(form for form in forms if callable(form))
    return Exhibit(name, (), verdict_on(problem, rows))


def exhibition(problem: Problem) -> str:
    """Return the right rule of a problem and all its known errors."""
    shown = "".join(_shown(problem, one) for one in exhibits(problem.id))
    return f'<div class="museum">{_rule(problem, problem.right, "The right rule")}{shown}</div>'


def _rule(problem: Problem, rule: Sequence[str], title: str) -> str:
    lines = "".join(
        f"<p>{escape(label)} = <code>{escape(text)}</code></p>" for label, text in zip(problem.lines, rule, strict=True)
    )
    return f"<article><h3>{escape(title)}</h3>{lines}</article>"


def _shown(problem: Problem, exhibit: Exhibit) -> str:
    name, rule, verdict = exhibit
    lines = "".join(
        f"<p>{escape(label)} = <code>{escape(text)}</code></p>"
        for label, text, right in zip(problem.lines, rule, problem.right, strict=False)
        if text != right
    )
    said = escape(verdict.text.removeprefix(f"This is: {name}. "))
    seen = SEEN.get((problem.id, name))
    where = f'<p class="quiet">Seen in public: {seen}</p>' if seen else ""
    drawn = _counterexample(problem, verdict.counterexample) if verdict.counterexample else ""
    return f"<article><h3>{escape(name[0].upper() + name[1:])}</h3>{lines}<p>{said}</p>{where}{drawn}</article>"


def _counterexample(problem: Problem, found: Counterexample) -> str:
    """Return both sets of numbers in the smallest case in which an error differs, as `drawnVerdict` of drawing.js."""
    plain = problem.at(problem.points).table.form == "value"
    options = not plain or len(found.reached) > 1
    words = (*["of" if plain else "leads to"] * options, "the value" if plain else "the right share", "this rule")
    head = "".join(f"<th>{word}</th>" for word in words)
    rows = "".join(
        f"<tr>{f'<td>{_end(problem, state)}</td>' * options}"
        f"{_share(right, plain, '')}{_share(given, plain, 'given')}</tr>"
        for state, right, given in zip(found.reached, found.right, found.given, strict=True)
    )
    case = [] if plain or found.site == CASE else [_state(problem, found.state)]
    case += [escape(f"{name} = {_known(value)}") for name, value in found.shared.items()]
    caption = f"{_smallest(problem, found.points)}: {', '.join(case)}"
    return f'<table class="counterexample"><caption>{caption}</caption><tr>{head}</tr>{rows}</table>'


def _smallest(problem: Problem, points: int) -> str:
    if problem.noun == CASES:
        return "The first case in which it differs"
    noun = problem.noun.removesuffix("s") if points == 1 else problem.noun
    return f"The smallest case in which it differs, with {points} {escape(noun)}"


def _known(value: float | Sequence[float]) -> str:
    if isinstance(value, (int, float)):
        return f"{value:.3g}".replace("-", "−")
    return f"[{', '.join(map(_known, value[:LISTED]))}{', …' * (len(value) > LISTED)}]"


def _share(value: float, plain: bool, name: str) -> str:
    bar = "" if plain else f'<span class="portion {name}" style="--share: {min(max(value, 0), 1):.4f}"></span>'
    return f"<td>{bar}<b>{f'{value:.3g}'.replace('-', '−')}</b></td>"


def _end(problem: Problem, state: State) -> str:
    """Return the state that an option leads to, or the name of one of several formulas: as `drawnEnd` of drawing.js."""
    if problem.form == "value" and len(problem.lines) > 1:
        return escape([*problem.lines][state[0]])
    return _state(problem, state)


def _state(problem: Problem, state: State) -> str:
    labels = "".join(
        f'<i style="--label: var(--label-{int(label) % COLORS})">{int(label) + problem.first}</i>' for label in state
    )
    if problem.columns is None:
        return f'<span class="state">{labels}</span>'
    return f'<span class="state matrix" style="--columns: {problem.columns}">{labels}</span>'
