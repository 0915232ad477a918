"""Stan programs of the models in `samplers.gradient.naive_bayes_marginal`, a comment on each line, and their data.

They follow the Stan user's guide, section "Naive Bayes classification and clustering". Where there are documents of
both kinds, those without labels have the names of the others with a 2 after them. Stan's ``~`` leaves constants out:
its ``lp__`` is the log density of `samplers.gradient.naive_bayes_marginal` less the normalisers of the Dirichlet
priors, if its simplexes are broken from a stick as well (up to Stan 2.36).
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.naive_bayes import as_documents

Variant = Literal["supervised", "unsupervised", "full Bayes", "prediction"]
Role = Literal[
    "data",
    "parameters",
    "prior",
    "labelled likelihood",
    "gamma prior term",
    "gamma word term",
    "log_sum_exp",
    "generated gamma",
    "generated softmax",
    "generated draw",
    "structure",
]

TITLES: dict[Variant, str] = {
    "supervised": "Supervised: every label is known",
    "unsupervised": "Unsupervised: every label is summed out",
    "full Bayes": "Full Bayes: labelled and unlabelled documents together",
    "prediction": "Prediction without model updates",
}


class Line(NamedTuple):
    """A line of a Stan program."""

    text: str
    role: Role  # what it computes; "structure" for braces, blank lines and the heads of blocks


SIZES = [
    Line("int<lower=1> K;  // classes", "data"),
    Line("int<lower=1> V;  // words in the vocabulary", "data"),
]
PRIORS = [
    Line("vector<lower=0>[K] alpha;  // pseudo-count of each class", "data"),
    Line("vector<lower=0>[V] beta;  // pseudo-count of each word", "data"),
]


def program(variant: Variant) -> tuple[Line, ...]:
    """Return the lines of a program.

    Parameters
    ----------
    variant : {"supervised", "unsupervised", "full Bayes", "prediction"}
        Which documents are in the model, and which only have their class probabilities generated.

    Raises
    ------
    ValueError
        If there is no such variant.

    Notes
    -----
    Where the labels are summed out of the density, ``gamma`` is made once, among the transformed parameters: the model
    sums it and the generated quantities normalise it. For prediction it is first made among the generated quantities,
    so that it has no part in the density. ``z_draw`` is a label drawn for each document, which nothing needs: it shows
    what a draw would have said beside the probability.
    """
    _checked(variant)
    known, hidden, generated = variant != "unsupervised", variant != "supervised", variant == "prediction"
    mark = "2" if known else ""
    blocks = [
        ("data", SIZES + _documents("", known) + (_documents(mark, False) if known and hidden else []) + PRIORS),
        (
            "parameters",
            [
                Line("simplex[K] theta;  // weights of the classes", "parameters"),
                Line("array[K] simplex[V] phi;  // word probabilities of each class", "parameters"),
            ],
        ),
    ]
    if hidden and not generated:
        blocks.append(("transformed parameters", _gamma(mark, "gamma prior term", "gamma word term")))
    model = [
        Line("theta ~ dirichlet(alpha);", "prior"),
        *_loop("k in 1:K", [Line("phi[k] ~ dirichlet(beta);", "prior")]),
    ]
    if known:
        model.append(Line("z ~ categorical(theta);", "labelled likelihood"))
        model += _loop("n in 1:N", [Line("w[n] ~ categorical(phi[z[doc[n]]]);", "labelled likelihood")])
    if hidden and not generated:
        model += _loop(f"m in 1:M{mark}", [Line(f"target += log_sum_exp(gamma{mark}[m]);", "log_sum_exp")])
    blocks.append(("model", model))
    if hidden:
        back = [
            Line(f"z_prob{mark}[m] = softmax(gamma{mark}[m]);", "generated softmax"),
            Line(f"z_draw{mark}[m] = categorical_logit_rng(gamma{mark}[m]);", "generated draw"),
        ]
        quantities = [
            *(_gamma(mark, "generated gamma", "generated gamma") if generated else []),
            Line(f"array[M{mark}] vector[K] z_prob{mark};", "generated softmax"),
            Line(f"array[M{mark}] int<lower=1, upper=K> z_draw{mark};", "generated draw"),
            *_loop(f"m in 1:M{mark}", back),
        ]
        blocks.append(("generated quantities", quantities))
    return tuple(line for name, body in blocks for line in _block(name, body))


def stan_code(variant: Variant) -> str:
    """Return a program as text."""
    return "".join(f"{line.text}\n" for line in program(variant))


def stan_data(
    counts: ArrayLike | sparse.sparray | sparse.spmatrix,
    labels: ArrayLike | None,
    classes: int,
    class_prior: ArrayLike,
    word_prior: ArrayLike,
    variant: Variant,
) -> dict[str, int | list[int] | list[float]]:
    """Return the data of a program's data block, ready for JSON.

    Parameters
    ----------
    counts, labels, classes, class_prior, word_prior
        As for `samplers.mixtures.naive_bayes.NaiveBayes`.
    variant : {"supervised", "unsupervised", "full Bayes", "prediction"}
        The supervised program gets the labelled documents alone, and the unsupervised one all of them without their
        labels.

    Returns
    -------
    dict of str to int or list
        Classes, words and documents are numbered from 1. Each collection of documents keeps its order and is numbered
        anew; each document's words are in ascending order. An empty document has no entry in ``doc``.

    Raises
    ------
    TypeError, ValueError
        As there, and if there is no such variant.
    """
    _checked(variant)
    table, size, class_weights, word_weights, known = as_documents(counts, classes, class_prior, word_prior, labels)
    data: dict[str, int | list[int] | list[float]] = {"K": size, "V": table.shape[1]}
    if variant == "unsupervised":
        data |= _long(table, "")
    else:
        data |= _long(table[np.flatnonzero(known != HIDDEN)], "")
        data["z"] = (known[known != HIDDEN] + 1).tolist()
        if variant != "supervised":
            data |= _long(table[np.flatnonzero(known == HIDDEN)], "2")
    data["alpha"], data["beta"] = class_weights.tolist(), word_weights.tolist()
    return data


def _long(counts: sparse.csr_array, mark: str) -> dict[str, int | list[int] | list[float]]:
    """Return documents as one entry for each word: how many there are, the words, and the documents they are in."""
    times = counts.data.astype(int)
    documents = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return {
        f"M{mark}": counts.shape[0],
        f"N{mark}": int(times.sum()),
        f"w{mark}": (np.repeat(counts.indices, times) + 1).tolist(),
        f"doc{mark}": (np.repeat(documents, times) + 1).tolist(),
    }


def _documents(mark: str, known: bool) -> list[Line]:
    texts = [
        f"int<lower=0> M{mark};  // documents, {'labelled' if known else 'without labels'}",
        f"int<lower=0> N{mark};  // words in them, repeats included",
        *([f"array[M{mark}] int<lower=1, upper=K> z{mark};  // class of document m"] if known else []),
        f"array[N{mark}] int<lower=1, upper=V> w{mark};  // word n",
        f"array[N{mark}] int<lower=1, upper=M{mark}> doc{mark};  // document that word n is in",
    ]
    return [Line(text, "data") for text in texts]


def _gamma(mark: str, prior_role: Role, word_role: Role) -> list[Line]:
    add = Line(f"gamma{mark}[doc{mark}[n], k] += log(phi[k, w{mark}[n]]);", word_role)
    return [
        Line(f"array[M{mark}] vector[K] gamma{mark} = rep_array(log(theta), M{mark});", prior_role),
        *_loop(f"n in 1:N{mark}", _loop("k in 1:K", [add])),
    ]


def _loop(over: str, body: list[Line]) -> list[Line]:
    return _block(f"for ({over})", body)


def _block(head: str, body: list[Line]) -> list[Line]:
    inner = [Line(f"  {text}", role) for text, role in body]
    return [Line(f"{head} {{", "structure"), *inner, Line("}", "structure")]


def _checked(variant: str) -> None:
    if variant not in get_args(Variant):
        raise ValueError(f"variant must be one of {', '.join(map(repr, get_args(Variant)))}, got {variant!r}")
