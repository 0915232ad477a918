"""The inspector of logistic regression: this step, the probe's numbers, the errors of the predictives, the evidence."""

from __future__ import annotations

from functools import cache
from math import log10
from typing import Any

import altair as alt
import numpy as np
import streamlit as st

from pages.parts.inspector import card, cards
from pages.stages.logistic.film import SHOWN, Scene, capital
from pages.stages.logistic.fit import Fit
from pages.stages.logistic.maps import CELLS, grid_places
from samplers.laplace import best_prior_precision, laplace_log_evidence
from samplers.optimise import Optimiser
from samplers.planes import feature_names
from samplers.predictives import activation, monte_carlo_error

LISTED = 3  # weights that are written out
ROUNDING = 1e-9  # what is less is left by rounding errors
EVIDENCE = np.linspace(-4, 3, 29)  # log₁₀ λ


# ---- this step -----------------------------------------------------------------------------------------------------


def step(scene: Scene, t: int) -> str:
    """Return the next step of an optimiser, or the last one of a chain or of growing data, opened."""
    method = scene.settings.method
    if method == "points":
        return _points(scene, t)
    if method == "chain":
        return _proposal(scene, t) if t else '<p class="quiet">The chain begins at 0. Press <b>Step</b>.</p>'
    return _descent(scene, t)


def _descent(scene: Scene, t: int) -> str:
    sampler: Optimiser = scene.run.chain.sampler
    state = scene.run.state(t)
    inside = sampler.inside(state)
    newton = scene.settings.method == "newton"
    look = f"<p>g = {_vector(inside.gradient)}</p>"
    if newton:
        look += f"<p>H = {_matrix(inside.hessian)}</p>"
    eta = f"{inside.step_length:g}"
    rule = f"w − {eta} · H<sup>−1</sup> g" if newton else f"w − {eta} · g"
    shape = "the Taylor parabola" if newton else "a round bowl of width η"
    if inside.diverged:
        move = (
            "<p><b>The step is not taken:</b> it leads beyond every number that could be meant. The run has diverged. "
            "A smaller η would help, or a prior.</p>"
        )
    else:
        change = inside.log_joint_after - inside.log_joint
        verdict = "rises" if change >= 0 else "<b>falls</b>: the step was too long"
        move = (
            f"<p>w = {_vector(inside.proposed)}</p><p>The log joint {verdict}: {_signed(inside.log_joint)} "
            f"→ {_signed(inside.log_joint_after)}.</p>"
        )
    return cards(
        card(1, "Here", f"<p>w = {_vector(state.position)}</p><p>log joint {_signed(state.log_joint)}</p>"),
        card(
            2, "Look", look + f'<p class="quiet">g = Xᵀ(μ − y) + λw{", H = XᵀSX + λI" if newton else ""}</p>', main=True
        ),
        card(
            3, "Step", f"<p>{rule}</p><p>= w + {_vector(inside.step)}</p><p class='quiet'>To the foot of {shape}.</p>"
        ),
        card(4, "There", move),
    )


def _proposal(scene: Scene, t: int) -> str:
    chain = scene.run.chain
    before = scene.run.state(t - 1)
    proposal = chain.sampler.inside(before, chain.rng(t))
    ratio = proposal.log_density - before.log_density
    verdict = "The chain goes there." if proposal.accepted else "The chain stays, and this place counts once more."
    return cards(
        card(1, "Here", f"<p>w = {_vector(before.position)}</p><p>log joint {_signed(before.log_density)}</p>"),
        card(2, "Propose", f"<p>{_vector(proposal.position)}</p><p>log joint {_signed(proposal.log_density)}</p>"),
        card(
            3,
            "Compare",
            f"<p>min(1, exp({_signed(ratio)})) = {proposal.probability:.3f}</p>"
            f"<p>A dart falls at {proposal.dart:.3f}.</p>",
            main=True,
        ),
        card(4, "Go or stay", f"<p>{verdict}</p>"),
    )


def _points(scene: Scene, t: int) -> str:
    found = scene.run.laplaces.get(t)
    if found is None:
        return (
            '<p class="quiet">These points do not say how large the weights are, and there is no prior to say it.</p>'
        )
    arrived = "No point has arrived: all that is known is the prior."
    if t:
        x, label = scene.fit.points[t - 1], int(scene.fit.labels[t - 1])
        arrived = f"Point {t} at ({_number(x[0])}, {_number(x[1])}) is of class {label}."
    return cards(
        card(1, "Look", f"<p>{arrived}</p>"),
        card(2, "Mode", f"<p>w = {_vector(found.mode)}</p>", main=True),
        card(3, "Spread", f"<p>Standard deviations {_vector(np.sqrt(found.covariance.diagonal()))}</p>"),
        card(4, "Evidence", f"<p>log p(labels) ≈ {_signed(found.log_evidence)}</p>"),
    )


# ---- the probe -----------------------------------------------------------------------------------------------------


def probe(fit: Fit, place: tuple[float, float]) -> str:
    """Return mean and variance of the activation at the probe, and every prediction with its numbers."""
    if fit.laplace is None:
        return _no_mode(fit)
    at = np.array([place])
    features = fit.features(at)
    (mean,), (variance,) = activation(features, fit.laplace.mode, fit.laplace.covariance)
    m, v = _number(mean), _number(variance)
    probit_, mackay_ = _formulas(fit.settings.rule, m, v)
    draws = len(fit.draws)
    error = float(monte_carlo_error(features, fit.laplace.mode, fit.laplace.covariance, draws)[0])
    formulas = {
        "plug-in": f"σ({m})",
        "Monte Carlo": f"mean of σ(w<sub>s</sub>ᵀx) over {draws} draws, ± {error:.3f}",
        "probit": probit_,
        "MacKay": mackay_,
        "quadrature": f"∫ σ(a) N(a | {m}, {v}) da",
        "exact": "∫ σ(wᵀx) p(w | data) dw, " + ("on a grid" if fit.grid else "by a long chain"),
    }
    values = {by: float(fit.predict(by, at)[0]) for by in formulas}
    rows = "".join(
        f"<tr><td>{capital(SHOWN[by])}</td><td>{formula}</td><td><b>{values[by]:.3f}</b></td>"
        f"<td>{_off(values[by] - values['quadrature'])}</td></tr>"
        for by, formula in formulas.items()
    )
    names = feature_names(fit.settings.features, fit.settings.bias == "on")
    sums = " + ".join(
        f"{_number(w)} · {_number(x)}" for w, x in zip(fit.laplace.mode[:LISTED], features[0][:LISTED], strict=True)
    )
    more = " + …" if len(names) > LISTED else ""
    return (
        f"<p>At the probe the activation wᵀx has mean μ<sub>a</sub> = {sums}{more} = <b>{m}</b> and variance "
        f"σ<sub>a</sub>² = xᵀH<sup>−1</sup>x = <b>{v}</b>.</p>"
        '<table class="list formulas">'
        "<tr><th></th><th>probability of class 1</th><th></th><th>off quadrature by</th></tr>"
        f"{rows}</table>"
    )


def _formulas(rule: str, m: str, v: str) -> tuple[str, str]:
    """Return the formulas of probit and MacKay as the rule has them."""
    probits = {
        "1 for 8/π": f"Φ({m} / √(1 + {v}))",
        "e^(-t²) in Φ": f"1/√(2π) · ∫ e<sup>−t²</sup> dt up to {m} / √(8/π + {v})",
        "erf for Φ": f"(1 + erf({m} / √(8/π + {v}))) / 2",
    }
    mackay_ = f"σ({m} / √(1 + {v}))" if rule == "π/8 forgotten" else f"σ({m} / √(1 + π · {v} / 8))"
    return probits.get(rule, f"Φ({m} / √(8/π + {v}))"), mackay_


# ---- errors --------------------------------------------------------------------------------------------------------


def errors(fit: Fit) -> str:
    """Return how far each predictive is from two truths, over the whole plane."""
    if fit.laplace is None:
        return _no_mode(fit)
    places = grid_places()
    maps = {by: fit.predict(by, places) for by in SHOWN}
    rows = ""
    for by, values in maps.items():
        cells = [
            f"<td>{np.abs(values - maps[truth]).max():.4f}</td><td>{np.abs(values - maps[truth]).mean():.4f}</td>"
            for truth in ("quadrature", "exact")
        ]
        rows += f"<tr><td>{capital(SHOWN[by])}</td>{''.join(cells)}</tr>"
    exact = "on a grid" if fit.grid else "a long chain, with noise of about 0.01"
    return (
        '<table class="list"><tr><th></th><th>worst, to quadrature</th><th>mean</th><th>worst, to exact</th>'
        f"<th>mean</th></tr>{rows}</table>"
        f'<p class="quiet">Over {CELLS * CELLS:,} places. “Exact” averages over the posterior itself ({exact}); '
        "how far quadrature is from it is what Laplace costs.</p>"
    )


# ---- evidence ------------------------------------------------------------------------------------------------------


def evidence(scene: Scene) -> None:
    """Draw the evidence as a function of the prior precision, and its maximum."""
    curve, best, at_bound = _evidence(scene.key, scene)
    settings = scene.settings
    here = (
        "a flat prior has no evidence" if settings.prior == "flat" else f"now λ = {_number(settings.prior_precision)}"
    )
    where = "at the end of the range: the labels would have it go on" if at_bound else "at the top"
    st.html(
        f'<p class="quiet">How probable the labels are before the weights are known, by Laplace. It is highest for '
        f"<b>λ = {_number(10**best)}</b>, {where}; {here}.</p>"
    )
    now = [] if settings.prior == "flat" else [{"now": settings.log_precision}]
    values = [{"x": float(x), "y": float(y)} for x, y in zip(EVIDENCE, curve, strict=True)]
    st.vega_lite_chart(
        _evidence_spec() | {"datasets": {"curve": values, "now": now, "best": [{"best": best}]}},
        key="evidence",
        width="stretch",
    )


def best_log_precision(scene: Scene) -> float:
    """Return log₁₀ of the precision with the highest evidence, rounded as the control is."""
    return round(_evidence(scene.key, scene)[1], 1)


@st.cache_data(max_entries=64, show_spinner=False)
def _evidence(key: str, _scene: Scene) -> tuple[list[float], float, bool]:
    fit = _scene.fit
    features = fit.features(fit.points) if len(fit.points) else np.empty((0, fit.model.size))
    curve = [laplace_log_evidence(features, fit.labels, 10.0**x) for x in EVIDENCE]
    best = best_prior_precision(features, fit.labels, 10.0 ** EVIDENCE[0], 10.0 ** EVIDENCE[-1])
    return curve, log10(best.prior_precision), best.at_bound


@cache
def _evidence_spec() -> dict[str, Any]:
    x = alt.X("x:Q", title="log₁₀ λ", axis=alt.Axis(grid=False), scale=alt.Scale(domain=[-4, 3], nice=False))
    curve = alt.Chart(alt.NamedData("curve")).mark_line(color="#1F8F99", strokeWidth=2.5)
    now = alt.Chart(alt.NamedData("now")).mark_rule(color="#808890", strokeDash=[4, 3], strokeWidth=2)
    best = alt.Chart(alt.NamedData("best")).mark_rule(color="#D1495B", strokeWidth=2)
    layers = alt.layer(
        curve.encode(x, alt.Y("y:Q", title="log evidence", scale=alt.Scale(zero=False))),
        now.encode(alt.X("now:Q")),
        best.encode(alt.X("best:Q")),
    )
    spec: dict[str, Any] = layers.properties(height=150).to_dict()
    for name in ("$schema", "config"):
        spec.pop(name, None)
    return spec


# ---- numbers -------------------------------------------------------------------------------------------------------


def _no_mode(fit: Fit) -> str:
    return f'<p class="quiet">{fit.problem}.</p>'


def _number(value: float, digits: int = 3) -> str:
    if abs(value) < ROUNDING:
        return "0"
    return (f"{value:,.0f}" if 1_000 <= abs(value) < 1e7 else f"{value:.{digits}g}").replace("-", "−")


def _signed(value: float) -> str:
    return _number(value, 4)


def _off(value: float) -> str:
    return f"{value:+.4f}".replace("-", "−")


def _vector(values: np.ndarray) -> str:
    more = ", …" if len(values) > LISTED else ""
    return f"({', '.join(_number(value) for value in values[:LISTED])}{more})"


def _matrix(values: np.ndarray) -> str:
    size = min(LISTED, len(values))
    rows = "".join(f"<tr>{''.join(f'<td>{_number(value)}</td>' for value in row[:size])}</tr>" for row in values[:size])
    return f'<table class="matrix">{rows}</table>{" …" if len(values) > size else ""}'
