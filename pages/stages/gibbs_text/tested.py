"""One model with all, with half and with no labels, each tested on messages that are held apart: the runs."""

import numpy as np
from scipy import special

from lessons.data.held_apart import Tested
from lessons.stages.fields import SWEEPS
from lessons.stages.gibbs_text import names_of
from pages.player.run import KEPT, Run
from pages.stages.gibbs_text.run import MANY, ROOM
from samplers import Chain
from samplers.mixtures.naive_bayes import DocumentsState, NaiveBayes
from samplers.mixtures.new_documents import log_joints_of_documents


class TestedRun(Run[DocumentsState]):
    """The sweeps of one chain, and what each predicts of the test messages.

    Parameters
    ----------
    sampler : NaiveBayes
        Of the messages that teach.
    tested : Tested
        All messages.
    variant : int
        Which of its corpora.
    seed : int
        Of the chain.

    Attributes
    ----------
    last : int
        The last sweep that can be made.
    labels : numpy.ndarray
        Of the messages that teach after each sweep, by the names of the known classes: uint8, (last + 1, taught).
    log_joint : numpy.ndarray
        Log p(class, words) of each test message by each sweep alone, shape (last + 1, test, K), by those names too.
    """

    __test__ = False  # pytest takes it for a test

    def __init__(self, sampler: NaiveBayes, tested: Tested, variant: int, seed: int) -> None:
        self.sampler, self.tested, self.corpus = sampler, tested, tested.corpora[variant]
        taught, tests, classes = len(tested.taught), len(tested.test), sampler.classes
        self.last = min(SWEEPS, ROOM // (taught + 4 * tests * classes) - 1)
        self.labels = np.zeros((self.last + 1, taught), np.uint8)
        self.log_joint = np.zeros((self.last + 1, tests, classes), np.float32)
        few = 16 if taught > MANY else KEPT
        super().__init__(Chain(sampler, seed, keep=few), few)

    def add(self, t: int, state: DocumentsState) -> None:
        """Keep labels and log joints of sweep t, the classes by the names under which most labels agree."""
        names = self._names(np.array(state.labels))
        joints = log_joints_of_documents(self.sampler, state.labels, self.tested.counts)
        self.labels[t] = np.array(names)[state.labels]
        self.log_joint[t] = joints[:, np.argsort(names)]

    def _names(self, labels: np.ndarray) -> tuple[int, ...]:
        if self.corpus.named:
            return tuple(range(self.sampler.classes))
        return names_of(self.corpus, self.corpus.confusion(labels, self.sampler.classes))

    def predicted(self, t: int) -> np.ndarray:
        """Return the class probabilities of the test messages, averaged over the last half of t sweeps: (test, K)."""
        some = self.log_joint[t // 2 + (t > 0) : t + 1].astype(float)
        return special.softmax(special.logsumexp(some, axis=0), axis=1)

    def right(self, t: int) -> int:
        """Return how many test messages are predicted right."""
        return int((self.predicted(t).argmax(axis=1) == self.tested.truth).sum())

    def log_loss(self, t: int) -> float:
        """Return the mean of -log p(true class) over the test messages."""
        found = self.predicted(t)
        return float(-np.log(np.maximum(found[np.arange(len(found)), self.tested.truth], 1e-300)).mean())
