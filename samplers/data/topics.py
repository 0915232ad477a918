"""Documents that are made by topics which are known: the bars of Griffiths & Steyvers, and twelve or eight words."""

from dataclasses import dataclass

import numpy as np

from samplers.checks import finite_above, whole_from

SIDE = 5  # pixels across and down
LENGTH = 30  # words of an image of bars
SPREAD = 0.3  # α of the images of bars: each is of a few of them
TWELVE = ((0, 0, 1, 0), (2, 3, 3, 2), (0, 1, 2, 3))  # words of three documents: of one thing, of another, of both
EIGHT = ((0, 0, 1, 0), (2, 0, 2, 3))  # two documents, each mostly of one thing: few enough to list every partition


@dataclass(frozen=True, eq=False)
class TopicData:
    """Documents with what made them."""

    documents: tuple[tuple[int, ...], ...]  # the words of each document, as numbers from 0
    labels: tuple[tuple[int, ...], ...]  # the topic that each word was drawn from
    topics: np.ndarray  # the probability of each word in each topic, shape (K, V)


def bar_topics() -> np.ndarray:
    """Return ten topics on 5 by 5 pixels, five rows and five columns, shape (10, 25).

    Griffiths & Steyvers (2004, Finding scientific topics), figure 1.
    """
    topics = np.zeros((2 * SIDE, SIDE, SIDE))
    for place in range(SIDE):
        topics[place, place, :] = topics[SIDE + place, :, place] = 1 / SIDE
    return topics.reshape(2 * SIDE, SIDE * SIDE)


def made_documents(topics: np.ndarray, documents: int, length: int, topic_prior: float, seed: int) -> TopicData:
    """Make documents as the model does: a mixture for each document, a topic for each word, the word from the topic.

    Parameters
    ----------
    topics : numpy.ndarray
        Word probabilities, shape (K, V).
    documents, length : int
        How many documents, and words in each; from 1.
    topic_prior : float
        α, above 0: the pseudo-count of each topic in a document.
    seed : int
        Fewer documents are the first ones of more.

    Raises
    ------
    ValueError
        If a number is out of range.
    """
    rng, number = np.random.default_rng(seed), len(topics)
    alpha = finite_above("topic_prior", topic_prior, 0)
    words, labels = [], []
    for _ in range(whole_from("documents", documents, 1)):
        mixture = rng.dirichlet(np.full(number, alpha))
        chosen = rng.choice(number, size=whole_from("length", length, 1), p=mixture)
        words.append(tuple(int(rng.choice(topics.shape[1], p=topics[topic])) for topic in chosen))
        labels.append(tuple(chosen.tolist()))
    return TopicData(tuple(words), tuple(labels), topics)


def bars(documents: int, seed: int) -> TopicData:
    """Make images of 5 by 5 pixels from ten bars; arguments and errors as for `made_documents`."""
    return made_documents(bar_topics(), documents, LENGTH, SPREAD, seed)
