"""Stan itself, where it is installed beside this program: CmdStanPy or PyStan, and their draws laid over ours."""

from __future__ import annotations

import importlib
import importlib.util
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pages.stages.marginalise.scene import Scene
from samplers.diagnostics.convergence import diagnose

INTERFACES = {"CmdStanPy": "cmdstanpy", "PyStan": "stan"}
ITERATIONS = 1_000
Draws = Mapping[str, np.ndarray]


class StanError(RuntimeError):
    """Stan is there but did not run; the message says what it said."""


def installed() -> str | None:
    """Return which interface to Stan is installed, None if neither is."""
    for name, module in INTERFACES.items():
        try:
            if importlib.util.find_spec(module) is not None:
                return name
        except ValueError:  # a module without a spec has been put in its place
            continue
    return None


def run(interface: str, code: str, data: Mapping[str, Any], *, seed: int) -> Draws:
    """Run a program in Stan: one chain, 1,000 iterations of warm-up and 1,000 draws.

    Parameters
    ----------
    interface : str
        As `installed` says.
    code : str
        The program.
    data : mapping
        What its data block asks for.
    seed : int
        Of Stan's chain, above 0.

    Returns
    -------
    mapping of str to numpy.ndarray
        ``theta`` of shape (draws, K), and ``z_prob`` of shape (draws, M, K) if the program has it.

    Raises
    ------
    StanError
        If Stan does not compile or run it.
    """
    names = ["theta", *[name for name in ("z_prob2", "z_prob") if name in code][:1]]
    try:
        module = importlib.import_module(INTERFACES[interface])
        draw = _cmdstanpy if interface == "CmdStanPy" else _pystan
        found = draw(module, code, data, names, seed)
    except Exception as error:  # whatever compilers and interfaces raise
        raise StanError(f"Stan did not run: {type(error).__name__}: {str(error)[:300]}") from error
    return {name.rstrip("2"): np.asarray(values, float) for name, values in found.items()}


def _cmdstanpy(
    module: Any, code: str, data: Mapping[str, Any], names: Sequence[str], seed: int
) -> dict[str, np.ndarray]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.stan"
        path.write_text(code)
        model = module.CmdStanModel(stan_file=str(path))
        fit = model.sample(
            data=dict(data),
            chains=1,
            seed=seed,
            iter_warmup=ITERATIONS,
            iter_sampling=ITERATIONS,
            show_progress=False,
        )
        return {name: np.asarray(fit.stan_variable(name)) for name in names}


def _pystan(module: Any, code: str, data: Mapping[str, Any], names: Sequence[str], seed: int) -> dict[str, np.ndarray]:
    posterior = module.build(code, data=dict(data), random_seed=seed)
    fit = posterior.sample(num_chains=1, num_warmup=ITERATIONS, num_samples=ITERATIONS)
    return {name: np.moveaxis(np.asarray(fit[name]), -1, 0) for name in names}  # PyStan has the draws last


def compare(scene: Scene, draws: Draws, t: int) -> list[tuple[str, float, float | None, float, float | None]]:
    """Return summaries without names: a title, our mean and its error, and Stan's.

    They are the larger weight and, with two documents or more whose labels are summed out, whether the first two of
    them are of one class.
    """
    first, last = scene.settings.warmup + 1, min(t, scene.made) + 1
    rows = [("the larger weight", scene.run.pair[first:last].max(axis=1), draws["theta"].max(axis=1))]
    hidden = np.flatnonzero(scene.labels < 0)
    if "z_prob" in draws and len(hidden) > 1:
        i, j = hidden[:2]
        ours = scene.run.class_probs[first:last]
        theirs = draws["z_prob"][:, :, 0]
        title = f"documents {i + 1} and {j + 1} of one class"
        rows.append((title, _same(ours[:, i], ours[:, j]), _same(theirs[:, 0], theirs[:, 1])))
    return [(title, *_mean(np.asarray(ours, float)), *_mean(np.asarray(theirs, float))) for title, ours, theirs in rows]


def _same(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    both: np.ndarray = one * other + (1 - one) * (1 - other)
    return both


def _mean(values: np.ndarray) -> tuple[float, float | None]:
    if not values.size:
        return float("nan"), None
    return float(values.mean()), diagnose(values).mcse_mean


def table(rows: Sequence[tuple[str, float, float | None, float, float | None]]) -> str:
    """Return the comparison as HTML."""
    body = "".join(
        f"<tr><td>{title}</td><td>{_with_error(ours, our_error)}</td><td>{_with_error(theirs, their_error)}</td></tr>"
        for title, ours, our_error, theirs, their_error in rows
    )
    return f'<table class="list"><tr><th></th><th>here</th><th>Stan</th></tr>{body}</table>'


def _with_error(mean: float, error: float | None) -> str:
    if np.isnan(mean):
        return "run on beyond the warm-up"
    return f"{mean:.3f}" + ("" if error is None else f" ± {error:.2g}")
