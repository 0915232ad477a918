"""Trace of a Stan program at one place, act by act: each line that adds a term, and what it adds to γ and target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons.stages.marginalise import CLASSES, MarginaliseSettings
from samplers.conjugate.dirichlet import Dirichlet
from samplers.gradient.stan_programs import Line, Variant
from samplers.mixtures.labels import HIDDEN


@dataclass(frozen=True, eq=False)
class Act:
    """One line of a program at work.

    Attributes
    ----------
    line : int
        Its place in the program.
    document : int
        The document that it is about, -1 for all.
    token : int
        The entry of the long table that it reads, -1 for none.
    gamma : dict of (int, int) to float
        What it adds to γ, by document and class.
    target : float
        What it adds to the log density.
    softmax : bool
        Whether it turns γ into class probabilities.
    """

    line: int
    document: int = -1
    token: int = -1
    gamma: Any = None
    target: float = 0.0
    softmax: bool = False


@dataclass(frozen=True)
class Token:
    """An entry of the long table: where it stands, its word and its document, as Stan numbers them, and which it is."""

    mark: str  # "2" in the collection without labels, where there are two
    n: int
    word: int
    number: int  # of the document in its collection
    document: int


@dataclass(frozen=True, eq=False)
class ProgramTrace:
    """A program at one place of the parameters.

    Attributes
    ----------
    lines : tuple of Line
        The program that is run: that of the variant, with the rule's error in it.
    tokens : tuple of Token
        The long table of the documents that are looked at.
    acts : tuple of Act
        In the order in which the program gets to them.
    documents : numpy.ndarray
        Those that are looked at.
    """

    lines: tuple[Line, ...]
    tokens: tuple[Token, ...]
    acts: tuple[Act, ...]
    documents: np.ndarray

    def gamma(self) -> np.ndarray:
        """Return γ after each act, NaN where it has not been declared, shape (acts + 1, documents, K)."""
        row_of = {document: row for row, document in enumerate(self.documents.tolist())}
        table = np.full((len(self.acts) + 1, len(self.documents), CLASSES), np.nan)
        for t, act in enumerate(self.acts, 1):
            table[t] = table[t - 1]
            for (document, label), value in (act.gamma or {}).items():
                cell = t, row_of[document], label
                table[cell] = value + (0.0 if np.isnan(table[cell]) else table[cell])
        return table

    def target(self) -> np.ndarray:
        """Return the log density after each act, shape (acts + 1,)."""
        return np.concatenate([[0.0], np.cumsum([act.target for act in self.acts])])


def mark_of(variant: Variant) -> str:
    """Return what the names of the collection without labels end in."""
    return "" if variant == "unsupervised" else "2"


def trace_of(settings: MarginaliseSettings, target: Any, position: np.ndarray) -> ProgramTrace:
    """Return what the program does at a position, for the documents of the page that is looked at."""
    return _Tracer(settings, target, position).trace


class _Tracer:
    """Walks through a program and notes what each line adds."""

    def __init__(self, settings: MarginaliseSettings, target: Any, position: np.ndarray) -> None:
        self.settings, self.target, self.position = settings, target, position
        self.documents = settings.page
        self.shown = {int(document): int(settings.labels[document]) for document in self.documents}
        self.known = [document for document in self.shown if self.shown[document] != HIDDEN]
        self.hidden = [document for document in self.shown if self.shown[document] == HIDDEN]
        self.steps = {document: target.log_joint_steps(position, document) for document in self.shown}
        self.tokens = [*self._table(self.known, ""), *self._table(self.hidden, mark_of(settings.variant))]
        self.acts: list[Act] = []
        lines = settings.program()
        for place, line in enumerate(lines):
            self._read(place, line)
        self.trace = ProgramTrace(lines, tuple(self.tokens), tuple(self.acts), self.documents)

    def _table(self, documents: list[int], mark: str) -> list[Token]:
        counts = self.target.counts[documents] if documents else None
        words = [] if counts is None else np.repeat(counts.indices, counts.data.astype(int)).tolist()
        lengths = [len(self.steps[document]) - 1 for document in documents]
        owners = [(row, document) for row, document in enumerate(documents, 1) for _ in range(lengths[row - 1])]
        return [
            Token(mark, n, int(word), row, document)
            for n, (word, (row, document)) in enumerate(zip(words, owners, strict=True), 1)
        ]

    def _read(self, place: int, line: Line) -> None:
        text, role = line
        if role == "parameters" and "phi" in text:
            self.acts.append(Act(place, target=self.target.log_density_terms(self.position)["log-Jacobian"]))
        elif role == "prior":
            self._prior(place, "theta" in text)
        elif role == "labelled likelihood":
            if text.strip().startswith("z"):
                self._declare(place, self.known)
            else:
                self._words(place, self.known)
        elif role in ("gamma prior term", "gamma word term", "generated gamma"):
            if "rep_array" in text:
                self._declare(place, self.hidden)
            else:
                self._words(place, self.hidden)
        elif role == "log_sum_exp":
            self._sum_out(place)
        elif "softmax" in text and self.hidden:
            self.acts.append(Act(place, softmax=True))

    def _prior(self, place: int, of_weights: bool) -> None:
        log_weights = np.log(self.target.constrain(self.position).weights)
        weights = Dirichlet(self.target.class_prior).log_density(log_weights)
        rest = self.target.log_density_terms(self.position)["priors"] - weights
        self.acts.append(Act(place, target=weights if of_weights else rest))

    def _classes(self, document: int) -> list[int]:
        return list(range(CLASSES)) if self.shown[document] == HIDDEN else [self.shown[document]]

    def _declare(self, place: int, documents: list[int]) -> None:
        if not documents:
            return
        gamma = {(d, k): float(self.steps[d][0, k]) for d in documents for k in self._classes(d)}
        counted = sum(value for (d, _), value in gamma.items() if self.shown[d] != HIDDEN)
        self.acts.append(Act(place, gamma=gamma, target=counted))

    def _words(self, place: int, documents: list[int]) -> None:
        read = dict.fromkeys(documents, 0)
        for number, token in enumerate(self.tokens):
            if token.document not in read:
                continue
            read[token.document] += 1
            added = self.steps[token.document][read[token.document]]
            gamma = {(token.document, k): float(added[k]) for k in self._classes(token.document)}
            counted = 0.0 if self.shown[token.document] == HIDDEN else sum(gamma.values())
            self.acts.append(Act(place, token.document, number, gamma, counted))

    def _sum_out(self, place: int) -> None:
        for document in self.hidden:
            summed, _ = self.target.sum_out(self.steps[document].sum(axis=0, keepdims=True))
            self.acts.append(Act(place, document, target=float(summed[0])))
