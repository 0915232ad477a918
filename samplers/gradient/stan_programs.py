"""Stan programs of the models in `samplers.gradient.naive_bayes_marginal`, a comment on each line, and their data.

They follow the Stan user's guide, section "Naive Bayes classification and clustering". Where there are documents of
both kinds, those without labels have the names of the others with a 2 after them. Stan's ``~`` leaves constants out:
its ``lp__`` is the log density of `samplers.gradient.naive_bayes_marginal` less the normalisers of the Dirichlet
priors, if its simplexes are broken from a stick as well (up to Stan 2.36).
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, get_args

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
    "gamma again",
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


def program(variant: Variant, *, local: bool = False) -> tuple[Line, ...]:
    """Return the lines of a program.

    Parameters
    ----------
    variant : {"supervised", "unsupervised", "full Bayes", "prediction"}
        Which documents are in the model, and which only have their class probabilities generated.
    local : bool, optional
        Whether ``gamma`` is declared between braces in the block that needs it, as in the user's guide: it is not saved
        with a draw then, and other blocks do not see it.

    Raises
    ------
    ValueError
        If there is no such variant.

    Notes
    -----
    Where the labels are summed out of the density, ``gamma`` is made once, among the transformed parameters: the model
    sums it and the generated quantities normalise it. For prediction it is first made among the generated quantities,
    so that it has no part in the density. A local one of the model is gone when its braces close, so that the generated
    quantities make it once more. ``z_draw`` is a label drawn for each document, which nothing needs: it shows
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
    gamma = _gamma(mark, "gamma prior term", "gamma word term")
    if hidden and not generated and not local:
        blocks.append(("transformed parameters", gamma))
    model = [
        Line("theta ~ dirichlet(alpha);", "prior"),
        *_loop("k in 1:K", [Line("phi[k] ~ dirichlet(beta);", "prior")]),
    ]
    if known:
        model.append(Line("z ~ categorical(theta);", "labelled likelihood"))
        model += _loop("n in 1:N", [Line("w[n] ~ categorical(phi[z[doc[n]]]);", "labelled likelihood")])
    if hidden and not generated:
        sums = _loop(f"m in 1:M{mark}", [Line(f"target += log_sum_exp(gamma{mark}[m]);", "log_sum_exp")])
        model += _block("", [*gamma, *sums]) if local else sums
    blocks.append(("model", model))
    if hidden:
        blocks.append(("generated quantities", _quantities(mark, generated, local)))
    return tuple(line for name, body in blocks for line in _block(name, body))


def _quantities(mark: str, first: bool, local: bool) -> list[Line]:
    """Return the generated quantities of documents without labels; `first` if only here gamma is made."""
    role: Role = "generated gamma" if first else "gamma again"
    again = _gamma(mark, role, role) if first or local else []
    quantities = [
        Line(f"array[M{mark}] vector[K] z_prob{mark};", "generated softmax"),
        Line(f"array[M{mark}] int<lower=1, upper=K> z_draw{mark};", "generated draw"),
    ]
    back = [
        Line(f"z_prob{mark}[m] = softmax(gamma{mark}[m]);", "generated softmax"),
        Line(f"z_draw{mark}[m] = categorical_logit_rng(gamma{mark}[m]);", "generated draw"),
    ]
    loop = _loop(f"m in 1:M{mark}", back)
    return [*quantities, *_block("", [*again, *loop])] if local else [*again, *quantities, *loop]


def stan_code(variant: Variant, *, local: bool = False) -> str:
    """Return a program as text; see `program`."""
    return "".join(f"{line.text}\n" for line in program(variant, local=local))


def saved(variant: Variant, data: Mapping[str, Any], *, local: bool = False) -> dict[str, int]:
    """Return how many numbers of each name Stan saves with a draw, besides its own (``lp__`` and the like).

    Those are the parameters, the transformed parameters and the generated quantities that are declared at the top of
    their block. What is declared in the model, or between braces, is not saved.

    Parameters
    ----------
    variant, local
        As for `program`.
    data : mapping
        As `stan_data` gives them.

    Examples
    --------
    >>> sizes = {"K": 2, "V": 10, "M": 6}
    >>> saved("unsupervised", sizes)
    {'theta': 2, 'phi': 20, 'gamma': 12, 'z_prob': 12, 'z_draw': 6}
    >>> saved("unsupervised", sizes, local=True)
    {'theta': 2, 'phi': 20, 'z_prob': 12, 'z_draw': 6}
    """
    _checked(variant)
    classes = data["K"]
    found = {"theta": classes, "phi": classes * data["V"]}
    if variant == "supervised":
        return found
    mark = "" if variant == "unsupervised" else "2"
    documents = data[f"M{mark}"]
    kept = {f"gamma{mark}": documents * classes, f"z_prob{mark}": documents * classes, f"z_draw{mark}": documents}
    return found | {name: many for name, many in kept.items() if not (local and name.startswith("gamma"))}


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
    return [Line(f"{head} {{".lstrip(), "structure"), *inner, Line("}", "structure")]


def _checked(variant: str) -> None:
    if variant not in get_args(Variant):
        raise ValueError(f"variant must be one of {', '.join(map(repr, get_args(Variant)))}, got {variant!r}")
