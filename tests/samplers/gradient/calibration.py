"""Runs of NUTS on documents, against enumeration and against the prior."""

import numpy as np
from scipy import special

from samplers.chain import Chain
from samplers.diagnostics.convergence import diagnose
from samplers.gradient.nuts import NUTS
from samplers.mixtures.exact_labellings import exact_naive_bayes

COUNTS = [[4, 1, 0], [0, 2, 3], [2, 1, 1], [1, 2, 1], [3, 0, 1], [0, 0, 0]]
PRIORS = {"class_prior": [1.0, 1.5], "word_prior": [0.6, 1.0, 0.8]}
GENTLE = {"class_prior": [2.0, 2.5], "word_prior": [1.6, 2.0, 1.8]}  # no classes that stand empty: it mixes well
SOME = [0, 1, -1, -1, -1, -1]


def draws(target, seed, warmup=300, kept=1_000, **settings):
    """Return the states and the records after a warm-up."""
    records = []
    chain = Chain(NUTS(target, warmup=warmup, **settings), seed, on_step=lambda t, record: records.append(record))
    steps = range(warmup + 1, warmup + kept + 1)
    return [chain[t] for t in steps], records[warmup:]


def check_means(series, expected):
    """Each within 4 of its standard errors; R-hat and the effective size say whether these can be trusted."""
    for column, truth in zip(np.asarray(series).T, expected, strict=True):
        said = diagnose(column)
        assert said.rhat < 1.05
        assert said.ess_bulk > 100
        assert abs(column.mean() - truth) < 4 * said.mcse_mean, "mean"


def check_class_probabilities(rule):
    model = rule(COUNTS, 2, **GENTLE, labels=SOME)
    truth = exact_naive_bayes(COUNTS, 2, **GENTLE, labels=SOME)
    states, _ = draws(model, seed=2, warmup=150, kept=900)
    check_means(
        [model.class_probabilities(state.position)[2:, 0] for state in states], truth.class_probabilities[2:, 0]
    )


def ranks_of_a_corpus(rule, labels_known, statistic, replicates=250, seed=0, **settings):
    """Weights, word probabilities and documents from the top down; then what a few iterations make of the parameters.

    The start is a draw from the posterior, and so must be what comes after: its rank under a known distribution is
    uniform. It is the joint test of Geweke (2004), and what simulation-based calibration asks for.
    """
    rng, ranks = np.random.default_rng(seed), []
    prior = {key: np.array(value) for key, value in PRIORS.items()}
    while len(ranks) < replicates:
        weights, word_probs = rng.dirichlet(prior["class_prior"]), rng.dirichlet(prior["word_prior"], 2)
        labels = rng.choice(2, 4, p=weights)
        counts = rng.multinomial([6, 5, 4, 0], word_probs[labels])
        known = np.where(np.arange(4) < labels_known, labels, -1)
        model = rule(counts, 2, **PRIORS, labels=known, **settings)
        start = model.unconstrain(weights, word_probs)
        sampler = NUTS(model, max_depth=3, warmup=0, step_size=0.8, start=start)
        state = sampler.init(rng)
        for _ in range(3):
            state, _ = sampler.step(state, rng)
        ranks.append(statistic(*model.constrain(state.position), labels, counts))
    return ranks


def rank_given_labels(weights, word_probs, labels, counts):
    """Of the first word in the first class, whose posterior is a Beta when all labels are known."""
    seen = counts[labels == 0].sum(axis=0) + PRIORS["word_prior"]
    return special.betainc(seen[0], seen[1:].sum(), word_probs[0, 0])


def rank_by_prior(weights, word_probs, labels, counts):
    """Of the second word in the first class, which comes from the prior when documents come from the top down."""
    prior = PRIORS["word_prior"]
    return special.betainc(prior[1], prior[0] + prior[2], word_probs[0, 1])


def unlikeness(word_probs):
    return np.abs(word_probs[..., 0, :] - word_probs[..., 1, :]).sum(axis=-1)


FROM_THE_PRIOR = np.sort(unlikeness(np.random.default_rng(0).dirichlet(PRIORS["word_prior"], (50_000, 2))))


def rank_of_unlikeness(weights, word_probs, labels, counts):
    """How far apart the classes' words are, among draws from the prior."""
    return np.searchsorted(FROM_THE_PRIOR, unlikeness(word_probs)) / len(FROM_THE_PRIOR)
