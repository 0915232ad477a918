"""Trace of a Stan program at one place, act by act: each line that adds a term, and what it adds to γ and target."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lessons.topics.marginalise import MarginaliseSettings
from samplers.conjugate.dirichlet import Dirichlet
from samplers.gradient.stan_programs import Line
from samplers.mixtures.labels import HIDDEN

Gamma = dict[tuple[int, int], float]  # by document and class


class Act(NamedTuple):
    """One line of a program at work."""

    line: int  # its place in the program
    document: int = -1  # that it is about, -1 for all
    token: int = -1  # the entry of the long table that it reads, -1 for none
    gamma: Gamma = {}  # noqa: RUF012  what it adds to γ; nobody changes it
    declares: bool = False  # whether γ begins with what it adds, and what was there is gone
    target: float = 0.0  # what it adds to the log density
    softmax: bool = False  # whether it turns γ into class probabilities
    dart: float = -1.0  # where the dart falls that draws a label by them, -1 where none is drawn


class Token(NamedTuple):
    """An entry of the long table, numbered as Stan does."""

    mark: str  # "2" in the collection without labels, where there are two
    n: int  # from 1
    word: int
    number: int  # of the document in its collection, from 1
    document: int
    nth: int  # word of the document, from 1


@dataclass(frozen=True, eq=False)
class ProgramTrace:
    """A program at one place of the parameters."""

    lines: tuple[Line, ...]  # the program that is run: that of the variant, with the rule's error in it
    tokens: tuple[Token, ...]  # the long table of the documents that are looked at
    acts: tuple[Act, ...]  # in the order in which the program gets to them
    documents: np.ndarray  # those that are looked at
    classes: int  # K

    @property
    def total(self) -> int:
        """The number of acts."""
        return len(self.acts)

    def row_of(self, document: int) -> int:
        """Return which of the documents that are looked at this is, from 0."""
        return int(np.flatnonzero(self.documents == document)[0])

    def gamma(self) -> np.ndarray:
        """Return γ after each act, NaN where it has not been declared, shape (acts + 1, documents, K)."""
        table = np.full((len(self.acts) + 1, len(self.documents), self.classes), np.nan)
        for t, act in enumerate(self.acts, 1):
            table[t] = table[t - 1]
            for (document, label), value in act.gamma.items():
                cell = t, self.row_of(document), label
                table[cell] = value if act.declares else value + np.nan_to_num(table[cell])
        return table

    def target(self) -> np.ndarray:
        """Return the log density after each act, shape (acts + 1,)."""
        return np.cumsum([0.0, *(act.target for act in self.acts)])


def trace_of(settings: MarginaliseSettings, target: Any, position: np.ndarray) -> ProgramTrace:
    """Return the program's acts at a position, for the documents on the page."""
    tracer, lines = _Tracer(settings, target, position), settings.program()
    acts = tuple(act for place, line in enumerate(lines) for act in tracer.acts(place, line))
    return ProgramTrace(lines, tuple(tracer.tokens), acts, settings.page, settings.classes)


def darts_at(iteration: int, documents: int) -> np.ndarray:
    """Return where darts fall between 0 and 1, one for each document: at each iteration others."""
    return np.random.default_rng(iteration).random(documents)


class _Tracer:
    """Notes what each line of a program adds."""

    def __init__(self, settings: MarginaliseSettings, target: Any, position: np.ndarray) -> None:
        self.target, self.position = target, position
        self.label_of = {int(document): int(settings.labels[document]) for document in settings.page}
        self.known = [document for document, label in self.label_of.items() if label != HIDDEN]
        self.hidden = [document for document, label in self.label_of.items() if label == HIDDEN]
        self.darts = dict(zip(self.hidden, darts_at(settings.iteration, len(self.hidden)).tolist(), strict=True))
        self.steps = {document: target.log_joint_steps(position, document) for document in self.label_of}
        mark = "" if settings.variant == "unsupervised" else "2"
        self.tokens = [*self._table(self.known, ""), *self._table(self.hidden, mark)]

    def acts(self, place: int, line: Line) -> Iterator[Act]:
        """Yield the acts of the line at this place of the program, one after the other."""
        text, role = line
        terms = self.target.log_density_terms(self.position)
        if role == "parameters" and "phi" in text:
            yield Act(place, target=terms["log-Jacobian"])
        elif role == "prior":
            log_weights = np.log(self.target.constrain(self.position).weights)
            weights = Dirichlet(self.target.class_prior).log_density(log_weights)
            yield Act(place, target=weights if "theta" in text else terms["priors"] - weights)
        elif role in ("labelled likelihood", "gamma prior term", "gamma word term", "generated gamma", "gamma again"):
            documents = self.known if role == "labelled likelihood" else self.hidden
            if text.strip().startswith("z") or "rep_array" in text:
                if documents:
                    begun = [self._added(document, 0) for document in documents]
                    act = self._act(place, {cell: value for gamma in begun for cell, value in gamma.items()})
                    yield act._replace(declares="rep_array" in text)
                return
            for number, token in enumerate(self.tokens):
                if token.document in documents:
                    yield self._act(place, self._added(token.document, token.nth), token.document, number)
        elif role == "log_sum_exp":
            for document in self.hidden:
                summed, _ = self.target.sum_out(self.steps[document].sum(axis=0, keepdims=True))
                yield Act(place, document, target=float(summed[0]))
        elif "softmax" in text and self.hidden:
            yield Act(place, softmax=True)
        elif "categorical_logit_rng" in text:
            for document in self.hidden:
                yield Act(place, document, dart=float(self.darts[document]))

    def _table(self, documents: list[int], mark: str) -> list[Token]:
        entries = []
        for number, document in enumerate(documents, 1):
            counts = self.target.counts[[document]]
            words = np.repeat(counts.indices, counts.data.astype(int)).tolist()
            entries += [(word, number, document, nth) for nth, word in enumerate(words, 1)]
        return [Token(mark, n, *entry) for n, entry in enumerate(entries, 1)]

    def _added(self, document: int, step: int) -> Gamma:
        """Return a step's term in a document's γ: where the label is known, in its own class alone."""
        label = self.label_of[document]
        classes = range(self.target.classes) if label == HIDDEN else [label]
        return {(document, k): float(self.steps[document][step, k]) for k in classes}

    def _act(self, place: int, gamma: Gamma, document: int = -1, token: int = -1) -> Act:
        """Return an act that fills γ; what it adds for a known label enters the density at once."""
        counted = sum(value for (document, _), value in gamma.items() if self.label_of[document] != HIDDEN)
        return Act(place, document, token, gamma, target=counted)
