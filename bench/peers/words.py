"""Collapsed Gibbs sampling of word counts: naive Bayes, and LDA where the two are one model.

LDA has a label for each word and weights for each document; naive Bayes has a label for each document and weights for
all. With one word in each document and known equal weights they are the same posterior, sampled by the same update.
With more words, our LDA is compared.
"""

import logging
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from bench.documents import CLASSES, Sweeper, corpus
from bench.peers import Answer, Comparison, Done, Side, named, of_draws
from samplers.conjugate.dirichlet import log_marginal_of_counts
from samplers.data.topics import TWELVE
from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.topics import lda as word_topics
from samplers.topics.exact import exact_lda

KNOWN = 1e9  # pseudo-count of a class: its weight is 1 / K as good as exactly
WORD_PRIOR = 0.5
FEW = np.array([0, 0, 0, 1, 1, 2, 2, 2])  # words, one a document, of which all labellings are enumerated
FEW_CLASSES = 3
MANY, VOCABULARY = 5_000, 1_000
LONG = 60  # words of a longer document
WHAT = "mean log probability of the words given the labels"
BURN = 100
TOPICS = 2
JOINT = "mean log joint of words and topics"


def many_words() -> np.ndarray:
    """Return words for documents of one each."""
    return np.random.default_rng(0).integers(VOCABULARY, size=MANY)


def one_each(words: np.ndarray) -> sparse.csr_array:
    """Return counts of documents of one word each."""
    return sparse.csr_array((np.ones(len(words)), (np.arange(len(words)), words)))


def log_words(labels: ArrayLike, words: np.ndarray, classes: int) -> float:
    """Return log p(words | labels), word probabilities integrated out."""
    counts = np.zeros((classes, int(words.max()) + 1))
    np.add.at(counts, (np.asarray(labels), words), 1)
    return float(log_marginal_of_counts(counts, np.full(counts.shape[1], WORD_PRIOR)).sum())


def truth() -> dict[str, Answer]:
    exact = exact_naive_bayes(one_each(FEW), FEW_CLASSES, KNOWN, WORD_PRIOR)
    values = [log_words(labels, FEW, FEW_CLASSES) for labels in exact.labellings]
    return {WHAT: Answer(float(exact.probabilities @ values))}


def sweeper(counts: sparse.csr_array, classes: int, class_prior: float) -> Sweeper:
    return Sweeper(NaiveBayes(counts, classes, class_prior, WORD_PRIOR, word_probs="collapsed"))


def timed(sweep: Sweeper, words: int, answers: dict[str, Answer], name: str) -> Side:
    """Return a side whose call is a sweep."""

    def work() -> Done:
        sweep()
        return Done(words)

    return Side(name, answers, work)


def ours(draws: int) -> Side:
    small = sweeper(one_each(FEW), FEW_CLASSES, KNOWN)
    series = []
    for _ in range(BURN + draws):
        small()
        series.append(log_words(small.state.labels, FEW, FEW_CLASSES))
    large = sweeper(one_each(many_words()), CLASSES, KNOWN)
    return timed(large, MANY, {WHAT: of_draws(series[BURN:])}, "NaiveBayes, collapsed")


def ours_long(draws: int) -> Side:
    counts = corpus(500, VOCABULARY, LONG)
    return timed(sweeper(counts, CLASSES, 1.0), int(counts.sum()), {}, "NaiveBayes, collapsed: a label a document")


def lda(counts: sparse.csr_array, checked: int) -> Side:
    from lda import LDA

    logging.getLogger("lda").setLevel(logging.ERROR)
    table = counts.toarray().astype(int)

    def fitted(table: np.ndarray, classes: int, sweeps: int, refresh: int) -> LDA:
        model = LDA(classes, n_iter=sweeps, alpha=1.0, eta=WORD_PRIOR, random_state=1, refresh=refresh)
        return model.fit(table)

    answers = {}
    if checked:
        of_labels = len(FEW) * np.log(1 / FEW_CLASSES)  # what its log likelihood has besides: the labels' own
        series = fitted(one_each(FEW).toarray().astype(int), FEW_CLASSES, BURN + checked, 1).loglikelihoods_
        answers[WHAT] = of_draws(np.array(series[BURN : BURN + checked]) - of_labels)

    def work() -> Done:
        fitted(table, CLASSES, 100, 1_000)
        return Done(100 * table.sum())

    return Side(named("lda", "a label a word"), answers, work)


def tomotopy(documents: Sequence[Sequence[int]], checked: int) -> Side:
    from tomotopy import LDAModel

    def model_of(documents: Sequence[Sequence[int]], classes: int) -> LDAModel:
        model = LDAModel(k=classes, alpha=1.0, eta=WORD_PRIOR, seed=1)
        model.optim_interval = 0  # which would fit the pseudo-counts to the data
        for words in documents:
            model.add_doc([str(word) for word in words])
        return model

    answers = {}
    if checked:
        small, series = model_of([[word] for word in FEW], FEW_CLASSES), []
        for _ in range(BURN + checked):
            small.train(1, workers=1)
            series.append(log_words([doc.topics[0] for doc in small.docs], FEW, FEW_CLASSES))
        answers[WHAT] = of_draws(series[BURN:])
    large = model_of(documents, CLASSES)

    def work() -> Done:
        large.train(100, workers=1)
        return Done(100 * sum(map(len, documents)))

    return Side(named("tomotopy", "a label a word"), answers, work)


def peers_long(which: str) -> Side:
    counts = corpus(500, VOCABULARY, LONG)
    if which == "lda":
        return lda(counts, 0)
    return tomotopy(long_documents(), 0)


def topics_truth() -> dict[str, Answer]:
    exact = exact_lda(TWELVE, 4, TOPICS, 1.0, WORD_PRIOR)
    return {JOINT: Answer(float(exact.probabilities @ exact.log_joint))}


def long_documents() -> list[list[int]]:
    """Return documents of `LONG` words."""
    return [np.repeat(np.arange(VOCABULARY), row).tolist() for row in corpus(500, VOCABULARY, LONG).toarray()]


def ours_topics(draws: int) -> Side:
    small = Sweeper(word_topics.LDA(TWELVE, 4, TOPICS, 1.0, WORD_PRIOR))
    series = []
    for _ in range(BURN + draws):
        small()
        series.append(small.sampler.log_joint(small.state))
    large = Sweeper(word_topics.LDA(long_documents(), VOCABULARY, CLASSES, 1.0, WORD_PRIOR))
    return timed(large, 500 * LONG, {JOINT: of_draws(series[BURN:])}, "LDA")


def peers_topics(which: str, draws: int) -> Side:
    """Return a peer's side; of the small documents, its own topics and ours have one log joint."""
    side = peers_long(which)
    if which == "lda":
        from lda import LDA

        table = np.array([np.bincount(document, minlength=4) for document in TWELVE])
        model = LDA(TOPICS, n_iter=BURN + draws, alpha=1.0, eta=WORD_PRIOR, random_state=1, refresh=1).fit(table)
        series = list(model.loglikelihoods_[BURN : BURN + draws])
    else:
        from tomotopy import LDAModel

        sampler, series = word_topics.LDA(TWELVE, 4, TOPICS, 1.0, WORD_PRIOR), []
        model = LDAModel(k=TOPICS, alpha=1.0, eta=WORD_PRIOR, seed=1)
        model.optim_interval = 0
        for document in TWELVE:
            model.add_doc([str(word) for word in document])
        for _ in range(BURN + draws):
            model.train(1, workers=1)
            labels = [int(label) for document in model.docs for label in document.topics]
            series.append(sampler.log_joint(sampler.state(labels)))
        series = series[BURN:]
    return Side(side.name, {JOINT: of_draws(series)}, side.work)


def comparisons(draws: int) -> Iterator[Comparison]:
    yield Comparison(
        "Collapsed Gibbs of documents of one word, where naive Bayes and LDA are one posterior",
        f"{MANY:,} documents of one of {VOCABULARY:,} words, {CLASSES} classes of equal weight, "
        f"Dirichlet({WORD_PRIOR:g}) on the words. Checked on {len(FEW)} words in {FEW_CLASSES} classes, where all "
        "labellings are enumerated.",
        "label: one draw of one document's class",
        1e-5,
        partial(ours, draws),
        {
            "lda": lambda: lda(one_each(many_words()), draws),
            "tomotopy": lambda: tomotopy([[word] for word in many_words()], draws),
        },
        truth,
    )
    yield Comparison(
        f"Collapsed Gibbs of documents of {LONG} words",
        f"500 documents, {VOCABULARY:,} words, {CLASSES} classes. Ours draws a label for a document, LDA one for each "
        "word: not the same model. What both do is to weigh each word in each class once a sweep.",
        "word of a sweep",
        1e-6,
        partial(ours_long, draws),
        {which: partial(peers_long, which) for which in ("lda", "tomotopy")},
        same_work=False,
    )
    yield Comparison(
        f"LDA: a topic for each word of documents of {LONG} words",
        f"500 documents, {VOCABULARY:,} words, {CLASSES} topics, pseudo-counts 1 and {WORD_PRIOR:g}. Checked on "
        f"{len(TWELVE)} documents of 4 words and {TOPICS} topics, where all labellings are enumerated.",
        "word of a sweep",
        1e-6,
        partial(ours_topics, draws),
        {which: partial(peers_topics, which, draws) for which in ("lda", "tomotopy")},
        topics_truth,
    )
