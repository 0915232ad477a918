"""The mode and the Laplace approximation of Bayesian logistic regression."""

from collections.abc import Callable, Iterator

import numpy as np

from bench.logistic import observations
from bench.peers import Answer, Comparison, Done, Side, named
from samplers.regression.laplace import laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.optimise import newton_mode

ROWS, WEIGHTS, PRECISION, CALLS = 1_000, 20, 1.0, 10


def repeated(function: Callable[[], object], calls: int = CALLS) -> Callable[[], Done]:
    """Return work that is so many calls."""

    def work() -> Done:
        for _ in range(calls):
            function()
        return Done(calls)

    return work


def newton() -> Side:
    features, labels = observations(ROWS, WEIGHTS)

    def mode() -> np.ndarray:
        return newton_mode(LogisticRegression(features, labels, PRECISION)).position

    return Side("newton_mode, checks of the data included", {"mode": Answer(mode())}, repeated(mode))


def scikit(solver: str) -> Side:
    from sklearn.linear_model import LogisticRegression as Peer

    features, labels = observations(ROWS, WEIGHTS)

    def mode() -> np.ndarray:
        model = Peer(C=1 / PRECISION, fit_intercept=False, solver=solver, tol=1e-10, max_iter=1_000)
        return np.asarray(model.fit(features, labels).coef_[0])

    return Side(named("scikit-learn", solver), {"mode": Answer(mode())}, repeated(mode))


def laplace() -> Side:
    features, labels = observations(ROWS, WEIGHTS)

    def found() -> dict[str, Answer]:
        result = laplace_approximation(LogisticRegression(features, labels, PRECISION))
        return {"mode": Answer(result.mode), "covariance": Answer(result.covariance)}

    return Side("laplace_approximation", found(), repeated(found))


def laplace_torch() -> Side:
    """Two logits with half the prior variance each: their difference has our prior, and their sum is left alone."""
    import torch
    from laplace import Laplace

    features, labels = (torch.tensor(values) for values in observations(ROWS, WEIGHTS))
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(features, labels), batch_size=ROWS)

    def found() -> dict[str, Answer]:
        net = torch.nn.Linear(WEIGHTS, 2, bias=False, dtype=torch.float64)
        torch.nn.init.zeros_(net.weight)
        settings = {"max_iter": 200, "tolerance_grad": 1e-9, "tolerance_change": 1e-14}
        optimiser = torch.optim.LBFGS(net.parameters(), line_search_fn="strong_wolfe", **settings)

        def loss() -> torch.Tensor:
            optimiser.zero_grad()
            value = torch.nn.functional.cross_entropy(net(features), labels, reduction="sum")
            value = value + PRECISION * (net.weight**2).sum()
            value.backward()
            return value

        optimiser.step(loss)
        posterior = Laplace(net, "classification", "all", "full", prior_precision=2 * PRECISION)
        posterior.fit(loader)
        blocks = posterior.posterior_covariance.numpy().reshape(2, WEIGHTS, 2, WEIGHTS)
        covariance = blocks[0, :, 0] + blocks[1, :, 1] - blocks[0, :, 1] - blocks[1, :, 0]
        weights = net.weight.detach().numpy()
        return {"mode": Answer(weights[1] - weights[0]), "covariance": Answer(covariance)}

    return Side(named("laplace-torch", "L-BFGS and all of the Gauss-Newton matrix"), found(), repeated(found, 2))


def comparisons(draws: int) -> Iterator[Comparison]:
    data = f"{ROWS:,} rows, {WEIGHTS} weights, prior N(0, 1) on each."
    yield Comparison(
        "Mode of logistic regression",
        f"{data} All start at 0 and stop at a gradient of 1e-10 or less by their own measure; the modes must agree to "
        "1e-6.",
        "fit",
        1e-6,
        newton,
        {f"scikit-learn, {solver}": lambda solver=solver: scikit(solver) for solver in ("newton-cholesky", "lbfgs")},
    )
    yield Comparison(
        "Laplace approximation of logistic regression",
        f"{data} Mode and covariance must agree to 1e-6.",
        "fit",
        1e-6,
        laplace,
        {"laplace-torch": laplace_torch},
    )
