"""The no-U-turn sampler on a log density that we, Stan, JAX and PyTensor each have written out."""

import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any

import numpy as np
from scipy import sparse

from bench.documents import corpus
from bench.marginal import PRIORS, half_labelled
from bench.peers import Answer, Comparison, Done, Side, named
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.gradient.nuts import NUTS
from samplers.gradient.stan_programs import stan_code, stan_data

WARMUP, DRAWS, CLASSES = 300, 500, 2
PLACES, CALLS = 6, 20
OF_NUMBERS = "log density of unconstrained numbers, Jacobian included"
OF_PARAMETERS = "log density of the parameters"


def model_of(counts: np.ndarray | sparse.csr_array, labels: np.ndarray | None, classes: int) -> NaiveBayesMarginal:
    return NaiveBayesMarginal(counts, classes, **PRIORS, labels=labels)


def places(model: NaiveBayesMarginal) -> np.ndarray:
    """Return positions at which log densities are compared."""
    return np.random.default_rng(0).normal(size=(PLACES, model.dimension))


def above_first(values: Any) -> Answer:
    """Return log densities less that of the first position: whoever leaves constants out has the same."""
    return Answer(np.asarray(values, float)[1:] - float(values[0]))


def in_first_class(model: NaiveBayesMarginal, positions: Any) -> np.ndarray:
    """Return how many of the hidden documents are expected in class 0, at each position."""
    return np.array([model.class_probabilities(place)[::2, 0].sum() for place in np.asarray(positions)])


def ours(draws: int) -> Side:
    model = model_of(*half_labelled(), CLASSES)
    warmup = min(draws, WARMUP)
    sampler, rng = NUTS(model, max_depth=10, warmup=warmup), np.random.default_rng(1)
    now = sampler.init(rng)
    for _ in range(warmup):
        now, _ = sampler.step(now, rng)

    def work() -> Done:
        nonlocal now
        positions, leapfrogs = [], 0
        for _ in range(draws):
            now, record = sampler.step(now, rng)
            positions.append(now.position)
            leapfrogs += record.leapfrogs
        return Done(leapfrogs, lambda: in_first_class(model, positions))

    terms = [model.log_density_terms(place) for place in places(model)]
    densities = {
        OF_NUMBERS: above_first([sum(term.values()) for term in terms]),
        OF_PARAMETERS: above_first([sum(term.values()) - term["log-Jacobian"] for term in terms]),
    }
    return Side("NUTS on NaiveBayesMarginal", densities, work)


def stan() -> Side:
    """Return a side whose clock is Stan's. What was sampled with a seed is kept, so each call has one of its own."""
    import stan as pystan

    counts, labels = half_labelled()
    data = stan_data(counts, labels, CLASSES, PRIORS["class_prior"], PRIORS["word_prior"], "full Bayes")
    seeds = count(1)
    code = stan_code("full Bayes")

    def work() -> Done:
        built = pystan.build(code, data=data, random_seed=next(seeds))
        fit = built.sample(num_chains=1, num_warmup=WARMUP, num_samples=DRAWS)
        seconds = re.search(rb"([0-9.]+) seconds \(Sampling\)", fit.stan_outputs[0])
        assert seconds is not None
        draws = fit["z_prob2"][:, 0].sum(axis=0)
        return Done(fit["n_leapfrog__"].sum(), lambda: draws, float(seconds[1]))

    built = pystan.build(code, data=data, random_seed=1)
    found = [built.log_prob(place.tolist()) for place in places(model_of(counts, labels, CLASSES))]
    return Side(named("pystan", "our Stan program"), {OF_NUMBERS: above_first(found)}, work)


class OnJax:
    """The model as one writes it in NumPyro, with the log density of unconstrained numbers that NumPyro makes of it."""

    def __init__(self, counts: Any, labels: np.ndarray | None, classes: int) -> None:
        import jax
        import numpyro
        import numpyro.distributions as dist
        from numpyro.infer.util import initialize_model

        jax.config.update("jax_enable_x64", True)
        table = np.asarray(counts.todense() if sparse.issparse(counts) else counts, float)
        documents, vocabulary = table.shape
        labels = np.full(documents, -1) if labels is None else labels
        known, hidden = np.flatnonzero(labels >= 0), np.flatnonzero(labels < 0)

        def model() -> None:
            weights = numpyro.sample("theta", dist.Dirichlet(np.full(classes, PRIORS["class_prior"])))
            word_prior = np.full((classes, vocabulary), PRIORS["word_prior"])
            words = numpyro.sample("phi", dist.Dirichlet(word_prior).to_event(1))
            gamma = table @ jax.numpy.log(words).T + jax.numpy.log(weights)
            numpyro.factor("labelled", gamma[known, labels[known]].sum())
            numpyro.factor("unlabelled", jax.scipy.special.logsumexp(gamma[hidden], axis=1).sum())

        self.model = model
        self.split, self.shape = classes - 1, (classes, vocabulary - 1)
        self._potential = initialize_model(jax.random.PRNGKey(0), model).potential_fn

    def log_density(self, position: Any) -> Any:
        """Return it at one of our positions."""
        rest = position[self.split :].reshape(self.shape)
        return -self._potential({"theta": position[: self.split], "phi": rest})

    def densities(self, model: NaiveBayesMarginal) -> dict[str, Answer]:
        """Return the peer's figures, to be compared with ours."""
        import jax

        return {OF_NUMBERS: above_first([float(jax.jit(self.log_density)(place)) for place in places(model)])}


def on_jax(step: Callable[[Any, Any], tuple[Any, Any, Any]], start: Any) -> Callable[[], tuple[np.ndarray, int]]:
    """Return a function that makes draws in one compiled loop, from where the last call ended, and counts leapfrogs."""
    import jax

    keys = count(1)

    def one(state: Any, key: Any) -> tuple[Any, tuple[Any, Any]]:
        state, position, leapfrogs = step(key, state)
        return state, (position, leapfrogs)

    loop = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, DRAWS)))
    now = start

    def draw() -> tuple[np.ndarray, int]:
        nonlocal now
        now, (positions, leapfrogs) = loop(now, jax.random.PRNGKey(next(keys)))
        return np.asarray(positions), int(leapfrogs.sum())

    return draw


def side_on_jax(name: str, written: OnJax, draw: Callable[[], tuple[np.ndarray, int]]) -> Side:
    model = model_of(*half_labelled(), CLASSES)

    def work() -> Done:
        positions, leapfrogs = draw()
        return Done(leapfrogs, lambda: in_first_class(model, positions))

    return Side(name, written.densities(model), work)


def numpyro() -> Side:
    import jax
    from numpyro import infer

    written = OnJax(*half_labelled(), CLASSES)
    kernel = infer.NUTS(written.model)
    warm = infer.MCMC(kernel, num_warmup=WARMUP, num_samples=DRAWS, progress_bar=False)
    warm.warmup(jax.random.PRNGKey(0))

    def step(key: Any, state: Any) -> tuple[Any, Any, Any]:
        state = kernel.sample(state, (), {})
        numbers = jax.numpy.concatenate([state.z["theta"], state.z["phi"].ravel()])
        return state, numbers, state.num_steps

    return side_on_jax(named("numpyro", "NUTS in a compiled loop"), written, on_jax(step, warm.last_state))


def blackjax() -> Side:
    import blackjax as peer
    import jax

    written = OnJax(*half_labelled(), CLASSES)
    start = np.zeros(model_of(*half_labelled(), CLASSES).dimension)
    adaptation = peer.window_adaptation(peer.nuts, written.log_density)
    (first, settings), _ = adaptation.run(jax.random.PRNGKey(0), start, num_steps=WARMUP)
    kernel = peer.nuts(written.log_density, **settings)

    def step(key: Any, state: Any) -> tuple[Any, Any, Any]:
        state, info = kernel.step(key, state)
        return state, state.position, info.num_integration_steps

    return side_on_jax(named("blackjax", "NUTS in a compiled loop"), written, on_jax(step, first))


def nutpie() -> Side:
    """Return a side that warms up in each call: the time of its draws is their share of all leapfrog steps."""
    import nutpie as peer
    import pymc
    import pytensor.tensor as pt

    counts, labels = half_labelled()
    model = model_of(counts, labels, CLASSES)
    known, hidden = np.flatnonzero(labels >= 0), np.flatnonzero(labels < 0)
    with pymc.Model() as written:
        weights = pymc.Dirichlet("theta", np.full(CLASSES, PRIORS["class_prior"]))
        words = pymc.Dirichlet("phi", np.full((CLASSES, counts.shape[1]), PRIORS["word_prior"]))
        gamma = pt.dot(counts.astype(float), pt.log(words).T) + pt.log(weights)
        pymc.Potential("labelled", gamma[known, labels[known]].sum())
        pymc.Potential("unlabelled", pymc.math.logsumexp(gamma[hidden], axis=1).sum())
    log_density = written.compile_logp(jacobian=False, mode="FAST_COMPILE")
    found = []
    for place in places(model):
        point = {}
        for variable, value in zip((weights, words), model.constrain(place), strict=True):
            name = written.rvs_to_values[variable].name
            transform = written.rvs_to_transforms[variable]
            point[name] = transform.forward(pt.as_tensor(value), *variable.owner.inputs).eval(mode="FAST_COMPILE")
        found.append(float(log_density(point)))
    compiled, seeds = peer.compile_pymc_model(written), count(1)

    def work() -> Done:
        start = time.perf_counter()
        settings = {"chains": 1, "cores": 1, "progress_bar": False, "seed": next(seeds)}
        trace = peer.sample(compiled, draws=DRAWS, tune=WARMUP, **settings)
        elapsed = time.perf_counter() - start
        leapfrogs = int(trace.sample_stats.n_steps.sum())
        share = leapfrogs / (leapfrogs + int(trace.warmup_sample_stats.n_steps.sum()))
        draws = (trace.posterior[name].values[0] for name in ("theta", "phi"))
        return Done(leapfrogs, lambda: in_first_class(model, model.unconstrain(*draws)), share * elapsed)

    name = f"{named('nutpie', 'the model in')} {named('pymc', '').rstrip(', ')}"
    return Side(name, {OF_PARAMETERS: above_first(found)}, work)


def large() -> tuple[sparse.csr_array, int]:
    """Return documents of sixty words and the number of classes."""
    return corpus(500, 1_000, 60), 5


def our_gradient() -> Side:
    counts, classes = large()
    model = model_of(counts, None, classes)
    position = places(model)[0] / 10

    def work() -> Done:
        for _ in range(CALLS):
            model.log_density_and_gradient(position)
        return Done(CALLS)

    return Side(
        "log_density_and_gradient, sparse", {"gradient": Answer(model.log_density_and_gradient(position)[1])}, work
    )


def jax_gradient() -> Side:
    import jax

    counts, classes = large()
    position = places(model_of(counts, None, classes))[0] / 10
    gradient = jax.jit(jax.value_and_grad(OnJax(counts, None, classes).log_density))

    def work() -> Done:
        for _ in range(CALLS):
            gradient(position)[1].block_until_ready()
        return Done(CALLS)

    return Side(named("jax", "on NumPyro's model, dense"), {"gradient": Answer(gradient(position)[1])}, work)


def comparisons(draws: int) -> Iterator[Comparison]:
    yield Comparison(
        "NUTS on naive Bayes with the labels summed out",
        "60 documents of 12 words, 30 words, 2 classes, every second label hidden; Dirichlet(1) on the weights, "
        f"Dirichlet(0.5) on the words: 59 numbers. {WARMUP} iterations of warm-up, which are not timed, then calls of "
        f"{DRAWS} draws. Log densities at {PLACES} places must agree to 1e-6.",
        "leapfrog step",
        1e-6,
        partial(ours, min(draws // 2, DRAWS)),
        {"pystan": stan, "numpyro": numpyro, "blackjax": blackjax, "nutpie": nutpie},
        counted="number of hidden documents in class 0",
    )
    yield Comparison(
        "Gradient of the same density, larger",
        "500 documents of 60 words, 1,000 words, 5 classes, all labels hidden: 4,999 numbers; gradients must agree to "
        "1e-6.",
        "gradient",
        1e-6,
        our_gradient,
        {"jax": jax_gradient},
    )
