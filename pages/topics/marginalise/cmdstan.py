"""Stan itself, where it is installed beside this program: CmdStanPy or PyStan, and their draws laid over ours."""

import importlib
import importlib.util
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pages.contract.tools import Failed
from pages.drawing import cards
from pages.drawing.cards import plus_minus
from pages.topics.marginalise.scene import MarginaliseScene, of_one_class
from samplers.diagnostics.convergence import diagnose

INTERFACES = {"CmdStanPy": "cmdstanpy", "PyStan": "stan"}
ITERATIONS = 1_000
Draws = Mapping[str, np.ndarray]


class StanError(Failed):
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
        found = draw(module, code, dict(data), names, seed)
    except Exception as error:  # whatever compilers and interfaces raise
        raise StanError(f"Stan did not run: {type(error).__name__}: {str(error)[:300]}") from error
    return {name.rstrip("2"): np.asarray(values, float) for name, values in found.items()}


def _cmdstanpy(module: Any, code: str, data: dict[str, Any], names: Sequence[str], seed: int) -> Draws:
    many = {"chains": 1, "iter_warmup": ITERATIONS, "iter_sampling": ITERATIONS}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.stan"
        path.write_text(code)
        fit = module.CmdStanModel(stan_file=str(path)).sample(data=data, seed=seed, show_progress=False, **many)
        return {name: np.asarray(fit.stan_variable(name)) for name in names}


def _pystan(module: Any, code: str, data: dict[str, Any], names: Sequence[str], seed: int) -> Draws:
    posterior = module.build(code, data=data, random_seed=seed)
    fit = posterior.sample(num_chains=1, num_warmup=ITERATIONS, num_samples=ITERATIONS)
    return {name: np.moveaxis(np.asarray(fit[name]), -1, 0) for name in names}  # PyStan has the draws last


def compare(
    scene: MarginaliseScene, draws: Draws, t: int
) -> list[tuple[str, float, float | None, float, float | None]]:
    """Return summaries without names: a title, our mean and its error, and Stan's.

    They are the largest weight and, with two documents or more whose labels are summed out, whether the first two of
    them are of one class.
    """
    kept = slice(scene.settings.warmup + 1, min(t, scene.made) + 1)
    rows = [("the largest weight", scene.run.by_class[kept].max(axis=1), draws["theta"].max(axis=1))]
    hidden = np.flatnonzero(scene.labels < 0)
    if "z_prob" in draws and len(hidden) > 1:
        i, j = hidden[:2]
        ours = of_one_class(scene.run.class_probs[kept, i], scene.run.class_probs[kept, j])
        theirs = of_one_class(draws["z_prob"][:, 0], draws["z_prob"][:, 1])
        rows.append((f"documents {i + 1} and {j + 1} of one class", ours, theirs))
    return [(title, *_mean(ours), *_mean(theirs)) for title, ours, theirs in rows]


def _mean(draws: np.ndarray) -> tuple[float, float | None]:
    values = draws.astype(float)
    return (float(values.mean()), diagnose(values).mcse_mean) if values.size else (float("nan"), None)


def table(rows: Sequence[tuple[str, float, float | None, float, float | None]]) -> str:
    """Return the comparison as HTML."""
    cells = ((title, _told(ours, error), _told(theirs, its)) for title, ours, error, theirs, its in rows)
    return cards.table(("", "here", "Stan"), cells)


def _told(mean: float, error: float | None) -> str:
    return "run on beyond the warm-up" if np.isnan(mean) else f"{mean:.3f}{plus_minus(error)}"
