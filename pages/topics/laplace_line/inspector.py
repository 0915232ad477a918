"""The inspector of Laplace approximations on a line: this step, all six densities, the modes, the best Normal."""

from functools import cache, partial
from math import exp, isfinite, isinf, pi, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, roots_legendre

from lessons.topics.laplace_line import LaplaceLineSettings
from pages.code.listing import listing
from pages.code.watch import watch
from pages.code.ways import OPTIMISER
from pages.drawing.cards import numbered, pointing, quiet, table
from pages.drawing.numbers import bracketed, cut, enough_digits, significant
from pages.topics.laplace_line import charts
from pages.topics.laplace_line.run import OptimiserRun, Outcome
from samplers.regression.line_targets import LINE_TARGETS, Distances, LineTarget, laplace_distances, line_laplace
from samplers.regression.variational import average, normal_divergence

FAR_OUT = 3  # of Laplace's standard deviations: where tails begin
DIGITS = 4
SECONDS = {"by hand": "yours", "best": "the best"}  # rows of the table
_number = partial(significant, digits=DIGITS, least=1e-6)
WORDS = {
    Outcome.UP: "The density is higher there.",
    Outcome.DOWN: "<b>The density is lower there.</b> The curve bends away from the parabola long before its top.",
    Outcome.MODE: "The step has no length: this is the mode, and the parabola’s Normal is <b>Laplace’s</b>.",
    Outcome.MINIMUM: "<b>The step has no length, and this is a minimum.</b> Newton only looks for a slope of 0.",
    Outcome.BOTTOM: "<b>The parabola opens upwards</b>, and its vertex is the bottom: Newton goes away from the mode.",
    Outcome.AWAY: "<b>It has left the chart</b>, and the step leads farther out.",
    Outcome.OUT: "<b>The step is not taken:</b> there is no density. The run has diverged; a smaller η may help.",
    Outcome.LEVEL: "<b>The density is as high there as here.</b> Such a step does not climb.",
    Outcome.LOST: "<b>The step is not taken:</b> it is too long for numbers. The run has diverged.",
}


# ---- this step -----------------------------------------------------------------------------------------------------


def step(run: OptimiserRun, t: int) -> str:
    """Return the next step, opened: the slope, the curvature, the parabola's vertex and its Normal."""
    at, (slope, bend), to = run.at(t), run.slopes(t), run.leads_to(t)
    here = pointing("here", f"{charts.variable(run.settings.target)} = {_number(at)}")
    return numbered(
        ("Here", f"<p>{here}</p><p>log p = {_number(run.states[t].log_density)}</p>"),
        ("The parabola", f"{_parabola(run, at, slope, bend)}<p>{WORDS[run.verdict(t)]}</p>"),
        ("Its Normal", _normal(run, t, bend)),
        ("There", _there(run, t, to)),
    )


def code(run: OptimiserRun, t: int) -> str:
    """Return the code of the next step, as it runs."""
    _, calls = watch(OPTIMISER, lambda: run.settings.sampler().step(run.states[t]))
    return listing(OPTIMISER, calls)


def _parabola(run: OptimiserRun, at: float, slope: float, bend: float) -> str:
    eta, x = run.settings.step_length, charts.variable(run.settings.target)
    vertex = f"{x} − f′/f″ = {_newton(at, slope, bend)}" if bend else "none: it is a line"
    look = (
        f"<p>slope f′ = {_number(slope)}, curvature f″ = {_number(bend)}</p>"
        f"<p>{pointing('parabola', 'vertex')} {vertex}{'' if bend < 0 else ', its lowest point'}</p>"
    )
    if run.settings.method == "gradient":
        look += f"<p>step {x} + η f′ = {_uphill(at, slope, eta)}</p>"
    elif eta != 1 and bend:
        look += f"<p>step {x} − η f′/f″ = {_newton(at, slope, bend, eta)}</p>"
    return look


def _newton(at: float, slope: float, bend: float, eta: float = 1) -> str:
    """Return the numbers of Newton's step and the place to which it leads, which a reader of them finds."""
    digits = enough_digits(lambda n: cut(at, n) - eta * cut(slope, n) / cut(bend, n), DIGITS)
    x, f, c = (_number(value, digits=digits) for value in (at, slope, bend))
    by = "" if eta == 1 else f"{eta:g} · "
    return f"{x} − {by}{bracketed(f)} / {bracketed(c)} = <b>{_number(at - eta * slope / bend)}</b>"


def _uphill(at: float, slope: float, eta: float) -> str:
    """Return the numbers of a gradient step and the place to which it leads, which a reader of them finds."""
    digits = enough_digits(lambda n: cut(at, n) + eta * cut(slope, n), DIGITS)
    x, f = _number(at, digits=digits), _number(slope, digits=digits)
    return f"{x} + {eta:g} · {bracketed(f)} = <b>{_number(at + eta * slope)}</b>"


def _normal(run: OptimiserRun, t: int, bend: float) -> str:
    normal = run.normal(t)
    if normal is None:
        return f"<p>None: its variance would be −1/f″ = {_number(-1 / bend) if bend else '∞'}.</p>"
    mean, variance = normal
    curvature = bracketed(_number(bend, digits=enough_digits(lambda n: -1 / cut(bend, n), DIGITS)))
    return (
        f"<p>{pointing('normal', f'mean {_number(mean)}')}</p>"
        f"<p>variance −1/{curvature} = {_number(variance)}</p>"
        f"<p>sd {_number(sqrt(variance))}</p>"
    )


def _there(run: OptimiserRun, t: int, to: float) -> str:
    after, x = run.steps[t].log_density_after, charts.variable(run.settings.target)
    if not isfinite(to):
        return "<p>nowhere</p>"
    return (
        f"<p>{pointing('step', f'{x} = {_number(to)}')}</p><p>log p = {_number(after) if isfinite(after) else '−∞'}</p>"
    )


# ---- all six -------------------------------------------------------------------------------------------------------


class Approximation(NamedTuple):
    """The Laplace approximation at a mode, and its errors."""

    # mean, variance: laplace's
    mean: float
    variance: float
    distances: Distances  # from the density
    # probability, by the density, of what is more than three of Laplace's standard deviations from the mode
    beyond: float
    outside: float  # laplace's probability of where there is no density
    area: float  # laplace's estimate of the integral over the density, which is 1: p(mode) √(2π variance)


@cache
def fits(name: str) -> tuple[Approximation, ...]:
    """Return the Laplace approximation at each mode of a target, the highest first."""
    target = LINE_TARGETS[name]
    return tuple(_fit(target, *line_laplace(target, start)) for start in target.starts)


def _fit(target: LineTarget, mean: float, variance: float) -> Approximation:
    deviation = sqrt(variance)
    low, high = target.support
    outside = ndtr((low - mean) / deviation) + ndtr((mean - high) / deviation)
    area = exp(float(target.value(mean))) * sqrt(2 * pi * variance)
    inside = _mass(target, mean - FAR_OUT * deviation, mean) + _mass(target, mean, mean + FAR_OUT * deviation)
    distances = laplace_distances(target, mean, variance)
    return Approximation(mean, variance, distances, 1 - inside, float(outside), area)


def _mass(target: LineTarget, low: float, high: float) -> float:
    """Return the probability between two places, by Gauss and Legendre; z² takes the edge off an end of the support."""
    first, last = target.support
    low, high = max(low, first), min(high, last)
    nodes, weights = roots_legendre(200)
    z = (nodes + 1) / 2
    return float((weights * z * np.exp(target.value(low + (high - low) * z**2))).sum() * (high - low))


def errors(name: str) -> str:
    """Return how far Laplace is from each of the six densities, with the one that is shown set off."""
    rows = "".join(_row(other, fit, other == name) for other in LINE_TARGETS for fit in fits(other))
    return (
        '<table class="list"><tr><th>density p</th><th>mode</th><th>TV</th><th>KL(q‖p)</th><th>KL(p‖q)</th>'
        '<th>p beyond ±3 sd (q: 0.27 %)</th><th class="words">what q gets wrong</th></tr>'
        f"{rows}</table>"
    )


def _row(name: str, fit: Approximation, shown: bool) -> str:
    far = fit.distances
    cells = [
        name,
        _number(fit.mean, digits=3),
        f"{100 * far.total_variation:.1f}&nbsp;%",
        _nats(far.laplace_to_target),
        _nats(far.target_to_laplace),
        f"{100 * fit.beyond:.2g} %",
    ]
    if shown:
        cells = [f"<b>{cell}</b>" for cell in cells]
    listed = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr>{listed}<td class="words">{_failing(name, fit)}</td></tr>'


def _failing(name: str, fit: Approximation) -> str:
    spill = f"{100 * fit.outside:.0f} % of q where p is 0"
    return {
        "near Normal": "nothing to speak of",
        "skewed": spill,
        "skewed, on the log scale": "less: the same distribution, rescaled",
        "heavy tails": f"the tails: {fit.beyond / 0.0027:.0f} times too thin",
        "two modes": f"the other mode, {100 * (1 - fit.area):.0f} % of p",
        "at the edge": spill,
    }[name]


# ---- the modes -----------------------------------------------------------------------------------------------------


def modes(name: str) -> str:
    """Return Laplace's estimate of the whole, which is 1, at each mode."""
    rows = (
        (
            *map(_number, (fit.mean, 1 / fit.variance, sqrt(fit.variance))),
            f"{_number(fit.area / sqrt(2 * pi * fit.variance))} · √(2π / {_number(1 / fit.variance)})",
            f"<b>{fit.area:.3f}</b>",
        )
        for fit in fits(name)
    )
    total = sum(fit.area for fit in fits(name))
    off = f"{'too low' if total < 1 else 'too high'} by {100 * abs(total - 1):.0f} %"
    words = (
        f"Each approximation covers only its own mode. Together they cover {total:.3f} of 1: a mixture of both Normals "
        "would be a good approximation."
        if len(fits(name)) > 1
        else f"The density’s integral is 1, and its one mode makes it {total:.3f}: Laplace’s evidence is "
        f"{'right within 1 %' if abs(total - 1) < 0.01 else off}."
    )
    source = quiet("The same product gives the evidence of a model: Bishop (2006), equation 4.135.")
    return f"{table(('mode', '−f″', 'sd', 'p(mode) · √(2π/−f″)', 'of 1'), rows)}<p>{words}</p>{source}"


# ---- the best Normal -----------------------------------------------------------------------------------------------


def best(settings: LaplaceLineSettings) -> str:
    """Return slope and curvature of the log density on average over Laplace's Normal and over others, and KL(q‖p)."""
    if not settings.has_a_best:
        return (
            "<p>There is none: beyond the edge p is 0 and every Normal is not, so KL(q‖p) is infinite for all of "
            "them. On a scale without an edge there is one.</p>"
        )
    target = settings.line_target
    rows = [("Laplace’s", mean, sqrt(variance)) for mean, variance in map(partial(line_laplace, target), target.starts)]
    if settings.second_normal:
        rows.append((SECONDS[settings.second], *settings.second_normal))
    heads = ("Normal q", "mean", "sd", "f′ on average over q", "f″ on average over q", "−1/variance", "KL(q‖p)")
    return table(heads, (_averages(target, *row) for row in rows)) + quiet(
        "f is log p. Laplace asks for f′ = 0 and f″ = −1/variance at one point, the mode. The best Normal has both on "
        "average over itself: Bishop (2006), section 10.1."
    )


def _averages(target: LineTarget, name: str, mean: float, deviation: float) -> tuple[str, ...]:
    slope, bend = (average(of, mean, deviation) for of in (target.slope, target.curvature))
    number = partial(significant, digits=3, least=1e-6)
    far = f"<b>{_nats(normal_divergence(target, mean, deviation))}</b>"
    return name, *map(number, (mean, deviation, slope, bend, -(deviation**-2))), far


# ---- numbers -------------------------------------------------------------------------------------------------------


def _nats(value: float) -> str:
    return "∞" if isinf(value) else f"{value:.4f}" if value < 0.001 else f"{value:.3f}"
